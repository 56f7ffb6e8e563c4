"""The parts of a valid URL: put together they give the URL, and decoded they are what a client sends."""

from __future__ import annotations

import re

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from urlglean.errors import PartsError
from urlglean.grammar.dialect_tables import GRAMMARS
from urlglean.records import Dialect
from urlglean.testing import members, urls
from urlglean.text.judge import judge_of, unsplit, validate
from urlglean.url_parts import Parts

ROWS = [(row.name, name) for name, table in GRAMMARS.items() for row in table.schemes]
SETTINGS = settings(max_examples=12, deadline=None, suppress_health_check=list(HealthCheck))


def parts(url: str, dialect: Dialect = "rfc1738") -> Parts:
    """The parts of a valid URL."""
    found = validate(url, dialect).parts
    assert found is not None
    return found


def present(url: str, dialect: Dialect = "rfc1738") -> dict[str, str]:
    """The parts of a valid URL that are not absent, by name, without its scheme."""
    found = parts(url, dialect)
    return {
        name: part
        for name in found.__struct_fields__
        if name != "scheme" and (part := getattr(found, name)) is not None
    }


@pytest.mark.parametrize(("scheme", "dialect"), ROWS)
@given(st.data())
@SETTINGS
def test_members_are_valid_and_their_parts_give_them_back(scheme: str, dialect: Dialect, data: st.DataObject) -> None:
    """Every URL that a scheme's production makes is valid, and its parts put together give the URL."""
    url = data.draw(urls(scheme, dialect))
    verdict = validate(url, dialect)
    assert (verdict.valid, verdict.scheme, verdict.problems) == (True, scheme, ())
    assert judge_of(dialect).valid(url)
    assert verdict.parts is not None
    assert unsplit(verdict.parts, dialect) == re.sub(";type=(?=[AIDaid]$)", ";type=", url, flags=re.IGNORECASE)


@pytest.mark.parametrize("dialect", sorted(GRAMMARS))
@given(st.data())
@SETTINGS
def test_other_schemes_give_their_urls_back_too(dialect: Dialect, data: st.DataObject) -> None:
    """A scheme without a row is judged by the generic syntax, with a fragment too."""
    table = GRAMMARS[dialect]
    behind = data.draw(members(table.other.production, dialect)).partition(":")[2]
    url = f"x-other:{behind}#{data.draw(members(table.fragment, dialect))}"
    verdict = validate(url, dialect)
    if verdict.parts is not None:
        assert unsplit(verdict.parts, dialect) == url
    else:
        assert {problem.code for problem in verdict.problems} == {"doubled-scheme"}


@pytest.mark.parametrize(
    ("url", "expected"),
    [
        # RFC 1738 3.1: an empty user or password differs from an absent one
        ("ftp://@host.com/", {"user": "", "host": "host.com", "path": ""}),
        ("ftp://host.com/", {"host": "host.com", "path": ""}),
        ("ftp://host.com", {"host": "host.com"}),
        ("ftp://foo:@host.com/", {"user": "foo", "password": "", "host": "host.com", "path": ""}),
        ("ftp://u:p@h:21/a/b;type=i", {"user": "u", "password": "p", "host": "h", "port": "21", "path": "a/b",
                                       "ftp_type": "i"}),
        ("http://h:80/a;b?c=d", {"host": "h", "port": "80", "path": "a;b", "search": "c=d"}),
        ("http://h/?", {"host": "h", "path": "", "search": ""}),
        ("gopher://h", {"host": "h"}),
        ("gopher://h/", {"host": "h", "path": ""}),
        ("gopher://h/1", {"host": "h", "gopher_type": "1", "selector": ""}),
        ("gopher://h/7/x%09word%09+", {"host": "h", "gopher_type": "7", "selector": "/x", "search": "word",
                                       "gopher_string": "+"}),
        ("gopher://h/00%09%09!+ABSTRACT", {"host": "h", "gopher_type": "0", "selector": "0", "search": "",
                                           "gopher_string": "!+ABSTRACT"}),
        ("mailto:a%25b@c.d", {"address": "a%25b@c.d"}),
        ("news:comp.infosystems.www.misc", {"newsgroup": "comp.infosystems.www.misc"}),
        ("news:a/b@c.d", {"message_id": "a/b@c.d"}),
        ("news:*", {"newsgroup": "*"}),
        ("nntp://h/a.b/12", {"host": "h", "newsgroup": "a.b", "article_number": "12"}),
        ("telnet://u@h", {"user": "u", "host": "h"}),
        ("telnet://u@h/", {"user": "u", "host": "h", "path": ""}),
        ("wais://h/db", {"host": "h", "database": "db"}),
        ("wais://h/db?q", {"host": "h", "database": "db", "search": "q"}),
        ("wais://h/db/TEXT/id", {"host": "h", "database": "db", "wais_type": "TEXT", "wais_path": "id"}),
        ("file:///a", {"host": "", "path": "a"}),
        ("file://localhost/a", {"host": "localhost", "path": "a"}),
        ("prospero://h.d//pros/name", {"host": "h.d", "path": "/pros/name"}),
        ("prospero://h/n;V=1;W=", {"host": "h", "path": "n", "fields": ";V=1;W="}),
        ("x-new:a/b", {"path": "a/b"}),
        ("x-new://u@h/a", {"user": "u", "host": "h", "path": "a"}),
        ("http://h/#f", {"host": "h", "path": "", "fragment": "f"}),
        ("http://h/#", {"host": "h", "path": "", "fragment": ""}),
    ],
)  # fmt: skip
def test_parts_of_each_scheme(url: str, expected: dict[str, str]) -> None:
    """The parts are those of sections 3.1 to 3.11; absent and empty parts differ."""
    assert present(url) == expected
    assert unsplit(parts(url), "rfc1738") == url


