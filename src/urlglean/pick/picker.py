"""What is being chosen: a filter, a selected link, and one of its readings. It knows no terminal."""

from __future__ import annotations

from collections.abc import Sequence

from urlglean.pick.links import Link, matching


class Picker:
    """The state of a choice.

    Attributes:
        shown: the links that the filter lets through.
        at: the index of the selected one in `shown`; 0 if there is none.
        reading: the index of the selected reading of that link.
    """

    def __init__(self, links: Sequence[Link]) -> None:
        """Begin with all links, the first of which is selected."""
        self._links = links
        self.shown: Sequence[Link] = links
        self.at = self.reading = 0

    @property
    def selected(self) -> Link | None:
        """The selected link; None if the filter lets none through."""
        return self.shown[self.at] if self.shown else None

    @property
    def url(self) -> str | None:
        """The selected reading of the selected link; None if there is no link."""
        return self.selected.readings[self.reading] if self.selected else None

    def filter(self, wanted: str) -> None:
        """Let only links through that have all words of `wanted`. The selected link stays selected if it is one."""
        before = self.selected
        self.shown = matching(self._links, wanted)
        stays = next((at for at, link in enumerate(self.shown) if link is before), None)
        self.at, self.reading = (0, 0) if stays is None else (stays, self.reading)

    def move(self, by: int) -> None:
        """Select the link that is so many lines below, or above if negative; at most the last, or the first."""
        self.at, self.reading = max(0, min(self.at + by, len(self.shown) - 1)), 0

    def turn(self, by: int) -> None:
        """Select the next reading of the link, or the one before; behind the last comes the first."""
        if self.selected:
            self.reading = (self.reading + by) % len(self.selected.readings)

    def window(self, height: int) -> range:
        """The indices of the links that a list of this height shows, the selected one among them."""
        first = max(0, min(self.at - height // 2, len(self.shown) - height))
        return range(first, min(first + height, len(self.shown)))
