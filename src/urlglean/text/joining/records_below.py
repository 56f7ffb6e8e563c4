"""Breaks before a line that is a record of its own: a setting, a field, a row of a table or list, a line of a program.

All are guesses; `layouts` has the rows that use them.
"""

from __future__ import annotations

import re

from urlglean.expressions import compiled
from urlglean.text.joining.break_record import GOES_ON, Break
from urlglean.text.line_lengths import SHORT
from urlglean.text.scheme_triggers import SCHEME

_NAME = r"(?:(?:export|set)[ \t]+|[#;!]*[ \t]*)[\w.\[\]-]{1,60}"
_SETS_URL = compiled(rf"{_NAME}[ \t]?=[ \t]?['\"]?\Z")
_SETTING = compiled(rf"{_NAME}[ \t]?=(?!=)")
# Signs behind which a search goes on.
_IN_SEARCH = "&=?%"
_ENDS_FIELD = compiled(r"[?&;][^?&;=]+=[^?&;=]+\Z")
_SETTING_OF_URL = compiled(rf"{_NAME}=['\"]?{SCHEME}://", re.IGNORECASE)


def is_before_setting(at: Break) -> bool:
    """Whether the next line is a setting, `name=value`, and the URL is the value of one or the next value is a URL.

    The search of a URL holds such settings as well, but a sign divides them.
    """
    if "=" not in at.token and "=" not in at.rest:
        return False
    line, is_value = f"{at.token} {at.rest}", _SETS_URL.match(at.before) is not None
    if at.url[-1] in _IN_SEARCH:  # a value may be left out in both lines
        return is_value and at.url[-1] == "=" and _SETTING_OF_URL.match(line) is not None
    if _SETTING_OF_URL.match(line) and ("?" not in at.url or is_value):
        return True
    # A value in base64 may go on, up to an "=" of its own.
    ends_field = _ENDS_FIELD.search(at.url) is not None and at.token[-1] != "="
    is_cut_search = "?" in at.url and at.length >= SHORT and not ends_field
    return is_value and "&" not in at.token and not is_cut_search and _SETTING.match(line) is not None


_FIELD = compiled(r"[A-Za-z][A-Za-z0-9_-]{0,40}:(?=[ \t]|\Z)")
"""The pattern of the name of a header field (RFC 5322 2.2), or of another label like that."""
# With a URL behind it, it may be any other.
_FIELD_OF_URL = compiled(
    rf"(?:[A-Za-z][A-Za-z0-9_-]{{0,20}} ){{1,2}}[A-Za-z][A-Za-z0-9_-]{{0,20}}:[ \t]*{SCHEME}://", re.IGNORECASE
)
_FIELD_OF_WORDS = compiled(r"(?:[A-Za-z][A-Za-z0-9_-]{0,20} ){1,2}[A-Za-z][A-Za-z0-9_-]{0,20}:(?=[ \t]|\Z)")


# A property of a calendar or vCard (RFC 5545 3.1, RFC 6350 3.3), which has no blank behind its name, perhaps of a group
# in a vCard, as Apple writes them: `item1.URL;type=pref:http://host/`.
_GROUPED = compiled(r"item[0-9]{1,3}\.[A-Z][A-Za-z-]{1,30}[;:]")
_PROPERTY = compiled(r"(?:item[0-9]{1,3}\.)?[A-Z]{3}[A-Z-]{0,27}(?:;[A-Za-z-]{1,30}=[^\s:;]{1,80}+)*+:")


_PROPERTY_BESIDE = compiled(r"(?:item[0-9]{1,3}\.)?[A-Z][A-Z-]{0,29}[;:]")


def _is_of_card(at: Break) -> bool:
    """Whether the URL's line, the next one and one beside them are properties of a calendar or vCard."""
    if not _PROPERTY.fullmatch(at.before) or not _PROPERTY.match(at.token):
        return False
    return any(map(_PROPERTY_BESIDE.match, (at.above, at.below)))


def is_before_field(at: Break) -> bool:
    """Whether the next line begins with the name of a field, as the URL's line does, or with one that has a value.

    A small letter without indentation may begin the rest of a URL before a colon. A name of several words counts if
    the URL's line begins with one too, and it has the same first word or another URL behind it.
    """
    if at.rest and at.before and _FIELD_OF_WORDS.fullmatch(at.before.rstrip()):
        line = f"{at.token} {at.rest}"
        has_same_word = at.before.startswith(f"{at.token} ") and _FIELD_OF_WORDS.match(line) is not None
        if has_same_word or (at.url[-1] not in GOES_ON and _FIELD_OF_URL.match(line)):
            return True
    if _GROUPED.match(at.token) or _is_of_card(at):
        return True
    if at.token[-1] != ":" or _FIELD.match(at.token) is None:
        return False
    has_value = at.rest != "" and (at.token[0].isupper() or at.next_blank)
    # The value may stand below its name.
    name = _FIELD.match(at.before) if at.before else _FIELD.fullmatch(at.above)
    return has_value or name is not None


