"""The end of a bare URL: each row of the tables has a text that only this row ends in this way."""

from __future__ import annotations

import re

import pytest

from urlglean import Dialect, extract
from urlglean.text.confidence import confidence_of
from urlglean.text.cut_rules import CUT_RULES
from urlglean.text.cuts_in_code import COMMENTS, LONGEST_STRING
from urlglean.text.glued_text import GLUE_RULES, glued_at
from urlglean.text.scheme_triggers import AROUND
from urlglean.text.tail_rules import TAIL_RULES
from urlglean.text.url_end import end_of

URL = "http://www.example.org/a"
HOLDING = [
    *("view-source", "feed", "blob", "filesystem", "jar", "jdbc", "r2dbc", "scm:git", "scm:svn", "scm:hg", "scm:cvs"),
]
ENDED = {
    "following-url": f"{URL}|;{URL}",
    "linked-picture": f"{URL}.png|!:{URL}",
    "next-cell": f",{URL}/|,200",
    "next-command": f"$ wget {URL}.tgz|;tar xzf",
    "next-command-behind-success": f"$ wget {URL}.tgz|&&tar xzf",
    "option-of-gcc": f"[8;;{URL}#index-Wunused|-Wunused8;;]",
    "next-link": f"the [3]{URL}|[4]next",
    "next-argument": f"@uref{{{URL}|,GNU licenses}}",
    "next-setting": f"={URL}|,v={URL}",
    "next-cell-of-table": f"id,url,n\n1,{URL}|,5",
    "next-attribute": f'{URL}.txt|;link="x"',
    "next-cell-behind-semicolon": f";{URL}.html|;rose",
    "line-and-column": f"{URL}.js|:12:34",
    "line-and-column-of-a-script": f"{URL}.tsx?t=1715|:12:34",
    "comment-end": f"/*{URL}|*/",
    "closing-tag": f"{URL}|[/url]x",
    "opening-tag": f"{URL}|[b]x[/b]",
    "identifier-of-tag": f"[url={URL}|:3fq2v8yz]x[/url:3fq2v8yz]",
    "url-in-brackets": f"{URL}|[({URL})]",
    "url-behind": f"{URL}|{URL}",
    "url-known-by-its-rest-behind": f"{URL}|magnet:?xt=urn:btih:c12fe1c06bba254a9dc9f519b335aa7c1367a88a",
    "script-behind": f"{URL}.html|javascript:void(0)",
    "dash-behind-a-file": f"{URL}.html|--and so",
    "arrow": f"{URL}|->x",
    "double-arrow": f"{URL}|=> x",
    "escaped-blanks": f"{URL}.html|=20\nx",
    "entity": f"{URL}|&gt;x",
    "case-ending": f"{URL}|'den",
    "case-ending-behind-a-file": f"{URL}.html|:ssä on",
    "case-ending-behind-a-slash": f"{URL}/|-ban van",
    "word-behind-a-top-level-domain": "http://www.example.com|-based",
    "shown-control": f"{URL}|^M\nx",
    "date-behind-a-file": f"{URL}.html|,2019-9-11 x",
    "date-of-access": f"{URL}/|(accessedon3May2020",
    "heading": f"{URL}|.Contact: Ann",
    "title-of-a-picture": f"!{URL}.png|(oven)!",
    "next-parameter": f"#ref({URL}.png|,nolink)",
    "next-address": f"{URL}|,Email:ann@a.example",
    "remark-behind-a-repository": f"{URL}.git|(fetch)",
    "ruler-of-a-message": f"{URL}|-----Original Message-----",
    "end-of-change": f"{{+see {URL}|+}}x",
    "closing-quote": f"'{URL}|'x",
    "end-of-colour": f"{URL}|$(NC)x",
    "end-of-string": f"x = 'see {URL}|',y",
    "unopened-bracket": f"({URL}|)x",
    "remark-in-brackets": f"{URL}|(of an hour)",
    "word-behind-a-file": f"{URL}.pdf|There",
    "sentence-behind-a-host": "http://www.example.org|.The x",
    "size-of-a-file": f"{URL}.zip|(12.5MB)",
    "dot-leader": f"{URL}|.......12",
    "note": f"{URL}|²",
    "lost-sign": f"?{URL}|?has",
    "lost-signs-between": f"{URL}|?or?{URL}",
    "next-host": "www.example.org/a|,www.example.net",
    "end-of-argument": rf"\verb+{URL}|+x",
    "smiley": f"{URL}|;-D",
    "closing-punctuation": f"{URL}|.",
    "possessive": f"{URL}|'s",
    "emphasis": f"*{URL}|*",
    "enclosed": f"=={URL}|==",
    "shell-and": f"{URL}|&&",
    "ruler": f"{URL}|====",
    "edge": f"{URL}|________/",
    "dash": f"{URL}.html|-",
}


@pytest.mark.parametrize("rule", [row.name for row in (*CUT_RULES, *GLUE_RULES, *TAIL_RULES)])
def test_every_row_has_an_example(rule: str) -> None:
    """Each row of the tables is tested below."""
    assert rule in ENDED


@pytest.mark.parametrize("rule", ENDED)
def test_each_rule_ends_its_example_alone(rule: str) -> None:
    """The URL ends at the bar, and no other row is named."""
    before, behind = ENDED[rule].split("|")
    text, start = before + behind, max(0, before.find("http"))
    end = end_of(text, start)
    assert (end.at, end.cut_by) == (len(before), (rule,))
    found = extract(text, bare_hosts=True)[0]
    assert (found.url, found.certainty) == (found.assumed + before[start:], "inferred")


@pytest.mark.parametrize("rule", ENDED)
def test_a_host_without_a_scheme_ends_as_the_url_with_it_does(rule: str) -> None:
    """A reader adds the scheme to what stands there, and ends it by the same signs."""
    before, behind = ENDED[rule].split("|")
    start = max(0, before.find("http"))
    host = before[:start] + before[start:].removeprefix("http://")
    end = end_of(host + behind, start)
    assert (end.at, end.cut_by) == (len(host), (rule,))
    if rule in {"end-of-argument", "word-behind-a-top-level-domain"}:
        return  # no host is searched behind a plus sign, or before a hyphen
    found = extract(host + behind, bare_hosts=True)[0]
    assert (found.url, found.certainty) == (f"http://{host[start:]}", "inferred")


@pytest.mark.parametrize(
    ("text", "urls"),
    [
        ("Ann,sip:ann@a.example,Bob", ["sip:ann@a.example"]),
        ("Ann,tel:+1-555-0123,Bob", ["tel:+1-555-0123"]),
        ("Ann;urn:isbn:0395363411;Bob", ["urn:isbn:0395363411"]),
        ("uri,n\ntel:+1-555-0123,5\nurn:isbn:0395363411,6", ["tel:+1-555-0123", "urn:isbn:0395363411"]),
        ("1,urn:isbn:0395363411,5\n2,urn:isbn:1843560283,6", ["urn:isbn:0395363411", "urn:isbn:1843560283"]),
        ("urn:x-a:1,5 Some oven\nurn:x-a:1,6 More ovens", ["urn:x-a:1,5", "urn:x-a:1,6"]),
        (
            "1,mailto:a@a.example,b@a.example it\n2,mailto:b@a.example,c so",
            ["mailto:a@a.example,b@a.example", "mailto:b@a.example"],
        ),
        ("1,mailto:a@a.example,5\n2,mailto:b@a.example,6", ["mailto:a@a.example", "mailto:b@a.example"]),
        ("see sip:ann@a.example,Bob", ["sip:ann@a.example"]),
        ("see sip:ann@a.example:5060,Bob", ["sip:ann@a.example:5060"]),
        ("see tel:+1-555-0123,Bob", ["tel:+1-555-0123"]),
        ("sip:ann@a.example,sip:bob@a.example", ["sip:ann@a.example", "sip:bob@a.example"]),
        ("1,data:text/plain;base64,QQ==,x", ["data:text/plain;base64,QQ=="]),
        ("n,uri,a,b\n1,data:text/plain,rose,5", ["data:text/plain,rose"]),
        ("1,data:text/plain,rose", ["data:text/plain,rose"]),
        ("/*urn:isbn:0395363411*/", ["urn:isbn:0395363411"]),
        ("1,mailto:ann@a.example,bob@b.example", ["mailto:ann@a.example,bob@b.example"]),
    ],
)
def test_a_url_without_slashes_ends_by_the_same_rules(text: str, urls: list[str]) -> None:
    """So do those in a table: the comma before the data of a data URL belongs to it, and so does one of an address."""
    found = extract(text)
    assert [each.url for each in found] == urls
    assert all(each.valid for each in found)


def test_a_name_behind_an_address_is_the_next_cell() -> None:
    """Another address would be one of the same URL (RFC 6068 2)."""
    assert end_of("1,mailto:ann@a.example,Bob", 2).cut_by == ("next-cell",)
    assert end_of("1,mailto:ann@a.example,bob@a.example", 2).cut_by == ()


@pytest.mark.parametrize("url", ["data:text/plain;base64,QQ==", "sip:ann@a.example;lr", "tel:+1-555-0123;ext=12"])
def test_a_parameter_of_a_url_without_a_host_is_no_command(url: str) -> None:
    """A shell would take it for one, but no command fetches such a URL."""
    for behind in (" && ls", " | sh"):
        assert extract(f"$ curl {url}{behind}")[0].url == url


def test_the_next_row_shows_the_cells_of_hosts_without_schemes() -> None:
    """A host is enough of a URL to tell a column of them."""
    found = extract("www.a.example/x,5\nwww.b.example/y,6 six", bare_hosts=True)
    assert [each.url for each in found] == ["http://www.a.example/x", "http://www.b.example/y"]


def test_a_word_behind_a_host_without_a_scheme_may_belong_to_it() -> None:
    """Then the host with it is the rival."""
    (found,) = extract("at www.a.example.The crawler", bare_hosts=True)
    assert (found.url, found.rivals) == ("http://www.a.example", ("http://www.a.example.The",))


@pytest.mark.parametrize(
    ("before", "behind"),
    [
        ("INSERT INTO x VALUES (1, '{} see ", "','2004-01-01 00:00:00',3);"),
        (r"x = f('it\'s {} see ", "',NULL,3);"),
        ("*{} ", "*, b"),
        ("| {} ", "|b"),
        ("{{{{x|y={} ", "|b=c}}"),
    ],
)
def test_what_opens_around_a_url_may_stand_far_before_it(before: str, behind: str) -> None:
    """A post in a dump of a database is one string, and a paragraph is one line."""
    (found,) = extract(before.format("word " * 100) + URL + behind)
    assert found.url == URL


@pytest.mark.parametrize("scheme", ["tcp", "Rtmp", "svn+ssh", "stratum+tcp", "thrift"])
@pytest.mark.parametrize("divider", [",", ";", ",,"])
def test_a_list_of_urls_of_any_scheme_is_divided(scheme: str, divider: str) -> None:
    """The scheme of a URL is as sure a sign of the next one as a usual one is."""
    for path in (":61616", "/b", "/b?c=d"):
        urls = [f"{scheme}://{host}.example.org{path}" for host in "abc"]
        found = extract(f"failover:({divider.join(urls)})")
        assert [each.url for each in found] == urls
    other = f"{scheme}://a.example.org/b?c=d{divider}e://f.example.org"
    assert extract(other)[0].url == other
    other = other.replace(f"{divider}e", f"{divider}{scheme.upper()}")
    assert extract(other)[0].url == f"{scheme}://a.example.org/b?c=d"


def test_the_parameters_of_a_sip_url_are_not_lost() -> None:
    """A comma belongs to none of them. Without them, the URL would be another one."""
    (found,) = extract("see sip:ann@a.example;transport=tcp,Bob")
    assert (found.url, found.valid) == ("sip:ann@a.example;transport=tcp,Bob", False)


@pytest.mark.parametrize(
    "marks",
    ["== ==", "=== ===", "+ +", "++ ++", "@ @", "$ $", "$$ $$", "^ $", "^ /?$", "$<$ $>$", r"$\langle$ $\rangle$"],
)
@pytest.mark.parametrize("before", ["", "see ", "(", "'"])
def test_signs_of_markup_enclose_a_url(before: str, marks: str) -> None:
    """The URL ends with as many signs as opened before it."""
    opening, closing = marks.split()
    (found,) = extract(f"{before}{opening}{URL}{closing} is")
    assert (found.url, found.certainty) == (URL + "/" * ("/" in closing), "inferred")


@pytest.mark.parametrize(
    "text",
    [
        f"u={URL}=",
        f"u ={URL}=",
        f"=={URL}=",
        f"+{URL}++",
        f"++{URL}+++",
        f"@{URL}@@",
        f"x${URL}$",
        f"x@{URL}@",
        f"======{URL}=",
        f"u ={URL}/?sig=abcd/=",
        f"u ={URL}/=b=",
        f"x *= {URL}*",
        f"+{URL}$",
    ],
)
def test_signs_that_enclose_nothing_belong_to_the_url(text: str) -> None:
    """They stand behind a word, or others or fewer close."""
    (found,) = extract(f"{text} is")
    assert found.url == text[text.index("http") :]


@pytest.mark.parametrize(
    ("opening", "closing"),
    [("{code}", "{code}"), ("{code:bash}curl -s ", "{code}"), ("{color:#d04437}see ", "{color}")],
)
@pytest.mark.parametrize("url", [f"{URL}/", f"{URL}?q="])
def test_the_end_of_an_element_of_a_wiki_ends_the_url(opening: str, closing: str, url: str) -> None:
    """The word in braces closes what begins before the URL, so it is no placeholder."""
    (found,) = extract(f"{opening}{url}{closing} is")
    assert (found.url, found.certainty) == (url, "inferred")


@pytest.mark.parametrize("url", [URL, f"{URL}/", f"{URL}.htmlE", "http://www.h.example", "mailto:jo@h.example"])
@pytest.mark.parametrize("behind", ["", ".", ", or", "</a>"])
def test_an_angle_bracket_of_pod_ends_the_url(url: str, behind: str) -> None:
    """Its name would be a placeholder otherwise, and its `E` a letter of the URL. Such a bracket may open, too."""
    for bracket in ("E<gt>", "E<lt>"):
        (found,) = extract(f"See E<lt>{url}{bracket}{behind}")
        assert (found.url, found.certainty) == (url, "inferred")
    assert not extract(f"See {url}/<gt>x")


@pytest.mark.parametrize("name", ["name", "your name", "file_name.x"])
def test_angle_brackets_of_pod_around_a_name_are_a_placeholder(name: str) -> None:
    """No beginning of the URL is one."""
    assert not extract(f"See {URL}/E<lt>{name}E<gt>/x")
    assert not extract(f"See {URL}/?a=E<lt>{name}E<gt>")


@pytest.mark.parametrize("around", ["[-see {}-]", "{{+see {}+}}", "{{+{}x+}}[-{}-]", "[-x-]{{+see {}+}}"])
def test_the_end_of_a_change_ends_the_url(around: str) -> None:
    """As `git diff --word-diff` writes it, around a URL and around other words too."""
    assert extract(around.format(URL, URL))[-1].url == URL


@pytest.mark.parametrize(
    "text", [f"see {URL}+}} x", f"{{+x+}} {URL}+}}", f"{{+x\n{URL}+}}", f"{{+x\n{'y ' * 600}{URL}+}}", f"[-x {URL}+}}"]
)
def test_a_sign_that_ends_no_change_belongs_to_the_url(text: str) -> None:
    """No change begins before it in the line, or it has ended already."""
    assert extract(text)[0].url == f"{URL}+"
    assert extract(f"^[-a-z]+ {URL}/[a-z-]+")[0].url == f"{URL}/[a-z-]+"


