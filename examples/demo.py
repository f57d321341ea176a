"""Both wings on real data: when to stop a robust regression, and a bandit that reads handwritten digits.

The regression predicts the progression of diabetes from 285 polynomial features of ten measurements on 294
patients. The risk path, computed from these patients alone, says at which iterate to stop; the other 148
patients, whom it never sees, and 5-fold cross-validation of the same choice tell how good that is. Writes
risk_path.png.

The bandit learns which of ten handwritten digits is a 1, from the outcome of one guess a round. Each round
offers ten images, one of every digit, as 300 kernel features. The policy picks one, and learns only whether
that one was a 1. Regret counts the wrong picks. EOFD-MLogB keeps a sketch of its Hessian, OFUL-MLogB all of
it; picking at random is the control. Writes regret.png.
"""

from time import perf_counter

import matplotlib as mpl
from sklearn.base import clone
from sklearn.datasets import load_diabetes, load_digits
from sklearn.kernel_approximation import Nystroem
from sklearn.metrics import mean_absolute_error
from sklearn.model_selection import GridSearchCV, train_test_split
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import PolynomialFeatures, StandardScaler, normalize
from threadpoolctl import threadpool_limits

from skmlogb.bandit import EOFDMLogBPolicy, OFULMLogBPolicy, UniformPolicy
from skmlogb.displays import RegretDisplay, RiskPathDisplay
from skmlogb.robust import HuberSGDRegressor
from skmlogb.simulation import ClassificationEnvironment, run_trials


def regression():
    """Stop a regression by its risk path, by cross-validation and not at all; draw the path."""
    X, y = load_diabetes(return_X_y=True, scaled=False)
    X, X_test, y, y_test = train_test_split(X, y, test_size=1 / 3, random_state=0)
    features = make_pipeline(StandardScaler(), PolynomialFeatures(3, include_bias=False), StandardScaler())
    max_iter = {"max_iter": [5, 10, 20, 40, 80, 160, 320]}

    plain = HuberSGDRegressor(max_iter=320, risk=None)
    stopped = HuberSGDRegressor(max_iter=320, early_stopping=True, random_state=0)
    contenders = {
        "risk path": make_pipeline(clone(features), stopped),
        "5-fold cross-validation": make_pipeline(
            clone(features), GridSearchCV(plain, max_iter, scoring="neg_mean_absolute_error")
        ),
        "320 iterations": make_pipeline(clone(features), plain),
    }
    print("Progression of diabetes, 294 patients, 285 features; error on 148 other patients\n")
    print("stopped by                iteration  absolute error       time")
    for name, model in contenders.items():
        start = perf_counter()
        with threadpool_limits(1):  # a fit this small gains nothing from threads
            model.fit(X, y)
        seconds = perf_counter() - start
        last = getattr(model[-1], "best_estimator_", model[-1])
        iteration = last.best_iter_ if last.early_stopping else last.n_iter_
        error = mean_absolute_error(y_test, model.predict(X_test))
        print(f"{name:24}  {iteration:9}  {error:14.1f}  {1e3 * seconds:6.0f} ms")
    whole = make_pipeline(clone(features), HuberSGDRegressor(max_iter=320, random_state=0)).fit(X, y)
    display = RiskPathDisplay.from_estimator(whole[-1])
    display.figure_.savefig("risk_path.png", dpi=150)
    print("\nwritten: risk_path.png\n")


def bandits():
    """Play 10 trials of 2,000 rounds, print what they cost, draw their regret."""
    X, y = load_digits(return_X_y=True)
    features = Nystroem(gamma=4.0, n_components=300, random_state=0).fit_transform(normalize(X))
    environment = ClassificationEnvironment(normalize(features), y, target=1)
    policies = {
        "EOFD-MLogB": EOFDMLogBPolicy(norm_bound=5.0, fit_intercept=True),
        "OFUL-MLogB": OFULMLogBPolicy(norm_bound=5.0, fit_intercept=True),
        "uniform": UniformPolicy(),
    }
    start = perf_counter()
    results = run_trials(policies, environment, n_rounds=2000, n_trials=10, n_jobs=2, random_state=0)
    print(f"Handwritten digits, 10 trials of 2,000 rounds in {perf_counter() - start:.0f} s\n")
    print("policy        regret (sd)     select        update")
    for row in results.summary():
        print(
            f"{row['policy']:12}  {row['regret_mean']:6.0f} ({row['regret_std']:3.0f})"
            f"  {1e6 * row['select_time']:6.0f} us     {1e6 * row['update_time']:6.0f} us"
        )
    display = RegretDisplay.from_results(results)
    display.ax_.set_title("Finding the 1 among ten handwritten digits")
    display.figure_.savefig("regret.png", dpi=150)
    print("\nwritten: regret.png")


def main():
    mpl.use("Agg")
    regression()
    bandits()


if __name__ == "__main__":
    main()
