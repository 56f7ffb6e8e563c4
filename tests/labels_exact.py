"""Measures reading quality on windows of text that were labelled by careful reading.

    python tests/labels_exact.py LABELS.jsonl [-v]

Each line of the file is an object with `id`, `text`, `urls` (what a careful reader copies, in order) and perhaps `or`
(other acceptable lists of URLs). A window is read exactly if the URLs found are `urls` or one of the lists in `or`.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path

from urlglean import extract


def main() -> None:
    """Prints the share of windows read exactly, and with `-v` each window that is not."""
    windows = [json.loads(line) for line in Path(sys.argv[1]).read_text(encoding="utf-8").splitlines()]
    exact = 0
    for window in windows:
        found = [finding.url for finding in extract(window["text"])]
        if found == window["urls"] or found in window.get("or", []):
            exact += 1
        elif "-v" in sys.argv[2:]:
            missed = [url for url in window["urls"] if url not in found]
            false = [url for url in found if url not in window["urls"]]
            print(f"{window['id']} ({window.get('kind')}): missed {missed}, false {false}")
    print(f"exact {exact} of {len(windows)}: {exact / len(windows):.3f}")


if __name__ == "__main__":
    main()
