"""What the estimates are worth, at small size: they track the truth, and choose well.

Seeds are fixed. A draw of a thousand rows moves the estimated excess of a whole path by 15 to 20 %, so that
bands on means over six draws are 15 %, about two standard errors; benchmarks/ has it at the paper's size.
"""

from functools import lru_cache

import numpy as np
import pytest
from scipy.linalg import toeplitz
from sklearn.model_selection import GridSearchCV

from skmlogb.datasets import make_robust_regression
from skmlogb.robust import (
    L1,
    Huber,
    HuberSGDRegressor,
    NoSplit,
    PseudoHuber,
    PseudoHuberSGDRegressor,
    proximal_sgd,
    trajectory_risk,
    trajectory_risk_scorer,
)

SEEDS = range(6)


@lru_cache
def draw(n, p, seed, *settings):
    """Return X, y, the coefficients and the noise."""
    X, y, coef = make_robust_regression(n, p, coef=True, random_state=seed, **dict(settings))
    return X, y, coef, y - X @ coef - dict(settings).get("intercept", 0.0)


def paths(n, p, *settings, loss, penalty=None, batch=None, covariance=None, estimators=("out_of_batch",)):
    """Return the true risk and its estimates along a path, (seeds, estimators + 1, T), and ||noise||^2/n."""
    out = []
    for seed in SEEDS:
        X, y, coef, noise = draw(n, p, seed, *settings)
        rng = np.random.default_rng(seed)
        size = n if batch is None else int(batch * n)
        step = (1 + np.sqrt(p / size)) ** -2
        batches = None if batch is None else [rng.choice(n, size, replace=False) for _ in range(30)]
        path = proximal_sgd(X, y, loss=loss, penalty=penalty, step_sizes=[step] * 30, batches=batches)
        sigma = np.eye(p) if covariance is None else covariance
        H = path.coefs - coef
        truth = np.einsum("tp,tp->t", H @ sigma, H) + np.mean(noise**2)
        kwargs = {"covariance": sigma, "random_state": seed}
        out.append([truth, *(trajectory_risk(X, y, path, estimator=e, **kwargs).risk for e in estimators)])
    noise = np.array([np.mean(draw(n, p, seed, *settings)[3] ** 2) for seed in SEEDS])
    return np.array(out), noise


def assert_tracks(risks, noise, band=0.15):
    """Check that estimates are close along the path, right in the mean, and least where the truth is low."""
    truth = risks[:, 0]
    for estimate in np.moveaxis(risks[:, 1:], 1, 0):
        assert np.mean(np.abs(estimate - truth) / truth) < 0.05
        excess = truth - noise[:, None]
        signed = (estimate - truth).mean(axis=1) / excess.mean(axis=1)
        assert abs(signed.mean()) < band
        chosen = np.take_along_axis(truth, estimate.argmin(axis=1)[:, None], axis=1)[:, 0]
        assert np.mean(chosen / truth.min(axis=1)) < 1.015


@pytest.mark.parametrize("batch", [None, 0.2])
@pytest.mark.parametrize("loss", [Huber(1.0), PseudoHuber(1.0)])
def test_both_estimates_track_the_truth(loss, batch):
    estimators = ("out_of_batch", "known_covariance")
    assert_tracks(*paths(1000, 500, loss=loss, batch=batch, estimators=estimators))


@pytest.mark.parametrize("batch", [None, 0.2])
def test_with_a_penalty_and_more_features_than_rows(batch):
    assert_tracks(*paths(700, 840, loss=Huber(1.0), penalty=L1(0.02), batch=batch))


@pytest.mark.parametrize(
    ("settings", "covariance"),
    [
        ((("correlation", 0.5),), toeplitz(0.5 ** np.arange(400))),
        ((("features", "rademacher"),), None),
        ((("features", "t5"),), None),
    ],
)
def test_features_that_are_not_independent_gaussians(settings, covariance):
    risks, noise = paths(1000, 400, *settings, loss=Huber(1.0), covariance=covariance)
    assert_tracks(risks, noise, band=0.2)


def test_noise_without_a_mean_square():
    """t(1.5): the noise's mean square is nearly all of the risk; the choice is what counts."""
    (risks, _) = paths(1000, 400, ("df", 1.5), loss=Huber(1.0))
    truth, estimate = risks[:, 0], risks[:, 1]
    assert np.mean(np.abs(estimate - truth) / truth) < 0.05
    chosen = np.take_along_axis(truth, estimate.argmin(axis=1)[:, None], axis=1)[:, 0]
    assert np.mean(chosen / truth.min(axis=1)) < 1.01


