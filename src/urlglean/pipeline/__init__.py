"""Paths to rows: sources, mail, text and output put together.

    paths ─glean.opened─▶ Item ─inputs─▶ Chunk ─gleaner, workers─▶ Outcome ─outputs─▶ files, journal

Whatever cannot be read, and whatever a defect of ours makes fail, becomes a `Trouble` with its place; the rest goes on.
"""

from __future__ import annotations

from urlglean.pipeline.glean import Gleaned, gleaned, opened, sightings

__all__ = ["Gleaned", "gleaned", "opened", "sightings"]
