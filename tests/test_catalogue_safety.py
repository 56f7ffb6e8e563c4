"""Nothing that happens to a run harms a catalogue: kills, full disks, other runs, other options, other files."""

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

import urlglean
from catalogues import ask, catalog, content, rows, scanned
from test_catalogue import JUNE, MAY, mbox, message
from urlglean.archive.catalogue import files_of
from urlglean.archive.database import catalogue
from urlglean.errors import CatalogueError
from urlglean.mail import read
from urlglean.output import document_lines, jsonl
from urlglean.output.tables import APPLICATION_ID, Tables, create
from urlglean.pipeline import glean
from urlglean.pipeline.chunk_result import PIECE
from urlglean.pipeline.run import RunOptions, Settings
from urlglean.records import Message

SMALL = Settings(RunOptions(chunk=1 << 11, alone=0))
ENVIRONMENT = os.environ | {"PYTHONPATH": str(Path(urlglean.__file__).parent.parent)}

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
        assert (refused.exit_code, refused.stderr) == (2, f"urlglean: {db}: another run is writing it\n")
        assert len(rows(db)) == 3
        first.kill()
        first.wait()
    with closing(sqlite3.connect(db)) as reader:
        read = reader.execute("SELECT url FROM rows")
        read.fetchone()  # a reader in the middle of its rows
        assert catalog(db, tmp_path / "june").exit_code == 0
        assert len(read.fetchall()) == 2
    assert rows(db) == scanned(tmp_path / "slow", tmp_path / "june")


@pytest.mark.parametrize(
    ("first", "then", "told"),
    [
        ((), ("--dialect", "web"), "--dialect current, not web"),
        (("--joins", "never"), (), "--joins never, not likely"),
        (("--strict",), ("--www",), "--strict on, not off; --www off, not on"),
        (("--scheme", "x-a", "--scheme", "x-b"), (), "--scheme x-a,x-b, not none"),
    ],
)
def test_a_catalogue_has_one_way_of_reading(
    tmp_path: Path, first: tuple[str, ...], then: tuple[str, ...], told: str
) -> None:
    """Another is refused, with the difference, and changes nothing; what does not concern findings may differ."""
    db, may = tmp_path / "urls.db", tmp_path / "may"
    may.write_bytes(MAY)
    catalog(db, may, *first)
    before = db.read_bytes()
    refused = catalog(db, may, *then)
    assert refused.exit_code == 2
    assert refused.stderr == f"urlglean: {db}: it was made with {told}: one catalogue has one way of reading\n"
    assert db.read_bytes() == before
    assert catalog(db, may, *first, "--as", "mbox", "--time-limit", 0, "--memory-limit", 0, "-v").exit_code == 0


def test_a_database_of_a_scan_has_another_way_of_reading(tmp_path: Path) -> None:
    """It lacks the rejected candidates, and findings below its threshold."""
    db, may = tmp_path / "urls.db", tmp_path / "may"
    may.write_bytes(MAY)
    command = [sys.executable, "-m", "urlglean", "scan", str(may), "-o", str(db), "--least", "0.5"]
    subprocess.run(command, check=True, capture_output=True, env=ENVIRONMENT)
    assert "it was made with --least 0.5, not 0.0; --rejects off, not on" in catalog(db, may).stderr


def test_relative_paths_belong_to_a_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """In another they would name other files, unless all was moved there."""
    old, new = tmp_path / "old", tmp_path / "new"
    for folder in (old, new):
        folder.mkdir()
    (old / "may").write_bytes(MAY)
    monkeypatch.chdir(old)
    assert catalog("urls.db", "may").exit_code == 0
    monkeypatch.chdir(new)
    refused = catalog(old / "urls.db", "may")
    assert refused.exit_code == 2
    assert f"relative paths in it belong to the folder {old}: run this there" in refused.stderr
    refused = catalog(old / "urls.db", old / "may")
    assert refused.exit_code == 2
    assert f"{old / 'may'} is in it as may: give it by that name" in refused.stderr
    (new / "june").write_bytes(MAY)
    assert catalog(old / "urls.db", new / "june").exit_code == 0
    refused = catalog(old / "urls.db", "june")
    assert refused.exit_code == 2
    (new / "june").unlink()
    new.rmdir()
    old.rename(new)
    monkeypatch.chdir(new)
    assert catalog("urls.db", "may").exit_code == 0


