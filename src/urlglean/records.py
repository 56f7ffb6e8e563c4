"""Every record that travels through urlglean: immutable, in the order of the way of the data.

    path -> Document -> TextPart -> Candidate -> Reading -> Finding -> Occurrence -> row

A `Finding` tells parts and cautions by the judge of its dialect, and so lives in `text.finding`; the `Occurrence` that
holds one lives in `occurrence`.

They are not watched for cycles (`gc=False`): each is made of what was there before it, and never changed. The collector
would walk all findings of a text again and again: half of the time that 20 MB with a URL every 150 characters took.

Offsets are half-open positions in code points of the text that the caller gave (of a part's text, in a scan).
Absent is None; empty is "": RFC 1738 3.1 tells an empty user name from none.
"""

from __future__ import annotations

from enum import StrEnum
from typing import Literal, Protocol, get_args

from msgspec import Struct

Wrapper = Literal["url-angle", "angle", "url-prefix", "quoted", "bare"]
Certainty = Literal["stated", "plain", "inferred"]

Dialect = Literal["current", "rfc1738", "early", "web"]
"""Which standard says what a URL is; the tables of `grammar.schemes` are what it says."""

Joins = Literal["never", "evident", "likely"]
"""How far to go in joining: not at all, where the text leaves no doubt, where it is more likely than not."""

LEVELS: tuple[Joins, ...] = get_args(Joins)

Flowed = Literal["", "flowed", "delsp"]
"""What a part says of its line ends (RFC 3676 section 4); "delsp" where DelSp is yes."""


class JoinRule(StrEnum):
    """Why a stretch of text was taken out between two pieces of a URL."""

    WHITESPACE = "whitespace"
    HYPHEN_KEPT = "hyphen-kept"
    HYPHEN_DROPPED = "hyphen-dropped"
    QUOTE_PREFIX = "quote-prefix"
    PAGE_BREAK = "page-break"
    SOFT_BREAK = "soft-break"
    FLOWED = "flowed"
    HARD_WRAP = "hard-wrap"


class MendRule(StrEnum):
    """For what a sign of the text was taken that stands in a URL."""

    TILDE = "tilde"
    HYPHEN = "hyphen"
    SOFT_HYPHEN = "soft-hyphen"
    ESCAPE = "escape"


STANDS_FOR = {MendRule.TILDE: "~", MendRule.HYPHEN: "-", MendRule.SOFT_HYPHEN: "", MendRule.ESCAPE: ""}
"""What the URL has in the place of a sign, by the rule."""


class Span(Struct, frozen=True, gc=False):
    """A stretch of text, half-open, in code points: `text[start:end]`."""

    start: int
    end: int


class Candidate(Struct, frozen=True, gc=False):
    """A place where a URL may stand: `span` is what the wrapper holds, the wrapper itself left out."""

    span: Span
    wrapper: Wrapper


class Join(Struct, frozen=True, gc=False):
    """A stretch `at` that was taken out between two pieces, and the rule that took it."""

    at: Span
    rule: JoinRule


class Mend(Struct, frozen=True, gc=False):
    """A sign of the text that was taken for another (`STANDS_FOR`), with the rule that says so."""

    at: Span
    rule: MendRule


class Reading(Struct, frozen=True, gc=False):
    """One way to read a candidate.

    The pieces, sliced from the source and put together, are `text`, with what `STANDS_FOR` has where a mend is.
    """

    text: str
    pieces: tuple[Span, ...]
    joins: tuple[Join, ...]
    mends: tuple[Mend, ...] = ()

    @property
    def assumed(self) -> str:
        """What stands before the pieces and in none of them: a scheme put there. Of a reading without mends."""
        return self.text[: len(self.text) - sum(piece.end - piece.start for piece in self.pieces)]


class Problem(Struct, frozen=True, gc=False):
    """Why a URL is not one: `rule` names the production or section, `span_in_url` where in the URL it shows."""

    code: str
    span_in_url: Span
    rule: str
    message: str


_DELIMITERS = {"path": "/;?", "search": "?&;=+", "fields": ";=", "address": ",@", "wais_path": "/"}
"""Characters that part a part further: written plainly they delimit, encoded they do not (RFC 1738 2.2)."""


