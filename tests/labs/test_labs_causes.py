"""The Causes lab: numbers computed in a second way, the arrows that tests allow, the user's tables, and its texts."""

import re

import numpy as np
import pytest
from every_lab import lab_of
from helpers.lab_pictures import visible_text
from helpers.naming import naming, one_sentence_names
from scipy.stats import beta

from explorer import ConditionalEmbedding, Gaussian, Linear, additive_noise, dhsic_test, gcm_test, hsic_test, kci_test
from explorer.checks import Refusal
from explorer.conditional.additive_noise import residuals
from explorer.datasets import causal, load, read_table
from explorer.labs.causes import CausesLab
from explorer.labs.causes.arrows import Allowed, allowed_by, related
from explorer.labs.causes.figures import ABOVE, BELOW, LEFT, RIGHT, arrows, clouds, p_by_bandwidth, rejections
from explorer.labs.causes.lab import BANDWIDTHS
from explorer.labs.causes.page import column_of
from explorer.labs.causes.result import RESAMPLES
from explorer.labs.causes.script import numbers, python
from explorer.labs.causes.words import arrows_sentence, caption, headline, study_words
from explorer.workbench.slider_stops import steps_of

pytestmark = pytest.mark.thorough  # what every lab must do is the table of labs'

SEARCHED = 1e-5  # λ is searched to so many digits: a median that differs by rounding gives another of them
STATES = {
    "given": {"n": 60, "source": "collider", "effect": "bend"},
    "jointly": {"asks": "joint", "source": "xor", "n": 40, "bandwidth": 1.0, "level": "0.1"},
    "direction": {"asks": "direction", "source": "arrow", "effect": "bend", "n": 60, "bandwidth": 1.0},
    "wine": {"source": "wine", "n": 60, "column_z": "hue"},
}


@pytest.fixture(scope="module")
def results():
    return {name: lab_of("causes", **fields).result(wait=True) for name, fields in STATES.items()}


def median(x):
    """Return the median distance of two different values."""
    return np.median(np.abs(x[:, None] - x)[np.triu_indices(len(x), 1)])


def result_without_table(**fields):
    """Return the result of a state without the table of all bandwidths."""
    return lab_of("causes", **fields).result()


def test_the_slider_stops_where_the_field_says():
    assert steps_of(CausesLab.fields["bandwidth"]) == BANDWIDTHS


def test_the_rows_are_those_of_the_front_door(results):
    X = causal("collider", 60, "bend", 0.63, rng=1)
    np.testing.assert_array_equal(results["given"].drawn.X, X)
    wine = load("wine").standardised()
    columns = [wine.names.index(name) for name in ("total_phenols", "proline", "hue")]
    np.testing.assert_array_equal(results["wine"].drawn.X, wine.sample(60, 1)[:, columns])
    assert [each.name for each in results["wine"].quantities] == ["total_phenols", "proline", "hue"]


@pytest.mark.parametrize("name", ["given", "wine"])
def test_the_tests_given_z_are_those_of_the_front_door(results, name):
    result = results[name]
    x, y, z = result.drawn.X.T
    how = {"n_resamples": RESAMPLES, "rng": 1}
    for stop in (0, 9, 16):
        at = BANDWIDTHS[stop]
        k = Gaussian(at * median(z))
        look = result.table_rows[stop]
        tests = (kci_test(x, y, z, kernel_z=k, **how), gcm_test(x, y, z, k, **how), hsic_test(x, y, **how))
        assert list(look.pvalues) == [test.pvalue for test in tests]
        assert look.others == {
            "xz": kci_test(x, z, y, kernel_z=Gaussian(at * median(y)), **how).pvalue,
            "yz": kci_test(y, z, x, kernel_z=Gaussian(at * median(x)), **how).pvalue,
        }
    assert result.alone["yz"] == hsic_test(y, z, **how).pvalue


