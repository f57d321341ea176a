"""
Exploration: the theory's radius against a tuned one
====================================================

Optimism adds a bonus to what is expected of an action, and its size is the radius of a confidence set.
The radius that the theorem needs holds for *every* problem of a given size, at once for all rounds; on
any one problem it is much too careful. ``exploration`` multiplies it: 1 is the theorem's, 0 is greedy.
What lies between?
"""

# %%
# Two problems with success or failure as outcomes. In one, actions are fresh every round, and explore
# almost by themselves. In the other there is a fixed catalogue of 25 items, where nothing explores
# unless the policy does.

import matplotlib.pyplot as plt
import numpy as np

from skmlogb.bandit import EOFDMLogBPolicy
from skmlogb.displays import RegretDisplay
from skmlogb.simulation import MLogBEnvironment, run_trials

catalogue = np.random.default_rng(3).standard_normal((25, 6))
catalogue /= np.linalg.norm(catalogue, axis=1, keepdims=True)
environments = {
    "Fresh actions": (
        MLogBEnvironment(n_features=2, n_outcomes=2, n_actions=20, norm=5.0, actions="ball"),
        6.0,
    ),
    "Fixed catalogue": (
        MLogBEnvironment(n_features=6, n_outcomes=2, n_actions=25, norm=4.0, actions=catalogue),
        5.0,
    ),
}
factors = [0, 1e-3, 1e-2, 1e-1, 1]
results = {}
for title, (environment, norm_bound) in environments.items():
    policies = {
        f"{factor:g}": EOFDMLogBPolicy(norm_bound=norm_bound, exploration=factor) for factor in factors
    }
    results[title] = run_trials(policies, environment, n_rounds=800, n_trials=8, random_state=0)

# %%
# Too much and too little
# -----------------------
#
# Above, regret as it accumulates, for three of the factors. Below, the regret after the last round for
# all of them: the mean, the band from the best to the worst trial, and the default as a vertical line.
# The theorem's radius explores for most of these rounds. A greedy policy does well in most trials and
# badly in the worst one: it can settle on an action after an unlucky start and never find out. A small
# factor buys nearly all of the difference.

figure, axes = plt.subplots(2, 2, figsize=(10, 7), layout="constrained")
positions = np.arange(len(factors))
default = 0.01  # what exploration="auto" is for two outcomes
for column, (title, result) in zip(axes.T, results.items()):
    shown = [0, factors.index(1e-2), len(factors) - 1]
    display = RegretDisplay(
        regret=result.regret[shown], policies=[f"exploration={factors[i]:g}" for i in shown]
    )
    display.plot(ax=column[0], band="range")
    column[0].set_title(title)
    final = result.regret[:, :, -1]
    column[1].plot(positions, final.mean(axis=1), color="#0072B2", marker="o", label="mean of 8 trials")
    column[1].plot(
        positions, final.max(axis=1), color="#D55E00", linestyle="--", marker="s", label="worst trial"
    )
    column[1].fill_between(
        positions, final.min(axis=1), final.max(axis=1), color="#0072B2", alpha=0.15, linewidth=0
    )
    place = np.interp(np.log10(default), np.log10(factors[1:]), positions[1:])
    column[1].axvline(place, color="#000000", linestyle=":", label=f"default, {default:g}")
    column[1].set(xlabel="exploration", xticks=positions, ylabel="Regret after 800 rounds", yscale="log")
    column[1].set_xticklabels([f"{factor:g}" for factor in factors])
    column[1].grid(alpha=0.3)
    column[1].legend(frameon=False)
plt.show()

# %%
# The radius itself
# -----------------
#
# ``radius`` may also be a number, or a function of the policy. Of the forms below the first is the
# theorem's (with its ``reg_lambda`` and ``eta``: no other values are covered), the last is a guess that
# grows like the logarithm of the rounds.

x = catalogue[:1]
for name, policy in {
    "the theorem's": EOFDMLogBPolicy(radius="theory", reg_lambda="theory", eta="theory", exploration=1),
    "the default": EOFDMLogBPolicy(),
    "constant": EOFDMLogBPolicy(radius=1.0, exploration=1),
    "logarithm": EOFDMLogBPolicy(radius=lambda policy: np.log1p(policy.n_rounds_), exploration=1),
}.items():
    policy.fit(np.repeat(x, 200, axis=0), np.tile([0, 1], 100))
    print(f"{name:<14} beta after 200 rounds: {policy.radius_:10.4f}")
