"""Confidence radii, one function for each that is published."""

import math


def eofd_radius(hyperparameters, *, n_rounds, size, error, moved, travelled, clip_sum=False):
    """Return beta_{t+1}(delta) of equation (36), after t rounds.

    Its Delta^{lambda/2} is 1 + 2 rho_{1:t}/lambda, as Lemmas 6 and 13 give it. With ``size = K d`` and
    ``error = 0`` it is the radius of OFUL-MLogB.

    Parameters
    ----------
    hyperparameters : Hyperparameters
        K, d, lambda, eta, S, D, delta and L.
    n_rounds : int
        t, the rounds learnt from.
    size : int
        m of Lemma 6: a bound on the rank of the sketch.
    error : float
        rho_{1:t}.
    moved : float
        Sum over the rounds s of ||(W_{s+1} - W_s) x_s||^2.
    travelled : float
        Sum over the rounds s of ||W_{s+1} - W_s||^2 in the norm of Z_s.
    clip_sum : bool, default=False
        Take at most 0 of (36)'s last line, the sum that depends on the data. Theorem 1's lambda and eta make
        it negative; with others it grows like t and means nothing.

    Returns
    -------
    beta : float
        At least 0.

    Examples
    --------
    >>> from skmlogb.bandit.hyperparameters import Hyperparameters
    >>> from skmlogb.bandit.radius import eofd_radius
    >>> setting = Hyperparameters(1, 2, 100.0, 2.0, 1.0, 1.0, 0.05)
    >>> round(eofd_radius(setting, n_rounds=0, size=2, error=0.0, moved=0.0, travelled=0.0), 3)
    273.773
    """
    h, t, Kd = hyperparameters, n_rounds, hyperparameters.n_outcomes * hyperparameters.n_features
    log_outcomes = math.log(h.n_outcomes + 1)
    beta = h.reg_lambda * h.norm_bound * h.norm_bound
    beta += (
        2
        * h.eta
        * (h.context_bound * h.norm_bound + log_outcomes + 2 * math.log((h.n_outcomes + 1) * t + 2))
        * (5 / 4 + 4 * math.log(math.sqrt(1 + 2 * t) / h.delta))
    )
    beta += 2 * h.eta * (2 + log_outcomes)
    log_determinant = Kd * math.log1p(2 * error / h.reg_lambda)
    log_determinant += size * math.log1p(2 * h.context_bound * h.context_bound * t / (size * h.reg_lambda))
    beta += math.sqrt(6) * h.eta / (12 * Kd) * h.reg_lambda * (1 + error / h.reg_lambda) * log_determinant
    data_sum = 2 * math.sqrt(6) * h.eta * h.smoothness * h.norm_bound * moved
    data_sum += (24 * h.eta * Kd / h.reg_lambda - 1) * travelled
    return max(beta + (min(data_sum, 0.0) if clip_sum else data_sum), 0.0)
