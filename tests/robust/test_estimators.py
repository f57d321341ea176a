"""HuberSGDRegressor and PseudoHuberSGDRegressor: what a fit does, and what it promises."""

import inspect
import pickle
import re
from itertools import islice

import numpy as np
import pytest
from scipy.sparse import csr_array, csr_matrix
from sklearn.exceptions import ConvergenceWarning, NotFittedError

from skmlogb.datasets import make_robust_regression
from skmlogb.robust import (
    L1,
    MCP,
    SCAD,
    ElasticNet,
    GroupL1,
    Huber,
    HuberSGDRegressor,
    PseudoHuber,
    PseudoHuberSGDRegressor,
    proximal_sgd,
    trajectory_risk,
)
from skmlogb.robust.descent import Batches
from skmlogb.robust.fitting import generators

REGRESSORS = [HuberSGDRegressor, PseudoHuberSGDRegressor]
GROUPS = np.arange(10) // 2
PENALTIES = {
    "none": ({}, None),
    "l1": ({"penalty": "l1", "alpha": 0.1}, L1(0.1)),
    "l2": ({"penalty": "l2", "alpha": 0.1}, ElasticNet(0.1, 0.0)),
    "elasticnet": ({"penalty": "elasticnet", "alpha": 0.1, "l1_ratio": 0.4}, ElasticNet(0.1, 0.4)),
    "group_l1": ({"penalty": "group_l1", "alpha": 0.1, "groups": GROUPS}, GroupL1(0.1, GROUPS)),
    "mcp": ({"penalty": "mcp", "alpha": 0.1, "gamma": 3.0}, MCP(0.1, 3.0)),
    "scad": ({"penalty": "scad", "alpha": 0.1, "gamma": 3.5}, SCAD(0.1, 3.5)),
}


@pytest.fixture
def data(seed):
    return make_robust_regression(60, 10, intercept=5.0, n_informative=4, random_state=seed)


def test_defaults_are_the_contract():
    expected = {
        "epsilon": 1.35,
        "scale": "mad",
        "penalty": None,
        "alpha": 1e-4,
        "l1_ratio": 0.15,
        "groups": None,
        "gamma": 3.7,
        "fit_intercept": True,
        "batch_size": None,
        "learning_rate": "auto",
        "eta0": 1.0,
        "power_t": 0.25,
        "max_iter": 100,
        "tol": None,
        "early_stopping": False,
        "n_iter_no_change": 10,
        "risk": "out_of_batch",
        "covariance": None,
        "n_probes": "auto",
        "warm_start": False,
        "random_state": None,
        "verbose": 0,
    }
    for regressor in REGRESSORS:
        assert regressor().get_params() == expected
        kinds = {p.kind for p in list(inspect.signature(regressor).parameters.values())}
        assert kinds == {inspect.Parameter.KEYWORD_ONLY}


def first_batches(n, size, n_updates, random_state=0):
    """Return the batches that a regressor with this random_state draws."""
    return list(islice(Batches(n, size, generators(random_state)[0]).starting_at(0), n_updates))


@pytest.mark.parametrize("batch_size", [None, 0.5])
@pytest.mark.parametrize("penalty", PENALTIES)
@pytest.mark.parametrize("regressor", REGRESSORS)
def test_without_intercept_a_fit_is_the_bare_recursion(regressor, penalty, batch_size, data):
    X, y = data
    y = y - 5.0
    settings, part = PENALTIES[penalty]
    steps = [0.3, 0.5, 0.0, 0.4, 0.3, 0.2]
    model = regressor(
        fit_intercept=False,
        learning_rate=steps,
        batch_size=batch_size,
        n_probes="exact",
        random_state=0,
        **settings,
    ).fit(X, y)
    batches = None if batch_size is None else first_batches(60, 30, 6)
    assert model.scale_ == pytest.approx(1.4826 * np.median(np.abs(y - np.median(y))))
    loss = (Huber if regressor is HuberSGDRegressor else PseudoHuber)(1.35 * model.scale_)
    path = proximal_sgd(X, y, loss=loss, penalty=part, step_sizes=steps, batches=batches)
    np.testing.assert_allclose(model.coef_, path.coefs[-1], rtol=1e-10, atol=1e-12)
    assert model.intercept_ == 0.0
    risk = trajectory_risk(X, y, path, n_probes="exact").risk
    np.testing.assert_allclose(model.risk_path_, risk, rtol=1e-9)
    losses = [loss.value(y - X @ b).mean() + (part.value(b) if part else 0) for b in path.coefs]
    np.testing.assert_allclose(model.loss_path_, losses, rtol=1e-10)


