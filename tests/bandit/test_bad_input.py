"""Bad input gets an error that says which, found and wanted; the policy stays bit-identical."""

import pickle
import warnings

import numpy as np
import pytest
from scipy import sparse

from skmlogb.bandit import EOFDMLogBPolicy, OFULMLogBPolicy, UniformPolicy

LEARNERS = [EOFDMLogBPolicy, OFULMLogBPolicy]
POLICIES = [*LEARNERS, UniformPolicy]
GOOD = np.eye(3)


def trained(policy_class, **parameters):
    policy = policy_class(**{"rewards": {"a": 0, "b": 0.5, "c": 1}, "random_state": 0, **parameters})
    policy.fit(np.vstack([GOOD, GOOD]), ["a", "b", "c", "a", "c", "c"])
    policy.select_action(np.ones((4, 3)))  # the generator is part of the state
    return policy


BAD_ACTIONS = [
    ([[np.nan, 0, 0]], ValueError, "NaN"),
    ([[0, np.inf, 0]], ValueError, "infinity"),
    (np.array([[1.0, np.nan, 0]]), ValueError, "NaN"),
    (np.array([[1.0, 0, -np.inf]], dtype=np.float32), ValueError, "infinity"),
    (sparse.csr_array([[np.nan, 0, 1.0]]), ValueError, "NaN"),
    (np.ones((1, 4)), ValueError, "X has 4 features, but .* is expecting 3 features"),
    (np.ones((1, 2)), ValueError, "X has 2 features, but .* is expecting 3 features"),
    (sparse.csr_array(np.ones((1, 2))), ValueError, "X has 2 features"),
    (np.empty((0, 3)), ValueError, r"0 sample\(s\)"),
    (np.empty((1, 0)), ValueError, r"0 feature\(s\)"),
    (np.ones((1, 3)) + 1j, ValueError, "Complex data not supported"),
    (np.array([["x", "y", "z"]]), ValueError, "could not convert string to float|dtype='numeric'"),
    (np.array([[{}, 1, 2]], dtype=object), TypeError, "float.* argument must be a string or a real number"),
    (np.array([[None, 1, 2]], dtype=object), (TypeError, ValueError), "NaN|NoneType"),
    (None, (TypeError, ValueError), "2D array|scalar"),
    (7.0, ValueError, "2D array"),
    ("text", ValueError, "2D array|convert"),
]


def call_with(method, policy, X):
    if method in ("update", "partial_fit", "fit"):
        n_rounds = len(X) if isinstance(X, list) else getattr(X, "shape", [1])[0]
        return getattr(policy, method)(X, ["c"] * n_rounds)
    return getattr(policy, method)(X)


PREDICTIONS = ["predict", "predict_proba", "predict_reward"]
METHODS = [
    (policy_class, method)
    for policy_class in POLICIES
    for method in ("select_action", "score_actions", "partial_fit", "update", *PREDICTIONS)
    if hasattr(policy_class, method)
]


@pytest.mark.parametrize(("policy_class", "method"), METHODS)
@pytest.mark.parametrize(("X", "error", "message"), BAD_ACTIONS)
def test_actions(policy_class, method, X, error, message):
    policy = trained(policy_class)
    before = pickle.dumps(policy)
    with pytest.raises(error, match=message):
        call_with(method, policy, X)
    assert pickle.dumps(policy) == before


@pytest.mark.parametrize("policy_class", POLICIES)
@pytest.mark.parametrize("position", range(3))
def test_a_bad_row_late_in_a_batch_changes_nothing(policy_class, position):
    policy = trained(policy_class)
    before = pickle.dumps(policy)
    X = GOOD.copy()
    X[position, 1] = np.nan
    for call in (
        lambda: policy.update(X, ["a", "b", "c"]),
        lambda: policy.fit(X, ["a", "b", "c"]),
        lambda: policy.select_action([GOOD, X]),
        lambda: policy.select_action(np.stack([GOOD, X])),
    ):
        with pytest.raises(ValueError, match="NaN"):
            call()
        assert pickle.dumps(policy) == before


@pytest.mark.parametrize("policy_class", POLICIES)
@pytest.mark.parametrize("method", ["fit", "partial_fit", "update"])
@pytest.mark.parametrize(
    ("y", "message"),
    [
        (["a", "b"], "y must have one outcome for each of the 3 rounds .*; got 2"),
        (["a", "b", "c", "a"], "y must have one outcome for each of the 3 rounds .*; got 4"),
        ([], "y must have one outcome for each of the 3 rounds .*; got 0"),
        (["a", "z", "b"], "y has the unknown outcome 'z'; known are"),
        ([0, 1, 2], "y has the unknown outcome 0; known are"),
        ([np.nan, np.nan, np.nan], "y must hold labels; got NaN or infinity"),
        (np.array([1j, 2j, 3j]), "Complex data not supported"),
        ([["a", "b", "c"]], "y should be a 1d array"),
        ([["a", "b"]] * 3, "y should be a 1d array"),
    ],
)
def test_outcomes(policy_class, method, y, message):
    policy = trained(policy_class)
    before = pickle.dumps(policy)
    with pytest.raises(ValueError, match=message):
        getattr(policy, method)(GOOD, y)
    assert pickle.dumps(policy) == before


