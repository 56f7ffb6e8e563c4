"""The benchmarks run and check their answers, on input that takes little time."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

BENCHMARKS = Path(__file__).parent / "benchmarks"


def test_each_measure_gives_a_row(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    """The table has a line with a ratio and a bound for each measure."""
    monkeypatch.syspath_prepend(str(BENCHMARKS))
    monkeypatch.setattr(sys, "argv", ["run.py", "--size", "0.002", "--rounds", "1"])
    import run  # noqa: PLC0415 - it lies in a folder of its own

    run.main()
    _, _, *rows = capsys.readouterr().out.splitlines()
    cells = [[cell.strip() for cell in row.split("|")[1:-1]] for row in rows]
    assert len(cells) >= 12
    assert all(float(ratio) >= 0 and bound[0] in "≥≤" for _, ratio, bound, *_ in cells)


def test_a_wrong_answer_ends_the_run(monkeypatch: pytest.MonkeyPatch) -> None:
    """A wrong answer must not count as a fast one."""
    monkeypatch.syspath_prepend(str(BENCHMARKS))
    import run  # noqa: PLC0415

    with pytest.raises(SystemExit, match="wrong answer"):
        run.expect(["http://a/"], [])


@pytest.mark.parametrize(("bound", "faster", "kept"), [(1e9, False, True), (0.0, False, False), (1e9, True, False)])
def test_check_fails_if_a_bound_is_exceeded(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], *, bound: float, faster: bool, kept: bool
) -> None:
    """With `--check` the exit status is 1, and the measure is named after the table; without it the table says NO."""
    monkeypatch.syspath_prepend(str(BENCHMARKS))
    import run  # noqa: PLC0415

    measure = run.Measure("a sum", lambda: sum(range(1000)), lambda: sum(range(1000)), bound, faster=faster)
    row = run.measured(measure, 3)
    assert (row.kept, f"| {'yes' if kept else 'NO'} |" in row.line) == (kept, True)
    monkeypatch.setattr(run, "rows", lambda _size, _rounds: [row])
    monkeypatch.setattr(sys, "argv", ["run.py"])
    run.main()
    monkeypatch.setattr(sys, "argv", ["run.py", "--check"])
    if kept:
        run.main()
        return
    with pytest.raises(SystemExit, match="bound not kept: a sum") as stopped:
        run.main()
    assert stopped.value.code not in (None, 0)
    assert capsys.readouterr().out.count(row.line) == 2
