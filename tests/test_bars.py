"""Whether a bar belongs to a URL, or stands between it and its label."""

from __future__ import annotations

import pytest

from urlglean import extract
from urlglean.text.bars import LONGEST_SEARCH

URL = "http://www.example.org"
SAFE = f"{URL}/?u=https%3A%2F%2Fh.example&d=05|01|jo@b.example|0c|Unk%3D|||&s=a&r=0"
FONTS = f"{URL}/css?family=Serif:400,700|Sans:400"
MARKERS = f"{URL}/map?markers=color:blue|label:S|40.70,-74.01&titles=Talk:Foo|User:Bar"


def urls(text: str) -> list[str]:
    """The URLs of a text."""
    return [found.url for found in extract(text)]


@pytest.mark.parametrize("url", [SAFE, FONTS, MARKERS, f"{URL}/?d=02|01|jo%40b.example|7", f"{URL}/?a=1|2|3"])
@pytest.mark.parametrize(
    "around", ["{} is", "({})", "[x]({})", "'{}'", '"{}"', "<{}>", r"\\url{{{}}}", "url = {{{}}},"]
)
def test_bars_in_a_search_belong_to_it(url: str, around: str) -> None:
    """Gateways that write links anew, and servers of fonts, divide values by bars. TeX gives URLs in braces."""
    assert urls(around.format(url)) == [url]


def test_a_search_is_looked_for_so_far_before_a_bar_only() -> None:
    """A URL may hold a bar at every second place, and each would read the whole URL before it."""
    near, far = (f"{URL}/?a={'b' * length}" for length in (LONGEST_SEARCH - 3, LONGEST_SEARCH - 2))
    assert urls(f"[x]({near}|1) is") == [f"{near}|1"]
    assert urls(f"[x]({far}|1) is") == [far]
    assert urls(f"{URL}/?q={'b' * 150}|c|d=e and") == [f"{URL}/?q={'b' * 150}|c|d=e"]
    assert urls(f"why? ({URL}/a|b=1)") == [f"{URL}/a"]


@pytest.mark.parametrize("url", [f"{URL}/a", f"{URL}/?a=b", f"{URL}/a.png?200", SAFE])
@pytest.mark.parametrize("label", ["the label", "#12 Mend it", "Text of it", "", "www.example.org/?a", "the | bar"])
@pytest.mark.parametrize("around", ["<{}|{}>", "[{}|{}]", "[[{}|{}]] and", "{{{}|{}}}", "see {{{{{}|{}}}}}"])
def test_a_label_behind_a_bar_is_no_url(url: str, label: str, around: str) -> None:
    """Slack writes links so, and wikis write links and pictures so. The label may have a bar too."""
    (found,) = extract(around.format(url, label))
    assert (found.url, found.certainty) == (url, "inferred")


@pytest.mark.parametrize("options", ["thumbnail", "width=300", "align=right, vspace=4"])
@pytest.mark.parametrize("around", ["!{}|{}!", "see !{}|{}! for", "(!{}|{}!)"])
def test_the_options_of_a_picture_are_no_part_of_it(options: str, around: str) -> None:
    """Jira writes pictures so."""
    assert urls(around.format(f"{URL}/a.png", options)) == [f"{URL}/a.png"]
    assert urls(f"Hey!{URL}/a|width=300!") == [f"{URL}/a|width=300"]


@pytest.mark.parametrize("behind", ["apt-key add -", "md5sum", "/bin/sh", "python3 -", "sh"])
@pytest.mark.parametrize(
    "before", ["wget -qO- ", "$ curl -s ", "run `curl -sSL ", "> # curl -H 'X: y' ", "fetch -o - ", "sudo ftp -o - "]
)
def test_a_bar_in_a_command_is_a_pipe(before: str, behind: str) -> None:
    """The URL may have a search. Quotation marks state the URL; prose is no command."""
    assert urls(f"{before}{URL}/a.key|{behind}") == [f"{URL}/a.key"]
    assert urls(f"{before}{URL}/?a=b|{behind}") == [f"{URL}/?a=b"]
    assert urls(f"{before}'{URL}/?a=b|c2' {behind}") == [f"{URL}/?a=b|c2"]
    for other in ("get ", "GET ", "TCP_MISS/200 GET ", "I tried wget on ", "wget 'a "):
        assert urls(f"{other}{URL}/a|b-2") == [f"{URL}/a|b-2"]


@pytest.mark.parametrize("around", ["<{0}|{0}>", "[{0}|{0}]", "{{{{{0}|{0}}}}}", "{0}|{0}"])
def test_a_label_that_is_a_url_is_found_too(around: str) -> None:
    """A scheme behind a bar begins another URL."""
    url = f"{URL}/?a=b&c=d"
    assert urls(around.format(url)) == [url, url]


