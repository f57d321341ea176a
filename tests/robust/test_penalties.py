"""Every prox by brute force, every Jacobian by finite differences, and penalties as objects."""

import pickle

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.integrate import trapezoid
from scipy.optimize import minimize

from skmlogb.robust import L1, MCP, SCAD, ElasticNet, GroupL1
from skmlogb.robust.design import Design
from skmlogb.robust.leading import LeadingPenalty, penalty_on

GROUPS = ["b", "a", "b", "c", "a", "b"]
PENALTIES = {
    "l1": L1(0.7),
    "ridge": ElasticNet(0.7, 0.0),
    "elastic": ElasticNet(0.7, 0.4),
    "mcp": MCP(0.7, 2.5),
    "scad": SCAD(0.7, 3.2),
    "group": GroupL1(0.5, GROUPS),
    "nothing": L1(0.0),
}
each = pytest.mark.parametrize("penalty", PENALTIES.values(), ids=PENALTIES)
separable = pytest.mark.parametrize("penalty", [p for p in PENALTIES.values() if not isinstance(p, GroupL1)])
STEPS = [0.3, 1.0, 2.0]


@separable
@pytest.mark.parametrize("step", [0.05, *STEPS])
def test_prox_minimises_on_a_grid(penalty, step):
    if step >= penalty.max_step():
        return
    grid = np.linspace(-5, 5, 20_001)
    values = np.array([penalty.value(np.array([b])) for b in grid])
    for v in np.linspace(-4, 4, 41):
        best = np.min((grid - v) ** 2 / 2 + step * values)
        b = penalty.prox(np.array([v]), step)
        reached = (b[0] - v) ** 2 / 2 + step * penalty.value(b)
        assert reached <= best + 1e-12  # off the grid it may be lower
        assert best <= reached + 1e-6
        assert abs(b[0] - grid[np.argmin((grid - v) ** 2 / 2 + step * values)]) < 0.05


@pytest.mark.parametrize("step", STEPS)
def test_prox_of_groups_minimises(step, rng):
    penalty = PENALTIES["group"]
    for scale in (0.3, 1.0, 5.0):
        v = scale * rng.standard_normal(6)
        b = penalty.prox(v, step)

        def objective(x):
            return np.sum((x - v) ** 2) / 2 + step * penalty.value(x)  # noqa: B023

        found = min(
            minimize(
                objective,
                start,
                method="Nelder-Mead",
                options={"maxiter": 6000, "xatol": 1e-9, "fatol": 1e-13},
            ).fun
            for start in (v, b + 0.01)
        )
        assert objective(b) <= found + 1e-9
        around = b + 0.01 * rng.standard_normal((300, 6))
        assert all(objective(x) >= objective(b) for x in around)


@each
@settings(max_examples=30)
@given(v=st.lists(st.floats(-4, 4), min_size=6, max_size=6), step=st.sampled_from(STEPS))
def test_jacobian_is_the_derivative_of_prox(penalty, v, step):
    if step >= penalty.max_step():
        return
    v, h = np.array(v), 1e-6
    jacobian = penalty.prox_jacobian(v, step)
    dense = jacobian.apply(np.eye(6))
    for j, e in enumerate(np.eye(6)):
        forward, back = (penalty.prox_jacobian(v + s * h * e, step).apply(np.eye(6)) for s in (1, -1))
        if np.abs(forward - back).max() > 1e-3:
            continue  # a kink
        difference = (penalty.prox(v + h * e, step) - penalty.prox(v - h * e, step)) / (2 * h)
        np.testing.assert_allclose(dense[:, j], difference, atol=1e-5)
    np.testing.assert_allclose(dense, dense.T, atol=1e-14)
    idle = np.setdiff1d(np.arange(6), jacobian.active)
    assert not dense[idle].any()


def test_groups_of_vanishing_norm():
    penalty = GroupL1(alpha=0.5, groups=["a", "b", "b"])
    v = np.array([1e-313, 0.0, 5.0])
    assert penalty.prox(v, 0.3).tolist()[:2] == [0.0, 0.0]
    assert penalty.prox_jacobian(v, 0.3).active.tolist() == [1, 2]
    assert penalty.prox(v, 0.0).tolist() == v.tolist()


@each
def test_jacobian_on_blocks(penalty, rng):
    v = 2 * rng.standard_normal(6)
    jacobian = penalty.prox_jacobian(v, 0.5)
    dense, vectors = jacobian.apply(np.eye(6)), rng.standard_normal((2, 3, 6))
    np.testing.assert_allclose(jacobian.apply(vectors), vectors @ dense, atol=1e-14)
    columns = np.array([0, 2, 5])
    np.testing.assert_allclose(
        jacobian.take(columns).apply(np.eye(3)), dense[np.ix_(columns, columns)], atol=1e-14
    )


@each
def test_a_step_of_zero_is_the_identity(penalty, rng):
    v = np.append(rng.standard_normal(5), 0.0)
    np.testing.assert_allclose(penalty.prox(v, 0.0), v, rtol=1e-14)
    np.testing.assert_array_equal(penalty.prox_jacobian(v, 0.0).apply(np.eye(6)), np.eye(6))


