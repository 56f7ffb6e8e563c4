"""Signs that stand for others: each row by its name, and similar texts in which nothing is mended."""

from __future__ import annotations

import pytest

from pieces import is_tiled, rebuilt
from urlglean import extract
from urlglean.charsets import decode
from urlglean.text.mending import SIGNS, may_be_mended

H = "http://www.example.org"
ROWS = {
    "overline": [
        (f"{H}/‾holm/", f"{H}/~holm/"),
        (f"{H}/a‾b", f"{H}/a~b"),
        (f"{H}/â€¾holm", f"{H}/~holm"),
        (f"{H}/‾", f"{H}/~"),
    ],
    "like-a-tilde": [
        (f"{H}/～holm/", f"{H}/~holm/"),
        (f"{H}/¯holm", f"{H}/~holm"),
        (f"{H}/￣holm", f"{H}/~holm"),
        (f"{H}/Ëœholm", f"{H}/~holm"),
        (f"{H}/∼/b", f"{H}/~/b"),
    ],
    "tilde-of-tex": [
        *((f"{H}/{tilde}holm", f"{H}/~holm") for tilde in (r"\~{}", r"\textasciitilde{}", r"\string~")),
        *(
            (f"{H}/{{{tilde}}}holm", f"{H}/~holm")
            for tilde in (r"\~{}", r"\~", r"\textasciitilde", r"\textasciitilde{}", r"\string~", r"$\sim$")
        ),
        *((f"{H}/{tilde}holm", f"{H}/~holm") for tilde in (r"$\sim$", r"$^\sim$", r"${\sim}$")),
    ],
    "tilde-of-troff": [(rf"{H}/\[ti]holm/", f"{H}/~holm/"), (rf"{H}/\(tiholm", f"{H}/~holm")],
    "zero-width-space": [(f"{H}/\u200ba/\u200bb?\u200bc=\u200b1", f"{H}/a/b?c=1")],
    "opening-brace-of-tex": [
        (rf"{H}/a{{\_}}b{{\#}}c", f"{H}/a_b#c"),
        (rf"{H}/a{{\%}}20?b=c{{\&}}d{{\$}}", f"{H}/a%20?b=c&d$"),
    ],
    "closing-brace-of-tex": [(rf"{H}/{{\_}}{{\_}}a{{\-}}b", f"{H}/__a-b")],
    "path-of-windows": [
        (r"file:///C:\dir\x.doc", "file:///C:/dir/x.doc"),
        (r"file:///\\server\share\x.doc", "file:////server/share/x.doc"),
        (r"file:///C:\\dir\\x.doc", "file:///C:/dir/x.doc"),
        (r"FILE:///c:\x\y_z.doc", "FILE:///c:/x/y_z.doc"),
    ],
    "backslash": [
        (rf"{H}/\~holm/", f"{H}/~holm/"),
        (rf"{H}/a\_b\_c\#d", f"{H}/a_b_c#d"),
        (r"http://a\-b.example/c\-d", "http://a-b.example/c-d"),
        (rf"{H}/a#\-\-b\-c", f"{H}/a#--b-c"),
        (rf"{H}/a#b.\_\_c\_\_", f"{H}/a#b.__c__"),
        (rf"{H}/\_\_c\_\_.py", f"{H}/__c__.py"),
        (rf"{H}/\*checkout\*/c", f"{H}/*checkout*/c"),
    ],
    "escaped-question-mark": [
        (rf"{H}/watch\?v\=b\&t\=1", f"{H}/watch?v=b&t=1"),
        (rf"{H}/watch\?v=b", f"{H}/watch?v=b"),
    ],
    "dot-of-troff": [
        (r"http://www\&.a\&.example/b\&.html", "http://www.a.example/b.html"),
        (rf"{H}/b\&.html", f"{H}/b.html"),
        (r"mirror://apt\&.a\&.example/b", "mirror://apt.a.example/b"),
        (r"file:///a/b\&.git", "file:///a/b.git"),
        (r"https://jo@a\&.example\&.org?b=1\&.2#c\&.3", "https://jo@a.example.org?b=1.2#c.3"),
        (r"socks5h://jo:pw@127\&.0\&.0\&.1", "socks5h://jo:pw@127.0.0.1"),
    ],
    "break-of-troff": [
        (r"http://\:www\:.a.example/\:b/\:c\:?d", "http://www.a.example/b/c?d"),
        (r"http://www\*:.a.example/\*:b\*:.html", "http://www.a.example/b.html"),
    ],
    "escaped-dot": [
        (r"http://www\.a\-b\.example/c_d\.txt", "http://www.a-b.example/c_d.txt"),
        (r"https://a.example\.org/b\-c/d.e\.html?f=g\.h", "https://a.example.org/b-c/d.e.html?f=g.h"),
        (r"http://www\\.a\\.example/b", "http://www.a.example/b"),
    ],
    "escaped-ellipsis": [
        (f"{H}/compare/v1.5\\...v1.6", f"{H}/compare/v1.5...v1.6"),
        (f"{H}/v1\\...HEAD", f"{H}/v1...HEAD"),
    ],
    "caret": [(f"{H}/?a=1^&b=2^^^&c=3", f"{H}/?a=1&b=2&c=3"), (f"{H}/a?b^&c_d=", f"{H}/a?b&c_d=")],
    "escaped-parenthesis": [
        (rf"{H}/wiki/O_\(clay\_oven\)", f"{H}/wiki/O_(clay_oven)"),
        (rf"{H}/wiki/Oven_\(clay\)", f"{H}/wiki/Oven_(clay)"),
    ],
    "escaped-closing-parenthesis": [(rf"{H}/Oven_\(clay\)_\(2\)/x", f"{H}/Oven_(clay)_(2)/x")],
    "ampersand-of-json": [(rf"{H}/?a=1\u0026b=2\x26c=3", f"{H}/?a=1&b=2&c=3"), (rf"{H}/a\u0026", f"{H}/a&")],
    "equals-of-json": [(rf"{H}/?a\u003db\x3Dc", f"{H}/?a=b=c"), (rf"{H}/?a=YWI\u003D\u003d", f"{H}/?a=YWI==")],
    "opening-bracket": [
        ("news:<38cb0q$2m5@news.example.org>", "news:38cb0q$2m5@news.example.org"),
        ("mailto:<ann.lund@mail.example>", "mailto:ann.lund@mail.example"),
        (f"{H}/git/<xmqq7f84.fsf@mail.example>", f"{H}/git/xmqq7f84.fsf@mail.example"),
        (f"{H}/?selm=<abc@mail.example>&hl=en", f"{H}/?selm=abc@mail.example&hl=en"),
        ("nntp://news.example/<1@b.example>/", "nntp://news.example/1@b.example/"),
    ],
    "closing-bracket": [("SNEWS:<a/b@h.example>", "SNEWS:a/b@h.example")],
    "soft-hyphen": [(f"{H}/re\xadport", f"{H}/report"), (f"{H}/re\xadport/a\xadb.html", f"{H}/report/ab.html")],
    "dash-for-a-hyphen": [
        ("http://www.R–project.example/", "http://www.R-project.example/"),
        ("http://cran.R–project.example/", "http://cran.R-project.example/"),
        ("http://a–bread.co.uk/", "http://a-bread.co.uk/"),
        ("http://a–bread.com.br/", "http://a-bread.com.br/"),
        ("http://my–bread.photography/", "http://my-bread.photography/"),
        ("https://doi.org/10.1016/j.jaci.2019–1–2", "https://doi.org/10.1016/j.jaci.2019-1-2"),
        ("https://doi.org/10.1007/978–3–319–4648–3_1", "https://doi.org/10.1007/978-3-319-4648-3_1"),
        ("https://dx.doi.org/10.1111/j.1365–2966.2004.08380.x", "https://dx.doi.org/10.1111/j.1365-2966.2004.08380.x"),
    ],
    **{
        f"sign-of-{name}": [
            (f"{H}/?a=1{sign}b=2", f"{H}/?a=1&{name}b=2"),
            (f"{H}/?a{sign}=2{sign}b=3", f"{H}/?a&{name}=2&{name}b=3"),
        ]
        for name, sign in zip(
            ("cent", "copy", "curren", "not", "para", "reg", "sect", "times"), "¢©¤¬¶®§×", strict=True
        )
    },
    "hyphen": [(f"{H}/a‑b", f"{H}/a-b"), ("http://www.clay‐oven.example/", "http://www.clay-oven.example/")],
}
_REFUSED = frozenset("\\<^")
"""No URL holds these, so that the unmended one is not valid."""

