"""What the rows repeat of a message's headers."""

from __future__ import annotations

import re
from datetime import UTC, datetime

from urlglean.mail.headers import Headers, value
from urlglean.records import Envelope

_IN_ANGLES = re.compile("<([^<>]+)>")
_LONGEST_DATE = 200
"""Characters of a Date field that are looked at; a date with day, zone and a comment takes about 60."""


def envelope(headers: Headers) -> tuple[Envelope, list[str]]:
    """Fill the envelope from the first field of each name (RFC 5322 3.6, RFC 5536 3.1).

    Returns:
        The envelope, absent fields and dates that cannot be read None, and its troubles: encoded words of which
        something was lost.
    """
    troubles: list[str] = []

    def text(name: str) -> str | None:
        octets = headers.first(name)
        if octets is None:
            return None
        decoded, flaw = value(octets)
        troubles.extend([f"{name.title()}: {flaw}"] if flaw else [])
        return decoded

    raw_date, message_id, newsgroups = text("date"), text("message-id"), text("newsgroups")
    envelope = Envelope(
        message_id=None if message_id is None else bare_id(message_id),
        date=None if raw_date is None else iso_utc(raw_date),
        sender=text("from"),
        subject=text("subject"),
        newsgroups=None if newsgroups is None else tuple(filter(None, map(str.strip, newsgroups.split(",")))),
    )
    return envelope, troubles


def bare_id(text: str) -> str:
    """A Message-ID without its angle brackets (RFC 5322 3.6.4), or as it stands where it has none."""
    inside = _IN_ANGLES.search(text)
    return (inside[1] if inside else text).strip()


def iso_utc(text: str) -> str | None:
    """A Date field's value (RFC 5322 3.3 and 4.3) as "2002-09-26T08:01:25Z"; None if it cannot be read.

    A zone that is missing or unknown counts as UTC, as RFC 5322 4.3 advises: better an hour off than no date.
    """
    from email.utils import mktime_tz, parsedate_tz  # noqa: PLC0415 - `import urlglean` does not pay 25 ms for it

    try:
        fields = parsedate_tz(text[:_LONGEST_DATE])
        if fields is None:
            return None
        datetime(*fields[:6])  # noqa: DTZ001 - a check: mktime_tz would carry the 31st of February over into March
        return datetime.fromtimestamp(mktime_tz(fields), UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
    except (ValueError, OverflowError, OSError, IndexError, TypeError):
        return None
