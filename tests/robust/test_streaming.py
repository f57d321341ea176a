"""partial_fit: one update a call, rows remembered once, the risk a function of the record."""

import pickle

import numpy as np
import pytest
from scipy.sparse import csr_array
from sklearn.base import clone

from skmlogb.datasets import make_robust_regression
from skmlogb.robust import Huber, HuberSGDRegressor, PseudoHuberSGDRegressor, Trajectory, trajectory_risk


@pytest.fixture
def data(seed):
    return make_robust_regression(60, 8, intercept=3.0, n_informative=3, random_state=seed)


def chunks(X, y, size=20):
    return [(X[i : i + size], y[i : i + size]) for i in range(0, len(y), size)]


PENALTIES = [{}, {"penalty": "l1", "alpha": 0.1}, {"penalty": "scad", "alpha": 0.1}]


@pytest.mark.parametrize("settings", PENALTIES)
@pytest.mark.parametrize("regressor", [HuberSGDRegressor, PseudoHuberSGDRegressor])
@pytest.mark.parametrize("sparse", [False, True])
def test_calls_with_all_rows_are_a_fit(sparse, regressor, settings, data):
    """Every call brings the same rows: they are counted once, and the path is that of full gradients."""
    X, y = data
    X = csr_array(X) if sparse else X
    settings = {"n_probes": "exact", "random_state": 0, **settings}
    stream = regressor(**settings)
    for _ in range(12):
        stream.partial_fit(X, y)
    model = regressor(max_iter=12, **settings).fit(X, y)
    np.testing.assert_allclose(stream.coef_, model.coef_, rtol=1e-9, atol=1e-12)
    assert stream.intercept_ == pytest.approx(model.intercept_)
    assert (stream.n_iter_, stream.scale_) == (12, model.scale_)
    np.testing.assert_allclose(stream.risk_path_, model.risk_path_, rtol=1e-8)
    np.testing.assert_allclose(stream.loss_path_, model.loss_path_, rtol=1e-9)
    assert stream.best_iter_ == model.best_iter_
    assert stream.best_risk_ == pytest.approx(model.best_risk_)


def test_epochs_over_chunks_are_batches_of_one_data_set(data):
    """Without intercept: the bare functions on all rows, with the chunks as batches, three epochs."""
    X, y = data
    model = HuberSGDRegressor(fit_intercept=False, learning_rate="constant", eta0=0.3, n_probes="exact")
    coefs = [np.zeros(8)]
    for _ in range(3):
        for part in chunks(X, y):
            coefs.append(model.partial_fit(*part).coef_)
    batches = [np.arange(i, i + 20) for _ in range(3) for i in (0, 20, 40)]
    path = Trajectory(coefs, [0.3] * 9, batches, loss=Huber(1.35 * model.scale_))
    expected = trajectory_risk(
        X, y, path, n_probes="exact"
    )  # raises if these are not the recursion's iterates
    np.testing.assert_allclose(model.risk_path_, expected.risk, rtol=1e-9)
    assert model.n_iter_ == 9


def test_the_first_call_fixes_scale_centre_and_start(data):
    X, y = data
    first, second = chunks(X, y, 30)
    model = HuberSGDRegressor(learning_rate="constant", eta0=0.0).partial_fit(*first)
    scale = 1.4826 * np.median(np.abs(first[1] - np.median(first[1])))
    assert model.scale_ == pytest.approx(scale)
    model.partial_fit(second[0], 1000 + second[1])
    assert model.scale_ == pytest.approx(scale)
    np.testing.assert_array_equal(model.coef_, 0)
    assert model.intercept_ == pytest.approx(np.median(first[1]))


def test_rows_of_one_call_are_distinct_and_rows_of_earlier_calls_are_not(data):
    X, y = data
    twice = np.r_[0:10, 0:10]
    model = HuberSGDRegressor(n_probes="exact").partial_fit(X[twice], y[twice])
    assert len(model._stream.rows.data()[1]) == 20
    model.partial_fit(X[:10], y[:10])  # the first of each pair
    assert len(model._stream.rows.data()[1]) == 20
    model.partial_fit(X[np.r_[0:10, 0:10, 0:10]], y[np.r_[0:10, 0:10, 0:10]])  # a third copy is new
    assert len(model._stream.rows.data()[1]) == 30
    model.partial_fit(X[:10], 1 + y[:10])  # another target makes another row
    assert len(model._stream.rows.data()[1]) == 40
    assert model.risk_path_.shape == (5,)


def test_the_path_is_computed_when_read_and_kept_until_the_next_call(data, monkeypatch):
    X, y = data
    model = HuberSGDRegressor(n_probes=4, random_state=0)
    for part in chunks(X, y):
        model.partial_fit(*part)
    first = model.risk_path_
    calls = []
    monkeypatch.setattr(type(model), "_replay", lambda self: calls.append(1))
    np.testing.assert_array_equal(model.risk_path_, first)
    assert not calls
    monkeypatch.undo()
    model.partial_fit(*chunks(X, y)[0])
    assert model.risk_path_.shape == (5,)
    assert model.risk_path_std_.shape == model.loss_path_.shape == (5,)


def test_without_risk_nothing_is_stored(data):
    X, y = data
    model = HuberSGDRegressor(risk=None).partial_fit(X, y)
    small = len(pickle.dumps(model))
    for _ in range(50):
        model.partial_fit(X, y)
    assert abs(len(pickle.dumps(model)) - small) < 200
    assert model.n_iter_ == 51
    for name in ("risk_path_", "best_iter_", "loss_path_"):
        assert not hasattr(model, name)
    recorded = HuberSGDRegressor()
    for _ in range(51):
        recorded.partial_fit(X, y)
    np.testing.assert_array_equal(model.coef_, recorded.coef_)


