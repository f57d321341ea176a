"""Pictures of results (matplotlib, imported when a picture is drawn)."""

import numpy as np
from sklearn.pipeline import Pipeline

__all__ = ["RegretDisplay", "RiskPathDisplay"]

# Okabe and Ito's palette without its yellow: told apart in every common form of colour blindness.
_COLORS = ("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#56B4E9", "#E69F00", "#000000")
_LINE_STYLES = ("-", "--", "-.", ":")


def _axes(ax):
    """Return `ax`, or the axes of a new figure."""
    if ax is not None:
        return ax
    try:
        import matplotlib.pyplot as plt
    except ImportError as error:
        raise ImportError("Displays need matplotlib: pip install 'skmlogb[plot]'.") from error
    return plt.subplots(layout="constrained")[1]


def _style(i):
    """Return the colour and line style of the i-th curve; no two curves share both before the 28th."""
    return {"color": _COLORS[i % len(_COLORS)], "linestyle": _LINE_STYLES[i % len(_LINE_STYLES)]}


class RegretDisplay:
    """Cumulative regret by round: the mean over trials, with a band.

    Draw one with :meth:`from_results`.

    Parameters
    ----------
    regret : array of shape (n_policies, n_trials, n_rounds)
        Cumulative regret.
    policies : list of str
        Names of the policies.

    Attributes
    ----------
    ax_ : matplotlib Axes
        Where the curves are.
    figure_ : matplotlib Figure
        The figure of `ax_`.
    lines_ : list of matplotlib Line2D
        The mean curves, one a policy.
    bands_ : list of matplotlib collections
        The bands, one a policy; empty without bands.

    Examples
    --------
    >>> from skmlogb.bandit import EOFDMLogBPolicy, UniformPolicy
    >>> from skmlogb.displays import RegretDisplay
    >>> from skmlogb.simulation import MLogBEnvironment, run_trials
    >>> policies = {"EOFD": EOFDMLogBPolicy(), "uniform": UniformPolicy()}
    >>> environment = MLogBEnvironment(n_features=3, n_outcomes=2)
    >>> results = run_trials(policies, environment, n_rounds=20, n_trials=3, random_state=0)
    >>> display = RegretDisplay.from_results(results)
    >>> [line.get_label() for line in display.lines_]
    ['EOFD', 'uniform']
    """

    def __init__(self, *, regret, policies):
        self.regret = regret
        self.policies = policies

    @classmethod
    def from_results(cls, results, *, ax=None, band="std"):
        """Draw the regret of the results of trials.

        Parameters
        ----------
        results : TrialResults
            What :func:`skmlogb.simulation.run_trials` returned.
        ax : matplotlib Axes, default=None
            Where to draw; None: a new figure.
        band : {"std", "range", None}, default="std"
            Shade one standard deviation between trials (with n - 1) on either side of the mean, all that lies
            between the least and the greatest trial, or nothing. A single trial has no band.

        Returns
        -------
        display : RegretDisplay
            The display, drawn.
        """
        return cls(regret=results.regret, policies=results.policies).plot(ax=ax, band=band)

    def plot(self, *, ax=None, band="std"):
        """Draw the curves.

        Parameters
        ----------
        ax, band : object
            As for :meth:`from_results`.

        Returns
        -------
        display : RegretDisplay
            The display, drawn.
        """
        if band not in ("std", "range", None):
            raise ValueError(f"band must be 'std', 'range' or None; got {band!r}.")
        shape = np.shape(self.regret)
        if len(shape) != 3 or shape[0] != len(self.policies) or 0 in shape:
            raise ValueError(
                "regret must have shape (n_policies, n_trials, n_rounds), with a policy for each of"
                f" {list(self.policies)!r}; got shape {shape}."
            )
        self.ax_ = _axes(ax)
        self.figure_ = self.ax_.figure
        self.lines_, self.bands_ = [], []
        rounds = np.arange(1, shape[-1] + 1)
        for i, (name, regret) in enumerate(zip(self.policies, np.asarray(self.regret))):
            mean = regret.mean(axis=0)
            self.lines_ += self.ax_.plot(rounds, mean, label=name, linewidth=1.8, **_style(i))
            if band is not None and len(regret) > 1:
                low, high = self._band(regret, mean, band)
                shade = self.ax_.fill_between(
                    rounds, low, high, color=_style(i)["color"], alpha=0.2, linewidth=0
                )
                self.bands_.append(shade)
        self.ax_.set(xlabel="Round", ylabel="Cumulative regret", xlim=(0, rounds[-1]))
        self.ax_.set_ylim(bottom=0)
        self.ax_.grid(alpha=0.3)
        self.ax_.legend(loc="upper left", frameon=False)
        return self

    @staticmethod
    def _band(regret, mean, band):
        if band == "range":
            return regret.min(axis=0), regret.max(axis=0)
        spread = regret.std(axis=0, ddof=1)
        return np.maximum(mean - spread, 0), mean + spread


