"""The Marginalized lab: its numbers computed in a second way, what it refuses, its presets and its texts.

The second way is the library's estimators, exact distances, and throws of the dice.
"""

import re

import numpy as np
import pytest
from every_lab import at_step
from helpers.lab_pictures import descriptions
from helpers.naming import naming

from explorer import KME, MKME, MMKME, Gaussian, load, median_bandwidth, mmd2, risk
from explorer.checks import Refusal
from explorer.datasets import read_table
from explorer.estimators.marginalized.noise import corrupted
from explorer.estimators.marginalized.weights import approximations
from explorer.labs.marginalized import MarginalizedLab
from explorer.labs.marginalized import result as shown
from explorer.labs.marginalized.lab import SIGMAS
from explorer.labs.marginalized.result import AT, COPIES
from explorer.labs.marginalized.script import numbers
from explorer.labs.marginalized.words import (
    TOLD,
    average,
    best_sigma,
    caption,
    headline,
    noise_words,
    plain_bandwidth,
    story_values,
)
from explorer.workbench.content import content_of
from explorer.workbench.numbers import compared, format_number, percent
from explorer.workbench.replicates import Replicates

PRESETS = content_of("marginalized").presets
STORIES = content_of("marginalized").stories

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
    """Return the sample and the kernel of a lab, made with the library's public functions."""
    table = load(lab.source) if lab.source in ("wine", "wdbc") else None
    X = (lab.the_law() or (table.standardised() if lab.standardise else table)).sample(lab.n, lab.seed)
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
            # both methods subtract numbers near 1 whose difference is some 1e-3: 1e3 eps, below 1e-12
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
        assert (path.score[-1] <= path.score + 1e-9).all()


def test_the_noise_is_the_library_s_choice_or_as_given_in_the_data_s_deviation(result):
    X, kernel = by_hand(result.lab)
    lab, mkme, mmkme, d = result.lab, result.mkme, result.mmkme, X.shape[1]
    if lab.source != "student":  # which may have no variance
        assert result.unit**2 == pytest.approx((result.law.variances if result.law else X.var(axis=0)).mean())
    assert mkme.deviations[:, 0] == pytest.approx(mkme.sigmas * result.unit, rel=1e-14)
    assert mkme.deviations[-1] == pytest.approx(MKME(kernel).select(X).sigma, rel=1e-12)
    amounts = mmkme.sigmas * result.unit
    if (lab.first, lab.second, lab.others) == (None, None, None):
        assert mmkme.deviations[-1] == pytest.approx(MMKME(kernel).select(X).sigma, rel=1e-9, abs=1e-12)
        # σ² is the mean of the variances, at every stop
        assert (mmkme.deviations**2).mean(axis=1) == pytest.approx(amounts**2)
    for given, where in ((lab.first, slice(0, 1)), (lab.second, slice(1, 2)), (lab.others, slice(2, d))):
        if given is not None:
            assert mmkme.deviations[:, where] == pytest.approx(np.outer(amounts, [given] * len(range(d)[where])))


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


def test_a_little_noise_always_has_a_lower_risk_and_a_lower_score():
    """Erratum 12: both fall at σ = 0, even if no noise helps in the end."""
    for fields in ({"n": 100, "bandwidth": 1.0}, {"source": "normal", "d": 20, "n": 400}, {"source": "axis", "d": 3}):
        result = quick(**fields)
        assert max(result.risk[1], result.mkme.score[1]) < 1
        assert result.mkme.chosen > 0


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


# small pictures


