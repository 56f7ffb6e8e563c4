"""A line break at which a bare URL may go on, as one record of values. All features are functions of this record."""

from __future__ import annotations

import re
from collections.abc import Callable

from msgspec import Struct, field

from urlglean.grammar.schemes import SCHEMES
from urlglean.records import Span
from urlglean.text.candidates import Evidence
from urlglean.text.effort import Effort
from urlglean.text.file_extension import LONGEST
from urlglean.text.gaps import LONGEST_ENCODED_LINE
from urlglean.text.joining.line_geometry import LineGeometry
from urlglean.text.joining.words import COUNTED
from urlglean.text.quote_prefix import (
    BREAK,
    DEEPER,
    PREFIX,
    Margin,
    behind_margin,
    behind_prefix,
    depth_of,
    line_start,
    margin_at,
    resume,
)
from urlglean.text.scheme_triggers import SCHEME
from urlglean.text.signs import STOPS

LOOK = 200
"""How many code points of a line the record keeps. No feature looks farther."""

SCRAP, LONG, LONG_NAME, SAME, NEAR_BY = 4, 60, 16, 12, 40
"""Measures of a `Shape`, in code points."""

SEVERAL = 3
"""Behind the token, so many blanks divide four words."""

SLASHES_OF_A_HOST = 3
"""Behind its host, a URL has more slashes than these."""

CLOSING = STOPS + ")>"
"""Signs that may stand behind a URL and close the sentence or the bracket around it."""

ELSEWHERE = 4
"""In how many of the places where the same URL ends a line the next line is read."""

ALIKE = 3
"""Two tokens begin alike if this many code points are the same. The rest may have been cut at another column."""

BREAKABLE = "/?&=-"
"""Programs that fill lines break a URL that is too long behind one of these signs."""

# Behind a margin: the token, the rest of its line, and the line below. Mail programs that turn HTML into text put a
# link's address in angle brackets right behind its text.
_TEXT = rf"[ \t]*+{DEEPER}((?:[^\s<]|<(?![A-Za-z/]))*+)([^\r\n]*+){BREAK}?+([^\r\n]*+)"
_BEHIND_MARGIN = re.compile(f"(){_TEXT}")
# The same from the end of the line before, with the beginning of the line.
_NEXT = re.compile(rf"[ \t]*+{BREAK}(){_TEXT}")
_OPAQUE = "|".join(f"{row.name}:(?:{row.prose.behind})" for row in SCHEMES if row.prose.behind)
# A magnet link that is broken before its topic.
_WITHOUT_TOPIC = r"magnet:\?(?:[^\s?]*&)?xt(?:\.[0-9]{1,3})?=\Z"
_NO_TOPIC = re.compile(_WITHOUT_TOPIC, re.IGNORECASE)
# A line in which no URL goes on: it holds only the signs of a margin, or begins with another URL (or a list item). All
# that begins a URL here holds one of two signs; most lines begin with a word, which has neither.
_NOTHING_OF_URL = re.compile(
    rf"{PREFIX}(?:\Z|(?=[^:.]*+[:.])(?:[0-9]{{1,3}}[.):])?[^A-Za-z0-9/?&=%]{{0,6}}(?:{SCHEME}://|doi:|{_OPAQUE}|{_WITHOUT_TOPIC}|www[0-9]?\.[a-z0-9]))",
    re.IGNORECASE,
)
_HOST_AND_SLASH = re.compile(r"[a-z][a-z0-9+.-]*://[^/?#]*/\Z", re.IGNORECASE)
# Fewer than three slashes, because the third is the one behind the host.
_HOST_UNFINISHED = re.compile(r"[a-z][a-z0-9+.-]*://(?:www[0-9]?|ftp|[a-z0-9.-]+[.-]|[a-z0-9-]+)\Z", re.IGNORECASE)
_PARTS_NAMES = frozenset("/?&=#")
# An "=" that quoted-printable would have written as "=3D".
_RAW_SIGN = re.compile(r"=(?![0-9A-Fa-f]{2}|\Z)")


