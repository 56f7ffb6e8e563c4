"""Breaks at which the form of the lines says that a URL ends: which rows hold where, and where none does."""

from __future__ import annotations

import pytest

from breaks import way
from urlglean import extract
from urlglean.text.joining.decided import decided
from urlglean.text.joining.layouts import LAYOUTS

LONG = "http://www.example.org/the/annual/reports/of-the-society/for-local-history"
"""A URL that fills a line."""

ENDED = {
    "end-of-comment": (
        ("# see {}\nsuffixes = r'x'\n", f"{LONG}.h"),
        ("    # see {}\n    def __hash__(self):\n", "http://www.example.org/model#object.__hash__"),
        ("    x = f(1)  # see {}\n    y = g(x)\n", LONG),
        ("// {}\nmq\n", "http://www.example.org/wiki/.mq"),
        ("% {}\ncountry_car\n", "http://www.example.org/codes"),
        ("; {}\nmov ax, bx\n", "http://www.example.org/codes"),
        ("/* From\n * {}.\n */\n", "http://www.example.org/licence/2.0/"),
        ("+/* From\n+ *   {}\n+ */\n", "http://www.example.org/licence"),
        ("+# {}\n+b=1\n", "http://www.example.org/a"),
        ("> # {}\n> b(1)\n", "http://www.example.org/a"),
        ("# {}\n#menus-tear-off = /desktop/x\n", "http://www.example.org/a.cgi?id=64"),
        ("# {}\n@final\nclass C:\n", LONG),
        ("# wget {}\n# make b\n", LONG),
        ("if 0: # {}\n    self.a(b)\n", LONG),
        ("# see {}\na.B.c(D)\n", f"{LONG}#b"),
        ("# see {}\na.b.C=\n", f"{LONG}#b"),
        ("# see {}\nAfter=network-online.target\n", f"{LONG}/"),
        ("# see {}\nfi\n", f"{LONG}?id=12"),
        ("; see {}\na.b=c\n", f"{LONG}#b"),
        ("# wget {}\n--2001-02-03\n", "http://www.example.org/a"),
        ("    # {}\n    x = f('')\n    # y\n", f"{LONG}#f"),
        ("    # {}\n    yield x\n    # y\n", f"{LONG}#f"),
        ("// {}\nA.B = A.C = d.e\n// f\n", f"{LONG}#f"),
        ("        #{}\n        a = [0]\n", f"{LONG}#f"),
        ("// aa : {}\naa\nab.aa\nac.aa\n", f"{LONG}.do"),
        ('if x[1:] == "": # a://b:/ == {}\n    y = 1\n', "http://h.example/"),
    ),
    "top-level-domain": (
        ("the site is {}\npeter\n", "http://www.example.com"),
        ("{}\nanna,\n", "https://www.example.fr"),
        ("{}\nmental, which\n", "https://lists.example.org/r/2024-ab.12@mail.example.com"),
        ("{}\nwith\n", "https://lists.example.org/all/20240102.3-4-ann@example.de"),
        ("this is the site of the society for local history in the whole county {}\nhth\n", "http://www.example.org"),
    ),
    "end-of-sentence": (
        ("It is at {}.\nciao\n", "http://www.example.org/manual.html"),
        ("{}.\nAnn\n", f"{LONG}/a-b-c"),
        ("{}.\nJMR\n", f"{LONG}/a-b-c"),
        ("{}.\nPSI\n", f"{LONG}/a-b-c"),
        (f"{{}}.\n{'word-' * 5}w\n{'word-' * 5}w\n", "http://www.example.org/ab"),
        ("{}.\nrob\n", f"{LONG}/a-b-c/"),
        ("It is at {}.\nGrüße\n", "http://www.example.org/manual.html"),
        ("It is at {}.\nPS: more\n", "http://www.example.org/manual.html"),
        ("See {}?\ncu, Ann\n", "http://www.example.org/manual.html"),
        ("See {}, \nfoo/bar\n".replace(" \n", "\n"), "http://www.example.org/a/b"),
        ("It is in {}.\n/usr/local/bin is a folder\n", "http://www.example.org/2003-May/"),
        ("{}.\nKEYWORDS = 1\n", f"{LONG}.aspx"),
        ("{}.\nciaociao\n", f"{LONG}.aspx"),
        ("{}.\nPLACE_OF_SUIT must be one\n", LONG),
        ("{}.\nPart of it\n", LONG),
        ("{}.\nmtk\n", f"{LONG}/show?bug=379829"),
        ("{},\ncloses the door\n", LONG),
        ("{},\njoe\n", f"{LONG}.gz"),
        ("{}.\nparts of it\n", LONG),
        ("{}.\nanyway\n", f"{LONG}/a"),
        ("{}.\njoe\n", f"{LONG}/1234"),
        ("It is at {}.\nciao\n", "http://www.example.org"),
        ("It is at {}.\nciao\n", "http://www.example.de"),
        ("It is at {}.\ncu\n", "http://www.example.com"),
        ("It is at {}.\nfoo/bar.c\n", "http://www.example.org"),
        ("Write to {}.\nciao\n", "mailto:ann@example.org"),
        ("{}.\n(!196)\n", f"{LONG}/a.htm"),
        ("{},\n    2006.\n", f"{LONG}/278"),
        ("{}.\nFOO.1-2008 makes it\n", LONG),
    ),
    "first-word-below": (
        ("==289== at {}\n==289== by b\n", f"{LONG}/b"),
        ("web_1 | at {}\nweb_1 | Quit\n", "http://www.example.org/b/"),
        ("1802e500 a/b.c (Jo) {}\n1802e500 a/b.c (Jo) x\n", "http://www.example.org/"),
    ),
    "directive-below": (
        *((f"{{}}\n{line}\n", f"{LONG}/b") for line in ("#endif", "#include <b.h>", "#ifdef B", "#else /* b */")),
    ),
    "ruler-below": (
        ("{}\n=3D=3D=3D=3D=3D=\n", f"{LONG}/b"),
        *((f"It is in {{}}.\n{sign * 72}\nr1234\n", f"{LONG}/b") for sign in "-=_*~+#"),
        *((f"It is in {{}}.\n{sign} {sign} {sign}\n", f"{LONG}/b") for sign in "-=_*~+#.o"),
        ("{}\n-----BEGIN PGP SIGNATURE-----\n", f"{LONG}/b"),
        ("{}\n--000000000000d969fb6406cb7d63\nContent-Type: text/html\n", f"{LONG}/b"),
        ("{}\n--_000_a\n", f"{LONG}/b"),
        ("{}\n--snip--\n", f"{LONG}/b"),
        ("See {}\n--Joe.\n", LONG),
        ("{}\n>8---\nI agree.\n", f"{LONG}/b"),
        *(
            (f"> {{}}\n{sign}\nI agree.\n", f"{LONG}/b")
            for sign in (
                "-snip-",
                "-cut-",
                "-END-",
                "-more-",
                "*cut*",
                "~cut~",
                "8<---",
                "%<-",
                "snip",
                "...snip...",
                "[Schnipp]",
            )
        ),
    ),
    "number-below": (
        ("1.\n{}\n2.\nhttp://www.example.org/b\n", f"{LONG}/b"),
        ("  [9]\n  {}\n  [10]\n  http://www.example.org/b\n", f"{LONG}/b"),
        ("3)\n{}\n4)\nb\n", f"{LONG}/b"),
        ("(1999)\n{}\n(2000)\n", f"{LONG}/b"),
        ("3\n{}\n4\n", f"{LONG}/b7"),
    ),
    "soft-break-below": (
        ("> {}\n> =\n\n> so\n", f"{LONG}?a=3Db&c=3Dd"),
        ("{}\n=\nso\n", f"{LONG}?a=3Db"),
    ),
    "entity-below": tuple(
        (f"{{}}\n{entity}\n", f"{LONG}/b")
        for entity in ("&lt;http://www.example.org/b&gt;", "&quot;b", "&#8226;", "&#x2022; b", "&mdash; b")
    ),
    "end-of-item": (("  - a from {}\n  - b_set performs c\n", "http://www.example.org/b/"),),
    "end-of-file": (
        ("{}\nfeature.\n", f"{LONG}/a.html"),
        ("{}\nreadme.txt\n", "ftp://ftp.example.org/a.zip"),
        ("{}\nx_y is z\n", f"{LONG}/a.pdf"),
        ("{}\nmirrors\n", f"{LONG}/a-1.2.tar.xz"),
        *((f"{{}}\n{'7d' * (bits // 8)}\n", f"{LONG}/a-1.2.tar") for bits in (128, 256, 384, 512)),
    ),
    "other-script-below": (
        ("{}\nпосмотрите\n", f"{LONG}?id=12"),
        ("{}\nご覧ください\n", f"{LONG}?id=12"),
        ("{}\n你好_世界 了\n", f"{LONG}/b"),
        ("{}\nда_нет и\n", f"{LONG}/b"),
        ("{}\nчто-то было\n", f"{LONG}/École"),
        ("{}\nБлог=http://b.example/ и\n", f"{LONG}/?b=c"),
        ("{}\nand so on\n", f"{LONG}/Москва"),
        ("{}\nご質問がありましたら、いつでも\n", f"{LONG}/"),
        ("{}\n详细信息请参阅以下页面。如\n", f"{LONG}/b/"),
    ),
    "end-of-folder": (
        ("Get from {}:\n  foo/bar.c\n", f"{LONG}/"),
        ("Get from {}:\n  foo-1.0.tar.gz of\n", f"{LONG}/"),
    ),
    "list-below": (
        ("See\n{}\n  foo/bar.c\n  foo/baz.h\n", LONG),
        ("See {}\nfoo-1.tar.gz\nquux-12.tar.gz\nquux.tar.gz", f"{LONG}/"),
        ("See {}\n" + "7d" * 16 + "\n" + "3e" * 16 + "\n", LONG),
        ("See {}\nann@example.org\nbob@example.com\n", LONG),
    ),
    "checksum-below": (
        ("See {}\n" + "7d" * 16 + "  foo.tgz\n", "http://www.example.org/foo/"),
        ("See {}\n" + "7d" * 32 + " *a/foo\n", "http://www.example.org/foo"),
        ("\tSee {}\n\t" + "7d" * 16 + "  foo.zip\n", "http://www.example.org/foo"),
        ("See {}\n" + "7d" * 16 + "  日本.zip\n", "http://www.example.org/foo"),
        ("See {}\n" + "7d" * 64 + "  foo-1.0.zip\n" + "3e" * 64 + "  bar.zip\n", "http://www.example.org/foo?bar=1"),
    ),
    "bracket-below": (
        ("# {}\n# f.set_g('__h', i)\n", f"{LONG}?id=2"),
        ("{}\nx_y(more or less), z\n", f"{LONG}/a"),
        ("{}\n(more or less), z\n", f"{LONG}/a"),
        ("{}\n(more), z\n", f"{LONG}/a"),
        ("{}\n(1998) z\n", f"{LONG}/Caf%C3%A9"),
        ("{}\n(I3-s)93YsC-12\n", f"{LONG}/a.cgi"),
    ),
    "address-below": (
        ("-- \nAnn Smith\n{}\nann@cs.example.org\n", f"{LONG}/"),
        ("{}\nann.smith@example.org\n", "http://www.example.org/~smith"),
        ("{}\nann@example.org\n", f"{LONG}/20010203-1@bee.example"),
        ("{}\nann@example.org\n", f"{LONG}/2001=3-1@bee.example"),
        ("{}\nann@example.org\n", f"{LONG}/20010203-1@bee.example/T/#u"),
    ),
    "reply-below": (
        ("> {}\nACK\n\n> so\n", f"{LONG}/"),
        (">> {}\n> done.\n\nso\n", f"{LONG}#bar"),
    ),
    "sign-off-below": (
        *(("See {}\n" + sign_off + "\n", LONG) for sign_off in ("-Joe.", "-Ann-", "HTH", "MfG,")),
        *(("See {}\n" + sign_off + "\n", "http://www.example.org/a") for sign_off in ("/Anders", "~Olga", "_Jo.")),
        ("See {}\nmfg\n\n> so\n", f"{LONG}/a"),
    ),
    "quotation-below": (
        ("Yes, at\n{}\n> done?\n\nNo, it is not\n", f"{LONG}/"),
        ("{}\n>> cheers, Ann\n> so\n", f"{LONG}/"),
    ),
    "tag-below": ((" * @see {}\n * @param {{string}} name\n", f"{LONG}#f"),),
    "slashes-below": (
        ("@a:registry={}\n//www.example.net/:_b=C\n", "http://www.example.org/ab"),
        ("at {}\n// an answer\n", "http://www.example.org/ab"),
    ),
    "end-of-quotation": (
        ("f('at {}.'\n  Old)\n", "http://www.example.org/migration"),
        ("  'at {}'\n  'latest/a.html'\n", "http://www.example.org/guide/"),
    ),
    "setting-below": (
        ("home={}\nlogo=x.png\n", "http://www.example.org/b"),
        ("home = {}\nlogo = x.png\n", "http://www.example.org/b"),
        ("[InternetShortcut]\r\nURL={}\r\nModified=C0BE7A3E6B\r\n", "http://www.example.org/"),
        ("baseurl={}\n#mirrorlist=x\n", "http://www.example.org/b"),
        ("export http_proxy={}\nexport no_proxy=x\n", "http://www.example.org/b"),
        ("a={}\ngpgcheck=1\n", "http://www.example.org/b?repo=e"),
        ("at {}\nbaseurl=ftp://ftp.example.org/c\n", "http://www.example.org/b"),
        ("mirrorlist={}\nbaseurl=ftp://ftp.example.org/c\n", f"{LONG}?repo=e&arch=x"),
        ("[InternetShortcut]\r\nURL={}\r\nModified=C0BE7A3E6B\r\n", f"{LONG}.php?id=282"),
        ("find={}\nother=http://www.example.net/?p=\n", "http://www.example.org/?q="),
    ),
    "field-below": (
        ("Format:\n{}\nFiles:\n  a\n", LONG),
        ("Format: {}\nFiles-Excluded:\n  .github/*\n", "http://www.example.org/1.0/"),
        ("Homepage: {}\nVcs-Git: x\n", LONG),
        ("N:Doe;Joe\nURL:{}\nitem1.URL;type=pref:http://www.example.com/\n", "http://www.example.org/b"),
        ("N:Doe;Joe\nURL:{}\nitem12.X-ABLabel:home\n", "http://www.example.org/b"),
        ("N:Doe;Joe\nURL:{}\nPHOTO;VALUE=uri:x\n", f"{LONG}?q="),
        ("UID:5\nURL;VALUE=URI:{}\nDTSTART;TZID=Europe/Berlin:20200101\n", f"{LONG}/"),
        ("UID:5\nitem1.URL:{}\nRRULE:FREQ=DAILY;COUNT=3\n", f"{LONG}?x=12"),
        ("- url: {}\n  name: x\n", "http://www.example.org/b"),
        ("  at {}\n      METADATA_CHANGE: The b\n", f"{LONG}/b"),
        ("  at {}.\n    role: required.\n", f"{LONG}#b"),
        ("patch link:  {}\npatch subject: [PATCH] b\n", f"{LONG}/b-jo@a.com"),
    ),
    "row-below": (
        ("src/a.c:12:{}\nsrc/b.c:13:http://www.example.org/c\n", "http://www.example.org/b/"),
        ("Smith;{}\nJones;none\n", "http://www.example.org/b/"),
        ("2010-01-01: {}\n2010-01-02: nothing\n", "http://www.example.org/b/"),
        (f"{'7d' * 16} {{}}\n{'a3' * 16} c.gz\n", "http://www.example.org/b.tar"),
        (f"{'7d' * 16}: {{}}\n{'a3' * 16}: none\n", "http://www.example.org/b"),
        ("1b6c7f60-1c2d-4e3f-8a9b-0c1d2e3f4a5b: {}\nab12cd34-0000-4abc-9def-abcdefabcdef: no\n", LONG),
        ("#LOC:AD\n{}\n#LOC:AE\n", "http://www.example.org/ubuntu/"),
    ),
    "request-of-roff": (
        ("\\%{}\n.RE\n", "http://www.example.org/a#b"),
        ("see {}\n.br\n", "http://www.example.org/a"),
        ('see {}\n.\\" no comment\n', "http://www.example.org/a"),
        ("see {}\n.fi\n", "http://www.example.org"),
        ("see {}\n.RE\n", "http://www.example.org"),
        ("see {}.\n.SH THE OVEN\n", "http://www.example.org/a/b"),
    ),
    "end-of-reference": (
        ("# see {}\n# a.client.Name is\n", "https://git.example.org/a/b/-/issues/60"),
        ("# see {}\n# GH#51044\n", "https://git.example.org/a/b/pull/28150"),
        ("see {}\ndata._x = a\n", "https://git.example.org/a/b/pull/4#discussion_r955500784"),
        ("see {}\ndata._x = a\n", "https://git.example.org/a/b/issues/4#issuecomment-955500784"),
        ("see {}\nabcdef12\n", "https://git.example.org/a/b/issues/77"),
        ("see {}\ngit log\n", f"https://git.example.org/a/b/commit/{'7d' * 20}"),
        ("see {}\n2007-01-01\n", f"https://git.example.org/a/b.git/?id={'7d' * 20}"),
        ("see {}\n20070101\n", f"https://git.example.org/a/b.git/?id={'7d' * 20}"),
        ("see {}\n12ab34cd567e mend it\n", f"https://git.example.org/a/b.git/?id={'7d' * 20}"),
        (f"see {{}}\n{'x' * 100}\n", f"https://git.example.org/a/b/commit/{'7d' * 20}"),
        ("see {}\nd5459297f8b43e42da89238bcdxyz\n", f"https://git.example.org/a/b/commit/{'7d' * 20}"),
        (f"see {{}}\n12ab34cd567e mend {'the oven ' * 10}\n", f"https://git.example.org/a/b.git/?id={'7d' * 20}"),
        ("see {}\njohn\n", f"{LONG}/{'7d' * 16}"),
        ("see {}\nadam\n", f"{LONG}/{'7d' * 16}"),
        ("see {}\njohn\n", f"{LONG}?x=%2F{'7d' * 16}"),
        ("see {}\nPh.D.\n", f"{LONG}?op=get&search=0xF242482E"),
        ("see {}\nPh.D.\n", f"{LONG}?op=get&search=0xF242482E00000000"),
        ("see {}\njohn\n", f"{LONG}/{'7D' * 32}"),
        ("see {}\njohn\n", f"{LONG}/8b3c29e2-0df9-c934-3e90-b0dee0abf417"),
        ("see {}\n123456\n", f"{LONG}/8B3C29E2-0DF9-C934-3E90-B0DEE0ABF417"),
    ),
    "name-below": (
        ("Ticket:\n    {}\n    OVEN-8376\n", f"{LONG}/browse/OVEN-8376"),
        ("> see\n> {}\n> 21198757756819792343 came\n", f"{LONG}?id=21198757756819792343"),
        ("see {}\nthe-name.\n", f"{LONG}#the-name"),
        ("see {}\nname\n", f"{LONG}#name"),
    ),
    "host-below": (
        ("\tsee {}\n\tbugs.example.org/show.cgi?id=2525\n", "http://www.example.org/a/b"),
        ("see {}\nexample.com.\n", "http://www.example.org/a"),
        ("see {}\nexample.com/\n", "http://www.example.org/a"),
    ),
    "entry-below": (
        ('" 20190128 - Find the tag\n"            {}\n" 20181116 - Fix\n', "http://www.example.org/issues/4"),
    ),
    "path-of-file": (("see\n     {}\n     /usr/share/licences/b (here)\n", "http://www.example.org/LICENSE-2"),),
}
"""By row: texts with one place for a URL, which ends there, and the URL."""


