"""The sections of a report on the catalogue as a whole: what was read, when, and where its URLs lead."""

from __future__ import annotations

import sqlite3
from collections.abc import Sequence

from urlglean.archive.report_blocks import Cell, Chart, Column, Figures, Section, Table, cut
from urlglean.archive.report_query import DATED, TOP, YEAR, day, number, one, rows_of, size
from urlglean.archive.report_years import NO_DATE, by_period

SHOWN = 12
"""How many bars a chart has of them."""

SERIES = 5
"""How many schemes have a colour of their own."""

SHORT = 16
"""Characters of a scheme's name at the head of a column."""

DEAD = {
    "gopher": "browsers have dropped it; few servers are left (RFC 4266)",
    "wais": "no servers are known; historic (RFC 4156)",
    "prospero": "no servers are known; historic (RFC 4157)",
    "mailserver": "never specified; historic (RFC 6196)",
    "z39.50": "replaced by z39.50r and z39.50s; historic (RFC 2056)",
    "snews": "was news over TLS; historic (RFC 5538)",
}
"""Schemes that look dead, and why. Historic: so IANA's registry of URI schemes."""


def what_was_read(connection: sqlite3.Connection) -> Section:
    """How much was read, in which runs, and what could not be."""
    # Runs count again what they see again. The places tell what there is.
    messages, others = one(
        connection,
        "SELECT sum(kind = 'message'), sum(kind <> 'message') FROM places"
        " JOIN copies ON copies.id = copy JOIN documents ON documents.id = document WHERE window = 0",
    )
    (octets,) = one(  # of a long text, each window has the length up to its end
        connection, 'SELECT sum(most) FROM (SELECT max(length) AS most FROM places GROUP BY path, member, "offset")'
    )
    (files,) = one(connection, "SELECT count(*) FROM (SELECT DISTINCT path, member FROM places)")
    (skipped,) = one(connection, "SELECT (SELECT skipped FROM runs ORDER BY id DESC LIMIT 1)")
    documents, first, last = one(
        connection, f"SELECT count(*), min({DATED}), max({DATED}) FROM documents".format("date")
    )
    (copies,) = one(connection, "SELECT count(*) FROM copies")
    urls, hosts, domains = one(
        connection, "SELECT count(*), count(DISTINCT lower(host)), count(DISTINCT domain) FROM urls"
    )
    (found,) = one(connection, "SELECT count(*) FROM findings")
    (troubles,) = one(connection, "SELECT count(*) FROM troubles")
    figures = Figures(
        [
            (number(documents), "documents"),
            (number(found), "URLs found"),
            (number(urls), "different URLs"),
            (number(hosts), "hosts"),
            (number(domains), "registered domains"),
            (number(files), "files"),
            (size(octets), "read"),
            (number(troubles), "not read completely"),
        ]
    )
    return Section(
        "read",
        "What was read",
        f"{number(messages)} messages and {number(others)} other texts were read. They are {number(documents)} "
        f"documents in {number(copies)} different copies. Their dates go from {day(first)} to {day(last)}. The last run"
        f" left out {number(skipped)} files or folders.",
        [figures, _runs(connection), _troubles(connection)],
    )


def _runs(connection: sqlite3.Connection) -> Table:
    rows = rows_of(
        connection,
        "SELECT started, CASE WHEN ended IS NULL THEN 'not ended' ELSE 'complete' END, files, messages, texts, skipped,"
        " version FROM runs ORDER BY id DESC LIMIT ?",
        TOP,
    )
    counts = [Column(name, "number") for name in ("Files", "Messages", "Texts", "Left out")]
    columns = [Column("Begun", "date"), Column("State"), *counts, Column("Version")]
    return Table("runs", f"The runs of the program, the last {TOP} at most", columns, rows)


def _troubles(connection: sqlite3.Connection) -> Table:
    rows = rows_of(
        connection,
        "SELECT CASE WHEN cause GLOB 'part [0-9]*: *' THEN substr(cause, instr(cause, ': ') + 2) ELSE cause END AS why,"
        " count(*) AS times, min(path || ifnull('!' || member, '') || ifnull('[' || message || ']', ''))"
        " FROM troubles GROUP BY why ORDER BY times DESC, why LIMIT ?",
        TOP,
    )
    (times,) = one(connection, "SELECT count(*) FROM troubles")
    return Table(
        "troubles",
        f"What could not be read completely: {number(times)} in all",
        [Column("Cause"), Column("Times", "number"), Column("For example", "url")],
        rows,
    )


_DOCUMENTS, _NEW = -2, -1
"""What is counted by year besides the URLs of each scheme, which have the numbers from 0."""


