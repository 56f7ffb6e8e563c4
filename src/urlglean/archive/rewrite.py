"""Writes one message or text anew, so that each broken URL in it stands whole on one line."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable, Sequence
from itertools import accumulate, pairwise

from msgspec import Struct
from msgspec.structs import astuple, replace

from urlglean.archive import left_alone
from urlglean.archive.left_alone import Reason
from urlglean.archive.mark import mark
from urlglean.archive.reframing import reframed
from urlglean.errors import IrreversibleError
from urlglean.mail import read
from urlglean.mail.headers import split
from urlglean.mail.octet_patch import OctetPatch, patched
from urlglean.mail.rewriting import Edit, Reversal
from urlglean.occurrence import Occurrence
from urlglean.pipeline.glean import Report, glean
from urlglean.pipeline.options import Options
from urlglean.records import Document, Framing, Stretch, TextPart, Window
from urlglean.sources import unframed

ROUNDS = 4
"""How often a message is looked at: one URL that is whole may make another surer. Two are enough nearly always."""

TRIES = 8
"""How many URLs of a message are given up because with them it would be read in another way, before all are."""


class RewriteOptions(Struct, frozen=True):
    """What is written anew.

    Attributes:
        least: the confidence, rounded as in rows, that a broken URL needs.
        marked: whether a message that is changed gets a header field that says so.
        skip_dkim: whether messages that a server has signed are left alone.
        glean: how the URLs are found.
    """

    least: float = 0.98
    marked: bool = True
    skip_dkim: bool = False
    glean: Options = Options()


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
    """

    document: Document
    patches: tuple[OctetPatch, ...] = ()
    edits: tuple[Edit, ...] = ()
    rejoined: tuple[Occurrence, ...] = ()
    left: tuple[Left, ...] = ()


def rewrite(documents: Sequence[Document], options: RewriteOptions) -> list[Rewriting]:
    """Write documents anew. None depends on the others in the call.

    The new document, if it is read again, has the same parts and the same URLs in the same order, and those that were
    rejoined have no joins; otherwise it is not changed. Writing it anew once more changes nothing.
    """
    return [
        _rewritten(document, report, options)
        if any(each.finding.joins for each in report.occurrences)
        else Rewriting(document)
        for document, report in zip(documents, glean(documents, options.glean), strict=True)
    ]


_Stretches = list[tuple[int, int]]
"""Stretches of a text, in order, without overlap."""


def _rewritten(document: Document, report: Report, options: RewriteOptions) -> Rewriting:
    broken = [each for each in report.occurrences if each.finding.joins]
    bounds = options.glean.bounds
    if document.stretch is None and len(document.data) >= bounds.document:
        return Rewriting(document, left=tuple(Left(each, Reason.CUT) for each in broken))
    work = _Work(document, report, options)
    reason = left_alone.of_message(work.reversal, report.message.parts, skip_dkim=options.skip_dkim)
    if reason:
        return work.nothing(reason)
    try:
        return work.done() if work.settles() else work.nothing(Reason.UNSETTLED)
    except IrreversibleError as error:
        return work.nothing(str(error))


