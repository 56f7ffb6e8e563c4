"""The sections of a report on how URLs were read: wrappers, joins, what is wrong with them."""

from __future__ import annotations

import sqlite3
from itertools import pairwise

from urlglean.archive.report_blocks import Cell, Chart, Column, Samples, Section, Table
from urlglean.archive.report_query import TOP, number, one, rows_of
from urlglean.archive.report_samples import finding_sample, reject_sample
from urlglean.grammar.codes import CODES
from urlglean.output.show import CERTAINTIES, JOINS

ENDS = 10
"""How many of the oldest and of the newest URLs are listed."""

SAMPLED = 8
"""How many problems have samples."""

BANDS = (0.0, 0.5, 0.8, 0.9, 0.95, 0.98, 1.0)
"""The edges of the bands of confidence."""

WITNESSES = ((1, "one other document"), (2, "2 to 4 others"), (5, "5 to 9 others"), (10, "10 others or more"))
"""How many documents settled a reading: the least number, and the words for it."""

WRAPPERS = {
    "url-angle": "<URL:...>, as RFC 1738 asks",
    "angle": "<...>, as RFC 3986 asks",
    "url-prefix": "URL:... without brackets",
    "quoted": "in quotation marks",
    "bare": "nothing around it",
}


# Those that were broken, once each.
_BROKEN = "(SELECT DISTINCT finding FROM joins) CROSS JOIN findings ON findings.id = finding"


def how_they_were_written(connection: sqlite3.Connection) -> Section:
    """Wrappers, and whether the URL is stated, plain or inferred."""
    (total,) = one(connection, "SELECT count(*) FROM findings")
    broken = dict(connection.execute(f"SELECT wrapper, count(*) FROM {_BROKEN} GROUP BY wrapper"))
    wrappers = rows_of(
        connection,
        "SELECT wrapper, count(*) AS times, sum(confidence), min(id), max(id) FROM findings GROUP BY wrapper"
        " ORDER BY times DESC, wrapper LIMIT ?",
        TOP,
    )
    certainties = rows_of(
        connection,
        "SELECT certainty, count(*) AS times, avg(confidence) FROM findings GROUP BY certainty ORDER BY times DESC"
        " LIMIT ?",
        TOP,
    )
    every = float(total or 1)
    samples = [finding_sample(connection, f"{row[0]}", number) for row in wrappers for number in _both(*row[3:])]
    found, sure = [Column("Found", "number"), Column("Share", "share")], Column("Mean confidence", "confidence")
    return Section(
        "written",
        "How they were written",
        "A wrapper is what stands around a URL. The confidence is the probability that a URL is exactly what a careful"
        " reader would copy.",
        [
            Table(
                "wrappers",
                "Wrappers",
                [Column("Wrapper"), Column("What it is"), *found, Column("Broken", "number"), sure],
                [
                    (name, WRAPPERS.get(str(name), ""), times, times / every, broken.get(name, 0), summed / times)
                    for name, times, summed, *_ in wrappers
                ],
            ),
            Table(
                "certainty",
                "Certainty",
                [Column("Certainty"), Column("What it is"), *found, sure],
                [(name, CERTAINTIES.get(name, ""), times, times / every, mean) for name, times, mean in certainties],
            ),
            Samples("The first and the last one of each wrapper", samples),
        ],
    )


# For each URL that was broken somewhere, the first and the last document in which it stands whole.
_WHOLE = """
WITH broken AS MATERIALIZED (SELECT DISTINCT finding FROM joins),
    wanted AS MATERIALIZED (SELECT DISTINCT url FROM broken CROSS JOIN findings ON findings.id = finding),
    whole AS MATERIALIZED (
        SELECT findings.url, min(document) AS first, max(document) AS last
        FROM wanted CROSS JOIN findings ON findings.url = wanted.url
        WHERE NOT EXISTS (SELECT 1 FROM joins WHERE joins.finding = findings.id)
        GROUP BY findings.url
    )
"""
_SURE = """
SELECT {band} AS band, count(*), count(*) - count(settled), count(settled), avg(confidence),
    sum(whole.first <> document OR whole.last <> document)
FROM broken CROSS JOIN findings ON findings.id = finding LEFT JOIN whole ON whole.url = findings.url
GROUP BY band ORDER BY band
"""


def broken_urls(connection: sqlite3.Connection) -> Section:
    """How many URLs were broken, by which rule they were joined, and how sure that is."""
    broken, settled = one(connection, f"SELECT count(*), count(settled) FROM {_BROKEN}")
    (total,) = one(connection, "SELECT count(*) FROM findings")
    rules = rows_of(
        connection,
        "SELECT rule, count(*) AS times, min(finding), max(finding) FROM joins GROUP BY rule ORDER BY times DESC, rule"
        " LIMIT ?",
        TOP,
    )
    bands = _bands(connection)
    settled_samples = one(connection, "SELECT min(id), max(id) FROM findings WHERE settled IS NOT NULL")
    samples = [finding_sample(connection, f"{row[0]}", at) for row in rules for at in _both(*row[2:])]
    samples += [finding_sample(connection, "settled", at) for at in _both(*settled_samples)]
    return Section(
        "broken",
        "Broken URLs",
        f"{number(broken)} of {number(total)} URLs were broken, most of them over lines, and put together again."
        f" {number(settled)} readings were settled by what stands elsewhere in the collection.",
        [
            Table(
                "joins",
                "What was taken out between their pieces",
                [Column("Rule"), Column("What it is"), Column("Times", "number")],
                [(rule, JOINS.get(rule, ""), times) for rule, times, *_ in rules],
            ),
            _sure_chart(bands),
            Table(
                "sure",
                "How sure the joined URLs are",
                [
                    Column("Confidence"),
                    *(Column(name, "number") for name in ("Broken URLs", "Not settled", "Settled")),
                    Column("Mean confidence", "confidence"),
                    Column("Stand whole elsewhere", "number"),
                ],
                bands,
                "If the confidences are right, of 1,000 broken URLs with a mean confidence of 0.970 about 970 are"
                " exactly what was meant. Those that stand whole in another document have a witness for it.",
            ),
            _settled(connection),
            Samples("The first and the last one of each rule", samples),
        ],
    )


