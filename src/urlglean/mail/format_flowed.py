"""Recognises flowed text (RFC 3676), in which a blank at the end of a line says that the next line continues it."""

from __future__ import annotations

import re

from urlglean.lazy import pattern
from urlglean.records import Flowed

# A parameter and its value (RFC 2045 5.1). A charset and a language may stand before it (RFC 2231 4).
_PARAMETER = pattern(
    rb";\s*+([\w-]++)\*?+\s*+=\s*+(?:[\w-]*+'[\w-]*+')?+(?:\"((?:[^\"\\]|\\.)*+)\"|\"?+([\w-]*+))", re.DOTALL
)


def flowed(content_type: bytes) -> Flowed:
    """Whether the Content-Type of a text/plain part says that its text is flowed (RFC 3676 section 4).

    Returns:
        "flowed"; "delsp" if the blank at the line end has to be deleted too (DelSp=yes); "" if the text is not flowed.
    """
    if b"lowed" not in content_type.lower():
        return ""
    said = {name: quoted.strip() or plain for name, quoted, plain in _PARAMETER.findall(content_type.lower())}
    if said.get(b"format") != b"flowed":
        return ""
    return "delsp" if said.get(b"delsp") == b"yes" else "flowed"
