"""Splits: together they give the items of a scan, in its order, whatever their size."""

from __future__ import annotations

import gzip
import os
import pickle
import subprocess
import sys
import threading
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

import c_client_files
from dbox_files import VERSION, dbox, record
from packed import tarred, zipped
from urlglean.bounds import Bounds
from urlglean.pipeline.inputs import opened
from urlglean.pipeline.splits import Split, Survey, items_of, located, plan, survey
from urlglean.records import Document, Trouble
from urlglean.sources import Item, Skipped, message_splitter, unbundled
from urlglean.sources.changes import CHANGED
from urlglean.sources.entries import looked_at
from urlglean.sources.folders import File

CORPUS = Path(__file__).parent.parent / "corpus"
TINY = Bounds(lookahead=message_splitter.REACH, block=2000)

ENVELOPE = b"From a@b.example Mon Jan  1 00:00:00 2001\n"


def scanned(paths: Iterable[str], bounds: Bounds, kind: str | None = None) -> list[Item]:
    """The items of a scan."""
    return list(unbundled(opened(paths, kind=kind, bounds=bounds)))


def divided(paths: Iterable[str], size: int, bounds: Bounds, kind: str | None = None) -> tuple[list[Split], list[Item]]:
    """The splits, and their items. Splits and surveys are sent as between machines."""
    splits = [pickle.loads(pickle.dumps(split)) for split in plan(paths, kind=kind, size=size, bounds=bounds)]
    surveys = [survey(split, bounds) for split in splits]
    assert all(isinstance(each, Survey) for each in surveys)
    splits = list(located(splits, surveys, bounds))
    return splits, [item for split in splits for item in unbundled(items_of(split, bounds))]


def assert_same(paths: Iterable[str], size: int, bounds: Bounds = TINY, kind: str | None = None) -> list[Split]:
    """The splits, after their items were compared with those of a scan."""
    paths = list(paths)
    splits, found = divided(paths, size, bounds, kind)
    assert found == scanned(paths, bounds, kind)
    return splits


def letter(number: int, body: bytes = b"", fields: bytes = b"") -> bytes:
    """A message without its frame."""
    return b"From: a@b.example\n%sSubject: %d\n\nhttp://h.example/%d\n%s" % (fields, number, number, body)


def mbox(letters: Iterable[bytes]) -> bytes:
    """A mailbox that holds them."""
    return b"".join(ENVELOPE + each + b"\n" for each in letters)


FORMS = {
    "mbox": mbox(letter(number) for number in range(9)),
    "rnews": b"".join(b"#! rnews %d\n%s" % (len(letter(n)), letter(n)) for n in range(9)),
    "mmdf": b"".join(b"\1\1\1\1\n%s\1\1\1\1\n" % letter(number) for number in range(9)),
    "dbox": dbox([letter(number) for number in range(9)]),
    **{name: form([letter(number) for number in range(9)]) for name, form in c_client_files.FORMS.items()},
    "listserv": b"".join(b"=" * 73 + b"\n" + letter(number) for number in range(9)),
    "babyl": b"BABYL OPTIONS: -*- rmail -*-\nVersion: 5\n\x1f"
    + b"".join(b"\x0c\n0,,\n%s*** EOOH ***\n%s\x1f" % (b"From: a\n", letter(number)) for number in range(9)),
}


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("size", [1, 2, 7, 63, 200, 301, 1 << 20])
def test_a_mailbox_is_divided_into_ranges(form: str, size: int, tmp_path: Path) -> None:
    """A message belongs to the range in which it begins; its number counts those of the ranges before it."""
    (tmp_path / "box").write_bytes(FORMS[form])
    splits = assert_same([str(tmp_path / "box")], size)
    assert [split.octets and split.octets.start for split in splits][:1] == [0 if size < 1 << 20 else None]
    assert sum(isinstance(item, Document) for item in divided([str(tmp_path / "box")], size, TINY)[1]) >= 9


@pytest.mark.parametrize("size", [40, 100, 333])
def test_stated_lengths_are_obeyed_across_ranges(size: int, tmp_path: Path) -> None:
    """Marks inside a message that states its length rightly are text, also if a range begins at one of them."""
    inside = b"".join(b"\n" + ENVELOPE + b"Subject: quoted\n\n" for _ in range(12))
    states = letter(1, inside, b"Content-Length: %d\n" % (len(b"http://h.example/1\n") + len(inside)))
    lies = letter(2, inside, b"Content-Length: 77\n")
    (tmp_path / "box").write_bytes(mbox([letter(0), states, letter(3), lies, letter(4)]))
    _, found = divided([str(tmp_path / "box")], size, TINY)
    assert_same([str(tmp_path / "box")], size)
    assert [item.message for item in found if isinstance(item, Document)] == list(range(1, 18))


