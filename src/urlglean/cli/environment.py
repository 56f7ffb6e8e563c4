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


def name_source(error: click.BadParameter) -> None:
    """Let the message name the environment variable, not the option, if the wrong value comes from there."""
    option, context = error.param, error.ctx
    if context is None or not isinstance(option, click.Option) or option.name is None:
        return
    if context.get_parameter_source(option.name) is ParameterSource.ENVIRONMENT:
        error.param_hint = f"'{option.envvar}'"
