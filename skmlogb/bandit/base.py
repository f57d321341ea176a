"""What every policy does: check actions and outcomes, learn round by round, choose among scored actions."""

import copy
import math

import numpy as np
from sklearn.base import BaseEstimator
from sklearn.utils import check_random_state

from .._validation import (
    cast_result,
    check_actions,
    check_no_overflow,
    check_outcomes,
    is_plain_actions,
    plain_square,
)
from .rewards import label_array, resolve_outcomes


class BasePolicy(BaseEstimator):
    """Base of policies over actions that are rows of a matrix, with outcomes that are labels.

    A subclass has the parameters `rewards` and `random_state`, and three steps: ``_begin(outcomes,
    n_features)`` sets its state before any round, ``_learn(x, number)`` takes in one round, its action (d,)
    and the number of its outcome, 0 the one of least reward, and ``_scores(X)`` returns what each action is
    worth. Checks, replay, ties and cold starts are here: a policy without data acts on a throw-away copy of
    itself that has begun, so that acting sets no attribute.

    Examples
    --------
    A policy that prefers what it has seen least of:

    >>> import numpy as np
    >>> from skmlogb.bandit import BasePolicy
    >>> class NoveltyPolicy(BasePolicy):
    ...     def __init__(self, *, rewards=None, random_state=None):
    ...         self.rewards, self.random_state = rewards, random_state
    ...     def _begin(self, outcomes, n_features):
    ...         super()._begin(outcomes, n_features)
    ...         self._seen = np.zeros(n_features)
    ...     def _learn(self, x, number):
    ...         self._seen += np.abs(x)
    ...     def _scores(self, X):
    ...         return -(abs(X) @ self._seen)
    >>> policy = NoveltyPolicy().update([1.0, 0.0], 1)
    >>> policy.select_action(np.eye(2))
    1
    """

    def fit(self, X, y):
        """Forget everything, then learn from rounds in their order.

        Parameters
        ----------
        X : array-like or sparse matrix of shape (n_rounds, n_features)
            The action played in each round.
        y : array-like of shape (n_rounds,)
            The outcome of each round.

        Returns
        -------
        self : object
            The policy.

        Raises
        ------
        ValueError, TypeError
            If a parameter, an action or an outcome is refused; the policy is then as before.
        """
        generator = _generator(self.random_state)
        self._replay(X, y, forget=True)
        self._random = generator
        return self

    def partial_fit(self, X, y, classes=None):
        """Learn from further rounds, of whatever actions, in their order.

        Parameters
        ----------
        X : array-like or sparse matrix of shape (n_rounds, n_features)
            The action played in each round; it need not be the last one selected.
        y : array-like of shape (n_rounds,)
            The outcome of each round.
        classes : array-like of shape (n_classes,), default=None
            All labels, in the order of `rewards` where that is a sequence; needed by the first call only, and
            only where `rewards` and `y` do not tell them.

        Returns
        -------
        self : object
            The policy.

        Raises
        ------
        ValueError, TypeError
            If an action or an outcome is refused; the policy is then as before.
        """
        return self._replay(X, y, classes=classes)

    def update(self, x, y):
        """Learn from one round, or from several.

        Parameters
        ----------
        x : array-like or sparse matrix of shape (n_features,) or (n_rounds, n_features)
            The action played, or one a row.
        y : label or array-like of shape (n_rounds,)
            Its outcome, or one a round.

        Returns
        -------
        self : object
            The policy.

        Raises
        ------
        ValueError, TypeError
            If an action or an outcome is refused; the policy is then as before.
        """
        number = None if self._needs_full_check() else self._plain_outcome(x, y)
        if number is None:
            return self._replay(_as_rows(x), [y] if np.ndim(y) == 0 else y)
        self._learn(np.ascontiguousarray(x, dtype=float), number)
        self.n_rounds_ += 1
        return self

    def select_action(self, X):
        """Choose an action; before any data too.

        Parameters
        ----------
        X : array-like or sparse matrix of shape (n_actions, n_features)
            The actions of one decision. For a batch of decisions: an array of shape (n_decisions, n_actions,
            n_features), or a list with one matrix for each.

        Returns
        -------
        action : int
            Row of the action with the highest score; ties, within ``1e-12 (1 + |score|)``, are broken at
            random.
            For a batch: an array of integers, the same as if the decisions had been asked for one by one.

        Raises
        ------
        ValueError, TypeError
            If the actions are refused; no random number is drawn then.
        """
        if not self._needs_full_check() and is_plain_actions(X, self.n_features_in_):
            return self._choose(self._finite_scores(X))
        if _is_batch(X):
            scores = [self._checked_scores(actions)[0] for actions in X]
            return np.array([self._choose(each) for each in scores], dtype=int)
        return self._choose(self._checked_scores(X)[0])

    def score_actions(self, X):
        """Return what `select_action` maximises; draws nothing and changes nothing.

        Parameters
        ----------
        X : array-like or sparse matrix of shape (n_actions, n_features)
            Actions.

        Returns
        -------
        scores : array of shape (n_actions,)
            Computed in double precision, returned as float32 for float32 actions.

        Raises
        ------
        ValueError, TypeError
            If the actions are refused.
        """
        scores, dtype = self._checked_scores(X)
        return cast_result(scores, dtype, "scores")

    def _checked_scores(self, X):
        known = self.__sklearn_is_fitted__()
        X = check_actions(self, X, known=known)
        policy = self
        if not known:
            policy = copy.copy(self)
            policy.n_features_in_ = X.shape[1]
            policy._begin(resolve_outcomes(self.rewards), X.shape[1])
        return policy._finite_scores(X), X.dtype

    def _finite_scores(self, X):
        with np.errstate(over="ignore", invalid="ignore"):
            scores = self._scores(X)
            check_no_overflow(scores, "scores", X)
        return scores

    def _choose(self, scores):
        first = int(scores.argmax())
        best = float(scores[first])
        near = scores >= best - 1e-12 * (1 + abs(best))
        if np.count_nonzero(near) == 1:
            return first
        tied = near.nonzero()[0]
        if getattr(self, "_random", None) is None:
            self._random = _generator(self.random_state)
        return int(tied[self._random.randint(len(tied))])

    def _plain_outcome(self, x, y):
        """Return the number of the outcome of one round that needs no further check, else None."""
        square = plain_square(x, self.n_features_in_)
        if not (math.isfinite(square) and self._admits(square)):
            return None
        try:
            return self._outcomes.number_of.get(y)
        except TypeError:  # several outcomes, or nothing that can be one
            return None

    def _replay(self, X, y, *, classes=None, forget=False):
        """Check everything, then learn the rounds one after the other; nothing fails once learning begins."""
        before = self.__dict__.copy()
        try:
            first = forget or not self.__sklearn_is_fitted__()
            X = check_actions(self, X, reset=first)
            y = check_outcomes(self, y, X.shape[0])
            if first:
                self._begin(resolve_outcomes(self.rewards, y, classes, refuse_single=forget), X.shape[1])
            elif classes is not None:
                self._check_classes(classes)
            numbers = self._outcomes.encode(y)
            rows = X if isinstance(X, np.ndarray) else None
            squares = np.einsum("ij,ij->i", X, X, dtype=float) if rows is not None else _squares(X)
            with np.errstate(over="ignore"):
                total = squares.sum()
            if not self._admits(total):
                raise ValueError(
                    f"X has actions that overflow with reg_lambda and eta: entries up to {abs(X).max():.3g}. "
                    "Scale X."
                )
        except BaseException:
            self.__dict__.clear()
            self.__dict__.update(before)
            raise
        for i, number in enumerate(numbers):
            x = X[i] if rows is not None else X[[i]].toarray()[0]
            self._learn(np.ascontiguousarray(x, dtype=float), number)
            self.n_rounds_ += 1
        return self

    def _begin(self, outcomes, n_features):
        """Set the state of a policy that has seen no round."""
        _generator(self.random_state)  # refused here, not at the first tie
        self._outcomes = outcomes
        self.classes_ = outcomes.classes
        self.rewards_ = outcomes.rewards
        self.reference_class_ = outcomes.classes[outcomes.reference]
        self.n_rounds_ = 0

    def _admits(self, square):
        """Whether actions of this total squared length can be learnt without overflow."""
        return True

    def _check_classes(self, classes):
        classes = np.unique(label_array(classes, "classes"))
        if not np.array_equal(classes, self.classes_):
            raise ValueError(
                f"classes must be those of the first call, {self.classes_.tolist()!r}; "
                f"got {classes.tolist()!r}."
            )

    def _needs_full_check(self):
        """Whether actions must pass scikit-learn's check of names, or any width is right."""
        return "classes_" not in self.__dict__ or "feature_names_in_" in self.__dict__

    def __sklearn_is_fitted__(self):
        return "classes_" in self.__dict__

    def __sklearn_tags__(self):
        tags = super().__sklearn_tags__()
        tags.input_tags.sparse = True
        tags.target_tags.required = True
        return tags


def _generator(random_state):
    """Return a generator of the policy's own: never numpy's global one."""
    if random_state is None:
        return np.random.RandomState()
    try:
        return check_random_state(random_state)
    except ValueError:
        raise ValueError(
            "random_state must be None, an integer in [0, 2**32 - 1] or a RandomState instance; "
            f"got {random_state!r}."
        ) from None


def _as_rows(x):
    """Return one action as a matrix of one row; several are that already."""
    if getattr(x, "ndim", None) == 1 and hasattr(x, "to_frame"):
        return x.to_frame().T.infer_objects()  # a pandas Series keeps its names
    if hasattr(x, "tocsr"):
        return x.reshape(1, -1) if x.ndim == 1 else x  # a row of a csr_array
    return np.asarray(x)[None] if np.ndim(x) == 1 else x


def _squares(X):
    """Return the squared length of each row of a CSR matrix."""
    return np.asarray(X.multiply(X).sum(axis=1), dtype=float).ravel()


def _is_batch(X):
    """Whether `X` is a 3-d array or a list of 2-d ones."""
    if isinstance(X, (list, tuple)):
        return len(X) > 0 and (getattr(X[0], "ndim", None) or np.ndim(X[0])) == 2
    return getattr(X, "ndim", 2) == 3
