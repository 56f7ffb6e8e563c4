"""`urlglean settle`: the catalogue before and after."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from commands import run
from databases import WHOLE, Found, Mail, broken, content, database, first, grown, unjoined, whole

BEGINNING = "http://example.org/archive"
LONGER = "http://example.org/archive/2001/letter.html"
KEPT, DROPPED = "http://example.org/the-choir", "http://example.org/thechoir"

UNJOINED = Mail("anna@example.org", (unjoined(BEGINNING, {LONGER: 0.25}),), "Our letter", "2001-05-05T00:00:00Z")
JOINED = Mail("anna@example.org", (broken(LONGER, {BEGINNING: 0.25}, 0.7),), "Our letter", "2001-05-05T00:00:00Z")


def settled(path: Path, *documents: Mail) -> tuple[str, float, int | None, list[str]]:
    """What becomes of the first finding of these documents."""
    database(path, documents)
    result = run("settle", path)
    assert result.exit_code in {0, 1}, result.output
    return first(path)


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """Where a catalogue may be made."""
    return tmp_path / "mail.db"


def test_unjoined_becomes_joined(path: Path) -> None:
    """The reading over the break stands whole in another document."""
    url, confidence, number, rivals = settled(path, UNJOINED, whole(LONGER))
    assert (url, number, rivals) == (LONGER, 1, [BEGINNING])
    assert confidence > 0.9


def test_joined_becomes_unjoined(path: Path) -> None:
    """The reading up to the break stands whole in another document, and the joins of the other one are gone."""
    url, _, number, rivals = settled(path, JOINED, whole(BEGINNING))
    assert (url, number, rivals) == (BEGINNING, 1, [LONGER])
    assert content(path)["joins"] == []


def test_joined_is_confirmed(path: Path) -> None:
    """The reader's own reading stands whole elsewhere: its joins stay."""
    url, confidence, number, rivals = settled(path, JOINED, whole(LONGER))
    assert (url, number, rivals) == (LONGER, 1, [BEGINNING])
    assert confidence > 0.7
    assert len(content(path)["joins"]) == 1


@pytest.mark.parametrize(("own", "rival"), [(KEPT, DROPPED), (DROPPED, KEPT)])
def test_hyphens(path: Path, own: str, rival: str) -> None:
    """Kept or dropped."""
    doubt = Mail("anna@example.org", (broken(own, {rival: 0.02}, 0.97),))
    assert settled(path, doubt, whole(rival))[0] == rival


def test_both_stand_whole(path: Path) -> None:
    """The longer one wins, however often the beginning stands there."""
    others = [whole(BEGINNING, f"{number}@example.org", f"Subject {number}") for number in range(20)]
    assert settled(path, UNJOINED, *others, whole(LONGER, "zoe@example.org", "Mine"))[0] == LONGER


def test_a_front_page_is_no_evidence(path: Path) -> None:
    """It stands in every collection."""
    front = "http://example.org/"
    others = [whole(front, f"{number}@example.org", f"Subject {number}") for number in range(20)]
    doubt = Mail("anna@example.org", (broken(LONGER, {front: 0.45}, 0.5),))
    assert settled(path, doubt, *others) == (LONGER, 0.5, None, [front])


NO_EVIDENCE = {
    "itself": [Mail("anna@example.org", (unjoined(BEGINNING, {LONGER: 0.25}), Found(LONGER)), "Our letter")],
    "the same author": [UNJOINED, whole(LONGER, "Anna B. <ANNA@example.org>")],
    "a reply": [UNJOINED, whole(LONGER, subject="Re: [choir] Our letter", date="2001-05-06T00:00:00Z")],
    "a reply at the same time": [UNJOINED, whole(LONGER, subject="Re: Our letter", date="2001-05-05T00:00:00Z")],
    "a reply without a date": [UNJOINED, whole(LONGER, subject="Re: Our letter", date=None)],
    "another that was read over a break": [
        UNJOINED,
        Mail("bert@example.org", (Found(LONGER, joins=((3, 4, "hard-wrap"),)),)),
    ],
    "another that is doubtful": [UNJOINED, Mail("bert@example.org", (Found(LONGER, {BEGINNING + "/": 0.01}),))],
    "another that was inferred": [UNJOINED, Mail("bert@example.org", (Found(LONGER, certainty="inferred"),))],
    "another that is not valid": [UNJOINED, Mail("bert@example.org", (Found(LONGER, valid=False),))],
    "for what is not valid": [
        Mail("anna@example.org", (unjoined(BEGINNING, {LONGER: 0.25})._replace(valid=False),)),
        Mail("bert@example.org", (Found(LONGER), Found(BEGINNING))),
    ],
    "no URL at all": [UNJOINED, whole("http://example.org/else")],
}


