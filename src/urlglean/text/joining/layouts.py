"""Breaks that the form of the lines decides: all rows are guesses, and all say that the URL ends with its line.

The weights of the features were fitted on mail. Settings, tables and source code have forms that mail seldom has: each
line is a record, or a comment ends with its line. At the ends of the first lines of URLs in labelled mail, and in mail
whose URLs were broken at columns 60 to 76, a row holds for none of 4,129 URLs that go on there, and for 469 of 1,027
that end.
"""

from __future__ import annotations

import re

from urlglean.expressions import compiled
from urlglean.lazy import unicode_pattern
from urlglean.text.file_extension import NAME_OR_DOCUMENT, ends_in_one
from urlglean.text.joining.break_record import GOES_ON, Break
from urlglean.text.joining.features import GUESS
from urlglean.text.joining.folding import alphabet_of, folded
from urlglean.text.joining.identifiers import CHECKSUM, is_before_checksum, is_behind_file, is_behind_reference
from urlglean.text.joining.ornaments_below import is_before_number, is_before_ruler
from urlglean.text.joining.records_below import has_same_first_word, is_before_field, is_before_row, is_before_setting
from urlglean.text.joining.sentence_end import HOST, WORD, is_end_of_sentence
from urlglean.text.joining.standards import Decided
from urlglean.text.line_lengths import SHORT
from urlglean.text.raw_signs import UNSPACED
from urlglean.text.signs import STOPS
from urlglean.text.top_level_domains import ALL_TOPS, TOPS

_HOST_AT_START = compiled(rf"(?:[a-z0-9-]+\.)+(?:com|org|net|edu|gov|mil)(?=/|[{STOPS})]*\Z)", re.IGNORECASE)
# Archives of mail name pages so, by message-ids.
_ENDS_IN_HOST = compiled(r"[.@][^/?#&=]*\Z")


def _is_before_host(at: Break) -> bool:
    """Whether a host begins the line below a short one, and the URL has a path. A full line may break a host in it."""
    if at.length >= SHORT or not at.url[-1].isalnum() or "?" in at.url or HOST.match(at.url):
        return False
    return _HOST_AT_START.match(at.token) is not None and _ENDS_IN_HOST.search(at.url) is None


_END_OF_QUOTATION = compiled(r"[^'=?&]'[).,;:]*\Z")
_MOST_SIGNS = 6
"""The most signs at which the end of a quotation is told, with the one before it."""


def _is_end_of_quotation(at: Break) -> bool:
    """Whether a quotation mark and punctuation end the URL, as they end a string of source code."""
    return "'" in at.before and _END_OF_QUOTATION.search(at.url[-_MOST_SIGNS:]) is not None


# An entry of a list of changes begins with its date.
_DATE = compiled(r"(?:19|20)[0-9]{2}(?:0[1-9]|1[0-2])(?:0[1-9]|[12][0-9]|3[01])\Z")
_DASHES = frozenset({"- ", "– ", "— "})


_LISTED = compiled(r"[\w./+~@*|%-]+")
_FOLDER = compiled(r"[^/?=&]{2,}/(?=[^?=&]*\Z)")
_EXTENSION_BEHIND_NAME = compiled(r"[^/?=&](\.[A-Za-z][A-Za-z0-9]{0,7})\Z")


def _is_before_list(at: Break) -> bool:
    """Whether the next two lines hold names of one list: of one folder, with one extension, two checksums or addresses.

    The last line of a URL that was cut twice has another form than the line before.
    """
    token, other = at.token, at.below
    if at.rest or at.url[-1] in GOES_ON or not (_LISTED.fullmatch(token) and _LISTED.fullmatch(other)):
        return False
    if any(form.match(token) and form.match(other) for form in (CHECKSUM, _ADDRESS)):
        return True
    extension, folder = _EXTENSION_BEHIND_NAME.search(token), _FOLDER.match(token)
    return (extension is not None and other.endswith(extension[1])) or (
        folder is not None and other.startswith(folder.group())
    )


