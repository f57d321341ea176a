"""The largest curvature against dense eigenvalues, and the rules for the steps."""

from itertools import islice

import numpy as np
import pytest
from scipy.sparse import csr_array

from skmlogb.robust import MCP
from skmlogb.robust.design import Design
from skmlogb.robust.step_sizes import check_step_size, iterate_step_sizes, largest_curvature


def eigenvalue(X, weight):
    return np.linalg.eigvalsh(X.T @ (weight[:, None] * X) / weight.sum()).max()


def data(rng, n=60, p=8):
    """Columns of unequal scale: a wide gap after the first eigenvalue, which 20 iterations resolve."""
    return rng.standard_normal((n, p)) * np.geomspace(4, 1, p) + 3


@pytest.mark.parametrize("sparse", [False, True])
def test_largest_curvature_is_the_top_eigenvalue(sparse, rng):
    X = data(rng)
    offset, weight = X.mean(axis=0), rng.uniform(0, 2, 60)
    design = Design(csr_array(X) if sparse else X, offset=offset)
    assert largest_curvature(design, None, None, rng) == pytest.approx(
        eigenvalue(X - offset, np.ones(60)), rel=0.01
    )
    assert largest_curvature(design, None, weight, rng) == pytest.approx(
        eigenvalue(X - offset, weight), rel=0.01
    )


def test_largest_curvature_over_the_first_five_batches(rng):
    X = data(rng)
    batches = [rng.choice(60, 15, replace=False) for _ in range(6)]
    weight = rng.uniform(0.5, 2, 60)
    expected = max(eigenvalue(X[rows], weight[rows]) for rows in batches[:5])
    assert largest_curvature(Design(X), iter(batches), weight, rng) == pytest.approx(expected, rel=0.02)
    late = np.setdiff1d(np.arange(60), np.concatenate(batches[:5]))[0]
    X[late] *= 100  # a batch that draws it is at least so steep
    squares = weight / (weight + 14 * weight.mean()) * (X**2).sum(axis=1)
    assert largest_curvature(Design(X), iter(batches), weight, rng) == pytest.approx(squares[late])
    assert largest_curvature(Design(X), iter(batches), None, rng) == pytest.approx((X[late] ** 2).sum() / 15)
    pulled = iter(batches)
    largest_curvature(Design(X), pulled, None, rng)
    assert len(list(pulled)) == 1  # no batch is drawn in vain


def test_weights_are_copies(rng):
    X, counts = data(rng), rng.integers(0, 4, 60)
    copies = np.repeat(X, counts, axis=0)
    weighted = largest_curvature(Design(X), None, counts.astype(float), np.random.default_rng(0))
    assert weighted == pytest.approx(largest_curvature(Design(copies), None, None, np.random.default_rng(0)))


def test_no_curvature():
    rng = np.random.default_rng(0)
    assert largest_curvature(Design(np.zeros((4, 2))), None, None, rng) == 0
    assert largest_curvature(Design(np.ones((4, 2))), None, np.zeros(4), rng) == 0
    assert next(iterate_step_sizes("auto", curvature=0.0)) == 0


def test_rules():
    def first(*args, **kwargs):
        return list(islice(iterate_step_sizes(*args, **kwargs), 3))

    assert first("auto", eta0=0.5, curvature=4.0) == [0.125] * 3
    assert first("auto", eta0=1.0, curvature=0.1, max_step=3.0) == [0.9 * 3.0] * 3
    assert first("constant", eta0=0.3) == [0.3] * 3
    np.testing.assert_allclose(first("invscaling", eta0=0.3, power_t=0.5), 0.3 / np.sqrt([1, 2, 3]))
    np.testing.assert_allclose(first("invscaling", power_t=0.5, first=7), 1 / np.sqrt([7, 8, 9]))
    assert first([0.1, 0.0]) == [0.1, 0.0]
    assert first(np.array([1, 2, 3, 4]), first=2) == [2.0, 3.0, 4.0]
    assert first(lambda t: 1 / t) == [1.0, 1 / 2, 1 / 3]


@pytest.mark.parametrize(
    ("step", "error", "message"),
    [
        (-0.1, ValueError, "step size at t=3 must be a number >= 0"),
        (np.nan, ValueError, "step size at t=3"),
        (np.inf, ValueError, "step size at t=3"),
        ("0.1", TypeError, "step size at t=3"),
        (3.0, ValueError, r"3\.0 at t=3 is not below 3\.0"),
    ],
)
def test_bad_steps(step, error, message):
    with pytest.raises(error, match=message):
        check_step_size(step, 3, MCP(1.0, 3.0).max_step())
    with pytest.raises(error, match=message):
        list(iterate_step_sizes([0.1, 0.1, step], max_step=3.0))


def test_unknown_rule():
    with pytest.raises(ValueError, match="got 'fast'"):
        iterate_step_sizes("fast")
