"""Paths to sightings: lines, counts, and that one document's trouble is no other's."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec import structs

from urlglean.batch import Gleaned, gleaned, opened, sightings
from urlglean.batch.glean import finder
from urlglean.batch.gleaner import Task
from urlglean.batch.run import How, scanned
from urlglean.errors import UnknownNameError
from urlglean.output.files import file_id
from urlglean.records import Document, Message, Sighting, Span, TextPart, Trouble
from urlglean.sources import Item, Skipped, Taken
from urlglean.text.extract import extract, read_whole


def document(data: bytes = b"", path: str = "p", message: int | None = None) -> Document:
    """A plain text."""
    return Document(path, data, "text", message=message)


def read_as(monkeypatch: pytest.MonkeyPatch, *parts: TextPart, troubles: tuple[str, ...] = ()) -> None:
    """Let every document be read as these parts."""
    monkeypatch.setattr("urlglean.batch.glean.read", lambda *_: Message(parts, troubles))


def glean(*items: Item, invalid: bool = False) -> list[Gleaned]:
    """What is gleaned from `items` by the default dialect and joins."""
    return list(gleaned(items, finder("current", "likely", invalid=invalid)))


def test_a_file_gives_its_urls_with_their_lines(tmp_path: Path) -> None:
    """The line is where the URL begins, counted from 1."""
    path = tmp_path / "notes.txt"
    path.write_text("http://a.example/1 is here\n\nand http://b.example/2 is there\n")
    found = [item for item in sightings([str(path)]) if isinstance(item, Sighting)]
    assert [(item.finding.url, item.line) for item in found] == [("http://a.example/1", 1), ("http://b.example/2", 3)]
    assert {item.document.path for item in found} == {str(path)}


@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
def test_lines_end_as_they_did_when_the_text_was_written(monkeypatch: pytest.MonkeyPatch, end: str) -> None:
    """LF, CRLF and CR alone each end one line."""
    read_as(monkeypatch, TextPart(end.join(["one", "http://a.example/ two", "", "http://b.example/ four"])))
    assert [item.line for item in glean(document()) if isinstance(item, Sighting)] == [2, 4]


@given(st.lists(st.sampled_from(["", "prose", "http://a.example/x said", "http://a.example/ and http://b.example/"])))
def test_every_line_number_points_at_its_line(lines: list[str]) -> None:
    """Counting on from finding to finding comes to the same as splitting the text."""
    found = [item for item in glean(document("\n".join(lines).encode())) if isinstance(item, Sighting)]
    assert len(found) == sum(line.count("http:") for line in lines)
    assert all(item.finding.url in lines[item.line - 1] for item in found)


def test_a_mailbox_gives_the_urls_of_each_of_its_messages(tmp_path: Path) -> None:
    """With the number of the message."""
    path = tmp_path / "box"
    path.write_text("".join(f"From x Mon Jan  1 00:00:00 2001\nTo: y\n\nhttp://a.example/{n}\n\n" for n in range(1, 9)))
    found = [each for each in sightings([str(path)]) if isinstance(each, Sighting)]
    assert [(one.document.message, one.finding.url) for one in found] == [
        (n, f"http://a.example/{n}") for n in range(1, 9)
    ]
    alone = [outcome.rows for outcome in scanned([str(path)], Task("text"), How(chunk=0))]
    assert [rows for rows in alone if rows] == [f"{path}[{n}]:1: http://a.example/{n}\n".encode() for n in range(1, 9)]


def test_lines_are_counted_in_linear_time(monkeypatch: pytest.MonkeyPatch) -> None:
    """A hundred thousand URLs on as many lines: counting each from the start would take minutes."""
    count = 100_000
    text = "http://a.example/\n" * count
    one = read_whole("http://a.example/")
    width = len("http://a.example/\n")
    spans = [Span(at, at + width - 1) for at in range(0, len(text), width)]
    found = [structs.replace(one, span=span) for span in spans]
    monkeypatch.setattr("urlglean.batch.glean.extract", lambda *_, **__: found)
    read_as(monkeypatch, TextPart(text))
    assert [item.line for item in glean(document()) if isinstance(item, Sighting)] == list(range(1, count + 1))


def test_a_whole_part_is_judged_as_one_url(monkeypatch: pytest.MonkeyPatch) -> None:
    """A link's address is no prose: it is a URL as it stands, or it is rejected as it stands."""
    parts = (
        TextPart("http://a.example/", field="a@href", whole=True),
        TextPart("top.html", field="a@href", whole=True),
    )
    read_as(monkeypatch, *parts)
    assert [item.finding.url for item in glean(document()) if isinstance(item, Sighting)] == ["http://a.example/"]
    rejected = [item for item in glean(document(), invalid=True) if isinstance(item, Sighting)]
    assert [(item.finding.url, item.finding.valid) for item in rejected] == [
        ("http://a.example/", True),
        ("top.html", False),
    ]


