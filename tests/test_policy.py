"""What is found beside what the dialect takes: raw URLs, what a rejected one means; and what is rejected."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest
from click.testing import CliRunner
from hypothesis import given, settings
from hypothesis import strategies as st

import urlglean
from urlglean.cli import main
from urlglean.records import Dialect, Reading, Span
from urlglean.text.confidence import CERTAIN, confidence_of
from urlglean.text.extract import read_whole
from urlglean.text.finding import Finding
from urlglean.text.near import with_slashes
from urlglean.text.policy import Policy
from urlglean.text.salvage import FRAMES, salvaged
from urlglean.text.templates import RULES, TemplateRule, is_template

RAW = (
    "http://www.example.org/a|b",
    "http://www.example.org/{0F3A21B7-66D0}x",
    "http://www.example.org/[a]/b^c",
    "http://www.example.org/Qur`an",
    "http://www.example.org/100%/x",
    "http://www.example.org/#a#b",
    "ftp://ann@www.example.org:21/a|b",
    "http://[2001:db8::1]/a|b",
    "http://localhost:8080/a|b",
    "file:///etc/a|b",
    "news://comp.lamps.oil-main",
    "mailto:ann··.@lam··s.example",
)


def read(text: str, dialect: Dialect = "current", *, strict: bool = False, invalid: bool = False) -> list[Finding]:
    """What is found in a text."""
    return urlglean.extract(text, dialect, strict=strict, invalid=invalid)


@pytest.mark.parametrize("url", RAW)
def test_raw_signs_are_found_with_their_problems(url: str) -> None:
    """The dialect's problems stay, and so do its parts, which are none; cautions are by the dialect that takes it."""
    (found,) = read(f"see {url} now")
    verdict = urlglean.validate(url)
    assert (found.url, found.valid, found.rejected, found.certainty) == (url, verdict.valid, False, "plain")
    assert found.problems == verdict.problems
    if not found.valid:
        assert found.problems
        assert (found.dialect, found.taken_by, found.parts) == ("current", "web", None)
        assert found.cautions == urlglean.validate(url, "web").cautions
        assert found.confidence == confidence_of("raw")


@pytest.mark.parametrize("url", [url for url in RAW if not urlglean.validate(url).valid])
def test_strict_leaves_them_out(url: str) -> None:
    """They are rejected then, and have the judge of the dialect that was asked for."""
    assert read(f"see {url} now", strict=True) == []
    found = read(f"see {url} now", strict=True, invalid=True)[0]
    assert (found.valid, found.rejected, found.dialect, found.parts) == (False, True, "current", None)
    assert found.confidence == confidence_of("rejected")


@pytest.mark.parametrize(
    "url",
    [
        "http://www.exa mple.org/",
        "http://www.example.org/a b",
        "http://www.example.org/a\x07b|",
        "http://www.example.org/<b>",
        'http://www.example.org/"a',
        r"http://www.example.org\a",
        "http://www.example.org:8o/",
        "http://www.c-",
        "http://a..b/x|y",
        "http://'/x|y",
        "http://*.example.org/",
        "http://my_host/a|b",
        "http://www.example.my_host/a|b",
        "http://www.example.org/a]",
        "http://www.example.org/a}",
        "http://www.example.org/a%",
        "http://www.example.org/a%4",
        "http://ann@www.example.org/a|b",
        "http://http://www.example.org/a|b",
        "mailto:Bar",
        "mailto:ann@/",
        "x-other:a|b",
        "www.example.org/a|b",
        "javascript:a|b",
        "http://1.2.3.256/a|b",
    ],
)
def test_what_no_reader_would_copy_is_not_raw(url: str) -> None:
    """What ends a URL in any text, no host, a cut escape, brackets that nothing opens, a scheme that is none."""
    assert not Policy("current").raw(url)


def test_by_the_url_standard_a_url_has_to_look_like_one_too() -> None:
    """It takes nearly anything."""
    text = "http://... http://h.example/%s mailto:Bar http://my_host.example.org/a|b http:/www.example.org/ http:x"
    assert [(found.url, found.valid) for found in read(text, "web")] == [
        ("http://my_host.example.org/a|b", True),
        ("http:/www.example.org/", True),
    ]