@pytest.mark.parametrize("command", ["@uref", "@url", "@indicateurl"])
@pytest.mark.parametrize("url", [f"{URL}/web/2004/{URL}", f"{URL}?to={URL}", "mailto:jo@a.example?subject=x"])
def test_a_comma_divides_the_arguments_of_a_command_of_texinfo(command: str, url: str) -> None:
    """So the first one may hold another URL. In other braces a comma belongs to the URL."""
    assert [found.url for found in extract(f"{command}{{{url},text}} is")] == [url]
    assert [found.url for found in extract(f"@other{{{url},text}} is")] == [f"{url},text"]


@pytest.mark.parametrize("shown", ["^M\nx", "^M\r\nx", "^M", "^[[0m x", "^[[01;31mx", "^[[K"])
def test_a_control_that_a_program_shows_ends_the_url(shown: str) -> None:
    """A caret stands for the control key."""
    assert [found.url for found in extract(f"see {URL}{shown}")] == [URL]
    for other in ("^M x", "^Max\n", "^N\n", "^[[0"):
        assert extract(f"see {URL}{other}")[0].url != URL


@pytest.mark.parametrize(
    "text",
    [
        r"(1,'I don\'t know, see {}','x')",
        r"f('It\'s at {}','b');",
        r"print 'it\'s at {}'.$x;",
        r"(1,'a\\\'b {}',1)",
        "(1,'it''s at {}','b')",
        "('','{}','b')",
    ],
)
def test_a_string_may_hold_escaped_quotes(text: str) -> None:
    """As in copies of databases (SQL), which escape or double a quote."""
    assert extract(text.format(URL))[0].url == URL


@pytest.mark.parametrize("behind", [".", ")", " x", '"', ",", "", "?", "&c=d"])
@pytest.mark.parametrize("value", ["?$filter=a%20eq%20'Bread'", "/b('Milk')", "?q='a+b'", "/'b'", "?a='b'&c=%20'd'"])
def test_an_apostrophe_closes_a_value_of_the_url(value: str, behind: str) -> None:
    """Keys and filters of OData are such values."""
    assert extract(f"see {URL}{value}{behind}")[0].url == URL + value + "&c=d" * (behind == "&c=d")


@pytest.mark.parametrize("url", [f"{URL}/O'Brien", f"{URL}?a=", f"{URL}?a='", f"{URL}/b'c'd", f"{URL}?a='b'd"])
def test_an_apostrophe_behind_a_letter_is_a_closing_one(url: str) -> None:
    """A value within the URL begins behind a sign, and closes before."""
    assert extract(f"see {url}' x")[0].url == url.rstrip("'")


@pytest.mark.parametrize(
    "tag", ["b", "IMG", "img=12x3", "url=http://b.example/", "size=3", "list", "code", "*", "/b:1abcd2"]
)
@pytest.mark.parametrize("behind", ["x", " x", "http://b.example/", ""])
def test_a_url_ends_before_a_tag_of_a_forum(tag: str, behind: str) -> None:
    """Forums write texts in BBCode."""
    name = tag.partition("=")[0]
    found = extract(f"[list][*]{URL}[{tag}]{behind}[/{name}]")
    assert (found[0].url, found[0].certainty) == (URL, "inferred")
    assert [each.url for each in found[1:]] == ["http://b.example/"] * (("url" in tag) + ("http" in behind))


@pytest.mark.parametrize(
    "index",
    [
        *("[b]=1", "[b][c]=1", "[url][0]=x", "[b]&x=1", "[size]=x", "[b].c=1", "[b]-1", "[u]#top"),
        *("[*]=3", "[*].name=3", "[B]asics", "/[quote]/x"),
    ],
)
def test_a_name_in_brackets_is_an_index_of_a_search(index: str) -> None:
    """Some programs write the keys of a table so; a tag has an end."""
    assert extract(f"see {URL}?a{index} x")[0].url == f"{URL}?a{index}"


@pytest.mark.parametrize(
    "tag", ["[hr]b", "[url]http://b.example/", "[URL=http://b.example/]", "[img]ftp://b.example/c"]
)
def test_a_tag_of_another_url_needs_no_end(tag: str) -> None:
    """Its end may be far behind; a ruler has none."""
    assert extract(f"see {URL}{tag} x")[0].url == URL


@pytest.mark.parametrize("name", ["b", "u", "i", "url"])
@pytest.mark.parametrize("index", ["=1", "&c=1", ".c=1", "[c]=1", "[]=1", "[0][c]=1", "%5Bc%5D=1"])
def test_an_index_is_no_tag_beside_tags(index: str, name: str) -> None:
    """The same name may be that of a tag behind the URL."""
    assert extract(f"see {URL}?a[{name}]{index} and [{name}]x[/{name}]")[0].url == f"{URL}?a[{name}]{index}"


@pytest.mark.parametrize(("name", "other"), [("b", "br"), ("u", "url"), ("i", "img"), ("url", "urls")])
def test_the_end_of_another_tag_ends_none(name: str, other: str) -> None:
    """It has the name of its tag."""
    assert extract(f"see {URL}?a[{name}]c and [{other}]x[/{other}]")[0].url == f"{URL}?a[{name}]c"


@pytest.mark.parametrize("tag", ["url", "URL", "img"])
@pytest.mark.parametrize("url", [URL, "http://www.example.org", "http://www.example.org:80", f"{URL}?b=c:d"])
def test_the_identifier_of_a_tag_is_none_of_the_url(url: str, tag: str) -> None:
    """A tag is stored with one, by phpBB."""
    assert extract(f"see [{tag}={url}:3fq2v8yz]that[/{tag}:3fq2v8yz]")[0].url == url
    for own in ("http://a.example:50070", "http://a.example/wiki/user:alice"):
        for text in (f"see [{tag}={own}]that[/{tag}]", f"[{tag}={own}]that[/{tag}] [{tag}={own}]that[/{tag}]"):
            assert extract(text)[0].url == own
    text = f"[{tag}:3fq2v8yz]{url}[/{tag}:3fq2v8yz]"
    assert extract(text)[0].url == url
    assert end_of(text, text.index("http")).cut_by == ("closing-tag",)


def test_elsewhere_such_a_word_before_a_bracket_is_of_the_url() -> None:
    """Only within the tag an identifier stands there."""
    assert extract(f"see [{URL}:3fq2v8yz] so")[0].url == f"{URL}:3fq2v8yz"


@pytest.mark.parametrize("before", ["don't see ", r"don\'t see ", "the boys'' ", "'' "])
def test_what_opens_no_string_is_an_apostrophe(before: str) -> None:
    """A quote that closes opens none."""
    assert extract(f"{before}x {URL}/a',b is")[0].url == f"{URL}/a',b"


@pytest.mark.parametrize("joined", ["'+x+'/y", "'.$x.'/y", "'+ (x) +'/y", "'.NAME.'/y", "'$X'/y", "'${X}'/y"])
@pytest.mark.parametrize("before", ["'<a href=", r"f('it\'s', '<a href=", 'curl -d \'{"url":'])
def test_a_string_ends_within_the_quotation_marks_of_an_attribute(before: str, joined: str) -> None:
    """The rest is put together when the program runs."""
    (found,) = extract(f'{before}"{URL}/a/{joined}"\'')
    assert (found.url, found.certainty) == (f"{URL}/a/", "inferred")


@pytest.mark.parametrize("before", ["", "\n'a' = ", "'x\n = ", r"it\'s ", "don't use "])
def test_elsewhere_an_apostrophe_belongs_to_the_url_in_quotation_marks(before: str) -> None:
    """No string begins before it in its line; or the one that does goes on."""
    assert extract(f"{before}\"{URL}/a'+x+'\"")[0].url == f"{URL}/a'+x+'"
    assert extract(f"'<a href=\"{URL}/it's.html\">'")[0].url == f"{URL}/it's.html"


@pytest.mark.parametrize("below", ["URL;VALUE=URI:http://b.example/", "url;b", "Home page;b"])
def test_no_title_stands_below_its_column(below: str) -> None:
    """There, it is another property of a calendar."""
    assert extract(f"{URL};b=52/c so\n{below}\n")[0].url == f"{URL};b=52/c"


@pytest.mark.parametrize("sign", [",", ";"])
@pytest.mark.parametrize("end", ["\n", "\r\n"])
@pytest.mark.parametrize("title", ["url", "Home page", '"url"', "\ufeffurl"])
@pytest.mark.parametrize("above", ["", "other,n;m||"])
def test_the_first_line_of_a_table_names_its_columns(above: str, title: str, end: str, sign: str) -> None:
    """Each row has as many cells. An empty line ends a table."""
    rows = [f"{URL}/{number}{sign}{number}" for number in range(3)]
    table = "|".join([title + sign + "n", *rows])
    urls = [f"{URL}/{number}" for number in range(3)]
    assert [found.url for found in extract((above + table).replace("|", end))] == urls
    for text in ("|".join([f"name{sign}n", *rows]), "|".join([title + sign + "n", "", *rows])):
        assert [found.url for found in extract(text.replace("|", end))] == rows


@pytest.mark.parametrize("end", ["\n", "\r\n"])
def test_a_url_that_ends_a_cell_of_text_ends_before_the_next_cell(end: str) -> None:
    """A line beside it has as many cells, and no blank stands behind a sign that divides cells."""
    sign = ";"
    others = [sign.join(cells) for cells in (("id", "text", "state"), ("13", "", "open"), ("14", "some words", "open"))]
    row = f"12{sign}see {URL}{sign}open"
    for other in others:
        for lines in ((row, other), (other, row)):
            assert extract("".join(f"{line}{end}" for line in lines))[0].url == URL
    for lines in (
        (row, "13"),
        (row, f"13{sign} and{sign}open"),
        (row.replace("12", f"12{sign} "), others[1]),
        (row.replace("see ", "see:"), others[1]),
        (f"see {URL}{sign}open", f"and{sign}open"),
    ):
        assert extract("".join(f"{line}{end}" for line in lines))[0].url == f"{URL}{sign}open"
    for line in (f"a;&eacute;t {URL};open", f" a;b;c {URL};open"):
        assert extract(f"{line}{end}a;b;c;open{end}")[0].url == f"{URL};open"
    log = f"10:00:00,123 INFO {URL}?ll=52.5,13.4{end}"
    assert extract(log * 2)[0].url == f"{URL}?ll=52.5,13.4"


@pytest.mark.parametrize("before", ["", "use {code} in ", "{color}", "{color:red} is for "])
def test_a_word_in_braces_that_closes_nothing_is_a_placeholder(before: str) -> None:
    """The URL is none."""
    assert not extract(f"{before}{URL}/{{code}} is")
    assert not extract(f"{{code:bash}}{URL}/{{code}}/b is")


@pytest.mark.parametrize(
    "escape", ["=20", "=09", "=20=20", "=0D=0A", "=A0", "=C2=A0", "=20=", "=20 ", "=20" * 15, "=20=" + " " * 20]
)
@pytest.mark.parametrize("url", [f"{URL}.html", f"{URL}/", "http://www.a.example", "file:///home/x.html"])
def test_blanks_of_quoted_printable_at_a_line_end_are_not_of_the_url(url: str, escape: str) -> None:
    """Nobody decoded them (RFC 2045 6.7)."""
    for behind in ("\nPlease test it\n", "\r\n\r\nx", ""):
        assert [found.url for found in extract(f"is at {url}{escape}{behind}")] == [url]
        assert [found.url for found in extract(f"is at {url}.{escape}{behind}")] == [url]
    assert extract(f"&gt;{url}{escape}\nx")[0].url == url
    (found,) = extract(f"is at www.a.example/b.html{escape}\nx", bare_hosts=True)
    assert found.url == "http://www.a.example/b.html"
    (found,) = extract(f"is at {URL};b=1/c.html{escape}\nx")
    assert found.url == f"{URL};b=1/c.html"
    (found,) = extract(f"is at {URL}.torrent....{escape}\nx")
    assert found.url == f"{URL}.torrent"


@pytest.mark.parametrize(
    "url",
    [
        f"{URL}?page=20",
        f"{URL}/page=20",
        f"{URL}.html=21",
        f"{URL}/=20x",
        f"{URL}?q=a&map.z=20",
        f"{URL}#q=a&map.z=20",
        f"{URL};submit.doc=20",
    ],
)
def test_values_at_a_line_end_are_of_the_url(url: str) -> None:
    """They stand behind a name, or are no blanks."""
    assert [found.url for found in extract(f"is at {url}\n\nPlease test it\n")] == [url]


@pytest.mark.parametrize(
    "url",
    [
        f"{URL}.js?v=3",
        f"{URL}.js?r=3",
        f"{URL}.js?3",
        f"{URL}.js?dev=12",
        f"{URL}.js?h=abc12",
        f"{URL}.js?v=1.2.3",
        f"{URL}.js?v=20",
        f"{URL}.js?cat=12",
        f"{URL}.js?hits=12",
        f"{URL}.js?photo=12",
        "file:///home/x.js?v=1",
    ],
)
def test_the_number_of_a_version_is_no_hour(url: str) -> None:
    """The numbers of a line and a column follow."""
    (found,) = extract(f"at run ({url}:12:34)")
    assert found.url == url


@pytest.mark.parametrize(
    "behind",
    [
        "'.format(x)",
        "','b'",
        "':'m'",
        "'+y",
        "',()=>{}",
        "'.$y.'x'",
        "')",
        "']",
        "'}",
        "';return",
        "'||b",
        "'=>1",
        "'==b",
    ],
)
@pytest.mark.parametrize(
    "before",
    [
        *("print('fetch ", "x = ['see ", "{'k':'", "'see ", "('^", "a\n'see "),
        *("x='see ", "{'see ", "f(y,'see ", "{'k':'see ", "y+'see "),
    ],
)
def test_a_url_ends_with_the_string_in_whose_middle_it_begins(before: str, behind: str) -> None:
    """In source code."""
    for url in (URL, f"{URL}?q="):
        found = extract(f"{before}{url}{behind} z")[0]
        assert (found.url, found.certainty) == (url, "inferred")


@pytest.mark.parametrize(
    "value",
    [
        *("'b'", " 'b'", "NULL", "12,", "-1.5)", " 12)", "1.5e3,", "true)", "DEFAULT)", "0x00)", "NOW())"),
        *("X'00')", "N'b')", "_binary 'b')"),
    ],
)
def test_a_url_ends_before_the_next_value_of_a_row(value: str) -> None:
    """A string of SQL may have begun in a line above. In arguments of a call, another quote precedes."""
    assert extract(f"VALUES (1,'Hello\nsee {URL}',{value}")[0].url == URL
    assert extract(f"VALUES (1,'Hello\nsee {URL}/b''s_c',{value}")[0].url == f"{URL}/b''s_c"
    call = f"{URL}/f('a','b')"
    assert extract(f"see {call} z")[0].url == call


@pytest.mark.parametrize(
    ("text", "url"),
    [
        (f"VALUES ('{URL}/b''s_c','d')", f"{URL}/b''s_c"),
        (f"''{URL}''and so", URL),
        (f"'{URL}''{URL}b'", URL),
        (f"'{URL}'' and", URL),
        (f"x='{URL}'b", URL),
    ],
)
def test_two_quotes_within_a_string_of_sql_are_of_it(text: str, url: str) -> None:
    """They stand for an apostrophe, if letters stand on both sides."""
    assert extract(text)[0].url == url


