"""News as servers store and transfer it: rnews batches, packed batches, and cross-posted articles of a spool."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator

from urlglean.lazy import pattern
from urlglean.records import Document, Framing, Trouble
from urlglean.sources import message_splitter
from urlglean.sources.compressed import COMPRESSIONS
from urlglean.sources.folders import file_name, number_of
from urlglean.sources.items import FromPath, Item, Skipped, unbundled
from urlglean.sources.message_file import after_preamble, unstuffed
from urlglean.sources.message_splitter import Form
from urlglean.sources.streams import Stream

_FIRST_LINE = rb"#! *rnews +([0-9]{1,12})[^\n]*\n"
# Bounded, because the end of the octets that are examined is the end of the file only if they are few.
_CUT_FIRST_LINE = rb"#(?:! {0,9}+(?:rnews(?: {1,9}+(?:[0-9]{1,12}[^\n]{0,200})?+)?+|rnew|rne|rn|r)?+)?+\Z"
_BATCHED = pattern(_FIRST_LINE)
_CUT_BATCHED = pattern(_CUT_FIRST_LINE)
_FIRST_PACKED_LINE = rb"#! *([a-z0-9]{1,8}unbatch)(?:[^\n]*\n|[^\n]{0,200}\Z)"
_NEXT_BATCHED = pattern(
    rb"(?:\r?\n){0,2}(?:(?=" + rb"|".join((_FIRST_LINE, _CUT_FIRST_LINE, _FIRST_PACKED_LINE)) + rb")|\Z)"
)
_CUT_BATCH = pattern(rb"#! *rnews +[0-9]{1,12}[^\n]{0,200}\Z")
_PACKED_BATCH = pattern(_FIRST_PACKED_LINE)
_HEADER_END = pattern(rb"\n\r?\n")
_SEVERAL_GROUPS = pattern(
    # RFC 5536 3.1.4: a list of groups; 3.2.14: the name of a server, then a location for each group. A search for the
    # end of a line is faster than one for the beginning of the next.
    rb"\n(?=[nNxX])(?i:newsgroups[ \t]*:[^\n,]*+,|xref[ \t]*:[ \t]*+[^\s:]++[ \t]++\S++[ \t]++\S)"
)
_OF_SERVER = pattern(rb"(?im)^(?:path|xref)[ \t]*+:[^\n]*+\n(?:[ \t][^\n]*+\n)*+")
_MESSAGE_ID = pattern(rb"(?im)^message-id[ \t]*:\s*+(\S++)")


def shows_batch(head: bytes) -> object:
    """Whether a file is a batch of articles (RFC 1036 4.3)."""
    return _BATCHED.match(head) or _CUT_BATCH.match(head)


def shows_packed_batch(head: bytes) -> object:
    """Whether a file is a packed batch: a line that names the program that unpacks it, then the packed batch."""
    return _PACKED_BATCH.match(head)


def read_packed_batch(stream: Stream) -> Iterator[Stream]:
    """Yield the stream behind the first line, if it has one of the `COMPRESSIONS`; else add a trouble."""
    first = _PACKED_BATCH.match(stream.head)
    assert first, "it is what shows this kind"
    stream.read(first.end())
    batch = Stream(stream.path, stream.read, stream, member=stream.member)
    # The first bytes show the compression. The first line is not reliable: servers name compress for gzip too.
    if any(row.magic.match(batch.head) for row in COMPRESSIONS):
        yield batch
    elif not batch.head:
        stream.troubles.append("a packed batch that is cut off: nothing follows its first line")
    else:
        stream.troubles.append(f"a batch for {first[1].decode()}, which is not read")


def read_batch(stream: Stream) -> Iterator[Item]:
    """Yield the articles of a batch, numbered from 1.

    An article ends after the number of bytes that its first line states if that is right, else where the next article
    begins. If the file ends within such a line, that is a trouble, and no article. So is a packed batch behind the
    articles.
    """
    for item in unbundled(message_splitter.bundles(stream, BATCH)):
        if isinstance(item, Document) and item.message is not None:
            first = _BATCHED.match(item.data)
            if not first:
                cause = f"a batch that is cut off in the first line of article {item.message}"
                if _PACKED_BATCH.match(item.data):
                    cause = "a packed batch behind its articles, which is not read"
                yield Trouble(item.path, cause, item.member)
                continue
            said, held = int(first[1]), len(item.data) - first.end()
            if said > held:
                cause = f"an article said to have {said:,} bytes has {held:,}"
                yield Trouble(item.path, cause, item.member, item.message)
        yield item


def batched_content(data: bytes) -> bytes:
    """The article without its first line `#! rnews` and without wire format."""
    return unstuffed(data[after_first_line(data) :])


def after_first_line(data: bytes) -> int:
    """Where the article of a batch begins, behind its line `#! rnews`."""
    first = _BATCHED.match(data)
    return first.end() if first else 0


def _batched(data: bytes, at: int, _within: int) -> bool:
    end = at + message_splitter.REACH
    return any(form.match(data, at, end) for form in (_BATCHED, _CUT_BATCHED, _PACKED_BATCH))


def _end(data: bytes, at: int, _within: int) -> int | None:
    first = _BATCHED.match(data, at, at + message_splitter.REACH)
    return first.end() + int(first[1]) if first else None


def _meets(data: bytes, at: int, _within: int) -> int:
    after = _NEXT_BATCHED.match(data, at, at + message_splitter.REACH)
    return after.end() if after else 0


BATCH = Form(message_splitter.marked(b"#!"), _batched, Framing.RNEWS, b"rnews", _end, _meets, _CUT_BATCHED)


def once(items: Iterable[FromPath], most: int, before: Collection[bytes] = ()) -> Iterator[FromPath]:
    """The items without repeated articles. A spool has an article in each group to which it was posted.

    Two articles are the same if only their Path and Xref differ, which tell where they lie. This looks only at articles
    of several groups, in files named by a number. What is in an archive file is compared only with the rest of that
    file.

    Args:
        items: the items.
        most: how many articles are remembered at most.
        before: the hashes of articles that were read before (`cross_posted`). They do not count for `most`.
    """
    seen = set(before)
    most += len(seen)
    for item in items:
        if type(item) is Document and (mark := cross_posted(item)):
            if mark in seen:
                yield Skipped(item.path, "a cross-posted article that was read in another group", item.member)
                continue
            if len(seen) < most:
                seen.add(mark)
        yield item


def cross_posted(item: FromPath) -> bytes | None:
    """A hash of what tells an article of several groups in a file named by a number; None for all else."""
    if type(item) is not Document or item.message is not None or item.stretch is not None:
        return None
    # A path that lies elsewhere may have signs that the locale cannot encode.
    scope = item.path.encode("utf-8", "surrogatepass") if item.member else b""
    return _mark(after_preamble(item.data), scope) if is_numbered(item.member or item.path) else None


def may_be_cross_posted(head: bytes) -> bool:
    """Whether a file with these first octets may be an article of several groups."""
    article = after_preamble(head)
    end = _HEADER_END.search(article)
    return end is None or _names_several_groups(article[: end.end()])


def _names_several_groups(header: bytes) -> bool:
    return _SEVERAL_GROUPS.search(b"\n" + header) is not None


def is_numbered(path: str) -> bool:
    """Whether a file is named by a number, as the articles of a spool are."""
    return number_of(file_name(path)) is not None


def _mark(article: bytes, scope: bytes) -> bytes | None:
    """A hash of an article of several groups, but for its Path and Xref; None for any other article."""
    end = found.end() if (found := _HEADER_END.search(article)) else len(article)
    if not _names_several_groups(article[:end]) or not (identity := _MESSAGE_ID.search(article, 0, end)):
        return None
    from hashlib import blake2b  # noqa: PLC0415 - only spools need it

    own = _OF_SERVER.sub(b"", article[:end])
    return blake2b(b"%b\0%b\n%b\n%b" % (scope, identity[1], own, article[end:]), digest_size=12).digest()
