"""What a user does with a policy."""

import copy
import itertools
import pickle
import tracemalloc

import joblib
import numpy as np
import pandas as pd
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from scipy import sparse
from scipy.special import expit, softmax
from sklearn.base import clone, is_classifier
from sklearn.exceptions import NotFittedError
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

from skmlogb.bandit import EOFDMLogBPolicy, OFULMLogBPolicy, UniformPolicy, mlogb

LEARNERS = [EOFDMLogBPolicy, OFULMLogBPolicy]
POLICIES = [*LEARNERS, UniformPolicy]


def rounds(rng, n=40, d=5, labels=(0, 1, 2)):
    X = rng.standard_normal((n, d))
    return X / np.linalg.norm(X, axis=1, keepdims=True), rng.choice(labels, size=n)


def fitted(policy_class, rng, n=40, d=5, **parameters):
    return policy_class(**{"rewards": [0, 0.3, 1], "random_state": 0, **parameters}).fit(*rounds(rng, n, d))


# ---------------------------------------------------------------- before any data


@pytest.mark.parametrize("policy_class", POLICIES)
@pytest.mark.parametrize("rewards", [None, [0, 0.5, 1], {"a": 0, "b": 1}])
def test_a_cold_policy_acts(policy_class, rewards, rng):
    policy = policy_class(rewards=rewards, random_state=0)
    X = rng.standard_normal((6, 4))
    assert 0 <= policy.select_action(X) < 6
    assert not any(name.endswith("_") and not name.startswith("_") for name in vars(policy))
    assert policy.select_action(rng.standard_normal((3, 9))) in range(3)  # any width, still
    if policy_class is not UniformPolicy:
        with pytest.raises(NotFittedError):
            policy.predict(X)
        with pytest.raises(NotFittedError):
            policy.predict_reward(X)
        for attribute in ("coef_", "intercept_", "radius_", "classes_", "sketch_size_", "sketch_rank_"):
            assert not hasattr(policy, attribute)


@pytest.mark.parametrize("policy_class", LEARNERS)
def test_cold_scores(policy_class, rng):
    """W = 0 and Z = lambda I."""
    X = rng.standard_normal((6, 4))
    policy = policy_class(reg_lambda=4.0, radius=2.0, exploration=0.5)
    assert_allclose(policy.score_actions(X), np.linalg.norm(X, axis=1) / 2)
    policy.set_params(rewards=[1, 0, 3])  # outcome 1 is the reference
    p, gains = np.full(2, 1 / 3), np.array([1.0, 3.0])
    h = p * (gains - gains @ p)
    squares = (X**2).sum(axis=1) / 4
    desired = 0 + gains @ p + np.sqrt(squares * (h @ h)) + gains.sum() / 2 * squares
    assert_allclose(policy.score_actions(X), desired)


# ---------------------------------------------------------------- learning


@pytest.mark.parametrize("policy_class", LEARNERS)
def test_ways_to_feed_the_same_rounds(policy_class, rng):
    """fit, partial_fit in pieces, update one by one in any form: the same policy, bit for bit."""
    X, y = rounds(rng)
    reference = policy_class(rewards=[0, 0.3, 1]).fit(X, y)

    def new():
        return policy_class(rewards=[0, 0.3, 1])

    pieces = new().partial_fit(X[:7], y[:7]).partial_fit(X[7:8], y[7:8]).partial_fit(X[8:], y[8:])
    one_by_one, late, lists, frames = new(), new(), new(), new()
    for x, label in zip(X, y):
        one_by_one.update(x, label)
        lists.update(x.tolist(), int(label))
        frames.update(x[None], [label])
    late.update(X[:20], y[:20])
    late.select_action(X[:3])
    late.update(X[20:], y[20:])
    sparse_rows = new().partial_fit(sparse.csr_matrix(X), y)
    sparse_row = new()
    for i, label in enumerate(y):
        sparse_row.update(sparse.csr_matrix(X)[i], label)
    after_fit = new().fit(X[::-1], y).fit(X, y)
    for policy in (pieces, one_by_one, late, lists, frames, sparse_rows, sparse_row, after_fit):
        assert_array_equal(policy.coef_, reference.coef_)
        assert_array_equal(policy.score_actions(X), reference.score_actions(X))
        assert policy.n_rounds_ == len(y)


