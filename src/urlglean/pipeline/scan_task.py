"""The settings of a run that writes rows."""

from __future__ import annotations

from msgspec import Struct

from urlglean.pipeline.options import Options

SECONDS = 30.0
"""Default limit of processor time for a document, and again for each megabyte of it. A document that takes longer is
assumed to hang or to be hostile: 128 MB of nothing but broken URLs take 1.6 seconds a megabyte (measured, Python 3.11),
texts made to be slow about 100."""

MEMORY = 512_000_000
"""Default limit of the memory, in bytes, of the process that reads a document."""


class ScanTask(Struct, frozen=True):
    """The settings of a run that writes rows: everything that the rows depend on, except the documents.

    Attributes:
        format: one of `FORMATS`.
        options: what to search for.
        seconds: how many seconds of processor time a document may take, and as many again for each megabyte of it. A
            document that takes longer becomes a trouble. 0 means no limit.
        memory: how many bytes the process that reads a document may take. A document that needs more becomes a trouble.
            0 means no limit.
        csv_safe: whether to write `Format.safe`, for formats that have it.
        terminal: whether to write `Format.terminal`, for formats that have it; only to stdout.
        unique: whether to write only the first row of each URL.
        count: whether to write only how many rows there would be of each file.
    """

    format: str = "text"
    options: Options = Options()
    seconds: float = SECONDS
    memory: int = MEMORY
    csv_safe: bool = False
    terminal: bool = False
    unique: bool = False
    count: bool = False

    @property
    def keyed(self) -> bool:
        """Whether rows are told apart after they were made."""
        return self.unique or self.count
