"""The demo's regression over many splits: stopped by the risk path, by 5-fold cross-validation, not at all.

    python -m benchmarks.robust_stopping [--quick]

The diabetes data with 285 polynomial features; each split trains on 294 patients and tests on 148 others. The
least test error over all iterates, which nobody can know, is the bound.
"""

import numpy as np
from sklearn.datasets import load_diabetes
from sklearn.metrics import mean_absolute_error
from sklearn.model_selection import GridSearchCV, train_test_split
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import PolynomialFeatures, StandardScaler
from threadpoolctl import threadpool_limits

from benchmarks.common import arguments, median, print_table, time_side_by_side, write_results
from skmlogb.robust import HuberSGDRegressor

MAX_ITER = 320


def one_split(seed):
    """Return the test error of each way to stop, and the seconds of the two that choose."""
    X, y = load_diabetes(return_X_y=True, scaled=False)
    X, X_test, y, y_test = train_test_split(X, y, test_size=1 / 3, random_state=seed)
    features = make_pipeline(StandardScaler(), PolynomialFeatures(3, include_bias=False), StandardScaler())
    X, X_test = features.fit_transform(X), features.transform(X_test)
    plain = HuberSGDRegressor(max_iter=MAX_ITER, risk=None)
    choosers = {
        "risk path": HuberSGDRegressor(max_iter=MAX_ITER, early_stopping=True, random_state=0),
        "5-fold": GridSearchCV(
            plain, {"max_iter": [5, 10, 20, 40, 80, 160, 320]}, scoring="neg_mean_absolute_error"
        ),
    }
    seconds = time_side_by_side(
        {name: lambda model=model: model.fit(X, y) for name, model in choosers.items()}, n_repeats=1
    )
    step = HuberSGDRegressor(max_iter=1, warm_start=True, risk=None)
    along = [mean_absolute_error(y_test, step.fit(X, y).predict(X_test)) for _ in range(MAX_ITER)]
    errors = {name: mean_absolute_error(y_test, model.predict(X_test)) for name, model in choosers.items()}
    errors |= {f"{MAX_ITER} iterations": along[-1], "least on the path": min(along)}
    return errors, {name: each[0] for name, each in seconds.items()}


def main():
    n_splits = 4 if arguments(__doc__.splitlines()[0]).quick else 20
    with threadpool_limits(1):
        errors, seconds = zip(*map(one_split, range(n_splits)))
    difference = np.array([each["risk path"] - each["5-fold"] for each in errors])
    rows = [
        {
            "stopped by": name,
            "absolute error": float(np.mean([each[name] for each in errors])),
            "median seconds": median([each[name] for each in seconds]) if name in seconds[0] else None,
        }
        for name in errors[0]
    ]
    paired = {
        "risk path - 5-fold, mean": float(difference.mean()),
        "standard error": float(difference.std(ddof=1) / np.sqrt(n_splits)),
        "splits won": f"{int((difference < 0).sum())} of {n_splits}",
    }
    title = f"Diabetes, {n_splits} splits"
    print_table(rows, title)
    print_table([paired], "paired over the splits")
    write_results("robust_stopping", {"title": title, "table": rows, "paired": [paired]})


if __name__ == "__main__":
    main()
