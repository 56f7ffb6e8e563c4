"""Breaks behind a hyphen of the path, within an extension and before a host: a bare URL goes on."""

from __future__ import annotations

import re

import pytest

from breaks import way
from growth import BOUND, growth
from urlglean import extract
from urlglean.text.joining.divided_names import DIVIDED_NAMES, divided_name

TITLE = "how-to-maintain-the-oven-of-the-society-for-local-history-and-bread"
LONG = "http://www.example.org/reports/of-the-society/for-local-history"
PIECE = "PH0PR12MB54811863B392C644E5365446DC3E9@PH0PR12MB5481.n.example"
GOES_ON = {
    "brackets": [
        (f"- [a]({LONG}\n  c/d) of it\n", f"{LONG}c/d"),
        (f"> see ⟨{LONG}\n> /c.html⟩.\n", f"{LONG}/c.html"),
        (f"[a]({LONG}/1.\n..2), that\n", f"{LONG}/1...2"),
        (f"![a]({LONG}/b_(c)\nd.png)\n", f"{LONG}/b_(c)d.png"),
        ("[a](http://h.example/b-\nC) d\n", "http://h.example/b-C"),
        *(
            (f"see {a}{LONG}/\nb.html{b}, and\n", f"{LONG}/b.html")
            for a, b in ("``", "[]", "„“", "„”", "»«", "‘’", "（）")
        ),
        ("  url = {http://h.example/b/\n         c.html},\n", "http://h.example/b/c.html"),
        (f"the ovens ({LONG}/\nbread) of\n", f"{LONG}/bread"),
        (
            "the ovens (http://www.example.org/bakery/summer/\nannual-report) of\n",
            "http://www.example.org/bakery/summer/annual-report",
        ),
        ("the ovens (http://h.example/a-\nb.html) of\n", "http://h.example/a-b.html"),
        (
            "the ovens (http://www.example.org/reports/of-the-society/in-town\n/mirror.html) of\n",
            "http://www.example.org/reports/of-the-society/in-town/mirror.html",
        ),
        (f"[a]({LONG}/\nthere) of\n", f"{LONG}/there"),
        (f"> the ovens ({LONG}/b\n> c-d.html), of\n", f"{LONG}/bc-d.html"),
    ],
    "inserted-hyphen": [
        ("at http://h.example/ser‐\n   vice-for/all of\n", "http://h.example/service-for/all"),
        ("at http://h.example/ser\xad\n   vice-for/all of\n", "http://h.example/service-for/all"),
        ("> at http://exam‐ \r\n> ple.org/a of\n", "http://example.org/a"),
    ],
    "hyphen": [
        ("See http://h.example/a-\nword (read 2.4.24). So\n", "http://h.example/a-word"),
        ("See http://h.example/a-\n2.html for\n", "http://h.example/a-2.html"),
        ("> See http://h.example/a-\nword, for\n> b\n", "http://h.example/a-word"),
    ],
    "extension": [
        (f"{LONG}/a.ht\nml): so\n", f"{LONG}/a.html"),
        (f"{LONG}/a.p\ndf for it\n", f"{LONG}/a.pdf"),
        *(
            (f"at http://h.example/b.{a}\n{b}\nso\n", f"http://h.example/b.{a}{b.rstrip('.')}")
            for a, b in (("as", "px"), ("ht", "ml"), ("ht", "ml."), ("xht", "ml"))
        ),
        *(
            (f"{LONG}/a.{a}\n{b} It is\n", f"{LONG}/a.{a}{b[0]}")
            for a, b in (("htm", "l."), ("doc", "x,"), ("tar.g", "z):"), ("htm", "l of"), ("htm", "l\nof"))
        ),
    ],
    "directory": [
        *(
            (f"{LONG}/\n{path} of\n", f"{LONG}/{path}")
            for path in (
                "ann/oven/issues/519",
                "ann/oven/commit/fe79ea5",
                "ann/b_c/dd/ee",
                "2017/12/18/112",
                "ann/bb/cc/d.html",
            )
        ),
        *((f"{LONG}/\n{path}]\nof\n", f"{LONG}/{path}") for path in ("ann/oven-door", "AnnOven/nbd", "bread/6.2/")),
        (
            "http://h.example/2010/11/18/\n   4-tips-to-maintain-the-oven\n",
            "http://h.example/2010/11/18/4-tips-to-maintain-the-oven",
        ),
        (
            "http://h.example/2010/11/\n4-tips-to-maintain-the-oven\nThe oven is\n",
            "http://h.example/2010/11/4-tips-to-maintain-the-oven",
        ),
        (f"http://h.example/11/\n{TITLE}\ns-2.html\n", f"http://h.example/11/{TITLE}s-2.html"),
        *(
            (
                f"http://h.example/11/\n4-tips-to-maintain-the-oven\n{below}\n",
                "http://h.example/11/4-tips-to-maintain-the-oven",
            )
            for below in ("Joe", "Thanks,", "-- ", "anyway,", "=======")
        ),
        ("> see http://h.example/list/\n> 2017/12/18/112 ?\n", "http://h.example/list/2017/12/18/112"),
        ("see http://h.example/list/\n2017/2/18/112 of\n", "http://h.example/list/2017/2/18/112"),
        (f">> {LONG}/\n> ann/oven/bb/c.d, of\n", f"{LONG}/ann/oven/bb/c.d"),
        (f"{LONG}/\nann/oven/ of\n", f"{LONG}/ann/oven/"),
        (f"> {LONG}/\n> ann/oven/), of\n> it\n", f"{LONG}/ann/oven/"),
    ],
    "page": [
        *(
            (f"> see http://h.example/b/\n> {page}{behind}\n", f"http://h.example/b/{page}")
            for page, behind in (
                ("oven.html", ""),
                ("oven.php", ", of"),
                ("oven-2.asp", ")."),
                ("a%20b.jsp?c=d", " (of)"),
                ("Oven.HTM#bread", "\n> 2004"),
                ("index.cgi", "\n> of"),
            )
        ),
        ("http://h.example/\nindex.html.\n", "http://h.example/index.html"),
        (f"{LONG}/\nindex.html of\n", f"{LONG}/index.html"),
        (f"{'so ' * 16} http://h.example/\nbread.html of\n", "http://h.example/bread.html"),
    ],
    "path-of-id": [
        *(
            (f"> [1] http://h.example/\n> {path}{behind}\n", f"http://h.example/{path}")
            for path, behind in (
                ("list/2024.12-1-a_b+c=d@h.example/", " of"),
                ("2024.12-1-ann@h.example/", ")."),
                ("r/2024/ann@h.example", " of"),
                ("all/2024@h.example/T/", "\n> [2]"),
                ("20240305054739.15610-1-ann_b@h.example", "\n> says"),
                ("20240305-a-b-1@h.example", "\n>\n> so"),
            )
        ),
    ],
    "repository": [
        *(
            (f"{before}https://{host}/ann/\n{name}{behind}\n", f"https://{host}/ann/{name}")
            for before, host, name, behind in (
                ("[3] See ", "github.com", "bread", "\n"),
                ("(", "GitLab.com", "oven-door", ") of"),
                ("[3] ", "www.github.com", "ovens", ". [4]"),
                ("at ", "bitbucket.org", "OvenDoor2.js", " (2024)"),
                ("at ", "github.com", "OvenDoor", ", 2024"),
                ("", "github.com", "oven-door", ""),
                ("", "github.com", "ovens.js", ""),
            )
        ),
    ],
    "page-in-folders": [
        (f"(see {LONG}/\nann/bread.htm). It is\n", f"{LONG}/ann/bread.htm"),
        (f"> see {LONG}/\n> ann/3/bread.php?c=d for\n", f"{LONG}/ann/3/bread.php?c=d"),
        ("see http://h.example/b/\nann/bread.html.\n", "http://h.example/b/ann/bread.html"),
    ],
    "revision": [
        *(
            (f"> do you mean\n> {folder}/\n> {name}{behind}\n", f"{folder}/{name}")
            for folder, name, behind in (
                ("https://h.example/ann/oven/tree", "v6.15", " ?"),
                ("https://h.example/ann/oven/-/tree", "v6.15-rc3/doors", "."),
                (f"{LONG}/oven.git/tree", "include/doors.h", " for"),
                ("https://h.example/ann/oven/commit", "d1ca2ab2210990", "\n> of"),
                ("https://h.example/ann/oven/blob", "d1ca2ab/doors.c", ". So"),
                ("https://h.example/ann/oven/blob", "main/doors.c", " of"),
                ("https://h.example/ann/oven/raw", "d1ca2ab/doors.c#L15", " (of"),
            )
        ),
    ],
    "date": [
        *(
            (f"[7] Ann. http://h.example/2023/\n{rest}, 2023.\n", f"http://h.example/2023/{rest}")
            for rest in ("May/11/stone-ovens", "05/stone-ovens", "05/11/ovens.html", "05/ovens/3")
        ),
        ("> http://h.example/1999/Sep/\n> 12/stone-ovens/\n", "http://h.example/1999/Sep/12/stone-ovens/"),
        ("http://h.example/1999/9/\n12/stone_ovens of\n", "http://h.example/1999/9/12/stone_ovens"),
    ],
    "identifier": [
        *(
            (f"Oven 3 (2025), https://h.example/{folder}/\n{rest}.\n", f"https://h.example/{folder}/{rest}")
            for folder, rest in (
                ("articles", "s41467-025-58320-5"),
                ("handle", "1807/24487"),
                ("content/early/2016/01/21", "0278364915620033.abstract"),
                ("c/5/3", "s41586-025-58320-x"),
            )
        ),
    ],
    "marks-alone": [
        (f"> > http://h.example/list-\n> >\n> {PIECE}\n> so\n", f"http://h.example/list-{PIECE}"),
        (f"> > > {LONG}/ov\n> > >\n> > >\n> >\n{PIECE}\n", f"{LONG}/ov{PIECE}"),
        (f"> > {LONG}/ov\r\n> > > >\r\n> > {PIECE}\r\n", f"{LONG}/ov{PIECE}"),
        (f"> {LONG}/ov\n>\n{PIECE}", f"{LONG}/ov{PIECE}"),
        ("> > http://h.example/?a=b\n> >\n> cd%2Fef\n> so\n", "http://h.example/?a=bcd%2Fef"),
        ("> http://h.example/?a=b\n>\ncd%2Fef\n", "http://h.example/?a=bcd%2Fef"),
    ],
    "twin": [
        (f"see {LONG}/\nbread ({LONG}/bread) of\n", f"{LONG}/bread"),
        (f"see {LONG}/\nbread ({LONG}/\nbread) of\n", f"{LONG}/bread"),
        (f"see {LONG}\n/ ({LONG}/) of\n", f"{LONG}/"),
        (f"see {LONG}/\nstable/notes ({LONG}/stable/\nnotes) of\n", f"{LONG}/stable/notes"),
    ],
    "fragment": [
        (f"{LONG}.html#\nL168 of\n", f"{LONG}.html#L168"),
        ("http://h.example/a.html#\nsec-2\n", "http://h.example/a.html#sec-2"),
        (f">> {LONG}.html#\n> bread\n", f"{LONG}.html#bread"),
        (f"{LONG}.html#\nbread,\n", f"{LONG}.html#bread"),
    ],
    "line-of-file": [
        (f"> at {LONG}/a.c\n> #L246\n> implies\n", f"{LONG}/a.c#L246"),
        ("[1]\nhttp://h.example/a.c\n#l118-L120.\n[2]\n", "http://h.example/a.c#l118-L120"),
        (f"{LONG}/?h=b\n#L2782 for it\n", f"{LONG}/?h=b#L2782"),
        (f"{LONG}/tree/a.c\n#n2782 for it\n", f"{LONG}/tree/a.c#n2782"),
        (f"{LONG}/a.c\n#L12C3-L14C5 for it\n", f"{LONG}/a.c#L12C3-L14C5"),
    ],
    "slash": [
        *((f"at {LONG}\n{end} Of\n", f"{LONG}/") for end in ("/.", "/,", "/),", "/;", "/:")),
        *((f"at {LONG}{sign}\n/, of\n", f"{LONG}{sign}/") for sign in ("_(oven)", "+", "-", "_")),
    ],
    "search": [
        *(
            (f"{LONG}?a=4\n{rest}\n", f"{LONG}?a=4{rest}")
            for rest in ("b%3D", "aKxM%3D&amp;reserved=0", "b%2Fc.d", "cd&amp;e=f", "cd&e=f", "-b%20c", "A%7Cb#c")
        ),
        (f"{LONG}?a=oven&w=\n2 if\n", f"{LONG}?a=oven&w=2"),
        (f"{LONG}?a=oven;w.x=\n2001, of\n", f"{LONG}?a=oven;w.x=2001"),
        (f"{LONG}?hl=en&q=\nOven+bread of\n", f"{LONG}?hl=en&q=Oven+bread"),
        ("http://h.example/b?id=\na%20b.pdf of\n", "http://h.example/b?id=a%20b.pdf"),
        (f"{LONG}?a=4&\nUSER=5&b=6 of\n", f"{LONG}?a=4&USER=5&b=6"),
        (f"{LONG}?a=b%2F\ncd%2Fef\ngh%2Fi of\n", f"{LONG}?a=b%2Fcd%2Fefgh%2Fi"),
        # Before the sign of a field, within "&amp;", and above more of the search.
        (f"{LONG}?a=b&cd\n=4711\n", f"{LONG}?a=b&cd=4711"),
        (f"{LONG}?a=b%2F\nc%2Fd&PA\nTH=/bin\n", f"{LONG}?a=b%2Fc%2Fd&PATH=/bin"),
        (f"{LONG}?SHELF\n=\n", f"{LONG}?SHELF="),
        (f"{LONG}?a=b&am\np;reser\nved=0\n", f"{LONG}?a=b&amp;reserved=0"),
        (f"{LONG}?cd\n=so\n", f"{LONG}?cd=so"),
        (f"{LONG}?a=b&am\np;reserved=0\n", f"{LONG}?a=b&amp;reserved=0"),
        (f"{LONG}?a=b%2F\nc%2Fd\nthe\nef%2Fg&h=i of\n", f"{LONG}?a=b%2Fc%2Fdtheef%2Fg&h=i"),
        (f"> {LONG}?a=b%2F\n> cdef%2Fg-\n> h4kBd-\n> ij4=\nof\n", f"{LONG}?a=b%2Fcdef%2Fg-h4kBd-ij4="),
    ],
    "inner-url": [
        *(
            (f"at {url[:at]}\n{url[at:]} of\n", url)
            for url, begin in (
                ("http://h.example/?u=http://b.example/c", 20),
                ("http://h.example/?http://b.example/c", 18),
                ("http://h.example/to/https://b.example/c", 20),
                ("http://h.example/?a=b%20ftp://b.example/c", 24),
            )
            for at in range(begin + 1, url.index("://", begin) + 4)
            if url[at - 1] != ":"  # a comment begins so
        ),
        (
            "the oven and bread at http://web.archive.org/web/20040601000000/http:\n//b.example/c\n",
            "http://web.archive.org/web/20040601000000/http://b.example/c",
        ),
        *(
            (f"> at {before}\n> https://b.example/c of\n", f"{before}https://b.example/c")
            for before in (
                "https://h.example/web/20040601000000/",
                "https://h.example/web/20040601000000id_/",
                "https://h.example/v3/__",
            )
        ),
    ],
    "mail-below": [
        ("in message news:\na$b7@h.example...\nso\n", "news:a$b7@h.example"),
        ("> in message snews:\n> a$b7@h.example so\n", "snews:a$b7@h.example"),
        ("please [write](mailto:\n  ann@h.example) so\n", "mailto:ann@h.example"),
        ("> to mailto:\n> ann@h.example?subject=a so\n", "mailto:ann@h.example?subject=a"),
    ],
    "lost-soft-line": [
        (f"so to  \nsay  \nsee {LONG}/ \nbread and\n", f"{LONG}/bread"),
        (f"> so to  \n> say  \n> see {LONG}- \n> Bread and\n", f"{LONG}-Bread"),
    ],
    "segment": [
        (
            "> the ovens are cold.\n>\n> See: https://h.example/oven/oven/-\n> /merge_requests/6899\n> Ann\n\nso\n",
            "https://h.example/oven/oven/-/merge_requests/6899",
        ),
        (
            "> > > is here: https://h.example/oven/oven/-\n> /issues/514#note_98\n> > but so\n",
            "https://h.example/oven/oven/-/issues/514#note_98",
        ),
        ("so https://h.example/oven/-\n/jobs/30847#L373 for\nit\n", "https://h.example/oven/-/jobs/30847#L373"),
    ],
    "host": [
        ("See http://\nwww.h.example/a.\n", "http://www.h.example/a"),
        ("> See http://\n> h.example:80/a for it\n", "http://h.example:80/a"),
        ("It runs at http://\nlocalhost:8000.\n", "http://localhost:8000"),
        ("of http://\noven:8080/a so\n", "http://oven:8080/a"),
        ("> git clone git://\n> git.h.example/a.git so\n", "git://git.h.example/a.git"),
        ("> git clone ssh://\n> git@git.h.example/a.git so\n", "ssh://git@git.h.example/a.git"),
    ],
}
OTHERS = [
    # Addresses of mail.
    *(f"at {LONG}/\n{name}@h.example\nso\n" for name in ("ann.lund", "12345678", "555.0123-4", "u20240305.7")),
    # A quotation of another depth, a fragment of its own, other words behind a hash sign.
    f"> at {LONG}/a.c\n#L246\n> implies\n",
    f"at {LONG}/a.c#b\n#L246 implies\n",
    f"at {LONG}/a.c\n#Line\n",
    *(f"at {LONG}/a.c\n#{tag} it is\n" for tag in ("N95", "n64")),
    *(f"at {LONG}/a.c{stop}\n#L3: bread\n#L5: oven\n" for stop in ".,;:!?"),
    f"at {LONG}/a.c\n#L246x\n",
    # Words behind it in a short line, a list of pages, a label, deeper.
    "* http://h.example/b/\n* ann/bread.html\n* bob/bread.html\n",
    "// http://h.example/b/\n// ann/bread.html\n// bob/bread.html\n",
    "- http://h.example/b/\n- bread.html\n- oven.html\n",
    "see http://h.example/b/\nann/bread.html of\n",
    "see http://h.example/b/\nann/bread.html\nbob/bread.html\n",
    f"{LONG}/\nann/bread.html: of\n",
    f"{LONG}/\n> ann/bread.html of\n",
    # No server of repositories, no revision, a label, deeper; no full line, an item, no field.
    "see http://h.example/tree/\nv6.15 of\n",
    "see http://h.example/ann/oven/trees/\nv6.15 of\n",
    "baseurl = http://h.example/ann/oven/tree/\nenabled = 1\n",
    "see http://h.example/ann/oven/tree/\nv6.15: of\n",
    "see http://h.example/ann/oven/tree/\nand/or that\n",
    "see http://h.example/ann/oven/tree/\nv6.15 was released\n",
    "* http://h.example/oven.git/tree/\n* src/doors.c\n* src/bricks.c\n",
    f"{LONG}/oven.git/commit/\n4a5b6c7 so\n5b6c7d8 so\n",
    f"{LONG}/oven/raw/\nsrc/doors.c, src/bricks.c\n",
    f"{LONG}?a=oven&w=\n5: so\n",
    "see http://h.example/ann/oven/tree/\n> v6.15 of\n",
    "see http://h.example/ann?w=\n2 if\n",
    f"{LONG}?a=oven&w=\n2. If\n",
    f"{LONG}?a=oven=\n2 if\n",
    # No year, no word behind the day, a month there, no slash, a date of its own, deeper.
    "http://h.example/4711/\n12/stone-ovens of\n",
    "http://h.example/2023/\n12/24 of\n",
    "http://h.example/2023/\n12/dozen of\n",
    "http://h.example/2023/\n12/dec/2024 of\n",
    "http://h.example/2023/\n12/sept/24 of\n",
    "http://h.example/2023/\n12/March/2024 of\n",
    "http://h.example/2023/\nmay/june of\n",
    "http://h.example/2023/05/\n10/a.m. of\n",
    "http://h.example/2023/\n12-ovens of\n",
    "http://h.example/2023/\n32/stone-ovens of\n",
    "http://h.example/2023/\n> 12/stone-ovens of\n",
    # In a short line: more behind it, a letter alone, a whole extension, one letter before it.
    "http://h.example/b.as\npx is\n",
    "http://h.example/b.ja\nr\n",
    "http://h.example/b.js\npx\n",
    "http://h.example/b.p\nng\n",
    # Another number, a handle elsewhere, more text, deeper.
    *(
        f"http://h.example/articles/\n{number}\n"
        for number in (
            "annual12345",
            "4711.pdf",
            "2016-05-03",
            "20160503",
            "1807/24487",
            "978-3-16-148410-0",
            "030-123456",
        )
    ),
    "http://h.example/articles/\ns41467-025-58320-5 is\n",
    "http://h.example/articles/\n> s41467-025-58320-5\n",
    "http://h.example/articles/\ns41467-025-58320-5\ns41467-025-58321-6\n",
    "http://h.example/handle/\n12/05/2003\n",
    # No two lines with two blanks, two blanks, another depth, another sign, a line with room, a signature.
    f"so to  \nsay \nsee {LONG}/ \nBread and\n",
    f"so to  \nsay  \nsee {LONG}/  \nBread and\n",
    f"so to  \nsay  \nsee {LONG}/ \n> Bread and\n",
    f"so to  \nsay  \nsee {LONG} \nBread and\n",
    "so to  \nsay  \nsee http://h.example/ \nBread and\n",
    f"so to  \nsay  \nsee {LONG}/ \n-- \nJoe\n",
    # Within a word, no known scheme, another URL, deeper.
    "http://h.example/growth\nttp://b.example/c\n",
    "http://h.example/-h\nttps://b.example/c\n",
    "http://h.example/?u=h\ntp://b.example/c\n",
    "http://h.example/?u=\nhttp://b.example/c\n",
    "http://h.example/web/2004/\nhttp://b.example/c\n",
    "http://h.example/web/20040601/\nhttp://b.example/web/20040608/\n",
    "* http://h.example/web/20040601000000/\n* http://h.example/web/20040608000000/\n",
    "http://h.example/v3/__\nhttps://h.example/v3/__a\n",
    "http://h.example/?u=ht\n> tp://b.example/c\n",
    # Closed before the line end, by no bracket of these, or by one that another opened.
    "[a](http://h.example/b)\nc) of\n",
    "(see http://h.example/b\nc) of\n",
    f"[a]({LONG}\nc of d) it\n",
    f"[a]({LONG}\nc(d) it\n",
    f"> [a]({LONG}\nc) it\n",
    # A short line, a sentence or file that ends, a title, no letter before the bracket, an item, a value.
    "note = {http://h.example/b\nBerlin},\n",
    f"{{{LONG},\n2004}}\n",
    f"{{{LONG}.pdf\n2004}}\n",
    f"[a]({LONG}\n'b') it\n",
    f"[a]({LONG}\n)c d\n",
    f"[a]({LONG}/\n): it\n",
    f"see ‘{LONG}/\nd’accord’ and\n",
    f"1) [a]({LONG}\n2) [b](http://h.example/)\n",
    f"@misc{{{LONG}\nauthor={{Foo}},\n",
    f"@misc{{{LONG}\n{{Foo}},\n",
    "at http://h.example/ser‐\n(vice) of\n",
    "> at http://h.example/ser‐\nvice of\n",
    "See http://h.example/a-\nWord of\n",
    "See http://h.example-\nword of\n",
    "See http://h.example/a.html-\nword of\n",
    "See http://h.example/--\nword of\n",
    "See http://h.example/a-\n> word of\n",
    "So http://h.example/a-\n> word of\n> b\n",
    "Take http://h.example/us.jp\neg. by\n",
    f"{LONG}/cats.\nhtml is\n",
    # A table, a list of files, a date, systems, words, a deeper line, a short line, a path from another place.
    f"{LONG}/\na/b.c | 3 +\n",
    f"{LONG}/\nann/b2/cc/dd:\n",
    f"{LONG}/\nann/b2/cc/dd : e\n",
    f"{LONG}/\nann/b2/cc/dd | e\n",
    f"{LONG}/\n2017/12/18 it\n",
    f"{LONG}/\n12/18/2017, it\n",
    f"{LONG}/\nLinux/Mac/Windows of\n",
    f"{LONG}/\nLinux/Unix\n",
    f"{LONG}/\nhe/she/they of\n",
    f"{LONG}/\nann/oven4 of\n",
    f"> {LONG}/\n>> ann/oven4/bb/cc of\n",
    "see http://h.example/list/\nann/oven4/b of\n",
    f"{LONG}/\n../oven4/b of\n",
    f"{LONG}/\n/ann/oven4/b of\n",
    f"{LONG}/\nann/oven4/(b) of\n",
    f"{LONG}/\n24/7/365 of\n",
    f"{LONG}/\n089/1234567\n",
    f"{LONG}/\n10/100/1000 Mbit\n",
    f"{LONG}/\ntext/x-plain\n",
    f"{LONG}/\nOS/2\n",
    f"{LONG}/\nread/write\n",
    f"{LONG}/\ni386/amd64/armhf of\n",
    f"{LONG}/\ns/foo2/bar/ of\n",
    f"{LONG}/\nC/C++/Java4/x of\n",
    f"{LONG}/\n802.11a/b/g/n of\n",
    f"{LONG}/\n978-3-16-148410-0\n",
    f"{LONG}/\nfix-for-the-oven-door\nadd-heat-to-the-oven\n",
    "git://h.example/oven/\nfor-ann-and-the-others\n",
    f"{LONG}/\n00-1b-21-3c-4d-5e\n",
    # Other folders below, no folder, two letters.
    f"{LONG}/\nann/oven/ of\nann/door/ of\n",
    f"{LONG}/\noven/ of\n",
    f"{LONG}/\nos/oven/ of\n",
    "see http://h.example/list/\nann/oven/ of\n",
    # No page of the web, the page of a site in a text, a key, a list, deeper, another scheme.
    "http://h.example/b/\noven.tar.gz of\n",
    "http://h.example/b/\n.html of\n",
    f"{'so ' * 16} http://h.example/\nindex.html is of\n",
    "http://h.example/b/\noven.html is of\n",
    "http://h.example/b/\noven.html:\n",
    *(f"http://h.example/b/\noven.html {sign} of\n" for sign in "-|:="),
    "http://h.example/b/\noven.html\ndoor.html\n",
    "http://h.example/b/\noven.html, door.html and bread.html are of\n",
    "http://h.example/b/\n> oven.html of\n",
    "ftp://h.example/b/\noven.html of\n",
    # An address, no host, a program, deeper, another scheme.
    "http://h.example/b/\nann@h.example of\n",
    "http://h.example/b/\nann@h.example/home\n",
    "http://h.example/b/\nann/admin@h.example of\n",
    "http://h.example/b/\nann/bb@localhost of\n",
    "http://h.example/b/\ngit@h.example:ann/bb of\n",
    "http://h.example/b/\n> 2024@h.example/ of\n",
    "ftp://h.example/b/\n2024@h.example/ of\n",
    # Words, a sentence, a sign-off, a label; another host, a longer path, deeper.
    *(f"http://github.com/ann/\n{other}\n" for other in ("make all", "oven-door is", "Thanks,", "thanks.", "door:")),
    # The next sentence.
    *(
        f"so http://github.com/ann/\n{other}\n"
        for other in ("anyway, I think", "P.S. I forgot", "e.g. ovens", "PHP5, MySQL and", "Python3. Then", "btw, did")
    ),
    *(f"so http://github.com/ann/\n{other}\n" for other in ("555-1234", "2024-01-05", "1.2.3", "h.com", "irc.h.de")),
    *(f"http://github.com/ann/\n{other}\n" for other in ("ann", "berlin")),
    "http://h.example/ann/\noven-door, of\n",
    "http://github.com/ann/oven/\noven-door, of\n",
    "http://github.com/ann/\n> oven-door, of\n",
    # Fewer words, or with more behind them; another URL in brackets, or the same without more; no words with signs.
    f"{LONG}/\nthe-oven-is-hot\n",
    f"{LONG}/\nthe-oven-is-hot-now of\n",
    f"{LONG}/\nbread (http://h.example/) of\n",
    f"{LONG}/\nbread ({LONG}/) of\n",
    f"{LONG}/\nbread ({LONG}/bread-2) of\n",
    f"{LONG}/\nbread br) of\n",
    f"{LONG}/\nbread ({LONG}/\ncake) of\n",
    f"{LONG}?hl=en&q=\nC++ of\n",
    f"{LONG}?hl=en&q\nOven+bread of\n",
    # No fragment, a label, words; no slash.
    f"{LONG}.html#\n$schema: of\n",
    f"{LONG}.html#\nid-2:\n",
    f"{LONG}.html#\nbread of\n",
    "http://h.example/a.html#\nbread\n",
    f"{LONG}.html#\n-x2\n",
    f"{LONG}.html#\n24 hours\n",
    f"{LONG}.html#\n10:30\n",
    f"{LONG}.html#\n1. Bread\n",
    "http://h.example/a.html#\nL168 of\n",
    f"> {LONG}.html#\nL168 of\n",
    f"{LONG}.html#\n> L168\n",
    f"{LONG}\n/. readers of\n",
    f"{LONG}\n/, /usr of\n",
    f"{LONG}\n/>\n",
    f"> {LONG}\n/, so\n",
    f"{LONG}?id=4\na%20b is\n",
    "see http://h.example/b/\nc (http://h.example/b/c) of\n",
    f"see {LONG}/\nb ({LONG}/b)\nc ({LONG}/c)\n",
    "the ovens (http://h.example/b/\n2001) of\n",
    "the ovens (http://h.example/b/\nbread) of\n",
    f"{LONG}.html#\nthanks\n",
    f"{LONG}\n/a, of\n",
    # A remark in brackets.
    "the ovens (http://h.example/b/\nthere) of\n",
    f"the ovens ({LONG}\nthere) of\n",
    f"the ovens ({LONG}/\n/ann) of\n",
    "ovens (http://www.example.org/reports/of-the-society/in-town\nmirror) of\n",
    f"the ovens ({LONG}\nor c) of\n",
    f"{LONG}/a.htm\nl - bread\n",
    *(f"http://h.example/list/\n{sizes}\n" for sizes in ("36/38/40/42 are", "100/200/300/400.", "2019/20/21/22")),
    *(f"{LONG}/\n{names}\n" for names in ("amd64/arm64/i386/s390x all", "4.4/4.9/4.14/4.19 have", "S.12/13/14/15 of")),
    "http://h.example/b/\nweekly-member-server-cache-order\nbread\n",
    f"http://h.example/b/\nweekly-{TITLE}\nmonthly-{TITLE}\n",
    "http://h.example/list/\n/)\n",
    "so (http://h.example/list,\n/)\n",
    # What a text says of escapes, a conversion of printf, variables, labels, an answer, a deeper line, a short line.
    *(
        f"{LONG}?id=4\n{other}\n"
        for other in (
            *("%define foo", "%description", "%20 is a blank", "%5d items", "%20s of", "%2F", "HTTP_COOKIE=a=b&c=d"),
            *("a&b==0 of", "a%20b\\c of", "1.a%20b", "Title:a%20b", "/b%20c", "(a%20b)", "50%ab of", "f%02xg"),
        )
    ),
    f"> {LONG}?id=4\na%20b is\n",
    f"> {LONG}?id=\na%20b is\n",
    f"{LONG}?id=4\n> a%20b is\n",
    "http://h.example/b?id=4\na%20b.pdf\n",
    # No search, another URL, a line that another sign ends, or of which only the first is known.
    f"{LONG}\nb%20c of\n",
    f"{LONG}?a=4\nx://b%20c of\n",
    f"{LONG}?a=4\nb%2 of\n",
    f"{LONG}?a=4\nR&D of\n",
    f"{LONG}?a=4\nb-\n",
    f"{LONG}/a.php\n3. of\n",
    "see http://h.example/a.htm\nl. of\n",
    f"http://{'a.' * 30}p\ndf for\n",
    f"{LONG}/a.b\ndf for\n",
    # Items of lists, times, dates, addresses, labels, settings, commands.
    "1. http://h.example/a-\n2. word\n",
    "1) http://h.example/a-\n2) word\n",
    "a) http://h.example/a-\nb) word\n",
    f"{LONG}/view.do\nc) word\n",
    f"{LONG}/view.do\nc.f. word\n",
    f"{LONG}/entry.S\nit was\n",
    "9:15 http://h.example/a-\n10:30 word\n",
    "9:15:00 http://h.example/a-\n10:30:00 word\n",
    "2024-05-04 http://h.example/a-\n2024-05-05 word\n",
    "4.5.24 http://h.example/a-\n5.5.24 word\n",
    "See http://h.example/a-\nann@h.example\n",
    "$ curl http://h.example/a-\ncurl: word\n",
    "see http://h.example/a-\nname = word\n",
    "see http://h.example/a-\nname=word\n",
    "add http://h.example/a-\nadd word\n",
    "See http://h.example/a-\nthanks, that\n",
    f"k) {LONG}/index.htm\nl) next thing\n",
    f"ix. {LONG}/index.doc\nx. next thing\n",
    # The label of a link of a wiki.
    f"the [{LONG}/more\nmanual] for it\n",
    "at [http://h.example/docs/\nDocs]\n",
    # Comments of other languages; a quotation and its answer.
    '" See http://h.example/a-\nset word\n',
    "rem http://h.example/a-\nword\n",
    "> See http://h.example/a-\nword for\n",
    # The only text of a line, and a host of another writer's.
    "* ftp://\n* www.h.example\n",
    "See http://\n> www.h.example\n",
]


