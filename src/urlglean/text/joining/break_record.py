"""The record of a line break at which a bare URL may go on. All features are functions of its attributes."""

from __future__ import annotations

import re

from msgspec import Struct

from urlglean.expressions import compiled
from urlglean.text.file_extension import LONGEST
from urlglean.text.joining.words import COUNTED
from urlglean.text.signs import STOPS

LOOK = 200
"""How many code points of a line the record keeps. No feature looks farther."""

SCRAP, LONG, LONG_NAME, SAME, NEAR_BY = 4, 60, 16, 12, 40
"""Measures of a `Shape`, in code points."""

SEVERAL = 3
"""Behind the token, so many blanks divide four words."""

SLASHES_OF_A_HOST = 3
"""Behind its host, a URL has more slashes than these."""

CLOSING = STOPS + ")>"
"""Signs that may stand behind a URL and close the sentence or the bracket around it."""

GOES_ON = "-=&?_%"
"""Signs of a URL behind which its next part begins. Behind them, 1,920 of 1,936 labelled URLs go on."""

_HOST_AND_SLASH = compiled(r"[a-z][a-z0-9+.-]*://[^/?#]*/\Z", re.IGNORECASE)
# Fewer than three slashes, because the third is the one behind the host.
_HOST_UNFINISHED = compiled(r"[a-z][a-z0-9+.-]*://(?:www[0-9]?|ftp|[a-z0-9.-]+[.-]|[a-z0-9-]+)\Z", re.IGNORECASE)
_PARTS_NAMES = frozenset("/?&=#")


class Context(Struct, frozen=True, gc=False):
    """What the nearby lines, the URLs elsewhere in the text, and the judge say about a break. It is slow to find out.

    Nearby lines are those that have as many quote marks as the URL's line.

    Attributes:
        room: how many columns the one at which nearby lines are wrapped leaves behind the URL's line; negative
            if that is longer, None if there are too few of them.
        fits: whether a blank and what stands first in the next line would have fitted there.
        longer: how many nearby lines are longer.
        as_long: how many other nearby lines are exactly as long.
        stands_whole: whether the URL, as read up to the break, ends elsewhere in the text: in the middle of a line, or
            at a line end within a name where the next line begins with something else.
        joined_stands_whole: whether a URL in the middle of a line elsewhere begins with the URL and the token.
        joined_valid: whether the URL together with the token is valid.
        has_siblings: whether the URL ends another line with a delimiter, and the next line there begins with something
            else: two URLs of one folder.
    """

    room: int | None
    fits: bool
    longer: int
    as_long: int
    stands_whole: bool
    joined_stands_whole: bool
    joined_valid: bool
    has_siblings: bool


class Shape(Struct, frozen=True, gc=False):
    """What many breaks have in common: of the strings of a `Break` only whether they hold something.

    Attributes:
        before: the character before the URL in its line; "" if the URL begins the line.
        has_margin: whether the URL's line has a margin.
        depth: as in `Break`.
        next_depth: as in `Break`.
        below_depth: as in `Break`.
        is_scrap: whether the URL went on over another break before, and only up to `SCRAP` code points of it stand
            between the two.
        has_search: whether the URL has a "?".
        has_fragment: whether the URL has a "#".
        is_long: whether the URL has at least `LONG` code points.
        has_long_name: whether the last name of the URL has at least `LONG_NAME` code points.
        host: "slash" if the URL ends with the slash behind its host, "unfinished" if it ends within its host, else "".
        is_closed: whether the token has a ")" that closes a bracket of the URL.
        behind: the first character of the text behind the token; "" if there is none.
        repeats: whether that text begins with a "<" and the first `SAME` code points of the URL.
        has_words_behind: whether that text has at least `SEVERAL` blanks.
        has_url_behind: whether that text has a "://".
        has_below: whether the line below the next one has a text of its own.
        has_url_below: whether the first `NEAR_BY` code points of that text have a "://".
        above: the last character of the line above the URL's line; "" if that has none.
    """

    before: str
    has_margin: bool
    depth: int
    next_depth: int
    below_depth: int
    is_scrap: bool
    has_search: bool
    has_fragment: bool
    is_long: bool
    has_long_name: bool
    host: str
    is_closed: bool
    behind: str
    repeats: bool
    has_words_behind: bool
    has_url_behind: bool
    has_below: bool
    has_url_below: bool
    above: str


