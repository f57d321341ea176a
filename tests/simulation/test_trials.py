"""run_trials: what it measures, common random numbers, and that parallelism changes no bit."""

import re
import sys
import threading
import warnings
from typing import ClassVar

import joblib
import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from scipy import sparse
from sklearn.base import BaseEstimator
from sklearn.datasets import load_iris
from threadpoolctl import threadpool_info

from skmlogb.bandit import EOFDMLogBPolicy, OFULMLogBPolicy, UniformPolicy
from skmlogb.simulation import ClassificationEnvironment, MLogBEnvironment, TrialResults, run_trials


class Recorder(BaseEstimator):
    """Always chooses one place, and writes down what it sees in a list that its clones share."""

    def __init__(self, place, log, rewards=None, random_state=None):
        self.place = place
        self.log = log
        self.rewards = rewards
        self.random_state = random_state

    def __sklearn_clone__(self):
        return Recorder(self.place, self.log, self.rewards)

    def select_action(self, X):
        self.log.append([self.place, self.random_state, self.rewards, X])
        return self.place

    def update(self, x, y):
        self.log[-1] += [x, y]


def play(environment, places=(0, 1), **settings):
    logs = [[] for _ in places]
    policies = {f"place {place}": Recorder(place, log) for place, log in zip(places, logs)}
    settings = {"n_rounds": 8, "n_trials": 2, "random_state": 0, **settings}
    return run_trials(policies, environment, **settings), logs


ENVIRONMENT = MLogBEnvironment(n_features=3, n_outcomes=3, norm=4.0, n_actions=(2, 5))


def test_regret_is_that_of_the_rounds(seed):
    class Scripted:
        """Three rounds whose regret is known."""

        outcome_rewards: ClassVar[dict] = {"no": 1.0, "yes": 3.0}

        def rounds(self, rng):
            for p in ([0.5, 1.0], [0.25, 0.0], [0.0, 0.75]):
                yield np.eye(2), np.column_stack([1 - np.array(p), p])

    results, logs = play(Scripted(), n_rounds=3, random_state=seed)
    assert results.policies == ["place 0", "place 1"]
    assert_allclose(results.regret[0], [[1.0, 1.0, 2.5]] * 2)
    assert_allclose(results.regret[1], [[0.0, 0.5, 0.5]] * 2)
    assert results.select_time.shape == results.update_time.shape == (2, 2, 3)
    assert results.select_time.min() >= 0
    assert {entry[-1] for log in logs for entry in log} <= {"no", "yes"}
    assert [entry[-1] for entry in logs[1]][0::3] == ["yes", "yes"]
    assert [entry[-1] for entry in logs[0]][2::3] == ["no", "no"]


def test_outcomes_have_the_stated_frequencies(seed):
    class Fixed:
        outcome_rewards: ClassVar[dict] = {"a": 0.0, "b": 0.0, "c": 1.0}

        def rounds(self, rng):
            while True:
                yield np.zeros((1, 1)), np.array([[0.2, 0.5, 0.3]])

    _, (log,) = play(Fixed(), places=(0,), n_rounds=2000, random_state=seed)
    outcomes = np.array([entry[-1] for entry in log])
    for outcome, share in {"a": 0.2, "b": 0.5, "c": 0.3}.items():
        assert np.mean(outcomes == outcome) == pytest.approx(share, abs=0.04)


def test_policies_of_a_trial_share_actions_luck_and_seed(seed):
    class SameProbabilities:
        """The outcome tells nothing of the action, so equal luck means equal outcomes."""

        outcome_rewards: ClassVar[dict] = dict(enumerate(range(9)))

        def rounds(self, rng):
            while True:
                yield rng.random((3, 2)), np.full((3, 9), 1 / 9)

    _, (one, other) = play(SameProbabilities(), places=(0, 2), n_trials=3, random_state=seed)
    for a, b in zip(one, other):
        assert a[1] == b[1]
        assert_array_equal(a[3], b[3])
        assert a[-1] == b[-1]
    seeds = [entry[1] for entry in one][::8]
    assert len(set(seeds)) == 3
    assert len({entry[3][0, 0] for entry in one}) == 24
    assert len({tuple(e[-1] for e in one[8 * k : 8 * k + 8]) for k in range(3)}) == 3


def test_adding_a_policy_changes_no_other(seed):
    pair, _ = play(ENVIRONMENT, random_state=seed)
    alone, _ = play(ENVIRONMENT, places=(1,), random_state=seed)
    assert_array_equal(pair.regret[1], alone.regret[0])


def test_rewards_are_told_only_to_policies_that_have_none():
    log = []
    policies = {"told": Recorder(0, log), "knows": Recorder(0, log, rewards=[0, 5, 7])}
    run_trials(policies, ENVIRONMENT, n_rounds=1, n_trials=1)
    assert [entry[2] for entry in log] == [{0: 0.0, 1: 0.5, 2: 1.0}, [0, 5, 7]]
    assert policies["told"].rewards is None


