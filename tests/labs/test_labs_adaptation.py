"""The Adaptation lab's numbers in a second way: learners, formulas of the toys, refits; its texts."""

import re

import numpy as np
import pytest
from helpers.lab_pictures import descriptions
from helpers.naming import naming, one_sentence_names

from explorer import (
    DICA,
    CovariateShift,
    Gaussian,
    KernelPCA,
    LocationScaleShift,
    TargetShift,
    counterfactual_mean,
    distributional_variance,
    load,
    median_bandwidth,
    treatment_test,
)
from explorer.checks import Refusal
from explorer.datasets import (
    CHANGES,
    density_ratio,
    domain_cloud,
    domain_pair,
    outcome_laws,
    read_tables,
    target_mean,
    treated_groups,
)
from explorer.datasets.toys.domains import class_maps
from explorer.labs.adaptation import AdaptationLab
from explorer.labs.adaptation.figures import PICTURES, over_bound, over_shift, plane, top_of, weights_over_x
from explorer.labs.adaptation.lab import BOUNDS, SHIFTS, TABLED
from explorer.labs.adaptation.script import python
from explorer.labs.adaptation.treatment.outcomes import ACROSS
from explorer.labs.adaptation.treatment.pictures import arms, effects, outcomes_of_all
from explorer.labs.adaptation.words import caption, headline
from explorer.workbench.content import content_of

PRESETS = content_of("adaptation").presets

pytestmark = pytest.mark.thorough  # what every lab must do is the table of labs'

OWN = b"group,a,b,c\n" + b"".join(b"%c,%d,%d,%d\n" % (b"uv"[i % 2], i * i % 23, i * i % 7, i % 3) for i in range(60))


def lab_result(wait=False, **fields):
    return AdaptationLab(**{"n": 40, "m": 30, **fields}).result(wait=wait)


# the toys ------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("change", CHANGES)
def test_a_pair_grows_by_appending(change):
    few, many = domain_pair(change, 1.0, 7, 5, 3), domain_pair(change, 1.0, 50, 40, 3)
    for a, b in zip(few, many, strict=True):
        assert np.array_equal(a, b[: len(a)])


@pytest.mark.parametrize("change", CHANGES)
def test_the_target_s_mean_of_y_is_that_of_many_points(change):
    """Means over narrow strips of 200,000 points, within four standard errors and the strip's own width."""
    pair = domain_pair(change, 0.7, 2, 200_000, 0)
    for x in (-0.5, 0.4, 1.1):
        near = np.abs(pair.Z[:, 0] - x) < 0.02
        y = pair.hidden[near]
        assert y.mean() == pytest.approx(target_mean(change, 0.7, x), abs=0.03 + 4 * y.std() / near.sum() ** 0.5)


@pytest.mark.parametrize("change", ["covariate", "target"])
def test_averages_under_the_true_ratio_are_the_target_s(change):
    """Averages of x, y and xy over 400,000 points each. The ratio's variance is below 30."""
    pair = domain_pair(change, 0.6, 400_000, 400_000, 1)
    ratio = density_ratio(change, 0.6, pair.X[:, 0], pair.y)
    assert ratio.mean() == pytest.approx(1, abs=0.03)
    for f in (lambda x, y: x, lambda x, y: y, lambda x, y: x * y):
        assert np.mean(ratio * f(pair.X[:, 0], pair.y)) == pytest.approx(f(pair.Z[:, 0], pair.hidden).mean(), abs=0.03)


def test_location_and_scale_are_those_of_the_formula():
    pair = domain_pair("location-scale", 1.0, 2, 100_000, 2)
    for y, mean, sd in ((-1.0, -1.5 * 1.5 - 1, 0.7 * 1.5), (1.0, 1.5 * 0.6 + 1, 0.7 * 0.6)):
        z = pair.Z[pair.hidden == y, 0]
        assert z.mean() == pytest.approx(mean, abs=0.02)
        assert z.std() == pytest.approx(sd, abs=0.02)
    assert [part.tolist() for part in class_maps([-1, 1], 1.0)] == [[1.5, 0.6], [-1.0, 1.0]]


