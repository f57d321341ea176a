"""Regret out of the box, and the study from which the defaults were chosen.

Parts: "published" (the defaults beside quoted results), "paper" (EOFD against OFUL, paired), "grid"
(exploration x reg_lambda x eta over all settings), "stuck" (the worst of 100 runs).

    python -m benchmarks.bandit_regret_study [--quick] [--part published]
"""

import itertools

import numpy as np
from scipy import stats

from benchmarks.bandit_settings import CATALOGUES, OTHERS, PAPER, PUBLISHED, play
from benchmarks.common import arguments, print_table, write_results
from skmlogb.bandit import EOFDMLogBPolicy, OFULMLogBPolicy, UniformPolicy

EXPLORATIONS = (0.0, 3e-4, 1e-3, 3e-3, 1e-2, 3e-2)
ETAS = (0.6, 1.0, 2.0)


def published(options):
    """The defaults, the theory's radius and greedy play beside results quoted from publications."""
    rows = []
    n_trials = 3 if options.quick else options.trials
    for setting in PUBLISHED:
        S = setting.norm_bound
        policies = {
            "defaults": EOFDMLogBPolicy(norm_bound=S),
            "exploration=1": EOFDMLogBPolicy(norm_bound=S, exploration=1.0),
            "Theorem 1": EOFDMLogBPolicy(
                norm_bound=S, reg_lambda="theory", eta="theory", radius="theory", exploration=1.0
            ),
            "greedy": EOFDMLogBPolicy(norm_bound=S, exploration=0.0),
            "uniform": UniformPolicy(),
        }
        n_rounds = setting.n_rounds // 10 if options.quick else setting.n_rounds
        results = play(setting, policies, n_trials=n_trials, n_rounds=n_rounds, n_jobs=options.jobs)
        for line in results.summary():
            rows.append(
                {
                    "setting": setting.name,
                    "T": n_rounds,
                    "policy": line["policy"],
                    "regret": line["regret_mean"],
                    "sd": line["regret_std"],
                    "worst": line["regret_max"],
                    "target": setting.target if line["policy"] == "defaults" else None,
                }
            )
        for name, regret in setting.quoted.items():
            quoted = {"setting": setting.name, "T": setting.n_rounds, "policy": f"{name} (quoted)"}
            rows.append({**quoted, "regret": regret})
    print_table(rows, f"Regret out of the box, mean of {n_trials} runs; quoted rows are from publications")
    return rows


def paper(options):
    """EOFD against OFUL in the paper's settings: paired difference, in per cent of OFUL's mean regret."""
    rows = []
    n_trials = 3 if options.quick else 2 * options.trials
    n_rounds = 500 if options.quick else 3000
    for setting, named in itertools.product(PAPER, ("auto", "paper")):
        shared = {"reg_lambda": named, "eta": named, "norm_bound": setting.norm_bound}
        if named == "paper":
            shared |= {"exploration": 1.0, "delta": 1 / n_rounds}
        policies = {"EOFD": EOFDMLogBPolicy(**shared), "OFUL": OFULMLogBPolicy(**shared)}
        policies["uniform"] = UniformPolicy()
        results = play(setting, policies, n_trials=n_trials, n_rounds=n_rounds, n_jobs=options.jobs)
        for T in (500, 1000, 2000, 3000):
            if n_rounds >= T:
                rows.append({"setting": setting.name, "parameters": named, "T": T, **_paired(results, T)})
    print_table(rows, f"EOFD against OFUL, {n_trials} paired trials, 95 % interval of the mean difference")
    return rows


def _paired(results, T):
    eofd, oful, uniform = results.regret[:, :, T - 1]
    difference = 100 * (eofd - oful) / oful.mean()
    half = stats.t.ppf(0.975, len(difference) - 1) * stats.sem(difference)
    return {
        "EOFD": eofd.mean(),
        "OFUL": oful.mean(),
        "uniform": uniform.mean(),
        "difference %": difference.mean(),
        "from %": difference.mean() - half,
        "to %": difference.mean() + half,
    }


def _reg_lambdas(setting):
    """The candidates for lambda: multiples of K d / S^2, the constant 1, and the paper's growth d^0.75."""
    environment = setting.environment(np.random.default_rng(0))
    actions, probabilities = next(environment.rounds(np.random.default_rng(0)))
    prior = actions.shape[1] * (probabilities.shape[1] - 1) / setting.norm_bound**2
    return {"Kd/4S2": prior / 4, "Kd/S2": prior, "4Kd/S2": 4 * prior, "1": 1.0, "paper": "paper"}


def _grid_policies(setting):
    policies = {("auto", "auto", "auto"): EOFDMLogBPolicy(norm_bound=setting.norm_bound)}
    for (rule, reg_lambda), exploration in itertools.product(_reg_lambdas(setting).items(), EXPLORATIONS):
        for eta in (*ETAS, *(["paper"] if rule == "paper" else [])):
            policies[rule, eta, exploration] = EOFDMLogBPolicy(
                norm_bound=setting.norm_bound, reg_lambda=reg_lambda, eta=eta, exploration=exploration
            )
    return policies


