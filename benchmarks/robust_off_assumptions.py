"""The risk path off the theory's assumptions, beside cross-validation, a hold-out set and the training error.

    python -m benchmarks.robust_off_assumptions [--quick] [--seeds 3] [--n-jobs 2]

One assumption is left at a time. The truth of an iterate is its squared error on fresh rows of the same kind,
the noise left out, plus ||noise||^2 / n of the training rows. Real designs get the targets of a known linear
model.
"""

import argparse

import numpy as np
from joblib import Parallel, delayed
from sklearn.base import clone
from sklearn.model_selection import KFold
from sklearn.preprocessing import PolynomialFeatures, StandardScaler
from threadpoolctl import threadpool_limits

from benchmarks.common import load_data, print_table, write_results
from skmlogb.datasets import make_robust_regression
from skmlogb.robust import HuberSGDRegressor

N_FRESH = 5000
SYNTHETIC = {
    "as assumed": {},
    "AR(1) 0.5 features": {"correlation": 0.5},
    "Rademacher features": {"features": "rademacher"},
    "t(5) features": {"features": "t5"},
    "elliptical features": {"features": "elliptical"},
    "t(1.5) noise": {"df": 1.5},
    "intercept 1000": {"intercept": 1000.0},
}
DESIGNS = (
    "sparse binary features",
    "unequal scales, scaled",
    "MNIST pixels",
    "letter, cubic, scaled",
)
REAL = {"MNIST pixels": "mnist70k", "letter, cubic, scaled": "letter"}
CHOICES = ("risk path", "5-fold, squared", "5-fold, Huber", "hold-out 20 %", "training loss")


def make_data(name, seed, n, p, real):
    """Return X, noiseless y, noise, and fresh rows with their noiseless targets."""
    rng = np.random.default_rng([seed, 1])
    if name in SYNTHETIC:
        setting = {"n_samples": n + N_FRESH, "n_features": p, "random_state": seed} | SYNTHETIC[name]
        X, y, coef = make_robust_regression(coef=True, **setting)
        clean = X @ coef + setting.get("intercept", 0.0)
        noise = (y - clean)[:n]
    else:
        X = _design(name, rng, n, p, real)
        coef = np.zeros(X.shape[1])
        informative = rng.choice(X.shape[1], max(1, X.shape[1] // 20), replace=False)
        coef[informative] = 1.0
        clean = X @ coef
        clean *= np.sqrt(10) / clean[:n].std()
        noise = rng.standard_t(2, n)
    return X[:n], clean[:n], noise, X[n:], clean[n:]


def _design(name, rng, n, p, real):
    """Return n + N_FRESH rows of features, standardised by the first n where the name says so."""
    if name == "sparse binary features":
        return (rng.random((n + N_FRESH, p)) < 0.05).astype(float)
    if name == "unequal scales, scaled":
        X = rng.standard_normal((n + N_FRESH, p)) * np.geomspace(1e-3, 1e6, p) + 7.0
    else:
        X = real[name][rng.choice(len(real[name]), n + N_FRESH, replace=False)]
    return X / 255 if name == "MNIST pixels" else StandardScaler().fit(X[:n]).transform(X)


def load_real(quick):
    """Return the real designs that are wanted, name -> all rows."""
    X, _ = load_data("letter")
    cubic = PolynomialFeatures(2 if quick else 3, include_bias=False).fit_transform(X - X.mean(axis=0))
    return {"MNIST pixels": load_data("mnist70k")[0], "letter, cubic, scaled": cubic}


def iterates(model, X, y):
    """Return coefficients and intercept after 0, 1, ..., max_iter updates."""
    step = clone(model).set_params(max_iter=1, warm_start=True, risk=None)
    path = [(np.zeros(X.shape[1]), float(np.median(y)))]
    for _ in range(model.max_iter):
        step.fit(X, y)
        path.append((step.coef_.copy(), step.intercept_))
    coefs, intercepts = zip(*path)
    return np.array(coefs), np.array(intercepts)


def predictions(path, X):
    """Return the predictions of every iterate, (n, T + 1)."""
    coefs, intercepts = path
    return X @ coefs.T + intercepts


def huber(residuals, width):
    """Return Huber's loss of each residual."""
    size = np.abs(residuals)
    return np.where(size <= width, residuals**2 / 2, width * size - width**2 / 2)


def one_run(name, seed, n, p, batch, max_iter, real):
    """Return errors of the risk path in per cent and, for each way to choose an iterate, its excess."""
    X, clean, noise, X_fresh, clean_fresh = make_data(name, seed, n, p, real)
    y = clean + noise
    model = HuberSGDRegressor(batch_size=batch, max_iter=max_iter, random_state=seed)
    with threadpool_limits(1):
        model.fit(X, y)
        path = iterates(model, X, y)
        excess = np.mean((predictions(path, X_fresh) - clean_fresh[:, None]) ** 2, axis=0)
        width = model.epsilon * model.scale_
        squared, robust = np.zeros(max_iter + 1), np.zeros(max_iter + 1)
        for i, (train, test) in enumerate(KFold(5, shuffle=True, random_state=seed).split(X)):
            fold = iterates(model, X[train], y[train])
            residuals = y[test][:, None] - predictions(fold, X[test])
            squared += np.mean(residuals**2, axis=0)
            robust += np.mean(huber(residuals, width), axis=0)
            if i == 0:  # the hold-out set is the first fold, and the model that of the other rows
                at = np.argmin(np.mean(huber(residuals, width), axis=0))
                held_out = np.mean((predictions(fold, X_fresh)[:, at] - clean_fresh) ** 2)
    truth = excess + np.mean(noise**2)
    chosen = {
        "risk path": excess[model.best_iter_],
        "5-fold, squared": excess[np.argmin(squared)],
        "5-fold, Huber": excess[np.argmin(robust)],
        "hold-out 20 %": held_out,
        "training loss": excess[np.argmin(model.loss_path_)],
    }
    errors = {
        "|error| / truth %": 100 * np.mean(np.abs(model.risk_path_ - truth) / truth),
        "excess error %": 100 * np.mean((model.risk_path_ - truth) / excess),
    }
    return errors, {name: 100 * (value / excess.min() - 1) for name, value in chosen.items()}


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--quick", action="store_true", help="a fifth of the size, 2 seeds")
    parser.add_argument("--seeds", type=int, default=3, help="data sets a line (default: 3)")
    parser.add_argument("--n-jobs", type=int, default=1, help="processes (default: 1)")
    args = parser.parse_args()
    n, p, max_iter, n_seeds = (400, 200, 40, 2) if args.quick else (2000, 1000, 100, args.seeds)
    real, rows = load_real(args.quick), []
    for name in (*SYNTHETIC, *DESIGNS):
        for kind, batch in (("GD", None), ("SGD", 0.2)):
            own = {name: real[name]} if name in real else {}
            tasks = (delayed(one_run)(name, seed, n, p, batch, max_iter, own) for seed in range(n_seeds))
            errors, chosen = zip(*Parallel(n_jobs=args.n_jobs)(tasks))
            row = {"data": name, "steps": kind}
            row |= {key: float(np.mean([each[key] for each in errors])) for key in errors[0]}
            row |= {key: float(np.mean([each[key] for each in chosen])) for key in CHOICES}
            rows.append(row)
            print_table([row])
    title = (
        f"n={n}, p={p}, {max_iter} updates, {n_seeds} seeds; last five: excess above the best iterate's, %"
    )
    print_table(rows, title)
    write_results("robust_off_assumptions", {"title": title, "table": rows})


if __name__ == "__main__":
    main()
