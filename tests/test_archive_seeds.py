"""`urlglean seeds`: which URLs of a catalogue are given to a crawler, in which order and form."""

from __future__ import annotations

import csv
import io
import json
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest
from click.testing import CliRunner, Result
from hypothesis import given
from hypothesis import strategies as st

from handmade import Held, Letter, filled
from urlglean.archive.seed_rules import BAD_PORTS, RULES, Asked, Seed, pieces_of
from urlglean.archive.seeds import FORMATS, Selection, _define, _queries
from urlglean.cli import main
from urlglean.sources.kinds import kind_of
from urlglean.sources.own_outputs import OWN
from urlglean.sources.streams import Stream


def seeds(database: Path, *arguments: str) -> Result:
    """The result of the command."""
    return CliRunner().invoke(main, ["seeds", str(database), *arguments])


def listed(database: Path, *arguments: str) -> list[str]:
    """The lines that it writes to stdout."""
    return seeds(database, *arguments).stdout.splitlines()


def of(path: Path, *urls: str) -> Path:
    """A catalogue of one document that holds these URLs."""
    return filled(path / "catalogue.db", [Letter(holds=tuple(Held(url=url) for url in urls))])


REFUSED = {
    "no-href": ["http://[::1/", "http://exa mple.org/"],
    "scheme": [
        "mailto:someone@example.org",
        "gopher://gopher.example.org/1",
        "telnet://host.example.org/",
        "news:a.b.c",
    ],
    "password": [
        "http://user:secret@www.example.org/",
        "ftp://anonymous:me@ftp.example.org/pub",
        "http://:x@www.example.org/",
    ],
    "private-address": [
        "http://127.0.0.1/",
        "http://0x7f.1/",
        "http://2130706433/",
        "http://10.1.2.3/a",
        "http://192.168.0.1:8080/",
        "http://172.16.0.9/",
        "http://169.254.169.254/latest/meta-data/",
        "http://100.64.0.1/",
        "http://0.0.0.0/",
        "http://224.0.0.1/",
        "http://[::1]/",
        "http://[fe80::1]/",
        "http://[fd00::1]/",
        "http://[ff02::1]/",
        "http://[::ffff:10.0.0.1]/",
        "http://[::ffff:224.0.0.1]/",
        "http://192.0.0.8/",
        "http://192.88.99.1/",
        "http://240.0.0.1/",
        "http://[::127.0.0.1]/",
        "http://[::ffff:0:10.0.0.1]/",
        "http://[64:ff9b::127.0.0.1]/",
        "http://[64:ff9b:1::10.0.0.1]/",
        "http://[2002:7f00:1::]/",
        "http://[2002:a00:1:2:3:4:5:6]/",
        "http://[2001:db8::1]/",
        "http://[3fff:fff::1]/",
        "http://[5f00::1]/",
        "http://[fec0::1]/",
    ],
    "local-name": [
        "http://localhost/",
        "http://printer.local/",
        "http://a.b.LOCALHOST./",
        "http://www.shop.example/",
        "http://www.company.test/",
        "http://abcdef.onion/",
        "http://nas.home.arpa/",
        "http://wiki.corp/",
    ],
    "single-label": ["http://server/", "http://www./", "ftp://archive/pub"],
    "bad-port": ["http://www.example.org:25/", "https://irc.example.org:6667/"],
}
"""By the name of a rule: URLs that it alone refuses. `doubtful` asks for a confidence, and has a test of its own."""

TAKEN = [
    "http://www.example.org/",
    "https://example.com/a?b=c#d",
    "ftp://ftp.example.org/pub/",
    "ftp://anonymous@ftp.example.org/",
    "http://www.example.org:8080/",
    "http://8.8.8.8/",
    "http://[2606:4700::1111]/",
    "http://[::ffff:808:808]/",
    "http://[::808:808]/",
    "http://[::ffff:0:808:808]/",
    "http://[64:ff9b::808:808]/",
    "http://[2002:808:808::1]/",
    "http://[3fff:1000::1]/",
    "http://localhost.example.org/",
    "http://mylocal.org/",
    "http://home.arpanet.org/",
    "ftp://ftp.example.org:25/",
]
"""URLs that no rule refuses."""


@pytest.mark.parametrize(("name", "url"), [(name, url) for name, urls in REFUSED.items() for url in urls])
def test_each_rule_leaves_out_what_it_is_for(name: str, url: str, tmp_path: Path) -> None:
    """Such a URL is not listed, stderr counts it under the name of its rule, and the exit status says that none is."""
    result = seeds(of(tmp_path, url))
    assert (result.stdout, result.exit_code) == ("", 1)
    assert f"({name})" in result.stderr
    assert "left out: 1 " in result.stderr


