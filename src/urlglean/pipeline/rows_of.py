"""Changes the rows of results on their way to the files: each URL only once, or only how many there are.

Both need all rows in order, so the one process that writes them does this. Workers send a `RowKey` with each row.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import groupby

from msgspec.structs import replace

from urlglean.output.text import printable
from urlglean.pipeline.results import ChunkResult, RowKey, Tally
from urlglean.records import STDIN
from urlglean.sources.items import Taken


def first_of_each_url(results: Iterable[ChunkResult]) -> Iterator[ChunkResult]:
    """The results without rows whose URL, letter by letter, an earlier row has; these are counted as `repeated`.

    Of each URL a hash of 16 octets is kept, which takes 100 bytes of memory (measured, Python 3.11). That two of a
    thousand million URLs have the same hash has a probability of 1 to 10^21.
    """
    seen: set[bytes] = set()
    for result in results:
        rows: list[bytes] = []
        keys: list[RowKey] = []
        tally, at = replace(result.tally), 0
        for key in result.keys:
            row = result.rows[at : at + key.length]
            at += key.length
            if key.digest in seen:
                tally.repeated += 1
                tally.findings -= key.valid
                tally.raw -= not key.valid
            else:
                seen.add(key.digest)
                rows.append(row)
                keys.append(key)
        yield replace(result, rows=b"".join(rows), keys=keys, tally=tally)


def counts(results: Iterable[ChunkResult]) -> Iterator[ChunkResult]:
    r"""The results with a line for each file that was read instead of their rows: "path:number\n".

    The number is that of the rows, of all members if the file is an archive. For stdin without a name there is only the
    number.
    """
    path: str | None = None
    number = 0
    for result in results:
        lines: list[bytes] = []
        for each, more in _rows_by_file(result, path):
            if each != path:
                if path is not None:
                    lines.append(_line(path, number))
                path, number = each, 0
            number += more
        yield replace(result, rows=b"".join(lines), keys=[])
    if path is not None:
        yield ChunkResult(_line(path, number), b"", [], Tally())


def _line(path: str, number: int) -> bytes:
    return (f"{number}\n" if path == STDIN else f"{printable(path)}:{number}\n").encode()


def _rows_by_file(result: ChunkResult, path: str | None) -> list[tuple[str, int]]:
    """How many rows there are of each file, in order. The file `path` may go on from the result before.

    A file that is read again after another one is there twice, whether both are in one result or not.
    """
    paths = [] if path is None else [path]
    paths += [note.path for note in result.notes if isinstance(note, Taken)]
    files = [each for each, _ in groupby(paths)]
    numbers = [0] * len(files)
    at = 0
    for key in result.keys:
        at = next((number for number in range(at, len(files)) if files[number] == key.path), len(files))
        if at == len(files):
            files.append(key.path)
            numbers.append(0)
        numbers[at] += 1
    return list(zip(files, numbers, strict=True))