class Parts(Struct, frozen=True, kw_only=True, gc=False):
    """The parts of a URL, as written (still encoded). None is absent, "" is empty (RFC 1738 3.1).

    The scheme alone is in lower case. The generic parts come first; the rest belong to single schemes and stay None
    elsewhere. A part that a standard lets be omitted with a meaning is still None: `gopher_request` and `ftp_commands`
    say what is meant.
    """

    scheme: str
    user: str | None = None
    password: str | None = None
    host: str | None = None
    port: str | None = None
    path: str | None = None
    search: str | None = None
    fragment: str | None = None
    ftp_type: str | None = None
    gopher_type: str | None = None
    selector: str | None = None
    gopher_string: str | None = None
    address: str | None = None
    newsgroup: str | None = None
    message_id: str | None = None
    content_id: str | None = None
    article_number: str | None = None
    database: str | None = None
    wais_type: str | None = None
    wais_path: str | None = None
    fields: str | None = None

    def decoded(self, name: str) -> str | bytes | None:
        """The part of that name with its escapes decoded (RFC 1738 2.2).

        Returns:
            str where the octets are UTF-8, else bytes. None where the part is absent, and where decoding is not safe:
            an encoded character would become a delimiter inside the part.

        Raises:
            AttributeError: there is no part of that name.
        """
        part: str | None = getattr(self, name)
        if part is None:
            return None
        escaped = part.upper()
        if any(f"%{ord(char):02X}" in escaped for char in _DELIMITERS.get(name, "")):
            return None
        return _decoded(part)

    def ftp_commands(self) -> tuple[tuple[str, str | bytes], ...]:
        """The FTP commands that the path stands for, with their arguments decoded (RFC 1738 3.2.2).

        `/%2Fetc/motd` is CWD "/etc", RETR "motd"; `//etc/motd` is CWD "", CWD "etc", RETR "motd". TYPE stands before
        RETR where the URL gives a typecode, and "d" makes it NLST. Nothing where there is no path.
        """
        if self.path is None:
            return ()
        *directories, name = map(_decoded, self.path.split("/"))
        code = (self.ftp_type or "").lower()
        access: list[tuple[str, str | bytes]] = [("TYPE", code)] if code in {"a", "i"} else []
        return (
            *(("CWD", directory) for directory in directories),
            *access,
            ("NLST" if code == "d" else "RETR", name),
        )

    def gopher_request(self) -> tuple[str, bytes]:
        r"""The Gopher type and what a client sends for it, without the line's end (RFC 1738 3.4.1-3.4.3).

        The type defaults to "1", and the selector to an empty one. A tab precedes the search and the gopher+ string;
        the search is empty where only the latter is given.
        """
        sent = [self.selector, self.search, self.gopher_string]
        while len(sent) > 1 and sent[-1] is None:
            sent.pop()
        return _octets(self.gopher_type or "1").decode("latin-1"), b"\t".join(_octets(each or "") for each in sent)


def _octets(part: str) -> bytes:
    from urllib.parse import unquote_to_bytes  # noqa: PLC0415  slow to import, and seldom asked for

    return unquote_to_bytes(part.encode("utf-8", "surrogatepass"))


def _decoded(part: str) -> str | bytes:
    octets = _octets(part)
    try:
        return octets.decode()
    except UnicodeDecodeError:
        return octets


class Verdict(Struct, frozen=True, gc=False):
    """What a dialect says of a URL. `parts` is None when the URL is not valid; `cautions` are codes, never faults.

    `href` is a valid URL as the dialect writes it anew, with which browsers would go on: of dialect `web` only (URL
    Standard 4.5). Its parts are then those of `href`. A grammar writes nothing anew: None.
    """

    valid: bool
    scheme: str | None
    parts: Parts | None
    problems: tuple[Problem, ...]
    cautions: tuple[str, ...]
    href: str | None = None


class Judge(Protocol):
    """What judges URLs by one dialect."""

    def __call__(self, url: str, /) -> Verdict:
        """The whole verdict."""

    def valid(self, url: str, /) -> bool:
        """The verdict's yes or no alone."""

    def knows(self, scheme: str, /) -> bool:
        """Whether the dialect has a grammar of its own for a scheme, given in lower case."""


class Term(Struct, frozen=True, gc=False):
    """What one feature of a line break adds to the log-odds that a URL goes on behind it."""

    feature: str
    log_odds: float


class BreakExplanation(Struct, frozen=True, gc=False):
    """How a line break behind a bare URL was decided.

    Attributes:
        at: where the line ends, in code points of the text.
        log_odds: that the URL goes on behind it rather than ends before it.
        terms: what they are the sum of, the strongest first, the constant of all sums among them.
        standard: the name and source of what decided instead; "" where the evidence was weighed.
    """

    at: int
    log_odds: float
    terms: tuple[Term, ...]
    standard: str = ""


