"""`urlglean show`: shows the text of a file with its URLs marked, and how each URL was read."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Sequence

import click

from urlglean.cli.common import (
    FOUND,
    NONE_FOUND,
    at_terminal,
    dialect_option,
    endings,
    joins_option,
    scheme_option,
    stdout,
    strict_option,
    www_option,
)
from urlglean.cli.reading import limit_options
from urlglean.cli.streams import TROUBLE
from urlglean.cli.values import PathType
from urlglean.mail import envelope_of
from urlglean.occurrence import Occurrence
from urlglean.output.show import FACES, Bit, bits, painted
from urlglean.output.text import place, printable
from urlglean.pipeline.glean import Report, glean
from urlglean.pipeline.inputs import opened
from urlglean.pipeline.limits import GivenUpError, Limits, limited
from urlglean.pipeline.options import Options
from urlglean.records import Dialect, Document, Joins, Message, Trouble
from urlglean.sources import ASKABLE, Skipped, unbundled
from urlglean.sources.items import is_missed
from urlglean.text.joining.terms import BreakExplanation
from urlglean.text.search_terms import SearchTerms, search_terms


@click.command(short_help="Show a text with its URLs marked, and how each was read.")
@click.argument("file", type=PathType(allow_dash=True, readable=False), metavar="FILE")
@dialect_option
@joins_option
@strict_option
@scheme_option
@www_option
@click.option("--as", "kind", type=click.Choice(ASKABLE), help="Read FILE as this kind, whatever it looks like.")
@click.option("--format", "format_name", type=click.Choice(tuple(FACES)), default="text", show_default=True)
@limit_options
def show(
    *,
    file: str,
    dialect: Dialect,
    joins: Joins,
    strict: bool,
    schemes: tuple[str, ...],
    www: bool,
    kind: str | None,
    format_name: str,
    limits: Limits,
) -> None:
    """Show the text of FILE, or of stdin for "-", with each URL marked and a footnote on how it was read.

    Mail is shown message by message. What looked like a URL but was rejected is marked too, with its problems.

    Exit status: 0 if a URL was found, 1 if none was found, 2 if FILE is left out or could not be read completely.
    """
    options = Options(dialect, joins, invalid=True, strict=strict, schemes=schemes, bare_hosts=www, kind=kind)
    face = FACES[format_name]
    draw = _on_terminal() if format_name == "text" and at_terminal() else face
    number, found, troubles = 1, False, False
    with endings(), stdout() as page:
        page.write(face.before.encode())
        for item in unbundled(opened([file], kind=kind)):
            reported: Sequence[Trouble] = [item] if isinstance(item, Trouble) else []
            if isinstance(item, Skipped) and is_missed(item, [file]):
                reported = [Trouble(file, f"left out: {item.cause}")]
            if isinstance(item, Document):
                try:
                    with limited(item, limits):
                        (report,) = glean([item], options)
                        drawn = draw(_bits(item, report, number, options))
                except GivenUpError as error:
                    report, drawn = Report(Message(()), troubles=(error.trouble,)), ""
                page.write(drawn.encode())
                page.flush()
                reported = report.troubles
                number += len(report.occurrences)
                found = found or any(not occurrence.finding.rejected for occurrence in report.occurrences)
            for trouble in reported:
                troubles = True
                click.echo(f"urlglean: {place(trouble)}: {printable(trouble.cause)}", err=True)
        page.write(face.after.encode())
    sys.exit(TROUBLE if troubles else FOUND if found else NONE_FOUND)


def _bits(document: Document, report: Report, first: int, options: Options) -> Iterable[Bit]:
    """What is shown of a document; the footnotes are numbered from `first`."""
    asked = search_terms(options.schemes, bare_hosts=options.bare_hosts)
    ways = _weighed(report.occurrences, first, options.dialect, asked)
    return bits(document, report.message, envelope_of(report.message.header), report.occurrences, first, ways)


def _weighed(
    occurrences: Sequence[Occurrence], first: int, dialect: Dialect, asked: SearchTerms
) -> dict[int, tuple[BreakExplanation, ...]]:
    """The explanations of the line breaks at which bare URLs may continue, by the numbers of the occurrences."""
    from urlglean.text.joining.explanation import weighed  # noqa: PLC0415  its tables take 10 ms to compile

    explained: dict[int, tuple[BreakExplanation, ...]] = {}
    of_part: dict[int, list[tuple[int, Occurrence]]] = {}
    for number, occurrence in enumerate(occurrences, first):
        if occurrence.finding.wrapper in {"bare", "url-prefix"}:
            of_part.setdefault(id(occurrence.part), []).append((number, occurrence))
    for numbered in of_part.values():
        part = numbered[0][1].part
        starts = {occurrence.finding.span.start: number for number, occurrence in numbered}
        ways = weighed(part.text, starts, dialect, part.flowed, asked)
        explained |= {starts[start]: way for start, way in ways.items()}
    return explained


def _on_terminal() -> Callable[[Iterable[Bit]], str]:
    """A function that draws bits for the terminal at stdout, in the colours that the terminal supports."""
    from rich.console import Console  # noqa: PLC0415  a run without a terminal does not need it

    console = Console(soft_wrap=True)

    def draw(shown: Iterable[Bit]) -> str:
        with console.capture() as drawn:
            console.print(painted(shown), end="", highlight=False)
        return drawn.get()

    return draw
