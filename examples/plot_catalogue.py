"""
A catalogue: ignored, clicked, bought
=====================================

A shop shows one of its items to every visitor. The item is ignored, clicked or bought, and what counts
is revenue. A model of *clicks* would learn to show what is clicked, which is not what is bought; a model
of *revenue* as a number throws away that a click is a step towards a purchase.
:class:`~skmlogb.bandit.EOFDMLogBPolicy` learns the probability of each outcome, and what an outcome is
worth is said apart.
"""

# %%
# The shop
# --------
#
# An *action* is a visitor together with an item, so its features are those of the pair: here the
# products of the visitor's traits with the item's, and the item's own. Lures are clicked and not bought;
# what is bought is often not much clicked.

import matplotlib.pyplot as plt
import numpy as np
from scipy.special import softmax

from skmlogb.bandit import EOFDMLogBPolicy, UniformPolicy

rng = np.random.default_rng(0)
items = rng.standard_normal((40, 4))
items /= np.linalg.norm(items, axis=1, keepdims=True)
outcomes = ["ignored", "clicked", "bought"]
rewards = {"ignored": 0.0, "clicked": 0.05, "bought": 1.0}


def pairs(visitor):
    """Return the features of this visitor with each item, shape (40, 12), of length at most 1."""
    crossed = (items[:, :, None] * visitor).reshape(40, 8)
    return np.hstack([items, crossed]) / np.sqrt(2)


lure, need = rng.standard_normal(12), rng.standard_normal(12)
need -= lure * (lure @ need) / (lure @ lure)  # unrelated to each other
taste = np.array([4.0 * lure / np.linalg.norm(lure), 4.0 * need / np.linalg.norm(need)])


def probabilities(actions):
    """Return the true probability of each outcome; clicks and purchases are rare unless the pair fits."""
    return softmax(np.column_stack([np.full(len(actions), 2.0), actions @ taste.T]), axis=1)


# %%
# A season
# --------
#
# Twenty days of 100 visitors. During a day the policy only chooses; the outcomes are known in the
# evening and handed over in one batch, together with the rows that were shown. A policy that is told
# that a click is worth as much as a purchase, and one that chooses at random, serve the same visitors.
# Four seasons tell apart skill from luck.

worth = np.array([rewards[outcome] for outcome in outcomes])


def draw_visitors(n):
    visitors = rng.standard_normal((n, 2))
    visitors /= np.linalg.norm(visitors, axis=1, keepdims=True)
    return np.array([pairs(visitor) for visitor in visitors])  # (n visitors, 40 items, 12 features)


def play_season(policies, n_days=20, n_visitors=100):
    """Return the expected revenue of each day by policy, as a share of what was possible."""
    share = {name: np.zeros(n_days) for name in policies}
    for day in range(n_days):
        candidates, luck = draw_visitors(n_visitors), rng.random(n_visitors)
        expected = np.array([probabilities(actions) @ worth for actions in candidates])
        for name, policy in policies.items():
            chosen = policy.select_action(candidates)  # all visitors of the day in one call
            shown = candidates[np.arange(n_visitors), chosen]
            seen = (luck[:, None] > np.cumsum(probabilities(shown), axis=1)).sum(axis=1)
            policy.update(shown, [outcomes[k] for k in seen])
            share[name][day] = expected[np.arange(n_visitors), chosen].sum() / expected.max(axis=1).sum()
    return share


def fresh_policies(seed):
    options = {"norm_bound": 8.0, "fit_intercept": True, "random_state": seed}
    return {
        "rewards by revenue": EOFDMLogBPolicy(rewards=rewards, **options),
        "a click is as good": EOFDMLogBPolicy(rewards={"ignored": 0, "clicked": 1, "bought": 1}, **options),
        "uniform": UniformPolicy(rewards=rewards, random_state=seed),
    }


seasons = []
for seed in range(4):
    policies = fresh_policies(seed)
    seasons.append(play_season(policies))

# %%
# What was learned
# ----------------
#
# Left: revenue day by day, means over the seasons with bands of one standard deviation. All choices of a
# day are made on the same knowledge, so early days are gambles. Right: the probabilities that the first
# policy believes in after its last season, against the true ones, for new visitors. It learned both
# outcomes apart, and best where it matters: for the items that it shows (large marks).

figure, axes = plt.subplots(1, 2, figsize=(10, 4.3), layout="constrained")
days = np.arange(1, 21)
styles = zip(seasons[0], ("#0072B2", "#D55E00", "#009E73"), ("o", "s", "^"), ("-", "--", "-."))
for name, color, marker, line in styles:
    shares = np.array([season[name] for season in seasons])
    mean, spread = shares.mean(axis=0), shares.std(axis=0, ddof=1)
    axes[0].plot(days, mean, color=color, marker=marker, markersize=4, linestyle=line, label=name)
    axes[0].fill_between(days, mean - spread, mean + spread, color=color, alpha=0.2, linewidth=0)
axes[0].set(xlabel="Day", ylabel="Revenue, as a share of the possible", ylim=(0, 1), xticks=range(0, 21, 5))
axes[0].legend(frameon=False, loc="lower right")

policy = policies["rewards by revenue"]
candidates = draw_visitors(40)
shown = candidates[np.arange(40), policy.select_action(candidates)]
for outcome, color, marker in (("clicked", "#D55E00", "s"), ("bought", "#0072B2", "o")):
    column, k = policy.classes_.tolist().index(outcome), outcomes.index(outcome)
    for actions, size, alpha, label in (
        (candidates.reshape(-1, 12), 4, 0.2, None),
        (shown, 30, 0.9, outcome),
    ):
        true, believed = probabilities(actions)[:, k], policy.predict_proba(actions)[:, column]
        axes[1].scatter(
            true, believed, s=size, color=color, marker=marker, alpha=alpha, linewidth=0, label=label
        )
axes[1].axline((0, 0), slope=1, color="#000000", linewidth=0.8)
axes[1].set(xlabel="True probability", ylabel="predict_proba", xlim=(0, 1), ylim=(0, 1), aspect="equal")
axes[1].legend(frameon=False, loc="upper left")
for ax in axes:
    ax.grid(alpha=0.3)
plt.show()

# %%
# Beginning with a log
# --------------------
#
# When prices change, the probabilities stay right, so that a policy with the new rewards can begin with the
# rounds of the old one: ``fit`` replays a log, whoever chose the actions in it. Here one log, of actions
# chosen at random, begins two policies: of a shop that sells, and of one that is paid by the click.

from skmlogb.datasets import make_mlogb

log_X, log_y = make_mlogb(5000, 12, random_state=0)
candidates, _ = make_mlogb(500, 12, random_state=1)
for business, prices in {"sells": [0, 0.05, 1], "is paid by the click": [0, 1, 0.3]}.items():
    policy = EOFDMLogBPolicy(rewards=prices, norm_bound=3.0, random_state=0).fit(log_X, log_y)
    _, clicked, bought = policy.predict_proba(candidates[[policy.select_action(candidates)]])[0]
    print(f"a shop that {business} shows an item clicked with {clicked:.2f}, bought with {bought:.2f}")