@pytest.mark.parametrize("batch_size", [None, 0.5])
def test_an_intercept_is_a_constant_column_beside_centred_ones(batch_size, data):
    X, y = data
    steps = [0.3, 0.5, 0.0, 0.4, 0.3, 0.2]
    model = HuberSGDRegressor(
        learning_rate=steps, batch_size=batch_size, n_probes="exact", random_state=0
    ).fit(X, y)
    batches = None if batch_size is None else first_batches(60, 30, 6)
    # The curvature, by which the constant column is scaled: the largest over the first five batches.
    centred = X - X.mean(axis=0)
    some = [np.arange(60)] if batches is None else batches[:5]
    curvature = max(np.linalg.eigvalsh(centred[rows].T @ centred[rows] / len(rows))[-1] for rows in some)
    constant = np.sqrt(curvature) / 2
    Z = np.column_stack([centred, np.full(60, constant)])
    path = proximal_sgd(
        Z,
        y,
        loss=Huber(1.35 * model.scale_),
        step_sizes=steps,
        batches=batches,
        coef_init=np.append(np.zeros(10), np.median(y) / constant),
    )
    # Twenty power iterations know the curvature to a few per cent.
    np.testing.assert_allclose(model.coef_, path.coefs[-1, :-1], rtol=0.05, atol=0.02)
    intercept = path.coefs[-1, -1] * constant - X.mean(axis=0) @ path.coefs[-1, :-1]
    assert model.intercept_ == pytest.approx(intercept, abs=0.05)
    risk = trajectory_risk(Z, y, path, n_probes="exact").risk
    np.testing.assert_allclose(model.risk_path_, risk, rtol=0.05)


@pytest.mark.parametrize("batch_size", [None, 0.3])
def test_auto_step_is_the_inverse_of_the_largest_curvature(batch_size, data):
    X, y = data
    seen = {}
    for eta0 in (1.0, 0.5):
        model = HuberSGDRegressor(
            eta0=eta0, max_iter=1, batch_size=batch_size, random_state=0, fit_intercept=False
        )
        model.fit(X, y)
        rows = np.arange(60) if batch_size is None else first_batches(60, 18, 1)[0]
        loss = Huber(1.35 * model.scale_)
        direction = X[rows].T @ loss.psi(y[rows]) / len(rows)
        seen[eta0] = model.coef_ @ direction / (direction @ direction)
    batches = [rows] if batch_size is None else first_batches(60, 18, 5)
    curvature = max(np.linalg.eigvalsh(X[rows].T @ X[rows] / len(rows))[-1] for rows in batches)
    assert seen[1.0] == pytest.approx(1 / curvature, rel=0.1)
    assert seen[0.5] == pytest.approx(seen[1.0] / 2)


