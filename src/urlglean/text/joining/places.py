"""Finds where a URL stands at the end of a line, and the line in which it may go on."""

from __future__ import annotations

import re

from msgspec import Struct
from msgspec.structs import replace

from urlglean.expressions import compiled
from urlglean.text.line_lengths import SHORT
from urlglean.text.quote_prefix import (
    BREAK,
    DEEPER,
    MARGIN_BLANK,
    PREFIX,
    Margin,
    behind_margin,
    depth_of,
    line_start,
    margin_at,
)
from urlglean.text.scheme_triggers import OPAQUE, SCHEME, is_cut_before_host, is_cut_within_inner

# Behind a margin: the token, the rest of its line, and the line below. Mail programs that turn HTML into text put a
# link's address in angle brackets right behind its text.
_TEXT = rf"{MARGIN_BLANK}*+{DEEPER}((?:[^\s<]|<(?![A-Za-z/]))*+)([^\r\n]*+){BREAK}?+([^\r\n]*+)"
_BEHIND_MARGIN = compiled(f"(){_TEXT}")
# The same from the end of the line before, with the beginning of the line.
_NEXT_BEGINS = compiled(rf"[ \t]*+{BREAK}")
_NEXT = compiled(rf"[ \t]*+{BREAK}(){_TEXT}")
# A magnet link that is broken before its topic.
_WITHOUT_TOPIC = r"magnet:\?(?:[^\s?]*&)?xt(?:\.[0-9]{1,3})?=\Z"
_NO_TOPIC = compiled(_WITHOUT_TOPIC, re.IGNORECASE)
# A line in which no URL goes on: it holds only the signs of a margin, or begins with another URL (or a list item). All
# that begins a URL here holds one of two signs; most lines begin with a word, which has neither.
_NOTHING_OF_URL = compiled(
    rf"{PREFIX}(?:\Z|(?=[^:.]*+[:.])(?:[0-9]{{1,3}}[.):]|[\[(][A-Za-z0-9]{{1,3}}[\])])?[^A-Za-z0-9/?&=%]{{0,6}}"
    rf"(?:(?:url:)?{SCHEME}://|doi:|{OPAQUE}|{_WITHOUT_TOPIC}|www[0-9]?\.[a-z0-9]))",
    re.IGNORECASE,
)
# Up to three lines of quote marks alone; the group is the last of them.
_EMPTY_QUOTES = compiled(rf"(?:[ \t]*+{BREAK}([ \t]*+>[ \t>]*+)(?={BREAK})){{1,3}}+")
# A sign that most words lack, and a letter, and no colon at the end.
_LIKE_A_PIECE = compiled(r"[\w%/?&=-](?=.*[0-9%@/&=])(?=.*[A-Za-z]).*[^:]\Z")
SIGNS_OF_SEARCH = frozenset("-=&%")
"""Signs behind which programs cut a search, and no search ends."""

# Escapes of signs and of letters outside ASCII; letters in lower case behind a percent sign are more often a word.
_OF_SEARCH = compiled(r"[^?]*?(?:%(?:[2-7][0-9A-Fa-f]|[C-F][0-9A-F])|&(?:amp;)?[A-Za-z_]\w*+=(?!=))")


class Place(Struct, frozen=True, gc=False):
    """Where a URL stands at the end of a line.

    Attributes:
        url: the URL as read so far.
        start: where this line's piece of it begins.
        end: where the piece ends.
        line: where the line begins.
        margin: the marks of the line on which the URL began.
        cuts: the lengths of the lines over whose ends it went on.
    """

    url: str
    start: int
    end: int
    line: int
    margin: Margin
    cuts: tuple[int, ...] = ()


class NextLine(Struct, frozen=True, gc=False):
    """The line behind a place, and the line below that.

    Attributes:
        start: where it begins.
        resume: where its own text begins.
        end: where it ends.
        token: what stands first in it.
        rest: what stands behind the token, without white space at both ends.
        below: where the line below it begins.
        line_below: that line.
        is_behind_marks: whether lines of quote marks alone stand above it, and only a piece of a URL in it.
    """

    start: int
    resume: int
    end: int
    token: str
    rest: str
    below: int
    line_below: str
    is_behind_marks: bool = False


