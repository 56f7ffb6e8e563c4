"""What a caller wants of all that can be found: `urlglean.Wanted`, and the options of `urlglean scan` for it."""

from __future__ import annotations

import json
import re
import sqlite3
from contextlib import closing
from datetime import date
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

import urlglean
from urlglean import ContradictionError, Wanted
from urlglean.bounds import Bounds
from urlglean.cli import main
from urlglean.pipeline import glean as glean_module
from urlglean.pipeline.options import Options
from urlglean.pipeline.run import RunOptions, scanned
from urlglean.pipeline.scan_task import ScanTask
from urlglean.pipeline.wanted import LONGEST_NAME, forms_of
from urlglean.records import Document, Message

MAILBOX = """\
From a@b.example Mon Jan  3 10:00:00 1994
From: Ann <a@b.example>
Subject: see http://subject.example/
Date: Mon, 31 Jan 1994 23:30:00 -0500
Newsgroups: comp.infosystems.www,alt.test
Message-ID: <one@b.example>

http://b\u00fccher.example:80/1 ftp://u:p@ftp.example.org/2 mailto:c@example.org

From a@b.example Mon Jan  3 10:00:00 1995
From: Ann <a@b.example>
Date: some day
Newsgroups: rec.humor
Message-ID: <two@b.example>
MIME-Version: 1.0
Content-Type: multipart/alternative; boundary=x

--x
Content-Type: text/plain

http://plain.example/
--x
Content-Type: text/html

<a href="http://link.example/">http://shown.example/</a>
--x--
""".encode()

ONE = ["http://subject.example/", "http://b\u00fccher.example:80/1", "ftp://u:p@ftp.example.org/2"]
ONE_BODY = [*ONE[1:], "mailto:c@example.org"]
TWO = ["http://plain.example/", "http://shown.example/", "http://link.example/"]


def found(wanted: Wanted, source: bytes = MAILBOX) -> list[str]:
    """The URLs that are given."""
    return [each.finding.url for each in urlglean.scan(source, wanted=wanted)]


@pytest.fixture
def mailbox(tmp_path: Path) -> Path:
    """The path of the mailbox."""
    path = tmp_path / "box"
    path.write_bytes(MAILBOX)
    return path


def run(*arguments: object) -> Result:
    """Run the command in this process."""
    return CliRunner().invoke(main, ["scan", *map(str, arguments)])


def test_without_wishes_all_is_given() -> None:
    """The default leaves nothing out."""
    assert found(Wanted()) == [ONE[0], *ONE_BODY, *TWO]


@pytest.mark.parametrize(
    ("wanted", "given"),
    [
        (Wanted(schemes=("FTP", "news")), [ONE[2]]),
        (Wanted(hosts=("ftp.example.org",)), [ONE[2]]),
        (Wanted(hosts=("*.EXAMPLE.org",)), [ONE[2]]),
        (Wanted(hosts=("example.org",)), []),  # neither a part of a host, nor the domain of an address of mail
        (Wanted(hosts=("*",)), [*ONE, *TWO]),  # but what has no host
        (Wanted(hosts=("b\u00fccher.example",)), [ONE[1]]),
        (Wanted(hosts=("B\u00dcCHER.*",)), [ONE[1]]),
        (Wanted(hosts=("xn--bcher-KVA.example",)), [ONE[1]]),
        (Wanted(hosts=("s*.example", "[kl]ink.example")), [ONE[0], *TWO[1:]]),
        (Wanted(hosts=("*.example",), schemes=("ftp",)), []),
        (Wanted(since="1995"), []),
        (Wanted(since="1994-02"), [ONE[0], *ONE_BODY]),  # in UTC it is February
        (Wanted(since="1994-02-02"), []),
        (Wanted(until="1994-02-01"), [ONE[0], *ONE_BODY]),
        (Wanted(until="1994-01"), []),
        (Wanted(since="1994", until="1994"), [ONE[0], *ONE_BODY]),
        (Wanted(newsgroups=("ALT.*",)), [ONE[0], *ONE_BODY]),
        (Wanted(newsgroups=("alt.*", "rec.*")), [ONE[0], *ONE_BODY, *TWO]),
        (Wanted(newsgroups=("humor",)), []),
        (Wanted(messages=("2",)), TWO),
        (Wanted(messages=("02", "1")), [ONE[0], *ONE_BODY, *TWO]),
        (Wanted(messages=("3",)), []),
        (Wanted(messages=("one@b.example",)), [ONE[0], *ONE_BODY]),
        (Wanted(messages=("<two@b.example>",)), TWO),
        (Wanted(messages=("1",), newsgroups=("rec.*",)), []),
        (Wanted(header=True), [ONE[0]]),
        (Wanted(header=False), [*ONE_BODY, *TWO]),
        (Wanted(html=True), TWO[1:]),
        (Wanted(html=False), [ONE[0], *ONE_BODY, TWO[0]]),
        (Wanted(header=False, html=False), [*ONE_BODY, TWO[0]]),
    ],
)
def test_what_is_wanted_is_given(wanted: Wanted, given: list[str]) -> None:
    """The expectations were read off the mailbox."""
    assert found(wanted) == given


