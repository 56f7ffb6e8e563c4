"""Fuzzes a target by atheris: `PYTHONPATH=tests .venv/bin/python -m fuzz TARGET [FOLDER] [libFuzzer's options]`.

Inputs that fail are written to FOLDER (default: `fuzz-TARGET`), one for each assertion or exception, and fuzzing goes
on. With `--replay FILE...` instead of the options, the files are run once, and the first failure is raised.
"""

from __future__ import annotations

import hashlib
import pkgutil
import sys
import traceback
from importlib import import_module
from pathlib import Path

import atheris

with atheris.instrument_imports(include=["urlglean"]):
    import urlglean

    for _module in pkgutil.walk_packages(urlglean.__path__, "urlglean."):
        if not _module.name.endswith(("__main__", "testing")):
            import_module(_module.name)
    from fuzz.mutations import LONGEST, TOKENS_FILE
    from fuzz.targets import TARGETS, Target


class Failures:
    """Runs a target, and keeps one input for each kind of failure and place of it."""

    def __init__(self, target: Target, folder: Path) -> None:
        self._target, self._folder = target, folder
        self._seen: dict[tuple[str, int], int] = {}

    def __call__(self, octets: bytes) -> None:
        """Runs one input. A failure is written and counted, not raised."""
        try:
            self._target.run(octets)
        except Exception as error:  # noqa: BLE001 - whatever it is, the input is kept
            frames = traceback.extract_tb(error.__traceback__)
            where = (frames[-1].filename, frames[-1].lineno or 0)
            self._seen[where] = self._seen.get(where, 0) + 1
            if self._seen[where] == 1:
                name = self._folder / f"failure-{hashlib.sha1(octets).hexdigest()[:12]}"
                name.write_bytes(octets)
                print(f"FAILURE {name}: {type(error).__name__}: {error}"[:600], file=sys.stderr, flush=True)


def main() -> None:
    """Fuzzes, or replays files."""
    name, *rest = sys.argv[1:]
    target = TARGETS[name]
    if rest[:1] == ["--replay"]:
        for path in map(Path, rest[1:]):
            target.run(path.read_bytes())
        return
    folder = Path(rest.pop(0) if rest and not rest[0].startswith("-") else f"fuzz-{name}").resolve()
    corpus = folder / "corpus"
    corpus.mkdir(parents=True, exist_ok=True)
    for octets in target.seeds():
        (corpus / f"seed-{hashlib.sha1(octets).hexdigest()[:12]}").write_bytes(octets)
    options = [f"-dict={TOKENS_FILE}", f"-max_len={LONGEST}", "-timeout=600", f"-artifact_prefix={folder}/", *rest]
    atheris.Setup([sys.argv[0], *options, str(corpus)], Failures(target, folder))
    atheris.Fuzz()


main()
