"""Reads candidates to the sign that closes their wrapper, over line breaks and the margins of the lines.

RFC 1738's appendix gives the wrapper `<URL:...>`; RFC 3986 appendix C adds `<...>` and `"..."`.
"""

from __future__ import annotations

import re

from urlglean.grammar.schemes import FAMILIAR
from urlglean.lazy import pattern
from urlglean.records import Span, Wrapper
from urlglean.text.candidates import Found
from urlglean.text.file_extension import LONGEST, ends_in_one
from urlglean.text.gaps import CONTINUES
from urlglean.text.mending import ESCAPE
from urlglean.text.page_breaks import page_break
from urlglean.text.quote_prefix import BREAK, LINE_BREAK, Margin, behind_margin, line_start, margin_at, resume
from urlglean.text.scheme_triggers import any_of

_STRAY_QUOTE = pattern(r"\\?\"(?=\s|\Z)")
_STOP = pattern(r"[<>\r\n]")
# A backslash ends the run, because it belongs to code, `\"http://...\"`, unless it escapes a sign of the URL.
_QUOTED_RUN = pattern(rf"[^\s\"<>\\]*+(?:{ESCAPE}[^\s\"<>\\]*+)*+")

# A ">" at the beginning of a line that goes on behind it may quote the line, or be the mark of a diff. It does if the
# next line begins with one too, or if prose, or what diff writes before a change, stands between it and the URL.
_MAY_QUOTE = pattern(r">[ \t]*+(?:[^\s.,;:!?)\]}]|\r*+\n[ \t]*+>)")
_LINE_OF_QUOTE = pattern(r">[^\r\n]*+\r*+\n[ \t]*+>")
_COMMAND_OF_DIFF = pattern(r"[0-9]+(?:,[0-9]+)?[acd][0-9]+(?:,[0-9]+)?")
_BLANK_WITHIN = pattern(r"\S[ \t]++\S")
# Of equals signs behind a word only: a line may also begin with the end of a search in base64.
_ARROW = pattern(r"(?<!\S)-++\Z|\S[ \t]++=++\Z")
# A ruler, as diff has between two changes, or what stands before a signature (RFC 3676 4.3).
_RULER = pattern(r"([-=_*~])\1{2,}+[ \t]*+(?=[\r\n]|\Z)|-- (?=[\r\n])")

# A list of them, as a value in a configuration has.
_SEVERAL = pattern(rf"[^\s?#,;]*+[,;]{any_of(FAMILIAR)}://\S*+\Z", re.IGNORECASE)

# With the blanks before it that no reader sees. They may divide words too, as those of format=flowed do (RFC 3676 4.2).
# Before the line end of a string that goes on, shells, C and others have a backslash (POSIX.1-2017, Shell Command
# Language 2.2.3).
_LINE_END = pattern(rf"(?:\\|[ \t]*+){BREAK}")

# Mail programs write an address with its URL so, in an attribution: `<ann@host <mailto:ann@host>> wrote:`.
_IN_ADDRESS = pattern(r"<[\s>|]{0,40}+[\w.+-]{1,64}+@[\w.-]{1,255}+[\s>|]{0,40}+<\Z")
_LONGEST_ADDRESS = 400
# Of an attribute, or of a member of JSON.
_OPENS_VALUE = pattern(r"(?:=|\"[ \t]{0,8}:[ \t]{0,8})\"\Z")
_LONGEST_OPENING = 20
# What stands for what was left out; and what ends a text that only begins with a URL, as brackets not in pairs show.
_ELLIPSES = ("..", "…")
_OF_PROSE = (*_ELLIPSES, ").", "),", "].", "],")

# Between the cells of a table.
_DIVIDERS = frozenset(",;\t")
# A URL goes on over a blank and a line end if one of these stands before them, or the next line holds such a sign.
_BEFORE_REST = frozenset("/?=&#%_-")
_HOLDS_SIGN = pattern(r"[^\s\"<>]*?(?:[/?=&#%_@0-9-]|\.\w)")

# Signs with which an option begins, or what follows an item of a list.
_OF_LIST = frozenset("-,;")

MAX_QUOTED_LINES = 4
"""The most lines of a URL in quotation marks; more are taken for text that happens to be between two marks."""


def in_angles(text: str, start: int, wrapper: Wrapper) -> Found | None:
    """The candidate from `start` to the ">" that closes its wrapper; None if nothing closes it.

    A ">" of a line's quote prefix closes nothing (`quote_prefix.resume` skips it). The search for the ">" ends at a
    blank line, at a ruler, at a line that is quoted and at a new "<".
    """
    margin, pos, end, begin = None, start, start, start
    pieces: list[tuple[int, int]] = []  # what lies between the margins
    while (stop := _STOP.search(text, pos)) is not None and stop.group() != "<":
        if content := text[pos : stop.start()].rstrip():
            end = pos + len(content)
            pieces.append((pos, end))
        if stop.group() == ">":
            if len(pieces) > 1 and _is_other_sign(text, pieces, begin, stop.start()):
                return None
            start += len(text[start:end]) - len(text[start:end].lstrip())
            # A quotation mark belongs to no URL, but may be the rest of an attribute: `<http://host/">`.
            quotes = (_STRAY_QUOTE.search(text, *piece) for piece in pieces)
            quote = next(filter(None, quotes), None)
            cut_by = ("stray-quote",) if quote else ()
            end = start + len(text[start : quote.start()].rstrip()) if quote else end
            return Found(Span(start, end), wrapper, stop.end(), cut_by)
        if (after_page := page_break(text, stop.start())) is not None:
            pos = after_page
            continue
        # The wrapper's own "<" is not a mark of the margin; in the next line, a "<" would open another wrapper.
        below = _next_line(text, stop.start())
        if margin is None:
            margin = margin_at(text, text.rfind("<", 0, start), wrapped=True, below=below)
        pos = begin = resume(text, below, margin, wrapped=True)
        if text[pos : pos + 1] in {"", "\r", "\n"} or _RULER.match(text, pos):
            return None
    return None


