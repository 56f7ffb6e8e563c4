"""Whether the last name of a URL at a line end is complete, or the next line has a checksum: guesses of `layouts`.

The names are those of files, and numbers that servers and programs give: of tickets, commits, keys and contents.
"""

from __future__ import annotations

import re
from string import hexdigits

from urlglean.expressions import compiled
from urlglean.text.joining.break_record import GOES_ON, Break
from urlglean.text.joining.columns import columns

# Extensions with which no longer one begins, as `htm` and `gif` do. A search may hold a name that goes on.
_WHOLE = (
    "x?html|shtml|aspx|xml|pdf|txt|rtf|docx|xlsx|pptx|od[st]|epub|jpe?g|png|webp|tiff|mp[34]|webm|mkv|avi|wmv|ogg|flac"
    "|zip|7z|rar|gz|tgz|bz2|xz|zst|jar|deb|rpm|iso|dmg|msi|apk|whl|torrent"
)
# Behind an "@" stands a host, as of a message-id.
_WHOLE_FILE = compiled(rf"[a-z]+://[^/?#]*/(?:[^?#]*/)?[^/?#@]*\.(?:{_WHOLE})\Z", re.IGNORECASE)
_EXTENSION_AT_END = compiled(r"/[^?#]*\.[A-Za-z][A-Za-z0-9]{0,7}\Z")
CHECKSUM = compiled(r"[0-9a-f]{32}(?:[0-9a-f]{8})?(?:[0-9a-f]{24})?(?:[0-9a-f]{64})?\Z", re.IGNORECASE)
"""The pattern of 128, 160, 256, 384 or 512 bits in hexadecimal digits."""


def is_behind_file(at: Break) -> bool:
    """Whether the URL ends with the extension of a file, and the next line begins with a word, or is a checksum."""
    if at.token[0].isalpha() and _WHOLE_FILE.match(at.url):
        return True
    return not at.rest and CHECKSUM.match(at.token) is not None and _EXTENSION_AT_END.search(at.url) is not None


_SUMMED_FILE = compiled(r"(\*?)[^\s*]+\Z")


def is_before_checksum(at: Break) -> bool:
    """Whether the next line is one that `sha256sum` and the like print.

    Behind the checksum they put a blank, another one or an asterisk, and the name of a file.
    """
    file = _SUMMED_FILE.match(at.rest)
    if at.url[-1] in GOES_ON or file is None or not CHECKSUM.match(at.token):
        return False
    return file[1] != "" or at.next_length == at.next_margin + len(at.token) + len("  ") + columns(at.rest)


# The number of a ticket or comment, or the name of a commit, on the servers of projects. Digits or a sign may follow.
_TICKET = compiled(
    r"://[^/]+/(?:[^/]+/){2,}(?:issues|pull|merge_requests|discussions)/[0-9]+(?:#(?:discussion_r|issuecomment-)[0-9]+)?\Z"
)
_NAME_IN_DIGITS = compiled(
    r"[/=](?P<hash>(?=[a-f]*[0-9])[0-9a-f]{40})\Z"
    # The digits of a longer one may follow those of 128 or 256 bits, or of the number of a key (`0x7A4FE8CC`). A UUID
    # (RFC 9562 4) always has as many.
    r"|(?:(?<![0-9A-Za-z%])|(?<=%[0-9A-Fa-f]{2}))(?P<digest>(?=[A-Fa-f]*[0-9])(?:[0-9A-Fa-f]{32}){1,2}|0x(?:[0-9A-Fa-f]{8}){1,2})\Z"
    r"|(?<![0-9A-Za-z])(?P<uuid>[0-9A-Fa-f]{8}(?:-[0-9A-Fa-f]{4}){3}-[0-9A-Fa-f]{12})\Z"
)
_FEWEST_DIGITS = 8
"""Each such name ends in so many, or more."""

# Of a checksum of 256, 384 or 512 bits, behind the first 160.
_REST_OF_CHECKSUM = compiled(r"(?:[0-9a-f]{24}|[0-9a-f]{56}|[0-9a-f]{88})(?![0-9A-Za-z])")
_MORE_OF_DIGEST = compiled(r"[0-9A-Fa-f]++(?![0-9A-Za-z])")


def is_behind_reference(at: Break) -> bool:
    """Whether the URL ends with a number, and the next line begins with a letter of a word.

    Behind the full name of a commit and a UUID, it may begin with a digit too. It may not be the rest of a checksum,
    which may fill its line again.
    """
    if not at.token[0].isalnum():
        return False
    if at.token[0].isalpha() and at.url[-1].isdigit() and _TICKET.search(at.url):
        return True
    found = _NAME_IN_DIGITS.search(at.url) if not at.url[-_FEWEST_DIGITS:].strip(hexdigits) else None
    if found is None or found["uuid"]:
        return found is not None
    is_more_of_digest = _MORE_OF_DIGEST.match(at.token) is not None
    if found["hash"]:
        fills_line = is_more_of_digest and not at.rest and at.next_length >= at.length
        return not (fills_line or _REST_OF_CHECKSUM.match(at.token))
    return not is_more_of_digest
