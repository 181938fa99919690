"""The MONK lab's own numbers, each computed in two ways; its refusals; and its presets, which keep their promises."""

import math

import numpy as np
import pytest
from helpers.naming import naming

from explorer import KME, Gaussian, MedianOfMeans, RobustKME, monk_steps
from explorer.discrepancy.monk.block_path import SLIDER
from explorer.discrepancy.monk.estimates import draw_orders
from explorer.labs.monk import MonkLab
from explorer.labs.monk import result as shown
from explorer.labs.monk.lab import ITERATIONS
from explorer.workbench.content import content_of

PRESETS = content_of("monk").presets


def quick(**fields):
    """Return the result of a state."""
    return MonkLab(**fields).result()


def steps_of(result, method):
    """Return the iterations of a method, by the library."""
    lab, pairs = result.lab, result.pairs
    return list(monk_steps(pairs.X, pairs.Y, result.kernel, lab.blocks, method, ITERATIONS, lab.partition))


@pytest.mark.parametrize("shift", [0.0, 0.8, 2.5])
def test_the_truth_is_that_of_the_moments(shift):
    """E x and E x^2 of N(0, 1) and N(s, 1) differ by s and s^2, which (xy + 1)^2 weighs by 2 and 1."""
    assert quick(shift=shift).truth == pytest.approx(math.sqrt(2 * shift**2 + shift**4), abs=1e-12)
    wide = 0.7**2 + 2  # the variance of a Gaussian kernel and of both distributions
    apart = 2 * 0.7 / math.sqrt(wide) * (1 - math.exp(-(shift**2) / (2 * wide)))
    assert quick(shift=shift, kernel="RBF", bandwidth=0.7).truth ** 2 == pytest.approx(apart, abs=1e-12)


def test_the_slider_of_q_has_the_ladder_and_its_own_stop():
    assert quick().stops == list(SLIDER)
    assert quick(n=8, blocks=3).stops == [1, 3, 5, 7]
    own = quick(blocks=43)
    assert (own.stops, own.row) == ([*SLIDER, 43], 21)