def test_what_is_left_is_what_gcm_multiplies(results):
    """|T| of the products of both residuals, and the curves of the same regressions."""
    result = results["given"]
    _, y, z = result.drawn.X.T
    look = result.rows[4]
    R = look.left[0] * look.left[1]
    assert np.sqrt(60) * abs(R.mean()) / R.std() == pytest.approx(look.tests[1].statistic, rel=1e-8)
    fit = ConditionalEmbedding(Gaussian(BANDWIDTHS[4] * median(z)), Linear()).fit(z, (y - y.mean()) / y.std())
    np.testing.assert_allclose(look.curves[1][[0, -1]], fit.predict(np.array([z.min(), z.max()])), rtol=SEARCHED)


def test_the_joint_tests_are_those_of_the_front_door(results):
    result = results["jointly"]
    x, y, z = result.drawn.X.T
    how = {"n_resamples": RESAMPLES, "rng": 1}
    k, l, m = (Gaussian(median(each)) for each in (x, y, z))
    expected = [dhsic_test([x, y, z], [k, l, m], **how)]
    expected += [hsic_test(x, y, k, l, **how), hsic_test(x, z, k, m, **how), hsic_test(y, z, l, m, **how)]
    assert list(result.look_in().pvalues) == [test.pvalue for test in expected]
    assert result.least_pair == min(test.pvalue for test in expected[1:])


def test_the_directions_are_those_of_the_front_door(results):
    result = results["direction"]
    x, y = result.drawn.X.T[:2]
    both = additive_noise(x, y, Gaussian(median(x)), Gaussian(median(y)), n_resamples=RESAMPLES, rng=1)
    assert (result.forward, result.backward) == (both.forward.pvalue, both.backward.pvalue)
    left = residuals(y[:, None], x[:, None], Gaussian(median(y)))[0][:, 0]
    np.testing.assert_allclose(result.look_in().left[1], left, atol=SEARCHED)


def test_many_samples_by_hand():
    result = lab_of("causes", n=30, samples=6, source="chain", seed=4, level="0.1").result(wait=True)
    rejected = np.zeros(3)
    for seed in range(5, 11):
        x, y, z = causal("chain", 30, "sine", 0.63, frequency=2.0, rng=seed).T
        k, how = Gaussian(0.4 * median(z)), {"n_resamples": RESAMPLES, "rng": seed}
        tests = (kci_test(x, y, z, kernel_z=k, **how), gcm_test(x, y, z, k, **how), hsic_test(x, y, **how))
        rejected += [test.pvalue <= 0.1 for test in tests]
    assert result.study.rejected == tuple(rejected)
    times = int(rejected[2])
    low, high = beta.ppf(0.025, times, 7 - times), beta.ppf(0.975, times + 1, 6 - times) if times < 6 else 1.0
    np.testing.assert_allclose(result.study.intervals[2], [low if times else 0.0, high], atol=1e-9)
    assert f"{rejected[0] / 6:.3g}" in study_words(result)


def test_rows_over_the_slider_are_the_states_at_its_stops(results):
    whole = results["direction"]
    for stop in (0, 8, 16):
        one = result_without_table(**{**STATES["direction"], "bandwidth": BANDWIDTHS[stop]})
        np.testing.assert_array_equal(whole.rows[stop].pvalues, one.look.pvalues)
        assert headline(whole, stop) == headline(one, 0)


# the arrows

ALWAYS = dict.fromkeys(("xy", "xz", "yz"), 0.01)


@pytest.mark.parametrize(
    ("alone", "given", "expected", "says"),
    [
        ({}, {"xy": 0.5}, Allowed((), ("xz", "yz")), "x — z — y: a chain or a fork"),
        ({"xy": 0.5}, {}, Allowed((), ("xz", "yz")), ""),
        ({"xy": 0.5}, {"xy": 0.01}, Allowed(("xz", "yz"), ()), "x and y both act on z"),
        ({"xz": 0.5}, {}, Allowed(("xy", "zy"), ()), "x and z both act on y"),
        ({}, {}, Allowed((), ("xy", "xz", "yz")), "join all three"),
        ({"xy": 0.5, "xz": 0.5}, {}, Allowed((), ("yz",)), "only y and z"),
        ({"xy": 0.5, "xz": 0.5, "yz": 0.5}, {}, Allowed(), "no arrow"),
    ],
)
def test_arrows_by_p(alone, given, expected, says):
    if says:
        found = allowed_by(ALWAYS | alone, ALWAYS | given, 0.05)
        assert found == expected
        assert says in arrows_sentence(found)


