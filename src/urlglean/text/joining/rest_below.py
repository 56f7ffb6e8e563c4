"""Whether the next line begins with what can only be the rest of a URL behind a path: a search, a fragment, a slash.

These are guesses, rows of `divided_names`. Prose hardly ever has such words.
"""

from __future__ import annotations

from urlglean.expressions import compiled
from urlglean.text.joining.break_record import CLOSING, GOES_ON, Break
from urlglean.text.joining.columns import columns
from urlglean.text.joining.common import COMMON
from urlglean.text.joining.places import SIGNS_OF_SEARCH, is_of_search
from urlglean.text.line_lengths import SHORT
from urlglean.text.signs import STOPS

# A conversion of printf, an escape that is spoken of, a variable, another sign, a label, an item, a path of Windows.
_NO_SEARCH = compiled(
    r"%[0-9]*+l*+[sdxuic](?![A-Za-z0-9%])|%[0-9A-Fa-f]{2}[.,;:)]*+\Z|[A-Z][A-Z0-9_]{2,}=|[^A-Za-z0-9%&=_+.~-]"
    r"|[\w-]++:|[0-9]++[.)]|[^\\]*+\\"
)
# The name of a field with its sign; the reference of HTML that may stand before one.
_FIELD = compiled(r"[?&](?:amp;)?[A-Za-z_]\w*+=(?!=)")
_REFERENCE = compiled("&amp;")
_NAMED = compiled(r"[?&;][A-Za-z_][\w.-]*=\Z")
_NUMBER = compiled(r"[0-9]{1,12}[.,;)]*+\Z")
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
    if at.url[-1] == "=" and (_VALUE.match(at.token) or (at.length >= SHORT and _is_number_of_field(at))):
        return True
    is_cut_again = at.length >= SHORT and at.cuts != ()
    if is_cut_again and not at.rest and at.token[0].isalnum() and at.token[-1] in SIGNS_OF_SEARCH:
        return True
    if not at.rest and (_is_within_field(at) or (at.cuts and is_of_search(at.below.partition(" ")[0]))):
        return True
    is_other = _NO_SEARCH.match(at.token) is not None or (at.rest != "" and not at.cuts)
    return is_of_search(at.token) and (at.url[-1] in GOES_ON or not is_other)


def _is_number_of_field(at: Break) -> bool:
    """Whether the URL ends behind the name of a field, and a number follows, which is none of a list's item."""
    return _NAMED.search(at.url) is not None and _NUMBER.match(at.token) is not None and not _ITEM.match(at.token)


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
    if at.length + columns(at.token) < SHORT or twin in at.below or not at.rest.startswith(twin):
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


# With "n" of cgit, and with columns of GitHub.
_PLACE = r"[Lln]?[0-9]{1,6}(?:[Cc][0-9]{1,4})?"
_TREE = "/tree/"
_LINE = compiled(rf"#(?=[Lln]){_PLACE}(?:-{_PLACE})?[.,;:)\]]*+\Z")


def is_before_line(at: Break) -> bool:
    """Whether the next line begins with a fragment that names a line of a file, as servers of code write it."""
    is_whole = "#" in at.url or at.url[-1] in STOPS or (at.token[1:2] == "n" and _TREE not in at.url)
    return not is_whole and at.depth == at.next_depth and _LINE.match(at.token) is not None


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
