"""One document -> its text parts: headers, MIME structure, transfer encodings, charsets, HTML."""

from __future__ import annotations

from urlglean.mail.message import read

__all__ = ["read"]
