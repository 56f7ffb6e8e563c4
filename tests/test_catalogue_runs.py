"""Runs of `catalog` that end early or stand in each other's way: kills, full disks, dead workers, a second writer."""

from __future__ import annotations

import os
import random
import resource
import shutil
import signal
import sqlite3
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

import pytest

from catalogues import JUNE, MAY, ask, catalog, content, mbox, message, rows, scanned
from commands import COMMAND, ENVIRONMENT
from urlglean.archive.catalogue import files_of
from urlglean.mail import html, read
from urlglean.pipeline import glean
from urlglean.pipeline.run import RunOptions, Settings
from urlglean.records import Message, TextPart
from urlglean.text.extract import Extractor
from urlglean.text.finding import Finding

SMALL = Settings(RunOptions(chunk=1 << 11, alone=0))

# Runs the command with commits behind every chunk, and kills it at the n-th statement that its database executes.
KILLED = """
import atexit, os, signal, sqlite3
import urlglean.archive.catalogue as catalogue
from urlglean.cli import main
from urlglean.pipeline.run import RunOptions, Settings
left, connect = int(os.environ["CALL"]), sqlite3.connect
atexit.register(lambda: print(int(os.environ["CALL"]) - left))
def count(statement):
    global left
    left -= 1
    if not left:
        os.kill(os.getpid(), signal.SIGKILL)
def connected(*arguments, **options):
    connection = connect(*arguments, **options)
    connection.set_trace_callback(count)
    return connection
if __name__ == "__main__":
    catalogue.EVERY, sqlite3.connect = 0, connected
    main(obj=Settings(RunOptions(chunk=1 << 11, alone=0)))
"""


@pytest.fixture
def mail(tmp_path: Path) -> Path:
    """A folder of mail that has changed since it was catalogued: some came, was moved, was rewritten, is broken."""
    folder, db = tmp_path / "mail", tmp_path / "before.db"
    folder.mkdir()
    (folder / "may").write_bytes(MAY)
    (folder / "june").write_bytes(JUNE)
    (folder / "july").write_bytes(mbox(*[message(number, f"http://j.example/{number}") for number in range(10, 40)]))
    catalog(db, folder, settings=SMALL)
    (folder / "may").rename(folder / "1997-05")
    (folder / "june").write_bytes(mbox(message(6, "http://d.example/", subject="on fish")) + JUNE)
    (folder / "july").write_bytes(mbox(*[message(number, f"http://j.example/{number}") for number in range(20, 50)]))
    flawed = message(7, "caf? http://e.example/", fields="Content-Type: text/plain; charset=utf-8\n")
    (folder / "1").write_bytes(flawed.encode().replace(b"?", b"\xff\xc3"))
    return folder


def ended(db: Path, *arguments: object, at: int) -> subprocess.CompletedProcess[bytes]:
    """Run the command, and kill it at that statement. If it is not killed, it prints how many it executed."""
    command = [sys.executable, "-c", KILLED, "catalog", str(db), *map(str, arguments)]
    return subprocess.run(command, check=False, capture_output=True, env=ENVIRONMENT | {"CALL": str(at)})


def killed(db: Path, *arguments: object, at: int) -> int:
    """As `ended`. Returns its exit status."""
    return ended(db, *arguments, at=at).returncode


def statements(db: Path, jobs: int, mail: Path) -> int:
    """How many statements a whole run executes. With several jobs, results come in larger pieces."""
    return int(ended(db, "--jobs", jobs, mail, at=1 << 30).stdout.splitlines()[-1])


@pytest.mark.parametrize("jobs", [1, 2])
def test_a_run_that_is_killed_at_any_moment_is_completed_by_the_next(mail: Path, jobs: int) -> None:
    """Ten times, each at another statement; a run that is not disturbed comes to the same."""
    before, whole, db = mail.parent / "before.db", mail.parent / "whole.db", mail.parent / "urls.db"
    shutil.copy(before, whole)
    count = statements(whole, jobs, mail)
    expected, chance = content(whole), random.Random(f"SIGKILL {jobs}")
    for _ in range(5):
        shutil.copy(before, db)
        assert killed(db, "--jobs", jobs, mail, at=chance.randrange(1, count + 1)) == -signal.SIGKILL
        catalog(db, "--jobs", jobs, mail, settings=SMALL)
        assert content(db) == expected
        for left in files_of(db)[1:]:
            assert not left.exists()
    assert rows(db) == scanned(mail)


def test_a_run_that_is_killed_again_and_again_comes_to_an_end(mail: Path) -> None:
    """From nothing, each time a little further."""
    whole, db = mail.parent / "whole.db", mail.parent / "urls.db"
    count = statements(whole, 1, mail)
    for part in (0.02, 0.3, 0.5):
        assert killed(db, "--jobs", 1, mail, at=int(count * part)) == -signal.SIGKILL
    catalog(db, mail)
    assert content(db) == content(whole)


