"""Labels, rewards and the reference outcome."""

import enum

import numpy as np
import pandas as pd
import pytest

from skmlogb.bandit import EOFDMLogBPolicy
from skmlogb.bandit.rewards import resolve_outcomes


def resolved(*args, **kwargs):
    outcomes = resolve_outcomes(*args, **kwargs)
    return outcomes.classes.tolist(), outcomes.rewards.tolist()


class Colour(enum.IntEnum):
    RED = 3
    BLUE = 1


@pytest.mark.parametrize(
    ("rewards", "y", "classes", "labels", "values"),
    [
        # a mapping: sorted labels, seen or not
        ({"b": 1, "a": 0, "c": 2}, ["a"], None, ["a", "b", "c"], [0, 1, 2]),
        ({2: 0.5, -1: 0.0}, None, None, [-1, 2], [0, 0.5]),
        ({2: 0.5, -1: 0.0}, None, [2], [-1, 2], [0, 0.5]),
        ({True: 1, False: 0}, [True], None, [False, True], [0, 1]),
        ({Colour.RED: 1, Colour.BLUE: 0}, [3], None, [1, 3], [0, 1]),
        ({1.5: 1, 0.5: 0}, [0.5, 1.5, 0.5], None, [0.5, 1.5], [0, 1]),
        (pd.Series({"ignored": 0, "clicked": 1}), None, None, ["clicked", "ignored"], [1, 0]),
        ({2**53 + 1: 0, 2**53: 1, 0.5: 2}, None, None, [0.5, 2**53, 2**53 + 1], [2, 1, 0]),
        ({2**63 + 1: 0, -1: 1}, None, None, [-1, 2**63 + 1], [1, 0]),
        # a sequence: in the order of `classes` ...
        ([1, 2, 3], ["a"], ["b", "c", "a"], ["a", "b", "c"], [3, 1, 2]),
        # ... else of the sorted labels of y if their number fits ...
        ([5, 6, 7], [7, 9, 8, 7], None, [7, 8, 9], [5, 6, 7]),
        ((0.0, 1.0), [7, 3], None, [3, 7], [0, 1]),
        (np.array([0, 1]), [0, 2], None, [0, 2], [0, 1]),
        # ... else of 0..len-1
        ([0, 1, 2], [2, 2], None, [0, 1, 2], [0, 1, 2]),
        ([0, 1, 2], None, None, [0, 1, 2], [0, 1, 2]),
        ([0, 1], [True], None, [False, True], [0, 1]),
        # None: equally spaced over the sorted labels
        (None, ["c", "a", "b"], None, ["a", "b", "c"], [0, 0.5, 1]),
        (None, None, None, [0, 1], [0, 1]),
        (None, [1], None, [0, 1], [0, 1]),
        (None, [1], ["z", "x"], ["x", "z"], [0, 1]),
        (None, [False, False], None, [False, True], [0, 1]),
    ],
)
def test_labels_and_rewards(rewards, y, classes, labels, values):
    y = None if y is None else np.array(y)
    assert resolved(rewards, y, classes) == (labels, values)


def test_a_sequence_for_labels_that_are_not_numbers():
    """Their sorted order is hardly ever the one that the rewards were written in."""
    y = np.array(["ignored", "clicked", "bought"])
    with pytest.warns(
        UserWarning, match=r"sorted labels: \{'bought': 0, 'clicked': 0.3, 'ignored': 1\}. Pass a map"
    ):
        assert resolved([0, 0.3, 1], y, None) == (sorted(y.tolist()), [0, 0.3, 1])
    with pytest.warns(UserWarning, match="rewards go to the sorted labels") as warned:
        EOFDMLogBPolicy(rewards=[0, 1, 2]).fit(np.eye(3), y)
    assert warned[0].filename == __file__


def test_the_least_reward_is_the_reference():
    outcomes = resolve_outcomes({"a": 2.0, "b": -1.0, "c": 3.0, "d": -1.0})
    assert outcomes.reference == 1  # the first of the two
    assert outcomes.gains.tolist() == [3.0, 4.0, 0.0]
    assert outcomes.number_of == {"b": 0, "a": 1, "c": 2, "d": 3}
    assert outcomes.encode(np.array(["d", "b", "a"])) == [3, 0, 1]


