"""News as servers store it and pass it on."""

from __future__ import annotations

import bz2
import gzip
import io
import os
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from files import read
from packed import compressed
from unframing import documents
from urlglean.bounds import Bounds
from urlglean.records import Document, Trouble
from urlglean.sources import Item, Skipped, detect, news
from urlglean.sources.message_file import unstuffed
from urlglean.sources.streams import Stream
from urlglean.windows import WindowSize

HEADER = b"Path: a!b\nFrom: a@b.example\nNewsgroups: alt.test\nSubject: s\nMessage-ID: <%d@b.example>\n\n"


def article(number: int, body: bytes = b"body\n") -> bytes:
    """An article with a Message-ID of its own."""
    return HEADER % number + body


def batched(*articles: bytes) -> bytes:
    """A batch of articles (RFC 1036 4.3)."""
    return b"".join(b"#! rnews %d\n" % len(each) + each for each in articles)


def numbered(*articles: bytes) -> list[Document]:
    """What is expected of a file with these articles."""
    return [Document("file", each, "message", message=number) for number, each in enumerate(articles, 1)]


@given(
    st.lists(st.lists(st.sampled_from([b"text\n", b"#! rnews 12\n", b"\n", b".\n", b"no end"])), min_size=1, max_size=4)
)
def test_a_batch_comes_back(bodies: list[list[bytes]]) -> None:
    """Articles are told apart by their counts, whatever stands in them and however they end."""
    articles = [article(number, b"".join(lines)) for number, lines in enumerate(bodies)]
    assert read(batched(*articles)) == numbered(*articles)


def test_a_count_that_is_wrong_is_told_where_something_lacks() -> None:
    """The next article begins at its own line then; nothing of either is lost."""
    long, short = article(1, b"body\n" * 3), article(2)
    for off in (-7, 5):
        found = read(b"#! rnews %d\n" % (len(long) + off) + long + batched(short))
        assert [item for item in found if isinstance(item, Document)] == numbered(long, short)
        assert [item.message for item in found if isinstance(item, Trouble)] == ([1] if off > 0 else [])


def test_a_batch_cut_short_is_told() -> None:
    """The last article says more bytes than are there."""
    whole = batched(article(1), article(2, b"x" * 100))
    first, trouble, cut = read(whole[:-40])
    assert isinstance(first, Document)
    assert trouble == Trouble("file", f"an article said to have {len(article(2, b'x' * 100))} bytes has "
                              f"{len(article(2, b'x' * 60))}", message=2)  # fmt: skip
    assert cut == Document("file", article(2, b"x" * 60), "message", message=2)


@pytest.mark.parametrize("bodies", [(b"body\n",), (b"body\n", b"#! rnews 12\nno end")])
def test_a_batch_cut_in_a_first_line_is_told(bodies: tuple[bytes, ...]) -> None:
    """The articles before it are as they were; the line is in none of them."""
    articles = [article(number, body) for number, body in enumerate(bodies)]
    line = b"#! rnews 1234 by host"
    for cut in range(1, len(line)):
        *found, trouble = read(batched(*articles) + line[:cut])
        assert found == numbered(*articles), line[:cut]
        assert not news.BATCH.holds_message(line[:cut])
        assert trouble == Trouble("file", f"a batch that is cut off in the first line of article {len(bodies) + 1}")


@pytest.mark.parametrize("off", [-7, 5])
def test_a_batch_cut_in_a_first_line_is_told_behind_a_wrong_count(off: int) -> None:
    """The line is found by its mark then."""
    one = article(1)
    *_, trouble = read(b"#! rnews %d\n" % (len(one) + off) + one + b"#! rnews 1")
    assert trouble == Trouble("file", "a batch that is cut off in the first line of article 2")


def test_a_batch_cut_in_its_only_line_is_told() -> None:
    """Packed ones too."""
    for line in (b"#! rnews 12", b"#! cunbatch", b"#! gunbatch\n"):
        (trouble,) = read(line)
        assert isinstance(trouble, Trouble)
        assert "cut off" in trouble.cause


@pytest.mark.parametrize("length", [300, 3000])
def test_a_long_last_line_that_is_no_first_line_is_of_the_article(length: int) -> None:
    """A count line has no such length."""
    one = article(1, b"body\n#! rnews 12" + b" x" * length)
    assert read(b"#! rnews %d\n" % (len(one) - 9) + one) == numbered(one)


