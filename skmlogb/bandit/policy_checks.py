"""Checks that a policy behaves: for the policies of this package and for users' own."""

import pickle
from collections.abc import Mapping

import joblib
import numpy as np
from sklearn.base import clone

_SCORERS = ("score_actions", "predict_reward", "predict_proba", "predict")


def check_policy(policy, *, n_features=4, outcomes=None, random_state=0):
    """Check that a policy keeps the promises that simulation and services rely on.

    The policy must act before any data; choose the same actions again when seeded and fed alike; leave its
    clones alone and be left alone by them; change nothing when it scores or predicts; resume from a pickle
    bit for bit; learn the same from a batch of rounds as from one round after the other; not grow with use;
    break ties at random; and refuse bad updates without a change of its state.

    Parameters
    ----------
    policy : object
        With ``select_action(X)`` -> index of the chosen row and ``update(x, y)``, where x is the action of
        one round or the rows of several; it is cloned, never played. Where it has ``score_actions`` or
        scikit-learn's prediction methods, they are checked too, and where it has a parameter
        `random_state`, its seeding.
    n_features : int, default=4
        Length of the actions to check with.
    outcomes : sequence, default=None
        Outcome labels to check with, at least one. None: those of the policy's parameter `rewards` (the
        keys of a mapping, 0..len-1 for a sequence), or 0 and 1.
    random_state : int, default=0
        Seed of the rounds and of the policy.

    Raises
    ------
    AssertionError
        At the first promise that is broken; the message says what happened and what to do.

    Examples
    --------
    >>> from skmlogb.bandit import EOFDMLogBPolicy, check_policy
    >>> check_policy(EOFDMLogBPolicy(rewards={"ignored": 0, "clicked": 1}))
    """
    if outcomes is None:
        outcomes = _outcomes_of(policy)
    bench = _Bench(policy, n_features, list(outcomes), random_state)
    for check in _CHECKS:
        check(bench)


def _outcomes_of(policy):
    rewards = policy.get_params(deep=False).get("rewards") if hasattr(policy, "get_params") else None
    if isinstance(rewards, Mapping):
        return list(rewards)
    return list(range(2 if rewards is None else len(rewards)))


class _Bench:
    """Fresh copies of a policy, and rounds to play them with."""

    def __init__(self, policy, n_features, outcomes, random_state):
        self.policy, self.n_features, self.outcomes = policy, n_features, outcomes
        self.random_state = random_state
        self.name = type(policy).__name__

    def fresh(self):
        """Return an unplayed copy, seeded."""
        policy = clone(self.policy, safe=False)
        if hasattr(policy, "get_params") and "random_state" in policy.get_params(deep=False):
            policy.set_params(random_state=self.random_state)
        return policy

    def rounds(self, n_rounds, stream=0):
        """Return the action sets (6 unit actions, two of them equal) and the outcomes of rounds."""
        rng = np.random.default_rng([self.random_state, stream])
        actions = rng.standard_normal((n_rounds, 6, self.n_features))
        actions /= np.linalg.norm(actions, axis=-1, keepdims=True)
        actions[:, 1] = actions[:, 0]
        return actions, [self.outcomes[k] for k in rng.integers(len(self.outcomes), size=n_rounds)]

    def play(self, policy, n_rounds, stream=0):
        """Let the policy choose and learn; return its choices."""
        choices = []
        for actions, outcome in zip(*self.rounds(n_rounds, stream)):
            choices.append(policy.select_action(actions))
            policy.update(actions[choices[-1]], outcome)
        return choices

    def played(self, n_rounds=30):
        """Return a copy with some experience."""
        policy = self.fresh()
        self.play(policy, n_rounds)
        return policy

    def scores(self, policy):
        """Return the answers of all scoring methods that the policy has, for one set of actions."""
        actions = self.rounds(1, stream=1)[0][0]
        return [np.asarray(getattr(policy, name)(actions)) for name in _SCORERS if hasattr(policy, name)]

    def same(self, one, other, promise, advice):
        """Assert that two policies are alike: equal scores, and equal choices in further rounds."""
        for a, b in zip(self.scores(one), self.scores(other)):
            assert np.array_equal(a, b), f"{self.name}: {promise}, but its scores differ. {advice}"
        a, b = self.play(one, 20, stream=2), self.play(other, 20, stream=2)
        assert a == b, f"{self.name}: {promise}, but its choices differ: {a} and {b}. {advice}"


def _check_acts_cold(bench):
    actions = bench.rounds(1)[0][0]
    try:
        choice = bench.fresh().select_action(actions)
    except Exception as error:
        raise AssertionError(
            f"{bench.name}: select_action fails before any data ({error!r}). A new policy must act; "
            "let it explore until it knows better."
        ) from error
    assert isinstance(choice, (int, np.integer)) and choice in range(len(actions)), (  # noqa: PT018
        f"{bench.name}: select_action must return the index of a row of X, an integer in "
        f"0..{len(actions) - 1}; got {choice!r}."
    )


