"""Tells headers that end too early: at a line that is no field, or at an empty line that came to stand in them."""

from __future__ import annotations

import re
from collections.abc import Container

from urlglean.lazy import pattern
from urlglean.mail.content_type import proven
from urlglean.mail.field_lines import ASTRAY, ENVELOPE, FIELD, FOLDS, NAME, PARAMETERS, REST, TRANSFER, TYPE, WELL_KNOWN
from urlglean.mail.transfer_encoding import transfer_of, transfers_of

_FROM_ASTRAY = pattern(rb"(?:(?:%s|%s%s)(?:%s)*+)++" % (ASTRAY, PARAMETERS, FOLDS, FIELD))
# The fields without which a body is not decoded, before an empty line or a boundary.
_OF_STRUCTURE = rb"content-(?:type|transfer-encoding)[ \t]*+:"
_ENVELOPE_WITH_TIME = rb"(?:(?=>?From [^\r\n]*[0-9]:[0-9]{2})%s)?+" % ENVELOPE
# Behind an empty line, beside which the line of an envelope may stand, or lines that are no fields. Of the fields
# behind an empty line, others may precede them.
_TORN_OFF = pattern(
    rb"(?i)(?:%s(?P<empty>[ \t]*+\r?\n)(?:[ \t]*+\r?\n)*+%s(?:(?!%s)%s(?=[ \t]*+\S)%s%s)*+"
    # A boundary behind a lone CR is one to the parser of parts; each part would be searched to the end of the message.
    rb"|(?:(?!%s|--|\r?\n)[^\r\n]*+(?:\r(?!--)[^\r\n]*+)*+\n)*+)%s"
    % (
        _ENVELOPE_WITH_TIME,
        _ENVELOPE_WITH_TIME,
        _OF_STRUCTURE,
        NAME,
        REST,
        FOLDS,
        _OF_STRUCTURE,
        _OF_STRUCTURE,
    )
)
_OF_TRANSFER = rb"content-transfer-encoding[ \t]*+:"
_MIME_FIELD = rb"(?:mime-version|content-[a-z-]++)[ \t]*+:"
_FIELD_OF_MAIL = rb"(?:%s|%s)%s%s" % (_MIME_FIELD, WELL_KNOWN, REST, FOLDS)
# The empty line may stand before a fold.
_EMPTY_LINES = rb"(?i)(?:\r?\n)++(?:[ \t]%s)*+%s" % (REST, _ENVELOPE_WITH_TIME)
_BEHIND_EMPTY_LINES = pattern(
    rb"%s((?:(?!%s)%s)*+%s(?:%s)*+)"
    % (_EMPTY_LINES, _OF_STRUCTURE, FIELD, _OF_STRUCTURE + REST + FOLDS, _FIELD_OF_MAIL)
)
# Where all line ends were doubled or tripled, empty lines stand behind each line, and the header ends behind its first
# one, or the envelope's, which a mailbox may have taken away.
_DOUBLED_END = rb"\n(?:\r?\n){1,2}+"
_DOUBLED_LINE = rb"(?:%s|[ \t])[^\n]*+%s" % (NAME, _DOUBLED_END)
_BEHIND_DOUBLED = pattern(
    rb"(?i)(?:\r?\n){1,3}+((?:(?!%s)%s)++%s[^\n]*+%s(?:%s)*+)"
    % (_OF_STRUCTURE, _DOUBLED_LINE, _OF_STRUCTURE, _DOUBLED_END, _DOUBLED_LINE)
)
# A header has one (RFC 5322 3.6): behind an empty line, a second one is of another message. Other fields may be of a
# server, which adds them above the empty line with which a message begins (RFC 6409 8).
_SUBJECT = pattern(rb"(?im)^subject[ \t]*+:")
_ONE_LINE_AT_MOST = pattern(rb"%s(?:\r?\n)*+(?:[^\n]++\n)?+" % ENVELOPE)
_OF_A_MESSAGE = pattern(rb"(?m)^(?!(?i:%s))%s" % (_MIME_FIELD, WELL_KNOWN))
# Any fields may stand beside that of the encoding.
_CODED_BEHIND_EMPTY_LINES = pattern(
    rb"%s((?:(?!%s)%s)*+%s(?:%s)*+)" % (_EMPTY_LINES, _OF_TRANSFER, FIELD, _OF_TRANSFER + REST + FOLDS, FIELD)
)
# Behind a header of such a type, another header begins, or a body that is not read.
_IS_NO_TEXT = pattern(
    rb"(?im)^content-type[ \t]*+:\s*+\"?"
    rb"(?:(?:message|multipart)\b|(?:application|audio|font|image|model|video)/|text/rfc822-headers)"
)
_IS_CODED_FIELD = pattern(rb"(?im)^%s(?!\s*+(?:[78]bit|binary)\s)" % _OF_TRANSFER)
_TYPE_FIELD = pattern(rb"(?im)^content-type[ \t]*+:([^\n]*+(?:\n[ \t][^\n]*+)*+)")
_MAY_GO_ON = pattern(rb"(?:\r?\n)++(?:[ \t]|>?From |[!-9;-~]++[ \t]*+:)")
_IS_CODED = pattern(
    rb"(?im)^(?:content-type[ \t]*+:\s*+(?:multipart|message)/|%s\s*+(?:quoted-printable|base64)\b)" % _OF_TRANSFER
)
_IS_HTML = pattern(rb"(?im)^content-type[ \t]*+:\s*+text/html\b")
# Without it, fields may be of no mail: the output of a CGI program, which cron sends, begins with a type too.
_HAS_VERSION = pattern(rb"(?im)^mime-version[ \t]*+:[ \t]*+1")
_TRANSFER_FIELD = pattern(rb"(?im)^%s([^\r\n]*+)" % _OF_TRANSFER)
_LOOK_AT = 10_000
"""So many octets of a body show whether it is encoded."""

