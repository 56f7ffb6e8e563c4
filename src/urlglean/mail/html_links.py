"""The URLs that attributes of HTML hold."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import NamedTuple

from urlglean.bounds import Bounds
from urlglean.expressions import compiled
from urlglean.mail.html_lexer import attributes_of
from urlglean.mail.html_lines import collapsed
from urlglean.mail.relative_links import joined

URL_ATTRIBUTES = {
    "a": ("href", "ping", "xlink:href"),
    "amp-anim": ("src", "srcset"),
    "amp-autocomplete": ("src",),
    "amp-img": ("src", "srcset"),
    "amp-list": ("src",),
    "amp-state": ("src",),
    "applet": ("codebase", "archive"),
    "area": ("href", "ping"),
    "audio": ("src",),
    "base": ("href",),
    "bgsound": ("src",),
    "blockquote": ("cite",),
    "body": ("background",),
    "button": ("formaction",),
    "del": ("cite",),
    "embed": ("src", "pluginspage"),
    "form": ("action", "action-xhr", "verify-xhr"),
    "frame": ("src", "longdesc"),
    "head": ("profile",),
    "html": ("manifest",),
    "iframe": ("src", "longdesc"),
    "image": ("src", "href", "xlink:href"),  # read as img (HTML Standard 13.2.6.4.7), but for SVG
    "img": ("src", "srcset", "longdesc", "lowsrc", "dynsrc", "usemap"),
    "input": ("src", "formaction", "usemap"),
    "ins": ("cite",),
    "link": ("href", "imagesrcset"),
    "meta": ("content",),
    "object": ("data", "codebase", "archive", "usemap"),
    "q": ("cite",),
    "script": ("src", "href", "xlink:href"),
    "source": ("src", "srcset"),
    "table": ("background",),
    "td": ("background",),
    "th": ("background",),
    "tr": ("background",),
    "track": ("src",),
    "use": ("href", "xlink:href"),
    "video": ("src", "poster"),
}
"""Element -> its attributes that hold URLs: those of type %URI in HTML 4.01 (its index of attributes), those that hold
a "valid URL" by the HTML Standard's index, those of SVG's links, those of AMP for Email, and others in real mail.

