"""Draws the charts of a report as SVG, by pygal, with text alternatives, and without what runs or is fetched.

The colours, the type and the lines are those of the page's style sheet (`report.css`), by the classes that pygal gives
to its elements: so a chart is legible in print and in the dark as well.

pygal is part of the extra `report`.
"""

from __future__ import annotations

import sys
from importlib import import_module
from typing import Any
from xml.etree import ElementTree as ET

from urlglean.archive.report_blocks import Chart
from urlglean.errors import MissingExtraError

NARROW, WIDE = 360, 920
"""Widths of the two drawings of a chart, in units that are pixels where there is room. The style sheet shows one."""

_SIZE = 13
"""The size of the type, of which pygal reckons the room for labels; the style sheet has the same."""

_BAR = 26
"""Height of a lying bar with the space around it."""

_LETTER = 8
"""Width of a letter of a label, about."""

_AXIS = 60
"""Width of the labels beside upright columns, about."""

_DROPPED = {"script", "style", "defs", "desc", "title", ET.Comment}
"""What pygal adds for a page of its own, and for a pointer over a bar."""


def drawn(chart: Chart, width: int) -> str:
    """The chart as an `svg` element.

    Args:
        chart: what to draw.
        width: `NARROW` or `WIDE`.

    Raises:
        MissingExtraError: pygal is not installed.
    """
    pygal = _pygal()
    options: dict[str, Any] = {
        "style": pygal.style.Style(label_font_size=_SIZE, major_label_font_size=_SIZE, value_font_size=_SIZE),
        "width": width,
        "value_formatter": "{:,.0f}".format,
        "max_scale": 8,
        "js": [],
        "css": [],
        "show_legend": False,
        "margin": 4,
        "no_data_text": "",
    }
    made = _bars(pygal, chart, options) if chart.form == "bars" else _columns(pygal, chart, options)
    return _accessible(made.render_tree(), chart, f"{chart.name}-{width}")


def _bars(pygal: Any, chart: Chart, options: dict[str, Any]) -> Any:
    """Lying bars with their values behind them, the first label on top."""
    longest = max((max(values, default=0) for _, values in chart.series), default=0)
    made = pygal.HorizontalBar(
        **options,
        height=_BAR * max(len(chart.labels), 1) + 40,
        print_values=True,
        print_values_position="top",
        truncate_label=40 if options["width"] == WIDE else 20,
        show_y_guides=False,
        y_labels=[],
        range=(0, 1.2 * longest or 1),
        spacing=4,
    )
    made.x_labels = list(reversed(chart.labels))
    for name, values in chart.series:
        made.add(name, list(reversed(values)))
    return made


def _columns(pygal: Any, chart: Chart, options: dict[str, Any]) -> Any:
    """Upright columns, with as many labels as have room side by side."""
    room = (options["width"] - _AXIS) // (_LETTER * (max(map(len, chart.labels), default=0) + 2))
    made = pygal.StackedBar(
        **options,
        height=320 if options["width"] == WIDE else 240,
        show_minor_x_labels=False,
        x_labels_major_every=-(-len(chart.labels) // max(1, room)) or 1,
        truncate_label=-1,
    )
    made.x_labels = list(chart.labels)
    for name, values in chart.series:
        made.add(name, list(values))
    return made


def _pygal() -> Any:
    try:
        pygal = import_module("pygal")
        import_module("pygal.style")
    except ImportError as error:
        raise MissingExtraError("a report needs the packages pygal and jinja2: pip install pygal jinja2") from error
    # For maps, pygal adds a finder of modules that Python 3.12 no longer asks, and 3.11 warns of at each import.
    sys.meta_path[:] = [finder for finder in sys.meta_path if type(finder).__module__ != "pygal"]
    return pygal


def _accessible(svg: ET.Element, chart: Chart, name: str) -> str:
    """The element as text, with its title and summary, and without scripts, styles and what a script would show."""
    _clean(svg)
    box = svg.get("viewBox", "")
    svg.attrib.clear()
    labelled = f"{name}-title {name}-summary"
    svg.attrib |= {"viewBox": box, "role": "img", "class": f"chart {chart.form}", "aria-labelledby": labelled}
    for tag, what, text in (("desc", "summary", chart.summary), ("title", "title", chart.title)):
        element = ET.Element(tag, {"id": f"{name}-{what}"})
        element.text = text
        svg.insert(0, element)
    return ET.tostring(svg, encoding="unicode")


def _clean(element: ET.Element) -> None:
    for child in list(element):
        if child.tag in _DROPPED or "tooltip-overlay" in child.get("class", "").split():
            element.remove(child)
        else:
            _clean(child)
