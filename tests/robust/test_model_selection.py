"""NoSplit and trajectory_risk_scorer in scikit-learn's searches."""

import numpy as np
import pytest
from joblib import parallel_config
from scipy.sparse import csr_array
from sklearn.decomposition import PCA
from sklearn.exceptions import NotFittedError
from sklearn.linear_model import HuberRegressor
from sklearn.model_selection import GridSearchCV, KFold, RandomizedSearchCV, cross_validate
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import FunctionTransformer, StandardScaler

from skmlogb.datasets import make_robust_regression
from skmlogb.robust import (
    HuberSGDRegressor,
    NoSplit,
    PseudoHuberSGDRegressor,
    trajectory_risk_scorer,
)
from skmlogb.robust.identity import fingerprint, same_fingerprint


@pytest.fixture
def data(seed):
    return make_robust_regression(80, 20, intercept=3.0, random_state=seed)


def search(estimator, grid, **settings):
    settings |= {"cv": NoSplit(), "scoring": trajectory_risk_scorer, "error_score": "raise"}
    return GridSearchCV(estimator, grid, **settings)


@pytest.mark.parametrize("early_stopping", [False, True])
@pytest.mark.parametrize("regressor", [HuberSGDRegressor, PseudoHuberSGDRegressor])
def test_a_grid_search_picks_the_least_risk(regressor, early_stopping, data):
    grid = {"alpha": [1e-2, 1.0], "eta0": [0.3, 1.0], "epsilon": [1.0, 1.35], "batch_size": [None, 0.5]}
    base = regressor(penalty="l2", max_iter=15, early_stopping=early_stopping, random_state=0)
    found = search(base, grid).fit(*data)
    scores = found.cv_results_["mean_test_score"]
    assert scores.shape == (16,)
    for params, score in zip(found.cv_results_["params"], scores):
        model = regressor(penalty="l2", max_iter=15, early_stopping=early_stopping, random_state=0, **params)
        model.fit(*data)
        risk = model.best_risk_ if early_stopping else model.risk_path_[-1]
        assert score == pytest.approx(-risk, rel=1e-9)
    assert found.best_score_ == scores.max()
    assert trajectory_risk_scorer(found.best_estimator_, *data) == pytest.approx(found.best_score_, rel=1e-9)


def test_a_randomized_search_in_a_pipeline(data):
    X, y = data
    X = X * 10.0 ** np.arange(-10, 10) + 5
    pipeline = make_pipeline(StandardScaler(), HuberSGDRegressor(penalty="l1", max_iter=15, random_state=0))
    space = {"hubersgdregressor__alpha": [1e-3, 1e-2, 1e-1], "hubersgdregressor__eta0": [0.5, 1.0]}
    settings = {"cv": NoSplit(), "scoring": trajectory_risk_scorer, "error_score": "raise"}
    found = RandomizedSearchCV(pipeline, space, n_iter=4, random_state=0, **settings).fit(X, y)
    assert np.isfinite(found.cv_results_["mean_test_score"]).all()
    best = found.best_estimator_[-1]
    assert found.best_score_ == pytest.approx(-best.risk_path_[-1])


@pytest.mark.parametrize(
    "steps",
    [
        [StandardScaler()],
        [PCA(10, random_state=0), StandardScaler()],  # transform rounds unlike fit_transform
        [FunctionTransformer(csr_array)],
        [make_pipeline(StandardScaler())],
        ["passthrough"],
        [],
    ],
)
def test_transformers_before_the_regressor(steps, data):
    model = make_pipeline(*steps, HuberSGDRegressor(max_iter=5)).fit(*data)
    assert trajectory_risk_scorer(model, *data) == -model[-1].risk_path_[-1]


def test_data_frames(data):
    pd = pytest.importorskip("pandas")
    X, y = data
    X = pd.DataFrame(X, columns=[f"x{j}" for j in range(20)])
    found = search(HuberSGDRegressor(max_iter=5), {"eta0": [0.5, 1.0]}).fit(X, pd.Series(y))
    assert list(found.feature_names_in_) == list(X.columns)


