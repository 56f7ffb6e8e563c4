"""Quote prefixes: one definition, which all modules use."""

from __future__ import annotations

import re

import pytest

import urlglean
from breaks import first_break
from growth import BOUND, growth
from urlglean.text import quote_prefix
from urlglean.text.candidates import Evidence
from urlglean.text.gaps import NEAR, has_quoted_printable
from urlglean.text.joining.columns import columns
from urlglean.text.joining.line_geometry import LineGeometry
from urlglean.text.quote_prefix import MARK, behind_prefix, depth_of, margin_at
from urlglean.text.scanner import scan_text

WHOLE = "http://www.example.org/archive/"
QUOTED = {
    "> ": 1,
    ">": 1,
    ">> ": 2,
    "> > ": 2,
    ">   > ": 2,
    "  > ": 1,
    "| ": 1,
    ": ": 1,
    "› ": 1,
    "» ": 1,
    "T> ": 1,
    "TBL> ": 1,
    "tbl> ": 1,
    "McD> ": 1,
    "JvdM> ": 1,
    "   TBL> ": 1,
    "TBL>> ": 2,
    ">TBL> ": 2,
    "> TBL> ": 2,
    "TBL> JvD> ": 2,
    "| TBL> ": 2,
    "TBL» ": 1,
    "Roberta> ": 1,
    "Jörg> ": 1,
    "Émilie> ": 1,
    "ИП> ": 1,
    "Наташа> ": 1,
    "＞": 1,
    "＞＞ ": 2,
    "｜ ": 1,
    "│ ": 1,
}
OWN_TEXT = [
    "C:\\> dir",
    "ptr->next = 0",
    "a>b",
    "foo></a>",
    "roberta> is",
    "ROBERTA> is",
    "Hippopotamuses> x",
    "http://a.example/",
    "<TBL> x",
    "T.B.L> x",
    "TBL > x",
    "- item",
    "# comment",
]


@pytest.mark.parametrize("prefix", QUOTED)
def test_all_modules_agree_on_a_prefix(prefix: str) -> None:
    """The text behind it is found, and its depth is the same for margins and for the geometry of lines."""
    line = f"{prefix}words of a line that is quoted"
    assert behind_prefix(line) == len(prefix)
    assert depth_of(margin_at(line, len(prefix))) == QUOTED[prefix]
    near = LineGeometry(f"{line}\n" * 4).near(0, QUOTED[prefix])
    assert near.lengths == [columns(line)] * 4
    # A blank behind the last mark, which nobody sees, makes no difference.
    empty = prefix.rstrip()
    assert LineGeometry(f"{empty} \n" * 4).near(0, QUOTED[prefix]).lengths == [columns(empty)] * 4


@pytest.mark.parametrize("prefix", QUOTED)
def test_a_prefix_alone_is_a_blank_line(prefix: str) -> None:
    """No URL goes on there, and the URL before it counts as whole, however the first line was quoted."""
    for first in ("", prefix):
        text = f"{first}{WHOLE}\n{prefix.rstrip()}\nand\n"
        assert Evidence(text, list(scan_text(text, fast=False))).counts[WHOLE] == 1
        (finding,) = urlglean.extract(text)
        assert (finding.url, finding.certainty, finding.rivals) == (WHOLE, "plain", ())


@pytest.mark.parametrize("prefix", QUOTED)
def test_a_prefix_before_the_rest_of_a_scheme_is_passed_over(prefix: str) -> None:
    """In angle brackets even a scheme may be broken."""
    text = f"{prefix}see <ht\n{prefix}tp://a.example/b> ok"
    (finding,) = urlglean.extract(text)
    assert finding.url == "http://a.example/b"


@pytest.mark.parametrize("prefix", QUOTED)
def test_the_record_of_a_break_has_lines_without_their_prefix(prefix: str) -> None:
    """A line that has only a prefix is blank in the record."""
    only = prefix.rstrip()
    at = first_break(f"{only}\n{prefix}{WHOLE}\n{prefix}word.html\n{only}\n")
    assert (at.above, at.below, at.token) == ("", "", "word.html")
    assert at.depth == at.next_depth == at.below_depth == QUOTED[prefix]


@pytest.mark.parametrize("prefix", QUOTED)
def test_lines_of_quoted_printable_are_measured_behind_the_prefix(prefix: str) -> None:
    """Lines that are full without the prefix were broken before they were quoted."""
    full = f"{prefix}{'x' * 75}=\n"
    assert has_quoted_printable(f"{full}{full}\n")
    assert not has_quoted_printable(f"{full[len(prefix) + 12 :]}{full[len(prefix) + 12 :]}\n")


