"""Figures 1 and 2 of the bandit paper: cumulative regret, and the time of a round."""

from time import thread_time

import numpy as np
from scipy import stats
from threadpoolctl import threadpool_limits

from benchmarks.papers.bandit_settings import (
    BUFFERED,
    CHOICES,
    EXACT,
    LITERAL_EOFD,
    LITERAL_OFUL,
    NORMS,
    OFUL,
    SETTINGS,
    UNIFORM,
)
from skmlogb.bandit import UniformPolicy
from skmlogb.simulation import run_trials

STRIDE = 10  # rounds between two points of a curve


def describe(setting, norm, n_rounds):
    """Return the numbers of a setting that the paper's symbols stand for."""
    reg_lambda, eta = setting.lambda_and_eta(norm)
    return {
        "d": setting.n_features,
        "K": setting.n_outcomes,
        "m": setting.sketch_size,
        "S": norm,
        "D": setting.context_bound,
        "lambda": reg_lambda,
        "eta": eta,
        "delta": 1 / n_rounds,
        "largest_curvature": setting.largest_curvature(norm, n_rounds),
    }


def regret_panel(panel, *, n_rounds, n_trials, n_jobs):
    """Return curves and final regrets of every policy, for each norm bound and choice of parameters."""
    setting = SETTINGS[panel]
    settings, curves, table = [], [], []
    for norm in NORMS:
        settings.append(describe(setting, norm, n_rounds))
        for choice in CHOICES:
            policies = setting.policies(norm, choice, n_rounds) | {UNIFORM: UniformPolicy()}
            results = run_trials(
                policies,
                setting.environment(norm),
                n_rounds=n_rounds,
                n_trials=n_trials,
                n_jobs=n_jobs,
                random_state=0,
            )
            label = {"norm_bound": norm, "choice": choice}
            curves += [label | curve for curve in _curves(results)]
            table += [label | row for row in _final_regrets(results)]
    return {
        "panel": panel,
        "title": setting.title,
        "n_rounds": n_rounds,
        "n_trials": n_trials,
        "settings": settings,
        "table": table,
        "rounds": list(range(STRIDE, n_rounds + 1, STRIDE)),
        "curves": curves,
    }


def play(policy, environment, rewards, n_rounds, seed):
    """Play `policy`; yield the regret of each round and the processor's seconds for it."""
    luck = np.random.default_rng([seed, 2])
    stream = environment.rounds(np.random.default_rng([seed, 1]))
    for _, (X, probabilities) in zip(range(n_rounds), stream):
        expected = probabilities @ rewards
        start = thread_time()
        choice = policy.select_action(X)
        seconds = thread_time() - start
        outcome = int(np.searchsorted(np.cumsum(probabilities[choice])[:-1], luck.random(), side="right"))
        start = thread_time()
        policy.update(X[choice], outcome)
        yield expected.max() - expected[choice], seconds + thread_time() - start


def _curves(results):
    """Return mean and sample standard deviation over trials, every STRIDE rounds."""
    thinned = results.regret[..., STRIDE - 1 :: STRIDE]
    for name, regret in zip(results.policies, thinned):
        yield {
            "policy": name,
            "mean": regret.mean(axis=0).round(4),
            "std": regret.std(axis=0, ddof=1).round(4),
        }


def _final_regrets(results):
    """Return one row a policy; `over_oful` is the paired difference from OFUL, in units of OFUL's mean."""
    final = results.regret[..., -1]
    oful = final[results.policies.index(OFUL)]
    times = np.median(results.select_time + results.update_time, axis=(1, 2))
    for name, regret, seconds in zip(results.policies, final, times):
        difference = (regret - oful) / oful.mean()
        half = stats.t.ppf(0.975, len(regret) - 1) * difference.std(ddof=1) / np.sqrt(len(regret))
        yield {
            "policy": name,
            "regret": regret.mean(),
            "std": regret.std(ddof=1),
            "worst": regret.max(),
            "over_oful": difference.mean(),
            "over_oful_low": difference.mean() - half,
            "over_oful_high": difference.mean() + half,
            "round_ms": 1e3 * seconds,
        }


def time_panel(panel, *, n_rounds, n_literal_rounds, n_trials, horizon):
    """Return the processor's milliseconds for a round, by policy and trial, under one BLAS thread.

    Ours count from the round where the sketch is full; the literal forms cost the same in every round, so
    that few rounds tell their time. Trial by trial, so that a drift of the machine's speed meets all alike.
    """
    setting, norm = SETTINGS[panel], NORMS[0]
    full = 2 * setting.sketch_size // setting.n_outcomes
    milliseconds = {}
    for trial in range(n_trials):
        ours = setting.policies(norm, "theory", horizon, random_state=trial)
        literal = setting.literal_policies(norm, horizon)
        for policies, rounds, skipped in ((ours, full + n_rounds, full), (literal, n_literal_rounds, 0)):
            for name, policy in policies.items():
                with threadpool_limits(limits=1):
                    played = play(policy, setting.environment(norm), setting.rewards, rounds, trial)
                    each = [1e3 * seconds for _, seconds in played][skipped:]
                milliseconds.setdefault(name, []).append((np.mean(each), np.median(each)))
    table = [
        {
            "policy": name,
            "mean_ms": float(np.mean(values, axis=0)[0]),
            "std_ms": float(np.std(values, axis=0, ddof=1)[0]),
            "median_ms": float(np.median(values, axis=0)[1]),
        }
        for name, values in milliseconds.items()
    ]
    return {
        "panel": panel,
        "title": setting.title,
        "n_rounds": n_rounds,
        "first_round": full + 1,
        "n_literal_rounds": n_literal_rounds,
        "n_trials": n_trials,
        "setting": describe(setting, norm, horizon),
        "table": table,
        "savings": _savings({row["policy"]: row["median_ms"] for row in table}),
    }


def _savings(medians):
    """Return the share of the time that the sketched form saves, like against like."""
    pairs = ((LITERAL_EOFD, LITERAL_OFUL), (EXACT, OFUL), (BUFFERED, OFUL), (BUFFERED, LITERAL_OFUL))
    return [
        {
            "policy": sketched,
            "against": dense,
            "saved": 1 - medians[sketched] / medians[dense],
            "times_faster": medians[dense] / medians[sketched],
        }
        for sketched, dense in pairs
    ]
