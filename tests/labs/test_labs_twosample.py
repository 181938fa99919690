"""The Two-sample lab's numbers, each by a second road: the library's public tests, and brute force."""

import itertools
import json

import numpy as np
import pytest
from scipy.special import betaincinv

from explorer import (
    FKMSE,
    SKMSE,
    Energy,
    Exponential,
    Gaussian,
    GaussianMixture,
    Laplacian,
    Linear,
    Polynomial,
    block_test,
    contaminate,
    load,
    median_bandwidth,
    mmd2,
    mmd_test,
    mmdagg_test,
    mmdfuse_test,
    witness,
)
from explorer.checks import Refusal
from explorer.datasets import read_tables, standardise
from explorer.discrepancy import LevelCheck, power
from explorer.labs.twosample import TwoSampleLab
from explorer.labs.twosample.lab import BANDWIDTHS, DRAFT
from explorer.labs.twosample.result import SIZES
from explorer.labs.twosample.stories import PRESETS
from explorer.labs.twosample.words import caption

KERNELS = {"LIN": Linear(), "POLY2": Polynomial(2), "POLY3": Polynomial(3), "RBF": None}
FURTHER = {"LAP": lambda X, b: Laplacian(b * median_bandwidth(X, "cityblock")), "distance": lambda X, b: Energy(),
           "EXP": lambda X, b: Exponential((b * median_bandwidth(X)) ** 2)}  # fmt: skip
LAWS = {
    "shift": lambda d: GaussianMixture([1.0], [[0.7, *[0.0] * (d - 1)]], np.eye(d)),
    "spread": lambda d: GaussianMixture([1.0], [[0.0] * d], 1.7**2 * np.eye(d)),
    "equal": lambda d: GaussianMixture([1.0], [[0.0] * d], np.eye(d)),
}


def by_hand(lab):
    """The samples and the kernel of a lab, through the front door."""
    P = GaussianMixture([1.0], [[0.0] * lab.d], np.eye(lab.d))
    X, Y = P.sample(lab.n, rng=2 * lab.seed), LAWS[lab.source](lab.d).sample(lab.m, rng=2 * lab.seed + 1)
    if lab.outliers:
        Y = contaminate(Y, lab.outliers, "far cluster", lab.distance, rng=lab.seed)
    if lab.kernel in FURTHER:
        return X, Y, FURTHER[lab.kernel](np.vstack([X, Y]), lab.bandwidth)
    return X, Y, KERNELS[lab.kernel] or Gaussian(lab.bandwidth * median_bandwidth(np.vstack([X, Y])))


def agrees(result, test):
    # the same products in the same order, but for the median, which another road may round otherwise
    assert result.test().statistic == pytest.approx(test.statistic, rel=1e-12)
    assert result.test().null_distribution == pytest.approx(test.null_distribution, rel=1e-9, abs=1e-12)
    assert result.pvalue == test.pvalue


STATES = list(itertools.product(KERNELS, LAWS, (0, 2)))


@pytest.mark.thorough(
    default=[
        "LIN-shift-0",
        "LIN-shift-2",
        "LIN-spread-0",
        "LIN-spread-2",
        "LIN-equal-0",
        "LIN-equal-2",
        "POLY3-spread-2",
        "POLY3-equal-2",
    ]
)
@pytest.mark.parametrize(("kernel", "source", "outliers"), STATES)
def test_the_test_is_the_librarys(kernel, source, outliers):
    lab = TwoSampleLab(
        source=source, kernel=kernel, outliers=outliers, n=20, m=30, d=3, size=0.7, bandwidth=0.63, seed=2
    )
    X, Y, k = by_hand(lab)
    result = lab.result()
    agrees(result, mmd_test(X, Y, k, rng=2))
    assert np.array_equal(result.samples.X, X)
    assert np.array_equal(result.samples.Y, Y)


