"""Choosing parameters by the risk path: no split, no hold-out set."""

import numpy as np
from sklearn.model_selection import BaseCrossValidator
from sklearn.pipeline import Pipeline
from sklearn.utils import indexable
from sklearn.utils.validation import check_is_fitted

from .base import RobustSGDRegressor


class NoSplit(BaseCrossValidator):
    """A cross-validation splitter that does not split: train and test are all rows, once.

    For scorers that need no rows held out: :func:`trajectory_risk_scorer`.

    Examples
    --------
    >>> from skmlogb.robust import NoSplit
    >>> list(NoSplit().split([[0.0], [1.0], [2.0]]))
    [(array([0, 1, 2]), array([0, 1, 2]))]
    """

    def split(self, X, y=None, groups=None):
        """Yield the row numbers of all rows as the training and the test rows.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)
            Data, of which only the length counts.
        y, groups : object
            Ignored.

        Yields
        ------
        train, test : ndarray of shape (n_samples,)
            0, 1, ..., n_samples - 1, both.
        """
        (X,) = indexable(X)
        rows = np.arange(X.shape[0] if hasattr(X, "shape") else len(X))
        yield rows, rows.copy()

    def get_n_splits(self, X=None, y=None, groups=None):
        """Return 1.

        Parameters
        ----------
        X, y, groups : object
            Ignored.

        Returns
        -------
        n_splits : int
            The number of splits.
        """
        return 1


def trajectory_risk_scorer(estimator, X, y=None, sample_weight=None):
    """Return minus the risk of the iterate that the coefficients of a fitted regressor are.

    A scorer for searches with ``cv=NoSplit()``: the risk is that of the training rows, so X must be they.

    Parameters
    ----------
    estimator : HuberSGDRegressor, PseudoHuberSGDRegressor or Pipeline
        Fitted; of a pipeline the last step has the risk path.
    X : array-like or sparse matrix of shape (n_samples, n_features)
        What it was fitted on.
    y : object
        Ignored.
    sample_weight : object
        Ignored: the path has the weights of the fit.

    Returns
    -------
    score : float
        ``-best_risk_`` with early_stopping, otherwise minus the last entry of ``risk_path_``.

    Raises
    ------
    TypeError
        If the estimator has no risk path.
    ValueError
        If X is not what it was fitted on, as in a search with a split; or if its risk is None.

    Examples
    --------
    >>> from sklearn.model_selection import GridSearchCV
    >>> from skmlogb.datasets import make_robust_regression
    >>> from skmlogb.robust import HuberSGDRegressor, NoSplit, trajectory_risk_scorer
    >>> X, y = make_robust_regression(200, 100, random_state=0)
    >>> search = GridSearchCV(
    ...     HuberSGDRegressor(penalty="l1", early_stopping=True, random_state=0),
    ...     {"alpha": [0.01, 0.1]},
    ...     cv=NoSplit(),
    ...     scoring=trajectory_risk_scorer,
    ... ).fit(X, y)
    >>> bool(search.best_score_ == -search.best_estimator_.best_risk_)
    True
    """
    check_is_fitted(estimator)
    if isinstance(estimator, Pipeline):
        before, last = estimator[:-1], estimator[-1]
        return trajectory_risk_scorer(last, before.transform(X) if len(before) else X, y)
    if not isinstance(estimator, RobustSGDRegressor):
        raise TypeError(
            "trajectory_risk_scorer needs a regressor with a risk path, or a Pipeline that ends in one;"
            f" got {type(estimator).__name__}."
        )
    if not hasattr(estimator, "risk_path_"):
        raise ValueError("trajectory_risk_scorer needs a risk path; the estimator was fitted with risk=None.")
    if not estimator._was_fitted_on(X):
        raise ValueError(
            "trajectory_risk_scorer reads a risk estimated from the training rows, and X is not what the"
            " estimator was fitted on. Do not split: use cv=NoSplit()."
        )
    return -float(estimator.risk_path_[estimator._kept_iter])
