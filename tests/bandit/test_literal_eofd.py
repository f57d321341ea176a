"""EOFDMLogBPolicy without a buffer is the paper's Algorithms 1 and 2, to rounding."""

import numpy as np
import pytest

from skmlogb.bandit import EOFDMLogBPolicy, OFULMLogBPolicy
from tests.literal.driving import Outcomes, assert_alike, assert_close, drive, literal_of, make_actions
from tests.literal.exact_mlogb import ExactMLogB
from tests.literal.oful_mlogb import LiteralOFULMLogB

# Two backward stable routes to the same W, Z and scores differ by a small multiple of
# (rounds) * (condition of Z) * 1e-16; the settings below keep the condition under 1e4 unless said otherwise.
RTOL = 1e-9

REWARDS = {
    1: [0.0, 1.0],
    2: [0.7, 0.1, 1.0],
    3: [0.5, 1.0, -0.25, 0.0],
    4: [0.0, 0.25, 0.5, 0.75, 1.0],
    5: [1.0, 0.0, 0.3, 0.0, 2.0, 0.1],
}


def policy_of(K, m, **settings):
    defaults = {"reg_lambda": 0.5, "eta": 1.0, "norm_bound": 1.0, "exploration": 1.0, "radius": 1.0}
    return EOFDMLogBPolicy(
        rewards=REWARDS[K], sketch_size=m, sketch_buffer=0, random_state=0, **{**defaults, **settings}
    )


@pytest.mark.parametrize(("norm_bound", "active"), [(0.3, True), (100.0, False)])
@pytest.mark.parametrize(
    ("K", "d", "m"),
    [
        *[(1, 6, 1), (1, 6, 3), (1, 6, 6), (1, 12, 40), (2, 5, 1), (2, 5, 4)],
        *[(3, 4, 2), (3, 4, 11), (4, 3, 5), (4, 3, 13), (5, 2, 3), (5, 3, 9)],
    ],
)
def test_equals_algorithms_1_and_2(K, d, m, norm_bound, active, rng):
    policy, outcomes = policy_of(K, m, norm_bound=norm_bound), Outcomes(REWARDS[K])
    literal = literal_of(policy, d, outcomes)
    drive(policy, literal, outcomes, make_actions("random", 250, d, rng), rng, rtol=RTOL)
    assert literal.n_projections > 100 if active else literal.n_projections == 0


@pytest.mark.parametrize("kind", ["repeated", "collinear", "zeros", "mixed"])
@pytest.mark.parametrize(("K", "d", "m"), [(1, 5, 2), (2, 4, 3), (3, 3, 9)])
@pytest.mark.parametrize("norm_bound", [0.5, 100.0])
def test_degenerate_actions(kind, K, d, m, norm_bound, rng):
    policy, outcomes = policy_of(K, m, norm_bound=norm_bound), Outcomes(REWARDS[K])
    literal = literal_of(policy, d, outcomes)
    # Actions of length up to 100 with lambda = 0.5: the condition of Z reaches 1e6.
    rtol = 1e-7 if kind == "mixed" else RTOL
    drive(policy, literal, outcomes, make_actions(kind, 200, d, rng), rng, rtol=rtol)


@pytest.mark.parametrize(("K", "d", "m"), [(1, 4, 2), (3, 3, 4)])
@pytest.mark.parametrize("norm_bound", [0.5, 100.0])
def test_extreme_logits(K, d, m, norm_bound, rng):
    """Every eighth action has logits in the hundreds or thousands.

    The step is chaotic there (a difference of two learners can grow a thousandfold), so the runs are short.
    """
    for _ in range(4):
        policy, outcomes = policy_of(K, m, norm_bound=norm_bound), Outcomes(REWARDS[K])
        actions = make_actions("extreme", 25, d, rng)
        drive(policy, literal_of(policy, d, outcomes), outcomes, actions, rng, rtol=1e-7)
        assert np.abs(actions[-1] @ policy.coef_.T).max() > (700 if norm_bound == 100 else 100)
        assert np.isfinite(policy.score_actions(1e3 * actions[-1])).all()


@pytest.mark.parametrize("named", ["paper", "theory"])
@pytest.mark.parametrize("radius", ["auto", "theory"])
@pytest.mark.parametrize(("K", "d", "m"), [(1, 5, 2), (3, 4, 5)])
def test_named_settings_and_radii(named, radius, K, d, m, rng):
    policy = policy_of(
        K, m, reg_lambda=named, eta=named, radius=radius, exploration=0.5, delta=0.1, context_bound=1.5
    )
    outcomes = Outcomes(REWARDS[K])
    literal = literal_of(policy, d, outcomes)
    drive(policy, literal, outcomes, make_actions("random", 200, d, rng), rng, rtol=RTOL)


