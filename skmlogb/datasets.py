"""Data with a known solution."""

import numpy as np
from scipy.signal import lfilter
from sklearn.utils import check_random_state

from ._validation import check_number, check_option
from .simulation import MLogBEnvironment

__all__ = ["make_mlogb", "make_robust_regression"]


def make_mlogb(
    n_samples=1000,
    n_features=10,
    *,
    n_outcomes=3,
    norm=3.0,
    actions="sphere",
    coef=False,
    random_state=None,
):
    """Make logged rounds of a multinomial logistic bandit: actions played at random, and their outcomes.

    Outcome k of action x has the probability of equation (1) of [1]_ for a parameter W of random direction;
    outcome 0 is the reference.

    Parameters
    ----------
    n_samples : int, default=1000
        Number of rounds.
    n_features : int, default=10
        Length d of an action.
    n_outcomes : int, default=3
        Number of outcomes, K + 1, at least 2.
    norm : float, default=3.0
        Frobenius norm of W.
    actions : {"sphere", "ball", "cube"} or callable, default="sphere"
        Where the actions come from, as in :class:`~skmlogb.simulation.MLogBEnvironment`.
    coef : bool, default=False
        Whether to return W too.
    random_state : int, RandomState instance or None, default=None
        Seed.

    Returns
    -------
    X : array of shape (n_samples, n_features)
        Action of each round.
    y : array of int of shape (n_samples,)
        Outcome of each round, 0..n_outcomes-1.
    coef : array of shape (n_outcomes - 1, n_features)
        W, whose rows belong to the outcomes 1..n_outcomes-1. Only where `coef` is True.

    References
    ----------
    .. [1] L. He, Y.-J. Zhang, S. Yang, L. Zhang. Efficient Multinomial Logistic Bandit via Frequent
           Directions. 2026.

    Examples
    --------
    >>> from skmlogb.bandit import EOFDMLogBPolicy
    >>> from skmlogb.datasets import make_mlogb
    >>> X, y, W = make_mlogb(2000, 4, coef=True, random_state=0)
    >>> policy = EOFDMLogBPolicy(norm_bound=3.0).fit(X, y)
    >>> policy.coef_.shape == W.shape
    True
    """
    n_samples = check_number(n_samples, "n_samples", low=1, integer=True)
    n_features = check_number(n_features, "n_features", low=1, integer=True)
    n_outcomes = check_number(n_outcomes, "n_outcomes", low=2, integer=True)
    norm = check_number(norm, "norm", low=0, high=1e100)
    rng = np.random.default_rng(check_random_state(random_state).randint(np.iinfo(np.int32).max, size=4))
    W = rng.standard_normal((n_outcomes - 1, n_features))
    W *= norm / np.linalg.norm(W)
    environment = MLogBEnvironment(
        n_features=n_features, n_outcomes=n_outcomes, n_actions=n_samples, actions=actions, coef=W
    )
    X, probabilities = next(environment.rounds(rng))
    # The number of cumulated probabilities (the last one aside) that a uniform number reaches is the outcome.
    y = np.sum(rng.random((n_samples, 1)) >= np.cumsum(probabilities, axis=1)[:, :-1], axis=1)
    return (X, y, W) if coef else (X, y)


