"""Every executor, order and restart gives the same result; labels, errors, and the engine's overhead."""

import random
import threading
from concurrent.futures import BrokenExecutor, Executor, Future, ProcessPoolExecutor, ThreadPoolExecutor
from dataclasses import dataclass
from functools import partial

import numpy as np
import pytest
import xarray
from helpers.naming import names_all, naming
from studies import Awkward, Homebound, Wordless, deadly, faulty, noise, product, slow, troubled

from explorer import KME, SKMSE, Gaussian, GaussianMixture, sweep
from explorer.execution import processors
from explorer.sweeps import Grid, InProcess, planned
from explorer.sweeps.study import identity

AXES = {"n": [1, 3, 10], "scale": [0.5, 2.0]}


class Shuffled(Executor):
    """Executor that returns its results in another order."""

    def __init__(self):
        self.waiting, self.chance = [], random.Random(0)

    def submit(self, function, /, *args):
        future = Future()
        self.waiting.append((future, function, args))
        threading.Timer(0.001, self._run).start()
        return future

    def _run(self):
        future, function, args = self.waiting.pop(self.chance.randrange(len(self.waiting)))
        if future.set_running_or_notify_cancel():
            future.set_result(function(*args))


@pytest.fixture(scope="module")
def serial():
    return sweep(noise, AXES, 3, executor=InProcess())


def test_it_is_a_loop_over_the_cells(serial):
    assert serial.sizes == {"n": 3, "scale": 2, "replicate": 3}
    for n in AXES["n"]:
        for scale in AXES["scale"]:
            for r in range(3):
                at = serial.sel(n=n, scale=scale, replicate=r)
                assert noise(n, scale, int(at.seed)) == {"mean": at["mean"], "norm": at["norm"]}


EXECUTORS = {
    "local": lambda: None,
    "shuffled": Shuffled,
    "threads": lambda: ThreadPoolExecutor(3),
    "pool": lambda: ProcessPoolExecutor(2),
}


@pytest.mark.parametrize("make", EXECUTORS.values(), ids=EXECUTORS)
def test_every_executor_gives_the_same_bits(serial, make):
    executor = make()
    assert sweep(noise, AXES, 3, executor=executor).identical(serial)
    if executor is not None:
        executor.shutdown()


def test_blas_rounds_alike_here_and_there():
    """With two threads, products of this size are summed in another order."""
    axes = {"n": [400]}
    assert sweep(product, axes, 2, executor=InProcess()).identical(sweep(product, axes, 2))


def test_cells_computed_at_once_have_one_processor_each_and_one_alone_has_all(monkeypatch):
    monkeypatch.setattr(processors, "_given", lambda: 8)
    for name in processors.LIMITS:
        monkeypatch.delenv(name, raising=False)

    def study(i, seed):
        return {"threads": float(processors.at_once())}

    axes = {"i": [1, 2]}
    assert (sweep(study, axes, executor=InProcess()).threads == 8).all()
    with ThreadPoolExecutor(2) as pool:
        assert (sweep(study, axes, executor=pool).threads == 1).all()
    assert (sweep(study, axes).threads == 1).all()


def test_a_larger_grid_has_the_numbers_of_the_smaller(serial):
    larger = sweep(noise, {"scale": [2.0, 7.0, 0.5], "n": [10, 1, 3]}, 5, executor=InProcess())
    part = larger.sel(n=AXES["n"], scale=AXES["scale"], replicate=range(3)).transpose(*serial.sizes)
    xarray.testing.assert_equal(part, serial)


@dataclass
class Loss:
    """A study that stores its data."""

    law: GaussianMixture
    at: np.ndarray

    def __call__(self, n, seed):
        return {"value": float(n)}


def test_studies_and_values_that_differ_in_large_parts_are_told_apart():
    """The values have equal abbreviated reprs; names, seeds and the store's key use the full values."""
    laws = [GaussianMixture.random(30, rng=seed) for seed in (0, 1)]
    points = [np.arange(5000.0) + shift for shift in (0, 1)]
    assert repr(laws[0]) == repr(laws[1])
    studies = [Loss(law, at) for law in laws for at in points]
    studies += [partial(noise, law=law) for law in laws] + [partial(noise, laws=[laws[0], law]) for law in laws]
    names = {identity(study)[0] for study in studies}
    assert len(names) == len(studies)
    assert max(map(len, names)) < 2000  # names are stored next to the results
    grid = Grid({"law": laws})
    assert grid.cell(0)[1] != grid.cell(1)[1]
    with pytest.raises(ValueError, match="twice") as refused:
        Grid({"law": [laws[0], laws[0].replace()]})
    assert len(str(refused.value)) < 300


