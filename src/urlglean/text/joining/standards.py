"""What a standard, or a program's documentation, decides of a break: where a row holds, no evidence is weighed."""

from __future__ import annotations

import re
from collections.abc import Callable

from msgspec import Struct

from urlglean.records import JoinRule
from urlglean.text.joining.breaks import Break


class Decided(Struct, frozen=True):
    """A row: its name, the document and section, when it holds, and the rule of the join; None where the URL ends."""

    name: str
    source: str
    holds: Callable[[Break], bool]
    rule: JoinRule | None


_ESCAPE = re.compile(r"%[0-9A-Fa-f]{2}")
# What git calls a commit by in full.
_OBJECT_NAME = re.compile(r"[0-9a-f]{40}(?![0-9A-Za-z])")


def _goes_on_in_an_escape(at: Break) -> bool:
    """Whether the digits that begin the next line complete an escape that the URL ends in."""
    _, percent, digits = at.url[-2:].rpartition("%")
    return percent != "" and _ESCAPE.match(percent + digits + at.token) is not None


_PACKAGE_SOURCE = re.compile(r"(?<![\w-])deb(?:-src)?(?:[ \t]++\[[^\]]{0,80}\])?[ \t]++\Z")
_ENDED_ID = re.compile(r"s?news:(?!//)[^@]++@[^@]*\.\.\Z", re.IGNORECASE)
_CUT_ID = re.compile(r"s?news:(?!//)[^@0-9]*+[0-9]", re.IGNORECASE)


def _is_cut_message_id(url: str, token: str) -> bool:
    """Whether a line ends before the "@" of a message-id, which has a digit before it then."""
    return token[0] == "@" and token[1:2].isalnum() and "@" not in url and _CUT_ID.match(url) is not None


# The first row that holds decides.
STANDARDS = (
    # Exactly one blank ends the line, and it is none of the text's.
    Decided("soft-line-of-delsp", "RFC 3676 4.2", lambda at: at.soft_line, JoinRule.FLOWED),
    # Flowed text is broken only where a blank stands, which ends a URL; any other line end is the writer's own.
    Decided("line-of-flowed-text", "RFC 3676 4.2", lambda at: at.flowed != "", None),
    # A blank behind a soft break is the text's own.
    Decided("soft-break-then-blank", "RFC 2045 6.7 (5)", lambda at: at.soft_break and at.next_blank, None),
    # It prints the repository and, in the next line, what to pull from it.
    Decided(
        "pull-request",
        "git-request-pull(1)",
        lambda at: at.url.endswith(".git") and at.token[0].isalnum() and not at.before,
        None,
    ),
    # A line of apt's is `deb URI suite component`, and URIs hold no blank.
    Decided("package-source", "sources.list(5)", lambda at: _PACKAGE_SOURCE.search(at.before) is not None, None),
    # Compilers and programs that test print "(repository commit)". A commit's name that goes on a URL stands behind a
    # "/" or "=" of its own.
    Decided(
        "object-name",
        "gitglossary(7)",
        lambda at: at.url[-1].isalnum() and _OBJECT_NAME.match(at.token) is not None,
        None,
    ),
    # The dots with which newsreaders end an attribution are none of the id's: none follows another in it.
    Decided("ended-message-id", "RFC 5536 3.1.3", lambda at: _ENDED_ID.match(at.url) is not None, None),
    # A message-id has an "@", and a newsgroup's name none.
    Decided("cut-message-id", "RFC 5536 3.1.3", lambda at: _is_cut_message_id(at.url, at.token), JoinRule.HARD_WRAP),
    Decided("soft-break", "RFC 2045 6.7 (5)", lambda at: at.soft_break, JoinRule.SOFT_BREAK),
    # No URL ends within an escape.
    Decided("escape", "RFC 1738 2.2", _goes_on_in_an_escape, JoinRule.HARD_WRAP),
)


def decided(at: Break) -> Decided | None:
    """The first row that holds for a break; None where the evidence has to be weighed."""
    return next((row for row in STANDARDS if row.holds(at)), None)
