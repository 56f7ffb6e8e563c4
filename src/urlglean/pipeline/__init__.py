"""Paths to rows: sources, mail, text and output put together.

    paths ─inputs─▶ Item ─inputs─▶ Chunk ─gleaner, workers─▶ Outcome ─outputs─▶ files, journal
                      └────────glean─▶ Report ─library─▶ Occurrence

Whatever cannot be read, and whatever a defect of ours makes fail, becomes a `Trouble` with its place; the rest goes on.
"""
