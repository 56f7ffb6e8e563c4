"""Long runs of the command, started by hand: memory for a big mailbox and hostile files, and runs after kill -9.

    python tests/soak.py mailbox [MB]        a mailbox (1000 MB), by one process and by two
    python tests/soak.py kills [MB [N]]      a mailbox (300 MB); N runs (5) are each killed twice, and resumed each time
    python tests/soak.py hostile [NAME...]   files made to take long or much, all of them or those that are named

All files are in a temporary folder (below TMPDIR) that is deleted afterwards; the first two runs need 5 GB. "Peak" is
the peak resident memory of the largest process of a command. `tests/test_soak.py` runs small versions of these runs.
"""

from __future__ import annotations

import gzip
import io
import json
import os
import random
import signal
import subprocess
import sys
import tempfile
import time
import zipfile
from base64 import encodebytes
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path

from msgspec import Struct

import urlglean
from urlglean.pipeline.journal import journal_of

MB = 1 << 20
LIMIT = 150 * MB
"""The most bytes that a process may use while it reads a mailbox."""

_ENVIRONMENT = {**os.environ, "PYTHONPATH": str(Path(urlglean.__file__).parent.parent)}

# A separate process measures, because ru_maxrss of a child begins with the size of the process that started it.
_WATCH = """
import os, sys, time
begun = time.monotonic()
process = os.posix_spawn(sys.argv[2], sys.argv[2:], os.environ)
_, status, used = os.wait4(process, 0)
with open(sys.argv[1], "w") as report:
    print(time.monotonic() - begun, used.ru_maxrss * 1024, file=report)
sys.exit(os.waitstatus_to_exitcode(status) % 256)
"""

_ENVELOPE = b"From a@b.example Mon Dec 12 10:00:00 1994\n"
_FIELDS = b"From: a@b.example\nMessage-ID: <%d@b.example>\nSubject: number %d\nDate: Mon, 12 Dec 1994 10:00:00 +0000\n"


class Ran(Struct, frozen=True):
    """The result of a command: `peak` is in bytes, of the largest of its processes; `said` is its stderr."""

    status: int
    seconds: float
    peak: int
    said: str


def scan(folder: Path, *arguments: str, timeout: float = 3600) -> Ran:
    """Runs a scan in a folder, in a process group that is killed afterwards, and measures it."""
    command = [sys.executable, "-m", "urlglean", "scan", *arguments]
    watch = [sys.executable, "-I", "-S", "-c", _WATCH, str(folder / "measured"), *command]
    process = subprocess.Popen(
        watch,
        cwd=folder,
        env=_ENVIRONMENT,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        start_new_session=True,
        text=True,
    )
    try:
        _, said = process.communicate(timeout=timeout)
    finally:
        if process.poll() is None:
            os.killpg(process.pid, signal.SIGKILL)
            process.wait()
    seconds, peak = (folder / "measured").read_text().split()
    return Ran(process.returncode, float(seconds), int(peak), said)


def same(one: Path, other: Path) -> bool:
    """Whether two files hold the same bytes; they need not fit into memory."""
    with one.open("rb") as first, other.open("rb") as second:
        while (block := first.read(MB)) == second.read(MB):
            if not block:
                return True
    return False


def _plain(number: int, chance: random.Random) -> bytes:
    prose = b"Some words that are no URL, as most words of a mail are, good news: none.\n" * chance.randrange(1, 60)
    return b"\n" + prose + b"See http://www.example.org/%d/ and ftp://ftp.example.org/pub/%d.\n" % (number, number)


def _quoting(number: int, chance: random.Random) -> bytes:
    asked = b"> > You said that it was at <URL:http://www.example.org/a-\n> > b/%d>, which is gone.\n" % number
    return b"\n" + asked + b"> No, it is not there.\n>From here it is.\n" * chance.randrange(1, 30)


def _wrapped(number: int, chance: random.Random) -> bytes:
    words = b"word " * 9
    line = words + b"http://www.example.org/library/%d\n/reports.html now.\n" % number
    return b"\n" + line * chance.randrange(1, 9)


def _multipart(number: int, chance: random.Random) -> bytes:
    soft = b"a line with=3Dsigns, and a soft break that cuts http://www.example.org/=\n%d/ in two\n" % number
    page = b"<p>Some text</p><a href='http://html.example.org/%d'>here</a>\n" % number * chance.randrange(1, 200)
    return (
        b'MIME-Version: 1.0\nContent-Type: multipart/alternative; boundary="=_b"\n\n--=_b\n'
        b"Content-Type: text/plain; charset=utf-8\nContent-Transfer-Encoding: quoted-printable\n\n"
        + soft * chance.randrange(1, 30)
        + b"--=_b\nContent-Type: text/html; charset=us-ascii\nContent-Transfer-Encoding: base64\n\n"
        + encodebytes(page)
        + b"--=_b--\n"
    )


