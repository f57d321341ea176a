"""Learning from chunks of rows: one update a call, and a record from which the risk can be computed."""

from collections import Counter
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
from scipy.sparse import issparse, vstack

from .design import Design
from .frame import Frame, measure_curvature
from .identity import row_keys
from .step_sizes import row_squares
from .trajectory import descend

STEEPER = 1.5  # up to here steps of 1 / L are safe, since those of 2 / L are


class RowRecord:
    """The distinct rows that calls have brought.

    A row that an earlier call brought is the same row: same features and target, with multiplicity. Rows
    within one call are always distinct.

    Examples
    --------
    >>> import numpy as np
    >>> from skmlogb.robust.streaming import RowRecord
    >>> record = RowRecord()
    >>> record.add(np.array([[1.0], [1.0], [2.0]]), np.zeros(3), np.ones(3))
    array([0, 1, 2])
    >>> record.add(np.array([[2.0], [1.0], [3.0]]), np.zeros(3), np.ones(3))
    array([2, 0, 3])
    """

    def __init__(self):
        self._X: list = []  # chunks of new rows
        self._y: list[np.ndarray] = []
        self._weight: list[np.ndarray] = []
        self._known: dict[str, list[int]] = {}
        self._n_rows = 0

    def add(self, X, y, weight):
        """Return the number of each row in the record, new rows added.

        Raises
        ------
        ValueError
            If a row comes back with another weight.
        """
        X = self._as_before(X)
        keys, n_used, n_new = row_keys(X, y), Counter[str](), 0
        numbers = np.empty(len(y), int)
        for i, key in enumerate(keys):
            earlier = self._known.get(key, [])
            again = n_used[key] < len(earlier)
            numbers[i] = earlier[n_used[key]] if again else self._n_rows + n_new
            n_used[key] += 1
            n_new += not again
        self._check_weights(numbers, weight)
        if n_new:
            new = np.flatnonzero(numbers >= self._n_rows)
            self._X.append(X[new])
            self._y.append(y[new])
            self._weight.append(weight[new])
            for key, number in zip([keys[i] for i in new], numbers[new].tolist()):
                self._known.setdefault(key, []).append(number)
            self._n_rows += n_new
        return numbers

    def data(self):
        """Return X, y and the weights (None if all are equal) of all rows."""
        weight = np.concatenate(self._weight)
        X = vstack(self._X, format="csr") if issparse(self._X[0]) else np.concatenate(self._X)
        return X, np.concatenate(self._y), None if (weight == weight[0]).all() else weight

    def _as_before(self, X):
        """Return X dense or sparse as the rows of the first call."""
        if self._X and issparse(X) != issparse(self._X[0]):
            return X.toarray() if issparse(X) else type(self._X[0])(X)
        return X

    def _check_weights(self, numbers, weight):
        known = np.concatenate([*self._weight, [np.nan]])
        again = np.flatnonzero(numbers < self._n_rows)
        for i in again[known[numbers[again]] != weight[again]]:
            raise ValueError(
                f"sample_weight of row {i} is {weight[i]}, and was {known[numbers[i]]} when an earlier call"
                " brought this row: the risk needs one weight a row (or set risk=None)."
            )


@dataclass
class Stream:
    """The state between calls of ``partial_fit``.

    Attributes
    ----------
    frame : Frame
        Scale, centring and start, from the first call. Its curvature is that of the first call that has any.
    loss, penalty : objects
        What is minimised.
    coef, intercept : ndarray of shape (p,) and float
        The last iterate.
    rows : RowRecord or None
        The rows seen, if the risk is to be known.
    trail : list of (coef, intercept)
        All iterates, where there is a record of the rows.
    step_sizes, batches : lists
        Of the updates made.
    steepest : float
        The largest curvature of all calls, which sets the "auto" step.
    """

    frame: Frame
    loss: Any
    penalty: Any
    coef: np.ndarray
    intercept: float
    rows: RowRecord | None
    trail: list
    step_sizes: list = field(default_factory=list)
    batches: list = field(default_factory=list)
    n_iter: int = 0
    steepest: float = 0.0
    _measured: float = 0.0  # the largest least curvature (see below) for which it was measured

    def see_curvature(self, X, sample_weight):
        """Measure the curvature of these rows if they may be much steeper than those of all earlier calls.

        They may if they are longer or fewer, by the least curvature that their squared length allows.
        """
        with np.errstate(over="ignore", invalid="ignore"):
            squares = row_squares(Design(X, offset=self.frame.offset))
            least = float(np.average(squares, weights=sample_weight)) / min(X.shape)
        if self.frame.curvature == 0 or not least <= STEEPER * self._measured:  # NaN too, which then raises
            curvature = measure_curvature(X, self.frame.offset, sample_weight, None)
            self.frame = replace(self.frame, curvature=self.frame.curvature or curvature)
            self.steepest = max(self.steepest, self.frame.curvature, curvature)
            self._measured = max(self._measured, least)

    def update(self, X, y, sample_weight, step_size):
        """Make one update with these rows."""
        (coordinates, step_size, _), *_ = descend(
            self.frame.design(X),
            y,
            loss=self.loss,
            penalty=self.penalty,
            step_sizes=[step_size],
            coef_init=self.frame.join(self.coef, self.intercept),
            sample_weight=sample_weight,
        )
        coef, intercept = self.frame.split(coordinates)
        if self.rows is not None:
            weight = np.ones(len(y)) if sample_weight is None else sample_weight
            self.batches.append(self.rows.add(X, y, weight))
            self.step_sizes.append(step_size)
            self.trail.append((coef, intercept))
        self.coef, self.intercept, self.n_iter = coef, intercept, self.n_iter + 1

    def coordinates(self):
        """Return all iterates in the frame's coordinates, (n_iter + 1, q)."""
        return np.array([self.frame.join(coef, intercept) for coef, intercept in self.trail])
