"""The command line, command by command: what it prints, what it refuses, and with which exit code it ends."""

import json
import re

import numpy as np
import pytest
import xarray
from helpers.naming import names_all, naming

from explorer import Gaussian, compare, mmd_test, monk_test
from explorer.__main__ import COMMANDS, main
from explorer.sweeps import InProcess, sweep

STUDY = """
import numpy as np

def study(n, scale, seed):
    return {"mean": scale * np.random.default_rng(seed).normal(size=n).mean()}
"""
SPEC = """
study = "a_study:study"
replicates = 3
seed = 5
[axes]
n = [1, 10]
scale = {start = 0.1, stop = 10.0, num = 3, spacing = "log"}
"""


def error_of(capsys, *arguments):
    """Return the sentence that a command ends with."""
    with pytest.raises(SystemExit) as ended:
        main(arguments)
    assert ended.value.code == 2
    return capsys.readouterr().err


@pytest.fixture
def tables(tmp_path):
    """Two files of the same two columns in another order, and their samples."""
    rng = np.random.default_rng(0)
    X, Y = rng.normal(size=(40, 2)), rng.normal((2.0, 0.0), size=(40, 2))
    np.savetxt(tmp_path / "a.csv", X, delimiter=",", header="u,v", comments="", fmt="%.17g")
    np.savetxt(tmp_path / "b.csv", Y[:, ::-1], delimiter=",", header="v,u", comments="", fmt="%.17g")
    return str(tmp_path / "a.csv"), str(tmp_path / "b.csv"), X, Y


@pytest.fixture
def spec(tmp_path):
    (tmp_path / "a_study.py").write_text(STUDY)
    (tmp_path / "study.toml").write_text(SPEC)
    return tmp_path / "study.toml"


def test_the_test_is_the_front_door_s(tables, capsys):
    a, b, X, Y = tables
    main(["test", a, b, "--json", "--permutations", "199", "--seed", "3"])
    said, found = json.loads(capsys.readouterr().out), compare(a, b, n_resamples=199, rng=3)
    assert (said["pvalue"], said["rejected"], said["headline"]) == (found.pvalue, True, found.headline)
    main(["test", a, b, "--json", "--permutations", "199", "--seed", "3", "--kernel", "gaussian"])
    said, result = json.loads(capsys.readouterr().out), mmd_test(X, Y, n_resamples=199, rng=3)
    assert said["statistic"] == result.statistic
    assert said["pvalue"] == result.pvalue
    assert said["rejected"] is True
    assert said["columns"] == ["u", "v"]
    assert said["kernel"] == repr(result.kernel)


def test_its_options_are_the_test_s(tables, capsys):
    a, b, X, Y = tables
    main(["test", a, b, "--json", "--columns", "v", "--bandwidth", "0.5", "--monk", "5"])
    result = monk_test(X[:, 1:], Y[:, 1:], Gaussian(0.5), 5, n_resamples=999, rng=0)
    said = json.loads(capsys.readouterr().out)
    assert (said["statistic"], said["pvalue"]) == (result.statistic, result.pvalue)


def test_both_verdicts_are_sentences_and_no_error(tables, capsys):
    a, b, *_ = tables
    main(["test", a, b])
    assert capsys.readouterr().out.startswith(f"{compare(a, b, rng=0).verdict}\n")
    main(["test", a, b, "--columns", "v", "--kernel", "energy"])
    assert re.search(naming("level 0.05", "v"), capsys.readouterr().out.splitlines()[0])


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (["--level", "2"], "level 0 1 2.0"),
        (["--permutations", "0"], "--n-resamples 1 0"),
        (["--kernel", "linear", "--bandwidth", "1"], "linear --bandwidth"),
        (["--bandwidth", "-1"], "Gaussian.bandwidth -1.0"),
        (["--columns", "w"], "w"),
    ],
)
def test_what_cannot_be_tested_is_a_sentence(tables, capsys, options, said):
    a, b, *_ = tables
    assert re.search(naming(*said.split()), error_of(capsys, "test", a, b, *options))


