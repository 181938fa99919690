"""The Two-sample lab's numbers, each computed in a second way: the library's public tests, and brute force."""

import json
import re

import numpy as np
import pytest
from helpers.naming import naming

from explorer import (
    FKMSE,
    KME,
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
    mmd2_of_laws,
    mmd_test,
    mmdagg_test,
    mmdfuse_test,
    witness,
)
from explorer.datasets import read_tables
from explorer.discrepancy import detectable_shift, power
from explorer.labs.twosample import TwoSampleLab
from explorer.labs.twosample.lab import BANDWIDTHS
from explorer.labs.twosample.result import SIZES
from explorer.labs.twosample.verdict import changes, what_sizes_find
from explorer.labs.twosample.words import caption
from explorer.workbench.content import content_of

PRESETS = content_of("twosample").presets

LAWS = {"shift": (0.7, 1.0), "spread": (0.0, 1.7**2), "equal": (0.0, 1.0)}  # Q's first mean, and its variances
KERNELS = {
    "LIN": lambda Z, b: Linear(),
    "POLY2": lambda Z, b: Polynomial(2),
    "POLY3": lambda Z, b: Polynomial(3),
    "RBF": lambda Z, b: Gaussian(b * median_bandwidth(Z)),
    "LAP": lambda Z, b: Laplacian(b * median_bandwidth(Z, "cityblock")),
    "distance": lambda Z, b: Energy(),
    "EXP": lambda Z, b: Exponential((b * median_bandwidth(Z)) ** 2),
}
ESTIMATORS = {"KME": KME(), "S-KMSE": SKMSE(), "F-KMSE": FKMSE()}


def by_hand(lab):
    """Return the samples and the kernel of a lab, made with the library's public functions."""
    laws, rest = ((0.0, 1.0), LAWS[lab.source]), [0.0] * (lab.d - 1)
    P, Q = (GaussianMixture([1.0], [[mean, *rest]], variance * np.eye(lab.d)) for mean, variance in laws)
    X, Y = P.sample(lab.n, rng=2 * lab.seed), Q.sample(lab.m, rng=2 * lab.seed + 1)
    if lab.outliers:
        Y = contaminate(Y, lab.outliers, "far cluster", lab.distance, rng=lab.seed)
    return X, Y, KERNELS[lab.kernel](np.vstack([X, Y]), lab.bandwidth)


def assert_tests_agree(test, other):
    # the same products in the same order, except for the median, which the other way may round differently
    assert test.statistic == pytest.approx(other.statistic, rel=1e-12)
    assert test.null_distribution == pytest.approx(other.null_distribution, rel=1e-9, abs=1e-12)
    assert test.pvalue == other.pvalue


@pytest.mark.thorough(default=["fields0", "fields4"])
@pytest.mark.parametrize(
    "fields",
    [
        {"kernel": "LIN", "source": "spread", "outliers": 2},
        {"kernel": "POLY2", "source": "equal"},
        {"kernel": "POLY3", "source": "equal", "outliers": 2},
        {"source": "spread", "bandwidth": 0.63, "seed": 2},
        {"kernel": "LAP", "outliers": 2, "distance": 5.0},
        {"kernel": "distance", "outliers": 2, "distance": 5.0},
        {"kernel": "EXP", "bandwidth": 2.0},
        {"statistic": "biased", "estimator": "S-KMSE"},
        {"statistic": "biased", "estimator": "F-KMSE", "n": 10, "m": 12},
        {"statistic": "linear time"},
        {"statistic": "blocks", "block": 7, "kernel": "LAP"},
    ],
)
def test_the_test_and_its_row_at_every_bandwidth_are_the_library_s(fields):
    lab = TwoSampleLab(**{"n": 20, "m": 20, "d": 3, "size": 0.7, "permutations": "199", **fields})
    X, Y, kernel = by_hand(lab)
    result = lab.result(wait=True)
    assert np.array_equal(result.samples.X, X)
    assert np.array_equal(result.samples.Y, Y)
    if (size := {"linear time": 2, "blocks": 7}.get(lab.statistic)) is None:
        expected = mmd_test(X, Y, kernel, lab.statistic, ESTIMATORS[lab.estimator], n_resamples=199, rng=lab.seed)
    else:
        expected = block_test(X, Y, kernel, size, n_resamples=199, rng=lab.seed)
        assert (result.plan, result.influence) == (None, None)  # which are of all pairs
    assert_tests_agree(result.test(), expected)
    assert result.answers == (lab.kernel != "EXP" and lab.estimator != "F-KMSE")
    if result.answers:
        assert_tests_agree(result.at(0.1).test(), lab.replace(bandwidth=0.1).result().test())
        assert result.at(0.1).kernel == lab.replace(bandwidth=0.1).result().kernel
    unit = "cityblock" if lab.kernel == "LAP" else "sqeuclidean"
    widths = median_bandwidth(np.vstack([X, Y]), unit) * np.array(BANDWIDTHS)
    assert [each.bandwidth for each in result.strip.kernels] == pytest.approx(widths)
    assert {type(each) for each in result.strip.kernels} == {Laplacian if lab.kernel == "LAP" else Gaussian}


