"""Records are data: they hold only values, which compare, pickle and become JSON."""

from __future__ import annotations

import importlib
import inspect
import pickle
import pkgutil
from collections.abc import Callable
from typing import Any, get_args, get_origin, get_type_hints

import msgspec
import pytest
from msgspec import Struct

import urlglean
from urlglean.bounds import Bounds
from urlglean.mail import read
from urlglean.records import Document, Framing, Message, TextPart
from urlglean.sources import Bundle

ROOMS = ("records", "bounds", "sources.items", "mail.", "occurrence", "text.finding", "text.joining.terms", "pipeline.")
"""Modules whose records are sent between processes. Other modules have rows of tables, which may hold functions."""


def travelling() -> list[type[Struct]]:
    """Every record that is defined in a module of `ROOMS`."""
    modules = [
        importlib.import_module(found.name)
        for found in pkgutil.walk_packages(urlglean.__path__, "urlglean.")
        if found.name.removeprefix("urlglean.").startswith(ROOMS)
    ]
    found = {
        held
        for module in modules
        for held in vars(module).values()
        if inspect.isclass(held) and issubclass(held, Struct) and held.__module__ == module.__name__
    }
    return sorted(found, key=lambda record: record.__name__)


def holds_callables(annotation: Any) -> bool:
    """Whether a value of that type may be a callable, or may hold one."""
    if annotation is Callable or get_origin(annotation) is Callable:
        return True
    if inspect.isclass(annotation) and issubclass(annotation, Callable):  # type: ignore[arg-type]  # an ABC in all but name
        return True
    return any(holds_callables(part) for part in get_args(annotation))


@pytest.mark.parametrize("record", travelling())
def test_no_record_holds_a_callable(record: type[Struct]) -> None:
    """A name, an enumeration or a value says which function elsewhere is meant."""
    held = get_type_hints(record)
    assert [name for name in record.__struct_fields__ if holds_callables(held[name])] == []


MESSAGE = b"From: a@b\nX-URL: http://a/\nContent-Type: text/html\n\n<a href=http://a.example/>b</a> \xe9"


@pytest.mark.parametrize(
    "record",
    [
        Bounds(depth=3),
        Document("p", b"From x\n", "message", "m", 3, Framing.MBOX, 7),
        Document("p", b"From x\n", "message", "m", 3, Framing.MBOX, 7).origin,
        Bundle("p", b"From x\n", [0, 7], None, 3, Framing.MMDF, 7),
        read(MESSAGE),
    ],
    ids=lambda record: type(record).__name__,
)
def test_records_come_back_from_a_pickle_and_from_json(record: Struct) -> None:
    """Pickles are sent between processes, JSON between machines."""
    assert pickle.loads(pickle.dumps(record)) == record
    assert msgspec.json.decode(msgspec.json.encode(record), type=type(record)) == record


def test_messages_that_are_read_alike_are_equal() -> None:
    """Records are compared by their values."""
    assert read(MESSAGE) == read(MESSAGE) != read(MESSAGE[:-1])
    assert isinstance(read(MESSAGE), Message)
    assert {type(part) for part in read(MESSAGE).parts} == {TextPart}
