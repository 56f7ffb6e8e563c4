"""What is removed from the end of a bare URL's run of characters. All rules are guesses, one in each row.

`fast_path` makes its patterns from the same rows.
"""

from __future__ import annotations

from collections.abc import Callable

from msgspec import Struct

from urlglean.lazy import pattern
from urlglean.text.emphasis import ENCLOSING
from urlglean.text.file_extension import LONGEST, ends_in_one
from urlglean.text.signs import BRACKETS, EMPHASIS, STOPS
from urlglean.text.url_characters import LETTERS_AND_DIGITS


class TailRule(Struct, frozen=True, kw_only=True):
    """A row: a rule that removes characters from the end of a run.

    Attributes:
        name: its name.
        endings: the rule may apply only if the run ends in one of these.
        before: the signs of which one directly precedes the URL wherever `takes` removes anything; "" if anything may.
        takes: gets the run, the length of it that is left, and the signs that opened something before it; returns the
            number of characters to remove, or 0 if the rule does not apply. None if the rule always removes the ending.
    """

    name: str
    endings: tuple[str, ...]
    before: str = ""
    takes: Callable[[str, int, str], int] | None = None


# A fragment holds no "#" (RFC 3986 3.5): two may begin a heading in Markdown.
_RULER_LEAST = {"-": 2, "=": 4, "_": 4, "*": 4, "~": 4, "#": 2, "+": 4}


_EDGE_LEAST = 8
"""Of one sign: a name of a folder may have some."""


def _ruler(url: str, end: int, _opened: str) -> int:
    """The number of equal signs at the end: of a dash, or of a line made of one repeated sign, glued to the URL."""
    start = end
    while start and url[start - 1] == url[end - 1]:
        start -= 1
    return end - start


def _enclosed(url: str, end: int, opened: str) -> int:
    """The number of signs at the end if they close what as many signs of markup before the URL open; else 0."""
    count = opened.count(url[end - 1])
    return count if count and _ruler(url, end, opened) == count else 0


def _is_dash(url: str, end: int, _opened: str) -> int:
    """1 if a hyphen at the end is a dash: a file's extension or the slash of a path precedes it; else 0."""
    before = url[max(0, end - 1 - LONGEST) : end - 1]
    return int(_BEHIND_FOLDER.search(before) is not None or ends_in_one(before))


_BEHIND_FOLDER = pattern(r"[^/:]/\Z")
_CLOSING = frozenset(STOPS).union("'", BRACKETS)
# Behind a sign or an escape; behind a letter it is an apostrophe.
_BEFORE_VALUE = pattern(r"(?:[=/(,:+_-]|%[0-9A-Fa-f]{2})\Z")
_LONGEST_ESCAPE = len("%20")


def _closing(url: str, end: int, _opened: str) -> int:
    """The number of signs of closing punctuation at the end."""
    start = end
    while start and url[start - 1] in _CLOSING and not _closes_own(url, start):
        start -= 1
    return end - start


def _closes_own(url: str, end: int) -> bool:
    """Whether a URL ends in an apostrophe that closes a value of its own, as in `?$filter=name%20eq%20'Bread'`."""
    opening = url.rfind("'", 0, end - 1) if url[end - 1] == "'" else -1
    return 0 <= opening < end - 2 and _BEFORE_VALUE.search(url, max(0, opening - _LONGEST_ESCAPE), opening) is not None


TAIL_RULES = (
    # An apostrophe may be a closing quotation mark. An opening bracket at the end belongs to the text behind the URL.
    TailRule(name="closing-punctuation", endings=tuple(sorted(_CLOSING)), takes=_closing),
    TailRule(name="possessive", endings=("'s",)),
    TailRule(
        name="emphasis",
        endings=tuple(EMPHASIS),
        takes=lambda url, end, opened: int(url[end - 1] in opened),
    ),
    TailRule(
        name="enclosed", endings=tuple(sorted(set(ENCLOSING.values()))), before="".join(ENCLOSING), takes=_enclosed
    ),
    # A command of a shell goes on so.
    TailRule(name="shell-and", endings=("&&",)),
    TailRule(name="ruler", endings=tuple(sign * least for sign, least in _RULER_LEAST.items()), takes=_ruler),
    # The lower edge of a box around a signature.
    TailRule(
        name="edge",
        endings=tuple(f"{sign * _EDGE_LEAST}/" for sign in "_-="),
        takes=lambda url, end, opened: _ruler(url, end - 1, opened) + 1,
    ),
    TailRule(name="dash", endings=("-",), takes=_is_dash),
)
TAILS = frozenset(rule.name for rule in TAIL_RULES)
FIRM = frozenset(LETTERS_AND_DIGITS + "/").difference(ending[-1] for rule in TAIL_RULES for ending in rule.endings)
"""The characters that no tail rule removes. Nearly every URL ends in one, so one test is enough."""


def tail_of(url: str, opened: str) -> tuple[int, tuple[str, ...]]:
    """The length of a run after the tail rules, and the names of the rules that removed characters.

    `opened` holds the signs that are open before the run (`emphasis.opened_before`).
    """
    end, named = len(url), []
    while end and url[end - 1] not in FIRM:
        for rule in TAIL_RULES:
            if size := _removed_by(rule, url, end, opened):
                named.append(rule.name)
                end -= size
                break
        else:
            break
    return end, tuple(dict.fromkeys(named))


def _removed_by(rule: TailRule, url: str, end: int, opened: str) -> int:
    """The number of characters that a rule removes from the first `end` characters of a run."""
    if not url.endswith(rule.endings, 0, end):
        return 0
    if rule.takes is not None:
        return rule.takes(url, end, opened)
    return next(len(ending) for ending in rule.endings if url.endswith(ending, 0, end))