@pytest.mark.parametrize(
    ("program", "packed"),
    [
        (b"cunbatch", compressed),
        (b"cunbatch", gzip.compress),  # INN's own way
        (b"gunbatch", gzip.compress),
        (b"zunbatch", gzip.compress),
        (b"bunbatch", bz2.compress),
    ],
)
def test_packed_batches_are_unpacked(program: bytes, packed: object) -> None:
    """The line before them names the program; what undoes them is told by their first bytes."""
    assert callable(packed)
    articles = article(1), article(2)
    assert read(b"#! " + program + b"\n" + packed(batched(*articles))) == numbered(*articles)


def test_a_batch_for_another_program_is_a_trouble() -> None:
    """Its name is given."""
    (trouble,) = read(b"#! c7unbatch\nM<nothing that is known>\n")
    assert isinstance(trouble, Trouble)
    assert "c7unbatch" in trouble.cause


@pytest.mark.parametrize(
    ("wire", "plain"),
    [
        (b"A: b\r\n\r\n..http://a/\r\n.\r\n", b"A: b\r\n\r\n.http://a/\r\n"),
        (b"A: b\r\n\r\n.\r\n", b"A: b\r\n\r\n"),
        (b"A: b\r\n\r\n...\r\n.\r\n", b"A: b\r\n\r\n..\r\n"),
        # One line begins with a single dot: this was never stuffed, and its last line is text.
        (b"A: b\r\n\r\n.x\r\n..\r\n.\r\n", b"A: b\r\n\r\n.x\r\n..\r\n.\r\n"),
        (b"A: b\r\n\r\n..\r\n", b"A: b\r\n\r\n..\r\n"),
        (b"A: b\n\n..\n.\n", b"A: b\n\n..\n.\n"),
    ],
)
def test_wire_format(wire: bytes, plain: bytes) -> None:
    """Stuffing is undone where the whole article shows it (RFC 3977 3.1.1)."""
    assert unstuffed(wire) == plain


@given(st.lists(st.binary(max_size=5).map(lambda line: line.replace(b"\r", b"").replace(b"\n", b""))))
def test_what_was_stuffed_comes_back(lines: list[bytes]) -> None:
    """Any article in wire format is the article again."""
    stuffed = b"A: b\r\n" + b"".join((b"." if line.startswith(b".") else b"") + line + b"\r\n" for line in lines)
    assert unstuffed(stuffed + b".\r\n") == b"A: b\r\n" + b"".join(line + b"\r\n" for line in lines)


CROSSPOST = b"Path: %s\nNewsgroups: alt.a,\n alt.b\nMessage-ID: <1@b.example>\nXref: h %s\n\nbody\n"


def spooled(root: Path, articles: dict[str, bytes]) -> list[Item]:
    """Write a spool and read it."""
    for name, data in articles.items():
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(data)
    return list(documents(str(root)))


def test_a_cross_posted_article_is_given_once(tmp_path: Path) -> None:
    """As a hard link, and as a copy with a Path and an Xref of its own; it is said where it lies again."""
    (tmp_path / "alt/c").mkdir(parents=True)
    first = CROSSPOST % (b"x!y", b"alt.a:1 alt.b:7")
    (tmp_path / "alt/a").mkdir()
    (tmp_path / "alt/a/1").write_bytes(first)
    (tmp_path / "alt/c/3").hardlink_to(tmp_path / "alt/a/1")
    found = spooled(tmp_path, {"alt/b/7": CROSSPOST % (b"z", b"alt.b:7 alt.a:1")})
    assert [item for item in found if isinstance(item, Document)] == [Document(f"{tmp_path}/alt/a/1", first, "message")]
    assert [item.path for item in found if isinstance(item, Skipped)] == [f"{tmp_path}/alt/b/7", f"{tmp_path}/alt/c/3"]


@pytest.mark.parametrize("name", ["{}.gz", "{}.Z", "{}.bz2", "{}.xz", "{}.zst", "{}."])
def test_a_cross_posted_article_may_be_packed(name: str, tmp_path: Path) -> None:
    """Each on its own. They come by their numbers, whatever the files are packed by."""
    one = gzip.compress(CROSSPOST % (b"x", b"alt.a:1 alt.b:7"))
    found = spooled(tmp_path, {f"a/{name.format(10)}": one, f"a/{name.format(2)}": one, f"b/{name.format(7)}": one})
    assert [type(item) for item in found] == [Document, Skipped, Skipped]
    assert found[0].path.endswith(name.format("a/2"))


def test_lines_of_a_long_path_tell_no_articles_apart(tmp_path: Path) -> None:
    """It is folded (RFC 5322 2.2.3), and a blank may stand before its colon (4.5.8)."""
    first = CROSSPOST % (b"x!\n y!\n\tz", b"h\n\talt.a:1\n alt.b:7")
    other = (CROSSPOST % (b"v!\n w", b"h\n alt.b:7\n alt.a:1")).replace(b"Path:", b"Path :")
    assert [type(item) for item in spooled(tmp_path, {"a/1": first, "b/7": other})] == [Document, Skipped]


