"""Settings for all tests: none has a time limit, because machines are busy. The size of generated data is bounded."""

from __future__ import annotations

import os
import shutil
import signal
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from hypothesis import HealthCheck, settings

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

# Fewer examples than the usual 100, so that all tests take less than 15 minutes on a slow machine. Each run draws
# others.
settings.register_profile("urlglean", max_examples=40, deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("urlglean")

# The commands that tests start would compile the program anew, each for half a second.
os.environ.pop("PYTHONDONTWRITEBYTECODE", None)

# A shell that runs the tests in the background lets them ignore SIGINT, and so would the commands that they interrupt.
signal.signal(signal.SIGINT, signal.default_int_handler)

SPARK = {
    "spark.master": "local[2,3]",  # two tasks at a time; a task may die twice
    "spark.driver.bindAddress": "127.0.0.1",
    "spark.driver.host": "127.0.0.1",
    "spark.driver.memory": "512m",
    # A short run takes half the time if little is compiled.
    "spark.driver.extraJavaOptions": "-XX:TieredStopAtLevel=1 -XX:+UseSerialGC -XX:ReservedCodeCacheSize=128m",
    "spark.ui.enabled": "false",
    "spark.ui.showConsoleProgress": "false",
    "spark.sql.shuffle.partitions": "2",
    "spark.sql.adaptive.enabled": "false",  # this and the next take longer than the work on a few rows
    "spark.sql.codegen.wholeStage": "false",
    "spark.sql.session.timeZone": "UTC",
    "spark.log.level": "ERROR",
}


@pytest.fixture(scope="session")
def spark(tmp_path_factory: pytest.TempPathFactory) -> Iterator[SparkSession]:
    """A real Spark, in this machine alone."""
    sql = pytest.importorskip("pyspark.sql", reason="pyspark is not installed (the extra spark)")
    home = os.environ.get("JAVA_HOME")
    if shutil.which("java", path=str(Path(home, "bin")) if home else None) is None:
        pytest.skip("there is no Java, which Spark needs (Debian: openjdk-17-jre-headless)")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("PYSPARK_PYTHON", sys.executable)
        patch.setenv("SPARK_LOCAL_IP", "127.0.0.1")
        patch.delenv("SPARK_HOME", raising=False)
        folder = str(tmp_path_factory.mktemp("spark"))
        folders = {"spark.sql.warehouse.dir": folder, "spark.local.dir": folder}
        session = sql.SparkSession.builder.config(map=SPARK | folders).getOrCreate()
        yield session
        session.stop()
