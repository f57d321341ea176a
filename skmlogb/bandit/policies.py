"""The policies: which curvature, which radius."""

import math
from numbers import Integral

import numpy as np
from sklearn.utils.validation import check_is_fitted

from .._validation import check_number
from .base import BasePolicy
from .dense import DenseCurvature
from .mlogb import MLogBPolicy
from .sketched import SketchedCurvature


class OFULMLogBPolicy(MLogBPolicy):
    """OFUL-MLogB: optimism with the full Hessian, the algorithm that EOFD-MLogB sketches.

    A multinomial logistic model of K + 1 outcomes, learnt by online Newton steps [1]_ as restated in [2]_;
    memory and time of a round grow like (K d)^2.

    Parameters
    ----------
    rewards : None, mapping or sequence, default=None
        Reward of each outcome. A mapping from label to reward: its labels are the classes, seen or not. A
        sequence: in the order of `classes` where `partial_fit` is given them, else of the sorted labels of y
        if their number fits (with a warning unless they are numbers), else of 0..len-1 if y lies in it. None:
        equally spaced in [0, 1] over the sorted labels, or over 0 and 1 for a policy without data. The
        outcome of least reward, the first of them, is the reference outcome of the model.
    reg_lambda : float or {"auto", "paper", "theory"}, default="auto"
        lambda. "auto": K d / S^2; "paper": (sqrt(K) d)^0.75 sqrt(K) alpha S as in section 4 of [2]_, with
        alpha = 2 (1 + S D) + ln(K + 1); "theory": the least that Theorem 1 covers. Read when the first data
        arrive, as are all parameters but `radius` and `exploration`. In [1e-50, 1e50].
    eta : float or {"auto", "paper", "theory"}, default="auto"
        Step size of the estimate. "auto": 1; "paper": (sqrt(K) d)^0.75 (S/2 + ln(K+1)/4); "theory":
        alpha / 2. In [1e-50, 1e50].
    norm_bound : float, default=1.0
        S, a bound on the Frobenius norm of the true parameter; the estimate is kept within it. This and
        `context_bound` are in [1e-20, 1e20].
    context_bound : float, default=1.0
        D, a bound on the length of the actions. A longer action is accepted; it only voids the theorem.
    delta : float, default=0.05
        Probability with which the confidence sets may fail.
    radius : {"auto", "theory"}, float or callable, default="auto"
        beta_t, the squared radius of the confidence set. "theory": equation (36) of [2]_ with m = K d and
        rho = 0. "auto": the same with its data-dependent sum replaced by 0 where that is positive, because
        with other `reg_lambda` and `eta` than Theorem 1's the sum grows like t and means nothing; no theorem
        covers it. A number: that number. A callable: what it returns for the policy.
    exploration : float or "auto", default="auto"
        Factor on the radius: 1 is the theorem's, 0 never explores. "auto": 0.01 for two outcomes, 0.001 for
        more, whose bonus (19) has a term linear in beta_t. Like the other "auto", chosen by a study of
        regret over many problems; no theorem covers it.
    fit_intercept : bool, default=False
        Append a constant 1 to every action: d grows by one, and D to sqrt(D^2 + 1).
    random_state : int, RandomState instance or None, default=None
        Breaks ties.

    Attributes
    ----------
    classes_ : array of shape (K + 1,)
        Sorted labels of the outcomes.
    rewards_ : array of shape (K + 1,)
        Their rewards.
    reference_class_ : label
        The reference outcome, whose logit is 0.
    coef_ : array of shape (K, n_features)
        The estimate W_t, rows in the order of `classes_` without `reference_class_`. Found from the state at
        each access.
    intercept_ : array of shape (K,)
        Weights of the constant; zeros without `fit_intercept`.
    n_rounds_ : int
        Rounds learnt from.
    radius_ : float
        Current beta_t after `exploration`.
    n_features_in_ : int
        Length of an action.
    feature_names_in_ : array of shape (`n_features_in_`,)
        Names of the features, where the first actions had names that are all strings.

    References
    ----------
    .. [1] Y.-J. Zhang, M. Sugiyama. Online (Multinomial) Logistic Bandit: Improved Regret and Constant
           Computation Cost. NeurIPS 2023.
    .. [2] L. He, Y.-J. Zhang, S. Yang, L. Zhang. Efficient Multinomial Logistic Bandit via Frequent
           Directions. 2026.

    Examples
    --------
    >>> import numpy as np
    >>> from skmlogb.bandit import OFULMLogBPolicy
    >>> policy = OFULMLogBPolicy(random_state=0).fit(np.eye(2), [0, 1])
    >>> policy.select_action(np.eye(2))
    1
    >>> policy.predict_proba(np.eye(2)).round(2)
    array([[0.56, 0.44],
           [0.44, 0.56]])
    """

    def __init__(
        self,
        *,
        rewards=None,
        reg_lambda="auto",
        eta="auto",
        norm_bound=1.0,
        context_bound=1.0,
        delta=0.05,
        radius="auto",
        exploration="auto",
        fit_intercept=False,
        random_state=None,
    ):
        self.rewards = rewards
        self.reg_lambda = reg_lambda
        self.eta = eta
        self.norm_bound = norm_bound
        self.context_bound = context_bound
        self.delta = delta
        self.radius = radius
        self.exploration = exploration
        self.fit_intercept = fit_intercept
        self.random_state = random_state

    def _make_curvature(self, h):
        return DenseCurvature(h.n_outcomes, h.n_features, h.reg_lambda)


