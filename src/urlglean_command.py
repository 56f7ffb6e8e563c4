"""The entry point of the command `urlglean`.

It stands outside the package, whose import takes most of the time until the command can handle Ctrl-C itself.
"""

import signal
import sys

FAILED = 2
"""The exit status after an exception that nothing handles. Python's own would be 1, which says that there is no URL."""


def main() -> None:
    """Run the command. Ctrl-C while it is imported ends the process by SIGINT, as it ends a program in C."""
    try:
        _run()
    except MemoryError:
        sys.stderr.write("urlglean: there is not enough memory\n")
        sys.exit(FAILED)
    except Exception:  # noqa: BLE001  told as Python does, but for the status
        sys.excepthook(*sys.exc_info())
        sys.exit(FAILED)


def _run() -> None:
    # An exception there would be told with a traceback, and may crash a library in C that is being imported.
    is_heeded = signal.getsignal(signal.SIGINT) is signal.default_int_handler
    if is_heeded:
        signal.signal(signal.SIGINT, signal.SIG_DFL)
    from urlglean.cli import main as command  # noqa: PLC0415  this is what may be interrupted

    if is_heeded:
        signal.signal(signal.SIGINT, signal.default_int_handler)
    command(prog_name="urlglean")
