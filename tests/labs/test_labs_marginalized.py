"""The Marginalized lab's numbers, each by a second road.

The library's estimators, exact distances, and throws of the dice.
"""

import numpy as np
import pytest

from explorer import KME, MKME, MMKME, Gaussian, load, median_bandwidth, risk
from explorer.datasets import read_table
from explorer.estimators.marginalized.noise import corrupted
from explorer.estimators.marginalized.weights import approximations
from explorer.labs.marginalized import MarginalizedLab
from explorer.labs.marginalized.lab import NARROW, SIGMAS, WIDE
from explorer.labs.marginalized.result import AT, COPIES
from explorer.labs.marginalized.stories import PRESETS

STATES = [
    {},
    {"n": 2, "d": 1},
    {"n": 9, "d": 20, "bandwidth": 1.0},
    {"source": "axis", "d": 3, "sigma": 0.123},
    {"source": "normal", "d": 3, "sigma": 0.5, "first": 2.0, "others": 0.0},
    {"first": 0.0, "second": 0.5},
    {"source": "student", "df": 1.5, "d": 3, "sigma": 0.5},
    {"n": 130, "sigma": 0.0},
    {"source": "wine", "n": 40},
    {"source": "wdbc", "n": 30, "second": 1.5, "standardise": False},
]


@pytest.fixture(scope="module", params=STATES, ids=str)
def result(request):
    return MarginalizedLab(**request.param).result()


def quick(**fields):
    return MarginalizedLab(**fields).result()


def by_hand(lab):
    """The sample and the kernel of a lab, drawn through the front door."""
    law = lab.the_law()
    if law is None:
        data = load(lab.source)
        law = data.standardised() if lab.standardise else data
    X = law.sample(lab.n, lab.seed)
    return X, Gaussian(lab.bandwidth * median_bandwidth(X))


def estimators(result, kernel, row):
    """MKME and MMKME at a row of the σ-tables."""
    return MKME(kernel, float(result.mkme.deviations[row, 0])), MMKME(kernel, result.mmkme.deviations[row])


ROWS = (0, 1, 30, 45, 60, -1)


def test_losses_are_exact_distances_to_the_true_mean(result):
    X, kernel = by_hand(result.lab)
    assert np.array_equal(X, result.X)
    assert kernel == result.kernel
    if result.law is None:
        assert (result.mkme.loss, result.mmkme.loss, result.risk, result.empirical_loss) == (None,) * 4
        return
    truth = result.law.embed(kernel)
    plain = KME(kernel).embed(X).distance(truth) ** 2
    assert result.empirical_loss == pytest.approx(plain, rel=1e-11)
    for row in ROWS:
        for path, estimator in zip((result.mkme, result.mmkme), estimators(result, kernel, row), strict=True):
            # both roads subtract numbers near 1 whose difference is some 1e-3: 1e3 eps, below 1e-12
            loss = estimator.embed(X).distance(truth) ** 2 / plain
            assert path.loss[row] == pytest.approx(loss, rel=1e-11, abs=1e-12)


def test_scores_are_those_of_true_refits_counted_from_the_plain_average(result):
    X, kernel = by_hand(result.lab)
    plain, rows = KME(kernel).loocv(X), list(ROWS)
    scores = (
        MKME(kernel).loocv(X, result.mkme.deviations[rows, 0]),
        MMKME(kernel).loocv(X, result.mmkme.deviations[rows]),
    )
    for path, score in zip((result.mkme, result.mmkme), scores, strict=True):
        # n times a difference of scores that have 1e-16
        assert path.score[rows] == pytest.approx(1 + len(X) * (score / plain - 1), rel=1e-9, abs=1e-11)


def test_the_choices_are_the_library_s_own(result):
    X, kernel = by_hand(result.lab)
    assert result.mkme.deviations[-1] == pytest.approx(MKME(kernel).select(X).sigma, rel=1e-12)
    assert result.mkme.chosen == pytest.approx(MKME(kernel).select(X).sigma / result.unit, rel=1e-12)
    lab = result.lab
    if (lab.first, lab.second, lab.others) == (None, None, None):
        assert result.mmkme.deviations[-1] == pytest.approx(MMKME(kernel).select(X).sigma, rel=1e-9, abs=1e-12)
        # σ² is the mean of the variances, at every stop
        assert (result.mmkme.deviations**2).mean(axis=1) == pytest.approx((result.mmkme.sigmas * result.unit) ** 2)


