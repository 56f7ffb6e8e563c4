"""Reads Content-Type fields in the forms that mailers write, beyond those that the library's parser knows."""

from __future__ import annotations

import re
from collections.abc import Iterable

from urlglean.lazy import pattern

# RFC 822 3.1.4 allows blanks and comments between all tokens. A bracket inside a token, or behind a quotation mark that
# nothing closes, is no comment.
_COMMENT = pattern(r"(\"(?:[^\"\\]|\\.)*+(?:\"|\\?\Z))|(?<![^\s;/\"])\((?:[^()]|\([^()]*+\))*+\)", re.DOTALL)
_TYPE = pattern(r"\s*+\"?\s*+([A-Za-z]++)\s*+/\s*+([A-Za-z0-9.+-]++)\"?")
# Programs have left out the semicolon before the first parameter, or written another sign for it or for the "=".
_FIRST_PARAMETER = pattern(r"(?:\s++|\s*+[;,]\s*+)(charset|boundary|format)\s*+[:=]", re.IGNORECASE)
_MEANT_BY_ALONE = {"multipart": "multipart/mixed", "message": "message/rfc822"}
"""By type: what it is read as if it has no subtype (a guess; RFC 2046 5.1.3 says it of unknown subtypes of multipart).

All other types without a subtype are text (RFC 2045 5.2)."""
_ALONE = pattern(rf"\s*+\"?({'|'.join(_MEANT_BY_ALONE)})\"?(?=[\s;]|\Z)", re.IGNORECASE)
_BOUNDARY = pattern(r"\s*+multipart/[^;]*+;(?:.*?;)?\s*+boundary\s*+=\s*+\"?([^\";\r\n]++)", re.IGNORECASE | re.DOTALL)
_DELIMITER = pattern(rb"^--([^\r\n]++)", re.MULTILINE)
# Before the parts, programs tell in a paragraph that this is a multipart. The boundary has signs as in RFC 2046 5.1.1,
# and a letter or digit, or it may be a ruler. The first part is a text, or has no type.
_EMPTY_LINES = rb"(?:[ \t]*+\r?\n)*+"
_PREAMBLE = (
    rb"(?:>?[ \t]*+(?:This |(?=[^\r\n]*(?:mime[ -]?format|multi-?part message|support mime)))[^\r\n]*+\r?\n"
    rb"(?:[ \t]*+(?!--)[^\s][^\r\n]*+\r?\n)*+%s)?+" % _EMPTY_LINES
)
_PART_FIELD = rb"[!-9;-~]++[ \t]*+:[^\n]*+\n(?:[ \t][^\n]*+\n)*+"
_FIRST_PART = pattern(
    rb"(?i)%s%s--(?![^\r\nA-Za-z0-9]*+\r?\n)([\w'()+,./:=? -]{1,70}+)\r?\n(?=content-|mime-version)"
    rb"(?:(?!content-type)%s)*+(?:content-type[ \t]*+:\s*+(?:text|multipart|message)\b|\r?\n)"
    % (_EMPTY_LINES, _PREAMBLE, _PART_FIELD)
)
_PART_HEADER = pattern(rb"[ \t]*+\r?\n(?:%s)*+" % _PART_FIELD)
_IS_MERE_TEXT = pattern(
    rb"\s*+\"?text/(?:plain|html)\"?(?:\s*+;\s*+charset=\"?us-ascii\"?)?+\s*+;?+\s*+\Z", re.IGNORECASE
)
_CODED = pattern(rb"\s*+\"?(?:base64|quoted|x-?uu)", re.IGNORECASE)
_HAS_BOUNDARY = pattern(rb"(?s)\s*+\"?multipart\b.*?\bboundary[ \t]*+=[ \t]*+\"?[^\s\";]", re.IGNORECASE)
_MULTIPART = pattern(rb"\s*+\"?(multipart/[\w.+-]++)", re.IGNORECASE)
_IS_UNREAD = pattern(rb"(?im)^content-type[ \t]*+:\s*+(?!text|multipart|message|application/pgp-)")
_IS_BINARY = pattern(rb"(?im)^content-transfer-encoding[ \t]*+:\s*+base64")
_BASE64 = pattern(rb"[A-Za-z0-9+/=\s]*+")


def usual(value: str) -> str:
    """An unfolded Content-Type without comments, with a subtype, and without blanks and quotation marks in its type.

    The signs of its first parameter are those of RFC 2045 5.1.
    """
    if "(" in value:
        value = _COMMENT.sub(r"\1", value)
    if found := _TYPE.match(value):
        type_ = f"{found[1]}/{found[2]}"
    elif found := _ALONE.match(value):
        type_ = _MEANT_BY_ALONE[found[1].lower()]
    else:
        return value
    parameter = _FIRST_PARAMETER.match(value, found.end())
    return type_ + (f"; {parameter[1]}={value[parameter.end() :]}" if parameter else value[found.end() :])


def proven(values: Iterable[bytes], body: bytes) -> bytes | None:
    """Of the Content-Type fields of a message or part, the multipart whose boundary comes first in its body.

    None if none does. Gateways add a field of their own before or behind that of the message.
    """
    written = ((value, _BOUNDARY.match(usual(value.decode("latin-1")))) for value in values)
    of_boundary = {found[1].rstrip().encode("latin-1"): value for value, found in written if found}
    if not of_boundary:
        return None
    lines = (found[1].rstrip() for found in _DELIMITER.finditer(body))
    return next((of_boundary[line] for line in lines if line in of_boundary), None)


def undeclared(value: bytes, transfer: bytes, body: bytes) -> bytes | None:
    """The Content-Type of a message whose body begins with a part and has another boundary. A guess.

    A program that removed the field, or its value, or that put another type there before a boundary, left the parts. So
    did one that declared a mere text, if the last boundary closes them.

    Args:
        value: the Content-Type of the message.
        transfer: its Content-Transfer-Encoding. That of a multipart changes no octets (RFC 2045 6.4).
        body: its body, not decoded.
    """
    is_lost = not value.strip() or (b"boundary" in value.lower() and not _HAS_BOUNDARY.match(value))
    may_be_parts = is_lost or (_IS_MERE_TEXT.match(value) and not _CODED.match(transfer))
    found = _FIRST_PART.match(body) if may_be_parts else None
    if found is None:
        return None
    line = b"\n--" + found[1].rstrip()
    last = body.rfind(line)
    is_closed = body.startswith(b"--", last + len(line))
    type_ = _MULTIPART.match(value)
    if last < found.end() or not (is_lost or is_closed):
        return None
    if type_ is None and _hides_text(line, b"\n" + body, is_closed=is_closed):
        return None
    return b' %b; boundary="%b"' % (type_[1] if type_ else b"multipart/mixed", line[len(b"\n--") :])


def _hides_text(line: bytes, body: bytes, *, is_closed: bool) -> bool:
    """Whether a part between such lines would not be read, though it may hold text: somebody may quote parts.

    A binary file holds none if the last boundary closes it, and if it is base64 alone: prose may stand behind its
    beginning.
    """
    at = body.find(line)
    while at >= 0:
        header = _PART_HEADER.match(body, at + len(line))
        end = header.end() if header else at + len(line)
        at = body.find(line, end - 1)
        if header and _IS_UNREAD.search(header[0]):
            is_binary = is_closed and _IS_BINARY.search(header[0]) is not None
            if not is_binary or not _BASE64.fullmatch(body, end, at if at >= 0 else len(body)):
                return True
    return False