@pytest.mark.parametrize("policy_class", POLICIES)
@pytest.mark.parametrize("y", ["z", 5, None, np.nan, ["a", "a"], {}])
def test_outcome_of_one_round(policy_class, y):
    policy = trained(policy_class)
    before = pickle.dumps(policy)
    with pytest.raises(ValueError, match=r"^y "):
        policy.update(GOOD[0], y)
    assert pickle.dumps(policy) == before


@pytest.mark.parametrize("policy_class", POLICIES)
def test_a_missing_y(policy_class):
    with pytest.raises(ValueError, match="requires y to be passed, but the target y is None"):
        policy_class().fit(GOOD, None)


@pytest.mark.parametrize("policy_class", POLICIES)
def test_action_sets_of_one_dimension(policy_class):
    for X in (GOOD[0], [1.0, 2.0, 3.0]):
        for policy in (trained(policy_class), policy_class()):
            with pytest.raises(ValueError, match="Expected 2D array, got 1D array"):
                policy.select_action(X)


@pytest.mark.parametrize("policy_class", POLICIES)
def test_classes_of_later_calls(policy_class):
    policy = trained(policy_class)
    before = pickle.dumps(policy)
    with pytest.raises(ValueError, match="classes must be those of the first call"):
        policy.partial_fit(GOOD, ["a", "b", "c"], classes=["a", "b"])
    assert pickle.dumps(policy) == before
    policy.partial_fit(GOOD, ["a", "b", "c"], classes=["c", "a", "b"])


BAD_PARAMETERS = {
    **{
        name: {ValueError: [0, -1.0, np.nan, np.inf], TypeError: [1j, [1.0], None, True]}
        for name in ("norm_bound", "context_bound", "reg_lambda", "eta")
    },
    "delta": {ValueError: [0.0, 1.0, -0.1, np.nan], TypeError: ["0.1"]},
    "exploration": {ValueError: [-0.5, np.inf, "no"], TypeError: [1j]},
    "radius": {ValueError: [-1.0, "big", lambda policy: -1.0], TypeError: [None, lambda policy: "x"]},
    "random_state": {ValueError: ["seed", -1]},
    "rewards": {ValueError: [[0, np.nan, 1], [1, 1, 1]], TypeError: [5]},
}
MORE = [
    *[(name, value, ValueError) for name in ("norm_bound", "context_bound") for value in (1e21, 1e-21)],
    *[(name, value, ValueError) for name in ("reg_lambda", "eta") for value in (1e51, 1e-51)],
    ("norm_bound", "1", TypeError),
    ("fit_intercept", "no", TypeError),
    ("reg_lambda", "large", ValueError),
    ("eta", "none", ValueError),
]
BAD_SKETCHES = {
    "sketch_size": {ValueError: [0, -3, 0.0, -0.1, 1.5, np.nan], TypeError: ["small", True, None]},
    "sketch_buffer": {ValueError: [-0.1, np.inf], TypeError: ["1"]},
}


def flat(table):
    return [
        (name, value, error)
        for name, errors in table.items()
        for error, values in errors.items()
        for value in values
    ]


@pytest.mark.parametrize(
    ("policy_class", "name", "value", "error"),
    [(policy_class, *bad) for policy_class in LEARNERS for bad in flat(BAD_PARAMETERS) + MORE]
    + [(EOFDMLogBPolicy, *bad) for bad in flat(BAD_SKETCHES)],
)
def test_parameters(policy_class, name, value, error):
    """Refused by name in fit, before anything is kept, and by a policy without data when it acts."""
    policy = trained(policy_class)
    state = {key: item for key, item in vars(policy).items() if key not in policy.get_params()}
    policy.set_params(**{name: value})
    before = dict(vars(policy))
    with pytest.raises(error, match=name):
        policy.fit(GOOD, ["a", "b", "c"] if name != "rewards" else [0, 1, 2])
    assert vars(policy) == before
    assert all(vars(policy)[key] is item for key, item in state.items())
    with pytest.raises(error, match=name):
        policy_class(**{name: value}).select_action(np.ones((2, 3)))  # tied: the generator is needed


@pytest.mark.parametrize("policy_class", LEARNERS)
@pytest.mark.parametrize(
    ("parameters", "message"),
    [
        ({"reg_lambda": "theory", "context_bound": 1e20}, "reg_lambda='theory' must come out in"),
        ({"radius": 1e308, "exploration": 10}, "radius=1e[+]308 with exploration=10 overflows"),
        ({"radius": lambda policy: 1e308, "exploration": 10}, "radius=.* with exploration=10 overflows"),
    ],
)
def test_parameters_that_overflow_together(policy_class, parameters, message):
    policy = policy_class(**{"exploration": 1.0, **parameters})
    before = dict(vars(policy))
    for call in (lambda: policy.update(GOOD[0], 1), lambda: policy.select_action(GOOD)):
        with pytest.raises(ValueError, match=message):
            call()
        assert vars(policy) == before