def test_a_url_ends_before_the_type_of_a_string() -> None:
    """As PostgreSQL writes it."""
    assert extract(f"VALUES ('Hello\nsee {URL}'::text,1);")[0].url == URL


@pytest.mark.parametrize(
    ("before", "behind"),
    [
        *(("“", "”"), ("„", "“"), ("&lt;", "&gt;"), ("&quot;", "&quot;"), ("(", ")"), ("", "—b"), ("", "。")),
        *(("1,", ",b"), ("1;", ";b"), ("x='see ", "'+y"), ("'see ", "',NULL"), ("{{cite|url=", "|title=b}}")),
    ],
)
def test_a_url_with_the_braces_of_a_guid_ends_as_others(before: str, behind: str) -> None:
    """They stand for no text to fill in; but no URL holds them (RFC 3986)."""
    url = f"{URL}.aspx?List={{6AFB3B7C-1B4E-4F4C-9A34-3B8F8F6F6A11}}"
    for whole in (url, f"{url}&ID=3"):
        (found,) = extract(f"{before}{whole}{behind} z")
        assert (found.url, found.valid) == (whole, False)


def test_a_string_may_end_within_brackets_of_its_url() -> None:
    """The rest of the URL stands in other strings."""
    assert extract(f"x.append('see {URL}(').append(id)")[0].url == URL


def test_what_a_url_itself_encloses_is_of_it() -> None:
    """Keys of OData, in a text with a quotation or an elision."""
    url = "http://a.example/Products('Milk')/b"
    for before in ("'see ", "the 'file ", ""):
        assert extract(f"{before}{url} there")[0].url == url


@pytest.mark.parametrize(
    "before",
    ["", "Joe's ", "it's a ", "('a' ", "' ", "'a\n", "'" + "a" * LONGEST_STRING, "the '80s: ", "rock 'n roll "],
)
def test_an_apostrophe_of_a_url_is_of_it(before: str) -> None:
    """No string is open before the URL."""
    assert extract(f"{before} {URL}'.y z")[0].url == f"{URL}'.y"


@pytest.mark.parametrize("behind", [";v=http://b.example/", ",v.w-x=http://b.example/", "/;Key=1;x"])
def test_a_url_ends_before_the_next_setting(behind: str) -> None:
    """Where one stands directly before it."""
    slash = "/" * (behind[0] == "/")
    for before in ("u=", "a=1;u=", '"u='):
        assert extract(f"{before}{URL}{behind}")[0].url == URL + slash


@pytest.mark.parametrize(
    "url",
    [
        *(f"{URL}?id=1;url=http://b.example/", f"{URL};h=v3;u=http://b.example/", f"{URL}/;UID=20"),
        *(f"{URL};v=1", f"{URL},v=1,w=2", f"{URL}/;jsessionid=1", f"{URL}/;lang=en?x=1", "http://a.example?v=1,w=2"),
        "ldap://ldap.example.com/ou=people,dc=example,dc=com?uid",
        "https://a.example/image/fit=cover,width=80/b.jpg",
    ],
)
def test_other_names_before_an_equals_sign_are_of_the_url(url: str) -> None:
    """They are parameters, parts of distinguished names, and options of images."""
    assert extract(f"u={url} z")[0].url == url


@pytest.mark.parametrize("between", [",URI:", ",caIssuers;URI:", ";uri:", ","])
def test_the_labels_of_a_list_of_openssl_are_none_of_a_url(between: str) -> None:
    """In its configuration (x509v3_config(5))."""
    assert [each.url for each in extract(f"x = OCSP;URI:{URL}{between}{URL}/b")] == [URL, f"{URL}/b"]


@pytest.mark.parametrize("url", [f"{URL},jar:", f"{URL},b;jar:", f"{URL};uri=", f"{URL};u;uri="])
def test_other_labels_are_of_the_url(url: str) -> None:
    """They may name a parameter, or the scheme of a URL that holds another; a word alone is no label."""
    assert extract(f"x = {url}http://b.example/ z")[0].url == f"{url}http://b.example/"
    assert extract(f"x = {URL},en;http://b.example/ z")[0].url == f"{URL},en"


def test_two_hyphens_in_a_fragment_are_of_it() -> None:
    """It may name an option of a command."""
    assert extract(f"see {URL}.html#a.txt---oneline z")[0].url == f"{URL}.html#a.txt---oneline"
    assert extract(f"see {URL}.html--and so")[0].url == f"{URL}.html"
    for url in ("mailto:jo@firma.pl", "file:/home/jo.html"):
        assert extract(f"see {url}--and so")[0].url == url


@pytest.mark.parametrize("before", ["#", "(?)", "Who?", "[#12](", "http://b.example/?u=", "&#62;"])
def test_what_stands_before_a_url_is_none_of_its_search(before: str) -> None:
    """Nor of its fragment, though no blank divides them."""
    for behind in ("--and so", "=20\n"):
        assert extract(f"{before}{URL}.html{behind}")[0].url.endswith(f"{URL}.html")


def test_a_wrapper_that_opens_before_an_escaped_blank_is_none() -> None:
    """Its content would begin with the blank."""
    assert [each.url for each in extract(f"see <URL:=20\n{URL}>")] == [URL]


@pytest.mark.parametrize("sign", [",", ";"])
def test_several_urls_in_quotation_marks_are_several(sign: str) -> None:
    """As in values of configurations."""
    found = extract(f'x: "{URL}/{sign}{URL}/b{sign}ftp://a.example/" z')
    assert [each.url for each in found] == [f"{URL}/", f"{URL}/b", "ftp://a.example/"]
    assert [each.url for each in extract(f'"{URL}{sign}HTTP://a.example/"')] == [URL, "HTTP://a.example/"]
    for url in (
        *(f"{URL}/{sign}b", f"{URL};1;http://b.example/", f"{URL}?a=http://b.example/,http://c.example/"),
        f"{URL}{sign}cid://b.example/",
    ):
        (one,) = extract(f'"{url}"')
        assert (one.url, one.certainty) == (url, "stated")


def test_a_broken_url_in_quotation_marks_is_one_that_holds_another() -> None:
    """A list has no line break within a URL."""
    assert extract(f'"{URL},http://b.example/c/\nd.html" z')[0].url == f"{URL},http://b.example/c/d.html"


@pytest.mark.parametrize("sign", ["**", "__", "~~", "***", "_", "~"])
def test_a_phrase_may_end_with_the_slash_of_a_url(sign: str) -> None:
    """The signs that emphasize it are not of the URL."""
    assert extract(f"{sign}Home: {URL}/{sign} (new)")[0].url == f"{URL}/"
    assert extract(f"Home: {URL}/{sign} (new)")[0].url == f"{URL}/{sign}"


def test_an_asterisk_behind_a_slash_stands_for_names_of_files() -> None:
    """Other signs close a phrase behind it."""
    assert extract(f"char *s; // of {URL}/* only")[0].url == f"{URL}/*"
    for sign in ("_", "~"):
        assert extract(f"{sign}all of {URL}/*{sign} only")[0].url == f"{URL}/*"
    for text in (
        "allow *all {}/* x",
        "* all of {}/* x",
        "*all* of {}/* x",
        "*all*\nof {}/* x",
        "*\n{}/* x",
        "*nix: see {}/* for",
    ):
        assert extract(text.format(URL))[0].url == f"{URL}/*"


@pytest.mark.parametrize("before", ["", "> ", "- ", "x\n", "x\n> * "])
@pytest.mark.parametrize("behind", ["\n", " for all", "。", '" x', "</p>"])
def test_an_asterisk_that_begins_a_line_emphasizes_all_up_to_a_url_behind_a_slash(behind: str, before: str) -> None:
    """As below a picture whose source is named."""
    found = extract(f"{before}*Source: {URL}/*{behind}")[0]
    assert (found.url, found.certainty) == (f"{URL}/", "inferred")


@pytest.mark.parametrize("text", ["at ={}= x", "(={}=)", "`+{}+`", "**++{}++**", "_+{}+_", "**=={}==** x", "`={}=`"])
def test_markup_may_be_of_one_sign_or_within_other_markup(text: str) -> None:
    """Org writes code so, AsciiDoc literal text in a line, and notes highlighted text that is strong too."""
    found = extract(text.format(f"{URL}/"))[0]
    assert (found.url, found.certainty) == (f"{URL}/", "inferred")
    assert extract(f"x={URL}/=")[0].url == f"{URL}/="


@pytest.mark.parametrize("before", ["地址", "地址：", "见（", "—"])
@pytest.mark.parametrize("sign", ["==", "++"])
def test_markup_may_stand_directly_behind_a_letter_of_scripts_without_blanks(sign: str, before: str) -> None:
    """So it may behind full-width punctuation."""
    for behind in ("", "，一", "\n", " "):
        assert extract(f"{before}{sign}{URL}{sign}{behind}")[0].url == URL
    assert extract(f"x-1{sign}{URL}{sign}")[0].url.endswith(URL + sign)


@pytest.mark.parametrize("cells", [",120,Python", ",200,OK", ",,Python", ",12.5,yes", ",2020-01-01,a b", ",1,,2,x"])
def test_numbers_before_a_cell_of_words_are_cells(cells: str) -> None:
    """In a row of a table, in which the same separator stands before the URL."""
    for end in ("\n", ",3\n", ""):
        assert extract(f"foo,{URL}{cells}{end}")[0].url == URL
        assert extract(f"foo,{URL}/0{cells}{end}")[0].url != f"{URL}/0"
    for end in (" z", "", ",", ",2,3", "?x=1", ".", ")"):
        assert extract(f"foo,{URL}{cells}.html{end}")[0].url != URL


@pytest.mark.parametrize("extension", ["js", "mjs", "cjs", "jsx", "ts", "mts", "tsx", "vue"])
def test_a_place_in_a_script_ends_its_search(extension: str) -> None:
    """So browsers and servers of development write it."""
    (found,) = extract(f"run@{URL}.{extension}?t=1715:12:34 is")
    assert found.url == f"{URL}.{extension}?t=1715"


@pytest.mark.parametrize(
    "url",
    [
        *(f"{URL}?v=2:12:34", f"{URL}.js?v=2:12", f"{URL}.js#v:12:34", f"{URL}.js?t=2:12:34&x", f"{URL}.html?2:12:34"),
        *(
            f"{URL}.js?t=2020-01-01T10:00:00",
            f"{URL}.js?time=9:34:56",
            f"{URL}.js?d=2001-01-02+10:20:30",
            f"{URL}.js?from=00:10:20",
            f"{URL}.js?mac=00:11:22",
            f"{URL}.js?hwaddr=00:11:22",
            *(f"{URL}.js?d=2001-01-02{sign}10:20:30" for sign in "t_-"),
            *(f"{URL}.js?d=20010102{sign}10:20:30" for sign in "_-"),
            *(f"{URL}.js?{name}=9:34:56" for name in ("t", "ts", "to", "date", "lastmod", "since", "start", "end")),
            "http://node.js?v=2015:12:34",
        ),
    ],
)
def test_numbers_behind_colons_belong_to_a_search_of_other_pages(url: str) -> None:
    """They are a time, for example."""
    (found,) = extract(f"at {url} is")
    assert found.url == url


@pytest.mark.parametrize(
    "host",
    ["http://www.a.example", "http://192.0.2.1", "mailto:jo@a.example", "telnet://a.example", "LDAP://a.example"],
)
@pytest.mark.parametrize("word", ["The", "I", "It", "Thanks"])
def test_the_next_sentence_may_be_glued_to_a_host(host: str, word: str) -> None:
    """The whole is a rival: a host may be written in capitals."""
    (found,) = extract(f"see {host}.{word} crawler")
    assert (found.url, found.certainty, found.rivals) == (host, "inferred", (f"{host}.{word}",))


@pytest.mark.parametrize(
    "host",
    [
        "www.Example.Org",
        "www.example.Com",
        "WWW.EXAMPLE.ORG",
        "www.example.oRG",
        "Www.X.The",
        "www.example.De",
        "www.a.co.Uk",
    ],
)
def test_a_host_in_capitals_is_whole(host: str) -> None:
    """No word begins in it. Behind other schemes stands the name of a program."""
    for scheme in ("ejb", "android-app"):
        (found,) = extract(f"see {scheme}://com.example.Main that")
        assert (found.url, found.rivals) == (f"{scheme}://com.example.Main", ())
    (found,) = extract(f"see http://{host} crawler")
    assert (found.url, found.rivals) == (f"http://{host}", ())


@pytest.mark.parametrize(
    "url", ["http://a.example?q=m²&x=1", "mailto:a@b.example?subject=m²a", "urn:isbn:12²b", f"{URL}?½b"]
)
def test_such_a_number_elsewhere_belongs_to_the_url(url: str) -> None:
    """In a search, and in a URL without a host."""
    (found,) = extract(f"see {url} is")
    assert found.url == url


@pytest.mark.parametrize("sign", ["¹", "①", "½", "⁴"])
def test_no_host_ends_in_the_number_of_a_note(sign: str) -> None:
    """In a path it may be the end of a name, so that is a rival."""
    for url in ("http://www.example.org", "mailto:jo@a.example", "news:comp.lang.c"):
        for behind in ("", "/x", "und"):
            (found,) = extract(f"see {url}{sign}{behind} is")
            assert (found.url, found.certainty, found.rivals) == (url, "inferred", ())
    (found,) = extract(f"see {URL}{sign}/b is")
    assert (found.url, found.certainty) == (f"{URL}{sign}/b", "plain")


@pytest.mark.parametrize("notes", ["¹", "¹,²", "³.", "¹).", "①②"])
def test_numbers_of_notes_may_be_the_end_of_a_name(notes: str) -> None:
    """The whole is a rival. In brackets of the URL they belong to it."""
    (found,) = extract(f"see {URL}_(m²) is")
    assert (found.url, found.rivals) == (f"{URL}_(m²)", ())
    for own in ("/", "_(b)"):
        (found,) = extract(f"see {URL}{own}² is")
        assert (found.url, found.rivals) == (URL + own, (f"{URL}{own}²",))
    (found,) = extract(f"see {URL}{notes} is")
    assert (found.url, found.rivals) == (URL, (URL + notes.rstrip(".)"),))


@pytest.mark.parametrize("sign", list("+!#~;^@"))
@pytest.mark.parametrize("command", ["sed s{0}{1}{0}{2}{0}g f", "sed -e 's{0}{1}{0}{2}{0}' f", ":%s{0}{1}{0}{2}{0}g"])
def test_a_substitution_has_two_parts(command: str, sign: str) -> None:
    """Its sign ends each; without a third one it may belong to the URL."""
    other = "http://mirror.example/b"
    found = extract(command.format(sign, URL, other))
    assert [(each.url, each.certainty) for each in found] == [(URL, "inferred"), (other, "inferred")]
    assert [each.url for each in extract(command.format(sign, "x", URL))] == [URL]


def test_the_sign_of_no_substitution_belongs_to_the_url() -> None:
    """It stands behind a word, or too few of it follow in the line."""
    for text in (f"s#{URL}#b", f"s#{URL}#b\nc#d", f"ms@{URL}@b@c", f"s#x#y#{URL}#b"):
        (found,) = extract(text)
        assert text.startswith(found.url, text.index("http"))
        assert len(found.url) > len(URL)


