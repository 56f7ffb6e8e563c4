"""Whether a URL goes on behind a line break: words, hyphens, paths, confidence, explanations."""

from __future__ import annotations

import math

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from breaks import first_break, way
from growth import BOUND, growth
from pieces import rebuilt
from urlglean import extract
from urlglean.records import LEVELS, Flowed, JoinRule, Joins
from urlglean.text.candidates import Evidence
from urlglean.text.confidence import KINDS, confidence_of, counts
from urlglean.text.joining import breaks, places
from urlglean.text.joining.breaks import Surroundings
from urlglean.text.joining.decision import HOPELESS, IDLE, LEAST, MAX_BREAKS, paths
from urlglean.text.joining.explanation import weighed
from urlglean.text.joining.hyphens import was_put_in
from urlglean.text.joining.line_geometry import REGION, LineGeometry
from urlglean.text.joining.words import ORDER, SYMBOLS, bits_for_a_words_end, bits_for_one_word, model
from urlglean.text.judge import judge_of
from urlglean.text.scheme_triggers import WITHOUT_SLASHES

PROSE = "Some of you asked where the pictures of the excursion are. I have put\nthem into a folder of their own.\n\n"
CUT = f"{PROSE}http://www.example.org/pictures/excursion/small/the_station_at_noon_in_Febr\nuary.html\n\nJo\n"


def read(text: str, level: Joins = "likely") -> tuple[str, tuple[str, ...]]:
    """The only URL of a text, and its rivals."""
    (finding,) = extract(text, joins=level)
    return finding.url, finding.rivals


@pytest.mark.parametrize("pair", ["Febr|uary", "Charpe|ntier", "libr|ary", "docu|mentation", "bib|liothek"])
def test_a_cut_word_is_recognised(pair: str) -> None:
    """The words and names are of several languages."""
    assert bits_for_one_word(*pair.split("|")) > 5


@pytest.mark.parametrize("pair", ["history|for", "html|describes", "page|see", "project|Jo"])
def test_two_words_are_not_taken_for_a_cut_word(pair: str) -> None:
    """The end of a name meets the beginning of prose."""
    assert bits_for_one_word(*pair.split("|")) < 5


def test_the_model_of_words_is_of_probabilities() -> None:
    """It has one octet for each symbol behind each three.

    Behind any three the probabilities add up to about 1, within the precision of quarters of a bit.
    """
    surprise = model()
    assert len(surprise) == SYMBOLS**ORDER
    for letters in (0, 1234, 19682):
        behind = surprise[letters * SYMBOLS : (letters + 1) * SYMBOLS]
        assert sum(2 ** (-steps / 4) for steps in behind) == pytest.approx(1, abs=0.15)


def test_letters_of_either_case_are_weighed_alike() -> None:
    """URLs are written in capitals as well."""
    assert bits_for_one_word("FEBR", "UARY") == bits_for_one_word("febr", "uary")
    assert bits_for_a_words_end("PAGE") == bits_for_a_words_end("page") < bits_for_a_words_end("febr")


@pytest.mark.parametrize(("before", "behind", "put_in"), [
    ("http://a.example/Def", "ault.html", True),
    ("http://a.example/0,", "10801.html", True),
    ("http://a.example/posting", "guide.html", False),
    ("http://a.example/install-r", "package.html", False),
    ("http://a.example/2012", "02.html", False),
    ("http://a.example/an-overview-of-app", "engine", False),
    ("http://a.example/an-overview/of_app", "engine", True),
    ("http://a.example/?b=Def", "ault.c%40d", False),
    ("http://a.example/?b=Def", "ault&c=%40d", True),
    ("http://a.example/?b=Def", "ault%", True),
])  # fmt: skip
def test_a_hyphen_inside_a_cut_word_was_inserted(before: str, behind: str, put_in: bool) -> None:  # noqa: FBT001
    """A hyphen behind a comma was inserted too, because no name begins with a hyphen."""
    assert was_put_in(before, behind, "") is put_in


_HEADER = "OVENCTL(1)              User Commands              OVENCTL(1)\n\n"
_SECTION = "NAME\n       ovenctl - heat the oven of the village\n\n"
_TEXT = (
    "DESCRIPTION\n       This command heats the oven, which takes an hour or longer, and says so\n"
    "       when it is warm enough to bake the bread of all houses.\n\n"
)
_CUT = (
    "       Who comes late gets the last heat, and is to clean the oven after-\n"
    "       wards, as it was agreed in spring-\n       time.\n"
)


