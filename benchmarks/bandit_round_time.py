"""Time of a round: EOFD against the literal algorithms, OFUL, its BLAS floor, and growth in d.

    python -m benchmarks.bandit_round_time [--quick]

Times are processor seconds of this process with one BLAS thread: on a quiet machine the same as seconds
on the clock, and still meaningful on a busy one.
"""

import pickle
import tracemalloc
from time import process_time

import numpy as np
from scipy import sparse
from scipy.linalg import blas, lapack
from sklearn.preprocessing import normalize
from threadpoolctl import threadpool_limits

from benchmarks.common import arguments, load_data, median, print_table, time_side_by_side, write_results
from skmlogb.bandit import EOFDMLogBPolicy, OFULMLogBPolicy
from skmlogb.bandit.curvature import row_products
from skmlogb.simulation import ClassificationEnvironment, MLogBEnvironment
from tests.literal.eofd_mlogb import LiteralEOFDMLogB
from tests.literal.formulas import paper_lambda_eta
from tests.literal.oful_mlogb import LiteralOFULMLogB


class Player:
    """One learner on its own copy of a stream of rounds; counts the time of its calls only."""

    def __init__(self, select, update, stream, seed, block):
        self.select, self.update, self.stream, self.block = select, update, stream, block
        self.luck = np.random.default_rng(seed)
        self.select_times, self.update_times = [], []

    def play(self, n_rounds):
        """Play; return the seconds of all select and of all update calls."""
        selecting = updating = 0.0
        for _, (actions, probabilities) in zip(range(n_rounds), self.stream):
            start = process_time()
            choice = self.select(actions)
            middle = process_time()
            outcome = int(np.searchsorted(np.cumsum(probabilities[choice])[:-1], self.luck.random()))
            action = actions[choice]
            resumed = process_time()
            self.update(action, outcome)
            selecting += middle - start
            updating += process_time() - resumed
        return selecting, updating

    def measure(self):
        """Play one block and note the mean seconds a round."""
        selecting, updating = self.play(self.block)
        self.select_times.append(selecting / self.block)
        self.update_times.append(updating / self.block)

    @property
    def round_time(self):
        return median(np.add(self.select_times, self.update_times))


