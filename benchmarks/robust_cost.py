"""What the risk path costs: beside cross-validation, beside right vectors, and how it grows.

    python -m benchmarks.robust_cost [--quick]

One BLAS thread, alternatives in turn in one process, medians. The setting is the risk paper's: Sigma = I,
noise of t(2), Huber's loss, full gradients unless a line says otherwise.
"""

import argparse

import numpy as np
from sklearn.model_selection import KFold
from threadpoolctl import threadpool_limits

from benchmarks.common import median, print_table, time_side_by_side, write_results
from skmlogb.datasets import make_robust_regression
from skmlogb.robust import Huber, proximal_sgd, trajectory_risk
from skmlogb.robust.probes import number_of_probes

LOSS = Huber(1.0)


class Problem:
    """A data set with a path of T iterates on it."""

    def __init__(self, n, p, n_iterates, *, batch=None, dtype=float):
        X, y, coef = make_robust_regression(n, p, coef=True, random_state=0)
        self.X, self.y, self.coef = X.astype(dtype), y.astype(dtype), coef
        self.noise = np.mean((y - X @ coef) ** 2)
        rng = np.random.default_rng(0)
        self.steps = [(1 + np.sqrt(p / (batch or n))) ** -2] * (n_iterates - 1)
        self.batches = batch and [rng.choice(n, batch, replace=False) for _ in self.steps]
        self.trajectory = self.run(self.X, self.y, self.batches)
        self.excess = np.sum((self.trajectory.coefs - coef) ** 2, axis=1)

    def run(self, X, y, batches):
        return proximal_sgd(X, y, loss=LOSS, step_sizes=self.steps, batches=batches)

    def risk(self, **options):
        return trajectory_risk(self.X, self.y, self.trajectory, random_state=0, **options)

    def cross_validation(self):
        """Return the mean squared error of every iterate over five folds, as many batches of a fifth less."""
        error = 0.0
        rng = np.random.default_rng(1)
        for train, test in KFold(5, shuffle=True, random_state=0).split(self.X):
            size = self.batches and 4 * len(self.batches[0]) // 5
            batches = self.batches and [rng.choice(len(train), size, replace=False) for _ in self.steps]
            coefs = self.run(self.X[train], self.y[train], batches).coefs
            residuals = self.y[test] - coefs @ self.X[test].T
            error = error + np.mean(residuals**2, axis=1)
        return error / 5

    def right_vectors(self, n_probes):
        """Return A and K by two families of right vectors, each propagated from s to T - 1."""
        X, T = self.X, len(self.steps) + 1
        rng = np.random.default_rng(0)
        z = rng.choice([-1.0, 1.0], (X.shape[0], n_probes)).astype(X.dtype)
        slopes = LOSS.psi_prime(self.y[:, None] - X @ self.trajectory.coefs.T)
        A, K = np.zeros((T, T)), np.zeros((T, T))
        for s in range(T - 1):
            for matrix, start in ((A, z), (K, slopes[:, s, None] * z)):
                G = X.T @ start * (self.steps[s] / len(X))
                for t in range(s + 1, T):
                    product = slopes[:, t, None] * (X @ G)
                    matrix[t, s] = np.mean(np.sum(z * product, axis=0))
                    if t < T - 1:
                        G -= self.steps[t] / len(X) * (X.T @ product)
        return A, np.diag(slopes.sum(axis=0)) - K

    def chosen(self, path):
        """Excess of the iterate that a path of estimates chooses, above the best, in per cent."""
        return 100 * (self.excess[np.nanargmin(path)] / self.excess.min() - 1)