@pytest.mark.parametrize("page", [_HEADER + _TEXT, _SECTION + _TEXT, _TEXT + _CUT])
@pytest.mark.parametrize("wrapper", ["{}", "<{}>"])
def test_in_a_manual_page_a_hyphen_at_a_line_end_was_inserted(page: str, wrapper: str) -> None:
    """Its authors write the hyphens of a URL as minus signs, behind which no formatter breaks a line (man(7))."""
    url = wrapper.format("http://www.a.example/listin-\n       fo/core-\n       utils")
    (found,) = extract(f"{page}SEE ALSO\n       The list of the village is at {url} for all.\n")
    assert found.url == "http://www.a.example/listinfo/coreutils"
    for rest in ("D/a", "House/a"):
        (found,) = extract(
            f"{page}SEE ALSO\n       The list is at <http://www.a.example/SMC-\n       {rest}> for all.\n"
        )
        assert found.url == f"http://www.a.example/SMC-{rest}"


@pytest.mark.parametrize(
    ("before", "behind", "put_in"),
    [
        ("http://a.example/listin", "fo", True),
        ("http://a.example/listin", "d", False),
        ("http://a.example/listin", "d/e", False),
        ("http://a.example/Listin", "Fo", False),
        ("http://a.example/SMC", "House", False),
        ("http://a.example/bucket", "Name", True),
        ("http://a.example/oven.theirBucket", "Name", True),
        ("http://a.example/listin", "2fo", False),
        ("http://a.example/2", "fo", False),
        ("http://a.example/listin,", "2", True),
    ],
)
def test_formatters_leave_two_letters_at_least(before: str, behind: str, put_in: bool) -> None:  # noqa: FBT001
    """Also at the end of the text. A hyphen behind a comma is no author's."""
    assert was_put_in(before, behind, "page") is put_in


@pytest.mark.parametrize("line", ["ls(1){}x", "ls(1)  a{}b", "ls(1) {}ls(2)"])
def test_blanks_in_what_may_be_a_header_take_linear_time(line: str) -> None:
    """A region has thousands of them."""
    text = "\nsee http://h.example/foo-\nbar and\n"
    assert growth(extract, lambda size: line.format(" " * size) + text, 2_000) < BOUND


@pytest.mark.parametrize(
    "text", [_TEXT, _HEADER, _CUT.replace("       ", ""), f"{_HEADER}{_TEXT.replace('       ', ' ')}"]
)
def test_elsewhere_a_hyphen_that_ends_no_known_word_stays(text: str) -> None:
    """Text with a margin may be no manual page, and text about one may have none."""
    text = f"{text}The list of the village is at http://www.a.example/listin-\nfo for all.\n"
    assert extract(text)[0].url == "http://www.a.example/listin-fo"


@pytest.mark.parametrize(
    ("before", "behind", "put_in"),
    [
        ("http://a.example/head", "ers.html", True),
        ("http://a.example/over-the-gar", "den-wall", True),
        ("http://a.example/garden", "wall.html", False),
        ("http://a.example/the-gar", "Den", False),
        ("http://a.example/1gar", "den", False),
        ("http://a.example/2012", "02.html", False),
        ("http://a.example/gar", "d", False),
    ],
)
def test_in_hyphenated_text_most_hyphens_were_inserted(before: str, behind: str, put_in: bool) -> None:  # noqa: FBT001
    """It must be likelier that the letters make one word than two. No formatter leaves one letter of a word."""
    assert was_put_in(before, behind, "words") is put_in


@pytest.mark.parametrize("wrapper", ["{}", "<{}>", "<URL:{}>"])
def test_hyphenated_words_around_a_url_tell_of_its_hyphen(wrapper: str) -> None:
    """Three different words at least that a program divided. Divided compounds and other URLs are none."""
    url = wrapper.format("http://a.example/soft-\n   ware/list")
    cut = "the direc-\n   tory of all docu-\n   ments "
    (found,) = extract(f"{cut}and infor-\n   mation is {url} of it\n")
    assert found.url == "http://a.example/software/list"
    assert "http://a.example/soft-ware/list" in found.rivals
    compounds = "the front-\n   end of object-\n   oriented e-\n   mail in real-\n   time on the back-\n   end "
    for text in (cut, f"{cut}of docu-\n   ments ", compounds, f"{cut}http://b.example/infor-\n   mation "):
        assert extract(f"{text}is {url} of it\n")[-1].url == "http://a.example/soft-ware/list"


