"""The tree of parts of a message, as the parser of the standard library finds them.

Here the parser learns where a damaged header ends and what the bounds are, and each part which octets it is made of.
"""

from __future__ import annotations

import re
from collections import deque
from collections.abc import Iterable, Iterator, Sequence, Sized
from email.feedparser import BufferedSubFile, FeedParser  # type: ignore[attr-defined]  # the stubs leave it out
from email.message import Message
from email.policy import Policy, compat32
from itertools import accumulate
from typing import Any, cast

from urlglean.bounds import Bounds
from urlglean.charsets import codec_of
from urlglean.expressions import compiled
from urlglean.mail.body_part import REPORTS
from urlglean.mail.content_type import proven, usual
from urlglean.mail.encoded_message import NEAR, is_undone
from urlglean.mail.field_lines import Field
from urlglean.mail.header_values import unfolded
from urlglean.mail.octet_range import OctetRange
from urlglean.mail.torn_headers import end_behind, torn, torn_behind
from urlglean.mail.transfer_encoding import transfers_of

READ_AS_TEXT = REPORTS | {"application/pgp"}  # the type of PGP before RFC 2015: a text with its signature
"""Types that are read as text although they are not text by name."""

_TOP_LEVEL = frozenset(
    "application audio example font haptics image message model multipart text video".split()  # noqa: SIM905 - a list of words
)
"""The top-level types of IANA's registry of media types. A part with any other is text (RFC 2045 5.2), if it can be."""

_HTML = compiled(r"(?i)\s*+(?:[a-z]++/)?html(?![a-z0-9.+-])")
_XHTML = "application/xhtml+xml"
HEADERS = frozenset({"text/rfc822-headers", "message/global-headers"})
"""The header of a message that is given back (RFC 6522 4, RFC 6533 6.3), read as a message without a body."""
_NEAR = 1 << 12
"""In how many octets of a part's body a boundary decides which of several types is true. So at most 200 MB are looked
through for 50,000 parts (`Bounds.parts`)."""
_OF_DIGEST = "message/rfc822"
"""The type of a part of a digest that declares none (RFC 2046 5.1.5)."""
_STRUCTURE = frozenset({"content-type", "content-transfer-encoding", "content-disposition"})
# To the parser a line that begins with a URL or a colon is a field too, and a boundary with a colon; a part without a
# header may begin so.
_FIELD_LINE = compiled(r"(?!--|<)[!-9;-~]++[ \t]*+:(?!//)")
# The parser knows no blank before the colon (RFC 5322 4.5), and takes `From :` for the line of an envelope.
_BLANK_BEFORE_COLON = compiled(r"^((?!--)[!-9;-~]++)([ \t]++):(?!//)", re.MULTILINE)


class _TooManyError(Exception):
    """A message has more parts than may be read."""


class _Lines(BufferedSubFile):  # type: ignore[misc]
    """The input of the parser, without a trial of each line against the boundary of every open multipart.

    Measured: 5 MB of empty lines in 32 multiparts take 3 s, with the trials 31.
    """

    _lines: deque[str]

    def readline(self) -> str:
        """The next line; "" if it is a boundary, or if there is none."""
        lines = self._lines
        return lines.popleft() if lines and not lines[0].startswith("--") else cast("str", super().readline())

    def pass_empty_line(self) -> bool:
        """Whether the next line is empty; then it is read."""
        is_empty = bool(self._lines) and not self._lines[0].rstrip("\r\n")
        return is_empty and bool(self._lines.popleft())


class _Parser(FeedParser):
    """The parser, which reads as text what is no header at the beginning of a part, and would be lost otherwise."""

    _cur: Entity
    _input: _Lines

    def _parse_headers(self, lines: list[str]) -> None:
        """Store the fields; put the lines back that are none, with the empty line behind them."""
        fields = _header_in(lines)
        header, behind = lines[:fields], self._cur.empty_line_behind(lines)
        if fields < len(lines):
            for line in reversed([*lines[fields:], *behind]):
                self._input.unreadline(line)
        if not header:
            self._cur.flaw = self._cur.torn_from_the_front()
        elif fields < len(lines) or not behind:
            self._go_on(header)
        else:
            self._cur.flaw = self._cur.torn_behind(header)
        super()._parse_headers(header)  # type: ignore[misc]  # the stubs leave it out

    def _go_on(self, lines: list[str]) -> None:
        """Add the lines behind a header, with no empty line between, that are of it too, as `headers` reads it."""
        reading = self._cur.reading
        octets = reading.stretch.octets
        end = end_behind(octets, reading.position)
        more: list[str] = []  # of the last line; there may be very many
        while reading.position < end and (line := self._input.readline()):
            if _FIELD_LINE.match(line) or line[0] in " \t":
                lines[-1] += "".join(more)
                lines.append(line)
                more = []
            else:
                more.append(line)
        lines[-1] += "".join(more)
        if not self._input.pass_empty_line():
            self._cur.flaw = torn(octets, reading.position)


