"""Columns of texts and scans as Arrow give what the library gives row by row."""

from __future__ import annotations

import json
import subprocess
import sys
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from broken_texts import broken
from urlglean import MissingExtraError, SchemeNameError, UnknownNameError, UnreadableWarning, Wanted, extract, scan
from urlglean.columns import COLUMNS
from urlglean.output import FORMATS
from urlglean.records import Envelope, Trouble

pa = pytest.importorskip("pyarrow")

from urlglean import arrow  # noqa: E402  needs pyarrow
from urlglean.output.arrow_tables import TEXTS, batch_of, table_of  # noqa: E402

CORPUS = Path(__file__).parent.parent / "corpus"
MANY = "see http://www.example.org/a and\nftp://ftp.example.org/pub/, <URL:http://h.example/\n b>"


def expected(text: str | None, **options: Any) -> list[dict[str, Any]] | None:
    """The findings of a text as `extract` gives them, as they come back from Arrow."""
    if text is None:
        return None
    found = [finding.to_dict() for finding in extract(text, **options)]
    return json.loads(json.dumps(found).encode("utf-8", "surrogatepass"))  # type: ignore[no-any-return]


@settings(max_examples=50)
@given(st.lists(st.none() | broken("<URL:http://www.example.org/%zz>", "\u20ac"), max_size=8), st.booleans())
def test_a_column_gives_what_its_texts_give(texts: list[str | None], invalid: bool) -> None:  # noqa: FBT001
    """Each list holds the findings of its text; the list of a null is null."""
    found = arrow.extract_column(pa.array(texts, pa.string()), invalid=invalid)
    assert found.type == pa.list_(arrow.FINDING)
    assert found.to_pylist() == [expected(text, invalid=invalid) for text in texts]


@pytest.mark.parametrize(
    "options",
    [
        {"dialect": "rfc1738"},
        {"joins": "never"},
        {"strict": True},
        {"flowed": "flowed"},
        {"schemes": ["x-own"]},
        {"bare_hosts": True},
    ],
)
def test_options_reach_the_texts(monkeypatch: pytest.MonkeyPatch, options: dict[str, Any]) -> None:
    """Each option gives what it gives in `extract`. A generator of schemes is read once for all texts."""
    monkeypatch.setattr("urlglean.output.arrow_tables.TEXTS", 2)
    text = "http://h.example/~a|b x-own:a www.example.org http://www.example.org/a/long/path/ \nindex.html"
    assert expected(text, **options) != expected(text)
    given = options | ({"schemes": iter(options["schemes"])} if "schemes" in options else {})
    found = arrow.extract_column(pa.array([text] * 3), **given)
    assert found.to_pylist() == [expected(text, **options)] * 3


@pytest.mark.parametrize("kind", ["string", "large_string", "string_view", "binary", "large_binary"])
def test_texts_of_all_types_are_read(kind: str) -> None:
    """Texts and octets in all their forms, sliced too."""
    column = pa.array([None, MANY, "x"], "string").cast(kind)
    assert arrow.extract_column(column.slice(1)).to_pylist() == [expected(MANY), []]


def test_chunks_dictionaries_and_nulls_are_read() -> None:
    """A chunked column gives a chunked array of the same length, also when it is empty."""
    chunked = pa.chunked_array([pa.array([MANY]), pa.array(["x", None])])
    found = arrow.extract_column(chunked)
    assert isinstance(found, pa.ChunkedArray)
    assert found.to_pylist() == [expected(MANY), [], None]
    assert arrow.extract_column(pa.array([MANY, MANY]).dictionary_encode()).to_pylist() == [expected(MANY)] * 2
    assert arrow.extract_column(pa.nulls(2)).to_pylist() == [None, None]
    assert arrow.extract_column(pa.chunked_array([], "string")).to_pylist() == []
    assert arrow.extract_column(pa.array([], "string")).type == pa.list_(arrow.FINDING)


def test_a_long_column_keeps_its_order() -> None:
    """More texts than are Python objects at a time."""
    texts = [f"http://www.example.org/{number}" if number % 3 else None for number in range(2 * TEXTS + 5)]
    found = arrow.extract_column(pa.array(texts)).to_pylist()
    assert [each and each[0]["url"] for each in found] == texts


@pytest.mark.parametrize("column", [["text"], "text", None, pa.array([1]), pa.array([["text"]])])
def test_what_is_no_column_of_texts_is_refused(column: object) -> None:
    """Lists, single texts, and columns of other types."""
    with pytest.raises(TypeError, match="a column must"):
        arrow.extract_column(column)


def test_wrong_options_are_refused_without_a_text() -> None:
    """As `extract` refuses them."""
    empty = pa.array([], "string")
    with pytest.raises(UnknownNameError):
        arrow.extract_column(empty, "no such dialect")  # type: ignore[arg-type]
    with pytest.raises(SchemeNameError):
        arrow.extract_column(empty, schemes=["no scheme"])
    with pytest.raises(TypeError):
        arrow.extract_column(empty, schemes="http")
    with pytest.raises(ValueError, match="at least one row"):
        arrow.scan_batches(CORPUS, rows=0)
    with pytest.raises(TypeError, match="rows must be int"):
        arrow.scan_batches(CORPUS, rows="10")  # type: ignore[arg-type]