ODD_ENVELOPE = b"From a@b.example 2001-02-03 10:11:12\n"


@pytest.mark.parametrize("mark", [b"", b"\xef\xbb\xbf"])
@pytest.mark.parametrize("envelope", [ENVELOPE, ODD_ENVELOPE], ids=["RFC 4155", "odd"])
def test_a_stated_length_may_end_before_any_envelope(envelope: bytes, mark: bytes, tmp_path: Path) -> None:
    """The next message may have an envelope in another form, or a byte order mark before it; ranges change nothing."""
    inside = b"\n" + ENVELOPE + b"Subject: quoted\n\nhttp://h.example/q\n"
    states = letter(1, inside, b"Content-Length: %d\n" % (len(b"http://h.example/1\n") + len(inside)))
    (tmp_path / "box").write_bytes(b"".join(envelope + states + b"\n" + mark for _ in range(3)))
    for size in range(1, 400, 7):
        splits = assert_same([str(tmp_path / "box")], size)
        assert [
            item.message for split in splits for item in unbundled(items_of(split, TINY)) if isinstance(item, Document)
        ] == [1, 2, 3]


def test_ranges_of_every_size_change_nothing_among_envelopes_of_several_forms(tmp_path: Path) -> None:
    """Each message states a length, and an envelope of the next form stands within it and behind it.

    The lengths are right, right up to the line end, too short or too long.
    """
    forms = (
        ENVELOPE,
        ODD_ENVELOPE,
        b"From ann Mon Jan  1 00:00:00 1996 -03\n",
        b"From 12345678901\n",
        b"\xef\xbb\xbf" + ENVELOPE,
        b"\xef\xbb\xbf" + ODD_ENVELOPE,
    )
    box = b""
    for number, envelope in enumerate(forms * 2):
        inside = b"\n" + forms[(number + 1) % len(forms)] + b"From: b\nSubject: quoted\n\n"
        stated = len(b"http://h.example/%d\n" % number) + len(inside) + (0, 0, -1, 0, -9, 0, 1, 0, 50)[number % 9]
        box += envelope + letter(number, inside, b"Content-Length: %d\n" % stated) + b"\n"
    (tmp_path / "box").write_bytes(box)
    for size in range(1, len(box)):
        assert_same([str(tmp_path / "box")], size)


TOKENS = st.sampled_from(
    [
        ENVELOPE,
        ODD_ENVELOPE,
        ODD_ENVELOPE + b"From: a\nSubject: b\n",
        b"\xef\xbb\xbf",
        b"\n",
        b"\r\n",
        b"\n\n",
        b"From x\n",
        b">From ",
        b"Content-Length: 40\n",
        b"Content-Length: 200\n\n",
        b"Subject: s\n",
        b"http://h.example/\n",
        b"#! rnews 60\n",
        b"#! rnews 9\n",
        b"#! rnews 9",
        b"\1\1\1\1\n",
        b"\x1f\x0c\n",
        b"\x1f",
        b"BABYL OPTIONS:\n",
        VERSION,
        record(b"A: b\n\nhttp://h.example/\n"),
        record(b"A: b\n\nhttp://h.example/\n")[:-30],
        record(b"A: b\n", 90),
        b"\n\1\3\n",
        b"x" * 50,
    ]
)


@given(
    st.sampled_from(
        [ENVELOPE + b"A: b\n", b"#! rnews 5\n", b"\1\1\1\1\n", b"BABYL OPTIONS:\n", dbox([b""]), b"junk\n\n", b"\n"]
    ),
    st.lists(TOKENS, max_size=40),
    st.integers(1, 400),
    st.sampled_from([None, "mbox", "mboxrd", "rnews", "mmdf", "babyl", "listserv", "dbox", "mbx"]),
)
def test_any_octets_give_the_items_of_a_scan(
    tmp_path_factory: pytest.TempPathFactory, front: bytes, tokens: list[bytes], size: int, kind: str | None
) -> None:
    """Marks, lengths and line ends in any order, as any kind, in ranges of any size."""
    box = tmp_path_factory.getbasetemp() / "any"
    box.write_bytes(front + b"".join(tokens))
    assert_same([str(box)], size, kind=kind)


