"""Whether the last sign of a URL at a line end closes a sentence or a part of it: a guess, one of the `layouts`."""

from __future__ import annotations

import re

from urlglean.expressions import compiled
from urlglean.text.file_extension import DOCUMENT, NAME_OR_DOCUMENT
from urlglean.text.joining.break_record import Break
from urlglean.text.line_lengths import SHORT
from urlglean.text.signs import STOPS

# Names of commands (Domino, SOAP), and of pages and namespaces of wikis: `?OpenDocument`, `/wiki/Category:Ovens`.
_COMMAND = compiled(r"(?:[A-Z][a-z]+[A-Z][A-Za-z]*|[A-Z]\w*_\w+|wsdl)[.,;:!)]*\Z")
_NAMESPACE = compiled(r"[/=][A-Z](?:[a-z]|%[0-9A-F]{2})(?:[A-Za-z_]|%[0-9A-F]{2})*:\Z")
# In the reference of a library, `#paramiko.client.SSHClient.connect` for example.
_METHOD = compiled(r"\w+\.[a-z]")
# Of a reference to a publication.
_YEAR = compiled(r"(?:19|20)\d\d[.,;)]*\Z")
# A dot of the URL stands before an extension or a label of the host, a question mark before the value of a search. The
# next sentence begins with a word.
WORD = compiled(r"[^\W\d_]+(?:['’_-][^\W\d_]+)*[.,;:!?)]*\Z")
_EXTENSION = compiled(rf"{NAME_OR_DOCUMENT}(?![A-Za-z0-9:])")
_KNOWN_EXTENSION = compiled(rf"{NAME_OR_DOCUMENT}\Z", re.IGNORECASE)
_ENDS_IN_DOCUMENT = compiled(rf"\.{DOCUMENT}(?<!gz)\.\Z", re.IGNORECASE)
_ENDS_IN_NUMBER = compiled(r"[/=][0-9]+\.\Z")
# Of a message-id, and of the name of a method.
_GOES_ON_BEHIND_DOT = frozenset("@#")
# Names of a path, as TeX breaks them behind a dot in narrow columns; no address, host, file or usual abbreviation.
_MORE_OF_PATH = compiled(r"(?!\w\.\w\b|www\.)[a-z][\w-]*+(?:[./][\w-]++){1,9}/?[.,;:!)]*\Z", re.IGNORECASE)
_FILE_OR_HOST = compiled(
    rf"(?:[\w-]++\.){{1,9}}(?:(?:{NAME_OR_DOCUMENT}|py|c|h)(?![\w/-])|(?:com|org|net|edu|gov|mil)(?![\w-]))",
    re.IGNORECASE,
)
_SHORTEST_WORD, _LONGEST_EXTENSION = 2, 4
"""In letters. Programs that wrap twice leave single ones of a URL; extensions, known or not, have up to four."""
HOST = compiled(r"(?:[a-z][a-z0-9+.-]*://|mailto:[^?@]*@)[^/?#]*\Z", re.IGNORECASE)
# A label of two letters may be one in the middle of the name, as in `www.cs.example.edu`.
_TOP = compiled(rf"\.(?:com|org|net|edu|gov|mil)[{STOPS}]\Z", re.IGNORECASE)
_MAYBE_TOP = compiled(rf"\.(?:int|info|biz|[a-z]{{2}})[{STOPS}]\Z", re.IGNORECASE)
# What stands before the label of a country, as in `com.au` and `co.uk`.
_ABOVE_COUNTRY = compiled(r"\.(?:com?|org?|net?|edu|gov?|ac|mil)\.\Z", re.IGNORECASE)
_COUNTRY, _COUNTRY_AND_PATH = compiled(r"[a-z]{2}(?![a-z0-9-])"), compiled(r"[a-z]{2}[/:]\w")


def is_end_of_sentence(at: Break) -> bool:
    """Whether the last sign of a URL ends a sentence or a part of it, and the next line begins with the next."""
    if at.url[-2] in STOPS or _divides_names(at.url, at.token):
        return False
    is_short = at.length < SHORT and not at.cuts
    if HOST.match(at.url):
        return _ends_host(at.url, at.token, is_short=is_short)
    if "://" not in at.url:
        return False
    if at.token[0].isalpha():
        return _ends_path(at, is_short=is_short)
    if at.token[0] == "/":
        return is_short or at.url[-1] == "."
    return at.token[0] == "(" or (at.url[-1] == "," and _YEAR.match(at.token) is not None)


def _divides_names(url: str, token: str) -> bool:
    """Whether the last sign of a URL more likely stands between two names of it."""
    if url[-1] == ";":
        return "?" in url
    return (url[-1] == "?" and _COMMAND.match(token) is not None) or _NAMESPACE.search(url) is not None


def _ends_host(url: str, token: str, *, is_short: bool) -> bool:
    label = _COUNTRY_AND_PATH if is_short else _COUNTRY
    if _ABOVE_COUNTRY.search(url) and label.match(token):
        return False
    return _TOP.search(url) is not None or (_MAYBE_TOP.search(url) and WORD.match(token)) is not None


def _ends_path(at: Break, *, is_short: bool) -> bool:
    url, token = at.url, at.token
    if url[-1] == "." and _EXTENSION.match(token):
        return False
    if url[-1] == "." and token[0].isupper() and at.rest and not _METHOD.match(token):
        return True
    if is_short:
        begins_sentence = at.rest != "" and _FILE_OR_HOST.match(token) is not None
        may_go_on = url[-1] == "." and _MORE_OF_PATH.match(token) and not begins_sentence
        return "=" not in token and not may_go_on
    if WORD.match(token) is None or len(token) < _SHORTEST_WORD:
        return False
    if url[-1] != "." or url[-2] == "/" or _ENDS_IN_DOCUMENT.search(url) or _ENDS_IN_NUMBER.search(url):
        return True
    # In a full line, a program may have cut a URL before an extension, in small letters also one that no list has.
    is_like_one = token[0].islower() or _KNOWN_EXTENSION.match(token) is not None
    may_be_extension = is_like_one and not at.rest and len(token) <= _LONGEST_EXTENSION
    return not may_be_extension and _GOES_ON_BEHIND_DOT.isdisjoint(url.rpartition("/")[2])
