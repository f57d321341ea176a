"""
When to stop
============

Gradient descent on a robust loss first learns the signal and then the noise. The training loss falls all the
while; the error on new data falls and rises again. :class:`~skmlogb.robust.HuberSGDRegressor` estimates the
latter for every iterate, from the training data alone.
"""

# %%
# Where the truth is known
# ------------------------
#
# Half as many features as rows, and noise of infinite variance (Student's t with 2 degrees of freedom).
# The bare recursion, :func:`~skmlogb.robust.proximal_sgd`, returns all iterates; since the data are
# made, the true risk of each can be computed, beside the estimate of
# :func:`~skmlogb.robust.trajectory_risk`, which sees ``X`` and ``y`` alone.

import matplotlib.pyplot as plt
import numpy as np
from sklearn.datasets import load_diabetes
from sklearn.kernel_approximation import RBFSampler
from sklearn.model_selection import train_test_split
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import PolynomialFeatures, StandardScaler

from skmlogb.datasets import make_robust_regression
from skmlogb.displays import RiskPathDisplay
from skmlogb.robust import Huber, HuberSGDRegressor, proximal_sgd, trajectory_risk

n_samples, n_features, n_updates = 3000, 1500, 100
X, y, coef = make_robust_regression(n_samples, n_features, coef=True, random_state=0)
noise = np.mean((y - X @ coef) ** 2)
rng = np.random.default_rng(0)
batches = {
    "All rows": None,
    "Batches of a fifth of the rows": [
        rng.choice(n_samples, n_samples // 5, replace=False) for _ in range(n_updates)
    ],
}

# %%
# The training loss is drawn below, the risk above: the estimate, with a band of two standard errors that
# come from the random vectors with which traces are estimated, and the truth. Both contain the mean
# square of the noise, which no method can reduce.

figure, axes = plt.subplots(
    2, 2, figsize=(10, 6), layout="constrained", sharex=True, sharey="row", height_ratios=(2, 1)
)
for column, (title, rows) in zip(axes.T, batches.items()):
    n_rows = n_samples if rows is None else n_samples // 5
    step = (1 + np.sqrt(n_features / n_rows)) ** -2  # one over the largest curvature of Gaussian features
    trajectory = proximal_sgd(X, y, loss=Huber(1.35), step_sizes=np.full(n_updates, step), batches=rows)
    path = trajectory_risk(X, y, trajectory, random_state=0)
    truth = np.sum((trajectory.coefs - coef) ** 2, axis=1) + noise
    loss = [Huber(1.35).value(y - X @ b).mean() for b in trajectory.coefs]
    best = np.argmin(path.risk)
    updates = np.arange(n_updates + 1)
    column[0].plot(updates, truth, color="#D55E00", linestyle="--", label="true risk")
    column[0].plot(updates, path.risk, color="#0072B2", label="estimated risk")
    column[0].fill_between(
        updates, path.risk - 2 * path.std, path.risk + 2 * path.std, color="#0072B2", alpha=0.25, linewidth=0
    )
    column[1].plot(updates, loss, color="#009E73", linestyle="-.", label="training loss")
    for ax in column:
        ax.axvline(best, color="#000000", linestyle=":", label=f"least estimate, update {best}")
        ax.grid(alpha=0.3)
    column[0].set_title(title)
    column[1].set_xlabel("Updates")
    excess = truth - noise
    print(
        f"{title}: squared error {excess[best]:.2f} at the chosen update, {excess.min():.2f} at the best,",
        end=" ",
    )
    print(f"{excess[-1]:.2f} at the last")
axes[0, 0].set_ylabel("Risk")
axes[1, 0].set_ylabel("Training loss")
axes[0, 0].legend(frameon=False)
plt.show()

# %%
# Real data
# ---------
#
# Disease progression of 442 patients, from ten measurements. Half of the patients are put aside, only to
# look at. Three hundred random cosine features of the measurements
# (:class:`~sklearn.kernel_approximation.RBFSampler`) make a flexible model of them, one that overfits
# soon. The estimate and the error on the patients put aside contain the noise of different patients, so
# each is drawn above its own minimum.

X, y = load_diabetes(return_X_y=True)
X_train, X_test, y_train, y_test = train_test_split(X, y, test_size=0.5, random_state=0)


def estimate_and_error(features, n_updates=100):
    """Return the risk path, and the squared error on rows put aside, by update."""
    Z_train, Z_test = features.fit_transform(X_train), features.transform(X_test)
    model = HuberSGDRegressor(max_iter=n_updates, random_state=0).fit(Z_train, y_train)
    follower = HuberSGDRegressor(max_iter=1, warm_start=True, risk=None)
    errors = [
        np.mean((follower.fit(Z_train, y_train).predict(Z_test) - y_test) ** 2) for _ in range(n_updates)
    ]
    return model.risk_path_[1:], np.array(errors)


cosines = RBFSampler(gamma=0.05, n_components=300, random_state=0)
products = PolynomialFeatures(3, include_bias=False)

figure, axes = plt.subplots(1, 2, figsize=(10, 4), layout="constrained")
for ax, (title, step) in zip(axes, {"Cosine features": cosines, "Cubic products": products}.items()):
    risk, errors = estimate_and_error(make_pipeline(StandardScaler(), step, StandardScaler()))
    updates = np.arange(1, len(risk) + 1)
    ax.plot(updates, errors - errors.min(), color="#D55E00", linestyle="--", label="patients put aside")
    ax.plot(updates, risk - risk.min(), color="#0072B2", label="risk_path_")
    ax.axvline(np.argmin(risk) + 1, color="#000000", linestyle=":", label="where risk_path_ is least")
    ax.set(title=title, xlabel="Updates", xscale="log", ylim=(0, 900))
    ax.grid(alpha=0.3)
axes[0].set_ylabel("Squared error, above its minimum")
axes[0].legend(frameon=False)
plt.show()

# %%
# A sign to look for
# ------------------
#
# The theory asks for rows that are alike (:doc:`/guide/risk_path`). Products up to third order have
# heavy tails: a few patients with extreme measurements have rows several times as long as the others. In
# the right-hand picture the estimate still finds about the right place, but it rises too late. With
# gross errors in the targets of such rows it can miss the turn altogether. Bounded or transformed
# features are the remedy; whether they are called for can be seen beforehand:

for title, step in (("cosine features", cosines), ("cubic products", products)):
    Z = make_pipeline(StandardScaler(), step, StandardScaler()).fit_transform(X_train)
    lengths = np.linalg.norm(Z, axis=1)
    print(f"{title}: the longest row is {lengths.max() / np.median(lengths):.1f} times the median")

# %%
# ``early_stopping=True`` uses the path while fitting: it stops once the risk has not improved for
# ``n_iter_no_change`` updates, and keeps the coefficients of ``best_iter_``.
# :class:`~skmlogb.displays.RiskPathDisplay` draws the path of any fitted estimator.

features = make_pipeline(StandardScaler(), cosines, StandardScaler())
stopped = HuberSGDRegressor(early_stopping=True, random_state=0).fit(features.fit_transform(X_train), y_train)
print(f"{stopped.n_iter_} updates made, those of update {stopped.best_iter_} kept")
RiskPathDisplay.from_estimator(stopped)
plt.show()
