"""The Sweep lab: which cells there are, what is left to choose, what is refused, and how long it will take."""

from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest
from every_lab import SMALL_SWEEP as SMALL
from every_lab import finished_sweep as run
from helpers.naming import names_all, naming

from explorer.execution.processors import usable
from explorer.labs.sweep import SweepLab
from explorer.labs.sweep.running import Cells, Cost, SweepRun, cost_of
from explorer.labs.sweep.starting import START
from explorer.labs.sweep.words import budget, headline, progress, seconds
from explorer.sweeps import InProcess
from explorer.sweeps.executors import are_started
from explorer.workbench.axes import NONE, OWN, stops, swept
from explorer.workbench.study import subject, subjects


def small(**fields):
    return SweepLab(**{**SMALL, **fields}).settled()


# the cells


@pytest.mark.parametrize("lab", subjects())
def test_every_lab_opens_with_nothing_left_to_choose_and_every_field_makes_an_axis(lab):
    here = SweepLab(lab=lab).settled()
    assert here.settled() == here
    assert "auto" not in here.flat().values()
    assert [each.name for each in here.axes] == list(subject(lab).axes)
    assert here.size == np.prod([len(each.values) for each in here.axes]) * here.replicates
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
    assert (axis.values, axis.called) == ((0.001, 0.01, 0.1, 1.0, 10.0), "λ")
    (axis,) = SweepLab(lab="dna", x="normalized", y=NONE).axes
    assert axis.words == ("no", "yes")