def _check_seeding_is_idempotent(bench):
    first, second = (bench.play(bench.fresh(), 30) for _ in range(2))
    assert first == second, (
        f"{bench.name}: the same seed and the same rounds gave the choices {first} and then {second}. Draw "
        "every random number from a generator made from random_state, never from the global one."
    )


def _check_clone_is_independent(bench):
    untouched, original = bench.played(), bench.played()
    bench.play(clone(original, safe=False), 30, stream=3)
    advice = "Look for a mutable default argument, a class attribute or an array that copies share."
    bench.same(untouched, original, "playing a clone must leave the original as it was", advice)


def _check_scoring_is_pure(bench):
    untouched, scored = bench.played(), bench.played()
    first = bench.scores(scored)
    for a, b in zip(first, bench.scores(scored)):
        assert np.array_equal(a, b), (
            f"{bench.name}: scoring the same actions twice gave different answers. Scores must not be drawn "
            "at random, nor depend on earlier calls; break ties in select_action."
        )
    advice = "Let score_actions and predict* write no attribute and draw no random number."
    bench.same(untouched, scored, "scoring must not change what the policy does next", advice)


def _check_pickle_resumes(bench):
    policy = bench.played()
    try:
        resumed = pickle.loads(pickle.dumps(policy))
    except Exception as error:
        raise AssertionError(
            f"{bench.name}: cannot be pickled and loaded ({error!r}). Keep lambdas, open files and locks out "
            "of its attributes."
        ) from error
    advice = "Everything that decisions depend on, the random generator too, must be in its pickled state."
    bench.same(policy, resumed, "a policy loaded from a pickle must go on where it stopped", advice)


def _check_batch_is_loop(bench):
    actions, outcomes = bench.rounds(30)
    batch, loop = bench.fresh(), bench.fresh()
    batch.update(actions[:, 0], outcomes)
    for x, y in zip(actions[:, 0], outcomes):
        loop.update(x, y)
    for a, b in zip(bench.scores(batch), bench.scores(loop)):
        assert np.array_equal(a, b) or np.allclose(a, b, rtol=1e-9, atol=1e-12), (
            f"{bench.name}: update with a batch of rounds must learn what one update a round, in the same "
            f"order, learns, but the scores are {a} and {b}."
        )
    if not bench.scores(batch):
        bench.same(
            batch, loop, "a batch of rounds must equal a loop over them", "Loop over the rows in update."
        )


def _check_memory_is_bounded(bench):
    policy = bench.fresh()
    largest = []
    for stream, n_rounds in enumerate((150, 50, 350, 50)):
        sizes = []
        for actions, outcome in zip(*bench.rounds(n_rounds, stream)):
            policy.update(actions[policy.select_action(actions)], outcome)
            if n_rounds == 50:
                sizes.append(len(pickle.dumps(policy)))
        largest.append(max(sizes, default=0))
    growth = largest[3] - largest[1]
    assert growth <= 400, (
        f"{bench.name}: its pickle grew by {growth} bytes over 400 rounds. A policy that serves for long "
        "must not store its rounds; keep sums, a matrix or a sketch."
    )


def _check_ties_are_random(bench):
    actions = np.repeat(bench.rounds(1)[0][0][:1], 5, axis=0)
    for policy, when in ((bench.fresh(), "before any data"), (bench.played(), "after 30 rounds")):
        chosen = {int(policy.select_action(actions)) for _ in range(80)}
        assert chosen == set(range(5)), (
            f"{bench.name}: of 5 equal actions, {when}, it chose only {sorted(chosen)} in 80 calls. Draw "
            "among all actions whose score is the best up to rounding."
        )


def _check_failed_update_leaves_state(bench):
    actions, outcomes = bench.rounds(3, stream=4)
    X = actions[:, 0]
    holed = X.copy()
    holed[-1, 0] = np.nan
    wide = np.ones((3, bench.n_features + 1))
    for fault, bad_X, bad_y in (
        ("a NaN in the last of 3 actions", holed, outcomes),
        (f"actions of length {bench.n_features + 1} instead of {bench.n_features}", wide, outcomes),
        ("3 actions with 2 outcomes", X, outcomes[:2]),
        ("an outcome that does not exist, the last of 3", X, [*outcomes[:2], "no such outcome"]),
    ):
        policy = bench.played()
        before = {name: joblib.hash(value) for name, value in vars(policy).items()}
        try:
            policy.update(bad_X, bad_y)
        except Exception:
            after = {name: joblib.hash(value) for name, value in vars(policy).items()}
        else:
            raise AssertionError(
                f"{bench.name}: update accepted {fault}. It must raise an error that says so."
            )
        changed = sorted(name for name in before | after if before.get(name) != after.get(name))
        assert not changed, (
            f"{bench.name}: update refused {fault}, but changed its attributes {changed} first. Check all "
            "rounds of a batch before learning from any."
        )


_CHECKS = (
    _check_acts_cold,
    _check_seeding_is_idempotent,
    _check_clone_is_independent,
    _check_scoring_is_pure,
    _check_pickle_resumes,
    _check_batch_is_loop,
    _check_memory_is_bounded,
    _check_ties_are_random,
    _check_failed_update_leaves_state,
)