def test_only_the_seen_picture_is_computed_and_without_noise_it_shows_the_plain_average():
    stages = {"kernel": "slices", "filter": "projected", "approximation": "missed", "dice": "thrown"}
    results = {picture: quick(sigma=0.0, picture=picture) for picture in stages}
    for picture, result in results.items():
        assert [name for name, stage in stages.items() if getattr(result, stage) is not None] == [picture]
        assert (result.projection is not None) == (picture in ("filter", "approximation"))
    filtered, missed, thrown = (getattr(results[name], stages[name]) for name in list(stages)[1:])
    kept = filtered.kept[0]
    assert kept[np.isfinite(kept)] == pytest.approx(1, abs=1e-6)  # K⁺K, at eigenvalues down to 1e-10
    assert filtered.sums[0] == pytest.approx(1, abs=1e-9)
    assert [missed.kme[0], missed.corrected[0], missed.printed[0]] == pytest.approx([0, 0, 0.5], abs=1e-7)
    assert thrown.path.max() < 1e-12
    assert not thrown.expected.any()


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
    assert quick(source="wine", samples=4).pending() == quick().pending() == ()


# refusals


@pytest.mark.parametrize(
    ("fields", "said"),
    [
        ({"source": "axis", "d": 1}, naming("d", 2)),
        ({"picture": "dice", "n": 401}, naming("n", 400, 401)),
        ({"n": 1}, "n"),
        ({"n": 1001}, naming("MarginalizedLab.n", 1000)),
        ({"sigma": -0.1}, "sigma"),
        ({"sigma": 1001.0}, naming(1000)),
        ({"first": -1.0}, "first"),
        ({"bandwidth": 0.0}, "bandwidth"),
        ({"source": "file"}, "own"),
        ({"source": "wine", "n": 179}, "178"),
    ],
    ids=str,
)
def test_what_cannot_be_is_a_sentence(fields, said):
    with pytest.raises(Refusal, match=said):
        quick(**fields)


def test_equal_points_have_nothing_to_gain():
    table = read_table(b"a,b\n1,2\n1,2\n1,2\n", name="same.csv")
    lab = MarginalizedLab(source="file", n=3, file="same.csv", rows=3, hash=table.hash, standardise=False)
    lab.table = table
    result = lab.result()
    assert (result.mkme.score == 1).all()
    assert (result.mmkme.score == 1).all()
    assert "coincide" in result.remark


# presets and stories


@pytest.mark.thorough
@pytest.mark.parametrize("preset", PRESETS, ids=lambda p: p.name)
def test_a_preset_is_no_lucky_seed(preset):
    """In the median of five other samples the promise holds too."""
    effects = [quick(**{**preset.fields, "seed": seed}).effects[preset.effect] for seed in range(20, 25)]
    assert preset.at_least <= np.median(effects) <= preset.at_most


@pytest.mark.thorough
def test_a_second_sigma_loses_on_average_where_all_directions_are_alike():
    """The story and a preset claim this of MMKME.

    Its mean gain beyond MKME's over 60 samples is 4 standard errors below 0.
    """
    fields = STORIES[1].steps[2].fields
    beyond = np.array([quick(seed=seed, **fields).beyond for seed in range(100, 160)])
    assert beyond.mean() < -4 * beyond.std() / np.sqrt(len(beyond))


def test_a_number_of_a_picture_that_is_not_shown_names_the_picture():
    known = story_values(at_step("marginalized", "dice", 0))
    assert known["sum"] == "[see filter]"
    assert {word for words in TOLD.values() for word in words} <= set(known)


# words and tables


def plain(html):
    return " ".join(re.sub("<[^>]*>", " ", html).split())


SAID = [{}, {"sigma": 0.0}, {"sigma": 1.5, "bandwidth": 1.0}, {"source": "axis", "d": 5, "n": 30}]


