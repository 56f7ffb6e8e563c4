"""Reads HTML: the text that a reader sees, and the URLs in attributes."""

from __future__ import annotations

from typing import NamedTuple

from urlglean.bounds import DEFAULT, Bounds
from urlglean.mail.html_lexer import tokens
from urlglean.mail.html_lines import BREAKS, CELLS, PREFORMATTED, Lines
from urlglean.mail.html_links import Link, Links, absolute

_UNSEEN = frozenset({"script", "style", "title", "iframe", "noframes"})
_BLOCKS = frozenset(BREAKS) | CELLS
_NESTING = PREFORMATTED | {"template"}


class Page(NamedTuple):
    """The content of an HTML page.

    Attributes:
        text: the visible text.
        links: a link for each attribute that holds an absolute URL, in document order.
        more: whether the page has more links than `Bounds.links`; the others are left out.
    """

    text: str
    links: tuple[Link, ...]
    more: bool = False


def read(html: str, bounds: Bounds = DEFAULT) -> Page:
    """Read a page of HTML, or a piece of one.

    Block elements and <br> break lines, and paragraphs and similar elements have empty lines around them. The cells of
    a table are separated by tabs. Outside <pre>, a run of blanks becomes one. What is not shown (scripts, styles, the
    title, comments) is left out of the text. Relative links are joined to the first absolute <base href> (HTML 4.01
    12.4), and left out if there is none. Links with a scheme of `NO_LINKS` are left out too. Blanks around a link and
    line breaks in it are removed, as in every browser.
    """
    lines, links = Lines(), Links(bounds)
    preformatted = unseen = 0
    for step, tag, written, text in tokens(html):
        if tag in _BLOCKS:
            lines.pass_by(tag, begins=step > 0)
            links.end_word()
        elif tag == "br":
            lines.break_line()
            links.end_word()
        if step:
            links.pass_by(tag, written if step > 0 else None, lines.number)
        if tag in _NESTING:
            if tag == "template":
                unseen = max(0, unseen + step)
            else:
                preformatted = max(0, preformatted + step)
        if text and not unseen and not (step > 0 and tag in _UNSEEN):
            lines.add(text, preformatted=preformatted > 0)
            links.add(text)
    shown = lines.text()
    last = shown.count("\n") + 1  # a link may stand behind all text
    found = absolute(links.found(), bounds.base)
    return Page(shown, tuple(link if link.line <= last else link._replace(line=last) for link in found), links.more)
