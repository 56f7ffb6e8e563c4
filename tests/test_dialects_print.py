"""Each dialect's productions are those that its documents print. The differences are listed here with their reasons."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from grammar_naive import matches
from urlglean.grammar import dialects
from urlglean.grammar.bnf import Grammar
from urlglean.testing import near_misses

HERE = Path(__file__).parent / "grammar"
OURS = Path(dialects.__file__).parent

Tokens = list[str]

_TOKEN = re.compile(r'<">|"[^"]*"|%x[0-9A-F-]+|[0-9]*\*[0-9]*|[A-Za-z0-9][\w+.-]*|[|/()\[\]]')
_COMMENT = re.compile(r'^((?:<">|[^"<;\n]|<(?!">)|"[^"\n]*")*);.*$', re.MULTILINE)
_HEAD = re.compile(r"^([A-Za-z][\w+.-]*)[ \t]*:?=", re.MULTILINE)


def printed(text: str) -> Iterator[tuple[str, Tokens]]:
    """The productions of a text in the notation of RFC 1738 or RFC 5234, with both alternative signs as "|"."""
    text = _COMMENT.sub(r"\1", text)
    heads = list(_HEAD.finditer(text))
    for head, end in zip(heads, [*(head.start() for head in heads[1:]), len(text)], strict=True):
        yield head[1], ["|" if token == "/" else token for token in _TOKEN.findall(text[head.end() : end])]


def ours(dialect: str) -> dict[str, Tokens]:
    """The productions in a dialect's file."""
    return dict(printed((OURS / f"{dialect}.bnf").read_text(encoding="utf-8")))


def reference(dialect: str) -> str:
    """Our copy of the printed text."""
    return (HERE / f"{dialect}.txt").read_text(encoding="utf-8")


def bare(text: str) -> Iterator[tuple[str, Tokens]]:
    r"""The productions of the BNF before RFC 1738, in which single characters mean themselves and `\_` means "_".

    A bracket alone between two bars is a character. Adjacent characters are one literal.
    """
    text = re.sub(r"\\([_%])", r"\1", text.partition("\n\n")[2])
    for entry in re.split(r"\n(?! )", text.strip()):
        name, _, right = entry.partition(" ")
        tokens = re.findall(r"[A-Za-z0-9]+|[^\sA-Za-z0-9]", right)
        yield name, [_bare_token(tokens, at) for at in range(len(tokens))]


def _bare_token(tokens: Tokens, at: int) -> str:
    token, before, behind = tokens[at], tokens[at - 1] if at else "|", tokens[at + 1] if at + 1 < len(tokens) else "|"
    if token in "[]" and before == behind == "|":
        return f'"{token}"'
    if token in {"|", "[", "]"}:
        return token
    named = {"space": '" "', "vline": '"|"'}
    return named.get(token, f'"{token}"' if len(token) == 1 else token)


def plain(tokens: Tokens) -> Tokens:
    """Tokens with one kind of quotation marks, without empty literals, and with adjacent literals joined."""
    joined: Tokens = []
    for token in ['"""' if token == '<">' else token for token in tokens]:
        if token == '""':
            continue
        if joined and joined[-1].startswith('"') and token.startswith('"'):
            joined[-1] = joined[-1][:-1] + token[1:]
        else:
            joined.append(token)
    return joined