def rows_of(lines: bytes) -> list[dict[str, Any]]:
    """The rows that lines of JSON hold, with the times that their dates are."""
    rows = [json.loads(line) for line in lines.splitlines()]
    return [row | {"date": row["date"] and datetime.fromisoformat(row["date"])} for row in rows]


@pytest.mark.parametrize("rows", [1, 7, 10_000])
def test_a_scan_gives_its_rows_in_batches(rows: int) -> None:
    """The rows of all batches are those of the lines for tables; each batch but the last is full."""
    source = CORPUS / "mail"
    troubles: list[Trouble] = []
    batches = list(arrow.scan_batches(source, rows=rows, on_trouble=troubles.append))
    table = pa.Table.from_batches(batches)
    lines = b"".join(FORMATS["parquet"].lines(list(scan(source, on_trouble=troubles.append))))
    assert table.schema.equals(arrow.SCHEMA, check_metadata=True)
    assert table.schema.names == [column.name for column in COLUMNS]
    assert table.to_pylist() == rows_of(lines)
    assert all(batch.num_rows == rows for batch in batches[:-1])
    assert table.num_rows > rows or rows == 10_000


def test_rows_are_those_that_are_wanted(tmp_path: Path) -> None:
    """As in `urlglean.scan`."""
    path = tmp_path / "a.txt"
    path.write_text("http://a.example/ and ftp://b.example/\n")
    (batch,) = arrow.scan_batches(path, wanted=Wanted(schemes=("ftp",)))
    assert batch["url"].to_pylist() == ["ftp://b.example/"]


def test_lone_surrogates_are_replaced(tmp_path: Path) -> None:
    """In a path, octets that are no UTF-8 become a file URI; elsewhere each surrogate becomes U+FFFD."""
    path = tmp_path / "a\udcff.txt"
    path.write_bytes(b"Subject: \xff http://www.example.org/a\xed\xa0\x80\n\nhttp://www.example.org/b\n")
    table = pa.Table.from_batches(arrow.scan_batches(path))
    lines = b"".join(FORMATS["parquet"].lines(list(scan(path))))
    assert table.to_pylist() == rows_of(lines)
    assert table["path"][0].as_py().startswith("file://")
    (found,) = arrow.extract_column(pa.array([b"<URL:http://www.example.org/\xff>"]), invalid=True)
    assert [each["url"] for each in found.as_py()] == ["http://www.example.org/\ufffd"]


@pytest.mark.parametrize(
    ("date", "time"),
    [
        ("1994-05-13T15:02:10Z", datetime(1994, 5, 13, 15, 2, 10, tzinfo=UTC)),
        ("0001-01-01T00:00:00Z", datetime(1, 1, 1, tzinfo=UTC)),
        ("9999-12-31T23:59:59Z", datetime(9999, 12, 31, 23, 59, 59, tzinfo=UTC)),
        (None, None),
        ("0000-12-31T23:59:59Z", None),
        ("-001-01-01T00:00:00Z", None),
        ("10000-01-01T00:00:00Z", None),
        ("1994-02-31T00:00:00Z", None),
        ("1994-05-13T15:02:60Z", None),
        ("1994-05-13T15:02:10+02:00", None),
        ("1994-05-13", None),
        (" 1994-05-13T15:02:10Z", None),
        ("May 1994", None),
        ("", None),
    ],
)
def test_dates_are_times(date: str | None, time: datetime | None) -> None:
    """In UTC, to the second; what is no such time is null, in batches and in tables of lines, and the row is there."""
    (found,) = scan(b"http://a.example/")
    found = msgspec.structs.replace(found, envelope=Envelope(date=date))
    batch = batch_of([found, found])
    assert batch.schema.field("date").type == pa.timestamp("s", tz="UTC")
    assert batch["date"].to_pylist() == [time, time]
    table = table_of(b"".join(FORMATS["parquet"].lines([found])))
    assert table.schema.equals(arrow.SCHEMA, check_metadata=True)
    assert table["date"].to_pylist() == [time]


def test_lines_become_the_same_table() -> None:
    """Parquet files are made of lines, by another way."""
    occurrences = list(scan(CORPUS / "mail", on_trouble=lambda _: None))
    (batch,) = arrow.scan_batches(CORPUS / "mail", on_trouble=lambda _: None)
    assert table_of(b"".join(FORMATS["parquet"].lines(occurrences))).equals(pa.Table.from_batches([batch]))


def test_without_pyarrow_the_import_says_how_to_get_it(monkeypatch: pytest.MonkeyPatch) -> None:
    """It names the package, and is caught as the error of any import."""
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    for name in ("urlglean.arrow", "urlglean.output.arrow_tables"):
        monkeypatch.delitem(sys.modules, name, raising=False)
    with pytest.raises(ImportError, match="pip install pyarrow") as raised:
        __import__("urlglean.arrow")
    assert raised.type is MissingExtraError


def test_urlglean_alone_does_not_import_pyarrow() -> None:
    """It takes 100 ms."""
    code = "import sys, urlglean, urlglean.cli; print('pyarrow' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], capture_output=True, check=True).stdout == b"False\n"


def test_a_warning_leads_to_the_line_that_asks_for_rows(tmp_path: Path) -> None:
    """Not to one of this package."""
    with pytest.warns(UnreadableWarning) as warned:
        assert not list(arrow.scan_batches(tmp_path / "nosuch"))
    assert {warning.filename for warning in warned} == {__file__}
