"""What a scan reads: `--include`, `--exclude`, `--files-from`, `--stdin-name`."""

from __future__ import annotations

import io
import json
import os
import shutil
import subprocess
import tarfile
import zipfile
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from urlglean.cli import main
from urlglean.errors import PatternError
from urlglean.pipeline.inputs import opened
from urlglean.pipeline.splits import items_of, located, plan, survey
from urlglean.records import Document, Trouble
from urlglean.sources import Skipped, unbundled
from urlglean.sources.globs import EXCLUDED, NOT_INCLUDED, Choice, Globs

NAMES = ("a.txt", "b.log", "old/a.txt", "old/deep/c.txt")


@pytest.fixture
def tree(tmp_path: Path) -> Path:
    """A folder with four texts, and with a zip and a packed tar archive of texts with the same names."""
    folder = tmp_path / "tree"
    packed = io.BytesIO()
    with tarfile.open(fileobj=packed, mode="w:gz") as tar, zipfile.ZipFile(tmp_path / "z.zip", "w") as archive:
        for name in NAMES:
            text = f"see http://{name.replace('/', '-')}.example/ here\n".encode()
            path = folder / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(text)
            archive.writestr(name, text)
            info = tarfile.TarInfo(f"./{name}")
            info.size = len(text)
            tar.addfile(info, io.BytesIO(text))
    (tmp_path / "z.zip").rename(folder / "z.zip")
    (folder / "t.tgz").write_bytes(packed.getvalue())
    return folder


def read(folder: Path, *, include: tuple[str, ...] = (), exclude: tuple[str, ...] = ()) -> list[str]:
    """What is read, from the folder on: `path!member`."""
    items = unbundled(opened([str(folder)], globs=Globs(include, exclude)))
    places = [(each.path, each.member) for each in items if isinstance(each, Document)]
    return ["!".join(filter(None, (os.path.relpath(path, folder), member))) for path, member in places]


PLAIN = list(NAMES)
IN_TAR = [f"t.tgz!./{name}" for name in NAMES]
IN_ZIP = [f"z.zip!{name}" for name in NAMES]
EVERYTHING = [*PLAIN, *IN_TAR, *IN_ZIP]


def in_all(*names: str) -> list[str]:
    """The files of these names in the folder and in both archives."""
    return [place for place in EVERYTHING if place.partition("!")[2].removeprefix("./") in names or place in names]


@pytest.mark.parametrize(
    ("include", "exclude", "given"),
    [
        ((), (), EVERYTHING),
        (("*.txt",), (), in_all("a.txt", "old/a.txt", "old/deep/c.txt")),
        (("/a.txt",), (), ["a.txt"]),
        (("old/*.txt",), (), ["old/a.txt"]),
        (("**/old/*.txt",), (), in_all("old/a.txt")),
        (("deep/",), (), in_all("old/deep/c.txt")),
        (("*.zip",), (), IN_ZIP),
        (("z.zip/a.txt", "t.tgz/b.log"), (), ["t.tgz!./b.log", "z.zip!a.txt"]),
        ((), ("*.txt",), in_all("b.log")),
        ((), ("old",), in_all("a.txt", "b.log")),
        ((), ("/old",), [place for place in EVERYTHING if not place.startswith("old/")]),
        ((), ("*.zip", "t.tgz"), PLAIN),
        ((), ("z.zip/old/", "*.tgz"), [*PLAIN, "z.zip!a.txt", "z.zip!b.log"]),
        (("*.txt",), ("old/",), in_all("a.txt")),
        ((), ("/old/**/", "*.tgz", "*.zip"), [place for place in PLAIN if "deep" not in place]),
        (("old/**/",), (), ["old/deep/c.txt"]),
        (("nothing",), (), []),
    ],
)
def test_patterns_are_those_of_git(
    tree: Path, include: tuple[str, ...], exclude: tuple[str, ...], given: list[str]
) -> None:
    """An archive is like a folder: a pattern matches in it as beside it."""
    assert read(tree, include=include, exclude=exclude) == given


def test_the_path_that_was_given_has_no_part_in_it(tree: Path) -> None:
    """Patterns look at what is under it. A slash at its end makes no difference."""
    assert read(tree, exclude=(tree.name,)) == EVERYTHING
    items = unbundled(opened([f"{tree}/"], globs=Globs(("/a.txt",))))
    assert [each.path for each in items if isinstance(each, Document)] == [f"{tree}/a.txt"]


