"""A row that is added to a table takes effect at once, and the fast path leaves such URLs to the slow path."""

from __future__ import annotations

import random
from collections.abc import Sequence
from pathlib import Path

import pytest
from msgspec import Struct

from tables import SOURCE, Reading, readings, with_row
from test_fast_path import PIECE_LIST, URL_LIST


class NewRow(Struct, frozen=True):
    """A row, a text on which it acts, and the URLs of the text with this row."""

    module: str
    table: str
    addition: str
    text: str
    urls: Sequence[str]


def _cut(fields: str) -> str:
    return f"CUT_RULES = (*CUT_RULES, CutRule(name='new', cuts=lambda text, _start, at, _open: at, {fields}))"


def _scheme(prose: str, dialects: str = "{}") -> str:
    return f"SCHEMES = (*SCHEMES, Scheme('frob', None, InProse({prose}), {dialects}))"


B = "http://a.example/b"
ROWS = {
    "cut-sign": NewRow("text/cut_rules.py", "CUT_RULES", _cut("signs='!'"), f"see {B}!c d", [B]),
    "cut-sign-before-another": NewRow(
        "text/cut_rules.py", "CUT_RULES", _cut("signs='=', only='='"), f"see {B}==c d", [B]
    ),
    "cut-slash": NewRow("text/cut_rules.py", "CUT_RULES", _cut("signs='/', only='/zz'"), f"see {B}//zz d", [B]),
    "cut-hyphen": NewRow("text/cut_rules.py", "CUT_RULES", _cut("signs='-'"), f"see {B}-c d", [B]),
    "cut-escape": NewRow("text/cut_rules.py", "CUT_RULES", _cut("signs='%', only='20'"), f"see {B}%20c d", [B]),
    "cut-dot": NewRow("text/cut_rules.py", "CUT_RULES", _cut("signs='.', only='zz'"), f"see {B}.zz d", [B]),
    "cut-at-a-stop": NewRow("text/cut_rules.py", "CUT_RULES", _cut("signs='.', only='[.]'"), f"see {B}...\n\nd", [B]),
    "cut-in-a-mailbox": NewRow(
        "text/cut_rules.py", "CUT_RULES", _cut("signs='+'"), "see mailto:jo@a.example?subject=b+c d",
        ["mailto:jo@a.example?subject=b"],
    ),
    "cut-behind-a-sign": NewRow(
        "text/cut_rules.py", "CUT_RULES", _cut("signs='+', before=','"), f"see ,{B}+c d and {B}+c d", [B, f"{B}+c"]
    ),
    "cut-behind-a-file": NewRow(
        "text/cut_rules.py", "CUT_RULES", _cut("signs='~', behind_file=True"), f"see {B}.html~c and {B}~c d",
        [f"{B}.html", f"{B}~c"],
    ),
    "tail": NewRow(
        "text/tail_rules.py", "TAIL_RULES", "TAIL_RULES = (*TAIL_RULES, TailRule(name='new', endings=('yyy', 'xx')))",
        f"see {B}oxx d", [f"{B}o"],
    ),
    "tail-at-a-stop": NewRow(
        "text/tail_rules.py", "TAIL_RULES", "TAIL_RULES = (TailRule(name='new', endings=('c!',)), *TAIL_RULES)",
        f"see {B}c! d", [B],
    ),
    "template": NewRow(
        "text/url_end.py", "TEMPLATE_SIGNS", "TEMPLATE_SIGNS = {**TEMPLATE_SIGNS, '<': '<'}", f"see {B}<!-- d", [B]
    ),
    "stop": NewRow("text/signs.py", "STOPS", "STOPS = STOPS + '$'", f"see {B}$ d", [B]),
    "bracket": NewRow("text/signs.py", "BRACKETS", "BRACKETS = {**BRACKETS, '!': '$'}", f"see !{B}$c d", [B]),
    "emphasis": NewRow("text/signs.py", "EMPHASIS", "EMPHASIS = EMPHASIS + '&'", f"see &{B}&, d", [B]),
    "emphasis-by-a-sign-before": NewRow("text/signs.py", "EMPHASIS", "EMPHASIS = EMPHASIS + ','", f"see ,{B}, d", [B]),
    "glued": NewRow(
        "text/glued_text.py", "GLUE_RULES",
        "GLUE_RULES = (*GLUE_RULES, GlueRule(name='new', signs='@', begins=lambda text, at, end: text.find('@', at)))",
        f"see {B}@c d", [B],
    ),
    "glued-in-a-path": NewRow(
        "text/glued_text.py", "GLUE_RULES",
        "GLUE_RULES = (*GLUE_RULES, GlueRule(name='new', signs='.', only='zz', in_path=True, "
        "begins=lambda text, at, end: text.find('.zz', at)))",
        f"see {B}.zz d and http://a.zz/b.c d", [B, "http://a.zz/b.c"],
    ),
    "extension": NewRow(
        "text/file_extension.py", "DOCUMENTS", "DOCUMENTS = (*DOCUMENTS, 'sqlite')",
        f"see {B}.sqliteThere d and {B}.sqlite--and d", [f"{B}.sqlite"] * 2,
    ),
    "sign-that-stands-for-another": NewRow(
        "text/mending.py", "SIGNS", "SIGNS = (*SIGNS, Sign('new', r'[+](?=[a-z])', (MendRule.HYPHEN,), first='+'))",
        f"see {B}+c d and {B}+7 d", [f"{B}-c", f"{B}+7"],
    ),
    "sign-outside-ascii-that-stands-for-another": NewRow(
        "text/mending.py", "SIGNS", "SIGNS = (*SIGNS, Sign('new', '¤', (MendRule.TILDE,), first='¤'))",
        f"see {B}/¤c d", [f"{B}/~c"],
    ),
    "bar": NewRow(
        "text/bars.py", "OPENED_BY", r"OPENED_BY = ((pattern(r'%\Z'), _IN_CELL), *OPENED_BY)",
        f"see %{B}|7 d\n\nand {B}|7 d", [B, f"{B}|7"],
    ),
    "doubtful-sign": NewRow(
        "text/raw_signs.py", "LEAVES_DOUBT", "LEAVES_DOUBT = LEAVES_DOUBT | {'>'}", f"see {B}> d", [B]
    ),
    "fast-scheme": NewRow(
        "grammar/schemes.py", "SCHEMES",
        _scheme("slashes=True, glued=True, fast='host'", "{'current': generic('frob')}"),
        f"see frob://a.example/b d and {B}frob://c.example/ d", ["frob://a.example/b", B, "frob://c.example/"],
    ),
    "scheme-with-slashes": NewRow(
        "grammar/schemes.py", "SCHEMES", _scheme("slashes=True"), f"see frob://a/b or {B},frob://c d",
        ["frob://a/b", B, "frob://c"],
    ),
    "scheme-without-slashes": NewRow(
        "grammar/schemes.py", "SCHEMES", _scheme("behind='[0-9]', colon=True"), "see frob: c frob:7 d", ["frob:7"]
    ),
    "scheme-around-another": NewRow(
        "grammar/schemes.py", "SCHEMES", _scheme("around=('frob',)"), f"see frob:{B} d", [f"frob:{B}"]
    ),
    "quote-mark": NewRow(
        "text/quote_prefix.py", "_ANGLES", "_ANGLES = _ANGLES + '}'",
        f"}}see {B}\n}}\n}}<http://a.example/\n}}c.html>",
        [B, "http://a.example/c.html"],
    ),
    "quoting-bar": NewRow(
        "text/quote_prefix.py", "_BARS", "_BARS = _BARS + '¦'", f"¦see {B}\n¦\n¦<http://a.example/\n¦c.html>",
        [B, "http://a.example/c.html"],
    ),
    "remark": NewRow(
        "text/wrapper_comments.py", "REMARK_RULES",
        "REMARK_RULES = (*REMARK_RULES, CommentRule('new', lambda _url, rest, *_: rest.startswith('7')))",
        f"see <URL:{B} 7c> d", [B],
    ),
    "frame": NewRow(
        "text/salvage.py", "FRAMES", "FRAMES = (*FRAMES, FrameRule('new', _where('zz')))", f"see {B}zz%qc d", [B]
    ),
    "label-of-a-host": NewRow(
        "text/scheme_triggers.py", "FIRST_LABELS", "FIRST_LABELS = {**FIRST_LABELS, 'web': 'http'}",
        f"see {B}|web.d.example", [B],
    ),
}  # fmt: skip


