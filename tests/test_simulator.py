"""URLs that simulated mail programs break must be read exactly, and unbroken ones must not be joined."""

from __future__ import annotations

import pytest

import simulator
from urlglean import extract

COUNT = 600


def shares(kind: str) -> tuple[float, float]:
    """The share of cases that were read exactly, and the share that were joined wrongly."""
    cases = list(simulator.cases(kind, COUNT, seed=20))
    found = [(case, extract(case.text)) for case in cases]
    exact = sum(simulator.exact(*pair) for pair in found)
    return exact / COUNT, sum(simulator.joined_wrongly(*pair) for pair in found) / COUNT


@pytest.mark.parametrize(
    ("kind", "least"),
    [("wrapped", 1.0), ("bare, whole", 0.995), ("bare, broken", 0.96), ("bare, ends its line", 0.985)],
)
def test_simulated_mail_is_read_exactly(kind: str, least: float) -> None:
    """Wrapped URLs are always read exactly, bare whole ones nearly always, bare broken ones mostly.

    Line breaks are measured on labelled mail. This test only notices if something becomes much worse.
    """
    exact, joined_wrongly = shares(kind)
    assert exact >= least
    assert joined_wrongly < 0.015


def test_simulated_cases_have_the_stated_properties() -> None:
    """A broken URL is not in its text as it is. A URL that ends its line is in the text, at the end of a line."""
    for case in simulator.cases("bare, broken", 200, seed=21):
        assert case.url not in case.text
    for case in simulator.cases("bare, ends its line", 200, seed=21):
        assert any(line.endswith(case.url) for line in case.text.splitlines())


def test_a_letter_and_its_quotation_are_read_alike() -> None:
    """A broken URL is quoted again below.

    Its first line, which is in the text twice, must not count as evidence for a whole URL.
    """
    alone = [
        case for case in simulator.cases("bare, broken", 300, seed=22) if not case.text.startswith((">", "|", ":"))
    ]
    read = [case for case in alone if case.url in (finding.url for finding in extract(case.text))]
    assert len(read) > 100
    twice = 0
    for case in read:
        quoted = "".join(f"> {line}\n" for line in case.text.splitlines())
        twice += [finding.url for finding in extract(f"{case.text}\nJo wrote:\n{quoted}")].count(case.url) == 2
    assert twice / len(read) > 0.95
