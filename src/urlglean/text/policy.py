"""What is found beside what the dialect takes: URLs with raw signs that browsers take and readers copy.

    the dialect asked for takes it                                            valid
    else: dialect `web` takes it, its host looks like one, no sign ends a
    URL in any text, and it is no place to be filled in                       raw: found, `valid` false, with problems
    else                                                                      rejected

Which of these a URL is, is a matter of reading and so a guess; what the dialects say of it is not touched by it.
"""

from __future__ import annotations

import re

from urlglean.grammar.codes import CODES
from urlglean.grammar.dialect_tables import WEB
from urlglean.lazy import unicode_pattern
from urlglean.records import Dialect, Judge, Problem, Span
from urlglean.text.judge import judge_of
from urlglean.text.near_urls import is_near
from urlglean.text.salvage import is_doubled
from urlglean.text.scheme_triggers import HOLDS_ONE, WITH_SLASHES, WITHOUT_SLASHES, is_followed
from urlglean.text.templates import is_template

# White space, controls and delimiters (RFC 1738 2.2) end a URL in any text; a backslash is another's escape.
_ENDS_ONE = re.compile(r"[\s\x00-\x20\x7f-\x9f<>\"\\]")
_REFUSED = re.compile(r"%[0-9A-Fa-f]?\Z|\A(?i:https?)://[^/?#@:]*@")
_CUT_ESCAPE = re.compile(r"%(?![0-9A-Fa-f]{2})")
_SCHEME = re.compile(r"([A-Za-z][A-Za-z0-9+.-]*+):")
_KNOWN = WITH_SLASHES | WITHOUT_SLASHES.keys()
_AUTHORITY_END = re.compile("[/?#]")
_PORT = re.compile(r":[0-9]*+\Z")
# Underscores and emoji among the letters of all scripts, but in the last label, which is registered.
_HOST = unicode_pattern(
    r"(?:[\p{L}\p{M}\p{N}\p{So}\u200d\ufe0f_-]++\.)++[\p{L}\p{M}\p{N}-]*[\p{L}\p{M}\p{N}]\.?"
    r"|[A-Za-z0-9](?:[A-Za-z0-9-]*[A-Za-z0-9])?|\[[0-9A-Fa-f:.]+\]"
)
# That of an address, of which an archive may have masked letters.
_DOMAIN = unicode_pattern(r"[\p{L}\p{N}][\p{L}\p{N}·.-]*+(?=[?;&]|\Z)")


class Policy:
    """Tells what a reader takes for a URL, by the judge of a dialect.

    Args:
        dialect: which standard judges.
        strict: whether only what it takes is found.

    Raises:
        UnknownNameError: there is no such dialect.
    """

    def __init__(self, dialect: Dialect, *, strict: bool = False) -> None:
        self.dialect = dialect
        self.judge: Judge = judge_of(dialect)
        self.web = judge_of(WEB.name)
        self.strict = strict
        self.valid = self._valid_by_web if dialect == WEB.name else self.judge.valid
        """Whether the dialect takes a URL; a grammar refuses what is none to a reader."""

    def _valid_by_web(self, url: str) -> bool:
        """Whether it takes a URL, which it does with nearly anything, and it looks like one too."""
        return self.judge.valid(url) and (looks_like_one(url) or is_near(url))

    def raw(self, url: str) -> bool:
        """Whether browsers take what the dialect refuses, and a reader would copy it.

        Not what was cut in an escape, nor a user name where the scheme takes none: that misleads about the host.
        """
        if self.strict or _REFUSED.search(url):
            return False
        return looks_like_one(url) and self.web.valid(url)

    def raw_as_a_whole(self, url: str) -> bool:
        """The same of an attribute's value, in which nothing but what is to be filled in is another's."""
        scheme = _SCHEME.match(url)
        if self.strict or scheme is None or is_template(url) or scheme[1].lower() not in _KNOWN:
            return False
        return len(url) > scheme.end() and _CUT_ESCAPE.search(url) is None and self.web.valid(url)

    def takes(self, url: str) -> bool:
        """Whether it is found, valid or raw."""
        return self.valid(url) or self.raw(url)

    def problems(self, url: str) -> tuple[Problem, ...]:
        """Why a URL is not valid: by the dialect, or because a reader would not copy what it takes."""
        return self.judge(url).problems or (_no_url(url, "template" if is_template(url) else "unlike-a-url"),)

    def joins(self, url: str) -> bool:
        """Whether it may have been put together over a line break: an escape that was cut speaks against that."""
        return self.valid(url) or (_CUT_ESCAPE.search(url) is None and self.raw(url))


def _no_url(url: str, code: str) -> Problem:
    return Problem(code, Span(0, len(url)), CODES[code].source, CODES[code].meaning)


def looks_like_one(url: str) -> bool:
    """Whether a reader would copy it, if only something takes it; of one that holds another, that other tells."""
    held = HOLDS_ONE.match(url)
    return _looks_like_one(url[held.end() :] if held else url)


def _looks_like_one(url: str) -> bool:
    scheme = _SCHEME.match(url)
    if scheme is None or _ENDS_ONE.search(url) or is_doubled(url) or is_template(url):
        return False
    name, at = scheme[1].lower(), scheme.end()
    if not url.startswith("//", at):
        domain = url.rpartition("@")[2] if "@" in url else "any"
        return name in WITHOUT_SLASHES and is_followed(url, name, at) and _DOMAIN.match(domain) is not None
    if any(url.count(closing) > url.count(opening) for opening, closing in ("[]", "{}")):
        return False
    host = _PORT.sub("", _AUTHORITY_END.split(url[at + 2 :], maxsplit=1)[0].rpartition("@")[2])
    return _HOST.fullmatch(host) is not None or (name == "file" and not host)