AT_LINE_ENDS = {
    "inserted-hyphen": [
        *((f"{H}/ca{sign}{end}  b", f"{H}/cab") for sign in "‐\xad" for end in ("\n", " \r\n")),
        (f"{H}/ca‐", f"{H}/ca"),
    ],
}


@pytest.mark.parametrize("row", [row.name for row in SIGNS])
def test_every_row_has_an_example(row: str) -> None:
    """Each row of the table is tested below."""
    assert row in ROWS | AT_LINE_ENDS


@pytest.mark.parametrize("wrapper", ["<{}>", "<URL:{}>"])
def test_a_path_of_windows_in_a_wrapper_may_hold_blanks(wrapper: str) -> None:
    """They go, as all white space in a wrapper does (RFC 1738 appendix)."""
    for written, meant in (
        (r"file:///C:\Program Files\x y\z.doc", "file:///C:/ProgramFiles/xy/z.doc"),
        ("file:///\\\\server\\My Documents\\x.doc", "file:////server/MyDocuments/x.doc"),
    ):
        (found,) = extract(wrapper.format(written))
        assert (found.url, found.certainty) == (meant, "inferred")
    (found,) = extract(r"file:///C:\Program Files\x.doc")
    assert found.url == "file:///C:/Program"


@pytest.mark.parametrize(("written", "meant"), AT_LINE_ENDS["inserted-hyphen"])
@pytest.mark.parametrize("around", ["so {}\n", "<{}\n>", "<URL:{}>", '"{}"', "{}"])
def test_a_hyphen_that_a_formatter_has_put_at_a_line_end_goes(written: str, meant: str, around: str) -> None:
    """In a bare URL and in each wrapper."""
    text = around.format(written)
    (found,) = extract(text)
    assert (found.url, found.certainty) == (meant, "inferred")
    assert rebuilt(text, found) == meant
    assert is_tiled(found)