@pytest.mark.parametrize("regressor", [HuberSGDRegressor, PseudoHuberSGDRegressor])
def test_an_intercept_does_no_harm(regressor):
    """Starting it at the median of y makes the start depend on the data, which the theory excludes."""
    gaps = []
    for seed in SEEDS:
        X, y, coef, noise = draw(1000, 400, seed)
        for intercept in (0.0, 1000.0):
            model = regressor(max_iter=30, fit_intercept=intercept > 0, random_state=seed).fit(
                X, y + intercept
            )
            excess = np.sum((model.coef_ - coef) ** 2) + (model.intercept_ - intercept) ** 2
            gaps.append((model.risk_path_[-1] - np.mean(noise**2)) / excess - 1)
    without, with_intercept = np.reshape(gaps, (-1, 2)).T
    assert np.abs(with_intercept - without).max() < 0.06
    assert abs(np.mean(with_intercept - without)) < 0.03


@pytest.mark.parametrize("noise_scale", [1.0, 3.0])
def test_early_stopping_beats_the_training_loss(noise_scale):
    """The training loss says: go on. The risk path stops within a tenth of the least excess."""
    stopped, last = [], []
    for seed in range(8):
        X, y, coef, _ = draw(500, 300, seed, ("noise_scale", noise_scale))

        def excess(model, coef=coef):
            return np.sum((model.coef_ - coef) ** 2) + model.intercept_**2

        model = HuberSGDRegressor(early_stopping=True, random_state=seed).fit(X, y)
        along = [
            excess(HuberSGDRegressor(max_iter=k, risk=None).fit(X, y))
            for k in (1, 2, 3, 4, 6, 8, 11, 15, 20, 40)
        ]
        stopped.append(excess(model) / min(along))
        full = HuberSGDRegressor(risk=None).fit(X, y)
        assert full.loss_path_.argmin() == 100
        last.append(excess(full) / min(along))
    assert np.mean(stopped) < 1.1
    assert np.mean(last) > 1.5


def test_the_in_batch_estimate_is_worse_with_small_batches():
    """Remark 3.8, and that A~ K~^-1 is the better order of its two matrices."""
    errors = {}
    for estimator in ("out_of_batch", "in_batch", "in_batch_right"):
        gaps = []
        for seed in SEEDS:
            X, y, coef, noise = draw(800, 200, seed)
            rng = np.random.default_rng(seed)
            batches = [rng.choice(800, 80, replace=False) for _ in range(19)]
            path = proximal_sgd(X, y, loss=Huber(1.0), step_sizes=[0.2] * 19, batches=batches)
            risk = trajectory_risk(X, y, path, estimator=estimator, n_probes=30, random_state=seed).risk
            excess = np.sum((path.coefs - coef) ** 2, axis=1)
            gaps.append(np.mean(np.abs(risk - excess - np.mean(noise**2))) / excess.mean())
        errors[estimator] = np.mean(gaps)
    assert errors["in_batch"] > 1.3 * errors["out_of_batch"]
    assert errors["in_batch"] > 1.2 * errors["in_batch_right"]


def test_a_search_without_a_split_chooses_as_well_as_five_folds():
    ratios = []
    for seed in range(4):
        X, y, coef, noise = draw(500, 300, seed)
        grid = {"alpha": [0.01, 0.03, 0.1, 0.3]}
        base = {"penalty": "l1", "max_iter": 50, "random_state": 0}
        by_risk = {"cv": NoSplit(), "scoring": trajectory_risk_scorer}
        without = GridSearchCV(HuberSGDRegressor(**base), grid, **by_risk)
        by_error = {"cv": 5, "scoring": "neg_mean_absolute_error"}
        folds = GridSearchCV(HuberSGDRegressor(risk=None, **base), grid, **by_error)
        excess = [
            np.sum((model.coef_ - coef) ** 2) + model.intercept_**2
            for model in (without.fit(X, y).best_estimator_, folds.fit(X, y).best_estimator_)
        ]
        ratios.append((excess[0] + np.mean(noise**2)) / (excess[1] + np.mean(noise**2)))
    assert np.mean(ratios) < 1.01
