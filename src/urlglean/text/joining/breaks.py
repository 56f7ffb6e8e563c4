"""Finds the line breaks behind a bare URL in a text, and makes their records."""

from __future__ import annotations

import re
from collections.abc import Callable

from msgspec import Struct, field

from urlglean.expressions import compiled
from urlglean.grammar.schemes import SCHEMES
from urlglean.records import Span
from urlglean.text.candidates import Evidence
from urlglean.text.effort import Effort
from urlglean.text.gaps import LONGEST_ENCODED_LINE, RAW_SIGN
from urlglean.text.joining.break_record import CLOSING, GOES_ON, LOOK, SHORT, Break, Context
from urlglean.text.joining.line_geometry import LineGeometry
from urlglean.text.joining.server_replies import is_in_reply
from urlglean.text.quote_prefix import (
    BREAK,
    DEEPER,
    MARGIN_BLANK,
    PREFIX,
    Margin,
    behind_margin,
    behind_prefix,
    depth_of,
    line_start,
    margin_at,
    resume,
)
from urlglean.text.scheme_triggers import SCHEME, is_cut_before_host
from urlglean.text.shell_commands import COMMAND

ELSEWHERE = 4
"""In how many of the places where the same URL ends a line the next line is read."""

ALIKE = 3
"""Two tokens begin alike if this many code points are the same. The rest may have been cut at another column."""

BREAKABLE = "/?&=-"
"""Programs that fill lines break a URL that is too long behind one of these signs."""

# Behind a margin: the token, the rest of its line, and the line below. Mail programs that turn HTML into text put a
# link's address in angle brackets right behind its text.
_TEXT = rf"{MARGIN_BLANK}*+{DEEPER}((?:[^\s<]|<(?![A-Za-z/]))*+)([^\r\n]*+){BREAK}?+([^\r\n]*+)"
_BEHIND_MARGIN = compiled(f"(){_TEXT}")
# The same from the end of the line before, with the beginning of the line.
_NEXT_BEGINS = compiled(rf"[ \t]*+{BREAK}")
_NEXT = compiled(rf"[ \t]*+{BREAK}(){_TEXT}")
_OPAQUE = "|".join(f"{row.name}:(?:{row.prose.behind})" for row in SCHEMES if row.prose.behind)
# A magnet link that is broken before its topic.
_WITHOUT_TOPIC = r"magnet:\?(?:[^\s?]*&)?xt(?:\.[0-9]{1,3})?=\Z"
_NO_TOPIC = compiled(_WITHOUT_TOPIC, re.IGNORECASE)
# A line in which no URL goes on: it holds only the signs of a margin, or begins with another URL (or a list item). All
# that begins a URL here holds one of two signs; most lines begin with a word, which has neither.
_NOTHING_OF_URL = compiled(
    rf"{PREFIX}(?:\Z|(?=[^:.]*+[:.])(?:[0-9]{{1,3}}[.):]|[\[(][A-Za-z0-9]{{1,3}}[\])])?[^A-Za-z0-9/?&=%]{{0,6}}"
    rf"(?:(?:url:)?{SCHEME}://|doi:|{_OPAQUE}|{_WITHOUT_TOPIC}|www[0-9]?\.[a-z0-9]))",
    re.IGNORECASE,
)
# A diff may show the line. A comment behind code is told from prose by what stands before it.
_COMMENT_LINE = compiled(rf"{PREFIX}[+-]?[ \t]*+(#|//|%|;)[#/%;!:<|]*+")
_BEHIND_CODE = compiled(r"[\w)\]};:,'\"{(][ \t]+(?:(#)[ \t]+(?!\d)[^#]{0,60}|(//)[ \t]+(?!\d)[^#/]{0,40})\Z")
_ITEM, *_ITEMS_OR_COMMENTS = "- ", "* ", "-- ", "## "
"""The marks of a margin that begin an item of a list; all but the first may as well belong to a comment."""
_COMMENT_MARKS = frozenset("#/%;")
_REPEATED = frozenset("+->|")
# Quotation marks and stops that are none of ASCII, and what stands behind them, belong to the text around a URL.
_CLOSED = compiled(r"(?<=\w)[“”„’‘»«›‹」』】）。、，…]\W*+\Z")
_LEAD = compiled(r"[ \t>]*+")
_MARKS_OF_FLOWED = compiled(">*")
_AT_PROMPT = compiled(rf"[#%][ \t]+{COMMAND}")
_CODE = compiled(r"[=(){}\[\];\"']|:[ \t]+\Z|[ \t]{2}\Z")


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
    below = _NEXT_BEGINS.match(text, end) if line < start else None
    margin = margin_at(text, start, line, below=below.end() if below else None) if line < start else ()
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
    if not token or (not token.isalnum() and _NOTHING_OF_URL.match(token) and not _may_begin_with(place.url, token)):
        return None
    at, rest_at = found.span(2)
    return NextLine(start, at, rest_at + len(rest.rstrip()), token, rest.strip(), found.start(4), below)