def test_a_file_that_was_given_is_read(tree: Path) -> None:
    """Who names it wants it. Of an archive, the patterns choose the members."""
    assert read(tree / "b.log", include=("*.txt",), exclude=("b.log",)) == ["."]
    assert read(tree / "z.zip", include=("old/*",)) == [".!old/a.txt", ".!old/deep/c.txt"]


@pytest.mark.parametrize("exclude", [("old/", "!old/deep/"), ("old", "!c.txt"), ("*", "!a.txt"), ("deep/", "!*.txt")])
def test_nothing_below_an_excluded_folder_comes_back(tree: Path, exclude: tuple[str, ...]) -> None:
    """As in git (gitignore(5)); a folder and an archive of it give the same."""
    with tarfile.open(tree.parent / "all.tar", "w") as archive:
        archive.add(tree, ".")
    in_folder, in_archive = read(tree, exclude=exclude), read(tree.parent / "all.tar", exclude=exclude)
    assert sorted(os.path.normpath(name.replace("!", "/")) for name in in_archive) == sorted(
        os.path.normpath(name.replace("!", "/")) for name in in_folder
    )


@pytest.mark.parametrize(
    "exclude",
    [
        *(("*", "!*/", "!*.txt"), ("old/*", "!old/deep/"), ("old/**", "!old/deep/", "!c.txt"), ("old/", "!old/deep/")),
        *(
            ("*.txt", "!old/", "!c.txt"),
            ("**/deep", "!old/deep/"),
            ("*", "!old/"),
            ("!*", "old"),
            ("/old/*", "!/old/a.txt"),
        ),
    ],
)
def test_patterns_mean_what_they_mean_to_git(tree: Path, exclude: tuple[str, ...]) -> None:
    """Git reads the same of the folder, and an archive of it gives the same."""
    if shutil.which("git") is None:
        pytest.skip("git is not installed")
    (tree / "z.zip").unlink()
    (tree / "t.tgz").unlink()
    with tarfile.open(tree.parent / "all.tar", "w") as archive:
        archive.add(tree, ".")
    subprocess.run(("git", "init", "-q"), cwd=tree, check=True)
    (tree / ".git" / "info" / "exclude").write_text("\n".join(exclude))
    listed = subprocess.run(
        ("git", "ls-files", "-o", "--exclude-standard"), cwd=tree, check=True, capture_output=True, text=True
    )
    names = sorted(listed.stdout.split())
    assert sorted(read(tree, exclude=exclude)) == names
    assert (
        sorted(os.path.normpath(each.partition("!")[2]) for each in read(tree.parent / "all.tar", exclude=exclude))
        == names
    )


def test_what_is_left_out_is_told(tree: Path) -> None:
    """An excluded folder once, since it is not looked into; each file that is not included."""
    items = list(unbundled(opened([str(tree)], globs=Globs(("*.log",), ("old/", "*.zip", "*.tgz")))))
    assert [each for each in items if isinstance(each, Skipped)] == [
        Skipped(f"{tree}/a.txt", NOT_INCLUDED),
        Skipped(f"{tree}/old", EXCLUDED),
        Skipped(f"{tree}/t.tgz", EXCLUDED),
        Skipped(f"{tree}/z.zip", EXCLUDED),
    ]


def test_what_is_left_out_cannot_be_a_trouble(tree: Path) -> None:
    """It was not to be read."""
    (tree / "lost.dat").symlink_to("nowhere")
    with zipfile.ZipFile(tree / "y.zip", "w") as archive:
        archive.writestr("secret.dat", "x")
    octets = bytearray((tree / "y.zip").read_bytes())
    octets[6] |= 1  # encrypted
    octets[octets.index(b"PK\1\2") + 8] |= 1
    (tree / "y.zip").write_bytes(octets)
    troubles = [
        [each for each in unbundled(opened([str(tree)], globs=globs)) if isinstance(each, Trouble)]
        for globs in (Globs(), Globs(("*.txt",)), Globs((), ("*.dat",)))
    ]
    assert [len(each) for each in troubles] == [2, 0, 0]


