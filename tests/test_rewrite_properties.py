"""What holds for every file that is written anew, whatever its form."""

from __future__ import annotations

import mailbox
import re
import tempfile
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mutt import MUTT, seen_by_mutt
from rewriting import BROKEN_LINES, FORMS, WHOLE_LINES, found, mailboxes, messages, named, reasons, rewrite_octets
from urlglean.archive.cuts import without
from urlglean.archive.diff import diff
from urlglean.archive.rewrite import RewriteOptions, Rewriting
from urlglean.columns import shown


@given(mailboxes(WHOLE_LINES))
def test_what_is_whole_stays_octet_for_octet(octets: bytes) -> None:
    """Where no URL is broken, the file is the same."""
    assert rewrite_octets(octets)[0] == octets


@given(mailboxes(WHOLE_LINES + BROKEN_LINES))
def test_no_url_that_is_too_doubtful_is_touched(octets: bytes) -> None:
    """If all URLs are, the file is the same."""
    assert rewrite_octets(octets, RewriteOptions(1.0))[0] == octets


@given(mailboxes(WHOLE_LINES + BROKEN_LINES))
def test_the_same_urls_stand_whole_in_the_same_order(octets: bytes) -> None:
    """In the same messages and parts; what is left has a reason."""
    new, outcomes = rewrite_octets(octets)
    before, after = found(octets), found(new)
    assert named(after) == named(before)
    broken = [one for one in after if one.finding.joins and one.finding.valid and shown(one.finding.confidence) >= 0.98]
    assert len([each for each in reasons(outcomes) if "less sure" not in each]) == len(broken)
    rejoined = sum(len(each.rejoined) for each in outcomes if isinstance(each, Rewriting))
    assert sum(bool(one.finding.joins) for one in before) - sum(bool(one.finding.joins) for one in after) == rejoined


@given(mailboxes(WHOLE_LINES + BROKEN_LINES))
def test_written_anew_twice_is_written_anew_once(octets: bytes) -> None:
    """Octet for octet, the marks included."""
    once, _ = rewrite_octets(octets)
    assert rewrite_octets(once)[0] == once


@given(mailboxes(WHOLE_LINES + BROKEN_LINES))
def test_all_broken_wrappers_are_put_whole(octets: bytes) -> None:
    """None of the lines here has a reason to be left."""
    _, outcomes = rewrite_octets(octets)
    assert not [each for each in reasons(outcomes) if "less sure" not in each]


@given(mailboxes(WHOLE_LINES + BROKEN_LINES))
def test_python_reads_as_many_messages_as_before(octets: bytes) -> None:
    """With its own reader of mailboxes, which knows nothing of ours.

    It takes a line `From ` for another message even if a Content-Length says that it is text. It does so no more if a
    URL in that line was put whole, because the line is quoted then.
    """
    if octets.startswith(b"From "):
        new, outcomes = rewrite_octets(octets)
        assert len(outcomes) <= messages_of(new) <= messages_of(octets)


def messages_of(octets: bytes) -> int:
    """How many messages the standard library sees in an mbox."""
    with tempfile.NamedTemporaryFile() as file:
        file.write(octets)
        file.flush()
        box = mailbox.mbox(file.name)
        try:
            return len(box)
        finally:
            box.close()


@given(mailboxes(WHOLE_LINES + BROKEN_LINES))
def test_the_diff_makes_the_new_texts_of_the_old(octets: bytes) -> None:
    """Applied line by line; control characters apart, which it writes as escapes."""
    _, outcomes = rewrite_octets(octets)
    for each in outcomes:
        if isinstance(each, Rewriting) and each.rejoined:
            lines = list(diff(each))
            parts = list(dict.fromkeys(edit.part for edit in each.edits))
            starts = [at for at, line in enumerate(lines) if line.startswith("--- ")]
            assert len(starts) == len(parts)
            for part, start, end in zip(parts, starts, [*starts[1:], len(lines)], strict=True):
                cut = [(edit.start, edit.end) for edit in each.edits if edit.part == part]
                assert applied(shown_lines(part.text), lines[start + 2 : end]) == shown_lines(without(part.text, cut))


def shown_lines(text: str) -> list[str]:
    """The lines of a text as the diff shows them."""
    return [line.removesuffix("\r").replace("\x1f", "\\x1f") for line in text.removesuffix("\n").split("\n")]


def applied(old: list[str], hunks: list[str]) -> list[str]:
    """The lines that a unified diff makes of others. It asserts that they are those that the diff tells."""
    new: list[str] = []
    done = 0
    for line in hunks:
        if head := re.fullmatch(r"@@ -([0-9]+),([0-9]+) \+([0-9]+),([0-9]+) @@", line):
            new += old[done : int(head[1]) - 1]
            done = int(head[1]) - 1
            assert len(new) == int(head[3]) - 1
            continue
        if line[0] in " -":
            assert old[done] == line[1:]
            done += 1
        if line[0] in " +":
            new.append(line[1:])
    return new + old[done:]


BOXES = st.lists(messages(WHOLE_LINES + BROKEN_LINES), min_size=1, max_size=4)


@given(BOXES)
def test_counts_that_were_right_are_right(held: list[bytes]) -> None:
    """Each message of a batch, and of a mailbox of System V, ends where it says; so does that of an emlx file."""
    at, octets = 0, rewrite_octets(FORMS["rnews"](held))[0]
    for _ in held:
        first = re.compile(rb"#! rnews ([0-9]+)\n").match(octets, at)
        assert first
        at = first.end() + int(first[1])
    assert at == len(octets)

    at, octets = 0, rewrite_octets(FORMS["mboxcl2"](held))[0]
    for _ in held:
        length = re.compile(rb"From [^\n]*\n(?:[^\n]+\n)*?Content-Length: ([0-9]+)\n(?:[^\n]+\n)*\n").match(octets, at)
        assert length
        at = length.end() + int(length[1])
        at += len(re.compile(rb"\n{1,2}(?=From |\Z)").match(octets, at)[0])  # type: ignore[index]
    assert at == len(octets)

    octets = rewrite_octets(FORMS["emlx"](held))[0]
    assert octets[12 + int(octets[:11]) :].startswith(b"<?xml")


@pytest.mark.skipif(MUTT is None, reason="mutt is not installed")
@pytest.mark.parametrize("form", ["mbox", "mboxcl2", "mbox crlf", "mmdf"])
def test_mutt_sees_as_many_messages_as_before(form: str, tmp_path: Path) -> None:
    """The corpus has mailboxes of its own for this."""
    texts = ("\n".join(BROKEN_LINES), "From here\n\nFrom there\n", BROKEN_LINES[0])
    held = [
        f"From: a@example.org\nDate: Mon, 6 Mar 1995 10:11:00 +0100\nSubject: {number}\n\n{text}\n".encode()
        for number, text in enumerate(texts)
    ]
    for name, octets in (("before", FORMS[form](held)), ("after", rewrite_octets(FORMS[form](held))[0])):
        (tmp_path / name).mkdir()
        (tmp_path / f"{name}.box").write_bytes(octets)
        assert seen_by_mutt(tmp_path / f"{name}.box", tmp_path / name) == len(held)
