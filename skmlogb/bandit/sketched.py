"""The sketched Hessian of EOFD-MLogB: frequent directions in a grown orthonormal basis."""

import math

import numpy as np
from scipy import sparse
from scipy.linalg import blas, lapack, qr

from .curvature import Curvature, row_products

_EPS = np.finfo(float).eps
_NEGLIGIBLE = 1e-10  # a direction shorter than this part of the action adds no row to the basis
_TIDY_COMPRESSIONS = 16  # Q is made orthonormal again once in so many compressions
_BLOCK = 128  # columns of the basis that are rotated at a time


class SketchedCurvature(Curvature):
    """Z = lambda I + Q' C Q, with at most `capacity` rows in Q at the end of a round.

    When a round leaves more, the sketch is compressed: the `size` leading eigenvectors of C stay, their
    eigenvalues less the next one, which is added to `error` (Algorithm 1). Between compressions nothing is
    lost, so ``buffer=0`` is Algorithm 1 and a larger one is what Ghashami et al. (2016) call fast frequent
    directions.

    Parameters
    ----------
    n_outcomes, n_features : int
        K and d.
    reg_lambda : float
        lambda.
    size : int
        m. From K d on nothing is ever dropped.
    buffer : float, default=0.0
        Rows kept beyond m before a compression, as a fraction of m.

    Examples
    --------
    >>> import numpy as np
    >>> from skmlogb.bandit.sketched import SketchedCurvature
    >>> curvature = SketchedCurvature(1, 3, reg_lambda=1.0, size=1)
    >>> for x in np.eye(3):
    ...     _ = curvature.learn(x, 1, eta=1.0, norm_bound=1.0)
    >>> curvature.rank, round(float(curvature.error), 6)
    (1, 0.240261)
    """

    def __init__(self, n_outcomes, n_features, reg_lambda, *, size, buffer=0.0):
        full = n_outcomes * n_features
        self.size = min(size, full)
        self.capacity = self.size + math.floor(min(buffer * self.size, full - self.size))
        self._limit = min(self.capacity + n_outcomes, full)
        super().__init__(n_outcomes, n_features, reg_lambda, min(max(16, 2 * n_outcomes), self._limit))
        # Never moved, since another thread may be scoring; the system gives memory to rows once in use.
        self._basis = np.empty((self._limit, full))
        self._outside = np.zeros(full)  # the part of W outside Q, from compressions
        self.rank = 0
        self._n_compressions = 0

    @property
    def rank_bound(self):
        """Return max(m, current rank)."""
        return max(self.size, self.rank)

    def chunk_rows(self, X, budget):
        """Count a row of X, and B and M B, each in two orders of memory; of Q the columns that X touches."""
        cost = 4 * (self.rank + 1) * self.n_outcomes
        if not sparse.issparse(X):
            return max(1, budget // (cost + self.n_features))
        touched = max(np.diff(X.indptr).max(), 1)
        if 4 * touched >= self.n_features:
            return max(1, budget // (cost + self.n_features))
        cost += touched * self.rank * self.n_outcomes
        return max(1, min(budget // cost, math.isqrt(budget // touched)))

    @property
    def _Q(self):
        """Q, (r, K d)."""
        return self._basis[: self.rank]

    @property
    def coef(self):
        """W."""
        W = self._outside + self._point[: self.rank] @ self._Q
        return W.reshape(self.n_outcomes, self.n_features)

    def to_dense(self):
        """Return Z."""
        C = self._hessian.C[: self.rank, : self.rank]
        return self.reg_lambda * np.eye(self._outside.size) + self._Q.T @ C @ self._Q

    def orthonormality_error(self):
        """Return the largest entry of |Q Q' - I|."""
        return np.abs(self._Q @ self._Q.T - np.eye(self.rank)).max(initial=0.0)

    def score_parts(self, X):
        """Return W x and A(x) = B' M B + (||x||^2 I - B' B) / lambda with B = Q (I (x) x).

        This equals (18), whose difference of two terms in 1/lambda cancels where lambda is tiny.
        """
        r, K = self.rank, self.n_outcomes
        Q = self._Q.reshape(r * K, self.n_features)
        outside = self._outside.reshape(K, self.n_features)
        if sparse.issparse(X):
            columns = np.unique(X.indices)
            if 4 * len(columns) < self.n_features:  # only the columns that X touches
                X, Q, outside = X[:, columns], Q[:, columns], outside[:, columns]
            X = X.toarray()
        X = X.astype(float, copy=False)
        n = len(X)
        # (n K, r), so that one GEMM with M serves all actions and outcomes. Q X' is a tenth faster than X Q'.
        rows = Q.dot(X.T).reshape(r, K, n).transpose(2, 1, 0).reshape(n * K, r)
        logits = rows.dot(self._point[:r]).reshape(n, K)
        if self._rest > 0:
            logits += X.dot(outside.T)
        norms = _inner_products(rows.dot(self._hessian.M[:r, :r]), rows, K)
        inside = _inner_products(rows, rows, K)
        lengths = row_products(X, X)[:, None] * (1 - 64 * _EPS)
        diagonal = inside[:, :: K + 1]
        diagonal -= lengths
        np.minimum(diagonal, 0, out=diagonal)  # what is left of an action in the span of Q is rounding
        inside /= self.reg_lambda
        norms -= inside
        return logits, norms.reshape(n, K, K)

    def _open(self, x):
        r, K = self.rank, self.n_outcomes
        a = self._Q.reshape(r * K, self.n_features).dot(x).reshape(r, K)
        triangle = self._grow(x, a) if r < self._outside.size else 0.0
        A = np.zeros((len(self._point), K))
        A[:r] = a
        A[r : self.rank] = triangle
        if K == 1:
            A = A[:, 0]
        return A, self._hessian.M.dot(A)

    def _grow(self, x, a):
        """Take what is new in I (x) x into Q and return its coordinates there; correct the others, `a`."""
        r, K, Q = self.rank, self.n_outcomes, self._Q
        length = math.sqrt(x.dot(x))
        residual = a.T.dot(Q)  # (K, K d)
        if K == 1:
            np.subtract(x, residual, out=residual)
        else:
            np.negative(residual, out=residual)
            residual.reshape(K * K, -1)[:: K + 1] += x
        rows, triangle, least = _orthonormal_rows(residual, _NEGLIGIBLE * length)
        if least <= 0.7 * length:
            # So much was taken off some direction that what is left still leans on Q. Twice is enough.
            rows, triangle = rows[: self._outside.size - r], triangle[: self._outside.size - r]
            if not len(rows):
                return triangle
            overlap = rows.dot(Q.T)
            rows, correction, _ = _orthonormal_rows(rows - overlap.dot(Q), 0.0)
            a += overlap.T.dot(triangle)
            triangle = correction.dot(triangle)
        self._append(rows)
        return triangle

    def _append(self, rows):
        """Append rows to the basis, moving the part of W along them from outside to inside."""
        r, n_rows = self.rank, self.rank + len(rows)
        if n_rows > len(self._point):
            allocated = min(max(2 * len(self._point), n_rows), self._limit)
            self._point = np.concatenate([self._point, np.zeros(allocated - len(self._point))])
            self._hessian.grow(allocated)
        self._basis[r:n_rows] = rows
        self.rank = n_rows
        if self._rest > 0:
            inside = rows.dot(self._outside)
            self._point[r:n_rows] = inside
            self._outside -= inside.dot(rows)
            self._rest = float(self._outside.dot(self._outside))

    def _shrink_rest(self, factor):
        self._outside *= factor
        self._rest *= factor**2

    def _close(self):
        if self.rank > self.capacity:
            self._compress()

    def _compress(self):
        """Algorithm 1 in coordinates: keep the `size` leading eigenvectors, take the next eigenvalue off."""
        r, m, Q = self.rank, self.size, self._Q
        values, leading = _leading_eigenvectors(self._hessian.C[:r, :r], m)
        inside = leading @ self._point[:r]
        self._outside += (self._point[:r] - inside @ leading) @ Q
        self._rest = float(self._outside.dot(self._outside))
        self._point[:r] = 0
        self._point[:m] = inside
        self._hessian.reset(values[:m] - values[m])
        self.error += float(values[m])
        self.rank = m
        self._rotate(leading)
        if self._n_compressions % _TIDY_COMPRESSIONS == 0:
            # (Q Q')^(-1/2) = I - E/2 + ... with E = Q Q' - I, which otherwise grows by rounding.
            self._rotate(1.5 * np.eye(m) - 0.5 * (self._Q @ self._Q.T))
        self._n_compressions += 1

    def _rotate(self, matrix):
        """Make the first rows of the basis `matrix` times what they are, in place by blocks of columns."""
        n_after, n_before = matrix.shape
        for start in range(0, self._basis.shape[1], _BLOCK):
            block = slice(start, start + _BLOCK)
            self._basis[:n_after, block] = matrix @ self._basis[:n_before, block]

    def __getstate__(self):
        # Rows that are not in use hold whatever memory held: leave them out.
        return {**self.__dict__, "_basis": self._basis[: self.rank].copy()}

    def __setstate__(self, state):
        basis = state.pop("_basis")
        super().__setstate__(state)
        self._basis = np.empty((self._limit, basis.shape[1]))
        self._basis[: self.rank] = basis


def _leading_eigenvectors(matrix, n):
    """Return the eigenvalues, at least 0 and the largest first, and the first n eigenvectors as rows.

    By NumPy, as the products around it: SciPy's BLAS may be another library, with cold code.
    """
    values, vectors = np.linalg.eigh(matrix)
    return np.maximum(values[::-1], 0), np.ascontiguousarray(vectors[:, : -n - 1 : -1].T)


def _inner_products(left, right, K):
    """Return, for (n K, r) stacks of K rows, the inner products of each stack's rows as (n, K * K)."""
    if K == 1:
        return row_products(left, right)[:, None]
    shape = (len(left) // K, K, left.shape[1])
    return np.matmul(left.reshape(shape), right.reshape(shape).transpose(0, 2, 1)).reshape(-1, K * K)


def _orthonormal_rows(matrix, tolerance):
    """Return orthonormal rows N and an upper trapezoidal T with matrix = T' N, up to rows below `tolerance`.

    The rows of `matrix` (K, n), which may be overwritten, are few and long. Where they are well apart, the
    Cholesky factor of their Gram matrix serves, else a pivoted QR factorisation, which also tells what to
    leave out. The third value returned is the least entry on the diagonal of T, 0 if a row was left out.
    """
    if len(matrix) == 1:
        length = math.sqrt(matrix[0].dot(matrix[0]))
        if length <= tolerance:
            return matrix[:0], np.empty((0, 1)), 0.0
        matrix /= length
        return matrix, np.array([[length]]), length
    gram = matrix.dot(matrix.T)
    lower, failed = lapack.dpotrf(gram, lower=True)
    least = min(lower.diagonal().tolist())
    if not failed and least > tolerance and least**2 > 0.1 * max(gram.diagonal().tolist()):
        rows = blas.dtrsm(1.0, lower, matrix.T, side=True, lower=True, trans_a=True, overwrite_b=True).T
        return rows, lower.T, least
    columns, triangle, order = qr(matrix.T, mode="economic", pivoting=True)
    sizes = np.abs(triangle.diagonal())
    kept = sizes > tolerance
    return columns[:, kept].T, triangle[kept][:, np.argsort(order)], sizes.min() if kept.all() else 0.0
