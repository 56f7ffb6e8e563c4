"""Files of rows: the format that a name asks for, a file that appears when it is whole, links."""

from pathlib import Path

import pytest

from urlglean.output import FORMATS, format_for
from urlglean.output.files import file_id, part_of, row_file


@pytest.mark.parametrize(
    ("ending", "name"),
    [("", "text"), (".txt", "text"), (".jsonl", "jsonl"), (".JSONL", "jsonl"), (".csv", "csv"), (".xls", None)],
)
def test_the_format_follows_the_ending(ending: str, name: str | None) -> None:
    """An ending that no format claims is refused, not taken for text."""
    assert format_for(ending) == name


def test_no_two_formats_claim_one_ending() -> None:
    """The table of formats has only one answer for each ending."""
    endings = [ending for form in FORMATS.values() for ending in form.endings]
    assert len(endings) == len(set(endings))


def test_a_file_appears_when_it_is_whole(tmp_path: Path) -> None:
    """The old file remains until the last row is written."""
    path = tmp_path / "rows.jsonl"
    path.write_bytes(b"old\n")
    with row_file(path) as rows:
        rows.write(b"new\n")
        assert path.read_bytes() == b"old\n"
    assert path.read_bytes() == b"new\n"
    assert not part_of(path).exists()


@pytest.mark.parametrize(
    ("written", "kept"), [(b"", None), (b"on", None), (b"one\n", b"one\n"), (b"one\ntwo\nthr", b"one\ntwo\n")]
)
def test_an_interrupt_keeps_whole_rows_in_the_part_file(tmp_path: Path, written: bytes, kept: bytes | None) -> None:
    """An incomplete last row is removed, an empty part file too. The file itself is not touched."""
    path = tmp_path / "rows.jsonl"

    def interrupted() -> None:
        with row_file(path) as rows:
            rows.write(written)
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        interrupted()
    assert (part_of(path).read_bytes() if part_of(path).exists() else None) == kept
    assert not path.exists()


def test_the_beginning_of_a_part_file_can_be_kept(tmp_path: Path) -> None:
    """The given number of bytes is kept. The bytes behind them would be written twice."""
    path = tmp_path / "rows.jsonl"
    part_of(path).write_bytes(b"one\ntwo\nthree\n")
    with row_file(path, keep=8) as rows:
        assert rows.tell() == 8
        rows.write(b"3\n")
    assert path.read_bytes() == b"one\ntwo\n3\n"


def test_a_link_is_followed_and_stays_one(tmp_path: Path) -> None:
    """The file that a symbolic link names is written, not the link, and its part file is beside it."""
    target, link = tmp_path / "folder" / "target", tmp_path / "link"
    target.parent.mkdir()
    link.symlink_to(target)
    with row_file(link) as rows:
        rows.write(b"row\n")
        assert (tmp_path / "folder" / "target.part").exists()
    assert link.is_symlink()
    assert target.read_bytes() == b"row\n"


def test_two_names_of_one_file_have_one_identity(tmp_path: Path) -> None:
    """The identity does not depend on the name. What is no regular file has none."""
    path, other = tmp_path / "a", tmp_path / "b"
    path.touch()
    other.hardlink_to(path)
    assert file_id(path) == file_id(str(other)) is not None
    assert [file_id(where) for where in (tmp_path, tmp_path / "none", "\0", "/dev/null")] == [None] * 4
