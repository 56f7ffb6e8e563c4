"""Templates are recognised by their placeholders, and similar URLs are not."""

from __future__ import annotations

import re

import pytest

from urlglean import extract
from urlglean.text.templates import RULES, TemplateRule, is_template


@pytest.mark.parametrize(
    "url",
    [
        "http://<host>/",
        "http://h.example/${x}",
        "http://h.example/$(x)",
        "http://h.example/$HOME/x",
        "http://h.example/{name}",
        "http://h.example/{$x->y}/b",
        "http://{$this->host}/b",
        "http://h.example/?a={$x['b']}",
        "http://h.example/{x[0]}",
        "http://h.example/{?page,size}",
        "http://h.example/{a,b}.txt",
        "http://h.example/{0}/{}",
        "http://h.example/{code}",
        "http://h.example/{quote}/x",
        "http://h.example/E{code}.html",
        "http://h.example/shirt-{color}-s",
        "http://h.example/user{{user.id",
        "http://mail.h.example*/x",
        "http://mail.h.example:*",
        "http://h.example/?c={color}",
        "http://h.example/{{x}}",
        "http://h.example[:port]/",
        "http://h.example/[?query]",
        "http://h.example/%s/%d.%02x",
        "http://h.example/%(id)s",
        "http://h.example/%{version}.gz",
        "http://h.example/%@",
        "http://h.example/{%name%}",
        "http://h.example/%sindex",
        "http://h.example/%v/%v",
        "http://h.example/100%s/",
        "http://<user@host>/",
        "http://h.example/%USERNAME%",
        "http://.../",
        "http://...",
        "http://www.../",
        "http://*.example.org/",
        "http://www.*/",
        "http://h.example[dot]com/",
        "http://h.example(DOT)com/x",
        "http://h.example(.)com",
        "http://h{.}example.com",
        r"http://h\.example\.com/",
    ],
)
def test_templates_are_recognised(url: str) -> None:
    """The placeholders are those that people write."""
    assert is_template(url)


@pytest.mark.parametrize("rule", RULES, ids=lambda rule: str(rule.name))
def test_the_example_of_each_row_is_a_template(rule: TemplateRule) -> None:
    """Only that row matches its example."""
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
        "http://www.h.example*",
        "http://www.h.example**",
        "http://[::1]/",
        "http://h.example/x{quote}",
        "http://h.example/x{code},y",
        "http://h.example/{quote}",
        "http://h.example/x{{dead",
        "http://h.example/x.nsf/0/$FILE/a b.pdf",
        "http://h.example/[$LATEST]0",
        "http://h.example/a...b",
        "http://h.example/?a[]=b",
        "http://www.example.com...more",
        "http://h.example/wiki/x_(dot)",
        "http://h.example(x)",
        r"http://h.example/x\.y",
        "http://h.example/?j={%22a%22:1}",
        "http://h.example/?q={%20viewer%20{%0A%20}%20}",
        "http://h.example/?q=100%sicher",
        "http://h.example/20%sale",
        "http://h.example/?selm=<1@b.example>",
        "data:image/svg+xml;utf8,<svg a='b'><path/></svg>",
        "http://h.example/1520-0477(1996)077<0437:TNYRP>2.0.CO;2",
    ],
)
def test_urls_that_look_like_templates_are_none(url: str) -> None:
    """Examples are escapes, sums of money, identifiers, globs behind the host, and dots in a path."""
    assert not is_template(url)


@pytest.mark.parametrize(
    "url", ["http://h.example:8080%sfoo", "http://h.example/v1%sfoo", "http://h.example/{%debug%}"]
)
def test_a_placeholder_may_look_like_a_number_or_an_escape(url: str) -> None:
    """Only `100%` is a number with its sign, and JSON has its quotation mark behind the brace."""
    assert is_template(url)


def test_letters_between_two_escapes_are_no_placeholder() -> None:
    """A name that only begins like an escape is a placeholder, as in `%DATE%`."""
    for url in (
        "http://h.example/?a[]=%D6%ABSF%E5&b=c",
        "http://h.example/?a[]=%E4%BCAFE%B8%AD",
        "http://h.example/[a]%FC_%AB",
    ):
        assert not is_template(url)
    for url in (
        "http://h.example/%DATE%",
        "http://h.example/%CACHE%/x",
        "http://h.example/?a=%HOST%20",
        "http://%FACE%/",
    ):
        assert is_template(url)


@pytest.mark.parametrize("name", ["$this->host", "$x->y->z", "$x->y[1]", "$x['y']", "row[0]"])
def test_no_beginning_of_a_url_with_a_member_of_a_variable_is_found(name: str) -> None:
    """As in strings of PHP and Python."""
    for around in ("see {} now", '$x = "{}";'):
        assert not extract(around.format(f"http://h.example/a/{{{name}}}/b"))


def test_a_name_between_doubled_percent_signs_is_a_placeholder() -> None:
    """A single pair of percent signs is a wrong escape."""
    assert is_template("http://h.example/?a=%%name%%&b=c")
    assert not is_template("http://h.example/100%%")


@pytest.mark.parametrize(
    "text",
    [
        r"!^http://www\.example\.com/",
        r"http://www\.example\.(com|org)/",
        r"see http://www\.[a-z]+\.example/ now",
        r'"http://www\\.example\\.com/(.*)$"',
        r'"https://example\\.com/.*"',
        r'"http://www\.example\.com/(.*)$"',
        "http://www.example(dot)com/a",
        "http://www.example{.}com/a",
    ],
)
def test_no_part_of_a_host_with_masked_or_escaped_dots_is_found(text: str) -> None:
    """The name before such a dot is another host."""
    assert [found.rejected for found in extract(text, invalid=True)] == [True]


@pytest.mark.parametrize(
    "behind",
    [
        *("<ref>Smith 2004, p. 3</ref>", "<nowiki></nowiki>", "<guid>5</GUID>", "<item.x>http://b.example/y</item.x>"),
        *("{{dead link}}", "{{dead link|date=May 2010}}", "{{Webarchive|url=b}}", "{{cbignore|bot=x y}}"),
    ],
)
@pytest.mark.parametrize("url", ["http://a.example/b", "http://a.example/~ann/", "http://a.example/b_(c)"])
def test_an_element_and_a_template_of_a_wiki_are_none_to_fill_in(url: str, behind: str) -> None:
    """The one has its own end in the line, the other a name of several words or a named value."""
    assert extract(f"{url}{behind} z")[0].url == url


@pytest.mark.parametrize(
    "behind", ["<id></code>", "<id>/c and <id>", "{{page}}", "{{page|slug}}", "{{ page }}", "{id}"]
)
def test_other_names_are_to_fill_in(behind: str) -> None:
    """So no beginning of the URL is found."""
    assert not extract(f"<code>http://a.example/{behind} z")
