"""What the documents of a chunk come to: rows, counts and notes, whole or in pieces."""

from collections.abc import Sequence

import pytest
from msgspec import structs

from urlglean.occurrence import Occurrence
from urlglean.output import FORMATS, Format
from urlglean.pipeline.chunk_result import LONG, PIECE, is_long, lost, results_of
from urlglean.pipeline.inputs import Chunk, portions_of
from urlglean.pipeline.options import Options
from urlglean.pipeline.results import Tally
from urlglean.pipeline.scan_task import ScanTask
from urlglean.records import Document, Trouble
from urlglean.sources import Item, Skipped, Taken
from whole import chunk_result, joined


def document(size: int, path: str = "p") -> Document:
    """A text of `size` bytes."""
    return Document(path, b"x" * size, "text")


def test_an_outcome_counts_each_thing_once() -> None:
    """It counts files, documents and their bytes, parts, valid and rejected findings, troubles, and left-out files."""
    text = b"http://a.example/ <URL:http://:x/>"
    items: list[Item] = [
        Taken("p", "text"),
        Document("p", text, "text"),
        Trouble("p", "torn"),
        Skipped("q", "a picture"),
    ]
    made = chunk_result(Chunk(items), ScanTask(options=Options(invalid=True)))
    assert made.tally == Tally(files=1, texts=1, parts=1, bytes=len(text), findings=1, rejects=1, troubles=1, skipped=1)
    assert made.notes == [items[0], *items[2:]]
    assert made.rows == b"p:1: http://a.example/\n"
    assert made.rejects.count(b"\n") == 1


def test_outcomes_of_stretches_make_that_of_the_whole() -> None:
    """Dividing a chunk anywhere gives the same rows and notes, although documents are read many at once."""
    task = ScanTask("jsonl", Options(invalid=True))
    items: list[Item] = []
    for n in range(70):
        items += [
            Document("p", f"http://a.example/{n} <URL:http://:x{n}/>".encode(), "text"),
            Document("p", b"Subject: =?utf-8?q?=ff?=\n\nhttp://a.example/\n", "message", message=n),
            Trouble("p", f"torn {n}"),
        ]
    whole = chunk_result(Chunk([*items]), task)
    assert [note.message for note in whole.notes if isinstance(note, Trouble)] == [
        at for n in range(70) for at in (n, None)
    ]
    apart = joined([chunk_result(Chunk([item]), task) for n, item in enumerate(items, 1)])
    assert structs.replace(apart, done=len(items)) == whole


def test_a_row_that_cannot_be_made_is_a_trouble(monkeypatch: pytest.MonkeyPatch) -> None:
    """If a format fails on one occurrence, the others are written, and the trouble names the URL."""

    def lines(occurrences: Sequence[Occurrence]) -> list[bytes]:
        if any(occurrence.finding.url.endswith("/1") for occurrence in occurrences):
            raise ValueError("no such digit")
        return [occurrence.finding.url.encode() for occurrence in occurrences]

    monkeypatch.setitem(FORMATS, "text", Format(lines, ()))
    chunk = Chunk([Document("p", b"http://a.example/1 http://a.example/2", "text")])
    made = chunk_result(chunk, ScanTask("text"))
    assert made.rows == b"http://a.example/2"
    assert made.notes == [Trouble("p", "http://a.example/1: ValueError: no such digit")]


def long_message(urls: int, number: int = 1, subject: str = "x") -> Document:
    """A message with `urls` URLs; each is so long that 1,500 make a long message."""
    body = "".join(f"http://a.example/{n:0700}\n" for n in range(urls))
    return Document("p", f"Subject: {subject}\n\n{body}".encode(), "message", message=number)


def test_the_pieces_of_a_long_document_depend_only_on_it() -> None:
    """They are the same whatever else is in the chunk.

    None is much larger than `PIECE`; only the last has a position.
    """
    task, long = ScanTask("jsonl"), long_message(9000)
    assert is_long(long)
    assert len(long.data) > LONG
    few: list[Item] = [document(3, "q"), Document("p", b"http://b.example/", "text"), Skipped("r", "empty")]
    items: list[Item] = [*few, long, *few, long_message(2000, 2), *few]
    portions = portions_of(items)
    results = list(results_of(Chunk(items, portions), task))
    assert [result.read for result in results] == [None] * (len(results) - 1) + [portions]
    assert all(len(result.rows) < 2 * PIECE for result in results)
    assert [result.done for result in results] == sorted(result.done for result in results)
    assert results[-1].done == len(items)
    pieces = [result.rows for result in results if b'"subject":"x","newsgroups":null,"part":"1"' in result.rows]
    alone = [result.rows for item in (long, items[7]) for result in results_of(Chunk([item]), task)]
    assert pieces == [rows for rows in alone if rows]
    assert len(pieces) > 3
    apart = joined([chunk_result(Chunk([item]), task) for item in items])
    assert structs.replace(apart, done=len(items), read=portions) == joined(results)


def test_repeated_values_count_to_the_size_of_a_piece() -> None:
    """With a long member name, the rows of a small document are many bytes."""
    member = "m" * 100_000
    small = Document("p", b"http://a.example/ " * 200, "text", member)
    results = list(results_of(Chunk([small]), ScanTask("jsonl")))
    assert all(len(result.rows) < 2 * PIECE for result in results)
    assert sum(result.rows.count(b"\n") for result in results) == 200


def test_the_document_that_killed_a_process_is_reported_and_counted() -> None:
    """A document becomes a trouble; an item that is no document stays as it is."""
    made = lost(document(3), "it died", ScanTask())
    assert made.notes == [Trouble("p", "it died")]
    assert (made.tally.texts, made.tally.troubles) == (1, 1)
    assert lost(Skipped("r", "empty"), "it died", ScanTask()).notes == [Skipped("r", "empty")]
