"""The standards as data: their productions, patterns and automata made from them, and one row for each scheme."""
