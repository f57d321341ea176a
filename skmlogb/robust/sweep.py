"""Left vectors swept backwards through the updates of a trajectory: all traces with Gamma from one family.

For ``P_t = D~_t (I - c_t X' S_t D_t X)`` and ``Gamma_{t,s} = P_{t-1} ... P_{s+1} D~_s c_s``, the row
a' Gamma_{t,s} is ``c_s (D~_s g)'`` with ``g = P_{s+1}' ... P_{t-1}' a``. From s to s - 1 such a left vector g
takes two products with the rows of the batch, the same ones whatever t: all t advance together.
"""

from dataclasses import dataclass
from typing import Any

import numpy as np
from scipy.sparse import issparse

from .penalties import ProxJacobian

CHUNK_BYTES = 2**23  # of rows, or of products with them, at a time: what a cache holds between two products
# Measured: products of X with fewer than READ_VECTORS vectors take the time of reading it; a copy of some of
# its entries takes the time of products of as many entries with so many vectors.
READ_VECTORS, ROW_GATHER_VECTORS, COLUMN_GATHER_VECTORS = 12, 16, 32


@dataclass(frozen=True)
class Step:
    """What the sweep needs of one update.

    Attributes
    ----------
    scale : float
        c_s = eta_s / |I_s|_v.
    rows : ndarray of int
        Rows of the batch where the curvature is not 0, increasing.
    curvature : ndarray
        The diagonal of S_s D_s on these rows.
    jacobian : ProxJacobian or None
        D~_s; None is the identity.
    """

    scale: float
    rows: np.ndarray
    curvature: np.ndarray
    jacobian: ProxJacobian | None


def sweep(design, step_at, vectors, first, kept_age, *, fixed_ends=(), moving_probes=None):
    """Return ``a' Gamma_{t,s} e`` for left vectors a of the iterates t, right ends e, and all s < t.

    Parameters
    ----------
    design : Design of shape (n, q)
        The data.
    step_at : callable
        ``step_at(s)`` is the Step from iterate s to iterate s + 1.
    vectors : ndarray of shape (k, B, q)
        The left vectors of the iterates first, ..., first + k - 1; overwritten.
    first : int
        Number of iterates before these.
    kept_age : ndarray of shape (k,)
        The traces of an iterate are computed while t - s is at most this.
    fixed_ends : sequence of ndarray of shape (k, B, q) or (1, B, q)
        Right ends that are the same for all s, of each iterate or of all.
    moving_probes : ndarray of shape (B, n), optional
        Probes z whose right ends are ``X' S_s D_s z``.

    Returns
    -------
    fixed : list of ndarray of shape (B, k, first + k)
        The products with each of `fixed_ends`; 0 where s >= t, NaN where t - s exceeds `kept_age`.
    moving : ndarray of the same shape
        The products with the ends of `moving_probes`, zeros without them.
    """
    k, n_probes, _ = vectors.shape
    times = first + np.arange(k)
    empty = np.where(times[:, None] > np.arange(times[-1] + 1), np.nan, np.zeros((n_probes, k, 1)))
    fixed = [empty.copy() for _ in fixed_ends]
    moving = np.zeros_like(empty) if moving_probes is None else empty
    step = None
    for s in range(times[-1] - 1, -1, -1):
        step, before = step or step_at(s), step_at(s - 1) if s else None
        alive = np.flatnonzero((times > s) & (times - s <= kept_age))
        columns = _working_columns(step.jacobian, before and before.jacobian, alive.size * n_probes)
        index: Any = alive if len(alive) < k - alive[0] else slice(alive[0], None)  # a view if it can be one
        if columns is not None:
            index = np.ix_(alive, np.arange(n_probes), columns)
        heads = vectors[index]
        if step.jacobian is not None:
            heads = (step.jacobian if columns is None else step.jacobian.take(columns)).apply(heads)
        for traces, ends in zip(fixed, fixed_ends):
            ends = ends[alive] if len(ends) > 1 else ends
            ends = np.broadcast_to(ends if columns is None else ends[..., columns], heads.shape)
            traces[:, alive, s] = step.scale * np.einsum("kbq,kbq->bk", heads, ends)
        if s or moving_probes is not None:
            products, tails = curvature_products(design, step, columns, heads, moving_probes)
            moving[:, alive, s] = step.scale * products.T
            vectors[index] = heads - design.dtype.type(step.scale) * tails
        step = before
    return fixed, moving


