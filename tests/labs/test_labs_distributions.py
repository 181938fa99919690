"""The Distributions lab: its numbers by the library's public functions, its bags, the user's tables, and its texts."""

import re

import numpy as np
import pytest
from every_lab import lab_of
from helpers.naming import naming, one_sentence_names
from sklearn.metrics import r2_score

from explorer import (
    FKMSE,
    KME,
    SKMSE,
    DistributionRegression,
    Gaussian,
    GaussianMixture,
    LevelTwo,
    OneClassSMM,
    SupportMeasureMachine,
    mmd2,
)
from explorer.checks import Refusal
from explorer.datasets import BAGS, cut_bags, load, read_bags, table_bags, toy_bags
from explorer.labs.distributions import DistributionsLab
from explorer.labs.distributions.figures import ENDS, LANE, ROOM, boundary, cells, cloud, clouds
from explorer.labs.distributions.lab import SPREADS, is_number
from explorer.labs.distributions.swarm import OVERLAP, WIDTH, lanes_of, swarm
from explorer.labs.distributions.words import caption, headline

pytestmark = pytest.mark.thorough  # what every lab must do is the table of labs'

STATES = {
    "classes": {"n": 10},
    "entropies": {"source": "entropy", "n": 10, "estimator": "S-KMSE"},
    "linear": {"level_two": "linear", "source": "turn", "n": 10, "bag": 4},
    "wine": {"source": "wine", "n": 6, "label": "2"},
}


@pytest.fixture(scope="module")
def results():
    return {name: lab_of("distributions", **fields).result() for name, fields in STATES.items()}


@pytest.fixture(params=STATES)
def result(request, results):
    return results[request.param]


# odd bags, one point that counts, two outputs


def test_the_detector_is_the_library_s():
    result = lab_of("distributions", source="odd", learner="detector", level_two="linear", nu=0.2, n=10).result()
    drawn = toy_bags("odd", 24, 10, 0.5, rng=1)
    detector = OneClassSMM(result.kernel, LevelTwo("linear"), 0.2).fit(drawn.bags)
    np.testing.assert_array_equal(result.values, detector.decision_function(drawn.bags))
    assert (~result.right).sum() <= 0.2 * 24
    assert result.sides == ("usual", "unusual")
    assert result.verdicts == ("inside", "outside")
    usual = np.where(toy_bags("odd", 100, 10, 0.5, rng=1 + 10**9).targets == "usual", 1, -1)
    assert result.share == np.mean(np.where(result.held_out.values >= 0, 1, -1) == usual)
    assert re.search(naming("bags", "ν = 20 %"), headline(result))


@pytest.mark.parametrize("nu", [0.1, 0.3, 0.5])
def test_at_most_a_share_nu_of_the_bags_lies_outside(nu):
    for level_two in ("linear", "gaussian"):
        result = lab_of("distributions", source="odd", learner="detector", level_two=level_two, nu=nu, n=10).result()
        assert (~result.right).mean() <= nu
        assert len(result.machine.support_) >= nu * 24


def test_a_detector_of_a_table_looks_at_no_class():
    one, other = (
        lab_of("distributions", source="wine", n=6, learner="detector", label=label).result() for label in "12"
    )
    np.testing.assert_array_equal(one.values, other.values)
    assert one.held_out.values is one.values or np.array_equal(one.held_out.values, one.values)
    numbers = lab_of("distributions", source="entropy", n=10, learner="detector").result()
    assert not numbers.detects


def test_one_point_is_where_it_is_said_to_be():
    with_it, without = (toy_bags("one", 400, 6, 1.0, rng=3), toy_bags("one", 400, 6, 3.0, rng=3))
    for i in range(4):
        moved = (with_it.bags[i] != without.bags[i]).any(axis=1)
        assert moved.tolist() == [with_it.targets[i] == "positive", False, False, False, False, False]
    spreads = np.array([law.variances[0] ** 0.5 for law in with_it.laws])
    far = np.array([(bag[0] - law.mean) / s for bag, law, s in zip(with_it.bags, with_it.laws, spreads, strict=True)])
    chosen = far[with_it.targets == "positive"]
    np.testing.assert_allclose(chosen.mean(axis=0), [5.0, 0.0], atol=5 * 0.2 / 200**0.5)