@pytest.mark.parametrize(("name", "url"), [(name, url) for name, urls in REFUSED.items() for url in urls[:1]])
def test_only_that_rule_leaves_it_out(name: str, url: str, tmp_path: Path) -> None:
    """With all URLs asked for, it is listed, unless it is none that a browser can write."""
    assert len(listed(of(tmp_path, url), "--all")) == (name != "no-href")


def test_a_scheme_that_is_asked_for_is_listed(tmp_path: Path) -> None:
    """Even if no crawler fetches it, or its URLs have no host; in text, a blank in it is encoded."""
    database = of(tmp_path, "mailto:someone@example.org", "mailto:some one@example.org", "http://www.example.org/")
    expected = ["mailto:some%20one@example.org", "mailto:someone@example.org"]
    assert sorted(listed(database, "--scheme", "mailto")) == expected


def test_every_rule_has_its_examples() -> None:
    """The table of examples names the rules, in their order, but for the one that asks for a confidence."""
    assert [rule.name for rule in RULES if rule.name != "doubtful"] == list(REFUSED)


def test_what_a_crawler_may_fetch_is_listed(tmp_path: Path) -> None:
    """No rule refuses a public host, be it an address, a port that browsers use, or a name that only looks local."""
    database = of(tmp_path, *TAKEN)
    assert sorted(listed(database)) == sorted(TAKEN)
    assert seeds(database).stderr.endswith(f"{len(TAKEN)} URLs; left out: none\n")


LOCAL = "example invalid localhost test local onion alt home.arpa localdomain internal corp home intranet lan private"
"""The ends of names that are not public."""


@pytest.mark.parametrize("name", LOCAL.split())
def test_each_local_name_is_left_out(name: str, tmp_path: Path) -> None:
    """A host below it is left out, one whose name only ends in the same letters is not."""
    assert listed(of(tmp_path, f"http://www.{name}/", f"http://www.not{name}.org/")) == [f"http://www.not{name}.org/"]


def test_ports_of_mail_and_news_are_bad_and_those_of_the_web_are_not() -> None:
    """The table has the ports of the services that browsers must not reach."""
    assert {21, 22, 25, 110, 119, 143, 6000, 6667} <= BAD_PORTS
    assert not BAD_PORTS & {80, 443, 70, 1024, 3000, 8000, 8080, 8443}


def test_the_least_confidence_is_that_of_the_surest_finding(tmp_path: Path) -> None:
    """A URL that is doubtful in one document is listed because it is sure in another; 0.5 is the default."""
    url, other = "http://www.example.org/sure", "http://www.example.org/doubtful"
    letters = [
        Letter(holds=(Held(url=url, confidence=0.3), Held(url=other, confidence=0.49))),
        Letter(holds=(Held(url=url, confidence=0.9),)),
    ]
    database = filled(tmp_path / "catalogue.db", letters)
    assert listed(database) == [url]
    assert "1 less likely than asked for (doubtful)" in seeds(database).stderr
    assert listed(database, "--all") == [url]
    assert listed(database, "--least", "0.49") == [other, url]
    assert listed(database, "--least", "0.91") == []


def test_a_url_is_listed_once_however_it_is_written(tmp_path: Path) -> None:
    """Spellings with one `href` are one seed, with the documents of all, the earliest date and the latest."""
    letters = [
        Letter(holds=(Held(url="HTTP://www.Example.ORG"),), date="1996-01-02T00:00:00Z"),
        Letter(
            holds=(Held(url="http://www.example.org/"), Held(url="http://www.example.org:80/")),
            date="1994-05-06T00:00:00Z",
        ),
    ]
    (line,) = listed(filled(tmp_path / "catalogue.db", letters), "--format", "jsonl")
    assert json.loads(line) == {
        "href": "http://www.example.org/",
        "surt": "org,example,www)/",
        "scheme": "http",
        "host": "www.example.org",
        "domain": "example.org",
        "confidence": 0.99,
        "documents": 2,
        "first_date": "1994-05-06T00:00:00Z",
        "last_date": "1996-01-02T00:00:00Z",
    }


def test_the_order_is_that_of_the_surts(tmp_path: Path) -> None:
    """Hosts of one domain stand together, paths in order below them, whatever the order of the mail."""
    urls = ["http://b.example.com/", "http://z.example.org/", "http://a.example.org/2", "http://a.example.org/1"]
    expected = ["http://b.example.com/", "http://a.example.org/1", "http://a.example.org/2", "http://z.example.org/"]
    (tmp_path / "back").mkdir()
    assert listed(of(tmp_path, *urls)) == listed(of(tmp_path / "back", *reversed(urls))) == expected


