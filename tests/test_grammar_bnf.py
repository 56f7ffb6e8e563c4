"""The notation of grammars: what it accepts, what it refuses, and what is made from it."""

from __future__ import annotations

import re
import subprocess
import sys

import pytest

from urlglean.errors import GrammarError, UnknownNameError
from urlglean.grammar.automaton import Automaton
from urlglean.grammar.bnf import Grammar
from urlglean.grammar.character_sets import class_of, disjoint, has, union, without
from urlglean.grammar.dialects import dialect
from urlglean.grammar.patterns import captured, pattern


def takes(productions: str, text: str, production: str = "x") -> bool:
    """Whether the pattern of the production matches the text; the automaton must agree."""
    grammar = Grammar(productions)
    automaton = Automaton(grammar, production)
    states = automaton.start
    for char in text:
        states = automaton.step(states, char)
    found = re.fullmatch(pattern(grammar, production, {}), text) is not None
    assert automaton.accepts(states) == found
    return found


@pytest.mark.parametrize(
    ("productions", "taken", "refused"),
    [
        ('x = "a" | "b"', ["a", "b"], ["", "ab", "A"]),  # a single letter matches only itself
        ('x = "ftp"', ["ftp", "FTP", "fTp"], ["ft", "ftpx"]),  # RFC 822 3.4.7: case is ignored
        ('x = [ "a" ] "b"', ["b", "ab"], ["a", "aab"]),
        ('x = *[ "a" | "b" ]', ["", "abba"], ["abc"]),  # RFC 1738 5: brackets after a star repeat
        ('x = 1*"a"', ["a", "aaa"], ["", "b"]),
        ('x = 2"a" / 3*4"b"', ["aa", "bbb", "bbbb"], ["a", "aaa", "bb", "bbbbb"]),
        ('x = *2"a" "a"', ["a", "aa", "aaa"], ["", "aaaa"]),
        ('x = ( "a" / "b" ) "c"', ["ac", "bc"], ["a", "c"]),
        ('x = <"> ";"   ; a comment', ['";'], ["", '"']),
        ("x = %x41-43 %x2D", ["A-", "C-"], ["D-", "a-"]),
        ('x = y "b"\n\ny = "a"\n    | "c"', ["ab", "cb"], ["a", "b"]),  # a production may go on in the next line
        ('x = ""', [""], ["a"]),
        ('x = "a" [ x ]', ["a", "aaaa"], ["", "b"]),  # X = A [ B X ] is A *( B A )
        ('x = ( "a" | "b" ) [ "/" x ]', ["a", "a/b/a"], ["", "/", "a/", "ab"]),
        ('x = ( y | void ) [ "/" x ]\ny = "a" [ y ]\nvoid = ""', ["", "a", "aa/", "//a"], ["b", "a/b"]),
        ('x = "%" %x30-39 | %x30-39 | "%41"', ["%1", "1", "%41"], ["%", "%4142"]),
        ("x = %xE9 / %x1F600", ["é", "\U0001f600"], ["e"]),
    ],
)
def test_each_sign_means_what_the_standards_say(productions: str, taken: list[str], refused: list[str]) -> None:
    """Pattern and automaton match the texts that the notation describes, and no others."""
    assert [text for text in taken if not takes(productions, text)] == []
    assert [text for text in refused if takes(productions, text)] == []


@pytest.mark.parametrize(
    ("productions", "complaint"),
    [
        ("x = y", "uses y"),
        ('x = "a"\nx = "b"', "twice"),
        ('x = "a', "not of the notation"),
        ('x = ( "a"', "expected"),
        ('x = "a" )', "stands where nothing can"),
        ('x = "a" | | "b"', "empty alternative"),
        ("x = ", "empty alternative"),
        ("x = x", "names itself"),
        ('x = x "a"', "names itself"),
        ('x = "a" [ x ] "b"', "names itself"),
        ('x = "a" [ y ]\ny = "b" x', "names itself"),
    ],
)
def test_an_error_in_the_notation_is_reported(productions: str, complaint: str) -> None:
    """The error has the name of the production, or says what is wrong."""
    with pytest.raises(GrammarError, match=re.escape(complaint)):
        Grammar(productions)


