"""What the simulated mail programs break must be read exactly, and what they do not break must be left alone."""

from __future__ import annotations

import pytest

import simulator
from urlglean import extract

COUNT = 600


def shares(kind: str) -> tuple[float, float]:
    """The share read exactly, and the share read on where the URL had ended."""
    cases = list(simulator.cases(kind, COUNT, seed=20))
    found = [(case, extract(case.text)) for case in cases]
    exact = sum(simulator.exact(*pair) for pair in found)
    return exact / COUNT, sum(simulator.joined_wrongly(*pair) for pair in found) / COUNT


@pytest.mark.parametrize(
    ("kind", "least"),
    [("wrapped", 1.0), ("bare, whole", 0.995), ("bare, broken", 0.96), ("bare, ends its line", 0.985)],
)
def test_simulated_mail_is_read_exactly(kind: str, least: float) -> None:
    """Wrapped URLs always, bare whole ones nearly always, bare broken ones mostly.

    The measure of line breaks is mail that was labelled by reading; this one only shows what falls down.
    """
    exact, joined_wrongly = shares(kind)
    assert exact >= least
    assert joined_wrongly < 0.015


def test_simulated_cases_are_what_they_say() -> None:
    """A broken URL does not stand in its text as it is; one that ends its line does, and its line ends there."""
    for case in simulator.cases("bare, broken", 200, seed=21):
        assert case.url not in case.text
    for case in simulator.cases("bare, ends its line", 200, seed=21):
        assert any(line.endswith(case.url) for line in case.text.splitlines())


def test_a_letter_and_its_quotation_are_read_alike() -> None:
    """The same broken URL, once more below behind a quote prefix: the two heads do not vouch for each other."""
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
