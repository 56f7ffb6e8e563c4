"""The environment variables of options: their names, those that no option has, and errors in them."""

from __future__ import annotations

import os
from collections.abc import Iterable

import click
from click.core import ParameterSource

_OURS = "URLGLEAN_"


def variable_of(command: str, option: click.Option) -> str:
    """The environment variable of an option: `URLGLEAN_SCAN_TIME_LIMIT` for `urlglean scan --time-limit`.

    click would name it by the parameter of the function, which nobody sees.
    """
    longest = max(option.opts, key=len)
    return _prefix(command) + longest.lstrip("-").upper().replace("-", "_")


def _prefix(command: str) -> str:
    return f"{_OURS}{command.upper()}_"


def unknown_variables(command: click.Command, others: Iterable[str]) -> list[str]:
    """The variables that are set, look like those of options, and are of no option of a command.

    Those that begin as the variables of the `others` do are left out: these commands are not imported, so nobody knows
    their options.
    """
    known = {option.envvar for option in command.params}
    theirs = tuple(map(_prefix, others))
    ours = (variable for variable in os.environ if variable.startswith(_OURS))
    return sorted(variable for variable in ours if variable not in known and not variable.startswith(theirs))


def name_source(error: click.UsageError) -> None:
    """Let the message name environment variables: that of a wrong value instead of its option, else all that are read.

    Nobody sees the options that contradict others if they come from there.

    Raises:
        UsageError: the same with the names of those variables.
    """
    if error.ctx is None:
        return
    if isinstance(error, click.BadParameter):
        if isinstance(error.param, click.Option) and _is_read(error.ctx, error.param):
            error.param_hint = f"'{error.param.envvar}'"
    elif variables := [f"{each.envvar}" for each in error.ctx.command.params if _is_read(error.ctx, each)]:
        told = f"{error.message} Options come from the environment too: {', '.join(variables)}."
        raise click.UsageError(told, error.ctx) from error


def _is_read(context: click.Context, option: click.Parameter) -> bool:
    return context.get_parameter_source(option.name) is ParameterSource.ENVIRONMENT
