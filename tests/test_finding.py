"""Findings and occurrences are values: they can be sent, compared and made into rows, and name their judges."""

import json
import pickle
from pathlib import Path
from typing import Any, get_args

import msgspec
import pytest

import urlglean
from urlglean.columns import COLUMNS, OF_FINDING
from urlglean.grammar.dialect_tables import DIALECTS
from urlglean.output import jsonl
from urlglean.output.jsonl import SURROGATE
from urlglean.records import Dialect, Envelope, Origin, TextPart
from urlglean.text.extract import Extractor
from urlglean.text.finding import Finding

CORPUS = Path(__file__).parent.parent / "corpus" / "texts"
TEXTS = [path.read_bytes().decode("utf-8", "surrogateescape") for path in sorted(CORPUS.glob("*.txt"))]


def found_in(text: str, dialect: Dialect = "current") -> list[Finding]:
    """All findings of a text, rejected ones too."""
    return urlglean.extract(text, dialect, invalid=True)


def only_values(value: object) -> bool:
    """Whether a value consists only of records, tuples and JSON values, and nothing in it can be called."""
    if isinstance(value, msgspec.Struct):
        return all(only_values(getattr(value, name)) for name in value.__struct_fields__)
    if isinstance(value, tuple):
        return all(map(only_values, value))
    return isinstance(value, str | int | float | None)


def test_the_names_of_dialects_are_those_of_the_tables() -> None:
    """The `Literal` type lists exactly the dialects that exist."""
    assert get_args(Dialect) == tuple(DIALECTS)


@pytest.mark.parametrize("dialect", get_args(Dialect))
def test_findings_are_values(dialect: Dialect) -> None:
    """They hold only values, pickle exactly, and hash by their values."""
    seen = 0
    for text in TEXTS:
        for finding in found_in(text, dialect):
            copy = pickle.loads(pickle.dumps(finding))
            assert only_values(finding)
            assert copy == finding
            assert hash(copy) == hash(finding)
            assert (copy.parts, copy.cautions) == (finding.parts, finding.cautions)
            seen += 1
    assert seen > 100


def test_findings_of_one_text_by_two_dialects_differ() -> None:
    """The name of the dialect is part of the finding."""
    (one,), (other,) = (urlglean.extract("see http://a.example/ there", name) for name in ("current", "rfc1738"))
    assert one != other
    assert one == urlglean.extract("see http://a.example/ there")[0]


def test_a_finding_becomes_json_and_comes_back() -> None:
    """JSON made by `msgspec` gives the same finding again, with all its fields."""
    for text in TEXTS:
        for finding in found_in(text):
            if not any(map(SURROGATE.search, (finding.url, *finding.rivals))):  # which JSON cannot encode
                assert msgspec.json.decode(msgspec.json.encode(finding), type=Finding) == finding


def row_of(finding: Finding, text: str) -> tuple[urlglean.Occurrence, dict[str, Any]]:
    """An occurrence of a finding, and its decoded line of JSON."""
    envelope = Envelope("<a@b>", "1994-12-01T00:00:00Z", "a@b", "s", ("comp.os", "comp.lang"))
    origin = Origin("box", "m", 420, 99, 7)
    made = urlglean.Occurrence(finding, 3, TextPart(text, "1.2", "subject"), envelope, origin)
    (line,) = jsonl.lines([made])
    return made, json.loads(line)


def test_dictionaries_are_rows() -> None:
    """Keys, their order and values are those of a line of JSON: all for an occurrence, the first ones for a finding."""
    for text in TEXTS:
        for finding in found_in(text):
            made, row = row_of(finding, text)
            assert list(made.to_dict()) == [column.name for column in COLUMNS]
            assert list(finding.to_dict()) == [column.name for column in OF_FINDING]
            if not any(map(SURROGATE.search, (finding.url, *finding.rivals))):
                assert made.to_dict() == row
                assert finding.to_dict() == {name: row[name] for name in finding.to_dict()}


def test_a_raw_url_has_the_scheme_host_and_cautions_of_browsers() -> None:
    """The dialect refuses the URL, so its parts by that dialect are None."""
    (found,) = urlglean.extract("see http://a.example/a|b there")
    row = found.to_dict()
    assert (found.valid, found.dialect, found.taken_by, found.parts) == (False, "current", "web", None)
    assert (row["valid"], row["host"]) == (False, "a.example")
    assert row["cautions"] == [*urlglean.validate(found.url, "web").cautions]


