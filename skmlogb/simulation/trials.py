"""Independent trials of policies in an environment, in parallel."""

import threading
from collections.abc import Mapping
from dataclasses import dataclass
from time import perf_counter

import numpy as np
from joblib import Parallel, delayed
from scipy.sparse import issparse
from sklearn.base import clone
from sklearn.utils import check_random_state
from threadpoolctl import threadpool_limits

from .._validation import check_number


@dataclass(eq=False, repr=False)
class TrialResults:
    """What :func:`run_trials` measured.

    Attributes
    ----------
    policies : list of str
        Names, in the order of the first axis of the arrays.
    regret : array of shape (n_policies, n_trials, n_rounds)
        Cumulative regret, equation (2) of [1]_: expected reward of the best action of a round less that of
        the action chosen, summed up to and with each round.
    select_time, update_time : array of shape (n_policies, n_trials, n_rounds)
        Seconds that each call of ``select_action`` and ``update`` took.

    References
    ----------
    .. [1] L. He, Y.-J. Zhang, S. Yang, L. Zhang. Efficient Multinomial Logistic Bandit via Frequent
           Directions. 2026.

    Examples
    --------
    >>> import numpy as np
    >>> from skmlogb.simulation import TrialResults
    >>> regret = np.cumsum(np.ones((1, 2, 3)), axis=-1)
    >>> results = TrialResults(["lazy"], regret, np.full((1, 2, 3), 1e-4), np.full((1, 2, 3), 2e-4))
    >>> results.summary()[0]["regret_mean"]
    3.0
    """

    policies: list
    regret: np.ndarray
    select_time: np.ndarray
    update_time: np.ndarray

    def __repr__(self):
        _, n_trials, n_rounds = self.regret.shape
        return f"TrialResults(policies={self.policies}, n_trials={n_trials}, n_rounds={n_rounds})"

    def summary(self):
        """Return one dict a policy.

        Returns
        -------
        summary : list of dict
            With "policy"; "regret_mean", "regret_std" (between trials, with n - 1; NaN for a single trial),
            "regret_min" and "regret_max" of the final regret; "select_time" and "update_time", medians in
            seconds.
        """
        rows = []
        for i, name in enumerate(self.policies):
            final = self.regret[i, :, -1]
            rows.append(
                {
                    "policy": name,
                    "regret_mean": float(final.mean()),
                    "regret_std": float(final.std(ddof=1)) if len(final) > 1 else float("nan"),
                    "regret_min": float(final.min()),
                    "regret_max": float(final.max()),
                    "select_time": float(np.median(self.select_time[i])),
                    "update_time": float(np.median(self.update_time[i])),
                }
            )
        return rows

    def to_frame(self):
        """Return all measurements as a pandas DataFrame, one row for each policy, trial and round.

        Returns
        -------
        frame : pandas.DataFrame
            Columns "policy", "trial", "round" (from 1), "regret" (cumulative), "select_time" and
            "update_time".

        Raises
        ------
        ImportError
            If pandas is not installed.
        """
        try:
            import pandas as pd
        except ImportError as error:
            raise ImportError("to_frame needs pandas: pip install 'skmlogb[frame]'.") from error
        _, n_trials, n_rounds = self.regret.shape
        index = pd.MultiIndex.from_product(
            [self.policies, range(n_trials), range(1, n_rounds + 1)], names=["policy", "trial", "round"]
        )
        columns = {name: getattr(self, name).ravel() for name in ("regret", "select_time", "update_time")}
        return pd.DataFrame(columns, index=index).reset_index()


