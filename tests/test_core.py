"""The package without the libraries of its pages: the mathematics works, and a page names what to install."""

import subprocess
import sys
import tomllib

import pytest
from release.core_distribution import ROOT, metadata

from explorer.public_names.missing_packages import NEEDED, MissingPackage, naming_what_to_install

PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
LEFT_OUT = sorted({*NEEDED, "numba", "llvmlite", "python_calamine", "joblib"})
BLOCKED = f"""
import sys

class Absent:
    def find_spec(self, name, path=None, target=None):
        if name.partition(".")[0] in {LEFT_OUT}:
            raise ModuleNotFoundError(f"No module named {{name!r}}", name=name)

sys.meta_path.insert(0, Absent())
import numpy as np
import explorer
X, Y = np.random.default_rng(0).normal(size=(2, 40, 2))
"""
WORKS = [
    "all(getattr(explorer, name) for name in explorer.__all__)",
    "explorer.mmd_test(X, Y, n_resamples=19, rng=0)._repr_html_()",
    "explorer.hsic_test(X, Y, n_resamples=19, rng=0)",
    "explorer.hsicagg_test(X, Y, n_resamples=19, rng=0)",
    "explorer.kci_test(X, Y, X, n_resamples=19, rng=0)",
    "explorer.FKMSE().select(X).embed(X)",
    "explorer.KernelPCA(n_components=2).fit(X).transform(Y)",
    "explorer.ConditionalEmbedding().fit(X, Y).predict(X)",
    "explorer.compare(X, Y, n_resamples=19, rng=0)",
    "explorer.scan(X, n_resamples=19, rng=0)",
    "explorer.Sketch.of(X, explorer.Gaussian(1.0), features=20)",
    "explorer.read_table(b'a,b\\n1,2\\n2,3\\n')",
    "explorer.save(explorer.mmd_test(X, Y, n_resamples=19, rng=0), 'test.svg')",
    "explorer.__main__.main(['list', 'kernels'])",
]
REFUSED = {
    "explorer.plot(explorer.mmd_test(X, Y, n_resamples=19, rng=0))": "pages, plots and labs need it",
    "explorer.explore(explorer.SKMSE())": "kernel-mean-explorer-core[all]",
    "explorer.pages": "kernel-mean-explorer-core[all]",
    "explorer.MixtureDensity().fit(X)": "pip install scikit-learn",
}


def run(code, folder):
    options = {"capture_output": True, "text": True, "cwd": folder}
    return subprocess.run([sys.executable, "-W", "ignore", "-c", BLOCKED + code], **options)


def test_the_mathematics_needs_none_of_them(tmp_path):
    done = run("import explorer.__main__\n" + "\n".join(WORKS), tmp_path)
    assert done.returncode == 0, done.stderr


def test_what_needs_one_says_what_to_install(tmp_path):
    tries = "\n".join(
        f"try:\n    {call}\nexcept ModuleNotFoundError as error:\n    print(type(error).__name__, error)"
        for call in REFUSED
    )
    lines = run(tries, tmp_path).stdout.splitlines()
    assert len(lines) == len(REFUSED)
    for line, said in zip(lines, REFUSED.values(), strict=True):
        assert line.startswith("MissingPackage ")
        assert said in line


def test_a_command_says_it_in_a_line(tmp_path):
    done = run("import explorer.__main__; explorer.__main__.main(['serve', '--no-open'])", tmp_path)
    assert done.returncode == 2
    assert "python -m pip install 'kernel-mean-explorer-core[all]'" in done.stderr
    assert "Traceback" not in done.stderr


def test_other_modules_are_missing_as_before():
    with pytest.raises(ModuleNotFoundError) as caught, naming_what_to_install():
        import nothing_of_this_name  # noqa: F401
    assert not isinstance(caught.value, MissingPackage)


def test_its_metadata_has_every_dependency_once():
    made = tomllib.loads(metadata((ROOT / "pyproject.toml").read_text(encoding="utf-8")))
    light, extras = made["project"]["dependencies"], made["project"]["optional-dependencies"]
    assert sorted(light + extras["all"]) == sorted(PROJECT["project"]["dependencies"])
    assert len(light) == len(PROJECT["tool"]["explorer"]["core"])
    assert made["project"]["name"] == "kernel-mean-explorer-core"
    assert made["project"]["scripts"] == PROJECT["project"]["scripts"]
    assert "entry-points" not in made["project"]
    others = {name: each for name, each in PROJECT["project"]["optional-dependencies"].items() if name != "dev"}
    assert extras == {"all": extras["all"], **others}
    assert made["tool"]["hatch"] == PROJECT["tool"]["hatch"]
