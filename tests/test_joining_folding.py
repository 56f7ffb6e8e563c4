"""Broken URLs with letters outside ASCII: their letters are weighed as those of ASCII."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from breaks import first_break
from urlglean import extract
from urlglean.text.joining.folding import alphabet_of, folded
from urlglean.text.joining.weights import terms

WORDS = {
    "Łódź": "Lodz",
    "Größe": "Grosse",
    "Ærø": "AEro",
    "Straße": "Strasse",
    "İzmir": "Izmir",
    "Москва": "Moskva",
    "Ёлка": "Elka",
    "Київ": "Kiiv",
    "Αθήνα": "Athina",
    "東京": "東京",
    "a_/=é": "a_/=e",
}


@pytest.mark.parametrize("word", WORDS)
def test_letters_are_folded(word: str) -> None:
    """Those of three alphabets; other signs stay."""
    assert folded(word).lower() == WORDS[word].lower()


@given(st.text())
def test_folding_what_is_folded_changes_nothing(text: str) -> None:
    """No letter is folded to one that would be folded again."""
    assert folded(folded(text)) == folded(text)


@pytest.mark.parametrize(
    ("written", "in_ascii"),
    [
        ("the_Str\naßenbahn_b here", "the_Str\nassenbahn_b here"),
        ("Моск\nовская_б here", "Mosk\novskaja_b here"),
        ("à\nété here", "a\nete here"),
    ],
)
def test_a_break_weighs_as_that_of_the_folded_letters(written: str, in_ascii: str) -> None:
    """Only the lengths of the lines count as they are."""
    for one, other in zip(terms_of(written), terms_of(in_ascii), strict=True):
        assert one == other


def terms_of(text: str) -> list[tuple[str, float]]:
    """The names and weights of the terms of the first break, without those of lengths."""
    at = first_break(f"see there http://a.example/wiki/{text} and so on\n")
    return [(term.feature, term.log_odds) for term in terms(at) if "line" not in term.feature]


@pytest.mark.parametrize("rest", ["ädte_und_Gemeinden", "ädte/und/Gemeinden"])
def test_a_name_of_several_words_may_go_on_with_such_a_letter(rest: str) -> None:
    """A word of prose does not, though the URL is all in ASCII up to there."""
    text = f"Mehr dazu unter der neuen Adresse http://a.example/wiki/Liste_der_St\n{rest} steht alles, was man weiß.\n"
    assert extract(text)[0].url == f"http://a.example/wiki/Liste_der_St{rest}"
    (prose,) = extract(text.replace(rest, "über"))
    assert (prose.url, prose.certainty) == ("http://a.example/wiki/Liste_der_St", "plain")


@pytest.mark.parametrize("word", ["Tiế|ng_Vi", "Vi|ệt_và_chữ", "Ἀ|ριστοτέλης", "Й|ошкар", "Łó|dź"])
def test_letters_with_marks_are_of_their_alphabet(word: str) -> None:
    """So a URL may go on within such a word."""
    before, behind = word.split("|")
    assert alphabet_of(before[-1]) == alphabet_of(behind[0])
