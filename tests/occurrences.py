"""Occurrences for the tests of formats."""

from hypothesis import strategies as st

from urlglean.occurrence import Occurrence
from urlglean.records import (
    Certainty,
    Envelope,
    Origin,
    Problem,
    Span,
    TextPart,
)
from urlglean.text.finding import Finding

ANY_TEXT = st.text(st.characters(), max_size=200)  # lone surrogates and controls too

NO_HEADERS = Envelope()


def occurrence(
    url: str = "http://host/",
    *,
    path: str = "inbox.mbox",
    member: str | None = None,
    message: int | None = None,
    envelope: Envelope = NO_HEADERS,
    field: str | None = None,
    certainty: Certainty = "plain",
    rivals: tuple[str, ...] = (),
    problems: tuple[Problem, ...] = (),
) -> Occurrence:
    """An occurrence of `url` on line 3; it is valid if there are no problems."""
    span = Span(20, 20 + len(url))
    finding = Finding(url, span, "bare", (span,), (), rivals, certainty, 0.5, not problems, problems, "current")
    return Occurrence(finding, 3, TextPart("", field=field), envelope, Origin(path, member, 0, 0, message))
