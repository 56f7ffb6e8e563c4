"""Decides which URLs are found: valid ones, and those with raw signs that browsers accept and readers copy.

    the dialect accepts it                                                    valid
    else: dialect `web` accepts it, its host is plausible, it holds no sign
    that ends a URL in any text, and it is no placeholder                     raw: found, `valid` false, with problems
    else                                                                      rejected

The choice between raw and rejected is a guess. It does not change the verdicts of the dialects.
"""

from __future__ import annotations

from functools import cached_property

from urlglean.expressions import compiled
from urlglean.grammar.codes import CODES
from urlglean.grammar.dialect_tables import WEB
from urlglean.lazy import unicode_pattern
from urlglean.records import Dialect, Judge, Problem, Span
from urlglean.text import fast_path
from urlglean.text.judge import judge_of
from urlglean.text.near_urls import is_near
from urlglean.text.salvage import is_doubled
from urlglean.text.scheme_triggers import HOLDS_ONE, KNOWN, WITHOUT_SLASHES, is_followed
from urlglean.text.templates import is_template

# White space, controls and delimiters (RFC 1738 2.2) end a URL in any text; a backslash is an escape of other formats.
_ENDS_ANY_URL = compiled(r"[\s\x00-\x20\x7f-\x9f<>\"\\]")
_CUT_AT_END = compiled(r"%[0-9A-Fa-f]?\Z")
_AUTHORITY = compiled(r"(?i:https?)://([^/?#]*+)")
_CUT_ESCAPE = compiled(r"%(?![0-9A-Fa-f]{2})")
_SCHEME = compiled(r"([A-Za-z][A-Za-z0-9+.-]*+):")
_AUTHORITY_END = compiled("[/?#]")
_PORT = compiled(r":[0-9]*+\Z")
# Letters of all scripts, underscores and emoji; the last label has no underscores and emoji, because it is registered.
_HOST = unicode_pattern(
    r"(?:[\p{L}\p{M}\p{N}\p{So}\u200d\ufe0f_-]++\.(?!\Z))++[\p{L}\p{M}\p{N}-]*[\p{L}\p{M}\p{N}]\.?"
    r"|[A-Za-z0-9](?:[A-Za-z0-9-]*[A-Za-z0-9])?|\[[0-9A-Fa-f:.]+\]"
)
# Names of buckets and containers need no DNS, so underscores are allowed in them (RFC 3986 3.2.2).
_OUTSIDE_DNS = compiled(r"[A-Za-z0-9][A-Za-z0-9_-]*[A-Za-z0-9]")
# The domain of an address, or its literal (RFC 5322 3.4.1). An archive of mail may have masked letters of it by "·".
_DOMAIN = unicode_pattern(
    r"(?:[\p{L}\p{N}][\p{L}\p{N}·.-]*+|\[(?:(?:[0-9]{1,3}+\.){3}[0-9]{1,3}+|(?:IPv6:)?[0-9A-Fa-f]*+:[0-9A-Fa-f:.]++)\])(?=[?;&]|\Z)"
)