def test_a_message_says_how_its_lines_are_joined() -> None:
    """With DelSp, the blank at the end of a flowed line goes (RFC 3676 4.1); without, it is a blank of the text."""
    urls = []
    for delsp in ("yes", "no"):
        head = f"Content-Type: text/plain; format=flowed; delsp={delsp}\n\n"
        mail = Document("p", f"{head}http://a.example/long \npath here\n".encode(), "message")
        urls.append([item.finding.url for item in glean(mail) if isinstance(item, Sighting)])
    assert urls == [["http://a.example/longpath"], ["http://a.example/long"]]


@pytest.mark.parametrize("error", [RuntimeError("a\nbug"), MemoryError(), RecursionError("deep")])
def test_a_document_that_fails_is_a_trouble_and_the_rest_goes_on(
    monkeypatch: pytest.MonkeyPatch, error: Exception
) -> None:
    """The trouble has the document's place and one line that says what happened."""
    good = Message((TextPart("http://a.example/"),))

    def read(octets: bytes, _: str) -> Message:
        if octets == b"bad":
            raise error
        return good

    monkeypatch.setattr("urlglean.batch.glean.read", read)
    trouble, sighting = glean(document(b"bad", message=1), document(message=2))
    assert isinstance(trouble, Trouble)
    assert (trouble.path, trouble.message) == ("p", 1)
    assert type(error).__name__ in trouble.cause
    assert "\n" not in trouble.cause
    assert isinstance(sighting, Sighting)


def test_a_part_that_fails_leaves_the_other_parts(monkeypatch: pytest.MonkeyPatch) -> None:
    """Of a message with one part that cannot be scanned, the other part is."""
    find = extract

    def fails_on_first(text: str, **kwargs: object) -> object:
        if text == "first":
            raise ValueError(text)
        return find(text, dialect="current")

    monkeypatch.setattr("urlglean.batch.glean.extract", fails_on_first)
    read_as(monkeypatch, TextPart("first", part="1"), TextPart("http://a.example/", part="2"))
    trouble, sighting = glean(document())
    assert trouble == Trouble("p", "part 1: ValueError: first")
    assert isinstance(sighting, Sighting)
    assert sighting.part.part == "2"


def test_what_mail_could_not_read_whole_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    """A message's own troubles get its place."""
    read_as(monkeypatch, troubles=("the boundary never closes",))
    assert glean(document(message=4)) == [Trouble("p", "the boundary never closes", message=4)]


def test_what_is_no_document_passes_through() -> None:
    """What the sources tell of their files reaches the reader in its order."""
    items = (Trouble("a", "torn"), Skipped("b", "a picture"), Taken("c", "mbox"))
    assert tuple(glean(*items)) == items


def test_a_source_that_fails_is_a_trouble_and_the_other_paths_go_on(monkeypatch: pytest.MonkeyPatch) -> None:
    """What was read before the failure is kept."""

    def documents(path: str, **_: object) -> Iterator[Document]:
        yield document(path=path)
        if path == "bad":
            raise OSError("disk")

    monkeypatch.setattr("urlglean.batch.glean.bundled", documents)
    assert list(opened(["bad", "good"])) == [
        document(path="bad"),
        Trouble("bad", "OSError: disk"),
        document(path="good"),
    ]


def test_a_file_that_is_being_written_is_left_out(tmp_path: Path) -> None:
    """A scan of the folder that its output goes to does not read its own rows."""
    for name in ("a.txt", "rows.txt"):
        (tmp_path / name).write_text("http://a.example/\n")
    own = file_id(tmp_path / "rows.txt")
    assert own is not None
    items = list(opened([str(tmp_path)], own={own}))
    assert [type(item) for item in items] == [Taken, Document, Skipped]
    assert [Path(item.path).name for item in items] == ["a.txt", "a.txt", "rows.txt"]


@pytest.mark.parametrize(("dialect", "joins"), [("rfc0", "likely"), ("current", "always")])
def test_a_wrong_name_is_raised_before_anything_is_read(dialect: str, joins: str) -> None:
    """Bad use raises at once; it is no trouble of every document."""
    with pytest.raises(UnknownNameError):
        sightings(["anywhere"], dialect=dialect, joins=joins)
