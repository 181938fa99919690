"""The README's Python runs: the library's example and the recipes, which give a kernel and an estimator that keep all
promises.
"""

import doctest
import re
import sys
import tomllib
from pathlib import Path
from types import ModuleType

import numpy as np
import pytest
import yaml

from explorer import SKMSE, Gaussian, mmd_test
from explorer.estimators import Estimator
from explorer.kernels import Kernel
from explorer.model import code

ROOT = Path(__file__).parents[2]
README = (ROOT / "README.md").read_text(encoding="utf-8")
X = np.random.default_rng(0).normal(size=(20, 2))


def python_under(heading):
    """The Python blocks between a heading and the next of its level or above."""
    level = heading.split(" ")[0]
    section = README.split(f"\n{heading}\n")[1]
    section = re.split(rf"\n#{{2,{len(level)}}} ", section)[0]
    return re.findall(r"```python\n(.*?)```", section, re.DOTALL)


def recipe(heading, base):
    """The class that a recipe defines, in a module of its own; its docstring's example is true."""
    [source] = python_under(heading)
    module = ModuleType("recipe")
    sys.modules["recipe"] = module
    exec(compile(source, heading, "exec"), vars(module))
    [made] = [
        thing
        for thing in vars(module).values()
        if isinstance(thing, type) and issubclass(thing, base) and thing.__module__ == "recipe"
    ]
    assert doctest.testmod(module).attempted
    assert doctest.testmod(module).failed == 0
    return made


@pytest.fixture
def _no_module_stays():
    yield
    sys.modules.pop("recipe", None)


def test_the_library_s_example_runs(capsys):
    for source in python_under("## The library"):
        exec(compile(source, "README", "exec"), {})
    assert len(capsys.readouterr().out.splitlines()) == 3


@pytest.mark.usefixtures("_no_module_stays")
def test_the_recipe_for_a_kernel():
    made = recipe("### Add a kernel", Kernel)
    kernel = made(2.0)
    assert kernel == made(bandwidth=2.0) == eval(code(kernel), {made.__name__: made})
    assert np.allclose(kernel(X), kernel(X, X))
    assert np.allclose(np.diag(kernel(X)), kernel.diagonal(X))
    assert np.linalg.eigvalsh(kernel(X))[0] > 0
    assert SKMSE(kernel).select(X).lam > 0
    assert 0 < mmd_test(X, X[::-1] + 1, kernel, n_resamples=19, rng=0).pvalue <= 1
    with pytest.raises(ValueError, match="bandwidth must be"):
        made(-1.0)


@pytest.mark.usefixtures("_no_module_stays")
def test_the_recipe_for_an_estimator():
    made = recipe("### Add an estimator", Estimator)
    estimator = made(Gaussian(1.0), share=0.25)
    assert estimator == made(Gaussian(1.0), 0.25)
    contaminated = np.vstack([X, [[50.0, 50.0]] * 2])
    assert np.all(estimator.embed(contaminated).weights[-2:] == 0)
    assert estimator.embed(contaminated).weights.sum() == pytest.approx(1)
    order = np.random.default_rng(1).permutation(len(contaminated))
    assert np.allclose(estimator.embed(contaminated[order]).weights, estimator.embed(contaminated).weights[order])
    assert made().select(X).kernel.bandwidth is not None
    pvalue = mmd_test(X, X[:10] + 2, statistic="biased", estimator=made(), n_resamples=19, rng=0).pvalue
    assert pvalue == pytest.approx(1 / 20)


def test_the_citation_is_of_this_version():
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    citation = yaml.safe_load((ROOT / "CITATION.cff").read_text(encoding="utf-8"))
    assert citation["version"] == project["version"]
    assert citation["license"] == project["license"]
    assert citation["authors"] == [{"name": author["name"]} for author in project["authors"]]
    assert {"cff-version", "message", "title"} <= set(citation)


def test_hooks_run_what_the_developers_extra_installs():
    """Local hooks have no versions of their own."""
    hooks = yaml.safe_load((ROOT / ".pre-commit-config.yaml").read_text(encoding="utf-8"))["repos"]
    extra = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]["optional-dependencies"]
    installed = {re.split(r"[^\w-]", requirement)[0] for requirement in extra["dev"]}
    assert {hook["entry"].split()[0] for repo in hooks for hook in repo["hooks"]} <= installed
