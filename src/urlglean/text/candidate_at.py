"""The candidate at a colon, or at a host without a scheme: its scheme, its beginning and its wrapper.

The beginning of a bare URL is a guess, made in `scheme_triggers`; its end is a guess too, made in `url_end`.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

from msgspec.structs import replace

from urlglean.grammar.schemes import FAMILIAR
from urlglean.lazy import pattern
from urlglean.records import Span, Wrapper
from urlglean.text import fast_path, near_urls
from urlglean.text.bare_hosts import BARE_HOST, assumed_at, goes_on, is_before_word
from urlglean.text.candidates import BLANK, Found
from urlglean.text.closed_wrappers import in_angles, in_quotes
from urlglean.text.destinations import destination_end
from urlglean.text.emphasis import opened_before
from urlglean.text.gaps import first_readings, gaps
from urlglean.text.opening_sign import opener
from urlglean.text.quote_prefix import BREAK, LINE_BREAK, Margin, behind_blanks, depth_of, margin_at, resume
from urlglean.text.scheme_triggers import (
    AROUND,
    BY_REST,
    ENCLOSED_URL,
    GLUED,
    KNOWN,
    NEXT_URL,
    SPLIT,
    WITH_SLASHES,
    WITHOUT_SLASHES,
    WRAPPED,
    any_of,
    has_no_scheme,
    is_before_mail,
    is_followed,
    is_host,
)
from urlglean.text.search_terms import LONGEST_SCHEME, SearchTerms
from urlglean.text.tail_rules import tail_of
from urlglean.text.url_end import end_of
from urlglean.text.verbatim import BEFORE_SCHEME

WORDS = frozenset({"url", *WITHOUT_SLASHES, *FAMILIAR})
"""The words before a colon without `//` behind which a candidate may begin."""

_KNOWN = WORDS | WITH_SLASHES
_SCHEME_CHARS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+.-"
# Scheme characters with which no scheme begins.
_NO_FIRST = "0123456789+.-"

# An escape sequence (ECMA-35 13.1, ECMA-48 5.4), as of ISO-2022-JP or a terminal. A letter ends it, which nobody sees.
_ESCAPE_SEQUENCE = pattern(r".*\x1b(?:\[[0-?]*+[ -/]*+[@-~]|[ -/]++[0-~])", re.DOTALL)
# The change of a font in sources of manual pages.
_FONT = pattern(r".*\\f(?:[A-Z0-9]|\([A-Z0-9]{2})", re.DOTALL)
# A line end, tab or form feed in source code, a bracket or quotation mark of HTML in JSON, and a quotation mark in
# manual pages (groff_char(7)).
_ESCAPED = pattern(r".*\\(?:[fnrt]|(?:u00|x)(?:2[27]|3[CEce])|\*?\([acdlor]q|\*\(Aq)", re.DOTALL)
# What the first octet of a Chinese or Japanese character is, read as another charset: its second one may be a letter.
# Signs that stand before a URL are left out, as quotation marks and bullets.
_OF_TWO_OCTETS = pattern(r"(?=[\x80-\u02ff‚„†‡‰])[^\W\d_]|[\x80-\x9f‚„†‡‰¢-¦©¬®¯±-´¸¹¼-¾]")
# People who report abuse mask the scheme, as in `h**p://`. What is left behind the asterisks is no scheme.
_MASKED = pattern(r"[A-Za-z]\*++[A-Za-z0-9+.-]*+\Z")
# A setting whose name ends so, as in `LOG_FILE:/var/log/x`.
_BEHIND_NAME = pattern(r"[A-Za-z0-9]_")
# No name of a setting ends in these.
_NO_NOUNS = frozenset(BY_REST)
_AROUND = pattern(rf"(?<![A-Za-z0-9+.-]){any_of(AROUND)}:\Z", re.IGNORECASE)
# Words before the URL, or the prefix once more. What a blank divides within a scheme begins with no whole one, unless
# that stands behind the sign of a double scheme, as in `git+ https:`, or behind another scheme, as in
# `view-source: http:`.
_WORDS_BEFORE = pattern(
    rf"(?![a-z]+[+.-][ \t]++{any_of(FAMILIAR)}:)"
    rf"(?:(?!{any_of([*AROUND, *WITHOUT_SLASHES])}:)[^\s<>/:\"]{{1,20}}+:?[ \t]++){{1,30}}+"
    rf"(?={any_of(FAMILIAR)}://)"
    r"|(?:URL:[ \t]*+){1,3}+(?=[a-z])",
    re.IGNORECASE,
)
# The sign that closes it stands behind the URL, which is read as a bare one.
_OPENS_REMARK = pattern(r"(?:\A|\s)[(\[{'`“‘][^)\]}'’”]*+\Z")
# People have written `<URL://http://...>`.
_AHEAD = pattern(r"(?://)?([a-z][a-z0-9+.-]*):", re.IGNORECASE)
# The first half of a scheme that is broken over two lines. A formatter may have put in the hyphen at its end.
_HALF_SCHEME = pattern(
    rf"(?<![A-Za-z0-9+.-])([A-Za-z](?:[A-Za-z0-9+.-]{{0,10}}[A-Za-z0-9+.])?)([-\u2010]?)(?:=|[ \t]{{0,8}}){BREAK}\Z"
)
_HALF_IN_ANGLE = pattern(r"<[ \t]{0,8}([A-Za-z][A-Za-z0-9+.-]{0,11})[ \t]{1,8}\Z")
_RESTS = {scheme: pattern(rest, re.IGNORECASE) for scheme, rest in BY_REST.items()}
_BEHIND_HOST = 16
"""The rules for the end of a host's name examine this many characters behind it."""


