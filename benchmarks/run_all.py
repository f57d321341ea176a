"""Every benchmark one after the other, each in a process of its own.

    python -m benchmarks.run_all [--full] [--only NAME ...]

Quick settings unless told --full; quick results go to benchmarks/results/quick, so that the recorded ones
stay. A benchmark that fails is reported at the end and does not stop the others.
"""

import argparse
import os
import subprocess
import sys
from pathlib import Path
from time import perf_counter

from benchmarks.common import RESULTS, print_table

BENCHMARKS = (
    "bandit_round_time",
    "bandit_regret_study",
    "robust_paper_table",
    "robust_off_assumptions",
    "robust_selection",
    "robust_stopping",
    "robust_cost",
    "papers.bandit_figures",
)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    size = parser.add_mutually_exclusive_group()
    size.add_argument("--quick", action="store_true", help="smaller sizes and fewer repeats (the default)")
    size.add_argument("--full", action="store_true", help="the sizes of the recorded results: hours")
    parser.add_argument("--only", nargs="+", choices=BENCHMARKS, default=BENCHMARKS, help="default: all")
    args = parser.parse_args()
    summary = [_run(name, args.full) for name in args.only]
    print_table(summary, "benchmarks")
    if any(row["result"] != "done" for row in summary):
        sys.exit(1)


def _run(name, full):
    """Run one benchmark with one BLAS thread; return a row of the summary."""
    print(f"\n=== {name} ===", flush=True)
    environment = os.environ | {"OPENBLAS_NUM_THREADS": "1", "OMP_NUM_THREADS": "1"}
    if not full:
        environment["SKMLOGB_RESULTS"] = str(RESULTS / "quick")
    command = [sys.executable, "-m", f"benchmarks.{name}", *([] if full else ["--quick"])]
    start = perf_counter()
    code = subprocess.run(command, cwd=Path(__file__).parents[1], env=environment).returncode
    result = "done" if code == 0 else f"failed ({code})"
    return {"benchmark": name, "seconds": perf_counter() - start, "result": result}


if __name__ == "__main__":
    main()
