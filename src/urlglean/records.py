"""The immutable records that the modules of urlglean pass to one another.

    path -> Document -> TextPart -> Candidate -> Reading -> Finding -> Occurrence -> row

`Finding` is in `text.finding`, because it computes parts and cautions with the judge of its dialect; `Occurrence` is in
`occurrence`, because it holds a `Finding`.

The garbage collector does not track most of them (`gc=False`): a record is made from older values and never changed, so
it cannot be part of a cycle. With tracking, the collector visited all findings of a text again and again; this took
half of the time for 20 MB with a URL every 150 characters.

Offsets are half-open positions in code points of the text that the caller gave (of a part's text, in a scan).
None means absent and "" means empty: RFC 1738 3.1 distinguishes an empty user name from an absent one.
"""

from __future__ import annotations

from enum import StrEnum
from typing import Literal, Protocol, final, get_args

from msgspec import Struct
from msgspec.structs import astuple

from urlglean.url_parts import Parts

Wrapper = Literal["url-angle", "angle", "url-prefix", "quoted", "bare"]
Certainty = Literal["stated", "plain", "inferred"]

Dialect = Literal["current", "rfc1738", "early", "web"]
"""The standard that says what a URL is. Its tables are in `grammar.dialect_tables`."""

Joins = Literal["never", "evident", "likely"]
"""The broken URLs that are joined: none, those about which the text leaves no doubt, or those that probably go on.

`text.joining.decision.LEAST` has the probabilities.
"""

LEVELS: tuple[Joins, ...] = get_args(Joins)

Flowed = Literal["", "flowed", "delsp"]
"""The format=flowed of a part (RFC 3676 section 4): "flowed" without DelSp, "delsp" with it, "" if it is not flowed."""


class JoinRule(StrEnum):
    """The reason why a stretch of text was removed between two pieces of a URL."""

    WHITESPACE = "whitespace"
    HYPHEN_KEPT = "hyphen-kept"
    HYPHEN_DROPPED = "hyphen-dropped"
    QUOTE_PREFIX = "quote-prefix"
    PAGE_BREAK = "page-break"
    STRINGS = "strings"
    SOFT_BREAK = "soft-break"
    FLOWED = "flowed"
    HARD_WRAP = "hard-wrap"


class MendRule(StrEnum):
    """The meaning that was given to a sign in a URL that the URL itself cannot contain."""

    TILDE = "tilde"
    HYPHEN = "hyphen"
    SOFT_HYPHEN = "soft-hyphen"
    ESCAPE = "escape"
    SLASH = "slash"
    AMPERSAND = "ampersand"
    EQUALS = "equals"
    BRACKET = "bracket"
    COLON = "colon"
    CENT = "cent"
    COPY = "copy"
    CURREN = "curren"
    NOT = "not"
    PARA = "para"
    REG = "reg"
    SECT = "sect"
    TIMES = "times"


OF_HTML = {
    MendRule.CENT: "¢",
    MendRule.COPY: "©",
    MendRule.CURREN: "¤",
    MendRule.NOT: "¬",
    MendRule.PARA: "¶",
    MendRule.REG: "®",
    MendRule.SECT: "§",
    MendRule.TIMES: "×",
}
"""By rule: the sign that browsers take a name of a search for, as in `?id=1&section=2` (HTML Standard 13.2.5.73)."""

STANDS_FOR = {
    MendRule.TILDE: "~",
    MendRule.HYPHEN: "-",
    MendRule.SOFT_HYPHEN: "",
    MendRule.ESCAPE: "",
    MendRule.SLASH: "/",
    MendRule.AMPERSAND: "&",
    MendRule.EQUALS: "=",
    MendRule.BRACKET: "",
    MendRule.COLON: ":",
    **{rule: f"&{rule}" for rule in OF_HTML},
}
"""By rule: the text that replaces the sign in the URL."""


class Span(Struct, frozen=True, gc=False):
    """The stretch `text[start:end]` of a text, in code points; half-open."""

    start: int
    end: int


class Window(Struct, frozen=True, gc=False):
    """A window of a long text (see `windows`): it owns `text[start:end]` and reads `text[first:last]`.

    All are code points of the whole text. The seam with the window before it is `text[first:before]`, that with the one
    behind it `text[after:last]`. They are empty where there is no such window.
    """

    first: int
    before: int
    start: int
    end: int
    after: int
    last: int

    def moved(self, by: int) -> Window:
        """The same window, moved by this many code points."""
        return Window(*[place + by for place in astuple(self)])


class Candidate(Struct, frozen=True, gc=False):
    """A place where a URL may be: `span` is the content of the wrapper, without the wrapper itself."""

    span: Span
    wrapper: Wrapper


class Join(Struct, frozen=True, gc=False):
    """The stretch `at` that was removed between two pieces, and the rule that removed it."""

    at: Span
    rule: JoinRule