CHOSEN = [
    (["--scheme", "FTP"], ["ftp://ftp.example.org/old"]),
    (["--scheme", "gopher"], ["gopher://gopher.example.net/1"]),
    (["--scheme", "ftp", "--scheme", "gopher"], ["gopher://gopher.example.net/1", "ftp://ftp.example.org/old"]),
    (["--host", "*.EXAMPLE.com"], ["http://www.example.com/new"]),
    (["--host", "f?p.*"], ["ftp://ftp.example.org/old"]),
    (["--domain", "Example.org"], ["ftp://ftp.example.org/old"]),
    (["--domain", "example"], []),
    (["--newsgroup", "comp.*"], ["http://www.example.com/new"]),
    (["--newsgroup", "misc.test"], ["http://www.example.com/new", "ftp://ftp.example.org/old"]),
    (["--newsgroup", "test"], []),
    (["--since", "1995"], ["http://www.example.com/new"]),
    (["--until", "1994"], ["ftp://ftp.example.org/old"]),
    (["--until", "1994-03"], []),
    (["--since", "1994-05-31", "--until", "1994-05-31"], ["ftp://ftp.example.org/old"]),
    (["--since", "1995", "--seen", "last"], ["http://www.example.com/new", "ftp://ftp.example.org/old"]),
    (["--until", "1996", "--seen", "last"], ["http://www.example.com/new"]),
    (["--host", "*.com", "--since", "1996"], []),
]
"""Arguments, and which seeds of the catalogue below they select, in order."""


