"""The estimators' flat parameters: checked, and made into the parts that they name."""

from collections.abc import Mapping

import numpy as np

from .._validation import check_number, check_option
from .nonconvex import MCP, SCAD
from .penalties import L1, ElasticNet, GroupL1
from .step_sizes import check_step_size

PENALTIES = (None, "l1", "l2", "elasticnet", "group_l1", "mcp", "scad")
LEARNING_RATES = ("auto", "constant", "invscaling")
RISKS = ("out_of_batch", "known_covariance", "in_batch", "in_batch_right", None)


def check_parameters(estimator):
    """Raise TypeError or ValueError, naming the parameter, if one of an estimator's parameters is bad.

    What depends on the data (``groups``, ``covariance``) is checked with them.

    Examples
    --------
    >>> from skmlogb.robust import HuberSGDRegressor
    >>> from skmlogb.robust.parameters import check_parameters
    >>> check_parameters(HuberSGDRegressor(penalty="lasso"))
    Traceback (most recent call last):
    ...
    ValueError: penalty must be one of None, 'l1', 'l2', 'elasticnet', 'group_l1', 'mcp', 'scad'; got 'lasso'.
    """
    given = estimator.get_params(deep=False)
    check_number(given["epsilon"], "epsilon", low=0, open_low=True)
    if not (isinstance(given["scale"], str) and given["scale"] == "mad"):
        _number_or(given["scale"], "scale", '"mad"', low=0, open_low=True)
    _check_penalty(given)
    _check_steps(given)
    check_number(given["max_iter"], "max_iter", low=1, integer=True)
    check_number(given["n_iter_no_change"], "n_iter_no_change", low=1, integer=True)
    if given["tol"] is not None:
        _number_or(given["tol"], "tol", "None", low=0)
    for name in ("fit_intercept", "early_stopping", "warm_start"):
        if not isinstance(given[name], (bool, np.bool_)):
            raise TypeError(
                f"{name} must be a bool; got {given[name]!r} of type {type(given[name]).__name__}."
            )
    _check_risk(given)
    if not isinstance(given["verbose"], (bool, np.bool_)):
        check_number(given["verbose"], "verbose", low=0, integer=True)


def _check_penalty(given):
    check_option(given["penalty"], "penalty", PENALTIES)
    check_number(given["alpha"], "alpha", low=0)
    check_number(given["l1_ratio"], "l1_ratio", low=0, high=1)
    check_number(given["gamma"], "gamma", low=1 if given["penalty"] == "scad" else 0, open_low=True)
    if given["penalty"] == "group_l1" and given["groups"] is None:
        raise ValueError('penalty="group_l1" needs groups, one label a feature; got None.')


def _check_steps(given):
    check_number(given["eta0"], "eta0", low=0)
    check_number(given["power_t"], "power_t")
    rate = given["learning_rate"]
    if isinstance(rate, str) or rate is None:
        check_option(rate, "learning_rate", LEARNING_RATES)
    elif not callable(rate):
        _check_step_sequence(rate)
    size = given["batch_size"]
    if size is not None:
        if isinstance(size, (float, np.floating)):
            check_number(size, "batch_size as a fraction", low=0, open_low=True, high=1)
        else:
            _number_or(size, "batch_size", "None, or a fraction", low=1, integer=True)


def _check_step_sequence(rate):
    if isinstance(rate, (bytes, Mapping)) or not hasattr(rate, "__getitem__"):
        raise TypeError(
            f"learning_rate must be one of {', '.join(map(repr, LEARNING_RATES))}, a sequence of steps or a"
            f" callable of t; got {rate!r} of type {type(rate).__name__}."
        )
    n_dimensions = getattr(rate, "ndim", 1)
    if n_dimensions != 1:
        raise ValueError(f"learning_rate as a sequence must be 1-d; got {n_dimensions} dimensions.")
    if len(rate) == 0:
        raise ValueError("learning_rate as a sequence must hold at least one step; got none.")
    for t, step in enumerate(rate, 1):
        check_step_size(step, t)


def _check_risk(given):
    check_option(given["risk"], "risk", RISKS)
    if given["n_probes"] not in ("auto", "exact"):
        _number_or(given["n_probes"], "n_probes", '"auto", "exact"', low=2, integer=True)
    if given["early_stopping"] and given["risk"] is None:
        raise ValueError("early_stopping=True stops by the risk, and risk is None.")


def _number_or(value, name, others, **interval):
    """Check a number of a parameter that may also be something else, which the error mentions."""
    try:
        check_number(value, name, **interval)
    except (TypeError, ValueError) as error:
        raise type(error)(str(error).replace(f"{name} must be ", f"{name} must be {others} or ")) from None


def make_penalty(estimator, n_features):
    """Return the penalty object that an estimator's flat parameters name, or None.

    Examples
    --------
    >>> from skmlogb.robust import HuberSGDRegressor
    >>> from skmlogb.robust.parameters import make_penalty
    >>> make_penalty(HuberSGDRegressor(penalty="l2", alpha=0.5), n_features=3)
    ElasticNet(alpha=0.5, l1_ratio=0.0)
    """
    alpha = estimator.alpha
    match estimator.penalty:
        case "l1":
            return L1(alpha)
        case "l2":
            return ElasticNet(alpha, 0.0)
        case "elasticnet":
            return ElasticNet(alpha, estimator.l1_ratio)
        case "mcp":
            return MCP(alpha, estimator.gamma)
        case "scad":
            return SCAD(alpha, estimator.gamma)
        case "group_l1":
            if np.shape(estimator.groups) != (n_features,):
                raise ValueError(
                    f"groups must hold one label a feature, shape ({n_features},);"
                    f" got shape {np.shape(estimator.groups)}."
                )
            return GroupL1(alpha, estimator.groups)


def rows_per_batch(batch_size, n_rows):
    """Return the number of rows in a batch, or None if a batch is all rows.

    Examples
    --------
    >>> from skmlogb.robust.parameters import rows_per_batch
    >>> rows_per_batch(0.25, 100), rows_per_batch(200, 100)
    (25, None)
    """
    if batch_size is None:
        return None
    if isinstance(batch_size, (float, np.floating)):
        batch_size = max(1, round(batch_size * n_rows))
    return int(batch_size) if batch_size < n_rows else None