def test_an_inserted_hyphen_is_dropped_and_the_other_reading_is_a_rival() -> None:
    """This holds for bare URLs; in a wrapper, the appendix' reading with the hyphen comes first."""
    head = f"{PROSE}http://www.example.org/pictures/excursion/small/the_station_at_noon_of_Def-"
    url, rivals = read(f"{head}\nault.html\n\nJo\n")
    assert url.endswith("_of_Default.html")
    assert any(rival.endswith("_of_Def-ault.html") for rival in rivals)


def test_no_break_is_weighed_before_a_blank_line_or_another_url() -> None:
    """The URL ends there: the list of breaks is empty."""
    for below in (
        "\n",
        "http://b.example/\n",
        "(http://b.example/)\n",
        "www.example.org\n",
        "<mailto:jo@b.example>\n",
    ):
        assert way(f"see http://a.example/b\n{below}") == []


def around(text: str) -> Surroundings:
    """The surroundings in a text without other URLs."""
    return Surroundings(text, LineGeometry(text), Evidence(text, ()), judge_of("current").valid)


def test_the_probabilities_of_all_paths_add_up_to_one() -> None:
    """Idle paths are left out of the sum.

    The likeliest path comes first, and the path that ends in the first line is always included.
    """
    found = paths(around(CUT), CUT.index("http"), CUT.index("\nuary"))
    assert [len(path.gaps) for path in found] == [1, 0]
    assert 1 - IDLE <= math.fsum(path.probability for path in found) <= 1 + 1e-9


def test_a_path_may_be_sure_to_go_on_and_unsure_where_it_ends() -> None:
    """It is evident here that the second line belongs to the URL, but not whether the third does."""
    text = f"{CUT.partition('.html')[0]}/large/\nanna_at_the_window/\n\nJo\n"
    found = paths(around(text), text.index("http"), text.index("\nuary"))
    alone, one, both = sorted(found, key=lambda path: len(path.gaps))
    assert alone.goes_on == pytest.approx(1)
    assert one.goes_on == pytest.approx(one.probability + both.probability)
    assert LEAST["likely"] < both.goes_on < LEAST["evident"] < one.goes_on
    assert one.probability < IDLE
    assert read(text, "evident")[0].endswith("February/large/")
    assert read(text, "likely")[0].endswith("February/large/anna_at_the_window/")
    assert not any(rival.endswith("/large/") for rival in read(text, "likely")[1])


@given(st.text("htp:/w.a1-_ \n,", max_size=200).map("see http://a.example/b-\nc".__add__))
def test_rivals_come_best_first(text: str) -> None:
    """Rivals are sorted by confidence; none occurs twice or is the URL itself."""
    for finding in extract(text):
        assert list(finding.rival_confidences) == sorted(finding.rival_confidences, reverse=True)
        assert len({finding.url, *finding.rivals}) == len(finding.rivals) + 1


def test_the_whole_path_counts_and_not_the_first_step() -> None:
    """A scrap of a line between two full lines is evidence against a join, but the line behind it outweighs that."""
    head = "> http://www.example.org/pictures/excursion/small/the_station_at_noon_p"
    text = f"{head}\na\n> ssengers/picture_of_the_old_engine.html?size=large&colour=none\n>\n"
    assert read(text)[0].endswith("noon_passengers/picture_of_the_old_engine.html?size=large&colour=none")


def test_a_token_that_only_closes_adds_nothing() -> None:
    """If the next line only ends the sentence, there is no rival that contains it."""
    assert read(f"{PROSE}(http://www.example.org/pictures/excursion/small/the_station_at_noon_in_/\n).\n")[1] == ()


@pytest.mark.parametrize(("behind", "only_closes"), [(")", True), (").", True), ("and so", False)])
def test_behind_a_hopeless_break_there_is_no_path(behind: str, only_closes: bool) -> None:  # noqa: FBT001
    """The URL ends in its first line, for certain if the next line only closes a sentence."""
    text = f"see http://a.example/b\n{behind}\nmore\n"
    (step,) = way(text)[:1]
    assert step.log_odds < HOPELESS
    (found,) = paths(around(text), 4, text.index("\n"))
    assert (found.gaps, found.goes_on) == ((), 1)
    assert found.probability == (1 if only_closes else pytest.approx(1 / (1 + math.exp(step.log_odds)), abs=1e-12))


