"""The schemes that a scan searches, and what must follow their colons. They are made from the registry of schemes.

Inside `<URL:...>` every scheme is accepted. Elsewhere, a word before a colon is more often a word of prose.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from collections.abc import Set as AbstractSet

from urlglean.grammar.schemes import LONGEST_LOCAL_PART, SCHEMES
from urlglean.lazy import pattern
from urlglean.text.file_extension import NAME

ENCLOSED = tuple(row.name for row in SCHEMES if row.prose.enclosed)
"""Schemes whose address or message-id may stand in angle brackets behind the colon: `news:<id@host>`."""

ADDRESS = rf"(?!\?)[^\s<>\"@]{{1,{LONGEST_LOCAL_PART}}}@[^\s<>\"@]{{1,{LONGEST_LOCAL_PART}}}"
"""The pattern of that address or message-id."""

WITHOUT_SLASHES = {
    row.name: pattern(rf"{row.prose.behind}|<{ADDRESS}>" if row.prose.enclosed else row.prose.behind, re.IGNORECASE)
    for row in SCHEMES
    if row.prose.behind
}
"""By scheme: the pattern of what must follow the colon of a URL without "//". It excludes prose: "good news: the"."""

WRAPPED = {row.name: pattern(row.prose.wrapped, re.IGNORECASE) for row in SCHEMES if row.prose.wrapped}
"""By scheme: the pattern of what may follow its colon in closed angle brackets or quotation marks."""

OPAQUE = "|".join(f"{row.name}:(?:{row.prose.behind})" for row in SCHEMES if row.prose.behind)
"""The pattern of the beginning of any such URL, for patterns that ignore case."""

WITH_SLASHES = frozenset(row.name for row in SCHEMES if row.prose.slashes)
"""Schemes that are known to precede "//"; any other scheme needs a plausible host behind "//"."""

KNOWN = WITH_SLASHES | WITHOUT_SLASHES.keys()
"""Schemes that are known to precede one or the other."""

GLUED = tuple(row.name for row in SCHEMES if row.prose.glued)
"""Well-known schemes, which are recognised even directly behind a word."""

BY_REST = {row.name: row.prose.by_rest for row in SCHEMES if row.prose.by_rest}
"""Schemes that are recognised directly behind a word by what follows their colon, with the pattern of that."""

SPLIT = tuple(scheme for scheme in GLUED if scheme not in WITHOUT_SLASHES)
"""Well-known schemes whose URLs always have "//"."""


def any_of(names: Iterable[str]) -> str:
    """A pattern of any one of the names."""
    return f"(?:{'|'.join(map(re.escape, names))})"


URL_AHEAD = (
    rf"(?:{any_of(sorted(WITH_SLASHES))}://|{any_of(row.name for row in SCHEMES if row.prose.colon)}:"
    rf"|{'|'.join(f'{name}:{behind}' for name, behind in BY_REST.items())})[a-z0-9\[]"
)
"""The pattern of the beginning of another URL, for patterns that ignore case."""

NEXT_URL = pattern(URL_AHEAD, re.IGNORECASE)
"""The same as a pattern of its own."""

AROUND = tuple(written for row in SCHEMES for written in row.prose.around)
"""The prefixes, without their last colon, of URLs that hold another whole URL, such as "view-source"."""

HOLDS_ONE = pattern(rf"{any_of(AROUND)}:(?=[a-z][a-z0-9+.-]*+://)", re.IGNORECASE)
"""The pattern of such a prefix and its colon before another URL."""

SCHEME = r"[a-z][a-z0-9+.-]{1,20}"
"""The pattern of a scheme before "://" in prose (RFC 3986 3.1), in lower case. A single letter is a drive's name."""

# Underscores are not allowed in a host, but people use them: the scan finds such hosts, and the judge reports them.
_LABEL = "[a-z0-9_-]+"
TOP = "[a-z]{2,}"
"""The pattern of the last label of a host's name, in lower case."""

FIRST_LABELS = {"www[0-9]{0,2}": "http", "ftp[0-9]?": "ftp"}
"""By pattern of a first label in lower case: the scheme that a reader assumes for a host that begins with it."""

FIRST_LABEL = f"(?:{'|'.join(FIRST_LABELS)})"
"""The pattern of any one of these labels."""

_WITHOUT_SCHEME = pattern(rf"{FIRST_LABEL}\.", re.IGNORECASE)