@pytest.mark.parametrize("line", OWN_TEXT)
def test_text_that_looks_like_a_prefix_is_kept(line: str) -> None:
    """Examples are prompts, code, the end of a tag, and words that are neither initials nor a name."""
    assert behind_prefix(line) == 0


def test_new_letters_need_a_blank() -> None:
    """Without a blank, letters and ">" may be the end of a wrapper or a tag, unless the line above began so."""
    assert behind_prefix("TBL>text") == 0
    for text in ("<URL:http://a.example/b/\nidx> and more", "<http://a.example/b/\nidx> or <x> so"):
        (finding,) = urlglean.extract(text)
        assert finding.url == "http://a.example/b/idx"
    (finding,) = urlglean.extract("H>see <URL:http://a.example/b/\nH>idx> and")
    assert finding.url == "http://a.example/b/idx"


COMMENTS = [
    *(";; ", "-- ", "// ", "/// ", "//! ", "//", "** ", "│ ", "#. ", "+# ", "@# ", "% ", "' "),
    *("~ ", "= ", "$ ", "& ", "? ", "] ", "} ", "^ ", "· ", "§ ", "– "),
    *("dnl ", "REM * ", "Rem = ", "REM ", "Rem ", "C ", "@c ", "@comment ", "#> ", "!> ", "*> ", "%> ", ";> ", "#!> "),
    *("+    # ", " * ", "; > ", "+", "-", "> +"),
]


@pytest.mark.parametrize("mark", [*COMMENTS, '" ', '.\\" '])
@pytest.mark.parametrize("wrapped", ["See <http://a.example/b/{}c.html>.", 'See "http://a.example/b/{}c.html".'])
def test_the_mark_of_a_comment_belongs_to_no_url(mark: str, wrapped: str) -> None:
    """It stands before both lines of a wrapper."""
    (finding,) = urlglean.extract(mark + wrapped.format(f"\n{mark}") + "\n")
    assert (finding.url, finding.certainty) == ("http://a.example/b/c.html", "stated")


@pytest.mark.parametrize("mark", ["#> ", "!> ", "*> ", "%> ", ";> "])
def test_a_mark_with_an_angle_belongs_to_no_wrapper_of_three_lines(mark: str) -> None:
    """R, Fortran and COBOL mark comments so. Its angle closes no wrapper."""
    text = f"{mark}see <URL:http://a.example/b/c\n{mark}/d/e\n{mark}/f.html> and"
    assert urlglean.extract(text)[0].url == "http://a.example/b/c/d/e/f.html"


QUOTED_SO = [
    "=> ",
    "==> ",
    "~> ",
    ")> ",
    ".> ",
    "*> ",
    "Ann.Ex> ",
    "ann@x> ",
    "Jo Do> ",
    "Ann B. Ex> ",
    "jd: ",
    "[JD] ",
    "<jd> ",
]


@pytest.mark.parametrize("quoted", ["", "> "])
@pytest.mark.parametrize("mark", QUOTED_SO)
def test_what_three_lines_begin_with_belongs_to_no_url_in_a_wrapper(mark: str, quoted: str) -> None:
    """People have quoted in many ways. The third line may stand above or below."""
    mark = quoted + mark
    for lines in (("so", "See <URL:http://a.example/b/", "c.html>."), ("See <http://a.example/b/", "c.html>.", "so")):
        (found,) = urlglean.extract("".join(f"{mark}{line}\n" for line in lines))
        assert (found.url, found.certainty) == ("http://a.example/b/c.html", "stated")


BROKEN = "http://a.example/b-\nc.html"


@pytest.mark.parametrize(
    ("opened", "between", "closed"),
    [
        ("<URL:", "> <URL:", ">"),
        ("<URL:", ">, <URL:", ">"),
        ('"', '", "', '"'),
        ('"', '" x="', '"'),
    ],
)
def test_the_ends_of_many_wrappers_are_no_mark(opened: str, between: str, closed: str) -> None:
    """Each line begins with the end of the wrapper that the line above opened."""
    text = f"See {opened}{between.join([BROKEN] * 40)}{closed}.\n"
    assert [one.url for one in urlglean.extract(text)] == ["http://a.example/b-c.html"] * 40


@pytest.mark.parametrize("mark", ["=> ", "Ann Smith> ", "Ann.Ex> ", "A.B.> "])
def test_a_mark_may_stand_before_the_end_of_a_wrapper_and_the_beginning_of_another(mark: str) -> None:
    """The angle of the mark closes none, because one behind it does."""
    lines = (
        "See <URL:http://a.example/b/",
        "c.html>, <URL:http://a.example/b/",
        "c.html>, <URL:http://a.example/b/",
        "c.html>.",
    )
    found = urlglean.extract("".join(f"{mark}{line}\n" for line in lines))
    assert [one.url for one in found] == ["http://a.example/b/c.html"] * 3