class Policy:
    """Decides what is taken for a URL, with the judge of a dialect.

    Args:
        dialect: the standard that judges.
        strict: whether only URLs that the dialect accepts are found.

    Raises:
        UnknownNameError: there is no such dialect.
    """

    def __init__(self, dialect: Dialect, *, strict: bool = False) -> None:
        self.dialect = dialect
        self.judge: Judge = judge_of(dialect)
        self.strict = strict
        self.valid = (
            self._valid_by_web
            if dialect == WEB.name
            else self._valid_at_once
            if dialect in fast_path.DIALECTS
            else self.judge.valid
        )
        """Whether the dialect accepts a URL. `web` accepts nearly anything, so the URL must also look like one."""

    @cached_property
    def web(self) -> Judge:
        """The judge of dialect `web`, made when it is first needed: its library and patterns are slow to load."""
        return judge_of(WEB.name)

    def _valid_at_once(self, url: str) -> bool:
        """Whether the dialect accepts a URL; most need no judge."""
        # Measured (Python 3.11): 0.6 us by the pattern, 1.3 us by the judge, whose grammar takes 12 ms at first.
        return fast_path.is_url(url) or self.judge.valid(url)

    def _valid_by_web(self, url: str) -> bool:
        """Whether dialect `web` accepts a URL, and it looks like a URL or near-URL to a reader."""
        return self.judge.valid(url) and (looks_like_one(url, outside_dns=True) or is_near(url))

    def raw(self, url: str) -> bool:
        """Whether browsers accept a URL that the dialect refuses, and a reader would copy it.

        It is false for a URL that ends inside an escape, and for `http` and `https` with a user name but no password,
        because the user name is easily taken for the host. Dialect `web` refuses none that browsers accept.
        """
        if self.strict or self.dialect == WEB.name or _CUT_AT_END.search(url) or _has_only_a_name(url):
            return False
        return looks_like_one(url) and self.web.valid(url)

    def raw_as_a_whole(self, url: str) -> bool:
        """The same for an attribute's value.

        All of it is the URL, so it may hold signs that end a URL in text, and a `%` that begins no escape may be its
        last sign: nothing was cut. Browsers follow such a URL (URL Standard 4.1, validation error invalid-URL-unit).
        Its scheme need not be known, unless a blank behind the colon shows a word of prose, as in "Note: see below".
        """
        scheme = _SCHEME.match(url)
        if self.strict or scheme is None or is_template(url):
            return False
        name, at = scheme[1].lower(), scheme.end()
        return len(url) > at and (name in KNOWN or not url.startswith(" ", at)) and self.web.valid(url)

    def takes(self, url: str) -> bool:
        """Whether a URL is found, as valid or as raw."""
        return self.valid(url) or self.raw(url)

    def problems(self, url: str) -> tuple[Problem, ...]:
        """The problems of a URL that is not valid: those of the dialect, or that a reader would not copy it."""
        return self.judge(url).problems or (_problem(url, "template" if is_template(url) else "unlike-a-url"),)

    def joins(self, url: str) -> bool:
        """Whether a URL that was joined over line breaks is found. A raw one must not hold an incomplete escape."""
        return self.valid(url) or (_CUT_ESCAPE.search(url) is None and self.raw(url))


def _has_only_a_name(url: str) -> bool:
    """Whether a URL of the web has a user without a password. The user's name may be an address itself."""
    found = _AUTHORITY.match(url)
    user, at, _ = found[1].rpartition("@") if found else ("", "", "")
    return at != "" and ":" not in user


def _problem(url: str, code: str) -> Problem:
    return Problem(code, Span(0, len(url)), CODES[code].source, CODES[code].meaning)


def looks_like_one(url: str, *, outside_dns: bool = False) -> bool:
    """Whether a URL looks like one to a reader. If it holds another URL, the inner one is examined.

    With `outside_dns`, the host may also be a name with underscores that no DNS knows, as of a bucket.
    """
    held = HOLDS_ONE.match(url)
    return _looks_like_one(url[held.end() :] if held else url, outside_dns=outside_dns)


def _looks_like_one(url: str, *, outside_dns: bool) -> bool:
    scheme = _SCHEME.match(url)
    if scheme is None or _ENDS_ANY_URL.search(url) or is_doubled(url) or is_template(url):
        return False
    name, at = scheme[1].lower(), scheme.end()
    if not url.startswith("//", at):
        domain = url.rpartition("@")[2] if "@" in url else "any"
        return name in WITHOUT_SLASHES and is_followed(url, name, at) and _DOMAIN.match(domain) is not None
    if any(url.count(closing) > url.count(opening) for opening, closing in ("[]", "{}")):
        return False
    host = _PORT.sub("", _AUTHORITY_END.split(url[at + 2 :], maxsplit=1)[0].rpartition("@")[2])
    if "%" in host:  # spam hides its hosts so (RFC 3986 3.2.2)
        from urllib.parse import unquote  # noqa: PLC0415  slow to import, and rarely needed

        host = unquote(host)
    if not host:
        return name in {"file", "ldap", "ldaps"}
    return _HOST.fullmatch(host) is not None or (outside_dns and _OUTSIDE_DNS.fullmatch(host) is not None)
