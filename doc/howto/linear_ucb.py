"""A policy of your own: optimism with a linear model of the reward (LinUCB)."""

import numpy as np
from scipy.sparse import issparse

from skmlogb.bandit import BasePolicy, EOFDMLogBPolicy, UniformPolicy, check_policy
from skmlogb.simulation import MLogBEnvironment, run_trials


class LinearUCBPolicy(BasePolicy):
    """Ridge regression of the reward on the action, and a bonus of `width` standard errors."""

    def __init__(self, *, rewards=None, width=1.0, reg_lambda=1.0, random_state=None):
        self.rewards = rewards
        self.width = width
        self.reg_lambda = reg_lambda
        self.random_state = random_state

    def _begin(self, outcomes, n_features):
        super()._begin(outcomes, n_features)
        self._inverse = np.eye(n_features) / self.reg_lambda  # of lambda I + sum of x x'
        self._target = np.zeros(n_features)  # sum of reward times x
        self._gain_of = np.append(0.0, outcomes.gains)  # above the reference outcome's, which is number 0

    def _learn(self, x, number):
        image = self._inverse @ x
        self._inverse -= np.outer(image, image) / (1 + x @ image)
        self._target += self._gain_of[number] * x

    def _scores(self, X):
        X = X.toarray() if issparse(X) else X
        images = X @ self._inverse
        variances = np.einsum("ij,ij->i", images, X)
        return images @ self._target + self.width * np.sqrt(np.maximum(variances, 0))


# Use: the checks that every policy here passes, then a comparison on the same rounds.
check_policy(LinearUCBPolicy(rewards={"ignored": 0, "clicked": 0.2, "bought": 1}))

policies = {
    "LinUCB": LinearUCBPolicy(width=0.5),
    "EOFD-MLogB": EOFDMLogBPolicy(norm_bound=3.0),
    "uniform": UniformPolicy(),
}
environment = MLogBEnvironment(n_features=5, n_outcomes=3, norm=3.0, random_state=0)
results = run_trials(policies, environment, n_rounds=500, n_trials=3, random_state=0)
