"""A catalogue whose last run was interrupted is not taken for one that holds little."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from catalogues import JUNE, MAY, catalog
from commands import run
from test_catalogue_runs import killed, statements
from urlglean.pipeline.results import ChunkResult
from urlglean.pipeline.run import RunOptions, Settings, share_results

COMMANDS = (
    ("seeds", "urls.db"),
    ("report", "urls.db", "-o", "report.html"),
    ("settle", "urls.db"),
    ("settle", "urls.db", "--dry-run"),
    ("scan", "mail", "--evidence", "urls.db"),
)


@pytest.mark.parametrize("earlier", [False, True])
@pytest.mark.parametrize("share", [0.7, 0.95])
def test_whoever_reads_it_is_told(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, share: float, *, earlier: bool
) -> None:
    """Until the run was continued to its end; the exit status and what is printed do not depend on it."""
    pytest.importorskip("jinja2")
    monkeypatch.chdir(tmp_path)
    Path("mail").mkdir()
    Path("mail/may").write_bytes(MAY)
    if earlier:
        catalog(Path("urls.db"), "mail")
    Path("mail/june").write_bytes(JUNE)
    before = Path("urls.db").read_bytes() if earlier else b""
    count = statements(Path("urls.db"), 1, Path("mail"))
    Path("urls.db").write_bytes(before)
    assert killed(Path("urls.db"), "--jobs", 1, "mail", at=int(count * share)) < 0
    told = "urlglean: urls.db: its last run goes on or was interrupted, so it is incomplete: the same `catalog` command"
    for command in COMMANDS:
        assert run(*command).stderr.count(told) == 1
    catalog(Path("urls.db"), "mail")
    for command in COMMANDS:
        done = run(*command)
        assert done.exit_code in {0, 1}
        assert "interrupted" not in done.stderr


@pytest.mark.parametrize(("every", "kept"), [(0.0, "; what was read so far is in urls.db"), (60.0, "")])
def test_what_ctrl_c_leaves_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, every: float, kept: str) -> None:
    """But only what is surely in the catalogue."""
    monkeypatch.chdir(tmp_path)
    Path("mail").mkdir()
    for name in ("1", "2"):
        Path("mail", name).write_text(f"see http://{name}.example/\n")

    def interrupted(*given: Any) -> Iterator[ChunkResult]:
        yield from share_results(*given)
        raise KeyboardInterrupt

    monkeypatch.setattr("urlglean.archive.catalogue.share_results", interrupted)
    monkeypatch.setattr("urlglean.archive.catalogue.EVERY", every)
    done = catalog("urls.db", "mail", settings=Settings(RunOptions(chunk=1)))
    assert (done.exit_code, done.stderr) == (130, f"urlglean: interrupted{kept}\n")
