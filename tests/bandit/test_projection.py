"""Lemma 2: the point of a ball nearest to W' in the norm of Z~."""

from unittest import mock

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.testing import assert_allclose
from scipy.optimize import brentq

from skmlogb.bandit.projection import _by_eigenvalues, project_onto_ball


def project(point, rest, bound, reg_lambda, C):
    Z = C + reg_lambda * np.eye(len(point))
    return project_onto_ball(
        point,
        rest,
        bound,
        reg_lambda=reg_lambda,
        inverse=lambda v: np.linalg.solve(Z, v),
        hessian=lambda: Z,
    )


def literal_projection(point, rest, bound, reg_lambda, C):
    """(23) to (25) with an eigendecomposition and Brent's method."""
    mu, V = np.linalg.eigh(C)
    mu, coordinates = np.maximum(mu, 0), V.T @ point

    def excess(nu):
        inside = (coordinates * (mu + reg_lambda) / (mu + reg_lambda + nu)) ** 2
        return np.sqrt(inside.sum() + rest * (reg_lambda / (reg_lambda + nu)) ** 2) / bound - 1

    upper = (mu.max() + reg_lambda) * np.sqrt(point @ point + rest) / bound
    nu = brentq(excess, 0, upper, xtol=1e-300, rtol=1e-15, maxiter=500)
    return V @ (coordinates * (mu + reg_lambda) / (mu + reg_lambda + nu)), reg_lambda / (reg_lambda + nu)


# how far outside the ball: from rounding to very far; the series serves the near points, factors the others
@pytest.mark.parametrize("excess", [1e-15, 1e-9, 1e-3, 0.05, 0.3, 2.0, 1e3])
@pytest.mark.parametrize("reg_lambda", [1e-4, 1.0, 1e4])
@pytest.mark.parametrize(("r", "rank"), [(1, 1), (4, 2), (9, 9)])
@pytest.mark.parametrize("has_rest", [True, False])
def test_against_the_eigendecomposition(excess, reg_lambda, r, rank, has_rest, rng):
    root = rng.standard_normal((rank, r))
    C, point = root.T @ root, rng.standard_normal(r)
    rest = 0.7 if has_rest else 0.0
    bound = np.sqrt(point @ point + rest) / (1 + excess)
    result, shrink = project(point, rest, bound, reg_lambda, C)
    assert np.sqrt(result @ result + rest * shrink**2) == pytest.approx(bound, rel=1e-12)
    desired, desired_shrink = literal_projection(point, rest, bound, reg_lambda, C)
    assert_allclose(result, desired, rtol=0, atol=1e-10 * bound)
    assert shrink == pytest.approx(desired_shrink, rel=1e-8)


@settings(max_examples=100, deadline=None)
@given(
    st.integers(1, 6),
    st.floats(-9, 3),
    st.floats(-6, 4),
    st.integers(0, 2**32 - 1),
)
def test_optimality(r, log_lambda, log_excess, seed):
    """The result has length S, and Z~ (W' - W) is a positive multiple of W."""
    rng = np.random.default_rng(seed)
    scales = 10.0 ** rng.uniform(-3, 3, r)
    Q, _ = np.linalg.qr(rng.standard_normal((r, r)))
    C, reg_lambda = (Q * scales) @ Q.T, 10.0**log_lambda
    point = rng.standard_normal(r)
    bound = np.linalg.norm(point) / (1 + 10.0**log_excess)
    result, shrink = project(point, 0.0, bound, reg_lambda, C)
    assert np.linalg.norm(result) == pytest.approx(bound, rel=1e-9)
    nu = reg_lambda * (1 / shrink - 1)
    residual = (C + (reg_lambda + nu) * np.eye(r)) @ (point - result) - nu * point
    assert_allclose(residual, 0, atol=1e-9 * (scales.max() + reg_lambda + nu) * np.linalg.norm(point))


