"""The guide's recipes, followed to the letter: a kernel and an estimator that keep all promises, and a lab.

test_recipes_as_files.py tests the first two as files of the package.
"""

import importlib
import os
import re
import subprocess
import sys
from urllib.request import urlopen

import numpy as np
import pytest
from helpers.explorer_server import ExplorerServer
from helpers.guide_texts import GUIDE, python_of, recipe, under
from helpers.naming import naming

from explorer import SKMSE, Gaussian, mmd_test
from explorer.estimators import Estimator
from explorer.kernels import Kernel
from explorer.model import code

X = np.random.default_rng(0).normal(size=(20, 2))


@pytest.fixture
def _no_module_stays():
    yield
    sys.modules.pop("recipe", None)


@pytest.mark.usefixtures("_no_module_stays")
def test_the_recipe_for_a_kernel():
    made = recipe("## Add a kernel", Kernel)
    kernel = made(2.0)
    assert kernel == made(bandwidth=2.0) == eval(code(kernel), {made.__name__: made})
    assert np.allclose(kernel(X), kernel(X, X))
    assert np.allclose(np.diag(kernel(X)), kernel.diagonal(X))
    assert np.linalg.eigvalsh(kernel(X))[0] > 0
    assert SKMSE(kernel).select(X).lam > 0
    assert 0 < mmd_test(X, X[::-1] + 1, kernel, n_resamples=19, rng=0).pvalue <= 1
    with pytest.raises(ValueError, match=naming("Cauchy.bandwidth", "-1.0")):
        made(-1.0)


@pytest.mark.usefixtures("_no_module_stays")
def test_the_recipe_for_an_estimator():
    made = recipe("## Add an estimator", Estimator)
    estimator = made(Gaussian(1.0), share=0.25)
    assert estimator == made(Gaussian(1.0), 0.25)
    contaminated = np.vstack([X, [[50.0, 50.0]] * 2])
    assert np.all(estimator.embed(contaminated).weights[-2:] == 0)
    assert estimator.embed(contaminated).weights.sum() == pytest.approx(1)
    order = np.random.default_rng(1).permutation(len(contaminated))
    assert np.allclose(estimator.embed(contaminated[order]).weights, estimator.embed(contaminated).weights[order])
    turns = np.linspace(0, 2 * np.pi, 17)[1:]
    polygon = np.column_stack([np.cos(turns), np.sin(turns)])  # all its corners are equally far out, up to rounding
    assert np.allclose(estimator.embed(polygon).weights, 1 / 16)
    assert made().select(X).kernel.bandwidth is not None
    pvalue = mmd_test(X, X[:10] + 2, statistic="biased", estimator=made(), n_resamples=19, rng=0).pvalue
    assert pvalue == pytest.approx(1 / 20)


# a lab


@pytest.fixture(scope="module")
def sample_lab(tmp_path_factory):
    """Create a folder with the lab of the recipe, written from the guide alone."""
    section = under(GUIDE["recipes"], "## Add a lab")
    pattern = r"`(\w+\.(?:py|toml))`, [^`]*(?:`\w+`[^`]*)*:\n\n```(?:python|toml)\n(.*?)```"
    files = dict(re.findall(pattern, section, re.DOTALL))
    assert len(files) == 8
    folder = tmp_path_factory.mktemp("labs")
    (folder / "mean").mkdir()
    for name, source in files.items():
        (folder / "mean" / name).write_text(source, encoding="utf-8")
    return folder


def run_with_labs(folder, code):
    """Return what Python prints in a process that has the folder's labs."""
    environment = {**os.environ, "EXPLORER_LABS": str(folder)}
    command = [sys.executable, "-W", "error::UserWarning", "-c", code]
    done = subprocess.run(command, capture_output=True, text=True, env=environment)
    assert done.returncode == 0, done.stderr
    return done.stdout.split("\n")


