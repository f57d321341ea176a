"""Probes for Hutchinson's trace estimate: how many, and their draw."""

from itertools import islice

import numpy as np

from .._validation import check_number

# Up to this many multiplications a pair of iterates, all of the identity's columns cost less than they save.
EXACT_WORK = 2_000_000
MOST_PROBES = 32
PROBES_PER_NOISE = 1500  # the probes' noise then stays below the estimate's own


def number_of_probes(n_probes, n, q):
    """Return the number of probes for n rows and q columns, or "exact".

    The noise of a trace is at most about ``sqrt(2 (1/n + 1/q) / B)`` of it. What "auto" chooses depends on n
    and q alone, so that a longer path repeats a shorter one.

    Parameters
    ----------
    n_probes : "auto", "exact" or int >= 2
        What the user asked for.
    n, q : int
        Shape of the design.

    Examples
    --------
    >>> from skmlogb.robust.probes import number_of_probes
    >>> [number_of_probes("auto", n, q) for n, q in [(100, 20), (1000, 500), (10_000, 5_000)]]
    ['exact', 5, 2]
    """
    if isinstance(n_probes, str):
        if n_probes not in ("auto", "exact"):
            raise ValueError(f'n_probes must be "auto", "exact" or an integer >= 2; got {n_probes!r}.')
        if n_probes == "exact" or n * q * min(n, q) <= EXACT_WORK:
            return "exact"
        return int(np.clip(np.ceil(PROBES_PER_NOISE * (1 / n + 1 / q)), 2, MOST_PROBES))
    return check_number(n_probes, "n_probes", low=2, integer=True)


def draw_probes(n_probes, size, dtype, rng):
    """Return Rademacher probes of shape (n_probes, size).

    Examples
    --------
    >>> import numpy as np
    >>> from skmlogb.robust.probes import draw_probes
    >>> probes = draw_probes(2, 3, np.float32, np.random.default_rng(0))
    >>> probes.shape, np.unique(probes)
    ((2, 3), array([-1.,  1.], dtype=float32))
    """
    return rng.integers(0, 2, (n_probes, size), dtype=np.int8).astype(dtype) * 2 - 1


def unit_probes(rows, size, dtype, at_once):
    """Yield the unit vectors of these rows, at most `at_once` together, as (n_rows, size) arrays.

    Summed over them, products with probes are exact traces.

    Examples
    --------
    >>> import numpy as np
    >>> from skmlogb.robust.probes import unit_probes
    >>> [probes.argmax(axis=1) for probes in unit_probes([0, 2, 3], 4, np.float64, 2)]
    [array([0, 2]), array([3])]
    """
    rows = iter(rows)
    while chunk := list(islice(rows, at_once)):
        probes = np.zeros((len(chunk), size), dtype)
        probes[np.arange(len(chunk)), chunk] = 1
        yield probes
