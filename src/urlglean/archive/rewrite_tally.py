"""Counts what a run has written anew and what it has left, and tells it in lines for people."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from urlglean.archive.rewrite import Rewriting
from urlglean.archive.rewrite_files import Copied, Outcome, troubles_of
from urlglean.output.text import counted


class Tally:
    """Counts of a run.

    Attributes:
        troubles: how many files, or pieces of them, could not be read or written.
        rejoined: how many URLs were made whole.
    """

    def __init__(self) -> None:
        self.troubles = 0
        self.rejoined = 0
        self._messages = self._texts = self._changed = 0
        self._last_changed: str | None = None
        self._left: Counter[str] = Counter()
        self._copied: Counter[str] = Counter()

    def add(self, outcome: Outcome) -> None:
        """Count an outcome."""
        self.troubles += len(troubles_of(outcome))
        if isinstance(outcome, Rewriting):
            document = outcome.document
            self._messages += document.kind == "message"
            self._texts += document.kind != "message" and not document.is_continued
            if outcome.patches and not (document.is_continued and document.path == self._last_changed):
                self._changed += 1
                self._last_changed = document.path
            self.rejoined += len(outcome.rejoined)
            self._left.update(each.reason for each in outcome.left)
        elif isinstance(outcome, Copied):
            self._copied[outcome.cause] += 1

    def lines(self) -> Iterator[str]:
        """The counts, then a line for each reason why URLs were left or files copied, the commonest first."""
        read = " and ".join(
            [counted(self._messages, "message"), *([counted(self._texts, "text")] if self._texts else [])]
        )
        yield f"{read} read, {self._changed:,} changed, {counted(self.rejoined, 'URL')} made whole"
        for reason, count in self._left.most_common():
            yield f"{counted(count, 'broken URL')} left alone: {reason}"
        for cause, count in self._copied.most_common():
            yield f"{counted(count, 'file')} left as {'it is' if count == 1 else 'they are'}: {cause}"
