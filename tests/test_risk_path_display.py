"""RiskPathDisplay: the curves are the estimator's paths."""

import numpy as np
import pytest
from numpy.testing import assert_allclose
from sklearn.exceptions import NotFittedError
from sklearn.model_selection import GridSearchCV
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

from skmlogb.datasets import make_robust_regression
from skmlogb.displays import RiskPathDisplay
from skmlogb.robust import HuberSGDRegressor, NoSplit, trajectory_risk_scorer

plt = pytest.importorskip("matplotlib.pyplot")


@pytest.fixture(autouse=True)
def _close_figures():
    yield
    plt.close("all")


@pytest.fixture
def fitted(seed):
    X, y = make_robust_regression(150, 60, random_state=seed)
    return HuberSGDRegressor(max_iter=15, n_probes=4, random_state=0).fit(X, y), X, y


def test_curves(fitted):
    model, _, _ = fitted
    display = RiskPathDisplay.from_estimator(model)
    updates = np.arange(16)
    assert_allclose(display.risk_line_.get_xydata(), np.column_stack([updates, model.risk_path_]))
    assert_allclose(display.loss_line_.get_xydata(), np.column_stack([updates, model.loss_path_]))
    assert_allclose(display.best_.get_xydata(), [[model.best_iter_, model.best_risk_]])
    assert display.best_.get_label() == f"least risk, iteration {model.best_iter_}"
    vertices = display.band_.get_paths()[0].vertices
    for t in updates:
        edges = vertices[vertices[:, 0] == t, 1]
        assert edges.min() == pytest.approx(model.risk_path_[t] - 2 * model.risk_path_std_[t])
        assert edges.max() == pytest.approx(model.risk_path_[t] + 2 * model.risk_path_std_[t])
    assert [text.get_text() for text in display.ax_.get_legend().get_texts()] == [
        "risk",
        f"least risk, iteration {model.best_iter_}",
        "training loss",
    ]
    assert display.figure_ is display.ax_.figure is display.loss_ax_.figure


def test_without_loss_on_given_axes_and_exact_traces(fitted):
    _, X, y = fitted
    model = HuberSGDRegressor(max_iter=5, n_probes="exact").fit(X, y)
    ax = plt.figure().add_subplot()
    display = RiskPathDisplay.from_estimator(model, ax=ax, loss=False)
    assert display.ax_ is ax
    assert display.loss_line_ is None
    assert display.loss_ax_ is None
    assert display.band_ is None  # nothing random in the risk


def test_a_pipeline(fitted):
    _, X, y = fitted
    pipeline = make_pipeline(StandardScaler(), HuberSGDRegressor(max_iter=5)).fit(X, y)
    display = RiskPathDisplay.from_estimator(pipeline)
    assert_allclose(display.risk_line_.get_ydata(), pipeline[-1].risk_path_)


def test_a_search(fitted):
    _, X, y = fitted
    search = GridSearchCV(
        make_pipeline(HuberSGDRegressor(max_iter=5)),
        {"hubersgdregressor__eta0": [0.5, 1.0]},
        cv=NoSplit(),
        scoring=trajectory_risk_scorer,
    ).fit(X, y)
    display = RiskPathDisplay.from_estimator(search)
    assert_allclose(display.risk_line_.get_ydata(), search.best_estimator_[-1].risk_path_)


@pytest.mark.parametrize(
    ("risk", "std", "loss"),
    [
        ([np.nan, np.nan], [0.0, 0.0], None),
        ([], [], None),
        ([1.0, 2.0], [0.0], None),
        ([1.0, 2.0], [0.0, 0.1], [3.0]),
        ([[1.0, 2.0]], [[0.0, 0.1]], None),
    ],
)
def test_curves_of_another_shape(risk, std, loss):
    with pytest.raises(
        ValueError, match=r"risk, std and loss must have one shape .* an entry that is not NaN"
    ):
        RiskPathDisplay(risk=risk, std=std, loss=loss).plot()
    assert not plt.get_fignums()


def test_lists_will_do():
    display = RiskPathDisplay(risk=[3.0, 1.0], std=[0.1, 0.2], loss=[2.0, 1.0]).plot()
    assert_allclose(display.best_.get_xydata(), [[1, 1.0]])


def test_undefined_entries_leave_a_gap(fitted):
    risk = np.array([5.0, np.nan, 3.0, 4.0])
    display = RiskPathDisplay(risk=risk, std=np.array([0.0, np.nan, 0.1, 0.1])).plot()
    assert_allclose(display.best_.get_xydata(), [[2, 3.0]])


def test_without_a_risk_there_is_nothing_to_draw(fitted):
    _, X, y = fitted
    with pytest.raises(AttributeError, match="risk=None"):
        RiskPathDisplay.from_estimator(HuberSGDRegressor(risk=None, max_iter=3).fit(X, y))
    with pytest.raises(NotFittedError):
        RiskPathDisplay.from_estimator(HuberSGDRegressor())