@pytest.mark.parametrize(
    ("fields", "said"),
    [
        ({"x": "bogus"}, naming("bogus", "shrinkage", "bandwidth")),
        ({"x": "seed"}, naming("seed", "shrinkage")),
        ({"x": "n", "y": "n"}, naming("n", "none")),
        ({"x_from": 3, "x_to": 1}, "downwards"),
        ({"x": "n", "x_from": 5.5}, naming("n", "whole")),
        ({"x": "n", "x_from": -4}, naming("n", "whole", 2)),
        ({"at": "bogus"}, naming("preset", "bogus")),
        ({"measure": "bogus"}, naming("number", "bogus")),
        ({"replicates": 10_000, "x_count": 10}, naming("100,000", "explorer sweep")),
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
    lab = small(picked=2)
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


def test_a_preset_of_the_lab_lends_its_fields_but_not_those_swept_and_keeps_its_older_name():
    study = SweepLab(at="Ten coordinates", x="mean").study
    assert study.fields == {"source": "gaussian", "kernel": "LIN", "d": 10}
    for word in ("stray", "outlier"):
        assert SweepLab(lab="twosample", at=f"Masked by one {word}").study.fields == {"kernel": "POLY2", "outliers": 1}
    lab, refused = SweepLab.from_flat({"lab": "twosample", "at": "A crowd of strays"})
    assert (lab.at, refused) == ("A crowd of outliers", [])


# its numbers


def test_a_sweep_is_kept_while_only_the_measure_changes_and_anew_with_its_cells():
    lab = run({})
    key = lab.sweep_key
    assert np.isfinite(lab.result().quartiles).all()
    lab.move(measure="best lambda, S-KMSE", picked=3)
    assert lab.result().whole
    for change in ({"replicates": 4}, {"seed": 2}, {"paired": False}, {"y": "none"}, {"at": "Ten coordinates"}):
        assert lab.replace(**change).sweep_key != key


def test_quartiles_are_numpy_s_also_of_some_replicates():
    """Leave-one-out may choose λ = ∞, and quartiles are finite numbers."""
    lab = small(replicates=7)
    numbers = np.random.default_rng(0).normal(size=42)
    numbers[[0, 1, 9, *range(14, 21)]] = np.nan
    done = ~np.isnan(numbers)
    numbers[[22, 23, *range(35, 42)]] = np.inf
    lab.keep(lab.sweep_key, Cells({lab.measure: numbers}, done))
    quartiles = lab.result().quartiles.reshape(3, 6)
    cells = np.where(np.isfinite(numbers), numbers, np.nan).reshape(6, 7)
    for i in (0, 1, 3, 4):
        assert np.allclose(quartiles[:, i], np.nanquantile(cells[i], [0.25, 0.5, 0.75]), rtol=1e-14)
    assert np.isnan(quartiles[:, [2, 5]]).all()


def test_paired_replicates_have_one_seed_in_every_cell():
    for paired in (True, False):
        grid = SweepLab(**SMALL, paired=paired).result().grid
        seeds = {grid.cell(i)[1] for i in range(grid.size)}
        assert len(seeds) == (3 if paired else grid.size)


def test_of_many_sweeps_those_are_kept_that_came_last():
    lab = small()
    for seed in range(5):
        numbers = np.zeros(2_500_000)
        lab.keep(seed, Cells({"a number": numbers}, np.ones(numbers.shape, bool)))
    assert list(lab.own) == [3, 4]  # 22.5 MB each
    assert lab.replace(seed=7).own is lab.own


def test_words_say_before_and_after():
    assert "18 fits" in headline(small().result(), 0)
    result = run({}).result()
    assert f"There it is {float(result.middle.min()):.3g}; the highest is" in headline(result, 0)
    one = headline(run({"x_to": 0.1, "y": "none"}).result(), 0)  # cell, which has no lowest and highest
    assert " is <b>" in one
    assert "is lowest" not in one
    times = {0.2: "less than a second", 4.04: "4 s", 63: "63 s", 150: "2 min", 40_000: "11 hours"}
    assert [seconds(time) for time in times] == list(times.values())


# how long it takes


@pytest.fixture(autouse=True)
def processes_start_in_six_seconds(monkeypatch):
    """Pretend that a start takes 6 s, without starting a process."""
    monkeypatch.setattr(START, "seconds", 6.0)
    monkeypatch.setattr("explorer.labs.sweep.starting.are_started", lambda: False)


@pytest.mark.parametrize(
    ("start", "fit", "says"),
    [
        (6.0, 0.1, "18 fits, about 6.9 s: 6 s to start 2 processes, less than a second to compute."),
        (6.0, 1.0, "18 fits, about 15 s: 6 s to start 2 processes, 9 s to compute."),
        (0.0, 1.0, "18 fits, about 9 s on 2 cores."),
        (0.2, 0.01, "18 fits, less than a second on 2 cores."),
        (6.0, 0.0, "18 fits. The lab refused every one that was tried."),
    ],
)
def test_the_estimate_counts_the_start_of_processes(monkeypatch, start, fit, says):
    for room in ("starting", "running", "words"):
        monkeypatch.setattr(f"explorer.labs.sweep.{room}.usable", lambda: 2)
    monkeypatch.setattr(START, "seconds", start)
    result = small().result()
    monkeypatch.setattr(type(result), "cost", Cost(fit))
    assert budget(result) == says


def test_processes_that_are_there_are_not_counted_again(monkeypatch):
    assert START.expected == 6.0
    monkeypatch.setattr("explorer.labs.sweep.starting.are_started", lambda: True)
    assert START.expected == 0.0


def test_a_run_measures_how_long_it_waited_for_processes():
    work = SweepRun(small(), executor=InProcess())
    assert progress(work) == "0 fits done."  # nothing starts
    work.waits = True
    assert progress(work) == f"0 fits done; starting {usable()} processes takes about 6 s."
    work()
    assert not work.waits
    assert 0 < START.seconds < 6.0
    assert START.seconds <= work.step.seconds


@pytest.mark.slow
def test_the_start_is_measured_by_processes_that_end_again(monkeypatch):
    monkeypatch.setattr(START, "seconds", None)
    lab, before = small(), are_started()
    with ThreadPoolExecutor(1) as thread:  # as on a page: a script, in the main thread, does not wait for an estimate
        price = thread.submit(cost_of, lab.study, lab.axes, lambda: False).result()
    assert price.seconds < START.seconds < 60  # they load numpy and the lab first
    assert are_started() == before


def test_a_few_fits_are_timed_and_a_refusal_is_said():
    lab = SweepLab(lab="dna", x="n", x_from=5, x_to=20, y=NONE).settled()
    assert lab.result().pending() == ("cost",)
    price = lab.work().finish("cost")
    assert 0 < price.seconds < 30
    assert names_all(price.refused, "block", "pair of reads")
    assert cost_of(lab.study, lab.axes, lambda: True) is None
    lab.move(replicates=7, seed=3, paired=False)
    assert lab.result().cost is price
