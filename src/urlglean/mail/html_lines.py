"""The text that a reader of HTML sees, put together from its pieces."""

from __future__ import annotations

from io import StringIO

from urlglean.expressions import compiled
from urlglean.mail.html_lexer import BLANKS

_NONE, _LINE, _PARAGRAPH = 0, 1, 2
BREAKS = {
    "address": _LINE,
    "article": _LINE,
    "aside": _LINE,
    "blockquote": _PARAGRAPH,
    "body": _LINE,
    "caption": _PARAGRAPH,
    "center": _LINE,
    "dd": _PARAGRAPH,
    "details": _LINE,
    "dialog": _LINE,
    "dir": _LINE,
    "div": _LINE,
    "dl": _PARAGRAPH,
    "dt": _PARAGRAPH,
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
    "hgroup": _LINE,
    "hr": _PARAGRAPH,
    "legend": _LINE,
    "li": _PARAGRAPH,
    "listing": _PARAGRAPH,
    "main": _LINE,
    "menu": _LINE,
    "nav": _LINE,
    "noframes": _LINE,
    "ol": _PARAGRAPH,
    "optgroup": _LINE,
    "option": _PARAGRAPH,
    "p": _PARAGRAPH,
    "plaintext": _PARAGRAPH,
    "pre": _PARAGRAPH,
    "search": _LINE,
    "section": _LINE,
    "summary": _LINE,
    "table": _PARAGRAPH,
    "td": _NONE,
    "th": _NONE,
    "tr": _PARAGRAPH,
    "ul": _PARAGRAPH,
    "xmp": _PARAGRAPH,
}
"""Block element -> how many line breaks are before and after it. A reader sees an empty line around a paragraph.

Items of lists and rows of tables have no empty lines on a screen; here they have, because no line is broken there.
The cells of a table, which have none, are separated by tabs. Other elements of a table hold nothing but rows.
"""
BOXES = frozenset(
    {
        # Controls, each in a box of its own in the line (HTML Standard 15.5); `keygen` was one.
        *("button", "input", "keygen", "meter", "progress", "select", "textarea"),
        # What is shown in the place of the element (15.4), or the text in it if that cannot be shown.
        *("applet", "audio", "canvas", "embed", "iframe", "image", "img", "noembed", "object", "svg", "video"),
        # A box that moves, quotation marks, text above that of the line (15.3), text in a picture (SVG).
        *("marquee", "q", "rp", "rt", "rtc", "text"),
        # Raised and lowered signs: the number of a note or a trademark sign behind a URL, but never a part of it.
        *("sub", "sup"),
    }
)
"""Inline elements whose text a reader does not see as part of that beside them: a blank separates the two.

All other inline elements change only how a text looks, where it may be broken, or what a click on it does.
"""
NESTING = frozenset({"pre", "textarea", "listing", "xmp", "plaintext", "template"})
"""Elements that nest. The content of `template` is not shown, that of the others as it is written."""
_SPACES = compiled("  +")


class Lines:
    """Builds the visible text: the number of line breaks at its end, and a blank that is still pending.

    A pending blank is added only if more text follows in the same line. The text is no list of its pieces, because a
    page may have millions of them.
    """

    __slots__ = ("_blank", "_breaks", "_in_paragraph", "_preformatted", "_text", "_write", "number", "unseen")

    def __init__(self) -> None:
        self._text = StringIO()
        self._write = self._text.write
        self._breaks = 2
        self._blank = ""
        self._in_paragraph = False
        self.number = 1
        """The number of the line in which the text so far ends, from 1."""
        self._preformatted = self.unseen = 0
        """How many elements are open whose blanks stay, and how many that are not shown."""

    def add(self, text: str, *, apart: bool = False) -> None:
        """Add text; if it is `apart`, a blank separates it from a word before it.

        Runs of blanks become one blank, also across elements, unless the text is preformatted.
        """
        if apart:
            self._blank = self._blank or " "
        if self._preformatted:
            self._add_preformatted(text)
            return
        shown = text.strip(BLANKS)
        if not shown:
            self._blank = self._blank or " "  # a pending tab is not replaced by a space
            return
        if self._breaks:
            self._breaks = 0
        elif self._blank:
            self._write(self._blank)
        elif text[0] in BLANKS:
            self._write(" ")
        self._write(collapsed(shown))
        self._blank = " " if text[-1] in BLANKS else ""

    def _add_preformatted(self, text: str) -> None:
        if not self._breaks:
            self._write(self._blank)
        self._write(text)
        self.number += text.count("\n")
        self._breaks = len(text) - len(text.rstrip("\n"))
        self._blank = ""

    def nest(self, tag: str, step: int) -> None:
        """Begin or end one of `NESTING`; `step` is as in `html_lexer.tokens`."""
        if tag == "template":
            self.unseen = max(0, self.unseen + step)
        else:
            self._preformatted = max(0, self._preformatted + step)

    def pass_by(self, tag: str, step: int) -> None:
        """Begin or end one of `BREAKS` or `BOXES`, or pass a <br>: add the line breaks, the tab or the blank it causes.

        A paragraph ends at the next of `BREAKS`, because its end tag may be omitted (HTML Standard 13.1.2.4).
        """
        if tag in BOXES:
            self._blank = self._blank or " "
            return
        breaks = BREAKS.get(tag)
        if breaks is None:
            self._break_line()
            return
        lacking = (_PARAGRAPH if self._in_paragraph else breaks) - self._breaks
        if lacking > 0:
            self._write("\n" * lacking)
            self.number += lacking
            self._breaks += lacking
        self._in_paragraph = step > 0 and tag == "p"
        self._blank = "" if breaks else "\t"

    def _break_line(self) -> None:
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
    # Measured (Python 3.11): half of the time of a search for what is to be replaced. The space alone is printable.
    if not text.isprintable():
        text = text.replace("\n", " ").replace("\t", " ").replace("\r", " ").replace("\f", " ")
    return _SPACES.sub(" ", text) if "  " in text else text