RFC1738 = {
    "scheme": "2.1 asks programs to take upper case as well",
    "schemepart": "the common Internet scheme syntax is looked for first, for its parts; the same URLs",
    "gopherurl": 'the "/" is printed without its quotation marks; the selector takes the search; the same URLs',
    "fragment": "not printed: the appendix puts it behind a URL, RFC 1808 2.2 gives its characters",
}
EARLY = {
    "scheme": 'ends at the first ":"; the same URLs',
    "waisdoc": "its last two parts are one name, as in RFC 1630",
    "wpath": "not printed here, but in RFC 1630: what waisdoc ends in",
    "groupart": 'an article is looked for first, for its "@"; the same URLs',
    "group": 'ialpha takes "." already; the same URLs',
    "prosperolink": "a path takes %00 already; the same URLs",
    "hostname": 'xalphas would swallow the port and the user: without ":" and "@"',
    "path": 'a "/" may come first, or generic would take no URL that has a host',
    "user": 'without ":" and "@", as in RFC 1630',
    "password": 'without ":" and "@", as in RFC 1630',
    "loginalpha": 'not printed: xalpha without ":" and "@"',
}
_CURRENT = {
    "user and password are told apart, as RFC 3986 3.2.1 says in prose": "userinfo user password",
    "hosts are names of the DNS (RFC 1034 3.1, RFC 1123 2.1, RFC 5890), literals or addresses": (
        "host dns-name label let-dig ldh"
    ),
    "the characters of RFC 3987 2.2 under the names of RFC 3986": "segment segment-nz query fragment iunreserved",
    'the "/" before a path is no part of it (RFC 1738 3.1)': "path",
    "RFC 3986 3 without what a scheme of its own would say; an authority may be absent behind its slashes": "other-URI",
    "a URL is not pasted to the beginning of another; http and https are alike": (
        "http-URI port-given port-empty path-single"
    ),
    "ws and wss are alike; the path as everywhere": "ws-URI",
    "RFC 1738 3.2 with the characters of RFC 3986": "ftpurl fpath fpath-single",
    "RFC 4266 2.1 says it in prose": "gopherurl gophertype gopher-path gopher-char",
    "not empty as a whole; the question mark is no part of the header fields": "mailtoURI hfields",
    "RFC 1738 3.5 reserves no characters in a mailto URL": "hfvalue local-part qchar some-delims",
    "a domain of the DNS, or an address literal": "domain",
    "nntps too": "nntpURL",
    "RFC 1738 has no bound on the digits": "article-number",
    "snews too; not empty without a server; wildmats of RFC 3977 4.1 have commas and exclamation marks": (
        "newsURL newsgroups newsgroups-nz newsgroup-char"
    ),
    "msg-id-core spelled out with what RFC 1738 3.6 takes and newsreaders print": "article id-left id-right",
    "RFC 4248 2 says it in prose; tn3270 (RFC 6270) is alike": "telneturl",
    "RFC 4156 2 says it in prose": "waisurl database wtype wpath",
    "RFC 4157 2 says it in prose": "prosperourl hsoname fieldspec fieldname fieldvalue hsochar",
    "RFC 8089 2 in one production, with the names of RFC 1738 3.10": "fileurl",
    "addr-spec spelled out; what a URL cannot hold is encoded": "url-addr-spec mid-char",
    "in one production; the components have one form; a fragment is judged apart": "namestring component",
    "ldh is another production's name here": "NID",
    "letters outside ASCII turn up": "NSS",
    "one production for global and local numbers: people leave the context out": (
        "telephone-uri telephone-digits phonedigit par isdn-subaddress"
    ),
    "mail programs encode blanks": "visual-separator",
    "the marks spelled out": "paramchar",
    "RFC 2045's tokens without what a URL must encode; base64 is a parameter without value": (
        "dataurl type value urlchar"
    ),
    "the parts of RFC 3261 25.1 with the hosts of all schemes": "SIP-URI headers uri-parameter sip-user",
    "the four parts behind the name are a query here": "ldapurl",
    "RFC 2224 10 with the characters of RFC 3986": "nfsurl",
    "parameters are those of RFC 3966": "geo-URI",
    "pnum spelled out": "num",
    "BEP 9 says it in prose; a topic of another network is one that does not begin as those of BitTorrent do": (
        "magnet-URI magnet-query exact-topic topic info-hash base32 colon other-NID other-param param-char"
        " not-b not-t not-t-name not-x magnet-char"
    ),
    "lower case spelled out, which RFC 5234 2.3 implies": "HEXDIG",
}
CURRENT = {name: reason for reason, names in _CURRENT.items() for name in names.split()}


