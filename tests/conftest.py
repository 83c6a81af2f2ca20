"""Settings for all tests."""

from hypothesis import HealthCheck, settings

# How long an example takes says nothing about the code: the machine may be busy.
settings.register_profile("any machine", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("any machine")
