"""The probable meaning of a rejected candidate: a URL that was pasted behind a scheme, or the part before a frame.

A frame is markup around or behind a URL: a bracket without its counterpart, or a bracket around text that does not
belong to the URL, as in `http://h/[http://h/]`, `http://h/x{`, `http://h/x[/url]`. The meaning is the longest part that
ends before such a sign and that is accepted as a URL. All rules are guesses, one in each row.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from itertools import islice
from typing import Any

from msgspec import Struct

from urlglean.grammar.schemes import FAMILIAR
from urlglean.lazy import LazyPattern, pattern, unicode_pattern
from urlglean.records import Reading, Span
from urlglean.text.bars import BARE
from urlglean.text.bars import over as over_bars
from urlglean.text.effort import LONGEST
from urlglean.text.scheme_triggers import FIRST_LABEL, URL_AHEAD, any_of
from urlglean.text.signs import PAIRS, STOPS, one_of
from urlglean.text.tail_rules import tail_of
from urlglean.text.templates import WIKI_MACRO, is_template

MAX_CUTS = 16
"""At most this many signs of frames are tried in one candidate, from its beginning on."""

_FAMILIAR = any_of(FAMILIAR)
_DOUBLED = pattern(rf"(?:[A-Za-z][A-Za-z0-9+.-]{{1,15}}:/{{0,3}}){{1,3}}(?={_FAMILIAR}://)", re.IGNORECASE)
_SCHEME_ALONE = pattern(r"[A-Za-z][A-Za-z0-9+.-]*+://")
# A hyphen may be one that `mending` replaces.
_LABEL = r"[\w\u2010\u2011-]{1,63}"
_DOMAIN = rf"(?:{_LABEL}+\.){{1,9}}+{_LABEL}(?<=[^\W_])"
# What precedes an "@" may be a name and a password.
_NO_USER = r"(?![^/?#]*@)"
_NO_HOST = rf"(?:[,;!'()&=+$%|^*\[{{~]|@\Z|[_-](?![A-Za-z0-9])|:(?![0-9]){_NO_USER})"
_LITERAL = r"\[[0-9A-Fa-f:.]{2,45}+\]"
_DOMAIN_OR_LITERAL = rf"(?:{_DOMAIN}|{_LITERAL})"
_WITH_PORT = rf"(?:{_LABEL}+(?:\.{_LABEL}+){{0,9}}+|{_LITERAL}):[0-9]{{1,5}}+(?=[^0-9/?#]){_NO_USER}"
_HOST = pattern(
    # Other schemes may have several hosts.
    rf"(?i:{_FAMILIAR})://(?:{_WITH_PORT}|{_DOMAIN_OR_LITERAL}:[0-9]{{1,5}}+(?=@\Z))"
    rf"|[A-Za-z][A-Za-z0-9+.-]*+://{_DOMAIN_OR_LITERAL}(?={_NO_HOST})"
    # Outlook divides addresses by semicolons.
    rf"|mailto:[\w.+-]{{1,64}}+@{_DOMAIN}(?=[/:]|(?!;[\w.+-]{{1,64}}@){_NO_HOST})"
    # Behind a semicolon parameters stand, and behind commas, which are pauses, the number of a meeting.
    rf"|(?:sips?:[\w.+-]{{1,64}}+@{_DOMAIN}(?::[0-9]{{1,5}}+)?+"
    rf"|tel:\+?[0-9().-]{{3,20}}+(?!,,++[0-9]|,[0-9]++#))(?=(?!;){_NO_HOST})"
)
# A name of any script, whose vowels may be marks, or a slash.
_OF_NAME = r"\p{L}\p{M}\p{N}/"
_BEHIND_NAME = rf"(?<=[{_OF_NAME}])"
_MARK = (
    # The number of a note may stand behind the end of a sentence, and several may follow each other.
    rf"{_BEHIND_NAME}{one_of(STOPS)}?(?=\[)(?:\[\^?[0-9]{{1,3}}\])+\Z"
    rf"|{_BEHIND_NAME}\[(?=[^\[\]]++\]\Z)|(?<=\w)\{{(?=[^{{}}]*+\}}\Z)"
)
_BEFORE_ANOTHER = rf"{_BEHIND_NAME}[^{_OF_NAME}=:?&%@+()\[\]{{|\s]++(?=(?i:{URL_AHEAD}))"
_CONTROL = r"[\x00-\x08\x0e-\x1f\x7f]"
_BRACKET = pattern(f"[{re.escape(''.join([*PAIRS, *PAIRS.values()]))}]")
_BAR = pattern(r"(?<!\|)\|")
# The group is of a bar before an address.
_OPENER = pattern(
    rf"(?<![=+:(\[{{|])[(\[{{|]++(?:(?={_FAMILIAR}:|{FIRST_LABEL}\.)|(?P<value>(?<=\|))?(?=[\w.+-]{{1,64}}@))"
)
_MEET = pattern(r"[)\]}](?=[(\[{])")


class FrameRule(Struct, frozen=True):
    """A row: the places of such a sign in a URL, and whether the whole may have been meant nevertheless."""

    name: str
    places: Callable[[str], Iterable[int]]
    whole_may_be: bool = False


def _where(written: str, made: Callable[[str], LazyPattern[str, Any]] = pattern) -> Callable[[str], Iterable[int]]:
    sign = made(written)
    return lambda url: (found.start() for found in sign.finditer(url))


def _unpaired(url: str) -> Iterator[int]:
    """The places of brackets that close nothing, and then of those that nothing closes."""
    opened: list[tuple[str, int]] = []
    for found in _BRACKET.finditer(url):
        sign, at = found.group(), found.start()
        if sign in PAIRS:
            opened.append((PAIRS[sign], at))
        elif opened and opened[-1][0] == sign:
            opened.pop()
        else:
            yield at
    yield from (at for _, at in opened)


def _between_brackets(url: str) -> Iterator[int]:
    """The places between a closing bracket and an opening one; before the closing one if it closes nothing.

    In a search, brackets belong to the name of a value: `?a[b][c]=d`.
    """
    path, unpaired = url.partition("?")[0], set(_unpaired(url))
    return (at if (at := found.start()) in unpaired else at + 1 for found in _MEET.finditer(path))


def _link_macro(url: str) -> Iterator[int]:
    """The place of empty brackets at the end, as AsciiDoc writes them; in a search, they belong to a value's name."""
    if url.endswith("[]") and "?" not in url:
        yield len(url) - len("[]")


