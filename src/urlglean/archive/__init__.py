"""What archives do with what was found: a copy of the mail in which each URL stands whole."""
