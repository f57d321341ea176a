"""Confidence radii and the numbers they need."""

import math

import numpy as np
import pytest

from skmlogb.bandit import EOFDMLogBPolicy, OFULMLogBPolicy
from skmlogb.bandit.hyperparameters import Hyperparameters, resolve_hyperparameters
from skmlogb.bandit.radius import eofd_radius
from tests.literal import formulas

SETTINGS = [
    Hyperparameters(1, 4, 3.0, 0.7, 2.0, 1.5, 0.1),
    Hyperparameters(4, 100, 500.0, 60.0, 1.0, 1.0, 0.01),
]


def literal(h, t, size, error, step_sum):
    return formulas.radius(
        t,
        K=h.n_outcomes,
        d=h.n_features,
        m=size,
        rho=error,
        lam=h.reg_lambda,
        eta=h.eta,
        S=h.norm_bound,
        D=h.context_bound,
        delta=h.delta,
        step_sum=step_sum,
    )


@pytest.mark.parametrize("h", SETTINGS)
@pytest.mark.parametrize("t", [0, 1, 1000])
@pytest.mark.parametrize("error", [0.0, 12.5])
@pytest.mark.parametrize(("moved", "travelled"), [(0.0, 0.0), (0.3, 40.0), (0.0, 1e5)])
def test_equation_36(h, t, error, moved, travelled):
    step_sum = 2 * math.sqrt(6) * h.eta * h.smoothness * h.norm_bound * moved
    step_sum += (24 * h.eta * h.n_outcomes * h.n_features / h.reg_lambda - 1) * travelled
    arguments = {"n_rounds": t, "size": 3, "error": error, "moved": moved, "travelled": travelled}
    assert eofd_radius(h, **arguments) == pytest.approx(max(literal(h, t, 3, error, step_sum), 0), rel=1e-13)
    clipped = max(literal(h, t, 3, error, min(step_sum, 0)), 0)
    assert eofd_radius(h, **arguments, clip_sum=True) == pytest.approx(clipped, rel=1e-13)


def test_the_radius_is_never_negative():
    h = Hyperparameters(1, 1, 1e4, 1e-6, 1e-6, 1.0, 0.5)
    assert eofd_radius(h, n_rounds=5, size=1, error=0.0, moved=0.0, travelled=1e9) == 0


@pytest.mark.parametrize("policy_class", [EOFDMLogBPolicy, OFULMLogBPolicy])
@pytest.mark.parametrize(("K", "d"), [(1, 7), (3, 20)])
@pytest.mark.parametrize("fit_intercept", [False, True])
def test_named_lambda_and_eta(policy_class, K, d, fit_intercept):
    S, D = 2.0, 1.5
    policy = policy_class(norm_bound=S, context_bound=D, fit_intercept=fit_intercept)
    if fit_intercept:
        full, D = d + 1, math.hypot(D, 1)
    else:
        full = d
    h = resolve_hyperparameters(policy.set_params(reg_lambda="paper", eta="paper"), K, d)
    assert (h.reg_lambda, h.eta) == pytest.approx(formulas.paper_lambda_eta(K, full, S, D))
    h = resolve_hyperparameters(policy.set_params(reg_lambda="theory", eta="theory"), K, d)
    assert h.reg_lambda == pytest.approx(formulas.theory_lambda(K, full, S, D))
    assert h.eta == pytest.approx(formulas.theory_eta(K, S, D))
    assert (h.n_features, h.context_bound) == (full, pytest.approx(D))
    h = resolve_hyperparameters(policy.set_params(reg_lambda=2, eta=0.5), K, d)
    assert (h.reg_lambda, h.eta) == (2.0, 0.5)


def play(policy, rng, n_rounds=40, d=4):
    X = rng.standard_normal((n_rounds, d))
    return policy.fit(X / np.linalg.norm(X, axis=1, keepdims=True), rng.integers(3, size=n_rounds))


def test_radius_parameter(rng):
    policy = play(EOFDMLogBPolicy(rewards=[0, 1, 2], exploration=0.5, radius=3.0), rng)
    assert policy.radius_ == 1.5
    assert policy.set_params(radius=lambda p: 10 * p.n_rounds_).radius_ == 200
    assert policy.set_params(exploration=0).radius_ == 0
    greedy = policy.score_actions(np.eye(4))
    np.testing.assert_allclose(greedy, policy.predict_reward(np.eye(4)), rtol=1e-12)
    auto = policy.set_params(exploration=1, radius="auto").radius_
    theory = policy.set_params(radius="theory").radius_
    assert 0 < auto < theory  # lambda and eta are not the theorem's here, so that the sum is positive


def test_a_callable_radius_is_asked_before_any_data_too():
    policy = EOFDMLogBPolicy(radius=lambda p: 1.0 + p.n_rounds_ + abs(p.coef_).sum(), reg_lambda=1.0)
    scores = policy.score_actions(2 * np.eye(3))
    np.testing.assert_allclose(scores, np.sqrt(0.01 * 4.0))


def test_automatic_choices():
    for K, factor in ((1, 0.01), (3, 0.001)):
        policy = EOFDMLogBPolicy(rewards=range(K + 1), norm_bound=2.0, radius=1.0).fit(np.eye(4)[:2], [0, 1])
        assert policy.radius_ == factor
        h = policy._hyperparameters
        assert (h.reg_lambda, h.eta) == (K * 4 / 2.0**2, 1.0)
    with pytest.raises(ValueError, match="exploration must be one of 'auto'; got 'theory'"):
        policy.set_params(exploration="theory").score_actions(np.eye(4))


def test_under_the_theorem_both_radii_are_the_same(rng):
    policy = play(EOFDMLogBPolicy(rewards=[0, 1, 2], reg_lambda="theory", eta="theory"), rng)
    assert policy.set_params(radius="theory").radius_ == policy.set_params(radius="auto").radius_


def test_a_sketch_beyond_m_widens_the_radius(rng):
    """Lemma 6 needs a bound on the rank, which is more than m between compressions."""
    policy = EOFDMLogBPolicy(rewards=[0, 1, 2], sketch_size=2, sketch_buffer=2.0, exploration=1.0)
    play(policy, rng, n_rounds=2)
    assert policy.sketch_rank_ == 4
    h, arguments = policy._hyperparameters, {"n_rounds": 2, "error": 0.0, "clip_sum": True}
    sums = {"moved": policy._moved, "travelled": policy._travelled}
    assert policy.radius_ == eofd_radius(h, size=4, **arguments, **sums)
