"""Fuzzers: functions of octets that raise AssertionError if an invariant does not hold."""
