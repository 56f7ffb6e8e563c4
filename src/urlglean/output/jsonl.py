r"""Writes JSON lines: one object in each line, in UTF-8.

    {"url":"http://host/","scheme":"http","host":"host", ... ,"part":null,"field":null}

The keys are the names of `COLUMNS`. Every object has all of them, in that order. An absent value is null, a list is an
array, and a problem is an object with the keys `code`, `start`, `end`, `rule` and `message`. Rejected candidates have
the same form, with `valid` false and their `problems`.

UTF-8 cannot encode a lone surrogate, from a text that is not UTF-8, and RFC 7493 2.1 forbids to write it as an escape.
Each becomes one U+FFFD, so that offsets stay right. The exception is `path`: an octet of a file's name that is not
UTF-8 is written as an escape, `\udc80` to `\udcff` (PEP 383), so that the file can be found again: by Python as
`json.loads(line)["path"].encode("utf-8", "surrogateescape")`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import msgspec
from msgspec import Struct

from urlglean.columns import OF_FINDING, OF_PART, OF_PLACE, Column, problem_row
from urlglean.lazy import pattern
from urlglean.occurrence import Occurrence, of_finding, of_message, of_text
from urlglean.output.file_names import as_text, file_name, holds_octets
from urlglean.records import Trouble, Verdict

SURROGATE = pattern("[\ud800-\udfff]")
"""A lone surrogate, which UTF-8 cannot encode."""

_encoder = msgspec.json.Encoder()


def lines(occurrences: Sequence[Occurrence]) -> list[bytes]:
    r"""A line of JSON for each occurrence, ending in "\n"."""
    return _lines(occurrences, file_name)


def table_lines(occurrences: Sequence[Occurrence]) -> list[bytes]:
    """The same for tables, whose text has no escapes: `path` is as in `file_names.as_text`."""
    return _lines(occurrences, as_text)


def _lines(occurrences: Sequence[Occurrence], name: Callable[[str], str]) -> list[bytes]:
    try:
        return _encoded_by(_encoder.encode, occurrences, name)
    except UnicodeEncodeError:
        return _encoded_by(encoded, occurrences, name)


def _encoded_by(
    encode: Callable[[Any], bytes], occurrences: Sequence[Occurrence], name: Callable[[str], str]
) -> list[bytes]:
    # What rows have in common is encoded once. Measured (Python 3.11): a row of a link takes 3.0 us, 3.4 us if the
    # columns of its message are encoded again; 5.7 us if it is encoded as one object.
    written, part, envelope, origin, message, shared = [], None, None, None, b"", b""
    for each in occurrences:
        if each.part is not part or each.origin is not origin:
            if each.envelope is not envelope or each.origin is not origin:
                envelope, origin = each.envelope, each.origin
                _, *values = of_message(each)
                message = encode(_MessageRow(name(origin.path), *values))[1:-1]
            part = each.part
            shared = b",%b,%b\n" % (message, encode(_PartRow(*of_text(part)))[1:])
        written.append(encode(_FindingRow(*of_finding(each)))[:-1] + shared)
    return written


def _struct(columns: Sequence[Column]) -> Callable[..., Struct]:
    """A class of records with these columns. msgspec encodes them four times as fast as dictionaries."""
    return msgspec.defstruct("Row", [column.name for column in columns], gc=False)


_IN_MESSAGE = [column.name for column in OF_PART].index("part")
"""How many columns of `OF_PART` are of `of_message`."""

_FindingRow = _struct(OF_FINDING + OF_PLACE)
_MessageRow, _PartRow = _struct(OF_PART[:_IN_MESSAGE]), _struct(OF_PART[_IN_MESSAGE:])


def verdict_line(url: str, verdict: Verdict) -> bytes:
    r"""The verdict on `url` as one line of JSON, ending in "\n". An absent part is null, an empty one is ""."""
    return _line(
        {
            "url": url,
            "scheme": verdict.scheme,
            "valid": verdict.valid,
            "problems": [problem_row(problem) for problem in verdict.problems],
            "cautions": verdict.cautions,
            "parts": None if verdict.parts is None else msgspec.structs.asdict(verdict.parts),
            "href": verdict.href,
        },
    )


def trouble_line(trouble: Trouble) -> bytes:
    r"""A trouble as one line of JSON, ending in "\n", with the keys `path`, `member`, `message` and `cause`."""
    return _line(
        {"path": file_name(trouble.path), "member": trouble.member, "message": trouble.message, "cause": trouble.cause},
    )


def _line(values: Mapping[str, Any]) -> bytes:
    return encoded(values) + b"\n"


def encoded(value: Any) -> bytes:
    """A value as JSON in one line, without the line end. Lone surrogates become U+FFFD, but in a `path` escapes."""
    try:
        return _encoder.encode(value)
    except UnicodeEncodeError:
        return _encoder.encode(_without_surrogates(value))


def _without_surrogates(value: Any) -> Any:
    match value:
        case str():
            return SURROGATE.sub("\ufffd", value)
        case Struct():
            return _without_surrogates(msgspec.structs.asdict(value))
        case dict():
            return {key: _name(held) if key == "path" else _without_surrogates(held) for key, held in value.items()}
        case list() | tuple():
            return [_without_surrogates(held) for held in value]
        case _:
            return value


def _name(path: str) -> str | msgspec.Raw:
    """A path from `file_name`, or its JSON where it holds octets that are not UTF-8."""
    import json  # noqa: PLC0415  few names need it

    return msgspec.Raw(json.dumps(path).encode()) if holds_octets(path) else path
