"""The spread of a target that outliers do not move."""

import numpy as np


def weighted_median(values, weights=None):
    """Return the median; with integer weights that of the values copied so many times.

    Parameters
    ----------
    values : ndarray of shape (n,)
        Numbers.
    weights : ndarray of shape (n,), optional
        Positive weights; all 1 if None.

    Returns
    -------
    median : float
        The middle value, or the mean of the two.

    Examples
    --------
    >>> import numpy as np
    >>> from skmlogb.robust.scale import weighted_median
    >>> weighted_median(np.array([3.0, 1.0, 10.0]), np.array([2.0, 1.0, 1.0]))
    3.0
    """
    if weights is None:
        return float(np.median(values))
    order = np.argsort(values)
    cumulated = np.cumsum(weights[order], dtype=float)
    half, slack = cumulated[-1] / 2, 1e-12 * cumulated[-1]  # rounded sums of weights still tie
    low = np.searchsorted(cumulated, half - slack)
    high = min(np.searchsorted(cumulated, half + slack, side="right"), len(values) - 1)
    return float(values[order[low]] / 2 + values[order[high]] / 2)


def mad_scale(y, median, weights=None):
    """Return 1.4826 times the median absolute deviation of y about its median.

    Where that is 0 (more than half of the targets are equal), 1.2533 times the mean absolute deviation; where
    that is 0 too (all are), 1. Both factors make it the standard deviation for normal data.

    Parameters
    ----------
    y : ndarray of shape (n,)
        Targets.
    median : float
        Their (weighted) median.
    weights : ndarray of shape (n,), optional
        Positive weights.

    Returns
    -------
    scale : float
        A positive number in the units of y.

    Examples
    --------
    >>> import numpy as np
    >>> from skmlogb.robust.scale import mad_scale
    >>> mad_scale(np.array([0.0, 1.0, 2.0, 3.0, 100.0]), 2.0)
    1.4826
    >>> mad_scale(np.array([7.0, 7.0, 7.0, 11.0]), 7.0)
    1.2533
    """
    deviations = np.abs(y - median)
    return (
        1.4826 * weighted_median(deviations, weights)
        or 1.2533 * float(np.average(deviations, weights=weights))
        or 1.0
    )