@pytest.mark.parametrize("mark", ["=> ", "Ann.Ex> ", "so ", "12 ", "=>"])
def test_what_two_lines_begin_with_may_be_of_the_text(mark: str) -> None:
    """So may be words, and signs without a blank behind them."""
    text = f"{mark}See <http://a.example/b/\n{mark}c.html>.\n"
    if mark in {"so ", "12 "}:
        text = f"{mark}so\n{text}"
    assert "http://a.example/b/c.html" not in {found.url for found in urlglean.extract(text)}


def test_a_quotation_mark_in_the_second_line_of_a_wrapper_belongs_to_no_url() -> None:
    """Behind the mark of the comment, it is a rest of other text."""
    (finding,) = urlglean.extract('" <http://a.example/b/\n" c.html" and>\n')
    assert finding.url == "http://a.example/b/c.html"


@pytest.mark.parametrize(
    "mark",
    [
        "#' ",
        "#. ",
        "#| ",
        "#'# ",
        ";; ",
        ";;; ",
        "## ",
        "%% ",
        "-- ",
        "!! ",
        '" ',
        '.\\" ',
        "'\\\" ",
        "' ",
        "dnl ",
        "REM ",
        "Rem ",
        "C     ",
        "c ",
        "@c ",
    ],
)
@pytest.mark.parametrize("quoted", ["", "> "])
def test_a_bare_url_goes_on_behind_the_mark_that_both_lines_have(mark: str, quoted: str) -> None:
    """It begins a line of a comment. If only the first line has it, it may be a word or a sign of the text."""
    url = "https://www.example.org/archives/summer/2017-September/006048.html"
    lines = (
        "This program is free for all, and was made by many people who live",
        f"far from each other; see ({url[:47]}",
        f"{url[47:]}) for all of it and for the other parts of it.",
        "Everybody may use it who wants to use it, and anybody else may too.",
    )
    mark = quoted + mark
    found = urlglean.extract("".join(f"{mark}{line}\n" for line in lines))[0]
    assert (found.url, found.certainty) == (url, "inferred")


def test_a_mark_that_only_one_line_has_is_none() -> None:
    """Nor is one that the other line has in another form."""
    for first, second, margin in (
        (";; ", ";; ", (";; ",)),
        (";; ", "", ()),
        (";; ", ";;; ", ()),
        ("REM ", "REMark ", ()),
    ):
        text = f"{first}http://a.example/\n{second}b\n"
        assert margin_at(text, len(first), below=text.index("\n") + 1) == margin


@pytest.mark.parametrize("mark", ["-- ", "## "])
def test_items_of_a_list_with_two_signs_stay_apart(mark: str) -> None:
    """Both hold URLs."""
    first, second = "http://www.example.org/documentation/installation/overview/of/the/w", "http://a.example/d"
    found = urlglean.extract(f"{mark}see {first}\n{mark}readme at {second}\n")
    assert [(one.url, one.rivals) for one in found] == [(first, ()), (second, ())]


@pytest.mark.parametrize("indent", ["  ", "\t", "\u00a0\u00a0", "> \u00a0", "\u3000"])
@pytest.mark.parametrize("wrapped", ["<{}>", '"{}"', "{}"])
def test_lines_may_be_indented_by_other_blanks(indent: str, wrapped: str) -> None:
    """HTML has no-break spaces, and Chinese and Japanese text ideographic ones."""
    url = "https://www.example.org/archives/summer/2017-September/006048.html"
    broken = wrapped.format(f"{url[:47]}\n{indent}{url[47:]}")
    assert urlglean.extract(f"{indent}See {broken} for all.\n{indent}It is.\n")[0].url == url


@pytest.mark.parametrize("blank", [" ", "\u00a0", "\u3000"])
@pytest.mark.parametrize("mark", ["{} # ", "{}* ", "#{}", "{}// ", "{}|{}", ">{}# ", "{};;{}", "{}dnl{}"])
@pytest.mark.parametrize("wrapped", ["<{}>", '"{}"', "{}"])
def test_marks_may_stand_between_other_blanks(blank: str, mark: str, wrapped: str) -> None:
    """They are the marks that stand between usual blanks."""
    url, begin = "https://www.example.org/archives/summer/2017-September/006048.html", mark.replace("{}", blank)
    broken = wrapped.format(f"{url[:47]}\n{begin}{url[47:]}")
    assert urlglean.extract(f"{begin}See {broken} for all.\n{begin}It is.\n")[0].url == url


def test_the_mark_of_a_diff_is_taken_off_once() -> None:
    """What follows it belongs to the URL."""
    for sign in "+-":
        (finding,) = urlglean.extract(f"{sign}    See <http://a.example/b\n{sign}    -c.html>.\n")
        assert finding.url == "http://a.example/b-c.html"


