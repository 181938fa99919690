"""The Conditional lab's numbers computed in a second way: the library's models, closed forms, fractions; its texts."""

import re

import numpy as np
import pytest
from helpers.lab_pictures import descriptions, legend_keys
from helpers.naming import naming

from explorer import (
    BeliefPropagation,
    ConditionalEmbedding,
    Embedding,
    Gaussian,
    HMMFilter,
    load,
    median_bandwidth,
)
from explorer.datasets import NODES, TREE, gaussian_tree, joint, motion, tree_given
from explorer.labs.conditional import ConditionalLab
from explorer.labs.conditional.figures import distances, missed
from explorer.labs.conditional.lab import FOLLOWED, LAMS, TABLED
from explorer.labs.conditional.path import BURN
from explorer.labs.conditional.words import caption, headline, story_values, tables
from explorer.workbench.numbers import format_number, percent, ratio

GROUPS = {"source": "wine", "x": '["hue", "ash"]', "y": '["alcohol", "magnesium"]'}
ROWS = {"picture": "filter", "path": "rows", "source": "wine", "n": 100}


def lab_result(**fields):
    return ConditionalLab(**{"n": 40, **fields}).result()


def kernels(*sides):
    return [Gaussian(0.5 * median_bandwidth(Z)) for Z in sides]


# tree


TREE_FIELDS = {"picture": "tree", "n": 60, "link": 0.7, "others": '{"c":-0.5}', "value": 1.0}


def test_draws_of_the_tree_have_the_correlations_of_their_distances():
    few, many = gaussian_tree(0.7, 5, rng=3), gaussian_tree(0.7, 40_000, rng=3)
    for node in NODES:
        assert np.array_equal(few[node], many[node][:5])
    found = np.corrcoef(np.hstack(list(many.values())).T)
    distances = np.array(
        [[0, 1, 1, 2, 2], [1, 0, 2, 1, 1], [1, 2, 0, 3, 3], [2, 1, 3, 0, 2], [2, 1, 3, 2, 0]]  # a b c d e
    )
    np.testing.assert_allclose(found, 0.7**distances, atol=5 / 40_000**0.5)
    assert len(TREE) == 4


def test_exact_beliefs_are_those_of_many_draws():
    """Regressions on what is observed, of 200,000 draws: means are linear, and variances what is left."""
    drawn = gaussian_tree(0.8, 200_000, rng=0)
    seen = {"c": -0.5, "d": 1.0}
    exact = tree_given(0.8, seen)
    A = np.hstack([drawn[node] for node in seen])
    for i, node in enumerate(NODES):
        slopes = np.linalg.lstsq(A, drawn[node][:, 0], rcond=None)[0]
        assert slopes @ list(seen.values()) == pytest.approx(exact.means[i], abs=0.02)
        assert (drawn[node][:, 0] - A @ slopes).var() == pytest.approx(exact.variances[i], abs=0.02)
    # an error of the observation is one node more
    assert tree_given(0.8, {"a": 1.0}, 0.5).means[0] == pytest.approx(1 / 1.25)
    assert tree_given(0.8, {}).variances.tolist() == [1.0] * 5


def test_beliefs_are_the_librarys():
    found = lab_result(**TREE_FIELDS)
    drawn = gaussian_tree(0.7, 60, 3)
    k = Gaussian(0.5 * median_bandwidth(drawn["a"]))
    lam = ConditionalEmbedding(k, k).fit(drawn["a"], drawn["b"]).lam_
    tree = BeliefPropagation(TREE, dict.fromkeys(NODES, k), lam).fit(drawn)
    for i, node in enumerate(NODES):
        belief = tree.marginal(node, {"c": -0.5, "d": 1.0})
        assert found.believed.means[i] == pytest.approx(belief.mean()[0], rel=1e-9)
        spread = belief.weights @ (belief.points[:, 0] - belief.mean()[0]) ** 2
        assert found.believed.deviations[i] == pytest.approx(max(spread, 0) ** 0.5, rel=1e-6, abs=1e-6)
    assert found.lam == pytest.approx(lam)
    assert found.far_node == 0
    assert re.search(naming("c = −0.5", "d = 1", "mean of a"), headline(found))


def test_the_mean_of_many_draws_is_near_the_exact_one():
    found = lab_result(picture="tree", n=400, bandwidth=0.2, lam=0.5, value=1.0, seed=1)
    assert found.off_by(found.exact_tree) < 0.1


