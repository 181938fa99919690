"""Public names of the library, found by a rule, so that no list of them has to be maintained.

The packages of the library are those that `explorer/__init__.pyi` imports from, and `models`, where users' own models
go. The public names of a package are the functions and classes that its `__init__` re-exports (`from .mmd import mmd2
as mmd2`), lists in `__all__`, or defines. A class that a public function returns, such as `Cloud`, is public too.
"""

from __future__ import annotations

import ast
import inspect
import re
from collections.abc import Iterable, Iterator
from functools import cache, cached_property
from importlib import import_module
from pathlib import Path
from types import ModuleType
from typing import Any, NamedTuple

import explorer

STUB = Path(explorer.__file__).with_suffix(".pyi")
USER_MODELS = "models"  # the one package that `explorer` exports nothing from
USE = "Use it"  # how the paragraph begins that says what a name is for
SHARED = ("Model", "Learner", "Transformer", "Written")  # bases of all models; their methods have a page of their own


class PublicName(NamedTuple):
    """A public function or class.

    Attributes
    ----------
    name : str
        The name without its module.
    value : object
        The function or class.
    package : str
        Its package, such as "discrepancy".
    module : str
        The module that users import it from: `explorer`, a package, or the module that defines it.
    returned_by : tuple of str
        The names of the functions that return it.
    page : str
        The name of its page, without ".html". No two pages differ by upper and lower case alone.
    """

    name: str
    value: Any
    package: str
    module: str
    returned_by: tuple[str, ...] = ()
    page: str = ""

    @property
    def is_class(self) -> bool:
        """True for a class."""
        return inspect.isclass(self.value)

    @property
    def address(self) -> str:
        """The dotted name from which it is imported; its anchor on its page."""
        return f"{self.module}.{self.name}"

    @property
    def summary(self) -> str:
        """The first paragraph of its docstring, on one line."""
        return " ".join((inspect.getdoc(self.value) or "").partition("\n\n")[0].split())

    @property
    def use(self) -> str:
        """The paragraph after the summary if it says what the name is for ("Use it to ..."), on one line, or ""."""
        _, _, rest = (inspect.getdoc(self.value) or "").partition("\n\n")
        paragraph = " ".join(rest.partition("\n\n")[0].split())
        return paragraph if paragraph.startswith(USE) else ""

    @property
    def documentation(self) -> str:
        """The docstrings of the name and of its members, on one line."""
        texts = [self.value.__doc__ or "", *(docstring(value) for value in self.members.values())]
        return " ".join(" ".join(texts).split())

    @property
    def members(self) -> dict[str, Any]:
        """Public methods and properties of a class by name, in the order of the source.

        Members of base classes belong to it if the base class is part of the library and has no page.
        """
        members: dict[str, Any] = {}
        for cls in _bases_without_page(self.value) if self.is_class else ():
            for name, value in vars(cls).items():
                if (name == "__call__" or not name.startswith("_")) and is_member(value) and docstring(value):
                    members.setdefault(name, value)
        return members


def packages() -> dict[str, ModuleType]:
    """Return the packages of the library by name, in the order in which the docstring of `explorer` lists them."""
    names = set(re.findall(r"^from \.(\w+) import", STUB.read_text(encoding="utf-8"), re.MULTILINE)) | {USER_MODELS}
    chart = explorer.__doc__ or ""
    order = sorted(names, key=lambda name: (chart.find(f"\n    {name} ") < 0, chart.find(f"\n    {name} ")))
    return {name: import_module(f"explorer.{name}") for name in order}


def exported_names(package: ModuleType) -> list[str]:
    """Return the names that the `__init__` of a package re-exports, lists or defines, including constants."""
    tree = ast.parse(Path(package.__file__ or "").read_text(encoding="utf-8"))
    names: list[str] = list(getattr(package, "__all__", ()))
    for node in tree.body:
        if isinstance(node, ast.ImportFrom) and node.level == 1:
            names += [each.name for each in node.names if each.asname == each.name]
        elif isinstance(node, ast.FunctionDef | ast.ClassDef) and not node.name.startswith("_"):
            names.append(node.name)
    return list(dict.fromkeys(names))


