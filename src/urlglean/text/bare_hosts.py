"""Hosts without a scheme, `www.host/...` and `ftp.host/...`, for callers that ask for them. All rules are guesses."""

from __future__ import annotations

import re

from urlglean.lazy import pattern
from urlglean.text.file_extension import ends_in_one
from urlglean.text.scheme_triggers import FIRST_LABEL, FIRST_LABELS, GLUED, TOP, any_of
from urlglean.text.top_level_domains import SHORT_TOPS

_ASSUMED = tuple((pattern(label), f"{scheme}://") for label, scheme in FIRST_LABELS.items())
"""Pairs of a first label's pattern and the scheme that a reader puts before such a host."""

_MOST_LABELS = 20
# The look-arounds exclude the rest of a name, but not one behind a word of another script and a hyphen; an address, a
# path or a function call, but no underscores that emphasize, and no escapes of source code. The labels of an IDN (RFC
# 5890 2.3.2.3) may be of any script. The first look-ahead only saves time. A host ends before a scheme that is glued to
# it.
_GLUED = rf"(?:{any_of(GLUED)}://|mailto:)"
# A change of font or size in the source of a manual page (groff(7)).
_BEHIND_ROFF = r"(?<=\\f[BIPR])|(?<=\\f\(C[BIRW])|(?<=\\f\[[BIPR]\])|(?<=\\s[+-][0-9])|(?<=\\s0)"
_BEHIND_TEXT = (
    rf"(?:(?<![A-Za-z0-9@/\\%+~$#&-])|(?<=\\[nrt])|(?<=[^\x00-\x7f\xc0-\xd6\xd8-\xf6\xf8-\u024f]-)|{_BEHIND_ROFF})"
    r"(?<![\w@]\.)(?<![^\W_]_)(?<![^\W_]__)(?<!@_)"
)
_MARKS = (r"[-#+]", r"//", r"[0-9]\.", r"[0-9]{2}\.")
_LINE_BEGINS = (r"\A", *(rf"\n[ \t>|]{{{width}}}" for width in range(5)))
_BEHIND_MARK = "|".join(f"(?<={begin}{mark})" for mark in _MARKS for begin in _LINE_BEGINS)
"""The mark or the number of an item, which begins a line behind a small margin."""

# A hyphen precedes the rest of a word, and a bracket opens a remark. With a number, behind the name of a script, it
# belongs to a message of Perl: `www.test.pl(23)`.
_BEFORE_WORD = r"(?=-|\((?![0-9])|(?<!\.pl)\()"
_LABELS = rf"(?:[\w-]++\.(?=\w)(?!{_GLUED})){{1,{_MOST_LABELS}}}+"
_KNOWN_TOP = any_of(sorted(SHORT_TOPS))
BARE_HOST = pattern(
    rf"(?={FIRST_LABEL}\.)(?:{_BEHIND_TEXT}|{_BEHIND_MARK})"
    rf"(?:www[0-9]{{0,2}}\.{_LABELS}{_KNOWN_TOP}{_BEFORE_WORD}"
    rf"|{FIRST_LABEL}\.{_LABELS}"
    rf"(?:[a-z]{{2,20}}?(?={_GLUED})|{TOP}+(?![A-Za-z0-9@(-]|_++\w)(?!\.(?!{_GLUED})\w)))",
    re.IGNORECASE,
)
# A port, a path, a search or a fragment. `ftp.host:/path`, as rcp(1) writes it, becomes a URL with an empty port.
_REST_OF_URL = pattern(r"[/?#]|:[0-9/]")
_SHORTEST_NAME = 3
"""The fewest letters of an extension that cannot be the top label of a country."""

_OF_FILES = frozenset({"bak", "cfg", "class", "conf", "dat", "ini", "java", "gz", "js", "log", "orig", "tmp", "xz"})
"""Endings of file names that are not top labels of hosts, in addition to the extensions of `file_extension`."""


def assumed_at(text: str, host: re.Match[str]) -> str:
    """The scheme and "//" that a reader would put before a match of `BARE_HOST`; "" if it looks like a file name."""
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
    return _REST_OF_URL.match(text, end) is not None


def is_before_word(text: str, end: int) -> bool:
    """Whether the rest of a word or a remark follows a host that ends at `end` (`_BEFORE_WORD`)."""
    return text[end : end + 1] in {"-", "("}