def test_levels_are_probabilities_of_a_path() -> None:
    """A join of less than 0.98 is not made at `evident`, and no join at `never`.

    The reading that was not chosen is a rival.
    """
    assert list(LEAST) == list(LEVELS)
    text = f"{PROSE}http://www.example.org/choir/autumn/what-the-singers-think-of-the-progra\nmme and of each other.\n"
    joined, (alone,) = read(text)
    assert joined.endswith("programme")
    (finding,) = extract(text)
    assert 0.5 < finding.confidence < LEAST["evident"]
    for level in ("evident", "never"):
        assert read(text, level) == (alone, (joined,))


def test_confidence_and_those_of_rivals_are_probabilities_in_order() -> None:
    """The confidences of a URL and its rivals add up to at most 1."""
    (finding,) = extract(CUT)
    assert finding.confidence > 0.9
    assert len(finding.rival_confidences) == len(finding.rivals) > 0
    assert math.fsum([finding.confidence, *finding.rival_confidences]) <= 1
    assert [*finding.rival_confidences] == sorted(finding.rival_confidences, reverse=True)


def test_a_wrapper_says_more_than_a_line_end() -> None:
    """A URL inside its line is surer than one at a line end, and a reader seldom copies a rejected one."""
    kinds = "<http://a.example/b> http://a.example/c and http://a.example/d\nindeed <http://:x/>"
    wrapped, bare, ends, rejected = (finding.confidence for finding in extract(kinds, invalid=True))
    assert wrapped > 0.95
    assert bare > 0.95
    assert ends < bare
    assert rejected < 0.6


def test_every_kind_was_counted() -> None:
    """For each kind, at most all findings are right, and the confidence is neither 0 nor 1."""
    assert set(counts()) == set(KINDS)
    for kind in KINDS:
        assert 0 <= counts()[kind].right <= counts()[kind].of
        assert 0 < confidence_of(kind) < 1


def test_the_number_of_breaks_in_a_url_is_bounded() -> None:
    """The text consists only of lines that could be the rest of the URL."""
    text = f"http://www.example.org/{'a1b2/' * 10}\n" + f"{'c3d4=%41/' * 8}\n" * (MAX_BREAKS + 5)
    assert len(way(text)) == MAX_BREAKS


def test_an_explanation_holds_the_terms_of_the_sum_strongest_first() -> None:
    """It is given for a URL at a line end, and for no other URL."""
    start = CUT.index("http")
    (step,) = weighed(CUT, {start})[start]
    assert CUT[step.at] == "\n"
    assert step.log_odds > 3
    assert [abs(term.log_odds) for term in step.terms] == sorted((abs(t.log_odds) for t in step.terms), reverse=True)
    assert weighed("see http://a.example/ there", {4}) == {}


def test_the_column_ignores_lines_that_were_never_wrapped() -> None:
    """The column is that of the prose, not of one long line; `http:` is no quote prefix."""
    at = first_break(f"{'word ' * 13}word\n" * 4 + f"{'a' * 300} b c d\nhttp://a.example/{'b' * 50}\nc\n")
    assert at.context is not None
    assert at.context.room == 69 - at.length
    assert (at.context.longer, at.context.as_long, at.depth) == (5, 0, 0)


@given(st.lists(st.tuples(st.integers(0, 90), st.sampled_from(["\n", "\r\n"])), max_size=60), st.integers(0, 3))
@example([(REGION - 1, "\n"), (3, "\n"), (2 * REGION, "\r\n"), (5, "")], 0)
def test_a_line_at_the_end_of_a_region_is_counted_whole(lines: list[tuple[int, str]], blanks: int) -> None:
    """The line at a place is among the lines near it, with its whole length, even if a region ends inside it."""
    text = "".join(length * "a" + blanks * " " + end for length, end in lines)
    geometry, at = LineGeometry(text), 0
    for length, end in lines:
        if length:
            assert geometry.near(at, 0).as_long(length) >= 1
        at += length + blanks + len(end)


@given(st.text("htp:/w.a1-_=%&?#()[]<>\"' \n\r\t|,;é", max_size=200).map("see http://a.example/b".__add__))
def test_pieces_and_joins_tile_any_reading(text: str) -> None:
    """For any text around line ends, pieces give the URL, findings do not overlap, and confidence is a probability."""
    done = 0
    for finding in extract(text):
        assert rebuilt(text, finding) == finding.url
        assert finding.span.start >= done
        done = finding.span.end
        assert 0 < finding.confidence <= 1
        assert all(join.rule in JoinRule for join in finding.joins)


