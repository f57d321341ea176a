"""Checks of the data, batches, weights and components that the functions of this wing are given."""

from numbers import Number

import numpy as np
from sklearn.utils import check_array, check_consistent_length, column_or_1d


def check_data(X, y):
    """Return X as a dense or CSR float matrix and y as a vector of the same dtype.

    Examples
    --------
    >>> from skmlogb.robust.inputs import check_data
    >>> check_data([[1, 2], [3, 4]], [0, 1])[1]
    array([0., 1.])
    """
    X = check_array(X, accept_sparse="csr", dtype=[np.float64, np.float32], input_name="X")
    y = column_or_1d(check_array(y, ensure_2d=False, dtype=X.dtype, input_name="y"), dtype=X.dtype)
    check_consistent_length(X, y)
    return X, y


def check_sample_weight(sample_weight):
    """Return weights as a 1-d float array of finite numbers >= 0.

    Examples
    --------
    >>> from skmlogb.robust.inputs import check_sample_weight
    >>> check_sample_weight([1, 0, 2])
    array([1., 0., 2.])
    """
    weight = check_array(sample_weight, ensure_2d=False, dtype=float, input_name="sample_weight")
    if weight.ndim > 1 and weight.size > len(weight):
        raise ValueError(f"sample_weight must be one number or 1-d; got shape {weight.shape}.")
    weight = column_or_1d(weight)
    if weight.min() < 0:
        raise ValueError(f"sample_weight must hold numbers >= 0; got {weight.min()}.")
    return weight


def check_row_weights(sample_weight, n):
    """Return weights of n rows, given as an array or as one number, or None if there are none.

    Raises
    ------
    ValueError
        If a weight is negative or not finite, if all are 0, or if there are not n.

    Examples
    --------
    >>> from skmlogb.robust.inputs import check_row_weights
    >>> check_row_weights([1, 2], 3)
    Traceback (most recent call last):
    ...
    ValueError: sample_weight must hold one weight a row, 3; got 2.
    """
    if sample_weight is None:
        return None
    weight = np.full(n, sample_weight) if isinstance(sample_weight, Number) else sample_weight
    weight = check_sample_weight(weight)
    if len(weight) != n:
        raise ValueError(f"sample_weight must hold one weight a row, {n}; got {len(weight)}.")
    if not weight.any():
        raise ValueError("sample_weight must hold a weight > 0; got zeros only, which leaves no row.")
    with np.errstate(over="ignore"):
        if not np.isfinite(weight.sum()):
            raise ValueError(f"sample_weight must have a finite sum; got weights up to {weight.max():.3g}.")
    return weight


def without_absent_rows(X, y, sample_weight, *, keep_equal=False):
    """Return the data without rows of weight 0, the weights None if all are equal (unless `keep_equal`).

    Examples
    --------
    >>> import numpy as np
    >>> from skmlogb.robust.inputs import without_absent_rows
    >>> without_absent_rows(np.eye(2), np.array([1.0, 2.0]), np.array([0.0, 3.0]))
    (array([[0., 1.]]), array([2.]), None)
    """
    if sample_weight is None:
        return X, y, None
    present = sample_weight > 0
    if not present.all():
        X, y, sample_weight = X[present], y[present], sample_weight[present]
    equal = not keep_equal and (sample_weight == sample_weight[0]).all()
    return X, y, None if equal else sample_weight


def check_batches(batches, n_updates):
    """Return the batches as a list of integer arrays (None: full gradients), one for each update.

    Raises
    ------
    TypeError, ValueError
        Naming the first batch that is not a 1-d array of row numbers, or both lengths.

    Examples
    --------
    >>> from skmlogb.robust.inputs import check_batches
    >>> check_batches([[0, 2], [1]], 2)
    [array([0, 2]), array([1])]
    """
    if batches is None:
        return None
    checked = []
    for t, batch in enumerate(batches, 1):
        rows = np.asarray(batch)
        rows = rows.astype(np.intp) if rows.size == 0 else rows
        if rows.ndim != 1 or rows.dtype.kind not in "iu":
            raise TypeError(
                f"batches must hold 1-d arrays of row numbers; that of t={t} has"
                f" dtype {rows.dtype} and shape {rows.shape}."
            )
        if rows.size and rows.min() < 0:
            raise ValueError(f"batches must hold row numbers >= 0; that of t={t} holds {rows.min()}.")
        checked.append(rows)
    if len(checked) != n_updates:
        raise ValueError(f"batches must hold one batch for each step size, {n_updates}; got {len(checked)}.")
    return checked


def check_rows(batches, n):
    """Raise ValueError if a batch holds a row that the data does not have.

    Examples
    --------
    >>> import numpy as np
    >>> from skmlogb.robust.inputs import check_rows
    >>> check_rows([np.array([0, 7])], 5)
    Traceback (most recent call last):
    ...
    ValueError: batches must hold row numbers below 5, the number of rows of X; that of t=1 holds 7.
    """
    for t, rows in enumerate(batches or (), 1):
        if rows.size and rows.max() >= n:
            raise ValueError(
                f"batches must hold row numbers below {n}, the number of rows of X;"
                f" that of t={t} holds {rows.max()}."
            )


def check_covariance(covariance, estimator, p):
    """Return Sigma as a float array of shape (p, p) where the estimate needs it, else None.

    Examples
    --------
    >>> from skmlogb.robust.inputs import check_covariance
    >>> check_covariance([[1.0, 0.5], [0.5, 1.0]], "known_covariance", 2).shape
    (2, 2)
    """
    if estimator != "known_covariance":
        return None
    if covariance is None:
        raise ValueError("The estimate with known covariance needs covariance, an array of shape (p, p).")
    sigma = check_array(covariance, dtype=[np.float64, np.float32], input_name="covariance")
    if sigma.shape != (p, p) or not np.allclose(sigma, sigma.T):
        raise ValueError(f"covariance must be symmetric, of shape ({p}, {p}); got shape {sigma.shape}.")
    if (sigma.diagonal() < 0).any():
        raise ValueError(
            f"covariance must be positive semidefinite; got a variance of {sigma.diagonal().min():.3g}."
        )
    return sigma


def check_components(loss, penalty):
    """Raise TypeError if the loss or the penalty (None is none) cannot play its part in the recursion.

    Examples
    --------
    >>> from skmlogb.robust import Huber
    >>> from skmlogb.robust.inputs import check_components
    >>> check_components(Huber(), None)
    """
    check_methods(loss, "loss", ("psi", "psi_prime"))
    if penalty is not None:
        check_methods(penalty, "penalty", ("prox", "prox_jacobian", "max_step"))


def check_methods(component, name, methods):
    """Raise TypeError, naming the missing methods, if an object cannot play its part.

    Examples
    --------
    >>> from skmlogb.robust.inputs import check_methods
    >>> check_methods("huber", "loss", ("psi", "psi_prime"))
    Traceback (most recent call last):
    ...
    TypeError: loss must be an object with the methods psi, psi_prime; 'huber' lacks psi, psi_prime.
    """
    missing = [method for method in methods if not callable(getattr(component, method, None))]
    if missing or isinstance(component, type):
        problem = f"lacks {', '.join(missing)}" if missing else "is a class, not an object"
        raise TypeError(
            f"{name} must be an object with the methods {', '.join(methods)}; {component!r} {problem}."
        )
