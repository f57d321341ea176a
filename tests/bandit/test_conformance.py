"""scikit-learn's checks and our own pass for every policy, without an expected failure."""

import pytest
from sklearn.utils.estimator_checks import parametrize_with_checks

from skmlogb.bandit import EOFDMLogBPolicy, OFULMLogBPolicy, UniformPolicy, check_policy

POLICIES = [
    EOFDMLogBPolicy(),
    EOFDMLogBPolicy(sketch_size=3, sketch_buffer=0.0, fit_intercept=True, norm_bound=5.0),
    EOFDMLogBPolicy(reg_lambda="paper", eta="paper", exploration=1.0),
    OFULMLogBPolicy(),
    OFULMLogBPolicy(reg_lambda="theory", eta="theory", radius="theory", exploration=1.0),
    UniformPolicy(),
]


@parametrize_with_checks(POLICIES)
def test_scikit_learn(estimator, check):
    check(estimator)


@pytest.mark.parametrize("policy", POLICIES, ids=repr)
@pytest.mark.parametrize("rewards", [None, [0.5, 0, 1, 1], {"yes": 1, "no": 0}])
def test_policy_checks(policy, rewards):
    check_policy(policy.set_params(rewards=rewards))