def candidate_at(text: str, hit: re.Match[str], done: int, search_terms: SearchTerms, *, fast: bool) -> Found | None:
    """The candidate at a colon, or at a host without a scheme; None if there is none.

    Args:
        text: the whole text.
        hit: the match of the colon or the host.
        done: where the last candidate ended; this one begins there or behind it.
        search_terms: the schemes and hosts to search in addition to the usual ones.
        fast: whether the fast path may be used (see `fast_path`).
    """
    colon = hit.start()
    if text[colon] != ":":
        return _from_host(text, hit, opener(text, colon, done))
    before = text[max(done, colon - LONGEST_SCHEME) : colon]
    run = _run_of(before)
    # What looks like such a sequence may be a sign before a scheme: the letter is the scheme's if it has one so.
    if "\x1b" in before and run not in _KNOWN | search_terms.schemes and (sequence := _ESCAPE_SEQUENCE.match(before)):
        before = before[sequence.end() :]
        run = _run_of(before)
    if "\\" in before:
        run = _behind_backslash(before, run)
    if "+" in run and (command := BEFORE_SCHEME.match(before)):
        run = _run_of(before[command.end() :])
    if run == "url":
        return _behind_url(text, colon, done, search_terms, fast=fast)
    with_slashes = text.startswith("//", colon + 1)
    scheme = _scheme_of(before, run) if with_slashes else run.lstrip(_NO_FIRST)
    known = scheme in WITH_SLASHES if with_slashes else scheme in WORDS
    if not known and (glued := _known_by_rest(text, colon, run)):
        scheme, known = glued, True
    if search_terms.schemes and (own := run.lstrip(_NO_FIRST)) in search_terms.schemes:
        scheme, known = own, True
    around = (text, colon, done, search_terms)
    if not known and (found := _from_broken_scheme(*around) or _from_parted_scheme(*around)) is not None:
        return found
    # The name of a host before "://" is no scheme either.
    if not known and (not with_slashes or _MASKED.search(before) or has_no_scheme(scheme, 0)):
        return None
    return _from_scheme(text, colon, scheme, done, search_terms)


def begin_of(text: str, hit: re.Match[str]) -> int:
    """Where the candidate at a hit may begin: before its scheme."""
    colon = hit.start()
    if text[colon] != ":":
        return colon
    before = text[max(0, colon - LONGEST_SCHEME) : colon]
    run = _run_of(before)
    return colon - len(_scheme_of(before, run) if text.startswith("//", colon + 1) else run.lstrip(_NO_FIRST))


def _behind_backslash(before: str, run: str) -> str:
    """The run of scheme characters at the end of a text, without the letters that belong to a backslash before it."""
    escape = _ESCAPED.match(before)
    # Each part of a double scheme, such as `svn+ssh`, is one.
    if escape and _KNOWN.issuperset((within := _run_of(before[escape.end() :])).split("+")):
        return within
    font = None if run in _KNOWN else _FONT.match(before)
    return _run_of(before[font.end() :]) if font else run


