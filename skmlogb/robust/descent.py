"""A run of the recursion on one data set, block by block: objective, stopping, risk."""

from itertools import islice

import numpy as np

from .trajectory import IterateOverflowError, descend

LONGEST_BLOCK = 64  # iterates held at a time where no risk keeps them


class Batches:
    """Rows drawn without replacement, afresh for each update, and kept until the update is made for good.

    Parameters
    ----------
    n_rows : int
        Rows to draw from.
    size : int or None
        Rows in a batch; None: each batch is None, all rows.
    rng : numpy.random.Generator
        Draws them.

    Examples
    --------
    >>> import numpy as np
    >>> from skmlogb.robust.descent import Batches
    >>> batches = Batches(5, 2, np.random.default_rng(0))
    >>> first, second = islice(batches.starting_at(0), 2)
    >>> bool((next(batches.starting_at(1)) == second).all())
    True
    """

    def __init__(self, n_rows, size, rng):
        self.n_rows, self.size = n_rows, size
        self._rng, self._drawn, self._n_drawn = rng, {}, 0

    def starting_at(self, t):
        """Yield the batches of the updates t, t + 1, ..., counted from 0."""
        if self.size is None:
            while True:
                yield None
        while True:
            while self._n_drawn <= t:
                rows = self._rng.choice(self.n_rows, self.size, replace=False, shuffle=False)
                self._drawn[self._n_drawn] = np.sort(rows)
                self._n_drawn += 1
            yield self._drawn[t]
            t += 1

    def forget(self, t):
        """Let go of the batches of the updates before t."""
        self._drawn = {s: rows for s, rows in self._drawn.items() if s >= t}


