"""Which tests hold for which Pythons."""

from __future__ import annotations

import sys

import pytest

from urlglean.expressions import FIRST_RIGHT

WHERE_RE_COMPILES = pytest.mark.skipif(sys.version_info < FIRST_RIGHT, reason="regex compiles all patterns here")
