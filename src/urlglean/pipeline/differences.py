"""How the settings of two runs differ, for people: "--errors a.jsonl, now b.jsonl"."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from msgspec import Struct

from urlglean.output.text import setting
from urlglean.pipeline.scan_task import ScanTask
from urlglean.pipeline.wanted import OPTIONS, Wanted

_WORDS = {
    "options.invalid": "--rejects",
    "options.schemes": "--scheme",
    "options.bare_hosts": "--www",
    "options.kind": "--as",
    "options.evidence.path": "--evidence",
    "options.evidence.stamp": "the state of the catalogue of --evidence",
    **{f"options.wanted.{field}": f"--{name}" for field, name in zip(Wanted.__struct_fields__, OPTIONS, strict=True)},
    "limits.seconds": "--time-limit",
    "limits.memory": "--memory-limit in octets",
}
"""Names for the settings that have another name on the command line, or none there."""


def settings_of(task: ScanTask) -> dict[str, object]:
    """All settings of a task by their names for people. One that is missing is none."""
    return {_word(name): value for name, value in _flat("", task)}


def _word(name: str) -> str:
    if name.startswith("options.bounds."):
        return f"Bounds.{name.removeprefix('options.bounds.')}"
    return _WORDS.get(name) or f"--{name.rpartition('.')[2].replace('_', '-')}"


def _flat(name: str, value: object) -> Iterator[tuple[str, object]]:
    """The values in a record and in the records in it, by their names."""
    if isinstance(value, Struct):
        for field in value.__struct_fields__:
            yield from _flat(f"{name}.{field}" if name else field, getattr(value, field))
    else:
        yield name, value


def differences(then: Mapping[str, object], now: Mapping[str, object]) -> list[str]:
    """What has other values now, with both: of lists the last item that is the same, and a few behind it."""
    return [
        f"{name} {_both(then.get(name), now.get(name))}" for name in {**then, **now} if then.get(name) != now.get(name)
    ]


_SHOWN = 3
"""So many items of a list are shown."""


def _both(then: object, now: object) -> str:
    if isinstance(then, tuple) and isinstance(now, tuple):
        pairs = zip(then, now, strict=False)
        same = next((at for at, (one, other) in enumerate(pairs) if one != other), min(len(then), len(now)))
        first = max(same - 1, 0)
        return f"{_items(then, first)}, now {_items(now, first)}"
    return f"{setting(then)}, now {setting(now)}"


def _items(items: Sequence[str], first: int) -> str:
    """The items from the `first` on, a few of them."""
    shown = [*(["..."] if first else []), *items[first : first + _SHOWN]]
    more = len(items) - first - _SHOWN
    return setting([*shown, f"and {more:,} more"] if more > 0 else shown)
