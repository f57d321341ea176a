"""The risk of a path that grows, computed block by block."""

import numpy as np
from scipy.linalg import block_diag

from .probes import draw_probes, number_of_probes
from .record import Record
from .step_sizes import largest_curvature
from .thinning import DENSE_AGE, fill_in, oldest_kept_age
from .traces import BLOCK_BYTES, trace_diagonal, trace_rows
from .weights import corrected_risks, jackknife_std, leave_one_out, solve_weights

THIN_FROM = 100_000  # entries of X: below it a whole sweep is cheap
STEADY = 1.05  # eta_t L up to here counts as <= 1: L comes from a few power iterations


class RiskSweep:
    """The risk of a path that grows: one backward sweep of left vectors for each block of new iterates.

    Parameters
    ----------
    design : Design of shape (n, q)
        The data; a constant column is an unpenalised coordinate like any other.
    y : ndarray of shape (n,)
        Targets, of the design's dtype.
    loss, penalty : objects
        Those of the updates; the penalty acts on all coordinates but the constant column's.
    estimator : {"out_of_batch", "known_covariance", "in_batch", "in_batch_right"}
        As for :func:`~skmlogb.robust.trajectory_risk`.
    covariance : ndarray of shape (p, p), optional
        Sigma of the features, for "known_covariance".
    n_probes : "auto", "exact" or int
        As for :func:`~skmlogb.robust.trajectory_risk`.
    thin : "auto" or bool
        As for :func:`~skmlogb.robust.trajectory_risk`.
    rng : numpy.random.Generator
        Draws the probes, once.
    sample_weight : ndarray of shape (n,), optional
        Weights of the rows in the updates. Rows of weight 0 are left out; the rest count once each in D_t,
        the left side of the traces and the norm.
    curvature : float, optional
        The largest curvature L, which thinning needs; computed if it is not given.
    check : bool, default=False
        Raise ValueError if the iterates are not those of the recursion.

    Attributes
    ----------
    risk, std : ndarray of shape (T,)
    weights : ndarray of shape (T, T)
        As for :class:`~skmlogb.robust.RiskPath`.
    n_probes : int or "exact"
        The number in use.

    Examples
    --------
    >>> import numpy as np
    >>> from skmlogb.robust import Huber
    >>> from skmlogb.robust.design import Design
    >>> from skmlogb.robust.risk_sweep import RiskSweep
    >>> from skmlogb.robust.trajectory import descend
    >>> rng = np.random.default_rng(0)
    >>> design, y = Design(rng.standard_normal((60, 20))), rng.standard_normal(60)
    >>> sweep = RiskSweep(design, y, loss=Huber(), rng=rng)
    >>> sweep.extend(np.zeros((1, 20)), [], None)
    >>> updates = descend(design, y, loss=Huber(), step_sizes=[0.5] * 3, coef_init=np.zeros(20))
    >>> for coef, step, batch in updates:
    ...     sweep.extend(coef[None], [step], [batch])
    >>> sweep.risk.shape
    (4,)
    """

    def __init__(
        self,
        design,
        y,
        *,
        loss,
        penalty=None,
        estimator="out_of_batch",
        covariance=None,
        n_probes="auto",
        thin="auto",
        rng,
        sample_weight=None,
        curvature=None,
        check=False,
    ):
        self.record = Record(design, y, loss, penalty, sample_weight)
        self.n_probes = number_of_probes(n_probes, *design.shape)
        self._estimator, self._check = estimator, check
        self._covariance = _on_design(covariance, design)
        self._probes = self._draw_probes(design, rng)
        # Splines need traces that are smooth in t, which those of a batch at t are not, nor those of a
        # penalty that is not convex, the Jacobian of whose prox stretches.
        if thin == "auto":
            convex = penalty is None or penalty.max_step() == np.inf
            thin = design.shape[0] * design.shape[1] >= THIN_FROM and n_probes != "exact" and convex
        self._thin = thin and not estimator.startswith("in_batch")
        self._curvature, self._rng = curvature, rng
        m = 1 if self._probes is None else 1 + len(self._probes)  # with all probes, then without each of them
        self._traces = np.zeros((2, m, 0, 0))  # A and K
        self._W = np.zeros((m, 0, 0))
        self._computed = np.zeros((0, 0), bool)
        self._risk, self._std = np.zeros(0), np.zeros(0)

    @property
    def risk(self):
        """Estimated risk of each entry of the path, (T,)."""
        return self._risk[self.record.source]

    @property
    def std(self):
        """Standard error over the probes of each entry, (T,)."""
        return self._std[self.record.source]

    @property
    def blind(self):
        """Whether an entry's residuals all lie outside the quadratic zone, (T,): Tr D_t = 0.

        The risk is undefined there (NaN), except at the start, which needs no weights.
        """
        size = self.record.n_iterates
        return (np.diagonal(self._traces[1, 0])[:size] == 0)[self.record.source]

    @property
    def weights(self):
        """The weights w_{t,s} of (3), (T, T)."""
        source, moves = np.array(self.record.source), self.record.moves
        weights = np.zeros((len(source), len(source)))
        weights[:, moves] = self._W[0][source, : len(moves)]
        return np.tril(weights, -1)

    def extend(self, coefs, step_sizes, batches):
        """Append iterates and compute their risk.

        Parameters
        ----------
        coefs : ndarray of shape (k, q)
            The new iterates; in the first call, the start is the first of them.
        step_sizes : sequence of k floats, k - 1 in the first call
            The steps that led to them.
        batches : sequence of (array of int or None), as many, or None
            The rows that led to them; None stands for all.
        """
        first = self.record.n_iterates
        self.record.append(coefs, step_sizes, batches, self._check)
        last = self.record.n_iterates
        if last == first:
            return
        if self._estimator.startswith("in_batch"):  # the previously last row has its batch only now
            first = max(first - 1, 0)
        self._make_room(last)
        n, q = self.record.design.shape
        entries = q * min(n, q) if self._probes is None else max(n, q) * len(self._probes)
        at_once = max(1, BLOCK_BYTES // (8 * max(n, entries)))
        for start in range(first, last, at_once):
            self._sweep(start, min(start + at_once, last))

    def _sweep(self, first, last):
        """Compute the rows first, ..., last - 1 of all matrices, and their risk."""
        record, times = self.record, np.arange(first, last)
        new, T = slice(first, last), slice(last)
        kept_age = np.full(last - first, last)
        if self._thins():
            kept_age[:-1] = oldest_kept_age(times[:-1])
        A, K = trace_rows(record, self._estimator, self._probes, first, last, kept_age, self._covariance)
        diagonal = trace_diagonal(record, self._estimator, first, last)
        K[:, times - first, times] = diagonal
        if self._estimator != "in_batch_right":  # K^-1 A is the same, and rows are smooth in t
            scale = np.where(diagonal > 0, diagonal, 1)[:, None]
            A, K = A / scale, K / scale
        self._traces[:, :, new, T] = leave_one_out(A), leave_one_out(K)
        self._computed[new, T] = times[:, None] - np.arange(last) <= kept_age[:, None]
        fill_in(self._traces[:, :, T, T], self._computed[T, T], first)
        for A, K, W in zip(*self._traces[:, :, T, T], self._W[:, T, T]):
            W[new] = solve_weights(A, K, W, first, self._estimator)
        risks = corrected_risks(record, self._W[:, new, T], first)
        risks[:, (diagonal == 0) & (times > 0)] = np.nan
        self._risk[new], self._std[new] = risks[0], jackknife_std(risks[1:])
        self._thin &= bool(diagonal.all())  # a row that means nothing breaks the smoothness in t

    def _thins(self):
        """Whether the rows to come may be thinned: only while every eta_t L <= 1 are they smooth."""
        updates = self.record.updates
        if not self._thin or len(updates) <= DENSE_AGE:
            return False
        if self._curvature is None:
            batches = None if updates[0].rows is None else [update.rows for update in updates]
            self._curvature = largest_curvature(
                self.record.design, batches, self.record.sample_weight, self._rng
            )
        return max(update.step_size for update in updates) * self._curvature <= STEADY

    def _draw_probes(self, design, rng):
        """Return the probes, entries of absent rows 0; None for exact traces."""
        if self.n_probes == "exact":
            return None
        n, q = design.shape
        if self._estimator == "known_covariance":
            return draw_probes(self.n_probes, q, design.dtype, rng)
        return draw_probes(self.n_probes, n, design.dtype, rng) * self.record.present

    def _make_room(self, size):
        """Let the arrays hold `size` distinct iterates, and more if they come bit by bit."""
        held = len(self._risk)
        if size > held:
            more = max(size, 2 * held) - held
            for name, axes in {"_traces": 2, "_W": 2, "_computed": 2, "_risk": 1, "_std": 1}.items():
                array = getattr(self, name)
                widths = [(0, 0)] * (array.ndim - axes) + [(0, more)] * axes
                setattr(self, name, np.pad(array, widths))


def _on_design(covariance, design):
    """Return Sigma with the second moment of the constant column, which is what it adds to a prediction."""
    if covariance is None or design.constant is None:
        return covariance
    return block_diag(covariance, design.constant**2)
