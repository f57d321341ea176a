"""The contract of a curvature model: the estimate W_t and the Hessian Z_t that measures it."""

from abc import ABC, abstractmethod

import numpy as np

from .hessian import InvertedHessian, Writeable
from .outcome_model import outcome_algebra
from .projection import project_onto_ball

_vecdot = getattr(np, "vecdot", None)  # since NumPy 2; twice as fast


def row_products(left, right):
    """Return the inner product of each pair of rows."""
    return np.einsum("ij,ij->i", left, right) if _vecdot is None else _vecdot(left, right)


class Curvature(Writeable, ABC):
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
        self._algebra = outcome_algebra(n_outcomes)
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
        """Return A with I (x) x = Q' A, and U = M A, both (n_rows, K), vectors for K = 1.

        The rows of Q may grow for it.
        """

    def _shrink_rest(self, factor):
        """Multiply the part of W outside Q."""

    def _close(self):
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
        T, logits = A.T.dot(U), A.T.dot(self._point)
        # M^2 <= M / lambda, save where rounding has left M indefinite: with actions vast beside lambda.
        if self.reg_lambda * np.vdot(U, U) > 2 * self._algebra.trace(T):
            self._hessian.refresh()
            U = self._hessian.M.dot(A)
            T = A.T.dot(U)
        step, factor, change, travelled = self._algebra.newton_step(logits, outcome, T, eta)
        point = self._point - U.dot(step)
        if point.dot(point) + self._rest > norm_bound * norm_bound:
            point, travelled = self._project(point, A, U, T, factor, norm_bound)
            change = A.T.dot(point) - logits
        self._point = point
        factor = self._algebra.hessian_factor(logits + change)
        self._hessian.add(A, U, factor, *self._algebra.downdate(factor, T))
        self._close()
        return self._algebra.inner(change, change), max(travelled, 0.0)  # negative only by rounding

    def _project(self, point, A, U, T, factor, norm_bound):
        """Return the projection (9) of a point in the norm of Z~, and the length of the whole move."""
        C, M = self._hessian.C, self._hessian.M
        removed = U.dot(self._algebra.downdate(factor, T)[0]).reshape(len(C), -1)

        def hessian():
            added = A.dot(factor).reshape(len(C), -1)
            matrix = C + added.dot(added.T)
            np.einsum("ii->i", matrix)[:] += self.reg_lambda
            return matrix

        point, shrink = project_onto_ball(
            point,
            self._rest,
            norm_bound,
            reg_lambda=self.reg_lambda,
            inverse=lambda v: M.dot(v) - removed.dot(v.dot(removed)),
            hessian=hessian,
        )
        move = point - self._point
        travelled = self.reg_lambda * (move.dot(move) + (1 - shrink) ** 2 * self._rest)
        travelled += move.dot(C.dot(move))
        self._shrink_rest(shrink)
        return point, travelled
