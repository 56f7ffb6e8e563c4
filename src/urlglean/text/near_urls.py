r"""Near-URLs, in which the slashes are wrong: `http:/host/`, `http:host/`, `http:\\host\path`.

They are rejected, with the problems `one-slash` or `no-slashes` (a backslash is not a slash), and the URL that was
meant becomes a rival. Prose, such as `http: see below`, is not a near-URL.
"""

from __future__ import annotations

import re

from urlglean.lazy import pattern
from urlglean.text.file_extension import ends_in_one
from urlglean.text.scheme_triggers import SPLIT, any_of

# Slashes or backslashes, perhaps none, a DNS name, perhaps a port, and a sign that ends them.
_BEHIND = pattern(
    r"(?P<slashes>/|\\{1,2}|/\\|)(?P<host>(?:[a-z0-9-]{1,63}\.){1,9}[a-z]{2,24})(?P<port>:[0-9]{1,5})?(?![a-z0-9@_-]|\.[a-z0-9])",
    re.IGNORECASE,
)
_SCHEME = pattern(rf"{any_of(SPLIT)}:", re.IGNORECASE)
# A near-URL may have backslashes throughout.
_RUN = pattern(r"[!#-;=?-_a-z~]{0,2000}+")
"""The characters of a near-URL: those of a URL, and backslashes."""


def follows(text: str, at: int) -> bool:
    """Whether the text from `at` on, behind a scheme's colon, makes a near-URL."""
    found = _BEHIND.match(text, at)
    if found is None or "://" in text[at : run_end(text, at)]:  # it contains a URL, which the scan must find
        return False
    # `http:notes.html` is an old form of a relative reference.
    return bool(found["slashes"]) or found["host"].lower().startswith("www.") or not ends_in_one(found["host"])


def run_end(text: str, at: int) -> int:
    """The end of the characters from `at` on that could belong to a near-URL."""
    run = _RUN.match(text, at)
    return run.end() if run else at


def is_near(url: str) -> bool:
    """Whether a text begins with a near-URL."""
    scheme = _SCHEME.match(url)
    return scheme is not None and follows(url, scheme.end())


def with_slashes(url: str) -> str | None:
    """The URL that a near-URL means; None if `url` is no near-URL."""
    scheme = _SCHEME.match(url)
    if scheme is None or not follows(url, scheme.end()):
        return None
    return f"{scheme[0]}//{url[scheme.end() :].lstrip('/' + chr(92)).replace(chr(92), '/')}"
