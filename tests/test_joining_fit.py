"""The fit of the weights of line breaks: its gradient, known weights that it must find, and how windows are read."""

from __future__ import annotations

import json
from pathlib import Path

import fit
import measure
import numpy as np
import pytest
import rebreak
from unwrapped import unwrapped
from windows import ways, windows

from urlglean import extract
from urlglean.text.joining import weights

CORPUS = Path(__file__).parent.parent / "corpus" / "texts"


def table(count: int = 400, seed: int = 5) -> tuple[fit.Table, fit.Array]:
    """Windows of up to three breaks, drawn with known weights, and these weights."""
    rng = np.random.default_rng(seed)
    truth = np.array([2.0, -1.5, 0.0, -0.5])  # the last weight is the constant
    sizes = rng.integers(1, 4, count)
    values = rng.integers(0, 2, (sizes.sum(), 3)).astype(float)
    ends = np.cumsum(sizes)
    joined = []
    for size, end in zip(sizes, ends, strict=True):
        odds = np.concatenate(([0.0], np.cumsum(values[end - size : end] @ truth[:-1] + truth[-1])))
        shares = np.exp(odds) / np.exp(odds).sum()
        joined.append(rng.choice(size + 1, p=shares))
    return fit.Table(values, ends, np.array(joined), np.ones(count)), truth


def test_the_gradient_is_that_of_the_loss() -> None:
    """It is compared with differences of the loss, at random weights."""
    data, _ = table(40)
    weights = np.random.default_rng(1).normal(size=4)
    penalty = np.full(3, 0.7)
    _, slope = fit.loss(weights, data, penalty)
    for place in range(4):
        step = np.zeros(4)
        step[place] = 1e-6
        rise = fit.loss(weights + step, data, penalty)[0] - fit.loss(weights - step, data, penalty)[0]
        assert slope[place] == pytest.approx(rise / 2e-6, abs=1e-4)


def test_the_weights_that_made_the_data_are_found() -> None:
    """From many windows they are found approximately; a feature that hardly ever holds is left out."""
    data, truth = table(6000)
    assert fit.fitted(data, np.full(3, 0.1)) == pytest.approx(truth, abs=0.2)
    data.values[fit.FEWEST - 1 :, 2] = 0
    assert list(fit.chosen(data)) == [True, True, False]


def test_part_of_a_table_is_the_table_of_that_part() -> None:
    """It has the rows, ends and labels of the chosen windows."""
    data, _ = table(10)
    part = data.of(np.array([2, 5]))
    assert list(part.sizes) == list(data.sizes[[2, 5]])
    assert list(part.joined) == list(data.joined[[2, 5]])
    assert (part.values[: part.ends[0]] == data.values[data.ends[1] : data.ends[2]]).all()


def test_marked_texts_are_windows() -> None:
    """If a marked URL goes on, its way has at least as many breaks as it goes over."""
    held = list(windows([str(CORPUS)]))
    assert {window["joined"] for window in held} == {True, False}
    found = ways([str(CORPUS)])
    assert any(way.joined > 1 for way in found)
    assert all(way.joined <= len(way.breaks) for way in found)


def test_a_window_is_read_as_the_package_reads_it(tmp_path: Path) -> None:
    """The outcome is the finding at the window's place, and is right if it is one of the accepted readings."""
    text = "so http://a.example/b and http://a.example/c, too"
    window = {"text": text, "at": text.index("http://a.example/c"), "accept": ["http://a.example/c"], "joined": False}
    path = tmp_path / "windows.jsonl"
    path.write_text(json.dumps(window) + "\n")
    (outcome,) = map(measure.read, windows([str(path)]))
    assert outcome.right
    assert measure.part_of(window | {"source": "s"}, "source") == "s"
    assert list(measure.calibration([outcome]))[-1].startswith("expected calibration error 0.0")


def test_use_changes_the_weights_that_extract_reads_with(monkeypatch: pytest.MonkeyPatch) -> None:
    """Otherwise a figure for new weights would be one for the weights in the package."""
    held = weights.FILE
    monkeypatch.setattr(weights, "FILE", held)
    text = "see http://www.example.org/pictures/the_station_in_Febr\nuary.html\n"
    names = fit.names()
    try:
        for constant, joined in ((-50.0, False), (50.0, True)):
            measure.use(np.array([0.0] * len(names) + [constant]))
            (finding,) = extract(text)
            assert bool(finding.joins) == joined
    finally:
        weights.FILE = held
        weights.weights.cache_clear()
        weights.scale.cache_clear()


def test_windows_by_textwrap_have_the_right_url() -> None:
    """Windows made by Python's `textwrap` have the URL at its place in the text, and say whether it was cut."""
    url = "http://www.example.org/pictures/excursion/small/the-station-at-noon.html"
    sample = rebreak.Sample(f"All of them stand in {url} as you may have heard, and more will come.", url, "s")
    (window,) = rebreak.rebroken("textwrap", 60, [sample])
    text, at = str(window["text"]), int(str(window["at"]))
    assert window["joined"] is True
    assert text[at:].startswith(str(window["first_line"]))
    assert url.startswith(str(window["first_line"]))
    assert list(rebreak.rebroken("textwrap", 200, [sample])) == []


def test_an_unwrapped_url_is_bare_with_a_known_end() -> None:
    """There are windows of broken URLs and of URLs that end their line.

    Columns stay, except at the margin, where no blanks are inserted.
    """
    text = (
        "> See <URL:http://a.example/b/\n> c.html>, and <http://a.example/d>.\n"
        "> <http://a.example/e> and <http://a.example/f> are\nolder than\n<http://a.example/g>\n"
    )
    first, second, third = unwrapped(text, "s")
    assert first["text"] == (
        "> See      http://a.example/b/\n> c.html, and  http://a.example/d.\n"
        ">  http://a.example/e and  http://a.example/f are\nolder than\nhttp://a.example/g\n"
    )
    assert (first["accept"], first["joined"]) == (["http://a.example/b/c.html"], True)
    assert (second["accept"], second["joined"]) == (["http://a.example/d"], False)
    assert (third["accept"], third["joined"]) == (["http://a.example/g"], False)
    for window in (first, second, third):
        assert window["text"].startswith(window["accept"][0][:18], window["at"])


@pytest.mark.parametrize(
    "text",
    [
        "see <URL:gopher://a.example/Remote\nInformation Services/Special Internet>\n",
        "see <ftp://ds.in\nternic.net/rfc>.\n",
        "see <http://a.example/b> too\n",
        "see http://a.example/b\n",
    ],
)
def test_wrapped_urls_with_remarks_and_invented_urls_are_left_out(text: str) -> None:
    """URLs that are neither broken nor end their line, or have no wrapper, are left out too."""
    assert list(unwrapped(text, "s")) == []
