"""Keys that tell which messages depend on each other: those of one author, and those of one thread.

A thread is known by its base subject (RFC 5256 2.1), because few archives still have all messages that References name.
"""

from __future__ import annotations

from email.utils import parseaddr

from urlglean.lazy import pattern

# RFC 5256 5: subj-refwd, and the same in other languages: German, Scandinavian, Dutch, French, Italian, Polish. A blob
# is what a list puts before the subject.
_LEADER = pattern(
    r"(?i)(?:\s|\[[^\[\]]*+\]\s*+)*+(?:re|fwd?|aw|wg|sv|vs|antw|doorst|rif|ref|tr|odp|pd)\s*+(?:\[[^\[\]]*+\]\s*+)?+:"
)
_BLOB = pattern(r"\[[^\[\]]*+\]\s*+(?=\S)")
_TRAILER = pattern(r"(?i)(?:\s*+\(fwd\))++\Z")
_FORWARDED = pattern(r"(?i)\[fwd:(.*)\]\Z")
_FORMER = pattern(r"(?i)\s*+\(was:?\s[^()]*+\)\Z")

_LONGEST = 1000
"""Code points of a subject or a sender that are looked at."""


def author_of(sender: str) -> str:
    """The key of an author: the address of a From field in lower case, be it hidden as "anna at example.org".

    If there is no address, it is all that is there.
    """
    sender = " ".join(sender[:_LONGEST].split())
    _, address = parseaddr(sender if "@" in sender else sender.replace(" at ", "@", 1))
    return (address if "@" in address else sender).casefold()


def thread_of(subject: str) -> str:
    """The key of a thread: the base subject in lower case, without what replies, forwards and lists add; "" if none."""
    rest = " ".join(subject[:_LONGEST].split())
    while True:
        before = rest
        rest = _TRAILER.sub("", rest)
        while (leader := _LEADER.match(rest) or _BLOB.match(rest)) is not None:
            rest = rest[leader.end() :].lstrip()
        if (forwarded := _FORWARDED.match(rest)) is not None:
            rest = forwarded[1].strip()
        if rest == before:
            return _FORMER.sub("", rest).casefold()
