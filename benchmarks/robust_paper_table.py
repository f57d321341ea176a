"""Figures 1 to 4 of the risk paper at their size: estimates beside the true risk of every iterate.

    python -m benchmarks.robust_paper_table [--quick] [--seeds 20] [--n-jobs 2] [--figure 1 2 3 4]

Sigma = I, noise of a t distribution with two degrees of freedom, p/20 equal coefficients of squared norm 10,
a start at zero. The paper does not state the width of the losses' quadratic zone; 1 is taken here. Each
figure is written as JSON and as a picture: mean over the seeds and a band of two standard errors, the noise
taken off. r^ is computed for the first five seeds only: it serves as the comparison.
"""

import argparse
from pathlib import Path
from time import perf_counter

import numpy as np
from joblib import Parallel, delayed
from threadpoolctl import threadpool_limits

from benchmarks.common import RESULTS, print_table, write_results
from skmlogb.datasets import make_robust_regression
from skmlogb.robust import L1, Huber, PseudoHuber, proximal_sgd, trajectory_risk

LOSSES = {"Huber": Huber(1.0), "pseudo-Huber": PseudoHuber(1.0)}
PROPOSED = {"r~": "out_of_batch", "r^": "known_covariance"}
N_SEEDS_COMPARISON = 5
REMARK = {**PROPOSED, "r~sub, K^-1 A": "in_batch", "r~sub, A K^-1": "in_batch_right"}


