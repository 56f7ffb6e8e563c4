"""A file elsewhere is replaced only as one here is: what surely holds no earlier rows is refused."""

from __future__ import annotations

import gzip
from pathlib import Path
from typing import Any

import pytest

from test_output_remote import SAMPLE, bucket, error_of, memory, scan

pytest.importorskip("fsspec")

__all__ = ["bucket", "memory"]  # the fixtures

pytestmark = pytest.mark.filterwarnings("ignore")  # of the libraries of the server

MAIL = b"From: a@b.example\nSubject: x\n\nhttp://a.example/\n"


@pytest.mark.parametrize("option", ["-o", "--rejects", "--errors"])
@pytest.mark.parametrize("octets", [MAIL, gzip.compress(MAIL, mtime=0), bytes(9)])
def test_no_mailbox_is_replaced(memory: Any, option: str, octets: bytes) -> None:
    """As no mailbox here is."""
    memory.pipe("/out/inbox", octets)
    refused = scan(SAMPLE, "--format", "jsonl", option, "memory://out/inbox")
    assert "memory://out/inbox is not replaced" in error_of(refused)
    assert memory.cat("/out/inbox") == octets


@pytest.mark.parametrize("name", ["rows.txt", "rows.jsonl", "rows.csv", "rows.tsv.gz", "rows.parquet"])
def test_rows_are_replaced(memory: Any, tmp_path: Path, name: str) -> None:
    """By those of the next scan; so is a text."""
    for _ in range(2):
        assert scan(SAMPLE, "-o", f"memory://out/{name}", "--errors", "memory://out/errors").exit_code == 0
    assert scan(SAMPLE, "-o", tmp_path / name).exit_code == 0
    memory.pipe(f"/out/{name}", b"Dear reader, this is no row.\n")
    assert scan(SAMPLE, "-o", f"memory://out/{name}").exit_code == 0
    assert memory.cat(f"/out/{name}") == (tmp_path / name).read_bytes()


def test_an_object_of_a_bucket_is_looked_at_too(bucket: tuple[str, Any]) -> None:
    """Its first octets, and the last ones of Parquet."""
    _, system = bucket
    system.pipe("mail/inbox", gzip.compress(MAIL))
    assert "s3://mail/inbox is not replaced" in error_of(scan(SAMPLE, "-o", "s3://mail/inbox"))
    for _ in range(2):
        assert scan(SAMPLE, "-o", "s3://mail/rows.parquet").exit_code == 0


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (("memory://in/", "-o", "memory:///in/rows.jsonl"), "memory:///in/rows.jsonl would be both read and written"),
        (("memory:///in/a", "-o", "memory://in/a", "--format", "urls"), "memory://in/a would be both read and written"),
        ((SAMPLE, "-o", "memory://x.jsonl", "--errors", "memory:///x.jsonl"), "would be written twice"),
    ],
)
def test_a_file_elsewhere_is_the_same_by_all_its_names(memory: Any, arguments: tuple[object, ...], told: str) -> None:
    """Its file system says which name is the usual one."""
    memory.pipe("/in/a", b"http://h.example/\n")
    assert told in error_of(scan(*arguments))
    assert memory.find("/") == ["/in/a"]