def test_domains_share_their_second_column():
    X, of = domain_cloud(3, 9000, 0)
    assert np.array_equal(X[:10], domain_cloud(3, 10, 0)[0])
    means = np.array([X[of == j].mean(axis=0) for j in range(3)])
    np.testing.assert_allclose(means, [[-1.5, 0], [0, 0], [1.5, 0]], atol=0.08)


def test_a_change_that_there_is_not_is_a_sentence():
    for act in (lambda: domain_pair("label", 1.0, 3, 3), lambda: target_mean("label", 1.0, 0.0)):
        with pytest.raises(Refusal, match=naming("'label'", "covariate")):
            act()


# the remedies --------------------------------------------------------------------------------------------------------


def weighted(X, y, weights):
    """The normal equations of a weighted line."""
    A = np.column_stack([np.ones(len(X)), X])
    return np.linalg.solve(A.T @ (weights[:, None] * A), A.T @ (weights * y))


def test_weights_lines_and_errors_are_the_library_s():
    result = lab_result(bound=5.0)
    pair = domain_pair("covariate", 1.0, 40, 30, 3)
    kernel = Gaussian(0.5 * median_bandwidth(np.concatenate([pair.X, pair.Z])))
    assert result.kernel == kernel
    shift = CovariateShift(kernel, bound=5.0, tolerance=0.0).fit(pair.X, pair.Z)
    assert np.array_equal(result.fit.weights, shift.weights_)
    assert (result.fit.size, result.fit.distance) == (shift.effective_sample_size_, shift.distance_)
    assert result.fit.norm == pytest.approx(shift.norm_, rel=1e-12)
    test = domain_pair("covariate", 1.0, 1, 2000, 3 + 2**31)
    for weights, error in (
        (np.ones(40), result.before[1]),
        (shift.weights_, result.fit.error),
        (density_ratio("covariate", 1.0, pair.X[:, 0], pair.y), result.best_error),
    ):
        a, b = weighted(pair.X, pair.y, weights)
        assert error == pytest.approx(np.mean((a + b * test.Z[:, 0] - test.hidden) ** 2), rel=1e-9)
    assert result.gain() == 1 - result.fit.error / result.before[1]


def test_label_weights_and_maps_are_the_library_s():
    result = lab_result(source="target", remedy="weights of y", shift=2.0)
    shift = TargetShift(result.kernel, bound=1000.0).fit(result.pair.X, result.pair.y, result.pair.Z)
    assert np.array_equal(result.fit.weights, shift.identified_weights_)
    assert np.array_equal(result.fit.shares, shift.proportions_)
    moved = lab_result(source="location-scale", remedy="maps")
    shift = LocationScaleShift(moved.kernel).fit(moved.pair.X, moved.pair.y, moved.pair.Z)
    assert np.array_equal(moved.fit.scale, shift.scale_)
    assert np.array_equal(moved.fit.X, shift.transform(moved.pair.X, moved.pair.y))
    assert not moved.answers
    assert moved.ratio is None


def test_every_row_is_the_state_at_that_shift():
    result = AdaptationLab(n=30, m=30, shift=1.234).result(wait=True)
    assert result.stops == tuple(sorted([*SHIFTS, 1.234]))
    for row in (0, 3, result.row, 20, len(result.stops) - 1):
        other = AdaptationLab(n=30, m=30, shift=result.stops[row]).result()
        assert np.array_equal(result.rows[row].pair.Z, other.pair.Z)
        assert np.array_equal(result.rows[row].fit.weights, other.fit.weights)
        assert headline(result, row) == headline(other)


