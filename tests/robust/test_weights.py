"""sample_weight: a weight of k is k copies, a weight of 0 no row; the risk counts each row once."""

import numpy as np
import pytest
from scipy.sparse import csr_array

from skmlogb.datasets import make_robust_regression
from skmlogb.robust import HuberSGDRegressor, PseudoHuberSGDRegressor
from skmlogb.robust.scale import mad_scale, weighted_median

PENALTIES = [
    {},
    {"penalty": "l1", "alpha": 0.05},
    {"penalty": "group_l1", "alpha": 0.05, "groups": [0, 0, 1, 1, 2]},
]


@pytest.fixture
def data(seed):
    return make_robust_regression(40, 5, intercept=3.0, n_informative=2, random_state=seed)


@pytest.mark.parametrize("fit_intercept", [True, False])
@pytest.mark.parametrize("settings", PENALTIES)
@pytest.mark.parametrize("regressor", [HuberSGDRegressor, PseudoHuberSGDRegressor])
@pytest.mark.parametrize("sparse", [False, True])
def test_a_weight_of_k_is_k_copies_and_0_no_row(sparse, regressor, settings, fit_intercept, data, rng):
    X, y = data
    weights = rng.integers(0, 4, 40)
    settings = {"max_iter": 15, "fit_intercept": fit_intercept, **settings}
    rows = np.repeat(np.arange(40), weights)
    as_given = csr_array if sparse else np.asarray
    weighted = regressor(**settings).fit(as_given(X), y, sample_weight=weights)
    copied = regressor(**settings).fit(as_given(X[rows]), y[rows])
    assert weighted.scale_ == pytest.approx(copied.scale_, rel=1e-12)
    np.testing.assert_allclose(weighted.coef_, copied.coef_, rtol=1e-8, atol=1e-10)
    assert weighted.intercept_ == pytest.approx(copied.intercept_, rel=1e-8)
    np.testing.assert_allclose(weighted.loss_path_, copied.loss_path_, rtol=1e-8)


@pytest.mark.parametrize("batch_size", [None, 0.4, 7])
def test_rows_of_weight_0_are_removed_from_everything(batch_size, data, rng):
    X, y = data
    weights = np.where(rng.random(40) < 0.3, 0.0, rng.uniform(0.5, 2, 40))
    kept = weights > 0
    X_wild = np.where(kept[:, None], X, 1e6)
    settings = {"max_iter": 12, "batch_size": batch_size, "random_state": 0}
    with_zeros = HuberSGDRegressor(**settings).fit(X_wild, y, weights)
    without = HuberSGDRegressor(**settings).fit(X[kept], y[kept], weights[kept])
    np.testing.assert_array_equal(with_zeros.coef_, without.coef_)
    np.testing.assert_array_equal(with_zeros.risk_path_, without.risk_path_)


@pytest.mark.parametrize("weight", [1.0, 3, 0.1])
def test_equal_weights_are_none(weight, data):
    X, y = data
    plain = HuberSGDRegressor(max_iter=12, batch_size=0.5, random_state=0).fit(X, y)
    for given in (weight, np.full(40, weight), [weight] * 40):
        model = HuberSGDRegressor(max_iter=12, batch_size=0.5, random_state=0).fit(X, y, sample_weight=given)
        np.testing.assert_array_equal(model.coef_, plain.coef_)
        np.testing.assert_array_equal(model.risk_path_, plain.risk_path_)


@pytest.mark.parametrize("batch_size", [None, 0.5])
def test_only_ratios_of_weights_matter(batch_size, data, rng):
    X, y = data
    weights = rng.uniform(0.1, 2, 40)
    one, other = (
        HuberSGDRegressor(max_iter=12, batch_size=batch_size, random_state=0).fit(X, y, factor * weights)
        for factor in (1.0, 1e-3)
    )
    np.testing.assert_allclose(other.coef_, one.coef_, rtol=1e-9)
    np.testing.assert_allclose(other.risk_path_, one.risk_path_, rtol=1e-9)


def test_with_minibatches_a_weight_is_copies_in_the_mean(data, rng):
    """Which rows a batch holds differs, so coefficients agree on average over seeds only."""
    X, y = data
    weights = rng.integers(1, 4, 40)
    rows = np.repeat(np.arange(40), weights)
    settings = {"max_iter": 12, "batch_size": 0.5, "risk": None, "learning_rate": "constant", "eta0": 0.2}
    weighted, copied = (
        np.array([HuberSGDRegressor(random_state=k, **settings).fit(*given).coef_ for k in range(150)])
        for given in ((X, y, weights), (X[rows], y[rows]))
    )
    error = np.sqrt((weighted.var(axis=0) + copied.var(axis=0)) / 150)
    gap = np.abs(weighted.mean(axis=0) - copied.mean(axis=0))
    # A batch of rows with weights is normalised by its own sum, which costs a little bias.
    assert np.all(gap <= 5 * error + 0.02 * np.abs(copied.mean(axis=0)).max())


def test_the_risk_of_a_weighted_fit_tracks_the_truth():
    """Copies as rows bias the excess by its size; one row each, whatever the weight, does not."""
    ratios = []
    for seed in range(4):
        X, y, coef = make_robust_regression(800, 200, df=3.0, coef=True, random_state=seed)
        weights = np.random.default_rng(seed).integers(1, 4, 800)
        noise = y - X @ coef
        model = HuberSGDRegressor(max_iter=30, random_state=0).fit(X, y, weights)
        truth = np.sum((model.coef_ - coef) ** 2) + model.intercept_**2
        ratios.append((model.risk_path_[-1] - noise @ noise / 800) / truth)
    assert np.mean(ratios) == pytest.approx(1, abs=0.2)


def test_weighted_median_is_the_median_of_copies(rng):
    for _ in range(200):
        n = rng.integers(1, 9)
        values, weights = rng.integers(-3, 4, n) / 2.0, rng.integers(1, 4, n)
        copies = np.repeat(values, weights)
        for unit in (1.0, 0.1, 1e-7):  # sums of rounded weights still tie
            assert weighted_median(values, unit * weights) == np.median(copies)
            median = float(np.median(copies))
            assert mad_scale(values, median, unit * weights) == pytest.approx(mad_scale(copies, median))
