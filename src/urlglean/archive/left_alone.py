"""Why a broken URL is left as it stands, though it was found."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence
from enum import StrEnum
from operator import attrgetter

from msgspec import Struct

from urlglean.archive.cuts import united
from urlglean.archive.patches import changes
from urlglean.columns import shown
from urlglean.lazy import pattern
from urlglean.mail.rewriting import Reversal
from urlglean.occurrence import Occurrence
from urlglean.records import Document, JoinRule, TextPart
from urlglean.text.finding import Finding

LONGEST_LINE = 998
"""The most octets of a line in mail and news, without its line end (RFC 5322 2.1.1)."""


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
    (
        pattern(rb"(?im)^content-type[ \t]*+:\s*+\"?(?:multipart/signed|application/(?:pgp-signature|(?:x-)?pkcs7))"),
        Reason.SIGNED,
    ),
    # An attached signature: `.asc` alone may as well be that of a key, but not behind another extension.
    (
        pattern(
            rb"(?im)(?:^[ \t]|;)[ \t]*+(?:file)?name(?:\*[0-9]{0,2}\*?)?[ \t]*+=[ \t]*+\"?[^\"\r\n;]{0,255}"
            rb"(?:\.(?:sign?|minisig|p7s)|openpgp_signature|signature\.pgp|(?:release|sums?)\.gpg"
            rb"|(?:\.[a-z0-9]{1,8}|signature(?:\([0-9]\))?|sums?|\bsig)\.asc)\"?[ \t]*+(?:;|\r?$)"
        ),
        Reason.SIGNED,
    ),
    # The signature of control messages and moderated groups (pgpverify), and that of patches (patatt).
    (pattern(rb"(?im)^x-(?:pgp-sig|pgpmoose-v[0-9.]+|auth|developer-signature)[ \t]*+:"), Reason.SIGNED),
    (pattern(rb"(?im)^content-md5[ \t]*+:"), Reason.DIGEST),
)
_DKIM = pattern(rb"(?im)^(?:(?:x-google-)?dkim|domainkey|arc-message)-signature[ \t]*+:")
_LINE_END = pattern(r"[\r\n]")
# Inline PGP (RFC 4880 section 7) and PEM (RFC 1421 4.4). A quotation of it is no longer signed.
_ARMOURED = pattern(r"-----BEGIN (?<![^\r\n]-----BEGIN )(?:PGP|PRIVACY-ENHANCED) (?:SIGNED )?MESSAGE-----")


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


class Above(Struct, frozen=True):
    """What the windows of a long text say of the one below them.

    Attributes:
        signed: whether an inline signature begins in them.
        form: the form of the change of a patch in which the last of them ends, as `patches.changes` gives it.
    """

    signed: bool = False
    form: int | None = None


def below(above: Above, part: TextPart) -> Above:
    """What a window says, besides those above it, of the next one; of a part that is no window, nothing."""
    if part.stretch is None:
        return Above()
    window = part.stretch.window
    start, own = window.start - part.first, part.text[: window.end - part.first]
    signed = above.signed or _ARMOURED.search(own, start) is not None
    return Above(signed, changes(own, start, above.form)[1])


def below_unread(above: Above, document: Document) -> Above:
    """The same of a document that could not be read, so that only its octets are known."""
    if document.stretch is None:
        return Above()
    text = document.data.replace(b"\0", b"").decode("latin-1")  # what ASCII UTF-16 holds is found too
    return Above(above.signed or _ARMOURED.search(text) is not None, changes(text, 0, above.form)[1])


def of_part(part: TextPart, above: Above) -> Reason | None:
    """Why nothing in a part may be changed; None if something may. `above` is for a window of a long text."""
    return Reason.SIGNED if above.signed or _ARMOURED.search(part.text) else None


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
    blank may have been a line end, which this module cannot see.
    """
    part = occurrence.part
    if part.field is not None or (part.decoding is not None and part.decoding.html):
        return False
    taken_out = united([(join.at.start, join.at.end) for join in occurrence.finding.joins])
    return any(_LINE_END.search(part.text, start, end) is None for start, end in taken_out)


def in_patches(part: TextPart, findings: Sequence[Finding], above: Above) -> set[int]:
    """Which findings go over a line of a patch: their indices.

    Args:
        part: their part.
        findings: findings with joins, in order.
        above: for a window of a long text, what those above it say.
    """
    start = part.stretch.window.start - part.first if part.stretch else 0
    spans, _ = changes(part.text, start, above.form)

    def is_in_one(at: int) -> bool:
        number = bisect_right(spans, at, key=attrgetter("start"))
        return number > 0 and at < spans[number - 1].end

    return {index for index, finding in enumerate(findings) if is_in_one(finding.span.start)}


def has_short_lines(part: TextPart) -> bool:
    """Whether the lines of a part of a message are lines of the message, which have so many octets at most."""
    return part.field is None and part.decoding is not None and not part.decoding.transfer


def in_long_lines(part: TextPart, findings: Sequence[Finding]) -> set[int]:
    """Which findings would stand in lines that are too long if all were made whole: their indices.

    Args:
        part: their part, which has short lines.
        findings: findings with joins, in order.
    """
    text = part.text
    lines: list[list[int]] = []
    for index, finding in enumerate(findings):
        if lines and text.find("\n", findings[lines[-1][-1]].span.end, finding.span.start) < 0:
            lines[-1].append(index)
        else:
            lines.append([index])

    def length(of_line: list[int]) -> int:
        """The octets of the line in which findings stand when they are whole."""
        held = [findings[index] for index in of_line]
        begin = text.rfind("\n", 0, held[0].span.start) + 1
        behind = text.find("\n", held[-1].span.end)
        line = text[begin : behind if behind >= 0 else len(text)]
        taken = sum(join.at.end - join.at.start for finding in held for join in finding.joins)
        return len(line.encode(_charset(part), "replace")) - taken

    return {index for line in lines if length(line) > LONGEST_LINE for index in line}


def _charset(part: TextPart) -> str:
    return (part.decoding and part.decoding.charset) or "utf-8"
