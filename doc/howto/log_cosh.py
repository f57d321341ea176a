"""A loss of your own: log-cosh, smooth, with a slope that is bounded."""

from dataclasses import dataclass

import numpy as np

from skmlogb.datasets import make_robust_regression
from skmlogb.robust import proximal_sgd, trajectory_risk


@dataclass(frozen=True)
class LogCosh:
    """epsilon^2 log cosh(r / epsilon): like r^2 / 2 near 0, like epsilon |r| far out."""

    epsilon: float = 1.35

    def value(self, residuals):
        size = np.abs(residuals) / self.epsilon
        return self.epsilon**2 * (size + np.log1p(np.exp(-2 * size)) - np.log(2))

    def psi(self, residuals):
        return self.epsilon * np.tanh(residuals / self.epsilon)

    def psi_prime(self, residuals):
        return 1 - np.tanh(residuals / self.epsilon) ** 2


# Use: half as many features as rows, and noise of infinite variance.
X, y, coef = make_robust_regression(n_samples=1000, n_features=500, coef=True, random_state=0)
step = (1 + np.sqrt(500 / 1000)) ** -2  # one over the largest eigenvalue of X'X/n, for Gaussian features
trajectory = proximal_sgd(X, y, loss=LogCosh(), step_sizes=np.full(60, step))
path = trajectory_risk(X, y, trajectory, random_state=0)

# The data are made, so that the truth is known; the training error says nothing about it.
truth = np.sum((trajectory.coefs - coef) ** 2, axis=1) + np.mean((y - X @ coef) ** 2)
best_iter = np.argmin(path.risk)
