"""Where candidates stand: wrappers and bare URLs, in one pass over the colons of a text.

RFC 1738's appendix gives the wrappers `<URL:...>` and the prefix `URL:`; RFC 3986 appendix C adds `<...>` and `"..."`.
What may be a bare URL is a guess, kept apart in `lexicon`, and so is where it ends, in `ends`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from urlglean.lazy import pattern
from urlglean.records import Span, Wrapper
from urlglean.text import plain
from urlglean.text.ends import end_of
from urlglean.text.found import Found
from urlglean.text.lexicon import GLUED, SPLIT, WITH_SLASHES, WITHOUT_SLASHES, is_followed
from urlglean.text.opener import opener
from urlglean.text.pages import page_break
from urlglean.text.quotation import BREAK, LINE_BREAK, PREFIX, behind_blanks, margin_at, resume

_WORDS = frozenset({"url", *WITHOUT_SLASHES, *SPLIT})
_SUFFIXES = "|".join(sorted({word[-2:] for word in _WORDS}))
# A colon before "//", or behind the last two letters of a word that matters: the rest is told at the few that are left.
_COLON = rf"(?=//)|(?<=(?i:{_SUFFIXES}):)"
_TRIGGER = re.compile(rf":(?:{plain.REST}|{_COLON})")
_SLOW_TRIGGER = pattern(rf":(?:{_COLON})")
_SCHEME_CHARS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+.-"
MAX_SCHEME = 60
"""A longer run of scheme characters before a colon is no scheme's name."""

# People have written `<URL://http://...>`.
_AHEAD = pattern(r"(?://)?([a-z][a-z0-9+.-]*):", re.IGNORECASE)
_BREAK = rf"[ \t]*{BREAK}{PREFIX}"
_BETWEEN_LINES = pattern(_BREAK)
# A scheme broken over two lines in angle brackets, its two halves.
_BROKEN_SCHEME = pattern(rf"<[ \t]*([A-Za-z][A-Za-z0-9+.-]{{0,11}}){_BREAK}([A-Za-z0-9+.-]{{0,11}})\Z")
_STOP = pattern(r"[<>\r\n]")
_QUOTED_RUN = pattern(r"[^\s\"<>]*")
MAX_QUOTED_LINES = 4
"""A URL in quotation marks that is longer is taken for text that happens to stand between two of them."""


def scan(text: str, *, fast: bool) -> Iterator[Found | Span]:
    """The candidates of a text, in order, none overlapping another.

    Args:
        text: the whole text.
        fast: whether URLs that leave nothing to read or to judge come read and judged (see `plain`), most of them as
            their `Span` alone.
    """
    done = 0
    for hit in (_TRIGGER if fast else _SLOW_TRIGGER).finditer(text):
        colon = hit.start()
        if colon < done:
            continue
        if fast and (number := hit.lastindex) and (at := plain.at_colon(text, hit, number, done)) is not None:
            yield at
            done = at.end if isinstance(at, Span) else at.resume
        elif (found := _at_colon(text, colon, done, fast=fast)) is not None:
            yield found
            done = found.resume


def _at_colon(text: str, colon: int, done: int, *, fast: bool) -> Found | None:
    """The candidate at a colon, if there is one."""
    before = text[max(done, colon - MAX_SCHEME) : colon]
    run = before[len(before.rstrip(_SCHEME_CHARS)) :].lower()
    if run == "url":
        return _behind_url(text, colon, done, fast=fast)
    with_slashes = text.startswith("//", colon + 1)
    scheme = _scheme_of(run) if with_slashes else run
    known = scheme in WITH_SLASHES if with_slashes else scheme in _WORDS
    if not known and (found := _from_broken_scheme(text, colon, done)) is not None:
        return found
    return _from_scheme(text, colon, scheme, done) if known or with_slashes else None


def _from_broken_scheme(text: str, colon: int, done: int) -> Found | None:
    """A candidate in angle brackets whose scheme itself is broken over two lines."""
    broken = _BROKEN_SCHEME.search(text, max(done, colon - MAX_SCHEME), colon)
    if broken is None or (scheme := (broken[1] + broken[2]).lower()) not in WITH_SLASHES | WITHOUT_SLASHES.keys():
        return None
    return _closed(text, broken.start(1), scheme)


def _scheme_of(run: str) -> str:
    """The scheme at the end of a run of scheme characters, which may be glued to a word or to its punctuation."""
    scheme = run.lstrip("0123456789+.-")
    if scheme in WITH_SLASHES or "+" in scheme:
        return scheme
    return next((known for known in GLUED if scheme.endswith(known)), scheme)


