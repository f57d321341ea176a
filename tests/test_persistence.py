"""Saved, loaded and resumed: pickle and skops, with the exact types that skops must be told to trust."""

import pickle

import numpy as np
import pytest
import skops.io

from skmlogb.bandit import EOFDMLogBPolicy, OFULMLogBPolicy, UniformPolicy
from skmlogb.datasets import make_mlogb, make_robust_regression
from skmlogb.robust import HuberSGDRegressor, PseudoHuberSGDRegressor

# Named in doc/guide/feedback.rst.
POLICY_TYPES = {
    "skmlogb.bandit.hessian.InvertedHessian",
    "skmlogb.bandit.hyperparameters.Hyperparameters",
    "skmlogb.bandit.rewards.Outcomes",
}
EOFD_TYPES = POLICY_TYPES | {
    "skmlogb.bandit.policies.EOFDMLogBPolicy",
    "skmlogb.bandit.sketched.SketchedCurvature",
}
OFUL_TYPES = POLICY_TYPES | {
    "skmlogb.bandit.policies.OFULMLogBPolicy",
    "skmlogb.bandit.dense.DenseCurvature",
}
BINARY = {"skmlogb.bandit.outcome_model.BinaryAlgebra"}
MULTINOMIAL = {"skmlogb.bandit.outcome_model.MultinomialAlgebra"}
UNIFORM_TYPES = {"skmlogb.bandit.policies.UniformPolicy", "skmlogb.bandit.rewards.Outcomes"}
HUBER_TYPES = {"skmlogb.robust.estimators.HuberSGDRegressor", "skmlogb.robust.frame.Frame"}
PSEUDO_HUBER_TYPES = {"skmlogb.robust.estimators.PseudoHuberSGDRegressor", "skmlogb.robust.frame.Frame"}
STREAM_TYPES = HUBER_TYPES | {
    "skmlogb.robust.losses.Huber",
    "skmlogb.robust.streaming.RowRecord",
    "skmlogb.robust.streaming.Stream",
}


def _pickled(obj, _):
    return pickle.loads(pickle.dumps(obj))


def _skopsed(obj, types):
    data = skops.io.dumps(obj)
    assert set(skops.io.get_untrusted_types(data=data)) == types
    return skops.io.loads(data, trusted=sorted(types))


resume = pytest.mark.parametrize("resume", [_pickled, _skopsed])


@resume
@pytest.mark.parametrize(
    ("policy", "labels", "types"),
    [
        (EOFDMLogBPolicy(sketch_size=3), [0, 1, 2], EOFD_TYPES | MULTINOMIAL),
        (EOFDMLogBPolicy(rewards=[0, 2]), [False, True], EOFD_TYPES | BINARY),
        (OFULMLogBPolicy(fit_intercept=True), ["a", "b", "c"], OFUL_TYPES | MULTINOMIAL),
        (UniformPolicy(), [0, 1], UNIFORM_TYPES),
    ],
)
def test_a_policy_goes_on_as_if_nothing_had_happened(resume, policy, labels, types, seed):
    X, numbers = make_mlogb(80, 5, n_outcomes=len(labels), random_state=seed)
    y = np.array(labels)[numbers]
    policy = policy.set_params(random_state=seed).fit(X[:40], y[:40])
    tied = np.repeat(X[:1], 20, axis=0)
    policy.select_action(tied)  # so that the generator has been used
    resumed = resume(policy, types)
    for each in (policy, resumed):
        each.update(X[40:], y[40:])
    np.testing.assert_array_equal(resumed.score_actions(X), policy.score_actions(X))
    choices = [[each.select_action(tied) for _ in range(20)] for each in (policy, resumed)]
    assert choices[0] == choices[1]
    assert resumed.n_rounds_ == 80


@resume
@pytest.mark.parametrize(
    ("estimator", "types"), [(HuberSGDRegressor, HUBER_TYPES), (PseudoHuberSGDRegressor, PSEUDO_HUBER_TYPES)]
)
@pytest.mark.parametrize(
    "options",
    [{}, {"penalty": "l1", "alpha": 0.1, "early_stopping": True}, {"penalty": "group_l1", "batch_size": 0.5}],
)
def test_a_regressor_predicts_the_same(resume, estimator, types, options, seed):
    X, y = make_robust_regression(60, 10, random_state=seed)
    groups = np.arange(10) // 2 if "batch_size" in options else None
    model = estimator(max_iter=20, groups=groups, random_state=seed, **options).fit(X, y)
    resumed = resume(model, types)
    np.testing.assert_array_equal(resumed.predict(X), model.predict(X))
    np.testing.assert_array_equal(resumed.risk_path_, model.risk_path_)
    assert resumed.best_iter_ == model.best_iter_


@resume
def test_a_stream_of_rows_goes_on(resume, seed):
    X, y = make_robust_regression(60, 10, random_state=seed)
    model = HuberSGDRegressor(random_state=seed).partial_fit(X[:30], y[:30])
    resumed = resume(model, STREAM_TYPES)
    for each in (model, resumed):
        each.partial_fit(X[30:], y[30:]).partial_fit(X[:30], y[:30])  # the last rows are known already
    np.testing.assert_array_equal(resumed.coef_, model.coef_)
    np.testing.assert_array_equal(resumed.risk_path_, model.risk_path_)


def test_skops_refuses_what_is_not_named(seed):
    X, y = make_mlogb(20, 3, random_state=seed)
    data = skops.io.dumps(EOFDMLogBPolicy().fit(X, y))
    with pytest.raises(skops.io.exceptions.UntrustedTypesFoundException):
        skops.io.loads(data, trusted=sorted(EOFD_TYPES))  # all but that of its outcomes' model
