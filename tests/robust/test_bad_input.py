"""Bad and awkward input: an error or a warning that names the cause, or the right answer; no silent NaN."""

import warnings
from fractions import Fraction

import numpy as np
import pytest
from scipy.sparse import csr_array
from sklearn.exceptions import ConvergenceWarning, DataConversionWarning
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

from skmlogb.datasets import make_robust_regression
from skmlogb.robust import HuberSGDRegressor, PseudoHuberSGDRegressor


@pytest.fixture
def data(seed):
    return make_robust_regression(40, 6, n_informative=3, random_state=seed)


def state(model):
    return {name: value for name, value in vars(model).items() if name not in model.get_params()}


@pytest.mark.parametrize(
    ("parameter", "value", "error", "message"),
    [
        ("epsilon", 0.0, ValueError, r"epsilon must be a number > 0"),
        ("epsilon", np.nan, ValueError, r"epsilon must be"),
        ("epsilon", "1.35", TypeError, r"epsilon must be a number.*'1.35' of type str"),
        ("scale", -1.0, ValueError, r'scale must be "mad" or a number > 0'),
        ("scale", "std", TypeError, r'scale must be "mad" or a number'),
        ("penalty", "lasso", ValueError, r"penalty must be one of None, 'l1', .*'lasso'"),
        ("penalty", "group_l1", ValueError, r"needs groups"),
        ("alpha", -1e-3, ValueError, r"alpha must be a number >= 0"),
        ("alpha", Fraction(10**400), ValueError, r"alpha must be a number >= 0, finite; got inf"),
        ("epsilon", 10**400, ValueError, r"epsilon must be a number > 0, finite; got inf"),
        ("l1_ratio", 1.5, ValueError, r"l1_ratio must be a number in \[0, 1\]"),
        ("gamma", 0.0, ValueError, r"gamma must be a number > 0"),
        ("fit_intercept", "yes", TypeError, r"fit_intercept must be a bool; got 'yes'"),
        ("batch_size", 0, ValueError, r"batch_size must be"),
        ("batch_size", 1.5, ValueError, r"batch_size as a fraction must be a number in \(0, 1\]"),
        ("batch_size", "all", TypeError, r"batch_size must be None, or a fraction"),
        ("learning_rate", "adaptive", ValueError, r"learning_rate must be one of 'auto'"),
        ("learning_rate", None, ValueError, r"learning_rate must be one of 'auto'"),
        ("learning_rate", np.array([[0.1]]), ValueError, r"learning_rate as a sequence must be 1-d"),
        ("learning_rate", np.array(0.1), ValueError, r"learning_rate as a sequence must be 1-d"),
        (
            "learning_rate",
            [[0.1], [0.1, 0.2]],
            TypeError,
            r"step size at t=1 must be .* got \[0.1\] of type list",
        ),
        ("learning_rate", [0.1, 10**400], ValueError, r"step size at t=2 must be .* got inf"),
        ("learning_rate", [0.1, "x"], TypeError, r"step size at t=2 must be .* got 'x'"),
        ("learning_rate", 0.1, TypeError, r"learning_rate must be .* a sequence .*got 0.1 of type float"),
        ("learning_rate", 1j, TypeError, r"learning_rate must be .*got 1j of type complex"),
        ("learning_rate", {0.1, 0.2}, TypeError, r"learning_rate must be .* of type set"),
        ("learning_rate", {}, TypeError, r"learning_rate must be .* of type dict"),
        ("learning_rate", b"auto", TypeError, r"learning_rate must be .*got b'auto' of type bytes"),
        ("learning_rate", [], ValueError, r"learning_rate as a sequence must hold at least one step"),
        ("learning_rate", [0.1, -0.1], ValueError, r"step size at t=2 must be a number >= 0"),
        ("learning_rate", lambda t: np.nan, ValueError, r"step size at t=\d must be a number"),
        ("learning_rate", lambda t: "0.1", TypeError, r"step size at t=\d must be a number"),
        ("eta0", -1.0, ValueError, r"eta0 must be a number >= 0"),
        ("power_t", np.inf, ValueError, r"power_t must be a number"),
        ("max_iter", 0, ValueError, r"max_iter must be an integer >= 1"),
        ("max_iter", 10.5, TypeError, r"max_iter must be an integer"),
        ("tol", -1e-3, ValueError, r"tol must be None or a number >= 0"),
        ("n_iter_no_change", 0, ValueError, r"n_iter_no_change must be"),
        ("early_stopping", 1, TypeError, r"early_stopping must be a bool"),
        ("risk", "r_tilde", ValueError, r"risk must be one of 'out_of_batch'"),
        ("n_probes", 1, ValueError, r'n_probes must be "auto", "exact" or an integer >= 2'),
        ("n_probes", "many", TypeError, r'n_probes must be "auto", "exact" or an integer'),
        ("warm_start", None, TypeError, r"warm_start must be a bool"),
        ("verbose", -1, ValueError, r"verbose must be"),
    ],
)
def test_bad_parameters_are_named_and_change_nothing(parameter, value, error, message, data):
    model = HuberSGDRegressor(max_iter=3).fit(*data)
    before = state(model)
    model.set_params(**{parameter: value})
    with pytest.raises(error, match=message):
        model.fit(*data)
    assert state(model) == before
    if parameter != "learning_rate" or not isinstance(value, list):
        with pytest.raises(error, match=message):
            model.partial_fit(*data)
        assert state(model) == before


