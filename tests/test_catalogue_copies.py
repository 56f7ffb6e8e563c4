"""What a catalogue takes for one document: mail that was moved, packed in another way or copied."""

from __future__ import annotations

import gzip
import mailbox
import zipfile
from contextlib import closing
from pathlib import Path

import pytest

from catalogues import MAY, ask, catalog, content, db, fresh, mail, mbox, message, rows, scanned

__all__ = ["db", "mail"]  # the fixtures


def test_a_mailbox_that_was_moved_adds_nothing(mail: Path, db: Path) -> None:
    """Its places are the new ones, and so are those of its documents."""
    catalog(db, mail)
    (mail / "may").rename(mail / "1997-05")
    assert "; 0 new, 5 known" in catalog(db, mail).stderr
    assert content(db) == fresh(mail)
    assert rows(db) == scanned(mail)


def test_a_mailbox_that_was_moved_into_a_folder_of_its_name_adds_nothing(mail: Path, db: Path) -> None:
    """The folder is there, but the file is not."""
    catalog(db, mail)
    (mail / "may").rename(mail / "x")
    (mail / "may").mkdir()
    (mail / "x").rename(mail / "may" / "inbox")
    assert "; 0 new, 5 known" in catalog(db, mail).stderr
    assert content(db) == fresh(mail)


def repacked(how: str, mail: Path) -> None:
    """Put the messages of a mailbox into another kind of file."""
    may = mail / "may"
    match how:
        case "gzip":
            (mail / "may.gz").write_bytes(gzip.compress(MAY))
        case "zip":
            with zipfile.ZipFile(mail / "may.zip", "w") as archive:
                archive.writestr("old/may", MAY)
        case "maildir" | "mh" | "mmdf":
            made = {"maildir": mailbox.Maildir, "mh": mailbox.MH, "mmdf": mailbox.MMDF}[how](str(mail / how))
            with closing(mailbox.mbox(str(may))) as box, closing(made):
                for each in box:
                    made.add(each.as_bytes())
    may.unlink()


@pytest.mark.parametrize("how", ["gzip", "zip", "maildir", "mh", "mmdf"])
def test_a_mailbox_that_was_repacked_adds_nothing(mail: Path, db: Path, how: str) -> None:
    """The octets of its messages are the same."""
    catalog(db, mail)
    repacked(how, mail)
    assert "; 0 new, 5 known" in catalog(db, mail).stderr
    assert rows(db) == scanned(mail)
    assert content(db) == fresh(mail)


def test_copies_of_one_message_are_one_document(tmp_path: Path, db: Path) -> None:
    """Lists add fields. A document counts once for a URL, whatever number of copies and places it has."""
    copies = [message(1, "http://a.example/1", fields=f"X-Loop: {name}\n") for name in ("birds", "trees", "birds")]
    for name, each in zip("abc", copies, strict=True):
        (tmp_path / name).write_bytes(mbox(each))
    catalog(db, *(tmp_path / name for name in "abc"))
    assert ask(db, "SELECT count(*) FROM documents") == [1]
    assert ask(db, "SELECT count(*) FROM copies") == [2]
    assert ask(db, "SELECT count(*) FROM places") == [3]
    assert ask(db, "SELECT documents FROM urls") == [1]
    assert rows(db) == scanned(tmp_path / "a", tmp_path / "b", tmp_path / "c")


def test_an_article_of_several_groups_is_one_document(tmp_path: Path, db: Path) -> None:
    """Whether its groups are read in one run, where it is read once, or in two."""
    article = message(1, "http://a.example/1", fields="Newsgroups: a.birds,a.trees\n")
    for group in ("birds", "trees"):
        (tmp_path / "spool" / group).mkdir(parents=True)
        (tmp_path / "spool" / group / "1").write_text(f"Xref: host a.{group}:1\n{article}")
    for group in ("trees", "birds"):
        catalog(db, tmp_path / "spool" / group)
    assert ask(db, "SELECT count(*) FROM documents") == [1]
    assert rows(db) == scanned(tmp_path / "spool" / "birds", tmp_path / "spool" / "trees")
    catalog(db, tmp_path / "spool")
    assert content(db) == fresh(tmp_path / "spool")
    assert rows(db) == scanned(tmp_path / "spool")