def _run_of(before: str) -> str:
    """The scheme characters at the end of a text, in lower case."""
    return before[len(before.rstrip(_SCHEME_CHARS)) :].lower()


def _from_broken_scheme(text: str, colon: int, done: int, search_terms: SearchTerms) -> Found | None:
    """The candidate whose scheme is broken over two lines before a colon; None if there is none.

    Without a wrapper it must be a known scheme before "//".
    """
    low = max(done, colon - LONGEST_SCHEME)
    begin = colon - len(_run_of(text[low:colon]))
    line = text.rfind("\n", low, begin) + 1
    # Only the first colon of a line can be that of such a scheme, so that the line before it is read once.
    if (
        not line
        or "://" in text[line:begin]
        or (half := _HALF_SCHEME.search(text, max(done, line - LONGEST_SCHEME), line)) is None
    ):
        return None
    start, rest = half.start(), text[begin:colon].lower()
    sign = opener(text, start, done)
    is_wrapped = sign in {"<", '"'}
    margin = margin_at(text, start, wrapped=is_wrapped, below=line)
    if resume(text, line, margin, wrapped=is_wrapped) != begin:
        return None
    if not is_wrapped and not _may_be_of_one(text, margin, begin):
        return None
    # RFC 1738 appendix: the hyphen "may or may not actually be part of the URL".
    for end in dict.fromkeys((half.end(1), half.end(2))):
        scheme = text[start:end].lower() + rest
        if (
            scheme in KNOWN | search_terms.schemes
            and (closed := _closed(text, start, scheme, search_terms, sign)) is not None
        ):
            return closed
        if scheme in WITH_SLASHES and is_followed(text, scheme, colon + 1):
            return _broken(text, start, Span(end, begin))
    return None


def _from_parted_scheme(text: str, colon: int, done: int, search_terms: SearchTerms) -> Found | None:
    """The candidate in angle brackets whose scheme blanks divide before `://`; None if there is none.

    White space in the brackets is ignored (RFC 3986 appendix C). Folds of a header field leave such blanks.
    """
    low = max(done, colon - 2 * LONGEST_SCHEME)
    begin = colon - len(_run_of(text[low:colon]))
    half = _HALF_IN_ANGLE.search(text, low, begin) if text.startswith("//", colon + 1) else None
    if half is None:
        return None
    scheme = (half[1] + text[begin:colon]).lower()
    return _closed(text, half.start(1), scheme, search_terms, "<") if scheme in WITH_SLASHES else None


def _broken_behind_colon(text: str, start: int, colon: int, scheme: str) -> Found | None:
    """The bare candidate of a well-known scheme whose "//" or host stands in the next line; None if there is none.

    Most are found without this (`is_followed`), but not behind the letters of a margin, such as initials.
    """
    if scheme not in GLUED:
        return None
    slashes = "//" if text.startswith("//", colon + 1) else ""
    behind = colon + 1 + len(slashes)
    end = behind + 1 if text.startswith("=", behind) else behind_blanks(text, behind)
    line = LINE_BREAK.match(text, end)
    if line is None:
        return None
    margin = margin_at(text, start, below=line.end())
    begin = resume(text, line.end(), margin, wrapped=False)
    host = begin if slashes else begin + len("//")
    if not text.startswith("//"[len(slashes) :], begin) or not is_host(text, host, behind_slashes=not slashes):
        return None
    return _broken(text, start, Span(behind, begin)) if _may_be_of_one(text, margin, begin) else None


def _may_be_of_one(text: str, margin: Margin, begin: int) -> bool:
    """Whether the line in which a URL goes on at `begin` has no marks that the margin of its first line has not.

    One with others is another writer's; one with fewer may be the rest of a quoted line that a program has wrapped.
    """
    below = margin_at(text, begin)
    return depth_of(below) <= depth_of(margin) and set(margin).issuperset(below)


def _broken(text: str, start: int, cut: Span) -> Found:
    """The bare candidate from `start` that goes on behind `cut`, a line end within its scheme or behind its colon."""
    found = _bare(text, cut.end, "bare", unclosed=False)
    return replace(found, span=Span(start, found.span.end), scheme_break=cut)


def _scheme_of(before: str, run: str) -> str:
    """The scheme at the end of a run of scheme characters, which ends a text; words and signs may precede it."""
    scheme = run.lstrip(_NO_FIRST)
    if scheme[1:] in WITH_SLASHES and _OF_TWO_OCTETS.match(before[: -len(scheme)][-1:]):
        return scheme[1:]
    if scheme in WITH_SLASHES or ("+" in scheme and "." not in scheme):
        return scheme
    return next((known for known in GLUED if scheme.endswith(known)), scheme)


