"""Files that lie elsewhere: read as files here are, over S3, HTTP and in memory. Every server is on loopback."""

from __future__ import annotations

import gzip
import json
import os
import shutil
import socket
import struct
import sys
import threading
import time
import urllib.request
import zlib
from collections.abc import Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager, suppress
from errno import ENOENT
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any, NamedTuple
from unittest.mock import Mock

import pytest
from click.testing import CliRunner

from files import MBOX
from urlglean.bounds import DEFAULT
from urlglean.cli import main
from urlglean.errors import ResumeError
from urlglean.pipeline.inputs import Inputs, Progress
from urlglean.records import Document, Trouble
from urlglean.sources import Item, Skipped, Taken, bundled, unbundled
from urlglean.sources.globs import Globs
from urlglean.sources.remote import RemoteFile, opened_remote, remote_stream

fsspec = pytest.importorskip("fsspec")

CORPUS = Path(__file__).parent.parent / "corpus"
MAIL = b"From: a@b.example\nSubject: s\n\nbody http://h.example/%d\n"


def items(url: str) -> list[Item]:
    """All that is read from a URL, but what it is taken for."""
    return [item for item in unbundled(bundled(url)) if not isinstance(item, Taken)]


def rows(*arguments: str) -> tuple[int, list[dict[str, Any]]]:
    """The exit status and the rows of `urlglean scan`."""
    done = CliRunner().invoke(main, ["scan", "--format", "jsonl", *arguments])
    return done.exit_code, [json.loads(line) for line in done.output.splitlines() if line.startswith("{")]


@pytest.fixture
def memory() -> Iterator[Any]:
    """An empty file system in memory."""
    system = fsspec.filesystem("memory")
    system.store.clear()
    system.pseudo_dirs[:] = [""]
    yield system
    system.store.clear()


def test_a_name_with_colons_is_one_name(tmp_path: Path) -> None:
    """In a URL of fsspec, "::" stands between two file systems."""
    for name in ("z", "z::y.txt"):
        (tmp_path / name).write_text(f"http://h.example/{name[3:]}\n")
    status, found = rows(f"file://{tmp_path}")
    assert status == 0
    assert [(row["path"], row["url"]) for row in found] == [
        (f"file://{tmp_path}/z", "http://h.example/"),
        (f"file://{tmp_path}/z::y.txt", "http://h.example/y.txt"),
    ]


@pytest.mark.parametrize("protocol", ["zip", "tar"])
def test_a_member_of_an_archive_may_be_named(tmp_path: Path, protocol: str) -> None:
    """Fsspec closes the archive when nobody holds the file system any more."""
    (tmp_path / "box").write_text("http://h.example/a\n")
    archive = shutil.make_archive(str(tmp_path / "made"), protocol, tmp_path, "box")
    status, found = rows(f"{protocol}://box::file://{archive}")
    assert (status, [row["url"] for row in found]) == (0, ["http://h.example/a"])


def test_a_pipe_in_a_folder_is_not_waited_for(tmp_path: Path) -> None:
    """A link to a file is read, and one that leads nowhere is told, as in a folder that is named by its path."""
    (tmp_path / "a").write_text("http://h.example/a\n")
    (tmp_path / "folder").mkdir()
    os.mkfifo(tmp_path / "pipe")
    for name, aim in (("link", "a"), ("to folder", "folder"), ("to nothing", "none"), ("to pipe", "pipe")):
        (tmp_path / name).symlink_to(aim)
    url = f"file://{tmp_path}"
    found = items(url)
    assert [item.path for item in found if isinstance(item, Document)] == [f"{url}/a", f"{url}/link"]
    causes = {item.path: item.cause for item in found if isinstance(item, Skipped | Trouble)}
    assert causes == {
        f"{url}/pipe": "a FIFO",
        f"{url}/to folder": "a symbolic link to a directory",
        f"{url}/to nothing": "No such file or directory",
        f"{url}/to pipe": "a FIFO",
    }
    assert [item.path for item in found if isinstance(item, Trouble)] == [f"{url}/to nothing"]


