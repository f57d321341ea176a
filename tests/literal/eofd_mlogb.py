"""EOFD-MLogB, plainly from Algorithms 1 and 2 of the paper: two SVDs a round, one action at a time."""

import numpy as np
from scipy.optimize import brentq

from tests.literal import formulas
from tests.literal.formulas import grad_sigma, one_hot, sigma


class LiteralEOFDMLogB:
    """One learner; `rewards` are r_1..r_K, the reference outcome 0 having reward 0.

    `beta` is None for (36) or a constant; `clip_sum` replaces (36)'s last line by min(it, 0).
    """

    def __init__(
        self,
        n_features,
        rewards,
        *,
        sketch_size,
        reg_lambda,
        eta,
        norm_bound=1.0,
        context_bound=1.0,
        delta=0.05,
        beta=None,
        exploration=1.0,
        clip_sum=False,
    ):
        self.d, self.r = n_features, np.asarray(rewards, dtype=float)
        self.K = len(self.r)
        self.m = min(sketch_size, self.K * self.d)
        self.lam, self.eta = reg_lambda, eta
        self.S, self.D, self.delta = norm_bound, context_bound, delta
        self.beta, self.exploration, self.clip_sum = beta, exploration, clip_sum
        self.W = np.zeros((self.K, self.d))
        self.V = np.eye(self.K * self.d)[:, : self.m]
        self.Lambda = np.zeros(self.m)
        self.rho = 0.0
        self.t = 0
        self.step_sum = 0.0
        self.n_projections = 0

    @property
    def Z(self):
        """(11), dense."""
        return self.lam * np.eye(self.K * self.d) + (self.V * self.Lambda) @ self.V.T

    def radius(self):
        """The factor `exploration` times beta_{t+1}, at least 0."""
        beta = self.beta
        if beta is None:
            step_sum = min(self.step_sum, 0.0) if self.clip_sum else self.step_sum
            beta = formulas.radius(
                self.t,
                K=self.K,
                d=self.d,
                m=self.m,
                rho=self.rho,
                lam=self.lam,
                eta=self.eta,
                S=self.S,
                D=self.D,
                delta=self.delta,
                step_sum=step_sum,
            )
        return self.exploration * max(beta, 0.0)

    def inverse_norm(self, v):
        """||v|| in Z^-1 by the Woodbury form under (16)."""
        shrunk = self.Lambda / (self.lam + self.Lambda)
        return np.sqrt((v @ v - shrunk @ (self.V.T @ v) ** 2) / self.lam)

    def A(self, x):
        """(18)."""
        u = self.V.T.reshape(self.m, self.K, self.d) @ x
        weight = 1 / (self.Lambda + self.lam) - 1 / self.lam
        return np.einsum("k,ki,kj->ij", weight, u, u) + x @ x / self.lam * np.eye(self.K)

    def score(self, x):
        """(16)'s right-hand side for K = 1, (19) otherwise."""
        beta = self.radius()
        if self.K == 1:
            return (self.W @ x).item() + np.sqrt(beta) * self.inverse_norm(x)
        z = self.W @ x
        first = self.inverse_norm(np.kron(grad_sigma(z) @ self.r, x))
        second = np.linalg.norm(self.A(x), 2)
        return self.r @ sigma(z) + np.sqrt(beta) * first + np.abs(self.r).sum() / 2 * beta * second

    def scores(self, actions):
        """Score one action at a time."""
        return np.array([self.score(x) for x in actions])

    def select(self, actions):
        """Algorithm 2, lines 3 to 7."""
        return int(np.argmax(self.scores(actions)))

    def _appended_svd(self, grad, scale, x):
        """Singular values and right vectors of [V Lambda^(1/2), P (scale D)^(1/2) (x) x]', (14) and (21)."""
        D, P = np.linalg.eigh(grad)
        B = np.kron(P * np.sqrt(scale * np.maximum(D, 0)), x[:, None])
        _, s, Vt = np.linalg.svd(np.hstack([self.V * np.sqrt(self.Lambda), B]).T, full_matrices=False)
        return s, Vt.T

    def _project(self, W_prime, V, Lambda):
        """Lemma 2: the root of (24) by Brent's method, then (23)."""
        coefficients = (V.T @ W_prime) ** 2
        rest = max(W_prime @ W_prime - coefficients.sum(), 0.0)

        def excess(nu):
            inside = coefficients * ((Lambda + self.lam) / (Lambda + self.lam + nu)) ** 2
            return np.sqrt(rest * (self.lam / (self.lam + nu)) ** 2 + inside.sum()) / self.S - 1

        # ||W(nu)|| <= ||W'|| (mu_1 + lambda) / (mu_1 + lambda + nu): the root lies below this bound.
        upper = (Lambda.max(initial=0.0) + self.lam) * np.linalg.norm(W_prime) / self.S * (1 + 1e-9)
        if excess(0.0) <= 0:  # outside the ball by rounding alone
            return W_prime
        nu = brentq(excess, 0.0, upper, xtol=1e-300, rtol=4 * np.finfo(float).eps, maxiter=1000)
        shrunk = Lambda / (self.lam + nu + Lambda)
        return self.lam / (self.lam + nu) * W_prime + nu / (self.lam + nu) * (V @ (shrunk * (V.T @ W_prime)))

    def update(self, x, outcome):
        """Algorithm 2, lines 9 to 15, for the action x played and its outcome in 0..K."""
        W = self.W.ravel()
        grad = grad_sigma(self.W @ x)
        s, V = self._appended_svd(grad, self.eta, x)
        Lambda = s**2
        gradient = np.kron(sigma(self.W @ x) - one_hot(outcome, self.K), x)
        shrunk = Lambda / (self.lam + Lambda)
        W_new = W - self.eta / self.lam * (gradient - V @ (shrunk * (V.T @ gradient)))
        if np.linalg.norm(W_new) > self.S:
            W_new = self._project(W_new, V, Lambda)
            self.n_projections += 1
        step = W_new - W
        Z_norm_squared = self.lam * step @ step + self.Lambda @ (self.V.T @ step) ** 2
        self.W = W_new.reshape(self.K, self.d)
        self.step_sum += formulas.radius_step(
            step.reshape(self.K, self.d),
            x,
            Z_norm_squared,
            K=self.K,
            d=self.d,
            lam=self.lam,
            eta=self.eta,
            S=self.S,
        )
        self._sketch(grad_sigma(self.W @ x), x)
        self.t += 1

    def _sketch(self, grad, x):
        """Algorithm 1; where m = Kd there is no (m+1)-th singular value and nothing is dropped."""
        s, V = self._appended_svd(grad, 1.0, x)
        dropped = s[self.m] ** 2 if len(s) > self.m else 0.0
        self.Lambda = np.maximum(s[: self.m] ** 2 - dropped, 0.0)  # below 0 by rounding alone
        self.V = V[:, : self.m]
        self.rho += dropped
