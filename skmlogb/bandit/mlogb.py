"""Policies that follow a multinomial logistic model of the outcomes, whatever measures its uncertainty."""

import math

import numpy as np
from scipy import sparse
from sklearn.base import ClassifierMixin
from sklearn.utils.validation import check_is_fitted

from .._validation import cast_result, check_actions, check_no_overflow, check_number, check_option
from .base import BasePolicy
from .hyperparameters import exploration_factor, resolve_hyperparameters
from .optimism import optimistic_rewards
from .outcome_model import probabilities
from .radius import eofd_radius

# Numbers of working memory for scoring: larger sets of actions are scored in chunks.
_BUDGET = 2**22


class MLogBPolicy(ClassifierMixin, BasePolicy):
    """Base of optimistic policies with a multinomial logistic model: W_t, a curvature and a radius.

    A subclass supplies ``_make_curvature(hyperparameters)`` and the parameters that
    :class:`~skmlogb.bandit.OFULMLogBPolicy` has.
    """

    @property
    def coef_(self):
        """Array of shape (K, n_features): W, rows in the order of `classes_` without `reference_class_`."""
        check_is_fitted(self)
        return self._curvature.coef[:, : self.n_features_in_]

    @property
    def intercept_(self):
        """Array of shape (K,): the weight of the constant action, 0 where there is none."""
        check_is_fitted(self)
        W = self._curvature.coef
        return W[:, -1].copy() if self._has_intercept else np.zeros(len(W))

    @property
    def radius_(self):
        """Float: the current beta_t after `exploration`."""
        check_is_fitted(self)
        return self._beta()

    def predict_proba(self, X):
        """Return the estimated probability of each outcome of each action.

        Parameters
        ----------
        X : array-like or sparse matrix of shape (n_actions, n_features)
            Actions.

        Returns
        -------
        probabilities : array of shape (n_actions, n_classes)
            Columns in the order of `classes_`; float32 for float32 actions.

        Raises
        ------
        sklearn.exceptions.NotFittedError
            Before any data.
        ValueError, TypeError
            If the actions are refused.
        """
        p, dtype = self._probabilities(X)
        order = np.insert(np.arange(1, p.shape[1]), self._outcomes.reference, 0)
        return p[:, order].astype(dtype, copy=False)

    def predict(self, X):
        """Return the likeliest outcome of each action.

        Parameters
        ----------
        X : array-like or sparse matrix of shape (n_actions, n_features)
            Actions.

        Returns
        -------
        labels : array of shape (n_actions,)

        Raises
        ------
        sklearn.exceptions.NotFittedError
            Before any data.
        ValueError, TypeError
            If the actions are refused.
        """
        likeliest = self.predict_proba(X).argmax(axis=1)
        return self.classes_[likeliest]

    def predict_reward(self, X):
        """Return the estimated expected reward of each action, without optimism.

        Parameters
        ----------
        X : array-like or sparse matrix of shape (n_actions, n_features)
            Actions.

        Returns
        -------
        rewards : array of shape (n_actions,)
            In the units of `rewards`; float32 for float32 actions.

        Raises
        ------
        sklearn.exceptions.NotFittedError
            Before any data.
        ValueError, TypeError
            If the actions are refused.
        """
        p, dtype = self._probabilities(X)
        outcomes = self._outcomes
        rewards = outcomes.rewards[outcomes.reference] + p[:, 1:] @ outcomes.gains
        return cast_result(rewards, dtype, "rewards")

    def _probabilities(self, X):
        check_is_fitted(self)
        X = check_actions(self, X)
        W = self._curvature.coef
        with np.errstate(over="ignore", invalid="ignore"):
            logits = X @ W[:, : self.n_features_in_].T
        if self._has_intercept:
            logits = logits + W[:, -1]
        check_no_overflow(logits, "logits", X)
        return probabilities(logits), X.dtype

    def _begin(self, outcomes, n_features):
        super()._begin(outcomes, n_features)
        self._hyperparameters = resolve_hyperparameters(self, len(outcomes.gains), n_features)
        self._curvature = self._make_curvature(self._hyperparameters)
        self._has_intercept = bool(self.fit_intercept)
        self._squares = self._moved = self._travelled = 0.0
        self._beta()  # refuses a bad radius or exploration before any state is kept

    def _admits(self, square):
        """Whether actions of this total squared length keep every product of a round far from overflow."""
        h = self._hyperparameters
        return (self._squares + square) * max(h.eta, 1.0) < 1e50 * min(h.reg_lambda, 1.0)

    def _learn(self, x, number):
        h = self._hyperparameters
        if self._has_intercept:
            x = np.append(x, 1.0)
        moved, travelled = self._curvature.learn(x, number, eta=h.eta, norm_bound=h.norm_bound)
        self._squares += float(x.dot(x))
        self._moved += moved
        self._travelled += travelled

    def _scores(self, X):
        n_rows = self._curvature.chunk_rows(X, _BUDGET)
        if X.shape[0] > n_rows:
            starts = range(0, X.shape[0], n_rows)
            return np.concatenate([self._scores(X[start : start + n_rows]) for start in starts])
        gains = self._outcomes.gains
        logits, norms = self._curvature.score_parts(_append_one(X) if self._has_intercept else X)
        if len(gains) > 1:  # what takes their eigenvalues raises where they are not finite
            check_no_overflow(norms, "norms", X)
        scores = optimistic_rewards(logits, norms, gains, self._beta())
        return scores if len(gains) == 1 else scores + self._outcomes.rewards[self._outcomes.reference]

    def _beta(self):
        exploration = exploration_factor(self.exploration, len(self._outcomes.gains))
        radius = self.radius
        if isinstance(radius, str) and check_option(radius, "radius", ("auto", "theory")):
            value = eofd_radius(
                self._hyperparameters,
                n_rounds=self.n_rounds_,
                size=self._curvature.rank_bound,
                error=self._curvature.error,
                moved=self._moved,
                travelled=self._travelled,
                clip_sum=radius == "auto",
            )
        elif callable(radius):
            value = check_number(radius(self), "radius(policy)", low=0)
        else:
            value = check_number(radius, "radius", low=0)
        if not math.isfinite(exploration * value):
            raise ValueError(
                f"radius={radius!r} with exploration={self.exploration!r} overflows; got {value} for "
                f"{self._hyperparameters}."
            )
        return exploration * value


def _append_one(X):
    """Return X with a column of ones."""
    ones = np.ones((X.shape[0], 1), dtype=X.dtype)
    return sparse.hstack([X, ones], format="csr") if sparse.issparse(X) else np.hstack([X, ones])