@pytest.mark.parametrize("batch_size", [None, 0.4])
@pytest.mark.parametrize("penalty", ["none", "l1", "scad"])
def test_a_short_fit_is_the_beginning_of_a_long_one(penalty, batch_size, data):
    settings = {"batch_size": batch_size, "random_state": 3, "n_probes": 8, **PENALTIES[penalty][0]}
    long = HuberSGDRegressor(max_iter=25, **settings).fit(*data)
    for k in (1, 7, 20):
        short = HuberSGDRegressor(max_iter=k, **settings).fit(*data)
        np.testing.assert_allclose(short.risk_path_, long.risk_path_[: k + 1], rtol=1e-10)
        np.testing.assert_allclose(short.loss_path_, long.loss_path_[: k + 1], rtol=1e-12)
    best = HuberSGDRegressor(max_iter=25, early_stopping=True, n_iter_no_change=25, **settings).fit(*data)
    if best.best_iter_ > 0:
        short = HuberSGDRegressor(max_iter=best.best_iter_, **settings).fit(*data)
        np.testing.assert_array_equal(short.coef_, best.coef_)
        assert short.n_iter_ == best.best_iter_


@pytest.mark.parametrize("batch_size", [None, 0.4])
@pytest.mark.parametrize("risk", ["out_of_batch", "in_batch", None])
@pytest.mark.parametrize("penalty", ["none", "l1", "group_l1"])
def test_warm_starts_add_up_to_one_long_fit(penalty, risk, batch_size, data):
    settings = {"batch_size": batch_size, "random_state": 3, "risk": risk, "n_probes": 8}
    settings |= {"learning_rate": "invscaling", "eta0": 0.2} | PENALTIES[penalty][0]
    long = HuberSGDRegressor(max_iter=21, **settings).fit(*data)
    warm = HuberSGDRegressor(warm_start=True, **settings)
    for max_iter in (4, 10, 7):
        warm.set_params(max_iter=max_iter).fit(*data)
    assert warm.n_iter_ == 21
    np.testing.assert_array_equal(warm.coef_, long.coef_)
    assert warm.intercept_ == long.intercept_
    np.testing.assert_allclose(warm.loss_path_, long.loss_path_, rtol=1e-12)
    if risk is not None:
        np.testing.assert_allclose(warm.risk_path_, long.risk_path_, rtol=1e-10)
        np.testing.assert_allclose(warm.risk_path_std_, long.risk_path_std_, rtol=1e-6, atol=1e-12)


def test_a_warm_start_goes_on_from_the_last_iterate_not_the_best(data):
    X, y = data
    settings = {"random_state": 0, "n_probes": "exact", "n_iter_no_change": 3, "max_iter": 100}
    warm = HuberSGDRegressor(warm_start=True, early_stopping=True, **settings).fit(X, y)
    stopped = warm.n_iter_
    assert stopped < 100
    warm.fit(X, y)
    long = HuberSGDRegressor(**settings | {"max_iter": warm.n_iter_}).fit(X, y)
    assert warm.n_iter_ > stopped
    np.testing.assert_allclose(warm.risk_path_, long.risk_path_, rtol=1e-10)
    assert warm.best_iter_ == long.best_iter_


def test_a_warm_start_on_other_data_starts_from_the_last_iterate(data):
    X, y = data
    warm = HuberSGDRegressor(warm_start=True, max_iter=5).fit(X, y)
    coef, intercept = warm.coef_, warm.intercept_
    other = X[::2], y[::2]
    with pytest.warns(UserWarning, match="too low"):
        warm.set_params(learning_rate="constant", eta0=0.0).fit(*other)
    np.testing.assert_allclose(warm.coef_, coef, rtol=1e-12)
    assert warm.intercept_ == pytest.approx(intercept, rel=1e-12)
    assert warm.n_iter_ == 5
    with pytest.raises(ValueError, match=r"goes on from 10 coefficients; X has 4 features"):
        warm.fit(X[:, :4], y)
    assert warm.n_features_in_ == 10


def test_a_warm_start_with_another_objective_on_the_same_rows_warns(data):
    warm = HuberSGDRegressor(warm_start=True, max_iter=5, penalty="l1", alpha=0.1).fit(*data)
    with pytest.warns(UserWarning, match="too low"):
        warm.set_params(alpha=0.05).fit(*data)
    assert warm.n_iter_ == 5


