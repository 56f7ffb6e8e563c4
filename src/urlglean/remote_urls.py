"""Paths that are URLs of fsspec, such as `s3://bucket/mail/` and `https://h.example/box.mbox`."""

from __future__ import annotations

import errno
import os
from http import HTTPStatus

from urlglean.lazy import pattern

_URL = pattern(r"[a-z][a-z0-9+.-]++(?:::[a-z0-9+.-]++)*+://")

_GONE = HTTPStatus.NOT_FOUND

_FAULTS = (
    (FileNotFoundError, os.strerror(errno.ENOENT)),
    (PermissionError, os.strerror(errno.EACCES)),
    (TimeoutError, "the server does not answer"),
    (NotImplementedError, os.strerror(errno.EOPNOTSUPP)),
)
"""What is wrong where an exception names only the file, or nothing."""


_HERE = pattern(r"(?:file|local)://")


def is_remote(path: str) -> bool:
    """Whether a path is a URL of fsspec, and not a file here."""
    return _URL.match(path) is not None and "\0" not in path and not os.path.lexists(path)


def as_path(path: str) -> str:
    """The path of a file here that a URL of fsspec names, such as `file:///etc/motd`; any other path as it is."""
    found = _HERE.match(path)
    return path[found.end() :] if found and is_remote(path) else path


def usual(url: str) -> str:
    """A URL as its file system writes it, so that a file has one name: `s3a://bucket/box/` is `s3://bucket/box`."""
    try:
        from fsspec.core import url_to_fs  # noqa: PLC0415  an extra

        system, name = url_to_fs(url)
        return str(system.unstrip_protocol(name)).rstrip("/")
    except Exception:  # noqa: BLE001  each protocol has exceptions of its own; who opens the file tells them
        return url.rstrip("/")


def cause_of_fault(error: Exception) -> str:
    """What is wrong, in one line."""
    below = error.__cause__
    if (
        isinstance(error, FileNotFoundError)
        and isinstance(below, Exception)
        and getattr(below, "status", None) != _GONE
    ):
        error = below  # over HTTP, whatever fails is said to be a missing file, such as a connection that is refused
    told = getattr(error, "strerror", None) or next(
        (what for kind, what in _FAULTS if isinstance(error, kind)), str(error)
    )
    return " ".join(told.split()) or type(error).__name__