def _attachment(number: int, chance: random.Random) -> bytes:
    text = b'MIME-Version: 1.0\nContent-Type: multipart/mixed; boundary="=_b"\n\n--=_b\n\nhttp://text.example.org/%d\n'
    image = b"--=_b\nContent-Type: image/png\nContent-Transfer-Encoding: base64\n\n"
    return text % number + image + encodebytes(chance.randbytes(chance.randrange(1000, 400_000))) + b"--=_b--\n"


def _eight_bit(number: int, chance: random.Random) -> bytes:
    return b"\n" + b"Gr\xfc\xdfe aus K\xf6ln, siehe http://www.example.de/%d/.\n" % number * chance.randrange(1, 40)


def _one_line(number: int, chance: random.Random) -> bytes:
    return b"\n" + b"words http://long.example.org/%d " % number * chance.randrange(1, 3000) + b"\n"


def _nothing(_number: int, chance: random.Random) -> bytes:
    line = b"Nothing here; the ratio 1:2 is http as a word, and a@b.example is an address.\n"
    return b"\n" + line * chance.randrange(900)


_SHAPES = (_plain, _quoting, _wrapped, _multipart, _attachment, _eight_bit, _one_line, _nothing)


def messages(seed: int) -> Iterator[bytes]:
    """An endless sequence of mbox messages of all shapes and many lengths; the same seed gives the same messages."""
    chance, number = random.Random(seed), 0
    while True:
        number += 1
        shape = chance.choice(_SHAPES)
        yield _ENVELOPE + _FIELDS % (number, number) + shape(number, chance).replace(b"\nFrom ", b"\n>From ") + b"\n"


def mailbox(path: Path, size: int) -> None:
    """Writes an mbox of at least `size` bytes."""
    with path.open("wb") as file:
        for message in messages(seed=1738):
            if file.tell() >= size:
                return
            file.write(message)


def run_mailbox(folder: Path, size: int = 1000 * MB) -> dict[int, Ran]:
    """Scans a mailbox with one process and with two, to 1.jsonl and 2.jsonl.

    Returns the measurements by number of jobs.
    """
    mailbox(folder / "big.mbox", size)
    return {jobs: scan(folder, "big.mbox", "--jobs", str(jobs), "-o", f"{jobs}.jsonl") for jobs in (1, 2)}


# The interval of the journal is an argument, because a small run needs a shorter one than a long run.
_TELLING = """
import sys
from urlglean.cli import main
from urlglean.pipeline.run import RunOptions, Settings
if __name__ == "__main__":
    main(obj=Settings(RunOptions(every=float(sys.argv.pop(1)))))
"""


def run_kills(folder: Path, size: int = 300 * MB, runs: int = 5, every: float = 2, seed: int = 1738) -> list[int]:
    """Scans a mailbox to whole.jsonl, and to 0.jsonl, 1.jsonl ...; each of the latter is killed twice and resumed.

    Args:
        folder: the folder for all files.
        size: bytes of the mailbox.
        runs: how many runs are killed, each once early on and once later.
        every: seconds between two lines of the journal.
        seed: the seed of the random moments.

    Returns:
        For each kill, the number of bytes of the mailbox that were done by then, according to the journal; 0 if it
        recorded nothing yet, or if the run was over.
    """
    mailbox(folder / "big.mbox", size)
    scan(folder, "big.mbox", "--jobs", "2", "-o", "whole.jsonl")
    chance, reached = random.Random(seed), []
    for run in range(runs):
        rows = folder / f"{run}.jsonl"
        resumed = [sys.executable, "-c", _TELLING, str(every), "scan", "big.mbox", "-o", rows.name, "--resume"]
        for least, most in ((-0.1, 0.25), (0.25, 0.5)):
            process = subprocess.Popen(
                [*resumed, "--jobs", "2"],
                cwd=folder,
                env=_ENVIRONMENT,
                stderr=subprocess.DEVNULL,
                start_new_session=True,
            )
            share = chance.uniform(least, most)
            while process.poll() is None and _journalled(rows) < share * size:
                time.sleep(0.005)
            time.sleep(chance.uniform(0, every))
            # If the run is over by then, there is nothing to kill.
            with suppress(ProcessLookupError):
                os.killpg(process.pid, signal.SIGKILL)
            process.wait()
            reached.append(_journalled(rows))
        subprocess.run(resumed, cwd=folder, env=_ENVIRONMENT, stderr=subprocess.DEVNULL, check=True)
    return reached


def _journalled(rows: Path) -> int:
    journal = journal_of(rows)
    lines = journal.read_bytes().split(b"\n")[1:-1] if journal.exists() else []
    states = [state for state in map(json.loads, lines) if "position" in state]
    return states[-1]["position"]["bytes"] if states else 0


def _mime_tree(folder: Path, scale: float) -> None:
    depth = int(10_000 * scale)
    opened = b"".join(
        b'Content-Type: multipart/mixed; boundary="b%d"\n\n--b%d\n' % (level, level) for level in range(depth)
    )
    closed = b"".join(b"--b%d--\n" % level for level in reversed(range(depth)))
    (folder / "in").write_bytes(_FIELDS % (1, 1) + opened + b"\nhttp://deep.example.org/\n" + closed)