@pytest.mark.parametrize("kind", [np.asarray, csr_array])
def test_a_warm_start_warns_of_old_rows_among_new_ones(kind, data):
    X, y = data
    half = len(y) // 2
    warm = HuberSGDRegressor(warm_start=True, max_iter=5).fit(kind(X[:half]), y[:half])
    warm.fit(kind(X[half:]), y[half:])  # fresh rows: no warning
    with pytest.warns(UserWarning, match="too low"):
        warm.fit(kind(X), y)


@pytest.mark.parametrize(
    "change",
    [
        lambda X: np.c_[X, np.full(len(X), 2e7)].astype(np.float32),
        lambda X: np.c_[0.001 * X, np.full(len(X), 1.7e12)],
        lambda X: (3e-12 * X).astype(np.float32),
        lambda X: csr_array(1e-81 * X),
    ],
)
@pytest.mark.parametrize("method", ["fit", "partial_fit"])
def test_steps_of_zero_are_told(method, change, data):
    X, y = data
    model = HuberSGDRegressor()
    with pytest.warns(ConvergenceWarning, match="No step is taken: the columns' variation") as caught:
        getattr(model, method)(change(X), y)
    assert caught[0].filename == __file__
    assert not model.coef_.any()


def test_constant_columns_alone_take_no_step_without_a_word(data):
    assert not HuberSGDRegressor().fit(np.full_like(data[0], 0.1), data[1]).coef_.any()


@pytest.mark.parametrize("batch_size", [None, 0.4])
@pytest.mark.parametrize("patience", [1, 3, 10])
def test_early_stopping_stops_where_a_full_path_says(patience, batch_size, data):
    settings = {"batch_size": batch_size, "random_state": 1, "n_probes": "exact", "max_iter": 60}
    full = HuberSGDRegressor(**settings).fit(*data)
    path, stop = full.risk_path_, 60
    for t in range(61):
        if t - path[: t + 1].argmin() >= patience:
            stop = t
            break
    model = HuberSGDRegressor(early_stopping=True, n_iter_no_change=patience, **settings).fit(*data)
    assert model.n_iter_ == stop
    assert model.best_iter_ == path[: stop + 1].argmin()
    assert model.best_risk_ == pytest.approx(path[: stop + 1].min())
    np.testing.assert_allclose(model.risk_path_, path[: stop + 1], rtol=1e-10)
    best = HuberSGDRegressor(**settings | {"max_iter": max(model.best_iter_, 1)}).fit(*data)
    if model.best_iter_ > 0:
        np.testing.assert_array_equal(model.coef_, best.coef_)
        assert model.intercept_ == best.intercept_


def test_tol_stops_when_the_objective_has_settled(data):
    full = HuberSGDRegressor(max_iter=300, risk=None).fit(*data)
    falls = -np.diff(full.loss_path_) / full.loss_path_[0]
    small = falls <= 1e-4
    stop = next(t for t in range(7, 300) if small[t - 7 : t].all())
    model = HuberSGDRegressor(max_iter=300, tol=1e-4, n_iter_no_change=7).fit(*data)
    assert model.n_iter_ == stop
    np.testing.assert_allclose(model.loss_path_, full.loss_path_[: stop + 1], rtol=1e-12)
    assert model.risk_path_.shape == (stop + 1,)


def test_a_tol_that_is_not_met_warns_of_the_cause(data):
    X, y = data
    X = X * np.array([1.0, 1e4] + [1.0] * 8)
    with pytest.warns(ConvergenceWarning, match=r"has not settled to tol=1e-09 after max_iter=20") as caught:
        HuberSGDRegressor(tol=1e-9, max_iter=20).fit(X, y)
    message = str(caught[0].message)
    assert re.search(r"L is [\d.e+]+, the step [\d.e-]+", message)
    assert "column 1" in message
    assert caught[0].filename == __file__


