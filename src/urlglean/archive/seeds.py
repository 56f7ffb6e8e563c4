"""Lists the URLs of a catalogue for a crawler.

URLs are one seed if they have the same `href`. Seeds are in the order of their SURT, as a web archive's index is, then
of their `href`; those without a SURT come last. So two lists can be compared line by line.
"""

from __future__ import annotations

import csv
import io
import sqlite3
from collections.abc import Callable, Iterable, Iterator
from typing import Any, Literal
from urllib.parse import quote

import msgspec
from msgspec import Struct

from urlglean.archive.seed_rules import RULES, Asked, Rule, Seed, pieces_of
from urlglean.expressions import compiled
from urlglean.output.text import printable
from urlglean.pipeline.wanted import Wanted, forms_of, matches


class Selection(Struct, frozen=True, kw_only=True):
    """Which URLs of a catalogue are listed. An empty value selects all.

    Attributes:
        least: the least confidence of a URL's best finding.
        schemes: the schemes, in lower case; they are listed even if no crawler fetches them.
        hosts: patterns of the host, as in `Wanted.hosts`.
        domains: the registered domains, in either form of IDNA.
        newsgroups: patterns, as in `Wanted.newsgroups`, of groups in which a document was posted that holds the URL.
        since: the earliest date: a year, month or day in ISO 8601, UTC.
        until: the latest date: a year, month or day, the whole of which is meant.
        seen: whether the dates are those on which a URL was seen "first" or "last".
        everything: whether what a crawler should not fetch is listed too.

    Raises:
        DateError: `since` or `until` is no year, month or day.
        ContradictionError: `until` is before `since`, or a pattern is empty or has a "[" that is not closed.
    """

    least: float = 0.5
    schemes: tuple[str, ...] = ()
    hosts: tuple[str, ...] = ()
    domains: tuple[str, ...] = ()
    newsgroups: tuple[str, ...] = ()
    since: str = ""
    until: str = ""
    seen: Literal["first", "last"] = "first"
    everything: bool = False

    def __post_init__(self) -> None:
        Wanted(hosts=self.hosts, newsgroups=self.newsgroups, since=self.since, until=self.until)  # checks them


_QUERY = """
SELECT urls.href, min(urls.surt) AS surt, min(lower(urls.scheme)), min(lower(urls.host)), min(lower(urls.domain)),
    max(findings.confidence), count(DISTINCT findings.document), min(urls.first_date), max(urls.last_date)
FROM urls CROSS JOIN findings ON findings.url = urls.id CROSS JOIN copies ON copies.id = findings.copy
WHERE {where}
GROUP BY {group}
HAVING {having}
ORDER BY surt NULLS LAST, urls.href
"""

# Which URLs are one: in the order of an index, so that they follow each other without a sort. (CROSS JOIN keeps SQLite
# from another order: https://www.sqlite.org/optoverview.html 8.2.) URLs that browsers refuse are each for itself.
_GROUPS = (("urls.href IS NOT NULL", "urls.href"), ("urls.href IS NULL", "urls.id"))

# The condition that a field of `Selection` sets. SQLite knows the case of ASCII letters alone, and no IDNA.
_CONDITIONS = {
    "schemes": "wants_scheme(urls.scheme)",
    "hosts": "wants_host(urls.host)",
    "domains": "wants_domain(urls.domain)",
    "newsgroups": "EXISTS (SELECT 1 FROM json_each(copies.newsgroups) WHERE wants_newsgroup(value))",
}
_DATES = {"first": "min(urls.first_date)", "last": "max(urls.last_date)"}


def judged(connection: sqlite3.Connection, selection: Selection) -> Iterator[tuple[Seed, Rule | None]]:
    """The URLs that were selected, each with the rule by which it is no seed, None if it is one. Seeds are in order.

    Raises:
        sqlite3.Error: the catalogue cannot be read.
    """
    _define(connection, selection)
    rules = [rule for rule in RULES if rule.always or not selection.everything]
    for statement, values in _queries(selection):
        for row in connection.execute(statement, values):
            seed = Seed(*row)
            asked = Asked(seed, pieces_of(seed.href), selection.schemes, selection.least)
            yield seed, next((rule for rule in rules if rule.refuses(asked)), None)


def _define(connection: sqlite3.Connection, selection: Selection) -> None:
    """Define what the conditions ask of a value in the database."""
    schemes, domains = ({name.lower() for name in names} for names in (selection.schemes, selection.domains))
    functions: dict[str, Callable[[str | None], bool]] = {
        "wants_scheme": lambda scheme: (scheme or "").lower() in schemes,
        "wants_host": lambda host: host is not None and matches(selection.hosts, forms_of(host)),
        "wants_domain": lambda domain: not domains.isdisjoint(form.lower() for form in forms_of(domain or "")),
        "wants_newsgroup": lambda group: matches(selection.newsgroups, [group or ""]),
    }
    for name, function in functions.items():
        connection.create_function(name, 1, function, deterministic=True)


def _queries(selection: Selection) -> Iterator[tuple[str, list[str]]]:
    """The statements, each with the values of its question marks."""
    having, values = [], []
    where = [condition for field, condition in _CONDITIONS.items() if getattr(selection, field)]
    if selection.since:
        having.append(f"{_DATES[selection.seen]} >= ?")
        values.append(selection.since)
    if selection.until:
        having.append(f"substr({_DATES[selection.seen]}, 1, {len(selection.until)}) <= ?")
        values.append(selection.until)
    for known, group in _GROUPS:
        yield (
            _QUERY.format(where=" AND ".join([known, *where]), group=group, having=" AND ".join(having) or "1"),
            values,
        )


def _text_lines(seeds: Iterable[Seed]) -> Iterator[str]:
    for seed in seeds:
        yield f"{_one_line(seed.href or '')}\n"


def _surt_lines(seeds: Iterable[Seed]) -> Iterator[str]:
    """Each SURT once: seeds with the same one follow each other."""
    before = None
    for seed in seeds:
        if seed.surt is not None and seed.surt != before:
            before = seed.surt
            yield f"{_one_line(seed.surt)}\n"


def _json_lines(seeds: Iterable[Seed]) -> Iterator[str]:
    for seed in seeds:
        yield f"{msgspec.json.encode(seed).decode()}\n"


def _csv_lines(seeds: Iterable[Seed]) -> Iterator[str]:
    yield _record(Seed.__struct_fields__)
    for seed in seeds:
        yield _record(printable(value) if isinstance(value, str) else value for value in msgspec.structs.astuple(seed))


def _record(values: Iterable[Any]) -> str:
    """A record of RFC 4180."""
    line = io.StringIO()
    csv.writer(line, lineterminator="\r\n").writerow(values)
    return line.getvalue()


FORMATS: dict[str, Callable[[Iterable[Seed]], Iterator[str]]] = {
    "text": _text_lines,
    "jsonl": _json_lines,
    "surt": _surt_lines,
    "csv": _csv_lines,
}
"""By the name of a format: the lines that it makes of seeds."""

_NO_SIGN_OF_A_URL = compiled(r"[^!-~]+")


def _one_line(href: str) -> str:
    """`href` with what could end or hide in a line percent-encoded.

    The URL Standard leaves blanks in URLs without an authority, such as those of `mailto`. What else may stand there
    was put into the catalogue by another program.
    """
    return _NO_SIGN_OF_A_URL.sub(lambda found: quote(found[0], safe=""), href)
