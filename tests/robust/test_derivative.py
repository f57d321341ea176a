"""Lemma B.1, the derivative of every iterate in an entry of X, against finite differences."""

from functools import partial

import numpy as np
import pytest

from tests.literal import trajectory_risk as literal

N, P, T = 8, 4, 5
GROUPS = np.array([0, 1, 0, 1])
LOSSES = {
    "huber": (literal.huber_psi, literal.huber_slope),
    "pseudo_huber": (literal.pseudo_huber_psi, literal.pseudo_huber_slope),
}
PENALTIES = {
    "none": (literal.no_prox, literal.no_jacobian, {}),
    "l1": (literal.elastic_net_prox, literal.elastic_net_jacobian, {"alpha": 0.2, "l1_ratio": 1.0}),
    "l2": (literal.elastic_net_prox, literal.elastic_net_jacobian, {"alpha": 0.2, "l1_ratio": 0.0}),
    "elasticnet": (literal.elastic_net_prox, literal.elastic_net_jacobian, {"alpha": 0.3, "l1_ratio": 0.5}),
    "group_l1": (literal.group_prox, literal.group_jacobian, {"alpha": 0.1, "groups": GROUPS}),
    "mcp": (literal.mcp_prox, literal.mcp_jacobian, {"alpha": 0.4, "gamma": 1.5}),
    "scad": (literal.scad_prox, literal.scad_jacobian, {"alpha": 0.3, "gamma": 2.5}),
}


def problem(rng):
    X = rng.standard_normal((N, P))
    coef, noise, start = rng.standard_normal(P), rng.standard_t(2, N), rng.standard_normal(P)
    batches = [rng.choice(N, 5, replace=False) for _ in range(T - 1)]
    return X, coef, noise, start, batches


def trajectory(X, coef, noise, start, batches, loss, penalty, weights=None):
    psi, slope = (partial(f, epsilon=1.0) for f in LOSSES[loss])
    prox, jacobian, settings = PENALTIES[penalty]
    return literal.run(
        X,
        X @ coef + noise,
        psi=psi,
        slope=slope,
        prox=partial(prox, **settings),
        jacobian=partial(jacobian, **settings),
        step_sizes=[0.7, 0.4, 0.0, 0.6],
        batches=batches,
        start=start,
        weights=weights,
    )


@pytest.mark.parametrize("weighted", [False, True])
@pytest.mark.parametrize("penalty", PENALTIES)
@pytest.mark.parametrize("loss", LOSSES)
def test_derivative_of_the_iterates_is_that_of_lemma_b1(loss, penalty, weighted, rng):
    X, coef, noise, start, batches = problem(rng)
    weights = rng.integers(1, 4, N).astype(float) if weighted else None
    h = 1e-6

    def coefs_and_pieces(X):
        """Return the iterates and which smooth pieces of psi and prox they come from."""
        run = trajectory(X, coef, noise, start, batches, loss, penalty, weights)
        prox_pieces = run.prox_slopes != 0 if penalty == "group_l1" else run.prox_slopes.round(9)
        return run.coefs, (run.D if loss == "huber" else 0, prox_pieces)

    run = trajectory(X, coef, noise, start, batches, loss, penalty, weights)
    compared = 0
    for i in range(N):
        for j in range(P):
            step = np.zeros_like(X)
            step[i, j] = h
            above, pieces_above = coefs_and_pieces(X + step)
            below, pieces_below = coefs_and_pieces(X - step)
            if not all(map(np.array_equal, pieces_above, pieces_below)):
                continue  # a kink of the loss or of the prox lies within h: no derivative there
            compared += 1
            np.testing.assert_allclose(
                literal.derivative(run, i, j, coef), (above - below) / (2 * h), rtol=1e-6, atol=1e-7
            )
    assert compared > N * P / 2
