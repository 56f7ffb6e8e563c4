"""Reads HTML: the text that a reader sees, and the URLs in attributes."""

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
"""Element -> its attributes that hold URLs: those of type %URI in HTML 4.01, those of HTML 5, and others in real mail.

`meta@content` is read only in a refresh. Left out: `style` (CSS, not a URL), and URLs for programs (`profile`,
`xmlns`).
"""

NO_LINKS = frozenset({"javascript", "vbscript", "about"})
"""Schemes in attributes that lead nowhere. URLs of all other schemes are kept, `data:` and `cid:` too; judging them is
the task of other modules."""

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
"""Block element -> how many line breaks are before and after it. A reader sees an empty line around a paragraph."""
_CELLS = frozenset({"td", "th"})
_PREFORMATTED = frozenset({"pre", "textarea", "listing", "xmp", "plaintext"})
_UNSEEN = frozenset({"head", "script", "style", "template", "title", "iframe", "noframes", "datalist"})
_HANDLED = frozenset({*_BREAKS, *_CELLS, *_PREFORMATTED, *_UNSEEN, *URL_ATTRIBUTES, "br"})
"""Elements that have an effect here. The tags of others are ignored."""
_BLANKS = " \t\n\r\f"
_UNCOLLAPSED = re.compile("  |[\t\n\r\f]")
_SPACES = re.compile("  +")
# If nothing has to be stripped, this pattern takes 0.2 us, `str.translate` 1.2 us (Python 3.11).
_STRIPPED_FROM_URL = re.compile(r"[\t\n\r]")
# At least two letters: one letter and a colon is a drive of Windows, not a scheme.
_SCHEME = re.compile(r"([A-Za-z][A-Za-z0-9+.-]+):")
_SRCSET_URL = re.compile(r"([^\s,]\S*)[^,]*+")
_REFRESH_URL = re.compile(r"url\s*+=\s*+[\"']?([^\"']*)", re.IGNORECASE)

_TAG = re.compile(r"<(/?)([A-Za-z][A-Za-z0-9]*)")
_VOID = frozenset({"area", "base", "br", "col", "hr", "img", "input", "link", "meta", "param", "source"})
_ENDED_BY_THE_NEXT = frozenset({"dd", "dt", "li", "option", "p", "tbody", "td", "tfoot", "th", "thead", "tr"})
_UNNESTED = _VOID | _ENDED_BY_THE_NEXT
_DEPTH_PER_CHARACTER, _DEPTH_AT_LEAST = 4, 1_000_000


class Page(NamedTuple):
    """The content of an HTML part.

    Attributes:
        text: the visible text.
        links: (`tag@attribute`, URL) for each attribute that holds an absolute URL, in document order.
    """

    text: str
    links: tuple[tuple[str, str], ...]


def read(html: str, bounds: Bounds = DEFAULT) -> Page | None:
    """Read an HTML document.

    Block elements and <br> break lines, and paragraphs and similar elements have empty lines around them. The cells of
    a table are separated by tabs. Outside <pre>, a run of blanks becomes one. What is not shown (head, scripts, styles,
    comments) is left out of the text. Relative links are joined to the first absolute <base href> (HTML 4.01 12.4), and
    left out if there is none. Links with a scheme of `NO_LINKS` are left out too. Blanks around a link and line breaks
    in it are removed, as in every browser.

    Returns:
        The content; None if the document is longer than `Bounds.html`, or nested so deeply that building its tree could
        take quadratic time or space.
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
        if tag not in _HANDLED:
            continue
        unseen += step * (tag in _UNSEEN)
        preformatted += step * (tag in _PREFORMATTED)
        lines.pass_by(tag, entering=step > 0)
        if step > 0 and tag in URL_ATTRIBUTES:
            links += _urls_of(node, tag)
    return Page(lines.text(), tuple(_absolute(links, bounds.base)))


class _Lines:
    """Builds the visible text: its pieces, the number of line breaks at their end, and a blank that is still pending.

    A pending blank is added only if more text follows in the same line.
    """

    def __init__(self) -> None:
        self._pieces: list[str] = []
        self._breaks = 2
        self._blank = ""

    def add(self, text: str, *, preformatted: bool) -> None:
        """Add text. Runs of blanks become one blank, also across elements, unless the text is preformatted."""
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
        """Begin or end an element: add the line breaks or blanks that it causes."""
        if tag in _BREAKS:
            self.end_block(_BREAKS[tag])
        elif tag in _CELLS:
            self.separate("\t")
        elif tag == "br" and entering:
            self.break_line()

    def separate(self, blank: str) -> None:
        """Put a blank before the next text, if that is in the same line. A pending tab is not replaced by a space."""
        if self._blank != "\t":
            self._blank = blank

    def break_line(self) -> None:
        """End the line, even an empty one."""
        self._pieces.append("\n")
        self._breaks += 1
        self._blank = ""

    def end_block(self, breaks: int) -> None:
        """Make sure that the text so far ends in at least `breaks` line breaks."""
        while self._breaks < breaks:
            self.break_line()
        self._blank = ""

    def text(self) -> str:
        """The text so far, without the line breaks at its end."""
        return "".join(self._pieces).rstrip("\n")


def _collapsed(text: str) -> str:
    """A text in which each run of blanks is replaced by one space."""
    if not _UNCOLLAPSED.search(text):
        return text
    # Single spaces are not replaced: that takes 59 us for 500 of them, this way 7 us (Python 3.11).
    for blank in "\t\n\r\f":
        text = text.replace(blank, " ")
    return _SPACES.sub(" ", text) if "  " in text else text


def _nests_too_deeply(html: str) -> bool:
    """Whether building the tree could take more than linear time or space.

    At many tags, a parser that follows the HTML standard walks all open elements, and in every block it opens
    formatting elements again. So n tags nested n deep take n squared steps, and 60 kB can become gigabytes. The sum of
    the numbers of open elements at all tags is a bound for this. Void elements are not counted, and neither are those
    whose end tag may be omitted, because the next of them closes the one before.
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
    """Yield each node with its tag and a step, in document order: 1 when entering it, -1 when leaving it.

    Texts are yielded once, with step 0. This does not use recursion, because documents may be nested deeply.
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
    """Yield (`tag@attribute`, URL as written) for one element, in the order of `URL_ATTRIBUTES`."""
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
    """The links that have a scheme, or get one from the base, except those of `NO_LINKS`."""
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
    """A relative link joined to the base; unchanged if that fails (because of a wrong bracket in its host, say)."""
    if not base:
        return url
    try:
        return urljoin(base, url)
    except ValueError:
        return url