def test_productions_are_captured_with_all_their_repetitions() -> None:
    """Alternatives that capture the same part are merged; a part that is not in the text is absent."""
    grammar = Grammar('x = "1" y *z | "2" y\ny = *"a"\nz = ";" "b"')
    compiled = re.compile(pattern(grammar, "x", {"y": "name", "z": "rest"}))

    def parts(text: str) -> dict[str, str]:
        found = compiled.fullmatch(text)
        assert found is not None
        return captured(found)

    assert parts("1aa;b;b") == {"name": "aa", "rest": ";b;b"}
    assert parts("1") == {"name": ""}
    assert parts("2a") == {"name": "a"}


def test_the_automaton_says_what_it_expects() -> None:
    """It gives the next characters, the productions being read, innermost first, and whether the text may end."""
    automaton = Automaton(Grammar('x = y [ ":" port ]\ny = 1*%x61-7A\nport = digits\ndigits = 1*%x30-39'), "x")
    states = automaton.step(automaton.step(automaton.start, "a"), ":")
    assert automaton.expected(states).chars == ((0x30, 0x39),)
    assert automaton.expected(states).productions == ("port",)  # rather than digits, its other name
    assert not automaton.expected(states).end
    assert automaton.expected(automaton.step(automaton.start, "a")).end
    assert automaton.expected(automaton.start).productions == ("y",)


def test_a_production_that_cannot_be_there_is_left_out() -> None:
    """Without that production, only the other ones say what may follow."""
    grammar = Grammar('x = [ y "@" ] "b"\ny = *"a"')
    whole, part = Automaton(grammar, "x"), Automaton(grammar, "x", frozenset({"y"}))
    assert whole.step(whole.start, "a")
    assert not part.step(part.start, "a")
    assert part.accepts(part.step(part.start, "b"))


def test_sets_of_characters() -> None:
    """Ranges are sorted and disjoint, and adjacent ones are merged."""
    a_to_c, b_to_d, z = ((0x61, 0x63),), ((0x62, 0x64),), ((0x7A, 0x7A),)
    assert union(b_to_d, a_to_c, z) == ((0x61, 0x64), (0x7A, 0x7A))
    assert union(((1, 2),), ((3, 4),)) == ((1, 4),)
    assert without(union(a_to_c, z), b_to_d) == ((0x61, 0x61), (0x7A, 0x7A))
    assert without(a_to_c, ((0x62, 0x62),)) == ((0x61, 0x61), (0x63, 0x63))
    assert without(a_to_c, a_to_c) == ()
    assert disjoint(a_to_c, z)
    assert not disjoint(a_to_c, b_to_d)
    assert has(a_to_c, 0x63)
    assert not has(a_to_c, 0x64)
    assert re.fullmatch(class_of(((0x5D, 0x5E), (0x2D, 0x2D)), 0x7F) + "+", "-]^")
    assert re.search(class_of(((0xE9, 0xE9),), 0x7F), "é") is None


def test_a_dialect_is_compiled_once_and_an_unknown_one_raises() -> None:
    """The error names the known dialects."""
    with pytest.raises(UnknownNameError, match="current, rfc1738, early"):
        dialect("rfc2396")
    assert dialect("early") is dialect("early")


def test_importing_compiles_no_grammar() -> None:
    """A grammar is compiled when a URL is first judged by it."""
    script = "import sys, urlglean; print([name for name in sys.modules if name.startswith('urlglean.grammar.')])"
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    assert "urlglean.grammar.dialect_tables" in done.stdout
    assert not any(f"urlglean.grammar.{name}'" in done.stdout for name in ("bnf", "patterns", "automaton"))