class Mend(Struct, frozen=True, gc=False):
    """The sign `at` that was replaced by another (`STANDS_FOR`), and the rule that replaced it."""

    at: Span
    rule: MendRule


class Reading(Struct, frozen=True, gc=False):
    """One way to read a candidate.

    The pieces, sliced from the source and put together, are `text`, with the replacement of `STANDS_FOR` at each mend
    and `assumed` in front.
    """

    text: str
    pieces: tuple[Span, ...]
    joins: tuple[Join, ...]
    mends: tuple[Mend, ...] = ()

    @property
    def assumed(self) -> str:
        """The scheme that was put before the pieces, such as "http://"; "" if the text has one.

        Only for a reading without mends.
        """
        return self.text[: len(self.text) - sum(piece.end - piece.start for piece in self.pieces)]


class Problem(Struct, frozen=True, gc=False):
    """A reason why a URL is not valid: `rule` names the production or section, `span_in_url` the place in the URL."""

    code: str
    span_in_url: Span
    rule: str
    message: str


class Verdict(Struct, frozen=True, gc=False):
    """The judgement of a dialect on a URL.

    `parts` is None if the URL is not valid. `cautions` are codes of possible dangers, not of faults. `href` is the
    valid URL in the normalized form that browsers use (URL Standard 4.5), and `parts` are then the parts of `href`;
    only dialect `web` has it, for all others it is None.
    """

    valid: bool
    scheme: str | None
    parts: Parts | None
    problems: tuple[Problem, ...]
    cautions: tuple[str, ...]
    href: str | None = None


class Judge(Protocol):
    """Judges URLs by one dialect."""

    def __call__(self, url: str, /) -> Verdict:
        """The whole verdict."""

    def valid(self, url: str, /) -> bool:
        """Whether the URL is valid, without the rest of the verdict."""

    def knows(self, scheme: str, /) -> bool:
        """Whether the dialect has a grammar of its own for a scheme, given in lower case."""


class Framing(StrEnum):
    """The way in which a file marks and encodes its messages; `sources.framing` removes the marks."""

    NONE = "none"
    FILE = "file"
    """A file of one message: it may have lines before its header, or wire format (RFC 3977 3.1.1)."""
    MBOX = "mbox"
    MBOXRD = "mboxrd"
    MMDF = "mmdf"
    BABYL = "babyl"
    LISTSERV = "listserv"
    DBOX = "dbox"
    MBX = "mbx"
    RNEWS = "rnews"
    EMLX = "emlx"

    __hash__ = str.__hash__  # the hash of an enumeration is written in Python and slow, and each document needs one


class Origin(Struct, frozen=True, gc=False):
    """The place of a message or text in storage.

    Attributes:
        path: the file, as the caller gave it.
        member: the path inside the archive file; None outside an archive.
        offset: the number of octets before it in the unpacked file or member.
        length: its length in octets, including everything that its mailbox puts around it; of a long text that is read
            in windows, the number of octets up to the end of the window.
        message: its number among the messages of the file, from 1; None for a file that is one message, or a text.
        framing: what the file put around the message; `sources.unframed` takes it off.
    """

    path: str
    member: str | None
    offset: int
    length: int
    message: int | None
    framing: Framing = Framing.NONE


DocumentKind = Literal["message", "text", "html"]
"""What a document is read as: a message, a plain text, or a page of HTML."""


class Stretch(Struct, frozen=True, gc=False):
    """The place of a window in a long text that is read from a file in several windows.

    Attributes:
        window: its code points in the text.
        lines: how many lines of the text end before `window.start`.
        charset: Python's name of the codec that decodes it: that of the whole file, or "ascii" where that will do.
        marked: whether it begins with the byte order mark of the file.
        octets: how many octets of the file it takes up; more than it has where lines of uuencoded and yEnc files were
            emptied.
        own: how many of its octets are those from `window.start` to `window.end`.
        text: the digest (BLAKE2b of 16 octets, in hexadecimal) of what the first window of the text reads. All windows
            of a text have the same, and so it tells which windows are of one text.
    """

    window: Window
    lines: int
    charset: str
    marked: bool
    octets: int
    own: int
    text: str = ""


STDIN = "-"
"""The path of standard input, which only one process can read. Its documents have this path unless it got a name."""