@pytest.mark.parametrize("others", ['{"f":1}', "[1]", '{"a":"x"}', '{"a":99}', "{", '{"a":true}'])
def test_evidence_that_is_none_is_a_sentence(others):
    with pytest.raises(ValueError, match=naming("others")):
        lab_result(picture="tree", others=others)


# cut


@pytest.mark.parametrize("fields", [{"source": "fork", "at": 0.7}, GROUPS], ids=["fork", "groups"])
def test_every_row_of_the_fan_is_the_librarys_embedding(fields):
    found = lab_result(**fields)
    X, Y, exact = found.pairs.X, found.pairs.Y, found.exact
    for row in (0, 30, 60, 80, -1):
        lam = [*LAMS, found.scores[1]][row]
        model = ConditionalEmbedding(*kernels(X, Y), lam).fit(X, Y)
        belief = model.embed(found.x)
        # K + λI of 40 pairs has a condition number of up to 40 / 1e-6, and the weights are below 1e3
        assert found.fan.weights[row] == pytest.approx(belief.weights, abs=1e-7)
        assert found.fan.mean[row] == pytest.approx(belief.mean()[0], rel=1e-7, abs=1e-7)
        assert found.fan.total[row] == pytest.approx(belief.weights.sum(), abs=1e-7)
        assert found.density[row] == pytest.approx(belief.density(found.grids[1]), rel=1e-7, abs=1e-7)
        assert found.mean_of_y[row] == pytest.approx(model.predict(found.grids[0])[:, 0], rel=1e-6, abs=1e-6)
        if exact is not None:
            assert found.fan.distance[row] == pytest.approx(belief.distance(exact), rel=1e-6)
    assert np.isnan(found.fan.distance).all() == (exact is None)
    assert found.row == len(LAMS)  # the last is the choice of leave-one-out
    assert found.scores[0] == pytest.approx(model.loocv(X, Y, LAMS), rel=1e-6)
    assert found.fan.score[-1] <= found.scores[0].min()


@pytest.mark.parametrize("kind", ["gaussian", "banana", "fork", "fan"])
def test_the_exact_curves_are_the_joints_formulas(kind):
    found, y = lab_result(source=kind, at=-0.7), np.linspace(-10, 10, 4001)
    density = joint(kind).density([-0.7], y)[0]
    bandwidth = found.kernels[1].bandwidth
    blur = np.exp(-0.5 * ((found.grids[1] - y) / bandwidth) ** 2) / (bandwidth * np.sqrt(2 * np.pi))
    # a sum over steps of 0.005 is the integral, to all digits; the curve is the density, blurred by the same kernel
    assert found.exact.density(found.grids[1]) == pytest.approx(blur @ density * 0.005, abs=1e-9)
    at = np.argmin(np.abs(found.grids[0][:, 0] + 0.7))
    assert found.true_mean[at] == pytest.approx(joint(kind).given(found.grids[0][at, 0]).mean[0])


def test_kernels_so_wide_that_nothing_is_apart_promise_nothing():
    found = lab_result(source="gaussian", at=0.5, bandwidth=1e6, seed=1)
    assert found.fan.distance[-1] == 0
    assert "the distance relative to leave-one-out's" not in found.effects
    assert ratio(1.0, 0.0) is None


# tables


def test_x_and_the_prior_count_in_standard_deviations_of_a_tables_column():
    found, wine = lab_result(source="wine", at=1.5, standardise=False), load("wine")
    rows = [int(name.removeprefix("row ")) - 1 for name in found.pairs.rows]
    x = wine.X[rows, wine.names.index("flavanoids")]
    assert found.x[0, 0] == pytest.approx(x.mean() + 1.5 * x.std())
    assert lab_result(at=1.5).x[0, 0] == 1.5
    found = lab_result(picture="bayes", standardise=False, prior_gap=0.5, **GROUPS)
    y = found.pairs.Y[:, 0]
    assert found.prior_mean == pytest.approx(found.of_y.to_file_units(y.mean() + 0.5 * y.std()))
    assert found.prior_law.variances[0] == pytest.approx((0.5**2 + 0.5**2) * y.var())
    assert found.x[0, 1] == np.median(found.pairs.X[:, 1])
    assert (found.prior.points[:, 1] == np.median(found.pairs.Y[:, 1])).all()
    assert (found.exact_posterior, found.distance) == (None, None)


