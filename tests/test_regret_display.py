"""RegretDisplay: the curves and bands are those of the results."""

import sys

import numpy as np
import pytest
from numpy.testing import assert_allclose

from skmlogb.displays import RegretDisplay
from skmlogb.simulation import TrialResults

plt = pytest.importorskip("matplotlib.pyplot")


@pytest.fixture(autouse=True)
def _close_figures():
    yield
    plt.close("all")


@pytest.fixture
def results(rng):
    regret = np.cumsum(rng.random((3, 4, 20)), axis=-1)
    return TrialResults(["a", "b", "c"], regret, regret, regret)


def _edges(band):
    """Return the lower and upper edge of a band at each round."""
    vertices = band.get_paths()[0].vertices
    return [[vertices[vertices[:, 0] == t, 1].min() for t in range(1, 21)],
            [vertices[vertices[:, 0] == t, 1].max() for t in range(1, 21)]]  # fmt: skip


def test_mean_and_standard_deviation(results):
    display = RegretDisplay.from_results(results)
    assert [line.get_label() for line in display.lines_] == ["a", "b", "c"]
    for line, band, regret in zip(display.lines_, display.bands_, results.regret):
        mean, std = regret.mean(axis=0), regret.std(axis=0, ddof=1)
        assert_allclose(line.get_xydata(), np.column_stack([np.arange(1, 21), mean]))
        assert_allclose(_edges(band), [np.maximum(mean - std, 0), mean + std])
    assert display.ax_.get_xlabel() == "Round"
    assert display.ax_.get_ylabel() == "Cumulative regret"
    assert display.figure_ is display.ax_.figure
    assert len(display.ax_.get_legend().get_texts()) == 3


def test_range(results):
    display = RegretDisplay.from_results(results, band="range")
    for band, regret in zip(display.bands_, results.regret):
        assert_allclose(_edges(band), [regret.min(axis=0), regret.max(axis=0)])


def test_without_band_or_with_a_single_trial(results):
    assert RegretDisplay.from_results(results, band=None).bands_ == []
    single = TrialResults(["a"], results.regret[:1, :1], None, None)
    assert RegretDisplay.from_results(single).bands_ == []


def test_curves_differ_in_colour_and_line_style(results):
    styles = {(line.get_color(), line.get_linestyle()) for line in RegretDisplay.from_results(results).lines_}
    colors, line_styles = zip(*styles)
    assert len(set(colors)) == len(set(line_styles)) == 3


def test_given_axes_are_used(results):
    _, (left, right) = plt.subplots(1, 2)
    display = RegretDisplay.from_results(results, ax=right)
    assert display.ax_ is right
    assert not left.lines


def test_pictures_need_matplotlib(results, monkeypatch):
    monkeypatch.setitem(sys.modules, "matplotlib.pyplot", None)
    with pytest.raises(ImportError, match=r"Displays need matplotlib: pip install 'skmlogb\[plot\]'"):
        RegretDisplay.from_results(results)


def test_unknown_band(results):
    with pytest.raises(ValueError, match="band must be 'std', 'range' or None; got 'sem'"):
        RegretDisplay.from_results(results, band="sem")


def test_lists_will_do():
    display = RegretDisplay(regret=[[[1.0, 2.0], [3.0, 4.0]]], policies=["a"]).plot()
    assert_allclose(display.lines_[0].get_ydata(), [2.0, 3.0])


@pytest.mark.parametrize("shape", [(2, 2, 3), (1, 0, 3), (1, 2, 0), (2, 3)])
def test_regret_of_another_shape(shape):
    with pytest.raises(ValueError, match=r"regret must have shape .n_policies, n_trials, n_rounds."):
        RegretDisplay(regret=np.ones(shape), policies=["a"]).plot()
