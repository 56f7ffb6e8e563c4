"""The rules by which a URL of a catalogue is no seed for a crawler: one row for each."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from ipaddress import IPv4Address, IPv6Address, IPv6Network, ip_address, ip_network
from urllib.parse import SplitResult, urlsplit

from msgspec import Struct


class Seed(Struct, frozen=True):
    """All URLs of a catalogue that have one `href`, with what the findings of these say.

    Attributes:
        href: the URL as a browser writes it (URL Standard 4.5); None for a URL that browsers refuse.
        surt: the key by which web archives sort it; None if it has none.
        scheme: its scheme, in lower case.
        host: its host, in lower case, as written.
        domain: its registered domain.
        confidence: the highest of the findings.
        documents: how many hold it.
        first_date: the date of the first document that holds it, ISO 8601 in UTC; None if none has a date.
        last_date: that of the last.
    """

    href: str | None
    surt: str | None
    scheme: str | None
    host: str | None
    domain: str | None
    confidence: float
    documents: int
    first_date: str | None
    last_date: str | None


class Asked(Struct, frozen=True):
    """What the rules are asked about: a seed, its `href` in pieces, and what the user asked for.

    Attributes:
        seed: the seed.
        pieces: its `href`, split; an empty one if it has no `href`.
        schemes: the schemes that the user asked for by name.
        least: the least confidence.
    """

    seed: Seed
    pieces: SplitResult
    schemes: tuple[str, ...]
    least: float

    @property
    def host(self) -> str:
        """The host of the `href` in lower case, without brackets and without a dot at its end; "" if there is none."""
        with suppress(ValueError):  # brackets around what is no address; no `href` of the URL Standard has them
            return (self.pieces.hostname or "").removesuffix(".")
        return ""

    @property
    def port(self) -> int | None:
        """The port of the `href`; None if it is the scheme's own."""
        with suppress(ValueError):
            return self.pieces.port
        return None


class Rule(Struct, frozen=True):
    """A row: why a URL is no seed.

    Attributes:
        name: one word or more, joined by hyphens.
        meaning: what the URLs are that it leaves out, for people.
        refuses: whether it leaves a URL out.
        always: whether it holds even if all URLs are asked for.
    """

    name: str
    meaning: str
    refuses: Callable[[Asked], bool]
    always: bool = False


FETCHED = ("http", "https", "ftp")
"""The schemes that wget fetches, and Heritrix and ArchiveBox too. Browsertrix fetches the first two."""

LOCAL_NAMES = (
    "example",  # RFC 6761 6.5, which also has example.com and others: these have public addresses
    "invalid",  # RFC 6761 6.4
    "localhost",  # RFC 6761 6.3
    "test",  # RFC 6761 6.2
    "local",  # RFC 6762 3
    "onion",  # RFC 7686: only Tor knows them
    "alt",  # RFC 9476
    "home.arpa",  # RFC 8375
    "localdomain",  # what many systems call their own network
    "internal",  # reserved for private use: ICANN Board, resolution 2024.07.29.06
    *("corp", "home", "intranet", "lan", "private"),  # used in private networks: RFC 6762, appendix G
)
"""Ends of names that no public name server answers, but the name server of a local network may."""

BAD_PORTS = frozenset(
    (0, 1, 7, 9, 11, 13, 15, 17, 19, 20, 21, 22, 23, 25, 37, 42, 43, 53, 69, 77, 79, 87, 95, 101, 102, 103, 104, 109,
     110, 111, 113, 115, 117, 119, 123, 135, 137, 139, 143, 161, 179, 389, 427, 465, 512, 513, 514, 515, 526, 530, 531,
     532, 540, 548, 554, 556, 563, 587, 601, 636, 989, 990, 993, 995, 1719, 1720, 1723, 2049, 3659, 4045, 4190, 5060,
     5061, 6000, 6566, 6665, 6666, 6667, 6668, 6669, 6679, 6697, 10080)
)  # fmt: skip
"""Ports of mail, news and other services to which browsers send no HTTP (Fetch Standard 2.9, port blocking)."""


GLOBAL_UNICAST = IPv6Network("2000::/3")
"""Where all public IPv6 addresses are that hold no IPv4 address (IANA, Internet Protocol Version 6 Address Space)."""

HOLDS_IPV4 = (
    (IPv6Network("::/96"), 0),  # IPv4-compatible: RFC 4291 2.5.5.1; so are `::` and `::1`, by 0.0.0.0/8
    (IPv6Network("::ffff:0:0/96"), 0),  # IPv4-mapped: RFC 4291 2.5.5.2
    (IPv6Network("::ffff:0:0:0/96"), 0),  # IPv4-translated: RFC 2765 2.1
    (IPv6Network("64:ff9b::/96"), 0),  # NAT64: RFC 6052 2.1
    (IPv6Network("2002::/16"), 80),  # 6to4: RFC 3056 2
)
"""Addresses that lead to the IPv4 address in them, and how many bits follow that."""

NOT_GLOBAL = tuple(
    ip_network(each)
    for each in (
        "192.0.0.0/24",  # protocol assignments: RFC 6890 2.1; none of its addresses has pages
        "192.88.99.0/24",  # relays of 6to4: RFC 7526
        "3fff::/20",  # documentation: RFC 9637
    )
)
"""Special-purpose addresses that `ipaddress` of some version of Python takes for public ones."""


def pieces_of(href: str | None) -> SplitResult:
    """An `href`, split; an empty one for None and for what is no URL."""
    with suppress(ValueError):
        return urlsplit(href or "")
    return urlsplit("")


def _is_private(asked: Asked) -> bool:
    """Whether the host is an address that nothing on the public Internet has (IANA's special-purpose registries)."""
    try:
        address = ip_address(asked.host)
    except ValueError:
        return False
    if isinstance(address, IPv6Address):
        address = _ipv4_in(address) or address
    if isinstance(address, IPv6Address) and address not in GLOBAL_UNICAST:
        return True
    return address.is_multicast or not address.is_global or any(address in each for each in NOT_GLOBAL)


def _ipv4_in(address: IPv6Address) -> IPv4Address | None:
    bits = next((bits for network, bits in HOLDS_IPV4 if address in network), None)
    return None if bits is None else IPv4Address(int(address) >> bits & 0xFFFFFFFF)


def _is_local_name(asked: Asked) -> bool:
    return f".{asked.host}".endswith(tuple(f".{name}" for name in LOCAL_NAMES))


def _is_single_label(asked: Asked) -> bool:
    """Whether a name server is asked for a name without a dot. URLs without an authority have no host at all."""
    return asked.pieces.netloc != "" and "." not in asked.host and ":" not in asked.host


def _is_not_fetched(asked: Asked) -> bool:
    return asked.pieces.scheme not in FETCHED + asked.schemes


def _has_bad_port(asked: Asked) -> bool:
    return asked.pieces.scheme in {"http", "https"} and asked.port in BAD_PORTS


RULES = (
    Rule("no-href", "refused by browsers", lambda asked: asked.seed.href is None, always=True),
    Rule("doubtful", "less likely than asked for", lambda asked: asked.seed.confidence < asked.least, always=True),
    Rule("scheme", "of schemes that crawlers do not fetch", _is_not_fetched),
    Rule("password", "with a password", lambda asked: asked.pieces.password is not None),
    Rule("private-address", "at addresses that are not public", _is_private),
    Rule("local-name", "at names that are not public", _is_local_name),
    Rule("single-label", "at hosts without a domain", _is_single_label),
    Rule("bad-port", "at ports of other services", _has_bad_port),
)
"""The rules, in the order in which they are asked. The first one that refuses a URL is its reason."""
