"""What docs/cluster.md says runs: the commands on the mail of the corpus, with real Spark, give one answer."""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from conftest import SPARK
from page_commands import ROOT, blocks, run, workplace
from test_readme import arguments
from urlglean.columns import COLUMNS

pytest.importorskip("pyspark", reason="pyspark is not installed (the extra spark)")

from urlglean import spark as on_spark

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

PAGE = (ROOT / "docs" / "cluster.md").read_text(encoding="utf-8")


ANSWER = blocks("cluster.md", "text")[0]


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Where the commands run. Spark has the settings of the other tests."""
    (tmp_path / "spark-defaults.conf").write_text("".join(f"{name} {value}\n" for name, value in SPARK.items()))
    return workplace(tmp_path)


def test_the_answers_are_one(folder: Path, spark: SparkSession, capsys: pytest.CaptureFixture[str]) -> None:
    """That of a laptop, that of one machine, that of a cluster which is one machine, by Spark and by DuckDB."""
    laptop, machine, cluster = blocks("cluster.md")
    assert run(laptop, folder) == ANSWER
    (folder / "urls.parquet").unlink()
    run(machine, folder)
    ask = laptop.splitlines()[-1]
    assert run(ask, folder) == ANSWER
    run(cluster, folder, SPARK_LOCAL_IP="127.0.0.1", SPARK_CONF_DIR=str(folder))
    question = folder / "question.sql"
    question.write_text(question.read_text().replace("'urls.parquet'", "'urls/*.parquet'"))
    assert run(ask, folder) == ANSWER
    (by_spark,) = blocks("cluster.md", "py")
    capsys.readouterr()
    exec(by_spark.replace('"urls"', repr(str(folder / "urls"))), {})
    assert capsys.readouterr().out == ANSWER


@pytest.mark.parametrize("name", ["scan", "extract", "settle"])
def test_calls_have_the_arguments_of_the_functions(name: str) -> None:
    """Their names, kinds and defaults, in their order."""
    told = re.search(rf"^`urlglean\.spark\.{name}\((.+?)\)`", PAGE, re.MULTILINE | re.DOTALL)
    assert told
    assert arguments(getattr(on_spark, name)) == arguments(eval(f"lambda {' '.join(told[1].split())}: None"))


def test_every_further_column_is_explained() -> None:
    """In the order of the columns."""
    section = PAGE.split("### Columns\n")[1].split("### ")[0]
    assert re.findall(r"^\| `(\w+)` \|", section, re.MULTILINE) == on_spark.SCHEMA.names[len(COLUMNS) :]


def test_every_option_is_explained() -> None:
    """Each is in the table."""
    section = PAGE.split("### From Python\n")[0]
    told = re.findall(r"`(--[\w-]+)", "".join(re.findall(r"^\| (`-.*?) \|", section, re.MULTILINE)))
    options = {name for each in on_spark.main.params for name in (*each.opts, *each.secondary_opts)}
    assert sorted(told) == sorted(name for name in options if name.startswith("--"))