def differing(productions: dict[str, Tokens], reference: Iterator[tuple[str, Tokens]]) -> set[str]:
    """The names whose production is not among those that are printed under that name."""
    known: dict[str, list[Tokens]] = {}
    for name, tokens in reference:
        known.setdefault(name, []).append(plain(tokens))
    return {name for name, tokens in productions.items() if plain(tokens) not in known.get(name, [])}


@pytest.mark.parametrize(
    ("dialect", "corrections"),
    [("rfc1738", RFC1738), ("early", EARLY), ("current", CURRENT)],
    ids=lambda each: str(each)[:8],
)
def test_productions_are_as_printed_but_for_these(dialect: str, corrections: dict[str, str]) -> None:
    """Each production that is not listed is the same as in the document, token for token."""
    read = bare if dialect == "early" else printed
    assert differing(ours(dialect), read(reference(dialect))) == set(corrections)


@pytest.mark.parametrize(("dialect", "corrections"), [("rfc1738", RFC1738), ("early", EARLY)])
def test_names_stand_in_the_order_of_the_document(dialect: str, corrections: dict[str, str]) -> None:
    """No production of the two BNFs is left out; additions are in the list."""
    names = [name for name, _ in (bare if dialect == "early" else printed)(reference(dialect))]
    added = set(ours(dialect)) - set(names)
    assert [name for name in ours(dialect) if name not in added] == names
    assert added <= set(corrections)
    assert len(names) > 50


@pytest.mark.parametrize("dialect", ["rfc1738", "early"])
def test_each_correction_has_its_comment(dialect: str) -> None:
    """In the file, a comment above each corrected production gives the reason."""
    text = (OURS / f"{dialect}.bnf").read_text(encoding="utf-8")
    for name in RFC1738 if dialect == "rfc1738" else EARLY:
        before = text[: re.search(rf"^{name} +=", text, re.MULTILINE).start()]  # type: ignore[union-attr]
        assert re.search(r";[^\n]*\n(?:\w[^\n]*\n)?\Z", before), name


SAME = [
    ("rfc1738", "otherurl", "schemepart", "*xchar | ip-schemepart"),
    (
        "rfc1738",
        "gopherurl",
        "gopherurl",
        '"gopher://" hostport [ "/" [ gtype [ selector [ "%09" search [ "%09" gopher+_string ] ] ] ] ]',
    ),
    ("early", "generic", "scheme", "ialpha"),
    ("early", "newsaddress", "groupart", '"*" | group | article'),
    ("early", "newsaddress", "group", 'ialpha [ "." group ]'),
    ("early", "waisaddress", "waisdoc", '"wais://" hostport "/" database "/" wtype "/" digits "/" path'),
    (
        "early",
        "prosperoaddress",
        "prosperolink",
        '"prospero://" hostport "/" hsoname [ "%00" version [ attributes ] ]',
    ),
]


@pytest.mark.parametrize(("dialect", "judging", "production", "printed_form"), SAME)
@given(st.data())
@settings(max_examples=75, deadline=None, suppress_health_check=list(HealthCheck))
def test_some_corrections_change_no_url(
    dialect: str, judging: str, production: str, printed_form: str, data: st.DataObject
) -> None:
    """Where a comment says "the same URLs", the printed form accepts exactly the URLs that our form accepts."""
    text = (OURS / f"{dialect}.bnf").read_text(encoding="utf-8")
    start = re.search(rf"^{production} +=", text, re.MULTILINE)
    assert start is not None
    behind = re.search(r"^(?=\S)", text[start.end() :], re.MULTILINE)
    assert behind is not None
    as_printed = Grammar(f"{text[: start.end()]} {printed_form}\n{text[start.end() + behind.start() :]}")
    url = data.draw(near_misses(judging, dialect))
    assert matches(as_printed, judging, url) == matches(Grammar(text), judging, url)
