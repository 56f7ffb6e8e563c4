"""The rule by which a collection settles the readings of one finding."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from urlglean.text.settling import Weighed, is_contradicted, kind_of, settled, weight

FRONT = "http://example.org/"
BEGINNING = "http://example.org/archive"
LONGER = "http://example.org/archive/2001/letter.html"


def readings(*held: tuple[str, float, int]) -> list[Weighed]:
    """Readings with a confidence each, and the number of documents that have them."""
    return [Weighed(url, confidence, whole, whole) for url, confidence, whole in held]


def test_nothing_is_settled_without_a_document() -> None:
    """A reading that stands nowhere else stays the reader's own."""
    assert settled(readings((LONGER, 0.6, 0), (BEGINNING, 0.4, 0))) is None


@pytest.mark.parametrize(("own", "rival"), [(LONGER, BEGINNING), (BEGINNING, LONGER)])
def test_the_reading_that_stands_elsewhere_wins(own: str, rival: str) -> None:
    """Joined or not: the other one wins if the reader was not too sure."""
    outcome = settled(readings((own, 0.6, 0), (rival, 0.39, 2)))
    assert outcome is not None
    assert (outcome.chosen, outcome.documents) == (1, 2)
    assert outcome.confidences[1] > 0.8
    assert outcome.confidences[0] < 0.2


@pytest.mark.parametrize(("own", "rival"), [(LONGER, BEGINNING), (BEGINNING, LONGER)])
def test_the_reader_is_confirmed(own: str, rival: str) -> None:
    """What stands elsewhere becomes surer, and its rival less so."""
    outcome = settled(readings((own, 0.6, 1), (rival, 0.39, 0)))
    assert outcome is not None
    assert (outcome.chosen, outcome.documents) == (0, 1)
    assert outcome.confidences[0] > 0.6
    assert outcome.confidences[1] < 0.39


def test_the_longer_reading_wins_where_both_stand_elsewhere() -> None:
    """A page and one below it both exist. That chance makes the longer one does not happen, so it weighs more."""
    outcome = settled(readings((BEGINNING, 0.5, 900), (LONGER, 0.5, 1)))
    assert outcome is not None
    assert outcome.chosen == 1


@pytest.mark.parametrize("page", ["http://example.org", FRONT, "http://exa", "mailto:anna@example.or"])
def test_a_front_page_and_a_piece_of_a_host_say_nothing(page: str) -> None:
    """Every collection has the front pages of the sites that it names."""
    longer = page + ("/archive/a" if page.endswith("org") else "g/archive/a")
    assert settled(readings((longer, 0.5, 0), (page, 0.5, 900))) is None
    assert not is_contradicted(readings((longer, 0.5, 0), (page, 0.5, 900)))


def test_a_front_page_that_is_the_longer_reading_counts() -> None:
    """`http://example.or` and `g/`: it is a front page, but no beginning of anything."""
    outcome = settled(readings(("http://example.or", 0.6, 0), (FRONT, 0.4, 1)))
    assert outcome is not None
    assert outcome.chosen == 1


@pytest.mark.parametrize(("right", "wrong"), [("mailing-list", "mailinglist"), ("mailinglist", "mailing-list")])
def test_hyphens(right: str, wrong: str) -> None:
    """Kept or dropped: neither is a beginning of the other, and the one that stands elsewhere wins."""
    kept, dropped = f"http://example.org/{right}", f"http://example.org/{wrong}"
    outcome = settled(readings((dropped, 0.9, 0), (kept, 0.05, 1)))
    assert outcome is not None
    assert outcome.chosen == 1


def test_a_sure_reader_is_contradicted_but_not_changed() -> None:
    """The beginning may be a page as well: it does not outweigh a reader who is sure."""
    held = readings((LONGER, 0.99, 0), (BEGINNING, 0.005, 3))
    assert settled(held) is None
    assert is_contradicted(held)


def test_a_beginning_counts_where_no_line_end_makes_it_doubtful() -> None:
    """It may be the same URL that was cut at the same place. The longer one cannot be."""
    unsure = [Weighed(LONGER, 0.5, 0, 0), Weighed(BEGINNING, 0.5, 5, 0)]
    assert settled(unsure) is None
    longer = [Weighed(BEGINNING, 0.5, 0, 0), Weighed(LONGER, 0.4, 5, 0)]
    outcome = settled(longer)
    assert outcome is not None
    assert outcome.chosen == 1


def test_what_is_neither_reading_stays_possible() -> None:
    """A reader who finds both unlikely is not made certain by one document."""
    outcome = settled(readings((LONGER, 0.01, 1), (BEGINNING, 0.01, 0)))
    assert outcome is not None
    assert outcome.confidences[0] == pytest.approx(
        0.01 * 2.718281828 ** weight("longer") / (0.98 + 0.01 + 0.01 * 2.718281828 ** weight("longer"))
    )


def test_a_reading_of_no_confidence_at_all() -> None:
    """Rows round a confidence to four digits, so that it may be 0: that is no certainty."""
    outcome = settled(readings((LONGER, 0.0, 1), (BEGINNING, 0.0, 0)))
    assert outcome is not None
    assert outcome.chosen == 0


def test_weights() -> None:
    """A longer reading weighs more than a beginning, and both speak for the reading."""
    assert weight("longer") > weight("beginning") > 0


urls = st.sampled_from([FRONT, BEGINNING, LONGER, BEGINNING + "s", "http://example.org/arc-hive", "news:a", "x:"])
held = st.lists(
    st.builds(Weighed, urls, st.floats(0, 1), st.integers(0, 3), st.integers(0, 3)),
    min_size=1,
    max_size=5,
    unique_by=lambda each: each.url,
)


@given(held)
def test_properties(held: list[Weighed]) -> None:
    """Confidences are probabilities; only a reading that counts is chosen; none that does not count gains."""
    outcome = settled(held)
    if outcome is None:
        return
    assert all(0 <= confidence <= 1 for confidence in outcome.confidences)
    assert sum(outcome.confidences) <= 1 + 1e-9
    chosen = held[outcome.chosen]
    assert kind_of(chosen.url, held) is not None
    assert outcome.documents in {chosen.whole, chosen.surely_whole} - {0}
    assert outcome.confidences[outcome.chosen] == max(outcome.confidences)


@given(held, st.integers(1, 100))
def test_more_documents_add_no_more(held: list[Weighed], more: int) -> None:
    """One independent document says as much as a hundred."""
    many = [Weighed(each.url, each.confidence, each.whole * more, each.surely_whole * more) for each in held]
    one, other = settled(held), settled(many)
    assert (one and one.confidences) == (other and other.confidences)