def constants(package: ModuleType) -> list[str]:
    """Return the exported names of a package that are values rather than functions or classes."""
    return [name for name in exported_names(package) if not callable(getattr(package, name))]


def public_names(among: dict[str, ModuleType] | None = None) -> list[PublicName]:
    """Return all public functions and classes, each once: those that packages export, and the classes they return.

    Parameters
    ----------
    among : dict of str to module, optional
        The packages to look at, by default all `packages`.

    Returns
    -------
    list of PublicName
        In alphabetical order.
    """
    names: dict[int, PublicName] = {}
    top_level = dir(explorer)
    for package, module in (among or packages()).items():
        for name in exported_names(module):
            value = getattr(module, name)
            if callable(value) and inspect.getmodule(value) is not None:
                is_top_level = name in top_level and getattr(explorer, name) is value
                home = "explorer" if is_top_level else f"explorer.{package}"
                names.setdefault(id(value), PublicName(name, value, package, home))
    for each in list(names.values()):
        for value in () if each.is_class else returned_classes(each.value):
            known = names.get(id(value)) or PublicName(value.__name__, value, each.package, value.__module__)
            names[id(value)] = known._replace(returned_by=(*known.returned_by, each.name))
    return _with_pages(names.values())


def returned_classes(function: Any) -> Iterator[type]:
    """Yield the classes of this library in the return annotation of a function."""
    hints = getattr(function, "__annotations__", {}).get("return", "")
    scope = getattr(inspect.unwrap(function), "__globals__", {})
    for word in re.findall(r"\w+", hints if isinstance(hints, str) else ""):
        value = scope.get(word)
        if inspect.isclass(value) and value.__module__.startswith("explorer.") and not word.startswith("_"):
            yield value


def is_member(value: Any) -> bool:
    """Return whether an attribute of a class is a method or a property."""
    is_property = isinstance(value, property | cached_property) or type(value).__name__ == "stage"
    return is_property or isinstance(value, classmethod | staticmethod) or inspect.isfunction(value)


def docstring(member: Any) -> str:
    """Return the docstring of a method or property, without its indent, or "" if it has none."""
    return inspect.getdoc(member) or "" if getattr(member, "__doc__", None) else ""


def _bases_without_page(cls):
    """Yield a class, and its base classes in this library that have no page."""
    with_page = {id(other.value) for other in by_name().values()}
    for base in cls.__mro__:
        is_ours = base.__module__.startswith("explorer.") and base.__name__ not in SHARED
        if base is cls or (is_ours and id(base) not in with_page):
            yield base


def _with_pages(names: Iterable[PublicName]) -> list[PublicName]:
    """Assign the names of pages: a name that two packages have gets its package as prefix."""
    names = sorted(names, key=lambda each: (each.module != "explorer", each.is_class))
    spellings = [each.name for each in names]
    taken: set[str] = set()
    paged = []
    for each in names:
        page = each.name if spellings.count(each.name) == 1 else f"{each.package}.{each.name}"
        if page.lower() in taken:  # some file systems do not distinguish upper from lower case
            page += "-class"
        taken.add(page.lower())
        paged.append(each._replace(page=page))
    return sorted(paged, key=lambda each: (each.name.lower(), each.name))


@cache
def by_name() -> dict[str, PublicName]:
    """Return the public names by name and by "package.name"; a name that two packages have only by the latter."""
    named: dict[str, list[PublicName]] = {}
    for each in public_names():
        named.setdefault(each.name, []).append(each)
        named.setdefault(f"{each.package}.{each.name}", []).append(each)
    return {name: matches[0] for name, matches in named.items() if len(matches) == 1}