def test_who_has_to_do_with_whom():
    assert related(("xz", "zy"), "x", "y")
    assert related(("zx", "zy"), "x", "y")
    assert not related(("xz", "yz"), "x", "y")
    assert related(("xz", "yz", "xy"), "y", "x")


@pytest.mark.parametrize(
    ("fields", "true"),
    [
        ({"source": "fork"}, {"KCI": True, "GCM": True, "HSIC without z": False}),
        ({"source": "chain", "direct": 0.5}, {"KCI": False, "HSIC without z": False}),
        ({"source": "collider"}, {"KCI": False, "HSIC without z": True}),
        ({"source": "none"}, {"KCI": True, "HSIC without z": True}),
        ({"asks": "joint", "source": "xor"}, {"dHSIC": False, "x and y": True, "x and z": True, "y and z": True}),
        ({"asks": "joint", "source": "arrow"}, {"dHSIC": False, "x and y": False, "x and z": True, "y and z": True}),
        ({"asks": "joint", "source": "none"}, {"dHSIC": True}),
        ({"asks": "direction", "source": "arrow", "effect": "bend"}, {"x → y": True, "y → x": False}),
        ({"asks": "direction", "source": "arrow", "effect": "line"}, {"x → y": True, "y → x": True}),
        ({"asks": "direction", "source": "fork"}, {"x → y": None, "y → x": None}),
        ({"source": "wine"}, {"KCI": None, "GCM": None}),
    ],
)
def test_what_is_true_of_the_rows(fields, true):
    result = lab_of("causes", **fields).work()
    assert {name: result.holds(name) for name in true} == true


# pictures


def test_pictures_draw_these_numbers(results):
    for result in results.values():
        look = result.look_in()
        for i in range(len(result.names)):
            data = p_by_bandwidth.data(result)
            assert data[f"now{i}"]["y"] == look.pvalues[i]
            np.testing.assert_array_equal(data[f"test{i}"]["y"], [each.pvalues[i] for each in result.rows])
        drawn = clouds.data(result)
        for name in ("points", "high", "low", "left"):
            x, y = drawn[name]["x"], drawn[name]["y"]
            assert ((x % 1 >= LEFT) & (x % 1 <= RIGHT)).all()
            assert ((y >= BELOW) & (y <= ABOVE)).all()
        strokes = arrows.data(result)["joined"]["x"]
        found = result.allowed(look)
        assert np.isfinite(strokes).sum() == 3 * len(found.arrows) + len(found.lines)


def test_points_keep_their_order_in_their_frames(results):
    z, x = results["given"].drawn.X[:, 2], results["given"].drawn.X[:, 0]
    points = clouds.data(results["given"])["points"]
    assert len(points["x"]) == 120
    for drawn, values in ((points["x"][:60], z), (points["y"][:60], x)):
        inner = np.argsort(values)[1:-1]  # what lies beyond most values is at the frame's edge
        assert (np.diff(drawn[inner]) >= 0).all()


def test_the_picture_of_many_samples():
    result = lab_of("causes", n=30, samples=4, picture="level").result(wait=True)
    data = rejections.data(result)["level"]
    np.testing.assert_array_equal(data["x"], result.study.shares)
    assert list(data["fill"]) == [1.0, 1.0, 0.0]
    assert "false alarm" in data["words"][0]
    assert "correct" in data["words"][2]


# the user's tables

RNG = np.random.default_rng(0)
Z = RNG.normal(size=60)
TABLE = "age (y),height,weight\n" + "\n".join(
    f"{40 + 10 * z:.3f},{z + e:.3f},{np.tanh(z) + f:.3f}" for z, e, f in zip(Z, *RNG.normal(size=(2, 60)), strict=True)
)


