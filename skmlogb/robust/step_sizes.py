"""Step sizes: the largest curvature of the data, and the rules that turn it into eta_1, eta_2, ..."""

from collections.abc import Iterator
from itertools import count, islice
from typing import Any

import numpy as np

from .._validation import check_number

N_BATCHES = 5
N_POWER_ITERATIONS = 20


def largest_curvature(design, batches, sample_weight, rng):
    """Return L, about the largest eigenvalue of ``X_I' V X_I / |I|_v`` over the batches.

    Twenty power iterations for each of the first five batches; and no less than a batch has that draws the
    longest row, as some later one will. Losses whose second derivative is at most 1 are no more curved.

    Parameters
    ----------
    design : Design
        The centred data.
    batches : iterable of array of int, or None
        Row indices of each batch; None: all rows at every step.
    sample_weight : ndarray of shape (n,) or None
        Weights v of the rows; |I|_v is their sum over the batch.
    rng : numpy.random.Generator
        Draws the starting vectors.

    Returns
    -------
    curvature : float
        L >= 0; zero if the columns do not vary.

    Examples
    --------
    >>> import numpy as np
    >>> from skmlogb.robust.design import Design
    >>> from skmlogb.robust.step_sizes import largest_curvature
    >>> X = np.array([[2.0, 0.0], [-2.0, 0.0], [0.0, 1.0], [0.0, -1.0]])
    >>> round(largest_curvature(Design(X), None, None, np.random.default_rng(0)), 6)
    2.0
    """
    first: list[Any] = [None] if batches is None else list(islice(batches, N_BATCHES))
    curvatures = [_batch_curvature(design, rows, sample_weight, rng) for rows in first]
    if batches is not None and first:
        curvatures.append(_longest_row(design, len(first[0]), sample_weight))
    return max(curvatures, default=0.0)


def _longest_row(design, batch_size, sample_weight):
    """Return the largest v_i ||x_i||^2 / |I|_v, with |I|_v as if the batch had average rows besides."""
    squares = row_squares(design)
    if sample_weight is None:
        return float(squares.max()) / batch_size
    total = np.maximum(sample_weight + (batch_size - 1) * sample_weight.mean(), np.finfo(float).tiny)
    return float((sample_weight / total * squares).max())


def row_squares(design):
    """Return the squared length of each row of the design, (n,)."""
    return design.row_forms(np.ones((1, design.shape[1]), design.dtype))[0]


def _batch_curvature(design, rows, sample_weight, rng):
    batch = design if rows is None else design.take(rows)
    weights = np.ones(batch.shape[0]) if sample_weight is None else sample_weight
    weights = (weights if rows is None or sample_weight is None else weights[rows]).astype(design.dtype)
    total = float(weights.sum())
    vector = rng.standard_normal(design.shape[1]).astype(design.dtype)
    norm = np.linalg.norm(vector)
    for _ in range(N_POWER_ITERATIONS):
        if norm == 0 or total == 0:
            return 0.0
        vector = batch.rmatmul(weights * batch.matmul(vector / norm)) / total
        norm = np.linalg.norm(vector)
    return float(norm)


def iterate_step_sizes(learning_rate, *, eta0=1.0, power_t=0.25, curvature=None, max_step=np.inf, first=1):
    """Return an iterator over eta_first, eta_{first + 1}, ...

    Parameters
    ----------
    learning_rate : {"auto", "constant", "invscaling"}, sequence of float, or callable
        "auto": ``eta0 / curvature``, at most nine tenths of `max_step`; where the curvature is 0 the steps
        are 0. "constant": eta0. "invscaling": ``eta0 / t^power_t``. A sequence ends after its last entry.
        A callable is given t = 1, 2, ...
    eta0, power_t : float
        Constants of the rules.
    curvature : float, optional
        L; "auto" needs it.
    max_step : float, default=inf
        The penalty's ``max_step()``.
    first : int, default=1
        Where to begin.

    Yields
    ------
    step_size : float
        eta_t >= 0.

    Examples
    --------
    >>> from itertools import islice
    >>> from skmlogb.robust.step_sizes import iterate_step_sizes
    >>> list(islice(iterate_step_sizes("invscaling", eta0=1.0, power_t=0.5), 4))[::3]
    [1.0, 0.5]
    """
    steps: Iterator
    if callable(learning_rate):
        steps = map(learning_rate, count(first))
    elif not isinstance(learning_rate, str):
        steps = iter(learning_rate[first - 1 :])
    elif learning_rate == "auto":
        step = min(eta0 / curvature, 0.9 * max_step) if curvature > 0 else 0.0
        steps = (step for _ in count())
    elif learning_rate == "constant":
        steps = (eta0 for _ in count())
    elif learning_rate == "invscaling":
        steps = (_scaled_step(eta0, t, power_t) for t in count(first))
    else:
        raise ValueError(
            'learning_rate must be "auto", "constant", "invscaling", a sequence or a callable of t;'
            f" got {learning_rate!r}."
        )
    return (check_step_size(step, t, max_step) for t, step in enumerate(steps, first))


def _scaled_step(eta0, t, power_t):
    with np.errstate(all="ignore"):  # a power beyond floats is 0 or infinity, which `check_step_size` refuses
        return eta0 / np.float64(t) ** power_t


def check_step_size(step, t, max_step=np.inf):
    """Return eta_t as a float if it is finite, not negative, and below what the penalty's prox allows.

    Raises
    ------
    TypeError, ValueError
        Naming t, the step and the bound.

    Examples
    --------
    >>> from skmlogb.robust.step_sizes import check_step_size
    >>> check_step_size(4, t=1, max_step=3.7)
    Traceback (most recent call last):
    ...
    ValueError: step size 4.0 at t=1 is not below 3.7, the bound that the penalty's gamma sets.
    """
    step = float(check_number(step, f"step size at t={t}", low=0))
    if step >= max_step:
        raise ValueError(
            f"step size {step} at t={t} is not below {max_step}, the bound that the penalty's gamma sets."
        )
    return step
