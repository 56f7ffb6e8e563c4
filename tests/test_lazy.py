"""Patterns that are compiled when they are first used."""

from __future__ import annotations

import re
import subprocess
import sys
from collections.abc import Iterator

import pytest
import regex

from pythons import WHERE_RE_COMPILES
from urlglean.lazy import pattern, unicode_pattern


def test_a_lazy_pattern_gives_the_results_of_a_compiled_one() -> None:
    """Each method gives the same result, with its bounds and flags, on str and on bytes."""
    lazy, compiled = pattern(r"b(\d)", re.IGNORECASE), re.compile(r"b(\d)", re.IGNORECASE)
    text = "a B1 b2 b"
    assert lazy.findall(text, 3) == compiled.findall(text, 3) == ["2"]
    assert [found.span() for found in lazy.finditer(text)] == [found.span() for found in compiled.finditer(text)]
    assert lazy.sub(r"<\1>", text) == compiled.sub(r"<\1>", text) == "a <1> <2> b"
    assert lazy.match(text) is None
    assert lazy.search(text) is not None
    assert lazy.fullmatch("b3") is not None
    assert pattern(rb"[\x80-\xff]").split(b"a\xffb") == [b"a", b"b"]


@pytest.mark.parametrize("name", ["match", "fullmatch", "search", "finditer", "findall", "sub", "subn", "split"])
@pytest.mark.parametrize("given", [("ab1",), ("ab1", 1), ("xb1", 1, 3)])
def test_the_first_use_is_like_all_others(name: str, given: tuple[object, ...]) -> None:
    """Each method may be the first to be used, with bounds or without, for patterns of `re` and of `regex`."""
    source = r"b(\d)"
    if name in {"sub", "subn"}:
        given = ("<>", *given[:1])
    elif name == "split":
        given = given[:2]

    def shown(value: object) -> object:
        return (
            [each.span() for each in value] if isinstance(value, Iterator) else getattr(value, "span", lambda: value)()
        )

    for lazy, compiled in (
        (pattern(source), re.compile(source)),
        (unicode_pattern(source), regex.compile(source, regex.V1)),
    ):
        first = getattr(lazy, name)
        assert shown(first(*given)) == shown(getattr(compiled, name)(*given)) == shown(getattr(lazy, name)(*given))


def test_a_method_can_be_kept_before_the_pattern_is_used() -> None:
    """Tables keep such methods."""
    kept = pattern("a+").fullmatch
    assert kept("aa") is not None
    assert kept("ab") is None


@WHERE_RE_COMPILES
def test_a_kept_method_compiles_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """The pattern is compiled once, however often it is called and whichever method was called first."""
    compiled: list[str] = []
    compile_ = re.compile

    def told(source: str, flags: int) -> re.Pattern[str]:
        compiled.append(source)
        return compile_(source, flags)

    monkeypatch.setattr(re, "compile", told)
    lazy = pattern("a+")
    kept, other = lazy.match, lazy.search
    assert kept("aa") is not None
    assert other("ba") is not None
    assert kept("b") is None
    assert lazy.match("b") is None
    assert compiled == ["a+"]


def test_patterns_of_regex_know_properties_and_sets() -> None:
    """They are those of version 1 of `regex`."""
    assert unicode_pattern(r"[\p{L}--[a-z]]+").findall("abÄÖcД") == ["ÄÖ", "Д"]


def test_a_wrong_pattern_raises_at_its_first_use() -> None:
    """It does not raise before."""
    broken = pattern("(")
    with pytest.raises(re.error):
        broken.match("")


def test_an_unknown_attribute_raises_as_usual() -> None:
    """`copy` and others ask for attributes that a pattern does not have."""
    with pytest.raises(AttributeError):
        pattern("a").nothing  # type: ignore[attr-defined]  # noqa: B018


@WHERE_RE_COMPILES
def test_only_what_every_text_needs_is_compiled_at_import() -> None:
    """That is the one pattern of the scan. `regex`, which takes 7 ms, is not imported."""
    code = """
import re, sys, msgspec
compiled = []
compile = re.compile
def told(*given):
    compiled.append(sys._getframe(1).f_code.co_filename)
    return compile(*given)
re.compile = told
import urlglean
print("regex" in sys.modules, sum("urlglean" in name for name in compiled))
"""
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, check=True, text=True)
    assert run.stdout == "False 1\n"
