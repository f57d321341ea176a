"""Multinomial logistic outcomes with a reference outcome, equation (1): stable in both tails.

Logits have one entry for each of the K outcomes other than the reference; probabilities have K + 1, the
reference first, so that outcome 0 is the reference as in the paper.
"""

import math

import numpy as np
from scipy.linalg import blas, lapack

# The squared length from which on a step is computed in the form that rounding cannot blow up.
_VAST = 1e100


def probabilities(logits):
    """Return the outcomes' probabilities, equation (1).

    Parameters
    ----------
    logits : array of shape (..., K)
        W x, one entry for each outcome but the reference, whose logit is 0.

    Returns
    -------
    probabilities : array of shape (..., K + 1)
        The reference first. Each is accurate relative to itself, however extreme the logits.

    Examples
    --------
    >>> import numpy as np
    >>> from skmlogb.bandit.outcome_model import probabilities
    >>> probabilities(np.array([[0.0], [800.0], [-30.0]]))
    array([[5.00000000e-01, 5.00000000e-01],
           [0.00000000e+00, 1.00000000e+00],
           [1.00000000e+00, 9.35762297e-14]])
    """
    result = np.zeros((*logits.shape[:-1], logits.shape[-1] + 1))
    result[..., 1:] = logits
    result -= result.max(axis=-1, keepdims=True)
    np.exp(result, out=result)
    result /= result.sum(axis=-1, keepdims=True)
    return result


def outcome_algebra(n_outcomes):
    """Return the K x K algebra of a round for K = `n_outcomes`."""
    return BinaryAlgebra if n_outcomes == 1 else MultinomialAlgebra


class MultinomialAlgebra:
    """What a round does with (K, K) matrices: T = (I (x) x)' Z^-1 (I (x) x) and Hessians in the logits."""

    @staticmethod
    def newton_step(logits, outcome, T, eta):
        """Return the coordinates s of the step (8), what it does to the logits, and a factor of its Hessian.

        With G the Hessian of the loss in the logits and g its gradient, W' = W - Z^-1 (I (x) x) s where
        s = eta (I + eta G T)^-1 g, because Z~^-1 (I (x) x) = Z^-1 (I (x) x) (I + eta G T)^-1.

        Parameters
        ----------
        logits : array of shape (K,)
            W x.
        outcome : int
            The outcome in 0..K, 0 the reference.
        T : array of shape (K, K)
            (I (x) x)' Z^-1 (I (x) x).
        eta : float
            Step size.

        Returns
        -------
        step : array of shape (K,)
            s.
        factor : array of shape (K, K)
            F with F F' = eta G.
        change : array of shape (K,)
            (W' - W) x = -T s.
        travelled : float
            ||W' - W||^2 in the norm of Z, s'T s.
        """
        p0, p = _softmax(logits)
        gradient = p.copy()
        if outcome:
            gradient[outcome - 1] = 0
            gradient[outcome - 1] = -(p0 + gradient.sum())  # p_y - 1 without cancellation
        factor = math.sqrt(eta) * _hessian_factor(p0, p)
        system = factor.dot(factor.T.dot(T))
        system.flat[:: len(system) + 1] += 1
        step, failed = lapack.dgesv(system, eta * gradient)[2:]
        if failed or not blas.ddot(step, step) < _VAST:  # ddot overflows without a warning
            return _bounded_step(eta * gradient, factor, T)
        change = -T.dot(step)
        return step, factor, change, -step.dot(change)

    @staticmethod
    def hessian_factor(logits):
        """Return F with F F' = diag(p) - p p', the Hessian of the loss in the logits."""
        return _hessian_factor(*_softmax(logits))

    @staticmethod
    def downdate(factor, T):
        """Return how a new Hessian G = F F' changes the inverse.

        With U = Z^-1 (I (x) x), (Z + (I (x) x) G (I (x) x)')^-1 = Z^-1 - U E E' U'.

        Parameters
        ----------
        factor : array of shape (K, K)
            F.
        T : array of shape (K, K)
            (I (x) x)' U.

        Returns
        -------
        downdate : array of shape (K, K)
            E.
        steepness : float
            Trace of F' T F: by how much at most the inverse falls in any direction, as a ratio less 1.
        """
        inner = factor.T.dot(T).dot(factor)
        diagonal = inner.reshape(-1)[:: len(inner) + 1]
        steepness = diagonal.sum()
        diagonal += 1
        lower, failed = lapack.dpotrf(inner, lower=True)
        if failed:  # only by rounding, with actions vast beside lambda: what is negative in T counts as 0
            values, vectors = np.linalg.eigh(inner)
            return factor.dot(vectors / np.sqrt(np.maximum(values, 1))), steepness
        return blas.dtrsm(1.0, lower, factor, side=True, lower=True, trans_a=True), steepness

    @staticmethod
    def inner(left, right):
        """Return the inner product of two vectors (K,)."""
        return left.dot(right)

    @staticmethod
    def trace(T):
        """Return the trace of a matrix (K, K)."""
        return T.trace()


