"""urlglean finds the URLs that stand in mail, news and old documents, rejoins what line breaks cut, and judges them."""

from urlglean.errors import (
    GrammarError,
    OutOfRangeError,
    SchemeNameError,
    UnknownNameError,
    UnreadableError,
    UnreadableWarning,
    UrlgleanError,
)
from urlglean.occurrence import Occurrence
from urlglean.records import (
    Dialect,
    Envelope,
    Flowed,
    Join,
    JoinRule,
    Joins,
    Parts,
    Problem,
    Reading,
    Span,
    TextPart,
    Trouble,
    Verdict,
)
from urlglean.text.extract import extract, extract_many
from urlglean.text.finding import Finding
from urlglean.text.judge import unsplit, validate
from urlglean.version import __version__

__all__ = [
    "Dialect",
    "Envelope",
    "Finding",
    "Flowed",
    "GrammarError",
    "Join",
    "JoinRule",
    "Joins",
    "Occurrence",
    "OutOfRangeError",
    "Parts",
    "Problem",
    "Reading",
    "SchemeNameError",
    "Span",
    "TextPart",
    "Trouble",
    "UnknownNameError",
    "UnreadableError",
    "UnreadableWarning",
    "UrlgleanError",
    "Verdict",
    "__version__",
    "extract",
    "extract_many",
    "unsplit",
    "validate",
]
