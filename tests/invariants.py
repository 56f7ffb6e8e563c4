"""The invariants of every finding, verdict, message and file. The fuzzers and the tests share them.

Each function raises AssertionError if an invariant does not hold, and returns the objects that it has checked.
"""

from __future__ import annotations

import csv
import io
import json
import pickle
import re
from contextlib import suppress
from itertools import pairwise
from unittest.mock import patch

import msgspec
from msgspec import Struct

from pieces import is_tiled, rebuilt
from urlglean import Finding, Occurrence, Parts, PartsError, Verdict, extract, extract_many, validate
from urlglean.bounds import Bounds
from urlglean.columns import COLUMNS, OF_FINDING
from urlglean.grammar.codes import CODES
from urlglean.mail import html, read
from urlglean.mail.rewriting import decoded
from urlglean.output import FORMATS, document_lines, verdicts
from urlglean.output.jsonl import SURROGATE
from urlglean.output.show import bits
from urlglean.pipeline.glean import Report, glean
from urlglean.pipeline.options import Options
from urlglean.records import Dialect, Document, Flowed, Joins, Problem, Span, TextPart, Trouble
from urlglean.sources import Item, Taken, detect, unbundled
from urlglean.sources.streams import Stream
from urlglean.text import effort, fast_path
from urlglean.text.judge import judge_of, unsplit

_BLANK_AT_END = re.compile(r"=(?:20|09|0D|0A|A0)\Z")
_ABOUT_THE_TEXT = {"unclosed-wrapper", "too-many-readings"}
"""Problems that a valid URL may have too."""

_ROUNDING = 1e-5
"""How far a sum of probabilities may exceed 1, because no path has the probability 0 (`decision.NO_ZERO`)."""

# If a defect of this program was caught, the trouble has the name of the exception (`pipeline.glean.cause_of`).
_CAUGHT = re.compile(r"(?:part \S+: |body: MIME not understood \()?[A-Z]\w*(?:Error|Exception): ")


class Asked(Struct, frozen=True):
    """The options of `extract`, with their defaults."""

    dialect: Dialect = "current"
    joins: Joins = "likely"
    flowed: Flowed = ""
    strict: bool = False
    schemes: tuple[str, ...] = ()
    bare_hosts: bool = False

    def of(self, text: str | bytes, *, invalid: bool = False) -> list[Finding]:
        """The findings of a text."""
        return extract(
            text,
            self.dialect,
            self.joins,
            invalid=invalid,
            strict=self.strict,
            flowed=self.flowed,
            schemes=self.schemes,
            bare_hosts=self.bare_hosts,
        )


def slowly(text: str, asked: Asked) -> list[Finding]:
    """All findings of a text, made without the fast path."""
    with patch.object(fast_path, "DIALECTS", frozenset()):
        return asked.of(text, invalid=True)


def hold_in_text(text: str, asked: Asked) -> list[Finding]:
    """Asserts the invariants of a text's findings, and returns the findings, including rejected ones."""
    every = asked.of(text, invalid=True)
    assert every == slowly(text, asked) or _is_alike_without_bounds(text, asked), "the fast path differs"
    assert every == asked.of(text, invalid=True), "a second call differs"
    found = [finding for finding in every if not finding.rejected]
    assert found == asked.of(text), "invalid=True changes the other findings"
    octets = text.encode("utf-8", "surrogatepass")
    if octets.decode("utf-8", "surrogateescape") == text:
        assert every == asked.of(octets, invalid=True), "octets differ from their text"
    for one, other in pairwise(every):
        assert one.span.end <= other.span.start, f"overlap: {one!r} {other!r}"
    for finding in every:
        hold_in_finding(text, finding, asked)
    (many,) = extract_many(
        [text],
        asked.dialect,
        asked.joins,
        strict=asked.strict,
        flowed=asked.flowed,
        schemes=asked.schemes,
        bare_hosts=asked.bare_hosts,
    )
    assert many == found, "extract_many differs"
    return every


def _is_alike_without_bounds(text: str, asked: Asked) -> bool:
    """Whether the fast path makes no difference if the effort has no bound: it leaves more of it for what follows."""
    with patch.object(effort, "LEAST_FREE", 10**9):
        return asked.of(text, invalid=True) == slowly(text, asked)


