"""The command line: arguments, exit codes, messages; no logic.

Each command is a file in this package and a row in `COMMANDS`. Rows go to stdout or to the file that was asked for,
everything else to stderr. The module of a command, with all that it imports, is imported only when the command is run.
"""

from __future__ import annotations

import sys
from importlib import import_module
from typing import Any

import click

from urlglean.cli.environment import name_source, unknown_variables, variable_of
from urlglean.cli.streams import click_writes, prepare
from urlglean.version import __version__

COMMANDS = {
    "scan": "urlglean.cli.scan:scan",
    "catalog": "urlglean.cli.catalog:catalog",
    "settle": "urlglean.cli.settle:settle",
    "seeds": "urlglean.cli.seeds:seeds",
    "report": "urlglean.cli.report:report",
    "rewrite": "urlglean.cli.rewrite:rewrite",
    "check": "urlglean.cli.check:check",
    "show": "urlglean.cli.show:show",
    "pick": "urlglean.cli.pick:pick",
    "schemes": "urlglean.cli.schemes:schemes",
    "codes": "urlglean.cli.codes:codes",
}
"""The name of each command and where it is defined ("module:function"), in the order of the help."""


INTERRUPTED = 130
"""The exit status after Ctrl-C, the same as shells report for a command that Ctrl-C has ended."""


class _Commands(click.Group):
    """The commands of `COMMANDS`. Each is imported when it is asked for."""

    def main(self, *args: Any, **kwargs: Any) -> Any:
        """Run the command line, whatever state the standard streams are in."""
        prepare()
        return super().main(*args, **kwargs)

    def make_context(self, *args: Any, **kwargs: Any) -> click.Context:
        """Read the options, of which `--help` and `--version` write to stdout."""
        with click_writes():
            return super().make_context(*args, **kwargs)

    def invoke(self, ctx: click.Context) -> object:
        """Run the command. Ctrl-C gives `INTERRUPTED` even while the command is still being imported."""
        try:
            with click_writes():
                return super().invoke(ctx)
        except click.UsageError as error:
            name_source(error)
            raise
        except KeyboardInterrupt:
            sys.exit(INTERRUPTED)

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """Find the command that is run, and tell of environment variables that no command can have."""
        name, command, rest = super().resolve_command(ctx, args)
        if name and command and not ctx.resilient_parsing:
            for variable in unknown_variables(command, [other for other in COMMANDS if other != name]):
                click.echo(f"urlglean: no option has the environment variable {variable!a}", err=True)
        return name, command, rest

    def list_commands(self, ctx: click.Context) -> list[str]:  # noqa: ARG002  click's signature
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:  # noqa: ARG002  click's signature
        if cmd_name not in COMMANDS:
            return None
        module, _, name = COMMANDS[cmd_name].partition(":")
        command: click.Command = getattr(import_module(module), name)
        for option in command.params:
            if isinstance(option, click.Option):
                option.envvar = variable_of(cmd_name, option)
        return command


@click.group(
    cls=_Commands,
    short_help="Find the URLs in mail, news and old documents.",
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
)
@click.version_option(__version__, message="%(prog)s %(version)s")
def main() -> None:
    """Find the URLs in mail, news and old documents, put broken ones back together, and judge them."""
