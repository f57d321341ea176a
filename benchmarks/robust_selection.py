"""Choosing penalty, step size and iterate: without a split, by cross-validation, hold-out or training error.

    python -m benchmarks.robust_selection [--quick] [--seeds 5]

The same grid each time. Without a split: GridSearchCV(cv=NoSplit(), scoring=trajectory_risk_scorer) over
early-stopped fits. The others cannot stop by themselves, so that max_iter is a line of their grid, and they
pay for the refit. The excess is the true one, Sigma = I, of the coefficients that each way ends with.
"""

import argparse
from time import perf_counter

import numpy as np
from sklearn.base import clone
from sklearn.metrics import make_scorer
from sklearn.model_selection import GridSearchCV, KFold, ShuffleSplit
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from threadpoolctl import threadpool_limits

from benchmarks.common import median, print_table, write_results
from skmlogb.datasets import make_robust_regression
from skmlogb.robust import Huber, HuberSGDRegressor, NoSplit, trajectory_risk_scorer

GRID = {"alpha": [0.01, 0.03, 0.1, 0.3], "eta0": [0.5, 1.0]}
MAX_ITER = [10, 25, 50, 100]


def with_prefix(parameters):
    """Return the parameters under the names that they have in the pipeline."""
    return {f"hubersgdregressor__{name}": value for name, value in parameters.items()}


def searches(model, seed, epsilon):
    """Return each way of choosing as an unfitted search, name -> GridSearchCV."""

    def huber_score(y, prediction):
        return Huber(epsilon).value(y - prediction).mean()

    by_error = {"scoring": make_scorer(huber_score, greater_is_better=False)}
    long_grid = with_prefix(GRID | {"max_iter": MAX_ITER})
    early = clone(model).set_params(**with_prefix({"early_stopping": True}))
    plain = clone(model).set_params(**with_prefix({"risk": None}))
    return {
        "risk path, no split": GridSearchCV(
            early, with_prefix(GRID), cv=NoSplit(), scoring=trajectory_risk_scorer
        ),
        "5-fold": GridSearchCV(plain, long_grid, cv=KFold(5, shuffle=True, random_state=seed), **by_error),
        "hold-out 20 %": GridSearchCV(
            plain, long_grid, cv=ShuffleSplit(1, test_size=0.2, random_state=seed), **by_error
        ),
        "training error": GridSearchCV(plain, long_grid, cv=NoSplit(), **by_error),
    }


def one_seed(seed, n, p):
    """Return (excess, seconds, choice) of each way, and the excess of the best point of the grid."""
    X, y, coef = make_robust_regression(n, p, coef=True, random_state=seed)
    model = make_pipeline(StandardScaler(), HuberSGDRegressor(penalty="l1", random_state=seed))

    def excess(fitted):
        scaler, last = fitted[0], fitted[-1]
        slopes = last.coef_ / scaler.scale_
        constant = last.intercept_ - slopes @ scaler.mean_
        return float(np.sum((slopes - coef) ** 2) + constant**2)

    epsilon = 1.35 * 1.4826 * np.median(np.abs(y - np.median(y)))
    found = {}
    with threadpool_limits(1):
        for name, search in searches(model, seed, epsilon).items():
            start = perf_counter()
            search.fit(X, y)
            found[name] = excess(search.best_estimator_), perf_counter() - start, search.best_params_
        best = GridSearchCV(
            clone(model).set_params(**with_prefix({"risk": None})),
            with_prefix(GRID | {"max_iter": MAX_ITER}),
            cv=NoSplit(),
            scoring=lambda fitted, X, y: -excess(fitted),
        ).fit(X, y)
    return found, -best.best_score_


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--quick", action="store_true", help="a fifth of the size, 2 seeds")
    parser.add_argument("--seeds", type=int, default=5, help="data sets (default: 5)")
    args = parser.parse_args()
    n, p, n_seeds = (400, 480, 2) if args.quick else (2000, 2400, args.seeds)
    runs = [one_seed(seed, n, p) for seed in range(n_seeds)]
    rows = []
    for name in runs[0][0]:
        seconds = [found[name][1] for found, _ in runs]
        rows.append(
            {
                "chosen by": name,
                "excess": float(np.mean([found[name][0] for found, _ in runs])),
                "above the grid's best %": 100
                * float(np.mean([found[name][0] / least - 1 for found, least in runs])),
                "seconds": median(seconds),
                "times the risk path's": median(
                    [found[name][1] / found["risk path, no split"][1] for found, _ in runs]
                ),
                "first choice": str(
                    {key.split("__")[-1]: value for key, value in runs[0][0][name][2].items()}
                ),
            }
        )
    title = f"L1-penalised Huber in a pipeline, n={n}, p={p}, {n_seeds} seeds, one BLAS thread"
    print_table(rows, title)
    write_results("robust_selection", {"title": title, "table": rows})


if __name__ == "__main__":
    main()
