"""Joins labels with the mail that they describe, into windows that the other scripts can read.

    python tests/joining/labels.py FOLDER OUT.jsonl [--labels unseen.jsonl]

The mail belongs to other people and is not in the repository. `labels.jsonl` beside this file holds the labels;
`unseen.jsonl` holds labels that were made later and serve only for measuring. A label names its window: either the `id`
of a window in a file in FOLDER, or the code points `window` of a part of a message in a mailbox there. It has the hash
of the window's text, the place where the URL begins, and each right reading as spans of the text, the likeliest first.
A label whose text is missing or has another hash is named and left out.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import sys
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

from urlglean.mail import read as read_mail
from urlglean.pipeline.inputs import opened
from urlglean.records import Document
from urlglean.sources import unbundled, unframed

LABELS = Path(__file__).with_name("labels.jsonl")

Label = dict[str, Any]


def hash_of(text: str) -> str:
    """The hash by which a label recognises its window's text."""
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:16]


@cache
def lines(path: Path) -> dict[int, Any]:
    """The windows of a file, by their `id`."""
    held = map(json.loads, path.read_text(encoding="utf-8").splitlines())
    return {window["id"]: window for window in held}


@cache
def parts(path: Path) -> dict[tuple[str | None, int | None, str | None], str]:
    """The texts of the bodies in a mailbox, by member, message and part."""
    found = {}
    for item in unbundled(opened([str(path)])):
        if isinstance(item, Document):
            for part in read_mail(unframed(item.data, item.framing), item.kind).parts:
                if part.field is None:
                    found[item.member, item.message, part.part] = part.text
    return found


def text_of(label: Label, folder: Path) -> str | None:
    """The text of a label's window; None if it is not found."""
    path = folder / label["path"]
    if not path.exists():
        return None
    if "window" not in label:
        window = lines(path).get(label["id"])
        return None if window is None else str(window["text"])
    start, end = label["window"]
    whole = parts(path).get((label["member"], label["message"], label["part"]))
    return None if whole is None else whole[start:end]


def windows(folder: Path, labels: Path) -> Iterator[Label]:
    """The windows of a file of labels whose texts are found."""
    for label in map(json.loads, labels.read_text(encoding="utf-8").splitlines()):
        text = text_of(label, folder)
        if text is None or hash_of(text) != label["hash"]:
            print(f"not found: {label['path']} {label.get('id', label.get('window'))}", file=sys.stderr)
            continue
        accept = ["".join(text[start:end] for start, end in spans) for spans in label["accept"]]
        yield {key: label[key] for key in ("at", "joined", "sure", "source", "stratum")} | {
            "id": f"{label['path']} {label.get('id', label.get('window'))}",
            "text": text,
            "accept": accept,
        }


def main() -> None:
    """Writes the windows."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path, metavar="FOLDER")
    parser.add_argument("out", type=Path, metavar="OUT.jsonl")
    parser.add_argument("--labels", type=Path, default=LABELS, metavar="FILE", help="labels.jsonl without it")
    given = parser.parse_args()
    found = list(windows(given.folder, given.labels))
    if not found:
        sys.exit(f"{given.folder} has none of the labelled texts")
    given.out.write_text("".join(json.dumps(window) + "\n" for window in found), encoding="utf-8")


if __name__ == "__main__":
    main()
