"""Environments: shapes, distributions, what is drawn anew and what is fixed, refusals."""

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from scipy import sparse
from sklearn.base import clone
from sklearn.datasets import load_digits, load_iris

from skmlogb.simulation import ClassificationEnvironment, MLogBEnvironment


def take(environment, n_rounds, seed):
    return [rounds for rounds, _ in zip(environment.rounds(np.random.default_rng(seed)), range(n_rounds))]


@pytest.mark.parametrize("shape", ["sphere", "ball", "cube"])
def test_shapes_of_actions(shape, seed):
    environment = MLogBEnvironment(n_features=3, n_outcomes=4, actions=shape, n_actions=(2, 5))
    sizes = set()
    for actions, probabilities in take(environment, 60, seed):
        sizes.add(len(actions))
        assert actions.shape == (len(actions), 3)
        assert probabilities.shape == (len(actions), 4)
        assert_allclose(probabilities.sum(axis=1), 1)
        lengths = np.linalg.norm(actions, axis=1)
        assert np.all(lengths <= 1 + 1e-12)
        if shape != "ball":
            assert_allclose(lengths, 1)
    assert sizes == {2, 3, 4, 5}


def test_the_ball_is_filled_evenly(seed):
    environment = MLogBEnvironment(n_features=2, n_outcomes=2, actions="ball", n_actions=20_000)
    ((actions, _),) = take(environment, 1, seed)
    assert np.mean(np.linalg.norm(actions, axis=1) <= 0.5) == pytest.approx(0.25, abs=0.02)


def test_probabilities_are_the_models(rng, seed):
    W = rng.standard_normal((2, 3))
    ((actions, probabilities),) = take(MLogBEnvironment(n_features=3, n_outcomes=3, coef=W), 1, seed)
    weights = np.exp(np.column_stack([np.zeros(len(actions)), actions @ W.T]))
    assert_allclose(probabilities, weights / weights.sum(axis=1, keepdims=True))


def test_huge_logits_stay_finite(seed):
    ((_, probabilities),) = take(MLogBEnvironment(n_features=3, n_outcomes=3, norm=1e5), 1, seed)
    assert np.isfinite(probabilities).all()


def _logit_norm(environment, seed):
    """Norm of a one-feature parameter, from the probabilities of the action (1,)."""
    ((_, probabilities),) = take(environment, 1, seed)
    return np.linalg.norm(np.log(probabilities[0, 1:] / probabilities[0, 0]))


def test_random_state_fixes_the_parameter_and_nothing_else(seed):
    def logits(environment, stream):
        ((_, p),) = take(environment, 1, stream)
        return np.log(p[0, 1:] / p[0, 0])

    settings = {"n_features": 1, "n_outcomes": 4, "norm": 1.7, "actions": np.ones((1, 1))}
    drawn = MLogBEnvironment(**settings)
    fixed = MLogBEnvironment(**settings, random_state=seed)
    instance = MLogBEnvironment(**settings, random_state=np.random.RandomState(seed))
    assert_allclose(np.linalg.norm(logits(drawn, seed)), 1.7)
    assert not np.allclose(logits(drawn, seed), logits(drawn, seed + 1))
    assert_array_equal(logits(drawn, seed), logits(drawn, seed))
    assert_allclose(logits(fixed, 0), logits(fixed, 1))
    assert_allclose(logits(instance, 0), logits(instance, 1))
    assert_allclose(logits(instance, 0), logits(fixed, 0))


def test_streams_replay_bit_for_bit(seed):
    for environment in (
        MLogBEnvironment(n_features=3, n_outcomes=2, random_state=np.random.RandomState(1)),
        ClassificationEnvironment(*load_iris(return_X_y=True), target=1),
    ):
        for (a, p), (b, q) in zip(take(environment, 5, seed), take(clone(environment), 5, seed)):
            assert_array_equal(a, b)
            assert_array_equal(p, q)


@pytest.mark.parametrize("convert", [np.asarray, sparse.csr_matrix])
def test_a_catalogue_of_actions(convert, rng, seed):
    catalogue = rng.standard_normal((6, 3))
    environment = MLogBEnvironment(n_features=3, n_outcomes=2, actions=convert(catalogue), n_actions=4)
    for actions, probabilities in take(environment, 5, seed):
        actions = actions.toarray() if sparse.issparse(actions) else actions
        assert (actions.shape, probabilities.shape) == ((4, 3), (4, 2))
        rows = [int(np.flatnonzero((catalogue == action).all(axis=1))[0]) for action in actions]
        assert len(set(rows)) == 4
    ((actions, _),) = take(clone(environment).set_params(n_actions=(6, 9)), 1, seed)
    assert actions.shape == (6, 3)


