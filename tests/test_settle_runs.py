"""Runs of `urlglean settle`: what they tell and refuse, and that the order in which mail comes does not matter."""

from __future__ import annotations

import sqlite3
import tempfile
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from commands import run
from databases import Found, Mail, broken, content, database, first, grown, unjoined, whole
from test_settle import BEGINNING, DROPPED, KEPT, LONGER, MIXED, UNJOINED
from urlglean.output.files import only_writer

ARCHIVE = Path(__file__).parent.parent / "corpus/archive"


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """Where a catalogue may be made."""
    return tmp_path / "mail.db"


def test_summary_and_dry_run(path: Path) -> None:
    """The counts are told, and a dry run prints the changes with their evidence and writes nothing."""
    before = content(
        database(
            path,
            [
                *MIXED,
                Mail("g@example.org", (broken(LONGER + "x", {BEGINNING: 0.001}, 0.99),)),
                whole(BEGINNING, "h@example.org", "H"),
            ],
        )
    )
    result = run("settle", path, "--dry-run")
    assert result.exit_code == 0
    assert content(path) == before
    told = "urlglean: 4 doubtful, 3 settled: 2 changed, 1 confirmed; 1 contradicted, but not changed"
    assert result.stderr == f"{told}; nothing was written\n"
    again = run("settle", path)
    assert (again.stdout, again.stderr) == ("", f"{told}\n")
    assert result.stdout.splitlines()[:3] == [
        f"mail.mbox:1: {BEGINNING}  (0.7000)",
        f"    {LONGER}  ({first(path)[1]:.4f}; documents: 1)",
        "        mail.mbox: 2001-01-01T00:00:00Z, zoe@example.org, Mine",
    ]


@pytest.mark.parametrize("made", ["missing", "empty", "text", "other", "newer"])
def test_what_is_no_catalogue(path: Path, made: str) -> None:
    """It is told what is wrong, and nothing is created or changed."""
    if made == "empty":
        path.touch()
    elif made == "text":
        path.write_bytes(b"This is no database, but a letter to the choir.\n" * 50)
    elif made == "other":
        with closing(sqlite3.connect(path)) as connection:
            connection.execute("CREATE TABLE songs (title)")
    elif made == "newer":
        database(path, [UNJOINED])
        with closing(sqlite3.connect(path)) as connection:
            connection.execute("PRAGMA user_version = 999")
    held = path.read_bytes() if path.exists() else None
    result = run("settle", path)
    assert result.exit_code == 2
    why = {
        "missing": "there is no such file",
        "empty": "it is a database, but not one that urlglean wrote",
        "text": "file is not a database",
        "other": "it is a database, but not one that urlglean wrote",
        "newer": "its tables have shape 999; this version of urlglean knows shape",
    }[made]
    assert f"urlglean: {path}: {why}" in result.stderr
    assert (path.read_bytes() if path.exists() else None) == held


def test_another_run(path: Path) -> None:
    """While a catalogue grows, it is told, and nothing is written."""
    before = content(database(path, [UNJOINED, whole(LONGER)]))
    with only_writer(path):
        result = run("settle", path)
    assert result.exit_code == 2
    assert f"{path} is being written by another run" in result.stderr
    assert content(path) == before
    assert run("settle", path).exit_code == 0
    assert [each.name for each in path.parent.iterdir()] == [path.name]


def test_a_url_that_nothing_has_any_more_is_forgotten(path: Path, tmp_path: Path) -> None:
    """A reading was settled by documents that are gone now, and is undone."""
    boxes = [tmp_path / name for name in ("2001-09.mbox", "2001-10.mbox")]
    for box in boxes:
        box.write_bytes((ARCHIVE / box.name).read_bytes())
    for emptied in (False, True):
        if emptied:
            boxes[1].write_bytes(b"")
        assert run("catalog", path, *boxes).exit_code == 0
        assert run("settle", path).exit_code == emptied  # then there is nothing by which anything is settled
    fresh = path.with_name("fresh.db")
    run("catalog", fresh, *boxes)
    run("settle", fresh)
    urls = []
    for each in (path, fresh):
        with closing(sqlite3.connect(each)) as connection:
            connection.execute("INSERT INTO urls_fts (urls_fts) VALUES ('integrity-check')")
            urls.append(connection.execute("SELECT url, documents FROM urls ORDER BY url").fetchall())
    assert urls[0] == urls[1]


