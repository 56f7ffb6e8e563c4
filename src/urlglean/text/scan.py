"""Where candidates stand: wrappers and bare URLs, in one pass over the colons of a text.

RFC 1738's appendix gives the wrappers `<URL:...>` and the prefix `URL:`; RFC 3986 appendix C adds `<...>` and `"..."`.
What a bare URL may look like is a guess, kept apart in the tables of schemes below and in `ends`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

import regex

from urlglean.records import Candidate, Span
from urlglean.text import ends
from urlglean.text.pages import page_break
from urlglean.text.quotation import LINE_BREAK, margin_at, resume

# Schemes that stand in text without "//", each with what must follow its colon: "good news: the" is prose.
PRETESTS = {
    "mailto": r"[^\s<>\"@]*@[^\s<>\"@]|\?[a-z]+=",
    "news": r"[a-z0-9][a-z0-9+_-]*\.[a-z0-9]|[a-z*.]*\*|[^\s<>\"@]+@[^\s<>\"@]",
    "snews": r"[a-z0-9][a-z0-9+_-]*\.[a-z0-9]|[a-z*.]*\*|[^\s<>\"@]+@[^\s<>\"@]",
    "mid": r"[^\s<>\"@]+@[^\s<>\"@]",
    "cid": r"[^\s<>\"@]+@[^\s<>\"@]",
    "urn": r"[a-z0-9][a-z0-9-]{1,31}:[^\s<>\"]",
    "tel": r"\+?[0-9().-]*[0-9]{3}",
    "sip": r"[^\s<>\"@]+@[^\s<>\"@]",
    "sips": r"[^\s<>\"@]+@[^\s<>\"@]",
    "xmpp": r"[^\s<>\"@]+@[^\s<>\"@]",
    "data": r"(?:[a-z]+/[a-z0-9.+-]+)?(?:;[a-z0-9=-]+)*,",
    "geo": r"-?[0-9]{1,3}(?:\.[0-9]+)?,-?[0-9]",
    "file": r"/[^\s/<>\"]",
}
_PRETEST = {scheme: re.compile(pattern, re.IGNORECASE) for scheme, pattern in PRETESTS.items()}

# Schemes that are known to stand before "//"; any other needs a host that looks like one.
WITH_SLASHES = frozenset(
    "http https ftp ftps sftp gopher gophers telnet tn3270 nntp nntps news snews wais prospero file nfs afs afp smb cifs "
    "ws wss ldap ldaps rtsp rtspu mms mmst irc ircs git svn cvs bzr hg ssh rsync tftp imap imaps pop dict finger whois "
    "feed vnc rdp webcal jdbc redis mongodb amqp mysql postgresql ipp ipps dns dav davs magnet view-source ed2k xmpp z39.50r "
    "z39.50s mailserver chrome resource about".split()
)
_GLUED = tuple(
    sorted(WITH_SLASHES & {"http", "https", "ftp", "gopher", "telnet", "news", "nntp"}, key=len, reverse=True)
)
_PLAUSIBLE_HOST = re.compile(
    r"//(?:[^\s/@<>\"]*@)?(?:localhost|\[[0-9a-f:.]+\]|(?:[a-z0-9_-]+\.)+(?:[a-z]{2,}|[0-9]{1,3}))(?![a-z0-9-])",
    re.IGNORECASE,
)
_WHOLE_HOST = re.compile(r"//[^\s<>\"]")

_WORDS = ["url", *PRETESTS, "http", "https", "ftp", "gopher", "telnet", "nntp"]
_TRIGGER = regex.compile(
    r":(?:(?<=([a-z0-9+.-]+):)(?=//)|(?<=(?<![a-z0-9+.-])(\L<words>):))", regex.IGNORECASE, words=_WORDS
)
_OPENED = re.compile(r"<\s{0,80}\Z")
_SCHEME_AHEAD = re.compile(r"(?://)?([a-z][a-z0-9+.-]*):", re.IGNORECASE)
_URL_PREFIX_GAP = re.compile(r"[ \t]*(?:(?:\r\n|\n|\r)[ \t>|]*)?")
_STOP = re.compile(r"[<>\r\n]")
_QUOTED_RUN = re.compile(r"[^\s\"<>]*")
MAX_QUOTED_LINES = 4
"""A URL in quotation marks that is longer is taken for text that happens to stand between two of them."""


class Found(Candidate, frozen=True):
    """A candidate with what the scan knows of it: where it opened, whether its wrapper was left open, where to go on."""

    scheme: str
    resume: int
    unclosed: bool = False


def scan(text: str) -> Iterator[Found]:
    """The candidates of a text, in order, none overlapping another."""
    done = 0
    for hit in _TRIGGER.finditer(text):
        colon = hit.start()
        if colon < done:
            continue
        run, word = hit.group(1, 2)
        if run is not None and run.lower() == "url":
            run, word = None, run
        found = (
            _from_slashes(text, colon, run, done) if run is not None else _from_word(text, colon, word.lower(), done)
        )
        if found is not None:
            yield found
            done = found.resume


def _from_word(text: str, colon: int, word: str, done: int) -> Found | None:
    """A candidate at the colon of `URL:` or of a scheme that may stand without "//"."""
    start = colon - len(word)
    if start < done:
        return None
    opener = _opener(text, start, done)
    if word == "url":
        return _from_url_prefix(text, colon + 1, opener)
    if opener == "<" and (found := _wrapped(text, start, "angle", word)) is not None and _tested(text, found):
        return found
    pretest = _PRETEST.get(word)
    if pretest is None or not pretest.match(text, colon + 1):
        return None
    return _open(text, start, word, opener)


def _tested(text: str, found: Found) -> bool:
    """Whether a wrapped candidate passes its scheme's pretest once its white space is out."""
    pretest = _PRETEST.get(found.scheme, _WHOLE_HOST)
    content = "".join(text[found.span.start : found.span.end].split())
    return pretest.match(content, len(found.scheme) + 1) is not None


