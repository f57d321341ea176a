"""Data-fitting losses: value and two derivatives of residuals; they know neither X nor coefficients."""

from dataclasses import dataclass

import numpy as np

from .._validation import check_number


@dataclass(frozen=True)
class _RobustLoss:
    epsilon: float = 1.35

    def __post_init__(self):
        object.__setattr__(
            self, "epsilon", float(check_number(self.epsilon, "epsilon", low=0, open_low=True))
        )

    def value(self, residuals):
        """Return the loss of each residual.

        Parameters
        ----------
        residuals : array-like
            y - X b, of any shape.

        Returns
        -------
        loss : array of the same shape
            At least 0; 0 where the residual is.
        """
        raise NotImplementedError

    def psi(self, residuals):
        """Return the derivative of the loss at each residual: how hard a row pulls.

        Parameters
        ----------
        residuals : array-like
            y - X b, of any shape.

        Returns
        -------
        slope : array of the same shape
            In [-epsilon, epsilon].
        """
        raise NotImplementedError

    def psi_prime(self, residuals):
        """Return the second derivative of the loss at each residual.

        Parameters
        ----------
        residuals : array-like
            y - X b, of any shape.

        Returns
        -------
        curvature : array of the same shape
            In [0, 1].
        """
        raise NotImplementedError


class Huber(_RobustLoss):
    """Huber's loss: quadratic up to `epsilon`, linear beyond.

    Parameters
    ----------
    epsilon : float, default=1.35
        Where the quadratic zone ends, in units of the residuals (the paper's delta).

    Examples
    --------
    >>> from skmlogb.robust import Huber
    >>> loss = Huber(epsilon=1.0)
    >>> loss
    Huber(epsilon=1.0)
    >>> loss.value([0.5, -3.0]), loss.psi([0.5, -3.0]), loss.psi_prime([0.5, -3.0])
    (array([0.125, 2.5  ]), array([ 0.5, -1. ]), array([1., 0.]))
    """

    def value(self, residuals):
        inside = np.minimum(np.abs(residuals), self.epsilon)
        return inside * (np.abs(residuals) - inside / 2)

    def psi(self, residuals):
        return np.clip(residuals, -self.epsilon, self.epsilon)

    def psi_prime(self, residuals):
        size = np.abs(residuals)
        return (size <= self.epsilon).astype(size.dtype if size.dtype.kind == "f" else float)


class PseudoHuber(_RobustLoss):
    """The pseudo-Huber loss: smooth, nearly quadratic up to `epsilon` and nearly linear beyond.

    The value at r is ``epsilon^2 (sqrt(1 + (r / epsilon)^2) - 1)``.

    Parameters
    ----------
    epsilon : float, default=1.35
        Where the loss turns from quadratic to linear, in units of the residuals (the paper's delta).

    Examples
    --------
    >>> from skmlogb.robust import PseudoHuber
    >>> PseudoHuber(epsilon=2.0).psi([0.0, 1.5])
    array([0. , 1.2])
    """

    def value(self, residuals):
        u, root = self._scaled(residuals)
        # (root - 1) without the cancellation at small u, and epsilon^2 without the overflow
        return (self.epsilon * u) * (self.epsilon * (u / (1 + root)))

    def psi(self, residuals):
        u, root = self._scaled(residuals)
        return self.epsilon * (u / root)

    def psi_prime(self, residuals):
        return self._scaled(residuals)[1] ** -3.0

    def _scaled(self, residuals):
        u = np.divide(residuals, self.epsilon)
        return u, np.hypot(1, u).astype(u.dtype, copy=False)
