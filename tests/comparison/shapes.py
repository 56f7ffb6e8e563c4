"""The shapes of disagreements: a table of rows, of which the first that applies is used.

A shape describes the text at the place. It does not say which tool is right; only a reader can say that.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from functools import partial
from typing import NamedTuple

from comparison.records import Disagreement
from urlglean.grammar.codes import CODES


class Shape(NamedTuple):
    """A row: a name, and whether a disagreement has this shape."""

    name: str
    holds: Callable[[Disagreement], bool]


class Sign(NamedTuple):
    """A row: the text at the place where the shorter of two URLs ends and the longer continues."""

    name: str
    pattern: re.Pattern[str]


SIGNS = (
    Sign("another URL", re.compile(r"[^\w\s]*+(?:(?:https?|ftp|gopher|news|file)://|mailto:)", re.IGNORECASE)),
    Sign("an entity", re.compile(r"&(?:#?\w{2,8};|(?:lt|gt|quot|nbsp|amp)\b)")),
    Sign("an opening bracket", re.compile(r"[(\[{<（［「【]")),
    Sign("a closing bracket", re.compile(r"[)\]}>）］」】]")),
    Sign("a quote", re.compile("[\"'`´‘’‚“”„«»]")),
    Sign("a backslash, a bar or a caret", re.compile(r"[\\|^]")),
    Sign("a stop at the end", re.compile(r"[.,;:!?…]++(?:[\s)\]}>\"'*_]|\Z)")),
    Sign("a stop inside", re.compile(r"[.,;:!?…]")),
    Sign("emphasis or a ruler", re.compile(r"[*_~=+#-]++(?!\w)")),
    Sign("a tilde or what stands for it", re.compile("[~‾˜]|â€¾")),
    Sign("a letter or digit", re.compile(r"[A-Za-z0-9]")),
    Sign("a letter outside ASCII", re.compile(r"[^\W\x00-\x7f]")),
    Sign("white space", re.compile(r"\s")),
    Sign("another sign", re.compile("[!-/:-@_]")),
    Sign("a sign outside ASCII", re.compile(r"[^\x00-\x7f]")),
)

_SCHEME = re.compile(r"[a-z][a-z0-9+.-]*:", re.IGNORECASE)
_WEB = re.compile(r"(?:https?|ftp)://", re.IGNORECASE)
_HOST = re.compile(r"[a-z][a-z0-9+.-]*://(?:[^/?#@\s]*@)?(\[[^\]]*\]|[^/?#:\s]*)", re.IGNORECASE)
_NUMBER = re.compile(r"[0-9.]+|\[.*\]|0x[0-9a-f]+", re.IGNORECASE)
_OF_WORD = re.compile(r"[A-Za-z0-9_+.-]")


def _host(url: str) -> str:
    """The host of a URL; "" if it has none."""
    host = _HOST.match(url)
    return host[1] if host else ""


def _before(case: Disagreement) -> str:
    """The character before the first URL."""
    return case.text[case.start - 1 : case.start] if case.start else ""


def _is_one_each(case: Disagreement) -> bool:
    return len(case.ours) == len(case.other) == 1


def _start_alike(case: Disagreement) -> bool:
    return _is_one_each(case) and case.ours[0].start == case.other[0].start


def _wrapped(case: Disagreement) -> bool:
    return any(found.wrapper not in {"", "bare", "url-prefix"} for found in case.ours)


def _stops_at(pattern: re.Pattern[str], case: Disagreement, *, other_is_longer: bool) -> bool:
    """Whether both URLs begin at one place, one ends before a sign, and the other contains that sign."""
    if not _start_alike(case):
        return False
    mine, other = case.ours[0].end, case.other[0].end
    return mine != other and (other > mine) == other_is_longer and bool(pattern.match(case.text, min(mine, other)))


def _ends(direction: str, *, other_is_longer: bool) -> Iterator[Shape]:
    for sign in SIGNS:
        holds = partial(_stops_at, sign.pattern, other_is_longer=other_is_longer)
        yield Shape(f"other ends {direction}: at {sign.name}", holds)


def _is_refused(code: str, case: Disagreement) -> bool:
    return case.rejected == code


def _only_other() -> Iterator[Shape]:
    for code in CODES.values():
        if code.kind == "problem":
            yield Shape(f"only other: we refuse it, {code.name}", partial(_is_refused, code.name))
    yield Shape("only other: no scheme", lambda case: not _SCHEME.match(case.other[0].url))
    yield Shape("only other: no slashes", lambda case: "://" not in case.other[0].url)
    yield Shape("only other: glued to what stands before", lambda case: bool(_OF_WORD.match(_before(case))))
    yield Shape("only other: a scheme that is not of the web", lambda case: not _WEB.match(case.other[0].url))
    yield Shape("only other: the rest", lambda _: True)


def _only_ours() -> Iterator[Shape]:
    yield Shape("only ours: wrapper with white space", lambda case: _wrapped(case) and case.ours[0].joined)
    yield Shape("only ours: bare over lines", lambda case: case.ours[0].joined)
    yield Shape("only ours: no slashes", lambda case: "://" not in case.ours[0].url)
    yield Shape("only ours: glued to what stands before", lambda case: bool(_OF_WORD.match(_before(case))))
    yield Shape("only ours: behind `URL:`", lambda case: case.text[: case.start].rstrip()[-4:].upper() == "URL:")
    yield Shape("only ours: host is a number", lambda case: bool(_NUMBER.fullmatch(_host(case.ours[0].url))))
    yield Shape("only ours: host without a dot", lambda case: "." not in _host(case.ours[0].url))
    yield Shape("only ours: host outside ASCII", lambda case: not _host(case.ours[0].url).isascii())
    yield Shape("only ours: a scheme that is not of the web", lambda case: not _WEB.match(case.ours[0].url))
    yield Shape("only ours: scheme in capitals", lambda case: not case.ours[0].url.partition(":")[0].islower())
    yield Shape("only ours: the rest", lambda _: True)


_BOTH = (
    Shape("several of ours in one of other's", lambda case: len(case.ours) > 1),
    Shape("several of other's in one of ours", lambda case: len(case.other) > 1),
    Shape("other begins earlier", lambda case: case.other[0].start < case.ours[0].start),
    Shape("other begins later", lambda case: case.other[0].start > case.ours[0].start),
    Shape("same stretch, read otherwise", lambda case: case.ours[0].end == case.other[0].end),
    Shape(
        "other joins less: wrapper with white space",
        lambda case: case.ours[0].joined and _wrapped(case) and case.other[0].end < case.ours[0].end,
    ),
    Shape(
        "other joins less: bare over lines",
        lambda case: case.ours[0].joined and case.other[0].end < case.ours[0].end,
    ),
    *_ends("later", other_is_longer=True),
    *_ends("earlier", other_is_longer=False),
    Shape("other", lambda _: True),
)
_ONLY_OTHER, _ONLY_OURS = tuple(_only_other()), tuple(_only_ours())

SHAPES = (*_ONLY_OTHER, *_ONLY_OURS, *_BOTH)


def shape_of(case: Disagreement) -> str:
    """The name of the first shape that applies: a shape for one tool alone, or a shape for both."""
    rows = _ONLY_OTHER if not case.ours else _ONLY_OURS if not case.other else _BOTH
    return next(shape.name for shape in rows if shape.holds(case))
