"""What a store knows of the code that computed it: the sources of a study, what changed, and what is reused."""

import dis
import functools
import importlib
import json
import subprocess
import sys
import textwrap
import time
import warnings
from types import SimpleNamespace

import numpy as np
import pytest
from helpers.naming import names_all, naming

from explorer import sweep
from explorer.checks import ExplorerWarning, Refusal
from explorer.sweeps import InProcess
from explorer.sweeps import sources as sources_module
from explorer.sweeps.sources import changes, sources_of
from explorer.sweeps.store import KEY, Store

MINE = '''
"""The user's module."""
import numpy as np
from explorer import KME

LIMIT = 0.1
SETTINGS = {"trim": 0.2, "parts": [1, 2]}

def trimmed(x):
    """Return x, trimmed."""
    return min(x, LIMIT)

class WinsorKME(KME):
    """A kernel mean."""

    def shrink(self, x):
        return 0.5 * trimmed(x)

def half(x):
    return WinsorKME().shrink(x) + SETTINGS["trim"]
'''
STUDY = """
import functools
import swept_mine
from swept_mine import half

def study(n, seed):
    return {"half": half(n)}

def by_module(n, seed):
    return {"half": swept_mine.half(n)}

def by_import(n, seed):
    from swept_mine import half
    return {"half": half(n)}

def by_name(n, seed):
    return {"half": getattr(swept_mine, "half")(n)}

def factorial(n, seed=0):
    return {"half": 1.0 if n < 2 else n * factorial(n - 1)["half"]}

def odd(n, seed):
    return {"half": 0.0} if n == 0 else even(n - 1, seed)

def even(n, seed):
    return {"half": 1.0} if n == 0 else odd(n - 1, seed)

def made(scale):
    def inner(n, seed):
        return {"half": scale * n}
    return inner

def with_default(n, seed, *, scale=2.0):
    return {"half": scale * n}

@functools.cache
def cached(n, seed):
    return {"half": half(n)}

class Callable:
    def __init__(self, scale):
        self.scale = scale

    def __call__(self, n, seed):
        return {"half": self.scale * half(n)}

    def method(self, n, seed):
        return {"half": self.scale * n}

four, five = lambda n, seed: {"half": 4.0}, lambda n, seed: {"half": half(n)}
"""


class Desk:
    """A folder with two modules of a user, which can be edited and imported again."""

    def __init__(self, folder):
        self.folder = folder
        self.files = {"swept_mine": MINE, "swept_study": STUDY}
        self.store = folder / "s.nc"
        self.counted = 0

    def load(self):
        """Write and import both modules, and return that of the studies."""
        for name, text in self.files.items():
            (self.folder / f"{name}.py").write_text(text)
            sys.modules.pop(name, None)
        importlib.invalidate_caches()
        for cached in (self.folder / "__pycache__").glob("*"):
            cached.unlink()
        return importlib.import_module("swept_study")

    def edit(self, old, new, name="swept_mine"):
        assert old in self.files[name]
        self.files[name] = self.files[name].replace(old, new)
        return self.load()

    def run(self, study, **options):
        """Run a sweep of two cells and return their numbers; `counted` is the number of computed cells."""
        self.counted, desk = 0, self

        class Counting(InProcess):
            def submit(self, function, study, batch, *rest):
                desk.counted += len(batch)
                return super().submit(function, study, batch, *rest)

        axes = options.pop("axes", {"n": [0, 1]})
        data = sweep(study, axes, executor=Counting(), store=self.store, progress=False, **options)
        return data["half"].values.ravel().tolist()


@pytest.fixture
def desk(tmp_path, monkeypatch):
    monkeypatch.syspath_prepend(str(tmp_path))
    yield Desk(tmp_path)
    for name in ("swept_mine", "swept_study"):
        sys.modules.pop(name, None)


