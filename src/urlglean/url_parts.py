"""The parts of a URL, and what they mean to a client: decoded, and as FTP commands or a Gopher request."""

from __future__ import annotations

from msgspec import Struct

from urlglean.errors import PartsError

_DELIMITERS = {"path": "/;?", "search": "?&;=+", "fields": ";=", "address": ",@", "wais_path": "/"}
"""Characters that divide a part further: if they are not encoded they delimit, encoded they do not (RFC 1738 2.2)."""


_FTP, _GOPHER = ("ftp", "ftps"), ("gopher",)
"""The schemes whose clients use these protocols (RFC 1738 3.2 and 3.4; RFC 4217: FTP in TLS)."""


class Parts(Struct, frozen=True, kw_only=True, gc=False):
    """The parts of a URL, as written (still encoded). None means absent, "" means empty (RFC 1738 3.1).

    Only the scheme is converted to lower case. The generic parts come first; the others belong to single schemes and
    are None elsewhere. A part that a standard allows to be omitted and then gives a default is None too:
    `gopher_request` and `ftp_commands` apply the defaults.
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
            str if the octets are UTF-8, else bytes. None if the part is absent, and if decoding is not safe: an
            encoded character would become a delimiter inside the part.

        Raises:
            AttributeError: there is no part of that name.
        """
        if name not in self.__struct_fields__:
            raise AttributeError(f"a URL has no part {name!r}; there are: {', '.join(self.__struct_fields__)}")
        part: str | None = getattr(self, name)
        if part is None:
            return None
        escaped = part.upper()
        if any(f"%{ord(char):02X}" in escaped for char in _DELIMITERS.get(name, "")):
            return None
        return _decoded(part)

    def ftp_commands(self) -> tuple[tuple[str, str | bytes], ...]:
        """The FTP commands that the path means, with their arguments decoded (RFC 1738 3.2.2).

        `/%2Fetc/motd` is CWD "/etc", RETR "motd"; `//etc/motd` is CWD "", CWD "etc", RETR "motd". If the URL has the
        typecode "a" or "i", TYPE precedes RETR; with "d", NLST replaces RETR. Empty if the URL has no path.

        Raises:
            PartsError: the URL is not one of `ftp` or `ftps`, or the dialect did not divide it as such.
        """
        if self.scheme not in _FTP or self.host is None:
            raise _unfit("FTP commands", _FTP, self)
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
        r"""The Gopher type and the octets that a client sends, without the line end (RFC 1738 3.4.1-3.4.3).

        The type defaults to "1", the selector to the empty one. A tab precedes the search, and another precedes the
        gopher+ string; if only the gopher+ string is given, the search is sent empty.

        Raises:
            PartsError: the URL is not one of `gopher`, or the dialect ("web") did not divide it as such.
        """
        if self.scheme not in _GOPHER or self.path:
            raise _unfit("a Gopher request", _GOPHER, self)
        sent = [self.selector, self.search, self.gopher_string]
        while len(sent) > 1 and sent[-1] is None:
            sent.pop()
        return _octets(self.gopher_type or "1").decode("latin-1"), b"\t".join(_octets(each or "") for each in sent)


def _unfit(what: str, schemes: tuple[str, ...], parts: Parts) -> PartsError:
    """The error for parts from which no such request can be made."""
    if parts.scheme in schemes:
        return PartsError(f"the dialect has no grammar of {parts.scheme}, so its parts do not give {what}")
    return PartsError(f"only a URL of {' or '.join(schemes)} gives {what}, not one of {parts.scheme}")


def _octets(part: str) -> bytes:
    from urllib.parse import unquote_to_bytes  # noqa: PLC0415  slow to import, and rarely needed

    return unquote_to_bytes(part.encode("utf-8", "surrogatepass"))


def _decoded(part: str) -> str | bytes:
    octets = _octets(part)
    try:
        return octets.decode()
    except UnicodeDecodeError:
        return octets
