"""The URL of a body that lies elsewhere, in the Content-Type of a part or of the message."""

from __future__ import annotations

import pytest

from growth import BOUND, growth
from test_provenance import of_its_octets
from urlglean import extract_message
from urlglean.errors import IrreversibleError
from urlglean.mail import read
from urlglean.mail.external_body import flaw_of, with_whole_url
from urlglean.mail.rewriting import rewritten

URL = "http://host.example/a/b"
NAMED = {
    "whole": 'URL="http://host.example/a/b"',
    "in words": 'URL="http://host.example/\n\t a/ b"',
    "words before the slashes": 'URL="http:\n //host.example/a/b"',
    "words between the slashes": 'URL="http:/\n /host.example/a/b"',
    "a blank before the slashes": 'URL="http: //host.example/a/b"',
    "a blank between the slashes": 'URL="http:/ /host.example/a/b"',
    "pieces between the slashes": 'URL*0="http:/"; URL*1="/host.example/a/b"',
    "pieces before the colon": 'URL*0="http"; URL*1="://host.example/a/b"',
    "words over lines": 'url = "http://host.example/a\n   /b";\n site="x y"',
    "in pieces": 'URL*0="http://host.example/";\n URL*1="a/b"',
    "in many pieces": 'URL*0="http://host.exa"; URL*1=mple\n ;URL*2="/a" ; url*3="/b"; site=x',
    "in pieces apart": 'URL*0="http://host.example/"; site=x; URL*1="a/b"; mode=y',
    "in pieces beside quoted values": 'name="a\\";"; URL*0="http://host.example/"; size="9"; URL*1="a/b"; x="y"',
    "in pieces in another order": 'URL*1=a/;site=x;URL*2=b;URL*0="http://host.example/"',
    "without a semicolon": 'x=y\n URL="http://host.example/a/ b"',
    "in no quotes": "URL=http://host.example/a/b",
}


def message(parameters: str, *, attached: bool, end: str = "\n") -> bytes:
    """A message that is an external body, or has one as its part."""
    field = f"Content-Type: Message/External-Body; access-type=URL;\n {parameters}\n\nContent-Type: text/html\n\n"
    front = "From: a@b.example\n"
    whole = f"{front}Content-Type: multipart/mixed; boundary=x\n\n--x\n{field}\n--x--\n" if attached else front + field
    return whole.replace("\n", end).encode()


@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
@pytest.mark.parametrize("attached", [False, True])
@pytest.mark.parametrize("form", NAMED)
def test_the_url_of_an_external_body_is_whole(form: str, attached: bool, end: str) -> None:  # noqa: FBT001
    """White space in it is none of it (RFC 2017 3.1), and it may be in pieces (RFC 2231 3)."""
    octets = message(NAMED[form], attached=attached, end=end)
    (found,) = extract_message(octets)
    assert (found.finding.url, found.part.field) == (URL, "Content-Type")
    assert of_its_octets(octets, found.part)
    assert read(octets).troubles == ()


@pytest.mark.parametrize("attached", [False, True])
@pytest.mark.parametrize("name", ["URL*", "url*0*", "URL*12*"])
def test_the_extended_form_is_a_trouble(name: str, attached: bool) -> None:  # noqa: FBT001
    """Its signs are encoded (RFC 2231 4)."""
    (trouble,) = read(message(f"{name}=us-ascii''http%3A%2F%2Fhost.example", attached=attached)).troubles
    assert "extended form" in trouble


@pytest.mark.parametrize(
    "value",
    [
        'text/plain; url="http://a.example/ b"',
        'message/external-bodyguard; url="http://a.example/ b"',
        'message/external-body; name="http://a.example/ b"',
        'message/external-body; curl="http://a.example/ b"',
        'message/external-body; name=x;y="; curl*1=z"',
        'message/external-body; name="x; url*0=http://a.example/"',
        "text/plain; url*=us-ascii''http%3A",
    ],
)
def test_all_other_fields_stay(value: str) -> None:
    """Other types and other parameters are read as they are."""
    assert with_whole_url(value) == value
    assert flaw_of(value) is None


def test_a_piece_behind_a_missing_one_is_none() -> None:
    """RFC 2231 3: they are numbered one by one."""
    value = 'message/external-body; URL*0="http://h.example/"; URL*2="a"; URL*1="b"; URL*4=d'
    assert with_whole_url(value).count('http://h.example/ba"') == 1


def test_a_url_that_was_put_together_is_not_edited() -> None:
    """The words and pieces would have to be made again."""
    octets = message(NAMED["in words"], attached=True)
    (part,) = (part for part in read(octets).parts if part.field)
    with pytest.raises(IrreversibleError, match="words or pieces"):
        rewritten(octets, part, part.text.replace("/a/b", "/c"))


@pytest.mark.parametrize("at", range(1, len(URL)))
def test_a_uri_may_be_folded_anywhere(at: int) -> None:
    """Behind the colon and between the slashes too, in the header of a message (RFC 2557 4.4)."""
    octets = f"From: a@b.example\nContent-Location: {URL[:at]}\n {URL[at:]}\n\n".encode()
    assert [part.text for part in read(octets).parts] == [URL]


@pytest.mark.parametrize("attached", [False, True])
def test_a_uri_that_was_folded_is_not_edited(attached: bool) -> None:  # noqa: FBT001
    """The folds would have to be made again. A `Content-Location` that is in one line is edited."""
    for fold, reads in (("\n ", False), ("", True)):
        front = "Content-Type: multipart/mixed; boundary=x\n\n--x\n" if attached else ""
        octets = f"From: a@b.example\n{front}Content-Location: http://h.example/{fold}a\n\n".encode()
        (part,) = (part for part in read(octets).parts if part.field)
        assert part.text == "http://h.example/a"
        assert of_its_octets(octets, part)
        if reads:
            assert rewritten(octets, part, "http://h.example/b") == octets.replace(b"/a", b"/b")
        else:
            with pytest.raises(IrreversibleError, match="words or pieces"):
                rewritten(octets, part, "http://h.example/b")


@pytest.mark.parametrize("unit", ['url="', ' url="x" ', "; url*1=", '" ', ";url ", ' "; ', ";"])
def test_hostile_repetition_takes_no_quadratic_time(unit: str) -> None:
    """Blanks, quotes and names of parameters may repeat."""
    for prefix in ("", 'url="', "; url*1", "x"):
        made = lambda length, prefix=prefix: f"message/external-body;{prefix}{unit * (length // len(unit))}"  # noqa: E731
        assert growth(lambda value: (with_whole_url(value), flaw_of(value)), made, 30_000) < BOUND