def test_a_second_copy_in_a_later_run_is_no_second_document(tmp_path: Path, db: Path) -> None:
    """Its URLs are counted already, whenever it comes."""
    for number in (1, 2):
        copy = message(1, "http://a.example/1 http://a.example/1", fields=f"X-Loop: {number}\n")
        (tmp_path / f"mbox{number}").write_bytes(mbox(copy))
        catalog(db, tmp_path / f"mbox{number}")
    assert ask(db, "SELECT documents FROM urls") == [1]
    assert ask(db, "SELECT count(*) FROM copies") == [2]
    content(db)


def test_a_document_that_lost_its_first_copy_has_the_values_of_the_next(tmp_path: Path, db: Path) -> None:
    """Its date is then that of the other copy, for the URLs of that copy too."""
    (tmp_path / "first").write_bytes(mbox(message(1, "http://a.example/1", subject="one")))
    other = message(1, "http://b.example/2", subject="two").replace("May 1997", "June 1998")
    (tmp_path / "then").write_bytes(mbox(other))
    catalog(db, tmp_path / "first", tmp_path / "then")
    assert ask(db, "SELECT DISTINCT first_date FROM urls") == ["1997-05-02T10:00:00Z"]
    (tmp_path / "first").write_bytes(b"")
    catalog(db, tmp_path / "first", tmp_path / "then")
    assert ask(db, "SELECT url, first_date FROM urls") == [("http://b.example/2", "1998-06-02T10:00:00Z")]
    assert ask(db, "SELECT subject, path FROM documents") == [("two", str(tmp_path / "then"))]
    content(db)


def test_a_document_lies_where_its_octets_are(tmp_path: Path, db: Path) -> None:
    """Also if other messages with its Message-ID come before it."""
    one = message(1, "http://a.example/1", subject="one")
    other = message(1, "http://b.example/2 and more of it", subject="two").replace("May 1997", "June 1998")
    box = tmp_path / "box"
    box.write_bytes(mbox(one, other))
    catalog(db, box)
    before = ask(db, "SELECT digest, date, length FROM documents")
    box.write_bytes(mbox(other, one))
    catalog(db, box)
    (offset,) = ask(db, 'SELECT "offset" FROM documents')
    assert box.read_bytes()[offset:].startswith(mbox(one)[:40])
    assert ask(db, "SELECT subject, path FROM documents") == [("one", str(box))]
    assert ask(db, "SELECT digest, date, length FROM documents") == before
    content(db)


@pytest.mark.parametrize("written", ["<>", "", "< >"])
def test_an_empty_message_id_is_none(tmp_path: Path, db: Path, written: str) -> None:
    """Such messages are documents of their own."""
    for number in (1, 2, 3):
        text = f"From: a{number}@b.example\nMessage-ID: {written}\n\nhttp://a.example/{number}\n"
        (tmp_path / f"{number}.eml").write_text(text)
    catalog(db, *(tmp_path / f"{number}.eml" for number in (1, 2, 3)))
    assert ask(db, "SELECT count(*) FROM documents") == [3]
    assert ask(db, "SELECT DISTINCT message_id FROM rows") == [""]


def test_a_message_id_is_never_taken_for_a_digest(db: Path, tmp_path: Path) -> None:
    """Whoever knows a text could give its digest as a Message-ID, and so make the text a copy of his message."""
    (tmp_path / "a.txt").write_text("http://a.example/text\n", encoding="utf-8")
    catalog(db, tmp_path / "a.txt")
    (digest,) = ask(db, "SELECT digest FROM copies")
    forged = f"From: a@b.example\nMessage-ID: <{digest}>\n\nhttp://a.example/forged\n"
    (tmp_path / "forged").write_text(forged, encoding="utf-8")
    catalog(db, tmp_path / "forged")
    assert ask(db, "SELECT url, documents FROM urls ORDER BY url") == [
        ("http://a.example/forged", 1),
        ("http://a.example/text", 1),
    ]
    assert sorted(ask(db, "SELECT identity FROM documents")) == sorted([digest, f"<{digest}>"])
    assert sorted(ask(db, "SELECT kind FROM documents")) == ["message", "text"]
