"""Wing 2: multinomial logistic bandits."""

from .policies import EOFDMLogBPolicy, OFULMLogBPolicy, UniformPolicy
from .policy_checks import check_policy

__all__ = ["EOFDMLogBPolicy", "OFULMLogBPolicy", "UniformPolicy", "check_policy"]
