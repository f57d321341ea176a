"""Drive a policy and a literal learner with the same rounds, and compare their states."""

import numpy as np
from numpy.testing import assert_allclose

from tests.literal.eofd_mlogb import LiteralEOFDMLogB
from tests.literal.formulas import paper_lambda_eta, theory_eta, theory_lambda
from tests.literal.oful_mlogb import LiteralOFULMLogB


class Outcomes:
    """Labels 0..K with any rewards in the paper's terms: that of least reward is outcome 0, of reward 0."""

    def __init__(self, rewards):
        self.rewards = np.asarray(rewards, dtype=float)
        self.reference = int(np.argmin(self.rewards))
        self.others = np.delete(np.arange(len(self.rewards)), self.reference)
        self.gains = self.rewards[self.others] - self.rewards[self.reference]

    def literal(self, label):
        """The paper's outcome of a label."""
        return 0 if label == self.reference else int(np.flatnonzero(self.others == label)[0]) + 1

    @property
    def offset(self):
        """What policies add to the paper's score: the reference's reward, for K >= 2."""
        return self.rewards[self.reference] if len(self.others) > 1 else 0.0


def literal_of(policy, n_features, outcomes, literal=None):
    """A literal learner with the parameters of `policy` (reg_lambda, eta, radius: names or numbers)."""
    K, S = len(outcomes.gains), policy.norm_bound
    d, D = n_features, policy.context_bound
    if policy.fit_intercept:
        d, D = d + 1, np.hypot(D, 1)
    named = {
        "paper": paper_lambda_eta(K, d, S, D),
        "theory": (theory_lambda(K, d, S, D), theory_eta(K, S, D)),
    }
    settings = {
        "reg_lambda": named[policy.reg_lambda][0]
        if isinstance(policy.reg_lambda, str)
        else policy.reg_lambda,
        "eta": named[policy.eta][1] if isinstance(policy.eta, str) else policy.eta,
        "norm_bound": S,
        "context_bound": D,
        "delta": policy.delta,
        "beta": None if isinstance(policy.radius, str) else policy.radius,
        "clip_sum": policy.radius == "auto",
        "exploration": policy.exploration,
    }
    literal = literal or (LiteralEOFDMLogB if hasattr(policy, "sketch_size") else LiteralOFULMLogB)
    if literal is LiteralEOFDMLogB:
        settings["sketch_size"] = policy.sketch_size
    return literal(d, outcomes.gains, **settings)


def assert_alike(policy, literal, outcomes, actions, *, rtol, atol=0.0):
    """Assert that scores, W, Hessian, rho and radius agree; differences are relative to each one's size."""
    if policy.fit_intercept:
        extended = np.column_stack([actions, np.ones(len(actions))])
        W = np.column_stack([policy.coef_, policy.intercept_])
    else:
        extended, W = actions, policy.coef_
    assert_close(W, literal.W, rtol, atol)
    assert_close(policy.score_actions(actions) - outcomes.offset, literal.scores(extended), rtol, atol)
    Z = literal.Z if isinstance(literal, LiteralEOFDMLogB) else literal.H
    assert_close(policy._curvature.to_dense(), Z, rtol, atol)
    assert_allclose(policy.radius_, literal.radius(), rtol=rtol)
    if hasattr(policy, "sketch_error_"):
        rho = getattr(literal, "rho", 0.0)
        # rho is a sum of differences of eigenvalues of Z - lambda I, each good to rounding of the largest.
        assert_allclose(policy.sketch_error_, rho, rtol=rtol, atol=rtol * np.abs(Z - literal.lam).max())


def assert_close(actual, desired, rtol, atol=0.0):
    """Assert equality up to `rtol` times the largest entry: the error that backward stable algebra allows."""
    assert_allclose(actual, desired, rtol=0, atol=atol + rtol * max(np.abs(desired).max(), 1e-300))


def make_actions(kind, n_rounds, n_features, rng, n_actions=4):
    """Action sets (n_rounds, n_actions, n_features) of a kind; the first of each is the one to play."""
    X = rng.standard_normal((n_rounds, n_actions, n_features))
    X /= np.linalg.norm(X, axis=-1, keepdims=True)
    if kind == "repeated":
        X = X.reshape(-1, n_features)[rng.integers(3, size=(n_rounds, n_actions))]
    elif kind == "collinear":
        X = rng.uniform(-1, 1, (n_rounds, n_actions, 1)) * X[0, 0]
    elif kind == "zeros":
        X[rng.random((n_rounds, n_actions)) < 0.5] = 0.0
        X[0] = 0.0
    elif kind == "extreme":
        X[::8] *= 3000.0
    elif kind == "mixed":
        X *= 10.0 ** rng.uniform(-8, 2, (n_rounds, n_actions, 1))
    return X


def drive(policy, literal, outcomes, actions, rng, *, every=10, rtol, atol=0.0):
    """Play the first action of each set with random outcomes in both; compare on the way and at the end."""
    for t, candidates in enumerate(actions):
        label = int(rng.integers(len(outcomes.rewards)))
        x = np.append(candidates[0], 1.0) if policy.fit_intercept else candidates[0]
        policy.update(candidates[0], label)
        literal.update(x, outcomes.literal(label))
        if t % every == 0 or t == len(actions) - 1:
            assert_alike(policy, literal, outcomes, candidates, rtol=rtol, atol=atol)
