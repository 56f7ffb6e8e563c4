"""What a line of a header is: patterns of its fields, of lines among them, and of the envelope lines before them."""

from __future__ import annotations

import re

from urlglean.lazy import pattern

Field = tuple[bytes, bytes]
"""A header field, not decoded: its name as written, and the octets of its value with the folds."""

TYPE, TRANSFER = b"content-type", b"content-transfer-encoding"

WELL_KNOWN_NAMES = (
    "from|to|cc|date|subject|sender|reply-to|message-id|references|in-reply-to|received|return-path|delivered-to"
    "|newsgroups|path|mime-version|content-type|content-transfer-encoding|control|xref"
)
# field-name *WSP ":" (RFC 5322 2.2, 4.5.8). But a line that begins with `http://` is not a field: it is the first line
# of a body that does not follow a blank line. Nor is one that begins with "--", as the boundaries between parts do, or
# with "<", as the URIs of a list do (RFC 2369 2).
NAME = rb"(?!--|<)[!-9;-~]++[ \t]*+:(?!//)"
REST = rb"[^\n]*+\n?+"
# Folds that have lost their indent, as in the fields of a list, may begin with a URI in angle brackets. Behind a value
# that is empty or ends in a comma (RFC 2369 2) they may end the header. Else such a line may begin a body that does not
# follow a blank line, unless a field follows it.
_URI_LINES = rb"(?:<[A-Za-z][A-Za-z0-9+.-]*+:%s)++" % REST


def _below(ending: bytes) -> bytes:
    """A pattern of the beginning of a line below one that ends in `ending`, perhaps with a blank behind it."""
    ends = (rb"\n", rb"\r\n", rb"[ \t]\n", rb"[ \t]\r\n")
    return b"(?:%s)" % b"|".join(b"(?<=%s%s)" % (ending, end) for end in ends)


# Parameters that have lost their indent behind a semicolon (RFC 2045 5.1, RFC 2183 2, RFC 2231 3). Other text seldom
# begins with such a name.
_PARAMETER = (
    rb"(?i:charset|name|filename|boundary|format|delsp|type|start|micalg|protocol|re(?:port|ply)-type|size|method"
    rb"|(?:creation|modification|read)-date|access-type|url|x-[a-z-]{1,40})(?:\*[0-9*]{0,4})?"
)
# Only a value in quotation marks holds a colon, such as a time or a URL.
PARAMETERS = rb"%s(?:%s=(?=\"[^\"\n]*+\"|[^\n:]*+(?:\n|\Z))%s)++(?=[ \t]|\r?\n|\Z|%s)" % (
    *(_below(b";"), _PARAMETER),
    *(REST, NAME),
)
FOLDS = rb"(?:(?:[ \t]|>From )%s|%s(?=%s)|%s%s(?=[ \t]|\r?\n|\Z)|%s)*+" % (
    *(REST, _URI_LINES, NAME),
    *(_below(b"[,:]"), _URI_LINES, PARAMETERS),
)
FIELD = NAME + REST + FOLDS
WELL_KNOWN = rb"(?i:%s)[ \t]*+:" % WELL_KNOWN_NAMES.encode()
ENVELOPE_MARKS = (b"From ", b">From ")
# A line that is not a field is read as a continuation line that lost its indent, if a well-known field is directly
# behind it, or is among the fields between it and the empty line. It counts as one more field.
_ASTRAY = rb"(?!%%s)[^\r\n]++\r?\n%s(?=(?:(?!%s)%s)*+%s)(?=%s|(?:%s)++\r?\n)" % (
    *(FOLDS, WELL_KNOWN, FIELD, WELL_KNOWN),
    *(WELL_KNOWN, FIELD),
)
ASTRAY = _ASTRAY % rb"--"
# No boundary of its own stands in the header of a message, so that it may be the ruler of a table there, as
# SpamAssassin writes it.
ASTRAY_OR_RULER = _ASTRAY % rb"--(?!-*+ ++-[- ]*+\r?\n)"
ENVELOPE = rb"(?:>?From (?![ \t]*+:)%s)*+" % REST  # `From : a@b` is a field (RFC 5322 4.5)
VALUE = rb"[ \t]*+:([^\n]*+(?:\n(?!%s)[^\n]*+)*+)" % NAME
NAME_AND_VALUE = pattern(rb"^([!-9;-~]++)" + VALUE, re.MULTILINE)
FIELD_NAME = pattern(NAME)