def _bands(connection: sqlite3.Connection) -> list[tuple[Cell, ...]]:
    """For each band of confidence its name, and the figures of the broken URLs in it."""
    band = " ".join(f"WHEN confidence < {edge} THEN {at}" for at, edge in enumerate(BANDS[1:-1]))
    counted = {
        row[0]: row[1:]
        for row in rows_of(connection, _WHOLE + _SURE.format(band=f"CASE {band} ELSE {len(BANDS) - 2} END"))
    }
    names = [f"{low:.2f} to {high:.2f}" for low, high in pairwise(BANDS)]
    return [
        (name, count, own, settled, mean, whole or 0)
        for at, name in enumerate(names)
        for count, own, settled, mean, whole in [counted.get(at, (0, 0, 0, None, 0))]
    ]


def _sure_chart(bands: list[tuple[Cell, ...]]) -> Chart:
    series = [("not settled", [int(row[2] or 0) for row in bands]), ("settled", [int(row[3] or 0) for row in bands])]
    summary = "; ".join(f"confidence {row[0]}: {row[1]:,} broken URLs, {row[3]:,} of them settled" for row in bands)
    return Chart(
        "sure",
        "Broken URLs by confidence",
        summary,
        "columns",
        [str(row[0]).replace(" to ", "–") for row in bands],
        series,
    )


def _settled(connection: sqlite3.Connection) -> Table:
    """How many readings were settled by how many documents."""
    cases = " ".join(f"WHEN settled >= {least} THEN {at}" for at, (least, _) in reversed(list(enumerate(WITNESSES))))
    rows = rows_of(
        connection,
        f"SELECT CASE {cases} END AS witnesses, count(*), avg(confidence) FROM findings"
        " WHERE settled >= 1 GROUP BY witnesses ORDER BY witnesses",
    )
    return Table(
        "settled",
        "Readings that the collection settled",
        [Column("The reading stands whole in"), Column("Settled", "number"), Column("Mean confidence", "confidence")],
        [(WITNESSES[int(at or 0)][1], *rest) for at, *rest in rows],
    )


def not_valid(connection: sqlite3.Connection) -> Section:
    """What is wrong with URLs that were found, and with what was rejected."""
    (rejected,) = one(connection, "SELECT count(*) FROM rejects")
    (refused,) = one(connection, "SELECT count(*) FROM findings WHERE NOT valid")
    problems = rows_of(
        connection,
        "SELECT code, count(*) AS times, min(finding) FROM problems WHERE position = 0 GROUP BY code"
        " ORDER BY times DESC, code LIMIT ?",
        TOP,
    )
    reasons = rows_of(
        connection,
        "SELECT CASE WHEN json_valid(problems) THEN ifnull(json_extract(problems, '$[0].code'), 'none') END AS code,"
        " count(*) AS times, min(id), max(id) FROM rejects GROUP BY code ORDER BY times DESC, code LIMIT ?",
        TOP,
    )
    return Section(
        "refused",
        "What is wrong",
        f"{number(refused)} URLs were found although the standard refuses them, because browsers take them and a reader"
        f" would copy them. {number(rejected)} places looked like a URL and were rejected. The first problem of each"
        " counts.",
        [
            Table(
                "problems",
                "Problems of URLs that were found",
                [Column("Problem"), Column("What it is"), Column("Times", "number")],
                [(code, _meaning(code), times) for code, times, _ in problems],
            ),
            Table(
                "rejects",
                "Why others were rejected",
                [Column("Problem"), Column("What it is"), Column("Times", "number")],
                [(code, _meaning(code), times) for code, times, *_ in reasons],
            ),
            Samples(
                "One URL for each problem",
                [finding_sample(connection, str(code), at) for code, _, at in problems[:SAMPLED]],
            ),
            Samples(
                "The first and the last that was rejected, by problem",
                [reject_sample(connection, str(code), at) for code, _, *ids in reasons[:SAMPLED] for at in _both(*ids)],
            ),
        ],
    )


def oldest_and_newest(connection: sqlite3.Connection) -> Section:
    """The URLs that were seen first, and those that appeared last."""
    columns = [
        Column("URL", "url"),
        Column("First seen", "date"),
        Column("Last seen", "date"),
        Column("Documents", "number"),
    ]
    tables = [
        Table(
            name,
            caption,
            columns,
            rows_of(
                connection,
                "SELECT url, first_date, last_date, documents FROM urls WHERE first_date IS NOT NULL"
                f" ORDER BY first_date {order}, url LIMIT ?",
                ENDS,
            ),
        )
        for name, caption, order in (
            ("oldest", "The URLs that were seen first", "ASC"),
            ("newest", "The URLs that appeared last", "DESC"),
        )
    ]
    return Section("ends", "Oldest and newest", "By the dates in the headers of the messages, true or not.", tables)


def _both(*numbers: Cell) -> list[int]:
    """The numbers, each once, without those that are absent."""
    return [at for at in dict.fromkeys(numbers) if isinstance(at, int)]


def _meaning(code: Cell) -> str:
    known = CODES.get(str(code))
    return f"{known.meaning} ({known.source})" if known else ""