@pytest.mark.parametrize("name", ["compare/a...b", "..../a", "a..../b", "gold....elico/x", "A....B", "And_then....pdf"])
def test_dots_of_a_path_are_no_leader(name: str) -> None:
    """A range of versions has three, and the dots of a leader stand before a name or a number."""
    (found,) = extract(f"{URL}/{name} is")
    assert (found.url, found.rivals) == (f"{URL}/{name}", ())
    for page in ("3", "xiv", "A-3", "1234", "it", "Introduction"):
        (found,) = extract(f"{URL}/{name}........{page} is")
        assert (found.url, found.rivals) == (f"{URL}/{name}", (f"{URL}/{name}........{page}",))


@pytest.mark.parametrize("url", [f"{URL}/", "http://www.example.org/", f"{URL}.html", f"{URL}.pdf"])
def test_an_ellipsis_before_a_word_is_none_of_the_url(url: str) -> None:
    """Behind a slash or a page. The whole is a rival."""
    (found,) = extract(f"see {url}...but not")
    assert (found.url, found.rivals) == (url, (f"{url}...but",))


@pytest.mark.parametrize("size", ["(12kB)", "(1.5MB)", "(PDF)", "(3M)."])
def test_the_size_of_a_file_in_brackets_is_none_of_its_url(size: str) -> None:
    """Nor is its type. Behind other names a bracket belongs to the URL."""
    (found,) = extract(f"see {URL}.zip{size} here")
    assert (found.url, found.rivals) == (f"{URL}.zip", (f"{URL}.zip{size.rstrip('.')}",))
    for name in ("(12kB)", ".zip(a)", ".zip(12kB)/b", ".zip?(12kB)"):
        assert extract(f"see {URL}{name} here")[0].url == f"{URL}{name}"


def test_dots_at_a_line_end_are_no_leader() -> None:
    """A number in the next line is all of what is joined, if the URL goes on."""
    url = "http://www.a.example/very/long/path/that/reaches/the/end/of/this/line/here....."
    for below in ("12", "more.html"):
        (found,) = extract(f"{url}\n{below}\n")
        assert found.url in {url + below, url.rstrip(".")}


@pytest.mark.parametrize("scheme", ["http", "https", "ftp", "gopher", "telnet", "nntp", "news"])
@pytest.mark.parametrize("word", ["x", "7", "x.", "(b)", "пе%D1%87", "%c3%A9", "печь", "हिन्दी", "cafe\u0301"])
def test_a_scheme_glued_to_a_word_begins_another_url(scheme: str, word: str) -> None:
    """A letter of any script, a digit or a sign that ends a sentence does not precede a value."""
    text = f"{URL}/{word}{scheme}://h.example/"
    assert text[: end_of(text, 0).at] == f"{URL}/{word}".rstrip(".")


@pytest.mark.parametrize(
    "before", ["ann@b.example", "Email", f"{URL}/a.html", "https://www.a.example", "mailto:a@b.example"]
)
def test_mailto_glued_to_a_word_begins_a_url(before: str) -> None:
    """A program that makes text of HTML may put the text of a link directly before its target."""
    found = [each.url for each in extract(f"see {before}mailto:ann@b.example so")]
    assert found == [*([before] if ":" in before else []), "mailto:ann@b.example"]
    assert extract("see Emailmailto: ann, xmailto:?dn=a") == []


@pytest.mark.parametrize("sign", ["/", "=", "?", "*", "%3D", "%2f", "%7E", "%20", "+", "@", "~", "_", ":", "s"])
def test_a_url_holds_another_behind_other_signs(sign: str) -> None:
    """Archives, redirectors and proxies write such URLs; `shttp` and `sftp` are schemes of their own."""
    held = f"{URL}?u=sftp://h.example/" if sign == "s" else f"{URL}{sign}http://h.example/"
    assert [found.url for found in extract(held)] == [held]


@pytest.mark.parametrize(
    "glued",
    """a.html|and a.html|The A.PDF|Please a.pdf|I a.txt|Jo a.php|see a.html|,but a.html|;see a.js|,or a.html|:then
    a.html|.The a.pdf|It'd a.docx|Here a.mp3|The a.xhtml|and. b.c/a.gif|Jo a?b=c.pdf|There a.tar.gz|See""".split(),  # noqa: SIM905 - a column of words reads worse
)
def test_a_word_glued_to_a_file_is_prose(glued: str) -> None:
    """It is a common word, or one that begins a sentence. The URL with the word is a rival."""
    file, word = glued.split("|")
    (found,) = extract(f"{URL}/{file}{word} of it")
    assert (found.url, found.certainty) == (f"{URL}/{file}", "inferred")
    assert found.rivals == (f"{URL}/{file}{word}".rstrip("."),)
    # Together they are as likely as any URL to which something is glued.
    assert sum((found.confidence, *found.rival_confidences)) == pytest.approx(confidence_of("bare-unsure"))


@pytest.mark.parametrize(
    "whole",
    """index.html5 page.htmlx a.html/dir foo.jsConfig x.HTMLElement a.html.en a.html.fr a.tar.gz a.tar.gz.Z a.html,v
    a.php?Outsource Dashboard.jspa a.htmlize a.pdfs a#b.htmlPage a.target a.plus a.xmlParser a.html_and a.html-and a.c,b
    a.docs a.gzip a.html,a a.html.A a.html.Fritz a.gzIt a.htmlFAQ""".split(),  # noqa: SIM905 - a column of words reads worse
)
def test_a_name_that_goes_on_is_whole(whole: str) -> None:
    """Examples are a longer extension, a second extension, and a name from code."""
    (found,) = extract(f"{URL}/{whole} of it")
    assert (found.url, found.certainty, found.rivals) == (f"{URL}/{whole}", "plain", ())


@pytest.mark.parametrize(
    "row",
    [
        f"1,{URL}|,Foo",
        f"1,{URL}?id=5|,Foo,2",
        f"1;{URL}#b|;Foo bar",
        f"1;{URL}|;Foo bar;2\n",
        f'1,{URL}|,"Foo, bar",2',
        f"1,{URL}.html|,2",
        f"1,{URL}/|,2",
        f"at {URL}.js|:5",
        f"at ({URL}.js|:5:6)",
        f"{URL}.js|:5: error",
        *(f"at {URL}.js|:5:6{sign}" for sign in ("<", "}", '"', ".", "\u201d")),
        f"/*! see {URL}|*/ x",
    ],
)
def test_what_stands_behind_in_tables_and_code(row: str) -> None:
    """The next cell, the place of an error, and the end of a comment."""
    before, behind = row.split("|")
    found = extract(before + behind)[0]
    assert before.endswith(found.url)


@pytest.mark.parametrize(
    "whole",
    [
        f"{URL}?id=>",
        f"{URL}?t=YWJj==>",
        f"<a href={URL}/YWJj==>",
        f"<base href={URL}/=>\n",
        f"href={URL}/YWJj=>",
        f"<a href = {URL}/YWJj=>",
        f"<img src=\n{URL}/YWJj=>",
        f"<a x2={URL}/YWJj=>",
        f"<a href={URL}/{URL}/YWJj==>",
        f"{URL}.js:80/x",
        f"{URL}:12:34",
        f"{URL}/*/",
        f"{URL}/*b*/",
        f"{URL}.js:5x",
        "http://h.pl:80",
        f"{URL}?b.js:5",
    ],
)
def test_signs_of_the_urls_own(whole: str) -> None:
    """The rules for the places of errors and for comments need their surroundings."""
    (found,) = extract(f"see {whole} x")
    assert found.url == whole[whole.index("http") :].rstrip(">\n")


@pytest.mark.parametrize("count", [1, 2, 9, 10, 11, 12, 13, 14, 40])
@pytest.mark.parametrize("sign", ["=", "-"])
def test_an_arrow_may_be_long(sign: str, count: int) -> None:
    """All of it is cut off."""
    for before in ("", "1 < 2: ", "if a <b: ", "(a <b) ", "mail <jo, "):
        (found,) = extract(f"{before}{URL}{sign * count}> x")
        assert found.url == URL


def test_the_comments_of_these_languages_are_known() -> None:
    """As their manuals have them."""
    assert set(COMMENTS) == {"*/", "*)", "*}", "#}", "-}", "*@"}


@pytest.mark.parametrize(("closing", "opening"), COMMENTS.items())
@pytest.mark.parametrize("url", [URL, f"{URL}/", f"{URL}.html", f"{URL}?b=c"])
def test_a_comment_ends_behind_a_url(url: str, closing: str, opening: str) -> None:
    """It may hold words, and begin in a line above."""
    for before in ("", " ", " see ", "\n- "):
        for behind in ("", "\nx", " x", ";", ", b)", ")", "}"):
            assert extract(f"{opening}{before}{url}{closing}{behind}")[0].url == url
    for before in ("See ", "- ", ": a "):
        assert extract(f"{opening}{before}{url}{closing}")[0].url == url
    for before in ("see ", f"{opening} a {closing} and "):
        is_own = extract(f"{before}{url}{closing} x")[0].url.startswith(url + closing[0])
        assert is_own or (closing == "-}" and url.endswith((".html", "/")))  # there, it may be a dash


@pytest.mark.parametrize(
    ("before", "behind"),
    [
        ("(*) starred (", "/*) so"),
        ("files (*.zip) (see ", "/*) so"),
        ("match (*://*.example/*, ", "/*) x"),
        ("paths: /*, ", "/*/) x"),
        ("## Title {#id}\nsee {", "#} so"),
        ("{*} {", "/*} x"),
    ],
)
def test_a_mark_or_a_pattern_in_brackets_begins_no_comment(before: str, behind: str) -> None:
    """A sign of prose or of a name stands behind it."""
    own = behind.partition(" ")[0][:-1]
    assert extract(f"{before}{URL}{behind}")[-1].url == URL + own


def test_a_glob_begins_no_comment() -> None:
    """A comment begins behind a blank or a sign of code, and ends before the URL if it ends there."""
    assert extract(f"all of /etc/* and {URL}/*/ x")[0].url == f"{URL}/*/"
    assert extract(f"/* a */ and {URL}/*/ x")[0].url == f"{URL}/*/"
    assert extract(f"/* {URL}*/b x")[0].url == f"{URL}*/b"


@pytest.mark.parametrize(
    "row",
    [
        f"{URL},200",
        f"1, {URL}?b,c",
        f"1,{URL}?b,2",
        f"1,{URL},2,b-3,00.html",
        f"1,{URL},b/c",
        f"1,{URL},b=c",
        f"rose;{URL}.html,a",
        f"rose,{URL},1,2",
        f"rose, {URL}.html,v",
        f"a;{URL}.jsp;sid=0A?b=1",
        f"a,{URL}/,b=1",
    ],
)
def test_other_separators_divide_no_cells(row: str) -> None:
    """The sign before the URL is another one, or the name before the sign may go on."""
    (found,) = extract(row)
    assert row.endswith(found.url)


@pytest.mark.parametrize("whole", ["Oven_(clay", "f(x)", "?q=(clay", "a(b"])
def test_a_bracket_of_the_urls_own_is_no_remark(whole: str) -> None:
    """It is in a name, a value or a call, or is never closed."""
    behind = "" if whole == "a(b" else " oven)"
    assert extract(f"{URL}/{whole}{behind} of it")[0].url == f"{URL}/{whole}"


@pytest.mark.parametrize("remark", ["(the clay oven)", "(last read 3 May)", "[in German]", "(Zugriff am 3.5.)"])
def test_a_remark_may_follow_a_fragment(remark: str) -> None:
    """Names of code have arguments there, with commas between them."""
    assert extract(f"see {URL}/a.html#b-c{remark}.")[0].url == f"{URL}/a.html#b-c"
    assert extract(f"see {URL}/a.html#bake(Bread, int) x")[0].url == f"{URL}/a.html#bake(Bread"


@pytest.mark.parametrize("host", ["www.example.comThere", "www.example.pdfThere"])
def test_a_host_has_no_extension(host: str) -> None:
    """Its last label is a domain."""
    for text in (f"http://{host} of it", f"http://{host}|of it"):
        assert extract(text)[0].url == f"http://{host}"


@pytest.mark.parametrize(
    ("text", "url"),
    [
        ("http://localhost:3000/index.html## Setup", "http://localhost:3000/index.html"),
        ("http://h.example/b### so", "http://h.example/b"),
        ("http://h.example/b#c## so", "http://h.example/b#c"),
        ("http://h.example/b# so", "http://h.example/b#"),
        ("see http://h.example/- a list of ovens", "http://h.example/"),
        ("- http://h.example/oven/- http://h.example/mill", "http://h.example/oven/"),
        ("http://h.example/a/-/issues so", "http://h.example/a/-/issues"),
        ("http://h.example/a- so", "http://h.example/a-"),
        ("http://h.example/?- so", "http://h.example/?-"),
        ("<http://h.example/a/-> so", "http://h.example/a/-"),
    ],
)
def test_two_number_signs_and_a_dash_behind_a_slash_are_other_text(text: str, url: str) -> None:
    """Of a heading, and before a remark: people copy lists without their line ends."""
    assert extract(text)[0].url == url


def test_hyphens_at_the_end_are_a_ruler_and_no_dash() -> None:
    """Nothing follows them, so the URL may go on in the next line."""
    assert end_of(f"{URL}.html--\n", 0).cut_by == ("ruler",)


def test_every_scheme_that_holds_urls_is_tested() -> None:
    """The tests below use `HOLDING`."""
    assert set(AROUND) == set(HOLDING)


@pytest.mark.parametrize("around", HOLDING)
@pytest.mark.parametrize("frame", ["so {} is", "<{}>", '"{}"', "({}).", "URL:{} is"])
def test_a_scheme_that_holds_urls_is_part_of_one(around: str, frame: str) -> None:
    """The scheme directly before the inner one decides."""
    url = f"{around}:http://h.example/a"
    assert [found.url for found in extract(frame.format(url))] == [url]


@pytest.mark.parametrize("before", ["fnord:", "xfeed:", "/go?u=", "&u="])
def test_an_unknown_prefix_makes_the_beginning_of_a_url_doubtful(before: str) -> None:
    """It is an unknown scheme, or a search whose own URL is missing."""
    for url in (URL, "urn:isbn:0451450523"):
        (found,) = extract(f"so {before}{url} is")
        assert (found.url, found.certainty) == (url, "inferred")


@pytest.mark.parametrize("before", ["See:", "href=", "at "])
def test_a_label_before_a_url_does_not_make_it_doubtful(before: str) -> None:
    """Neither does the name of a setting."""
    (found,) = extract(f"so {before}{URL} is")
    assert (found.url, found.certainty) == (URL, "plain")


@pytest.mark.parametrize(
    ("text", "url"),
    [
        (f"?{URL}?has", URL),
        (f"???{URL}???has", URL),
        (f"(?{URL}?and?)", URL),
        (f"?{URL}?b=c?and", f"{URL}?b=c"),
        (f"?{URL}?", URL),
        (f"?{URL}?b=c", f"{URL}?b=c"),
        (f"?{URL}?b7", f"{URL}?b7"),
        (f"why?{URL}?page", f"{URL}?page"),
        (f"{URL}?page", f"{URL}?page"),
    ],
)
def test_a_question_mark_stands_for_a_lost_sign_at_both_ends(text: str, url: str) -> None:
    """This holds only if one precedes the URL by itself, and the text behind the other is no search."""
    assert [found.url for found in extract(f"so {text} in")] == [url]


