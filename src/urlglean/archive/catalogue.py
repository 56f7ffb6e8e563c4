"""Writes a catalogue that grows: reads what lies at paths, and adds what the database does not have yet.

The digest of each document is looked up before the document is read; of one that is known only the place is noted.
Everything is committed in batches, each of which leaves a catalogue that agrees with itself: a run that is killed is
completed by running it again.
"""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import closing, contextmanager
from functools import lru_cache
from pathlib import Path
from time import monotonic
from typing import Any

from msgspec.structs import replace

from urlglean.archive.database import catalogue
from urlglean.archive.growth import prepare, remove_gone
from urlglean.errors import CatalogueError
from urlglean.output import document_lines
from urlglean.output.file_names import as_octets, as_text, sqlite_uri
from urlglean.output.files import file_id, only_writer, part_of
from urlglean.output.table_values import decoded, typed
from urlglean.output.tables import CATALOGUE, ROWS, STATEMENTS, Row, Tables, create
from urlglean.output.text import setting
from urlglean.pipeline.chunk_result import results_of
from urlglean.pipeline.digest import digest_of
from urlglean.pipeline.inputs import Chunk, Inputs, Progress, opened
from urlglean.pipeline.results import ChunkResult, Tally
from urlglean.pipeline.run import RunOptions, share_results
from urlglean.pipeline.scan_task import ScanTask
from urlglean.records import Document, Message, Trouble
from urlglean.remote_urls import is_remote
from urlglean.sources import Item, Skipped, Taken, unbundled
from urlglean.sources.items import NOTHING_MISSED
from urlglean.version import __version__

EVERY = 0.5
"""Seconds between two commits. A run that is killed loses about that much work."""

_CACHE = 1 << 26
"""Octets of the database that are kept in memory: digests and Message-IDs are looked up all over its indices."""

Tell = Callable[[ChunkResult], object]


@contextmanager
def growing(path: Path, paths: Sequence[str], task: ScanTask) -> Iterator[Catalogue]:
    """Open a catalogue to which a run adds; it is made if there is no file, and deleted if it is `discarded` then.

    Args:
        path: the database.
        paths: what the run will read.
        task: the settings of the run.

    Raises:
        CatalogueError: it is none that urlglean wrote, it was made with other options, or it cannot be read or written.
        OutputError: another run writes it, or something else has the name of its part file.
        OSError: the part file cannot be made.
    """
    # SQLite's own locks, which are of another kind, would be lost when this process closed a descriptor of the database
    # itself (https://www.sqlite.org/howtocorrupt.html 2.2).
    with only_writer(path):
        new = not path.exists()
        if new or (path.is_file() and not path.stat().st_size):
            _make(path)
        with catalogue(path, write=True) as connection:
            _refuse_others(path, connection, task)
            folder = _folder(path, connection, paths)
            connection.execute("PRAGMA journal_mode = WAL")
            connection.execute("PRAGMA synchronous = NORMAL")  # a crash of the system may lose batches, but tears none
            connection.execute(f"PRAGMA cache_size = -{_CACHE >> 10}")
            connection.execute("PRAGMA foreign_keys = OFF")  # what is written here is right by its construction
            grown = Catalogue(path, connection, task, folder)
            yield grown
        if new and grown.discarded:
            target, _, *beside = files_of(path)
            for file in (target, *beside):
                file.unlink(missing_ok=True)


