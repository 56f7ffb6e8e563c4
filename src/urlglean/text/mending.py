"""Signs in a URL that replace other signs: wrong charsets, gateways and programs that escape signs put them there.

Each row is a guess. If the text without the replacement is a URL too, that URL becomes a rival.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import islice
from sys import maxsize

from msgspec import Struct

from urlglean.lazy import pattern, unicode_pattern
from urlglean.records import OF_HTML, STANDS_FOR, Mend, MendRule, Reading, Span
from urlglean.text.file_extension import DOCUMENTS
from urlglean.text.raw_signs import UNSPACED
from urlglean.text.scheme_triggers import ADDRESS, ENCLOSED, URL_AHEAD, any_of
from urlglean.text.signs import SignRule, one_of
from urlglean.text.top_level_domains import ALL_TOPS


class Sign(Struct, frozen=True):
    """A row: a sign of the text, and the signs of a URL for which it may stand.

    Attributes:
        name: its name.
        sign: its pattern, including what must precede and follow it.
        stands_for: the rules for its replacement (see `records.STANDS_FOR`), the best first.
        first: the characters with which it may begin.
        only: a pattern for `re`; it may stand only where this matches behind its first character. "" if anything may
            follow. It lets a search pass rows of signs of ASCII fast.
    """

    name: str
    sign: str
    stands_for: tuple[MendRule, ...]
    first: str
    only: str = ""


_ESCAPED = "[~_#&%=@!*-]"
ESCAPE = rf"(?:\\(?={_ESCAPED}(?:[A-Za-z0-9/~_%.-]|\\{_ESCAPED}))|(?<=\\_)\\(?=_))"
"""The pattern of a backslash that escapes a sign of a URL, wherever it stands.