def grid(options):
    """Mean regret of every choice in every setting, and each choice's distance from the best one."""
    settings = [*PUBLISHED, *CATALOGUES, *OTHERS, *PAPER]
    n_trials, n_rounds = (2, 150) if options.quick else (options.trials, 1000)
    if options.quick:
        settings = [*PUBLISHED, CATALOGUES[0]]
    means, worst = {}, {}
    for setting in settings:
        policies = _grid_policies(setting)
        results = play(setting, policies, n_trials=n_trials, n_rounds=n_rounds, n_jobs=options.jobs)
        final = results.regret[:, :, -1]
        means[setting.name] = dict(zip(policies, final.mean(axis=1)))
        worst[setting.name] = dict(zip(policies, final.max(axis=1)))
        _print_grid(setting.name, means[setting.name], worst[setting.name])
    ranking = _rank(means)
    print_table(ranking[:12], "Choices by geometric mean of (regret / best choice of the setting)")
    print_table([row for row in ranking if row["reg_lambda"] == "auto"], "the defaults")
    binary = [name for name in means if "K=1" in name or "MNIST" in name]
    for title, names in (("two outcomes", binary), ("more outcomes", sorted(set(means) - set(binary)))):
        ranked = _rank({name: means[name] for name in names})
        print_table(ranked[:8], f"the same over the settings with {title}")
    fields = ("setting", "reg_lambda", "eta", "exploration", "mean", "worst")
    table = [
        dict(zip(fields, (name, *choice, mean, worst[name][choice])))
        for name, values in means.items()
        for choice, mean in values.items()
    ]
    return {"regret": table, "ranking": ranking, "n_rounds": n_rounds, "n_trials": n_trials}


def _print_grid(name, means, worst):
    rows = []
    for rule, eta in dict.fromkeys(choice[:2] for choice in means if choice[0] != "auto"):
        row = {"lambda": rule, "eta": eta}
        for exploration in EXPLORATIONS:
            choice = (rule, eta, exploration)
            row[f"x={exploration:g}"] = f"{means[choice]:.1f} ({worst[choice]:.0f})"
        rows.append(row)
    default = ("auto", "auto", "auto")
    title = f"{name}: mean regret (worst run); defaults {means[default]:.1f} ({worst[default]:.0f})"
    print_table(rows, title)


def _rank(means):
    ratios = {}
    for values in means.values():
        best = min(values.values())
        for choice, mean in values.items():
            ratios.setdefault(choice, []).append(mean / best)
    rows = [
        {
            "reg_lambda": choice[0],
            "eta": choice[1],
            "exploration": choice[2],
            "geometric mean": float(np.exp(np.mean(np.log(ratio)))),
            "worst setting": max(ratio),
        }
        for choice, ratio in ratios.items()
    ]
    return sorted(rows, key=lambda row: row["geometric mean"])


def stuck(options):
    """The worst of 100 runs of the defaults: its regret, and what it still loses late."""
    rows = []
    n_trials = 10 if options.quick else 100
    for setting in [*PUBLISHED, *CATALOGUES, *OTHERS[:5]]:
        n_rounds = 500 if options.quick else setting.n_rounds
        policies = {
            "defaults": EOFDMLogBPolicy(norm_bound=setting.norm_bound),
            "greedy": EOFDMLogBPolicy(norm_bound=setting.norm_bound, exploration=0.0),
            "uniform": UniformPolicy(),
        }
        results = play(setting, policies, n_trials=n_trials, n_rounds=n_rounds, n_jobs=options.jobs)
        fifth = n_rounds // 5
        late = (results.regret[:, :, -1] - results.regret[:, :, -1 - fifth]) / fifth
        for i, name in enumerate(("defaults", "greedy")):
            share = late[i] / late[2].mean()  # not run by run: where all actions are alike no run is stuck
            rows.append(
                {
                    "setting": setting.name,
                    "T": n_rounds,
                    "policy": name,
                    "mean": results.regret[i, :, -1].mean(),
                    "worst": results.regret[i, :, -1].max(),
                    "uniform": results.regret[2, :, -1].mean(),
                    "late share, worst run": share.max(),
                    "stuck (share > 0.25)": int(np.sum(share > 0.25)),
                }
            )
    print_table(rows, f"{n_trials} runs: regret a round in the last fifth, as a share of uniform play's")
    return rows


PARTS = {"published": published, "paper": paper, "grid": grid, "stuck": stuck}


def main():
    options = arguments(
        __doc__.splitlines()[0],
        part=("all", "published, paper, grid, stuck or all"),
        jobs=(1, "processes"),
        trials=(10, "trials of a setting"),
    )
    chosen = PARTS if options.part == "all" else {options.part: PARTS[options.part]}
    name = "bandit_regret_study" + ("" if options.part == "all" else f"_{options.part}")
    write_results(name, {part: run(options) for part, run in chosen.items()}, options.output)


if __name__ == "__main__":
    main()