def test_coordinates_have_the_parameters_words():
    def study(lam, estimator, bandwidth, whatever, seed):
        return {"one": 1}

    axes = {SKMSE.param.lam: [0.1, 1.0], "bandwidth": [2.0], "estimator": [KME(), SKMSE(lam=0.5)], "whatever": ["a"]}
    data = sweep(study, axes, executor=InProcess())
    assert data.lam.attrs["symbol"] == SKMSE.param.lam.symbol
    assert data.bandwidth.attrs["symbol"] == Gaussian.param.bandwidth.symbol
    assert list(data.estimator.values) == ["KME()", "SKMSE(lam=0.5)"]
    assert data.whatever.attrs == {}
    assert data.attrs["version"]
    assert data.attrs["seed"] == 0
    assert data.attrs["study"].endswith("study")
    assert len(data.to_dataframe()) == 4


@pytest.mark.parametrize("values", [[True, False], [10**12, 2**53 + 1], [-(2**40), 3], [0.5, 10**12]], ids=str)
def test_an_axis_selects_its_cells_by_the_values_that_were_given(values, tmp_path):
    data = sweep(lambda axis, seed: {"one": float(axis)}, {"axis": values}, executor=InProcess(), progress=False)
    for value in values:
        assert data.sel(axis=value)["one"].item() == float(value)
    assert data["axis"].values.tolist() == values
    if max(values) <= 2**53:
        data.to_netcdf(tmp_path / "sweep.nc", engine="scipy")
        with xarray.open_dataset(tmp_path / "sweep.nc", engine="scipy") as again:
            assert again["axis"].values.tolist() == values


def test_a_study_with_arguments_of_its_own_says_them():
    data = sweep(partial(noise, scale=3.0), {"n": [2]}, executor=InProcess())
    assert data.attrs["study"] == "studies.noise(scale=3.0)"


@pytest.mark.parametrize("executor", [InProcess(), None], ids=["here", "elsewhere"])
def test_what_a_study_raises_comes_with_its_cell(executor):
    with pytest.raises(ArithmeticError, match="three") as caught:
        sweep(faulty, {"n": [1, 2, 3]}, executor=executor)
    assert names_all(caught.value.__notes__[0], "n=3", "seed")


TROUBLES = {
    "Awkward": (RuntimeError, "the study raised Awkward: bread and butter"),
    "Locked": (RuntimeError, "the study raised Locked: the lock is inside"),
    "SystemExit": (RuntimeError, "the study raised SystemExit: enough"),
    "Wordless": (Wordless, ""),
    "2": (OSError, "far below"),
}


@pytest.mark.parametrize(("kind", "error", "text"), [(k, *v) for k, v in TROUBLES.items()], ids=TROUBLES)
def test_what_is_raised_elsewhere_is_told_whether_or_not_it_can_travel(kind, error, text):
    with pytest.raises(error) as caught:
        sweep(partial(troubled, kind=kind), {"n": [1, 2, 3]})
    if error is not Wordless:
        assert str(caught.value) == text
    cell, frames = caught.value.__notes__
    assert names_all(cell, "n=3", "seed")
    assert "in troubled" in frames
    assert "run_batch" not in frames


def test_what_is_raised_here_is_the_exception_itself():
    with pytest.raises(Awkward, match="bread and butter") as caught:
        sweep(partial(troubled, kind="Awkward"), {"n": [3]}, executor=InProcess())
    assert len(caught.value.__notes__) == 1  # the note shows the study's frames


def test_a_traceback_is_told_in_few_lines():
    run = planned(partial(troubled, kind="200"), {"n": [3]}, executor=InProcess())
    with pytest.raises(OSError, match="far below"):
        list(run)
    lines = run.failure.describe("n=3").splitlines()
    assert names_all(lines[0], "OSError", "n=3")
    assert lines[-1] == "OSError: far below"
    assert any(names_all(line, "196") for line in lines)  # 202 frames: three from each end are shown
    assert len(lines) <= 3 + 3 * 6  # a frame has its position, its code, and markers below that


def test_a_broken_executor_of_the_study_s_own_is_the_study_s():
    """The new process is not mistaken for a worker of the killed sweep."""

    def study(n, seed):
        raise BrokenExecutor("mine")

    with pytest.raises(BrokenExecutor) as caught:
        sweep(study, {"n": [3]}, executor=InProcess())
    assert str(caught.value) == "mine"


