"""The limits of commands that do all the work on a document at once: `rewrite`, `show`, `pick`."""

from __future__ import annotations

from pathlib import Path

import pytest
from click.testing import CliRunner

from urlglean.cli import main
from urlglean.pipeline.limits import GivenUpError, Limits, limited
from urlglean.records import Document

EMPTY = Document("file", b"", "text")


def _hang() -> None:
    while True:
        pass


def test_work_without_end_is_given_up() -> None:
    """The cause says how long it took."""
    with (
        pytest.raises(GivenUpError, match=r"^given up after 0\.02 seconds of processor time$"),
        limited(Document("file", bytes(1_000_000), "text"), Limits(seconds=0.01)),
    ):
        _hang()


def test_work_that_takes_too_much_memory_is_given_up() -> None:
    """The cause says how to allow more."""
    with pytest.raises(GivenUpError, match="--memory-limit"), limited(EMPTY, Limits(memory=1_000_000)):
        bytearray(1 << 30)


def test_other_exceptions_pass() -> None:
    """They are defects."""
    with pytest.raises(ZeroDivisionError), limited(EMPTY, Limits()):
        _ = 1 / 0


@pytest.mark.parametrize("command", [["show"], ["rewrite", "--dry-run"]])
def test_a_document_that_takes_too_long_is_a_trouble(command: list[str], tmp_path: Path) -> None:
    """Nothing else of it is told."""
    text = tmp_path / "text"
    text.write_text("http://www.example.org/a-\nb-\nc-\n" * 9000, encoding="utf-8")
    result = CliRunner().invoke(main, [*command, "--time-limit", "0.000001", str(text)])
    assert result.exit_code == 2
    assert result.stdout.count("http") == 0
    assert f"{text}: given up after 1.29e-06" in result.stderr