def _known_by_rest(text: str, colon: int, run: str) -> str:
    """The scheme of `BY_REST` that ends a run before a colon, if its own rest follows; else ""."""
    return next((scheme for scheme, rest in _RESTS.items() if run.endswith(scheme) and rest.match(text, colon + 1)), "")


def _from_scheme(text: str, colon: int, scheme: str, done: int, search_terms: SearchTerms) -> Found | None:
    """The candidate whose scheme ends at a colon; None if there is none."""
    start = colon - len(scheme)
    if not scheme or start < done:
        return None
    is_setting = _BEHIND_NAME.match(text, start - 2) is not None and not text.startswith("//", colon + 1)
    if is_setting and scheme not in _NO_NOUNS | search_terms.schemes:
        return None
    around = _AROUND.search(text, max(done, start - LONGEST_SCHEME), start) if text[start - 1 : start] == ":" else None
    before = around.group() if around else ""
    start -= len(before)
    sign = opener(text, start, done)
    if (closed := _closed(text, start, scheme, search_terms, sign, before)) is not None:
        return closed
    if is_before_mail(text, scheme, colon + 1):
        end = colon + 1
        return Found(Span(start, end), "bare", end, run_end=end, unclosed=sign == "<", is_beginning=True)
    is_begun = is_followed(text, scheme, colon + 1, search_terms.schemes)
    # Behind the slashes a soft break of quoted-printable may stand, though nothing else shows one.
    if not is_begun or text.startswith("//=", colon + 1):
        broken = _broken_behind_colon(text, start, colon, scheme)
        if broken is not None or not is_begun:
            return broken or _near_url(text, start, colon, scheme)
    found = _bare(text, start, "bare", unclosed=sign == "<")
    return _if_followed(text, found, scheme, colon + 1, search_terms)


def _if_followed(text: str, found: Found, scheme: str, at: int, search_terms: SearchTerms) -> Found | None:
    """The bare candidate, if it is one without the sign right behind it too; `at` is the end of its scheme's colon.

    `mailto:a@` is not a URL, even if the sign behind it does not belong to it. Behind white space a URL may go on.
    """
    end = found.span.end
    if is_followed(text, scheme, at, search_terms.schemes, end):
        return found
    return replace(found, is_beginning=True) if text[end : end + 1].isspace() else None


def _from_host(text: str, host: re.Match[str], sign: str, *, behind_url: bool = False) -> Found | None:
    """The candidate at a host without a scheme.

    `sign` is the sign before it, or before its `URL:`, that may open a wrapper.
    """
    start, end = host.span()
    assumed = assumed_at(text, host)
    found = None
    if is_before_word(text, end):
        sign = ""  # what it encloses is not the host alone
    if sign == "<":
        found = in_angles(text, start, "url-angle" if behind_url else "angle")
    elif sign == '"' and not behind_url:
        found = in_quotes(text, start)
    if found is None:
        wrapper: Wrapper = "url-prefix" if behind_url else "bare"
        unclosed = sign == "<"
        more = goes_on(text, end)
        found = (
            _bare(text, start, wrapper, unclosed=unclosed)
            if more
            else _host_alone(text, host, wrapper, unclosed=unclosed)
        )
    return replace(found, assumed=assumed) if assumed else None


def _host_alone(text: str, host: re.Match[str], wrapper: Wrapper, *, unclosed: bool) -> Found:
    """The candidate that is only a host's name; if other characters of URLs follow, `cut_by` is "host"."""
    start, end = host.span()
    low = max(0, start - 1)
    # Only a part of the run is examined: with many names in one run, each would examine the whole run again.
    name_end = end_of(text[low : end + _BEHIND_HOST], start - low)
    if low + name_end.at > end:
        return Found(Span(start, end), wrapper, end, ("host",), end, unclosed=unclosed)
    return Found(
        Span(start, low + name_end.at),
        wrapper,
        low + name_end.at,
        name_end.cut_by,
        low + name_end.run,
        low + name_end.or_at if name_end.or_at else 0,
        unclosed,
    )