def foreign(path: Path, what: str) -> None:
    """Write a file that is no catalogue."""
    if what == "notes":
        path.write_text("notes on a journey, which are no database\n" * 40)
        return
    with closing(sqlite3.connect(path)) as connection:
        if what == "old":
            connection.execute(f"PRAGMA application_id = {APPLICATION_ID}")
        connection.execute("CREATE TABLE findings (id INTEGER PRIMARY KEY, url TEXT)")
        connection.commit()


@pytest.mark.parametrize(
    ("what", "told"),
    [
        ("notes", "file is not a database"),
        ("other", "it is a database, but not one that urlglean wrote"),
        ("old", "its tables have shape 0; this version of urlglean knows shape 2"),
    ],
)
def test_what_is_no_catalogue_is_left_alone(tmp_path: Path, what: str, told: str) -> None:
    """To the last byte, and nothing is left beside it."""
    db, may = tmp_path / "urls.db", tmp_path / "may"
    may.write_bytes(MAY)
    foreign(db, what)
    before = db.read_bytes()
    refused = catalog(db, may)
    assert (refused.exit_code, refused.stderr) == (2, f"urlglean: {db}: {told}\n")
    assert db.read_bytes() == before
    assert sorted(path.name for path in tmp_path.iterdir()) == ["may", "urls.db"]


def test_an_empty_file_becomes_a_catalogue(tmp_path: Path) -> None:
    """As mktemp leaves one, or a kill before the tables were made."""
    db, may = tmp_path / "urls.db", tmp_path / "may"
    may.write_bytes(MAY)
    db.touch()
    assert catalog(db, may).exit_code == 0
    assert rows(db) == scanned(may)


def test_a_catalogue_does_not_read_itself(mail: Path) -> None:
    """Nor what stands beside it, nor its errors."""
    db, errors = mail / "urls.db", mail / "errors"
    result = catalog(db, mail, "-v", "--errors", errors)
    own = [line for line in result.stderr.splitlines() if line.endswith("left out: it is being written")]
    assert {line.split(": ")[1] for line in own} >= {str(path) for path in (db, db.with_name("urls.db.lock"))}
    assert ask(db, "SELECT DISTINCT path FROM places WHERE path LIKE '%urls.db%' OR path LIKE '%errors%'") == []
    again = catalog(db, mail, "-v")
    assert "; 0 new, " in again.stderr


