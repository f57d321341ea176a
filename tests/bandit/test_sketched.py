"""The sketched Hessian: basis, compressions, scoring, storage."""

import copy
import pickle
import tracemalloc

import joblib
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.testing import assert_allclose
from scipy import sparse

from skmlogb.bandit.sketched import SketchedCurvature, _orthonormal_rows


def unit_rows(rng, n, d):
    X = rng.standard_normal((n, d))
    return X / np.linalg.norm(X, axis=1, keepdims=True)


def play(curvature, X, rng, *, eta=2.0, norm_bound=1.0):
    for x in X:
        curvature.learn(x, int(rng.integers(curvature.n_outcomes + 1)), eta=eta, norm_bound=norm_bound)
    return curvature


def dense_norms(curvature, X):
    """A(x) by its definition."""
    inverse = np.linalg.inv(curvature.to_dense())
    blocks = [np.kron(np.eye(curvature.n_outcomes), x) for x in X]
    return np.array([block @ inverse @ block.T for block in blocks])


@pytest.mark.parametrize(
    ("K", "d", "size", "buffer"), [(1, 9, 3, 0.0), (1, 9, 3, 1.0), (3, 5, 4, 0.5), (2, 3, 9, 1.0)]
)
@pytest.mark.parametrize(
    "make", [np.asarray, np.asfortranarray, np.float32, sparse.csr_matrix, sparse.csr_array]
)
def test_scores_by_definition(K, d, size, buffer, make, rng):
    curvature = SketchedCurvature(K, d, 0.5, size=size, buffer=buffer)
    play(curvature, unit_rows(rng, 60, d), rng)
    X = unit_rows(rng, 7, d).astype(np.float32).astype(float)
    X[2] = 0
    X[3] = np.eye(d)[1]
    logits, norms = curvature.score_parts(make(X))
    assert logits.dtype == norms.dtype == np.float64
    assert_allclose(logits, X @ curvature.coef.T, atol=1e-13)
    assert_allclose(norms, dense_norms(curvature, X), atol=1e-12)
    assert (norms[2] == 0).all()


def test_scores_of_known_directions_do_not_cancel(rng):
    """In the span of the sketch A(x) is of order 1 however tiny lambda: (18) would lose it all at 1e-14."""
    curvature = play(SketchedCurvature(1, 5, 1e-14, size=3), unit_rows(rng, 20, 2) @ np.eye(2, 5), rng)
    X = unit_rows(rng, 6, 2) @ np.eye(2, 5)
    C = curvature._Q.T @ curvature._hessian.C[:2, :2] @ curvature._Q
    desired = [x[:2] @ np.linalg.solve(C[:2, :2], x[:2]) for x in X]
    assert_allclose(curvature.score_parts(X)[1][:, 0, 0], desired, rtol=1e-10)


def test_sparse_actions_touch_only_their_columns(rng):
    d = 400
    curvature = play(SketchedCurvature(2, d, 1.0, size=3, buffer=1.0), unit_rows(rng, 12, d), rng)
    X = sparse.csr_array(rng.standard_normal((30, d)) * (rng.random((30, d)) < 0.005))
    for parts, desired in zip(curvature.score_parts(X), curvature.score_parts(X.toarray())):
        assert_allclose(parts, desired, atol=1e-14)


def test_duplicate_entries_of_sparse_actions_are_summed(rng):
    curvature = play(SketchedCurvature(1, 50, 1.0, size=3), unit_rows(rng, 12, 50), rng)
    X = sparse.csr_array((np.array([1.0, 2.0]), np.array([4, 4]), np.array([0, 2])), shape=(1, 50))
    assert_allclose(curvature.score_parts(X)[1], curvature.score_parts(X.toarray())[1], rtol=1e-12)


def test_compression_is_that_of_algorithm_1(rng):
    """Leading eigenvectors stay, the next eigenvalue is taken off and counted, W is untouched."""
    curvature = SketchedCurvature(1, 8, 1.0, size=3, buffer=1.0)
    play(curvature, unit_rows(rng, 6, 8), rng)
    assert (curvature.rank, curvature.error, curvature.rank_bound) == (6, 0.0, 6)
    before, W = curvature.to_dense(), curvature.coef
    values, vectors = np.linalg.eigh(before - np.eye(8))
    curvature._compress()
    kept = vectors[:, -3:]
    desired = np.eye(8) + (kept * (values[-3:] - values[-4])) @ kept.T
    assert_allclose(curvature.to_dense(), desired, atol=1e-14)
    assert curvature.error == pytest.approx(values[-4])
    assert (curvature.rank, curvature.rank_bound) == (3, 3)
    assert_allclose(curvature.coef, W, atol=1e-15)


