"""Reads HTML: the text that a reader sees, and the URLs in attributes."""

from __future__ import annotations

from typing import NamedTuple

from urlglean.bounds import DEFAULT, Bounds
from urlglean.mail.html_lexer import tokens
from urlglean.mail.html_lines import BOXES, BREAKS, NESTING, Lines
from urlglean.mail.html_link_ends import LinkEnds
from urlglean.mail.html_links import URL_ATTRIBUTES, Link, Links

_UNSEEN = frozenset({"script", "style", "title"})
_ENDS_WORD = frozenset({*BREAKS, *BOXES, "br"})
_KNOWN = _UNSEEN | _ENDS_WORD | NESTING | frozenset(URL_ATTRIBUTES)
"""The elements whose tags change what is read. All others, most of which change only how it looks, are passed over."""


class Page(NamedTuple):
    """The content of an HTML page.

    Attributes:
        text: the visible text.
        links: a link for each attribute that holds an absolute URL, in document order.
        more: whether the page has more links than `Bounds.links`; the others are left out.
        overlong: whether its relative links are left out, because its base would make them too long.
    """

    text: str
    links: tuple[Link, ...]
    more: bool = False
    overlong: bool = False


def read(html: str, bounds: Bounds = DEFAULT) -> Page:
    """Read a page of HTML, or a piece of one.

    Block elements and <br> break lines, and paragraphs and similar elements have empty lines around them. The cells of
    a table are separated by tabs. Outside <pre>, a run of blanks becomes one. What is not shown (scripts, styles, the
    title, comments) is left out of the text. Where the text of a link shortens or divides its URL, the whole one is
    in the text. Relative links are joined to the first absolute <base href> (HTML 4.01
    12.4), and left out if there is none. Links with a scheme of `NO_LINKS` are left out too. Blanks around a link and
    line breaks in it are removed, as in every browser.
    """
    lines, links, ends = Lines(), Links(bounds), LinkEnds()
    for step, tag, written, text in tokens(html):
        if tag in _KNOWN:
            if tag in _ENDS_WORD:
                lines.pass_by(tag, step)
                if links.labelled:
                    links.label(" ")
            elif tag == "a":  # none stands in another (HTML Standard 13.2.6.4.7)
                links.end_label()
                ends.pass_by(step, written)
            if written and step > 0 and tag in URL_ATTRIBUTES:
                links.add(tag, written, lines.number)
            if tag in NESTING:
                lines.nest(tag, step)
        if text and not lines.unseen and not (step > 0 and tag in _UNSEEN):
            apart = ends.watching and ends.separates(text)
            lines.add(links.whole(text) if links.labelled else text, apart=apart)
            if links.labelled:
                links.label(text)
    shown = lines.text()
    found = tuple(links.absolute(shown.count("\n") + 1, len(html)))
    return Page(shown, found, links.more, links.overlong)