class Framing(StrEnum):
    """What a file put around a message, and into it; `sources.framing` takes it out again."""

    NONE = "none"
    FILE = "file"
    """A file of one message: lines before its header, wire format (RFC 3977 3.1.1)."""
    MBOX = "mbox"
    MBOXRD = "mboxrd"
    MMDF = "mmdf"
    BABYL = "babyl"
    RNEWS = "rnews"
    EMLX = "emlx"

    __hash__ = str.__hash__  # an enumeration's own is written in Python, and one is asked for a document


class Origin(Struct, frozen=True, gc=False):
    """Where the octets of a message or text lie.

    Attributes:
        path: the file, as it was given.
        member: the path inside the archive file; None outside of one.
        offset: octets of the file, or of the member, before it; both as they are when unpacked.
        length: how many octets it has, with all that its mailbox puts around it.
        message: its number among the messages of the file, from 1; None for a file that is one message, or a text.
    """

    path: str
    member: str | None
    offset: int
    length: int
    message: int | None


class Document(Struct, frozen=True, gc=False):
    """One message or one plain text as it lay in storage: `message` counts from 1 in files that hold messages.

    `data` are the octets of the unpacked file or member from `offset` on. In a mailbox they begin with the line that
    separates messages there, so that they are by themselves a mailbox of that kind with one message. Two things make
    them differ from the file's: of a message longer than `Bounds.document` they are the first so many, and in a
    mailbox whose lines end in CR each CR is an LF. `framing` says what lies around the message; to take that off is
    left to whoever reads it, often another process.
    """

    path: str
    data: bytes
    kind: Literal["message", "text"]
    member: str | None = None
    message: int | None = None
    framing: Framing = Framing.NONE
    offset: int = 0

    @property
    def origin(self) -> Origin:
        """Where it lies."""
        return Origin(self.path, self.member, self.offset, len(self.data), self.message)


class Trouble(Struct, frozen=True, gc=False):
    """Something that could not be read whole, with its place. `cause` is one line for people."""

    path: str
    cause: str
    member: str | None = None
    message: int | None = None


class Envelope(Struct, frozen=True, gc=False):
    """What the rows repeat of a message's headers; `date` is ISO 8601 in UTC, `newsgroups` as the header lists them."""

    message_id: str | None = None
    date: str | None = None
    sender: str | None = None
    subject: str | None = None
    newsgroups: tuple[str, ...] | None = None


Transfer = Literal["", "quoted-printable", "base64", "uuencode", "cr"]
"""A transfer encoding (RFC 2045 6.1); "cr": lines that end in CR, as in old Macintosh files, each read as an LF."""

FieldForm = Literal["", "plain", "encoded-words"]
"""What a header field's value is: "plain" one is only unfolded (RFC 5322 2.2.3), the other decoded too (RFC 2047)."""


class Decoding(Struct, frozen=True, gc=False):
    """Which octets a text was decoded from, and by which steps, in their order; a step that was not taken is empty.

    Attributes:
        start: where the octets begin in the message (or text), out of its frame; or in what `within` decodes to.
        end: where they end, half-open, in octets.
        transfer: the transfer encoding that was undone.
        blanked: whether lines of uuencoded or yEnc files among them were emptied.
        charset: Python's name of the codec that was really used; "" where octets are decoded to octets.
        marked: whether a byte order mark stood before the text, which is left out of it.
        field: what was done to them as a header field's value.
        html: whether they are HTML, and the text is what a reader sees of it, or an attribute.
        within: the decoding of the octets in which these lie, if that is not the message itself: a message that was
            encoded before it was attached, or one whose lines end in CR.
    """

    start: int
    end: int
    transfer: Transfer = ""
    blanked: bool = False
    charset: str = ""
    marked: bool = False
    field: FieldForm = ""
    html: bool = False
    within: Decoding | None = None


class TextPart(Struct, frozen=True, gc=False):
    """Text to be scanned. `part` is the MIME part's number, `field` a header's name or `tag@attribute` (None: body).

    `whole` says that the text is one URL as a whole (an attribute of HTML), rather than text with URLs in it.
    `flowed` is what the part says of its line ends (RFC 3676): "flowed", or "delsp" where DelSp is yes, else "".
    `decoding` says what it was made of; None for a text that was not read from octets.
    """

    text: str
    part: str | None = None
    field: str | None = None
    whole: bool = False
    flowed: Flowed = ""
    decoding: Decoding | None = None


class Message(Struct, frozen=True):
    """A message or text opened: its texts in order, and the causes of what could not be read whole.

    `header` holds, by its name in lower case, the value of the first field of each name of which something is told:
    octets as they lie, folds included. `mail.envelope_of` makes the envelope of it: most messages hold no URL, and
    nobody asks for theirs.
    """

    parts: tuple[TextPart, ...]
    troubles: tuple[str, ...] = ()
    header: dict[bytes, bytes] = {}
