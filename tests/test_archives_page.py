"""The pages for archives say what is so: their commands run, and every column is explained."""

from __future__ import annotations

import re
import shlex
import sqlite3
import subprocess
import sys
from contextlib import closing
from pathlib import Path

import pytest

from catalogues import ask, content
from metadata import DOCS, meanings, written
from urlglean.columns import COLUMNS
from urlglean.output.tables import create

ROOT = DOCS.parent
BLOCKS = re.findall(r"```sh\n(.*?)```", (DOCS / "archives.md").read_text(encoding="utf-8"), re.DOTALL)
COMMANDS = re.findall(r"^urlglean .*$", "".join(BLOCKS), re.MULTILINE)


def test_every_table_and_column_is_explained() -> None:
    """In the order of the tables' own columns; the indices for full text explain themselves."""
    with closing(sqlite3.connect(":memory:")) as connection:
        create(connection)
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
    """The folder in which the commands of the page have run, one after the other."""
    folder = tmp_path_factory.mktemp("archives")
    (folder / "corpus").symlink_to(ROOT / "corpus")
    for command in COMMANDS:
        program, *arguments = shlex.split(command)
        run = [sys.executable, "-m", program, *arguments]
        done = subprocess.run(run, cwd=folder, check=False, capture_output=True, text=True)
        assert done.returncode == 0, done.stderr
    return folder


def test_the_commands_make_what_the_page_says(made: Path) -> None:
    """A catalogue of the corpus."""
    db = made / "urls.db"
    assert content(db)["documents"]
    assert ask(db, "SELECT count(*) FROM documents WHERE path LIKE 'corpus/mail/%'") == [16]
