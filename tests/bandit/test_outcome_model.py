"""The multinomial logistic model: probabilities, derivatives, and the K x K algebra of a round."""

from unittest import mock

import mpmath as mp
import numpy as np
import pytest
from numpy.testing import assert_allclose
from scipy.special import softmax

from skmlogb.bandit.outcome_model import (
    BinaryAlgebra,
    MultinomialAlgebra,
    outcome_algebra,
    probabilities,
    reward_gradient,
)

EXTREME = [
    [0.0, 0.0, 0.0],
    [800.0, 0.0, -800.0],
    [-745.0, -800.0, -1e5],
    [1e5, 1e5, 0.0],
    [40.0, -40.0, 39.0],
    [1e300, -1e300, 0.0],
]


def exact_probabilities(logits):
    with mp.workdps(60):
        weights = [mp.mpf(1), *(mp.exp(mp.mpf(z)) for z in logits)]
        return [w / mp.fsum(weights) for w in weights]


@pytest.mark.parametrize("logits", EXTREME[:-1])
def test_probabilities_are_accurate_in_both_tails(logits):
    desired = np.array([float(p) for p in exact_probabilities(logits)])
    assert_allclose(probabilities(np.array(logits)), desired, rtol=1e-13, atol=1e-300)


def test_probabilities_of_stacks(rng):
    logits = rng.standard_normal((4, 5, 3)) * 10
    full = np.concatenate([np.zeros((4, 5, 1)), logits], axis=-1)
    assert_allclose(probabilities(logits), softmax(full, axis=-1), rtol=1e-12)


@pytest.mark.parametrize("logits", EXTREME)
def test_hessian_factor(logits):
    logits = np.array(logits)
    p = probabilities(logits)[1:]
    factor = MultinomialAlgebra.hessian_factor(logits)
    assert_allclose(factor @ factor.T, np.diag(p) - np.outer(p, p), rtol=0, atol=4e-16)


def test_derivatives_against_finite_differences(rng):
    logits, h = rng.standard_normal(4), 1e-6
    eye = np.eye(4)

    def gradient(z):
        # with T = 0 and eta = 1 the step is the gradient itself
        return MultinomialAlgebra.newton_step(z, 2, np.zeros((4, 4)), 1.0)[0]

    def loss(z):
        return -np.log(probabilities(z)[2])

    numerical = [(loss(logits + h * e) - loss(logits - h * e)) / (2 * h) for e in eye]
    assert_allclose(gradient(logits), numerical, atol=1e-9)
    numerical = [(gradient(logits + h * e) - gradient(logits - h * e)) / (2 * h) for e in eye]
    factor = MultinomialAlgebra.hessian_factor(logits)
    assert_allclose(factor @ factor.T, numerical, atol=1e-9)


@pytest.mark.parametrize("outcome", [0, 1, 3])
@pytest.mark.parametrize("scale", [1e-12, 1.0, 1e12])
def test_newton_step_and_downdate_solve_their_systems(outcome, scale, rng):
    logits, eta = rng.standard_normal(3), 1.7
    root = rng.standard_normal((3, 3))
    T = scale * (root @ root.T)
    p = probabilities(logits)[1:]
    G, g = np.diag(p) - np.outer(p, p), p - (np.arange(1, 4) == outcome)
    step, factor, change, travelled = MultinomialAlgebra.newton_step(logits, outcome, T, eta)
    assert_allclose(change, -T @ step, rtol=1e-12)
    assert travelled == pytest.approx(step @ T @ step)
    assert_allclose(factor @ factor.T, eta * G, rtol=1e-13, atol=1e-15)
    assert_allclose(step + eta * G @ T @ step, eta * g, rtol=1e-9, atol=1e-12)
    factor = MultinomialAlgebra.hessian_factor(logits)
    E, steepness = MultinomialAlgebra.downdate(factor, T)
    # (I + G T) E E' = G
    assert_allclose(E @ E.T + G @ T @ (E @ E.T), G, rtol=1e-9, atol=1e-12)
    assert steepness == pytest.approx(np.trace(G @ T))


@pytest.mark.parametrize("scale", [1e-5, 1.0, 1e5])
@pytest.mark.parametrize("outcome", [0, 2])
def test_the_bounded_step_is_the_newton_step(scale, outcome, rng):
    root = rng.standard_normal((3, 3))
    setting = 3 * rng.standard_normal(3), outcome, scale * (root @ root.T), 1.7
    desired = MultinomialAlgebra.newton_step(*setting)
    with mock.patch("skmlogb.bandit.outcome_model._VAST", -1.0):
        found = MultinomialAlgebra.newton_step(*setting)
    for one, other in zip(found[1:], desired[1:]):
        assert_allclose(one, other, rtol=1e-10, atol=1e-13)
    assert_allclose(found[0], desired[0], rtol=1e-9, atol=1e-13)


