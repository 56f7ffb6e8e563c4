"""Files, folders and streams written anew, through the command itself."""

from __future__ import annotations

import bz2
import errno
import gzip
import io
import lzma
import os
import signal
import subprocess
import sys
import tarfile
import time
import zipfile
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager, suppress
from pathlib import Path

import ncompress  # type: ignore[import-untyped]
import pytest
import zstandard
from click.testing import CliRunner, Result

from dbox_files import dbox
from rewriting import BROKEN_LINES, as_mbox, found, named, reasons, rewrite_octets
from urlglean import mail
from urlglean.archive.diff import diff
from urlglean.archive.left_alone import Reason
from urlglean.archive.rewrite import RewriteOptions, Rewriting
from urlglean.archive.rewrite_files import _Copier, troubles_of
from urlglean.archive.rewrite_paths import rewrite_to_stream
from urlglean.bounds import Bounds
from urlglean.cli import main
from urlglean.errors import UnreadableError
from urlglean.pipeline.glean import Report, glean
from urlglean.pipeline.options import Options
from urlglean.records import Document, Message, Stretch
from urlglean.windows import GRID, WindowSize

CORPUS = Path(__file__).parent.parent / "corpus" / "rewrite"
BEFORE = (CORPUS / "before" / "minutes.mbox").read_bytes()
AFTER = (CORPUS / "after" / "minutes.mbox").read_bytes()


def run(*arguments: object, octets: bytes = b"") -> Result:
    """The command, with octets for stdin."""
    return CliRunner().invoke(main, ["rewrite", *map(str, arguments)], input=octets)


def tree(folder: Path) -> dict[str, bytes | str]:
    """All files beneath a folder, and links."""
    return {
        str(each.relative_to(folder)): f"-> {each.readlink()}" if each.is_symlink() else each.read_bytes()
        for each in sorted(folder.rglob("*"))
        if each.is_symlink() or each.is_file()
    }


def test_the_corpus_is_written_anew(tmp_path: Path) -> None:
    """Each file of `before` as the file of that name in `after`, which was written by hand."""
    result = run(CORPUS / "before", "-o", tmp_path / "out")
    assert result.exit_code == 0
    assert tree(tmp_path / "out") == tree(CORPUS / "after")
    assert "12 messages and 1 text read, 9 changed, 11 URLs made whole" in result.stderr
    assert "1 broken URL left alone: it is signed" in result.stderr
    assert "1 file left as it is: it is neither mail nor text" in result.stderr


def test_the_corpus_that_was_written_anew_stays(tmp_path: Path) -> None:
    """Octet for octet."""
    assert run(CORPUS / "after", "-o", tmp_path / "out").exit_code == 0
    assert tree(tmp_path / "out") == tree(CORPUS / "after")


def test_a_tree_keeps_all_that_lies_in_it(tmp_path: Path) -> None:
    """Empty folders, links, permissions, times, what is left out of a scan; files of two names stay one file.

    A dry run tells the same of them.
    """
    source, out = tmp_path / "in", tmp_path / "out"
    for name in ("cur", "new", "tmp", ".git", "empty/deeper", "0.git/objects/pack", "0.git/refs"):
        (source / name).mkdir(parents=True)
    message = b"From: a@example.org\nNewsgroups: a.b,c.d\n\n%s\n" % BROKEN_LINES[0].encode()
    for name in (
        *("cur/1:2,S=99", "tmp/2", ".git/config", "dovecot.index.log", "empty.txt"),
        *("0.git/HEAD", "0.git/objects/pack/a.pack"),
    ):
        (source / name).write_bytes(b"" if name == "empty.txt" else message)
    (source / "other").hardlink_to(source / "cur" / "1:2,S=99")
    (source / "link").symlink_to("cur/1:2,S=99")
    (source / "folder").symlink_to("empty")
    (source / "lost").symlink_to("nowhere")
    os.mkfifo(source / "pipe")
    (source / "cur" / "1:2,S=99").chmod(0o640)
    (source / "new").chmod(0o750)
    for name in ("cur/1:2,S=99", "tmp/2", "new", "."):
        os.utime(source / name, ns=(10**18, 10**18 + 7))
    os.utime(source / "link", ns=(10**18, 10**18 + 7), follow_symlinks=False)
    result = run(source, "-o", out)
    assert result.exit_code == 2
    assert f"{source}/pipe: neither a file, a folder nor a link; not copied" in result.stderr
    assert "1 message read, 1 changed, 1 URL made whole" in result.stderr
    assert "3 files left as they are: its name says that it holds no mail" in result.stderr
    assert "2 files left as they are: a public-inbox repository is not written anew" in result.stderr
    assert run(source, "--dry-run").stderr == result.stderr
    expected = tree(source)
    new = message.replace(b"a/\nb", b"a/b").replace(b"c.d\n", b"c.d\nX-Urlglean: rejoined 1\n")
    assert tree(out) == {**expected, "cur/1:2,S=99": new, "other": new}
    assert (out / "empty" / "deeper").is_dir()
    assert (out / "other").stat().st_ino == (out / "cur" / "1:2,S=99").stat().st_ino
    for name in ("cur/1:2,S=99", "tmp/2", "new", "."):
        assert (out / name).stat().st_mode == (source / name).stat().st_mode
        assert (out / name).stat().st_mtime_ns == 10**18 + 7
    assert (out / "link").lstat().st_mtime_ns == 10**18 + 7