@pytest.mark.parametrize("size", [1, 100, 1 << 20])
@pytest.mark.parametrize(
    "globs",
    [
        Globs(),
        Globs(("*.txt", "/box")),
        Globs((), ("old/", "b.log")),
        Globs(("*.zip",), ("a.txt",)),
        Globs((), ("/box",)),
    ],
)
def test_splits_hold_what_is_chosen(tree: Path, globs: Globs, size: int) -> None:
    """However finely the input is divided: a mailbox and an archive into ranges too."""
    box = "From a@b.example Mon Jan  3 10:00:00 1994\nFrom: a@b.example\n\nhttp://a.example/\n\n"
    (tree / "box").write_text(box * 5)
    splits = list(plan([str(tree)], size=size, globs=globs))
    held = located(splits, [survey(split) for split in splits])
    items = unbundled(item for split in held for item in items_of(split))
    assert list(items) == list(unbundled(opened([str(tree)], globs=globs)))


def test_a_repository_is_read_whole_or_not(tmp_path: Path) -> None:
    """It is a folder to the patterns, and its messages have no names."""
    folder = tmp_path / "mail" / "0.git"
    (folder / "objects").mkdir(parents=True)
    (folder / "refs").mkdir()
    (folder / "HEAD").write_text("ref: refs/heads/master\n")
    for globs, cause in ((Globs(("*.txt",)), NOT_INCLUDED), (Globs((), ("*.git",)), EXCLUDED)):
        assert list(opened([str(tmp_path / "mail")], globs=globs)) == [Skipped(str(folder), cause)]


@pytest.mark.parametrize("pattern", ["", "  ", "# notes", "[z-a]", "\\", "[[:letter:]]", r"[\]x]"])
def test_what_is_no_pattern_is_refused(tree: Path, pattern: str) -> None:
    """It would include nothing, or exclude nothing, without a word."""
    with pytest.raises(PatternError):
        Globs((pattern,))
    for option in ("--include", "--exclude"):
        assert run(option, pattern, tree).exit_code == 2


@pytest.mark.parametrize(
    ("pattern", "matches"),
    [
        ("[[:alpha:]].txt", "aBz"),
        ("[![:alpha:]].txt", "5_!]["),
        ("[^[:digit:]_].txt", "aBz!]["),
        ("[[:punct:]x].txt", "_!]["),
        ("[[:graph:]].txt", "aBz5_!]["),
        ("[[:xdigit:][:space:]].txt", "aB5"),
        ("[][].txt", "]["),
        (r"\[[[:upper:]].txt", ""),
    ],
)
def test_sets_are_those_of_git(pattern: str, matches: str) -> None:
    """With the classes of POSIX, and brackets in them. `git check-ignore` gives the same."""
    choice = Choice(Globs(exclude=(pattern,)), "top")
    assert [each for each in "aBz5_!][" if choice.left_out(f"top/{each}.txt")] == list(matches)


@pytest.mark.parametrize(
    ("pattern", "matches"),
    [
        ("*[!a-z.]*", "d_"),
        ("sub[!x]mail.txt", ""),
        ("sub[+-9]mail.txt", ""),
        ("/*[^[:alpha:].]*", "d_"),
        (r"s\[!x]*", ""),
        ("s*[!x]l.txt", ""),
        ("sub/[!x]*", "sub/mail.txt"),
        ("sub*/mail*.txt", "sub/mail.txt"),
        ("sub*", "sub/mail.txt"),
        ("d_*", "d_"),
        ("d[_]*", "d_"),
    ],
)
def test_a_set_matches_no_slash(pattern: str, matches: str) -> None:
    """`git check-ignore` gives the same."""
    choice = Choice(Globs(exclude=(pattern,)), "top")
    paths = ["sub/mail.txt", "mail.txt", "d_"]
    assert [each for each in paths if choice.left_out(f"top/{each}")] == ([matches] if matches else [])


def run(*arguments: object, stdin: str | bytes = "") -> Result:
    """Run the command in this process."""
    return CliRunner().invoke(main, ["scan", "--format", "jsonl", *map(str, arguments)], input=stdin)


def paths_of(result: Result) -> list[str]:
    """The column `path` of the rows."""
    return [json.loads(line)["path"] for line in result.stdout.splitlines()]