_SEPARATORS = ",;|"
_FIRST = compiled(rf"[^\s{_SEPARATORS}=/]{{1,40}}+(?!/)")
# A colon ends the name of a file or the number of a line, as grep writes them. A word before it may end `?q=cache:`.
_CELL = r"[^\s?&=%#]{1,80}"
_URL_BEHIND_CELL = compiled(
    rf"(?:(?=[^\s:]{{0,80}}[./0-9]){_CELL}:|{_CELL}[{_SEPARATORS}])['\"<]?{SCHEME}://", re.IGNORECASE
)
# As grep writes them before a line: the name of a file and the number of a line, or a name with a dot or slash and no
# blank behind it, or a path. Numbers alone are a time.
_NAME_OF_FILE = r"(?=[^\s:]{0,80}[^\W\d_])([^\s:]{1,80})"
_NUMBERED_LINE = compiled(rf"{_NAME_OF_FILE}:[0-9]{{1,7}}:")
_LINE_OF_FILE = compiled(r"([\w+~@-]*[./][\w./+~@-]*):(?=\S|\Z)")
_LINE_OF_PATH = compiled(r"([\w.+~@-]*/(?=[\w+~@-]*[./])[\w./+~@-]*):")
# With what stands behind the same name in a line of context: hyphens.
_OF_GREP = (
    (_NUMBERED_LINE, compiled(r"-[0-9]{1,7}-")),
    (_LINE_OF_FILE, compiled("-")),
    (_LINE_OF_PATH, compiled("-")),
)
_URL_BEHIND_LABEL = compiled(rf"\w[\w-]{{0,20}}?(?P<sign>[^\w\s/?&=%]{{1,3}}){SCHEME}://", re.IGNORECASE)
_LABEL_SIGNS = frozenset(":(：（")
_ENDS_IN_LABEL = compiled(r"(?:\A|\s)\w[\w-]{0,20}?(?P<sign>[^\w\s]{1,3})\Z")
_HASH = compiled(r"(?:[0-9a-f]{16,}|[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}):?\Z", re.IGNORECASE)
_LETTERS, _DIGITS = compiled(r"[^\W\d_]"), compiled(r"\d")
_SHORTEST_FORM = 3


def is_before_row(at: Break) -> bool:
    """Whether the URL's line and the next one are rows of one table or list.

    Another URL stands behind the first cell of the next line, or behind a label (which may also end a search); both
    lines have the same separator, or both begin with words of one form, such as dates, numbers or hashes.
    """
    goes_on = at.url[-1] in GOES_ON
    if _URL_BEHIND_CELL.match(at.token) or _is_of_grep(at) or (not goes_on and _is_behind_label(at)):
        return True
    if not at.before:
        return _is_label_of_next(at)
    if goes_on:
        return False
    separator = at.before[-1]
    if separator in _SEPARATORS and separator in f"{at.token} {at.rest}":
        return True
    if not at.rest:
        return False
    mine, theirs = _FIRST.match(at.before), _FIRST.match(at.token)
    return mine is not None and theirs is not None and _have_one_form(mine.group(), theirs.group())


def _is_of_grep(at: Break) -> bool:
    """Whether grep has put the name of a file before both lines.

    If the URL ends in a sign behind which URLs go on, both must name the same file.
    """
    if ":" not in at.before:
        return False
    for form, of_context in _OF_GREP:
        mine, theirs = form.match(at.before), form.match(at.token)
        if mine and theirs and (mine[1] == theirs[1] or at.url[-1] not in GOES_ON):
            return True
        if mine and at.token.startswith(mine[1]) and of_context.match(at.token, len(mine[1])):
            return True
    return False


def _is_behind_label(at: Break) -> bool:
    """Whether another URL stands in the next line behind a label. A search may end in a word that looks like one.

    If this URL stands behind a label with the same sign, it is one in any case.
    """
    label = _URL_BEHIND_LABEL.match(at.token) if "://" in at.token else None
    if label is None:
        return False
    own = _ENDS_IN_LABEL.search(at.before)
    if own and own["sign"] == label["sign"]:
        return True
    return "?" not in at.url and label["sign"] in _LABEL_SIGNS


def _have_one_form(mine: str, theirs: str) -> bool:
    """Whether two different words have digits, letters and signs at the same places, and not letters alone."""
    if len(mine) != len(theirs) or len(mine) < _SHORTEST_FORM or mine.isalpha() or mine == theirs:
        return False
    return _form(mine) == _form(theirs) or (_HASH.match(mine) is not None and _HASH.match(theirs) is not None)


def _form(word: str) -> str:
    return _DIGITS.sub("0", _LETTERS.sub("a", word))


# What programs put before lines: the name of a commit, of a process or a service, a time, a prompt.
_OF_PROGRAM = compiled(r"(?=\S*[=:\[\]()|@$])\S+\Z|(?=[a-f]*[0-9])[0-9a-f]{7,40}\Z|\w+_[0-9]+\Z")


def has_same_first_word(at: Break) -> bool:
    """Whether the next line begins with the same word as the URL's line, one that a program has put before both."""
    if not at.rest or not (at.url[-1].isalnum() or at.url[-1] == "/"):
        return False
    return at.before.split(maxsplit=1)[:1] == [at.token] and _OF_PROGRAM.match(at.token) is not None


_LABEL = compiled(r"[^\w\s][A-Za-z_-]+[:=]")


def _is_label_of_next(at: Break) -> bool:
    """Whether the lines above and below the URL are labels of one kind, as `#LOC:AD` and `#LOC:AE`."""
    label = _LABEL.match(at.above)
    return label is not None and at.token.startswith(label.group())
