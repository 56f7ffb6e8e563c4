"""The page about the library is made from the docstrings as they are now."""

from __future__ import annotations

import pytest

pytest.importorskip("griffe")

from api_page import PAGE, page


def test_the_page_is_that_of_the_docstrings() -> None:
    """`python tests/api_page.py` writes it anew."""
    assert PAGE.read_text(encoding="utf-8") == page()


@pytest.mark.parametrize("name", ["extract", "scan", "Finding", "extract_column", "settle", "UnreadableWarning"])
def test_every_public_name_has_its_heading(name: str) -> None:
    """Those of the library, of Arrow, and of Spark."""
    assert page().count(f"\n### {name}\n") >= 1
