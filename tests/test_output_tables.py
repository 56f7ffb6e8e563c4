"""CSV, SQLite and Parquet: each gives back the values of the column table."""

import csv
import io
import json
import sys
from collections import Counter
from datetime import datetime
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from catalogues import ask, rows
from urlglean.columns import COLUMNS, PROBLEM_FIELDS, problem_row
from urlglean.errors import MissingExtraError
from urlglean.occurrence import Occurrence
from urlglean.output import FORMATS, csv_lines, document_lines, jsonl
from urlglean.output.file_names import as_text
from urlglean.output.files import part_of
from urlglean.records import Document, Envelope, Origin, Problem, Span, TextPart
from urlglean.text.finding import Finding

# With characters that break tables: quotes, separators, line ends, NUL, beginnings of formulas, lone surrogates.
TEXT = st.text(st.one_of(st.sampled_from("\",;\r\n\0=' \ud800\udc80"), st.characters()), max_size=8)
MAYBE = st.none() | TEXT
TIMES = st.datetimes().map(lambda time: f"{time.replace(microsecond=0).isoformat()}Z")
PROBLEM = st.builds(
    Problem, TEXT, st.builds(Span, st.integers(0, 2**40), st.integers(0, 2**40)), rule=TEXT, message=TEXT
)


# URLs with scheme, host and cautions, and URLs without; arbitrary texts have none.
URLS = ["http://host/", "ftp://user:secret@10.0.0.1:22/%0d%0a", "mailto:a@b.example", "news:comp.lang"]


@st.composite
def occurrences(draw: st.DrawFn) -> Occurrence:
    """An occurrence with any values, including absent and empty ones."""
    problems = tuple(draw(st.lists(PROBLEM, max_size=2)))
    url = draw(TEXT | st.sampled_from(URLS))
    span = Span(draw(st.integers(0, 2**40)), draw(st.integers(0, 2**40)))
    rivals = tuple(draw(st.lists(TEXT, max_size=2)))
    finding = Finding(url, span, "bare", (span,), (), rivals, "plain", 0.5, not problems, problems, "current")
    finding = replace(finding, rival_confidences=(0.25,) * len(rivals))
    newsgroups = draw(st.none() | st.lists(TEXT, max_size=2).map(tuple))
    envelope = Envelope(draw(MAYBE), draw(MAYBE | TIMES), draw(MAYBE), draw(MAYBE), newsgroups)
    number = st.none() | st.integers(1, 2**40)
    origin = Origin(draw(TEXT), draw(MAYBE), draw(st.integers(0, 2**40)), 0, draw(number))
    return Occurrence(
        finding,
        draw(st.integers(1, 2**40)),
        TextPart("", draw(MAYBE), draw(MAYBE), label=draw(MAYBE)),
        envelope,
        origin,
    )


MANY = st.lists(occurrences(), max_size=4)
ROUND_TRIPS = settings(deadline=None, max_examples=40, suppress_health_check=[HealthCheck.function_scoped_fixture])


def expected(found: list[Occurrence]) -> list[dict[str, Any]]:
    """The rows as JSON lines have them, but names of files that are no UTF-8; both have tests of their own."""
    read = [json.loads(line) for one in found for line in jsonl.lines([one])]
    return [row | {"path": as_text(row["path"])} for row in read]


def test_the_fields_of_a_problem_are_those_of_its_row() -> None:
    """Tables are made from `PROBLEM_FIELDS` and filled from `problem_row`."""
    filled = problem_row(Problem("c", Span(1, 2), "r", "m"))
    types = {"text": str, "integer": int}
    assert [(name, type(value)) for name, value in filled.items()] == [
        (name, types[kind]) for name, kind in PROBLEM_FIELDS
    ]


@given(MANY)
def test_all_values_come_back_from_csv(found: list[Occurrence]) -> None:
    """The file is read by a reader of RFC 4180, and each cell is decoded by the type of its column."""
    booleans = {"true": True, "false": False}
    read_as: dict[str, Any] = {"text": str, "time": str, "integer": int, "boolean": booleans.__getitem__}
    written = csv_lines.HEADER + b"".join(line for one in found for line in csv_lines.lines([one]))
    header, *records = csv.reader(io.StringIO(written.decode("utf-8"), newline=""), strict=True)
    assert header == [column.name for column in COLUMNS]
    for record, row in zip(records, expected(found), strict=True):
        for column, cell in zip(COLUMNS, record, strict=True):
            absent = row[column.name] is None
            value = None if absent else read_as.get(column.type, json.loads)(cell)
            assert value == row[column.name]
            assert not (absent and cell)


