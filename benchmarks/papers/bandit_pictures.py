"""Pictures of the bandit paper's experiments, drawn from the recorded results."""

import matplotlib.pyplot as plt
import numpy as np

from benchmarks.papers.bandit_settings import (
    BUFFERED,
    CHOICES,
    EXACT,
    LITERAL_EOFD,
    LITERAL_OFUL,
    NAMES,
    OFUL,
    RADII,
    UNIFORM,
)

# Okabe and Ito's colours; a wide line below a dashed and a dotted one, so that equal curves are all seen.
STYLES = {
    UNIFORM: {"color": "#000000", "linestyle": "-.", "linewidth": 1.2},
    OFUL: {"color": "#56B4E9", "linestyle": "-", "linewidth": 4.5},
    EXACT: {"color": "#D55E00", "linestyle": "--", "linewidth": 2.2},
    BUFFERED: {"color": "#000080", "linestyle": ":", "linewidth": 2.0},
}
BARS = {
    LITERAL_OFUL: ("#56B4E9", "//"),
    LITERAL_EOFD: ("#D55E00", "//"),
    OFUL: ("#56B4E9", ""),
    EXACT: ("#D55E00", ""),
    BUFFERED: ("#0072B2", ""),
}


def draw_regret(panels, norm, path):
    """Figure 1: a column for each panel, a row for each choice; mean and one standard deviation."""
    size = (4.2 * len(panels), 3.1 * len(CHOICES) + 0.6)
    figure, axes = plt.subplots(len(CHOICES), len(panels), figsize=size, squeeze=False, layout="constrained")
    for column, panel in zip(axes.T, panels):
        for ax, choice in zip(column, CHOICES):
            curves = [c for c in panel["curves"] if (c["norm_bound"], c["choice"]) == (norm, choice)]
            _draw_curves(ax, panel["rounds"], {curve["policy"]: curve for curve in curves})
            ax.set_title(f"({panel['panel']}) {panel['title']}\n{NAMES[choice]}", fontsize=10)
        column[-1].set_xlabel("round")
    for row in axes:
        row[0].set_ylabel("cumulative regret")
    handles, labels = axes[0, 0].get_legend_handles_labels()
    figure.legend(handles, labels, loc="outside lower center", ncols=len(labels), frameon=False)
    trials = panels[0]["n_trials"]
    figure.suptitle(f"Regret, S = {norm:g}: mean of {trials} trials, band of one standard deviation")
    _save(figure, path)


def _draw_curves(ax, rounds, curves):
    top = max(max(np.add(c["mean"], c["std"])) for name, c in curves.items() if name != UNIFORM)
    for name, style in STYLES.items():
        mean, std = np.array(curves[name]["mean"]), np.array(curves[name]["std"])
        ax.plot(rounds, mean, label=name, **style)
        ax.fill_between(rounds, mean - std, mean + std, color=style["color"], alpha=0.18, linewidth=0)
    uniform = curves[UNIFORM]["mean"][-1]
    top *= 1.12
    if uniform > 2 * top:  # it would press all others to the floor
        ax.set_ylim(0, top)
        ax.text(0.98, 0.03, f"uniform ends at {uniform:.0f}", transform=ax.transAxes, ha="right", fontsize=9)
    else:
        ax.set_ylim(bottom=0)
    ax.set_xlim(0, rounds[-1])
    ax.grid(alpha=0.3)


