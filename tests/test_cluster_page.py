"""What docs/cluster.md says runs: the commands on the mail of the corpus, with real Spark, give one answer."""

from __future__ import annotations

import os
import re
import subprocess
import sysconfig
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from conftest import SPARK
from test_readme import arguments
from urlglean.columns import COLUMNS

pytest.importorskip("pyspark", reason="pyspark is not installed (the extra spark)")

from urlglean import spark as on_spark

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

ROOT = Path(__file__).parent.parent
PAGE = (ROOT / "docs" / "cluster.md").read_text(encoding="utf-8")


def blocks(language: str) -> list[str]:
    """The contents of the fenced blocks in a language."""
    return re.findall(rf"^```{language}\n(.*?)^```$", PAGE, re.MULTILINE | re.DOTALL)


ANSWER = blocks("text")[0]


def run(block: str, folder: Path) -> str:
    """What the commands of a block print. Spark has the settings of the other tests."""
    (folder / "spark-defaults.conf").write_text("".join(f"{name} {value}\n" for name, value in SPARK.items()))
    programs = os.pathsep.join([sysconfig.get_path("scripts"), os.environ["PATH"]])
    environment = {**os.environ, "PATH": programs, "SPARK_LOCAL_IP": "127.0.0.1", "SPARK_CONF_DIR": str(folder)}
    done = subprocess.run(
        ["/bin/sh", "-e", "-c", block], cwd=folder, env=environment, check=False, capture_output=True, text=True
    )
    assert done.returncode == 0, (block, done.stderr)
    return done.stdout


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A folder with the corpus in it."""
    (tmp_path / "corpus").symlink_to(ROOT / "corpus")
    return tmp_path


def test_the_answers_are_one(folder: Path, spark: SparkSession, capsys: pytest.CaptureFixture[str]) -> None:
    """That of a laptop, that of one machine, that of a cluster which is one machine, by Spark and by DuckDB."""
    laptop, machine, cluster = blocks("sh")
    assert run(laptop, folder) == ANSWER
    (folder / "urls.parquet").unlink()
    run(machine, folder)
    ask = laptop.splitlines()[-1]
    assert run(ask, folder) == ANSWER
    run(cluster, folder)
    question = folder / "question.sql"
    question.write_text(question.read_text().replace("'urls.parquet'", "'urls/*.parquet'"))
    assert run(ask, folder) == ANSWER
    (by_spark,) = blocks("py")
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
