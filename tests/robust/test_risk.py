"""Probes, thinning, blocks and the other short cuts of the risk, against exact and unabridged traces."""

import itertools

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from scipy.sparse import csr_array
from sklearn.exceptions import ConvergenceWarning

from skmlogb.robust import (
    L1,
    MCP,
    GroupL1,
    Huber,
    PseudoHuber,
    Trajectory,
    control,
    proximal_sgd,
    risk_sweep,
    traces,
    trajectory_risk,
    weights,
)
from skmlogb.robust import sweep as sweep_module
from skmlogb.robust.design import Design
from skmlogb.robust.probes import draw_probes, number_of_probes
from skmlogb.robust.record import Record
from skmlogb.robust.risk_sweep import RiskSweep
from skmlogb.robust.sweep import Step, curvature_products
from skmlogb.robust.traces import trace_rows
from skmlogb.robust.trajectory import descend
from tests.literal import trajectory_risk as literal

N, P, T = 40, 16, 12
PENALTIES = {"none": None, "l1": L1(0.15), "group": GroupL1(0.1, np.arange(P) // 4), "mcp": MCP(0.2, 3.0)}
ESTIMATORS = ["out_of_batch", "known_covariance", "in_batch", "in_batch_right"]


@pytest.fixture
def data(rng):
    X = rng.standard_normal((N, P))
    return X, X[:, :4].sum(axis=1) + rng.standard_t(2, N)


def path_of(X, y, rng, penalty=None, loss=None, size=20, n_updates=T - 1, steps=None):
    steps = rng.uniform(0.1, 0.6, n_updates) if steps is None else steps
    batches = None if size is None else [rng.choice(len(y), size, replace=False) for _ in steps]
    return proximal_sgd(X, y, loss=loss or Huber(1.0), penalty=penalty, step_sizes=steps, batches=batches)


def record_of(X, y, path):
    record = Record(Design(X), y, path.loss, path.penalty, None)
    record.append(path.coefs, path.step_sizes, path.batches)
    return record


def all_ages(k):
    return np.full(k, k)


class TestTraces:
    @pytest.mark.parametrize("penalty", PENALTIES)
    def test_left_vectors_equal_right_vectors(self, penalty, data, rng):
        """The traces of one probe, from vectors propagated forwards for A and for K apart."""
        X, y = data
        path = path_of(X, y, rng, PENALTIES[penalty])
        record, z = record_of(X, y, path), draw_probes(2, N, float, rng)[:1]
        D, S = record.slopes(0, T), record.curvatures(0, T - 1)
        ends = [(X.T @ z[0])[None, None]]
        (A,), K = sweep_module.sweep(
            record.design, record.step, (D * z @ X)[:, None], 0, all_ages(T), fixed_ends=ends, moving_probes=z
        )
        for s in range(T - 1):
            step = record.step(s)
            move = np.asarray if step.jacobian is None else step.jacobian.apply
            right = [step.scale * move(X.T @ z[0]), step.scale * move(X.T @ (S[s] * z[0]))]
            for t in range(s + 1, T):
                if t > s + 1:
                    step = record.step(t - 1)
                    move = np.asarray if step.jacobian is None else step.jacobian.apply
                    right = [move(v - step.scale * X.T @ (S[t - 1] * (X @ v))) for v in right]
                forward = [(z[0] * D[t]) @ X @ v for v in right]
                assert_allclose([A[0, t, s], K[0, t, s]], forward, rtol=1e-10, atol=1e-12)

    @pytest.mark.parametrize("penalty", PENALTIES)
    @pytest.mark.parametrize("estimator", ESTIMATORS)
    def test_all_sign_vectors_give_the_exact_traces(self, estimator, penalty, rng):
        """Averaged over the 2^n probes there is no noise, with the control variate as without."""
        n, p = (9, 7) if estimator == "known_covariance" else (7, 9)
        X = rng.standard_normal((n, p))
        y = X[:, 0] + rng.standard_normal(n)
        chosen = GroupL1(0.1, np.arange(p) // 3) if penalty == "group" else PENALTIES[penalty]
        record = record_of(X, y, path_of(X, y, rng, chosen, size=4, n_updates=5))
        signs = np.array(list(itertools.product([-1.0, 1.0], repeat=7)))
        root = rng.standard_normal((p, p))
        settings = {"first": 0, "last": 6, "kept_age": all_ages(6), "covariance": root @ root.T}
        probed = trace_rows(record, estimator, signs, **settings)
        exact = trace_rows(record, estimator, None, **settings)
        for mean, single in zip(probed, exact):
            assert_allclose(mean.mean(axis=0), single[0], rtol=1e-10, atol=1e-10)

    def test_the_control_leaves_no_noise_at_lag_one(self, rng):
        X = rng.standard_normal((200, 100))
        y = X[:, :4].sum(axis=1) + rng.standard_t(2, 200)
        for penalty in (None, L1(0.1), MCP(0.1, 3.0)):
            record = record_of(X, y, path_of(X, y, rng, penalty, size=150))
            probed = trace_rows(record, "out_of_batch", draw_probes(2, 200, float, rng), 0, T, all_ages(T))
            exact = trace_rows(record, "out_of_batch", None, 0, T, all_ages(T))
            for noisy, true in zip(probed, exact):
                lag_one = [np.diagonal(matrix, -1, 1, 2) for matrix in (noisy, true)]
                assert_allclose(np.mean(lag_one[0], axis=0), lag_one[1][0], rtol=1e-9)

    def test_the_control_halves_the_variance(self, rng, monkeypatch):
        X = rng.standard_normal((300, 150))
        y = X[:, :8].sum(axis=1) + rng.standard_t(2, 300)
        path = path_of(X, y, rng, size=None, steps=[0.3] * 15)
        exact = trajectory_risk(X, y, path, n_probes="exact").risk

        def square_error():
            errors = [
                trajectory_risk(X, y, path, n_probes=2, thin=False, random_state=i).risk - exact
                for i in range(12)
            ]
            return np.mean(np.square(errors))

        controlled = square_error()
        monkeypatch.setattr(control.Control, "reduce", lambda self, A, K, squares: (A, K))
        assert controlled < 0.5 * square_error()

    @pytest.mark.parametrize("form", [np.asarray, csr_array])
    def test_every_way_to_multiply_agrees(self, form, data, rng, monkeypatch):
        """Gram matrix or rows; gathered or not; in one piece or in many."""
        X, _ = data
        X[np.abs(X) < 0.3] = 0
        design = Design(form(X), offset=X.mean(axis=0), constant=0.5)
        dense = design.toarray()
        rows = np.sort(rng.choice(N, 23, replace=False))
        step = Step(0.3, rows, rng.uniform(0.5, 1, 23), None)
        columns = np.array([0, 3, 4, 9, P])
        probes = draw_probes(3, N, float, rng)
        for chosen, k in itertools.product((None, columns), (1, 30)):
            block = dense[rows] if chosen is None else dense[np.ix_(rows, chosen)]
            heads = rng.standard_normal((k, 3, block.shape[1]))
            ends = (probes[:, rows] * step.curvature) @ block
            expected = np.einsum("kbq,bq->kb", heads, ends), heads @ (block.T * step.curvature) @ block
            for gram, gather, chunk in itertools.product((True, False), (0, 10**9), (1, 2**20)):
                monkeypatch.setattr(sweep_module, "_gram_pays", lambda *_, gram=gram: gram)
                monkeypatch.setattr(sweep_module, "ROW_GATHER_VECTORS", gather)
                monkeypatch.setattr(sweep_module, "CHUNK_BYTES", chunk)
                result = curvature_products(design, step, chosen, heads, probes)
                for one, other in zip(result, expected):
                    assert_allclose(one, other, rtol=1e-10, atol=1e-10)

    def test_gathering_columns_changes_nothing(self, data, rng, monkeypatch):
        X, y = data
        for penalty in (L1(0.4), GroupL1(0.3, np.arange(P) // 4)):
            path = path_of(X, y, rng, penalty)
            assert np.mean(path.coefs == 0) > 0.2
            risks = []
            for price in (0, 10**9):
                monkeypatch.setattr(sweep_module, "COLUMN_GATHER_VECTORS", price)
                risks.append(trajectory_risk(X, y, path, n_probes=4, random_state=0).risk)
            assert_allclose(*risks, rtol=1e-10)


class TestProbes:
    def test_how_many(self):
        assert number_of_probes("auto", 50, 20) == "exact"
        assert number_of_probes("exact", 10**5, 10**4) == "exact"
        assert number_of_probes("auto", 10_000, 12_000) == 2
        assert 2 < number_of_probes("auto", 1000, 500) < number_of_probes("auto", 400, 300) <= 32
        assert number_of_probes(7, 10, 10) == 7

    @pytest.mark.parametrize("n_probes", [1, 0, 2.5, "many", True, None])
    def test_bad_numbers(self, n_probes, data, rng):
        X, y = data
        with pytest.raises((TypeError, ValueError), match="n_probes must be"):
            trajectory_risk(X, y, path_of(X, y, rng), n_probes=n_probes)

    def test_the_seed_alone_decides(self, data, rng):
        X, y = data
        path = path_of(X, y, rng)

        def risk(seed):
            return trajectory_risk(X, y, path, n_probes=2, random_state=seed).risk

        assert_array_equal(risk(3), risk(3))
        assert_array_equal(risk(np.random.default_rng(3)), risk(np.random.default_rng(3)))
        assert_array_equal(risk(np.random.RandomState(3)), risk(3))
        assert (risk(3) != risk(4)).any()

    def test_the_error_is_within_its_estimate(self, rng):
        """Mean and spread of many draws against exact traces and the jackknife."""
        X = rng.standard_normal((120, 60))
        y = X[:, :5].sum(axis=1) + rng.standard_t(2, 120)
        path = path_of(X, y, rng, size=50, steps=[0.25] * 20)
        exact = trajectory_risk(X, y, path, n_probes="exact")
        draws = [trajectory_risk(X, y, path, n_probes=6, random_state=i) for i in range(40)]
        risks = np.array([draw.risk for draw in draws])
        spread, std = risks.std(axis=0, ddof=1)[3:], np.mean([draw.std for draw in draws], axis=0)[3:]
        assert np.all(
            np.abs(risks.mean(axis=0) - exact.risk)[3:] < 5 * spread / np.sqrt(40) + 0.01 * exact.risk[3:]
        )
        assert np.all((0.5 * spread < std) & (std < 2.5 * spread))
        assert_array_equal(exact.std, 0)


class TestThinning:
    @pytest.mark.parametrize("penalty", ["none", "l1", "mcp"])
    @pytest.mark.parametrize("size", [None, 60])
    def test_a_thinned_path_is_close(self, size, penalty, rng):
        X = rng.standard_normal((300, 100))
        y = X[:, :5].sum(axis=1) + rng.standard_t(2, 300)
        steps = [0.9 / np.linalg.eigvalsh(X.T @ X / 300).max() * (0.4 if size else 1)] * 80
        path = path_of(
            X, y, rng, penalty=PENALTIES[penalty] and type(PENALTIES[penalty])(0.05), size=size, steps=steps
        )
        whole = trajectory_risk(X, y, path, n_probes=3, random_state=0, thin=False)
        thinned = trajectory_risk(X, y, path, n_probes=3, random_state=0, thin=True)
        assert (thinned.risk != whole.risk).any()
        assert np.abs(thinned.risk - whole.risk).max() < 0.05 * np.ptp(whole.risk)
        assert_allclose(thinned.risk[:4], whole.risk[:4], rtol=1e-12)  # too young to be thinned

    @pytest.mark.parametrize("thin", ["auto", True])
    def test_never_with_long_steps_or_where_exact(self, thin, data, rng):
        X, y = data
        L = np.linalg.eigvalsh(X.T @ X / N).max()
        for steps in ([2.5 / L] * 40, [1.9 / L, 0.3 / L] * 20):
            path = path_of(X, y, rng, loss=PseudoHuber(), size=None, steps=steps)
            risks = [
                trajectory_risk(X, y, path, n_probes=2, random_state=0, thin=t).risk for t in (thin, False)
            ]
            assert_array_equal(*risks)
        path = path_of(X, y, rng, size=None, steps=[0.5 / L] * 40)
        assert_array_equal(*[trajectory_risk(X, y, path, thin=t).risk for t in ("auto", False)])

    def test_steps_of_zero_do_not_count(self, data, rng):
        X, y = data
        L = np.linalg.eigvalsh(X.T @ X / N).max()
        path = path_of(X, y, rng, size=None, steps=[0.9 / L, 0.0] * 20)
        path = trajectory_risk(X, y, path, n_probes=2, random_state=0, thin=True)
        assert_array_equal(path.risk[1::2], path.risk[2::2])


class TestGrowth:
    @pytest.mark.parametrize("penalty", PENALTIES)
    @pytest.mark.parametrize("estimator", ESTIMATORS)
    def test_bit_by_bit_equals_at_once(self, estimator, penalty, data, rng):
        X, y = data
        path = path_of(X, y, rng, PENALTIES[penalty], steps=[0.3, 0.2, 0, 0.4, 0, 0, 0.3, 0.1, 0.2, 0.5, 0])
        settings = {"estimator": estimator, "covariance": np.eye(P), "n_probes": 3}
        parts = {"loss": path.loss, "penalty": path.penalty, **settings}
        at_once = RiskSweep(Design(X), y, rng=np.random.default_rng(5), **parts)
        at_once.extend(path.coefs, path.step_sizes, path.batches)
        bits = RiskSweep(Design(X), y, rng=np.random.default_rng(5), **parts)
        bits.extend(path.coefs[:1], [], None)
        for start, end in ((1, 2), (2, 6), (6, 6), (6, 12)):
            bits.extend(
                path.coefs[start:end], path.step_sizes[start - 1 : end - 1], path.batches[start - 1 : end - 1]
            )
        for attribute in ("risk", "std", "weights"):
            assert_allclose(getattr(bits, attribute), getattr(at_once, attribute), rtol=1e-9, atol=1e-9)

    def test_a_longer_path_begins_with_the_shorter(self, data, rng):
        X, y = data
        path = path_of(X, y, rng)
        shorter = Trajectory(path.coefs[:7], path.step_sizes[:6], path.batches[:6], path.loss)
        for n_probes in (2, "exact"):
            one, other = (
                trajectory_risk(X, y, p, n_probes=n_probes, random_state=1) for p in (path, shorter)
            )
            assert_allclose(one.risk[:7], other.risk, rtol=1e-12)
            assert_allclose(one.std[:7], other.std, rtol=1e-9, atol=1e-12)

    def test_blocks_of_any_size(self, data, rng, monkeypatch):
        X, y = data
        path = path_of(X, y, rng, L1(0.1))
        whole = trajectory_risk(X, y, path, n_probes=2, random_state=1)
        for module in (risk_sweep, traces):
            monkeypatch.setattr(module, "BLOCK_BYTES", 3000)
        for module in (control, weights):
            monkeypatch.setattr(module, "CHUNK_BYTES", 3000)
        for n_probes, expected in ((2, whole), ("exact", None)):
            blocks = trajectory_risk(X, y, path, n_probes=n_probes, random_state=1)
            if expected is not None:
                assert_allclose(blocks.risk, expected.risk, rtol=1e-10)

    def test_copies_of_iterates_copy_their_entries(self, data, rng):
        X, y = data
        path = path_of(X, y, rng, size=10, steps=[0.3, 0, 0.3, 0.3, 0])
        path.batches[3] = np.array([], int)
        coefs = proximal_sgd(X, y, loss=path.loss, step_sizes=path.step_sizes, batches=path.batches).coefs
        path = trajectory_risk(X, y, Trajectory(coefs, path.step_sizes, path.batches, path.loss))
        same = [(1, 2), (3, 4), (4, 5)]
        for t, u in same:
            assert path.risk[t] == path.risk[u]
            assert_array_equal(path.weights[t], path.weights[u])
        assert not path.weights[:, [1, 3, 4, 5]].any()
        assert len(set(path.risk)) == 3


class TestData:
    @pytest.mark.parametrize("penalty", ["none", "l1"])
    def test_sparse_equals_dense(self, penalty, data, rng):
        X, y = data
        X[rng.random(X.shape) < 0.7] = 0
        path = path_of(X, y, rng, PENALTIES[penalty])
        for n_probes in (3, "exact"):
            dense, sparse = (
                trajectory_risk(Z, y, path, n_probes=n_probes, random_state=0) for Z in (X, csr_array(X))
            )
            assert_allclose(sparse.risk, dense.risk, rtol=1e-10)

    @pytest.mark.parametrize("estimator", ESTIMATORS)
    def test_single_precision(self, estimator, data, rng):
        X, y = data
        single = X.astype(np.float32)
        path = path_of(single, y.astype(np.float32), rng, loss=PseudoHuber(), penalty=L1(0.1))
        settings = {"estimator": estimator, "covariance": np.eye(P), "n_probes": 4, "random_state": 0}
        risk = trajectory_risk(single, y, path, **settings).risk
        double = proximal_sgd(
            X, y, loss=path.loss, penalty=path.penalty, step_sizes=path.step_sizes, batches=path.batches
        )
        assert_allclose(risk, trajectory_risk(X, y, double, **settings).risk, rtol=2e-3)

    def test_rows_of_weight_zero_are_no_rows(self, data, rng):
        X, y = data
        weight = np.ones(N)
        weight[30:] = 0
        steps, start = [0.3] * 5, np.zeros(P)
        coefs = [
            c
            for c, _, _ in descend(
                Design(X), y, loss=Huber(), step_sizes=steps, coef_init=start, sample_weight=weight
            )
        ]
        path = Trajectory(np.array([start, *coefs]), steps, None, Huber(), sample_weight=weight)
        alone = proximal_sgd(X[:30], y[:30], loss=Huber(), step_sizes=steps)
        for estimator in ESTIMATORS:
            settings = {"estimator": estimator, "covariance": np.eye(P), "n_probes": "exact"}
            weighted = trajectory_risk(X, y, path, **settings).risk
            assert_allclose(weighted, trajectory_risk(X[:30], y[:30], alone, **settings).risk, rtol=1e-10)
        assert np.isfinite(trajectory_risk(X, y, path, n_probes=2).risk).all()

    def test_a_row_drawn_twice_counts_twice(self, data, rng):
        X, y = data
        steps, twice = [0.3] * 4, [rng.choice(N, 30) for _ in range(4)]
        path = proximal_sgd(X, y, loss=Huber(1.0), step_sizes=steps, batches=twice)
        risk = trajectory_risk(X, y, path).risk
        # the same updates with weights in place of repetitions, one update at a time
        record = record_of(X, y, path)
        for update, rows in zip(record.updates, twice):
            counted = np.ones(N)
            update.select(counted)
            assert_array_equal(counted, np.bincount(rows, minlength=N))
            assert update.total == 30
        gradients = record.gradients(0, 4)
        for s, rows in enumerate(twice):
            summed = np.zeros(N)
            np.add.at(summed, rows, path.loss.psi(y - X @ path.coefs[s])[rows])
            assert_allclose(gradients[s], summed)
        assert np.isfinite(risk).all()

    def test_a_loss_of_your_own(self, data, rng):
        """The squared loss, whose psi hands its argument back."""

        class Squared:
            psi = staticmethod(lambda r: r)
            psi_prime = staticmethod(np.ones_like)

        X, y = data
        path = path_of(X, y, rng, loss=Squared())
        run = literal.run(
            X,
            y,
            psi=Squared.psi,
            slope=np.ones_like,
            prox=literal.no_prox,
            jacobian=literal.no_jacobian,
            step_sizes=path.step_sizes,
            batches=path.batches,
        )
        A, K = literal.matrices_out_of_batch(run)
        expected = literal.risk_from_weights(run, np.linalg.solve(K, A))
        assert_allclose(trajectory_risk(X, y, path, n_probes="exact").risk, expected, rtol=1e-9)

    @pytest.mark.parametrize(("n", "p"), [(1, 3), (2, 40), (5, 1), (6, 200)])
    def test_few_rows_many_columns(self, n, p, rng):
        X = rng.standard_normal((n, p))
        path = path_of(X, rng.standard_normal(n), rng, loss=PseudoHuber(), size=None, steps=[0.1 / p] * 5)
        y = rng.standard_normal(n)
        path = proximal_sgd(X, y, loss=PseudoHuber(), penalty=L1(0.01), step_sizes=[0.1 / p] * 5)
        for n_probes in (2, "exact"):
            assert np.isfinite(trajectory_risk(X, y, path, n_probes=n_probes).risk).all()

    def test_constant_columns(self, data, rng):
        X, y = data
        X[:, 0], X[:, 1] = 0, 5
        path = path_of(X, y, rng, steps=[0.02] * 8)
        for n_probes in (2, "exact"):
            assert np.isfinite(trajectory_risk(X, y, path, n_probes=n_probes).risk).all()

    def test_a_path_of_one_iterate_is_its_training_error(self, data):
        X, y = data
        for estimator in ESTIMATORS:
            path = proximal_sgd(X, y, loss=PseudoHuber(), step_sizes=[])
            path = trajectory_risk(X, y, path, estimator=estimator, covariance=np.eye(P))
            assert_allclose(path.risk, [np.mean(y**2)])
            assert_array_equal(path.weights, [[0.0]])


class TestAccuracy:
    def test_both_estimates_track_the_truth(self, rng):
        """The paper's setting at a size for tests: r~ and r^ follow r_t, the training error does not."""
        n, p = 600, 300
        X, coef = rng.standard_normal((n, p)), np.zeros(p)
        coef[: p // 20] = np.sqrt(10 / (p // 20))
        noise = rng.standard_t(2, n)
        y = X @ coef + noise
        path = path_of(X, y, rng, size=None, steps=[(1 + np.sqrt(p / n)) ** -2] * 40)
        constant = noise @ noise / n
        truth = np.sum((path.coefs - coef) ** 2, axis=1) + constant
        training = np.mean((y[:, None] - X @ path.coefs.T) ** 2, axis=0)
        for settings in (
            {"n_probes": 16},
            {"estimator": "known_covariance", "covariance": np.eye(p), "n_probes": 16},
        ):
            risk = trajectory_risk(X, y, path, random_state=0, **settings).risk
            assert np.mean(np.abs(risk - truth) / truth) < 0.12
            assert np.mean(np.abs(risk - truth)[5:]) < 0.5 * np.mean(np.abs(training - truth)[5:])
            assert truth[risk.argmin()] < 1.05 * truth.min()

    def test_in_batch_weights(self, rng):
        """The weights of r~ approach those with known covariance; as printed, those of r~sub do not."""
        n, p = 400, 100
        X = rng.standard_normal((n, p))
        y = X[:, :10].sum(axis=1) + rng.standard_t(2, n)
        path = path_of(X, y, rng, size=n // 10, steps=[0.2] * 14)
        settings = {"covariance": np.eye(p), "n_probes": "exact"}
        weights = {
            name: trajectory_risk(X, y, path, estimator=name, **settings).weights for name in ESTIMATORS
        }
        error = {name: np.abs(W - weights["known_covariance"]).mean() for name, W in weights.items()}
        assert error["in_batch"] > 2 * error["in_batch_right"]
        assert error["in_batch"] > 2 * error["out_of_batch"]


class TestArguments:
    def test_iterates_of_another_recursion_are_refused(self, data, rng):
        X, y = data
        path = path_of(X, y, rng)
        path.coefs[5] += 0.01
        with pytest.raises(ValueError, match=r"coefs\[5\] is .* what the recursion makes of coefs\[4\]"):
            trajectory_risk(X, y, path)
        still = Trajectory([[0.0] * P, [1.0] * P], [0.0], None, Huber())
        with pytest.raises(ValueError, match=r"coefs\[1\]"):
            trajectory_risk(X, y, still)
        wrong = path_of(X, y, rng, L1(0.3))
        wrong.penalty = L1(0.4)
        with pytest.raises(ValueError, match="with this loss, penalty"):
            trajectory_risk(X, y, wrong)

    @pytest.mark.parametrize(
        ("settings", "error", "message"),
        [
            ({"estimator": "loo"}, ValueError, "estimator must be one of 'out_of_batch'"),
            ({"estimator": "known_covariance"}, ValueError, "needs covariance"),
            (
                {"estimator": "known_covariance", "covariance": np.eye(3)},
                ValueError,
                r"shape \(16, 16\); got shape \(3, 3\)",
            ),
            (
                {"estimator": "known_covariance", "covariance": np.triu(np.ones((P, P)))},
                ValueError,
                "symmetric",
            ),
            ({"random_state": "a"}, ValueError, "seed"),
        ],
    )
    def test_bad_settings(self, settings, error, message, data, rng):
        X, y = data
        with pytest.raises(error, match=message):
            trajectory_risk(X, y, path_of(X, y, rng), **settings)

    def test_data_that_do_not_fit(self, data, rng):
        X, y = data
        path = path_of(X, y, rng)
        with pytest.raises(TypeError, match="trajectory must be a Trajectory; got ndarray"):
            trajectory_risk(X, y, path.coefs)
        with pytest.raises(ValueError, match="each of the 15 columns of X; got 16"):
            trajectory_risk(X[:, 1:], y, path)
        with pytest.raises(ValueError, match="row numbers below 20"):
            trajectory_risk(X[:20], y[:20], path)
        path.sample_weight = np.ones(N - 1)
        with pytest.raises(ValueError, match="inconsistent"):
            trajectory_risk(X, y, path)

    def test_no_residual_in_the_quadratic_zone(self, data):
        X, y = data
        loss = Huber(0.01)
        path = proximal_sgd(X, y + 1000, loss=loss, step_sizes=[0.1] * 4)
        with pytest.warns(ConvergenceWarning, match=r"quadratic zone of Huber\(epsilon=0\.01\) at t=1"):
            result = trajectory_risk(X, y + 1000, path)
        assert result.risk[0] == pytest.approx(np.mean((y + 1000) ** 2))
        assert np.isnan(result.risk[1:]).all()
        assert not np.isinf(result.risk).any()