def spool(group: str, number: int) -> bytes:
    """An article that was posted to two groups."""
    return (
        b"Path: %s!x\nFrom: a@b.example\nNewsgroups: a.b,c.d\nMessage-ID: <%d@h>\nSubject: s\n\nhttp://h.example/%d\n"
        % (group.encode(), number, number)
    )


@pytest.mark.parametrize("size", [1, 150, 400, 1 << 20])
@pytest.mark.parametrize("most", [0, 1, 3, 100])
def test_a_cross_posted_article_is_read_once(size: int, most: int, tmp_path: Path) -> None:
    """Also if its copies are in several splits: files, or members of one archive. Only as many are remembered."""
    members = {}
    for group in ("a.b", "c.d"):
        (tmp_path / "spool" / group).mkdir(parents=True)
        for number in range(1, 6):
            (tmp_path / "spool" / group / str(number)).write_bytes(spool(group, number))
            members[f"{group}/{number}"] = spool(group, number)
    (tmp_path / "spool" / "e.zip").write_bytes(zipped(members))
    (tmp_path / "spool" / "f.tar").write_bytes(tarred(members))
    bounds = msgspec.structs.replace(TINY, articles=most)
    assert_same([str(tmp_path / "spool"), str(tmp_path / "spool" / "c.d")], size, bounds)
    _, found = divided([str(tmp_path / "spool")], size, TINY)
    assert sum(isinstance(item, Document) for item in found) == 15  # 5 as files, and 5 in each archive
    assert sum(isinstance(item, Skipped) for item in found) == 15


@pytest.mark.parametrize("front", [b"\n\n", b"\r\n\r\n", b"\xef\xbb\xbf\n\n"])
def test_blank_lines_before_a_cross_posted_article_hide_nothing_from_other_splits(front: bytes, tmp_path: Path) -> None:
    """Blank lines there are no end of its header."""
    for group in ("a.b", "c.d"):
        (tmp_path / group).mkdir()
        (tmp_path / group / "1").write_bytes(front + spool(group, 1))
    assert_same([str(tmp_path)], 1)
    _, found = divided([str(tmp_path)], 1, TINY)
    assert sum(isinstance(item, Skipped) for item in found) == 1


@pytest.mark.parametrize("size", [1, 90, 1 << 20])
def test_a_zip_archive_is_divided_by_its_members(size: int, tmp_path: Path) -> None:
    """What surrounds the archive, or is packed once more, is told once."""
    members = {f"box{number}": mbox([letter(number)] * 3) for number in range(5)}
    members["f.gz"] = gzip.compress(members["box1"], mtime=0)
    (tmp_path / "a.zip").write_bytes(zipped(members) + b"behind")
    (tmp_path / "b.zip").write_bytes(zipped(members)[:-10])
    (tmp_path / "c.zip").write_bytes(zipped({}))
    (tmp_path / "d.zip").write_bytes(zipped(members))
    splits = assert_same([str(tmp_path)], size)
    divided_members = [split.members for split in splits if split.members]
    assert size < 1 << 20 or not divided_members
    assert size > 1 or divided_members == 2 * [(n, n + 1) for n in range(6)]


def test_what_cannot_be_divided_is_one_split(tmp_path: Path) -> None:
    """Packed files, long texts, single messages, and files that cannot be read."""
    (tmp_path / "a.gz").write_bytes(gzip.compress(FORMS["mbox"]))
    (tmp_path / "b.txt").write_bytes(b"see http://h.example/ \n" * 50)
    (tmp_path / "cur").mkdir()
    (tmp_path / "new").mkdir()
    (tmp_path / "cur" / "1").write_bytes(FORMS["mbox"])
    (tmp_path / "d").symlink_to("nowhere")
    splits = assert_same([str(tmp_path), str(tmp_path / "nothing")], 10)
    assert [len(split.entries) for split in splits] == [1, 1, 1, 1, 1]


def test_small_files_are_put_together(tmp_path: Path) -> None:
    """In their order, up to the size."""
    for number in range(30):
        (tmp_path / str(number)).write_bytes(letter(number))
    splits = assert_same([str(tmp_path)], 1 << 20)
    assert [len(split.entries) for split in splits] == [30]
    splits = assert_same([str(tmp_path)], 1 << 14)
    assert [len(split.entries) for split in splits] == [4, 4, 4, 4, 4, 4, 4, 2]


