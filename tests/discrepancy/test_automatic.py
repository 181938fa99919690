"""approximation="auto": exact while that is quick, else landmarks; tests by blocks of rows, and by shifts of pairs."""

import itertools
from importlib import import_module

import numpy as np
import pytest
from helpers.naming import names_all, naming
from scipy.stats import binom

from explorer import (
    KME,
    SKMSE,
    ConditionalEmbedding,
    Energy,
    Gaussian,
    Landmarks,
    Laplacian,
    Subsequence,
    hsic,
    hsic_test,
    low_rank,
    mmd2,
    mmd_test,
    mmdagg_test,
    sum_rule,
    witness,
)
from explorer.discrepancy import several_test
from explorer.discrepancy.dependence import Pairing
from explorer.discrepancy.dependence import low_rank as thin_pairs
from explorer.discrepancy.dependence.approximation import PairApproximation
from explorer.discrepancy.dependence.low_rank import LowRankPairs
from explorer.discrepancy.mmd import aggregated
from explorer.discrepancy.resampling import row_blocks
from explorer.discrepancy.resampling.permutation import permutations
from explorer.discrepancy.resampling.row_blocks import Plan, RowBlocks
from explorer.kernels.low_rank import residual
from explorer.kernels.low_rank.residual import Residual
from explorer.rng import stream

automatic = import_module("explorer.kernels.low_rank.automatic")
K = Gaussian(1.5)


def samples(n, m, seed=0, d=3):
    rng = np.random.default_rng(seed)
    return rng.normal(size=(n, d)), rng.normal(0.2, 1.1, size=(m, d))


def pairs(n, seed=0):
    rng = np.random.default_rng(seed)
    x = rng.normal(size=(n, 2))
    return x, x[:, :1] ** 2 + rng.normal(size=(n, 1))


@pytest.fixture
def at_once(monkeypatch):
    """Use landmarks wherever they can serve."""
    monkeypatch.setattr(automatic, "SECONDS", 0.0)
    monkeypatch.setattr(aggregated, "SECONDS", 0.0)


# what stands for a kernel


def test_few_points_are_exact():
    X, Y = samples(40, 30)
    value = mmd2(X, Y, K, approximation="auto")
    assert (value, value.approximation, value.error) == (mmd2(X, Y, K), "exact", 0.0)
    given, left = (mmd_test(X, Y, K, n_resamples=99, rng=0, approximation=each) for each in (None, "auto"))
    assert (left.approximation, left.error, str(left)) == ("exact", 0.0, str(given))
    np.testing.assert_array_equal(left.null_distribution, given.null_distribution)
    x, y = pairs(40)
    value = hsic(x, y, K, K, approximation="auto")
    assert (value, value.approximation, value.error) == (hsic(x, y, K, K), "exact", 0.0)
    result = hsic_test(x, y, K, K, n_resamples=99, rng=0, approximation="auto")
    assert (result.approximation, result.error) == ("exact", 0.0)
    np.testing.assert_array_equal(
        result.null_distribution, hsic_test(x, y, K, K, n_resamples=99, rng=0).null_distribution
    )
    assert witness(X, Y, K, approximation="auto") == witness(X, Y, K)
    assert witness(X, Y, K, approximation="auto").error == 0.0
    assert KME(K, "auto").embed(X) == KME(K).embed(X)
    fitted = ConditionalEmbedding(K, K, 0.1, "auto").fit(x, y)
    assert (fitted.approximation_, fitted.low_) == ("exact", None)


@pytest.mark.parametrize("kernel", [K, Laplacian(2.0), Energy()], ids=str)
def test_landmarks_double_until_they_miss_little(kernel):
    X = samples(3000, 1)[0]
    low = automatic.landmarks_of(kernel, X, len(X), 0, 0.05)
    G = kernel(X[:1500])
    missed = G - low(X[:1500])

    def size(M):
        M = M - M.mean(axis=0)
        M = M - M.mean(axis=1)[:, None]
        return np.sqrt(np.mean(np.square(M[~np.eye(len(M), dtype=bool)])))

    assert size(missed) < 1.3 * 0.05 * size(G)  # measured on 1000 other points
    few = automatic.landmarks_of(kernel, X, len(X), 0, 0.05, most=20)
    assert few.rank == 20