def _gather_pays(share, n_vectors, price):
    """Whether products with a share of X, and the copy of it, cost less than products with all of it."""
    return share * (price + n_vectors) < max(n_vectors, READ_VECTORS)


def _working_columns(jacobian, before, n_vectors):
    """Return the columns that this step or the one before it does not annul; None: not worth a gather.

    The products with this step's rows read the first kind, the next step of the sweep reads the second.
    """
    if jacobian is None:
        return None
    used = jacobian.slope != 0
    if before is not None:
        used |= before.slope != 0
    return np.flatnonzero(used) if _gather_pays(used.mean(), n_vectors, COLUMN_GATHER_VECTORS) else None


def curvature_products(design, step, columns, heads, moving_probes):
    """Return ``g' X' S D z`` and ``X' S D X g`` for left vectors g and the probe z that belongs to each.

    Parameters
    ----------
    design : Design of shape (n, q)
        The data.
    step : Step
        Its rows and its S D.
    columns : ndarray of int or None
        The columns that `heads` holds.
    heads : ndarray of shape (k, B, n_columns)
        The left vectors.
    moving_probes : ndarray of shape (B, n) or None
        The probes; None leaves the first result 0.

    Returns
    -------
    products : ndarray of shape (k, B)
    tails : ndarray, as `heads`
    """
    k, n_probes, width = heads.shape
    flat = heads.reshape(k * n_probes, width)
    chunks = _row_chunks(design, step, moving_probes, len(flat), width)
    if _gram_pays(design, len(step.rows), width, len(flat), n_probes):
        gram, ends = np.zeros((width, width), heads.dtype), np.zeros((n_probes, width), heads.dtype)
        for rows, curvature, probes in chunks:
            dense = design.take(rows, columns).toarray()
            weighted = dense * curvature[:, None]
            gram += dense.T @ weighted
            ends += 0 if probes is None else probes @ weighted
        return np.einsum("kbq,bq->kb", heads, ends), (flat @ gram).reshape(heads.shape)
    products, tails = np.zeros((k, n_probes)), np.zeros_like(flat)
    for rows, curvature, probes in chunks:
        block = design.take(rows, columns)
        images = block.matmul(flat.T).T
        images *= curvature
        if probes is not None:
            products += np.einsum("kbr,br->kb", images.reshape(k, n_probes, -1), probes)
        tails += block.rmatmul(images.T).T
    return products, tails.reshape(heads.shape)


def _gram_pays(design, n_rows, width, n_vectors, n_probes):
    """Whether forming X' S D X once costs less than two products of its rows with every vector."""
    density = design.X.nnz / np.prod(design.X.shape) if issparse(design.X) else 1
    formed = 2 * n_rows * width * (width + n_probes) + 2 * width**2 * n_vectors
    return formed < 4 * n_rows * width * n_vectors * density


def _row_chunks(design, step, moving_probes, n_vectors, width):
    """Yield rows (a slice where a copy does not pay), their curvature and their probes, in bounded pieces."""
    n = design.shape[0]
    size = max(1, CHUNK_BYTES // (design.dtype.itemsize * max(n_vectors, width)))
    if _gather_pays(len(step.rows) / n, n_vectors, ROW_GATHER_VECTORS):
        rows, curvature = step.rows, step.curvature
    else:
        rows, curvature = None, np.zeros(n, design.dtype)
        curvature[step.rows] = step.curvature
    for start in range(0, len(curvature), size):
        chunk = slice(start, start + size)
        chosen = chunk if rows is None else rows[chunk]
        yield chosen, curvature[chunk], None if moving_probes is None else moving_probes[:, chosen]
