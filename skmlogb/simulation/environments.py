"""Environments: streams of rounds, each a set of actions with the probability of every outcome.

An environment is any object with

- ``outcome_rewards``: a mapping from each outcome's label to its reward, and
- ``rounds(rng)``: an iterator over ``(actions, probabilities)``: `actions` (n_actions, n_features), dense
  or CSR, and `probabilities` (n_actions, n_outcomes) with columns in the order of ``outcome_rewards``. All
  that is random comes from the :class:`numpy.random.Generator` it is given, and calling it leaves the
  environment as it was, so that the stream can be replayed.

:func:`~skmlogb.simulation.run_trials` draws the outcomes.
"""

import copy
from collections.abc import Mapping

import numpy as np
from scipy.special import softmax
from sklearn.base import BaseEstimator
from sklearn.utils import check_array, check_consistent_length, check_random_state, column_or_1d
from sklearn.utils.multiclass import check_classification_targets

from .._validation import check_number


class MLogBEnvironment(BaseEstimator):
    """Outcomes drawn from a multinomial logistic model of the action, equation (1) of [1]_.

    The outcomes are 0..n_outcomes-1; outcome 0 is the model's reference, whose logit is 0.

    Parameters
    ----------
    n_features : int
        Length d of an action.
    n_outcomes : int
        Number of outcomes, K + 1, at least 2.
    n_actions : int or (int, int), default=(10, 30)
        Number of actions of a round, or the range (ends included) it is drawn from.
    rewards : None, sequence or mapping, default=None
        Reward of each outcome; None: equally spaced in [0, 1].
    norm : float, default=1.0
        Frobenius norm of the parameter, whose direction is drawn.
    actions : {"sphere", "ball", "cube"}, array or callable, default="sphere"
        Where actions come from, fresh every round: uniform on the unit sphere; uniform in the unit ball;
        uniform in [-1, 1]^d, then scaled to length 1; drawn without replacement from the rows of an array,
        dense or CSR (all of them, where `n_actions` is at least their number); or what ``actions(rng, n)``
        returns, of shape (n, n_features).
    coef : array of shape (n_outcomes - 1, n_features), default=None
        The parameter itself, instead of a drawn one; `norm` is then not used.
    random_state : int, RandomState instance or None, default=None
        None: every stream of rounds draws a parameter of its own. A seed fixes the parameter for all of them.

    References
    ----------
    .. [1] L. He, Y.-J. Zhang, S. Yang, L. Zhang. Efficient Multinomial Logistic Bandit via Frequent
           Directions. 2026.

    Examples
    --------
    >>> import numpy as np
    >>> from skmlogb.simulation import MLogBEnvironment
    >>> environment = MLogBEnvironment(n_features=5, n_outcomes=3, n_actions=4, random_state=0)
    >>> environment.outcome_rewards
    {0: 0.0, 1: 0.5, 2: 1.0}
    >>> actions, probabilities = next(environment.rounds(np.random.default_rng(0)))
    >>> actions.shape, probabilities.shape
    ((4, 5), (4, 3))
    """

    def __init__(
        self,
        *,
        n_features,
        n_outcomes,
        n_actions=(10, 30),
        rewards=None,
        norm=1.0,
        actions="sphere",
        coef=None,
        random_state=None,
    ):
        self.n_features = n_features
        self.n_outcomes = n_outcomes
        self.n_actions = n_actions
        self.rewards = rewards
        self.norm = norm
        self.actions = actions
        self.coef = coef
        self.random_state = random_state

    @property
    def outcome_rewards(self):
        """dict: Reward of each outcome."""
        n_outcomes = check_number(self.n_outcomes, "n_outcomes", low=2, integer=True)
        return _outcome_rewards(self.rewards, range(n_outcomes))

    def rounds(self, rng=None):
        """Yield rounds without end.

        Parameters
        ----------
        rng : numpy.random.Generator, default=None
            What everything random is drawn from; None: a fresh one.

        Yields
        ------
        actions : array of shape (n_actions, n_features)
            The actions of the round.
        probabilities : array of shape (n_actions, n_outcomes)
            Probability of each outcome, by action.

        Raises
        ------
        ValueError, TypeError
            If a parameter is out of range; the message names it.
        """
        rng = np.random.default_rng(rng)
        low, high = self._action_range()
        draw = self._action_source()
        n_classes, n_features = len(self.outcome_rewards) - 1, self.n_features
        coef = self.coef
        if coef is None:
            norm = check_number(self.norm, "norm", low=0, high=1e100)
            source = rng
            if self.random_state is not None:  # copied, so that every stream draws the same parameter from it
                source = check_random_state(copy.deepcopy(self.random_state))
            coef = source.standard_normal((n_classes, n_features))
            coef *= norm / np.linalg.norm(coef)
        coef = check_array(coef, input_name="coef")
        if coef.shape != (n_classes, n_features):
            raise ValueError(
                f"coef must have shape (n_outcomes - 1, n_features) = {(n_classes, n_features)}; "
                f"got {coef.shape}."
            )
        return self._stream(rng, draw, low, high, coef)

    @staticmethod
    def _stream(rng, draw, low, high, coef):
        while True:
            actions = draw(rng, int(rng.integers(low, high + 1)))
            if actions.shape[1] != coef.shape[1]:
                raise ValueError(
                    f"actions must have n_features = {coef.shape[1]} columns; got {actions.shape[1]}."
                )
            with np.errstate(over="ignore", invalid="ignore"):
                logits = actions @ coef.T
            if not np.isfinite(logits).all():
                raise ValueError(
                    "actions and coef (or norm) give logits that overflow: entries up to"
                    f" {abs(actions).max():.3g} and {np.abs(coef).max():.3g}."
                )
            yield actions, softmax(np.column_stack([np.zeros(len(logits)), logits]), axis=1)

    def _action_range(self):
        pair = isinstance(self.n_actions, (tuple, list, np.ndarray))
        sizes = tuple(self.n_actions) if pair else (self.n_actions,) * 2
        if len(sizes) != 2:
            raise ValueError(f"n_actions must be an integer or a pair (low, high); got {self.n_actions!r}.")
        low, high = (check_number(size, "n_actions", low=1, integer=True) for size in sizes)
        if low > high:
            raise ValueError(
                f"n_actions must be a pair (low, high) with low <= high; got {self.n_actions!r}."
            )
        return low, high

    def _action_source(self):
        """Return a function of (rng, n) that draws the actions of a round."""
        n_features = check_number(self.n_features, "n_features", low=1, integer=True)
        if callable(self.actions):
            return lambda rng, n: check_array(self.actions(rng, n), accept_sparse="csr", input_name="actions")
        if isinstance(self.actions, str):
            if self.actions not in _SHAPES:
                raise ValueError(
                    f"actions must be one of {', '.join(map(repr, _SHAPES))}, an array or a callable; "
                    f"got {self.actions!r}."
                )
            shape = _SHAPES[self.actions]
            return lambda rng, n: shape(rng, n, n_features)
        catalogue = check_array(self.actions, accept_sparse="csr", input_name="actions")
        if catalogue.shape[1] != n_features:
            raise ValueError(
                f"actions must have n_features = {n_features} columns; got {catalogue.shape[1]}."
            )
        size = catalogue.shape[0]
        return lambda rng, n: catalogue[rng.choice(size, n, replace=False)] if n < size else catalogue.copy()


