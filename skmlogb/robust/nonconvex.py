"""The penalties that are not convex, MCP and SCAD: less bias on large coefficients, for bounded steps."""

from dataclasses import dataclass

import numpy as np

from .penalties import Penalty, ProxJacobian, soft_threshold, store_number


@dataclass(frozen=True)
class MCP(Penalty):
    """The minimax concave penalty: the lasso near 0, flat beyond ``gamma alpha``.

    Parameters
    ----------
    alpha : float
        Strength of the penalty, >= 0.
    gamma : float, default=3.7
        How slowly it flattens, > 0. Steps must be smaller than gamma.

    Examples
    --------
    >>> import numpy as np
    >>> from skmlogb.robust import MCP
    >>> MCP(alpha=1.0, gamma=2.0).prox(np.array([0.5, 1.5, 4.0]), 1.0)
    array([0., 1., 4.])
    """

    alpha: float
    gamma: float = 3.7

    def __post_init__(self):
        store_number(self, "alpha", low=0)
        store_number(self, "gamma", low=0, open_low=True)

    def value(self, coef):
        size = np.minimum(np.abs(coef), self.gamma * self.alpha)
        return float(np.sum(self.alpha * size - size**2 / (2 * self.gamma)))

    def prox(self, v, step):
        near = soft_threshold(v, step * self.alpha) / (1 - step / self.gamma)
        return np.where(np.abs(v) <= self.gamma * self.alpha, near, v)

    def _jacobian(self, v, step):
        near = (np.abs(v) > step * self.alpha).astype(v.dtype) / (1 - step / self.gamma)
        return ProxJacobian(np.where(np.abs(v) <= self.gamma * self.alpha, near, 1).astype(v.dtype))

    def max_step(self):
        return self.gamma


@dataclass(frozen=True)
class SCAD(Penalty):
    """The smoothly clipped absolute deviation: the lasso up to alpha, flat beyond ``gamma alpha``.

    Parameters
    ----------
    alpha : float
        Strength of the penalty, >= 0.
    gamma : float, default=3.7
        Where it becomes flat, in units of alpha, > 1. Steps must be smaller than gamma - 1.

    Examples
    --------
    >>> import numpy as np
    >>> from skmlogb.robust import SCAD
    >>> SCAD(alpha=1.0, gamma=4.0).prox(np.array([0.5, 2.0, 3.0, 5.0]), 1.0)
    array([0. , 1. , 2.5, 5. ])
    """

    alpha: float
    gamma: float = 3.7

    def __post_init__(self):
        store_number(self, "alpha", low=0)
        store_number(self, "gamma", low=1, open_low=True)

    def value(self, coef):
        size = np.minimum(np.abs(coef), self.gamma * self.alpha)
        beyond = np.maximum(size - self.alpha, 0)
        return float(np.sum(self.alpha * size - beyond**2 / (2 * (self.gamma - 1))))

    def prox(self, v, step):
        size, rest = np.abs(v), self.gamma - 1 - step
        middle = ((self.gamma - 1) * v - np.sign(v) * step * self.gamma * self.alpha) / rest
        beyond = np.where(size <= self.gamma * self.alpha, middle, v)
        return np.where(size <= self.alpha * (1 + step), soft_threshold(v, step * self.alpha), beyond)

    def _jacobian(self, v, step):
        size = np.abs(v)
        slope = np.where(size <= self.gamma * self.alpha, (self.gamma - 1) / (self.gamma - 1 - step), 1)
        slope = np.where(size <= self.alpha * (1 + step), size > step * self.alpha, slope)
        return ProxJacobian(slope.astype(v.dtype))

    def max_step(self):
        return self.gamma - 1
