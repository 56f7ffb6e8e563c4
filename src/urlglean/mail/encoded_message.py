"""Whether an attached message really has the transfer encoding that its part declares. A guess.

RFC 2046 5.2.1 forbids one for messages. Some programs encode the message nevertheless. Others only write the field,
which is that of the message itself, or of a part of it.
"""

from __future__ import annotations

from collections.abc import Sequence

from urlglean.lazy import pattern
from urlglean.records import Transfer

NEAR = 1 << 12
"""In so many octets of a message the signs of its encoding are searched."""

_FIELD = pattern(rb"(?:\r?\n)*+(?:>?From [^\n]*+\n)?+[!-9;-~]++[ \t]*+:")
# A line of two hyphens is that of a boundary: what follows is no field of this message.
_HEADER = pattern(rb"(?:\r?\n)*+(?:(?!--)[^\r\n]++(?:\r?\n|\Z))*+")
_NO_ESCAPE = pattern(rb"=(?![0-9A-Fa-f]{2}|[0-9A-Fa-f]?+\Z|[ \t]*+\r?+(?:\n|\Z))")
_ESCAPE = pattern(rb"=(?:3[Dd]|[ \t]*+\r?\n)")
_OWN_ENCODING = pattern(rb"(?im)^content-transfer-encoding[ \t]*+:[ \t]*+(?:quoted-printable|base64)\b")
_OF_ITS_OWN = pattern(rb"(?im)^content-(?:type[ \t]*+:\s*+multipart/|transfer-encoding[ \t]*+:)")
_BASE64_LINE = pattern(rb"(?m)^[A-Za-z0-9+/]{60,76}\r?$")
_SURE_ESCAPE = pattern(rb"=(?:3D|[C-F][0-9A-F]=[89AB][0-9A-F])")
# An escape and a soft break, escaped.
_TWICE = pattern(rb"=3D(?:=?3D|[ \t]*+\r?\n)", 0)


def is_undone(front: bytes, transfers: Sequence[Transfer]) -> bool:
    """Whether a message of which these are the first `NEAR` octets lies there without any of these encodings."""
    if not _FIELD.match(front):
        return False
    header = _HEADER.match(front)
    fields = header[0] if header else b""
    # A field may be a remark, or one of the part that an empty line has torn off: then the body shows the encoding.
    if "quoted-printable" not in transfers:
        return _OF_ITS_OWN.search(fields) is not None or not _BASE64_LINE.search(front.partition(b"\n--")[0])
    if _NO_ESCAPE.search(fields):
        return _OF_ITS_OWN.search(fields) is not None or not _SURE_ESCAPE.search(front, len(fields))
    if _ESCAPE.search(fields):  # and no equals sign is anything else
        return False
    # Nobody encodes the fields of a message that needs no encoding, unless all of it was encoded.
    return _OWN_ENCODING.search(fields) is not None and not _TWICE.search(front, len(fields))