@pytest.mark.parametrize(
    ("path", "is_here"),
    [
        *[("/dev/shm/a/1", False), ("dev/shm/1", False), ("/dev/fd/63", True), ("/dev/x", True), ("//dev/x", True)],
        *[("/proc/self/fd/0", True), ("dev/x", True), ("proc/self/fd/0", True)],
    ],
)
def test_a_disk_in_memory_is_one_for_all_processes(
    path: str, monkeypatch: pytest.MonkeyPatch, *, is_here: bool
) -> None:
    """Linux has one below `/dev`. Other paths there mean something else in each process."""
    found = Path(__file__).stat()
    with monkeypatch.context() as patch:
        patch.setattr(os, "stat", lambda _path: found)
        patch.chdir("/")
        looked = looked_at(File(path, one_message=False))
    assert looked == (found.st_size, is_here)


def test_a_file_that_vanished_or_shrank_is_a_trouble(tmp_path: Path) -> None:
    """It is told by each split that wanted to read it."""
    box = tmp_path / "box"
    box.write_bytes(FORMS["mbox"])
    splits = list(plan([str(box)], size=200))
    located_before = list(located(splits, map(survey, splits)))
    box.write_bytes(FORMS["mbox"][:250])
    found = [item for split in located_before for item in items_of(split) if isinstance(item, Trouble)]
    assert found
    assert all("cut off while it was read" in item.cause or item.cause == CHANGED for item in found)
    assert any("cut off while it was read" in item.cause for item in found)
    box.unlink()
    assert list(located(splits, map(survey, splits))) == splits
    for split in located_before:
        assert list(items_of(split)) == [Trouble(str(box), os.strerror(2))]


def test_stdin_cannot_be_divided() -> None:
    """It can be read only once."""
    with pytest.raises(ValueError, match="stdin"):
        list(plan(["-"]))


@pytest.mark.parametrize("size", [300, 5000])
def test_the_corpus_is_divided(size: int) -> None:
    """All kinds of files that the project has."""
    assert_same([str(CORPUS)], size, Bounds())


def test_a_file_elsewhere_is_divided(tmp_path: Path) -> None:
    """Mailboxes by octets, archives by members, folders by files."""
    fsspec = pytest.importorskip("fsspec")
    system = fsspec.filesystem("memory")
    system.pipe("/far/a.mbox", FORMS["mbox"])
    system.pipe("/far/b.zip", zipped({"x": FORMS["mmdf"], "y": FORMS["rnews"]}))
    system.pipe("/far/spool/1", spool("a.b", 1))
    splits = assert_same(["memory://far"], 100)
    assert sum(split.octets is not None for split in splits) > 1
    assert sum(split.members is not None for split in splits) == 2
    system.rm("/far", recursive=True)


def test_a_path_that_is_given_twice_is_read_twice(tmp_path: Path) -> None:
    """What the first has read does not count for the second."""
    (tmp_path / "1").write_bytes(spool("a.b", 1))
    assert_same([str(tmp_path), str(tmp_path)], 1)
    assert_same([str(tmp_path / "1"), str(tmp_path / "1")], 1 << 20)


@pytest.mark.parametrize("name", ["box", "box.zip"])
def test_a_file_that_another_one_replaces_is_a_trouble(name: str, tmp_path: Path) -> None:
    """Its parts would be of different files. One that only grows is the same."""
    octets = FORMS["mbox"] if name == "box" else zipped({f"box{n}": FORMS["mbox"] for n in range(5)})
    path = tmp_path / name
    path.write_bytes(octets)
    splits = list(plan([str(path)], size=100))
    splits = list(located(splits, map(survey, splits)))
    if name == "box":
        path.write_bytes(octets + ENVELOPE + letter(9))
        assert [item for split in splits for item in unbundled(items_of(split))] == scanned([str(path)], Bounds())
    (tmp_path / "new").write_bytes(octets)
    (tmp_path / "new").replace(path)
    for split in splits:
        (trouble,) = items_of(split)
        assert isinstance(trouble, Trouble)
        assert "another file has taken its place" in trouble.cause


