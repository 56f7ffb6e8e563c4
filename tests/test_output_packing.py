"""Files of rows that are packed while they are written, whole or broken off; and tab-separated values."""

import gzip
import io
import json
import signal
import subprocess
import sys
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

import pytest
import zstandard
from click.testing import CliRunner, Result
from hypothesis import example, given
from hypothesis import strategies as st

from broken_runs import BOUNDS, folder
from commands import ENVIRONMENT
from journals import with_sums, without_sums
from occurrences import ANY_TEXT, occurrence
from urlglean.cli import main
from urlglean.columns import COLUMNS
from urlglean.errors import MissingExtraError
from urlglean.output import packing, tsv_lines
from urlglean.output.files import part_of
from urlglean.pipeline.run import Settings

__all__ = ["folder"]  # the fixture


def unpack_zstd(data: bytes) -> bytes:
    """The text of all frames."""
    with zstandard.ZstdDecompressor().stream_reader(data, read_across_frames=True) as reader:
        return reader.read()


UNPACK: dict[str, Callable[[bytes], bytes]] = {".gz": gzip.decompress, ".zst": unpack_zstd}
BEGINS = {".gz": b"\x1f\x8b\x08", ".zst": b"\x28\xb5\x2f\xfd"}


def run(*arguments: object, stdin: str = "") -> Result:
    """Run the command in this process."""
    given_arguments = [str(argument) for argument in arguments]
    return CliRunner().invoke(main, given_arguments, input=stdin, obj=Settings(bounds=BOUNDS))


def test_every_packing_is_tested() -> None:
    """A new one needs a way to unpack it here."""
    assert set(UNPACK) == set(packing.PACKINGS)


@pytest.mark.parametrize("packed", UNPACK)
@pytest.mark.parametrize("ending", [".jsonl", ".csv", ".tsv", ".txt", ""])
def test_the_ending_says_that_a_file_is_packed(folder: Path, ending: str, packed: str) -> None:
    """What stands before that ending says the format."""
    run("scan", "in", "-o", f"rows{ending}")
    run("scan", "in", "-o", f"rows{ending}{packed}")
    data = Path(f"rows{ending}{packed}").read_bytes()
    assert data.startswith(BEGINS[packed])
    assert UNPACK[packed](data) == Path(f"rows{ending}").read_bytes()


def test_an_ending_in_capitals_and_a_format_that_is_asked_for(folder: Path) -> None:
    """`--format` says what is packed."""
    run("scan", "in", "-o", "ROWS.JSONL.GZ")
    run("scan", "in", "-o", "urls.gz", "--format", "urls")
    assert json.loads(gzip.decompress(Path("ROWS.JSONL.GZ").read_bytes()).splitlines()[0])["url"]
    assert gzip.decompress(Path("urls.gz").read_bytes()).startswith(b"http://a.example/0\nhttp://a.example/1\n")


def test_rejects_and_errors_are_packed_too(folder: Path) -> None:
    """Each by its own ending; those of `catalog` as well."""
    run("scan", "in", "-o", "rows.jsonl", "--rejects", "rejects.jsonl.gz", "--errors", "errors.jsonl.zst")
    assert gzip.decompress(Path("rejects.jsonl.gz").read_bytes()).count(b"\n") == 400
    assert unpack_zstd(Path("errors.jsonl.zst").read_bytes()).count(b"\n") == 1
    run("catalog", "urls.db", "in", "--errors", "log.gz")
    assert gzip.decompress(Path("log.gz").read_bytes()).count(b"\n") == 1


@pytest.mark.parametrize("packed", UNPACK)
def test_a_file_without_rows_can_be_unpacked(folder: Path, packed: str) -> None:
    """A file of no octets is neither gzip nor zstd."""
    assert run("scan", "-", "-o", f"none.jsonl{packed}", stdin="nothing").exit_code == 1
    data = Path(f"none.jsonl{packed}").read_bytes()
    assert data.startswith(BEGINS[packed])
    assert UNPACK[packed](data) == b""


@pytest.mark.parametrize("name", ["urls.db.gz", "urls.parquet.zst"])
def test_what_is_no_format_of_lines_is_not_packed(folder: Path, name: str) -> None:
    """It is refused before anything is written."""
    refused = run("scan", "in", "-o", name)
    assert refused.exit_code == 2
    assert "would be packed" in refused.stderr
    assert not Path(name).exists()


