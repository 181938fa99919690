"""Validation of docstrings by numpydoc: `python tests/docstrings.py explorer/kernels` lists what a package lacks.

Checked are the functions and classes that users or other packages use: the names that `explorer` and its packages
export, the names that another top-level package imports, and the public methods and properties of these classes.
"""

from __future__ import annotations

import ast
import importlib
import inspect
import sys
from collections import Counter, defaultdict
from collections.abc import Iterator
from dataclasses import fields, is_dataclass
from functools import cache, cached_property
from pathlib import Path

from numpydoc.docscrape import NumpyDocString
from numpydoc.validate import validate

ROOT = Path(__file__).parents[1]
# Left out: text that begins on the line of the quotes (GL01), extended summaries (ES01), "See Also" (SA01), examples
# (EX01), lines that end in a blank (ruff's), and "Return" against "Returns" in the wrong cases (SS05 is ruff's D401).
LEFT_OUT = {"GL01", "GL02", "ES01", "SA01", "SA02", "SA03", "SA04", "EX01", "SS05", "PR06", "RT02"}
OF_FIELDS = {"PR01", "PR02", "PR03"}  # codes that do not apply to results, whose fields are listed as attributes


@cache
def used_elsewhere() -> dict[str, set[str]]:
    """Return the names that other top-level packages import, by the module that they are imported from."""
    names = defaultdict(set)
    for path in sorted((ROOT / "explorer").rglob("*.py")):
        package = path.relative_to(ROOT / "explorer").parts[0]
        for node in ast.walk(ast.parse(path.read_text())):
            if isinstance(node, ast.ImportFrom) and not node.level and (node.module or "").startswith("explorer"):
                home = node.module.split(".")[1] if "." in node.module else ""
                if home != package.removesuffix(".py"):
                    names[node.module] |= {alias.name for alias in node.names}
    return names


def checked(folder: Path) -> Iterator[tuple[str, object]]:
    """Yield (dotted name, object) for every object of a package or module whose docstring has to be complete."""
    paths = sorted(folder.rglob("*.py")) if folder.is_dir() else [folder]
    known = set()
    for path in paths:
        name = ".".join(path.relative_to(ROOT).with_suffix("").parts).removesuffix(".__init__")
        if name.endswith("__main__"):
            continue
        module = importlib.import_module(name)
        exported = set(getattr(module, "__all__", ())) if path.name == "__init__.py" else set()
        for each in sorted(exported | used_elsewhere().get(name, set())):
            value = getattr(module, each, None)
            if not (inspect.isfunction(value) or inspect.isclass(value)) or id(value) in known:
                continue
            if not value.__module__.startswith(".".join(folder.with_suffix("").relative_to(ROOT).parts)):
                continue
            known.add(id(value))
            yield f"{value.__module__}.{value.__qualname__}", value
            if inspect.isclass(value):
                yield from _members(value)


def _members(cls):
    for name, value in vars(cls).items():
        raw = getattr(value, "__func__", value)
        is_property = isinstance(value, property | cached_property) or type(value).__name__ == "stage"
        if name.startswith("_") or not (inspect.isfunction(raw) or is_property):
            continue
        if not getattr(value, "__doc__", None) and any(hasattr(base, name) for base in cls.__mro__[1:]):
            continue  # the docstring of the class above it stands
        yield f"{cls.__module__}.{cls.__qualname__}.{name}", value


def findings(name: str, value: object) -> list[str]:
    """Return numpydoc's findings for one object, as "CODE message"."""
    is_property = not (inspect.isclass(value) or inspect.isroutine(value))
    try:
        errors = dict(validate(name)["errors"])
    except (ImportError, AttributeError, ValueError, StopIteration) as error:  # the last of a lambda
        return [f"?? {error}"]
    errors = {code: text for code, text in errors.items() if code not in LEFT_OUT}
    if errors.get("PR02") == "Unknown parameters {'cls'}":
        del errors["PR02"]  # numpydoc takes the `cls` of a class decorator for that of a method
    if is_property:
        errors = {code: text for code, text in errors.items() if code[:2] not in ("RT", "PR")}
    listed = set()
    if inspect.isclass(value):
        listed = _listed_as_attributes(value)
        if "PR01" in errors and listed:
            rest = "params" in listed  # a row **params stands for the parameters of the library's class
            missing = [each for each in _fields(value) if not (rest or each in listed or each.startswith("_"))]
            errors = {code: text for code, text in errors.items() if code not in OF_FIELDS}
            if missing:
                errors["PR01"] = f"Fields {missing} not documented"
    return [f"{code} {text}" for code, text in sorted(errors.items())]


def _fields(cls):
    if is_dataclass(cls):
        return [field.name for field in fields(cls) if field.init]
    if hasattr(cls, "_fields"):
        return list(cls._fields)
    try:
        # `id` is an argument of Bokeh's models, in whose signatures only older Pythons show it
        return [name for name in inspect.signature(cls).parameters if name not in ("args", "kwargs", "id")]
    except (TypeError, ValueError):
        return []


def _listed_as_attributes(cls):
    parsed = NumpyDocString(inspect.getdoc(cls) or "")
    rows = [*parsed["Parameters"], *parsed["Other Parameters"], *parsed["Attributes"]]
    listed = {name.strip().lstrip("*") for row in rows for name in row.name.split(",")}
    # a subclass of a result lists what it adds
    return listed.union(
        *(_listed_as_attributes(base) for base in cls.__bases__ if base.__module__.startswith("explorer"))
    )


def main(*folders: str) -> None:
    """Print the findings of packages, and how many there are of each kind."""
    counts, objects = Counter(), 0
    for folder in folders:
        for name, value in checked((ROOT / folder).resolve()):
            objects += 1
            for finding in findings(name, value):
                counts[finding[:4]] += 1
                sys.stdout.write(f"{name}: {finding}\n")
    sys.stdout.write(f"{objects} objects, {sum(counts.values())} findings {dict(counts.most_common())}\n")


if __name__ == "__main__":
    main(*sys.argv[1:])