@pytest.mark.parametrize(("name", "text", "url"), [(name, *case) for name, cases in ENDED.items() for case in cases])
def test_a_url_ends_at_a_break_that_a_layout_decides(
    name: str, text: str, url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The row is the one that decides: without all rows the break is weighed, and with them the URL is found whole."""
    monkeypatch.setattr("urlglean.text.joining.decision.decided", lambda _at: None)
    at = way(text.format(url))[0].at
    monkeypatch.undo()
    row = decided(at)
    assert row is not None
    assert row.name == name
    assert extract(text.format(url))[0].url == url


def test_each_row_has_texts() -> None:
    """No row is without a text in which it decides."""
    assert set(ENDED) == {row.name for row in LAYOUTS}


@pytest.mark.parametrize(
    "text",
    [
        # A comment that goes on, one whose rest a program wrapped, a heading, a list.
        "# see http://www.example.org/a/\n# b\n",
        f"# see {LONG}\nx.html (a text)\n# and more\n",
        f"> # see {LONG}\n> x.html (a text)\n> # and more\n",
        f"# see {LONG}\r\nx.html (a text)\r\n# and more\r\n",
        f"#{LONG}\n#b\n",
        # Comments and headings that a program wrapped, also in diffs and quotations; prose before two slashes.
        f"# see {LONG}/of-the-\nlong-title.html is over\n",
        f"+// see {LONG}/a\nb.html for it\n+void x(void)\n",
        f"> # see {LONG}/a\nb.html for it\n> x(void)\n",
        f"Ann Smith // {LONG}/a\nb.html is\n",
        f"Bug no # {LONG}/a\nb.html is\n",
        f"% lynx -dump {LONG}/a\nb.html > c\n",
        # Commands at a prompt.
        f"# curl -L {LONG}\nx -o y\n",
        f"~]# wget {LONG}\nx && rpm -i y\n",
        f"    x # sudo pip install {LONG}\n    b c\n",
        # Names behind a question mark or a colon.
        "see http://www.example.org/a.nsf/0/12?\nOpenDocument\n",
        f"{LONG}/Service?\nwsdl\n",
        f"{LONG}/wiki.cgi?\nFront_Page\n",
        "see http://www.example.org/wiki/Cat%C3%A9gorie:\nClay_ovens of clay\n",
        "see http://www.example.org/wiki/Category:\nClay_ovens of clay\n",
        "see http://www.example.org/w.php?title=User_talk:\nann is\n",
        # A property of a vCard that goes on, and a title elsewhere.
        f"URL:{LONG}/\noven.html;v=3\n",
        f"see {LONG}?title=\nTALK:Oven is\n",
        f"Url:{LONG}/?title=\nTALK:Oven is\n",
        f"URL:{LONG}?title=\nPII:S0167\n",
        # Numbers and names that go on; names that hold a host.
        "https://git.example.org/a/b/issues/10\n66/\n",
        "https://git.example.org/a/b/issues/1066\n#issuecomment-1 is\n",
        f"{LONG}/commit/{'7d' * 16}\nabc is\n",
        "https://git.example.org/a/b/issues\nab\n",
        f"{LONG}/siteinfo/e\nxample.com\n",
        "http://www.example.org/?u=a\nexample.com/b\n",
        "http://www.example.org/2001-ann@exa\nmple.org/\n",
        "http://www.example.org/www.exa\nmple.org/\n",
        "http://exa\nmple.org/\n",
        "see http://www.example.org/issues/96\napr/ovens.html\n",
        f"https://git.example.org/a/b/commit/{'7d' * 20}\nab12cd34ab12cd34ab12cd34\n",
        f"{LONG}/x/ab123e4567-e89b-12d3-a456-426614174000\nabc/def.html\n",
        f"{LONG}/search?q\n=3D=3D=3Dabc&x=1\n",
        f"{LONG}/b.\n__init\n",
        f"{LONG}/b?\n==x.html\n",
        f"{LONG}/report.\nPDF\n",
        f"{LONG}/?q=(a\n(b)\n",
        f"{LONG}/S0022-0000\n(98)91234-5\n",
        f"{LONG}/a.cgi\n(b\n",
        f"{LONG}/a_\n(b)\n",
        f"{LONG}/report.\nARJ\n",
        f"{LONG}/filtering-spam\n-bayesian-\n",
        f"https://git.example.org/a/b/commit/{'7d' * 20}\n{'7d' * 40}\n7d7d\n",
        f"https://git.example.org/a/b/commit/{'7d' * 20}\n{'7d' * 37}7\n7d7d\n",
        f"https://git.example.org/a/b/commit/{'7d' * 20}\n{'7d' * 44} which\n",
        f"{LONG}/a\n-end-of-list\n",
        f"http://www.example.org/get?f=%7D{'7d' * 15}\nb7F2z\n",
        "http://www.example.org/src/\nexample.com/a\n",
        "http://www.example.org/src\nfoo.comp/a\n",
        # The rest of a URL before a colon, of an archived one, and of a name in a library.
        f"{LONG}/of-the-titl\ne-wraps: it is over\n",
        f"{LONG}/https:\n//www.example.org/b and\n",
        f"{LONG}#a.client.\nSSHClient.connect may\n",
        # Other words behind a sign, more text, and a URL that goes on.
        f"See {LONG}\n-joe\n",
        f"See {LONG}\n-Joe2\n",
        f"See {LONG}\n/Anders\n",
        f"See {LONG}\n-Joe of\n",
        f"See {LONG}\n-Joe\nand\n",
        f"See {LONG}-\nMfG\n",
        # The rest of a top level domain, or of a host.
        "at http://www.example.co\nm of\n",
        "at http://www.example.in\nfo\n",
        "at http://www.example.co\nm/a\n",
        "at http://www.example.mo\nbi of\n",
        "at http://www.example.ex\nample of\n",
        "at http://www.exam.bl\nogs of\n",
        "at http://www.ex\nample.org/a\n",
        # Lines of which none or one is a name of a list, or that hold more.
        f"See {LONG}/\nfoo/bar.c of\nfoo/baz.h\n",
        f"See {LONG}/\nfoo/bar.c\nfoo/baz.h of\n",
        f"See {LONG}/\nfoo/bar.c\nbaz/foo.h\n",
        f"See {LONG}/\nfoo/a?b=c\nfoo/a?b=d\n",
        f"See {LONG}/a-\nfoo/bar.c\nfoo/baz.c\n",
        f"{LONG}/col\numns.html\nhttp://www.example.org/b.html\n",
        f"[![a]({LONG}/b/\nc/d.svg)](http://www.example.org/e\nc/d)\n",
        f"See {LONG}/\na/bar.c\na/baz.h\n",
        f"See {LONG}\n{'7d' * 16}\nb\n",
        f"Get {LONG}:\nfoo/bar.c\n",
        f"Note: this\n{LONG}/a\nb:\n",
        # Cells and values that go on.
        f"AB-2004:001 {LONG}?a=\nAB-2004:001 (b)\n",
        f"Foo,{LONG}-\nbar.html, and more\n",
        "http://www.example.org/?q=ca\nche:http://www.example.org/b\n",
        f"{LONG}?a=b;\nprintable\n",
        f"{LONG}?a=b&\nurl=http://www.example.org/c\n",
        # Items of lists that go on, files whose extension or whose search goes on, brackets that close, addresses.
        "- see http://www.example.org/a/\n  b\n",
        "- http://www.example.org/a/\n- b\n",
        "+ see http://www.example.org/a/\n+ b\n",
        "-   see http://www.example.org/a/\n-   b\n",
        "* see http://www.example.org/a/\n* b\n",
        "* http://www.example.org/a/\n* b - http://www.example.org/c\n",
        f"{LONG}/278,\n2106.\n",
        f"{LONG}.htm\nl\n",
        f"{LONG}.tar\n{'7d' * 17}\n",
        f"{LONG}?a.tar\n{'7d' * 16}\n",
        f"{LONG}.tar\n{'7d' * 16} b\n",
        f"{LONG}/Ticket%20\n(queue)\n",
        f"{LONG}/\nпосмотрите\n",
        f"{LONG}/ё\nпосмотрите\n",
        f"{LONG}.html\n/b\n",
        f"{LONG}?a.html\nb\n",
        f"{LONG}#a.html\nb\n",
        "http://a.\nhtml/b\n",
        f"{LONG}/a\n(b).aspx is\n",
        f"{LONG}/a\n.PDF\n",
        f"{LONG}/a.tar\n.Z\n",
        f"{LONG}/bar\nbar/\n",
        f"{LONG}/quux/\n/quux/b.html\n",
        f"{LONG}/a1b2\nb2c3\n",
        *(f"https://git.example.org/a/b.git/?id={'7d' * 20}\n{'7d' * rest}\n" for rest in (12, 28, 44)),
        f"{LONG}/{'7d' * 16}\n7d\n",
        f"{LONG}?op=get&search=0xF242482\nPh.D.\n",
        f"{LONG}?op=get&search=0xF242482E\n12\n",
        # Signatures and footers of lists, whose URLs programs break too.
        f"-- \nAnn\n{LONG}/foo/bar.\nb/c\n",
        "-- \nAnn\nhttp://foo.example.com/?q=\nb/c\n",
        "-- \nAnn\n\nhttp://foo.example.com/\nb/c\n",
        "--- \nAnn\nhttp://foo.example.com/\nb/c\n",
        "-- So\nAnn\nhttp://foo.example.com/\nb/c\n",
        "So --\nAnn\nhttp://foo.example.com/\nb/c\n",
        "-- \n> http://foo.example.com/\n> b/c\n",
        f"-- \n{'a' * 400}\nhttp://foo.example.com/\nb/c\n",
        f"{LONG}/{'ad' * 16}\nAnn\n",
        f"{LONG}/a-b-c.\nrob\n",
        f"{LONG}/a-b-c\n----\n",
        f"{LONG}/a-b-c\n= = =\n",
        f"{LONG}/a-b-c.\n- b -\n",
        f"{LONG}/a-b-c\n*c*\n",
        f"{LONG}/a-b-c\n*cut*s\n",
        f"{LONG}/a-b-c\n*cut* so\n",
        f"{LONG}/a-b-c\n*snap so\n",
        f"{LONG}/a?b\n&amp;c\n",
        f"{LONG}/a?b\n&c\n",
        f"1.\n{LONG}/b\n3.\n",
        f"1.\n{LONG}/b\n2)\n",
        f"1.\n{LONG}/b\n2. c\n",
        f"a\n{LONG}/b\n2.\n",
        f"{LONG}/{'7d' * 16}\n7d%7Cb\n",
        f"{LONG}/{'7d' * 24}\nAnn\n",
        f"{LONG}/8b3c29e2-0df9-c934-3e90-b0dee0abf417\n.b/c\n",
        f"{LONG}/8b3c29e2-0df9-c934-b0dee0abf417\n123456\n",
        f"{LONG}/a(\nb) is\n",
        f"{LONG}/a\n(b\n",
        f"{LONG}/a\n@b.example/c for it\n",
        f"{LONG}/20010203-ann\nbee@example.org\n",
        "see http://www.example.org/a?b=\nann@example.org\n",
        f"{LONG}?list=foo@example.org&b=\nann@example.org\n",
        f"{LONG}?list=foo@example.org&b=an\nn@example.org\n",
        f"{LONG}?foo@example.org\nann@example.org\n",
        f"{LONG}/foo@example.org?b=ann\nann@example.org\n",
        f"{LONG}.\nUndefinedBehavior-ub_106\n",
        f"{LONG}/a\nb(c)d (e)\n",
        f"{LONG}/\n2001.12-1-ann@example.org\n",
        f"{LONG}/\nann@example.org is\n",
        f"{LONG}/\n> done?\n> so\n",
        f"> {LONG}/\nfoo\n\n> so\n",
        f"> {LONG}/\ndone\nso\n",
        f"> {LONG}/\n> done\n\nso\n",
        f"{LONG}/\n> a1\n\nso\n",
        f"> {LONG}/\n>> done?\n\nso\n",
        f"{LONG}/a\n@b\n",
        f"{LONG}/foo\nfoo\n",
        f"https://git.example.org/a/b/commit/{'de' * 20}\nAnn\n",
        f"https://git.example.org/a/b/commit/{'7d' * 20}\n-b\n",
        "http://www.example.com\n.br\n",
        "http://www.example.com\n.fi/a\n",
        "HTTP://WWW.EXAMPLE\n.COM\n",
        "http://www.example\n.fi\n",
        "* see http://www.example.org/a/\n  b\n",
        "AC # 4 http://www.example.org/a/\nb\n",
        "#1 http://www.example.org/a/\nb\n",
        "see //x http://www.example.org/a/\nb\n",
        # Extensions, labels of hosts, searches, full lines, a URL that was cut before.
        "see http://www.example.org/a.\nphp?b=c\n",
        "see http://www.example.org/a.\nhtml\n",
        "see http://www.example.\norg/a\n",
        "see http://www.cs.\nexample.org/a\n",
        "see http://www.example.com.\nau/b\n",
        "see http://www.example.org/a?\nb=c\n",
        "see http://www.example.org/a.\n1.2\n",
        "see http://www.example.org/a..\nb\n",
        "see mailto:ann@example.\norg\n",
        "see news:comp.lang.\nc\n",
        f"{LONG}.gz.\nxz\n",
        f"{LONG}.\nx of it\n",
        f"{LONG}?a=b.\nc\n",
        f"{LONG}/a@b.\nexample of\n",
        f"{LONG}#a.\nmethod of\n",
        f"{LONG}/a.\njoe\n",
        # Quotation marks in a search, and in the middle of a name.
        "see http://www.example.org/?q='\nb\n",
        "see http://www.example.org/o'\nb/?c=d\n",
        "let's see http://www.example.org/?q='\nb\n",
        # Settings in a search.
        "see http://www.example.org/?a=b\nc=d\n",
        f"url={LONG}?view\nuser=ann\n",
        f"url={LONG}?view=d2Vlaw\nuser=\n",
        "url=http://www.example.org/?a\nb=c&d=e\n",
        "see http://www.example.org/\nb==c\n",
        "see http://www.example.org/?a=b&u\nrl=http://www.example.org/\n",
        # Other words, and other forms of words.
        "see http://www.example.org/a/\nb:\n",
        "URL: http://www.example.org/a/\nb\n",
        "12 http://www.example.org/a/\n34\n",
        "123 http://www.example.org/a/\n456\n",
        "x1 http://www.example.org/a/\n34x b\n",
        "foo http://www.example.org/a/\nbar b\n",
        "a/1 http://www.example.org/a/\nb/2 c\n",
        "a,http://www.example.org/a/\nb\n",
        "#LOC:AD\nhttp://www.example.org/a/\n#loc:AD\n",
        "http://www.example.org\n/lib/x/b.php\n",
        "http://www.example.org/a\n/lib/x/b?c=d\n",
        # Other words behind a dot, and the label of a country.
        "see http://www.example.org/a\n.html\n",
        "see http://www.example.com\n.br\n",
        "see http://www.example.org/a\n.RE/b\n",
        "see http://www.example.org/a\n.Map)\n",
        # A path of the URL.
        "see http://www.example.org/a\n/usr\n",
        "see http://www.example.org/a\n/users/b\n",
        f"{LONG}\n/usr/b\n",
        f"{LONG}/b\n#line\n",
        f"{LONG}/b\n#elsewhere\n",
        f"{LONG}/b\n#include=4\n",
    ],
)
def test_other_breaks_are_weighed(text: str) -> None:
    """Each text is like one in which a row decides, but for the one condition that it lacks."""
    assert way(text)[0].decided not in LAYOUTS


def test_a_short_piece_of_a_broken_url_is_no_short_line() -> None:
    """Its line was as long as others where the URL began, so the dot may stand before an extension that no list has."""
    assert [step.decided for step in way(f"> {LONG}\n> .tar.\n> lzip\n")][:2] == [None, None]


@pytest.mark.parametrize("lines", [2, 3])
def test_what_three_lines_of_a_url_cut_at_one_column_look_like_decides_nothing(lines: int) -> None:
    """The program cuts anywhere, so a colon before a bracket is no end of a sentence."""
    piece = f"{LONG}/aaa?b"
    start = "".join(f"{piece if not n else 'c' * len(piece)}\n" for n in range(lines - 1))
    cut = f"{start}{'d' * (len(piece) - 1)}:\n"
    alike = f"({'e' * (len(piece) - 2)})\n"
    assert way(f"{cut}(e)\n")[lines - 1 :] == [] if lines < 3 else way(f"{cut}(e)\n")[lines - 1].decided is None
    assert [step.decided for step in way(cut + alike)][lines - 1] is None
    ends_in_letter = cut.replace("d:", "dd")
    assert [step.decided for step in way(f"{ends_in_letter}--{'e' * (len(piece) - 2)}\n")][lines - 1] is None
    # Before the first of three lines too; but not if the third ends elsewhere, or holds more than the URL.
    if lines == 2:
        first = f"{LONG}/aaaa:\n"
        assert way(f"{first}{alike}{'f' * len(piece)}\n")[0].decided is None
        assert way(f"{first}(e)\n{'f' * len(piece)}\n") == []
        assert way(f"{first}{alike}{'f' * len(piece)} \n")[0].decided is None
        assert way(f"{first}{alike}{'f' * len(piece)}f\n") == []
        assert way(f"{first}{alike}{'f' * (len(piece) - 2)} f\n") == []
    # Other rows hold there too.
    assert len(way(f"{cut}-Ann\n")) < lines
    # Text behind the token, a longer line, and lines before that end elsewhere.
    ended = [
        cut + alike[:-1] + " and more\n",
        cut.replace("d:", "dd:") + alike,
        cut.replace("\n", "f\n", 1) + alike,
    ]
    assert all(len(way(text)) < lines for text in ended)


@pytest.mark.parametrize("sign", [":", "-", "#", "->", "、", "："])
def test_lines_of_one_form_hold_one_url_each(sign: str) -> None:
    """Each has a label and the same sign behind it, though the URLs have searches."""
    urls = [f"http://{name}.example/doc.php?page={name}" for name in ("foo", "bar", "quux")]
    text = "".join(f"B{number}{sign}{url}\n" for number, url in enumerate(urls))
    assert [each.url for each in extract(text)] == urls


@pytest.mark.parametrize("label", ["URL:", "HP:", "Blog:", "Quelle(", "ホームページ："])
def test_a_label_glued_to_a_url_begins_a_line_of_its_own(label: str) -> None:
    """As in signatures and on boards; not where a search may hold it."""
    text = f"Some text here about it all.\n\nLink:http://www.example.org/\n{label}http://www.foo.example/x.html\n"
    assert [each.url for each in extract(text)] == ["http://www.example.org/", "http://www.foo.example/x.html"]
    assert way("see http://a.example/search?u=\ncache:http://c.example/d e\n")


@pytest.mark.parametrize(
    "rest",
    ["pone.0012345", "cell.2005.01.001, 2005.", "nn.softmax", "data/files.html, of", "core.v1.1/", "min.js", "a.html"],
)
def test_a_name_with_dots_or_slashes_begins_no_sentence(rest: str) -> None:
    """It may be the rest of a URL that TeX broke behind a dot in a narrow column."""
    assert way(f"a tree, http://h.example/10.1371/a.\n{rest}\n")


@pytest.mark.parametrize(
    "rest",
    [
        *("foo.html is", "setup.py, of", "main.js is", "main.c is", "main.h is", "httpd.conf is", "a-1.0.2.tar.gz is"),
        *("h.example.org is", "example.com/foo is", "h.net is", "h.edu is", "h.gov is", "h.mil is"),
    ],
)
def test_a_file_or_a_host_begins_a_sentence(rest: str) -> None:
    """A sentence may begin with its name."""
    assert not way(f"a tree, http://h.example/10.1371/a.\n{rest}\n")


@pytest.mark.parametrize("below", [" here.", " v2.6.12", "  here.", " *here", "   here", "  a b"])
def test_a_word_behind_the_name_of_a_commit_is_no_file(below: str) -> None:
    """Programs print two signs between a checksum and the name of a file; and no list stands below a value's name."""
    end = "a?id=" if below in {"  here.", " *here"} else "builds/20240101"
    assert way(f"see http://h.example/{end}\n{'1da177e4' * 4}{below}\n")


def test_a_label_with_a_slash_is_no_path_of_grep() -> None:
    """A path has another slash, or a dot."""
    assert way(f"Client/Server: {LONG}/pa\nth/index.html: it\n")
    assert not way(f"src/a.c: {LONG}/pa\nsrc/b.c: it is\n")


@pytest.mark.parametrize("other", ["issue tracker", "the home page"])
def test_a_label_of_words_may_stand_before_each_url(other: str) -> None:
    """Then the lines are those of one list. Before other text, such words may be those of prose."""
    assert not way(f"project page: {LONG}/\n{other}: http://h.example/\n")
    assert way(f"project page: {LONG}/\n{other}: of it\n")
    assert way(f"see also: {LONG}/foo-\nbar of: http://h.example/\n")


@pytest.mark.parametrize(("opens", "closes"), [("„", "“"), ("»", "«"), ("「", "」"), ("“", "”"), ("", "。"), ("", "…")])
def test_signs_of_prose_outside_ascii_are_none_of_what_is_weighed(opens: str, closes: str) -> None:
    """They close a quotation or a sentence around the URL, as signs of ASCII do."""
    begin, rest = "http://www.example.org/documents/archive/2003/reports/summer_s", "chool_programme.html"
    text = f"This is a line of the text that the author has written\nhere: {opens}{begin}\n{rest}{closes} and so on\n"
    assert extract(text)[0].url == begin + rest


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ("box:12:", "box:19:"),
        ("a/b.eml:see ", "a/c.eml:more at "),
        ("notes.txt:", "notes.txt:"),
        ("./b:1:c ", "./c:2:d "),
        ("src/a.c:\t/* see ", "src/b.c:\t * more: "),
        ("src/a.c: * see ", "src/b.c: * more: "),
    ],
)
def test_lines_of_grep_hold_one_url_each(first: str, second: str) -> None:
    """The name of a file stands before each, and perhaps the number of a line."""
    url = "http://www.foo.example/show.php?id=471"
    found = extract(f"{first}{url}1\n{second}{url}2\n")
    assert [each.url for each in found] == [f"{url}1", f"{url}2"]


