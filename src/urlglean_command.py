"""The entry point of the command `urlglean`.

It stands outside the package, whose import takes most of the time until the command can handle Ctrl-C itself.
"""

import signal


def main() -> None:
    """Run the command. Ctrl-C while it is imported ends the process by SIGINT, as it ends a program in C."""
    # An exception there would be told with a traceback, and may crash a library in C that is being imported.
    is_heeded = signal.getsignal(signal.SIGINT) is signal.default_int_handler
    if is_heeded:
        signal.signal(signal.SIGINT, signal.SIG_DFL)
    from urlglean.cli import main as command  # noqa: PLC0415  this is what may be interrupted

    if is_heeded:
        signal.signal(signal.SIGINT, signal.default_int_handler)
    command(prog_name="urlglean")
