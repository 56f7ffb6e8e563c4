"""`urlglean report`: a page of HTML about a catalogue, whatever the catalogue holds."""

from __future__ import annotations

import gzip
import os
import re
import shutil
import sqlite3
import sys
from base64 import b64encode
from collections import Counter
from collections.abc import Iterator
from contextlib import closing
from hashlib import sha256
from itertools import pairwise
from pathlib import Path
from typing import Any

import html5lib
import pytest
from click.testing import CliRunner, Result
from hypothesis import given, settings
from hypothesis import strategies as st

from handmade import Held, Letter, filled
from urlglean.archive import report as report_module
from urlglean.archive import report_samples
from urlglean.archive.report import page
from urlglean.archive.report_blocks import LONGEST, cut
from urlglean.archive.report_query import size
from urlglean.archive.report_years import MOST, NO_DATE, by_period
from urlglean.cli import main

STYLE = (Path(report_module.__file__).parent / "report.css").read_text(encoding="utf-8")


def run(*arguments: object) -> Result:
    """The result of a command."""
    return CliRunner().invoke(main, [str(each) for each in arguments])


def page_of(database: Path) -> str:
    """The page about a catalogue."""
    with closing(sqlite3.connect(database, isolation_level=None)) as connection:
        return page(connection, database.name)


def parsed(html: str) -> Any:
    """The tree of a page, by a parser that raises for each error of the HTML Standard."""
    tree = html5lib.HTMLParser(strict=True, namespaceHTMLElements=False).parse(html)
    for element in tree.iter():
        element.tag = element.tag.rpartition("}")[2]  # of SVG
    return tree


def words(element: Any) -> str:
    """All text in an element, with single spaces."""
    return " ".join("".join(element.itertext()).split())


def cells(html: str, name: str) -> list[list[str]]:
    """The body of the table of that name, as text; no row if there is no such table."""
    for table in parsed(html).iter("table"):
        if table.find("caption").get("id") == f"t-{name}":
            return [[words(cell) for cell in row] for row in table.find("tbody")]
    return []


MAIL = [
    Letter(
        holds=(
            Held(url="http://www.example.org/a", wrapper="url-angle", certainty="stated", confidence=0.999),
            Held(
                url="http://www.example.org/broken", confidence=0.97, joins=((5, 8, "hard-wrap"),), certainty="inferred"
            ),
            Held(url="gopher://gopher.example.net/1"),
        ),
        rejects=(Held(url="http:", problems=(("incomplete", "RFC 1738 5", "something is missing"),)),),
        date="1994-05-01T00:00:00Z",
        subject="The first letter",
        newsgroups=("misc.test",),
    ),
    Letter(
        holds=(
            Held(url="http://www.example.org/broken", confidence=0.999),
            Held(url="http://www.example.com/x", confidence=0.6, joins=((5, 8, "hyphen-kept"),), settled=3),
            Held(url="ftp://ftp.example.com/ä", valid=False, problems=(("not-ascii", "RFC 1738 2.2", "a character"),)),
        ),
        date="1996-05-01T00:00:00Z",
    ),
    Letter(holds=(Held(url="http://www.example.org/a"),)),
]


