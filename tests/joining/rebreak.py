"""Breaks real mail with real programs, so that it is known which URLs the programs cut and which they left whole.

    python tests/joining/rebreak.py OUT.jsonl PATH...

The paths are mailboxes and folders of mail, or files of labelled windows (`*.jsonl`). Each bare URL in them that surely
stands whole, because text follows in its line or a blank line follows it, is taken with its paragraphs. The programs of
`PROGRAMS` fill, quote and cut these, each at a random width. Programs that are not installed are named and left out.
The windows have the fields of labelled ones: `text`, `at`, `first_line`, `accept`, `joined`, `source`, and `program`.
The counts by program are printed. OUT.jsonl contains other people's texts: do not publish it.
"""

from __future__ import annotations

import argparse
import json
import random
import re
import shutil
import subprocess
import sys
import textwrap
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import NamedTuple

from urlglean import extract
from urlglean.mail import read as read_mail
from urlglean.pipeline.inputs import opened
from urlglean.records import Document
from urlglean.sources import unbundled, unframed
from urlglean.text.quote_prefix import PREFIX

WIDTHS = (60, 65, 66, 68, 70, 70, 72, 72, 72, 73, 74, 74, 75, 76, 76, 76, 76, 77, 78, 78, 79, 80, 80)
SHORTEST = 25
"""In code points. A shorter URL is seldom cut, so it shows little."""
LONG, DRAWS = 60, 4
"""A URL of at least `LONG` code points is broken at up to `DRAWS` widths by each program, a shorter one at one."""
MOST_OF_ONE_HOST = 12
AROUND = 900
"""Code points of a window on either side of its URL."""

_MARK = "QQMARKQQ%dQQ"
_MARKS = re.compile(r"(?:> ?)*[ \t]*QQMARKQQ(\d+)QQ[ \t]*\n")
# Text follows in the same line, or the next line is blank.
_STANDS_WHOLE = re.compile(rf"[),.;]*(?:[ \t]+\S|[ \t]*\n{PREFIX}\n)")
_PROSE = re.compile(r"(?![ \t>|*+#-])[^\n]{30,90}\Z")


class Sample(NamedTuple):
    """A text with one URL that stands whole in it, and its source."""

    text: str
    url: str
    source: str


def texts(paths: list[str]) -> Iterator[tuple[str, str]]:
    """The texts at the paths, each with its source."""
    for path in paths:
        if path.endswith(".jsonl"):
            for line in Path(path).read_text(encoding="utf-8").splitlines():
                window = json.loads(line)
                yield window["text"], window.get("source", path)
            continue
        for item in unbundled(opened([path])):
            if isinstance(item, Document):
                for part in read_mail(unframed(item.data, item.framing), item.kind).parts:
                    if part.field is None and not part.whole:
                        yield part.text.replace("\r\n", "\n"), Path(path).name


def samples(held: Iterable[tuple[str, str]], rng: random.Random) -> list[Sample]:
    """The URLs that stand whole inside their lines, a limited number for each host, with the text around each."""
    found, hosts, seen = [], Counter[str](), set[str]()
    for text, source in held:
        for finding in extract(text, joins="never"):
            start, end = finding.span.start, finding.span.end
            host = finding.url.split("/")[2:3]
            if (
                finding.wrapper == "bare"
                and len(finding.url) >= SHORTEST
                and host
                and _STANDS_WHOLE.match(text, end)
                and hosts[host[0]] < MOST_OF_ONE_HOST
                and finding.url not in seen
            ):
                hosts[host[0]] += 1
                seen.add(finding.url)
                first = text.rfind("\n", 0, max(0, start - AROUND)) + 1
                last = text.find("\n", end + AROUND)
                found.append(Sample(_unfilled(text[first : last if last > 0 else len(text)]), finding.url, source))
    rng.shuffle(found)
    return found


def _unfilled(text: str) -> str:
    """The text with each paragraph of prose in one line."""
    paragraphs = []
    for paragraph in re.split(r"\n[ \t]*\n", text):
        lines = paragraph.split("\n")
        prose = len(lines) > 1 and all(_PROSE.match(line) for line in lines[:-1])
        paragraphs.append(" ".join(map(str.strip, lines)) if prose else paragraph)
    return "\n\n".join(paragraphs)


