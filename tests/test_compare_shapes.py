"""The places where two tools disagree, and their shapes. The findings are data; no tool is run."""

from __future__ import annotations

import pytest

from comparison.pairing import agree, disagreements, groups
from comparison.peers import LINKIFY_IT, PATTERN, URI_FIND, Peer
from comparison.records import Disagreement, Found
from comparison.shapes import SHAPES, shape_of


def found(text: str, *urls: str, joined: bool = False, wrapper: str = "") -> list[Found]:
    """The given URLs with their places in the text, each behind the one before; `|` is a line end."""
    places, at = [], 0
    for url in urls:
        written = url.replace("|", "\n")
        start = text.index(written, at)
        at = start + len(written)
        places.append(Found(start, at, url.replace("|", ""), joined, wrapper))
    return places


def test_urls_that_overlap_are_one_place() -> None:
    """Two URLs of one tool inside one URL of the other are one place. URLs that only touch do not overlap."""
    text = "a:1(b:2)c:3 d:4e:5"
    ours, other = found(text, "a:1", "b:2", "d:4"), found(text, "a:1(b:2)c:3", "e:5")
    assert list(groups(ours, other)) == [
        ((ours[0], ours[1]), (other[0],)),
        ((ours[2],), ()),
        ((), (other[1],)),
    ]


def test_tools_agree_if_a_user_gets_the_same_strings() -> None:
    """Which tool removed the white space does not matter."""
    text = "<a:1\n2>"
    assert agree((tuple(found(text, "a:1|2", joined=True)), (Found(1, 6, "a:12"),)))
    assert not agree((tuple(found(text, "a:1|2", joined=True)), tuple(found(text, "a:1"))))


def test_tools_that_find_the_same_urls_share_one_disagreement() -> None:
    """A tool that agrees with ours is not named."""
    text = "(see http://a.example/b) there"
    theirs: dict[Peer, list[Found]] = {
        PATTERN: found(text, "http://a.example/b)"),
        URI_FIND: found(text, "http://a.example/b)"),
        LINKIFY_IT: found(text, "http://a.example/b"),
    }
    held = disagreements(text, found(text, "http://a.example/b"), theirs, list)
    assert [(shape_of(case), peers) for case, peers in held.items()] == [
        ("other ends later: at a closing bracket", [PATTERN, URI_FIND]),
    ]


def test_schemes_that_a_tool_never_looks_for_are_no_disagreement() -> None:
    """A pattern for the web does not miss the URL of a newsgroup."""
    text = "in news:comp.example and http://a.example/"
    theirs: dict[Peer, list[Found]] = {PATTERN: [], URI_FIND: []}
    held = disagreements(text, found(text, "news:comp.example", "http://a.example/"), theirs, list)
    assert [([one.url for one in case.ours], peers) for case, peers in held.items()] == [
        (["http://a.example/"], [PATTERN, URI_FIND]),
        (["news:comp.example"], [URI_FIND]),
    ]


def test_rejects_are_computed_once_and_only_if_ours_finds_nothing() -> None:
    """The code is that of the rejected stretch that contains the other tool's URL."""
    text = "http://a.example/ http://_b/ http://c%zz/ http://d/"
    asked = []

    def rejects() -> list[tuple[int, int, str]]:
        asked.append(1)
        return [(18, 28, "underscore-in-host"), (29, 41, "bad-escape")]

    other = found(text, "http://a.example/", "http://_b/", "http://c%zz/", "http://d/")
    held = disagreements(text, found(text, "http://a.example/"), {PATTERN: other}, rejects)
    assert [case.rejected for case in held] == ["underscore-in-host", "bad-escape", ""]
    assert len(asked) == 1
    assert not disagreements(text, other, {PATTERN: other}, rejects)
    assert len(asked) == 1


