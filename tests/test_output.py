"""Rows in every format: their values, and that no text breaks them."""

import json
from types import ModuleType

import msgspec
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from occurrences import ANY_TEXT, occurrence
from urlglean.columns import COLUMNS
from urlglean.occurrence import Occurrence
from urlglean.output import FORMATS, jsonl, text, urls
from urlglean.records import (
    Dialect,
    Envelope,
    Problem,
    Span,
    Trouble,
    Verdict,
)
from urlglean.text.finding import Finding
from urlglean.text.judge import GrammarJudge, validate
from urlglean.url_parts import Parts

KEYS = [
    "url",
    "scheme",
    "host",
    "wrapper",
    "certainty",
    "confidence",
    "valid",
    "rivals",
    "problems",
    "cautions",
    "start",
    "end",
    "line",
    "path",
    "member",
    "offset",
    "message",
    "message_id",
    "date",
    "sender",
    "subject",
    "newsgroups",
    "part",
    "field",
    "label",
]

PROBLEM = Problem("bad-port", Span(12, 13), "RFC 1738 5 port", "a port is digits")


def line_of(form: ModuleType, made: Occurrence) -> bytes:
    """The line that a part with one occurrence gives."""
    (line,) = form.lines([made])
    assert isinstance(line, bytes)
    return line


def test_columns_are_those_of_the_design_in_its_order() -> None:
    """Users rely on names and order."""
    assert [column.name for column in COLUMNS] == KEYS
    assert list(occurrence().to_dict()) == KEYS


def test_values_have_the_type_that_their_column_declares() -> None:
    """A database makes its columns from the declared types."""
    types = {
        "text": str,
        "integer": int,
        "number": float,
        "boolean": bool,
        "time": str,
        "texts": list,
        "problems": list,
    }
    envelope = Envelope("<a@b>", "1994-12-01T00:00:00Z", "a@b", "s", ("comp.os", "comp.lang"))
    full = occurrence(member="m", message=7, envelope=envelope, field="subject", rivals=("http://h/",)).to_dict()
    for column in COLUMNS:
        if column.name not in {"part", "label"}:
            assert type(full[column.name]) is types[column.type], column.name


HOSTS = [
    "a.example",
    "A.b-c.org",
    "xn--a.example",
    "a--b.example",
    "1.2.3.4",
    "0x7f.1",
    "localhost",
    "b\u00e9.example",
    "a.b.1c",
]
AROUND = [
    "",
    "u@",
    "u:p@",
    "u.example@",
    ":80",
    ":81",
    "/",
    "/a?b#c",
    "/%0d",
    "/%E2%80%8F",
    "/\u202e",
    "/a:1@b",
    "?q",
    "#f",
]


@example("https", "", "a.example", "/", "rfc1738")
@example("https", "", "a.example", "/", "early")
@example("https", "", "a.example", "/", "current")
@given(
    st.sampled_from(["http", "https", "ftp", "HTTP", "x-http", "gopher", "news", "wais"]),
    st.sampled_from([*AROUND[:4]]),
    st.sampled_from(HOSTS),
    st.lists(st.sampled_from(AROUND[4:]), max_size=3).map("".join),
    st.sampled_from(["current", "rfc1738", "early"]),
)
def test_rows_of_plain_urls_agree_with_the_judge(
    scheme: str, user: str, host: str, rest: str, dialect: Dialect
) -> None:
    """Scheme, host and cautions of a valid URL are the same, whether the judge was asked for them or not."""
    url, span = f"{scheme}://{user}{host}{rest}", Span(0, 1)
    verdict = validate(url, dialect)
    finding = Finding(url, span, "bare", (span,), (), (), "plain", 0.5, verdict.valid, verdict.problems, dialect)
    told = finding.to_dict()
    host_told = verdict.parts.host if verdict.parts else None
    assert (told["scheme"], told["host"], told["cautions"]) == (
        verdict.scheme and verdict.scheme.lower(),
        host_told,
        [*verdict.cautions],
    )