@pytest.mark.parametrize("first", ["/*", "/**"])
def test_a_comment_in_c_goes_on_behind_asterisks(first: str) -> None:
    """Its first line has another mark than the others."""
    (finding,) = urlglean.extract(f"{first} See <http://a.example/b/\n * c.html>. */\n")
    assert finding.url == "http://a.example/b/c.html"


@pytest.mark.parametrize(
    ("first", "second"), [("C see ", "Course/"), ("rem see ", "remark/"), ("see ", "c/"), ("x ", ";;/"), ("~ ", "~jo/")]
)
def test_a_url_keeps_what_is_no_mark_of_its_first_line(first: str, second: str) -> None:
    """The text of the second line begins like a mark, or like one of the line above without its blank."""
    (finding,) = urlglean.extract(f"{first}<http://a.example/b/\n{second}>")
    assert finding.url == f"http://a.example/b/{second}"


@pytest.mark.parametrize("mark", ["> ", "TBL> ", "| ", "# "])
def test_a_byte_order_mark_may_stand_before_a_margin(mark: str) -> None:
    """Files of Windows begin with it, and `scan` takes it off."""
    (finding,) = urlglean.extract(f"\ufeff{mark}<http://a.example/b/\n{mark}c.html> d\n".encode())
    assert finding.url == "http://a.example/b/c.html"


@pytest.mark.parametrize("first", ["/*", "/**"])
def test_a_bare_url_goes_on_behind_the_asterisks_of_a_comment(first: str) -> None:
    """Its first line has another mark than the others."""
    url = f"http://a.example/{'b' * 50}/c-d.html"
    assert urlglean.extract(f"{first} See {url[:-6]}\n * {url[-6:]} is */\n")[0].url == url


@pytest.mark.parametrize("mark", ["///", "//!", "////"])
def test_a_comment_may_have_more_slashes(mark: str) -> None:
    """Documents of Rust, C# and C++ are written in such comments."""
    url = f"http://a.example/{'b' * 50}/c-d.html"
    assert urlglean.extract(f"{mark} See {url[:-6]}\n{mark} {url[-6:]} is\n")[0].url == url
    assert urlglean.extract(f"{mark} See {url}\n{mark}\n{mark} d\n")[0].url == url


@pytest.mark.parametrize(
    "text", ["http://a.example/b\n c d\n", "see http://a.example/b/\nc\n", "> # http://a.example/\nb\n"]
)
def test_a_byte_order_mark_changes_no_finding(text: str) -> None:
    """It has no width, so the lines are as long as without it."""
    marked = urlglean.extract("\ufeff" + text)
    assert [(found.url, found.confidence) for found in marked] == [
        (found.url, found.confidence) for found in urlglean.extract(text)
    ]


@pytest.mark.parametrize("first", ["+ ", "+  ", "-  "])
def test_a_diff_marks_lines_without_a_blank(first: str) -> None:
    """The blanks behind its mark belong to the line that changed."""
    (finding,) = urlglean.extract(f"{first}See <http://a.example/b-\n{first[0]}c.html>.\n")
    assert finding.url == "http://a.example/b-c.html"


HUNK = "@@ -1,3 +1,6 @@\n a line\n-another\n+a @@ -third\n\n\\ No newline\n"


@pytest.mark.parametrize("quoted", ["", "> ", ">", "> > ", "| ", "Joe> "])
@pytest.mark.parametrize(
    ("text", "rest"),
    [
        ("+See [{}/\n+b/c.html] it\n", "/b/c.html"),
        ("+See {}?q=1&\n+sort=date&order=asc\n", "?q=1&sort=date&order=asc"),
        (HUNK + "+See {}/that/is/wrap\n+ped/again.html for all\n", "/that/is/wrapped/again.html"),
        (HUNK + "-See [{}/\n-b/c.html] is\n", "/b/c.html"),
        (HUNK + "-See {}?q=1&\n-sort=date&order=asc\n", "?q=1&sort=date&order=asc"),
        (HUNK + "-# See [{}/\n-# b/c.html] is\n", "/b/c.html"),
        (HUNK + " a page\f\n \f\n+a\u2028b\x85c\n-See [{}/\n-b/c.html] is\n", "/b/c.html"),
        (HUNK + "-\tSee [{}/\n-\tb/c.html] is\n", "/b/c.html"),
        (HUNK + "- See [{}/\n- b/c.html] is\n", "/b/c.html"),
        ("-\tSee [{}/\n-\tb/c.html] is\n", "/"),
        (HUNK + "See [{}/\n-b/c.html] is\n", "/-b/c.html"),
        ("-See {}/\n-b/c.html is\n", "/"),
        ("a line\n-See [{}/\n-b/c.html] is\n", "/-b/c.html"),
        (HUNK + "no line of it\n-See [{}/\n-b/c.html] is\n", "/-b/c.html"),
        ("+See [{}/\nb/c.html] is\n", "/b/c.html"),
        ("See [{}/\n+b/c.html] is\n", "/+b/c.html"),
    ],
)
def test_a_diff_marks_both_lines_of_a_bare_url(text: str, rest: str, quoted: str) -> None:
    """A minus sign is such a mark below the head of a hunk; else it may belong to a list."""
    url = "http://www.example.org/a/long/path"
    quotation = [f"{quoted}{line}" for line in text.format(url).rstrip("\n").split("\n")]
    for lines in (quotation, [line.rstrip(" ") for line in quotation]):
        for end in ("\n", "\r\n", "\r\r\n"):
            assert urlglean.extract(end.join(lines) + end)[0].url == url + rest


