"""Reads HTML: the text that a reader sees, and the URLs in attributes."""

from __future__ import annotations

from typing import NamedTuple

from urlglean.bounds import DEFAULT, Bounds
from urlglean.mail.html_lexer import tokens
from urlglean.mail.html_lines import BREAKS, PREFORMATTED, Lines
from urlglean.mail.html_links import URL_ATTRIBUTES, Link, Links

_UNSEEN = frozenset({"script", "style", "title", "iframe", "noframes"})
_ENDS_WORD = frozenset(BREAKS) | {"br"}
_NESTING = dict.fromkeys(PREFORMATTED, "preformatted") | {"template": "unseen"}
"""Element -> what its content is. Such elements nest."""
_KNOWN = _UNSEEN | _ENDS_WORD | frozenset(_NESTING) | frozenset(URL_ATTRIBUTES)
"""The elements whose tags change what is read. All others, most of which change only how it looks, are passed over."""


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
    depth = {"preformatted": 0, "unseen": 0}
    for step, tag, written, text in tokens(html):
        if tag in _KNOWN:
            _pass_by(tag, written, lines, links, begins=step > 0)
            if content := _NESTING.get(tag):
                depth[content] = max(0, depth[content] + step)
            if step > 0 and tag in _UNSEEN:
                continue
        if text and not depth["unseen"]:
            if depth["preformatted"]:
                lines.add_preformatted(text)
            else:
                lines.add(text)
            if links.labelled:
                links.label(text)
    shown = lines.text()
    return Page(shown, tuple(links.absolute(shown.count("\n") + 1)), links.more)


def _pass_by(tag: str, written: str, lines: Lines, links: Links, *, begins: bool) -> None:
    """Add what a tag adds to the text, and the links in it."""
    if tag in _ENDS_WORD:
        if tag == "br":
            lines.break_line()
        else:
            lines.pass_by(tag, begins=begins)
        if links.labelled:
            links.label(" ")
    elif tag == "a":  # none stands in another (HTML Standard 13.2.6.4.7)
        links.end_label()
    if begins and written and tag in URL_ATTRIBUTES:
        links.add(tag, written, lines.number)
