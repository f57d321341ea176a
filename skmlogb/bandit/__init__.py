"""Wing 2: multinomial logistic bandits."""

from .base import BasePolicy
from .policies import EOFDMLogBPolicy, OFULMLogBPolicy, UniformPolicy
from .policy_checks import check_policy

__all__ = ["BasePolicy", "EOFDMLogBPolicy", "OFULMLogBPolicy", "UniformPolicy", "check_policy"]
