"""Whether the next line begins with what can only be a path below the folder with which a URL ends.

These are guesses, rows of `divided_names`. Prose hardly ever has such words.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from urlglean.expressions import compiled
from urlglean.text.joining.break_record import CLOSING, Break
from urlglean.text.joining.common import COMMON
from urlglean.text.line_lengths import SHORT

_PATH = compiled(r"\w[\w.%~+=@,-]*+(?:/[\w.%~+=@,-]++)++/?+\Z")
# Other things with a slash: dates, media types, abbreviations (`OS/2`, `802.11a/b/g`).
_NO_PATH = compiled(
    r"[0-9]{4}/[0-9]{1,2}/[0-9]{1,2}\Z|[0-9]{1,2}/[0-9]{1,2}/(?:[0-9]{2}|[0-9]{4})\Z"
    r"|(?:application|audio|font|image|message|model|multipart|text|video)/[\w.+-]+\Z"
    r"|[^/]{1,2}/|(?:[^/]++/)*?[^/](?:/|\Z)",
    re.IGNORECASE,
)
# In the names of a path, and hardly ever in words between which a slash stands (`Linux/Unix`, `read/write`).
_IN_NAME = compiled(r"[0-9._-]|[a-z][A-Z]")
_NUMBERS = compiled(r"[0-9]++(?:/[0-9]++)++/?+\Z")
# The words of a title, as weblogs make names of them.
_SLUG = compiled(r"(?=(?:(?:[a-z0-9]++-)*?[a-z]{2,}+-){3})[a-z0-9]++(?:-[a-z0-9]++){4,}+/?+\Z")
_NAME_IN_LIST = compiled(r"[a-z0-9][\w./-]*\Z")
_BEGINS_WITH_DATE = compiled(r"(?:19|20)[0-9]{2}/(?:0?[1-9]|1[0-2])/[0-9]{1,2}/")
_WORD_OR_YEAR = compiled(r"(?:[^\W\d_]++|(?:19|20)[0-9]{2})/")
_SEVERAL = 3
"""With so many slashes within it, a path is hardly a part of a sentence."""


def _unclosed(token: str) -> str:
    """The token without the signs that close a sentence or a bracket behind it."""
    return token.rstrip(CLOSING + "]")


def is_behind_directory(at: Break) -> bool:
    """Whether the URL ends with a directory, and a path follows: alone, or of four names or more; or a slug alone.

    A short line may stand above the path of another file, and behind that its size, or what is said of it; but four
    numbers that begin with a date are a path below it too. Of a URL that was cut before, three numbers are, if no word
    follows. Text follows only numbers, and a path that begins with a word or a year: prose has lists of architectures
    (`i386/amd64`). But a path that ends in a slash is one before a text too.
    """
    path = _unclosed(at.token)
    if at.depth < at.next_depth or at.rest[:1] in {"|", ":"} or at.token[-1] == ":":
        return False
    if not _PATH.match(path):
        return at.url[:4].lower() == "http" and _is_lone_slug(at, path)
    slashes = path.rstrip("/").count("/")
    if _NUMBERS.match(path):
        is_alone = at.cuts != () and not at.rest[:1].isalnum()
        is_path = at.length >= SHORT or is_alone or _BEGINS_WITH_DATE.match(path) is not None
        return is_path and slashes >= _SEVERAL - bool(at.cuts)
    if at.length < SHORT or _NO_PATH.match(path):
        return False
    if path[-1] == "/" and not _PATH.match(at.below.partition(" ")[0]):
        return True
    is_several = slashes >= _SEVERAL and _WORD_OR_YEAR.match(path) is not None
    return _IN_NAME.search(path) is not None and (not at.rest or is_several)


def _is_lone_slug(at: Break, path: str) -> bool:
    """Whether the words of a title are alone in their line, and in no list of names or branches below a directory."""
    is_in_list = at.next_length < SHORT and _NAME_IN_LIST.match(at.below) is not None
    return not (at.rest or is_in_list or _SLUG.match(at.below)) and _SLUG.match(path) is not None


_NAME_OF_PAGE = r"[\w.~%+@,-]*\w\.(?:html?|xhtml|shtml|php[345]?|aspx?|jsp|cgi)(?:[?#]\S*)?\Z"
_PAGE = compiled(_NAME_OF_PAGE, re.IGNORECASE)
_PAGE_IN_FOLDERS = compiled(rf"(?:[\w.~%+@,-]++/)++{_NAME_OF_PAGE}", re.IGNORECASE)
_BEHIND_HOST = compiled(r"[a-z]+://[^/]*/\Z", re.IGNORECASE)
_INDEX = compiled(r"(?:index|default)\.\w++\Z", re.IGNORECASE)


def is_before_page(at: Break) -> bool:
    """Whether a page follows the folder with which the URL ends: a file of another type may be named for itself.

    So may a page be, with words behind it: below a short line, and the first page of a site; and in a list of pages.
    """
    return _is_before(_PAGE, at)


def is_before_page_in_folders(at: Break) -> bool:
    """Whether further folders and a page in them follow so."""
    return _is_before(_PAGE_IN_FOLDERS, at)


def _words_beside(at: Break) -> Iterator[str]:
    """The words behind the token, and those of the line below: before its name, one of a list may have a sign."""
    yield from at.rest.split(maxsplit=1)[:1]
    yield from at.below.split(maxsplit=2)[:2]


def _is_before(form: re.Pattern[str], at: Break) -> bool:
    page = _unclosed(at.token)
    if at.url[:4].lower() != "http" or at.depth != at.next_depth or not form.match(page):
        return False
    if page == at.token and at.rest[:1].isalnum():
        return at.length >= SHORT and not (_INDEX.match(page) and _BEHIND_HOST.match(at.url))
    is_key = at.token[-1] == ":" or at.rest[:1] in {"-", "|", ":", "="}
    return not is_key and not any(form.match(word.rstrip(CLOSING)) for word in _words_beside(at))


# With a slash, or with the time at which a program made it.
_HAS_ID = compiled(
    r"(?=[^/]*+/|[0-9]{8,20}[.-])(?=[^@0-9]*+[0-9])[\w.+=%~$-]+(?:/[\w.+=%~$-]+)*@[\w-]+(?:\.[\w-]+)+(?:/\w*)*\Z"
)


def is_before_path_of_id(at: Break) -> bool:
    """Whether a path with a message-id follows, as archives of lists have it.

    In an address of mail is no slash, and it does not begin with a time. Before the "@" of the names of a user of
    Kerberos or Jabber are no digits.
    """
    path = _unclosed(at.token)
    return at.depth == at.next_depth and at.url[:4].lower() == "http" and _HAS_ID.match(path) is not None


_OWNER = compiled(r"https?://(?:www\.)?(?:github\.com|gitlab\.com|bitbucket\.org)/[\w-]+/\Z", re.IGNORECASE)
# No number, and no host; but names of code may end as those of countries do.
_REPOSITORY = compiled(
    r"(?![0-9.-]+\Z|.*\.(?:com|net|org|edu|(?!ai|el|go|hs|io|jl|js|ml|py|rb|rs)[a-z]{2})\Z)"
    r"(?=[a-z0-9]|\w*[._0-9-]|\w*[a-z][A-Z])\w[\w.-]*\Z"
)


def is_before_repository(at: Break) -> bool:
    """Whether the name of a repository follows that of its owner, with no words behind it. Hardly anybody names those.

    A command may stand below, with words; and a word or the owner's name below an address alone, as in a signature.
    """
    name = _unclosed(at.token)
    is_name = _REPOSITORY.match(name) is not None and name not in COMMON and at.token[-1] != ":"
    if not is_name or (not at.before and name.isalpha()):
        return False
    is_closed = name != at.token and (at.token[-1] in ")]}>" or not at.rest[:1].isalpha())
    ends = not at.rest or at.rest[0] == "(" or is_closed
    return ends and at.depth == at.next_depth and _OWNER.match(at.url) is not None


# Of a commit, or of a file or folder as of one. A list of files stands without the name of a commit or a branch.
_OF_REVISION = compiled(r"https?://[^/?#]+/(?:[^/?#]+/)+(?P<folder>blob|commit|raw|tree)/\Z", re.IGNORECASE)
_HASH_OR_VERSION = compiled(
    r"(?=[0-9]*[a-f])(?=[a-f]*[0-9])[0-9a-f]{7,40}(?:/\S*)?\Z|v[0-9]+(?:\.[0-9]+)+(?:-[\w.]+)?(?:/\S*)?\Z"
)
_ALWAYS_NAMED = "blob"


def is_before_revision(at: Break) -> bool:
    """Whether the name of a commit or a version, or a path, follows what a server of repositories puts before it.

    Behind all such folders but that of files, which is no page, words may be said of a name below a short line. A list
    has several of them.
    """
    found = _OF_REVISION.match(at.url)
    if found is None or at.depth != at.next_depth or at.token[-1] == ":" or not _is_revision(at.token):
        return False
    has_words = at.rest[:1].isalnum() and at.length < SHORT and found["folder"].lower() != _ALWAYS_NAMED
    return not has_words and not any(map(_is_revision, _words_beside(at)))


def _is_revision(token: str) -> bool:
    name = _unclosed(token)
    is_path = _PATH.match(name) is not None and not _NO_PATH.match(name) and _IN_NAME.search(name) is not None
    return is_path or _HASH_OR_VERSION.match(name) is not None


_NAME_OF_MONTH = r"(?i:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)"
_MONTH = rf"(?:0?[1-9]|1[0-2]|{_NAME_OF_MONTH})"
_DAY = r"(?:0?[1-9]|[12][0-9]|3[01])"
_BEGUN_DATE = compiled(rf"/(?:19|20)[0-9]{{2}}/(?:{_MONTH}/)?\Z")
# Before a title of several words, another folder or a page: `12/dozen` is prose, and `12/dec/2003` a date of its own.
_REST_OF_DATE = compiled(
    rf"(?:{_MONTH}/(?:{_DAY}/)?|{_DAY}/)(?!{_NAME_OF_MONTH}[a-z]*/[0-9])"
    r"[a-z][a-z0-9]*(?:[-_][A-Za-z0-9]|/[A-Za-z0-9]|\.html?\b)"
)


def is_within_date(at: Break) -> bool:
    """Whether a path ends behind a year or month, and what follows begins with a month or day, and goes on."""
    return (
        at.depth == at.next_depth
        and _BEGUN_DATE.search(at.url) is not None
        and _REST_OF_DATE.match(at.token) is not None
    )


# Identifiers as publishers and libraries make them, of articles in Nature's journals, of files of articles, and in the
# Handle System (RFC 3651 2). Other numbers are dates, versions, pages, telephone numbers.
_IDENTIFIER = compiled(r"s[0-9]{5}-[0-9]{3}-[0-9]{5}-[0-9a-z]\Z|[0-9]{8,20}\.(?:abstract|full|pdf|html?)\Z")
_HANDLE = compiled(r"[0-9]+(?:\.[0-9]+)*/[0-9]+\Z")


def is_before_identifier(at: Break) -> bool:
    """Whether an identifier of a document stands alone in the next line, and no list of them."""
    if at.rest or at.depth != at.next_depth:
        return False
    form = _HANDLE if at.url.endswith("/handle/") else _IDENTIFIER
    return form.match(at.token.rstrip(CLOSING)) is not None and form.match(at.below.rstrip(CLOSING)) is None