class Break(Struct, frozen=True, gc=False):
    """A line break behind a bare URL.

    Lengths count columns (`columns`) and leave out the white space at a line's end. A margin is what stands before a
    line's own text: quote marks, signs of comments and diffs, indentation.

    Attributes:
        url: the URL as read up to the break, closing punctuation included.
        piece: its last piece, which ends the line.
        token: what stands first in the next line behind its margin, up to white space or to `closing`.
        closing: the quotation marks, brackets and stops outside ASCII at its end, with what stands behind them.
        rest: what stands in that line behind the token, without white space at both ends.
        before: the text of the URL's line between the margin and the URL; "" if the URL began in an earlier line.
        above: the line above the URL's line, without its quote prefix and white space at both ends.
        below: the line below the next one, in the same form.
        length: of the URL's line, its margin included.
        next_length: of the next line.
        below_length: of the line below that.
        margin: of the URL's line.
        next_margin: of the next line.
        depth: how many times the URL's line is quoted.
        next_depth: how many times the next line is.
        below_depth: how many times the line below it is.
        cuts: the lengths of the lines over whose ends the URL went on before this break.
        flowed: "flowed" or "delsp" where the text is format=flowed (RFC 3676), without or with DelSp; "" elsewhere, and
            where the line end may be that of another program.
        soft_line: whether the one blank at the line's end marks a soft line under DelSp (RFC 3676 4.2), and the next
            line is of the same paragraph, and does not begin with a blank (4.5, 4.3). Only where nothing may be joined:
            else such lines are put together before anything is read (`flowed_lines`).
        lost_soft_line: whether it seems to, though no header says that the text is flowed.
        soft_break: whether the URL's last "=" is a soft break of quoted-printable that nobody decoded (RFC 2045 6.7).
        ends_in_blank: whether that soft break stands before a blank of the text.
        next_blank: whether a blank begins the next line.
        in_reply: whether the URL stands in what a mail server replied (`server_replies`).
        ends_comment: whether the URL stands in a comment of source code that ends with the URL's line.
        ends_item: whether the URL stands behind a word in an item of a list, and the next line begins the next item.
        is_behind_marks: whether lines of quote marks alone stand between the two lines (`NextLine`).
        context: what the rest of the text says; None until somebody asks (`context_of`).
    """

    url: str
    piece: str
    token: str
    closing: str
    rest: str
    before: str
    above: str
    below: str
    length: int
    next_length: int
    below_length: int
    margin: int
    next_margin: int
    depth: int
    next_depth: int
    below_depth: int
    cuts: tuple[int, ...]
    flowed: str
    soft_line: bool
    soft_break: bool
    ends_in_blank: bool
    next_blank: bool
    in_reply: bool
    ends_comment: bool
    ends_item: bool
    is_behind_marks: bool = False
    lost_soft_line: bool = False
    context: Context | None = None

    @property
    def ends(self) -> str:
        """The last character of the URL and the first two of the token: those that the break divides."""
        return self.url[-1] + self.token[:2]

    @property
    def letters(self) -> tuple[str, str]:
        """The last characters of the URL and the first of the token, `COUNTED` each; "" if these are no letters."""
        url, token = self.url, self.token
        return (url[-COUNTED:], token[:COUNTED]) if url[-1].isalpha() and token[0].isalpha() else ("", "")

    @property
    def extension(self) -> tuple[str, str]:
        """The URL from its last dot on, and the beginning of the token, as far as an extension may go.

        Both are "" if the last characters of the URL hold no dot.
        """
        url = self.url
        dot = url.rfind(".", -LONGEST)
        return (url[dot:], self.token[:LONGEST]) if dot >= 0 else ("", "")

    @property
    def lengths(self) -> tuple[int, int]:
        """The lengths of the URL's line and of the next line."""
        return self.length, self.next_length

    @property
    def shape(self) -> Shape:
        """What the break has in common with many others."""
        url, token, rest, below = self.url, self.token, self.rest, self.below
        return Shape(
            self.before[-1:],
            self.margin > 0,
            self.depth,
            self.next_depth,
            self.below_depth,
            len(self.cuts) > 0 and len(self.piece) <= SCRAP,
            "?" in url,
            "#" in url,
            len(url) >= LONG,
            len(url) >= LONG_NAME and _PARTS_NAMES.isdisjoint(url[-LONG_NAME:]),
            _host_at_end(url) if url.count("/") <= SLASHES_OF_A_HOST else "",
            ")" in token and url.count("(") > url.count(")"),
            rest[:1],
            rest[:1] == "<" and rest.startswith(url[:SAME], 1),
            rest.count(" ") >= SEVERAL,
            "://" in rest,
            below != "",
            "://" in below[:NEAR_BY],
            self.above[-1:],
        )


def _host_at_end(url: str) -> str:
    """The value of `Shape.host`."""
    if _HOST_AND_SLASH.match(url):
        return "slash"
    return "unfinished" if _HOST_UNFINISHED.match(url) else ""
