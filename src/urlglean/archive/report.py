"""Makes a page of HTML that reports on a catalogue: one file, which fetches nothing and needs no script to be read.

What the catalogue holds comes from strangers. It is text wherever it stands in the page: the template engine escapes it
(jinja2, with autoescape on), and a policy in the page allows no style and no script but its own.

jinja2 is part of the extra `report`, like pygal, which draws the charts.
"""

from __future__ import annotations

import sqlite3
from base64 import b64encode
from collections.abc import Iterable, Sequence
from hashlib import sha256
from html import escape
from importlib import import_module
from importlib.resources import files
from typing import Any

from msgspec.structs import asdict

from urlglean.archive.report_blocks import LONGEST, Chart, Section, cut
from urlglean.archive.report_charts import NARROW, WIDE, drawn
from urlglean.archive.report_figures import schemes, through_the_years, what_was_read, where_they_lead
from urlglean.archive.report_readings import broken_urls, how_they_were_written, not_valid, oldest_and_newest
from urlglean.errors import MissingExtraError
from urlglean.output.show import Bit, Face
from urlglean.version import __version__

SECTIONS = (
    what_was_read,
    through_the_years,
    schemes,
    where_they_lead,
    how_they_were_written,
    broken_urls,
    not_valid,
    oldest_and_newest,
)
"""The sections of the page, in their order."""

_MARKED = Face(
    {
        "url": "<mark>{text}</mark>",
        "url+": "<mark>{text}</mark>",
        "no-url": '<mark class="no">{text}</mark>',
        "no-url+": '<mark class="no">{text}</mark>',
        "taken": "<s>{text}</s>",
    },
    escape,
)


def page(connection: sqlite3.Connection, name: str) -> str:
    """The page on a catalogue. It depends on nothing but the catalogue, its name, and the files of the samples.

    Args:
        connection: the catalogue, in autocommit mode.
        name: what to call it.

    Raises:
        MissingExtraError: jinja2 or pygal is not installed.
        sqlite3.Error: the catalogue cannot be read.
    """
    template, trusted = _template()
    connection.execute("BEGIN")  # so that all figures are of one moment, even while the catalogue grows
    try:
        sections = [section(connection) for section in SECTIONS]
        (until,) = connection.execute("SELECT max(ended) FROM runs").fetchone()
    finally:
        connection.execute("ROLLBACK")
    charts = [block for section in sections for block in section.blocks if isinstance(block, Chart)]
    style, script = (files("urlglean.archive").joinpath(f"report.{kind}").read_text("utf-8") for kind in ("css", "js"))

    def marked(bits: Iterable[Bit]) -> Any:
        return trusted(_MARKED(bits))

    html: str = template.render(
        name=cut(name),
        version=__version__,
        until=(cut(until) or "")[:10],
        sections=[_shown(section) for section in sections],
        drawings={chart.name: [(form, trusted(drawn(chart, width))) for form, width in _FORMS] for chart in charts},
        marked=marked,
        longest=LONGEST,
        style=trusted(style),
        script=trusted(script),
        policy=_policy(style, script),
    )
    return html


_FORMS = (("wide", WIDE), ("narrow", NARROW))


def _template() -> tuple[Any, type[str]]:
    """The template, and the type of a text that is HTML already.

    Raises:
        MissingExtraError: jinja2 is not installed.
    """
    try:
        jinja2, markupsafe = import_module("jinja2"), import_module("markupsafe")
    except ImportError as error:
        raise MissingExtraError("a report needs the packages pygal and jinja2: pip install pygal jinja2") from error
    environment = jinja2.Environment(autoescape=True, undefined=jinja2.StrictUndefined)
    source = files("urlglean.archive").joinpath("report.html").read_text(encoding="utf-8")
    return environment.from_string(source), markupsafe.Markup


def _shown(section: Section) -> dict[str, Any]:
    """A section for the template, which asks each block for its `kind`."""
    blocks: Sequence[dict[str, Any]] = [{"kind": type(block).__name__, **asdict(block)} for block in section.blocks]
    return {**asdict(section), "blocks": blocks}


def _policy(*inline: str) -> str:
    """The Content-Security-Policy of a page that fetches nothing and has these texts inside.

    Only texts with these digests are a style sheet or a script (Content Security Policy Level 3, 8.4).
    """
    style, script = (f"'sha256-{b64encode(sha256(text.encode()).digest()).decode()}'" for text in inline)
    return f"default-src 'none'; style-src {style}; script-src {script}; base-uri 'none'; form-action 'none'"