def test_one_blas_thread_in_and_the_old_number_after():
    class CountsThreads(Recorder):
        def __sklearn_clone__(self):
            return self

        def select_action(self, X):
            self.log.append({pool["num_threads"] for pool in threadpool_info() if pool["user_api"] == "blas"})
            return 0

        def update(self, x, y):
            pass

    log, before = [], threadpool_info()
    run_trials({"one": CountsThreads(0, log)}, ENVIRONMENT, n_rounds=3, n_trials=2)
    assert log == [{1}] * 6
    assert threadpool_info() == before


def test_sparse_actions_are_passed_as_rows(rng):
    catalogue = sparse.csr_matrix(rng.standard_normal((5, 3)))
    _, (log,) = play(MLogBEnvironment(n_features=3, n_outcomes=2, actions=catalogue), places=(2,))
    assert all(entry[4].shape == (1, 3) for entry in log)
    assert_allclose(log[0][4].toarray(), log[0][3].toarray()[[2]])


POLICIES = {
    "EOFD": EOFDMLogBPolicy(sketch_size=2),
    "OFUL": OFULMLogBPolicy(),
    "uniform": UniformPolicy(),
}


@pytest.fixture(scope="module")
def sequential():
    return run_trials(POLICIES, ENVIRONMENT, n_rounds=30, n_trials=3, random_state=7)


def test_results_are_reproducible(sequential):
    again = run_trials(POLICIES, ENVIRONMENT, n_rounds=30, n_trials=3, random_state=7)
    other = run_trials(POLICIES, ENVIRONMENT, n_rounds=30, n_trials=3, random_state=8)
    assert_array_equal(sequential.regret, again.regret)
    assert not np.array_equal(sequential.regret, other.regret)
    assert all(len(np.unique(final)) == 3 for final in sequential.regret[:, :, -1])  # no two trials alike


@pytest.mark.parametrize("backend", ["loky", "threading"])
def test_n_jobs_changes_no_bit(backend, sequential):
    with joblib.parallel_config(backend=backend):
        parallel = run_trials(POLICIES, ENVIRONMENT, n_rounds=30, n_trials=3, random_state=7, n_jobs=2)
    assert_array_equal(parallel.regret, sequential.regret)


class NotesItsThread(UniformPolicy):
    """Plays like any other, and notes which thread it plays in."""

    threads: ClassVar[set] = set()

    def select_action(self, X):
        self.threads.add(threading.current_thread().name)
        return super().select_action(X)


def test_a_dask_cluster_changes_no_bit(sequential):
    distributed = pytest.importorskip("distributed")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # of dask's own start-up; the results are compared bit for bit
        with (
            distributed.LocalCluster(
                n_workers=1, threads_per_worker=2, processes=False, dashboard_address=None
            ) as cluster,
            distributed.Client(cluster),
            joblib.parallel_config(backend="dask"),
        ):
            policies = {**POLICIES, "uniform": NotesItsThread()}
            parallel = run_trials(policies, ENVIRONMENT, n_rounds=30, n_trials=3, random_state=7)
    assert_array_equal(parallel.regret, sequential.regret)
    assert NotesItsThread.threads
    assert "MainThread" not in NotesItsThread.threads  # the workers played


def test_a_full_sketch_plays_like_the_hessian(seed):
    results = run_trials(
        {"EOFD": EOFDMLogBPolicy(sketch_size=99), "OFUL": OFULMLogBPolicy()},
        ENVIRONMENT,
        n_rounds=60,
        n_trials=2,
        random_state=seed,
    )
    assert_allclose(results.regret[0], results.regret[1], rtol=1e-9)


def test_classification_is_learned():
    X, y = load_iris(return_X_y=True)
    X = (X - X.mean(axis=0)) / X.std(axis=0) / 4
    policies = {"OFUL": OFULMLogBPolicy(norm_bound=5, fit_intercept=True), "uniform": UniformPolicy()}
    results = run_trials(
        policies, ClassificationEnvironment(X, y, target=0), n_rounds=200, n_trials=2, random_state=0
    )
    assert results.regret[0, :, -1].max() < 0.3 * results.regret[1, :, -1].min()


def test_plain_lists_and_frames_are_actions_too():
    pd = pytest.importorskip("pandas")

    class Environment:
        outcome_rewards: ClassVar[dict] = {0: 0.0, 1: 1.0}

        def __init__(self, convert):
            self.convert = convert

        def rounds(self, rng):
            while True:
                yield self.convert([[0.0, 1.0], [2.0, 3.0], [4.0, 5.0]]), [[1, 0], [0.5, 0.5], [0, 1]]

    for convert in (list, pd.DataFrame):
        results, (log,) = play(Environment(convert), places=(1,))
        assert_array_equal(log[0][4], [2.0, 3.0])
        assert_allclose(results.regret[0, 0, -1], 4.0)