def test_a_tables_scale_is_no_part_of_what_is_shown():
    """Bandwidths, x and the prior follow the scale and weights do not, apart from rounding and fitted lines."""
    plain, scaled = ([lab_result(**{"source": "wine", "at": 1.5, "standardise": s, **fields}) for fields in
                      ({}, {"picture": "bayes"}, ROWS)] for s in (False, True))  # fmt: skip
    assert plain[0].fan.weights == pytest.approx(scaled[0].fan.weights, abs=1e-7)
    assert plain[1].posterior.weights == pytest.approx(scaled[1].posterior.weights, abs=1e-7)
    times = plain[2].kernel_error / scaled[2].kernel_error
    assert plain[2].kalman_error == pytest.approx(times * scaled[2].kalman_error, rel=1e-3)


# Bayes


@pytest.mark.parametrize("gap", [0.0, 1.0])
def test_the_exact_posterior_of_two_gaussians_is_the_known_one(gap):
    """Each hump of the prior is updated alone, and weighed by how well it explains x; x given y is N(0.8 y, 0.36)."""
    fields = {"prior_mean": 0.3, "prior_sd": 0.4, "prior_gap": gap, "at": 0.9}
    found = lab_result(picture="bayes", source="gaussian", **fields)
    humps = np.array([0.3 - gap, 0.3 + gap])
    assert found.prior_law.mean[0] == pytest.approx(0.3)
    assert found.prior_law.variances[0] == pytest.approx(0.4**2 + gap**2)
    variance = 1 / (1 / 0.4**2 + 0.8**2 / 0.36)
    means = variance * (humps / 0.4**2 + 0.8 * 0.9 / 0.36)
    chances = np.exp(-0.5 * (0.9 - 0.8 * humps) ** 2 / (0.36 + 0.8**2 * 0.4**2))
    chances /= chances.sum()
    # p(x) is summed from -6 to 6, where 2e-9 of it is left out
    assert found.exact_posterior.mean()[0] == pytest.approx(chances @ means, abs=1e-6)
    assert f"exact: {format_number(chances @ means)}" in headline(found)


def test_the_density_of_x_under_the_prior_is_the_pairs_own_mixture():
    found = lab_result(picture="bayes", source="gaussian", n=300)
    at, weights, sd = found.grids[0][:, 0], found.rule.marginal_, found.kernels[0].bandwidth
    bumps = np.exp(-0.5 * ((at[:, None] - found.pairs.X[:, 0]) / sd) ** 2) / (sd * np.sqrt(2 * np.pi))
    assert found.predicted == pytest.approx(bumps @ weights, rel=1e-9, abs=1e-12)
    # x is N(0.4, 0.64 / 4 + 0.36), as y is N(0.5, 1 / 4); λ pulls the estimate towards the pairs' own mean, 0
    middle = (at * found.predicted).sum() / found.predicted.sum()
    assert 0.25 < middle < 0.45


# filter


def test_the_distances_that_are_drawn_are_those_whose_mean_square_is_the_error():
    found = lab_result(picture="filter", path="wells")
    for track, error in zip(distances(found, found.tracks), (found.kernel_error, found.kalman_error), strict=True):
        assert np.sqrt(np.mean(track[BURN:] ** 2)) == pytest.approx(error)
    drawn = missed.sources(lab_result(picture="filter", time=9), found.tracks)
    assert np.isfinite(drawn["missed"]["kernel"]).sum() == 9
    assert drawn["now"]["x"].tolist() == [9.0]


def test_the_strip_is_the_density_of_what_the_librarys_filter_believes():
    found = lab_result(picture="filter", path="wells", prediction="sum rule", lam_posterior=0.01)
    states, seen = motion("wells").sequence(41 + FOLLOWED, 0.5, 3)
    ky, kx = kernels(states[:41], seen[:41])
    beliefs = HMMFilter(ky, kx, found.lam, 0.01, two_step=True).fit(states[:41], seen[:41]).filter(seen[41:])
    # the same steps in the same order
    assert found.beliefs == pytest.approx(beliefs, rel=1e-9, abs=1e-12)
    assert found.tracks.kernel == pytest.approx(beliefs @ states[:40, 0])
    assert found.strip[7] == pytest.approx(Embedding(ky, states[:40], beliefs[7]).density(found.levels), abs=1e-12)