def _run(*command: str) -> Callable[[str, int], str]:
    """A program that takes a text on stdin; `{w}` in its arguments is the width."""

    def run(text: str, width: int) -> str:
        arguments = [argument.replace("{w}", str(width)) for argument in command]
        return subprocess.run(
            arguments, input=text, capture_output=True, text=True, errors="surrogateescape", check=True
        ).stdout

    return run


def _textwrapped(*, hyphens: bool) -> Callable[[str, int], str]:
    def run(text: str, width: int) -> str:
        return "\n".join(textwrap.fill(line, width, break_on_hyphens=hyphens) for line in text.split("\n")) + "\n"

    return run


def _emacs(text: str, width: int) -> str:
    fill = f"(setq fill-column {width}) (fill-individual-paragraphs (point-min) (point-max))"
    code = f'(progn (insert-file-contents "/dev/stdin") {fill} (princ (buffer-string)))'
    return _run("emacs", "-Q", "--batch", "--eval", code)(text, width)


def _vim(text: str, width: int) -> str:
    command = [
        "vim",
        "-u",
        "NONE",
        "-es",
        "-c",
        f"set tw={width}",
        "-c",
        "normal gggqG",
        "-c",
        "%print",
        "-c",
        "qa!",
        "/dev/stdin",
    ]
    return subprocess.run(
        command, input=text, capture_output=True, text=True, errors="surrogateescape", check=False
    ).stdout


def _groff(text: str, width: int) -> str:
    escaped = re.sub(r"(?m)^([.'])", r"\\&\1", text.replace("\\", "\\e"))
    request = f".ll {width}n\n.pl 1000000\n.hy 1\n.na\n"
    body = "\n".join(".br\n" + line if line else "" for line in escaped.split("\n"))
    command = ["groff", "-Tascii", "-Kutf8", "-P-cbou"]
    return subprocess.run(
        command, input=request + body, capture_output=True, text=True, errors="surrogateescape", check=True
    ).stdout


def _icu(text: str, width: int) -> str:
    """Text filled by Unicode's line breaking algorithm, as browsers and today's mail programs do it."""
    code = r"""
import sys, icu
width = int(sys.argv[1]); it = icu.BreakIterator.createLineInstance(icu.Locale("en"))
for line in sys.stdin.read().split("\n"):
    # ICU counts UTF-16 units: texts outside the plane are left as they are.
    if max(map(ord, line), default=0) > 0xffff: print(line); continue
    it.setText(line); out, start = "", 0
    for end in it:
        piece = line[start:end]; start = end
        if out and len(out) + len(piece.rstrip()) > width: print(out.rstrip()); out = ""
        out += piece
    print(out.rstrip())
"""
    return subprocess.run(
        ["/usr/bin/python3", "-c", code, str(width)],
        input=text,
        capture_output=True,
        text=True,
        errors="surrogateescape",
        check=True,
    ).stdout


def _quoted(prefix: str, text: str) -> str:
    return "".join(prefix + line + "\n" for line in text.split("\n"))


def _quoted_then(
    fill: Callable[[str, int], str], cut: Callable[[str, int], str], prefix: str
) -> Callable[[str, int], str]:
    """A mailer fills the text, another quotes it and wraps the lines that have become too long."""

    def run(text: str, width: int) -> str:
        return cut(_quoted(prefix, fill(text, width)), width)

    return run


def _then_quoted(cut: Callable[[str, int], str], prefix: str) -> Callable[[str, int], str]:
    return lambda text, width: _quoted(prefix, cut(text, width))