def test_the_recipe_for_a_lab_is_linked_undone_copied_and_pinned(sample_lab):
    said = run_with_labs(
        sample_lab,
        """
from urllib.parse import parse_qsl
from explorer.pages import MeanPage
page = MeanPage({"n": "50"})
page.move("n", n=80)
page.navigation.undo()
print(page.lab.n, dict(parse_qsl(page.link()))["n"])
space = {}
exec(page.python(page.result), space)
print(page.result.measures["distance to the true kernel mean"])
page.chrome.comparison.toggle()
page.move("bandwidth", bandwidth=2.0)
print(page.display.lookup.stamp.table == page.display.lookup.stamp.shown, len(page.display.lookup.stamp.sentences))
page.move("n", n=1)
print(page.controls["n"].trouble.object)
page.chrome.story.open(page.stories[0], 1)
print(page.lab.n, page.chrome.notice.object == "")
for preset in page.presets:
    value = page.lab_class(**preset.fields).result().effects[preset.effect]
    print(preset.at_least <= value <= preset.at_most)
near, much, narrow = page.stories[0].steps
print([step.guess.truth(page.lab_class(**step.fields).result()) for step in (much, narrow)])
print(str(page.explains.__html__()).count("<p><b>"))
""",
    )
    assert said[0] == "50 50"
    assert said[1] == said[2]  # the copied Python printed the screen's number first
    assert said[3] == "True 21"
    assert "at least 2" in said[4]
    assert said[5] == "500 True"
    assert said[6:8] == ["True", "True"]  # the claims of the presets
    assert said[8:10] == ["[0, 1]", "2"]  # the right answers, and the paragraphs of the explanation


def test_every_control_of_the_recipe_for_a_lab_can_be_reached(sample_lab):
    said = run_with_labs(
        sample_lab,
        """
from explorer.pages import MeanPage
from explorer.pages.layout.declarations import DisclosureButton
page = MeanPage({})
page.__panel__()
print([button.label for button in page.arranged.below.select(DisclosureButton)])
""",
    )
    assert said[0] == "['More settings']"


@pytest.mark.parametrize("source", ["normal", "wine"])
def test_the_recipe_for_points_from_a_table(source, tmp_path, monkeypatch, capsys):
    [block] = python_of(under(GUIDE["recipes"], "### Points from a table of the user"))
    (tmp_path / "points_recipe.py").write_text(block, encoding="utf-8")
    monkeypatch.syspath_prepend(tmp_path)
    made = importlib.import_module("points_recipe")
    result = made.PointsLab(source=source, n=40).result()
    exec(made.python(result), {})
    assert float(capsys.readouterr().out) == pytest.approx(result.norm)
    assert (result.law is None) == (source == "wine")
    points = made.numbers(result)["points"]
    assert points.keys() == set(result.names)
    assert all(len(column) == 40 for column in points.values())


@pytest.mark.thorough
def test_the_recipe_for_a_lab_is_exported(sample_lab, tmp_path):
    out = tmp_path / "mean.html"
    said = run_with_labs(
        sample_lab, f"from explorer.__main__ import main\nmain(['export', 'mean', '-o', {str(out)!r}])"
    )
    assert said[0].startswith(f"Wrote {out}, ")
    assert "<title>Kernel mean: " in out.read_text(encoding="utf-8")


@pytest.mark.thorough
def test_the_recipe_for_a_lab_is_swept(sample_lab):
    said = run_with_labs(
        sample_lab,
        """
from explorer import sweep
from explorer.labs import LabStudy
from explorer.sweeps import InProcess
study = LabStudy("mean")
data = sweep(study, {"n": [10, 1000]}, replicates=5, seed=1, executor=InProcess(), progress=False)
few, many = data["distance to the true kernel mean"].median("replicate").values
print(many < few, list(data.data_vars))
from explorer.pages import SweepPage
page = SweepPage({"lab": "mean"})
print([axis.name for axis in page.lab.axes])
""",
    )
    assert said[0] == "True ['distance to the true kernel mean']"
    assert said[1] == "['bandwidth', 'n']"


@pytest.mark.thorough
def test_the_recipe_for_a_lab_is_served(sample_lab, tmp_path):
    server = ExplorerServer(tmp_path / "log", environment={"EXPLORER_LABS": str(sample_lab)})
    try:
        with urlopen(f"{server.url}/mean") as answer:
            assert "Kernel Mean Explorer" in answer.read().decode()
    finally:
        server.stop()
