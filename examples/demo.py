"""Learn which of ten handwritten digits is a 1, from the outcome of one guess a round.

Each round offers ten images, one of every digit, as 300 kernel features. The policy picks one, and learns
only whether that one was a 1. Regret counts the wrong picks. EOFD-MLogB keeps a sketch of its Hessian,
OFUL-MLogB all of it; picking at random is the control. Writes regret.png.
"""

from time import perf_counter

import matplotlib as mpl
from sklearn.datasets import load_digits
from sklearn.kernel_approximation import Nystroem
from sklearn.preprocessing import normalize

from skmlogb.bandit import EOFDMLogBPolicy, OFULMLogBPolicy, UniformPolicy
from skmlogb.displays import RegretDisplay
from skmlogb.simulation import ClassificationEnvironment, run_trials


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
    bandits()


if __name__ == "__main__":
    main()