def test_settings_that_do_not_fit_each_other(data):
    X, y = data
    with pytest.raises(ValueError, match="early_stopping=True stops by the risk, and risk is None"):
        HuberSGDRegressor(early_stopping=True, risk=None).fit(X, y)
    with pytest.raises(
        ValueError, match=r"groups must hold one label a feature, shape \(6,\); got shape \(5,\)"
    ):
        HuberSGDRegressor(penalty="group_l1", groups=[0] * 5).fit(X, y)
    with pytest.raises(ValueError, match=r"gamma must be a number > 1"):
        HuberSGDRegressor(penalty="scad", gamma=1.0).fit(X, y)
    with pytest.raises(ValueError, match=r"step size 4.0 at t=1 is not below 3.7"):
        HuberSGDRegressor(penalty="mcp", learning_rate="constant", eta0=4.0).fit(X, y)
    with pytest.raises(ValueError, match=r"step size 2.7 at t=1 is not below 2.7"):
        HuberSGDRegressor(penalty="scad", learning_rate="constant", eta0=2.7).fit(X, y)


@pytest.mark.parametrize("penalty", ["mcp", "scad"])
def test_auto_steps_stay_below_what_concave_penalties_allow(penalty, data):
    X, y = data
    model = HuberSGDRegressor(penalty=penalty, alpha=1e-3, max_iter=50).fit(0.01 * X, y)
    assert np.isfinite(model.risk_path_).all()
    assert model.loss_path_[-1] < model.loss_path_[0]


@pytest.mark.parametrize("bad", [np.nan, np.inf])
def test_data_that_are_not_finite(bad, data):
    X, y = data
    model = HuberSGDRegressor(max_iter=3).fit(X, y)
    before = state(model)
    X_bad, y_bad = X.copy(), y.copy()
    X_bad[3, 2] = y_bad[5] = bad
    for method in (model.fit, model.partial_fit):
        with pytest.raises(ValueError, match="X contains"):
            method(X_bad, y)
        with pytest.raises(ValueError, match="y contains"):
            method(X, y_bad)
        with pytest.raises(ValueError, match="inconsistent numbers of samples"):
            method(X, y[:-1])
        with pytest.raises(ValueError, match="sample_weight"):
            method(X, y, np.full(40, bad))
    assert state(model) == before
    with pytest.raises(ValueError, match="X contains"):
        model.predict(X_bad)
    with pytest.raises(ValueError, match="expecting 6 features"):
        model.predict(X[:, :5])


def test_a_failed_fit_keeps_the_names_of_the_last_good_one(data):
    pd = pytest.importorskip("pandas")
    X, y = data
    model = HuberSGDRegressor(max_iter=3).fit(pd.DataFrame(X, columns=list("abcdef")), y)
    y_bad = y.copy()
    y_bad[0] = np.nan
    with pytest.raises(ValueError, match="y contains NaN"):
        model.fit(pd.DataFrame(X[:, :2], columns=list("uv")), y_bad)
    assert model.feature_names_in_.tolist() == list("abcdef")
    assert model.n_features_in_ == 6