class RiskPathDisplay:
    """The estimated risk of every iterate, its standard error and its least entry, beside the training loss.

    Draw one with :meth:`from_estimator`.

    Parameters
    ----------
    risk, std : array of shape (n_iter + 1,)
        Estimated risk of each iterate, and its standard error.
    loss : array of shape (n_iter + 1,), optional
        Training objective of each iterate.

    Attributes
    ----------
    ax_ : matplotlib Axes
        Where the risk is.
    loss_ax_ : matplotlib Axes or None
        The axes of the loss, which share the iterations; None without one.
    figure_ : matplotlib Figure
        The figure of `ax_`.
    risk_line_, best_, loss_line_ : matplotlib Line2D
        The risk, its least entry, and the loss (None without one).
    band_ : matplotlib collection or None
        Two standard errors on either side; None where they are 0.

    Examples
    --------
    >>> from skmlogb.datasets import make_robust_regression
    >>> from skmlogb.displays import RiskPathDisplay
    >>> from skmlogb.robust import HuberSGDRegressor
    >>> X, y = make_robust_regression(200, 100, random_state=0)
    >>> model = HuberSGDRegressor(max_iter=20, random_state=0).fit(X, y)
    >>> display = RiskPathDisplay.from_estimator(model)
    >>> display.ax_.get_ylabel()
    'Estimated risk'
    """

    def __init__(self, *, risk, std, loss=None):
        self.risk = risk
        self.std = std
        self.loss = loss

    @classmethod
    def from_estimator(cls, estimator, *, ax=None, loss=True):
        """Draw the risk path of a fitted regressor.

        Parameters
        ----------
        estimator : HuberSGDRegressor, PseudoHuberSGDRegressor, Pipeline or search
            Fitted, with a risk; of a search, the best estimator, and of a pipeline, its last step.
        ax : matplotlib Axes, default=None
            Where to draw; None: a new figure.
        loss : bool, default=True
            Whether to draw the training objective too, on an axis of its own.

        Returns
        -------
        display : RiskPathDisplay
            The display, drawn.

        Raises
        ------
        AttributeError
            If the estimator is not fitted, or was fitted with risk=None.
        """
        estimator = getattr(estimator, "best_estimator_", estimator)
        if isinstance(estimator, Pipeline):
            estimator = estimator[-1]
        paths = {"risk": estimator.risk_path_, "std": estimator.risk_path_std_}
        return cls(**paths, loss=estimator.loss_path_ if loss else None).plot(ax=ax)

    def plot(self, *, ax=None):
        """Draw the curves.

        Parameters
        ----------
        ax : matplotlib Axes, default=None
            Where to draw; None: a new figure.

        Returns
        -------
        display : RiskPathDisplay
            This display.
        """
        risk, std = np.asarray(self.risk, dtype=float), np.asarray(self.std, dtype=float)
        loss = risk if self.loss is None else self.loss
        if risk.ndim != 1 or not risk.shape == std.shape == np.shape(loss) or np.isnan(risk).all():
            raise ValueError(
                "risk, std and loss must have one shape (n_iter + 1,), and risk an entry that is not NaN; got"
                f" shapes {risk.shape}, {std.shape}, {np.shape(loss)} and {np.isnan(risk).sum()} NaN."
            )
        self.ax_ = _axes(ax)
        self.figure_ = self.ax_.figure
        updates = np.arange(len(risk))
        (self.risk_line_,) = self.ax_.plot(updates, risk, linewidth=1.8, label="risk", **_style(0))
        self.band_ = None
        if np.any(std > 0):
            low, high = risk - 2 * std, risk + 2 * std
            self.band_ = self.ax_.fill_between(
                updates, low, high, color=_style(0)["color"], alpha=0.2, linewidth=0
            )
        best = int(np.nanargmin(risk))
        label = f"least risk, iteration {best}"
        (self.best_,) = self.ax_.plot(best, risk[best], "o", color=_style(0)["color"], label=label)
        self.ax_.set(xlabel="Iteration", ylabel="Estimated risk")
        self.ax_.grid(alpha=0.3)
        lines = [self.risk_line_, self.best_]
        self.loss_ax_ = self.loss_line_ = None
        if self.loss is not None:
            self.loss_ax_ = self.ax_.twinx()
            (self.loss_line_,) = self.loss_ax_.plot(updates, loss, label="training loss", **_style(1))
            self.loss_ax_.set_ylabel("Training loss", color=_style(1)["color"])
            lines.append(self.loss_line_)
        self.ax_.legend(handles=lines, loc="upper right", frameon=False)
        return self