def test_a_maildir_may_lack_its_empty_folders(tmp_path: Path) -> None:
    """Its names state the right sizes; a file elsewhere, or by another name, is no message of one."""
    message = b"From: a@example.org\n\nsee <URL:http://www.example.org/a/\nb\nc.html>\n"
    names = [f"cur/1437941113.M1P2.a,S={len(message)}:2,S", f"box/1437941113.a,S={len(message)}"]
    for name in names:
        (tmp_path / "in" / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / "in" / name).write_bytes(message)
    assert run(tmp_path / "in", "-o", tmp_path / "out").exit_code == 0
    new = tree(tmp_path / "out")
    size = len(message) - len(b"\n\n") + len(b"X-Urlglean: rejoined 1\n")
    assert sorted(new) == sorted([f"cur/1437941113.M1P2.a,S={size}:2,S", names[1]])
    assert {len(octets) for octets in new.values() if octets} == {size}


@pytest.mark.parametrize("pack", [bytes, gzip.compress])
@pytest.mark.parametrize("end", [b"\n", b"\r\n"])
@pytest.mark.parametrize("wrong", [0, 7])
def test_the_sizes_in_names_of_a_maildir_are_right_again(
    tmp_path: Path, pack: Callable[[bytes], bytes], end: bytes, wrong: int
) -> None:
    """They are those of the message as Dovecot gives it out; one that was wrong is wrong by as much."""

    def name(octets: bytes) -> str:
        return f"1.M1P2.a,S={len(octets) + wrong},W={len(octets.replace(end, b'__')) + wrong}:2,S"

    source, out = tmp_path / "in", tmp_path / "out"
    for folder in ("cur", "new", ".kept/cur", ".kept/new"):
        (source / folder).mkdir(parents=True)
    message = b"From: a@example.org\n\nsee <URL:http://www.example.org/a/\nb\nc.html>\n".replace(b"\n", end)
    whole = message.replace(b"a/" + end + b"b" + end, b"a/b")
    new = whole.replace(b"org" + end, b"org" + end + b"X-Urlglean: rejoined 1" + end, 1)
    (source / "cur" / name(message)).write_bytes(pack(message))
    (source / ".kept" / "cur" / name(message)).hardlink_to(source / "cur" / name(message))
    (source / "new" / "2.M1P2.a,S=5").write_bytes(b"To: a")
    (source / "box,S=9").write_bytes(message)
    assert run(source, "-o", out).exit_code == 0
    assert sorted(tree(out)) == sorted(
        [f".kept/cur/{name(new)}", "box,S=9", f"cur/{name(new)}", "new/2.M1P2.a,S=5"],
    )
    written = (out / "cur" / name(new)).read_bytes()
    assert (gzip.decompress(written) if pack is gzip.compress else written) == new
    assert (out / "cur" / name(new)).samefile(out / ".kept" / "cur" / name(new))


