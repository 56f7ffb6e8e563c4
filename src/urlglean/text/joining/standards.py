"""Breaks that a standard, or the manual of a program, decides. If a row holds, no evidence is weighed."""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import lru_cache
from string import digits, hexdigits

from msgspec import Struct

from urlglean.expressions import compiled
from urlglean.records import JoinRule
from urlglean.text.joining.break_record import GOES_ON, Break
from urlglean.text.joining.places import is_topic
from urlglean.text.line_lengths import SHORT
from urlglean.text.scheme_triggers import is_cut_address, is_cut_id


class Decided(Struct, frozen=True):
    """A row: its name, its document and section, when it holds, and the rule of the join (None: the URL ends here).

    It may hold only if the URL ends in one of the characters `last`, and the token begins with one of `first`; ""
    stands for all characters. `log_odds` are those of a guess that the URL goes on (`divided_names`); 0 means that
    nothing is doubtful. `by_signs` is set if it judges by the signs around the line end, which say nothing where a
    program cuts at a column.
    """

    name: str
    source: str
    holds: Callable[[Break], bool]
    rule: JoinRule | None
    last: str = ""
    first: str = ""
    log_odds: float = 0.0
    by_signs: bool = False


def first_of(*rows: Decided) -> Callable[[Break], Decided | None]:
    """The function that gives the first of these rows that holds for a break, or None.

    Rows that the characters at a break rule out are not asked.
    """

    @lru_cache(maxsize=1 << 12)
    def rows_at(ends: str) -> tuple[Decided, ...]:
        return tuple(row for row in rows if ends[0] in (row.last or ends) and ends[1] in (row.first or ends))

    def first(at: Break) -> Decided | None:
        for row in rows_at(at.ends):
            if row.holds(at):
                return row
        return None

    return first


_ESCAPE = compiled(r"%[0-9A-Fa-f]{2}")
# The full name of a commit in git.
_OBJECT_NAME = compiled(r"[0-9a-f]{40}(?![0-9A-Za-z])")


_BEGUN_NAME = compiled(r"[/=]([0-9a-f]{1,39})\Z")
_REST_OF_NAME = compiled(r"([0-9a-f]{1,39})(?![0-9A-Za-z])")
_OBJECT_DIGITS = 40
_MD5_DIGITS = 32
"""A piece with so many may be a checksum beside a date or a short name, and if it begins a line, that of a file."""


def _is_cut_object_name(at: Break) -> bool:
    """Whether a line ends within the full name of a commit."""
    begun, rest = _BEGUN_NAME.search(at.url), _REST_OF_NAME.match(at.token)
    if begun is None or rest is None or begun[1] == rest[1]:
        return False
    if _MD5_DIGITS in {len(begun[1]), len(rest[1])} and "/commit/" not in at.url:
        return False
    if len(rest[1]) == _MD5_DIGITS and at.rest and " " not in at.rest:
        return False
    return len(begun[1]) + len(rest[1]) == _OBJECT_DIGITS


def _goes_on_in_an_escape(at: Break) -> bool:
    """Whether the digits that begin the next line complete an escape that the URL ends in."""
    _, percent, digits = at.url[-2:].rpartition("%")
    return percent != "" and _ESCAPE.match(percent + digits + at.token) is not None


_PACKAGE_SOURCE = compiled(r"(?<![\w-])deb(?:-src)?(?:[ \t]++\[[^\]]{0,80}\])?[ \t]++\Z")
# Behind the slash of `http://host/x.git/`, the name of a page of the repository's may stand.
_REPOSITORY = compiled(r"\.git\Z|\A(?:git|ssh|git\+ssh)://.*\.git/\Z", re.DOTALL)
_ENDED_ID = compiled(r"s?news:(?!//)[^@]++@[^@]*\.\.\Z", re.IGNORECASE)
_CUT_ID = compiled(r"s?news:(?!//)[^@0-9]*+[0-9]", re.IGNORECASE)


def _is_cut_message_id(url: str, token: str) -> bool:
    """Whether a line ends before the "@" of a message-id, which has a digit before it then."""
    return token[0] == "@" and token[1:2].isalnum() and "@" not in url and _CUT_ID.match(url) is not None


def _is_cut_address(at: Break) -> bool:
    """Whether a line ends within an address, before its host.

    Within the part before the "@", another address may begin the next line, unless the line is full or a bracket opens.
    """
    if at.depth != at.next_depth or not is_cut_address(at.url, at.token):
        return False
    return at.url[-1] == "@" or at.token[0] == "@" or at.length >= SHORT or at.before.endswith(("(", "[", "<"))