def _from_scheme(text: str, colon: int, scheme: str, done: int) -> Found | None:
    """A candidate at the colon of its scheme."""
    start = colon - len(scheme)
    if not scheme or start < done:
        return None
    sign = opener(text, start, done)
    if sign == "<" and (found := _closed(text, start, scheme)) is not None:
        return found
    if not is_followed(text, scheme, colon + 1):
        return None
    if sign == '"' and (found := _quoted(text, start)) is not None:
        return found
    return _bare(text, start, "bare", unclosed=sign == "<")


def _closed(text: str, start: int, scheme: str) -> Found | None:
    """A candidate in angle brackets that close, if what they hold may be a URL of the scheme."""
    found = _wrapped(text, start, "angle")
    if found is None:
        return None
    gone = _BETWEEN_LINES.sub("", text[start : found.span.end])
    return found if is_followed("".join(gone.split()), scheme, len(scheme) + 1) else None


def _behind_url(text: str, colon: int, done: int, *, fast: bool) -> Found | None:
    """A candidate behind `URL:`; inside `<URL:...>` any scheme is taken at its word."""
    sign = opener(text, colon - len("URL"), done)
    if fast and (plainly := plain.behind_prefix(text, colon + 1, sign)) is not None:
        return plainly
    start = _content_start(text, colon + 1)
    ahead = _AHEAD.match(text, start)
    scheme, at = (ahead[1].lower(), ahead.start(1)) if ahead else ("", start)
    if sign == "<" and (closed := _wrapped(text, at, "url-angle")) is not None:
        return closed
    if ahead is None or not is_followed(text, scheme, ahead.end()):
        return None
    return _bare(text, at, "url-prefix", unclosed=sign == "<")


def _content_start(text: str, at: int) -> int:
    """Where the URL begins behind `URL:`, which may end its line."""
    start = behind_blanks(text, at)
    line = LINE_BREAK.match(text, start)
    return start if line is None else resume(text, line.end(), margin_at(text, at), wrapped=True)


def _bare(text: str, start: int, wrapper: Wrapper, *, unclosed: bool) -> Found:
    end = end_of(text, start, text[start - 1] if start else "")
    return Found(Span(start, end.at), wrapper, end.at, end.cut_by, end.run, unclosed)


def _wrapped(text: str, start: int, wrapper: Wrapper) -> Found | None:
    """The candidate from `start` to the ">" that closes its wrapper; None when nothing closes it.

    A line's quote prefix is no ">" (`quotation.resume` passes over it); a blank line or a new "<" leaves it unclosed.
    """
    margin, pos, end = None, start, start
    while (stop := _STOP.search(text, pos)) is not None and stop.group() != "<":
        if content := text[pos : stop.start()].rstrip():
            end = pos + len(content)
        if stop.group() == ">":
            start += len(text[start:end]) - len(text[start:end].lstrip())
            return Found(Span(start, end), wrapper, stop.end())
        if (after_page := page_break(text, stop.start())) is not None:
            pos = after_page
            continue
        # The wrapper's own "<" is no mark of the margin: in the next line it would open another.
        margin = margin_at(text, text.rfind("<", 0, start)) if margin is None else margin
        pos = resume(text, _next_line(text, stop.start()), margin, wrapped=True)
        if text[pos : pos + 1] in {"", "\r", "\n"}:
            return None
    return None


def _quoted(text: str, start: int) -> Found | None:
    """The candidate from `start` to the quotation mark that closes it, with line breaks but no blanks between."""
    margin, pos = None, start
    for _ in range(MAX_QUOTED_LINES):
        run = _QUOTED_RUN.match(text, pos)
        pos = run.end() if run else pos
        if text[pos : pos + 1] == '"':
            # American usage puts the sentence's stop inside the quotation marks; other signs stand there on purpose.
            end = start + len(text[start:pos].rstrip(".,"))
            cut_by = ("closing-punctuation",) if end < pos else ()
            return Found(Span(start, end), "quoted", pos + 1, cut_by)
        if (line := LINE_BREAK.match(text, pos)) is None:
            return None
        margin = margin_at(text, start) if margin is None else margin
        pos = resume(text, line.end(), margin, wrapped=True)
    return None


def _next_line(text: str, line_break: int) -> int:
    """The start of the line behind the line break at `line_break`."""
    found = LINE_BREAK.match(text, line_break)
    return found.end() if found else line_break
