"""Readings of one candidate -> those that are found, best first, and what comes of them: a finding."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from msgspec import Struct

from urlglean.records import Certainty, Problem, Reading, Span
from urlglean.text.candidates import Evidence, Found
from urlglean.text.confidence import Kind, confidence_of
from urlglean.text.finding import Finding
from urlglean.text.mending import mended
from urlglean.text.near_urls import with_slashes
from urlglean.text.policy import Policy
from urlglean.text.salvage import salvaged


class Choice(Struct, frozen=True):
    """A reading, its kind, and the probability that it is exactly what a careful reader would copy."""

    reading: Reading
    kind: Kind
    confidence: float


class Chooser:
    """Chooses among the readings of one candidate.

    Args:
        text: the whole text.
        evidence: what else was found in it.
        policy: what is found, by the dialect asked for.
    """

    def __init__(self, text: str, evidence: Evidence, policy: Policy) -> None:
        self.text, self.evidence, self.policy = text, evidence, policy

    def found(self, readings: list[Reading], kind: Kind, path: float = 1.0) -> list[Choice]:
        """The valid ones, mended where they can be; else what the first may mean; else those that browsers take."""
        readings = [form for reading in readings for form in self.forms(reading)]
        valid = [reading for reading in readings if self.policy.valid(reading.text)]
        if valid:
            return self.shared(valid, kind, path)
        takes = self.policy.joins if kind == "bare-joined" else self.policy.takes
        for reading in readings:
            for meant, whole_may_be in () if reading.mends else salvaged(reading):
                for form in self.forms(meant):
                    if takes(form.text):
                        return self._salvaged(form, reading if whole_may_be else None, path)
        return self.shared([reading for reading in readings if takes(reading.text)], "raw", path)

    def forms(self, reading: Reading) -> list[Reading]:
        """A reading with its signs taken for what they stand for, if it has such, and as it stands."""
        return [*mended(self.text, reading), reading]

    def _salvaged(self, meant: Reading, whole: Reading | None, path: float) -> list[Choice]:
        """What a rejected reading means, and the whole of it where that may have been meant all the same."""
        sure = confidence_of("salvaged")
        choices = [Choice(meant, "salvaged" if self.policy.valid(meant.text) else "raw", path * sure)]
        if whole and self.policy.raw(whole.text):
            choices.append(Choice(whole, "raw", path * (1 - sure)))
        return choices

    def shared(self, valid: list[Reading], kind: Kind, path: float = 1.0) -> list[Choice]:
        """First what stands whole elsewhere, then as they come; the first has most of the probability.

        That is the one of their kind, times the probability of the `path` over line breaks that they are on.
        """
        if len(valid) > 1:
            whole = self.evidence.counts
            # A reading of one piece is itself among those that stand whole; one that may be mended is no evidence.
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


def not_found(reading: Reading) -> Iterator[Choice]:
    """A reading that nobody takes, and what was meant by it if it is nearly a URL."""
    sure = confidence_of("rejected")
    yield Choice(reading, "rejected", sure)
    if whole := with_slashes(reading.text):
        yield Choice(Reading(whole, (), ()), "rejected", 1 - sure)


def _end(reading: Reading) -> int:
    """Where a reading ends, which may be behind its last piece: a sign that stands for another may be the last."""
    return max(reading.pieces[-1].end, *(mend.at.end for mend in reading.mends), 0)


def judged(
    found: Found,
    choices: Sequence[Choice],
    certainty: Certainty,
    notes: tuple[Problem, ...],
    policy: Policy,
) -> Finding:
    """The finding of these choices, the first of them chosen; its kind says how it was taken, if it was."""
    chosen, kind = choices[0].reading, choices[0].kind
    valid = kind not in {"raw", "rejected"}
    rivals: dict[str, float] = {}
    for choice in sorted(choices[1:], key=lambda choice: -choice.confidence):
        rivals.setdefault(choice.reading.text, choice.confidence)
    rivals.pop(chosen.text, None)
    return Finding(
        url=chosen.text,
        span=Span(chosen.pieces[0].start, _end(chosen)) if chosen.pieces else found.span,
        wrapper=found.wrapper,
        pieces=chosen.pieces,
        joins=chosen.joins,
        rivals=tuple(rivals),
        certainty=certainty,
        confidence=choices[0].confidence,
        valid=valid,
        problems=notes if valid else policy.problems(chosen.text) + notes,
        dialect=policy.dialect,
        rejected=kind == "rejected",
        mends=chosen.mends,
        assumed=found.assumed,
        taken_by="web" if kind == "raw" else None,
        rival_confidences=tuple(rivals.values()),
    )
