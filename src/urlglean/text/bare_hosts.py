"""Hosts without a scheme, `www.host/...` and `ftp.host/...`, looked for where that is asked: all of it guesses."""

from __future__ import annotations

import re

from urlglean.lazy import pattern
from urlglean.text.file_extension import ends_in_one
from urlglean.text.scheme_triggers import FIRST_LABEL, FIRST_LABELS, TOP

_ASSUMED = tuple((pattern(label), f"{scheme}://") for label, scheme in FIRST_LABELS.items())
"""What a reader puts before a host, by its first label."""

_MOST_LABELS = 20
# Not the rest of a name, an address, a path or a call; an IDN's labels (RFC 5890 2.3.2.3) may be of any script.
BARE_HOST = pattern(
    rf"(?<![A-Za-z0-9@/\\%+~$#&-])(?<![\w@][._]){FIRST_LABEL}\.(?:[\w-]++\.(?=\w)){{1,{_MOST_LABELS}}}+{TOP}+"
    r"(?![A-Za-z0-9_@(-])(?!\.\w)",
    re.IGNORECASE,
)
# A port, a path, a search or a fragment; `ftp.host:/path`, as rcp(1) writes it, has an empty port, and so leads there.
_MORE = pattern(r"[/?#]|:[0-9/]")
_SHORTEST_NAME = 3
"""Letters of an extension that is no country's top label."""

_OF_FILES = frozenset({"bak", "cfg", "class", "conf", "dat", "ini", "java", "gz", "js", "log", "orig", "tmp", "xz"})
"""Ends of files' names beside the extensions at which URLs end, and no top label of any host."""


def assumed_at(text: str, host: re.Match[str]) -> str:
    """What a reader would put before a match of `BARE_HOST`; nothing where it is rather the name of a file."""
    name = host.group().lower()
    top = name.rpartition(".")[2]
    is_file = top in _OF_FILES or (len(top) >= _SHORTEST_NAME and ends_in_one(name))
    return (
        ""
        if is_file and not goes_on(text, host.end())
        else next(assumed for label, assumed in _ASSUMED if label.match(name))
    )


def goes_on(text: str, end: int) -> bool:
    """Whether more of a URL may follow a host that ends at `end`."""
    return _MORE.match(text, end) is not None
