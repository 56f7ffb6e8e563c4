"""RFC 1738 sentence by sentence: the judge of its dialect agrees with what the text says of URLs."""

from __future__ import annotations

import pytest

from urlglean.text.judge import judge_of, validate

IN_THE_TEXT = [
    "ftp://@host.com/",  # 3.1
    "ftp://host.com/",
    "ftp://foo:@host.com/",
    "ftp://myname@host.dom/%2Fetc/motd",  # 3.2.2
    "ftp://myname@host.dom/etc/motd",
    "ftp://myname@host.dom//etc/motd",
    "news:*",  # 3.6
    "file://vms.host.edu/disk$user/my/notes/note12345.txt",  # 3.10
    "prospero://host.dom//pros/name",  # 3.11
    "ftp://info.cern.ch/pub/www/doc;type=d",  # the appendix, without its line breaks
    "ftp://ds.internic.net/rfc",
    "http://ds.internic.net/instructions/overview.html#WARNING",
    "ftp://ds.internic.net/rfc/rfc1436.txt;type=a",  # the references
    "ftp://boombox.micro.umn.edu/pub/gopher/gopher_protocol/Gopher+/Gopher+.txt",
    "ftp://ds.internic.net/rfc/rfc1630.txt",
    "ftp://info.cern.ch/pub/www/doc/http-spec.txt.Z",
    "ftp://ds.internic.net/rfc/rfc1123.txt",
    "ftp://ds.internic.net/rfc/rfc822.txt",
    "ftp://quake.think.com/pub/wais/doc/protspec.txt",
    "ftp://ds.internic.net/rfc/rfc1036.txt",
    "ftp://quake.think.com/pub/wais/doc/doc-ids.txt",
    "ftp://ds.internic.net/rfc/rfc977.txt",
    "ftp://ds.internic.net/internet-drafts/draft-ietf-uri-irl-fun-req-02.txt",
    "ftp://ds.internic.net/rfc/rfc1034.txt",
    "ftp://prospero.isi.edu/pub/prospero/doc/prospero-protocol.PS.Z",
    "ftp://ds.internic.net/rfc/rfc959.txt",
    "ftp://ds.internic.net/rfc/rfc1737.txt",
    "ftp://ds.internic.net/rfc/rfc1625.txt",
    "ftp://uu.psi.com/wp/nir.txt",
]

ALLOWED = [
    # section, sentence, a URL that follows it
    ("2.1", "treat upper case letters as equivalent to lower case in scheme names", "HTTP://host/"),
    ("2.1", "letters, digits, and the characters plus, period, and hyphen are allowed", "z39.50+x-1:a"),
    ("2.2", "the characters abcdef may also be used in hexadecimal encodings", "http://host/%e9%E9"),
    ("2.2", "alphanumerics and the special characters may be used unencoded", "http://host/aZ09$-_.+!*'(),"),
    ("2.2", "characters that are not required to be encoded may be encoded", "http://host/%61"),
    ("3.1", "the port may be supplied, in decimal, separated by a colon", "telnet://host:2323/"),
    ("3.1", "an IP address as four decimal digit groups", "http://128.141.201.214/"),
    ("3.2.2", "the cwd and name parts may be empty", "ftp://host///;type=a"),
    ("3.2.2", "the whole url-path may be omitted, including the slash", "ftp://host"),
    ("3.3", "if neither path nor searchpart is present, the slash may also be omitted", "http://host"),
    ("3.4.1", "the gopher-path may be empty, then the slash is optional", "gopher://host"),
    ("3.4.1", "within the gopher-path, no characters are reserved", "gopher://host/0;/?:@=&"),
    ("3.4.3", "the search element may be the empty string", "gopher://host/1a%09%09+"),
    ("3.4.7", "attribute names separated by coded spaces", "gopher://host/1a%09%09!+ABSTRACT%20+SMELL"),
    ("3.4.9", "an ASK block filled out", "gopher://host/1a%09%09+%091%0D%0A+-1%0D%0Aone%0D%0A.%0D%0A"),
    ("3.5", "within mailto URLs, there are no reserved characters", "mailto:a/b?c=d&e@host"),
    ("3.5", "the percent sign must be encoded", "mailto:user%25bitnet@host"),
    ("3.6", "a message-id takes the form unique@full_domain_name", "news:12/a;b@host.dom"),
    ("3.7", "the newsgroup and the article number", "nntp://host:1199/a.b/17"),
    ("3.8", "the final slash may be omitted, and password and user", "telnet://host"),
    ("3.9", "the three forms", "wais://host/db"),
    ("3.9", "the three forms", "wais://host:210/db?search"),
    ("3.9", "the three forms", "wais://host/db/type/path"),
    ("3.10", "host can be the string localhost or the empty string", "file://localhost/a"),
    ("3.10", "host can be the string localhost or the empty string", "file:///a"),
    ("3.11", "a slash may appear in the hsoname without quoting", "prospero://host:1525/a/b"),
    ("3.11", "field/value pairs are separated by a semicolon", "prospero://host/a;OBJECT-VERSION=2;b=c"),
    ("4", "names starting with x- are reserved for experimental purposes", "x-test:anything"),
    ("4", "their names are reserved", "mailserver:ls@host"),
]

