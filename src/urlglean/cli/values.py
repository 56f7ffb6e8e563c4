"""The types of values on the command line. No text may be empty: a shell makes such values of unset variables."""

from __future__ import annotations

import os
from math import inf
from typing import Any

import click
from click.types import StringParamType


class PathType(click.Path):
    """A path."""

    def convert(
        self, value: str | os.PathLike[str], param: click.Parameter | None, ctx: click.Context | None
    ) -> str | bytes | os.PathLike[str]:
        """The path.

        Refused are an empty one, which `Path` would take for the current folder, and "folder/" where a file is meant.
        """
        if isinstance(value, str) and value.endswith("/") and not self.dir_okay:
            self.fail(f"{value!r} names a folder.", param, ctx)
        return super().convert(_filled(self, value, param, ctx), param, ctx)


class _TextType(StringParamType):
    """Any other text."""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> str:
        return super().convert(_filled(self, value, param, ctx), param, ctx)


TEXT = _TextType()


class NumberType(click.FloatRange):
    """A number from `min` to `max`, or from `min` on. NaN is none, which click's ranges let through."""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> float:
        """The number."""
        number = float(click.FLOAT.convert(value, param, ctx))
        least, most = self.min or 0.0, inf if self.max is None else self.max
        if not least <= number <= most:
            told = f"from {least:g} on" if most == inf else f"from {least:g} to {most:g}"
            self.fail(f"{value} is no number {told}.", param, ctx)
        return number


def _filled(kind: click.ParamType[Any], value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
    """The value.

    Raises:
        BadParameter: it is empty.
    """
    if value == "":
        kind.fail("it is empty.", param, ctx)
    return value