def test_many_points_have_no_more_landmarks_than_there_is_time_for():
    X = samples(500, 1)[0]
    ranks = [automatic.landmarks_of(Laplacian(0.1), X, n, 0, 0.0).rank for n in (10**4, 10**6, 10**7)]
    assert ranks == sorted(ranks, reverse=True)
    assert ranks[-1] == automatic.FEWEST


def test_points_that_are_all_equal_miss_nothing():
    X = np.ones((700, 2))
    assert automatic.landmarks_of(K, X, 10**6, 0, 0.0).rank == 1


def test_strings_cost_more():
    assert automatic.values_take(Subsequence(), 1, 1) > 10 * automatic.values_take(K, 1, 10)


@pytest.mark.usefixtures("at_once")
def test_what_landmarks_cannot_serve_stays_exact():
    X, Y = samples(60, 60)
    assert mmd_test(X, Y, K, "biased", SKMSE(), 19, rng=0, approximation="auto").approximation == "exact"
    weighted = mmd2(X, Y, K, approximation="auto", weights_x=np.arange(60))
    assert (weighted, weighted.approximation) == (mmd2(X, Y, K, weights_x=np.arange(60)), "exact")
    x, y = pairs(60)
    groups = np.arange(60) % 3
    for more in ({"groups": groups}, {"weights": 1 + groups}, {"estimator": SKMSE()}):
        left = hsic_test(x, y, n_resamples=19, rng=0, approximation="auto", **more)
        given = hsic_test(x, y, n_resamples=19, rng=0, **more)
        assert (left.approximation, left.statistic) == ("exact", given.statistic)
        with pytest.raises(ValueError, match=naming("approximation", "'nystrom'", "None")):
            hsic_test(x, y, n_resamples=19, rng=0, approximation="nystrom", **more)


@pytest.mark.usefixtures("at_once")
def test_the_answer_says_what_was_taken():
    X, Y = samples(400, 300)
    value = mmd2(X, Y, K, approximation="auto")
    assert value.approximation.startswith("nystrom of rank ")
    assert abs(value - mmd2(X, Y, K)) == pytest.approx(value.error, rel=1e-6)  # exact up to 500 points
    within = mmd_test(X, Y, K, n_resamples=19, rng=0, approximation="auto", groups=np.arange(700) % 2)
    assert within.approximation.startswith("nystrom of rank ")
    x, y = pairs(300)
    embedding = KME(K, "auto").embed(X)
    assert len(embedding.weights) < 400
    assert embedding.distance(KME(K).embed(X)) == pytest.approx(embedding.error, abs=1e-7)
    assert witness(X, Y, K, approximation="auto").error < 0.01
    fitted = ConditionalEmbedding(K, K, 0.1, "auto").fit(x, y)
    assert fitted.approximation_ == f"nystrom of rank {fitted.low_.rank}"
    np.testing.assert_allclose(
        fitted.predict(x[:5]), ConditionalEmbedding(K, K, 0.1).fit(x, y).predict(x[:5]), atol=0.05
    )
    prior = KME(K).embed(y[:50])
    exact, left = (sum_rule(x, y, prior, K, K, 0.1, approximation=each) for each in (None, "auto"))
    assert exact.distance(left) == pytest.approx(left.error, rel=0.01, abs=1e-7)


def test_a_rank_is_not_given_beside_auto():
    for call in (lambda: mmd2(*samples(9, 9), K, approximation="auto", rank=5), lambda: KME(K, "auto", 5)):
        with pytest.raises(ValueError, match=naming("rank", "5")):
            call()


# what landmarks miss


@pytest.fixture
def parts_of_60(monkeypatch):
    """Measure errors on parts of 60 points if there are more than 100."""
    monkeypatch.setattr(residual, "ROWS", 60)
    for module in (residual, thin_pairs):
        monkeypatch.setattr(module, "WHOLE", 100)


