"""The numbers a policy computes with, found from its parameters once the problem's size is known."""

import math
from dataclasses import dataclass

import numpy as np

from .._validation import check_number, check_option

# Within these, no product of a round overflows: far wider than any use, far narrower than floats.
_BOUND_RANGE = (1e-20, 1e20)
_SCALE_RANGE = (1e-50, 1e50)


@dataclass(frozen=True)
class Hyperparameters:
    """Everything fixed for the whole run; symbols as in the paper.

    `n_features` and `context_bound` include the intercept where there is one.
    """

    n_outcomes: int  # K
    n_features: int  # d
    reg_lambda: float  # lambda
    eta: float
    norm_bound: float  # S
    context_bound: float  # D
    delta: float

    @property
    def smoothness(self):
        """L of Assumption 2: the largest eigenvalue that a Hessian of the loss in the logits may have."""
        return 0.25 if self.n_outcomes == 1 else 0.5


def resolve_hyperparameters(policy, n_outcomes, n_features):
    """Check the parameters of `policy` and return its :class:`Hyperparameters`.

    Parameters
    ----------
    policy : object
        With the attributes reg_lambda, eta, norm_bound, context_bound, delta and fit_intercept.
    n_outcomes : int
        K, the reference not counted.
    n_features : int
        Length of an action, without the intercept.

    Raises
    ------
    ValueError, TypeError
        If a parameter is out of range; the message names it.
    """
    low, high = _BOUND_RANGE
    norm_bound = float(check_number(policy.norm_bound, "norm_bound", low=low, high=high))
    context_bound = float(check_number(policy.context_bound, "context_bound", low=low, high=high))
    delta = float(check_number(policy.delta, "delta", low=0, high=1, open_low=True, open_high=True))
    if not isinstance(policy.fit_intercept, (bool, np.bool_)):
        raise TypeError(
            f"fit_intercept must be a bool; got {policy.fit_intercept!r} of type"
            f" {type(policy.fit_intercept).__name__}."
        )
    if policy.fit_intercept:
        n_features, context_bound = n_features + 1, math.hypot(context_bound, 1)
    setting = (n_outcomes, n_features, norm_bound, context_bound)
    reg_lambda = _number_or_named(policy.reg_lambda, "reg_lambda", _REG_LAMBDA, setting)
    eta = _number_or_named(policy.eta, "eta", _ETA, setting)
    return Hyperparameters(n_outcomes, n_features, reg_lambda, eta, norm_bound, context_bound, delta)


def _number_or_named(value, name, named, setting):
    low, high = _SCALE_RANGE
    if not isinstance(value, str):
        return float(check_number(value, name, low=low, high=high))
    found = named[check_option(value, name, tuple(named))](*setting)
    if not low <= found <= high:
        raise ValueError(
            f"{name}={value!r} must come out in [{low}, {high}]; got {found} for "
            f"norm_bound={setting[2]} and context_bound={setting[3]}. Give a number."
        )
    return found


def _alpha(K, S, D):
    return 2 * (1 + S * D) + math.log(K + 1)


def exploration_factor(exploration, n_outcomes):
    """Return the factor on the radius beta_t, "auto" resolved.

    "auto" is the choice of the regret study in benchmarks/bandit_regret_study.py. For K >= 2 the bonus has
    a term linear in beta_t, which asks for a smaller factor.
    """
    if isinstance(exploration, str):
        check_option(exploration, "exploration", ("auto",))
        return 0.01 if n_outcomes == 1 else 0.001
    return check_number(exploration, "exploration", low=0)


def _auto_lambda(K, d, S, D):
    """The precision of a prior under which a parameter of K d entries has the mean squared norm S^2."""
    return K * d / S / S


def _auto_eta(K, d, S, D):
    """A Newton step on the Hessian of all rounds; a smaller one would forget its start too slowly."""
    return 1.0


def _paper_lambda(K, d, S, D):
    """Section 4: (sqrt(K) d)^0.75 lambda_0 with lambda_0 = sqrt(K) alpha S."""
    return (math.sqrt(K) * d) ** 0.75 * math.sqrt(K) * _alpha(K, S, D) * S


def _paper_eta(K, d, S, D):
    """Section 4: (sqrt(K) d)^0.75 eta_0 with eta_0 = S/2 + ln(K+1)/4."""
    return (math.sqrt(K) * d) ** 0.75 * (S / 2 + math.log(K + 1) / 4)


def _theory_lambda(K, d, S, D):
    """Theorem 1: the least lambda it covers."""
    L, alpha = 0.25 if K == 1 else 0.5, _alpha(K, S, D)
    return max(2 * L * D * D, alpha * max(2 * math.sqrt(6) * S * L * D * D, 24 * K * d))


def _theory_eta(K, d, S, D):
    """Theorem 1: alpha / 2."""
    return _alpha(K, S, D) / 2


_REG_LAMBDA = {"auto": _auto_lambda, "paper": _paper_lambda, "theory": _theory_lambda}
_ETA = {"auto": _auto_eta, "paper": _paper_eta, "theory": _theory_eta}
