"""Breaks within a name: behind a hyphen of the path, and within an extension, a bare URL goes on."""

from __future__ import annotations

import pytest

from breaks import way
from urlglean import extract
from urlglean.text.joining.divided_names import DIVIDED_NAMES

LONG = "http://www.example.org/reports/of-the-society/for-local-history"
GOES_ON = {
    "hyphen": [
        ("See http://h.example/a-\nword (read 2.4.24). So\n", "http://h.example/a-word"),
        ("See http://h.example/a-\n2.html for\n", "http://h.example/a-2.html"),
        ("> See http://h.example/a-\nword, for\n> b\n", "http://h.example/a-word"),
    ],
    "extension": [
        (f"{LONG}/a.ht\nml): so\n", f"{LONG}/a.html"),
        (f"{LONG}/a.p\ndf for it\n", f"{LONG}/a.pdf"),
    ],
}
OTHERS = [
    "See http://h.example/a-\nWord of\n",
    "See http://h.example-\nword of\n",
    "See http://h.example/a.html-\nword of\n",
    "See http://h.example/--\nword of\n",
    "See http://h.example/a-\n> word of\n",
    "So http://h.example/a-\n> word of\n> b\n",
    "Take http://h.example/us.jp\neg. by\n",
    f"{LONG}/cats.\nhtml is\n",
    f"{LONG}/a.htm\nl of\n",
    f"http://{'a.' * 30}p\ndf for\n",
    f"{LONG}/a.b\ndf for\n",
]


@pytest.mark.parametrize(("row", "text", "url"), [(row, *pair) for row, pairs in GOES_ON.items() for pair in pairs])
def test_a_divided_name_goes_on(row: str, text: str, url: str) -> None:
    """The row decides, and the URL is whole."""
    (found,) = extract(text)
    assert found.url == url
    decided = way(text)[0].decided
    assert decided is not None
    assert decided.name == row


def test_each_row_has_texts() -> None:
    """Each row of the table is tested above."""
    assert set(GOES_ON) == {row.name for row in DIVIDED_NAMES}


@pytest.mark.parametrize("text", OTHERS)
def test_other_breaks_are_weighed(text: str) -> None:
    """Each text lacks one condition of a row."""
    assert all(step.decided not in DIVIDED_NAMES for step in way(text)[:1])


@pytest.mark.parametrize("rest", ["metadata-\nb.xml\n", f"{'metadata' * 9}.x\nml for\n"])
def test_behind_a_first_break_evidence_is_weighed(rest: str) -> None:
    """What follows says that the URL goes on over the first break too."""
    steps = way(f"{LONG}/a\n-\n{rest}")
    assert len(steps) > 2
    assert {step.decided for step in steps} == {None}


@pytest.mark.parametrize(
    "text",
    [
        "type http://\nand a name",
        "the http://\nindex.html is",
        "http:// or\nwww.h.example",
        "http://\n\nwww.h.example",
        "x://\nwww.h.example",
        "http://\n(www.h.example)",
        "see http://\nlocal/b.html\n",
    ],
)
def test_two_slashes_before_another_text_are_no_url(text: str) -> None:
    """A host must stand in the next line."""
    assert extract(text) == []


@pytest.mark.parametrize("before", ["", "> ", "# ", "    ", " * "])
@pytest.mark.parametrize("end", ["\n", " \r\n"])
@pytest.mark.parametrize("host", ["www.h.example/a", "h.example/a", "ftp.example", "www.html"])
def test_a_host_goes_on_behind_the_slashes(before: str, end: str, host: str) -> None:
    """With the margin of its lines, and with a name like a file's if that begins like a host's."""
    text = f"{before}See http://{end}{before}{host}\n{before}and http://b.example/x\n"
    assert [found.url for found in extract(text)] == [f"http://{host}", "http://b.example/x"]