_PLAUSIBLE_HOST = pattern(
    # A name without a dot is a word of prose, unless a user or a port stands beside it. In manual pages, a sign of no
    # width may stand before a dot (groff(7)).
    rf"""//(?:(?:[^\s/@<>"]*@)?
    (?:localhost|\[[0-9a-f:.]+\]|(?:{_LABEL}(?:\\&)?\.)+(?:{TOP}|[0-9]{{1,3}})|{_LABEL}:[0-9]{{2,5}})|[^\s/@<>"]+@{_LABEL})
    (?![a-z0-9-])""",
    re.IGNORECASE | re.VERBOSE,
)
_NO_BLANK = pattern(r"//[^\s<>\"]")
# Fields of a mailto: URL may follow the bracket.
ENCLOSED_URL = pattern(rf"{any_of(ENCLOSED)}:<{ADDRESS}>(?!\?[a-z-]{{1,40}}=)", re.IGNORECASE)
"""The pattern of a whole URL whose address stands in angle brackets. What is glued to it is another text."""

_BARE_SCHEME = pattern(rf"{any_of(sorted(WITH_SLASHES))}://\Z", re.IGNORECASE)
# Other names with dots belong to code and to prose; those of files may have a slash behind them too.
_HOST = pattern(
    rf"""{FIRST_LABEL}\.[a-z0-9-]
    |(?!{_LABEL}\.{NAME}(?![a-z0-9.-]))(?:[a-z0-9-]{{1,63}}+\.){{1,9}}{TOP}(?::[0-9]{{1,5}})?(?:/|(?=[)\]]))
    |(?:localhost|(?:[0-9]{{1,3}}\.){{3}}[0-9]{{1,3}})(?![\w-]|\.\w)|\[[0-9a-f:.]+\]
    |[a-z][a-z0-9-]{{0,62}}:[0-9]{{2,5}}/""",
    re.IGNORECASE | re.VERBOSE,
)
# At the beginning of a line, it may as well be a label, such as `Fax:12345`.
_WITH_PORT = pattern(r"[a-z][a-z0-9-]{0,62}:[0-9]{2,5}(?!\w)", re.IGNORECASE)
# Below another scheme, it may as well be an address of mail.
_LOGIN = pattern(rf"[\w.+-]{{1,64}}@(?:[a-z0-9-]{{1,63}}+\.){{1,9}}{TOP}(?![\w@-]|\.\w)", re.IGNORECASE)
_WITH_LOGIN = frozenset({"ssh", "sftp"})
_LINE_BREAK = r"[ \t]{0,8}\r{0,2}\n[^\w\r\n\[]{0,80}"
_LINE_BREAK_BEHIND = pattern(f"//{_LINE_BREAK}")
_NAMES_HOST = r"(?:[\w-]{1,63}+\.){1,9}[a-z]{2,}"
# An address that a line end cuts beside its "@", or within a local part of several names: another address may follow a
# word.
_CUT_ADDRESS = pattern(
    rf"(?:[\w.+-]{{1,64}}+(?:@{_LINE_BREAK}|{_LINE_BREAK}(?<=@))"
    rf"|[^\W_]{{1,64}}[_.+-][\w.+-]{{0,64}}+{_LINE_BREAK}[\w.+-]{{1,64}}+@){_NAMES_HOST}",
    re.IGNORECASE,
)
_CUT_ID = pattern(rf"(?!\?|//)[^\s<>\"@]{{1,{LONGEST_LOCAL_PART}}}+@{_LINE_BREAK}{_NAMES_HOST}", re.IGNORECASE)
# Below a line that ends behind the scheme. Many newsreaders put a dollar sign in, which no address has.
_ID = rf"(?=[^\s<>\"@]{{0,80}}\$)[^\s<>\"@]{{1,{LONGEST_LOCAL_PART}}}+@{_NAMES_HOST}"
# By scheme: what may stand below its colon. An address before a URL of its own is the text of a link.
_MAIL_BELOW = {"news": _ID, "snews": _ID, "mailto": rf"[\w.+-]{{1,64}}+@{_NAMES_HOST}(?!\w|\.\w|:/|\W{{0,3}}mailto:)"}
_BELOW_COLON = {scheme: pattern(f"{_LINE_BREAK}{mail}", re.IGNORECASE) for scheme, mail in _MAIL_BELOW.items()}
_WHOLE_MAIL = {scheme: pattern(mail, re.IGNORECASE) for scheme, mail in _MAIL_BELOW.items()}
_BEGUN_ID = pattern(r"s?news:(?!//)[^@]*@\Z", re.IGNORECASE)
_BEGUN_ADDRESS = pattern(r"mailto:[\w.+-]{1,64}@?\Z", re.IGNORECASE)
_HOST_NAMED = pattern(_NAMES_HOST, re.IGNORECASE)
_ADDRESS = pattern(rf"mailto:[\w.+-]{{1,64}}+@{_NAMES_HOST}", re.IGNORECASE)
# For a scheme that the caller asked for, anything may follow except closing signs and punctuation.
_BEHIND_OWN_SCHEME = pattern(r"//[^\s<>\"]|(?!//)[^\s<>\"'.,;:!)\]}|`]")


