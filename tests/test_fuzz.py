"""A short run of each fuzzer on fixed inputs; `tests/fuzz/README.md` describes long runs."""

from __future__ import annotations

from random import Random

import pytest

from fuzz.mutations import LONGEST, TOKENS_FILE, mutated, tokens
from fuzz.targets import TARGETS

RUNS = {"extract": 2000, "validate": 5000, "message": 1500, "readers": 800, "resume": 200}
SEEDS = {name: list(target.seeds()) for name, target in TARGETS.items()}


@pytest.mark.parametrize("name", TARGETS)
def test_no_target_fails_on_its_seeds(name: str) -> None:
    """The seeds are the corpus and a file of each kind."""
    assert len(SEEDS[name]) > 20
    for octets in SEEDS[name]:
        TARGETS[name].run(octets)


@pytest.mark.parametrize("name", TARGETS)
def test_no_target_fails_on_mutated_inputs(name: str) -> None:
    """Each input is made of two seeds and tokens of the dictionary."""
    chance, words = Random(name), tokens()
    for _ in range(RUNS[name]):
        octets = mutated(chance.choice(SEEDS[name]), chance.choice(SEEDS[name]), words, chance)
        assert len(octets) <= LONGEST
        try:
            TARGETS[name].run(octets)
        except Exception as error:
            error.add_note(f"the input: {octets!r}")
            raise


@pytest.mark.parametrize("octets", [b"", b"\0", b"\0\0", b"\xff\xff", b"a"])
@pytest.mark.parametrize("name", TARGETS)
def test_a_target_takes_any_octets(name: str, octets: bytes) -> None:
    """The first input of libFuzzer is empty."""
    TARGETS[name].run(octets)


def test_a_target_fails_if_an_invariant_does_not_hold(monkeypatch: pytest.MonkeyPatch) -> None:
    """A target that cannot fail would say nothing."""
    monkeypatch.setattr("urlglean.text.extract.confidence_of", lambda _kind: 1.5)
    with pytest.raises(AssertionError):
        TARGETS["extract"].run(b"see http://www.example.org/ there\0\0")


def test_every_token_of_the_dictionary_is_read() -> None:
    """Each line that is not a comment is a token."""
    lines = [line for line in TOKENS_FILE.read_text("ascii").splitlines() if line and not line.startswith("#")]
    assert len(tokens()) == len(lines) > 50
    assert b"=\n" in tokens()