def test_a_url_inside_another_is_not_found_again() -> None:
    """A URL that goes on over a line break may contain a second URL, which is then not found by itself."""
    text = "http://www.example.org/cgi-bin/redirect.cgi?id=12\n&to=http://www.example.net/ x\n"
    assert read(text)[0] == "http://www.example.org/cgi-bin/redirect.cgi?id=12&to=http://www.example.net/"


def test_a_join_that_the_level_forbids_is_not_made_to_get_a_valid_url() -> None:
    """The reading that ends in its line is rejected then, or only its beginning is found, which is not believed."""
    assert extract("http://a-\nb.example.org/x", joins="never") == []
    (found,) = extract("http://www.example.org/%\n20foo.html\n", joins="never")
    assert (found.url, found.joins) == ("http://www.example.org/", ())
    assert found.confidence < 0.01


@pytest.mark.parametrize("flowed", ["", "delsp"])
def test_no_url_goes_on_in_a_line_that_begins_with_another_sign(flowed: Flowed) -> None:
    """The URL would take no character from that line."""
    (finding,) = extract("http://a.example/b \n{\n", flowed=flowed)
    assert (finding.url, finding.joins) == ("http://a.example/b", ())


@pytest.mark.parametrize("part", ["HTTP://a.b ", "(http://a.b/c_{x} ", "/a=http://a.b/c/\n", "http://a.b/c?d=\nx=\n"])
def test_many_urls_are_read_one_by_one(part: str) -> None:
    """Many URLs in one line, or one behind the other, come in order, and the text is read once."""
    found = extract("> " * 500 + part * 2000)
    assert [finding.span.start for finding in found] == sorted({finding.span.start for finding in found})


@pytest.mark.parametrize("text", ["<URL:http://a.example/b-\nc/>", "<http://a.example/b/\nc.html>"])
def test_a_broken_wrapper_that_is_not_joined_has_a_low_confidence(text: str) -> None:
    """At `never` only the first line is given, and its confidence is below 0.1."""
    (joined,), (alone,) = extract(text), extract(text, joins="never")
    assert joined.confidence > 0.9
    assert alone.confidence < 0.1


def test_a_quoted_url_ends_before_a_line_end_and_its_quotation_mark() -> None:
    """Pieces and joins cover the span, and the span ends with the last piece."""
    (found,) = extract('"http://www.example.org/a\n" and')
    assert (found.url, found.span.end, found.joins) == ("http://www.example.org/a", 25, ())


OPAQUE = {
    "mailto": "mailto:anna@a.example",
    "news": "news:1994.12@a.example",
    "snews": "snews:1994.12@a.example",
    "cid": "cid:part1@a.example",
    "mid": "mid:1994.12@a.example",
    "file": "file:/usr/share/doc/x.txt",
    "urn": "urn:isbn:0451450523",
    "tel": "tel:+1-555-0100",
    "data": "data:,hello",
    "sip": "sip:anna@a.example",
    "sips": "sips:anna@a.example",
    "geo": "geo:48.2,16.4",
    "magnet": "magnet:?xt=urn:btih:c12fe1c06bba254a9dc9f519b335aa7c1367a88a",
    "xmpp": "xmpp:anna@a.example",
}


@pytest.mark.parametrize("scheme", sorted(WITHOUT_SLASHES))
def test_a_url_does_not_go_on_in_a_line_that_begins_with_another(scheme: str) -> None:
    """In a list, each line is a URL of its own, whatever its scheme."""
    url = OPAQUE.get(scheme, f"{scheme}:anna@a.example")
    for before in (url, "http://www.example.org/archive/file", f"{url}."):
        for layout in ("{}\n{}\n", "> {}\n> {}\n", "- {}\r\n- {}\r\n"):
            found = [finding.url for finding in extract(layout.format(before, url))]
            assert found == [before.rstrip("."), url], layout


def test_lines_elsewhere_are_read_once_however_often_the_url_ends_a_line(monkeypatch: pytest.MonkeyPatch) -> None:
    """Otherwise the time would grow with the number of places times their length."""
    read: list[int] = []
    held = places.next_line

    def counted(text: str, place: places.Place) -> places.NextLine | None:
        read.append(place.end)
        return held(text, place)

    monkeypatch.setattr(breaks, "next_line", counted)
    extract("> http://www.example.com/a/\n> word\n" * 200)
    assert len(read) <= breaks.ELSEWHERE
