"""A line break within a wrapper does not change the URL, whatever its content is (RFC 1738 appendix)."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from urlglean import extract


@given(
    before=st.text("ab/.", min_size=1, max_size=8),
    behind=st.text("ab/{}[]%#?=~.,", min_size=1, max_size=12),
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
    assert [each.url for each in extract("<http://a.example/long/ see the other|label>")] == ["http://a.example/long/"]