@pytest.mark.parametrize(
    "text",
    [
        "abc.tar.gz {}\nabc.tar.gz\n",
        "abc-9.tar.gz {}\nabc-9.tar.gz (1.7 MB)\n",
        "1.2.3: changes are at {}\n1.2.3/README.txt: new\n",
        "P.S.: see {}\n000000/http://www.example.com/page.html and so on\n",
        "Read more: {}\nabc Posted by: Ann\n",
        "(10:15:03) jo: see {}\n2024-01-23-release.html for more of it\n",
        "17:00:12 <jo> {}\nspec-sheet-2024-01-23.pdf for more of it\n",
        "docs/README:12:{}\n10_Spec_Sheet_2024-01-23.pdf\n",
    ],
)
def test_the_rest_of_a_url_may_begin_like_its_line(text: str) -> None:
    """The name of a file that is linked, or a word before a label, for example."""
    assert way(text.format(f"{LONG}/"))


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ("docs/a.md:{}install", "docs/a.md:\n"),
        ("docs/a.md:{}install", "docs/b.md:install\n"),
        ("docs/a.md:{}a/", "docs/b.md:/home/jo\n"),
        ("a.txt:1:see {}C-", "a.txt:2:more\n"),
        ("README:12:{}?a=1&", "README:13:b=2&c=3 and more\n"),
        ("a.txt:5:{}time", "a.txt-6-more\n"),
        ("log-2010-05.txt:5:{}a-", "log-2010-05.txt-6-more of it\n"),
        ("a.txt:{}?a=", "a.txt-more of it\n"),
        ("docs/a: see {}?a=", "docs/a-more of it\n"),
        ("README:5:{}?a=", "README-6-more of it\n"),
        ("src/a.c: * see {}8-hch%40lst.de", "src/b.c: * more text of it\n"),
    ],
)
def test_lines_of_grep_end_whatever_follows_the_name(first: str, second: str) -> None:
    """An empty line, a path, or the context of a line; behind a sign of a URL, if the name of the file is the same."""
    url = first.partition("{}")[2]
    found = extract(f"{first.format('http://www.example.org/docs/guide/')}\n{second}")
    assert [each.url for each in found] == [f"http://www.example.org/docs/guide/{url}"]
