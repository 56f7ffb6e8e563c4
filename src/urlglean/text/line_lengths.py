"""How long the lines are that programs wrap."""

SHORT = 58
"""In code points. Few programs wrap lines before this column."""