`meta@content` is read only in a refresh. Left out: `style` (CSS, not a URL), names that lead nowhere (`xmlns`,
`classid`, `itemid`, `itemtype`), and `script@for`, which holds the name of an object. What `codebase` is the base of is
left out, if it is relative.
"""

_FIELDS = {tag: {name: f"{tag}@{name}" for name in names} for tag, names in URL_ATTRIBUTES.items()}
"""Element -> the same attributes -> what their links have as `Link.field`."""
_READ = URL_ATTRIBUTES | {"meta": ("content", "http-equiv")}
"""Element -> the attributes that are read."""

NO_LINKS = frozenset({"javascript", "vbscript", "about"})
"""Schemes in attributes that lead nowhere. URLs of all other schemes are kept, `data:` and `cid:` too; judging them is
the task of other modules."""

# At least two letters: one letter and a colon is a drive of Windows, not a scheme.
_SCHEME = compiled(r"([A-Za-z][A-Za-z0-9+.-]++):")
# Mail servers break lines that are too long by a line end and a blank. Browsers keep the blank, so nobody means it.
# Sendmail puts an exclamation mark before them.
_LINE_END = compiled(r"(?:!\r?\n |[\t\r\n])++")
_BREAK = compiled(rf"{_LINE_END.pattern}(?:(?<=[\r\n ]) ++(?![A-Za-z]{{2,20}}:))?+")
# Outlook has put this before the URLs of a mail whose pictures it did not load.
_BLOCKED = compiled(r"\Ablocked::?(?=[a-z]++:)", re.IGNORECASE)
_DOTS = compiled(r"\.{2,}|…")
_USUAL = ("http:", "https:", "mailto:")
# HTML Standard 4.8.4.3.10: a comma directly behind the URL ends a candidate without descriptors.
_SRCSET_URL = compiled(r"([^\s,]++(?:,++[^\s,]++)*+)(?:,|(?:[^,(]++|\([^)]*+\)?+)*+)")
# HTML 4.01 13.3 and 13.4: relative to the base of code, not to that of the page.
_OF_CODEBASE = frozenset({"archive", "data"})
# A file, as the one that installs a program for an object, is no base of anything.
_FILE_OF_CODE = compiled(r"(?:\A|(?<!/)/)[^/?#]+\.[A-Za-z][A-Za-z0-9]{0,4}(?:[?#]|\Z)")
_ONE_OF_SEVERAL = compiled(r"[^\s,]+")  # archives, with blanks between in an object, with commas in an applet
_LISTS = {
    "srcset": _SRCSET_URL,
    "imagesrcset": _SRCSET_URL,
    "ping": compiled(r"\S+"),
    "profile": compiled(r"\S+"),  # HTML 4.01 7.4.4.3
    "archive": _ONE_OF_SEVERAL,
}
"""Attribute -> finds each URL of its list."""
# HTML Standard 4.2.5.3, the shared declarative refresh steps. Old pages leave out the time too.
_REFRESH_URL = compiled(
    r"(?:\A\s*+[0-9.]++(?:\s*+[;,]\s*+|\s++)(?:url\s*+=\s*+)?+|url\s*+=\s*+)(?:\"([^\"]++)|'([^']++)|([^\"'].*+))",
    re.IGNORECASE | re.DOTALL,
)


BASED_FREE = 1 << 10
"""The characters that a base may add to the links of each page, whatever its length: a message may have many pages."""


class Link(NamedTuple):
    """A link of a page.

    Attributes:
        field: `tag@attribute`.
        url: the URL.
        line: the line of the visible text in which the tag stands, from 1.
        label: the text of an `<a>`; None for all other elements.
    """

    field: str
    url: str
    line: int = 1
    label: str | None = None


class Links:
    """Collects the links of a page, and the text of each `<a>`, tag by tag.

    Attributes:
        more: whether the page has more links than `Bounds.links`.
        overlong: whether the base would make the links too long, so that it is none.
        labelled: whether an `<a>` is open whose label is not too long already, so that it gets what follows.
    """

    def __init__(self, bounds: Bounds) -> None:
        self.more = self.labelled = self.overlong = False
        self._links: list[tuple[str, str, int]] = []
        self._labels: dict[int, str] = {}
        """The label of each link that has one, by the link's place in the list."""
        self._bounds, self._longest = bounds, bounds.label
        self._open: range | None = None
        """The links of the tag of the `<a>` that is open: where they are in the list."""
        self._label: list[str] = []
        self._size = 0

    def add(self, tag: str, written: str, line: int) -> None:
        """Add the links of a start tag.

        Args:
            tag: the name of the element, one of `URL_ATTRIBUTES`.
            written: its attributes as they are written.
            line: the line of the visible text in which the tag stands.
        """
        if self.more or not (attributes := attributes_of(written, _READ[tag])):
            return
        before = len(self._links)
        self._links += [(field, url, line) for field, url in _urls_of(tag, attributes)]
        self.more = len(self._links) > self._bounds.links
        if tag == "a" and len(self._links) > before:
            self._open = range(before, len(self._links))
            self.labelled = True

    def whole(self, text: str) -> str:
        """The first text of a label, with the URL of the link in the place of a short or divided one; if `labelled`.

        Forums and mail programs put dots in the place of its middle or end. Programs that wrap text divide it.
        """
        if self._open is None or self._label or "://" not in text:
            return text
        written, url = text.strip(), _cleaned(self._links[self._open[0]][1])
        dots = _DOTS.search(written)
        if dots is None:
            is_url = "".join(written.split()) == url
        else:
            begin, end = written[: dots.start()].rstrip(), written[dots.end() :].lstrip()
            is_short = "://" in begin and len(begin) + len(end) < len(url)
            is_url = is_short and url.startswith(begin) and url.endswith(end)
        return text.replace(written, url) if is_url else text

    def label(self, text: str) -> None:
        """Add text that a reader sees, or a blank where a line or a cell ends, to the label; only if `labelled`."""
        piece = collapsed(text)[: self._longest + 1]
        self._label.append(piece)
        self._size += len(piece)
        self.labelled = self._size <= self._longest

    def end_label(self) -> None:
        """End the `<a>` that is open, if one is: its links get their label.

        There are no blanks around a label; one that is cut ends in "…".
        """
        if self._open is not None:
            label = " ".join("".join(self._label).split())
            if len(label) > self._longest:
                label = f"{label[: self._longest - 1]}…"
            self._labels.update(dict.fromkeys(self._open, label))
            self._open, self._label, self._size, self.labelled = None, [], 0, False

    def absolute(self, last_line: int, size: int) -> Iterator[Link]:
        """The links that have a scheme, or get one from the first absolute `<base href>`, except those of `NO_LINKS`.

        They are at most `Bounds.links`. A base that is longer than `Bounds.base` characters is none, nor is one that
        would add more than `Bounds.based` allows. Blanks around a link and line breaks in it are removed, as in every
        browser, and the blanks behind a line break. A link that stands behind all text has the last line, `last_line`.
        The page has `size` characters.
        """
        self.end_label()
        base = self._base()
        most = BASED_FREE + self._bounds.based * size
        if base and len(base) * sum(not _SCHEME.match(url) for _, url, _ in self._links) > most:
            self.overlong, base = True, ""
        for at, (field, written, line) in enumerate(self._links[: self._bounds.links]):
            url = _cleaned(written)
            if base and not _SCHEME.match(url):
                url = joined(base, url)
            if url.startswith(_USUAL) or ((scheme := _SCHEME.match(url)) and scheme[1].lower() not in NO_LINKS):
                yield Link(field, url, min(line, last_line), self._labels.get(at))

    def _base(self) -> str:
        """The first absolute `<base href>`, if it is not too long; else ""."""
        hrefs = (_cleaned(url) for field, url, _ in self._links[: self._bounds.links] if field == "base@href")
        base = next(filter(_SCHEME.match, hrefs), "")
        return base if len(base) <= self._bounds.base else ""