_LONGEST = 65_536
"""Within so many octets, a header must end that goes on behind an empty line."""

_FEWEST_OCTETS = 16
"""A word may look like base64."""

_TORN = "its header ends at a line that is no field; the fields behind it were read as text"
_TORN_BY_EMPTY_LINE = "its header ends at an empty line, and goes on behind it; the fields there were read as text"


def end_behind(octets: bytes, at: int) -> int:
    """Where a header ends that goes on at the offset `at` with a line that has lost its indent; `at` if it does not."""
    found = _FROM_ASTRAY.match(octets, at)
    return found.end() if found else at


def torn(octets: bytes, stop: int) -> str | None:
    """What is lost of a header that ends at the offset `stop`, without an empty line or before it begins; or None."""
    found = _TORN_OFF.match(octets, stop)
    if found is None:
        return None
    return _TORN_BY_EMPTY_LINE if found["empty"] else _TORN


def torn_behind(octets: bytes, begin: int, stop: int, names: Container[bytes]) -> str | None:
    """What is lost if an empty line at the offset `stop` has come to stand between the fields of a header; or None.

    The header begins at `begin`; `names` are those of its fields, in lower case.
    """
    if not _MAY_GO_ON.match(octets, stop) or _is_whole(octets, begin, stop, names):
        return None
    # A boundary behind a lone CR is one, as above.
    end = min(stop + _LONGEST, len(octets))
    boundary = octets.find(b"\r--", stop, end)
    end = end if boundary < 0 else boundary
    coded = _CODED_BEHIND_EMPTY_LINES.match(octets, stop, end)
    is_lost = coded is not None and _is_coded(octets, coded)
    behind = None if is_lost else _BEHIND_EMPTY_LINES.match(octets, stop, end)
    if behind and not (b"subject" in names and _SUBJECT.search(behind[1])):
        is_lost = _has_parts(octets, behind) if TYPE in names else _is_of_mail(behind[1], octets[begin:stop])
    if (
        not is_lost
        and _ONE_LINE_AT_MOST.fullmatch(octets, begin, stop)
        and (behind := _BEHIND_DOUBLED.match(octets, stop, end))
    ):
        is_lost = _is_of_mail(behind[1], b"")
    return _TORN_BY_EMPTY_LINE if is_lost else None


def _is_whole(octets: bytes, begin: int, end: int, names: Container[bytes]) -> bool:
    """Whether a header declares an encoding that changes octets, or a type without a text of its own."""
    is_coded = TRANSFER in names and _IS_CODED_FIELD.search(octets, begin, end) is not None
    return is_coded or (TYPE in names and _IS_NO_TEXT.search(octets, begin, end) is not None)


def _is_of_mail(behind: bytes, before: bytes) -> bool:
    """Whether fields behind an empty line belong to the header before it, and the body is read wrongly without them."""
    has_version = _HAS_VERSION.search(behind) is not None or _HAS_VERSION.search(before) is not None
    if _IS_CODED.search(behind) or (has_version and _IS_HTML.search(behind)):
        return True
    if _OF_A_MESSAGE.search(behind):
        return False  # they may be of another one that somebody put into the text; and of plain text nothing is lost
    return has_version or all(name in behind.lower() for name in (TYPE, TRANSFER))


def _has_parts(octets: bytes, fields: re.Match[bytes]) -> bool:
    """Whether the body behind fields that an empty line has torn off has the boundary that they declare."""
    declared = _TYPE_FIELD.search(fields[1])
    most = fields.end() + _LOOK_AT
    return declared is not None and proven([declared[1]], octets[fields.end() : most]) is not None


def _is_coded(octets: bytes, fields: re.Match[bytes]) -> bool:
    """Whether the body behind fields that an empty line has torn off shows the encoding that they declare.

    Else they may be what the message is about.
    """
    declared, begin = _TRANSFER_FIELD.search(fields[1]), fields.end()
    most = min(begin + _LOOK_AT, len(octets))
    end = octets.find(b"\n--", begin - 1, most)
    if end < 0:  # a line is not cut, because an escape could be
        end = most if most == len(octets) else octets.rfind(b"\n", begin, most) + 1
    body = octets[begin:end].strip()
    transfers = transfers_of(declared[1].decode("latin-1")) if declared else ()
    return len(body) >= _FEWEST_OCTETS and any(transfer_of((each, ""), body) for each in transfers)