@pytest.mark.parametrize(("row", "text", "url"), [(row, *pair) for row, pairs in GOES_ON.items() for pair in pairs])
def test_a_divided_name_goes_on(row: str, text: str, url: str) -> None:
    """The row decides, and the URL is whole."""
    assert {found.url for found in extract(text)} == {url}
    decided = divided_name(way(text)[0].at)
    assert decided is not None
    assert decided.name == row


def test_each_row_has_texts() -> None:
    """Each row of the table is tested above."""
    assert set(GOES_ON) == {row.name for row in DIVIDED_NAMES}


@pytest.mark.parametrize("text", OTHERS)
def test_other_breaks_are_weighed(text: str) -> None:
    """Each text lacks one condition of a row."""
    assert [divided_name(step.at) for step in way(text)[:1]] in ([], [None])


def test_a_row_adds_to_the_evidence() -> None:
    """A row is a guess: with `evident`, it decides nothing that it is not sure of. Stronger evidence counts instead."""
    hyphen, extension = "See http://h.example/a-\nword (read 2.4.24). So\n", f"{LONG}/a.ht\nml): so\n"
    assert [extract(hyphen, joins=joins)[0].url for joins in ("likely", "evident", "never")] == [
        "http://h.example/a-word",
        "http://h.example/a-word",
        "http://h.example/a-",
    ]
    assert [extract(extension, joins=joins)[0].url for joins in ("likely", "evident", "never")] == [
        f"{LONG}/a.html",
        f"{LONG}/a.ht",
        f"{LONG}/a.ht",
    ]
    assert extract(hyphen, joins="never")[0].confidence > 0.01
    (step,) = way(f"{LONG}/a.p\ndf for it\n")[:1]
    row = divided_name(step.at)
    assert row is not None
    assert step.decided is None
    assert step.log_odds > row.log_odds


