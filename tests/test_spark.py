"""Scans and columns on a real Spark give what they give without it, whatever becomes of its tasks."""

from __future__ import annotations

import json
import os
import signal
import sys
import zipfile
from collections import Counter
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from click.testing import CliRunner, Result
from msgspec.structs import replace

from urlglean import OutOfRangeError, SchemeNameError, UnknownNameError, Wanted
from urlglean.errors import MissingExtraError
from urlglean.records import Message, TextPart, Trouble

pytest.importorskip("pyspark", reason="pyspark is not installed (the extra spark)")

import pyarrow as pa
from pyarrow import parquet
from pyspark import TaskContext

from urlglean import arrow
from urlglean import spark as on_spark
from urlglean.output.arrow_tables import SCHEMA as ROWS
from urlglean.output.arrow_tables import batch_of
from urlglean.pipeline.scan_task import ScanTask
from urlglean.pipeline.splits import Split, plan
from urlglean.spark import rows as rows_module
from urlglean.spark.batches import batches_of

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, SparkSession

CORPUS = Path(__file__).parent.parent / "corpus"

ARTICLE = "Newsgroups: local.one,local.two\nMessage-ID: <1@example.org>\nSubject: x\n\nhttp://www.example.org/crossed\n"


@pytest.fixture(scope="module")
def paths(tmp_path_factory: pytest.TempPathFactory) -> list[Path]:
    """Mail and mailboxes, a zip archive of them, a spool with an article in two groups, and no file."""
    folder = tmp_path_factory.mktemp("input")
    with zipfile.ZipFile(folder / "mail.zip", "w") as packed:
        for path in sorted((CORPUS / "mail").rglob("*")):
            packed.write(path, str(path.relative_to(CORPUS)))
    for group in ("one", "two"):
        path = folder / "spool" / "local" / group / "1"
        path.parent.mkdir(parents=True)
        path.write_text(ARTICLE, encoding="ascii")
    return [CORPUS / "mail", folder, CORPUS / "archive", folder / "missing.mbox"]


def rows_of(df: DataFrame) -> Counter[str]:
    """The rows of URLs, each as JSON."""
    rows = df.where("trouble IS NULL").select(ROWS.names).toArrow().to_pylist()
    return Counter(json.dumps(row, default=str) for row in rows)


def troubles_of(df: DataFrame) -> Counter[Trouble]:
    """The troubles."""
    rows = df.where("trouble IS NOT NULL").select("path", "trouble", "member", "message").collect()
    return Counter(Trouble(*row) for row in rows)


def scanned(source: Any, **options: Any) -> tuple[Counter[str], Counter[Trouble]]:
    """The rows and troubles of a scan without Spark."""
    troubles: list[Trouble] = []
    table = pa.Table.from_batches(arrow.scan_batches(source, on_trouble=troubles.append, **options), ROWS)
    return Counter(json.dumps(row, default=str) for row in table.to_pylist()), Counter(troubles)


def test_a_scan_gives_the_rows_and_troubles_of_a_scan(spark: SparkSession, paths: list[Path]) -> None:
    """In splits of some hundred octets, of which each is a partition."""
    planned = list(plan(map(str, paths), size=900))
    assert any(split.octets for split in planned)
    assert any(split.members for split in planned)
    df = on_spark.scan(spark, paths, size=900)
    assert 10 < df.rdd.getNumPartitions() <= len(planned)
    df = df.cache()
    rows, troubles = scanned(paths)
    assert rows_of(df) == rows
    assert troubles_of(df) == troubles
    assert any(trouble.path.endswith("missing.mbox") for trouble in troubles)
    df.unpersist()