@pytest.mark.parametrize(
    ("rewards", "y", "classes", "error", "message"),
    [
        ([0, 1, 2], ["a", "b"], None, ValueError, "rewards has 3 entries but y has 2 classes"),
        ([0, 1], [5], None, ValueError, r"rewards has 2 entries but y has 1 class: \[5\]"),
        ([0, 1], [0, 1], [0, 1, 2], ValueError, "rewards must have one entry for each of the 3 classes"),
        (
            [0, np.nan],
            None,
            None,
            ValueError,
            r"rewards, each entry must be a number in \[-1e[+]100, 1e[+]100\]",
        ),
        (
            [0, np.inf],
            None,
            None,
            ValueError,
            r"rewards, each entry must be a number in \[-1e[+]100, 1e[+]100\]",
        ),
        ([-1e308, 1e308, 1], None, None, ValueError, "rewards, each entry must be a number in"),
        ([0, 1e101, 1], None, None, ValueError, "rewards, each entry must be a number in"),
        ([1, 1, 1], None, None, ValueError, "rewards must differ"),
        ([1], None, None, ValueError, "rewards must differ between at least two classes"),
        ([], None, None, ValueError, "rewards must differ"),
        ({}, None, None, ValueError, "rewards must differ"),
        (
            {"a": 0, "b": "1"},
            None,
            None,
            TypeError,
            "rewards, each entry must be a number.* got '1' of type str",
        ),
        ([0, 1j], None, None, TypeError, "rewards, each entry must be a number.* got 1j of type"),
        (
            [[0, 1], [2, 3]],
            None,
            None,
            TypeError,
            r"rewards, each entry must be .* got \[0, 1\] of type list",
        ),
        ([0, [1]], None, None, TypeError, r"rewards, each entry must be a number.* got \[1\] of type list"),
        (np.eye(2), None, None, TypeError, "rewards must be None, a mapping"),
        ([0, 1, 10**400], None, None, ValueError, "rewards, each entry must be a number.* got inf"),
        ({0: 0, 1: -(10**400)}, None, None, ValueError, "rewards, each entry must be a number.* got -inf"),
        (np.array(0.5), None, None, TypeError, "rewards must be None, a mapping"),
        ({0, 1}, None, None, TypeError, "rewards must be None, a mapping"),
        ("ab", None, None, TypeError, "rewards must be None, a mapping"),
        (3, None, None, TypeError, "rewards must be None, a mapping"),
        ({"a": 0, 1: 1}, None, None, ValueError, "rewards must have labels that can be hashed and sorted"),
        ({"a": 0, "b": 1}, None, ["a", "z"], ValueError, r"classes has \['z'\]"),
        (None, None, [0, 0, 1], ValueError, "classes must be distinct"),
        (None, None, ["only"], ValueError, "at least two classes"),
        (None, None, {"a", "b"}, TypeError, "classes must be a sequence of labels; got {"),
        (None, None, "ab", TypeError, "classes must be a sequence of labels; got 'ab'"),
        (None, None, 5, TypeError, "classes must be a sequence of labels; got 5"),
        (None, ["a", None], None, ValueError, "y must have labels that can be hashed and sorted"),
        ({np.nan: 0, 1: 1}, None, None, ValueError, "rewards must have labels .* none NaN"),
        (None, None, [[0], [1]], ValueError, "classes must"),
        (None, ["a"], None, ValueError, "y must have at least two classes; got 1 class"),
        (None, [0.5, 1.2], None, ValueError, "Unknown label type"),
    ],
)
def test_refusals(rewards, y, classes, error, message):
    y = None if y is None else np.array(y)
    with pytest.raises(error, match=message):
        resolve_outcomes(rewards, y, classes)


def test_fit_refuses_a_single_class_where_updates_go_on():
    with pytest.raises(ValueError, match="at least two classes; got 1 class"):
        EOFDMLogBPolicy().fit(np.eye(2), [1, 1])
    assert EOFDMLogBPolicy().update(np.eye(2), [1, 1]).classes_.tolist() == [0, 1]
    assert EOFDMLogBPolicy(rewards=[0, 1]).fit(np.eye(2), [1, 1]).classes_.tolist() == [0, 1]


@pytest.mark.parametrize("unknown", ["d", 1, None, float("nan"), ["a"], ("a", "b")])
def test_unknown_outcomes_are_named(unknown):
    outcomes = resolve_outcomes({"a": 0, "b": 1})
    y = np.empty(2, dtype=object)
    y[0], y[1] = "a", unknown
    with pytest.raises(ValueError, match="y has the unknown outcome"):
        outcomes.encode(y)


@pytest.mark.parametrize(
    "labels", [["no", "yes"], [False, True], [-3, 8], [0.25, 0.75], [np.int8(1), np.int8(2)], ["", "é"]]
)
def test_labels_of_any_type_come_back(labels, rng):
    policy = EOFDMLogBPolicy(rewards=dict(zip(labels, (0, 1))), norm_bound=20.0, random_state=0)
    X = np.repeat(np.eye(2), 50, axis=0)
    policy.fit(X, [labels[0]] * 50 + [labels[1]] * 50)
    assert policy.predict(np.eye(2)).tolist() == labels
    assert policy.classes_.tolist() == labels
    for label in labels:
        policy.update(np.ones(2), label)
    assert policy.n_rounds_ == 102
    assert policy.reference_class_ == labels[0]


def test_labels_may_be_any_objects_that_sort(rng):
    class Verdict(enum.Enum):
        GOOD = 1
        BAD = 0

        def __lt__(self, other):
            return self.value < other.value

    policy = EOFDMLogBPolicy(rewards={Verdict.GOOD: 1, Verdict.BAD: 0})
    policy.update(np.ones(2), Verdict.GOOD).update(np.eye(2), [Verdict.BAD, Verdict.GOOD])
    assert policy.classes_.tolist() == [Verdict.BAD, Verdict.GOOD]
    assert policy.predict(np.ones((1, 2))).tolist() == [Verdict.GOOD]