@pytest.mark.parametrize("statistic", ["unbiased", "biased"])
def test_what_is_missed_of_few_points_is_exact(statistic):
    X, Y = samples(200, 150)
    low = low_rank(K, X, "nystrom", 5)
    apart = mmd2(X, Y, K, statistic) - mmd2(X, Y, low, statistic)
    assert Residual(low, (X, Y), 0).limit(statistic) == pytest.approx(abs(apart), rel=1e-9)


@pytest.mark.few(3)
@pytest.mark.parametrize("statistic", ["unbiased", "biased"])
@pytest.mark.parametrize("sizes", [(300, 40), (300, 251)], ids=str)
@pytest.mark.thorough
@pytest.mark.parametrize("count", [15, 90])
def test_stated_errors_hold(parts_of_60, statistic, sizes, count):
    """A 99 % limit, of many landmarks, too, which miss a few far points alone: fewer inside are 1 in 2000."""
    inside, draws = 0, 60
    for seed in range(draws):
        X, Y = samples(*sizes, seed)
        low = Landmarks(K, X[:count])
        apart = mmd2(X, Y, K, statistic) - mmd2(X, Y, low, statistic)
        inside += abs(apart) <= Residual(low, (X, Y), seed).limit(statistic)
    assert inside >= binom.ppf(5e-4, draws, 0.99)


@pytest.mark.thorough
def test_stated_errors_of_kernel_means_hold(parts_of_60):
    """The mean of a sample, whose landmarks are its rows, and a witness."""
    inside, draws = np.zeros(2), 60
    for seed in range(draws):
        X, Y = samples(300, 251, seed)
        mean, difference = (
            KME(K, "nystrom", 15, seed).embed(X),
            witness(X, Y, K, approximation="nystrom", rank=15, rng=seed),
        )
        inside += (
            mean.distance(KME(K).embed(X)) <= mean.error,
            difference.distance(witness(X, Y, K)) <= difference.error,
        )
    assert inside.min() >= binom.ppf(5e-4, draws, 0.99)


@pytest.mark.thorough
def test_stated_errors_of_hsic_hold(parts_of_60):
    for statistic in ("unbiased", "biased"):
        inside = 0
        for seed in range(40):
            x, y = pairs(300, seed)
            lows = Landmarks(K, x[:12]), Landmarks(K, y[:6])
            thin = LowRankPairs(lows, x, y, statistic)
            inside += abs(hsic(x, y, K, K, statistic) - thin.observed()) <= thin.error(seed)
        assert inside >= binom.ppf(5e-4, 40, 0.99)


# blocks of rows


@pytest.mark.parametrize(
    ("sizes", "plan"),
    {
        (1500, 1500): (1, 1500, 1500),
        (200_000, 200_000): (97, 2061, 2061),
        (10**6, 600): (2, 4096, 300),
        (10**6, 40): (1, 4096, 40),
        (5000, 3193): (2, 2500, 1596),
    }.items(),
)
def test_blocks_are_many_and_of_one_size(sizes, plan):
    made = Plan.of(*sizes)
    assert (made.rows, *made.counts) == plan
    first, second = made.assign_rows(0)
    counts = np.bincount(np.concatenate([first, second]), minlength=made.total + 2)
    assert (counts[: made.total] == made.rows).all()
    left = [size - count * made.rows for size, count in zip(sizes, made.counts, strict=True)]
    assert counts[made.total :].tolist() == left == [made.rows_without_block(0), made.rows_without_block(1)]
    assert first[first < made.total].max() == made.counts[0] - 1 < second.min()
    np.testing.assert_array_equal(first, made.assign_rows(0)[0])
    assert (first != made.assign_rows(1)[0]).any()


@pytest.fixture
def few_blocks(monkeypatch):
    """Blocks of several rows, of few rows."""
    monkeypatch.setattr(row_blocks, "MANY", 20)
    monkeypatch.setattr(row_blocks, "FEW", 4)


