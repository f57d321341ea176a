"""Fixtures that every test may use."""

import os

import numpy as np
import pytest
from hypothesis import settings

os.environ.setdefault("MPLBACKEND", "Agg")

# The same examples every time, unless a seed asks for fresh ones; no time limit an example.
settings.register_profile("skmlogb", deadline=None, derandomize="SKMLOGB_SEED" not in os.environ)
settings.load_profile("skmlogb")


def _seeds():
    """SKMLOGB_SEED: a number from 0 to 99, or "all"; every test must pass with each of them."""
    asked = os.environ.get("SKMLOGB_SEED", "42")
    return list(range(100)) if asked == "all" else [int(asked)]


@pytest.fixture(params=_seeds())
def seed(request):
    """Return the seed of this run of the test."""
    return request.param


@pytest.fixture
def rng(seed):
    """Return a generator seeded by `seed`."""
    return np.random.default_rng(seed)