class Descent:
    """The iterates of (4) on one data set, as many as have been asked for.

    Parameters
    ----------
    design : Design of shape (n, q)
        The data.
    y, sample_weight : ndarray of shape (n,)
        Targets, and positive weights or None.
    loss, penalty : objects
        What is minimised.
    batches : Batches
        Rows of each update.
    start : ndarray of shape (q,)
        b^1.
    sweep : RiskSweep or None
        Computes the risk.

    Attributes
    ----------
    n_iter : int
        Number of updates made.
    losses : list of float
        Objective at each iterate, n_iter + 1 of them.
    last : ndarray of shape (q,)
        The last iterate.
    step_size : float
        The last step.
    """

    def __init__(self, design, y, sample_weight, loss, penalty, batches, start, sweep):
        self.loss, self.penalty, self.batches, self.sweep = loss, penalty, batches, sweep
        self.attach(design, y, sample_weight)
        self.n_iter, self.last, self.step_size = 0, start, 0.0
        self.losses = self._objectives(start[None])
        self._updates = []  # (coef, step size, batch) of each, where there is a risk to compute
        if sweep is not None:
            sweep.extend(start[None], [], None)
        self._start = start

    def attach(self, design, y, sample_weight):
        """Give the data (back)."""
        self.design, self.y, self.sample_weight = design, y, sample_weight
        if self.sweep is not None:
            self.sweep.record.design, self.sweep.record.y = design, y

    def detach(self):
        """Let go of the data; the rest stays, for going on later."""
        self.attach(None, None, None)

    def run(self, step_sizes, max_iter, *, patience, tol, early_stopping, report):
        """Make up to `max_iter` more updates.

        Parameters
        ----------
        step_sizes : iterator of float
            From the next update on; the run ends with it.
        max_iter : int
            Most updates of this run.
        patience : int
            Iterations without progress after which to stop; also the length of a block, up to a bound.
        tol : float or None
            Fall of the objective that is progress, relative to its start; None: none is asked for.
        early_stopping : bool
            Whether to stop by the risk.
        report : callable
            Called with this object after each block, and once the risk is known.

        Returns
        -------
        reason : {"max_iter", "tol", "risk", "overflow"}
            Why it ended; "overflow": the next iterate or its objective is not finite, and left out.
        """
        begin, end, reason = self.n_iter, self.n_iter + max_iter, "max_iter"
        length = min(patience, LONGEST_BLOCK)
        path = descend(
            self.design,
            self.y,
            loss=self.loss,
            penalty=self.penalty,
            step_sizes=self._noted(step_sizes),
            batches=self.batches.starting_at(begin),
            coef_init=self.last,
            sample_weight=self.sample_weight,
        )
        while reason == "max_iter" and self.n_iter < end:
            block, overflow = _take(path, min(length, end - self.n_iter))
            if not block and not overflow:
                break  # the steps have come to their end
            if block:
                reason = self._append(block, begin + patience, patience, tol)
            if overflow and reason == "max_iter":
                reason = "overflow"
            if early_stopping and self._turned(begin, patience):
                reason = "risk"
            self.batches.forget(self.n_iter)
            report(self)
        if self.sweep is not None and not early_stopping:
            self._extend_sweep()
            report(self)
        return reason

    def best_iter(self):
        """Return the iterate of least risk; the risk must be finite somewhere."""
        return int(np.nanargmin(self.sweep.risk[: self.n_iter + 1]))

    def iterate(self, t):
        """Return the iterate after t updates; there must be a risk to compute, or t be n_iter."""
        if t == self.n_iter:
            return self.last
        return self._updates[t - 1][0] if t else self._start

    def _noted(self, step_sizes):
        for self.step_size in step_sizes:
            yield self.step_size

    def _append(self, block, earliest, patience, tol):
        """Take over the updates of a block up to the first that ends the run, and say why it does."""
        losses = self._objectives(np.array([coef for coef, _, _ in block]))
        for update, loss in zip(block, losses):
            if not np.isfinite(loss):
                return "overflow"
            self.last, self.n_iter = update[0], self.n_iter + 1
            self.losses.append(loss)
            if self.sweep is not None:
                self._updates.append(update)
            if tol is not None and self.n_iter >= earliest:
                falls = -np.diff(self.losses[-patience - 1 :])
                if falls.max() <= tol * self.losses[0]:
                    return "tol"
        return "max_iter"

    def _turned(self, begin, patience):
        """Return whether the risk has ceased to improve, and go back to where that became clear."""
        self._extend_sweep()
        best, least = begin, np.inf
        for t, risk in enumerate(self.sweep.risk[: self.n_iter + 1]):
            if risk < least:
                best, least = max(t, begin), risk
            if t - best >= patience:
                self.last, self.n_iter = self.iterate(t), t
                del self._updates[t:], self.losses[t + 1 :]
                return True
        return False

    def _extend_sweep(self):
        """Compute the risk of the iterates that the sweep does not know yet."""
        if self.sweep is not None and (new := self._updates[len(self.sweep.risk) - 1 :]):
            coefs, step_sizes, batches = zip(*new)
            self.sweep.extend(np.array(coefs), step_sizes, batches)

    def _objectives(self, coefs):
        return objectives(self.design, self.y, self.sample_weight, self.loss, self.penalty, coefs)


def _take(path, count):
    """Return up to `count` updates, and whether the next one overflows."""
    block: list = []
    try:
        block.extend(islice(path, count))
    except IterateOverflowError:
        return block, True
    return block, False


def objectives(design, y, sample_weight, loss, penalty, coefs):
    """Return the penalised objective at each of these iterates (k, q), a list of floats; inf if it overflows.

    Examples
    --------
    >>> import numpy as np
    >>> from skmlogb.robust import Huber
    >>> from skmlogb.robust.descent import objectives
    >>> from skmlogb.robust.design import Design
    >>> objectives(Design(np.eye(2)), np.ones(2), None, Huber(), None, np.array([[0.0, 0.0], [1.0, 0.0]]))
    [0.5, 0.25]
    """
    with np.errstate(over="ignore", invalid="ignore"):
        losses = loss.value(y[:, None] - design.matmul(coefs.T))
        values = np.average(losses.astype(float), axis=0, weights=sample_weight)
        if penalty is not None:
            values += [penalty.value(coef[: design.n_features]) for coef in coefs]
    return values.tolist()
