"""Makes the records of the line breaks behind bare URLs, from all that is known about the text around them."""

from __future__ import annotations

from collections.abc import Callable

from msgspec import Struct, field

from urlglean.expressions import compiled
from urlglean.records import Span
from urlglean.text.candidates import Evidence
from urlglean.text.effort import Effort
from urlglean.text.gaps import LONGEST_ENCODED_LINE, RAW_SIGN
from urlglean.text.joining.break_record import CLOSING, LOOK, Break, Context
from urlglean.text.joining.columns import columns, has_wide
from urlglean.text.joining.comment_lines import ends_comment, ends_item
from urlglean.text.joining.line_geometry import LineGeometry
from urlglean.text.joining.places import NextLine, Place, next_line, place_of
from urlglean.text.joining.server_replies import is_in_reply
from urlglean.text.line_lengths import SHORT
from urlglean.text.quote_prefix import (
    behind_prefix,
    depth_of,
    margin_at,
    resume,
)
from urlglean.text.soft_lines import soft_break

ELSEWHERE = 4
"""In how many of the places where the same URL ends a line the next line is read."""

ALIKE = 3
"""Two tokens begin alike if this many code points are the same. The rest may have been cut at another column."""

BREAKABLE = "/?&=-"
"""Programs that fill lines break a URL that is too long behind one of these signs."""

# Quotation marks and stops that are none of ASCII, and what stands behind them, belong to the text around a URL.
_CLOSED = compiled(r"(?<=\w)[“”„’‘»«›‹」』】）。、，…]\W*+\Z")


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


def break_at(around: Surroundings, place: Place, line: NextLine) -> Break:
    """The record of the break between a place and its next line, without context."""
    text, url = around.text, place.url
    # In the second line of a URL, its piece begins right behind the margin.
    is_behind_margin = place.cuts or place.line == place.start
    own = place.start if is_behind_margin else resume(text, place.line, place.margin, wrapped=False)
    above, below = _line_above(text, place.line), line.line_below
    below_from = behind_prefix(below) if below else 0
    depth = depth_of(place.margin) if place.margin else 0
    next_depth = _depth(text, line.start, line.resume) if line.start < line.resume else 0
    may_be_soft = text[place.end] == " " and text[place.end + 1] in "\r\n" and not _is_signature(text, line)
    token = line.token if line.token.isascii() else _CLOSED.sub("", line.token) or line.token
    return Break(
        url=url,
        piece=text[place.start : place.end],
        token=token,
        closing=line.token[len(token) :],
        rest=line.rest[:LOOK],
        before=text[own : place.start][-LOOK:],
        above=above[behind_prefix(above) :].rstrip() if above else "",
        below=below[below_from : below_from + LOOK].rstrip(),
        length=columns(text[place.line : place.end]),
        next_length=columns(text[line.start : line.end]),
        below_length=columns(below.rstrip()),
        margin=columns(text[place.line : own]),
        next_margin=columns(text[line.start : line.resume]),
        depth=depth,
        next_depth=next_depth,
        below_depth=_depth(text, line.below, line.below + below_from) if below_from else 0,
        cuts=place.cuts,
        flowed=around.flowed if _is_of_the_writer(text, place) else "",
        soft_line=around.flowed == "delsp" and _goes_on_softly(text, place.end),
        soft_break=(is_soft := url[-1] == "=" and _is_soft_break(around, place, line.token)),
        ends_in_blank=is_soft and _begins_in_blank(text, place, text[place.line : own], line),
        next_blank=text[line.start].isspace(),
        in_reply=is_in_reply(text, place.start, text[line.start : line.resume]),
        ends_comment=ends_comment(text, place, line),
        ends_item=own < place.start and ends_item(text, place, line),
        is_behind_marks=line.is_behind_marks,
        lost_soft_line=may_be_soft and depth == next_depth and _seems_soft(around, place, line.token),
    )


def context_of(around: Surroundings, place: Place, at: Break) -> Context:
    """What the rest of the text says about a break."""
    url, length, evidence = at.url, at.length, around.evidence
    closed, joined = url.rstrip(CLOSING), (url + at.token).rstrip(CLOSING)
    near = around.lines.near(place.line, at.depth)
    parts = closed in evidence.line_ends and _parts_elsewhere(around, closed, place, at.token)
    room = None if near.column is None else near.column - length
    first = at.token[:1]
    # Behind a wide character, a program may wrap the line too.
    fits = room is not None and room > columns(first if has_wide(first) else at.token)
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


def _seems_soft(around: Surroundings, place: Place, token: str) -> bool:
    """Whether the line of a URL is a soft line under DelSp though no header says that the text is flowed.

    Other lines must look so, the URL must end in a sign behind which programs break, and what follows must not fit.
    """
    return (
        not around.flowed
        and place.url[-1] in BREAKABLE
        and place.end - place.line + len(token) >= SHORT
        and around.lines.is_delsp(place.end)
    )


def _is_of_the_writer(text: str, place: Place) -> bool:
    """Whether a line end of flowed text is surely the writer's, or stands at a blank of the writer.

    It is not if the line is quoted, in whichever way: then its end is that of the text that was quoted. Some programs
    that fill lines break them behind hyphens too, and add a blank.
    """
    return place.url[-1] != "-" if text[place.end] == " " else not depth_of(place.margin)


def _goes_on_softly(text: str, end: int) -> bool:
    """Whether a soft line ends at `end`, and no blank of the text begins the next one."""
    soft = soft_break(text, end)
    return soft is not None and not text[soft.end].isspace()


def _is_signature(text: str, line: NextLine) -> bool:
    """Whether a line is the one before a signature, which is not flowed (RFC 3676 4.3)."""
    return not line.rest and text.startswith("-- ", line.resume)


def _is_soft_break(around: Surroundings, place: Place, token: str) -> bool:
    """Whether the last "=" of a URL is a soft break of quoted-printable (RFC 2045 6.7 (5)).

    Quoted-printable would have encoded any other "=" in the URL or the token. In a search, the "=" is more likely the
    URL's own.
    """
    if RAW_SIGN.search(place.url) or RAW_SIGN.search(token):
        return False
    if around.lines.is_quoted_printable(place.end):
        return True
    length = place.end - place.line
    quoted = behind_prefix(around.text[place.line : place.end])  # by whom it came to, who decoded nothing
    return "?" not in place.url and LONGEST_ENCODED_LINE in {length, length - quoted}


def _begins_in_blank(text: str, place: Place, margin: str, line: NextLine) -> bool:
    """Whether the blank before the next line's own text belongs to the text, not to its margin.

    Behind a sign, a margin is that of the URL's line. An indent is one if all lines around have it, because somebody
    may have indented the whole text.
    """
    below = text[line.start : line.resume]
    if not below or not below[-1].isspace():
        return False
    if not margin.startswith(below):
        return True
    around = (_line_above(text, place.line), line.line_below)
    return below.isspace() and not all(other.startswith(below) for other in around if other.strip())


def _line_above(text: str, line: int) -> str:
    """The last `LOOK` code points of the line above the one that begins at `line`."""
    end = line - 1
    end -= text.endswith("\r", 0, end) + text.endswith("\r\r", 0, end)
    return text[max(0, end - LOOK) : end].rpartition("\n")[2] if end > 0 else ""


def _depth(text: str, line: int, at: int) -> int:
    """How many quote marks stand between `line`, where a line begins, and `at`."""
    # Most margins are blanks.
    return depth_of(margin_at(text, at, line)) if text[line:at].strip(" \t") else 0