@pytest.mark.parametrize("before", [f"{H}/a/", f"{H}/a/b"])
def test_no_formatter_leaves_less_than_two_letters(before: str) -> None:
    """What stands there is a dash."""
    (found,) = extract(f"see {before}‐\nthe next")
    assert (found.url, found.mends) == (before, ())


def test_a_blank_ends_the_name_of_a_command_of_tex() -> None:
    """It does not end the URL."""
    (found,) = extract(rf"\texttt{{{H}/\textasciitilde holm/x}}")
    assert found.url == f"{H}/~holm/x"


@pytest.mark.parametrize(("row", "written", "meant"), [(row, *pair) for row, pairs in ROWS.items() for pair in pairs])
@pytest.mark.parametrize("around", ["so {} is", "<{}>", "<URL:{}>", '"{}"', "({}).", "{}"])
def test_a_sign_is_read_as_what_it_stands_for(row: str, written: str, meant: str, around: str) -> None:
    """Bare and in every wrapper, the URL is inferred, can be rebuilt from the text, and the unmended one is a rival."""
    text = around.format(written)
    (found,) = extract(text)
    assert (found.url, found.certainty) == (meant, "inferred")
    assert rebuilt(text, found) == meant
    assert is_tiled(found)
    rules = next(mend.stands_for for mend in SIGNS if mend.name == row)
    assert {mend.rule for mend in found.mends} == {rules[0]}
    assert (written in found.rivals) == _REFUSED.isdisjoint(written)