class _Work:
    """The edits of one document while they are collected. Places are those of the texts as they were at first."""

    def __init__(self, document: Document, report: Report, options: RewriteOptions) -> None:
        self.document, self.first, self.options = document, report, options
        self.octets = unframed(document.data, document.framing)
        self.reversal = Reversal(self.octets)
        self.parts = [_in_its_window(part) for part in report.message.parts]
        """The parts, whose octets are places in `octets`."""
        self.of_part = [left_alone.of_part(part) for part in self.parts]
        self.report = report
        """What is found in the document with the edits so far."""
        self.cut: list[_Stretches] = [[] for _ in report.message.parts]
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
        of_part: dict[int, list[tuple[int, int]]] = {}
        for at, occurrence in enumerate(self.report.occurrences):
            if not occurrence.finding.joins:
                continue
            number, in_mail = parts[id(occurrence.part)], self.document.kind == "message"
            reason = self.of_part[number] or left_alone.of_finding(occurrence, self.options.least, in_mail=in_mail)
            if reason:
                self.left.append(Left(occurrence, reason))
            else:
                of_part.setdefault(number, []).append((at, number))
        wanted = []
        for number, found in of_part.items():
            cut = self._with(found)
            try:
                self.reversal.edited(self._edits(number, cut[number]))
                wanted += found
            except IrreversibleError as error:
                self.left += [Left(self.report.occurrences[at], str(error)) for at, _ in found]
        return wanted

    def _with(self, wanted: Iterable[tuple[int, int]]) -> list[_Stretches]:
        """What is taken out of each part so far, and the joins of some findings."""
        more: dict[int, _Stretches] = {}
        for at, number in wanted:
            joins = self.report.occurrences[at].finding.joins
            more.setdefault(number, []).extend((join.at.start, join.at.end) for join in joins)
        return [
            _united([*cut, *_before(cut, more[number])]) if number in more else cut
            for number, cut in enumerate(self.cut)
        ]

    def _edits(self, number: int, cut: _Stretches) -> list[Edit]:
        return [Edit(self.parts[number], start, end) for start, end in cut]

    def _patches(self, cut: Sequence[_Stretches]) -> list[OctetPatch]:
        edited = [self.reversal.edited(self._edits(number, of_part)) for number, of_part in enumerate(cut) if of_part]
        return self.reversal.patches(edited)

    def _texts(self, cut: Sequence[_Stretches]) -> list[str]:
        return [_without(part.text, taken) for part, taken in zip(self.parts, cut, strict=True)]

    def _read(self, cut: Sequence[_Stretches]) -> Report:
        octets, stretch = patched(self.octets, self._patches(cut)), self.document.stretch
        new = replace(
            self.document, data=octets, framing=Framing.NONE, stretch=stretch and _shortened(stretch, cut[0], octets)
        )
        (report,) = glean([new], self.options.glean)
        return report

    def nothing(self, reason: str) -> Rewriting:
        """The document as it was."""
        return Rewriting(self.document, left=tuple(Left(each, reason) for each in _broken(self.first)))

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


def _shortened(stretch: Stretch, cut: _Stretches, octets: bytes) -> Stretch:
    """The stretch of a window from which something was cut, and which has these octets now."""
    first = stretch.window.first

    def place(at: int) -> int:
        return at - sum(min(end + first, at) - start - first for start, end in cut if start + first < at)

    return replace(stretch, window=Window(*map(place, astuple(stretch.window))), octets=len(octets))


def _broken(report: Report) -> list[Occurrence]:
    return [each for each in report.occurrences if each.finding.joins]


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
    for at, (before, after) in enumerate(zip(old.occurrences, new.occurrences, strict=False)):
        is_same = (before.finding.url, before.part.part, before.part.field) == (
            after.finding.url,
            after.part.part,
            after.part.field,
        )
        if not is_same or (at in whole and after.finding.joins):
            return at
    if len(old.occurrences) != len(new.occurrences):
        return min(len(old.occurrences), len(new.occurrences))
    return None


def _before(cut: _Stretches, stretches: _Stretches) -> _Stretches:
    """Stretches of a text from which others were cut, as places in the text before that."""
    if not cut:
        return stretches
    lost = [0, *accumulate(end - start for start, end in cut)]
    places = [start - gone for (start, _), gone in zip(cut, lost, strict=False)]  # where the cuts are now

    def place(at: int) -> int:
        return at + lost[bisect_right(places, at)]

    return [(place(start), place(end - 1) + 1) for start, end in stretches]


def _united(stretches: _Stretches) -> _Stretches:
    """The stretches in order; those that touch or overlap are one."""
    united: _Stretches = []
    for start, end in sorted(stretches):
        if united and start <= united[-1][1]:
            united[-1] = united[-1][0], max(end, united[-1][1])
        else:
            united.append((start, end))
    return united


def _without(text: str, cut: _Stretches) -> str:
    if not cut:
        return text
    places = [0, *(place for stretch in cut for place in stretch), len(text)]
    return "".join(text[start:end] for (start, end) in list(pairwise(places))[::2])
