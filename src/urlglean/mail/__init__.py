"""Reads the octets of a message into text parts: headers, MIME structure, transfer encodings, charsets, HTML."""

from __future__ import annotations

from urlglean.mail.envelope import envelope_of
from urlglean.mail.message import header_of, read, read_stretch
from urlglean.mail.rewriting import rewritten

__all__ = ["envelope_of", "header_of", "read", "read_stretch", "rewritten"]
