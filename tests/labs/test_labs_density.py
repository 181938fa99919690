"""The Density lab: its numbers by other ways, what it refuses, blobs moved by hand, and rows that are held out."""

from __future__ import annotations

import json
import math
import re
from html import unescape
from urllib.parse import parse_qsl

import numpy as np
import pytest
from every_lab import lab_of
from helpers.lab_pictures import legend_keys
from helpers.naming import naming, one_sentence_names
from scipy.special import logsumexp

from explorer import (
    KME,
    SKMSE,
    Gaussian,
    GaussianMixture,
    MaximumEntropy,
    MixtureDensity,
    StudentT,
    ksdagg_test,
    load,
    read_table,
)
from explorer.checks import Refusal
from explorer.labs.density import DensityLab
from explorer.labs.density.course import held_seed
from explorer.labs.density.entropy import MULTIPLES
from explorer.labs.density.lab import (
    BY_HAND,
    ESTIMATORS,
    FROM_K_MEANS,
    K_MEANS,
    LAST,
    LEFT,
    ROLES,
    STARTS,
    STEPS,
)
from explorer.labs.density.result import SAMPLES
from explorer.labs.density.words import caption, headline
from explorer.workbench import registry
from explorer.workbench.content import content_of
from explorer.workbench.numbers import format_number, percent
from explorer.workbench.prose import still
from explorer.workbench.user_points import all_moved

pytestmark = pytest.mark.thorough  # what every lab must do is the table of labs'

SMALL = {"n": 20, "blobs": 2}
STATES = {
    "plane": {},
    "line": {"d": 1, "n": 30, "estimator": "S-KMSE", "iteration": 10},
    "tails": {"source": "student", "df": 1.5, "estimator": "MMKME", "n": 25},
    "wine": {"source": "wine", "n": 80, "blobs": 6, "iteration": 3},
}


@pytest.fixture(scope="module")
def results():
    return {name: lab_of("density", **fields).result() for name, fields in STATES.items()}


@pytest.fixture(params=STATES)
def result(request, results):
    return results[request.param]


def by_hand(weights, means, variances, Z):
    """Return log densities at Z of spherical Gaussians, written out."""
    d = Z.shape[1]
    squares = ((Z[:, None] - means) ** 2).sum(axis=2)
    return logsumexp(np.log(weights) - 0.5 * d * np.log(2 * np.pi * variances) - 0.5 * squares / variances, axis=1)


# the fit


def test_the_fit_is_that_of_the_front_door(result):
    lab, kernel = result.lab, result.kernel
    assert kernel.bandwidth == pytest.approx(lab.bandwidth * Gaussian().select(result.X).bandwidth, rel=1e-12)
    start = MixtureDensity(Gaussian(1.0), n_components=lab.blobs, rng=lab.seed, starts=STARTS, iterations=0)
    fit = MixtureDensity(kernel, ESTIMATORS[lab.estimator](), n_components=lab.blobs, iterations=LAST)
    fit.fit(result.X, start.fit(result.X).start_)
    np.testing.assert_array_equal(fit.history_, result.fit.history_)
    # a fit of as few steps is the beginning of a longer one
    few = MixtureDensity(kernel, ESTIMATORS[lab.estimator](), n_components=lab.blobs, iterations=lab.iteration)
    few.fit(result.X, result.start)
    np.testing.assert_allclose(few.mixture_.means, result.mixture.means, rtol=1e-9)


