"""Writes one message or text anew, so that each broken URL in it stands whole on one line."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from functools import partial

from msgspec import Struct
from msgspec.structs import replace

from urlglean.archive import left_alone
from urlglean.archive.cuts import Cuts, before, shortened, united, without
from urlglean.archive.left_alone import Above, Reason
from urlglean.archive.mark import mark
from urlglean.archive.reframing import reframed
from urlglean.errors import IrreversibleError
from urlglean.lazy import pattern
from urlglean.mail import read
from urlglean.mail.headers import split
from urlglean.mail.octet_patch import OctetPatch, patched
from urlglean.mail.rewriting import Edit, Reversal
from urlglean.occurrence import Occurrence
from urlglean.pipeline.glean import Report, glean
from urlglean.pipeline.limits import GivenUpError, Limits, limited
from urlglean.pipeline.options import Options
from urlglean.records import Document, Framing, TextPart, Trouble
from urlglean.sources import unframed
from urlglean.text.finding import Finding

ROUNDS = 4
"""How often a message is looked at: one URL that is whole may make another surer. Two are enough nearly always."""

TRIES = 8
"""How many URLs of a message are given up because with them it would be read in another way, before all are."""

_LINE_END = pattern(rb"[\r\n]")
_Test = Callable[[TextPart, Sequence[Finding]], set[int]]
"""Which of some findings in a part must be left: their indices."""


class RewriteOptions(Struct, frozen=True):
    """What is written anew.

    Attributes:
        least: the confidence, rounded as in rows, that a broken URL needs.
        marked: whether a message that is changed gets a header field that says so.
        skip_dkim: whether messages that a server has signed are left alone.
        glean: how the URLs are found.
        limits: what the work on one document may take.
    """

    least: float = 0.98
    marked: bool = True
    skip_dkim: bool = False
    glean: Options = Options()
    limits: Limits = Limits()


class Left(Struct, frozen=True):
    """A broken URL that was left as it stands, and why."""

    occurrence: Occurrence
    reason: str


class Rewriting(Struct, frozen=True):
    """What is changed in one document, and what is not.

    Attributes:
        document: the document, as it lies.
        patches: of its octets, in order; none if nothing is changed.
        edits: of the texts of its parts.
        rejoined: how many URLs stand whole now that were broken.
        left: the broken URLs that are left, those that are too doubtful included.
        troubles: what of it could not be read completely: what stands there is as it was.
        below: if it is a window of a long text, what it says of the next one.
    """

    document: Document
    patches: tuple[OctetPatch, ...] = ()
    edits: tuple[Edit, ...] = ()
    rejoined: tuple[Occurrence, ...] = ()
    left: tuple[Left, ...] = ()
    troubles: tuple[Trouble, ...] = ()
    below: Above = Above()


def rewrite(document: Document, options: RewriteOptions, above: Above = Above()) -> Rewriting:  # noqa: B008 - frozen
    """Write a document anew.

    The new document, if it is read again, has the same parts and the same URLs in the same order, and those that were
    rejoined have no joins; otherwise it is not changed. Writing it anew once more changes nothing. A document that
    takes more than `RewriteOptions.limits` is not changed, and has a trouble.

    Args:
        document: a message, a text, or a window of a long text.
        options: what is written anew.
        above: for a window that is not the first of its text: `Rewriting.below` of the one above it.
    """
    try:
        with limited(document, options.limits):
            (report,) = glean([document], options.glean)
            broken = any(each.finding.joins for each in report.occurrences)
            rewriting = _rewritten(document, report, options, above) if broken else Rewriting(document)
            if document.stretch and report.message.parts:
                below = left_alone.below(above, report.message.parts[0])
            else:
                below = left_alone.below_unread(above, document)
            return replace(rewriting, troubles=report.troubles, below=below)
    except GivenUpError as error:
        return Rewriting(document, troubles=(error.trouble,), below=left_alone.below_unread(above, document))


def _rewritten(document: Document, report: Report, options: RewriteOptions, above: Above) -> Rewriting:
    work = _Work(document, report, options, above)
    if document.stretch is None and len(document.data) >= options.glean.bounds.document:
        return work.nothing(Reason.CUT)
    reason = left_alone.of_message(work.reversal, report.message.parts, skip_dkim=options.skip_dkim)
    if reason:
        return work.nothing(reason)
    try:
        return work.done() if work.settles() else work.nothing(Reason.UNSETTLED)
    except IrreversibleError as error:
        return work.nothing(str(error))


class _Work:
    """The edits of one document while they are collected. Places are those of the texts as they were at first."""

    def __init__(self, document: Document, report: Report, options: RewriteOptions, above: Above) -> None:
        self.document, self.first, self.options, self.above = document, report, options, above
        self.octets = unframed(document.data, document.framing)
        self.reversal = Reversal(self.octets)
        self.parts = [_in_its_window(part) for part in report.message.parts]
        """The parts, whose octets are places in `octets`."""
        self.of_part = [left_alone.of_part(part, above) for part in self.parts]
        self.report = report
        """What is found in the document with the edits so far."""
        self.cut: list[Cuts] = [[] for _ in report.message.parts]
        """For each part, what is taken out of its text."""
        self.left: list[Left] = []

    def settles(self) -> bool:
        """Collect edits until no more are wanted. False if that takes too many rounds."""
        return any(not self._goes_on() for _ in range(ROUNDS))

    def _goes_on(self) -> bool:
        """Take the edits that are wanted now, as far as they can be made. False if there were none."""
        self.left = []
        wanted = self._wanted()
        for _ in range(TRIES):
            if not wanted:
                return False
            cut = self._with(wanted)
            report, texts = self._read(cut), self._texts(cut)
            fault = _fault(self.report, report, texts, {at for at, _ in wanted})
            if fault is None:
                self.report, self.cut = report, cut
                return True
            culprit = max((each for each in wanted if each[0] <= fault), default=wanted[0])
            wanted.remove(culprit)
            self.left.append(Left(self.report.occurrences[culprit[0]], Reason.OTHERWISE))
        self.left += [Left(self.report.occurrences[at], Reason.OTHERWISE) for at, _ in wanted]
        return False

    def _wanted(self) -> list[tuple[int, int]]:
        """The findings whose joins are to be taken out, and can be: their numbers, and those of their parts."""
        parts = {id(part): number for number, part in enumerate(self.report.message.parts)}
        of_part: dict[int, list[int]] = {}
        for at, occurrence in enumerate(self.report.occurrences):
            if not occurrence.finding.joins:
                continue
            number = parts[id(occurrence.part)]
            reason = self.of_part[number] or left_alone.of_finding(occurrence, self.options.least)
            if reason:
                self.left.append(Left(occurrence, reason))
            else:
                of_part.setdefault(number, []).append(at)
        wanted = []
        for number, found in of_part.items():
            wanted += [(at, number) for at in self._possible(number, found)]
        return wanted

    def _possible(self, number: int, found: list[int]) -> list[int]:
        """Those of some findings in a part that can be made whole; the others are left."""
        occurrences, part = self.report.occurrences, self.report.message.parts[number]
        tests: list[tuple[_Test, Reason]] = [(partial(left_alone.in_patches, above=self.above), Reason.PATCH)]
        if self.document.kind == "message" and left_alone.has_short_lines(self.parts[number]):
            tests.append((left_alone.in_long_lines, Reason.LONG_LINE))
        for test, reason in tests:
            left = test(part, [occurrences[at].finding for at in found])
            self.left += [Left(occurrences[found[index]], reason) for index in sorted(left)]
            found = [at for index, at in enumerate(found) if index not in left]
        try:
            if self.parts[number].field is not None:
                found = self._folded(number, found)
            if found:
                self.reversal.edited(self._edits(number, self._cut_with(number, found)))
        except IrreversibleError as error:
            self.left += [Left(occurrences[at], str(error)) for at in found]
            return []
        return found

    def _folded(self, number: int, found: list[int]) -> list[int]:
        """Those of some findings in a header field from which only folds are taken; the others are left.

        Whether a blank was a fold is seen in the octets only, and one that was none may belong to a file's name.

        Raises:
            IrreversibleError: the field cannot be edited.
        """
        of: list[int] = []
        joins: Cuts = []
        for at in found:
            own = united([(join.at.start, join.at.end) for join in self.report.occurrences[at].finding.joins])
            joins += own
            of += [at] * len(own)
        if not joins:
            return found
        # All at once: the places of what is cut already are searched in it.
        edited = self.reversal.edited(self._edits(number, before(self.cut[number], joins)))
        octets = self.reversal.inside(edited.within)
        taken = zip(of, edited.patches, strict=True)
        blank = {at for at, patch in taken if _LINE_END.search(octets, patch.start, patch.end) is None}
        self.left += [Left(self.report.occurrences[at], Reason.WITHIN_LINE) for at in sorted(blank)]
        return [at for at in found if at not in blank]

    def _with(self, wanted: Iterable[tuple[int, int]]) -> list[Cuts]:
        """What is taken out of each part so far, and the joins of some findings."""
        of_part: dict[int, list[int]] = {}
        for at, number in wanted:
            of_part.setdefault(number, []).append(at)
        return [
            self._cut_with(number, of_part[number]) if number in of_part else cut for number, cut in enumerate(self.cut)
        ]

    def _cut_with(self, number: int, found: Iterable[int]) -> Cuts:
        """What is taken out of a part so far, and the joins of some findings in it."""
        joins = [(join.at.start, join.at.end) for at in found for join in self.report.occurrences[at].finding.joins]
        return united([*self.cut[number], *before(self.cut[number], joins)])

    def _edits(self, number: int, cut: Cuts) -> list[Edit]:
        return [Edit(self.parts[number], start, end) for start, end in cut]

    def _patches(self, cut: Sequence[Cuts]) -> list[OctetPatch]:
        edited = [self.reversal.edited(self._edits(number, of_part)) for number, of_part in enumerate(cut) if of_part]
        return self.reversal.patches(edited)

    def _texts(self, cut: Sequence[Cuts]) -> list[str]:
        return [without(part.text, taken) for part, taken in zip(self.parts, cut, strict=True)]

    def _read(self, cut: Sequence[Cuts]) -> Report:
        octets, stretch = patched(self.octets, self._patches(cut)), self.document.stretch
        new = replace(
            self.document, data=octets, framing=Framing.NONE, stretch=stretch and shortened(stretch, cut[0], octets)
        )
        (report,) = glean([new], self.options.glean)
        return report

    def nothing(self, reason: str) -> Rewriting:
        """The document as it was."""
        broken = [each for each in self.first.occurrences if each.finding.joins]
        return Rewriting(self.document, left=tuple(Left(each, reason) for each in broken))

    def done(self) -> Rewriting:
        """The document with all edits, and with its mark.

        Raises:
            IrreversibleError: it cannot be put back into its file.
        """
        still = {at for at, each in enumerate(self.report.occurrences) if each.finding.joins}
        rejoined = [each for at, each in enumerate(self.first.occurrences) if each.finding.joins and at not in still]
        if not any(self.cut):
            return Rewriting(self.document, left=tuple(self.left))
        edits = [edit for number, of_part in enumerate(self.cut) for edit in self._edits(number, of_part)]
        changes = self._patches(self.cut)
        bounds, body = self.options.glean.bounds, 0
        if self.document.kind == "message":
            body = split(self.octets, bounds).body_start
            if self.options.marked:
                changes = sorted([*changes, *mark(self.octets, len(rejoined), bounds)], key=lambda each: each.start)
                texts = [part.text for part in read(patched(self.octets, changes), "message", bounds).parts]
                if texts != self._texts(self.cut):
                    raise IrreversibleError(Reason.MARK)
        placed = reframed(self.document.data, self.document.framing, changes, body)
        return Rewriting(self.document, tuple(placed), tuple(edits), tuple(rejoined), tuple(self.left))


def _in_its_window(part: TextPart) -> TextPart:
    """The part, with places in the octets of its window if it has one; its decoding counts those of the file."""
    made = part.decoding
    if part.stretch is None or made is None:
        return part
    return replace(part, decoding=replace(made, start=0, end=made.end - made.start))


def _named(occurrence: Occurrence) -> tuple[str, str | None, str | None]:
    return occurrence.finding.url, occurrence.part.part, occurrence.part.field


def _fault(old: Report, new: Report, texts: Sequence[str], whole: set[int]) -> int | None:
    """The number of the first finding that is not as it should be after edits; None if all are.

    Args:
        old: what was found before.
        new: what is found now.
        texts: what the texts of the parts should be now.
        whole: the numbers of the findings that should have no joins now.
    """
    if [part.text for part in new.message.parts] != list(texts):
        return -1
    for at, (was, now) in enumerate(zip(old.occurrences, new.occurrences, strict=False)):
        if _named(was) != _named(now) or (at in whole and now.finding.joins):
            return at
    if len(old.occurrences) != len(new.occurrences):
        return min(len(old.occurrences), len(new.occurrences))
    return None