def _may_begin_with(url: str, token: str) -> bool:
    """Whether a token with which no URL goes on usually is the rest of this one.

    Behind the "=" of a search, a host without a scheme is a value.
    """
    is_value = url[-1] == "=" and "?" in url and token[:4].lower() == "www."
    return is_value or is_topic(url, token) or is_cut_before_host(url)


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
    depth = depth_of(place.margin) if place.margin else 0
    next_depth = _depth(text, line.start, line.resume) if line.start < line.resume else 0
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
        length=place.end - place.line,
        next_length=line.end - line.start,
        margin=own - place.line,
        next_margin=line.resume - line.start,
        depth=depth,
        next_depth=next_depth,
        below_depth=_depth(text, line.below, line.below + below_from) if below_from else 0,
        cuts=place.cuts,
        flowed=around.flowed if _is_of_the_writer(text, place) else "",
        soft_line=text[place.end] == " "
        and not _is_signature(text, line)
        and _is_soft_line(around, place)
        and (_is_one_paragraph(text, place, line) if around.flowed else depth == next_depth),
        soft_break=url[-1] == "=" and _is_soft_break(around, place, line.token),
        next_blank=text[line.start].isspace(),
        in_reply=is_in_reply(text, place.start, text[line.start : line.resume]),
        ends_comment=_ends_comment(text, place, line),
        ends_item=own < place.start and _ends_item(text, place, line),
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


def _is_of_the_writer(text: str, place: Place) -> bool:
    """Whether a line end of flowed text is surely the writer's, or stands at a blank of the writer.

    It is not if the line is quoted, in whichever way: then its end is that of the text that was quoted. Some programs
    that fill lines break them behind hyphens too, and add a blank.
    """
    return place.url[-1] != "-" if text[place.end] == " " else not depth_of(place.margin)


def _is_one_paragraph(text: str, place: Place, line: NextLine) -> bool:
    """Whether two lines of flowed text are quoted as often, and no blank or ">" begins the text of the second only.

    Only ">" at the beginning of a line quotes it (RFC 3676 4.5), and one blank behind that is none of the text (4.4).
    But programs that know nothing of this quote with "> > ".
    """
    marks = _quoting(text, line.start)
    if marks != _quoting(text, place.line):
        return False
    at, leads = line.start + len(marks), [_LEAD.match(text, begin) for begin in (place.line, line.start)]
    is_alike = len({lead and lead.group() for lead in leads}) == 1
    return is_alike or text[at] != " " or text[at + 1] not in " \t>"


def _quoting(text: str, at: int) -> str:
    found = _MARKS_OF_FLOWED.match(text, at)
    return found.group() if found else ""


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


def _ends_comment(text: str, place: Place, line: NextLine) -> bool:
    """Whether a comment of source code ends with the URL's line: the next line closes it, or lacks its mark.

    What looks like a comment may also be a command at the prompt of root; the next prompt, or the output, begins the
    next line.
    """
    if line.token.startswith("*/"):
        return True
    mark = _comment_at(text, place)
    goes_on = place.url[-1] in GOES_ON and not place.url.endswith("__")
    if not mark or (goes_on and not (line.rest and line.token.isalpha())):
        return False
    is_prompt = _AT_PROMPT.search(text, max(place.line, place.start - LOOK), place.start) is not None
    if (behind := _COMMENT_LINE.match(text, line.start)) and behind[1] == mark:
        # Code that was made a comment has the mark directly before it, prose has a blank between them.
        is_code = mark in "#%" and text[behind.end() : behind.end() + 1].isalpha()
        return not goes_on and (is_prompt or (is_code and text[place.start - 1].isspace()))
    is_short = place.end - place.line < SHORT and not goes_on
    return is_short or not (is_prompt or _may_be_rest(text, place, line, mark))


def _may_be_rest(text: str, place: Place, line: NextLine, mark: str) -> bool:
    """Whether a program that wraps lines may have put the rest of a comment into a line.

    It does not repeat the mark of a diff or a quotation. Otherwise more of the comment follows the rest, which is
    not indented, and the line below that has the mark again. No URL in the 31 comments of labelled mail
    goes on in a line without the mark.
    """
    if text[place.line] in _REPEATED and text[line.start] != text[place.line]:
        return True
    if not line.rest or line.rest.startswith("=") or _is_indented(text, line):
        return False
    below = _COMMENT_LINE.match(text, line.below)
    return below is not None and below[1] == mark


def _is_indented(text: str, line: NextLine) -> bool:
    """Whether more than one blank, or nothing but blanks, stands before the text of a line."""
    lead = text[line.start : line.resume]
    return lead.isspace() or lead.endswith(("  ", "\t"))


def _ends_item(text: str, place: Place, line: NextLine) -> bool:
    """Whether the URL's line and the next one begin with the same mark of a list, for sure if both hold URLs."""
    if not place.margin or (mark := place.margin[-1]) not in {_ITEM, *_ITEMS_OR_COMMENTS}:
        return False
    return (mark == _ITEM or "://" in line.rest) and mark in margin_at(text, line.resume, line.start, below=place.line)


def _comment_at(text: str, place: Place) -> str:
    """The mark of the comment in which the URL stands; "" if there is none."""
    low = max(place.line, place.start - LOOK)
    head = text[low : place.start]
    if _COMMENT_MARKS.isdisjoint(head):
        return ""
    found = _COMMENT_LINE.match(text, place.line, place.start)
    if found and (found.end() == place.start or text[found.end()] in " \t"):
        return found[1]
    found = _BEHIND_CODE.search(head)
    number = (found.lastindex or 0) if found else 0
    return found[number] if found and _CODE.search(head, 0, found.start(number)) else ""


def _line_above(text: str, line: int) -> str:
    """The last `LOOK` code points of the line above the one that begins at `line`."""
    end = line - 1
    end -= text.endswith("\r", 0, end) + text.endswith("\r\r", 0, end)
    return text[max(0, end - LOOK) : end].rpartition("\n")[2] if end > 0 else ""


def _depth(text: str, line: int, at: int) -> int:
    """How many quote marks stand between `line`, where a line begins, and `at`."""
    # Most margins are blanks.
    return depth_of(margin_at(text, at, line)) if text[line:at].strip(" \t") else 0