REFUSED = [
    # section, sentence, a URL that breaks it, the code of the problem and its place
    ("2.1", "a URL contains the name of the scheme followed by a colon", "//host/a", "no-scheme", 0),
    ("2.2", "control characters must be encoded", "http://host/\x00", "control-character", 12),
    ("2.2", "control characters must be encoded", "http://host/\x1f", "space", 12),
    ("2.2", "control characters must be encoded", "http://host/\x7f", "control-character", 12),
    ("2.2", "octets 80-FF must be encoded", "http://host/\xe9", "not-ascii", 12),
    ("2.2", "the space character is unsafe", "http://host/a b", "space", 13),
    ("2.2", "the characters < and > are unsafe", "http://host/<", "unsafe-character", 12),
    ("2.2", "the characters < and > are unsafe", "http://host/>", "unsafe-character", 12),
    ("2.2", "the quote mark is unsafe", 'http://host/"', "unsafe-character", 12),
    ("2.2", "the character # is unsafe and should always be encoded", "http://host/#a#b", "unsafe-character", 14),
    ("2.2", "the character % is unsafe: used for encodings", "http://host/100%", "bad-escape", 15),
    ("2.2", "two hexadecimal digits", "http://host/%g0", "bad-escape", 12),
    *[("2.2", "gateways modify such characters", f"http://host/a{char}b", "national-character", 13)
      for char in "{}|\\^~[]`"],
    ("3.1", "a colon must be encoded within the password", "ftp://a:b:c@host/", "unexpected-character", 9),
    ("3.1", "an at-sign must be encoded within the user", "ftp://a@b@host/", "unexpected-character", 9),
    ("3.1", "a label starts and ends with an alphanumerical character", "http://-host/", "unexpected-character", 7),
    ("3.1", "a label starts and ends with an alphanumerical character", "http://host-/", "unexpected-character", 12),
    ("3.1", "a label has letters, digits and hyphens", "http://my_host/", "underscore-in-host", 9),
    ("3.1", "the rightmost domain label will never start with a digit", "http://host.4a/", "unexpected-character", 14),
    ("3.1", "an IP address has four groups", "http://1.2.3/", "unexpected-character", 12),
    ("3.1", "if the port is omitted, the colon is as well", "http://host:/", "unexpected-character", 12),
    ("3.1", "the port is decimal", "http://host:8o/", "unexpected-character", 13),
    ("3.1", "the data start with a double slash", "http:/host/", "one-slash", 0),
    ("3.1", "the data start with a double slash", "ftp:host", "no-slashes", 0),
    ("3.2.2", "within a name, ; must be encoded", "ftp://host/a;b", "unexpected-character", 13),
    ("3.2.2", "typecode is one of a, i, or d", "ftp://host/a;type=x", "unexpected-character", 18),
    ("3.3", "no user name or password is allowed", "http://user@host/", "user-not-allowed", 0),
    ("3.3", "no user name or password is allowed", "http://user:password@host/", "user-not-allowed", 0),
    ("3.3", "? is reserved within the search", "http://host/a?b?c", "unexpected-character", 15),
    ("3.3", "/ is reserved within the search", "http://host/a?b/c", "unexpected-character", 15),
    ("3.4.1", "a selector holds no LF", "gopher://host/1a%0Ab", "line-end-in-selector", 15),
    ("3.4.1", "a selector holds no CR", "gopher://host/1a%0db%09c", "line-end-in-selector", 15),
    ("3.5", "an addr-spec, as specified in RFC 822", "mailto:postmaster", "no-addr-spec", 7),
    ("3.5", "an addr-spec, as specified in RFC 822", "mailto:a@b@c", "no-addr-spec", 7),
    ("3.5", "the percent sign must be encoded", "mailto:user%bitnet@host", "bad-escape", 11),
    ("3.6", "a newsgroup-name is a period-delimited name", "news:a/b", "incomplete", 8),
    ("3.6", "a message-id ends in a full domain name", "news:a@", "incomplete", 7),
    ("3.7", "the article-number is numeric", "nntp://host/a.b/1x", "unexpected-character", 17),
    ("3.8", "nothing follows the final slash", "telnet://host/a", "unexpected-character", 14),
    ("3.9", "a document has a type and a path", "wais://host/db/type", "incomplete", 19),
    ("3.10", "a file has a path", "file://host", "incomplete", 11),
    ("3.11", "no username or password is allowed", "prospero://user@host/a", "user-not-allowed", 0),
    ("3.11", "the semicolon may not appear without quoting in the hsoname", "prospero://host/a;b", "incomplete", 19),
    ("3.11", "a field's name and its value are separated by an equal sign", "prospero://host/a;b;c=d",
     "unexpected-character", 19),
]  # fmt: skip


