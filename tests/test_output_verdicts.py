"""The ruler: carets are under the place of a problem, whatever characters precede it."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from urlglean.output.verdicts import lines
from urlglean.records import Problem, Span, Verdict
from urlglean.text.judge import validate
from urlglean.url_parts import Parts

ASCII_URL = st.text(st.characters(min_codepoint=0x21, max_codepoint=0x7E), min_size=1, max_size=60)


def rejected(*problems: Problem) -> Verdict:
    """The verdict on a URL with these problems."""
    return Verdict(valid=False, scheme=None, parts=None, problems=problems, cautions=())


def ruled(url: str, start: int, end: int) -> tuple[str, str]:
    """The two lines that show one problem of `url` at `start:end`."""
    problem = Problem("code", Span(start, end), "RFC 1738 5 host", "no host")
    _, excerpt, ruler = lines(url, rejected(problem), "current")
    return excerpt, ruler


def test_a_valid_url_shows_its_parts_and_cautions() -> None:
    """Absent parts are not shown, empty ones are. The URL as a browser writes it and cautions follow the parts."""
    verdict = Verdict(
        valid=True,
        scheme="ftp",
        parts=Parts(scheme="ftp", user="", host="h"),
        problems=(),
        cautions=("password",),
        href="ftp://h/",
    )
    assert [line.split(maxsplit=1) for line in lines("ftp://@h", verdict, "web")] == [
        ["ftp://@h:", "valid by web"],
        ["scheme", "ftp"],
        ["user"],
        ["host", "h"],
        ["href", "ftp://h/"],
        ["caution", "password: a password stands in the URL for all to read"],
    ]


def test_a_problem_is_ruled_under_its_span_with_its_rule() -> None:
    """The line has the carets, the broken rule, and the message."""
    assert ruled("http://host:8o/", 12, 14) == (
        "  http://host:8o/",
        "              ^^ RFC 1738 5 host: no host",
    )


@pytest.mark.parametrize(
    ("before", "columns"),
    [
        ("漢字", 4),  # two columns each
        ("ｆ", 2),  # full-width
        ("e\u0301", 1),  # a combining mark has no column
        ("\x1b", 4),  # shown as \x1b
        ("\t", 2),  # shown as \t
        ("\u202e", 6),  # shown as \u202e
        ("\udc80", 6),  # shown as \udc80
        ("", 0),
    ],
)
def test_carets_stand_where_a_terminal_shows_the_span(before: str, columns: int) -> None:
    """The ruler counts the columns of a terminal, not characters."""
    _, ruler = ruled(f"{before}X", len(before), len(before) + 1)
    assert ruler.index("^") == 2 + columns
    assert ruler.count("^") == 1


@pytest.mark.parametrize(("span", "carets"), [("漢", 2), ("\x1b", 4), ("ab", 2)])
def test_carets_are_as_wide_as_the_characters_above(span: str, carets: int) -> None:
    """A wide character and an escape have more than one caret."""
    assert ruled(f"h{span}t", 1, 1 + len(span))[1].count("^") == carets


@given(ASCII_URL, st.data())
def test_the_text_above_the_carets_is_the_span(url: str, data: st.DataObject) -> None:
    """This holds for any place of the problem; an empty span has one caret."""
    start = data.draw(st.integers(0, len(url)))
    end = data.draw(st.integers(start, len(url)))
    excerpt, ruler = ruled(url, start, end)
    first, last = ruler.index("^"), ruler.rindex("^") + 1
    assert last - first == max(end - start, 1)
    assert excerpt[first:last][: end - start] == url[start:end]


@pytest.mark.parametrize(("start", "end"), [(0, 1_000_000), (500_000, 500_001), (999_999, 1_000_000), (-5, 2_000_000)])
def test_a_long_url_is_shown_around_its_problem(start: int, end: int) -> None:
    """The ruler fits a screen for any length of the URL and the span, even if the span is at the end of the URL."""
    excerpt, ruler = ruled("x" * 1_000_000, start, end)
    assert len(excerpt) <= 130
    assert len(ruler) <= 160
    assert "^" in ruler
    assert excerpt.lstrip().startswith("…") == (start > 0)
    assert excerpt.endswith("…") == (start < 999_000)


def test_each_problem_has_its_ruler() -> None:
    """Two problems have two rulers, in the order of the verdict."""
    problems = (Problem("a", Span(0, 1), "R1", "first"), Problem("b", Span(1, 2), "R2", "second"))
    shown = list(lines("xy", rejected(*problems), "current"))
    assert shown == ["xy: not valid by current", "  xy", "  ^ R1: first", "  xy", "   ^ R2: second"]


def test_characters_in_messages_are_escaped() -> None:
    """A message may quote the character that is not allowed."""
    problem = Problem("code", Span(0, 1), "rule", "no \x1b here")
    shown = "".join(lines("\x1b", rejected(problem), "current"))
    assert shown.isprintable()
    assert shown.endswith(r"no \x1b here")


def test_colours_change_nothing_but_the_colours() -> None:
    """Without colours the lines are the plain ones, and each kind of text has its colour."""
    url = "http://u:p@h.example:22/"
    seen: list[str] = []

    def paint(text: str, what: str) -> str:
        seen.append(what)
        return f"<{what}>{text}</{what}>"

    for judged, dialect in ((validate(url), "current"), (validate(url, "rfc1738"), "rfc1738")):
        painted = "\n".join(lines(url, judged, dialect, paint))
        assert re.sub(r"</?(?:valid|invalid|ruler|caution)>", "", painted) == "\n".join(lines(url, judged, dialect))
    assert set(seen) == {"valid", "invalid", "ruler", "caution"}
