"""Which packages may import which, what `import explorer` may load, and two statements that libraries must not have."""

import ast
import subprocess
import sys
from functools import cache
from graphlib import TopologicalSorter
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
PACKAGE = ROOT / "explorer"
ORDER = [
    {
        "startup",
        "thread_limits",
        "execution",
        "files",
        "public_names",
        "tables",
        "types",
        "parameters",
        "model",
        "learner",
        "rng",
        "linalg",
        "checks",
        "markup",
        "printing",
        "recipe",
        "record",
        "frames",
        "languages",
        "citations",
    },
    {"marks"},
    {"svg"},
    {"kernels"},
    {"embeddings"},
    {"estimators"},
    {"discrepancy"},
    {"changes"},
    {"operators"},
    {"conditional"},
    {"learning"},
    {"adaptation"},
    {"datasets"},
    {"sketches"},
    {"comparison"},
    {"sweeps"},
    {"workbench"},
    {"browser"},
    {"views"},
    {"exports"},
    {"plotting"},
    {"pages"},
    {"labs"},
    {"models"},
    {"exploration"},
    {"papers"},
    {"site"},
    {"commands", "panel_serve"},
    {"__main__"},
]
RANK = {room: i for i, rooms in enumerate(ORDER) for room in rooms}
MATHS = {room for rooms in ORDER[:13] for room in rooms}
STRANGERS = {("workbench", "views"), ("views", "workbench")} | {(room, "datasets") for room in MATHS}
SOURCES = sorted(p for p in PACKAGE.rglob("*.py") if p != PACKAGE / "__init__.py")
ALL = sorted([*PACKAGE.rglob("*.py"), *(ROOT / "apps").rglob("*.py")])


def said(path):
    return str(path.relative_to(ROOT))


def room_of(path):
    return path.relative_to(PACKAGE).parts[0].removesuffix(".py")


@cache
def nodes(path):
    """Return all nodes of a file's syntax, walked once for all tests."""
    return list(ast.walk(ast.parse(path.read_text(encoding="utf-8"))))


def imported_names(nodes, package):
    """Return absolute dotted names of the imports of a module of `package`; from a import b gives a.b."""
    for node in nodes:
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            parts = package[: len(package) - node.level + 1] if node.level else []
            base = ".".join([*parts, *([node.module] if node.module else [])])
            yield from (f"{base}.{alias.name}" for alias in node.names)


def imported_rooms(path):
    package = ["explorer", *path.relative_to(PACKAGE).parts[:-1]]
    for name in imported_names(nodes(path), package):
        parts = name.split(".")
        if parts[0] == "explorer":
            yield parts[1] if len(parts) > 1 else "explorer"


# what a file of a lab's folder may import beyond the headless rooms, by its stem: pages alone are Panel's
ROLES = {"page": {"views", "pages"}}


def forbidden(room, other, role=None):
    """Return why `room` may not import from `other`, or None."""
    if other == room:
        return None
    if room == "labs" and other in ("views", "pages") and other not in ROLES.get(role, ()):
        return f"of a lab's folder, {role} has nothing to do with {other}"
    if (room, other) == ("site", "explorer"):
        return None  # the package itself, which the reference is about
    if other not in RANK:
        return f"imports {other!r} from the package itself; import from the room that has it"
    if (room, other) in STRANGERS:
        return f"{room} and {other} do not know each other"
    return f"{other} lies below {room}" if RANK[other] > RANK[room] else None


def test_a_room_imports_only_from_rooms_above_it():
    assert {room_of(path) for path in SOURCES} <= set(RANK), "a room has no place in the order of rooms"
    found = []
    for path in SOURCES:
        role = path.stem if path.parent.parent.name == "labs" else None
        found += [
            f"{said(path)}: {w}" for other in imported_rooms(path) if (w := forbidden(room_of(path), other, role))
        ]
    assert found == []


def test_no_import_goes_round_in_a_circle():
    """Imports for types and those inside functions are included."""
    modules = {}
    for path in PACKAGE.rglob("*.py"):
        package = ["explorer", *path.relative_to(PACKAGE).parts[:-1]]
        modules[".".join(package if path.stem == "__init__" else [*package, path.stem])] = (path, package)
    graph = {}
    for name, (path, package) in modules.items():
        names = imported_names(nodes(path), package)
        found = {each if each in modules else each.rpartition(".")[0] for each in names}
        graph[name] = (found & set(modules)) - {name}
    TopologicalSorter(graph).prepare()  # raises CycleError with the circle


