"""The links of a message, to choose from on a terminal. `links` collects them, `picker` chooses, `screen` shows it.

Only `screen` needs prompt_toolkit, which the extra `pick` installs.
"""
