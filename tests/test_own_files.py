"""Files that a run writes are known by what they are, however they are called: they are not read."""

from __future__ import annotations

from pathlib import Path

import pytest

from commands import run
from urlglean.output.files import file_id
from urlglean.pipeline.inputs import WRITTEN, opened
from urlglean.pipeline.splits import items_of, plan
from urlglean.sources import Skipped

SPELLINGS = ("in", "./in/../in", "link", "link/.", "in/sub/..", "{}/in", "file://{}/in", "local://{}/in/../in")


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A text in a folder to which a link leads, and a folder beside that."""
    monkeypatch.chdir(tmp_path)
    Path("in/sub").mkdir(parents=True)
    Path("out").mkdir()
    Path("link").symlink_to("in")
    Path("in/a").write_text("http://h.example/\n")
    return tmp_path


@pytest.mark.parametrize("spelling", SPELLINGS)
def test_a_file_that_is_written_is_not_read(folder: Path, spelling: str) -> None:
    """By one process, which reads all, and where the work is divided."""
    if "://" in spelling:
        pytest.importorskip("fsspec")
    Path("out/rows").write_text("http://h.example/\n")
    (folder / "in/rows").hardlink_to(folder / "out/rows")
    (folder / "in/more").symlink_to(folder / "out/rows")
    written = file_id("out/rows")
    assert written
    own = frozenset([written])
    path = spelling.format(folder)
    alone = list(opened([path], own=own))
    divided = [item for split in plan([path], size=1, own=own) for item in items_of(split)]
    for items in (alone, divided):
        causes = {Path(item.path).name: item.cause for item in items if isinstance(item, Skipped)}
        assert causes == {"rows": WRITTEN, "more": WRITTEN}


@pytest.mark.parametrize("spelling", SPELLINGS[:-1])
@pytest.mark.parametrize("output", ["link", "file://{}/out/../in"])
def test_rows_for_people_are_replaced_by_the_next_scan(folder: Path, spelling: str, output: str) -> None:
    """They lie in the folder that is read, and nothing but their paths shows what they are."""
    if "://" in spelling + output:
        pytest.importorskip("fsspec")
    for _ in range(2):
        done = run("scan", spelling.format(folder), "-o", f"{output.format(folder)}/rows.txt", "-q")
        assert (done.exit_code, done.stderr) == (0, "")
        assert len(Path("in/rows.txt").read_text().splitlines()) == 1
