"""A control variate for probed traces: the noise of a product whose trace needs no probe.

All noise of ``z' M z`` comes from the off-diagonal of M. That of ``M = D_t X Gamma_{t,s} X'`` resembles that
of ``D_t N_t`` with ``N_t = X diag(slopes of D~_{t-1}) X'``, whose trace is known. So the trace of M is
estimated by ``z' M z - beta (z' D_t N_t z - Tr[D_t N_t])``, that of ``M S_s D_s`` by the like with
``D_t N_t S_s D_s``. beta is the regression of one off-diagonal on the other, itself a ratio of traces. No
noise is left at t - s = 1 if the Jacobians are diagonal, and a half to a quarter of the variance later on.
"""

import numpy as np

CHUNK_BYTES = 2**25
LEAST_OFFDIAGONAL = 0.1  # share of the off-diagonal in Tr[D_t N_t^2], at the least


class Control:
    """The products with ``D_t N_t`` for the iterates first, ..., last - 1.

    Parameters
    ----------
    record : Record
        The path.
    probes : ndarray of shape (B, n)
        The probes z.
    first, last : int
        Which iterates.
    vectors : ndarray of shape (k, B, q)
        X' D_t z.
    ends : ndarray of shape (1, B, q)
        X' z.

    Attributes
    ----------
    ends : ndarray of shape (k, B, q) or (1, B, q)
        X' N_t z: the right ends of the products that beta needs.
    """

    def __init__(self, record, probes, first, last, vectors, ends):
        self._record, self._probes, self._last = record, probes, last
        design = record.design
        slopes = np.ones((1 if record.penalty is None else last - first, design.shape[1]), design.dtype)
        if record.penalty is not None:
            for t in range(max(first, 1), last):  # the start has no update before it
                slopes[t - first] = record.jacobians[t - 1].slope
        heads, moved = vectors * slopes[:, None], ends * slopes[:, None]
        self._images, images = _images(design, heads), _images(design, moved)
        self.ends = design.rmatmul(images.reshape(-1, images.shape[-1]).T).T.reshape(moved.shape)
        self._values = np.einsum("kbq,bq->bk", heads, ends[0])
        images = np.broadcast_to(images, self._images.shape)
        self._squares = np.einsum("kbn,kbn->bk", self._images, images)
        forms = design.row_forms(slopes)  # the diagonal of N_t
        self._diagonals = record.slopes(first, last) * forms
        weight = self._diagonals.sum(axis=1)
        self._level = np.sum(self._diagonals * forms, axis=1) / np.where(weight > 0, weight, 1)

    def reduce(self, A, K, squares):
        """Return A and K of each probe, (B, k, last), less the noise that the control explains.

        `squares` are the products of the left vectors with `ends`, z' D_t X Gamma_{t,s} X' N_t z.
        """
        squared = self._squares.mean(axis=0)
        offdiagonal = squared - self._values.mean(axis=0) * self._level
        # Rows so nearly orthogonal that chance decides leave little to control.
        offdiagonal = np.maximum(offdiagonal, LEAST_OFFDIAGONAL * squared)[:, None]
        resembling = (squares - A * self._level[:, None]).mean(axis=0)
        beta = resembling / np.where(offdiagonal > 0, offdiagonal, 1)
        in_A, in_K = self._noise()
        return A - beta * in_A, K - beta * in_K

    def _noise(self):
        """Return ``z' D_t N_t z - Tr[D_t N_t]``, and minus the like with S_s D_s, shaped as A and K."""
        record, last = self._record, self._last
        k, n_probes, n = self._images.shape
        in_A = self._values - self._diagonals.sum(axis=1, dtype=float)
        in_K = np.zeros((n_probes, k, last))
        size = max(1, CHUNK_BYTES // (8 * (last + k * n_probes)))
        for start in range(0, n, size):
            rows = slice(start, start + size)
            curvatures = record.curvatures(0, last - 1, rows)
            in_K[:, :, :-1] += self._diagonals[:, rows] @ curvatures.T
            for products, images, probe in zip(in_K, self._images.swapaxes(0, 1), self._probes[:, rows]):
                products[:, :-1] -= images[:, rows] @ (curvatures * probe).T
        return in_A[:, :, None], in_K


def _images(design, vectors):
    """Return X times each of the vectors (..., q)."""
    flat = vectors.reshape(-1, vectors.shape[-1])
    return design.matmul(flat.T).T.reshape(*vectors.shape[:-1], -1)