@pytest.mark.parametrize(
    ("size", "buffer", "capacity"),
    [(4, 0.0, 4), (4, 0.4, 5), (4, 1.0, 8), (40, 1.0, 60), (4, 1.7e308, 60), (100, 0.0, 60)],
)
def test_capacity(size, buffer, capacity, rng):
    curvature = SketchedCurvature(3, 20, 1.0, size=size, buffer=buffer)
    assert curvature.size == min(size, 60)
    ranks = []
    for _ in range(30):
        play(curvature, unit_rows(rng, 1, 20), rng)
        ranks.append(curvature.rank)
    assert max(ranks) == capacity if capacity % 3 == 0 or capacity == 4 else max(ranks) <= capacity
    assert len(curvature._basis) <= capacity + 3
    assert len(curvature._point) <= capacity + 3


ACTIONS = {
    "sphere": lambda rng, d: rng.standard_normal(d),
    "nearly collinear": lambda rng, d: np.ones(d) + 10.0 ** rng.uniform(-12, 0) * rng.standard_normal(d),
    "nearly low rank": lambda rng, d: rng.standard_normal(2) @ np.eye(2, d) + 1e-9 * rng.standard_normal(d),
    "of any scale": lambda rng, d: 10.0 ** rng.uniform(-9, 3) * rng.standard_normal(d),
    "one-hot": lambda rng, d: np.eye(d)[rng.integers(d)],
    "repeated or zero": lambda rng, d: np.ones(d) * rng.integers(2),
}


@pytest.mark.parametrize("kind", ACTIONS)
@pytest.mark.parametrize(("K", "size", "buffer"), [(1, 4, 0.0), (1, 5, 1.0), (3, 6, 1.0), (2, 100, 0.0)])
def test_basis_stays_orthonormal_and_holds_the_actions(kind, K, size, buffer, rng):
    curvature = SketchedCurvature(K, 12, 10.0, size=size, buffer=buffer)
    for _ in range(150):
        x = ACTIONS[kind](rng, 12)
        A, _ = curvature._open(x)
        A = A.reshape(len(curvature._point), K)[: curvature.rank]
        assert_allclose(curvature._Q.T @ A, np.kron(np.eye(K), x[:, None]), atol=1e-9 * np.linalg.norm(x))
        play(curvature, [x], rng)
    assert curvature.orthonormality_error() < 1e-13


@settings(max_examples=200, deadline=None)
@given(
    st.integers(1, 4),
    st.lists(st.floats(-17, 0), min_size=4, max_size=4),
    st.integers(0, 4),
    st.integers(0, 2**32 - 1),
)
def test_orthonormal_rows(n_rows, log_scales, rank, seed):
    """Rows of any scales and any rank: orthonormal, and together with T the matrix again."""
    rng = np.random.default_rng(seed)
    rank = min(rank, n_rows)
    matrix = rng.standard_normal((n_rows, rank)) @ rng.standard_normal((rank, 7))
    matrix *= 10.0 ** np.array(log_scales[:n_rows])[:, None]
    rows, triangle, least = _orthonormal_rows(matrix.copy(), 1e-10)
    assert_allclose(rows @ rows.T, np.eye(len(rows)), atol=1e-14)
    assert_allclose(triangle.T @ rows, matrix, atol=1e-9)
    assert len(rows) <= rank
    assert (least > 0) == (len(rows) == n_rows)


def test_a_nearly_dependent_block_of_actions(rng):
    """One of the K rows that an action adds is almost in the span already, the other is not."""
    curvature = play(SketchedCurvature(2, 2, 1e-6, size=3), unit_rows(rng, 20, 2), rng)
    row = np.linalg.svd(curvature._Q)[2][3]  # the one direction that is missing
    for tilt in (1e-6, 1e-8, 1e-12):
        rotation = np.array([[-row[1], row[0]], [row[0], row[1]]]) / np.hypot(row[0], row[1])
        x = rotation.T @ np.array([1.0, tilt])
        fresh = copy.deepcopy(curvature)
        A, _ = fresh._open(x)
        assert_allclose(fresh._Q.T @ A[: fresh.rank], np.kron(np.eye(2), x[:, None]), atol=1e-13)