@pytest.mark.parametrize("documents", NO_EVIDENCE.values(), ids=NO_EVIDENCE)
def test_no_evidence(path: Path, documents: list[Mail]) -> None:
    """Nothing changes, and the exit status says that nothing was settled."""
    before = content(database(path, documents))
    result = run("settle", path)
    assert result.exit_code == 1
    assert content(path) == before


def test_a_beginning_at_a_line_end_is_no_evidence(path: Path) -> None:
    """A line end made it less sure than a URL in the midst of its line: it may be cut at the same place."""
    unsure = Mail("bert@example.org", (Found(BEGINNING, confidence=WHOLE - 0.01),))
    assert settled(path, JOINED, unsure)[2] is None
    path.unlink()
    # In a wrapper it is not.
    wrapped = Mail("bert@example.org", (Found(BEGINNING, confidence=0.97, wrapper="angle", certainty="stated"),))
    assert settled(path, JOINED, wrapped)[0] == BEGINNING


def test_a_longer_reading_at_a_line_end_is_evidence(path: Path) -> None:
    """Wherever it ends, the word behind the break is in it."""
    assert settled(path, UNJOINED, Mail("bert@example.org", (Found(LONGER, confidence=0.9),)))[0] == LONGER


def test_what_a_message_quotes_is_evidence(path: Path) -> None:
    """An older message of the thread cannot quote the doubtful one. It may be cut at the same place, though."""
    older = {"subject": "our LETTER", "date": "2001-05-04T00:00:00Z"}
    assert settled(path, UNJOINED, whole(LONGER, **older))[:3:2] == (LONGER, 1)
    path.unlink()
    assert settled(path, JOINED, whole(BEGINNING, **older))[2] is None


def test_authors_and_threads_count_once(path: Path) -> None:
    """A signature says its URL once, and so does a thread in which everyone quotes it."""
    signed = [whole(LONGER, "carl@example.org", f"Subject {number}") for number in range(5)]
    quoted = [
        whole(LONGER, f"{number}@example.org", "Re: The page", date=f"2002-01-0{number}") for number in range(1, 6)
    ]
    assert settled(path, UNJOINED, *signed, *quoted)[2] == 2


def test_no_sender_and_no_subject(path: Path) -> None:
    """A file is one work, whatever number of windows it is read in; messages without a subject are no thread."""
    windows = [whole(LONGER, None, None, path="notes.txt") for _ in range(3)]
    other = [whole(LONGER, f"{number}@example.org", None) for number in range(2)]
    doubt = UNJOINED._replace(subject=None)
    assert settled(path, doubt, *windows, *other)[2] == 3


def test_the_first_ten_documents_are_named(path: Path) -> None:
    """By date; those without one at the end, and no others than those that count."""
    dates = [f"2001-01-{20 - number:02}T00:00:00Z" for number in range(12)]
    others = [whole(LONGER, f"{number}@example.org", f"S {number}", date=date) for number, date in enumerate(dates)]
    same = whole(LONGER, "anna@example.org", "S", date="1999-01-01T00:00:00Z")
    undated = whole(LONGER, "x@example.org", "X", date=None)
    assert settled(path, UNJOINED, undated, same, *others)[2] == 13
    named = [document for _, _, document in content(path)["settled_by"]]
    assert named == list(range(15, 5, -1))


