"""What is wanted of a run, as one record: the command line, the library and every worker hand it down as it is."""

from __future__ import annotations

from msgspec import Struct

from urlglean.bounds import DEFAULT, Bounds
from urlglean.errors import OutOfRangeError
from urlglean.records import Dialect, Joins


class Options(Struct, frozen=True):
    """All that what is found depends on, beside the input.

    Attributes:
        dialect: which standard judges.
        joins: how far to go in joining what line breaks cut.
        invalid: whether candidates that were judged and rejected come too.
        least: findings of a smaller confidence, as it is written in rows, are left out; rejected ones never are.
        strict: whether what the dialect refuses, though browsers take it, is rejected too.
        schemes: names of schemes whose bare URLs are looked for too.
        bare_hosts: whether hosts without a scheme are looked for too.
        kind: one of `sources.ASKABLE`: what each file is read as; None where its first bytes tell.
        bounds: how much hostile input may come to.

    Raises:
        OutOfRangeError: `least` is no probability.
    """

    dialect: Dialect = "current"
    joins: Joins = "likely"
    invalid: bool = False
    least: float = 0.0
    strict: bool = False
    schemes: tuple[str, ...] = ()
    bare_hosts: bool = False
    kind: str | None = None
    bounds: Bounds = DEFAULT

    def __post_init__(self) -> None:
        if not 0 <= self.least <= 1:
            raise OutOfRangeError("least", self.least, 0, 1)