def test_given_shares_hold_and_the_noise_along_them_is_the_best(result):
    lab, d = result.lab, result.X.shape[1]
    for given, where in ((lab.first, slice(0, 1)), (lab.second, slice(1, 2)), (lab.others, slice(2, d))):
        if given is not None:
            expected = np.outer(result.mmkme.sigmas * result.unit, np.full(len(range(d)[where]), given))
            assert result.mmkme.deviations[:, where] == pytest.approx(expected)
    assert (result.mmkme.score[-1] <= result.mmkme.score + 1e-9).all()
    assert (result.mkme.score[-1] <= result.mkme.score + 1e-9).all()


@pytest.mark.thorough(
    default=[
        "{'n': 2, 'd': 1}",
        "{'source': 'axis', 'd': 3, 'sigma': 0.123}",
        "{'source': 'wdbc', 'n': 30, 'second': 1.5, 'standardise': False}",
    ]
)
def test_the_expected_loss_is_the_exact_risk(result):
    if result.law is None:
        return
    kernel, n = result.kernel, result.lab.n
    plain = risk(KME(kernel), result.law, n)
    for row in ROWS:
        exact = risk(estimators(result, kernel, row)[0], result.law, n)
        assert result.risk[row] == pytest.approx(exact / plain, rel=1e-10)


def test_without_noise_it_is_the_plain_average():
    for fields in ({}, {"source": "wine", "n": 30}, {"first": 0.0, "second": 0.0}):
        result = quick(sigma=0.0, **fields)
        assert result.gain(result.mkme) == pytest.approx(0, abs=1e-13)
        assert result.gain(result.mmkme) == pytest.approx(0, abs=1e-13)
    assert result.gain(result.mmkme, -1) == pytest.approx(0, abs=1e-12)  # no share of any noise
    for picture in ("filter", "approximation", "dice"):
        result = quick(sigma=0.0, picture=picture)
        if picture == "filter":
            small = result.projected
            assert small.kept[0][np.isfinite(small.kept[0])] == pytest.approx(
                1, abs=1e-6
            )  # K⁺K, at eigenvalues down to 1e-10
            assert small.sums[0] == pytest.approx(1, abs=1e-9)
        if picture == "approximation":
            small = result.missed
            assert [small.kme[0], small.corrected[0], small.printed[0]] == pytest.approx([0, 0, 0.5], abs=1e-7)
        if picture == "dice":
            small = result.thrown
            assert small.path.max() < 1e-12
            assert not small.expected.any()


def test_a_little_noise_always_has_a_lower_risk_and_a_lower_score():
    """Erratum 12: both fall at σ = 0, also where no noise pays in the end."""
    for fields in (
        {},
        {"n": 100, "bandwidth": 1.0},
        {"source": "normal", "d": 20, "n": 400},
        {"source": "axis", "d": 3},
    ):
        result = quick(**fields)
        assert result.risk[1] < 1
        assert result.mkme.score[1] < 1
        assert result.mkme.chosen > 0


# sources, slider, refusals


def test_the_slider_has_61_stops_and_0_and_one_s_own():
    assert len(SIGMAS) == 62
    assert (SIGMAS[0], SIGMAS[1], SIGMAS[-1]) == (0, 0.01, 3)
    assert 0.06 < np.diff(np.log(SIGMAS[1:])).min() < np.diff(np.log(SIGMAS[1:])).max() < 0.14
    own = quick(sigma=0.123)
    assert own.mkme.sigmas[own.row] == 0.123
    assert len(own.mkme.sigmas) == 64
    moved, direct = quick().at(0.5), quick(sigma=0.5)
    assert moved.row == direct.row
    assert moved.gain(moved.mmkme) == direct.gain(direct.mmkme)


