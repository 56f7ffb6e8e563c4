"""Multiparts in multiparts: what the parser does for each line does not depend on how many are open."""

from __future__ import annotations

from email.feedparser import BufferedSubFile  # type: ignore[attr-defined]  # the stubs leave it out

import pytest
from hypothesis import given
from hypothesis import strategies as st

from urlglean import extract_message
from urlglean.mail import read
from urlglean.mail.mime_tree import _Lines


def nested(depth: int, body: str) -> bytes:
    """A message with a text in so many multiparts."""
    fronts = "".join(f'Content-Type: multipart/mixed; boundary="b{at}"\n\n--b{at}\n' for at in range(depth))
    ends = "".join(f"\n--b{at}--\n" for at in reversed(range(depth)))
    return f"From: a@b.example\nMIME-Version: 1.0\n{fronts}Content-Type: text/plain\n\n{body}{ends}".encode()


def test_lines_that_are_no_boundary_are_not_tried(monkeypatch: pytest.MonkeyPatch) -> None:
    """Each trial of a line costs a call for each multipart that is open."""
    tried: list[str] = []
    whole = BufferedSubFile.readline

    def readline(self: _Lines) -> str:
        tried.append(line := whole(self))
        return line  # type: ignore[no-any-return]

    monkeypatch.setattr(BufferedSubFile, "readline", readline)
    (found,) = extract_message(nested(20, "\n\na\n -- b\n-\n" * 500 + "http://h.example/\n"))
    assert found.finding.url == "http://h.example/"
    assert 40 <= len(tried) < 200


LINES = st.sampled_from(["", "a", "--", "--b0", "--b1", "--b2--", "--b1--", "-", " --b1", "--b11", "http://h.example/"])


@given(st.integers(1, 3), st.lists(st.tuples(LINES, st.sampled_from(["\n", "\r\n", "\r"])), max_size=30))
def test_the_parts_are_those_of_the_library(depth: int, lines: list[tuple[str, str]]) -> None:
    """Wherever boundaries stand, and however lines end."""
    message = nested(depth, "".join(line + end for line, end in lines))
    parts = read(message).parts
    with pytest.MonkeyPatch.context() as patch:
        patch.delattr(_Lines, "readline")
        assert read(message).parts == parts


@pytest.mark.parametrize("before", ["", "http://a.example/\n"])
def test_what_stands_behind_a_boundary_that_ends_an_empty_multipart_is_read(before: str) -> None:
    """As is what stands before it, and the part behind the multipart."""
    end = "--b1--\n\nhttp://b.example/\n\n"
    whole = "From: a@b.example\nContent-Type: multipart/mixed; boundary=b0\n\n--b0\n"
    whole += f"Content-Type: multipart/mixed; boundary=b1\n\n{before}{end}--b0\n\nhttp://c.example/\n--b0--\n"
    found = read(whole.encode())
    assert [(part.part, part.text) for part in found.parts] == [
        ("1", f"{before}{end}"),
        ("2", "http://c.example/"),
    ]
    assert found.troubles == ("part 1: multipart without parts, no boundary begins one, read as plain text",)
