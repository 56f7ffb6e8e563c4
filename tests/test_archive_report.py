"""`urlglean report`: what a page tells of a catalogue."""

from __future__ import annotations

import sqlite3
import sys
from contextlib import closing
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from commands import run
from handmade import Held, Letter, filled
from report_pages import cells, of_mail, page_of, parsed
from urlglean.archive.report_query import size
from urlglean.archive.report_years import MOST, NO_DATE, by_period


@pytest.fixture(scope="module")
def mail(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The catalogue of `report_pages.MAIL`."""
    return of_mail(tmp_path_factory.mktemp("report") / "mail.db")


@pytest.fixture(scope="module")
def html(mail: Path) -> str:
    """The page about it."""
    return page_of(mail)


def test_years_are_counted_by_scheme(html: str) -> None:
    """A row for each year between the ends and one for no date: documents, URLs, new URLs, and those of each scheme."""
    assert cells(html, "years") == [
        ["1994", "1", "3", "3", "2", "0", "1"],
        ["1995", "0", "0", "0", "0", "0", "0"],
        ["1996", "1", "3", "2", "2", "1", "0"],
        ["no date", "1", "1", "0", "1", "0", "0"],
    ]


def test_schemes_are_counted_and_dead_ones_are_told(html: str) -> None:
    """The most frequent first; a gopher URL has a row of its own among the dead."""
    assert [row[:3] for row in cells(html, "schemes")] == [["http", "5", "3"], ["ftp", "1", "1"], ["gopher", "1", "1"]]
    ((scheme, _why, urls, documents, first, last, example),) = cells(html, "dead")
    assert (scheme, urls, documents, first, last) == ("gopher", "1", "1", "1994-05-01", "1994-05-01")
    assert example == "gopher://gopher.example.net/1"


def test_domains_and_hosts_are_in_the_order_of_their_documents(html: str) -> None:
    """Documents, findings, different URLs, first and last date."""
    assert cells(html, "domains") == [
        ["example.org", "3", "4", "2", "1994-05-01", "1996-05-01"],
        ["example.com", "1", "2", "2", "1996-05-01", "1996-05-01"],
        ["example.net", "1", "1", "1", "1994-05-01", "1994-05-01"],
    ]
    assert [row[:2] for row in cells(html, "hosts")] == [
        ["www.example.org", "3"],
        ["ftp.example.com", "1"],
        ["gopher.example.net", "1"],
        ["www.example.com", "1"],
    ]


def test_an_empty_host_is_none(tmp_path: Path) -> None:
    """A file URL has a host that is empty, and is in no list of hosts."""
    text = tmp_path / "text.txt"
    text.write_text("It is in <file:///etc/motd>.\n")
    assert run("catalog", tmp_path / "text.db", text).exit_code == 0
    made = page_of(tmp_path / "text.db")
    assert [row[0] for row in cells(made, "schemes")] == ["file"]
    assert cells(made, "hosts") == []


def test_wrappers_are_counted(html: str) -> None:
    """Found, share, broken, mean confidence."""
    assert [row[:1] + row[2:] for row in cells(html, "wrappers")] == [
        ["bare", "6", "85.7%", "2", "0.923"],
        ["url-angle", "1", "14.3%", "0", "0.999"],
    ]


def test_broken_urls_are_counted_by_confidence(html: str) -> None:
    """In each band: all, not settled, settled, mean confidence, and how many stand whole in another document."""
    rows = cells(html, "sure")
    assert [row for row in rows if row[1] != "0"] == [
        ["0.50 to 0.80", "1", "0", "1", "0.600", "0"],
        ["0.95 to 0.98", "1", "1", "0", "0.970", "1"],
    ]
    assert len(rows) == 6
    assert cells(html, "settled") == [["2 to 4 others", "1", "0.600"]]
    assert [[row[0], row[2]] for row in cells(html, "joins")] == [["hard-wrap", "1"], ["hyphen-kept", "1"]]


def test_only_a_whole_url_is_a_witness(tmp_path: Path) -> None:
    """A URL that is broken in two documents stands whole in none; nor does one that is whole in the same document."""
    url, other = "http://www.example.org/broken", "http://www.example.org/both"
    broken = Held(url=url, confidence=0.99, joins=((5, 6, "hard-wrap"),))
    both = (Held(url=other, confidence=0.99, joins=((5, 6, "hard-wrap"),)), Held(url=other, confidence=0.99))
    letters = [Letter(holds=(broken,)), Letter(holds=(broken, *both))]
    rows = cells(page_of(filled(tmp_path / "witness.db", letters)), "sure")
    assert rows[-1] == ["0.98 to 1.00", "3", "3", "0", "0.990", "0"]


def test_only_the_first_problem_of_a_url_counts(tmp_path: Path) -> None:
    """So that the numbers are those of URLs."""
    held = Held(url="http://www.example.org/ä", valid=False, problems=(("not-ascii", "", ""), ("space", "", "")))
    assert [row[0] for row in cells(page_of(filled(tmp_path / "two.db", [Letter(holds=(held,))])), "problems")] == [
        "not-ascii"
    ]


def test_problems_that_are_no_json_are_told_as_none(tmp_path: Path) -> None:
    """A database in which somebody has written has a page all the same."""
    where = filled(tmp_path / "edited.db", [Letter(rejects=(Held(url="http:"),))])
    with closing(sqlite3.connect(where)) as connection:
        connection.execute("UPDATE rejects SET problems = '{'")
        connection.commit()
    assert [row[2] for row in cells(page_of(where), "rejects")] == ["1"]


def test_what_is_wrong_is_counted(html: str) -> None:
    """By the code of the first problem, with its meaning; troubles by their cause."""
    assert [[row[0], row[2]] for row in cells(html, "problems")] == [["not-ascii", "1"]]
    assert [[row[0], row[2]] for row in cells(html, "rejects")] == [["incomplete", "1"]]
    assert cells(html, "troubles") == [["cut", "2", "a.mbox"]]
    assert cells(html, "runs") == [["2001-01-01", "not ended", "3", "4", "0", "0", "0"]]


def test_the_oldest_and_the_newest_are_listed(html: str) -> None:
    """By the day of the first document that holds a URL."""
    assert cells(html, "oldest")[0][:3] == ["gopher://gopher.example.net/1", "1994-05-01", "1994-05-01"]
    assert [row[1] for row in cells(html, "newest")] == ["1996-05-01"] * 2 + ["1994-05-01"] * 3


def test_sizes_have_units() -> None:
    """Less than 1,000 of a unit, if there is a larger one."""
    assert [size(each) for each in (None, 999, 1500, 2_000_000, 3 * 10**15)] == [
        "0 octets", "999 octets", "1.5 kB", "2.0 MB", "3,000.0 TB",
    ]  # fmt: skip


def test_an_empty_catalogue_has_a_page(tmp_path: Path) -> None:
    """All sections are there, and say that there is nothing."""
    made = page_of(filled(tmp_path / "empty.db", []))
    assert [each.get("id") for each in parsed(made).iter("section") if each.get("id")] == [
        "read", "years", "schemes", "hosts", "written", "broken", "refused", "ends",
    ]  # fmt: skip
    assert "There is nothing to draw" in made


def test_a_catalogue_without_dates_has_a_page(tmp_path: Path) -> None:
    """All is counted under no date; so is a date that is none."""
    letters = [
        Letter(holds=(Held(url="http://www.example.org/"),), date=date) for date in (None, "", "102-07-23", "May 1994")
    ]
    assert cells(page_of(filled(tmp_path / "undated.db", letters)), "years") == [["no date", "4", "4", "1", "4"]]


def test_troubles_of_several_parts_are_told_together(tmp_path: Path) -> None:
    """The number of the part is no other cause."""
    troubles = [("a", "part 1: cut"), ("b", "part 2.1: cut"), ("c", "partly cut")]
    rows = cells(page_of(filled(tmp_path / "troubles.db", [], troubles=troubles)), "troubles")
    assert rows == [["cut", "2", "a"], ["partly cut", "1", "c"]]


@given(st.lists(st.dictionaries(st.none() | st.integers(0, 9999), st.integers(1, 10**6)), min_size=1, max_size=3))
def test_periods_lose_nothing(given_counts: list[dict[int | None, int]]) -> None:
    """However the years lie, there are few periods, their names differ, and the sum of each count stays."""
    counts = dict(enumerate(given_counts))
    periods = by_period(counts)
    assert len(periods) <= MOST + 3
    for what, each in counts.items():
        assert sum(period[what] for period in periods.values()) == sum(each.values())
        assert periods.get(NO_DATE, {}).get(what, 0) == each.get(None, 0)


def test_years_that_are_far_off_do_not_widen_the_chart() -> None:
    """A few documents of a wrong clock are told together, before and behind the years of all others."""
    years: dict[int | None, int] = {1904: 1, 1994: 500, 1996: 400, 2036: 1, 2098: 1}
    periods = by_period({0: years})
    assert {label: each[0] for label, each in periods.items()} == {
        "before 1994": 1, "1994": 500, "1995": 0, "1996": 400, "after 1996": 2,
    }  # fmt: skip


def test_many_years_are_divided_into_decades() -> None:
    """More than 40 years are told by 2, 5 or 10 together, from a round year."""
    periods = by_period({0: dict.fromkeys(range(1803, 2004), 1)})
    labels = list(periods)
    assert (labels[0], labels[-1], len(labels)) == ("1800–09", "2000–09", 21)


def test_the_page_replaces_a_file_when_it_is_complete(mail: Path, tmp_path: Path) -> None:
    """What was there is replaced; nothing else is left."""
    output = tmp_path / "report.html"
    output.write_text("before")
    result = run("report", mail, "-o", output)
    assert (result.exit_code, result.stdout) == (0, "")
    assert output.read_text(encoding="utf-8") == page_of(mail)
    assert list(tmp_path.iterdir()) == [output]


def test_the_catalogue_is_not_written_over(mail: Path, tmp_path: Path) -> None:
    """Neither under its own name nor under another."""
    link = tmp_path / "link.html"
    link.symlink_to(mail)
    for output in (mail, link):
        result = run("report", mail, "-o", output)
        assert result.exit_code == 2
        assert "is the catalogue itself" in result.stderr
    assert mail.read_bytes().startswith(b"SQLite format 3\0")


def test_a_page_goes_to_a_file(mail: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """As it has a name, and is replaced when it is whole; "-" is none."""
    monkeypatch.chdir(tmp_path)
    result = run("report", mail, "-o", "-")
    assert (result.exit_code, "for stdout, -o /dev/stdout" in result.stderr) == (2, True)
    assert not Path("-").exists()


@pytest.mark.parametrize("missing", ["pygal", "jinja2"])
def test_without_its_packages_it_says_what_to_install(
    missing: str, mail: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The message has the command, the exit status is that of trouble, and there is no file."""
    monkeypatch.setitem(sys.modules, missing, None)
    result = run("report", mail, "-o", tmp_path / "report.html")
    assert result.exit_code == 2
    assert "pip install pygal jinja2" in result.stderr
    assert list(tmp_path.iterdir()) == []