@pytest.mark.parametrize("unit", [1e-6, 1e6])
@pytest.mark.parametrize("regressor", REGRESSORS)
def test_the_unit_of_the_target_does_not_matter(regressor, unit, data):
    X, y = data
    settings = {"max_iter": 20, "random_state": 0, "batch_size": 0.5}
    model = regressor(**settings).fit(X, y)
    scaled = regressor(**settings).fit(X, unit * y)
    np.testing.assert_allclose(scaled.coef_, unit * model.coef_, rtol=1e-8)
    assert scaled.intercept_ == pytest.approx(unit * model.intercept_)
    np.testing.assert_allclose(scaled.risk_path_, unit**2 * model.risk_path_, rtol=1e-8)
    assert scaled.scale_ == pytest.approx(unit * model.scale_)


@pytest.mark.parametrize("unit", [1e-9, 1e9])
def test_the_unit_of_all_features_does_not_matter(unit, data):
    X, y = data
    model = HuberSGDRegressor(max_iter=20).fit(X, y)
    scaled = HuberSGDRegressor(max_iter=20).fit(unit * X, y)
    np.testing.assert_allclose(scaled.coef_, model.coef_ / unit, rtol=1e-8)
    np.testing.assert_allclose(scaled.risk_path_, model.risk_path_, rtol=1e-8)


def test_shifts_of_features_and_target_go_into_the_intercept(data):
    X, y = data
    model = HuberSGDRegressor(max_iter=20, n_probes="exact").fit(X, y)
    moved = HuberSGDRegressor(max_iter=20, n_probes="exact").fit(X + 100.0, y - 1000.0)
    np.testing.assert_allclose(moved.coef_, model.coef_, rtol=1e-8)
    assert moved.intercept_ == pytest.approx(model.intercept_ - 1000 - 100 * model.coef_.sum())
    np.testing.assert_allclose(moved.risk_path_, model.risk_path_, rtol=1e-8)


@pytest.mark.parametrize("kind", [csr_array, csr_matrix])
@pytest.mark.parametrize("batch_size", [None, 0.4])
@pytest.mark.parametrize("penalty", ["none", "l1", "group_l1"])
def test_sparse_features_give_what_dense_ones_give(penalty, batch_size, kind, data, rng):
    X, y = data
    X = np.where(rng.random(X.shape) < 0.5, 0, X) + (np.arange(10) == 3)
    settings = {"max_iter": 12, "batch_size": batch_size, "random_state": 0, **PENALTIES[penalty][0]}
    dense, sparse = HuberSGDRegressor(**settings).fit(X, y), HuberSGDRegressor(**settings).fit(kind(X), y)
    np.testing.assert_allclose(sparse.coef_, dense.coef_, rtol=1e-9, atol=1e-12)
    np.testing.assert_allclose(sparse.risk_path_, dense.risk_path_, rtol=1e-8)
    np.testing.assert_allclose(sparse.predict(kind(X)), dense.predict(X), rtol=1e-9, atol=1e-10)
    assert isinstance(sparse.predict(kind(X)), np.ndarray)


@pytest.mark.parametrize("penalty", PENALTIES)
def test_float32_stays_and_agrees(penalty, data):
    X, y = data
    settings = {"max_iter": 15, "n_probes": 8, "random_state": 0, **PENALTIES[penalty][0]}
    double = HuberSGDRegressor(**settings).fit(X, y)
    single = HuberSGDRegressor(**settings).fit(X.astype(np.float32), y)
    assert single.coef_.dtype == np.float32
    assert single.predict(X.astype(np.float32)).dtype == np.float32
    np.testing.assert_allclose(single.coef_, double.coef_, rtol=1e-3, atol=1e-4)
    np.testing.assert_allclose(single.risk_path_, double.risk_path_, rtol=1e-3)


