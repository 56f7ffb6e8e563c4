"""Breaks at which a standard decides whether a URL goes on: which rows hold where, and what follows for the finding."""

from __future__ import annotations

from itertools import product

import pytest

from breaks import way
from urlglean import extract
from urlglean.records import Flowed, JoinRule
from urlglean.text.candidates import Evidence
from urlglean.text.joining import breaks, places
from urlglean.text.joining.breaks import Surroundings
from urlglean.text.joining.decided import decided
from urlglean.text.joining.layouts import LAYOUTS
from urlglean.text.joining.line_geometry import LineGeometry
from urlglean.text.joining.standards import STANDARDS
from urlglean.text.judge import judge_of


def test_breaks_that_a_standard_decides_are_not_weighed() -> None:
    """A break that a standard decides has the name of the row, and log-odds of 0.

    If the URL ends there, no break is listed.
    """
    soft = "see =3D http://a.example/b=\nc\n"
    explained = {
        "soft-break": way(soft),
        "soft-line-of-delsp": way("see http://a.example/b \nc\n", "delsp"),
        "escape": way("see http://a.example/b%2\n0c\n"),
        "cut-doi": way("see https://doi.org/10.1371/\njournal.b.0123456 (1 May)\n"),
        "cut-object-name": way(
            "see https://git.example.org/c/?id=7d7d7d\n7d7d7d7d7d7d7d7d7d7d7d7d7d7d7d7d7d, which broke it\n"
        ),
        "cut-arxiv-id": way("see http://arxiv.org/abs/\n1501.00001. More\n"),
    }
    for begun in (
        "https://doi.org/\n10.1111/j.1",
        "http://dx.doi.org/10.\n1111/1",
        "https://doi.org/10.1\n111/b",
        "http://h.example/doi/10.1063/\n1.5005438",
        "https://h.example/doi/abs/10.1063/\n1.50",
    ):
        assert extract(f"see {begun} (1 May)\n")[0].url == begun.replace("\n", "")
    short = f"https://git.example.org/a/commit/{'7d' * 4}"
    assert extract(f"see {short}\n{'7d' * 16}  a.tar.gz\n")[0].url == short  # of md5sum(1)
    for digits in (4, 16):
        cut = f"https://git.example.org/a/commit/{'7d' * digits}\n{'7d' * (20 - digits)}"
        assert extract(f"see {cut} which is in\n")[0].url == cut.replace("\n", "")
    commit = f"https://git.example.org/a/commit/{'7d' * 4}\n{'7d' * 16}"
    assert extract(f"see {commit}\n")[0].url == commit.replace("\n", "")
    for archived in ("hep-th/9901001v2", "math.GT/0309136"):
        assert extract(f"see http://arxiv.org/abs/\n{archived} (1 May)\n")[0].url.endswith(f"/abs/{archived}")
    for name, (step, *_) in explained.items():
        assert step.decided is not None
        assert (step.decided.name, step.log_odds) == (name, 0.0)
    assert way("see http://a.example/b\nc\n", "flowed") == []
    assert way("see =3D http://a.example/b=\n c\n") == []
    assert way("  git://a.example/b.git\n  tags/c-2\n") == []
    assert way("  git://a.example/b.git/\ntags/c-2\n") == []
    assert way(f"(git://a.example/b\n{'7d' * 20})\n") == []
    assert way("deb http://a.example/b\nc/ # d\n") == []
    for below in (
        '5d871b2 ("so it is")',
        "5d871b280e7f (so it is, 2023-02-03)",
        "c.d | 3 ++-",
        "c.d |  12",
        "c.d | Bin 0",
    ):
        assert way(f"see http://a.example/b/\n{below}\n") == []
    for below in ("5d871b280e7f", "5d871b2 so", "5d871b280e7f\n> so"):
        assert way(f"> see http://a.example/b.git/\n> {below}\n") == []
    assert way("deb-src [arch=b] http://a.example/b\nc/ # d\n") == []
    assert way("news:1b@a.example...\nnope\n") == []
    assert [found.url for found in extract(soft)] == ["http://a.example/bc"]


ENCODED = ("caf=C3=A9 is at", "see http://a.example/b=", "c/d.html and", "so on=2E")


