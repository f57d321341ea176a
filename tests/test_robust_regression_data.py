"""make_robust_regression: the model it claims to make."""

import numpy as np
import pytest

from skmlogb.datasets import make_robust_regression


def test_the_target_is_the_linear_model_with_this_intercept():
    X, y, coef = make_robust_regression(300, 40, intercept=7.0, noise_scale=0.0, coef=True, random_state=0)
    np.testing.assert_allclose(y, 7.0 + X @ coef)
    assert np.count_nonzero(coef) == 2
    assert coef @ coef == pytest.approx(10.0)


@pytest.mark.parametrize("correlation", [0.0, 0.5, -0.3])
@pytest.mark.parametrize("features", ["gaussian", "rademacher", "t5", "elliptical"])
def test_columns_have_the_promised_covariance(features, correlation, seed):
    X, _ = make_robust_regression(20000, 4, features=features, correlation=correlation, random_state=seed)
    expected = correlation ** np.abs(np.subtract.outer(np.arange(4), np.arange(4)))
    np.testing.assert_allclose(X.T @ X / len(X), expected, atol=0.09)
    np.testing.assert_allclose(X.mean(axis=0), 0, atol=0.05)


def test_the_noise_has_the_promised_tails(seed):
    X, y, coef = make_robust_regression(50000, 2, df=2.0, noise_scale=3.0, coef=True, random_state=seed)
    noise = (y - X @ coef) / 3.0
    # Student's t with 2 degrees of freedom: P(|T| > u) = 1 - u / sqrt(2 + u^2)
    for u in (1.0, 5.0, 20.0):
        exact = 1 - u / np.sqrt(2 + u**2)
        assert np.mean(np.abs(noise) > u) == pytest.approx(exact, abs=5 * np.sqrt(exact / 50000))


def test_seeds():
    first, again = (make_robust_regression(20, 5, random_state=1)[1] for _ in range(2))
    np.testing.assert_array_equal(first, again)
    assert not np.array_equal(first, make_robust_regression(20, 5, random_state=2)[1])


@pytest.mark.parametrize(
    ("argument", "value"),
    [
        ("n_samples", 0),
        ("n_informative", 6),
        ("features", "cauchy"),
        ("correlation", 1.0),
        ("noise", "laplace"),
    ],
)
def test_bad_arguments_are_named(argument, value):
    with pytest.raises(ValueError, match=argument):
        make_robust_regression(**{"n_samples": 10, "n_features": 5, argument: value})


def test_targets_that_overflow():
    with pytest.raises(ValueError, match=r"y overflows with .*noise_scale=1.7e[+]308"):
        make_robust_regression(20, 5, noise_scale=1.7e308, random_state=0)
