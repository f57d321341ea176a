"""
Parallel trials, and how many are needed
========================================

One run of a bandit says little: regret depends on luck. :func:`~skmlogb.simulation.run_trials` repeats
it, as many runs at a time as ``n_jobs`` says, and gives the same numbers to the last bit whatever
``n_jobs`` is. All policies of a trial meet the same actions and the same luck, and this example shows
what that is worth.
"""

# %%
# Twenty trials, two at a time
# ----------------------------
#
# Each trial is a problem of its own: an environment without ``random_state`` draws a new parameter for each.

from time import perf_counter

import matplotlib.pyplot as plt
import numpy as np

from skmlogb.bandit import EOFDMLogBPolicy
from skmlogb.simulation import MLogBEnvironment, run_trials

policies = {
    "sketch of 8": EOFDMLogBPolicy(sketch_size=8, norm_bound=4.0),
    "no sketch": EOFDMLogBPolicy(sketch_size=20, norm_bound=4.0),
}
environment = MLogBEnvironment(n_features=20, n_outcomes=2, norm=4.0)

start = perf_counter()
results = run_trials(policies, environment, n_rounds=500, n_trials=20, n_jobs=2, random_state=0)
print(f"two at a time: {perf_counter() - start:.1f} s")

# %%
# A few of them again, one at a time: the same, bit by bit.

again = run_trials(policies, environment, n_rounds=500, n_trials=3, n_jobs=1, random_state=0)
print("equal:", np.array_equal(again.regret, results.regret[:, :3]))

# %%
# Compare within trials
# ---------------------
#
# Left: the regret of both policies, trial by trial. Problems differ a lot in how hard they are, and hard
# ones tend to be hard for both. Right: 95 % confidence intervals for the difference of the means, from
# the first trials only: as if the two rows of regrets were independent samples, and from the paired
# differences, which the common problems, actions and luck make possible.

small, large = results.regret[:, :, -1]
gain = (small.var() + large.var()) / (small - large).var()
print(f"20 paired trials tell as much about the difference as {20 * gain:.0f} independent ones")
numbers = np.arange(3, 21)
difference = np.array([np.mean((small - large)[:n]) for n in numbers])
paired = np.array([1.96 * np.std((small - large)[:n], ddof=1) / np.sqrt(n) for n in numbers])
independent = np.array(
    [1.96 * np.hypot(small[:n].std(ddof=1), large[:n].std(ddof=1)) / np.sqrt(n) for n in numbers]
)

figure, axes = plt.subplots(1, 2, figsize=(10, 4), layout="constrained")
axes[0].plot(np.vstack([small, large]), color="#888888", linewidth=0.8)
for x, values, color, marker in ((0, small, "#D55E00", "s"), (1, large, "#0072B2", "o")):
    axes[0].plot(np.full(20, x), values, linestyle="none", color=color, marker=marker)
axes[0].set(
    xticks=[0, 1], xticklabels=policies, xlim=(-0.4, 1.4), ylabel="Regret after 500 rounds", ylim=(0, None)
)
axes[1].fill_between(
    numbers, difference - independent, difference + independent, color="#D55E00", alpha=0.2, linewidth=0,
    label="as independent samples",
)  # fmt: skip
axes[1].fill_between(
    numbers, difference - paired, difference + paired, color="#0072B2", alpha=0.4, linewidth=0, label="paired"
)
axes[1].plot(numbers, difference, color="#000000", label="difference of the means")
axes[1].axhline(0, color="#000000", linestyle=":")
axes[1].set(xlabel="Trials", ylabel="Difference in regret", xticks=range(5, 21, 5))
axes[1].legend(frameon=False)
axes[1].grid(alpha=0.3)
plt.show()

# %%
# On a cluster
# ------------
#
# Trials are joblib tasks. Inside ``joblib.parallel_config(backend="dask")``, or ``"ray"``, the same call
# runs on the workers of a cluster; :doc:`/guide/parallel` has the lines.
