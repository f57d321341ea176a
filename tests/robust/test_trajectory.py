"""The recursion against a plain loop, and what it refuses."""

import pickle

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from scipy.sparse import csr_array

from skmlogb.robust import L1, MCP, SCAD, Huber, PseudoHuber, Trajectory, proximal_sgd
from skmlogb.robust.design import Design
from skmlogb.robust.trajectory import descend

LOSS = Huber(0.8)


@pytest.fixture
def data(rng):
    X = rng.standard_normal((30, 5))
    return X, X @ rng.standard_normal(5) + rng.standard_t(2, 30)


def plain_loop(X, y, steps, batches, penalty=None, start=0.0):
    coefs = [np.full(X.shape[1], start)]
    for step, rows in zip(steps, batches):
        residuals = y[rows] - X[rows] @ coefs[-1]
        v = coefs[-1] + step / len(rows) * X[rows].T @ np.clip(residuals, -0.8, 0.8)
        coefs.append(v if penalty is None else np.sign(v) * np.maximum(np.abs(v) - step * penalty.alpha, 0))
    return np.array(coefs)


@pytest.mark.parametrize("penalty", [None, L1(0.1)])
@pytest.mark.parametrize("steps", [[0.3] * 6, [1.0, 0.0] * 3, [1.0, 0.5] * 3])
def test_iterates(penalty, steps, data, rng):
    X, y = data
    batches = [rng.choice(30, 7, replace=False) for _ in steps]
    path = proximal_sgd(X, y, loss=LOSS, penalty=penalty, step_sizes=steps, batches=batches)
    assert_allclose(path.coefs, plain_loop(X, y, steps, batches, penalty), atol=1e-13)
    everything = [np.arange(30)] * 6
    full = proximal_sgd(X, y, loss=LOSS, penalty=penalty, step_sizes=steps)
    assert full.batches is None
    assert_allclose(full.coefs, plain_loop(X, y, steps, everything, penalty), atol=1e-13)
    from_one = proximal_sgd(X, y, loss=LOSS, penalty=penalty, step_sizes=steps, coef_init=np.ones(5))
    assert_allclose(from_one.coefs, plain_loop(X, y, steps, everything, penalty, 1.0), atol=1e-13)


def test_sparse_and_fortran_order_equal_dense(data):
    X, y = data
    X[np.abs(X) < 0.5] = 0
    dense = proximal_sgd(X, y, loss=LOSS, step_sizes=[0.3] * 5).coefs
    assert_allclose(proximal_sgd(csr_array(X), y, loss=LOSS, step_sizes=[0.3] * 5).coefs, dense, atol=1e-14)
    fortran = proximal_sgd(np.asfortranarray(X), y, loss=LOSS, step_sizes=[0.3] * 5)
    assert_allclose(fortran.coefs, dense, atol=1e-14)


def test_single_precision_is_kept(data):
    X, y = data
    double = proximal_sgd(X, y, loss=PseudoHuber(), penalty=L1(0.1), step_sizes=[0.3] * 5)
    single = proximal_sgd(X.astype(np.float32), y, loss=PseudoHuber(), penalty=L1(0.1), step_sizes=[0.3] * 5)
    assert single.coefs.dtype == np.float32
    assert_allclose(single.coefs, double.coefs, atol=1e-5)


def test_a_longer_run_begins_with_the_shorter(data, rng):
    X, y = data
    batches = [rng.choice(30, 9, replace=False) for _ in range(8)]
    longer = proximal_sgd(X, y, loss=LOSS, step_sizes=[0.3] * 8, batches=batches)
    shorter = proximal_sgd(X, y, loss=LOSS, step_sizes=[0.3] * 5, batches=batches[:5])
    assert_array_equal(longer.coefs[:6], shorter.coefs)


def test_no_step_and_no_rows_stay_put(data):
    X, y = data
    path = proximal_sgd(X, y, loss=LOSS, penalty=L1(1e-9), step_sizes=[0.5, 0, 0.5], batches=[[1], [2], []])
    assert path.coefs[1].any()
    assert_array_equal(path.coefs[2], path.coefs[1])
    assert_array_equal(path.coefs[3], path.coefs[1])
    assert len(proximal_sgd(X, y, loss=LOSS, step_sizes=[]).coefs) == 1


