"""What a catalogue says of a URL besides the URL: the keys by which it is grouped, sorted and compared.

The libraries are imported when the first key is made.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Any, NamedTuple

from urlglean.expressions import compiled

LONGEST = 1 << 11
"""Characters of a URL that gets a SURT. Making it takes time that grows with the square of the length for such as
`%252525...`; archives and browsers end at about this length too."""

_LONGEST_NAME = 255
"""Characters of a host that may have a domain (RFC 1035 2.3.4, in octets)."""

_ADDRESS = compiled(rb"([0-9]{1,3})\.([0-9]{1,3})\.([0-9]{1,3})\.([0-9]{1,3})(?=[:)])")


class UrlKeys(NamedTuple):
    """The keys of a URL; None if there is none.

    Attributes:
        domain: what somebody has registered at a registry: the label before a suffix of the ICANN section of the Public
            Suffix List, and that suffix; in lower case.
        surt: the key of CDX files and web archives: the host's labels in reverse order, then the path, normalized so
            that URLs that archives take for the same have the same.
        href: the URL as a browser writes it (URL Standard 4.5).
    """

    domain: str | None
    surt: str | None
    href: str | None


def keys_of(url: str, host: str | None) -> UrlKeys:
    """The keys of a URL, whatever its text is.

    Args:
        url: the URL.
        host: its host, as in a row.
    """
    href = _or_none(_normalize(), url)
    surt = _or_none(_surt, href or url) if host and len(url) <= LONGEST else None
    domain = _or_none(_domain, host) if host and len(host) <= _LONGEST_NAME else None
    return UrlKeys(domain, surt, href)


def _or_none(key: Callable[[str], str | None], text: str) -> str | None:
    """The key of a text; None if the library refuses it. They raise exceptions of many kinds for hostile text."""
    try:
        return key(text)
    except (ValueError, LookupError, ArithmeticError, TypeError, RecursionError):
        return None


@cache
def _normalize() -> Callable[[str], str]:
    from ada_url import normalize_url  # noqa: PLC0415

    return normalize_url


@cache
def _to_ascii() -> Callable[[bytes], bytes]:
    from ada_url import idna_to_ascii  # noqa: PLC0415

    return idna_to_ascii


@cache
def _suffixes() -> Any:
    from publicsuffixlist import PublicSuffixList  # noqa: PLC0415

    return PublicSuffixList(accept_unknown=False, only_icann=True)


@cache
def _canonical() -> Any:
    from urlcanon import Canonicalizer, aggressive, canon, parse_url  # noqa: PLC0415

    # The steps that make the keys of web archives, which are older than urlcanon, out of its own.
    instead = {
        "pct_decode_repeatedly_except_query": [canon.pct_decode_repeatedly],
        "less_dumb_pct_encode": [canon.google_pct_encode],
        "less_dumb_pct_recode_query": [],
        "remove_redundant_ampersands_from_query": [],
        # The host of an `href` is in the form of IDNA already; to make sure of it takes half of the time.
        "punycode_special_host": [],
    }
    steps = [each for step in aggressive.steps for each in instead.get(step.__name__, [step])]
    canonicalize = Canonicalizer(steps)
    return lambda url: canonicalize(parse_url(url))


def _domain(host: str) -> str | None:
    if not host.isascii():  # so that a name has one domain, however it is written: that of its `href`
        host = _to_ascii()(host.encode()).decode()
    domain: str | None = _suffixes().privatesuffix(host)
    return domain


def _surt(url: str) -> str | None:
    parsed = _canonical()(url)
    if not parsed.host:
        return None
    key: bytes = parsed.surt(trailing_comma=False, with_scheme=False)
    # Archives sort addresses by their first number last, as if they were names.
    if address := _ADDRESS.match(key):
        key = b",".join(reversed(address.groups())) + key[address.end() :]
    return key.decode()