def panels(figure, quick):
    """Return the settings of the figure's panels, title -> dict."""
    if figure in (1, 2):
        shape = {1: (10000, 5000), 2: (10000, 12000)}[figure]
        n, p = (side // 10 for side in shape) if quick else shape
        penalty = L1(0.002) if figure == 2 else None
        kinds = {"GD": None, "SGD": n // 5}
        return {
            f"{kind}, {name}": {
                "n": n,
                "p": p,
                "loss": name,
                "penalty": penalty,
                "batch": batch,
                "steps": [(1 + np.sqrt(p / (batch or n))) ** -2] * 99,
                "estimators": PROPOSED,
            }
            for name in LOSSES
            for kind, batch in kinds.items()
        }
    if figure == 3:
        n, p = (600, 200) if quick else (3000, 1000)
        return {
            f"steps 1, {even}": {
                "n": n,
                "p": p,
                "loss": "Huber",
                "penalty": None,
                "batch": n // 5,
                "steps": [1.0 if t % 2 else even for t in range(1, 20 if quick else 100)],
                "estimators": PROPOSED,
            }
            for even in (0.0, 0.5)
        }
    n, p = (800, 200) if quick else (4000, 1000)
    return {
        f"SGD, {name}": {
            "n": n,
            "p": p,
            "loss": name,
            "penalty": None,
            "batch": n // 10,
            "steps": [0.2] * 19,
            "estimators": REMARK,
        }
        for name in LOSSES
    }


def one_seed(setting, seed):
    """Return the true excess risk (T,), the noise, each estimate (T,), and the seconds each took."""
    n, p = setting["n"], setting["p"]
    rng = np.random.default_rng(seed)
    X, y, coef = make_robust_regression(n, p, coef=True, random_state=seed)
    batches = setting["batch"] and [rng.choice(n, setting["batch"], replace=False) for _ in setting["steps"]]
    with threadpool_limits(1):
        start = perf_counter()
        trajectory = proximal_sgd(
            X,
            y,
            loss=LOSSES[setting["loss"]],
            penalty=setting["penalty"],
            step_sizes=setting["steps"],
            batches=batches,
        )
        seconds = {"iterates": perf_counter() - start}
        estimates = {}
        for name, estimator in setting["estimators"].items():
            if estimator == "known_covariance" and seed >= N_SEEDS_COMPARISON:
                continue
            start = perf_counter()
            path = trajectory_risk(
                X,
                y,
                trajectory,
                estimator=estimator,
                covariance=np.eye(p) if estimator == "known_covariance" else None,
                random_state=seed,
            )
            estimates[name], seconds[name] = path.risk, perf_counter() - start
    excess = np.sum((trajectory.coefs - coef) ** 2, axis=1)
    return excess, float(np.mean((y - X @ coef) ** 2)), estimates, seconds


def summarise(title, setting, runs):
    """Return one row of the table for each estimator."""
    rows = []
    for name in setting["estimators"]:
        errors, signed, chosen, chosen_excess = [], [], [], []
        with_it = [run for run in runs if name in run[2]]
        for excess, noise, estimates, _ in with_it:
            truth, estimate = excess + noise, estimates[name]
            errors.append(np.mean(np.abs(estimate - truth) / truth))
            signed.append(np.mean((estimate - truth) / excess))
            best = np.nanargmin(estimate)
            chosen.append(truth[best] / truth.min() - 1)
            chosen_excess.append(excess[best] / excess.min() - 1)
        rows.append(
            {
                "setting": title,
                "n": setting["n"],
                "p": setting["p"],
                "estimate": name,
                "seeds": len(with_it),
                "|error| / truth %": 100 * float(np.mean(errors)),
                "worst seed %": 100 * float(np.max(errors)),
                "excess error %": 100 * float(np.mean(signed)),
                "chosen, risk %": 100 * float(np.mean(chosen)),
                "chosen, excess %": 100 * float(np.mean(chosen_excess)),
                "iterates s": float(np.median([run[3]["iterates"] for run in runs])),
                "estimate s": float(np.median([run[3][name] for run in with_it])),
            }
        )
    return rows


def curves(setting, runs):
    """Return mean and standard error over the seeds of the excess risk and of each estimate of it."""
    paths = {"truth": np.array([run[0] for run in runs])}
    for name in setting["estimators"]:
        paths[name] = np.array([run[2][name] - run[1] for run in runs if name in run[2]])
    return {
        name: {
            "mean": np.mean(path, axis=0).round(5),
            "se": (np.std(path, axis=0, ddof=1) / np.sqrt(len(path))).round(5),
        }
        for name, path in paths.items()
    }


def draw(figure, drawn, path):
    """Draw the panels of a figure."""
    import matplotlib

    matplotlib.use("Agg")
    import matplotlib.pyplot as plt

    # Okabe and Ito's colours, told apart by line style too.
    styles = dict(zip(["truth", *REMARK], [("#000000", "-"), ("#D55E00", "--"), ("#0072B2", "-.")]))
    styles |= {"r~sub, K^-1 A": ("#CC79A7", ":"), "r~sub, A K^-1": ("#009E73", (0, (5, 1, 1, 1)))}
    n_rows = 2 if len(drawn) == 4 else 1
    fig, axes = plt.subplots(
        n_rows, 2, figsize=(9, 3.4 * n_rows), squeeze=False, sharex=True, layout="constrained"
    )
    for axis, (title, lines) in zip(axes.flat, drawn.items()):
        for name, line in lines.items():
            mean, se = np.array(line["mean"]), np.array(line["se"])
            t, (colour, style) = np.arange(1, len(mean) + 1), styles[name]
            axis.plot(t, mean, color=colour, linestyle=style, label=name)
            axis.fill_between(t, mean - 2 * se, mean + 2 * se, color=colour, alpha=0.2, linewidth=0)
        # r~sub of the small batches leaves the page; what it should estimate must stay visible.
        axis.set_ylim(0, 1.5 * max(lines["truth"]["mean"]))
        axis.set(title=title, ylabel="excess risk")
    for axis in axes[-1]:
        axis.set_xlabel("iterate t")
    axes[0, 0].legend()
    fig.savefig(path, dpi=150)
    plt.close(fig)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--quick", action="store_true", help="a tenth of the size, 3 seeds")
    parser.add_argument("--seeds", type=int, default=20, help="data sets a panel (default: 20)")
    parser.add_argument("--n-jobs", type=int, default=1, help="processes (default: 1)")
    parser.add_argument("--figure", type=int, nargs="+", choices=(1, 2, 3, 4), default=(1, 2, 3, 4))
    args = parser.parse_args()
    n_seeds = 3 if args.quick else args.seeds
    for figure in args.figure:
        rows, drawn = [], {}
        for title, setting in panels(figure, args.quick).items():
            tasks = (delayed(one_seed)(setting, seed) for seed in range(n_seeds))
            runs = Parallel(n_jobs=args.n_jobs)(tasks)
            rows += summarise(title, setting, runs)
            drawn[title] = curves(setting, runs)
            print_table(rows[-len(setting["estimators"]) :], f"Figure {figure}: {title}, {n_seeds} seeds")
        name = f"risk_paper_figure_{figure}"
        write_results(name, {"n_seeds": n_seeds, "table": rows, "curves": drawn})
        draw(figure, drawn, Path(RESULTS) / f"{name}.png")


if __name__ == "__main__":
    main()
