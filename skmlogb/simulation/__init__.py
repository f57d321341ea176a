"""Where policies meet environments."""

from .environments import ClassificationEnvironment, MLogBEnvironment
from .trials import TrialResults, run_trials

__all__ = ["ClassificationEnvironment", "MLogBEnvironment", "TrialResults", "run_trials"]
