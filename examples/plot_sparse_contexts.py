"""
Many features, few of them at a time
====================================

Text, user ids, crossed categories: hashed into tens of thousands of columns, each action has a few dozen
entries that are not 0. The full Hessian of such a problem does not fit into memory, and its sketch does.
:class:`~skmlogb.bandit.EOFDMLogBPolicy` takes CSR matrices as they are.
"""

# %%
# Real text without a download
# ----------------------------
#
# The documentation strings of NumPy, SciPy and scikit-learn are a corpus that everyone who reads this
# has installed. Each round shows one function from each of eight subpackages, and a click is won by
# showing the one from ``scipy.stats``, of which the policy is told nothing: it sees words, and whether
# there was a click.

import importlib
import inspect
import pickle
from time import perf_counter

import matplotlib.pyplot as plt
import numpy as np
from sklearn.feature_extraction.text import CountVectorizer, HashingVectorizer

from skmlogb.bandit import EOFDMLogBPolicy, UniformPolicy
from skmlogb.displays import RegretDisplay
from skmlogb.simulation import ClassificationEnvironment, run_trials

subpackages = [
    "scipy.stats", "scipy.special", "scipy.signal", "scipy.optimize", "scipy.sparse", "scipy.linalg", "numpy",
    "sklearn.metrics",
]  # fmt: skip
texts, labels = [], []
for name in subpackages:
    module = importlib.import_module(name)
    for member in vars(module).values():
        if callable(member) and (text := inspect.getdoc(member)):
            texts.append(text)
            labels.append(name)

X = HashingVectorizer(n_features=2**14, alternate_sign=False, stop_words="english").transform(texts)
print(f"{X.shape[0]} texts, {X.shape[1]} features, {X.nnz / X.shape[0]:.0f} words in a text")

# %%
# Hundreds of rounds
# ------------------
#
# A text's features have length 1, so that ``context_bound=1`` holds, and ``norm_bound`` allows for a
# parameter that separates the subpackages well.

environment = ClassificationEnvironment(X, labels, target="scipy.stats")
policies = {
    "EOFD-MLogB": EOFDMLogBPolicy(sketch_size=24, norm_bound=20.0),
    "uniform": UniformPolicy(),
}
results = run_trials(policies, environment, n_rounds=400, n_trials=3, random_state=0)

# %%
# Time and memory, linear in the number of features
# -------------------------------------------------
#
# The same texts, hashed into more and more columns. Memory is that of the whole policy, pickled, after
# 60 rounds.

sizes = 2 ** np.arange(11, 17)
milliseconds, megabytes = [], []
for d in sizes:
    hashed = HashingVectorizer(n_features=int(d), alternate_sign=False, stop_words="english").transform(texts)
    policy = EOFDMLogBPolicy(sketch_size=24, norm_bound=20.0, random_state=0)
    rng = np.random.default_rng(0)
    seconds = []
    for _ in range(60):
        actions = hashed[rng.choice(len(texts), 8, replace=False)]
        start = perf_counter()
        choice = policy.select_action(actions)
        policy.update(actions[[choice]], int(rng.integers(2)))
        seconds.append(perf_counter() - start)
    milliseconds.append(1e3 * np.median(seconds[30:]))
    megabytes.append(len(pickle.dumps(policy)) / 2**20)

# %%
# Left: regret, with bands of one standard deviation between trials. Middle: the time of a round. Right:
# memory, and what a dense Hessian of :math:`8 d^2` bytes would take.

figure, axes = plt.subplots(1, 3, figsize=(12, 4), layout="constrained")
RegretDisplay.from_results(results, ax=axes[0])
axes[1].plot(sizes, milliseconds, color="#0072B2", marker="o")
axes[1].set(ylabel="Milliseconds a round")
axes[2].plot(sizes, megabytes, color="#0072B2", marker="o", label="policy with its sketch")
axes[2].plot(sizes, 8 * sizes**2 / 2**20, color="#D55E00", linestyle="--", marker="s", label="full Hessian")
axes[2].set(ylabel="Megabytes")
axes[2].legend(frameon=False)
for ax in axes[1:]:
    ax.set(xscale="log", yscale="log", xlabel="Number of features", xticks=sizes)
    ax.set_xticklabels([f"{d // 1024}k" for d in sizes])
    ax.minorticks_off()
    ax.grid(alpha=0.3)
axes[1].set(yscale="linear", ylim=(0, None))
plt.show()

# %%
# Which words earn clicks?
# ------------------------
#
# A policy is a classifier too. Fitted to a log of random rounds, ``coef_`` holds one weight for each
# column. Hashing does not tell which words a column stands for, so the common words are looked up by
# hashing each of them.

rng = np.random.default_rng(1)
shown = rng.permutation(len(texts))[:1000]
policy = EOFDMLogBPolicy(sketch_size=24, norm_bound=20.0).fit(
    X[shown], np.array(labels)[shown] == "scipy.stats"
)
words = (
    CountVectorizer(min_df=30, stop_words="english", token_pattern="[a-z]{4,}")
    .fit(texts)
    .get_feature_names_out()
)
weights = (
    HashingVectorizer(n_features=2**14, alternate_sign=False, norm=None).transform(words) @ policy.coef_[0]
)
print("most telling words:", ", ".join(words[i] for i in np.argsort(weights)[:-11:-1]))
