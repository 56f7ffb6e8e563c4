r"""The characters of a bare URL's run, which is the longest possible URL before any rule about its end is applied.

Excluded are white space and controls, and `<` `>` `"` (RFC 1738 2.2: delimiters in free text). Everything else here is
a guess: `\` `` ` `` `{` `|` `}` are excluded, because they surround URLs in TeX, code and tables far more often than
they occur unencoded in a URL (see `raw_signs`). `^` is included, and the judge decides.
"""

from __future__ import annotations

import re

from urlglean.lazy import pattern, unicode_pattern
from urlglean.text import raw_signs
from urlglean.text.file_extension import LONGEST, ends_in_one
from urlglean.text.mending import ANY, FIRST, sign_at
from urlglean.text.quote_prefix import BREAK, behind_prefix
from urlglean.text.scheme_triggers import URL_AHEAD

LETTERS_AND_DIGITS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789"
_SIGNS = frozenset("!#$%&'()*+,-./:;=?@[]^_~") - raw_signs.FRAMING
SIGNS = "".join(sorted(_SIGNS - FIRST))
"""The signs of ASCII that belong to a run wherever no rule of `cut_rules` applies."""

_ALONE = _SIGNS & FIRST
"""The signs of ASCII that belong to a run unless a sign of `mending.SIGNS` begins with them."""

OF_A_RUN = frozenset(LETTERS_AND_DIGITS + SIGNS)


def class_of(signs: str) -> str:
    """The inside of a pattern's class of letters, digits and these signs."""
    return f"A-Za-z0-9{re.escape(signs)}"


