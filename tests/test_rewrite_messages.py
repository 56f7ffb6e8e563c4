"""One message or text written anew: what is changed in it, and what is left alone for which reason."""

from __future__ import annotations

import base64
import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from growth import BOUND, growth
from rewriting import reasons, rewrite_octets
from urlglean.archive import rewrite as rewriting_of_one
from urlglean.archive.cuts import before, without
from urlglean.archive.left_alone import Reason
from urlglean.archive.rewrite import RewriteOptions, Rewriting
from urlglean.bounds import DEFAULT
from urlglean.mail.octet_patch import OctetPatch
from urlglean.pipeline.glean import glean
from urlglean.pipeline.limits import Limits
from urlglean.pipeline.options import Options
from urlglean.records import Document

HEAD = "From: a@example.org\nDate: Mon, 6 Mar 1995 10:11:00 +0100\n"
URL = "<URL:http://www.example.org/a/\nb.html>"
WHOLE = "<URL:http://www.example.org/a/b.html>"
SENT = "x@y.example Mon Mar  6 10:11:00 1995"


def mail(body: str, fields: str = "") -> bytes:
    """A message."""
    return f"{HEAD}{fields}\n{body}".encode()


@pytest.mark.parametrize(
    ("before", "after"),
    [
        (f"at {URL}, it says\nmore\n", f"at {WHOLE}, it says\nmore\n"),
        # The prefix of a line that is taken goes with its line end; what stands behind the URL stays on its line.
        (
            "> > at <http://www.example.org/\n> > a/\n> > b.html> there\n> and\n",
            "> > at <http://www.example.org/a/b.html> there\n> and\n",
        ),
        # Blanks beside a line break belong to it.
        ("<http://www.example.org/a  \n  /b.html>\n", "<http://www.example.org/a/b.html>\n"),
        # A line that was flowed before is flowed after, and no other (RFC 3676).
        ("at <http://www.example.org/ \na.html> and \non\n", "at <http://www.example.org/a.html> and \non\n"),
        # A sign that is read as another stays what it is.
        ("<http://www.example.org/\u203eanna/\nx.html>\n", "<http://www.example.org/\u203eanna/x.html>\n"),
        # Two on one line, one over three.
        (
            f"{URL} {URL} and <ftp://ftp.example.org/\npub/\nx>\n",
            f"{WHOLE} {WHOLE} and <ftp://ftp.example.org/pub/x>\n",
        ),
        ("no line end <ftp://ftp.example.org/\npub/x>", "no line end <ftp://ftp.example.org/pub/x>"),
    ],
)
def test_a_broken_url_stands_whole_on_one_line(before: str, after: str) -> None:
    """All else stays."""
    octets, outcomes = rewrite_octets(mail(before), RewriteOptions(0.9, marked=False))
    assert octets == mail(after)
    assert not reasons(outcomes)


def test_a_url_in_a_header_field_loses_its_fold() -> None:
    """The other folds stay."""
    fields = "X-Archive: see <http://www.example.org/\n  lists/a.html>,\n\tthe archive\n"
    expected = "X-Archive: see <http://www.example.org/lists/a.html>,\n\tthe archive\nX-Urlglean: rejoined 1\n"
    assert rewrite_octets(mail("x\n", fields))[0] == mail("x\n", expected)


def test_each_of_several_equal_fields_loses_its_fold() -> None:
    """A field may stand twice, and one value may begin with another: each is at a place of its own."""
    names = ("a.html>", "a.html>", "a.html> <mailto:b@example.org>", "a.html>")
    fields = "".join(f"X-Archive: <http://www.example.org/\n lists/{name}\n" for name in names)
    new, _ = rewrite_octets(mail("x\n", fields), RewriteOptions(marked=False))
    assert new == mail("x\n", fields.replace("\n ", ""))


@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
def test_the_mark_ends_the_header_in_its_line_ends(end: str) -> None:
    """One line, as all others."""
    octets = mail(f"{URL}\n").replace(b"\n", end.encode())
    expected = mail(f"{WHOLE}\n", "X-Urlglean: rejoined 1\n").replace(b"\n", end.encode())
    assert rewrite_octets(octets)[0] == expected


