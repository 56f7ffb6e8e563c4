"""Breaks URLs as mail programs do, inside prose, and measures how many are read exactly.

    python tests/simulator.py [CASES] [SEED]

Every case is a small generated text with one URL whose place, wrapper and breaking are known. Some URLs are like those
that people write (hosts, names, queries); the others are members of the http production, without endings that are
ambiguous in prose. Lines end where a real program would end them: at a column in the middle of a word, behind a slash
or a hyphen, or where a quotation was wrapped again. Or the URL just ends its line, and must not be read on.
"""

from __future__ import annotations

import random
import sys
import textwrap
from collections import Counter
from collections.abc import Callable, Iterator
from typing import NamedTuple

from urlglean import Finding, extract

WORDS = """
    the of and to in a is that for it was on are as with they at be this from have or by one had not but what
    all were when we there can an your which their said if do will each about how up out them then she many some
    so these would other into has more her two like him see time could no make than first been its who now
    people my made over did down only way find use may water long little very after words called just where most
    know get through back much before go good new write our used me man too any day same right look think also
    around another came come work three word must because does part even place well such here take why things
    help put years different away again off went old number Great However Thanks Please Yesterday Regards Monday
    list server archive release version message, reply. people; yes: and/or e.g. 1998 12:30 (maybe) "quoted"
    it's don't re-read state-of-the-art 3.5 25% $40 C++ I/O x86 mid-1990s
""".split()  # noqa: SIM905 - a column of words reads worse
NAMES = """
    index news archive papers report draft pub docs users list home search mail people software release notes
    images welcome about projects history faq guide manual contents chapter events calendar music travel library
    catalog
""".split()  # noqa: SIM905 - a column of words reads worse
EXTENSIONS = ("html", "htm", "txt", "pdf", "ps", "gif", "shtml", "asp", "php", "cgi", "tar.gz", "zip")
HOSTS = (
    *("www.example.com", "ftp.example.org", "lists.example.net", "example.edu"),
    *("www2.cs.example.ac.uk", "news.example.co.jp"),
)
GRAMMAR_CHARS = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJ0123456789-_.+!*,;:@&=$~"


class Case(NamedTuple):
    """A text, the URL that a careful reader takes from it, and what was done to it."""

    text: str
    url: str
    kind: str


def a_url(rng: random.Random, least: int = 0) -> str:
    """A URL of either sort, with at least `least` characters."""
    while True:
        url = _written(rng) if rng.random() < 0.8 else _grammatical(rng)
        if len(url) >= least:
            return url


def _name(rng: random.Random) -> str:
    name = rng.choice(NAMES)
    match rng.randrange(6):
        case 0:
            return f"{name}{rng.randrange(1, 2030)}"
        case 1:
            return f"{name}-{rng.choice(NAMES)}"
        case 2:
            return f"{name}_{rng.choice(NAMES)}"
        case 3:
            return "".join(rng.choice("abcdef0123456789") for _ in range(rng.randrange(6, 20)))
        case _:
            return name


def _written(rng: random.Random) -> str:
    path = "/".join(_name(rng) for _ in range(rng.randrange(0, 7)))
    url = f"{rng.choice(['http', 'http', 'https', 'ftp'])}://{rng.choice(['', '~']) and ''}{rng.choice(HOSTS)}/{path}"
    match rng.randrange(4):
        case 0 if path:
            url += f".{rng.choice(EXTENSIONS)}"
        case 1 if path and not url.startswith("ftp"):
            pairs = (
                f"{rng.choice(NAMES)}={rng.choice([*NAMES, str(rng.randrange(99999))])}"
                for _ in range(rng.randrange(1, 6))
            )
            url += "?" + "&".join(pairs)
        case 2 if path:
            url += "/"
    return url


def _grammatical(rng: random.Random) -> str:
    path = "".join(rng.choice(GRAMMAR_CHARS + "//") for _ in range(rng.randrange(5, 90)))
    return f"http://{rng.choice(HOSTS)}/{path}{rng.choice('abcxyz0189')}"


def prose(rng: random.Random, count: int) -> list[str]:
    """A list of random words, `count` of them."""
    return [rng.choice(WORDS) for _ in range(count)]


def _filled(words: list[str], column: int, cut: Callable[[str, int], int]) -> list[str]:
    """Words in lines of at most `column`; `cut` says where a word that does not fit is cut (0: not at all)."""
    lines, line = [], ""
    for whole in words:
        word = whole
        while line and len(line) + 1 + len(word) > column:
            at = cut(word, column - len(line) - 1)
            lines.append(f"{line} {word[:at]}" if at else line)
            line, word = "", word[at:]
        while len(word) > column and (at := cut(word, column)):
            lines.append(word[:at])
            word = word[at:]
        line = f"{line} {word}" if line else word
    return [*lines, line]


