"""What the robust regressors share: fit, partial_fit, predict, and reading the risk."""

import warnings
from contextlib import contextmanager

import numpy as np
from sklearn.base import BaseEstimator, RegressorMixin
from sklearn.utils.validation import check_is_fitted, validate_data

from .diagnosis import check_risk, check_step, diagnose
from .fitting import Fit, next_stream, replay, step_sizes
from .frame import Frame
from .identity import fingerprint, same_fingerprint
from .inputs import check_row_weights, without_absent_rows
from .parameters import check_parameters
from .streaming import Stream


@contextmanager
def _all_or_nothing(estimator):
    """Give an estimator its attributes back if what it does raises."""
    before = vars(estimator).copy()
    try:
        yield
    except BaseException:
        vars(estimator).clear()
        vars(estimator).update(before)
        raise


@contextmanager
def _type_errors():
    """Raise TypeError, not ValueError, for data that are no numbers."""
    try:
        yield
    except ValueError as error:
        if "could not convert" in str(error):
            raise TypeError(f"X and y must be numeric: {error}") from error
        raise
    except OverflowError as error:
        raise ValueError(f"X and y must lie within the range of floats: {error}.") from error


class RobustSGDRegressor(RegressorMixin, BaseEstimator):
    """Base of the robust regressors; a subclass names its loss in ``_loss``."""

    _loss: type  # of an object with value, psi and psi_prime
    _fit: Fit | None = None  # of the last call of fit, where warm_start may go on with it
    _stream: Stream | None = None  # of the calls of partial_fit since
    _frame: Frame | None = None
    _last: tuple[np.ndarray, float] | None = None  # the last iterate; coef_ may be an earlier one
    _kept_iter: int  # the iterate that coef_ is
    _clock: int = 0  # updates so far, for the step sizes
    _risk: tuple[np.ndarray, np.ndarray] | None = None  # path and standard error; None: not computed
    _losses: list[float] | None = None
    _fingerprint: np.ndarray  # of the X of the last call of fit

    def __init__(
        self,
        *,
        epsilon=1.35,
        scale="mad",
        penalty=None,
        alpha=1e-4,
        l1_ratio=0.15,
        groups=None,
        gamma=3.7,
        fit_intercept=True,
        batch_size=None,
        learning_rate="auto",
        eta0=1.0,
        power_t=0.25,
        max_iter=100,
        tol=None,
        early_stopping=False,
        n_iter_no_change=10,
        risk="out_of_batch",
        covariance=None,
        n_probes="auto",
        warm_start=False,
        random_state=None,
        verbose=0,
    ):
        self.epsilon = epsilon
        self.scale = scale
        self.penalty = penalty
        self.alpha = alpha
        self.l1_ratio = l1_ratio
        self.groups = groups
        self.gamma = gamma
        self.fit_intercept = fit_intercept
        self.batch_size = batch_size
        self.learning_rate = learning_rate
        self.eta0 = eta0
        self.power_t = power_t
        self.max_iter = max_iter
        self.tol = tol
        self.early_stopping = early_stopping
        self.n_iter_no_change = n_iter_no_change
        self.risk = risk
        self.covariance = covariance
        self.n_probes = n_probes
        self.warm_start = warm_start
        self.random_state = random_state
        self.verbose = verbose

    def __sklearn_tags__(self):
        tags = super().__sklearn_tags__()
        tags.input_tags.sparse = True
        return tags

    def fit(self, X, y, sample_weight=None):
        """Fit the coefficients, and estimate the risk of every iterate.

        Parameters
        ----------
        X : array-like or sparse matrix of shape (n_samples, n_features)
            Features. float32 stays float32, CSR stays sparse.
        y : array-like of shape (n_samples,)
            Targets.
        sample_weight : array-like of shape (n_samples,), optional
            Weights >= 0. For the coefficients and ``scale_`` a weight of k is as good as k copies (with
            minibatches: in the mean), and a weight of 0 removes the row. The risk counts each row that
            remains once.

        Returns
        -------
        self : object
            The fitted estimator.

        Raises
        ------
        TypeError, ValueError
            If a parameter or the data are bad, naming which, or if the risk is defined for no iterate; the
            estimator is as it was then.

        Warns
        -----
        ConvergenceWarning
            If `tol` was set and not met, if the objective grew or overflowed, if no step is taken because
            rounding hides how the columns vary, or if the risk of an iterate is undefined.
        UserWarning
            If `alpha` is so large that every coefficient is 0, or if a warm start mixes old and new rows.
        """
        with _all_or_nothing(self):
            check_parameters(self)
            X, y, sample_weight = self._check_data(X, y, sample_weight, reset=True)
            self._fingerprint = fingerprint(X)
            X, y, sample_weight = without_absent_rows(X, y, sample_weight)
            if self.risk is not None and X.shape[0] == 1:
                raise ValueError(
                    "The risk needs at least 2 rows of positive weight; got n_samples = 1. Set risk=None."
                )
            if self.warm_start and self._last:
                fit = self._warm_fit(X, y, sample_weight, self._last)
            else:
                fit = Fit(self, X, y, sample_weight)
            reason = fit.descent.run(
                step_sizes(self, fit.frame.curvature, fit.descent.penalty, fit.descent.n_iter + 1),
                int(self.max_iter),
                patience=int(self.n_iter_no_change),
                tol=None if self.tol is None else float(self.tol),
                early_stopping=self.early_stopping,
                report=self._report,
            )
            self._take_over(fit)
            diagnose(fit.descent, fit.frame, reason, max_iter=self.max_iter, tol=self.tol)
            fit.descent.detach()
            self._fit = fit if self.warm_start else None
        return self

    def partial_fit(self, X, y, sample_weight=None):
        """Make one update with these rows.

        The first call fixes ``scale_``, the centring and the start (after `fit` it goes on from the last
        iterate, and keeps the others). The risk is that of all updates by this method on all rows that they
        brought, computed when it is read. A row that an earlier call brought, with the same features and
        target, is the same row, so a second pass over the chunks adds updates and no rows. `max_iter`, `tol`
        and `early_stopping` play no part.

        Parameters
        ----------
        X : array-like or sparse matrix of shape (n_samples, n_features)
            Features of this call's rows.
        y : array-like of shape (n_samples,)
            Their targets.
        sample_weight : array-like of shape (n_samples,), optional
            Weights >= 0; where there is a risk, a row must keep the weight of its first call.

        Returns
        -------
        self : object
            The estimator, one update later.

        Raises
        ------
        TypeError, ValueError
            As `fit`; also if a sequence of steps has come to its end, or if the objective is not that of the
            first call and there is a risk. The estimator is as it was then.
        """
        with _all_or_nothing(self):
            check_parameters(self)
            X, y, sample_weight = self._check_data(X, y, sample_weight, reset=not hasattr(self, "coef_"))
            # Equal in this call they may still differ from those of other calls.
            X, y, sample_weight = without_absent_rows(X, y, sample_weight, keep_equal=True)
            stream = next_stream(self, X, y, sample_weight, self._stream, self._frame, self._last)
            stream.see_curvature(X, sample_weight)
            step_size = next(step_sizes(self, stream.steepest, stream.penalty, self._clock + 1), None)
            if step_size is None:
                raise ValueError(f"learning_rate, a sequence, must hold more than {self._clock} steps.")
            stream.update(X, y, sample_weight, step_size)
            check_step(X, stream.frame, step_size)
            self._stream, self._clock = stream, self._clock + 1
            self._fit = self._risk = self._losses = None
            self.coef_, self.intercept_ = stream.coef.copy(), stream.intercept
            self._frame, self._last = stream.frame, (stream.coef, stream.intercept)
            self.scale_, self.n_iter_ = stream.frame.scale, stream.n_iter
            self._kept_iter = stream.n_iter
        return self

    def predict(self, X):
        """Predict targets.

        Parameters
        ----------
        X : array-like or sparse matrix of shape (n_samples, n_features)
            Features.

        Returns
        -------
        y : ndarray of shape (n_samples,)
            ``X @ coef_ + intercept_``.
        """
        check_is_fitted(self)
        return self._check_features(X) @ self.coef_ + self.intercept_

    @property
    def risk_path_(self):
        """Estimated risk of each iterate."""
        return self._read_risk()[0]

    @property
    def risk_path_std_(self):
        """Standard error of `risk_path_` over the probes."""
        return self._read_risk()[1]

    @property
    def best_iter_(self):
        """The iterate of least risk."""
        return int(np.nanargmin(self.risk_path_))

    @property
    def best_risk_(self):
        """The least risk."""
        return float(np.nanmin(self.risk_path_))

    @property
    def loss_path_(self):
        """Penalised objective at each iterate."""
        check_is_fitted(self)
        if self._losses is None:
            self._replay()
        return np.array(self._losses)

    def _was_fitted_on(self, X):
        """Return whether X is that of the last call of fit, or all rows that partial_fit saw, in order."""
        X = self._check_features(X)
        rows = None if self._stream is None else self._stream.rows
        fitted = self._fingerprint if rows is None else fingerprint(rows.data()[0])
        return same_fingerprint(fitted, fingerprint(X), X.dtype)

    def _read_risk(self):
        """Return risk and standard error, computed if calls of partial_fit have come since."""
        check_is_fitted(self)
        if self._risk is None:
            self._replay()
        return self._risk

    def _replay(self):
        """Compute the objective and the risk of all updates of partial_fit on all rows that it saw."""
        stream = self._stream
        if stream is None or stream.rows is None:
            raise AttributeError(f"{type(self).__name__} was fitted with risk=None: it has no path.")
        sweep, self._losses = replay(self, stream)
        check_risk(sweep, self.epsilon, self.scale_)
        self._risk = sweep.risk, sweep.std

    def _warm_fit(self, X, y, sample_weight, last):
        """Return the last fit to go on with, or a new one that starts from the last iterate."""
        if self._fit is not None and (fit := self._fit.resumed(self, X, y, sample_weight)):
            return fit
        if len(last[0]) != X.shape[1]:
            raise ValueError(
                f"warm_start=True goes on from {len(last[0])} coefficients; X has {X.shape[1]} features."
            )
        if self._fit is not None and self.risk is not None and self._fit.shares_rows(X, y):
            warnings.warn(
                "warm_start=True with other settings or other rows beside the old ones: risk_path_ does not"
                " know what earlier fits learned from the old rows, and is too low.",
                UserWarning,
                stacklevel=3,
            )
        return Fit(self, X, y, sample_weight, start=last)

    def _take_over(self, fit):
        """Set the fitted attributes."""
        descent, t = fit.descent, fit.descent.n_iter
        self._risk = None
        if descent.sweep is not None:
            check_risk(descent.sweep, self.epsilon, fit.frame.scale)
            self._risk = descent.sweep.risk[: t + 1], descent.sweep.std[: t + 1]
            t = descent.best_iter() if self.early_stopping else t
        coef, self.intercept_ = fit.frame.split(descent.iterate(t))
        self.coef_ = coef.copy()
        self.n_iter_, self.scale_, self._kept_iter = descent.n_iter, fit.frame.scale, t
        self._frame, self._last = fit.frame, fit.frame.split(descent.last)
        self._losses = descent.losses.copy()
        self._stream, self._clock = None, descent.n_iter

    def _check_data(self, X, y, sample_weight, *, reset):
        """Return validated X, y and weights, X dense or CSR, of one float dtype."""
        dtype = [np.float64, np.float32] if reset else self.coef_.dtype
        with _type_errors():
            X, y = validate_data(self, X, y, accept_sparse="csr", dtype=dtype, y_numeric=True, reset=reset)
        with np.errstate(over="ignore"):
            y = y.astype(X.dtype, copy=False)
        if not np.isfinite(y).all():
            raise ValueError(f"y overflows {X.dtype}, the dtype of X.")
        return X, y, check_row_weights(sample_weight, X.shape[0])

    def _check_features(self, X):
        with _type_errors():
            return validate_data(self, X, accept_sparse="csr", dtype=[np.float64, np.float32], reset=False)

    def _report(self, descent):
        """Print the progress of a fit, a line a block."""
        if not self.verbose:
            return
        line = f"[{type(self).__name__}] iteration {descent.n_iter}: objective {descent.losses[-1]:.6g}"
        known = [] if descent.sweep is None else descent.sweep.risk[: descent.n_iter + 1]
        if len(known) > descent.n_iter:
            line += f", risk {known[-1]:.6g}, least {np.nanmin(known):.6g} at {descent.best_iter()}"
        print(line)