@pytest.mark.parametrize(
    ("beside", "is_maildir"),
    [("new/notes.txt", False), ("new/1234567890.a.b", True), ("new/a:2,S", True), ("cur/notes.txt", True)],
)
def test_a_folder_tmp_is_one_of_a_maildir_as_here(tmp_path: Path, beside: str, is_maildir: bool) -> None:  # noqa: FBT001
    """Beside a folder `new` without a message, it is a usual folder."""
    for name in (beside, "tmp/1"):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text("http://h.example/\n")
    names = {
        item.path.removeprefix(f"file://{tmp_path}/")
        for item in items(f"file://{tmp_path}")
        if isinstance(item, Document)
    }
    assert names == ({beside} if is_maildir else {beside, "tmp/1"})


@pytest.mark.parametrize("url", ["memory://box", "memory:///box/"])
def test_patterns_choose_files_elsewhere_as_those_here(memory: Any, url: str) -> None:
    """They look at the path from the URL on, however the file system writes that. What is excluded is not opened."""
    for name in ("a.txt", "b.log", "old/a.txt", "old/box.txt"):
        memory.pipe(f"/box/{name}", b"http://h.example/\n")
    opened: list[str] = []

    def noted(path: str, *given: Any, **options: Any) -> Any:
        opened.append(path)
        if path.endswith(".log"):
            raise PermissionError(path)
        return type(memory).open(memory, path, *given, **options)

    def read(*globs: tuple[str, ...]) -> list[str]:
        opened.clear()
        found = list(unbundled(bundled(url, globs=Globs(*globs))))
        assert not any(isinstance(item, Trouble) for item in found)
        return [item.path.removeprefix("memory:///box/") for item in found if isinstance(item, Document)]

    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(memory, "open", noted)
        assert read(("*.txt",), ("box",)) == ["a.txt", "old/a.txt", "old/box.txt"]
        assert "/box/b.log" in opened  # to see whether it is an archive; that it cannot be read is no trouble then
        assert read(("/a.txt",)) == ["a.txt"]
        assert read(("old/*.txt",)) == ["old/a.txt", "old/box.txt"]
        assert read((), ("*.log", "/old/a.txt")) == ["a.txt", "old/box.txt"]
        assert opened == ["/box/a.txt", "/box/old/box.txt"]


def test_a_folder_is_read_as_one_here(memory: Any) -> None:
    """Sorted, numbers by their value; indexes and what is still being delivered are left out."""
    for name in ("spool/10", "spool/2", "spool/.overview", "M/cur/1:2,S", "M/new/2", "M/tmp/3", "other/tmp/4"):
        memory.pipe(f"/box/{name}", MAIL % len(name))
    found = items("memory://box")
    assert [item.path for item in found if isinstance(item, Document)] == [
        f"memory:///box/{name}" for name in ("M/cur/1:2,S", "M/new/2", "other/tmp/4", "spool/2", "spool/10")
    ]
    assert {item.path: item.cause for item in found if isinstance(item, Skipped)} == {
        "memory:///box/M/tmp/3": "messages that are still being delivered to a Maildir",
        "memory:///box/spool/.overview": "an overview of a news group",
    }


