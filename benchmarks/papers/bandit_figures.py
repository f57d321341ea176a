"""Figures 1 and 2 of the bandit paper, and its search for lambda and eta.

    python -m benchmarks.papers.bandit_figures [--quick] [--figure 1a 2b grid-c ...] [--n-jobs 2]

Each figure prints its table and is written as JSON; pictures and the comparison with the paper's claims are
then drawn up from all the JSON files there are. Times (Figure 2) are always measured one run after the other.
"""

import argparse
import json
from pathlib import Path

from benchmarks.common import RESULTS, print_table, write_results
from benchmarks.papers.bandit_grid import EXPONENTS, grid_panel
from benchmarks.papers.bandit_pictures import draw_grid, draw_regret, draw_times
from benchmarks.papers.bandit_report import grid_summary, write_report
from benchmarks.papers.bandit_runs import regret_panel, time_panel
from benchmarks.papers.bandit_settings import NORMS

FIGURES = ("1a", "1b", "1c", "2a", "2b", "2c", "grid-b", "grid-c")
HORIZON = 3000  # T, which the paper does not state


def main():
    args = _arguments()
    folder = Path(args.output)
    folder.mkdir(parents=True, exist_ok=True)
    for figure in args.figure:
        content = _run(figure, args.quick, args.n_jobs)
        for title, rows in _tables(figure, content):
            print_table(rows, title)
        name = _name(figure)
        write_results(name, content, folder / f"{name}.json")
    results = {figure: _read(folder / f"{_name(figure)}.json") for figure in FIGURES}
    results = {figure: content for figure, content in results.items() if content}
    _draw(results, folder)
    write_report(results, folder / "bandit_paper.md")


def _arguments():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--quick", action="store_true", help="few rounds and trials, a coarse grid")
    parser.add_argument("--figure", nargs="+", choices=FIGURES, default=FIGURES, help="default: all")
    parser.add_argument("--n-jobs", type=int, default=1, help="processes, for regret and grid (default: 1)")
    parser.add_argument("--output", default=str(RESULTS), help="folder (default: benchmarks/results)")
    return parser.parse_args()


def _run(figure, quick, n_jobs):
    panel = figure[-1]
    if figure.startswith("1"):
        return regret_panel(
            panel, n_rounds=200 if quick else HORIZON, n_trials=3 if quick else 10, n_jobs=n_jobs
        )
    if figure.startswith("2"):
        return time_panel(
            panel,
            n_rounds=200 if quick else 1000,
            n_literal_rounds=5 if quick else 50,
            n_trials=2 if quick else 10,
            horizon=HORIZON,
        )
    return grid_panel(
        panel,
        n_rounds=100 if quick else HORIZON // 3,
        n_trials=1 if quick else 3,
        exponents=EXPONENTS[::2] if quick else EXPONENTS,
        n_jobs=n_jobs,
    )


def _tables(figure, content):
    """Yield (title, rows) of what a figure prints."""
    title = f"Figure {figure}: {content['title']}"
    if figure.startswith("2"):
        yield title, content["table"]
        yield "time saved (medians)", content["savings"]
        return
    rows = content["table"] if figure.startswith("1") else grid_summary(content)
    yield f"{title}, {content['n_rounds']} rounds, {content['n_trials']} trials", rows


def _draw(results, folder):
    regrets = [results[figure] for figure in ("1a", "1b", "1c") if figure in results]
    times = [results[figure] for figure in ("2a", "2b", "2c") if figure in results]
    for norm in NORMS:
        if regrets:
            draw_regret(regrets, norm, folder / f"bandit_paper_figure1_norm{norm:g}.png")
        for figure in ("grid-b", "grid-c"):
            if figure in results:
                name = f"bandit_paper_{figure.replace('-', '_')}_norm{norm:g}.png"
                draw_grid(results[figure], norm, folder / name)
    if times:
        draw_times(times, folder / "bandit_paper_figure2.png")


def _name(figure):
    return f"bandit_paper_{figure.replace('-', '_')}"


def _read(path):
    return json.loads(path.read_text()) if path.exists() else None


if __name__ == "__main__":
    main()
