"""
Heavy tails
===========

A few wild targets ruin least squares. Robust losses bound the pull of each row, and there are three in
scikit-learn's manner: :class:`~sklearn.linear_model.SGDRegressor` with ``loss="huber"``,
:class:`~sklearn.linear_model.HuberRegressor`, and :class:`~skmlogb.robust.HuberSGDRegressor`. They
differ in what they do about the *unit* of the target, and about overfitting.
"""

# %%
# From normal to wild
# -------------------
#
# Half as many features as rows, and noise from Student's t distribution: the fewer degrees of freedom,
# the heavier the tails. With 2 or fewer the variance is infinite.

import warnings

import matplotlib.pyplot as plt
import numpy as np
from sklearn.datasets import load_diabetes
from sklearn.exceptions import ConvergenceWarning
from sklearn.linear_model import HuberRegressor, SGDRegressor
from sklearn.model_selection import train_test_split
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

from skmlogb.datasets import make_robust_regression
from skmlogb.robust import HuberSGDRegressor

regressors = {
    "SGDRegressor, squared loss": SGDRegressor(random_state=0),
    "SGDRegressor, Huber loss": SGDRegressor(loss="huber", epsilon=1.35, random_state=0),
    "HuberRegressor": HuberRegressor(max_iter=1000),
    "HuberSGDRegressor": HuberSGDRegressor(early_stopping=True, random_state=0),
}
styles = dict(
    zip(
        regressors,
        (("#CC79A7", "^", ":"), ("#009E73", "D", "-."), ("#D55E00", "s", "--"), ("#0072B2", "o", "-")),
    )
)
degrees = [1.5, 2, 3, 5, 10]
error = {name: np.empty((len(degrees), 6)) for name in regressors}
for i, df in enumerate(degrees):
    for seed in range(6):
        X, y, coef = make_robust_regression(400, 200, df=df, coef=True, random_state=seed)
        for name, regressor in regressors.items():
            error[name][i, seed] = np.sum((regressor.fit(X, y).coef_ - coef) ** 2)

# %%
# Real data, and the unit of the target
# -------------------------------------
#
# Disease progression of 442 patients from ten measurements, in a pipeline; a tenth of the training
# targets are replaced by numbers from another column, 500 to 1000, as happens when tables are merged by
# hand. The same fits once more with the target in thousandths of its unit, and in thousands of them. A
# robust loss is quadratic up to some residual, and for ``SGDRegressor`` this ``epsilon`` is a number in
# units of ``y``: the default, 0.1, is far below all residuals here, so that every step has the same
# length and it depends on the unit what is learned. ``HuberRegressor`` estimates a scale along with the
# coefficients. ``HuberSGDRegressor`` measures ``epsilon`` in multiples of ``scale_``, a spread of ``y``
# that wild targets do not move.

X, y = load_diabetes(return_X_y=True)
units = [1e-3, 1.0, 1e3]
real_error = {name: np.empty((len(units), 6)) for name in regressors}
for seed in range(6):
    X_train, X_test, y_train, y_test = train_test_split(X, y, test_size=0.5, random_state=seed)
    rng = np.random.default_rng(seed)
    wrong = rng.choice(len(y_train), len(y_train) // 10, replace=False)
    y_train[wrong] = rng.uniform(500, 1000, len(wrong))
    for i, unit in enumerate(units):
        for name, regressor in regressors.items():
            model = make_pipeline(StandardScaler(), regressor)
            with warnings.catch_warnings():
                warnings.simplefilter("ignore", ConvergenceWarning)  # of SGDRegressor in some units
                predicted = model.fit(X_train, y_train * unit).predict(X_test) / unit
            real_error[name][i, seed] = np.mean(np.abs(predicted - y_test))

# %%
# Medians of six data sets, with bands from the best to the worst. Left: where tails are heavy,
# everything robust beats least squares by far, and where they are not it loses nothing; with half as
# many features as rows, stopping in time takes off about another quarter. Right: three of the four
# follow the targets that are right, but ``SGDRegressor`` only in the one unit that happens to suit it.

figure, axes = plt.subplots(1, 2, figsize=(11, 4.5), layout="constrained")
for name, (color, marker, line) in styles.items():
    for ax, x, values in ((axes[0], degrees, error[name]), (axes[1], units, real_error[name])):
        ax.plot(x, np.median(values, axis=1), color=color, marker=marker, linestyle=line, label=name)
        ax.fill_between(x, values.min(axis=1), values.max(axis=1), color=color, alpha=0.15, linewidth=0)
axes[0].set(
    xlabel="Degrees of freedom of the noise", ylabel="Squared error of prediction", yscale="log", xscale="log"
)
axes[0].set_xticks(degrees, [f"{df:g}" for df in degrees])
axes[1].set(
    xlabel="Unit of the target", ylabel="Absolute error on new patients", xscale="log", ylim=(0, None)
)
axes[1].set_xticks(units, ["thousandths", "as given", "thousands"])
for ax in axes:
    ax.minorticks_off()
    ax.grid(alpha=0.3)
figure.legend(*axes[0].get_legend_handles_labels(), loc="outside lower center", ncols=4, frameon=False)
plt.show()

# %%
# No outlier was named, and none needs to be: their rows just stop pulling harder once they are far out.
# They can be found afterwards, by their residuals.

model = make_pipeline(StandardScaler(), HuberSGDRegressor(early_stopping=True, random_state=0)).fit(
    X_train, y_train
)
residuals = np.abs(y_train - model.predict(X_train))
suspects = np.argsort(residuals)[-len(wrong) :]
print(f"{np.isin(suspects, wrong).sum()} of the {len(wrong)} largest residuals belong to wrong targets")
