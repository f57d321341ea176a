"""Risk along the trajectory of proximal SGD, written plainly from Tan and Bellec (2024) with dense matrices.

Every matrix of the paper is formed as printed, Kronecker blocks and all: slow, and only for small problems.
A problem has T iterates b^1..b^T made by T - 1 updates. The paper also carries a T-th batch, which no
iterate has used yet and which only K~ (26) reads, in its last row; it is the last entry of `batches` when
T are given. Otherwise S_T is the mean over random batches of the size of the one before.
"""

from dataclasses import dataclass

import numpy as np


# Losses: rho' and rho'' of residuals, for the loss whose quadratic zone ends at `epsilon`.
def huber_psi(r, epsilon):
    return np.clip(r, -epsilon, epsilon)


def huber_slope(r, epsilon):
    return (np.abs(r) <= epsilon).astype(float)


def pseudo_huber_psi(r, epsilon):
    return r / np.sqrt(1 + (r / epsilon) ** 2)


def pseudo_huber_slope(r, epsilon):
    return (1 + (r / epsilon) ** 2) ** -1.5


# Penalties: prox of step * g at v, and the Jacobian of the prox there as a dense matrix.
def no_prox(v, step):
    return v


def no_jacobian(v, step):
    return np.eye(v.size)


def elastic_net_prox(v, step, alpha, l1_ratio):
    soft = np.sign(v) * np.maximum(np.abs(v) - step * alpha * l1_ratio, 0)
    return soft / (1 + step * alpha * (1 - l1_ratio))


def elastic_net_jacobian(v, step, alpha, l1_ratio):
    threshold = step * alpha * l1_ratio
    moves = (np.abs(v) > threshold) | (threshold == 0)  # ridge has no kink at 0
    return np.diag(moves / (1 + step * alpha * (1 - l1_ratio)))


def group_prox(v, step, alpha, groups):
    out = np.zeros(v.size)
    for label in np.unique(groups):
        inside = np.flatnonzero(groups == label)
        norm = np.linalg.norm(v[inside])
        threshold = step * alpha * np.sqrt(inside.size)
        if norm > threshold:
            out[inside] = (1 - threshold / norm) * v[inside]
    return out


def group_jacobian(v, step, alpha, groups):
    out = np.zeros((v.size, v.size))
    for label in np.unique(groups):
        inside = np.flatnonzero(groups == label)
        norm = np.linalg.norm(v[inside])
        threshold = step * alpha * np.sqrt(inside.size)
        if norm > threshold:
            block = (1 - threshold / norm) * np.eye(inside.size)
            out[np.ix_(inside, inside)] = block + threshold * np.outer(v[inside], v[inside]) / norm**3
    return out


def mcp_prox(v, step, alpha, gamma):
    out = v.copy()
    for j, x in enumerate(v):
        if abs(x) <= gamma * alpha:
            out[j] = np.sign(x) * max(abs(x) - step * alpha, 0) / (1 - step / gamma)
    return out


def mcp_jacobian(v, step, alpha, gamma):
    slope = np.ones(v.size)
    for j, x in enumerate(v):
        if abs(x) <= gamma * alpha:
            slope[j] = (abs(x) > step * alpha) / (1 - step / gamma)
    return np.diag(slope)


def scad_prox(v, step, alpha, gamma):
    out = v.copy()
    for j, x in enumerate(v):
        if abs(x) <= alpha * (1 + step):
            out[j] = np.sign(x) * max(abs(x) - step * alpha, 0)
        elif abs(x) <= gamma * alpha:
            out[j] = ((gamma - 1) * x - np.sign(x) * step * gamma * alpha) / (gamma - 1 - step)
    return out


def scad_jacobian(v, step, alpha, gamma):
    slope = np.ones(v.size)
    for j, x in enumerate(v):
        if abs(x) <= alpha * (1 + step):
            slope[j] = abs(x) > step * alpha
        elif abs(x) <= gamma * alpha:
            slope[j] = (gamma - 1) / (gamma - 1 - step)
    return np.diag(slope)


@dataclass
class LiteralTrajectory:
    """Iterates of (4) on a dense X with all that (8) to (27) are made of.

    Attributes
    ----------
    X, y : the data, (n, p) and (n,).
    coefs : (T, p), b^1..b^T.
    scaled_steps : (T,), eta_t / |I_t| (weights summed instead of rows counted, if there are weights).
    S : (T, n, n) diagonal, the batches (times the weights).
    D : (T, n, n) diagonal, psi' of the residuals.
    prox_slopes : (T, p, p), the Jacobians D~_t of the prox at its argument.
    R, F : (n, T), residuals and S_t psi(residuals), (13) and (14).
    """

    X: np.ndarray
    y: np.ndarray
    coefs: np.ndarray
    scaled_steps: np.ndarray
    S: np.ndarray
    D: np.ndarray
    prox_slopes: np.ndarray
    R: np.ndarray
    F: np.ndarray


