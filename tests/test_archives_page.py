"""The pages for archives say what is so: their commands run, and every column is explained."""

from __future__ import annotations

import re
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from catalogues import ask, content
from metadata import DOCS, meanings, written
from page_commands import blocks, run, workplace
from urlglean.columns import COLUMNS
from urlglean.output.tables import CATALOGUE, create

ROOT = DOCS.parent
LINES = "".join(blocks("archives.md")).splitlines()


def test_every_table_and_column_is_explained() -> None:
    """In the order of the tables' own columns; the indices for full text explain themselves."""
    with closing(sqlite3.connect(":memory:")) as connection:
        create(connection, CATALOGUE)
        names = connection.execute(
            "SELECT name FROM sqlite_master WHERE type IN ('table', 'view') AND name NOT LIKE '%fts%'"
        )
        columns = {name: [row[1] for row in connection.execute(f"PRAGMA table_info({name})")] for (name,) in names}
    told = {name: list(explained) for name, (_, explained) in meanings().items()}
    assert columns.pop("rows") == [column.name for column in COLUMNS]
    assert told.pop("rows") == []
    assert told == columns


def test_datasette_is_told_the_same() -> None:
    """`python tests/metadata.py` writes the file anew."""
    assert (DOCS / "datasette.json").read_text(encoding="utf-8") == written()


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder in which the lines of the page's `sh` blocks have run, one after the other."""
    folder = workplace(tmp_path_factory.mktemp("archives"))
    for line in LINES:
        run(line, folder)
    return folder


def test_the_commands_make_what_the_page_says(made: Path) -> None:
    """A catalogue of the corpus, and each file that a line names as its output."""
    db = made / "urls.db"
    assert content(db)["documents"]
    assert ask(db, "SELECT count(*) FROM documents WHERE path LIKE 'corpus/mail/%'") == [16]
    outputs = re.findall(r"(?:>|-o) (\S+)", "\n".join(LINES))
    assert len(outputs) > 5
    for output in outputs:
        place = made / output
        assert any(place.iterdir()) if place.is_dir() else place.stat().st_size, output