@final
class Document(Struct, frozen=True, gc=False):
    """One message, plain text or page of HTML as it is in storage; `message` counts from 1 in files that hold messages.

    `data` are the octets of the unpacked file or member from `offset` on. In a mailbox they begin with the line that
    separates messages, so that they alone are a mailbox of that kind with one message. They differ from the file in
    three cases: a message longer than `Bounds.document` octets is cut there, in a mailbox whose lines end in CR each CR
    is replaced by LF, and in a long text the lines of uuencoded and yEnc files are empty. `framing` says what surrounds
    the message; the reader of the message, often in another process, removes it.

    A plain text that is longer than a window (`windows`) is several documents, one for each window. `stretch` says
    which; `data` is what the window reads. For all other documents it is None.

    `date` says when a crawler got it, in the form of RFC 5322 3.3, if it comes from an archive of the web; else None.
    """

    path: str
    data: bytes
    kind: DocumentKind
    member: str | None = None
    message: int | None = None
    framing: Framing = Framing.NONE
    offset: int = 0
    stretch: Stretch | None = None
    date: str | None = None

    @property
    def origin(self) -> Origin:
        """The place of the message or text in storage."""
        if self.stretch:
            return Origin(self.path, self.member, 0, self.offset + self.stretch.octets, self.message, self.framing)
        return Origin(self.path, self.member, self.offset, len(self.data), self.message, self.framing)

    @property
    def size(self) -> int:
        """How many octets it has that no other document has too."""
        return self.stretch.own if self.stretch else len(self.data)

    @property
    def is_continued(self) -> bool:
        """Whether it is a window of a long text, but not the first."""
        return self.stretch is not None and self.stretch.window.start > 0


@final
class Trouble(Struct, frozen=True, gc=False):
    """Input that could not be read completely, with its place. `cause` is one line for people."""

    path: str
    cause: str
    member: str | None = None
    message: int | None = None


class Envelope(Struct, frozen=True, gc=False):
    """Headers of a message that its rows repeat. `date` is ISO 8601 in UTC; `newsgroups` are in the header's order."""

    message_id: str | None = None
    date: str | None = None
    sender: str | None = None
    subject: str | None = None
    newsgroups: tuple[str, ...] | None = None


Transfer = Literal["", "quoted-printable", "base64", "uuencode", "cr"]
"""A transfer encoding (RFC 2045 6.1). "cr": all lines end in CR, as in old Macintosh files, or some in CR CR LF; each
end is read as LF."""

FieldForm = Literal["", "plain", "encoded-words", "parameters", "uri"]
"""The form of a header field's value: "plain" was only unfolded (RFC 5322 2.2.3), "encoded-words" were decoded too (RFC
2047). In "parameters" something was put together that was in pieces (RFC 2231 3), or a URL that was in words (RFC 2017
3.1), and in a "uri" one that was folded (RFC 2557 4.4, RFC 2369 2)."""


class Decoding(Struct, frozen=True, gc=False):
    """The octets from which a text was decoded, and the steps, in their order; a step that was not needed is empty.

    Attributes:
        start: the beginning of the octets, in octets of the message (or text) without its framing; or of the result of
            `within`.
        end: their end, half-open, in octets.
        transfer: the transfer encoding that was decoded.
        blanked: whether lines of uuencoded or yEnc files among them were emptied.
        charset: Python's name of the codec that was really used; "" if octets were decoded to octets.
        marked: whether a byte order mark preceded the text; the text does not contain it.
        field: the form of the header field's value that they are; "" if they are no header field.
        html: whether they are HTML; the text is then the part that a reader sees, or an attribute.
        within: the decoding that produced the octets that hold these, if they are not in the message itself: for an
            attached message that was encoded, or for one whose lines end in CR.
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

    `whole` says that the text is exactly one URL (an attribute of HTML), rather than text with URLs in it.
    `flowed` is the part's format=flowed (RFC 3676): "flowed" without DelSp, "delsp" with it, "" if it is not flowed. A
    calendar, vCard or list of URIs, whose lines are whole, counts as "flowed".
    `decoding` says from which octets the text was decoded; None for a text that was not read from octets.
    `stretch` is the place of `text` in the long text of which it is a window; None for all others.
    `line` is the number of its first line: 1, but of an attribute that of the line of the visible text in which its tag
    stands. `label` is the text of the link whose attribute it is; None if it is no attribute of an `<a>`.
    """

    text: str
    part: str | None = None
    field: str | None = None
    whole: bool = False
    flowed: Flowed = ""
    decoding: Decoding | None = None
    stretch: Stretch | None = None
    line: int = 1
    label: str | None = None

    @property
    def first(self) -> int:
        """How many code points of a long text stand before `text`."""
        return self.stretch.window.first if self.stretch else 0


class Message(Struct, frozen=True):
    """An opened message or text: its texts in order, and the causes of what could not be read completely.

    `header` has the first value of each field that the envelope needs, by the field's name in lower case: the octets as
    they are in the message, folds included. `mail.envelope_of` makes the envelope from it on demand, because most
    messages hold no URL and need no envelope.
    """

    parts: tuple[TextPart, ...]
    troubles: tuple[str, ...] = ()
    header: dict[bytes, bytes] = {}