class EOFDMLogBPolicy(MLogBPolicy):
    """EOFD-MLogB: optimism with a Hessian sketched by frequent directions, Algorithms 1 and 2 of [1]_.

    A multinomial logistic model of K + 1 outcomes, learnt by online Newton steps; time and memory of a round
    are linear in the length d of the actions. With ``sketch_size >= K d`` it equals
    :class:`OFULMLogBPolicy`, to rounding.

    Parameters
    ----------
    rewards : None, mapping or sequence, default=None
        Reward of each outcome. A mapping from label to reward: its labels are the classes, seen or not. A
        sequence: in the order of `classes` where `partial_fit` is given them, else of the sorted labels of y
        if their number fits (with a warning unless they are numbers), else of 0..len-1 if y lies in it. None:
        equally spaced in [0, 1] over the sorted labels, or over 0 and 1 for a policy without data. The
        outcome of least reward, the first of them, is the reference outcome of the model.
    sketch_size : int or float, default=0.1
        m, the directions that a compressed sketch keeps: a number, or a fraction f in (0, 1] of K d, meaning
        max(ceil(f K d), min(K d, 32)), so that small problems are not sketched.
    sketch_buffer : float, default=1.0
        Rows kept beyond m before a compression, as a fraction of m. A compression drops the same mass as in
        Algorithm 1 or less, and costs as much as many rounds; 0 compresses in every round, as printed.
    reg_lambda : float or {"auto", "paper", "theory"}, default="auto"
        lambda. "auto": K d / S^2; "paper": (sqrt(K) d)^0.75 sqrt(K) alpha S as in section 4 of [1]_, with
        alpha = 2 (1 + S D) + ln(K + 1); "theory": the least that Theorem 1 covers. Read when the first data
        arrive, as are all parameters but `radius` and `exploration`. In [1e-50, 1e50].
    eta : float or {"auto", "paper", "theory"}, default="auto"
        Step size of the estimate. "auto": 1; "paper": (sqrt(K) d)^0.75 (S/2 + ln(K+1)/4); "theory":
        alpha / 2. In [1e-50, 1e50].
    norm_bound : float, default=1.0
        S, a bound on the Frobenius norm of the true parameter; the estimate is kept within it. This and
        `context_bound` are in [1e-20, 1e20].
    context_bound : float, default=1.0
        D, a bound on the length of the actions. A longer action is accepted; it only voids the theorem.
    delta : float, default=0.05
        Probability with which the confidence sets may fail.
    radius : {"auto", "theory"}, float or callable, default="auto"
        beta_t, the squared radius of the confidence set. "theory": equation (36) of [1]_. "auto": the same
        with its data-dependent sum replaced by 0 where that is positive, because with other `reg_lambda` and
        `eta` than Theorem 1's the sum grows like t and means nothing; no theorem covers it. A number: that
        number. A callable: what it returns for the policy.
    exploration : float or "auto", default="auto"
        Factor on the radius: 1 is the theorem's, 0 never explores. "auto": 0.01 for two outcomes, 0.001 for
        more, whose bonus (19) has a term linear in beta_t. Like the other "auto", chosen by a study of
        regret over many problems; no theorem covers it.
    fit_intercept : bool, default=False
        Append a constant 1 to every action: d grows by one, and D to sqrt(D^2 + 1).
    random_state : int, RandomState instance or None, default=None
        Breaks ties.

    Attributes
    ----------
    classes_ : array of shape (K + 1,)
        Sorted labels of the outcomes.
    rewards_ : array of shape (K + 1,)
        Their rewards.
    reference_class_ : label
        The reference outcome, whose logit is 0.
    coef_ : array of shape (K, n_features)
        The estimate W_t, rows in the order of `classes_` without `reference_class_`. Found from the state at
        each access.
    intercept_ : array of shape (K,)
        Weights of the constant; zeros without `fit_intercept`.
    n_rounds_ : int
        Rounds learnt from.
    radius_ : float
        Current beta_t after `exploration`.
    n_features_in_ : int
        Length of an action.
    feature_names_in_ : array of shape (`n_features_in_`,)
        Names of the features, where the first actions had names that are all strings.
    sketch_size_ : int
        m, at most K d.
    sketch_rank_ : int
        Rows that the sketch has now.
    sketch_error_ : float
        rho_{1:t}, what compressions took off the Hessian so far.
    sketch_factor_ : float
        Delta_t = 1 + rho_{1:t} / lambda, by which the sketch loosens the theorem's bounds.

    References
    ----------
    .. [1] L. He, Y.-J. Zhang, S. Yang, L. Zhang. Efficient Multinomial Logistic Bandit via Frequent
           Directions. 2026.

    Examples
    --------
    Three outcomes of showing one of four banners:

    >>> import numpy as np
    >>> from skmlogb.bandit import EOFDMLogBPolicy
    >>> policy = EOFDMLogBPolicy(rewards={"ignored": 0, "clicked": 0.2, "bought": 1}, random_state=0)
    >>> banners = np.eye(4)
    >>> shown = policy.select_action(banners)  # works before any data
    >>> policy = policy.update(banners[shown], "clicked")
    >>> policy = policy.update(banners, ["ignored", "ignored", "bought", "clicked"])  # late, four at once
    >>> policy.select_action(banners)
    2
    >>> policy.predict_reward(banners).round(2)
    array([0.38, 0.39, 0.42, 0.39])
    >>> policy.n_rounds_, policy.sketch_error_
    (5, 0.0)
    """

    def __init__(
        self,
        *,
        rewards=None,
        sketch_size=0.1,
        sketch_buffer=1.0,
        reg_lambda="auto",
        eta="auto",
        norm_bound=1.0,
        context_bound=1.0,
        delta=0.05,
        radius="auto",
        exploration="auto",
        fit_intercept=False,
        random_state=None,
    ):
        self.rewards = rewards
        self.sketch_size = sketch_size
        self.sketch_buffer = sketch_buffer
        self.reg_lambda = reg_lambda
        self.eta = eta
        self.norm_bound = norm_bound
        self.context_bound = context_bound
        self.delta = delta
        self.radius = radius
        self.exploration = exploration
        self.fit_intercept = fit_intercept
        self.random_state = random_state

    @property
    def sketch_size_(self):
        """Int: m, at most K d."""
        return self._fitted_curvature.size

    @property
    def sketch_rank_(self):
        """Int: rows that the sketch has now."""
        return self._fitted_curvature.rank

    @property
    def sketch_error_(self):
        """Float: rho, what the sketch took off the Hessian so far."""
        return self._fitted_curvature.error

    @property
    def sketch_factor_(self):
        """Float: Delta_t = 1 + rho / lambda."""
        return 1 + self._fitted_curvature.error / self._hyperparameters.reg_lambda

    @property
    def _fitted_curvature(self):
        check_is_fitted(self)
        return self._curvature

    def _make_curvature(self, h):
        buffer = check_number(self.sketch_buffer, "sketch_buffer", low=0)
        size = self._resolve_size(h.n_outcomes * h.n_features)
        return SketchedCurvature(h.n_outcomes, h.n_features, h.reg_lambda, size=size, buffer=buffer)

    def _resolve_size(self, full):
        """Return m for a Hessian of `full` = K d rows."""
        if isinstance(self.sketch_size, Integral):
            return check_number(self.sketch_size, "sketch_size", low=1, integer=True)
        fraction = check_number(self.sketch_size, "sketch_size", low=0, high=1, open_low=True)
        return max(math.ceil(fraction * full * (1 - 1e-12)), min(full, 32))