@pytest.mark.parametrize("rest", ["Id=5", "cyCode=", "_2=a", "s[]=b", "a.b=c"])
def test_a_name_in_a_search_may_have_any_signs(rest: str) -> None:
    """A letter of any case, digits, brackets."""
    (found,) = extract(f"see {H}/?a=1®{rest} x")
    assert found.url == f"{H}/?a=1&reg{rest}"


@pytest.mark.parametrize("search", ["prÃ©nom=Ann", "a=1&§=3", "a=§b=1", "§ion=1", "a=1§2"])
def test_elsewhere_such_a_sign_is_one(search: str) -> None:
    """A letter was read in another charset, no value stands before it, or none follows."""
    assert all(not found.mends for found in extract(f"<{H}/?{search}>"))


def test_a_dash_in_a_host_is_a_hyphen_at_the_end_of_a_sentence() -> None:
    """The full stop behind it is none of the host."""
    assert extract("at http://www.R–project.org. And")[0].url == "http://www.R-project.org"


@pytest.mark.parametrize(
    "text",
    [
        *("at http://a.example–so it", "at http://www.a.example–b.example is", "in https://doi.org/10.1007/978–980 it"),
        *("at http://localhost–see.txt", "at http://www.a.com–bread.example is"),
        *("at http://a–b is", "at http://a.example/1–2.html", "in https://doi.org/10.1007/a–b.1 it"),
    ],
)
def test_elsewhere_a_dash_is_one(text: str) -> None:
    """Prose follows, a range of pages, or it stands in a path."""
    assert all(not found.mends for found in extract(text))


def test_a_tilde_that_was_mangled_twice() -> None:
    """The text is not valid as it is, because UTF-8 read as Latin-1 has control characters."""
    for mangled in ("â\x80¾", "âˆ¼", "â\x88¼", "Ë\x9c", "Â¯"):
        assert extract(f"so {H}/{mangled}holm is")[0].url == f"{H}/~holm"


@pytest.mark.parametrize("written", ["˜", "∼", "〜"])
def test_other_signs_like_a_tilde(written: str) -> None:
    """They are read as the tilde of a user's name, too."""
    assert extract(f"so {H}/{written}holm is")[0].url == f"{H}/~holm"


@pytest.mark.parametrize("written", ["Â\xad", "â€\x90", "â€‘"])
def test_hyphens_that_were_mangled(written: str) -> None:
    """A hyphen whose UTF-8 was read as another charset is not part of the URL as it stands."""
    (found,) = extract(f"so {H}/re{written}port is")
    assert found.url == (f"{H}/report" if "\xad" in written else f"{H}/re-port")


def test_other_signs_outside_ascii_are_not_searched() -> None:
    """Only a sign of the table begins the search for signs: texts in other scripts and emoji have none."""
    assert not may_be_mended(f"{H}/😀/é/山")
    assert may_be_mended(f"{H}/‾holm")


def test_a_soft_hyphen_may_be_a_hyphen() -> None:
    """The reading that is elsewhere in the text comes first; otherwise the hyphen is dropped in the first reading."""
    assert extract(f"{H}/re\xadport of")[0].rivals[0] == f"{H}/re-port"
    assert extract(f"{H}/re\xadport of {H}/re-port of")[0].url == f"{H}/re-port"


def test_a_repeated_mangled_url_is_no_evidence_for_itself() -> None:
    """Both are mended."""
    assert [found.url for found in extract(f"{H}/‾holm of {H}/‾holm of")] == [f"{H}/~holm"] * 2


def test_a_broken_url_is_mended() -> None:
    """A sign may be in any piece."""
    text = f"<{H}/‾holm/re-\nport\\_7>"
    (found,) = extract(text)
    assert found.url == f"{H}/~holm/re-port_7"
    assert rebuilt(text, found) == found.url


