"""A store after bytes of it were changed or lost: an error message, or the numbers of an undisturbed sweep."""

import json
import os
import random
import resource
import subprocess
import sys
import warnings
from pathlib import Path

import numpy as np
import pytest
import xarray
from helpers.naming import names_all, naming
from killed_sweeps import CELLS
from studies import slow

from explorer import sweep
from explorer.checks import ExplorerWarning
from explorer.sweeps import InProcess, planned
from explorer.sweeps.header import Area, Damaged, header_of

AXES = {"n": [1, 5], "name": ["a", "bc"]}


def study(n, name, seed):
    return {"mean": n / 3, "half": seed / 2}


@pytest.fixture
def store(tmp_path):
    """Return a complete store; `study` computes two numbers in each of its eight cells."""
    swept(tmp_path / "s.nc")
    return tmp_path / "s.nc"


def swept(path):
    return sweep(study, AXES, 2, executor=InProcess(), store=path, progress=False)


def areas(path):
    """Return the position of each variable of a file; everything else is the header."""
    file = os.open(path, os.O_RDONLY)
    variables = header_of(file).variables
    os.close(file)
    return variables


def flipped(path, at, mask):
    content = bytearray(path.read_bytes())
    content[at] ^= mask
    path.write_bytes(content)


def resumed(path):
    """Return (the data set that a store gives, the warning or refusal, or an empty text)."""
    with warnings.catch_warnings(record=True) as told:
        warnings.simplefilter("always")
        try:
            data = swept(path)
        except (ValueError, FileExistsError) as refusal:
            return None, str(refusal)
    assert all(each.category is ExplorerWarning for each in told)
    return data, "".join(str(each.message) for each in told)


@pytest.mark.parametrize("stride", [pytest.param(1, marks=pytest.mark.thorough), 23], ids=["every byte", "some bytes"])
def test_a_byte_that_is_flipped_is_noticed(store, stride):
    """Damage to a number, a flag or a checksum: the cell is computed again, with a warning. Elsewhere: a refusal."""
    whole, variables, undisturbed = store.read_bytes(), areas(store), swept(store)
    of_cells = [area for name, area in variables.items() if name in ("mean", "half", "computed", "checksum")]
    counts = {"cell": 0, "rest": 0}
    for at in range(0, len(whole), stride):
        store.write_bytes(whole)
        flipped(store, at, 1 << at % 7 + 1)  # not the flag's own bit, which has another test
        data, said = resumed(store)
        if any(area.start <= at < area.start + area.size for area in of_cells):
            counts["cell"] += 1
            assert names_all(said, "1", "8")
            assert data.identical(undisturbed)
            assert store.read_bytes() == whole
        else:
            counts["rest"] += 1
            assert data is None
            assert "choose another name" in said
    assert counts["cell"] >= 5
    assert counts["rest"] >= 20


def test_damaged_cells_are_counted_and_no_others_are_computed(store):
    undisturbed, whole = swept(store), areas(store)
    for cell in (1, 4, 6):
        flipped(store, whole["mean"].start + 8 * cell + 3, 0x10)
    with pytest.warns(ExplorerWarning, match=naming("3 damaged cells of 8")):
        run = planned(study, AXES, 2, executor=InProcess(), store=store)
    with xarray.open_dataset(store) as stored:  # readers do not see damaged numbers either
        assert list(np.flatnonzero(stored.computed.values.ravel() == 0)) == [1, 4, 6]
        assert list(np.flatnonzero(np.isnan(stored["mean"].values.ravel()))) == [1, 4, 6]
    steps = list(run)
    assert (steps[0].done, steps[-1].done, steps[-1].kept) == (5, 8, 5)
    assert run.dataset().identical(undisturbed)
    assert resumed(store)[1] == ""


def test_two_cells_that_are_exchanged_are_noticed(store):
    """Each cell is intact, but in the other one's position."""
    content, lies = bytearray(store.read_bytes()), areas(store)
    for name, size in (("mean", 8), ("half", 8), ("checksum", 4)):
        a, b = lies[name].start, lies[name].start + 5 * size
        content[a : a + size], content[b : b + size] = content[b : b + size], content[a : a + size]
    undisturbed = swept(store)
    store.write_bytes(content)
    data, said = resumed(store)
    assert names_all(said, "2", "8")
    assert data.identical(undisturbed)


def test_a_whole_cell_that_lacks_its_flag_is_given_it(store):
    """A kill may come between a cell's checksum and its flag; the checksum proves its numbers."""
    whole, flag = store.read_bytes(), areas(store)["computed"].start + 3
    flipped(store, flag, 1)
    with xarray.open_dataset(store) as stored:
        assert stored.computed.values.sum() == 7
    data, said = resumed(store)
    assert (said, store.read_bytes()) == ("", whole)
    assert data is not None


@pytest.mark.parametrize("more", [b"\0", b"more"])
def test_a_file_that_has_grown_is_refused(store, more):
    store.write_bytes(store.read_bytes() + more)
    assert names_all(resumed(store)[1], "header", "axes")