def run_trials(policies, environment, *, n_rounds, n_trials=10, n_jobs=None, random_state=None, verbose=0):
    """Play every policy in independent trials of an environment.

    All policies of a trial meet the same actions, and the same uniform number decides the outcome of a
    round, so their differences are not blurred by luck. Each run works on a clone of its policy under one
    BLAS thread; the results (not the times) are the same bit for bit for any `n_jobs`.

    Parameters
    ----------
    policies : mapping of str to policy
        Objects with ``select_action(X)`` and ``update(x, y)``. Their `random_state` is replaced by one of
        the trial's, and `rewards`, where it is None, by the environment's.
    environment : environment
        :class:`MLogBEnvironment`, :class:`ClassificationEnvironment`, or any object with the two members
        that these have: a mapping ``outcome_rewards`` from label to reward, and a method ``rounds(rng)``
        that yields ``(actions, probabilities)``, drawing from nothing but the generator it is given.
    n_rounds : int
        Rounds of a trial.
    n_trials : int, default=10
        Number of trials.
    n_jobs : int, default=None
        Runs (a policy's trial each) at the same time, as in joblib: None is 1 unless in a
        :class:`joblib.parallel_config` context, whose backend (dask, ray) is used too; -1 is all processors.
    random_state : int, RandomState instance or None, default=None
        Seed of all trials.
    verbose : int, default=0
        If positive, joblib reports after every finished run.

    Returns
    -------
    results : TrialResults
        Regret and times.

    Raises
    ------
    TypeError, ValueError
        If an argument, a round of the environment or the choice of a policy is not as described.

    Examples
    --------
    >>> from skmlogb.bandit import EOFDMLogBPolicy, UniformPolicy
    >>> from skmlogb.simulation import MLogBEnvironment, run_trials
    >>> policies = {"EOFD": EOFDMLogBPolicy(), "uniform": UniformPolicy()}
    >>> environment = MLogBEnvironment(n_features=3, n_outcomes=2, norm=3.0)
    >>> results = run_trials(policies, environment, n_rounds=100, n_trials=2, random_state=0)
    >>> results.regret.shape
    (2, 2, 100)
    >>> eofd, uniform = results.summary()
    >>> eofd["regret_mean"] < uniform["regret_mean"]
    True
    """
    n_rounds = check_number(n_rounds, "n_rounds", low=1, integer=True)
    n_trials = check_number(n_trials, "n_trials", low=1, integer=True)
    _check_policies(policies)
    _check_environment(environment)
    entropy = check_random_state(random_state).randint(np.iinfo(np.int32).max, size=4)
    seeds = [child.generate_state(9) for child in np.random.SeedSequence(entropy).spawn(n_trials)]
    tasks = [(name, policy, seed) for seed in seeds for name, policy in policies.items()]
    runs = Parallel(n_jobs=n_jobs, verbose=11 if verbose > 0 else 0)(
        delayed(_run)(name, policy, environment, n_rounds, seed) for name, policy, seed in tasks
    )
    measured = np.array(runs).reshape(n_trials, len(policies), 3, n_rounds)
    regret, select_time, update_time = np.moveaxis(measured, (2, 1), (0, 1))
    return TrialResults(list(policies), np.cumsum(regret, axis=-1), select_time.copy(), update_time.copy())


def _run(name, policy, environment, n_rounds, seed):
    """Play one policy for one trial; return (3, n_rounds): each round's regret, select and update time."""
    outcomes, rewards = zip(*environment.outcome_rewards.items())
    policy = _fresh(policy, environment.outcome_rewards, int(seed[8] >> 1))
    luck = np.random.default_rng(seed[4:8])
    measured = np.empty((3, n_rounds))
    played = 0
    with _one_blas_thread:
        stream = environment.rounds(np.random.default_rng(seed[:4]))
        if not hasattr(stream, "__iter__"):
            raise TypeError(f"environment.rounds must return an iterator of rounds; got {stream!r}.")
        for played, (actions, probabilities) in zip(range(1, n_rounds + 1), stream):
            actions = actions if issparse(actions) else np.asarray(actions)
            probabilities = np.asarray(probabilities)
            expected = _expected_rewards(actions, probabilities, rewards)
            start = perf_counter()
            choice = policy.select_action(actions)
            select_time = perf_counter() - start
            is_number = isinstance(choice, (int, np.integer)) and not isinstance(choice, bool)
            if not (is_number and 0 <= choice < len(expected)):
                raise ValueError(f"Policy {name!r} chose action {choice!r} out of {len(expected)}.")
            cumulative = np.cumsum(probabilities[choice])
            outcome = outcomes[np.searchsorted(cumulative, luck.random() * cumulative[-1], side="right")]
            action = actions[choice : choice + 1] if issparse(actions) else actions[choice]
            start = perf_counter()
            policy.update(action, outcome)
            update_time = perf_counter() - start
            measured[:, played - 1] = expected.max() - expected[choice], select_time, update_time
    if played < n_rounds:
        raise ValueError(
            f"environment.rounds ended after {played} rounds; n_rounds={n_rounds} were asked for."
        )
    return measured