def _closed(  # noqa: PLR0913, PLR0917 - what is known of the candidate
    text: str, start: int, scheme: str, search_terms: SearchTerms, sign: str, before: str = ""
) -> Found | None:
    """The candidate in closed angle brackets or quotation marks, if its content may be a URL of the scheme; else None.

    `sign` is the sign before it that may open a wrapper. `before` is the prefix before the scheme, such as
    "view-source:", or "".
    """
    found = in_angles(text, start, "angle") if sign == "<" else in_quotes(text, start) if sign == '"' else None
    if found is None:
        return None
    front = f"{before}{scheme}:".lower()
    # A blank there is that of a label, as in `<tel: 0171 33>`.
    wrapped = WRAPPED.get(scheme) if text[start + len(front)] not in " \t" else None
    for content in _contents(text, found):
        is_one = content[: len(front)].lower() == front and (
            is_followed(content, scheme, len(front), search_terms.schemes)
            or (wrapped is not None and wrapped.match(content, len(front)) is not None)
        )
        if is_one or (sign == "<" and near_urls.is_near(content)):
            return found
    return None


def _contents(text: str, found: Found) -> Iterable[str]:
    """What may be in a wrapper: each reading without its white space."""
    content = found.of(text)
    if not BLANK.search(content):
        return (content,)
    return (reading.text for reading in first_readings(text, found.span, tuple(gaps(text, found.span)))[0])


def _near_url(text: str, start: int, colon: int, scheme: str) -> Found | None:
    """The candidate that is a near-URL, which will be rejected; None if it is none."""
    if scheme not in SPLIT or not near_urls.follows(text, colon + 1):
        return None
    run = near_urls.run_end(text, start)
    if "\\" not in text[start:run]:
        return _bare(text, start, "bare", unclosed=False)
    length, cut_by = tail_of(text[start:run], opened_before(text, start, run))
    return Found(Span(start, start + length), "bare", run, cut_by)


def _behind_url(text: str, colon: int, done: int, search_terms: SearchTerms, *, fast: bool) -> Found | None:
    """The candidate behind `URL:`; None if there is none. Inside `<URL:...>` every scheme is accepted."""
    sign = opener(text, colon - len("URL"), done)
    if fast and (plainly := fast_path.behind_prefix(text, colon + 1, sign)) is not None:
        return plainly
    start = _content_start(text, colon + 1)
    if search_terms.bare_hosts and (host := BARE_HOST.match(text, start)):
        return _from_host(text, host, sign, behind_url=True)
    is_in_remark = False
    if sign == "<" and (words := _WORDS_BEFORE.match(text, start)):
        start = words.end()
        is_in_remark = _OPENS_REMARK.search(words.group()) is not None
    ahead = _AHEAD.match(text, start)
    scheme, at = (ahead[1].lower(), ahead.start(1)) if ahead else ("", start)
    if sign == "<" and not is_in_remark and (closed := in_angles(text, at, "url-angle")) is not None:
        return closed
    if text.startswith("//=", ahead.end() if ahead else at) and (
        (broken := _broken_behind_colon(text, at, at + len(scheme), scheme)) is not None
    ):
        return replace(broken, wrapper="url-prefix")
    if ahead is None or not is_followed(text, scheme, ahead.end(), search_terms.schemes):
        return None
    found = _bare(text, at, "url-prefix", unclosed=sign == "<" and not is_in_remark)
    return _if_followed(text, found, scheme, ahead.end(), search_terms)


def _content_start(text: str, at: int) -> int:
    """The beginning of the URL behind `URL:`; it may be in the next line."""
    start = behind_blanks(text, at)
    line = LINE_BREAK.match(text, start)
    if line is None:
        return start
    return resume(text, line.end(), margin_at(text, at, wrapped=True, below=line.end()), wrapped=True)


def _bare(text: str, start: int, wrapper: Wrapper, *, unclosed: bool) -> Found:
    if enclosed := ENCLOSED_URL.match(text, start):
        return Found(Span(*enclosed.span()), wrapper, enclosed.end(), unclosed=unclosed)
    found = end_of(text, start)
    # In other languages, such brackets hold lists of URLs.
    end = destination_end(text, start)
    if end not in {0, found.at} and not NEXT_URL.search(text, found.at, end):
        return Found(Span(start, end), wrapper, end, ("unopened-bracket",), end, unclosed=unclosed)
    return Found(Span(start, found.at), wrapper, found.at, found.cut_by, found.run, found.or_at, unclosed)
