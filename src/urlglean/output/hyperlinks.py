r"""Links on a terminal: the control sequence OSC 8, and which terminals know it.

    ESC ] 8 ; ; URL ESC \ text ESC ] 8 ; ; ESC \

There is no way to ask a terminal. It names itself in the environment, and `KNOWN` has those that are known to take the
sequence (https://gist.github.com/egmontkob/eb114294efbcd5adb1944c9f3cb5feda). All others get none: a terminal that does
not know it should ignore it, but some print it.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import NamedTuple

from urlglean.expressions import compiled


class Terminal(NamedTuple):
    """A terminal that knows OSC 8.

    Attributes:
        variable: a variable of the environment that it sets.
        value: matches the beginning of that variable's value.
        version: the variable that has its version; "" if every version knows it.
        least: the first version that knows it.
    """

    variable: str
    value: str = ""
    version: str = ""
    least: tuple[int, ...] = ()


_WITHIN = compiled(r"(?:screen|tmux)(?:[.-]|\Z)")
"""TERM inside tmux and screen. What else the environment has there is of the terminal outside, or of an earlier one."""

_TMUX = Terminal("TERM_PROGRAM", "tmux", "TERM_PROGRAM_VERSION", (3, 4))

KNOWN = (
    Terminal("VTE_VERSION", "", "VTE_VERSION", (5001,)),  # GNOME Terminal, Tilix, ...; 0.50.0 crashes
    Terminal("TERM", "xterm-kitty"),
    Terminal("TERM", "alacritty"),
    Terminal("TERM", "foot"),
    Terminal("TERM", "xterm-ghostty"),
    Terminal("TERM_PROGRAM", "iTerm.app", "TERM_PROGRAM_VERSION", (3, 1)),
    Terminal("TERM_PROGRAM", "WezTerm"),
    Terminal("TERM_PROGRAM", "ghostty"),
    Terminal("TERM_PROGRAM", "vscode", "TERM_PROGRAM_VERSION", (1, 72)),
    Terminal("KONSOLE_VERSION", "", "KONSOLE_VERSION", (201200,)),
    Terminal("WT_SESSION"),  # Windows Terminal
    Terminal("DOMTERM"),
)


def knows_links(environment: Mapping[str, str]) -> bool:
    """Whether the terminal that this environment names knows OSC 8."""
    within = "TMUX" in environment or _WITHIN.match(environment.get("TERM", "")) is not None
    return any(_is(terminal, environment) for terminal in ((_TMUX,) if within else KNOWN))


def _is(terminal: Terminal, environment: Mapping[str, str]) -> bool:
    value = environment.get(terminal.variable)
    if not value or not value.startswith(terminal.value):
        return False
    version = re.findall(r"[0-9]{1,9}", environment.get(terminal.version, ""))
    return tuple(map(int, version)) >= terminal.least


def linked(url: str, text: str) -> str:
    """A text that leads to a URL. The URL must be one that `openable.may_link` allows."""
    return f"\x1b]8;;{url}\x1b\\{text}\x1b]8;;\x1b\\"