@pytest.mark.parametrize(
    ("text", "url", "certainty"),
    [
        (f'<{URL}/"> in', f"{URL}/", "inferred"),
        (f'<URL:{URL}/"> in', f"{URL}/", "inferred"),
        (f'<{URL}/" target="_top"> in', f"{URL}/", "inferred"),
        (f'xmlns=\\"{URL}\\" in', URL, "inferred"),
        (f'"{URL}\\n" in', URL, "inferred"),
        ("<tel:+1%20617%20253> in", "tel:+1%20617%20253", "stated"),
        (f'<{URL}/> "in"', f"{URL}/", "stated"),
        (f'"{URL}" in', URL, "stated"),
    ],
)
def test_quotation_marks_and_backslashes_of_code_are_not_part_of_the_url(text: str, url: str, certainty: str) -> None:
    """They frame URLs in code and in HTML."""
    (found,) = extract(text)
    assert (found.url, found.certainty) == (url, certainty)


@pytest.mark.parametrize("text", ["tel:%20%20%20 in", "Tel:+1%20617", "hotel:+1%206 in"])
def test_text_that_only_looks_like_a_tel_url_is_not_found(text: str) -> None:
    """Examples are labels, and a word that ends in "tel"."""
    assert extract(text) == []


@pytest.mark.parametrize("first", ["news:a1@b.example", "news:comp.ovens", "mailto:jo7@b.example"])
def test_a_line_that_begins_with_an_at_sign_is_not_joined(first: str) -> None:
    """The URL before it is complete without it."""
    assert extract(f"so {first}\n@c7 has it")[0].url == first


def test_a_remark_in_brackets_is_no_rival() -> None:
    """The remark goes on behind the run, so nobody reads its first word as part of the URL."""
    (found,) = extract(f"so {URL}(of an hour) in")
    assert (found.url, found.rivals) == (URL, ())


@pytest.mark.parametrize(
    ("run", "below", "is_remark"),
    [("(of", "an hour)", True), ("/(of", "an hour)", False), ("(of7", "an hour)", False), ("(of", "an hour", False)],
)
def test_a_remark_in_brackets_may_go_over_a_line_end(run: str, below: str, *, is_remark: bool) -> None:
    """Then it directly follows a word, has a word behind it, and closes in the next line."""
    found = glued_at(f"{URL}{run}\n{below} in", 0, len(URL + run))
    assert (found and found.at) == (len(URL) if is_remark else None)


def test_a_bracket_before_the_url_opens_no_remark_in_it() -> None:
    """Neither does a bracket of the URL's own that closes there."""
    assert [found.url for found in extract(f"[so {URL}(b) of it]")] == [f"{URL}(b)"]


@pytest.mark.parametrize("sign", "-=_*~#+")
def test_a_wrapper_that_holds_a_ruler_alone_holds_no_url(sign: str) -> None:
    """Nothing before the ruler could be the URL."""
    assert extract(f"<URL:{sign * 4}\nx>") == []


@pytest.mark.parametrize(
    "entity",
    [
        *("&ensp;", "&EMSP;", "&thinsp;", "&bdquo;", "&rarr;", "&lrm;", "&sect;"),
        *("&ndash; ", "&#8211;", "&ndash;.", "&#x2013;"),
        *("&gt", "&gt;", "&mdash;", "&rdquo;", "&RAQUO;", "&#8221;", "&#187;", "&#x201d;", "&#XBB;"),
        *(
            "&#13;",
            "&#10;",
            "&#xA;",
            "&#xd;",
            "&#9;",
            "&#032;",
            "&#x20;",
            "&#171;",
            "&#173;",
            "&#xad;",
            "&#183;",
            "&#xb7;",
        ),
        *("&#8203;", "&#x200b;", "&#12290;", "&#x3002;", "&#12300;", "&#65292;", "&#xff0c;", "&#65281;", "&#xff1f;"),
        *("&copy;", "&middot;", "&trade;", "&reg;", "&shy;", "&zwnj;", "&zwj;"),
    ],
)
def test_an_entity_that_no_url_holds_ends_it(entity: str) -> None:
    """These are dashes, quotation marks and brackets."""
    assert extract(f"{URL}{entity} x")[0].url == URL


@pytest.mark.parametrize("entity", ["&#8203;", "&#x200b;", "&shy;", "&zwnj;", "&#173;"])
def test_an_entity_of_no_width_may_stand_within_a_url(entity: str) -> None:
    """So stylesheets write places where a line may be broken. At the end, it is none of the URL."""
    assert extract(f"{URL}/{entity}b.html x")[0].url == f"{URL}/{entity}b.html"
    assert extract(f"{URL}/{entity}, x")[0].url == f"{URL}/"


@pytest.mark.parametrize(
    "value",
    [
        "&copy=5",
        "&reg=",
        "&#38;b=2",
        "&#x26;b=2",
        "&#47;b",
        "&#x2013;1945",
        "&mdash",
        "&hellip=5",
        "&amp;x=1",
        "&#246;x",
        "&bullet;",
        "&ndash;1945",
        "&ndash;_b",
        "&ndash;.b",
        "&ndash;%20b",
        "&#8211;1945",
    ],
)
def test_other_entities_and_names_of_values_belong_to_the_url(value: str) -> None:
    """Letters may be encoded so, and values may be called so."""
    assert extract(f"{URL}?b=1{value}&c")[0].url == f"{URL}?b=1{value}&c"


SMILEYS = [
    *(
        ":-)",
        ";-)",
        ":)",
        ";)",
        "=)",
        "=-)",
        ":-(",
        ":(",
        "=(",
        ":'-(",
        ":o)",
        ":-]",
        ":-}",
        ":-|",
        ":->",
        ";-))",
        ":-\\",
    ),
    *(":-P", ":-p", ":-D", ":-/", ";-D", "^^", "^_^", ":-)."),
]


@pytest.mark.parametrize("smiley", SMILEYS)
@pytest.mark.parametrize("around", ["see {}", "{} and so", "{}\nand so", "so (see {}"])
def test_a_smiley_is_no_part_of_a_url(smiley: str, around: str) -> None:
    """It may be glued to the URL; its mouth may close the bracket before the URL as well."""
    (found,) = extract(around.format(URL + smiley))
    is_closed = "(" in around and smiley == "=)"  # then the "=" may belong to the URL
    assert (found.url, found.certainty) == (URL + "=" if is_closed else URL, "inferred")


@pytest.mark.parametrize(
    "own",
    [
        ";v=1",
        "?b=",
        "?b=(c;-)",
        "(b;-)",
        "(b=)",
        "b==",
        "?b=:-d",
        ":-1",
        ";-p/b",
        ":-D3",
        "=D",
        ":P",
        ";o=1",
        "?b=;-p&c=d",
    ],
)
@pytest.mark.parametrize("around", ["see {} now", "({})", "(see {})"])
def test_signs_that_are_no_smiley_belong_to_a_url(own: str, around: str) -> None:
    """Brackets in pairs, an empty value, the end of base64, parameters, and eyes before more of the URL."""
    (found,) = extract(around.format(URL + own))
    assert found.url == URL + own


@pytest.mark.parametrize("around", ["[{}]", "[see {}].", "(so (a) you\n{})", "({})", "(:-)\n\n({})", "a) so ({})"])
def test_the_last_sign_before_a_bracket_that_closes_is_no_smiley(around: str) -> None:
    """Base64 may end in it. Outlook writes the address of a picture in square brackets."""
    assert extract(around.format(URL + "/YWJjZGU="))[0].url == URL + "/YWJjZGU="
    assert extract(f"(so)\n{URL}/YWJjZGU=)")[0].url == URL + "/YWJjZGU"
    assert extract(f"(so\n\n{URL}/YWJjZGU=)")[0].url == URL + "/YWJjZGU"


@pytest.mark.parametrize("command", ["verb", "verb*", "url", "path", "nolinkurl", "lstinline"])
@pytest.mark.parametrize("sign", [*"+!|=#~;&$%^_?@.-`'"])
def test_the_sign_behind_a_command_of_tex_ends_its_argument(command: str, sign: str) -> None:
    """It may be a sign of URLs, and one of schemes."""
    url = "https://localhost/b" if sign == "." else "https://h.example/b"
    text = f"so\n\\{command}{sign}{url}{sign}{sign}c and"
    assert [found.url for found in extract(text)] == [url]


@pytest.mark.parametrize("ending", ["de", "tan", "nın", "ün", "ye", "ı", "yle", "deki", "den."])
def test_an_ending_of_a_turkish_case_is_no_part_of_a_url(ending: str) -> None:
    """An apostrophe divides it from the name."""
    assert extract(f"{URL}'{ending} var")[0].url == URL
    for own in ("'dex", "'en", "'de/b", "'s-b"):
        assert extract(f"{URL}{own} var")[0].url == f"{URL}{own}"


@pytest.mark.parametrize(
    "ending",
    [
        *(":n", ":iin", ":hin", ":een", ":ta", ":ä", ":ssa", ":stä", ":llä", ":lta", ":lle.", ":ksi,", ":na", ":t"),
        *("-n", "-ön", "-ban", "-ben", "-ból", "-ről", "-ra", "-tól", "-nál", "-nek", "-val", "-höz).", "-ig", "-ért"),
    ],
)
@pytest.mark.parametrize("url", [f"{URL}.html", f"{URL}/"])
def test_an_ending_of_a_finnish_or_hungarian_case_is_no_part_of_a_url(url: str, ending: str) -> None:
    """Finnish divides it from the name by a colon, Hungarian by a hyphen, behind a file or a slash."""
    assert extract(f"{url}{ending} on")[0].url == url


@pytest.mark.parametrize(
    "own",
    [".html-en", ".html:nb", ".html-nx", ".html:n/b", "/:n.b", "/-ban/", "/-x", "-ban", ":lle", "/x-n", ".html:ban"],
)
def test_other_signs_behind_a_name_are_its_own(own: str) -> None:
    """They are no endings, or the name goes on behind them."""
    assert extract(f"{URL}{own} on")[0].url == f"{URL}{own}"


@pytest.mark.parametrize(
    ("before", "own", "behind"),
    [
        ("[8;;", "#index-Wunused-a", "-Wunused-a8;;]"),
        ("[]8;;", "#index-Wunused-a", "-Werror=unused-a]8;;]"),
        ("[", "#index-Wunused-a-Wunused", "]"),
        ("[", "#index-Wunused-Wunused-a", "]"),
        ("[", "#index-Wno-W", "]"),
    ],
)
def test_the_option_of_gcc_behind_its_link_is_none_of_it(before: str, own: str, behind: str) -> None:
    """GCC prints links with controls, which are lost. The option is the text of the link."""
    assert extract(f"b.c:5:1: warning: x {before}{URL}{own}{behind}")[0].url == f"{URL}{own}"


@pytest.mark.parametrize(
    ("before", "own"),
    [
        ("[3]", "[3]b"),
        ("[3]", "[5]b"),
        ("", "[4]b"),
        ("[3] ", "[4]b"),
        ("[12]", "[1]b"),
        ("[1]", "?b[2]=c"),
        ("[1]", "?b[2][c]=d"),
    ],
)
def test_other_numbers_in_brackets_are_of_the_url(before: str, own: str) -> None:
    """They are no numbers of links that follow each other."""
    assert extract(f"{before}{URL}/a{own} c")[0].url == f"{URL}/a{own}"
    assert [found.url for found in extract(f"the [9]{URL}[10]{URL}/b")] == [URL, f"{URL}/b"]


@pytest.mark.parametrize("text", ["$ wget {}?a=1&b=2", "see {}?a=1&&b=2", "$ wget {}?a&&2", "$ wget {}?a&&bc=2"])
def test_other_ampersands_are_of_the_url(text: str) -> None:
    """No command follows, or none stands before."""
    assert extract(text.format(URL) + " c")[0].url == text.format(URL).split()[-1]


@pytest.mark.parametrize(
    "url",
    [
        *("file:///home/ann/a.js", "file:///home/ann/a.py", "file:///C:/a/b.xml", "http://h.example/a.mjs"),
        *(
            "http://h.example/b@v1/a.ts",
            "http://localhost:3000/",
            "http://localhost:3000/a/",
            "http://h.example/a.tsx?b=1",
        ),
    ],
)
def test_the_place_of_an_error_is_none_of_its_url(url: str) -> None:
    """Programs print it behind files, scripts and the folders of pages."""
    assert extract(f"    at b ({url}:12:34)")[0].url == url
    for own in (
        "http://h.example/12:30:45",
        "http://h.example/a.ts:12",
        "http://h.example/a/:12",
        "http://h.example/ab:1:2",
    ):
        assert extract(f"at {own} b")[0].url == own


@pytest.mark.parametrize(
    "text", ["{}/<your username>/b.git", "{}?b=<your email>&c=1", "{}/<bug number>", "{}/<email address hidden>"]
)
def test_words_to_fill_in_make_no_url(text: str) -> None:
    """Wherever they stand in it."""
    assert extract(f"see {text.format(URL)} for") == []
    for other in (
        "{}/|<a name>",
        "{}/|<Ann Ex",
        "{}|<your name>",
        "{}/| <your name>",
        "{}/|<Ann Ex <ann@b.example>",
        "{}/|<shameless plug>",
        "{}/|<in German>",
    ):
        written, _, behind = other.format(URL).partition("|")
        found = extract(f"see {written}{behind} for")[0]
        assert (found.url, found.certainty) == (written, "plain")


@pytest.mark.parametrize(
    "ruler",
    [
        "-----Original Message-----",
        "---- Forwarded by Ann",
        "----- Begin Included Message -----",
        "-----Ursprüngliche Nachricht-----",
    ],
)
def test_a_ruler_of_a_message_is_none_of_the_url_before_it(ruler: str) -> None:
    """A mail program put it there, and the line end was lost."""
    assert extract(f"{URL}{ruler} x")[0].url == URL
    for own in ("-----other", "--original", "----original-soundtrack.html", "-----BEGIN+RSA"):
        assert extract(f"{URL}{own} x")[0].url == f"{URL}{own}"


@pytest.mark.parametrize("name", ["message-id", "user_name", "id", "bugid", "username", "path", "sha1", "BRANCH"])
@pytest.mark.parametrize("before", ["b/", "?b="])
def test_a_name_to_fill_in_at_the_end_makes_no_url(name: str, before: str) -> None:
    """Nor is its beginning one."""
    assert extract(f"{URL}/{before}<{name}> x") == []
    assert [found.rejected for found in extract(f"{URL}/{before}<{name}>.", invalid=True)] == [True]


@pytest.mark.parametrize("text", ["{}/|<br>", "{}?b=|<br>", "{}?b=|<p>", "{}|<id>", "{}/|</id>", "{}/|<url> x"])
def test_a_tag_or_another_word_at_the_end_is_none_to_fill_in(text: str) -> None:
    """No slash or equals sign stands before it, or it is a tag."""
    written, _, behind = text.format(URL).partition("|")
    assert extract(written + behind)[0].url == written


@pytest.mark.parametrize("hidden", ["[EMAIL PROTECTED]", "[email\xa0protected]", "[hidden email]", "[emailprotected]"])
@pytest.mark.parametrize("behind", ["", "/msg1.html", "/b?c=d"])
def test_a_url_with_an_address_that_an_archive_hid_is_none(hidden: str, behind: str) -> None:
    """Nor is its beginning one: nobody knows what stood there."""
    assert extract(f"see {URL}/{hidden}{behind} for") == []
    assert [found.rejected for found in extract(f"see {URL}/{hidden}{behind} for", invalid=True)] == [True]
    for before in (f"{URL} ", f"{URL}.html", "http://www.example.com", f"{URL}(") * (hidden != "[emailprotected]"):
        assert extract(f"see {before}{hidden}{behind} for")[0].url == before.rstrip(" (")


