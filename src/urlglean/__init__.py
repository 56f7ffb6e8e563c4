"""urlglean finds the URLs that stand in mail, news and old documents, rejoins what line breaks cut, and judges them."""

from urlglean.errors import GrammarError, SchemeNameError, UnknownNameError, UnreadableError, UrlgleanError
from urlglean.records import Finding, Join, JoinRule, Parts, Problem, Reading, Span, Verdict
from urlglean.text.extract import extract
from urlglean.text.judge import unsplit, validate
from urlglean.version import __version__

__all__ = [
    "Finding",
    "GrammarError",
    "Join",
    "JoinRule",
    "Parts",
    "Problem",
    "Reading",
    "SchemeNameError",
    "Span",
    "UnknownNameError",
    "UnreadableError",
    "UrlgleanError",
    "Verdict",
    "__version__",
    "extract",
    "unsplit",
    "validate",
]
