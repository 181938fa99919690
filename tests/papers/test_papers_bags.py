"""Table 2 of paper 002 and the article's regression: one draw by the public API and step by step, and their claims."""

import pickle

import numpy as np
import pytest
from helpers.naming import naming
from sklearn.datasets import load_digits
from sklearn.metrics import roc_auc_score

from explorer import SKMSE, DistributionRegression, Gaussian, LevelTwo, OneClassSMM, bag_gram
from explorer.checks import Refusal
from explorer.papers.bags import machines, regression, table_2
from explorer.papers.bags.claims import PRINTED, gain
from explorer.papers.bags.machines import ESTIMATORS, KERNELS, TABLE_2, TASKS, digits, groups, ink, of_bags
from explorer.papers.bags.regression import BAGS, CONSTANT, LINEAR, MEAN, NONLINEAR, REGRESSION, draw_bags
from explorer.papers.catalogue import ENTRIES
from explorer.papers.entry import Cell
from explorer.rng import stream

MACHINES, NUMBERS = ENTRIES["shrinkage-table-2"], ENTRIES["article-regression"]


@pytest.fixture(autouse=True)
def small(monkeypatch):
    """Use fewer bags, and one bandwidth."""
    for name, value in (("LEARNT", 30), ("JUDGED", 30), ("GROUPS", 15), ("BANDWIDTHS", (0.5,)), ("NUS", (0.1,))):
        monkeypatch.setattr(machines, name, value)


def test_ink_is_where_the_image_has_it():
    image = load_digits().images[3]
    points = np.concatenate([ink(image, np.random.default_rng(i)) for i in range(500)])
    counts, _, _ = np.histogram2d(*points.T, bins=[np.arange(9)] * 2)
    expected = image / image.sum() * len(points)
    assert (counts[image == 0] == 0).all()
    assert (np.abs(counts - expected) <= 4.5 * np.sqrt(expected) + 1e-9).all()


def test_odd_groups_have_no_odd_points():
    """Usual and odd bags share the three places; their shares of them differ."""
    learnt, judged, y, truth = groups(1)
    assert y is None
    assert (len(learnt), len(judged)) == (15, 30)
    near = [np.mean(np.linalg.norm(bag - machines.PLACES[2], axis=1) < 1) for bag in judged]
    assert np.mean(np.array(near)[truth == 0]) > np.mean(np.array(near)[truth == 1]) + 0.1


def test_a_one_class_score_is_the_front_door_s():
    learnt, judged, _, truth = groups(2)
    kernel = Gaussian(0.5 * Gaussian().select(np.concatenate(learnt)).bandwidth)
    for name, level_two in (("linear", LevelTwo()), ("gaussian", LevelTwo("gaussian"))):
        machine = OneClassSMM(kernel, level_two, 0.1, SKMSE()).fit(learnt)
        expected = roc_auc_score(truth, machine.decision_function(judged))
        assert table_2("OCSMM", 2)[f"S-KMSE, {name}"] == pytest.approx(expected, abs=1e-12)


def test_a_gram_matrix_of_bags_has_the_scale_of_those_that_are_learnt_from():
    learnt, judged, y, truth = digits(0)
    assert (len(learnt), len(judged), len(y), len(truth)) == (30, 30, 30, 30)
    G = bag_gram([*learnt, *judged], Gaussian(2.0))
    K = of_bags(G, "gaussian", 30)
    d = np.sqrt(np.maximum(G.diagonal()[:, None] + G.diagonal() - 2 * G, 0))
    scale = np.median(d[:30, :30][np.triu_indices(30, 1)])
    np.testing.assert_allclose(K, np.exp(-(d[:, :30] ** 2) / (2 * scale**2)), atol=1e-12)
    np.testing.assert_array_equal(of_bags(G, "linear", 30), G[:, :30])


@pytest.mark.parametrize("task", TASKS)
def test_a_draw_is_a_seed_s(task):
    first = table_2(task, 4)
    assert first == table_2(task, np.int64(4))
    assert list(first) == [f"{name}, {kernel}" for name in ESTIMATORS for kernel in KERNELS]
    assert all(type(value) is float and 0 <= value <= 1 for value in first.values())
    assert pickle.loads(pickle.dumps(table_2)) is table_2


def test_digits_are_learnt_better_than_by_chance():
    assert table_2("SMM", 0)["KME, linear"] > 0.15  # ten classes


# regression ----------------------------------------------------------------------------------------------------------


def test_numbers_are_those_of_the_distributions():
    bags, y = draw_bags("variance", 5, 40_000, stream(0, "variance"))
    # a gamma variance of 40000 points of excess kurtosis up to 6: (6 + 2) / 40000 is its squared relative error
    np.testing.assert_allclose([bag.var() for bag in bags], y, rtol=4.5 * np.sqrt(8 / 40_000))
    bags, y = draw_bags("entropy", 5, 40_000, stream(0, "entropy"))
    plug_in = [0.5 * np.log(2 * np.pi * np.e * bag[:, 0].var()) for bag in bags]
    np.testing.assert_allclose(plug_in, y, atol=4.5 * np.sqrt(0.5 / 40_000))