def test_the_useless_axis_is_noise_alone():
    law = quick(source="axis", d=3).law
    assert not law.means[:, 0].any()
    assert (law.covariances == np.diag([WIDE, NARROW, NARROW])).all()
    assert np.abs(law.means[:, 1:]).min() > 0


def test_sigma_counts_in_the_data_s_deviation():
    result = quick(sigma=0.5)
    assert result.unit == pytest.approx(np.sqrt(result.law.variances.mean()))
    table = quick(source="wine", n=50, sigma=0.5)
    assert table.unit == pytest.approx(np.sqrt(table.X.var(axis=0).mean()))
    for r in (result, table):
        assert r.mkme.deviations[r.row] == pytest.approx(0.5 * r.unit)


def test_a_larger_sample_keeps_its_points():
    small, large = quick().X, quick(n=90).X
    assert np.array_equal(large[:20], small)


def test_equal_points_have_nothing_to_gain():
    table = read_table(b"a,b\n1,2\n1,2\n1,2\n", name="same.csv")
    lab = MarginalizedLab(source="file", n=3, file="same.csv", rows=3, hash=table.hash, standardise=False)
    lab.table = table
    result = lab.result()
    assert (result.mkme.score == 1).all()
    assert (result.mmkme.score == 1).all()
    assert "coincide" in result.remark


@pytest.mark.parametrize(
    ("fields", "said"),
    [
        ({"source": "axis", "d": 1}, "take d of at least 2"),
        ({"picture": "dice", "n": 401}, "n may be at most 400"),
        ({"n": 1}, "n"),
        ({"n": 1001}, "at most 1000"),
        ({"sigma": -0.1}, "sigma"),
        ({"sigma": 1001.0}, "at most 1000"),
        ({"first": -1.0}, "first"),
        ({"source": "iris"}, "source"),
        ({"picture": "moon"}, "picture"),
        ({"bandwidth": 0.0}, "bandwidth"),
    ],
    ids=str,
)
def test_what_cannot_be_is_a_sentence(fields, said):
    with pytest.raises(ValueError, match=said):
        MarginalizedLab(**fields)


def test_a_table_of_ones_own_is_asked_for():
    with pytest.raises(ValueError, match="own"):
        quick(source="file")
    with pytest.raises(ValueError, match="178"):
        quick(source="wine", n=179)


def test_large_samples_do_not_hold_up_the_loop():
    assert MarginalizedLab(n=120).quick
    assert not MarginalizedLab(n=400).quick
    assert not MarginalizedLab(n=120, picture="dice").quick


# small pictures


def test_the_slices_are_expectations_of_the_kernel():
    result = quick(source="axis", d=3)
    small, origin = result.slices, np.zeros((1, 3))
    assert np.array_equal(small.at, AT)
    for axis in (0, 1):
        points = np.zeros((len(AT), 3))
        points[:, axis] = AT * result.kernel.bandwidth
        for row in (0, 40, -1):
            e, f = np.diag(result.mkme.deviations[row] ** 2), np.diag(result.mmkme.deviations[row] ** 2)
            assert small.one[row] == pytest.approx(result.kernel.expected(origin, None, points, e)[0], rel=1e-12)
            assert small.both[row] == pytest.approx(result.kernel.expected(origin, e, points, e)[0], rel=1e-12)
            own = (small.first, small.second)[axis]
            assert own[row] == pytest.approx(result.kernel.expected(origin, None, points, f)[0], rel=1e-12)
    assert quick(d=1).slices.second is None


