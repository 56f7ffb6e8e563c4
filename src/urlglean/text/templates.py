"""Placeholders, which the reader must fill in: `http://<host>/`, `%s`, `${x}`, `{name}`, `*.example.org`, `http://.../`.

A dot in a host that was masked, so that nobody follows the link, is one as well, and one that a regular expression
escapes.

A text that contains one is not a URL, and its beginning is not a URL either, even if a parser accepts it. All rules are
guesses about how people write placeholders, one in each row.
"""

from __future__ import annotations

from msgspec import Struct

from urlglean.lazy import pattern


class TemplateRule(Struct, frozen=True):
    """A row: the pattern of a kind of placeholder, and an example."""

    name: str
    written: str
    example: str


WIKI_MACRO = r"\{(?:(?:noformat|panel|quote)|(?<![/=?&]\{)(?:code|color))\}(?![/.&\w-])"
"""The pattern of the end of an element of Jira and Confluence, whose mails hold it, behind a URL. Two of the words may
be names behind a separator."""

_MACRO_END = pattern(r"\{(code|color)\}(?![/.&\w-])")
_WIKI_TEMPLATE = pattern(r"\{\{[A-Za-z]++(?:(?: [A-Za-z]++){1,4}(?:\||\}\})|\|[a-z ]{1,20}=[^{}\r\n]{0,200}\}\})")
NO_PART = (
    r"(?:(?:[A-Za-z_]\w{0,30}\.){0,3}(?:NC|NO_?COLOU?R|RESET(?:_ALL|_COLOU?R)?|C(?:OLOU?R|olou?r)_(?:OFF|RESET|END|Off)"
    r"|ENDC|NORMAL|EOL|CRLF|NewLine)|(?:[A-Za-z_]\w{0,30}\.){1,3}(?:END|OFF|LF))"
)
"""The pattern of the name of a variable that scripts put behind a URL: it ends a colour of a terminal, or a line."""

BEHIND_NO_PART = r"(?![/&=?.][\w%{])"
"""The pattern of what follows it: no more of the URL."""

_END_OF_COLOUR = pattern(rf"(?<![=$])\{{{NO_PART}\}}{BEHIND_NO_PART}")
_MACRO_LOOK = 200
"""In so many characters before a URL, the beginning of such an element is searched."""

ESCAPED_NAME = (
    r"(?<=[/=?&:.@_-])\\(?:<[\w -]{1,60}\\>|\{[\w .-]{1,60}\\\}|\[(?![0-9]{1,4}\\)[\w .-]{1,60}\\\])|\\\[\.\\\]"
)
"""The pattern of a placeholder, or of a masked dot, whose brackets Markdown escapes. A number may be that of a note."""

_ESCAPE = "%[0-9A-Fa-f]{2}"
# In some numbers, a percent sign is one: `100%sicher`, `/20%sale`.
_FORMAT = (
    rf"(?!{_ESCAPE})"
    r"%(?:[({@]|(?<!100%)(?<![/_-][0-9]{2}%)s|(?:[0-9]{1,2}\$)?-?[0-9]{0,3}l{0,2}[sdiuxXfv](?![0-9A-Za-z]))"
)
# RFC 6570 and similar notations, and names of variables with those of their members. The identifiers that Windows
# writes in braces are no placeholders.
_NAME = (
    rf"(?!{WIKI_MACRO})\{{[?+#/;&.@$%]?(?![0-9A-Fa-f]{{8}}-)[A-Za-z_]"
    rf"(?:->|\['?\w{{1,30}}'?\]|[A-Za-z0-9_.:,|*-])*+\}}"
)
# A template of MediaWiki may stand directly behind a URL: `http://h/x{{dead link|...}}`.
_OF_A_WIKI = r"(?<=[A-Za-z0-9])\{\{[A-Za-z]++\Z"
# Browsers write JSON in a search as `{%22a%22:1}`.
# The text of a link of AsciiDoc may be an attribute of the document: `http://h/x[{title}]`.
_LINK_TEXT = r"(?<=[\w/]\[)\{[\w-]++\}\]"
_BRACES = rf"(?!{_LINK_TEXT}){_NAME}|\{{[0-9]{{0,2}}\}}|\{{(?!%(?:[2-7][0-9A-Fa-f]|0[9ADad]))%|(?!{_OF_A_WIKI})\{{\{{"
# Optional text in brackets, as in a synopsis; no address of IPv6, and no number of an issue as the text of a link.
_BRACKETS = r"\[(?!::|#[0-9]{1,9}\^?\])[:?#][^\[\]\s]{0,40}\]"
HIDDEN_ADDRESS = r"(?<=[/=?&:@.~_-])\[(?:email[ \xa0]?protected|hidden[ \xa0]?email)\]"
"""The pattern of what archives put in the place of an address, behind a separator; for patterns that ignore case."""
# The letters between two escapes are no name: in `%C4%ACSF%E5`, "SF" stands between the octets AC and E5.
_VARIABLE = rf"(?!{_ESCAPE}[A-Z_]{{1,28}}{_ESCAPE})%[A-Z_]{{3,30}}%|%%[A-Za-z_]{{1,30}}+%%"
# At the end of the text, behind the name of a host, it is emphasis or marks a footnote.
_STAR = r"://[^/?#]*(?:(?<=[./:-])\*|\*(?=[\w.]|/\S))"