def test_a_difference_of_distributions_that_is_infinite_is_not_shown():
    wide, narrow = (TwoSampleLab(n=15, m=20, kernel="EXP", bandwidth=b).result() for b in (3.0, 0.4))
    assert wide.truth > 0
    assert narrow.truth is None
    assert ["MMD² of the distributions" in caption(each) for each in (wide, narrow)] == [True, False]


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
    at, options = SIZES[[0, 20, 40]], {"rng": 5, "truth": mmd2_of_laws(*result.laws, kernel)}
    # the lab draws between 800 sizes, and these need not be among them
    said = power(X, Y, kernel, at, np.round(1.5 * at), **options)
    assert result.plan.power[[0, 20, 40]] == pytest.approx(said, abs=0.01)
    needed = result.plan.needed
    around = np.array([0.97 * needed, 1.03 * needed]).round()
    low, high = power(X, Y, kernel, around, np.round(1.5 * around), **options)
    assert low < 0.8 < high


@pytest.mark.parametrize("seed", range(3))
def test_where_p_is_q_the_power_is_the_level_and_no_size_is_named(seed):
    """Whatever the samples: of three null samples one has a p near .1, and an MMD² far above 0."""
    result = TwoSampleLab(source="equal", n=30, m=30, seed=seed, picture="power").result(wait=True)
    assert result.apart == 0
    np.testing.assert_array_equal(result.plan.power, np.full(len(SIZES), 0.05))
    assert result.plan.needed is None
    said = what_sizes_find(result)
    assert "5 %" in said
    assert not re.search(r"n = \d", said)
    assert said in changes(result, result.row, differ=False)


def test_a_kernel_that_is_blind_to_the_difference_gains_nothing_from_more_points():
    result = TwoSampleLab(source="spread", size=0.4, kernel="LIN", n=30, m=30, seed=4).result(wait=True)
    assert result.apart == 0
    assert set(result.plan.power) == {0.05}
    assert not re.search(r"\d", what_sizes_find(result))


@pytest.mark.parametrize("fields", [{"outliers": 1}, {"dropped": '["Q3"]'}, {"moved_q": '{"3":[0.5,-1.0]}'}], ids=str)
def test_rows_that_were_changed_by_hand_are_of_no_known_distribution(fields):
    result = TwoSampleLab(source="equal", n=30, m=30, seed=1, **fields).result(wait=True)
    assert result.apart is None


def test_a_table_without_a_verdict_has_no_power_and_says_what_its_rows_can_find():
    rng = np.random.default_rng(0)
    rows = "".join(f"{x},{'uv'[i % 2]}\n" for i, x in enumerate(rng.normal(size=80).round(3)))
    tables = read_tables([f"a,who\n{rows}".encode()], target="who", names=["t.csv"])
    result = lab_of_tables(tables, group="who", n=40, m=40, picture="power").result(wait=True)
    assert result.pvalue > 0.05
    assert result.apart is None
    assert result.plan == (None, None)
    least = detectable_shift(40, 40, 0.05, 0.8)
    assert f"{least:.2g} sd" in what_sizes_find(result)


