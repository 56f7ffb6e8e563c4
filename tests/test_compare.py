"""The comparison with other finders of URLs: every tool by the same measure, what is missing said."""

from collections.abc import Sequence

import pytest

import compare
import simulator
from compare import Case, MissingError, Tool


def gone(texts: Sequence[str]) -> list[list[str]]:
    """A tool that nobody installed."""
    raise MissingError("no such module")


def test_the_table_holds_a_share_for_each_kind_and_names_what_is_missing() -> None:
    """One of the two texts is broken, which the plain pattern cannot read."""
    held = [
        Case("easy", "see http://a.example/ there", ["http://a.example/"].__eq__),
        Case("hard", "<URL:http://a.example/\nb>", ["http://a.example/b"].__eq__),
        Case("hard", "nothing", list[str]().__eq__),
    ]
    tools = [Tool("ours", compare.ours), Tool("pattern", compare.pattern), Tool("gone", gone)]
    assert list(compare.table(tools, held)) == [
        "| read exactly | easy (1) | hard (2) |",
        "|---|--:|--:|",
        "| ours | 100.0% | 100.0% |",
        "| pattern | 100.0% | 50.0% |",
        "gone left out: no such module",
    ]


def test_the_cases_are_the_marked_texts_and_the_simulated_ones() -> None:
    """Nearly every marked text is among them, and so many of each kind of simulated mail."""
    held = list(compare.cases(2))
    marked = sum(case.kind == "marked texts" for case in held)
    assert marked >= 0.9 * len(list(compare.TEXTS.glob("*.txt")))
    assert len(held) == marked + 2 * len(simulator.KINDS)


@pytest.mark.parametrize("tool", compare.TOOLS, ids=lambda tool: tool.name)
def test_each_tool_finds_a_plain_url_in_each_text(tool: Tool) -> None:
    """What every finder must find, in the order of the texts."""
    try:
        found = tool.find(["see http://www.example.com/a there", "no é", "é http://www.example.org/b"])
    except MissingError as why:
        pytest.skip(str(why))
    assert found == [["http://www.example.com/a"], [], ["http://www.example.org/b"]]
