"""Scanning from Python: any kind of path, lazily, and everything that cannot be read is reported."""

import bz2
import gzip
import io
import json
import subprocess
import sys
import zipfile
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

import urlglean
from urlglean.cli import main
from urlglean.records import Trouble

CORPUS = Path(__file__).parent.parent / "corpus"

MAIL = (
    b"From: a@b.example\nSubject: see http://a.example/0\nMessage-ID: <1@b.example>\n"
    b'Content-Type: multipart/mixed; boundary="x"\n\n'
    b"--x\nContent-Transfer-Encoding: quoted-printable\n\nhttp://a.example/long=\n/er\n"
    b"--x\nContent-Type: text/html\n\n<a href='http://a.example/2'>two</a>\n--x--\n"
)
MBOX = b"".join(
    b"From x Mon Jan  1 00:00:00 2001\nTo: y\n\nhttp://a.example/%d\n\n" % number for number in range(1, 201)
)
TORN = b"Subject: =?utf-8?q?=ff?=\n\nhttp://a.example/\n"


def urls(found: Iterable[urlglean.Occurrence]) -> list[str]:
    """The URLs of the occurrences."""
    return [one.finding.url for one in found]


@pytest.fixture
def box(tmp_path: Path) -> Path:
    """The path of a mailbox with two hundred messages."""
    path = tmp_path / "box"
    path.write_bytes(MBOX)
    return path


ALL = [f"http://a.example/{number}" for number in range(1, 201)]


def test_a_scan_gives_the_rows_of_the_command() -> None:
    """Every value is the same, for findings and rejects, over mailboxes, archives, messages and texts."""
    written = CliRunner().invoke(main, ["scan", str(CORPUS), "--format", "jsonl"])
    rows = [one.to_dict() for one in urlglean.scan(CORPUS)]
    assert json.loads(json.dumps(rows)) == [json.loads(line) for line in written.stdout.splitlines()]
    assert len(rows) > 100


def test_all_kinds_of_sources_give_the_same_urls(box: Path) -> None:
    """The source is a path of either type, several paths, an open file, or octets, packed or not."""
    assert urls(urlglean.scan(str(box))) == urls(urlglean.scan(box)) == ALL
    assert urls(urlglean.scan([box, str(box)])) == ALL + ALL
    assert urls(urlglean.scan(path for path in (box,))) == ALL
    for octets in (MBOX, bytearray(MBOX), memoryview(MBOX), gzip.compress(MBOX), bz2.compress(MBOX)):
        assert urls(urlglean.scan(octets)) == ALL
    with box.open("rb") as file:
        assert urls(urlglean.scan(file)) == ALL
        assert not file.closed
    with box.open("rb", buffering=0) as file:
        assert urls(urlglean.scan(file)) == ALL


def test_an_archive_in_octets_or_a_file_is_opened() -> None:
    """An archive cannot be read from front to back. What precedes the file's position is not read."""
    packed = io.BytesIO(b"before")
    packed.seek(6)
    with zipfile.ZipFile(packed, "a") as archive:
        archive.writestr("mail/1", MAIL)
    octets = packed.getvalue()[6:]
    assert [one.origin.member for one in urlglean.scan(octets)] == ["mail/1"] * 3
    packed.seek(6)
    assert len(list(urlglean.scan(packed))) == 3


def test_occurrences_name_their_source(box: Path) -> None:
    """`path` is the path as given, the name of the open file, or a dash.

    The message's number and headers are given too.
    """
    found = list(urlglean.scan(str(box)))
    assert [(one.to_dict()["path"], one.to_dict()["message"]) for one in found[:2]] == [(str(box), 1), (str(box), 2)]
    with box.open("rb") as file:
        assert next(urlglean.scan(file)).to_dict()["path"] == str(box)
    assert next(urlglean.scan(io.BytesIO(MBOX))).to_dict()["path"] == "-"
    row = next(urlglean.scan(MAIL)).to_dict()
    assert [row[name] for name in ("path", "message", "message_id", "field", "line")] == [
        "-",
        None,
        "1@b.example",
        "Subject",
        1,
    ]