@pytest.mark.usefixtures("few_blocks")
@pytest.mark.parametrize("statistic", ["unbiased", "biased"])
@pytest.mark.parametrize("sizes", [(100, 83), (211, 17)], ids=str)
def test_blocks_give_what_rows_give(statistic, sizes):
    """Each permutation of blocks against MMD² of the rows that it brings together."""
    X, Y = samples(*sizes)
    low = low_rank(K, X, "nystrom", 9)
    blocks = RowBlocks.of(low, (X, Y), 5)
    plan = blocks.plan
    assert plan.rows > 1
    observed, null, _ = blocks.test(statistic, 30, 5)
    assert observed == pytest.approx(mmd2(X, Y, low, statistic), rel=1e-9, abs=1e-14)
    P, places = np.concatenate([X, Y]), np.concatenate(plan.assign_rows(5))
    for split, value in zip(row_blocks.splits(plan.total, plan.counts[0], 30, 5), null, strict=True):
        of_x = np.append(split, [True, False])[places]
        assert value == pytest.approx(mmd2(P[of_x], P[~of_x], low, statistic), rel=1e-9, abs=1e-14)


@pytest.mark.usefixtures("few_blocks", "at_once")
def test_several_samples_by_blocks():
    """Compared with MMD² of the pairs, whose sum is the dispersion, and with the exact test."""
    X, Y = samples(120, 90)
    parts = [X, Y, X[:70] + 0.01 * Y[:70]]
    result = several_test(parts, K, n_resamples=99, rng=2, approximation="auto")
    exact = several_test(parts, K, n_resamples=99, rng=2)
    assert result.approximation.startswith("nystrom of rank ")
    assert "blocks of" in str(result)
    assert "off by some" in str(result)
    assert abs(result.statistic - exact.statistic) == pytest.approx(result.error, rel=1e-9)  # exact up to 1500 points
    low = RowBlocks.of(automatic.landmarks_of(K, np.concatenate(parts), 280, 2), parts, 2).low
    for pair in result.pairs:
        A, B = parts[pair.first], parts[pair.second]
        assert abs(pair.test.statistic - mmd2(A, B, K)) == pytest.approx(pair.test.error, rel=1e-6, abs=1e-14)
    blocks = RowBlocks.of(low, parts, 4)
    observed, null, _ = blocks.dispersions(20, 4)

    def dispersion(groups):
        return sum(len(A) * len(B) / 280 * mmd2(A, B, low, "biased") for A, B in itertools.combinations(groups, 2))

    assert observed == pytest.approx(dispersion(parts), rel=1e-9)
    P, places, plan = np.concatenate(parts), np.concatenate(blocks.plan.assign_rows(4)), blocks.plan
    for order, value in zip(np.concatenate(list(row_blocks.permutations(plan.total, 20, 4))), null, strict=True):
        sample_of = np.empty(plan.total + 3, int)
        for a in range(3):
            sample_of[order[plan.blocks(a)]] = sample_of[plan.total + a] = a
        assert value == pytest.approx(dispersion([P[sample_of[places] == a] for a in range(3)]), rel=1e-9)
    with pytest.raises(ValueError, match=naming("'auto'")):
        several_test(parts, K, n_resamples=9, approximation="nystrom")


@pytest.mark.usefixtures("few_blocks")
def test_pieces_and_cores_change_nothing(monkeypatch):
    X, Y = samples(300, 200)
    low = low_rank(K, X, "nystrom", 9)
    whole = RowBlocks.of(low, (X, Y), 0)
    plan = whole.plan
    pieces = RowBlocks(low, plan, low.features(Y[:7]).mean(axis=0))  # another origin, too
    monkeypatch.setattr(row_blocks, "HELD", 9 * 11)
    for Z, places in zip((X, Y), plan.assign_rows(0), strict=True):
        cuts = np.sort(np.random.default_rng(1).integers(0, len(Z), 5))
        pieces.add(zip(np.split(Z, cuts), np.split(places, cuts), strict=True))
    for a, b in zip(whole.test("unbiased", 20, 0), pieces.test("unbiased", 20, 0), strict=True):
        np.testing.assert_allclose(a, b, rtol=1e-9, atol=1e-14)