@pytest.mark.parametrize("pack", [bytes, gzip.compress])
def test_a_message_of_a_maildir_is_one_message(tmp_path: Path, pack: Callable[[bytes], bytes]) -> None:
    """As in a scan, though procmail leaves the line of the envelope: no line of its body begins another."""
    source, out = tmp_path / "in", tmp_path / "out"
    for folder in ("cur", "new"):
        (source / folder).mkdir(parents=True)
    envelope = b"From a@example.org Sun May  1 10:00:00 1994\n"
    quoted = envelope + b"To: b\n\nsee <URL:http://www.example.org/a/\nb>\n"
    message = envelope + b"From: a@example.org\n\nit was:\n\n" + quoted
    (source / "cur" / "1.a.b:2,S").write_bytes(pack(message))
    assert "1 message read, 1 changed" in run(source, "-o", out).stderr
    new = message.replace(b"a/\nb", b"a/b").replace(b"org\n\nit", b"org\nX-Urlglean: rejoined 1\n\nit")
    written = (out / "cur" / "1.a.b:2,S").read_bytes()
    assert (gzip.decompress(written) if pack is gzip.compress else written) == new


def test_a_name_that_another_message_has_is_not_given(tmp_path: Path) -> None:
    """Two messages whose names differ by their sizes only are none that a program wrote."""
    source, out = tmp_path / "in", tmp_path / "out"
    for folder in ("cur", "new"):
        (source / folder).mkdir(parents=True)
    message = b"From: a@example.org\n\nsee <URL:http://www.example.org/a/\nb>\n"
    (source / "cur/1,S=09").write_bytes(b"To: a\n")
    (source / "cur/1,S=10").write_bytes(message)
    assert run(source, "-o", out, "--no-mark").exit_code == 0
    assert sorted(tree(out)) == ["cur/1,S=09", "cur/1,S=9"]
    (source / "cur/1,S=09").rename(source / "cur/1,S=9")
    assert run(source, "-o", tmp_path / "other", "--no-mark").exit_code == 0
    assert sorted(tree(tmp_path / "other")) == ["cur/1,S=10", "cur/1,S=9"]


def _lzw(octets: bytes) -> bytes:
    coded: bytes = ncompress.compress(octets)
    return coded


def _unlzw(octets: bytes) -> bytes:
    text: bytes = ncompress.decompress(octets)
    return text


PACKED: dict[str, tuple[Callable[[bytes], bytes], Callable[[bytes], bytes]]] = {
    "gzip": (lambda octets: gzip.compress(octets, mtime=77), gzip.decompress),
    "bzip2": (bz2.compress, bz2.decompress),
    "xz": (lzma.compress, lambda octets: lzma.decompress(octets, lzma.FORMAT_XZ)),
    "lzma": (
        lambda octets: lzma.compress(octets, lzma.FORMAT_ALONE),
        lambda octets: lzma.decompress(octets, lzma.FORMAT_ALONE),
    ),
    "zstd": (
        lambda octets: zstandard.ZstdCompressor().compress(octets),
        lambda octets: zstandard.ZstdDecompressor().stream_reader(octets, read_across_frames=True).read(),
    ),
    "compress": (_lzw, _unlzw),
    "gzip in bzip2": (
        lambda octets: bz2.compress(gzip.compress(octets)),
        lambda octets: gzip.decompress(bz2.decompress(octets)),
    ),
}


@pytest.mark.parametrize("name", PACKED)
def test_what_is_compressed_is_compressed_in_the_same_way(name: str) -> None:
    """If something has changed; else the octets are the same, whatever wrote them."""
    pack, unpack = PACKED[name]
    new, _ = rewrite_octets(pack(BEFORE))
    assert unpack(new) == AFTER
    assert rewrite_octets(pack(AFTER))[0] == pack(AFTER)
    if name == "gzip":
        assert int.from_bytes(new[4:8], "little") == 77


# Files of compress(1) have no end that could be missing; that of zstd is not missed by its library.
@pytest.mark.parametrize("name", ["gzip", "bzip2", "xz", "lzma", "gzip in bzip2"])
def test_what_cannot_be_unpacked_whole_is_copied(name: str, tmp_path: Path) -> None:
    """With a trouble; nothing is half done."""
    torn = PACKED[name][0](BEFORE * 50)[:-20]
    (tmp_path / "in").write_bytes(torn)
    result = run(tmp_path / "in", "-o", tmp_path / "out")
    assert (tmp_path / "out").read_bytes() == torn
    assert (result.exit_code, "copied as it is" in result.stderr) == (2, True)


