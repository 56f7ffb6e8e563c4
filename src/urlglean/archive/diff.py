"""Shows what is changed in a message as a unified diff of its decoded texts."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator, Sequence
from itertools import groupby

from urlglean.archive.rewrite import Rewriting
from urlglean.mail.rewriting import Edit
from urlglean.output.text import place, printable
from urlglean.records import TextPart

CONTEXT = 3
"""How many lines are shown before and behind those that change, as in diff(1)."""


def diff(rewriting: Rewriting) -> Iterator[str]:
    """The lines of the diff, without line ends: for each part two that name it, then its hunks.

    Nothing but the edits is compared, so this takes linear time. Control characters are written as escapes.
    """
    first = rewriting.rejoined[0]
    told = (place(first.origin), first.envelope.message_id, first.envelope.date, first.envelope.subject)
    yield "# " + "  ".join(printable(each) for each in told if each)
    for part, edits in groupby(rewriting.edits, key=lambda edit: edit.part):
        name = " ".join(filter(None, (place(first.origin), part.part and f"part {part.part}", part.field)))
        yield f"--- {printable(name)}"
        yield f"+++ {printable(name)}"
        yield from _hunks(part, list(edits))


def _hunks(part: TextPart, edits: Sequence[Edit]) -> Iterator[str]:
    text = part.text
    begins = [0]
    while at := text.find("\n", begins[-1]) + 1:
        begins.append(at)
    if begins[-1] == len(text):
        begins.pop()
    # The first and the last line of each group of lines that become one.
    groups: list[list[int]] = []
    of_group: list[list[Edit]] = []
    for edit in edits:
        one, last = (bisect_right(begins, at) - 1 for at in (edit.start, edit.end))
        if groups and one <= groups[-1][1]:
            groups[-1][1] = max(groups[-1][1], last)
            of_group[-1].append(edit)
        else:
            groups.append([one, last])
            of_group.append([edit])

    def lines(start: int, end: int, sign: str) -> list[str]:
        taken = text[begins[start] : begins[end] if end < len(begins) else len(text)] if start < end else ""
        return [f"{sign}{_harmless(line)}" for line in _split(taken)]

    # Of a window, lines are counted from the beginning of its text.
    stretch = part.stretch
    above = stretch.lines - text.count("\n", 0, stretch.window.start - part.first) if stretch else 0
    shift = 0
    hunk: list[str] = []
    begin = upto = grown = 0
    for (one, last), held in zip(groups, of_group, strict=True):
        if hunk and one - upto > 2 * CONTEXT:
            yield from _hunk(hunk + lines(upto, min(upto + CONTEXT, len(begins)), " "), above + begin, shift)
            shift, hunk = shift + grown, []
        if not hunk:
            begin = upto = max(0, one - CONTEXT)
            grown = 0
        old = lines(one, last + 1, "-")
        new = [f"+{_harmless(line)}" for line in _split(_edited(part, held, begins, one, last))]
        hunk += [*lines(upto, one, " "), *old, *new]
        upto, grown = last + 1, grown + len(new) - len(old)
    yield from _hunk(hunk + lines(upto, min(upto + CONTEXT, len(begins)), " "), above + begin, shift)


def _edited(part: TextPart, edits: Sequence[Edit], begins: Sequence[int], one: int, last: int) -> str:
    """The lines `one` to `last` of a text with edits."""
    done = begins[one]
    end = begins[last + 1] if last + 1 < len(begins) else len(part.text)
    pieces: list[str] = []
    for edit in edits:
        pieces += part.text[done : edit.start], edit.text
        done = edit.end
    return "".join((*pieces, part.text[done:end]))


def _hunk(lines: Sequence[str], begin: int, shift: int) -> Iterator[str]:
    old = sum(line[0] != "+" for line in lines)
    new = sum(line[0] != "-" for line in lines)
    yield f"@@ -{begin + 1},{old} +{begin + 1 + shift},{new} @@"
    yield from lines


def _split(text: str) -> list[str]:
    return text.removesuffix("\n").split("\n") if text else []


def _harmless(line: str) -> str:
    return "\t".join(map(printable, line.removesuffix("\r").split("\t")))
