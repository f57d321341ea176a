"""The design matrix as the recursion sees it: dense or CSR, implicitly centred, perhaps with an intercept."""

import numpy as np
from scipy.sparse import issparse


class Design:
    """A matrix whose columns are centred and extended without copying or densifying it.

    It stands for ``[X - 1 offset', constant 1]``.

    Parameters
    ----------
    X : ndarray or CSR of shape (n, p)
        The features, float32 or float64.
    offset : ndarray of shape (p,), optional
        What is subtracted from each column.
    constant : float, optional
        If given, a last column that is constant, the coordinate of the intercept.

    Attributes
    ----------
    X, offset, constant : as given.
    shape : (n, p), or (n, p + 1) with the constant column.
    dtype : that of X.

    Examples
    --------
    >>> import numpy as np
    >>> from skmlogb.robust.design import Design
    >>> design = Design(np.array([[1.0], [3.0]]), offset=np.array([2.0]), constant=0.5)
    >>> design.matmul(np.array([1.0, 10.0]))
    array([4., 6.])
    >>> design.rmatmul(np.array([1.0, 1.0]))
    array([0., 1.])
    """

    ROWS_SQUARED = 128  # at a time

    def __init__(self, X, *, offset=None, constant=None):
        self.X, self.dtype = X, X.dtype
        self.offset = None if offset is None else np.asarray(offset, dtype=X.dtype)
        self.constant = None if constant is None else X.dtype.type(constant)
        self.n_features = X.shape[1]  # the penalised coordinates; the constant column comes after them
        self.shape = (X.shape[0], self.n_features + (constant is not None))

    def matmul(self, coefs, rows=None):
        """Return the design (its `rows`) times coefs: (q,) -> (n,), (q, k) -> (n, k).

        Fastest where each column of coefs is contiguous; those of the product are, too.
        """
        X, head = self._rows(rows), coefs[: self.n_features]
        # Of the two orders of a dense product OpenBLAS is 1.3 times faster with one, by the precision.
        out = (head.T @ X.T).T if self.dtype == np.float64 and not issparse(X) else X @ head
        if self.offset is not None:
            out -= self.offset @ head
        if self.constant is not None:
            out += self.constant * coefs[-1]
        return out

    def rmatmul(self, values, rows=None):
        """Return the transposed design (of its `rows`) times values: (n,) -> (q,), (n, k) -> (q, k)."""
        X = self._rows(rows)
        out = X.T @ values if issparse(X) else (values.T @ X).T
        total = values.sum(axis=0)
        if self.offset is not None:
            out -= np.multiply.outer(self.offset, total)
        if self.constant is not None:
            out = np.concatenate([out, (self.constant * total)[None]])
        return out

    def take(self, rows=None, columns=None):
        """Return the design of these rows and columns, copied only where indices ask for it.

        Parameters
        ----------
        rows : slice or array of int, optional
            All rows if None.
        columns : array of int, optional
            Increasing; must contain the constant column if there is one. All columns if None.
        """
        X, offset = self._rows(rows), self.offset
        if columns is not None:
            columns = columns[: columns.size - (self.constant is not None)]
            X = X[:, columns] if issparse(X) else np.take(X, columns, axis=1)
            offset = None if offset is None else offset[columns]
        return Design(X, offset=offset, constant=self.constant)

    def row_forms(self, slopes):
        """Return ``sum_j slopes_j x_ij^2`` over the columns of the design: slopes (k, q) -> (k, n)."""
        X, head = self.X, slopes[:, : self.n_features]
        offset = np.zeros(self.n_features, self.dtype) if self.offset is None else self.offset
        if issparse(X):
            squares, at = X.copy(), offset[X.indices]
            squares.data = (X.data - at) ** 2 - at**2  # on top of offset^2, that of an entry 0
            forms = (squares @ head.T).T + (head @ offset**2)[:, None]
        else:
            forms = np.empty((len(slopes), len(X)), self.dtype)
            for start in range(0, len(X), self.ROWS_SQUARED):
                rows = slice(start, start + self.ROWS_SQUARED)
                forms[:, rows] = head @ np.square(X[rows] - offset).T
        return forms if self.constant is None else forms + self.constant**2 * slopes[:, -1:]

    def toarray(self):
        """Return the design as a dense array of shape (n, q); X itself where nothing is added to it."""
        dense = self.X.toarray() if issparse(self.X) else self.X
        if self.offset is not None:
            dense = dense - self.offset
        if self.constant is not None:
            dense = np.column_stack([dense, np.full(len(dense), self.constant)])
        return dense

    def _rows(self, rows):
        return self.X if rows is None else self.X[rows]
