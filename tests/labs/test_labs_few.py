"""The Few lab: each number on the page computed in a second way, the user's tables, and its texts."""

import itertools
import re

import numpy as np
import pytest
from every_lab import lab_of
from helpers.lab_pictures import visible_text
from helpers.naming import naming, one_sentence_names

from explorer import KME, Embedding, Gaussian, compress_test, criticisms, mmd2, mmd_test, thin
from explorer.checks import Refusal
from explorer.datasets import cloud, load, read_table
from explorer.labs.few import FewLab, figures
from explorer.labs.few.choices import Mean
from explorer.labs.few.comparing import RESAMPLES, sizes_of
from explorer.labs.few.flow import PARTICLES, compute_flow, start_points
from explorer.labs.few.lab import COUNTS, STEPS
from explorer.labs.few.result import TESTED
from explorer.labs.few.script import numbers
from explorer.labs.few.words import caption, headline, listing
from explorer.rng import stream
from explorer.workbench.content import content_of

pytestmark = pytest.mark.thorough  # what every lab must do is the table of labs'

STATES = {
    "herding": {"n": 60, "m": 9},
    "thinning": {"n": 60, "m": 20, "method": "thinning", "kernel": "LAP", "source": "rings"},
    "k-means": {"n": 40, "m": 6, "method": "k-means", "source": "blobs"},
    "random": {"n": 50, "m": 12, "method": "random", "kernel": "distance"},
    "moved": {"n": 40, "m": 5, "moved": '{"1":[2,-1],"30":[0,0]}', "kernel": "POLY2"},
    "wine": {"n": 70, "source": "wine", "standardise": False, "bandwidth": 1.0},
}
FLOW = {"picture": "flow", "source": "blobs", "n": 60}


@pytest.fixture(scope="module")
def results():
    return {name: lab_of("few", **fields).result(wait=True) for name, fields in STATES.items()}


@pytest.fixture(params=STATES)
def result(request, results):
    return results[request.param]


def result_with_stage(stage, **fields):
    """Return a result with one finished deferred stage."""
    lab = lab_of("few", **fields)
    lab.work().finish(stage)
    return lab.result()


def test_the_mmd_is_the_distance_of_embeddings(result):
    mean = KME(result.kernel).embed(result.X)
    for look in result.looks:
        far = mean.distance(Embedding(result.kernel, look.points, look.chosen.weights))
        # a root of a difference of larger numbers: 1e-16 of their size under the root
        assert look.error == pytest.approx(far, rel=1e-6, abs=1e-7 * mean.norm())
        assert look.chosen.weights.sum() == pytest.approx(1)


def test_the_points_are_those_of_the_front_door(results):
    r = results["herding"]
    np.testing.assert_array_equal(r.look.chosen.rows, thin(r.X, 9, r.kernel).rows)
    assert r.look.error == pytest.approx(thin(r.X, 9, r.kernel).errors[-1], rel=1e-9)
    r = results["thinning"]  # 60 halved twice
    rows = thin(r.X, 15, r.kernel, method="kernel-thinning", rng=1).rows
    np.testing.assert_array_equal(r.look.chosen.rows, rows)
    r = results["k-means"]
    assert len(set(r.look.chosen.rows.tolist())) == 6
    np.testing.assert_allclose(r.look.chosen.weights * 40, np.round(r.look.chosen.weights * 40))
    r = results["random"]
    np.testing.assert_array_equal(r.look.chosen.rows, stream(1, "random rows").permutation(50)[:12])
    r = results["wine"]
    kept = np.sort(stream(1, "rows").permutation(178)[:70])
    np.testing.assert_array_equal(r.X, load("wine").X[kept])
    assert r.number_of(3) == kept[3] + 1  # counted from 1


def test_points_moved_by_hand_and_what_that_costs(results):
    r = results["moved"]
    assert r.look.points[1].tolist() == [2, -1]
    others = [0, 2, 3, 4]
    np.testing.assert_array_equal(r.look.points[others], r.X[r.look.chosen.rows[others]])
    unmoved = lab_of("few", n=40, m=5, kernel="POLY2").result()
    assert r.look.before == pytest.approx(unmoved.look.error, rel=1e-9)
    assert r.effect_cost == r.look.error / r.look.before > 1
    assert "raises the MMD from" in visible_text(headline(r))
    lab = lab_of("few", n=40, moved='{"1":[2,-1]}')
    lab.move(m=7)
    assert lab.moved
    lab.move(bandwidth=0.5)
    assert not lab.moved  # herding takes other points, so that the second one is another