@pytest.mark.parametrize("label", ["here", "AB-12", "a.example/b"])
def test_a_word_behind_the_only_bar_of_a_search_may_be_a_label(label: str) -> None:
    """In angle brackets it more likely belongs to the search; in a path, or in a wiki's brackets, it does not."""
    url = f"{URL}/?id=12"
    (found,) = extract(f"<{url}|{label}>")
    assert (found.url, found.rivals, found.certainty) == (f"{url}|{label}", (url,), "stated")
    assert urls(f"<{URL}/b|{label}>") == [f"{URL}/b"]
    assert urls(f"[[{url}|{label}]]") == [url]
    assert urls(f"{{{{{url}|{label}}}}}") == [url]


def test_a_label_may_repeat_the_host() -> None:
    """Slack writes the text that was typed, without a scheme."""
    assert urls("<http://a.example/?b=c|a.example/?b=c>") == ["http://a.example/?b=c"]


def test_a_prefix_states_the_whole() -> None:
    """What follows `URL:` in angle brackets has no label."""
    assert urls("<URL:http://a.example/?d=1|2>") == ["http://a.example/?d=1|2"]


@pytest.mark.parametrize("drive", ["file:///C|/a/b.html", "file:/d|/a", "FILE://localhost/c|/"])
@pytest.mark.parametrize("around", ["({})", "[{}] is", "| {} |", "{{{}}}", "see {} and"])
def test_a_bar_may_stand_for_the_colon_of_a_drive(drive: str, around: str) -> None:
    """Netscape wrote it so (RFC 8089 E.2.2)."""
    assert urls(around.format(drive)) == [drive]


@pytest.mark.parametrize("cells", ["|12|Of it", "|a.example", "|text/html|200"])
def test_rows_may_begin_with_urls(cells: str) -> None:
    """Programs of databases write tables so. One row alone shows nothing."""
    rows = [f"{URL}/?a=b", f"{URL}/c"]
    text = "".join(f"{url}{cells}\n" for url in rows)
    assert urls(text) == urls(f"> a\n\n{text}\nb") == rows
    assert urls(text.rstrip("\n")) == rows
    assert urls(f"{URL}/?a=1|2\n{URL}/?a=1\nb|c\n") == [f"{URL}/?a=1|2", f"{URL}/?a=1"]
    assert urls(f"{'x' * 600}|\n{URL}/?a=1|2\n") == [f"{URL}/?a=1|2"]


def test_a_list_of_searches_with_bars_is_no_table() -> None:
    """Rows have blanks, or bars behind a path."""
    lines = [FONTS, f"{URL}/css?family=Lato|Roboto", f"{URL}/?titles=A|B&format=json"]
    assert urls("\n".join(lines)) == lines
    charts = [f"{URL}/c?chxl=0:|a|b|1:|2|3", f"{URL}/c?chxl=0:|c|d|1:|4|5"]
    assert urls("\n".join(charts)) == charts
    for cell in ("|200", "|2001-01-01T10:00:00", "|GET", "|NULL", "|"):
        assert urls(f"{URL}/?id=5{cell}\n{URL}/?id=6{cell}\n") == [f"{URL}/?id=5", f"{URL}/?id=6"]
    assert urls(f"{URL}/?id=5|Of it\n{URL}/?id=6|x\n") == [f"{URL}/?id=5", f"{URL}/?id=6"]


@pytest.mark.parametrize("label", ["x:", ""])
@pytest.mark.parametrize("other", ["http://b.example/", "urn:isbn:0451450523"])
def test_a_bar_of_a_search_stands_before_no_other_url(label: str, other: str) -> None:
    """Nor before the label of a cell, if no value before it has one."""
    assert urls(f"{URL}/?id=5|{label}{other} 200") == [f"{URL}/?id=5", other]
    assert urls(f"{URL}/?id=5|Title:Foo") == [f"{URL}/?id=5"]
    for value in (
        "w=400|Sans:400",
        "titles=Foo|Category:Bar&format=json",
        "family=Lato|Sans:bold",
        "at=40.7,-74|label:S",
        "id=a:5|B:c",
    ):
        assert urls(f"{URL}/?{value} 200") == [f"{URL}/?{value}"]


@pytest.mark.parametrize(
    "content",
    ["magnet:?xt=urn:a:|", "http://h.example/x|a b", "http://h.example/[x|label", "http://h.example/a-\nb|c d"],
)
def test_confidences_before_a_label_are_those_of_one_choice(content: str) -> None:
    """Whatever is before the bar: they add up to one at most."""
    (found,) = extract(f"<{content}> so")
    assert found.confidence + sum(found.rival_confidences) <= 1