@each
@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_precision_is_kept(penalty, dtype, rng):
    v = rng.standard_normal(6).astype(dtype)
    assert penalty.prox(v, 0.5).dtype == dtype
    assert penalty.prox_jacobian(v, 0.5).apply(v[None]).dtype == dtype
    assert isinstance(penalty.value(v), float)


@each
def test_zero_and_huge_coefficients(penalty):
    for v in (np.zeros(6), np.full(6, 1e200), np.full(6, 1e-200)):
        assert np.isfinite(penalty.prox(v, 0.5)).all()
        assert np.isfinite(penalty.prox_jacobian(v, 0.5).apply(v)).all()


def test_values_by_their_definitions(rng):
    b = 2 * rng.standard_normal(6)
    assert PENALTIES["elastic"].value(b) == pytest.approx(0.7 * (0.4 * np.abs(b).sum() + 0.3 * b @ b))
    groups = np.array(GROUPS)
    norms = [np.sqrt(np.sum(groups == g)) * np.linalg.norm(b[groups == g]) for g in "abc"]
    assert PENALTIES["group"].value(b) == pytest.approx(0.5 * sum(norms))
    # MCP and SCAD are the integrals of their slopes.
    x = np.linspace(0, 4, 400_001)
    mcp = trapezoid(np.maximum(0.7 - x / 2.5, 0), x)
    scad = trapezoid(np.minimum(0.7, np.maximum(3.2 * 0.7 - x, 0) / 2.2), x)
    assert PENALTIES["mcp"].value(np.array([-4.0])) == pytest.approx(mcp, rel=1e-6)
    assert PENALTIES["scad"].value(np.array([4.0])) == pytest.approx(scad, rel=1e-6)


def test_groups_of_one_are_the_lasso(rng):
    v = rng.standard_normal(6)
    singles = GroupL1(0.4, range(6))
    np.testing.assert_allclose(singles.prox(v, 1.0), L1(0.4).prox(v, 1.0), atol=1e-15)
    dense = singles.prox_jacobian(v, 1.0).apply(np.eye(6))
    np.testing.assert_allclose(dense, L1(0.4).prox_jacobian(v, 1.0).apply(np.eye(6)), atol=1e-14)


def test_leading_penalty_leaves_the_intercept_alone(rng):
    v = rng.standard_normal(7)
    for penalty in PENALTIES.values():
        leading = penalty_on(Design(np.eye(6), constant=1.0), penalty)
        assert isinstance(leading, LeadingPenalty)
        np.testing.assert_array_equal(leading.prox(v, 0.5), np.append(penalty.prox(v[:6], 0.5), v[6]))
        dense = leading.prox_jacobian(v, 0.5).apply(np.eye(7))
        np.testing.assert_allclose(dense[:6, :6], penalty.prox_jacobian(v[:6], 0.5).apply(np.eye(6)))
        np.testing.assert_array_equal(dense[6], np.eye(7)[6])
        assert leading.value(v) == penalty.value(v[:6])
        assert leading.max_step() == penalty.max_step()
    assert penalty_on(Design(np.eye(6)), PENALTIES["l1"]) is PENALTIES["l1"]
    assert penalty_on(Design(np.eye(6), constant=1.0), None) is None


@each
def test_objects_compare_and_pickle(penalty, rng):
    copy, v = pickle.loads(pickle.dumps(penalty)), rng.standard_normal(6)
    assert copy == penalty
    assert hash(copy) == hash(penalty)
    np.testing.assert_array_equal(copy.prox(v, 0.5), penalty.prox(v, 0.5))


def test_unequal_penalties():
    assert L1(1) == L1(1.0) != ElasticNet(1.0, 1.0)
    assert GroupL1(1, [0, 1]) != GroupL1(1, [0, 0])
    assert repr(L1(0.5)) == "L1(alpha=0.5)"


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: L1(-1), "alpha must be a number >= 0"),
        (lambda: L1(np.inf), "alpha must be a number >= 0"),
        (lambda: ElasticNet(1, 1.5), "l1_ratio must be a number in"),
        (lambda: MCP(1, 0), "gamma must be a number > 0"),
        (lambda: SCAD(1, 1), "gamma must be a number > 1"),
        (lambda: GroupL1(1, [[0, 1]]), r"shape \(p,\); got shape \(1, 2\)"),
        (lambda: GroupL1(1, [0, 1]).prox(np.ones(3), 1.0), "got 2 for 3"),
    ],
)
def test_bad_parameters(make, message):
    with pytest.raises(ValueError, match=message):
        make()


def test_how_long_steps_may_be():
    assert MCP(1, 3.0).max_step() == 3.0
    assert SCAD(1, 3.7).max_step() == 2.7
    assert all(PENALTIES[name].max_step() == np.inf for name in ("l1", "ridge", "elastic", "group"))
