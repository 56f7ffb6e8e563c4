"""The targets of the fuzzers: one row for each, with a function of octets, and its seeds.

The last octets of an input choose the options, so that the rest is the unchanged text or file, and mutating it changes
nothing else. A target raises AssertionError if an invariant does not hold, and never anything else.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import get_args

from msgspec import Struct

from fuzz import resuming, seeds
from invariants import Asked, hold_in_file, hold_in_message, hold_in_rows, hold_in_text, hold_in_verdict, hold_troubles
from urlglean import extract_message, scan
from urlglean.pipeline.glean import TOGETHER, glean
from urlglean.pipeline.options import Options
from urlglean.records import LEVELS, Dialect, Document, Trouble


class Target(Struct, frozen=True):
    """A row: the function, and its seeds."""

    run: Callable[[bytes], None]
    seeds: Callable[[], Iterator[bytes]]


def _text(octets: bytes) -> str:
    return octets.decode("utf-8", "surrogateescape")


def asked(choice: bytes) -> Asked:
    """The options that two octets choose; without octets, the defaults."""
    number = int.from_bytes(choice, "little")
    number, dialect = divmod(number, 4)
    number, joins = divmod(number, 4)
    number, flowed = divmod(number, 4)
    number, schemes = divmod(number, 4)
    return Asked(
        dialect=get_args(Dialect)[dialect],
        joins=(*LEVELS[::-1], "likely")[joins],
        flowed=("", "flowed", "delsp", "")[flowed],
        schemes=((), ("doi",), ("x", "a+b"), ("magnet", "about"))[schemes],
        strict=bool(number & 1),
        bare_hosts=bool(number & 2),
    )


def _extract(octets: bytes) -> None:
    hold_in_text(_text(octets[:-2]), asked(octets[-2:]))


def _validate(octets: bytes) -> None:
    hold_in_verdict(_text(octets[:-1]), asked(octets[-1:]).dialect)


def _message(octets: bytes) -> None:
    hold_in_message(octets[:-2], asked(octets[-2:]))
    troubles: list[Trouble] = []
    hold_in_rows(tuple(extract_message(octets[:-2], on_trouble=troubles.append)))
    hold_troubles(tuple(troubles))


def _readers(octets: bytes) -> None:
    data, block = octets[:-2], 1 + int.from_bytes(octets[-2:], "little") % 5000
    documents = [item for item in hold_in_file(data, block) if isinstance(item, Document)]
    troubles: list[Trouble] = []
    rows = tuple(scan(data, on_trouble=troubles.append))
    hold_troubles(tuple(troubles))
    hold_in_rows(rows)
    alone = [
        each
        for start in range(0, len(documents), TOGETHER)
        for report in glean(documents[start : start + TOGETHER], Options())
        for each in report.occurrences
    ]
    assert [each.finding for each in rows] == [each.finding for each in alone]


TARGETS = {
    "extract": Target(_extract, seeds.texts),
    "validate": Target(_validate, seeds.urls),
    "message": Target(_message, seeds.messages),
    "readers": Target(_readers, seeds.files),
    "resume": Target(resuming.run, resuming.seeds),
}
"""The targets by name."""
