"""`explorer test` of many rows: what stands for the kernel, and files that are read in pieces."""

import json
from importlib import import_module

import numpy as np
import pandas as pd
import pytest

from explorer.__main__ import main
from explorer.commands import test as command

automatic = import_module("explorer.kernels.low_rank.automatic")


@pytest.fixture
def files(tmp_path):
    for name, n, shift in (("a", 120, 0.0), ("b", 90, 1.0)):
        rng = np.random.default_rng(n)
        frame = pd.DataFrame(
            {"u": rng.normal(shift, 1, n).round(3), "v": rng.normal(size=n).round(3), "w": [f"p{i}" for i in range(n)]}
        )
        frame.to_csv(tmp_path / f"{name}.csv", index=False)
    return [str(tmp_path / "a.csv"), str(tmp_path / "b.csv")]


def said(capsys, *words):
    main(["test", *map(str, words), "--permutations", "99"])
    return capsys.readouterr().out


def refused(capsys, *words):
    with pytest.raises(SystemExit) as ended:
        main(["test", *map(str, words)])
    assert ended.value.code == 2
    return capsys.readouterr().err


@pytest.mark.parametrize("large", [False, True])
def test_a_large_file_has_the_verdict_of_a_small_one(files, capsys, monkeypatch, large):
    if large:
        monkeypatch.setattr(command, "MEGABYTES", 0)
    out = said(capsys, *files)
    assert out.startswith(
        "The two samples differ at the level 0.05, over u, v.\nColumns: u, v in their own units; w is"
    )
    assert "for n = 120 and m = 90 against 99 permutations" in out
    plain = json.loads(said(capsys, *files, "--json"))
    assert (plain["n"], plain["m"], plain["rejected"]) == (120, 90, True)
    assert plain["approximation"].startswith("nystrom of rank " if large else "exact")
    assert plain["error"] >= 0


def test_what_stands_for_the_kernel_is_chosen(files, capsys, monkeypatch):
    exact = json.loads(said(capsys, *files, "--json", "--approximation", "exact"))
    assert (exact["approximation"], exact["error"]) == (None, None)
    monkeypatch.setattr(automatic, "SECONDS", 0.0)
    for name in ("auto", "cholesky", "features"):
        left = json.loads(said(capsys, *files, "--json", "--approximation", name))
        assert left["approximation"].startswith("nystrom" if name == "auto" else name)
        assert abs(left["statistic"] - exact["statistic"]) <= left["error"] + 1e-15


def test_three_files_have_one_verdict_by_landmarks(files, capsys, monkeypatch):
    exact = json.loads(said(capsys, *files, files[0], "--json"))
    monkeypatch.setattr(automatic, "SECONDS", 0.0)
    left = json.loads(said(capsys, *files, files[0], "--json"))
    assert (exact["approximation"], left["approximation"][:7]) == ("exact", "nystrom")
    assert [pair["rejected"] for pair in left["pairs"]] == [pair["rejected"] for pair in exact["pairs"]]
    assert "by --approximation auto or exact, not by features" in refused(
        capsys, *files, files[0], "--approximation", "features"
    )


def test_a_folder_is_one_sample(files, tmp_path, capsys):
    (tmp_path / "days").mkdir()
    frame = pd.read_csv(files[0])
    frame[:50].to_csv(tmp_path / "days" / "1.csv", index=False)
    frame[50:].to_csv(tmp_path / "days" / "2.csv", index=False)
    assert "for n = 120 and m = 90" in said(capsys, tmp_path / "days", files[1])


def test_what_large_files_cannot_have_is_said(files, capsys, monkeypatch):
    monkeypatch.setattr(command, "MEGABYTES", 0)
    assert "are compared two at a time; give two" in refused(capsys, *files, files[0])
    for more in (("--by", "w"), ("--monk", "5"), ("--strict",), ("--within", "w")):
        assert f"{more[0]} is for files of at most 0 MB" in refused(capsys, *files, *more)
    assert "are compared by --approximation auto; leave it out" in refused(
        capsys, *files, "--approximation", "features"
    )
