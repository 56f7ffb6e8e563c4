r"""Shows texts with their URLs marked in place, and a footnote on each URL: what was read, and why.

    ── notes.txt
    > The list has moved to ⟦1 http://lists.example.org/archive/⟧
    > ⟦1+ urls.html⟧, and ⟦2✗ http://:x/⟧ leads nowhere.

    [1] http://lists.example.org/archive/urls.html
        found      line 1, bare, inferred: a line break or the end was guessed; 0.97 to be exactly right
        taken out  "\n" hard-wrap: a line end behind which the URL goes on: a guess
        taken out  "> " quote-prefix: what a reply puts before the lines it quotes
        line end   3.6: +2.1 token holds an extension, +1.3 line of 68 to 71, -0.8 next line shorter, ...
        or 0.02    http://lists.example.org/archive/
    [2✗] http://:x/
        ...

`+` marks a further piece of a URL; the text between its pieces was taken out. `✗` marks a candidate that was judged and
rejected. The numbers continue from one message to the next. Where it had to be decided whether a URL goes on behind a
line end, the footnote has the log-odds that it does (0: even), which are a sum, and the strongest terms of that sum.

A text becomes a sequence of bits. Each bit has a role, and the table of a face (plain, HTML, or colours of a terminal)
says how the role looks. As everywhere, characters that a terminal might obey, hide or reorder are written as escapes.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from html import escape
from types import MappingProxyType
from typing import TYPE_CHECKING, Literal

from msgspec import Struct

from urlglean.expressions import compiled
from urlglean.grammar.codes import CODES
from urlglean.occurrence import Occurrence
from urlglean.output.text import place, printable
from urlglean.records import OF_HTML, Certainty, Document, Envelope, JoinRule, MendRule, Message, Span, TextPart
from urlglean.text.finding import Finding
from urlglean.text.invisible import is_visible
from urlglean.text.joining.terms import BreakExplanation

if TYPE_CHECKING:
    from rich.text import Text

Role = Literal["head", "part", "field", "text", "url", "url+", "no-url", "no-url+", "taken", "note", "no-note", "label"]


class Bit(Struct, frozen=True):
    """A piece of what is shown. `number` is the number of its finding, 0 if it belongs to none.

    `text` is printable, except that it may hold line feeds, tabs and blanks of other scripts.
    """

    role: Role
    text: str
    number: int = 0


class Face(Struct, frozen=True):
    """How roles look.

    Attributes:
        templates: for each role a template with `{text}` and `{number}`. A role without a template shows its text only.
        escape: escapes a text for the template.
        before: precedes all bits.
        after: follows all bits.
    """

    templates: Mapping[Role, str]
    escape: Callable[[str], str] = str
    before: str = ""
    after: str = ""

    def __call__(self, bits: Iterable[Bit]) -> str:
        """The bits as one text, without `before` and `after`."""
        return "".join(map(self.shown, bits))

    def shown(self, bit: Bit) -> str:
        """One bit as text."""
        return self.templates.get(bit.role, "{text}").format(text=self.escape(bit.text), number=bit.number)


_PLAIN: Mapping[Role, str] = {
    "head": "── {text}",
    "part": "── {text}",
    "field": "{text}: ",
    "url": "⟦{number} {text}⟧",
    "url+": "⟦{number}+ {text}⟧",
    "no-url": "⟦{number}✗ {text}⟧",
    "no-url+": "⟦{number}✗+ {text}⟧",
    "note": "[{number}] {text}",
    "no-note": "[{number}✗] {text}",
}

_HTML: Mapping[Role, str] = {
    "head": "<b>{text}</b>",
    "part": "<i>{text}</i>",
    "field": "<i>{text}:</i> ",
    "url": '<mark id="u{number}"><a href="#n{number}">{number}</a>{text}</mark>',
    "url+": '<mark><a href="#n{number}">{number}</a>{text}</mark>',
    "no-url": '<mark class="no" id="u{number}"><a href="#n{number}">{number}</a>{text}</mark>',
    "no-url+": '<mark class="no"><a href="#n{number}">{number}</a>{text}</mark>',
    "taken": "<s>{text}</s>",
    "note": '<a id="n{number}" href="#u{number}">[{number}]</a> <b>{text}</b>',
    "no-note": '<a class="no" id="n{number}" href="#u{number}">[{number}✗]</a> <b>{text}</b>',
    "label": "<i>{text}</i>",
}

# The page shows text of strangers, so nothing in it may run or be fetched.
_PAGE = """<!DOCTYPE html>
<html lang="en"><head><meta charset="utf-8"><title>urlglean</title>
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
<style>
:root { color-scheme: light dark }
pre { max-width: 60em; margin: 2em auto; padding: 0 1em; line-height: 1.5; white-space: pre-wrap }
mark { border-radius: .2em; padding: 0 .2em; background: light-dark(#dbeafe, #1e3a5f); color: inherit }
mark.no { background: light-dark(#fde8e8, #5b2130) }
mark a { font-size: .7em; vertical-align: super; padding-right: .3em }
a { text-decoration: none; color: light-dark(#1d4ed8, #93c5fd) }
a.no { color: light-dark(#b91c1c, #fca5a5) }
b { overflow-wrap: anywhere }
i, s { font-style: normal; text-decoration: none; opacity: .6 }
</style></head><body><pre>
"""

FACES = {
    "text": Face(_PLAIN),
    "html": Face(_HTML, escape, _PAGE, "</pre></body></html>\n"),
}

_COLOURS: Mapping[Role, str] = {
    "head": "bold",
    "part": "dim",
    "field": "dim",
    "url": "bold cyan",
    "url+": "bold cyan",
    "no-url": "red",
    "no-url+": "red",
    "taken": "dim",
    "note": "bold cyan",
    "no-note": "red",
    "label": "dim",
}

CERTAINTIES: Mapping[Certainty, str] = {
    "stated": "a wrapper says so",
    "plain": "it stands whole",
    "inferred": "a break, an end, a sign or the scheme was guessed",
}

JOINS: Mapping[JoinRule, str] = {
    JoinRule.WHITESPACE: "white space that is none of a URL's (RFC 1738 appendix)",
    JoinRule.HYPHEN_KEPT: "a line end behind a hyphen, which stays (RFC 1738 appendix)",
    JoinRule.HYPHEN_DROPPED: "a hyphen that was put in where the line was broken (RFC 1738 appendix)",
    JoinRule.QUOTE_PREFIX: "what a reply puts before the lines it quotes",
    JoinRule.PAGE_BREAK: "the foot of a page and the head of the next",
    JoinRule.STRINGS: "where a string of source code ends and the next begins, or one goes on: a guess",
    JoinRule.SOFT_BREAK: "a soft break of quoted-printable text (RFC 2045 6.7)",
    JoinRule.FLOWED: "a soft line end of flowed text (RFC 3676 4.2)",
    JoinRule.HARD_WRAP: "a line end behind which the URL goes on: a guess",
}

MENDS: Mapping[MendRule, str] = {
    MendRule.TILDE: "what a charset, or TeX, has in the place of a tilde: a guess",
    MendRule.HYPHEN: "what a word processor has in the place of a hyphen: a guess",
    MendRule.SOFT_HYPHEN: "a place where a word may be broken: a guess",
    MendRule.ESCAPE: "what escapes a sign or says where a line may end (Markdown, TeX, troff): a guess",
    MendRule.SLASH: "what Windows has in the place of a slash: a guess",
    MendRule.AMPERSAND: "an ampersand, as JSON in a page or Markdown has it: a guess",
    MendRule.EQUALS: "an equals sign, as JSON in a page has it: a guess",
    MendRule.COLON: "a colon, as Markdown has it: a guess",
    MendRule.BRACKET: "a bracket of the header field from which the address is: a guess",
    **{rule: f"what browsers have in the place of &{rule}, which was not escaped: a guess" for rule in OF_HTML},
}

_STRONGEST = 6
"""How many of the terms that decided a line end are shown."""

_SHOWN = 60
"""How many characters of a text that was taken out a footnote repeats. A page break may be long."""

# Not escaped: line ends, which become line feeds, tabs, and the blanks of other scripts.
_HARMLESS = compiled("(\r\n|[\r\n\t\u00a0\u2000-\u200a\u202f\u3000])")


NOTHING_WEIGHED: Mapping[int, Sequence[BreakExplanation]] = MappingProxyType({})


def bits(  # noqa: PLR0913, PLR0917 - a document, what was read from it, and the first number
    document: Document,
    message: Message,
    envelope: Envelope,
    occurrences: Sequence[Occurrence],
    first: int,
    weighed: Mapping[int, Sequence[BreakExplanation]] = NOTHING_WEIGHED,
) -> Iterator[Bit]:
    """The bits of a document: its head, its texts with the findings marked, its footnotes.

    Args:
        document: the document; only its place is used.
        message: the texts that were read from it.
        envelope: its headers.
        occurrences: the findings in the texts, rejected candidates included, in their order.
        first: the number of the first occurrence; the others are numbered from there.
        weighed: by the number of an occurrence, the line breaks at which its URL could go on.
    """
    numbered: dict[int, list[tuple[int, Finding]]] = defaultdict(list)
    for number, occurrence in enumerate(occurrences, first):
        numbered[id(occurrence.part)].append((number, occurrence.finding))
    head = filter(None, (place(document), envelope.date, envelope.sender, envelope.subject))
    yield Bit("head", " · ".join(map(printable, head)))
    yield _LINE_END
    several = sum(part.field is None for part in message.parts) > 1
    for part in message.parts:
        yield from _heading(part, several=several)
        yield from _marked_text(part, numbered[id(part)])
        if not part.text.endswith(("\n", "\r")):
            yield _LINE_END
    for number, occurrence in enumerate(occurrences, first):
        yield _LINE_END
        yield from _footnote(number, occurrence, weighed.get(number, ()))
    yield _LINE_END


def painted(shown: Iterable[Bit]) -> Text:
    """The bits as text for a terminal, in colours. `rich` leaves them out if the terminal has or wants none."""
    from rich.text import Text  # noqa: PLC0415  a run without a terminal does not need it

    plain = FACES["text"]
    return Text.assemble(*((plain.shown(bit), _COLOURS.get(bit.role, "")) for bit in shown))


_LINE_END = Bit("text", "\n")


def _heading(part: TextPart, *, several: bool) -> Iterator[Bit]:
    """The heading of a part: the name of a field; the number of a text if there are `several` texts."""
    if part.field is not None:
        yield Bit("field", printable(part.field))
    elif several:
        yield Bit("part", f"part {part.part}" if part.part else "around the parts")
        yield _LINE_END


def _marked_text(part: TextPart, numbered: Iterable[tuple[int, Finding]]) -> Iterator[Bit]:
    """The bits of a text, cut at the pieces of its findings. Of a window, only the stretch that it owns is shown.

    A URL that goes on in the next window is shown whole, and the rest of it there again, without a mark.
    """
    own = Span(0, len(part.text))
    if part.stretch:
        own = Span(part.stretch.window.start - part.first, part.stretch.window.end - part.first)
    found = ((number, finding.rejected, finding.pieces or (finding.span,)) for number, finding in numbered)
    yield from marked(part.text, found, own)


def marked(text: str, found: Iterable[tuple[int, bool, Sequence[Span]]], shown: Span) -> Iterator[Bit]:
    """The bits of the stretch `shown` of a text, cut at what was found.

    Args:
        text: the text.
        found: of each URL its number, whether it was rejected, and its pieces. All of them are shown.
        shown: where to begin, and where to end at the least; in code points.
    """
    done = shown.start
    for number, rejected, pieces in found:
        begun, going_on = _MARKS[not rejected]
        for nth, piece in enumerate(pieces):
            if piece.start > done:
                yield Bit("taken" if nth else "text", _harmless(text[done : piece.start]), number if nth else 0)
            yield Bit(going_on if nth else begun, _harmless(text[piece.start : piece.end]), number)
            done = piece.end
    yield Bit("text", _harmless(text[done : shown.end]))


_MARKS: Mapping[bool, tuple[Role, Role]] = {True: ("url", "url+"), False: ("no-url", "no-url+")}


def _footnote(number: int, occurrence: Occurrence, weighed: Sequence[BreakExplanation]) -> Iterator[Bit]:
    finding = occurrence.finding
    yield Bit("no-note" if finding.rejected else "note", printable(finding.url), number)
    yield _LINE_END
    for label, detail in details(occurrence, weighed):
        yield Bit("label", f"    {label:<9}  ")
        yield Bit("text", f"{printable(detail)}\n")


def details(occurrence: Occurrence, weighed: Sequence[BreakExplanation] = ()) -> Iterator[tuple[str, str]]:
    """The rows of a footnote, how a URL was read and what else it may be: label and text, which may hold anything."""
    finding, text = occurrence.finding, occurrence.part.text
    yield "rejected" if finding.rejected else "found", _how(occurrence)
    if occurrence.part.label:
        yield "link text", occurrence.part.label
    if finding.assumed:
        yield "assumed", f"{_quoted(finding.assumed)} no scheme stands there: a guess"
    for join in finding.joins:
        yield "taken out", f"{_quoted(text[join.at.start : join.at.end])} {join.rule}: {JOINS[join.rule]}"
    for mend in finding.mends:
        yield "mended", f"{_quoted(text[mend.at.start : mend.at.end])} {mend.rule}: {MENDS[mend.rule]}"
    for each in weighed:
        yield "line end", _reason(each)
    for rival, confidence in zip(finding.rivals, finding.rival_confidences, strict=True):
        yield f"or {confidence:.3f}", rival
    for problem in finding.problems:
        yield "problem", f"{problem.code}: {problem.message} ({problem.rule})"
    for caution in finding.cautions:
        yield "caution", f"{caution}: {CODES[caution].meaning} ({CODES[caution].source})"


def _how(occurrence: Occurrence) -> str:
    """Where it is, and of a URL how sure it is. A rejected candidate is no URL, which could be exactly right."""
    finding = occurrence.finding
    if occurrence.part.whole:
        return "an attribute as a whole"
    where = f"line {occurrence.line}, {finding.wrapper}"
    if finding.rejected:
        return where
    certainty = f"{finding.certainty}: {CERTAINTIES[finding.certainty]}"
    return f"{where}, {certainty}; {finding.confidence:.3f} to be exactly right"


def _reason(weighed: BreakExplanation) -> str:
    """The reason for the decision at a line end: a standard, or the log-odds and their strongest terms."""
    if weighed.standard:
        return f"decided by {weighed.standard}"
    strongest = ", ".join(f"{term.log_odds:+.1f} {term.feature}" for term in weighed.terms[:_STRONGEST])
    return f"{weighed.log_odds:+.1f}: {strongest}{', ...' if len(weighed.terms) > _STRONGEST else ''}"


def _quoted(taken: str) -> str:
    cut = "…" if len(taken) > _SHOWN else ""
    return f'"{printable(taken[:_SHOWN])}{cut}"'


def _harmless(text: str) -> str:
    """`text` with escapes for what is not seen. Line ends become line feeds; tabs and blanks are kept."""
    if is_visible(text):
        return text
    kept = _HARMLESS.split(text)
    kept[::2] = map(printable, kept[::2])
    kept[1::2] = ("\n" if blank[0] in "\r\n" else blank for blank in kept[1::2])
    return "".join(kept)
