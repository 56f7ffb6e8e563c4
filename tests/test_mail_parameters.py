"""Parameters of header fields in pieces."""

from __future__ import annotations

from email import message_from_bytes
from email.message import Message

import pytest
from hypothesis import given
from hypothesis import strategies as st

from growth import BOUND, growth
from test_provenance import of_its_octets
from urlglean import extract_message
from urlglean.errors import IrreversibleError
from urlglean.mail import read
from urlglean.mail.parameters import with_whole_parameters
from urlglean.mail.rewriting import rewritten

URL = "https://host.example/a/very/long/name.c#L45"
PIECES = {
    "two": f'filename*0="{URL[:30]}"; filename*1="{URL[30:]}"',
    "two lines": f'filename*0="{URL[:30]}";\n filename*1="{URL[30:]}"',
    "no quotes": f'filename*0="{URL[:30]}"; filename*1={URL[30:]}',
    "another order": f'FILENAME*1="{URL[30:]}";\n\tfilename*0="{URL[:30]}"',
    "cut in the scheme": f'filename*0="{URL[:3]}"; filename*1="{URL[3:]}"',
    "cut behind the colon": f'filename*0="{URL[:6]}"; filename*1="{URL[6:7]}";filename*2="{URL[7:]}"',
    "another in pieces": f'name*0="a b"; filename*0="{URL[:30]}"; name*1="c"; filename*1="{URL[30:]}"',
}


@pytest.mark.parametrize("end", ["\n", "\r\n"])
@pytest.mark.parametrize("field", ["Content-Disposition: attachment", "Content-Type: text/plain"])
@pytest.mark.parametrize("form", PIECES)
def test_a_url_in_pieces_is_whole(form: str, field: str, end: str) -> None:
    """Mail programs name an attached page by its URL, and divide long names (RFC 2231 3)."""
    octets = f"From: a@b.example\nMIME-Version: 1.0\n{field};\n {PIECES[form]}\n\nx\n".replace("\n", end).encode()
    (found,) = extract_message(octets)
    assert (found.finding.url, found.part.field) == (URL, field.partition(":")[0])
    assert found.finding.certainty == "stated"
    assert of_its_octets(octets, found.part)
    with pytest.raises(IrreversibleError, match="pieces"):
        rewritten(octets, found.part, found.part.text.replace("/a/", "/b/"))


def test_pieces_in_other_fields_stay() -> None:
    """Only fields of MIME have parameters (RFC 2045 5.1, RFC 2183 2)."""
    octets = b'From: a@b.example\nX-A: b; c*0="http://a.example/b"; c*1="d"\n\nx\n'
    assert [found.finding.url for found in extract_message(octets)] == ["http://a.example/b"]
    assert [part.decoding.field for part in read(octets).parts if part.decoding and part.field] == ["plain"]


@pytest.mark.parametrize(
    "value",
    [
        'attachment; filename="a; b*0=c; d"',
        "attachment; filename*0*=us-ascii'en'http%3A; filename*1*=b",
        'attachment; filename*1="http://a.example/"',
        'attachment; filename="a"; x=y',
        "attachment",
    ],
)
def test_all_else_stays(value: str) -> None:
    """What stands in quotation marks is no piece, and what has no first piece or is encoded stays."""
    assert with_whole_parameters(value) == value


@given(
    st.lists(st.text(alphabet="ab/:.;=*", min_size=1), min_size=1, max_size=5).flatmap(
        lambda pieces: st.tuples(st.just(pieces), st.permutations(range(len(pieces))))
    )
)
def test_the_library_of_python_reads_the_same_name(drawn: tuple[list[str], list[int]]) -> None:
    """Its reading of RFC 2231 is independent of this one."""
    pieces, order = drawn
    value = "attachment; " + "; ".join(f'filename*{number}="{pieces[number]}"' for number in order)
    divided, whole = (_message(each) for each in (value, with_whole_parameters(value)))
    assert whole.get_filename() == divided.get_filename() == "".join(pieces)


def test_what_is_escaped_ends_no_piece() -> None:
    """RFC 822 3.3: a quotation mark behind a backslash is of the string."""
    value = r'attachment; filename*0="a\"; b*0=c"; filename*1="\\"; x=y'
    assert with_whole_parameters(value) == r'attachment; filename="a\"; b*0=c\\"; ; x=y'


def _message(disposition: str) -> Message:
    return message_from_bytes(f"Content-Disposition: {disposition}\n\n".encode())


@pytest.mark.parametrize("unit", ['a*0="', ' a*1="x" ', "; a*1=", '" ', ";a ", '\\" ', ";", "a*0=b;", '"\\'])
def test_hostile_repetition_takes_no_quadratic_time(unit: str) -> None:
    """Quotes, escapes and names of parameters may repeat."""
    for prefix in ("", 'a="', "; a*0=x; a*1", "x"):
        made = lambda length, prefix=prefix: f"attachment;{prefix}{unit * (length // len(unit))}"  # noqa: E731
        assert growth(with_whole_parameters, made, 30_000) < BOUND
