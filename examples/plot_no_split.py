"""
Grid search without a split
===========================

Cross-validation fits every setting five times, each time on fewer rows than there are, and judges models
that will be thrown away. The risk path needs no rows put aside: ``cv=NoSplit()`` with
``scoring=trajectory_risk_scorer`` fits each setting once, on everything, and judges the very model that
is kept.
"""

# %%
# One search
# ----------
#
# Lasso penalties of several strengths and two lengths of the step, each fit stopped where its risk is least.

import matplotlib.pyplot as plt
import numpy as np
from sklearn.datasets import load_diabetes
from sklearn.kernel_approximation import RBFSampler
from sklearn.model_selection import GridSearchCV, train_test_split
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

from skmlogb.datasets import make_robust_regression
from skmlogb.robust import HuberSGDRegressor, NoSplit, trajectory_risk_scorer

alphas = np.logspace(-2.5, -0.5, 7)
stopped = HuberSGDRegressor(penalty="l1", early_stopping=True, random_state=0)


def data(seed):
    return make_robust_regression(600, 300, coef=True, random_state=seed)


def squared_error(fitted, coef):
    """Return the squared error of prediction on new rows, the noise left out."""
    return np.sum((fitted.coef_ - coef) ** 2) + fitted.intercept_**2


X, y, coef = data(0)
search = GridSearchCV(
    stopped, {"alpha": alphas, "eta0": [0.5, 1.0]}, cv=NoSplit(), scoring=trajectory_risk_scorer
).fit(X, y)
print(search.best_params_)

# %%
# The score is minus the estimated risk of the iterate that ``coef_`` holds. All settings share ``y``, so
# all risks contain the same noise, and what they differ by is what the settings differ by. The data are
# made, so the truth is known as well.
#
# Against five folds
# ------------------
#
# Six data sets, searched both ways. Cross-validation has no path to stop by, so the number of updates
# is one more thing that it has to search over; it judges by the absolute error, which heavy-tailed noise
# cannot blow up.

searches = {
    "no split": GridSearchCV(stopped, {"alpha": alphas}, cv=NoSplit(), scoring=trajectory_risk_scorer),
    "five folds": GridSearchCV(
        HuberSGDRegressor(penalty="l1", risk=None),
        {"alpha": alphas, "max_iter": [10, 20, 40, 80]},
        cv=5,
        scoring="neg_mean_absolute_error",
    ),
}
errors = {name: [] for name in searches}
for seed in range(6):
    X_new, y_new, coef_new = data(seed)
    for name, each in searches.items():
        errors[name].append(squared_error(each.fit(X_new, y_new).best_estimator_, coef_new))

# %%
# Left: the first search, estimates and truth. Right: the squared error on new rows of the models that
# were chosen, one line a data set. The length of the step hardly matters. In this
# setting neither choice is better; one search makes 7 fits, the other 140, though each of the 7 also pays
# for its path.
#
# That is one setting of five that were tried. Mean squared errors, without a split and with five folds, were
# 0.46 and 0.47 here (n=600, p=300), 0.87 and 0.91 (800, 800), 1.77 and 1.71 (1000, 1500), 1.90 and 1.88 (500,
# 1000, noise of t(3)), and 1.25 and 1.12 (500, 500). At these sizes the path cost from about as much as the
# folds to twice as much; for large data it costs less (:doc:`/benchmarks`).

noise = np.mean((y - X @ coef) ** 2)
figure, axes = plt.subplots(1, 2, figsize=(10, 4), layout="constrained", width_ratios=(3, 2))
for eta0, color, marker in ((0.5, "#0072B2", "o"), (1.0, "#D55E00", "s")):
    of_step = np.array([params["eta0"] == eta0 for params in search.cv_results_["params"]])
    estimate = -search.cv_results_["mean_test_score"][of_step]
    truth = [squared_error(stopped.set_params(alpha=a, eta0=eta0).fit(X, y), coef) + noise for a in alphas]
    axes[0].plot(alphas, estimate, color=color, marker=marker, label=f"estimate, eta0={eta0}")
    axes[0].plot(
        alphas,
        truth,
        color=color,
        marker=marker,
        linestyle="--",
        fillstyle="none",
        label=f"truth, eta0={eta0}",
    )
axes[0].set(xscale="log", xlabel="alpha", ylabel="Risk")
axes[0].legend(frameon=False)
pairs = np.array(list(errors.values()))
axes[1].plot(pairs, color="#888888", linewidth=0.8)
for x, (color, marker) in enumerate((("#0072B2", "o"), ("#D55E00", "s"))):
    axes[1].plot(np.full(pairs.shape[1], x), pairs[x], color=color, marker=marker, linestyle="none")
axes[1].set(xticks=[0, 1], xticklabels=errors, xlim=(-0.4, 1.4), ylim=(0, None))
axes[1].set_ylabel("Squared error of the chosen model")
for ax in axes:
    ax.grid(alpha=0.3)
plt.show()
print({name: f"{np.mean(values):.2f}" for name, values in errors.items()})

# %%
# A pipeline on real data
# -----------------------
#
# Anything that leaves ``y`` alone can be searched over, the steps before the regressor too. Here it is
# how fine a structure random cosine features resolve (``gamma``) and the penalty, on half of the
# diabetes data; the other half tells what came of it.

X, y = load_diabetes(return_X_y=True)
X_train, X_test, y_train, y_test = train_test_split(X, y, test_size=0.5, random_state=0)
pipeline = make_pipeline(
    StandardScaler(),
    RBFSampler(n_components=300, random_state=0),
    StandardScaler(),
    HuberSGDRegressor(early_stopping=True, random_state=0),
)
grid = {
    "rbfsampler__gamma": [0.01, 0.03, 0.1, 0.3],
    "hubersgdregressor__penalty": [None, "l2"],
    "hubersgdregressor__alpha": [0.1],
}
for name, options in {
    "no split": {"cv": NoSplit(), "scoring": trajectory_risk_scorer},
    "five folds": {"cv": 5, "scoring": "neg_mean_absolute_error"},
}.items():
    each = GridSearchCV(pipeline, grid, **options).fit(X_train, y_train)
    error = np.mean(np.abs(each.predict(X_test) - y_test))
    print(f"{name}: {8 * each.n_splits_} fits, absolute error on new patients {error:.1f}")
    print("  ", each.best_params_)