@pytest.mark.parametrize(("name", "estimator"), [("S-KMSE", SKMSE()), ("F-KMSE", FKMSE())])
def test_other_estimators_are_tested_as_the_library_does(name, estimator):
    lab = TwoSampleLab(n=10, m=12, estimator=name, statistic="biased", permutations="199", size=0.7)
    X, Y, kernel = by_hand(lab)
    agrees(lab.result(), mmd_test(X, Y, kernel, "biased", estimator, n_resamples=199, rng=5))


def test_rows_of_the_table_are_the_tests_at_their_bandwidths():
    result = TwoSampleLab(n=15, m=20).result(wait=True)
    assert result.answers
    assert result.stops == tuple(BANDWIDTHS)
    for row in (0, 13, 30):
        lab = TwoSampleLab(n=15, m=20, bandwidth=BANDWIDTHS[row])
        agrees(result.at(BANDWIDTHS[row]), lab.result().test())
        assert result.at(BANDWIDTHS[row]).kernel == lab.result().kernel


@pytest.mark.parametrize("kernel", FURTHER)
def test_further_kernels_have_the_librarys_test(kernel):
    lab = TwoSampleLab(kernel=kernel, n=15, m=20, d=3, size=0.7, outliers=2, distance=5.0)
    X, Y, k = by_hand(lab)
    result = lab.result(wait=True)
    agrees(result, mmd_test(X, Y, k, n_resamples=999, rng=lab.seed))
    assert (result.kernel.key, result.answers) == (k.key, kernel != "EXP")
    assert not result.moments
    stops = [each.bandwidth for each in result.strip.kernels]
    unit = "cityblock" if kernel == "LAP" else "sqeuclidean"
    assert stops == pytest.approx(median_bandwidth(np.vstack([X, Y]), unit) * np.array(BANDWIDTHS))
    assert {type(each) for each in result.strip.kernels} == {Laplacian if kernel == "LAP" else Gaussian}


def test_a_laplacian_row_is_the_test_at_its_bandwidth():
    result = TwoSampleLab(n=15, m=20, kernel="LAP").result(wait=True)
    agrees(result.at(0.1), TwoSampleLab(n=15, m=20, kernel="LAP", bandwidth=0.1).result().test())


def test_a_difference_of_distributions_that_is_infinite_is_not_shown():
    wide, narrow = (TwoSampleLab(n=15, m=20, kernel="EXP", bandwidth=b).result() for b in (3.0, 0.4))
    assert wide.truth > 0
    assert narrow.truth is None
    assert "between the distributions" in caption(wide)
    assert "between the distributions" not in caption(narrow)


@pytest.mark.parametrize(("statistic", "size"), [("linear time", 2), ("blocks", 7)])
def test_a_statistic_in_blocks_is_the_librarys(statistic, size):
    lab = TwoSampleLab(statistic=statistic, block=7, n=30, m=30, size=0.7)
    X, Y, kernel = by_hand(lab)
    result = lab.result(wait=True)
    agrees(result, block_test(X, Y, kernel, size, n_resamples=999, rng=lab.seed))
    assert (result.plan, result.influence) == (None, None)
    assert result.answers
    agrees(result.at(0.1), lab.replace(bandwidth=0.1).result().test())


@pytest.mark.parametrize(
    ("fields", "said"),
    [
        ({"n": 20}, "there are 20 and 30; make n and m equal"),
        ({"block": 31}, "Blocks take 31 rows or more"),
        ({"estimator": "S-KMSE"}, "plain averages only, not S-KMSE"),
        ({"samples": 20}, "The self-check is of the statistics of all pairs"),
    ],
)
def test_what_blocks_cannot_do_is_a_sentence(fields, said):
    with pytest.raises(Refusal, match=said):
        TwoSampleLab(**{"statistic": "blocks", "n": 30, "m": 30, **fields})