_DOT = r"(?:\.|(?i:dot))"
_MASKED = rf"://[^/?#]*(?:\[{_DOT}\]|\({_DOT}\)|\{{{_DOT}\}}|(?<=[A-Za-z0-9])\\{{1,2}}\.)"

# But for message-ids, for items of a serial (SICI, ANSI/NISO Z39.56) as `<0437:TNYRP>`, and for tags that end an
# element, as in the pictures of `data:` URLs.
_ANGLE = r"<(?!(?:(?<!://<)[^<>@\s]{1,60}@|[0-9]{1,9}:)[^<>\s]{1,60}>|/|[^<>\s]{1,60}/>)[^<>\s]{0,60}>"

RULES = (
    TemplateRule("angle", _ANGLE, "http://<host>/"),
    TemplateRule("words-in-angle", r"[/=]<(?:[A-Za-z]++ )++[A-Za-z]++>", "http://h.example/<your name>/x"),
    # Lotus Domino calls attachments $FILE, and logs of Amazon's functions $LATEST.
    TemplateRule("shell", r"\$[({]|\$(?!FILE/|LATEST\])[A-Z_]{2,30}+(?![A-Za-z0-9])", "http://h.example/$(x)"),
    TemplateRule("ruby", r"#\{(?![%'])", "http://h.example/#{ x }"),
    TemplateRule("braces", _BRACES, "http://h.example/{name}"),
    TemplateRule("brackets", _BRACKETS, "http://h.example/[?query]"),
    # Archives put it in the place of an address, and of what looks like one.
    TemplateRule("hidden-address", f"(?i:{HIDDEN_ADDRESS})", "http://h.example/[email protected]"),
    TemplateRule("printf", _FORMAT, "http://h.example/%s"),
    TemplateRule("variable", _VARIABLE, "http://%HOST%/"),
    TemplateRule("escaped", ESCAPED_NAME, r"http://h.example/\[name\]/x"),
    TemplateRule("masked", _MASKED, "http://www.h[.]example/"),
    TemplateRule("dots", r"://(?:[^/.]{0,63}\.)?\.\.", "http://.../"),
    TemplateRule("star", _STAR, "http://*.example.org/"),
)

_TEMPLATE = pattern("|".join(f"(?:{rule.written})" for rule in RULES))
_SIGNS = pattern(r"[<$(\[{%*\\]|\.\.")


def is_template(url: str) -> bool:
    """Whether a URL contains a placeholder."""
    return _SIGNS.search(url) is not None and _TEMPLATE.search(url) is not None


def rule_that_ends_before(text: str, start: int, at: int) -> str | None:
    """The name of the rule by which a bracket behind a URL begins no placeholder; None if it may begin one.

    It is a wiki's macro, or a variable that ends a colour or a line, as `{RESET}`.
    """
    if _END_OF_COLOUR.match(text, at):
        return "end-of-colour"
    return "wiki-macro" if _is_macro(text, start, at) else None


def _is_macro(text: str, start: int, at: int) -> bool:
    """Whether a bracket behind the beginning of a URL begins a wiki's template, or the end of one that begins before.

    A template has a name of several words or a named value, as in `{{dead link|date=May 2010}}`. The beginning of one
    that ends has a parameter, as in `{color:red}`, or stands directly before the URL, so that it is no placeholder.
    """
    if _WIKI_TEMPLATE.match(text, at):
        return True
    end = _MACRO_END.match(text, at)
    if end is None:
        return False
    before = text[max(0, start - _MACRO_LOOK) : start]
    return before.endswith(end.group()) or f"{{{end.group(1)}:" in before