def hold_in_finding(text: str, finding: Finding, asked: Asked) -> None:
    """Asserts the invariants of a finding in a text."""
    _hold_places(text, finding)
    _hold_verdict(finding, asked)
    _hold_rivals(finding)
    _hold_value(finding)
    if asked.joins == "never":
        assert not finding.joins, "joined, although joins is never"
    if finding.certainty == "plain":
        assert finding.wrapper == "bare"
        assert (finding.joins, finding.mends, finding.assumed) == ((), (), "")
        assert finding.pieces == (finding.span,)
        # A rejected candidate is not a URL, and without the text around it there may be no candidate at all. At the end
        # of a text, "=20" may be a blank of quoted-printable.
        if not finding.rejected and not _BLANK_AT_END.search(finding.url):
            alone = asked.of(finding.url, invalid=True)
            itself = msgspec.structs.replace(finding, span=Span(0, len(finding.url)), confidence=0.0, problems=())
            told = [msgspec.structs.replace(each, confidence=0.0, pieces=finding.pieces, problems=()) for each in alone]
            assert told == [itself], f"plain, but alone {alone}"


def _hold_places(text: str, finding: Finding) -> None:
    span = finding.span
    assert 0 <= span.start <= span.end <= len(text), f"span {span}"
    assert span.start < span.end or (finding.rejected and not finding.url), "an empty URL that is not rejected"
    for places in (finding.pieces, [join.at for join in finding.joins], [mend.at for mend in finding.mends]):
        assert all(span.start <= each.start and each.end <= span.end for each in places), f"outside its span: {places}"
        assert all(each.start < each.end for each in places) or not finding.url, f"empty: {places}"
        assert all(one.end <= other.start for one, other in pairwise(places)), f"out of order: {places}"
    assert finding.pieces, "no pieces"
    assert is_tiled(finding), "pieces, joins and mends do not cover the span"
    assert finding.assumed + rebuilt(text, finding) == finding.url, "the pieces do not give the URL"


def _hold_verdict(finding: Finding, asked: Asked) -> None:
    verdict = validate(finding.url, asked.dialect)
    assert finding.dialect == asked.dialect
    assert finding.valid == (not finding.rejected and finding.taken_by is None)
    if finding.valid or asked.dialect != "web":  # what "web" accepts is found only if it looks like a URL
        assert finding.valid == verdict.valid, f"validate says {verdict}"
    assert not (asked.strict and finding.taken_by), "raw, although strict"
    if finding.taken_by is not None:
        assert validate(finding.url, finding.taken_by).valid
    codes = {problem.code for problem in finding.problems}
    assert codes <= CODES.keys()
    if "simply-read" not in codes:  # then nothing says what else is wrong
        assert (codes <= _ABOUT_THE_TEXT) == finding.valid, f"problems {codes}"
    _hold_problems(finding.url, finding.problems)
    assert set(finding.cautions) <= CODES.keys()
    assert finding.parts == verdict.parts


def _hold_problems(url: str, problems: tuple[Problem, ...]) -> None:
    for problem in problems:
        at = problem.span_in_url
        assert 0 <= at.start <= at.end <= len(url), f"a problem outside its URL: {problem}"
        assert problem.message
        assert problem.rule


def _hold_rivals(finding: Finding) -> None:
    assert finding.url not in finding.rivals
    assert len(set(finding.rivals)) == len(finding.rivals)
    shares = finding.rival_confidences
    assert len(shares) == len(finding.rivals)
    assert all(0 <= share <= 1 for share in (finding.confidence, *shares))
    assert list(shares) == sorted(shares, reverse=True), f"not best first: {shares}"
    assert finding.confidence + sum(shares) <= 1 + _ROUNDING, f"more than certain: {finding.confidence} {shares}"


def _hold_value(finding: Finding) -> None:
    copy = pickle.loads(pickle.dumps(finding))
    assert copy == finding
    assert hash(copy) == hash(finding)
    row = finding.to_dict()
    assert list(row) == [column.name for column in OF_FINDING]
    assert "\n" not in repr(finding)
    assert repr(finding).isprintable()
    if not any(map(SURROGATE.search, (finding.url, *finding.rivals))):  # which UTF-8 cannot encode, and JSON would pair
        assert json.loads(json.dumps(row)) == row
        assert msgspec.json.decode(msgspec.json.encode(finding), type=Finding) == finding


def _hold_requests(parts: Parts) -> None:
    for request, schemes in ((parts.ftp_commands, {"ftp", "ftps"}), (parts.gopher_request, {"gopher"})):
        with suppress(PartsError):
            request()
            assert parts.scheme in schemes, f"a request for {parts}"