@pytest.mark.parametrize("policy_class", LEARNERS)
@pytest.mark.parametrize("reg_lambda", [1e-12, 1.0, 1e12])
@pytest.mark.parametrize("known", [True, False])
def test_actions_that_overflow(policy_class, reg_lambda, known):
    policy = policy_class(reg_lambda=reg_lambda)
    if known:
        policy.fit(GOOD, [0, 1, 1])
    before = pickle.dumps(policy)
    huge = np.array([[1e155, 0, 1.0], [1, 1, 1], [0, 1e200, 0]])
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        for x, y in [(huge, [0, 1, 1]), (huge[0], 1), (sparse.csr_array(huge), [0, 1, 1])]:
            with pytest.raises(ValueError, match=r"X has actions that overflow .*e[+]"):
                policy.update(x, y)
            assert pickle.dumps(policy) == before
        for X in (huge, sparse.csr_array(huge)):
            with pytest.raises(ValueError, match=r"X has actions whose .* overflow"):
                policy.score_actions(X)
            with pytest.raises(ValueError, match=r"X has actions whose .* overflow"):
                policy.select_action(X)
        assert pickle.dumps(policy) == before
        assert policy.score_actions(1e30 * GOOD).max() > 1e15  # merely long


@pytest.mark.parametrize("policy_class", LEARNERS)
def test_predictions_that_overflow(policy_class):
    policy = policy_class(reg_lambda=1e-3, norm_bound=1e4).fit(np.repeat(GOOD, 3, axis=0), [0] * 6 + [1] * 3)
    assert policy.coef_.max() > 2
    for X in (np.full((1, 3), 1.7e308), sparse.csr_array(np.full((1, 3), 1.7e308))):
        for method in PREDICTIONS:
            with pytest.raises(ValueError, match="X has actions whose logits overflow"):
                getattr(policy, method)(X * GOOD[2])


@pytest.mark.parametrize("policy_class", POLICIES)
def test_a_random_state_is_checked_before_any_tie(policy_class):
    policy = policy_class(random_state="oops")
    before = dict(vars(policy))
    for call in (
        lambda: policy.update(GOOD[0], 1),
        lambda: policy.partial_fit(GOOD, [0, 1, 1]),
        lambda: policy.score_actions(GOOD),
    ):
        with pytest.raises(ValueError, match="random_state must be None, an integer"):
            call()
        assert vars(policy) == before


@pytest.mark.parametrize("policy_class", POLICIES)
def test_integers_beyond_floats(policy_class):
    policy = trained(policy_class)
    before = pickle.dumps(policy)
    X = [[10**400, 0, 1]]
    for call in (
        lambda: policy.update(X, ["a"]),
        lambda: policy.select_action(X),
        lambda: policy.fit(X, ["a"]),
    ):
        with pytest.raises(ValueError, match="X must lie within the range of floats"):
            call()
        assert pickle.dumps(policy) == before


@pytest.mark.parametrize("policy_class", LEARNERS)
def test_results_that_float32_cannot_hold(policy_class):
    policy = policy_class(rewards={0: 0.0, 1: 1e50}).fit(GOOD, [0, 1, 1])
    assert np.isfinite(policy.predict_reward(GOOD)).all()
    with pytest.raises(
        ValueError, match=r"The rewards overflow float32, the dtype of X: .* Pass X as float64"
    ):
        policy.predict_reward(GOOD.astype(np.float32))
    policy = policy_class().fit(GOOD, [0, 1, 1])
    with pytest.raises(ValueError, match="The scores overflow float32"):
        policy.score_actions(np.full((1, 3), 3e38, dtype=np.float32))


@pytest.mark.parametrize("policy_class", LEARNERS)
def test_an_accumulation_that_would_overflow(policy_class):
    """What is refused is the sum of all rounds, not only a single long action."""
    policy = policy_class(reg_lambda=1e-6).update(np.full((3, 2), 2e21), [0, 1, 1])
    before = pickle.dumps(policy)
    with pytest.raises(ValueError, match="X has actions that overflow"):
        policy.update(np.full((40, 2), 2e21), [1] * 40)
    assert pickle.dumps(policy) == before
    assert np.isfinite(policy.coef_).all()


def test_a_failed_first_call_leaves_a_new_policy():
    policy = EOFDMLogBPolicy(rewards={"a": 0, "b": 1})
    before = dict(vars(policy))
    for X, last in [(GOOD, "z"), (GOOD * np.nan, "a"), (GOOD * 1e200, "a")]:
        with pytest.raises(ValueError, match=r"unknown outcome|NaN|overflow"):
            policy.partial_fit(X, ["a", "b", last])
        assert vars(policy) == before