@pytest.mark.parametrize("end", ["\n", "\r\n"])
@pytest.mark.parametrize("margin", [" ", "    ", "\t", "> ", ">", " > ", "# "])
def test_the_margin_of_all_lines_does_not_end_a_url_behind_a_soft_break(margin: str, end: str) -> None:
    """Somebody indented or quoted a message that nobody decoded, as GNATS does with each reply."""
    text = "".join(f"{margin}{line}{end}" for line in ENCODED)
    assert [found.url for found in extract(text)] == ["http://a.example/bc/d.html"]
    wrote = text if margin.isspace() else text.replace(f"{margin}see", f"Ann wrote:{end}{margin}see")
    assert [found.url for found in extract(wrote)] == ["http://a.example/bc/d.html"]
    parted = text.replace(f"{margin}see", f"{end}{margin}see").replace(f"{margin}so", f"{end}{margin}so")
    assert [found.url for found in extract(parted)] == ["http://a.example/bc/d.html"]


@pytest.mark.parametrize("margin", ["", " ", "    ", "\t", "> ", " > ", "# "])
def test_a_blank_of_the_text_behind_a_soft_break_ends_a_url(margin: str) -> None:
    """It stands behind the margin of all lines; where no other line has an indent, there is none."""
    lines = (*ENCODED[:2], f" {ENCODED[2]}", *ENCODED[3:])
    assert [found.url for found in extract("".join(f"{margin}{line}\n" for line in lines))] == ["http://a.example/b"]


@pytest.mark.parametrize(("above", "below"), [("", " "), (" ", "")])
def test_a_blank_that_only_some_lines_have_is_of_the_text(above: str, below: str) -> None:
    """The URL's paragraph has an indent of its own."""
    margins = (above, " ", " ", below)
    text = "".join(f"{margin}{line}\n" for margin, line in zip(margins, ENCODED, strict=True))
    assert [found.url for found in extract(text)] == ["http://a.example/b"]


REPLY = "{}: host mx.example[192.0.2.1] said: 554 see\n{}http://a.example/b/c/1204-\n{}1178\n"


@pytest.mark.parametrize("lead", [" ", "    ", "\t"])
@pytest.mark.parametrize("prefix", ["", "> ", ">> "])
@pytest.mark.parametrize("end", ["\n", "\r\n"])
def test_no_url_goes_on_in_the_reply_of_a_server(lead: str, prefix: str, end: str) -> None:
    """A program fills it with words. In other lines of the same form, a URL goes on behind a hyphen."""
    for first, url in (
        ("<jo@a.example>", "http://a.example/b/c/1204-"),
        ("<jo@a.example> (expanded from <ann@a.example>)", "http://a.example/b/c/1204-"),
        ("jo", "http://a.example/b/c/1204-1178"),
    ):
        text = "".join(prefix + line for line in REPLY.format(first, lead, lead).splitlines(keepends=True))
        assert extract(text.replace("\n", end))[0].url == url
    held = (
        f"<jo@a.example> (expanded from <jo@b.example>): delivery temporarily\n{lead}suspended: host mx.example"
        f"[192.0.2.1]\n{lead}refused to talk to me: 421 see\n{lead}http://a.example/b/c/1204-\n{lead}1178\n"
    )
    assert extract(held)[0].url == "http://a.example/b/c/1204-"
    assert extract(held.replace("to me:", f"\n{lead}to me:"))[0].url == "http://a.example/b/c/1204-"
    assert extract(held.replace("me:", f"\n{lead}me:"))[0].url == "http://a.example/b/c/1204-"
    begun = "Diagnostic-Code: smtp; 554 see\n{}http://a.example/b/c/1204-\n{}1178\n"
    assert extract(begun.format(lead, lead))[0].url == "http://a.example/b/c/1204-"
    assert extract(begun.lower().format(lead, lead))[0].url == "http://a.example/b/c/1204-"
    assert extract(begun.replace(": smtp", ":smtp").format(lead, lead))[0].url == "http://a.example/b/c/1204-"
    assert extract(begun.format("", ""))[0].url == "http://a.example/b/c/1204-1178"