def test_rules_of_the_step(data):
    X, y = data
    rules = {
        "constant": ("constant", [0.2] * 6),
        "invscaling": ("invscaling", [0.2 / t**0.25 for t in range(1, 7)]),
        "callable": (lambda t: 0.3 / t, [0.3 / t for t in range(1, 7)]),
        "array": (np.linspace(0.1, 0.3, 6), np.linspace(0.1, 0.3, 6)),
    }
    for rate, steps in rules.values():
        model = HuberSGDRegressor(learning_rate=rate, eta0=0.2, max_iter=6, fit_intercept=False).fit(X, y)
        path = proximal_sgd(X, y, loss=Huber(1.35 * model.scale_), step_sizes=steps)
        np.testing.assert_allclose(model.coef_, path.coefs[-1], rtol=1e-12)


def test_a_sequence_of_steps_ends_the_fit(data):
    assert HuberSGDRegressor(learning_rate=[0.1, 0.2, 0.1]).fit(*data).n_iter_ == 3


def test_a_known_covariance_leaves_the_intercept_out(data):
    X, y = data
    settings = {"max_iter": 6, "learning_rate": [0.3] * 6, "n_probes": "exact"}
    model = HuberSGDRegressor(risk="known_covariance", covariance=np.eye(10), **settings).fit(X, y)
    assert model.risk_path_.shape == (7,)
    with pytest.raises(ValueError, match="covariance"):
        HuberSGDRegressor(risk="known_covariance", **settings).fit(X, y)
    with pytest.raises(ValueError, match="covariance"):
        HuberSGDRegressor(risk="known_covariance", covariance=np.eye(9), **settings).fit(X, y)


def test_no_risk_no_path(data):
    model = HuberSGDRegressor(risk=None).fit(*data)
    for name in ("risk_path_", "risk_path_std_", "best_iter_", "best_risk_"):
        assert not hasattr(model, name)
        with pytest.raises(AttributeError, match="risk=None"):
            getattr(model, name)
    with_risk = HuberSGDRegressor().fit(*data)
    np.testing.assert_array_equal(model.coef_, with_risk.coef_)
    np.testing.assert_array_equal(model.loss_path_, with_risk.loss_path_)


def test_nothing_fitted_before_fit(data):
    model = HuberSGDRegressor()
    for name in ("coef_", "risk_path_", "best_iter_", "loss_path_"):
        assert not hasattr(model, name)
    with pytest.raises(NotFittedError):
        model.predict(data[0])


@pytest.mark.parametrize("early_stopping", [False, True])
def test_progress_is_printed_when_asked_for(early_stopping, data, capsys):
    HuberSGDRegressor(max_iter=20, early_stopping=early_stopping).fit(*data)
    assert capsys.readouterr().out == ""
    HuberSGDRegressor(max_iter=20, early_stopping=early_stopping, verbose=1).fit(*data)
    lines = capsys.readouterr().out.splitlines()
    assert re.match(r"\[HuberSGDRegressor\] iteration 10: objective [\d.]+", lines[0])
    assert ("risk" in lines[0]) == early_stopping
    assert "risk" in lines[-1]


def test_the_paths_describe_the_coefficients(data):
    """The last entry of loss_path_ is the objective of coef_ and intercept_."""
    X, y = data
    model = HuberSGDRegressor(penalty="l1", alpha=0.05, batch_size=0.5, random_state=0).fit(X, y)
    loss = Huber(1.35 * model.scale_).value(y - model.predict(X)).mean() + 0.05 * np.abs(model.coef_).sum()
    assert model.loss_path_[-1] == pytest.approx(loss)
    assert model.loss_path_.shape == model.risk_path_.shape == model.risk_path_std_.shape == (101,)
    assert model.best_risk_ == model.risk_path_[model.best_iter_] == model.risk_path_.min()
    np.testing.assert_allclose(model.predict(X), X @ model.coef_ + model.intercept_)


def test_the_same_seed_gives_the_same_fit(data):
    settings = {"batch_size": 0.2, "max_iter": 10, "n_probes": 4}
    first, again = (HuberSGDRegressor(random_state=5, **settings).fit(*data) for _ in range(2))
    np.testing.assert_array_equal(first.coef_, again.coef_)
    np.testing.assert_array_equal(first.risk_path_, again.risk_path_)
    other = HuberSGDRegressor(random_state=6, **settings).fit(*data)
    assert not np.array_equal(first.coef_, other.coef_)


