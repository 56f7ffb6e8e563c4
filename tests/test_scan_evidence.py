"""`urlglean scan --evidence`: a catalogue settles doubtful readings while they are read, by the rule of `settle`."""

from __future__ import annotations

import gc
import json
import sqlite3
import tempfile
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result
from hypothesis import given
from hypothesis import strategies as st

from databases import Found, Mail, broken, database, grown
from urlglean import extract
from urlglean.archive.database import catalogue
from urlglean.archive.evidence import doubtful
from urlglean.bounds import DEFAULT
from urlglean.cli import main
from urlglean.pipeline.collection import Collection, ForDocument, stamp_of
from urlglean.pipeline.glean import glean
from urlglean.pipeline.options import Evidence, Options
from urlglean.pipeline.run import RunOptions, Settings
from urlglean.records import Document, JoinRule, Message, Reading, Span
from urlglean.text.choosing import Choice, settled_by
from urlglean.text.extract import Extractor

WHOLE = "http://www.example.org/choir/autumn/rehearsals-and-concerts/2001/programme.html"
FIRST, REST = WHOLE[:62], WHOLE[62:]
BROKEN = f"The programme of our concerts is at last complete, and you find it here:\n{FIRST}\n{REST} as promised.\n"


def message(sender: str = "anna@example.org", subject: str = "The concerts", body: str = BROKEN) -> bytes:
    """A message, without an envelope line."""
    return f"From: {sender}\nSubject: {subject}\nDate: Sat, 1 Sep 2001 12:00:00 +0000\n\n{body}\n".encode()


def whole(url: str = WHOLE, sender: str = "bert@example.org", subject: str = "Else", **more: Any) -> Mail:
    """A document of the catalogue in which a URL stands whole."""
    return Mail(sender, (Found(url),), subject, **more)


def run(*arguments: str, settings: Settings | None = None) -> Result:
    """The result of `urlglean scan`."""
    return CliRunner().invoke(main, ["scan", "--format", "jsonl", *arguments], obj=settings)