def test_object_arrays(data):
    X, y = data
    model = HuberSGDRegressor(max_iter=5).fit(X, y)
    converted = HuberSGDRegressor(max_iter=5).fit(X.astype(object), y.astype(object))
    np.testing.assert_array_equal(converted.coef_, model.coef_)
    with pytest.raises(TypeError, match="must be numeric"):
        HuberSGDRegressor().fit(np.full((40, 6), "a", dtype=object), y)
    with pytest.raises(TypeError):
        HuberSGDRegressor().fit(np.full((40, 6), {}, dtype=object), y)
    with pytest.raises(TypeError, match="must be numeric"):
        model.predict(np.full((40, 6), "a", dtype=object))


def test_a_column_vector_as_target(data):
    X, y = data
    model = HuberSGDRegressor(max_iter=5).fit(X, y)
    with pytest.warns(DataConversionWarning):
        column = HuberSGDRegressor(max_iter=5).fit(X, y[:, None])
    np.testing.assert_array_equal(column.coef_, model.coef_)
    assert column.predict(X).shape == (40,)
    with pytest.raises(ValueError, match="1d array"):
        HuberSGDRegressor().fit(X, np.column_stack([y, y]))


def test_integer_data(rng):
    X, y = rng.integers(0, 9, (50, 4)), rng.integers(0, 100, 50)
    model = HuberSGDRegressor(max_iter=5).fit(X, y)
    np.testing.assert_array_equal(model.coef_, HuberSGDRegressor(max_iter=5).fit(X * 1.0, y * 1.0).coef_)


@pytest.mark.parametrize("regressor", [HuberSGDRegressor, PseudoHuberSGDRegressor])
@pytest.mark.parametrize("fit_intercept", [False, True])
def test_one_row(fit_intercept, regressor, rng):
    X, y = rng.standard_normal((2, 3)), rng.uniform(-1, 1, 2)
    model = regressor(fit_intercept=fit_intercept, scale=1.0)
    for rows in ((X[:1], y[:1]), (X, y, [1.0, 0.0])):
        with pytest.raises(ValueError, match=r"risk needs at least 2 rows .*n_samples = 1\. Set risk=None"):
            model.fit(*rows)
        assert not hasattr(model, "coef_")
    prediction = model.set_params(risk=None).fit(X[:1], y[:1]).predict(X[:1])
    assert np.isfinite(prediction).all()
    if fit_intercept:
        np.testing.assert_array_equal(prediction, y[:1])


@pytest.mark.parametrize("regressor", [HuberSGDRegressor, PseudoHuberSGDRegressor])
@pytest.mark.parametrize("fit_intercept", [False, True])
def test_two_rows(fit_intercept, regressor, rng):
    X, y = rng.standard_normal((2, 3)), rng.uniform(-1, 1, 2)
    model = regressor(fit_intercept=fit_intercept, scale=1.0).fit(X, y)
    assert np.isfinite(model.predict(X)).all()
    assert np.isfinite(model.risk_path_).all()


@pytest.mark.parametrize(
    "parameters", [{"scale": 1.7e308}, {"epsilon": 1e308}, {"scale": 1e-300, "epsilon": 1e-100}]
)
def test_a_quadratic_zone_beyond_floats(parameters, data):
    with pytest.raises(
        ValueError, match=r"epsilon \* scale_ must be positive and finite; got .* = (inf|0\.0)"
    ):
        HuberSGDRegressor(**parameters).fit(data[0], 3 * data[1])


@pytest.mark.parametrize("power_t", [2000.0, 400.5])
def test_a_power_beyond_floats_is_a_step_of_zero(power_t, data):
    model = HuberSGDRegressor(learning_rate="invscaling", power_t=power_t, max_iter=3).fit(*data)
    once = HuberSGDRegressor(learning_rate=[1.0], max_iter=1).fit(*data)
    np.testing.assert_array_equal(model.coef_, once.coef_)
    with pytest.raises(ValueError, match="step size at t=2 must be a number >= 0, finite; got inf"):
        model.set_params(power_t=-power_t * 10).fit(*data)


@pytest.mark.parametrize("regressor", [HuberSGDRegressor, PseudoHuberSGDRegressor])
def test_numpy_numbers_are_numbers(regressor, data):
    """However few bits they have: nothing wraps around or overflows."""
    X, y = data
    small = {
        "epsilon": np.uint8(6),
        "scale": np.uint8(50),
        "n_iter_no_change": np.uint64(5),
        "max_iter": np.uint8(5),
    }
    small |= {"tol": np.float16(0.5), "eta0": np.float16(0.5)}
    plain = {name: value.item() for name, value in small.items()}
    one, other = (regressor(**parameters).fit(X, 100 * y) for parameters in (small, plain))
    np.testing.assert_array_equal(one.loss_path_, other.loss_path_)
    np.testing.assert_array_equal(one.risk_path_, other.risk_path_)
    assert type(one.scale_) is float


