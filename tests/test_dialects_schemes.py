"""The rows of the schemes, and how they are shown."""

from __future__ import annotations

import json

import pytest

from urlglean.errors import UnknownNameError
from urlglean.grammar.dialects import dialect
from urlglean.grammar.schemes import DIALECTS, GRAMMARS
from urlglean.output.schemes import jsonl_lines, lines, markdown
from urlglean.records import Parts


def test_rows_name_what_there_is() -> None:
    """Each production exists, each captured one too, and each part is one of the record."""
    for name, table in GRAMMARS.items():
        grammar = dialect(name).grammar
        named = {row.production for row in (*table.schemes, table.other)} | set(table.captures) | {table.fragment}
        assert named <= set(grammar.productions)
        assert set(table.captures.values()) <= set(Parts.__struct_fields__)
        assert len({row.name for row in table.schemes}) == len(table.schemes)


def test_default_ports_are_those_of_rfc_1738() -> None:
    """Sections 3.2 to 3.11 name them; mailto, news and file have none."""
    ports = {row.name: row.port for row in DIALECTS["rfc1738"].schemes}
    assert ports == {
        "ftp": 21,
        "http": 80,
        "gopher": 70,
        "mailto": None,
        "news": None,
        "nntp": 119,
        "telnet": 23,
        "wais": 210,
        "file": None,
        "prospero": 1525,
    }
    for table in GRAMMARS.values():
        assert {row.port for row in table.schemes if row.name in ports} >= {80, 70, 210, 1525}
        assert all(row.port == ports[row.name] for row in table.schemes if row.name in ports)


def test_http_has_no_rules_but_its_production() -> None:
    """What judges most URLs is one match."""
    for table in DIALECTS.values():
        assert [row.rules for row in table.schemes if row.name in {"http", "https"}][0] == ()  # noqa: RUF015


def test_lines_show_every_scheme_with_its_source() -> None:
    """A head for each dialect, a line a scheme, what the prose adds, and the row for all others."""
    shown = list(lines("rfc1738"))
    assert shown[0] == "rfc1738: RFC 1738"
    assert shown[1].split() == ["http", "RFC", "1738", "3.3", "80", "http://host:port/path?searchpart"]
    assert any("no-addr-spec (RFC 1738 3.5 addr-spec)" in line for line in shown)
    assert shown[-1].split()[0] == "others"
    assert [line.partition(":")[0] for line in lines() if not line.startswith(" ")] == list(DIALECTS)
    assert all(line.isprintable() for line in lines())


def test_jsonl_has_one_object_a_row() -> None:
    """All keys in each; the row for all others has no scheme."""
    rows = [json.loads(line) for line in jsonl_lines("early")]
    assert [row["scheme"] for row in rows] == [*(row.name for row in DIALECTS["early"].schemes), None]
    assert {tuple(row) for row in rows} == {("dialect", "scheme", "source", "production", "port", "form", "rules")}
    (mailto,) = [row for line in jsonl_lines("rfc1738") if (row := json.loads(line))["scheme"] == "mailto"]
    assert mailto["rules"] == [{"code": "no-addr-spec", "source": "RFC 1738 3.5 addr-spec"}]


def test_the_table_has_a_line_for_each_scheme() -> None:
    """Of every dialect; where one has no row for a scheme, its generic syntax judges."""
    head, rule, *rows, others = markdown()
    names = {row.name for table in DIALECTS.values() for row in table.schemes}
    assert {row.split("`")[1] for row in rows} == names
    assert len(rows) == len(names)
    assert head == "| scheme | port | `current` | `rfc1738` | `early` | `web` |"
    assert {line.count("|") for line in (head, rule, *rows, others)} == {7}
    assert "| `gopher` | 70 | RFC 4266 2.1 | RFC 1738 3.4 | BNF before RFC 1738 | generic |" in rows
    assert "| `https` | 443 | RFC 9110 4.2.2 | generic | generic | URL Standard 4.2 |" in rows


def test_an_unknown_dialect_is_told() -> None:
    """Rather than nothing shown."""
    with pytest.raises(UnknownNameError):
        list(lines("rfc2396"))