def archived(kind: str) -> bytes:
    """An archive file with a mailbox in it."""
    file = io.BytesIO()
    if kind == "zip":
        with zipfile.ZipFile(file, "w") as zipped:
            zipped.writestr("box", BEFORE)
    else:
        with tarfile.open(fileobj=file, mode="w") as tarred:
            info = tarfile.TarInfo("box")
            info.size = len(BEFORE)
            tarred.addfile(info, io.BytesIO(BEFORE))
    return file.getvalue()


NO_DBOX = "a dbox file is not written anew: Dovecot's indexes hold the places and sizes of its messages"


@pytest.mark.parametrize(
    ("octets", "cause"),
    [
        (archived("zip"), "the members of a zip archive are not written anew"),
        (archived("tar"), "the members of a tar archive are not written anew"),
        (b"#! cunbatch\n" + gzip.compress(BEFORE), "a packed batch is not written anew"),
        (dbox([BEFORE]), NO_DBOX),
        (BEFORE.replace(b"\n", b"\r"), "a mailbox whose lines end in CR is not written anew"),
        (b"GIF89a", "it is neither mail nor text"),
        (b"", "empty"),
    ],
)
def test_a_file_that_is_copied_as_it_is_is_counted(octets: bytes, cause: str, tmp_path: Path) -> None:
    """With the reason."""
    (tmp_path / "in").write_bytes(octets)
    result = run(tmp_path / "in", "-o", tmp_path / "out")
    assert result.exit_code == 0
    assert (tmp_path / "out").read_bytes() == octets
    assert f"1 file left as it is: {cause}\n" in result.stderr


@pytest.mark.parametrize("octets", [b"CRYPTED\3\7\2\0\0", b"\1\0\2", bytes(20_480)])
def test_a_message_that_cannot_be_read_is_copied_and_told(octets: bytes, tmp_path: Path) -> None:
    """In a Maildir, each file should be one; the status is as that of a scan."""
    for name in ("cur", "new", "tmp"):
        (tmp_path / "in" / name).mkdir(parents=True)
    (tmp_path / "in" / "cur" / "1795795541.a.b:2,S").write_bytes(octets)
    result = run(tmp_path / "in", "-o", tmp_path / "out")
    assert result.exit_code == 2
    assert (tmp_path / "out" / "cur" / "1795795541.a.b:2,S").read_bytes() == octets
    assert "copied as it is" in result.stderr