class Catalogue:
    """A catalogue while a run adds to it.

    Each file has one name in it, however it was given: what lies in the folder to which relative paths belong is named
    by such a path, all else by its absolute path.

    Attributes:
        new: how many documents the run has read, windows of long texts each.
        known: how many more there were, which the catalogue had already, perhaps from earlier in this run.
        saved: how many of both are surely in it, even if the run is broken off now.
        discarded: whether the file is deleted at the end if there was none before; set by who has read nothing at all.
    """

    def __init__(self, path: Path, connection: sqlite3.Connection, task: ScanTask, folder: str | None) -> None:
        self._connection, self._task, self._folder = connection, task, folder
        self._tables = Tables(connection, grows=True)
        self.known = self.saved = 0
        self.discarded = False
        prepare(connection)
        self._begin()
        self._tables.write(document_lines.run_line(__version__, task.options.of_findings, folder))
        self._commit()
        self.own = frozenset(filter(None, map(file_id, files_of(path))))

    @property
    def findings(self) -> int:
        """How many valid URLs the run has added, without those of documents that were given up."""
        return self._tables.findings

    def added(self, read: Tally) -> Tally:
        """The counts of a run, of which those of URLs are of what was added.

        More may have been read: a document that was given up is left for a later run with all its URLs.
        """
        tables = self._tables
        return replace(read, findings=tables.findings, raw=tables.raw, rejects=tables.rejects)

    @property
    def new(self) -> int:
        """How many documents the run has read; of a long text each window counts."""
        return self._tables.new

    def read(self, paths: Iterable[str], how: RunOptions, tell: Tell) -> None:
        """Read all at `paths`, and add it.

        Args:
            paths: files and folders.
            how: options that do not change what is added. What `how.own` names is not read.
            tell: called with each result that was added, in which there are no rows.

        Raises:
            UnknownNameError: the task names a dialect or a level of joins that does not exist.
            WorkerError: a worker process cannot be started.
        """
        items = opened(paths, kind=self._task.options.kind, own=how.own | self.own, bounds=self._task.options.bounds)
        name_of = lru_cache(maxsize=1)(self.name_of)  # the items of a file follow each other
        inputs = Inputs(replace(item, path=name_of(item.path)) for item in items)
        self._begin()
        try:
            self._add(share_results(self._unknown(inputs, how.chunk, tell), self._task, how), tell)
            self._commit()
            self._begin()
            remove_gone(self._connection, self._tables.run)
            self._tables.end()
            self._connection.execute("COMMIT")
        except BaseException:
            if self._connection.in_transaction:
                self._connection.execute("ROLLBACK")
            raise

    def name_of(self, path: str) -> str:
        """The name in the catalogue of what lies at a path."""
        if is_remote(path):
            return path
        parts = path.split("/")
        if ".." in parts:  # behind a symbolic link it leads elsewhere
            behind = len(parts) - parts[::-1].index("..")
            path = os.path.join(os.path.realpath("/".join(parts[:behind])), *parts[behind:])  # noqa: PTH118
        # Path.resolve follows symbolic links. Two slashes at the beginning are kept by it, and mean one.
        whole = os.path.abspath(path).replace("//", "/")  # noqa: PTH100
        if self._folder == whole:
            return "."
        return whole.removeprefix(os.path.join(self._folder, "")) if self._folder else whole  # noqa: PTH118

    def _add(self, results: Iterable[ChunkResult], tell: Tell) -> None:
        for result in results:
            self._tables.write(result.rows)
            tell(result)

    def _unknown(self, inputs: Inputs, size: int, tell: Tell) -> Iterator[Chunk]:
        """Chunks without the documents that the catalogue has, of which it notes the places."""
        progress = Progress()
        for chunk in inputs.chunks(size):
            progress.add(chunk.read)
            seen = _Seen(self._tables.run)
            items = []
            for item in unbundled(chunk.items):
                if isinstance(item, Document):
                    known = self._connection.execute(_KNOWN, (digest_of(item),)).fetchone()
                    if known:
                        seen.add(item, *known)
                        continue
                elif isinstance(item, Taken) or (isinstance(item, Skipped) and item.cause in NOTHING_MISSED):
                    seen.paths.append((as_text(item.path),))
                items.append(item)
            self._note(seen)
            self.known += len(seen.places)
            tell(ChunkResult(b"", b"", seen.troubles, seen.tally, end=progress.position))
            if monotonic() >= self._due:
                self._commit()
                self._begin()
            size = sum(len(item.data) for item in items if isinstance(item, Document))
            if size:
                yield Chunk(items, size=size)
            else:  # there may be millions of such before the next that is read
                self._add(results_of(Chunk(items), self._task), tell)

    def _note(self, seen: _Seen) -> None:
        run = self._tables.run
        connection = self._connection
        connection.executemany("INSERT OR IGNORE INTO temp.read VALUES (?)", seen.paths)
        connection.executemany(STATEMENTS["places"], seen.places)
        connection.executemany("INSERT OR IGNORE INTO temp.seen VALUES (?)", [place[:1] for place in seen.places])
        for place, trouble in seen.in_trouble:
            causes = typed(connection.execute(_CAUSES, place[:1]).fetchall(), tuple[str], "troubles")
            for (cause,) in causes:
                row = (run, *place[1:3], trouble.message, place[0], cause)
                connection.execute(STATEMENTS["troubles"], row)
                seen.note(replace(trouble, cause=cause))
        connection.execute(STATEMENTS["counts"], (*seen.tally.of_runs, run))

    def _begin(self) -> None:
        self._connection.execute("BEGIN IMMEDIATE")
        self._due = monotonic() + EVERY

    def _commit(self) -> None:
        self._connection.execute("COMMIT")
        self.saved = self.new + self.known