def test_options_reach_the_tasks(spark: SparkSession, tmp_path: Path) -> None:
    """They give what they give in a scan; a generator of schemes is read once. No path gives no row."""
    path = tmp_path / "a.txt"
    path.write_text("http://h.example/~a|b x-own:a www.example.org http://h.example/a/long/path/ \nindex.html\n")
    options = {
        "dialect": "rfc1738",
        "joins": "never",
        "invalid": True,
        "strict": True,
        "bare_hosts": True,
        "least": 0.5,
    }
    rows, _ = scanned(path, **options, schemes=["x-own"])
    assert rows != scanned(path)[0]
    df = on_spark.scan(spark, path, **options, schemes=iter(["x-own"]))  # type: ignore[arg-type]
    assert rows_of(df) == rows
    (only,) = on_spark.scan(spark, path, bare_hosts=True, wanted=Wanted(hosts=("www.*",))).collect()
    assert only.host == "www.example.org"
    assert on_spark.scan(spark, []).collect() == []


def test_wrong_options_are_refused_by_the_call(spark: SparkSession) -> None:
    """Not by a job."""
    with pytest.raises(UnknownNameError):
        on_spark.scan(spark, CORPUS, dialect="no such dialect")  # type: ignore[arg-type]
    with pytest.raises(SchemeNameError):
        on_spark.scan(spark, CORPUS, schemes=["no scheme"])
    with pytest.raises(TypeError):
        on_spark.scan(spark, CORPUS, schemes="http")
    with pytest.raises(OutOfRangeError):
        on_spark.scan(spark, CORPUS, least=2)
    with pytest.raises(TypeError, match="seconds must be a number, not str"):
        on_spark.scan(spark, CORPUS, seconds="30")  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="stdin"):
        on_spark.scan(spark, "-")


