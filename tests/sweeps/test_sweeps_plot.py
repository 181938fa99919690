"""`explorer sweep --plot`: one command from a file to a picture; errors come before anything is computed."""

import re
import sys

import numpy as np
import pytest
from helpers.naming import names_all

from explorer.__main__ import main

STUDY = """
import numpy as np

def loss(n, lam, seed):
    e = np.random.default_rng(seed).gamma(5.0, 0.2) / n
    return {"KME": e, "S-KMSE": e / (1 + lam) ** 2 + 0.05 * (lam / (1 + lam)) ** 2}

def never(n, lam, seed):
    raise AssertionError("nothing is to be computed")
"""
TOML = """
study = "plotted_study:{name}"
replicates = 4
[axes]
n = {{start = 10, stop = 1000, num = 3, spacing = "log"}}
lam = {{start = 0.001, stop = 10.0, num = 20, spacing = "log"}}
"""


@pytest.fixture
def folder(tmp_path, monkeypatch):
    """Create a folder with a study of 240 cells on two axes, and one that must not be run."""
    monkeypatch.setattr(sys, "path", [*sys.path])  # the command adds the file's folder to sys.path
    (tmp_path / "plotted_study.py").write_text(STUDY)
    for name in ("loss", "never"):
        (tmp_path / f"{name}.toml").write_text(TOML.format(name=name))
    yield tmp_path
    sys.modules.pop("plotted_study", None)


def test_one_command_from_a_file_to_a_picture(folder, capsys):
    path, store = folder / "out.html", folder / "out.nc"
    main(["sweep", str(folder / "loss.toml"), "--executor", "serial", "--plot", str(path), "--store", str(store)])
    assert capsys.readouterr().out == ""
    import xarray

    with xarray.open_dataset(store) as data:
        assert data["KME"].size == 240
    text = path.read_text()
    assert "<title>loss</title>" in text
    assert "mean and 95 % interval of 4 replicates" in text
    assert not re.findall(r"<script[^>]+src|<link", text)


REFUSED = [
    (["--plot", "out.gif"], "a picture is a file that ends in .html, .pdf, .svg or .png, not 'out.gif'."),
    (["--plot", "out.html", "--width", "85"], "--width is for a --plot that ends in .pdf, .svg or .png."),
    (["--plot", "out.pdf", "--width", "5"], "width must be a number of mm from 20 to 1000, not 5.0."),
    (["--width", "85"], "--width is for the picture; name its file too: --plot out.html."),
    (["--plot", "nowhere/out.html"], "the folder nowhere does not exist; make it first."),
    (["--plot", "out.html", "--by", "m"], "--by must be an axis of the sweep, one of n, lam, not 'm'."),
    (["--col", "n"], "--col is for the picture; name its file too: --plot out.html."),
    (["--value", "KME"], "--value is for the picture; name its file too: --plot out.html."),
]


@pytest.mark.parametrize(("options", "sentence"), REFUSED)
def test_a_picture_that_cannot_be_is_a_sentence_before_anything_is_computed(folder, capsys, options, sentence):
    with pytest.raises(SystemExit) as caught:
        main(["sweep", str(folder / "never.toml"), "--executor", "serial", *options])
    assert caught.value.code == 2
    assert capsys.readouterr().err == f"explorer sweep: {sentence}\n"


def test_png_without_matplotlib_says_what_to_install(folder, capsys, monkeypatch):
    from explorer.plotting import files

    monkeypatch.setattr(files, "find_spec", lambda name: None)
    with pytest.raises(SystemExit):
        main(["sweep", str(folder / "never.toml"), "--executor", "serial", "--plot", str(folder / "out.png")])
    assert names_all(capsys.readouterr().err, "pip install 'kernel-mean-explorer[pictures]'", ".html")


def test_a_number_that_is_not_there_ends_the_sweep_with_its_first_cells(folder, capsys):
    store = folder / "out.nc"
    command = ["sweep", str(folder / "loss.toml"), "--executor", "serial", "--store", str(store)]
    with pytest.raises(SystemExit):
        main([*command, "--plot", str(folder / "out.html"), "--value", "loss"])
    assert names_all(capsys.readouterr().err, "value", "KME", "S-KMSE", "'loss'")
    import xarray

    with xarray.open_dataset(store) as data:
        assert 0 < int(data["computed"].sum()) < 240
        assert not (np.isfinite(data["KME"]) & (data["computed"] == 0)).any()
