"""A copy of the package in which a table has one row more, for tests of what a new row does."""

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
    """What a text gives: the URLs, whether it gives the same without the fast path, and which of them took it."""

    urls: list[str]
    same: bool
    quick: list[bool]


def with_row(module: str, table: str, addition: str, folder: Path) -> Path:
    """A copy of the sources in which `addition` stands right behind the assignment of `table`.

    Args:
        module: where the table is, such as "text/url_end.py".
        table: its name.
        addition: a statement that adds to it, as somebody who adds a row would have written it.
        folder: where the copy goes.
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
    """What each text gives by a copy of the sources, in a process of its own."""
    done = subprocess.run(
        [sys.executable, "-B", "-c", _READ],
        env={**os.environ, "PYTHONPATH": str(sources)},
        input=json.dumps(list(texts)),
        capture_output=True,
        text=True,
        check=True,
    )
    return [Reading(*told) for told in json.loads(done.stdout)]