def test_two_outputs_are_one_regression_of_vectors():
    result = lab_of("distributions", source="entropy", n=10, picture="outputs", bags=12).result()
    drawn, new = toy_bags("entropy", 12, 10, 0.5, rng=1), toy_bags("entropy", 100, 10, 0.5, rng=1 + 10**9)
    both = [np.array([[law.mean[0], np.log(law.variances[0]) / 2] for law in each.laws]) for each in (drawn, new)]
    middle = both[0].mean(axis=0)
    regression = DistributionRegression(result.kernel, result.level_two[0]).fit(drawn.bags, both[0] - middle)
    predicted = regression.predict(new.bags) + middle
    np.testing.assert_array_equal(result.outputs.predicted, predicted)
    np.testing.assert_allclose(result.outputs.true, both[1], rtol=1e-12)
    assert result.outputs.r2 == pytest.approx([r2_score(both[1][:, j], predicted[:, j]) for j in (0, 1)])
    # each column by a regression of its own at the same λ
    for j in (0, 1):
        own = DistributionRegression(result.kernel, result.level_two[0], regression.lam_)
        np.testing.assert_allclose(
            own.fit(drawn.bags, both[0][:, j] - middle[j]).predict(new.bags) + middle[j], predicted[:, j], rtol=1e-9
        )
    assert result.outputs.moved.shape == (len(result.stops), 2)
    wine = lab_of("distributions", source="wine", n=6, picture="outputs").result()
    assert wine.outputs.true.shape == wine.outputs.predicted.shape == (len(wine.y), 2)


# toy bags


@pytest.mark.parametrize("kind", BAGS)
def test_more_bags_and_larger_ones_only_append(kind):
    few, many = toy_bags(kind, 5, 4, rng=7), toy_bags(kind, 9, 12, rng=7)
    for small, large in zip(few.bags, many.bags, strict=False):
        np.testing.assert_array_equal(large[:4], small)
    assert few.targets.tolist() == many.targets[:5].tolist()
    assert few.laws == many.laws[:5]


@pytest.mark.parametrize("kind", BAGS)
def test_bags_have_the_moments_of_their_distributions(kind):
    drawn = toy_bags(kind, 4, 4000, rng=1)
    for bag, law in zip(drawn.bags, drawn.laws, strict=True):
        error = 4.5 * np.sqrt(law.variances / 4000)
        assert (np.abs(bag.mean(axis=0) - law.mean) < error).all()
        # a variance of 4000 points is known to 4.5 sqrt(2 / 4000), a tenth
        np.testing.assert_allclose(bag.var(axis=0), law.variances, rtol=0.1)


def test_rings_and_blobs_have_equal_moments():
    """For equal spread, mean and covariance agree, and a fourth moment does not."""
    for difference in (0.5, 4.0):
        law = toy_bags("ring", 2, 1, difference, rng=0).laws[1]
        ratio = law.variances / law.variances[0]
        np.testing.assert_allclose(ratio, 1.0, rtol=1e-12)
        second = law.weights @ (law.covariances[:, 0, 1] + np.prod(law.means - law.mean, axis=1))
        assert second == pytest.approx(0, abs=1e-12)


def test_an_entropy_is_that_of_its_gaussian():
    drawn = toy_bags("entropy", 6, 1, 0.5, rng=3)
    for entropy, law in zip(drawn.targets, drawn.laws, strict=True):
        assert entropy == pytest.approx(0.5 * np.log(np.linalg.det(2 * np.pi * np.e * law.covariances[0])), rel=1e-12)
        samples = law.sample(20000, 0)
        assert entropy == pytest.approx(-law.logpdf(samples).mean(), abs=0.05)  # 4.5 / sqrt(20000)