def test_weights_are_copies(data, rng):
    X, y = data
    counts = rng.integers(0, 3, 30)
    shared = {"loss": LOSS, "penalty": L1(0.1), "step_sizes": [0.4] * 5, "coef_init": np.zeros(5)}
    weighted = descend(Design(X), y, sample_weight=counts.astype(float), **shared)
    copied = descend(Design(np.repeat(X, counts, axis=0)), np.repeat(y, counts), **shared)
    for (one, _, _), (other, _, _) in zip(weighted, copied, strict=True):
        assert_allclose(one, other, atol=1e-14)
    # a batch, and its copies, without the rows of weight 0
    rows = rng.choice(30, 12, replace=False)
    one = next(descend(Design(X), y, sample_weight=counts.astype(float), batches=[rows], **shared))[0]
    other = next(descend(Design(X), y, batches=[np.repeat(rows, counts[rows])], **shared))[0]
    assert_allclose(one, other, atol=1e-14)
    idle = next(descend(Design(X), y, sample_weight=np.zeros(30), **shared))[0]
    assert not idle.any()


def test_descend_yields_what_it_used_and_reads_no_further(data):
    X, y = data
    steps, batches = iter([0.1, 0.2, 0.3]), iter([np.array([0]), None, np.array([2])])
    path = descend(Design(X), y, loss=LOSS, step_sizes=steps, batches=batches, coef_init=np.zeros(5))
    coef, step, batch = next(path)
    assert (step, batch) == (0.1, [0])
    kept = coef.copy()
    assert next(path)[1:] == (0.2, None)
    assert_array_equal(coef, kept)
    assert next(steps) == 0.3


def test_a_huge_design_overflows_with_a_clear_error():
    X = np.full((3, 2), 1e200)
    with pytest.raises(ValueError, match=r"overflowed at t=1 with step size 1e\+150"):
        proximal_sgd(X, np.ones(3), loss=LOSS, step_sizes=[1e150] * 3)


@pytest.mark.parametrize(
    ("changes", "error", "message"),
    [
        ({"X": [[np.nan] * 5] * 30}, ValueError, "X contains NaN"),
        ({"y": np.ones(29)}, ValueError, "inconsistent numbers of samples"),
        ({"loss": "huber"}, TypeError, "loss must be an object with the methods"),
        ({"loss": Huber}, TypeError, "is a class"),
        ({"penalty": "l1"}, TypeError, "penalty must be an object with the methods"),
        ({"step_sizes": [-1.0]}, ValueError, "step size at t=1 must be a number >= 0"),
        ({"step_sizes": [0.1, np.inf]}, ValueError, "step size at t=2"),
        ({"penalty": MCP(1.0, 2.0), "step_sizes": [2.0]}, ValueError, r"2\.0 at t=1 is not below 2\.0"),
        ({"penalty": SCAD(1.0, 3.0), "step_sizes": [2.5]}, ValueError, r"2\.5 at t=1 is not below 2\.0"),
        ({"batches": [[0], [1]]}, ValueError, "one batch for each step size, 1; got 2"),
        ({"batches": [[30]]}, ValueError, "below 30.*t=1 holds 30"),
        ({"batches": [[-1]]}, ValueError, ">= 0; that of t=1 holds -1"),
        ({"batches": [[0.5]]}, TypeError, "1-d arrays of row numbers"),
        ({"batches": [np.ones(30, bool)]}, TypeError, "1-d arrays of row numbers"),
        ({"coef_init": np.zeros(4)}, ValueError, r"coef_init must have shape \(5,\)"),
        ({"coef_init": [np.inf] * 5}, ValueError, "coef_init"),
    ],
)
def test_bad_arguments(changes, error, message, data):
    X, y = data
    arguments = {"X": X, "y": y, "loss": LOSS, "step_sizes": [0.1], **changes}
    with pytest.raises(error, match=message):
        proximal_sgd(arguments.pop("X"), arguments.pop("y"), **arguments)


@pytest.mark.parametrize(
    ("changes", "error", "message"),
    [
        ({"coefs": np.zeros((4, 2))}, ValueError, "one step for each iterate but the first: 3; got 2"),
        ({"coefs": np.full((3, 2), np.nan)}, ValueError, "coefs contains NaN"),
        ({"batches": [[0]]}, ValueError, "one batch for each step size, 2; got 1"),
        ({"loss": None}, TypeError, "loss must be an object with the methods psi, psi_prime"),
        ({"sample_weight": [1.0, -1.0]}, ValueError, r"sample_weight must hold numbers >= 0; got -1\.0"),
        ({"penalty": MCP(1.0, 0.5)}, ValueError, r"1\.0 at t=1 is not below 0\.5"),
    ],
)
def test_bad_trajectories(changes, error, message):
    arguments = {"coefs": np.zeros((3, 2)), "step_sizes": [1, 1], "batches": None, "loss": LOSS, **changes}
    with pytest.raises(error, match=message):
        Trajectory(**arguments)


def test_trajectories_pickle(data):
    X, y = data
    path = proximal_sgd(X, y, loss=LOSS, penalty=L1(0.1), step_sizes=[0.1, 0.2])
    copy = pickle.loads(pickle.dumps(path))
    assert_array_equal(copy.coefs, path.coefs)
    assert (copy.loss, copy.penalty) == (path.loss, path.penalty)