@pytest.mark.parametrize(
    ("url", "pattern"),
    [
        ("http://xn--bcher-kva.example/", "b\u00fccher.example"),
        ("http://xn--bcher-kva.example/", "*cher.example"),
        ("http://www.example.org./", "www.example.org"),
        ("http://www.example.org./", "www.example.org."),
        ("http://[2001:db8::1]/", "2001:db8:*"),
        ("http://WWW.Example.ORG/", "www.*"),
    ],
)
def test_a_host_has_severalforms_of(url: str, pattern: str) -> None:
    """Either form of IDNA, the dot of the root, the brackets of an address."""
    assert found(Wanted(hosts=(pattern,)), f"<URL:{url}>".encode()) == [url]


def test_a_host_that_is_no_name_matches_as_it_is_written() -> None:
    """A longer one is not converted."""
    names = ["\u00fc" * length + ".example" for length in (LONGEST_NAME - len(".example"), LONGEST_NAME)]
    assert [len(forms_of(name)) for name in names] == [4, 2]
    assert found(Wanted(hosts=("*.example",)), f"<URL:http://{names[1]}/>".encode()) == [f"http://{names[1]}/"]


def test_a_text_has_no_date_no_group_and_no_number() -> None:
    """It is left out if one is asked for. It has no header either, but a body."""
    text = b"see http://a.example/ here\n"
    for wanted in (Wanted(since="0001"), Wanted(newsgroups=("*",)), Wanted(messages=("1",)), Wanted(header=True)):
        assert found(wanted, text) == []
    assert found(Wanted(header=False), text) == ["http://a.example/"]


def test_a_long_text_that_is_left_out_counts_once(tmp_path: Path) -> None:
    """It is read in windows, and each of them is left out."""
    (tmp_path / "long").write_text("see http://a.example/ here\n" * 100_000)
    assert (
        ", 0 messages, 1 text, 1 of these not wanted (1 without a date), 0 parts, "
        in run("--since=1994", tmp_path).stderr
    )


def test_a_message_alone_in_its_file_has_number_one() -> None:
    """So `--message 1` means the same for each file."""
    message = MAILBOX.partition(b"\n\nFrom ")[0].partition(b"\n")[2]
    assert found(Wanted(messages=("1",)), message) == [ONE[0], *ONE_BODY]
    assert found(Wanted(messages=("2",)), message) == []


def test_one_message_can_be_chosen_from_in_the_library() -> None:
    """`extract_message` takes the same record."""
    message = MAILBOX.partition(b"\n\nFrom ")[0].partition(b"\n")[2]
    given = urlglean.extract_message(message, wanted=Wanted(header=True))
    assert [each.finding.url for each in given] == [ONE[0]]


def test_what_is_left_out_whole_is_not_even_decoded(monkeypatch: pytest.MonkeyPatch) -> None:
    """A message of another date costs no more than its header."""
    read: list[str] = []
    real = glean_module._message

    def noted(document: Document, bounds: Bounds) -> Message:
        read.append(document.path)
        return real(document, bounds)

    monkeypatch.setattr(glean_module, "_message", noted)
    assert found(Wanted(until="1993")) == []
    assert not read
    found(Wanted(until="1994"))
    assert len(read) == 1


def test_a_part_that_is_not_wanted_is_not_searched(monkeypatch: pytest.MonkeyPatch) -> None:
    """Searching is what takes the time."""
    searched: list[str | None] = []
    real = glean_module._found_in

    def noted(part: urlglean.TextPart, *others: object) -> object:
        searched.append(part.field)
        return real(part, *others)  # type: ignore[arg-type]

    monkeypatch.setattr(glean_module, "_found_in", noted)
    found(Wanted(header=True))
    assert searched == ["Subject"]


