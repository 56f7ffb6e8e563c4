"""A line break at which a bare URL may go on, as one record of values: what the features are functions of."""

from __future__ import annotations

import re
from collections.abc import Callable

from msgspec import Struct, structs

from urlglean.text.found import Evidence
from urlglean.text.joining.layout import ENDS_LINE, Layout
from urlglean.text.joins import LONGEST_ENCODED_LINE
from urlglean.text.lexicon import SCHEME
from urlglean.text.quotation import (
    BREAK,
    LINE_BREAK,
    PREFIX,
    Margin,
    behind_prefix,
    depth_of,
    line_start,
    margin_at,
    resume,
)
from urlglean.text.signs import STOPS

LOOK = 200
"""So many code points of a line's text are kept: no feature looks farther."""

CLOSING = STOPS + ")>"
"""What may stand behind a URL and close the sentence or the bracket around it."""

BREAKABLE = "/?&=-"
"""Behind these, programs that fill lines break a URL that is too long."""

# Mail programs that turn HTML into text put a link's address in angle brackets right behind its text.
_TOKEN_AND_REST = re.compile(r"((?:[^\s<]|<(?![A-Za-z/]))*+)([^\r\n]*+)")
# Nothing of a URL: a margin's signs alone, or another URL, perhaps as an item of a list.
_NOTHING_OF_URL = re.compile(
    rf"{PREFIX}(?:\Z|(?:[0-9]{{1,3}}[.):])?[^A-Za-z0-9/?&=%]{{0,6}}(?:{SCHEME}://|(?:mailto|doi|urn):|www[0-9]?\.[a-z0-9]))",
    re.IGNORECASE,
)
_LINE = re.compile(rf"([^\r\n]*+){BREAK}?")
# An "=" that quoted-printable would have encoded.
_RAW_SIGN = re.compile(r"=(?![0-9A-Fa-f]{2}|\Z)")


class Told(Struct, frozen=True, gc=False):
    """What the lines near by, the URLs elsewhere in the text, and the judge tell of a break: dearer than all the rest.

    Attributes:
        length: of the URL's line, as in `Break`.
        token: what stands first in the next, as in `Break`.
        column: where the lines near by with as many quote marks are wrapped; None where too few tell.
        longer: how many of the lines near by are longer than the URL's.
        as_long: how many others are just as long.
        stands_whole: whether the URL as read up to the break stands elsewhere in the text, and does not end a line.
        joined_stands_whole: whether one that stands so begins with the URL and the token.
        joined_valid: whether a URL that ended with the token would be valid.
    """

    length: int
    token: str
    column: int | None
    longer: int
    as_long: int
    stands_whole: bool
    joined_stands_whole: bool
    joined_valid: bool


class Break(Struct, frozen=True, gc=False):
    """A line break behind a bare URL.

    Lengths are code points, without the white space at a line's end; a margin is what stands before a line's own text:
    quote marks, signs of comments and diffs, indentation.

    Attributes:
        url: the URL as read up to the break, closing punctuation included.
        piece: its last piece, which ends the line.
        token: what stands first behind the margin of the next line, up to white space.
        rest: what stands there behind the token, without the white space around.
        before: what stands in the URL's line before it, the margin left out; "" where the URL went on in this line.
        above: the line above the URL's, its quote prefix and the blanks at its ends left out.
        below: the line below the next one, in the same way.
        length: of the URL's line, its margin included.
        next_length: of the next line.
        margin: of the URL's line.
        depth: how many times the URL's line is quoted.
        next_depth: how many times the next line is.
        below_depth: how many times the line below it is.
        blanks: white space between the URL and the line's end.
        cuts: the lengths of the lines over whose ends the URL went on before this break.
        flowed: "flowed" or "delsp" where the text is format=flowed (RFC 3676), without or with DelSp; "" elsewhere.
        soft_line: whether the line's one blank at its end is that of a soft line under DelSp.
        soft_break: whether the URL's last "=" is a soft break of quoted-printable that was never decoded.
        next_blank: whether a blank begins the next line.
        told: what all the text around tells; None as long as nobody has asked.
    """

    url: str
    piece: str
    token: str
    rest: str
    before: str
    above: str
    below: str
    length: int
    next_length: int
    margin: int
    depth: int
    next_depth: int
    below_depth: int
    blanks: int
    cuts: tuple[int, ...]
    flowed: str
    soft_line: bool
    soft_break: bool
    next_blank: bool
    told: Told | None = None


class Surroundings(Struct, frozen=True):
    """What is known of a whole text.

    Attributes:
        text: the text.
        layout: its lines.
        evidence: the URLs that stand unbroken in it.
        valid: the judge's yes or no.
        flowed: "flowed" or "delsp" where it is format=flowed (RFC 3676), without or with DelSp; "" elsewhere.
    """

    text: str
    layout: Layout
    evidence: Evidence
    valid: Callable[[str], bool]
    flowed: str = ""


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
    """The line behind a place: where it begins, where its own text does, where it ends, its first token, the rest."""

    start: int
    resume: int
    end: int
    token: str
    rest: str


