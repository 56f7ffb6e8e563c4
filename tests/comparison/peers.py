"""The other finders of URLs: one row for each.

Each is set up as its documentation says, to find URLs with a scheme and no mail addresses. URLs that a tool never looks
for do not count as missed (`Peer.looks_for`). All tools see the same text.
"""

from __future__ import annotations

import importlib
import importlib.metadata
import logging
import re
from pathlib import Path
from typing import Any, NamedTuple, Protocol

from comparison.filters import Filter, MissingError
from comparison.records import Find, Found

HERE = Path(__file__).parent
_CRATE = HERE / "linkify" / "Cargo.toml"
_DEBIAN_CRATES = Path("/usr/share/cargo/registry")
_SCHEME = re.compile(r"([a-z][a-z0-9+.-]*):(//)?", re.IGNORECASE)


class Running(NamedTuple):
    """A tool that can be run: its version, and a function that finds the URLs in a text."""

    version: str
    find: Find


class Start(Protocol):
    """A function that starts a tool."""

    def __call__(self, *, bare: bool) -> Running:
        """Starts the tool; with `bare` it finds hosts without a scheme as well.

        Raises:
            MissingError: it is not installed.
        """


class Peer(NamedTuple):
    """A row.

    Attributes:
        name: what people call it.
        schemes: the schemes that it looks for; None if it takes any scheme before `//`.
        install: how to get it.
        start: starts it.
    """

    name: str
    schemes: frozenset[str] | None
    install: str
    start: Start

    def looks_for(self, url: str) -> bool:
        """Whether the tool looks for URLs of this scheme."""
        scheme = _SCHEME.match(url)
        if scheme is None:
            return False
        return scheme[2] is not None if self.schemes is None else scheme[1].lower() in self.schemes


def _package(distribution: str, module: str) -> tuple[str, Any]:
    """The version of a package, and one of its modules."""
    try:
        return importlib.metadata.version(distribution), importlib.import_module(module)
    except ImportError as error:
        raise MissingError(str(error)) from error


def _uri_find(*, bare: bool) -> Running:
    program = Filter(["perl", str(HERE / "uri_find.pl"), *["bare"] * bare])
    return Running(program.version, program.find)


def _linkify_it(*, bare: bool) -> Running:
    version, package = _package("linkify-it-py", "linkify_it")
    finder = package.LinkifyIt(options={"fuzzy_link": bare, "fuzzy_email": False}).add("//", None)

    def find(text: str) -> list[Found]:
        return [Found(match.index, match.last_index, match.raw) for match in finder.match(text) or ()]

    return Running(version, find)


def _urlextract(*, bare: bool) -> Running:
    version, package = _package("urlextract", "urlextract")
    finder = package.URLExtract()
    logging.getLogger("urlextract").setLevel(logging.CRITICAL)  # it logs each odd host that it skips

    def find(text: str) -> list[Found]:
        places = finder.find_urls(text, get_indices=True, with_schema_only=not bare)
        return [Found(start, end, url) for url, (start, end) in places]

    return Running(version, find)


def _linkify(*, bare: bool) -> Running:
    # Offline: a missing crate is reported at once, and no test uses the network.
    command = ["cargo", "run", "--offline", "--release", "--quiet", "--manifest-path", str(_CRATE)]
    if _DEBIAN_CRATES.exists():
        command += ["--config", 'source.crates-io.replace-with="debian"']
        command += ["--config", f'source.debian.directory="{_DEBIAN_CRATES}"']
    program = Filter([*command, "--", *["bare"] * bare])
    return Running(program.version, program.find)


def _urlscan(*, bare: bool) -> Running:
    version, module = _package("urlscan", "urlscan.urlscan")
    pattern = module.URLRE

    def find(text: str) -> list[Found]:
        # It reads a message line by line, and finds a host without a scheme only at the end of a line.
        found: list[Found] = []
        start = 0
        for line in text.splitlines(keepends=True):
            found += [
                Found(start + match.start(1), start + match.end(1), match[1])
                for match in pattern.finditer(line.rstrip("\r\n"))
                if _SCHEME.match(match[1]) or (bare and match["email"] is None)
            ]
            start += len(line)
        return found

    return Running(version, find)


def _pattern(*, bare: bool) -> Running:
    pattern = re.compile(rf'\b(?:https?://{r"|www[.]" * bare})[^\s<>"]+', re.IGNORECASE)
    return Running("", lambda text: [Found(*match.span(), match[0]) for match in pattern.finditer(text)])


# The schemes for which the Perl module URI has a class, and those that URI::Find adds.
_OF_URI = frozenset({
    *("data", "file", "ftp", "gopher", "http", "https", "ldap", "ldapi", "ldaps", "mailto", "mms", "news", "nntp"),
    *("nntps", "pop", "rlogin", "rsync", "rtsp", "rtspu", "sftp", "sip", "sips", "snews", "ssh", "telnet", "tn3270"),
    *("urn", "git", "svn", "svn+ssh"),
})  # fmt: skip
_OF_LINKIFY_IT = frozenset({"http", "https", "ftp", "mailto"})
_OF_URLSCAN = frozenset({"http", "https", "file", "ftp", "ftps", "mailto"})
_WEB = frozenset({"http", "https"})

URI_FIND = Peer("URI::Find", _OF_URI, "apt-get install liburi-find-perl", _uri_find)
LINKIFY_IT = Peer("linkify-it-py", _OF_LINKIFY_IT, "pip install linkify-it-py", _linkify_it)
URLEXTRACT = Peer("URLExtract", None, "pip install urlextract", _urlextract)
LINKIFY = Peer(
    "linkify",
    None,
    "cargo fetch --manifest-path tests/comparison/linkify/Cargo.toml, or on Debian apt-get install librust-linkify-dev",
    _linkify,
)
URLSCAN = Peer("urlscan", _OF_URLSCAN, "pip install urlscan", _urlscan)
PATTERN = Peer('`https?://[^\\s<>"]+`', _WEB, "", _pattern)

PEERS = (URI_FIND, LINKIFY_IT, URLEXTRACT, LINKIFY, URLSCAN, PATTERN)