@pytest.mark.parametrize("policy_class", LEARNERS)
def test_a_sparse_row_of_one_dimension(policy_class, rng):
    X, y = rounds(rng)
    try:
        rows = [sparse.csr_array(X)[i] for i in range(len(X))]
    except NotImplementedError:
        pytest.skip("scipy has sparse arrays of one dimension from 1.13 on")
    policy = policy_class(rewards=[0, 0.3, 1])
    for row, label in zip(rows, y):
        policy.update(row, label)
    assert_array_equal(policy.coef_, policy_class(rewards=[0, 0.3, 1]).fit(X, y).coef_)


@pytest.mark.parametrize("policy_class", LEARNERS)
def test_learns_what_the_outcomes_depend_on(policy_class, rng):
    X, _ = rounds(rng, 3000)
    W = np.array([[2.0, 0, 0, 0, 0], [0, -2.0, 0, 0, 0]])
    p = softmax(np.column_stack([np.zeros(3000), X @ W.T]), axis=1)
    y = (p.cumsum(axis=1) < rng.random((3000, 1))).sum(axis=1)
    policy = policy_class(rewards=[0, 0.3, 1], norm_bound=3.0).fit(X, y)
    assert_allclose(policy.coef_, W, atol=0.5)
    assert_allclose(policy.predict_proba(X), p, atol=0.12)


def test_a_fit_forgets(rng):
    X, y = rounds(rng)
    policy = fitted(EOFDMLogBPolicy, rng).set_params(rewards={"u": 0, "v": 0.3, "w": 1})
    policy.fit(X[:, :3], np.array(["u", "v", "w"])[y])
    assert policy.classes_.tolist() == ["u", "v", "w"]
    assert (policy.n_features_in_, policy.n_rounds_) == (3, len(y))
    assert_array_equal(policy.coef_, clone(policy).fit(X[:, :3], np.array(["u", "v", "w"])[y]).coef_)


@pytest.mark.parametrize("policy_class", POLICIES)
def test_an_outcome_never_seen_before_is_learnt(policy_class, rng):
    policy = policy_class(rewards={"a": 0, "b": 0.5, "z": 1}).fit(np.eye(3), ["a", "b", "a"])
    policy.update(np.ones(3), "z")
    assert policy.n_rounds_ == 4
    assert policy.classes_.tolist() == ["a", "b", "z"]


@pytest.mark.parametrize("policy_class", LEARNERS)
def test_attributes(policy_class, rng):
    X, y = rounds(rng, labels=("x", "y", "z"))
    policy = policy_class(rewards={"x": 2.0, "y": 0.5, "z": 1.0}).fit(X, y)
    assert is_classifier(policy)
    assert policy.coef_.shape == (2, 5)
    assert_array_equal(policy.intercept_, np.zeros(2))
    assert policy.classes_.tolist() == ["x", "y", "z"]
    assert policy.rewards_.tolist() == [2.0, 0.5, 1.0]
    assert policy.reference_class_ == "y"
    assert (policy.n_rounds_, policy.n_features_in_) == (40, 5)
    # rows of coef_ in the order of classes_ without the reference: x, z
    p = softmax(np.column_stack([X @ policy.coef_[0], np.zeros(40), X @ policy.coef_[1]]), axis=1)
    assert_allclose(policy.predict_proba(X), p)
    assert_allclose(policy.predict_reward(X), p @ policy.rewards_)
    assert_array_equal(policy.predict(X), policy.classes_[p.argmax(axis=1)])
    if policy_class is EOFDMLogBPolicy:
        assert (policy.sketch_size_, policy.sketch_rank_, policy.sketch_error_) == (10, 10, 0.0)
        assert policy.sketch_factor_ == 1.0