def make_robust_regression(
    n_samples=1000,
    n_features=500,
    *,
    n_informative=None,
    signal=10.0,
    features="gaussian",
    correlation=0.0,
    noise="t",
    df=2.0,
    noise_scale=1.0,
    intercept=0.0,
    coef=False,
    random_state=None,
):
    """Make a linear model in many dimensions with heavy-tailed noise: y = intercept + X coef + noise.

    The defaults are the setting of section 4 of [1]_: Gaussian features, one coefficient in twenty different
    from 0, all of one size, and noise of infinite variance.

    Parameters
    ----------
    n_samples : int, default=1000
        Number of rows n.
    n_features : int, default=500
        Number of columns p.
    n_informative : int, default=None
        Number of coefficients that are not 0, at random places; None: a twentieth of them, at least one.
    signal : float, default=10.0
        Squared norm of the coefficients.
    features : {"gaussian", "rademacher", "t5", "elliptical"}, default="gaussian"
        Distribution of the entries of X, of mean 0 and variance 1: normal; a sign; Student's t with 5 degrees
        of freedom; or normal with each row multiplied by a random factor.
    correlation : float, default=0.0
        Correlation of neighbouring columns, in (-1, 1); columns j and k have ``correlation ** |j - k|``.
    noise : {"t", "gaussian"}, default="t"
        Distribution of the noise.
    df : float, default=2.0
        Degrees of freedom of "t"; the variance is infinite up to 2, the mean undefined up to 1.
    noise_scale : float, default=1.0
        What the noise is multiplied by.
    intercept : float, default=0.0
        The constant term.
    coef : bool, default=False
        Whether to return the coefficients too.
    random_state : int, RandomState instance or None, default=None
        Seed.

    Returns
    -------
    X : array of shape (n_samples, n_features)
        Features.
    y : array of shape (n_samples,)
        Targets.
    coef : array of shape (n_features,)
        Coefficients b*. Only where `coef` is True.

    References
    ----------
    .. [1] K. Tan, P. C. Bellec. Estimating Generalization Performance Along the Trajectory of Proximal SGD in
       Robust Regression. NeurIPS 2024.

    Examples
    --------
    >>> from skmlogb.datasets import make_robust_regression
    >>> X, y, coef = make_robust_regression(200, 100, coef=True, random_state=0)
    >>> X.shape, y.shape, round(float(coef @ coef), 6), int((coef != 0).sum())
    ((200, 100), (200,), 10.0, 5)
    """
    n_samples = check_number(n_samples, "n_samples", low=1, integer=True)
    n_features = check_number(n_features, "n_features", low=1, integer=True)
    default = max(1, n_features // 20)
    n_informative = default if n_informative is None else n_informative
    n_informative = check_number(n_informative, "n_informative", low=1, high=n_features, integer=True)
    signal = check_number(signal, "signal", low=0)
    check_option(features, "features", ("gaussian", "rademacher", "t5", "elliptical"))
    correlation = check_number(correlation, "correlation", low=-1, high=1, open_low=True, open_high=True)
    check_option(noise, "noise", ("t", "gaussian"))
    df = check_number(df, "df", low=0, open_low=True)
    noise_scale = check_number(noise_scale, "noise_scale", low=0)
    intercept = check_number(intercept, "intercept")
    rng = np.random.default_rng(check_random_state(random_state).randint(np.iinfo(np.int32).max, size=4))

    X = _features(rng, (n_samples, n_features), features)
    if correlation:  # an autoregression along the row keeps the variance at 1
        X[:, 1:] *= np.sqrt(1 - correlation**2)
        X = lfilter([1.0], [1.0, -correlation], X, axis=1)
    b = np.zeros(n_features)
    b[rng.choice(n_features, n_informative, replace=False)] = np.sqrt(signal / n_informative)
    errors = rng.standard_t(df, n_samples) if noise == "t" else rng.standard_normal(n_samples)
    with np.errstate(over="ignore", invalid="ignore"):
        y = intercept + X @ b + noise_scale * errors
    if not np.isfinite(y).all():
        raise ValueError(
            f"y overflows with signal={signal:.3g}, noise_scale={noise_scale:.3g}, df={df:.3g} and"
            f" intercept={intercept:.3g}. Make them smaller, or df larger."
        )
    return (X, y, b) if coef else (X, y)


def _features(rng, shape, kind):
    """Return independent entries, or rows, of mean 0 and variance 1."""
    if kind == "rademacher":
        return rng.choice([-1.0, 1.0], shape)
    if kind == "t5":
        return rng.standard_t(5, shape) / np.sqrt(5 / 3)
    X = rng.standard_normal(shape)
    if kind == "elliptical":
        X *= rng.choice([0.5, np.sqrt(1.75)], (shape[0], 1))  # the mean of the squared factors is 1
    return X
