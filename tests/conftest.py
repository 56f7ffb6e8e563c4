"""What holds for all tests: none has a time limit, since machines are busy."""

from hypothesis import settings

settings.register_profile("urlglean", deadline=None)
settings.load_profile("urlglean")
