"""Turn the recorded results of the benchmarks into what the pages include: doc/tables.

For each NAME of BENCHMARKS there is a fragment NAME.inc with all tables of benchmarks/results/NAME.json and
the pictures beside it, or the command that would record them. Reports that a benchmark wrote in Markdown
are copied with their pictures. conf.py calls `main` at each build; nothing in doc/tables is kept in git.
"""

import csv
import io
import json
import shutil
from pathlib import Path

HERE = Path(__file__).parent
RESULTS = HERE.parent / "benchmarks" / "results"
TABLES = HERE / "tables"
BENCHMARKS = {
    "risk_paper_figure_1": "robust_paper_table",
    "risk_paper_figure_2": "robust_paper_table",
    "risk_paper_figure_3": "robust_paper_table",
    "risk_paper_figure_4": "robust_paper_table",
    "robust_off_assumptions": "robust_off_assumptions",
    "robust_selection": "robust_selection",
    "robust_stopping": "robust_stopping",
    "robust_cost": "robust_cost",
    "bandit_round_time": "bandit_round_time",
    "bandit_regret_study": "bandit_regret_study",
}
REPORTS = {"bandit_paper": "papers.bandit_figures"}


LONG = 30  # rows; of a longer table the first few are shown
FEW = 10


def main():
    """Write everything afresh."""
    shutil.rmtree(TABLES, ignore_errors=True)
    TABLES.mkdir()
    for picture in RESULTS.glob("*.png"):
        shutil.copy(picture, TABLES)
    for name, module in BENCHMARKS.items():
        # Parts of a benchmark that were run by themselves have files of their own, NAME_PART.json.
        records = [json.loads(path.read_text()) for path in sorted(RESULTS.glob(f"{name}*.json"))]
        text = "\n".join(map(_fragment, records)) + _pictures(name)
        (TABLES / f"{name}.inc").write_text(text or _missing(module))
    for name, module in REPORTS.items():
        path = RESULTS / f"{name}.md"
        missing = f"# {name}\n\nNot recorded yet: `python -m benchmarks.{module}`.\n"
        (TABLES / f"{name}.md").write_text(path.read_text() if path.exists() else missing)


def _missing(module):
    return f"*Not recorded yet:* ``python -m benchmarks.{module}``.\n"


def _fragment(record):
    """Return the tables of one file, and where it was measured."""
    machine = record["machine"]
    packages = ", ".join(f"{package} {version}" for package, version in machine["packages"].items())
    source = f"*{machine['date'][:10]}, {machine['cpu']}; {packages}.*\n"
    return "\n".join([*(_table(title, rows) for title, rows in _tables(record, record.get("title"))), source])


def _pictures(name):
    pictures = sorted(RESULTS.glob(f"{name}*.png"))
    return "\n".join(
        f"\n.. image:: /tables/{path.name}\n   :alt: {path.stem.replace('_', ' ')}\n" for path in pictures
    )


def _tables(content, title):
    """Yield (title, rows) of every list of flat dicts, the machine's and the curves of pictures left out."""
    for key, value in content.items():
        if isinstance(value, dict) and key not in ("machine", "curves"):
            yield from _tables(value, None)
        elif _is_table(value):
            caption = title or ("" if key == "table" else key.replace("_", " "))
            if len(value) > LONG:
                caption += f" (the first {FEW} rows of {len(value)})"
            yield caption, value[: FEW if len(value) > LONG else LONG]


def _is_table(value):
    if not (isinstance(value, list) and value and all(isinstance(row, dict) for row in value)):
        return False
    return not any(isinstance(cell, (dict, list)) for row in value for cell in row.values())


def _table(title, rows):
    """Return rows (dicts) as a reStructuredText table; the columns are all keys that occur."""
    columns = list(dict.fromkeys(key for row in rows for key in row))
    text = io.StringIO()
    csv.writer(text).writerow(map(_cell, columns))
    csv.writer(text).writerows([_cell(row.get(column)) for column in columns] for row in rows)
    body = "".join(f"   {line}\n" for line in text.getvalue().splitlines())
    return f".. csv-table:: {_cell(title)}\n   :header-rows: 1\n   :class: table-sm\n\n{body}"


def _cell(value):
    if value is None:
        return ""
    if isinstance(value, float):
        return f"{value:.3g}" if abs(value) < 1000 else f"{value:,.0f}"
    return str(value).replace("*", "\\*").replace("|", "\\|").replace("`", "\\`")


if __name__ == "__main__":
    main()