@pytest.mark.parametrize("host", ["www.example.com", "www.example.de", "EXAMPLE.ORG"])
@pytest.mark.parametrize("word", ["-based", "-Seite,", "-ról.", "-style-page"])
def test_a_word_behind_a_hyphen_is_no_part_of_a_top_level_domain(host: str, word: str) -> None:
    """No such domain has one, and prose puts words together so."""
    assert extract(f"the http://{host}{word} x")[0].url == f"http://{host}"


@pytest.mark.parametrize("rest", [".com-a/b", ".com-a.example/", ".com-2", "/x.com-based", ".example-based", "/a-b"])
def test_other_hyphens_are_of_the_url(rest: str) -> None:
    """They stand within a host or behind it, or a path shows that somebody means the host."""
    assert extract(f"the http://www.a{rest} x")[0].url == f"http://www.a{rest}"


@pytest.mark.parametrize(
    "url",
    [
        "news:sci.op-research",
        "news:comp.os.ms-windows",
        "http://www.us-robotics",
        "telnet://vms.hp-lab",
        "http://a.abc-d",
    ],
)
def test_a_hyphen_behind_another_label_is_of_the_url(url: str) -> None:
    """It is no top level domain, or none of a whole host."""
    assert extract(f"the {url} x")[0].url == url
    assert extract("http://ann@www.example.com-based x")[0].url == "http://ann@www.example.com"


def test_a_folder_of_windows_is_no_command_of_tex() -> None:
    """The sign behind it is the one of a setting."""
    assert extract("Software\\A\\path=http://h.example/?a=b")[0].url == "http://h.example/?a=b"


@pytest.mark.parametrize("before", ["verb+", "\\verbs+", "git+"])
def test_a_scheme_may_have_a_plus_sign(before: str) -> None:
    """Only a command of TeX and its sign are no part of it."""
    (found,) = extract(f"see {before}https://h.example/b+c and")
    assert found.url.endswith("+https://h.example/b+c")


@pytest.mark.parametrize("mark", ["!", "!>", "!{width:9em}"])
def test_a_picture_of_textile_may_be_a_link(mark: str) -> None:
    """A colon and the link follow the sign that ends the picture."""
    assert [found.url for found in extract(f"{mark}{URL}.png!:{URL}/b.")] == [f"{URL}.png", f"{URL}/b"]
    assert [found.url for found in extract(f"{mark}{URL}.png!:x")] == [f"{URL}.png!:x"]


@pytest.mark.parametrize("url", [f"{URL}/~joe", f"{URL}/list", f"{URL}/?a=3Db"])
def test_an_escaped_blank_is_no_value_where_other_signs_are_escaped(url: str) -> None:
    """Undecoded quoted-printable is full of them. One alone may be a value."""
    assert extract(f"See {url}=20\nfor more=20\ninformation.\n")[0].url == url
    for alone in (f"{URL}/id=20", f"{URL}?id=20"):
        assert extract(f"See {alone}\nfor more\ninformation.\n")[0].url == alone
    assert extract(f"See {URL}?id=20\nfor more=20\ninformation.\n")[0].url == f"{URL}?id=20"


@pytest.mark.parametrize("between", ["📸", "②", "\u2009②", "🎥📸"])
@pytest.mark.parametrize("path", ["", "/", "/a", "/a/", "/?q="])
def test_an_emoji_or_a_number_may_stand_before_the_next_url(between: str, path: str) -> None:
    """Posts list links so."""
    assert [each.url for each in extract(f"①{URL}{path}{between}{URL}b c")] == [f"{URL}{path}", f"{URL}b"]
    assert extract(f"{URL}/a²b c")[0].url == f"{URL}/a²b"


def test_the_shell_of_windows_escapes_quotation_marks() -> None:
    """Browsers copy a request so."""
    assert extract(f'curl ^"{URL}^" ^')[0].url == URL
    assert extract(f'a "{URL}^" b')[0].url == f"{URL}^"


CELLS = (
    *(
        "-$5.20",
        "5%",
        "1/2/99",
        "2020-01-02T03:04:05Z",
        "a@b.example",
        "N/A",
        "-",
        "200",
        "3.5",
        "2nd",
        "5k",
        "#1",
        "AT&T",
    ),
    *(
        "text/html",
        "v1.2",
        "U.S.",
        "sha1:ABC",
        "b.txt",
        "www.c.example",
        "/etc/b.txt",
        "What?",
        "C++",
        "1 km",
        "2.ab-c",
        "",
    ),
)


@pytest.mark.parametrize("sign", [",", ";"])
@pytest.mark.parametrize("end", ["\n", "\r\n"])
@pytest.mark.parametrize(
    "rows",
    [
        ("n|URL|m", f"1|{URL}|5"),
        ("Home Page|m", f"{URL}|5"),
        (f"1|{URL}|5", f"2|{URL}|7|"[:-1]),
        (f"{URL}|a title|2021", f"{URL}|b|2022"),
        ("|url|m", f"0|{URL}|12"),
        *(("id|url|file", f"1|{URL}|{name}") for name in ("0001.jpg", "2004.zip", "10.am", "a=1", "3.html")),
        ("url|m|", f"{URL}|12|"),
        *((f"1|{URL}|{cell}", f"2|{URL}|{cell}") for cell in CELLS),
        (f"1|{URL}|1.gz|b", f"2|{URL}|1.gz|b"),
        (f"1|{URL}|J. A. Smith", f"2|{URL}|A (&b.)"),
        (f"{URL}|Mercury (planet)", f"{URL}|Venus (planet)"),
        ("name|home_page|n", f"Ann|{URL}|3"),
        ("name|web-site|n", f"Ann|{URL}|3"),
        (f"1|{URL} (mirror)|5", f"2|{URL}|6"),
        (f"1|{URL} Documents/a.pdf|5", f"2|{URL}|6"),
    ],
)
def test_a_url_ends_with_its_cell_of_a_table(rows: tuple[str, str], end: str, sign: str) -> None:
    """A line beside it has as many cells, and a URL or the title of its column in the same place."""
    text = "".join(row.replace("|", sign) + end for row in rows)
    for url in (URL, f"{URL}/?id=5"):
        table = text.replace(URL, url)
        assert {each.url for each in extract(f"a{end}{end}{table}{end}b")} == {url}
        assert {each.url for each in extract(table.rstrip())} == {url}


@pytest.mark.parametrize("row", ["Rome,{}/Q64,52.5166,13.3833\n", "Rome,{}/p/64,12.990,x\n"])
def test_a_decimal_number_behind_a_name_is_a_cell(row: str) -> None:
    """It is one of two coordinates only behind another decimal number."""
    url = "http://www.example.org"
    found = extract(row.format(url) + row.format(url))
    assert len(found) == 2
    assert {each.url for each in found} == {row.format(url).split(",")[1]}


@pytest.mark.parametrize(
    "text",
    [
        "http://www.example.org/0,1895,7-33,00.html\nhttp://www.example.org/0,1895,7-34,00.html\n",
        "http://www.example.org/0,1895,7-33,00.html (a b)\nhttp://www.example.org/0,1895,7-34,00.html (c)\n",
        "1,http://www.example.org/0,1895,7-33,00.html\n2,x\n",
        "1,http://www.example.org/0,1895,7,00.html\n2,http://www.example.org/0,1895,8,00.html\n",
        "http://www.example.org/a;b=1,00.html home\nhttp://www.example.org/a;b=2,00.html other\n",
        "a;http://www.example.org/a;b=1,00.html\nb;http://www.example.org/a;b=2,00.html\n",
        "1,http://www.example.org/a?b=4.1,-7.2,00.html\n2,http://www.example.org/a?b=4.1,-7.3,00.html\n",
        "1,http://www.example.org/0,1895,7-33,00.html\n2,http://www.example.org/0,1895,8-33,00.html\n",
        "1,http://www.example.org/0,1518,druck-387123,00.html\n2,http://www.example.org/0,1518,druck-387124,00.html\n",
        "1,http://www.example.org/0,289142,sid14_gci1,00.html\n2,http://www.example.org/0,289143,sid14_gci2,00.html\n",
        "our url;\nhttp://www.example.org/a;b=1,00.html\n",
        "Visit our website, please\nhttp://www.example.org/0,00.html now\n",
        "a, http://www.example.org/0,1895,7-33,00.html\na, http://www.example.org/0,1895,7-34,00.html\n",
        "a=&quot;http://www.example.org/p?b&amp;c=,00.html\na=&quot;http://www.example.org/p?c&amp;d=,00.html\n",
        f"{'x' * 1200},url,a,b,c\n1,http://www.example.org/0,1895,7-33,00.html\n",
        f"{'x' * 1200},http://www.example.org/0,00.html\nn,url,m\n",
    ],
)
def test_a_comma_belongs_to_a_url_in_other_lines(text: str) -> None:
    """Names of pages have such numbers."""
    assert all(each.url.endswith(",00.html") for each in extract(text))


@pytest.mark.parametrize(
    "text",
    [
        "a;{};jsessionid=1\nb;{};jsessionid=2\n",
        "Paris,{}/@48.8534,2.3488,15z\nRome,{}/@41.9,12.4964,7.5z\n",
        "{},1\n{},2\n",
        "url,n\nx {},1\n",
        "1,{}/0,1-0@2-3224,36-350171,0.html\n2,{}/0,7-0@2-3224,36-350777,0.html\n",
        "1,{}/1,2,3.wbp\n2,{}/2,3,4.wbp\n",
        "{}/Portland,_Oregon - on a river\n{}/Portland,_Maine - on the sea\n",
        "{}/foo,bar.html (German)\n{}/baz,qux.html (English)\n",
        "{}/foo,bar.html [1]\n{}/baz,qux.html [2]\n",
        "{}?q=Paris,France \n{}?q=Rome,Italy \n",
        "{} is one, of two\n{}?q=Paris,France\n",
        "1,{}/Portland,_Oregon\n2,{}/Portland,_Maine\n",
        "1,{}/1,0,1234567.story\n2,{}/1,0,1234568.story\n",
        "1,{}/1,2,3.Html,x\n2,{}/2,3,4.Html,y\n",
        "our url,\n{},1\n",
        "our url,\r\n{},1\r\n",
        "Visit our website, please\n{},b now\n",
        "url,n\n{}/0,1,2.html\n",
        "u;{}?a&amp;b\nv;{}?c&amp;d\n",
    ],
)
def test_a_sign_between_cells_may_belong_to_a_url(text: str) -> None:
    """Before a parameter, between coordinates, in a reference, and where nothing shows a table."""
    text = text.replace("{}", URL)
    assert [each.url for each in extract(text)] == re.findall(r"http:(?:[^\s,]|,(?![xy]))+", text)


def test_a_page_that_ends_in_a_number_may_stand_before_another_cell() -> None:
    """Its commas are its own."""
    url = "http://www.example.org/0,1895,{},00.html"
    text = f"1,{url.format(7)},foo\n2,{url.format(8)},bar\n"
    assert [each.url for each in extract(text)] == [url.format(7), url.format(8)]


@pytest.mark.parametrize("cell", ["3.125", "0001.jpg", "2004.zip", "10.am", "_blank", "_Top", "_ID2"])
def test_a_number_or_target_is_a_cell_behind_a_name(cell: str) -> None:
    """Behind a digit it may be a coordinate, or the end of a page's name."""
    assert {each.url for each in extract(f"1,{URL},{cell}\n2,{URL},{cell}\n")} == {URL}


def test_a_target_is_a_cell_behind_a_title() -> None:
    """A title has a capital behind its comma and underscore."""
    assert {each.url for each in extract(f"1,{URL}/Portland,_blank\n2,{URL}/Portland,_blank\n")} == {f"{URL}/Portland"}


@pytest.mark.parametrize("cell", ["0001.jpg", "2004.zip", "10.am"])
def test_a_name_that_ends_in_a_digit_is_no_number_of_a_page(cell: str) -> None:
    """Behind it, the name of a file is a cell."""
    url = f"{URL}/p1"
    assert {each.url for each in extract(f"1,{url},{cell}\n2,{url},{cell}\n")} == {url}


def test_a_value_may_look_like_an_escape() -> None:
    """A name and an equals sign before it show that nothing in the search is escaped."""
    assert extract("http://www.example.com/models?type=3D&page=20\n")[0].url.endswith("?type=3D&page=20")


@pytest.mark.parametrize("reference", ["&amp;", "&#38;", "&#x26;"])
def test_a_semicolon_of_a_reference_ends_no_command(reference: str) -> None:
    """A web page shows the command."""
    assert extract(f"$ curl {URL}?a=1{reference}debug -o file")[0].url == f"{URL}?a=1{reference}debug"
    assert extract(f"$ curl {URL}?a=1;debug -o file")[0].url == f"{URL}?a=1"
    assert extract(f"$ curl {URL}?a=1&t;debug -o file")[0].url == f"{URL}?a=1&t"


@pytest.mark.parametrize("entity", ["&amp;quot;&amp;gt;", "&amp;lt;/a&amp;gt;", "&amp;amp;#34;x"])
def test_a_sign_of_markup_may_be_escaped_twice(entity: str) -> None:
    """Feeds that show HTML have it so."""
    assert extract(f"&lt;a href=&amp;quot;{URL}{entity}y")[0].url == URL
    assert extract(f"{URL}?b=1&amp;amp;quote=2 x")[0].url == f"{URL}?b=1&amp;amp;quote=2"


@pytest.mark.parametrize("before", ["&lt;a href=&quot;", "&lt;p&gt;", "&#34;", ";"])
@pytest.mark.parametrize("reference", ["&amp;", "&AMP;", "&#38;"])
def test_a_semicolon_of_a_reference_is_none_between_cells(before: str, reference: str) -> None:
    """Feeds write HTML in HTML, so that the ampersand of a search is a reference in a reference."""
    url = f"http://www.example.org/p.asp?a=1{reference}b"
    assert [each.url for each in extract(f"{before}{url}\n")] == [url]


@pytest.mark.parametrize("host", ["日本語.jp", "日本.example.co.jp", "bücher.de", "ann@日本.JP", "日本語.jp:8080"])
def test_prose_behind_the_top_of_a_host_with_a_name_is_left(host: str) -> None:
    """The top level domain is in ASCII; in scripts without spaces, no blank divides prose from it."""
    for behind in ("にアクセス", "访问", "을 보다", "へ。x.html"):
        assert extract(f"見 http://{host}{behind} x")[0].url == f"http://{host}"
    for longer in ("http://日本語.jp日本.example/", "http://日本語.jp/日本.html", "http://日本語.jp日本.co.jp"):
        assert extract(f"見 {longer} x")[0].url == longer


@pytest.mark.parametrize("name", ["日本/日本", "日本_2.pdf", "日本%20x", "ニュース/一覧", "日本"])
@pytest.mark.parametrize("before", ["URL:", "x\nATTACH:", "X-FOO;VALUE=URI:", "item1.URL;TYPE=pref:"])
def test_the_value_of_a_property_is_whole(before: str, name: str) -> None:
    """In calendars and vCards the URL is all of it (RFC 5545 3.8.4.6, RFC 6350 6.7.8)."""
    for behind in ("", "\nEND:VCARD\n", "\r\nX:y"):
        assert extract(f"{before}http://www.example.org/{name}{behind}")[0].url == f"http://www.example.org/{name}"
    assert extract(f"{before}http://www.example.org/にアクセス\n")[0].url == "http://www.example.org/"
    assert extract(f"{before}http://www.example.org/日本 so\n")[0].url == "http://www.example.org/"


