"""Exact traces where there are few columns: Gamma itself, and a quadratic form for each row.

With forms ``Q_i = x_i' Gamma_{t,s} x_i`` every trace is a sum over rows: ``Tr[D_t X Gamma X']`` is that of
``(D_t)_i Q_i``, and with S_s D_s behind X', that of ``(D_t)_i (S_s D_s)_i Q_i``. All t at once, the forms are
one matrix product with the products of pairs of columns; no row needs a sweep of its own.
"""

import numpy as np

CHUNK_BYTES = 2**25  # of products of pairs of columns at a time


def exact_traces(record, in_batch, first, last, kept_age):
    """Return A and K of (9) and (10), or (23) and (26), below the diagonal, rows first, ..., last - 1.

    Parameters
    ----------
    record : Record
        The path.
    in_batch : bool
        (23) and (26).
    first, last : int
        The rows.
    kept_age : ndarray of shape (last - first,)
        Up to which t - s each row is computed.

    Returns
    -------
    A, K : ndarray of shape (last - first, last)
        NaN where not computed, 0 from the diagonal on.

    Examples
    --------
    >>> from skmlogb.robust import Huber
    >>> from skmlogb.robust.design import Design
    >>> from skmlogb.robust.exact import exact_traces
    >>> from skmlogb.robust.record import Record
    >>> record = Record(Design(np.eye(2)), np.array([1.0, 4.0]), Huber(1.0), None, None)
    >>> record.append(np.array([[0.0, 0.0], [0.5, 0.5]]), [1.0], None)
    >>> A, K = exact_traces(record, False, 1, 2, np.array([1]))
    >>> A, K
    (array([[0.5, 0. ]]), array([[-0.5,  0. ]]))
    """
    design, times = record.design, np.arange(first, last)
    X = design.matmul(np.eye(design.shape[1], dtype=design.dtype)).astype(float)
    products = _PairProducts(X)
    left = record.batch_slopes(first, last) if in_batch else record.slopes(first, last)
    A = np.where(times[:, None] > np.arange(last), np.nan, 0.0)
    K = A.copy()
    G = np.tile(np.eye(X.shape[1]), (last - first, 1, 1))  # P_{t-1} ... P_{s+1}
    for s in range(last - 2, -1, -1):
        alive = np.flatnonzero((times > s) & (times - s <= kept_age))
        step = record.step(s)
        right = np.zeros(len(X))
        right[step.rows] = step.curvature
        moved = G[alive]
        if step.jacobian is not None:
            moved = step.jacobian.apply(moved)  # symmetric: the rows times D~_s
        outside = right if in_batch else left[alive]
        inside = left[alive] * right
        A[alive, s], K[alive, s] = products.sums(step.scale * moved, outside, -inside)
        rows = X[step.rows]
        hessian = step.scale * (rows.T * step.curvature) @ rows
        G[alive] = moved - moved @ hessian
    return A, K


class _PairProducts:
    """Products x_ij x_il of pairs of columns of X (n, q), with which quadratic forms are matrix products."""

    def __init__(self, X):
        self._X = X
        self._pairs = np.triu_indices(X.shape[1])
        self._size = max(1, CHUNK_BYTES // (8 * len(self._pairs[0])))
        self._all = self._of(slice(None)) if self._size >= len(X) else None

    def sums(self, matrices, *weights):
        """Return ``sum_i w_i x_i' M x_i`` for each M of (k, q, q) and each of the weights, (k, n) or (n,)."""
        j, l = self._pairs
        folded = matrices[:, j, l] + np.where(j == l, 0, matrices[:, l, j])
        totals = [np.zeros(len(matrices)) for _ in weights]
        for start in range(0, len(self._X), self._size):
            rows = slice(start, start + self._size)
            forms = folded @ (self._of(rows) if self._all is None else self._all).T
            for total, weight in zip(totals, weights):
                total += np.einsum("kn,kn->k", forms, np.broadcast_to(weight[..., rows], forms.shape))
        return totals

    def _of(self, rows):
        X = self._X[rows]
        return X[:, self._pairs[0]] * X[:, self._pairs[1]]