EDITS = {  # case: (study, old text, new text, module, what the refusal names)
    "function of another module": ("study", "min(x, LIMIT)", "max(x, LIMIT)", "swept_mine", "trimmed in swept_mine.py"),
    "class that such a function calls": ("study", "0.5 *", "0.6 *", "swept_mine", "WinsorKME in swept_mine.py"),
    "constant": ("study", "LIMIT = 0.1", "LIMIT = 0.3", "swept_mine", "LIMIT in swept_mine.py (0.1, now 0.3)"),
    "dictionary": ("study", '"trim": 0.2', '"trim": 0.3', "swept_mine", "SETTINGS in swept_mine.py"),
    "base class": ("study", "WinsorKME(KME)", "WinsorKME(KME, Extra)", "swept_mine", "WinsorKME in swept_mine.py"),
    "study": ("study", "half(n)}", "half(n) + 1}", "swept_study", "study in swept_study.py"),
    "by an attribute of a module": ("by_module", "min(x", "max(x", "swept_mine", "trimmed in swept_mine.py"),
    "by an import in the function": ("by_import", "min(x", "max(x", "swept_mine", "trimmed in swept_mine.py"),
    "by getattr": ("by_name", "min(x", "max(x", "swept_mine", "trimmed in swept_mine.py"),
    "recursion": ("factorial", "n < 2", "n < 3", "swept_study", "factorial in swept_study.py"),
    "two functions that call each other": (
        "odd",
        '{"half": 1.0}',
        '{"half": 3.0}',
        "swept_study",
        "even in swept_study.py",
    ),
    "keyword default": ("with_default", "scale=2.0", "scale=3.0", "swept_study", "default of scale of with_default"),
    "cached function": ("cached", "min(x", "max(x", "swept_mine", "trimmed in swept_mine.py"),
    "lambda": ("five", "min(x", "max(x", "swept_mine", "trimmed in swept_mine.py"),
}


@pytest.mark.parametrize(("name", "old", "new", "module", "named"), EDITS.values(), ids=EDITS)
def test_what_a_study_reaches_and_what_changed_is_named(desk, name, old, new, module, named):
    if "Extra" in new:
        desk.files["swept_mine"] = MINE.replace("class W", "class Extra:\n    trim = 1\n\nclass W")
    first = desk.run(getattr(desk.load(), name))
    before = desk.store.read_bytes()
    study = getattr(desk.edit(old, new, module), name)
    with pytest.raises(Refusal, match=naming("s.nc", named, "changed since", "reuse=True")):
        desk.run(study)
    assert desk.store.read_bytes() == before
    assert desk.counted == 0
    with pytest.warns(ExplorerWarning, match=naming("reused although", named)):
        assert desk.run(study, reuse=True) == first
    assert desk.counted == 0


@pytest.mark.parametrize(
    ("old", "new", "module"),
    [
        (
            "    return min(x, LIMIT)",
            "    # a remark\n\n    return min(\n        x,\n        LIMIT,\n    )",
            "swept_mine",
        ),
        ('"""Return x, trimmed."""', '"""Return the smaller number."""', "swept_mine"),
        ('    """Return x, trimmed."""\n', "", "swept_mine"),
        ('    """A kernel mean."""\n', '    """Another text."""\n', "swept_mine"),
        ("def trimmed(x):", "def trimmed(x: float) -> float:", "swept_mine"),
        ("def half", "def unrelated():\n    return 1\n\ndef half", "swept_mine"),
        ("factorial(n - 1)", "factorial(n - 2)", "swept_study"),
    ],
    ids=["layout", "docstring", "no docstring", "class docstring", "annotations", "another function", "another study"],
)
def test_what_does_not_change_numbers_does_not_count(desk, old, new, module):
    first = desk.run(desk.load().study)
    study = desk.edit(old, new, module).study
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert desk.run(study) == first
    assert desk.counted == 0


def test_closures_partials_and_objects(desk):
    studies = desk.load()
    cases = [
        (
            studies.made(2.0),
            studies.made(3.0),
            "scale in the closure of made.<locals>.inner in swept_study.py (2.0, now",
        ),
        (studies.Callable(2.0).method, studies.Callable(3.0).method, "scale of the Callable (2.0, now 3.0)"),
        (studies.Callable(2.0), studies.Callable(3.0), "scale of the Callable (2.0, now 3.0)"),
        (functools.partial(studies.Callable(2.0)), functools.partial(studies.Callable(3.0)), "scale of the Callable"),
    ]
    for one, other, named in cases:
        desk.store.unlink(missing_ok=True)
        first = desk.run(one)
        assert desk.run(one) == first
        assert desk.counted == 0
        with pytest.raises(Refusal, match=naming(named)):
            desk.run(other)
    desk.store.unlink()
    partial = functools.partial(studies.with_default, scale=4.0)
    assert desk.run(partial) == desk.run(functools.partial(studies.with_default, scale=4.0))
    with pytest.raises(Refusal, match=naming("scale=4.0", "scale=5.0")):
        desk.run(functools.partial(studies.with_default, scale=5.0))


def test_models_of_the_axes_are_sources(desk):
    study = desk.load().factorial
    mine = sys.modules["swept_mine"]

    def by_model(model, seed):
        return {"half": model.shrink(1.0)}

    first = desk.run(by_model, axes={"model": [mine.WinsorKME()]})
    desk.load()
    assert desk.run(by_model, axes={"model": [sys.modules["swept_mine"].WinsorKME()]}) == first
    desk.edit("0.5 *", "0.7 *")
    with pytest.raises(Refusal, match=naming("WinsorKME in swept_mine.py")):
        desk.run(by_model, axes={"model": [sys.modules["swept_mine"].WinsorKME()]})
    assert study is not None


