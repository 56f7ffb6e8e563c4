"""Scans, columns of texts, and settling on Apache Spark: a thin adapter, whose work is that of the other modules.

    import urlglean.spark

    rows = urlglean.spark.scan(spark, ["s3://bucket/mail/"])                # the rows of `urlglean scan`, and troubles
    found = urlglean.spark.extract(letters, "body")                         # a column of findings
    settled = urlglean.spark.settle(spark.read.parquet("rows.parquet"))     # doubtful readings, by all documents

urlglean and the extra `spark` must be installed where Spark's Python workers run. Without it, the import raises
`MissingExtraError`.
"""

from __future__ import annotations

from importlib import import_module

from urlglean.errors import MissingExtraError

try:
    import_module("pyspark")
    import_module("pandas")  # without it, Spark starts no function on Arrow
except ImportError as error:
    raise MissingExtraError("Spark needs packages: pip install pyspark pyarrow") from error

from urlglean.spark.column import extract
from urlglean.spark.columns import SCHEMA
from urlglean.spark.command import main
from urlglean.spark.rows import scan
from urlglean.spark.settling import settle

__all__ = ["SCHEMA", "extract", "main", "scan", "settle"]