def test_an_empty_cell_is_not_an_absent_one() -> None:
    """Empty text is a pair of quotes, an absent value is nothing; a record ends in CR LF (RFC 4180 2)."""
    span = Span(0, 0)
    finding = Finding("", span, "bare", (), (), (), "plain", 0.5, valid=True, problems=(), dialect="current")
    (line,) = csv_lines.lines(
        [Occurrence(finding, 1, TextPart(""), Envelope(subject=""), Origin('a"b', None, 0, 0, None))]
    )
    lists = b'"[]","[]","[]"'
    assert line == b'"",,,"bare","plain",0.5,true,' + lists + b',0,0,1,"a""b",,0,,,,,"",,,,\r\n'


def document_of(one: Occurrence, number: int) -> bytes:
    """The line of a document of its own for an occurrence."""
    origin = one.origin
    document = Document(origin.path, b"", "message", origin.member, origin.message, offset=origin.offset)
    return document_lines.document_line(document, f"{number:032}", one.envelope, document_lines.findings([one]), [])


@ROUND_TRIPS
@given(MANY, MANY)
def test_all_values_come_back_from_sqlite(tmp_path: Path, first: list[Occurrence], then: list[Occurrence]) -> None:
    """The view `rows` combines several tables. What one database can hold only once is there once."""
    path, form = tmp_path / "rows.db", FORMATS["sqlite"]
    assert form.file is not None
    with form.file(path, ours=True) as database:  # examples that failed leave a part
        for number, found in ((0, first), (len(first), then)):
            database.write(b"".join(document_of(one, number + at) for at, one in enumerate(found)))
    assert rows(path) == Counter(map(json.dumps, expected([*first, *then])))


@ROUND_TRIPS
@given(MANY, MANY)
def test_all_values_come_back_from_parquet(tmp_path: Path, first: list[Occurrence], then: list[Occurrence]) -> None:
    """Lists come back as lists, problems as structs."""
    parquet = pytest.importorskip("pyarrow.parquet")
    path, form = tmp_path / "rows.parquet", FORMATS["parquet"]
    assert form.file is not None
    with form.file(path) as file:
        for found in (first, then):
            file.write(b"".join(line for one in found for line in form.lines([one])))
    table = parquet.read_table(path)
    assert table.column_names == [column.name for column in COLUMNS]
    assert table.to_pylist() == [row | {"date": time_of(row["date"])} for row in expected([*first, *then])]


def time_of(date: str | None) -> datetime | None:
    """The time that a date is, if it is one of `TIMES`."""
    return datetime.fromisoformat(date) if date and date.endswith("Z") and date[4:5] == "-" else None


def test_parquet_without_its_package_says_how_to_get_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The message replaces an ImportError, and nothing is written."""
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    monkeypatch.delitem(sys.modules, "urlglean.output.arrow_tables", raising=False)
    form = FORMATS["parquet"]
    assert form.file is not None
    with pytest.raises(MissingExtraError, match="pip install pyarrow"), form.file(tmp_path / "rows.parquet"):
        pass
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize("name", ["sqlite", "parquet"])
def test_an_interrupted_table_is_a_readable_part_file(tmp_path: Path, name: str) -> None:
    """The part file has all rows so far; the file itself is unchanged."""
    if name == "parquet":
        pytest.importorskip("pyarrow")
    path, form = tmp_path / "rows", FORMATS[name]
    span = Span(0, 8)
    finding = Finding("http://h", span, "bare", (), (), (), "plain", 0.5, valid=True, problems=(), dialect="current")
    one = Occurrence(finding, 1, TextPart(""), Envelope(), Origin("p", None, 0, 0, None))
    row = document_of(one, 1) if form.of_documents else b"".join(form.lines([one]))
    path.write_text("old")

    def interrupted() -> None:
        assert form.file is not None
        with form.file(path) as file:
            file.write(row)
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        interrupted()
    assert path.read_text() == "old"
    if name == "sqlite":
        assert ask(part_of(path), "SELECT url FROM rows") == ["http://h"]
    else:
        read = pytest.importorskip("pyarrow.parquet").read_table(part_of(path))
        assert read.column("url").to_pylist() == ["http://h"]
