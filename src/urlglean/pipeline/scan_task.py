"""The settings of a run that writes rows."""

from __future__ import annotations

from msgspec import Struct

from urlglean.pipeline.limits import Limits
from urlglean.pipeline.options import Options


class ScanTask(Struct, frozen=True):
    """The settings of a run that writes rows: everything that the rows depend on, except the documents.

    Attributes:
        format: one of `FORMATS`.
        options: what to search for.
        limits: what reading a document may take.
        csv_safe: whether to write `Format.safe`, for formats that have it.
        terminal: whether to write `Format.terminal`, for formats that have it; only to stdout.
        unique: whether to write only the first row of each URL.
        count: whether to write only how many rows there would be of each file.
    """

    format: str = "text"
    options: Options = Options()
    limits: Limits = Limits()
    csv_safe: bool = False
    terminal: bool = False
    unique: bool = False
    count: bool = False

    @property
    def keyed(self) -> bool:
        """Whether rows are told apart after they were made."""
        return self.unique or self.count