@pytest.mark.parametrize(
    ("envelope", "end"),
    [
        *(("", end) for end in ("\n", "\r\n", "\r")),
        *((f"From {SENT}\n", end) for end in ("\n", "\r\n")),  # a mailbox has no lone CR
        *((f"From {SENT}\n>From {SENT}\n", end) for end in ("\n", "\r\n")),
    ],
)
def test_the_mark_does_not_cut_a_field_whose_rest_has_lost_its_blank(envelope: str, end: str) -> None:
    """To a reader who takes the line for the rest of the subject it is still that."""
    before = f"{envelope}{HEAD}Subject: a long\nsubject\n\n{URL}\n"
    after = f"{envelope}X-Urlglean: rejoined 1\n{HEAD}Subject: a long\nsubject\n\n{WHOLE}\n"
    new, _ = rewrite_octets(before.replace("\n", end).encode())
    assert new == after.replace("\n", end).encode()


def test_the_mark_does_not_cut_a_first_field_with_a_blank_before_its_colon() -> None:
    """`From : a@b` is no line of an envelope (RFC 5322 4.5); its rest follows."""
    before = f"From :\n a@b.example\nSubject: a long\nsubject\n\n{URL}\n"
    new, _ = rewrite_octets(before.encode())
    assert new == f"X-Urlglean: rejoined 1\n{before.replace(URL, WHOLE)}".encode()


@pytest.mark.parametrize(("more", "is_marked"), [(-3, True), (-2, False), (2, False)])
def test_a_header_without_room_is_not_marked(more: int, *, is_marked: bool) -> None:
    """One field more, and the next one would be read as text: the mark itself, or a field of the message."""
    before = HEAD + "X: y\n" * (DEFAULT.fields + more)
    mark = "X-Urlglean: rejoined 1\n" if is_marked else ""
    new, _ = rewrite_octets(f"{before}\n{URL}\n".encode())
    assert new == f"{before}{mark}\n{WHOLE}\n".encode()


def test_the_mark_of_an_earlier_run_becomes_the_sum() -> None:
    """There is never a second one; other fields that look like it stay."""
    octets = mail(f"{URL}\n", "X-Urlglean: rejoined 9\nX-Urlglean-Too: rejoined 1\n")
    expected = mail(f"{WHOLE}\n", "X-Urlglean: rejoined 10\nX-Urlglean-Too: rejoined 1\n")
    assert rewrite_octets(octets)[0] == expected


def test_a_header_without_a_body_is_marked_too() -> None:
    """Whether its last line ends or not."""
    field = f"{HEAD}X-Archive: <http://www.example.org/\n a.html>"
    expected = f"{HEAD}X-Archive: <http://www.example.org/a.html>\nX-Urlglean: rejoined 1"
    for end in ("", "\n"):
        assert rewrite_octets(f"{field}{end}".encode())[0] == f"{expected}{end}".encode()


def test_a_text_gets_no_mark() -> None:
    """It has no header."""
    assert rewrite_octets(f"Notes\n\n{URL}\n".encode())[0] == f"Notes\n\n{WHOLE}\n".encode()


ENCODED = "Content-Type: text/plain; charset=utf-8\nContent-Transfer-Encoding: {}\n"
ARMOUR = (
    f"-----BEGIN PGP SIGNED MESSAGE-----\n\n{URL}\n-----BEGIN PGP SIGNATURE-----\n\nabcd\n-----END PGP SIGNATURE-----\n"
)
SIGNED = (
    f"--b\nContent-Type: text/plain\n\n{URL}\n--b\nContent-Type: application/pgp-signature\n\nabcd\n--b--\n",
    "Content-Type: multipart/signed;\n micalg=pgp-sha1; boundary=b\n",
)
LISTED = f"--b\n{SIGNED[1]}\n{SIGNED[0]}\n--b--\n".replace("boundary=b", "boundary=c")
PAGE = (
    "<http://www.example.org/a/\n\nBerg                    Informational                  [Page 3]\n\f\n"
    "RFC 9999                     Notes                   June 1995\n\nb.html>\n"
)

