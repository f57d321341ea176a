"""Checks of parameters and data, and the only home of anything private of scikit-learn.

Every error names the argument, what was found and what would be right.
"""

import numbers

import numpy as np


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
    kind, article = (numbers.Integral, "an integer") if integer else (numbers.Real, "a number")
    wanted = article + _interval(low, high, open_low, open_high)
    if isinstance(value, (bool, np.bool_)) or not isinstance(value, kind):
        raise TypeError(f"{name} must be {wanted}; got {value!r} of type {type(value).__name__}.")
    value = int(value) if isinstance(value, numbers.Integral) else float(value)
    too_low = low is not None and (value < low or (open_low and value == low))
    too_high = high is not None and (value > high or (open_high and value == high))
    if not np.isfinite(value) or too_low or too_high:
        raise ValueError(f"{name} must be {wanted}; got {value!r}.")
    return value


def _interval(low, high, open_low, open_high):
    if low is None and high is None:
        return ", finite"
    if high is None:
        return f" {'>' if open_low else '>='} {low}, finite"
    if low is None:
        return f" {'<' if open_high else '<='} {high}, finite"
    return f" in {'(' if open_low else '['}{low}, {high}{')' if open_high else ']'}"


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
