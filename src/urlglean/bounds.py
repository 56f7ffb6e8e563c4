"""How much hostile input may come to: every bound on what is read, and on how mail is opened, as one record."""

from __future__ import annotations

from msgspec import Struct


class Bounds(Struct, frozen=True, kw_only=True):
    """What reading may cost. Whoever starts it may hand over other values; each bound is told where it is reached.

    Attributes:
        document: octets of one message or text that are kept; what is longer is cut.
        layers: compressions and archives within one another that are opened.
        unpacked: octets that all that is packed in one file may unpack to.
        ratio: octets that each octet of a file may unpack to; mail unpacks to 3 to 20.
        ratio_free: octets below which the ratio is not asked after: small files of one letter are harmless.
        spooled: octets that are kept in a temporary file, for the formats that cannot be read from front to back.
        members: members of all the archives in one file that are read.
        zip_directory: octets of a zip file's directory: it is held in memory, with ten times as much for what it says.
        tar_header: octets of one tar member's header, its long names and maps of holes included, and of the block it
            was read in.
        zstd_window: octets that zstd may look back (RFC 8878 3.1.1.1.2); its own command allows as many unasked.
        articles: cross-posted articles that are remembered; past them one may be given once for each of its groups.
        stated_length: octets of a message that are read ahead to see whether it ends where it says; of a longer one
            the marks decide.
        lookahead: octets of a message that are at hand when it is judged where it begins: in them its header has to
            end for the length that it says to be looked at.
        block: octets asked for at a time.
        fields: header fields of a message that are told apart; mail that came a long way has about a hundred.
        field: octets of one field's value that are read; lists of thousands of recipients come to a tenth of it.
        depth: how deep MIME parts may nest: the parser tries each line against the boundary of every open multipart.
        structure: octets of a Content-* field that say how a part is built; the parser of parameters is quadratic in
            them.
        html: characters of HTML to build a tree of: the parser compares each attribute of a tag with all before it.
        base: characters of a `<base href>`: every relative link repeats it, so a long one would make the output
            quadratic.
    """

    document: int = 1 << 27
    layers: int = 6
    unpacked: int = 1 << 36
    ratio: int = 200
    ratio_free: int = 1 << 26
    spooled: int = 1 << 30
    members: int = 200_000
    zip_directory: int = 1 << 24
    tar_header: int = 1 << 22
    zstd_window: int = 1 << 27
    articles: int = 500_000
    stated_length: int = 1 << 24
    lookahead: int = 1 << 16
    block: int = 1 << 20
    fields: int = 10_000
    field: int = 1 << 20
    depth: int = 32
    structure: int = 2_000
    html: int = 2_000_000
    base: int = 2_000


DEFAULT = Bounds()
"""The bounds where nobody asked for others."""