ADDED = "<http://www.example.org/a/\n{0}    b.html>\n"
PATCHES = [
    "--- a/x\n+++ b/x\n@@ -1,2 +1,5 @@ def f():\n one\n\n-two\n+ " + ADDED.format("+") + "+",
    "@@ -1 +1,2 @@\n-a\n+" + ADDED.format("+") + "-- \n2.1\n",
    "@@ -1,3 +1,4 @@\n " + ADDED.format(" ") + "-a\n+b\n",
    "*** 1,3 ****\n--- 1,4 ----\n  a\n+   " + ADDED.format("+ ") + "  b\n",
    "*** 1,3 ****\n  a\n! " + ADDED.format("! ") + "--- 1 ----\n  a\n",
    "12a13,14\n> " + ADDED.format("> "),
    ("@@ -1 +1,2 @@\n-a\n+" + ADDED.format("+")).replace("\n", "\r\n"),
    "@@@ -1,2 -1,2 +1,5 @@@ f()\n  one\n- two\n++ " + ADDED.format("++") + "++",
    "## -0,0 +1,2 ##\n+" + ADDED.format("+"),
    "    @@ -1 +1,2 @@\n    -a\n    +" + ADDED.format("    +") + "\n",
    "\t@@ -1 +1,2 @@\n\t-a\n\t+" + ADDED.format("\t+") + "\n",
]


def test_what_stands_around_a_patch_is_made_whole() -> None:
    """What is said of it, and a quotation of it, which nobody applies."""
    quoted = re.sub("(?m)^", "> ", PATCHES[1])
    for text in (f"at {URL}\n{PATCHES[0]}end\n", f"{PATCHES[1]}at {URL}\n", quoted):
        octets, _ = rewrite_octets(mail(text), RewriteOptions(0.5, marked=False))
        assert octets.count(b"\n") == mail(text).count(b"\n") - 1


def test_of_the_urls_of_a_field_only_those_with_folds_are_made_whole() -> None:
    """The others may hold the blank of a file's name."""
    fields = "X-Page: <http://www.example.org/a b.html>,\n <http://www.example.org/\n c.html>\n"
    new, outcomes = rewrite_octets(mail("x\n", fields), RewriteOptions(marked=False))
    assert new == mail("x\n", fields.replace("/\n c", "/c"))
    assert reasons(outcomes) == [Reason.WITHIN_LINE]


def test_many_urls_of_a_field_take_no_quadratic_time() -> None:
    """Of each two, one has a fold; the others are looked at again when that is taken out."""
    two = " <http://a.example/x\n y> <http://a.example/x y>"

    def octets(size: int) -> bytes:
        return mail("x\n", f"X-A:{two * (size // len(two))}\n")

    # Without limits: the process of the tests may hold much memory already.
    options = RewriteOptions(limits=Limits(seconds=0, memory=0))
    assert growth(lambda message: rewrite_octets(message, options), octets, 8_000) < BOUND


def test_the_octets_of_a_line_are_those_of_its_charset() -> None:
    """A letter outside ASCII is one in ISO 8859-1, and two in UTF-8."""
    for charset, is_left in (("utf-8", True), ("iso-8859-1", False)):
        text = (
            mail("\u00e9" * 490 + f" {URL}\n", ENCODED.format("8bit").replace("utf-8", charset))
            .decode()
            .encode(charset)
        )
        assert (rewrite_octets(text)[0] == text) is is_left


def test_a_short_line_among_many_of_cr_is_none_of_the_long_ones() -> None:
    """A line of mail may end in CR alone."""
    octets = mail("a short line\n" * 90 + f"{URL}\n").replace(b"\n", b"\r")
    assert b"rejoined 1" in rewrite_octets(octets)[0]


