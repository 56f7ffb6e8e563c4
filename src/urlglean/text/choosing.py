"""Chooses among the readings of one candidate, best first, and makes a finding from the choices."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from msgspec import Struct
from msgspec.structs import replace

from urlglean.columns import shown
from urlglean.records import Certainty, Dialect, Problem, Reading, Span
from urlglean.text.candidates import Evidence, Found
from urlglean.text.confidence import Kind, confidence_of
from urlglean.text.effort import FORM, PIECE, SALVAGE, SIGN, Effort
from urlglean.text.finding import Finding
from urlglean.text.mending import mended
from urlglean.text.near_urls import with_slashes
from urlglean.text.policy import Policy
from urlglean.text.salvage import MAX_CUTS, brackets_in, salvaged
from urlglean.text.settling import Collection, Weighed, settled

NOT_VALID: frozenset[Kind] = frozenset({"raw", "rejected"})
"""The kinds of URLs that the dialect refuses."""

MAX_PARTS = 2 * MAX_CUTS
"""At most this many parts of a rejected candidate are tried."""


class Choice(Struct, frozen=True):
    """A reading, its kind, and the probability that it is exactly what a careful reader would copy."""

    reading: Reading
    kind: Kind
    confidence: float


class Chooser:
    """Chooses among the readings of one candidate.

    Args:
        text: the whole text.
        evidence: the URLs that the scan found in it.
        policy: decides which URLs are found, by the dialect that the caller asked for.
        effort: counts the work.
    """

    def __init__(self, text: str, evidence: Evidence, policy: Policy, effort: Effort) -> None:
        self.text, self.evidence, self.policy, self.effort = text, evidence, policy, effort

    def found(self, readings: list[Reading], kind: Kind, path: float = 1.0) -> list[Choice]:
        """The choices among the readings; `path` is the probability of the path over line breaks that led to them.

        If readings are valid, with or without mending, they are the choices. Otherwise the choice is the meaning of the
        first reading that can be salvaged (`salvage`), unless browsers accept a mended form of it. If none can, the
        choices are the readings that browsers accept.
        """
        first = readings[0]
        forms = self.forms(first)
        readings = forms + [form for reading in readings[1:] for form in self.forms(reading)]
        valid = [reading for reading in readings if self.policy.valid(reading.text)]
        if valid:
            return self.shared(valid, kind, path)
        takes = self.policy.joins if kind == "bare-joined" else self.policy.takes
        # Readings differ in their hyphens, not in what frames them, so one of them is enough.
        is_raw = any(form.mends and takes(form.text) and not _is_framed(form.text) for form in forms)
        if not is_raw and (meaning := self._meaning(first, takes, set())):
            meant, whole_may_be = meaning
            return self._salvaged(meant, first if whole_may_be else None, path)
        if not is_raw and (before := self._before_mend(forms)):
            return self._salvaged(before, None, path)
        return self.shared([reading for reading in readings if takes(reading.text)], "raw", path)

    def forms(self, reading: Reading) -> list[Reading]:
        """The readings that replace signs of this reading (`mending`), best first, and then the reading as it is."""
        forms = [*mended(self.text, reading), reading]
        for form in forms:
            self.effort.spend(FORM + PIECE * len(form.pieces), len(form.text))
        return forms

    def labelled(self, parts: list[Reading], whole: Reading | None, *, is_doubtful: bool) -> list[Choice]:
        """The choices for a URL before a bar and its label; empty if the part before the bar is no URL.

        If it is doubtful whether a label follows, the whole, which browsers accept, comes first. `parts` are the
        readings of the part before the bar. `whole` is None if it may not be joined.
        """
        parts = [part for part in parts if self.policy.takes(part.text)]
        if not parts:
            return []
        label, *bar = self._salvaged(parts[0], whole, 1.0)
        if is_doubtful and bar:
            return [replace(bar[0], confidence=label.confidence), replace(label, confidence=bar[0].confidence)]
        return [*self.shared(parts, label.kind, label.confidence / confidence_of(label.kind)), *bar]

    def _meaning(self, reading: Reading, takes: Callable[[str], bool], tried: set[int]) -> tuple[Reading, bool] | None:
        """The meaning of a rejected reading, and whether the whole may be meant too; None if it cannot be salvaged.

        A part that is not valid is salvaged once more, as if it were written alone. `tried` holds the lengths of the
        parts that were tried, so that this ends. It ends too where the effort is over: each scheme that is pasted
        before others leaves a part that is nearly as long. A reading without pieces is a line end before another
        candidate.
        """
        if not reading.pieces or self.effort.is_over(reading.pieces[-1].end):
            return None
        self.effort.spend(SALVAGE + SIGN * brackets_in(reading.text), 2 * len(reading.text))
        for part, whole_may_be in salvaged(reading):
            if len(part.text) in tried or len(tried) == MAX_PARTS:
                continue
            tried.add(len(part.text))
            forms = self.forms(part)
            if valid := next((form for form in forms if self.policy.valid(form.text)), None):
                return valid, whole_may_be
            if further := self._meaning(part, takes, tried):
                return further[0], whole_may_be and further[1]
            if taken := next((form for form in forms if takes(form.text)), None):
                return taken, whole_may_be
        return None

    def _before_mend(self, forms: list[Reading]) -> Reading | None:
        """The URL that a mended form frames before its first mended sign; None if there is none."""
        for form in forms:
            if form.mends and form.pieces:
                start, end = form.pieces[0].start, form.mends[0].at.start
                for part in _framed(form.text):
                    if self.text[start:end].startswith(part) and self.policy.valid(part):
                        return Reading(part, (Span(start, start + len(part)),), ())
        return None

    def _salvaged(self, meant: Reading, whole: Reading | None, path: float) -> list[Choice]:
        """The meaning of a rejected reading, and the whole of the reading if that may have been meant instead."""
        sure = confidence_of("salvaged")
        choices = [Choice(meant, "salvaged" if self.policy.valid(meant.text) else "raw", path * sure)]
        if whole and self.policy.raw(whole.text):
            choices.append(Choice(whole, "raw", path * (1 - sure)))
        return choices

    def shared(self, valid: list[Reading], kind: Kind, path: float = 1.0) -> list[Choice]:
        """The readings as choices: first those that occur unbroken elsewhere, then the others in their order.

        Their confidences add up to the confidence of their kind times the probability of the `path` over line breaks
        that led to them. The first has most of it.
        """
        if len(valid) > 1:
            whole = self.evidence.counts
            # The counts include a reading of one piece itself. A reading that may be mended is no evidence.
            valid.sort(
                key=lambda reading: (
                    whole[reading.text] <= (len(reading.pieces) == 1) or bool(mended(self.text, reading))
                )
            )
        kind = "mended" if kind != "raw" and valid and valid[0].mends else kind
        probability = path * confidence_of(kind)
        if len(valid) < 2:
            return [Choice(reading, kind, probability) for reading in valid]
        first = probability * confidence_of("hyphen-kept")
        others = (probability - first) / (len(valid) - 1)
        return [Choice(reading, kind, others if at else first) for at, reading in enumerate(valid)]


def _framed(url: str) -> Iterator[str]:
    """The URLs that may be salvaged from this one."""
    return (part.text for part, _ in salvaged(Reading(url, (Span(0, len(url)),), ())))


def _is_framed(url: str) -> bool:
    """Whether another URL may be salvaged from this one."""
    return next(_framed(url), None) is not None


def not_found(reading: Reading) -> Iterator[Choice]:
    """The choices for a rejected reading: the reading itself and, if it is a near-URL, the URL that it means."""
    sure = confidence_of("rejected")
    yield Choice(reading, "rejected", sure)
    if whole := with_slashes(reading.text):
        yield Choice(Reading(whole, (), ()), "rejected", 1 - sure)


def settled_by(collection: Collection, choices: list[Choice]) -> list[Choice]:
    """The choices after what a collection says of them: the one that stands whole in it first (`settling`).

    They stay as they are if the first is not valid, if it has no rival, or if the collection settles nothing.
    """
    if choices[0].kind in NOT_VALID:
        return choices
    distinct = _distinct(choices)
    if len(distinct) < 2:
        return choices
    weighed = [
        Weighed(choice.reading.text, shown(choice.confidence), *collection.documents_with(choice.reading.text))
        for choice in distinct
    ]
    outcome = settled(weighed)
    if outcome is None:
        return choices
    made = [replace(choice, confidence=sure) for choice, sure in zip(distinct, outcome.confidences, strict=True)]
    return [made[outcome.chosen], *made[: outcome.chosen], *made[outcome.chosen + 1 :]]


def _distinct(choices: Sequence[Choice]) -> list[Choice]:
    """The first choice, and those of the others that give another URL, each URL once, the likeliest first."""
    distinct = {choices[0].reading.text: choices[0]}
    for choice in sorted(choices[1:], key=lambda choice: -choice.confidence):
        distinct.setdefault(choice.reading.text, choice)
    return list(distinct.values())


def _end(reading: Reading) -> int:
    """The end of a reading. A mended sign may follow its last piece."""
    return max(reading.pieces[-1].end, *(mend.at.end for mend in reading.mends), 0)


def judged(
    found: Found,
    choices: Sequence[Choice],
    certainty: Certainty,
    problems: tuple[Problem, ...],
    dialect: Dialect,
) -> Finding:
    """The finding of these choices. The first is chosen, and its kind says whether it is valid, raw or rejected."""
    chosen, kind = choices[0].reading, choices[0].kind
    others = _distinct(choices)[1:] if len(choices) > 1 else []
    rivals = {choice.reading.text: choice.confidence for choice in others}
    span = Span(chosen.pieces[0].start, _end(chosen)) if chosen.pieces else found.span
    return Finding(
        url=chosen.text,
        span=span,
        wrapper=found.wrapper,
        pieces=chosen.pieces,
        joins=chosen.joins,
        rivals=tuple(rivals),
        certainty=certainty,
        confidence=choices[0].confidence,
        valid=kind not in NOT_VALID,
        problems=problems,
        dialect=dialect,
        rejected=kind == "rejected",
        mends=chosen.mends,
        assumed=found.assumed if span.start == found.span.start else "",  # a URL within it has its own scheme
        taken_by="web" if kind == "raw" else None,
        rival_confidences=tuple(rivals.values()),
    )