def test_rows_of_two_classes_follow_the_rewards(rng):
    """For K = 1 the greater reward is the modelled outcome, whichever label comes first."""
    X, y = rounds(rng, labels=(0, 1))
    up, down = (EOFDMLogBPolicy(rewards=rewards).fit(X, y) for rewards in ([0, 1], [1, 0]))
    assert_allclose(up.coef_, -down.coef_, rtol=1e-12)
    assert_allclose(up.predict_proba(X), down.predict_proba(X))
    assert_allclose(up.predict_proba(X)[:, 1], expit(X @ up.coef_[0]))


@pytest.mark.parametrize(
    ("sketch_size", "d", "K", "size"),
    [
        *[(0.1, 1000, 1, 100), (0.1, 5, 2, 10), (0.1, 40, 2, 32), (0.25, 100, 2, 50), (0.1, 321, 1, 33)],
        *[(1.0, 50, 1, 50), (7, 5, 2, 7), (70, 5, 2, 10), (np.int64(3), 5, 1, 3), (0.07, 1000, 1, 70)],
    ],
)
def test_sketch_size(sketch_size, d, K, size, rng):
    policy = EOFDMLogBPolicy(rewards=list(range(K + 1)), sketch_size=sketch_size)
    assert policy.update(np.ones(d), 0).sketch_size_ == size


def test_a_sketched_policy_reports_what_it_dropped(rng):
    policy = fitted(EOFDMLogBPolicy, rng, sketch_size=2, sketch_buffer=0.0, reg_lambda=2.0)
    assert policy.sketch_error_ > 0
    assert policy.sketch_factor_ == 1 + policy.sketch_error_ / 2
    assert policy.sketch_rank_ == 2


# ---------------------------------------------------------------- choosing


@pytest.mark.parametrize("policy_class", LEARNERS)
def test_the_highest_score_is_chosen(policy_class, rng):
    policy = fitted(policy_class, rng)
    for _ in range(20):
        X = rng.standard_normal((7, 5))
        assert policy.select_action(X) == policy.score_actions(X).argmax()


@pytest.mark.parametrize("policy_class", POLICIES)
def test_ties_are_broken_at_random_and_reproducibly(policy_class):
    X = np.array([[1.0, 0], [0.5, 0], [1, 0], [1, 1e-14]])
    policy = policy_class(random_state=3)
    first, second = ([policy.select_action(X) for _ in range(60)] for _ in range(2))
    assert first != second  # the generator goes on
    again = policy_class(random_state=3)
    assert first == [again.select_action(X) for _ in range(60)]
    assert set(first) == ({0, 1, 2, 3} if policy_class is UniformPolicy else {0, 2, 3})


def test_random_state_of_every_kind(rng):
    X = np.ones((50, 2))
    state = np.random.RandomState(5)
    shared = EOFDMLogBPolicy(random_state=state)
    chosen = [shared.select_action(X) for _ in range(3)]
    assert chosen == [EOFDMLogBPolicy(random_state=np.random.RandomState(5)).select_action(X), *chosen[1:]]
    assert len({EOFDMLogBPolicy().select_action(X) for _ in range(20)}) > 1  # unseeded policies differ
    before = np.random.get_state()[1].copy()  # noqa: NPY002 -- to see that it is left alone
    EOFDMLogBPolicy().select_action(X)
    assert_array_equal(before, np.random.get_state()[1])  # noqa: NPY002


def test_fit_restarts_the_generator(rng):
    X, y = rounds(rng)
    policy = UniformPolicy(rewards=[0, 1, 2], random_state=7)
    runs = []
    for _ in range(2):
        policy.select_action(X)
        policy.fit(X, y)
        runs.append([policy.select_action(X) for _ in range(6)])
    assert runs[0] == runs[1]


