"""Opens a URL by the reader's browser, and copies it to the clipboard of the terminal."""

from __future__ import annotations

import os
import webbrowser
from base64 import b64encode
from collections.abc import Iterator
from contextlib import contextmanager


def opened(url: str, terminal: int) -> bool:
    """Open a URL by $BROWSER, xdg-open or whatever `webbrowser` finds; whether that was possible.

    The URL is one argument of the browser. No shell sees it.

    Args:
        url: a URL of visible characters without blanks, as `links.target` returns it.
        terminal: the descriptor of the terminal. A browser that runs in a terminal reads and writes there.
    """
    with _standing_for(terminal):
        return webbrowser.open(url)


@contextmanager
def _standing_for(terminal: int) -> Iterator[None]:
    """A block in which the terminal is stdin, stdout and stderr, of programs that are started too."""
    kept = [os.dup(descriptor) for descriptor in range(3)]
    try:
        for descriptor in range(3):
            os.dup2(terminal, descriptor)
        yield
    finally:
        for descriptor, before in enumerate(kept):
            os.dup2(before, descriptor)
            os.close(before)


def copying(url: str) -> str:
    """The control sequence by which a terminal copies a URL to its clipboard (OSC 52 of xterm)."""
    return f"\x1b]52;c;{b64encode(url.encode()).decode()}\x07"
