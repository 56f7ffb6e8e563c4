"""The charset that an HTML page declares in itself."""

from __future__ import annotations

from urlglean.charsets import codec_of, holds_ascii
from urlglean.lazy import pattern
from urlglean.mail.html_lexer import attributes_of, tokens

_WITHIN = 1_024
"""A page has to declare its charset within so many octets (HTML Standard 13.2.3.2)."""
_NO_CHARSET_OF_PAGES = "utf-7"
"""No page is in it, whatever it says (Encoding Standard 4.2): signs of URLs would be letters."""

_NAMES = ("charset", "http-equiv", "content")
_IN_CONTENT = pattern(r"charset[\t\n\f\r ]*+=[\t\n\f\r ]*+(?:\"([^\"]*)\"|'([^']*)'|([^\t\n\f\r ;\"']++))", 0)
_IN_XML = pattern(rb"<\?xml[^>]*?[\t\n\r ]encoding[\t\n\r ]*+=[\t\n\r ]*+(?:\"([^\">]*)\"|'([^'>]*)')", 0)


# The designations of JIS C 6226 and JIS X 0208 (RFC 1468), and of KS C 5601 (RFC 1557). In their characters are octets
# of "<" and quotation marks.
_DESIGNATED = pattern(rb"\x1b\$(?:[@B]|(\)C))", 0)
_OF_JP_2 = pattern(rb"\x1b(?:\$A|\$\(C|\.[AF])", 0)
"""Of the sets that ISO-2022-JP-2 has besides (RFC 1554)."""


def charset_of(page: bytes) -> str | None:
    """The name of the charset that a page declares, as the HTML Standard looks for it (13.2.3.2).

    That is the first `<meta>` with a charset that is known, `<meta http-equiv="content-type">` included; else the
    encoding of an XML declaration. A byte order mark, which has precedence, is the task of `charsets.decode`.

    Returns:
        None if the page declares none; a name that is not known if it declares no other. A page whose
        declaration can be read as ASCII is not UTF-16 or EBCDIC, so that these are read as UTF-8.
    """
    front = page[:_WITHIN]
    unknown = None
    if b"charset" in front.lower():
        for step, tag, written, _ in tokens(front.decode("latin-1")):
            name = _in_meta(attributes_of(written, _NAMES)) if step > 0 and tag == "meta" else None
            codec = codec_of(name) if name else None
            if codec == _NO_CHARSET_OF_PAGES:
                continue
            if name and codec:
                return name if holds_ascii(codec) else "utf-8"
            unknown = unknown or name
    found = _IN_XML.match(front)
    return (found and (found[1] or found[2] or b"").decode("latin-1")) or unknown


def shown_by(page: bytes) -> str | None:
    """The charset that the escape sequences of a page show, whatever is declared; None if they show none."""
    found = _DESIGNATED.search(page) if b"\x1b$" in page and page.isascii() else None
    if found is None:
        return None
    return "iso-2022-kr" if found[1] else "iso-2022-jp-2" if _OF_JP_2.search(page) else "iso-2022-jp"


def _in_meta(attributes: dict[str, str]) -> str | None:
    if "charset" in attributes:
        return attributes["charset"].strip()
    if attributes.get("http-equiv", "").lower() != "content-type":
        return None
    found = _IN_CONTENT.search(attributes.get("content", "").lower())
    return found[found.lastindex or 0].strip() if found else None
