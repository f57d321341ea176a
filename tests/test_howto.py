"""The files that the how-to pages include do what the pages say."""

from importlib import import_module
from itertools import islice

import numpy as np

from skmlogb.bandit import check_policy
from skmlogb.simulation import run_trials


def test_add_a_loss(rng):
    example = import_module("doc.howto.log_cosh")
    loss, r, h = example.LogCosh(epsilon=0.7), rng.normal(scale=3, size=1000), 1e-5
    np.testing.assert_allclose(loss.psi(r), (loss.value(r + h) - loss.value(r - h)) / (2 * h), atol=1e-8)
    np.testing.assert_allclose(loss.psi_prime(r), (loss.psi(r + h) - loss.psi(r - h)) / (2 * h), atol=1e-8)
    assert np.all(np.isfinite(loss.value([-1e300, 1e300])))

    estimate, truth = example.path.risk, example.truth
    assert np.mean(np.abs(estimate - truth) / truth) < 0.02
    assert truth[example.best_iter] < truth.min() + 0.02 * (truth[-1] - truth.min())


def test_add_a_penalty(rng):
    example = import_module("doc.howto.nonnegative_l1")
    penalty, step = example.NonNegativeL1(alpha=0.8), 0.6
    v = rng.normal(size=200)
    prox = penalty.prox(v, step)
    grid = np.linspace(0, 5, 5001)[:, None]
    brute_force = grid[np.argmin((grid - v) ** 2 / 2 + step * 0.8 * grid, axis=0), 0]
    np.testing.assert_allclose(prox, brute_force, atol=1e-3)
    np.testing.assert_array_equal(penalty.prox(v, 0), v)
    away = np.abs(v - step * 0.8) > 1e-6  # from the kink
    slope = (penalty.prox(v + 1e-7, step) - penalty.prox(v - 1e-7, step)) / 2e-7
    np.testing.assert_allclose(penalty.prox_jacobian(v, step).slope[away], slope[away], atol=1e-6)

    estimate, truth, coefs = example.path.risk, example.truth, example.trajectory.coefs
    assert coefs.min() == 0
    assert np.std(estimate - truth) < 0.05 * np.mean(truth)
    assert truth[example.best_iter] < truth.min() + 0.05 * (truth[0] - truth.min())


def test_add_a_policy(seed):
    example = import_module("doc.howto.linear_ucb")
    policy = example.LinearUCBPolicy(rewards=[0.0, 1.0, 5.0])
    check_policy(policy, n_features=3, random_state=seed)
    X, y = np.random.default_rng(seed).normal(size=(40, 3)), np.tile([0, 1, 2, 1], 10)
    policy.set_params(width=0).fit(X, y)
    ridge = np.linalg.solve(np.eye(3) + X.T @ X, X.T @ np.array([0.0, 1.0, 5.0])[y])
    np.testing.assert_allclose(policy.score_actions(X), X @ ridge)

    final = {row["policy"]: row["regret_mean"] for row in example.results.summary()}
    assert final["LinUCB"] < final["uniform"]


def test_add_an_environment(seed):
    example = import_module("doc.howto.drifting_environment")
    environment = example.DriftingEnvironment(period=50)
    first, again = (list(islice(environment.rounds(np.random.default_rng(seed)), 60)) for _ in range(2))
    for (actions, probabilities), (same_actions, same_probabilities) in zip(first, again):
        np.testing.assert_array_equal(actions, same_actions)
        np.testing.assert_array_equal(probabilities, same_probabilities)
        np.testing.assert_allclose(probabilities.sum(axis=1), 1)
    assert list(environment.outcome_rewards) == ["ignored", "clicked", "bought"]

    regret = example.final_regret
    assert regret[1_000_000]["EOFD-MLogB"] < regret[1_000]["EOFD-MLogB"] < regret[1_000]["uniform"]


class RandomChoice:
    """Any object with the two methods, as the page on policies says."""

    def __init__(self, rng):
        self.rng = rng

    def select_action(self, X):
        return int(self.rng.integers(len(X)))

    def update(self, x, y):
        return self


def test_an_object_without_a_base_class_can_be_played(rng, seed):
    environment = import_module("doc.howto.drifting_environment").DriftingEnvironment(period=50)
    policies = {"random": RandomChoice(rng)}
    results = run_trials(policies, environment, n_rounds=20, n_trials=1, random_state=seed)
    assert results.regret.shape == (1, 1, 20)
