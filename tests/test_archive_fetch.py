"""The seeds of a mailbox are fetched: a web server on loopback, and wget, which is given the list.

The URLs of the mailbox are broken in the ways in which mail breaks them. The server counts what it is asked for.
"""

from __future__ import annotations

import shutil
import subprocess
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest
from click.testing import CliRunner

from urlglean.cli import main

WGET = shutil.which("wget")

pytestmark = pytest.mark.skipif(WGET is None, reason="wget is not installed (Debian: wget)")

PAGES = {
    "/",
    "/lists/1994/May/announcements-of-new-archives.html",
    "/pub/documents/internet-drafts/uniform-resource-locators.txt",
    "/cgi-bin/search?query=archives&from=1994&until=1998",
    "/~author/papers/long-term-preservation/chapter-one.html",
    "/minutes/working-group/second-meeting/list-of-participants.html",
    "/museum/exhibits/early-network/maps/overview.html",
    "/faq/part1.html",
}
"""What the server has, and nothing else."""

MAILBOX = """\
From someone@example.org Mon May  2 10:00:00 1994
From: someone@example.org
Message-ID: <1@example.org>
Date: Mon, 2 May 1994 10:00:00 +0000
Subject: The pages of the archive

All of it begins at <URL:{server}/>, and what was announced is at
<URL:{server}/lists/1994/May/
announcements-of-new-archives.html>.  The document itself:
<{server}/pub/documents/
 internet-drafts/uniform-
 resource-locators.txt>

From someone@example.org Tue May  3 10:00:00 1994
From: someone@example.org
Message-ID: <2@example.org>
Date: Tue, 3 May 1994 10:00:00 +0000
Subject: Re: The pages of the archive
MIME-Version: 1.0
Content-Type: text/plain; charset=us-ascii
Content-Transfer-Encoding: quoted-printable

> It can be searched with <URL:{server}/cgi-bin/
> search?query=3Darchives&from=3D1994&until=3D1998>.

A paper on it: {server}/~author/papers/long-term=
-preservation/chapter-one.html

From someone@example.org Wed May  4 10:00:00 1994
From: someone@example.org
Message-ID: <3@example.org>
Date: Wed, 4 May 1994 10:00:00 +0000
Subject: Re: The pages of the archive
MIME-Version: 1.0
Content-Type: text/plain; charset=us-ascii; format=flowed; delsp=yes

The minutes are at {server}/minutes/working-group/ 
second-meeting/list-of-participants.html and the maps in
"{server}/museum/exhibits/early-network/
maps/overview.html".

The first part of the FAQ ({server}/faq/part1.html) is unchanged.
"""  # noqa: W291  a line of format=flowed ends in a space


@contextmanager
def server(asked: list[str]) -> Iterator[str]:
    """A server that has `PAGES`, and puts what it is asked for into `asked`; gives the beginning of its URLs."""

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            asked.append(self.path)
            self.send_response(200 if self.path in PAGES else 404)
            self.send_header("Content-Length", "0")
            self.end_headers()

        def log_message(self, *_: object) -> None:
            """Nothing: the tests look at `asked`."""

    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as listening:
        thread = threading.Thread(target=listening.serve_forever)
        thread.start()
        try:
            yield f"http://127.0.0.1:{listening.server_port}"
        finally:
            listening.shutdown()
            thread.join()


def test_wget_gets_every_page_that_the_mail_names(tmp_path: Path) -> None:
    """Each page is asked for once, and nothing that is not there; only if loopback is asked for is it a seed."""
    assert WGET is not None
    asked: list[str] = []
    with server(asked) as where:
        mailbox = tmp_path / "1994-05.mbox"
        mailbox.write_text(MAILBOX.format(server=where))
        database = tmp_path / "catalogue.db"
        assert CliRunner().invoke(main, ["catalog", str(database), str(mailbox)]).exit_code == 0
        public = CliRunner().invoke(main, ["seeds", str(database)])
        assert (public.stdout, public.exit_code) == ("", 1)
        assert "8 at addresses that are not public (private-address)" in public.stderr
        listed = CliRunner().invoke(main, ["seeds", str(database), "--all", "--scheme", "http"])
        seeds = tmp_path / "seeds.txt"
        seeds.write_text(listed.stdout)
        # Otherwise wget may ask once more by a connection that the server is just closing.
        run = [
            WGET,
            "--no-proxy",
            "--no-http-keep-alive",
            "--tries=1",
            "--timeout=60",
            "-P",
            str(tmp_path / "got"),
            "-i",
            str(seeds),
        ]
        fetched = subprocess.run(run, capture_output=True, check=False)
    assert sorted(asked) == sorted(PAGES), fetched.stderr.decode()
    assert fetched.returncode == 0, fetched.stderr.decode()
