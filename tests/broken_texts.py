"""Pieces of texts with broken URLs, which hypothesis puts together in any order."""

from __future__ import annotations

from hypothesis import strategies as st

PIECES = (
    "http://www.example.org/a/long/path-",
    "http://h.example/archive=",
    "ftp://ftp.example.org/pub/",
    "<URL:http://www.example.org/a/",
    '"http://www.example.org/x',
    "URL:",
    "b.html>",
    'y"',
    "path/b.html",
    "=3D",
    "\n",
    "\r\n",
    "\n> ",
    " \n",
    "\n\n",
    " and so on ",
)


def broken(*others: str) -> st.SearchStrategy[str]:
    """Texts of up to 60 pieces, from `PIECES` and the given ones."""
    return st.lists(st.sampled_from([*PIECES, *others]), max_size=60).map("".join)
