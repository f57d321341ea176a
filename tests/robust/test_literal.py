"""The fast recursion and risk against the paper's matrices, written out dense."""

import warnings
from functools import partial

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from scipy.sparse import csr_array

from skmlogb.robust import (
    L1,
    MCP,
    SCAD,
    ElasticNet,
    GroupL1,
    Huber,
    PseudoHuber,
    Trajectory,
    exact,
    proximal_sgd,
    trajectory_risk,
)
from skmlogb.robust.design import Design
from skmlogb.robust.risk_sweep import RiskSweep
from skmlogb.robust.trajectory import descend
from tests.literal import trajectory_risk as literal

N, P = 12, 6
GROUPS = np.array([0, 1, 0, 2, 1, 1])
LOSSES = {
    "huber": (Huber(1.0), literal.huber_psi, literal.huber_slope),
    "pseudo_huber": (PseudoHuber(1.0), literal.pseudo_huber_psi, literal.pseudo_huber_slope),
}
# Name: the library's penalty, its literal prox and Jacobian, and their settings.
PENALTIES = {
    "none": (None, literal.no_prox, literal.no_jacobian, {}),
    "l1": (L1(0.2), literal.elastic_net_prox, literal.elastic_net_jacobian, {"alpha": 0.2, "l1_ratio": 1.0}),
    "l2": (
        ElasticNet(0.2, 0.0),
        literal.elastic_net_prox,
        literal.elastic_net_jacobian,
        {"alpha": 0.2, "l1_ratio": 0.0},
    ),
    "elasticnet": (
        ElasticNet(0.3, 0.5),
        literal.elastic_net_prox,
        literal.elastic_net_jacobian,
        {"alpha": 0.3, "l1_ratio": 0.5},
    ),
    "group_l1": (
        GroupL1(0.15, GROUPS),
        literal.group_prox,
        literal.group_jacobian,
        {"alpha": 0.15, "groups": GROUPS},
    ),
    "mcp": (MCP(0.3, 1.8), literal.mcp_prox, literal.mcp_jacobian, {"alpha": 0.3, "gamma": 1.8}),
    "scad": (SCAD(0.3, 2.9), literal.scad_prox, literal.scad_jacobian, {"alpha": 0.3, "gamma": 2.9}),
}
STEPS = {
    "constant": [0.4] * 6,
    "one_zero": [1.0, 0.0] * 3,
    "one_half": [1.0, 0.5] * 3,
    "decreasing": [1.2 / t**0.5 for t in range(1, 7)],
    "all_zero": [0.0] * 6,
}