def test_what_was_settled_is_no_evidence(path: Path) -> None:
    """A rumour does not spread: what carl's message was settled on does not settle another one."""
    beyond = "http://example.org/archive/2001"
    chain = Mail("carl@example.org", (unjoined(beyond, {LONGER: 0.3}),), "Carl", "2001-01-01T00:00:00Z")
    database(path, [UNJOINED, chain, whole(LONGER, "anna@example.org", "Bye")])
    assert run("settle", path).exit_code == 0
    assert [row[0] for row in content(path)["own_readings"]] == [2]
    assert first(path)[2] is None
    before = content(path)
    run("settle", path)
    assert content(path) == before


def test_aggregates_follow(path: Path) -> None:
    """A URL counts the documents in which it is the chosen reading."""
    settled(path, UNJOINED, whole(LONGER, date="1999-01-01T00:00:00Z"))
    with closing(sqlite3.connect(path)) as connection:
        rows = connection.execute("SELECT url, documents, first_date, last_date FROM urls ORDER BY url").fetchall()
    assert rows == [(BEGINNING, 0, None, None), (LONGER, 2, "1999-01-01T00:00:00Z", "2001-05-05T00:00:00Z")]


def test_the_rest_of_a_finding_follows(path: Path) -> None:
    """Cautions are those of the chosen URL, and a note on the candidate moves to its end; and all comes back."""
    end = len(BEGINNING)
    own = unjoined(BEGINNING, {LONGER: 0.25})._replace(
        cautions=("old",), problems=(("unclosed-wrapper", end, end), ("other", 0, end))
    )
    witness = Mail("bert@example.org", (Found(LONGER, cautions=("password",)),))
    before = content(database(path, [Mail("anna@example.org", (own,)), witness]))
    run("settle", path)
    tables = content(path)
    assert [row[3:5] for row in tables["problems"]] == [(len(LONGER), len(LONGER)), (0, len(LONGER))]
    with closing(sqlite3.connect(path)) as connection:
        shown = connection.execute("SELECT cautions, rivals FROM rows ORDER BY rowid LIMIT 1").fetchone()
        assert shown == ('["password"]', f'["{BEGINNING}"]')
        connection.execute("UPDATE findings SET certainty = 'inferred' WHERE id = 2")
        connection.commit()
    run("settle", path)
    after = content(path)
    assert after["problems"] == before["problems"]
    assert after["findings"][0] == before["findings"][0]


def test_growth_revises(path: Path) -> None:
    """New evidence speaks for the other reading: the settlement is revised, and the reader's own reading comes back."""
    own = content(database(path, [JOINED]))
    grown(path, [whole(BEGINNING)])
    run("settle", path)
    assert first(path)[0] == BEGINNING
    grown(path, [whole(LONGER, "zoe@example.org", "Mine")])
    run("settle", path)
    assert first(path)[0] == LONGER
    assert content(path)["joins"] == own["joins"]


def test_evidence_that_goes_is_missed(path: Path) -> None:
    """What settled a reading is gone: all is as the reader left it."""
    before = content(database(path, [JOINED]))
    grown(path, [whole(BEGINNING)])
    run("settle", path)
    with closing(sqlite3.connect(path)) as connection:
        connection.execute("UPDATE findings SET certainty = 'inferred' WHERE id = 2")
        connection.commit()
    assert run("settle", path).exit_code == 1
    after = content(path)
    assert all(after[name] == before[name] for name in ("readings", "joins", "settled_by", "own_readings"))
    assert after["findings"][0] == before["findings"][0]
    assert [(url, documents) for _, url, *_, documents in after["urls"]] == [(LONGER, 1), (BEGINNING, 1)]


MIXED = [
    UNJOINED,
    JOINED._replace(sender="dora@example.org", subject="Dora"),
    whole(LONGER, "zoe@example.org", "Mine"),
    Mail("emil@example.org", (broken(DROPPED, {KEPT: 0.02}, 0.97), Found(KEPT))),
    whole(KEPT, "fred@example.org", "Fred"),
]