def _header_in(lines: Sequence[str]) -> int:
    """How many of the lines that the parser takes for a header are one.

    It ends where a line is no field to `headers`. The line of an envelope may precede it.
    """
    is_begun = False
    for number, line in enumerate(lines):
        if _FIELD_LINE.match(line):
            is_begun = True
        elif not (line[0] in " \t" if is_begun else line.startswith("From ") and "://" not in line):
            return number if is_begun else 0
    return len(lines) if is_begun else 0


class Reading:
    """Parses a range of octets with the parser of the library, and knows how far the parser has read.

    The parser does not record offsets. It takes one line after another from its input, and may put the last one back.
    So the number of lines that are left gives the offset.
    """

    def __init__(self, stretch: OctetRange, bounds: Bounds, depth: int) -> None:
        self.stretch, self.bounds, self.depth = stretch, bounds, depth
        self._lines: Sized = ()
        self._ends = [0]
        self._entities = 0

    def message(self) -> Entity:
        """Parse the whole range and return the message; only what is before the first part that is too many."""
        try:
            return self._parsed()
        except _TooManyError:
            octets = self.stretch.octets
            boundary = octets.rfind(b"\n", 0, self.position - 1) + 1
            message = Reading(self.stretch.cut(0, boundary), self.bounds, self.depth)._parsed()  # noqa: SLF001
            message.flaw = f"more than {self.bounds.parts:,} parts, the others are not read"
            return message

    def _parsed(self) -> Entity:
        parser: Any = _Parser(self._entity, policy=compat32)
        given = parser._input = _Lines()  # noqa: SLF001 - the parser has no public way to get its position
        # With the blank behind the colon, each offset stays.
        given.push(_BLANK_BEFORE_COLON.sub(r"\1:\2", self.stretch.octets.decode("ascii", "surrogateescape")))
        given.close()
        self._lines = given._lines  # noqa: SLF001
        self._ends += accumulate(map(len, given._lines))  # noqa: SLF001
        return cast("Entity", parser.close())

    def _entity(self, policy: Policy = compat32) -> Entity:
        self._entities += 1
        if self._entities > self.bounds.parts + 2:  # one more is the message, and one the parser makes to try this
            raise _TooManyError
        return Entity(policy, self)

    @property
    def position(self) -> int:
        """How many octets of the range the parser has read."""
        return self._ends[len(self._ends) - 1 - len(self._lines)]


