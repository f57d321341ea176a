"""From the trace matrices to the weights w_{t,s}, and from these to the risk."""

import numpy as np
from scipy.linalg import solve_triangular

CHUNK_BYTES = 2**25


def solve_weights(A, K, W, first, estimator):
    """Return the rows first, first + 1, ... of W: those of ``K^-1 A``, or ``A K^-1`` for "in_batch_right".

    Parameters
    ----------
    A, K : ndarray of shape (T, T)
        Strictly lower, and lower triangular.
    W : ndarray of shape (T, T)
        Whose rows before `first` are known.
    first : int
        The first row wanted.
    estimator : str
        Which product.

    Returns
    -------
    rows : ndarray of shape (T - first, T)
        Where K_{t,t} = 0 row t means nothing, and no other depends on it: column t of K is 0 too. For
        ``A K^-1`` the rows after it are NaN.

    Examples
    --------
    >>> import numpy as np
    >>> from skmlogb.robust.weights import solve_weights
    >>> A, K = np.array([[0.0, 0.0], [3.0, 0.0]]), np.array([[2.0, 0.0], [-1.0, 4.0]])
    >>> solve_weights(A, K, np.zeros((2, 2)), 0, "out_of_batch")
    array([[0.  , 0.  ],
           [0.75, 0.  ]])
    >>> solve_weights(A, K, np.zeros((2, 2)), 0, "in_batch_right")
    array([[0. , 0. ],
           [1.5, 0. ]])
    """
    T, singular = len(A), np.diag(K) == 0
    if estimator != "in_batch_right":
        known = A[first:] - K[first:, :first] @ W[:first]
        return solve_triangular((K + np.diag(singular))[first:, first:], known, lower=True)
    rows, end = np.zeros((T - first, T)), singular.argmax() + 1 if singular.any() else T
    rows[max(end - first, 0) :] = np.nan
    if end > max(first, 1):
        inner = slice(end - 1)
        rows[: end - first, inner] = solve_triangular(
            K[inner, inner], A[first:end, inner].T, trans="T", lower=True
        ).T
    return rows


def corrected_risks(record, weights, first):
    """Return ``||R_t + sum_s w_{t,s} F_s||^2 / n`` for t = first, ..., (11).

    Parameters
    ----------
    record : Record
        The path.
    weights : ndarray of shape (m, k, T)
        Rows first, ..., first + k - 1 = T - 1 of m weight matrices.
    first : int
        The first iterate.

    Returns
    -------
    risks : ndarray of shape (m, k)
    """
    m, k, T = weights.shape
    weights = weights[:, :, : T - 1].reshape(m * k, T - 1).astype(record.design.dtype)
    squares, n = np.zeros((m, k)), len(record.present)
    size = max(1, CHUNK_BYTES // (8 * (m * k + T)))
    for start in range(0, n, size):
        rows = slice(start, min(start + size, n))
        corrected = (weights @ record.gradients(0, T - 1, rows)).reshape(m, k, -1)
        corrected += record.residuals[first:T, rows]
        corrected *= record.present[rows]
        squares += np.einsum("mkn,mkn->mk", corrected, corrected, dtype=float)
    return squares / record.present.sum(dtype=float)


def leave_one_out(matrices):
    """Return the mean of B matrices (B, T, T), then the B means without one: (1 + B, T, T); B = 1: itself.

    Examples
    --------
    >>> import numpy as np
    >>> from skmlogb.robust.weights import leave_one_out
    >>> leave_one_out(np.array([1.0, 2.0, 6.0]))
    array([3. , 4. , 3.5, 1.5])
    """
    B, mean = len(matrices), matrices.mean(axis=0, keepdims=True)
    return mean if B == 1 else np.concatenate([mean, (B * mean - matrices) / (B - 1)])


def jackknife_std(estimates):
    """Return the standard error of an estimate from those without one probe, (B, k) -> (k,); 0 for none.

    Examples
    --------
    >>> import numpy as np
    >>> from skmlogb.robust.weights import jackknife_std
    >>> jackknife_std(np.array([[1.0], [3.0]]))
    array([1.])
    """
    B = len(estimates)
    if B == 0:
        return np.zeros(estimates.shape[1])
    return np.sqrt((B - 1) / B * np.sum((estimates - estimates.mean(axis=0)) ** 2, axis=0))
