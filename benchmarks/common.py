"""What every benchmark needs: timing side by side, tables, JSON with the machine it ran on, real data."""

import argparse
import json
import os
import platform
import statistics
import sys
from datetime import UTC, datetime
from importlib.metadata import version
from pathlib import Path
from time import perf_counter

import numpy as np
from threadpoolctl import threadpool_info

RESULTS = Path(os.environ.get("SKMLOGB_RESULTS") or Path(__file__).parent / "results")
OPENML_NAMES = {"mnist70k": "mnist_784", "letter": "letter", "satimage": "satimage", "penbased": "pendigits"}


def arguments(description, **options):
    """Parse the command line: --quick, --output, and one option for each (default, help) in `options`."""
    parser = argparse.ArgumentParser(description=description)
    parser.add_argument("--quick", action="store_true", help="smaller sizes and fewer repeats")
    parser.add_argument("--output", help="path of the JSON file (default: benchmarks/results/NAME.json)")
    for name, (default, text) in options.items():
        parser.add_argument(f"--{name.replace('_', '-')}", default=default, type=type(default), help=text)
    return parser.parse_args()


def time_side_by_side(alternatives, *, n_repeats, clock=perf_counter):
    """Call each alternative in turn, `n_repeats` times over; return the seconds of every call by name.

    Interleaved, so that a drift of the machine's speed meets all alternatives alike.
    """
    seconds = {name: [] for name in alternatives}
    for _ in range(n_repeats):
        for name, run in alternatives.items():
            start = clock()
            run()
            seconds[name].append(clock() - start)
    return seconds


def median(values):
    """Median of a non-empty sequence."""
    return statistics.median(values)


def machine():
    """Describe where and with what the benchmark runs."""
    packages = ("numpy", "scipy", "scikit-learn", "joblib", "threadpoolctl", "skmlogb")
    return {
        "date": datetime.now(UTC).isoformat(timespec="seconds"),
        "cpu": _cpu_name(),
        "n_cpus": os.cpu_count(),
        "platform": platform.platform(),
        "python": platform.python_version(),
        "packages": {name: version(name) for name in packages},
        "threads": [
            {key: pool.get(key) for key in ("internal_api", "version", "architecture", "num_threads")}
            for pool in threadpool_info()
        ],
    }


def _cpu_name():
    """Name the processor; /proc is more telling than `platform` where it exists."""
    try:
        lines = Path("/proc/cpuinfo").read_text().splitlines()
    except OSError:
        return platform.processor()
    return next((line.split(":", 1)[1].strip() for line in lines if line.startswith("model name")), "unknown")


def write_results(name, content, output=None):
    """Write `content` (a dict) with the machine's description to benchmarks/results/NAME.json or `output`."""
    path = Path(output) if output else RESULTS / f"{name}.json"
    path.parent.mkdir(parents=True, exist_ok=True)
    command = " ".join([Path(sys.argv[0]).name, *sys.argv[1:]])
    record = {"benchmark": name, "command": command, "machine": machine(), **content}
    path.write_text(json.dumps(record, indent=1, default=_plain) + "\n")
    print(f"\nwritten: {path}")


def _plain(value):
    if isinstance(value, (np.ndarray, np.generic)):
        return value.tolist()
    raise TypeError(f"cannot write {type(value).__name__} as JSON")


def print_table(rows, title=None):
    """Print dicts with the same keys as a table; numbers with four significant digits."""
    if title:
        print(f"\n{title}")
    columns = list(rows[0])
    cells = [columns] + [[_cell(row.get(column)) for column in columns] for row in rows]
    widths = [max(len(line[i]) for line in cells) for i in range(len(columns))]
    for i, line in enumerate(cells):
        print("  ".join(cell.rjust(width) if i else cell.ljust(width) for cell, width in zip(line, widths)))
        if i == 0:
            print("  ".join("-" * width for width in widths))


def _cell(value):
    if value is None:
        return "-"
    return f"{value:.4g}" if isinstance(value, float) else str(value)


def load_data(name):
    """Return (X as float64, y) of a real data set, from the folder SKMLOGB_DATA or else OpenML; say which."""
    folder = os.environ.get("SKMLOGB_DATA")
    if folder and (Path(folder) / f"{name}.npz").exists():
        with np.load(Path(folder) / f"{name}.npz", allow_pickle=False) as data:
            X, y = data["X"], data["y"]
        source = "SKMLOGB_DATA"
    else:
        from sklearn.datasets import fetch_openml

        try:
            X, y = fetch_openml(OPENML_NAMES[name], version=1, return_X_y=True, as_frame=False)
        except OSError as error:
            raise SystemExit(f"data: {name}.npz is not in SKMLOGB_DATA, and OpenML: {error}") from error
        source = "OpenML"
    print(f"data: {name} {X.shape} from {source}")
    return np.asarray(X, dtype=float), y