@pytest.mark.parametrize(
    "text",
    [
        "type http://\nand a name",
        "the http://\nindex.html is",
        "http:// or\nwww.h.example",
        "http://\n\nwww.h.example",
        "x://\nwww.h.example",
        "http://\n(www.h.example)",
        "see http://\nlocal/b.html\n",
        "strip http://\n    url.replace('a', 'b')",
        "see http://\nMr.Smith says",
        "over http://\nasp.net is",
        "to http://\nann.lund@h.example/",
    ],
)
def test_two_slashes_before_another_text_are_no_url(text: str) -> None:
    """A host must stand in the next line."""
    assert extract(text) == []


@pytest.mark.parametrize("before", ["", "> ", "# ", "    ", " * "])
@pytest.mark.parametrize("end", ["\n", " \r\n"])
@pytest.mark.parametrize("host", ["www.h.example/a", "h.example/a", "h.example:8080/", "ftp.example", "www.html"])
def test_a_host_goes_on_behind_the_slashes(before: str, end: str, host: str) -> None:
    """With the margin of its lines, and with a name like a file's if that begins like a host's."""
    text = f"{before}See http://{end}{before}{host}\n{before}and http://b.example/x\n"
    assert [found.url for found in extract(text)] == [f"http://{host}", "http://b.example/x"]


