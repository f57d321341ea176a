"""The full Hessian of OFUL-MLogB, with its inverse kept beside it."""

import numpy as np
from scipy import sparse

from .curvature import Curvature


class DenseCurvature(Curvature):
    """Q is the identity: memory and the time of a round grow like (K d)^2.

    Parameters
    ----------
    n_outcomes, n_features : int
        K and d.
    reg_lambda : float
        lambda.

    Examples
    --------
    >>> import numpy as np
    >>> from skmlogb.bandit.dense import DenseCurvature
    >>> curvature = DenseCurvature(1, 2, reg_lambda=1.0)
    >>> moved, travelled = curvature.learn(np.array([1.0, 0.0]), 1, eta=1.0, norm_bound=1.0)
    >>> curvature.coef
    array([[0.4, 0. ]])
    """

    def __init__(self, n_outcomes, n_features, reg_lambda):
        super().__init__(n_outcomes, n_features, reg_lambda, n_rows=n_outcomes * n_features)

    @property
    def rank_bound(self):
        """K d."""
        return len(self._point)

    @property
    def coef(self):
        """W."""
        return self._point.reshape(self.n_outcomes, self.n_features).copy()

    def chunk_rows(self, X, budget):
        """Count a row of X, its product with one block row of H^-1, and A(x)."""
        cost = self.n_features * (self.n_outcomes + 1) + self.n_outcomes**2
        return max(1, budget // cost)

    def to_dense(self):
        """Return H."""
        H = self._hessian.C.copy()
        np.einsum("ii->i", H)[:] += self.reg_lambda
        return H

    def score_parts(self, X):
        """Return W x and A(x), the latter from H^-1 as a matrix of K x K blocks of shape d x d."""
        K, d = self.n_outcomes, self.n_features
        if sparse.issparse(X):
            X = X.toarray()
        X = X.astype(float, copy=False)
        blocks = self._hessian.M.reshape(K, d, K * d)  # symmetric, so the order of memory does not matter
        A = np.empty((len(X), K, K))
        for k in range(K):
            products = (X @ blocks[k, :, k * d :]).reshape(len(X), K - k, d)
            A[:, k, k:] = A[:, k:, k] = np.matmul(products, X[:, :, None])[:, :, 0]
        np.maximum(np.einsum("akk->ak", A), 0, out=np.einsum("akk->ak", A))
        return X @ self._point.reshape(K, d).T, A

    def _open(self, x):
        K, d = self.n_outcomes, self.n_features
        M = self._hessian.M.T
        if K == 1:
            return x, M.dot(x)
        A = np.zeros((K, d, K))
        A[range(K), :, range(K)] = x
        return A.reshape(K * d, K), M.reshape(K * d, K, d).dot(x)
