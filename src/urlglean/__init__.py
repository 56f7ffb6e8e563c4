"""urlglean finds the URLs in mail, news and old documents, rejoins those that line breaks cut, and judges them."""

from typing import TYPE_CHECKING

from urlglean.errors import (
    ContradictionError,
    DateError,
    GrammarError,
    IrreversibleError,
    MissingExtraError,
    OutOfRangeError,
    PartsError,
    SchemeNameError,
    UnknownNameError,
    UnreadableError,
    UnreadableWarning,
    UrlgleanError,
)
from urlglean.occurrence import Occurrence
from urlglean.records import (
    Certainty,
    Dialect,
    Envelope,
    Flowed,
    Join,
    JoinRule,
    Joins,
    Mend,
    MendRule,
    Origin,
    Problem,
    Reading,
    Span,
    TextPart,
    Trouble,
    Verdict,
    Wrapper,
)
from urlglean.text.extract import extract, extract_many
from urlglean.text.finding import Finding
from urlglean.text.judge import unsplit, validate
from urlglean.url_parts import Parts
from urlglean.version import __version__

__all__ = [
    "Certainty",
    "ContradictionError",
    "DateError",
    "Dialect",
    "Envelope",
    "Finding",
    "Flowed",
    "GrammarError",
    "IrreversibleError",
    "Join",
    "JoinRule",
    "Joins",
    "Mend",
    "MendRule",
    "MissingExtraError",
    "Occurrence",
    "Origin",
    "OutOfRangeError",
    "Parts",
    "PartsError",
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
    "Wanted",
    "Wrapper",
    "__version__",
    "extract",
    "extract_many",
    "extract_message",
    "scan",
    "unsplit",
    "validate",
]

if TYPE_CHECKING:
    from urlglean.pipeline.library import extract_message, scan
    from urlglean.pipeline.wanted import Wanted
else:

    def __getattr__(name: str) -> object:
        """Imports `scan`, `extract_message` and `Wanted` when they are first used.

        They need the readers of mail and files, which take as long to import as the rest of the package.
        """
        if name not in {"Wanted", "extract_message", "scan"}:
            raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
        from urlglean.pipeline import library  # noqa: PLC0415

        return globals().setdefault(name, getattr(library, name))


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
