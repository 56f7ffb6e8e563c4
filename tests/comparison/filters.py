"""Finders that are separate programs: they read a text and write the places of its URLs.

A filter writes its version as its first line, before it reads anything. Then it reads texts from its standard input,
each as its length in octets, a line end, and that many octets of UTF-8. For each text it writes one line: the places of
the URLs as `start:end`, half-open, in code points, separated by spaces.
"""

from __future__ import annotations

import re
import subprocess
import tempfile
import weakref
from collections.abc import Sequence
from typing import IO

from comparison.records import Found

_NO_CHARACTERS = re.compile("[\ud800-\udfff\ufdd0-\ufdef\ufffe\uffff]")
"""Code points that UTF-8 cannot encode, or that a filter may use internally: a filter gets U+FFFD instead."""
_BLANKS = re.compile(r"\s+")


class MissingError(Exception):
    """A tool cannot be run here; the message says why."""


class GaveUpError(Exception):
    """A tool could not read a text; the message says why."""


class Filter:
    """A program that runs beside this one and answers text by text. If it dies of a text, it is started again.

    The program is ended when this object is deleted.

    Args:
        command: the program and its arguments.

    Raises:
        MissingError: it cannot be started, or ends before it says its version.
    """

    def __init__(self, command: Sequence[str]) -> None:
        self._command = command
        self.version = self._start()

    def _start(self) -> str:
        # A file: its messages are read only if it dies, so a pipe would become full.
        self._said = tempfile.TemporaryFile()  # noqa: SIM115  `_ended` closes it
        try:
            process = subprocess.Popen(self._command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=self._said)
        except OSError as error:
            self._said.close()
            raise MissingError(f"{self._command[0]}: {error.strerror}") from error
        assert process.stdin is not None
        assert process.stdout is not None
        self._to, self._from = process.stdin, process.stdout
        self._end = weakref.finalize(self, _ended, process, self._to, self._from, self._said)
        version = self._from.readline().decode().strip()
        if not version:
            raise MissingError(self._last_words())
        return version

    def find(self, text: str) -> list[Found]:
        """The URLs in a text, with white space removed from each.

        Raises:
            GaveUpError: the program died of it.
        """
        octets = _NO_CHARACTERS.sub("\ufffd", text).encode()
        try:
            self._to.write(b"%d\n%b" % (len(octets), octets))
            self._to.flush()
            answer = self._from.readline()
        except BrokenPipeError:
            answer = b""
        if not answer.endswith(b"\n"):
            why = self._last_words()
            self._start()
            raise GaveUpError(why)
        places = (map(int, place.split(b":")) for place in answer.split())
        return [Found(start, end, _BLANKS.sub("", text[start:end])) for start, end in places]

    def _last_words(self) -> str:
        """Ends the program, and returns the first line that it wrote to stderr."""
        self._said.seek(0)
        lines = self._said.read(2_000).decode(errors="replace").splitlines()
        self._end()
        return next(filter(None, map(str.strip, lines)), f"{self._command[0]} ended without a word")


def _ended(process: subprocess.Popen[bytes], *files: IO[bytes]) -> None:
    process.kill()
    process.wait()
    for file in files:
        try:
            file.close()
        except BrokenPipeError:  # the program had not read everything
            continue
