"""Rows written elsewhere, over S3 and in memory: a file is there as a whole, or not at all."""

from __future__ import annotations

import gzip
import json
import os
import re
import signal
import socket
import sqlite3
import subprocess
import sys
import threading
from contextlib import closing, suppress
from functools import partialmethod
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from catalogues import ask, catalog, content
from test_sources_remote import bucket, deny_all, memory
from urlglean.cli import main
from urlglean.output import remote_file

pytest.importorskip("fsspec")
parquet = pytest.importorskip("pyarrow.parquet")

__all__ = ["bucket", "memory"]  # the fixtures

CORPUS = Path(__file__).parent.parent / "corpus"
SAMPLE = CORPUS / "mail/sample.mbox"

pytestmark = pytest.mark.filterwarnings("ignore")  # of the libraries of the server


def scan(*arguments: object) -> Result:
    """Run `urlglean scan` by one process."""
    return CliRunner().invoke(main, ["scan", "--jobs", "1", *map(str, arguments)])


def error_of(done: Result) -> str:
    """The last line that a scan says which could not write."""
    assert isinstance(done.exception, SystemExit), done.exception
    assert done.exit_code == 2
    return done.stderr.splitlines()[-1]


def test_every_format_is_written_as_here(memory: Any, tmp_path: Path) -> None:
    """Lines, packed lines, and Parquet."""
    for name in ("rows.jsonl", "rows.csv", "rows.tsv", "rows.txt", "rows.jsonl.gz", "rows.parquet"):
        here = tmp_path / name
        assert scan(SAMPLE, "-o", here).exit_code == 0
        assert scan(SAMPLE, "-o", f"memory://out/{name}").exit_code == 0
        assert memory.cat(f"/out/{name}") == here.read_bytes(), name
    assert scan(SAMPLE, "-o", "memory://out/rows", "--format", "urls").exit_code == 0
    assert memory.cat("/out/rows") == scan(SAMPLE, "--format", "urls").stdout_bytes


def test_rejects_and_errors_are_written_there_too(memory: Any, tmp_path: Path) -> None:
    """Each may be here or elsewhere."""
    names = {"-o": "rows.jsonl", "--rejects": "rejects.jsonl", "--errors": "errors.jsonl"}
    bad = tmp_path / "bad"
    bad.write_bytes(b"From: a@b.example\nContent-Type: text/plain; charset=utf-8\n\n\xff http://q.example/ http:///x\n")
    assert scan(bad, *[f for option, name in names.items() for f in (option, tmp_path / name)]).exit_code == 2
    for here in (set(), {"-o"}, {"--rejects"}, {"--errors"}):
        memory.rm("/out", recursive=True) if memory.exists("/out") else None
        folder = tmp_path / "-".join(["some", *here])
        folder.mkdir()
        places = {option: folder / name if option in here else f"memory://out/{name}" for option, name in names.items()}
        assert scan(bad, *[f for place in places.items() for f in place]).exit_code == 2
        for option, place in places.items():
            written = place.read_bytes() if isinstance(place, Path) else memory.cat(f"/out/{names[option]}")
            assert written == (tmp_path / names[option]).read_bytes()
            assert written
        assert sorted(path.name for path in folder.iterdir()) == sorted(names[option] for option in here)


def test_what_was_not_written_to_its_end_is_not_there(memory: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """What was there before stays: after an error, after Ctrl-C, and where nothing could be read."""
    memory.pipe("/out/rows.jsonl", b"before\n")
    written = remote_file._Writer.write

    def broken(self: Any, octets: Any, failure: BaseException) -> int:
        written(self, octets)
        raise failure

    for failure, status in ((KeyboardInterrupt(), 130), (OSError(5, "gone"), 2), (MemoryError(), 1)):
        monkeypatch.setattr(remote_file._Writer, "write", partialmethod(broken, failure=failure))
        assert scan(SAMPLE, "-o", "memory://out/rows.jsonl").exit_code == status
        assert memory.cat("/out/rows.jsonl") == b"before\n"
    monkeypatch.undo()
    done = scan("/nothing/there", "-o", "memory://out/rows.jsonl", "--errors", "memory://out/errors.jsonl")
    assert done.exit_code == 2
    assert "nothing could be read, so memory://out/rows.jsonl is not written" in done.stderr
    assert memory.cat("/out/rows.jsonl") == b"before\n"
    assert json.loads(memory.cat("/out/errors.jsonl"))["path"] == "/nothing/there"


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (("-o", "memory://out/rows.db"), "no sqlite can be written"),
        (("-o", "memory://out/rows.jsonl", "--resume"), "lies elsewhere, where a file is complete or not there"),
        (("--errors", "memory://e", "-o", "rows.jsonl", "--resume"), "memory://e lies elsewhere"),
        (("-o", "memory://in/a", "--format", "text"), "would be both read and written"),
        (("-o", "memory://in/rows/rows.jsonl"), "would be both read and written"),
        (("-o", "memory://out/x.jsonl", "--errors", "memory://out/x.jsonl"), "would be written twice"),
        (("-o", "rows.parquet", "--rejects", "no-such-protocol://x"), "cannot write no-such-protocol://x: "),
        (("-o", "rows.db", "--rejects", "no-such-protocol://x"), "cannot write no-such-protocol://x: "),
        (("-o", "no-such-protocol://x", "--errors", "e.jsonl.gz"), "cannot write no-such-protocol://x: "),
        (("-o", "no-such-protocol://x/y.jsonl"), "cannot write no-such-protocol://x/y.jsonl: "),
        (("-o", "https://127.0.0.1:1/y.jsonl"), "cannot write https://127.0.0.1:1/y.jsonl: "),
    ],
)
def test_what_cannot_be_is_refused(
    memory: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, arguments: tuple[str, ...], told: str
) -> None:
    """With exit status 2, before anything is read; nothing is written."""
    monkeypatch.chdir(tmp_path)
    memory.pipe("/in/a", b"http://h.example/\n")
    assert told in error_of(scan("memory://in/", "memory://in/a", *arguments))
    assert not memory.exists("/out")
    assert memory.cat("/in/a") == b"http://h.example/\n"
    assert not list(tmp_path.iterdir())


