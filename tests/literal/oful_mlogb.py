"""OFUL-MLogB, written plainly from equations (3) to (10): a dense Hessian, decomposed in full every round."""

import numpy as np
from scipy.optimize import brentq

from tests.literal import formulas
from tests.literal.formulas import grad_sigma, one_hot, sigma


class LiteralOFULMLogB:
    """One learner; arguments as those of the literal EOFD-MLogB, without a sketch."""

    def __init__(
        self,
        n_features,
        rewards,
        *,
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
        self.lam, self.eta = reg_lambda, eta
        self.S, self.D, self.delta = norm_bound, context_bound, delta
        self.beta, self.exploration, self.clip_sum = beta, exploration, clip_sum
        self.W = np.zeros((self.K, self.d))
        self.H = self.lam * np.eye(self.K * self.d)
        self.t = 0
        self.step_sum = 0.0
        self.n_projections = 0

    def radius(self):
        """(36) with m = Kd and rho = 0, times `exploration`, at least 0."""
        beta = self.beta
        if beta is None:
            step_sum = min(self.step_sum, 0.0) if self.clip_sum else self.step_sum
            beta = formulas.radius(
                self.t,
                K=self.K,
                d=self.d,
                m=self.K * self.d,
                rho=0.0,
                lam=self.lam,
                eta=self.eta,
                S=self.S,
                D=self.D,
                delta=self.delta,
                step_sum=step_sum,
            )
        return self.exploration * max(beta, 0.0)

    def scores(self, actions):
        """(16) for K = 1, (5) with (10) otherwise; H^(-1/2) once a round, then one action at a time."""
        beta = self.radius()
        values, vectors = np.linalg.eigh(self.H)
        root = (vectors / np.sqrt(values)) @ vectors.T
        scores = np.empty(len(actions))
        for i, x in enumerate(actions):
            z = self.W @ x
            if self.K == 1:
                scores[i] = z.item() + np.sqrt(beta) * np.linalg.norm(root @ x)
                continue
            first = np.linalg.norm(root @ np.kron(grad_sigma(z) @ self.r, x))
            second = np.linalg.norm(root @ np.kron(np.eye(self.K), x[:, None]), 2) ** 2
            scores[i] = self.r @ sigma(z) + np.sqrt(beta) * first + np.abs(self.r).sum() / 2 * beta * second
        return scores

    def select(self, actions):
        """(4)."""
        return int(np.argmax(self.scores(actions)))

    def update(self, x, outcome):
        """(8), then (9) by an eigendecomposition of H~; then the Hessian at the new parameter."""
        W = self.W.ravel()
        H_tilde = self.H + self.eta * np.kron(grad_sigma(self.W @ x), np.outer(x, x))
        gradient = np.kron(sigma(self.W @ x) - one_hot(outcome, self.K), x)
        W_new = W - self.eta * np.linalg.solve(H_tilde, gradient)
        if np.linalg.norm(W_new) > self.S:
            W_new = self._project(W_new, H_tilde)
            self.n_projections += 1
        step = W_new - W
        self.W = W_new.reshape(self.K, self.d)
        self.step_sum += formulas.radius_step(
            step.reshape(self.K, self.d),
            x,
            step @ self.H @ step,
            K=self.K,
            d=self.d,
            lam=self.lam,
            eta=self.eta,
            S=self.S,
        )
        self.H = self.H + np.kron(grad_sigma(self.W @ x), np.outer(x, x))
        self.t += 1

    def _project(self, W_prime, H_tilde):
        """W(nu) = (H~ + nu I)^-1 H~ W' with ||W(nu)|| = S: the conditions (41) to (44)."""
        values, vectors = np.linalg.eigh(H_tilde)
        coefficients = vectors.T @ W_prime

        def excess(nu):
            return np.linalg.norm(values / (values + nu) * coefficients) / self.S - 1

        upper = values.max() * np.linalg.norm(W_prime) / self.S * (1 + 1e-9)
        if excess(0.0) <= 0:  # outside the ball by rounding alone
            return W_prime
        nu = brentq(excess, 0.0, upper, xtol=1e-300, rtol=4 * np.finfo(float).eps, maxiter=1000)
        return vectors @ (values / (values + nu) * coefficients)
