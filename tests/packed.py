"""Files packed in memory: archives with member names that the test chooses, and what compress(1) makes."""

from __future__ import annotations

import io
import tarfile
import zipfile
from typing import Literal

import ncompress  # type: ignore[import-untyped]


def zipped(members: dict[str, bytes], method: int = zipfile.ZIP_DEFLATED) -> bytes:
    """A zip archive with these members. It does not depend on the clock."""
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w", method) as archive:
        for name, data in members.items():
            archive.writestr(zipfile.ZipInfo(name), data, method)
    return file.getvalue()


def tarred(members: dict[str, bytes], form: int = tarfile.PAX_FORMAT) -> bytes:
    """A tar archive with these members."""
    file = io.BytesIO()
    with tarfile.open(fileobj=file, mode="w", format=form) as archive:
        for name, data in members.items():
            info = tarfile.TarInfo(name)
            info.size = len(data)
            archive.addfile(info, io.BytesIO(data))
    return file.getvalue()


def compressed(data: bytes) -> bytes:
    """What compress(1) makes of data."""
    packed = ncompress.compress(data)
    assert isinstance(packed, bytes)
    return packed


def tar_of(*members: tuple[tarfile.TarInfo, bytes], form: Literal[1, 2] = tarfile.GNU_FORMAT) -> bytes:
    """A tar archive with these headers, whatever they say of the octets behind them."""
    octets = b"".join(info.tobuf(form) + data + bytes(-len(data) % tarfile.BLOCKSIZE) for info, data in members)
    return octets + bytes(2 * tarfile.BLOCKSIZE)


def tar_header(name: str, size: int, **values: object) -> tarfile.TarInfo:
    """The header of a member."""
    info = tarfile.TarInfo(name)
    info.size = size
    for each, value in values.items():
        setattr(info, each, value)
    return info