def test_the_witness_is_the_librarys():
    result = TwoSampleLab(n=15, m=20, d=3).result()
    samples = result.samples
    f = witness(samples.X, samples.Y, result.kernel)
    assert result.trials.witness[0] == pytest.approx(f(result.places))
    heights = f(samples.pooled)
    assert result.extremes() == (heights.argmax(), heights.argmin())


def test_what_follows_at_rest_is_the_librarys():
    lab = TwoSampleLab(n=20, m=30, size=0.7)
    X, Y, kernel = by_hand(lab)
    result = lab.result(wait=True)
    assert result.aggregated == mmdagg_test(X, Y, rng=5).pvalue
    assert result.fused == mmdfuse_test(X, Y, rng=5).pvalue
    at = SIZES[[0, 20, 40]]
    # drawn between 800 sizes, of which these are not always one
    assert result.plan.power[[0, 20, 40]] == pytest.approx(power(X, Y, kernel, at, np.round(1.5 * at), rng=5), abs=0.01)
    needed = result.plan.needed
    around = np.array([0.97 * needed, 1.03 * needed]).round()
    low, high = power(X, Y, kernel, around, np.round(1.5 * around), rng=5)
    assert low < 0.8 < high


def test_influence_is_what_the_page_says_without_the_row():
    lab = TwoSampleLab(n=15, m=20, kernel="POLY2", outliers=1)
    result = lab.result(wait=True)
    samples = result.samples
    change = [abs(mmd2(*without(samples, i), result.kernel) - result.test().statistic) for i in range(35)]
    assert [one.row for one in result.influence] == list(np.argsort(change)[::-1][:5])
    for one in result.influence:
        there = lab.replace(dropped=json.dumps([samples.word(one.row)])).result()
        assert (there.test().statistic, there.pvalue) == (one.statistic, one.pvalue)
        assert len(there.samples.rows) == 34
        assert samples.rows[one.row] not in there.samples.rows


def without(samples, i):
    P, n = samples.pooled, len(samples.X)
    kept = np.delete(np.arange(len(P)), i)
    return P[kept[kept < n]], P[kept[kept >= n]]


def test_the_self_check_keeps_the_level_and_finds_a_difference():
    result = TwoSampleLab(n=30, m=30, size=3.0, samples=60).result(wait=True)
    low, high = result.checked.equal.interval()
    assert low < 0.05 < high
    assert result.checked.fresh.rejected == 60


def test_a_rejected_share_has_the_interval_of_clopper_and_pearson():
    checked = TwoSampleLab(n=8, m=8, samples=20, permutations="199").result(wait=True).checked
    assert checked.equal.count == checked.fresh.count == 20
    for k in (0, 3, 20):
        check = LevelCheck(np.where(np.arange(20) < k, 0.01, 0.5), checked.equal.level)
        low, high = (
            betaincinv(max(k, 1), 21 - k, 0.025) if k else 0,
            betaincinv(k + 1, max(20 - k, 1), 0.975) if k < 20 else 1,
        )
        assert check.interval() == pytest.approx((low, high))


def test_the_presets_masks_are_masks():
    """The outlier alone turns the quadratic kernel's answer, and the outliers alone make its other one."""
    masked, shift = PRESETS[1].fields, {"kernel": "POLY2"}
    assert TwoSampleLab(**shift).result().pvalue < 0.01
    result = TwoSampleLab(**masked).result(wait=True)
    turned = result.influence[0]
    assert result.samples.rows[turned.row] == "row 100 of Q"
    assert turned.pvalue < 0.01
    crowd = next(p for p in PRESETS if p.name == "A crowd of outliers").fields
    assert TwoSampleLab(**{**crowd, "outliers": 0}).result().pvalue > 0.2
    assert TwoSampleLab(**{**crowd, "kernel": "RBF"}).result().pvalue > 0.2