def test_every_bound_is_the_state_at_that_bound():
    result = AdaptationLab(n=30, m=30, bound=3.7, picture="bound").result(wait=True)
    for i in (0, 3, 20, len(BOUNDS) - 1):
        other = AdaptationLab(n=30, m=30, bound=BOUNDS[i]).result()
        assert np.array_equal(result.bounds[i].weights, other.fit.weights)
    # a bound that no weight reaches changes nothing: the library itself agrees
    direct = CovariateShift(result.kernel, bound=1000.0, tolerance=0.0).fit(result.pair.X, result.pair.Z).weights_
    np.testing.assert_allclose(result.bounds[-1].weights, direct, atol=1e-6)
    assert result.bounds[0].size == pytest.approx(30, rel=1e-6)
    assert result.bounds[0].error == pytest.approx(result.before[1], rel=1e-6)
    assert over_bound.data(result)["line"]["x"] == [3.7]


def test_what_takes_long_has_no_row_for_every_shift():
    maps_of = {"source": "location-scale", "remedy": "maps"}
    assert AdaptationLab(n=TABLED, m=TABLED, **maps_of).tabled
    assert not AdaptationLab(n=TABLED, m=TABLED + 1, **maps_of).tabled
    assert AdaptationLab(n=500, m=500).tabled
    assert not AdaptationLab(source="wine").tabled
    large = AdaptationLab(n=TABLED + 1, m=20, **maps_of).result(wait=True)
    assert not large.answers
    assert len(large.rows) == 1
    assert not over_shift.is_visible(large)


def test_more_samples_are_those_of_the_seeds_that_follow():
    result = lab_result(wait=True, picture="samples", n=20, m=20)
    for i in (0, 19):
        other = lab_result(n=20, m=20, seed=4 + i)
        assert result.more.after[i] == other.fit.error
        assert result.more.before[i] == other.before[1]
    assert result.more.gains.shape == (2, 20)
    assert (
        lab_result(wait=True, picture="samples", n=20, m=20, source="location-scale", remedy="maps").more.best is None
    )


def test_domains_are_the_library_s():
    result = lab_result(picture="domains", n=50, size=30.0, domains=3)
    X, of = domain_cloud(3, 50, 3)
    kernel = Gaussian(0.5 * median_bandwidth(X))
    scores = DICA(30.0 * kernel, 2).fit(X, of).transform(X)
    within = sum((of == j).mean() * scores[of == j].var(axis=0) for j in range(3))
    assert result.clouds.apart == pytest.approx(1 - np.mean(within / scores.var(axis=0)), rel=1e-9)
    assert result.clouds.variance == pytest.approx(distributional_variance([X[of == j] for j in range(3)], kernel))
    plain = KernelPCA(kernel, 2).fit(X).transform(X)
    assert np.array_equal(result.clouds.plain_scores, plain)
    one = lab_result(picture="domains", n=50, domains=1)
    assert (one.clouds.apart, one.clouds.plain) == (0.0, 0.0)
    assert "DICA</span> is kernel PCA" in headline(one)


# a treatment ----------------------------------------------------------------------------------------------------------


TREATMENT = {"picture": "treatment", "shift": 1.5}


def test_both_arms_are_the_library_s():
    result = lab_result(**TREATMENT, hidden=0.5, effect="spread", wait=True)
    X, y, treated = treated_groups("spread", 1.5, 40, 30, 0.5, rng=3)
    kernels = [Gaussian(0.5 * median_bandwidth(side)) for side in (X, y)]
    arms, found = counterfactual_mean(X, y, treated, *kernels), result.outcomes
    means = [y.mean() + arm.weights @ (arm.points[:, 0] - y.mean()) for arm in arms]
    assert (found.effect, found.apart) == (means[0] - means[1], arms[0].distance(arms[1]))
    assert found.gap == y[treated].mean() - y[~treated].mean()
    np.testing.assert_allclose(found.sizes, [a.weights.sum() ** 2 / (a.weights**2).sum() for a in arms], rtol=1e-12)
    with_it, without = outcome_laws("spread", 1.5, 3 / 7, 0.5)
    assert found.true_effect == pytest.approx((with_it.mean - without.mean)[0], abs=1e-15)
    assert found.true_apart == pytest.approx(with_it.embed(kernels[1]).distance(without.embed(kernels[1])))
    assert result.pvalue == treatment_test(X, y, treated, *kernels, rng=3).pvalue
    at = np.linspace(*result.box[1], ACROSS)
    assert [np.trapezoid(density, at) for density in found.densities[0]] == pytest.approx([1, 1], abs=0.05)