@pytest.mark.parametrize("sign", ["-", "#", ";", "*"])
def test_a_sign_without_its_blank_is_no_mark(sign: str) -> None:
    """It belongs to the URL, in a wrapper."""
    (finding,) = urlglean.extract(f"{sign} <http://a.example/b\n{sign}c.html> d\n")
    assert finding.url == f"http://a.example/b{sign}c.html"


@pytest.mark.parametrize("quoted", ["", "> "])
@pytest.mark.parametrize("sign", ["-", "+"])
def test_a_sign_in_another_column_is_no_mark(sign: str, quoted: str) -> None:
    """An item of a list may have more blanks behind its sign; the marks of a diff stand in one column."""
    text = f"{quoted}{sign}   see <http://a.example/b\n{quoted}    {sign}c.html> d\n"
    (finding,) = urlglean.extract(text)
    assert finding.url == f"http://a.example/b{sign}c.html"


def test_a_mark_is_never_empty() -> None:
    """A pattern that repeats it must make progress."""
    assert not re.fullmatch(MARK, "")


def test_each_stretch_is_examined_once_for_quoted_printable() -> None:
    """This holds even if very many lines of a wrapper end in "="."""
    text = "<URL:http://h.example/" + "a=\n" * (2 * NEAR) + ">"
    has_quoted_printable.cache_clear()
    urlglean.extract(text)
    assert 1 <= has_quoted_printable.cache_info().misses <= len(text) // NEAR + 1


MARKS_OF_BOTH = ["} ", "] ", "-- ", '" ']
NAMES = ["roberta> ", "J-P> ", "J.P.> ", "R2> "]


@pytest.mark.parametrize("mark", [*MARKS_OF_BOTH, *NAMES])
def test_what_may_begin_a_text_is_a_mark_where_two_lines_begin_with_it(mark: str) -> None:
    """Whole names of users, and signs that few programs quote with."""
    (wrapped,) = urlglean.extract(f"{mark}see <{WHOLE}\n{mark}b.html> now\n")
    assert wrapped.url == f"{WHOLE}b.html"
    (quoted,) = urlglean.extract(f'{mark}see "{WHOLE}\n{mark}b.html" now\n')
    assert quoted.url == f"{WHOLE}b.html"
    (prefixed,) = urlglean.extract(f"{mark}see <URL:\n{mark}{WHOLE}> now\n")
    assert (prefixed.url, prefixed.wrapper) == (WHOLE, "url-angle")
    (broken,) = urlglean.extract(f"{mark}see <ht\n{mark}tp://www.example.org/> now\n")
    assert broken.url == "http://www.example.org/"


@pytest.mark.parametrize("mark", MARKS_OF_BOTH)
def test_such_signs_are_marks_outside_a_wrapper_too(mark: str) -> None:
    """They stand at the beginning of both lines."""
    (split,) = urlglean.extract(f"{mark}see http:\n{mark}//www.example.org/ now\n")
    assert split.url == "http://www.example.org/"
    assert first_break(f"{mark}see {WHOLE}\n{mark}b.html now\n").token == "b.html"


@pytest.mark.parametrize("mark", [*MARKS_OF_BOTH, *NAMES])
def test_where_one_line_begins_with_it_it_is_text(mark: str) -> None:
    """It may end a tag, a list or a quotation."""
    assert [found.url for found in urlglean.extract(f"see {WHOLE}\n{mark}b.html now\n")] == [WHOLE]


def test_a_name_outside_a_wrapper_may_be_a_prompt() -> None:
    """So the next line is no more of the URL than any other."""
    for name in NAMES:
        assert [found.url for found in urlglean.extract(f"{name}get {WHOLE}\n{name}7b4/x.html\n")] == [WHOLE]


