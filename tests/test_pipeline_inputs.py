"""Items in chunks: bounded, counted, and compared with those of an earlier run by the files they came from."""

import os
import pickle
import sys
from collections.abc import Iterable, Iterator
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec import structs

from urlglean.errors import ResumeError
from urlglean.output.files import file_id
from urlglean.pipeline.inputs import Chunk, Inputs, Portion, Position, Progress, opened, portions_of, size_of
from urlglean.pipeline.splits import items_of, located, plan, survey
from urlglean.records import Document, Framing, Trouble
from urlglean.sources import Bundle, FromPath, Item, Skipped, Taken, detect, separated, unbundled, unframed
from urlglean.sources.streams import Stream


def document(size: int, path: str = "p") -> Document:
    """A text of `size` bytes."""
    return Document(path, b"x" * size, "text")


def positions(items: Iterable[FromPath], size: int) -> list[Position]:
    """The positions behind the chunks of items."""
    progress, found = Progress(), []
    for chunk in Inputs(items).chunks(size):
        progress.add(chunk.read)
        found.append(progress.position)
    return found


@given(st.lists(st.integers(0, 9000)), st.integers(0, 20_000))
def test_chunks_have_all_items_in_order_and_the_right_size(sizes: list[int], size: int) -> None:
    """Without its last document no chunk is full; each chunk ends where the next begins."""
    inputs = Inputs(document(length) for length in sizes)
    chunks = list(inputs.chunks(size))
    assert [len(item.data) for chunk in chunks for item in chunk.items if isinstance(item, Document)] == sizes
    for chunk in chunks:
        assert sum(max(1024, len(i.data)) for i in chunk.items[:-1] if isinstance(i, Document)) < max(size, 1)
    assert [[portion.items for portion in chunk.read] for chunk in chunks] == [[len(chunk.items)] for chunk in chunks]
    assert sum(portion.items for chunk in chunks for portion in chunk.read) == len(sizes)


ITEMS = st.one_of(
    st.builds(Document, st.text(max_size=3), st.binary(max_size=9), st.sampled_from(["message", "text"])),
    st.builds(
        Document,
        st.just("p"),
        st.binary(max_size=500),
        st.just("message"),
        st.just("m"),
        st.integers(),
        st.just(Framing.MBOX),
    ),
    st.builds(Bundle, st.just("p"), st.binary(min_size=9), st.just([1, 4, 9]), st.none(), st.integers(1)),
    st.builds(Trouble, st.just("q"), st.text(max_size=200)),
    st.builds(Skipped, st.just("r"), st.text(max_size=200)),
    st.builds(Taken, st.just("s"), st.text(max_size=200)),
)


def mailbox(bodies: int) -> bytes:
    """An mbox of `bodies` messages."""
    return b"".join(b"From x Mon Jan  1 00:00:00 2001\n\nbody %d\n\n" % number for number in range(1, bodies + 1))


@given(st.integers(1, 60), st.integers(0, 60))
def test_a_bundle_is_its_messages_and_so_are_its_parts(messages: int, count: int) -> None:
    """Divided at any message, its parts give the same documents, with the same numbers and bytes."""
    box = mailbox(messages)
    ends = [len(mailbox(number)) for number in range(messages + 1)]
    bundle = Bundle("p", box, ends, "m", 7, Framing.MBOX, 100)
    documents = bundle.documents()
    assert b"".join(document.data for document in documents) == box
    assert [unframed(document.data, document.framing) for document in documents] == [
        b"\nbody %d\n" % at for at in range(1, messages + 1)
    ]
    assert [document.message for document in documents] == list(range(7, 7 + messages))
    assert [document.offset for document in documents] == [100 + end for end in ends[:-1]]
    assert len(bundle) == messages
    count = min(count, messages)
    head, tail = bundle.parted(count)
    assert (len(head), len(tail)) == (count, messages - count)
    assert head.documents() + tail.documents() == documents
    assert head.data + tail.data == box


def test_going_on_within_a_bundle(tmp_path: Path) -> None:
    """The interrupted run read the mailbox in other bundles, or message by message."""
    path = tmp_path / "box"
    path.write_bytes(mailbox(9))
    items = list(unbundled(opened([str(path)])))
    ends = positions(separated(opened([str(path)])), 0)
    for end in ends:
        inputs = Inputs(opened([str(path)]))
        inputs.skip([end])
        assert inputs.progress.position == end
        chunks = list(inputs.chunks())
        left = [item for chunk in chunks for item in unbundled(chunk.items) if isinstance(item, Document)]
        assert left == [item for item in items if isinstance(item, Document)][end.items :]
        for chunk in chunks:
            inputs.progress.add(chunk.read)
        assert inputs.progress.position == ends[-1]