def test_a_finding_is_shown_in_one_line() -> None:
    """Its `repr` has the URL, the place and the certainty, and no character that a terminal obeys."""
    text = "see <URL:http://a.example/b> and <URL:http://a.example/\x1bb>"
    first, second = urlglean.extract(text, invalid=True)
    assert repr(first) == f"Finding('http://a.example/b', 9:27, url-angle, stated, {first.confidence:.3f})"
    (hidden,) = urlglean.extract("see http://ho\u034fst.example/ there")
    assert repr(hidden).startswith(r"Finding('http://ho\u034fst.example/', 4:")
    assert repr(second) == r"Finding('http://a.example/\x1bb', 38:57, url-angle, rejected)"
    made, _ = row_of(first, text)
    assert repr(made) == f"Occurrence({first!r}, 'box' 'm' 7 '1.2' 'subject', line 3)"


def test_many_texts_give_what_each_gives() -> None:
    """`extract_many` gives the same as `extract` for each text, in order, whatever the options, for str and bytes."""
    octets = [text.encode("utf-8", "surrogatepass") for text in TEXTS[:20]]
    assert list(urlglean.extract_many(TEXTS)) == [urlglean.extract(text) for text in TEXTS]
    assert list(urlglean.extract_many(TEXTS, schemes=[])) == [urlglean.extract(text, schemes=[]) for text in TEXTS]
    assert list(urlglean.extract_many(octets)) == [urlglean.extract(each) for each in octets]
    asked = {"invalid": True, "strict": True, "schemes": ["doi"], "bare_hosts": True, "flowed": "delsp"}
    many = urlglean.extract_many(TEXTS, "rfc1738", "never", **asked)  # type: ignore[arg-type]
    assert list(many) == [urlglean.extract(text, "rfc1738", "never", **asked) for text in TEXTS]  # type: ignore[arg-type]


def test_many_texts_are_taken_one_by_one() -> None:
    """A generator is asked for a text only when its findings are asked for."""
    texts = iter(["http://a.example/1", "http://a.example/2"])
    found = urlglean.extract_many(texts)
    assert [one.url for one in next(found)] == ["http://a.example/1"]
    assert next(texts) == "http://a.example/2"
    assert list(found) == []


@pytest.mark.parametrize(
    ("texts", "options", "error"),
    [
        ([], {"dialect": "rfc0"}, urlglean.UnknownNameError),
        ([], {"joins": "always"}, urlglean.UnknownNameError),
        ([], {"flowed": "fixed"}, urlglean.UnknownNameError),
        ([], {"schemes": ["a b"]}, urlglean.SchemeNameError),
        ([], {"schemes": "doi"}, TypeError),
        ("http://a.example/", {}, TypeError),
        (b"http://a.example/", {}, TypeError),
        (None, {}, TypeError),
    ],
)
def test_wrong_use_raises_at_the_call(texts: Any, options: dict[str, Any], error: type[Exception]) -> None:
    """It does not wait until the first text is taken."""
    with pytest.raises(error):
        urlglean.extract_many(texts, **options)


def test_a_value_that_is_no_text_raises_when_it_is_reached() -> None:
    """The findings of the texts before it are given."""
    found = urlglean.extract_many(["http://a.example/", 1])
    assert len(next(found)) == 1
    with pytest.raises(TypeError, match="int"):
        next(found)


def test_missing_texts_of_a_column_hold_no_url() -> None:
    """As data frames mark them; a number is no text."""
    pandas = pytest.importorskip("pandas")
    column = pandas.Series(["http://a.example/", None, float("nan"), pandas.NA, pandas.NaT], dtype=object)
    assert [len(found) for found in urlglean.extract_many(column)] == [1, 0, 0, 0, 0]
    with pytest.raises(TypeError, match="float"):
        list(urlglean.extract_many([0.5]))


def test_an_extractor_can_be_used_again() -> None:
    """Reading the same text again gives the same findings, whatever was read in between."""
    extractor = Extractor("current", "likely", invalid=True)
    assert [extractor(text) for text in TEXTS] == [extractor(text) for text in TEXTS]
