"""The robust regressors: which loss, and what the parameters mean."""

from inspect import cleandoc

from .base import RobustSGDRegressor
from .losses import Huber, PseudoHuber

_PARAMETERS = """
Parameters
----------
epsilon : float, default=1.35
    The quadratic zone of the loss ends at ``epsilon * scale_``. 1.35 gives 95 % of the efficiency of least
    squares if the noise is normal and `scale_` its standard deviation.
scale : "mad" or float, default="mad"
    Unit of `epsilon`. "mad": 1.4826 times the median absolute deviation of y about its median; where that is
    0, 1.2533 times the mean absolute deviation; where that is 0, 1.
penalty : {None, "l1", "l2", "elasticnet", "group_l1", "mcp", "scad"}, default=None
    What is added to the mean loss; never on the intercept.
alpha : float, default=1e-4
    Strength of the penalty.
l1_ratio : float, default=0.15
    Share of the L1 part in "elasticnet".
groups : array-like of shape (n_features,), default=None
    The group's label of each feature, for "group_l1".
gamma : float, default=3.7
    Where "mcp" and "scad" become flat. Steps must be below gamma and gamma - 1: "auto" steps are,
    others are refused.
fit_intercept : bool, default=True
    Whether to fit an intercept. Columns are then centred, without densifying sparse ones.
batch_size : None, int or float, default=None
    Rows in the gradient of an update, drawn without replacement: all, a number (at most all), or a fraction
    in (0, 1].
learning_rate : {"auto", "constant", "invscaling"}, sequence or callable, default="auto"
    The step eta_t of update t = 1, 2, ...: "auto" is ``eta0 / L`` with L the largest eigenvalue of X'X / n
    over the first batches, "constant" is `eta0`, "invscaling" is ``eta0 / t ** power_t``. A sequence of
    steps ends the fit when it ends; a callable is given t.
eta0 : float, default=1.0
    Factor of the steps; "auto" is stable up to 2 without batches.
power_t : float, default=0.25
    Exponent of "invscaling".
max_iter : int, default=100
    Most updates of a call of `fit`.
tol : float, default=None
    If given, stop when the objective has fallen by at most ``tol`` times its start in each of
    `n_iter_no_change` updates, and warn if that does not happen.
early_stopping : bool, default=False
    Stop when the risk has not improved for `n_iter_no_change` updates, and keep the coefficients of
    `best_iter_`. Otherwise the coefficients are those of the last iterate.
n_iter_no_change : int, default=10
    Updates without progress after which to stop.
risk : {"out_of_batch", "known_covariance", "in_batch", "in_batch_right", None}, default="out_of_batch"
    Estimate of the risk, as in :func:`~skmlogb.robust.trajectory_risk`: the paper's r~, r^ (with
    `covariance`) and r~sub (in two orders); None: no path and no cost.
covariance : array-like of shape (n_features, n_features), default=None
    Covariance of the features, for "known_covariance".
n_probes : "auto", "exact" or int, default="auto"
    Random vectors from which traces are estimated, at least 2; "exact" uses none.
warm_start : bool, default=False
    Go on from the last iterate of the previous fit. On the same data with the same objective and batches,
    calls with this set are equal to one call with the sum of their `max_iter`. On other data the risk path
    counts from there: it is too low if rows of earlier fits are among them, which is warned of.
random_state : int, RandomState instance or None, default=None
    Seed of batches and probes.
verbose : int, default=0
    Print a line every `n_iter_no_change` updates.

Attributes
----------
coef_ : ndarray of shape (n_features,)
    Coefficients, of the dtype of X.
intercept_ : float
    Intercept; 0.0 without one.
n_iter_ : int
    Number of updates.
risk_path_ : ndarray of shape (`n_iter_` + 1,)
    Estimate of ``||Sigma^(1/2) (b^t - b*)||^2 + ||noise||^2 / n`` for the coefficients b^t after t updates,
    entry 0 the start (equation (11) of [1]_), in squared units of y. Comparable across all settings on the
    same y. NaN where all residuals lie outside the quadratic zone.
risk_path_std_ : ndarray of shape (`n_iter_` + 1,)
    Its standard error over the probes; 0 if traces are exact.
best_iter_ : int
    Where the risk is least.
best_risk_ : float
    The least risk.
loss_path_ : ndarray of shape (`n_iter_` + 1,)
    Mean loss on the training rows plus penalty; after partial_fit only with a risk.
scale_ : float
    Spread of y, the unit of `epsilon`.
n_features_in_ : int
    Number of features.
feature_names_in_ : ndarray of shape (`n_features_in_`,)
    Names of the features, if X had names.

References
----------
.. [1] K. Tan, P. C. Bellec. Estimating Generalization Performance Along the Trajectory of Proximal SGD in
   Robust Regression. NeurIPS 2024.
"""


def _with_parameters(cls):
    """Put the sections that the regressors share before a class's examples."""
    summary, examples = cleandoc(cls.__doc__).split("Examples\n--------\n")
    cls.__doc__ = f"{summary}{_PARAMETERS.lstrip()}\nExamples\n--------\n{examples}\n"
    return cls


@_with_parameters
class HuberSGDRegressor(RobustSGDRegressor):
    """Linear regression with Huber's loss by (stochastic, proximal) gradient descent that knows its own risk.

    The loss is quadratic for residuals up to ``epsilon * scale_`` and linear beyond, so that no single target
    pulls hard. After `fit`, `risk_path_` tells how well every iterate predicts new rows, estimated from the
    training rows alone.

    Examples
    --------
    >>> from skmlogb.datasets import make_robust_regression
    >>> from skmlogb.robust import HuberSGDRegressor
    >>> X, y, coef = make_robust_regression(400, 200, coef=True, random_state=0)
    >>> model = HuberSGDRegressor(early_stopping=True, random_state=0).fit(X, y)
    >>> model.best_iter_ < model.n_iter_ < 100
    True
    >>> model.risk_path_.shape == (model.n_iter_ + 1,)
    True
    >>> model.best_risk_ == float(model.risk_path_[model.best_iter_])
    True
    """

    _loss = Huber


@_with_parameters
class PseudoHuberSGDRegressor(RobustSGDRegressor):
    """Linear regression with the pseudo-Huber loss by gradient descent that knows its own risk.

    The loss, ``delta^2 (sqrt(1 + (r / delta)^2) - 1)`` with ``delta = epsilon * scale_``, is smooth: nearly
    quadratic for small residuals r and nearly linear for large ones. All else is as in
    :class:`HuberSGDRegressor`.

    Examples
    --------
    >>> from skmlogb.datasets import make_robust_regression
    >>> from skmlogb.robust import PseudoHuberSGDRegressor
    >>> X, y = make_robust_regression(400, 200, random_state=0)
    >>> model = PseudoHuberSGDRegressor(penalty="l1", alpha=0.05, batch_size=0.2, random_state=0).fit(X, y)
    >>> 0 < int((model.coef_ != 0).sum()) < 200
    True
    >>> model.best_risk_ == float(model.risk_path_.min())
    True
    """

    _loss = PseudoHuber