def test_what_toy_bags_refuse():
    for bad, words in ((("cube", 3, 3), naming("'cube'", "ring")), (("ring", 3, 3, 0.0), naming("difference", 0))):
        with pytest.raises(Refusal, match=words):
            toy_bags(*bad)


# tables


def test_rows_of_classes_are_cut_into_bags():
    wine = load("wine").standardised()
    cut = cut_bags(wine, 100, 6, rng=2)
    assert {len(bag) for bag in cut.bags} == {6}
    rows = np.concatenate(cut.bags)
    assert len(np.unique(rows, axis=0)) == len(rows)  # no row in two bags
    for bag, target in zip(cut.bags, cut.targets, strict=True):
        whole = wine.where(target).X
        assert all((row == whole).all(axis=1).any() for row in bag)
    with pytest.raises(Refusal, match=naming("rows")):
        cut_bags(wine, 100, 60)


def row(i):
    """Row i of a table of twelve bags of five points, alternating between calm and wild ones."""
    bag, wild = i // 5, i // 5 % 2
    x, y = (1 + wild) * np.sin(7.0 * i), (1 + wild) * np.cos(3.0 * i)
    return f"b{bag},{x:.3f},{y:.3f},{('calm', 'wild')[wild]},{10 * bag}\n"


TABLE = ("bag,x,y,kind,size\n" + "".join(map(row, range(60)))).encode()


def lab_of_file(label="kind", raw=TABLE, **fields):
    table = read_bags(raw, "bag", label, fields.pop("columns", ["x", "y"]), name="t.csv", standardise=True)
    lab = DistributionsLab(
        source="file", file="t.csv", rows=table.n, hash=table.hash, columns='["x", "y"]', bag_column="bag",
        label_column=label, **{"n": 50, **fields},
    )  # fmt: skip
    lab.own = table
    return lab


def test_bags_of_ones_own(tmp_path, monkeypatch):
    result = lab_of_file().result()
    assert len(result.drawn.bags) == 12
    assert {len(bag) for bag in result.drawn.bags} == {5}
    assert result.sides == ("wild", "calm")
    assert result.share > 0.8
    numbers = lab_of_file("size").result()
    assert numbers.number
    assert sorted(numbers.drawn.targets) == [10.0 * i for i in range(12)]
    monkeypatch.chdir(tmp_path)
    (tmp_path / "t.csv").write_bytes(TABLE)
    for each in (result, numbers, lab_of_file(n=3, bags=8).result()):
        from explorer.labs.distributions.script import python

        space = {}
        exec(python(each), space)
        assert space["shown"]["value"] == pytest.approx(each.value, rel=1e-12, abs=1e-12)
        assert space["shown"]["score"] == pytest.approx(each.score_of(each.held_out), rel=1e-12)


def test_what_plain_averages_get_is_a_sentence_of_its_own():
    assert re.search(naming("Always guessing"), headline(lab_of_file().result()))
    result = lab_of_file(estimator="S-KMSE").result()
    plain = round(result.share_of(result.held_out_plain) * 12)
    assert re.search(naming(f"Plain averages get {plain}"), headline(result))
    toy = lab_of("distributions", n=5, bags=6, estimator="S-KMSE").result()
    plain = round(toy.share_of(toy.held_out_plain) * len(toy.held_out_plain.values))
    assert one_sentence_names(headline(toy), "classified correctly", plain, "plain averages")


def test_classes_that_differ_beyond_three_digits_are_two():
    raw = TABLE.replace(b"calm", b"100001").replace(b"wild", b"100002")
    result, named = lab_of_file(raw=raw).result(), lab_of_file().result()
    assert (result.number, result.classes) == (False, ("100001", "100002"))
    assert np.array_equal(result.y, named.y)  # calm and wild are in that order too


