"""A growing symmetric matrix C with the inverse of lambda I + C kept beside it."""

import numpy as np
from scipy.linalg import blas, lapack

_EPS = np.finfo(float).eps

# The inverse is found afresh after so many updates, or at once after one that takes a direction down by more
# than this factor: the digits an update cancels are lost until then.
_REFRESH_UPDATES = 1000
_STEEP = 100.0


class Writeable:
    """What is loaded from a memory map becomes writeable again, because BLAS would update a copy unseen."""

    def __setstate__(self, state):
        for name, value in state.items():
            copied = isinstance(value, np.ndarray) and not value.flags.writeable
            self.__dict__[name] = np.array(value, order="K") if copied else value


class InvertedHessian(Writeable):
    """C and M = (lambda I + C)^-1, both (n, n), Fortran-ordered so that BLAS updates them in place.

    Rows that are not in use yet are zero in C and lambda^-1 times the identity's in M, so that taking them
    into use costs nothing.

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
        self.C = np.zeros((n_rows, n_rows), order="F")
        self.M = np.zeros((n_rows, n_rows), order="F")
        np.fill_diagonal(self.M, 1 / self.reg_lambda)

    def grow(self, n_rows):
        """Append unused rows, up to `n_rows` in all."""
        C, M, old = self.C, self.M, len(self.C)
        self._allocate(n_rows)
        self.C[:old, :old], self.M[:old, :old] = C, M

    def reset(self, diagonal):
        """Let C be diagonal, with zeros after the given entries."""
        self.C[...] = 0
        self.M[...] = 0
        padded = np.zeros(len(self.C))
        padded[: len(diagonal)] = diagonal
        np.fill_diagonal(self.C, padded)
        np.fill_diagonal(self.M, 1 / (self.reg_lambda + padded))
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
        n_rows = len(self.C)
        added = columns.dot(factor).reshape(n_rows, -1)
        blas.dgemm(1.0, added, added, beta=1.0, c=self.C, trans_b=True, overwrite_c=True)
        removed = images.dot(downdate).reshape(n_rows, -1)
        blas.dgemm(-1.0, removed, removed, beta=1.0, c=self.M, trans_b=True, overwrite_c=True)
        self._n_updates += 1
        if self._n_updates >= _REFRESH_UPDATES or steepness > _STEEP:
            self._refresh()

    def _refresh(self):
        self.M, _ = lapack.dpotri(cholesky(self.C, self.reg_lambda)[0], lower=True, overwrite_c=True)
        for j in range(1, len(self.M)):
            self.M[:j, j] = self.M[j, :j]
        self._n_updates = 0


def cholesky(matrix, shift):
    """Return the lower factor of matrix + shift I, raised along the diagonal to rounding level where need be.

    What lies above the diagonal of the factor means nothing. The second value returned is by how much the
    diagonal was raised, usually 0.
    """
    shifted = np.array(matrix, order="F")
    diagonal = shifted.reshape(-1, order="F")[:: len(shifted) + 1]
    diagonal += shift
    raised = 0.0
    factor, failed = lapack.dpotrf(shifted, lower=True, clean=False)
    while failed:
        more = len(shifted) * _EPS * diagonal.max()
        diagonal += more
        raised += more
        factor, failed = lapack.dpotrf(shifted, lower=True, clean=False)
    return factor, raised