def test_a_slug_is_told_in_linear_time() -> None:
    """Its words are counted from sign to sign."""
    assert growth(extract, lambda size: "http://h.example/b/\nab-" + "a" * size, 900) < BOUND


def test_three_numbers_go_on_if_the_url_was_cut_before() -> None:
    """In one line, they may be a date or a fraction."""
    text = f"> > at {LONG}/2\n> 016/\n> 8/30/198\n> so\n"
    assert extract(text)[0].url == f"{LONG}/2016/8/30/198"


@pytest.mark.parametrize(
    ("text", "url"),
    [
        ("at http://h.example/bb-\nbb/\n24/7/365 of\n", "http://h.example/bb-bb/"),
        ("at http://h.example/bb-\nbb/\n24/7/365.\n", "http://h.example/bb-bb/24/7/365"),
        ("at http://h.example/bb/\n24/7/365/1 of\n", "http://h.example/bb/"),
        (f"at {LONG}/\n24/7/365/1 of\n", f"{LONG}/24/7/365/1"),
        (f"at {LONG}/\n2020/jan/13/oven and so\n", f"{LONG}/2020/jan/13/oven"),
        (f"at {LONG}/\n1997/12/loaves/2.html and so\n", f"{LONG}/1997/12/loaves/2.html"),
        (f"at {LONG}/\n4711/12/loaves/2of and so\n", f"{LONG}/"),
        ("at http://h.example/2023/05/\n24/stone-ovens of\n", "http://h.example/2023/05/24/stone-ovens"),
    ],
)
def test_numbers_below_a_path_go_on_in_a_long_line_or_before_no_word(text: str, url: str) -> None:
    """Below a year and a month, a day goes on before words of a title too."""
    assert extract(text)[0].url == url


