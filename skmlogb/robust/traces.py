"""The traces of each risk estimate, as left vectors and right ends of a sweep."""

import numpy as np

from .control import Control
from .exact import exact_traces
from .probes import unit_probes
from .sweep import sweep

BLOCK_BYTES = 2**28  # of left vectors at a time
ESTIMATORS = ("out_of_batch", "known_covariance", "in_batch", "in_batch_right")


def trace_rows(record, estimator, probes, first, last, kept_age, covariance=None):
    """Return the rows first, ..., last - 1 of the two matrices that the weights are made of.

    =================  =======================  ==========================================
    estimator          A_{t,s}                  K_{t,s} for s < t
    =================  =======================  ==========================================
    out_of_batch       Tr[D_t X Gamma X'] (9)   -Tr[D_t X Gamma X' S_s D_s] (10)
    known_covariance   Tr[Sigma Gamma] (8)      0
    in_batch           Tr[X Gamma X' S_s D_s]   -Tr[S_t D_t X Gamma X' S_s D_s] (23), (26)
    =================  =======================  ==========================================

    Parameters
    ----------
    record : Record
        The path.
    estimator : str
        One of ESTIMATORS.
    probes : ndarray of shape (B, n), or (B, q) for a known covariance, or None
        None: exact traces.
    first, last : int
        The rows.
    kept_age : ndarray of shape (last - first,)
        Up to which t - s each row is computed.
    covariance : ndarray of shape (q, q), optional
        Sigma.

    Returns
    -------
    A, K : ndarray of shape (B, last - first, last)
        One matrix a probe, or a single exact one. NaN where not computed, 0 from the diagonal on.
    """
    if probes is not None:
        return _probed(record, estimator, probes, first, last, kept_age, covariance)
    n, q = record.design.shape
    if estimator != "known_covariance" and q <= n:
        A, K = exact_traces(record, estimator != "out_of_batch", first, last, kept_age)
        return A[None], K[None]
    rows = np.arange(q) if estimator == "known_covariance" else np.flatnonzero(record.present)
    size = q if estimator == "known_covariance" else n
    at_once = max(1, BLOCK_BYTES // (8 * (last - first) * max(q, size)))
    sums = np.zeros((2, last - first, last))
    for units in unit_probes(rows, size, record.design.dtype, at_once):
        A, K = _probed(record, estimator, units, first, last, kept_age, covariance, exact=True)
        sums += A.sum(axis=0), K.sum(axis=0)
    return sums[0][None], sums[1][None]


def _probed(record, estimator, probes, first, last, kept_age, covariance, exact=False):
    """Return A and K for each probe, (B, last - first, last)."""
    design, shape = record.design, (last - first, len(probes), record.design.shape[1])
    path = design, record.step
    if estimator == "known_covariance":
        vectors = np.broadcast_to(probes @ covariance, shape).copy()
        (A,), K = sweep(*path, vectors, first, kept_age, fixed_ends=[probes[None]])
        return A, K
    ends = design.rmatmul(probes.T).T[None]
    if estimator == "out_of_batch":
        vectors = _left_vectors(design, record.slopes(first, last), probes)
        if exact:
            (A,), K = sweep(*path, vectors, first, kept_age, fixed_ends=[ends], moving_probes=probes)
            return A, -K
        control = Control(record, probes, first, last, vectors, ends)
        (A, squares), K = sweep(
            *path, vectors, first, kept_age, fixed_ends=[ends, control.ends], moving_probes=probes
        )
        return control.reduce(A, -K, squares)
    in_batch = _left_vectors(design, record.batch_slopes(first, last), probes)
    vectors = np.concatenate([in_batch, np.broadcast_to(ends, shape)], axis=1)
    _, traces = sweep(*path, vectors, first, kept_age, moving_probes=np.concatenate([probes, probes]))
    return traces[len(probes) :], -traces[: len(probes)]


def _left_vectors(design, slopes, probes):
    """Return X' D_t z for each row of slopes and each probe, (k, B, q)."""
    k, n = slopes.shape
    vectors = np.empty((k, len(probes), design.shape[1]), design.dtype)
    at_once = max(1, BLOCK_BYTES // (8 * n * len(probes)))
    for start in range(0, k, at_once):
        scaled = slopes[start : start + at_once, None] * probes
        vectors[start : start + at_once] = design.rmatmul(scaled.reshape(-1, n).T).T.reshape(
            -1, *vectors.shape[1:]
        )
    return vectors


def trace_diagonal(record, estimator, first, last):
    """Return K_{t,t} for the rows first, ..., last - 1: 1 for a known covariance, which has no K."""
    if estimator == "known_covariance":
        return np.ones(last - first)
    slopes = record.slopes if estimator == "out_of_batch" else record.batch_slopes
    return slopes(first, last).sum(axis=1, dtype=float)
