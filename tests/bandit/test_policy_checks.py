"""check_policy passes good policies and catches each kind of fault with a message that names it."""

import threading
from typing import ClassVar

import numpy as np
import pytest
from sklearn.base import BaseEstimator

from skmlogb.bandit import EOFDMLogBPolicy, OFULMLogBPolicy, UniformPolicy, check_policy


class Ridge(BaseEstimator):
    """A small policy of a user: greedy ridge regression on outcomes 0 and 1."""

    def __init__(self, random_state=None):
        self.random_state = random_state

    def _begin(self, n_features):
        if not hasattr(self, "moment_"):
            self.gram_ = np.eye(n_features)
            self.moment_ = np.zeros(n_features)
            self.rng_ = np.random.default_rng(self.random_state)

    def score_actions(self, X):
        if not hasattr(self, "moment_"):
            return np.zeros(len(X))
        return X @ np.linalg.solve(self.gram_, self.moment_)

    def select_action(self, X):
        self._begin(X.shape[1])
        scores = self.score_actions(X)
        return int(self.rng_.choice(np.flatnonzero(scores >= scores.max() - 1e-12)))

    def _check(self, X, y):
        X, y = np.atleast_2d(X), np.atleast_1d(y)
        if not np.isfinite(X).all() or len(X) != len(y) or not np.isin(y, (0, 1)).all():
            raise ValueError("bad round")
        if X.shape[1] != len(self.moment_):
            raise ValueError("bad width")
        return X, y

    def update(self, x, y):
        self._begin(np.shape(x)[-1])
        for row, outcome in zip(*self._check(x, y)):
            self._learn(row, outcome)
        return self

    def _learn(self, x, y):
        self.gram_ = self.gram_ + np.outer(x, x)
        self.moment_ = self.moment_ + y * x


@pytest.mark.parametrize(
    "policy",
    [
        Ridge(),
        UniformPolicy(),
        EOFDMLogBPolicy(),
        EOFDMLogBPolicy(rewards={"a": 1.0, "b": 0.0, "c": 0.5}, sketch_size=3),
        EOFDMLogBPolicy(rewards=[0, 1, 2], fit_intercept=True, sketch_size=3, sketch_buffer=0),
        OFULMLogBPolicy(),
        OFULMLogBPolicy(
            rewards={"a": 1.0, "b": 0.0, "c": 0.5}, radius="theory", reg_lambda="theory", eta="theory"
        ),
    ],
    ids=repr,
)
def test_good_policies_pass(policy):
    check_policy(policy)


def test_the_policy_itself_is_not_played():
    policy = EOFDMLogBPolicy()
    check_policy(policy, n_features=2)
    assert not hasattr(policy, "coef_")


class FailsCold(Ridge):
    def select_action(self, X):
        self.moment_  # noqa: B018
        return super().select_action(X)


class ReturnsRow(Ridge):
    def select_action(self, X):
        return X[super().select_action(X)]


class Unseeded(Ridge):
    def _begin(self, n_features):
        if not hasattr(self, "moment_"):
            super()._begin(n_features)
            self.rng_ = np.random.default_rng()


class SharesState(Ridge):
    """Keeps its generator where copies find it too, restarted by each new policy."""

    generators: ClassVar[dict] = {}

    def _begin(self, n_features):
        if not hasattr(self, "moment_"):
            super()._begin(n_features)
            self.generators[self.random_state] = self.rng_
            del self.rng_

    def select_action(self, X):
        self._begin(X.shape[1])
        scores = self.score_actions(X)
        best = np.flatnonzero(scores >= scores.max() - 1e-12)
        return int(self.generators[self.random_state].choice(best))


class ScoresAtRandom(Ridge):
    def score_actions(self, X):
        scores = super().score_actions(X)
        return scores + 1e-15 * self.rng_.standard_normal(len(X)) if hasattr(self, "rng_") else scores


class ScoresLearn(Ridge):
    def score_actions(self, X):
        scores = super().score_actions(X)
        if hasattr(self, "rng_"):
            self.rng_.random()
        return scores


class NotPicklable(Ridge):
    def _begin(self, n_features):
        super()._begin(n_features)
        self.lock_ = threading.Lock()


class ForgetsWhatItLearned(Ridge):
    def __getstate__(self):
        return {"random_state": self.random_state}


class ForgetsBatches(Ridge):
    def update(self, x, y):
        if np.ndim(x) == 2:
            x, y = x[-1], y[-1]
        return super().update(x, y)


class Hoards(Ridge):
    def _learn(self, x, y):
        super()._learn(x, y)
        self.log_ = [*getattr(self, "log_", []), y]


class AlwaysFirst(Ridge):
    def select_action(self, X):
        self._begin(X.shape[1])
        return int(np.argmax(self.score_actions(X)))


class FirstOnceItKnows(Ridge):
    def select_action(self, X):
        known = hasattr(self, "moment_") and self.moment_.any()
        return int(np.argmax(self.score_actions(X))) if known else super().select_action(X)


class AcceptsNaN(Ridge):
    def _check(self, X, y):
        return np.atleast_2d(X), np.atleast_1d(y)


class LearnsBeforeChecking(Ridge):
    def update(self, x, y):
        self._begin(np.shape(x)[-1])
        for row, outcome in zip(np.atleast_2d(x), np.atleast_1d(y), strict=True):
            self._learn(*(part[0] for part in self._check(row, outcome)))
        return self


@pytest.mark.parametrize(
    ("policy", "message"),
    [
        (FailsCold(), "fails before any data"),
        (ReturnsRow(), "must return the index"),
        (Unseeded(), "same seed and the same rounds"),
        (SharesState(), "playing a clone must leave the original"),
        (ScoresAtRandom(), "Scores must not be drawn at random"),
        (ScoresLearn(), "scoring must not change what the policy does next"),
        (NotPicklable(), "cannot be pickled"),
        (ForgetsWhatItLearned(), "must go on where it stopped"),
        (ForgetsBatches(), "update with a batch of rounds must learn"),
        (Hoards(), r"its pickle grew by \d+ bytes over 400 rounds"),
        (AlwaysFirst(), r"of 5 equal actions, before any data, it chose only \[0\]"),
        (FirstOnceItKnows(), "of 5 equal actions, after 30 rounds"),
        (AcceptsNaN(), "update accepted a NaN"),
        (LearnsBeforeChecking(), r"changed its attributes \['gram_'"),
    ],
    ids=lambda value: type(value).__name__ if isinstance(value, Ridge) else "",
)
def test_each_fault_is_caught(policy, message):
    with pytest.raises(AssertionError, match=message):
        check_policy(policy)


def test_plain_objects_are_checked_too():
    class Coin:
        """No parameters, no scores: a copy is a clone."""

        def __init__(self):
            self.rng = np.random.default_rng(0)

        def select_action(self, X):
            return int(self.rng.integers(len(X)))

        def update(self, x, y):
            pass

    with pytest.raises(AssertionError, match="cannot be pickled"):  # a local class
        check_policy(Coin())
