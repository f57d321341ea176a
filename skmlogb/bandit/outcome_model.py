"""Multinomial logistic outcomes with a reference outcome, equation (1): stable in both tails.

Logits have one entry for each of the K outcomes other than the reference; probabilities have K + 1, the
reference first, so that outcome 0 is the reference as in the paper.
"""

import numpy as np


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


def gradient(p, outcome):
    """Return the gradient of the loss -ln p_y in the logits: p - e_y without the reference's entry.

    Parameters
    ----------
    p : array of shape (K + 1,)
        Probabilities, the reference first.
    outcome : int
        The outcome y in 0..K, 0 the reference.

    Returns
    -------
    gradient : array of shape (K,)
    """
    result = p[1:].copy()
    if outcome:
        result[outcome - 1] -= 1
    return result


def hessian_factor(p):
    """Return the lower triangular F with F F' = diag(p) - p p', the Hessian of the loss in the logits.

    With the tails q_k = p_0 + p_{k+1} + ... + p_K, F has the diagonal ``sqrt(p_k q_k / q_{k-1})`` and below
    it ``-p_j sqrt(p_k / (q_k q_{k-1}))``: sums of positive numbers only, so that even a vanishing
    probability keeps its relative accuracy, where p_k - p_k^2 would cancel.

    Parameters
    ----------
    p : array of shape (K + 1,)
        Probabilities, the reference first.

    Returns
    -------
    factor : array of shape (K, K)

    Examples
    --------
    >>> import numpy as np
    >>> from skmlogb.bandit.outcome_model import hessian_factor
    >>> F = hessian_factor(np.array([0.5, 0.25, 0.25]))
    >>> F @ F.T
    array([[ 0.1875, -0.0625],
           [-0.0625,  0.1875]])
    """
    if len(p) == 2:
        return np.sqrt(p[:1] * p[1:])[:, None]
    tails = np.cumsum(np.concatenate([p[:1], p[:0:-1]]))[::-1]  # q_0 = 1, ..., q_K = p_0
    # A tail of 0 has nothing but zeros in its column: any divisor will do.
    roots = np.sqrt(np.maximum(tails, np.finfo(float).tiny))
    column = np.sqrt(p[1:]) / roots[:-1] / roots[1:]
    factor = np.tril(np.multiply.outer(-p[1:], column), -1)
    np.fill_diagonal(factor, column * tails[1:])
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
