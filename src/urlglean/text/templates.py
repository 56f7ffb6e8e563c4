"""Places to be filled in: `http://<host>/`, `%s`, `${x}`, `{name}`, `*.example.org`, `http://.../`.

What holds one is no URL, nor is its beginning, whatever a parser takes. Guesses about how people write them, one a row.
"""

from __future__ import annotations

import re

from msgspec import Struct

from urlglean.lazy import pattern


class TemplateRule(Struct, frozen=True):
    """A row: how a place to be filled in is written, and one that shows it."""

    name: str
    written: str
    example: str


_FORMAT = r"%(?![0-9A-Fa-f]{2})(?:[({@s]|(?:[0-9]{1,2}\$)?-?[0-9]{0,3}l{0,2}[sdiuxXf](?![0-9A-Za-z]))"
# RFC 6570 and its like; what Windows writes in braces is filled in.
_BRACES = r"\{[?+#/;&.@$%]?(?![0-9A-Fa-f]{8}-)[A-Za-z_][A-Za-z0-9_.:,|*-]*+\}|\{[0-9]{0,2}\}|\{[{%]"
# What may be left out, as in a synopsis.
_BRACKETS = r"\[[:?#][^\[\]\s]{0,40}\]"

RULES = (
    TemplateRule("angle", r"<[^<>\s]{0,60}>", "http://<host>/"),
    TemplateRule("shell", r"\$[({]|\$[A-Z_]{2,30}+(?![A-Za-z0-9])", "http://h.example/$(x)"),
    TemplateRule("braces", _BRACES, "http://h.example/{name}"),
    TemplateRule("brackets", _BRACKETS, "http://h.example/[?query]"),
    TemplateRule("printf", _FORMAT, "http://h.example/%s"),
    TemplateRule("variable", r"%[A-Z_]{3,30}%|%%[A-Za-z_]{1,30}+%%", "http://%HOST%/"),
    TemplateRule("dots", r"://(?:[^/.]{0,63}\.)?\.\.", "http://.../"),
    TemplateRule("star", r"://[^/?#]*\*", "http://*.example.org/"),
)

_TEMPLATE = pattern("|".join(f"(?:{rule.written})" for rule in RULES))
_SIGNS = re.compile(r"[<$\[{%*]|\.\.")


def is_template(url: str) -> bool:
    """Whether a URL holds a place to be filled in."""
    return _SIGNS.search(url) is not None and _TEMPLATE.search(url) is not None