def test_numbers_that_memory_does_not_hold_are_refused():
    def study(n, seed):
        return {f"number{i}": 0.0 for i in range(51)}

    with pytest.raises(ValueError, match=naming("1,000,000 cells", "51 numbers", "50,000,000")):
        sweep(study, {"n": [0]}, 1_000_000, executor=InProcess())


def test_too_little_memory_is_refused(monkeypatch):
    def full(*_):
        raise MemoryError

    monkeypatch.setattr("explorer.sweeps.study._column", full)
    with pytest.raises(ValueError, match=naming("1 cells", "memory")):
        sweep(noise, {"n": [1], "scale": [1.0]}, executor=InProcess())


def test_other_names_in_another_cell_are_refused():
    with pytest.raises(ValueError, match=naming("m", "k=6", "n")):
        sweep(lambda k, seed: {"n": 1.0} if k < 5 else {"m": 1.0}, {"k": [1, 6]}, executor=InProcess())


@pytest.mark.parametrize(
    ("answer", "parts"),
    [(3.0, ("dict",)), ({}, ("dict",)), ({"a": "b"}, ("'a'", "'b'")), ({1: 2.0}, ("strings",))],
)
def test_another_answer_than_a_dict_of_numbers_is_refused(answer, parts):
    with pytest.raises(TypeError, match=naming(*parts)):
        sweep(lambda n, seed: answer, {"n": [1]}, executor=InProcess())


def test_a_number_with_the_name_of_an_axis_is_refused():
    with pytest.raises(ValueError, match=naming("'n'")):
        sweep(lambda n, seed: {"n": 1.0}, {"n": [1]}, executor=InProcess())


def test_a_study_that_cannot_be_pickled_is_refused():
    lock = threading.Lock()
    with pytest.raises(TypeError, match="process"):
        sweep(lambda n, seed: {"one": lock.locked()}, {"n": [1]})
    assert sweep(lambda n, seed: {"one": lock.locked()}, {"n": [1]}, executor=InProcess()).one.item() == 0.0


def test_a_study_that_is_not_a_function_is_refused():
    with pytest.raises(TypeError, match=naming("study", "function")):
        sweep("noise", {"n": [1]})


def test_a_worker_that_is_killed_is_replaced(tmp_path):
    data = sweep(partial(deadly, flag=str(tmp_path / "flag")), {"i": list(range(20))})
    assert (data.twice.squeeze() == 2 * np.arange(20)).all()


@pytest.mark.thorough
def test_a_study_that_workers_cannot_load_is_no_worker_that_was_killed():
    with pytest.raises(BrokenExecutor, match=naming("ImportError: not from here", "0 of 2 cells")):
        sweep(Homebound(), {"n": [1, 2]})


def test_stop_keeps_what_is_done():
    run = planned(slow, {"i": list(range(49))}, executor=InProcess())
    for step in run:
        if step.done >= 5:
            run.stop()
    kept = np.isfinite(run.dataset().twice.values).sum()
    assert 5 <= kept < 49
    assert kept == step.done


def test_progress_has_a_rate_and_an_end():
    steps = list(planned(noise, AXES, executor=InProcess()))
    assert steps[0].done == 0
    assert steps[0].remaining == np.inf
    assert steps[-1].done == steps[-1].total == 6
    assert steps[-1].remaining == 0
    assert steps[-1].rate == pytest.approx(6 / steps[-1].seconds)


def test_a_bar_shows_on_a_terminal(capsys, monkeypatch):
    monkeypatch.setattr("sys.stderr.isatty", lambda: True, raising=False)
    sweep(noise, AXES, executor=InProcess())
    assert "6/6" in capsys.readouterr().err
    sweep(noise, AXES, executor=InProcess(), progress=False)
    assert capsys.readouterr().err == ""


def test_what_a_sweep_returns_is_saved_by_its_own_method(tmp_path):
    data = sweep(product, {"n": [10, 100]}, replicates=3, executor=InProcess(), progress=False)
    data.to_netcdf(tmp_path / "out.nc")
    with xarray.open_dataset(tmp_path / "out.nc") as again:
        assert list(again.data_vars) == list(data.data_vars)
        for name in (*data.data_vars, *data.coords):
            assert np.array_equal(again[name], data[name])  # seeds of 32 bits are exact, too
