"""Joins a relative link to the base of its page, by RFC 3986 5.2, and as browsers do where links hold backslashes.

What is joined stays as it is written: nothing is escaped or decoded.
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import NamedTuple

from urlglean.expressions import compiled

# RFC 3986 appendix B. An absent part is None; an empty one keeps its sign.
_PARTS = compiled(r"(?:([A-Za-z][A-Za-z0-9+.-]*+):)?(?://([^/?#]*+))?([^?#]*+)(\?[^#]*+)?(#.*)?", re.DOTALL)
# URL Standard 3.1, but for file. To them a backslash is a slash, and before a host there may be any number of slashes.
_SPECIAL = frozenset({"http", "https", "ftp", "ws", "wss"})
_SLASHES = compiled("/++")
_BEFORE_SEARCH = compiled(r"\A[^?#]*+")


class _Reference(NamedTuple):
    """A URL or a relative link, divided; "?" and "#" belong to the search and the fragment."""

    scheme: str | None
    authority: str | None
    path: str
    search: str | None
    fragment: str | None


def joined(base: str, link: str) -> str:
    """The URL that a relative link means on a page; the link unchanged if the base is no place, as in `mailto:a@b`.

    Args:
        base: an absolute URL.
        link: a link without a scheme.
    """
    on = _base(base)
    is_special = on.scheme in _SPECIAL
    to = _divided(_with_slashes(link, 0) if is_special else link)
    if to.scheme is not None or (on.authority is None and not on.path.startswith("/")):
        return link
    if to.authority is not None:
        if is_special and not to.authority:
            return link
        return _written(on.scheme, to.authority, _without_dots(to.path), to.search, to.fragment)
    if not to.path:
        search = on.search if to.search is None else to.search
        return _written(on.scheme, on.authority, on.path, search, to.fragment)
    path = to.path if to.path.startswith("/") else f"{on.path[: on.path.rfind('/') + 1] or '/'}{to.path}"
    return _written(on.scheme, on.authority, _without_dots(path), to.search, to.fragment)


@lru_cache(maxsize=8)
def _base(url: str) -> _Reference:
    """The parts of a base. Its scheme tells what its backslashes mean."""
    scheme, colon, _ = url.partition(":")
    parts = _divided(_with_slashes(url, len(scheme + colon)) if scheme.lower() in _SPECIAL else url)
    return parts._replace(scheme=scheme.lower(), path=_without_dots(parts.path))


def _divided(url: str) -> _Reference:
    found = _PARTS.fullmatch(url)
    assert found is not None  # any string has this form
    return _Reference(*found.groups())


def _with_slashes(url: str, at: int) -> str:
    """The URL with slashes for backslashes before its search, and exactly two slashes before a host.

    `at` is where a host would begin: at 0 in a link, which has one behind two or more slashes; behind the scheme of a
    base, which has one in any case.
    """
    if "\\" in url:
        url = _BEFORE_SEARCH.sub(lambda found: found[0].replace("\\", "/"), url)
    slashes = _SLASHES.match(url, at)
    count = len(slashes[0]) if slashes else 0
    return f"{url[:at]}//{url[at + count :]}" if at or count > 1 else url


def _without_dots(path: str) -> str:
    """The path without its dot segments (RFC 3986 5.2.4)."""
    if "/." not in path:
        return path
    *folders, last = path.split("/")[1:]
    kept: list[str] = []
    for segment in (*folders, last):
        if segment == "..":
            del kept[-1:]
        elif segment != ".":
            kept.append(segment)
    return f"/{'/'.join(kept)}{'/' if kept and last in {'.', '..'} else ''}"


def _written(scheme: str | None, authority: str | None, path: str, search: str | None, fragment: str | None) -> str:
    host = "" if authority is None else f"//{authority}"
    return f"{scheme}:{host}{path}{search or ''}{fragment or ''}"
