"""The table of all codes: problems, which make a URL invalid, and cautions about valid URLs.

Rows hold the codes and programs compare them, so a released code never changes. The code that detects them is
elsewhere: `text.diagnostics` and `semantic_rules` for problems, `text.cautions` for cautions, `text.interpret` for
wrappers, `text.web` for the codes of the URL Standard.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal

from msgspec import Struct


class Code(Struct, frozen=True):
    """A row: the code, its kind, the document and section from which it comes, and its meaning in words."""

    name: str
    kind: Literal["problem", "caution"]
    source: str
    meaning: str


_ROWS = (
    Code("no-scheme", "problem", "RFC 1738 2.1", "a URL begins with the name of its scheme and a colon"),
    Code("doubled-scheme", "problem", "RFC 1738 2.1", "one URL is pasted to the beginning of another"),
    Code("one-slash", "problem", "RFC 1738 3.1", "the common Internet scheme syntax starts with a double slash"),
    Code("no-slashes", "problem", "RFC 1738 3.1", "the common Internet scheme syntax starts with a double slash"),
    Code("user-not-allowed", "problem", "RFC 1738 3", "no user name or password is allowed in this scheme"),
    Code("space", "problem", "RFC 1738 2.2", "white space must be encoded"),
    Code("control-character", "problem", "RFC 1738 2.2", "a control character must be encoded"),
    Code("not-ascii", "problem", "RFC 1738 2.2", "a character outside US-ASCII must be encoded"),
    Code("national-character", "problem", "RFC 1738 2.2, 5", "gateways modify { } | \\ ^ ~ [ ] and `: must be encoded"),
    Code("unsafe-character", "problem", "RFC 1738 2.2, 5", '< > " and # delimit URLs in text and must be encoded'),
    Code("bad-escape", "problem", "RFC 1738 2.2", "a % is followed by two hexadecimal digits"),
    Code("underscore-in-host", "problem", "RFC 1738 3.1", "a host name has letters, digits and hyphens"),
    Code("unexpected-character", "problem", "RFC 1738 5", "the production does not allow a character at its place"),
    Code("incomplete", "problem", "RFC 1738 5", "something is missing at the end"),
    Code("no-addr-spec", "problem", "RFC 1738 3.5", "a mailto URL holds an addr-spec, local-part@domain"),
    Code("line-end-in-selector", "problem", "RFC 1738 3.4.1", "a Gopher selector holds no CR and no LF"),
    Code("no-such-place", "problem", "RFC 5870 3.4.2", "a latitude is at most 90 degrees, a longitude at most 180"),
    Code("unclosed-wrapper", "problem", "RFC 1738 appendix", "a wrapper opens and nothing closes it"),
    Code("too-many-readings", "problem", "RFC 1738 appendix", "hyphens at line ends allow more readings than are made"),
    Code("simply-read", "problem", "guess", "so many candidates before it were doubtful that this one was not weighed"),
    Code("template", "problem", "guess", "the URL has a placeholder, as templates have"),
    Code("unlike-a-url", "problem", "guess", "the dialect accepts it, but no reader would copy it as a URL"),
    Code("host-missing", "problem", "URL Standard 4.4", "a special scheme needs a host"),
    Code("host-invalid", "problem", "URL Standard 3.5", "the host cannot be parsed"),
    Code("port-invalid", "problem", "URL Standard 4.4", "the port is not a number up to 65535"),
    Code("password", "caution", "RFC 1738 6", "a password stands in the URL for all to read"),
    Code("user-like-host", "caution", "RFC 3986 7.6", "the user name looks like a host; the host comes after the @"),
    Code("odd-low-port", "caution", "RFC 1738 6", "a port below 1024 that belongs to another protocol"),
    Code("port-too-high", "caution", "RFC 6335 6", "no port has a number above 65535"),
    Code("encoded-line-end", "caution", "RFC 1738 6", "an encoded CR, LF or NUL could end a command of the protocol"),
    Code("disguised-host", "caution", "RFC 3986 7.4", "an IP address in octal, hexadecimal or as one number"),
    Code("quad-too-high", "caution", "RFC 3986 3.2.2", "a dotted quad with a number above 255 is no IP address"),
    Code("punycode-host", "caution", "RFC 5890 4.4", "an internationalized name in its encoded form"),
    Code("mixed-script-host", "caution", "RFC 3987 8", "a label mixes scripts whose letters look alike"),
    Code("invisible-in-host", "caution", "RFC 5892 2.3", "the host has an invisible character"),
    Code("bidi-control", "caution", "RFC 3987 4.1", "a character that changes the direction of writing"),
    Code("raw-message-id", "caution", "RFC 5538 4", "a message-id as newsreaders print it: # ^ and % must be encoded"),
    Code("encoded-blank", "caution", "RFC 3966 3", "a blank in a telephone number, whose only separators are - . ( )"),
    Code("experimental-scheme", "caution", "RFC 1738 4", "scheme names that begin with x- are for experiments"),
    Code("reserved-scheme", "caution", "RFC 1738 4", "a scheme name that was reserved before its syntax was defined"),
    Code("invalid-url-unit", "caution", "URL Standard 4.4", "a character is encoded or left out"),
    Code("invalid-reverse-solidus", "caution", "URL Standard 4.4", "a backslash is taken for a slash"),
    Code(
        "special-scheme-missing-following-solidus",
        "caution",
        "URL Standard 4.4",
        "the slashes behind the scheme are not two, but are taken for two",
    ),
)

CODES: Mapping[str, Code] = {row.name: row for row in _ROWS}