def test_an_object_with_a_read_alone_will_do() -> None:
    """Some libraries return such objects."""

    class Fetched:
        def __init__(self) -> None:
            self._held = io.BytesIO(MBOX)

        def read(self, size: int = -1) -> bytes:
            return self._held.read(size)

    assert urls(urlglean.scan(Fetched())) == ALL


def test_options_are_those_of_extract() -> None:
    """`scan` has them too, and `least`."""
    text = b"www.a.example doi:10.1/x <URL:http://:y/> http://a.example/b|c <URL:http://b.example/c\nd>\n"

    def found(**options: Any) -> list[str]:
        return urls(urlglean.scan(text, **options))

    def extracted(**options: Any) -> list[str]:
        return [one.url for one in urlglean.extract(text, **options)]

    asked: list[dict[str, Any]] = [
        {},
        {"invalid": True},
        {"strict": True},
        {"schemes": ["doi"]},
        {"bare_hosts": True},
        {"joins": "never"},
        {"dialect": "web", "invalid": True},
    ]
    for options in asked:
        assert found(**options) == extracted(**options)
        assert (found(**options) == found()) == (not options), options
    confidences = sorted(one.confidence for one in urlglean.extract(text))
    assert len(found(least=confidences[-1] - 0.0001)) < len(found())