def test_influence_is_what_the_page_says_without_the_row():
    lab = TwoSampleLab(n=15, m=20, kernel="POLY2", outliers=1)
    result = lab.result(wait=True)
    samples = result.samples
    P, Q = np.arange(15), np.arange(15, 35)
    change = [
        abs(mmd2(*(samples.pooled[side[side != i]] for side in (P, Q)), result.kernel) - result.statistic)
        for i in range(35)
    ]
    assert [one.row for one in result.influence] == list(np.argsort(change)[::-1][:5])
    for one in result.influence:
        there = lab.replace(dropped=json.dumps([samples.word(one.row)])).result()
        assert (there.test().statistic, there.pvalue) == (one.statistic, one.pvalue)
        assert len(there.samples.rows) == 34
        assert samples.rows[one.row] not in there.samples.rows


def test_the_self_check_keeps_the_level_and_finds_a_difference():
    equal, fresh = TwoSampleLab(n=30, m=30, size=3.0, samples=60).result(wait=True).checked
    low, high = equal.interval()
    assert low < 0.05 < high
    assert (equal.count, fresh.count, fresh.rejected) == (60, 60, 60)


@pytest.mark.parametrize("other", [{"outliers": 0}, {"kernel": "RBF"}], ids=str)
def test_without_its_crowd_of_outliers_or_its_kernel_a_preset_finds_nothing(other):
    crowd = next(p for p in PRESETS if p.name == "A crowd of outliers").fields
    assert TwoSampleLab(**{**crowd, **other}).result().pvalue > 0.2


def test_equal_moments_are_equal_to_the_polynomials():
    P, Q = TwoSampleLab(source="moments", size=3.0, d=2).result().laws
    assert [P.mean, P.variances] == [pytest.approx(Q.mean), pytest.approx(Q.variances)]
    assert TwoSampleLab(source="moments", size=3.0, d=1, bandwidth=0.32).result().truth > 0.05


# tables


def test_rows_of_a_table_have_their_names():
    wine = load("wine")
    result = TwoSampleLab(source="wine", n=20, m=30, groups='["3", "1"]').result()
    rows = [int(name.removeprefix("row ")) - 1 for name in result.samples.rows]
    assert np.array_equal(wine.X[rows], np.vstack([wine.where(3.0).sample(20, 10), wine.where(1.0).sample(30, 11)]))


def lab_of_tables(tables, **fields):
    """Return a lab of the user's tables."""
    lab = TwoSampleLab(source="file", hash=tables[0].hash, **fields)
    lab.tables = tables
    return lab


TABLE = b"a,b,who\n" + b"".join(b"%d.5,%d,%s\n" % (i, i * i % 7, b"xyx"[i % 3 : i % 3 + 1]) for i in range(30))


def test_other_columns_of_one_file_are_another_table_and_two_files_are_forgotten_by_a_bundled_one():
    all_of_it, one = (read_tables([TABLE], each, target="who", names=["t.csv"], scale="none") for each in (None, ["b"]))
    lab = lab_of_tables(all_of_it, group="who", n=20, m=10)
    assert lab.result().samples.called == ("group x of t.csv", "group y of t.csv")
    assert sorted(lab.result().samples.names) == ["a", "b"]
    lab.tables = one
    lab.move(columns='["b"]')
    assert lab.result().samples.names == ("b",)
    lab.move(source="wine", hash2=one[0].hash)
    assert lab.result().samples.called == ("group 1 of wine", "group 2 of wine")


def test_ones_own_columns_are_compared_by_common_scales_and_levels():
    """An age that differs by 0.8 sd, next to an income of sd 20,000. In their own units, p = 0.69."""
    rng = np.random.default_rng(2)
    raw = ["age,income,city"] + [
        f"{45 + 12 * (rng.normal() + shift):.1f},{2e4 * rng.normal():.0f},{rng.choice(['Bonn', 'Ulm'])}"
        for shift in (0.0, 0.8)
        for _ in range(60)
    ]
    files = ["\n".join([raw[0], *rows, ""]).encode() for rows in (raw[1:61], raw[61:])]
    tables = read_tables(files, names=["p.csv", "q.csv"], scale="none")
    for scaled in (True, False):
        result = lab_of_tables(tables, standardise=scaled, hash2=tables[1].hash, n=60, m=60).result()
        assert (result.pvalue <= 0.05) == scaled
        treated = tables.in_common_scales() if scaled else tables
        assert str(treated) in caption(result)
        assert np.array_equal(result.samples.X, treated.indicators()[0].X)  # all rows, in the order of their file
        assert result.samples.names == ("age", "income", "city=Bonn", "city=Ulm")


