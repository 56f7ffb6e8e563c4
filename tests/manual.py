"""Writes the files that are installed beside the command: man pages, and completion for three shells.

    python tests/manual.py

The pages are made from the commands' own help by click-man, the completion by click. They go to `share/`, laid out as
systems look for them (`man/man1`, and each shell's own folder), and are part of the wheel.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import click
from click.shell_completion import get_completion_class
from click_man.core import generate_man_page
from click_man.man import ManPage

from urlglean.cli import main as command
from urlglean.version import __version__

SHARE = Path(__file__).parent.parent / "share"
NO_DATE = " "
"""For the foot of a page. The day on which the page was made would change each page each time."""

SHELLS = {
    "bash": "bash-completion/completions/urlglean",
    "zsh": "zsh/site-functions/_urlglean",
    "fish": "fish/vendor_completions.d/urlglean.fish",
}
"""The path below `share` where each shell looks for completion."""


def pages() -> Iterator[tuple[str, str]]:
    """The file name of each man page, and its text."""
    whole = click.Context(command, info_name="urlglean")
    listed = {name: command.get_command(whole, name) for name in command.list_commands(whole)}
    listing = ManPage("urlglean")
    listing.commands = [(name, one.get_short_help_str(80)) for name, one in listed.items() if one]
    commands = str(listing).partition(".SH COMMANDS\n")[2]
    yield "urlglean.1", f"{generate_man_page(whole, __version__, NO_DATE)}.SH COMMANDS\n{commands}"
    for name, one in listed.items():
        if one:
            context = click.Context(one, info_name=name, parent=whole)
            yield f"urlglean-{name}.1", generate_man_page(context, __version__, NO_DATE)


def completions() -> Iterator[tuple[str, str]]:
    """The path of each shell's completion file below `share`, and its text."""
    for shell, path in SHELLS.items():
        made = get_completion_class(shell)
        assert made is not None
        yield path, made(command, {}, "urlglean", "_URLGLEAN_COMPLETE").source()


def main() -> None:
    """Writes all of these files."""
    for name, text in (*((f"man/man1/{name}", text) for name, text in pages()), *completions()):
        path = SHARE / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