def place_of(text: str, start: int, end: int, assumed: str = "") -> Place:
    """The place of a URL that is the text from `start` to `end`; `assumed` is a scheme that is put before it, or ""."""
    line = line_start(text, start)
    below = _NEXT_BEGINS.match(text, end) if line < start else None
    margin = margin_at(text, start, line, below=below.end() if below else None) if line < start else ()
    return Place(assumed + text[start:end], start, end, line, margin)


def next_line(text: str, place: Place) -> NextLine | None:
    """The line in which the URL would go on; None if no line follows, or if the next line cannot go on a URL.

    A program that wraps quoted lines again may leave up to three lines of quote marks alone. Below them the URL may go
    on in a line that is no deeper than its own. Either that line has fewer marks than the one above it, and one word, a
    piece of the URL. Or the marks above it are deeper than the URL's line (two at least), and a search goes on there.
    """
    if text[place.end - 1] == ">":  # of a message-id in brackets (see `mending`)
        return None
    line = _line_behind(text, place, place.end)
    if line is not None or (empty := _EMPTY_QUOTES.match(text, place.end)) is None:
        return line
    below = _line_behind(text, place, empty.end())
    if below is None:
        return None
    marks, own_marks = empty[1].count(">"), depth_of(margin_at(text, place.start, place.line))
    its_marks = text.count(">", below.start, below.resume)
    if its_marks > own_marks:
        return None
    if its_marks < marks and _is_lone_piece(place, below):
        return replace(below, is_behind_marks=True)
    is_sure = place.url[-1] in SIGNS_OF_SEARCH or is_of_search(below.token)
    return below if marks > max(own_marks, 1) and "?" in place.url and is_sure else None


def _is_lone_piece(place: Place, line: NextLine) -> bool:
    """Whether a line holds only one word, and that is of a search, or looks like a piece of a URL and fills the line.

    Such a program moves a word behind the marks if the line has no room for it. All 51 such words of labelled mail are
    as long; the links, paths and names of one-word answers seldom are. It has filled the line of the URL too, or cut it
    behind a sign.
    """
    if line.rest:
        return False
    is_cut = "?" in place.url or place.end - place.line >= SHORT or place.url[-1] in SIGNS_OF_SEARCH
    is_piece = is_cut and len(line.token) >= SHORT and _LIKE_A_PIECE.match(line.token) is not None
    return is_piece or ("?" in place.url and is_of_search(line.token))


def is_of_search(token: str) -> bool:
    """Whether what a line begins with has an escape or a field of a search, and is no other URL: no prose does."""
    return _OF_SEARCH.match(token) is not None and "://" not in token


def _line_behind(text: str, place: Place, end: int) -> NextLine | None:
    """The line behind the line end at `end`; None if there is none, or if it cannot go on a URL."""
    found = _NEXT.match(text, end)
    if found is None:
        return None
    start = found.start(1)
    if place.margin:
        found = _BEHIND_MARGIN.match(text, behind_margin(text, start, place.margin)) or found
    _, token, rest, below = found.groups()
    if not token:
        return None
    # No alternative of that pattern begins with a word alone.
    is_other = not token.isalnum() and _NOTHING_OF_URL.match(token) is not None
    if is_other and not _may_begin_with(place.url, token):
        return None
    at, rest_at = found.span(2)
    return NextLine(start, at, rest_at + len(rest.rstrip()), token, rest.strip(), found.start(4), below)


def _may_begin_with(url: str, token: str) -> bool:
    """Whether a token with which no URL goes on usually is the rest of this one.

    Behind the "=" of a search, a host without a scheme is a value.
    """
    is_value = url[-1] == "=" and "?" in url and token[:4].lower() == "www."
    return is_value or is_topic(url, token) or is_cut_before_host(url) or is_cut_within_inner(url, token)


def is_topic(url: str, token: str) -> bool:
    """Whether a magnet link ends before the URN of its exact topic, and the token begins with one.

    Of other URLs that end so, as `http://host/?u=`, a URL in the next line may be the next of a list.
    """
    return token[:4].lower() == "urn:" and _NO_TOPIC.match(url) is not None
