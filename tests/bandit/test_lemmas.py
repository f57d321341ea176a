"""Lemmas 3 to 6 and Theorem 1 of the paper, as properties of the fitted policies."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from scipy.special import softmax

from skmlogb.bandit import EOFDMLogBPolicy, OFULMLogBPolicy
from skmlogb.datasets import make_mlogb
from tests.literal.formulas import grad_sigma

ROUNDING = 1e-10  # of the largest eigenvalue involved


@st.composite
def games(draw):
    """A policy and rounds for it: any K, d, m and buffer, actions with zeros and repeats."""
    K, d = draw(st.integers(1, 4)), draw(st.integers(1, 5))
    n_rounds = draw(st.integers(1, 30))
    entries = st.one_of(st.just(0.0), st.floats(-3, 3, width=32))
    pool = draw(arrays(float, (draw(st.integers(1, 8)), d), elements=entries))
    rounds = draw(arrays(int, (n_rounds, 2), elements=st.integers(0, 10_000)))
    policy = EOFDMLogBPolicy(
        rewards=list(range(K + 1)),
        sketch_size=draw(st.integers(1, K * d + 1)),
        sketch_buffer=draw(st.sampled_from([0.0, 0.5, 1.0, 3.0])),
        reg_lambda=10.0 ** draw(st.integers(-3, 3)),
        eta=draw(st.sampled_from([0.1, 1.0, 10.0])),
        norm_bound=draw(st.sampled_from([0.2, 5.0])),
    )
    return policy, pool[rounds[:, 0] % len(pool)], rounds[:, 1] % (K + 1)


def hessian(policy, x):
    """The Hessian of the loss of action x at the policy's parameter."""
    return np.kron(grad_sigma(policy.coef_ @ x), np.outer(x, x))


def least_eigenvalue(matrix):
    return np.linalg.eigvalsh((matrix + matrix.T) / 2)[0]


@settings(max_examples=60, deadline=None)
@given(games())
def test_lemmas_3_to_6(game):
    policy, actions, labels = game
    Z, M, rho = None, 0.0, 0.0
    for x, label in zip(actions, labels):
        policy.update(x, label)
        Kd = policy.coef_.size
        eye = np.eye(Kd)
        step = hessian(policy, x)
        previous_Z = policy.reg_lambda * eye if Z is None else Z
        previous_rho, rho = rho, policy.sketch_error_
        Z, M = policy._curvature.to_dense(), M + step
        tolerance = ROUNDING * (policy.reg_lambda + np.trace(M))
        # Lemma 3: one round.
        assert least_eigenvalue(previous_Z + step - Z) >= -tolerance
        assert least_eigenvalue(Z + (rho - previous_rho) * eye - previous_Z - step) >= -tolerance
        # Lemma 4: all rounds. Lemma 5: the factor.
        H = M + policy.reg_lambda * eye
        assert least_eigenvalue(H - Z) >= -tolerance
        assert least_eigenvalue(Z + rho * eye - H) >= -tolerance
        assert least_eigenvalue(policy.sketch_factor_ * Z - H) >= -tolerance * policy.sketch_factor_
        assert policy.sketch_factor_ == pytest.approx(1 + rho / policy.reg_lambda)
        # Lemma 6, with the rank of a buffered sketch in the place of m.
        m = max(policy.sketch_size_, policy.sketch_rank_)
        growth = np.linalg.slogdet(H / policy.reg_lambda)[1]
        bound = Kd * np.log1p(rho / policy.reg_lambda) + m * np.log1p(np.trace(M) / (m * policy.reg_lambda))
        assert growth <= bound + ROUNDING * (1 + abs(bound))
        # What the lemmas stand on.
        assert np.linalg.matrix_rank(Z - policy.reg_lambda * eye, tol=tolerance) <= policy.sketch_rank_
        assert policy._curvature.orthonormality_error() <= 1e-10
        assert np.linalg.norm(policy.coef_) <= policy.norm_bound * (1 + 1e-12)


@pytest.mark.parametrize("buffer", [0.0, 1.0])
def test_equation_29_bounds_the_sketching_error(buffer, seed):
    """rho is at most the spectral tail of the cumulative Hessian, divided by m - k, for each k < m."""
    X, y = make_mlogb(400, 12, n_outcomes=3, random_state=seed)
    X = X * 0.6 ** np.arange(12)
    policy = EOFDMLogBPolicy(rewards=[0, 1, 2], sketch_size=6, sketch_buffer=buffer, reg_lambda=0.1)
    M = np.zeros((24, 24))
    for x, label in zip(X, y):
        policy.update(x, label)
        M += hessian(policy, x)
    values = np.linalg.eigvalsh(M)[::-1]
    bounds = [values[k:].sum() / (6 - k) for k in range(6)]
    assert 0 < policy.sketch_error_ <= min(bounds) * (1 + 1e-9)


@pytest.mark.parametrize("policy_class", [EOFDMLogBPolicy, OFULMLogBPolicy])
@pytest.mark.parametrize(("K", "d"), [(1, 4), (3, 3)])
def test_theorem_1_and_lemma_7_hold_in_every_run(policy_class, K, d):
    """With Theorem 1's lambda, eta and radius the parameter is never outside its confidence set.

    delta = 0.05 would allow one run in twenty to leave it; the bound is loose enough for none in forty.
    """
    sketch = {"sketch_size": 3} if policy_class is EOFDMLogBPolicy else {}
    rewards = np.linspace(0, 1, K + 1)
    closest = []
    for run in range(20):
        X, y, W = make_mlogb(150, d, n_outcomes=K + 1, norm=1.0, coef=True, random_state=run)
        policy = policy_class(
            rewards=rewards, reg_lambda="theory", eta="theory", radius="theory", exploration=1.0, **sketch
        )
        for t, (x, label) in enumerate(zip(X, y)):
            policy.update(x, label)
            if t % 5:
                continue
            difference = (W - policy.coef_).ravel()
            closest.append(difference @ policy._curvature.to_dense() @ difference / policy.radius_)
            if K > 1:
                expected = softmax(np.column_stack([np.zeros(9), X[:9] @ W.T]), axis=1) @ rewards
                assert np.all(policy.score_actions(X[:9]) >= expected)
            else:
                assert np.all(policy.score_actions(X[:9]) >= X[:9] @ W[0])
    # Below 1 is the theorem; near 1 shows that a radius ten times smaller would have failed.
    assert 0.1 < max(closest) <= 1


def test_a_radius_too_small_is_seen():
    """The coverage above is not vacuous: a hundredth of the radius does not cover."""
    X, y, W = make_mlogb(50, 3, n_outcomes=3, norm=1.0, coef=True, random_state=0)
    policy = EOFDMLogBPolicy(
        rewards=[0, 1, 2], reg_lambda="theory", eta="theory", radius="theory", exploration=0.01
    ).fit(X, y)
    difference = (W - policy.coef_).ravel()
    assert difference @ policy._curvature.to_dense() @ difference > policy.radius_
