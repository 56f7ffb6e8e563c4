"""Why a broken URL is left as it stands, though it was found."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence
from enum import StrEnum
from operator import itemgetter

from urlglean.archive.cuts import united
from urlglean.columns import shown
from urlglean.lazy import pattern
from urlglean.mail.rewriting import Reversal
from urlglean.occurrence import Occurrence
from urlglean.records import JoinRule, TextPart
from urlglean.text.finding import Finding

LONGEST_LINE = 998
"""The most octets of a line in mail and news, without its line end (RFC 5322 2.1.1); here characters are counted."""


class Reason(StrEnum):
    """Reasons of this module; `IrreversibleError` gives others."""

    DOUBTFUL = "the URL is less sure than asked for"
    NOT_VALID = "the URL is not valid"
    WITHIN_LINE = "blanks stand in the URL within a line"
    PAGE_BREAK = "the head of a page stands in the URL"
    PATCH = "it stands in a patch, which counts its lines"
    LONG_LINE = "its line would be longer than 998 octets"
    SIGNED = "it is signed"
    DIGEST = "a digest of its octets is stated (Content-MD5)"
    DKIM = "the message has a signature of a server (--skip-dkim)"
    CUT = "the message is longer than is read"
    OTHERWISE = "the message would be read in another way"
    MARK = "the message would be read in another way with the mark"
    UNSETTLED = "what is found changes with each change"


_SIGNED = (
    (pattern(rb"(?im)^content-type[ \t]*+:\s*+\"?(?:multipart/signed|application/(?:x-)?pkcs7)"), Reason.SIGNED),
    # The signature of control messages and moderated groups (pgpverify), and that of patches (patatt).
    (pattern(rb"(?im)^x-(?:pgp-sig|pgpmoose-v[0-9.]+|auth|developer-signature)[ \t]*+:"), Reason.SIGNED),
    (pattern(rb"(?im)^content-md5[ \t]*+:"), Reason.DIGEST),
)
_DKIM = pattern(rb"(?im)^(?:(?:x-google-)?dkim|domainkey|arc-message)-signature[ \t]*+:")
_LINE_END = pattern(r"[\r\n]")
_LINES = r"[0-9]++(?:,[0-9]++)?"
_HUNKS = (
    (rf"[ \t]*+@@ -{_LINES} \+{_LINES} @@[^\n]*+", r"-+ \\"),  # unified, git's too
    (rf"[ \t]*+@@@++ (?:-{_LINES} )++\+{_LINES} @@@++[^\n]*+", r"-+ \\"),  # git's for merges
    (rf"[ \t]*+## -{_LINES} \+{_LINES} ##[ \t]*+\r?", r"-+ \\"),  # of properties, by Subversion
    (rf"[ \t]*+\*{{3}} {_LINES} \*{{4}}[ \t]*+\r?", r"-+ !\\"),  # in context
    (rf"{_LINES}[acd]{_LINES}[ \t]*+\r?", r"-<>\\"),  # normal
)
"""The forms in which `diff` (POSIX.1-2017), git and Subversion write a change: its first line, which may be indented,
and with which signs the others begin."""
# A line of context that is empty may have lost its blank on the way.
_HUNK = pattern("|".join(rf"(?m:^{first}(?:\n(?:[{signs}][^\n]*+|\r?$))++)" for first, signs in _HUNKS))
# Inline PGP (RFC 4880 section 7) and PEM (RFC 1421 4.4). A quotation of it is no longer signed.
_ARMOURED = pattern(r"(?m)^-----BEGIN (?:PGP|PRIVACY-ENHANCED) (?:SIGNED )?MESSAGE-----")


def of_message(message: Reversal, parts: Sequence[TextPart], *, skip_dkim: bool) -> Reason | None:
    """Why nothing in a message may be changed; None if something may.

    The fields are searched for in all octets, those of attached messages included. So a message that only quotes such
    a field at the beginning of a line is left alone too.
    """
    for within in {None, *(part.decoding.within for part in parts if part.decoding)}:
        octets = message.inside(within)
        for sign, reason in _SIGNED:
            if sign.search(octets):
                return reason
        if skip_dkim and _DKIM.search(octets):
            return Reason.DKIM
    return None


def of_part(part: TextPart) -> Reason | None:
    """Why nothing in a part may be changed; None if something may."""
    return Reason.SIGNED if _ARMOURED.search(part.text) else None


def of_finding(occurrence: Occurrence, least: float) -> Reason | None:
    """Why a broken URL of a part that may be changed is left; None if it is not.

    Args:
        occurrence: a finding with joins.
        least: the confidence, rounded as in rows, that it needs.
    """
    finding = occurrence.finding
    if not finding.valid:
        return Reason.NOT_VALID
    if shown(finding.confidence) < least:
        return Reason.DOUBTFUL
    if any(join.rule == JoinRule.PAGE_BREAK for join in finding.joins):
        return Reason.PAGE_BREAK
    return Reason.WITHIN_LINE if _has_blanks_within_line(occurrence) else None


def _has_blanks_within_line(occurrence: Occurrence) -> bool:
    """Whether something is taken out of a URL that holds no line end.

    A wrapper may hold blanks, which a reader ignores (RFC 1738 appendix). They are no break, and may stand for those of
    a file's name, which would be lost. The text of a header field was unfolded, and that of HTML filled anew: there a
    blank may have been a line end.
    """
    part = occurrence.part
    if part.field is not None or (part.decoding is not None and part.decoding.html):
        return False
    taken_out = united([(join.at.start, join.at.end) for join in occurrence.finding.joins])
    return any(_LINE_END.search(part.text, start, end) is None for start, end in taken_out)


def in_patches(text: str, findings: Sequence[Finding]) -> set[int]:
    """Which findings go over a line of a patch, which says how many lines each of its changes has: their indices.

    Args:
        text: the text of their part.
        findings: findings with joins, in order.
    """
    hunks = [(0, 0), *(hunk.span() for hunk in _HUNK.finditer(text))]

    def in_hunk(at: int) -> bool:
        return at < hunks[bisect_right(hunks, at, key=itemgetter(0)) - 1][1]

    return {index for index, finding in enumerate(findings) if in_hunk(finding.span.start)}


def has_short_lines(part: TextPart) -> bool:
    """Whether the lines of a part of a message are lines of the message, which have so many octets at most."""
    return part.field is None and part.decoding is not None and not part.decoding.transfer


def in_long_lines(text: str, findings: Sequence[Finding]) -> set[int]:
    """Which findings would stand in lines that are too long if all were made whole: their indices.

    Args:
        text: the text of their part.
        findings: findings with joins, in order.
    """
    lines: list[list[int]] = []
    for index, finding in enumerate(findings):
        if lines and text.find("\n", findings[lines[-1][-1]].span.end, finding.span.start) < 0:
            lines[-1].append(index)
        else:
            lines.append([index])
    return {index for line in lines if _length(text, [findings[one] for one in line]) > LONGEST_LINE for index in line}


def _length(text: str, findings: Sequence[Finding]) -> int:
    """The characters of the line in which findings stand when they are whole."""
    begin = text.rfind("\n", 0, findings[0].span.start) + 1
    end = text.find("\n", findings[-1].span.end)
    taken = sum(join.at.end - join.at.start for finding in findings for join in finding.joins)
    return (end if end >= 0 else len(text)) - begin - taken
