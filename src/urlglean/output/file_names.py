"""Names of files whose octets are not UTF-8, in a form that finds the file again.

Such octets are written as lone surrogates, U+DC80 to U+DCFF (PEP 383), which UTF-8 cannot encode. JSON can write them
as escapes. Where text has no escapes, the path is written as a file URI (RFC 8089), whose percent-encoded octets are
those of the name. Python decodes names by the locale; here a name is the same text in every locale.
"""

from __future__ import annotations

import os
from pathlib import Path

from urlglean.lazy import pattern
from urlglean.remote_urls import as_path

_OCTETS = pattern("[\udc80-\udcff]")
_OTHERS = pattern("[\ud800-\udc7f\udd00-\udfff]")
_URI = "file://"


def holds_octets(name: str) -> bool:
    """Whether a name holds octets that are not UTF-8."""
    return not name.isascii() and _OCTETS.search(name) is not None


def file_name(path: str) -> str:
    """The path as UTF-8, with U+FFFD for each lone surrogate that represents no octet. No file's name has such."""
    if path.isascii():
        return path
    path = _OTHERS.sub("\ufffd", path)
    try:
        return os.fsencode(path).decode("utf-8", "surrogateescape")
    except UnicodeEncodeError:  # the locale cannot have decoded it, so it is no name of a file here
        return path


def as_text(path: str) -> str:
    """The path, or the file URI of a path that is not UTF-8, that is such a URI or that could be taken for one."""
    path = file_name(path)
    if not (holds_octets(path) or path.startswith(_URI)):
        return path
    from urllib.parse import quote  # noqa: PLC0415  few names need it

    return _URI + quote(os.path.abspath(_octets(as_path(path))))  # noqa: PTH100  octets have no Path


def as_octets(text: str) -> bytes:
    """The path whose `as_text` is given, so that the file is found again."""
    if not text.startswith(_URI):
        return _octets(text)
    from urllib.parse import unquote_to_bytes  # noqa: PLC0415

    return unquote_to_bytes(text[len(_URI) :])


def _octets(path: str) -> bytes:
    return path.encode("utf-8", "surrogateescape")


def sqlite_uri(path: Path, how: str) -> str:
    """The URI by which SQLite opens a file in a mode such as "mode=ro" (https://www.sqlite.org/uri.html).

    SQLite would take the octets of a plain name for UTF-8; a URI can name any file. Symbolic links are followed.
    """
    from urllib.parse import quote  # noqa: PLC0415

    return f"file:{quote(os.fsencode(path.resolve()))}?{how}"
