"""Spools written by INN: articles are offered to a private server, and `urlglean scan` reads its stores.

The server listens only on loopback, has its folders and settings in a temporary folder, and is stopped after each test.
"""

from __future__ import annotations

import grp
import os
import pwd
import shutil
import socket
import subprocess
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import msgspec
import pytest
from click.testing import CliRunner, Result

from urlglean.cli import main

PROGRAMS = ("/usr/lib/news/bin", "/usr/libexec/news", "/usr/local/news/bin")
INND = shutil.which("innd", path=os.pathsep.join(PROGRAMS))
PATIENCE = 20.0
"""Seconds within which the server must start, answer and end."""

pytestmark = pytest.mark.skipif(INND is None, reason="INN is not installed (Debian: inn2)")

INN_CONF = """
pathnews: {place}
pathbin: {programs}
pathhost: news.example.org
domain: example.org
fromhost: example.org
mta: "/bin/false %s"
runasuser: {user}
runasgroup: {group}
bindaddress: 127.0.0.1
port: {port}
noreader: true
artcutoff: 0
pgpverify: false
status: 0
hismethod: hisv6
enableoverview: true
ovmethod: tradindexed
wireformat: {wireformat}
"""
SETTINGS = {
    "newsfeeds": "ME:*::\n",
    "incoming.conf": 'peer local {\n  hostname: "127.0.0.1"\n}\n',
    "cycbuff.conf": "cycbuff:ONE:{place}/cycbuff:1024\nmetacycbuff:META:ONE\n",
    **dict.fromkeys(("control.ctl", "expire.ctl", "readers.conf", "distrib.pats", "moderators"), ""),
}
STORAGE = {
    "tradspool": "method tradspool {\n  newsgroups: *\n  class: 0\n}\n",
    "cnfs": "method cnfs {\n  newsgroups: *\n  class: 0\n  options: META\n}\n",
}
GROUPS = ("control", "control.cancel", "junk", "local.one", "local.two")
FOLDERS = (
    *("etc", "db", "run", "tmp", "log/OLD", "http", "bin/filter"),
    *(f"spool/{name}" for name in ("articles", "overview", "incoming/bad", "outgoing", "archive", "innfeed")),
)


def article(name: str, groups: str, body: bytes, *fields: bytes) -> bytes:
    """An article with CRLF line ends; its Message-ID is made of its name."""
    date = time.strftime("%a, %d %b %Y %H:%M:%S +0000", time.gmtime())
    header = (
        f"Path: b.example!not-for-mail\nFrom: a@b.example\nNewsgroups: {groups}\nDate: {date}\n"
        f"Message-ID: <{name}@b.example>\n"
    ).encode()
    subject = () if any(field.startswith(b"Subject:") for field in fields) else (b"Subject: a test\n",)
    return (header + b"".join((*subject, *fields)) + b"\n" + body).replace(b"\n", b"\r\n")


ARTICLES = {
    "plain": article("plain", "local.one", b"See http://plain.example.org/1 for more.\n"),
    "cross": article("cross", "local.one,local.two", b"It is at <URL:http://cross.example.org/a/\n   b>.\n"),
    # On the wire the second line begins with two dots (RFC 3977 3.1.1), of which one belongs to the URL.
    "dots": article("dots", "local.two", b"<URL:http://dots.example.org/x\n.html>\n.\n..\nThe end.\n"),
    "eight": article(
        "eight",
        "local.two",
        b"Gr\xfc\xdfe, siehe http://eight.example.org/k\xf6ln hier.\n",
        b"MIME-Version: 1.0\nContent-Type: text/plain; charset=iso-8859-1\nContent-Transfer-Encoding: 8bit\n",
    ),
    # The overview of its group repeats it.
    "subject": article("subject", "local.one", b"No more.\n", b"Subject: on http://subject.example.org/\n"),
}


