"""The pages for an engineer with a job, and for the maintainer of a project, say what is so: their commands run."""

from __future__ import annotations

import csv
import gzip
import json
from pathlib import Path

import pytest

from page_commands import blocks, run, workplace


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Where the commands of a page run."""
    return workplace(tmp_path)


def test_a_job_to_feed(folder: Path) -> None:
    """Rows, a list without repetitions, a catalogue with only what is new, and a pool of workers."""
    first, choosing, catalogue, pool = blocks("jobs.md")
    run(first, folder)
    rows = [json.loads(line) for line in (folder / "urls.jsonl").read_bytes().splitlines()]
    assert len(rows) == 38
    assert not (folder / "errors.jsonl").read_bytes()
    counts = run(choosing, folder).splitlines()
    assert [int(line.rpartition(":")[2]) for line in counts if "sample.mbox" in line] == [33]
    with gzip.open(folder / "new.csv.gz", "rt") as packed:
        paths = {row["path"] for row in csv.DictReader(packed)}
    assert {"corpus/mail/sample.mbox", "corpus/archive/2001-09.mbox", "corpus/archive/2001-10.mbox"} <= paths
    assert all(path.endswith(".mbox") for path in paths)
    with (folder / "likely.tsv").open() as likely:
        chosen = list(csv.DictReader(likely, delimiter="\t", quoting=csv.QUOTE_NONE))
    assert chosen
    assert all(row["date"] >= "2001-09" and row["scheme"] in {"http", "https"} for row in chosen)
    assert all(float(row["confidence"]) >= 0.9 and row["path"].endswith(".mbox") for row in chosen)
    assert sorted({row["url"] for row in rows}) == sorted((folder / "list.txt").read_text().splitlines())
    assert run(catalogue, folder).count("1994-05-13T15:02:10Z") == 3
    assert [line.split() for line in run(pool, folder).splitlines()] == [
        ["3", "corpus/archive/2001-09.mbox"],
        ["2", "corpus/archive/2001-10.mbox"],
        ["33", "corpus/mail/sample.mbox"],
    ]


def test_the_texts_of_a_project(folder: Path) -> None:
    """A broken URL is shown, and whole in the copy. What is none is told with its fault."""
    prepare, check, rewrite, judge, rejects = blocks("projects.md")
    run(prepare, folder)
    assert "+The notes are at <URL:http://www.example.org/notes/2001/may.html>, the\n" in run(check, folder)
    assert run(rewrite, folder) == ""
    assert (folder / "whole" / "README").read_text().count("notes/2001/may.html") == 1
    assert run(judge, folder).count(": valid by current") == 2
    run(rejects, folder)
    found = [json.loads(line)["url"] for line in (folder / "rejects.jsonl").read_bytes().splitlines()]
    assert found == ["http:/www.example.org/", "http://www..example.org/"]