@pytest.mark.parametrize("policy_class", POLICIES)
@pytest.mark.parametrize("known", [True, False])
def test_a_batch_of_decisions_equals_a_loop(policy_class, known, rng):
    policy = fitted(policy_class, rng) if known else policy_class(rewards=[0, 0.3, 1], random_state=0)
    other = copy.deepcopy(policy)
    sets = [np.repeat(rng.standard_normal((n, 5)), 2, axis=0) for n in (3, 1, 6)]
    chosen = policy.select_action(sets)
    assert chosen.dtype.kind == "i"
    assert chosen.tolist() == [other.select_action(X) for X in sets]
    stacked = rng.standard_normal((4, 6, 5))
    chosen = policy.select_action(stacked)
    assert chosen.tolist() == [other.select_action(X) for X in stacked]
    mixed = [sparse.csr_array(sets[0]), sets[1].tolist(), pd.DataFrame(sets[2], columns=list("abcde"))]
    if known:
        with pytest.warns(UserWarning, match="X has feature names"):
            assert policy.select_action(mixed).shape == (3,)
    else:
        assert policy.select_action(mixed).shape == (3,)
    assert policy.select_action(sets[0].tolist()) in range(6)  # a list of lists is one decision


@pytest.mark.parametrize("policy_class", LEARNERS)
def test_large_sets_are_scored_in_chunks(policy_class, rng, monkeypatch):
    policy = fitted(policy_class, rng, fit_intercept=True)
    X = rng.standard_normal((101, 5))
    for actions in (X, X.astype(np.float32), sparse.csr_array(X)):
        whole = policy.score_actions(actions)
        rtol = 1e-6 if whole.dtype == np.float32 else 1e-12
        with monkeypatch.context() as patch:
            patch.setattr(mlogb, "_BUDGET", 400)
            assert_allclose(policy.score_actions(actions), whole, rtol=rtol)


def test_scoring_many_actions_takes_bounded_memory(rng):
    policy = EOFDMLogBPolicy(rewards=range(5)).fit(*rounds(rng, 60, 50, labels=range(5)))
    X = rng.standard_normal((20_000, 50))
    tracemalloc.start()
    policy.select_action(X)
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert peak < 64e6  # where the (n, rank, K) products of all actions alone would take 160 MB


# ---------------------------------------------------------------- kinds of input


@pytest.mark.parametrize("policy_class", LEARNERS)
def test_float32_in_float32_out(policy_class, rng):
    X, y = rounds(rng)
    single, double = (policy_class(rewards=[0, 0.3, 1]).fit(each, y) for each in (X.astype(np.float32), X))
    assert single.coef_.dtype == np.float64  # the state is kept in double precision
    assert_allclose(single.coef_, double.coef_, atol=1e-5)
    for method in ("score_actions", "predict_proba", "predict_reward"):
        for make in (np.asarray, sparse.csr_array):
            result = getattr(single, method)(make(X.astype(np.float32)))
            assert result.dtype == np.float32
            assert_allclose(result, getattr(double, method)(X), atol=1e-5)
            assert getattr(single, method)(make(X)).dtype == np.float64
    assert single.select_action(X.astype(np.float32)) == double.select_action(X)
    for x, label in zip(X, y):
        single.update(x.astype(np.float32), label)
    assert_array_equal(
        single.coef_, clone(single).fit(np.tile(X.astype(np.float32), (2, 1)), np.tile(y, 2)).coef_
    )