def test_a_file_that_is_cut_off_is_refused(store):
    whole = store.read_bytes()
    undisturbed = swept(store)
    for length in [*range(3, len(whole), 41), len(whole) - 1]:
        store.write_bytes(whole[:length])
        data, said = resumed(store)
        assert data is None
        assert names_all(said, "damaged", "cut off")
        assert store.read_bytes() == whole[:length]
    store.write_bytes(b"")  # a sweep that was killed before its first cell leaves an empty file
    data, said = resumed(store)
    assert said == ""
    assert data.identical(undisturbed)


def test_a_store_without_checksums_is_refused(store, monkeypatch):
    monkeypatch.setattr("explorer.sweeps.store.FRAME", "another_name")
    with pytest.raises(ValueError, match="checksums"):
        swept(store)


def test_a_length_that_no_file_has_takes_no_memory(store):
    """The size of a dimension, the number of attributes and the length of the grid's text, each at its maximum."""
    whole = store.read_bytes()
    for at in (whole.index(b"grid") - 4, whole.index(b"grid") + 8, 12, 16, 24):
        store.write_bytes(whole[:at] + b"\x7f\xff\xff\xff" + whole[at + 4 :])
        before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
        assert names_all(resumed(store)[1], "damaged", "cut off")
        grown = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before
        assert grown < 50_000  # KB; if they were trusted, each would take 2 GB


def test_a_kill_at_any_write_leaves_what_came_before(tmp_path, monkeypatch):
    """The file is read after each single write, in the state that a kill would leave."""
    path, real, states = tmp_path / "s.nc", os.pwrite, []

    def writes(file, data, place):
        states.append(path.read_bytes())
        return real(file, data, place)

    with monkeypatch.context() as patch:
        patch.setattr(os, "pwrite", writes)
        undisturbed = swept(path)
    assert len(states) == 3 + 4 * 8  # three for the file, four for each cell
    for content in states:
        path.write_bytes(content)
        data, said = resumed(path)
        assert said == ""
        assert data.identical(undisturbed)


# kills and damage, in other processes

ROUNDS, SEED = 40, 17
LIMIT = 1_000_000  # KB, the memory limit of a process


def harm(path, chance):
    """Change some bytes of a file, anywhere or only in its cells, or truncate it, or do nothing; return which."""
    kind = chance.choice(["anywhere", "cells", "cells", "cut", "none"])
    size = path.stat().st_size if path.exists() else 0
    if size == 0 or kind == "none":
        return "none"
    if kind == "cut":
        os.truncate(path, chance.randrange(size))
        return kind
    places = range(size)
    if kind == "cells":
        places = [at for at in places if any(area.start <= at < area.start + area.size for area in cells_of(path))]
    for _ in range(chance.randint(1, 10)):
        flipped(path, chance.choice(places), chance.randint(1, 255))
    return kind


def cells_of(path):
    """Return the positions of a file's cells, or any position if its header can no longer be read."""
    try:
        variables = areas(path)
        return [variables[name] for name in ("twice", "seed_too", "computed", "checksum")]
    except (Damaged, KeyError):
        return [Area(0, path.stat().st_size)]


@pytest.fixture
def ask(tmp_path):
    """Yield a function that sends a command to a `killed_sweeps` process and returns its answer."""
    command = [sys.executable, str(Path(__file__).with_name("killed_sweeps.py")), str(tmp_path / "first.nc")]
    process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)

    def asked(*words):
        process.stdin.write(json.dumps(words) + "\n")
        process.stdin.flush()
        return json.loads(process.stdout.readline())

    assert process.stdout.readline() == "begun\n"
    yield asked
    process.communicate()


@pytest.mark.thorough
def test_forty_kills_and_damaged_stores(tmp_path, ask):
    """A damaged store gives either an error message or exactly the numbers of an undisturbed sweep."""
    chance, answer = random.Random(SEED), tmp_path / "answer"
    undisturbed = json.loads(json.dumps(sweep(slow, CELLS, executor=InProcess(), progress=False).to_dict()))
    outcomes = dict.fromkeys(["refused", "computed anew", "went on"], 0)
    kills = in_the_middle = 0
    for turn in range(ROUNDS):
        path, executor = tmp_path / f"{turn}.nc", "here" if turn % 8 else "processes"
        for _ in range(chance.choice([1, 1, 2])):  # a sweep with a damaged store may be killed again
            kills += ask("killed", str(path), executor, chance.uniform(0.02, 0.3))  # the sweep takes 0.3 s
            in_the_middle += 0 < flags(path) < len(CELLS["i"])
            kind = harm(path, chance)
        assert ask("finished", str(path), str(answer))  # False if it ended with a traceback
        numbers, said, told, memory = json.loads(answer.read_text())
        outcome = "refused" if said else "computed anew" if told else "went on"
        outcomes[outcome] += 1
        assert memory < LIMIT
        assert (numbers is None) == ("choose another name" in said)
        assert numbers in (None, undisturbed), (turn, kind)
        assert len(told) <= 1
    assert kills >= ROUNDS
    assert in_the_middle >= ROUNDS // 2
    assert min(outcomes.values()) >= 5, outcomes


def flags(path):
    """Return the number of cells of a store by its flags, or 0 if it cannot be read."""
    try:
        area = areas(path)["computed"]
    except (OSError, KeyError, Damaged):
        return 0
    return path.read_bytes()[area.start : area.start + area.size].count(b"\x01")