@pytest.mark.parametrize("url", ["http://a.example", "http://A.b-c.org/a?b#c", "ftp://ftp.example.org/pub/a:1@b"])
def test_rows_of_plain_urls_do_not_need_the_judge(url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """The values of the commonest URLs can be seen from the URLs themselves."""
    monkeypatch.setattr(GrammarJudge, "__call__", None)
    span = Span(0, len(url))
    finding = Finding(url, span, "bare", (span,), (), (), "plain", 0.5, valid=True, problems=(), dialect="current")
    assert finding.to_dict()["host"] == url.split("/")[2]


def test_rows_of_a_part_are_those_of_each_occurrence() -> None:
    """The half that all rows of a part share is rendered once, and is in each of them."""
    first, second = occurrence("http://a/", field="subject"), occurrence("http://b/", rivals=("http://c/",))
    same = msgspec.structs.replace(second, part=first.part, envelope=first.envelope, origin=first.origin)
    elsewhere = msgspec.structs.replace(same, origin=occurrence(path="other").origin)
    beside = msgspec.structs.replace(second, envelope=first.envelope, origin=first.origin)
    made = [first, same, beside, elsewhere, second, first]
    for form in FORMATS.values():
        assert form.lines(made) == [line for each in made for line in form.lines([each])]


def test_a_json_line_holds_every_key_and_null_for_what_is_absent() -> None:
    """A reader may rely on each key without testing for it."""
    envelope = Envelope(newsgroups=("comp.os", "comp.lang"))
    read = json.loads(line_of(jsonl, occurrence("http://host:23/", path="spool", message=7, envelope=envelope)))
    assert read == dict.fromkeys(KEYS) | {
        "url": "http://host:23/",
        "scheme": "http",
        "host": "host",
        "wrapper": "bare",
        "certainty": "plain",
        "confidence": 0.5,
        "valid": True,
        "rivals": [],
        "problems": [],
        "cautions": ["odd-low-port"],
        "start": 20,
        "end": 35,
        "line": 3,
        "path": "spool",
        "offset": 0,
        "message": 7,
        "newsgroups": ["comp.os", "comp.lang"],
    }


def test_the_row_of_a_rejected_candidate_has_its_problems() -> None:
    """It has no parts, but says where which rule was broken."""
    read = json.loads(line_of(jsonl, occurrence("http://host:x/", problems=(PROBLEM,))))
    assert (read["valid"], read["host"]) == (False, None)
    assert read["problems"] == [
        {"code": "bad-port", "start": 12, "end": 13, "rule": "RFC 1738 5 port", "message": "a port is digits"}
    ]


@given(ANY_TEXT, ANY_TEXT, st.lists(ANY_TEXT, max_size=3))
def test_any_text_comes_back_from_a_json_line(url: str, path: str, rivals: list[str]) -> None:
    """A lone surrogate becomes one U+FFFD, so that offsets stay right; all other text is unchanged."""

    def whole(given_text: str) -> str:
        return "".join("\ufffd" if 0xD800 <= ord(char) <= 0xDFFF else char for char in given_text)

    line = line_of(jsonl, occurrence(url, path=path, rivals=tuple(rivals)))
    assert line.count(b"\n") == 1
    read = json.loads(line.decode("utf-8"))
    assert (read["url"], read["path"], read["rivals"]) == (whole(url), whole(path), [whole(rival) for rival in rivals])


def test_surrogates_that_happen_to_pair_stay_two_characters() -> None:
    """Two lone surrogates are two code points of the text, although UTF-16 would combine them."""
    assert json.loads(line_of(jsonl, occurrence("\ud83d\ude00")))["url"] == "\ufffd\ufffd"


def test_a_verdict_tells_an_empty_part_from_an_absent_one() -> None:
    """RFC 1738 3.1: an empty user name differs from an absent one."""
    verdict = Verdict(
        valid=True,
        scheme="ftp",
        parts=Parts(scheme="ftp", user="", host="h"),
        problems=(),
        cautions=("password-in-url",),
    )
    read = json.loads(jsonl.verdict_line("ftp://@h", verdict))
    assert list(read) == ["url", "scheme", "valid", "problems", "cautions", "parts", "href"]
    assert (read["parts"]["user"], read["parts"]["password"]) == ("", None)


@pytest.mark.parametrize(
    ("made", "line"),
    [
        (occurrence(), "inbox.mbox:3: http://host/"),
        (occurrence(message=7), "inbox.mbox[7]:3: http://host/"),
        (occurrence(path="o.zip", member="a/b", message=1), "o.zip!a/b[1]:3: http://host/"),
        (
            occurrence("http://host/a-b", certainty="inferred", rivals=("http://host/ab", "http://host/a-")),
            "inbox.mbox:3: http://host/a-b  (inferred, 0.500; or http://host/ab; or http://host/a-)",
        ),
        (occurrence(field="subject"), "inbox.mbox:3: http://host/  (in subject)"),
        (
            occurrence("http://host:x/", problems=(PROBLEM, PROBLEM)),
            "inbox.mbox:3: http://host:x/  (not valid: bad-port)",
        ),
    ],
)
def test_a_line_for_people(made: Occurrence, line: str) -> None:
    """It has place and URL as grep prints them, then the doubts in brackets."""
    assert line_of(text, made) == f"{line}\n".encode()


@pytest.mark.parametrize(
    ("url", "line"),
    [
        ("http://a.example/b?c=d&e#f", "http://a.example/b?c=d&e#f"),
        ("http://例え.example/é", "http://例え.example/é"),
        ("http://a.example/b c", "http://a.example/b%20c"),
        ("http://a.example/\r\n\x1b[31m\x9b", "http://a.example/%0D%0A%1B[31m%C2%9B"),
        ("http://a.example/\u202e\u2028\u00a0", "http://a.example/%E2%80%AE%E2%80%A8%C2%A0"),
        ("http://a.example/\u034f\u3164", "http://a.example/%CD%8F%E3%85%A4"),
        ("http://a.example/\udcff\ud800", "http://a.example/%FF%EF%BF%BD"),
        ("", ""),
    ],
)
def test_a_line_with_the_url_alone(url: str, line: str) -> None:
    """Characters that end or divide a line, or that a terminal obeys, are percent-encoded; the others are unchanged."""
    assert line_of(urls, occurrence(url, field="subject", rivals=("http://h/",))) == f"{line}\n".encode()


@given(ANY_TEXT)
def test_no_text_smuggles_a_blank_into_a_line_with_the_url_alone(url: str) -> None:
    """Any URL gives one printable word."""
    line = line_of(urls, occurrence(url)).decode("utf-8")
    assert line.endswith("\n")
    assert line[:-1].isprintable()
    assert line.split() == line[:-1].split(" ") == [line[:-1]] or line == "\n"


@pytest.mark.parametrize(
    ("hostile", "shown"),
    [
        ("\x1b[31m", r"\x1b[31m"),
        ("\x9b31m", r"\x9b31m"),
        ("a\rb\nc", r"a\rb\nc"),
        ("\u202etxt.exe", r"\u202etxt.exe"),
        ("\u2066\u200f\ufeff", r"\u2066\u200f\ufeff"),
        ("\udc80", r"\udc80"),
        ("a\u034fb\ufe0f", r"a\u034fb\ufe0f"),
        ("\u180b\u115f\u3164\uffa0\U000e0100", r"\u180b\u115f\u3164\uffa0\U000e0100"),
        ("漢 é e\u0301", "漢 é e\u0301"),
    ],
)
def test_what_a_terminal_would_obey_is_shown_as_an_escape(hostile: str, shown: str) -> None:
    """C0, C1, bidi controls, lone surrogates and invisible characters are escaped; letters of any script are not."""
    assert text.printable(hostile) == shown


@given(ANY_TEXT, ANY_TEXT, ANY_TEXT, ANY_TEXT)
def test_no_text_smuggles_a_control_into_a_line(url: str, path: str, rival: str, field: str) -> None:
    """One occurrence of any text gives one printable line of UTF-8."""
    line = line_of(text, occurrence(url, path=path, rivals=(rival,), field=field)).decode("utf-8")
    assert line.endswith("\n")
    assert line[:-1].isprintable()


def test_the_place_of_a_trouble_is_printable() -> None:
    """File names may come from strangers."""
    assert text.place(Trouble("a\x1b", "cause", "m\n", 2)) == r"a\x1b!m\n[2]"


def test_a_trouble_is_a_line_of_json() -> None:
    """It has place and cause, null for absent values, and each octet of the path."""
    line = jsonl.trouble_line(Trouble("a\udc80", 'torn "here"', message=3))
    assert line.endswith(b"\n")
    assert json.loads(line) == {"path": "a\udc80", "member": None, "message": 3, "cause": 'torn "here"'}