def test_without_zstandard_there_is_a_message(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """It says what to install."""
    monkeypatch.setitem(sys.modules, "zstandard", None)
    with pytest.raises(MissingExtraError):
        packing.Packed(Path("a.zst"))
    refused = run("scan", "in", "-o", "rows.jsonl.zst")
    assert refused.exit_code == 2
    assert "pip install zstandard" in refused.stderr
    assert not list(folder.glob("rows*"))


# Broken off


def broken_off(packed: str, call: int) -> None:
    """A run that is killed before the n-th time that it brings something to the disk."""
    options = ["in", "-o", f"rows.jsonl{packed}", "--rejects", f"rejects.jsonl{packed}", "--jobs", "1"]
    environment = ENVIRONMENT | {"DIE_AT": "fsync", "CALL": str(call)}
    died = subprocess.run([sys.executable, "script.py", "scan", *options], env=environment, check=False)
    assert died.returncode == -signal.SIGKILL


def gone_on_with(packed: str, *more: str) -> Result:
    """The run that continues it."""
    options = ["in", "-o", f"rows.jsonl{packed}", "--rejects", f"rejects.jsonl{packed}", *more]
    return run("scan", *options)


@pytest.mark.parametrize("packed", UNPACK)
@pytest.mark.parametrize("call", [3, 5, 8, 20, 30])
def test_a_run_that_is_resumed_writes_what_an_undisturbed_one_does(folder: Path, packed: str, call: int) -> None:
    """After unpacking: no row is lost, and none comes twice."""
    run("scan", "in", "-o", "whole.jsonl", "--rejects", "no.jsonl")
    broken_off(packed, call)
    gone_on_with(packed, "--resume")
    for name, whole in (("rows", "whole"), ("rejects", "no")):
        data = Path(f"{name}.jsonl{packed}").read_bytes()
        assert UNPACK[packed](data) == Path(f"{whole}.jsonl").read_bytes()
    assert not list(folder.glob("*.part"))


@pytest.mark.parametrize("packed", UNPACK)
def test_rows_that_are_not_as_they_were_written_are_not_gone_on_with(folder: Path, packed: str) -> None:
    """One octet is another, in the last member or in the first, and the size is the same."""
    broken_off(packed, 30)
    part, journal = part_of(Path(f"rows.jsonl{packed}")), Path(f"rows.jsonl{packed}.journal")
    size = json.loads(journal.read_bytes().splitlines()[-1])["sizes"][0]
    data = part.read_bytes()
    for place in (size - 6, 4):
        changed = bytes([*data[:place], data[place] ^ 1, *data[place + 1 :]])
        part.write_bytes(changed)
        refused = gone_on_with(packed, "--resume")
        assert refused.exit_code == 2
        assert "is not as it was written" in refused.stderr
        assert part.read_bytes() == changed


@pytest.mark.parametrize("packed", UNPACK)
def test_a_size_within_a_member_is_refused(folder: Path, packed: str) -> None:
    """The journal tells of a place where none ends."""
    broken_off(packed, 30)
    journal = Path(f"rows.jsonl{packed}.journal")
    lines = without_sums(journal.read_bytes()).splitlines()
    last = json.loads(lines[-1])
    last["sizes"][0] -= 1
    journal.write_bytes(with_sums(b"\n".join([*lines[:-1], json.dumps(last).encode(), b""])))
    refused = gone_on_with(packed, "--resume")
    assert "is not as it was written" in refused.stderr


class Full(io.BytesIO):
    """A file on a disk that is full after some octets."""

    room = 1 << 62

    def write(self, octets: bytes, /) -> int:  # type: ignore[override]
        """Write them.

        Raises:
            OSError: they are too many.
        """
        if self.tell() + len(octets) > self.room:
            raise OSError(28, "No space left on device")
        return super().write(octets)


@pytest.mark.parametrize("packed", UNPACK)
def test_a_member_that_cannot_be_written_is_cut_off(tmp_path: Path, packed: str) -> None:
    """What stood before it remains."""
    path, stream = tmp_path / f"rows{packed}", Full()
    packer = packing.Packed(path)
    whole = b""

    def fill() -> None:
        nonlocal whole
        with packer.into(stream) as lines:
            lines.write(b"one\n")
            lines.flush()
            whole = stream.getvalue()
            stream.room = len(whole) + 3
            lines.write(b"two\n")

    with pytest.raises(OSError, match="No space") as raised:
        fill()
    assert raised.value.filename == str(path)
    path.write_bytes(stream.getvalue() + b"torn")
    with path.open("r+b") as file:
        packer.cut(file.fileno())
    assert path.read_bytes() == whole
    assert UNPACK[packed](whole) == b"one\n"


@pytest.mark.parametrize("packed", UNPACK)
def test_ctrl_c_within_a_member_cuts_it_off(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, packed: str) -> None:
    """What was packed then may be missing in the file, so that the member cannot be ended."""
    path = tmp_path / f"rows.jsonl{packed}"

    class Interrupted:
        """A packer during whose work Ctrl-C comes once."""

        def __init__(self) -> None:
            self._packer = make()

        def compress(self, data: bytes) -> bytes:
            made = self._packer.compress(data)
            if data == b"three\n":
                raise KeyboardInterrupt
            return made

        def flush(self) -> bytes:
            return self._packer.flush()

    make = packing.PACKINGS[packed]()
    monkeypatch.setitem(packing.PACKINGS, packed, lambda: Interrupted)
    with suppress(KeyboardInterrupt), packing.row_file(path) as rows:
        rows.write(b"one\n")
        rows.flush()
        rows.write(b"two\n")
        rows.write(b"three\n")
    assert UNPACK[packed](part_of(path).read_bytes()) == b"one\n"


@pytest.mark.parametrize("packed", UNPACK)
def test_ctrl_c_leaves_whole_members(tmp_path: Path, packed: str) -> None:
    """The part file has all lines that were written."""
    path = tmp_path / f"rows.jsonl{packed}"
    with suppress(KeyboardInterrupt), packing.row_file(path) as rows:
        rows.write(b"one\n")
        rows.flush()
        rows.write(b"two\n")
        raise KeyboardInterrupt
    assert not path.exists()
    assert UNPACK[packed](part_of(path).read_bytes()) == b"one\ntwo\n"


def test_lines_become_a_member_each_time_that_they_are_flushed(tmp_path: Path) -> None:
    """Flushing adds nothing where nothing was written."""
    path = tmp_path / "rows.gz"
    with packing.row_file(path) as rows:
        sizes = []
        for lines in (b"one\n", b"", b"two\n"):
            rows.write(lines)
            rows.flush()
            sizes.append(rows.tell())
    assert sizes[0] == sizes[1] < sizes[2] == path.stat().st_size
    assert gzip.decompress(path.read_bytes()[: sizes[0]]) == b"one\n"
    assert gzip.decompress(path.read_bytes()[sizes[0] :]) == b"two\n"


# Read again


@pytest.mark.parametrize("packed", ["", *UNPACK])
@pytest.mark.parametrize("ending", [".jsonl", ".csv", ".tsv"])
def test_packed_rows_are_left_out_of_later_scans(folder: Path, ending: str, packed: str) -> None:
    """They are ours, whatever they are packed by."""
    run("scan", "in", "-o", f"rows{ending}{packed}")
    again = run("scan", "-v", f"rows{ending}{packed}")
    assert "left out: urlglean's own output" in again.stderr
    assert again.stdout == ""


@pytest.mark.parametrize("packed", ["", *UNPACK])
@pytest.mark.parametrize("ending", [".jsonl", ".tsv", ".txt"])
def test_packed_rows_among_what_is_read_are_replaced(folder: Path, ending: str, packed: str) -> None:
    """The second of two equal scans is not refused; but mail is never replaced, be it packed or not."""
    name = f"in/rows{ending}{packed}"
    first = run("scan", "in", "-o", name)
    rows = Path(name).read_bytes()
    second = run("scan", "in", "-o", name)
    assert first.exit_code == second.exit_code == 2  # the file that is not there
    assert "1,400 URLs" in second.stderr
    assert Path(name).read_bytes() == rows
    Path(name).write_bytes(gzip.compress(b"Dear reader, this is no row.\n"))
    assert "is not known to hold rows" in run("scan", "in", "-o", name).stderr


# Tab-separated values


def fields(line: bytes) -> list[str | None]:
    r"""The values of a line, as PostgreSQL's documentation describes its text format."""
    meanings = {"\\\\": "\\", "\\t": "\t", "\\n": "\n", "\\r": "\r"}
    found: list[str | None] = []
    for cell in line.decode().removesuffix("\n").split("\t"):
        value, at = "", 0
        while at < len(cell):
            step = 2 if cell[at] == "\\" else 1
            value += cell[at] if step == 1 else meanings.get(cell[at : at + 2], "")
            at += step
        found.append(None if cell == r"\N" else value)
    return found


@given(ANY_TEXT, st.lists(ANY_TEXT, max_size=3))
@example("\\N", ["\\", "\t"])
@example("a\tb\r\nc\\", ["\\N"])
def test_no_text_breaks_a_line_of_tsv(url: str, rivals: list[str]) -> None:
    """Each line has all columns, and each value can be read again."""
    made = occurrence(url, rivals=tuple(rivals))
    (line,) = tsv_lines.lines([made])
    assert line.endswith(b"\n")
    assert line.count(b"\n") == 1
    assert b"\r" not in line
    row = dict(zip([column.name for column in COLUMNS], fields(line), strict=True))
    seen = "".join("\ufffd" if "\ud800" <= char <= "\udfff" else char for char in url)
    assert row["url"] == seen
    assert row["member"] is None
    assert row["valid"] in {"true", "false"}
    assert len(json.loads(row["rivals"] or "")) == len(rivals)


def test_absent_is_not_empty() -> None:
    r"""Absent is `\N`, empty is nothing, and a value that looks like it is escaped."""
    (line,) = tsv_lines.lines([occurrence("\\N", member="")])
    assert line.startswith(b"\\\\N\t")
    row = dict(zip([column.name for column in COLUMNS], line[:-1].split(b"\t"), strict=True))
    assert row["member"] == b""
    assert row["newsgroups"] in {b"[]", rb"\N"}
    assert row["subject"] == rb"\N"


def test_tsv_has_a_header(folder: Path) -> None:
    """The names of the columns, once."""
    run("scan", "in", "-o", "rows.tsv")
    head, *lines = Path("rows.tsv").read_text().splitlines()
    assert head.split("\t") == [column.name for column in COLUMNS]
    assert len(lines) == 1400