@pytest.mark.parametrize("parameters", [{"epsilon": 1e160}, {"epsilon": 1.35}])
def test_a_pseudo_huber_zone_whose_square_overflows(parameters, data):
    X, y = data
    factor = 1.0 if parameters["epsilon"] > 2 else 1e152
    model = PseudoHuberSGDRegressor(max_iter=5, **parameters).fit(X, factor * y)
    assert np.isfinite(model.loss_path_).all()
    assert np.isfinite(model.coef_).all()


def test_integers_beyond_floats(data):
    X, y = data
    model = HuberSGDRegressor(max_iter=3).fit(X, y)
    before = state(model)
    rows = X.tolist()
    rows[0][0] = 10**400
    with pytest.raises(ValueError, match="X and y must lie within the range of floats"):
        model.fit(rows, y)
    assert state(model) == before


@pytest.mark.parametrize("value", [0.0, 7.0, -1e9])
def test_a_constant_target(value, data):
    X, _ = data
    model = HuberSGDRegressor(tol=1e-3).fit(X, np.full(40, value))
    np.testing.assert_allclose(model.coef_, 0, atol=1e-20 * max(abs(value), 1))
    assert model.intercept_ == pytest.approx(value)
    assert model.scale_ == 1.0
    assert model.n_iter_ == 10  # the objective is 0 from the start
    np.testing.assert_allclose(model.risk_path_, 0, atol=1e-12 * max(value**2, 1))


def test_a_perfect_fit(data, rng):
    X, _ = data
    coef = rng.standard_normal(6)
    model = HuberSGDRegressor(max_iter=3000, tol=1e-12, early_stopping=True, n_iter_no_change=50)
    model.fit(X, X @ coef + 3)
    np.testing.assert_allclose(model.coef_, coef, rtol=1e-4)
    assert model.intercept_ == pytest.approx(3, rel=1e-4)
    assert model.best_risk_ < 1e-6


def test_scale_where_the_median_deviation_is_zero(rng):
    X = rng.standard_normal((21, 2))
    y = np.r_[np.full(15, 3.0), rng.standard_normal(6)]
    model = HuberSGDRegressor(max_iter=5).fit(X, y)
    assert model.scale_ == pytest.approx(1.2533 * np.abs(y - 3.0).mean())
    assert HuberSGDRegressor(max_iter=5, scale=2.5).fit(X, y).scale_ == 2.5


@pytest.mark.parametrize("sparse", [False, True])
def test_constant_columns_keep_a_coefficient_of_zero(sparse, data):
    X, y = data
    X = np.column_stack([np.full(40, 0.1), X, np.full(40, 1e6)])
    settings = {"max_iter": 30, "learning_rate": "constant", "eta0": 0.3, "epsilon": 1e3, "n_probes": "exact"}
    model = HuberSGDRegressor(**settings).fit(csr_array(X) if sparse else X, y)
    np.testing.assert_allclose(model.coef_[[0, -1]], 0, atol=1e-9)
    reference = HuberSGDRegressor(**settings).fit(X[:, 1:-1], y)
    np.testing.assert_allclose(model.coef_[1:-1], reference.coef_, rtol=1e-6)


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_columns_that_are_all_constant_leave_the_start(dtype, rng):
    X = np.tile(rng.standard_normal(5) * 100, (30, 1)).astype(dtype)
    y = rng.standard_normal(30)
    model = HuberSGDRegressor().fit(X, y)
    np.testing.assert_array_equal(model.coef_, 0)
    assert model.intercept_ == pytest.approx(np.median(y), rel=1e-5)
    assert np.isfinite(model.risk_path_).all()


def test_duplicate_columns_share_their_coefficient(data):
    X, y = data
    model = HuberSGDRegressor(max_iter=50).fit(np.column_stack([X, X[:, 0]]), y)
    assert model.coef_[0] == pytest.approx(model.coef_[-1])
    assert np.isfinite(model.risk_path_).all()


