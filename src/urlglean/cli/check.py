"""`urlglean check`: judges URLs by a dialect."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterable, Iterator

import click

from urlglean.cli.common import FOUND, NONE_FOUND, at_terminal, dialect_option, endings, stdout
from urlglean.errors import UrlgleanError
from urlglean.output import jsonl, verdicts
from urlglean.records import STDIN, Dialect
from urlglean.text.judge import validate

_LONGEST = 1 << 24
"""So many octets of a line of stdin are taken for a URL; a picture in one may have some millions."""

_COLOURS = {"valid": "green", "invalid": "red", "ruler": "red", "caution": "yellow"}


def _painted(text: str, what: str) -> str:
    return click.style(text, fg=_COLOURS[what], bold=True)


@click.command(short_help="Judge URLs given as arguments, or on stdin.")
@click.argument("urls", nargs=-1, required=True, metavar="URL...|-")
@dialect_option
@click.option("--format", "format_name", type=click.Choice(("text", "jsonl")), default="text", show_default=True)
def check(urls: tuple[str, ...], dialect: Dialect, format_name: str) -> None:
    """Judge each URL; "-" stands for those on stdin, one a line.

    Prints the parts and cautions of a valid one, or the places where it breaks a rule.

    Exit status: 0 if all are valid, 1 if one is not.
    """
    all_valid = True
    with endings(), stdout() as rows:
        paint = _painted if at_terminal() and not os.environ.get("NO_COLOR") else verdicts.unpainted
        for url in _each(urls):
            verdict = validate(url, dialect=dialect)
            all_valid = all_valid and verdict.valid
            if format_name == "jsonl":
                rows.write(jsonl.verdict_line(url, verdict))
            else:
                rows.writelines(f"{line}\n".encode() for line in verdicts.lines(url, verdict, dialect, paint))
            rows.flush()  # who writes URLs to stdin may wait for the answer
    sys.exit(FOUND if all_valid else NONE_FOUND)


def _each(urls: Iterable[str]) -> Iterator[str]:
    """The URLs, with those of stdin in the place of "-": its lines without their ends, LF or CRLF, if they hold any.

    Raises:
        UrlgleanError: stdin cannot be read, or a line is too long for a URL.
    """
    for url in urls:
        if url != STDIN:
            yield url
            continue
        if sys.stdin is None:
            raise UrlgleanError("stdin is closed")
        try:
            while line := sys.stdin.buffer.readline(_LONGEST + 1):
                if len(line) > _LONGEST:
                    raise UrlgleanError(f"stdin: a line is longer than {_LONGEST:,} bytes")
                if held := line.removesuffix(b"\n").removesuffix(b"\r"):
                    yield os.fsdecode(held)
        except OSError as error:
            raise UrlgleanError(f"stdin: {error.strerror or error}") from error