def test_random_rows_by_all_choices_of_few_points():
    X = cloud("moons", 7, 0.1, 3).X
    mean, kernel = Mean.of(Gaussian(0.7), X), Gaussian(0.7)
    whole = KME(kernel).embed(X)
    for m in range(1, 8):
        far = [whole.distance(KME(kernel).embed(X[list(rows)])) for rows in itertools.combinations(range(7), m)]
        # squares of 1e-16 of the norm are left where all points are taken
        assert float(mean.random(m)) == pytest.approx(np.sqrt(np.mean(np.square(far))), rel=1e-9, abs=1e-7)
    assert mean.worth(float(mean.random(3.0))) == pytest.approx(3)
    assert mean.worth(0.0) == pytest.approx(7)


def test_rates_are_slopes_of_logarithms(results):
    r = lab_of("few").result(wait=True)
    counts, errors = r.rivals["herding"]
    fitted = (counts >= 4) & (counts <= 64)
    x, y = np.log(counts[fitted]), np.log(errors[fitted])
    slope = np.cov(x, y)[0, 1] / x.var(ddof=1)
    assert r.slope("herding") == pytest.approx(slope)
    assert r.rate == pytest.approx(slope)
    # the points of a good choice are not independent; random rows have -1/2, and a little less as rows run out
    assert slope < -0.9
    assert r.slope("thinning") < -0.9
    assert -0.6 < r.slope("random") < -0.5
    assert f"m^({slope:.2f})".replace("-", "−") in visible_text(caption(r))
    assert lab_of("few", n=10).result(wait=True).slope("herding") is None


@pytest.mark.slow
def test_thinning_beats_random_rows_by_the_ratio_of_its_theory():
    """√n rows of n: n^(-1/2) against n^(-1/4), so the ratio grows as n^(1/4), up to logarithms that help here."""
    sizes, ratios = [64, 256, 1024, 4096], []
    for n in sizes:
        each = []
        for seed in range(5):
            mean = Mean.of(Gaussian(0.5), cloud("moons", n, 0.1, seed).X)
            rows = thin(mean.X, round(np.sqrt(n)), mean.kernel, method="kernel-thinning", rng=seed).rows
            m = len(rows)
            each.append(float(mean.random(m)) / mean.error(mean.X[rows], np.full(m, 1 / m)))
        ratios.append(np.mean(each))
    slope = np.polyfit(np.log(sizes), np.log(ratios), 1)[0]
    assert slope > 0.25


def test_criticisms_are_those_of_the_front_door(result):
    look = result.look
    found = criticisms(result.X, look.points, result.kernel, weights=look.chosen.weights)
    np.testing.assert_array_equal(look.rows, found.rows)
    np.testing.assert_allclose(look.witness[look.rows], found.values, rtol=1e-6, atol=1e-9)
    told = visible_text(listing(result))
    assert all(str(result.number_of(row)) in told for row in look.rows)


def test_rows_over_the_slider_are_the_states_at_its_stops():
    for method in ("herding", "thinning", "k-means", "random"):
        whole = lab_of("few", n=40, method=method, moved='{"0":[1,1]}').result(wait=True)
        assert len(whole.shown_looks) == len(COUNTS)
        for place in (0, 5, 20):
            one = lab_of("few", n=40, method=method, m=COUNTS[place], moved='{"0":[1,1]}').result()
            np.testing.assert_array_equal(whole.looks[place].points, one.look.points)
            assert headline(whole, place) == headline(one, 0)


def test_all_points_are_the_sample():
    for method in ("herding", "thinning", "random"):
        r = lab_of("few", n=12, m=64, method=method).result(wait=True)
        assert sorted(r.look.chosen.rows) == list(range(12))
        assert r.look.error == pytest.approx(0, abs=1e-7)
        assert len(r.look.rows) == 0
        assert r.times is None or r.look.error > 0
        assert one_sentence_names(visible_text(headline(r)), "same kernel mean")
        assert one_sentence_names(visible_text(caption(r)), "only 12 points") or method == "thinning"


def test_pictures_draw_these_numbers(result):
    data = {each.name: each.data(result) for each in (figures.chosen, figures.rate, figures.witness_by_row)}
    look, half = result.look, figures.chosen.wide * result.frame[2]
    drawn = data["plane"]["chosen"]
    there = np.isfinite(drawn["x"])
    centre = result.frame[0]
    np.testing.assert_allclose(drawn["x"][there], np.clip(look.points[:, 0], centre - half, centre + half))
    assert data["rate"]["here"]["x"] == len(look.points)
    assert data["rate"]["here"]["y"] == pytest.approx(look.error)
    np.testing.assert_array_equal(data["criticisms"]["rows"]["y"], look.witness)
    x = data["criticisms"]["critics"]["x"]
    np.testing.assert_array_equal(x[np.isfinite(x)], [result.number_of(row) for row in look.rows])


# the test of few rows