@pytest.fixture(scope="module")
def mail(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The catalogue of `MAIL`."""
    where = tmp_path_factory.mktemp("report") / "mail.db"
    return filled(where, MAIL, troubles=[("a.mbox", "cut"), ("b.mbox", "cut")], files=3, messages=4, octets=1_500_000)


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


def test_the_page_is_right_html_and_can_be_listened_to(html: str) -> None:
    """Headings go down step by step, tables have captions and scopes, pictures have a name and a description."""
    tree = parsed(html)
    levels = [int(each.tag[1]) for each in tree.iter() if re.fullmatch(r"h\d", str(each.tag))]
    assert levels[0] == 1
    assert levels.count(1) == 1
    assert all(after <= before + 1 for before, after in pairwise(levels))
    assert tree.get("lang") == "en"
    names = Counter(each.get("id") for each in tree.iter() if each.get("id"))
    assert set(names.values()) == {1}
    for table in tree.iter("table"):
        assert words(table.find("caption"))
        assert {each.get("scope") for each in table.iter("th")} == {"col", "row"}
        assert all(row[0].tag == "th" for row in table.iter("tr"))
    pictures = [each for each in tree.iter("svg") if each.get("role") == "img"]
    assert len(pictures) == 6
    for picture in pictures:
        told = [
            words(each)
            for name in picture.get("aria-labelledby").split()
            for each in picture.iter()
            if each.get("id") == name
        ]
        assert len(told) == 2
        assert all(told)
    assert all(each.get("aria-hidden") == "true" for each in tree.iter("svg") if each not in pictures)


def test_nothing_is_fetched_and_nothing_foreign_runs(html: str) -> None:
    """The policy allows the page's own style sheet and script by their digests and nothing else; no link leaves it."""
    tree = parsed(html)
    (policy,) = [each.get("content") for each in tree.iter("meta") if each.get("http-equiv")]
    (style,), (script,) = tree.iter("style"), tree.iter("script")
    digests = [f"'sha256-{b64encode(sha256(each.text.encode()).digest()).decode()}'" for each in (style, script)]
    assert policy.split("; ")[:3] == ["default-src 'none'", f"style-src {digests[0]}", f"script-src {digests[1]}"]
    attributes = Counter((name, value) for each in tree.iter() for name, value in each.attrib.items())
    assert not [
        name
        for name, _ in attributes
        if name in {"src", "style", "action", "srcset", "xlink:href"} or name.startswith("on")
    ]
    assert all(value.startswith("#") for name, value in attributes if name == "href")
    assert "url(" not in style.text
    assert "@import" not in style.text


def test_the_page_depends_on_the_catalogue_alone(mail: Path, html: str) -> None:
    """The same catalogue gives the same page, to the octet."""
    assert page_of(mail) == html


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


anything = st.text(st.characters(exclude_categories=["Cs"]), max_size=40)
MARKUP = [
    "<script>alert(1)</script>",
    '"><img src=x onerror=y>',
    "</title></style></script>",
    "{{ 7 * 7 }}",
    "{% raw %}",
    "&lt;b&gt;",
    "]]>",
    "-->",
    "'",
    "\u202e",
    "\x00",
    "\x1b[2J",
]
hostile = anything | st.sampled_from(MARKUP) | st.builds("{}{}{}".format, anything, st.sampled_from(MARKUP), anything)
"""What strangers may write into a URL, a subject or a path."""


@st.composite
def hostile_letters(draw: st.DrawFn) -> list[Letter]:
    """Documents that hold such, wherever the data of a catalogue can be a text."""

    def held() -> Held:
        return Held(
            url=draw(hostile), wrapper=draw(hostile), certainty=draw(hostile), joins=((1, 2, draw(hostile)),),
            problems=((draw(hostile), draw(hostile), draw(hostile)),), readings=((draw(hostile), 0.1),),
            part=draw(hostile), field=draw(hostile), settled=draw(st.integers(1, 20)), start=3,
        )  # fmt: skip

    return [
        Letter(
            holds=(held(),), rejects=(held(),), path=draw(hostile), subject=draw(hostile), date=draw(hostile),
            kind=draw(hostile), digest=f"{number}{draw(hostile)}",
        )
        for number in range(draw(st.integers(1, 2)))
    ]  # fmt: skip


@pytest.fixture(scope="module")
def shapes(html: str) -> set[tuple[str, str]]:
    """The elements of a harmless page, with their attributes."""
    return set(elements(html))


def elements(html: str) -> Iterator[tuple[str, str]]:
    """Each element with each of its attributes, and once without."""
    for element in parsed(html).iter():
        yield str(element.tag), ""
        yield from ((str(element.tag), str(name)) for name in element.attrib)


@settings(max_examples=60)
@given(letters=hostile_letters(), name=hostile, cause=hostile)
def test_what_strangers_wrote_stays_text(
    letters: list[Letter], name: str, cause: str, shapes: set[tuple[str, str]], tmp_path_factory: pytest.TempPathFactory
) -> None:
    """The page is right HTML, without an element or attribute that the page of harmless mail does not have.

    Nothing in it is invisible but white space.
    """
    where = tmp_path_factory.mktemp("hostile") / "hostile.db"
    filled(where, letters, troubles=[(name, cause)], version=name, started=cause, ended=name)
    with closing(sqlite3.connect(where, isolation_level=None)) as connection:
        made = page(connection, name)
    shutil.rmtree(where.parent)
    assert set(elements(made)) <= shapes | {("p", "class")}
    assert re.sub(r"[\n\t]", "", made).isprintable()


def test_the_size_of_the_page_is_bounded(tmp_path: Path) -> None:
    """Hundreds of hosts, schemes, codes and causes, and URLs of 20,000 characters: a page of less than a megabyte."""
    long = "x" * 20_000
    letters = [
        Letter(
            holds=(
                Held(
                    url=f"s{at}://host{at}.d{at}.example/{long if at % 100 == 0 else ''}",
                    wrapper=f"w{at}", certainty=f"c{at}",
                    joins=((5, 6, f"rule{at}"),), problems=((f"code{at}", "", long),), readings=((long, 0.2),),
                ),
            ),
            rejects=(Held(url=long, problems=((f"code{at}", "", long),)),) if at % 100 == 0 else (),
            date=f"{at:04}-01-01T00:00:00Z", subject=long, path=f"{at}{long}" if at % 100 == 0 else "a",
        )
        for at in range(500)
    ]  # fmt: skip
    made = page_of(filled(tmp_path / "large.db", letters, troubles=[(f"{at}", f"cause {at}") for at in range(500)]))
    parsed(made)
    assert len(made) < 1_000_000
    assert max(map(len, re.split(r"[\s<>]", made.partition("</style>")[2]))) < 2 * LONGEST


def test_texts_are_cut() -> None:
    """What is longer than 300 characters ends in an ellipsis, escapes included; what is invisible becomes an escape."""
    assert cut("x" * 300) == "x" * 300
    assert cut("x" * 301) == "x" * 300 + "…"
    assert cut("\u202e" * 300) == "\\u202e" * 50 + "…"
    assert cut(None) is None


def test_troubles_of_several_parts_are_told_together(tmp_path: Path) -> None:
    """The number of the part is no other cause."""
    troubles = [("a", "part 1: cut"), ("b", "part 2.1: cut"), ("c", "partly cut")]
    rows = cells(page_of(filled(tmp_path / "troubles.db", [], troubles=troubles)), "troubles")
    assert rows == [["cut", "2", "a"], ["partly cut", "1", "c"]]


def test_no_file_but_a_regular_one_is_opened(tmp_path: Path) -> None:
    """A named pipe and stdin are not read, let alone waited for."""
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    writer = os.open(pipe, os.O_RDWR)  # so that a program that opens it does not wait for ever
    holds = (Held(url="http://www.example.org/", joins=((5, 6, "hard-wrap"),)),)
    letters = [Letter(holds=holds, path=str(pipe)), Letter(holds=holds, path="-")]
    made = page_of(filled(tmp_path / "pipe.db", letters))
    os.close(writer)
    assert "its file is not there any more" in made
    assert "its file cannot be read" not in made


def test_the_subject_of_a_sample_is_one_line(tmp_path: Path) -> None:
    """What was folded in the header is shown with single blanks."""
    letter = Letter(holds=(Held(url="http://www.example.org/"),), subject="A long\t subject\u00a0line")
    assert "A long subject line" in page_of(filled(tmp_path / "subject.db", [letter]))


def test_pygal_leaves_no_finder_of_modules(mail: Path) -> None:
    """Its own is older than what Python asks for, and would make each import warn."""
    page_of(mail)
    assert not [finder for finder in sys.meta_path if type(finder).__module__.startswith("pygal")]


def test_a_sample_of_many_links_is_the_right_one(tmp_path: Path) -> None:
    """The links of a page of HTML have the same field; the one that is shown is that of the URL."""
    links = "".join(f'<a href="http://www.example.org/{name}">x</a>' for name in ("aaa", "bbb", "ccc"))
    web = tmp_path / "page.html"
    web.write_text(f"<!DOCTYPE html><html><body>{links}</body></html>")
    database = tmp_path / "page.db"
    assert run("catalog", database, web).exit_code == 0
    shown = [words(each.find("pre")) for each in parsed(page_of(database)).iter("article")]
    assert shown == ["http://www.example.org/aaa", "http://www.example.org/ccc"]


def test_a_relative_path_begins_at_the_folder_of_its_run(
    mailbox: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A report that is made elsewhere finds the mail all the same."""
    monkeypatch.chdir(tmp_path)
    assert run("catalog", "mail.db", mailbox.name).exit_code == 0
    (tmp_path / "elsewhere").mkdir()
    monkeypatch.chdir(tmp_path / "elsewhere")
    assert sample(tmp_path / "mail.db")[0] == SHOWN


def test_the_work_is_linear(mail: Path) -> None:
    """In the plan of each statement, only the first table of a loop is read as a whole; all others are looked up."""
    asked: set[str] = set()
    with closing(sqlite3.connect(mail, isolation_level=None)) as connection:
        connection.set_trace_callback(asked.add)
        page(connection, "mail")
        connection.set_trace_callback(None)
        statements = [each for each in asked if each.startswith(("SELECT", "WITH"))]
        assert len(statements) > 20
        for statement in statements:
            loops: dict[int, list[str]] = {}
            for _number, parent, _, step in connection.execute(f"EXPLAIN QUERY PLAN {statement}"):
                if step.startswith(("SCAN", "SEARCH")) and "VIRTUAL TABLE" not in step:
                    loops.setdefault(parent, []).append(step)
            for steps in loops.values():
                assert not any(step.startswith("SCAN") for step in steps[1:]), (statement, steps)


def luminance(colour: str) -> float:
    """The relative luminance of a colour (WCAG 2.2)."""
    channels = [int(colour[at : at + 2], 16) / 255 for at in (1, 3, 5)]
    linear = [each / 12.92 if each <= 0.04045 else ((each + 0.055) / 1.055) ** 2.4 for each in channels]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def contrast(one: str, other: str) -> float:
    """The contrast ratio of two colours (WCAG 2.2)."""
    lighter, darker = sorted((luminance(one), luminance(other)), reverse=True)
    return (lighter + 0.05) / (darker + 0.05)


@pytest.mark.parametrize("at", [0, 1], ids=["light", "dark"])
def test_colours_have_contrast(at: int) -> None:
    """Text has at least 4.5 to 1 on each ground, the colours of charts 3 to 1 (WCAG 2.2, 1.4.3 and 1.4.11)."""
    block = re.findall(r":root \{(.*?)\n *\}", STYLE, re.DOTALL)[at]
    colours = dict(re.findall(r"--(\w+): (#[0-9a-f]{6})", block))
    for text in ("ink", "soft", "link", "gone"):
        for ground in ("paper", "tint"):
            assert contrast(colours[text], colours[ground]) >= 4.5, (text, ground)
    for ground in ("mark", "refused"):
        assert contrast(colours["ink"], colours[ground]) >= 4.5, ground
    for number in range(6):
        assert contrast(colours[f"c{number}"], colours["paper"]) >= 3, number


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


TEXT = """\
From someone@example.org Mon May  2 10:00:00 1994
From: someone@example.org
Message-ID: <1@example.org>
Date: Mon, 2 May 1994 10:00:00 +0000
Subject: Two <b>pages</b>

One line.
Another line.
The last line before.
> It is at <URL:http://www.example.org/
> pages/index.html>, and <not a tag>.
The first line behind.
The next line behind.
One line more.

"""


@pytest.fixture
def mailbox(tmp_path: Path) -> Path:
    """A mailbox of `TEXT`."""
    path = tmp_path / "mail.mbox"
    path.write_text(TEXT)
    return path


def sample(database: Path) -> tuple[str, Any]:
    """The text of the first sample of a broken URL, and its element."""
    with closing(sqlite3.connect(database, isolation_level=None)) as connection:
        made = page(connection, "mail")
    (section,) = [each for each in parsed(made).iter("section") if each.get("id") == "broken"]
    article = next(iter(section.iter("article")))
    shown = article.find("pre")
    return "" if shown is None else "".join(shown.itertext()), article


SHOWN = """\
Another line.
The last line before.
> It is at <URL:http://www.example.org/
> pages/index.html>, and <not a tag>.
The first line behind.
The next line behind."""


def test_a_sample_shows_its_text_with_the_pieces_marked(mailbox: Path, tmp_path: Path) -> None:
    """Two lines before and behind, the pieces marked, and what was taken out between them."""
    database = tmp_path / "mail.db"
    assert run("catalog", database, mailbox).exit_code == 0
    shown, article = sample(database)
    assert shown == SHOWN
    assert [each.text for each in article.iter("mark")] == ["http://www.example.org/", "pages/index.html"]
    assert ["".join(each.itertext()) for each in article.iter("s")] == ["\n> "]
    assert "http://www.example.org/pages/index.html" in words(article.find("h4"))
    assert "Two <b>pages</b>" in words(article.find("dl"))


def test_a_sample_is_found_in_packed_files(mailbox: Path, tmp_path: Path) -> None:
    """A compressed mailbox is unpacked as far as its message."""
    packed = tmp_path / "packed.mbox.gz"
    first = "From a@example.org Sun May  1 10:00:00 1994\nMessage-ID: <0@example.org>\n\nNothing.\n\n"
    packed.write_bytes(gzip.compress(first.encode() + mailbox.read_bytes()))
    database = tmp_path / "mail.db"
    assert run("catalog", database, packed).exit_code == 0
    assert sample(database)[0] == SHOWN


def test_no_sample_is_sought_farther_than_the_bound(
    mailbox: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Neither in a message that is longer, nor behind so many octets of a packed file."""
    monkeypatch.setattr(report_samples, "FAR", len(TEXT) + 99)
    packed = tmp_path / "packed.mbox.gz"
    packed.write_bytes(
        gzip.compress(b"From a@example.org Sun May  1 10:00:00 1994\n\n" + b"Nothing.\n" * 9 + TEXT.encode())
    )
    longer = tmp_path / "longer.mbox"
    longer.write_text(TEXT + "One line more.\n" * 9)
    for path, why in ((packed, "its text is not at its place any more"), (longer, "its text is too long to be shown")):
        database = tmp_path / f"{path.name}.db"
        assert run("catalog", database, path).exit_code == 0
        assert f"Not shown: {why}." in words(sample(database)[1])


def test_a_sample_is_found_in_a_window_of_a_long_text(tmp_path: Path) -> None:
    """A text that is read in several windows is shown where its URL stands."""
    text = tmp_path / "long.txt"
    text.write_text("A line of this text is as good as any other.\n" * 40_000 + SHOWN + "\nOne line more.\n" * 3)
    database = tmp_path / "long.db"
    assert run("catalog", database, text).exit_code == 0
    assert sample(database)[0] == SHOWN


def test_a_sample_without_its_file_is_a_url_alone(mailbox: Path, tmp_path: Path) -> None:
    """If the file has changed or is gone, the sample says so, and has its URL and readings all the same."""
    database = tmp_path / "mail.db"
    assert run("catalog", database, mailbox).exit_code == 0
    mailbox.write_text(TEXT.replace("Another", "A third"))
    shown, article = sample(database)
    assert shown == ""
    assert "Not shown: its text is not at its place any more." in words(article)
    mailbox.unlink()
    _, article = sample(database)
    assert "Not shown: its file is not there any more." in words(article)
    assert "http://www.example.org/pages/index.html" in words(article.find("h4"))


def test_a_catalogue_shows_no_file_of_which_it_does_not_know_the_digest(tmp_path: Path) -> None:
    """A catalogue that names a file of somebody else's does not get its text into the page."""
    secret = tmp_path / "secret.txt"
    secret.write_text("http://www.example.org/ is what nobody may read")
    held = Held(url="http://www.example.org/", joins=((5, 6, "hard-wrap"),))
    letter = Letter(holds=(held,), kind="text", path=str(secret), offset=0, length=47)
    assert "nobody may read" not in page_of(filled(tmp_path / "foreign.db", [letter]))


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
