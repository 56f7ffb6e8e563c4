"""How a scan prints, counts and rejects URLs that a dialect refuses and a reader would copy."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner

from urlglean.cli import main


@pytest.fixture
def notes(tmp_path: Path) -> Path:
    """The path of a text with a valid URL, a raw one and a template."""
    path = tmp_path / "notes.txt"
    path.write_text("see http://a.example/1 or http://a.example/2|3 or http://a.example/%s here\n")
    return path


def run(*arguments: object) -> tuple[int, list[str], str]:
    """The exit status, the rows, and the last line of stderr."""
    result = CliRunner().invoke(main, [*map(str, arguments)])
    return result.exit_code, result.stdout.splitlines(), result.stderr.splitlines()[-1]


def test_a_scan_prints_raw_urls_with_a_note_and_counts_them_apart(notes: Path) -> None:
    """The row of the text format has a note, and the line of counts has a count of its own."""
    status, rows, counts = run("scan", notes)
    assert status == 0
    assert rows == [
        f"{notes}:1: http://a.example/1",
        f"{notes}:1: http://a.example/2|3  (not valid: national-character)",
    ]
    assert counts.startswith("urlglean: 1 URL, 1 more not valid by current, rejects not asked for, ")


def test_a_strict_scan_rejects_raw_urls(notes: Path, tmp_path: Path) -> None:
    """They are in the file of rejects."""
    rejects = tmp_path / "rejects"
    status, rows, counts = run("scan", "--strict", "--rejects", rejects, notes)
    assert (status, len(rows)) == (0, 1)
    assert counts.startswith("urlglean: 1 URL, 2 rejected, ")
    assert [json.loads(line)["url"] for line in rejects.read_text().splitlines()] == [
        "http://a.example/2|3",
        "http://a.example/%s",
    ]


def test_without_strict_raw_urls_are_rows(notes: Path, tmp_path: Path) -> None:
    """A URL is either in the file of rows or in that of rejects."""
    rejects = tmp_path / "rejects"
    _, rows, counts = run("scan", "--rejects", rejects, "--format", "jsonl", notes)
    assert [(json.loads(row)["url"], json.loads(row)["valid"], json.loads(row)["host"]) for row in rows] == [
        ("http://a.example/1", True, "a.example"),
        ("http://a.example/2|3", False, "a.example"),
    ]
    assert counts.startswith("urlglean: 1 URL, 1 more not valid by current, 1 rejected, ")
    assert [json.loads(line)["url"] for line in rejects.read_text().splitlines()] == ["http://a.example/%s"]


def test_least_applies_to_raw_urls(notes: Path) -> None:
    """They are less likely than plain ones."""
    _, rows, counts = run("scan", "--least", "0.95", notes)
    assert len(rows) == 1
    assert counts.startswith("urlglean: 1 URL, 1 less likely than 0.95, ")


def test_a_raw_url_alone_is_found(tmp_path: Path) -> None:
    """The exit status of scan and show is 0."""
    path = tmp_path / "a.txt"
    path.write_text("http://a.example/2|3\n")
    assert run("scan", path)[0] == 0
    assert run("scan", "--strict", path)[0] == 1
    shown = CliRunner().invoke(main, ["show", str(path)])
    assert (shown.exit_code, "⟦1 http://a.example/2|3⟧" in shown.stdout) == (0, True)
    assert "    found      line 1" in shown.stdout
    strict = CliRunner().invoke(main, ["show", "--strict", str(path)])
    assert (strict.exit_code, "⟦1✗ http://a.example/2" in strict.stdout) == (1, True)