@pytest.mark.parametrize("excess", [1e-15, 1e-13, 1e-3, 1.0, 1e5])
@pytest.mark.parametrize("reg_lambda", [1e-4, 1.0])
@pytest.mark.parametrize("rest", [0.0, 0.7])
def test_the_form_by_eigenvalues(excess, reg_lambda, rest, rng):
    root, point = rng.standard_normal((2, 5)), rng.standard_normal(5)
    bound = np.sqrt(point @ point + rest) / (1 + excess)
    Z = root.T @ root + reg_lambda * np.eye(5)
    result, shrink = _by_eigenvalues(point, rest, bound, reg_lambda, Z)
    desired, desired_shrink = literal_projection(point, rest, bound, reg_lambda, root.T @ root)
    assert_allclose(result, desired, rtol=0, atol=1e-10 * bound)
    assert shrink == pytest.approx(desired_shrink, rel=1e-8)


@pytest.mark.parametrize("length", [3.5e16, -4.9e16])
@pytest.mark.parametrize("reg_lambda", [1e-12, 1e-14])
def test_a_point_that_cancels_altogether(length, reg_lambda):
    """All of w' lies where Z~ is lambda, so far out that w' - nu (Z~ + nu I)^-1 w' has no digit left."""
    C = np.zeros((3, 3))
    C[:2, :2] = [[51705.5, 4912.0], [4912.0, 4684.0]]
    point = np.array([1.0, -7.0, length])
    with mock.patch("skmlogb.bandit.projection._by_eigenvalues", side_effect=_by_eigenvalues) as used:
        result, shrink = project(point, 0.0, 1.0, reg_lambda, C)
    assert used.called
    desired, desired_shrink = literal_projection(point, 0.0, 1.0, reg_lambda, C)
    assert_allclose(result, desired, rtol=1e-9)
    assert shrink == pytest.approx(desired_shrink, rel=1e-9)


@pytest.mark.parametrize("slope", [1e-148, 1e-100, 1e-40])
def test_a_start_far_beyond_the_root(slope):
    """An inverse that is all rounding asks for a nu from which no bisection would return."""
    C = np.zeros((4, 4))
    C[:2, :2] = 1e32 * np.array([[3.6, -1.2], [-1.2, 3.6]])
    C[2:, 2:] = [[0.9, -0.3], [-0.3, 0.9]]
    point = np.array([-4.0, -4.0, 1e-74, 2e-74])
    result, shrink = project_onto_ball(
        point, 0.0, 1e-20, reg_lambda=0.3, inverse=lambda v: slope * v, hessian=lambda: C + 0.3 * np.eye(4)
    )
    desired, desired_shrink = literal_projection(point, 0.0, 1e-20, 0.3, C)
    assert_allclose(result, desired, rtol=1e-9, atol=1e-40)
    assert shrink == pytest.approx(desired_shrink, rel=1e-9)


def test_a_hessian_indefinite_by_rounding():
    """A C that lost positive definiteness to rounding is taken as if it had been raised by as much."""
    C = np.array([[1.0, 1.0], [1.0, 1.0 - 3e-16]]) * 1e8
    assert np.linalg.eigvalsh(C)[0] < -1e-9
    for inverse in (lambda v: v * 1e-9, lambda v: -v):  # too small: begins beyond the root; or nonsense
        result, _ = project_onto_ball(
            np.array([3.0, -2.0]), 0.0, 1.0, reg_lambda=1e-12, inverse=inverse, hessian=lambda: C
        )
        assert np.linalg.norm(result) == pytest.approx(1, rel=1e-6)


@pytest.mark.parametrize("bound", [1e-3, 1e-6, 1e-9, 1e-12])
def test_digits_far_outside_the_ball(bound, rng):
    """However far the point is from the ball, the result keeps its digits."""
    root = rng.standard_normal((5, 5))
    C, point = root.T @ root, rng.standard_normal(5)
    result, shrink = project(point, 0.3, bound, 1.0, C)
    desired, desired_shrink = literal_projection(point, 0.3, bound, 1.0, C)
    assert_allclose(result, desired, rtol=1e-10)
    assert shrink == pytest.approx(desired_shrink, rel=1e-12)