def _from_url_prefix(text: str, start: int, opener: str) -> Found | None:
    """A candidate behind `URL:`; inside `<URL:...>` any scheme is taken at its word."""
    gap = _URL_PREFIX_GAP.match(text, start)
    start = gap.end() if gap else start
    ahead = _SCHEME_AHEAD.match(text, start)
    if opener == "<":
        closed = _wrapped(text, ahead.start(1) if ahead else start, "url-angle", ahead[1].lower() if ahead else "")
        if closed is not None:
            return closed
    if ahead is None:
        return None
    scheme = ahead[1].lower()
    at = ahead.start(1)
    pretest = _PRETEST.get(scheme)
    fits = (pretest is not None and pretest.match(text, ahead.end())) or _WHOLE_HOST.match(text, ahead.end())
    if not fits or (
        scheme not in WITH_SLASHES and scheme not in PRETESTS and not _PLAUSIBLE_HOST.match(text, ahead.end())
    ):
        return None
    return _bare(text, at, scheme, "url-prefix", unclosed=opener == "<")


def _from_slashes(text: str, colon: int, run: str, done: int) -> Found | None:
    """A candidate at the colon of `scheme://`."""
    start = max(colon - len(run), done)
    scheme = text[start:colon].lower().lstrip("0123456789+.-")
    if scheme not in WITH_SLASHES and "+" not in scheme:
        # Glued to the word before it, or to its punctuation: the scheme that everybody knows is the one that is meant.
        scheme = next((known for known in _GLUED if scheme.endswith(known)), scheme)
    if not scheme or (scheme not in WITH_SLASHES and not _PLAUSIBLE_HOST.match(text, colon + 1)):
        return None
    start = colon - len(scheme)
    opener = _opener(text, start, done)
    if opener == "<" and (found := _wrapped(text, start, "angle", scheme)) is not None and _tested(text, found):
        return found
    return _open(text, start, scheme, opener) if _WHOLE_HOST.match(text, colon + 1) else None


def _opener(text: str, start: int, done: int) -> str:
    """The wrapper's sign before `start`: "<" even with white space between, else the character itself."""
    before = text[max(start - 1, done) : start]
    if before.isspace() and _OPENED.search(text, max(start - 81, done), start):
        return "<"
    return before


def _open(text: str, start: int, scheme: str, opener: str) -> Found:
    """A candidate that no angle brackets close: in quotation marks, or bare."""
    if opener == '"' and (found := _quoted(text, start, scheme)) is not None:
        return found
    return _bare(text, start, scheme, "bare", unclosed=opener == "<")


def _bare(text: str, start: int, scheme: str, wrapper: ends.OpenWrapper, *, unclosed: bool) -> Found:
    end = ends.run_end(text, start + len(scheme) + 1)
    return Found(Span(start, end), wrapper, scheme, end, unclosed)


def _wrapped(text: str, start: int, wrapper: ends.ClosedWrapper, scheme: str) -> Found | None:
    """The candidate from `start` to the ">" that closes its wrapper; None when nothing closes it.

    A line's quote prefix is no ">" (`quotation.resume` passes over it); a blank line or a new "<" leaves it unclosed.
    """
    margin, pos = None, start
    while (stop := _STOP.search(text, pos)) is not None:
        if stop.group() == ">":
            end = start + len(text[start : stop.start()].rstrip())
            return Found(Span(start, end), wrapper, scheme, stop.end())
        if stop.group() == "<":
            return None
        if (after_page := page_break(text, stop.start())) is not None:
            pos = after_page
            continue
        if margin is None:
            margin = margin_at(text, start)
        line = LINE_BREAK.match(text, stop.start())
        pos = resume(text, line.end() if line else stop.end(), margin)
        if text[pos : pos + 1] in {"", "\r", "\n"}:
            return None
    return None


def _quoted(text: str, start: int, scheme: str) -> Found | None:
    """The candidate from `start` to the quotation mark that closes it, with line breaks but no blanks between."""
    margin, pos = None, start
    for _ in range(MAX_QUOTED_LINES):
        run = _QUOTED_RUN.match(text, pos)
        pos = run.end() if run else pos
        if text[pos : pos + 1] == '"':
            return Found(Span(start, pos), "quoted", scheme, pos + 1)
        line = LINE_BREAK.match(text, pos)
        if line is None:
            return None
        margin = margin_at(text, start) if margin is None else margin
        pos = resume(text, line.end(), margin)
    return None
