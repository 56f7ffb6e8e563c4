"""What holds for all tests: none has a time limit, since machines are busy. What is generated is bounded in size."""

from hypothesis import HealthCheck, settings

settings.register_profile("urlglean", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("urlglean")