def _at_column(word: str, room: int) -> int:
    """Cuts a URL at the column itself, as programs do that cannot wrap such long words."""
    return room if "://" in word[:12] + word and len(word) > room > 12 else 0


def _behind_separator(word: str, room: int) -> int:
    """Cuts behind the last slash or hyphen that fits."""
    at = max(word.rfind(sign, 0, max(0, room)) for sign in "/-") + 1
    return at if at > len("http://www.") else 0


def _quoted(lines: list[str], rng: random.Random) -> list[str]:
    prefix = rng.choice(["> ", ">", ">> ", "> > ", ">>> ", "| ", ": "])
    return [prefix + line for line in lines]


def _dressed(lines: list[str], rng: random.Random) -> str:
    """The lines quoted, indented, or as they are; with any kind of line end."""
    match rng.randrange(4):
        case 0:
            lines = _quoted(lines, rng)
        case 1:
            indent = " " * rng.choice([2, 4, 8])
            lines = [indent + line for line in lines]
    return rng.choice(["\n", "\n", "\r\n"]).join([*lines, ""])


def wrapped(rng: random.Random) -> Case:
    """A URL in angle brackets, broken over lines."""
    url, column = a_url(rng, 40), rng.randrange(60, 79)
    opener = rng.choice(["<URL:", "<URL: ", "<"])
    words = [*prose(rng, rng.randrange(5, 40)), f"{opener}{url}>{rng.choice(['', '.', ',', ').'])}", *prose(rng, 30)]
    lines = _filled(words, column, rng.choice([_at_column_any, _behind_separator]))
    return Case(_dressed(lines, rng), url, "wrapped")


def _at_column_any(word: str, room: int) -> int:
    return room if "://" in word and room > len("<URL:http://ww") else 0


def whole(rng: random.Random) -> Case:
    """A bare URL in the middle of its line or at the end, with the punctuation of sentences around it."""
    url = a_url(rng)
    before, after = rng.choice(
        [("", ""), ("(", ")"), ("", "."), ("", ","), ("(see ", ")."), ('"', '"'), ("'", "'"), ("*", "*")]
    )
    column = max(72, len(url) + 20)
    words = [*prose(rng, rng.randrange(3, 30)), f"{before}{url}{after}", *prose(rng, 20)]
    return Case(_dressed(_filled(words, column, lambda _word, _room: 0), rng), url, "whole")


def cut_at_column(rng: random.Random) -> Case:
    """A bare URL, too long for its line, cut at the column inside a word."""
    column = rng.choice([72, 74, 76, 76, 76, 78, 80])
    url = a_url(rng, column - 10)
    words = [*prose(rng, rng.randrange(30, 60)), *([] if rng.random() < 0.5 else ["at"])]
    lines = _filled(words, column, lambda _word, _room: 0)
    lines += textwrap.wrap(url, column, break_on_hyphens=False)
    if len(url) <= column:
        return cut_at_column(rng)
    lines += ["", *_filled(prose(rng, 40), column, lambda _word, _room: 0)]
    return Case(_dressed(lines, rng), url, "cut at the column")


def cut_in_prose(rng: random.Random) -> Case:
    """A bare URL in running prose, cut where the line was full."""
    column = rng.choice([70, 72, 74, 76, 78])
    url = a_url(rng, 60)
    words = [*prose(rng, rng.randrange(30, 60)), url, *prose(rng, 40)]
    lines = _filled(words, column, _behind_separator)
    return (
        Case(_dressed(lines, rng), url, "cut behind a separator") if url not in "\n".join(lines) else cut_in_prose(rng)
    )


def requoted(rng: random.Random) -> Case:
    """A URL that was quoted and wrapped again: the rest is alone in a line that has no prefix."""
    column = rng.choice([72, 74, 76])
    url = a_url(rng, column)
    lines = [f"> {line}" for line in _filled(prose(rng, 40), column - 4, lambda _word, _room: 0)]
    cut = _at_column(url, column - 2) if rng.random() < 0.5 else _behind_separator(url, column - 2)
    if not column > len(url) - cut > 0:
        return requoted(rng)
    lines += [f"> {url[:cut]}", url[cut:]]
    lines += [f"> {line}" for line in _filled(prose(rng, 30), column - 4, lambda _word, _room: 0)]
    return Case("\n".join([*lines, ""]), url, "re-quoted without prefix")