def beside_cross_validation(n, p, n_iterates, n_repeats):
    """Return rows: r~ against 5-fold cross-validation of the same path."""
    rows = []
    for kind, batch in (("GD", None), ("SGD", n // 5)):
        problem = Problem(n, p, n_iterates, batch=batch)
        path, folds = problem.risk(), problem.cross_validation()
        seconds = time_side_by_side(
            {"risk": problem.risk, "cv": problem.cross_validation}, n_repeats=n_repeats
        )
        truth = problem.excess + problem.noise
        rows.append(
            {
                "steps": kind,
                "B": number_of_probes("auto", n, p),
                "r~ s": median(seconds["risk"]),
                "5-fold s": median(seconds["cv"]),
                "r~ / 5-fold": median(np.divide(seconds["risk"], seconds["cv"]).tolist()),
                "r~ error %": 100 * float(np.mean(np.abs(path.risk - truth) / truth)),
                "std over probes %": 100 * float(np.mean(path.std / truth)),
                "chosen by r~, excess %": problem.chosen(path.risk),
                "by 5-fold, excess %": problem.chosen(folds),
            }
        )
    return rows


def beside_right_vectors(n, p, n_iterates, n_repeats):
    """Return a row: left vectors against right vectors for A and K separately, the same number of probes."""
    problem = Problem(n, p, n_iterates)
    alternatives = {
        "left": lambda: problem.risk(n_probes=2),
        "unthinned": lambda: problem.risk(n_probes=2, thin=False),
        "right": lambda: problem.right_vectors(2),
    }
    seconds = time_side_by_side(alternatives, n_repeats=n_repeats)
    return [
        {
            "T": n_iterates,
            "B": 2,
            "left, thinned s": median(seconds["left"]),
            "left, all columns s": median(seconds["unthinned"]),
            "right s": median(seconds["right"]),
            "right / thinned": median(np.divide(seconds["right"], seconds["left"]).tolist()),
            "right / all columns": median(np.divide(seconds["right"], seconds["unthinned"]).tolist()),
        }
    ]


def growth(n, p, lengths, n_repeats):
    """Return rows: time against T, thinned and not, with what thinning changes."""
    rows, first = [], None
    for T in lengths:
        problem = Problem(n, p, T)
        alternatives = {"thinned": problem.risk, "all": lambda problem=problem: problem.risk(thin=False)}
        seconds = {
            name: median(s) for name, s in time_side_by_side(alternatives, n_repeats=n_repeats).items()
        }
        thinned, full = problem.risk().risk, problem.risk(thin=False).risk
        scale = T * np.log(T)
        first = first or (seconds["thinned"] / scale, seconds["all"] / T**2)
        rows.append(
            {
                "T": T,
                "thinned s": seconds["thinned"],
                "over T log T": seconds["thinned"] / scale / first[0],
                "all columns s": seconds["all"],
                "over T^2": seconds["all"] / T**2 / first[1],
                "changes the path %": 100 * float(np.abs(thinned - full).max() / np.ptp(full)),
            }
        )
    return rows


def variants(n, p, n_iterates, n_repeats):
    """Return rows: batches and float32 against full gradients in float64."""
    problems = {
        "full gradient": Problem(n, p, n_iterates),
        "batches of n/5": Problem(n, p, n_iterates, batch=n // 5),
        "batches of n/10": Problem(n, p, n_iterates, batch=n // 10),
        "full gradient, float32": Problem(n, p, n_iterates, dtype=np.float32),
    }
    seconds = time_side_by_side({name: each.risk for name, each in problems.items()}, n_repeats=n_repeats)
    base = seconds["full gradient"]
    return [
        {"": name, "r~ s": median(s), "of full gradient": median(np.divide(s, base).tolist())}
        for name, s in seconds.items()
    ]


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--quick", action="store_true", help="a fifth of the size")
    quick = parser.parse_args().quick
    n, p = (2000, 1000) if quick else (10000, 5000)
    half = (800, 400) if quick else (4000, 2000)
    lengths = (25, 50, 100) if quick else (50, 100, 200, 400)
    n_repeats = 1 if quick else 3
    tables = {}
    with threadpool_limits(1):
        title = f"beside 5-fold cross-validation, n={n}, p={p}, T=100"
        tables[title] = beside_cross_validation(n, p, 100, n_repeats)
        print_table(tables[title], title)
        title = f"batches and float32, n={n}, p={p}, T=100"
        tables[title] = variants(n, p, 100, n_repeats)
        print_table(tables[title], title)
        n, p = half
        title = f"beside right vectors, n={n}, p={p}"
        tables[title] = beside_right_vectors(n, p, 20 if quick else 50, n_repeats)
        print_table(tables[title], title)
        n, p = half[0] // 2, half[1] // 2
        title = f"growth with T, n={n}, p={p}"
        tables[title] = growth(n, p, lengths, n_repeats)
        print_table(tables[title], title)
        write_results("robust_cost", {"tables": tables})


if __name__ == "__main__":
    main()
