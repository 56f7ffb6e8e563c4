"""`python -m urlglean` is the command `urlglean`.

Worker processes import the main module of the process that started them; they have no use for the command line.
"""


def main() -> None:
    """Run the command."""
    from urlglean.cli import main as command  # noqa: PLC0415

    command(prog_name="urlglean")


if __name__ == "__main__":
    main()
