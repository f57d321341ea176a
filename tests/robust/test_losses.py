"""Losses against their definitions, derivatives by finite differences, extremes, and behaviour as objects."""

import pickle

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.integrate import quad

from skmlogb.robust import Huber, PseudoHuber

LOSSES = [Huber, PseudoHuber]
epsilons = st.floats(0.01, 100)


@given(st.floats(-50, 50), epsilons)
def test_huber_is_the_integral_that_defines_it(r, epsilon):
    expected = epsilon**2 * quad(lambda x: min(1, x), 0, abs(r / epsilon), points=[1], limit=200)[0]
    assert Huber(epsilon).value(r) == pytest.approx(expected, rel=1e-8, abs=1e-12)


@given(st.floats(-50, 50), epsilons)
def test_pseudo_huber_is_its_formula(r, epsilon):
    expected = epsilon**2 * (np.sqrt(1 + (r / epsilon) ** 2) - 1)
    assert PseudoHuber(epsilon).value(r) == pytest.approx(expected, rel=1e-7, abs=epsilon**2 * 1e-14)


@pytest.mark.parametrize("loss", LOSSES)
@given(r=st.floats(-10, 10), epsilon=st.floats(0.1, 5))
def test_derivatives_are_those_of_the_value(loss, r, epsilon):
    loss, h = loss(epsilon), 1e-5
    if isinstance(loss, Huber) and abs(abs(r) - epsilon) < 2 * h:
        return  # the kink of psi
    slope = (loss.value(r + h) - loss.value(r - h)) / (2 * h)
    curvature = (loss.psi(r + h) - loss.psi(r - h)) / (2 * h)
    assert loss.psi(r) == pytest.approx(slope, abs=1e-5)
    assert loss.psi_prime(r) == pytest.approx(curvature, abs=1e-5)


@pytest.mark.parametrize("loss", LOSSES)
def test_what_the_theory_asks_of_a_loss(loss, rng):
    """psi is bounded by epsilon and 1-Lipschitz; the value is even, convex and smallest at 0."""
    loss, r = loss(0.7), np.sort(10 * rng.standard_normal(500))
    assert np.abs(loss.psi(r)).max() <= 0.7
    assert np.all(np.diff(loss.psi(r)) >= 0)
    assert np.all(np.diff(loss.psi(r)) <= np.diff(r) * (1 + 1e-12))
    assert np.all((loss.psi_prime(r) >= 0) & (loss.psi_prime(r) <= 1))
    np.testing.assert_array_equal(loss.value(r), loss.value(-r))
    assert loss.value(0.0) == 0


@pytest.mark.parametrize("loss", LOSSES)
@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_precision_is_kept_and_extremes_stay_finite(loss, dtype):
    loss = loss(1.5)
    r = np.array([0, 1e-30, 1e-3, 1.5, 1e10, -1e25], dtype)
    for values in (loss.value(r), loss.psi(r), loss.psi_prime(r)):
        assert values.dtype == dtype
        assert np.isfinite(values).all()
    tiny = dtype(1e-4)
    assert loss.value(tiny) == pytest.approx(float(tiny) ** 2 / 2, rel=1e-6)  # no cancellation
    assert loss.psi(dtype(-1e25)) == pytest.approx(-1.5)


@pytest.mark.parametrize("loss", LOSSES)
def test_integers_are_residuals_too(loss):
    np.testing.assert_array_equal(loss(1.0).psi_prime([0, 3]), loss(1.0).psi_prime([0.0, 3.0]))


def test_objects_compare_print_and_pickle():
    assert Huber(1) == Huber(1.0) != PseudoHuber(1.0)
    assert Huber(1) != Huber(2)
    assert eval(repr(PseudoHuber(0.25))) == PseudoHuber(0.25)
    assert pickle.loads(pickle.dumps(Huber(3))) == Huber(3)
    assert len({Huber(1), Huber(1.0)}) == 1


@pytest.mark.parametrize("loss", LOSSES)
@pytest.mark.parametrize(
    ("epsilon", "error"),
    [(0, ValueError), (-1, ValueError), (np.nan, ValueError), ("1", TypeError), (None, TypeError)],
)
def test_bad_epsilon(loss, epsilon, error):
    with pytest.raises(error, match="epsilon must be a number > 0"):
        loss(epsilon)
