"""The options of a run, as one record. The command line, the library and the workers pass it on unchanged."""

from __future__ import annotations

from msgspec import Struct

from urlglean.bounds import DEFAULT, Bounds
from urlglean.errors import OutOfRangeError
from urlglean.pipeline.wanted import ALL, Wanted
from urlglean.records import Dialect, Joins
from urlglean.sources.globs import EVERY_FILE, Globs


class Evidence(Struct, frozen=True):
    """A catalogue whose documents settle doubtful readings.

    Attributes:
        path: the database.
        stamp: what `collection.stamp_of` said of it when the run began. All processes must see the same catalogue.
    """

    path: str
    stamp: str


class Options(Struct, frozen=True):
    """Everything that the findings depend on, except the input.

    Attributes:
        dialect: the standard by which URLs are judged.
        joins: how far to go in joining URLs that line breaks cut.
        invalid: whether to include candidates that were judged and rejected.
        least: findings with a smaller confidence, rounded as in rows, are left out. Rejected candidates never are.
        strict: whether to reject URLs that the dialect refuses, even if browsers accept them.
        schemes: names of more schemes whose bare URLs to search for.
        bare_hosts: whether to search for hosts without a scheme too.
        kind: what each file is read as, one of `sources.ASKABLE`; None: its first bytes decide.
        bounds: limits on what hostile input may use.
        evidence: a catalogue that settles doubtful readings; None: nothing does.
        wanted: which messages, parts and URLs are wanted; the others are left out, and counted.
        globs: which files under the paths, and members of archives, are read.

    Raises:
        OutOfRangeError: `least` is not between 0 and 1.
        TypeError: `least` is no number.
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
    evidence: Evidence | None = None
    wanted: Wanted = ALL
    globs: Globs = EVERY_FILE

    @property
    def of_findings(self) -> dict[str, str | bool | float | list[str]]:
        """Those on which the findings in a document depend, by their names on the command line, for a database."""
        always: dict[str, str | bool | float | list[str]] = {
            "dialect": self.dialect,
            "joins": self.joins,
            "least": self.least,
            "strict": self.strict,
            "scheme": list(self.schemes),
            "www": self.bare_hosts,
            "rejects": self.invalid,
        }
        return always | ({"evidence": self.evidence.path} if self.evidence else {}) | self.wanted.asked

    @property
    def selects(self) -> bool:
        """Whether findings are left out that were found, or parts that were read."""
        return bool(self.least) or self.wanted != ALL

    def __post_init__(self) -> None:
        try:
            in_range = 0 <= self.least <= 1
        except TypeError:
            raise TypeError(f"least must be a number, not {type(self.least).__name__}") from None
        if not in_range:
            raise OutOfRangeError("least", self.least, 0, 1)