def test_every_row_of_a_treatment_is_the_state_at_that_shift():
    result = lab_result(wait=True, **TREATMENT | {"shift": 1.234})
    for row in (0, result.row, len(result.stops) - 1):
        other = lab_result(**TREATMENT | {"shift": result.stops[row]})
        assert result.treatment_rows[row].effect == other.outcomes.effect
        assert headline(result, row) == headline(other)
    drawn = effects.data(result)["curves"]
    np.testing.assert_allclose(drawn["true"], np.ones(len(SHIFTS)), rtol=1e-12)
    assert arms.data(result)["grip"]["x"] == [1.234 / 2]


def test_the_frame_of_a_treatment_holds_its_points_at_every_shift():
    boxes = {lab_result(**TREATMENT | {"shift": shift}).box for shift in (0.0, 1.0, 3.0)}
    assert len(boxes) == 1
    ((low, high), (bottom, top)) = boxes.pop()
    X, y, _ = treated_groups("mean", 1.7, 40, 30, rng=3)
    assert low < X.min() < X.max() < high
    assert bottom < y.min() < y.max() < top


def test_rows_of_a_table_are_controls_and_treated():
    result = lab_result(source="wine", picture="treatment", wait=True)
    found, pair = result.outcomes, result.pair
    assert found.gap == pytest.approx(pair.hidden.mean() - pair.y.mean(), rel=1e-12)
    assert found.true is None
    assert one_sentence_names(headline(result), "all flavanoids")
    assert one_sentence_names(caption(result), "x", "everything")
    assert not result.answers


def test_a_test_that_is_refused_is_a_sentence_and_not_waited_for(monkeypatch):
    """The refusal is the one of a table with too many columns for its rows, and the copied lines omit the test."""

    def refused(*_, **__):
        raise Refusal("X has 12 rows of 8 columns.")

    monkeypatch.setattr("explorer.labs.adaptation.treatment.outcomes.treatment_test", refused)
    result = lab_result(picture="treatment", shift=1.0, bandwidth=1.0, wait=True)
    assert result.pvalue is None
    assert result.untested in caption(result)
    assert not result.pending()
    assert "treatment_test(X, y, treated, *" not in python(result)


def test_no_overlap_is_a_sentence_and_leaves_a_picture():
    result = lab_result(picture="treatment", shift=8.0, wait=True)
    assert result.outcomes.refused
    assert "<b>No overlap</b>" in headline(result)
    assert "do not overlap" in caption(result)
    assert result.pvalue is None
    assert not result.pending()
    assert np.isnan(outcomes_of_all.data(result)["found_treated"]["y"]).all()


# tables --------------------------------------------------------------------------------------------------------------


def test_rows_of_a_table_are_source_and_target():
    result = lab_result(source="wine", groups='["3", "1"]')
    wine = load("wine")
    rows = [wine.where(label).sample(n, seed) for label, n, seed in ((3, 40, 6), (1, 30, 7))]
    columns = [wine.names.index(name) for name in ("flavanoids", "color_intensity")]
    both = np.concatenate([part[:, columns[0]] for part in rows])
    np.testing.assert_allclose(result.pair.X[:, 0], ((both - both.mean()) / both.std())[:40], rtol=1e-12)
    assert np.array_equal(result.pair.y, rows[0][:, columns[1]])
    assert np.array_equal(result.pair.hidden, rows[1][:, columns[1]])
    assert result.test[0] is result.pair.Z
    assert result.truth is None
    assert re.search(naming("group 3", "group 1 of wine"), caption(result))