@pytest.mark.parametrize(("K", "m"), [(1, 2), (2, 3)])
def test_with_an_intercept(K, m, rng):
    policy, outcomes = policy_of(K, m, fit_intercept=True, radius="auto"), Outcomes(REWARDS[K])
    literal = literal_of(policy, 4, outcomes)
    drive(policy, literal, outcomes, make_actions("random", 150, 4, rng), rng, rtol=RTOL)


@pytest.mark.parametrize(("K", "d", "m"), [(1, 4, 2), (3, 3, 4)])
def test_huge_lambda(K, d, m, rng):
    # W is about 1e-10 here, and all but one part in 1e10 of Z is lambda I.
    policy, outcomes = policy_of(K, m, reg_lambda=1e10), Outcomes(REWARDS[K])
    literal = literal_of(policy, d, outcomes)
    drive(policy, literal, outcomes, make_actions("random", 200, d, rng), rng, rtol=RTOL)


@pytest.mark.parametrize("reg_lambda", [1e-12, 1e-6])
@pytest.mark.parametrize(("K", "d", "m"), [(1, 3, 2), (1, 3, 3), (2, 2, 3), (2, 2, 4)])
@pytest.mark.parametrize("norm_bound", [0.5, 1e3])
def test_tiny_lambda_against_sixty_digits(reg_lambda, K, d, m, norm_bound, rng):
    """Where (18) and the Woodbury forms cancel in doubles, the reference has 60 digits."""
    policy = policy_of(K, m, reg_lambda=reg_lambda, norm_bound=norm_bound)
    outcomes = Outcomes(REWARDS[K])
    exact = ExactMLogB(
        d, outcomes.gains, reg_lambda=reg_lambda, eta=1.0, sketch_size=m, norm_bound=norm_bound
    )
    # Entries of Z of order 1 are known to 1e-16, hence W to 1e-16 / lambda where the curvature is lambda.
    rtol = max(1e-9, 1e-15 / reg_lambda)
    for t, candidates in enumerate(make_actions("random", 24, d, rng)):
        label = int(rng.integers(K + 1))
        policy.update(candidates[0], label)
        exact.update(candidates[0], outcomes.literal(label))
        if t % 6 == 5:
            assert_close(policy.coef_, exact.W, rtol)
            assert_close(policy.score_actions(candidates) - outcomes.offset, exact.scores(candidates), rtol)
    assert (exact.n_projections > 0) == (norm_bound == 0.5) or norm_bound == 1e3
    np.testing.assert_allclose(policy.sketch_error_, float(exact.rho), rtol=rtol, atol=1e-15)


@pytest.mark.parametrize("buffer", [0.0, 1.0])
@pytest.mark.parametrize("norm_bound", [0.4, 50.0])
@pytest.mark.parametrize(("K", "d"), [(1, 7), (2, 4), (4, 3)])
def test_a_full_sketch_is_the_hessian(buffer, norm_bound, K, d, rng):
    settings = {"reg_lambda": 0.3, "eta": 2.0, "norm_bound": norm_bound, "exploration": 1.0}
    eofd = EOFDMLogBPolicy(rewards=REWARDS[K], sketch_size=K * d, sketch_buffer=buffer, **settings)
    oful = OFULMLogBPolicy(rewards=REWARDS[K], **settings)
    outcomes = Outcomes(REWARDS[K])
    literal = literal_of(eofd, d, outcomes, LiteralOFULMLogB)
    for t, candidates in enumerate(make_actions("random", 300, d, rng)):
        label = int(rng.integers(K + 1))
        eofd.update(candidates[0], label)
        oful.update(candidates[0], label)
        literal.update(candidates[0], outcomes.literal(label))
        if t % 20 == 0 or t == 299:
            assert_alike(eofd, literal, outcomes, candidates, rtol=RTOL)
            assert_alike(oful, literal, outcomes, candidates, rtol=RTOL)
    assert eofd.sketch_error_ == 0
    assert eofd.sketch_factor_ == 1


def test_choices_are_those_of_algorithm_2(rng):
    policy, outcomes = policy_of(3, 4, norm_bound=2.0, radius="auto", exploration=0.01), Outcomes(REWARDS[3])
    literal = literal_of(policy, 5, outcomes)
    for candidates in make_actions("random", 150, 5, rng, n_actions=8):
        choice = policy.select_action(candidates)
        scores = literal.scores(candidates)
        assert scores[choice] >= scores.max() - 1e-9  # of tied actions any may be chosen
        label = int(rng.integers(4))
        policy.update(candidates[choice], label)
        literal.update(candidates[choice], outcomes.literal(label))
