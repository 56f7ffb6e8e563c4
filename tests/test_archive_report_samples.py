"""The samples of `urlglean report`: texts that are read again from their places."""

from __future__ import annotations

import gzip
import os
import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from commands import run
from handmade import Held, Letter, filled
from report_pages import page_of, parsed, words
from urlglean.archive import report_samples
from urlglean.archive.report import page

TEXT = """\
From someone@example.org Mon May  2 10:00:00 1994
From: someone@example.org
Message-ID: <1@example.org>
Date: Mon, 2 May 1994 10:00:00 +0000
Subject: Two <b>pages</b>

One line.
Another line.
The last line before.
> It is at <URL:http://www.example.org/
> pages/index.html>, and <not a tag>.
The first line behind.
The next line behind.
One line more.

"""


@pytest.fixture
def mailbox(tmp_path: Path) -> Path:
    """A mailbox of `TEXT`."""
    path = tmp_path / "mail.mbox"
    path.write_text(TEXT)
    return path


def sample(database: Path) -> tuple[str, Any]:
    """The text of the first sample of a broken URL, and its element."""
    with closing(sqlite3.connect(database, isolation_level=None)) as connection:
        made = page(connection, "mail")
    (section,) = [each for each in parsed(made).iter("section") if each.get("id") == "broken"]
    article = next(iter(section.iter("article")))
    shown = article.find("pre")
    return "" if shown is None else "".join(shown.itertext()), article


SHOWN = """\
Another line.
The last line before.
> It is at <URL:http://www.example.org/
> pages/index.html>, and <not a tag>.
The first line behind.
The next line behind."""


def test_a_sample_shows_its_text_with_the_pieces_marked(mailbox: Path, tmp_path: Path) -> None:
    """Two lines before and behind, the pieces marked, and what was taken out between them."""
    database = tmp_path / "mail.db"
    assert run("catalog", database, mailbox).exit_code == 0
    shown, article = sample(database)
    assert shown == SHOWN
    assert [each.text for each in article.iter("mark")] == ["http://www.example.org/", "pages/index.html"]
    assert ["".join(each.itertext()) for each in article.iter("s")] == ["\n> "]
    assert "http://www.example.org/pages/index.html" in words(article.find("h4"))
    assert "Two <b>pages</b>" in words(article.find("dl"))


def test_a_sample_is_found_in_packed_files(mailbox: Path, tmp_path: Path) -> None:
    """A compressed mailbox is unpacked as far as its message."""
    packed = tmp_path / "packed.mbox.gz"
    first = "From a@example.org Sun May  1 10:00:00 1994\nMessage-ID: <0@example.org>\n\nNothing.\n\n"
    packed.write_bytes(gzip.compress(first.encode() + mailbox.read_bytes()))
    database = tmp_path / "mail.db"
    assert run("catalog", database, packed).exit_code == 0
    assert sample(database)[0] == SHOWN


def test_a_sample_is_found_in_what_its_first_line_does_not_show(tmp_path: Path) -> None:
    """A message of a Maildir that looks like a mailbox, and a mailbox whose first line is lost."""
    quoted = f"From a@example.org Sun May  1 10:00:00 1994\nTo: a\n\n{SHOWN}\n\n{TEXT[:44]}To: b\n\n{SHOWN}\n"
    maildir = tmp_path / "maildir"
    for folder in ("cur", "new"):
        (maildir / folder).mkdir(parents=True)
    (maildir / "cur" / "1.a.b:2,S").write_text(quoted)
    lost = tmp_path / "lost"
    lost.write_text(TEXT.partition("\n")[2] + TEXT)
    for path, kind in ((maildir, ()), (lost, ("--as", "mbox"))):
        database = tmp_path / f"{path.name}.db"
        assert run("catalog", database, path, *kind).exit_code != 1
        assert sample(database)[0].endswith(SHOWN)