@pytest.mark.parametrize("below", ["bread- and cake\n", "-----\nso\n", "bread\n", "50%\n", "E-\nso on\n"])
def test_a_search_that_was_cut_ends_above_other_text(below: str) -> None:
    """A word with more behind it, a ruler, a word that no sign ends."""
    (found,) = extract(f"{LONG}?a=b%2F\nc%2Fdef\n{below}")
    assert found.url == f"{LONG}?a=b%2Fc%2Fdef"


@pytest.mark.parametrize("below", ["the\nef%2Fg&h=i\n", "==\n", "=-=-=\n", "PATH=/bin\n"])
def test_a_whole_search_ends_above_other_text(below: str) -> None:
    """A word above more escapes, rulers, a setting."""
    assert extract(f"{LONG}?ab\n{below}")[0].url == f"{LONG}?ab"


SEARCH = f"{LONG}?u=x%2F"


@pytest.mark.parametrize(
    ("text", "url"),
    [
        (f"> {SEARCH}\n> > >\n> b%2Fc\n", f"{SEARCH}b%2Fc"),
        (f"> {SEARCH}\n> > >\n> >>>>\n> b&c=d\n", f"{SEARCH}b&c=d"),
        (f"> > > so\n> {SEARCH}\r\n> > >\r\n> b%2Fc\n", f"{SEARCH}b%2Fc"),
        (f"> {SEARCH}&b-\n> > >\n> bread-oven.html\n", f"{SEARCH}&b-bread-oven.html"),
        # More lines, no search, no rest of one, no deeper marks.
        (f"> {SEARCH}&e=\n> >\n> b&c=d of\n", f"{SEARCH}&e=b&c=d"),
        ("> http://h.example/?a=b&\n>\n>>\n> c%2Fd of\n", "http://h.example/?a=b&c%2Fd"),
        (f"> {SEARCH}\n> > >\n> > >\n> > >\n> b%2Fc\n", f"{SEARCH}b%2Fc"),
        (f"> {LONG}?q=b&\n> > >\n> b-\n", f"{LONG}?q=b&b-"),
        (f"> {SEARCH}\n> > >\n> > >\n> > >\n> > >\n> b%2Fc\n", SEARCH),
        ("> http://h.example/b-\n> > >\n> b%2Fc of\n", "http://h.example/b-"),
        (f"> so\n> {LONG}?id=4711\n> > >\n> 4712\n", f"{LONG}?id=4711"),
        (f"> {SEARCH}\n> > >\n> ftp://b.example/%2Fc of\n", SEARCH),
        (f"> > > {SEARCH}\n> > >\n> > > b%2Fc of\n", SEARCH),
        (f"> {SEARCH}&e=\n> > >\n> > >  drivers/net/ethernet\n", f"{SEARCH}&e="),
        (f"> > > {SEARCH}\n> > > >\n\n> > > b%2Fc of\n", SEARCH),
    ],
)
def test_a_search_goes_on_below_deeper_marks_alone(text: str, url: str) -> None:
    """A program that wraps quoted lines again leaves up to three such lines."""
    assert extract(text)[0].url == url
    # A sign before it, which leaves the URL to be read without the fast path.
    assert extract(text.replace("http", "*http", 1))[0].url == url