@pytest.mark.parametrize(
    "fields", [{}, {"standardise": False}, {"remedy": "weights of y"}, {"picture": "domains"}, {"picture": "treatment"}]
)
def test_a_table_of_ones_own(fields):
    tables = read_tables([OWN], None, "refuse", "none", target="group", names=["t.csv"])
    lab = AdaptationLab(source="file", hash=tables[0].hash, group="group", n=20, m=20, **fields)
    lab.own = tables
    result = lab.result(wait=True)
    assert result.pair.names == ("a", "b", "c")
    assert result.pair.X.shape == (20, 2)
    assert set(result.pair.y) <= {0.0, 1.0, 2.0}  # y keeps its units, so that classes are classes
    assert headline(result)
    assert all(descriptions(result))


def test_a_table_of_one_column_is_a_sentence():
    tables = read_tables([b"g,a\nu,1\nv,2\nu,3\nv,4\nu,5\nv,6\nu,7\nv,8\nu,9\nv,1"], None, "refuse", "none",
                         target="g", names=["t.csv"])  # fmt: skip
    lab = AdaptationLab(source="file", hash=tables[0].hash, group="g", n=5, m=5)
    lab.own = tables
    with pytest.raises(Refusal, match=naming("x", "y", "a")):
        lab.result()


def test_classes_that_are_none_are_a_sentence():
    with pytest.raises(Refusal, match=naming(1, 2)):
        lab_result(source="wine", remedy="maps")


# pictures ------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("change", CHANGES)
def test_the_frame_holds_the_points_at_every_shift_and_stays_still(change):
    result = lab_result(n=60, m=60, source=change)
    cx, cy, half, high = result.frame
    every = []
    for shift in SHIFTS:
        other = lab_result(n=60, m=60, source=change, shift=shift)
        assert other.frame == result.frame
        every += [np.column_stack([other.pair.X[:, 0], other.pair.y])]
        every += [np.column_stack([other.pair.Z[:, 0], other.pair.hidden])]
    points = np.concatenate(every)
    assert (np.abs(points[:, 0] - cx) <= half).all()
    assert np.ptp(points[:, 0]) > 0.9 * 2 * half
    assert (np.abs(points[:, 1] - cy) <= high).mean() > 0.995


def test_a_shift_beyond_the_slider_is_in_the_picture():
    result = lab_result(wait=True, shift=6.0)
    cx, _, half, _ = result.frame
    assert cx + half > 6 + 0.5
    assert over_shift.axes(result)[1].range[1] == 6.0
    assert over_shift.data(result)["line"]["x"] == [6.0]
    assert not result.answers  # at the slider's own stops the frame is a narrower one


def test_every_source_point_is_drawn_and_the_weights_over_it():
    result = lab_result(shift=2.0)
    drawn = plane.data(result)
    assert np.array_equal(drawn["source"]["x"], result.pair.X[:, 0])
    assert np.array_equal(drawn["weighted"]["x"], drawn["source"]["x"])
    areas = drawn["weighted"]["size"] ** 2
    np.testing.assert_allclose(areas, np.minimum(64 * result.fit.weights, 3600), rtol=1e-9, atol=1e-9)


def test_the_axis_of_weights_stays_still():
    few, many = (lab_result(shift=shift) for shift in (0.0, 3.0))
    assert weights_over_x.axes(few)[2] == weights_over_x.axes(many)[2]
    assert many.fit.weights.max() <= top_of(many)


@pytest.mark.parametrize("remedy", ["weights of x", "maps", "maps and weights"])
@pytest.mark.parametrize("picture", ["weights", "bound"])
def test_no_tab_is_empty(remedy, picture):
    result = lab_result(source="location-scale", remedy=remedy, picture=picture)
    assert any(each.is_visible(result) for each in PICTURES if each.slot in ("small", "below"))