@pytest.mark.usefixtures("at_once")
def test_its_null_is_that_of_the_exact_test():
    """With as many permutations, by blocks of rows, the distribution has similar quantiles."""
    X, Y = samples(1000, 900, 3)
    Y = X[:900] + 0.0 * Y
    exact = mmd_test(X, Y, K, n_resamples=499, rng=1)
    left = mmd_test(X, Y, K, n_resamples=499, rng=1, approximation="auto")
    quantiles = [0.1, 0.5, 0.9]
    spread = exact.null_distribution.std()
    np.testing.assert_allclose(
        np.quantile(exact.null_distribution, quantiles),
        np.quantile(left.null_distribution, quantiles),
        atol=0.4 * spread,
    )  # 499 draws have a standard error of some 0.08 of it in the tails
    assert left.error < 2 * spread


def test_mmdagg_by_blocks_is_that_of_its_parts(at_once):
    """Under each kernel the values of mmd_test by its landmarks, whose blocks are the same for all kernels."""
    X, Y = samples(400, 300)
    kernels = [Gaussian(0.8), Gaussian(2.5)]
    found = mmdagg_test(X, Y, kernels, n_resamples=99, rng=3, approximation="auto")
    each = [mmd_test(X, Y, kernel, n_resamples=99, rng=3, approximation="auto") for kernel in kernels]
    assert found.values == pytest.approx([test.statistic for test in each])
    assert found.pvalues.tolist() == [test.pvalue for test in each]
    p = np.array(
        [[np.mean(np.append(t.null_distribution, t.statistic) >= v) for v in t.null_distribution] for t in each]
    )
    evidence = (0.5 / p).max(axis=0)
    assert found.null_distribution == pytest.approx(evidence)
    assert found.approximation.startswith("nystrom of rank")


def test_mmdagg_misses_as_little_of_each_kernel_as_its_own_test(at_once, monkeypatch):
    monkeypatch.setattr("explorer.discrepancy.mmd.two_samples.STATED", 1.0)
    X, Y = samples(150, 100)
    found = mmdagg_test(X, Y, [Gaussian(0.8)], n_resamples=9, rng=3, approximation="auto")
    alone = mmd_test(X, Y, Gaussian(0.8), n_resamples=9, rng=3, approximation="auto")
    assert found.approximation == alone.approximation != "nystrom of rank 100"
    assert found.values == pytest.approx([alone.statistic])


def test_mmdagg_is_exact_where_that_is_quick():
    X, Y = samples(40, 30)
    found = mmdagg_test(X, Y, n_resamples=99, rng=3, approximation="auto")
    exact = mmdagg_test(X, Y, n_resamples=99, rng=3)
    assert (found.approximation, exact.approximation) == ("exact", None)
    assert found.null_distribution.tolist() == exact.null_distribution.tolist()
    with pytest.raises(ValueError, match=naming("approximation", "'auto'")):
        mmdagg_test(X, Y, approximation="nystrom")


@pytest.mark.thorough
@pytest.mark.parametrize("sizes", [(60, 41), (400, 30)], ids=str)
def test_the_level_is_kept_by_blocks(monkeypatch, at_once, few_blocks, sizes):
    """P(p <= 0.1) <= 0.1 under ties, too: rounded points."""
    monkeypatch.setattr(automatic, "FEWEST", 8)
    count, rejected = 400, 0
    for seed in range(count):
        P = np.round(np.random.default_rng(seed).normal(size=(sum(sizes), 1)), 1)
        result = mmd_test(P[: sizes[0]], P[sizes[0] :], Gaussian(1.0), n_resamples=19, rng=seed, approximation="auto")
        rejected += result.pvalue <= 0.1
    assert rejected <= binom.ppf(0.999, count, 0.1)


# shifts of pairs