# Behind any sign that is none of a scheme, or an escape; or behind what always holds one: the time of an archived copy,
# and the redirector of Proofpoint.
_BEGUN_INNER = pattern(
    r"(?:(?<![a-z0-9+.-])|(?<=%[0-9a-f]{2}))(?:h(?:t(?:t(?:p(?:s?(?::/{0,2})?)?)?)?)?|f(?:t(?:p(?::/{0,2})?)?)?)\Z"
    r"|(?:/web/[0-9]{14}(?:[a-z]{2}_)?/|/v3/__)\Z()",
    re.IGNORECASE,
)
LAST_OF_BEGUN_INNER = "hHtTpPsSfF:/_"
"""The characters in which the beginning of a URL that another one holds may end, or what always holds one."""

_INNER = pattern(r"(?:https?|ftp)://[a-z0-9]", re.IGNORECASE)
_LONGEST_BEGUN = len("/web/20040601000000id_/")


def is_cut_within_inner(url: str, rest: str) -> bool:
    """Whether a line ends before or within the beginning of a URL that this one holds, and `rest` goes on with that.

    Of a scheme that is cut in two, the second part is never one of its own. A whole URL of the same server is the next
    one of a list.
    """
    begun = _BEGUN_INNER.search(url, max(0, len(url) - _LONGEST_BEGUN))
    if begun is None or not begun.start():
        return False
    if begun[1] is None:
        return _INNER.match(begun[0] + rest[:10]) is not None
    server = url.split("/", 3)[2]
    return _INNER.match(rest) is not None and not rest.partition("//")[2].startswith(f"{server}/")


def has_no_scheme(text: str, start: int) -> bool:
    """Whether a URL that begins at `start` has only the host, to which a reader adds the scheme."""
    return _WITHOUT_SCHEME.match(text, start) is not None


def is_cut_before_host(url: str) -> bool:
    """Whether a candidate ends behind its "//": it is one because a host begins the next line (`is_followed`)."""
    return _BARE_SCHEME.match(url) is not None


def is_host(text: str, at: int, *, behind_slashes: bool) -> bool:
    """Whether a host surely begins at `at`, though a line end stands before it, or before the slashes in front of it.

    It begins with "www.", has a path, a closing bracket or, behind slashes, a port behind it, or is an IP address or
    "localhost".
    """
    return _HOST.match(text, at) is not None or (behind_slashes and _WITH_PORT.match(text, at) is not None)


def is_cut_address(url: str, token: str) -> bool:
    """Whether a line ends within an address, before its host, and the next line begins with the rest."""
    return _BEGUN_ADDRESS.match(url) is not None and _ADDRESS.match(url + token) is not None


def is_before_mail(text: str, scheme: str, at: int) -> bool:
    """Whether a line ends at `at`, behind the colon of news or mailto, and a message-id or address begins the next."""
    below = _BELOW_COLON.get(scheme)
    return below is not None and below.match(text, at) is not None


def is_cut_before_mail(url: str, token: str) -> bool:
    """Whether a candidate ends behind the colon of such a scheme, and the next line begins with the rest."""
    whole = _WHOLE_MAIL.get(url[:-1].lower()) if url[-1] == ":" else None
    return whole is not None and whole.match(token) is not None


def is_cut_id(url: str, token: str) -> bool:
    """Whether a line ends behind the "@" of a message-id, and the next line begins with a host."""
    return _BEGUN_ID.match(url) is not None and _HOST_NAMED.match(token) is not None


def is_followed(text: str, scheme: str, at: int, own: AbstractSet[str] = frozenset(), end: int | None = None) -> bool:
    """Whether the text from `at` on, behind the colon of a scheme, may continue a URL of that scheme.

    `own` are the schemes that the caller asked for. The text behind `end` is not looked at.
    """
    end = len(text) if end is None else end
    without = WITHOUT_SLASHES.get(scheme)
    if without is not None and without.match(text, at, end):
        return True
    behind = _NO_BLANK if scheme in WITH_SLASHES else _PLAUSIBLE_HOST
    if behind.match(text, at, end):
        return True
    if scheme == "mailto" and _CUT_ADDRESS.match(text, at, end):
        return True
    if scheme in ENCLOSED and _CUT_ID.match(text, at, end):
        return True
    line = _LINE_BREAK_BEHIND.match(text, at, end) if scheme in WITH_SLASHES else None
    if line and (_HOST.match(text, line.end(), end) or (scheme in _WITH_LOGIN and _LOGIN.match(text, line.end(), end))):
        return True
    return scheme in own and _BEHIND_OWN_SCHEME.match(text, at, end) is not None