class BinaryAlgebra:
    """The same for K = 1, where numbers stand for the matrices and cost a tenth of the time."""

    @staticmethod
    def newton_step(logit, outcome, T, eta):
        """See :meth:`MultinomialAlgebra.newton_step`."""
        p0, p1 = _binary_probabilities(logit)
        curvature = eta * p0 * p1
        gradient = -p0 if outcome else p1
        step = eta * gradient / (1 + max(curvature * T, 0.0))  # T is negative only by rounding
        return step, math.sqrt(curvature), -T * step, step * T * step

    @staticmethod
    def hessian_factor(logit):
        """See :meth:`MultinomialAlgebra.hessian_factor`."""
        p0, p1 = _binary_probabilities(logit)
        return math.sqrt(p0 * p1)

    @staticmethod
    def downdate(factor, T):
        """See :meth:`MultinomialAlgebra.downdate`."""
        steepness = max(factor * T * factor, 0.0)  # T is negative only by rounding
        return factor / math.sqrt(1 + steepness), steepness

    @staticmethod
    def inner(left, right):
        """See :meth:`MultinomialAlgebra.inner`."""
        return left * right

    @staticmethod
    def trace(T):
        """See :meth:`MultinomialAlgebra.trace`."""
        return T


def _bounded_step(pull, factor, T):
    """Return what `newton_step` does, where rounding hides the I in I + eta G T: actions vast beside lambda.

    With T = R R', the length y of the step is (I + R'F F'R)^-1 R'g eta, which no rounding makes long.
    """
    values, vectors = np.linalg.eigh(T)
    root = vectors * np.sqrt(np.maximum(values, 0))
    left, sizes, _ = np.linalg.svd(root.T.dot(factor))
    y = left.dot(left.T.dot(root.T.dot(pull)) / (1 + sizes**2))
    change = -root.dot(y)
    return pull + factor.dot(factor.T.dot(change)), factor, change, y.dot(y)


def _binary_probabilities(logit):
    smaller = math.exp(-abs(logit))
    larger = 1 / (1 + smaller)
    smaller *= larger
    return (smaller, larger) if logit > 0 else (larger, smaller)


def _softmax(logits):
    """Return the probability of the reference and those of the others, as `probabilities` does for stacks."""
    top = max(0.0, *logits.tolist())
    reference, others = math.exp(-top), np.exp(logits - top)
    total = reference + others.sum()
    return reference / total, others / total


def _hessian_factor(p0, p):
    """Return F with F F' = diag(p) - p p' where p sums to 1 - p0.

    With s = sqrt(p) it is F = diag(s) (I - s s' / (1 + sqrt(p0))), which does not divide by anything small.
    """
    s = np.sqrt(p)
    factor = np.multiply.outer(p, s)
    factor *= -1 / (1 + math.sqrt(p0))
    factor.flat[:: len(p) + 1] += s
    return factor


def reward_gradient(p, gains):
    """Return the gradient of the expected reward r'p in the logits, (diag(p) - p p') r, row by row.

    Parameters
    ----------
    p : array of shape (n, K + 1)
        Probabilities, the reference first.
    gains : array of shape (K,)
        Reward of each outcome above the reference's.

    Returns
    -------
    gradient : array of shape (n, K)
    """
    return p[:, 1:] * (gains - (p[:, 1:] @ gains)[:, None])
