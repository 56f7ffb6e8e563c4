"""Recognises what this program writes, so that it is not read again, and not written over."""

from __future__ import annotations

import io
import re
from typing import IO

from urlglean.lazy import pattern

OWN = "urlglean"
"""The name of the kind of what this program writes."""
UNFINISHED = "unfinished parquet"
"""The name of the kind of a Parquet file whose writer was killed, so that nobody can read it."""

# A JSON string as this program writes it. There is no blank between a key and its value.
_STRING = rb'"(?:[^"\\\n]++|\\.)*+"'
_MAYBE = rb"(?:null|" + _STRING + rb")"
OUTPUT = pattern(
    # JSON lines: rows and rejects; verdicts
    rb'\{"url":'
    + _STRING
    + rb',"scheme":'
    + _MAYBE
    + rb',(?:"host":'
    + _MAYBE
    + rb',"wrapper":|"valid":(?:true|false),)'
    rb'|\{"urlglean": ?' + _STRING + rb', ?"paths":'  # a journal
    rb'|\{"urlglean": ?"marked text",'  # the marks of a text in the corpus
    rb'|\{"path":' + _STRING + rb',"member":' + _MAYBE + rb',"message":(?:null|[0-9]++),"cause":'  # --errors
    rb'|\{"href":' + _STRING + rb',"surt":'  # seeds
    rb"|href,surt,scheme,host,domain,confidence,"
    rb'|("?)url\1([,\t])\1scheme\1\2\1host\1\2\1wrapper\1\2\1certainty\1\2\1confidence\1\2'  # CSV, TSV
    rb"|SQLite format 3\0.{52}UGLS",  # the `application_id` of what `scan` makes (output/tables.py)
    re.DOTALL,
)
CATALOGUE = pattern(rb"SQLite format 3\0.{52}UGLN", re.DOTALL)
# A string too long to be one of ours but a URL, a host or a name, be it closed or not.
_LONG_STRING = pattern(rb'"(?=(?:[^"\\\n]|\\.){1024})(?:[^"\\\n]++|\\.)*+(?:"|\\?\Z)', re.DOTALL)
_ROW_WITHOUT_LONG = 1 << 13
"""More bytes than this are in no row of ours before the key that tells it, but for long strings."""
_WHOLE_PARQUET = pattern(rb".{8}PAR1\Z", re.DOTALL)
_PARQUET_END = 1 << 16
"""So many bytes at the end of a Parquet file of ours hold what is said of the whole file."""
_OWN_PARQUET = b"\x18\x08urlglean\x18\x04rows"
"""What `output/arrow_tables.py` says of it: key and value, each with type and length (Thrift's compact protocol)."""


def may_be_a_row(head: bytes) -> bool:
    """Whether the head is the beginning of a row of ours, of which nearly all is in one or two long strings."""
    return (
        head.startswith((b'{"url":"', b'{"path":"'))
        and b"\n" not in head
        and OUTPUT.match(head) is None
        and len(_LONG_STRING.sub(b"", head)) < _ROW_WITHOUT_LONG
    )


def kind_of_parquet(file: IO[bytes]) -> str:
    """The name of the kind of a Parquet file, as its end shows: `OWN`, `UNFINISHED` or "parquet"."""
    file.seek(max(0, file.seek(0, io.SEEK_END) - _PARQUET_END))
    end = file.read()
    return OWN if _OWN_PARQUET in end else "parquet" if _WHOLE_PARQUET.search(end) else UNFINISHED