def lab_of_file(names=("age (y)", "height", "weight"), **fields):
    table = read_table(TABLE.encode(), columns=list(names), name="t.csv", standardise=True)
    columns = '["' + '", "'.join(names) + '"]'
    lab = CausesLab(
        **{"source": "file", "file": "t.csv", "rows": 60, "hash": table.hash, "n": 60, "columns": columns} | fields
    )
    lab.own = table
    return lab


def test_a_table_of_ones_own_in_its_units(tmp_path, monkeypatch):
    result = lab_of_file(column_z="age (y)").result(wait=True)
    assert [each.name for each in result.quantities] == ["height", "weight", "age (y)"]
    ages = np.array([float(line.split(",")[0]) for line in TABLE.split("\n")[1:]])
    np.testing.assert_allclose(np.sort(numbers(result)["rows"]["age (y)"]), np.sort(ages), rtol=1e-12)
    assert one_sentence_names(visible_text(caption(result)), "x is height", "y is weight", "z is age (y)")
    assert result.lab.arrows is None
    assert "false" not in visible_text(headline(result))
    monkeypatch.chdir(tmp_path)
    (tmp_path / "t.csv").write_text(TABLE)
    space = {}
    exec(python(result), space)
    assert list(space["shown"].values()) == list(result.look_in().pvalues)


def test_two_columns_suffice_for_a_direction():
    result = lab_of_file(("height", "weight"), asks="direction").result()
    assert result.drawn.X.shape == (60, 2)
    assert arrows.data(result)["nodes"]["words"].tolist() == ["height", "weight"]
    assert lab_of_file(("height", "weight")).fitting() == {"n": 60, "asks": "direction"}
    assert lab_of_file().fitting() == {"n": 60, "asks": "given"}
    with pytest.raises(Refusal, match=naming("2 columns", 3)):
        lab_of_file(("height", "weight")).result()
    with pytest.raises(Refusal, match=naming("1 column", 2)):
        lab_of_file(("height",), asks="direction").result()


def test_columns_that_are_not_there_or_twice():
    with pytest.raises(Refusal, match=naming("'hair'", "age")):
        lab_of_file(column_x="hair").result()
    with pytest.raises(Refusal, match=naming("x", "y", "z")):
        lab_of_file(column_x="height", column_y="height").result()


def test_the_menus_offer_the_table_s_columns():
    lab = lab_of_file()
    assert column_of("x")(lab) == {"age (y)": "", "height": "height", "weight": "weight"}
    assert column_of("z")(lab_of("causes")) == {"": ""}
    absent = lab_of_file()
    absent.own = None
    assert column_of("x")(absent) == {"": ""}


def test_another_source_has_other_columns():
    lab = lab_of("causes", source="wine", column_x="hue")
    lab.move(source="wdbc")
    assert lab.column_x == ""


# words


@pytest.mark.parametrize(
    ("fields", "says"),
    [
        (
            {"n": 100, "frequency": 8.0, "noise": 0.3, "bandwidth": 1.0},
            "dependent (KCI p = 0.002, GCM p = 0.002): two false",
        ),
        ({"n": 100, "frequency": 4.0, "noise": 0.3, "bandwidth": 1.0}, "only KCI finds x and y dependent"),
        ({"source": "collider", "effect": "square", "n": 200, "noise": 0.3}, "GCM misses"),
        ({"asks": "joint", "source": "xor", "n": 100, "noise": 0.3, "bandwidth": 1.0}, "dependent only together"),
        ({"asks": "joint", "source": "none", "n": 30}, "no dependence of x, y and z"),
        ({"asks": "direction", "source": "arrow", "effect": "line"}, "allow both directions"),
    ],
)
def test_words_of_each_outcome(fields, says):
    assert says in visible_text(headline(result_without_table(**fields)))


def test_words_of_many_samples():
    result = lab_of("causes", n=20, samples=3).result(wait=True)
    assert re.search(naming("3 more samples", "KCI"), visible_text(headline(result)))
    assert "No more samples" in study_words(result_without_table(n=20))
    assert one_sentence_names(study_words(result_without_table(n=20, source="wine")), "table", "no more samples")