def run(X, y, *, psi, slope, prox, jacobian, step_sizes, batches=None, start=None, weights=None):
    """Run the recursion (4), keeping every matrix of section 3.2.

    `psi` and `slope` are functions of residuals, `prox` and `jacobian` of (v, step). `step_sizes` are the
    T - 1 eta_t, `batches` T - 1 or T arrays of row numbers. With `weights` v, S_t is S_t diag(v) and |I_t|
    the sum of v over I_t.
    """
    n, p = X.shape
    T = len(step_sizes) + 1
    rows = [np.arange(n)] * T if batches is None else [*batches, np.arange(n)][:T]
    v = np.ones(n) if weights is None else weights
    coefs = np.zeros((T, p))
    coefs[0] = 0 if start is None else start
    S, D, prox_slopes = np.zeros((T, n, n)), np.zeros((T, n, n)), np.zeros((T, p, p))
    R, F, scaled_steps = np.zeros((n, T)), np.zeros((n, T)), np.zeros(T)
    for t in range(T):
        R[:, t] = y - X @ coefs[t]
        D[t] = np.diag(slope(R[:, t]))
        S[t][rows[t], rows[t]] = v[rows[t]]
        F[:, t] = S[t] @ psi(R[:, t])
        if t == T - 1 and batches is not None and 0 < len(batches) < T:
            S[t] *= v[rows[t - 1]].sum() / v.sum()
        step = step_sizes[t] if t < T - 1 else 0.0
        size = v[rows[t]].sum()
        step = step if size > 0 else 0.0  # no rows, no step
        scaled_steps[t] = step / size if size > 0 else 0.0
        argument = coefs[t] + scaled_steps[t] * X.T @ F[:, t]
        prox_slopes[t] = jacobian(argument, step)
        if t < T - 1:
            coefs[t + 1] = prox(argument, step)
    return LiteralTrajectory(X, y, coefs, scaled_steps, S, D, prox_slopes, R, F)


def block_diagonal(blocks):
    """Return sum_t (e_t e_t') (x) blocks[t], as (T, m, m) -> (T m, T m)."""
    T = len(blocks)
    return sum(np.kron(np.outer(np.eye(T)[t], np.eye(T)[t]), blocks[t]) for t in range(T))


def gamma(run):
    """Return Gamma = M^-1 L (Lambda (x) I_p) D~, (T p, T p)."""
    T, p = run.coefs.shape
    M = np.eye(T * p)
    L = np.zeros((T * p, T * p))
    for t in range(T - 1):
        hessian = run.scaled_steps[t] * run.X.T @ run.S[t] @ run.D[t] @ run.X
        P = run.prox_slopes[t] @ (np.eye(p) - hessian)
        below = slice((t + 1) * p, (t + 2) * p), slice(t * p, (t + 1) * p)
        M[below] = -P
        L[below] = np.eye(p)
    Lambda = np.kron(np.diag(run.scaled_steps), np.eye(p))
    return np.linalg.solve(M, L @ Lambda @ block_diagonal(run.prox_slopes))


def block_traces(matrix, T):
    """Return the (T, T) traces of the square blocks: sum_i (I (x) e_i') matrix (I (x) e_i)."""
    m = matrix.shape[0] // T
    return np.einsum("tisi->ts", matrix.reshape(T, m, T, m))


def weights_known_covariance(run, covariance=None):
    """Return W of (8); `covariance` is Sigma, the identity if None."""
    T, p = run.coefs.shape
    sigma = np.eye(p) if covariance is None else covariance
    # Tr[Sigma^(1/2) Gamma_ts Sigma^(1/2)] is Tr[Sigma Gamma_ts]: no root needed.
    return block_traces(np.kron(np.eye(T), sigma) @ gamma(run), T)


def matrices_out_of_batch(run, weights=None):
    """Return A^ of (9) and K^ of (10), each (T, T).

    Rows of weight 0 are no rows of the data: they leave D_t, the left factor of both.
    """
    T = len(run.coefs)
    present = np.ones(len(run.y)) if weights is None else (weights > 0).astype(float)
    left = block_diagonal(run.D * present)
    X_all = np.kron(np.eye(T), run.X)
    middle = left @ X_all @ gamma(run) @ X_all.T
    A = block_traces(middle, T)
    K = np.diag([np.trace(D * present) for D in run.D])
    return A, K - block_traces(middle @ block_diagonal(run.S) @ block_diagonal(run.D), T)


def matrices_in_batch(run):
    """Return A~ of (23) and K~ of (26), each (T, T)."""
    T = len(run.coefs)
    SD = block_diagonal(run.S) @ block_diagonal(run.D)
    X_all = np.kron(np.eye(T), run.X)
    middle = X_all @ gamma(run) @ X_all.T @ SD
    K = np.diag([np.trace(S @ D) for S, D in zip(run.S, run.D, strict=True)])
    return block_traces(middle, T), K - block_traces(SD @ middle, T)


def risk_from_weights(run, W, weights=None):
    """Return || R_t + sum_s W_ts F_s ||^2 / n for every t, (11), over the n rows of positive weight."""
    present = np.ones(len(run.y), bool) if weights is None else weights > 0
    corrected = (run.R + run.F @ W.T)[present]
    return np.sum(corrected**2, axis=0) / present.sum()


def true_risk(coefs, coef, covariance, noise):
    """Return r_t of (11) for known b*, Sigma and noise."""
    H = coefs - coef
    return np.einsum("tp,pq,tq->t", H, covariance, H) + noise @ noise / noise.size


def derivative(run, i, j, coef):
    """Return d b^t / d x_ij by Lemma B.1, (T, p), for y = X coef + noise and Sigma = I."""
    T, p = run.coefs.shape
    n = len(run.y)
    H = (run.coefs - coef).T
    e_i, e_j = np.eye(n)[i], np.eye(p)[j]
    X_all = np.kron(np.eye(T), run.X)
    SD = block_diagonal(run.S) @ block_diagonal(run.D)
    inner = np.kron(run.F.T @ e_i, e_j) - X_all.T @ SD @ np.kron(H.T @ e_j, e_i)
    return (gamma(run) @ inner).reshape(T, p)