@pytest.mark.parametrize(
    ("url", "expected"),
    [
        ("http://h:/a", {"host": "h", "port": "", "path": "a"}),
        ("http://u:p:q@[::1]:8/a?b", {"user": "u", "password": "p:q", "host": "[::1]", "port": "8", "path": "a",
                                      "search": "b"}),
        ("mailto:?subject=x", {"search": "subject=x"}),
        ("mailto:a@b,c@d?subject=x", {"address": "a@b,c@d", "search": "subject=x"}),
        ("news://h/", {"host": "h", "newsgroup": ""}),
        ("mid:a@b/c@d", {"message_id": "a@b", "content_id": "c@d"}),
        ("cid:c@d", {"content_id": "c@d"}),
        ("file:/a", {"path": "/a"}),
        ("urn:a1:b/c", {"path": "a1:b/c"}),
        ("sip:u:p@h:5060;lr", {"user": "u", "password": "p", "host": "h", "port": "5060", "fields": ";lr"}),
        ("ftp://h/a;type=D", {"host": "h", "path": "a", "ftp_type": "D"}),
        ("ftp://h/a;type=ii", {"host": "h", "path": "a;type=ii"}),
        ("ldap:///o=x??sub", {"host": "", "path": "o=x", "search": "?sub"}),
        ("ftp://h/a;type=x", {"host": "h", "path": "a;type=x"}),
    ],
)  # fmt: skip
def test_parts_that_only_the_current_documents_have(url: str, expected: dict[str, str]) -> None:
    """RFC 1738 did not have these forms; the document in the scheme's row has them."""
    assert present(url, "current") == expected
    assert unsplit(parts(url, "current")) == url


@pytest.mark.parametrize("dialect", ["current", "rfc1738"])
@pytest.mark.parametrize("sign", [";type=", ";TYPE=", ";Type="])
def test_a_typecode_has_letters_of_any_case(sign: str, dialect: Dialect) -> None:
    """The strings of the notation that RFC 1738 5 takes over are such (RFC 822 3.4.7)."""
    assert present(f"ftp://h/a{sign}i", dialect) == {"host": "h", "path": "a", "ftp_type": "i"}


@pytest.mark.parametrize(
    ("url", "expected"),
    [
        ("gopher://h/7sel?a+b", {"host": "h", "gopher_type": "7", "selector": "sel", "search": "a+b"}),
        ("wais://h/db/t/12/a/b", {"host": "h", "database": "db", "wais_type": "t", "wais_path": "12/a/b"}),
        ("prospero://h/a/b%001x", {"host": "h", "path": "a/b", "fields": "%001x"}),
        ("news:a.b@c", {"message_id": "a.b@c"}),
        ("ftp://u:p@h/", {"user": "u", "password": "p", "host": "h", "path": ""}),
    ],
)
def test_parts_of_the_bnf_before_rfc_1738(url: str, expected: dict[str, str]) -> None:
    """These forms of that document differ from those of RFC 1738."""
    assert present(url, "early") == expected
    assert unsplit(parts(url, "early"), "early") == url


