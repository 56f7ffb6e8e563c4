"""`python -m urlglean` is the command `urlglean`."""

from urlglean_command import main

main()