# Servers of publishers have the DOI in a folder `doi`.
_CUT_DOI = compiled(
    r"doi\.org/(?:10\.?)?(?:(?<=\.)[0-9]{1,9}/?)?\Z|/doi/(?:[a-z]{3,8}/)?10\.[0-9]{4,9}/\Z", re.IGNORECASE
)
_DOI = compiled(
    r"doi\.org/10\.[0-9]{4,9}/[A-Za-z0-9]|/doi/(?:[a-z]{3,8}/)?10\.[0-9]{4,9}/(?=\S*[0-9])[A-Za-z0-9]\S{3}",
    re.IGNORECASE,
)


_TARGET = compiled(r"\.\. (?:_[^:]{1,80}|__):[ \t]*+\Z")


def _is_in_target(at: Break) -> bool:
    """Whether the URL begins the block of a hyperlink target, and the next line of it has nothing else."""
    if at.rest or at.depth or at.next_depth:
        return False
    if at.before:
        return at.next_margin > at.margin and _TARGET.match(at.before) is not None
    return at.next_margin == at.margin > 0 and _TARGET.match(at.above) is not None


_ARXIV = compiled(r"arxiv\.org/(?:abs|pdf)/\Z", re.IGNORECASE)
_ARXIV_ID = compiled(r"(?:[0-9]{4}\.[0-9]{4,5}|[a-z-]{2,10}(?:\.[A-Z]{2})?/[0-9]{7})(?![0-9])")


def _is_cut_doi(url: str, token: str) -> bool:
    """Whether a line ends before the suffix of a DOI: each has a prefix, a slash and a suffix."""
    begun = _CUT_DOI.search(url)
    return begun is not None and _DOI.match(url[begun.start() :] + token) is not None


# Also a blank of another sort: U+00A0 in UTF-8 or ISO 8859, and a CR that is left of a line end.
_ESCAPED_BLANKS = compiled(r"(?:=(?:20|09|0D|A0|C2=A0))++=?\Z")
_LACKS_VALUE = compiled(r"[?&][A-Za-z][\w.-]{0,40}\Z")
_ONE_ESCAPE = len("=20")


def _is_before_blank_line(at: Break) -> bool:
    """Whether the next line is an escaped blank of quoted-printable, and not the value that a search lacks.

    A program that cut the URL before the "=" of the value has filled the line.
    """
    if _ESCAPED_BLANKS.match(at.token) is None:
        return False
    may_be_value = len(at.token) == _ONE_ESCAPE and at.length >= SHORT
    return not may_be_value or _LACKS_VALUE.search(at.url) is None


_ABBREVIATED = compiled(r"(?=[a-f]*[0-9])(?=[0-9]*[a-f])[0-9a-f]{7,40}\Z")
# Quoted, as people do; or with the date behind it, as the program does.
_SUBJECT = compiled(r"\(\"|\(.*, [0-9]{4}-[0-9]{2}-[0-9]{2}\)")
# On servers, the name of a commit stands behind these; the break may divide it.
_BEFORE_COMMIT = compiled(r"(?:#|/(?:c|r|rev|commits?|changeset|\+))/?\Z|[=/][0-9a-f]++\Z")


def _is_before_commit(at: Break) -> bool:
    """Whether the next line begins with the name of a commit and, in brackets, its subject; or the URL is a repository.

    On servers, the name of a page stands between the repository and the commit.
    """
    if at.url[-1] in GOES_ON or not _ABBREVIATED.match(at.token):
        return False
    if at.url.endswith(".git/"):
        return True
    return _SUBJECT.match(at.rest) is not None and _BEFORE_COMMIT.search(at.url) is None


_ARCHIVED = compiled(r"[0-9]{4,14}(?:[a-z]{2}_)?/[a-z][a-z0-9+.-]*:", re.IGNORECASE)
_STATISTICS = compiled(r"\|[ \t]++(?:[0-9]++(?:[ \t]++[+-]++)?+\Z|Bin\b)")


