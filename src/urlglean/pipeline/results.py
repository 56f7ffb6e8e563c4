"""The records of what was made of the input: rows, notes and counts."""

from __future__ import annotations

from msgspec import Struct

from urlglean.pipeline.inputs import Portion, Position
from urlglean.records import Document, Message
from urlglean.sources.items import Item


class Tally(Struct):
    """Counts of what was read and found so far.

    `bytes` counts the bytes of the documents after unpacking. `files` includes members of archives. `raw` counts the
    rows whose URL is not valid; `findings` does not include them. `unlikely` counts the findings that have no row
    because their confidence is too low, `unwanted` those that have none because of `Options.wanted`. `unsearched` are
    the parts that were not searched because of it, `passed` the messages and texts that were not read, `undated` those
    of them that have no date. `repeated` counts the rows that were not written because their URL has one already.
    """

    files: int = 0
    messages: int = 0
    texts: int = 0
    parts: int = 0
    bytes: int = 0
    findings: int = 0
    raw: int = 0
    unlikely: int = 0
    unwanted: int = 0
    unsearched: int = 0
    passed: int = 0
    undated: int = 0
    repeated: int = 0
    rejects: int = 0
    troubles: int = 0
    skipped: int = 0

    def see(self, document: Document, message: Message) -> None:
        """Count a document that was read. The windows of a long text are one text with one part."""
        self.bytes += document.size
        if document.is_continued:
            return
        if document.kind == "message":
            self.messages += 1
        else:
            self.texts += 1
        self.parts += len(message.parts)

    @property
    def of_runs(self) -> tuple[int, ...]:
        """The counts that a database has in its table `runs`, in the order of `document_lines.CountsLine`."""
        return self.files, self.messages, self.texts, self.bytes, self.skipped

    def add(self, other: Tally) -> None:
        """Add the counts of another tally."""
        for name in self.__struct_fields__:
            setattr(self, name, getattr(self, name) + getattr(other, name))


class RowKey(Struct, frozen=True, array_like=True, gc=False):
    """What a row can be told by.

    Attributes:
        path: the file.
        digest: a hash of its URL, 16 octets.
        length: how many octets the row has.
        valid: whether its URL is valid.
    """

    path: str
    digest: bytes
    length: int
    valid: bool


class ChunkResult(Struct, frozen=True):
    """The result of a chunk, or a piece of it: a chunk with many findings has several, in order.

    Attributes:
        rows: the rows of its findings.
        rejects: the rows of its rejected candidates.
        notes: its items that are not documents, and the troubles of its documents, in order.
        tally: its counts.
        read: what a position counts of the items since the last result that had this; None if this is not the last
            result of a chunk.
        done: how many items of the chunk are read completely with it and the pieces before it.
        end: the position behind it; None if this is not the last result of a chunk, or if nobody has added up yet.
        keys: those of its rows, if the task is `keyed`.
    """

    rows: bytes
    rejects: bytes
    notes: list[Item]
    tally: Tally
    read: tuple[Portion, ...] | None = None
    done: int = 0
    end: Position | None = None
    keys: list[RowKey] = []
