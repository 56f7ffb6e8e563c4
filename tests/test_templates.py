"""Places to be filled in are told, and what only looks like one is none."""

from __future__ import annotations

import re

import pytest

from urlglean.text.templates import RULES, TemplateRule, is_template


@pytest.mark.parametrize(
    "url",
    [
        "http://<host>/",
        "http://h.example/${x}",
        "http://h.example/$(x)",
        "http://h.example/$HOME/x",
        "http://h.example/{name}",
        "http://h.example/{?page,size}",
        "http://h.example/{a,b}.txt",
        "http://h.example/{0}/{}",
        "http://h.example/{{x}}",
        "http://h.example[:port]/",
        "http://h.example/[?query]",
        "http://h.example/%s/%d.%02x",
        "http://h.example/%(id)s",
        "http://h.example/%{version}.gz",
        "http://h.example/%@",
        "http://h.example/%USERNAME%",
        "http://.../",
        "http://...",
        "http://www.../",
        "http://*.example.org/",
        "http://www.*/",
    ],
)
def test_places_to_be_filled_in_are_told(url: str) -> None:
    """In the ways in which people write them."""
    assert is_template(url)


@pytest.mark.parametrize("rule", RULES, ids=lambda rule: str(rule.name))
def test_each_way_to_write_a_template_is_told(rule: TemplateRule) -> None:
    """The example of each row is one by that row alone."""
    assert is_template(rule.example)
    assert [other.name for other in RULES if re.search(other.written, rule.example)] == [rule.name]


@pytest.mark.parametrize(
    "url",
    [
        "http://h.example/%2f%3d%20d",
        "http://h.example/?a=$5&b=$x",
        "http://h.example/{0F3A21B7-66D0-4C1E-9A55-20DD18C0A7E4}",
        "http://h.example/[a]/b",
        "http://h.example/*.html",
        "http://h.example/a...b",
        "http://h.example/?a[]=b",
        "http://www.example.com...more",
    ],
)
def test_what_only_looks_like_a_template_is_none(url: str) -> None:
    """Escapes, sums of money, identifiers, globs behind the host, dots in a path."""
    assert not is_template(url)


def test_a_name_between_doubled_percent_signs_is_to_be_filled_in() -> None:
    """A lone pair of them is an escape gone wrong."""
    assert is_template("http://h.example/?a=%%name%%&b=c")
    assert not is_template("http://h.example/100%%")