@pytest.mark.parametrize(
    ("octets", "reason"),
    [
        (mail(ARMOUR), Reason.SIGNED),
        (f"Notes\n\n{ARMOUR}".replace("\n", "\r").encode(), Reason.SIGNED),
        (mail(*SIGNED), Reason.SIGNED),
        (mail(LISTED, 'Content-Type: multipart/mixed; boundary="b"\n'), Reason.SIGNED),
        *(
            (
                mail(f"--b\n\n{URL}\n--b\n{field}\n\nabcd\n--b--\n", 'Content-Type: multipart/mixed; boundary="b"\n'),
                Reason.SIGNED,
            )
            for field in (
                "Content-Type: application/pgp-signature",
                'Content-Type: a/b; name="my notes.txt.asc"',
                "Content-Disposition: attachment;\n filename=notes.sig",
                'Content-Type: application/octet-stream; name="signature.asc"',
                *(
                    f"Content-Type: a/b; name={name}"
                    for name in (
                        *("SHA256SUMS.asc", "sha512sum.asc", "SHA256SUMS.gpg", "Release.gpg", "SHA256SUMS.sign"),
                        *(
                            "OpenPGP_signature",
                            "signature(1).asc",
                            "signature.pgp",
                            "sig.asc",
                            "smime.p7s",
                            "a.minisig",
                        ),
                    )
                ),
                'Content-Type: a/b; name = "notes.sig"',
                "Content-Disposition: attachment; filename*=utf-8''notes.txt.asc; size=9",
            )
        ),
        (mail(f"{URL}\n", "X-PGP-Sig: 2.6.2 Subject\n\tabcd\n"), Reason.SIGNED),
        (mail(f"{URL}\n", "Content-MD5: Q2hlY2sgSW50ZWdyaXR5IQ==\n"), Reason.DIGEST),
        (mail(PAGE), Reason.PAGE_BREAK),
        # Blanks that are no line break may be those of a file's name.
        (mail("<http://www.example.org/My Files/a.html>\n"), Reason.WITHIN_LINE),
        (mail("<http://www.example.org/My\n Files/a b.html>\n"), Reason.WITHIN_LINE),
        # In a header field a blank may have been a fold; these were none.
        *(
            (mail("x\n", f"X-Page: <http://www.example.org/My{blank}Files/a.html>\n"), Reason.WITHIN_LINE)
            for blank in (" ", "\t", "\u00a0", "\u2003", "\n Old ", "\x0b")
        ),
        *((mail(patch), Reason.PATCH) for patch in PATCHES),
        *((f"x\n{patch}".replace("\r", "").replace("\n", "\r").encode(), Reason.PATCH) for patch in PATCHES),
        (mail("x" * 980 + f" {URL}\n"), Reason.LONG_LINE),
        (mail("\u00e9" * 490 + f" {URL}\n"), Reason.LONG_LINE),
        (mail("x" * 980 + f" {URL}\n").replace(b"\n", b"\r"), Reason.LONG_LINE),
        (mail("x" * 930 + " <http://www.example.org/\na> " + "x" * 50), Reason.LONG_LINE),
        # The sign of a tilde is read as a tilde where it stands in one line, and as itself over several.
        (mail("<http://www.example.org/\n\u02dcanna/\nx.html>\n"), Reason.OTHERWISE),
        (
            mail(f"<p>{URL.replace('<', '&lt;')}</p>", "Content-Type: text/html\n"),
            "the text is what a reader sees of HTML",
        ),
        (
            mail("x\n", f"X-Archive: =?utf-8?q?=C3=A9?= {URL}\n".replace("\n", "\n ", 1)),
            "the field holds encoded words",
        ),
        (mail(f"{URL}\nbegin 644 a\n#0V%T\n`\nend\n"), "files inside the text were left out of it"),
        (
            mail(base64.b64encode(f"{URL}\n".encode()).decode() + "\n\na footer\n", ENCODED.format("base64")),
            "its base64 is not written in a way that is known",
        ),
        (
            mail(f"{URL} \ufffd\n".replace("\ufffd", "\x00"), ENCODED.format("8bit")).replace(b"\0", b"\xff"),
            "its octets are not those that utf-8 writes, or were replaced",
        ),
    ],
)
def test_what_is_left_alone_has_a_reason(octets: bytes, reason: str) -> None:
    """And stays octet for octet."""
    new, outcomes = rewrite_octets(octets)
    assert reasons(outcomes) == [reason]
    assert new == octets


def test_what_changes_with_each_change_is_left_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    """If it is looked at once, nobody knows whether it would change again."""
    monkeypatch.setattr(rewriting_of_one, "ROUNDS", 1)
    octets = mail(f"{URL}\n")
    new, outcomes = rewrite_octets(octets)
    assert (new, reasons(outcomes)) == (octets, [Reason.UNSETTLED])


def test_a_mark_that_would_be_read_is_not_set(monkeypatch: pytest.MonkeyPatch) -> None:
    """The message is left alone."""
    octets = mail(f"{URL}\n")
    monkeypatch.setattr(rewriting_of_one, "mark", lambda *_: [OctetPatch(len(octets), len(octets), b"mark")])
    new, outcomes = rewrite_octets(octets)
    assert (new, reasons(outcomes)) == (octets, [Reason.MARK])


