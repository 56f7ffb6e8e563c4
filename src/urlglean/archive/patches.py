"""Finds the changes in a text that are written as `diff` (POSIX.1-2017), git and Subversion write them.

Each says how many lines it has, so it could not be applied if it had fewer.
"""

from __future__ import annotations

from msgspec import Struct

from urlglean.lazy import pattern
from urlglean.records import Span

_RANGE = r"[0-9]++(?:,[0-9]++)?"


class _Form(Struct, frozen=True):
    """A row: the first line of a change, without its indent, and the signs with which its other lines begin."""

    name: str
    first: str
    signs: str


_SIGNS = r"-+ \\\t"
_FORMS = (
    _Form("unified", rf"@@ -{_RANGE} \+{_RANGE} @@", _SIGNS),
    _Form("merge", rf"@@@++ (?:-{_RANGE} )++\+{_RANGE} @@@++", _SIGNS),  # by git
    _Form("property", rf"## -{_RANGE} \+{_RANGE} ##[ \t]*+\r?$", _SIGNS),  # by Subversion
    _Form("context", rf"\*{{3}} {_RANGE} \*{{4}}[ \t]*+\r?$", r"-+ !\\\t"),
    _Form("normal", rf"{_RANGE}[acd]{_RANGE}[ \t]*+\r?$", r"-<>\\\t"),
)


def _lines(signs: str) -> str:
    """The pattern of the lines of a change. An empty line of context may have lost its blank on the way."""
    return rf"(?:\n(?:[{signs}][^\n]*+|\r?$))++"


_CHANGE = pattern(
    "|".join(rf"(?m:^[ \t]*+(?P<f{row}>{form.first})[^\n]*+{_lines(form.signs)})" for row, form in enumerate(_FORMS))
)
_LINES = tuple(pattern(rf"(?m:{_lines(form.signs)})") for form in _FORMS)


def changes(text: str, start: int = 0, form: int | None = None) -> tuple[list[Span], int | None]:
    """The changes of a text, and the form of the one that may go on behind its end.

    Args:
        text: a text, or a stretch of one that ends with it.
        start: where a line begins, before which nothing is searched.
        form: the form of the change that may go on at `start`, as a call for the text before it gave it; None if none.

    Returns:
        The spans of the changes, in order, and the row of a form; None if the text does not end in a change.
    """
    if "\n" not in text:  # lines may end in CR, as on the old Macintosh
        text = text.replace("\r", "\n")
    spans: list[Span] = []
    if form is not None and (more := _LINES[form].match(text, start - 1)):
        spans, start = [Span(start, more.end())], more.end()
    for found in _CHANGE.finditer(text, start):
        spans.append(Span(*found.span()))
        form = int((found.lastgroup or "f0")[1:])
    return spans, form if spans and spans[-1].end == len(text) else None