def test_the_compressed_test_is_that_of_the_front_door():
    r = result_with_stage("tested", picture="test", source="rings", seed=4)
    tested, (X, Y) = r.tested, r.pair()
    assert tested.sizes.tolist() == [16, 32, 64, 128, 256, 512, 1024]
    size = int(tested.sizes[tested.default_index])
    alone = compress_test(X, Y, r.kernel, size=size, n_resamples=RESAMPLES, rng=4)
    assert r.pvalue == alone.pvalue
    of_x, of_y = tested.stand_for
    assert len(of_x) == len(of_y) == size
    assert mmd2(X[of_x], Y[of_y], r.kernel, "biased") == pytest.approx(alone.statistic, rel=1e-9)
    whole = mmd_test(X, Y, r.kernel, "biased", n_resamples=RESAMPLES, rng=4)
    assert tested.pvalues[-1] == whole.pvalue
    np.testing.assert_allclose(Y[:, 0] - r.pair(shift=0.0)[1][:, 0], 0.2 * r.X[:, 0].std())
    for picture in (figures.pair, figures.p_by_rows_kept):
        assert picture.data(r)
    assert f"With {size} of 1,024 rows" in visible_text(headline(r))


def test_the_cost_is_how_many_values_of_the_kernel_are_asked_for(monkeypatch):
    asked, called = [], Gaussian.__call__

    def counting(self, X, Y=None, *rest):
        asked.append(len(X) * len(X if Y is None else Y))
        return called(self, X, Y, *rest)

    r = result_with_stage("tested", picture="test")
    X, Y = r.pair()
    size = int(r.tested.sizes[r.tested.default_index])
    monkeypatch.setattr(Gaussian, "__call__", counting)
    compress_test(X, Y, r.kernel, size=size, n_resamples=9, rng=1)
    share = sum(asked) / (len(X) + len(Y)) ** 2
    assert share == pytest.approx(r.cost_share, rel=0.15)  # the choice of the kernel's contrast needs a few more values


def test_sizes_double_from_one_row_of_each_bin():
    assert sizes_of(89, 89) == [22, 44]  # bins of four rows
    assert sizes_of(1024, 2000) == [16, 32, 64, 128, 256, 512]
    assert sizes_of(40, 33) == [16]


def test_how_often_it_rejects_by_hand():
    r = result_with_stage("tested", picture="test", samples=6, source="wine", n=40, shift=1.0)
    lab = r.lab.replace()
    lab.work().finish("tested")
    lab.work().finish("again")
    r = lab.result()
    size, found = int(r.tested.sizes[r.tested.default_index]), [0, 0]
    for i in range(6):
        for place, shift in enumerate((0.0, 1.0)):
            X, Y = r.pair(i, shift)
            assert len(X) == len(Y) == 89
            p = compress_test(X, Y, r.kernel, size=size, n_resamples=RESAMPLES, rng=1 + i).pvalue
            found[place] += p <= 0.05
    assert (r.again.false, r.again.right) == tuple(found)
    assert r.effect_false == found[0] / 6


@pytest.mark.slow
def test_the_level_is_kept():
    """300 pairs of toy samples without a difference: 4.5 standard deviations of a binomial share."""
    lab = lab_of("few", picture="test", samples=300, shift=0.0, n=40)
    lab.work().finish("tested")
    lab.work().finish("again")
    again = lab.result().again
    assert again.false == again.right  # a shift of 0
    assert again.false / 300 < 0.05 + 4.5 * np.sqrt(0.05 * 0.95 / 300)


# the flow


def test_the_flow_falls_and_each_step_is_down_the_gradient_of_the_mmd():
    r = result_with_stage("flow", **FLOW)
    errors, kernel, mean = r.flow.errors, r.kernel, KME(r.kernel).embed(r.X)
    assert (np.diff(errors) <= 1e-12).all()
    for t in (0, 20, STEPS):
        assert errors[t] == pytest.approx(mean.distance(KME(kernel).embed(r.flow.positions[t])), rel=1e-8)
    Z, h, length = r.flow.positions[3], 1e-5, 2 / 3 * kernel.bandwidth**2
    for i, j in ((0, 0), (7, 1)):
        there, back = Z.copy(), Z.copy()
        there[i, j] += h
        back[i, j] -= h
        ends = [mean.distance(KME(kernel).embed(each)) ** 2 / 2 for each in (there, back)]
        down = -PARTICLES * length * (ends[0] - ends[1]) / (2 * h)
        # a difference of values near 0.1, of 16 digits, over 2e-5
        assert r.flow.positions[4][i, j] - Z[i, j] == pytest.approx(down, rel=1e-4, abs=1e-7)