def test_duplicate_rows(data):
    X, y = data
    model = HuberSGDRegressor(max_iter=20).fit(np.tile(X, (2, 1)), np.tile(y, 2))
    np.testing.assert_allclose(model.coef_, HuberSGDRegressor(max_iter=20).fit(X, y).coef_, rtol=1e-9)


@pytest.mark.parametrize("dtype", [np.float64, np.float32])
def test_a_timestamp_among_the_columns_does_not_blow_up(dtype, data):
    """A column of scale 1e9: a finite fit; scaled, a good one."""
    X, y = data
    X = np.column_stack([X, 1.7e9 + 1e7 * np.arange(40)]).astype(dtype)
    model = HuberSGDRegressor(max_iter=50).fit(X, y)
    assert np.isfinite(model.coef_).all()
    assert np.isfinite(model.risk_path_).all()
    assert model.loss_path_[-1] <= model.loss_path_[0]
    scaled = make_pipeline(StandardScaler(), HuberSGDRegressor(max_iter=50)).fit(X, y)
    assert scaled[-1].loss_path_[-1] < model.loss_path_[-1]


@pytest.mark.parametrize("batch_size", [None, 1, 0.2])
def test_no_scaling_makes_auto_steps_diverge(batch_size, data, rng):
    X, y = data
    scales = 10.0 ** rng.integers(-8, 9, 6)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        model = HuberSGDRegressor(max_iter=60, batch_size=batch_size, random_state=0).fit(X * scales, 1e6 * y)
    assert np.isfinite(model.risk_path_).all()
    # Single rows overshoot where they are longer than the first five, by a bounded amount.
    assert model.loss_path_[-1] < (20 if batch_size == 1 else 2) * model.loss_path_[0]


def test_far_more_features_than_rows(rng):
    X, y = rng.standard_normal((20, 500)), rng.standard_normal(20)
    model = HuberSGDRegressor(penalty="l1", alpha=0.05).fit(X, y)
    assert np.isfinite(model.risk_path_).all()
    assert 0 < np.count_nonzero(model.coef_) < 100


def test_steps_that_are_too_large_warn_of_the_cause(data):
    X, y = data
    warnings.filterwarnings("ignore", "No residual lies in the quadratic zone")
    with pytest.warns(ConvergenceWarning, match=r"objective grew from .* L is .* the step 1e\+06") as caught:
        model = HuberSGDRegressor(learning_rate="constant", eta0=1e6, max_iter=30).fit(X, y)
    assert "largest column scale" in str(caught[-1].message)
    assert np.isfinite(model.coef_).all()


@pytest.mark.parametrize("eta0", [1e300, 1e308])
def test_numbers_that_overflow_end_the_fit_at_the_last_finite_iterate(eta0, data):
    X, y = data
    with pytest.warns(ConvergenceWarning, match=r"overflowed; .* after 0 updates.* the step 1e\+30"):
        model = HuberSGDRegressor(learning_rate="constant", eta0=eta0, max_iter=30).fit(1e5 * X, y)
    assert model.n_iter_ == 0
    np.testing.assert_array_equal(model.coef_, 0)
    assert model.risk_path_.shape == model.loss_path_.shape == (1,)
    with pytest.raises(ValueError, match=r"overflowed at t=1 with step size 1e\+308"):
        model.set_params(eta0=1e308).partial_fit(1e5 * X, y)


def test_features_whose_squares_overflow(data):
    X, y = data
    X = X * np.array([1, 1, 1e200, 1, 1, 1])
    with pytest.raises(
        ValueError, match=r"squares of X overflow: the largest column scale is .*e\+(199|200).*column 2"
    ):
        HuberSGDRegressor().fit(X, y)


def test_a_target_too_large_for_float32(data):
    X, y = data
    with pytest.raises(ValueError, match="y overflows float32"):
        HuberSGDRegressor().fit(X.astype(np.float32), 1e39 * (y + 1))


