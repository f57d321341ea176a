"""An environment of your own: a taste that turns while the policy is learning it."""

import numpy as np
from scipy.special import softmax

from skmlogb.bandit import EOFDMLogBPolicy, UniformPolicy
from skmlogb.simulation import run_trials


class DriftingEnvironment:
    """Ten items a round; what makes people click and buy turns by a full circle in `period` rounds."""

    def __init__(self, period, n_features=4, strength=4.0):
        self.outcome_rewards = {"ignored": 0.0, "clicked": 0.2, "bought": 1.0}
        self.period = period
        self.n_features = n_features
        self.strength = strength

    def rounds(self, rng):
        # Everything random comes from `rng`, and nothing is written to self: the stream can be replayed.
        start, ahead = np.linalg.qr(rng.standard_normal((self.n_features, 2)))[0].T
        t = 0
        while True:
            angle = 2 * np.pi * t / self.period
            taste = self.strength * (np.cos(angle) * start + np.sin(angle) * ahead)
            items = rng.standard_normal((10, self.n_features))
            items /= np.linalg.norm(items, axis=1, keepdims=True)
            liking = items @ taste
            yield items, softmax(np.column_stack([np.zeros(10), liking, liking - 1]), axis=1)
            t += 1


# Use: how much does it cost a policy that believes in a fixed taste?
policies = {"EOFD-MLogB": EOFDMLogBPolicy(norm_bound=6.0), "uniform": UniformPolicy()}
final_regret = {}
for period in (1_000_000, 1_000):
    results = run_trials(policies, DriftingEnvironment(period), n_rounds=400, n_trials=3, random_state=0)
    final_regret[period] = {row["policy"]: row["regret_mean"] for row in results.summary()}