def batches_of(pattern, n, n_updates, rng):
    if pattern == "full":
        return None
    if pattern == "minibatch":
        return [rng.choice(n, n // 2, replace=False) for _ in range(n_updates)]
    if pattern == "epochs":  # a permutation cut into thirds, over and over
        return [rows for _ in range(n_updates) for rows in np.array_split(rng.permutation(n), 3)][:n_updates]
    return [rng.choice(n, 1) for _ in range(n_updates)]  # single rows


def literal_run(X, y, loss, penalty, steps, batches, start=None, weights=None):
    _, psi, slope = LOSSES[loss]
    _, prox, jacobian, kwargs = PENALTIES[penalty]
    return literal.run(
        X,
        y,
        psi=partial(psi, epsilon=1.0),
        slope=partial(slope, epsilon=1.0),
        prox=partial(prox, **kwargs),
        jacobian=partial(jacobian, **kwargs),
        step_sizes=steps,
        batches=batches,
        start=start,
        weights=weights,
    )


def literal_risk(run, estimator="out_of_batch", *, steps, covariance=None, weights=None):
    """Return the weights and the risk of an estimate by the paper's matrices.

    Where Tr D_t = 0 the risk is undefined (NaN), save at the start, which no weights enter; an iterate after
    a step of 0 is a copy, risk included.
    """
    if estimator == "known_covariance":
        W, blind = literal.weights_known_covariance(run, covariance), np.zeros(len(run.coefs), bool)
    elif estimator == "out_of_batch":
        A, K = literal.matrices_out_of_batch(run, weights)
        blind = np.diag(K) == 0
        assert not K[:, blind].any()
        W = np.linalg.solve(K + np.diag(blind), A)
    else:
        A, K = literal.matrices_in_batch(run)
        blind = np.diag(K) == 0
        assert not blind.any()
        W = np.linalg.solve(K, A) if estimator == "in_batch" else A @ np.linalg.inv(K)
    risk = literal.risk_from_weights(run, W, weights)
    for t, step in enumerate(steps, 1):
        risk[t] = risk[t - 1] if step == 0 else np.nan if blind[t] else risk[t]
    return W, risk


def fast_risk(X, y, path, **settings):
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", "No residual lies in the quadratic zone")
        return trajectory_risk(X, y, path, n_probes="exact", **settings)


def problem(rng, n=N, p=P):
    X = rng.standard_normal((n, p))
    return X, X @ rng.standard_normal(p) / np.sqrt(p) + 0.5 * rng.standard_t(3, n)


@pytest.mark.parametrize("steps", STEPS)
@pytest.mark.parametrize("pattern", ["full", "minibatch", "epochs", "single"])
@pytest.mark.parametrize("penalty", PENALTIES)
@pytest.mark.parametrize("loss", LOSSES)
def test_iterates_and_risk_of_every_combination(loss, penalty, pattern, steps, rng):
    X, y = problem(rng)
    batches = batches_of(pattern, N, len(STEPS[steps]), rng)
    start = 0.3 * rng.standard_normal(P)
    parts = {"loss": LOSSES[loss][0], "penalty": PENALTIES[penalty][0]}
    path = proximal_sgd(X, y, step_sizes=STEPS[steps], batches=batches, coef_init=start, **parts)
    run = literal_run(X, y, loss, penalty, STEPS[steps], batches, start)
    np.testing.assert_allclose(path.coefs, run.coefs, rtol=1e-10, atol=1e-12)

    _, risk = literal_risk(run, steps=STEPS[steps])
    np.testing.assert_allclose(fast_risk(X, y, path).risk, risk, rtol=1e-9)


@pytest.mark.parametrize("penalty", PENALTIES)
@pytest.mark.parametrize("estimator", ["out_of_batch", "known_covariance", "in_batch", "in_batch_right"])
def test_every_estimate(estimator, penalty, rng):
    X, y = problem(rng)
    batches = batches_of("minibatch", N, 5, rng)
    root = rng.standard_normal((P, P))
    covariance = root @ root.T
    parts = {"loss": PseudoHuber(1.0), "penalty": PENALTIES[penalty][0]}
    steps = [0.4, 0.3, 0.5, 0.2, 0.4]
    path = proximal_sgd(X, y, step_sizes=steps, batches=batches, **parts)
    run = literal_run(X, y, "pseudo_huber", penalty, steps, batches)
    W, risk = literal_risk(run, estimator, steps=steps, covariance=covariance)
    fast = fast_risk(X, y, path, estimator=estimator, covariance=covariance)
    np.testing.assert_allclose(fast.weights, W, rtol=1e-8, atol=1e-10)
    np.testing.assert_allclose(fast.risk, risk, rtol=1e-9)


@pytest.mark.parametrize("penalty", ["none", "elasticnet", "mcp"])
@pytest.mark.parametrize("estimator", ["out_of_batch", "known_covariance", "in_batch", "in_batch_right"])
@pytest.mark.parametrize("shape", [(5, 9), (9, 9), (40, 3)])
def test_exact_traces_by_rows_or_by_columns(shape, estimator, penalty, rng):
    n, p = shape
    X, y = problem(rng, n, p)
    steps = [0.2, 0.3, 0.25, 0.2]
    batches = batches_of("minibatch", n, 4, rng)
    parts = {"loss": PseudoHuber(1.0), "penalty": PENALTIES[penalty][0]}
    path = proximal_sgd(X, y, step_sizes=steps, batches=batches, **parts)
    run = literal_run(X, y, "pseudo_huber", penalty, steps, batches)
    W, risk = literal_risk(run, estimator, steps=steps)
    fast = fast_risk(X, y, path, estimator=estimator, covariance=np.eye(p))
    np.testing.assert_allclose(fast.weights, W, rtol=1e-8, atol=1e-10)
    np.testing.assert_allclose(fast.risk, risk, rtol=1e-9)


def test_exact_traces_by_columns_in_chunks_of_rows(rng, monkeypatch):
    X, y = problem(rng, 40, 3)
    path = proximal_sgd(X, y, loss=Huber(1.0), step_sizes=[0.3] * 4)
    whole = fast_risk(X, y, path)
    monkeypatch.setattr(exact, "CHUNK_BYTES", 7 * 6 * 8)  # seven rows of six pairs
    np.testing.assert_allclose(fast_risk(X, y, path).weights, whole.weights, rtol=1e-12)


@pytest.mark.parametrize("loss", LOSSES)
def test_weights_of_rows(loss, rng):
    X, y = problem(rng)
    weights = rng.integers(0, 4, N).astype(float)
    batches = batches_of("minibatch", N, 5, rng)
    parts = {"loss": LOSSES[loss][0], "penalty": L1(0.2)}
    steps = [0.4, 0.3, 0.5, 0.2, 0.4]
    run = literal_run(X, y, loss, "l1", steps, batches, weights=weights)
    path = Trajectory(run.coefs, steps, batches, sample_weight=weights, **parts)
    _, risk = literal_risk(run, steps=steps, weights=weights)
    np.testing.assert_allclose(fast_risk(X, y, path).risk, risk, rtol=1e-9)


@pytest.mark.parametrize("sparse", [False, True])
@pytest.mark.parametrize("penalty", ["none", "l1", "group_l1", "scad"])
def test_centred_columns_and_an_intercept_are_columns_like_others(penalty, sparse, rng):
    X, y = problem(rng)
    X[rng.random(X.shape) < 0.4] = 0
    y += 3
    offset, constant, steps = X.mean(axis=0), 0.8, [0.4, 0.3, 0.5, 0.2]
    batches = batches_of("minibatch", N, 4, rng)
    start = np.append(np.zeros(P), np.median(y) / constant)
    design = Design(csr_array(X) if sparse else X, offset=offset, constant=constant)
    parts = {"loss": Huber(1.0), "penalty": PENALTIES[penalty][0]}
    path = descend(design, y, step_sizes=steps, batches=batches, coef_init=start, **parts)
    coefs = np.array([start, *(coef for coef, _, _ in path)])
    sweep = RiskSweep(design, y, n_probes="exact", rng=rng, **parts)
    sweep.extend(coefs, steps, batches)

    _, prox, jacobian, kwargs = PENALTIES[penalty]

    def prox_but_last(v, step):
        return np.append(prox(v[:-1], step, **kwargs), v[-1])

    def jacobian_but_last(v, step):
        out = np.eye(P + 1)
        out[:-1, :-1] = jacobian(v[:-1], step, **kwargs)
        return out

    Z = np.column_stack([X - offset, np.full(N, constant)])
    run = literal.run(
        Z,
        y,
        psi=partial(literal.huber_psi, epsilon=1.0),
        slope=partial(literal.huber_slope, epsilon=1.0),
        prox=prox_but_last,
        jacobian=jacobian_but_last,
        step_sizes=steps,
        batches=batches,
        start=start,
    )
    np.testing.assert_allclose(coefs, run.coefs, rtol=1e-10, atol=1e-12)
    np.testing.assert_allclose(sweep.risk, literal_risk(run, steps=steps)[1], rtol=1e-9)


@pytest.mark.parametrize("estimator", ["out_of_batch", "known_covariance", "in_batch", "in_batch_right"])
def test_probes_agree_in_the_mean(estimator, rng):
    X, y = problem(rng, n=40, p=30)
    batches = [rng.choice(40, 30, replace=False) for _ in range(5)]
    path = proximal_sgd(X, y, loss=PseudoHuber(2.0), penalty=L1(0.05), step_sizes=[0.2] * 5, batches=batches)
    settings = {"estimator": estimator, "covariance": np.eye(30)}
    exact = trajectory_risk(X, y, path, n_probes="exact", **settings)
    draws = [trajectory_risk(X, y, path, n_probes=400, random_state=k, **settings) for k in range(8)]
    mean = np.mean([draw.risk for draw in draws], axis=0)
    error = np.mean([draw.std for draw in draws], axis=0) / np.sqrt(8)
    assert np.all(np.abs(mean - exact.risk) <= 5 * error + 1e-9)
    spread = np.std([draw.risk for draw in draws], axis=0, ddof=1)
    reported = np.mean([draw.std for draw in draws], axis=0)
    random = reported > 1e-9  # signs square to 1: the trace of a diagonal matrix has no error
    assert random.sum() >= 3
    assert np.all((spread > reported / 4)[random])
    assert np.all((spread < 4 * reported)[random])


def test_a_blind_iterate_leaves_the_others_alone(rng):
    """Where no residual lies in the quadratic zone the risk is undefined at that iterate only."""
    X, y = problem(rng)
    coefs = 0.1 * rng.standard_normal((5, P))
    coefs[2] = 1000 * rng.standard_normal(P)
    run = literal_run(X, y, "huber", "none", [0.3] * 4, None, start=coefs[0])
    run.coefs[:] = coefs  # the matrices need no more of the iterates than their residuals
    run.R[:] = (y - coefs @ X.T).T
    run.F[:] = literal.huber_psi(run.R, 1.0)
    run.D[:] = [np.diag(literal.huber_slope(r, 1.0)) for r in run.R.T]
    assert not run.D[2].any()
    sweep = RiskSweep(Design(X), y, loss=Huber(1.0), n_probes="exact", rng=rng)
    sweep.extend(coefs[:3], [0.3] * 2, None)
    sweep.extend(coefs[3:], [0.3] * 2, None)
    assert sweep.blind.tolist() == [False, False, True, False, False]
    assert np.isnan(sweep.risk).tolist() == [False, False, True, False, False]
    np.testing.assert_allclose(sweep.risk, literal_risk(run, steps=[0.3] * 4)[1], rtol=1e-9)


@given(st.data())
@settings(max_examples=40, deadline=None)
def test_degenerate_problems(data):
    """Any shape, repeated and zero columns and rows, repeated rows in a batch, any steps."""
    n, p = data.draw(st.integers(1, 6)), data.draw(st.integers(1, 5))
    entries = st.sampled_from([-2.0, -1.0, 0.0, 0.5, 1.0])
    X = np.array(data.draw(st.lists(entries, min_size=n * p, max_size=n * p))).reshape(n, p)
    y = np.array(data.draw(st.lists(st.floats(-3, 3, width=16), min_size=n, max_size=n)))
    steps = data.draw(st.lists(st.sampled_from([0.0, 0.313, 0.971]), min_size=1, max_size=4))
    rows = st.lists(st.integers(0, n - 1), min_size=1, max_size=n, unique=True)
    batches = [np.array(data.draw(rows)) for _ in steps]
    loss = data.draw(st.sampled_from(["huber", "pseudo_huber"]))
    penalty = data.draw(st.sampled_from(["none", "l1", "l2", "elasticnet", "mcp", "scad"]))
    run = literal_run(X, y, loss, penalty, steps, batches)
    assume(np.abs(np.abs(run.R) - 1).min() > 1e-6)  # at the corner rounding decides which slope it is
    parts = {"loss": LOSSES[loss][0], "penalty": PENALTIES[penalty][0]}
    path = proximal_sgd(X, y, step_sizes=steps, batches=batches, **parts)
    np.testing.assert_allclose(path.coefs, run.coefs, rtol=1e-10, atol=1e-12)
    np.testing.assert_allclose(
        fast_risk(X, y, path).risk, literal_risk(run, steps=steps)[1], rtol=1e-8, atol=1e-10
    )
