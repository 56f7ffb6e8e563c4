"""The strategies that `urlglean.testing` offers to tests of other projects."""

from __future__ import annotations

import pytest
from hypothesis import HealthCheck, Phase, find, given, settings

from urlglean.errors import UnknownNameError
from urlglean.testing import members, near_misses, urls
from urlglean.text.judge import validate

FINDING = settings(
    max_examples=5_000,
    deadline=None,
    database=None,
    phases=[Phase.generate],  # the first example that is found is enough
    suppress_health_check=list(HealthCheck),
)


@given(urls("mailto", "rfc1738"))
def test_urls_follow_the_prose_rules_as_well(url: str) -> None:
    """A mailto URL has an addr-spec, although its production does not require one."""
    assert validate(url, "rfc1738").valid


@given(members("port", "rfc1738"))
def test_members_are_of_the_production(port: str) -> None:
    """RFC 1738 5: a port consists of one or more digits."""
    assert port.isascii()
    assert port.isdigit()


def test_members_reach_every_alternative() -> None:
    """Each form of a news URL is generated (group, article, all groups); optional parts are present or absent."""
    groups = members("newsurl", "rfc1738")
    assert find(groups, lambda url: url == "news:*", settings=FINDING)
    assert "@" in find(groups, lambda url: "@" in url, settings=FINDING)
    assert find(groups, lambda url: "@" not in url and "*" not in url, settings=FINDING)
    assert find(members("httpurl", "rfc1738"), lambda url: "?" in url, settings=FINDING)


def test_near_misses_leave_out_put_in_and_replace() -> None:
    """All three changes happen to `A`, and most results are no ftptype."""
    misses = near_misses("ftptype", "rfc1738")
    assert find(misses, lambda text: text == "", settings=FINDING) == ""
    assert len(find(misses, lambda text: len(text) == 2, settings=FINDING)) == 2
    assert find(misses, lambda text: len(text) == 1 and text not in "AIDaid", settings=FINDING)


def test_unknown_names_raise() -> None:
    """The names are a dialect, a scheme without a row, and a production."""
    with pytest.raises(UnknownNameError):
        urls("http", "rfc2396")
    with pytest.raises(KeyError):
        urls("https", "rfc1738")
    with pytest.raises(KeyError):
        members("nothing", "current")
