"""The full Hessian, its inverse, and the contract that both curvature models keep."""

import pickle

import numpy as np
import pytest
from numpy.testing import assert_allclose
from scipy import sparse

from skmlogb.bandit.dense import DenseCurvature
from skmlogb.bandit.hessian import InvertedHessian, cholesky
from skmlogb.bandit.outcome_model import MultinomialAlgebra
from skmlogb.bandit.sketched import SketchedCurvature


def play(curvature, rng, n_rounds=50, *, scale=1.0):
    for _ in range(n_rounds):
        x = scale * rng.standard_normal(curvature.n_features)
        curvature.learn(x, int(rng.integers(curvature.n_outcomes + 1)), eta=1.0, norm_bound=1.0)
    return curvature


@pytest.mark.parametrize(("K", "d"), [(1, 6), (2, 4), (4, 3)])
@pytest.mark.parametrize("make", [np.asarray, np.asfortranarray, np.float32, sparse.csr_array])
def test_scores_by_definition(K, d, make, rng):
    curvature = play(DenseCurvature(K, d, 0.3), rng)
    X = rng.standard_normal((5, d)).astype(np.float32).astype(float)
    X[1] = 0
    logits, norms = curvature.score_parts(make(X))
    assert_allclose(logits, X @ curvature.coef.T, atol=1e-13)
    inverse = np.linalg.inv(curvature.to_dense())
    blocks = [np.kron(np.eye(K), x) for x in X]
    assert_allclose(norms, [block @ inverse @ block.T for block in blocks], atol=1e-12)


def test_the_inverse_stays_the_inverse(rng):
    curvature = play(DenseCurvature(2, 4, 1e-3), rng, 2500)
    assert_allclose(curvature._hessian.M @ curvature.to_dense(), np.eye(8), atol=1e-9)


@pytest.mark.parametrize("make", [DenseCurvature, lambda *a: SketchedCurvature(*a, size=100)])
def test_contract_of_a_curvature(make, rng):
    curvature = make(2, 3, 0.5)
    assert_allclose(curvature.to_dense(), 0.5 * np.eye(6))
    assert_allclose(curvature.coef, np.zeros((2, 3)))
    assert (curvature.error, curvature.rank_bound) == (0.0, 6)
    X = rng.standard_normal((4, 3))
    logits, norms = curvature.score_parts(X)
    assert_allclose(logits, 0)
    assert_allclose(norms, (X**2).sum(axis=1)[:, None, None] / 0.5 * np.eye(2))
    W = curvature.coef
    W[:] = 7  # a copy
    assert_allclose(curvature.coef, 0)
    assert curvature.chunk_rows(X, budget=10) == 1
    assert curvature.chunk_rows(sparse.csr_array(X), budget=10**6) > 1000


@pytest.mark.parametrize("K", [1, 3])
def test_inverted_hessian_updates(K, rng):
    hessian = InvertedHessian(5, reg_lambda=0.1)
    C = np.zeros((5, 5))
    for scale in (1e-3, 1.0, 30.0, 1e4):  # the last is steep: the inverse is found afresh
        A = scale * rng.standard_normal((5, K))
        U = hessian.M @ A
        factor = np.tril(rng.random((K, K)))
        arguments = (A, U, factor, *MultinomialAlgebra.downdate(factor, A.T @ U))
        hessian.add(*arguments)
        C = C + A @ factor @ factor.T @ A.T
        assert_allclose(hessian.C, C, rtol=1e-13)
        assert_allclose(hessian.M @ (C + 0.1 * np.eye(5)), np.eye(5), atol=1e-6)
        assert_allclose(hessian.M, hessian.M.T, atol=0)


@pytest.mark.parametrize("K", [1, 3, 40])
def test_what_waits_is_not_lost(K, rng):
    """C is asked for only after many updates, with growth, a pickle and a reset on the way."""
    hessian, C = InvertedHessian(4, reg_lambda=1.0), np.zeros((6, 6))

    def add_some(n_rows):
        for _ in range(50):
            A, factor = rng.standard_normal((n_rows, K)), np.eye(K)
            U = hessian.M @ A
            hessian.add(A, U, factor, *MultinomialAlgebra.downdate(factor, A.T @ U))
            C[:n_rows, :n_rows] += A @ A.T

    add_some(4)
    hessian.grow(6)
    add_some(6)
    hessian = pickle.loads(pickle.dumps(hessian))
    add_some(6)
    assert_allclose(hessian.C, C, rtol=1e-12, atol=1e-10)
    add_some(6)
    hessian.reset(np.arange(6.0))
    assert_allclose(hessian.C, np.diag(np.arange(6.0)), atol=0)


def test_inverted_hessian_grows_and_resets():
    hessian = InvertedHessian(2, reg_lambda=0.5)
    hessian.reset(np.array([3.0, 1.0]))
    hessian.grow(4)
    assert_allclose(hessian.C, np.diag([3.0, 1.0, 0, 0]))
    assert_allclose(hessian.M, np.diag([1 / 3.5, 1 / 1.5, 2, 2]))
    hessian.reset(np.array([7.0]))
    assert_allclose(hessian.M, np.diag([1 / 7.5, 2, 2, 2]))


def test_cholesky_of_what_rounding_made_indefinite(rng):
    factor, raised = cholesky(np.diag([4.0, 1.0]), 5.0)
    assert (factor.diagonal().tolist(), raised) == ([3.0, np.sqrt(6.0)], 0.0)
    root = rng.standard_normal((2, 6))
    matrix = root.T @ root - 1e-15 * np.eye(6)
    factor, raised = cholesky(matrix, 1e-16)
    assert 0 < raised < 1e-13
    lower = np.tril(factor)
    assert_allclose(lower @ lower.T, matrix, atol=1e-13)