class Context(Struct, frozen=True, gc=False):
    """What the nearby lines, the URLs elsewhere in the text, and the judge say about a break. It is slow to find out.

    Nearby lines are those that have as many quote marks as the URL's line.

    Attributes:
        room: how many code points the column at which nearby lines are wrapped leaves behind the URL's line; negative
            if that is longer, None if there are too few of them.
        fits: whether a blank and what stands first in the next line would have fitted there.
        longer: how many nearby lines are longer.
        as_long: how many other nearby lines are exactly as long.
        stands_whole: whether the URL, as read up to the break, ends elsewhere in the text: in the middle of a line, or
            at a line end within a name where the next line begins with something else.
        joined_stands_whole: whether a URL in the middle of a line elsewhere begins with the URL and the token.
        joined_valid: whether the URL together with the token is valid.
        has_siblings: whether the URL ends another line with a delimiter, and the next line there begins with something
            else: two URLs of one folder.
    """

    room: int | None
    fits: bool
    longer: int
    as_long: int
    stands_whole: bool
    joined_stands_whole: bool
    joined_valid: bool
    has_siblings: bool


class Shape(Struct, frozen=True, gc=False):
    """What many breaks have in common: of the strings of a `Break` only whether they hold something.

    Attributes:
        before: the character before the URL in its line; "" if the URL begins the line.
        has_margin: whether the URL's line has a margin.
        depth: as in `Break`.
        next_depth: as in `Break`.
        below_depth: as in `Break`.
        is_scrap: whether the URL went on over another break before, and only up to `SCRAP` code points of it stand
            between the two.
        has_search: whether the URL has a "?".
        has_fragment: whether the URL has a "#".
        is_long: whether the URL has at least `LONG` code points.
        has_long_name: whether the last name of the URL has at least `LONG_NAME` code points.
        host: "slash" if the URL ends with the slash behind its host, "unfinished" if it ends within its host, else "".
        is_closed: whether the token has a ")" that closes a bracket of the URL.
        behind: the first character of the text behind the token; "" if there is none.
        repeats: whether that text begins with a "<" and the first `SAME` code points of the URL.
        has_words_behind: whether that text has at least `SEVERAL` blanks.
        has_url_behind: whether that text has a "://".
        has_below: whether the line below the next one has a text of its own.
        has_url_below: whether the first `NEAR_BY` code points of that text have a "://".
        above: the last character of the line above the URL's line; "" if that has none.
    """

    before: str
    has_margin: bool
    depth: int
    next_depth: int
    below_depth: int
    is_scrap: bool
    has_search: bool
    has_fragment: bool
    is_long: bool
    has_long_name: bool
    host: str
    is_closed: bool
    behind: str
    repeats: bool
    has_words_behind: bool
    has_url_behind: bool
    has_below: bool
    has_url_below: bool
    above: str


class Break(Struct, frozen=True, gc=False):
    """A line break behind a bare URL.

    Lengths count code points and leave out the white space at a line's end. A margin is what stands before a line's own
    text: quote marks, signs of comments and diffs, indentation.

    Attributes:
        url: the URL as read up to the break, closing punctuation included.
        piece: its last piece, which ends the line.
        token: what stands first in the next line behind its margin, up to white space.
        ends: the last character of the URL and the first two of the token: those that the break divides.
        rest: what stands in that line behind the token, without white space at both ends.
        before: the text of the URL's line between the margin and the URL; "" if the URL began in an earlier line.
        above: the line above the URL's line, without its quote prefix and white space at both ends.
        below: the line below the next one, in the same form.
        length: of the URL's line, its margin included.
        next_length: of the next line.
        margin: of the URL's line.
        depth: how many times the URL's line is quoted.
        next_depth: how many times the next line is.
        below_depth: how many times the line below it is.
        cuts: the lengths of the lines over whose ends the URL went on before this break.
        flowed: "flowed" or "delsp" where the text is format=flowed (RFC 3676), without or with DelSp; "" elsewhere.
        soft_line: whether the one blank at the line's end marks a soft line under DelSp (RFC 3676 4.2).
        soft_break: whether the URL's last "=" is a soft break of quoted-printable that nobody decoded (RFC 2045 6.7).
        next_blank: whether a blank begins the next line.
        context: what the rest of the text says; None until somebody asks (`context_of`).
    """

    url: str
    piece: str
    token: str
    ends: str
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
    cuts: tuple[int, ...]
    flowed: str
    soft_line: bool
    soft_break: bool
    next_blank: bool
    context: Context | None = None

    @property
    def letters(self) -> tuple[str, str]:
        """The last characters of the URL and the first of the token, `COUNTED` each; "" if these are no letters."""
        url, token = self.url, self.token
        return (url[-COUNTED:], token[:COUNTED]) if url[-1].isalpha() and token[0].isalpha() else ("", "")

    @property
    def extension(self) -> tuple[str, str]:
        """What follows the last dot of the URL, and the beginning of the token, as far as an extension may go.

        Both are "" if the last characters of the URL hold no dot.
        """
        url = self.url
        dot = url.rfind(".", -LONGEST)
        return (url[dot + 1 :], self.token[:LONGEST]) if dot >= 0 else ("", "")

    @property
    def lengths(self) -> tuple[int, int]:
        """The lengths of the URL's line and of the next line."""
        return self.length, self.next_length

    @property
    def shape(self) -> Shape:
        """What the break has in common with many others."""
        url, token, rest, below = self.url, self.token, self.rest, self.below
        return Shape(
            self.before[-1:],
            self.margin > 0,
            self.depth,
            self.next_depth,
            self.below_depth,
            len(self.cuts) > 0 and len(self.piece) <= SCRAP,
            "?" in url,
            "#" in url,
            len(url) >= LONG,
            len(url) >= LONG_NAME and _PARTS_NAMES.isdisjoint(url[-LONG_NAME:]),
            _host_at_end(url) if url.count("/") <= SLASHES_OF_A_HOST else "",
            ")" in token and url.count("(") > url.count(")"),
            rest[:1],
            rest[:1] == "<" and rest.startswith(url[:SAME], 1),
            rest.count(" ") >= SEVERAL,
            "://" in rest,
            below != "",
            "://" in below[:NEAR_BY],
            self.above[-1:],
        )


