"""Makes rows from paths: puts sources, mail, text and output together.

    paths ─inputs─▶ Item ─inputs─▶ Chunk ─glean, workers─▶ ChunkResult ─outputs─▶ files, journal
                      └────────glean─▶ Report ─library─▶ Occurrence

What cannot be read, or fails because of a defect in this program, becomes a `Trouble` with its place. The run continues
with everything else.
"""
