"""Compiles regular expressions. No module calls `re.compile` itself."""

from __future__ import annotations

import re
import sys
from typing import AnyStr, cast

FIRST_RIGHT = (3, 11, 5)
"""The first Python whose `re` matches possessive quantifiers and atomic groups rightly. In those before it, a group in
one may match too much, or for ever: CPython issue 106052. Debian 12 has such a Python."""


def compiled(source: AnyStr, flags: int = 0) -> re.Pattern[AnyStr]:
    """The compiled pattern: of `re`, or of `regex` where `re` is faulty.

    Raises:
        re.error: it is no pattern.
    """
    return _by_regex(source, flags) if sys.version_info < FIRST_RIGHT else re.compile(source, flags)


def _by_regex(source: AnyStr, flags: int) -> re.Pattern[AnyStr]:
    import regex  # noqa: PLC0415 - others need not wait for it

    try:
        made = regex.compile(source, int(flags) | regex.V0)
    except regex.error as error:
        raise re.error(str(error), source) from error
    return cast("re.Pattern[AnyStr]", made)  # which has the same methods
