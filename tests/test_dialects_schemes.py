"""The rows of the schemes, and how they are shown."""

from __future__ import annotations

import json

import pytest

from growth import BOUND, growth
from urlglean.errors import UnknownNameError
from urlglean.grammar.dialect_tables import DIALECTS, GRAMMARS
from urlglean.grammar.dialects import dialect
from urlglean.output.schemes import jsonl_lines, lines, markdown
from urlglean.text.judge import validate
from urlglean.url_parts import Parts


def test_rows_name_existing_productions_and_parts() -> None:
    """Each production and each captured production exists, and each part is a field of the record."""
    for name, table in GRAMMARS.items():
        grammar = dialect(name).grammar
        named = {row.production for row in (*table.schemes, table.other)} | set(table.captures) | {table.fragment}
        assert named <= set(grammar.productions)
        assert set(table.captures.values()) <= set(Parts.__struct_fields__)
        assert len({row.name for row in table.schemes}) == len(table.schemes)


def test_default_ports_are_those_of_rfc_1738() -> None:
    """Sections 3.2 to 3.11 state them; mailto, news and file have none."""
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
    """Most URLs are http URLs, and one match judges them."""
    for table in DIALECTS.values():
        assert [row.rules for row in table.schemes if row.name in {"http", "https"}][0] == ()  # noqa: RUF015


def test_lines_show_every_scheme_with_its_source() -> None:
    """Each dialect has a head, a line for each scheme with its prose rules, and a line for all other schemes."""
    shown = list(lines("rfc1738"))
    assert shown[0] == "rfc1738: RFC 1738"
    assert shown[1].split() == ["http", "RFC", "1738", "3.3", "80", "http://host:port/path?searchpart"]
    assert any("no-addr-spec (RFC 1738 3.5 addr-spec)" in line for line in shown)
    assert shown[-1].split()[0] == "others"
    assert [line.partition(":")[0] for line in lines() if not line.startswith(" ")] == list(DIALECTS)
    assert all(line.isprintable() for line in lines())


def test_jsonl_has_one_object_a_row() -> None:
    """Every object has all keys; the row for all other schemes has no scheme."""
    rows = [json.loads(line) for line in jsonl_lines("early")]
    assert [row["scheme"] for row in rows] == [*(row.name for row in DIALECTS["early"].schemes), None]
    assert {tuple(row) for row in rows} == {("dialect", "scheme", "source", "production", "port", "form", "rules")}
    (mailto,) = [row for line in jsonl_lines("rfc1738") if (row := json.loads(line))["scheme"] == "mailto"]
    assert mailto["rules"] == [{"code": "no-addr-spec", "source": "RFC 1738 3.5 addr-spec"}]


def test_the_table_has_a_line_for_each_scheme() -> None:
    """A scheme has a line if any dialect has a row for it; the other dialects judge it by their generic syntax."""
    head, rule, *rows, others = markdown()
    names = {row.name for table in DIALECTS.values() for row in table.schemes}
    assert {row.split("`")[1] for row in rows} == names
    assert len(rows) == len(names)
    assert head == "| scheme | port | `current` | `rfc1738` | `early` | `web` |"
    assert {line.count("|") for line in (head, rule, *rows, others)} == {7}
    assert "| `gopher` | 70 | RFC 4266 2.1 | RFC 1738 3.4 | BNF before RFC 1738 | generic |" in rows
    assert "| `https` | 443 | RFC 9110 4.2.2 | generic | generic | URL Standard 4.2 |" in rows


def test_an_unknown_dialect_is_an_error() -> None:
    """An unknown dialect raises instead of giving an empty table."""
    with pytest.raises(UnknownNameError):
        list(lines("rfc2396"))


HASH = "5f0e2b9d4c7a8163f0e2b9d4c7a8163f0e2b9d4c"


