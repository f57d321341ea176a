"""
Policies side by side
=====================

Four ways to choose, on the same rounds:

* ``EOFDMLogBPolicy``: optimism with a *sketched* Hessian, linear in the number of features;
* ``OFULMLogBPolicy``: optimism with the full Hessian, quadratic;
* *greedy*: the same model with ``exploration=0``, which trusts its estimate as it is;
* ``UniformPolicy``: chooses at random, the yardstick for having learned anything at all.

:func:`~skmlogb.simulation.run_trials` lets every policy of a trial meet the same actions and the same
luck, so that their differences are differences between policies.
"""

# %%
# A model that is right
# ---------------------
#
# Three outcomes worth 0, 0.5 and 1, drawn from the multinomial logistic model that the policies believe
# in. A policy needs to be told one thing about the problem: ``norm_bound``, a bound on the length of the
# unknown parameter.

import matplotlib.pyplot as plt
from sklearn.datasets import load_digits
from sklearn.preprocessing import normalize

from skmlogb.bandit import EOFDMLogBPolicy, OFULMLogBPolicy, UniformPolicy
from skmlogb.displays import RegretDisplay
from skmlogb.simulation import ClassificationEnvironment, MLogBEnvironment, run_trials


def policies(norm_bound, **options):
    return {
        "EOFD-MLogB": EOFDMLogBPolicy(sketch_size=20, norm_bound=norm_bound, **options),
        "OFUL-MLogB": OFULMLogBPolicy(norm_bound=norm_bound, **options),
        "greedy": OFULMLogBPolicy(norm_bound=norm_bound, exploration=0, **options),
        "uniform": UniformPolicy(),
    }


synthetic = MLogBEnvironment(n_features=30, n_outcomes=3, norm=4.0)
on_synthetic = run_trials(policies(norm_bound=4.0), synthetic, n_rounds=1200, n_trials=6, random_state=0)

# %%
# A model that is wrong
# ---------------------
#
# Real data: each round shows one handwritten digit of every kind, and only choosing the 1 pays. No
# logistic model is exactly right here, and choosing can only be learned by choosing. The images get
# length 1, and ``fit_intercept`` appends the constant that most classifiers need.

X, y = load_digits(return_X_y=True)
digits = ClassificationEnvironment(normalize(X), y, target=1)
on_digits = run_trials(
    policies(norm_bound=5.0, fit_intercept=True), digits, n_rounds=1200, n_trials=6, random_state=0
)

# %%
# Regret
# ------
#
# Lines are means over the trials, bands one standard deviation between trials. The sketch keeps 20
# directions of 60 and of 65, and costs little in regret or nothing. The greedy policy is as good as the
# others on the left and better on the right: fresh actions every round explore by themselves. Where the
# same actions come again and again it gets stuck (:ref:`sphx_glr_gallery_plot_exploration.py`), and
# nobody tells it.

figure, axes = plt.subplots(1, 2, figsize=(10, 4), layout="constrained")
for ax, results, title in zip(
    axes, (on_synthetic, on_digits), ("Multinomial logistic model", "Digits: find the 1")
):
    RegretDisplay.from_results(results, ax=ax)
    best_of_the_rest = results.regret[:3].mean(axis=1).max()
    ax.set(title=title, ylim=(0, 2 * best_of_the_rest))
plt.show()

# %%
# The axes are cut: the uniform policy leaves them early. Its regret, and everyone's time a round, in numbers.
# At 60 columns the full Hessian is the faster one; the sketch pays from some hundreds of columns on
# (:ref:`sphx_glr_gallery_plot_sketch_size.py`).

for title, results in (("synthetic", on_synthetic), ("digits", on_digits)):
    print(title)
    for row in results.summary():
        microseconds = 1e6 * (row["select_time"] + row["update_time"])
        print(f"  {row['policy']:<12} regret {row['regret_mean']:7.1f}   {microseconds:6.0f} us a round")

# %%
# A policy of your own joins them by the same methods (:doc:`/howto/add_policy`). What those methods promise,
# as that scoring changes nothing and that a pickle resumes bit by bit, is a suite of checks:

from skmlogb.bandit import check_policy

for policy in policies(norm_bound=4.0).values():
    check_policy(policy)
