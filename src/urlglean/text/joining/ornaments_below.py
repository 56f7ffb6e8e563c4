"""Breaks before a line that is no prose: a ruler, scissors, a delimiter of MIME or PGP, the number of the next item.

All are guesses; `layouts` has the rows that use them. None of 4,660 breaks over which URLs of real mail go on is one.
"""

from __future__ import annotations

import re

from urlglean.expressions import compiled
from urlglean.text.joining.break_record import Break
from urlglean.text.signs import STOPS

# The delimiter of a multipart (RFC 2046 5.1.1), the armor of PGP (RFC 9580 6.2), `--snip--`.
_DELIMITER = compiled(r"--+[^\s-]")
_RULER = compiled(r"([-=_*~+#])\1\1")
_SPACED_RULER = frozenset("-=_*~+#.o")
_RULER_OF_QUOTED_PRINTABLE = compiled(r"(?:=3D){3,}+=?\Z")
# `*snip*`, `8<---`, `snip`; of `>8---`, the first sign is read as a quote mark.
_SCISSORS = compiled(
    r"([*~])\w{2,30}\1\Z|-(?:cut|deleted|end|eof|fin|more|schnitt)-\Z|(?:[8%]<|8-)-"
    r"|\W*(?:snip|snipped|schnipp|schnapp)\W*\Z",
    re.IGNORECASE,
)
_NUMBER = compiled(r"(\W?)([0-9]{1,4})(\W?)\Z")


def is_before_ruler(at: Break) -> bool:
    """Whether the next line is a ruler, a delimiter, or shows where something was cut.

    The weights know rulers, except behind a sign that may end a sentence.
    """
    token = at.token
    if at.url[-1] in STOPS and (_RULER.match(token) or (token in _SPACED_RULER and at.rest[:1] == token)):
        return True
    is_cut = not at.rest and _SCISSORS.match(token) is not None
    return is_cut or any(form.match(token) for form in (_DELIMITER, _RULER_OF_QUOTED_PRINTABLE))


def is_before_number(at: Break) -> bool:
    """Whether the line above the URL is the number of an item, and the next line is the next number.

    Programs that divide no words put a long URL into a line of its own, also behind the number of its item.
    """
    mine, next_one = _NUMBER.match(at.above), _NUMBER.match(at.token)
    if at.rest or mine is None or next_one is None:
        return False
    return int(next_one[2]) == int(mine[2]) + 1 and (mine[1], mine[3]) == (next_one[1], next_one[3])
