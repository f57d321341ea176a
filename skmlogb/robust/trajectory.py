"""The recursion (4) of proximal stochastic gradient descent; nothing about risk."""

from dataclasses import dataclass
from itertools import repeat
from typing import Any

import numpy as np
from sklearn.utils import check_array

from .design import Design
from .inputs import check_batches, check_components, check_data, check_rows, check_sample_weight
from .leading import penalty_on
from .step_sizes import check_step_size


@dataclass
class Trajectory:
    """The iterates of a run of (4) and what made them; may come from a solver of your own.

    Parameters
    ----------
    coefs : array-like of shape (T, p)
        The iterates b^1, ..., b^T, the start first.
    step_sizes : array-like of shape (T - 1,)
        eta_1, ..., eta_{T-1}; a step of size 0 stays put.
    batches : sequence of T - 1 arrays of int, or None
        The rows I_t of each update; a row that occurs twice counts twice. None: all rows every time.
    loss : Huber, PseudoHuber or an object with their methods
        The loss whose psi made the updates.
    penalty : L1, ElasticNet, GroupL1, MCP, SCAD, an object with their methods, or None
        The penalty whose prox made the updates.
    sample_weight : array-like of shape (n,), optional
        Weights v of the rows: an update is ``eta_t / |I_t|_v`` times the v-weighted sum of gradients, with
        ``|I_t|_v`` the sum of the weights of the batch.

    Raises
    ------
    TypeError, ValueError
        If shapes do not fit each other, numbers are not finite, or a step or weight is negative.

    Examples
    --------
    >>> from skmlogb.robust import Huber, Trajectory
    >>> Trajectory([[0.0, 0.0], [1.0, 0.5]], step_sizes=[0.5], batches=[[0, 2]], loss=Huber()).batches
    [array([0, 2])]
    """

    coefs: np.ndarray
    step_sizes: np.ndarray
    batches: list | None
    loss: Any
    penalty: Any = None
    sample_weight: np.ndarray | None = None

    def __post_init__(self):
        check_components(self.loss, self.penalty)
        self.coefs = check_array(self.coefs, dtype=[np.float64, np.float32], input_name="coefs")
        bound = np.inf if self.penalty is None else self.penalty.max_step()
        steps = [check_step_size(step, t, bound) for t, step in enumerate(self.step_sizes, 1)]
        self.step_sizes = np.array(steps, dtype=float)
        if len(steps) != len(self.coefs) - 1:
            raise ValueError(
                f"step_sizes must hold one step for each iterate but the first: {len(self.coefs) - 1};"
                f" got {len(steps)}."
            )
        self.batches = check_batches(self.batches, len(steps))
        if self.sample_weight is not None:
            self.sample_weight = check_sample_weight(self.sample_weight)


class IterateOverflowError(ValueError):
    """An iterate is not finite."""


def descend(design, y, *, loss, penalty=None, step_sizes, batches=None, coef_init, sample_weight=None):
    """Yield the iterates of (4) one by one, the start not among them.

    Parameters
    ----------
    design : Design of shape (n, q)
        The data; a penalty leaves its constant column alone.
    y : ndarray of shape (n,)
        Targets, of the design's dtype.
    loss, penalty : objects
        As for :func:`proximal_sgd`.
    step_sizes : iterable of float
        eta_1, eta_2, ...; the run ends with it.
    batches : iterable of (array of int or None), optional
        I_1, I_2, ...; None stands for all rows. It must not end before `step_sizes`.
    coef_init : ndarray of shape (q,)
        b^1.
    sample_weight : ndarray of shape (n,), optional
        Weights of the rows.

    Yields
    ------
    coef : ndarray of shape (q,)
        b^{t+1}, never written to again.
    step_size : float
        eta_t.
    batch : array of int or None
        I_t.

    Raises
    ------
    ValueError
        If a step is not smaller than the penalty allows; IterateOverflowError, a ValueError, if numbers
        overflow.

    Examples
    --------
    >>> import numpy as np
    >>> from skmlogb.robust import Huber
    >>> from skmlogb.robust.design import Design
    >>> from skmlogb.robust.trajectory import descend
    >>> design, y = Design(np.eye(2)), np.array([1.0, -4.0])
    >>> for coef, _, _ in descend(design, y, loss=Huber(1.0), step_sizes=[1.0, 1.0], coef_init=np.zeros(2)):
    ...     print(coef)
    [ 0.5 -0.5]
    [ 0.75 -1.  ]
    """
    penalty = penalty_on(design, penalty)
    bound = np.inf if penalty is None else penalty.max_step()
    coef = np.asarray(coef_init, dtype=design.dtype)
    steps = zip(step_sizes, repeat(None) if batches is None else batches)
    for t, (step, batch) in enumerate(steps, 1):
        step = check_step_size(step, t, bound)
        with np.errstate(over="ignore", invalid="ignore"):  # reported just below
            coef = _update(design, y, loss, penalty, step, batch, coef, sample_weight)
        if not np.isfinite(coef).all():
            raise IterateOverflowError(
                f"The iterates overflowed at t={t} with step size {step}: scale the columns of X"
                " (StandardScaler) or lower the step size."
            )
        yield coef, step, batch


