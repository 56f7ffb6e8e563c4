"""Settings for all tests: none has a time limit, because machines are busy. The size of generated data is bounded."""

from hypothesis import HealthCheck, settings

settings.register_profile("urlglean", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("urlglean")