def test_the_end_of_a_wrapper_is_no_name() -> None:
    """Two lines may begin with it."""
    for name in ("b.html", "index", "123456", "abc-def"):
        text = f"Logo <{WHOLE}a/\n{name}> and <{WHOLE}a/\n{name}> x\n"
        assert [found.url for found in urlglean.extract(text)] == [f"{WHOLE}a/{name}"] * 2


@pytest.mark.parametrize("prefix", ["", "> ", "TBL> ", "# "])
@pytest.mark.parametrize(
    ("first", "second"),
    [
        ("internet\n-drafts/x.txt", "internet\n-drafts/y.txt"),
        ("x\n+y", "x\n+z"),
        ("x\n:80/y", "x\n:80/z"),
        ("y.\nhtml", "z.\nhtml"),
        ("x/\nAbout", "y/\nAbout"),
    ],
)
@pytest.mark.parametrize("around", ["<URL:{}>, <URL:{}>", "<{}>, <{}>", '"{}", <{}>', '<{}>, "{}"', '"{}", "{}"'])
def test_the_rest_of_a_wrapper_is_no_mark_of_its_line(first: str, second: str, around: str, prefix: str) -> None:
    """The line above has opened the wrapper, and does not begin with the same mark."""
    urls = [f"http://{name}.example/{rest}" for name, rest in (("a", first), ("b", second))]
    text = around.format(*urls)
    found = urlglean.extract(f"{prefix}See {text}.\n".replace("\n", f"\n{prefix}"))
    assert [each.url for each in found] == [url.replace("\n", "") for url in urls]


@pytest.mark.parametrize("prefix", ["", "> ", "# "])
@pytest.mark.parametrize("rest", ["-drafts", "html", "+x", "//x", ":80/"])
@pytest.mark.parametrize("first", ["x.{}", "x.\n{}", "some/long\n/path/that/goes\non/over/many/lines.\n{}", "\nx.{}"])
def test_several_wrappers_may_break_before_the_same_sign(first: str, rest: str, prefix: str) -> None:
    """The rests of them stand in lines below each other. The first may be opened in a line farther above."""
    urls = [f"http://h.example/{path}".format(rest) for path in (first, "y.\n{}", "z.\n{}", "w.\n{}")]
    text = "See " + ", ".join(f"<URL:{url}>" for url in urls) + ".\n"
    found = urlglean.extract(prefix + text.replace("\n", f"\n{prefix}"))
    assert [each.url for each in found] == [url.replace("\n", "") for url in urls]


@pytest.mark.parametrize("prefix", ["-", "+", "//", ":", "Ann> "])
def test_a_mark_of_many_lines_is_one(prefix: str) -> None:
    """The line that opened the first of several wrappers has it too."""
    text = f"{prefix}so " + ", ".join(f"<URL:http://h.example/{name}.\n{prefix}x>" for name in "abcd") + "\n"
    assert [each.url for each in urlglean.extract(text)] == [f"http://h.example/{name}.x" for name in "abcd"]


@pytest.mark.parametrize("around", ["<{}>, <{}>", "<{}>, <URL:{}>", '"{}", <{}>', '"{}", "{}"'])
def test_a_colon_before_two_slashes_is_no_mark(around: str) -> None:
    """It is the one behind a scheme."""
    text = around.format("http\n://a.example/x", "ftp\n://b.example/y")
    found = urlglean.extract(f"see {text}\n")
    assert [each.url for each in found] == ["http://a.example/x", "ftp://b.example/y"]


@pytest.mark.parametrize("sign", ["/", "=", "?"])
def test_a_sign_before_the_closing_angle_is_no_mark(sign: str) -> None:
    """White space in a wrapper is ignored (RFC 1738 appendix)."""
    found = urlglean.extract(f"see <http://a.example/x\n{sign} > or <http://b.example/y\n{sign}z>\n")
    assert [each.url for each in found] == [f"http://a.example/x{sign}", f"http://b.example/y{sign}z"]


@pytest.mark.parametrize("mark", ["-", "+", ":", "//", "// ", "- ", "TBL> ", "html> "])
def test_a_mark_in_the_same_column_of_the_line_above_is_one(mark: str) -> None:
    """Lines of a diff, a comment or a quotation begin with it."""
    text = f"{mark}see <URL:http://a.example/x\n{mark}y>, <URL:http://b.example/x\n{mark}z>\n"
    assert [each.url for each in urlglean.extract(text)] == ["http://a.example/xy", "http://b.example/xz"]


