"""The standards as data: their productions, what is made of them, and one row for each scheme."""
