"""The Sweep lab: which cells there are, what is left to choose, what is refused, and what the presets claim."""

import numpy as np
import pytest

from explorer.labs.study import SUBJECTS
from explorer.labs.sweep import SweepLab
from explorer.labs.sweep_axes import NONE, OWN, stops, swept
from explorer.labs.sweep_compute import cells_key, cost_key
from explorer.labs.sweep_cost import cost
from explorer.labs.sweep_presets import SWEEP
from explorer.labs.sweep_result import Cells
from explorer.labs.sweep_words import headline, seconds
from explorer.labs.sweep_work import Work
from explorer.sweeps import InProcess

SMALL = {"x_from": 0.1, "x_to": 1.0, "x_count": 3, "y_from": 5, "y_to": 10, "y_count": 2, "replicates": 3}


def done(lab, folder):
    """A sweep's result once all of it is done."""
    work = Work(lab, folder, InProcess())
    work()
    lab.keep(work.key, work.cells())
    return lab.result()


@pytest.mark.parametrize("lab", SUBJECTS)
def test_every_lab_opens_with_nothing_left_to_choose(lab):
    here = SweepLab(lab=lab).settled()
    assert here.settled() == here
    assert "auto" not in here.flat().values()
    assert [each.name for each in here.axes] == list(SUBJECTS[lab].axes)
    assert here.size == np.prod([len(each.values) for each in here.axes]) * here.replicates


@pytest.mark.parametrize("lab", SUBJECTS)
def test_every_field_that_can_be_swept_makes_an_axis(lab):
    for name in swept(lab):
        (axis,) = SweepLab(lab=lab, x=name, y=NONE).axes
        assert set(axis.values) <= set(stops(lab, name))
        assert len(axis.values) > 1
        assert not set(axis.values) & set(OWN)


def test_values_are_stops_between_the_ends_which_may_be_typed():
    (axis,) = SweepLab(x="n", x_from=7, x_to=33, x_count=100, y=NONE).axes
    assert axis.values == (7, 8, 10, 12, 15, 20, 25, 30, 33)
    assert all(type(value) is int for value in axis.values)
    (axis,) = SweepLab(x="n", x_from=7, x_to=33, x_count=3, y=NONE).axes
    assert axis.values == (7, 15, 33)
    (axis,) = SweepLab(x="lam", x_from=0.001, x_to=10, x_count=5, y=NONE).axes
    assert axis.values == (0.001, 0.01, 0.1, 1.0, 10.0)
    assert axis.called == "lam (λ)"
    (axis,) = SweepLab(lab="dna", x="normalized", y=NONE).axes
    assert axis.words == ["false", "true"]


@pytest.mark.parametrize(
    ("fields", "said"),
    [
        ({"x": "bogus"}, "'bogus' cannot be swept in the lab 'shrinkage'; take one of"),
        ({"x": "seed"}, "'seed' cannot be swept"),
        ({"x": "n", "y": "n"}, "both axes are n"),
        ({"x_from": 3, "x_to": 1}, "downwards"),
        ({"x": "n", "x_from": 5.5}, "n must be a whole number"),
        ({"x": "n", "x_from": -4}, "n must be a whole number of at least 2"),
        ({"at": "bogus"}, "no preset 'bogus'"),
        ({"measure": "bogus"}, "no number of the lab"),
        ({"replicates": 10_000, "x_count": 10}, "more than the 100,000"),
    ],
)
def test_what_is_no_sweep_is_refused_with_a_sentence(fields, said):
    with pytest.raises(ValueError, match=said):
        SweepLab(**fields)
    lab = SweepLab()
    before = lab.values()
    with pytest.raises(ValueError, match=said):
        lab.move(**fields)
    assert lab.values() == before


def test_another_lab_or_field_is_chosen_for_anew():
    lab = SweepLab(**SMALL, picked=2).settled()
    lab.move(y="d")
    assert (lab.y, lab.y_from, lab.y_to, lab.picked) == ("d", 1, 100, 0)
    assert (lab.x_from, lab.x_to) == (0.1, 1.0)
    lab.move(lab="monk")
    assert (lab.x, lab.y, lab.measure) == ("outliers", "blocks", "MONK's error")
    assert lab.replicates == 3


