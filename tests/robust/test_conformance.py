"""scikit-learn's own checks, and life inside its meta-estimators."""

import pickle

import numpy as np
import pytest
from sklearn.base import clone
from sklearn.compose import TransformedTargetRegressor
from sklearn.datasets import load_diabetes
from sklearn.ensemble import BaggingRegressor, StackingRegressor, VotingRegressor
from sklearn.feature_selection import SelectFromModel
from sklearn.inspection import permutation_importance
from sklearn.model_selection import cross_val_predict, cross_val_score
from sklearn.multioutput import MultiOutputRegressor
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.utils.estimator_checks import parametrize_with_checks

from skmlogb.robust import HuberSGDRegressor, PseudoHuberSGDRegressor

# Weights are not copies where a row's chance to be in a batch, or its part in the risk, ignores them.
WEIGHTS = "check_sample_weight_equivalence_on_{}_data"
EXPECTED = {
    "batches": dict.fromkeys(
        [WEIGHTS.format("dense"), WEIGHTS.format("sparse")], "batches are drawn from rows, not from copies"
    ),
    "stopping": dict.fromkeys(
        [WEIGHTS.format("dense"), WEIGHTS.format("sparse")], "the risk counts a row once, whatever its weight"
    ),
}
ESTIMATORS = {
    HuberSGDRegressor(): None,
    PseudoHuberSGDRegressor(): None,
    HuberSGDRegressor(penalty="elasticnet", fit_intercept=False, risk="in_batch"): None,
    HuberSGDRegressor(penalty="mcp", tol=1e-3, risk=None): None,
    PseudoHuberSGDRegressor(batch_size=0.5, penalty="l1", random_state=0): "batches",
    HuberSGDRegressor(early_stopping=True, warm_start=True): "stopping",
}
REASONS = {repr(estimator): EXPECTED.get(kind, {}) for estimator, kind in ESTIMATORS.items()}


@pytest.mark.filterwarnings("ignore::sklearn.exceptions.ConvergenceWarning")
@pytest.mark.filterwarnings("ignore::sklearn.exceptions.SkipTestWarning")
@parametrize_with_checks(
    list(ESTIMATORS), expected_failed_checks=lambda estimator: REASONS.get(repr(estimator), {})
)
def test_scikit_learn_checks(estimator, check):
    check(estimator)


@pytest.fixture(scope="module")
def diabetes():
    return load_diabetes(return_X_y=True)


def model(**settings):
    return make_pipeline(
        StandardScaler(), HuberSGDRegressor(**{"random_state": 0, "max_iter": 50, **settings})
    )


@pytest.mark.parametrize(
    "wrap",
    [
        lambda: BaggingRegressor(model(batch_size=0.5), n_estimators=3, random_state=0),
        lambda: TransformedTargetRegressor(model(), func=np.log, inverse_func=np.exp),
        lambda: VotingRegressor([("huber", model()), ("pseudo", PseudoHuberSGDRegressor())]),
        lambda: StackingRegressor([("huber", model())], final_estimator=HuberSGDRegressor(), cv=2),
        lambda: make_pipeline(
            StandardScaler(), SelectFromModel(HuberSGDRegressor(penalty="l1", alpha=3.0)), HuberSGDRegressor()
        ),
    ],
)
def test_inside_meta_estimators(wrap, diabetes):
    X, y = diabetes
    assert wrap().fit(X, y).score(X, y) > 0.4


def test_several_targets(diabetes):
    X, y = diabetes
    both = MultiOutputRegressor(model()).fit(X, np.column_stack([y, -2 * y]))
    predicted = both.predict(X)
    np.testing.assert_allclose(predicted[:, 1], -2 * predicted[:, 0], rtol=1e-8)
    assert [part[-1].risk_path_.shape for part in both.estimators_] == [(51,), (51,)]


def test_cross_validation(diabetes):
    X, y = diabetes
    predicted = cross_val_predict(model(early_stopping=True), X, y, cv=5)
    assert np.corrcoef(predicted, y)[0, 1] > 0.65
    assert cross_val_score(model(), X, y, cv=5).mean() > 0.4


def test_multioutput_partial_fit_and_chunks(diabetes):
    X, y = diabetes
    X = StandardScaler().fit_transform(X)
    both = MultiOutputRegressor(HuberSGDRegressor(n_probes=4))
    for _ in range(10):
        for rows in np.array_split(np.arange(len(y)), 4):
            both.partial_fit(X[rows], np.column_stack([y, y])[rows])
    assert both.score(X, np.column_stack([y, y])) > 0.4
    assert both.estimators_[0].risk_path_.shape == (41,)


def test_names_of_features(diabetes):
    pd = pytest.importorskip("pandas")
    X, y = load_diabetes(return_X_y=True, as_frame=True)
    fitted = model().fit(X, y)
    assert fitted[-1].n_features_in_ == 10
    alone = HuberSGDRegressor(max_iter=5).fit(X, y)
    assert list(alone.feature_names_in_) == list(X.columns)
    with pytest.raises(ValueError, match="feature names"):
        alone.predict(X[X.columns[::-1]])
    importance = permutation_importance(fitted, X, y, n_repeats=2, random_state=0)
    assert importance.importances_mean.argmax() in (X.columns.get_loc("bmi"), X.columns.get_loc("s5"))
    assert isinstance(X, pd.DataFrame)


@pytest.mark.parametrize("settings", [{}, {"warm_start": True, "penalty": "group_l1", "groups": [0, 1] * 5}])
def test_clone_and_pickle(settings, diabetes):
    X, y = diabetes
    fitted = HuberSGDRegressor(max_iter=5, batch_size=0.5, random_state=0, **settings).fit(X, y)
    restored = pickle.loads(pickle.dumps(fitted))
    np.testing.assert_array_equal(restored.predict(X), fitted.predict(X))
    np.testing.assert_array_equal(restored.risk_path_, fitted.risk_path_)
    fitted.fit(X, y)
    restored.fit(X, y)
    np.testing.assert_array_equal(restored.coef_, fitted.coef_)
    fresh = clone(fitted)
    assert fresh.get_params() == fitted.get_params()
    assert not hasattr(fresh, "coef_")


def test_a_fitted_estimator_does_not_keep_the_data():
    rng = np.random.default_rng(0)
    X, y = rng.standard_normal((2000, 50)), rng.standard_normal(2000)
    for warm_start in (False, True):
        fitted = HuberSGDRegressor(max_iter=5, n_probes=2, warm_start=warm_start).fit(X, y)
        assert len(pickle.dumps(fitted)) < X.nbytes / 2