@pytest.mark.parametrize(
    ("after", "texts", "whole", "expected"),
    [
        ("http://a.example/ x http://b.example/", None, {0, 1}, None),
        ("http://a.example/ x http://c.example/", None, set(), 1),
        ("http://a.example/ x", None, set(), 1),
        ("http://a.example/ x http://b.example/ http://c.example/", None, set(), 2),
        ("<http://a.exam\nple/> x http://b.example/", None, set(), None),
        ("<http://a.exam\nple/> x http://b.example/", None, {0}, 0),
        ("http://a.example/ x http://b.example/", ["y"], set(), -1),
    ],
)
def test_a_fault_is_found_where_it_is(
    after: str, texts: list[str] | None, whole: set[int], expected: int | None
) -> None:
    """The first finding that is another, or broken still; texts that are not those expected."""
    old, new = (
        glean([Document("-", text.encode(), "text")], Options())[0]
        for text in ("http://a.example/ x http://b.example/", after)
    )
    assert rewriting_of_one._fault(old, new, texts or [after], whole) == expected


def test_one_url_that_cannot_be_put_whole_leaves_the_others_whole() -> None:
    """Only with it would the message be read in another way."""
    text = "{}\n<http://www.example.org/\n\u02dcanna/\nx.html>\n{}\n"
    new, outcomes = rewrite_octets(mail(text.format(URL, URL)), RewriteOptions(marked=False))
    assert new == mail(text.format(WHOLE, WHOLE))
    assert reasons(outcomes) == [Reason.OTHERWISE]


def test_lines_that_are_one_afterwards_are_measured_together() -> None:
    """Each of them alone would be short enough; in a text, or where lines are encoded, they may be long."""
    text = " ".join([URL] * 40)
    assert set(reasons(rewrite_octets(mail(text))[1])) == {Reason.LONG_LINE}
    for octets in (mail(text.replace("=", "=3D"), ENCODED.format("quoted-printable")), f"Notes\n\n{text}".encode()):
        assert not reasons(rewrite_octets(octets)[1])
    assert not reasons(rewrite_octets(mail("\n".join([URL] * 40)))[1])
    short = " ".join(["<http://www.example.org/\nb.html>"] * 15)
    assert not reasons(rewrite_octets(mail(short))[1])


def test_what_is_less_sure_is_left_and_counted() -> None:
    """`least` says how sure; a URL of exactly that confidence is taken."""
    octets = mail("It lies at http://www.example.org/notes-\nof-june.html and elsewhere.\n")
    new, outcomes = rewrite_octets(octets, RewriteOptions(1.0))
    assert new == octets
    assert reasons(outcomes) == [Reason.DOUBTFUL]
    (left,) = [left for each in outcomes if isinstance(each, Rewriting) for left in each.left]
    new, outcomes = rewrite_octets(octets, RewriteOptions(round(left.occurrence.finding.confidence, 4)))
    assert b"http://www.example.org/notes-of-june.html and" in new


@pytest.mark.parametrize(
    "field", ["DKIM-Signature: v=1; a=rsa-sha256", "ARC-Message-Signature: i=1", "DomainKey-Signature: a=rsa-sha1"]
)
def test_dkim_is_skipped_if_asked_for(field: str) -> None:
    """Else the message is changed."""
    octets = mail(f"{URL}\n", f"{field}\n")
    new, outcomes = rewrite_octets(octets, RewriteOptions(skip_dkim=True))
    assert new == octets
    assert reasons(outcomes) == [Reason.DKIM]
    assert rewrite_octets(octets)[0] != octets


@pytest.mark.parametrize(
    "text",
    [
        "http://www.example.org/?filename=a.txt.asc",
        "set name=a.txt.sig",
        *(f"Content-Type: a/b; name={name}" for name in ("0x12.asc", "notes.gpg", "design.asc", "key.pgp", "signs")),
        " name=a.txt.asc.x",
    ],
)
def test_other_files_of_such_names_are_no_signatures(text: str) -> None:
    """Those of which the text speaks, and keys."""
    assert WHOLE.encode() in rewrite_octets(mail(f"{URL}\n{text}\n"))[0]