class Server:
    """A private INN: its folder and settings, and functions that run its programs as the user who owns them."""

    def __init__(self, place: Path, storage: str, *, wireformat: bool) -> None:
        """Writes the settings, groups without articles, and an empty history."""
        assert INND
        self.place, self.programs = place, Path(INND).parent
        # innd refuses to run as root. Where INN is installed, its own user exists.
        self.user = pwd.getpwnam("news") if os.geteuid() == 0 else pwd.getpwuid(os.geteuid())
        with socket.create_server(("127.0.0.1", 0)) as free:
            self.port: int = free.getsockname()[1]
        for name in FOLDERS:
            (place / name).mkdir(parents=True)
        inn_conf = INN_CONF.format(
            place=place,
            programs=self.programs,
            user=self.user.pw_name,
            group=grp.getgrgid(self.user.pw_gid).gr_name,
            port=self.port,
            wireformat=str(wireformat).lower(),
        )
        for name, text in {**SETTINGS, "inn.conf": inn_conf, "storage.conf": STORAGE[storage]}.items():
            (place / "etc" / name).write_text(text.replace("{place}", str(place)))
        (place / "db" / "active").write_text("".join(f"{group} 0000000000 0000000001 y\n" for group in GROUPS))
        for name in ("active.times", "newsgroups", "history"):
            (place / "db" / name).touch()
        with (place / "cycbuff").open("wb") as buffer:
            buffer.truncate(1 << 20)
        for path in (place, *place.rglob("*")):
            os.chown(path, self.user.pw_uid, self.user.pw_gid)
        self.said_by("makedbz", "-i", "-o", "-s", "1000")

    def started(self, program: str, *arguments: str, output: int = subprocess.DEVNULL) -> subprocess.Popen[bytes]:
        """Starts one of INN's programs, with the settings of this server."""
        is_root = os.geteuid() == 0
        return subprocess.Popen(
            [self.programs / program, *arguments],
            env={"INNCONF": str(self.place / "etc" / "inn.conf"), "PATH": os.defpath},
            cwd=self.place,
            stdin=subprocess.DEVNULL,
            stdout=output,
            user=self.user.pw_uid if is_root else None,
            group=self.user.pw_gid if is_root else None,
            extra_groups=[] if is_root else None,
        )

    def said_by(self, program: str, *arguments: str) -> bytes:
        """The output of such a program, when it has ended."""
        process = self.started(program, *arguments, output=subprocess.PIPE)
        said, _ = process.communicate(timeout=PATIENCE)
        assert process.returncode == 0, f"{program} failed"
        return said

    @contextmanager
    def running(self) -> Iterator[None]:
        """Runs the server during the block."""
        # In the foreground, so that the started process is the server; without filters.
        innd = self.started("innd", "-d", "-N")
        try:
            end = time.monotonic() + PATIENCE
            while not self.answers():
                assert innd.poll() is None, "innd has ended"
                assert time.monotonic() < end, "innd does not answer"
                time.sleep(0.05)
            yield
            self.said_by("ctlinnd", "-t", "10", "shutdown", "over")
            assert innd.wait(PATIENCE) == 0
        finally:
            innd.kill()
            innd.wait()

    def answers(self) -> bool:
        """Whether a process listens at its port."""
        with socket.socket() as probe:
            return probe.connect_ex(("127.0.0.1", self.port)) == 0

    def offer(self, articles: dict[str, bytes]) -> None:
        """Offers articles as another news server does (RFC 3977 6.3.2)."""
        with socket.create_connection(("127.0.0.1", self.port), PATIENCE) as connection:
            lines = connection.makefile("rwb")

            def said(octets: bytes, status: bytes) -> None:
                lines.write(octets)
                lines.flush()
                answer = lines.readline()
                assert answer.startswith(status), answer

            said(b"", b"200 ")
            for name, text in articles.items():
                said(f"IHAVE <{name}@b.example>\r\n".encode(), b"335 ")
                said(text.replace(b"\n.", b"\n..") + b".\r\n", b"235 ")
            said(b"QUIT\r\n", b"205 ")

    def tokens(self) -> list[str]:
        """The tokens of the articles in its history, in the order in which the articles came."""
        return [line.split("\t")[2] for line in (self.place / "db" / "history").read_text().splitlines()]


