"""The extensions of files' names."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from urlglean.text.file_extension import LONGEST, NAMES, ends_in_one, goes_through_one


@given(st.sampled_from([*NAMES, "HTML", "Z"]))
def test_none_is_longer_than_the_longest(name: str) -> None:
    """Of longer ones the dot would not be seen before the break."""
    assert len(f".{name}") <= LONGEST


@given(st.sampled_from([*NAMES, "HTML", "Z"]), st.integers(0, LONGEST), st.sampled_from(["", ".tar", "/b.c"]))
def test_a_break_anywhere_in_one_goes_through_it(name: str, at: int, before: str) -> None:
    """Behind its dot and before its last character, whatever stands before it."""
    url, rest = f"http://a.example/b{before}." + name[:at], name[at:]
    assert goes_through_one(url, rest) == (at < len(name))
    assert ends_in_one(url + rest)


@pytest.mark.parametrize(
    ("url", "token"), [("a.html", "and"), ("a.ht", "mlx"), ("a", ".html"), ("a.b/c", "html"), ("", "z")]
)
def test_others_go_through_none(url: str, token: str) -> None:
    """Whole before the break, whole behind it, or none at all."""
    assert not goes_through_one(url, token)