def test_a_link_may_say_as_little_as_the_lab():
    lab, refused = SweepLab.from_flat({"lab": "monk", "x": "n", "y": "none"})
    assert refused == []
    assert (lab.x, lab.x_from, lab.x_to, lab.y) == ("n", 20, 500, "none")
    lab, refused = SweepLab.from_flat({"x": "n", "x_from": "500", "x_to": "900", "y": "n"})
    assert (lab.x_from, lab.x_to, lab.y) == (500, 900, "bandwidth")
    assert len(refused) == 1


def test_a_preset_of_the_lab_lends_its_fields_but_not_those_swept():
    study = SweepLab(at="Ten coordinates", x="mean").study
    assert study.fields == {"source": "gaussian", "kernel": "LIN", "d": 10}
    assert SweepLab(lab="twosample", at="Masked by one stray").study.fields == {"kernel": "POLY2", "outliers": 1}


def test_a_sweep_is_kept_while_only_the_measure_changes_and_anew_with_its_cells(tmp_path):
    lab = SweepLab(**SMALL).settled()
    result = done(lab, tmp_path)
    assert result.whole
    assert np.isfinite(result.quartiles).all()
    key = cells_key(lab)
    lab.move(measure="best lambda, S-KMSE", picked=3)
    assert lab.result().whole
    for change in ({"replicates": 4}, {"seed": 2}, {"paired": False}, {"y": "none"}, {"at": "Ten coordinates"}):
        assert cells_key(lab.replace(**change)) != key


def test_quartiles_are_numpy_s_also_of_some_replicates():
    lab = SweepLab(**{**SMALL, "replicates": 7}).settled()
    numbers = np.random.default_rng(0).normal(size=42)
    numbers[[0, 1, 9, *range(14, 21)]] = np.nan
    lab.keep(cells_key(lab), Cells({lab.measure: numbers}, ~np.isnan(numbers)))
    result = lab.result()
    cells = numbers.reshape(6, 7)
    for i in (0, 1, 3, 4, 5):
        found = [part.ravel()[i] for part in result.quartiles]
        assert np.allclose(found, np.nanquantile(cells[i], [0.25, 0.5, 0.75]), rtol=1e-14)
    assert np.isnan([part.ravel()[2] for part in result.quartiles]).all()


def test_paired_replicates_have_one_seed_in_every_cell():
    for paired in (True, False):
        grid = SweepLab(**SMALL, paired=paired).result().grid
        seeds = {grid.cell(i)[1] for i in range(grid.size)}
        assert len(seeds) == (3 if paired else grid.size)


def test_a_few_fits_are_timed_and_a_refusal_is_said():
    lab = SweepLab(lab="dna", x="n", x_from=5, x_to=20, y=NONE).settled()
    key, found = lab.more()
    assert key == cost_key(lab)
    price = found(lambda: False)
    assert 0 < price.seconds < 30
    assert "a block needs a pair of reads" in price.refused
    assert cost(lab, lambda: True) is None
    lab.keep(key, price)
    assert lab.result().replicates is price


def test_words_say_before_and_after(tmp_path):
    lab = SweepLab(**SMALL).settled()
    assert "18 fits" in headline(lab.result(), 0)
    result = done(lab, tmp_path)
    assert f"{float(result.quartiles[1].min()):.3g}" in headline(result, 0)
    assert [seconds(t) for t in (0.2, 4.04, 63, 150, 40_000)] == [
        "less than a second",
        "4 s",
        "63 s",
        "2 min",
        "11 hours",
    ]


@pytest.mark.thorough
@pytest.mark.parametrize("preset", SWEEP, ids=lambda preset: preset.name)
def test_presets_keep_their_promise(preset, tmp_path):
    lab = SweepLab(**preset.fields)
    assert lab.settled() == lab
    assert preset.at_least <= done(lab, tmp_path).effects[preset.effect] <= preset.at_most