More of the URL follows, but for the last sign of such a name: `\\_\\_init\\_\\_`.
"""

_OF_TEX = "[_#&%$-]"
_TILDE = r"(?:\\string~|\$\^?\{?\\sim\}?\$)"
# Such a command needs braces behind it or around it.
_COMMAND = r"\\(?:~|textasciitilde *+)"

LONGEST_PATH = 260
"""The most characters of a path in Windows (MAX_PATH)."""

# Behind a drive, or before a server's name. Only such a file: URL goes on over backslashes, because in others they
# belong to source code, as in `"file:///home/jo\n"`. In source code, each of a path is written twice. Behind the
# drive, a name of Windows holds none of the signs that are left out here.
_DRIVE_OR_SERVER = r"(?i:file):(?:/{2,5}[A-Za-z]:(?=\\)|(?=/{2,5}\\\\))"
_OF_WINDOWS = (
    rf"(?:(?i:[^a-z]|\A){_DRIVE_OR_SERVER}[^\s<>\"':*?|]{{0,{LONGEST_PATH}}}+"
    # In a wrapper it may hold blanks.
    rf"|<(?i:url:)?{_DRIVE_OR_SERVER}[^<>\"':*?|]{{0,{LONGEST_PATH}}}+)"
)
# It shows in a tenth of the time that a path is none of those.
_OF_FILE = rf"(?i:file):(?:/{{2,5}}[A-Za-z]:)?[^:]{{0,{5 + LONGEST_PATH}}}+"

# Sources of manual pages escape all dots of a URL. So do regular expressions, which are no URLs (`templates`): "^"
# precedes those, or they hold other signs.
_ESCAPED_HOST = r"(?<!\^[A-Za-z]{1,8})://[A-Za-z0-9.\\-]{1,253}"
_ESCAPED_PATH = r"(?<=\\\.[A-Za-z0-9.\\-]{1,253})/[^\s<>\"*^$|(\[]{0,200}"
_NO_EXPRESSION_BEHIND = r"(?![^\s<>\"]{0,200}[*^$|(\[])"

_IN_PARENTHESES = r"(?:[^\s()<>\"\\]|\\[~_#&%=@!-]){1,100}"
# Of HTML in a string of JSON: such a sign, or a quotation mark, ends the URL.
_NO_ENTITY_AHEAD = r"(?!(?i:lt|gt|quot|apos|nbsp|#[0-9x]{1,6});)"

_BEFORE_ADDRESS = rf"(?i:{any_of(ENCLOSED)}):"

# Archives of mail have a message-id as the last name of a path, or as the value of a search, and some people copy it
# with its brackets. An address of mail behind a slash seldom has digits, and the link of one has a scheme.
_ID = r"[^\s<>\"@:]{1,200}@[^\s<>\"@:]{1,200}"
_BEFORE_ID = r"://[^\s<>\"]{1,200}(?:/(?=<[^\s<>\"@]{0,60}[0-9])|=)"

# Not behind the first half of a letter in UTF-8 that was read as Latin-1, nor where no value stands before the sign.
_WITHIN_SEARCH = r"\?[^\s<>\"]{0,300}[^\s<>\"?&=ÂÃ]"
_NAME_OF_VALUE = r"(?=[A-Za-z0-9_.-]{0,30}(?:\[\w*\])?=)"

_SECOND = "(?:com?|ac|edu|gov|org|net)"
_TOP = any_of(sorted(ALL_TOPS))

_OF_WORD = rf"[[\w]--{UNSPACED}]"

SIGNS = (
    # 7E is an overline in JIS X 0201, and so in ISO 646-JP and in Shift_JIS. The other two are its UTF-8, decoded as
    # windows-1252 and as Latin-1. No URL contains an overline itself.
    Sign("overline", "‾|â€¾|â\x80¾", (MendRule.TILDE,), first="‾â"),
    # Some of these may belong to prose, such as a wave dash between two dates; so a name must follow.
    Sign(
        "like-a-tilde",
        rf"(?<=/)(?:[¯˜∼～〜￣]|Â¯|Ëœ|Ë\x9c|âˆ¼|â\x88¼)(?=/?[A-Za-z])(?!(?i:{URL_AHEAD}))",
        (MendRule.TILDE,),
        first="¯˜∼～〜￣ÂËâ",
    ),
    # The ways to write a tilde in TeX. A blank or a brace ends the name of a command.
    Sign(
        "tilde-of-tex",
        rf"{_COMMAND}\{{\}}|\\textasciitilde ++(?=[A-Za-z])|{_TILDE}|\{{(?:{_TILDE}|{_COMMAND}(?:\{{\}})?)\}}",
        (MendRule.TILDE,),
        first="\\{$",
        only=r"(?<=\\)|[\\^{$]",
    ),
    # Its names in groff_char(7): in manual pages, the sign itself is printed as another one.
    Sign("tilde-of-troff", r"\\(?:\[ti\]|\(ti(?!\S{0,60}\\[)\]]))", (MendRule.TILDE,), first="\\"),
    # Programs that write BibTeX escape all signs of TeX, in braces.
    Sign("opening-brace-of-tex", rf"\{{\\(?={_OF_TEX}\}})", (MendRule.ESCAPE,), first="{"),
    Sign("closing-brace-of-tex", rf"(?<=\{{\\{_OF_TEX})\}}", (MendRule.ESCAPE,), first="}"),
    # Browsers take it for a slash (URL Standard 4.4); Outlook writes links to files so.
    Sign(
        "path-of-windows", rf"(?<={_OF_FILE})(?<={_OF_WINDOWS})\\{{1,4}}+(?=[^\s<>\"'])", (MendRule.SLASH,), first="\\"
    ),
    # Sources of manual pages: a sign of no width before a dot, and places where a line may end, beside a sign
    # (groff(7)). Or the escaped signs of the URL: a parameter such as `.done=`, or a colon that Markdown would read.
    Sign(
        "dot-of-troff",
        r"\\&(?=\.)(?!\.[A-Za-z]{1,20}=)",
        (MendRule.ESCAPE, MendRule.AMPERSAND),
        first="\\",
    ),
    Sign(
        "break-of-troff",
        r"(?:\\\*?:){1,9}+(?=[/.?&=#_-])|(?<=[/.?&=#_-])(?:\\\*?:){1,9}+(?=[A-Za-z0-9~%\\])",
        (MendRule.ESCAPE, MendRule.COLON),
        first="\\",
    ),
    # Markdown and TeX escape signs that would be markup, and manual pages escape hyphens.
    Sign("backslash", ESCAPE, (MendRule.ESCAPE,), first="\\"),
    Sign(
        "escaped-dot",
        rf"\\{{1,2}}+(?=\.[A-Za-z0-9])(?<={_ESCAPED_HOST}(?:{_ESCAPED_PATH})?\\){_NO_EXPRESSION_BEHIND}",
        (MendRule.ESCAPE,),
        first="\\",
    ),
    # Of AsciiDoc, to which three dots are one sign: `compare/v1.0\\...v1.1`.
    Sign("escaped-ellipsis", r"(?<=[A-Za-z0-9])\\(?=\.\.\.[A-Za-z0-9])", (MendRule.ESCAPE,), first="\\"),
    # A shell would read it as a pattern, and zsh escapes it by itself.
    Sign(
        "escaped-question-mark",
        rf"\\(?=\?[A-Za-z_][\w.-]{{0,40}}\\?=){_NO_EXPRESSION_BEHIND}(?![^\s<>\"]{{0,200}}(?:\\[A-Za-z]|\{{))",
        (MendRule.ESCAPE,),
        first="\\",
    ),
    # In the shell of Windows, "^" escapes an ampersand; within a block, three of them do.
    Sign(
        "caret",
        r"\^{1,3}+(?=&[A-Za-z_][\w.-]{0,40}=)",
        (MendRule.ESCAPE,),
        first="^",
        only=r"\^{0,2}&",
    ),
    # Markdown escapes those of a link's target (CommonMark 6.3). Only a pair: `\(em` is a sign of manual pages.
    Sign("escaped-parenthesis", rf"\\(?=\({_IN_PARENTHESES}\\\))", (MendRule.ESCAPE,), first="\\"),
    Sign("escaped-closing-parenthesis", rf"\\(?=\))(?<=\\\({_IN_PARENTHESES}\\)", (MendRule.ESCAPE,), first="\\"),
    # Programs that write JSON (RFC 8259 7) or JavaScript for a page escape the signs that HTML would read.
    Sign("ampersand-of-json", rf"\\(?:u00|x)26{_NO_ENTITY_AHEAD}", (MendRule.AMPERSAND,), first="\\"),
    Sign("equals-of-json", r"\\(?:u00|x)3[Dd]", (MendRule.EQUALS,), first="\\"),
    # Newsreaders put the Message-ID behind the scheme as its field has it: `news:<id@host>`. The brackets do not belong
    # to the URL (RFC 1738 3.6).
    Sign(
        "opening-bracket",
        rf"(?<={_BEFORE_ADDRESS})<|(?<={_BEFORE_ID})<(?={_ID}>(?![A-Za-z0-9]))",
        (MendRule.BRACKET,),
        first="<",
    ),
    Sign(
        "closing-bracket",
        rf"(?<={_BEFORE_ADDRESS}<{ADDRESS}|{_BEFORE_ID}<{_ID})>",
        (MendRule.BRACKET,),
        first=">",
    ),
    # Some programs put it where a word may be broken, others write it for every hyphen.
    Sign(
        "soft-hyphen",
        r"(?<=[A-Za-z0-9])(?:\xad|Â\xad)(?=[A-Za-z0-9])",
        (MendRule.SOFT_HYPHEN, MendRule.HYPHEN),
        first="\xadÂ",
    ),
    # A place where a line may be broken, as stylesheets of DocBook put it behind the separators of a URL. Behind a
    # slash, a word may be no part of the URL.
    Sign(
        "zero-width-space",
        r"(?:(?<=[^/]/)(?=\u200b[A-Za-z0-9_][\w.~%-]{0,60}(?:[0-9/_~]|[.?&=#]\u200b?[A-Za-z0-9]))"
        rf"|(?<=\u200b[^\s\u200b]{{1,80}}/)(?=\u200b{_OF_WORD})|(?<=[^/]/)(?=\u200b{_OF_WORD}[\w.~-]{{0,60}}(?:[>)\]]|\Z))"
        r"|(?<=[&=#])(?=\u200b[A-Za-z0-9])|(?<=\?)(?=\u200b[^\s=]{1,40}=))"
        rf"\u200b(?!(?i:{URL_AHEAD}|www\.|[\w.+-]{{1,60}}@))",
        (MendRule.SOFT_HYPHEN,),
        first="\u200b",
    ),
    # A formatter of manual pages that breaks a word puts one of these at the end of the line (groff_char(7)).
    Sign(
        "inserted-hyphen",
        r"(?<=[A-Za-z0-9]{2})[‐\xad](?=[ \t]*+[\r\n]|\Z)",
        (MendRule.SOFT_HYPHEN, MendRule.HYPHEN),
        first="‐\xad",
    ),
    # They write a dash for one too, where none can be: in a label of a host, and between digits of a DOI.
    Sign(
        "dash-for-a-hyphen",
        rf"(?<=://(?:[A-Za-z0-9-]{{1,30}}\.){{0,3}}[A-Za-z0-9]{{1,30}})(?<!\.{_TOP})–"
        rf"(?=[A-Za-z0-9-]{{2,60}}\.(?:{_SECOND}\.)?(?!{any_of(DOCUMENTS)}\b)[a-z]{{2,24}}(?!\w|\.\w))"
        # The cheap conditions first: there may be many dashes.
        r"|(?<=[0-9])–(?=[0-9])(?:(?=[0-9]+[.–-][0-9])|(?<=[0-9]–[0-9–-]{0,30}[0-9]–))"
        r"(?<=doi\.org/10\.[^\s<>\"]{1,80}[0-9]–)",
        (MendRule.HYPHEN,),
        first="–",
    ),
    # Word processors write these for hyphens.
    Sign("hyphen", r"(?<=[A-Za-z0-9])(?:[‐‑]|â€[\x90‘])(?=[A-Za-z0-9])", (MendRule.HYPHEN,), first="‐‑â"),
    # A page whose author did not escape the ampersands of a search: browsers show `&section=` as "§ion=".
    *(
        Sign(f"sign-of-{rule}", rf"{sign}{_NAME_OF_VALUE}(?<={_WITHIN_SEARCH}{sign})", (rule,), first=sign)
        for rule, sign in OF_HTML.items()
    ),
)

FIRST = frozenset("".join(row.first for row in SIGNS))
"""The characters with which a sign of `SIGNS` may begin."""

_WRITTEN = [rf"(?=[{re.escape(row.first)}])(?:{row.sign})" for row in SIGNS]

ANY = f"(?:{'|'.join(_WRITTEN)})"
"""The pattern for `regex` of all signs. A URL goes on behind them."""

_ROWS_AT = {first: tuple(row for row in SIGNS if first in row.first) for first in FIRST}
# Those that begin alike share a pattern.
_SIGN_OF = {rows: unicode_pattern("|".join(f"({row.sign})" for row in rows)) for rows in set(_ROWS_AT.values())}
_SIGNS_AT = {first: (_SIGN_OF[rows], rows) for first, rows in _ROWS_AT.items()}
MAY_STAND = tuple(SignRule(name=row.name, signs=row.first, only=row.only) for row in SIGNS)
"""Where a sign may stand, by its first character and `only`."""

# Where one may begin: a search for it passes most rows of such characters fast.
_BEGINS = pattern("|".join(sorted({one_of(row.signs) + f"(?={row.only})" for row in MAY_STAND})))

MOST_SIGNS = 50_000
"""In a URL with more such signs none is replaced: each takes memory."""


def may_be_mended(url: str) -> bool:
    """Whether a URL may contain a sign of `SIGNS`. It is a fast test, which says no for most URLs."""
    return any(sign in url for sign in FIRST)


def sign_at(text: str, at: int, end: int = maxsize) -> tuple[int, Sign] | None:
    """The end of the sign that begins at `at`, before `end`, and its row; None if none does.

    Only the rows of its first character are tried: to try all takes 3 to 5 us (measured, Python 3.11).
    """
    rows_at = _SIGNS_AT.get(text[at : at + 1])
    if rows_at is None:
        return None
    written, rows = rows_at
    found = written.match(text, at, end)
    return (found.end(), rows[(found.lastindex or 1) - 1]) if found else None


def _signs_in(text: str, span: Span) -> Iterator[tuple[Span, Sign]]:
    """The signs in a part of a text, in order, with their rows."""
    done = span.start
    for hit in _BEGINS.finditer(text, span.start, span.end):
        at = hit.start()
        if at >= done and (sign := sign_at(text, at, span.end)) is not None:
            done, row = sign
            yield Span(at, done), row


def mended(text: str, reading: Reading) -> list[Reading]:
    """The readings in which the signs are replaced, best first; empty if the reading has no such sign, or too many.

    All signs of one row are replaced in the same way, so that there are at most as many readings as a row has rules.
    """
    if not may_be_mended(reading.text):
        return []
    found = list(islice((sign for piece in reading.pieces for sign in _signs_in(text, piece)), MOST_SIGNS + 1))
    if len(found) > MOST_SIGNS:
        return []
    most = max((len(row.stands_for) for _, row in found), default=0)
    return [
        _with(text, reading, [Mend(at, row.stands_for[min(nth, len(row.stands_for) - 1)]) for at, row in found])
        for nth in range(most)
    ]


def _with(text: str, reading: Reading, signs: list[Mend]) -> Reading:
    """The reading with these signs cut out of its pieces and their replacements inserted."""
    pieces: list[Span] = []
    joined = [reading.assumed]
    left = iter(signs)
    sign = next(left, None)
    for piece in reading.pieces:
        start = piece.start
        while sign is not None and sign.at.start < piece.end:
            if sign.at.start > start:
                pieces.append(Span(start, sign.at.start))
            joined += text[start : sign.at.start], STANDS_FOR[sign.rule]
            start, sign = sign.at.end, next(left, None)
        if start < piece.end:
            pieces.append(Span(start, piece.end))
        joined.append(text[start : piece.end])
    return Reading("".join(joined), tuple(pieces), reading.joins, tuple(signs))
