"""Optimistic rewards: what a policy maximises, from its estimate and its uncertainty."""

import numpy as np

from .outcome_model import probabilities, reward_gradient


def optimistic_rewards(logits, norms, gains, beta):
    """Return the optimistic reward of each action: equation (16) for K = 1, else (19).

    Parameters
    ----------
    logits : array of shape (n, K)
        W x of each action.
    norms : array of shape (n, K, K)
        A(x) = (I (x) x)' Z^-1 (I (x) x) of each action, equation (18).
    gains : array of shape (K,)
        Reward of each outcome above the reference's.
    beta : float
        Radius of the confidence set.

    Returns
    -------
    rewards : array of shape (n,)
        The optimistic logit for K = 1, the optimistic reward above the reference's otherwise.
    """
    if len(gains) == 1:
        return logits[:, 0] + np.sqrt(beta * np.maximum(norms[:, 0, 0], 0))
    p = probabilities(logits)
    expected = p[:, 1:] @ gains
    if beta == 0:
        return expected
    h = reward_gradient(p, gains)
    first = np.matmul(h[:, None, :], np.matmul(norms, h[:, :, None]))[:, 0, 0]
    second = largest_eigenvalues(norms)
    return expected + np.sqrt(beta * np.maximum(first, 0)) + (0.5 * gains.sum() * beta) * second


def largest_eigenvalues(matrices):
    """Return the largest eigenvalue of each symmetric positive semidefinite matrix of a stack (n, K, K)."""
    n_rows = matrices.shape[-1]
    if n_rows == 1:
        return matrices[:, 0, 0]
    if n_rows == 2:
        a, b, c = matrices[:, 0, 0], matrices[:, 0, 1], matrices[:, 1, 1]
        return (a + c) / 2 + np.hypot((a - c) / 2, b)
    return np.maximum(np.linalg.eigvalsh(matrices)[:, -1], 0)