def _urls_of(tag: str, attributes: Mapping[str, str]) -> Iterator[tuple[str, str]]:
    """The (`tag@attribute`, URL as written) in the attributes of one element of `URL_ATTRIBUTES`, in their order."""
    codebase = attributes.get("codebase", "").strip()
    has_codebase = codebase not in {"", "."} and (tag == "applet" or not _FILE_OF_CODE.search(codebase))
    for name, content in attributes.items():
        if not content or name == "http-equiv":
            continue
        field = _FIELDS[tag][name]
        if has_codebase and name in _OF_CODEBASE:
            urls = _ONE_OF_SEVERAL.findall(content) if name in _LISTS else [content]
            yield from ((field, url) for url in urls if _SCHEME.match(_cleaned(url)))
        elif name in _LISTS:
            for url in _LISTS[name].findall(content):
                yield field, url
        elif name != "content":
            yield field, content
        elif attributes.get("http-equiv", "").lower() == "refresh" and (url := _REFRESH_URL.search(content)):
            yield field, next(filter(None, url.groups()))


_C0 = "".join(map(chr, range(0x21)))
"""The controls and the blank that a browser removes around a URL (URL Standard 4.4)."""


def _cleaned(url: str) -> str:
    # No URL contains an overline itself: its octet is a tilde, but not in all of the Japanese charsets (`mending`).
    url = _BLOCKED.sub("", url.strip().strip(_C0)).replace("‾", "~")
    if url.isprintable():
        return url
    # A search, and the fields of a mail, may hold words.
    path, sign, words = url.partition("?")
    return _BREAK.sub("", path) + sign + _LINE_END.sub("", words)
