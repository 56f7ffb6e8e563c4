"""What is shown of a link: its line in the list, the text around it, how it was read, what else it may be.

Everything becomes pairs of a style and a text, whose characters are all printable but for line feeds, tabs and blanks.
"""

from __future__ import annotations

from collections.abc import Iterator

from urlglean.occurrence import Occurrence
from urlglean.output.show import details, marked
from urlglean.output.text import printable
from urlglean.pick.links import Link
from urlglean.records import Span

Styled = list[tuple[str, str]]

_LINES, _FAR = 3, 400
"""How many lines before and after a URL are shown, and how many characters at most."""


def line_of(link: Link, *, selected: bool) -> Styled:
    """The line of a link in the list."""
    style = "class:selected" if selected else ""
    notes = [f"{len(link.readings)} readings"] if len(link.readings) > 1 else []
    notes += [f"{link.times} times"] if link.times > 1 else []
    rest = f"  ({', '.join(notes)})" if notes else ""
    label = next((place.part.label for place in link.places if place.part.label), None)
    text = f"  {printable(label)}" if label and label != link.url else ""
    url = f"{'>' if selected else ' '} {printable(link.url)}"
    return [(style, url), ("", text), ("class:note", rest), ("", "\n")]


def preview(link: Link, reading: int) -> Styled:
    """The readings of a link, with the selected one marked; then each place: how it was read, and the text around."""
    found: Styled = []
    for number, url in enumerate(link.readings):
        chosen = number == reading
        found.append(("class:chosen" if chosen else "", f"{'*' if chosen else ' '} {printable(url)}\n"))
    for place in link.places:
        found += _place(place)
    if link.times > len(link.places):
        found.append(("class:note", f"\nand {link.times - len(link.places):,} times more\n"))
    return found


def _place(place: Occurrence) -> Iterator[tuple[str, str]]:
    about = (place.envelope.date, place.envelope.sender, place.envelope.subject, place.part.field)
    yield "class:head", f"\n{' · '.join(printable(each) for each in about if each)}\n"
    if not place.part.whole:
        finding = place.finding
        for bit in marked(place.part.text, [(0, False, finding.pieces or (finding.span,))], _around(place)):
            yield f"class:{bit.role.rstrip('+')}", bit.text
        yield "", "\n"
    for label, detail in details(place):
        yield "class:note", f"  {label:<9}  "
        yield "", f"{printable(detail)}\n"


def _around(place: Occurrence) -> Span:
    """The stretch of a text around a URL that is shown: whole lines if they are short."""
    text, (first, last) = place.part.text, (place.finding.span.start, place.finding.span.end)
    before, behind = text[max(0, first - _FAR) : first], text[last : last + _FAR]
    start = first - len("".join(before.splitlines(keepends=True)[-_LINES:]))
    return Span(start, last + len("".join(behind.splitlines(keepends=True)[:_LINES]).rstrip("\r\n")))
