"""The sizes that the name of a message in a Maildir states, as in `1437941113.M1P2.host,S=4542,W=4642:2,S`.

`S=` is how many octets the message has (Maildir++, https://www.courier-mta.org/imap/README.maildirquota.html), unpacked
if the file is compressed; `W=` is how many it has with CR LF for each line end (Dovecot manual, Maildir). Dovecot
refuses to give out a message whose name states a wrong one.
"""

from __future__ import annotations

import re

from msgspec import Struct

from urlglean.archive.rewrite import Rewriting
from urlglean.lazy import pattern

# Not in the flags, which stand behind `:2,`, or behind another sign where a colon is not allowed.
_SIZE = pattern(r"(?<![:;!]2),([SW])=([0-9]{1,18})(?=[,:;!]|\Z)")
_LF_ALONE = pattern(rb"(?<!\r)\n")


class Growth(Struct, frozen=True):
    """How many octets a message has more, and how many line ends that are no CR LF."""

    octets: int = 0
    line_ends: int = 0


def growth_of(rewriting: Rewriting) -> Growth:
    """How much more a message has, as its patches make it."""
    data, line_ends = rewriting.document.data, 0
    for patch in rewriting.patches:
        line_ends += len(_LF_ALONE.findall(patch.octets)) - len(_LF_ALONE.findall(data, patch.start, patch.end))
    return Growth(sum(patch.growth for patch in rewriting.patches), line_ends)


def resized(name: str, growth: Growth) -> str:
    """The name of a message after it has grown. A size that was right is right again; a wrong one stays wrong."""
    return _SIZE.sub(lambda size: _grown(size, growth), name)


def _grown(size: re.Match[str], growth: Growth) -> str:
    more = growth.octets if size[1] == "S" else growth.octets + growth.line_ends
    return f",{size[1]}={max(0, int(size[2]) + more)}" if more else size[0]