@pytest.mark.parametrize(
    "text",
    [
        "see http://a.example/b%\nzc\n",
        "see http://a.example/b\n=A0123456&x=1\n",
        "see http://a.example/commit/7d7d7d\n7d7d7d7d7d7d7d7d7d7d7d7d7d7d7d7d7 which\n",
        "see http://a.example/commit/7d7d7d\n7d7d7d7d7d7d7d7d7d7d7d7d7d7d7d7d7dx which\n",
        "see http://a.example/commit/x7d7d7d\n7d7d7d7d7d7d7d7d7d7d7d7d7d7d7d7d7d which\n",
        "see http://a.example/builds/20240101\n7d7d7d7d7d7d7d7d7d7d7d7d7d7d7d7d entry\n",
        "see http://a.example/7d7d7d7d7d7d7d7d7d7d7d7d7d7d7d7d\n20240101 entry\n",
        "debt http://a.example/b\nc/ # d\n",
        "see https://doi.org/10.1371/b\nc\n",
        "see https://doi.org/\nc/d\n",
        "see https://doi.org/\n10.1/b\n",
        "see http://doi.example/10.1371/\nb\n",
        "see http://h.example/doi/a/b/10.1371/\nb\n",
        "see http://h.example/doi/10.1/\nb\n",
        "see http://h.example/doi/10.1063/\nThanks\n",
        "see http://h.example/doi/10.1063/\n1. Oven\n",
        "see http://arxiv.org/abs/\n1501.000011 b\n",
        "see http://arxiv.org/list/\n1501.00001\n",
        "x-deb http://a.example/b\nc/ # d\n",
        "news:1b@a.example.\nnope\n",
        "see http://a.example/b%\n1\n",
        "see http://a.example/b%20\n20\n",
        # No digit, other signs, behind what names a commit; more behind the numbers, none.
        *(f'see http://a.example/b/\n{name} ("so")\n' for name in ("abcdefa", "1234567", "5d871b", "5d871b2:")),
        *(f'see http://a.example/{path}\n5d871b2 ("so")\n' for path in ("b/commits/", "c/", "commit/5d871", "b?id=")),
        "see http://a.example/b/\n5d871b2 (so)\n",
        "see http://a.example/b/\nc.d | 3 of\n",
        "see http://a.example/b/\nc.d | so\n",
        f"so git://a.example/b/\n{'7d' * 20}\n",
        f"so git://a.example/b\n{'7d' * 21}\n",
        "so to  \nsay  \nsee http://a.example/b \nc\n",
        "so to  \nsay.  \nsee http://a.example/b/ \nc\n",
        "so to  \nsay  \nsee http://a.example/b/  \nc\n",
        "so to  \nsay  \nsee http://a.example/b/\t\nc\n",
    ],
)
def test_breaks_that_no_standard_decides_are_weighed(text: str) -> None:
    """Digits that make no escape, words that are not the name of a commit, and other white space decide nothing."""
    assert way(text)[0].decided is None


AT_BREAKS = (
    ("so ", "deb ", ".. _x: ", "<a@b>: host c said:\n ", ""),
    (
        "http://a.b/c",
        "magnet:?dn=b&xt=",
        "git://a.b/c.git",
        "news:1b@a",
        "news:1b",
        "http://doi.org/10.1111",
        "ws://arxiv.org/abs",
        "http://a.b/commit/7",
        "mailto:b",
        "http://web.archive.org/web",
    ),
    ("", "=", "%", "%2", ".", "..", "/", "@"),
    ("\n", " \n"),
    (
        "urn:btih:c",
        "Urn:btih:c",
        "c",
        "7d" * 20,
        "7d" * 19 + "7",
        "@a.example",
        "20",
        "0c",
        "D",
        "c/",
        " c",
        "=c",
        "=20",
        "1501.00001",
        "  c\n",
        "a.example",
        '5d871b2 ("c")',
        "c.d | 3 ++-\n",
        "20010305/http://c",
    ),
    ("", "flowed", "delsp"),
)
"""What may stand around a break: before the URL, the URL, its last signs, the line end, the token; the kind of text."""