def test_a_long_document_is_chosen_from_as_a_short_one() -> None:
    """It is read in pieces."""
    long = MAILBOX.replace(b"http://b", b"x" * (1 << 20) + b"\nhttp://b", 1)
    assert found(Wanted(header=True), long) == [ONE[0]]
    assert found(Wanted(hosts=("ftp.*",)), long) == [ONE[2]]
    assert found(Wanted(messages=("2",)), long) == TWO


def test_names_may_come_in_a_list() -> None:
    """The record is a value all the same: it can be compared and hashed."""
    names: Any = ["ftp.*"]
    assert hash(Wanted(hosts=names)) == hash(Wanted(hosts=("ftp.*",)))
    assert found(Wanted(hosts=names)) == [ONE[2]]


@pytest.mark.parametrize(
    "wrong", [{"hosts": "a.example"}, {"schemes": "http"}, {"messages": "1"}, {"newsgroups": "a"}, {"messages": [1]}]
)
def test_names_are_several_texts(wrong: dict[str, object]) -> None:
    """A single str would be taken for its letters."""
    with pytest.raises(TypeError, match="several"):
        Wanted(**wrong)  # type: ignore[arg-type]


@pytest.mark.parametrize("text", ["1994-13", "94", "yesterday", "1994-5", "1994-05-31T10", "19940531", "1994-02-30"])
def test_a_date_is_a_year_a_month_or_a_day(text: str, mailbox: Path) -> None:
    """The library raises, the command refuses."""
    with pytest.raises(urlglean.DateError):
        Wanted(since=text)
    assert run("--until", text, mailbox).exit_code == 2


@pytest.mark.parametrize(
    ("wrong", "told"),
    [
        ({"since": 2001}, "since must be str, not int"),
        ({"until": date(2001, 1, 1)}, "until must be str, not date"),
        ({"since": None}, "since must be str, not NoneType"),
        ({"hosts": 5}, "hosts must be several str, not 5"),
        ({"header": "no"}, "header must be True, False or None, not 'no'"),
        ({"html": []}, "html must be True, False or None"),
    ],
)
def test_a_field_of_a_wrong_type_is_named(wrong: dict[str, Any], told: str) -> None:
    """The record cannot be made."""
    with pytest.raises(TypeError, match=f"^{told}"):
        Wanted(**wrong)


def test_names_may_come_from_a_generator() -> None:
    """They are taken once."""
    assert Wanted(hosts=(name for name in ["a", "b"])).hosts == ("a", "b")  # type: ignore[arg-type]


def test_an_impossible_scheme_is_refused(mailbox: Path) -> None:
    """As everywhere."""
    with pytest.raises(urlglean.SchemeNameError):
        Wanted(schemes=("ht tp",))
    assert run("--only-scheme", "http,,ftp", mailbox).exit_code == 2


def test_something_else_is_no_wish() -> None:
    """The call itself raises."""
    with pytest.raises(TypeError, match="Wanted"):
        urlglean.scan(b"", wanted={"hosts": ()})  # type: ignore[arg-type]


def test_rejected_candidates_are_left_out_by_message_and_part_only() -> None:
    """Nobody can say what their scheme and host are."""
    text = b"From: a@b.example\nSubject: <URL:http://:x/>\n\n<URL:http://:y/>\n"
    rejected = [
        [each.finding.url for each in urlglean.scan(text, invalid=True, wanted=wanted)]
        for wanted in (Wanted(schemes=("ftp",), hosts=("a",)), Wanted(header=False), Wanted(since="1990"))
    ]
    assert rejected == [["http://:x/", "http://:y/"], ["http://:y/"], []]


@pytest.mark.parametrize(
    ("options", "given", "counts"),
    [
        ("--only-scheme http,ftp", 6, "6 URLs, 1 more not wanted, "),
        ("--only-scheme http --only-scheme FTP", 6, "6 URLs, 1 more not wanted, "),
        ("--host ftp.example.org --host link.*", 2, "2 URLs, 5 more not wanted, "),
        ("--since 1994", 4, "2 messages, 0 texts, 1 of these not wanted (1 without a date), 2 parts, "),
        ("--until 1993", 0, "2 messages, 0 texts, 2 of these not wanted (1 without a date), 0 parts, "),
        ("--newsgroup rec.*", 3, "2 messages, 0 texts, 1 of these not wanted, 3 parts, "),
        ("--message 1 --message <two@b.example>", 7, "2 messages, 0 texts, 0 of these not wanted, "),
        ("--header", 1, "5 parts, 4 of these not wanted, "),
        ("--no-header", 6, "5 parts, 1 of these not wanted, "),
        ("--body-only", 6, "5 parts, 1 of these not wanted, "),
        ("--from-html", 2, "5 parts, 3 of these not wanted, "),
        ("--no-html", 5, "5 parts, 2 of these not wanted, "),
        ("--host nowhere.example --least 0.5", 0, "0 URLs, 0 less likely than 0.5, 7 more not wanted, "),
    ],
)
def test_what_is_left_out_is_counted(mailbox: Path, options: str, given: int, counts: str) -> None:
    """The line of counts says how much, and the exit status is that of grep."""
    done = run(*options.split(), mailbox)
    assert done.stdout.count("\n") == given
    assert counts in done.stderr
    assert done.exit_code == (0 if given else 1)