@pytest.mark.parametrize(
    "text",
    [
        # No shallower line, more words, words with hyphens, figures alone, a ruler, a label, another URL, empty lines.
        f"> {LONG}/ov\n>\n> {PIECE}\n",
        f"> {LONG}/ov\n>\n{PIECE} so\n",
        f"> {LONG}/ov\n>\n{'Thanks-for-that-' * 4}link\n",
        f"> {LONG}/ov\n>\n{'0049-30-' * 8}\n",
        f"> {LONG}/ov\n>\n{'_' * 60}\n",
        f"> {LONG}/ov\n>\n{PIECE}:\n",
        "> http://h.example/ov\n>\nDocumentation/devicetree/bindings/display/panel/panel-common-dual.yaml\n",
        f"> {LONG}/ov\n>\nhttp://b.example/{PIECE}\n",
        f"> {LONG}/ov\n> >\n>> >> {PIECE}\n",
        f"> {LONG}/ov\n>\n\n{PIECE}\n",
        f"> {LONG}/ov\n\n{PIECE}\n",
        f"> {LONG}/?a=b&\n> >\n\n> c=d of\n",
        f"> {LONG}/ov\n\n> >\n> {PIECE}\n",
        f"{LONG}/?a=b&\n>\nc=d of\n",
        "> http://h.example/ab\n>\ncd%2Fef\n",
        # Answers of one word.
        *(
            f"> {LONG}/ov\n>\n{answer}\n"
            for answer in (
                "lkml.org/lkml/2018/6/1/788",
                "Documentation/a/b.txt",
                "Best/Ann",
                "ann@h.example",
                "CVE-2014-0160",
            )
        ),
    ],
)
def test_a_url_ends_above_marks_alone_and_other_text(text: str) -> None:
    """As a quotation ends above an answer."""
    urls = re.findall(r"http:[^\s*]+", text)
    assert [found.url.rstrip("&-") for found in extract(text)] == [url.rstrip("&-") for url in urls]
    assert [found.url.rstrip("&-") for found in extract(text.replace("http", "*http"))] == [
        url.rstrip("&-") for url in urls
    ]


