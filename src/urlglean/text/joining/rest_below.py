"""Whether the next line begins with what can only be the rest of a URL: a path, a search, a fragment, a slash.

These are guesses, rows of `divided_names`. Prose hardly ever has such words.
"""

from __future__ import annotations

import re

from urlglean.expressions import compiled
from urlglean.text.joining.break_record import CLOSING, GOES_ON, Break
from urlglean.text.joining.common import COMMON
from urlglean.text.joining.places import SIGNS_OF_SEARCH, is_of_search
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


def is_behind_directory(at: Break) -> bool:
    """Whether the URL ends with a directory, and a path follows: alone, or of four names or more; or a slug alone.

    A short line may stand above the path of another file, and behind that its size, or what is said of it; but four
    numbers that begin with a date are a path below it too. Of a URL that was cut before, three numbers are, if no word
    follows. Text follows only numbers, and a path that begins with a word or a year: prose has lists of architectures
    (`i386/amd64`).
    """
    path = at.token.rstrip(CLOSING + "]")
    if at.depth < at.next_depth or at.rest[:1] in {"|", ":"} or at.token[-1] == ":":
        return False
    if not _PATH.match(path):
        return at.url[:4].lower() == "http" and _is_lone_slug(at, path)
    slashes = path.rstrip("/").count("/")
    if _NUMBERS.match(path):
        is_alone = at.cuts != () and not at.rest[:1].isalnum()
        is_path = at.length >= SHORT or is_alone or _BEGINS_WITH_DATE.match(path) is not None
        return is_path and slashes >= _SEVERAL - bool(at.cuts)
    if at.length < SHORT or _NO_PATH.match(path) or not _IN_NAME.search(path):
        return False
    return not at.rest or (slashes >= _SEVERAL and _WORD_OR_YEAR.match(path) is not None)


def _is_lone_slug(at: Break, path: str) -> bool:
    """Whether the words of a title are alone in their line, and in no list of names or branches below a directory."""
    is_in_list = at.next_length < SHORT and _NAME_IN_LIST.match(at.below) is not None
    return not (at.rest or is_in_list or _SLUG.match(at.below)) and _SLUG.match(path) is not None


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


# A conversion of printf, an escape that is spoken of, a variable, another sign, a label, an item, a path of Windows.
_NO_SEARCH = compiled(
    r"%[0-9]*+l*+[sdxuic](?![A-Za-z0-9%])|%[0-9A-Fa-f]{2}[.,;:)]*+\Z|[A-Z][A-Z0-9_]{2,}=|[^A-Za-z0-9%&=_+.~-]"
    r"|[\w-]++:|[0-9]++[.)]|[^\\]*+\\"
)
# The name of a field with its sign; the reference of HTML that may stand before one.
_FIELD = compiled(r"[?&](?:amp;)?[A-Za-z_]\w*+=(?!=)")
_REFERENCE = compiled("&amp;")
# Words with signs for the blanks between them.
_VALUE = compiled(r"\w++\+\w")


def is_within_search(at: Break) -> bool:
    """Whether the URL has a search, and what follows has an escape or a field of one, as no prose has.

    Behind a line of the search, another one may be cut behind a sign. A URL in a short line that no sign ends is whole.
    """
    if "?" not in at.url or (at.length < SHORT and not at.cuts and at.url[-1] not in GOES_ON):
        return False
    if at.rest and at.depth != at.next_depth:  # an answer, or another quotation
        return False
    if at.url[-1] == "=" and _VALUE.match(at.token):
        return True
    is_cut_again = at.length >= SHORT and at.cuts != ()
    if is_cut_again and not at.rest and at.token[0].isalnum() and at.token[-1] in SIGNS_OF_SEARCH:
        return True
    if not at.rest and (_is_within_field(at) or (at.cuts and is_of_search(at.below.partition(" ")[0]))):
        return True
    is_other = _NO_SEARCH.match(at.token) is not None or (at.rest != "" and not at.cuts)
    return is_of_search(at.token) and (at.url[-1] in GOES_ON or not is_other)


def _is_within_field(at: Break) -> bool:
    """Whether the break stands between the name of a field and its sign, or divides the "&amp;" before a field.

    A break within a name decides nothing, because a field without a sign (`?wsdl`) may stand above a setting.
    """
    if len(at.token) > 1 and not at.token.strip("=-"):  # a ruler
        return False
    begin = max(map(at.url.rfind, "?&"))
    found = (_FIELD if at.token[0] == "=" else _REFERENCE).match(at.url[begin:] + at.token)
    return found is not None and found.end() > len(at.url) - begin


def is_before_twin(at: Break) -> bool:
    """Whether the same URL stands in brackets behind the rest, as programs print a link whose text is its address.

    A line end may cut that too.
    """
    twin = f"({at.url}"
    # In a list, each line has the address of what it names.
    if at.length + len(at.token) < SHORT or twin in at.below or not at.rest.startswith(twin):
        return False
    behind = at.rest.removeprefix(twin)
    if not behind:  # it ends the line
        return at.below.startswith(at.token)
    more = behind.partition(")")[0]
    return more != "" and at.token.startswith(more)


_NAME_AND_NUMBER = compiled(r"[A-Za-z]++[0-9_-][\w-]*+[.,;:)\]]*+\Z")
_ITEM = compiled(r"[0-9]{1,3}[.)]|[0-9]{1,2}:[0-9]")


def is_before_fragment(at: Break) -> bool:
    """Whether a URL ends in "#", and a fragment follows: a name or number alone, or below a full line one with a sign.

    A word without a sign or number is one only below a full line.
    """
    token = at.token
    if not token[0].isalnum() or token[-1] == ":" or _ITEM.match(token) or token.rstrip(CLOSING) in COMMON:
        return False
    if at.rest:
        return at.length >= SHORT and at.depth == at.next_depth and _NAME_AND_NUMBER.match(token) is not None
    return at.depth >= at.next_depth and (at.length >= SHORT or not token.isalpha())


def is_before_slash(at: Break) -> bool:
    """Whether the next line begins with a slash that ends the URL: punctuation follows it, as no other text has.

    But "/." is also the name of a site, and a root directory may stand in a list.
    """
    behind = at.token[1:]
    if (
        at.url[-1] in "/,.;:"
        or not behind
        or behind.strip(".,;:!?)]")
        or at.depth != at.next_depth
        or at.rest[:1] == "/"
    ):
        return False
    return behind != "." or at.rest == "" or at.rest[0].isupper()