class _OneBlasThread:
    """One BLAS thread while any run is under way, also where several runs are threads of one process."""

    def __init__(self):
        self._lock = threading.Lock()
        self._n_runs = 0

    def __enter__(self):
        with self._lock:
            if self._n_runs == 0:
                self._limits = threadpool_limits(limits=1)
            self._n_runs += 1

    def __exit__(self, *_):
        with self._lock:
            self._n_runs -= 1
            if self._n_runs == 0:
                self._limits.restore_original_limits()


_one_blas_thread = _OneBlasThread()


def _fresh(policy, outcome_rewards, seed):
    """Clone a policy, seed it, and tell it the rewards if it has been told none."""
    policy = clone(policy, safe=False)
    if hasattr(policy, "get_params"):
        given = policy.get_params(deep=False)
        told = {"random_state": seed} if "random_state" in given else {}
        if given.get("rewards", 0) is None:
            told["rewards"] = dict(outcome_rewards)
        policy.set_params(**told)
    return policy


def _expected_rewards(actions, probabilities, rewards):
    """Return the expected reward of each action, having checked what the environment said."""
    if actions.ndim != 2:
        raise ValueError(
            f"environment.rounds must yield actions of shape (n_actions, n_features); got {actions.shape}."
        )
    wanted = (actions.shape[0], len(rewards))
    if probabilities.shape != wanted:
        raise ValueError(
            "environment.rounds must yield probabilities of shape (n_actions, n_outcomes) = "
            f"{wanted}; got {probabilities.shape}."
        )
    total = probabilities.sum(axis=1)
    if not (np.all(probabilities >= 0) and np.all(np.abs(total - 1) <= 1e-6)):
        raise ValueError("environment.rounds must yield probabilities that are >= 0 and sum to 1 by action.")
    return probabilities @ np.asarray(rewards)


def _check_policies(policies):
    if not hasattr(policies, "items"):
        raise TypeError(
            "policies must be a mapping of names to policies; "
            f"got an object of type {type(policies).__name__}."
        )
    if not policies:
        raise ValueError("policies must name at least one policy; got an empty mapping.")
    for name, policy in policies.items():
        if isinstance(policy, type) or not (
            callable(getattr(policy, "select_action", None)) and callable(getattr(policy, "update", None))
        ):
            raise TypeError(
                f"policies[{name!r}] must be an object with select_action(X) and update(x, y); "
                f"got {policy!r}."
            )


def _check_environment(environment):
    if not (hasattr(environment, "outcome_rewards") and callable(getattr(environment, "rounds", None))):
        raise TypeError(
            "environment must have a mapping outcome_rewards and a method rounds(rng); "
            f"got an object of type {type(environment).__name__}."
        )
    outcome_rewards = environment.outcome_rewards
    if not isinstance(outcome_rewards, Mapping) or not outcome_rewards:
        raise TypeError(
            "environment.outcome_rewards must be a mapping from each outcome's label to its reward; "
            f"got {outcome_rewards!r}."
        )
    for label, reward in outcome_rewards.items():
        if not isinstance(reward, (bool, np.bool_)):
            check_number(reward, f"environment.outcome_rewards[{label!r}]", low=-1e100, high=1e100)
