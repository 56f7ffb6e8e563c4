"""From documents to reports: lines, and that a trouble of one document does not affect the others."""

import pickle
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from urlglean.errors import OutOfRangeError, SchemeNameError, UnknownNameError
from urlglean.occurrence import Occurrence
from urlglean.output.files import file_id
from urlglean.pipeline.glean import glean
from urlglean.pipeline.inputs import opened
from urlglean.pipeline.options import Options
from urlglean.pipeline.run import RunOptions, scanned
from urlglean.pipeline.scan_task import ScanTask
from urlglean.records import Document, Message, TextPart, Trouble
from urlglean.sources import Opened, Skipped, Taken, unbundled
from urlglean.text.extract import Extractor
from urlglean.text.finding import Finding


def document(data: bytes = b"", path: str = "p", message: int | None = None) -> Document:
    """A plain text."""
    return Document(path, data, "text", message=message)


def read_as(monkeypatch: pytest.MonkeyPatch, *parts: TextPart, troubles: tuple[str, ...] = ()) -> None:
    """Makes every document be read as these parts."""
    monkeypatch.setattr("urlglean.pipeline.glean.read", lambda *_: Message(parts, troubles))


def found_in(*documents: Document, invalid: bool = False) -> list[Occurrence]:
    """The occurrences in documents, by the default dialect and joins."""
    return [one for report in glean(documents, Options(invalid=invalid)) for one in report.occurrences]


def found_at(path: Path) -> list[Occurrence]:
    """The occurrences in the documents at a path."""
    return found_in(*(item for item in unbundled(opened([str(path)])) if isinstance(item, Document)))


def test_a_file_gives_its_urls_with_their_lines(tmp_path: Path) -> None:
    """The line is where the URL begins, counted from 1."""
    path = tmp_path / "notes.txt"
    path.write_text("http://a.example/1 is here\n\nand http://b.example/2 is there\n")
    found = found_at(path)
    assert [(item.finding.url, item.line) for item in found] == [("http://a.example/1", 1), ("http://b.example/2", 3)]
    assert {item.origin.path for item in found} == {str(path)}


@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
def test_lines_end_as_they_did_when_the_text_was_written(monkeypatch: pytest.MonkeyPatch, end: str) -> None:
    """LF, CRLF and a lone CR each end one line."""
    read_as(monkeypatch, TextPart(end.join(["one", "http://a.example/ two", "", "http://b.example/ four"])))
    assert [item.line for item in found_in(document())] == [2, 4]


@given(st.lists(st.sampled_from(["", "prose", "http://a.example/x said", "http://a.example/ and http://b.example/"])))
def test_every_line_number_points_at_its_line(lines: list[str]) -> None:
    """Counting from one finding to the next gives the same as splitting the text."""
    found = found_in(document("\n".join(lines).encode()))
    assert len(found) == sum(line.count("http:") for line in lines)
    assert all(item.finding.url in lines[item.line - 1] for item in found)


def test_a_mailbox_gives_the_urls_of_each_of_its_messages(tmp_path: Path) -> None:
    """Each occurrence has the number of its message."""
    path = tmp_path / "box"
    path.write_text("".join(f"From x Mon Jan  1 00:00:00 2001\nTo: y\n\nhttp://a.example/{n}\n\n" for n in range(1, 9)))
    found = found_at(path)
    assert [(one.origin.message, one.finding.url) for one in found] == [
        (n, f"http://a.example/{n}") for n in range(1, 9)
    ]
    alone = [chunk_result.rows for chunk_result in scanned([str(path)], ScanTask("text"), RunOptions(chunk=0))]
    assert [rows for rows in alone if rows] == [f"{path}[{n}]:1: http://a.example/{n}\n".encode() for n in range(1, 9)]


def test_lines_are_counted_in_linear_time() -> None:
    """There are a hundred thousand URLs on as many lines; counting each from the start would take minutes."""
    count = 100_000
    assert [item.line for item in found_in(document(b"http://a.example/\n" * count))] == list(range(1, count + 1))


def test_a_whole_part_is_judged_as_one_url(monkeypatch: pytest.MonkeyPatch) -> None:
    """A link's address is not prose: it is a URL as it is, or it is rejected."""
    parts = (
        TextPart("http://a.example/", field="a@href", whole=True),
        TextPart("top.html", field="a@href", whole=True),
    )
    read_as(monkeypatch, *parts)
    assert [item.finding.url for item in found_in(document())] == ["http://a.example/"]
    rejected = found_in(document(), invalid=True)
    assert [(item.finding.url, item.finding.valid) for item in rejected] == [
        ("http://a.example/", True),
        ("top.html", False),
    ]


def test_a_message_says_how_its_lines_are_joined() -> None:
    """With DelSp, the blank at the end of a flowed line is removed (RFC 3676 4.1); without, it belongs to the text."""
    urls = []
    for delsp in ("yes", "no"):
        head = f"Content-Type: text/plain; format=flowed; delsp={delsp}\n\n"
        mail = Document("p", f"{head}http://a.example/long \npath here\n".encode(), "message")
        urls.append([item.finding.url for item in found_in(mail)])
    assert urls == [["http://a.example/longpath"], ["http://a.example/long"]]


