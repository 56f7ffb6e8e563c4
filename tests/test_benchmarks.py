"""The measures run, and assert their answers, on input that takes no time."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

BENCHMARKS = Path(__file__).parent / "benchmarks"


def test_each_measure_gives_a_row(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    """A wrong answer ends the run; else there is a line with a ratio and a bound for each measure."""
    monkeypatch.syspath_prepend(str(BENCHMARKS))
    monkeypatch.setattr(sys, "argv", ["run.py", "--size", "0.002", "--rounds", "1"])
    import run  # noqa: PLC0415 - it lies in a folder of its own

    run.main()
    _, _, *rows = capsys.readouterr().out.splitlines()
    cells = [[cell.strip() for cell in row.split("|")[1:-1]] for row in rows]
    assert len(cells) >= 12
    assert all(float(ratio) >= 0 and bound[0] in "≥≤" for _, ratio, bound, *_ in cells)


def test_a_wrong_answer_ends_the_run(monkeypatch: pytest.MonkeyPatch) -> None:
    """A fast wrong answer is none."""
    monkeypatch.syspath_prepend(str(BENCHMARKS))
    import run  # noqa: PLC0415

    with pytest.raises(SystemExit, match="wrong answer"):
        run.expect(["http://a/"], [])
