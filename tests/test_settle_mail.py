"""`urlglean settle` on a catalogue of real messages, that `urlglean catalog` made."""

from __future__ import annotations

import sqlite3
import subprocess
import sys
from contextlib import closing
from pathlib import Path

import pytest
from click.testing import CliRunner

from databases import content
from urlglean.cli import main

WHOLE = "http://www.example.org/choir/autumn/rehearsals-and-concerts/2001/programme.html"

BROKEN = f"""\
Dear all, the programme of our concerts is at last complete, and you find it at
{WHOLE[:62]}
{WHOLE[62:]} as promised. Bring your friends,
your neighbours and whoever else has ears to hear with, and be there at seven.
"""

LETTER = f"Have you seen {WHOLE} yet? We sing on the third page.\n"


def message(number: int, sender: str, subject: str, body: str) -> str:
    """A message of a mailbox."""
    return (
        f"From {sender} Sat Sep  {number} 12:00:00 2001\nFrom: {sender}\nSubject: {subject}\n"
        f"Date: Sat, {number} Sep 2001 12:00:00 +0000\nMessage-ID: <{number}@example.org>\n\n{body}\n"
    )


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with a mailbox in which a message breaks a URL, and one in which another has it whole."""
    monkeypatch.chdir(tmp_path)
    Path("a.mbox").write_text(message(1, "anna@example.org", "The concerts", BROKEN), encoding="ascii")
    Path("b.mbox").write_text(message(2, "bert@example.org", "Third page", LETTER), encoding="ascii")
    return tmp_path


def run(*arguments: str) -> int:
    """The exit status of a command."""
    return CliRunner().invoke(main, arguments).exit_code


def rows() -> list[tuple[str, str]]:
    """The URLs of the catalogue, with their rivals."""
    with closing(sqlite3.connect("mail.db")) as connection:
        assert connection.execute("PRAGMA foreign_key_check").fetchall() == []
        assert connection.execute("PRAGMA integrity_check").fetchall() == [("ok",)]
        return connection.execute("SELECT url, rivals FROM rows ORDER BY path").fetchall()


@pytest.mark.parametrize("joins", ["never", "likely"])
def test_settled(folder: Path, joins: str) -> None:
    """However the reader read it, the URL is whole afterwards."""
    run("catalog", "mail.db", "a.mbox", "b.mbox", "--joins", joins)
    assert run("settle", "mail.db") == 0
    assert [url for url, _ in rows()] == [WHOLE, WHOLE]


def test_mail_that_goes_and_comes(folder: Path) -> None:
    """What settled a reading is taken out of the catalogue, and what was settled, and it is put in again."""
    arguments = ("catalog", "mail.db", ".", "--joins", "never")
    run(*arguments)
    assert run("settle", "mail.db") == 0
    settled = rows()
    letter = Path("b.mbox").read_bytes()
    Path("b.mbox").unlink()
    Path("c.mbox").write_text(message(3, "carl@example.org", "Nothing", "Nothing."), encoding="ascii")
    Path("a.mbox").rename("d.mbox")
    run(*arguments)
    rows()
    Path("b.mbox").write_text(message(2, "bert@example.org", "Third page", "Nothing."), encoding="ascii")
    run(*arguments)
    assert run("settle", "mail.db") == 1
    assert WHOLE not in dict(rows())
    Path("b.mbox").write_bytes(letter)
    run(*arguments)
    assert run("settle", "mail.db") == 0
    assert sorted(rows()) == sorted(settled)
    Path("d.mbox").write_text(message(1, "anna@example.org", "The concerts", "Nothing."), encoding="ascii")
    run(*arguments)
    assert run("settle", "mail.db") == 1
    assert rows() == [(WHOLE, "[]")]
    with closing(sqlite3.connect("mail.db")) as connection:
        assert connection.execute("SELECT url, documents FROM urls").fetchall() == [(WHOLE, 1)]


def test_the_own_reading_outlives_its_other_findings(folder: Path) -> None:
    """A URL that no document holds any more stays as long as the reader had read it somewhere."""
    first = WHOLE[:62]
    Path("e.mbox").write_text(message(5, "emil@example.org", "Emil", f"See {first} now."), encoding="ascii")
    run("catalog", "mail.db", ".", "--joins", "never")
    assert run("settle", "mail.db") == 0
    assert [url for url, _ in rows()] == [WHOLE, WHOLE, first]
    Path("e.mbox").write_text(message(5, "emil@example.org", "Emil", "Nothing."), encoding="ascii")
    run("catalog", "mail.db", ".", "--joins", "never")
    assert [url for url, _ in rows()] == [WHOLE, WHOLE]
    with closing(sqlite3.connect("mail.db")) as connection:
        assert connection.execute("SELECT documents FROM urls WHERE url = ?", (first,)).fetchall() == [(0,)]
        found = connection.execute("SELECT rowid FROM urls_fts WHERE urls_fts MATCH 'rehearsals'").fetchall()
        assert len(found) == 2


KILLED = """
import os, signal, sys
from urlglean.archive import settle
held, left = settle._insert, [int(sys.argv[1])]
def insert(*arguments):
    held(*arguments)
    left[0] -= 1
    if left[0] == 0:
        os.kill(os.getpid(), signal.SIGKILL)
settle._insert = insert
from urlglean.cli import main
main(["settle", "mail.db"])
"""


@pytest.mark.parametrize("after", [1, 2])
def test_killed(folder: Path, after: int) -> None:
    """Killed in the midst, it leaves the catalogue as it was; run again, it is as if nothing had been."""
    run("catalog", "mail.db", ".", "--joins", "never")
    before = content(Path("mail.db"))
    done = subprocess.run([sys.executable, "-c", KILLED, str(after)], check=False)
    assert done.returncode == -9
    assert content(Path("mail.db")) == before
    assert run("settle", "mail.db") == 0
    assert [url for url, _ in rows()] == [WHOLE, WHOLE]
