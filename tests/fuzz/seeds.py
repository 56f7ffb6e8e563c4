"""The seeds of the fuzzers: the texts, URLs and mail of the corpus, and files of each kind that holds mail."""

from __future__ import annotations

import bz2
import gzip
import json
import lzma
import tarfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import ncompress  # type: ignore[import-untyped]
import zstandard

from dbox_files import dbox
from packed import tarred, zipped

CORPUS = Path(__file__).parent.parent.parent / "corpus"
_TEXTS = sorted(path for folder in ("texts", "expected_failures") for path in (CORPUS / folder).glob("*.txt"))
_DEFAULTS = b"\0\0"
_FLOWED = {"": 0, "flowed": 1 << 4, "delsp": 2 << 4}
_BARE_HOSTS = 2 << 8


def _marks(path: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in path.with_suffix(".jsonl").read_bytes().splitlines()]


def texts() -> Iterator[bytes]:
    """Every marked text, and short hostile ones, each with the octets that choose its options."""
    for path in _TEXTS:
        head, *_ = _marks(path)
        chosen = _FLOWED[head.get("flowed", "")] | _BARE_HOSTS * head.get("bare_hosts", False)
        yield path.read_bytes() + chosen.to_bytes(2, "little")
    _, *recipes = (json.loads(line) for line in (CORPUS / "hostile" / "recipes.jsonl").read_bytes().splitlines())
    for recipe in recipes:
        text = recipe["before"] + recipe["repeat"] * 3 + recipe["after"]
        yield text.encode("utf-8", "surrogateescape") + _DEFAULTS


def urls() -> Iterator[bytes]:
    """Every URL of a marked text, for each dialect."""
    found = {mark["url"] for path in _TEXTS for mark in _marks(path)[1:]}
    for url in sorted(found):
        for dialect in range(4):
            yield url.encode() + bytes([dialect])


def _mail() -> list[bytes]:
    box = (CORPUS / "mail" / "sample.mbox").read_bytes()
    _, *mails = (b"\n" + box).split(b"\nFrom ")
    single = [path for path in (CORPUS / "mail").rglob("*") if path.is_file() and path.suffix != ".mbox"]
    return [each.partition(b"\n")[2] for each in mails] + [path.read_bytes() for path in sorted(single)]


def messages() -> Iterator[bytes]:
    """Every message of the corpus, once as it is and once with CRLF line ends."""
    for mail in _mail():
        yield mail + _DEFAULTS
        yield mail.replace(b"\r\n", b"\n").replace(b"\n", b"\r\n") + _DEFAULTS


def files() -> Iterator[bytes]:
    """A file of each kind that can be read: mailboxes, single messages, texts, archives, and compressed ones."""
    mails = sorted(_mail(), key=len)[:3]
    envelope = b"From a@b.example Mon Jan  1 00:00:00 2001\n"
    box = b"".join(envelope + mail.replace(b"\nFrom ", b"\n>From ") + b"\n" for mail in mails)
    plain = [
        box,
        box.replace(b"\n", b"\r"),
        *mails,
        b"".join(b"\1\1\1\1\n" + mail + b"\1\1\1\1\n" for mail in mails),
        b"BABYL OPTIONS: -*- rmail -*-\nVersion: 5\n\n"
        + b"".join(b"\x1f\x0c\n1,,\n" + mail + b"\n" for mail in mails)
        + b"\x1f\n",
        dbox([*mails, gzip.compress(mails[0])]),
        b"".join(b"#! rnews %d\n" % len(mail) + mail for mail in mails),
        b"%-10d\n" % len(mails[0]) + mails[0] + b"<?xml version='1.0'?>\n<plist/>\n",
        b"see http://www.example.org/a\n",
        "see http://www.example.org/a\n".encode("utf-16"),
    ]
    yield from (each + _DEFAULTS for each in plain)
    members = {"a/box": box, "b.txt": b"http://www.example.org/\n", "c.gif": b"GIF89a"}
    packed = [zipped(members), tarred(members, tarfile.PAX_FORMAT), tarred(members, tarfile.GNU_FORMAT)]
    for pack in (gzip.compress, bz2.compress, lzma.compress, zstandard.compress, ncompress.compress):
        packed += [pack(mails[0]), pack(packed[1])]
    packed.append(b"#! cunbatch\n" + ncompress.compress(plain[-4]))
    yield from (each + _DEFAULTS for each in packed)