def test_the_first_standard_that_holds_decides() -> None:
    """No row is passed over for the characters at the break although it holds; each holds somewhere."""
    held = set()
    for before, url, tail, end, token, flowed in product(*AT_BREAKS):
        head = f"caf=C3=A9\n{before}"
        text = f"{head}{url}{tail}{end}{token} so\n"
        place = places.place_of(text, len(head), len(f"{head}{url}{tail}"))
        if (line := places.next_line(text, place)) is not None:
            surroundings = Surroundings(text, LineGeometry(text), Evidence(text, ()), judge_of("current").valid, flowed)
            at = breaks.break_at(surroundings, place, line)
            row = next((row for row in STANDARDS if row.holds(at)), None)
            assert decided(at) == row or (row is None and decided(at) in LAYOUTS)
            held.add(row)
    assert held == {None, *STANDARDS}


@pytest.mark.parametrize("url", ["http://a.example/b-", "http://a.example/b?c=", f"http://a.example/{'b' * 50}?c="])
@pytest.mark.parametrize("prefix", ["", "url:", "URL:"])
def test_no_url_goes_on_where_the_next_begins(url: str, prefix: str) -> None:
    """Also with the prefix of RFC 1738's appendix."""
    found = extract(f"{url}\n{prefix}http://c.example/d so\n")
    assert [each.url for each in found] == [url, "http://c.example/d"]


@pytest.mark.parametrize("blank", ["=20", "=09", "=0D", "=A0", "=C2=A0", "=20=20", "=20="])
@pytest.mark.parametrize("stop", ["", "."])
def test_a_url_goes_on_over_no_blank_line_of_quoted_printable(blank: str, stop: str) -> None:
    """Nobody has decoded it, so the escaped blank stands in the text."""
    url = "https://www.example.org/group/local.history/msg/0a1b2c3d4e5f6071"
    assert [found.url for found in extract(f"> see {url}{stop}\n> {blank}\n> So it is.\n")] == [url]