@pytest.mark.parametrize("policy_class", LEARNERS)
def test_sparse_equals_dense(policy_class, rng):
    X = sparse.csr_array(rng.standard_normal((50, 30)) * (rng.random((50, 30)) < 0.1))
    y = rng.integers(3, size=50)
    thin = policy_class(rewards=[0, 0.3, 1], fit_intercept=True).fit(X, y)
    full = clone(thin).fit(X.toarray(), y)
    assert_array_equal(thin.coef_, full.coef_)
    for method in ("score_actions", "predict_proba", "predict_reward"):
        assert_allclose(getattr(thin, method)(X), getattr(full, method)(X.toarray()), rtol=1e-12)
    assert thin.select_action(X) == full.select_action(X.toarray())
    assert thin.update(X[[3]], 1).update(sparse.csc_array(X[[4, 5]]), [0, 2]).n_rounds_ == 53


def test_sparse_actions_without_an_entry(rng):
    policy = fitted(EOFDMLogBPolicy, rng, d=40)
    empty = sparse.csr_array((3, 40))
    assert_allclose(policy.score_actions(empty), policy.score_actions(np.zeros((3, 40))))
    assert policy.update(empty, [0, 1, 2]).n_rounds_ == 43


def test_a_million_sparse_features(rng):
    """Memory is that of the sketch, not of the actions as a dense matrix (8 GB here)."""
    d = 1_000_000
    X = sparse.csr_array(
        (rng.standard_normal(5000), rng.integers(d, size=5000), np.arange(0, 5001, 5)), shape=(1000, d)
    )
    policy = EOFDMLogBPolicy(rewards=[0, 1], sketch_size=2, sketch_buffer=1.0, random_state=0)
    tracemalloc.start()
    for start in range(0, 15, 5):
        policy.update(X[start : start + 5], rng.integers(2, size=5))
    assert policy.select_action(X) in range(1000)
    assert policy.predict_proba(X).shape == (1000, 2)
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert policy.sketch_error_ > 0
    assert peak < 130e6  # 5 rows of the sketch, and a few vectors of length d


@pytest.mark.parametrize("policy_class", LEARNERS)
def test_integers_lists_and_orders_of_memory(policy_class, rng):
    X, y = rng.integers(-3, 4, size=(30, 4)), rng.integers(3, size=30)
    policy = policy_class(rewards=[0, 0.3, 1]).fit(X, y)
    for same in (X.tolist(), X.astype(float), np.asfortranarray(X, dtype=float), X.astype(object)):
        assert_array_equal(clone(policy).fit(same, y.tolist()).coef_, policy.coef_)
    policy.update(X[0], 1).update(np.repeat(X, 2, axis=1).astype(float)[0, ::2], 1)
    assert policy.select_action(X) in range(30)


def test_the_intercept_is_one_more_feature(rng):
    X, y = rounds(rng)
    ones = np.column_stack([X, np.ones(40)])
    with_intercept = EOFDMLogBPolicy(rewards=[0, 0.3, 1], fit_intercept=True, context_bound=1.0).fit(X, y)
    appended = EOFDMLogBPolicy(rewards=[0, 0.3, 1], context_bound=np.sqrt(2)).fit(ones, y)
    assert_array_equal(with_intercept.coef_, appended.coef_[:, :5])
    assert_array_equal(with_intercept.intercept_, appended.coef_[:, 5])
    assert_allclose(with_intercept.radius_, appended.radius_)
    assert_allclose(with_intercept.score_actions(X), appended.score_actions(ones))
    assert_allclose(with_intercept.predict_proba(X), appended.predict_proba(ones))


def test_names_of_features(rng):
    X, y = rounds(rng)
    frame = pd.DataFrame(X, columns=list("abcde"))
    policy = EOFDMLogBPolicy(rewards=[0, 0.3, 1]).partial_fit(frame[:20], y[:20])
    assert policy.feature_names_in_.tolist() == list("abcde")
    for i in range(20, 40):
        policy.update(frame.iloc[i], y[i])  # a Series keeps the names
    assert_array_equal(policy.coef_, EOFDMLogBPolicy(rewards=[0, 0.3, 1]).fit(X, y).coef_)
    assert policy.select_action(frame) in range(40)
    with pytest.warns(UserWarning, match="X does not have valid feature names"):
        policy.select_action(X)
    with pytest.raises(ValueError, match="feature names should match"):
        policy.select_action(frame[list("bacde")])
    with pytest.raises(ValueError, match="feature names should match"):
        policy.update(frame[list("bacde")], y)


