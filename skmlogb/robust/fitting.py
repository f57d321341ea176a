"""From an estimator's parameters and data to the objects that do the work."""

from copy import deepcopy
from dataclasses import replace
from typing import Any

import numpy as np
from sklearn.utils import check_random_state

from .descent import Batches, Descent, objectives
from .frame import make_frame
from .identity import fingerprint, row_marks, same_fingerprint, share_known
from .inputs import check_covariance
from .parameters import make_penalty, rows_per_batch
from .risk_sweep import RiskSweep
from .step_sizes import iterate_step_sizes
from .streaming import RowRecord, Stream


def generators(random_state):
    """Return separate generators for the batches and for the probes.

    Examples
    --------
    >>> from skmlogb.robust.fitting import generators
    >>> batch_rng, probe_rng = generators(0)
    """
    seed = check_random_state(random_state).randint(np.iinfo(np.int32).max)
    return [np.random.default_rng(child) for child in np.random.SeedSequence(seed).spawn(2)]


def step_sizes(estimator, curvature, penalty, first):
    """Return an iterator over the estimator's step sizes from eta_first on, for this curvature L."""
    return iterate_step_sizes(
        estimator.learning_rate,
        eta0=float(estimator.eta0),
        power_t=float(estimator.power_t),
        curvature=curvature,
        max_step=np.inf if penalty is None else penalty.max_step(),
        first=first,
    )


def make_objective(estimator, frame, n_features) -> tuple[Any, Any]:
    """Return the loss and the penalty that the estimator's parameters name, for targets of this scale."""
    zone = float(estimator.epsilon) * float(frame.scale)
    if not 0 < zone < np.inf:
        raise ValueError(
            f"epsilon * scale_ must be positive and finite; got {estimator.epsilon} * {frame.scale} = {zone}."
        )
    return estimator._loss(zone), make_penalty(estimator, n_features)


def make_sweep(estimator, design, y, sample_weight, loss, penalty, rng, curvature=None):
    """Return what computes the risk, or None if none is wanted."""
    if estimator.risk is None:
        return None
    return RiskSweep(
        design,
        y,
        loss=loss,
        penalty=penalty,
        estimator=estimator.risk,
        covariance=check_covariance(estimator.covariance, estimator.risk, design.n_features),
        n_probes=estimator.n_probes,
        rng=rng,
        sample_weight=sample_weight,
        curvature=curvature,
    )


def frame_for(estimator, X, y, sample_weight, batches=None):
    """Return the frame that these data settle."""
    scale = None if estimator.scale == "mad" else float(estimator.scale)
    return make_frame(
        X, y, sample_weight, scale=scale, fit_intercept=estimator.fit_intercept, batches=batches
    )


def next_stream(estimator, X, y, sample_weight, stream, frame, last):
    """Return the stream that the next call of ``partial_fit`` updates, a copy if there is one already.

    Parameters
    ----------
    estimator : RobustSGDRegressor
        Whose parameters to use.
    X, y, sample_weight : the data
        Of this call.
    stream : Stream or None
        That of the last call, None if this is the first.
    frame, last : Frame and (coef, intercept), or None
        Of the last call or fit, if there was one.

    Raises
    ------
    ValueError
        If the objective has changed and there is a risk.
    """
    if frame is None:
        frame = frame_for(estimator, X, y, sample_weight)
        last = np.zeros(X.shape[1], X.dtype), frame.median
    loss, penalty = make_objective(estimator, frame, X.shape[1])
    check_covariance(estimator.covariance, estimator.risk, X.shape[1])
    if stream is None:
        rows = None if estimator.risk is None else RowRecord()
        coef, intercept = last
        return Stream(frame, loss, penalty, coef, intercept, rows, [last])
    if stream.rows is not None and (loss, penalty) != (stream.loss, stream.penalty):
        raise ValueError(
            f"The objective has become {(loss, penalty)}; the risk needs that of the first call of"
            f" partial_fit, {(stream.loss, stream.penalty)}. Set risk=None, or begin with a new estimator."
        )
    return replace(stream, loss=loss, penalty=penalty)


def replay(estimator, stream):
    """Return the sweep over all updates of a stream on all rows that it saw, and the objective at each."""
    X, y, sample_weight = stream.rows.data()
    data, objective = (stream.frame.design(X), y, sample_weight), (stream.loss, stream.penalty)
    coordinates = stream.coordinates()
    sweep = make_sweep(estimator, *data, *objective, generators(estimator.random_state)[1])
    sweep.extend(coordinates, stream.step_sizes, stream.batches)
    return sweep, objectives(*data, *objective, coordinates)


# Between fits that go on from one another these may change.
FREE = {
    "learning_rate",
    "eta0",
    "power_t",
    "max_iter",
    "tol",
    "early_stopping",
    "n_iter_no_change",
    "warm_start",
    "random_state",
    "verbose",
}


class Fit:
    """A run on one data set, and what tells whether a later call of ``fit`` may go on with it.

    Parameters
    ----------
    estimator : RobustSGDRegressor
        Whose parameters to use.
    X, y, sample_weight : the data
        Without rows of weight 0; the weights None if all are equal.
    start : (coef, intercept), optional
        Where to start instead of zeros and the median.

    Attributes
    ----------
    frame : Frame
        The coordinates.
    descent : Descent
        The run.
    """

    def __init__(self, estimator, X, y, sample_weight, start=None):
        batch_rng, probe_rng = generators(estimator.random_state)
        batches = Batches(len(y), rows_per_batch(estimator.batch_size, len(y)), batch_rng)
        first = None if batches.size is None else batches.starting_at(0)
        self.frame = frame_for(estimator, X, y, sample_weight, first)
        data = (self.frame.design(X), y, sample_weight)
        objective = make_objective(estimator, self.frame, X.shape[1])
        sweep = make_sweep(estimator, *data, *objective, probe_rng, self.frame.curvature)
        coef, intercept = start or (np.zeros(X.shape[1]), self.frame.median)
        coordinates = self.frame.join(coef.astype(X.dtype), intercept)
        self.descent = Descent(*data, *objective, batches, coordinates, sweep)
        self._data = _fingerprints(X, y, sample_weight) if estimator.warm_start else []
        self._marks = row_marks(X, y) if estimator.warm_start else None
        self._settings = _settings(estimator)

    def has_seen(self, X, y, sample_weight):
        """Return whether these are its data."""
        now = _fingerprints(X, y, sample_weight)
        return bool(self._data) and all(map(same_fingerprint, self._data, now))

    def shares_rows(self, X, y):
        """Return whether a tenth or more of the rows are among its own."""
        return self._marks is not None and share_known(row_marks(X, y), self._marks) >= 0.1

    def resumed(self, estimator, X, y, sample_weight):
        """Return a copy to go on with, the data attached; None if data or settings are not what they were."""
        now = _settings(estimator)
        same = all(
            value is now[name] or np.array_equal(value, now[name]) for name, value in self._settings.items()
        )
        if not (same and self.has_seen(X, y, sample_weight)):
            return None
        fit = deepcopy(self)  # the run may fail, and this object must not have changed then
        fit.descent.attach(fit.frame.design(X), y, sample_weight)
        return fit


def _fingerprints(X, y, sample_weight):
    columns = (y, np.ones_like(y) if sample_weight is None else sample_weight)
    return [fingerprint(X), *(fingerprint(column[:, None]) for column in columns)]


def _settings(estimator):
    return {name: value for name, value in estimator.get_params(deep=False).items() if name not in FREE}