@contextmanager
def filled(storage: str, *, wireformat: bool = True) -> Iterator[Server]:
    """A server that has taken the articles and has been stopped."""
    # Not in pytest's folder, into which another user cannot look; short, for the names of sockets and buffers.
    place = Path(tempfile.mkdtemp(prefix="inn", dir="/tmp"))
    try:
        server = Server(place, storage, wireformat=wireformat)
        with server.running():
            server.offer(ARTICLES)
        yield server
    finally:
        shutil.rmtree(place)


class Row(msgspec.Struct, frozen=True):
    """The columns of a row that the tests compare."""

    url: str
    message_id: str | None
    newsgroups: tuple[str, ...] | None


EXPECTED = [
    Row("http://cross.example.org/a/b", "cross@b.example", ("local.one", "local.two")),
    Row("http://dots.example.org/x.html", "dots@b.example", ("local.two",)),
    Row("http://eight.example.org/k\u00f6ln", "eight@b.example", ("local.two",)),
    Row("http://plain.example.org/1", "plain@b.example", ("local.one",)),
    Row("http://subject.example.org/", "subject@b.example", ("local.one",)),
]
"""The expected rows of the articles, sorted by URL."""


def scanned(path: Path, *options: str) -> Result:
    """The result of `urlglean scan` on a path; stderr is separate."""
    return CliRunner().invoke(main, ["scan", "--format", "jsonl", "--jobs", "1", *options, str(path)])


def rows(result: Result) -> list[Row]:
    """The rows, sorted by URL."""
    found = [msgspec.json.decode(line, type=Row) for line in result.stdout_bytes.splitlines()]
    return sorted(found, key=lambda row: row.url)


@pytest.mark.parametrize("wireformat", [True, False], ids=["wire", "native"])
def test_a_spool_gives_the_urls_of_its_articles(wireformat: bool) -> None:  # noqa: FBT001  a parameter of pytest
    """Each URL comes once, with both groups of a cross-posted article, whichever line ends and dots INN writes."""
    with filled("tradspool", wireformat=wireformat) as server:
        articles = server.place / "spool" / "articles"
        assert sorted(str(path.relative_to(articles)) for path in articles.rglob("[0-9]*")) == [
            *(f"local/one/{number}" for number in (1, 2, 3)),
            *(f"local/two/{number}" for number in (1, 2, 3)),
        ]
        result = scanned(articles, "-v")
        assert rows(result) == EXPECTED
        assert result.exit_code == 0
        assert result.stderr.count("left out: a cross-posted article") == 1
        assert all(path.read_bytes().endswith(b"\r\n.\r\n") is wireformat for path in articles.rglob("[0-9]*"))


def test_a_history_and_a_list_of_groups_give_no_url() -> None:
    """They name articles by hashes and tokens, and groups by numbers, which do not look like URLs."""
    with filled("tradspool") as server:
        assert len(server.tokens()) == len(ARTICLES)
        result = scanned(server.place / "db")
        assert (rows(result), result.exit_code) == ([], 1)


def test_an_overview_gives_no_url() -> None:
    """It repeats the subjects of the articles, which are read from the articles themselves."""
    with filled("tradspool") as server:
        overview = b"".join(path.read_bytes() for path in (server.place / "spool" / "overview").rglob("*.DAT"))
        assert b"http://subject.example.org/" in overview
        assert rows(scanned(server.place / "spool")) == EXPECTED


def test_the_message_about_a_cnfs_buffer_says_how_to_export_it() -> None:
    """The export that the message describes gives every article in the buffer."""
    with filled("cnfs") as server:
        result = scanned(server.place / "cycbuff")
        assert (result.stdout, result.exit_code) == ("", 2)
        assert f"{server.place}/cycbuff: a CNFS buffer; have INN write its articles as a batch" in result.stderr
        assert "(`cut -f3 history | sm -S > batch`)" in result.stderr
        batch = server.place / "batch"
        batch.write_bytes(server.said_by("sm", "-S", *server.tokens()))
        assert batch.read_bytes().startswith(b"#! rnews ")
        result = scanned(batch)
        assert rows(result) == EXPECTED
        assert result.exit_code == 0
        assert f" {len(ARTICLES)} messages," in result.stderr