def test_on_a_line_kalmans_filter_is_gaussian_conditioning():
    """The state keeps variance 1 and has correlation 0.9 from one time to the next."""
    found = lab_result(picture="filter", sensor=0.7)
    t, seen = np.arange(FOLLOWED), found.course.hidden_observations[:, 0]
    K = 0.9 ** np.abs(t[:, None] - t)
    for end in (1, 7, FOLLOWED):
        gain = np.linalg.solve(K[:end, :end] + 0.49 * np.eye(end), K[:end, end - 1])
        assert found.tracks.kalman[end - 1] == pytest.approx(gain @ seen[:end])
        assert found.tracks.deviation[end - 1] ** 2 == pytest.approx(1 - gain @ K[:end, end - 1])
    assert np.array_equal(found.tracks.exact, found.tracks.kalman)
    assert found.error("exact") == found.kalman_error


def test_between_two_wells_the_exact_belief_is_what_chance_keeps():
    """Paths by chance, weighed by how well they explain what was seen first."""
    found, rng, moves = lab_result(picture="filter", path="wells"), np.random.default_rng(1), motion("wells")
    after = moves.forward(rng.normal(size=200_000)) + moves.step * rng.normal(size=200_000)
    weights = np.exp(-0.5 * ((found.course.hidden_observations[0, 0] - after) / 0.5) ** 2)
    # some 100,000 of the paths count, and states differ by less than 1: three standard errors are 0.01
    assert found.tracks.exact[0] == pytest.approx(weights @ after / weights.sum(), abs=0.01)
    steps = np.gradient(found.levels[:, 0])
    # levels end 15 % beyond all states
    assert found.exact_beliefs @ steps == pytest.approx(1, abs=0.02)
    assert found.exact_beliefs @ (steps * found.levels[:, 0]) == pytest.approx(found.tracks.exact, abs=0.05)


# stages and refusals


def test_auto_lam_is_leave_one_out_of_the_regression_that_a_picture_has():
    cut, bayes, along = (lab_result(picture=name) for name in ("cut", "bayes", "filter"))
    (kx, ky), X, Y, k, states = cut.kernels, cut.pairs.X, cut.pairs.Y, along.kernels[1], along.course.states
    chosen = {
        cut: ConditionalEmbedding(kx, ky).fit(X, Y),
        bayes: ConditionalEmbedding(ky, kx).fit(Y, X),
        along: ConditionalEmbedding(k, k).fit(states[:-1], states[1:]),
    }
    for found, model in chosen.items():
        assert found.lam == found.lam_at() == found.chosen == pytest.approx(model.lam_, rel=1e-6)
        assert f"λ = {format_number(model.lam_)} by leave-one-out" in headline(found) + caption(found)
    assert lab_result(picture="filter", lam=0.1).lam == 0.1
    assert lab_result(picture="table").chosen is None


OWNERS = {
    "cut": "refits exact scores mean_of_y fan density belief true_mean slider_positions",
    "bayes": "prior_law prior reverse rule predicted posterior exact_posterior densities",
    "filter": "course onward tracker beliefs levels strip tracks fine exact_beliefs",
    "table": "rules",
}


def test_a_picture_that_is_hidden_costs_nothing():
    for picture in OWNERS:
        found = lab_result(picture=picture, path="wells")
        for owner, names in OWNERS.items():
            assert {getattr(found, name) is None for name in names.split()} == {owner != picture}, (picture, owner)
        assert found.answers == (picture == "cut")  # the browser has rows of λ
    assert not lab_result(n=TABLED + 1).answers


@pytest.mark.parametrize(
    ("fields", "parts"),
    [
        ({"counts": "[[1, 2], [3]]"}, ("counts",)),
        ({"counts": "[[1, 2]]"}, ("counts", 2, 5)),
        ({"counts": "[[0.5, 2], [1, 1]]"}, ("counts", 99)),
        ({"counts": "[[100, 2], [1, 1]]"}, ("counts", 99)),
        ({"counts": "[[0, 0, 0], [0, 0, 0]]"}, ("counts",)),
        ({"chances": "[1, -1, 1]"}, ("chances",)),
        ({"chances": "[0, 0, 0]"}, ("chances",)),
        ({"chances": "[1, 1]"}, ("prior", 2, 3)),
        ({"seen": 3}, ("x", 3, 2)),
        ({"n": 4}, ("ConditionalLab.n", 5)),
        ({"y": "[1]"}, ("y",)),
        ({"lam": 0.0}, ("ConditionalLab.lam",)),
    ],
)
def test_what_cannot_be_is_refused_with_a_sentence(fields, parts):
    with pytest.raises(ValueError, match=naming(*parts)):
        ConditionalLab(**fields)


