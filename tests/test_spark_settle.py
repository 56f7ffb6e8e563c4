"""`urlglean.spark.settle` gives what `urlglean settle` gives: of documents made for it, and of mail."""

from __future__ import annotations

import json
import random
import sqlite3
from collections import Counter
from collections.abc import Iterator
from contextlib import closing
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from catalogues import catalog, rows
from commands import run
from databases import WHOLE, Found, Mail, broken, database, unjoined, whole
from test_settle import BEGINNING, DROPPED, JOINED, KEPT, LONGER, MIXED, NO_EVIDENCE, UNJOINED
from test_settle_mail import BROKEN, LETTER, message
from urlglean import UnknownNameError
from urlglean.columns import COLUMNS

pytest.importorskip("pyspark", reason="pyspark is not installed (the extra spark)")

from pyspark.sql.pandas.types import from_arrow_schema

from urlglean.spark import SCHEMA, scan, settle

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, SparkSession

CORPUS = Path(__file__).parent.parent / "corpus"

OTHER_CAUTIONS = [
    Mail("anna@example.org", (unjoined("http://example.org/a", {"http://u:p@example.org/a/b": 0.2}),)),
    Mail("bert@example.org", (Found("http://u:p@example.org/a/b", cautions=("password",)),), "Mine"),
]
OTHER_LENGTH = [
    UNJOINED._replace(findings=(UNJOINED.findings[0]._replace(problems=(("whole", 0, 26), ("end", 26, 26))),)),
    whole(LONGER),
]
MANY = [whole(LONGER, f"{n}@example.org", f"S{n % 40}", date=f"20{99 - n}-01-01T00:00:00Z") for n in range(60)]
OWN = [  # first of all by date, but by the author and in the thread of what is doubtful
    whole(LONGER, "anna@example.org", "Another", date="2000-01-01T00:00:00Z"),
    whole(LONGER, "dora@example.org", "Re: Our letter", date="2002-01-01T00:00:00Z"),
]
BEGINNINGS = [  # the second may be cut at the same place, the third at a line end; the first counts
    whole(BEGINNING),
    whole(BEGINNING, "dora@example.org", "Re: Our letter", date="2000-01-01T00:00:00Z"),
    Mail("emil@example.org", (Found(BEGINNING, confidence=WHOLE - 0.01),), "Emil"),
]
COLLECTIONS = [
    *NO_EVIDENCE.values(),
    MIXED,
    OTHER_CAUTIONS,
    OTHER_LENGTH,
    [UNJOINED, *MANY],
    [UNJOINED, *MANY, *OWN],
    [JOINED, *BEGINNINGS],
]
"""Collections of documents, each of which is settled by itself."""

_URLS = (BEGINNING, LONGER, KEPT, DROPPED, "http://example.org/", BEGINNING + "-2001")


def some_mail(choice: random.Random) -> Mail:
    """A document with a few findings of a few URLs."""
    found: list[Found] = []
    for url in choice.sample(_URLS, choice.randrange(4)):
        others = [other for other in choice.sample(_URLS, choice.randrange(1, 4)) if other != url] or ["x:"]
        doubtful = choice.choice((broken, unjoined))(url, {other: choice.choice((0.05, 0.1)) for other in others})
        plain = Found(url, confidence=choice.choice((WHOLE, WHOLE - 0.01)), wrapper=choice.choice(("bare", "angle")))
        found.append(choice.choice((doubtful, plain)))
    return Mail(
        choice.choice((None, "anna@example.org", "bert@example.org", "Carl <carl@example.org>")),
        tuple(found),
        choice.choice((None, "One", "Re: one", "Two")),
        choice.choice((None, "2001-01-01T00:00:00Z", "2002-01-01T00:00:00Z")),
        choice.choice(("one.mbox", "two.mbox")),
    )


def in_host(mail: Mail, host: str) -> Mail:
    """The document, with URLs of another host. So it has nothing to say of collections whose host is another one."""
    findings = []
    for found in mail.findings:
        rivals = {rival.replace("example.org", host): likely for rival, likely in found.rivals.items()}
        findings.append(found._replace(url=found.url.replace("example.org", host), rivals=rivals))
    return mail._replace(findings=tuple(findings))


@pytest.fixture(scope="module")
def documents() -> list[Mail]:
    """All collections, and many more that chance made; those of one date and file in the order of their numbers."""
    choice = random.Random(17)
    made = [[some_mail(choice) for _ in range(choice.randrange(1, 9))] for _ in range(80)]
    each = [in_host(mail, f"h{n:03}.example") for n, mails in enumerate([*COLLECTIONS, *made]) for mail in mails]
    return sorted(each, key=lambda mail: mail.path)


COPY = "zoe.mbox"


def frame(spark: SparkSession, documents: list[Mail], *more: dict[str, Any]) -> DataFrame:
    """What a scan would return for documents, and more rows."""
    return spark.createDataFrame([*_rows(documents), *more], from_arrow_schema(SCHEMA)).repartition(3)


