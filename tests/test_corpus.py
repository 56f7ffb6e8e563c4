"""The marked texts of `corpus/`: the findings of each text are compared with the marks beside it."""

from __future__ import annotations

from pathlib import Path
from typing import Any, Literal, get_args

import msgspec
import pytest

import urlglean
from breaks import way
from pieces import is_tiled, rebuilt
from urlglean.records import Certainty, JoinRule, MendRule, Wrapper
from urlglean.text.finding import Finding
from urlglean.text.joining.standards import STANDARDS
from urlglean.text.joining.weights import terms

CORPUS = Path(__file__).parent.parent / "corpus"
TEXTS = sorted((CORPUS / "texts").glob("*.txt"))
FAILURES = sorted((CORPUS / "expected_failures").glob("*.txt"))


class Head(msgspec.Struct, forbid_unknown_fields=True):
    """The first line of a marked text's findings."""

    urlglean: str
    shows: str
    source: str
    flowed: Literal["", "flowed", "delsp"] = ""
    schemes: list[str] = []
    bare_hosts: bool = False
    evidence: list[str] = []


class Expected(msgspec.Struct, forbid_unknown_fields=True, omit_defaults=True):
    """One expected finding; keys that are not given are not compared."""

    url: str
    wrapper: Wrapper | msgspec.UnsetType = msgspec.UNSET
    certainty: Certainty | msgspec.UnsetType = msgspec.UNSET
    rivals: list[str] | msgspec.UnsetType = msgspec.UNSET
    joins: list[JoinRule] | msgspec.UnsetType = msgspec.UNSET
    mends: list[MendRule] = []


def read(path: Path) -> str:
    """The text with its line ends unchanged."""
    return path.read_bytes().decode()


def marks(path: Path) -> tuple[Head, list[Expected]]:
    """The marks beside a text: its head, and its expected findings in text order."""
    first, *rest = path.with_suffix(".jsonl").read_bytes().splitlines()
    return msgspec.json.decode(first, type=Head), [msgspec.json.decode(line, type=Expected) for line in rest]


def extracted(path: Path, text: str) -> list[Finding]:
    """The findings of the text, or of a copy of it with other line ends, with the options in its head."""
    head, _ = marks(path)
    return urlglean.extract(text, flowed=head.flowed, schemes=head.schemes, bare_hosts=head.bare_hosts)


def seen(finding: Finding, keys: set[str]) -> dict[str, Any]:
    """The fields of a finding that an expectation names, in the form in which the expectation has them."""
    shown = {
        "url": finding.url,
        "wrapper": finding.wrapper,
        "certainty": finding.certainty,
        "rivals": list(finding.rivals),
        "joins": [join.rule.value for join in finding.joins],
        "mends": [mend.rule.value for mend in finding.mends],
    }
    return {key: shown[key] for key in shown if key in keys or (key == "mends" and shown[key])}


def hold(path: Path) -> None:
    """Asserts that a text gives exactly the findings beside it, in their order."""
    _, expected = marks(path)
    wanted = [msgspec.to_builtins(each) for each in expected]
    found = extracted(path, read(path))
    assert [finding.url for finding in found] == [each["url"] for each in wanted]
    assert [seen(finding, set(each)) for finding, each in zip(found, wanted, strict=True)] == wanted


def by_stem(path: Path) -> str:
    """The name of a case in the list of tests."""
    return path.stem


@pytest.mark.parametrize("path", TEXTS, ids=by_stem)
def test_a_text_gives_the_findings_beside_it(path: Path) -> None:
    """URLs, wrappers, certainty, rivals, joins and mends are as marked, as far as the marks name them."""
    hold(path)


@pytest.mark.parametrize("path", FAILURES, ids=by_stem)
@pytest.mark.xfail(raises=AssertionError, strict=True, reason="not read rightly yet; one that passes moves to texts/")
def test_an_expected_failure_still_fails(path: Path) -> None:
    """A text that is read correctly now must be moved out of `expected_failures/`."""
    hold(path)


