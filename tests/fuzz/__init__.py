"""Fuzzers: functions of octets that raise AssertionError where an invariant does not hold."""