_TAG = compiled(r"@[A-Za-z]+\Z")
_ADDRESS = compiled(r"<?[A-Za-z][\w.+-]*@[A-Za-z0-9-]+(?:\.[A-Za-z0-9-]+)*\.[A-Za-z]{2,}>?\Z")


_PATH_WITH_AT = compiled(r"[a-z]+://[^/?#]*/[^?@]*@[^?]*\Z", re.IGNORECASE)


def _is_before_address(at: Break) -> bool:
    """Whether an address stands alone in the next line, as in a signature.

    In archives, a name of the path may be a message-id, which holds the only "@". A search may hold several.
    """
    if at.rest or not _ADDRESS.match(at.token):
        return False
    is_short = at.length < SHORT and not at.cuts and at.url[-1] not in GOES_ON
    return at.url[-1] == "/" or is_short or _PATH_WITH_AT.match(at.url) is not None


_REPLY = compiled(
    r"(?:ack(?:ed)?|agreed|applied|merged|fixed|done|lgtm|seconded|indeed|exactly|nice|thanks|thx|danke|merci|why|yes|great|cool)"
    r"[.,!?]*\Z",
    re.IGNORECASE,
)


def _is_before_reply(at: Break) -> bool:
    """Whether a reply of one word stands below a quotation that ends with the URL."""
    return at.depth > at.next_depth and not (at.rest or at.below) and _REPLY.match(at.token) is not None


# A name behind a dash or another sign, or a greeting. None of 28,000 URLs that programs broke goes on so.
_SIGN_OFF = compiled(
    r"(?:-[A-Z][a-z]{1,11}-?|HTH|TIA|LG|VG|MfG|Mfg|mfg|mvh|Mvh|MVH|Gruß|Gruss|Grüße|(?P<short>[~_/][A-Z][a-z]{1,11}))[.,!]*\Z"
)


def _is_before_sign_off(at: Break) -> bool:
    """Whether the only text of the next line, the last of its paragraph, is how somebody signs.

    Behind a full line, some of it may be the rest of a URL.
    """
    if at.rest or at.below or at.url[-1] in GOES_ON:
        return False
    sign_off = _SIGN_OFF.match(at.token)
    return sign_off is not None and (sign_off["short"] is None or (at.length < SHORT and not at.cuts))


def _is_before_quotation(at: Break) -> bool:
    """Whether the next line is a quotation of one line that begins with a word, and the URL stands in an answer."""
    if at.depth or at.cuts or at.next_depth <= at.below_depth:
        return False
    return at.next_depth > 0 and WORD.match(at.token) is not None


# Macros in capitals, and the usual requests; `.de` and `.br` are labels of countries too, `.PDF` is an extension. `.SH`
# begins a section; nobody names a script so.
_REQUEST = compiled(
    rf"\.(?:\\\"|SH\Z|(?!(?i:{NAME_OR_DOCUMENT})\Z)(?:[A-Z][A-Za-z0-9]{{0,2}}|ad|br|ce|fi|ft|hy|in|na|ne|nf|nh|sp|ti)\Z)"
)
_WHOLE_HOST = compiled(r"[a-z]+://[a-z0-9.-]+\.(?:com|org|net|edu|gov|mil)\Z")
_NO_LABEL = compiled(r"\.(?:fi|[A-Z].*)\Z")


def _is_before_request(at: Break) -> bool:
    """Whether the next line is a request or macro of roff, as in the source of manual pages (groff(7))."""
    if _REQUEST.match(at.token) is None:
        return False
    return not HOST.match(at.url) or (_NO_LABEL.match(at.token) is not None and _WHOLE_HOST.match(at.url) is not None)


_REMARK = compiled(rf"\([^()]++\)[{STOPS}]*+\Z")
_ESCAPED_BLANK = "%20"


