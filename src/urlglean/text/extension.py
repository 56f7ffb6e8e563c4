"""The extensions of files' names, at which URLs end, and through which line ends may go. A guess: there are others."""

from __future__ import annotations

import re

from urlglean.lazy import pattern

NAMES = (
    r"[sx]?html?|xml|rss|txt|text|ps|pdf|dvi|tex|eps|gif|jpe?g|png|zip|gz|tgz|tar|Z|bz2|aspx?|jspx?|php[345]?|cgi|pl"
    r"|cfm|docx?|rtf|xls|ppt|mp3|mpg|wav|exe|hqx|sit|diff|patch|css|js|py|nsf|dll|bib|md|json|csv|asc|rpm|deb|git"
)
DOCUMENTS = r"[sx]?+html?+|pdf|txt|docx?+|xlsx?+|pptx?+|rtf|php[345]?+|aspx?+|jspx?+|cfm|jpe?+g|png|gif|tgz|gz|zip|mp3"
"""Those of documents and pictures, as long as they come. Names go on behind those of code: `window.jsConfig`."""
EXTENSION = pattern(rf"\.(?:{NAMES})(?=[?#;/&.,)!:'\"]|\Z)", re.IGNORECASE)

LONGEST = 6
"""Characters of the longest, its dot included."""


def ends_in_one(url: str) -> bool:
    """Whether a URL ends in an extension."""
    dot = url.rfind(".", -LONGEST)
    return dot >= 0 and EXTENSION.fullmatch(url, dot) is not None


def goes_through_one(url: str, token: str) -> bool:
    """Whether the line end between a URL and a token goes through an extension."""
    dot = url.rfind(".", -LONGEST)
    found = EXTENSION.match(url[dot:] + token) if dot >= 0 else None
    return found is not None and found.end() > len(url) - dot