def test_equal_moments_are_equal_to_the_polynomials():
    result = TwoSampleLab(source="moments", size=3.0, d=1, kernel="POLY2").result()
    P, Q = result.laws
    assert [P.mean, P.variances] == [pytest.approx(Q.mean), pytest.approx(Q.variances)]
    assert TwoSampleLab(source="moments", size=3.0, d=1, bandwidth=0.32).result().truth > 0.05


def test_a_larger_sample_keeps_the_points():
    small, large = (TwoSampleLab(n=n, m=n).result().samples for n in (20, 50))
    assert np.array_equal(large.X[:20], small.X)
    assert np.array_equal(large.Y[:20], small.Y)


def test_a_hand_that_moves_gets_a_draft_and_then_all_shuffles():
    lab = TwoSampleLab(n=200, m=200, permutations="9999")
    assert lab.result().draft
    assert lab.result().trials.null.shape[1] == DRAFT


def test_a_table_gives_its_groups():
    wine = load("wine")
    result = TwoSampleLab(source="wine", n=20, m=30, groups='["3", "1"]').result()
    X, Y = wine.where(3.0).sample(20, 10), wine.where(1.0).sample(30, 11)
    assert result.samples.pooled == pytest.approx(standardise(np.vstack([X, Y])))
    rows = [int(name.removeprefix("row ")) - 1 for name in result.samples.rows]
    assert np.array_equal(wine.X[rows], np.vstack([X, Y]))


TABLE = b"a,b,who\n" + b"".join(b"%d,%d,%s\n" % (i, i * i % 7, b"xyx"[i % 3 : i % 3 + 1]) for i in range(30))


HASH = read_tables([TABLE], names=["t.csv"])[0].hash


def test_ones_own_table_by_groups_and_two_tables():
    tables = read_tables([TABLE], target="who", names=["t.csv"], scale="none")
    fields = {"source": "file", "hash": tables[0].hash, "group": "who", "n": 20, "m": 10}
    lab = TwoSampleLab(**fields)
    lab.tables = tables
    assert lab.result().samples.called == ("group x of t.csv", "group y of t.csv")
    two = TwoSampleLab(**{**fields, "hash2": tables[0].hash, "m": 20})
    two.tables = read_tables([TABLE, TABLE], names=["p.csv", "q.csv"], scale="none")
    assert len(two.result().samples.Y) == 20
    assert two.result().samples.names == ("a", "b", "who=x", "who=y")


def test_other_columns_of_one_file_are_another_table_and_two_files_are_forgotten_by_a_bundled_one():
    lab = TwoSampleLab(source="file", hash=HASH, group="who", n=20, m=10)
    lab.tables = read_tables([TABLE], target="who", names=["t.csv"], scale="none")
    assert sorted(lab.result().samples.names) == ["a", "b"]
    lab.tables = read_tables([TABLE], ["b"], target="who", names=["t.csv"], scale="none")
    lab.move(columns='["b"]')
    assert lab.result().samples.names == ("b",)
    lab.move(source="wine", hash2=HASH)
    assert lab.result().samples.called == ("group 1 of wine", "group 2 of wine")


def test_ones_own_columns_are_compared_by_common_scales_and_levels():
    """An age that differs by 0.8 sd beside an income of sd 20,000: in their own units p = 0.69."""
    rng = np.random.default_rng(2)
    raw = ["age,income,city"] + [
        f"{45 + 12 * (rng.normal() + shift):.1f},{2e4 * rng.normal():.0f},{rng.choice(['Bonn', 'Ulm'])}"
        for shift in (0.0, 0.8)
        for _ in range(60)
    ]
    files = ["\n".join([raw[0], *rows, ""]).encode() for rows in (raw[1:61], raw[61:])]
    tables = read_tables(files, names=["p.csv", "q.csv"], scale="none")
    fields = {"source": "file", "hash": tables[0].hash, "hash2": tables[1].hash, "n": 60, "m": 60}
    for scaled in (True, False):
        lab = TwoSampleLab(standardise=scaled, **fields)
        lab.tables = tables
        result = lab.result()
        assert (result.pvalue <= 0.05) == scaled
        treated = tables.in_common_scales() if scaled else tables
        assert str(treated) in caption(result)
        X = treated.indicators()[0].X  # all rows, in the order of their file
        np.testing.assert_array_equal(result.samples.X, X)