def _is_before_bracket(at: Break) -> bool:
    """Whether the next line opens a round bracket behind which a blank stands: a remark, or a call in source code.

    So does one in brackets at the beginning of a line, if the URL ends in a name without brackets, but not in an
    escaped blank (`Ticket%20`). If more is glued to the brackets, they may belong to the name
    (`S0022-0000(98)91234-5`), unless it is that of a file.
    """
    token = at.token
    is_alone = _REMARK.match(token) is not None or (token[0] == "(" and ")" in token and ends_in_one(at.url))
    if is_alone and at.url[-1].isalnum() and "(" not in at.url and not at.url.endswith(_ESCAPED_BLANK):
        return True
    return "(" in token and token.count("(") > token.count(")") and ")" in at.rest


# Of the names of pages, as wikis make them.
_SEVERAL_WORDS = compiled(r"\w+[_/%=]\w")


_BEFORE_NAME = frozenset("/=?#")
_SHORTEST_NAME = 4
"""In code points. Shorter ends of a URL may stand in it twice."""


def _is_before_its_name(at: Break) -> bool:
    """Whether the next line begins with the name or number that ends the URL: of a parcel, a ticket, a page."""
    name = at.token.rstrip(STOPS)
    before = at.url.removesuffix(name)
    return not at.cuts and len(name) >= _SHORTEST_NAME and before != at.url and before[-1:] in _BEFORE_NAME


_UNSPACED = unicode_pattern(UNSPACED)
_NAME = compiled(r"\w+(?:[_/%=?-]|\.[A-Za-z]{2,5}(?![A-Za-z]))")
_BEFORE_VALUE = frozenset("=&#_%-?")


def _is_before_other_script(at: Break) -> bool:
    """Whether the next line begins with a letter of another alphabet, or, as a word of prose, with one outside ASCII.

    An IRI goes on behind a slash or another sign, and within a word of one alphabet. A URL in ASCII does so only if
    the word is one of several in a name; behind a sign and before a script without spaces, if a name goes on or a
    value begins.
    """
    last, first = at.url[-1], at.token[0]
    if not last.isalnum() and at.url.isascii() and _UNSPACED.match(first):
        return last not in _BEFORE_VALUE and not at.url.endswith("/wiki/") and _NAME.match(at.token) is None
    if not last.isalnum() or not first.isalpha() or (first.isascii() and last.isascii()):
        return False
    if "://" in at.token or (last.isalpha() and alphabet_of(last) != alphabet_of(first)):
        return True
    return at.url.isascii() and not (folded(first).isascii() and _SEVERAL_WORDS.match(at.token))


# Of the URL, or of a message-id that ends its path.
_HOST_AND_TOP = compiled(
    r"[a-z]+://[^/?#]*(?:/(?:[^/?#@]*/)*[^/?#@]+@[^/?#@]*)?\.(com|org|net|edu|gov|mil|[a-z]{2})\Z", re.IGNORECASE
)
_LETTERS = compiled(rf"[a-z]+(?=[{STOPS})]*\Z)", re.IGNORECASE)


def _is_behind_top(at: Break) -> bool:
    """Whether the URL ends in a top level domain, and letters alone follow, with which it would end in none."""
    letters = _LETTERS.match(at.token)
    if letters is None or not at.url[-1].isalpha():
        return False
    host = _HOST_AND_TOP.match(at.url)
    if host is None or (host[1] + letters[0]).lower() in TOPS:
        return False
    return host[1].lower() in ALL_TOPS


_ROOTS = "bin|boot|dev|etc|home|lib|media|mnt|opt|proc|root|sbin|srv|sys|tmp|usr|var"
_PATH = compiled(rf"/(?:{_ROOTS})/\w[^?]*\Z")


# All but that of the sign "&".
_ENTITY = compiled(r"&(?!amp;)(?:[A-Za-z][A-Za-z0-9]{1,8}|#[0-9]{1,7}|#[xX][0-9A-Fa-f]{1,6});")


_SOFT_BREAK = "="
_ESCAPED_SIGN = "=3D"