def test_files_that_are_not_there_or_not_alike_are_sentences(tables, tmp_path, capsys):
    a, *_ = tables
    assert "none.csv" in error_of(capsys, "test", a, str(tmp_path / "none.csv"))
    (tmp_path / "c.csv").write_text("u,w\n1,2\n3,4\n")
    main(["test", a, str(tmp_path / "c.csv"), "--permutations", "19"])
    assert names_all(capsys.readouterr().out, "v (only in a.csv", "w (only in c.csv")
    alone = error_of(capsys, "test", a, str(tmp_path / "c.csv"), "--kernel", "energy")
    assert re.search(naming("a.csv", "u, v", "c.csv", "u, w"), alone)


@pytest.mark.parametrize("executor", ["serial", "processes"])
def test_a_sweep_is_the_library_s(spec, tmp_path, capsys, executor):
    store, rows = tmp_path / "out.nc", tmp_path / "out.csv"
    main(["sweep", str(spec), "--executor", executor, "--store", str(store), "--csv", str(rows)])
    from a_study import study

    data = sweep(study, {"n": [1, 10], "scale": [0.1, 1.0, 10.0]}, 3, executor=InProcess(), seed=5)
    with xarray.open_dataset(store) as stored:
        np.testing.assert_array_equal(stored["mean"], data["mean"])
    header, *lines = rows.read_text().splitlines()
    assert header.split(",") == ["n", "scale", "replicate", "mean", "seed"]
    assert len(lines) == 18
    assert float(lines[0].split(",")[3]) == data["mean"].values.ravel()[0]


def test_without_a_file_the_means_are_printed(spec, capsys):
    main(["sweep", str(spec), "--executor", "serial"])
    assert capsys.readouterr().out.split()[:3] == ["mean", "n", "scale"]


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ('"a_study:study"', '"a_study"', "module:function 'a_study'"),
        ('"a_study:study"', '"no_study:study"', "'no_study'"),
        ('"a_study:study"', '"a_study:other"', "a_study 'other'"),
        ("replicates", "repetitions", "'repetitions' study axes replicates seed"),
        ("[axes]", "[axis]", "'axis' axes"),
        ("seed = 5", "seed = 5 5", "TOML"),
        ("seed = 5", "seed = -5", "seed 0 -5"),
        ("num = 3", "number = 3", "start stop num spacing"),
        ("start = 0.1", "start = 0.0", "0.0 10.0 3"),
        ('"log"', '"square"', "start stop num spacing"),
    ],
)
def test_what_is_no_sweep_is_a_sentence(spec, capsys, old, new, said):
    spec.write_text(SPEC.replace(old, new))
    assert re.search(naming(*said.split()), error_of(capsys, "sweep", str(spec), "--executor", "serial"))


def test_a_cluster_wants_an_address(spec, capsys):
    assert "needs --scheduler" in error_of(capsys, "sweep", str(spec), "--executor", "dask")
    assert "is for --executor dask" in error_of(capsys, "sweep", str(spec), "--scheduler", "tcp://127.0.0.1:1")


def test_the_list_has_every_kind(capsys):
    main(["list"])
    out = capsys.readouterr().out
    assert all(word in out for word in ("/shrinkage", "Gaussian", "SKMSE", "splice"))
    main(["list", "kernels"])
    out = capsys.readouterr().out
    assert "Subsequence" in out
    assert "SKMSE" not in out


def test_the_list_says_fields_as_their_controls_do(capsys):
    main(["list", "labs", "shrinkage"])
    out = capsys.readouterr().out
    assert "'mixture' (mixture of four)" in out
    (line,) = (each for each in out.splitlines() if each.split()[:1] == ["lam"])
    assert names_all(line, "λ", "at least 0", "auto")
    main(["list", "estimators", "FKMSE"])
    assert "'theorem-4' (Theorem 4, as printed)" in capsys.readouterr().out


def test_a_port_that_is_none_is_a_sentence(capsys):
    assert re.search(naming("port", 1, 65535, "'0'"), error_of(capsys, "serve", "--port", "0"))


def test_every_command_says_what_it_is(capsys):
    with pytest.raises(SystemExit) as ended:
        main(["--help"])
    assert ended.value.code == 0
    out = " ".join(capsys.readouterr().out.split())
    assert all(about in out for about in COMMANDS.values())