@pytest.mark.parametrize(
    "search",
    [
        f"xt=urn:btih:{HASH}",
        f"xt=urn:btih:{HASH.upper()}&dn=a%20b&tr=udp://t.example:80/a&tr=http%3A%2F%2Ft.example%2Fa&x.pe=192.0.2.1:80",
        f"dn=bread&xl=10&xt=urn:btih:{'A7' * 16}",
        f"xt=urn%3Abtih%3A{HASH}",
        f"xt=urn:btmh:1220{'0a' * 32}",
        "xt.1=urn:sha1:YNCK&xt.2=urn:tree:tiger:ABC",
        f"xt=urn:btih:{HASH}&dn=",
    ],
)
def test_a_magnet_holds_an_exact_topic(search: str) -> None:
    """BEP 9: `xt` is the only required parameter; the hash is 40 hexadecimal digits or 32 of base32."""
    verdict = validate(f"magnet:?{search}")
    assert verdict.valid
    assert verdict.parts is not None
    assert verdict.parts.search == search


@pytest.mark.parametrize(
    ("search", "code", "start"),
    [
        ("dn=bread", "incomplete", 16),
        (f"xt=urn:btih:{HASH[1:]}", "incomplete", 59),
        (f"xt=urn:btih:{HASH}&xt=urn:btih:aa", "incomplete", 75),
        (f"xt=urn:btih:{HASH}0", "unexpected-character", 60),
        ("xt=urn:btih:", "incomplete", 20),
        ("xt=urn:btmh:", "incomplete", 20),
        ("xt=http://a.example/", "unexpected-character", 11),
        (f"xt=urn:btih:{HASH}&dn=b c", "space", 65),
        (f"xt=urn:btih:{HASH}&dn=%4", "bad-escape", 64),
    ],
)
def test_a_problem_points_at_what_a_magnet_lacks(search: str, code: str, start: int) -> None:
    """It may lack a topic, or the rest of a hash, also of a second one.

    A problem about an escape is only at a percent sign.
    """
    verdict = validate(f"magnet:?{search}")
    assert not verdict.valid
    assert [(problem.code, problem.span_in_url.start) for problem in verdict.problems] == [(code, start)]


@pytest.mark.parametrize("url", ["tel:+1-212;isub=12,34", "tel:+1-212;isub=a=b?c@d%20;ext=4", "tel:7042;isub=+;b"])
def test_an_isdn_subaddress_has_the_signs_of_a_query(url: str) -> None:
    """`uric`, of RFC 3966 3, but for the semicolon."""
    assert validate(url).valid
    assert not validate(url.replace("isub=", "isub,")).valid
    assert not validate("tel:+1-212;isub=").valid
    assert not validate("tel:+1-212;ext=5,6").valid
    assert not validate("tel:+1-212;phone-context=a@b").valid


@pytest.mark.parametrize("unit", [";isub=a", "a;b=", ";isub=a=b", ",=@?"])
def test_parameters_of_a_number_take_linear_time(unit: str) -> None:
    """Each can be read in one way only."""
    assert growth(validate, lambda size: "tel:555;isub=" + unit * (size // len(unit)) + "^", 2_000) < BOUND


@pytest.mark.parametrize("search", ["Route=[2001:db8::1]", "subject=a/b?c&priority=[1]"])
def test_header_fields_of_sip_may_have_brackets(search: str) -> None:
    """`hnv-unreserved`, of RFC 3261 25.1."""
    verdict = validate(f"sip:jo@a.example;transport=tcp?{search}")
    assert verdict.parts is not None
    assert verdict.parts.search == search
    assert not validate("http://a.example/?Route=[1]").valid


@pytest.mark.parametrize(
    ("url", "path"),
    [
        ("nfs:/export/oven", "/export/oven"),
        ("nfs:export/oven", "export/oven"),
        ("nfs://host/export/oven", "export/oven"),
        ("nfs://host//oven", "/oven"),
    ],
)
def test_a_relative_nfs_url_has_no_host(url: str, path: str) -> None:
    """`relativeURL`, of RFC 2224 10. Without a path it is no URL that anybody writes."""
    verdict = validate(url)
    assert verdict.parts is not None
    assert verdict.parts.path == path
    assert not validate("nfs:").valid
    assert not validate("nfs:/export?oven").valid