@pytest.mark.parametrize("error", [RuntimeError("a\nbug"), MemoryError(), RecursionError("deep")])
def test_a_document_that_fails_is_a_trouble_and_the_rest_goes_on(
    monkeypatch: pytest.MonkeyPatch, error: Exception
) -> None:
    """The trouble has the document's place and one line that names the error."""
    good = Message((TextPart("http://a.example/"),))

    def read(octets: bytes, *_: object) -> Message:
        if octets == b"bad":
            raise error
        return good

    monkeypatch.setattr("urlglean.pipeline.glean.read", read)
    bad, whole = glean([document(b"bad", message=1), document(message=2)], Options())
    (trouble,) = bad.troubles
    assert (trouble.path, trouble.message) == ("p", 1)
    assert type(error).__name__ in trouble.cause
    assert "\n" not in trouble.cause
    assert (bad.occurrences, whole.troubles) == ((), ())
    assert [one.origin.message for one in whole.occurrences] == [2]


def test_a_part_that_fails_leaves_the_other_parts(monkeypatch: pytest.MonkeyPatch) -> None:
    """If one part of a message cannot be scanned, the others are."""
    find = Extractor.__call__

    def fails_on_first(self: Extractor, text: str, flowed: str) -> list[Finding]:
        if text == "first":
            raise ValueError(text)
        return find(self, text, flowed)  # type: ignore[arg-type]

    monkeypatch.setattr(Extractor, "__call__", fails_on_first)
    read_as(monkeypatch, TextPart("first", part="1"), TextPart("http://a.example/", part="2"))
    (report,) = glean([document()], Options())
    assert report.troubles == (Trouble("p", "part 1: ValueError: first"),)
    assert [one.part.part for one in report.occurrences] == ["2"]


def test_the_troubles_of_a_message_get_its_place(monkeypatch: pytest.MonkeyPatch) -> None:
    """They are reported with the path and number of the message."""
    read_as(monkeypatch, troubles=("the boundary never closes",))
    (report,) = glean([document(message=4)], Options())
    assert report.troubles == (Trouble("p", "the boundary never closes", message=4),)


def test_a_source_that_fails_is_a_trouble_and_the_other_paths_go_on(monkeypatch: pytest.MonkeyPatch) -> None:
    """What was read before the failure is kept."""

    def documents(path: str, **_: object) -> Iterator[Document]:
        yield document(path=path)
        if path == "bad":
            raise OSError("disk")

    monkeypatch.setattr("urlglean.pipeline.inputs.bundled", documents)
    assert list(opened(["bad", "good"])) == [
        document(path="bad"),
        Trouble("bad", "OSError: disk"),
        document(path="good"),
    ]


def test_a_file_that_is_being_written_is_left_out(tmp_path: Path) -> None:
    """A scan of the folder that holds its output does not read its own rows."""
    for name in ("a.txt", "rows.txt"):
        (tmp_path / name).write_text("http://a.example/\n")
    own = file_id(tmp_path / "rows.txt")
    assert own is not None
    items = list(opened([str(tmp_path)], own={own}))
    assert [type(item) for item in items] == [Opened, Taken, Document, Skipped]
    assert [Path(item.path).name for item in items] == ["a.txt", "a.txt", "a.txt", "rows.txt"]


@pytest.mark.parametrize(
    ("wrong", "error"),
    [
        ({"dialect": "rfc0"}, UnknownNameError),
        ({"joins": "always"}, UnknownNameError),
        ({"schemes": ("a b",)}, SchemeNameError),
        ({"least": 1.5}, OutOfRangeError),
        ({"least": float("nan")}, OutOfRangeError),
    ],
)
def test_wrong_options_raise(wrong: dict[str, Any], error: type[Exception]) -> None:
    """They raise even if there are no documents, instead of being a trouble of every document."""
    with pytest.raises(error):
        glean([], Options(**wrong))


def test_a_report_does_not_depend_on_other_documents() -> None:
    """It depends only on the document and the options. It can be pickled."""
    documents = [
        Document(
            "p",
            f"Subject: {n}\n\nhttp://a.example/{n}\n<URL:http://:x{n}/> or www.b.example\n".encode(),
            "message",
            message=n,
        )
        for n in range(100)
    ]
    options = Options(invalid=True, bare_hosts=True)
    together = glean(documents, options)
    assert [[one.finding.url for one in report.occurrences] for report in together[:2]] == [
        [f"http://a.example/{n}", f"http://:x{n}/", "http://www.b.example"] for n in range(2)
    ]
    assert [glean([each], options)[0].occurrences for each in documents] == [each.occurrences for each in together]
    assert glean(documents, options)[7].occurrences == together[7].occurrences
    assert pickle.loads(pickle.dumps(together[7].occurrences)) == together[7].occurrences


def test_unlikely_findings_are_left_out_and_counted() -> None:
    """The least confidence applies to findings, not to rejected candidates."""
    text = b"see http://a.example/ and <URL:http://:x/> and http://b.example/c\nd e f\n"
    (whole,) = glean([document(text)], Options(invalid=True))
    surer, less_sure = (whole.occurrences[at].finding.to_dict()["confidence"] for at in (0, 2))
    assert less_sure < surer
    (likely,) = glean([document(text)], Options(invalid=True, least=surer))
    assert [one.finding.url for one in whole.occurrences] == ["http://a.example/", "http://:x/", "http://b.example/c"]
    assert (whole.unlikely, likely.unlikely) == (0, 1)
    assert likely.occurrences == whole.occurrences[:2]