@pytest.mark.parametrize(
    "above",
    [
        '"Note: he',
        'He: "so',
        "I <3 you",
        "if (a < b) {",
        "cat <<EOF",
        "<a",
        "x " * 150 + "a < b",
        "<!-- old",
    ],
)
@pytest.mark.parametrize("mark", ["TBL> ", "+//", "+", "> TBL> "])
@pytest.mark.parametrize("before", ["", "same"])
def test_an_angle_above_that_opens_no_wrapper_takes_no_mark(above: str, mark: str, before: str) -> None:
    """Another writer's line, or a line of source code."""
    first = f"{mark if before else ''}{above}"
    text = f"{first}\n{mark}see <URL:http://www.example.org/abc/\n{mark}def.html>\n"
    assert [each.url for each in urlglean.extract(text)] == ["http://www.example.org/abc/def.html"]


@pytest.mark.parametrize("before", ["\ufeff", "  ", "\ufeff  "])
@pytest.mark.parametrize("mark", ["TBL> ", "> TBL> ", "+", "-", "//", ":"])
def test_a_mark_is_one_behind_other_blanks_of_the_line_above(before: str, mark: str) -> None:
    """A byte order mark may stand before it, too."""
    text = f"{before}{mark}see <URL:http://a.example/x\n{mark}y>, <URL:http://b.example/x\n{mark}z>\n"
    assert [each.url for each in urlglean.extract(text)] == ["http://a.example/xy", "http://b.example/xz"]


@pytest.mark.parametrize("length", [10, 300, 3000])
@pytest.mark.parametrize("mark", ["TBL> ", "+", "//"])
def test_a_mark_is_one_however_long_the_line_above_is(length: int, mark: str) -> None:
    """Its column counts from the beginning of that line."""
    text = f"so\n{mark}{'w' * length} <URL:http://a.example/x\n{mark}y>, <URL:http://b.example/x\n{mark}z>\n"
    assert urlglean.extract(text)[-1].url == "http://b.example/xz"


def test_a_sign_with_a_blank_behind_it_is_a_mark() -> None:
    """The line above may have it behind code."""
    text = "a = 1; // see <URL:http://a.example/x\n// y>, <URL:http://b.example/x\n// z>\n"
    assert urlglean.extract(text)[-1].url == "http://b.example/xz"


@pytest.mark.parametrize("mark", ["# ", "| ", "+ ", "TBL> ", "// ", " * ", "; ", "-- ", "%% ", "' ", "> # "])
@pytest.mark.parametrize("prefix", ["", "URL:"])
def test_the_margin_of_both_lines_stands_between_an_angle_and_the_url(mark: str, prefix: str) -> None:
    """As blanks do there (RFC 1738 appendix)."""
    text = f"see <\n{prefix}ftp://h.example/pub/\nREADME> for\n"
    (found,) = urlglean.extract(mark + text.replace("\n", f"\n{mark}"))
    assert (found.url, found.certainty) == ("ftp://h.example/pub/README", "stated")


@pytest.mark.parametrize("text", ["if a <\n- {}\n- b > c", "# if a <\n# see {}\n# b> c", "+ a <\n# {}\n# b> c"])
def test_other_text_between_an_angle_and_a_url_opens_no_wrapper(text: str) -> None:
    """A mark that one line has, or a word."""
    (found,) = urlglean.extract(text.format("http://h.example/x"))
    assert (found.url, found.wrapper) == ("http://h.example/x", "bare")


@pytest.mark.parametrize("mark", ["%", "#", ";", "!", "*", "'", "##", ";;", "> #", "  %%"])
@pytest.mark.parametrize("around", ["<URL:{}>", "<{}>"])
@pytest.mark.parametrize("where", ["above", "below"])
def test_a_sign_of_comments_without_a_blank_is_a_mark_if_three_lines_begin_with_it(
    mark: str, around: str, where: str
) -> None:
    """As in TeX and settings. In two lines alone, it may begin a fragment or an escape."""
    lines = ["see", around.format("http://h.example/docs/\nmod.html"), "so"]
    lines = lines[:2] if where == "above" else lines[1:]
    text = "\n".join(lines).replace("\n", f"\n{mark}")
    assert [each.url for each in urlglean.extract(f"{mark}{text}\n")] == ["http://h.example/docs/mod.html"]


@pytest.mark.parametrize(
    ("text", "urls"),
    [
        ("#define X <URL:http://h.example/a\n#b>\n", ["http://h.example/a#b"]),
        ("#5 see <URL:http://h.example/a\n#b> for it\n#6 so\n", ["http://h.example/a#b"]),
        ("%A <http://h.example/a\n%41b>\n%C\n", ["http://h.example/a%41b"]),
        ("so\n%41 <URL:http://h.example/a\n%41b>\n", ["http://h.example/a%41b"]),
        (
            "a <URL:http://h.example/a\n#b>, <URL:http://h.example/c\n#b>, <URL:http://h.example/d\n#b> so\n",
            [f"http://h.example/{name}#b" for name in "acd"],
        ),
        (
            "- a <http://h.example/x\n-y>, b <http://h.example/z\n-y>\n",
            ["http://h.example/x-y", "http://h.example/z-y"],
        ),
    ],
)
def test_a_sign_that_other_lines_do_not_begin_with_is_of_the_url(text: str, urls: list[str]) -> None:
    """Nor is the sign of a list's item a mark of the next line."""
    assert [each.url for each in urlglean.extract(text)] == urls