def test_a_model_in_a_folder_of_the_user_s_models(desk, monkeypatch):
    """Its module is of this library by name, and the user's by its file."""
    from explorer import models

    text = "from explorer import KME\n\nclass HalvedKME(KME):\n    def half(self):\n        return 0.5\n"
    try:
        (desk.folder / "swept_halved.py").write_text(text)
        monkeypatch.setattr(models, "__path__", [*models.__path__, str(desk.folder)])
        from explorer.models.swept_halved import HalvedKME

        assert "HalvedKME in swept_halved.py" in sources_of(lambda seed: HalvedKME())
    finally:
        sys.modules.pop("explorer.models.swept_halved", None)


@pytest.mark.parametrize("package", ["numpy", "scipy", "numba"])
def test_a_package_s_version_counts(desk, monkeypatch, package):
    study = desk.load().study
    desk.run(study)
    real = sources_module._version
    monkeypatch.setattr(sources_module, "_version", lambda name: "9.9" if name == package else real(name))
    with pytest.raises(Refusal, match=naming(f"{package} {real(package)} became 9.9")):
        desk.run(study)


def test_a_package_that_the_user_s_code_imports_counts(desk):
    desk.files["swept_mine"] = MINE.replace("import numpy as np", "import xarray").replace("min(x", "xarray.where(x")
    assert "xarray" in sources_of(desk.load().study)


def test_another_python_is_named_alone():
    stored = {"Python": "3.11", "numpy": "=2.0", "study in a.py": "0" * 32}
    current = {"Python": "3.13", "numpy": "=2.1", "study in a.py": "1" * 32}
    assert names_all(changes(stored, current), "3.11", "3.13")
    assert "study" not in changes(stored, current)


def test_depends_adds_what_code_does_not_name(desk):
    study, data = desk.load().factorial, desk.folder / "data.csv"
    data.write_text("1\n")
    mine = sys.modules["swept_mine"]
    desk.run(study, depends=[data, mine, np.arange(3)])
    desk.run(study, depends=[data, mine, np.arange(3)])
    assert desk.counted == 0
    with pytest.raises(Refusal, match=naming("entry 3 of depends changed")):
        desk.run(study, depends=[data, mine, np.arange(4)])
    data.write_text("2\n")
    with pytest.raises(Refusal, match=naming(str(data), "changed")):
        desk.run(study, depends=[data, mine, np.arange(3)])
    data.write_text("1\n")
    study = desk.edit("min(x", "max(x").factorial
    with pytest.raises(Refusal, match=naming("trimmed in swept_mine.py changed")):
        desk.run(study, depends=[data, sys.modules["swept_mine"], np.arange(3)])
    with pytest.raises(Refusal, match=naming("no longer used")):
        desk.run(study)


def test_a_folder_that_it_depends_on(desk):
    folder = desk.folder / "inputs"
    folder.mkdir()
    (folder / "one").write_text("1")
    study = desk.load().factorial
    desk.run(study, depends=[folder])
    (folder / "two").write_text("2")
    with pytest.raises(Refusal, match=naming(str(folder), "changed")):
        desk.run(study, depends=[folder])


@pytest.mark.parametrize("depends", ["data.csv", json, 3, ["nowhere.csv"]])
def test_what_depends_cannot_be(desk, depends):
    with pytest.raises(ValueError, match="depends"):
        desk.run(desk.load().study, depends=depends)


def test_cells_of_several_versions_stay_marked(desk):
    """A store that was continued after a change is refused even if the change is taken back."""
    study = desk.load().by_name

    def run(study, **options):
        return desk.run(study, axes={"n": [0, 1, 5]}, **options)

    from explorer.sweeps import planned

    partial = planned(study, {"n": [0, 1, 5]}, executor=InProcess(), store=desk.store)
    for step in partial:
        if step.done == 1:
            partial.stop()
    changed = desk.edit("min(x", "max(x").by_name
    with pytest.warns(ExplorerWarning, match="trimmed"):
        mixed = run(changed, reuse=True)
    assert desk.counted == 2
    back = desk.edit("max(x", "min(x").by_name
    with pytest.raises(Refusal, match=naming("several versions of code", "reuse=True")):
        run(back)
    with pytest.warns(ExplorerWarning, match="several versions"):
        assert run(back, reuse=True) == mixed
    assert desk.counted == 0