def test_summary_and_frame():
    pd = pytest.importorskip("pandas")
    regret = np.cumsum(np.arange(12.0).reshape(2, 2, 3), axis=-1)
    results = TrialResults(["a", "b"], regret, np.full((2, 2, 3), 0.5), np.full((2, 2, 3), 0.25))
    assert repr(results) == "TrialResults(policies=['a', 'b'], n_trials=2, n_rounds=3)"
    assert results.summary()[0] == {
        "policy": "a",
        "regret_mean": 7.5,
        "regret_std": pytest.approx(np.std([3, 12], ddof=1)),
        "regret_min": 3.0,
        "regret_max": 12.0,
        "select_time": 0.5,
        "update_time": 0.25,
    }
    frame = results.to_frame()
    assert isinstance(frame, pd.DataFrame)
    assert list(frame.columns) == ["policy", "trial", "round", "regret", "select_time", "update_time"]
    assert frame.iloc[4].tolist() == ["a", 1, 2, 7.0, 0.5, 0.25]
    single = TrialResults(["a"], regret[:1, :1], regret[:1, :1], regret[:1, :1]).summary()
    assert np.isnan(single[0]["regret_std"])


def test_frames_need_pandas(monkeypatch):
    monkeypatch.setitem(sys.modules, "pandas", None)
    with pytest.raises(ImportError, match=r"to_frame needs pandas: pip install 'skmlogb\[frame\]'"):
        TrialResults(["a"], *np.zeros((3, 1, 1, 1))).to_frame()


def test_progress_is_reported(capsys):
    play(ENVIRONMENT, verbose=0)
    assert capsys.readouterr() == ("", "")
    play(ENVIRONMENT, verbose=1)
    assert re.search(r"Done +4 ", "".join(capsys.readouterr()))  # the rest differs from version to version


class Stub:
    def __init__(self, choice):
        self.choice = choice

    def select_action(self, X):
        return self.choice

    def update(self, x, y):
        pass


class Broken:
    def __init__(self, outcome_rewards, stream):
        self.outcome_rewards, self.stream = outcome_rewards, stream

    def rounds(self, rng):
        return self.stream


def broken(actions, probabilities):
    return Broken({0: 0.0, 1: 1.0}, [(actions, np.array(probabilities))])


@pytest.mark.parametrize(
    ("arguments", "error", "message"),
    [
        ({"n_rounds": 0}, ValueError, "n_rounds must be an integer >= 1"),
        ({"n_rounds": 2.5}, TypeError, "n_rounds must be an integer >= 1"),
        ({"n_trials": 0}, ValueError, "n_trials must be an integer >= 1"),
        ({"policies": {}}, ValueError, "at least one policy"),
        ({"policies": Stub(0)}, TypeError, "policies must be a mapping of names.*Stub"),
        ({"policies": {"p": Stub}}, TypeError, r"policies\['p'\] must be an object"),
        ({"policies": {"p": 3}}, TypeError, r"policies\['p'\].*select_action.*got 3"),
        ({"environment": 3}, TypeError, "environment must have.*int"),
        ({"policies": {"p": Stub(9)}}, ValueError, "Policy 'p' chose action 9 out of"),
        ({"policies": {"p": Stub(-1)}}, ValueError, "Policy 'p' chose action -1 out of"),
        ({"policies": {"p": Stub(np.zeros(2))}}, ValueError, "Policy 'p' chose action array"),
        ({"policies": {"p": Stub(True)}}, ValueError, "Policy 'p' chose action True"),
        ({"environment": broken(np.eye(2), np.eye(3))}, ValueError, r"\(2, 2\); got \(3, 3\)"),
        ({"environment": broken(np.eye(2), [[1, 1], [0, 1]])}, ValueError, "sum to 1"),
        ({"environment": broken(np.eye(2), [[2, -1], [0, 1]])}, ValueError, ">= 0 and sum to 1"),
        ({"environment": broken(np.eye(2), [[np.nan, 1], [0, 1]])}, ValueError, "sum to 1"),
        ({"environment": broken(np.eye(2), np.eye(2))}, ValueError, "ended after 1 rounds; n_rounds=2"),
        ({"environment": broken(1.0, [[1, 0]])}, ValueError, r"actions of shape .*; got \(\)"),
        ({"environment": broken([1.0, 2.0], np.eye(2))}, ValueError, r"actions of shape .*; got \(2,\)"),
        (
            {"environment": Broken({0: 0, 1: 1}, None)},
            TypeError,
            "must return an iterator of rounds; got None",
        ),
        (
            {"environment": Broken([0.0, 1.0], [])},
            TypeError,
            r"outcome_rewards must be a mapping.*got \[0.0, 1",
        ),
        (
            {"environment": Broken({0: np.nan, 1: 1}, [])},
            ValueError,
            r"outcome_rewards\[0\] must be .*got nan",
        ),
        (
            {"environment": Broken({0: 0, "a": "x"}, [])},
            TypeError,
            r"outcome_rewards\['a'\] must be .*got 'x'",
        ),
        ({"environment": Broken({}, [])}, TypeError, r"outcome_rewards must be a mapping.*got \{\}"),
        ({"random_state": "x"}, ValueError, "cannot be used to seed"),
    ],
)
def test_refusals(arguments, error, message):
    settings = {"policies": {"p": Stub(0)}, "environment": ENVIRONMENT, "n_rounds": 2, "n_trials": 1}
    with pytest.raises(error, match=message):
        run_trials(**{**settings, **arguments})