def test_a_task_that_dies_is_done_again(
    spark: SparkSession, paths: list[Path], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Its process is killed behind its first batch, once; the rows are the same."""

    def dying(split: Split, task: ScanTask) -> Iterator[Any]:
        context = TaskContext.get()
        assert context
        for batch in batches_of(split, task):
            yield batch
            if not context.attemptNumber():
                (tmp_path / str(context.partitionId())).touch()
                os.kill(os.getpid(), signal.SIGKILL)

    monkeypatch.setattr(rows_module, "batches_of", dying)
    df = on_spark.scan(spark, paths[1:], size=4000).cache()
    rows, troubles = scanned(paths[1:])
    assert rows_of(df) == rows
    assert troubles_of(df) == troubles
    assert list(tmp_path.iterdir())
    df.unpersist()


ENVELOPE = "From a@b.example Mon Dec 12 10:00:00 1994\nSubject: x\n\n"


def test_a_document_that_hangs_is_a_trouble(
    spark: SparkSession, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The limit of time acts in Spark's workers; the other documents are read."""
    path = tmp_path / "in.mbox"
    path.write_text("".join(f"{ENVELOPE}{body}\n\n" for body in ("http://a.example/1", "hang", "http://a.example/3")))

    def hanging(split: Split, task: ScanTask) -> Iterator[Any]:
        def read(octets: bytes, *_: object) -> Message:
            while b"hang" in octets:
                sum(range(1000))
            return Message((TextPart(octets.decode()),))

        with pytest.MonkeyPatch.context() as patch:  # in the worker, which Spark uses again
            patch.setattr("urlglean.pipeline.glean.read", read)
            yield from batches_of(split, task)

    monkeypatch.setattr(rows_module, "batches_of", hanging)
    df = on_spark.scan(spark, path, seconds=0.2).cache()
    assert [row.url for row in df.where("trouble IS NULL").collect()] == ["http://a.example/1", "http://a.example/3"]
    assert list(troubles_of(df)) == [Trouble(str(path), "given up after 0.2 seconds of processor time", None, 2)]
    df.unpersist()


@pytest.mark.skipif(sys.platform != "linux", reason="the system has no such limit")
def test_a_document_that_needs_too_much_memory_is_a_trouble(spark: SparkSession, tmp_path: Path) -> None:
    """The other documents are read; no column but those of its place tells of it."""
    path = tmp_path / "in.mbox"
    large = "\U0001f600 words and words\n" * 1_000_000
    bodies = ("http://first.example/", large, "http://last.example/")
    path.write_text("".join(f"{ENVELOPE}{body}\n\n" for body in bodies), encoding="utf-8")
    first, trouble, last = sorted(on_spark.scan(spark, path, memory=1).collect(), key=lambda row: row.message)
    assert (first.host, last.host) == ("first.example", "last.example")
    assert "MemoryError" in trouble.trouble
    assert {name for name, value in trouble.asDict().items() if value is not None} == {"path", "message", "trouble"}


def test_batches_are_bounded_and_what_cannot_be_a_row_is_a_trouble(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A batch has no more rows than it may have. Of a lone surrogate nothing is left."""
    path = tmp_path / "a\udcff.txt"
    path.write_text("".join(f"see http://www.example.org/{number} or\n" for number in range(8)))
    (split,) = plan([str(path)])
    read = list(batches_of(split, ScanTask(), rows=3))
    assert [batch.num_rows for batch in read] == [3, 3, 2]
    assert read[0]["path"][0].as_py().startswith("file://")

    def fail(occurrences: Any) -> Any:
        if any(occurrence.finding.url.endswith("/4") for occurrence in occurrences):
            raise RuntimeError("no row")
        return batch_of(occurrences)

    monkeypatch.setattr("urlglean.spark.batches.batch_of", fail)
    rows = [row for batch in batches_of(split, ScanTask(), rows=3) for row in batch.to_pylist()]
    assert [row["url"] and row["url"][-1] for row in rows] == ["0", "1", "2", "3", None, "5", "6", "7"]
    assert rows[4]["trouble"] == "http://www.example.org/4: RuntimeError: no row"
    assert all(row["trouble"] is None for row in rows[:4] + rows[5:])


def test_troubles_are_in_bounded_batches_too(tmp_path: Path) -> None:
    """Many files that are not there."""
    (split,) = plan([str(tmp_path / "missing.mbox")])
    many = replace(split, entries=split.entries * 7)
    assert [batch.num_rows for batch in batches_of(many, ScanTask(), rows=3)] == [3, 3, 1]


def test_a_column_of_findings(spark: SparkSession) -> None:
    """Each list is that of `extract_column`; all other columns stay, and texts may be octets."""
    texts = ["see http://www.example.org/a or\nftp://ftp.example.org/pub/", None, "nothing", "x-own:a"]
    rows = [(number, [{"a": number}], text, text and text.encode()) for number, text in enumerate(texts)]
    df = spark.createDataFrame(rows, "number int, `of.mine` array<struct<a:int>>, body string, octets binary")
    found = on_spark.extract(df, "body", schemes=iter(["x-own"]), invalid=True)
    expected = arrow.extract_column(pa.array(texts), schemes=["x-own"], invalid=True).to_pylist()
    assert found.columns == [*df.columns, "found"]
    given = found.orderBy("number").collect()
    assert [row.found and [each.asDict(recursive=True) for each in row.found] for row in given] == expected
    assert [row[:4] for row in given] == [tuple(row) for row in df.orderBy("number").collect()]
    octets = on_spark.extract(df, "octets", into="urls").select("urls").collect()
    assert sum(len(row.urls or ()) for row in octets) == 2


def test_what_is_no_column_of_texts_is_refused(spark: SparkSession) -> None:
    """By the call, as are wrong options."""
    df = spark.createDataFrame([("x", 1)], "body string, number int")
    with pytest.raises(UnknownNameError, match="there are: body, number"):
        on_spark.extract(df, "text")
    with pytest.raises(TypeError, match="not int"):
        on_spark.extract(df, "number")
    with pytest.raises(ValueError, match="already"):
        on_spark.extract(df, "body", into="number")
    with pytest.raises(UnknownNameError):
        on_spark.extract(df, "body", "no such dialect")  # type: ignore[arg-type]
    with pytest.raises(TypeError):
        on_spark.extract(df, "body", schemes="http")


def run(*arguments: object) -> Result:
    """The result of the command, by the session that is there."""
    return CliRunner().invoke(on_spark.main, [str(argument) for argument in arguments])


@pytest.mark.usefixtures("spark")
def test_the_command_writes_parquet(paths: list[Path], tmp_path: Path) -> None:
    """Pyarrow reads it back. Troubles are told, and the status says so; what is there is not overwritten."""
    out = tmp_path / "rows.parquet"
    result = run(*paths, "-o", out, "--split-size", "0.004", "--joins", "never")
    assert result.exit_code == 2
    rows, troubles = scanned(paths, joins="never")
    assert result.stderr.splitlines() == [
        f"urlglean: {paths[-1]}: No such file or directory",
        f"urlglean: URLs: {rows.total()}, troubles: {troubles.total()}",
    ]
    table = parquet.read_table(out)
    assert table.schema.names == on_spark.SCHEMA.names
    read = table.filter(pa.compute.is_null(table["trouble"])).select(ROWS.names).to_pylist()
    assert Counter(json.dumps(row, default=str) for row in read) == rows
    before = sorted(out.iterdir())
    again = run(CORPUS, "-o", out)
    assert (again.exit_code, again.stderr) == (2, f"urlglean: {out} is there, and is not overwritten\n")
    assert sorted(out.iterdir()) == before


def test_dates_can_be_collected_in_any_zone(tmp_path: Path) -> None:
    """So that no message can spoil the answer. Those of the year 9999 are null."""
    years = (1000, 1969, 9998, 9999)
    letter = "From a@b.example Mon Jan  1 00:00:00 2001\nDate: 1 Jan {:04} 00:00:00 +0000\n\nhttp://a.example/\n\n"
    (tmp_path / "box").write_text("".join(map(letter.format, years)))
    (split,) = plan([str(tmp_path / "box")])
    (batch,) = batches_of(split, ScanTask())
    dates = [datetime(year, 1, 1, tzinfo=UTC) for year in years]
    assert batch["date"].to_pylist() == [*dates[:-1], None]


@pytest.mark.usefixtures("spark")
def test_the_status_of_the_command(tmp_path: Path) -> None:
    """As that of grep; what is written without a URL can be read as well."""
    (tmp_path / "none.txt").write_text("nothing")
    old = "From: a@b.example\nDate: 1 Jan 1400 00:00:00 +0000\nSubject: x\n\nhttp://www.example.org/\n"
    (tmp_path / "one.txt").write_text(old)
    assert run(tmp_path / "none.txt", "-o", tmp_path / "none").exit_code == 1
    assert parquet.read_table(tmp_path / "none").num_rows == 0
    assert run(tmp_path / "one.txt", "-o", tmp_path / "one").exit_code == 0
    assert parquet.read_table(tmp_path / "one")["date"].to_pylist() == [datetime(1400, 1, 1, tzinfo=UTC)]
    impossible = run(tmp_path / "one.txt", "-o", tmp_path / "one.txt" / "x")
    assert impossible.exit_code == 2
    assert impossible.stderr.startswith("urlglean: ")
    assert "Traceback" not in impossible.stderr


@pytest.mark.usefixtures("spark")
@pytest.mark.parametrize("name", ["out[1]", "out?", "out{a,b}", "o*"])
def test_a_name_with_the_signs_of_a_pattern_is_a_name(tmp_path: Path, name: str) -> None:
    """What such a pattern would match is neither in the way nor read."""
    (tmp_path / "one.txt").write_text("http://www.example.org/")
    for other in ("out1", "outa", "outb"):
        (tmp_path / other).write_text("not Parquet")
    done = run(tmp_path / "one.txt", "-o", tmp_path / name)
    assert (done.exit_code, done.stderr) == (0, "urlglean: URLs: 1, troubles: 0\n")
    assert len(parquet.read_table(tmp_path / name)) == 1
    again = run(tmp_path / "one.txt", "-o", tmp_path / name)
    assert (again.exit_code, again.stderr) == (2, f"urlglean: {tmp_path / name} is there, and is not overwritten\n")


@pytest.mark.parametrize("missing", ["pyspark", "pandas"])
def test_without_its_packages_the_import_says_how_to_get_them(missing: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """It names the extra."""
    monkeypatch.setitem(sys.modules, missing, None)
    monkeypatch.delitem(sys.modules, "urlglean.spark")
    with pytest.raises(MissingExtraError, match="spark"):
        __import__("urlglean.spark")
