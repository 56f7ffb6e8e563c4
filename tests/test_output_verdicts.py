"""The ruler: carets stand under what is wrong, whatever characters stand before it."""

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
    """The verdict on a URL that has these problems."""
    return Verdict(valid=False, scheme=None, parts=None, problems=problems, cautions=())


def ruled(url: str, start: int, end: int) -> tuple[str, str]:
    """The two lines that show one problem of `url` at `start:end`."""
    problem = Problem("code", Span(start, end), "RFC 1738 5 host", "no host")
    _, excerpt, ruler = lines(url, rejected(problem), "current")
    return excerpt, ruler


def test_a_valid_url_shows_its_parts_and_cautions() -> None:
    """Absent parts are not shown, empty ones are; cautions follow."""
    verdict = Verdict(
        valid=True,
        scheme="ftp",
        parts=Parts(scheme="ftp", user="", host="h"),
        problems=(),
        cautions=("password-in-url",),
    )
    assert [line.split() for line in lines("ftp://@h", verdict, "rfc1738")] == [
        ["ftp://@h:", "valid", "by", "rfc1738"],
        ["scheme", "ftp"],
        ["user"],
        ["host", "h"],
        ["caution", "password-in-url"],
    ]


def test_a_problem_is_ruled_under_its_span_with_its_rule() -> None:
    """Carets, the rule that was broken, and how."""
    assert ruled("http://host:8o/", 12, 14) == (
        "  http://host:8o/",
        "              ^^ RFC 1738 5 host: no host",
    )


@pytest.mark.parametrize(
    ("before", "columns"),
    [
        ("漢字", 4),  # two columns each
        ("ｆ", 2),  # full-width
        ("e\u0301", 1),  # a mark that combines takes none
        ("\x1b", 4),  # shown as \x1b
        ("\t", 2),  # shown as \t
        ("\u202e", 6),  # shown as \u202e
        ("\udc80", 6),  # shown as \udc80
        ("", 0),
    ],
)
def test_carets_stand_where_a_terminal_shows_the_span(before: str, columns: int) -> None:
    """The ruler counts columns of the terminal, not characters."""
    _, ruler = ruled(f"{before}X", len(before), len(before) + 1)
    assert ruler.index("^") == 2 + columns
    assert ruler.count("^") == 1


@pytest.mark.parametrize(("span", "carets"), [("漢", 2), ("\x1b", 4), ("ab", 2)])
def test_carets_are_as_wide_as_what_they_stand_under(span: str, carets: int) -> None:
    """A wide character and an escape have more than one caret."""
    assert ruled(f"h{span}t", 1, 1 + len(span))[1].count("^") == carets


@given(ASCII_URL, st.data())
def test_what_stands_over_the_carets_is_the_span(url: str, data: st.DataObject) -> None:
    """Wherever a problem lies, the text over the carets is what it is about; an empty span has one caret."""
    start = data.draw(st.integers(0, len(url)))
    end = data.draw(st.integers(start, len(url)))
    excerpt, ruler = ruled(url, start, end)
    first, last = ruler.index("^"), ruler.rindex("^") + 1
    assert last - first == max(end - start, 1)
    assert excerpt[first:last][: end - start] == url[start:end]


@pytest.mark.parametrize(("start", "end"), [(0, 1_000_000), (500_000, 500_001), (999_999, 1_000_000), (-5, 2_000_000)])
def test_a_long_url_is_shown_around_its_problem(start: int, end: int) -> None:
    """However long the URL or the span, even one past its end, the ruler fits a screen."""
    excerpt, ruler = ruled("x" * 1_000_000, start, end)
    assert len(excerpt) <= 130
    assert len(ruler) <= 160
    assert "^" in ruler


def test_each_problem_has_its_ruler() -> None:
    """Two problems, two rulers, in the order in which the judge gave them."""
    problems = (Problem("a", Span(0, 1), "R1", "first"), Problem("b", Span(1, 2), "R2", "second"))
    shown = list(lines("xy", rejected(*problems), "current"))
    assert shown == ["xy: not valid by current", "  xy", "  ^ R1: first", "  xy", "   ^ R2: second"]


def test_what_the_judge_quotes_does_not_reach_the_terminal() -> None:
    """A message may name the very character that is not allowed."""
    problem = Problem("code", Span(0, 1), "rule", "no \x1b here")
    shown = "".join(lines("\x1b", rejected(problem), "current"))
    assert shown.isprintable()
    assert shown.endswith(r"no \x1b here")


def test_colours_change_nothing_but_the_colours() -> None:
    """Painted lines without the paint are the plain ones, and each kind of thing is painted once it is there."""
    url = "http://u:p@h.example:22/"
    seen: list[str] = []

    def paint(text: str, what: str) -> str:
        seen.append(what)
        return f"<{what}>{text}</{what}>"

    for judged, dialect in ((validate(url), "current"), (validate(url, "rfc1738"), "rfc1738")):
        painted = "\n".join(lines(url, judged, dialect, paint))
        assert re.sub(r"</?(?:valid|invalid|ruler|caution)>", "", painted) == "\n".join(lines(url, judged, dialect))
    assert set(seen) == {"valid", "invalid", "ruler", "caution"}
