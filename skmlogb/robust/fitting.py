"""From an estimator's parameters and data to the objects that do the work."""

from copy import deepcopy
from typing import Any

import numpy as np
from sklearn.utils import check_random_state

from .descent import Batches, Descent
from .frame import make_frame
from .identity import fingerprint, same_fingerprint
from .inputs import check_covariance
from .parameters import make_penalty, rows_per_batch
from .risk import RiskSweep
from .step_sizes import iterate_step_sizes


def generators(random_state):
    """Return separate generators for the batches and for the probes.

    Examples
    --------
    >>> from skmlogb.robust.fitting import generators
    >>> batch_rng, probe_rng = generators(0)
    """
    seed = check_random_state(random_state).randint(np.iinfo(np.int32).max)
    return [np.random.default_rng(child) for child in np.random.SeedSequence(seed).spawn(2)]


def step_sizes(estimator, frame, penalty, first):
    """Return an iterator over the estimator's step sizes from eta_first on."""
    return iterate_step_sizes(
        estimator.learning_rate,
        eta0=estimator.eta0,
        power_t=estimator.power_t,
        curvature=frame.curvature,
        max_step=np.inf if penalty is None else penalty.max_step(),
        first=first,
    )


def make_objective(estimator, frame, n_features) -> tuple[Any, Any]:
    """Return the loss and the penalty that the estimator's parameters name, for targets of this scale."""
    return estimator._loss(estimator.epsilon * frame.scale), make_penalty(estimator, n_features)


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
        self.frame = make_frame(
            X,
            y,
            sample_weight,
            scale=None if estimator.scale == "mad" else estimator.scale,
            fit_intercept=estimator.fit_intercept,
            batches=None if batches.size is None else batches.starting_at(0),
        )
        data = (self.frame.design(X), y, sample_weight)
        objective = make_objective(estimator, self.frame, X.shape[1])
        sweep = make_sweep(estimator, *data, *objective, probe_rng, self.frame.curvature)
        coef, intercept = start or (np.zeros(X.shape[1]), self.frame.median)
        coordinates = self.frame.join(coef.astype(X.dtype), intercept)
        self.descent = Descent(*data, *objective, batches, coordinates, sweep)
        self._data, self._settings = _fingerprints(X, y, sample_weight), _settings(estimator)

    def has_seen(self, X, y, sample_weight):
        """Return whether these are its data."""
        return all(map(same_fingerprint, self._data, _fingerprints(X, y, sample_weight)))

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