# Letters, marks and digits of all scripts may belong to a URL (RFC 3987), but not the punctuation of these scripts. The
# signs of `mending` may belong to it too. Excluded is punctuation or a special blank whose UTF-8 was decoded as
# windows-1252 or Latin-1.
MANGLED = r"(?!â[€\x80]|Â(?:[\x80-\xbf]|\s))"
WIDE = r"\p{L}\p{M}\p{N}--[！-～]"
# A small or circled number, as of a note.
_NOTE = unicode_pattern(r"\p{No}")
_NUMBER_OF_NEXT = unicode_pattern(rf"\p{{No}}(?i:{URL_AHEAD})")
_WITHIN_HOST = pattern(r"(?!urn:)[a-z][a-z0-9+.-]*+:(?://)?[^/?#]*+\Z", re.IGNORECASE)
_REACH = pattern(f"[{class_of(SIGNS)}]*+")
# Signs between two letters of a name: in Catalan, in names that are written in Katakana or Chinese letters, the joiners
# of Persian and Indian scripts, and the dash and the apostrophe of a wiki's names, as in `/wiki/Fisher–Yates_shuffle`.
_NO_ASCII = r"[\p{L}--[A-Za-z]]"
# The same between two names that have several words each, with an underscore on both sides, as in Russian.
_DASH_OF_NAME = (
    rf"(?=[–—])(?<=/wiki/[^\s?#]{{0,80}}\w_)[–—](?=_[\p{{L}}\p{{N}}])|"
    rf"(?=–)(?<=/wiki/[^\s?#]{{1,80}})–(?!(?i:{URL_AHEAD}|www\.))(?=[\p{{Lu}}\p{{N}}]|\p{{L}}[\p{{L}}-]{{0,40}}_)"
)
# Of an elision, as in `/wiki/L’Étranger`. An ending of English may follow a name in quotation marks.
_APOSTROPHE_OF_NAME = (
    r"(?=’)(?<=/wiki/(?:[^\s?#]{1,80}[_:(-])?\p{L}{1,12})’(?!(?i:s|t|d|m|re|ll|ve)(?![\p{L}_]))(?=\p{L}[\p{L}_])"
)
JOINER = (
    rf"(?:(?<=[Ll])·(?=[Ll])|(?<={_NO_ASCII})[·・‧\u200c\u200d](?={_NO_ASCII})|{_DASH_OF_NAME}|{_APOSTROPHE_OF_NAME})"
)
_JOINER = unicode_pattern(JOINER)
# What most runs consist of comes first: the signs of `ANY` take much longer to tell.
_WIDE_RUN = unicode_pattern(rf"(?:[{class_of(SIGNS)}]++|{ANY}|{JOINER}|{MANGLED}[{WIDE}])*+")
_LETTER = unicode_pattern(rf"{MANGLED}[{WIDE}]")
_UNSPACED = unicode_pattern(raw_signs.UNSPACED)
# Top level domains of countries (IANA, Root Zone Database), in scripts without spaces.
_TOP = "中国|中國|台湾|台灣|香港|澳門|澳门|新加坡|한국|ไทย|ລາວ"
_IDN_GOES_ON = unicode_pattern(
    rf"[\p{{L}}\p{{M}}\p{{N}}_-]+(?:\.[\p{{L}}\p{{N}}]|[/?#@]|:[0-9])|(?:{_TOP})(?![\p{{L}}\p{{M}}\p{{N}}])"
    # The name of a host alone, in the quotation marks of code. Hiragana in them belong to prose.
    r"|[[\p{L}\p{M}\p{N}_-]--\p{Hiragana}]+'"
)
# Hiragana and Korean particles directly behind a slash belong to the grammar of the prose; they are no names. Nor is
# what speaks in Chinese of something on this page, or that can be had there.
_PARTICLE = unicode_pattern(
    r"\p{Hiragana}|(?:을|를|은|는|이|가|에|의|로|와|과|도|만|에서|으로|에게|까지|부터|에서도|에서는|에도|에는|으로는"
    r"|입니다|입니까|이며|이고|이나|이라고|이라는|라고|라는|처럼|보다|합니다|이에요|예요|로부터|으로부터|이다|인|에서의|에만|하고|또는"
    r"|참조|에있는)(?![\p{Hangul}_-]|[./?#:]\w|/)"
    r"|(?:(?:网页|網頁|页面|頁面|网站|網站)[上中里裡的查找获獲下]|[处處][获獲下查取找的可得])(?!\p{Han}{0,30}+[/.?_-]\w)"
)
# A wiki's namespace before a name, `/wiki/Category:`; and a name in a wiki that has a remark in brackets, `Ruby_(`.
_BEFORE_NAME = pattern(r"(?:(?:/wiki/|[?&]title=)[A-Z][A-Za-z_]{1,30}+:|_\()\Z")
_NAME = rf"(?:{_NO_ASCII}|[\p{{M}}_-]){{1,60}}+"
# Prose has no slash behind it.
_NAME_GOES_ON = unicode_pattern(
    rf"{_NAME}(?:/{_NAME}){{0,9}}+(?:/(?:[A-Za-z0-9]|(?![\w/]))|\.[A-Za-z]{{2,4}}(?![A-Za-z])|\?[A-Za-z][\w-]{{0,20}}=)"
)
# Such a name may begin with the letters of prose, as in `/お知らせ/`.
_NAME_WITH_HIRAGANA = unicode_pattern(r"\p{Hiragana}{1,4}[\p{Han}\p{Katakana}]")
# What shows that no prose is glued to such a name: the URL stands alone between empty lines, or in brackets. The
# Japanese words end a sentence.
_ENDS_SENTENCE = r"\w*(?:ください|下さい|です|ます|ました|参照|参考|から|まで|より|참조|참고|访问|查看)(?!\w)"
_ENDS_ALONE = unicode_pattern(
    rf"(?!{_ENDS_SENTENCE}){_NAME}(?:/{_NAME}){{0,9}}+/?(?:#[\w-]{{1,60}}+)?"
    rf"(?:[ \t]*+(?:\Z|{BREAK}(?=[ \t>]{{0,40}}+(?:[\r\n]|\Z)))|(?P<closing>[)\]」』】）]))"
)
# Marks of quotation, and that of an item of a list.
_ITEM = pattern(r"[ \t>]{0,20}(?:[*+•・-]|[0-9]{1,3}[.)、])?[ \t]{0,8}")
_ENDS_LINE = unicode_pattern(rf"(?!{_ENDS_SENTENCE}){_NAME}(?:/{_NAME}){{0,9}}+/?[ \t]*+(?:{BREAK}|\Z)")
_LONGEST_LINE = 300
_BEGINS_DESTINATION = pattern(
    # RFC 5545 3.1, RFC 6350 3.3
    r"\A(?:[\w-]{1,20}\.)?(?:[A-Z][A-Z0-9-]{1,30};[^:\r\n]{1,60}"
    r"|[A-Z]{0,6}UR[LI]|ATTACH|SOURCE|IMAGE|CONFERENCE|LOCATION|LOGO|PHOTO|SOUND|KEY|MEMBER|RELATED|LINK|CONCEPT"
    r"|X-[A-Z-]{1,30}):\Z"
    # The definition of a link in Markdown (CommonMark 4.7) and reStructuredText; the links and parameters of MediaWiki.
    r"|\A[ \t>]{0,20}(?:\[[^\]]{1,80}\]|\.\. _[^:]{1,80}):[ \t]{1,20}\Z|\[\Z"
    r"|\|[ \t]{0,9}url[ \t]{0,9}=[ \t]{0,9}\Z|<ref>\Z"
)
_LONGEST_BEGINNING = 120
_OF_DESTINATION = r"[^\s|\[\]<>]"
# Several URLs are a list.
_ENDS_DESTINATION = pattern(
    rf"(?!{_OF_DESTINATION}{{0,500}}://){_OF_DESTINATION}{{1,500}}+"
    r"(?=[\r\n|]|\Z|\](?!\w)|</|[ \t]++[^\]\r\n]{1,200}+\])"
)
_OPENED = {")": "(", "]": "[", "」": "「", "』": "『", "】": "【", "）": "（"}
_LONGEST_MARGIN = 40
"""In so many code points the line begins before a URL that stands alone in it."""
_BEHIND_SCHEME = pattern(r"\A[a-z][a-z0-9+.-]*:", re.IGNORECASE)
_HOST_SLASH = pattern(r"//[^/]*/")


