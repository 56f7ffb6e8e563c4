"""Writes docs/datasette.json: the meanings of tables and columns, for Datasette, from the tables of docs/catalogue.md.

python tests/metadata.py
"""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

DOCS = Path(__file__).parent.parent / "docs"
LABELS = {"documents": "subject", "urls": "url", "runs": "started"}
"""By table: the column that stands for a row where another row refers to it."""


def meanings() -> dict[str, tuple[str, dict[str, str]]]:
    """By table or view: its meaning, and the meaning of each of its columns, as docs/catalogue.md tells them."""
    page = (DOCS / "catalogue.md").read_text(encoding="utf-8")
    tables = re.findall(r"^### `(\w+)`\n(.+?)(?=^##)", page, re.MULTILINE | re.DOTALL)
    return {
        name: (
            " ".join(told.partition("\n\n")[0].split()),
            dict(re.findall(r"^\| `(\w+)` \| (.*) \|$", told, re.MULTILINE)),
        )
        for name, told in tables
    }


def metadata() -> dict[str, Any]:
    """What Datasette is to tell of a database that is called `urls.db`."""
    tables = {
        name: {
            "description": re.sub(r"\[([^]]+)\]\([^)]+\)|`", r"\1", meaning),
            "columns": {column: told.replace("`", "") for column, told in columns.items()},
        }
        | ({"label_column": LABELS[name]} if name in LABELS else {})
        for name, (meaning, columns) in meanings().items()
    }
    return {"databases": {"urls": {"tables": tables}}}


def written() -> str:
    """The text of docs/datasette.json."""
    return json.dumps(metadata(), indent=2, ensure_ascii=False) + "\n"


if __name__ == "__main__":
    (DOCS / "datasette.json").write_text(written(), encoding="utf-8")
