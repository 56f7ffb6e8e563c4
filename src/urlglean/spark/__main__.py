"""`python -m urlglean.spark` is the command for `spark-submit`."""

from urlglean.spark import main

main(prog_name="urlglean.spark")
