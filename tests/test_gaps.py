"""The gaps of a candidate, and the rule that applies to each."""

from __future__ import annotations

import pytest

from urlglean import extract
from urlglean.records import JoinRule, Span
from urlglean.text.gaps import GAP_RULES, LONGEST_ENCODED_LINE, Gap, has_quoted_printable, line_gap

FULL = "a" * (LONGEST_ENCODED_LINE - 1) + "=\n"


@pytest.mark.parametrize(
    ("text", "is_encoded"),
    [
        ("Br=C3=B6tchen", True),
        ("a =3D b", True),
        (FULL, False),
        (FULL + "a=\n", True),
        ("a=\n" * 2, False),
        ("a = b\n", False),
    ],
)
def test_quoted_printable_is_recognised_by_escapes_or_full_lines(text: str, *, is_encoded: bool) -> None:
    """RFC 2045 6.7: a single full line may end in an equals sign by chance."""
    assert has_quoted_printable(text) == is_encoded


@pytest.mark.parametrize(
    ("text", "wrap", "is_soft"),
    [
        ("?a=\nb =3D", None, True),
        ("?a=\nb =3D", JoinRule.HARD_WRAP, False),
        ("?ab\nb =3D", None, False),
        ("?a=\nb = c", None, False),
        ("?ab\nb = c", JoinRule.SOFT_BREAK, True),
    ],
)
def test_a_soft_break_is_an_equals_sign_in_encoded_text(text: str, wrap: JoinRule | None, *, is_soft: bool) -> None:
    """This holds if no other rule has decided how the URL goes on."""
    assert line_gap(text, 3, 4, 4, wrap).soft == is_soft


@pytest.mark.parametrize(
    ("before", "line_break", "wrap", "rule", "doubtful"),
    [
        ("-", True, None, JoinRule.HYPHEN_KEPT, JoinRule.HYPHEN_DROPPED),
        ("-", False, None, JoinRule.WHITESPACE, None),
        ("=", True, None, JoinRule.WHITESPACE, JoinRule.SOFT_BREAK),
        ("=", False, None, JoinRule.WHITESPACE, None),
        ("=", True, JoinRule.HARD_WRAP, JoinRule.HARD_WRAP, None),
        ("=", True, JoinRule.FLOWED, JoinRule.FLOWED, None),
        ("a", True, JoinRule.FLOWED, JoinRule.FLOWED, None),
        ("a", True, None, JoinRule.WHITESPACE, None),
    ],
)
def test_the_first_row_that_holds_names_a_gap(
    before: str, wrap: JoinRule | None, rule: JoinRule, doubtful: JoinRule | None, *, line_break: bool
) -> None:
    """The sign before a gap is doubtful only at a line end, and an equals sign only inside a wrapper."""
    gap = Gap(Span(3, 4), before, line_break, wrap=wrap)
    row = next(row for row in GAP_RULES if row.holds(gap))
    assert (row.rule, row.doubtful) == (rule, doubtful)


def test_a_value_at_a_line_end_is_no_escape() -> None:
    """So the last "=" of a URL below is its own. Another "=" in it, or an empty line, shows the same."""
    listed, unsubscribe = "http://a.example/?page=20", "http://b.example/?qs=3f9a0c"
    assert [found.url for found in extract(f"{listed}\n\n{unsubscribe}=\n\n")] == [listed, f"{unsubscribe}="]
    assert has_quoted_printable("really?=20\nand")
    assert has_quoted_printable("&nbsp;=20\nand")
    assert [found.url for found in extract(f"caf=C3=A9\n{unsubscribe}==\n\n")] == [f"{unsubscribe}=="]
    assert [found.url for found in extract(f"caf=C3=A9\n{unsubscribe}=\n\n")] == [f"{unsubscribe}="]