def test_a_mailbox_elsewhere_that_is_called_like_an_index_is_read(memory: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """Its first bytes are fetched; if they cannot be, its name tells."""
    memory.pipe("/box/subscriptions", MBOX)
    assert [type(item) for item in items("memory://box")] == [Document, Document]
    monkeypatch.setattr(type(memory), "open", Mock(side_effect=PermissionError("no")))
    assert items("memory://box") == [Skipped("memory:///box/subscriptions", "a list of folders")]


def test_all_kinds_of_files_are_told_by_their_first_bytes(memory: Any) -> None:
    """Mailboxes, packed ones too, give the rows that they give here."""
    octets = (CORPUS / "mail/sample.mbox").read_bytes()
    memory.pipe("/a.mbox", octets)
    memory.pipe("/b", gzip.compress(octets))
    status, here = rows(str(CORPUS / "mail/sample.mbox"))
    for url in ("memory://a.mbox", "memory://b"):
        assert rows(url) == (status, [row | {"path": url} for row in here])
        assert rows(url, "--jobs", "2") == rows(url)


def test_what_is_not_there_is_a_trouble_and_the_scan_goes_on(memory: Any) -> None:
    """The cause says what is wrong, also for protocols that nobody knows."""
    memory.pipe("/a", MAIL % 1)
    missing, unknown, found = [*items("memory://nowhere"), *items("no-such-protocol://x/y"), *items("memory://a")]
    assert missing == Trouble("memory://nowhere", "No such file or directory")
    assert isinstance(unknown, Trouble)
    assert "no-such-protocol" in unknown.cause
    assert isinstance(found, Document)
    assert rows("memory://nowhere", "memory://a")[0] == 2


def test_a_file_here_of_such_a_name_is_read_here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A path that is there is no URL."""
    monkeypatch.chdir(tmp_path)
    Path("memory:").mkdir()
    Path("memory:/a").write_bytes(MAIL % 1)
    assert [item.path for item in items("memory://a") if isinstance(item, Document)] == ["memory://a"]


def test_a_name_that_no_file_can_have_is_a_trouble(memory: Any) -> None:
    """Here or elsewhere."""
    (trouble,) = items("memory://a\0b")
    assert isinstance(trouble, Trouble)


def test_without_the_package_there_is_a_trouble(monkeypatch: pytest.MonkeyPatch) -> None:
    """It names the package."""
    monkeypatch.setitem(sys.modules, "fsspec.core", None)
    assert items("memory://a") == [Trouble("memory://a", "it lies elsewhere; to read it, install the package fsspec")]


def test_a_run_is_not_resumed_over_a_file_that_has_changed(memory: Any) -> None:
    """By its size and time, or what else its file system tells."""
    memory.pipe("/a", MAIL % 1)
    progress = Progress()
    for chunk in Inputs(bundled("memory://a")).chunks():
        progress.add(chunk.read)
    known = progress.position
    Inputs(bundled("memory://a")).skip([known])
    memory.pipe("/a", MAIL % 2)
    with pytest.raises(ResumeError, match=r"^memory://a was added or changed, or"):
        Inputs(bundled("memory://a")).skip([known])


class QuietHandler(SimpleHTTPRequestHandler):
    """Serves a folder without a log."""

    def log_message(self, *arguments: object) -> None:
        """Write nothing."""


@pytest.fixture
def website(tmp_path: Path) -> Iterator[tuple[str, Path]]:
    """A web server: its URL, and the folder that it serves."""
    with ThreadingHTTPServer(("127.0.0.1", 0), partial(QuietHandler, directory=tmp_path)) as server:
        threading.Thread(target=server.serve_forever).start()
        yield f"http://127.0.0.1:{server.server_port}", tmp_path
        server.shutdown()


def test_files_on_a_web_server_are_read(website: tuple[str, Path]) -> None:
    """And what it refuses is a trouble."""
    pytest.importorskip("aiohttp")
    url, folder = website
    (folder / "a.mbox").write_bytes((CORPUS / "mail/sample.mbox").read_bytes())
    here = rows(str(folder / "a.mbox"))[1]
    assert rows(f"{url}/a.mbox") == (0, [row | {"path": f"{url}/a.mbox"} for row in here])
    assert items(f"{url}/b.mbox") == [Trouble(f"{url}/b.mbox", "No such file or directory")]


def test_a_connection_that_is_refused_is_told_as_such() -> None:
    """It is not said that the file is missing."""
    pytest.importorskip("aiohttp")
    with socket.create_server(("127.0.0.1", 0)) as server:
        url = f"http://127.0.0.1:{server.getsockname()[1]}/a.txt"
    (trouble,) = items(url)
    assert isinstance(trouble, Trouble)
    assert "Connect call failed" in trouble.cause


class Answer(NamedTuple):
    """What a server answers to GET: the status and the octets behind the header; and to HEAD, the same header.

    It may break the connection then.
    """

    content: bytes
    fields: Mapping[str, str]
    status: str = "200 OK"
    head: Mapping[str, str] | None = None
    is_broken: bool = False


@contextmanager
def answering(*answers: Answer) -> Iterator[tuple[str, list[str]]]:
    """A web server that gives these answers to GET, one after the other, then the last one: a URL, and the requests."""
    requests: list[str] = []
    left = list(answers)

    def answer(connection: socket.socket) -> None:
        with connection:
            request = b""
            while not request.endswith(b"\r\n\r\n"):
                request += connection.recv(1 << 16)
            requests.append(request.decode())
            get = request.startswith(b"GET")
            now = left.pop(0) if get and len(left) > 1 else left[0]
            fields = now.fields if get or now.head is None else now.head
            lines = "".join(f"{name}: {value}\r\n" for name, value in fields.items())
            connection.sendall(f"HTTP/1.1 {now.status}\r\nConnection: close\r\n{lines}\r\n".encode())
            if get:
                with suppress(OSError):  # some answers are not read to their end
                    connection.sendall(now.content)
                if now.is_broken:
                    connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))

    def serve(server: socket.socket) -> None:
        with suppress(OSError):
            while True:
                answer(server.accept()[0])

    with socket.create_server(("127.0.0.1", 0)) as server:
        threading.Thread(target=serve, args=(server,), daemon=True).start()
        yield f"http://127.0.0.1:{server.getsockname()[1]}/a.txt", requests
        server.shutdown(socket.SHUT_RDWR)


def served(*answers: Answer) -> tuple[bytes, list[str]]:
    """What is read of a file on such a server, and the causes of its troubles."""
    pytest.importorskip("aiohttp")
    with answering(*answers) as (url, _):
        found = items(url)
    assert {item.path for item in found} <= {url}
    texts = [item.data for item in found if isinstance(item, Document)]
    return b"".join(texts), [item.cause for item in found if isinstance(item, Trouble)]


LINES = b"".join(b"see http://h.example/%d\n" % number for number in range(9000))
LENGTH = {"Content-Length": str(len(LINES))}
PACKED = {
    "gzip": gzip.compress(LINES),
    "deflate": zlib.compress(LINES),
}


def test_a_file_on_a_web_server_is_read_from_one_answer() -> None:
    """Whether the server tells its length or not; it is asked for no range, and not to pack it."""
    pytest.importorskip("aiohttp")
    for fields in (LENGTH, {}, {"Accept-Ranges": "none"}, LENGTH | {"Accept-Ranges": "bytes", "ETag": '"1"'}):
        assert served(Answer(LINES, fields)) == (LINES, [])
    with answering(Answer(LINES, LENGTH)) as (url, requests):
        assert items(url)
    assert not [request for request in requests if "Range:" in request]
    assert [request for request in requests if request.startswith("GET")] == [requests[-1]]
    assert "Accept-Encoding: identity" in requests[-1]


def test_an_answer_that_is_shorter_than_was_said_is_a_trouble() -> None:
    """By its own length, by that which was told before, or by its last chunk. What came is read."""
    half = LINES[: len(LINES) // 2]
    chunked = b"%x\r\n%s\r\n" % (len(half), half)
    for answer in (
        Answer(half, LENGTH),
        Answer(half, {"Content-Length": str(len(half))}, head=LENGTH),
        Answer(half, {}, head=LENGTH),
        Answer(chunked, {"Transfer-Encoding": "chunked"}),
        Answer(chunked[:-100], {"Transfer-Encoding": "chunked"}),
    ):
        found, told = served(answer)
        assert half.startswith(found)
        assert len(told) == 1, answer.fields
    assert served(Answer(chunked + b"0\r\n\r\n", {"Transfer-Encoding": "chunked"})) == (half, [])


def test_an_answer_of_unknown_length_whose_connection_breaks_is_a_trouble() -> None:
    """It would end so too if it were whole, but then the server closes the connection.

    A short one has come as a whole, and its connection is broken, before anybody reads it.
    """
    for content in (LINES, LINES[:25]):
        for _ in range(20):
            found, told = served(Answer(content, {}, is_broken=True))
            assert content.startswith(found)
            assert len(told) == 1
            assert "reset" in told[0].lower()


def test_a_connection_that_breaks_behind_an_answer_is_no_trouble() -> None:
    """An answer in chunks tells its end. Its connection is kept for the next one, and the server may reset it."""
    pytest.importorskip("aiohttp")
    content = b"see http://h.example/\n"
    with socket.create_server(("127.0.0.1", 0)) as server, ThreadPoolExecutor() as others:

        def answer() -> socket.socket:
            connection = server.accept()[0]
            connection.recv(1 << 16)
            connection.sendall(b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n")
            return connection

        answered = others.submit(answer)
        file = RemoteFile(f"http://127.0.0.1:{server.getsockname()[1]}/a.txt", None, one_message=False)
        lying: Any = opened_remote(file)
        protocol = lying.r.connection.protocol
        with answered.result() as connection:
            connection.sendall(b"%x\r\n%s\r\n0\r\n\r\n" % (len(content), content))
            while lying.r.connection:
                time.sleep(0.001)
            connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        while protocol.transport:
            time.sleep(0.001)
        stream = remote_stream(file, lying, DEFAULT)
        assert (stream.whole(), stream.troubles) == (content, [])


def test_files_are_read_by_an_aiohttp_that_does_not_tell_how_a_connection_ends(monkeypatch: pytest.MonkeyPatch) -> None:
    """As those before 3.12."""
    monkeypatch.delattr("aiohttp.client_proto.ResponseHandler.closed", raising=False)
    assert served(Answer(LINES, {})) == (LINES, [])


@pytest.mark.parametrize("coding", PACKED)
def test_an_answer_that_is_packed_is_unpacked_and_may_not_be_cut(coding: str) -> None:
    """Some servers pack it though nobody has asked for that, and tell the length of what is not packed before."""
    packed = PACKED[coding]
    for length in ({}, {"Content-Length": str(len(packed))}):
        for head in (None, LENGTH):
            assert served(Answer(packed, {"Content-Encoding": coding, **length}, head=head)) == (LINES, [])
    cut = packed[: len(packed) * 9 // 10]
    found, told = served(Answer(cut, {"Content-Encoding": coding}, head=LENGTH))
    assert LINES.startswith(found)
    assert len(found) > len(LINES) // 2
    assert told
    assert served(Answer(cut, {"Content-Encoding": coding, "Content-Length": str(len(cut))}))[1]


def test_a_part_that_nobody_has_asked_for_is_a_trouble() -> None:
    """It would be taken for the whole file."""
    fields = LENGTH | {"Content-Range": f"bytes 100-{len(LINES) + 99}/100000000"}
    found, (told,) = served(Answer(LINES, fields, status="206 Partial Content"))
    assert not found
    assert "a part of it" in told


def test_redirects_are_followed_and_those_without_end_are_a_trouble() -> None:
    """Nor does one lead to a file here."""
    pytest.importorskip("aiohttp")
    with answering(Answer(LINES, LENGTH)) as (url, _):
        assert served(Answer(b"", {"Location": url, "Content-Length": "0"}, status="302 Found")) == (LINES, [])
    for location in ("/a.txt", "file:///etc/hostname"):
        found, told = served(Answer(b"", {"Location": location, "Content-Length": "0"}, status="302 Found"))
        assert not found
        assert len(told) == 1
    for status, cause in (
        ("404 Not Found", os.strerror(ENOENT)),
        ("403 Forbidden", "403"),
        ("500 Out of Order", "500"),
    ):
        found, causes = served(Answer(LINES, LENGTH, status=status))
        assert not found
        assert [cause in told for told in causes] == [True]


def order(endpoint: str, what: str, how: bytes = b"") -> None:
    """Give an order to moto's server."""
    request = urllib.request.Request(f"{endpoint}/moto-api/{what}", data=how, headers={"Content-Type": "text/plain"})
    urllib.request.urlopen(request).close()


def deny_all(endpoint: str) -> None:
    """Make an S3 server deny every request that follows."""
    order(endpoint, "reset-auth", b"0")


@pytest.fixture
def bucket(monkeypatch: pytest.MonkeyPatch) -> Iterator[tuple[str, Any]]:
    """An empty bucket on an S3 server: the URL of the server, and its file system."""
    s3fs, moto = pytest.importorskip("s3fs"), pytest.importorskip("moto.server")
    server = moto.ThreadedMotoServer(ip_address="127.0.0.1", port=0, verbose=False)
    server.start()
    host, port = server.get_host_and_port()
    endpoint = f"http://{host}:{port}"
    for name, value in (
        ("AWS_ENDPOINT_URL", endpoint),
        ("AWS_ACCESS_KEY_ID", "key"),
        ("AWS_SECRET_ACCESS_KEY", "secret"),
        ("AWS_DEFAULT_REGION", "us-east-1"),
    ):
        monkeypatch.setenv(name, value)
    order(endpoint, "reset")  # what it holds is held by the process
    s3fs.S3FileSystem.clear_instance_cache()
    system = s3fs.S3FileSystem()
    system.mkdir("mail")
    yield endpoint, system
    order(endpoint, "reset-auth", b"inf")
    s3fs.S3FileSystem.clear_instance_cache()
    server.stop()


@pytest.mark.filterwarnings("ignore")  # of the libraries of the server
def test_a_bucket_is_read(bucket: tuple[str, Any]) -> None:
    """Its objects as the files of a folder; a missing key and a denied one are troubles, and the scan goes on."""
    endpoint, system = bucket
    mailbox = (CORPUS / "mail/sample.mbox").read_bytes()
    system.pipe({"mail/2001/10": mailbox, "mail/2001/9": mailbox, "mail/large.txt": b"x" * 20_000_000})
    here = rows(str(CORPUS / "mail/sample.mbox"))[1]
    status, found = rows("s3://mail/2001/")
    assert status == 0
    assert found == [row | {"path": f"s3://mail/2001/{name}"} for name in (9, 10) for row in here]
    assert rows("s3://mail/nothing", "s3://mail/2001/9") == (2, found[: len(here)])
    assert items("s3://mail/nothing") == [Trouble("s3://mail/nothing", "No such file or directory")]
    assert [item.size for item in items("s3://mail/large.txt") if isinstance(item, Document)]
    deny_all(endpoint)
    system.clear_instance_cache()
    (denied,) = items("s3://mail/2001/9")
    assert isinstance(denied, Trouble)
    assert denied.cause


def test_without_the_package_a_scan_ends_with_the_status_for_troubles(monkeypatch: pytest.MonkeyPatch) -> None:
    """Not with that of a scan that found nothing."""
    monkeypatch.setitem(sys.modules, "fsspec", None)
    monkeypatch.setitem(sys.modules, "fsspec.core", None)
    done = CliRunner().invoke(main, ["scan", "s3://bucket/mail"])
    assert done.exit_code == 2
    assert "urlglean: s3://bucket/mail: it lies elsewhere; to read it, install the package fsspec" in done.stderr


def test_a_server_that_never_answers_is_given_up(monkeypatch: pytest.MonkeyPatch) -> None:
    """It accepts the connection, and then tells nothing."""
    pytest.importorskip("aiohttp")
    monkeypatch.setattr("urlglean.sources.remote._PATIENCE", 0.1)
    with socket.create_server(("127.0.0.1", 0)) as server:
        (trouble,) = items(f"http://127.0.0.1:{server.getsockname()[1]}/a.txt")
    assert isinstance(trouble, Trouble)
    assert trouble.cause == "the server does not answer"