FOLD, FMT = _run("fold", "-s", "-w", "{w}"), _run("fmt", "-w", "{w}")
PROGRAMS: dict[str, tuple[str, Callable[[str, int], str]]] = {
    "fold -s": ("fold", FOLD),
    "fold -s, quoted": ("fold", _then_quoted(FOLD, "> ")),
    "fold -s, quoted twice": ("fold", _then_quoted(FOLD, ">> ")),
    "fold -s, quoted, fold -s": ("fold", _quoted_then(FOLD, FOLD, "> ")),
    "fold -s, quoted by >, fold -s": ("fold", _quoted_then(FOLD, FOLD, ">")),
    "fold": ("fold", _run("fold", "-w", "{w}")),
    "fmt": ("fmt", FMT),
    "fmt, quoted": ("fmt", _then_quoted(FMT, "> ")),
    "fmt, quoted, fold -s": ("fmt", _quoted_then(FMT, FOLD, "> ")),
    "par": ("par", _run("par", "{w}")),
    "par, quoted": ("par", _quoted_then(FMT, _run("par", "{w}q"), "> ")),
    "groff": ("groff", _groff),
    "emacs": ("emacs", _emacs),
    "vim": ("vim", _vim),
    "textwrap": ("python3", _textwrapped(hyphens=True)),
    "textwrap, no hyphens": ("python3", _textwrapped(hyphens=False)),
    "textwrap, quoted": ("python3", _then_quoted(_textwrapped(hyphens=True), "> ")),
    "textwrap, quoted, fold -s": ("python3", _quoted_then(_textwrapped(hyphens=True), FOLD, "> ")),
    "ICU": ("python3", _icu),
    "ICU, quoted": ("python3", _then_quoted(_icu, "> ")),
    "ICU, quoted, fold -s": ("python3", _quoted_then(_icu, FOLD, "> ")),
}


def rebroken(name: str, width: int, held: list[Sample]) -> Iterator[dict[str, object]]:
    """The windows that a program makes of the samples at a width, if the URL reaches the end of a line in them."""
    text = "\n\n".join(f"{_MARK % number}\n\n{sample.text}" for number, sample in enumerate(held)) + "\n"
    try:
        parts = _MARKS.split(PROGRAMS[name][1](text, width).rstrip() + "\n")  # groff fills the page up with empty lines
    except subprocess.CalledProcessError:  # par refuses some words that are too long for the line
        if len(held) > 1:
            yield from (window for sample in held for window in rebroken(name, width, [sample]))
        return
    for number, part in zip(map(int, parts[1::2]), parts[2::2], strict=True):
        sample = held[number]
        # What the programs may insert between two characters of the URL.
        broken = re.compile(r"(?:\n(?:> ?|>> ?)?(?=\S)(?!>))?".join(re.escape(char) for char in sample.url))
        found = broken.search(part)
        if found is None or "\n" not in part[found.start() :]:
            continue
        first = re.match(r"\S+(?=[ \t]*\n)", part[found.start() :])
        if first is None:
            continue
        begin = part.rfind("\n", 0, max(0, found.start() - AROUND)) + 1
        yield {
            "id": f"{name}-{width}-{number}",
            "source": sample.source,
            "program": name,
            "stratum": "r",
            "text": part[begin : found.end() + AROUND],
            "at": found.start() - begin,
            "first_line": first.group(),
            "accept": [sample.url],
            "joined": "\n" in found.group(),
            "sure": True,
        }


def main() -> None:
    """Writes the windows and prints their counts."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("out", type=Path, metavar="OUT.jsonl")
    parser.add_argument("paths", nargs="+", metavar="PATH")
    given = parser.parse_args()
    rng = random.Random(1)
    held = samples(texts(given.paths), rng)
    if not held:
        sys.exit("no bare URL there is surely whole")
    print(f"{len(held)} URLs")
    counted: Counter[tuple[str, bool]] = Counter()
    with given.out.open("w", encoding="utf-8") as file:
        for name, (program, _) in PROGRAMS.items():
            if shutil.which(program) is None:
                print(f"{program}: not installed")
                continue
            by_width: dict[int, list[Sample]] = {}
            for sample in held:
                for width in {rng.choice(WIDTHS) for _ in range(DRAWS if len(sample.url) >= LONG else 1)}:
                    by_width.setdefault(width, []).append(sample)
            for width, some in sorted(by_width.items()):
                for window in rebroken(name, width, some):
                    counted[name, bool(window["joined"])] += 1
                    file.write(json.dumps(window) + "\n")
    for name in PROGRAMS:
        print(f"{name:32} cut {counted[name, True]:5}   whole {counted[name, False]:5}")


if __name__ == "__main__":
    main()