def test_lines_of_a_hunk_may_begin_with_a_blank_or_none() -> None:
    """The mark of a diff is the first character only."""
    text = "@@ -1,3 +1,0 @@\n- a <http://h.example/x\n-y>, b <http://h.example/z\n-y>\n"
    assert [each.url for each in urlglean.extract(text)] == ["http://h.example/xy", "http://h.example/zy"]


@pytest.mark.parametrize(
    "line",
    [
        "{}http://a.example/b/\n+c\n",
        '{} "http://a.example/b/\n+c"\n',
        "{0} <http://a.example/b\n{0}c> <http://a\n{0}d>\n",
    ],
)
@pytest.mark.parametrize("mark", ["+", "-", "Ann> ", "+>", "#"])
def test_many_marks_are_read_in_linear_time(line: str, mark: str) -> None:
    """Each is examined once, however many stand before it."""
    assert growth(urlglean.extract, lambda size: line.format(mark * (size // len(mark)))) < BOUND


def test_few_marks_of_a_line_are_examined(monkeypatch: pytest.MonkeyPatch) -> None:
    """Each takes a look at the lines above."""
    calls: list[str] = []
    examine = quote_prefix._is_rest

    def counted(text: str, line: int, before: tuple[str, ...], mark: str) -> bool:
        calls.append(mark)
        return examine(text, line, before, mark)

    monkeypatch.setattr(quote_prefix, "_is_rest", counted)
    line = "+" * 30 + " <http://a.example/b\n"
    assert len(quote_prefix.margin_at(line * 2, len(line) + 32, wrapped=True)) > len(calls)
    assert len(calls) == 3


@pytest.mark.parametrize("end", ["\n", "\r\n", " \n"])
@pytest.mark.parametrize("around", ["<URL:{}>", "<{}>"])
def test_apostrophes_at_both_ends_of_lines_are_of_strings(around: str, end: str) -> None:
    """White space alone divides strings of source code that belong together. They are no comments."""
    strings = ["so ", *around.format("http://h.example/docs/\nmod.html").split("\n"), "so"]
    text = "".join(f"    '{each}'{end}" for each in strings)
    assert [each.url for each in urlglean.extract(text)] == ["http://h.example/docs/mod.html"]


@pytest.mark.parametrize("around", ["<URL:{}>", "<{}>", '"{}"'])
def test_a_comment_may_end_in_an_apostrophe(around: str) -> None:
    """A string of source code ends so in the line above too."""
    lines = f"The doc's at {around.format('http://h.example/docs/{}mod.html')} of the users'".format("\n'")
    assert [each.url for each in urlglean.extract(f"'{lines}\n'and so\n")] == ["http://h.example/docs/mod.html"]


@pytest.mark.parametrize("lines", [2, 3, 4, 5, 8])
@pytest.mark.parametrize("mark", ["> ", ">"])
@pytest.mark.parametrize("depth", [0, 1, 2])
@pytest.mark.parametrize("opening", ["<", "<URL:"])
def test_a_wrapper_may_begin_in_a_line_with_fewer_quote_marks(opening: str, depth: int, mark: str, lines: int) -> None:
    """A program that wrapped the quotation again has pushed its beginning there; the marks close nothing."""
    pieces = ["http://h.example/a/", *(f"b{n}/" for n in range(lines - 2)), "c.txt> and"]
    first, others = mark * depth, mark * (depth + 1)
    text = f"{others}see\n{first}{opening}{pieces[0]}\n" + "".join(f"{others}{piece}\n" for piece in pieces[1:])
    (found,) = urlglean.extract(f"{text}{others}foo\n")
    assert (found.url, found.certainty) == ("".join(pieces).removesuffix("> and"), "stated")


@pytest.mark.parametrize(
    "text",
    [
        "see <http://h.example/a\n> and\n> so\n",
        "see <http://h.example/a\n> b c\n> d>\n",
        "<http://h.example/a\n> and\n> <http://b.example/c>\n",
        "<http://h.example/a\n> and\n\n> c>\n",
        "<http://h.example/a\n> and\nb\n> c>\n",
    ],
)
def test_an_angle_below_a_url_may_close_its_wrapper(text: str) -> None:
    """No line below closes it, or a line between has no mark, or several words."""
    assert urlglean.extract(text)[0].url == "http://h.example/a"
