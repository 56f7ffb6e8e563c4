"""A line break within a wrapper does not change the URL, whatever its content is (RFC 1738 appendix)."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from urlglean import extract


@given(
    before=st.text("ab/.", min_size=1, max_size=8),
    behind=st.text("ab/{}[]|%#?=~.,", min_size=1, max_size=12),
    name=st.sampled_from(["<URL:{}>", "<{}>"]),
)
def test_a_content_is_read_alike_in_one_line_and_in_two(before: str, behind: str, name: str) -> None:
    """Also if it is no URL."""
    url = f"http://h.example/{before}"
    whole = extract(name.format(url + behind), invalid=True)
    broken = extract(name.format(f"{url}\n{behind}"), invalid=True)
    assert [(each.url, each.valid) for each in broken] == [(each.url, each.valid) for each in whole]


@pytest.mark.parametrize("behind", ["b/{id}", "{id}/b", "b%s"])
def test_the_first_line_of_a_placeholder_is_no_url(behind: str) -> None:
    """The whole is rejected, as in one line."""
    text = f"<URL:http://a.example/library/\n> {behind}>"
    assert not extract(text)
    assert [each.url for each in extract(text, invalid=True)] == [f"http://a.example/library/{behind}"]


@pytest.mark.parametrize("label", ["label", "our label", "a=b"])
def test_a_label_is_no_part_of_a_broken_url(label: str) -> None:
    """A bar divides them, as in mail of Slack; without joins, such a wrapper is read up to its first line end."""
    text = f"<http://a.example/long/\npath.html|{label}>"
    assert [each.url for each in extract(text)] == ["http://a.example/long/path.html"]
    assert [each.url for each in extract(text, joins="never")] == ["http://a.example/long/"]
    for dialect in ("current", "web"):
        found = extract("<http://a.example/long/ see the other|label>", dialect)
        assert [each.url for each in found] == ["http://a.example/long/"]


@pytest.mark.parametrize("margin", ["", "> "])
@pytest.mark.parametrize("label", ["Click|here", "Click|here|now", "label"])
def test_a_line_end_divides_the_words_of_a_label(label: str, margin: str) -> None:
    """Behind a search, a bar before one word may be of the URL, but not one before a label of several words."""
    url = "https://h.example/x?a=b"
    text = f"{margin}<{url}|{label}>\n{margin}and"
    broken = text.replace(f"|{label}", "|" + label.replace("|", f"\n{margin}"))
    wanted = url if "|" in label else f"{url}|{label}"
    assert [each.url for each in extract(broken)] == [wanted]


@pytest.mark.parametrize("content", ["http://f.example/css?family=Serif:400|Sans:\n700", "http://f.example/x|lab\nel"])
def test_without_joins_nothing_of_a_label_is_joined(content: str) -> None:
    """Nor do rivals hold what stands behind the line end."""
    (found,) = extract(f"<{content}>", joins="never")
    assert (found.url, found.joins, found.rivals) == (content.partition("|")[0], (), ())


@pytest.mark.parametrize("margin", ["", "> ", "> > > "])
@pytest.mark.parametrize("written", ["<ann@h.example <{}>>", "<\n ann@h.example\n <{}>>", "<ann@h.example\n<{}>>"])
def test_two_angles_close_the_url_and_the_address_around_it(written: str, margin: str) -> None:
    """Mail programs write attributions so. The angles may begin a line that looks quoted."""
    lines = f"On Monday, Ann {written.format(f'mailto:{chr(10)}ann@h.example{chr(10)}')} wrote:\n\nso\n".split("\n")
    text = "".join(f"{margin}{line}\n" for line in lines) + f"{margin}> and\n"
    assert [each.url for each in extract(text)] == ["mailto:ann@h.example"]


def test_other_lines_of_two_angles_are_quoted() -> None:
    """They close no wrapper, though one stands open before them."""
    assert extract("see <http://h.example/a/\nb\n>> c\n>> d\n")[0].url == "http://h.example/a/"


MARGINS = [
    "> ",
    ": ",
    "| ",
    "＞ ",
    "» ",
    "│ ",
    "> | ",
    "> : ",
    '.\\" ',
    "dnl ",
    "REM ",
    "C ",
    "@c ",
    "#. ",
    "AB> ",
    "-- ",
]


@pytest.mark.parametrize("margin", MARGINS)
@pytest.mark.parametrize("cut", ["", "{}"])
@pytest.mark.parametrize("end", ["\n", " \n", "\r\n"])
def test_an_angle_at_a_line_end_opens_the_wrapper_of_the_url_below(margin: str, cut: str, end: str) -> None:
    """White space in the wrapper is ignored (RFC 3986 appendix C), and the margin of both lines is none of it."""
    url = f"http://x-y.example/index{cut.format(end + margin)}.html"
    (found,) = extract(f"{margin}a <{end}{margin}{url}> so\n{margin}more\n")
    assert (found.url, found.wrapper) == ("http://x-y.example/index.html", "angle")


@pytest.mark.parametrize("margin", ["", "> ", "| "])
@pytest.mark.parametrize(
    "url", ["http://a.example/x?family=A:400|B:500", "https://a.example/?url=b&data=05|01|c@d.example|8ab2|3dd8|0&e=0"]
)
def test_a_bar_of_a_search_is_of_the_url_wherever_a_line_ends(url: str, margin: str) -> None:
    """As those of Safe Links are. The bars of a margin are none."""
    for at in range(len("http://"), len(url)):
        (found,) = extract(f"{margin}see <{url[:at]}\n{margin}{url[at:]}> so\n")
        assert (found.url, found.certainty) == (url, "stated")


@pytest.mark.parametrize("wrapper", ["<{}>", "<URL:{}>", '"{}"', "call {} now"])
@pytest.mark.parametrize("number", ["7042", "*%2306%23", "0171-33", "7042;ext=12", "7042;isub=a%20b"])
def test_a_local_number_with_a_context_is_a_url(number: str, wrapper: str) -> None:
    """RFC 3966 3 and 5.1.5. Without one it may be a signature."""
    url = f"tel:{number};phone-context=example.com"
    (found,) = extract(wrapper.format(url), invalid=True)
    assert found.url == url
    assert not extract("tel:0171-33 or tel: 7042; phone")


@pytest.mark.parametrize("wrapper", ["<{}>", "<{}|our number>", '"{}"', "> see <{}\n> >"])
@pytest.mark.parametrize("number", ["555-123-4567", "(512)757-6000", "408%20476%203100", "112", "*%23062%23;ext=4"])
def test_a_local_number_in_a_wrapper_is_a_url(number: str, wrapper: str) -> None:
    """Programs write links to numbers so, as they were typed."""
    (found,) = extract(wrapper.format(f"tel:{number}"))
    assert (found.url, found.valid) == (f"tel:{number}", True)
    assert extract("<tel:(781) 600 4248>")[0].url == "tel:(781)6004248"


@pytest.mark.parametrize(
    "text", ["<tel: 0171 33>", "<Tel:0171 33>", "<tel:12>", "<tel:555+12+3>", "<tel:555-1234", "tel:555-1234"]
)
def test_other_labels_before_a_number_are_no_scheme(text: str) -> None:
    """As those of signatures."""
    assert not extract(text)


@pytest.mark.parametrize("rest", ["|label", " our list", "/b?f=Serif:400|Sans:700", ""])
def test_a_hyphen_is_read_alike_whatever_else_is_in_the_wrapper(rest: str) -> None:
    """That of a formatter in a scheme goes; any other stays, and the URL without it is a rival."""
    (found,) = extract(f"see <http-\n://a.example/x{rest}> so")
    assert found.url.startswith("http://a.example/x")
    (found,) = extract(f"see <http://a.example/x-\ny{rest}> so")
    assert found.url.startswith("http://a.example/x-y")
    assert found.url.replace("x-y", "xy") in found.rivals or "|S" in rest


@pytest.mark.parametrize("margin", ["", "> "])
@pytest.mark.parametrize(
    "lines", [" see <{}\n-{}>\n+x>", " see <{}\n+{}>", "-see <{}\n-{}>", "-see <x\n+see <{}\n {}>"]
)
def test_marks_of_a_hunk_are_none_of_a_broken_url(lines: str, margin: str) -> None:
    """A patch may change only the second line. Elsewhere, a hyphen there belongs to the URL."""
    head = "--- a/README\n+++ b/README\n@@ -1,4 +1,4 @@\n"
    broken = lines.format("http://h.example/long/path/", "oven.html")
    text = "".join(f"{margin}{line}\n" for line in f"{head}{broken}\n so".split("\n"))
    assert "http://h.example/long/path/oven.html" in [each.url for each in extract(text)]
    assert extract(" see <http://h.example/long/path/\n-oven.html>")[0].url == "http://h.example/long/path/-oven.html"


@pytest.mark.parametrize("strict", [True, False])
def test_a_rejected_url_that_holds_another_is_rejected_as_a_whole(strict: bool) -> None:  # noqa: FBT001
    """Wherever a line end stands in it."""
    url = "http://anonym.example/?http://a.example/x"
    for at in range(len("http://"), len(url)):
        (found,) = extract(f"<{url[:at]}\n{url[at:]}>", "rfc1738", strict=strict, invalid=True)
        assert (found.url, found.valid, found.rejected) == (url, False, strict)
    assert extract("<http://a.example/{b so http://b.example/>")[-1].url == "http://b.example/"