# words ---------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("preset", PRESETS, ids=lambda preset: preset.name)
def test_what_a_preset_promises_is_gone_without_what_it_sets(preset):
    value = AdaptationLab(**preset.fields).result().effects[preset.effect]
    assert preset.at_least <= value <= preset.at_most
    other = {
        "Covariate shift": {"bound": 1.0},
        "Target shift": {**preset.fields, "remedy": "weights of x"},
        "Location-scale": {**preset.fields, "shift": 0.0},
        "No overlap": {"shift": 1.0},
        "The concept changed": {},
        "Several domains": {**preset.fields, "size": 1.0},
        "TCA is DICA's limit": {**preset.fields, "size": 1.0},
        "A treatment's effect": {**preset.fields, "hidden": 1.5},
        "An unmeasured confounder": {**preset.fields, "hidden": 0.0},
        "No comparable people": {**preset.fields, "shift": 1.0},
    }[preset.name]
    without = AdaptationLab(**other).result().effects[preset.effect]
    assert not preset.at_least <= without <= preset.at_most


def test_where_it_must_fail_it_says_so():
    apart = lab_result(shift=6.0)
    assert "<b>No overlap</b>" in headline(apart)
    assert apart.fit.remark
    concept = lab_result(source="concept", n=100, m=100)
    assert "y given x has changed" in headline(concept)
    assert "effective size below 10" in headline(apart)


def test_x_is_said_to_match_only_where_it_does():
    """A small bound leaves a part of the target unmatched: it is not y given x alone that raises the error then."""
    matched, held = (lab_result(source="concept", n=100, m=100, bound=bound) for bound in (1000.0, 1.5))
    assert matched.fit.far < 0.1
    assert "The weights match x" in headline(matched)
    assert held.fit.far > 0.1
    assert "The weights match x" not in headline(held)
    assert "With this bound" in headline(held)


def test_a_remedy_that_multiplies_the_error_says_how_often(monkeypatch):
    result = lab_result(n=50, m=50)
    monkeypatch.setattr(type(result), "gain", lambda self, row=None: -2.0)
    assert "<b>3 times</b>" in headline(result)


def test_the_trust_line_is_one_sentence_on_size_and_match():
    result = lab_result(n=100, m=100)
    assert re.search(naming("of 100", "weighted source"), headline(result))
    moved = lab_result(source="location-scale", remedy="maps")
    assert one_sentence_names(headline(moved), "moved source")
    assert one_sentence_names(caption(result), "Squared error", "target")
    assert re.search(naming("with the true weights", "n = 100", "m = 100", "seed 3"), caption(result))
    assert "with the true weights" not in caption(moved)


@pytest.mark.parametrize("gain", [0.0, -0.0004, 0.0004])
def test_the_same_error_is_no_failure(gain, monkeypatch):
    result = lab_result(n=50, m=50)
    monkeypatch.setattr(type(result), "gain", lambda self, row=None: gain)
    assert "<b>unchanged</b>" in headline(result)


@pytest.mark.parametrize("picture", ["weights", "bound", "samples", "domains"])
def test_what_is_late_is_said_to_be(picture):
    early = lab_result(n=20, m=20, picture=picture)
    assert ("being computed" in caption(early)) == (picture == "samples")
    late = lab_result(n=20, m=20, picture=picture, wait=True)
    assert "being computed" not in caption(late) + "".join(descriptions(late))


@pytest.mark.parametrize(
    ("fields", "parts"),
    [
        ({"bound": 0.5}, ("AdaptationLab.bound", 1)),
        ({"n": 4}, ("AdaptationLab.n", 5)),
        ({"shift": 21.0}, ("AdaptationLab.shift", "21.0")),
        ({"groups": '["a"]'}, ("groups",)),
        ({"source": "file", "gram": True}, ("Gram matrix", "columns")),
    ],
)
def test_what_a_state_cannot_be_is_a_sentence(fields, parts):
    with pytest.raises(ValueError, match=naming(*parts)):
        AdaptationLab(**fields)