class Surroundings(Struct, frozen=True):
    """What is known about a whole text.

    Attributes:
        text: the text.
        lines: the lengths and columns of its lines.
        evidence: the URLs that the scan found in it.
        valid: whether the judge takes a URL.
        flowed: "flowed" or "delsp" where it is format=flowed (RFC 3676), without or with DelSp; "" elsewhere.
        tokens: the beginning of the token behind line ends, by the end of the URL there: each line is read once.
        effort: counts the work of weighing breaks.
    """

    text: str
    lines: LineGeometry
    evidence: Evidence
    valid: Callable[[str], bool]
    flowed: str = ""
    tokens: dict[int, str] = {}
    effort: Effort = field(default_factory=Effort)


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
    """

    start: int
    resume: int
    end: int
    token: str
    rest: str
    below: int
    line_below: str


def place_of(text: str, start: int, end: int, assumed: str = "") -> Place:
    """The place of a URL that is the text from `start` to `end`; `assumed` is a scheme that is put before it, or ""."""
    line = line_start(text, start)
    margin = margin_at(text, start, line) if line < start else ()
    return Place(assumed + text[start:end], start, end, line, margin)


def next_line(text: str, place: Place) -> NextLine | None:
    """The line in which the URL would go on; None if no line follows, or if the next line cannot go on a URL."""
    found = _NEXT.match(text, place.end)
    if found is None:
        return None
    start = found.start(1)
    if place.margin:
        found = _BEHIND_MARGIN.match(text, behind_margin(text, start, place.margin)) or found
    _, token, rest, below = found.groups()
    # No alternative of that pattern begins with a word alone.
    if not token or (not token.isalnum() and _NOTHING_OF_URL.match(token) and not is_topic(place.url, token)):
        return None
    at, rest_at = found.span(2)
    return NextLine(start, at, rest_at + len(rest.rstrip()), token, rest.strip(), found.start(4), below)


def is_topic(url: str, token: str) -> bool:
    """Whether a magnet link ends before the URN of its exact topic, and the token begins with one.

    Of other URLs that end so, as `http://host/?u=`, a URL in the next line may be the next of a list.
    """
    return token[:4].lower() == "urn:" and _NO_TOPIC.match(url) is not None


def break_at(around: Surroundings, place: Place, line: NextLine) -> Break:
    """The record of the break between a place and its next line, without context."""
    text, url = around.text, place.url
    # In the second line of a URL, its piece begins right behind the margin.
    is_behind_margin = place.cuts or place.line == place.start
    own = place.start if is_behind_margin else resume(text, place.line, place.margin, wrapped=False)
    above, below = _line_above(text, place.line), line.line_below
    below_from = behind_prefix(below) if below else 0
    return Break(
        url=url,
        piece=text[place.start : place.end],
        token=line.token,
        ends=url[-1] + line.token[:2],
        rest=line.rest[:LOOK],
        before=text[own : place.start][-LOOK:],
        above=above[behind_prefix(above) :].rstrip() if above else "",
        below=below[below_from : below_from + LOOK].rstrip(),
        length=place.end - place.line,
        next_length=line.end - line.start,
        margin=own - place.line,
        depth=depth_of(place.margin) if place.margin else 0,
        next_depth=_depth(text, line.start, line.resume) if line.start < line.resume else 0,
        below_depth=_depth(text, line.below, line.below + below_from) if below_from else 0,
        cuts=place.cuts,
        flowed=around.flowed,
        soft_line=text[place.end] == " " and _is_soft_line(around, place),
        soft_break=url[-1] == "=" and _is_soft_break(around, place, line.token),
        next_blank=text[line.start].isspace(),
    )


def context_of(around: Surroundings, place: Place, at: Break) -> Context:
    """What the rest of the text says about a break."""
    url, length, evidence = at.url, at.length, around.evidence
    closed, joined = url.rstrip(CLOSING), (url + at.token).rstrip(CLOSING)
    near = around.lines.near(place.line, at.depth)
    parts = closed in evidence.line_ends and _parts_elsewhere(around, closed, place, at.token)
    room = None if near.column is None else near.column - length
    fits = room is not None and room > len(at.token)
    return Context(
        room=room,
        fits=fits,
        longer=near.longer(length),
        as_long=near.as_long(length) - 1,
        stands_whole=evidence.counts[closed] > 0 or (parts and url[-1].isalnum()),
        joined_stands_whole=len(joined) > len(url) and _begins_elsewhere(evidence, joined),
        joined_valid=around.valid(joined),
        has_siblings=parts and not url[-1].isalnum(),
    )


def _begins_elsewhere(evidence: Evidence, joined: str) -> bool:
    """Whether an unbroken URL elsewhere begins with a URL and the token behind it."""
    # Google's mail programs broke long URLs with "**" and left it in the text.
    return evidence.begins(joined) or ("**" in joined and evidence.begins(joined.replace("**", "")))


def _parts_elsewhere(around: Surroundings, url: str, place: Place, token: str) -> bool:
    """Whether the same URL ends another line, and the next line there does not begin like the token."""
    for run in around.evidence.line_ends.get(url, ())[:ELSEWHERE]:
        other = _begins_next_line(around, run) if run.end != place.end else ""
        if other and other != token[: len(other)] and not other.startswith(token):
            return True
    return False


def _begins_next_line(around: Surroundings, run: Span) -> str:
    """The first `ALIKE` code points of the token in the line behind a URL; "" if no URL can go on there."""
    if run.end not in around.tokens:
        line = next_line(around.text, place_of(around.text, run.start, run.end))
        around.tokens[run.end] = line.token[:ALIKE] if line else ""
    return around.tokens[run.end]


def _is_soft_line(around: Surroundings, place: Place) -> bool:
    """Whether the blank behind a URL marks a soft line under DelSp (RFC 3676 4.2): one blank ends the line.

    If no header says that the text is flowed, other lines must look so, and the URL must end in a sign behind which
    programs break.
    """
    if around.text[place.end + 1] not in "\r\n":
        return False
    return around.flowed == "delsp" or (
        not around.flowed and place.url[-1] in BREAKABLE and around.lines.is_delsp(place.end)
    )


def _is_soft_break(around: Surroundings, place: Place, token: str) -> bool:
    """Whether the last "=" of a URL is a soft break of quoted-printable (RFC 2045 6.7 (5)).

    Quoted-printable would have encoded any other "=" in the URL or the token. In a search, the "=" is more likely the
    URL's own.
    """
    if _RAW_SIGN.search(place.url) or _RAW_SIGN.search(token):
        return False
    return around.lines.is_quoted_printable(place.end) or (
        "?" not in place.url and place.end - place.line == LONGEST_ENCODED_LINE
    )


def _line_above(text: str, line: int) -> str:
    """The last `LOOK` code points of the line above the one that begins at `line`."""
    end = line - 1
    if end > 0 and text[end] == "\n" and text[end - 1] == "\r":
        end -= 1
    return text[max(0, end - LOOK) : end].rpartition("\n")[2].rpartition("\r")[2] if end > 0 else ""


def _host_at_end(url: str) -> str:
    """The value of `Shape.host`."""
    if _HOST_AND_SLASH.match(url):
        return "slash"
    return "unfinished" if _HOST_UNFINISHED.match(url) else ""


def _depth(text: str, line: int, at: int) -> int:
    """How many quote marks stand between `line`, where a line begins, and `at`."""
    # Most margins are blanks.
    return depth_of(margin_at(text, at, line)) if text[line:at].strip(" \t") else 0
