"""
Sketch size against regret and time
===================================

The sketch of :class:`~skmlogb.bandit.EOFDMLogBPolicy` keeps ``sketch_size`` directions of the :math:`Kd
\\times Kd` Hessian. How many are enough depends on one thing: in how many directions the actions vary.
Two catalogues with 400 features: in one, the items are mixtures of 12 topics and hardly anything else.
In the other, they vary in all 400 directions, the k-th of them one k-th as much as the first, so that
there is no size at which nothing is lost.
"""

# %%

import matplotlib.pyplot as plt
import numpy as np

from skmlogb.bandit import EOFDMLogBPolicy, OFULMLogBPolicy
from skmlogb.simulation import MLogBEnvironment, run_trials

n_features = 400
topics = np.linalg.qr(np.random.default_rng(0).standard_normal((n_features, 12)))[0].T


def twelve_topics(rng, n_items):
    items = rng.standard_normal((n_items, 12)) @ topics + 0.02 * rng.standard_normal((n_items, n_features))
    return items / np.linalg.norm(items, axis=1, keepdims=True)


def long_tail(rng, n_items):
    items = rng.standard_normal((n_items, n_features)) / np.arange(1, n_features + 1)
    return items / np.linalg.norm(items, axis=1, keepdims=True)


catalogues = {"12 topics": twelve_topics, "long tail": long_tail}
sizes = [2, 5, 12, 25, 50, 100, 200]

# %%
# Every size meets the same rounds, and so does OFUL-MLogB, which keeps the whole Hessian. A log of
# random rounds, replayed with ``fit``, is enough to read off ``sketch_factor_``: the factor by which
# forgetting inflates the theory's confidence radius. It needs neither regret nor a simulation, so it is
# what you can look at in production.

regret, time, factor = {}, {}, {}
for name, actions in catalogues.items():
    environment = MLogBEnvironment(
        n_features=n_features, n_outcomes=2, n_actions=10, norm=20.0, actions=actions
    )
    policies = {size: EOFDMLogBPolicy(sketch_size=size, norm_bound=20.0) for size in sizes}
    policies["full"] = OFULMLogBPolicy(norm_bound=20.0)
    results = run_trials(policies, environment, n_rounds=500, n_trials=4, random_state=0)
    regret[name] = results.regret[:, :, -1]
    time[name] = 1e6 * np.median(results.select_time + results.update_time, axis=(1, 2))
    rng = np.random.default_rng(1)
    rounds = environment.rounds(rng)
    log = [(items[0], rng.random() < p[0, 1]) for items, p in (next(rounds) for _ in range(500))]
    X, y = map(np.array, zip(*log))
    factor[name] = [policies[size].fit(X, y).sketch_factor_ for size in sizes]

# %%
# Left: with 12 topics, a sketch of 12 rows has the full Hessian's regret. With the long tail, more is
# better, and most of the gain comes early. Middle: the factor tells this beforehand. It is near 1 where
# nothing is lost and far above 2 where the sketch is too small. Right: what a round costs. Very small
# sketches cost much the same, that of everything else in a round; beyond, time grows with the size, and
# keeping half of all directions costs more than keeping them all.

figure, axes = plt.subplots(1, 3, figsize=(12, 4), layout="constrained")
styles = {"12 topics": ("#0072B2", "o", "-"), "long tail": ("#D55E00", "s", "--")}
for name, (color, marker, line) in styles.items():
    mean, spread = regret[name].mean(axis=1), regret[name].std(axis=1, ddof=1)
    axes[0].plot(sizes, mean[:-1], color=color, marker=marker, linestyle=line, label=name)
    axes[0].fill_between(
        sizes, (mean - spread)[:-1], (mean + spread)[:-1], color=color, alpha=0.2, linewidth=0
    )
    axes[0].axhline(mean[-1], color=color, linestyle=":", label=f"{name}, full Hessian")
    axes[1].plot(sizes, factor[name], color=color, marker=marker, linestyle=line)
    axes[2].plot(sizes, time[name][:-1], color=color, marker=marker, linestyle=line)
    axes[2].axhline(time[name][-1], color=color, linestyle=":")
axes[1].axhline(2, color="#000000", linewidth=0.8)
axes[1].annotate("above 2: forgetting", (200, 2.1), ha="right")
axes[0].set(ylabel="Regret after 500 rounds", ylim=(0, None))
axes[1].set(ylabel="sketch_factor_", yscale="log")
axes[2].set(ylabel="Microseconds a round", ylim=(0, None))
for ax in axes:
    ax.set(xlabel="sketch_size", xscale="log", xticks=sizes, xticklabels=sizes)
    ax.minorticks_off()
    ax.grid(alpha=0.3)
figure.legend(loc="outside lower center", ncols=4, frameon=False)
plt.show()
