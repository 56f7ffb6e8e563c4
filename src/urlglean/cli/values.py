"""The types of values on the command line. None may be empty: a shell makes such values of unset variables."""

from __future__ import annotations

import os
from typing import Any

import click
from click.types import StringParamType


class PathType(click.Path):
    """A path."""

    def convert(
        self, value: str | os.PathLike[str], param: click.Parameter | None, ctx: click.Context | None
    ) -> str | bytes | os.PathLike[str]:
        """The path. An empty one is refused, which `Path` would take for the current folder."""
        return super().convert(_filled(self, value, param, ctx), param, ctx)


class _TextType(StringParamType):
    """Any other text."""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> str:
        return super().convert(_filled(self, value, param, ctx), param, ctx)


TEXT = _TextType()


def _filled(kind: click.ParamType[Any], value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
    """The value.

    Raises:
        BadParameter: it is empty.
    """
    if value == "":
        kind.fail("it is empty.", param, ctx)
    return value