def test_the_projection_and_its_misses_are_the_library_s():
    for fields in ({"bandwidth": 1.0}, {"source": "wine", "n": 30}):
        result, filtered = quick(picture="approximation", **fields), quick(picture="filter", **fields).projected
        for row in (20, 40, -1):
            own = approximations(MKME(result.kernel, float(result.mkme.deviations[row, 0])), result.X)
            length = own.estimate.norm()
            for name in ("KME", "projection", "corrected", "printed"):
                # squares of 1e-4 are differences of numbers near 1
                assert getattr(result.missed, name.lower())[row] == pytest.approx(
                    own.missed[name] / length, rel=1e-4, abs=1e-7
                )
            assert filtered.sums[row] == pytest.approx(own.projection.weights.sum(), rel=1e-8)
        K = result.kernel(result.X)
        gamma, U = np.linalg.eigh(K)
        assert filtered.eigenvalues == pytest.approx(gamma, abs=1e-12)
        assert (filtered.coefficients**2).sum() == pytest.approx(1)
        kept = np.where(np.isfinite(filtered.kept[-1]), filtered.kept[-1], 0.0)
        beta = U @ (kept * U.sum(axis=0)) / len(K)
        assert K @ beta == pytest.approx(K @ own.projection.weights, abs=1e-7)  # whatever the signs of eigenvectors


def test_the_dice_s_path_is_that_of_plain_averages():
    result = quick(picture="dice", n=6, d=3, dice=4)
    small, sigma = result.thrown, float(result.mkme.deviations[-1, 0])
    many = corrupted(result.X, sigma, COPIES, rng=4).reshape(6, COPIES, 3)
    closed = MKME(result.kernel, sigma).embed(result.X)
    for m in (1, 2, 7, COPIES):
        assert np.array_equal(small.points[m - 1], many[:, m - 1])
        far = KME(result.kernel).embed(many[:, :m].reshape(-1, 3)).distance(closed) ** 2
        assert small.path[m - 1] == pytest.approx(far / result.empirical_loss, rel=1e-9)


def test_the_expected_path_is_the_mean_of_many_throws():
    lab = MarginalizedLab(picture="dice", n=5)
    results = []
    for seed in range(60):
        lab.dice = seed
        results.append(lab.result())
    paths = np.array([r.thrown.path for r in results])
    error = paths.std(axis=0) / np.sqrt(len(paths))
    for m in (0, 3, 49):  # 4 standard errors: once in 16,000 times by chance
        assert abs(paths[:, m].mean() - results[0].thrown.expected[m]) < 4 * error[m]
    assert results[0].thrown.expected[0] == pytest.approx(50 * results[0].thrown.expected[49])


def test_only_the_seen_picture_is_computed():
    stages = {"kernel": "slices", "filter": "projected", "approximation": "missed", "dice": "thrown"}
    for picture in stages:
        result = quick(picture=picture)
        assert [name for name, stage in stages.items() if getattr(result, stage) is not None] == [picture]
        assert (result.projection is not None) == (picture in ("filter", "approximation"))


# more samples


def test_more_samples_are_what_their_seeds_show():
    lab = MarginalizedLab(samples=4, sigma=0.123, picture="dice", n=8)
    others = lab.result(wait=True).replicates
    for i in (0, 3):
        alone = quick(seed=lab.seed + 1 + i, sigma=0.123, n=8)
        assert np.array_equal(others.losses["mkme"][i], alone.mkme.loss)
        assert np.array_equal(others.losses["mmkme"][i], alone.mmkme.loss)
        assert others.empirical[i] == alone.empirical_loss
    lab.move(sigma=None)
    assert lab.result().replicates is None  # 0.123 had a row of its own
    assert lab.work().finish("replicates", lambda: True) is None
    assert lab.result().pending() == ("replicates",)
    assert MarginalizedLab(source="wine", samples=4).result().pending() == ()
    assert quick().pending() == ()


# presets


@pytest.mark.thorough
@pytest.mark.parametrize("preset", PRESETS, ids=lambda p: p.name)
def test_a_preset_is_no_lucky_seed(preset):
    """In the median of five other samples the promise holds too."""
    effects = [quick(**{**preset.fields, "seed": seed}).effects[preset.effect] for seed in range(20, 25)]
    assert preset.at_least <= np.median(effects) <= preset.at_most


def test_some_presets_have_the_methods_lose():
    results = {preset.name: quick(**preset.fields) for preset in PRESETS}
    noisy = results["Too much noise"]
    assert max(noisy.gain(noisy.mkme), noisy.gain(noisy.mmkme)) < 0
    loser = results["One σ too many"]
    assert loser.gain(loser.mmkme) < loser.gain(loser.mkme)
    assert len(results) == len(PRESETS) >= 8
