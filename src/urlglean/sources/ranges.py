"""Ranges of mailboxes and batches: where the messages in a range of a file begin, so that tasks can share the file.

A message belongs to the range in which it begins. Which marks begin messages is only known to who has read the file
from its front, because a message may state its length, and marks within that length are text. So a range is read from
the first mark in it, and the answer tells where that is. If the range before it ends elsewhere, it was a wrong one.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from itertools import pairwise
from typing import IO

from msgspec import Struct
from msgspec.structs import replace

from urlglean.bounds import Bounds
from urlglean.sources import c_client, dbox, listserv, mailboxes, mbox, message_splitter, news
from urlglean.sources.changes import Watch
from urlglean.sources.items import Bundle
from urlglean.sources.message_splitter import CONTEXT, FRONT, Form
from urlglean.sources.streams import Stream

FORMS = {
    "mbox": mbox.FORM,
    "mboxrd": mbox.FORM_RD,
    "rnews": news.BATCH,
    "mmdf": mailboxes.MMDF,
    "babyl": mailboxes.BABYL,
    "listserv": listserv.FORM,
    "dbox": dbox.FORM,
    "mbx": c_client.FORM,
}
"""The kinds of files that can be read in ranges."""


class Range(Struct, frozen=True):
    """A range of octets of a file, half-open.

    Attributes:
        start: the first octet.
        end: the octet behind the last one; None: the end of the file.
        messages: how many messages of the file begin before it, if `start` is where a message begins.
    """

    start: int
    end: int | None
    messages: int = 0

    def of(self, path: str, lying: IO[bytes] | Watch, bounds: Bounds) -> Stream:
        """The stream of this range of an open file that can seek."""
        end = lying.seek(0, os.SEEK_END) if self.end is None else self.end
        lying.seek(self.start)
        left = end - self.start

        def read1(size: int) -> bytes:
            nonlocal left
            block = lying.read(min(size, left) if self.end is not None else size)
            left -= len(block)
            return block

        stream = Stream(path, read1, least=max(0, left), bounds=bounds)
        stream.start, stream.messages = self.start, self.messages
        return stream


class RangeSurvey(Struct, frozen=True):
    """What is known of a range after it was read once.

    Attributes:
        start: where the first message in it begins, by the marks alone; None if none does.
        end: where the first message behind the range begins; None if there is none. It depends on `start`.
        messages: how many messages begin in between.
    """

    start: int | None
    end: int | None
    messages: int = 0


def surveyed(of: Range, stream_of: Callable[[Range], Stream], form: Form, *, exact: bool = False) -> RangeSurvey:
    """Read a range and say where its messages begin.

    Args:
        of: the range.
        stream_of: returns the stream of any range of the same file.
        form: the form of the file.
        exact: whether a message, or the file, is known to begin where the range does.
    """
    start = of.start if exact or not of.start else _first_mark(of, stream_of, form)
    if start is None:
        return RangeSurvey(None, None)
    messages = 0
    for item in message_splitter.bundles(stream_of(Range(start, None)), form):
        if isinstance(item, Bundle):
            for begin, end in pairwise(item.cuts):
                if of.end is not None and item.offset + begin >= of.end:
                    return RangeSurvey(start, item.offset + begin, messages)
                messages += form.holds_message(item.data[begin:end])
    return RangeSurvey(start, None, messages)


def _first_mark(of: Range, stream_of: Callable[[Range], Stream], form: Form) -> int | None:
    """Where the first message in a range begins, if no message before it states its length."""
    by_marks = replace(form, sign=None)
    before = max(0, of.start - CONTEXT)
    at = before - len(FRONT)
    stream = stream_of(Range(before, None))
    for piece, begins in message_splitter.pieces(stream.blocks(), by_marks, stream.bounds):
        for begin in begins:
            if of.end is not None and at + begin >= of.end:
                return None
            if at + begin >= of.start:
                return at + begin
        at += len(piece)
        if of.end is not None and at >= of.end:
            return None
    return None