def soft_broken(rng: random.Random) -> Case:
    """Quoted-printable that was never decoded (RFC 2045 6.7): lines of 76 that end in "="."""
    url = a_url(rng, 90).replace("=", "-")
    line = " ".join([*prose(rng, rng.randrange(30, 60)), url, *prose(rng, 40)])
    lines = [line[at : at + 75] for at in range(0, len(line), 75)]
    if not any(url[:20] in part for part in lines):
        return soft_broken(rng)  # the scheme itself is cut, so nothing can find the URL in undecoded text
    return Case("=\n".join(lines) + "\n", url, "soft breaks")


# What the line below has, and how often, in 2,023 line ends of real mail that were labelled by reading.
BEHIND: tuple[tuple[int, Callable[[random.Random, int], list[str]]], ...] = (
    (752, lambda rng, column: _filled(prose(rng, 30), column, lambda _w, _r: 0)),
    (372, lambda rng, column: ["", *_filled(prose(rng, 30), column, lambda _w, _r: 0)]),
    (115, lambda _rng, _column: ["* the second point", "* the third"]),
    (115, lambda rng, _column: ["2. " + " ".join(prose(rng, 6))]),
    (195, lambda _rng, _column: ["From: Jo", "Subject: hello"]),
    (93, lambda _rng, _column: ["---------------------------------------"]),
    (93, lambda _rng, _column: ["-- ", "Jo Doe, Example Inc.", "phone: +1 555 010 0199"]),
    (14, lambda rng, _column: ["[2] " + a_url(rng)]),
    (14, lambda rng, _column: [a_url(rng)]),
    (13, lambda _rng, _column: ["www.example.org/other"]),
    (19, lambda _rng, _column: ["jo@example.net"]),
    (12, lambda _rng, _column: ["Jo"]),
    (2, lambda _rng, _column: ["+1-555-010-0123", "Jo"]),
)


def ends_line(rng: random.Random) -> Case:
    """A bare URL that ends its line; something else follows in the next."""
    url, column = a_url(rng), rng.choice([66, 70, 72, 74, 76, 78])
    lines = _filled([*prose(rng, rng.randrange(20, 60)), url], column, lambda _w, _r: 0)
    if rng.random() < 0.5:
        lines = [*_filled(prose(rng, 30), column, lambda _w, _r: 0), url]
    counts, makers = zip(*BEHIND, strict=True)
    lines += rng.choices(makers, counts)[0](rng, column)
    return Case(_dressed(lines, rng), url, "ends its line")


def in_running_prose(rng: random.Random) -> Case:
    """A bare URL behind which the wrapping of the prose happens to end a line."""
    url, column = a_url(rng), rng.choice([66, 70, 72, 74, 76, 78])
    lines = _filled([*prose(rng, rng.randrange(5, 60)), url, *prose(rng, 40)], column, lambda _w, _r: 0)
    if not any(line.endswith(url) for line in lines):
        return in_running_prose(rng)
    return Case(_dressed(lines, rng), url, "ends its line in prose")


KINDS: dict[str, tuple[Callable[[random.Random], Case], ...]] = {
    "wrapped": (wrapped,),
    "bare, whole": (whole,),
    "bare, broken": (cut_at_column, cut_in_prose, requoted, soft_broken),
    "bare, ends its line": (ends_line, in_running_prose),
}


def cases(kind: str, count: int, seed: int) -> Iterator[Case]:
    """A number of cases of a kind; the same seed gives the same cases."""
    rng = random.Random(f"{kind} {seed}")
    for n in range(count):
        makers = KINDS[kind]
        yield makers[n % len(makers)](rng)


def exact(case: Case, found: list[Finding]) -> bool:
    """Whether the case's URL was found as it is; other URLs of its text do not count."""
    return case.url in [finding.url for finding in found]


def joined_wrongly(case: Case, found: list[Finding]) -> bool:
    """Whether a URL that ends its line was joined with the next line."""
    return any(finding.url != case.url and finding.url.startswith(case.url) and finding.joins for finding in found)


def main() -> None:
    """Prints a row for each kind, and the share of each way of breaking."""
    count, seed = (int(arg) for arg in (*sys.argv[1:3], *("2000", "1")[len(sys.argv) - 1 :]))
    for kind in KINDS:
        right: Counter[str] = Counter()
        every: Counter[str] = Counter()
        false = 0
        for case in cases(kind, count, seed):
            found = extract(case.text)
            every[case.kind] += 1
            right[case.kind] += exact(case, found)
            false += joined_wrongly(case, found)
            if "-v" in sys.argv and not exact(case, found):
                print(f"--- {case.kind}: {case.url}\n{case.text}\nFOUND {[finding.url for finding in found]}")
        print(f"{kind:22} exact {sum(right.values()) / count:7.2%}   false joins {false / count:6.2%}")
        for name in every if len(every) > 1 else ():
            print(f"    {name:26} {right[name] / every[name]:7.2%} of {every[name]}")


if __name__ == "__main__":
    main()