def hold_in_verdict(url: str, dialect: Dialect) -> Verdict:
    """Asserts the invariants of the verdict on a URL."""
    verdict = validate(url, dialect)
    assert verdict == validate(url, dialect)
    assert verdict.valid == judge_of(dialect).valid(url) == (verdict.parts is not None) == (not verdict.problems)
    assert (verdict.href is not None) == (verdict.valid and dialect == "web")
    assert {problem.code for problem in verdict.problems} <= CODES.keys() or dialect == "web"
    assert set(verdict.cautions) <= CODES.keys() or dialect == "web"
    assert verdict.valid or not verdict.cautions
    _hold_problems(url, verdict.problems)
    if verdict.parts is not None:
        for name in verdict.parts.__struct_fields__:
            verdict.parts.decoded(name)
        _hold_requests(verdict.parts)
        if dialect == "web":
            again = validate(verdict.href or "", dialect)
            assert (again.valid, again.href) == (True, verdict.href), f"href {verdict.href!r} again: {again}"
        else:
            assert unsplit(verdict.parts, dialect).casefold() == url.casefold(), "the parts do not give the URL"
    assert pickle.loads(pickle.dumps(verdict)) == verdict
    assert all(line.isprintable() for line in verdicts.lines(url, verdict, dialect))
    return verdict


def hold_in_message(octets: bytes, asked: Asked) -> Report:
    """Asserts the invariants of a message: its parts come from their octets, its findings are those of its parts."""
    document = Document("message", octets, "message")
    options = Options(
        asked.dialect,
        asked.joins,
        invalid=True,
        strict=asked.strict,
        schemes=asked.schemes,
        bare_hosts=asked.bare_hosts,
    )
    (report,) = glean([document], options)
    assert report.message == read(octets), "a second reading differs"
    hold_troubles(report.troubles)
    for part in report.message.parts:
        assert of_its_octets(octets, part), f"not from its octets: {part}"
    left = list(report.occurrences)
    for part in report.message.parts:
        if not part.whole:
            wanted = msgspec.structs.replace(asked, flowed=part.flowed).of(part.text, invalid=True)
            mine, left = left[: len(wanted)], left[len(wanted) :]
            assert [each.finding for each in mine] == wanted, f"other findings than those of {part}"
        elif left and left[0].part == part:
            left = left[1:]
    assert not left
    hold_in_rows(report.occurrences)
    shown = bits(document, report.message, report.occurrences[0].envelope, report.occurrences, 1) if left else ()
    assert all(bit.text.replace("\n", "").replace("\t", "").isprintable() for bit in shown)
    return report


def hold_troubles(troubles: tuple[Trouble, ...]) -> None:
    """Asserts that no trouble reports a defect of this program."""
    for trouble in troubles:
        assert not _CAUGHT.match(trouble.cause), trouble.cause
        assert trouble.cause
        assert "\n" not in trouble.cause


def of_its_octets(octets: bytes, part: TextPart) -> bool:
    """Whether the octets that a part names, decoded by its steps, give its text."""
    made = part.decoding
    if made is None:
        return False
    text = decoded(octets, made)
    if not made.html:
        return text == part.text
    page = html.read(text)
    return (
        page.text == part.text if part.field is None else (part.field, part.text, part.line, part.label) in page.links
    )


def hold_in_rows(occurrences: tuple[Occurrence, ...]) -> None:
    """Asserts that each occurrence has the right line, and that each format writes one record for it."""
    for each in occurrences:
        start, end = each.finding.span.start, each.finding.span.end
        assert 0 <= start <= end <= len(each.part.text)
        assert each.line == each.part.line + len(re.findall(r"\r\n|\r|\n", each.part.text[:start])), f"line {each.line}"
        assert list(each.to_dict()) == [column.name for column in COLUMNS]
    for name, form in FORMATS.items():
        lines = form.lines(occurrences)
        assert len(lines) == len(occurrences), name
        for line in lines:
            text = line.decode()  # raises if it is not UTF-8
            if name == "csv":
                (record,) = csv.reader(io.StringIO(text, newline=""))
                assert len(record) == len(COLUMNS)
            elif form.of_documents:  # a part of the line of its document, so it has no line end of its own
                assert "\n" not in text, f"{name}: {text!r}"
                msgspec.json.decode(line, type=document_lines.FindingLine)  # raises if it is none
            else:
                assert text.count("\n") == 1, f"{name}: {text!r}"
                assert name not in {"text", "urls"} or text[:-1].isprintable(), f"{name}: {text!r}"


def hold_in_file(octets: bytes, block: int) -> list[Item]:
    """Asserts that a file of unknown kind gives the same items in small blocks as all at once."""
    items = _items(octets, Bounds())
    assert items == _items(octets, Bounds(block=block)), f"read in blocks of {block}, the items differ"
    hold_troubles(tuple(item for item in items if isinstance(item, Trouble)))
    return items


def _items(octets: bytes, bounds: Bounds) -> list[Item]:
    found = unbundled(detect.read(Stream("file", io.BytesIO(octets).read1, bounds=bounds)))
    return [item for item in found if not isinstance(item, Taken)]