def players(environment, K, d, m, *, with_literal, with_oful):
    """Players by name, all with the paper's lambda and eta; blocks that take about as long as each other.

    Each block begins on caches that the other players have filled. One of EOFD spans compression cycles.
    """
    lam, eta = paper_lambda_eta(K, d, 1.0, 1.0)
    gains = np.linspace(0, 1, K + 1)[1:]
    shared = {"reg_lambda": "paper", "eta": "paper", "exploration": 1.0, "random_state": 0}
    shared["rewards"] = environment.outcome_rewards
    cycles = 4 * max(20, -(-m // K))

    def player(learner, block):
        select = getattr(learner, "select_action", None) or learner.select
        return Player(select, learner.update, environment.rounds(np.random.default_rng(0)), 1, block)

    policies = {
        "EOFD": (EOFDMLogBPolicy(sketch_size=m, **shared), cycles),
        "EOFD, buffer 0": (EOFDMLogBPolicy(sketch_size=m, sketch_buffer=0, **shared), 60),
    }
    if with_oful:
        policies["own OFUL"] = (OFULMLogBPolicy(**shared), 60 if d < 2000 else 3)
    if with_literal:
        literal = {"reg_lambda": lam, "eta": eta, "clip_sum": True}
        policies["literal EOFD"] = (LiteralEOFDMLogB(d, gains, sketch_size=m, **literal), 15)
        policies["literal OFUL"] = (LiteralOFULMLogB(d, gains, **literal), 2)
    return {name: player(*entry) for name, entry in policies.items()}, policies["EOFD"][0]


def round_times(options):
    """The table of alternatives, with the share of rounds whose projection was active."""
    mnist, labels = load_data("mnist70k")
    X = np.column_stack([normalize(mnist[:20_000]), np.ones(20_000)])
    protocol = ClassificationEnvironment(X, labels[:20_000], target=1)
    settings = [
        ("400, 1, 40", MLogBEnvironment(n_features=400, n_outcomes=2), 1, 400, 40, True),
        ("100, 4, 40", MLogBEnvironment(n_features=100, n_outcomes=5), 4, 100, 40, True),
        ("785, 1, 78 (MNIST)", protocol, 1, 785, 78, True),
        ("10000, 1, 50", MLogBEnvironment(n_features=10_000, n_outcomes=2), 1, 10_000, 50, False),
    ]
    n_blocks = 3 if options.quick else 9
    rows, floors = [], []
    for name, environment, K, d, m, with_literal in settings:
        with_oful = with_literal or not options.quick
        crowd, policy = players(environment, K, d, m, with_literal=with_literal, with_oful=with_oful)
        for label, player in crowd.items():  # past the start, when the sketch is still filling
            player.play(3 * player.block if "EOFD" not in label else 3 * m)
        for _ in range(n_blocks):
            for player in crowd.values():
                player.measure()
        share = active_share(policy, crowd["EOFD"], 40)
        eofd = crowd["EOFD"].round_time
        row = {"d, K, m": name, "EOFD us": 1e6 * eofd}
        row["select us"] = 1e6 * median(crowd["EOFD"].select_times)
        row["update us"] = 1e6 * median(crowd["EOFD"].update_times)
        for label, player in crowd.items():
            if label != "EOFD":
                row[f"{label} us"] = 1e6 * player.round_time
                row[f"{label} / EOFD"] = player.round_time / eofd
        row["projections"] = share
        rows.append(row)
        floors.append(floor(name, environment, policy, share, eofd, options))
    return rows, floors


def active_share(policy, player, n_rounds):
    """Share of rounds after which W lies on the sphere ||W||_F = S."""
    active = 0
    for _ in range(n_rounds):
        player.play(1)
        active += np.linalg.norm(policy.coef_) > policy.norm_bound * (1 - 1e-9)
    return active / n_rounds


def floor(name, environment, policy, share, eofd, options):
    """The BLAS and LAPACK calls that a round cannot avoid, timed alone on the shapes of that round."""
    K, d = policy.coef_.shape
    m = policy.sketch_size_
    rank, cycle = int(1.5 * m), -(-m // K)  # mean rank, and rounds from one compression to the next
    rng = np.random.default_rng(0)
    n = int(np.mean([len(a) for _, (a, _) in zip(range(50), environment.rounds(rng))]))
    X, Q, full = (rng.standard_normal(shape) for shape in ((n, d), (rank * K, d), (2 * m + K, K * d)))
    rows, a, M = (rng.standard_normal(shape) for shape in ((n * K, rank), (rank, K), (rank, rank)))
    wide, vectors = Q.reshape(rank, K * d), rng.standard_normal((2 * m + K, m))
    C = M @ M.T + np.eye(rank)
    big = np.cov(rng.standard_normal((2 * m + K, 6 * m)))  # of full rank, as C is when it is compressed
    norms = rng.standard_normal((n, K, K))
    C_F, added = np.asfortranarray(C), rng.standard_normal((rank, 32))
    calls = {
        "Q X'": (lambda: Q @ X.T, 1),
        "||x||^2": (lambda: row_products(X, X), 1),
        "B M": (lambda: rows @ M, 1),
        "Q x": (lambda: Q @ X[0], 1),
        "Q'a": (lambda: a.T @ wide, 1),
        "M a": (lambda: M @ a, 1),
        "M += rank K": (
            lambda: blas.dgemm(1e-9, a, a, beta=1.0, c=C_F, trans_b=True, overwrite_c=True),
            1,
        ),
        "C += rank 32": (
            lambda: blas.dgemm(1e-9, added, added, beta=1.0, c=C_F, trans_b=True, overwrite_c=True),
            K / 32,
        ),
        "eigh C": (lambda: np.linalg.eigh(big), 1 / cycle),
        "rotate Q": (lambda: vectors.T @ full, 1 / cycle),
        "projection": (lambda: lapack.dpotrf(C, lower=True), share),
    }
    if K > 2:
        calls["eigenvalues of A(x)"] = (lambda: np.linalg.eigvalsh(norms), 1)
    runs = {call: run for call, (run, _) in calls.items()}
    seconds = time_side_by_side(runs, n_repeats=20 if options.quick else 200, clock=process_time)
    spent = {call: 1e6 * median(seconds[call]) * count for call, (_, count) in calls.items()}
    total = sum(spent.values())
    ratio = 1e6 * eofd / total
    return {"d, K, m": name, "floor us": total, "EOFD us": 1e6 * eofd, "EOFD / floor": ratio} | spent


def growth(options):
    """Time and peak memory of EOFD in d, at m = 50, K = 1, 20 actions."""
    rows = []
    for d in (1000, 3000, 10_000) if options.quick else (1000, 3000, 10_000, 30_000, 100_000):
        rng = np.random.default_rng(0)
        actions = rng.standard_normal((8, 20, d)) / np.sqrt(d)
        settings = {"sketch_size": 50, "reg_lambda": "paper", "eta": "paper", "random_state": 0}
        policy = EOFDMLogBPolicy(**settings)
        _play_in_turn(policy, actions, 160)
        start = process_time()
        _play_in_turn(policy, actions, 100)
        seconds = (process_time() - start) / 100
        peak = _peak_memory(lambda a=actions, s=settings: _play_in_turn(EOFDMLogBPolicy(**s), a, 160))
        allowed = 1.3 * (2 * 50 + 1) * d * 8
        row = {"d": d, "us": 1e6 * seconds, "us / d": 1e6 * seconds / d}
        rows.append(row | {"peak MB": peak / 1e6, "peak / allowed": peak / allowed})
    return rows


def _play_in_turn(policy, actions, n_rounds):
    """Select from the sets in turn, and learn from each of their actions once before any comes again."""
    for t in range(n_rounds):
        candidates = actions[t % len(actions)]
        policy.select_action(candidates)
        policy.update(candidates[(t // len(actions)) % len(candidates)], t % 2)


def _peak_memory(run):
    """Peak bytes that `run` allocates, as tracemalloc sees them (numpy reports its buffers)."""
    tracemalloc.start()
    run()
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    return peak


def large(options):
    """A million sparse features, and a hundred thousand actions at once."""
    rng = np.random.default_rng(0)
    d = 100_000 if options.quick else 1_000_000
    sets = [sparse.random(20, d, density=50 / d, format="csr", random_state=seed) for seed in range(8)]
    policy = EOFDMLogBPolicy(sketch_size=50, reg_lambda="paper", eta="paper", random_state=0)
    selecting, updating = [], []
    for t in range(140):
        candidates = sets[t % 8]
        start = process_time()
        policy.select_action(candidates)
        middle = process_time()
        policy.update(candidates[[(t // 8) % 20]], t % 2)
        selecting.append(middle - start)
        updating.append(process_time() - middle)
    n_actions = 10_000 if options.quick else 100_000
    many = rng.standard_normal((n_actions, 100)) / 10
    wide = EOFDMLogBPolicy(rewards=[0, 0.25, 0.5, 0.75, 1], sketch_size=40, random_state=0)
    wide.fit(many[:200], rng.integers(5, size=200))
    runs = {"score": lambda: wide.score_actions(many)}
    scoring = time_side_by_side(runs, n_repeats=5, clock=process_time)["score"]
    return [
        {"case": f"CSR, d={d}, 20 actions: select", "ms": 1e3 * median(selecting[-40:]), "peak MB": None},
        {"case": f"CSR, d={d}: update", "ms": 1e3 * median(updating[-40:]), "peak MB": None},
        {
            "case": f"score {n_actions} actions, d=100, K=4",
            "ms": 1e3 * median(scoring),
            "peak MB": _peak_memory(lambda: wide.score_actions(many)) / 1e6,
        },
    ]


def endurance(options):
    """A million rounds at d = 20, K = 3 with a sketch of 12: does anything grow or drift?"""
    n_rounds, batch = (20_000, 2000) if options.quick else (1_000_000, 10_000)
    rng = np.random.default_rng(0)
    policy = EOFDMLogBPolicy(rewards=[0, 0.3, 0.6, 1], sketch_size=12, random_state=0)
    rows, start = [], process_time()
    for done in range(batch, n_rounds + 1, batch):
        X = rng.standard_normal((batch, 20))
        policy.update(X / np.linalg.norm(X, axis=1, keepdims=True), rng.integers(4, size=batch))
        if done in (batch, n_rounds // 2, n_rounds):
            rows.append(
                {
                    "rounds": done,
                    "us a round": 1e6 * (process_time() - start) / done,
                    "pickle bytes": len(pickle.dumps(policy)),
                    "|Q Q' - I|": policy._curvature.orthonormality_error(),
                }
            )
    return rows


def main():
    options = arguments(__doc__.splitlines()[0])
    with threadpool_limits(limits=1):
        rows, floors = round_times(options)
        print_table(rows, "Time of a round (select + update), medians over blocks of rounds, one BLAS thread")
        print_table(floors, "The calls that a round cannot avoid, alone on the same shapes (us a round)")
        grown = growth(options)
        print_table(grown, "Growth in d; allowed = 1.3 (2m + K) K d 8 bytes")
        huge = large(options)
        print_table(huge, "Large problems")
        lasting = endurance(options)
        print_table(lasting, "Endurance at d=20, K=3, m=12")
        content = {"round": rows, "floor": floors, "growth": grown, "large": huge, "endurance": lasting}
        write_results("bandit_round_time", content, options.output)


if __name__ == "__main__":
    main()