def test_the_walk_sees_the_imports_it_judges():
    """The rule is only as good as the search for imports."""
    code = "import explorer.views.a\ndef f():\n from ..labs import b\n from .. import pages\n from . import c"
    names = list(imported_names(ast.walk(ast.parse(code)), ["explorer", "views"]))
    assert names == ["explorer.views.a", "explorer.labs.b", "explorer.pages", "explorer.views.c"]
    assert forbidden("views", "labs")
    assert forbidden("labs", "views", "words")
    assert forbidden("labs", "views", "figures")
    assert forbidden("labs", "pages", "figures")
    assert not forbidden("labs", "pages", "page")
    assert forbidden("kernels", "estimators")
    assert forbidden("estimators", "datasets")
    assert forbidden("kernels", "Gaussian")
    assert not forbidden("estimators", "kernels")
    assert not forbidden("checks", "model")
    assert "checks" in set(imported_rooms(PACKAGE / "kernels" / "base.py"))


HEAVY = ["panel", "panel_material_ui", "holoviews", "bokeh", "sklearn", "xarray", "numba", "scipy.stats", "pandas",
         "scipy.optimize"]  # fmt: skip


def test_import_explorer_stays_light():
    """Nor do all public names load anything heavy; the package itself loads none of its packages."""
    rooms = (
        "[m for m in sys.modules if m.startswith('explorer.') and m.split('.')[1] in ('kernels', 'sweeps', 'marks')]"
    )
    names = f"all(map(explorer.__getattr__, explorer.__all__)), [m for m in {HEAVY} if m in sys.modules]"
    done = subprocess.run([sys.executable, "-c", f"import explorer, sys; print({rooms}, {names})"], capture_output=True,
                          text=True, cwd=ROOT, check=True)  # fmt: skip
    assert done.stdout.strip() == "[] True []"


FIRST = {
    "hsic_test(X, X**2, n_resamples=999, rng=0)": [*HEAVY, "narwhals"],
    "mmdagg_test(X, X**2, n_resamples=99, rng=0)": [*HEAVY, "narwhals"],
    "ksdagg_test(X, lambda X: -X, n_resamples=99, rng=0)": [*HEAVY, "narwhals"],
    "plot(explorer.KME(explorer.Gaussian(1.0)).embed(X[:, :1]))": [
        "explorer.workbench",
        "explorer.datasets",
        "numba",
        "explorer.discrepancy",
        "pandas",
        "xarray",
        "sklearn",
    ],
    "plot(explorer.mmd_test(X, X**2, n_resamples=99, rng=0))": ["explorer.workbench", "explorer.datasets", "pandas"],
}


@pytest.mark.parametrize("call", FIRST)
def test_a_first_call_loads_no_more_than_it_needs(call):
    code = f"""import sys, numpy, explorer
X = numpy.random.default_rng(0).normal(size=(200, 5))
explorer.{call}
print([m for m in {FIRST[call]} if m in sys.modules])"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, cwd=ROOT, check=True)
    assert done.stdout.strip() == "[]"


def test_a_star_imports_all_public_names():
    code = "from explorer import *; print(mmd_test.__name__, KME().__class__.__name__, 'sys' in globals())"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, cwd=ROOT, check=True)
    assert done.stdout.strip() == "mmd_test KME False"


def test_pictures_are_data():
    """A picture declares its marks and its numbers; the code that draws them is in views."""
    of_code = {"draw", "columns", "stays", "moves", "aim"}
    found = [
        f"{said(path)}: {node.name}"
        for path in PACKAGE.glob("labs/*/figures.py")
        for node in nodes(path)
        if isinstance(node, ast.FunctionDef) and node.name in of_code
    ]
    assert found == []


def test_no_assert_and_no_bare_except():
    """`python -O` drops the one; the other hides what it cannot name."""
    found = [
        f"{said(path)}:{node.lineno}"
        for path in ALL
        for node in nodes(path)
        if isinstance(node, ast.Assert) or (isinstance(node, ast.ExceptHandler) and node.type is None)
    ]
    assert found == []
