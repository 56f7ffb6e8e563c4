"""Lines of values with a separator between them: what the writers of CSV and TSV have in common."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from urlglean.columns import Value
from urlglean.occurrence import Occurrence, of_finding, of_part
from urlglean.output.file_names import as_text


def delimited(
    occurrences: Sequence[Occurrence], cell: Callable[[Value], bytes], separator: bytes, end: bytes
) -> list[bytes]:
    """A line for each occurrence: each value as `cell` writes it, and `end`. The cells of a part are made once."""
    written, part, origin, shared = [], None, None, b""
    for each in occurrences:
        if each.part is not part or each.origin is not origin:
            part, origin = each.part, each.origin
            _, *others = of_part(each)
            shared = separator + separator.join(map(cell, (as_text(origin.path), *others))) + end
        written.append(separator.join(map(cell, of_finding(each))) + shared)
    return written
