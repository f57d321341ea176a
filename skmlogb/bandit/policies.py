"""The policies: which curvature, which radius."""

import math
from numbers import Integral

import numpy as np
from sklearn.utils.validation import check_is_fitted

from .._validation import check_number
from .base import BasePolicy
from .dense import DenseCurvature
from .hyperparameters import DEFAULT_EXPLORATION
from .mlogb import MLogBPolicy
from .sketched import SketchedCurvature


class OFULMLogBPolicy(MLogBPolicy):
    """OFUL-MLogB: optimism with the full Hessian; memory and the time of a round grow like (K d)^2."""

    def __init__(
        self,
        *,
        rewards=None,
        reg_lambda="auto",
        eta="auto",
        norm_bound=1.0,
        context_bound=1.0,
        delta=0.05,
        radius="auto",
        exploration=DEFAULT_EXPLORATION,
        fit_intercept=False,
        random_state=None,
    ):
        self.rewards = rewards
        self.reg_lambda = reg_lambda
        self.eta = eta
        self.norm_bound = norm_bound
        self.context_bound = context_bound
        self.delta = delta
        self.radius = radius
        self.exploration = exploration
        self.fit_intercept = fit_intercept
        self.random_state = random_state

    def _make_curvature(self, h):
        return DenseCurvature(h.n_outcomes, h.n_features, h.reg_lambda)


class EOFDMLogBPolicy(MLogBPolicy):
    """EOFD-MLogB: optimism with a Hessian sketched by frequent directions, linear in d."""

    def __init__(
        self,
        *,
        rewards=None,
        sketch_size=0.1,
        sketch_buffer=1.0,
        reg_lambda="auto",
        eta="auto",
        norm_bound=1.0,
        context_bound=1.0,
        delta=0.05,
        radius="auto",
        exploration=DEFAULT_EXPLORATION,
        fit_intercept=False,
        random_state=None,
    ):
        self.rewards = rewards
        self.sketch_size = sketch_size
        self.sketch_buffer = sketch_buffer
        self.reg_lambda = reg_lambda
        self.eta = eta
        self.norm_bound = norm_bound
        self.context_bound = context_bound
        self.delta = delta
        self.radius = radius
        self.exploration = exploration
        self.fit_intercept = fit_intercept
        self.random_state = random_state

    @property
    def sketch_size_(self):
        """Int: m, at most K d."""
        return self._fitted_curvature.size

    @property
    def sketch_rank_(self):
        """Int: rows that the sketch has now."""
        return self._fitted_curvature.rank

    @property
    def sketch_error_(self):
        """Float: rho, what the sketch took off the Hessian so far."""
        return self._fitted_curvature.error

    @property
    def sketch_factor_(self):
        """Float: Delta_t = 1 + rho / lambda."""
        return 1 + self._fitted_curvature.error / self._hyperparameters.reg_lambda

    @property
    def _fitted_curvature(self):
        check_is_fitted(self)
        return self._curvature

    def _make_curvature(self, h):
        buffer = check_number(self.sketch_buffer, "sketch_buffer", low=0)
        size = self._resolve_size(h.n_outcomes * h.n_features)
        return SketchedCurvature(h.n_outcomes, h.n_features, h.reg_lambda, size=size, buffer=buffer)

    def _resolve_size(self, full):
        """Return m for a Hessian of `full` = K d rows."""
        if isinstance(self.sketch_size, Integral):
            return check_number(self.sketch_size, "sketch_size", low=1, integer=True)
        fraction = check_number(self.sketch_size, "sketch_size", low=0, high=1, open_low=True)
        return max(math.ceil(fraction * full * (1 - 1e-12)), min(full, 32))


class UniformPolicy(BasePolicy):
    """A control that learns nothing and chooses uniformly at random."""

    def __init__(self, *, rewards=None, random_state=None):
        self.rewards = rewards
        self.random_state = random_state

    def _admits(self, square):
        return True

    def _learn(self, x, number):
        pass

    def _scores(self, X):
        return np.zeros(X.shape[0])