@contextmanager
def running(db: Path, tmp_path: Path) -> Iterator[subprocess.Popen[str]]:
    """A run that waits in the middle: one of the files that it reads is a pipe."""
    folder = tmp_path / "slow"
    folder.mkdir()
    (folder / "mbox").write_bytes(MAY)
    script = KILLED.replace(
        "catalogue.EVERY, ", "import time; catalogue.remove_gone = lambda *_: time.sleep(60); catalogue.EVERY, "
    )
    command = [sys.executable, "-c", script, "catalog", str(db), str(folder)]
    with subprocess.Popen(command, stderr=subprocess.PIPE, text=True, env=ENVIRONMENT | {"CALL": "0"}) as process:
        try:
            while not (db.exists() and db.stat().st_size and _holds_rows(db)):
                assert process.poll() is None
                time.sleep(0.01)
            yield process
        finally:
            process.kill()


def _holds_rows(db: Path) -> bool:
    try:
        return bool(ask(db, "SELECT count(*) FROM findings")[0])
    except sqlite3.OperationalError:  # the tables are being made
        return False


def test_one_run_writes_at_a_time_and_anybody_reads(tmp_path: Path) -> None:
    """The second says so and leaves everything; after a kill the next goes on."""
    db = tmp_path / "urls.db"
    (tmp_path / "june").write_bytes(JUNE)
    with running(db, tmp_path) as first:
        refused = catalog(db, tmp_path / "june")
        assert (refused.exit_code, refused.stderr) == (2, f"urlglean: {db} is being written by another run\n")
        assert len(rows(db)) == 3
        first.kill()
        first.wait()
    with closing(sqlite3.connect(db)) as reader:
        read = reader.execute("SELECT url FROM rows")
        read.fetchone()  # a reader in the middle of its rows
        assert catalog(db, tmp_path / "june").exit_code == 0
        assert len(read.fetchall()) == 2
    assert rows(db) == scanned(tmp_path / "slow", tmp_path / "june")


def test_nothing_to_read_is_told_by_the_exit_status(tmp_path: Path) -> None:
    """As by grep; what could not be read is trouble."""
    (tmp_path / "empty").mkdir()
    assert catalog(tmp_path / "urls.db", tmp_path / "empty").exit_code == 1
    assert catalog(tmp_path / "urls.db", tmp_path / "missing").exit_code == 2


@pytest.mark.parametrize("mistyped", ["nope", "picture", "in/link"])
def test_a_path_that_cannot_be_read_leaves_no_catalogue(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, mistyped: str
) -> None:
    """As it leaves no rows of a scan; one that is there stays, and the file of errors is written."""
    monkeypatch.chdir(tmp_path)
    Path("in").mkdir()
    Path("in/link").symlink_to("nowhere")
    Path("picture").write_bytes(b"\x89PNG\r\n\x1a\n")
    Path("link.db").symlink_to("urls.db")
    refused = catalog(Path("link.db"), mistyped, "--errors", "errors")
    assert refused.exit_code == 2
    assert "urlglean: nothing could be read, so link.db is not written\n" in refused.stderr
    assert sorted(path.name for path in tmp_path.iterdir()) == ["errors", "in", "link.db", "picture"]
    assert Path("errors").read_bytes().count(b"\n") == (mistyped != "picture")
    Path("may").write_bytes(MAY)
    catalog(Path("urls.db"), "may")
    refused = catalog(Path("urls.db"), mistyped)
    assert refused.exit_code == 2
    assert "is not written" not in refused.stderr
    assert rows(Path("urls.db")) == scanned("may")


