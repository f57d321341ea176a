"""The settings of section 4 of the bandit paper: environments, and the policies that meet in them."""

import math
from dataclasses import dataclass
from functools import lru_cache

import numpy as np

from benchmarks.common import load_data
from skmlogb.bandit import EOFDMLogBPolicy, OFULMLogBPolicy
from skmlogb.simulation import ClassificationEnvironment, MLogBEnvironment
from tests.literal.eofd_mlogb import LiteralEOFDMLogB
from tests.literal.formulas import paper_lambda_eta
from tests.literal.oful_mlogb import LiteralOFULMLogB

EXACT, BUFFERED, OFUL, UNIFORM = "EOFD exact", "EOFD buffered", "OFUL", "uniform"
LITERAL_EOFD, LITERAL_OFUL = "literal EOFD", "literal OFUL"
RADII = {  # (36) with the theorem's factor 1; or as the policies take it unless told otherwise
    "theory": {"radius": "theory", "exploration": 1.0},
    "default": {},
}
CHOICES = RADII | {"all defaults": {"reg_lambda": "auto", "eta": "auto"}}
NAMES = {
    "theory": "paper's lambda and eta, radius (36)",
    "default": "paper's lambda and eta, default radius",
    "all defaults": "this package's defaults",
}
NORMS = (1.0, 10.0)  # S: the paper does not print it


@dataclass(frozen=True)
class Setting:
    """One panel of the paper's figures."""

    panel: str
    title: str
    n_features: int
    rewards: tuple
    context_bound: float

    @property
    def n_outcomes(self):
        """K: outcomes, the reference not counted."""
        return len(self.rewards) - 1

    @property
    def sketch_size(self):
        """The paper's m: a tenth of K d, rounded down."""
        return self.n_outcomes * self.n_features // 10

    def environment(self, norm):
        """Return the environment; `norm` is that of W* where it is drawn, anew in each trial."""
        if self.panel == "a":
            return _mnist()
        return MLogBEnvironment(
            n_features=self.n_features,
            n_outcomes=len(self.rewards),
            n_actions=(10, 30),
            rewards=self.rewards,
            norm=norm,
        )

    def policies(self, norm, choice, n_rounds, **hyperparameters):
        """Return the policies by name, with the paper's lambda and eta unless others are chosen."""
        common = {
            "rewards": dict(enumerate(self.rewards)),
            "reg_lambda": "paper",
            "eta": "paper",
            "norm_bound": norm,
            "context_bound": self.context_bound,
            "delta": 1 / n_rounds,
            **CHOICES[choice],
            **hyperparameters,
        }
        return {
            OFUL: OFULMLogBPolicy(**common),
            EXACT: EOFDMLogBPolicy(sketch_size=self.sketch_size, sketch_buffer=0, **common),
            BUFFERED: EOFDMLogBPolicy(sketch_size=self.sketch_size, **common),
        }

    def literal_policies(self, norm, n_rounds):
        """Return both algorithms as the paper writes them, with the radius (36)."""
        reg_lambda, eta = self.lambda_and_eta(norm)
        common = {
            "reg_lambda": reg_lambda,
            "eta": eta,
            "norm_bound": norm,
            "context_bound": self.context_bound,
            "delta": 1 / n_rounds,
        }
        gains = self.rewards[1:]
        return {
            LITERAL_EOFD: _LiteralEOFD(self.n_features, gains, sketch_size=self.sketch_size, **common),
            LITERAL_OFUL: _LiteralOFUL(self.n_features, gains, **common),
        }

    def lambda_and_eta(self, norm, l=0.75, e=0.75):
        """Return ((sqrt(K) d)^l lambda_0, (sqrt(K) d)^e eta_0)."""
        problem = (self.n_outcomes, self.n_features, norm, self.context_bound)
        return paper_lambda_eta(*problem, power=l)[0], paper_lambda_eta(*problem, power=e)[1]

    def largest_curvature(self, norm, n_rounds):
        """Return the largest trace that all rounds can add to the Hessian, in units of lambda."""
        K = self.n_outcomes
        largest_trace = 0.25 if K == 1 else 1 - 1 / K  # of diag(p) - p p'
        return n_rounds * largest_trace * self.context_bound**2 / self.lambda_and_eta(norm)[0]


SETTINGS = {
    setting.panel: setting
    for setting in (
        Setting("a", "MNIST, label 1 rewarded: d = 785, K = 1", 785, (0.0, 1.0), math.sqrt(2)),
        Setting("b", "synthetic: d = 100, K = 4", 100, (0.0, 0.25, 0.5, 0.75, 1.0), 1.0),
        Setting("c", "synthetic: d = 400, K = 1", 400, (0.0, 1.0), 1.0),
    )
}


class _LiteralEOFD(LiteralEOFDMLogB):
    """The literal learner under the name that trials call."""

    select_action = LiteralEOFDMLogB.select


class _LiteralOFUL(LiteralOFULMLogB):
    """The literal learner under the name that trials call."""

    select_action = LiteralOFULMLogB.select


@lru_cache(maxsize=1)
def _mnist():
    """Every image scaled to length 1, a constant 1 appended."""
    pixels, digits = load_data("mnist70k")
    X = np.ones((pixels.shape[0], pixels.shape[1] + 1))
    np.divide(pixels, np.linalg.norm(pixels, axis=1, keepdims=True), out=X[:, :-1])
    return ClassificationEnvironment(X, digits.astype(int), target=1, n_actions=10)