# ---------------------------------------------------------------- copies


@pytest.mark.parametrize("policy_class", POLICIES)
def test_resuming_from_a_pickle_is_bit_identical(policy_class, rng, tmp_path):
    """Ties and all: the generator is part of the state."""
    policy = fitted(policy_class, rng, n=25, random_state=10**9)
    X, y = rounds(rng, 60)
    policy.select_action(X[[0, 0]])
    joblib.dump(policy, tmp_path / "policy")
    copies = [pickle.loads(pickle.dumps(policy)), joblib.load(tmp_path / "policy", mmap_mode="r")]

    def play(each):
        chosen = []
        for t in range(30):
            chosen.append(each.select_action(np.repeat(X[t : t + 4], 2, axis=0)))
            each.update(X[t], y[t])
        return chosen, each.score_actions(X)

    chosen, scores = play(policy)
    for each in copies:
        assert play(each)[0] == chosen
        assert_array_equal(each.score_actions(X), scores)


@pytest.mark.parametrize("policy_class", POLICIES)
def test_clones_share_nothing(policy_class, rng):
    policy = fitted(policy_class, rng, random_state=np.random.RandomState(1))
    other = clone(policy)
    assert not hasattr(other, "classes_")
    X = np.ones((9, 5))
    before = pickle.dumps(policy)
    other.fit(*rounds(rng))
    other.select_action(X)
    assert pickle.dumps(policy) == before


def test_in_a_pipeline(rng):
    X, y = rounds(rng)
    pipeline = make_pipeline(StandardScaler(), EOFDMLogBPolicy(rewards=[0, 0.3, 1])).fit(X, y)
    assert pipeline.predict(X).shape == (40,)
    assert pipeline.score(X, y) > 0


# ---------------------------------------------------------------- extremes


@pytest.mark.parametrize("policy_class", LEARNERS)
@pytest.mark.parametrize("reg_lambda", [1e-12, 1e12])
@pytest.mark.parametrize("scale", [1e-150, 1e-5, 1.0, 1e4])
@pytest.mark.parametrize("K", [1, 3])
def test_extremes_stay_finite(policy_class, reg_lambda, scale, K, rng):
    policy = policy_class(rewards=range(K + 1), reg_lambda=reg_lambda, norm_bound=100.0)
    X, y = rounds(rng, 60, 4, labels=range(K + 1))
    X[::7], X[1::7], X[2::7] = 0, X[1], 2 * X[1]
    policy.fit(scale * X, y)
    assert np.isfinite(policy.coef_).all()
    assert np.linalg.norm(policy.coef_) <= 100 * (1 + 1e-12)
    assert np.isfinite(policy.score_actions(scale * X)).all()
    assert_allclose(policy.predict_proba(scale * X).sum(axis=1), 1)


@pytest.mark.parametrize("policy_class", LEARNERS)
@pytest.mark.parametrize("K", [1, 3])
@pytest.mark.parametrize("norm_bound", [1.0, 1e-6])
def test_actions_vast_beside_lambda(policy_class, K, norm_bound, rng):
    """Beyond the digits of a double only the ball is sure: no NaN, no warning."""
    size = {"sketch_size": 4} if policy_class is EOFDMLogBPolicy else {}
    policy = policy_class(rewards=range(K + 1), reg_lambda=1e-6, norm_bound=norm_bound, **size)
    policy.fit(1e12 * rng.standard_normal((200, 12)), rng.integers(K + 1, size=200))
    assert 0 < np.linalg.norm(policy.coef_) <= norm_bound * (1 + 1e-12)
    assert np.isfinite(policy.score_actions(np.eye(12))).all()


