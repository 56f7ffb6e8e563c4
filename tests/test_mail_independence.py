"""Which messages depend on each other: keys of authors and threads."""

from __future__ import annotations

import pytest

from urlglean.mail.independence import author_of, thread_of


@pytest.mark.parametrize(
    "sender",
    [
        "anna@example.org",
        "Anna@Example.ORG",
        "Anna Berg <anna@example.org>",
        '"Berg, Anna" <anna@example.org>',
        "anna@example.org (Anna Berg)",
        "anna at example.org (Anna Berg)",
        "anna at example.org",
        "Anna B. <anna at example.org>",
    ],
)
def test_one_author(sender: str) -> None:
    """However the address is written, or hidden by an archive, the author is the same."""
    assert author_of(sender) == "anna@example.org"


def test_a_sender_without_address() -> None:
    """The name is the key then, whatever white space a fold has put into it."""
    assert author_of("Anna  Berg") == author_of("anna berg") == "anna berg"
    assert author_of("<>") != author_of("anna berg")


@pytest.mark.parametrize(
    "subject",
    [
        "The choir's journey",
        "the CHOIR's journey",
        "Re: The choir's journey",
        "RE : The choir's journey",
        "re: Re: RE: The choir's journey",
        "Re[2]: The choir's journey",
        "AW: WG: The choir's journey",
        "Sv: VS: The choir's journey",
        "Fwd: The choir's journey",
        "Fw: The choir's journey (fwd)",
        "The choir's journey (fwd) (Fwd)",
        "[Fwd: The choir's journey]",
        "[fwd: Re: [choir] The choir's journey]",
        "[choir] The choir's journey",
        "[choir] Re: [choir] The  choir's\tjourney",
        "Re: [choir] [north] The choir's journey",
        "The choir's journey (was: Rehearsal)",
        "Re: The choir's journey (was Re: Rehearsal)",
    ],
)
def test_one_thread(subject: str) -> None:
    """RFC 5256 2.1: the base subject, and what a changed subject says of the one before."""
    assert thread_of(subject) == "the choir's journey"


@pytest.mark.parametrize("subject", ["", "   ", "Re:", "Re: Fwd:", "(fwd)", "[Fwd: ]"])
def test_no_thread(subject: str) -> None:
    """Nothing is left, so that it tells nothing."""
    assert thread_of(subject) == ""


@pytest.mark.parametrize(
    ("subject", "thread"),
    [("Reading: a list", "reading: a list"), ("[choir]", "[choir]"), ("Rest", "rest"), ("Ref 12", "ref 12")],
)
def test_words_are_no_replies(subject: str, thread: str) -> None:
    """A word that begins like a reply stays, and a blob that is all of the subject."""
    assert thread_of(subject) == thread


@pytest.mark.parametrize(
    "piece", ["Re: ", "[", "[a]", "[a] ", "(fwd)", " (was: ", "[fwd:", "] ", "re [", " " * 10 + "("]
)
def test_hostile_subjects(piece: str) -> None:
    """Repeated without end, nothing takes long."""
    thread_of(piece * 1_000_000)
    thread_of("a" + piece * 1_000_000 + "b")