def place_of(text: str, start: int, end: int, assumed: str = "") -> Place:
    """The place of a URL whose run of characters goes from `start` to `end`; what is `assumed` is read before it."""
    return Place(assumed + text[start:end], start, end, line_start(text, start), margin_at(text, start))


def next_line(text: str, place: Place) -> NextLine | None:
    """The line in which the URL would go on; None where none follows, or one that begins with nothing of a URL."""
    blanks = ENDS_LINE.match(text, place.end)
    found = LINE_BREAK.match(text, blanks.end()) if blanks else None
    if found is None:
        return None
    at = resume(text, found.end(), place.margin, wrapped=False)
    words = _TOKEN_AND_REST.match(text, at)
    token, rest = words.groups() if words else ("", "")
    if not token or _NOTHING_OF_URL.match(token):
        return None
    return NextLine(found.end(), at, at + len((token + rest).rstrip()), token, rest.strip())


def break_at(around: Surroundings, place: Place, line: NextLine) -> Break:
    """The record of the break between a place and its next line, without what is told by all the text around."""
    text, url = around.text, place.url
    # In a line that the URL goes on in, the piece itself stands behind the margin.
    behind_margin = place.start if place.cuts else resume(text, place.line, place.margin, wrapped=False)
    above = _line_above(text, place.line)
    below_at, below = _line_below(text, line.resume)
    below_from = behind_prefix(below)
    trailing = ENDS_LINE.match(text, place.end)
    return Break(
        url=url,
        piece=text[place.start : place.end],
        token=line.token,
        rest=line.rest[:LOOK],
        before=text[behind_margin : place.start][-LOOK:],
        above=above[behind_prefix(above) :].rstrip(),
        below=below[below_from : below_from + LOOK].rstrip(),
        length=place.end - place.line,
        next_length=line.end - line.start,
        margin=behind_margin - place.line,
        depth=depth_of(place.margin),
        next_depth=_depth(text, line.start, line.resume),
        below_depth=_depth(text, below_at, below_at + below_from),
        blanks=trailing.end() - place.end if trailing else 0,
        cuts=place.cuts,
        flowed=around.flowed,
        soft_line=trailing is not None and trailing.group() == " " and _is_soft_line(around, place),
        soft_break=_is_soft_break(around, place, line.token),
        next_blank=text[line.start].isspace(),
    )


def told_of(around: Surroundings, place: Place, at: Break) -> Break:
    """The record with what all the text around tells."""
    closed, joined = at.url.rstrip(CLOSING), (at.url + at.token).rstrip(CLOSING)
    near, evidence = around.layout.near(place.line, at.depth), around.evidence
    # Google's mail programs broke long URLs behind "**", which stays in them.
    stands = evidence.begins(joined) or ("**" in joined and evidence.begins(joined.replace("**", "")))
    told = Told(
        length=at.length,
        token=at.token,
        column=near.column,
        longer=near.longer(at.length),
        as_long=near.as_long(at.length) - 1,
        stands_whole=evidence.counts[closed] > 0,
        joined_stands_whole=len(joined) > len(at.url) and stands,
        joined_valid=around.valid(joined),
    )
    return structs.replace(at, told=told)


def _is_soft_line(around: Surroundings, place: Place) -> bool:
    """Whether one blank behind a URL is that of a soft line under DelSp (RFC 3676 4.2).

    Where nothing but the layout says that it is such text, the URL must end where programs break it.
    """
    return around.flowed == "delsp" or (
        not around.flowed and place.url[-1] in BREAKABLE and around.layout.is_delsp(place.end)
    )


def _is_soft_break(around: Surroundings, place: Place, token: str) -> bool:
    """Whether the URL's last "=" was put there where quoted-printable broke the line (RFC 2045 6.7 (5)).

    An "=" before it, or in the token, would stand there encoded; in a search one is more likely the URL's own.
    """
    if place.url[-1] != "=" or _RAW_SIGN.search(place.url) or _RAW_SIGN.search(token):
        return False
    return around.layout.is_quoted_printable(place.end) or (
        "?" not in place.url and place.end - place.line == LONGEST_ENCODED_LINE
    )


def _line_below(text: str, at: int) -> tuple[int, str]:
    """Where the line below the one that holds `at` begins, and what stands in it."""
    found = _LINE.match(text, at)
    below = found.end() if found else len(text)
    line = _LINE.match(text, below)
    return below, line[1] if line else ""


def _line_above(text: str, line: int) -> str:
    """The last of the line above the one that begins at `line`."""
    end = line - 1
    if end > 0 and text[end] == "\n" and text[end - 1] == "\r":
        end -= 1
    if end <= 0:
        return ""
    low = max(0, end - LOOK)
    return text[max(low, text.rfind("\n", low, end) + 1, text.rfind("\r", low, end) + 1) : end]


def _depth(text: str, line: int, at: int) -> int:
    """How many quote marks stand before a place in the line that begins at `line`."""
    # Most lines have no marks to be counted.
    return depth_of(margin_at(text, at)) if text[line:at].strip(" \t") else 0