def _samples() -> list[str]:
    """Texts of whole URLs among many signs; always the same texts."""
    draw = random.Random(1738)
    return [
        "".join(draw.choice(PIECE_LIST) + draw.choice(URL_LIST) + draw.choice(PIECE_LIST) for _ in range(3))
        for _ in range(60)
    ]


SAMPLES = _samples()


@pytest.fixture(scope="module")
def without() -> dict[str, Reading]:
    """The results of the texts without any new row."""
    return dict(zip(ROWS, readings(SOURCE, [row.text for row in ROWS.values()]), strict=True))


@pytest.mark.parametrize("name", ROWS)
def test_a_new_row_acts_on_both_paths(name: str, without: dict[str, Reading], tmp_path: Path) -> None:
    """Its own text gives the expected URLs, and both paths give the same URLs for all texts."""
    row = ROWS[name]
    read, *others = readings(with_row(row.module, row.table, row.addition, tmp_path), [row.text, *SAMPLES])
    assert read.urls == list(row.urls)
    assert any(any(each.quick) for each in others), "the fast path takes nothing any more"
    assert [text for text, each in zip([row.text, *SAMPLES], [read, *others], strict=True) if not each.same] == []


WITHOUT_EFFECT_ON_URLS = {"doubtful-sign", "template", "emphasis-by-a-sign-before", "cut-at-a-stop"}
"""Rows that change what is reported about a URL, but not the URL."""


def test_without_the_rows_the_urls_differ(without: dict[str, Reading]) -> None:
    """Without the rows the texts give other URLs, except for rows that do not change the URL itself."""
    alike = {name for name, row in ROWS.items() if without[name].urls == list(row.urls)}
    assert alike == WITHOUT_EFFECT_ON_URLS
    assert all(read.same for read in without.values())