def _is_before_soft_break(at: Break) -> bool:
    """Whether the next line is empty, with a soft break of quoted-printable that nobody decoded (RFC 2045 6.7)."""
    return at.token == _SOFT_BREAK and at.rest == "" and _ESCAPED_SIGN in at.url


# C11 6.10; all but those that end a condition stand before something.
_DIRECTIVE = compiled(
    r"#(?:endif|else|(?:include|define|undef|ifn?def|if|elif|pragma|error|warning|line)(?= .))(?: |\Z)"
)


def _is_before_directive(at: Break) -> bool:
    """Whether the next line is a directive of the preprocessor of C, as below a comment or in a patch."""
    return _DIRECTIVE.match(f"{at.token} {at.rest}".rstrip()) is not None


# The first row that holds decides, if no standard does.
LAYOUTS = (
    Decided("end-of-comment", GUESS, lambda at: at.ends_comment, None),
    Decided("end-of-item", GUESS, lambda at: at.ends_item, None),
    Decided("end-of-file", GUESS, is_behind_file, None),
    Decided("end-of-reference", GUESS, is_behind_reference, None),
    Decided("end-of-quotation", GUESS, _is_end_of_quotation, None, last="').,;:", by_signs=True),
    Decided("end-of-sentence", GUESS, is_end_of_sentence, None, last=STOPS, by_signs=True),
    # The names of files in a folder follow.
    Decided("end-of-folder", GUESS, lambda at: at.url.endswith("/:"), None, last=":"),
    Decided("ruler-below", GUESS, is_before_ruler, None, by_signs=True),
    Decided("number-below", GUESS, is_before_number, None),
    # Of HTML that nobody decoded: a bracket, a quotation mark, a blank.
    Decided("entity-below", GUESS, lambda at: _ENTITY.match(at.token) is not None, None, first="&"),
    Decided("soft-break-below", GUESS, _is_before_soft_break, None),
    Decided("setting-below", GUESS, is_before_setting, None),
    Decided("field-below", GUESS, is_before_field, None),
    Decided("row-below", GUESS, is_before_row, None),
    Decided("list-below", GUESS, _is_before_list, None),
    Decided("checksum-below", GUESS, is_before_checksum, None),
    # Programs put the same word before each line: a service, a process, the name of a commit.
    Decided("first-word-below", GUESS, has_same_first_word, None),
    Decided("name-below", GUESS, _is_before_its_name, None),
    Decided("host-below", GUESS, _is_before_host, None),
    Decided("top-level-domain", GUESS, _is_behind_top, None),
    Decided("bracket-below", GUESS, _is_before_bracket, None),
    Decided("address-below", GUESS, _is_before_address, None),
    Decided("reply-below", GUESS, _is_before_reply, None),
    Decided("sign-off-below", GUESS, _is_before_sign_off, None),
    Decided("quotation-below", GUESS, _is_before_quotation, None),
    Decided("entry-below", GUESS, lambda at: _DATE.match(at.token) is not None and at.rest[:2] in _DASHES, None),
    # In comments of Java and JavaScript, a tag begins a line: `@param x`.
    Decided("tag-below", GUESS, lambda at: at.rest != "" and _TAG.match(at.token) is not None, None, first="@"),
    Decided("other-script-below", GUESS, _is_before_other_script, None),
    # A comment, or a setting for a host, as of npm.
    Decided("slashes-below", GUESS, lambda at: at.url[-1] != ":" and at.token.startswith("//"), None, first="/"),
    Decided("directive-below", GUESS, _is_before_directive, None, first="#"),
    Decided("request-of-roff", GUESS, _is_before_request, None, first="."),
    # The directories are those of the Filesystem Hierarchy Standard (FHS 3.0, 3).
    Decided(
        "path-of-file",
        GUESS,
        lambda at: at.length < SHORT and _PATH.match(at.token) is not None and not HOST.match(at.url),
        None,
        first="/",
    ),
)