def _is_other_sign(text: str, pieces: list[tuple[int, int]], begin: int, at: int) -> bool:
    """Whether a ">" in a later line than the URL quotes its line, or ends an arrow.

    Args:
        text: the whole text.
        pieces: the content of the lines before it.
        begin: where the line of the ">" begins, behind its margin.
        at: the place of the ">".
    """
    if at > begin:  # behind an arrow stands a blank or a word
        behind = text[at + 1 : at + 2]
        return (not behind.strip() or behind.isalnum()) and _ARROW.search(text, begin, at) is not None
    start = pieces[0][0]
    is_second = text.startswith(">>", at) and _IN_ADDRESS.search(text, max(0, start - _LONGEST_ADDRESS), start)
    if is_second or not _MAY_QUOTE.match(text, at):
        return False
    return _LINE_OF_QUOTE.match(text, at) is not None or any(_is_no_url(text, *piece) for piece in pieces[1:])


def _is_no_url(text: str, start: int, end: int) -> bool:
    """Whether a line is surely no part of a URL: it has blanks or a colon at its end, or is what diff writes."""
    return (
        text[end - 1] == ":"
        or _COMMAND_OF_DIFF.fullmatch(text, start, end) is not None
        or _BLANK_WITHIN.search(text, start, end) is not None
    )


def in_quotes(text: str, start: int) -> Found | None:
    """The candidate from `start` to the quotation mark that closes it; None if nothing closes it, or it holds several.

    It may contain line breaks, but no blank line, and blanks only before them, if no word alone follows. In a cell of a
    table it contains none: there a line end divides two lines (RFC 4180 2).
    """
    margin, pos = None, start
    for _ in range(MAX_QUOTED_LINES):
        run = _QUOTED_RUN.match(text, pos)
        pos = run.end() if run else pos
        if text[pos : pos + 1] == '"':
            return None if margin is not None and _is_cell(text, start, pos, margin) else _up_to_mark(text, start, pos)
        if (after_page := page_break(text, pos)) is not None:
            pos = after_page
            continue
        if (line := _LINE_END.match(text, pos)) is None:
            return None
        margin = margin_at(text, start, wrapped=True, below=line.end()) if margin is None else margin
        end, pos = pos, resume(text, line.end(), margin, wrapped=True)
        if text[end] == CONTINUES and _begins_item(text, end, pos):
            return None
        is_over = text[pos : pos + 1] in {"", "\r", "\n"} or _RULER.match(text, pos) is not None
        if is_over or _divides_words(text, end, pos):
            return None
    return None


def _up_to_mark(text: str, start: int, end: int) -> Found | None:
    """The candidate from `start` to the mark at `end`; None if it holds several URLs."""
    content = text[start:end].rstrip()
    if _SEVERAL.match(content):
        return None
    # American usage puts a sentence's full stop or comma inside the quotation marks; other signs are intended.
    opened = _OPENS_VALUE.search(text, max(0, start - _LONGEST_OPENING), start)
    is_in_pairs = content.count("(") == content.count(")") and content.count("[") == content.count("]")
    is_value = opened is not None and not content.endswith(_ELLIPSES if is_in_pairs else _OF_PROSE)
    whole = start + len(content)
    # To the shell of Windows, this sign escapes a quotation mark.
    content = content.removesuffix("^") if text[start - 2 : start - 1] == "^" else content
    content = content if is_value else content.rstrip(".,")
    cut_by = ("closing-punctuation",) if start + len(content) < whole else ()
    return Found(Span(start, start + len(content)), "quoted", end + 1, cut_by)


def _divides_words(text: str, end: int, begin: int) -> bool:
    """Whether a line ends at `end` with a blank behind a word, and the next one begins at `begin` with a word alone."""
    is_blank = text[end] in " \t" and text[end - 1] not in _BEFORE_REST
    return is_blank and _HOLDS_SIGN.match(text, begin) is None


def _begins_item(text: str, end: int, begin: int) -> bool:
    """Whether a list goes on at `begin`, with a file, an option or an item, and not the URL up to a backslash at `end`.

    A blank precedes it: without one, even the words of a list would be one word.
    """
    sign = text[begin : begin + 1]
    is_file = (sign.isalnum() or sign == "$") and ends_in_one(text[max(0, end - LONGEST) : end])
    return text[begin - 1] in " \t" and (is_file or sign in _OF_LIST)


def _is_cell(text: str, start: int, end: int, margin: Margin) -> bool:
    """Whether what stands in quotation marks is a cell: the same sign divides it from the cells on both sides.

    The first cell of a row begins a line, behind its margin; the last one ends it. In prose, a comma stands before a
    blank or a line end.
    """
    before, behind = text[max(0, start - 2) : start - 1], text[end + 1 : end + 2]
    if behind_margin(text, line_start(text, start), margin) == start - 1:
        return behind in _DIVIDERS and not text[end + 2 : end + 3].isspace()
    return before in _DIVIDERS and (behind == before or behind in {"", "\r", "\n"})


def _next_line(text: str, line_break: int) -> int:
    """The start of the line behind the line break at position `line_break`."""
    return found.end() if (found := LINE_BREAK.match(text, line_break)) else line_break
