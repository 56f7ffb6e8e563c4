"""Imports go one way: records, errors, lazy, columns <- grammar <- text <- occurrence <- output <- pipeline <- cli.

`sources` and `mail` are beside `text` and `output`, and import neither of them. `expressions` is below all others.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

SOURCE = Path(__file__).parent.parent / "src" / "urlglean"

EVERYONES = {"expressions"}
"""What all files may import."""

MAY_IMPORT = {
    "expressions": set(),
    "url_parts": {"errors"},
    "records": {"url_parts"},
    "errors": set(),
    "lazy": set(),
    "remote_urls": {"lazy"},
    "version": set(),
    "windows": {"records", "lazy"},
    "bounds": {"windows"},
    "wide_charsets": {"lazy"},
    "unlisted_characters": set(),
    "charsets": {"lazy", "unlisted_characters", "wide_charsets"},
    "inline_binaries": {"lazy"},
    "html_recognition": {"lazy"},
    "columns": {"records"},
    "grammar": {"errors"},
    "text": {"url_parts", "records", "errors", "lazy", "columns", "grammar", "windows"},
    "occurrence": {"records", "columns", "text"},
    "sources": {
        "records",
        "bounds",
        "errors",
        "lazy",
        "windows",
        "charsets",
        "inline_binaries",
        "html_recognition",
        "remote_urls",
    },
    "mail": {
        "records",
        "bounds",
        "errors",
        "lazy",
        "charsets",
        "wide_charsets",
        "inline_binaries",
        "html_recognition",
    },
    "output": {"url_parts", "records", "errors", "lazy", "columns", "grammar", "text", "occurrence", "remote_urls"},
    "pipeline": {
        "remote_urls",
        "records",
        "bounds",
        "errors",
        "version",
        "columns",
        "windows",
        "text",
        "occurrence",
        "sources",
        "mail",
        "output",
    },
    "pick": {"records", "errors", "text", "occurrence", "output"},
    "archive": {
        "remote_urls",
        "records",
        "bounds",
        "errors",
        "lazy",
        "version",
        "columns",
        "grammar",
        "text",
        "occurrence",
        "sources",
        "mail",
        "output",
        "pipeline",
    },
    "cli": {
        "remote_urls",
        "records",
        "errors",
        "version",
        "grammar",
        "text",
        "occurrence",
        "sources",
        "mail",
        "output",
        "pipeline",
        "archive",
        "pick",
    },
    "arrow": {"records", "text", "output", "pipeline"},
    "spark": {
        "records",
        "errors",
        "lazy",
        "columns",
        "text",
        "occurrence",
        "output",
        "pipeline",
        "archive",
        "arrow",
        "cli",
    },
    "testing": {"grammar"},
    "__init__": {"url_parts", "records", "errors", "version", "text", "occurrence", "pipeline"},
    "__main__": {"cli"},
}


def imports(path: Path) -> Iterator[str]:
    """The parts of urlglean that a file imports, at its top or inside functions."""
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        match node:
            case ast.ImportFrom(module=module, level=level):
                assert level == 0, f"{path}: relative imports hide which layer they reach"
                names = [module or ""]
            case ast.Import(names=aliases):
                names = [alias.name for alias in aliases]
            case _:
                continue
        for name in names:
            root, _, rest = name.partition(".")
            if root == "urlglean":
                yield rest.partition(".")[0] or "__init__"


@pytest.mark.parametrize("path", sorted(SOURCE.rglob("*.py")), ids=lambda path: str(path.relative_to(SOURCE)))
def test_imports_go_one_way(path: Path) -> None:
    """No file imports a layer that is above or beside its own."""
    layer = path.relative_to(SOURCE).parts[0].removesuffix(".py")
    assert set(imports(path)) <= MAY_IMPORT[layer] | {layer} | EVERYONES
