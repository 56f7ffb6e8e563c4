"""`python -m urlglean` is the command `urlglean`."""

from urlglean.cli import main

main(prog_name="urlglean")