def test_the_command_takes_patterns(tree: Path) -> None:
    """What is left out is counted as what is left out otherwise."""
    done = run("--include", "*.txt", "--exclude", "old", "--exclude", "*.tgz", tree)
    assert paths_of(done) == [f"{tree}/a.txt", f"{tree}/z.zip"]
    assert ", 6 left out, " in done.stderr  # b.log, old, t.tgz; in z.zip b.log and two in old
    assert run("--include", "nothing", tree).exit_code == 1


def test_paths_are_read_from_a_list(tree: Path, tmp_path: Path) -> None:
    """Behind those of the command line, in the order of the list; empty lines are none."""
    (tmp_path / "list").write_text(f"{tree}/b.log\n\n{tree}/old/a.txt")
    assert paths_of(run("--files-from", tmp_path / "list")) == [f"{tree}/b.log", f"{tree}/old/a.txt"]
    done = run("--files-from", tmp_path / "list", tree / "a.txt")
    assert paths_of(done) == [f"{tree}/a.txt", f"{tree}/b.log", f"{tree}/old/a.txt"]


def test_what_is_no_list_of_paths_is_refused(tmp_path: Path) -> None:
    """It would be held in memory as a whole."""
    long = tmp_path / "long"
    long.write_bytes(b"\0" * 100 + b"a" * 4_000_000)
    for end in ((), ("-0",)):
        done = run("--files-from", long, *end)
        assert (done.exit_code, done.stdout) == (2, "")
        assert f"{long}: it is no list of paths: one is longer than 65,536 bytes" in done.stderr


def test_a_list_may_come_from_stdin(tree: Path) -> None:
    """As in `find -print0 | urlglean scan --files-from - -0`: names may then hold line ends, and any octets."""
    odd = os.fsencode(tree) + b"/x\ny\xff"
    with open(odd, "wb") as file:  # noqa: PTH123  its name is no text
        file.write(b"http://odd.example/\n")
    done = run("--files-from", "-", "-0", stdin=odd + b"\0" + os.fsencode(tree / "a.txt") + b"\0")
    assert paths_of(done) == [os.fsdecode(odd), f"{tree}/a.txt"]


def test_an_empty_list_is_nothing_to_read() -> None:
    """And not stdin. It is no trouble."""
    done = run("--files-from", "-")
    assert done.exit_code == 1
    assert ", 0 files, " in done.stderr


def test_a_list_that_cannot_be_read_is_an_error(tmp_path: Path) -> None:
    """With its name."""
    done = run("--files-from", tmp_path / "none")
    assert (done.exit_code, done.stdout) == (2, "")
    assert done.stderr == f"urlglean: {tmp_path / 'none'}: No such file or directory\n"


def test_stdin_gets_a_name() -> None:
    """In rows and in messages; nothing of that name on the disk is looked at."""
    assert paths_of(run("--stdin-name", "mail/today", stdin="http://a.example/\n")) == ["mail/today"]
    done = run("--stdin-name", "in.gz", "-v", stdin=b"\x1f\x8b\x08 broken")
    assert "urlglean: in.gz: " in done.stderr


def test_a_name_is_not_taken_for_a_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Stdin is read, even if it has the name of what is being written."""
    monkeypatch.chdir(tmp_path)
    done = run("--stdin-name", "rows.jsonl.part", "-o", "rows.jsonl", stdin="http://a.example/\n")
    assert done.exit_code == 0
    assert json.loads(Path("rows.jsonl").read_text())["path"] == "rows.jsonl.part"


def test_patterns_choose_members_of_an_archive_on_stdin(tree: Path) -> None:
    """It is like an archive that was given."""
    done = run("--include", "*.log", "--stdin-name", "x.tgz", stdin=(tree / "t.tgz").read_bytes())
    assert [json.loads(line)["member"] for line in done.stdout.splitlines()] == ["./b.log"]


@pytest.mark.parametrize(
    "options",
    [
        "-0 a.txt",
        "--files-from - -",
        "--stdin-name x a.txt",
        "--stdin-name x --files-from list",
        "--files-from list -o list",
    ],
)
def test_contradictions_are_refused(options: str, tree: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Nothing is read or written."""
    monkeypatch.chdir(tree)
    Path("list").write_text("a.txt\n")
    done = run(*options.split())
    assert (done.exit_code, done.stdout) == (2, "")
    assert Path("list").read_text() == "a.txt\n"
