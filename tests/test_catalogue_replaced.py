"""No command replaces a catalogue by something else: it holds what many runs have read, and perhaps settled."""

from __future__ import annotations

from pathlib import Path

import pytest

from catalogues import ask, catalog
from commands import run
from urlglean.archive.database import catalogue


@pytest.mark.parametrize(
    "command",
    [
        ("scan", "mail", "-o"),
        ("scan", "mail", "--rejects"),
        ("scan", "mail", "--format", "jsonl", "-o"),
        ("catalog", "other.db", "mail", "--errors"),
        ("report", "other.db", "-o"),
    ],
)
@pytest.mark.parametrize("then", ["grown", "settled", "copied", "no log"])
def test_a_catalogue_stays(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, command: tuple[str, ...], then: str
) -> None:
    """Whatever SQLite did to it; unlike the database that a scan has made."""
    monkeypatch.chdir(tmp_path)
    Path("mail").write_text("http://h.example/\n")
    for name in ("a.db", "other.db"):
        catalog(Path(name), "mail")
    if then == "settled":
        assert run("settle", "a.db").exit_code in {0, 1}
    if then == "copied":
        ask(Path("a.db"), "VACUUM INTO 'copy.db'")
        Path("copy.db").replace("a.db")
    if then == "no log":
        ask(Path("a.db"), "PRAGMA journal_mode = DELETE")
    before = Path("a.db").read_bytes()
    refused = run(*command, "a.db")
    assert refused.exit_code == 2
    assert "a.db is not replaced (its kind is catalogue)" in refused.stderr
    assert Path("a.db").read_bytes() == before
    with catalogue(Path("a.db")):
        pass
    assert run("scan", "mail", "-o", "rows.db").exit_code == 0
    assert run(*command, "rows.db").exit_code == 0