@pytest.mark.parametrize(
    ("text", "url"),
    [
        (f"{H}/～について", f"{H}/"),
        (f"{H}/a<ann@b.example>", f"{H}/a"),
        ("news:a@b.example<c@d.example>", "news:a@b.example"),
        (f"{H}/〜{H}/", f"{H}/"),
        (f"{H}/～3月", f"{H}/"),
        (f"{H}/a～b", f"{H}/a"),
        (f"{H}/a\\n and", f"{H}/a"),
        (f"{H}/a\\_ and", f"{H}/a"),
        (f"{H}/C:\\x\\y and", f"{H}/C"),
        ('"file:///home/jo\\n"', "file:///home/jo"),
        (f"{H}/a.\\.b", f"{H}/a"),
        (f"{H}/a\\.b", f"{H}/a"),
        (f"{H}/a\\- and", f"{H}/a"),
        (rf"{H}/a\(em and", f"{H}/a"),
        (rf"[x]({H}/a\) and", f"{H}/a"),
        (rf"{H}/?a=1\u0026quot; and", f"{H}/?a=1"),
        (rf"\u0026lt;{H}/?a=1\u0026gt;", f"{H}/?a=1"),
        (rf"{H}/?a=1\u003e", f"{H}/?a=1"),
        (rf"{H}/?a=1\u002c{H}/b", f"{H}/?a=1"),
        (r"^http://a\.example/ and http://b.example/", "http://b.example/"),
        (f"â€œ{H}/aâ€\x9d and", f"{H}/a"),
        (f"{H}/aâ€™s way", f"{H}/a"),
        (f"{H}/aÂ\xa0and", f"{H}/a"),
        (f"{H}/aÂ and", f"{H}/a"),
        (f"Â«{H}/aÂ»", f"{H}/a"),
        (f"{H}/a\xad and", f"{H}/a"),
        (f"{H}/Ârea", f"{H}/Ârea"),
    ],
)
def test_signs_that_belong_to_the_text_or_the_url_are_not_mended(text: str, url: str) -> None:
    """Examples are a dash between words, an escape of code, and quotation marks and blanks that a charset mangled."""
    assert extract(text)[0].url == url


@pytest.mark.parametrize(
    ("octets", "charset"),
    [(b"http://a.example/\x1b(J~\x1b(Bjo/", "iso-2022-jp"), (b"http://a.example/~jo/", "shift_jis")],
)
def test_tildes_of_japanese_charsets_come_through(octets: bytes, charset: str) -> None:
    """Octet 7E is an overline in JIS X 0201, but the URL has a tilde."""
    assert extract(decode(octets, charset).text)[0].url == "http://a.example/~jo/"


@pytest.mark.parametrize(
    ("written", "meant"),
    [
        (rf"{H}/?.a=b\&.c=d", f"{H}/?.a=b&.c=d"),
        (r"http://www.host.example\:8080/x", "http://www.host.example"),
        (rf"{H}/Special\:Search", f"{H}/Special"),
    ],
)
def test_signs_of_troff_are_others_elsewhere(written: str, meant: str) -> None:
    """An escaped ampersand is one; a backslash before a colon ends the URL."""
    assert extract(f"see {written} now")[0].url == meant


@pytest.mark.parametrize(
    ("written", "meant", "rival"),
    [
        (r"/git\&.cgi", "/git.cgi", "/git&.cgi"),
        (r"/users/\:id/posts", "/users/id/posts", "/users/:id/posts"),
        (r"/?t=\:30", "/?t=30", "/?t=:30"),
    ],
)
def test_signs_of_troff_may_be_escaped_signs(written: str, meant: str, rival: str) -> None:
    """The reading that is elsewhere in the text comes first."""
    (found,) = extract(f"see {H}{written} now")
    assert (found.url, found.rivals) == (H + meant, (H + rival,))
    assert extract(f"see {H}{written} now, {H}{rival} too")[0].url == H + rival