@pytest.mark.parametrize("name", ["日本", "日本_2", "Template:日本", "芙宁娜·德"])
@pytest.mark.parametrize(
    ("before", "behind"),
    [
        *(
            ("[日]: ", "\n\n> x"),
            ("   [50]: ", "\n\n   [51]: x"),
            (".. _日: ", "\nx"),
            ("x [", "](http://b.example/c)"),
            ("x [", " Furina x] y"),
        ),
        *(("{{cite|url=", "|title=t}}"), ("{{cite | url = ", " |title=t]}"), ("x<ref>", "</ref> y")),
    ],
)
def test_the_destination_of_a_link_is_whole(before: str, behind: str, name: str) -> None:
    """Languages of markup say where it ends. A word of prose may be glued to other URLs."""
    assert extract(f"{before}http://www.example.org/{name}{behind}")[0].url == f"http://www.example.org/{name}"
    assert extract("x [http://www.example.org/にアクセス so] y")[0].url == "http://www.example.org/"
    assert extract("见 http://www.example.org/日本 so")[0].url == "http://www.example.org/"


@pytest.mark.parametrize("name", ["에도_시대", "에도-시대", "에도.html", "에도?a=1", "이나_시"])
def test_a_name_may_begin_as_a_korean_particle(name: str) -> None:
    """Behind a particle stands a blank or a sign of the sentence."""
    assert extract(f"http://ko.example.org/wiki/{name} a")[0].url == f"http://ko.example.org/wiki/{name}"
    assert extract("http://ko.example.org/wiki/에도 a")[0].url == "http://ko.example.org/wiki/"


@pytest.mark.parametrize("name", ["L’Étranger", "a_(d’Été)", "Ovens_de_l’art", "Dell’Arte", "Ann’s_oven", "A:l’art"])
def test_an_apostrophe_in_the_name_of_a_wiki_page_is_of_it(name: str) -> None:
    """Behind it stand letters, or another word of the name; but for endings of English behind a quotation."""
    url = f"http://www.example.org/wiki/{name}"
    assert extract(f"see {url} a")[0].url == url
    for behind in ("’", "’s", "’ll", "’.", "’ and", "’d (b)"):
        found = extract(f"‘http://www.example.org/wiki/Oven{behind} a")[0]
        assert found.url == "http://www.example.org/wiki/Oven"
    assert extract("http://www.example.org/oven’en a")[0].url == "http://www.example.org/oven"


@pytest.mark.parametrize(
    "name", ["Erd\u0151s–R\u00e9nyi_model", "A–B", "1914–1918", "foo–bar_baz–1", "A(b)_c–D", "\u5c71–D", "A_–_b"]
)
def test_a_dash_may_belong_to_a_name_of_a_wiki(name: str) -> None:
    """Typography asks for it between two names; elsewhere it is one of prose."""
    assert extract(f"http://www.example.org/wiki/{name}, a")[0].url == f"http://www.example.org/wiki/{name}"
    assert extract(f"http://www.example.org/a/{name} a")[0].url == f"http://www.example.org/a/{name.partition('–')[0]}"
    for prose in ("–it is", "–(a)", "–", "–Http://www.example.org/", "–WWW.example.org"):
        assert extract(f"http://www.example.org/wiki/A{prose} b")[0].url == "http://www.example.org/wiki/A"


PARTICLES = """
    을 를 은 는 이 가 에 의 로 와 과 도 만 에서 으로 에게 까지 부터 에서도 에서는 에도 에는 으로는
    로부터 으로부터 이다 인 에서의 에만 하고 또는 참조 에있는 网页上找到链接。 网站的 處獲得) 处下载
    입니다 입니까 이며 이고 이나 이라고 이라는 라고 라는 처럼 보다 합니다 이에요 예요 へ
"""
LAST_WORDS = "ください 下さい です ます ました 参照 参考 から まで より 참조 참고 访问 查看"


@pytest.mark.parametrize("particle", PARTICLES.split())
def test_a_particle_behind_a_slash_belongs_to_the_prose(particle: str) -> None:
    """Those of Korean, and the letters in which Japanese writes its own."""
    assert extract(f"http://www.example.org/wiki/{particle} a")[0].url == "http://www.example.org/wiki/"


@pytest.mark.parametrize("name", ["인", "참조", "の"])
def test_a_page_of_wikipedia_may_have_the_name_of_a_particle(name: str) -> None:
    """Nobody links the folder of its pages."""
    assert extract(f"http://ja.wikipedia.org/wiki/{name} a")[0].url == f"http://ja.wikipedia.org/wiki/{name}"


@pytest.mark.parametrize(
    "name", ["网站下载/setup.exe", "网站下载.zip", "网页查询?id=1", "참조/", "참조:문서", "处理_a"]
)
def test_a_name_may_begin_as_a_word_of_prose(name: str) -> None:
    """What follows shows it."""
    assert extract(f"见 http://www.example.org/a/{name} 吧")[0].url == f"http://www.example.org/a/{name}"


@pytest.mark.parametrize("label", ["HP", "BBS", "FAQ"])
@pytest.mark.parametrize("behind", ["を参照", "에서", "です。"])
def test_prose_behind_a_document_is_left_whatever_stands_before_the_url(label: str, behind: str) -> None:
    """Labels in capitals are usual in mail, and Markdown has URLs as the text of a link."""
    url = "http://www.example.org/a.html"
    for before, rest in ((f"{label}:", "\n"), ("URL:", "\n"), ("[", "](http://b.example/)")):
        assert extract(f"{before}{url}{behind}{rest}")[0].url == url
    assert extract(f"{label}:http://www.example.org/欢迎光临\n")[0].url == "http://www.example.org/"
    assert extract("x<ref>http://www.example.org/日本。</ref> y")[0].url == "http://www.example.org/日本"


@pytest.mark.parametrize(
    "url", ["http://サーバ名?x=1", "ftp://ユーザ@ホスト/", "http://テスト_1.jp/", "http://中文域名#a", "http://人物/a"]
)
def test_a_host_of_one_label_is_no_prose_before_the_rest_of_a_url(url: str) -> None:
    """As manuals write them; in the quotation marks of code, it may stand alone."""
    assert extract(f"見 {url} a")[0].url == url
    assert extract("new URL('https://測試');")[0].url == "https://測試"
    assert not extract("'http://で始まる'")


@pytest.mark.parametrize("end", LAST_WORDS.split())
def test_a_sentence_may_be_glued_to_a_host_that_begins_its_line(end: str) -> None:
    """Its last word shows it."""
    assert extract(f"あ\n\nhttp://www.example.org/説明{end}\n\nい")[0].url == "http://www.example.org/"


@pytest.mark.parametrize("sign", [",", ";"])
def test_of_several_separators_the_first_is_asked(sign: str) -> None:
    """Each row looks at the text before it, so many signs would take the time of many URLs."""
    text = f"http://www.example.org/a{sign * 3}b"
    rows = [row.name for row in CUT_RULES if sign in row.signs and not row.before]
    assert rows
    assert not [row.name for row in CUT_RULES if row.name in rows and re.compile(row.only).match(text, text.index("b"))]


@pytest.mark.parametrize(
    "command",
    [
        "apt-get update",
        "x=$HOME",
        "d=`date`",
        "d='x'",
        "lang=c make",
        "i=1;while true",
        "prefix=/usr",
        "p=http://h:1/",
        "ls",
        "./x",
        "Rscript f",
        "PATH=x make",
        "$EDITOR f",
        "~/x",
        "done;ls -l",
    ],
)
@pytest.mark.parametrize("dialect", ["current", "rfc1738"])
def test_a_semicolon_ends_a_command_whatever_follows(command: str, dialect: Dialect) -> None:
    """Elsewhere it may begin a parameter of the path."""
    url = "http://www.example.org/key.asc"
    assert extract(f"$ wget {url};{command}\n", dialect)[0].url == url
    assert extract(f"see {url};b=c\n", dialect)[0].url == f"{url};b=c"


@pytest.mark.parametrize("parameters", [";type=a", ";jsessionid=0A1B", "?p=a.git;a=blob;f=b/c;hb=HEAD"])
@pytest.mark.parametrize("behind", ["", "\n", " -O x", " && ls", ")"])
@pytest.mark.parametrize("dialect", ["current", "rfc1738"])
def test_parameters_of_a_url_are_no_commands(parameters: str, behind: str, dialect: Dialect) -> None:
    """The shell would take them for commands, but the whole URL is meant (RFC 1738 3.2.2 has `;type=a`)."""
    url = f"ftp://www.example.org/x{parameters}" if parameters == ";type=a" else f"http://www.example.org/x{parameters}"
    assert extract(f"$ wget {url}{behind}", dialect)[0].url == url


@pytest.mark.parametrize("behind", [" 2>&1", " | more", "|more", ">x", "; make", ", then", " and then", "'"])
@pytest.mark.parametrize("type_", ["a", "I", "d"])
def test_the_type_of_a_transfer_belongs_to_the_url_whatever_follows(type_: str, behind: str) -> None:
    """No command is an assignment to that name (RFC 1738 3.2.2)."""
    url = f"ftp://ftp.example.org/README;type={type_}"
    assert extract(f"$ wget {url}{behind}\n")[0].url == url
    for other in ("x", "a.b", "ab", "a=b"):
        assert extract(f"$ wget {url[:-7]};type={other} make\n")[0].url == url[:-7]


@pytest.mark.parametrize(
    ("url", "behind"),
    [("a/", "'de b"), ("a", "'de b"), ("a-'de", " b"), ("?q='de", " b"), ("?f=(k:'de',a)", " b")],
)
def test_the_ending_of_a_case_stands_behind_a_letter_or_slash(url: str, behind: str) -> None:
    """Behind another sign, the apostrophe is one of the URL."""
    assert extract(f"http://www.example.org/{url}{behind}")[0].url == f"http://www.example.org/{url}"


@pytest.mark.parametrize("name", ["会社概要", "会社/概要/", "뉴스", "ข่าว", "会社概要#top"])
@pytest.mark.parametrize(
    "around", ["{}", "> {}\n", "あ\n\n\u3000{} \r\n\r\nい\n", "あ\r\n> \r\n> {}\n> \n", "[社]({}) い", "あ「{}」い"]
)
def test_a_name_behind_the_host_is_no_prose_where_nothing_else_stands(around: str, name: str) -> None:
    """The URL stands alone in its line or in brackets."""
    assert extract(around.format(f"http://www.example.jp/{name}"))[0].url == f"http://www.example.jp/{name}"


@pytest.mark.parametrize(
    "name",
    [
        "会社概要/",
        "日本語/東京/",
        "서울/대학교/",
        "お知らせ/",
        "お知らせ/index.html",
        "ニュース/",
        "おサイト/",
        "おしらせ会/",
    ],
)
@pytest.mark.parametrize("around", ["{}", "see {} and", "* {}", "詳細:\n{}\n\nfoo", "あ（{}）い", "{}、あ"])
def test_a_name_with_another_slash_behind_it_is_no_prose(around: str, name: str) -> None:
    """It may begin with a letter of prose if others follow."""
    assert extract(around.format(f"http://www.example.jp/{name}"))[0].url == f"http://www.example.jp/{name}"


@pytest.mark.parametrize(
    "text",
    [
        "{}から/tmp に\n",
        "これは {}会社/を参照\n",
        "これは {}会社//\n",
        "これは {}会社/٣を参照\n",
        "これは {}参照\n",
        "{}参照 いう\n",
        "{}をご覧\n",
        "{}参照してください\n",
        "あ（い {}参照）",
        f"{'あ' * 99} {{}}参照\n",
    ],
)
def test_prose_in_scripts_without_spaces_may_be_glued_to_a_host(text: str) -> None:
    """It is as likely as a name, where other text stands in the line."""
    assert extract(text.format("http://www.example.jp/"))[0].url == "http://www.example.jp/"


@pytest.mark.parametrize(
    "end",
    [
        *(
            "${NC}",
            "{RESET}",
            "{Style.RESET_ALL}",
            "${NO_COLOR}",
            "{Fore.RESET}",
            "{bcolors.ENDC}",
            "{c.END}",
            "{Color_Off}",
        ),
        *("$(NC)", "$(RESET)", "$(tput sgr0)", "{Environment.NewLine}", "${os.EOL}", "{a.b.c.LF}"),
    ],
)
def test_a_variable_that_ends_a_colour_or_a_line_is_none_of_a_url(end: str) -> None:
    """Scripts colour what they print, or go to the next line."""
    for url in (URL, f"{URL}/", "http://www.example.org"):
        for behind in ("", '"', " x", "x"):
            found = extract(f"{{RED}}at {url}{end}{behind}")[0]
            assert (found.url, found.certainty) == (url, "inferred")


@pytest.mark.parametrize(
    "path", ["/{NC}/b", "/{RESET}.html", "?a={NC}&b=1", "?a=${NC}", "?e={range.END}", "/{Mode.OFF}/c"]
)
def test_such_a_variable_within_a_url_is_a_placeholder(path: str) -> None:
    """More of the URL follows, or it is a value."""
    assert extract(f"at {URL}{path} so") == []


@pytest.mark.parametrize("name", ["{NCX}", "{END}", "${reset}", "{id.next}", "{OFF}", "$(tput)", "{/RESET}"])
def test_other_variables_are_placeholders(name: str) -> None:
    """A URL with such a one is none, or the dialect has it."""
    assert [each.url for each in extract(f"at {URL}/{name} so")] in ([], [f"{URL}/{name}"])


@pytest.mark.parametrize(
    "text",
    [
        f"curl {URL}/b-$(uname -s)-$(uname -m) -o x",
        f'curl "{URL}/b-$(uname -s).gz" x',
        f"wget {URL}-$(date +%Y%m%d).tar.gz b",
        f"x = '{URL}/(?P<owner>[^/]+)/b'",
        f"x = '{URL}/(?<owner>[^/]+)/b'",
        f"x = '{URL}/(?P<owner>.*)'",
        f'x = "{URL}/#{{ id }}"',
        f'x = "{URL}/#{{ a.b }}/c" z',
        f'x = "{URL}/#{{"b-" if c}}d/" z',
        f"<{URL}?b=c#{{ id }}>",
        f"x = {URL}/#{{(b)}}/c",
        f"x = {URL}/#{{!b}}/c",
    ],
)
def test_what_a_program_fills_in_makes_no_url(text: str) -> None:
    """The output of a command, what a part of an expression matches, and a value between blanks."""
    assert extract(text) == []


@pytest.mark.parametrize("fragment", ["#{%22layers%22:1}", "#{'a':1}"])
def test_json_in_a_fragment_is_of_the_url(fragment: str) -> None:
    """Browsers write it so."""
    assert extract(f"see {URL}{fragment} x")[0].url == URL + fragment


def test_the_url_of_a_command_within_another_is_found() -> None:
    """The outer one is a template."""
    (found,) = extract(f'curl -LO "{URL}/$(curl -L -s {URL}/b.txt)/c" d')
    assert found.url == f"{URL}/b.txt"


@pytest.mark.parametrize("text", [f"see {URL} $(uname -s) x", f"see {URL}$ (uname -s) x", f"see {URL}(uname -s) x"])
def test_a_command_behind_a_url_is_none_of_it(text: str) -> None:
    """It stands directly in the URL."""
    assert extract(text)[0].url.rstrip("$") == URL


