"""The comparison with other finders of URLs on mail, from a folder to the report, with finders made up for the test."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import pytest

import compare
from comparison import reading
from comparison.filters import MissingError
from comparison.peers import Peer, Running
from comparison.records import Disagreement, Found
from comparison.tally import Tally
from urlglean.records import TextPart

MAIL = """From: Ann <ann@example.org>
Subject: see http://a.example/subject.
Content-Type: {type}; charset=utf-8

{body}
"""


def everything(*, bare: bool) -> Running:
    """A finder that takes every word with a colon, and with `bare` every word with a dot."""

    def find(text: str) -> list[Found]:
        found, at = [], 0
        for word in text.split():
            at = text.index(word, at)
            if ":" in word or (bare and "." in word):
                found.append(Found(at, at + len(word), word))
            at += len(word)
        return found

    return Running("2", find)


def failing(*, bare: bool) -> Running:
    """A finder that fails at a certain word."""

    def find(text: str) -> list[Found]:
        if "fail" in text:
            raise ValueError("no\nway")
        return []

    return Running("3", find)


def gone(*, bare: bool) -> Running:
    """A finder that is not installed."""
    raise MissingError("no such module")


EVERYTHING = Peer("everything", None, "", everything)
FAILING = Peer("failing", frozenset(), "", failing)
GONE = Peer("gone", None, "pip install gone", gone)


@pytest.fixture
def mail(tmp_path: Path) -> Path:
    """A folder with a plain message, an HTML message, and a message at which a finder fails."""
    (tmp_path / "1.eml").write_text(MAIL.format(type="text/plain", body="(http://a.example/b) no www.c.example"))
    (tmp_path / "2.eml").write_text(
        MAIL.format(type="text/html", body='<a href="http://h.example/">http://a.example/h</a> <p>http://a.example/i.')
    )
    (tmp_path / "3.eml").write_text(MAIL.format(type="text/plain", body="it: fail"))
    return tmp_path


def printed(capsys: pytest.CaptureFixture[str], *arguments: object, peers: Sequence[Peer] = (EVERYTHING,)) -> str:
    """The output of the command."""
    assert compare.main([str(argument) for argument in arguments], peers) == 0
    return capsys.readouterr().out


def test_all_tools_see_the_texts_that_urlglean_reads(mail: Path) -> None:
    """They see header fields, plain text and visible text of HTML, but no attributes and no text without a colon."""
    read = reading.read([str(mail)], bare=False)
    texts = [text for text in read.texts if text.part.field in {None, "Subject"}]
    assert [text.part.text.strip() for text in texts] == [
        "see http://a.example/subject.",
        "(http://a.example/b) no www.c.example",
        "see http://a.example/subject.",
        "http://a.example/h\n\nhttp://a.example/i.",
        "see http://a.example/subject.",
        "it: fail",
    ]
    assert read.counts["messages and files"] == 3
    assert texts[1].place == f"{mail}/1.eml 1"


def test_texts_that_are_too_long_are_counted(mail: Path) -> None:
    """They are left out for all tools."""
    read = reading.read([str(mail)], bare=False, longest=30)
    assert all(len(text.part.text) <= 30 for text in read.texts)
    assert read.counts["texts left out for their length"] == 2


def test_ours_agrees_with_a_scan(mail: Path) -> None:
    """Findings have their wrapper, rejects the code of their first problem."""
    part = TextPart('a "http://a.example/" http://a..example/')
    assert reading.Ours().find(part) == [Found(3, 20, "http://a.example/", wrapper="quoted")]
    assert reading.Ours().rejects(part) == [(22, 40, "unexpected-character")]


def test_the_report_has_the_tools_the_shapes_and_samples_of_each(
    mail: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """The same URL in the subjects of three messages gives three places and one sample."""
    report = printed(capsys, mail)
    assert "| everything | 2 | 7 | 1 | 6 | 0 |" in report
    assert "| other ends later: at a stop at the end | 4 | 2 | 4 |" in report
    assert "| only other: no slashes | 1 | 1 | 1 |" in report
    assert "## other ends later: at a stop at the end: 2 of 2" in report
    assert "    ours:  http://a.example/i\n    other: http://a.example/i.\n" in report
    assert "    | http://a.example/h\n    | \n    | ⟦http://a.example/i.⟧\n" in report
    assert printed(capsys, mail) == report


def test_bare_compares_hosts_without_a_scheme(mail: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """With `--bare`, each such host is something that only the other tool finds."""
    assert "only other: no scheme" not in printed(capsys, mail)
    assert "| only other: no scheme | 1 | 1 | 1 |" in printed(capsys, mail, "--bare")


def test_a_missing_or_failing_tool_is_reported_and_the_others_go_on(
    mail: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """The report says how to get a missing tool, and the place of the text at which a tool failed."""
    assert compare.main([str(mail)], (GONE, FAILING, EVERYTHING)) == 0
    out, err = capsys.readouterr()
    assert err.splitlines() == [
        "gone is left out: no such module (to get it: pip install gone)",
        f"failing gave up {mail}/3.eml 1: ValueError: no way",
    ]
    assert "| failing | 3 | 0 | 0 | 0 | 1 |" in out
    assert "gone" not in out


def test_without_any_other_tool_there_is_nothing_to_compare(mail: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """The exit status is 1."""
    assert compare.main([str(mail)], (GONE,)) == 1
    assert "nothing to compare with" in capsys.readouterr().err


def test_a_tool_can_be_left_out(mail: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """`--without` leaves out a tool, because one of them is a thousand times as slow as the rest."""
    assert "failing" not in printed(capsys, mail, "--without", "failing", peers=(EVERYTHING, FAILING))


def cases(numbers: range) -> list[Disagreement]:
    """Disagreements that are unlike one another, all of one shape."""
    urls = [f"http://a.example/{number}" for number in numbers]
    return [Disagreement(f"see {url} there", (), (Found(4, 4 + len(url), url),)) for url in urls]


def drawn(cases: list[Disagreement], seed: int) -> list[str]:
    """The URLs in the sample of these disagreements, at most four."""
    tally = Tally(4, seed)
    for case in cases:
        tally.see(case, [EVERYTHING], "here")
    return [one.other[0] for one in tally.sample("only other: the rest")]


def test_a_sample_depends_on_the_seed_and_not_on_the_order() -> None:
    """A sampled disagreement stays in the sample when others are removed, and each can be sampled."""
    held = cases(range(100))
    sample = drawn(held, 1)
    assert len(set(sample)) == 4
    assert drawn(held[::-1], 1) == sample
    assert drawn(held * 2, 1) == sample
    assert drawn(held, 2) != sample
    assert set(sample[1:]) < set(drawn([case for case in held if case.other[0].url != sample[0]], 1))
    assert len({url for seed in range(200) for url in drawn(held, seed)}) > 95


def test_a_sample_shows_the_text_around() -> None:
    """The URLs of both tools are in the middle, with a limited stretch of text on each side."""
    tally = Tally(1, 1)
    text = "x" * 500 + " http://a.example/ " + "y" * 500
    tally.see(Disagreement(text, (), (Found(501, 518, "http://a.example/"),)), [EVERYTHING], "here")
    (one,) = tally.sample("only other: the rest")
    assert (one.place, one.peers, one.ours, one.other) == ("here", ("everything",), (), ("http://a.example/",))
    assert (one.before, one.within, one.behind) == ("x" * 159 + " ", "http://a.example/", " " + "y" * 159)


def test_a_sample_of_size_zero_keeps_the_counts() -> None:
    """With a sample size of 0, disagreements are still counted."""
    tally = Tally(0, 1)
    for case in cases(range(3)):
        tally.see(case, [EVERYTHING], "here")
    assert (tally.sample("only other: the rest"), tally.distinct("only other: the rest")) == ([], 3)