_KNOWN = "SELECT id, EXISTS (SELECT 1 FROM troubles WHERE copy = copies.id) FROM copies WHERE digest = ?"
_CAUSES = "SELECT DISTINCT cause FROM troubles WHERE copy = ?"


class _Seen:
    """What a chunk holds that the catalogue has already.

    Attributes:
        paths: the files that were read, or in which there is nothing, a row for each.
        places: the rows of places of known copies.
        in_trouble: of places whose copies could not be read completely: the row, and a trouble without a cause.
        troubles: those of known copies, at their places.
        tally: the counts of known documents.
    """

    def __init__(self, run: int) -> None:
        self._run = run
        self.paths: list[Row] = []
        self.places: list[Row] = []
        self.in_trouble: list[tuple[Row, Trouble]] = []
        self.troubles: list[Item] = []
        self.tally = Tally()

    def add(self, document: Document, copy: int, in_trouble: int) -> None:
        """Add a document that is known: the id of its copy, and whether that could not be read completely."""
        origin = document.origin
        self.places.append((copy, *document_lines.place_of(document), self._run))
        self.tally.see(document, Message(()))
        if in_trouble:
            self.in_trouble.append((self.places[-1], Trouble(origin.path, "", origin.member, origin.message)))

    def note(self, trouble: Trouble) -> None:
        """Add a trouble of a known copy."""
        self.troubles.append(trouble)
        self.tally.troubles += 1


def files_of(path: Path) -> tuple[Path, ...]:
    """The files of the catalogue at `path`: itself, its part file, and what SQLite writes beside it."""
    target = path.resolve()
    return (target, part_of(path), *(target.with_name(target.name + end) for end in ("-wal", "-shm", "-journal")))


def _make(path: Path) -> None:
    try:
        with closing(sqlite3.connect(sqlite_uri(path, "mode=rwc"), uri=True, isolation_level=None)) as connection:
            create(connection, CATALOGUE)
    except sqlite3.Error as error:
        raise CatalogueError(path, str(error)) from error


def _folder(path: Path, connection: sqlite3.Connection, paths: Sequence[str]) -> str | None:
    """The folder to which relative paths in a catalogue belong, also those of a run over `paths`.

    None if all names in it are absolute.

    Raises:
        CatalogueError: a path is relative to another folder.
    """
    here = os.getcwd()  # noqa: PTH109  the same without a Path
    folders = [os.fsdecode(as_octets(row[0])) for row in typed(connection.execute(_FOLDERS), tuple[str], "runs")]
    if all(Path(each).is_absolute() or is_remote(each) for each in paths):
        return folders[0] if folders else None
    for earlier in folders:
        if earlier != here and Path(earlier).is_dir():
            told = f"relative paths in it belong to the folder {earlier}"
            raise CatalogueError(path, f"{told}: run this there, or give absolute paths")
    return None if not folders and connection.execute(_ABSOLUTE).fetchone() else here


def _refuse_others(path: Path, connection: sqlite3.Connection, task: ScanTask) -> None:
    """Check that the run would add to a catalogue, and that it was made in the same way.

    Raises:
        CatalogueError: it is none, or it was not.
    """
    if connection.execute("PRAGMA application_id").fetchone() == (ROWS,):
        told = "`scan -o` has made it, which would replace it again: give the catalogue another name"
        raise CatalogueError(path, told)
    now = task.options.of_findings
    for (options,) in connection.execute("SELECT options FROM runs ORDER BY id DESC LIMIT 1"):
        then = decoded(options, dict[str, Any], "runs")
        others = [
            f"--{name} {setting(then.get(name))}, not {setting(now[name])}"
            for name in now
            if then.get(name) != now[name]
        ]
        if others:
            raise CatalogueError(path, f"it was made with {'; '.join(others)}: one catalogue has one way of reading")


_FOLDERS = "SELECT folder FROM runs WHERE folder IS NOT NULL GROUP BY folder ORDER BY max(id) DESC"
_ABSOLUTE = "SELECT 1 FROM places WHERE path >= '/' AND path < '0' LIMIT 1"
"""Whether something has an absolute name. Behind the slash comes the digit 0 in the order of octets."""