def test_probes_do_not_change_the_batches(data):
    settings = {"batch_size": 0.2, "max_iter": 10, "random_state": 0}
    few, many = (HuberSGDRegressor(n_probes=B, **settings).fit(*data) for B in (2, 9))
    np.testing.assert_array_equal(few.coef_, many.coef_)
    assert not np.array_equal(few.risk_path_, many.risk_path_)


def test_batches_that_are_forgotten_do_not_change_the_others():
    drawn = first_batches(20, 5, 12)
    batches = Batches(20, 5, generators(0)[0])
    for t in (0, 4, 8):
        again = list(islice(batches.starting_at(t), 4))
        np.testing.assert_array_equal(again, drawn[t : t + 4])
        batches.forget(t + 4)
    assert len(batches._drawn) == 0


@pytest.mark.parametrize("batch_size", [1, 10, 80])
@pytest.mark.parametrize("scale", ["some long rows", "heavy tails"])
def test_minibatches_of_long_rows_do_not_diverge(batch_size, scale, rng):
    """The step allows for rows that the first batches do not hold."""
    X, y = make_robust_regression(400, 100, random_state=0)
    if scale == "heavy tails":
        X = rng.standard_t(1.1, size=X.shape)
    else:
        X[::50] *= 1e4
    model = HuberSGDRegressor(batch_size=batch_size, max_iter=150, random_state=0).fit(X, y)
    assert model.loss_path_.max() < 3 * model.loss_path_[0]
    assert model.risk_path_.max() < 5 * model.risk_path_[0]


@pytest.mark.parametrize("change", [lambda X: 30 * X, lambda X: X[:1], lambda X: X[:10]])
def test_steeper_chunks_shorten_the_steps(change):
    X, y = make_robust_regression(400, 100, random_state=0)
    model = HuberSGDRegressor(risk=None, random_state=0).partial_fit(X[:200], y[:200])
    later = change(X[200:])
    targets = y[200 : 200 + len(later)]
    losses = []
    for _ in range(60):
        model.partial_fit(later, targets)
        losses.append(np.abs(targets - model.predict(later)).mean())
    assert losses[-1] < losses[0]
    assert np.abs(y[:200] - model.predict(X[:200])).mean() < 3 * np.abs(y).mean()


@pytest.mark.parametrize("kind", [np.asarray, csr_array])
def test_a_chunk_whose_squares_overflow_is_refused(kind):
    X, y = make_robust_regression(60, 10, random_state=0)
    model = HuberSGDRegressor(random_state=0).partial_fit(kind(X), y)
    before = pickle.dumps(model)
    with pytest.raises(ValueError, match="The squares of X overflow: the largest column scale"):
        model.partial_fit(kind(1e200 * X), y)
    assert pickle.dumps(model) == before


def test_weights_equal_within_a_chunk_are_kept():
    X, y = make_robust_regression(60, 10, random_state=0)
    model = HuberSGDRegressor(random_state=0).partial_fit(X[:30], y[:30])
    model.partial_fit(X[30:], y[30:], np.full(30, 100.0))
    nearly = HuberSGDRegressor(random_state=0).partial_fit(X[:30], y[:30])
    nearly.partial_fit(X[30:], y[30:], np.r_[np.full(29, 100.0), 100.0 + 1e-9])
    np.testing.assert_allclose(model.loss_path_, nearly.loss_path_, rtol=1e-9)
    np.testing.assert_allclose(model.risk_path_, nearly.risk_path_, rtol=1e-9)
    with pytest.raises(ValueError, match=r"sample_weight of row 0 is 2\.0, and was 1\.0"):
        model.partial_fit(X[:30], y[:30], np.full(30, 2.0))