@pytest.mark.parametrize(
    ("text", "url"),
    [
        ('"git://h.example/oven.git\nfor-spring" of', "git://h.example/oven.git"),
        ("<git://h.example/oven.git\nfor-spring> of", "git://h.example/oven.gitfor-spring"),
        ('"http://h.example/oven/tree\nmaster" of', "http://h.example/oven/treemaster"),
        ('"http://h.example/oven.git\n/for-spring" of', "http://h.example/oven.git/for-spring"),
        ('"http://h.example/oven.git\n2" of', "http://h.example/oven.git2"),
        ('"http://h.example/oven.js\non" of', "http://h.example/oven.json"),
    ],
)
def test_a_name_behind_a_repository_in_quotation_marks_is_a_remark(text: str, url: str) -> None:
    """The branch. In angle brackets, white space is ignored (RFC 3986 appendix C)."""
    assert extract(text)[0].url == url


@pytest.mark.parametrize(
    "host",
    ["192.0.2.1", "192.0.2.1:8080/a", "localhost/", "localhost:8000", "[2001:db8::1]", "[::1]:80/a", "oven:8080/"],
)
@pytest.mark.parametrize("cut", ["http:{}//", "http://{}"])
@pytest.mark.parametrize("margin", ["", "> ", "  "])
def test_an_address_or_a_port_below_a_scheme_is_the_rest_of_its_url(host: str, cut: str, margin: str) -> None:
    """A name without any of these may be a word."""
    text = f"{margin}It runs at {cut.format(f'{chr(10)}{margin}')}{host} for all\n"
    assert extract(text)[0].url == f"http://{host}"
    for word in ("oven", "192.0.2", "localhosts", "oven:8"):
        assert not extract(text.replace(host, word))
    # Only behind slashes, a number is a port.
    assert bool(extract(text.replace(host, "Fax:12345 x"))) == ("{}//" in cut)