def test_an_archive_whose_members_overlap_or_are_too_much_is_read_as_one(tmp_path: Path) -> None:
    """The bounds are those of a whole file."""
    octets = bytearray(zipped({"a": FORMS["mbox"], "b": FORMS["mbox"]}))
    (tmp_path / "a.zip").write_bytes(octets)
    directory = octets.index(b"PK\1\2")
    second = octets.index(b"PK\1\2", directory + 1)
    octets[second + 42 : second + 46] = octets[directory + 42 : directory + 46]  # where the member begins
    (tmp_path / "b.zip").write_bytes(octets)
    tight = msgspec.structs.replace(TINY, unpacked=1000)
    for name, bounds, number in (("a.zip", TINY, 2), ("b.zip", TINY, 1), ("a.zip", tight, 1)):
        assert len(assert_same([str(tmp_path / name)], 10, bounds)) == number


@pytest.mark.parametrize("size", [1, 300, 700])
def test_bounds_count_what_is_in_all_members_of_a_divided_archive(size: int, tmp_path: Path) -> None:
    """A nested archive may unpack to more than its directory tells; what is refused is told once."""
    nested = zipped({f"box{number}": mbox([letter(number)] * 20) for number in range(3)})
    (tmp_path / "a.zip").write_bytes(zipped({f"{number}.zip": nested for number in range(5)}) + b"behind")
    (tmp_path / "b.zip").write_bytes(zipped({f"{number}.zip": nested for number in range(2)}))
    for most in range(5, 30):
        splits = assert_same([str(tmp_path)], size, msgspec.structs.replace(TINY, members=most))
        assert len(splits) > 2
    for most in range(4000, 40_000, 1000):
        bounds = msgspec.structs.replace(TINY, unpacked=most)
        assert len(assert_same([str(tmp_path)], size, bounds)) > 2


def test_a_survey_does_not_raise(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Whatever reading raises is a trouble of those that read the parts."""
    (tmp_path / "a.zip").write_bytes(zipped({"a": FORMS["mbox"], "b": FORMS["mbox"]}))

    def fail(*_: object, **_options: object) -> None:
        raise LookupError("a defect")

    splits = list(plan([str(tmp_path / "a.zip")], size=10))
    monkeypatch.setattr("urlglean.sources.archives.member_of", fail)
    splits = list(located(splits, map(survey, splits)))
    troubles = [item for split in splits for item in unbundled(items_of(split))]
    assert troubles == [Trouble(str(tmp_path / "a.zip"), "LookupError: a defect")] * 2


SHARING = """
import sys
from urlglean.cli import main
from urlglean.pipeline.run import RunOptions, Settings
main(obj=Settings(RunOptions(chunk=64, alone=0)))
"""


def command(*arguments: object, **options: Any) -> list[str]:
    """What the command prints that shares even a little work between two processes."""
    run = [sys.executable, "-c", SHARING, "scan", "--jobs", "2", *map(str, arguments)]
    done: subprocess.CompletedProcess[str] = subprocess.run(
        run, check=False, stdout=subprocess.PIPE, text=True, **options
    )
    return done.stdout.splitlines()


@pytest.mark.parametrize("name", ["17", "pipe"])
def test_a_pipe_is_read_once(name: str, tmp_path: Path) -> None:
    """Whatever its name: that of an article is a number."""
    box, pipe = tmp_path / "box", tmp_path / name
    box.write_bytes(FORMS["mbox"])
    os.mkfifo(pipe)
    writer = threading.Thread(target=pipe.write_bytes, args=(FORMS["mbox"],))
    writer.start()
    found = command(pipe, box, "--format", "urls")
    writer.join()
    assert found == [f"http://h.example/{number}" for number in range(9)] * 2


def test_what_only_this_process_has_open_is_read_by_it(tmp_path: Path) -> None:
    """A worker has another stdin."""
    box = tmp_path / "box"
    box.write_bytes(FORMS["mbox"])
    with box.open("rb") as stdin:
        found = command("/dev/stdin", box, "--format", "urls", stdin=stdin)
    assert found == [f"http://h.example/{number}" for number in range(9)] * 2


def test_counts_are_those_of_one_process(tmp_path: Path) -> None:
    """A path that is given again after another one has a line of its own each time."""
    for name in "ab":
        (tmp_path / name).write_bytes(FORMS["mbox"])
    told = command("a", "b", "a", "a", "--count", "-q", cwd=tmp_path)
    alone = [sys.executable, "-m", "urlglean", "scan", "--jobs", "1", "a", "b", "a", "a", "--count", "-q"]
    assert told == subprocess.run(alone, check=True, capture_output=True, text=True, cwd=tmp_path).stdout.splitlines()
    assert told == ["a:9", "b:9", "a:18"]