@pytest.mark.parametrize(
    ("path", "commands"),
    [
        ("/%2Fetc/motd", [("CWD", "/etc"), ("RETR", "motd")]),
        ("/etc/motd", [("CWD", "etc"), ("RETR", "motd")]),
        ("//etc/motd", [("CWD", ""), ("CWD", "etc"), ("RETR", "motd")]),
        ("/a/b;type=D", [("CWD", "a"), ("NLST", "b")]),
        ("/a;type=i", [("TYPE", "i"), ("RETR", "a")]),
        ("/a%FF", [("RETR", b"a\xff")]),
        ("", []),
    ],
)
def test_ftp_paths_are_the_commands_of_3_2_2(path: str, commands: list[tuple[str, str | bytes]]) -> None:
    """The cases are the three examples of section 3.2.2, its typecodes, octets that are no text, and no path."""
    assert list(parts(f"ftp://myname@host.dom{path}").ftp_commands()) == commands


@pytest.mark.parametrize(
    ("url", "sent"),
    [
        ("gopher://h", ("1", b"")),
        ("gopher://h/", ("1", b"")),
        ("gopher://h/00/a%20b", ("0", b"0/a b")),
        ("gopher://h/7/s%09a%2Fb", ("7", b"/s\ta/b")),
        ("gopher://h/0x%09%09+", ("0", b"x\t\t+")),
    ],
)
def test_gopher_requests_are_those_of_3_4(url: str, sent: tuple[str, bytes]) -> None:
    """The gophertype defaults to "1". Tabs precede the search, which may be empty, and the gopher+ string."""
    assert parts(url).gopher_request() == sent


@pytest.mark.parametrize(
    ("url", "dialect", "asked", "told"),
    [
        ("http://h/a/b", "current", "ftp_commands", "ftp or ftps .*http"),
        ("sftp://h/a/b", "current", "ftp_commands", "ftp or ftps .*sftp"),  # SSH has other commands
        ("mailto:a@b.example", "current", "gopher_request", "gopher .*mailto"),
        ("ftp://h/a", "rfc1738", "gopher_request", "gopher .*ftp"),
        ("gopher://h/11/x", "current", "ftp_commands", "ftp or ftps .*gopher"),
        ("ftps://h/a", "early", "ftp_commands", "no grammar of ftps"),
        ("gopher://h/11/x", "web", "gopher_request", "no grammar of gopher"),
    ],
)
def test_no_request_is_made_of_other_parts(url: str, dialect: Dialect, asked: str, told: str) -> None:
    """Neither of another scheme, nor of a path that the dialect did not divide; the error names the scheme."""
    with pytest.raises(PartsError, match=told):
        getattr(parts(url, dialect), asked)()


def test_ftp_in_tls_has_the_same_commands() -> None:
    """RFC 4217 changes the connection only."""
    assert parts("ftps://h/a;type=i", "current").ftp_commands() == parts("ftp://h/a;type=i").ftp_commands()


@pytest.mark.parametrize("name", ["color", "decoded", "__class__"])
def test_only_parts_can_be_decoded(name: str) -> None:
    """The error names those that there are."""
    with pytest.raises(AttributeError, match=f"no part '{name}'.*scheme, user"):
        parts("http://h/").decoded(name)


def test_parts_are_decoded_only_if_that_is_safe() -> None:
    """Text is a str, other octets are bytes.

    Absent parts, and parts with an encoded delimiter of their own, are None.
    """
    found = parts("ftp://a%40b:%C3%A9@h/x%20y/z")
    assert found.decoded("user") == "a@b"
    assert found.decoded("password") == "é"
    assert found.decoded("path") == "x y/z"
    assert found.decoded("port") is None
    assert parts("ftp://h/%2fetc").decoded("path") is None
    assert parts("http://h/?a=%26").decoded("search") is None
    assert parts("gopher://h/0%FF").decoded("selector") == b"\xff"
    with pytest.raises(AttributeError):
        found.decoded("nothing")