def through_the_years(connection: sqlite3.Connection) -> Section:
    """How many URLs the documents of each year hold, by scheme."""
    names = [row[0] for row in connection.execute(f"{_SCHEMES} LIMIT ?", (SERIES,))]
    counts = {
        _DOCUMENTS: dict(connection.execute(f"SELECT {YEAR.format('date')}, count(*) FROM documents GROUP BY 1")),
        _NEW: dict(connection.execute(f"SELECT {YEAR.format('first_date')}, count(*) FROM urls GROUP BY 1")),
        **{at: {} for at in range(len(names))},
    }
    chosen = "".join(f" WHEN urls.scheme IS ? THEN {at}" for at in range(len(names)))
    for year, at, times in connection.execute(
        f"SELECT {YEAR.format('documents.date')}, CASE WHEN 0 THEN 0{chosen} ELSE {len(names)} END, count(*)"
        " FROM findings CROSS JOIN documents ON documents.id = findings.document"
        " CROSS JOIN urls ON urls.id = findings.url GROUP BY 1, 2",
        names,
    ):
        counts.setdefault(at, {})[year] = times
    shown = [cut(name, SHORT) or "none" for name in names] + ["others"] * (len(names) in counts)
    rows: list[tuple[Cell, ...]] = []
    for label, each in by_period(counts).items():
        of_schemes = [each[at] for at in range(len(shown))]
        rows.append((label, each[_DOCUMENTS], sum(of_schemes), each[_NEW], *of_schemes))
    return Section(
        "years",
        "Through the years",
        "By the date in the header of each message. Dates are as their senders' machines had them, and some are wrong.",
        [
            _columns_of_years([row for row in rows if row[0] != NO_DATE], shown),
            Table(
                "years",
                "URLs by the year of the documents that hold them",
                [
                    Column("Year", "date"),
                    *(Column(name, "number") for name in ("Documents", "URLs", "New URLs", *shown)),
                ],
                rows,
                "A URL counts each time that it stands somewhere, and is new in the year in which it was seen first.",
            ),
        ],
    )


def _columns_of_years(rows: Sequence[Sequence[Cell]], schemes: Sequence[str]) -> Chart:
    totals = [(int(row[2] or 0), str(row[0])) for row in rows]
    summary = "There is nothing to draw: no document that holds a URL has a date."
    if any(times for times, _ in totals):
        most, least = max(totals), min(totals)
        summary = (
            f"Columns from {totals[0][1]} to {totals[-1][1]}, divided by scheme. The tallest is {most[1]} with "
            f"{most[0]:,} URLs, the lowest {least[1]} with {least[0]:,}. The table below has all figures."
        )
    series = [(name, [int(row[4 + at] or 0) for row in rows]) for at, name in enumerate(schemes)]
    return Chart("years", "URLs by year and scheme", summary, "columns", [str(row[0]) for row in rows], series)


_SCHEMES = (
    "SELECT urls.scheme, count(*) AS times, count(DISTINCT urls.id), min(urls.first_date), max(urls.last_date)"
    " FROM findings CROSS JOIN urls ON urls.id = findings.url GROUP BY urls.scheme ORDER BY times DESC, urls.scheme"
)


def schemes(connection: sqlite3.Connection) -> Section:
    """The schemes, and those that look dead."""
    seen = [Column("First seen", "date"), Column("Last seen", "date")]
    dead = ", ".join("?" * len(DEAD))
    rows = rows_of(
        connection,
        "SELECT scheme, count(DISTINCT urls.id) AS number, count(DISTINCT findings.document), min(first_date),"
        " max(last_date), min(urls.url) FROM urls CROSS JOIN findings ON findings.url = urls.id"
        f" WHERE scheme IN ({dead}) GROUP BY scheme ORDER BY number DESC, scheme",
        *DEAD,
    )
    return Section(
        "schemes",
        "Schemes",
        "What the URLs begin with. Those of the second table lead nowhere any more, or to a museum.",
        [
            Table(
                "schemes",
                f"The schemes, the {TOP} most frequent at most",
                [Column("Scheme"), Column("Found", "number"), Column("Different URLs", "number"), *seen],
                rows_of(connection, f"{_SCHEMES} LIMIT ?", TOP),
            ),
            Table(
                "dead",
                "Schemes that look dead",
                [
                    Column("Scheme"),
                    Column("Why"),
                    Column("Different URLs", "number"),
                    Column("Documents", "number"),
                    *seen,
                    Column("For example", "url"),
                ],
                [(row[0], DEAD[str(row[0])], *row[1:]) for row in rows],
            ),
        ],
    )


# In the order of an index, so that the URLs of one domain follow each other.
_PLACES = """
SELECT {key}, count(DISTINCT findings.document) AS documents, count(*), count(DISTINCT urls.id), min(urls.first_date),
    max(urls.last_date)
FROM urls CROSS JOIN findings ON findings.url = urls.id WHERE {key} IS NOT NULL AND {key} <> ''
GROUP BY {key} ORDER BY documents DESC, {key} LIMIT ?
"""


def where_they_lead(connection: sqlite3.Connection) -> Section:
    """The domains and hosts that most documents name."""
    columns = [
        *(Column(name, "number") for name in ("Documents", "Found", "Different URLs")),
        Column("First seen", "date"),
        Column("Last seen", "date"),
    ]
    domains = rows_of(connection, _PLACES.format(key="urls.domain"), TOP)
    hosts = rows_of(connection, _PLACES.format(key="lower(urls.host)"), TOP)
    shown = domains[:SHOWN]
    chart = Chart(
        "domains",
        "The domains that most documents name",
        ", ".join(f"{row[0]}: {row[1]:,} documents" for row in shown)
        or "There is nothing to draw: no URL has a domain.",
        "bars",
        [str(row[0]) for row in shown],
        [("documents", [int(row[1] or 0) for row in shown])],
    )
    return Section(
        "hosts",
        "Where they lead",
        "A registered domain is what somebody has registered, such as example.org for www.example.org (Public Suffix"
        " List). What many documents name stands first.",
        [
            chart,
            Table(
                "domains", f"Registered domains, the first {TOP} at most", [Column("Domain", "url"), *columns], domains
            ),
            Table("hosts", f"Hosts, the first {TOP} at most", [Column("Host", "url"), *columns], hosts),
        ],
    )