@pytest.mark.parametrize(
    "fields",
    [{"n": 20, "m": 30}, {"n": 40, "m": 40, "seed": 9}, {"n": 9, "m": 9, "standardise": False}],
    ids=str,
)
def test_tables_of_ones_own_open_on_the_columns_that_differ_most_whatever_is_drawn(fields):
    rng = np.random.default_rng(2)
    rows = [f"{rng.normal():.3f},{rng.normal():.3f},{rng.normal() + 2 * (i % 2):.3f},{'pq'[i % 2]}" for i in range(80)]
    text = "same,like,apart,who\n" + "\n".join(rows) + "\n"
    tables = read_tables([text.encode()], target="who", names=["t.csv"], scale="none")
    samples = lab_of_tables(tables, group="who", **fields).result().samples
    assert samples.names[0] == "apart"
    for name, column in samples.own.items():  # in the file's own numbers, to the bit
        assert set(column) <= set(tables[0].X[:, tables[0].names.index(name)])


def test_equal_points_are_no_difference():
    tables = read_tables([b"a,who\n" + b"1,x\n1,y\n" * 10], target="who", names=["t.csv"])
    result = lab_of_tables(tables, group="who", n=8, m=8).result(wait=True)
    assert result.pvalue == 1.0
    assert result.middle[1]
    assert result.middle[1][1:] in caption(result)
    assert result.plan.power is None
    assert np.isnan(result.aggregated)


# dragged points and refusals


def test_another_sample_takes_back_what_hands_did():
    lab = TwoSampleLab(moved_p='{"3":[0.5,-1.0]}', moved_q='{"3":[0.5,-1.0]}', dropped='["Q3"]')
    lab.move(n=50)
    assert lab.dropped
    lab.move(seed=6)
    assert (lab.moved_p, lab.moved_q, lab.dropped) == ("", "", "")


@pytest.mark.parametrize(
    ("fields", "said"),
    [
        ({"outliers": 100}, naming("100", "m", "101")),
        ({"dropped": '["R3"]'}, naming("dropped")),
        ({"dropped": '["P0"]'}, naming("dropped")),
        ({"groups": '["1"]'}, naming("groups")),
        ({"moved_p": "{"}, naming("moved")),
        ({"moved_q": "{"}, naming("moved")),
        ({"estimator": "F-KMSE"}, naming("F-KMSE", "'biased'")),
        ({"estimator": "F-KMSE", "statistic": "biased", "n": 300, "m": 200}, naming("F-KMSE", "400", "500")),
        ({"n": 3, "samples": 10}, naming("n", "4", "3")),
        ({"statistic": "blocks", "n": 20, "m": 30}, naming("20", "30", "n", "m")),
        ({"statistic": "blocks", "n": 30, "m": 30, "block": 31}, naming("31", "30")),
        ({"statistic": "blocks", "estimator": "S-KMSE"}, naming("S-KMSE", "'KME'")),
        ({"statistic": "blocks", "samples": 20}, naming("'unbiased'", "'biased'")),
        ({"source": "wine", "n": 100, "m": 20}, naming("n", "100", "59", "1", "wine")),
        ({"source": "wine", "n": 20, "m": 20, "groups": '["1", "7"]'}, naming("'7'", "1", "2", "3")),
        ({"source": "file", "file": "t.csv", "rows": 7}, "stays with its owner"),
        ({"n": 4, "dropped": '["P1", "P2"]'}, naming("P", "2", "3")),
    ],
    ids=str,
)
def test_what_cannot_be_is_refused_with_a_sentence(fields, said):
    with pytest.raises(ValueError, match=said):
        TwoSampleLab(**fields).result()
