"""Why a broken URL is left as it stands, though it was found."""

from __future__ import annotations

from collections.abc import Sequence
from enum import StrEnum

from urlglean.columns import shown
from urlglean.lazy import pattern
from urlglean.mail.rewriting import Reversal
from urlglean.occurrence import Occurrence
from urlglean.records import JoinRule, TextPart

LONGEST_LINE = 998
"""The most octets of a line in mail and news, without its line end (RFC 5322 2.1.1)."""


class Reason(StrEnum):
    """Reasons of this module; `IrreversibleError` gives others."""

    DOUBTFUL = "the URL is less sure than asked for"
    NOT_VALID = "the URL is not valid"
    PAGE_BREAK = "the head of a page stands in the URL"
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
    return Reason.SIGNED if part.field is None and _ARMOURED.search(part.text) else None


def of_finding(occurrence: Occurrence, least: float, *, in_mail: bool) -> Reason | None:
    """Why a broken URL of a part that may be changed is left; None if it is not.

    Args:
        occurrence: a finding with joins.
        least: the confidence, rounded as in rows, that it needs.
        in_mail: whether its lines may have so many octets only.
    """
    finding, part = occurrence.finding, occurrence.part
    if not finding.valid:
        return Reason.NOT_VALID
    if shown(finding.confidence) < least:
        return Reason.DOUBTFUL
    if any(join.rule == JoinRule.PAGE_BREAK for join in finding.joins):
        return Reason.PAGE_BREAK
    if in_mail and part.field is None and part.decoding and not part.decoding.transfer:
        taken = sum(join.at.end - join.at.start for join in finding.joins)
        if _line_length(part.text, finding.span.start, finding.span.end) - taken > LONGEST_LINE:
            return Reason.LONG_LINE
    return None


def _line_length(text: str, start: int, end: int) -> int:
    """The octets, in UTF-8, from the beginning of the line at `start` to the end of that at `end`; rather too many.

    No more than is needed is looked at, so that many URLs in one long line take no quadratic time.
    """
    begin = text.rfind("\n", max(0, start - LONGEST_LINE - 1), start) + 1 or max(0, start - LONGEST_LINE - 1)
    stop = text.find("\n", end, end + LONGEST_LINE + 1)
    stop = stop if stop >= 0 else min(len(text), end + LONGEST_LINE + 1)
    return len(text[begin:stop].rstrip("\r").encode("utf-8", "replace"))