def test_what_is_refused_by_an_older_dialect_is_raw_there() -> None:
    """RFC 1738 takes no tilde; a user name where none is allowed misleads, and is rejected."""
    (found,) = read("http://www.example.org/~ann/ http://ann@www.example.org/", "rfc1738")
    assert (found.url, found.valid) == ("http://www.example.org/~ann/", False)
    assert [problem.code for problem in found.problems] == ["national-character"]


@pytest.mark.parametrize(
    "url",
    [
        "http://<host>/",
        "http://h.example/${x}",
        "http://h.example/$(x)",
        "http://h.example/$HOME/x",
        "http://h.example/{name}",
        "http://h.example/{?page,size}",
        "http://h.example/{a,b}.txt",
        "http://h.example/{0}/{}",
        "http://h.example/{{x}}",
        "http://h.example[:port]/",
        "http://h.example/[?query]",
        "http://h.example/%s/%d.%02x",
        "http://h.example/%(id)s",
        "http://h.example/%{version}.gz",
        "http://h.example/%@",
        "http://h.example/%USERNAME%",
        "http://.../",
        "http://...",
        "http://www.../",
        "http://*.example.org/",
        "http://www.*/",
    ],
)
def test_places_to_be_filled_in_are_told(url: str) -> None:
    """In the ways in which people write them."""
    assert is_template(url)


@pytest.mark.parametrize("rule", RULES, ids=lambda rule: str(rule.name))
def test_each_way_to_write_a_template_is_told(rule: TemplateRule) -> None:
    """The example of each row is one by that row alone."""
    assert is_template(rule.example)
    assert [other.name for other in RULES if re.search(other.written, rule.example)] == [rule.name]


@pytest.mark.parametrize(
    "url",
    [
        "http://h.example/%2f%3d%20d",
        "http://h.example/?a=$5&b=$x",
        "http://h.example/{0F3A21B7-66D0-4C1E-9A55-20DD18C0A7E4}",
        "http://h.example/[a]/b",
        "http://h.example/*.html",
        "http://h.example/a...b",
        "http://h.example/?a[]=b",
        "http://www.example.com...more",
    ],
)
def test_what_only_looks_like_a_template_is_none(url: str) -> None:
    """Escapes, sums of money, identifiers, globs behind the host, dots in a path."""
    assert not is_template(url)


MEANT = {
    "opens-another": ("http://a.example/x[http://b.example/y]z", "http://a.example/x"),
    "closing-tag": ("http://a.example/x[/url]y", "http://a.example/x"),
    "markup": ("http://a.example/x(a)[1]^", "http://a.example/x(a"),
    "mark-behind": ("http://a.example/x[12]", "http://a.example/x"),
    "unpaired-bracket": ("http://a.example/x{a|b", "http://a.example/x"),
    "delimiter": ('http://a.example/x"><br', "http://a.example/x"),
    "ellipsis": ("http://www.a.example...more", "http://www.a.example"),
    "behind-host": ("http://www.a.example=20", "http://www.a.example"),
}


