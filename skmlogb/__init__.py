"""Robust regression that knows its own risk, and bandits whose feedback has several outcomes."""

from . import bandit, datasets, displays, robust, simulation
from .bandit import *  # noqa: F403
from .datasets import *  # noqa: F403
from .displays import *  # noqa: F403
from .robust import *  # noqa: F403
from .simulation import *  # noqa: F403

__version__ = "0.1.0"

__all__ = ["__version__"]
__all__ += bandit.__all__
__all__ += datasets.__all__
__all__ += displays.__all__
__all__ += robust.__all__
__all__ += simulation.__all__