@pytest.mark.parametrize("policy_class", LEARNERS)
@pytest.mark.parametrize("K", [1, 3])
@pytest.mark.parametrize("norm_bound", [1e-20, 1.0, 1e20])
@pytest.mark.parametrize("eta", [1e-50, 50.0, 1e50])
def test_the_ends_of_all_ranges(policy_class, K, norm_bound, eta, rng):
    """Either a round is refused by name, or its estimate is finite and in the ball: no NaN, no warning."""
    size = {"sketch_size": 3} if policy_class is EOFDMLogBPolicy else {}
    learnt = 0
    for reg_lambda, scale in itertools.product([1e-50, 1e-30, 1e-14, 1.0, 1e50], [1e-20, 1.0, 1e3, 1e9]):
        policy = policy_class(
            rewards=range(K + 1), reg_lambda=reg_lambda, eta=eta, norm_bound=norm_bound, **size
        )
        for x in scale * rng.standard_normal((20, 4)):
            before = pickle.dumps(policy)
            try:
                policy.update(x, int(rng.integers(K + 1)))
            except ValueError as error:
                assert "X has actions that overflow with reg_lambda and eta" in str(error)  # noqa: PT017
                assert pickle.dumps(policy) == before
                break
            assert np.isfinite(policy.coef_).all()
            assert np.linalg.norm(policy.coef_) <= norm_bound * (1 + 1e-12)
            learnt += 1
        if policy.__sklearn_is_fitted__():
            assert np.isfinite(policy.score_actions(np.eye(4))).all()
    assert learnt >= 20


@pytest.mark.parametrize("K", [1, 3])
@pytest.mark.parametrize(
    "parameters",
    [
        {"reg_lambda": 1e-12, "eta": 50.0},  # actions of 1e3, below: the projection cancels altogether
        {"reg_lambda": 1e-26},  # as good as 1e9 beside 1e-14: systems singular to working precision
    ],
)
def test_rounds_beyond_the_digits(K, parameters, rng):
    policy = EOFDMLogBPolicy(rewards=range(K + 1), sketch_size=3, **parameters)
    for x in 1e3 * rng.standard_normal((300, 6)):
        policy.update(x, int(rng.integers(K + 1)))
        assert 0 < np.linalg.norm(policy.coef_) <= 1 + 1e-12
    assert abs(policy._curvature._hessian.M).max() <= 2 / policy.reg_lambda  # the inverse has not run away


@pytest.mark.parametrize("reg_lambda", [4e-25, 1e-15])
@pytest.mark.parametrize("stream", range(8))
def test_entries_of_all_sizes(reg_lambda, stream):
    """Hessians whose entries reach from subnormal to vast."""
    rng = np.random.default_rng(stream)
    policy = EOFDMLogBPolicy(rewards=range(7), reg_lambda=reg_lambda, sketch_size=83)
    for _ in range(40):
        policy.update(rng.standard_normal(12) * 10.0 ** rng.uniform(-9, 9, 12), int(rng.integers(7)))
        assert 0 < np.linalg.norm(policy.coef_) <= 1 + 1e-12


def test_long_actions_only_void_the_theorem():
    policy = EOFDMLogBPolicy(context_bound=1.0).update(np.full(3, 50.0), 1)
    assert policy.n_rounds_ == 1


def test_no_step_has_a_negative_length(rng):
    """Beyond the digits of a double too, or the radius would fall to 0."""
    policy = OFULMLogBPolicy(norm_bound=1e8, exploration=1, rewards=[0, 1, 2, 3])
    travelled = [0.0]
    for x in 30 * rng.standard_normal((60, 5)):
        policy.update(x, int(rng.integers(4)))
        travelled.append(policy._travelled)
    assert min(np.diff(travelled)) >= 0
