"""Both algorithms in 60 digits: the dense form of the same steps, for inputs where doubles cancel."""

import mpmath as mp
import numpy as np

DIGITS = 60


def _matrix(array):
    """Return an mpmath matrix of a 2-d array."""
    return mp.matrix(np.atleast_2d(np.asarray(array, dtype=float)).tolist())


def _to_numpy(matrix):
    return np.array(matrix.tolist(), dtype=float)


class ExactMLogB:
    """One learner with Z_t kept as a dense matrix; `sketch_size` None is OFUL-MLogB (Z = H, rho = 0)."""

    def __init__(self, n_features, rewards, *, reg_lambda, eta, sketch_size=None, norm_bound=1.0, beta=1.0):
        self.d, self.K, self.m = n_features, len(rewards), sketch_size
        self.eta, self.S, self.beta = mp.mpf(eta), mp.mpf(norm_bound), mp.mpf(beta)
        self.r = _matrix([rewards]).T
        self.lam = mp.mpf(reg_lambda)
        self._W = mp.zeros(self.K * self.d, 1)
        self._M = mp.zeros(self.K * self.d)
        self.rho = mp.mpf(0)
        self.n_projections = 0

    @property
    def W(self):
        """The estimate (K, d), rounded to doubles."""
        return _to_numpy(self._W).reshape(self.K, self.d)

    @property
    def Z(self):
        """The sketched Hessian, rounded to doubles."""
        return _to_numpy(self._M + self.lam * mp.eye(self.K * self.d))

    def _action(self, x):
        """I (x) x, of shape (K d, K)."""
        return _matrix(np.kron(np.eye(self.K), np.asarray(x, dtype=float)[:, None]))

    def _sigma(self, X):
        exp_z = [mp.exp(z) for z in X.T * self._W]
        return mp.matrix([e / (1 + mp.fsum(exp_z)) for e in exp_z])

    def _grad(self, p):
        return mp.diag(list(p)) - p * p.T

    def scores(self, actions):
        """(16) for K = 1, (19) otherwise, with Z^-1 formed."""
        with mp.workdps(DIGITS):
            Z_inverse = (self._M + self.lam * mp.eye(self.K * self.d)) ** -1
            return np.array([float(self._score(self._action(x), Z_inverse)) for x in actions])

    def _score(self, X, Z_inverse):
        A = X.T * Z_inverse * X
        if self.K == 1:
            return (X.T * self._W)[0] + mp.sqrt(self.beta * A[0])
        p = self._sigma(X)
        h = self._grad(p) * self.r
        first = mp.sqrt((h.T * A * h)[0])
        second = max(mp.eigsy(A, eigvals_only=True))
        return (self.r.T * p)[0] + mp.sqrt(self.beta) * first + mp.norm(self.r, 1) / 2 * self.beta * second

    def update(self, x, outcome):
        """(8), (9), then the Hessian at the new parameter and, with a sketch, the FD step of Algorithm 1."""
        with mp.workdps(DIGITS):
            X, eye = self._action(x), mp.eye(self.K * self.d)
            p = self._sigma(X)
            Z_tilde = self._M + self.lam * eye + self.eta * X * self._grad(p) * X.T
            gradient = X * (p - mp.matrix([int(k == outcome) for k in range(1, self.K + 1)]))
            W_new = self._W - self.eta * mp.lu_solve(Z_tilde, gradient)
            if mp.norm(W_new) > self.S:
                W_new = self._project(W_new, Z_tilde)
                self.n_projections += 1
            self._W = W_new
            self._M = self._M + X * self._grad(self._sigma(X)) * X.T
            if self.m is not None and self.m < self.K * self.d:
                self._sketch()

    def _project(self, W_prime, Z_tilde):
        """Bisect (24) until the interval is negligible."""
        values, vectors = mp.eigsy(Z_tilde)
        coefficients = vectors.T * W_prime

        def at(nu):
            return mp.matrix([v / (v + nu) * c for v, c in zip(values, coefficients)])

        low, high = mp.mpf(0), max(values) * mp.norm(W_prime) / self.S
        while high - low > high * mp.mpf(10) ** (10 - DIGITS):
            middle = (low + high) / 2
            low, high = (middle, high) if mp.norm(at(middle)) > self.S else (low, middle)
        return vectors * at(high)

    def _sketch(self):
        values, vectors = mp.eigsy(self._M)  # ascending
        dropped = max(values[len(values) - self.m - 1], mp.mpf(0))
        kept = [max(v - dropped, mp.mpf(0)) for v in values]
        self._M = vectors * mp.diag(kept) * vectors.T
        self.rho += dropped