@pytest.mark.parametrize("name", MEANT)
def test_each_sign_that_frames_is_told(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """A text for each row, what was meant by it, and that no other row tells so."""
    url, meant = MEANT[name]
    (rule,) = (rule for rule in FRAMES if rule.name == name)
    assert read_first(url) == meant
    assert len(meant) in {at - len(url[len(meant) : at]) for at in rule.places(url)}
    monkeypatch.setattr("urlglean.text.salvage.FRAMES", tuple(other for other in FRAMES if other is not rule))
    assert read_first(url) != meant


def read_first(url: str) -> str | None:
    """What a URL that is rejected means."""
    tried = salvaged(Reading(url, (Span(0, len(url)),), ()))
    return next((reading.text for reading, _ in tried if Policy("current").takes(reading.text)), None)


def test_the_longest_beginning_is_taken_and_its_tail_cut() -> None:
    """Of several signs that frame the last one that leaves a URL; punctuation before it goes."""
    assert [found.url for found in read("http://a.example/x[12].[/url]")] == ["http://a.example/x[12]"]
    assert [found.url for found in read("http://a.example/x.[/url]")] == ["http://a.example/x"]


def test_the_inner_url_of_a_doubled_scheme_has_its_own_span() -> None:
    """Its pieces, sliced from the text, are its URL."""
    text = "see http://ftp://ftp.a.example/pub now"
    (found,) = read(text)
    assert [text[piece.start : piece.end] for piece in found.pieces] == [found.url] == ["ftp://ftp.a.example/pub"]
    assert (found.span.start, found.certainty, found.valid) == (11, "inferred", True)


def test_a_salvaged_url_over_a_line_end_keeps_its_pieces() -> None:
    """The hyphen in the top label was put in; what stands behind the frame is in no piece."""
    text = "> http://www.lamps-and-oil.exam-\n> ple[/url]\n\nand"
    (found,) = read(text)
    assert found.url == "http://www.lamps-and-oil.example"
    assert "".join(text[piece.start : piece.end] for piece in found.pieces) == found.url
    assert text[found.span.end :].startswith("[/url]")


PROSE = (
    "This is a line of prose of the length that lines of prose have, I am sure of it,\n"
    "and here is another line of prose that is nearly as long as the one before it is\n"
)


def test_where_the_joined_one_is_none_the_first_line_is_read() -> None:
    """A break that seems to go on, into what is no URL, may end it; where it hardly does, the confidence says so."""
    doubtful = f"{PROSE}{'x ' * 17}http://www.example.org/lamps/oilandwicksforthe\nlamps/100%/x.html y z\n"
    (found,) = read(doubtful)
    assert (found.url, found.joins) == ("http://www.example.org/lamps/oilandwicksforthe", ())
    assert found.confidence < 0.5
    sure = f"{PROSE}http://www.example.org/lamps/of-the-old-kitchen-and-all-that-stood-in-the-old-ki\nnd/%zz.html\n"
    (found,) = read(sure)
    assert found.joins == ()
    assert found.confidence < 0.1


def test_a_cut_escape_speaks_against_a_join() -> None:
    """A reader may copy one that stands in a line; what two lines make of it is none."""
    policy = Policy("current")
    for url, takes in [("http://a.example/4%2=e1", False), ("http://a.example/a|b", True), ("http://a.example/", True)]:
        assert policy.takes(url)
        assert policy.joins(url) == takes


@pytest.mark.parametrize(
    ("url", "meant", "code"),
    [
        ("http:/www.acm.example.org/x", "http://www.acm.example.org/x", "one-slash"),
        ("http:www.x.example/", "http://www.x.example/", "no-slashes"),
        ("ftp:ftp.x.example", "ftp://ftp.x.example", "no-slashes"),
        (r"http:\\www.x.example\y\z", "http://www.x.example/y/z", "no-slashes"),
        (r"HTTPS:\\www.x.example:8080\y?a", "HTTPS://www.x.example:8080/y?a", "no-slashes"),
        (r"http:/\www.x.example/", "http://www.x.example/", "one-slash"),
    ],
)
def test_near_urls_are_rejected_with_what_was_meant(url: str, meant: str, code: str) -> None:
    """By default nothing is found; a backslash is no slash."""
    text = f"see {url}, there"
    assert read(text) == []
    (found,) = read(text, invalid=True)
    assert (found.url, found.rejected, found.rivals) == (url, True, (meant,))
    assert found.problems[0].code == code
    assert urlglean.validate(meant).valid


@pytest.mark.parametrize("around", ["<{}>", '"{}"', "<URL:{}>", "({})."])
def test_near_urls_are_seen_in_wrappers_too(around: str) -> None:
    """The wrapper is none of it."""
    (found,) = read(around.format("http:/www.x.example/y"), invalid=True)
    assert (found.url, found.rivals) == ("http:/www.x.example/y", ("http://www.x.example/y",))


@pytest.mark.parametrize(
    "text",
    [
        "http: see below",
        "ftp: alone",
        "http:notes.html",
        "http:index",
        "telnet:now",
        "http:/etc/passwd",
        "news:/a.example/",
        "http:www.x.example@y",
        "mailto:www.x.example",
    ],
)
def test_prose_and_relative_references_are_no_near_urls(text: str) -> None:
    """No host stands behind the scheme, or the scheme needs none."""
    assert read(text, invalid=True) == []
    assert with_slashes(text) is None


def test_a_url_inside_a_near_url_is_still_found() -> None:
    """What is rejected hides nothing."""
    text = "http:/web.x.example/2002/http://www.y.example/z"
    assert [found.url for found in read(text)] == ["http://www.y.example/z"]
    assert [found.url for found in read(text, invalid=True)] == ["http://www.y.example/z"]


@given(st.text(alphabet='htp:/.a[]{}|^`%\\"<>( \n', max_size=40))
@settings(max_examples=400, deadline=None)
def test_strict_only_takes_away(text: str) -> None:
    """Every valid finding stays as it is; all are valid; what comes without `strict` is found or rejected with it."""
    text = f"http://a.example/{text}"
    lenient, strict = read(text), read(text, strict=True)
    assert all(found.valid for found in strict)
    assert [found.url for found in lenient if found.valid and not found.rivals] == [
        found.url for found in strict if found.url in {each.url for each in lenient if each.valid and not each.rivals}
    ]
    for found in lenient:
        assert found.valid == urlglean.validate(found.url).valid
        assert not found.rejected
        assert "".join(text[piece.start : piece.end] for piece in found.pieces) == found.url


@pytest.mark.parametrize(
    ("value", "valid", "rejected"),
    [
        ("http://h.example/a|b", False, False),
        ("http://h.example/{x}", False, True),
        ("http://h.example/", True, False),
    ],
)
def test_a_link_of_html_is_judged_by_the_same_policy(value: str, valid: bool, rejected: bool) -> None:  # noqa: FBT001
    """Nothing of it had to be read."""
    found = read_whole(value)
    assert (found.url, found.valid, found.rejected) == (value, valid, rejected)
    assert (found.confidence == CERTAIN) != rejected
    assert read_whole(value, strict=True).rejected != valid


@pytest.fixture
def notes(tmp_path: Path) -> Path:
    """A text with a valid URL, a raw one and a template."""
    path = tmp_path / "notes.txt"
    path.write_text("see http://a.example/1 or http://a.example/2|3 or http://a.example/%s here\n")
    return path


def run(*arguments: object) -> tuple[int, list[str], str]:
    """The exit status, the rows, and the last line of stderr."""
    result = CliRunner().invoke(main, [*map(str, arguments)])
    return result.exit_code, result.stdout.splitlines(), result.stderr.splitlines()[-1]


def test_a_scan_prints_raw_urls_with_a_note_and_counts_them_apart(notes: Path) -> None:
    """A row of the text format, and the head of the counts."""
    status, rows, counts = run("scan", notes)
    assert status == 0
    assert rows == [
        f"{notes}:1: http://a.example/1",
        f"{notes}:1: http://a.example/2|3  (not valid: national-character)",
    ]
    assert counts.startswith("urlglean: 1 URL, 1 more not valid by current, rejects not asked for, ")


def test_a_strict_scan_rejects_them(notes: Path, tmp_path: Path) -> None:
    """They stand among the rejects then."""
    rejects = tmp_path / "rejects"
    status, rows, counts = run("scan", "--strict", "--rejects", rejects, notes)
    assert (status, len(rows)) == (0, 1)
    assert counts.startswith("urlglean: 1 URL, 2 rejected, ")
    assert [json.loads(line)["url"] for line in rejects.read_text().splitlines()] == [
        "http://a.example/2|3",
        "http://a.example/%s",
    ]


def test_without_strict_they_are_no_rejects(notes: Path, tmp_path: Path) -> None:
    """A row stands in one of the two files."""
    rejects = tmp_path / "rejects"
    _, rows, counts = run("scan", "--rejects", rejects, "--format", "jsonl", notes)
    assert [(json.loads(row)["url"], json.loads(row)["valid"], json.loads(row)["host"]) for row in rows] == [
        ("http://a.example/1", True, "a.example"),
        ("http://a.example/2|3", False, "a.example"),
    ]
    assert counts.startswith("urlglean: 1 URL, 1 more not valid by current, 1 rejected, ")
    assert [json.loads(line)["url"] for line in rejects.read_text().splitlines()] == ["http://a.example/%s"]


def test_least_is_about_them_too(notes: Path) -> None:
    """They are less likely than plain ones."""
    _, rows, counts = run("scan", "--least", "0.95", notes)
    assert len(rows) == 1
    assert counts.startswith("urlglean: 1 URL, 1 less likely than 0.95, ")


def test_a_raw_url_alone_is_found(tmp_path: Path) -> None:
    """By the exit status of scan and show."""
    path = tmp_path / "a.txt"
    path.write_text("http://a.example/2|3\n")
    assert run("scan", path)[0] == 0
    assert run("scan", "--strict", path)[0] == 1
    shown = CliRunner().invoke(main, ["show", str(path)])
    assert (shown.exit_code, "⟦1 http://a.example/2|3⟧" in shown.stdout) == (0, True)
    assert "    found      line 1" in shown.stdout
    strict = CliRunner().invoke(main, ["show", "--strict", str(path)])
    assert (strict.exit_code, "⟦1✗ http://a.example/2" in strict.stdout) == (1, True)


@pytest.mark.parametrize(
    ("text", "url"),
    [
        ("jdbc:mysql://a.example/x z", "jdbc:mysql://a.example/x"),
        ("view-source:http://a.example/ z", "view-source:http://a.example/"),
    ],
)
@pytest.mark.parametrize("dialect", ["current", "web"])
def test_a_scheme_that_holds_another_url_is_part_of_it_in_each_dialect(text: str, url: str, dialect: Dialect) -> None:
    """Also where a library judges, which takes anything behind a scheme."""
    (found,) = urlglean.extract(text, dialect)
    assert (found.url, found.valid, found.certainty) == (url, True, "plain")


@pytest.mark.parametrize(("text", "code"), [("http://h.example/%s z", "template"), ("mailto:x@- z", "unlike-a-url")])
def test_what_a_dialect_takes_and_no_reader_does_has_a_problem_too(text: str, code: str) -> None:
    """Nothing is rejected without a reason."""
    (found,) = (each for each in urlglean.extract(text, "web", invalid=True) if each.rejected)
    assert [problem.code for problem in found.problems] == [code]


@pytest.mark.parametrize(
    "value",
    ["mailto:jo@a.example?subject=so and so", "http://a.example/so so.html", "cid:part1", "http://%61.example/"],
)
def test_an_attribute_is_what_browsers_make_of_it(value: str) -> None:
    """A blank in it is its own, and so is anything else."""
    found = read_whole(value)
    assert (found.valid, found.rejected) == (False, False)
    assert read_whole(value, strict=True).rejected


@pytest.mark.parametrize("value", ["http://a.example/%s", "http://a .example/", "mailto:", "so:so so", "so so", "%2"])
def test_an_attribute_may_be_none_to_browsers(value: str) -> None:
    """What is to be filled in, what they refuse, and what has no scheme that is known."""
    assert read_whole(value).rejected


def test_a_name_between_doubled_percent_signs_is_to_be_filled_in() -> None:
    """A lone pair of them is an escape gone wrong."""
    assert is_template("http://h.example/?a=%%name%%&b=c")
    assert not is_template("http://h.example/100%%")


def test_a_value_in_brackets_is_not_lost() -> None:
    """A bracket behind "=" ends no URL, and frames nothing."""
    (found,) = urlglean.extract("http://a.example/x=[http://b.example/y] z")
    assert (found.url, found.valid) == ("http://a.example/x=[http://b.example/y]", False)


def test_a_near_url_with_backslashes_behind_a_line_end_is_rejected_and_raises_nothing() -> None:
    """It has no run of a URL's characters that could go on in another line."""
    (found,) = urlglean.extract("\nhttp:\\\\www.example.org\\list", invalid=True)
    assert found.rejected
    assert found.rivals == ("http://www.example.org/list",)
