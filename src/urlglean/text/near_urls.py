r"""Near-URLs that people mean: `http:/host/`, `http:host/`, `http:\\host\path`.

They are rejected, with the problems `one-slash` or `no-slashes` (a backslash is no slash), and what was meant is told
as a rival. Prose, such as `http: see below`, is none.
"""

from __future__ import annotations

import re

from urlglean.lazy import pattern
from urlglean.text.file_extension import ends_in_one
from urlglean.text.scheme_triggers import SPLIT, any_of

# A name of the DNS in lower case or with "www", and a sign that ends it.
_BEHIND = pattern(
    r"(?P<slashes>/|\\{1,2}|/\\|)(?P<host>(?:[a-z0-9-]{1,63}\.){1,9}[a-z]{2,24})(?P<port>:[0-9]{1,5})?(?![a-z0-9@_-]|\.[a-z0-9])",
    re.IGNORECASE,
)
_SCHEME = pattern(rf"{any_of(SPLIT)}:", re.IGNORECASE)
# One that was written with backslashes goes on with them.
_RUN = pattern(r"[!#-;=?-_a-z~]{0,2000}+")
"""What may stand in one: as in a URL, backslashes too."""


def follows(text: str, at: int) -> bool:
    """Whether what stands at `at`, behind a scheme's colon, makes it a near-URL."""
    found = _BEHIND.match(text, at)
    if found is None or "://" in text[at : run_end(text, at)]:  # a URL stands in it, which is to be seen
        return False
    # `http:notes.html` is a relative reference of old.
    return bool(found["slashes"]) or found["host"].lower().startswith("www.") or not ends_in_one(found["host"])


def run_end(text: str, at: int) -> int:
    """How far the characters from `at` on could belong to it."""
    run = _RUN.match(text, at)
    return run.end() if run else at


def is_near(url: str) -> bool:
    """Whether it is one."""
    scheme = _SCHEME.match(url)
    return scheme is not None and follows(url, scheme.end())


def with_slashes(url: str) -> str | None:
    """What was meant by one; None for what is none."""
    scheme = _SCHEME.match(url)
    if scheme is None or not follows(url, scheme.end()):
        return None
    return f"{scheme[0]}//{url[scheme.end() :].lstrip('/' + chr(92)).replace(chr(92), '/')}"
