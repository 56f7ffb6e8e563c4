"""The comparison on marked texts measures every tool in the same way and reports missing tools."""

import compare_marked
import simulator
from compare_marked import Case
from comparison.filters import MissingError
from comparison.peers import PATTERN


def test_the_table_holds_a_share_for_each_kind_and_names_what_is_missing() -> None:
    """One of the two texts is broken, and the plain pattern cannot read it."""
    held = [
        Case("easy", "see http://a.example/ there", ["http://a.example/"].__eq__),
        Case("hard", "<URL:http://a.example/\nb>", ["http://a.example/b"].__eq__),
        Case("hard", "nothing", list[str]().__eq__),
    ]
    named = dict(compare_marked.tools())
    tools = {
        "ours": named["urlglean"],
        "pattern": named[PATTERN.name],
        "gone": MissingError("no such module"),
    }
    assert list(compare_marked.table(tools, held)) == [
        "| read exactly | easy (1) | hard (2) |",
        "|---|--:|--:|",
        "| ours | 100.0% | 100.0% |",
        "| pattern | 100.0% | 50.0% |",
        "gone left out: no such module",
    ]


def test_the_cases_are_the_marked_texts_and_the_simulated_ones() -> None:
    """The cases are nearly all marked texts, and the given number of each kind of simulated mail."""
    held = list(compare_marked.cases(2))
    marked = sum(case.kind == "marked texts" for case in held)
    assert marked >= 0.9 * len(list(compare_marked.TEXTS.glob("*.txt")))
    assert len(held) == marked + 2 * len(simulator.KINDS)
