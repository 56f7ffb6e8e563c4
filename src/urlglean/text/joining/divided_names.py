"""Breaks within a name: all rows are guesses, and all say that the URL goes on.

In labelled mail, all 60 URLs that end their line in a hyphen of a path go on, if the next line begins with a small
letter or a digit, and all 11 whose line ends within a known extension. Behind a first break the evidence is weighed: it
says that the URL goes on over the first break too.
"""

from __future__ import annotations

import re

from urlglean.records import JoinRule
from urlglean.text.file_extension import ends_in_one, goes_through_one
from urlglean.text.joining.break_record import SHORT, Break
from urlglean.text.joining.features import GUESS
from urlglean.text.joining.standards import Decided

_IN_PATH = re.compile(r"[a-z][a-z0-9+.-]*://[^/]+/", re.IGNORECASE)


def _is_behind_hyphen(at: Break) -> bool:
    """Whether the URL ends in the hyphen of a name in its path, and a line follows that may hold the rest.

    A hyphen behind a whole file may be a dash of the sentence.
    """
    first = at.token[0]
    return (
        not at.cuts
        and (first.islower() or first.isdigit())
        and at.url[-2:-1].isalnum()
        and at.next_depth <= at.depth
        and _IN_PATH.match(at.url) is not None
        and not ends_in_one(at.url[:-1])
    )


def _is_within_extension(at: Break) -> bool:
    """Whether a line of usual length ends within an extension. Behind its dot the next sentence may begin."""
    return (
        not at.cuts
        and at.length >= SHORT
        and at.url[-1].isalnum()
        and _IN_PATH.match(at.url) is not None
        and not ends_in_one(at.url)
        and goes_through_one(at.url, at.token)
    )


# The first row that holds decides, if no standard and no layout does.
DIVIDED_NAMES = (
    Decided("hyphen", GUESS, _is_behind_hyphen, JoinRule.HARD_WRAP, last="-"),
    Decided("extension", GUESS, _is_within_extension, JoinRule.HARD_WRAP),
)
