"""Penalties: value, proximal operator, and the Jacobian of the proximal operator at its argument.

The recursion and its risk ask four things of a penalty: ``value(coef)``, ``prox(v, step)``,
``prox_jacobian(v, step)`` and ``max_step()``.
"""

import math
from dataclasses import dataclass, field

import numpy as np
from scipy.sparse import csr_array

from .._validation import check_number


@dataclass(frozen=True)
class ProxJacobian:
    """The symmetric matrix ``diag(slope) + factor factor'``, the Jacobian of a proximal operator.

    Attributes
    ----------
    slope : ndarray of shape (p,)
        Zero exactly on the coordinates that the operator does not move with (the inactive columns).
    factor : sparse array of shape (p, k) or None
        None for penalties that treat each coordinate alone. Zero on the inactive columns.

    Examples
    --------
    >>> import numpy as np
    >>> from skmlogb.robust import L1
    >>> jacobian = L1(alpha=1.0).prox_jacobian(np.array([3.0, 0.5]), 1.0)
    >>> jacobian.apply(np.array([[5.0, 7.0]]))
    array([[5., 0.]])
    >>> jacobian.active
    array([0])
    """

    slope: np.ndarray
    factor: csr_array | None = None

    @property
    def active(self):
        """Indices of the columns that are not zero."""
        return np.flatnonzero(self.slope)

    def apply(self, vectors):
        """Return the matrix times each vector.

        Parameters
        ----------
        vectors : array of shape (..., p)
            Vectors along the last axis.

        Returns
        -------
        products : array of shape (..., p)
            Their images.
        """
        out = vectors * self.slope
        if self.factor is not None:
            flat = vectors.reshape(math.prod(vectors.shape[:-1]), self.slope.size)
            out += ((flat @ self.factor) @ self.factor.T).reshape(out.shape)
        return out

    def take(self, columns):
        """Return a block of the matrix.

        Parameters
        ----------
        columns : array of int or slice
            Its rows, and its columns.

        Returns
        -------
        block : ProxJacobian
            Of these coordinates alone.
        """
        return ProxJacobian(self.slope[columns], None if self.factor is None else self.factor[columns])


def soft_threshold(v, threshold):
    """Return ``sign(v) (|v| - threshold)_+``, elementwise.

    Examples
    --------
    >>> from skmlogb.robust.penalties import soft_threshold
    >>> soft_threshold([3.0, -0.5], 1.0)
    array([2., 0.])
    """
    v = np.asarray(v)
    return v - np.clip(v, -threshold, threshold)


def store_number(penalty, name, **interval):
    """Check a number of a frozen penalty and keep it as a float, so that equal penalties are equal."""
    object.__setattr__(penalty, name, float(check_number(getattr(penalty, name), name, **interval)))


class Penalty:
    """What every penalty here shares: steps of any size, and no effect where step or alpha is 0."""

    alpha: float

    def value(self, coef):
        """Return the penalty of coefficients.

        Parameters
        ----------
        coef : array of shape (p,)
            Coefficients b.

        Returns
        -------
        penalty : float
            g(b) >= 0.
        """
        raise NotImplementedError

    def prox(self, v, step):
        """Return the minimiser over b of ``||b - v||^2 / 2 + step * value(b)``.

        Parameters
        ----------
        v : array of shape (p,)
            Its argument.
        step : float
            eta_t >= 0; 0 returns v.

        Returns
        -------
        coef : array of shape (p,)
            The minimiser, of the dtype of v.
        """
        raise NotImplementedError

    def max_step(self):
        """Return the bound below which every step must stay.

        Returns
        -------
        bound : float
            Infinite for convex penalties, gamma for MCP, gamma - 1 for SCAD.
        """
        return np.inf

    def prox_jacobian(self, v, step):
        """Return the Jacobian of `prox` at its argument.

        Parameters
        ----------
        v : array of shape (p,)
            The argument.
        step : float
            eta_t >= 0; 0 is the identity.

        Returns
        -------
        jacobian : ProxJacobian
            D~_t of the paper, in the dtype of v.
        """
        v = np.asarray(v)
        return self._jacobian(v, step) if step * self.alpha > 0 else ProxJacobian(np.ones_like(v))

    def _jacobian(self, v, step):
        raise NotImplementedError