class Entity(Message):
    """A part as the parser builds it. The parser calls only these methods, so that they can check bounds."""

    _payload: Any  # an attribute of the base class that its type stubs leave out

    def __init__(self, policy: Policy, reading: Reading) -> None:
        self.reading = reading
        self._begin = self._body_begin = reading.position
        self._epilogue: str | None = None
        self._epilogue_begin = self._end = 0
        self._opened = False
        self._raw: list[tuple[str, str]] = []
        super().__init__(policy)
        self.depth = reading.depth
        self.flaw: str | None = None

    def attach(self, payload: Any) -> None:
        """Add an inner part. Its depth is set here, because `get_content_type` needs it and is called afterwards."""
        if isinstance(payload, Entity):
            payload.depth = self.depth + 1
        super().attach(payload)

    def set_raw(self, name: str, value: str) -> None:
        """Store a field, if there are not too many. Fields that the parser interprets are bounded and unfolded."""
        bounds = self.reading.bounds
        kept = value
        if name.lower() in _STRUCTURE:
            if len(value) > bounds.structure:
                self.flaw = self.flaw or f"Content-* field longer than {bounds.structure} characters, cut"
            kept = value[: bounds.structure]
        if len(self) < bounds.fields:
            super().set_raw(name, _regular(name.lower(), kept))
            self._raw.append((name, kept))
        else:
            self.flaw = f"more than {bounds.fields:,} header fields, the others left out"

    def empty_line_behind(self, header: Iterable[str]) -> list[str]:
        """The line end that the parser has read behind the lines of this part's header, if there is one."""
        octets = self.reading.stretch.octets[self._begin + sum(map(len, header)) : self.reading.position]
        return [octets.decode("ascii")] if octets else []

    def torn_from_the_front(self) -> str | None:
        """What is lost if the first line of this part is no field (see `torn_headers.torn`).

        A part of a digest may have no header (RFC 2046 5.1.5): then a message begins behind the empty line.
        """
        octets, begin = self.reading.stretch.octets, self._begin
        if not self.depth:  # `headers.split` has looked at the header of the message itself
            return None
        is_of_digest = self.get_default_type() == _OF_DIGEST and octets[begin : begin + 1] in (b"\n", b"\r")
        return None if is_of_digest else torn(octets, begin)

    def torn_behind(self, header: Iterable[str]) -> str | None:
        """What is lost if an empty line has come to stand in the header of this part (see `torn_headers.torn_behind`).

        In a part of a digest, the header of its message stands there.
        """
        if not self.depth or self.get_default_type() == _OF_DIGEST:
            return None
        names = {line.partition(":")[0].strip().lower().encode("ascii", "replace") for line in header}
        at = self._begin + sum(map(len, header))
        return torn_behind(self.reading.stretch.octets, self._begin, at, names)

    def get_content_type(self) -> str:
        """The type as which the part is read. Below `Bounds.depth` it is plain text."""
        if not self._opened:  # the parser makes its first call as soon as it has read the header
            self._opened = True
            self._body_begin = self.reading.position
            self._choose_type()
        declared = self.declared
        too_deep = self.depth > self.reading.bounds.depth
        if too_deep or declared in READ_AS_TEXT or self.is_later_piece or self.is_encoded:
            return "text/plain"
        if declared in HEADERS:
            return "message/rfc822"
        if declared == _XHTML:
            return "text/html"
        if self.is_known and not declared.startswith("text/"):
            return declared
        # To the library, a type without exactly one slash is text/plain, and one without ";" behind it is no HTML.
        if _HTML.match(str(self.get("content-type", ""))):
            return "text/html"
        return declared if self.is_known else "text/plain"

    def get_param(self, *args: Any, **options: Any) -> Any:
        """A parameter of a field. A charset of its own (RFC 2231 4) has Python's name, and none if it is not known.

        The library would look up the name as it is written, and Python remembers each such name for ever.
        """
        value = super().get_param(*args, **options)
        return (codec_of(value[0]), *value[1:]) if isinstance(value, tuple) and value[0] else value

    def _choose_type(self) -> None:
        """Of several Content-Type fields, keep the one that the beginning of the body proves."""
        types = [str(value).encode("utf-8", "replace") for value in self.get_all("content-type", ())]
        if len(types) > 1:
            near = self.reading.stretch.octets[self._body_begin : self._body_begin + _NEAR]
            if (true := proven(types, near)) is not None:
                self.replace_header("content-type", true.decode())

    @property
    def epilogue(self) -> str | None:
        """The text after the last part of a multipart."""
        return self._epilogue

    @epilogue.setter
    def epilogue(self, text: str | None) -> None:
        # The parser sets it when it has read all of it, and again to remove the line end that belongs to an outer
        # boundary.
        if text is not None and self._epilogue is None:
            self._end = self.reading.position
            self._epilogue_begin = self._end - len(text)
        self._epilogue = text

    @property
    def is_encoded(self) -> bool:
        """Whether this is an attached message, or its header, with a transfer encoding."""
        is_message = self.declared.startswith("message/") or self.declared in HEADERS
        if not is_message or (transfers := transfers_of(self.encoding)) == ("",):
            return False
        begin = self._body_begin
        return not is_undone(self.reading.stretch.octets[begin : begin + NEAR], transfers)

    @property
    def is_later_piece(self) -> bool:
        """Whether this is a piece of a message, and not the first, which has the header (RFC 2046 5.2.2.1)."""
        return self.declared == "message/partial" and str(self.get_param("number", "1")).lstrip("0") != "1"

    @property
    def is_known(self) -> bool:
        """Whether there is a top-level type as the part declares it."""
        return self.declared.partition("/")[0] in _TOP_LEVEL

    @property
    def declared(self) -> str:
        """The type as the part declares it."""
        return super().get_content_type()

    @property
    def encoding(self) -> str:
        """The Content-Transfer-Encoding as written, as `headers.first_of` gives it; "" if there is none."""
        return ",".join(map(str, self.get_all("content-transfer-encoding", ())))

    @property
    def fields(self) -> Iterator[Field]:
        """The header fields of the part itself."""
        return ((name.encode(), value.encode("ascii", "surrogateescape")) for name, value in self._raw)

    @property
    def block(self) -> OctetRange:
        """The octets of these fields, and of the line that ends the header."""
        return self.reading.stretch.cut(self._begin, self._body_begin)

    @property
    def body(self) -> OctetRange:
        """The body, not decoded. `get_payload` would decode it by its declared charset."""
        if self._end:  # a multipart: if a boundary that ends it is its first, the parser drops what is behind
            return self.reading.stretch.cut(self._body_begin, self._end)
        return self._held(self._body_begin, self._payload)

    def around(self) -> tuple[OctetRange, OctetRange]:
        """The octets before and after the parts of a multipart."""
        return self._held(self._body_begin, self.preamble), self._held(self._epilogue_begin, self.epilogue)

    def _held(self, begin: int, text: object) -> OctetRange:
        return self.reading.stretch.cut(begin, begin + (len(text) if isinstance(text, str) else 0))


def _regular(name: str, value: str) -> str:
    """The value of a field in the form in which the library reads it."""
    if name == "content-type":
        return usual(unfolded(value))
    return unfolded(value) if name in _STRUCTURE else value