@pytest.mark.parametrize(
    ("fields", "expected"),
    [
        ("Content-Length: 39\nLines: 2\n", "Content-Length: 38\nLines: 1\n"),
        ("content-length: 38\nLINES : 2\n", "content-length: 37\nLINES : 1\n"),
        ("Content-Length: 38\nLines: 1\n", "Content-Length: 37\nLines: 0\n"),
        ("Content-Length: 12\nLines: 7\n", "Content-Length: 12\nLines: 7\n"),
        ("Content-Length: 39\nContent-Length: 39\n", "Content-Length: 38\nContent-Length: 38\n"),
        ("Content-Length: 39\nContent-Length: 3\n", "Content-Length: 38\nContent-Length: 3\n"),
        ("Content-Length:\n 39\n", "Content-Length:\n 38\n"),
        ("Lines: many\n", "Lines: many\n"),
    ],
)
def test_counts_are_mended_only_where_they_were_right(fields: str, expected: str) -> None:
    """The body has 39 octets with the last line end; one octet and one line go."""
    new, _ = rewrite_octets(mail(f"{URL}\n", fields), RewriteOptions(marked=False))
    assert new == mail(f"{WHOLE}\n", expected)


@pytest.mark.parametrize(
    ("front", "before", "behind"),
    [
        ("", "From a@example.org Mon Mar  6 10:11:12 1995\n", ""),
        ("", "\1\1\1\1\n", "\1\1\1\1\n"),
        ("BABYL OPTIONS:\nVersion: 5\n", "\x1f\x0c\n0,,\n*** EOOH ***\n", "\x1f"),
    ],
)
def test_a_count_may_hold_the_empty_line_at_the_end_of_a_message(front: str, before: str, behind: str) -> None:
    """What reads a mailbox after a count begins the next message at another place if the count is wrong."""
    old, new = "Content-Length: 40\nLines: 3\n", "Content-Length: 39\nLines: 2\n"
    for count in (1, 2):
        box = front.encode() + (before.encode() + mail(f"{URL}\n\n", old)) * count + behind.encode()
        written, _ = rewrite_octets(box, RewriteOptions(marked=False))
        assert written == box.replace(URL.encode(), WHOLE.encode()).replace(old.encode(), new.encode())


def test_lines_between_two_urls_stay_in_quoted_printable() -> None:
    """However needlessly they are encoded."""
    fields = ENCODED.format("quoted-printable")
    between = "n=65edless =\nbreak=20\n" * 3
    before, after = f"{URL}\n{between}{URL}\n", f"{WHOLE}\n{between}{WHOLE}\n"
    assert rewrite_octets(mail(before, fields), RewriteOptions(marked=False))[0] == mail(after, fields)


def test_a_stateful_charset_is_encoded_again() -> None:
    """ISO-2022-JP: what an octet means depends on those before it."""
    fields = "Content-Type: text/plain; charset=iso-2022-jp\n"
    text = "\u65e5\u672c {} \u65e5\u672c {} x\n"
    before, after = (mail("", fields) + text.format(url, url).encode("iso-2022-jp") for url in (URL, WHOLE))
    assert rewrite_octets(before, RewriteOptions(marked=False))[0] == after


def test_a_new_line_of_quoted_printable_is_quoted_in_a_mailbox() -> None:
    """A soft break may put `From ` at the beginning of a line, where it would begin a message."""
    text = f"<http://www.example.org/\n{'b' * 40}> {'x' * 6} From a@example.org Mon Mar  6 10:11:12 1995\n"
    box = b"From a@example.org Mon Mar  6 10:11:12 1995\n" + mail(text, ENCODED.format("quoted-printable")) + b"\n"
    new, outcomes = rewrite_octets(box)
    assert len([each for each in outcomes if isinstance(each, Rewriting)]) == 1
    assert not re.search(rb"\n\n?From ", new)


@given(st.text("abc", min_size=12, max_size=30), st.data())
def test_places_in_a_cut_text_lead_back(text: str, data: st.DataObject) -> None:
    """A stretch of the rest is the same stretch before, with what was cut inside it."""
    edges = sorted(data.draw(st.sets(st.integers(0, 12), min_size=4, max_size=4)))
    cut = [(edges[0], edges[1]), (edges[2], edges[3])]
    rest = without(text, cut)
    start = data.draw(st.integers(0, len(rest) - 1))
    end = data.draw(st.integers(start + 1, len(rest)))
    ((first, last),) = before(cut, [(start, end)])
    inside = [(a - first, b - first) for a, b in cut if first <= a and b <= last]
    assert without(text[first:last], inside) == rest[start:end]
