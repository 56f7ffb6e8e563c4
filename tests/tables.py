"""Makes a copy of the package in which a table has one more row, to test the effect of new rows."""

from __future__ import annotations

import ast
import json
import os
import shutil
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

from msgspec import Struct

SOURCE = Path(__file__).parent.parent / "src"

_READ = """
import json, sys
from urlglean import extract
from urlglean.text import fast_path
from urlglean.text.scanner import scan_text

def read(fast, text):
    taken = fast_path.DIALECTS if fast else frozenset()
    with_path, fast_path.DIALECTS = fast_path.DIALECTS, taken
    try:
        return extract(text, invalid=True)
    finally:
        fast_path.DIALECTS = with_path

def quick(text):
    return [not hasattr(at, "certainty") or at.certainty is not None for at in scan_text(text, fast=True)]

texts = json.load(sys.stdin)
told = [([f.url for f in read(True, text) if not f.rejected], read(True, text) == read(False, text), quick(text))
        for text in texts]
json.dump(told, sys.stdout)
"""


class Reading(Struct, frozen=True):
    """The result for a text: its URLs, whether they are the same without the fast path, which the fast path took."""

    urls: list[str]
    same: bool
    quick: list[bool]


def with_row(module: str, table: str, addition: str, folder: Path) -> Path:
    """A copy of the sources in which `addition` follows the assignment of `table`.

    Args:
        module: the module of the table, such as "text/url_end.py".
        table: the name of the table.
        addition: a statement that adds a row to it.
        folder: the folder for the copy.
    """
    copy = folder / "src"
    shutil.copytree(SOURCE, copy, copy_function=os.symlink)
    path = copy / "urlglean" / module
    text = path.read_text(encoding="utf-8")
    body = ast.parse(text).body
    (end,) = [
        node.end_lineno
        for node in body
        if (isinstance(node, ast.Assign) and any(isinstance(at, ast.Name) and at.id == table for at in node.targets))
    ]
    lines = text.splitlines(keepends=True)
    path.unlink()
    path.write_text("".join([*lines[:end], addition, "\n", *lines[end:]]), encoding="utf-8")
    return copy


def readings(sources: Path, texts: Sequence[str]) -> list[Reading]:
    """The result for each text by a copy of the sources, in a separate process."""
    done = subprocess.run(
        [sys.executable, "-B", "-c", _READ],
        env={**os.environ, "PYTHONPATH": str(sources)},
        input=json.dumps(list(texts)),
        capture_output=True,
        text=True,
        check=True,
    )
    return [Reading(*told) for told in json.loads(done.stdout)]