def test_single_rows_one_at_a_time(data):
    X, y = data
    model = HuberSGDRegressor(n_probes="exact")
    for i in range(60):
        model.partial_fit(X[i : i + 1], y[i : i + 1])
    assert np.any(model.coef_)
    assert np.isfinite(model.risk_path_).all()
    assert model.risk_path_.shape == (61,)


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_dtype_and_format_of_the_first_call_stay(dtype, data):
    X, y = data
    first, second, third = chunks(X, y)
    model = HuberSGDRegressor(random_state=0).partial_fit(first[0].astype(dtype), first[1])
    model.partial_fit(csr_array(second[0]), second[1]).partial_fit(third[0].astype(np.float32), third[1])
    assert model.coef_.dtype == dtype
    dense = HuberSGDRegressor(random_state=0)
    for part in chunks(X.astype(np.float32), y):
        dense.partial_fit(part[0].astype(dtype), part[1])
    np.testing.assert_allclose(model.coef_, dense.coef_, rtol=1e-3, atol=1e-5)
    np.testing.assert_allclose(model.risk_path_, dense.risk_path_, rtol=1e-3)


def test_weights_of_a_call(data, rng):
    X, y = data
    weights = rng.integers(0, 4, 60)
    rows = np.repeat(np.arange(60), weights)
    weighted, copied = HuberSGDRegressor(), HuberSGDRegressor()
    for _ in range(5):
        weighted.partial_fit(X, y, sample_weight=weights)
        copied.partial_fit(X[rows], y[rows])
    np.testing.assert_allclose(weighted.coef_, copied.coef_, rtol=1e-8)
    reference = HuberSGDRegressor(max_iter=5).fit(X, y, weights)
    np.testing.assert_allclose(weighted.risk_path_, reference.risk_path_, rtol=1e-8)
    with pytest.raises(ValueError, match=r"sample_weight of row \d+ is .* and was .* one weight a row"):
        weighted.partial_fit(X, y)
    assert weighted.n_iter_ == 5


def test_the_objective_must_stay_where_there_is_a_risk(data):
    model = HuberSGDRegressor(penalty="l1", alpha=0.1).partial_fit(*data)
    coef = model.coef_
    with pytest.raises(ValueError, match="objective has become"):
        model.set_params(alpha=0.2).partial_fit(*data)
    assert model.coef_ is coef
    free = HuberSGDRegressor(penalty="l1", alpha=0.1, risk=None).partial_fit(*data)
    free.set_params(alpha=0.2).partial_fit(*data)


def test_steps_go_on_from_call_to_call(data):
    X, y = data
    model = HuberSGDRegressor(learning_rate=[0.1, 0.3], fit_intercept=False)
    fitted = HuberSGDRegressor(learning_rate=[0.1, 0.3], fit_intercept=False).fit(X, y)
    model.partial_fit(X, y).partial_fit(X, y)
    np.testing.assert_allclose(model.coef_, fitted.coef_, rtol=1e-10)
    with pytest.raises(ValueError, match="must hold more than 2 steps"):
        model.partial_fit(X, y)
    assert model.n_iter_ == 2


def test_after_fit_it_goes_on_from_the_last_iterate(data):
    X, y = data
    model = HuberSGDRegressor(max_iter=10, early_stopping=True, n_iter_no_change=2, random_state=0).fit(X, y)
    last = HuberSGDRegressor(max_iter=model.n_iter_, random_state=0).fit(X, y)
    model.set_params(learning_rate="constant", eta0=0.0).partial_fit(X, y)
    np.testing.assert_array_equal(model.coef_, last.coef_)
    assert (model.n_iter_, model.scale_) == (1, last.scale_)
    assert model.risk_path_.shape == (2,)
    model.set_params(learning_rate="auto", eta0=1.0).fit(X, y)  # and fit forgets all of it
    assert model.risk_path_.shape == (model.n_iter_ + 1,)


def test_resuming_from_a_pickle_changes_nothing(data):
    X, y = data
    parts = chunks(X, y) * 2
    straight, interrupted = HuberSGDRegressor(random_state=0), HuberSGDRegressor(random_state=0)
    for part in parts:
        straight.partial_fit(*part)
        interrupted = pickle.loads(pickle.dumps(interrupted)).partial_fit(*part)
    np.testing.assert_array_equal(interrupted.coef_, straight.coef_)
    np.testing.assert_array_equal(interrupted.risk_path_, straight.risk_path_)
    assert not hasattr(clone(straight), "coef_")


def test_the_risk_of_a_stream_tracks_the_truth():
    """Ten chunks, three epochs: the estimate at the end against the truth, several draws."""
    gaps = []
    for seed in range(4):
        X, y, coef = make_robust_regression(1000, 200, coef=True, df=3.0, random_state=seed)
        noise = y - X @ coef
        model = HuberSGDRegressor(eta0=0.5, n_probes=20, random_state=0)
        for _ in range(3):
            for part in chunks(X, y, 100):
                model.partial_fit(*part)
        truth = np.sum((model.coef_ - coef) ** 2) + model.intercept_**2
        gaps.append((model.risk_path_[-1] - noise @ noise / 1000) / truth - 1)
    assert abs(np.mean(gaps)) < 0.2
