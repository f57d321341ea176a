"""OFULMLogBPolicy is OFUL-MLogB as printed, to rounding."""

import numpy as np
import pytest

from skmlogb.bandit import OFULMLogBPolicy
from tests.literal.driving import Outcomes, assert_close, drive, literal_of, make_actions
from tests.literal.exact_mlogb import ExactMLogB

RTOL = 1e-9  # as for EOFD-MLogB: the condition of H stays under 1e4 where nothing else is said

REWARDS = {1: [0.2, 1.0], 2: [0.7, 0.1, 1.0], 3: [0.5, 1.0, -0.25, 0.0], 5: [1.0, 0.0, 0.3, 0.0, 2.0, 0.1]}


def policy_of(K, **settings):
    defaults = {"reg_lambda": 0.5, "eta": 1.0, "norm_bound": 1.0, "exploration": 1.0, "radius": 1.0}
    return OFULMLogBPolicy(rewards=REWARDS[K], random_state=0, **{**defaults, **settings})


@pytest.mark.parametrize(("norm_bound", "active"), [(0.1, True), (100.0, False)])
@pytest.mark.parametrize(("K", "d"), [(1, 1), (1, 8), (2, 5), (3, 4), (5, 2)])
def test_equals_the_printed_form(K, d, norm_bound, active, rng):
    policy, outcomes = policy_of(K, norm_bound=norm_bound), Outcomes(REWARDS[K])
    literal = literal_of(policy, d, outcomes)
    drive(policy, literal, outcomes, make_actions("random", 300, d, rng), rng, rtol=RTOL)
    assert literal.n_projections > 30 if active else literal.n_projections == 0


@pytest.mark.parametrize("kind", ["repeated", "collinear", "zeros", "mixed"])
@pytest.mark.parametrize(("K", "d"), [(1, 5), (3, 3)])
@pytest.mark.parametrize("norm_bound", [0.5, 100.0])
def test_degenerate_actions(kind, K, d, norm_bound, rng):
    policy, outcomes = policy_of(K, norm_bound=norm_bound), Outcomes(REWARDS[K])
    literal = literal_of(policy, d, outcomes)
    # "mixed" has actions of length up to 100: the condition of H reaches 1e6.
    rtol = 1e-7 if kind == "mixed" else RTOL
    drive(policy, literal, outcomes, make_actions(kind, 200, d, rng), rng, rtol=rtol)


@pytest.mark.parametrize(("K", "d"), [(1, 5), (3, 3)])
@pytest.mark.parametrize("norm_bound", [0.5, 100.0])
def test_extreme_logits(K, d, norm_bound, rng):
    """Every eighth action has logits in the hundreds or thousands.

    The step is chaotic there (a difference of two learners can grow a thousandfold), so the runs are short.
    """
    for _ in range(4):
        policy, outcomes = policy_of(K, norm_bound=norm_bound), Outcomes(REWARDS[K])
        actions = make_actions("extreme", 25, d, rng)
        drive(policy, literal_of(policy, d, outcomes), outcomes, actions, rng, rtol=1e-7)
        assert np.abs(actions[-1] @ policy.coef_.T).max() > (700 if norm_bound == 100 else 100)
        assert np.isfinite(policy.score_actions(1e3 * actions[-1])).all()


@pytest.mark.parametrize("named", ["paper", "theory"])
@pytest.mark.parametrize("radius", ["auto", "theory"])
@pytest.mark.parametrize("K", [1, 3])
def test_named_settings_and_radii(named, radius, K, rng):
    policy = policy_of(
        K, reg_lambda=named, eta=named, radius=radius, exploration=0.5, delta=0.1, context_bound=1.5
    )
    outcomes = Outcomes(REWARDS[K])
    drive(
        policy,
        literal_of(policy, 4, outcomes),
        outcomes,
        make_actions("random", 200, 4, rng),
        rng,
        rtol=RTOL,
    )


def test_with_an_intercept(rng):
    policy, outcomes = policy_of(2, fit_intercept=True, radius="auto"), Outcomes(REWARDS[2])
    literal = literal_of(policy, 3, outcomes)
    drive(policy, literal, outcomes, make_actions("random", 150, 3, rng), rng, rtol=RTOL)


def test_long_runs_do_not_drift(rng):
    """H^-1 is kept by rank-K updates; it must stay as good as the decomposition of every round."""
    policy, outcomes = policy_of(2, reg_lambda=1e-3), Outcomes(REWARDS[2])
    literal = literal_of(policy, 3, outcomes)
    actions = make_actions("random", 2500, 3, rng)
    drive(policy, literal, outcomes, actions, rng, every=500, rtol=1e-8)


@pytest.mark.parametrize("reg_lambda", [1e-12, 1e-6, 1e10])
@pytest.mark.parametrize(("K", "d"), [(1, 3), (2, 2)])
def test_lambda_of_any_size_against_sixty_digits(reg_lambda, K, d, rng):
    policy = policy_of(K, reg_lambda=reg_lambda, norm_bound=0.5)
    outcomes = Outcomes(REWARDS[K])
    # Entries of H of order 1 are known to 1e-16, hence W to 1e-16 / lambda where the curvature is lambda.
    rtol = max(1e-9, 1e-15 / reg_lambda)
    exact = ExactMLogB(d, outcomes.gains, reg_lambda=reg_lambda, eta=1.0, norm_bound=0.5)
    for t, candidates in enumerate(make_actions("random", 24, d, rng)):
        label = int(rng.integers(K + 1))
        policy.update(candidates[0], label)
        exact.update(candidates[0], outcomes.literal(label))
        if t % 6 == 5:
            assert_close(policy.coef_, exact.W, rtol)
            assert_close(policy.score_actions(candidates) - outcomes.offset, exact.scores(candidates), rtol)