@pytest.mark.parametrize("url", [f"http://www.example.org/{'a' * 40}?12345", "http://www.example.org/a?b=c&start"])
@pytest.mark.parametrize("blank", ["=20", "=A0"])
def test_other_names_lack_no_value(url: str, blank: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """A number is none that has one, and a short line was not cut."""
    (found,) = extract(f"see {url}\n{blank}\n\nSo it is.\n")
    assert (found.url, found.rivals) == (url, ())
    monkeypatch.setattr("urlglean.text.joining.decision.decided", lambda _at: None)
    assert decided(way(f"see {url}\n{blank}\n")[0].at) in STANDARDS
    monkeypatch.undo()
    long = f"http://www.example.org/{'a' * 40}?start"
    assert extract(f"{long}\n{blank}{blank}\n\nSo it is.\n")[0].url == long


@pytest.mark.parametrize("blank", ["=20", "=A0", "=20abc&x=1", "=A0123456&x=1"])
def test_a_search_whose_last_name_lacks_its_value_goes_on(blank: str) -> None:
    """A program has cut a full line before the "=", which no blank of quoted-printable is then."""
    url = "https://www.example.org/group/local.history/archive/of/the/mails/list?a=b&start"
    assert [found.url for found in extract(f"{url}\n{blank}\n\nSo it is.\n")] == [url + blank]


def test_flowed_text_whose_header_is_lost() -> None:
    """Lines that end in two blanks show DelSp, so one blank behind a slash is not part of the text (RFC 3676 4.2)."""
    front, url = "so to  \nsay  \nsee ", "http://www.example.org/the/history/of/ovens/"
    (finding,) = extract(f"{front}{url} \nof-bread-and-stone\n")
    assert finding.url == f"{url}of-bread-and-stone"
    assert [join.rule for join in finding.joins] == [JoinRule.FLOWED]
    # It would have fitted in the line.
    assert extract(f"{front}http://www.example.org/ \nTel 123\n")[0].url == "http://www.example.org/"


def test_a_standard_does_not_decide_the_breaks_before_it() -> None:
    """A soft break in the next line does not make a URL go on that ended before."""
    (found,) = extract("caf=C3=A9 at http://www.example.org/foo\nthe=\nabc and so on=20\n")
    assert found.url == "http://www.example.org/foo"


@pytest.mark.parametrize("end", [" \n", " \r\n"])
@pytest.mark.parametrize(
    ("before", "behind"),
    [
        ("http://h.example/?u=", "http://b.example/x"),
        ("http://h.example/to/", "www.b.example/x"),
        ("http://h.example/web/2004/", "http://b.example/x"),
        ("http://h.example/", "12.html"),
    ],
)
def test_anything_may_stand_behind_a_soft_line_end_of_delsp(before: str, behind: str, end: str) -> None:
    """The blank and the line end are no text (RFC 3676 4.2), so a URL goes on with what looks like another."""
    for margin in ("", "> "):
        assert extract(f"{margin}{before}{end}{margin}{behind} of\n", flowed="delsp")[0].url == before + behind
        for hard in (end[1:], " " + end, end + margin + end):
            assert extract(f"{margin}{before}{hard}{margin}{behind} of\n", flowed="delsp")[0].url != before + behind
    assert extract(f"{before}{end}> {behind} of\n", flowed="delsp")[0].url != before + behind


@pytest.mark.parametrize("margin", ["", ">", "> ", ">> ", "> > "])
@pytest.mark.parametrize("behind", ["ml> to", "ml>> to", "tml>", "ml| x", "ml: x"])
def test_behind_a_soft_line_end_of_delsp_only_an_angle_at_the_beginning_quotes(margin: str, behind: str) -> None:
    """Elsewhere, initials before an angle name who is quoted (RFC 3676 4.5)."""
    for before in ("", "<see ", "<a href=", ": "):
        text = f"{margin}{before}http://www.example.org/a/b.h{'' if behind[0] == 't' else 't'} \n{margin}{behind}\n"
        assert extract(text, flowed="delsp")[0].url == "http://www.example.org/a/b.html"


@pytest.mark.parametrize("host", ["a.example.org", "a.example", "192.0.2.7/x", "www.a.example/x"])
@pytest.mark.parametrize("margin", ["", "> "])
@pytest.mark.parametrize("end", [" \n", " \r\n"])
def test_a_soft_line_may_end_before_a_host(host: str, margin: str, end: str) -> None:
    """It needs no path there. Behind a hard line end, it may be the host of which the sentence is."""
    (found,) = extract(f"{margin}see http://{end}{margin}{host}. So\n", flowed="delsp")
    assert found.url == f"http://{host}"
    assert not extract(f"{margin}see http://{end}{margin}{host} So\n", flowed="flowed")
    if "x" not in host.removesuffix(".example"):
        assert not extract(f"see http://\n{margin}{host} So\n")


@pytest.mark.parametrize("margin", ["", "> "])
@pytest.mark.parametrize("blank", ["\t", "\u00a0", "\u3000", "  ", " \u00a0"])
def test_a_blank_at_the_beginning_of_a_line_of_delsp_ends_the_url(margin: str, blank: str) -> None:
    """It belongs to the text, but for the one space that stuffs a line (RFC 3676 4.4)."""
    text = f"{margin}See http://h.example/abc \n{margin}{{}}You\n"
    assert extract(text.format(blank), flowed="delsp")[0].url == "http://h.example/abc"
    assert extract(text.format(""), flowed="delsp")[0].url == "http://h.example/abcYou"


def test_a_tab_is_no_soft_line_end() -> None:
    """RFC 3676 4.2: only a space ends a soft line."""
    assert way("see http://a.example/b\t\nc\n", "delsp") == []


@pytest.mark.parametrize(
    "text", [">> {}/b \n> c", "> {}/b \nc", "{}/b \n> c", "{}/b \n-- \nJo", "> {}/b \n> -- \n> Jo"]
)
def test_a_paragraph_of_flowed_text_ends(text: str) -> None:
    """At a line of another quote depth, whatever ends the line before, and before a signature (RFC 3676 4.5, 4.3)."""
    (found,) = extract(text.format("http://a.example"), flowed="delsp")
    assert (found.url, found.joins) == ("http://a.example/b", ())


@pytest.mark.parametrize(
    "text",
    [
        "> {}/b \n> c",
        "> > {}/b \n> > c",
        " > {}/b \n > c",
        "| {}/b \nc",
        " > {}/b \nc",
        "ed> {}/b \nc",
        "x> {}/b \nc",
        "{}/b \n--c",
    ],
)
def test_a_paragraph_of_flowed_text_goes_on(text: str) -> None:
    """A line of dashes is none before a signature without its blank, or with a text."""
    (found,) = extract(text.format("http://a.example"), flowed="delsp")
    assert found.joins


@pytest.mark.parametrize(
    "text",
    [
        "{}/b \n  c",
        "{}/b \n >c",
        "> {}/b \n>  c",
        "> {}/b \n>  >c",
        "  {}/b \n  c",
        ">  {}/b \n>  c",
        "> \t{}/b \n> \tc",
    ],
)
def test_only_one_blank_is_stuffed(text: str) -> None:
    """RFC 3676 4.4: what stands behind it is text, and ends the URL."""
    (found,) = extract(text.format("http://a.example"), flowed="delsp")
    assert (found.url, found.joins) == ("http://a.example/b", ())


QUOTED = (
    "This program is free for all, and was made by many people who live",
    "far from each other; see (https://www.example.org/archives/summer/2017-Septem",
    "ber/006048.html) for all of it and for the other parts of it, with an index.",
)


@pytest.mark.parametrize("mark", ["> ", " > ", "| ", "JD> ", "> > "])
@pytest.mark.parametrize("flowed", ["flowed", "delsp"])
def test_a_line_of_flowed_text_that_is_quoted_may_have_been_broken_before(flowed: Flowed, mark: str) -> None:
    """The text that is quoted was not flowed, perhaps. At a blank the URL ends, and in the writer's own lines."""
    (found,) = extract("".join(f"{mark}{line}\n" for line in QUOTED), flowed=flowed)
    assert (found.url[-10:], found.certainty) == ("06048.html", "inferred")
    (own,) = extract("".join(f"{line}\n" for line in QUOTED), flowed=flowed)
    assert (own.url[-7:], own.rivals) == ("-Septem", ())
    (soft,) = extract("".join(f"> {line} \n" for line in QUOTED), flowed="flowed")
    assert (soft.url[-7:], soft.rivals) == ("-Septem", ())


def test_a_flowed_line_may_be_broken_behind_a_hyphen() -> None:
    """Mail programs that fill quoted lines again break them there and add a blank; no URL ends so."""
    (found,) = extract(
        "> https://lists.example/all/2025-mfd-fix-unused-node-variables-v1-1- \n> d84a@k.example/\n", flowed="flowed"
    )
    assert found.url.endswith("-v1-1-d84a@k.example/")


@pytest.mark.parametrize("broken", ["http://a.example/al- \npha/x", "http://al- \npha.example/x"])
def test_a_hyphen_before_a_soft_line_end_is_part_of_the_url(broken: str) -> None:
    """RFC 3676 4.2: only the line end and its space go. Whoever broke the line has put no hyphen there."""
    (found,) = extract(f"See {broken} and\n", flowed="delsp")
    assert found.url == broken.replace(" \n", "")
    assert not any(found.url == rival.replace("-", "") for rival in found.rivals)
    assert [join.rule for join in found.joins] == [JoinRule.FLOWED]


@pytest.mark.parametrize("text", ["See {} \n%-sign", "See {} \n1"])
def test_the_first_line_is_found_if_the_join_of_a_standard_is_forbidden(text: str) -> None:
    """Its confidence is small, but not 0."""
    url = "http://www.example.org/"
    (found,) = extract(text.format(url), joins="never", flowed="delsp")
    assert found.url == url
    assert 0 < found.confidence < 0.001


@pytest.mark.parametrize(
    ("before", "behind"),
    [
        ("list-owner@", "lists.example.org"),
        ("list-owner", "@lists.example.org"),
        ("list-", "owner@lists.example.org"),
        ("list-ow", "ner@lists.example.org"),
    ],
)
@pytest.mark.parametrize("mark", ["", "> "])
def test_no_address_ends_before_its_host(before: str, behind: str, mark: str) -> None:
    """RFC 6068 2. Mailers quote addresses so, and the next one wraps the lines."""
    (found,) = extract(f"{mark}From: List Owner [mailto:{before}\n{mark}{behind}] On Behalf Of Jo\n")
    assert found.url == "mailto:list-owner@lists.example.org"


@pytest.mark.parametrize(
    "text",
    [
        *("mailto:webmaster\njo@a.example", "mailto:jo\nand so", "mailto:jo@\nand so"),
        *("mailto:jo.doe\nann@a.example", "mailto:jo_doe\n> ann@a.example"),
    ],
)
def test_what_is_no_address_together_is_none(text: str) -> None:
    """A word without a sign at its end may be the name of another."""
    assert not extract(text)


def test_a_host_without_a_scheme_is_the_value_of_a_search() -> None:
    """In all other places it begins another URL."""
    text = (
        "You can see all of it there: http://translate.example.com/translate?u=\nwww.example.org/foo/bar.html for all\n"
    )
    assert extract(text)[0].url == "http://translate.example.com/translate?u=www.example.org/foo/bar.html"
    for end in ("translate", "translate/b="):
        assert extract(text.replace("translate?u=", end))[0].url == f"http://translate.example.com/{end}"


def test_the_host_of_an_address_in_a_path_is_no_file() -> None:
    """Though it ends like one."""
    text = (
        "It is there, as I have told you: http://lists.example.com/dev@lists.deb\nian.example/msg123456.html for all\n"
    )
    assert extract(text)[0].url == "http://lists.example.com/dev@lists.debian.example/msg123456.html"


@pytest.mark.parametrize(("opens", "closes"), [("*", "*"), ("_", "_"), ("**", "**"), ("*Now: ", "*"), ("==", "==")])
def test_what_closes_a_phrase_is_none_of_a_url_that_goes_on(opens: str, closes: str) -> None:
    """As it is none of an unbroken one."""
    begin, rest = "http://www.example.org/documents/archive/2003/reports/summer_school_progr", "amme.html"
    (found,) = extract(f"Look there:\n{opens}{begin}\n{rest}{closes} and so on with more words in the line\n")
    assert found.url == begin + rest


@pytest.mark.parametrize("begun", ["news:abc1@", "snews:a$b@", "news:2004.7@"])
def test_a_message_id_goes_on_behind_its_at_sign(begun: str) -> None:
    """No message-id ends there (RFC 5536 3.1.3); a word may follow a sign that stands for something else."""
    assert extract(f"> see {begun}\n> h.example for it\n")[0].url == f"{begun}h.example"
    assert not extract(f"> see {begun}\n> word for it\n")


@pytest.mark.parametrize("front", [".. _The name:\n   ", ".. _The name: ", ".. __: ", ".. _`a b`: \n   "])
def test_the_lines_of_a_hyperlink_target_are_joined(front: str) -> None:
    """So reads docutils what stands in the block of a target of reStructuredText."""
    assert extract(f"Text of it.\n\n{front}http://h.example/a/\n   word\n.. _b: http://h.example/\n")[0].url == (
        "http://h.example/a/word"
    )
    for behind in ("word\n", "   two words\n", "\n   word\n", " '\n"):
        assert extract(f"Text of it.\n\n{front}http://h.example/a/\n{behind}")[0].url == "http://h.example/a/"


@pytest.mark.parametrize("id_", ["br7f5v$e1$1@meadow.example", "a$b7@hive.example"])
@pytest.mark.parametrize("scheme", ["news", "News", "snews"])
@pytest.mark.parametrize(("before", "margin"), [("in message ", ""), ("> le message de ", "> "), ("", "")])
@pytest.mark.parametrize("end", ["\n", " \r\n"])
def test_a_message_id_may_stand_below_its_scheme(id_: str, scheme: str, before: str, margin: str, end: str) -> None:
    """Newsreaders that fill the line of an attribution break it there (RFC 5536 3.1.3: it holds an "@")."""
    (found,) = extract(f"{before}{scheme}:{end}{margin}{id_}...\n{margin}so\n")
    assert (found.url, found.certainty) == (f"{scheme}:{id_}", "inferred")


@pytest.mark.parametrize(
    "text",
    [
        "the news:\ninfo1999@a.example\n",
        "the news:\nalt.test4711\n",
        "to mailto:\na$b7@hive.example\n",
        "the news:\n> a$b7@hive.example\n",
        "the news:\n\na$b7@hive.example\n",
        "the news:\na$b7@hive\n",
    ],
)
def test_other_lines_below_news_are_prose(text: str) -> None:
    """An address, a group, another scheme, another depth, a blank line, no host."""
    assert extract(text) == []