def test_blank_lines_before_an_article_hide_nothing(tmp_path: Path) -> None:
    """It is known again behind them."""
    found = spooled(tmp_path, {"a/1": b"\n\n" + CROSSPOST % (b"x", b"alt.a:1"), "b/7": CROSSPOST % (b"x", b"alt.a:1")})
    assert [type(item) for item in found] == [Document, Skipped]


def test_an_article_in_an_archive_elsewhere_is_known_in_every_locale(monkeypatch: pytest.MonkeyPatch) -> None:
    """The URL of the archive may have signs that the locale cannot encode."""
    monkeypatch.setattr(os, "fsencode", lambda path: path.encode("latin-1", "surrogateescape"))
    one = CROSSPOST % (b"x", b"alt.a:1 alt.b:7")
    marks = [
        news.cross_posted(Document(f"memory://{name}.zip", one, "message", "a/1")) for name in ("\u4e2d", "\u4e2d", "b")
    ]
    assert marks[0] == marks[1] != marks[2]


def test_another_body_is_another_article(tmp_path: Path) -> None:
    """A Message-ID that was taken, by accident or on purpose, hides nothing; nor does a mail that a list passed on."""
    one = CROSSPOST % (b"x", b"alt.a:1 alt.b:7")
    list_of = b"List-Archive: <http://host.example/>\n"
    others = {
        "b/7": one + b"http://host.example/\n",
        "c/8": list_of + one,
        "d/9": b"List-Post: <mailto:a@b.example>\n" + one,
    }
    found = spooled(tmp_path, {"a/1": one, **others})
    assert len([item for item in found if isinstance(item, Document)]) == 4


def test_an_article_of_one_group_and_a_file_with_a_name_are_never_left_out(tmp_path: Path) -> None:
    """The first is no cross-posting; the second lies in no spool."""
    assert len(spooled(tmp_path / "x", {"a/1": article(1), "b/1": article(1)})) == 2
    one = CROSSPOST % (b"x", b"alt.a:1 alt.b:7")
    assert len(spooled(tmp_path / "y", {"a/one.txt": one, "b/one.txt": one})) == 2


def test_what_is_remembered_of_cross_postings_is_bounded(tmp_path: Path) -> None:
    """Past the bound an article is given again rather than lost."""
    one = CROSSPOST % (b"x", b"alt.a:1 alt.b:7")
    spooled(tmp_path, {"a/1": one, "b/7": one})
    assert (
        len([item for item in documents(str(tmp_path), bounds=Bounds(articles=0)) if isinstance(item, Document)]) == 2
    )


@pytest.mark.parametrize("head", [b"CBuf4\0\0\0/dev/news", b"Cycbuff\0", b"CRMT\1\0\0\0"])
def test_stores_of_inn_say_how_to_export_them(head: bytes) -> None:
    """Their layout is the server's memory; the server's own program writes them as a batch."""
    (trouble,) = read(head + bytes(1000))
    assert isinstance(trouble, Trouble)
    assert "sm -S" in trouble.cause


def test_windows_of_a_numbered_text_are_no_cross_posted_articles() -> None:
    """Two windows of a long text may be the same, to the octet."""
    text = (b"Newsgroups: a.b,c.d\nMessage-ID: <1@a.example>\n\n" + b"x" * 952 + b"\n") * 60
    stream = Stream("/spool/1", io.BytesIO(text).read1, bounds=Bounds(window=WindowSize(own=900, margin=50)))
    found = [item for item in news.once(detect.read(stream, "text"), 100) if isinstance(item, Document | Skipped)]
    assert len(found) > 3
    assert all(isinstance(item, Document) for item in found)


@pytest.mark.parametrize(("body", "more"), [(b"body\n", 0), (b"#! rnews 5\nbody\n", 0), (b"body\n", 9)])
def test_a_packed_batch_behind_articles_is_told(body: bytes, more: int) -> None:
    """The article before it ends where its first line says, or if that is wrong, before the batch."""
    one, packed = article(1, body), b"#! gunbatch\n" + gzip.compress(b"#! rnews 4\nabcd")
    found = read(b"#! rnews %d\n%s%s" % (len(one) + more, one, packed))
    assert [item.data for item in found if isinstance(item, Document)] == [one]
    assert found[-1] == Trouble("file", "a packed batch behind its articles, which is not read")