@pytest.mark.parametrize("url", IN_THE_TEXT)
def test_each_url_in_the_text_is_valid(url: str) -> None:
    """The text of RFC 1738 gives them as URLs."""
    assert validate(url, "rfc1738").problems == ()
    assert judge_of("rfc1738").valid(url)


@pytest.mark.parametrize(("section", "sentence", "url"), ALLOWED)
def test_urls_that_a_sentence_allows_are_valid(section: str, sentence: str, url: str) -> None:
    """The URLs follow each "may" of sections 2 and 3, and the names of section 4."""
    assert validate(url, "rfc1738").problems == ()


@pytest.mark.parametrize(("section", "sentence", "url", "code", "start"), REFUSED)
def test_urls_that_a_sentence_forbids_have_a_problem(
    section: str, sentence: str, url: str, code: str, start: int
) -> None:
    """Each "must be encoded" and "not allowed" of sections 2 and 3 gives a problem with its code and place."""
    verdict = validate(url, "rfc1738")
    assert not verdict.valid
    assert verdict.parts is None
    assert [(problem.code, problem.span_in_url.start) for problem in verdict.problems] == [(code, start)]
    assert not judge_of("rfc1738").valid(url)


def test_a_slash_in_a_user_ends_the_host() -> None:
    """3.1: a "/" in the user or password must be encoded; otherwise it begins the url-path."""
    parts = validate("ftp://a/b:c@host", "rfc1738").parts
    assert parts is not None
    assert (parts.user, parts.host, parts.path) == (None, "a", "b:c@host")


def test_an_at_sign_makes_a_news_url_an_article() -> None:
    """3.6: the "@" distinguishes a message identifier from a newsgroup name."""
    for url, found in [("news:a.b", ("a.b", None)), ("news:a.b@c", (None, "a.b@c"))]:
        parts = validate(url, "rfc1738").parts
        assert parts is not None
        assert (parts.newsgroup, parts.message_id) == found
