"""The record of a run of (4) from which its risk is computed."""

from itertools import repeat
from typing import NamedTuple

import numpy as np

from .leading import penalty_on
from .penalties import ProxJacobian
from .sweep import Step


class Update(NamedTuple):
    """One update that moved: its step size eta_s, |I_s|_v, and S_s as rows (None: all) and their weights."""

    step_size: float
    total: float
    rows: np.ndarray | None
    weight: np.ndarray | None

    def select(self, values, start=0):
        """Multiply values of the rows start, start + 1, ... by their entries of S_s, in place."""
        if self.weight is None:
            return
        if self.rows is None:
            values *= self.weight[start : start + len(values)]
            return
        first, last = np.searchsorted(self.rows, [start, start + len(values)])
        inside = self.rows[first:last] - start
        kept = values[inside] * self.weight[first:last]
        values[:] = 0
        values[inside] = kept


class Record:
    """Residuals of the distinct iterates of a path, and the updates between them.

    An update that stays put (step 0, or no weight in the batch) makes no new iterate: its entry of the path
    is that of its predecessor. Memory: n numbers for each distinct iterate.

    Parameters
    ----------
    design : Design of shape (n, q)
        The data.
    y : ndarray of shape (n,)
        Targets.
    loss, penalty : objects
        Those of the updates; the penalty may be None.
    sample_weight : ndarray of shape (n,) or None
        Weights v. Rows of weight 0 are no rows of the data.

    Attributes
    ----------
    source : list of int
        For each entry of the path, which distinct iterate it is.
    moves : list of int
        For each update that moved, the entry of the path before it.
    present : ndarray of shape (n,)
        1 for the rows of the data, 0 for rows of weight 0.

    Examples
    --------
    >>> import numpy as np
    >>> from skmlogb.robust import Huber
    >>> from skmlogb.robust.design import Design
    >>> from skmlogb.robust.record import Record
    >>> record = Record(Design(np.eye(2)), np.array([1.0, 4.0]), Huber(1.0), None, None)
    >>> record.append(np.array([[0.0, 0.0], [0.0, 0.0], [0.5, 0.5]]), [0.0, 1.0], None)
    >>> record.source, record.moves, record.residuals
    ([0, 0, 1], [1], array([[1. , 4. ],
           [0.5, 3.5]]))
    """

    def __init__(self, design, y, loss, penalty, sample_weight):
        self.design, self.y, self.loss = design, y, loss
        self.penalty = penalty_on(design, penalty)
        self.sample_weight = None if sample_weight is None else sample_weight.astype(design.dtype)
        self.present = np.ones(len(y), design.dtype)
        if sample_weight is not None:
            self.present[sample_weight == 0] = 0
        self.source: list[int] = []
        self.moves: list[int] = []
        self.updates: list[Update] = []
        self.jacobians: list[ProxJacobian | None] = []
        self._residuals = np.empty((0, len(y)), design.dtype)
        self._last = np.empty(0)

    @property
    def n_iterates(self):
        """Number of distinct iterates."""
        return self.source[-1] + 1 if self.source else 0

    @property
    def residuals(self):
        """R_t of the distinct iterates, shape (n_iterates, n)."""
        return self._residuals[: self.n_iterates]

    def append(self, coefs, step_sizes, batches, check=False):
        """Add iterates (k, q) and the k updates that led to them; k - 1 if the first of them is the start.

        With `check`, raise ValueError for the first iterate that is not the prox of a gradient step.
        """
        before, after = [], []
        if not self.source:
            self.source, self._last = [0], coefs[0]
            self._store_residuals(coefs[:1])
            coefs = coefs[1:]
        for coef, step_size, batch in zip(coefs, step_sizes, batches or repeat(None)):
            update = self._update(step_size, batch)
            if update.step_size * update.total > 0:
                self.moves.append(len(self.source) - 1)
                self.updates.append(update)
                before.append(self._last)
                after.append(coef)
                self._last = coef
            elif check:
                _compare(coef, self._last, len(self.source))
            self.source.append(len(self.updates))
        if after:
            self._store_residuals(np.array(after))
            self._store_jacobians(before, after, check)

    def slopes(self, first, last):
        """Return the diagonals of D_first, ..., D_{last-1}, shape (last - first, n)."""
        return self.loss.psi_prime(self._residuals[first:last]) * self.present

    def batch_slopes(self, first, last):
        """Return the diagonals of S_t D_t.

        The batch of the last iterate is not drawn yet: S_t is its mean over batches of the size of the last.
        """
        slopes = self.slopes(first, last)
        for slope, update in zip(slopes, self.updates[first:last]):
            update.select(slope)
        if last == self.n_iterates:
            every = self._update(0.0, None)
            every.select(slopes[-1])
            slopes[-1] *= slopes.dtype.type(self.updates[-1].total / every.total if self.updates else 1)
        return slopes

    def gradients(self, first, last, rows=slice(None)):
        """Return F_s = S_s psi(R_s) of the updates first, ..., last - 1 on a slice of the rows."""
        return self._in_batches(self.loss.psi, first, last, rows)

    def curvatures(self, first, last, rows=slice(None)):
        """Return the diagonals of S_s D_s of the updates first, ..., last - 1 on a slice of the rows."""
        return self._in_batches(self.loss.psi_prime, first, last, rows)

    def _in_batches(self, derivative, first, last, rows):
        values = np.array(derivative(self._residuals[first:last, rows]))  # which may be what it was given
        for row, update in zip(values, self.updates[first:last]):
            update.select(row, rows.start or 0)
        return values

    def step(self, s):
        """Return the Step that the sweep takes for update s."""
        update = self.updates[s]
        rows = np.arange(len(self.y)) if update.rows is None else update.rows
        curvature = self.loss.psi_prime(self._residuals[s, rows])
        if update.weight is not None:
            curvature *= update.weight
        curved = np.flatnonzero(curvature)
        return Step(update.step_size / update.total, rows[curved], curvature[curved], self.jacobians[s])

    def _update(self, step_size, batch):
        """Return the update; a row that occurs twice in its batch counts twice."""
        if batch is None:
            total = len(self.y) if self.sample_weight is None else self.sample_weight.sum(dtype=float)
            return Update(float(step_size), float(total), None, self.sample_weight)
        rows, counts = np.unique(batch, return_counts=True)
        weight = counts.astype(self.design.dtype)
        if self.sample_weight is not None:
            weight *= self.sample_weight[rows]
        return Update(float(step_size), float(weight.sum(dtype=float)), rows, weight)

    def _store_residuals(self, coefs):
        done = len(self.jacobians) + (len(self.source) > 1)
        size = done + len(coefs)
        if size > len(self._residuals):
            grown = np.empty((max(size, 2 * done), len(self.y)), self.design.dtype)
            grown[:done] = self._residuals[:done]
            self._residuals = grown
        self._residuals[done:size] = self.y - self.design.matmul(coefs.T).T

    def _store_jacobians(self, before, after, check):
        """Linearise the prox of the last updates at its argument, b^s + c_s X' F_s."""
        first = len(self.jacobians)
        updates = self.updates[first:]
        if self.penalty is None and not check:
            self.jacobians += [None] * len(updates)
            return
        directions = self.design.rmatmul(self.gradients(first, len(self.updates)).T).T
        for update, old, new, direction, entry in zip(updates, before, after, directions, self.moves[first:]):
            argument = old + self.design.dtype.type(update.step_size / update.total) * direction
            if self.penalty is None:
                self.jacobians.append(None)
            else:
                self.jacobians.append(self.penalty.prox_jacobian(argument, update.step_size))
            if check:
                expected = argument if self.penalty is None else self.penalty.prox(argument, update.step_size)
                _compare(new, expected, entry + 1)


def _compare(coef, expected, entry):
    """Raise ValueError unless an iterate is what the recursion makes, to half of its digits."""
    gap, scale = np.abs(coef - expected).max(), max(np.abs(coef).max(), np.abs(expected).max())
    if gap > np.sqrt(np.finfo(coef.dtype).eps) * scale:
        raise ValueError(
            f"coefs[{entry}] is {gap:.3g} away from what the recursion makes of coefs[{entry - 1}] with this"
            " loss, penalty, step size and batch. The risk is that of proximal SGD alone: no momentum, no"
            " averaging, no intercept outside X."
        )