@pytest.mark.parametrize("path", ["-", "pipe"])
def test_a_place_must_be_found_again(tmp_path: Path, path: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """What comes through a pipe is gone; nothing is made for it."""
    monkeypatch.chdir(tmp_path)
    os.mkfifo("pipe")
    refused = catalog("urls.db", path)
    assert refused.exit_code == 2
    assert f"{path} is no file or folder, to which a catalogue could lead" in refused.stderr
    assert [each.name for each in tmp_path.iterdir()] == ["pipe"]


def test_files_are_not_used_twice(tmp_path: Path) -> None:
    """Nothing is made for wrong arguments."""
    db = tmp_path / "urls.db"
    (tmp_path / "may").write_bytes(MAY)
    assert "would be written twice" in catalog(db, tmp_path / "may", "--errors", db).stderr
    assert "would be both read and written" in catalog(tmp_path / "may", tmp_path / "may").stderr
    assert catalog(tmp_path / "no" / "urls.db", tmp_path / "may").exit_code == 2
    assert [each.name for each in tmp_path.iterdir()] == ["may"]


def test_nothing_to_read_is_told_by_the_exit_status(tmp_path: Path) -> None:
    """As by grep; what could not be read is trouble."""
    (tmp_path / "empty").mkdir()
    assert catalog(tmp_path / "urls.db", tmp_path / "empty").exit_code == 1
    assert catalog(tmp_path / "urls.db", tmp_path / "missing").exit_code == 2


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


def line(number: int, *, url: int = 0, last: bool = True, limited: bool = False, found: int = 1) -> bytes:
    """A line of a document, with findings."""
    found_url = f"http://a.example/{url or number}"
    finding = [
        found_url,
        "http",
        "a.example",
        "bare",
        "plain",
        0.9,
        True,
        [],
        [],
        [],
        1,
        9,
        1,
        None,
        None,
        None,
        [],
        [],
    ]
    envelope = [f"{number}@x", None, None, "s", None]
    where = ["mbox", None, number, 9, number + 1, 0]
    troubles = ["given up"] if limited else []
    values = [
        "document",
        f"{number:032}",
        None,
        "message",
        *where,
        envelope,
        [finding] * found,
        [],
        troubles,
        limited,
        last,
    ]
    return jsonl.encoded(values) + b"\n"


@pytest.mark.parametrize(
    "end",
    [
        line(2, limited=True),
        jsonl.encoded(["trouble", "mbox", None, 3, "the process died"]) + b"\n",
        line(3),
        b"",
    ],
    ids=["limit", "death", "next", "end"],
)
@pytest.mark.parametrize("together", [True, False])
def test_a_long_document_is_known_when_its_last_piece_came(tmp_path: Path, end: bytes, *, together: bool) -> None:
    """Else nothing of it is, whatever pieces came before; what stood before and comes behind it stays."""
    db = tmp_path / "urls.db"
    with closing(sqlite3.connect(db, isolation_level=None)) as connection:
        create(connection)
        connection.execute("BEGIN")
        tables = Tables(connection, grows=True)
        tables.write(document_lines.run_line("1", {}))
        pieces = [line(1), line(2, last=False), line(2, last=False), end, line(4, url=2), line(5, last=False), line(5)]
        for piece in [b"".join(pieces)] if together else pieces:
            tables.write(piece)
        tables.end()
        connection.execute("COMMIT")
    known = ["1@x", "4@x", "5@x"] if end != line(3) else ["1@x", "3@x", "4@x", "5@x"]
    assert ask(db, "SELECT message_id FROM documents ORDER BY 1") == known
    assert ask(db, "SELECT count(*) FROM urls") == [len(known)]
    assert ask(db, "SELECT count(*) FROM findings") == [len(known) + 1]
    content(db)


def test_a_document_with_many_findings_is_written_in_pieces(tmp_path: Path) -> None:
    """All of them, or none."""
    db, text = tmp_path / "urls.db", tmp_path / "text"
    text.write_text("".join(f"http://a.example/{number % 5}\n" for number in range(PIECE // 100)))
    catalog(db, text)
    assert rows(db) == scanned(text)
    assert ask(db, "SELECT documents FROM urls") == [1] * 5


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
        [sys.executable, "-m", "urlglean", "catalog", db, text],
        check=False,
        capture_output=True,
        text=True,
        env=ENVIRONMENT,
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


def test_a_file_has_one_name_in_the_catalogue(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """However it is spelt: with "./", with doubled slashes, with a slash at the end, by its absolute path."""
    db, folder = tmp_path / "urls.db", tmp_path / "mail"
    folder.mkdir()
    (folder / "may").write_bytes(MAY)
    monkeypatch.chdir(tmp_path)
    for name in ("mail", "./mail", "mail/", ".//mail//may"):
        assert catalog(db, name).exit_code == 0
    assert set(ask(db, "SELECT path FROM places")) == {"mail/may"}
    refused = catalog(db, folder)
    assert f"{folder} is in it as mail: give it by that name" in refused.stderr
    monkeypatch.chdir(tmp_path)
    refused = catalog(db, tmp_path)
    assert f"{tmp_path} holds mail/may, which is in it by that name: give relative paths" in refused.stderr


def test_the_current_folder_and_what_is_in_it_have_one_name(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """In either order, and also beside a name that begins with a dot."""
    for first, second in ((".", "mail"), ("mail", ".")):
        folder = tmp_path / first.replace(".", "dot")
        (folder / "mail").mkdir(parents=True)
        (folder / "mail" / "may").write_bytes(MAY)
        monkeypatch.chdir(folder)
        db = tmp_path / f"{second.replace('.', 'dot')}.db"
        assert catalog(db, first).exit_code == catalog(db, second).exit_code == 0
        assert ask(db, "SELECT DISTINCT path FROM places") == ["mail/may"]
        assert rows(db) == scanned(Path("mail"))


def test_what_lies_elsewhere_is_not_gone(tmp_path: Path) -> None:
    """A URL is no name of a file here: its places stay when a copy is met in another place."""
    fsspec = pytest.importorskip("fsspec")
    system, url = fsspec.filesystem("memory"), "memory:///catalogued/may"
    system.pipe("/catalogued/may", MAY)
    here = tmp_path / "may"
    here.write_bytes(MAY)
    try:
        catalog(tmp_path / "a.db", url)
        before = ask(tmp_path / "a.db", "SELECT count(*) FROM places")[0]
        catalog(tmp_path / "a.db", here)
    finally:
        system.store.clear()
    assert ask(tmp_path / "a.db", "SELECT path, count(*) FROM places GROUP BY path ORDER BY path") == [
        (str(here), before),
        (url, before),
    ]


def test_whoever_may_only_read_sees_what_is_in_the_log(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A run goes on, or was killed, and left a log; its folder may not be written."""
    db = tmp_path / "a.db"
    (tmp_path / "may").write_bytes(MAY)
    catalog(db, tmp_path / "may")
    with closing(sqlite3.connect(db)) as writer:
        writer.execute("UPDATE documents SET subject = 'in the log'")
        writer.commit()
        monkeypatch.setattr(os, "access", lambda *_arguments: False)
        with catalogue(db) as connection:
            assert connection.execute("SELECT DISTINCT subject FROM documents").fetchall() == [("in the log",)]


@pytest.mark.parametrize(
    "harm",
    [
        "DROP TABLE urls; CREATE VIEW urls AS SELECT id, sender AS url FROM documents",
        "CREATE TRIGGER t AFTER INSERT ON runs BEGIN DELETE FROM documents; END",
        "ALTER TABLE urls ADD COLUMN more AS (zeroblob(900000000))",
    ],
)
@pytest.mark.parametrize("write", [False, True])
def test_a_catalogue_that_runs_something_is_refused(tmp_path: Path, harm: str, write: bool) -> None:  # noqa: FBT001
    """What a stranger put into it would run for ever, or fill the disk."""
    db = tmp_path / "a.db"
    with closing(sqlite3.connect(db)) as connection:
        create(connection)
        connection.executescript(harm)
    with pytest.raises(CatalogueError, match="not as urlglean writes it"), catalogue(db, write=write):
        pass


def test_a_value_that_fills_the_memory_is_an_error(tmp_path: Path) -> None:
    """It is not read."""
    db = tmp_path / "a.db"
    with closing(sqlite3.connect(db)) as connection:
        create(connection)
        connection.execute("INSERT INTO urls (url) VALUES (CAST(zeroblob(100000000) AS TEXT))")
        connection.commit()
    with pytest.raises(CatalogueError, match="too big"), catalogue(db) as connection:
        connection.execute("SELECT url FROM urls").fetchall()