def rows(result: Result) -> list[dict[str, Any]]:
    """The rows of a scan."""
    assert result.exit_code == 0, result.output
    return [json.loads(line) for line in result.stdout.splitlines()]


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The folder with a message in it."""
    monkeypatch.chdir(tmp_path)
    Path("mail.eml").write_bytes(message())
    return tmp_path


class Held:
    """A collection that has some URLs."""

    def __init__(self, *urls: str) -> None:
        self.urls = urls

    def documents_with(self, url: str) -> tuple[int, int]:
        """Each of them once."""
        return (int(url in self.urls), int(url in self.urls))


def test_joined() -> None:
    """What the reader did not join is joined, and the rival is kept."""
    database(Path("mail.db"), [whole()])
    (without,) = rows(run("mail.eml", "--joins", "never"))
    assert (without["url"], without["rivals"]) == (FIRST, [WHOLE])
    (row,) = rows(run("mail.eml", "--joins", "never", "--evidence", "mail.db"))
    assert (row["url"], row["rivals"]) == (WHOLE, [FIRST])
    assert row["confidence"] > without["confidence"]
    assert row["end"] - row["start"] == len(WHOLE) + 1


def test_unjoined() -> None:
    """What the reader joined ends in its line again, and what stands behind it is read."""
    url, rest = "http://www.example.org/archive/letters-of-the-year", "find?to=http://www.example.org/b"
    text = f"See\n{url}\n{rest}\nNothing else is known, and no other letter was received.\n"
    (joined,) = extract(text)
    assert joined.url == url + rest
    made = Extractor("current", "likely").beside(Held(url))(text)
    assert [finding.url for finding in made] == [url, "http://www.example.org/b"]
    assert made[0].joins == ()
    assert made[0].pieces == (Span(4, 4 + len(url)),)
    assert made[0].rivals == (joined.url,)


def test_pieces_and_joins_are_those_of_the_reading() -> None:
    """The URL consists of its pieces, and the join says what was taken out."""
    (finding,) = Extractor("current", "never").beside(Held(WHOLE))(BROKEN)
    assert "".join(BROKEN[piece.start : piece.end] for piece in finding.pieces) == WHOLE
    (join,) = finding.joins
    assert (BROKEN[join.at.start : join.at.end], join.rule) == ("\n", JoinRule.HARD_WRAP)
    assert finding.span == Span(finding.pieces[0].start, finding.pieces[-1].end)


def test_hyphens() -> None:
    """A wrapper whose hyphen may have been put in: the collection has the other one."""
    text = "<http://www.example.org/the-\nchoir>"
    (own,) = extract(text)
    (other,) = own.rivals
    (made,) = Extractor("current", "likely").beside(Held(other))(text)
    assert (made.url, made.rivals, made.wrapper) == (other, (own.url,), own.wrapper)


def test_only_doubtful_findings_are_asked_about() -> None:
    """Those without a rival stay, and so do those that are not valid."""

    class Never:
        def documents_with(self, url: str) -> tuple[int, int]:
            raise AssertionError(url)

    text = "http://www.example.org/a and <http://www.example.org/b> (http://www.example.org/c). See"
    text += " <http://www.example.org/d and\n"
    assert Extractor("current", "likely").beside(Never())(text) == extract(text)
    raw, valid = Reading(f"{FIRST}{{x}}", (), ()), Reading(FIRST, (), ())
    choices = [Choice(raw, "raw", 0.5), Choice(valid, "salvaged", 0.4)]
    assert settled_by(Never(), choices) == choices


def test_least_asks_for_the_settled_confidence() -> None:
    """A reading that was settled is sure enough."""
    database(Path("mail.db"), [whole()])
    assert run("mail.eml", "--joins", "never", "--least", "0.9").exit_code == 1
    assert len(rows(run("mail.eml", "--joins", "never", "--least", "0.9", "--evidence", "mail.db"))) == 1


@pytest.mark.parametrize("size", [1, 2, 40])
def test_the_rows_are_the_same_for_all_jobs(size: int) -> None:
    """Workers open the catalogue themselves."""
    database(Path("mail.db"), [whole(), whole(FIRST, "carl@example.org", "Third")])
    for number in range(size):
        Path(f"{number}.eml").write_bytes(message(f"{number}@example.org", f"Subject {number}"))
    arguments = (".", "--joins", "never", "--evidence", "mail.db")
    alone = rows(run(*arguments, "--jobs", "1"))
    shared = rows(run(*arguments, "--jobs", "2", settings=Settings(RunOptions(alone=0, chunk=1000))))
    assert alone == shared
    assert {row["url"] for row in alone} == {WHOLE}
    assert len(alone) == size + 1


def test_a_catalogue_that_changes_meanwhile() -> None:
    """Not every document would be read by the same evidence: it is told, and not taken."""
    path = database(Path("mail.db"), [whole()])
    with catalogue(path, write=True) as connection:
        connection.execute("PRAGMA journal_mode = WAL")  # as `catalog` does
        evidence = Evidence(str(path), stamp_of(connection))
    document = Document("mail.eml", message(), "message")
    options = Options(joins="never", evidence=evidence)
    assert [one.finding.url for one in glean([document], options)[0].occurrences] == [WHOLE]
    other_whole = WHOLE.replace("choir", "opera")
    other_document = Document("mail.eml", message(body=BROKEN.replace("choir", "opera")), "message")
    grown(path, [whole(other_whole, "carl@example.org", "Third")])
    # What is open sees no change.
    assert glean([other_document], options)[0].occurrences[0].finding.rivals == (other_whole,)
    with catalogue(path) as connection:
        now = Evidence(str(path), stamp_of(connection))
    assert now != evidence
    renewed = glean([other_document], Options(joins="never", evidence=now))
    assert renewed[0].occurrences[0].finding.url == other_whole
    other = Options(joins="never", evidence=Evidence(str(path.absolute()), evidence.stamp))
    (report,) = glean([document], other)
    assert report.occurrences == ()
    assert "it has changed since the scan began" in report.troubles[0].cause


@pytest.mark.parametrize("change", ["a run ends", "a run begins", "a copy more"])
def test_stamp(change: str) -> None:
    """It changes with all that may change what a catalogue says."""
    path = database(Path("mail.db"), [whole()])
    with catalogue(path, write=True) as connection:
        before = stamp_of(connection)
        assert stamp_of(connection) == before
        connection.execute(
            {
                "a run ends": "UPDATE runs SET ended = '2026-01-02T00:00:00Z'",
                "a run begins": "INSERT INTO runs (version, options, started) VALUES ('0', '{}', '')",
                "a copy more": "INSERT INTO copies (document, digest, run) VALUES (1, 'more', 1)",
            }[change]
        )
        assert stamp_of(connection) != before


def test_resuming_wants_the_same_catalogue() -> None:
    """The catalogue is one of the options of the run."""
    one, other = (Options(evidence=Evidence("mail.db", stamp)) for stamp in ("[1]", "[2]"))
    assert one != other
    assert Options().of_findings == {key: value for key, value in one.of_findings.items() if key != "evidence"}
    assert one.of_findings["evidence"] == "mail.db"


def test_misuse() -> None:
    """What is read is not written, and what is no catalogue is refused before anything is written."""
    database(Path("mail.db"), [whole()])
    held = Path("mail.db").read_bytes()
    result = CliRunner().invoke(main, ["scan", "mail.eml", "-o", "mail.db", "--evidence", "mail.db"])
    assert result.exit_code == 2
    assert "both read and written" in result.stderr
    assert Path("mail.db").read_bytes() == held
    result = run("mail.eml", "-o", "rows.jsonl", "--evidence", "mail.eml")
    assert result.exit_code == 2
    assert "file is not a database" in result.stderr
    assert not list(Path().glob("rows*"))
    result = run("mail.eml", "--evidence", "missing.db")
    assert (result.exit_code, "there is no such file" in result.stderr) == (2, True)


def test_its_own_copy_in_the_catalogue_is_no_evidence() -> None:
    """A text has no author, and may be scanned by another path than it was catalogued by."""
    Path("notes.txt").write_text(f"Before: {WHOLE} is it.\n\n{BROKEN}", encoding="ascii")
    assert CliRunner().invoke(main, ["catalog", "mail.db", "notes.txt", "--joins", "never"]).exit_code == 0
    arguments = (str(Path("notes.txt").absolute()), "--joins", "never")
    assert rows(run(*arguments, "--evidence", "mail.db")) == rows(run(*arguments))
    Path("notes.txt").rename("copy.txt")
    Path("copy.txt").write_text(f"{BROKEN}", encoding="ascii")
    assert rows(run("copy.txt", "--joins", "never", "--evidence", "mail.db"))[0]["url"] == WHOLE


def test_enough_documents_are_looked_at() -> None:
    """Those of the author and of the thread come first, and are left out; one is left."""
    own = whole(sender="anna@example.org", subject="Else", date="2001-09-02T00:00:00Z")
    reply = whole(sender="bert@example.org", subject="Re: The concerts", date="2001-09-03T00:00:00Z")
    other = whole(sender="carl@example.org", subject="Third", date="2001-09-04T00:00:00Z")
    database(Path("two.db"), [own, reply])
    database(Path("three.db"), [own, reply, other])
    arguments = ("mail.eml", "--joins", "never", "--evidence")
    assert [row["url"] for row in rows(run(*arguments, "two.db"))] == [FIRST]
    assert [row["url"] for row in rows(run(*arguments, "three.db"))] == [WHOLE]


def test_a_collection_serves_all_threads_until_it_is_dropped() -> None:
    """Then it is closed, in whatever thread."""
    database(Path("mail.db"), [whole()])
    with closing(sqlite3.connect("mail.db")) as connection:
        held = Collection(Evidence("mail.db", stamp_of(connection)))
    with ThreadPoolExecutor(1) as other:
        (voices, _) = other.submit(held.voices, WHOLE).result()
    assert [voice.author for voice in voices] == ["bert@example.org"]
    connection = held._connection
    del held
    gc.collect()
    with pytest.raises(sqlite3.ProgrammingError):
        connection.execute("SELECT 1")


names = st.sampled_from(["anna@example.org", "bert@example.org", "carl@example.org", "dora@example.org"])
urls = st.sampled_from([FIRST, WHOLE])
mails = st.lists(
    st.builds(
        lambda sender, url, sure, *rest: Mail(sender, (Found(url, confidence=0.99 + sure / 100),), *rest),
        st.none() | names,
        urls,
        st.booleans(),
        st.none() | st.sampled_from(["The concerts", "Re: the concerts", "Two", "Three"]),
        st.none() | st.sampled_from([f"2001-09-0{day}T12:00:00Z" for day in (1, 2)] + ["2000-01-01T00:00:00Z"]),
        st.sampled_from(["one.mbox", "two.mbox", "mail.eml"]),
    ),
    max_size=8,
)


@given(mails, st.sampled_from(["The concerts", "Re: Two", ""]), names)
def test_one_rule(held: list[Mail], subject: str, sender: str) -> None:
    """Both commands count the same documents, as far as it matters: none, or one and more."""
    date = "2001-09-01T12:00:00Z"
    doubt = Mail(sender, (broken(WHOLE, {FIRST: 0.2}, 0.7),), subject, date, "mail.eml")
    with tempfile.TemporaryDirectory() as folder:
        path = database(Path(folder) / "mail.db", [doubt, *held])
        with catalogue(path) as connection:
            (found,) = doubtful(connection)
            evidence = Evidence(str(path), stamp_of(connection))
        header = {b"from": sender.encode(), b"subject": subject.encode(), b"date": b"Sat, 1 Sep 2001 12:00:00 +0000"}
        asked = ForDocument(evidence, Document("mail.eml", b"", "message"), Message((), (), header), DEFAULT)
        for weighed in found.readings:
            whole, surely = asked.documents_with(weighed.url)
            assert (whole > 0, surely > 0) == (weighed.whole > 0, weighed.surely_whole > 0)


def test_both_commands_give_the_same_rows() -> None:
    """A collection that is catalogued and settled, and the same that is scanned by its catalogue."""
    Path("mail.eml").unlink()
    mails = [
        message(),
        message("bert@example.org", "Else", f"It is {WHOLE} now.\n"),
        message("carl@example.org", "Re: The concerts", "> " + BROKEN.replace("\n", "\n> ")),
        message("dora@example.org", "Choirs", "<http://www.example.org/the-\nchoir>\n"),
        message("emil@example.org", "Choir", "See http://www.example.org/thechoir there.\n"),
    ]
    for number, mail in enumerate(mails):
        Path(f"{number}.eml").write_bytes(mail)
    for joins in ("never", "likely"):
        CliRunner().invoke(main, ["catalog", "mail.db", ".", "--joins", joins])
        scanned = rows(run(".", "--joins", joins, "--evidence", "mail.db"))
        assert CliRunner().invoke(main, ["settle", "mail.db"]).exit_code == 0
        with closing(sqlite3.connect("mail.db")) as connection:
            settled = connection.execute("SELECT url, confidence, rivals FROM rows ORDER BY path").fetchall()
        assert [(row["url"], row["confidence"], row["rivals"]) for row in scanned] == [
            (url, confidence, json.loads(rivals)) for url, confidence, rivals in settled
        ]
        Path("mail.db").unlink()