def test_a_source_is_read_lazily() -> None:
    """A stream that never ends gives its first URLs; nothing is read before the first is asked for."""

    class Endless(io.RawIOBase):
        count = 0

        def readable(self) -> bool:
            return True

        def readinto(self, buffer: Any) -> int:
            block = (MBOX * (len(buffer) // len(MBOX) + 1))[: len(buffer)]
            buffer[:] = block
            self.count += len(block)
            return len(block)

    stream = Endless()
    found = urlglean.scan(stream)
    assert stream.count == 0
    assert [next(found).finding.url for _ in range(3)] == ALL[:3]
    assert stream.count < 1 << 23


def test_paths_are_taken_lazily(box: Path) -> None:
    """A generator of paths is not exhausted ahead."""
    paths = iter([box, box])
    found = urlglean.scan(paths)
    next(found)
    assert next(paths) == box
    assert len(list(found)) == 199


def test_troubles_go_to_on_trouble_or_become_warnings(tmp_path: Path) -> None:
    """`on_trouble` gets them in order, and the rest is read.

    Without it, each is a warning that names the caller's line.
    """
    (tmp_path / "torn").write_bytes(TORN)
    (tmp_path / "z.txt").write_bytes(b"http://z.example/")
    paths = [tmp_path / "none", tmp_path / "torn", tmp_path / "z.txt"]
    told: list[Trouble] = []
    found = urls(urlglean.scan(paths, on_trouble=told.append))
    assert found[-1] == "http://z.example/"
    assert [Path(trouble.path).name for trouble in told] == ["none", *["torn"] * (len(told) - 1)]
    assert len(told) >= 2
    with pytest.warns(urlglean.UnreadableWarning) as warned:
        assert urls(urlglean.scan(paths)) == found
    assert [str(warning.message) for warning in warned] == [f"{each.path}: {each.cause}" for each in told]
    assert {warning.filename for warning in warned} == {__file__}


def test_a_warning_holds_nothing_that_a_terminal_obeys(tmp_path: Path) -> None:
    """File names may come from strangers."""
    with pytest.warns(urlglean.UnreadableWarning) as warned:
        assert not list(urlglean.scan(tmp_path / "\x1b[31m"))
    assert str(warned[0].message).isprintable()


@pytest.mark.parametrize(
    ("source", "options", "error"),
    [
        (1, {}, TypeError),
        (None, {}, TypeError),
        (io.StringIO("http://a.example/"), {}, TypeError),
        ("x", {"dialect": "rfc0"}, urlglean.UnknownNameError),
        ("x", {"joins": "always"}, urlglean.UnknownNameError),
        ("x", {"schemes": ["a b"]}, urlglean.SchemeNameError),
        ("x", {"schemes": "doi"}, TypeError),
        ("x", {"least": 2}, urlglean.OutOfRangeError),
        ("x", {"on_trouble": "print"}, TypeError),
    ],
)
def test_wrong_arguments_raise_at_the_call(source: Any, options: dict[str, Any], error: type[Exception]) -> None:
    """They do not wait until the first URL is asked for."""
    with pytest.raises(error):
        urlglean.scan(source, **options)


@pytest.mark.parametrize(
    ("options", "told"),
    [
        ({"least": "0.5"}, "least must be a number, not str"),
        ({"least": None}, "least must be a number, not NoneType"),
        ({"schemes": 5}, "schemes must be several str, not 5"),
        ({"schemes": None}, "schemes must be several str, not None"),
        ({"schemes": [b"doi"]}, "schemes must be several str"),
        ({"schemes": [[]]}, "schemes must be several str"),
        ({"invalid": "no"}, "invalid must be True or False, not 'no'"),
        ({"strict": []}, r"strict must be True or False, not \[\]"),
        ({"bare_hosts": None}, "bare_hosts must be True or False, not None"),
        ({"wanted": {}}, "wanted must be urlglean.Wanted, not dict"),
        ({"wanted": []}, "wanted must be urlglean.Wanted, not list"),
    ],
)
def test_an_option_of_a_wrong_type_is_named(options: dict[str, Any], told: str) -> None:
    """Before anything is read, by whatever function takes it."""
    calls: list[tuple[Any, Any]] = [(urlglean.scan, "x"), (urlglean.extract_message, b"")]
    if not {*options} & {"least", "wanted"}:
        calls += [(urlglean.extract, "x"), (urlglean.extract_many, ["x"])]
    for function, source in calls:
        with pytest.raises(TypeError, match=f"^{told}"):
            function(source, **options)


@pytest.mark.parametrize("name", [None, 1, [], b"current"])
def test_what_is_no_name_is_an_unknown_one(name: Any) -> None:
    """Even if it has no hash."""
    parts = urlglean.validate("http://a.example/").parts
    for call in (
        lambda: urlglean.scan("x", dialect=name),
        lambda: urlglean.scan("x", joins=name),
        lambda: urlglean.extract("x", name),
        lambda: urlglean.extract("x", joins=name),
        lambda: urlglean.extract("x", flowed=name),
        lambda: urlglean.extract_many(["x"], name),
        lambda: urlglean.validate("http://a.example/", name),
        lambda: urlglean.unsplit(parts, name),  # type: ignore[arg-type]
    ):
        with pytest.raises(urlglean.UnknownNameError, match="there are: "):
            call()


def test_what_is_equal_to_true_or_false_is_a_flag() -> None:
    """Whether the same call was made with it or with a bool before."""
    for flag in (1, True, 1.0):
        assert urlglean.extract("www.a.example", bare_hosts=flag)  # type: ignore[arg-type]


def test_only_parts_are_put_together() -> None:
    """A URL that is not valid has none."""
    with pytest.raises(TypeError, match=r"parts must be urlglean\.Parts, not NoneType"):
        urlglean.unsplit(urlglean.validate("no URL").parts)  # type: ignore[arg-type]


def test_a_value_that_is_no_path_raises_when_it_is_reached(box: Path) -> None:
    """Octets among paths raise too, because they could be a path or a text."""
    found = urlglean.scan([box, b"http://a.example/"])
    assert next(found).finding.url == ALL[0]
    with pytest.raises(TypeError, match="bytes"):
        list(found)


def test_a_message_gives_the_urls_of_its_fields_and_parts() -> None:
    """The texts are decoded, and each occurrence names its part or field."""
    found = urlglean.extract_message(MAIL)
    assert [(one.finding.url, one.part.part, one.part.field) for one in found] == [
        ("http://a.example/0", None, "Subject"),
        ("http://a.example/long/er", "1", None),
        ("http://a.example/2", "2", "a@href"),
    ]
    assert found == list(urlglean.scan(MAIL))
    assert found == urlglean.extract_message(bytearray(MAIL)) == urlglean.extract_message(memoryview(MAIL))


def test_a_message_is_never_taken_for_a_mailbox() -> None:
    """Lines that separate messages in a mailbox are lines of its text."""
    octets = b"Subject: x\n\n\nFrom x Mon Jan  1 00:00:00 2001\nTo: y\n\nhttp://a.example/1\n\n" + MBOX
    assert {one.to_dict()["message"] for one in urlglean.extract_message(octets)} == {None}
    assert {one.to_dict()["message"] for one in urlglean.extract_message(MBOX)} == {None}
    assert urls(urlglean.extract_message(octets)) == ["http://a.example/1", *ALL]
    assert urlglean.extract_message(b"") == []


def test_any_octets_are_read_as_a_message() -> None:
    """The caller says that they are a message, so nothing raises."""
    for octets in (b"\0\1\2", b"http://a.example/", bytes(range(256)) * 9, TORN):
        urlglean.extract_message(octets, on_trouble=lambda _trouble: None)


def test_the_troubles_of_a_message_are_reported() -> None:
    """`extract_message` reports them as `scan` does."""
    told: list[Trouble] = []
    found = urlglean.extract_message(TORN, on_trouble=told.append)
    assert told
    with pytest.warns(urlglean.UnreadableWarning) as warned:
        assert urlglean.extract_message(TORN) == found
    assert [warning.filename for warning in warned] == [__file__] * len(told)


@pytest.mark.parametrize(
    ("octets", "options", "error"),
    [
        ("Subject: x\n\n", {}, TypeError),
        (None, {}, TypeError),
        (b"", {"dialect": "rfc0"}, urlglean.UnknownNameError),
        (b"", {"least": -1}, urlglean.OutOfRangeError),
        (b"", {"on_trouble": 1}, TypeError),
    ],
)
def test_a_message_is_octets(octets: Any, options: dict[str, Any], error: type[Exception]) -> None:
    """A str raises, because its charset is no longer known."""
    with pytest.raises(error):
        urlglean.extract_message(octets, **options)


def test_the_readers_of_mail_are_imported_when_they_are_asked_for() -> None:
    """A program that only extracts does not pay for their import, but their names are listed."""
    code = (
        "import sys, urlglean; assert 'urlglean.mail' not in sys.modules\n"
        "assert {'scan', 'extract_message'} <= set(dir(urlglean))\n"
        "from urlglean import *; assert list(scan(b'http://a.example/')) and 'urlglean.mail' in sys.modules\n"
        "assert urlglean.scan is scan\n"
    )
    subprocess.run([sys.executable, "-c", code], check=True)
    with pytest.raises(AttributeError, match="scann"):
        urlglean.scann  # type: ignore[attr-defined]  # noqa: B018


def test_urls_before_an_unexpected_error_of_a_file_are_kept() -> None:
    """A broken connection may raise any exception of its library."""

    class Broken:
        def __init__(self) -> None:
            self.blocks = [b"From a@b Mon Jan  1 00:00:00 2001\nSubject: x\n\nhttp://a.example/\n\n" * 3000]

        def read(self, size: int) -> bytes:
            if not size:
                return b""
            if not self.blocks:
                raise RuntimeError("cut off")
            return self.blocks.pop()

    troubles: list[urlglean.Trouble] = []
    assert len(list(urlglean.scan(Broken(), on_trouble=troubles.append))) == 3000
    (trouble,) = troubles
    assert "cut off" in trouble.cause


def test_a_memoryview_with_gaps_is_read() -> None:
    """A view of every other octet counts as octets too."""
    doubled = memoryview(b"".join(bytes((octet, 0)) for octet in b"see http://a.example/ now"))[::2]
    assert [one.finding.url for one in urlglean.scan(doubled)] == ["http://a.example/"]


@pytest.mark.parametrize("size", [1, 7, 4096])
def test_octets_may_come_in_pieces(size: int) -> None:
    """A generator of pieces is read as a file is; empty pieces are not its end."""
    pieces = [MBOX[at : at + size] for at in range(0, len(MBOX), size)]
    found = list(urlglean.scan(piece for pair in pieces for piece in (b"", bytearray(pair))))
    assert found == list(urlglean.scan(MBOX))
    assert len(found) == 200
    assert list(urlglean.scan(iter([]))) == []


def test_a_piece_that_is_no_octets_is_a_trouble() -> None:
    """What came before it is read."""
    troubles: list[Trouble] = []
    found = urlglean.scan([b"see http://a.example/1 \n", "text"], on_trouble=troubles.append)
    assert urls(found) == ["http://a.example/1"]
    (trouble,) = troubles
    assert trouble.cause.endswith(": a piece must be bytes, not str")
