"""Checks of parameters and data, and the only home of anything private of scikit-learn.

Every error names the argument, what was found and what would be right.
"""

import math
import numbers
import sys

import numpy as np
from scipy.linalg import blas
from sklearn.utils import check_array, column_or_1d
from sklearn.utils.validation import validate_data


def check_number(value, name, *, low=None, high=None, open_low=False, open_high=False, integer=False):
    """Return `value` if it is a finite real number (an integer, if `integer`) in the interval.

    Parameters
    ----------
    value : object
        What the user gave.
    name : str
        The argument's name, for the message.
    low, high : float, optional
        Bounds of the interval, included unless `open_low` or `open_high`.
    open_low, open_high : bool, default=False
        Whether the bound itself is excluded.
    integer : bool, default=False
        Accept integers only.

    Returns
    -------
    value : int or float
        The number, as a Python int or float.

    Raises
    ------
    TypeError
        If `value` is not a number (booleans are not).
    ValueError
        If it is not finite or outside the interval.

    Examples
    --------
    >>> from skmlogb._validation import check_number
    >>> check_number(0.5, "delta", low=0, high=1)
    0.5
    """
    if integer or type(value) is not float:
        kind = numbers.Integral if integer else numbers.Real
        if isinstance(value, (bool, np.bool_)) or not isinstance(value, kind):
            wanted = _describe_interval(low, high, open_low, open_high, integer)
            raise TypeError(f"{name} must be {wanted}; got {value!r} of type {type(value).__name__}.")
        value = _as_python_number(value)
    too_low = low is not None and (value < low or (open_low and value == low))
    too_high = high is not None and (value > high or (open_high and value == high))
    if too_low or too_high or not abs(value) <= sys.float_info.max:
        wanted = _describe_interval(low, high, open_low, open_high, integer)
        raise ValueError(f"{name} must be {wanted}; got {value!r}.")
    return value


def _as_python_number(value):
    """Return an int or a float; infinity for what is beyond floats, whatever its type."""
    try:
        nearest = float(value)
    except OverflowError:
        return math.inf if value > 0 else -math.inf
    return int(value) if isinstance(value, numbers.Integral) else nearest


def _describe_interval(low, high, open_low, open_high, integer):
    kind = "an integer" if integer else "a number"
    if low is None and high is None:
        return f"{kind}, finite"
    if high is None:
        return f"{kind} {'>' if open_low else '>='} {low}, finite"
    if low is None:
        return f"{kind} {'<' if open_high else '<='} {high}, finite"
    return f"{kind} in {'(' if open_low else '['}{low}, {high}{')' if open_high else ']'}"


def check_option(value, name, options):
    """Return `value` if it is one of `options` (strings or None), else raise ValueError.

    Examples
    --------
    >>> from skmlogb._validation import check_option
    >>> check_option("mcp", "penalty", (None, "l1", "mcp"))
    'mcp'
    """
    if not (value is None or isinstance(value, str)) or value not in options:
        raise ValueError(f"{name} must be one of {', '.join(map(repr, options))}; got {value!r}.")
    return value


def is_plain_actions(X, n_features):
    """Whether `X` is a finite float64 or float32 array of shape (n >= 1, n_features).

    This takes a few microseconds, scikit-learn's full check some hundred; what fails here goes there.

    Examples
    --------
    >>> import numpy as np
    >>> from skmlogb._validation import is_plain_actions
    >>> is_plain_actions(np.eye(3), 3), is_plain_actions(np.full((1, 3), np.nan), 3)
    (True, False)
    """
    if type(X) is not np.ndarray or X.ndim != 2 or X.shape[1] != n_features or not X.size:
        return False
    if X.dtype != np.float64 and X.dtype != np.float32:
        return False
    entries = X.ravel(order="K")
    return math.isfinite(blas.ddot(entries, entries))  # which overflows without a warning


def check_actions(estimator, X, *, reset=False, known=True):
    """Return `X` as a finite 2-d array or CSR matrix of float64 or float32 with at least one row.

    Parameters
    ----------
    estimator : object
        Whose `n_features_in_` and `feature_names_in_` must agree, or are set if `reset`.
    X : array-like or sparse matrix
        Actions.
    reset : bool, default=False
        Set them from `X`.
    known : bool, default=True
        Whether they are known, or being set, at all; otherwise any width is right.

    Raises
    ------
    ValueError, TypeError
        If `X` is not that.
    """
    accepted = {"accept_sparse": "csr", "dtype": (np.float64, np.float32)}
    try:
        if not known:
            return check_array(X, input_name="X", **accepted)
        return validate_data(estimator, X, reset=reset, **accepted)
    except OverflowError as error:
        raise ValueError(f"X must lie within the range of floats: {error}.") from error


def check_outcomes(estimator, y, n_rounds):
    """Return `y` as a 1-d array of labels, one a round.

    Raises
    ------
    ValueError
        If it is None, has another length or holds NaN.
    """
    if y is None:
        raise ValueError(
            f"{type(estimator).__name__} requires y to be passed, but the target y is None. It must hold the "
            "outcome of each round."
        )
    y = column_or_1d(y, warn=True)
    if len(y) != n_rounds:
        raise ValueError(
            f"y must have one outcome for each of the {n_rounds} rounds (rows of X); got {len(y)}."
        )
    if y.dtype.kind == "f" and not np.isfinite(y).all():
        raise ValueError("y must hold labels; got NaN or infinity.")
    return y


def plain_square(x, n_features):
    """Return the squared length of `x`, infinite unless it is a float64 or float32 array (n_features,)."""
    if type(x) is not np.ndarray or x.ndim != 1 or len(x) != n_features:
        return math.inf
    if x.dtype != np.float64 and x.dtype != np.float32:
        return math.inf
    return blas.ddot(x, x)


def check_no_overflow(values, what, X):
    """Raise ValueError if `values`, computed from finite actions `X`, are not finite."""
    flat = values.ravel()
    if not math.isfinite(blas.ddot(flat, flat)) and not np.isfinite(values).all():
        raise ValueError(f"X has actions whose {what} overflow: entries up to {abs(X).max():.3g}. Scale X.")


def cast_result(values, dtype, what):
    """Return `values` in the dtype of the actions, or raise ValueError if it cannot hold them.

    Examples
    --------
    >>> import numpy as np
    >>> from skmlogb._validation import cast_result
    >>> cast_result(np.array([1e39]), np.float32, "rewards")
    Traceback (most recent call last):
    ...
    ValueError: The rewards overflow float32, the dtype of X: up to 1e+39. Pass X as float64.
    """
    with np.errstate(over="ignore"):
        result = values.astype(dtype, copy=False)
    if not np.isfinite(result).all():
        raise ValueError(
            f"The {what} overflow {result.dtype}, the dtype of X: up to {np.abs(values).max():.3g}."
            " Pass X as float64."
        )
    return result