@dataclass(frozen=True)
class ElasticNet(Penalty):
    """The elastic net: ``alpha (l1_ratio ||b||_1 + (1 - l1_ratio) ||b||^2 / 2)``.

    Parameters
    ----------
    alpha : float
        Strength of the penalty, >= 0.
    l1_ratio : float, default=0.15
        Share of the L1 part, in [0, 1]; 0 is ridge.

    Examples
    --------
    >>> import numpy as np
    >>> from skmlogb.robust import ElasticNet
    >>> ElasticNet(alpha=1.0, l1_ratio=0.0).prox(np.array([3.0, -1.0]), 1.0)
    array([ 1.5, -0.5])
    """

    alpha: float
    l1_ratio: float = 0.15

    def __post_init__(self):
        store_number(self, "alpha", low=0)
        store_number(self, "l1_ratio", low=0, high=1)

    def value(self, coef):
        squares = np.vdot(coef, coef) / 2
        return float(self.alpha * (self.l1_ratio * np.abs(coef).sum() + (1 - self.l1_ratio) * squares))

    def prox(self, v, step):
        return soft_threshold(v, step * self.alpha * self.l1_ratio) / self._shrinkage(step)

    def _jacobian(self, v, step):
        threshold = step * self.alpha * self.l1_ratio
        active = (np.abs(v) > threshold) | (threshold == 0)
        return ProxJacobian(active.astype(v.dtype) / self._shrinkage(step))

    def _shrinkage(self, step):
        return 1 + step * self.alpha * (1 - self.l1_ratio)


@dataclass(frozen=True)
class L1(ElasticNet):
    """The lasso penalty ``alpha ||b||_1``.

    Parameters
    ----------
    alpha : float
        Strength of the penalty, >= 0.

    Examples
    --------
    >>> import numpy as np
    >>> from skmlogb.robust import L1
    >>> L1(alpha=0.5).prox(np.array([3.0, -0.25]), 2.0)
    array([2., 0.])
    """

    l1_ratio: float = field(default=1.0, init=False, repr=False)


@dataclass(frozen=True)
class GroupL1(Penalty):
    """The group lasso ``alpha sum_g sqrt(|g|) ||b_g||``.

    Parameters
    ----------
    alpha : float
        Strength of the penalty, >= 0.
    groups : array-like of shape (p,)
        The group's label of each coordinate.

    Examples
    --------
    >>> import numpy as np
    >>> from skmlogb.robust import GroupL1
    >>> penalty = GroupL1(alpha=1.0, groups=["a", "a", "a", "a", "b"])
    >>> penalty.prox(np.array([2.0, 2.0, 2.0, 2.0, 0.5]), 1.0)
    array([1., 1., 1., 1., 0.])
    """

    alpha: float
    groups: tuple = field(repr=False)
    _index: np.ndarray = field(init=False, repr=False, compare=False)
    _root: np.ndarray = field(init=False, repr=False, compare=False)  # sqrt(|g|) of each group

    def __post_init__(self):
        store_number(self, "alpha", low=0)
        labels = np.asarray(self.groups)
        if labels.ndim != 1 or labels.size == 0:
            raise ValueError(f"groups must hold one label a feature, shape (p,); got shape {labels.shape}.")
        _, index, sizes = np.unique(labels, return_inverse=True, return_counts=True)
        for name, content in (
            ("groups", tuple(labels.tolist())),
            ("_index", index),
            ("_root", np.sqrt(sizes)),
        ):
            object.__setattr__(self, name, content)

    def value(self, coef):
        return float(self.alpha * (self._root @ self._norms(coef)))

    def prox(self, v, step):
        return v * self._factors(v, step)[0][self._index].astype(v.dtype)

    def _jacobian(self, v, step):
        shrinkage, norms = self._factors(v, step)
        threshold = np.where(shrinkage > 0, step * self.alpha * self._root, 0)
        column = np.sqrt(threshold / np.where(norms > 0, norms, 1))  # of the unit vector v_g / ||v_g||
        unit = v / np.where(norms > 0, norms, 1)[self._index]
        factor = csr_array(
            ((column[self._index] * unit).astype(v.dtype), self._index, np.arange(len(v) + 1)),
            shape=(len(v), norms.size),
        )
        return ProxJacobian(shrinkage[self._index].astype(v.dtype), factor)

    def _factors(self, v, step):
        """Return what each group is multiplied by, and its norm."""
        norms = self._norms(v)
        threshold = step * self.alpha * self._root
        larger = np.maximum(norms, threshold)  # no quotient above 1, however small the norm
        return 1 - threshold / np.where(larger > 0, larger, 1), norms

    def _norms(self, v):
        if len(v) != len(self._index):
            raise ValueError(f"groups must hold one label a feature: got {len(self._index)} for {len(v)}.")
        largest = np.abs(v).max() or 1.0  # squares of tiny or huge coefficients stay representable
        squares = np.bincount(self._index, weights=np.square(v / largest, dtype=float))
        return largest * np.sqrt(squares)