def test_a_message_counts_at_least_a_kilobyte() -> None:
    """Otherwise a chunk of a million empty messages would need as much memory as one of full messages."""
    bundle = Bundle("p", b"", [0] * 101)
    first, second = Inputs([bundle, bundle]).chunks(1 << 16)
    assert first.read == second.read == (Portion("p", 100, 0),)
    assert first.size == 100 * 1024


@given(st.lists(ITEMS), st.integers())
def test_chunks_pickle(items: list[Item], size: int) -> None:
    """This holds for any items between the documents."""
    chunk = Chunk(items, portions_of(items), size)
    assert pickle.loads(pickle.dumps(chunk)) == chunk


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A folder with three texts of ten bytes, and a file that is left out."""
    for name in "abc":
        (tmp_path / name).write_text("some prose")
    (tmp_path / "d").write_bytes(b"\x89PNG")
    return tmp_path


def position(folder: Path) -> Position:
    """The position behind everything in a folder."""
    return positions(opened([str(folder)]), 1 << 30)[-1]


def test_a_position_counts_items_and_bytes_of_files(folder: Path) -> None:
    """It counts the three texts, but not their announcements nor the file that is left out."""
    end = position(folder)
    assert (end.items, end.bytes) == (3, 30)
    assert size_of([str(folder)]) == 34


def test_going_on_gives_what_is_left(folder: Path) -> None:
    """Items that were read before are recognised and skipped."""
    first = next(Inputs(opened([str(folder)])).chunks(0))
    inputs = Inputs(opened([str(folder)]))
    inputs.skip([positions(opened([str(folder)]), 1 << 11)[0]])
    rest = [item for chunk in inputs.chunks(0) for item in chunk.items]
    assert [type(item) for item in first.items] == [Taken]
    assert [Path(item.path).name for item in rest] == ["b", "b", "c", "c", "d"]


def change(path: Path) -> None:
    """Other octets, as many."""
    path.write_bytes(path.read_bytes().swapcase())
    os.utime(path, (0, 0))


def test_a_file_whose_reader_fails_loses_no_other(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Whatever it raises: the trouble names the file."""
    reading = detect.read

    def failing(stream: Stream, *asked: Any) -> Iterator[Any]:
        if stream.path.endswith("b"):
            raise RecursionError("too deep")
        yield from reading(stream, *asked)

    monkeypatch.setattr(sys.modules["urlglean.sources.entries"], "read", failing)
    for name in "abc":
        (tmp_path / name).write_text(f"http://{name}.example/")
    items = list(opened([str(tmp_path)]))
    (trouble,) = (item for item in items if isinstance(item, Trouble))
    assert (trouble.path, "too deep" in trouble.cause) == (str(tmp_path / "b"), True)
    assert [item.data for item in unbundled(items) if isinstance(item, Document)] == [
        b"http://a.example/",
        b"http://c.example/",
    ]


def test_a_file_that_changes_after_it_was_read_is_told(folder: Path) -> None:
    """Though its rows are written, and the position behind it is made, only later."""
    for number in range(3):
        read = list(Inputs(opened([str(folder)])).chunks(0))
        change(sorted(folder.iterdir())[number])
        progress = Progress()
        for chunk in read:
            progress.add(chunk.read)
        with pytest.raises(ResumeError):
            Inputs(opened([str(folder)])).skip([progress.position])


def test_a_file_that_another_one_replaces_is_told(folder: Path) -> None:
    """Though it has the same size and time."""
    end = position(folder)
    times = (folder / "b").stat()
    (folder / "d").write_text("some verse")
    (folder / "d").replace(folder / "b")
    os.utime(folder / "b", ns=(times.st_atime_ns, times.st_mtime_ns))
    with pytest.raises(ResumeError):
        Inputs(opened([str(folder)])).skip([end])


@pytest.mark.parametrize("grows", [False, True])
def test_a_file_that_changes_between_its_ranges_is_told(tmp_path: Path, *, grows: bool) -> None:
    """Two processes have opened it, one before and one after."""
    path = tmp_path / "box"
    path.write_bytes(mailbox(9))
    splits = list(plan([str(path)], size=100))
    splits = list(located(splits, map(survey, splits)))
    assert len(splits) > 1
    read: list[Chunk] = []
    for split in reversed(splits):
        if grows and read:
            path.write_bytes(mailbox(10))
        read[:0] = Inputs(items_of(split)).chunks()
    progress = Progress()
    for chunk in read:
        progress.add(chunk.read)
    if grows:
        with pytest.raises(ResumeError):
            Inputs(opened([str(path)])).skip([progress.position])
    else:
        assert progress.position == positions(opened([str(path)]), 0)[-1]


@pytest.mark.parametrize("size", [1, 1 << 11, 1 << 20])
def test_the_rest_behind_any_number_of_items_is_at_the_same_position(folder: Path, size: int) -> None:
    """What is left out was read from the same files."""
    (folder / "e").write_bytes(mailbox(9))
    every = list(Inputs(separated(opened([str(folder)]))).chunks(0))
    for start in range(len(every) + 1):
        progress = Progress()
        found: list[Item] = []
        for chunk in [*every[:start], *Inputs(opened([str(folder)])).chunks(size, start)]:
            found += unbundled(chunk.items)
            progress.add(chunk.read)
        assert found == list(unbundled(opened([str(folder)])))
        assert structs.replace(progress.position, marks="") == structs.replace(position(folder), marks="")