@pytest.mark.parametrize("sign", [")", "]"])
def test_a_host_before_a_closing_bracket_is_the_rest_of_a_url(sign: str) -> None:
    """The destination of a link may be broken behind its scheme."""
    assert extract(f"> [The oven](https://\n> sdk.h.example{sign} so\n")[0].url == "https://sdk.h.example"
    assert not extract("> The oven (https://\n> sdk.h.example, so\n")
    assert not extract("> The oven (https://\n> index.html) so\n")


@pytest.mark.parametrize("scheme", ["git", "rsync", "ssh"])
def test_words_below_a_scheme_are_prose(scheme: str) -> None:
    """Mail that speaks of protocols names them so."""
    for words in ("and also http://", "initialize", "does not allow"):
        assert not extract(f"> over http:// or {scheme}://\n> {words} so\n")
    (found,) = extract(f"> at {scheme}://\n> ftp.h.example/pub/a so\n", bare_hosts=True)
    assert found.url == f"{scheme}://ftp.h.example/pub/a"


def test_a_scheme_alone_is_no_rival() -> None:
    """The grammar of some schemes allows an empty host."""
    (found,) = extract("> git clone git://\n> git.h.example/a.git so\n")
    assert (found.url, found.rivals) == ("git://git.h.example/a.git", ())