def draw_times(panels, path):
    """Figure 2: milliseconds a round, logarithmic; mean and one standard deviation between trials."""
    figure, axes = plt.subplots(
        1, len(panels), figsize=(4.2 * len(panels), 4.4), squeeze=False, layout="constrained"
    )
    for ax, panel in zip(axes[0], panels):
        rows = {row["policy"]: row for row in panel["table"]}
        for i, (name, (color, hatch)) in enumerate(BARS.items()):
            mean, std = rows[name]["mean_ms"], rows[name]["std_ms"]
            ax.bar(i, mean, color=color, hatch=hatch, edgecolor="black", linewidth=0.8)
            ax.errorbar(i, mean, yerr=[[min(std, 0.9 * mean)], [std]], color="black", capsize=4)
            ax.text(i, 1.12 * (mean + std), f"{mean:.3g}", ha="center", fontsize=9)
        ax.set_yscale("log")
        ax.set_ylim(0.1, 3 * max(row["mean_ms"] + row["std_ms"] for row in rows.values()))
        ax.set_xticks(range(len(BARS)), [name.replace(" ", "\n") for name in BARS], fontsize=9)
        ax.set_title(f"({panel['panel']}) {panel['title']}", fontsize=10)
        ax.grid(axis="y", alpha=0.3)
        ax.set_axisbelow(True)
    axes[0, 0].set_ylabel("milliseconds a round")
    trials = panels[0]["n_trials"]
    figure.suptitle(f"Time of a round: mean of {trials} trials, bars of one standard deviation")
    _save(figure, path)


def draw_grid(panel, norm, path):
    """Heat maps over (l, e): a row for each radius; regret and distance from W* of both policies."""
    exponents = panel["exponents"]
    columns = [("regret", OFUL), ("regret", BUFFERED), ("distance", OFUL), ("distance", BUFFERED)]
    names = {"regret": "regret / uniform's", "distance": "||W - W*|| / ||W*||"}
    figure, axes = plt.subplots(len(RADII), len(columns), figsize=(15, 7.4), layout="constrained")
    for j, (quantity, policy) in enumerate(columns):
        maps = [_heat_map(panel["table"], exponents, norm, radius, policy, quantity) for radius in RADII]
        both = [
            _heat_map(panel["table"], exponents, norm, radius, name, quantity)
            for radius in RADII
            for name in (OFUL, BUFFERED)
        ]
        limits = {"vmin": np.min(both), "vmax": np.max(both)}
        for ax, values, radius in zip(axes[:, j], maps, RADII):
            image = _draw_heat_map(ax, values, exponents, limits)
            ax.set_title(f"{policy}: {names[quantity]}\n{radius} radius", fontsize=10)
        if j % 2:
            figure.colorbar(image, ax=axes[:, j], shrink=0.8)
    for ax in axes[-1]:
        ax.set_xlabel("e, the exponent of eta")
    for ax in axes[:, 0]:
        ax.set_ylabel("l, the exponent of lambda")
    figure.suptitle(
        f"({panel['panel']}) {panel['title']}, S = {norm:g}, after {panel['n_rounds']} rounds, "
        f"mean of {panel['n_trials']} trials; boxed: the paper's choice"
    )
    _save(figure, path)


def _heat_map(table, exponents, norm, radius, policy, quantity):
    """Return the values (l, e)."""
    wanted = (norm, radius, policy)
    cells = {
        (row["l"], row["e"]): row[quantity]
        for row in table
        if (row["norm_bound"], row["radius"], row["policy"]) == wanted
    }
    return np.array([[cells[l, e] for e in exponents] for l in exponents])


def _draw_heat_map(ax, values, exponents, limits):
    image = ax.imshow(values, origin="lower", cmap="cividis", aspect="auto", **limits)
    middle = (limits["vmin"] + limits["vmax"]) / 2
    for (i, j), value in np.ndenumerate(values):
        color = "black" if value > middle else "white"
        ax.text(j, i, f"{value:.2f}", ha="center", va="center", fontsize=8, color=color)
    if 0.75 in exponents:
        at = exponents.index(0.75)
        ax.add_patch(
            plt.Rectangle((at - 0.5, at - 0.5), 1, 1, fill=False, edgecolor="#D55E00", linewidth=2.5)
        )
    ax.set_xticks(range(len(exponents)), exponents, fontsize=8)
    ax.set_yticks(range(len(exponents)), exponents, fontsize=8)
    return image


def _save(figure, path):
    figure.savefig(path, dpi=110)
    plt.close(figure)
    print(f"drawn: {path.name}")