@pytest.mark.parametrize("statistic", ["unbiased", "biased"])
@pytest.mark.parametrize("n", [40, 103])
def test_shifts_give_what_pairs_give(statistic, n):
    x, y = pairs(n)
    lows = low_rank(K, x, "nystrom", 7), low_rank(K, y, "nystrom", 5)
    thin = LowRankPairs(lows, x, y, statistic)
    observed, null, _ = thin.test(19, 3)
    result = hsic_test(x, y, K, K, statistic, n_resamples=19, rng=3, approximation="nystrom", rank=7)
    assert result.resamples == "shifts of one side"
    assert observed == pytest.approx(hsic(x, y, *lows, statistic), rel=1e-9, abs=1e-14)
    assert thin.observed() == pytest.approx(observed, rel=1e-9, abs=1e-14)
    order = stream(3, "permutation").permutation(n)
    length = n // 20
    blocks = n // length
    rows, left = order[: blocks * length].reshape(blocks, length), order[blocks * length :]
    every = []
    for shift in range(1, blocks):
        moved = np.concatenate([np.roll(rows, -shift, axis=0).ravel(), left])
        every.append(hsic(x[np.append(rows.ravel(), left)], y[moved], *lows, statistic))
    assert len(null) == 19
    for value in null:
        assert np.abs(np.array(every) - value).min() < 1e-12


@pytest.mark.parametrize("statistic", ["unbiased", "biased"])
def test_of_fewer_pairs_than_resamples_the_null_is_that_of_permutations(statistic):
    """With 11 shifts of 12 pairs, the observed statistic is the largest of 12 in more than 1 of 51 cases."""
    x, y = pairs(12)
    pairing = Pairing(x, y, K, K, statistic, None, by=PairApproximation("nystrom", 5, 0))
    lows, result = pairing.hsic.low_rank.lows, pairing.test(50, 0)
    every = [hsic(x, y[order], *lows, statistic) for batch in permutations(12, 50, 0) for order in batch]
    assert result.statistic == pytest.approx(hsic(x, y, *lows, statistic), rel=1e-9, abs=1e-14)
    np.testing.assert_allclose(result.null_distribution, every, rtol=1e-9, atol=1e-14)
    assert result.resamples == "permutations"
    assert (result.approximation, result.kernel) == ("nystrom of rank 5", (K, K))


@pytest.mark.parametrize("way", ["cholesky", "nystrom", "features"])
def test_few_pairs_keep_the_level(way):
    """Repeated shifts rejected in 1 of 8 samples of 8 pairs."""
    rng = np.random.default_rng(0)
    found = [
        hsic_test(*rng.normal(size=(2, 8, 1)), K, K, n_resamples=19, rng=k, approximation=way, rank=4).pvalue
        for k in range(150)
    ]
    assert np.count_nonzero(np.array(found) <= 0.05) <= binom.ppf(0.999, 150, 0.05)


@pytest.mark.usefixtures("at_once")
def test_hsic_by_landmarks():
    x, y = pairs(450)
    value = hsic(x, y, K, K, approximation="auto")
    assert abs(value - hsic(x, y, K, K)) == pytest.approx(value.error, rel=1e-6, abs=1e-15)
    result = hsic_test(x, y, K, K, n_resamples=99, rng=0, approximation="auto")
    assert result.pvalue == 0.01
    assert names_all(str(result), result.resamples)
    assert result.approximation.startswith("nystrom of rank ")
    for name in ("nystrom", "cholesky", "features"):
        each = hsic(x, y, K, K, "unbiased", approximation=name, rank=60)
        assert abs(each - hsic(x, y, K, K, "unbiased")) == pytest.approx(each.error, rel=1e-6, abs=1e-15)
    with pytest.raises(ValueError, match=naming("rank", "128", "200")):
        hsic(x, y, K, K, approximation="features", rank=200)


@pytest.mark.thorough
def test_the_level_is_kept_by_shifts(monkeypatch, at_once):
    monkeypatch.setattr(automatic, "FEWEST", 8)
    count, rejected = 400, 0
    for seed in range(count):
        rng = np.random.default_rng(seed)
        x, y = rng.normal(size=(90, 1)).round(1), rng.normal(size=(90, 1)).round(1)
        rejected += hsic_test(x, y, K, K, n_resamples=19, rng=seed, approximation="auto").pvalue <= 0.1
    assert rejected <= binom.ppf(0.999, count, 0.1)
