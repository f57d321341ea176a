"""The risk of every iterate of a trajectory: r~ (out of batch), r^ (known covariance), r~sub (in batch)."""

import warnings
from dataclasses import dataclass

import numpy as np
from sklearn.exceptions import ConvergenceWarning
from sklearn.utils import check_consistent_length, check_random_state

from .._validation import check_option
from .design import Design
from .inputs import check_covariance, check_data, check_rows
from .risk_sweep import RiskSweep
from .traces import ESTIMATORS
from .trajectory import Trajectory


@dataclass(frozen=True)
class RiskPath:
    """The estimated risk of each iterate.

    Attributes
    ----------
    risk : ndarray of shape (T,)
        Estimates of ``||Sigma^(1/2) (b^t - b*)||^2 + ||eps||^2 / n``; NaN where undefined.
    weights : ndarray of shape (T, T)
        w_{t,s} of (3), strictly lower triangular.
    std : ndarray of shape (T,)
        Standard error of `risk` over the probes (jackknife); 0 if the traces are exact.

    Examples
    --------
    >>> from skmlogb.datasets import make_robust_regression
    >>> from skmlogb.robust import Huber, proximal_sgd, trajectory_risk
    >>> X, y = make_robust_regression(60, 20, random_state=0)
    >>> path = trajectory_risk(X, y, proximal_sgd(X, y, loss=Huber(), step_sizes=[0.5, 0.5, 0.5]))
    >>> path.risk.shape, path.weights.shape, path.std.tolist()
    ((4,), (4, 4), [0.0, 0.0, 0.0, 0.0])
    """

    risk: np.ndarray
    weights: np.ndarray
    std: np.ndarray


def trajectory_risk(
    X,
    y,
    trajectory,
    *,
    estimator="out_of_batch",
    covariance=None,
    n_probes="auto",
    thin="auto",
    random_state=None,
):
    """Estimate the out-of-sample error of every iterate of proximal SGD, without a hold-out set.

    The target is ``r_t = ||Sigma^(1/2) (b^t - b*)||^2 + ||eps||^2 / n`` for rows x with covariance Sigma, the
    estimate ``||R_t + sum_{s<t} w_{t,s} S_s psi(R_s)||^2 / n`` with R_t the residuals of b^t (11).

    Parameters
    ----------
    X : array-like or sparse matrix of shape (n, p)
        Features; float32 is kept.
    y : array-like of shape (n,)
        Targets.
    trajectory : Trajectory
        From :func:`proximal_sgd` or from your own solver; its iterates must obey the recursion.
    estimator : {"out_of_batch", "known_covariance", "in_batch", "in_batch_right"}
        Whence the weights w_{t,s}. "out_of_batch": r~, ``K^-1 A`` of (9) and (10), which needs nothing but
        the data. "known_covariance": r^, (8). "in_batch": r~sub of Remark 3.8, ``K~^-1 A~`` of (23) and (26),
        for comparison; small batches break it. "in_batch_right": ``A~ K~^-1``, the order that the
        identities behind it call for, and the better of the two.
    covariance : array-like of shape (p, p), optional
        Sigma, for "known_covariance".
    n_probes : "auto", "exact" or int >= 2
        Rademacher probes for the traces. "auto" chooses from n and p, and exact traces for small data.
    thin : "auto" or bool
        Whether a long path leaves out most pairs of iterates far apart and fills them in by splines. Never
        where a step exceeds 1 / L, L the largest curvature, as the traces are not smooth then. "auto": where
        that saves time worth saving, and not for MCP and SCAD, whose traces are rough.
    random_state : int, RandomState, Generator or None
        Draws the probes.

    Returns
    -------
    path : RiskPath
        ``risk`` of shape (T,), ``weights`` of shape (T, T), ``std`` of shape (T,).

    Raises
    ------
    TypeError, ValueError
        If the arguments do not fit each other, or the iterates do not obey the recursion.

    Warns
    -----
    ConvergenceWarning
        If no residual lies in the quadratic zone of the loss at some t; the risk is NaN there.

    Examples
    --------
    >>> import numpy as np
    >>> from skmlogb.robust import Huber, proximal_sgd, trajectory_risk
    >>> rng = np.random.default_rng(0)
    >>> X = rng.standard_normal((120, 60))
    >>> y = X[:, 0] + rng.standard_t(2, size=120)
    >>> path = trajectory_risk(X, y, proximal_sgd(X, y, loss=Huber(), step_sizes=[0.3] * 20))
    >>> int(path.risk.argmin()) < 20
    True
    """
    X, y = check_data(X, y)
    if not isinstance(trajectory, Trajectory):
        raise TypeError(f"trajectory must be a Trajectory; got {type(trajectory).__name__}.")
    if trajectory.coefs.shape[1] != X.shape[1]:
        raise ValueError(
            f"trajectory.coefs must have one column for each of the {X.shape[1]} columns of X;"
            f" got {trajectory.coefs.shape[1]}."
        )
    check_rows(trajectory.batches, X.shape[0])
    sample_weight = trajectory.sample_weight
    if sample_weight is not None:
        check_consistent_length(X, sample_weight)
    sweep = RiskSweep(
        Design(X),
        y,
        loss=trajectory.loss,
        penalty=trajectory.penalty,
        estimator=check_option(estimator, "estimator", ESTIMATORS),
        covariance=check_covariance(covariance, estimator, X.shape[1]),
        n_probes=n_probes,
        thin=thin,
        rng=_generator(random_state),
        sample_weight=sample_weight,
        check=True,
    )
    sweep.extend(trajectory.coefs.astype(X.dtype, copy=False), trajectory.step_sizes, trajectory.batches)
    undefined = np.isnan(sweep.risk)
    if undefined.any():
        warnings.warn(
            f"No residual lies in the quadratic zone of {trajectory.loss!r} at t={undefined.argmax()}:"
            " the risk is undefined (NaN) there. A larger epsilon, or an intercept, would help.",
            ConvergenceWarning,
            stacklevel=2,
        )
    return RiskPath(sweep.risk, sweep.weights, sweep.std)


def _generator(random_state):
    if isinstance(random_state, np.random.Generator):
        return random_state
    return np.random.default_rng(check_random_state(random_state).randint(np.iinfo(np.int32).max))
