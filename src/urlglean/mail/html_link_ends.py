"""Tells where a URL in the visible text of HTML ends because the link that shows it ends."""

from __future__ import annotations

import re

from urlglean.expressions import compiled

# Beginnings of URLs, and little else: whatever a word with one of them is, it is not glued to the next word.
_URL_IN_WORD = compiled(r"[A-Za-z0-9]:/{0,3}[^\s/]|www\.\S", re.IGNORECASE)


class LinkEnds:
    """Watches the tags `<a>` and `</a>` and the visible text, in their order.

    A URL in the text of an `<a>` ends with it if a letter or digit follows, which would belong to the URL otherwise. If
    another sign follows, a program may have made a link of a part of the URL: `<a ...>http://host</a>/path`. A URL that
    begins before the `<a>` goes on, and so does one in two equal links, because word processors divide links. All this
    is a guess.

    Attributes:
        watching: whether `separates` has to be asked about the next text.
    """

    __slots__ = ("_inside", "_is_ended", "_shows_url", "_written", "watching")

    def __init__(self) -> None:
        self.watching = self._inside = False
        self._written = ""
        """The attributes of the last `<a>`, as they are written."""
        self._shows_url = False
        """Whether the last word in the open `<a>` holds the beginning of a URL."""
        self._is_ended = False
        """Whether the text so far ends in a URL that its `</a>` ends."""

    def pass_by(self, step: int, written: str) -> None:
        """Begin or end an `<a>`, which ends one that is open; `step` and `written` are as in `html_lexer.tokens`."""
        if self._inside:
            self._is_ended = self._is_ended or self._shows_url
        self._inside = step > 0
        if self._inside:
            written = written.strip()
            self._shows_url = self._is_ended and written == self._written
            self._is_ended = self._is_ended and not self._shows_url
            self._written = written
        self.watching = self._inside or self._is_ended

    def separates(self, text: str) -> bool:
        """Whether the next visible text, which is not empty, is no part of the word before it."""
        separates = self._is_ended and text[0].isalnum()
        self._is_ended = False
        if self._inside:
            last = "" if text[-1].isspace() else text.rsplit(None, 1)[-1]
            goes_on = self._shows_url and len(last) == len(text)
            self._shows_url = goes_on or _URL_IN_WORD.search(last) is not None
        self.watching = self._inside
        return separates
