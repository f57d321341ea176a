"""A penalty of your own: the lasso on coefficients that must not be negative."""

from dataclasses import dataclass

import numpy as np

from skmlogb.datasets import make_robust_regression
from skmlogb.robust import Huber, ProxJacobian, proximal_sgd, trajectory_risk


@dataclass(frozen=True)
class NonNegativeL1:
    """alpha times the sum of the coefficients, infinite where one of them is negative."""

    alpha: float

    def value(self, coef):
        return float(self.alpha * coef.sum()) if np.all(coef >= 0) else np.inf

    def prox(self, v, step):
        if step == 0:
            return v  # the recursion's convention: a step of size 0 stays put
        return np.maximum(v - step * self.alpha, 0)

    def prox_jacobian(self, v, step):
        moves = (v > step * self.alpha) if step > 0 else np.ones(len(v))
        return ProxJacobian(moves.astype(v.dtype))

    def max_step(self):
        return np.inf


# Use: more features than rows; the coefficients that are not 0 are positive.
X, y, coef = make_robust_regression(n_samples=500, n_features=1000, coef=True, random_state=0)
step = (1 + np.sqrt(1000 / 500)) ** -2
trajectory = proximal_sgd(
    X, y, loss=Huber(1.35), penalty=NonNegativeL1(alpha=0.01), step_sizes=np.full(80, step)
)
path = trajectory_risk(X, y, trajectory, random_state=0)

truth = np.sum((trajectory.coefs - coef) ** 2, axis=1) + np.mean((y - X @ coef) ** 2)
best_iter = np.argmin(path.risk)
