"""A growing symmetric matrix C with the inverse of lambda I + C kept beside it."""

import numpy as np
from scipy.linalg import blas, lapack

_EPS = np.finfo(float).eps

# The inverse is found afresh after so many updates, or at once after one that takes a direction down by more
# than this factor: the digits an update cancels are lost until then.
_REFRESH_UPDATES = 1000
_STEEP = 100.0

# Columns that are collected before one GEMM adds them all to C.
_MAX_WAITING = 32


class Writeable:
    """What is loaded from a memory map becomes writeable again, because BLAS would update a copy unseen."""

    def __setstate__(self, state):
        for name, value in state.items():
            copied = isinstance(value, np.ndarray) and not value.flags.writeable
            self.__dict__[name] = np.array(value, order="K") if copied else value


class InvertedHessian(Writeable):
    """C and M = (lambda I + C)^-1, both (n, n), Fortran-ordered so that BLAS updates them in place.

    Rows that are not in use yet are zero in C and lambda^-1 times the identity's in M, so that taking them
    into use costs nothing. M is brought up to date by every update, C when it is asked for.

    Parameters
    ----------
    n_rows : int
        n.
    reg_lambda : float
        lambda.
    """

    def __init__(self, n_rows, reg_lambda):
        self.reg_lambda = reg_lambda
        self._n_updates = 0
        self._allocate(n_rows)

    def _allocate(self, n_rows):
        self._C = np.zeros((n_rows, n_rows), order="F")
        self._waiting, self._n_waiting = [], 0
        self.M = np.zeros((n_rows, n_rows), order="F")
        np.fill_diagonal(self.M, 1 / self.reg_lambda)

    @property
    def C(self):
        """Array of shape (n, n): the sum of all updates; not to be kept beyond the next one."""
        if self._waiting:
            self._settle()
        return self._C

    def _settle(self):
        columns = np.concatenate(self._waiting, axis=1)
        blas.dgemm(1.0, columns, columns, beta=1.0, c=self._C, trans_b=True, overwrite_c=True)
        self._waiting, self._n_waiting = [], 0

    def grow(self, n_rows):
        """Append unused rows, up to `n_rows` in all."""
        C, M, old = self.C, self.M, len(self.C)
        self._allocate(n_rows)
        self._C[:old, :old], self.M[:old, :old] = C, M

    def reset(self, diagonal):
        """Let C be diagonal, with zeros after the given entries."""
        self._C[...] = 0
        self.M[...] = 0
        padded = np.zeros(len(self.M))
        padded[: len(diagonal)] = diagonal
        _diagonal(self._C)[:] = padded
        _diagonal(self.M)[:] = 1 / (self.reg_lambda + padded)
        self._waiting, self._n_waiting = [], 0
        self._n_updates = 0

    def add(self, columns, images, factor, downdate, steepness):
        """Add A F F' A' to C; with K = 1, vectors and numbers stand for the matrices.

        Parameters
        ----------
        columns, images : array of shape (n, K)
            A, and U = M A.
        factor, downdate : array of shape (K, K)
            F, and E with (lambda I + C + A F F' A')^-1 = M - U E E' U'.
        steepness : float
            The largest ratio, less 1, by which M falls in any direction, or a bound on it.
        """
        n_rows = len(self.M)
        added = columns.dot(factor).reshape(n_rows, -1)
        self._waiting.append(added)
        self._n_waiting += added.shape[1]
        if self._n_waiting >= _MAX_WAITING:
            self._settle()
        removed = images.dot(downdate).reshape(n_rows, -1)
        blas.dgemm(-1.0, removed, removed, beta=1.0, c=self.M, trans_b=True, overwrite_c=True)
        self._n_updates += 1
        if self._n_updates >= _REFRESH_UPDATES or steepness > _STEEP:
            self.refresh()

    def refresh(self):
        """Find M from C afresh."""
        self.M, _ = lapack.dpotri(cholesky(self.C, self.reg_lambda)[0], lower=True, overwrite_c=True)
        for j in range(1, len(self.M)):
            self.M[:j, j] = self.M[j, :j]
        self._n_updates = 0


def _diagonal(matrix):
    """Return a view of the diagonal of a Fortran-ordered square matrix."""
    return matrix.reshape(-1, order="F")[:: len(matrix) + 1]


def cholesky(matrix, shift):
    """Return the lower factor of matrix + shift I, raised along the diagonal to rounding level where need be.

    What lies above the diagonal of the factor means nothing. The second value returned is by how much the
    diagonal was raised, usually 0.
    """
    shifted = np.array(matrix, order="F")
    diagonal = _diagonal(shifted)
    diagonal += shift
    raised = 0.0
    factor, failed = lapack.dpotrf(shifted, lower=True, clean=False)
    while failed:
        more = len(shifted) * _EPS * diagonal.max()
        diagonal += more
        raised += more
        factor, failed = lapack.dpotrf(shifted, lower=True, clean=False)
    return factor, raised
