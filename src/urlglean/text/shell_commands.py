"""How commands of a shell with a URL stand in mail: at a prompt, or before a pipe. The lists are not complete."""

from __future__ import annotations

FETCH = r"(?:(?:wget|curl|lynx|w3m|aria2c|axel|lwp-(?:request|download|mirror))(?=[ \t])|(?:fetch|ftp)(?=[ \t]+-))"
"""The pattern of a program that gets what its URL names."""

IN_COMMAND = rf"(?:\A[ \t>|:]*|[$#%`(;&\"'][ \t]*|sudo[ \t]+){FETCH}(?:[^'\"]|'[^']*'|\"[^\"]*\")*+(?<=[ \t])"
"""The pattern of a line up to an argument of such a program, at a prompt or quoted. An open quotation excludes it."""

_SUBCOMMAND = "(?:install|clone|co|checkout|export|pull|add|remote|download|import)"
COMMAND = rf"(?:(?:sudo[ \t]+)?(?:{FETCH}|[a-z][a-z0-9_.+-]*[ \t]+(?:--?[A-Za-z]|{_SUBCOMMAND}[ \t])))"
"""The pattern of the beginning of a command: such a program, or any word before an option or a common subcommand."""