def _label(url: str) -> Iterator[int]:
    """The places of bars that do not belong to a URL that stands alone: a word or nothing follows in a path."""
    path = url.partition("?")[0]
    return (at for found in _BAR.finditer(path) if over_bars(url, 0, at := found.start(), BARE) == at)


def _behind_host(url: str) -> Iterator[int]:
    """The place of a sign that no host contains, directly behind a plausible host."""
    if host := _HOST.match(url):
        yield host.end()


def _before_another(url: str) -> Iterator[int]:
    """The places of signs before another URL, host or address. In a search, an address behind a bar is a value."""
    search = len(url.partition("?")[0])
    return (at for found in _OPENER.finditer(url) if (at := found.start()) < search or found["value"] is None)


FRAMES = (
    FrameRule("opens-another", _before_another),
    FrameRule("another-behind", _where(_BEFORE_ANOTHER, unicode_pattern)),
    FrameRule("closing-tag", _where(r"[\[{](?=/)")),
    FrameRule("wiki-macro", _where(WIKI_MACRO)),
    FrameRule("markup", _between_brackets),
    FrameRule("link-macro", _link_macro, whole_may_be=True),
    FrameRule("label", _label, whole_may_be=True),
    FrameRule("mark-behind", _where(_MARK, unicode_pattern), whole_may_be=True),
    FrameRule("unpaired-bracket", _unpaired, whole_may_be=True),
    FrameRule("delimiter", _where(r"[\"<>\\]")),
    # As a NUL at the end of a text by a program in C.
    FrameRule("control", _where(rf"(?<!{_CONTROL}){_CONTROL}++\Z")),
    FrameRule("ellipsis", _where(r"\.\.\.|…")),
    FrameRule("behind-host", _behind_host),
    # A sign of prose or of TeX, or the rest of an escape (RFC 1738 2.2) that a line end cut.
    FrameRule("cut-escape", _where(r"%[0-9A-Fa-f]?\Z")),
)


def brackets_in(url: str) -> int:
    """How many brackets a URL has: to pair them takes the most time."""
    return len(_BRACKET.findall(url))


def is_doubled(url: str) -> bool:
    """Whether a URL is pasted behind the scheme of another."""
    return _DOUBLED.match(url) is not None


def salvaged(reading: Reading) -> Iterator[tuple[Reading, bool]]:
    """The possible meanings of a rejected reading, the likeliest first; each with whether the whole may be meant too.

    Empty if the reading holds a placeholder.
    """
    url = reading.text
    if is_template(url):
        return
    if doubled := _DOUBLED.match(url):
        inner = stretch(reading, doubled.end(), len(url))
        yield inner, False
        reading, url = inner, inner.text
    cuts: dict[int, bool] = {}
    for rule in FRAMES:
        for at in islice(rule.places(url), MAX_CUTS):
            cuts[at] = cuts.get(at, True) and rule.whole_may_be
    for at in sorted((at for at in sorted(cuts)[:MAX_CUTS] if at <= LONGEST), reverse=True):
        end, _ = tail_of(url[:at], "")
        if end and not _SCHEME_ALONE.fullmatch(url, 0, end):
            yield stretch(reading, 0, end), cuts[at]


def stretch(reading: Reading, start: int, end: int) -> Reading:
    """A non-empty stretch of a reading's text as a reading of its own."""
    pieces: list[Span] = []
    done = len(reading.assumed)
    for piece in reading.pieces:
        length = piece.end - piece.start
        low, high = max(start - done, 0), min(end - done, length)
        if low < high:
            pieces.append(Span(piece.start + low, piece.start + high))
        done += length
    whole = Span(pieces[0].start, pieces[-1].end)
    joins = tuple(join for join in reading.joins if whole.start <= join.at.start and join.at.end <= whole.end)
    return Reading(reading.text[start:end], tuple(pieces), joins)