@pytest.mark.parametrize(
    ("settings", "alpha_max"),
    [
        ({"penalty": "l1"}, lambda g: np.abs(g).max()),
        ({"penalty": "elasticnet", "l1_ratio": 0.25}, lambda g: np.abs(g).max() / 0.25),
        ({"penalty": "mcp"}, lambda g: np.abs(g).max()),
        ({"penalty": "scad"}, lambda g: np.abs(g).max()),
        (
            {"penalty": "group_l1", "groups": [0, 0, 1, 1, 1, 2]},
            lambda g: max(np.linalg.norm(part) / np.sqrt(part.size) for part in (g[:2], g[2:5], g[5:])),
        ),
    ],
)
def test_alpha_above_alpha_max_says_so(settings, alpha_max, data):
    X, y = data
    y = y - np.median(y)
    loss = HuberSGDRegressor(risk=None, fit_intercept=False, max_iter=1).fit(X, y)
    gradient = X.T @ np.clip(y, -1.35 * loss.scale_, 1.35 * loss.scale_) / len(y)
    bound = alpha_max(gradient)
    with pytest.warns(UserWarning, match=rf"leaves no coefficient.*alpha_max={bound:.4g}"):
        model = HuberSGDRegressor(fit_intercept=False, alpha=1.01 * bound, **settings).fit(X, y)
    np.testing.assert_array_equal(model.coef_, 0)
    model.set_params(alpha=0.99 * bound).fit(X, y)  # warnings are errors
    assert np.any(model.coef_)


def test_no_residual_in_the_quadratic_zone_at_all(data):
    X, y = data
    with pytest.raises(ValueError, match=r"epsilon \* scale_ = 1e-09 \* 1: the risk is undefined"):
        HuberSGDRegressor(epsilon=1e-9, scale=1.0, fit_intercept=False, max_iter=5).fit(X, y + 100)
    model = HuberSGDRegressor(epsilon=1e-9, scale=1.0, fit_intercept=False, max_iter=5, risk=None)
    assert np.isfinite(model.fit(X, y + 100).coef_).all()


def test_no_residual_in_the_quadratic_zone_at_some_iterates(data):
    """y far from 0 without an intercept: the first iterates see no curvature, later ones do."""
    X, y = data
    X = np.column_stack([X, np.ones(40)])
    settings = {
        "fit_intercept": False,
        "scale": 1.0,
        "epsilon": 2.0,
        "learning_rate": "constant",
        "eta0": 4.0,
    }
    with pytest.warns(ConvergenceWarning, match=r"epsilon \* scale_ = 2.0 \* 1, at t=1"):
        model = HuberSGDRegressor(max_iter=40, **settings).fit(X, np.clip(y, -5, 5) + 100)
    path = model.risk_path_
    assert np.isfinite(path[0])
    assert np.isnan(path[1])
    assert np.isfinite(path[-1])
    assert model.best_iter_ == np.nanargmin(path)


@pytest.mark.parametrize(
    ("weight", "message"),
    [
        (np.zeros(40), "got zeros only"),
        (np.r_[-1.0, np.ones(39)], "sample_weight must hold numbers >= 0; got -1"),
        (np.r_[2e307, np.full(39, 1e307)], "sample_weight must have a finite sum; got weights up to 2e"),
        (np.ones(39), "one weight a row, 40; got 39"),
        (np.ones((40, 2)), "sample_weight must be one number or 1-d"),
        (0.0, "got zeros only"),
    ],
)
def test_bad_weights(weight, message, data):
    model = HuberSGDRegressor(max_iter=3).fit(*data)
    before = state(model)
    for method in (model.fit, model.partial_fit):
        with pytest.raises(ValueError, match=message):
            method(*data, sample_weight=weight)
    assert state(model) == before


def test_no_rows_or_no_features(data):
    X, y = data
    with pytest.raises(ValueError, match="0 sample"):
        HuberSGDRegressor().fit(X[:0], y[:0])
    with pytest.raises(ValueError, match="0 feature"):
        HuberSGDRegressor().fit(X[:, :0], y)
    with pytest.raises(ValueError, match="2D"):
        HuberSGDRegressor().fit(X[:, 0], y)


def test_alpha_zero_is_no_penalty(data):
    plain = HuberSGDRegressor(max_iter=20).fit(*data)
    for penalty in ("l1", "l2", "elasticnet", "mcp", "scad"):
        model = HuberSGDRegressor(max_iter=20, penalty=penalty, alpha=0.0).fit(*data)
        np.testing.assert_allclose(model.coef_, plain.coef_, rtol=1e-10)


def test_a_covariance_with_a_negative_variance(data):
    model = HuberSGDRegressor(risk="known_covariance", covariance=-np.eye(6))
    with pytest.raises(ValueError, match="covariance must be positive semidefinite; got a variance of -1"):
        model.fit(*data)
