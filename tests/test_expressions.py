"""Patterns are compiled by `re`, or by `regex` on Pythons whose `re` is faulty."""

from __future__ import annotations

import re
import sys
from pathlib import Path

import pytest
import regex

from urlglean import expressions

SOURCE = Path(expressions.__file__).parent
FAULTY = "(?:ab?c)++"


def test_re_compiles_where_it_is_right() -> None:
    """It is faster, and what it takes is not what the faulty one takes."""
    made = expressions.compiled(FAULTY)
    assert isinstance(made, re.Pattern) == (sys.version_info >= expressions.FIRST_RIGHT)
    found = made.match("aca")
    assert found
    assert found[0] == "ac"


def test_regex_compiles_where_re_is_faulty(monkeypatch: pytest.MonkeyPatch) -> None:
    """With the same flags, in its mode that reads patterns as `re` does."""
    monkeypatch.setattr(sys, "version_info", (3, 11, 4, "final", 0))
    made = expressions.compiled(FAULTY, re.IGNORECASE | re.MULTILINE)
    assert isinstance(made, regex.Pattern)
    found = made.match("Aca")
    assert found
    assert found[0] == "Ac"


def test_no_other_module_compiles() -> None:
    """Else its pattern would be faulty there."""
    for path in SOURCE.rglob("*.py"):
        assert "re.compile(" not in path.read_text(encoding="utf-8") or path.name == "expressions.py", path