def test_without_the_package_it_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    """As it is for reading."""
    monkeypatch.setitem(sys.modules, "fsspec.core", None)
    assert "install the package fsspec" in error_of(scan(SAMPLE, "-o", "memory://out/rows.jsonl"))


def uploads(system: Any) -> list[Any]:
    """The uploads to a bucket that were begun and not ended."""
    return system.call_s3("list_multipart_uploads", Bucket="mail").get("Uploads", [])  # type: ignore[no-any-return]


def test_rows_are_written_to_a_bucket(bucket: tuple[str, Any], tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """In one part or several, or none; by one process or two; nothing is left of the upload."""
    _, system = bucket
    monkeypatch.setattr(remote_file, "_PART", 5 << 20)  # the least of S3
    large = tmp_path / "large.txt"
    large.write_text("".join(f"http://h.example/{number}\n" for number in range(40_000)), encoding="utf-8")
    (tmp_path / "none.txt").write_text("nothing here\n", encoding="utf-8")
    for path, name in (
        (SAMPLE, "a.parquet"),
        (large, "a.jsonl"),
        (tmp_path / "none.txt", "b.jsonl"),
        (large, "c.parquet"),
    ):
        here = tmp_path / name
        status = scan(path, "-o", here).exit_code
        for jobs in ("1", "2"):
            done = scan(path, "-o", f"s3://mail/rows/{name}", "--jobs", jobs)
            assert done.exit_code == status
            assert system.cat(f"mail/rows/{name}") == here.read_bytes()
            assert not uploads(system)
    assert (tmp_path / "a.jsonl").stat().st_size > 2 * remote_file._PART
    assert sorted(path.name for path in tmp_path.glob("*.*")) == [
        "a.jsonl",
        "a.parquet",
        "b.jsonl",
        "c.parquet",
        "large.txt",
        "none.txt",
    ]


@pytest.mark.parametrize("name", ["rows.jsonl", "rows.parquet", "rows.csv.gz"])
def test_a_bucket_that_is_missing_or_denied_is_told_before_anything_is_read(bucket: tuple[str, Any], name: str) -> None:
    """With the URL and the cause."""
    endpoint, _ = bucket
    url = f"s3://no-such-bucket/{name}"
    told = error_of(scan("/nothing/there", "-o", url))
    assert re.match(f"urlglean: cannot write {url}: .*bucket", told, re.IGNORECASE)
    deny_all(endpoint)
    url = f"s3://mail/{name}"
    assert error_of(scan("/nothing/there", "-o", url)).startswith(f"urlglean: cannot write {url}: ")


class Proxy:
    """A proxy before a server, which breaks all connections when so many octets were sent to the server."""

    def __init__(self, endpoint: str, octets: int) -> None:
        """Listen on loopback."""
        self._to = ("127.0.0.1", int(endpoint.rpartition(":")[2]))
        self._left = octets
        self._server = socket.create_server(("127.0.0.1", 0))
        self.endpoint = f"http://127.0.0.1:{self._server.getsockname()[1]}"
        threading.Thread(target=self._serve, daemon=True).start()

    def close(self) -> None:
        """End listening."""
        self._server.shutdown(socket.SHUT_RDWR)
        self._server.close()

    def _serve(self) -> None:
        with suppress(OSError):
            while True:
                client, server = self._server.accept()[0], socket.create_connection(self._to)
                threading.Thread(target=self._copy, args=(client, server, True), daemon=True).start()
                threading.Thread(target=self._copy, args=(server, client, False), daemon=True).start()

    def _copy(self, source: socket.socket, sink: socket.socket, counted: bool) -> None:  # noqa: FBT001
        with suppress(OSError), source, sink:
            while data := source.recv(1 << 16):
                if counted:
                    self._left -= len(data)
                    if self._left < 0:
                        break
                sink.sendall(data)
            for end in (source, sink):
                end.shutdown(socket.SHUT_RDWR)


def test_a_connection_that_breaks_leaves_no_half_object(
    bucket: tuple[str, Any], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It is told, with exit status 2; a broken pipe to a server is not the end of a pipe."""
    endpoint, system = bucket
    system.pipe("mail/rows.jsonl", b"before\n")
    monkeypatch.setattr(remote_file, "_PART", 5 << 20)
    monkeypatch.setenv("AWS_MAX_ATTEMPTS", "1")
    large = tmp_path / "large.txt"
    large.write_text("".join(f"http://h.example/{number}\n" for number in range(40_000)), encoding="utf-8")
    for octets in (7 << 20, 1 << 20):
        proxy = Proxy(endpoint, octets)
        monkeypatch.setenv("AWS_ENDPOINT_URL", proxy.endpoint)
        told = error_of(scan(large, "-o", "s3://mail/rows.jsonl"))
        assert told.startswith("urlglean: cannot write s3://mail/rows.jsonl: ")
        proxy.close()
        assert system.cat("mail/rows.jsonl") == b"before\n"


def test_a_run_that_is_killed_leaves_no_half_object(bucket: tuple[str, Any], tmp_path: Path) -> None:
    """Nor does one that Ctrl-C ends."""
    _, system = bucket
    fifo = tmp_path / "fifo"
    os.mkfifo(fifo)
    command = [sys.executable, "-m", "urlglean", "scan", "-", "--format", "jsonl", "-o", "s3://mail/rows.jsonl"]
    for how, status in ((signal.SIGKILL, -signal.SIGKILL), (signal.SIGINT, 130)):
        with subprocess.Popen(command, stdin=subprocess.PIPE, stderr=subprocess.PIPE, env=os.environ) as run:
            assert run.stdin
            assert run.stderr
            run.stdin.write(b"see http://h.example/ here\n" * 100_000)
            run.stdin.flush()
            while not uploads(system) and run.poll() is None:
                pass
            run.send_signal(how)
            told = run.stderr.read()
            assert run.wait() == status, told
        assert b"Traceback" not in told
        assert not system.exists("mail/rows.jsonl")
    system.invalidate_cache()
    assert len(uploads(system)) == 1, "that of the run that was killed is invisible; the other one is taken back"


def test_a_catalogue_is_made_of_what_lies_in_a_bucket(bucket: tuple[str, Any], tmp_path: Path) -> None:
    """It grows; what is gone and what cannot be read is treated as here."""
    endpoint, system = bucket
    mailbox = SAMPLE.read_bytes()
    system.pipe({"mail/box/a": mailbox, "mail/box/b.gz": gzip.compress(mailbox), "mail/box/c": b"http://c.example/\n"})
    db, whole = tmp_path / "urls.db", tmp_path / "whole.db"
    assert catalog(db, "s3://mail/box/").exit_code == 0
    assert "0 new" in catalog(db, "s3://mail/box/").output
    system.rm("mail/box/a")
    system.pipe("mail/box/c", b"http://other.example/\n")
    system.pipe("mail/box/d", b"http://d.example/\n")
    system.invalidate_cache()
    assert catalog(db, "s3://mail/box/", "s3://mail/nothing").exit_code == 2
    assert "No such file or directory" in ask(db, "SELECT cause FROM troubles")
    catalog(db, "s3://mail/box/")
    catalog(whole, "s3://mail/box/")
    assert set(ask(db, "SELECT path FROM places")) >= {"s3://mail/box/b.gz", "s3://mail/box/c"}
    before = content(db)
    deny_all(endpoint)
    system.clear_instance_cache()
    assert catalog(db, "s3://mail/box/").exit_code == 2
    after = content(db)
    assert {table: after[table] for table in ("copies", "findings", "urls", "places")} == {
        table: before[table] for table in ("copies", "findings", "urls", "places")
    }
    with closing(sqlite3.connect(db)) as connection:
        assert connection.execute("SELECT count(*) FROM troubles").fetchone()[0]


def test_a_url_of_a_file_here_is_that_file(memory: Any, tmp_path: Path) -> None:
    """It has a part file and a journal, and is not written while it is read, by whatever name."""
    rows = tmp_path / "rows.jsonl"
    assert scan(SAMPLE, "-o", f"file://{rows}", "--resume").exit_code == 0
    assert rows.read_bytes() == scan(SAMPLE, "--format", "jsonl").stdout_bytes
    text = tmp_path / "a.txt"
    text.write_text("http://h.example/\n", encoding="utf-8")
    for path, output in ((text, f"file://{text}"), (f"file://{text}", text), (f"local://{text}", f"file://{text}")):
        assert "would be both read and written" in error_of(scan(path, "-o", output))
    assert text.read_text(encoding="utf-8") == "http://h.example/\n"


def test_a_web_server_takes_no_file(tmp_path: Path) -> None:
    """Its file system can only be read."""
    (tmp_path / "a").write_text("http://h.example/\n")
    done = CliRunner().invoke(main, ["scan", str(tmp_path), "-o", "http://127.0.0.1:1/x.jsonl"])
    assert done.exit_code == 2
    assert done.stderr == "urlglean: cannot write http://127.0.0.1:1/x.jsonl: operation not supported\n"
