"""Writes the page about the library, `docs/api.md`, from the docstrings of all public names.

    python tests/api_page.py

griffe reads the sources without importing them, so that packages of extras need not be there.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from griffe import Alias, Attribute, Class, DocstringSection, Function, Module, Object, load

ROOT = Path(__file__).parent.parent
PAGE = ROOT / "docs" / "api.md"
MODULES = ("urlglean", "urlglean.arrow", "urlglean.spark")

HEAD = """\
# The library

All public names with their docstrings, the functions first. Offsets are half-open, in code points.
`python tests/api_page.py` writes this page.
"""


def page() -> str:
    """The text of the page."""
    package = load("urlglean", search_paths=[ROOT / "src"], docstring_parser="google")
    lines = [HEAD]
    for name in MODULES:
        module = package if name == "urlglean" else package[name.partition(".")[2]]
        assert isinstance(module, Module)
        lines += [f"## {name}\n", *_text(module)]
        public = {str(each): _target(module[str(each)]) for each in module.exports or () if each != "__version__"}
        for each in sorted(public, key=lambda each: not isinstance(public[each], Function)):
            lines += _entry(each, public[each])
    return "\n".join(lines).rstrip() + "\n"


def _target(found: Object | Alias) -> Object:
    return found.final_target if isinstance(found, Alias) else found


def _entry(name: str, found: Object) -> Iterator[str]:
    yield f"### {name}\n"
    match found:
        case Function():
            yield f"```py\n{name}{_signature(found)}\n```\n"
            yield from _text(found)
        case Attribute():
            written = str(found.value).replace("'", '"')  # griffe writes single quotes
            yield f"```py\n{name} = {written}\n```\n"
            yield from _text(found)
        case Class():
            yield from _text(found)
            yield from _members(found)


def _signature(function: Function, *, bound: bool = False) -> str:
    given = [one for one in function.parameters if not (bound and one.name in {"self", "cls"})]
    kinds, shown = {one.kind for one in given}, []
    for one in given:
        if one.kind and one.kind.name == "keyword_only" and "*" not in shown and "var_positional" not in kinds:
            shown.append("*")
        shown.append(one.name if one.default is None else f"{one.name}={one.default}")
    return f"({', '.join(shown)}) -> {function.returns}"


def _members(found: Class) -> Iterator[str]:
    """The fields, properties and methods of a class, and those that it inherits from others of this package."""
    rows = []
    for name, member in found.all_members.items():
        each = _target(member) if not isinstance(member, Alias) or member.target_path.startswith("urlglean") else None
        if name.startswith("_") or each is None:
            continue
        if isinstance(each, Function):
            shown = f"{name}{_signature(each, bound=True)}"
        elif isinstance(each, Attribute):
            shown = f"{name}: {each.annotation}" if each.annotation else f"{name} = {each.value}"
        else:
            continue
        told = each.docstring.value.partition("\n\n")[0] if each.docstring else ""
        rows.append(f"- `{shown}`" + (f": {' '.join(told.split())}" if told else ""))
    if rows:
        yield "\n".join(rows) + "\n"


def _text(found: Object) -> Iterator[str]:
    for section in found.docstring.parsed if found.docstring else ():
        yield from _section(section)


def _section(section: DocstringSection) -> Iterator[str]:
    match section.kind.value:
        case "text":
            yield f"{section.value}\n"
        case "parameters" | "attributes":
            yield f"**{section.kind.value.capitalize()}**\n"
            yield "\n".join(f"- `{one.name}`: {_flat(one.description)}" for one in section.value) + "\n"
        case "returns" | "yields":
            told = " ".join(_flat(one.description) for one in section.value)
            yield f"**{section.kind.value.capitalize()}**: {told}\n"
        case "raises" | "warns":
            yield f"**{section.kind.value.capitalize()}**\n"
            yield "\n".join(f"- `{one.annotation}`: {_flat(one.description)}" for one in section.value) + "\n"
        case other:
            raise NotImplementedError(f"a section of {other}")


def _flat(text: str) -> str:
    return " ".join(text.split())


if __name__ == "__main__":
    PAGE.write_text(page(), encoding="utf-8")
