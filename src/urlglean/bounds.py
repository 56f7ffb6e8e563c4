"""The bounds that limit what hostile input can cost: on what is read and on how mail is opened, as one record."""

from __future__ import annotations

from msgspec import Struct

from urlglean.windows import SIZE, WindowSize


class Bounds(Struct, frozen=True, kw_only=True):
    """The most that reading may cost. A caller may pass other values. Input that a bound cuts or skips is reported.

    Attributes:
        document: octets of one message that are kept; a longer one is cut. In memory a text of them with characters
            beyond U+FFFF takes four times as many, beside two or three copies of the octets.
        window: how large the windows are in which a long text is read, be it a file or a part of a message.
        layers: compressions and archives inside one another that are opened.
        unpacked: octets to which all packed data in one file, or in one repository of mail, may unpack.
        ratio: octets to which each octet of a file or repository may unpack; mail unpacks to 3 to 20.
        ratio_free: octets below which `ratio` is not applied: small files that repeat one letter are harmless.
        spooled: octets that are kept in a temporary file, for the formats that cannot be read from front to back.
        members: members of all the archives in one file that are read.
        zip_directory: octets of a zip file's directory: it is held in memory, and its entries need ten times as much.
        tar_header: octets of one tar member's header, its long names and maps of holes included, and of the block in
            which it was read.
        dictionary: octets that zstd (its window, RFC 8878 3.1.1.1.2), xz and LZMA may look back; the command of zstd
            has the same default, and that of xz makes half of it at most.
        articles: cross-posted articles that are remembered; beyond this number, an article may be read once for each
            of its groups.
        stated_length: octets of a message that are read ahead to check whether it ends where its header says; for a
            longer message the separator lines decide.
        lookahead: octets of a message that are in memory when its beginning is examined: the length that its header
            states is used only if the header ends within them.
        block: octets read at a time.
        fields: header fields of a message that are parsed; mail that passed many servers has about a hundred.
        field: octets of one field's value that are read; lists of thousands of recipients need a tenth of it.
        repeated: octets of a field's value that are read for the rows: each row of a message repeats its subject.
        depth: how deep MIME parts may nest: the parser tries a line that begins with -- against the boundary of every
            open multipart.
        parts: parts of one message, at all depths; each needs a kilobyte of memory.
        structure: octets of a Content-* field that describes how a part is built; the parser of its parameters takes
            quadratic time.
        links: links of an HTML page: all of them are in memory, as a text each, and need 400 octets or more.
        label: characters of a link's text.
        base: characters of a `<base href>`: every relative link repeats it, so a long one would make the output
            quadratic.
        based: characters that a base may add to the links of a page for each character of it: tiny links, each of them
            judged with the faults of the base, would take hundreds of times as long as the page.
    """

    document: int = 3 << 24
    window: WindowSize = SIZE
    layers: int = 6
    unpacked: int = 1 << 36
    ratio: int = 200
    ratio_free: int = 1 << 26
    spooled: int = 1 << 30
    members: int = 200_000
    zip_directory: int = 1 << 24
    tar_header: int = 1 << 22
    dictionary: int = 1 << 27
    articles: int = 500_000
    stated_length: int = 1 << 24
    lookahead: int = 1 << 16
    block: int = 1 << 20
    fields: int = 10_000
    field: int = 1 << 20
    repeated: int = 1 << 12
    depth: int = 32
    parts: int = 50_000
    structure: int = 2_000
    links: int = 350_000
    label: int = 200
    base: int = 250
    based: int = 4

    @property
    def of_envelope(self) -> int:
        """Octets of a field's value that the envelope tells: `repeated`, but never more than are read of any field."""
        return min(self.field, self.repeated)


DEFAULT = Bounds()
"""The bounds that apply if the caller passes no others."""
