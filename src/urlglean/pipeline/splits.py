"""Splits: parts of the input that tasks read independently. Together they give what a scan gives, in the same order.

    splits = plan(paths)                                            # looks at names, sizes, heads of large files
    splits = located(splits, [survey(split) for split in splits])   # the surveys may be tasks
    items = [item for split in splits for item in items_of(split)]  # and so may these

A mailbox or batch is divided into ranges of octets, a zip archive into ranges of members; small files are put together.
Everything else, packed files and long texts for example, is one split. Where a range really begins, and the number of
its first message, is known only after the ranges before it were read. So each split is surveyed first, without a search
for URLs. That needs less than a tenth of the processor time of a scan.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from collections.abc import Set as AbstractSet
from itertools import chain
from typing import IO

from msgspec import Struct
from msgspec.structs import replace

from urlglean.bounds import DEFAULT, Bounds
from urlglean.output.files import FileId, file_id
from urlglean.pipeline.inputs import WRITTEN, guarded
from urlglean.records import Trouble
from urlglean.remote_urls import cause_of_fault
from urlglean.sources import FromPath
from urlglean.sources.changes import CHANGED, Sample, sample_of
from urlglean.sources.detect import kind_to_read, read, read_range
from urlglean.sources.entries import (
    Entry,
    Stdin,
    as_opened,
    entries,
    looked_at,
    number_of,
    opened_file,
    read_entry,
    stream_of,
    watched,
)
from urlglean.sources.folders import File, Repository
from urlglean.sources.globs import EVERY_FILE, Choice, Globs, choice_of
from urlglean.sources.items import Skipped
from urlglean.sources.kinds import may_wrap
from urlglean.sources.news import cross_posted, is_numbered, may_be_cross_posted, once
from urlglean.sources.ranges import FORMS, Range, RangeSurvey, surveyed
from urlglean.sources.remote import RemoteFile
from urlglean.sources.streams import HEAD
from urlglean.sources.usage import Usage

SIZE = 1 << 26
"""About how many octets of files a split has: two seconds of work or more."""

_SAMPLE = 1 << 12
"""So many octets where a range begins tell whether the file is still the one that was divided."""

_LEAST = 1 << 12
"""The least octets that an entry counts for, so that a split of empty files has a bound too."""


class Split(Struct, frozen=True, kw_only=True):
    """A part of the input: plain data, which can be sent to another machine that sees the same files.

    Attributes:
        path: the path that was given, from which its entries come.
        entries: its files, in order. If it is a part of a file, that is the only one.
        kind: what each file is read as; None: its first bytes decide. Of a range, it is always known.
        octets: the range of the file, if it is one.
        members: the members of a zip archive that it reads, by their numbers in its directory, half-open; None: all.
        used: how many octets the members before it unpack to, with all that is in them, and how many those are.
        repeated: hashes of its cross-posted articles that are in an earlier split with this path.
        articles: how many other cross-posted articles are remembered, at most.
        size: how many octets it has in its files.
        here: whether only the process that made the plan can read it, and only once, such as a pipe.
        root: which of the paths that were given it is from, counted from 0.
        number: of a part of a file: its number in its file system (inode); None if that has none.
        sample: of a range of a file here: the octets where it was to begin when the plan was made.
        globs: which of its files, and of the members of archives, are read.
    """

    path: str
    entries: tuple[Entry, ...]
    kind: str | None = None
    octets: Range | None = None
    members: tuple[int, int] | None = None
    used: tuple[int, int] = (0, 0)
    repeated: frozenset[bytes] = frozenset()
    articles: int = DEFAULT.articles
    size: int = 0
    here: bool = False
    root: int = 0
    number: int | None = None
    sample: Sample | None = None
    globs: Globs = EVERY_FILE

    @property
    def choice(self) -> Choice | None:
        """The patterns of `globs`, from `path` on."""
        return choice_of(self.globs, self.path)


class Survey(Struct, frozen=True):
    """What is known of a split after it was read once.

    Attributes:
        octets: of a range: where its messages are.
        articles: hashes of its cross-posted articles, in order, each once.
        used: of members of an archive: as in `Split`, of these.
    """

    octets: RangeSurvey | None = None
    articles: tuple[bytes, ...] = ()
    used: tuple[int, int] = (0, 0)


def plan(  # noqa: PLR0913 - what to divide, and how
    paths: Iterable[str],
    *,
    kind: str | None = None,
    size: int = SIZE,
    own: AbstractSet[FileId] = frozenset(),
    bounds: Bounds = DEFAULT,
    globs: Globs = EVERY_FILE,
) -> Iterator[Split]:
    """Divide the input into splits, in the order of a scan.

    Args:
        paths: files, folders or URLs of fsspec, as a scan takes them, but not "-".
        kind: what each file is read as, as in `sources.bundled`.
        size: about how many octets of files a split has.
        own: files that are not read, because they are being written.
        bounds: limits on what hostile input may use.
        globs: which files under the paths, and members of archives, are read.

    Raises:
        ValueError: one of the paths is "-", which can be read only once.
    """
    for root, path in enumerate(paths):
        each = Split(path=path, entries=(), kind=kind, articles=bounds.articles, globs=globs, root=root)
        together: list[Entry] = []
        held = 0
        for entry in entries(path, by_name=kind is None, choice=each.choice):
            if isinstance(entry, Stdin):
                raise ValueError("stdin cannot be divided")  # noqa: TRY004 - the value is wrong, not its type
            length, here = looked_at(entry)
            alone = here or isinstance(entry, Repository) or length > size
            if together and (alone or held >= size):
                yield replace(each, entries=tuple(together), size=held)
                together, held = [], 0
            if own and file_id(entry.path) in own:
                together.append(Skipped(entry.path, WRITTEN))
            elif alone:
                yield from _parts(replace(each, entries=(entry,), here=here, size=length), size, bounds)
            else:
                together.append(entry)
                held += max(length, _LEAST if size > _LEAST else 1)
        if together:
            yield replace(each, entries=tuple(together), size=held)


def _parts(whole: Split, size: int, bounds: Bounds) -> Iterator[Split]:
    """The splits of a large file or a repository: one, if its form cannot be divided, or if it cannot be read."""
    (entry,) = whole.entries
    if whole.here or not isinstance(entry, File | RemoteFile):
        yield whole
        return
    number: int | None = None
    try:
        with opened_file(entry) as lying:
            number = number_of(lying)
            stream = stream_of(entry, lying, as_opened(entry, lying), bounds)
            kind = kind_to_read(stream, whole.kind)
            found = kind.name
            starts = range(0, whole.size, size) if isinstance(entry, File) and found in FORMS else ()
            samples = [sample_of(lying, start, min(_SAMPLE, whole.size - start)) for start in starts]
            lying.seek(0)
            members = _sizes_of_members(lying, bounds) if found == "zip" else []
    except Exception:  # noqa: BLE001  whoever reads the split will say what is wrong
        yield whole
        return
    if whole.choice and not kind.wraps and whole.choice.left_out(entry.path):
        yield whole
    elif found in FORMS:
        for start in range(0, whole.size, size):
            end = start + size if start + size < whole.size else None
            own = min(size, whole.size - start)
            sample = samples[start // size] if samples else None
            yield replace(whole, kind=found, octets=Range(start, end), size=own, number=number, sample=sample)
    elif found == "zip" and sum(members) > size:
        for first, end in _grouped(members, size):
            yield replace(whole, members=(first, end), size=sum(members[first:end]), number=number)
    else:
        yield whole


def _sizes_of_members(lying: IO[bytes], bounds: Bounds) -> list[int]:
    from urlglean.sources.archives import zip_sizes  # noqa: PLC0415  few runs read archives, and its import takes 5 ms

    return zip_sizes(lying, bounds)


def _grouped(sizes: Sequence[int], size: int) -> Iterator[tuple[int, int]]:
    """Ranges of members that have about `size` octets together."""
    first = held = 0
    for number, own in enumerate(sizes):
        held += own
        if held >= size:
            yield first, number + 1
            first, held = number + 1, 0
    if first < len(sizes):
        yield first, len(sizes)


def survey(split: Split, bounds: Bounds = DEFAULT, *, exact: bool = False) -> Survey:
    """Read a split without looking for URLs.

    Args:
        split: one from `plan`.
        bounds: limits on what hostile input may use.
        exact: whether a message is known to begin where its range does.
    """
    if split.here:
        return Survey()
    if split.octets and split.kind:
        (entry,) = split.entries
        assert isinstance(entry, File | RemoteFile), "only files are divided"
        try:
            with opened_file(entry) as lying:
                form = FORMS[split.kind]
                return Survey(surveyed(split.octets, lambda of: of.of(entry.path, lying, bounds), form, exact=exact))
        except Exception:  # noqa: BLE001  whoever reads the split will say what is wrong
            return Survey(RangeSurvey(split.octets.start, split.octets.end))
    if split.members is None:
        split = replace(split, entries=tuple(entry for entry in split.entries if _may_be_article(entry)))
    spent = Usage(bounds)
    items = guarded(split.path, lambda: _items(split, spent))  # whoever reads the split will say what is wrong
    articles = filter(None, map(cross_posted, items if split.entries else ()))
    return Survey(articles=tuple(dict.fromkeys(articles)), used=(spent.unpacked, spent.members))


def _may_be_article(entry: Entry) -> bool:
    """Whether a file may be an article that other files hold too."""
    if not isinstance(entry, File | RemoteFile) or not is_numbered(entry.path):
        return False
    try:
        with opened_file(entry) as lying:
            head = lying.read(HEAD)
            return may_be_cross_posted(head) or may_wrap(head)
    except Exception:  # noqa: BLE001  whoever reads the split will say what is wrong
        return False


def located(splits: Iterable[Split], surveys: Iterable[Survey], bounds: Bounds = DEFAULT) -> Iterator[Split]:
    """The splits with what the splits before them say: where they begin, how many messages and articles were before.

    A range that begins elsewhere than its own survey supposed is surveyed again here. This happens where a message is
    longer than its range, or where it contains the mark of another one and states its length.

    Args:
        splits: those from `plan`, in their order.
        surveys: what `survey` said of each.
        bounds: limits on what hostile input may use.
    """
    root: int | None = None
    used = (0, 0)
    seen: set[bytes] = set()
    begin: int | None = 0
    messages = 0
    for split, known in zip(splits, surveys, strict=True):
        if split.root != root:
            root, seen = split.root, set()
        if split.octets and known.octets:
            if not split.octets.start:
                begin, messages = 0, 0
            if begin is None or (split.octets.end is not None and begin >= split.octets.end):
                continue  # a message from an earlier range reaches behind it
            octets = known.octets
            if octets.start != begin:
                again = survey(replace(split, octets=Range(begin, split.octets.end)), bounds, exact=True)
                octets = again.octets or octets
            yield replace(split, octets=Range(begin, octets.end, messages))
            begin, messages = octets.end, messages + octets.messages
        else:
            left = bounds.articles - len(seen)
            repeated = frozenset(seen.intersection(known.articles))
            seen.update([article for article in known.articles if article not in seen][:left])
            if split.members and not split.members[0]:
                used = (0, 0)
            yield replace(split, repeated=repeated, articles=left, used=used if split.members else (0, 0))
            used = (used[0] + known.used[0], used[1] + known.used[1])


def items_of(split: Split, bounds: Bounds = DEFAULT) -> Iterator[FromPath]:
    """What a split holds, as `sources.bundled` tells it of a path.

    Args:
        split: one from `located`, or from `plan` if it was the only one.
        bounds: limits on what hostile input may use.
    """
    unpacked, members = split.used
    spent = Usage(bounds, unpacked=unpacked, members=members)
    return guarded(split.path, lambda: once(_items(split, spent), split.articles, split.repeated))


def _items(split: Split, spent: Usage) -> Iterator[FromPath]:
    """What a split holds. What a part of an archive uses is added to `spent`."""
    if split.octets is None and split.members is None:
        return chain.from_iterable(read_entry(entry, split.kind, spent.bounds, split.choice) for entry in split.entries)
    (entry,) = split.entries
    assert isinstance(entry, File | RemoteFile), "only files are divided"
    return _part(split, entry, spent)


def _part(split: Split, entry: File | RemoteFile, spent: Usage) -> Iterator[FromPath]:
    try:
        lying = opened_file(entry)
    except Exception as error:  # noqa: BLE001  each protocol has exceptions of its own
        yield Trouble(entry.path, cause_of_fault(error))
        return
    with lying:
        if number_of(lying) != split.number:
            yield Trouble(entry.path, "another file has taken its place while it was read; some of it is missing")
            return
        told = as_opened(entry, lying)
        yield told
        watch = watched(entry, lying)
        if split.octets and split.kind:
            stream = split.octets.of(entry.path, watch or lying, spent.bounds)
            yield from read_range(stream, split.kind)
        else:
            stream = stream_of(entry, lying, told, spent.bounds, watch)
            stream.members, stream.spent = split.members, spent
            yield from read(stream, split.kind, split.choice)
        if stream.troubles or watch is None:
            return
        if watch.has_changed() or (split.sample and not split.sample.lies_in(lying)):
            yield Trouble(entry.path, CHANGED)
