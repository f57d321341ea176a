"""
Sparsity along the proximal path
================================

With an L1 penalty or one of its kin, each update ends in a proximal map that sets small coefficients to
zero. The set of nonzero coefficients, the *support*, thus changes from update to update, and the risk
path knows about it: the derivative of the proximal map is part of its formula.
"""

# %%
# Four penalties, one problem
# ---------------------------
#
# Twice as many features as rows. The 40 coefficients that matter come in 8 groups of 5 neighbours, which
# the group penalty is told. MCP and SCAD are not convex: they leave large coefficients alone, where L1
# shrinks all of them by the same amount.

import matplotlib.pyplot as plt
import numpy as np

from skmlogb.datasets import make_robust_regression
from skmlogb.robust import (
    L1,
    MCP,
    SCAD,
    GroupL1,
    Huber,
    PseudoHuberSGDRegressor,
    proximal_sgd,
    trajectory_risk,
)

n_samples, n_features, n_updates = 500, 1000, 150
X, noise = make_robust_regression(n_samples, n_features, signal=0.0, df=3, random_state=0)
groups = np.arange(n_features) // 5
coef = np.where(groups < 8, 0.5, 0.0)
y = X @ coef + noise

penalties = {
    "L1": L1(alpha=0.06),
    "GroupL1": GroupL1(alpha=0.06, groups=groups),
    "MCP": MCP(alpha=0.12, gamma=3.0),
    "SCAD": SCAD(alpha=0.12, gamma=3.7),
}
steps = np.full(n_updates, 0.9 * (1 + np.sqrt(n_features / n_samples)) ** -2)
trajectories = {
    name: proximal_sgd(X, y, loss=Huber(1.35), penalty=penalty, step_sizes=steps)
    for name, penalty in penalties.items()
}
risks = {
    name: trajectory_risk(X, y, trajectory, random_state=0).risk for name, trajectory in trajectories.items()
}

# %%
# Coefficients
# ------------
#
# Coloured: the 40 that are truly not zero, whose value is the dotted line; grey: the others.

updates = np.arange(n_updates + 1)
figure, axes = plt.subplots(1, 4, figsize=(12, 3.4), layout="constrained", sharey=True)
colors = {"L1": "#0072B2", "GroupL1": "#009E73", "MCP": "#D55E00", "SCAD": "#CC79A7"}
for ax, (name, trajectory) in zip(axes, trajectories.items()):
    ever = trajectory.coefs.any(axis=0)
    ax.plot(updates, trajectory.coefs[:, ever & (coef == 0)], color="#999999", linewidth=0.5, alpha=0.6)
    ax.plot(updates, trajectory.coefs[:, coef != 0], color=colors[name], linewidth=0.8)
    ax.axhline(0.5, color="#000000", linestyle=":")
    ax.set(title=name, xlabel="Updates")
axes[0].set_ylabel("Coefficients")
plt.show()

# %%
# Support and risk
# ----------------
#
# Left: how many coefficients are not zero, and how many of these should be. Right: the estimated risk of
# each iterate, and the truth. Where the penalty knows the groups, L1's error shrinks by half; where
# large coefficients are not shrunk (MCP and SCAD), hardly a wrong one is needed to make up for it, and
# the support comes close to the truth. None of the four overfits here: with the right penalty there is
# no need to stop, and the path says so.

markers = {"L1": "o", "GroupL1": "s", "MCP": "^", "SCAD": "D"}
figure, axes = plt.subplots(1, 2, figsize=(11, 4.3), layout="constrained")
noise_level = np.mean(noise**2)
for name, trajectory in trajectories.items():
    support = trajectory.coefs != 0
    truth = np.sum((trajectory.coefs - coef) ** 2, axis=1) + noise_level
    style = {"color": colors[name], "marker": markers[name], "markevery": 30, "markersize": 5}
    axes[0].plot(updates, support.sum(axis=1), label=name, **style)
    axes[0].plot(updates, support[:, coef != 0].sum(axis=1), color=colors[name], linestyle=":")
    axes[1].plot(updates, risks[name], **style)
    axes[1].plot(updates, truth, color=colors[name], linestyle="--")
    best = np.argmin(risks[name])
    right = support[best, coef != 0].sum()
    print(f"{name:<8} update {best:3d}: {support[best].sum():3d} coefficients, {right} of the right ones")
axes[0].axhline(40, color="#000000", linewidth=0.8)
axes[0].set(xlabel="Updates", ylabel="Coefficients that are not 0")
axes[1].set(xlabel="Updates", ylabel="Risk")
for ax in axes:
    ax.grid(alpha=0.3)
handles, labels = axes[0].get_legend_handles_labels()
for line, label in ((":", "left: truly not 0"), ("-", "right: estimate"), ("--", "right: truth")):
    handles += plt.plot([], [], color="#000000", linestyle=line)
    labels.append(label)
figure.legend(handles, labels, loc="outside lower center", ncols=7, frameon=False)
plt.show()

# %%
# The estimators take the same penalties by name, here with the other loss, and find steps and a start
# themselves.

model = PseudoHuberSGDRegressor(penalty="mcp", alpha=0.12, gamma=3.0, max_iter=n_updates, random_state=0)
support = model.fit(X, y).coef_ != 0
print(f"{support.sum()} coefficients, {support[coef != 0].sum()} of the right ones")
