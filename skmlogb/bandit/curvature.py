"""The contract of a curvature model: the estimate W_t and the Hessian Z_t that measures it."""

from abc import ABC, abstractmethod

import numpy as np
from scipy.linalg import lapack

from .hessian import InvertedHessian, downdate_factor
from .outcome_model import gradient, hessian_factor, probabilities
from .projection import project_onto_ball


class Curvature(ABC):
    """An estimate W of shape (K, d) and a Hessian Z of shape (K d, K d), learnt one round at a time.

    Z is lambda I + Q' C Q with orthonormal rows Q; W has the coordinates `_point` in Q and a part outside
    Q of squared length `_rest`. A subclass says what Q is, and keeps the part outside if there can be one.
    Everything else of a round, equations (8) and (9) and the Hessian at the new estimate, needs coordinates
    only and is written here once.

    Parameters
    ----------
    n_outcomes : int
        K, the reference outcome not counted.
    n_features : int
        d.
    reg_lambda : float
        lambda: before any round, W = 0 and Z = lambda I.
    n_rows : int
        Number of rows of Q to make room for.
    """

    #: rho, what was taken off the Hessian so far.
    error = 0.0

    def __init__(self, n_outcomes, n_features, reg_lambda, n_rows):
        self.n_outcomes = n_outcomes
        self.n_features = n_features
        self.reg_lambda = reg_lambda
        self._hessian = InvertedHessian(n_rows, reg_lambda)
        self._point = np.zeros(n_rows)
        self._rest = 0.0

    @property
    @abstractmethod
    def rank_bound(self):
        """A bound on the rank of C, the m of Lemma 6."""

    @property
    @abstractmethod
    def coef(self):
        """W as a fresh array of shape (K, d)."""

    @abstractmethod
    def chunk_rows(self, X, budget):
        """Return how many rows of X `score_parts` may take at once with `budget` numbers of memory."""

    @abstractmethod
    def score_parts(self, X):
        """Return the logits W x (n, K) and the matrices A(x) of (18) (n, K, K) of the rows of X (n, d)."""

    @abstractmethod
    def to_dense(self):
        """Return Z as an array of shape (K d, K d), in the order of the row-wise vector of W."""

    @abstractmethod
    def _open(self, x):
        """Return A with I (x) x = Q' A, and U = M A, both (n_rows, K); the rows of Q may grow for it."""

    def _shrink_rest(self, factor):  # noqa: B027 -- most have no part outside Q
        """Multiply the part of W outside Q."""

    def _close(self):  # noqa: B027 -- most have nothing to do
        """End the round."""

    def learn(self, x, outcome, *, eta, norm_bound):
        """Learn from one round.

        Parameters
        ----------
        x : array of shape (d,)
            The action played.
        outcome : int
            Its outcome in 0..K, 0 the reference.
        eta, norm_bound : float
            Step size eta and radius S of the ball.

        Returns
        -------
        moved : float
            ||(W_{t+1} - W_t) x||^2.
        travelled : float
            ||W_{t+1} - W_t||^2 in the norm of Z_t.
        """
        A, U = self._open(x)
        T = A.T @ U
        logits = A.T @ self._point
        p = probabilities(logits)
        factor = np.sqrt(eta) * hessian_factor(p)
        # (8) with Z~ = Z + eta (I (x) x) G (I (x) x)': Z~^-1 (I (x) x) = Z^-1 (I (x) x) (I + eta G T)^-1
        step = _solve(factor @ factor.T @ T, eta * gradient(p, outcome))
        point = self._point - U @ step
        change = -T @ step
        travelled = -step @ change
        if point @ point + self._rest > norm_bound**2:
            point, travelled = self._project(point, A, U, T, factor, norm_bound)
            change = A.T @ point - logits
        self._point = point
        self._hessian.add(A, U, hessian_factor(probabilities(logits + change)), T)
        self._close()
        return change @ change, travelled

    def _project(self, point, A, U, T, factor, norm_bound):
        """Return the projection (9) of a point in the norm of Z~, and the length of the whole move."""
        C, M = self._hessian.C, self._hessian.M
        downdated = U @ downdate_factor(factor, T)

        def hessian():
            added = A @ factor
            matrix = C + added @ added.T
            np.einsum("ii->i", matrix)[:] += self.reg_lambda
            return matrix

        point, shrink = project_onto_ball(
            point,
            self._rest,
            norm_bound,
            reg_lambda=self.reg_lambda,
            inverse=lambda v: M @ v - downdated @ (downdated.T @ v),
            hessian=hessian,
        )
        move = point - self._point
        travelled = self.reg_lambda * (move @ move + (1 - shrink) ** 2 * self._rest) + move @ (C @ move)
        self._shrink_rest(shrink)
        return point, travelled


def _solve(matrix, right):
    """Solve (I + matrix) s = right, K equations."""
    if len(right) == 1:
        return right / (1 + matrix[0])
    return lapack.dgesv(np.eye(len(right)) + matrix, right)[2]