def test_a_file_of_a_maildir_may_be_given_itself(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """It is one message, also if it quotes another with its envelope. What comes from stdin is a mailbox."""
    for name in ("cur", "new", "tmp"):
        (tmp_path / name).mkdir()
    (tmp_path / "cur" / "1795795541.a.b").write_bytes(BEFORE)
    monkeypatch.chdir(tmp_path / "cur")
    for path in ("1795795541.a.b", "."):
        assert "1 message read" in run(path, "--dry-run").stderr
    assert "1 message read" not in run("-", "--dry-run", octets=BEFORE).stderr


def test_stdin_goes_to_stdout(tmp_path: Path) -> None:
    """Compressed or not; so does a file without -o, and -o - says so too."""
    (tmp_path / "in").write_bytes(BEFORE)
    assert run(octets=BEFORE).stdout_bytes == AFTER
    assert run("-", "-o", "-", octets=BEFORE).stdout_bytes == AFTER
    assert run(tmp_path / "in").stdout_bytes == AFTER
    assert gzip.decompress(run(octets=gzip.compress(BEFORE)).stdout_bytes) == AFTER
    assert run("-", "-o", tmp_path / "out", octets=BEFORE).exit_code == 0
    assert (tmp_path / "out").read_bytes() == AFTER


def test_several_paths_become_entries_of_a_folder(tmp_path: Path) -> None:
    """With their last names; two of one name are refused."""
    (tmp_path / "in").mkdir()
    (tmp_path / "in" / "box").write_bytes(BEFORE)
    (tmp_path / "box").write_bytes(AFTER)
    assert run(tmp_path / "in", tmp_path / "box", "-o", tmp_path / "out").exit_code == 0
    assert tree(tmp_path / "out") == {"in/box": AFTER, "box": AFTER}
    result = run(tmp_path / "in" / "box", tmp_path / "box", "-o", tmp_path / "no")
    assert (result.exit_code, "a name of its own" in result.stderr) == (2, True)
    assert not (tmp_path / "no").exists()


@pytest.mark.parametrize(
    ("arguments", "cause"),
    [
        (("in", "-o", "there"), "there is there, and is not overwritten"),
        (("in", "-o", "dangling"), "is not overwritten"),
        (("in", "-o", "taken"), "taken.part is there: unless another run writes it, move it away"),
        (("in", "-o", "in/out"), "lie in one another"),
        (("in/deep", "-o", "in"), "lie in one another"),
        (("in", "-o", "no/such"), "cannot write"),
        (("nowhere", "-o", "out"), "nowhere"),
        (("in",), "need -o OUT"),
        (("-", "in", "-o", "out"), "stdin is written anew alone"),
        (("box", "--least", "nan"), "nan is no number"),
    ],
)
def test_wrong_arguments_write_nothing(
    arguments: tuple[str, ...], cause: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What is there stays."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "in" / "deep").mkdir(parents=True)
    for name in ("in/box", "in/deep/box", "there", "taken.part", "box"):
        (tmp_path / name).write_bytes(BEFORE)
    (tmp_path / "dangling").symlink_to("nowhere")
    before = tree(tmp_path)
    result = run(*arguments)
    assert result.exit_code == 2
    assert cause in result.stderr
    assert tree(tmp_path) == before


@contextmanager
def writing(folder: Path, stderr: int) -> Iterator[subprocess.Popen[bytes]]:
    """A run that writes the folder "in" anew as "out", and has begun to do so."""
    (folder / "in").mkdir()
    (folder / "in" / "box").write_bytes(BEFORE * 20_000)
    command = [sys.executable, "-m", "urlglean", "rewrite", "in", "-o", "out"]
    with subprocess.Popen(command, cwd=folder, stderr=stderr) as process:
        while not (folder / "out.part" / "box").exists():
            assert process.poll() is None
            time.sleep(0.01)
        yield process


def test_a_run_that_is_killed_leaves_nothing_under_its_name(tmp_path: Path) -> None:
    """`kill -9` while it writes."""
    with writing(tmp_path, subprocess.DEVNULL) as process:
        process.send_signal(signal.SIGKILL)
    assert sorted(each.name for each in tmp_path.iterdir()) == ["in", "out.part"]


def test_ctrl_c_leaves_nothing(tmp_path: Path) -> None:
    """And says so by its status."""
    with writing(tmp_path, subprocess.PIPE) as process:
        process.send_signal(signal.SIGINT)
        _, said = process.communicate()
    assert (process.returncode, said) == (130, b"urlglean: interrupted\n")
    assert [each.name for each in tmp_path.iterdir()] == ["in"]


@pytest.mark.parametrize(("error", "is_all_over"), [(errno.EACCES, False), (errno.ENOSPC, True)])
def test_a_file_that_cannot_be_read_is_told_and_a_full_disk_ends_all(
    error: int, is_all_over: object, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It is copied if it can be, and the others are written; or nothing is."""
    (tmp_path / "in").mkdir()
    for name in ("bad", "good"):
        (tmp_path / "in" / name).write_bytes(BEFORE)
    once, finish = iter([True]), _Copier.finish

    def failing(copier: _Copier) -> None:
        if next(once, None):
            raise OSError(error, os.strerror(error), "bad")
        finish(copier)

    monkeypatch.setattr("urlglean.archive.rewrite_files._Copier.finish", failing)
    result = run(tmp_path / "in", "-o", tmp_path / "out")
    assert result.exit_code == 2
    assert os.strerror(error).lower() in result.stderr.lower()
    if is_all_over:
        assert [each.name for each in tmp_path.iterdir()] == ["in"]
    else:
        assert tree(tmp_path / "out") == {"bad": BEFORE, "good": AFTER}


@pytest.mark.parametrize("to_file", [False, True])
def test_a_file_that_cannot_be_opened_is_not_said_to_be_unwritable(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, *, to_file: bool
) -> None:
    """The message is that of a scan."""
    path = tmp_path / "in"
    path.write_bytes(BEFORE)

    def refused(_path: Path, _mode: str) -> None:
        raise PermissionError(errno.EACCES, os.strerror(errno.EACCES))

    monkeypatch.setattr("urlglean.archive.rewrite_paths.Path.open", refused)
    result = run(path, *(("-o", tmp_path / "out") if to_file else ()))
    assert (result.exit_code, result.stderr) == (2, f"urlglean: {path}: Permission denied\n")


def test_what_comes_from_a_pipe_has_a_bound(tmp_path: Path) -> None:
    """It lies in a temporary file meanwhile."""
    options = RewriteOptions(glean=Options(bounds=Bounds(spooled=9)))
    os.mkfifo(tmp_path / "in")
    with suppress(BrokenPipeError), ThreadPoolExecutor() as others:
        others.submit((tmp_path / "in").write_bytes, BEFORE)
        with pytest.raises(UnreadableError, match="longer than 9 bytes; to rewrite it, write it to a file first"):
            list(rewrite_to_stream(str(tmp_path / "in"), io.BytesIO(), options))


def test_nothing_is_left_of_stdin_when_the_process_is_killed(tmp_path: Path) -> None:
    """The temporary file has no name."""
    command = [sys.executable, "-m", "urlglean", "rewrite", "-"]
    env = os.environ | {"TMPDIR": str(tmp_path)}
    with (
        suppress(BrokenPipeError),
        subprocess.Popen(command, env=env, stdin=subprocess.PIPE, stdout=subprocess.DEVNULL) as process,
    ):
        assert process.stdin is not None
        process.stdin.write(BEFORE * 100_000)  # more than a pipe holds, so that it is being read
        process.kill()
        process.wait()
    assert not list(tmp_path.iterdir())


def test_a_disk_that_is_full_is_told_with_the_name_of_the_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Python names no file where a write fails."""

    def failing(_copier: _Copier) -> None:
        raise OSError(errno.EFBIG, os.strerror(errno.EFBIG))

    monkeypatch.setattr("urlglean.archive.rewrite_files._Copier.finish", failing)
    (tmp_path / "in").write_bytes(BEFORE)
    result = run(tmp_path / "in", "-o", tmp_path / "out")
    assert (result.exit_code, result.stderr) == (2, f"urlglean: cannot write {tmp_path}/out: file too large\n")


def test_what_could_not_be_read_of_a_message_is_told(tmp_path: Path) -> None:
    """It may hold a broken URL, which stays so."""
    (tmp_path / "mail").write_bytes(b"From: a@b.example\n" + b"X: y\n" * 10_000 + b"\nhttp://www.example.org/\n")
    result = run(tmp_path / "mail", "-o", tmp_path / "out")
    assert result.exit_code == 2
    assert "mail: more than 10,000 header fields" in result.stderr
    assert (tmp_path / "out").read_bytes() == (tmp_path / "mail").read_bytes()


def test_only_what_takes_too_much_is_left_as_it_is(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The messages beside it are written anew. It is tried once: what it takes, it takes once."""
    tried = []

    def hungry(documents: Sequence[Document], options: Options) -> list[Report]:
        if any(b"hungry" in document.data for document in documents):
            tried.append(len(documents))
            raise MemoryError
        return glean(documents, options)

    monkeypatch.setattr("urlglean.archive.rewrite.glean", hungry)
    broken = b"From: a@b.example\n\n<URL:http://www.example.org/long/\nname.html>\n"
    box = as_mbox([broken, broken + b"hungry\n", broken], lengths=False)
    (tmp_path / "box").write_bytes(box)
    result = run(tmp_path / "box", "-o", tmp_path / "out", "--no-mark")
    assert result.exit_code == 2
    assert "box[2]: MemoryError" in result.stderr
    assert "3 messages read, 2 changed" in result.stderr
    assert (tmp_path / "out").read_bytes().count(b"long/\nname") == 1
    assert tried == [1]


def test_an_error_leaves_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Not even a part."""
    (tmp_path / "in").write_bytes(BEFORE)

    def full(*_arguments: object) -> None:
        raise OSError(28, "No space left on device", "out.part")

    monkeypatch.setattr("urlglean.archive.rewrite_files._Copier.finish", full)
    result = run(tmp_path / "in", "-o", tmp_path / "out")
    assert (result.exit_code, "no space left" in result.stderr) == (2, True)
    assert [each.name for each in tmp_path.iterdir()] == ["in"]


def test_a_closed_pipe_is_success(tmp_path: Path) -> None:
    """Its reader needs no more."""
    (tmp_path / "box").write_bytes(BEFORE * 2_000)
    command = f"{sys.executable} -m urlglean rewrite box | head -c 10; exit ${{PIPESTATUS[0]}}"
    assert subprocess.run(["bash", "-c", command], cwd=tmp_path, check=False, capture_output=True).returncode == 0


def test_a_dry_run_shows_what_would_be_changed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """In the decoded texts; and what is left alone. Nothing is written."""
    monkeypatch.chdir(tmp_path)
    Path("box").write_bytes(BEFORE)
    result = run("--dry-run", "box")
    assert result.exit_code == 0
    assert result.stdout_bytes == (CORPUS / "minutes.diff").read_bytes()
    assert "box[3]: http://www.example.org/minutes/1995/january.html: left alone: it is signed" in result.stderr
    assert [each.name for each in tmp_path.iterdir()] == ["box"]


@pytest.mark.parametrize("option", ["--dry-run", "--check"])
def test_what_writes_nothing_has_no_output(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, option: str) -> None:
    """A file that was asked for, and is not there, would be missed later."""
    monkeypatch.chdir(tmp_path)
    Path("box").write_bytes(BEFORE)
    result = run(option, "box", "-o", "new")
    assert (result.exit_code, f"{option} writes nothing: it goes without -o" in result.stderr) == (2, True)


def test_a_long_text_is_written_anew_window_by_window() -> None:
    """Also at the seams of the windows."""
    line = "see <URL:http://www.example.org/{}/\npage.html> and more of it\n"
    text = "".join(line.format("x" * (number % 50)) for number in range(400)).encode()
    new, outcomes = rewrite_octets(text, in_windows())
    assert len(outcomes) > 3
    assert new == text.replace(b"/\npage", b"/page")
    text = "\u00e9".encode() + text
    assert rewrite_octets(text, in_windows())[0] == text.replace(b"/\npage", b"/page")


def in_windows() -> RewriteOptions:
    """Options with which a text of some thousand characters is read in several windows."""
    return RewriteOptions(glean=Options(bounds=Bounds(window=WindowSize(own=2 * GRID, margin=GRID, run=8 * GRID))))


LONG_ADDED = "@@ -0,0 +1,1003 @@\n" + "".join(f"+line {number} of a new file\n" for number in range(1000))


@pytest.mark.parametrize(
    ("above", "reason"),
    [
        ("-----BEGIN PGP SIGNED MESSAGE-----\nHash: SHA1\n\n" + "one line of many\n" * 2000, Reason.SIGNED),
        (LONG_ADDED, Reason.PATCH),
        (LONG_ADDED.replace("\n", "\n\t"), Reason.PATCH),
    ],
)
def test_a_window_knows_of_the_signature_and_the_change_above_it(above: str, reason: Reason) -> None:
    """Both begin many windows before it. Behind the change, the URL is made whole."""
    indent = "+" if reason == Reason.PATCH else ""
    text = f"{above}{indent}<URL:http://www.example.org/\n{indent}page.html>\n{indent}end\n"
    new, outcomes = rewrite_octets(text.encode(), in_windows())
    assert len(outcomes) > 3
    assert reasons(outcomes) == [reason]
    assert new == text.encode()
    behind = f"{above.rstrip()}\nno more of it\n" + " and more text\n" * 1000 + text[len(above) :]
    whole = rewrite_octets(behind.encode(), in_windows())[0] != behind.encode()
    assert whole == (reason == Reason.PATCH)


@pytest.mark.parametrize("reader", ["urlglean.pipeline.glean.read_stretch", "urlglean.archive.rewrite.glean"])
@pytest.mark.parametrize("encoding", ["utf-8", "utf-16"])
@pytest.mark.parametrize(
    ("sign", "reason"), [("-----BEGIN PGP SIGNED MESSAGE-----\n", Reason.SIGNED), (LONG_ADDED, Reason.PATCH)]
)
def test_a_window_knows_of_one_above_it_that_could_not_be_read(
    monkeypatch: pytest.MonkeyPatch, sign: str, reason: Reason, encoding: str, reader: str
) -> None:
    """Its octets tell that a signature or a change begins in it."""
    reading: Callable[..., object] = glean if reader.endswith("glean") else mail.read_stretch

    def hungry(first: bytes | Sequence[Document], *others: object) -> object:
        octets = first if isinstance(first, bytes) else first[0].data
        if sign[:10].encode(encoding)[-20:] in octets:
            raise MemoryError
        return reading(first, *others)

    monkeypatch.setattr(reader, hungry)
    indent = "+" if reason == Reason.PATCH else ""
    text = (
        "first\n"
        + sign
        + f"{indent}one line of many\n" * 3000
        + f"{indent}<URL:http://www.example.org/\n{indent}page.html>\n"
    )
    new, outcomes = rewrite_octets(text.encode(encoding), in_windows())
    assert any(troubles_of(each) for each in outcomes)
    assert reasons(outcomes) == [reason]
    assert new == text.encode(encoding)


def test_a_window_that_takes_too_much_memory_is_left_as_it_is(monkeypatch: pytest.MonkeyPatch) -> None:
    """The others are written anew, and it is told."""
    reading = mail.read_stretch

    def hungry(octets: bytes, stretch: Stretch, start: int) -> Message:
        if 10_000 < stretch.window.start < 20_000:
            raise MemoryError
        return reading(octets, stretch, start)

    monkeypatch.setattr("urlglean.pipeline.glean.read_stretch", hungry)
    text = "see <URL:http://www.example.org/\npage.html> and more of it\n" * 1000
    new, outcomes = rewrite_octets(text.encode(), in_windows())
    assert all("MemoryError" in trouble.cause for each in outcomes for trouble in troubles_of(each))
    assert 1 <= sum(len(troubles_of(each)) for each in outcomes) <= 2
    assert 0 < new.count(b"/\npage") < 500


def test_a_diff_of_a_long_text_counts_its_lines_from_the_beginning() -> None:
    """Not from that of the window."""
    text = "one line of many\n" * 5000 + "<URL:http://www.example.org/\npage.html>\n"
    _, outcomes = rewrite_octets(text.encode(), in_windows())
    (changed,) = (each for each in outcomes if isinstance(each, Rewriting) and each.rejoined)
    assert [line for line in diff(changed) if line.startswith("@@")] == ["@@ -4998,5 +4998,4 @@"]


def test_a_message_that_is_longer_than_is_read_is_left_alone() -> None:
    """The others in the mailbox are not."""
    held = [b"From: a@example.org\n\n" + BROKEN_LINES[0].encode() + b"\n" + b"x\n" * size for size in (1, 3000, 1)]
    box = as_mbox(held, lengths=False)
    new, outcomes = rewrite_octets(box, RewriteOptions(glean=Options(bounds=Bounds(document=2000))))
    assert new.count(b"a/b.html") == 2
    assert Reason.CUT in reasons(outcomes)


def test_what_stands_before_the_first_message_stays_before_it() -> None:
    """It is read as text, and written anew as text."""
    box = b"\0\0\0" + BROKEN_LINES[0].encode() + b"\n\n" + BEFORE
    new, _ = rewrite_octets(box)
    assert new == b"\0\0\0" + BROKEN_LINES[0].replace("a/\nb", "a/b").encode() + b"\n\n" + AFTER
    assert [url[3] for url in named(found(new))] == [url[3] for url in named(found(box))]


def test_a_path_with_nothing_is_told_as_such(tmp_path: Path) -> None:
    """It is not said that it could not be written."""
    result = CliRunner().invoke(main, ["rewrite", "--check", str(tmp_path / "none")])
    assert (result.exit_code, result.stderr) == (2, f"urlglean: {tmp_path / 'none'}: No such file or directory\n")