def test_no_sample_is_sought_farther_than_the_bound(
    mailbox: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Neither in a message that is longer, nor behind so many octets of a packed file."""
    monkeypatch.setattr(report_samples, "FAR", len(TEXT) + 99)
    packed = tmp_path / "packed.mbox.gz"
    packed.write_bytes(
        gzip.compress(b"From a@example.org Sun May  1 10:00:00 1994\n\n" + b"Nothing.\n" * 9 + TEXT.encode())
    )
    longer = tmp_path / "longer.mbox"
    longer.write_text(TEXT + "One line more.\n" * 9)
    for path, why in ((packed, "its text is not at its place any more"), (longer, "its text is too long to be shown")):
        database = tmp_path / f"{path.name}.db"
        assert run("catalog", database, path).exit_code == 0
        assert f"Not shown: {why}." in words(sample(database)[1])


def test_a_sample_is_found_in_a_window_of_a_long_text(tmp_path: Path) -> None:
    """A text that is read in several windows is shown where its URL stands."""
    text = tmp_path / "long.txt"
    text.write_text("A line of this text is as good as any other.\n" * 40_000 + SHOWN + "\nOne line more.\n" * 3)
    database = tmp_path / "long.db"
    assert run("catalog", database, text).exit_code == 0
    assert sample(database)[0] == SHOWN


def test_a_sample_of_many_links_is_the_right_one(tmp_path: Path) -> None:
    """The links of a page of HTML have the same field; the one that is shown is that of the URL."""
    links = "".join(f'<a href="http://www.example.org/{name}">x</a>' for name in ("aaa", "bbb", "ccc"))
    web = tmp_path / "page.html"
    web.write_text(f"<!DOCTYPE html><html><body>{links}</body></html>")
    database = tmp_path / "page.db"
    assert run("catalog", database, web).exit_code == 0
    shown = [words(each.find("pre")) for each in parsed(page_of(database)).iter("article")]
    assert shown == ["http://www.example.org/aaa", "http://www.example.org/ccc"]


def test_a_relative_path_begins_at_the_folder_of_its_run(
    mailbox: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A report that is made elsewhere finds the mail all the same."""
    monkeypatch.chdir(tmp_path)
    assert run("catalog", "mail.db", mailbox.name).exit_code == 0
    (tmp_path / "elsewhere").mkdir()
    monkeypatch.chdir(tmp_path / "elsewhere")
    assert sample(tmp_path / "mail.db")[0] == SHOWN


def test_the_subject_of_a_sample_is_one_line(tmp_path: Path) -> None:
    """What was folded in the header is shown with single blanks."""
    letter = Letter(holds=(Held(url="http://www.example.org/"),), subject="A long\t subject\u00a0line")
    assert "A long subject line" in page_of(filled(tmp_path / "subject.db", [letter]))


def test_a_sample_without_its_file_is_a_url_alone(mailbox: Path, tmp_path: Path) -> None:
    """If the file has changed or is gone, the sample says so, and has its URL and readings all the same."""
    database = tmp_path / "mail.db"
    assert run("catalog", database, mailbox).exit_code == 0
    mailbox.write_text(TEXT.replace("Another", "A third"))
    shown, article = sample(database)
    assert shown == ""
    assert "Not shown: its text is not at its place any more." in words(article)
    mailbox.unlink()
    _, article = sample(database)
    assert "Not shown: its file is not there any more." in words(article)
    assert "http://www.example.org/pages/index.html" in words(article.find("h4"))


def test_no_file_but_a_regular_one_is_opened(tmp_path: Path) -> None:
    """A named pipe and stdin are not read, let alone waited for."""
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    writer = os.open(pipe, os.O_RDWR)  # so that a program that opens it does not wait for ever
    holds = (Held(url="http://www.example.org/", joins=((5, 6, "hard-wrap"),)),)
    letters = [Letter(holds=holds, path=str(pipe)), Letter(holds=holds, path="-")]
    made = page_of(filled(tmp_path / "pipe.db", letters))
    os.close(writer)
    assert "its file is not there any more" in made
    assert "its file cannot be read" not in made


def test_a_catalogue_shows_no_file_of_which_it_does_not_know_the_digest(tmp_path: Path) -> None:
    """A catalogue that names a file of somebody else's does not get its text into the page."""
    secret = tmp_path / "secret.txt"
    secret.write_text("http://www.example.org/ is what nobody may read")
    held = Held(url="http://www.example.org/", joins=((5, 6, "hard-wrap"),))
    letter = Letter(holds=(held,), kind="text", path=str(secret), offset=0, length=47)
    assert "nobody may read" not in page_of(filled(tmp_path / "foreign.db", [letter]))