def _sphere(rng, n, n_features):
    points = rng.standard_normal((n, n_features))
    return points / np.linalg.norm(points, axis=1, keepdims=True)


def _ball(rng, n, n_features):
    return _sphere(rng, n, n_features) * rng.random((n, 1)) ** (1 / n_features)


def _cube(rng, n, n_features):
    points = rng.uniform(-1, 1, (n, n_features))
    return points / np.linalg.norm(points, axis=1, keepdims=True)


_SHAPES = {"sphere": _sphere, "ball": _ball, "cube": _cube}


class ClassificationEnvironment(BaseEstimator):
    """A labelled data set as a bandit problem: each round offers examples of distinct labels [1]_.

    With a `target`, the outcome of choosing an example is 1 if its label is the target and 0 otherwise, and
    one of the actions of every round is of the target's label. Without one, the outcome is the label
    itself: as many outcomes as labels, each with its reward.

    Parameters
    ----------
    X : {array-like, sparse matrix} of shape (n_samples, n_features)
        Examples; each action is one of them, drawn with replacement among those of its label.
    y : array-like of shape (n_samples,)
        Labels, of at least two kinds.
    target : label, default=None
        The label that is rewarded. None: the outcome is the label.
    n_actions : int, default=10
        Actions of a round; as many as there are labels, where these are fewer.
    rewards : None, sequence or mapping, default=None
        Reward of each outcome: of (0, 1) with a `target`, of the sorted labels without. None: equally
        spaced in [0, 1], so with a `target` 0 and 1.
    random_state : int, RandomState instance or None, default=None
        Seed of ``rounds()`` called without a generator; ``run_trials`` brings its own.

    References
    ----------
    .. [1] N. Cesa-Bianchi, C. Gentile, G. Zappella. A Gang of Bandits. NeurIPS 2013.

    Examples
    --------
    >>> import numpy as np
    >>> from sklearn.datasets import load_iris
    >>> from skmlogb.simulation import ClassificationEnvironment
    >>> X, y = load_iris(return_X_y=True)
    >>> environment = ClassificationEnvironment(X, y, target=2, random_state=0)
    >>> environment.outcome_rewards
    {0: 0.0, 1: 1.0}
    >>> actions, probabilities = next(environment.rounds())
    >>> actions.shape, probabilities.sum(axis=0).tolist()
    ((3, 4), [2.0, 1.0])
    """

    def __init__(self, X, y, *, target=None, n_actions=10, rewards=None, random_state=None):
        self.X = X
        self.y = y
        self.target = target
        self.n_actions = n_actions
        self.rewards = rewards
        self.random_state = random_state

    @property
    def outcome_rewards(self):
        """dict: Reward of each outcome."""
        outcomes = np.unique(self._labels()).tolist() if self.target is None else (0, 1)
        return _outcome_rewards(self.rewards, outcomes)

    def _labels(self):
        y = column_or_1d(self.y)
        check_classification_targets(y)
        if len(np.unique(y)) < 2:
            raise ValueError(f"y must have at least 2 distinct labels; got {np.unique(y).tolist()}.")
        return y

    def rounds(self, rng=None):
        """Yield rounds without end.

        Parameters
        ----------
        rng : numpy.random.Generator, default=None
            What everything random is drawn from; None: one seeded by `random_state`.

        Yields
        ------
        actions : {array, CSR matrix} of shape (n_actions, n_features)
            Examples of distinct labels.
        probabilities : array of shape (n_actions, n_outcomes)
            1 in the column of the example's outcome, else 0.

        Raises
        ------
        ValueError, TypeError
            If a parameter is out of range; the message names it.
        """
        if rng is None:
            state = check_random_state(copy.deepcopy(self.random_state))
            rng = np.random.default_rng(state.randint(np.iinfo(np.int32).max, size=4))
        X = check_array(self.X, accept_sparse="csr", input_name="X")
        y = self._labels()
        check_consistent_length(X, y)
        n_outcomes = len(self.outcome_rewards)
        labels, codes = np.unique(y, return_inverse=True)
        n_actions = min(check_number(self.n_actions, "n_actions", low=1, integer=True), len(labels))
        outcome_of = np.arange(len(labels))
        if self.target is not None:
            outcome_of = np.array([int(label == self.target) for label in labels.tolist()])
            if not outcome_of.any():
                raise ValueError(f"target must be one of the labels {labels.tolist()}; got {self.target!r}.")
        return self._stream(rng, X, codes, n_actions, np.eye(n_outcomes)[outcome_of])

    def _stream(self, rng, X, codes, n_actions, outcomes):
        """Yield rounds; `outcomes` (n_labels, n_outcomes) has the one outcome of each label."""
        by_label = np.argsort(codes, kind="stable")
        counts = np.bincount(codes)
        starts = np.cumsum(counts) - counts
        target = np.flatnonzero(outcomes[:, 1]) if self.target is not None else np.array([], dtype=int)
        others = np.setdiff1d(np.arange(len(counts)), target)
        while True:
            drawn = rng.permutation(others)[: n_actions - len(target)]
            chosen = rng.permutation(np.concatenate([target, drawn]))
            rows = by_label[starts[chosen] + rng.integers(counts[chosen])]
            yield X[rows], outcomes[chosen]


def _outcome_rewards(rewards, outcomes):
    """Return {outcome: reward}, from None (equally spaced in [0, 1]), a sequence or a mapping."""
    outcomes = list(outcomes)
    if rewards is None:
        rewards = np.linspace(0, 1, len(outcomes))
    elif isinstance(rewards, Mapping):
        if set(rewards) != set(outcomes):
            raise ValueError(
                f"rewards must have one entry for each outcome {outcomes}; got entries for {list(rewards)}."
            )
        rewards = [rewards[outcome] for outcome in outcomes]
    rewards = check_array([rewards], dtype=float, input_name="rewards")[0]
    if len(rewards) != len(outcomes):
        raise ValueError(
            f"rewards must have one entry for each outcome {outcomes}; got {len(rewards)} entries."
        )
    return dict(zip(outcomes, rewards.tolist()))
