"""What the first data of a fit settle: scale, centring, the intercept's coordinate, the curvature."""

from dataclasses import dataclass

import numpy as np
from scipy.sparse import issparse

from .design import Design
from .scale import mad_scale, weighted_median
from .step_sizes import largest_curvature


@dataclass(frozen=True)
class Frame:
    """The coordinates that the recursion runs in.

    Columns are centred, and the intercept is the coefficient of a column that is constant at half the root
    of the curvature: as steep as an average direction, so that it neither stalls nor oscillates.

    Attributes
    ----------
    scale : float
        Spread of the targets.
    median : float
        Where the intercept starts; 0 without one.
    offset : ndarray of shape (p,) or None
        Means of the columns; None without intercept.
    curvature : float
        L, the largest curvature of the (centred) columns.
    """

    scale: float
    median: float
    offset: np.ndarray | None
    curvature: float

    @property
    def constant(self):
        """The value of the constant column, None without intercept."""
        if self.offset is None:
            return None
        return np.sqrt(self.curvature) / 2 or 1.0

    def design(self, X):
        """Return X as the recursion sees it."""
        return Design(X, offset=self.offset, constant=self.constant)

    def start(self, n_features, dtype):
        """Return b^1: zeros, and the median of the targets as intercept."""
        return self.join(np.zeros(n_features, dtype), self.median)

    def join(self, coef, intercept):
        """Return the coordinates of coefficients (p,) and an intercept."""
        if self.offset is None:
            return coef
        centred = intercept + self.offset @ coef.astype(float)
        return np.append(coef, np.array(centred / self.constant, coef.dtype))

    def split(self, coordinates):
        """Return the coefficients (p,) and the intercept at these coordinates."""
        if self.offset is None:
            return coordinates, 0.0
        coef = coordinates[:-1]
        return coef, float(coordinates[-1] * self.constant - self.offset @ coef.astype(float))


def make_frame(X, y, sample_weight, *, scale, fit_intercept, batches):
    """Return the frame that these data settle.

    Parameters
    ----------
    X, y, sample_weight : the data
        The weights positive, or None.
    scale : float or None
        The spread of the targets; None: from their median absolute deviation.
    fit_intercept : bool
        Whether there is an intercept.
    batches : iterable of array of int, or None
        The first batches, from which the curvature is measured.

    Returns
    -------
    frame : Frame
        The frame.

    Raises
    ------
    ValueError
        If the curvature overflows, naming the largest column scale.

    Examples
    --------
    >>> import numpy as np
    >>> from skmlogb.robust.frame import make_frame
    >>> X, y = np.array([[1.0], [3.0]]), np.array([10.0, 20.0])
    >>> frame = make_frame(X, y, None, scale=None, fit_intercept=True, batches=None)
    >>> frame.median, frame.offset, frame.curvature
    (15.0, array([2.]), 1.0)
    """
    median = weighted_median(y, sample_weight)
    scale = mad_scale(y, median, sample_weight) if scale is None else scale
    with np.errstate(over="ignore", invalid="ignore"):
        offset = column_means(X, sample_weight) if fit_intercept else None
    curvature = measure_curvature(X, offset, sample_weight, batches)
    return Frame(scale, median if fit_intercept else 0.0, offset, curvature)


def measure_curvature(X, offset, sample_weight, batches):
    """Return L of the columns about `offset`; 0 where all that centring leaves of them is rounding.

    Raises
    ------
    ValueError
        If it overflows, naming the largest column scale.

    Examples
    --------
    >>> import numpy as np
    >>> from skmlogb.robust.frame import measure_curvature
    >>> measure_curvature(np.array([[0.1], [0.1]]), np.array([0.1]), None, None)
    0.0
    """
    rng = np.random.default_rng(0)  # the power iterations' start: the step depends on the data alone
    with np.errstate(over="ignore", invalid="ignore"):
        curvature = largest_curvature(Design(X, offset=offset), batches, sample_weight, rng)
    if not np.isfinite(curvature):
        raise ValueError(
            f"The squares of X overflow: {describe_largest_column(X)}. Scale X (StandardScaler)."
        )
    if offset is not None:
        rounding = 8 * np.finfo(X.dtype).eps * np.linalg.norm(offset)
        curvature = curvature if curvature > len(offset) * rounding**2 else 0.0
    return curvature


def column_means(X, sample_weight=None):
    """Return the (weighted) mean of each column, float64, (p,); that of a constant column is exact.

    Examples
    --------
    >>> import numpy as np
    >>> from skmlogb.robust.frame import column_means
    >>> column_means(np.array([[1.0], [4.0]]), np.array([2.0, 1.0]))
    array([2.])
    """
    weights = np.ones(X.shape[0]) if sample_weight is None else sample_weight
    if issparse(X):
        total = X.T @ weights
    elif sample_weight is None:
        total = X.sum(axis=0, dtype=float)
    else:
        total = np.einsum("i,ij->j", weights, X)
    means = total / weights.sum()
    first = (X[[0]].toarray() if issparse(X) else X[[0]]).ravel().astype(float)
    rounding = X.shape[0] * np.finfo(float).eps * np.abs(first)
    return np.where(np.abs(means - first) <= rounding, first, means)


def describe_largest_column(X):
    """Say which column has the largest root mean square, and how large it is.

    Examples
    --------
    >>> import numpy as np
    >>> from skmlogb.robust.frame import describe_largest_column
    >>> describe_largest_column(np.array([[1.0, 3e9], [1.0, 3e9]]))
    'the largest column scale is 3e+09 (root mean square of column 1)'
    """
    largest = abs(X).max() or 1.0
    scaled = X / float(largest)
    squares = scaled.multiply(scaled) if issparse(X) else scaled * scaled
    scales = np.sqrt(np.asarray(squares.sum(axis=0)).ravel() / X.shape[0])
    column = int(scales.argmax())
    return f"the largest column scale is {scales[column] * largest:.3g} (root mean square of column {column})"