@pytest.mark.parametrize(
    ("fields", "words"),
    [
        ({"outliers": 100}, "100 outliers need m of at least 101"),
        ({"dropped": '["R3"]'}, "dropped must be like"),
        ({"dropped": '["P0"]'}, "dropped must be like"),
        ({"groups": '["1"]'}, "groups must be like"),
        ({"moved_p": "{"}, "moved must be like"),
        ({"estimator": "F-KMSE"}, "take statistic 'biased'"),
        ({"estimator": "F-KMSE", "statistic": "biased", "n": 300, "m": 200}, "n . m may be at most 400"),
        ({"n": 3, "samples": 10}, "n of at least 4"),
    ],
)
def test_what_cannot_be_is_refused_with_a_sentence(fields, words):
    with pytest.raises(ValueError, match=words):
        TwoSampleLab(**fields)


@pytest.mark.parametrize(
    ("fields", "words"),
    [
        ({"source": "wine", "n": 100, "m": 20}, "n = 100 is more than the 59 rows of group 1 of wine"),
        ({"source": "wine", "n": 20, "m": 20, "groups": '["1", "7"]'}, "no group '7'; its groups are 1, 2, 3"),
        ({"source": "file", "file": "t.csv", "rows": 7}, "stays with its owner"),
        ({"n": 4, "dropped": '["P1", "P2"]'}, "P .P., the dropped rows left out, has 2 rows; at least 3"),
    ],
)
def test_what_cannot_be_drawn_is_refused_with_a_sentence(fields, words):
    with pytest.raises(ValueError, match=words):
        TwoSampleLab(**fields).result()


def test_equal_points_are_no_difference():
    tables = read_tables([b"a,who\n" + b"1,x\n1,y\n" * 10], target="who", names=["t.csv"])
    lab = TwoSampleLab(source="file", hash=tables[0].hash, group="who", n=8, m=8)
    lab.tables = tables
    result = lab.result(wait=True)
    assert result.pvalue == 1.0
    assert result.middle[1]
    assert result.middle[1][1:] in caption(result)
    assert result.plan.power is None
    assert np.isnan(result.aggregated)


def test_a_preset_takes_back_what_was_moved_and_dropped():
    lab = TwoSampleLab(n=12, m=15, moved_p='{"1":[0.5,-1]}', dropped='["Q3"]')
    lab.move(**TwoSampleLab(n=12, m=15, seed=9).values())
    assert lab == TwoSampleLab(n=12, m=15, seed=9)


def test_tables_of_ones_own_open_on_the_columns_that_differ_most_whatever_is_drawn():
    rng = np.random.default_rng(2)
    rows = [f"{rng.normal():.3f},{rng.normal():.3f},{rng.normal() + 2 * (i % 2):.3f},{'pq'[i % 2]}" for i in range(80)]
    text = "same,like,apart,who\n" + "\n".join(rows) + "\n"
    tables = read_tables([text.encode()], target="who", names=["t.csv"], scale="none")
    for fields in ({"n": 20, "m": 30}, {"n": 40, "m": 40, "seed": 9}, {"n": 9, "m": 9, "standardise": False}):
        lab = TwoSampleLab(source="file", hash=tables[0].hash, group="who", **fields)
        lab.tables = tables
        result = lab.result()
        assert result.samples.names[0] == "apart"
        table = tables[0]
        for name, column in result.samples.own.items():  # in the file's own numbers, to the bit
            assert set(column) <= set(table.X[:, table.names.index(name)])