def test_what_tables_of_bags_refuse():
    with pytest.raises(Refusal, match=naming("'bag'")):
        read_bags(TABLE, "bag", "bag")
    assert read_bags(TABLE, "bag", "size").points.names == ("x", "y")
    mixed = TABLE.replace(b"calm", b"wild", 1)
    with pytest.raises(Refusal, match=naming("calm", "wild")):
        table_bags(read_bags(mixed, "bag", "kind"), 12, 10, rng=0)
    few = b"\n".join(TABLE.split(b"\n")[:11])
    with pytest.raises(Refusal, match=naming(2, 4)):
        table_bags(read_bags(few, "bag", "kind"), 10, 10)
    with pytest.raises(Refusal, match=naming("class", "wild")):
        lab_of_file(raw=TABLE.replace(b"calm", b"wild")).result()
    with pytest.raises(Refusal, match=naming("'mild'", "calm", "wild")):
        lab_of_file(label="kind").replace(label="mild").result()
    with pytest.raises(Refusal, match=naming("bag", 13, 12)):
        lab_of_file(bag=13).result()
    with pytest.raises(Refusal, match=naming("Your data")):
        DistributionsLab(source="file", hash="0" * 64).result()


def test_what_is_a_number_and_what_a_class():
    assert not is_number(np.array(["a", "b"]))
    assert not is_number(np.array([1.0, 2.0, 3.0]))
    assert is_number(np.array([1.0, 2.5]))
    assert is_number(np.arange(6.0))


# the machine


def test_the_machine_is_the_front_door_s(result):
    lab, bags = result.lab, result.drawn.bags
    estimator = {"KME": KME, "S-KMSE": SKMSE}[lab.estimator]()
    kernel = Gaussian(lab.bandwidth * result.median[0])
    if result.number:
        machine = DistributionRegression(kernel, LevelTwo(lab.level_two), estimator=estimator)
        values = machine.fit(bags, result.drawn.targets - result.mean).predict(bags) + result.mean
    else:
        machine = SupportMeasureMachine(kernel, LevelTwo(lab.level_two), lab.C, estimator)
        values = machine.fit(bags, result.y).decision_function(bags)
    np.testing.assert_allclose(result.values, values, rtol=1e-9, atol=1e-10)


def test_a_stretched_bag_has_the_spread_of_its_stop_and_its_mean_stays(result):
    bag = result.drawn.bags[result.chosen]
    unit = np.sqrt(bag.var(axis=0).mean()) / result.spreads[result.chosen]
    for points, stop in zip(result.stretched, result.stops, strict=True):
        assert np.sqrt(points.var(axis=0).mean()) == pytest.approx(stop * unit, rel=1e-9)
        np.testing.assert_allclose(points.mean(axis=0), bag.mean(axis=0), atol=1e-12)
    assert np.median(result.spreads) == pytest.approx(1.0)


def test_distances_are_mmds_and_the_map_has_their_first_axes(result):
    bags, kernel, space = result.drawn.bags, result.kernel, result.space
    estimator = None if result.lab.estimator == "KME" else SKMSE(kernel)
    for i, j in ((0, 1), (2, 3)):
        if estimator is None:
            expected = mmd2(bags[i], bags[j], kernel, "biased") ** 0.5
        else:
            expected = estimator.embed(bags[i]).distance(estimator.embed(bags[j]))
        assert space.distances[i, j] == pytest.approx(expected, abs=1e-7)  # roots of differences of inner products
    own = (estimator or KME(kernel)).embed(result.stretched[3])
    assert space.stretched[3, 5] == pytest.approx(own.distance((estimator or KME(kernel)).embed(bags[5])), abs=1e-7)
    # classical scaling: centred squared distances have the squares of the map's axes as eigenvalues
    D2 = space.distances**2
    centred = -(D2 - D2.mean(axis=0) - D2.mean(axis=1, keepdims=True) + D2.mean()) / 2
    top = np.linalg.eigvalsh(centred)[::-1][:2]
    np.testing.assert_allclose((space.positions**2).sum(axis=0), top, rtol=1e-6)
    projected = ((space.moved[:, None] - space.positions) ** 2).sum(axis=2)
    assert (projected <= space.stretched**2 + 1e-9).all()  # a projection is not farther