@pytest.fixture
def limited(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A mailbox of three messages, of which the second needs more memory than there is."""

    def failing(octets: bytes, *arguments: object) -> Message:
        if b"much" in octets:
            raise MemoryError
        return read(octets, *arguments)  # type: ignore[arg-type]

    monkeypatch.setattr(glean, "read", failing)
    path = tmp_path / "mbox"
    path.write_bytes(
        mbox(*(message(number, f"{word} http://a.example/") for number, word in enumerate(("a", "much", "c"))))
    )
    return path


def test_a_document_that_a_limit_stopped_is_tried_again(
    limited: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Nothing of it is known until it was read; then its trouble is gone."""
    db = tmp_path / "urls.db"
    first = catalog(db, limited)
    assert first.exit_code == 2
    assert "needs more memory" in first.stderr
    assert len(rows(db)) == 2
    assert ask(db, "SELECT path, message, copy FROM troubles") == [(str(limited), 2, None)]
    monkeypatch.undo()
    assert "; 1 new, 2 known" in catalog(db, limited).stderr
    assert ask(db, "SELECT * FROM troubles") == []
    assert rows(db) == scanned(limited)


def test_a_page_that_was_read_as_its_source_is_tried_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A scan gives the URLs of the source; a later run would take the message for known."""

    def too_much(*_: object) -> None:
        raise MemoryError

    db, path = tmp_path / "urls.db", tmp_path / "page.html"
    path.write_text("<html><a href='http://a.example/?b=1&amp;c=2'>d</a></html>\n")
    monkeypatch.setattr(html, "read", too_much)
    assert "read as source text" in catalog(db, path).stderr
    assert not rows(db)
    monkeypatch.undo()
    assert "; 1 new, 0 known" in catalog(db, path).stderr
    assert rows(db) == scanned(path)


def test_urls_of_a_document_that_was_given_up_are_not_counted(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The catalogue does not have them. What is not valid, and what was rejected, is counted apart."""
    db, box = tmp_path / "urls.db", tmp_path / "mbox"
    found = "http://a.example/1 or http://a.example/2|3 or http://a.example/%s here"
    box.write_bytes(mbox(message(1, found), message(2, found, subject="http://s.example/ much")))
    searched = glean._found_in

    def failing(part: TextPart, extractor: Extractor) -> list[Finding]:
        if part.text.endswith("much"):
            raise MemoryError
        return searched(part, extractor)

    first = catalog(tmp_path / "whole.db", box)
    monkeypatch.setattr(glean, "_found_in", failing)
    second = catalog(db, box)
    for told, path, counts in ((first, tmp_path / "whole.db", (3, 2, 2)), (second, db, (1, 1, 1))):
        findings = ask(path, "SELECT count(*) FILTER (WHERE valid), count(*) FILTER (WHERE NOT valid) FROM findings")
        assert [*findings, *ask(path, "SELECT count(*) FROM rejects")] == [counts[:2], counts[2]]
        rows, raw, rejects = counts
        assert f" {rows} URL{'s'[rows == 1 :]}, {raw} more not valid by current, {rejects} rejected," in told.stderr


def test_a_worker_that_died_leaves_the_rest(tmp_path: Path) -> None:
    """Its document is in trouble, and is tried again."""
    db, box = tmp_path / "urls.db", tmp_path / "mbox"
    box.write_bytes(mbox(*(message(number, f"http://a.example/{number}") for number in range(40))))
    script = (
        "import os, sys\nfrom urlglean.pipeline import glean\nread = glean.read\n"
        "def deadly(octets, *rest):\n    if b'/7\\n' in octets: os._exit(9)\n    return read(octets, *rest)\n"
        "glean.read = deadly\n"
    )
    (tmp_path / "sitecustomize.py").write_text(script)
    command = [sys.executable, "-c", KILLED, "catalog", str(db), "--jobs", "2", str(box)]
    path = f"{tmp_path}{os.pathsep}{ENVIRONMENT['PYTHONPATH']}"
    environment = ENVIRONMENT | {"CALL": "0", "PYTHONPATH": path}
    done = subprocess.run(command, check=False, capture_output=True, text=True, env=environment)
    assert done.returncode == 2
    assert "the process that read it died" in done.stderr
    assert len(rows(db)) == 39
    assert "; 1 new, 39 known" in catalog(db, box).stderr
    assert rows(db) == scanned(box)


@pytest.mark.parametrize("size", [0, 5000, 100_000, 200_000])
def test_a_full_disk_leaves_a_catalogue_that_the_next_run_completes(tmp_path: Path, size: int) -> None:
    """The message names the file."""
    db, text = tmp_path / "urls.db", tmp_path / "text"
    text.write_text("".join(f"http://{number:x}.example/\n" for number in range(3000)))
    done = subprocess.run(
        [*COMMAND, "catalog", db, text],
        check=False,
        capture_output=True,
        text=True,
        # Python would leave compiled modules that are cut off.
        env=ENVIRONMENT | {"PYTHONDONTWRITEBYTECODE": "1"},
        preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (size, size)),
    )
    assert done.returncode == 2
    assert done.stderr.startswith(f"urlglean: {db}: ")
    assert done.stderr.count("\n") == 1
    assert catalog(db, text).exit_code == 0
    assert rows(db) == scanned(text)
    content(db)


def test_a_catalogue_that_cannot_be_written_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """And read no further."""
    db, may = tmp_path / "urls.db", tmp_path / "may"
    may.write_bytes(MAY)
    catalog(db, may)
    before = db.read_bytes()
    connect = sqlite3.connect
    monkeypatch.setattr(
        sqlite3, "connect", lambda where, **options: connect(where.replace("mode=rw", "mode=ro"), **options)
    )
    refused = catalog(db, may)
    assert (refused.exit_code, refused.stderr) == (2, f"urlglean: {db}: attempt to write a readonly database\n")
    assert db.read_bytes() == before