def _headers(folder: Path, scale: float) -> None:
    fields = (b"X-Field-%d: http://field.example.org/%d\n" % (number, number) for number in range(int(1e6 * scale)))
    (folder / "in").write_bytes(_FIELDS % (1, 1) + b"".join(fields) + b"\nhttp://body.example.org/\n")


def _gzip_bomb(folder: Path, scale: float) -> None:
    # RFC 1952 2.2: consecutive members unpack to one file.
    member = gzip.compress(b"http://bomb.example.org/\n" + b"words and words\n" * (100 * MB // 16), 9)
    (folder / "in").write_bytes(member * int(100 * scale))


def _zip_of_zips(folder: Path, scale: float) -> None:
    data = b"http://zip.example.org/\n" * int(1_000_000 * scale)
    for _ in range(8):
        packed = io.BytesIO()
        with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as archive:
            for number in range(10):
                archive.writestr(str(number), data)
        data = packed.getvalue()
    (folder / "in").write_bytes(data)


def _header_line(folder: Path, scale: float) -> None:
    line = b"X-Long: " + b"http://line.example.org/ " * int(50e6 * scale / 25)
    (folder / "in").write_bytes(_FIELDS % (1, 1) + line + b"\n\nhttp://body.example.org/\n")


def _from_lines(folder: Path, scale: float) -> None:
    (folder / "in").write_bytes(_ENVELOPE * int(1.5e6 * scale) + b"\nhttp://last.example.org/\n")


def _one_message(folder: Path, scale: float) -> None:
    with (folder / "in").open("wb") as file:
        file.write(_ENVELOPE + _FIELDS % (1, 1) + b"\n")
        for _ in range(int(400 * scale)):
            file.write(b"Some words, and http://one.example.org/.\n" * (MB // 41))


def _odd_files(folder: Path, _scale: float) -> None:
    (folder / "in" / "sub").mkdir(parents=True)
    (folder / "in" / "sub" / "loop").symlink_to("..")
    os.mkfifo(folder / "in" / "fifo")
    (folder / "in" / "dangling").symlink_to("nowhere")
    # Reading fails for everybody, root included: nothing is mapped at address 0.
    (folder / "in" / "unreadable").symlink_to("/proc/self/mem")
    (folder / "in" / "zz.txt").write_text("http://last.example.org/\n")


def _link_to_itself(folder: Path, _scale: float) -> None:
    (folder / "in").mkdir()
    (folder / "in" / "itself").symlink_to("itself")
    (folder / "in" / "zz.txt").write_text("http://last.example.org/\n")


HOSTILE: dict[str, Callable[[Path, float], None]] = {
    "mime-tree": _mime_tree,
    "headers": _headers,
    "gzip-bomb": _gzip_bomb,
    "zip-of-zips": _zip_of_zips,
    "header-line": _header_line,
    "from-lines": _from_lines,
    "one-message": _one_message,
    "odd-files": _odd_files,
    "link-to-itself": _link_to_itself,
}
"""By name: a function that makes `in`, a file or a folder; runs by hand have the scale 1."""


def run_hostile(folder: Path, name: str, scale: float = 1, timeout: float = 3600) -> Ran:
    """Scans one of the hostile inputs, to rows.jsonl and errors.jsonl."""
    HOSTILE[name](folder, scale)
    return scan(folder, "in", "--jobs", "1", "-v", "-o", "rows.jsonl", "--errors", "errors.jsonl", timeout=timeout)


def _told(name: str, ran: Ran) -> None:
    *_, last = ran.said.splitlines() or [""]
    print(f"{name:14} status {ran.status} {ran.seconds:8.1f} s {ran.peak / MB:8.1f} MB  {last[:140]}", flush=True)


def main(what: str, *arguments: str) -> None:
    """Runs one of the soaks in a temporary folder."""
    with tempfile.TemporaryDirectory(prefix="soak") as place:
        folder = Path(place)
        if what == "mailbox":
            for jobs, ran in run_mailbox(folder, *(int(size) * MB for size in arguments)).items():
                _told(f"--jobs {jobs}", ran)
                assert ran.peak < LIMIT, "more memory than a mailbox may take"
            assert same(folder / "1.jsonl", folder / "2.jsonl"), "the rows differ"
        elif what == "kills":
            size, runs = (*map(int, arguments), *(300, 5)[len(arguments) :])
            print("bytes done at each kill:", *run_kills(folder, size * MB, runs))
            for run in range(runs):
                assert same(folder / "whole.jsonl", folder / f"{run}.jsonl"), "the rows differ"
        else:
            for name in arguments or HOSTILE:
                (folder / name).mkdir()
                ran = run_hostile(folder / name, name)
                _told(name, ran)
                print("".join(f"    {line[:200]}\n" for line in ran.said.splitlines()[:5]), end="")


if __name__ == "__main__":
    main(*sys.argv[1:])
