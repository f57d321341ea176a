"""make_mlogb: the data follow the model whose parameter is returned."""

import numpy as np
import pytest
from numpy.testing import assert_array_equal
from sklearn.linear_model import LogisticRegression

from skmlogb.datasets import make_mlogb


def test_shapes_and_norm(seed):
    X, y, W = make_mlogb(50, 4, n_outcomes=5, norm=2.5, coef=True, random_state=seed)
    assert (X.shape, y.shape, W.shape) == ((50, 4), (50,), (4, 4))
    assert np.linalg.norm(W) == pytest.approx(2.5)
    assert np.linalg.norm(X, axis=1) == pytest.approx(1)
    assert set(y) <= set(range(5))
    assert np.issubdtype(y.dtype, np.integer)


def test_same_seed_same_data(seed):
    for a, b in zip(
        make_mlogb(20, coef=True, random_state=seed), make_mlogb(20, coef=True, random_state=seed)
    ):
        assert_array_equal(a, b)
    assert len(make_mlogb(20, random_state=seed)) == 2
    state = np.random.RandomState(seed)
    assert not np.array_equal(make_mlogb(20, random_state=state)[0], make_mlogb(20, random_state=state)[0])


def test_the_likeliest_parameter_is_the_known_one(seed):
    X, y, W = make_mlogb(60_000, 3, n_outcomes=4, coef=True, random_state=seed)
    model = LogisticRegression(C=np.inf, fit_intercept=False).fit(X, y)
    found = model.coef_[1:] - model.coef_[0]
    assert np.linalg.norm(found - W) < 0.15


def test_logits_may_be_huge(seed):
    _, y = make_mlogb(200, 3, norm=1e6, random_state=seed)
    assert len(set(y)) == 3


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"n_samples": 0}, "n_samples must be an integer >= 1"),
        ({"n_features": 0}, "n_features must be an integer >= 1"),
        ({"n_outcomes": 1}, "n_outcomes must be an integer >= 2"),
        ({"norm": np.nan}, "norm must be a number in .0, 1e.100."),
        ({"actions": "torus"}, "actions must be one of"),
    ],
)
def test_refusals(arguments, message):
    with pytest.raises(ValueError, match=message):
        make_mlogb(**arguments)