@pytest.mark.parametrize("path", TEXTS, ids=by_stem)
def test_line_ends_of_the_network_change_nothing(path: Path) -> None:
    """A text gives the same URLs with CRLF as with LF (RFC 5322 2.3: mail travels with CRLF), and as probable.

    So it does with CR CR LF, which a copy as text on DOS makes of CR LF.
    """
    unix = read(path).replace("\r\n", "\n")
    expected = extracted(path, unix)
    for end in ("\r\n", "\r\r\n"):
        found = extracted(path, unix.replace("\n", end))
        assert [f.url for f in found] == [f.url for f in expected]
        assert [f.confidence for f in found] == pytest.approx([f.confidence for f in expected])


def in_text(path: Path, url: str) -> str:
    """The part of a URL that is in the text: without the assumed scheme of a host."""
    text = read(path).replace("\n", "").replace("> ", "")
    if not marks(path)[0].bare_hosts or url in text:
        return url
    return url.removeprefix("http://").removeprefix("ftp://")


@pytest.mark.parametrize("path", TEXTS + FAILURES, ids=by_stem)
def test_pieces_and_joins_tile_the_span(path: Path) -> None:
    """The pieces of every finding give the URL, and with the joins between them they cover its span without a gap."""
    text = read(path)
    for finding in extracted(path, text):
        assert finding.assumed + rebuilt(text, finding) == finding.url
        assert is_tiled(finding)


@pytest.mark.parametrize("path", TEXTS + FAILURES, ids=by_stem)
def test_marks_are_well_formed(path: Path) -> None:
    """A case has a description and a source, and each URL can be made from the text by removing characters.

    Replacing signs is allowed too, if the expectation names the mends.
    """
    head, expected = marks(path)
    assert head.urlglean == "marked text"
    assert head.shows.endswith((".", "?"))
    assert head.source.startswith(("RFC ", "BEP ", "ISO ", "arXiv: ", "POSIX.1-2017", "reStructuredText", "guess: "))
    rest = iter(read(path))
    assert all(character in rest for each in expected if not each.mends for character in in_text(path, each.url))


def test_every_text_has_its_marks_and_no_name_is_used_twice() -> None:
    """Each .txt has its .jsonl and the other way round, over both folders."""
    found = sorted([*(CORPUS / "texts").iterdir(), *(CORPUS / "expected_failures").iterdir()])
    stems = [path.stem for path in TEXTS + FAILURES]
    assert len(set(stems)) == len(stems)
    assert found == sorted(path.with_suffix(end) for path in TEXTS + FAILURES for end in (".txt", ".jsonl"))


@pytest.mark.parametrize("path", [path for path in TEXTS if marks(path)[0].evidence], ids=by_stem)
def test_a_break_is_decided_by_the_evidence_that_is_named(path: Path) -> None:
    """The evidence in the head supports the mark: that the URL goes on behind its first line end, or ends there."""
    head = marks(path)[0]
    step = way(read(path), head.flowed)[0]
    if step.decided:
        assert head.evidence == [step.decided.name]
        return
    goes_on = path.stem.startswith("bare-broken-")
    assert (step.log_odds > 0) == goes_on
    spoken = {term.feature for term in terms(step.at) if (term.log_odds > 0) == goes_on}
    assert set(head.evidence) <= spoken


@pytest.mark.parametrize(
    "path", [path for path in TEXTS if path.stem.startswith(("bare-broken-", "whole-"))], ids=by_stem
)
def test_evidence_is_named_wherever_a_break_is_weighed(path: Path) -> None:
    """A text in which a line end is weighed names its evidence; a text without evidence has no such line end."""
    head = marks(path)[0]
    assert bool(head.evidence) == bool(way(read(path), head.flowed))


@pytest.mark.parametrize("row", [row.name for row in STANDARDS if row.rule])
def test_every_join_of_a_standard_has_its_text(row: str) -> None:
    """For each standard that joins lines, a text is joined because of it."""
    assert [row] in [marks(path)[0].evidence for path in TEXTS]


def test_every_wrapper_is_marked_somewhere() -> None:
    """The texts contain each kind of wrapper, and some texts contain no URL."""
    marked = [marks(path)[1] for path in TEXTS]
    assert {each.wrapper for case in marked for each in case} - {msgspec.UNSET} == set(get_args(Wrapper))
    assert [] in marked