def without_rows(folder: Path, name: str, kind: str) -> None:
    """Makes a file that is left out: for its first bytes, because it is empty, or for its name."""
    (folder / {"index": f"dovecot.index{name}"}.get(kind, name)).write_bytes(b"\x89PNG" if kind == "image" else b"")


KINDS = st.sampled_from(["text", "image", "empty", "index"])


@given(st.lists(KINDS, max_size=9), st.lists(KINDS, max_size=9), st.integers(0, 3000))
def test_left_out_files_may_come_and_go_between_the_runs(before: list[str], after: list[str], size: int) -> None:
    """The remaining documents are the same, wherever the first run ended."""
    with TemporaryDirectory() as place:
        folder = Path(place)
        for number, kind in enumerate(before):
            if kind == "text":
                (folder / f"{number}t").write_text(f"text {number}")
            else:
                without_rows(folder, f"{number}x", kind)
        documents = [item for item in unbundled(opened([place])) if isinstance(item, Document)]
        ends = positions(opened([place]), size)
        for path in folder.iterdir():
            if not path.name.endswith("t"):
                path.unlink()
        for number, kind in enumerate(after):
            if kind != "text":
                without_rows(folder, f"{number}y", kind)
        for count in range(len(ends) + 1):
            inputs = Inputs(opened([place]))
            inputs.skip(ends[:count])
            items = unbundled(item for chunk in inputs.chunks(size) for item in chunk.items)
            done = ends[count - 1].items if count else 0
            assert [item for item in items if isinstance(item, Document)] == documents[done:]


def test_a_file_that_is_no_longer_left_out_is_a_change(folder: Path) -> None:
    """Otherwise its rows would be missing. A file that is left out now is a change as well."""
    (folder / "b").write_bytes(b"")
    end = position(folder)
    (folder / "b").write_text("some prose")
    with pytest.raises(ResumeError, match=f"^{folder}/b was added or changed, or a file before it was removed, since"):
        Inputs(opened([str(folder)])).skip([end])
    end = position(folder)
    (folder / "c").write_bytes(b"")
    with pytest.raises(ResumeError, match=r"changed|removed"):
        Inputs(opened([str(folder)])).skip([end])


def test_a_trouble_that_is_gone_is_a_change() -> None:
    """The file would give other items, although it is the same."""
    unreadable, readable = Trouble("p", "reading stopped after 7 bytes"), document(3)
    (end,) = positions([document(3), unreadable], 1 << 20)
    Inputs([document(3), unreadable]).skip([end])
    with pytest.raises(ResumeError, match=r"changed|removed"):
        Inputs([document(3), readable]).skip([end])


def test_the_error_names_the_files_between_which_a_change_is(folder: Path) -> None:
    """The positions of the earlier run show up to where nothing has changed."""
    ends = positions(opened([str(folder)]), 0)
    (folder / "c").write_text("other prose")
    with pytest.raises(ResumeError, match=f"^{folder}/c was added or changed, or a file before it"):
        Inputs(opened([str(folder)])).skip(ends)


def test_skip_counts_announced_and_left_out_files(folder: Path) -> None:
    """They are counted as they are now, because positions do not count them."""
    end = position(folder)
    (folder / "aa").write_bytes(b"")
    assert Inputs(opened([str(folder)])).skip([end]) == (3, 1)


def test_going_on_before_a_file_that_is_being_written(folder: Path) -> None:
    """An output among the inputs grows between the runs, which is no change of the input."""
    own = {found for found in [file_id(folder / "a")] if found}
    end = positions(opened([str(folder)], own=own), 0)[2]
    (folder / "a").write_text("some more rows than before")
    Inputs(opened([str(folder)], own=own)).skip([end])


@pytest.mark.parametrize("change", ["size", "time", "name", "gone"])
def test_going_on_after_a_change_is_refused(folder: Path, change: str) -> None:
    """A file that was read has changed."""
    end = position(folder)
    match change:
        case "size":
            (folder / "a").write_text("some prose.")
        case "time":
            os.utime(folder / "a", (0, 0))
        case "name":
            (folder / "a").rename(folder / "aa")
        case "gone":
            (folder / "c").unlink()
    with pytest.raises(ResumeError, match=r"changed|removed"):
        Inputs(opened([str(folder)])).skip([end])


def test_the_size_of_stdin_is_unknown(folder: Path) -> None:
    """A path that does not exist counts as 0 bytes."""
    assert size_of([str(folder), "-"]) is None
    assert size_of([str(folder / "none"), "\0"]) == 0