def test_a_callable_draws_actions(seed):
    def corners(rng, n):
        return rng.choice([-1.0, 1.0], (n, 2))

    ((actions, _),) = take(
        MLogBEnvironment(n_features=2, n_outcomes=2, actions=corners, n_actions=7), 1, seed
    )
    assert actions.shape == (7, 2)
    assert set(np.unique(actions)) <= {-1.0, 1.0}


def test_outcome_rewards():
    assert MLogBEnvironment(n_features=1, n_outcomes=5).outcome_rewards == {
        0: 0,
        1: 0.25,
        2: 0.5,
        3: 0.75,
        4: 1,
    }
    given = MLogBEnvironment(n_features=1, n_outcomes=2, rewards=[3, 1])
    assert given.outcome_rewards == {0: 3.0, 1: 1.0}
    mapped = MLogBEnvironment(n_features=1, n_outcomes=2, rewards={1: 5, 0: 2})
    assert list(mapped.outcome_rewards.items()) == [(0, 2.0), (1, 5.0)]


@pytest.mark.parametrize(
    ("parameters", "message"),
    [
        ({"n_features": 0}, "n_features must be an integer >= 1"),
        ({"n_outcomes": 1}, "n_outcomes must be an integer >= 2"),
        ({"n_actions": 0}, "n_actions must be an integer >= 1"),
        ({"n_actions": 10**400}, "n_actions must be an integer >= 1, finite; got inf"),
        ({"n_actions": (5, 3)}, "low <= high"),
        ({"n_actions": (1, 2, 3)}, "a pair"),
        ({"norm": -1}, "norm must be a number in .0, 1e.100."),
        ({"norm": np.inf}, "norm must be a number in .0, 1e.100."),
        ({"actions": "torus"}, "'sphere', 'ball', 'cube', an array or a callable; got 'torus'"),
        ({"actions": np.ones((3, 5))}, "n_features = 2 columns; got 5"),
        ({"actions": np.full((3, 2), np.nan)}, "actions contains NaN"),
        ({"coef": np.ones((2, 2))}, r"\(1, 2\); got \(2, 2\)"),
        ({"coef": np.full((1, 2), np.inf)}, "coef contains infinity"),
        ({"rewards": [0, 1, 2]}, r"each outcome \[0, 1\]; got 3"),
        ({"rewards": [0, np.nan]}, "rewards contains NaN"),
        ({"rewards": {0: 1, "x": 2}}, r"each outcome \[0, 1\]; got entries for \[0, 'x'\]"),
    ],
)
def test_synthetic_refusals(parameters, message):
    environment = MLogBEnvironment(**{"n_features": 2, "n_outcomes": 2, **parameters})
    with pytest.raises(ValueError, match=message):
        environment.rounds(np.random.default_rng(0))


@pytest.mark.parametrize(
    ("parameters", "message"),
    [
        (
            {"actions": np.full((3, 2), 1e250), "norm": 1e100},
            "give logits that overflow: entries up to 1e.250",
        ),
        ({"actions": lambda rng, n: np.full((n, 2), np.nan)}, "actions contains NaN"),
        ({"actions": lambda rng, n: np.ones((n, 3))}, "actions must have n_features = 2 columns; got 3"),
        ({"actions": lambda rng, n: None}, "Expected 2D array|actions"),
    ],
)
def test_refusals_when_actions_are_drawn(parameters, message):
    environment = MLogBEnvironment(n_features=2, n_outcomes=2, random_state=0, **parameters)
    with pytest.raises(ValueError, match=message):
        next(environment.rounds(np.random.default_rng(0)))


def test_what_is_done_to_a_round_stays_out_of_the_catalogue():
    catalogue = np.eye(2)
    stream = MLogBEnvironment(n_features=2, n_outcomes=2, actions=catalogue).rounds(np.random.default_rng(0))
    next(stream)[0][:] = 7
    np.testing.assert_array_equal(next(stream)[0], np.eye(2))
    np.testing.assert_array_equal(catalogue, np.eye(2))