@pytest.mark.parametrize(
    ("fields", "parts"),
    [
        ({"picture": "bayes", "at": 20.0}, ("x", 20, "prior")),
        ({"picture": "filter", "path": "rows"}, ("rows", "table")),
        (ROWS | {"n": 168}, ("n", 168, 10, 178, "wine", 167)),
        ({"source": "wine", "x": '["ash", "hue"]', "y": '["hue"]'}, ("'hue'", "x", "y")),
        ({"picture": "table", "counts": "[[3, 0], [1, 0]]", "chances": "[1, 1]"}, ("prior", "y")),
        ({"picture": "table", "counts": "[[0, 0], [1, 2]]", "chances": "[1, 1]"}, ("x", "prior")),
        ({"picture": "filter", "bandwidth": 0.001}, ("row", "observations", 0)),
    ],
)
def test_what_cannot_be_shown_is_refused_with_a_sentence(fields, parts):
    with pytest.raises(ValueError, match=naming(*parts)):
        lab_result(**fields)


# words

COUNTED = {"picture": "table", "counts": "[[2, 0], [3, 4], [1, 1]]", "chances": "[1, 3]", "seen": 2}


@pytest.mark.parametrize(
    ("fields", "says"),
    [
        ({}, lambda r: ["pairs: 40 points, x from", "largest weight", "estimate: from", "least score: λ = ", "weight",
                        "Pairs on a banana, n = 40, seed 3. RBF kernels of "]),
        ({"source": "gaussian", "lam": 0.1, "at": 1.0}, lambda r: [
            f"Given x = 1, the mean of y is <b>{format_number(r.mean)}</b> (exact: 0.8)",
            f"With λ = 0.1, the RKHS distance to the exact embedding is {format_number(r.distance)}.",
            f"The weights sum to {format_number(r.belief.weights.sum())}",
            f"negative weights make up {percent(r.negative)}",
        ]),
        (GROUPS, lambda r: ["2 columns and 2 columns of wine"]),
        ({"picture": "bayes", "printed": True}, lambda r: [
            f"moves the mean of y from 0.5 to <b>{format_number(r.mean)}</b>",
            f"({format_number(r.printed.distance(r.exact_posterior))} by the printed rule)",
            "The prior of y has mean 0.5", "prior: from", "posterior: from", "exact: from", "as printed: from",
        ]),
        ({"picture": "filter", "sensor": 0.2, "time": 9}, lambda r: [
            "(optimal here)", "sensor noise 0.2", "true path: from", " at 9, ", "Kalman's filter ± 1 sd",
            "kernel filter",
        ]),
        ({"picture": "filter", "path": "wells"}, lambda r: [
            f"error is <b>{format_number(r.kernel_error)}</b>",
            f"The exact belief's error is <b>{format_number(r.error('exact'))}</b>",
            f"at times {BURN + 1} to {FOLLOWED}",
        ]),
        (ROWS | GROUPS | {"n": 167}, lambda r: [  # as few as may be followed
            "at times 6 to 10", "alcohol, magnesium of wine, observed through hue, ash", "(linear fit)",
        ]),
        ({"picture": "table"}, lambda r: ["prior: 0.5 at y = 1; 0.25", "fractions: 0.857 at y = 1", "kernel rule"]),
        # 3/4 of 4/5 compared with 1/4 of 1/2
        (COUNTED, lambda r: ["Given x = 2, y = 2 has probability <b>0.828</b> (prior: 0.75)"]),
    ],
)  # fmt: skip
def test_words_say_what_is_shown(fields, says):
    found = lab_result(**fields)
    text = " ".join([headline(found), caption(found), *descriptions(found), *(key.words for key in legend_keys(found))])
    assert [words for words in [*says(found)] if words not in text] == []
    assert "nan" not in headline(found)


def test_a_table_has_its_operators_and_no_numbers_for_stories():
    found = lab_result(**COUNTED)
    counted, ruled = tables(found)
    assert (counted.count("<caption>"), ruled.count("<caption>")) == (4, 3)
    assert "<td>0.172</td><td>0.828</td>" in ruled
    assert set(story_values(found).values()) == {"unknown"}
