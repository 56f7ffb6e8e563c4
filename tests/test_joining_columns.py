"""Lines are measured in columns, by which programs wrap them."""

from __future__ import annotations

import pytest

from urlglean import extract
from urlglean.text.joining.columns import WIDEST, columns, has_wide


@pytest.mark.parametrize(
    ("line", "width"),
    [
        *(("abc", 3), ("\tabc", 11), ("a\tb", 9), ("日本語", 6), ("ab日", 4), ("Ａ", 2), ("ｱ", 1), ("é", 1)),
        *(("한글 ab", 7), ("日" * 50, 100), ("日" * 51, 51), ("a" * (WIDEST + 1), WIDEST + 1)),
    ],
)
def test_the_columns_of_a_line(line: str, width: int) -> None:
    """UAX 11: wide characters take two. A line of too many columns was wrapped by code points, or not at all."""
    assert columns(line) == width
    assert has_wide(line) == any(sign in line for sign in "日한Ａ")


TEXT = (
    "この窯は村の広場にあり、毎週土曜日の朝に火を入れます。パンを焼きたい人は前の日までに予約してください。"
    "薪は各自が持ってくることになっています。"
)


def wrapped(text: str, width: int) -> str:
    """The text in lines of so many columns, broken anywhere, as by programs for Japanese."""
    lines = [""]
    for sign in text:
        if columns(lines[-1] + sign) > width:
            lines.append("")
        lines[-1] += sign
    return "\n".join(lines)


@pytest.mark.parametrize(
    ("width", "begin"), [(66, 14), (66, 17), (66, 19), (68, 15), (68, 18), (68, 20), (68, 22), (70, 16)]
)
def test_a_url_that_is_cut_in_a_full_line_of_wide_characters_goes_on(width: int, begin: int) -> None:
    """The line is full, though it has few code points; so are the others."""
    url = "http://www.example.org/oven/reservationofthenextweeksinthevillage"
    text = wrapped(f"{TEXT[:begin]} {url} {TEXT * 2}", width)
    assert url not in text
    assert extract(text)[0].url == url
