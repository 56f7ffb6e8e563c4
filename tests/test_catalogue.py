"""A catalogue has what a scan has, grows by what is new, and follows what moves."""

from __future__ import annotations

import gzip
import os
from collections.abc import Iterable, Iterator
from pathlib import Path

import pytest
from click.testing import CliRunner
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from catalogues import JUNE, MAY, ask, catalog, content, db, fresh, mail, mbox, message, rows, scanned
from packed import zipped
from urlglean.bounds import Bounds
from urlglean.cli import main
from urlglean.pipeline import inputs
from urlglean.pipeline.inputs import Chunk
from urlglean.pipeline.results import ChunkResult
from urlglean.pipeline.run import RunOptions, Settings
from urlglean.sources import FromPath, Taken, bundled
from urlglean.windows import GRID, WindowSize

__all__ = ["db", "mail"]  # the fixtures

CORPUS = Path(__file__).parent.parent / "corpus"
SMALL = Settings(RunOptions(chunk=1 << 10))
"""Chunks so small that each run has several."""


@pytest.mark.parametrize("where", ["mail", "texts", "expected_failures"])
def test_the_view_has_the_rows_of_a_scan(db: Path, where: str) -> None:
    """Of the whole corpus, to the last column; and nothing is there that could not be told."""
    catalog(db, CORPUS / where)
    assert rows(db) == scanned(CORPUS / where)
    assert rows(db)
    content(db)


@pytest.mark.parametrize(
    "options", [("--dialect", "web"), ("--joins", "never", "--strict"), ("--www", "--scheme", "x")]
)
def test_options_are_those_of_a_scan(db: Path, options: tuple[str, ...]) -> None:
    """They decide what is found, here as there."""
    catalog(db, CORPUS / "texts", *options)
    assert rows(db) == scanned(CORPUS / "texts", arguments=options)


def test_a_document_without_a_url_is_a_document(mail: Path, db: Path) -> None:
    """With all that its header says."""
    catalog(db, mail)
    columns = "message_id, date, sender, subject"
    assert ask(db, f"SELECT {columns} FROM documents WHERE id NOT IN (SELECT document FROM findings)") == [
        ("2@list.example", "1997-05-03T10:00:00Z", "a@b.example", "on birds")
    ]


def test_a_scan_writes_the_same_tables(mail: Path, db: Path) -> None:
    """But for the rejected candidates, which only a scan that is asked for them has."""
    run = CliRunner().invoke
    assert run(main, ["scan", str(mail), "-o", str(db)]).exit_code == 0
    catalogued = fresh(mail)
    assert content(db) == {**catalogued, "rejects": {}}
    run(main, ["scan", str(mail), "-o", str(db), "--rejects", str(db.with_name("rejects"))])
    assert content(db) == catalogued
    assert db.with_name("rejects").read_bytes().count(b"\n") == len(ask(db, "SELECT url FROM rejects")) > 0


def test_what_a_run_is_is_told(mail: Path, db: Path) -> None:
    """Its counts are those of all that it met, known or new."""
    for run in (1, 2):
        assert catalog(db, mail, "--dialect", "rfc1738").exit_code == 0
        counts = ask(
            db, f"SELECT files, messages, texts, octets, skipped FROM runs WHERE id = {run} AND ended >= started"
        )
        assert counts == [(2, 5, 0, len(MAY) + len(JUNE), 0)]
    assert ask(db, "SELECT DISTINCT json_extract(options, '$.dialect') FROM runs") == ["rfc1738"]


def test_it_grows_month_by_month(mail: Path, db: Path) -> None:
    """What was read stays, only the new mailbox is read, and the whole is as if all had come at once."""
    june = mail / "june"
    june.rename(mail.parent / "later")
    first = catalog(db, mail)
    (mail.parent / "later").rename(june)
    second = catalog(db, mail)
    assert "; 3 new, 0 known" in first.stderr
    assert "; 2 new, 3 known" in second.stderr
    assert content(db) == fresh(mail)
    third = catalog(db, mail)
    assert "; 0 new, 5 known" in third.stderr
    assert (first.exit_code, second.exit_code, third.exit_code) == (0, 0, 0)
    assert content(db) == fresh(mail)


