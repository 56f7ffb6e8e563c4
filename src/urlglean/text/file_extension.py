"""The extensions of files' names, at which URLs end, and through which line ends may go. A guess: there are others."""

from __future__ import annotations

import re
from collections.abc import Iterable

from urlglean.lazy import pattern

DOCUMENTS = (
    *("htm", "html", "shtm", "shtml", "xhtm", "xhtml", "pdf", "txt", "doc", "docx", "xls", "ppt", "rtf", "php", "php3"),
    *("php4", "php5", "asp", "aspx", "jsp", "jspx", "cfm", "jpg", "jpeg", "png", "gif", "tgz", "gz", "zip", "mp3"),
)
"""Those of documents and pictures. Names go on behind those of code: `window.jsConfig`."""

# The weights of line breaks were fitted before these were known.
_NEW_DOCUMENTS = ("xlsx", "pptx")

NAMES = (
    *DOCUMENTS,
    *(
        "xml",
        "rss",
        "text",
        "ps",
        "dvi",
        "tex",
        "eps",
        "tar",
        "z",
        "bz2",
        "cgi",
        "pl",
        "mpg",
        "wav",
        "exe",
        "hqx",
        "sit",
    ),
    *("diff", "patch", "css", "js", "py", "nsf", "dll", "bib", "md", "json", "csv", "asc", "rpm", "deb", "git"),
)
"""All at which URLs end, in lower case."""

LONGEST = 1 + max(map(len, (*NAMES, *_NEW_DOCUMENTS)))
"""Characters of the longest, its dot included."""


def _longest_of(names: Iterable[str]) -> str:
    """A pattern of the names that takes the longest that stands there, and no shorter one instead."""
    return f"(?>{'|'.join(sorted(names, key=len, reverse=True))})"


NAME = _longest_of(NAMES)
"""The pattern of an extension without its dot, for patterns that ignore case."""

DOCUMENT = _longest_of((*DOCUMENTS, *_NEW_DOCUMENTS))
"""The pattern of one of a document or a picture."""

EXTENSION_LIKE = "[A-Za-z0-9]++"
"""The pattern of what may be one, known or not. Alternatives behind it in a pattern stand in a group."""

EXTENSION = pattern(rf"\.{NAME}(?=[?#;/&.,)!:'\"]|\Z)", re.IGNORECASE)


def ends_in_one(url: str) -> bool:
    """Whether a URL ends in an extension."""
    dot = url.rfind(".", -LONGEST)
    return dot >= 0 and EXTENSION.fullmatch(url, dot) is not None


def goes_through_one(url: str, token: str) -> bool:
    """Whether the line end between a URL and a token goes through an extension."""
    dot = url.rfind(".", -LONGEST)
    found = EXTENSION.match(url[dot:] + token) if dot >= 0 else None
    return found is not None and found.end() > len(url) - dot