@pytest.mark.parametrize("fields", [*SAID, {"source": "wine", "n": 40}], ids=str)
def test_the_headline_says_the_results_numbers(fields):
    result = quick(**fields)
    last = len(result.mkme.sigmas) - 1
    for row in (0, 20, 45, last):
        says, trust = map(plain, headline(result, row).split("</div><div"))
        error = "squared error" if result.law else "estimated squared error"
        mkme, mmkme = (compared(result.gain(path, row), error) for path in (result.mkme, result.mmkme))
        assert f"{mkme.error} {mkme.joint} the plain average ( MKME ) and {mmkme.share} ( MMKME )" in says
        assert ("σ is chosen by leave-one-out. " in trust) == (row == last)
        if result.law is None:
            assert "wine" in trust
        else:
            share = compared(average(result, row)).share
            assert f"MKME with σ = {format_number(result.mkme.sigmas[row])} sd has {share} squared error." in trust
    if result.law is not None:
        best = f"{format_number(best_sigma(result))} sd", percent(1 - result.risk.min())
        assert re.search(naming("MKME", *best), plain(caption(result)))


def test_mmkme_s_noise_is_listed_where_it_is_short():
    for fields, listed in (({"d": 1}, "{}"), ({"d": 2}, "{} and {}"), ({"source": "axis", "d": 3}, "{}, {} and {}")):
        result = quick(**fields)
        noise = [format_number(float(v)) for v in result.mmkme.deviations[-1] / result.unit]
        assert noise_words(result, -1) == listed.format(*noise)
    assert " to " in noise_words(quick(d=4), -1)


def test_wins_are_counted_and_luck_has_a_badge(monkeypatch):
    def among(losses):
        monkeypatch.setattr(shown, "repeat", lambda *args, **options: Replicates(np.ones(3), losses))
        return MarginalizedLab(samples=3, sigma=0.5).result(wait=True)

    losses = {"mkme": np.tile([[0.5], [0.9], [1.2]], 63), "mmkme": np.tile([[0.6], [0.8], [1.1]], 63)}
    result = among(losses)
    text = plain(headline(result, result.row))
    assert "3 more samples" in text
    assert text.count("in 2") == 3
    averages = "MKME has 13 % less squared error than the plain average, MMKME 17 % less ."
    assert f"Averaged over 3 more samples, {averages}" in plain(caption(result))
    assert "inside the noise" not in text
    losses["mkme"] = losses["mmkme"] = np.tile([[1.0], [0.9], [1.2]], 63)
    assert "inside the noise" in headline(among(losses), 0)


def test_the_bandwidth_in_the_caption_gives_the_same_statistic_up_to_a_factor():
    """The caption claims this of tests.

    MKME's MMD² is the plain one at √(θ² + 2σ²) times a constant, so p-values are equal.
    """
    result, rng = quick(bandwidth=1.0), np.random.default_rng(0)
    sigma, theta = float(result.mkme.deviations[-1, 0]), result.kernel.bandwidth
    seen = plain_bandwidth(result, -1)
    ratios = []
    for _ in range(3):
        X, Y = rng.normal(0, 5, (12, 2)), rng.normal(2, 5, (15, 2))
        noisy = mmd2(X, Y, result.kernel, estimator=MKME(sigma=sigma))
        ratios.append(noisy / mmd2(X, Y, Gaussian(seen)))
    assert ratios == pytest.approx([(theta / seen) ** 2] * 3, rel=1e-9)  # d = 2: (θ²/(θ² + 2σ²))^(d/2)
    assert f"<b>{format_number(seen)}</b>" in caption(result)


@pytest.mark.parametrize("picture", ["kernel", "filter", "approximation", "dice"])
def test_each_picture_has_its_sentence_and_its_table(picture):
    result = quick(picture=picture)
    found, curves = numbers(result), numbers(result)["curves"]
    assert len(descriptions(result)) == 3
    assert list(found) == ["curves", "sample", "noise", picture]
    for name, path in (("mkme", result.mkme), ("mmkme", result.mmkme)):
        assert curves[f"{name}_loocv"].tolist() == path.score[:-1].tolist()
        assert curves[f"{name}_loss"].tolist() == path.loss[:-1].tolist()
        assert found["noise"][f"{name}_sigma"].tolist() == path.deviations[result.row].tolist()
        assert result.measures[f"σ by leave-one-out, {name.upper()}, data sd"] == path.chosen