class UniformPolicy(BasePolicy):
    """A control that learns nothing and chooses uniformly at random.

    Parameters
    ----------
    rewards : None, mapping or sequence, default=None
        Reward of each outcome, as for :class:`EOFDMLogBPolicy`; it only says which outcomes are known.
    random_state : int, RandomState instance or None, default=None
        Chooses the actions.

    Attributes
    ----------
    classes_ : array of shape (n_classes,)
        Sorted labels of the outcomes.
    rewards_ : array of shape (n_classes,)
        Their rewards.
    reference_class_ : label
        The outcome of least reward.
    n_rounds_ : int
        Rounds seen.
    n_features_in_ : int
        Length of an action.
    feature_names_in_ : array of shape (`n_features_in_`,)
        Names of the features, where the first actions had names that are all strings.

    Examples
    --------
    >>> import numpy as np
    >>> from skmlogb.bandit import UniformPolicy
    >>> policy = UniformPolicy(random_state=0)
    >>> [policy.select_action(np.eye(3)) for _ in range(8)]
    [0, 1, 0, 1, 1, 2, 0, 2]
    """

    def __init__(self, *, rewards=None, random_state=None):
        self.rewards = rewards
        self.random_state = random_state

    def _learn(self, x, number):
        pass

    def _scores(self, X):
        return np.zeros(X.shape[0])