# The first row that holds decides.
STANDARDS = (
    # Under DelSp exactly one blank ends a soft line, and it is not part of the text.
    Decided("soft-line-of-delsp", "RFC 3676 4.2", lambda at: at.soft_line, JoinRule.FLOWED),
    # Without DelSp, flowed text is broken only at a blank, and a blank ends a URL. The writer made all other line ends.
    Decided("line-of-flowed-text", "RFC 3676 4.2", lambda at: at.flowed != "", None),
    # An exact topic is a URN, and no link ends before it. Its "=" is no soft break: that would
    # stand behind "=3D".
    Decided("topic-of-a-magnet", "BEP 9", lambda at: is_topic(at.url, at.token), JoinRule.HARD_WRAP, last="="),
    # Blanks at the end of a line are escaped, so this is a blank line of text that nobody decoded.
    Decided(
        "blank-line-of-quoted-printable",
        "RFC 2045 6.7 (3)",
        _is_before_blank_line,
        None,
        first="=",
    ),
    # A blank behind a soft break belongs to the text and ends the URL.
    Decided("soft-break-then-blank", "RFC 2045 6.7 (5)", lambda at: at.ends_in_blank, None, last="="),
    # The program prints the repository and, in the next line, the branch to pull.
    Decided(
        "pull-request",
        "git-request-pull(1)",
        lambda at: _REPOSITORY.search(at.url) is not None and at.token[0].isalnum() and not at.before,
        None,
        last="t/",
    ),
    # Postfix fills these lines with words and divides none.
    Decided("reply-of-a-server", "Postfix: line_wrap.c", lambda at: at.in_reply, None),
    # A line of a sources list is `deb URI suite component`: a suite stands behind the line end.
    Decided(
        "package-source",
        "sources.list(5)",
        lambda at: "deb" in at.before and _PACKAGE_SOURCE.search(at.before) is not None,
        None,
    ),
    # Compilers and test programs print "(repository commit)". Where a commit's name is part of a URL, a "/" or "="
    # stands before it.
    Decided(
        "object-name",
        "gitglossary(7)",
        lambda at: at.url[-1].isalnum() and _OBJECT_NAME.match(at.token) is not None,
        None,
        first="0123456789abcdef",
    ),
    Decided(
        "commit",
        "git-log(1): --format=reference",
        _is_before_commit,
        None,
        first="0123456789abcdef",
    ),
    # The name of a file, and how many of its lines were changed.
    Decided("diffstat", "git-diff(1): --stat", lambda at: _STATISTICS.match(at.rest) is not None, None),
    # The two pieces have exactly as many digits as the name of a commit.
    Decided(
        "cut-object-name",
        "gitglossary(7)",
        _is_cut_object_name,
        JoinRule.HARD_WRAP,
        last="0123456789abcdef",
        first="0123456789abcdef",
    ),
    # Newsreaders end an attribution with dots. A message-id holds no two dots in a row.
    Decided(
        "ended-message-id",
        "RFC 5536 3.1.3",
        lambda at: _ENDED_ID.match(at.url) is not None,
        None,
        last=".",
    ),
    # A message-id holds an "@"; the name of a newsgroup does not.
    Decided(
        "cut-message-id",
        "RFC 5536 3.1.3",
        lambda at: _is_cut_message_id(at.url, at.token),
        JoinRule.HARD_WRAP,
        first="@",
    ),
    Decided(
        "message-id-before-host",
        "RFC 5536 3.1.3",
        lambda at: is_cut_id(at.url, at.token),
        JoinRule.HARD_WRAP,
        last="@",
    ),
    # No address ends before its host.
    Decided("cut-address", "RFC 6068 2", _is_cut_address, JoinRule.HARD_WRAP),
    # The lines of a target's URI are joined.
    Decided(
        "hyperlink-target",
        "reStructuredText Markup Specification: Hyperlink Targets",
        _is_in_target,
        JoinRule.HARD_WRAP,
    ),
    # No DOI ends before its suffix.
    Decided(
        "cut-doi", "ISO 26324 6.2", lambda at: _is_cut_doi(at.url, at.token), JoinRule.HARD_WRAP, last=f"/.{digits}"
    ),
    Decided(
        "cut-arxiv-id",
        "arXiv: understanding the identifier",
        lambda at: _ARXIV.search(at.url) is not None and _ARXIV_ID.match(at.token) is not None,
        JoinRule.HARD_WRAP,
        last="/",
    ),
    # The time of a copy stands before the address of what was copied.
    Decided(
        "cut-archived-url",
        "Internet Archive: Wayback CDX Server API",
        lambda at: at.url.endswith("web.archive.org/web/") and _ARCHIVED.match(at.token) is not None,
        JoinRule.HARD_WRAP,
        last="/",
        first=digits,
    ),
    Decided("soft-break", "RFC 2045 6.7 (5)", lambda at: at.soft_break, JoinRule.SOFT_BREAK, last="="),
    # No URL ends within an escape.
    Decided("escape", "RFC 1738 2.2", _goes_on_in_an_escape, JoinRule.HARD_WRAP, last=f"%{hexdigits}", first=hexdigits),
)
