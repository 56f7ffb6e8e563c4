"""The extensions of files' names."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from urlglean.text.file_extension import (
    FITTED,
    LONGEST,
    NAME_OR_DOCUMENT,
    NAMES,
    ends_in_fitted_one,
    ends_in_one,
    goes_through_one,
)


@given(st.sampled_from([*NAMES, "HTML", "Z"]))
def test_no_extension_is_longer_than_the_bound(name: str) -> None:
    """If one were longer, its dot would not be seen before the break."""
    assert len(f".{name}") <= LONGEST


def test_the_weights_know_the_extensions_that_they_were_fitted_with() -> None:
    """Others end a URL as well."""
    assert ends_in_fitted_one("http://a.example/b.HTML")
    assert not ends_in_fitted_one("http://a.example/b.tar.xz")
    assert ends_in_one("http://a.example/b.tar.xz")


@pytest.mark.parametrize(
    "extension",
    """stm mspx jhtml phtml fcgi swf lzh rar jar 7z zst iso img dmg msi apk whl torrent mp4 webm mkv avi ogg flac svg
    webp tiff epub odt ods ics vcf yaml yml toml conf ini rdf atom sh java cpp sql log xlsx pptx""".split(),  # noqa: SIM905 - a column of words reads worse
)
def test_a_url_may_end_in_the_extension_of_a_page_an_archive_or_a_source(extension: str) -> None:
    """Of pages of old servers, too."""
    assert ends_in_one(f"http://a.example/b.{extension}")


@given(st.sampled_from([*FITTED, "HTML", "Z"]), st.integers(0, LONGEST), st.sampled_from(["", ".tar", "/b.c"]))
def test_a_break_inside_an_extension_is_recognised(name: str, at: int, before: str) -> None:
    """The break may be anywhere behind the dot and before the last character, whatever precedes the extension."""
    url, rest = f"http://a.example/b{before}." + name[:at], name[at:]
    assert goes_through_one(url, rest) == (at < len(name))
    assert ends_in_one(url + rest)


@pytest.mark.parametrize(
    ("url", "token"), [("a.html", "and"), ("a.ht", "mlx"), ("a", ".html"), ("a.b/c", "html"), ("", "z")]
)
def test_other_breaks_go_through_no_extension(url: str, token: str) -> None:
    """The extension is whole before the break, whole behind it, or there is none."""
    assert not goes_through_one(url, token)


def test_the_beginning_of_each_known_extension_is_told_and_of_no_other() -> None:
    """Whatever follows it, in either case."""
    begins = re.compile(NAME_OR_DOCUMENT, re.IGNORECASE)
    cut = {name[:end] + more for name in NAMES for end in range(len(name) + 1) for more in ("", "x", "3", "Foo")}
    assert {name for name in cut if begins.match(name)} == {name for name in cut if name.lower().startswith(NAMES)}