@pytest.fixture(scope="module")
def chosen(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A catalogue of four documents, one of them without a date."""
    old, new = Held(url="ftp://ftp.example.org/old"), Held(url="http://www.example.com/new")
    letters = [
        Letter(holds=(old,), date="1994-05-31T23:59:59Z", newsgroups=("misc.test",)),
        Letter(holds=(new,), date="1995-02-01T00:00:00Z", newsgroups=("comp.infosystems", "misc.test")),
        Letter(holds=(old,), date="1997-01-01T00:00:00Z"),
        Letter(holds=(Held(url="gopher://gopher.example.net/1"),)),
    ]
    return filled(tmp_path_factory.mktemp("chosen") / "catalogue.db", letters)


@pytest.mark.parametrize(("arguments", "expected"), CHOSEN, ids=" ".join)
def test_options_select(arguments: list[str], expected: list[str], chosen: Path) -> None:
    """Each option selects what the table says; several of one kind select what any of them does."""
    assert listed(chosen, *arguments) == expected


@pytest.mark.parametrize(
    "arguments",
    [
        ["--host", "bücher.example"],
        ["--host", "XN--BCHER-KVA.*"],
        ["--domain", "bücher.example"],
        ["--domain", "xn--bcher-kva.example"],
        ["--newsgroup", "ünï.*"],
        ["--newsgroup", "[!a]nï.z"],
    ],
    ids=" ".join,
)
def test_case_and_the_form_of_a_name_in_idna_make_no_difference(arguments: list[str], tmp_path: Path) -> None:
    """As in a scan; SQLite knows the case of ASCII letters only."""
    db = filled(tmp_path / "catalogue.db", [Letter(holds=(Held(url="http://BÜCHER.example/"),), newsgroups=("Ünï.Z",))])
    assert listed(db, "--all", *arguments) == ["http://xn--bcher-kva.example/"]


@pytest.mark.parametrize(
    "date", ["94", "1994-13", "1994-02-30", "May", "1994-5", "1994-05-01T00:00", "1994-W02", "١٩٩٤"]
)
def test_a_date_that_is_none_is_refused(date: str, chosen: Path) -> None:
    """The message shows how to write one."""
    result = seeds(chosen, "--since", date)
    assert result.exit_code == 2
    assert "1994-05-31" in result.stderr


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (["--since", "1995", "--until", "1994-05"], "since 1995 and until 1994-05 leave nothing"),
        (["--scheme", "ht tp"], "'ht tp' is no scheme's name"),
        (["--least", "nan"], "nan is no number"),
        (["--host", "["], 'its "[" is not closed'),
    ],
)
def test_what_selects_nothing_is_refused(arguments: list[str], told: str, chosen: Path) -> None:
    """It is a mistake."""
    result = seeds(chosen, *arguments)
    assert (result.exit_code, result.stdout) == (2, "")
    assert told in result.stderr


def test_formats_have_the_same_seeds(chosen: Path) -> None:
    """Text, JSON lines and CSV list the same URLs in the same order; `surt` their keys."""
    text = listed(chosen)
    rows = [json.loads(line) for line in listed(chosen, "--format", "jsonl")]
    records = list(csv.DictReader(io.StringIO(seeds(chosen, "--format", "csv").stdout, newline="")))
    assert [row["href"] for row in rows] == [record["href"] for record in records] == text
    assert [record["surt"] for record in records] == listed(chosen, "--format", "surt")
    assert list(records[0]) == list(rows[0])
    for name in ("jsonl", "csv"):
        stream = Stream("seeds", io.BytesIO(seeds(chosen, "--format", name).stdout.encode()).read1)
        assert kind_of(stream).name == OWN, "a scan leaves them out"


def test_a_surt_is_listed_once(tmp_path: Path) -> None:
    """URLs that differ in their fragment alone have one key in a web archive."""
    database = of(tmp_path, "http://www.example.org/a#1", "http://www.example.org/a#2", "http://www.example.org/b")
    assert listed(database, "--format", "surt") == ["org,example,www)/a", "org,example,www)/b"]
    assert len(listed(database)) == 3


hostile = st.text(st.characters(exclude_categories=["Cs"]), max_size=30)
"""Any text that a database can hold."""


@given(
    st.lists(
        st.builds(Seed, hostile, hostile, hostile, hostile, hostile, st.floats(0, 1), st.just(1), hostile, hostile)
    )
)
def test_no_value_breaks_a_line(given_seeds: list[Seed]) -> None:
    """Whatever the catalogue holds, a line of text or SURTs is one seed's, and each sign in it is seen."""
    for name in ("text", "surt"):
        lines = "".join(FORMATS[name](given_seeds))
        assert lines.count("\n") == len(lines.splitlines()) <= len(given_seeds)
        assert lines.replace("\n", "").isprintable()
    *rows, end = "".join(FORMATS["jsonl"](given_seeds)).split("\n")
    assert [json.loads(row)["href"] for row in rows] == [seed.href for seed in given_seeds]
    assert end == ""
    records = list(csv.reader(io.StringIO("".join(FORMATS["csv"](given_seeds)), newline="")))
    assert len(records) == len(given_seeds) + 1


@given(hostile)
def test_no_href_makes_a_rule_raise(href: str) -> None:
    """A database made by hand may hold what is no URL; each rule says yes or no."""
    asked = Asked(Seed(href, None, None, None, None, 1, 1, None, None), pieces_of(f"http://{href}"), (), 0.5)
    assert {rule.refuses(asked) for rule in RULES} <= {True, False}


@pytest.mark.parametrize("selection", [Selection(), Selection(newsgroups=("a",), schemes=("http",), since="1994")])
def test_the_work_is_linear(selection: Selection, tmp_path: Path) -> None:
    """Each table but the first is looked up by key or index, and only the list of seeds is sorted."""
    with closing(sqlite3.connect(of(tmp_path, *TAKEN))) as connection:
        _define(connection, selection)
        for statement, values in _queries(selection):
            plan = [row[3] for row in connection.execute(f"EXPLAIN QUERY PLAN {statement}", values)]
            tables = [step for step in plan if step.startswith(("SCAN", "SEARCH")) and "json_each" not in step]
            assert tables[0].startswith("SEARCH urls USING INDEX urls_href")
            assert all("INTEGER PRIMARY KEY" in step or "USING INDEX findings_url " in step for step in tables[1:])
            assert not any("GROUP BY" in step for step in plan if "DISTINCT" not in step)


def test_the_catalogue_is_not_written(chosen: Path) -> None:
    """It is the same octets before and after, and nothing is left beside it."""
    before = chosen.read_bytes()
    seeds(chosen)
    assert chosen.read_bytes() == before
    assert list(chosen.parent.iterdir()) == [chosen]


def test_what_is_no_catalogue_is_refused(tmp_path: Path) -> None:
    """A missing file and another file are told on stderr, with the exit status of trouble."""
    other = tmp_path / "other.db"
    other.write_text("no database")
    for path in (tmp_path / "none.db", other):
        result = seeds(path)
        assert (result.stdout, result.exit_code) == ("", 2)
        assert str(path) in result.stderr


def test_an_empty_catalogue_has_no_seeds(tmp_path: Path) -> None:
    """Nothing is listed, and the exit status says so."""
    result = seeds(filled(tmp_path / "catalogue.db", []))
    assert (result.stdout, result.exit_code) == ("", 1)
