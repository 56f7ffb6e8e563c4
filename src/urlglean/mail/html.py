"""HTML -> the text that a reader sees, and the URLs that its attributes hold."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from typing import NamedTuple
from urllib.parse import urljoin

from selectolax.lexbor import LexborHTMLParser, LexborNode

from urlglean.bounds import DEFAULT, Bounds

URL_ATTRIBUTES = {
    "a": ("href",),
    "area": ("href",),
    "audio": ("src",),
    "base": ("href",),
    "blockquote": ("cite",),
    "body": ("background",),
    "button": ("formaction",),
    "del": ("cite",),
    "embed": ("src",),
    "form": ("action",),
    "frame": ("src", "longdesc"),
    "iframe": ("src", "longdesc"),
    "img": ("src", "srcset", "longdesc", "lowsrc", "dynsrc"),
    "input": ("src", "formaction"),
    "ins": ("cite",),
    "link": ("href",),
    "meta": ("content",),
    "object": ("data",),
    "q": ("cite",),
    "script": ("src",),
    "source": ("src", "srcset"),
    "table": ("background",),
    "td": ("background",),
    "th": ("background",),
    "tr": ("background",),
    "track": ("src",),
    "video": ("src", "poster"),
}
"""Element -> its attributes that hold URLs: HTML 4.01's attributes of type %URI, HTML 5's, and those that mailers send.