def test_noise_frees_particles_and_is_gone_in_the_end():
    still, noisy = (result_with_stage("flow", **FLOW, spread=spread) for spread in (0.0, 2.0))
    np.testing.assert_array_equal(noisy.flow.plain, still.flow.errors)
    assert noisy.gained < 0.8
    np.testing.assert_array_equal(noisy.flow.positions[0], start_points(noisy.X, 1))
    # the mean square noise of the last step is a 300th of the first one's in its root
    before = lab_of("few", **FLOW, spread=2.0, steps=0)
    before.work().finish("flow")
    assert before.result().left == noisy.flow.errors[0]
    assert one_sentence_names(visible_text(headline(before.result())), "Before", "first step")
    assert compute_flow(still.mean, 0.0, 2).errors[0] != still.flow.errors[0]


def test_the_flow_s_pictures():
    for steps in (0, 7, STEPS):
        r = result_with_stage("flow", **FLOW, steps=steps)
        drawn = figures.stream.data(r)
        np.testing.assert_array_equal(drawn["particles"]["x"], r.flow.positions[steps][:, 0])
        np.testing.assert_array_equal(figures.fall.data(r)["fall"]["y"], r.flow.errors)
        assert figures.fall.data(r)["here"]["y"] == r.flow.errors[steps]
        # each path ends where its particle is
        lengths = len(drawn["paths"]["x"]) // PARTICLES
        ends = drawn["paths"]["x"].reshape(PARTICLES, lengths)[:, -2]
        np.testing.assert_array_equal(ends, r.flow.positions[steps][:, 0])
    late = lab_of("few", **FLOW).result()
    assert "still being computed" in visible_text(headline(late))
    assert len(figures.stream.data(late)["particles"]["x"]) == 0


def test_a_flow_needs_a_gradient():
    with pytest.raises(Refusal, match=naming("kernel", "RBF")):
        FewLab(picture="flow", kernel="LAP")


# the user's tables

TABLE = "name,load (kW),price\n" + "".join(
    f"r{i},{100 + 3 * np.sin(7 * i):.3f},{np.cos(3 * i):.3f}\n" for i in range(50)
)


def lab_of_file(text=TABLE, columns=("load (kW)", "price"), **fields):
    table = read_table(text.encode(), columns=list(columns), name="t.csv", standardise=True)
    lab = FewLab(source="file", file="t.csv", rows=table.n, hash=table.hash, **{"n": table.n, **fields})
    lab.own = table
    return lab


def test_a_table_of_ones_own_in_its_units():
    r = lab_of_file(m=5).result(wait=True)
    values = np.array([float(line.split(",")[1]) for line in TABLE.split("\n")[1:-1]])
    np.testing.assert_allclose(numbers(r)["sample"]["load (kW)"], values, rtol=1e-12)
    table = numbers(r)["sample"]
    first = table["line"][table["criticism"] == 1][0]
    assert re.search(rf"Criticisms[^:]*: {int(first)} \(", visible_text(caption(r)))
    assert "load (kW)" in visible_text(listing(r))
    assert lab_of_file(n=50).fitting() == {"n": 50}


def test_one_column_and_few_rows():
    one = lab_of_file(columns=["price"], m=3).result(wait=True)
    assert figures.chosen.data(one)["chosen"]["y"][0] == 0
    assert one.look.points.shape == (3, 1)
    two = lab_of_file(text="a,b\n1,2\n3,5\n", columns=["a", "b"], m=1).result(wait=True)
    assert len(two.look.points) == 1
    few = lab_of_file(picture="test", n=20).result(wait=True)
    assert few.tested == ()
    assert "too few rows" in visible_text(headline(few))
    assert few.again is None


def test_a_table_that_is_not_there():
    absent = lab_of_file()
    absent.own = None
    with pytest.raises(Refusal, match=naming("file")):
        absent.result()


def test_bad_texts_of_moved_points():
    with pytest.raises(Refusal, match=naming("moved")):
        FewLab(moved="[1, 2]")


def test_rows_that_are_all_alike_are_said_to_be():
    alike = "a,b\n" + "1,2\n" * 30
    for fields in ({"m": 3}, {"picture": "flow"}, {"m": 4, "method": "k-means"}, {"m": 3, "method": "thinning"}):
        r = lab_of_file(text=alike, columns=["a", "b"], **fields).result(wait=True)
        assert visible_text(headline(r))
        assert visible_text(caption(r))
        assert all(
            picture.data(r) and picture.axes(r)
            for picture in (figures.chosen, figures.stream, figures.rate, figures.witness_by_row)
        )


def test_the_explanation_has_the_number_of_points_that_are_drawn():
    assert (
        sum(f"random halves of {2 * TESTED:,} points" in each for each in content_of("few").explanation.paragraphs) == 1
    )