def _rows(documents: list[Mail]) -> Iterator[dict[str, Any]]:
    """The rows of documents, and of a copy of each at a later place, whose header is another one."""
    nothing = dict.fromkeys(SCHEMA.names)
    for number, mail in enumerate(documents, 1):
        of_mail = {name: getattr(mail, name) for name in ("path", "sender", "subject")} | {"offset": number}
        of_mail["date"] = mail.date and datetime.fromisoformat(mail.date)
        for found in mail.findings:
            values = found._asdict() | {
                "document": f"digest-{number}",
                "rivals": list(found.rivals),
                "rival_confidences": list(found.rivals.values()),
                "joined": bool(found.joins),
                "start": 0,
                "end": len(found.url),
                "problems": [
                    {"code": code, "start": start, "end": end, "rule": "rule", "message": "message"}
                    for code, start, end in found.problems
                ],
            }
            row = nothing | of_mail | {name: values[name] for name in SCHEMA.names if name in values}
            yield row
            yield row | {"path": COPY, "sender": "zoe@example.org", "subject": "Copied", "date": None}


FINDINGS = """
SELECT identity, "end", urls.url, findings.confidence, findings.cautions, settled,
    (SELECT json_group_array(json_array(url, confidence))
        FROM (SELECT url, confidence FROM readings WHERE finding = findings.id ORDER BY position)),
    (SELECT json_group_array(identity)
        FROM (SELECT identity FROM settled_by JOIN documents ON documents.id = document
            WHERE finding = findings.id ORDER BY position)),
    (SELECT json_group_array(json_array(code, "start", "end"))
        FROM (SELECT * FROM problems WHERE finding = findings.id ORDER BY position))
FROM findings JOIN urls ON urls.id = findings.url JOIN documents ON documents.id = document
"""


def test_settles_as_the_command_does(spark: SparkSession, documents: list[Mail], tmp_path: Path) -> None:
    """Each finding is the same afterwards, what settled it included. Troubles and columns of others stay."""
    path = database(tmp_path / "mail.db", documents)
    assert run("settle", path).exit_code == 0
    with closing(sqlite3.connect(path)) as connection:
        expected = Counter(
            (*plain, *map(json.dumps, map(json.loads, lists)))
            for *plain, cautions, number, readings, named, problems in connection.execute(FINDINGS)
            for plain, lists in [((*plain, number), (cautions, readings, named, problems))]
        )
    trouble = dict.fromkeys(SCHEMA.names) | {"path": "a.mbox", "trouble": "Permission denied"}
    read = frame(spark, documents, trouble).selectExpr("*", "path AS `of.mine`")
    result = settle(read)
    assert result.columns == [*SCHEMA.names[:-1], "of.mine", "settled", "settled_by", "trouble"]
    *found, unread = sorted(result.collect(), key=lambda row: row.trouble is not None)
    assert unread.asDict() == trouble | {"of.mine": "a.mbox", "settled": None, "settled_by": None}
    given = Counter(
        (
            *(row.document, row.end, row.url, row.confidence, row.settled),
            json.dumps(row.cautions),
            json.dumps([list(pair) for pair in zip(row.rivals, row.rival_confidences, strict=True)]),
            json.dumps(row.settled_by or []),
            json.dumps([[each.code, each.start, each.end] for each in row.problems]),
        )
        for row in found
        if row.path != COPY
    )
    assert given == expected
    outcomes = Counter(row[4] for row in expected.elements())
    assert outcomes[None] > 100
    assert outcomes.total() - outcomes[None] > 100
    assert 38 in outcomes or 39 in outcomes or 40 in outcomes, "a reading that many documents have"


def as_rows(df: DataFrame) -> Counter[str]:
    """The rows, each as JSON."""
    rows = df.where("trouble IS NULL").select([column.name for column in COLUMNS]).toArrow().to_pylist()
    return Counter(json.dumps(row, default=lambda date: date.strftime("%Y-%m-%dT%H:%M:%SZ")) for row in rows)


def test_settles_mail_as_the_command_does(spark: SparkSession, tmp_path: Path) -> None:
    """The rows of a settled scan are those of a settled catalogue of the same files."""
    db, letters = tmp_path / "mail.db", tmp_path / "letters"
    letters.mkdir()
    (letters / "a.mbox").write_text(message(1, "anna@example.org", "The concerts", BROKEN), encoding="ascii")
    (letters / "b.mbox").write_text(message(2, "bert@example.org", "Third page", LETTER), encoding="ascii")
    paths = [letters, CORPUS / "mail"]
    catalog(db, *paths, "--joins", "never")
    before = rows(db)
    read = scan(spark, paths, joins="never", size=20_000).cache()
    assert as_rows(read) == before
    assert run("settle", db).exit_code == 0
    after = rows(db)
    assert after != before
    assert as_rows(settle(read)) == after


def test_what_a_scan_did_not_return_is_refused(spark: SparkSession) -> None:
    """Rows without the columns that settling needs, and rows that are settled."""
    nothing = spark.createDataFrame([], from_arrow_schema(SCHEMA))
    with pytest.raises(UnknownNameError, match="joined"):
        settle(nothing.drop("joined"))
    with pytest.raises(ValueError, match="settled already"):
        settle(nothing.selectExpr("*", "NULL AS settled"))
