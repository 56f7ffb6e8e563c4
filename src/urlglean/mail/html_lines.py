"""The text that a reader of HTML sees, put together from its pieces."""

from __future__ import annotations

import re
from io import StringIO

from urlglean.mail.html_lexer import BLANKS

_NONE, _LINE, _PARAGRAPH = 0, 1, 2
BREAKS = {
    "address": _LINE,
    "article": _LINE,
    "aside": _LINE,
    "blockquote": _PARAGRAPH,
    "body": _LINE,
    "center": _LINE,
    "dd": _LINE,
    "dir": _LINE,
    "div": _LINE,
    "dl": _PARAGRAPH,
    "dt": _LINE,
    "fieldset": _LINE,
    "figcaption": _LINE,
    "figure": _LINE,
    "footer": _LINE,
    "form": _LINE,
    "h1": _PARAGRAPH,
    "h2": _PARAGRAPH,
    "h3": _PARAGRAPH,
    "h4": _PARAGRAPH,
    "h5": _PARAGRAPH,
    "h6": _PARAGRAPH,
    "header": _LINE,
    "hr": _PARAGRAPH,
    "legend": _LINE,
    "li": _LINE,
    "main": _LINE,
    "menu": _LINE,
    "nav": _LINE,
    "ol": _PARAGRAPH,
    "option": _LINE,
    "p": _PARAGRAPH,
    "pre": _PARAGRAPH,
    "section": _LINE,
    "table": _PARAGRAPH,
    "td": _NONE,
    "th": _NONE,
    "tr": _LINE,
    "ul": _PARAGRAPH,
}
"""Block element -> how many line breaks are before and after it. A reader sees an empty line around a paragraph.

The cells of a table, which have none, are separated by tabs.
"""
PREFORMATTED = frozenset({"pre", "textarea", "listing", "xmp", "plaintext"})
_SPACES = re.compile("  +")


class Lines:
    """Builds the visible text: the number of line breaks at its end, and a blank that is still pending.

    A pending blank is added only if more text follows in the same line. The text is no list of its pieces, because a
    page may have millions of them.
    """

    __slots__ = ("_blank", "_breaks", "_in_paragraph", "_text", "_write", "number")

    def __init__(self) -> None:
        self._text = StringIO()
        self._write = self._text.write
        self._breaks = 2
        self._blank = ""
        self._in_paragraph = False
        self.number = 1
        """The number of the line in which the text so far ends, from 1."""

    def add(self, text: str) -> None:
        """Add text. Runs of blanks become one blank, also across elements."""
        shown = text.strip(BLANKS)
        if not shown:
            self._blank = self._blank or " "  # a pending tab is not replaced by a space
            return
        if not self._breaks and (blank := self._blank or (" " if text[0] in BLANKS else "")):
            self._write(blank)
        self._write(collapsed(shown))
        self._breaks = 0
        self._blank = " " if text[-1] in BLANKS else ""

    def add_preformatted(self, text: str) -> None:
        """Add text whose blanks and line ends all stay."""
        if not self._breaks:
            self._write(self._blank)
        self._write(text)
        self.number += text.count("\n")
        self._breaks = len(text) - len(text.rstrip("\n"))
        self._blank = ""

    def pass_by(self, tag: str, *, begins: bool) -> None:
        """Begin or end one of `BREAKS`: add the line breaks or the tab that it causes.

        A paragraph ends at the next of them, because its end tag may be omitted (HTML Standard 13.1.2.4).
        """
        breaks = BREAKS[tag]
        lacking = (_PARAGRAPH if self._in_paragraph else breaks) - self._breaks
        if lacking > 0:
            self._write("\n" * lacking)
            self.number += lacking
            self._breaks += lacking
        self._in_paragraph = begins and tag == "p"
        self._blank = "" if breaks else "\t"

    def break_line(self) -> None:
        """End the line, even an empty one."""
        self._write("\n")
        self.number += 1
        self._breaks += 1
        self._blank = ""

    def text(self) -> str:
        """The text so far, without the line breaks at its end."""
        return self._text.getvalue().rstrip("\n")


def collapsed(text: str) -> str:
    """A text in which each run of blanks is replaced by one space."""
    # Measured (Python 3.11): half of the time of a search for what is to be replaced.
    text = text.replace("\n", " ").replace("\t", " ").replace("\r", " ").replace("\f", " ")
    return _SPACES.sub(" ", text) if "  " in text else text