@pytest.mark.parametrize(
    ("fields", "bad"),
    [
        ({"outliers": 6, "placed": "[[12,1.5]]"}, {0, *range(194, 200)}),
        ({"outliers": 4, "method": "bcd", "blocks": 7}, {*range(196, 200)}),
    ],
    ids=["direction", "bcd"],
)
def test_majorities_of_clean_blocks_are_counted_over_what_the_estimate_is_made_of(fields, bad):
    """All partitions of the direction, and the last two thirds of BCD's iterations."""
    result = quick(**fields)
    Q = result.lab.blocks
    partitions = [np.array_split(order, Q) for order in result.ladder.orders]
    if result.lab.method == "bcd":
        partitions = [step.blocks for step in steps_of(result, "bcd")][ITERATIONS // 3 :]
    clean = sum(2 * sum(bool(bad & {*rows.tolist()}) for rows in blocks) < Q for blocks in partitions)
    assert result.majorities(result.row) == (clean, len(partitions))
    assert result.contaminated_blocks().tolist() == [bool(bad & {*rows.tolist()}) for rows in result.estimate.blocks]


@pytest.mark.parametrize("method", ["direction", "bcd", "bcd-fast"])
def test_where_the_vote_holds_no_clean_block_is_exceeded(method):
    """If the vote holds, the estimate is at most the largest norm of a clean block of any partition."""
    held = exceeded = 0
    for seed in range(25):
        result = quick(outliers=1 + seed % 5, blocks=7, method=method, seed=seed, partition=seed)
        D, marks = result.pairs.D, result.pairs.contaminated
        norms = [
            np.sqrt(max(D[np.ix_(rows, rows)].mean(), 0.0))
            for order in draw_orders(len(D), method, ITERATIONS, seed)
            for rows in np.array_split(order, 7)
            if not marks[rows].any()
        ]
        within = result.estimate.value <= max(norms) * (1 + 1e-9)
        if result.vote_holds(result.row):
            held += 1
            assert within, (seed, result.estimate.value, max(norms))
        exceeded += not within
    assert held > 5
    if method != "bcd-fast":  # which stalls at the least of its majority, and so is too small as a rule
        assert exceeded > 2


# refusals


@pytest.mark.parametrize(
    ("fields", "said"),
    [
        ({"blocks": 4}, naming("odd", 1, 2000, 4)),
        ({"blocks": 0}, "odd"),
        ({"n": 10}, naming("blocks", 11, 10)),
        ({"outliers": 201}, naming("outliers", 201)),
        ({"outliers": 199, "placed": "[[1,1],[2,1]]"}, naming("outliers", 201)),
        ({"selected": 1}, naming("selected", 1)),
        ({"method": "bcd-fast", "blocks": 69}, naming("blocks", 67, "bcd")),
        ({"laws": "pareto", "d": 2}, naming("d = 1")),
        ({"laws": "pareto", "kernel": "LAP"}, naming("kink", "Pareto", "RBF")),
        ({"laws": "pareto", "kernel": "distance"}, naming("kink", "Pareto", "RBF")),
        ({"laws": "pareto", "kernel": "POLY3", "outliers": 0}, naming("order 3")),
        *(
            ({"placed": text}, naming("placed"))
            for text in ("x", "3", "[3]", "[[1,2,3]]", "[[1]]", '[["a",1]]', "[[1,3]]", "[[1,-1]]", "[[NaN,1]]", "{}x")
        ),
        ({"kernel": "SPLINE"}, "kernel"),
        ({"distance": 0}, "distance"),
        ({"iteration": 101}, "iteration"),
        ({"n": 2001}, "n"),
    ],
    ids=str,
)
def test_what_cannot_be_is_a_sentence(fields, said):
    with pytest.raises(ValueError, match=said):
        quick(**fields)


def test_bcd_fast_takes_what_its_refusal_names():
    assert quick(method="bcd-fast", blocks=67).estimate.value > 0


# what small pictures show


def test_the_steps_are_those_of_the_library():
    for method, steps in (("bcd-fast", "bcd-fast"), ("bcd", "bcd"), ("direction", "bcd")):  # which has none of its own
        result = quick(method=method, blocks=5, n=60, picture="steps")
        assert [step.value for step in result.steps] == [step.value for step in steps_of(result, steps)]
    assert quick().steps is None


@pytest.mark.parametrize(("planted", "side"), [("both", 0), ("Q", 1)])
def test_the_drawn_embeddings_are_those_of_the_library(planted, side):
    result = quick(picture="embedding", planted=planted, n=60)
    kernel, shown = result.kernel, result.embeddings
    X, truth = (result.pairs.X, result.pairs.Y)[side], (result.P, result.Q)[side].embed(kernel)
    means = {
        "truth": truth,
        "plain average": KME(kernel).embed(X),
        "median": MedianOfMeans(kernel, 11).embed(X, 1),
        "geometric": MedianOfMeans(kernel, 11, "geometric").embed(X, 1),
        "Huber": RobustKME(kernel, "huber").embed(X),
        "Hampel": RobustKME(kernel, "hampel").embed(X),
    }
    assert shown.values.keys() == means.keys()
    for name, mean in means.items():
        assert shown.values[name] == pytest.approx(mean(shown.at[:, None]))
        assert name == "truth" or shown.errors[name] == pytest.approx(mean.distance(truth))


def test_other_estimators_have_an_error_where_they_are_shown():
    result = quick(picture="estimates", n=60)
    measured = result.measured()
    for name, called in {"Huber": "Huber's", "Hampel": "Hampel's", "geometric": "the geometric median's"}.items():
        assert measured[f"{called} error"] == abs(result.rivals[name] - result.truth) < 1
    assert quick(n=60).measured()["Huber's error"] is None


@pytest.fixture
def few(monkeypatch):
    monkeypatch.setattr(shown, "SAMPLES", {"cliff": 2, "quantiles": 2})
    monkeypatch.setattr(shown, "FEWEST", 2)


def test_a_cliff_is_the_lab_itself_at_further_seeds(few):
    study = MonkLab(n=60, distance=30.0).result(wait=True).cliff
    assert (study.counts, study.count) == (shown.COUNTS, 2)
    for i, j in ((0, 0), (1, 5), (0, 11)):
        for name in ("U", 5, 11, 21):
            other = quick(n=60, distance=30.0, seed=2 + i, outliers=study.counts[j], blocks=11 if name == "U" else name)
            value = other.u_mmd if name == "U" else other.estimate.value
            assert study.errors[name][i, j] == pytest.approx(other.error(value), rel=1e-9, abs=1e-12)


def test_quantiles_are_distances_of_further_samples(few):
    study = MonkLab(n=40, outliers=3, picture="quantiles", kernel="RBF").result(wait=True).quantiles
    kernel = Gaussian(1.0)
    for i in range(2):
        result = quick(n=40, outliers=3, kernel="RBF", seed=2 + i)
        X, mu = result.pairs.X, result.P.embed(kernel)
        means = {
            "KME": KME(kernel).embed(X),
            11: MedianOfMeans(kernel, 11).embed(X, 1),
            "geometric": MedianOfMeans(kernel, 11, "geometric").embed(X, 1),
            "Hampel": RobustKME(kernel, "hampel").embed(X),
        }
        for name, mean in means.items():
            assert study.errors[name][i] == pytest.approx(mean.distance(mu))


@pytest.mark.parametrize(("picture", "stays"), [("cliff", ("blocks", "outliers")), ("quantiles", ("blocks",))])
def test_a_study_is_given_up_and_kept_where_it_belongs(few, picture, stays):
    lab = MonkLab(n=30, picture=picture)
    (stage,) = lab.result().pending()
    assert stage.endswith(picture)
    assert lab.result().finish(stage, lambda: True) is None
    study = lab.result(wait=True).study
    for field, value in {"blocks": 21, "outliers": 9, "distance": 20.0}.items():
        lab.move(**{field: value})
        assert (lab.result().study is study) == (field in stays), field


def test_large_samples_have_fewer_companions():
    assert [shown.sample_count("cliff", n) for n in (200, 2000)] == [shown.SAMPLES["cliff"], shown.FEWEST]


# presets


@pytest.mark.thorough(default=["Identical?!", "Price of safety", "The fast way loses"])
@pytest.mark.parametrize("preset", PRESETS, ids=lambda p: p.name)
def test_a_preset_is_no_lucky_seed(preset):
    """In the median of five other samples the promise holds too."""
    effects = [quick(**{**preset.fields, "seed": seed}).effects[preset.effect] for seed in range(20, 25)]
    assert preset.at_least <= np.median(effects) <= preset.at_most
