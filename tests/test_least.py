"""`--least` and `least`: which rows are given, and what is said about the others."""

from __future__ import annotations

import json
from pathlib import Path

from click.testing import CliRunner

from urlglean.cli import main
from urlglean.pipeline.inputs import Chunk
from urlglean.pipeline.options import Options
from urlglean.pipeline.scan_task import ScanTask
from urlglean.records import Document
from whole import chunk_result


def test_urls_below_the_least_confidence_have_no_row_and_are_counted() -> None:
    """The rounded confidence of a row is compared, so that `--least` with a row's own number gives the row."""
    text = b"see http://a.example/ and http://b.example/c\nd e f\n"
    chunk = Chunk([Document("p", text, "text")])
    rows = [json.loads(line) for line in chunk_result(chunk, ScanTask("jsonl")).rows.splitlines()]
    surer, less_sure = sorted((row["confidence"] for row in rows), reverse=True)
    assert surer > less_sure
    likely = chunk_result(chunk, ScanTask("jsonl", Options(least=surer)))
    assert [json.loads(line)["confidence"] for line in likely.rows.splitlines()] == [surer]
    assert (likely.tally.findings, likely.tally.unlikely) == (1, 1)


def test_the_least_confidence_is_a_probability(tmp_path: Path) -> None:
    """A scan gives surer rows and counts the others. A number that is no probability is refused."""
    path = tmp_path / "notes.txt"
    path.write_text("see http://a.example/ and http://b.example/c\nd e f\n")
    done = CliRunner().invoke(main, ["scan", str(path), "--least", "0.9"])
    assert done.exit_code == 0
    assert "less likely than 0.9" in done.stderr
    for wrong in ("nan", "-1", "2"):
        assert CliRunner().invoke(main, ["scan", str(path), "--least", wrong]).exit_code == 2
