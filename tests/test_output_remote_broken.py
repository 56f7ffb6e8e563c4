"""Rows and rejects in a bucket, whatever call to it fails or is the last: each is as before or whole, and no half."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

import urlglean
from test_output_remote import bucket, error_of, scan, uploads

pytest.importorskip("s3fs")
client = pytest.importorskip("aiobotocore.client")

__all__ = ["bucket"]  # the fixture

pytestmark = pytest.mark.filterwarnings("ignore")  # of the libraries of the server

PATHS = {"PYTHONPATH": str(Path(urlglean.__file__).parent.parent)}
NAMES = ("rows.jsonl", "rejects.jsonl")
WHERE = ("-o", "s3://mail/rows.jsonl", "--rejects", "s3://mail/rejects.jsonl")

# The command, killed at the n-th call to S3.
KILLED = """
import os, signal, sys
from aiobotocore.client import AioBaseClient
from urlglean.cli import main
left, call = int(sys.argv.pop(1)), AioBaseClient._make_api_call
async def deadly(*arguments):
    global left
    left -= 1
    if left == 0:
        os.kill(os.getpid(), signal.SIGKILL)
    return await call(*arguments)
AioBaseClient._make_api_call = deadly
main()
"""


@pytest.fixture
def text(tmp_path: Path) -> Path:
    """A text with URLs and rejects."""
    path = tmp_path / "text"
    path.write_text("http://h.example/1 <URL:http://:x/>\n" * 100)
    return path


class Calls:
    """Counts the calls to S3, and lets one of them fail."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        """Take the place of the method by which all calls are made."""
        self.made: list[str] = []
        self.failing = 0
        call = client.AioBaseClient._make_api_call

        async def counted(one: Any, method: str, arguments: Any) -> Any:
            self.made.append(method)
            if len(self.made) == self.failing:
                raise client.ClientError({"Error": {"Code": "AccessDenied"}}, method)
            return await call(one, method, arguments)

        monkeypatch.setattr(client.AioBaseClient, "_make_api_call", counted)

    def fail(self, failing: int) -> None:
        """Begin to count again, from 1; 0 is no call."""
        self.made.clear()
        self.failing = failing


def lying(system: Any) -> tuple[bytes, ...]:
    """What the two files hold."""
    system.invalidate_cache()
    return tuple(system.cat(f"mail/{name}") for name in NAMES)


@pytest.fixture
def whole(bucket: tuple[str, Any], text: Path) -> tuple[bytes, ...]:
    """What a scan writes; before there are other files, to be replaced."""
    _, system = bucket
    assert scan(text, *WHERE).exit_code == 0
    written = lying(system)
    system.pipe({f"mail/{name}": b"before\n" for name in NAMES})
    return written


BEFORE = (b"before\n", b"before\n")


def assert_each_is_whole(system: Any, whole: tuple[bytes, ...], status: int) -> None:
    """Each file is as before or whole, and both are whole if the status says so."""
    found = lying(system)
    assert all(one in pair for one, *pair in zip(found, BEFORE, whole, strict=True))
    assert (status != 0) or found == whole


def test_a_call_that_fails_leaves_no_half(
    bucket: tuple[str, Any], text: Path, whole: tuple[bytes, ...], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Nor an upload; from the first one on. Then the same command replaces both."""
    _, system = bucket
    calls = Calls(monkeypatch)
    scan(text, *WHERE)
    begun, count = calls.made.index("CreateMultipartUpload") + 1, len(calls.made)
    for number in range(begun, count + 1):
        calls.fail(0)
        system.pipe({f"mail/{name}": b"before\n" for name in NAMES})
        calls.fail(number)
        assert error_of(scan(text, *WHERE)).startswith("urlglean: cannot write s3://mail/r")
        calls.fail(0)
        assert_each_is_whole(system, whole, 2)
        assert not uploads(system)
    assert scan(text, *WHERE).exit_code == 0
    assert lying(system) == whole


def test_a_kill_at_any_call_leaves_no_half(bucket: tuple[str, Any], text: Path, whole: tuple[bytes, ...]) -> None:
    """The same command replaces both then; there is nothing to resume."""
    _, system = bucket
    for number in (8, 9, 11):  # before the rows are there, before the rejects are, and never
        system.pipe({f"mail/{name}": b"before\n" for name in NAMES})
        command = [sys.executable, "-c", KILLED, str(number), "scan", "--jobs", "1", str(text), *WHERE]
        status = subprocess.run(command, check=False, capture_output=True, env=os.environ | PATHS).returncode
        assert status == (0 if number == 11 else -signal.SIGKILL)
        assert_each_is_whole(system, whole, status)
    assert error_of(scan(text, *WHERE, "--resume")).endswith("where a file is complete or not there: no run goes on")