def test_long_runs_without_a_compression_stay_exact(rng):
    """M is kept by updates; it must stay the inverse of lambda I + C over many rounds."""
    curvature = SketchedCurvature(2, 3, 1e-3, size=6)
    play(curvature, unit_rows(rng, 2500, 3), rng)
    hessian = curvature._hessian
    assert_allclose(hessian.M @ (hessian.C + 1e-3 * np.eye(6)), np.eye(6), atol=1e-10)
    assert curvature.orthonormality_error() < 1e-14


def test_many_compressions_lose_no_orthonormality(rng):
    curvature = play(SketchedCurvature(2, 6, 5.0, size=3), unit_rows(rng, 3000, 6), rng)
    assert curvature.orthonormality_error() < 1e-13


def test_memory_is_bounded(rng):
    """At most 1.3 (2 m + K) K d numbers, for a problem where they matter; nothing of that size a round."""
    K, d, m = 2, 30_000, 6
    X = unit_rows(rng, 24, d)
    tracemalloc.start()
    curvature = play(SketchedCurvature(K, d, 50.0, size=m, buffer=1.0), X, rng)
    assert curvature.error > 0
    _, peak = tracemalloc.get_traced_memory()
    assert peak < 1.3 * (2 * m + K) * K * d * 8
    tracemalloc.reset_peak()
    before, _ = tracemalloc.get_traced_memory()
    play(curvature, X, rng)
    after, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert after - before < 10_000
    assert peak - before < 0.3 * (2 * m + K) * K * d * 8


def same_state(one, other):
    return all(
        np.array_equal(a, b)
        for a, b in [
            (one.coef, other.coef),
            (one.to_dense(), other.to_dense()),
            (one._hessian.M, other._hessian.M),
            (one.error, other.error),
        ]
    )


@pytest.mark.parametrize("n_rounds", [0, 7, 60])
def test_copies_resume_bit_identically(n_rounds, rng, tmp_path):
    curvature = play(SketchedCurvature(2, 9, 1.0, size=4, buffer=1.0), unit_rows(rng, n_rounds, 9), rng)
    joblib.dump(curvature, tmp_path / "curvature")
    copies = [
        pickle.loads(pickle.dumps(curvature)),
        copy.deepcopy(curvature),
        joblib.load(tmp_path / "curvature", mmap_mode="r"),
    ]
    assert pickle.dumps(copies[0]) == pickle.dumps(pickle.loads(pickle.dumps(curvature)))
    X, seed = unit_rows(rng, 40, 9), rng.integers(2**32)
    play(curvature, X, np.random.default_rng(seed))
    for each in copies:
        assert not same_state(each, curvature)
        assert same_state(play(each, X, np.random.default_rng(seed)), curvature)


@pytest.mark.parametrize("K", [1, 2, 4])
@pytest.mark.parametrize("reg_lambda", [1e-6, 1.0, 1e6])
@pytest.mark.parametrize("norm_bound", [0.3, 3.0, 1e3])
def test_the_length_of_a_step(K, reg_lambda, norm_bound, rng):
    """The two sums of (36), with and without an active projection, even where Z is ill-conditioned."""
    curvature = SketchedCurvature(K, 6, reg_lambda, size=3)
    for x in 30 * rng.standard_normal((40, 6)):
        Z, W = curvature.to_dense(), curvature.coef.ravel()
        moved, travelled = curvature.learn(x, int(rng.integers(K + 1)), eta=3.0, norm_bound=norm_bound)
        step = curvature.coef.ravel() - W
        unknown = 1e-15 * np.linalg.norm(W)  # of the step, as a difference of rounded W
        rounding = 10 * unknown * (np.linalg.norm(step) + unknown)
        rel = max(1e-8, 1e-12 / reg_lambda)  # a Newton step knows Z^-1 to the condition of Z
        assert moved == pytest.approx(((step.reshape(K, 6) @ x) ** 2).sum(), rel=rel, abs=rounding * (x @ x))
        assert travelled == pytest.approx(step @ Z @ step, rel=rel, abs=rounding * np.linalg.norm(Z, 2))