@pytest.mark.parametrize(
    "text", [rf"\url{{{H}/a\_b?c=[1]}}", rf"see {H}/a\_b?c=[1] and", f'{{"u":"{H}/a_b?c=[1]\\u0026d=2"}}']
)
def test_a_url_may_have_signs_that_only_browsers_accept(text: str) -> None:
    """Each sign that was escaped is mended, though the URL is raw without it."""
    (found,) = extract(text)
    assert found.url == f"{H}/a_b?c=[1]" + "&d=2" * ("d=2" in text)
    assert not found.valid


def test_a_zero_width_space_divides_two_urls() -> None:
    """Pages and chats put it between links, and behind them."""
    assert [each.url for each in extract(f"{H}/\u200b{H}/a")] == [f"{H}/", f"{H}/a"]
    assert extract(f"{H}/\u200bab/\u200bcd/\u200bef gh")[0].url == f"{H}/ab/cd/ef"
    assert extract(f"<{H}/a/\u200bindex> b")[0].url == f"{H}/a/index"
    for name in ("_static", "\u00dcbersicht", "\u041c\u043e\u0441\u043a\u0432\u0430"):
        assert (
            extract(f"<{H}/a/\u200b{name}> b")[0].url
            == extract(f"{H}/\u200ba/\u200b{name} b")[0].url
            == f"{H}/a/{name}"
        )
    assert extract(f"{H}/\u200b__main__.html b")[0].url == f"{H}/__main__.html"
    for text in ("See also", "www.b.example/a", "joe@b.example", "a?", "文字", "日本)"):
        assert extract(f"{H}/\u200b{text}")[0].url == f"{H}/"


def test_escaped_brackets_are_no_names_of_troff() -> None:
    """Markdown and regular expressions escape them."""
    (found,) = extract(rf"{H}/\(title\) a")
    assert found.url == f"{H}/(title)"


@pytest.mark.parametrize("host", ["\u200ba.example", "a\u200b.example", "a.\u200bexample"])
def test_a_zero_width_space_in_a_host_stays(host: str) -> None:
    """It is a caution: a browser leaves it out, and a reader does not see it."""
    assert extract(f"http://{host}/b")[0].url == f"http://{host}/b"


def test_what_is_cut_out_of_a_rejected_url_is_not_mended_first() -> None:
    """The places in the mended form are none of the text."""
    assert [each.url for each in extract("<URL:\\[a\xad2>", invalid=True)] == ["\\[a\xad2"]
    assert extract(rf"see {H}/a\_b\" and")[0].url == f"{H}/a_b"


@pytest.mark.parametrize(
    "behind",
    ["/<ann@b.example>", "<a1@b.example>", "/a<a1@b.example>", "/<a1@b.example", "/<a1>", "/<mailto:a9@b.example>"],
)
def test_other_brackets_behind_a_url_are_none_of_a_message_id(behind: str) -> None:
    """They hold the address of somebody, or no whole message-id, or stand behind a word."""
    assert extract(f"see {H}{behind} and")[0].url in {H, f"{H}/", f"{H}/a"}


@pytest.mark.parametrize("behind", [r"\?v=(b)", r"\?v=b*", r"\?v=b\d+", r"\?b", r"\?"])
def test_an_escaped_question_mark_of_a_regular_expression_is_none_of_a_url(behind: str) -> None:
    """Other signs of the expression stand behind it, or no name and value."""
    found = extract(f"see {H}/watch{behind} and")
    assert [one.url for one in found] == [f"{H}/watch"]


def test_a_message_id_in_brackets_ends_a_url_at_a_line_end() -> None:
    """A name of a file may stand below, as in a patch. Directly behind it, another URL may."""
    for below in ("foo/bar.html", "foo", "foo/bar.html | 2 +-"):
        (found,) = extract(f"Link: {H}/git/<20200101.1@b.example>\n{below}\n")
        assert found.url == f"{H}/git/20200101.1@b.example"
    urls = [one.url for one in extract(f"{H}/<a9@b.example>{H}/b x")]
    assert urls == [f"{H}/", f"{H}/b"]