def _update(design, y, loss, penalty, step, batch, coef, sample_weight):
    """Return ``prox(coef + eta / |I|_v X' S psi(y - X coef))``; no step, or no weight in I: coef itself."""
    weight = None if sample_weight is None else sample_weight if batch is None else sample_weight[batch]
    size = (design.shape[0] if batch is None else len(batch)) if weight is None else weight.sum()
    if step == 0 or size == 0:
        return coef
    rows = design if batch is None else design.take(batch)
    gradient = loss.psi((y if batch is None else y[batch]) - rows.matmul(coef))
    if weight is not None:
        gradient *= weight.astype(design.dtype)
    argument = coef + design.dtype.type(step / size) * rows.rmatmul(gradient)
    return argument if penalty is None else penalty.prox(argument, step)


def proximal_sgd(X, y, *, loss, penalty=None, step_sizes, batches=None, coef_init=None):
    """Run the recursion (4) of proximal SGD: the bare iteration, no intercept, no scaling.

    ``b^{t+1} = prox(b^t + eta_t / |I_t| X' S_t psi(y - X b^t))``, the prox that of `penalty` with step eta_t.

    Parameters
    ----------
    X : array-like or sparse matrix of shape (n, p)
        Features; float32 is kept.
    y : array-like of shape (n,)
        Targets.
    loss : Huber or PseudoHuber
        The data-fitting loss, or an object with the same methods.
    penalty : L1, ElasticNet, GroupL1, MCP or SCAD, optional
        The penalty, or an object with the same methods.
    step_sizes : array-like of shape (T - 1,)
        eta_t >= 0; 0 leaves the iterate as it is. They must be below gamma for MCP, gamma - 1 for SCAD.
    batches : sequence of T - 1 arrays of int, optional
        The rows I_t of each update; full gradients if None. An empty batch leaves the iterate as it is.
    coef_init : array-like of shape (p,), optional
        The start b^1, zeros if None.

    Returns
    -------
    trajectory : Trajectory
        With ``coefs`` of shape (T, p), ``step_sizes`` and ``batches`` as given.

    Raises
    ------
    TypeError, ValueError
        If an argument does not fit, or the numbers overflow.

    Examples
    --------
    >>> from skmlogb.robust import Huber, L1, proximal_sgd
    >>> X, y = [[1.0, 0.0], [0.0, 1.0]], [3.0, -0.5]
    >>> proximal_sgd(X, y, loss=Huber(1.0), penalty=L1(0.25), step_sizes=[1.0, 1.0]).coefs
    array([[0.  , 0.  ],
           [0.25, 0.  ],
           [0.5 , 0.  ]])
    """
    X, y = check_data(X, y)
    check_components(loss, penalty)
    n, p = X.shape
    start = np.zeros(p, X.dtype)
    if coef_init is not None:
        start = check_array(coef_init, ensure_2d=False, dtype=X.dtype, input_name="coef_init")
        if start.shape != (p,):
            raise ValueError(f"coef_init must have shape ({p},), one entry a column of X; got {start.shape}.")
    steps = [check_step_size(step, t) for t, step in enumerate(step_sizes, 1)]
    batches = check_batches(batches, len(steps))
    check_rows(batches, n)
    path = descend(
        Design(X), y, loss=loss, penalty=penalty, step_sizes=steps, batches=batches, coef_init=start
    )
    coefs = np.stack([start, *(coef for coef, _, _ in path)])
    return Trajectory(coefs, np.array(steps), batches, loss, penalty)
