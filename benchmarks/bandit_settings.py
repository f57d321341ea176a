"""The bandit problems of the regret study: published ones, the paper's, and others that differ."""

from collections.abc import Callable
from dataclasses import dataclass, field

import numpy as np
from sklearn.datasets import load_digits
from sklearn.preprocessing import normalize

from benchmarks.common import load_data
from skmlogb.simulation import ClassificationEnvironment, MLogBEnvironment, TrialResults, run_trials


@dataclass
class Setting:
    """A problem: `environment(rng)` makes that of one trial, the same one each time where `fixed`."""

    name: str
    n_rounds: int
    environment: Callable
    norm_bound: float = 1.0
    fixed: bool = False
    target: float | None = None
    quoted: dict = field(default_factory=dict)


def play(setting, policies, *, n_trials, n_rounds=None, n_jobs=1, first_trial=0):
    """Run trials of a setting, each in an environment of its own unless the setting is fixed."""
    options = {"n_rounds": n_rounds or setting.n_rounds, "n_jobs": n_jobs}
    if setting.fixed:
        environment = setting.environment(np.random.default_rng(0))
        return run_trials(policies, environment, n_trials=n_trials, random_state=first_trial, **options)
    trials = range(first_trial, first_trial + n_trials)
    runs = [
        run_trials(
            policies,
            setting.environment(np.random.default_rng(trial)),
            n_trials=1,
            random_state=trial,
            **options,
        )
        for trial in trials
    ]
    parts = [np.concatenate([getattr(run, name) for run in runs], axis=1) for name in _MEASURED]
    return TrialResults(list(policies), *parts)


_MEASURED = ("regret", "select_time", "update_time")


def _synthetic(**parameters):
    return lambda rng: MLogBEnvironment(**parameters)


def _random_rewards(rng):
    """Rewards of the three other outcomes uniform, scaled to norm 2; the reference's is 0."""
    rewards = rng.random(3)
    rewards *= 2 / np.linalg.norm(rewards)
    return MLogBEnvironment(
        n_features=3, n_outcomes=4, n_actions=10, actions="cube", norm=2.0, rewards=[0.0, *rewards]
    )


def _catalogue(n_items, n_features, n_outcomes, norm, rewards=None):
    """A fixed set of unit actions, another one in each trial."""

    def environment(rng):
        items = rng.standard_normal((n_items, n_features))
        items /= np.linalg.norm(items, axis=1, keepdims=True)
        return MLogBEnvironment(
            n_features=n_features,
            n_outcomes=n_outcomes,
            n_actions=n_items,
            actions=items,
            norm=norm,
            rewards=rewards,
        )

    return environment


def _low_rank(rng):
    """Actions near a 5-dimensional subspace of 60 features; the parameter lies in it."""
    basis = np.linalg.qr(rng.standard_normal((60, 5)))[0].T

    def actions(rng, n):
        points = rng.standard_normal((n, 5)) @ basis + 0.05 * rng.standard_normal((n, 60))
        return points / np.linalg.norm(points, axis=1, keepdims=True)

    direction = rng.standard_normal(5)
    coef = (4 * direction / np.linalg.norm(direction)) @ basis
    return MLogBEnvironment(n_features=60, n_outcomes=2, n_actions=20, actions=actions, coef=coef[None])


def _real(load, *, centred=False, **parameters):
    """Rows of length 1 and a bias term, by the protocol of section 4."""

    def environment(rng):
        X, y = load()
        X = normalize(X - X.mean(axis=0) if centred else X)
        return ClassificationEnvironment(np.column_stack([X, np.ones(len(X))]), y, **parameters)

    return environment


PUBLISHED = [
    Setting(
        "ball d=2 K=1",
        3000,
        _synthetic(
            n_features=2, n_outcomes=2, n_actions=20, actions="ball", coef=np.full((1, 2), 5 / np.sqrt(2))
        ),
        norm_bound=6.0,
        target=20,
        quoted={"adaECOLog": 136, "GLM-UCB": 728, "OL2M": 1364},
    ),
    Setting(
        "cube d=3 K=1",
        5000,
        _synthetic(n_features=3, n_outcomes=2, n_actions=10, actions="cube", norm=2.0),
        norm_bound=2.0,
        target=25,
        quoted={"adaECOLog": 80, "RS-MNL": 150, "uniform": 1656},
    ),
    Setting(
        "cube d=3 K=3",
        5000,
        _random_rewards,
        norm_bound=2.0,
        target=120,
        quoted={"RS-MNL": 390, "uniform": 943},
    ),
]
PAPER = [
    Setting("paper d=100 K=4", 3000, _synthetic(n_features=100, n_outcomes=5)),
    Setting("paper d=400 K=1", 3000, _synthetic(n_features=400, n_outcomes=2)),
    Setting("paper MNIST", 3000, _real(lambda: load_data("mnist70k"), target=1), fixed=True),
]
CATALOGUES = [
    Setting("catalogue d=4 K=1", 2000, _catalogue(15, 4, 2, 3.0), norm_bound=3.0),
    Setting("catalogue d=8 K=1", 2000, _catalogue(30, 8, 2, 5.0), norm_bound=5.0),
    Setting("catalogue d=3 K=3", 2000, _catalogue(12, 3, 4, 3.0), norm_bound=3.0),
    Setting("catalogue d=6 K=2", 2000, _catalogue(25, 6, 3, 5.0, [0, 0.05, 1]), norm_bound=5.0),
]
OTHERS = [
    Setting(
        "large norm d=5 K=1",
        2000,
        _synthetic(n_features=5, n_outcomes=2, n_actions=20, norm=10.0),
        norm_bound=10.0,
    ),
    Setting(
        "skewed rewards d=4 K=2",
        2000,
        _synthetic(n_features=4, n_outcomes=3, n_actions=15, norm=4.0, rewards=[0, 0.1, 1]),
        norm_bound=4.0,
    ),
    Setting("low rank d=60 K=1", 2000, _low_rank, norm_bound=4.0),
    Setting(
        "norm_bound too small d=3 K=1", 2000, _synthetic(n_features=3, n_outcomes=2, n_actions=15, norm=5.0)
    ),
    Setting(
        "norm_bound too large d=3 K=1",
        2000,
        _synthetic(n_features=3, n_outcomes=2, n_actions=15, norm=1.0),
        norm_bound=10.0,
    ),
    Setting("digits d=65 K=1", 1500, _real(lambda: load_digits(return_X_y=True), target=1), fixed=True),
    Setting(
        "letter d=17 K=1",
        1500,
        _real(lambda: load_data("letter"), centred=True, target="A"),
        fixed=True,
    ),
    Setting("satimage d=37 K=5", 1500, _real(lambda: load_data("satimage"), centred=True), fixed=True),
]