def test_the_negative_log_likelihood_is_that_of_the_blobs_written_out(result):
    path, Z = result.path, result.held_out
    for row in (0, len(result.stops) // 2, len(result.stops) - 1):
        logs = by_hand(path.weights[row], path.means[row], path.variances[row], Z)
        assert result.nll[row] == pytest.approx(-logs.mean(), rel=1e-10)
        gains = logs - by_hand(path.weights[0], path.means[0], path.variances[0], Z)
        assert result.gain(row) == pytest.approx(gains.mean(), abs=1e-9)
        assert result.doubt[row] == pytest.approx(gains.std() / math.sqrt(len(Z)), abs=1e-9)


def test_the_distance_is_the_objective_written_out(results):
    """π'Gπ - 2π'h + |μ̂|² of the plain average, by loops over blobs."""
    result = results["plane"]
    theta, X, d = result.kernel.bandwidth**2, result.X, 2
    pi, M, s = (getattr(result.path, name)[-1] for name in ("weights", "means", "variances"))

    def k(squares, v):
        return (theta / (theta + v)) ** (d / 2) * np.exp(-0.5 * squares / (theta + v))

    total = np.mean([k(((x - X) ** 2).sum(axis=1), 0.0).mean() for x in X])
    for j in range(len(pi)):
        total -= 2 * pi[j] * k(((X - M[j]) ** 2).sum(axis=1), s[j]).mean()
        total += sum(pi[j] * pi[i] * k(((M[i] - M[j]) ** 2).sum(), s[i] + s[j]) for i in range(len(pi)))
    assert result.away == pytest.approx(math.sqrt(total), rel=1e-8)  # J is 1e-4 of what cancels in it
    law = result.law.embed(result.kernel)
    assert result.true_distance == pytest.approx(law.distance(result.mixture.embed(result.kernel)), rel=1e-12)


def test_the_distance_falls_and_a_fit_that_has_ended_stays(result):
    assert (np.diff(result.distance) <= 1e-9).all()
    assert result.steps[0] == 0
    if result.ended is not None:
        assert result.steps[-1] == result.ended < LAST
    else:
        assert result.steps[-1] == LAST


def test_the_density_has_the_mass_of_its_places(results):
    line, plane = results["line"], results["plane"]
    step = np.diff(line.places[:, 0])[0]
    assert line.density[-1].sum() * step == pytest.approx(1.0, abs=0.05)  # some of it lies beyond the frame
    x, y = plane.axes
    assert plane.density[-1].sum() * (x[1] - x[0]) * (y[1] - y[0]) == pytest.approx(1.0, abs=0.05)
    middle = np.array([[x[3], y[5]]])
    assert plane.density[-1][5 * len(x) + 3] == pytest.approx(np.exp(plane.mixture.logpdf(middle))[0], rel=1e-12)
    np.testing.assert_allclose(plane.true_density[5 * len(x) + 3], np.exp(plane.law.logpdf(middle))[0], rtol=1e-12)


def test_more_steps_may_be_asked_for():
    longer = DensityLab(iteration=333, **SMALL).result()
    assert longer.stops == (*STEPS, 333)
    assert longer.steps[-1] == min(333, len(longer.fit.path_) - 1)
    assert longer.row == len(longer.stops) - 1
    assert DensityLab(**SMALL).result().away >= longer.away


# the points held out


def test_a_distribution_is_drawn_from_once_more(results):
    plane, tails = results["plane"], results["tails"]
    assert len(plane.held_out) == 1000
    law = GaussianMixture.random(2, rng=plane.lab.law_seed)
    np.testing.assert_array_equal(plane.X, law.sample(60, rng=plane.lab.seed))
    assert not np.isin(plane.held_out[:, 0], plane.X[:, 0]).any()
    assert isinstance(tails.law, StudentT)
    last = DensityLab(seed=2**32 - 1, **SMALL).result()  # the seed of its points goes round
    assert last.held_out.shape == (1000, 2)


def test_rows_of_a_table_are_held_out(results):
    result, wine = results["wine"], load("wine").standardised()
    columns = wine.X[:, [wine.names.index(name) for name in ("flavanoids", "color_intensity")]]
    both = np.concatenate([result.X, result.held_out])
    assert (len(result.X), len(result.held_out)) == (80, wine.n - 80)
    np.testing.assert_array_equal(both[np.lexsort(both.T)], columns[np.lexsort(columns.T)])
    assert result.law is result.true_density is result.true_distance is None


OWN = b"a,b,c\n" + b"".join(b"%d,%d,%d\n" % (i, i * i % 17, -i) for i in range(40))


def lab_of_file(raw=OWN, **fields):
    table = read_table(raw, name="t.csv", standardise=True)
    lab = DensityLab(source="file", file="t.csv", rows=table.n, hash=table.hash, **{"n": 20, "blobs": 3, **fields})
    lab.table = table
    return lab


def test_a_table_of_ones_own():
    result = lab_of_file().result()
    assert result.names == ("a", "b")
    assert (len(result.X), len(result.held_out)) == (20, 20)
    assert lab_of_file(d=1).result().names == ("a",)
    lab = lab_of_file()
    assert lab.fitting() == {"n": 20, "d": 2, "blobs": 3}
    assert lab_of_file(n=100).fitting()["n"] == 40 - LEFT


@pytest.mark.parametrize(
    ("raw", "fields", "parts"),
    [
        (OWN, {"n": 31}, ("n", 31, 10, 40, 30)),
        (b"a,b\n" + b"1,2\n" * 4 + b"3,5\n" * 8, {"n": 5}, ("n", 5, "table")),
        (b"a\n" + b"".join(b"%d\n" % i for i in range(30)), {}, ("d", 2, 1)),
    ],
)
def test_a_table_that_is_too_small_is_a_sentence(raw, fields, parts):
    with pytest.raises(Refusal, match=naming(*parts)):
        lab_of_file(raw, **fields).result()


def test_what_cannot_be_is_a_sentence():
    with pytest.raises(Refusal, match=naming("components", 8, "n", 5)):
        DensityLab(n=5, blobs=8)
    with pytest.raises(Refusal, match=naming("moved", "'[1]'")):
        DensityLab(moved="[1]")
    with pytest.raises(Refusal, match=naming("eps", "out of reach")):
        DensityLab(picture="entropy", d=1, bandwidth=0.02, eps=1e-4, n=50).result()
    with pytest.raises(Refusal, match=naming("DensityLab.d", 2)):
        DensityLab(d=3)


@pytest.mark.parametrize("scale", [1e-8, 1e8])
def test_units_change_distances_not_and_the_likelihood_by_their_logarithm(scale):
    rng = np.random.default_rng(0)
    Z = rng.normal(size=(40, 2)).round(6)
    raw, scaled = ("a,b\n" + "".join(f"{a:.17g},{b:.17g}\n" for a, b in Z * s) for s in (1.0, scale))
    one, other = (lab_of_file(each.encode(), standardise=False) for each in (raw, scaled))
    for lab, text in ((one, raw), (other, scaled)):
        lab.table = read_table(text.encode(), name="t.csv", standardise=False)
    one, other = one.replace(hash=one.table.hash).result(), other.replace(hash=other.table.hash).result()
    # two fits that round apart end within the optimiser's precision of one another
    assert other.away == pytest.approx(one.away, rel=1e-4)
    assert other.held_nll == pytest.approx(one.held_nll + 2 * math.log(scale), abs=1e-2)


def test_a_constant_column_and_ties_have_a_density():
    lines = "".join(f"{i % 4},7\n" for i in range(40))
    result = lab_of_file(("a,b\n" + lines).encode(), picture="entropy", eps=4.0).result()
    assert np.isfinite(result.nll).all()
    assert result.even.distance_ <= result.even.eps


# blobs moved by hand


def test_a_blob_moved_by_hand_is_elsewhere_at_every_step(results):
    fit = results["plane"]
    hand = fit.lab.replace(moved='{"1":[3,-2],"8":[0,0]}').result()  # the ninth waits
    np.testing.assert_array_equal(hand.path.means[:, 1], np.tile([3.0, -2.0], (len(hand.stops), 1)))
    np.testing.assert_array_equal(np.delete(hand.path.means, 1, 1), np.delete(fit.path.means, 1, 1))
    np.testing.assert_array_equal(hand.path.weights, fit.path.weights)
    assert hand.away > fit.away
    assert hand.away == pytest.approx(hand.fit.embedding_.distance(hand.mixture.embed(hand.kernel)), rel=1e-12)
    times = hand.away / fit.away
    assert f"{times:.2g} times" in headline(hand)
    assert re.search(naming("one component"), headline(hand))
    assert hand.lab.values()["moved"]
    hand.lab.move(seed=9)
    assert hand.lab.moved == ""  # it names blobs of another sample


HAND = {"moved": '{"0":[1,1],"2":[-2.5,3],"8":[0,0]}', "begin": BY_HAND}


def test_a_fit_begins_at_the_blobs_of_the_hand(results):
    """The fit starts at the given centres with k-means' weights and widths, its rival at k-means itself."""
    plain = results["plane"]
    result = plain.lab.replace(**HAND).result()
    means = plain.start.means.copy()
    means[0], means[2] = [1, 1], [-2.5, 3]
    start = GaussianMixture(plain.start.weights, means, plain.start.covariances)
    assert result.start == start
    np.testing.assert_allclose(result.path.means[0], means, rtol=1e-12)
    fit = MixtureDensity(result.kernel, n_components=4, iterations=LAST).fit(result.X, start)
    np.testing.assert_array_equal(result.fit.history_, fit.history_)
    np.testing.assert_array_equal(result.path.means[-1], fit.mixture_.means)
    np.testing.assert_array_equal(result.rival.history_, plain.fit.history_)
    np.testing.assert_array_equal(result.rival_course.distance, plain.distance)
    np.testing.assert_allclose(result.rival_course.nll, plain.nll, rtol=1e-12)
    logs = [-by_hand(r.path.weights[-1], r.path.means[-1], r.path.variances[-1], r.held_out) for r in (result, plain)]
    assert result.doubt[-1] == pytest.approx((logs[0] - logs[1]).std() / math.sqrt(1000), rel=1e-6)
    assert plain.rival is plain.rival_course is plain.effect_begun is None
    assert result.effect_begun == result.distance[-1] / plain.distance[-1]


def test_every_estimators_fit_begins_at_the_same_blobs():
    lab = DensityLab(**SMALL, moved='{"0":[1,1]}', begin=BY_HAND)
    result = lab.result(wait=True)
    for name, course in result.courses.items():
        alone = lab.replace(estimator=name).result()
        np.testing.assert_array_equal(alone.start.means, result.start.means)
        np.testing.assert_array_equal(course.distance, alone.distance)
    assert list(result.known_courses) == [*ESTIMATORS, FROM_K_MEANS]
    # more samples have blobs of their own
    one = DensityLab(n=10, blobs=2, moved='{"0":[1,1]}', begin=BY_HAND, picture="samples").work()
    other = one.elsewhere(seed=2, moved="", begin=K_MEANS, picture="blobs")
    assert other.rival is None


def test_without_a_moved_blob_a_fit_by_hand_is_that_from_k_means(results):
    for moved in ("", '{"7":[0,0]}'):
        result = results["plane"].lab.replace(moved=moved, begin=BY_HAND).result()
        assert result.rival is None
        np.testing.assert_array_equal(result.fit.history_, results["plane"].fit.history_)
        assert headline(result) == headline(results["plane"])


def test_another_sample_forgets_the_start():
    lab = DensityLab(**HAND)
    lab.move(bandwidth=1.0, estimator="MKME", iteration=3)
    assert (lab.begin, lab.moved) == (BY_HAND, HAND["moved"])
    lab.move(blobs=3)
    assert (lab.begin, lab.moved) == (K_MEANS, "")


def test_the_headline_says_which_start_is_better():
    worse = DensityLab(**content_of("density").presets[5].fields).result()
    said = re.sub("<.*?>", "", headline(worse))
    near = [f"{float(f'{d:.3g}'):g}" for d in (worse.distance[-1], worse.rival_course.distance[-1])]
    assert re.search(naming("100 steps", f"{near[0]} from your centres", f"{near[1]} from k-means"), said)
    assert one_sentence_names(said, "k-means", "better")
    assert "inside the noise" not in said
    assert one_sentence_names(headline(worse, 0), "Your centres", "RKHS distance")
    better = DensityLab(seed=2, begin=BY_HAND, moved=worse.lab.moved).result()
    assert better.away < 0.9 * better.rival_course.distance[-1]
    assert one_sentence_names(headline(better), "your start", "better")
    same = DensityLab(begin=BY_HAND, moved=all_moved(better.k_means.means), seed=2).result()
    assert "equally close" in headline(same)
    assert one_sentence_names(caption(better), "Every fit", "your centres")


# deferred stages


def test_the_courses_are_those_of_labs_of_these_estimators():
    lab = DensityLab(**SMALL)
    courses = lab.result(wait=True).courses
    assert list(courses) == list(ESTIMATORS) == list(ROLES)
    for name, course in courses.items():
        alone = lab.replace(estimator=name).result()
        np.testing.assert_allclose(course.nll, alone.nll, rtol=1e-10)
        np.testing.assert_array_equal(course.distance, alone.distance)
        if name != "KME":
            assert alone.plain_nll == pytest.approx(courses["KME"].nll[-1], rel=1e-10)
            assert alone.effect_plain == pytest.approx(courses["KME"].nll[-1] - course.nll[-1], rel=1e-8, abs=1e-10)


@pytest.mark.thorough
def test_more_samples_are_those_of_the_seeds_that_follow():
    lab = DensityLab(n=10, blobs=2, picture="samples", estimator="MKME")
    endings = lab.result(wait=True).endings
    assert {len(values) for values in (endings.start, *endings.ends.values())} == {SAMPLES}
    for i in (0, 3):
        there = DensityLab(n=10, blobs=2, estimator="MKME", seed=lab.seed + 1 + i).result()
        assert endings.start[i] == pytest.approx(there.start_nll, rel=1e-12)
        assert endings.ends["MKME"][i] == pytest.approx(there.nll[-1], rel=1e-10)
        over_start, over_plain = endings.differences("MKME")
        assert over_start[i] == pytest.approx(there.gain(), abs=1e-9)
        assert over_plain[i] == pytest.approx(there.effect_plain, abs=1e-9)
    assert (endings.differences("KME")[1] == 0).all()


def test_a_late_stage_ends_where_it_is_told_to():
    work = DensityLab(**SMALL).work()
    assert work.finish("courses", lambda: True) is None
    assert DensityLab(picture="samples", **SMALL).work().finish("endings", lambda: True) is None
    assert DensityLab(picture="entropy", d=1, **SMALL).work().finish("over_eps", lambda: True) is None


# maximum entropy


@pytest.mark.thorough
def test_epsilon_counts_in_the_error_of_the_plain_average():
    """(1 - |μ̂|²) / (n - 1) is the mean of |k(x_i,.) - k(x_j,.)|² / 2 over pairs i != j, over n."""
    result = DensityLab(picture="entropy", d=1, n=20).result()
    K, n = result.kernel(result.X), 20
    squares = (np.diag(K)[:, None] + np.diag(K) - 2 * K).sum() / 2 / (n * (n - 1))
    assert result.error == pytest.approx(math.sqrt(squares / n), rel=1e-10)
    law = result.law.embed(result.kernel)
    drawn = [KME(result.kernel).embed(result.law.sample(n, rng=s)).distance(law) ** 2 for s in range(300)]
    # one sample's estimate of the mean of these: within a third
    assert result.error**2 == pytest.approx(np.mean(drawn), rel=0.33)


@pytest.mark.thorough
def test_a_gain_of_the_most_even_density_within_its_error_is_no_gain():
    verdicts = []
    for eps in (0.1, 1.0):
        result = DensityLab(picture="entropy", d=1, n=30, eps=eps).result()
        gains = result.even_logs - result.logs[-1]
        doubt = gains.std() / math.sqrt(len(gains))
        verdicts.append(abs(gains.mean()) < 2 * doubt)
        assert ("within the noise" in headline(result)) == verdicts[-1]
    assert any(verdicts)
    assert not all(verdicts)


@pytest.mark.parametrize("fields", [{"d": 1, "n": 20, "eps": 0.5}, {"n": 30, "bandwidth": 1.0, "estimator": "S-KMSE"}])
def test_the_most_even_density_is_the_library_s(fields):
    result = DensityLab(picture="entropy", **fields).result(wait=True)
    lab, even = result.lab, result.even
    estimator = SKMSE() if lab.estimator == "S-KMSE" else None
    again = MaximumEntropy(result.kernel, lab.eps * result.error, estimator).fit(result.X, result.grid)
    assert again.entropy_ == result.entropy
    assert even.density_.sum() * even.cell_ == pytest.approx(1.0, rel=1e-12)
    assert even.distance_ <= lab.eps * result.error
    assert result.even_nll == pytest.approx(-np.mean(even.logpdf(result.held_out)), rel=1e-12)
    one = MULTIPLES.index(1.0)
    same = result if lab.eps == 1.0 else lab.replace(eps=1.0).result()
    assert result.over_eps.entropy[one] == pytest.approx(same.entropy, rel=1e-10)
    there = ~np.isnan(result.over_eps.entropy)
    assert (np.diff(result.over_eps.entropy[there]) >= -1e-9).all()  # it grows with ε


def test_points_beyond_the_grid_are_counted_and_said():
    result = DensityLab(picture="entropy", d=1, source="student", df=1.0, n=20).result()
    low, high = result.grid.min(), result.grid.max()
    step = result.grid[1, 0] - result.grid[0, 0]
    beyond = ((result.held_out < low - step / 2) | (result.held_out > high + step / 2)).sum()
    assert result.beyond == beyond > 0
    assert result.even_nll == math.inf
    assert f"{beyond} of the 1000 new points" in headline(result)
    assert "−∞ nats, against" in headline(result)


# words


def test_a_headline_says_which_density_is_better(results):
    better, worse = results["plane"], DensityLab(seed=2).result()
    assert better.gain() > 2 * better.doubt[-1] > 0 > -2 * worse.doubt[-1] > worse.gain()
    higher, lower = np.expm1(better.gain()), -np.expm1(worse.gain())
    assert re.search(naming("better than k-means", f"{percent(higher)} higher"), headline(better))
    assert re.search(naming("worse than k-means", f"{percent(lower)} lower"), headline(worse))
    assert "inside the noise" not in headline(better) + headline(worse)
    assert re.search(naming("<b>k-means</b>", f"{format_number(-better.start_nll)} nats"), headline(better, 0))
    assert f"against {format_number(-better.start_nll)} for k-means" in headline(better)
    row = int(np.argmax(np.abs(better.gain(0)) < better.doubt)) or 1
    close = next((i for i in range(1, len(better.stops)) if abs(better.gain(i)) < 2 * better.doubt[i]), None)
    if close is not None:
        assert "inside the noise" in headline(better, close), row


def test_a_much_higher_density_is_so_many_times_as_high():
    """Fitted to 15 points, k-means makes components that are far too narrow."""
    result = DensityLab(estimator="MKME", n=15).result()
    assert result.gain() > math.log(2)
    assert f"<b>{format_number(float(f'{math.exp(result.gain()):.2g}'))} times</b> as high." in headline(result)


def test_a_difference_that_nobody_can_see_is_none():
    result = DensityLab(d=1, bandwidth=10.0).result()
    assert 0 < abs(result.gain()) < 5e-4
    assert one_sentence_names(headline(result), "new points", "just as k-means")


def test_what_is_left_of_the_distance_is_that_of_the_fit(results):
    result = results["plane"]
    assert result.left == pytest.approx(result.distance[-1] / result.distance[0])


def test_no_legend_calls_a_curve_by_half_a_name(results):
    for result in (results["plane"], DensityLab(d=1, n=20).result()):
        called = {key.words for key in legend_keys(result)}
        assert called & {"true components", "true density"}
        assert called & {"fitted components (KME)", "fitted mixture (KME)"}
        assert "fit to S-KMSE" in called or "S-KMSE" not in called
        assert not any("blob" in each for each in called)


def test_presets_and_stories_open_the_picture_that_they_speak_of():
    content = content_of("density")
    for preset in content.presets:
        lab = DensityLab(**preset.fields)
        assert json.loads(json.dumps(lab.flat()))
    assert len(content.presets) >= 4
    assert all(3 <= len(story.steps) <= 5 for story in content.stories)


# whether it fits

JUDGED_STATES = {
    "plane": {"n": 30},
    "tails": {"d": 1, "source": "student", "n": 30, "iteration": 5},
    "moved": {"n": 30, "moved": '{"0":[1,1]}', "seed": 4},
}


@pytest.mark.parametrize("fields", JUDGED_STATES.values(), ids=JUDGED_STATES)
def test_fit_judges_the_mixture_by_points_held_out_and_opens_it(fields):
    lab = lab_of("density", **fields)
    assert one_sentence_names(caption(lab.result()), "still", "computed")
    lab.work().finish("judged")
    result = lab.result()
    alone = ksdagg_test(result.held_out[:200], result.mixture, n_resamples=499, rng=held_seed(lab.seed))
    assert result.judged.pvalue == alone.pvalue
    verdict = "<b>rejects</b> the mixture" if alone.pvalue <= 0.05 else "finds no misfit of the mixture"
    assert re.search(naming(200, "KSDAgg", verdict, f"p = {format_number(alone.pvalue)}"), caption(result))
    (link,) = re.findall("href='fit[?]([^']*)'", caption(result))
    words = dict(parse_qsl(unescape(link)))
    there, refused = registry.entry("fit").lab.from_flat({name: word for name, word in words.items() if name != "v"})
    assert refused == []
    shown = there.result(wait=True)
    np.testing.assert_array_equal(shown.X, result.held_out[:200])
    np.testing.assert_allclose(shown.model.means, result.mixture.means, rtol=1e-10)  # twelve digits in the link
    assert shown.p_aggregated == alone.pvalue
    assert "<a" not in still(caption(result))  # a file has no other lab to open


def test_of_a_table_the_verdict_has_no_link_and_the_most_even_density_none():
    wine = lab_of("density", source="wine", n=60, blobs=2)
    wine.work().finish("judged")
    assert re.search(naming(118, "KSDAgg"), caption(wine.result()))
    assert "href" not in caption(wine.result())
    assert "KSDAgg" not in caption(lab_of("density", picture="entropy", d=1, n=20).result())
