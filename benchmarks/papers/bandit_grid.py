"""The search of section 4 of the bandit paper: lambda and eta as powers of sqrt(K) d."""

from itertools import product

import numpy as np
from joblib import Parallel, delayed
from threadpoolctl import threadpool_limits

from benchmarks.papers.bandit_runs import describe, play
from benchmarks.papers.bandit_settings import BUFFERED, NORMS, OFUL, RADII, SETTINGS
from skmlogb.bandit import UniformPolicy
from skmlogb.simulation import MLogBEnvironment

EXPONENTS = (-0.5, -0.25, 0.0, 0.25, 0.5, 0.75, 1.0)


def grid_panel(panel, *, n_rounds, n_trials, exponents, n_jobs):
    """Return regret and distance from W* for each (l, e), norm bound, radius and policy, by trial.

    Regret is in units of the regret of uniform play on the same rounds; distance is ||W_t - W*|| / ||W*||
    after half of the rounds and after all, 1 at the start, where W is 0.
    """
    setting = SETTINGS[panel]
    cells = list(product(NORMS, RADII, exponents, exponents, range(n_trials)))
    played = Parallel(n_jobs=n_jobs)(delayed(_cell)(panel, *cell, n_rounds) for cell in cells)
    by_cell = {}
    for (norm, radius, l, e, _), rows in zip(cells, played):
        for name, measured in rows.items():
            by_cell.setdefault((norm, radius, name, l, e), []).append(measured)
    table = []
    for (norm, radius, name, l, e), trials in by_cell.items():
        regret, halfway, distance, factor = np.mean(trials, axis=0)
        table.append(
            {
                "norm_bound": norm,
                "radius": radius,
                "policy": name,
                "l": l,
                "e": e,
                "regret": regret,
                "distance_halfway": halfway,
                "distance": distance,
                "sketch_factor": factor,
            }
        )
    return {
        "panel": panel,
        "title": setting.title,
        "n_rounds": n_rounds,
        "n_trials": n_trials,
        "exponents": list(exponents),
        "settings": [describe(setting, norm, n_rounds) for norm in NORMS],
        "table": table,
    }


def _cell(panel, norm, radius, l, e, trial, n_rounds):
    """Return the measurements of both policies in one trial."""
    setting = SETTINGS[panel]
    W = np.random.default_rng([trial, 0]).standard_normal((setting.n_outcomes, setting.n_features))
    W *= norm / np.linalg.norm(W)
    reg_lambda, eta = setting.lambda_and_eta(norm, l, e)
    policies = setting.policies(norm, radius, n_rounds, reg_lambda=reg_lambda, eta=eta, random_state=trial)
    environment = MLogBEnvironment(
        n_features=setting.n_features,
        n_outcomes=len(setting.rewards),
        n_actions=(10, 30),
        rewards=setting.rewards,
        coef=W,
    )
    played = (environment, setting.rewards, n_rounds, trial)
    with threadpool_limits(limits=1):
        uniform = UniformPolicy(rewards=setting.rewards, random_state=trial)
        chance = sum(regret for regret, _ in play(uniform, *played))
        return {name: _measure(policies[name], W, chance, *played) for name in (OFUL, BUFFERED)}


def _measure(policy, W, chance, environment, rewards, n_rounds, trial):
    """Return regret over `chance`, distances halfway and at the end, and the sketching factor."""
    total, distances = 0.0, []
    for t, (regret, _) in enumerate(play(policy, environment, rewards, n_rounds, trial), start=1):
        total += regret
        if t in (n_rounds // 2, n_rounds):
            distances.append(np.linalg.norm(policy.coef_ - W) / np.linalg.norm(W))
    return total / chance, *distances, getattr(policy, "sketch_factor_", 1.0)