def test_a_store_of_an_earlier_version_opens_with_a_word(desk, monkeypatch):
    """Versions 0.1.0 and 0.2.0 recorded the study's own code alone."""
    study = desk.load().study
    with monkeypatch.context() as patch:
        real = Store.__init__

        def earlier(store, path, key, reuse):
            real(store, path, {name: key[name] for name in KEY}, reuse)

        patch.setattr(Store, "__init__", earlier)
        first = desk.run(study)
    assert b"depends" not in desk.store.read_bytes()
    with pytest.warns(ExplorerWarning, match=naming("earlier version", "unknown")):
        assert desk.run(study) == first
    assert desk.counted == 0
    study = desk.edit("half(n)}", "half(n) + 1}", "swept_study").study
    with pytest.raises(Refusal, match=naming("the study's code changed")):
        desk.run(study)
    with pytest.warns(ExplorerWarning, match="reused although the study's code"):
        assert desk.run(study, reuse=True) == first


NOTEBOOK = """
import warnings
warnings.simplefilter("error")
from explorer import sweep
from swept_mine import half

scale = {scale}

def study(n, seed):
    return {{"half": scale * half(n)}}

for each in (study, lambda n, seed: {{"half": scale * half(n)}}):
    for _ in range(2):
        data = sweep(each, {{"n": [0, 1]}}, progress=False, store=f"{{each.__name__.strip('<>')}}.nc")
    print(data["half"].values.ravel().tolist())
"""


@pytest.mark.thorough
def test_functions_and_lambdas_of_a_notebook(desk):
    """They have no file, run on other processes, and another kernel resumes their stores."""
    desk.load()

    def typed(scale):
        code = f"exec(compile({NOTEBOOK.format(scale=scale)!r}, '/tmp/ipykernel_{time.time_ns()}/1.py', 'exec'))"
        return subprocess.run(
            [sys.executable, "-c", code], cwd=desk.folder, capture_output=True, text=True, check=False
        )

    first = typed(2.0)
    assert first.returncode == 0, first.stderr
    assert first.stdout.splitlines()[0] == first.stdout.splitlines()[1]
    assert typed(2.0).stdout == first.stdout
    assert "scale in __main__ (2.0, now 3.0) changed" in typed(3.0).stderr


def test_values_that_are_equal_have_equal_hashes():
    def once():
        import pandas as pd

        values = {
            "set": {"a", "b", "c"},
            "frame": pd.DataFrame({"x": [1.0, 2.0], "y": ["a", "b"]}),
            "array": np.arange(6.0).reshape(2, 3)[:, ::2],
            "objects": np.array(["a", None], dtype=object),
            "numbers": [float(i) for i in range(100)],
            "space": SimpleNamespace(a=1, b=[2, 3]),
            "zero": np.array(3.0),
        }
        values["itself"] = values
        return sources_of(lambda: values)

    assert once() == once()


def test_a_set_s_order_does_not_count():
    """The order of a set of strings is another in each process."""
    code = (
        "from explorer.sweeps.sources import sources_of\nimport json, math, os\nS = {'a', 'b', 'c', 'd'}\n"
        "f = lambda x: x in S or x in {'e', 'f', 'g', 'h'} or json.dumps(math.sin(os.cpu_count()))\n"
        "print(sources_of(f))"
    )
    runs = {
        subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, env=_environment(seed)).stdout
        for seed in ("1", "2")
    }
    assert len(runs) == 1
    assert "S in __main__" in runs.pop()


def _environment(seed):
    import os

    return {**os.environ, "PYTHONHASHSEED": seed}


def test_global_names_are_those_of_dis():
    for function in (sweep, sources_of, json.dumps, textwrap.wrap, subprocess.run):
        codes, names = [function.__code__], set()
        for code in codes:
            codes += [each for each in code.co_consts if hasattr(each, "co_code")]
            names |= {each.argval for each in dis.get_instructions(code) if each.opname in ("LOAD_GLOBAL", "LOAD_NAME")}
        assert sources_module._code(function.__code__)[1] == names


@pytest.mark.thorough
def test_a_large_package_takes_a_fraction_of_a_second(tmp_path, monkeypatch):
    """A study that reaches 2,000 functions in 40 modules."""
    monkeypatch.syspath_prepend(str(tmp_path))
    package = tmp_path / "swept_large"
    package.mkdir()
    (package / "__init__.py").write_text("")
    body = "\n".join(f"    x = np.sin(x) + {k} if x > {k} else np.cos(x) * {k}" for k in range(20))
    for i in range(40):
        after = f"from swept_large.part_{i - 1} import f_0 as below\n" if i else "below = abs\n"
        functions = "\n".join(
            f"def f_{j}(x):\n{body}\n    return x + {f'f_{j + 1}(x)' if j < 49 else 'below(x)'}\n" for j in range(50)
        )
        (package / f"part_{i}.py").write_text(f"import numpy as np\n{after}\n{functions}")
    start = importlib.import_module("swept_large.part_39").f_0
    begun = time.perf_counter()
    found = sources_of(start)
    assert len(found) > 2000
    assert time.perf_counter() - begun < 1.0