@pytest.mark.parametrize("n_actions", [2.5, None, "many"])
def test_numbers_of_actions_that_are_none(n_actions):
    with pytest.raises(TypeError, match="n_actions must be an integer"):
        MLogBEnvironment(n_features=2, n_outcomes=2, n_actions=n_actions).rounds(np.random.default_rng(0))


@pytest.mark.parametrize("n_actions", [2, 7, 10])
def test_target_is_always_offered_once(n_actions, seed):
    X, y = load_digits(return_X_y=True)
    X = np.column_stack([X, np.arange(len(y))])  # the last column says which row an action is
    environment = ClassificationEnvironment(X, y, target=3, n_actions=n_actions)
    assert environment.outcome_rewards == {0: 0.0, 1: 1.0}
    places, seen = set(), set()
    for actions, probabilities in take(environment, 150, seed):
        labels = y[actions[:, -1].astype(int)]
        assert len(set(labels)) == len(labels) == n_actions
        assert_array_equal(probabilities[:, 1], labels == 3)
        assert_array_equal(probabilities[:, 0], labels != 3)
        places.add(int(np.flatnonzero(labels == 3)[0]))
        seen.update(labels)
    assert places == set(range(n_actions))
    assert seen == set(range(10))


def test_without_target_the_outcome_is_the_label(seed):
    X, y = load_iris(return_X_y=True)
    names = np.array(["setosa", "versicolor", "virginica"])[y]
    environment = ClassificationEnvironment(np.column_stack([X, y]), names)
    assert environment.outcome_rewards == {"setosa": 0.0, "versicolor": 0.5, "virginica": 1.0}
    for actions, probabilities in take(environment, 5, seed):
        assert len(actions) == 3  # as many as there are labels
        assert_array_equal(np.argmax(probabilities, axis=1), actions[:, -1])
        assert_array_equal(probabilities.sum(axis=1), 1)


def test_all_examples_of_a_label_are_drawn(seed):
    X, y = np.arange(6.0)[:, None], [0, 1, 0, 1, 1, 1]
    drawn = np.concatenate(
        [actions.ravel() for actions, _ in take(ClassificationEnvironment(X, y), 300, seed)]
    )
    counts = np.bincount(drawn.astype(int))
    assert counts[[0, 2]].sum() == counts[[1, 3, 4, 5]].sum() == 300
    assert counts[[0, 2]].min() > 100
    assert counts[[1, 3, 4, 5]].min() > 40


def test_sparse_examples_and_frames(seed):
    pd = pytest.importorskip("pandas")
    X, y = load_iris(return_X_y=True)
    dense = take(ClassificationEnvironment(X, y, target=0), 3, seed)
    rows = take(ClassificationEnvironment(sparse.csr_matrix(X), y, target=0), 3, seed)
    frame = take(ClassificationEnvironment(pd.DataFrame(X), pd.Series(y), target=0), 3, seed)
    for (a, _), (b, _), (c, _) in zip(dense, rows, frame):
        assert b.format == "csr"
        assert_array_equal(a, b.toarray())
        assert_array_equal(a, c)


def test_random_state_of_a_direct_call():
    X, y = load_iris(return_X_y=True)
    for state in (0, np.random.RandomState(0)):
        environment = ClassificationEnvironment(X, y, random_state=state)
        assert_array_equal(next(environment.rounds())[0], next(environment.rounds())[0])


@pytest.mark.parametrize(
    ("X", "y", "parameters", "message"),
    [
        (np.ones((3, 2)), [0, 1], {}, "inconsistent numbers of samples"),
        (np.full((2, 2), np.nan), [0, 1], {}, "X contains NaN"),
        (np.ones((2, 2)), [1, 1], {}, r"at least 2 distinct labels; got \[1\]"),
        (np.ones((2, 2)), [0.1, 0.7], {}, "continuous"),
        (np.ones((2, 2)), [0, 1], {"target": 7}, r"one of the labels \[0, 1\]; got 7"),
        (np.ones((2, 2)), [0, 1], {"target": "one"}, r"one of the labels \[0, 1\]; got 'one'"),
        (np.ones((2, 2)), [0, 1], {"n_actions": 0}, "n_actions must be an integer >= 1"),
        (np.ones((2, 2)), [0, 1], {"rewards": [1]}, r"each outcome \[0, 1\]; got 1"),
    ],
)
def test_classification_refusals(X, y, parameters, message):
    with pytest.raises(ValueError, match=message):
        ClassificationEnvironment(X, y, **parameters).rounds(np.random.default_rng(0))