`meta@content` counts in a refresh only. Left out: `style` (CSS, not a URL), and URLs for machines (`profile`, `xmlns`).
"""

NO_LINKS = frozenset({"javascript", "vbscript", "about"})
"""Schemes of attributes that lead nowhere. `data:`, `cid:` and the rest are values: to judge them is not done here."""

_LINE, _PARAGRAPH = 1, 2
_BREAKS = {
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
    "tr": _LINE,
    "ul": _PARAGRAPH,
}
"""Block element -> the line breaks before and after it: a reader sees an empty line around a paragraph."""
_CELLS = frozenset({"td", "th"})
_PREFORMATTED = frozenset({"pre", "textarea", "listing", "xmp", "plaintext"})
_UNSEEN = frozenset({"head", "script", "style", "template", "title", "iframe", "noframes", "datalist"})
_TOLD = frozenset({*_BREAKS, *_CELLS, *_PREFORMATTED, *_UNSEEN, *URL_ATTRIBUTES, "br"})
"""Elements that are more than text: the others are passed over."""
_BLANKS = " \t\n\r\f"
_UNCOLLAPSED = re.compile("  |[\t\n\r\f]")
_SPACES = re.compile("  +")
# By a pattern: `translate` takes 1.2 us where nothing is to be stripped, this 0.2 (Python 3.11).
_STRIPPED_FROM_URL = re.compile(r"[\t\n\r]")
# One letter and a colon is a drive of Windows, not a scheme.
_SCHEME = re.compile(r"([A-Za-z][A-Za-z0-9+.-]+):")
_SRCSET_URL = re.compile(r"([^\s,]\S*)[^,]*+")
_REFRESH_URL = re.compile(r"url\s*+=\s*+[\"']?([^\"']*)", re.IGNORECASE)

_TAG = re.compile(r"<(/?)([A-Za-z][A-Za-z0-9]*)")
_VOID = frozenset({"area", "base", "br", "col", "hr", "img", "input", "link", "meta", "param", "source"})
_ENDED_BY_THE_NEXT = frozenset({"dd", "dt", "li", "option", "p", "tbody", "td", "tfoot", "th", "thead", "tr"})
_UNNESTED = _VOID | _ENDED_BY_THE_NEXT
_DEPTH_PER_CHARACTER, _DEPTH_AT_LEAST = 4, 1_000_000


class Page(NamedTuple):
    """What an HTML part says: its visible text, and each attribute that holds an absolute URL, in document order."""

    text: str
    links: tuple[tuple[str, str], ...]
    """(`tag@attribute`, URL)"""


def read(html: str, bounds: Bounds = DEFAULT) -> Page | None:
    """Read an HTML document.

    Block elements and <br> break lines, paragraphs and their like leave an empty line, cells of a table are set apart
    by a tab, blanks collapse outside <pre>, and what is not shown (head, scripts, styles, comments) is left out of the
    text. Relative links are joined to the first absolute <base href> (HTML 4.01 12.4) and left out if there is none;
    so are the schemes of `NO_LINKS`. Blanks around a link and line breaks within it go, as in every browser.

    Returns:
        None where a tree could take quadratic time or space: past `Bounds.html`, and for elements nested without end.
    """
    if len(html) > bounds.html or _nests_too_deeply(html):
        return None
    root = LexborHTMLParser(html).root
    if root is None:
        return Page("", ())
    lines = _Lines()
    links: list[tuple[str, str]] = []
    unseen = preformatted = 0
    for node, tag, step in _walk(root):
        if tag == "-text":
            if not unseen:
                lines.add(node.text_content or "", preformatted=preformatted > 0)
            continue
        if tag not in _TOLD:
            continue
        unseen += step * (tag in _UNSEEN)
        preformatted += step * (tag in _PREFORMATTED)
        lines.pass_by(tag, entering=step > 0)
        if step > 0 and tag in URL_ATTRIBUTES:
            links += _urls_of(node, tag)
    return Page(lines.text(), tuple(_absolute(links, bounds.base)))


class _Lines:
    """Visible text in the making: pieces, the line breaks they end in, and a blank that waits for more text."""

    def __init__(self) -> None:
        self._pieces: list[str] = []
        self._breaks = 2
        self._blank = ""

    def add(self, text: str, *, preformatted: bool) -> None:
        """Add text, its blanks collapsed across elements unless they are preformatted."""
        if not text:
            return
        if preformatted:
            self._show(text)
            self._breaks = len(text) - len(text.rstrip("\n"))
            return
        shown = text.strip(_BLANKS)
        if text[0] in _BLANKS:
            self.separate(" ")
        if shown:
            self._show(_collapsed(shown))
            self._breaks = 0
            if text[-1] in _BLANKS:
                self.separate(" ")

    def _show(self, text: str) -> None:
        if not self._breaks:
            self._pieces.append(self._blank)
        self._pieces.append(text)
        self._blank = ""

    def pass_by(self, tag: str, *, entering: bool) -> None:
        """Begin or end an element: what it does to lines."""
        if tag in _BREAKS:
            self.end_block(_BREAKS[tag])
        elif tag in _CELLS:
            self.separate("\t")
        elif tag == "br" and entering:
            self.break_line()

    def separate(self, blank: str) -> None:
        """Set what follows apart by a blank, if anything follows on this line; a tab outdoes a space."""
        if self._blank != "\t":
            self._blank = blank

    def break_line(self) -> None:
        """End the line, even an empty one."""
        self._pieces.append("\n")
        self._breaks += 1
        self._blank = ""

    def end_block(self, breaks: int) -> None:
        """See to it that the text so far ends in that many line breaks."""
        while self._breaks < breaks:
            self.break_line()
        self._blank = ""

    def text(self) -> str:
        """The text so far, without the line breaks at its end."""
        return "".join(self._pieces).rstrip("\n")


def _collapsed(text: str) -> str:
    """A text with each run of blanks as one space."""
    if not _UNCOLLAPSED.search(text):
        return text
    # Single spaces are left alone: to replace each of 500 takes 59 us, this 7 (Python 3.11).
    for blank in "\t\n\r\f":
        text = text.replace(blank, " ")
    return _SPACES.sub(" ", text) if "  " in text else text


def _nests_too_deeply(html: str) -> bool:
    """Whether building the tree could cost more than a constant a character.

    A parser by the HTML standard walks the open elements at many a tag, and opens formatting elements anew in every
    block: nested n deep, n tags cost n squared (60 kB can make it gigabytes). The sum of the open elements over all
    tags bounds that. Elements whose end tag may be left out close each other and do not nest by themselves.
    """
    if html.count("<") < 1_000:
        return False
    allowed = _DEPTH_PER_CHARACTER * len(html) + _DEPTH_AT_LEAST
    still_open: Counter[str] = Counter()
    depth = total = 0
    for tag in _TAG.finditer(html):
        name = tag[2].lower()
        if name not in _UNNESTED:
            step = -(still_open[name] > 0) if tag[1] else 1
            still_open[name] += step
            depth += step
        total += depth
        if total > allowed:
            return True
    return False


def _walk(root: LexborNode) -> Iterator[tuple[LexborNode, str, int]]:
    """Each node and its tag in document order, on entering it (1) and on leaving it (-1), texts but once (0).

    No recursion, however deep.
    """
    path: list[tuple[LexborNode, str]] = []
    node, tag = root, root.tag or ""
    while True:
        if tag == "-text":
            yield node, tag, 0
        else:
            yield node, tag, 1
            path.append((node, tag))
            if (child := node.child) is not None:
                node, tag = child, child.tag or ""
                continue
            yield (*path.pop(), -1)
        while (following := node.next if path else None) is None:
            if not path:
                return
            node, tag = path.pop()
            yield node, tag, -1
        node, tag = following, following.tag or ""


def _urls_of(node: LexborNode, tag: str) -> Iterator[tuple[str, str]]:
    """(`tag@attribute`, URL as written) of one element, in the order of the table."""
    attributes = node.attributes
    for name in URL_ATTRIBUTES[tag]:
        content = attributes.get(name)
        if not content:
            continue
        field = f"{tag}@{name}"
        if name == "srcset":
            yield from ((field, url) for url in _SRCSET_URL.findall(content))
        elif name != "content":
            yield field, content
        elif (attributes.get("http-equiv") or "").lower() == "refresh" and (url := _REFRESH_URL.search(content)):
            yield field, url[1]


def _absolute(links: list[tuple[str, str]], longest_base: int) -> Iterator[tuple[str, str]]:
    """The links that have a scheme, or get one from the base, and may lead somewhere."""
    cleaned = [(field, _STRIPPED_FROM_URL.sub("", url.strip())) for field, url in links]
    base = next((url for field, url in cleaned if field == "base@href" and _SCHEME.match(url)), "")
    if len(base) > longest_base:
        base = ""
    for field, url in cleaned:
        scheme, absolute = _SCHEME.match(url), url
        if not scheme:
            absolute = _join(base, url)
            scheme = _SCHEME.match(absolute)
        if scheme and scheme[1].lower() not in NO_LINKS:
            yield field, absolute


def _join(base: str, url: str) -> str:
    """A relative link joined to the base, or as it is where that cannot be done (a bracket amiss in its host)."""
    if not base:
        return url
    try:
        return urljoin(base, url)
    except ValueError:
        return url