def test_the_boundary_is_where_the_curve_crosses(results):
    result = results["classes"]
    below, above = (np.array(result.stops) < result.boundary), (np.array(result.stops) > result.boundary)
    first = np.flatnonzero(above)[0]
    assert result.curve[first - 1] * result.curve[first] <= 0
    assert (np.sign(result.curve[below]) == np.sign(result.curve[0])).all()
    exact = lab_of("distributions", **{**STATES["classes"], "spread": result.boundary}).result()
    gap = np.abs(np.diff(result.curve))[first - 1]
    assert abs(exact.value) < 0.1 * gap  # the curve is nearly straight between two stops


def test_new_bags_are_of_another_seed_and_counted_by_hand(results):
    result = results["classes"]
    new = result.new
    assert not any((a[0] == b[0]).all() for a in result.drawn.bags for b in new.bags)
    values = result.machine.decision_function(new.bags)
    assert result.share == np.mean((values >= 0) == (new.targets == "wide"))
    entropies = results["entropies"]
    errors = entropies.held_out.values - entropies.new.targets
    assert entropies.r2 == pytest.approx(1 - np.mean(errors**2) / entropies.new.targets.var())


def test_a_table_s_bags_are_left_out_in_turn(results):
    result = results["wine"]
    machine = result.learner("KME").replace(level_two=LevelTwo("gaussian", result.machine.level_two_.scale))
    rest = list(range(1, len(result.y)))
    fitted = machine.fit([result.drawn.bags[i] for i in rest], result.y[rest])
    assert fitted.decision_function(result.drawn.bags[:1])[0] == pytest.approx(result.held_out.values[0], rel=1e-8)


def test_errors_over_bag_sizes_are_those_of_embeddings():
    lab = DistributionsLab(picture="size", n=5, bags=4, bandwidth=0.4, estimator="F-KMSE")
    result = lab.result(wait=True)
    assert result.sizes.counts.tolist() == [3, 5, 10, 20, 50, 100, 200]
    assert (result.sizes.ratios["KME"] == 1).all()
    law = result.drawn.laws[0]
    assert isinstance(law, GaussianMixture)
    # the exact risk of KME, against the average of as many samples: S-KMSE's is below it
    truth, kernel = law.embed(result.kernel), result.kernel
    losses = {
        make: np.mean([make(kernel).embed(law.sample(5, s)).distance(truth) ** 2 for s in range(60)])
        for make in (KME, SKMSE, FKMSE)
    }
    assert losses[SKMSE] < losses[KME]
    assert result.saved(5, "S-KMSE") == pytest.approx(1 - losses[SKMSE] / losses[KME], abs=0.2)
    assert result.saved() == result.saved(5, "F-KMSE")
    assert result.saved(7) is None
    assert lab.work().finish("sizes", lambda: True) is None


# pictures and words


def test_every_bag_lies_at_its_spread_in_a_cell_of_its_own(result):
    centres, height = cells(result)
    np.testing.assert_allclose(10 ** centres[:, 0], np.clip(result.spreads, *ENDS), rtol=1e-12)
    for i, (x, y) in enumerate(centres):
        near = (np.abs(centres[:, 0] - x) < OVERLAP * WIDTH * height * (1 - 1e-9)) & (
            np.abs(centres[:, 1] - y) < height / 2
        )
        assert near.sum() == 1
        across, up = cloud(result, i, centres[i], height)
        assert (np.abs(np.log10(across) - x) <= 0.5 * WIDTH * height + 1e-12).all()
        assert (np.abs(up - y) <= 0.5 * height + 1e-12).all()


@pytest.mark.parametrize("count", [1, 4, 24, 100])
def test_the_cells_are_as_large_as_fit(count):
    places = np.random.default_rng(count).normal(0, 0.15, count)
    heights, height = swarm(places, ROOM)
    assert (np.abs(heights) + height / 2 <= ROOM + 1e-12).all()
    order = np.abs(heights) < height / 2
    assert order[np.argmin(places)]  # the first bag of all lies on the line
    assert lanes_of(np.array([0.0, 0.01, 0.02, 1.0]), 0.1).tolist() == [0, 1, -1, 0]