def test_a_draw_s_errors_are_the_front_door_s():
    bags, y = draw_bags("entropy", 2 * BAGS, 12, stream(3, "entropy"))
    middle = y[:BAGS].mean()
    kernel = Gaussian(0.5 * Gaussian().select(np.concatenate(bags[:BAGS])).bandwidth)
    found = regression("entropy", 12, 3)
    for name, level_two in ((LINEAR, LevelTwo()), (NONLINEAR, LevelTwo("gaussian"))):
        fit = DistributionRegression(kernel, level_two).fit(bags[:BAGS], y[:BAGS] - middle)
        error = np.mean((fit.predict(bags[BAGS:]) + middle - y[BAGS:]) ** 2) / y[BAGS:].var()
        assert found[name] == pytest.approx(error, rel=1e-9)
    assert found[CONSTANT] == pytest.approx(np.mean((middle - y[BAGS:]) ** 2) / y[BAGS:].var())


@pytest.mark.parametrize("task", ["entropy", "variance", "aerosol"])
def test_bags_say_more_than_their_means(task):
    found = regression(task, 30, 1)
    assert found[NONLINEAR] < 0.6 * min(found[MEAN], found[CONSTANT])


# claims --------------------------------------------------------------------------------------------------------------


def cells_with_gain(gain):
    """Return cells in which S-KMSE gains `gain` over KME, and F-KMSE nothing."""
    rng, found = np.random.default_rng(0), []
    for task in TASKS:
        table = {}
        for kernel in KERNELS:
            plain = 0.7 + 0.03 * rng.normal(size=40)
            table[f"KME, {kernel}"] = plain
            table[f"S-KMSE, {kernel}"] = plain + gain + 0.002 * rng.normal(size=40)
            table[f"F-KMSE, {kernel}"] = plain + 0.002 * rng.normal(size=40) - 0.01
        found.append(Cell({"task": task}, table))
    return found


def test_the_verdicts_follow_the_cells():
    words = [finding.word for finding in MACHINES.findings(cells_with_gain(0.02))]
    assert words == ["holds", "holds", "fails", "fails", "holds", "holds"]
    assert [finding.word for finding in MACHINES.findings(cells_with_gain(0.2))][-2:] == ["fails", "holds"]
    assert gain("S-KMSE").cases(cells_with_gain(0.02))[0].effect(0.95).value == pytest.approx(0.02, abs=0.002)
    assert MACHINES.findings([])[0].word == "undecided"


def test_the_verdicts_on_regression_follow_the_cells():
    def cells(error):
        rng, found = np.random.default_rng(0), []
        for task in ("entropy", "variance", "aerosol"):
            for n in (10, 100):
                noise = 1 + 0.05 * rng.normal(size=(4, 30))
                levels = (1.0, 0.9, error * (10 / n) ** 0.5, error * (10 / n) ** 0.5)
                names = (CONSTANT, MEAN, LINEAR, NONLINEAR)
                table = {name: level * each for name, level, each in zip(names, levels, noise, strict=True)}
                found.append(Cell({"task": task, "n": n}, table))
        return found

    assert [finding.word for finding in NUMBERS.findings(cells(0.4))] == ["holds"] * 5
    assert [finding.word for finding in NUMBERS.findings(cells(4.0))][:3] == ["fails"] * 3


def test_the_printed_table_stands_beside_ours():
    compared = MACHINES.printed(cells_with_gain(0.02))
    assert len(compared.rows) == len(PRINTED)
    assert compared.rows[0][:2] == ("SMM, linear", "0.5432")
    assert all(len(row) == len(compared.columns) for row in compared.rows)


def test_the_grids_are_cells_of_the_studies():
    assert all(set(grid.axes) == {"task"} for size in ("fast", "full") for grid in TABLE_2[size])
    assert all(set(grid.axes) == {"task", "n"} for size in ("fast", "full") for grid in REGRESSION[size])
    assert MACHINES.needs("full") == NUMBERS.needs("full") == ()


@pytest.mark.parametrize(
    ("act", "parts"),
    [
        (lambda: table_2("SVM"), ("task", "SMM", "OCSMM")),
        (lambda: table_2("SMM", -1), ("seed", "0")),
        (lambda: regression("clouds", 5), ("task", "entropy", "variance", "aerosol")),
        (lambda: regression("entropy", 1), ("n", "2")),
    ],
)
def test_bad_arguments_get_a_sentence(act, parts):
    with pytest.raises(Refusal, match=naming(*parts)):
        act()
