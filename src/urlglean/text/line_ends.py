"""Line ends of old Macintosh files: CR alone. The rules for text know LF and CR LF only."""

from __future__ import annotations

from urlglean.lazy import pattern

_CR = pattern(r"\r(?!\n)")
# CR CR LF is one line end (see `quote_prefix.BREAK`). The look-behind keeps the time for many CRs linear. It also makes
# a search take 20 times as long as one for `_CR`, so that text with CR LF is tried with that first.
_CRS_ALONE = pattern(r"(?<!\r)\r++(?!\n)")


def without_lone_cr(text: str) -> str:
    """The same text with LF for each CR that is no part of CR LF. All offsets stay the same."""
    if "\r" not in text or _CR.search(text) is None:
        return text
    return _CRS_ALONE.sub(lambda found: "\n" * len(found[0]), text)