@pytest.mark.parametrize(
    ("logits", "T", "eta"),
    [
        ([145.5, 147.3, 147.4], 1e15 * (6 * np.eye(3) + 1.7), 50.0),
        ([191.4, 191.1, -596.3], [[0.0127, 0.0063, 0.0063], [0.0063, 0.0126, 0.0063], [0.0063] * 3], 1e20),
        ([0.0, 0.0, 0.0], 1e40 * np.ones((3, 3)), 1.0),
        ([800.0, -800.0, 3.0], -1e30 * np.eye(3), 1.0),
    ],
)
@pytest.mark.parametrize("outcome", range(4))
def test_a_step_beyond_the_digits_is_no_longer_than_steps_can_be(logits, T, eta, outcome):
    """Whatever rounding does to I + eta G T, the step in the norm of Z is at most the gradient's."""
    T = np.array(T)
    step, factor, change, travelled = MultinomialAlgebra.newton_step(np.array(logits), outcome, T, eta)
    assert all(np.isfinite(each).all() for each in (step, factor, change))
    largest = max(np.linalg.eigvalsh(T)[-1], 0)
    assert travelled <= 2 * eta**2 * largest * (1 + 1e-9)


def test_a_downdate_counts_as_zero_what_is_negative_by_rounding(rng):
    logits, T = rng.standard_normal(3), np.diag([2.0, -1e9, 0.5])
    factor = MultinomialAlgebra.hessian_factor(logits)
    E, _ = MultinomialAlgebra.downdate(factor, T)
    G = factor @ factor.T
    assert np.linalg.eigvalsh(G - E @ E.T).min() >= -1e-12
    assert BinaryAlgebra.downdate(0.5, -1e9) == (0.5, 0.0)


def test_a_gradient_near_zero_keeps_its_digits():
    """p_y - 1 is minus the sum of the other probabilities, however small."""
    for outcome, algebra, logits, T in [
        (1, MultinomialAlgebra, np.array([80.0, 0.0]), np.zeros((2, 2))),
        (1, BinaryAlgebra, 80.0, 0.0),
        (0, BinaryAlgebra, -80.0, 0.0),
    ]:
        step, *_ = algebra.newton_step(logits, outcome, T, 1.0)
        exact = exact_probabilities(np.atleast_1d(logits))
        desired = float(mp.fsum(exact) - exact[outcome]) * (-1 if outcome else 1)
        assert np.atleast_1d(step)[0] == pytest.approx(desired, rel=1e-12)


@pytest.mark.parametrize("logit", [0.0, 0.3, -5.0, 40.0, 800.0, -800.0, 1e300])
@pytest.mark.parametrize("outcome", [0, 1])
@pytest.mark.parametrize("T", [0.0, 1e-9, 2.5, 1e9])
def test_binary_is_multinomial_with_one_logit(logit, outcome, T):
    step, factor, *rest = BinaryAlgebra.newton_step(logit, outcome, T, 3.0)
    several = MultinomialAlgebra.newton_step(np.array([logit]), outcome, np.array([[T]]), 3.0)
    assert_allclose([step, factor, *rest], [np.ravel(each)[0] for each in several], rtol=1e-6, atol=1e-15)
    factors = several[1]
    assert BinaryAlgebra.hessian_factor(logit) == pytest.approx(factor / np.sqrt(3.0), rel=1e-14)
    downdate = BinaryAlgebra.downdate(factor, T)
    downdates = MultinomialAlgebra.downdate(factors, np.array([[T]]))
    assert_allclose(downdate, [downdates[0][0, 0], downdates[1]], rtol=1e-6, atol=1e-15)


def test_algebra_by_number_of_outcomes():
    assert outcome_algebra(1) is BinaryAlgebra
    assert outcome_algebra(2) is outcome_algebra(7) is MultinomialAlgebra


def test_reward_gradient(rng):
    logits, gains, h = rng.standard_normal((6, 3)), np.array([0.2, 0.0, 1.0]), 1e-6
    numerical = np.empty((6, 3))
    for k, e in enumerate(np.eye(3)):
        up, down = (probabilities(logits + s * h * e)[:, 1:] @ gains for s in (1, -1))
        numerical[:, k] = (up - down) / (2 * h)
    assert_allclose(reward_gradient(probabilities(logits), gains), numerical, atol=1e-9)