def test_a_month_that_grew_is_read_from_where_it_was(mail: Path, db: Path) -> None:
    """And nothing of it is there twice."""
    catalog(db, mail)
    with (mail / "may").open("ab") as file:
        file.write(JUNE)
    (mail / "june").unlink()
    assert "; 0 new, 5 known" in catalog(db, mail).stderr
    assert content(db)["places"] == fresh(mail)["places"]


def test_only_what_was_named_is_looked_at(mail: Path, db: Path) -> None:
    """A file that vanished stays if its messages were not seen elsewhere, and so does one that is not named."""
    catalog(db, mail)
    before = content(db)
    (mail / "may").unlink()
    catalog(db, mail / "june")
    catalog(db, mail)
    assert content(db) == before


def test_a_folder_that_cannot_be_looked_at_has_not_vanished(
    mail: Path, db: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Only the system's word that there is no such file says so."""
    catalog(db, mail)
    (mail / "copy").write_bytes(MAY)

    def refuse(path: bytes) -> None:
        raise PermissionError(13, "Permission denied", path)

    (mail / "may").rename(mail.parent / "may")
    monkeypatch.setattr("urlglean.archive.growth.os.lstat", refuse)
    catalog(db, mail)
    assert str(mail / "may") in ask(db, "SELECT DISTINCT path FROM places")


def test_a_mailbox_that_was_rewritten_is_as_it_is_now(mail: Path, db: Path) -> None:
    """Messages that are no more in it are no more in the catalogue, nor their URLs, nor their words in the index."""
    catalog(db, mail)
    (mail / "june").write_bytes(mbox(message(6, "http://d.example/", subject="on fish")))
    catalog(db, mail)
    assert content(db) == fresh(mail)
    assert ask(db, "SELECT rowid FROM urls_fts WHERE urls_fts MATCH 'c'") == []
    (mail / "june").write_bytes(b"")
    catalog(db, mail)
    assert "http://d.example/" not in ask(db, "SELECT url FROM urls")
    assert content(db)["places"] == fresh(mail)["places"]


@pytest.mark.parametrize("packed", [zipped({}), gzip.compress(zipped({}), mtime=0), zipped({"empty.zip": zipped({})})])
def test_of_an_archive_that_is_empty_now_nothing_stays(mail: Path, db: Path, packed: bytes) -> None:
    """Not even what it was in trouble for."""
    catalog(db, mail)
    before = content(db)
    (mail / "july").write_bytes(gzip.compress(mbox(message(7, "http://e.example/" + os.urandom(9000).hex())))[:-900])
    assert catalog(db, mail).exit_code == 2
    (mail / "july").write_bytes(packed)
    assert catalog(db, mail).exit_code == 0
    assert content(db) == before


@pytest.mark.parametrize("other", ["zeros", "packed", "pipe", "link"])
def test_of_a_file_that_is_left_out_now_all_stays(mail: Path, db: Path, other: str) -> None:
    """A fault of the disk, or another program, has made something else of it."""
    catalog(db, mail)
    before = content(db)
    june = mail / "june"
    june.unlink()
    match other:
        case "zeros":
            june.write_bytes(bytes(3000))
        case "packed":
            june.write_bytes(b"7z\xbc\xaf\x27\x1c rest")
        case "pipe":
            os.mkfifo(june)
        case _:
            june.symlink_to("/")
    catalog(db, mail)
    assert content(db) == before


def test_a_document_has_its_length_of_now(mail: Path, db: Path) -> None:
    """A message stays the same if line ends at its end come or go."""
    lone = mail / "lone"
    lone.write_bytes(b"From: a@b.example\nMessage-ID: <9@x>\n\nhttp://h.example/\n\n")
    for _ in range(2):
        catalog(db, mail)
        assert ask(db, f"SELECT length FROM documents WHERE path = '{lone}'") == [lone.stat().st_size]
        lone.write_bytes(lone.read_bytes().rstrip())


def test_a_file_in_trouble_keeps_what_was_found_in_it(mail: Path, db: Path) -> None:
    """It may still be there behind the fault; the trouble goes when the file can be read again."""
    packed = mail / "may.gz"
    packed.write_bytes(gzip.compress(mbox(message(0, os.urandom(200_000).hex())) + MAY))
    (mail / "may").unlink()
    assert catalog(db, mail).exit_code == 0
    before, whole = content(db), packed.read_bytes()
    packed.write_bytes(whole[:-9000])
    assert catalog(db, mail).exit_code == 2
    assert content(db)["places"] >= before["places"]
    assert [path for path, cause in ask(db, "SELECT path, cause FROM troubles") if "ended" in cause] == [str(packed)]
    packed.write_bytes(whole)
    assert catalog(db, mail).exit_code == 0
    assert content(db) == before


def test_what_could_not_be_decoded_is_told_of_each_place_each_time(mail: Path, db: Path) -> None:
    """A copy that is known is not read again, but its troubles are as they were."""
    flawed = message(7, "caf?", fields="Content-Type: text/plain; charset=utf-8\nMIME-Version: 1.0\n").encode()
    (mail / "1").write_bytes(flawed.replace(b"?", b"\xff\xc3"))
    first = catalog(db, mail)
    assert first.exit_code == 2
    (mail / "1").rename(mail / "2")
    errors = mail.parent / "errors"
    again = catalog(db, mail, "--errors", errors)
    assert again.exit_code == 2
    assert [line.replace("/1: ", "/2: ") for line in first.stderr.splitlines()[:-1]] == again.stderr.splitlines()[:-1]
    assert errors.read_bytes().count(b"\n") == 1
    assert content(db) == fresh(mail)


def test_dates_and_counts_are_of_all_documents(mail: Path, db: Path) -> None:
    """Whenever they came."""
    catalog(db, mail / "june")
    catalog(db, mail)
    found = ask(db, "SELECT first_date, last_date, documents FROM urls WHERE url = 'http://a.example/1'")
    assert found == [("1997-05-02T10:00:00Z", "1997-05-05T10:00:00Z", 3)]


URLS = st.sampled_from(["http://a.example/1", "http://b.example/", "ftp://c.example/x", "<URL:http://d.example/a\n/b>"])
MESSAGES = st.builds(
    lambda number, urls, loop: message(number, " and\n".join(urls), fields=f"X-Loop: {loop}\n"),
    st.integers(1, 5),
    st.lists(URLS, max_size=3),
    st.integers(1, 2),
)
STATES = st.lists(st.dictionaries(st.sampled_from("ab"), st.lists(MESSAGES, max_size=4)), min_size=1, max_size=3)


@settings(max_examples=25, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(STATES)
def test_after_any_changes_it_is_as_if_it_were_new(tmp_path: Path, states: list[dict[str, list[str]]]) -> None:
    """Mailboxes get, lose and swap messages between the runs.

    What depends on what came first may differ: which copy of a document gave it its values.
    """
    folder, db = tmp_path / "mail", tmp_path / "urls.db"
    db.unlink(missing_ok=True)
    folder.mkdir(exist_ok=True)
    for name in "ab":
        (folder / name).write_bytes(b"")
    for state in states:
        for name, messages in state.items():
            (folder / name).write_bytes(mbox(*messages))
        catalog(db, folder, settings=SMALL)
    assert rows(db) == scanned(folder)
    found, expected = content(db), fresh(folder)
    for table in ("copies", "places", "findings", "rejects", "troubles"):
        assert found[table] == expected[table]
    assert [row[0] for row in sorted(found["urls"])] == [row[0] for row in sorted(expected["urls"])]  # type: ignore[call-overload]


@settings(max_examples=25, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    st.binary(max_size=400),
    st.lists(st.sampled_from(["http://a.example/", "<URL:http://", ">", "\n", "é", "\0"]), max_size=9),
)
def test_any_text_has_the_rows_of_a_scan(tmp_path: Path, octets: bytes, pieces: list[str]) -> None:
    """Whatever its octets are."""
    db, text = tmp_path / "urls.db", tmp_path / "text"
    db.unlink(missing_ok=True)
    text.write_bytes("".join(pieces).encode() + octets + b"".join(piece.encode() for piece in pieces))
    catalog(db, text, "--as", "text")
    assert rows(db) == scanned(text, arguments=["--as", "text"])
    content(db)


def test_a_long_text_is_one_document(tmp_path: Path, db: Path) -> None:
    """Each of its windows is a copy; when it grows, only the last ones are read again."""
    log = tmp_path / "log"
    log.write_text("".join(f"{number:07} see http://a.example/{number}/\n" for number in range(2_000)))
    settings = Settings(bounds=Bounds(window=WindowSize(own=1 << 14, margin=GRID)))
    catalog(db, log, settings=settings)
    assert ask(db, "SELECT count(*), min(kind), min(length), min(path) FROM documents") == [
        (1, "text", log.stat().st_size, str(log))
    ]
    (windows,) = ask(db, 'SELECT count(DISTINCT "window") FROM places')
    assert windows > 2
    assert ask(db, "SELECT DISTINCT documents FROM urls") == [1]
    with log.open("a") as file:
        file.write("and http://b.example/\n")
    assert f"; 1 new, {windows - 1} known" in catalog(db, log, settings=settings).stderr
    assert ask(db, "SELECT count(*), min(length) FROM documents") == [(1, log.stat().st_size)]
    assert rows(db) == scanned(log)
    assert content(db) == fresh(log, settings)
    log.write_bytes(log.read_bytes()[: log.stat().st_size // 2])
    catalog(db, log, settings=settings)
    assert content(db) == fresh(log, settings)


def test_a_name_that_is_not_utf_8_is_found_again(tmp_path: Path, db: Path) -> None:
    """Whether its file was moved is asked by its octets."""
    folder = tmp_path / "mail"
    folder.mkdir()
    old, new = (os.fsdecode(name) for name in (b"ma\xffy", b"m\xe4rz"))
    try:
        (folder / old).write_bytes(MAY)
    except OSError:
        pytest.skip("the file system refuses names that are not UTF-8")
    catalog(db, folder)
    assert rows(db) == scanned(folder)
    assert "; 0 new, 3 known" in catalog(db, folder).stderr
    before = content(db)
    (folder / old).rename(folder / new)
    catalog(db, folder)
    assert {path.rpartition("/")[2] for path in ask(db, "SELECT path FROM places")} == {"m%E4rz"}
    (folder / new).rename(folder / old)
    catalog(db, folder)
    assert content(db) == before


def test_much_that_is_known_is_not_kept_in_memory(mail: Path, db: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """It is noted when it comes, although workers are only started for much that is new."""
    catalog(db, mail)
    passed: list[object] = []

    def share_results(chunks: Iterable[Chunk], *rest: object) -> Iterator[ChunkResult]:
        passed.extend(chunks)
        return iter(())

    monkeypatch.setattr("urlglean.archive.catalogue.share_results", share_results)
    told = catalog(db, mail, settings=SMALL).stderr
    assert passed == []
    assert "2 files, 5 messages" in told
    assert ask(db, "SELECT files, messages FROM runs WHERE id = 2") == [(2, 5)]


def test_a_folder_that_could_not_be_read_to_its_end_keeps_what_was_found_in_it(
    mail: Path, db: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A defect in the reader is told of the folder; in which of its files it was is not known."""
    catalog(db, mail)
    before = content(db)

    def broken(path: str, **options: object) -> Iterator[FromPath]:
        for item in bundled(path, **options):  # type: ignore[arg-type]
            yield item
            assert not isinstance(item, Taken), "a defect"

    with monkeypatch.context() as patch:
        patch.setattr(inputs, "bundled", broken)
        broken_off = catalog(db, f"{mail}/")
    assert (broken_off.exit_code, broken_off.stderr.count("a defect")) == (2, 1)
    assert content(db)["places"] == before["places"]
    catalog(db, f"{mail}/")
    assert content(db)["places"] == before["places"]