A, B = "http://a.example/p", "http://b.example/"
CASES = [
    # The text, our URLs, the other's. "|" in a URL is a line end that was removed; "<" before a URL: it is wrapped.
    ("only other: no scheme", "see www.a.example now", "", "www.a.example"),
    ("only other: no slashes", "see file:x now", "", "file:x"),
    ("only other: glued to what stands before", "xhttp://a.example/p", "", A),
    ("only other: a scheme that is not of the web", "pb://h/s", "", "pb://h/s"),
    ("only other: the rest", f"see {A}", "", A),
    ("only ours: wrapper with white space", f"<{A}/\nq>", f"<{A}/|q", ""),
    ("only ours: bare over lines", f"see {A}/\nq", f"{A}/|q", ""),
    ("only ours: no slashes", "mailto:x@a.example", "mailto:x@a.example", ""),
    ("only ours: glued to what stands before", f"2.{A}", A, ""),
    ("only ours: behind `URL:`", f"(URL: {A})", A, ""),
    ("only ours: host is a number", "http://u@192.0.2.1:80/p", "http://u@192.0.2.1:80/p", ""),
    ("only ours: host without a dot", "http://localhost/p", "http://localhost/p", ""),
    ("only ours: host outside ASCII", "http://bücher.example/", "http://bücher.example/", ""),
    ("only ours: a scheme that is not of the web", "gopher://a.example/", "gopher://a.example/", ""),
    ("only ours: scheme in capitals", "HTTP://a.example/", "HTTP://a.example/", ""),
    ("only ours: the rest", f"see {A}", A, ""),
    ("several of ours in one of other's", f"{A}({B})", f"{A} {B}", f"{A}({B})"),
    ("several of other's in one of ours", f"{A}?{B}", f"{A}?{B}", f"{A} {B}"),
    ("other begins earlier", f"x{A}", A, f"x{A}"),
    ("other begins later", f"git+{A}", f"git+{A}", A),
    ("same stretch, read otherwise", f"{A}-\nq", f"{A}-|q", f"{A}-\nq"),
    ("other joins less: wrapper with white space", f"<{A}/\nq>", f"<{A}/|q", f"{A}/"),
    ("other joins less: bare over lines", f"see {A}/\nq", f"{A}/|q", f"{A}/"),
    ("other ends later: at another URL", f"{A},{B}", A, f"{A},{B}"),
    ("other ends later: at an entity", f"{A}&gt;", A, f"{A}&gt;"),
    ("other ends later: at an opening bracket", f"{A}(q", A, f"{A}(q"),
    ("other ends later: at a closing bracket", f"({A}).", A, f"{A})."),
    ("other ends later: at a quote", f"'{A}'", A, f"{A}'"),
    ("other ends later: at a backslash, a bar or a caret", f"{A}\\q", A, f"{A}\\q"),
    ("other ends later: at a stop at the end", f"{A}. So", A, f"{A}."),
    ("other ends later: at a stop inside", f"{A}.So", A, f"{A}.So"),
    ("other ends later: at emphasis or a ruler", f"*{A}*", A, f"{A}*"),
    ("other ends later: at a tilde or what stands for it", f"{A}/‾ann", f"{A}/", f"{A}/‾ann"),
    ("other ends later: at a letter or digit", f"{A}.htmlThe", f"{A}.html", f"{A}.htmlThe"),
    ("other ends later: at a letter outside ASCII", f"{A}和", A, f"{A}和"),
    ("other ends later: at white space", f"<{A}/\nq>", f"{A}/", f"{A}/\nq"),
    ("other ends later: at another sign", f"{A}$q", A, f"{A}$q"),
    ("other ends later: at a sign outside ASCII", f"{A}→q", A, f"{A}→q"),
    ("other ends earlier: at a stop inside", "mailto:x@a.example?y=z", "mailto:x@a.example?y=z", "mailto:x@a.example"),
]


def sides(text: str, ours: str, other: str) -> Disagreement:
    """A row of `CASES` as a disagreement."""
    mine = ours.removeprefix("<").split()
    joined, wrapper = "|" in ours, "angle" if ours.startswith("<") else "bare"
    theirs = [other] if "\n" in other else other.split()
    return Disagreement(text, tuple(found(text, *mine, joined=joined, wrapper=wrapper)), tuple(found(text, *theirs)))


@pytest.mark.parametrize(("shape", "text", "ours", "other"), CASES, ids=lambda value: value[:50])
def test_a_disagreement_has_its_shape(shape: str, text: str, ours: str, other: str) -> None:
    """The first row of the table that applies gives the shape."""
    assert shape_of(sides(text, ours, other)) == shape


def test_a_rejected_url_has_the_code_as_its_shape() -> None:
    """The code comes before all other shapes, whatever the URL looks like."""
    case = sides("www.a.example", "", "www.a.example")
    assert shape_of(case._replace(rejected="bad-escape")) == "only other: we refuse it, bad-escape"


def test_a_disagreement_without_a_shape_counts_as_the_rest() -> None:
    """An example is a control character at the end of the URL."""
    case = Disagreement(f"{A}\x01", tuple(found(A, A)), (Found(0, len(A) + 1, f"{A}\x01"),))
    assert shape_of(case) == "other" == SHAPES[-1].name


def test_names_of_shapes_are_unique() -> None:
    """Counts are kept by these names."""
    assert len({shape.name for shape in SHAPES}) == len(SHAPES)