def test_searches_run_in_parallel(data):
    base, grid = HuberSGDRegressor(max_iter=10, batch_size=0.5, random_state=0), {"eta0": [0.25, 0.5, 1.0]}
    serial = search(base, grid).fit(*data)
    with parallel_config("threading"):
        parallel = search(base, grid, n_jobs=2).fit(*data)
    np.testing.assert_allclose(
        serial.cv_results_["mean_test_score"], parallel.cv_results_["mean_test_score"], rtol=1e-12
    )


def test_a_split_is_refused(data):
    X, y = data
    model = HuberSGDRegressor(max_iter=5).fit(X, y)
    for other in (X[:-1], X[::-1], X + 1e-3, 2 * X, X[:, ::-1], np.where(np.arange(80)[:, None] == 5, 0, X)):
        with pytest.raises(ValueError, match=r"not what the estimator was fitted on.*cv=NoSplit"):
            trajectory_risk_scorer(model, other, y)
    with pytest.raises(ValueError, match="NoSplit"):
        GridSearchCV(
            model, {"eta0": [1.0]}, cv=KFold(2), scoring=trajectory_risk_scorer, error_score="raise"
        ).fit(X, y)
    pipeline = make_pipeline(StandardScaler(), HuberSGDRegressor(max_iter=5)).fit(X, y)
    with pytest.raises(ValueError, match="NoSplit"):
        trajectory_risk_scorer(pipeline, X[::2], y[::2])


@pytest.mark.parametrize("same", [np.asfortranarray, csr_array, lambda X: X + 1e-14, lambda X: X.tolist()])
def test_the_same_matrix_in_another_guise_is_accepted(same, data):
    X, y = data
    model = HuberSGDRegressor(max_iter=5).fit(X, y)
    assert trajectory_risk_scorer(model, same(X), y) == -model.risk_path_[-1]


def test_what_has_no_risk_is_refused(data):
    X, y = data
    with pytest.raises(ValueError, match="risk=None"):
        trajectory_risk_scorer(HuberSGDRegressor(risk=None, max_iter=3).fit(X, y), X, y)
    with pytest.raises(TypeError, match=r"needs a regressor with a risk path.*got HuberRegressor"):
        trajectory_risk_scorer(HuberRegressor(max_iter=1000).fit(X, y), X, y)
    with pytest.raises(NotFittedError):
        trajectory_risk_scorer(HuberSGDRegressor(), X, y)


def test_weights_and_streams_can_be_scored(data, rng):
    X, y = data
    weights = rng.integers(0, 3, 80)
    model = HuberSGDRegressor(max_iter=5).fit(X, y, weights)
    assert trajectory_risk_scorer(model, X, y) == -model.risk_path_[-1]
    stream = HuberSGDRegressor()
    for part in (slice(0, 40), slice(40, 80)):
        stream.partial_fit(X[part], y[part])
    assert trajectory_risk_scorer(stream, X, y) == -stream.risk_path_[-1]
    with pytest.raises(ValueError, match="NoSplit"):
        trajectory_risk_scorer(stream, X[:40], y[:40])


def test_the_splitter():
    X = np.zeros((5, 2))
    splitter = NoSplit()
    ((train, test),) = splitter.split(X)
    np.testing.assert_array_equal(train, np.arange(5))
    np.testing.assert_array_equal(test, np.arange(5))
    assert splitter.get_n_splits(X) == 1
    assert repr(splitter) == "NoSplit()"
    assert len(next(splitter.split(csr_array(X)))[0]) == 5
    scores = cross_validate(HuberSGDRegressor(max_iter=3), np.eye(5), np.arange(5.0), cv=NoSplit())
    assert scores["test_score"].shape == (1,)


def test_fingerprints_tell_matrices_apart(rng):
    X = rng.standard_normal((30, 4))
    for dtype in (np.float32, np.float64):
        base = X.astype(dtype)
        assert same_fingerprint(fingerprint(base), fingerprint(base.copy()), dtype)
        for i in range(30):
            other = base.copy()
            other[i, 2] += 0.5
            assert not same_fingerprint(fingerprint(base), fingerprint(other), dtype)
    assert same_fingerprint(fingerprint(np.zeros((3, 2))), fingerprint(np.zeros((3, 2))))
