"""Judges for tests that care for what is made of a verdict, and not for how it is come to."""

from __future__ import annotations

from msgspec import Struct, field

from urlglean.records import Verdict


class Deaf(Struct, frozen=True):
    """Says the same of every URL, and keeps in mind of which it was asked."""

    verdict: Verdict
    asked: list[str] = field(default_factory=list)

    def __hash__(self) -> int:
        """Verdicts are remembered by who gave them."""
        return id(self)

    def __call__(self, url: str) -> Verdict:
        """The verdict that it always gives."""
        self.asked.append(url)
        return self.verdict

    def valid(self, _url: str) -> bool:
        """Its yes or no."""
        return self.verdict.valid

    def knows(self, scheme: str) -> bool:
        """The schemes that everybody knows."""
        return scheme in {"http", "https", "ftp"}