@pytest.mark.parametrize(
    ("wishes", "options", "told"),
    [
        ({"since": "1995", "until": "1994"}, "--since 1995 --until 1994", "since 1995 and until 1994 leave nothing"),
        (
            {"since": "1994-06", "until": "1994-05-31"},
            "--since 1994-06 --until 1994-05-31",
            "since 1994-06 and until 1994-05-31 leave nothing",
        ),
        ({"header": True, "html": True}, "--header --from-html", "header and html leave nothing"),
        ({"hosts": ["a.example", "["]}, "--host a.example --host [", "'[' in hosts leaves nothing: its"),
        ({"hosts": ["[]a"]}, "--host []a", "'[]a' in hosts leaves nothing: its"),
        ({"newsgroups": ["[a].[b"]}, "--newsgroup [a].[b", "'[a].[b' in newsgroups leaves nothing: its"),
        ({"messages": ["1", "00"]}, "--message 1 --message 00", "'00' in messages leaves nothing: the first message"),
    ],
)
def test_wishes_that_nothing_meets_are_refused(mailbox: Path, wishes: dict[str, Any], options: str, told: str) -> None:
    """They are mistakes. The library raises, the command refuses; both name the two that contradict each other."""
    with pytest.raises(ContradictionError, match=re.escape(told)):
        Wanted(**wishes)
    done = run(*options.split(), mailbox)
    assert (done.exit_code, done.stdout) == (2, "")
    assert f"Error: {told}" in done.stderr


@pytest.mark.parametrize("name", ["hosts", "newsgroups", "messages"])
def test_an_empty_pattern_is_refused(name: str) -> None:
    """The command refuses it before; an unset variable of a program may give one too."""
    with pytest.raises(ContradictionError, match=f"'' in {name} leaves nothing: it is empty"):
        Wanted(**{name: [""]})  # type: ignore[arg-type]


@pytest.mark.parametrize("pattern", ["[ab].example", "[]].example", "[!]]", "[[]*", "a]", "*[a-c]*[!x]"])
def test_a_pattern_with_classes_is_one(pattern: str) -> None:
    """A bracket that is closed, or closes nothing, is no mistake."""
    assert Wanted(hosts=[pattern]).hosts == (pattern,)  # type: ignore[arg-type]


def test_a_month_in_a_year_is_no_contradiction(mailbox: Path) -> None:
    """`--until 1994` means all of it."""
    assert found(Wanted(since="1994-02", until="1994"))
    assert run("--since", "1994-02", "--until", "1994", mailbox).exit_code == 0


def test_workers_leave_out_the_same(mailbox: Path) -> None:
    """The record travels with the task."""
    task = ScanTask("urls", Options(wanted=Wanted(hosts=("*.example",), since="1994")))
    alone, shared = (
        [b"".join(result.rows for result in results), sum(result.tally.unwanted for result in results)]
        for how in (RunOptions(), RunOptions(jobs=2, chunk=0, alone=0))
        for results in (list(scanned([str(mailbox)] * 3, task, how)),)
    )
    assert alone == shared
    assert alone[1] == 6


def test_a_database_has_what_was_asked_for(mailbox: Path, tmp_path: Path) -> None:
    """Its documents are those that were wanted, and its run says by which options."""
    path = tmp_path / "found.db"
    run("--since", "1994", "--no-header", "-o", path, mailbox)
    with closing(sqlite3.connect(path)) as connection:
        assert connection.execute("SELECT message_id FROM documents").fetchall() == [("one@b.example",)]
        ((options,),) = connection.execute("SELECT options FROM runs").fetchall()
    asked = json.loads(options)
    assert (asked["since"], asked["header"]) == ("1994", False)
    assert "host" not in asked
    connection.close()
