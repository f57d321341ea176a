"""Formulas that both algorithms share, each as the paper prints it."""

import math

import numpy as np


def sigma(z):
    """(1) without its 0-th component, for logits z (K,), shifted by max(0, z) so that nothing overflows."""
    shift = max(0.0, z.max())
    exp_z = np.exp(z - shift)
    return exp_z / (np.exp(-shift) + exp_z.sum())


def grad_sigma(z):
    """(K, K) matrix diag(sigma) - sigma sigma' (Appendix B.1), its diagonal as p_k times the others' sum."""
    shift = max(0.0, z.max())
    exp_z = np.exp(np.append(-shift, z - shift))
    p = exp_z / exp_z.sum()
    grad = -np.outer(p, p)
    for k in range(len(p)):
        grad[k, k] = p[k] * np.delete(p, k).sum()
    return grad[1:, 1:]


def one_hot(outcome, n_classes):
    """The vector y_t of Appendix B.1: outcome 0 is the reference, 1..K the others."""
    return (np.arange(1, n_classes + 1) == outcome).astype(float)


def smoothness(n_classes):
    """L of Assumption 2: 1/4 for the logistic function, 1/2 for the multinomial one."""
    return 0.25 if n_classes == 1 else 0.5


def theory_eta(n_classes, norm_bound, context_bound):
    """eta = alpha / 2 of Theorem 1."""
    return (2 * (1 + norm_bound * context_bound) + math.log(n_classes + 1)) / 2


def theory_lambda(n_classes, n_features, norm_bound, context_bound):
    """The least lambda that Theorem 1 allows."""
    alpha = 2 * theory_eta(n_classes, norm_bound, context_bound)
    L, S, D = smoothness(n_classes), norm_bound, context_bound
    return max(2 * L * D**2, alpha * max(2 * math.sqrt(6) * S * L * D**2, 24 * n_classes * n_features))


def paper_lambda_eta(n_classes, n_features, norm_bound, context_bound, power=0.75):
    """(lambda, eta) of section 4 for l = e = power."""
    alpha = 2 * theory_eta(n_classes, norm_bound, context_bound)
    growth = (math.sqrt(n_classes) * n_features) ** power
    lambda_0 = math.sqrt(n_classes) * alpha * norm_bound
    eta_0 = norm_bound / 2 + math.log(n_classes + 1) / 4
    return growth * lambda_0, growth * eta_0


def radius(t, *, K, d, m, rho, lam, eta, S, D, delta, step_sum):
    """beta_{t+1} of (36), with W_1 = 0; t = 0 is beta_1.

    Delta_t^{lambda/2} is 1 + 2 rho_{1:t} / lambda; `step_sum` is (36)'s last line up to round t.
    """
    log_outcomes = math.log(K + 1)
    factor = 1 + rho / lam
    return (
        lam * S**2
        + 2
        * eta
        * (D * S + log_outcomes + 2 * math.log((K + 1) * t + 2))
        * (5 / 4 + 4 * math.log(math.sqrt(1 + 2 * t) / delta))
        + 2 * eta * (2 + log_outcomes)
        + math.sqrt(6)
        * eta
        / (12 * K * d)
        * lam
        * factor
        * (K * d * math.log(1 + 2 * rho / lam) + m * math.log(1 + 2 * D**2 * t / (m * lam)))
        + step_sum
    )


def radius_step(step, x, Z_norm_squared, *, K, d, lam, eta, S):
    """One round's term of (36)'s last line; `step` is W_{s+1} - W_s (K, d), measured in Z_s too."""
    curved = 2 * math.sqrt(6) * eta * smoothness(K) * S * np.sum((step @ x) ** 2)
    return curved + (24 * eta * K * d / lam - 1) * Z_norm_squared
