"""The page of `urlglean report`: right HTML that fetches nothing, whatever strangers wrote, and that all can read."""

from __future__ import annotations

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

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from catalogues import catalog
from handmade import Held, Letter, filled
from report_pages import of_mail, page_of, parsed, words
from urlglean.archive import report as report_module
from urlglean.archive.database import catalogue
from urlglean.archive.report import page
from urlglean.archive.report_blocks import LONGEST, cut

STYLE = (Path(report_module.__file__).parent / "report.css").read_text(encoding="utf-8")


@pytest.fixture(scope="module")
def mail(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The catalogue of `report_pages.MAIL`."""
    return of_mail(tmp_path_factory.mktemp("report") / "mail.db")


@pytest.fixture(scope="module")
def html(mail: Path) -> str:
    """The page about it."""
    return page_of(mail)


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


def test_pygal_leaves_no_finder_of_modules(mail: Path) -> None:
    """Its own is older than what Python asks for, and would make each import warn."""
    page_of(mail)
    assert not [finder for finder in sys.meta_path if type(finder).__module__.startswith("pygal")]


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


def test_what_is_read_again_is_not_counted_again(tmp_path: Path) -> None:
    """Messages, texts, files and octets are those that lie somewhere, however many runs have seen them."""
    corpus, db = Path(__file__).parent.parent / "corpus/mail", tmp_path / "mail.db"
    told = []
    for _ in range(2):
        assert catalog(db, corpus).exit_code == 0
        whole = words(parsed(page_of(db)))
        told.append(whole[whole.index("What was read") : whole.index("The runs of the program")])
    assert told[0].partition("messages")[0] == told[1].partition("messages")[0]
    assert told[0].partition("different URLs")[2] == told[1].partition("different URLs")[2]
    assert "16 messages and 0 other texts" in told[0]  # 12 in the mailbox, 3 in the Maildir, 1 by itself


def test_a_catalogue_where_nothing_can_be_written_is_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """On a medium for reading only, SQLite cannot make the files beside it that its log needs."""
    db = of_mail(tmp_path / "mail.db")
    with closing(sqlite3.connect(db)) as connection:
        connection.execute("PRAGMA journal_mode = WAL")
    monkeypatch.setattr(os, "access", lambda *_: False)
    with catalogue(db) as connection:
        assert connection.execute("SELECT count(*) FROM documents").fetchone() > (0,)
        assert [path.name for path in tmp_path.iterdir()] == ["mail.db"]