@pytest.mark.parametrize("url", [URL, f"{URL}/", f"{URL}.html", "http://www.example.org", f"{URL}?b=1", f"{URL}#b-c"])
@pytest.mark.parametrize(
    "behind",
    [
        *(
            ".Accessed: 2021-04-28.",
            ",Accessed:2018-02-12.",
            ",accessed 29-Jul-2023.",
            "(accessedon18August2023).",
            ".Retrieved 3 May",
        ),
        *(
            "(Accessed:2020-06-02)",
            "[accessedDecember1st,2020]",
            ";lastaccessed3May",
            "(accessedon25November\n2022)",
            ",.Visited: 3",
            "(accessed on 3 May 2020)",
            "(accessedJun. 16, 2023)",
            ".Retrieved on May 3",
            ".accessed3May2020",
            ".Accessed on: 3 May 2020",
            "(accessed on\n      3 May 2020)",
            ".Accessed\xa012 May 2004",
            ".Accessed on\n12. May 2004",
            ",retrieved october 3",
            ".Accessed - 3 May",
            ".accessed: 2021",
            ",accessed in May 2020",
        ),
    ],
)
def test_a_date_of_access_is_none_of_a_url(url: str, behind: str) -> None:
    """References to the web end in one; the blank before it may have been lost."""
    found = extract(f"[1] Hearth. {url}{behind}")[0]
    assert (found.url, found.certainty) == (url, "inferred")


@pytest.mark.parametrize(
    "path",
    [
        *("?a=b,accessed c", ".accessedby c", "/accessed/c", "/accessed.html c", "#a.accessed c"),
        *("/date.accessed.xml c", "/date.Accessed.xml c", "/b.visited c", "/b.accessed,b c", "/b.visited 3"),
        *("/b.Accessed.Xml c", "/q[visited]=1 c", "/b(accessed) c", "/wiki/Film_(visited) c", "?b=c,accessed d"),
        *("?a=b,accessed,marked", ",accessedmarkers", "/File.LastAccessed-Marker.html", "/x.Visited-2019.jpg"),
        *(",accessed\n    2. then", "/Last.Accessed\n\n   2 Next", "/a(visited-2019)", "/a.Accessed-May.html"),
        *("?$select=Id,LastVisitedDate", "?a=b,lastAccessedTime", "?a[lastVisitedTime]=5", "#File.LastAccessedTime"),
    ],
)
def test_other_words_like_that_are_of_the_url(path: str) -> None:
    """A name that goes on, a name of the path, a value."""
    assert extract(f"see {URL}{path} d")[0].url == URL + path.split(maxsplit=1)[0]


@pytest.mark.parametrize("text", ["[#123]", "[#1^]", "[{title-of-it}]", "[{ocp} docs]", "[gh-123]"])
def test_the_text_of_a_link_of_asciidoc_is_none_of_the_url(text: str) -> None:
    """It stands in brackets directly behind the URL, and may be a number or an attribute of the document."""
    assert [each.url for each in extract(f"* Mend {URL}{text}, {URL}/c{text}.")] == [URL, f"{URL}/c"]
    assert extract(f"see http://a.example/[#name] and {URL}/{{name}} x") == []


@pytest.mark.parametrize("behind", ["!", "!:http://b.example/y"])
def test_the_title_of_a_picture_of_textile_is_none_of_its_url(behind: str) -> None:
    """It stands in brackets behind the file."""
    assert extract(f"!{URL}.png(oven){behind} x")[0].url == f"{URL}.png"
    assert extract(f"see !{URL}.png(oven) x")[0].url == f"{URL}.png(oven)"


@pytest.mark.parametrize("plugin", ["#ref(", "&ref(", "x #showrss(", "[[Image("])
@pytest.mark.parametrize("parameters", [",w:200);", ",nolink,center)", ",300x300,*bread,@http://b.example/)"])
def test_a_parameter_of_a_plugin_is_none_of_a_url(parameters: str, plugin: str) -> None:
    """PukiWiki writes pictures so. Elsewhere in brackets, a comma may belong to the URL."""
    assert extract(f"{plugin}{URL}.jpeg{parameters}")[0].url == f"{URL}.jpeg"
    assert extract(f"see ref({URL}.jpeg,v) x")[0].url == f"{URL}.jpeg,v"


@pytest.mark.parametrize("scheme", ["http", "https", "ftp", "ldap"])
@pytest.mark.parametrize(
    "text", ["から、{}で始まる", "就是{}开头的路径", "URL은 {}로 시작", "{}またはhttps://で始まるURL"]
)
def test_a_scheme_that_prose_speaks_of_is_no_url(text: str, scheme: str) -> None:
    """A host of one label in such a script has a port or path behind it."""
    assert extract(text.format(f"{scheme}://")) == []
    for host in ("サーバ/", "日本語.jp", "서버:8080", "食狮.中国"):
        assert extract(f"見 {scheme}://{host} x")[0].url == f"{scheme}://{host}"


@pytest.mark.parametrize("url", [URL, f"{URL}.html", "http://www.example.org", "https://doi.org/10.1/x-02.2"])
@pytest.mark.parametrize(
    "heading",
    [
        *("Supplementary information is", "Supplementary\ndata", "Contact:ann@a.example", "Contact: ann@a.example"),
        *("Supplementary Figure 1", "E-mail: a", "Email:a@b.example", "Tel: 1", "Note: a", "Accessed: yesterday"),
    ],
)
def test_the_heading_of_the_next_paragraph_is_none_of_a_url(url: str, heading: str) -> None:
    """Its line end has been lost, in abstracts and references."""
    found = extract(f"at {url}.{heading}")[0]
    assert (found.url, found.certainty) == (url, "inferred")


@pytest.mark.parametrize("url", ["http://www.example.org", f"{URL}.html", "http://192.0.2.1"])
@pytest.mark.parametrize(
    "heading",
    ["Tel:+1-10", "Availability:http://b.example/", "Keywords:fir", "Contact:Dr.", "Fax:(02)", "Contact:张三"],
)
def test_a_heading_may_have_lost_its_blanks_too(url: str, heading: str) -> None:
    """Behind a host or a document. What begins as a number or an address of mail does so behind all names."""
    found = extract(f"at {url}.{heading} x")
    assert found[0].url == url
    assert [each.url for each in found[1:]] == (["http://b.example/"] if "//" in heading else [])
    assert extract(f"at {URL}.Tel:+1-10 x")[0].url == URL
    assert extract(f"at {URL}.Keywords:fir x")[0].url == f"{URL}.Keywords:fir"


@pytest.mark.parametrize(
    "path",
    [
        "/a.Supplementary",
        "/a.Contact",
        "/Note:b",
        "/wiki/A.Note:b.jpg",
        "?q=A.Note:x",
        "/a.Notes:b",
        "/x.Supplementary.pdf",
    ],
)
def test_other_words_like_a_heading_are_of_the_url(path: str) -> None:
    """No colon follows, or no other word of the heading."""
    assert extract(f"see {URL}{path} so")[0].url == URL + path


@pytest.mark.parametrize("sign", [",", ";"])
@pytest.mark.parametrize("label", ["Email", "Email2", "E-mail", "EMAIL", "Kontakt"])
def test_an_address_behind_its_label_is_none_of_a_url(label: str, sign: str) -> None:
    """A host would else be read as a user, and the label as the password's beginning."""
    for url in ("http://www.a.example", "http://a.de", "http://a.de:8080", f"{URL}/", URL):
        assert extract(f"Web:{url}{sign}{label}:ann@b.example: so")[0].url == url
    for url in (
        f"ftp://ann{sign}b:c@a.example/",
        f"ftp://j.doe{sign}b:c@a.example/",
        f"https://a.com:123{sign}b:c@d.com/e",
        f"{URL}/?a=b{sign}c:d@e",
        f"sip:a@b.example;user:c@d{sign}e:f@g",
    ):
        assert extract(f"see {url} so")[0].url == url


@pytest.mark.parametrize("sign", [",", ";"])
@pytest.mark.parametrize("url", [URL, "http://www.a.example", f"{URL}/", "http://www.a.example/x?a=b"])
def test_a_list_of_urls_with_labels_is_divided(url: str, sign: str) -> None:
    """Each label stands directly before its URL."""
    found = extract(f"(Web:{url}{sign}Code:http://b.example/c{sign}Paper-2:https://c.example/)")
    assert [each.url for each in found] == [url, "http://b.example/c", "https://c.example/"]
    assert extract(f"see {URL}/a{sign}b:http://b.example/c")[0].url == f"{URL}/a{sign}b:http://b.example/c"


@pytest.mark.parametrize("word", ["和", "或", "或者", "与", "以及", "及"])
@pytest.mark.parametrize("scheme", ["http", "ftp", "gopher"])
def test_and_in_chinese_between_urls_is_of_neither(scheme: str, word: str) -> None:
    """Behind a slash, another word may be the name of a page."""
    found = extract(f"访问 {URL}/{word}{scheme}://b.example/c/ 确保")
    assert [each.url for each in found] == [f"{URL}/", f"{scheme}://b.example/c/"]
    assert extract(f"访问 {URL}/{word} 确保")[0].url == f"{URL}/{word}"


@pytest.mark.parametrize("remark", ["(fetch)", "(HTTPS)", "(read only)"])
def test_a_remark_behind_a_repository_is_none_of_it(remark: str) -> None:
    """The list of git's remotes has such, and some people leave the blank out; the name may hold a bracket."""
    assert extract(f"origin  {URL}.git{remark}\n")[0].url == f"{URL}.git"
    assert extract(f"origin  {URL}/git(b)/c.git\n")[0].url == f"{URL}/git(b)/c.git"


@pytest.mark.parametrize(
    "host",
    ["www.accessed.com", "www.Visited.org", "retrieved.accessed.example", "www.accessed:80", "a.visited:b@h.example"],
)
@pytest.mark.parametrize("path", ["", "/", "/accessed.html"])
def test_other_words_like_that_are_of_the_host(host: str, path: str) -> None:
    """They are labels of it."""
    assert extract(f"see http://{host}{path} d")[0].url == f"http://{host}{path}"


@pytest.mark.parametrize("ending", ["ல்", "లో", "ಗೆ", "में", "ზე", "ში-ც"])
@pytest.mark.parametrize("top", ["com", "app", "dev"])
def test_a_case_ending_may_have_marks(top: str, ending: str) -> None:
    """As the signs of vowels in the scripts of India are."""
    assert extract(f"at http://a.example.{top}-{ending} so")[0].url == f"http://a.example.{top}"


@pytest.mark.parametrize("date", ["2019-9-11.", "2007.", "1999-12-01", "2024]"])
@pytest.mark.parametrize("page", [".html", ".pdf", "/b.htm"])
def test_a_date_behind_a_page_is_none_of_a_url(page: str, date: str) -> None:
    """As in Chinese references."""
    assert extract(f"[EB/OL].{URL}{page},{date}\n")[0].url == URL + page
    for own in (
        f"{URL},{date.rstrip('.]')}",
        f"{URL}{page},2007,12.html",
        f"{URL}{page},1234",
        f"{URL}/seite,2019.html",
    ):
        assert extract(f"see {own} x")[0].url == own


@pytest.mark.parametrize("name", ["Метод_Рунге_—_Кутты", "А_—_Б_—_В", "A_—_b"])
def test_a_longer_dash_may_stand_between_underscores(name: str) -> None:
    """Typography of Russian asks for it between names of several words."""
    assert extract(f"(http://www.example.org/wiki/{name}) a")[0].url == f"http://www.example.org/wiki/{name}"
    assert extract(f"http://www.example.org/{name} a")[0].url == f"http://www.example.org/{name.partition('—')[0]}"
    assert extract("http://www.example.org/wiki/A_—_ b")[0].url == "http://www.example.org/wiki/A_"


@pytest.mark.parametrize(
    "remark", ["(PC端)", "(ssh地址)", "(2010年1月1日閲覧)", "(Windows용)", "(abc、def)", "(a\u3000b)", "[PC端]"]
)
def test_a_remark_of_letters_without_blanks_is_glued_to_a_url(remark: str) -> None:
    """It begins in ASCII and goes on in another script; an IRI may hold such a bracket in its path."""
    for url in (f"{URL}/", f"{URL}.html"):
        assert extract(f"见 {url}{remark}\n")[0].url == url
    assert extract(f"见 {URL}/山_(PC山) x")[0].url == f"{URL}/山_(PC山)"
    assert extract(f"见 ({URL}/b)端 x")[0].url == f"{URL}/b"


@pytest.mark.parametrize("mark", ["", "> ", "- ", "1. ", "> * "])
@pytest.mark.parametrize("names", [("人物", "歴史"), ("오븐", "빵"), ("人物/暮らし", "歴史/")])
def test_names_in_a_list_of_pages_of_a_site_are_of_their_urls(names: tuple[str, str], mark: str) -> None:
    """Directly behind the slash that ends the host, and at the ends of their lines."""
    urls = [f"https://h.example/{name}" for name in names]
    text = "".join(f"{mark}{url}\n" for url in urls)
    assert [found.url for found in extract(text)] == urls
    for other in (f"{mark}https://h.example/", f"{mark}https://i.example/歴史", f"{mark}so"):
        (found, *_) = extract(f"{mark}{urls[0]}\n{other}\nso")
        assert found.url == "https://h.example/"
    (found, *_) = extract(text.replace(names[0], names[0] + " so"))
    assert found.url == "https://h.example/"
    assert extract(f"{mark}https://h.example/人物です\n{mark}{urls[1]}\n")[0].url == "https://h.example/"


@pytest.mark.parametrize("sign", "_-=")
@pytest.mark.parametrize(
    "url", ["http://www.h.example", "http://www.h.example/", "http://www.h.example/ann", "http://h.example/~ann/"]
)
def test_the_edge_of_a_box_is_none_of_the_url_in_it(url: str, sign: str) -> None:
    """People put their signatures into such boxes."""
    text = f"-- \n  {sign * 70}\n / Ann Oven, Village {' ' * 30} ann@h.example /\n/{sign}{url}{sign * 30}/\n"
    assert [found.url for found in extract(text)] == [url]
    assert extract(f"see {url}/{sign * 4}/ so")[0].url == f"{url}/{sign * 4}/"


@pytest.mark.parametrize(
    "url",
    [
        r"http://localhost:\<port\>",
        r"https://h.example/\<your oven\>/sandbox.git",
        r"http://www.\<domain\>.com/",
        r"https://h.example/\{id\}/x",
        r"https://h.example/\[name\]/\[oven-name\].git",
        r"http://www.h\[.\]example/x",
        "https://h.example/_<owner>_/_<oven>_/settings",
        "https://h.example/*<name>*/x",
        "https://h.example/ovens/**<name>**",
    ],
)
def test_placeholders_with_marks_of_markdown_are_no_parts_of_urls(url: str) -> None:
    """Escaped or emphasized, they are to be filled in too."""
    (found,) = extract(f"See {url} so", invalid=True)
    assert (found.url, found.rejected) == (url, True)


@pytest.mark.parametrize(
    ("text", "url"),
    [
        (r"see \<http://h.example/\> so", "http://h.example/"),
        (r"\[http://h.example/x\] so", "http://h.example/x"),
        (r"http://h.example/oven\[1\] so", "http://h.example/oven"),
        (r"http://h.example/\[12\] so", "http://h.example/"),
        ("http://h.example/x<b>*so*</b>", "http://h.example/x"),
    ],
)
def test_other_escaped_brackets_end_a_url(text: str, url: str) -> None:
    """Those around it, and of notes."""
    assert extract(text)[0].url == url