def test_bags_at_one_place_are_still_drawn():
    heights, height = swarm(np.zeros(100), ROOM)
    assert np.isfinite(heights).all()
    assert (np.abs(heights) <= ROOM).all()
    assert height > 0


def test_the_stretched_bag_grows_about_its_place(result):
    drawn = clouds.table(result)
    widths = [np.nanstd(np.log10(x)) for x in drawn["bag", "x"]]
    assert (np.diff(widths[:10]) > 0).all()  # up to the median spread nothing lies beyond the picture
    assert (drawn["ring", "x"][:, 0] == np.clip(result.stops, *ENDS)).all()
    assert clouds.data(result)["ring"]["y"] == [LANE]


def test_the_ground_is_where_the_curve_is_above_0(result):
    drawn = clouds.data(result)
    if result.number:
        assert len(drawn["borders"]["x"]) == len(drawn["names"]["x"]) == 0
        return
    left, right = drawn["side"]["left"], drawn["side"]["right"]
    for stop, value in zip(result.stops, result.curve, strict=True):
        assert ((left < stop) & (stop < right)).any() == (value >= 0)
    assert drawn["borders"]["x"].tolist() == list(result.crossings)


def test_every_change_of_the_decision_is_named(monkeypatch):
    result = lab_of("distributions", n=10).result()
    curve = np.where((np.array(result.stops) > 0.5) & (np.array(result.stops) < 2.0), 1.0, -1.0)
    monkeypatch.setattr(type(result), "curve", curve)
    assert len(result.crossings) == 2
    low, high = result.crossings
    assert 0.44 < low < 0.57
    assert 1.7 < high < 2.1
    assert result.boundary == low
    assert headline(result, 0).count("<b>") == 4  # the class, both changes, and how many are correct
    monkeypatch.setattr(type(result), "curve", np.ones(len(result.stops)))
    assert one_sentence_names(headline(result, 0), "No spread", "decision")
    assert clouds.data(result)["names"]["words"].tolist() == ["wide"]


def test_the_title_names_what_is_above_0(results):
    assert boundary.axes(results["classes"])[0] == "Classifier's value (above 0: wide)"
    assert boundary.axes(results["entropies"])[0] == "Predicted and true entropy"


def test_headlines_at_every_stop(results):
    result = results["classes"]
    for row, stop in enumerate(result.stops):
        side = "wide" if result.curve[row] >= 0 else "narrow"
        assert re.search(naming("narrow class", f"<b>{side}</b>"), headline(result, row)), stop
    assert one_sentence_names(headline(results["entropies"], 0), "nats", "true")
    assert one_sentence_names(headline(results["wine"]), "each left out")
    assert "class 2" in headline(results["wine"], 18) or "another class" in headline(results["wine"], 18)
    assert "R²" in headline(results["entropies"])
    assert one_sentence_names(caption(result), "bags", "support vectors")
    assert one_sentence_names(caption(result), "24 bags", "10 points", "seed 1")
    assert (len(SPREADS), SPREADS[0], SPREADS[-1]) == (19, 0.354, 2.83)


def test_bags_that_coincide_are_remarked_on():
    """Equal points: no distance, no map, and a sentence in place of a warning."""
    raw = b"bag,x,y,kind,size\n" + b"".join(
        b"b%d,2.5,2.5,%s,1\n" % (i // 5, [b"u", b"v"][i // 5 % 2]) for i in range(40)
    )
    result = lab_of_file(raw=raw).result()
    assert (result.space.positions == 0).all()
    assert one_sentence_names(caption(result), "scale 1", "instead")
    assert np.ptp(result.curve) < 1e-9


def test_a_bag_of_equal_points_stays_as_it_is():
    raw = TABLE + b"".join(b"flat,1.0,1.0,calm,5\n" for _ in range(5))
    lab = lab_of_file(raw=raw)
    flat = lab.result().drawn.names.index("flat") + 1
    result = lab.replace(bag=flat).result()
    assert (result.stretched == result.drawn.bags[flat - 1]).all()
    assert np.ptp(result.curve) < 1e-9