def test_another_writer(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """While another program writes the catalogue, it is told that it is locked."""
    monkeypatch.setattr("urlglean.archive.database._PATIENCE", 0.0)
    database(path, [UNJOINED, whole(LONGER)])
    with closing(sqlite3.connect(path, isolation_level=None)) as connection:
        connection.execute("BEGIN IMMEDIATE")
        result = run("settle", path)
    assert result.exit_code == 2
    assert "database is locked" in result.stderr


def test_all_or_nothing(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """What breaks off in the midst leaves the catalogue as it was."""
    before = content(database(path, MIXED))

    def fail(*_: object) -> None:
        raise OSError("the disk is gone")

    monkeypatch.setattr("urlglean.archive.settle._choose", fail)
    assert run("settle", path).exit_code == 2
    assert content(path) == before


names = st.sampled_from(["anna", "bert", "carl"])
urls = st.sampled_from([BEGINNING, LONGER, KEPT, DROPPED, "http://example.org/", BEGINNING + "-2001"])
doubts = st.builds(
    lambda url, rivals, joined: (broken if joined else unjoined)(
        url, {r: 0.1 for r in rivals if r != url} or {"x:": 0.1}
    ),
    urls,
    st.lists(urls, min_size=1, max_size=3, unique=True),
    st.booleans(),
)
mails = st.lists(
    st.builds(
        Mail,
        st.none() | names,
        st.lists(urls.map(Found) | doubts, max_size=3).map(tuple),
        st.none() | st.sampled_from(["One", "Re: one", "Two"]),
        st.none() | st.sampled_from(["2001-01-01T00:00:00Z", "2002-01-01T00:00:00Z"]),
        st.sampled_from(["one.mbox", "two.mbox"]),
    ),
    max_size=8,
)


@given(mails, mails)
def test_properties(early: list[Mail], late: list[Mail]) -> None:
    """Only findings with rivals change; twice is as once; grown by steps is as all at once; it can all be undone."""
    with tempfile.TemporaryDirectory() as folder:
        path, other = Path(folder) / "one.db", Path(folder) / "other.db"
        before = content(database(path, early + late))
        run("settle", path)
        once = content(path)
        doubtful = {row[0] for row in before["readings"]}
        assert {row for row in once["findings"] if row[0] not in doubtful} == {
            row for row in before["findings"] if row[0] not in doubtful
        }
        run("settle", path)
        assert content(path) == once
        run("settle", database(other, early))
        run("settle", grown(other, late))
        assert _named(content(other)) == _named(once)
        with closing(sqlite3.connect(path)) as connection:
            connection.execute("DELETE FROM findings WHERE id NOT IN (SELECT finding FROM readings)")
            connection.commit()
        run("settle", path)
        for name in ("readings", "joins"):
            assert content(path)[name] == before[name]


def _named(tables: dict[str, list[tuple[Any, ...]]]) -> dict[str, list[tuple[Any, ...]]]:
    """The tables with URLs in place of their numbers, which depend on the order in which they came."""
    urls = {row[0]: row[1] for row in tables["urls"]}
    named = dict(tables)
    named["urls"] = sorted((row[1:] for row in tables["urls"]), key=repr)
    named["findings"] = sorted(((row[0], urls[row[1]], *row[2:]) for row in tables["findings"]), key=repr)
    named["own_readings"] = sorted(((row[0], urls[row[1]], *row[2:]) for row in tables["own_readings"]), key=repr)
    return named