def reach(text: str, start: int) -> int:
    """The end of the characters from `start` on that could all belong to a URL, without the rules about its end."""
    end = start
    while True:
        run = _REACH.match(text, end)
        end = run.end() if run else end
        if may_go_on(text[end : end + 1]) and (behind_sign(text, end) is not None or goes_on(text, start, end)):
            wide = _WIDE_RUN.match(text, end)
            end = wide.end() if wide else end
        if (beyond := behind_own(text, start, end)) == end:
            return end
        end = beyond


def behind_own(text: str, start: int, at: int) -> int:
    """The position behind a sign at `at` that belongs to this URL, though such signs usually end a URL; else `at`."""
    sign = text[at : at + 1]
    if sign in raw_signs.FRAMING or sign > "\x7f":
        return raw_signs.over(text, start, at)
    return at + 1 if sign in _ALONE else at


def may_go_on(sign: str) -> bool:
    """Whether a letter outside ASCII, or a sign of `mending`, may begin with this character. It is a fast test."""
    return sign > "\x7f" or sign in FIRST


def behind_sign(text: str, at: int) -> int | None:
    """The position behind a sign of `mending` at `at`; None if there is no such sign."""
    sign = sign_at(text, at)
    return sign[0] if sign else None


def goes_on(text: str, start: int, end: int) -> bool:
    """Whether a letter outside ASCII at `end` belongs to the URL, which is then an IRI, and not to prose behind it."""
    # No host holds such a sign (RFC 5892), and no newsgroup. It may also be the number of the next URL.
    if _NOTE.match(text, end) and (_WITHIN_HOST.match(text, start, end) or _NUMBER_OF_NEXT.match(text, end)):
        return False
    if not _LETTER.match(text, end):
        return _JOINER.match(text, end) is not None and "/" in text[start:end].partition("//")[2]
    if not _UNSPACED.match(text, end):
        return True
    before = _BEHIND_SCHEME.sub("", text[start:end], count=1)
    if "/" not in before[2:]:
        # Prose speaks of schemes too: `http://で始まる`.
        return not before or (before.endswith((".", "@", "//")) and _IDN_GOES_ON.match(text, end) is not None)
    # Behind the slash that ends the host, prose is as likely as a name. Deeper in a path or search, a name is likelier.
    if before.endswith("/"):
        goes_on_further = _NAME_GOES_ON.match(text, end) is not None
        may_begin_so = goes_on_further and _NAME_WITH_HIRAGANA.match(text, end) is not None
        is_name = (
            goes_on_further
            or not _HOST_SLASH.fullmatch(before)
            or _stands_alone(text, start, end)
            or _is_in_list(text, start, end)
            or _is_destination(text, start, end)
        )
        # Nobody names the folder itself there.
        may_begin_so = may_begin_so or before.endswith("wikipedia.org/wiki/")
        return is_name and (may_begin_so or not _PARTICLE.match(text, end))
    is_before_name = before.endswith(tuple("=?#&_%-")) or _BEFORE_NAME.search(before[-40:]) is not None
    # Behind a document, a letter of prose is likelier than one of a name, whatever precedes the URL.
    is_behind_document = ends_in_one(before[-LONGEST:])
    return is_before_name or (not is_behind_document and _is_destination(text, start, end))


def _is_destination(text: str, start: int, end: int) -> bool:
    """Whether what stands before a URL says that it goes on up to a blank or the end of an element.

    It is the value of a property, or the destination of a link in a language of markup.
    """
    before = text[max(0, start - _LONGEST_BEGINNING) : start].rpartition("\n")[2]
    return _BEGINS_DESTINATION.search(before) is not None and _ENDS_DESTINATION.match(text, end) is not None


def _is_in_list(text: str, start: int, end: int) -> bool:
    """Whether a name without spaces ends the line, and the one above or below begins with the same site and such one.

    The site is what stands between `start` and `end`. Marks of quotation and of items may precede it.
    """
    *above, before = text[max(0, start - _LONGEST_LINE) : start].split("\n")[-2:]
    if not _ITEM.fullmatch(before) or not (name := _ENDS_LINE.match(text, end)):
        return False
    below, site = text[name.end() : name.end() + _LONGEST_LINE], text[start:end]
    items = (line[item.end() :] for line in (*above, below) if (item := _ITEM.match(line)))
    return any(item.startswith(site) and item[len(site) : len(site) + 1] > "\x7f" for item in items)


def _stands_alone(text: str, start: int, end: int) -> bool:
    """Whether a name without spaces at `end` ends the paragraph or the bracket that only the URL stands in."""
    found = _ENDS_ALONE.match(text, end)
    if found is None:
        return False
    if closing := found["closing"]:
        return start > 0 and text[start - 1] == _OPENED[closing]
    low = max(0, start - _LONGEST_MARGIN)
    above, _, margin = text[low:start].rpartition("\n")
    if margin[behind_prefix(margin) :]:
        return False
    return above.rstrip(" \t\r>").endswith("\n") or not (low or above.strip(" \t\r>"))
