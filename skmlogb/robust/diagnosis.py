"""What a finished fit has to say about itself: warnings, each with its cause."""

import warnings

import numpy as np
from scipy.sparse import issparse
from sklearn.exceptions import ConvergenceWarning

from .frame import describe_largest_column
from .penalties import ElasticNet, GroupL1


def diagnose(descent, frame, reason, *, max_iter, tol):
    """Warn of steps of 0, an objective that overflowed, grew or has not settled, and too strong a penalty.

    Parameters
    ----------
    descent : Descent
        The run, its data attached.
    frame : Frame
        Its coordinates.
    reason : str
        Why the run ended.
    max_iter : int
        Updates that it was allowed.
    tol : float or None
        What it was to settle to.

    Examples
    --------
    >>> from sklearn.datasets import load_diabetes
    >>> from skmlogb.robust import HuberSGDRegressor
    >>> X, y = load_diabetes(return_X_y=True)
    >>> with warnings.catch_warnings(record=True, action="always") as caught:
    ...     model = HuberSGDRegressor(penalty="l1", alpha=100.0).fit(X, y)
    >>> str(caught[0].message)
    'alpha=100.0 leaves no coefficient: all are 0 from alpha_max=1.987 on.'
    """
    start, end, overshoot = descent.losses[0], descent.losses[-1], frame.curvature * descent.step_size
    problem = None
    if reason == "overflow":
        problem = f"overflowed; the fit stopped after {descent.n_iter} updates"
    elif end > start and overshoot > 2:
        problem = f"grew from {start:.3g} to {end:.3g}; steps above 2 / L overshoot"
    elif tol is not None and reason == "max_iter":
        problem = f"has not settled to tol={tol} after max_iter={max_iter}"
    check_step(descent.design.X, frame, descent.step_size, stacklevel=5)
    if problem:
        _warn(
            f"The objective {problem}. L is {frame.curvature:.3g}, the step {descent.step_size:.3g}, their"
            f" product {overshoot:.3g}; {describe_largest_column(descent.design.X)}."
        )
    _warn_of_alpha(descent, frame)


def check_step(X, frame, step_size, stacklevel=4):
    """Warn if the step is 0 because centring loses columns that do vary."""
    if frame.curvature == 0 and step_size == 0 and _varies(X):
        _warn(
            f"No step is taken: the columns' variation about their means is lost to rounding in {X.dtype},"
            f" {describe_largest_column(X)}. Centre and scale X (StandardScaler, in float64).",
            stacklevel,
        )


def check_risk(sweep, epsilon, scale):
    """Warn if the risk of an iterate is undefined; raise ValueError if no iterate informs it."""
    undefined = np.isnan(sweep.risk)
    if not (undefined.any() or sweep.blind.all()):
        return
    zone = f"the quadratic zone, |residual| <= epsilon * scale_ = {epsilon} * {scale:.4g}"
    if sweep.blind.all():
        raise ValueError(
            f"No residual of any iterate lies in {zone}: the risk is undefined."
            " Enlarge epsilon, or set risk=None."
        )
    _warn(f"No residual lies in {zone}, at t={undefined.argmax()}: the risk is undefined (NaN) there.", 5)


def _varies(X):
    """Whether a column varies by more than the rounding of its own entries."""
    low, high = X.min(axis=0), X.max(axis=0)
    if issparse(X):
        low, high = low.toarray(), high.toarray()
    size = np.maximum(np.abs(low), np.abs(high))
    return bool(np.any(high - low > 64 * np.finfo(X.dtype).eps * size))


def _warn(message, stacklevel=4):
    warnings.warn(message, ConvergenceWarning, stacklevel=stacklevel)


def _warn_of_alpha(descent, frame):
    """Warn if the penalty, and not the data, is why every coefficient is 0."""
    coef, intercept = frame.split(descent.last)
    if descent.penalty is None or np.any(coef):
        return
    alpha, alpha_max = descent.penalty.alpha, smallest_deadly_alpha(descent, intercept)
    if 0 < alpha_max <= alpha:
        warnings.warn(
            f"alpha={alpha} leaves no coefficient: all are 0 from alpha_max={alpha_max:.4g} on.",
            UserWarning,
            stacklevel=4,
        )


def smallest_deadly_alpha(descent, intercept):
    """Return alpha_max, from which on coefficients of 0 stay 0: the size of the gradient there.

    It is inf for ridge, and 0 if the data pull no coefficient away from 0.
    """
    penalty = descent.penalty
    pull = descent.loss.psi(descent.y - intercept)
    weight = np.ones_like(pull) if descent.sample_weight is None else descent.sample_weight
    gradient = descent.design.rmatmul((weight * pull).astype(pull.dtype)) / weight.sum()
    size = np.abs(gradient[: descent.design.n_features])
    if isinstance(penalty, GroupL1):
        _, group, sizes = np.unique(penalty.groups, return_inverse=True, return_counts=True)
        size = np.sqrt(np.bincount(group, weights=size**2) / sizes)
    if isinstance(penalty, ElasticNet):
        return float(size.max()) / penalty.l1_ratio if penalty.l1_ratio else np.inf
    return float(size.max())
