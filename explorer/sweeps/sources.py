"""Sources of a study: the user's code and values that it reaches, and the versions of the packages below it.

A store records them, so that a sweep that is run again knows whether its numbers are of other code. Code is compared
as Python compiles it: comments, docstrings, annotations and layout do not count.
"""

from __future__ import annotations

import dis
import functools
import importlib.metadata
import importlib.util
import os
import re
import site
import sys
import sysconfig
from collections import deque
from collections.abc import Callable, Iterable, Mapping
from functools import cache
from hashlib import blake2b, sha256
from importlib.util import resolve_name
from pathlib import Path
from types import CodeType, FunctionType, GetSetDescriptorType, MemberDescriptorType, MethodType, ModuleType
from typing import Any

import numpy as np
import param

from explorer.checks import Refusal
from explorer.printing import echo, join_list
from explorer.public_names.help_text import VERSION

OURS = "kernel-mean-explorer"
# modules that this library computes with, and the names of their packages
BELOW: dict[str, str] = {"numpy": "numpy", "scipy": "scipy", "numba": "numba", "sklearn": "scikit-learn"}
SHORT = 40  # most characters of a value that is recorded as text, for messages; a longer one is hashed
FEW = 6  # most names of sources in one list of a message
PLAIN = (bool, int, float, complex, str, bytes, type(None), type(Ellipsis))
UNNAMED = re.compile(r" at 0x[0-9a-fA-F]+")
# members of a class that do not tell what it computes, or that Python and param derive from the others
DERIVED = {"__module__", "__doc__", "__dict__", "__weakref__", "__annotations__", "__annotate__", "__annotate_func__"}
DERIVED |= {"__annotations_cache__", "__firstlineno__", "__static_attributes__", "__orig_bases__", "__parameters__"}
DERIVED |= {"__type_params__", "__abstractmethods__", "_abc_impl", "param", "name", "_param__parameters"}
DERIVED |= {"_param__private", "__signature__"}
DESCRIBED = {"owner", "watchers", "doc", "_label", "label", "name", "_internal_name", "precedence"}  # of a parameter
GLOBALS = {dis.opmap["LOAD_GLOBAL"]: 1, dis.opmap["LOAD_NAME"]: 0}  # instructions, and the bits below the name's index
CONSTANTS, IMPORT, WIDER = frozenset(dis.hasconst), dis.opmap["IMPORT_NAME"], dis.EXTENDED_ARG
KINDS = 0x0F | 0x20 | 0x80 | 0x200  # flags of the parameters, of generators and of coroutines


def sources_of(study: Callable[..., Any], further: Iterable[Any] = (), depends: Iterable[Any] = ()) -> dict[str, str]:
    """Return what a study's numbers depend on, {what it is: its hash, or its text if that is short}.

    These are the user's functions, classes and values that the study reaches by name, in closures, defaults, partials
    and the objects that it holds; the version of Python, of this library, and of the installed packages among them.

    Parameters
    ----------
    study : callable
        The study.
    further : iterable of object
        Other objects that it uses, such as the models of its axes.
    depends : iterable
        What cannot be reached: paths of files and folders, modules, functions, classes and values.

    Returns
    -------
    dict of str
        The sources, each with its hash.

    Raises
    ------
    Refusal
        If `depends` is not a list, or names a file that does not exist.
    """
    if isinstance(depends, (str, bytes, os.PathLike, ModuleType)) or not isinstance(depends, Iterable):
        raise Refusal(f"depends must be a list of files, modules or values, not {echo(depends)}; write depends=[...].")
    reader = _Reader()
    reader.root(study)
    for each in further:
        reader.token(each)
    for i, each in enumerate(depends):
        if isinstance(each, (str, os.PathLike)):
            reader.sources[os.fspath(each)] = _file_hash(each)
        elif isinstance(each, ModuleType):
            reader.module(each, None)
        elif isinstance(each, (type, FunctionType)):
            reader.token(each)
        else:
            reader.value(f"entry {i + 1} of depends", each)
    reader.follow()
    return {**_versions(reader.packages), **dict(sorted(reader.sources.items()))}


def changes(stored: Mapping[str, str], current: Mapping[str, str]) -> str:
    """Describe the differences of the sources in a store from those of now; "" if there are none."""
    if (python := stored.get("Python")) != current["Python"]:
        return f"Python {python} computed its numbers, this is Python {current['Python']}, and their code differs"
    clauses = []
    changed = sorted(name for name in stored.keys() & current.keys() if stored[name] != current[name])
    versions = [name for name in changed if current[name].startswith("=")]
    if others := [_with_values(name, stored[name], current[name]) for name in changed if name not in versions]:
        clauses.append(f"{_listed(others)} changed")
    if added := sorted(current.keys() - stored.keys()):
        clauses.append(f"{_listed(added)} {'is' if len(added) == 1 else 'are'} new")
    if gone := sorted(stored.keys() - current.keys()):
        clauses.append(f"{_listed(gone)} {'is' if len(gone) == 1 else 'are'} no longer used")
    clauses += [f"{name} {stored[name][1:]} became {current[name][1:]}" for name in versions]
    if not clauses:
        return ""
    return "; ".join([f"{clauses[0]} since the store was written", *clauses[1:]])


def without_address(text: str) -> str:
    """Return the text of an object without its address in memory, which differs in each process."""
    return UNNAMED.sub("", text)


class _Reader:
    """Walk over all that a study reaches: each function and class once, in the order in which they are met."""

    def __init__(self) -> None:
        self.sources: dict[str, str] = {}
        self.packages: set[str] = set()
        self._waiting: deque[Any] = deque()
        self._met: dict[int, Any] = {}  # holds the objects, so that their ids stay theirs
        self._tokens: dict[int, tuple[Any, str]] = {}
        self._named: set[tuple[str, str, frozenset[str] | None]] = set()

    def root(self, study):
        """Begin with a study; what an object or a partial holds is recorded by name."""
        if isinstance(study, functools.partial):
            self.root(study.func)
            for name, value in [*((str(i + 1), v) for i, v in enumerate(study.args)), *study.keywords.items()]:
                self.value(f"argument {name} of the partial", value)
        elif isinstance(study, MethodType):
            self._meet(study.__func__, always=True)
            self.root(study.__self__)
        elif isinstance(study, (FunctionType, type)):
            self._meet(study, always=True)
        elif (function := _function_of(study)) is not None:
            self._meet(function, always=True)
        else:
            self._meet(type(study), always=True)
            where = f"of the {type(study).__name__}"
            for name, value in sorted(getattr(study, "__dict__", {}).items()):
                if not name.startswith("_param__") and name != "_built":
                    self.value(f"{name} {where}", value)
            if not hasattr(study, "__dict__") or isinstance(study, param.Parameterized):
                self.value(f"state {where}", study)
        if isinstance(model := getattr(study, "model", None), type):
            self.token(model)

    def follow(self):
        """Read the functions and classes that wait, and those that they reach."""
        while self._waiting:
            each = self._waiting.popleft()
            module, file = _place(each)
            self._record(f"{each.__qualname__} in {_file_word(module, file)}", self._digest(each))

    def _digest(self, each):
        return self._class(each) if isinstance(each, type) else self._function(each)

    def _record(self, name, text):
        i, first = 1, name
        while name in self.sources:  # several lambdas of one module
            i, name = i + 1, f"{first} ({i + 1})"
        self.sources[name] = text

    def value(self, name, value):
        """Record a value by name: its text if that is short, otherwise its hash."""
        if name not in self.sources:
            text = self.token(value)
            self.sources[name] = text if len(text) <= SHORT else _hash(text)

    def _meet(self, each, always=False):
        """Add a function or class to those that are read later, unless it is installed: then its version counts."""
        if id(each) in self._met:
            return
        self._met[id(each)] = each
        module, file = _place(each)
        if not always and _is_installed(module, file):
            self._note(module)
        else:
            self._waiting.append(each)

    def _note(self, module):
        top = (module or "").partition(".")[0]
        if top and top != "explorer" and top not in sys.stdlib_module_names and top in sys.modules:
            if _is_installed(top, _file_of(sys.modules[top])):
                self.packages.add(top)

    def token(self, value):
        """Return a text that is equal for equal values in every process; the functions and classes in it are read."""
        if type(value) in PLAIN:
            return repr(value)
        if id(value) in self._tokens:
            return self._tokens[id(value)][1]
        self._tokens[id(value)] = value, f"a {type(value).__name__} in itself"
        text = self._new_token(value)
        self._tokens[id(value)] = value, text
        return text

    def _new_token(self, value):
        if isinstance(value, (type, FunctionType)):
            self._meet(value)
            code = getattr(value, "__code__", None)
            return f"{value.__module__}.{value.__qualname__}{'' if code is None else f' {_code(code)[0]}'}"
        if isinstance(value, ModuleType):
            self._note(value.__name__)
            return value.__name__
        if isinstance(value, MethodType):
            return f"{self.token(value.__func__)} of {self.token(value.__self__)}"
        if type(value) in (list, tuple):
            if all(type(each) in PLAIN for each in value):
                return f"{type(value).__name__} {_hash(repr(value))}" if len(value) > FEW else repr(value)
            return f"{type(value).__name__} {_hash(*map(self.token, value))}"
        if type(value) is dict:
            return f"dict {_hash(*(self.token(each) for pair in value.items() for each in pair))}"
        if type(value) in (set, frozenset):
            return f"{type(value).__name__} {_hash(*sorted(map(self.token, value)))}"
        if type(value) is np.ndarray and value.dtype.kind != "O":
            digest = sha256(np.ascontiguousarray(value).view(np.uint8) if value.size else b"").hexdigest()[:32]
            return f"array {value.dtype} {value.shape} {digest}"
        if isinstance(value, (staticmethod, classmethod)):
            return f"{type(value).__name__} {self.token(value.__func__)}"
        if isinstance(value, property):
            return f"property {_hash(*map(self.token, (value.fget, value.fset, value.fdel)))}"
        if isinstance(value, functools.cached_property):
            return f"cached property {self.token(value.func)}"
        if (function := _function_of(value)) is not None:
            return f"{type(value).__name__} {self.token(function)}"
        if isinstance(value, param.Parameter):
            slots = sorted({s for cls in type(value).__mro__ for s in getattr(cls, "__slots__", ())} - DESCRIBED)
            parts = [self.token(getattr(value, slot, None)) for slot in slots]
            return f"{self.token(type(value))} {_hash(*slots, *parts)}"
        if isinstance(value, param.Parameterized):
            learnt = {n: v for n, v in vars(value).items() if not n.startswith("_")}
            parts = {n: v for n, v in value.param.values().items() if n != "name"} | learnt
            return f"{self.token(type(value))} {_hash(*(self.token(x) for n in sorted(parts) for x in (n, parts[n])))}"
        return self._state(value)

    def _state(self, value):
        """Return the token of an object by what pickle would store of it; of what it cannot store, only the class."""
        kind = self.token(type(value))
        try:
            made = value.__reduce_ex__(4)
            if isinstance(made, str):
                return f"{kind} {made}"
            make, arguments, state, *items = (*made, None, None, None)[:5]
            parts = [self.token(make), self.token(arguments), self.token(state)]
            parts += [self.token(list(each)) for each in items if each is not None]
        except Exception:  # pickling runs code of the object's class, which may raise anything
            return kind
        return f"{kind} {_hash(*parts)}"

    def _function(self, function):
        """Return the hash of a function's code and of what its names stand for, and record the values among them."""
        code, names, imports = _code(function.__code__)
        module, file = _place(function)
        where = f"{function.__qualname__} in {_file_word(module, file)}"
        bound = []
        for name in sorted(names):
            if name in function.__globals__:
                bound += self._name(function.__globals__, name, names | _attributes(function.__code__))
        for level, each in imports:
            package = function.__globals__.get("__package__") or ""
            bound += self._import("." * level + each, package, _attributes(function.__code__))
        for name, cell in zip(function.__code__.co_freevars, function.__closure__ or (), strict=True):
            try:
                value = cell.cell_contents
            except ValueError:  # a name that has no value yet
                continue
            bound += self._bound(name, value, f"{name} in the closure of {where}")
        arguments = function.__code__.co_varnames[: function.__code__.co_argcount]
        defaults = function.__defaults__ or ()
        for name, value in [
            *zip(arguments[len(arguments) - len(defaults) :], defaults, strict=True),
            *(function.__kwdefaults__ or {}).items(),
        ]:
            bound += self._bound(name, value, f"default of {name} of {where}")
        for name, value in vars(function).items():
            bound += self._bound(name, value, f"{name} of {where}")
        return _hash(code, *bound)

    def _name(self, namespace, name, attributes):
        """Return what a global name stands for; a value is recorded by its name and file."""
        value = namespace[name]
        if isinstance(value, ModuleType):
            return [name, self.module(value, attributes)]
        module, file = namespace.get("__name__"), namespace.get("__file__")
        return self._bound(name, value, f"{name} in {_file_word(module, file)}")

    def _bound(self, name, value, label):
        """Return a name and what it stands for if that is a function or a class; otherwise record the value."""
        if isinstance(value, ModuleType):
            return [name, self.token(value)]
        function = value if isinstance(value, (type, FunctionType)) else _function_of(value)
        if function is not None:
            self._meet(function)
            return [name, f"{function.__module__}.{function.__qualname__}"]
        self.value(label, value)
        return []

    def module(self, module, attributes):
        """Read the names that code takes from a module, all of them if None, and return the module's name."""
        if _is_installed(module.__name__, _file_of(module)):
            self._note(module.__name__)
            return module.__name__
        taken = None if attributes is None else [name for name in attributes if name in vars(module)]
        for name in sorted(taken or (each for each in vars(module) if not each.startswith("__"))):
            value = vars(module)[name]
            taking = (module.__name__, name, attributes if isinstance(value, ModuleType) else None)
            if taking in self._named:
                continue
            self._named.add(taking)
            if not isinstance(value, ModuleType):
                bound = self._name(vars(module), name, attributes)
                if bound and getattr(value, "__module__", None) != module.__name__:  # it is imported from elsewhere
                    self._record(f"{name} in {_file_word(module.__name__, _file_of(module))}", _hash(*bound))
            elif attributes is not None or value.__name__.startswith(f"{module.__name__}."):
                self.module(value, attributes)
        return module.__name__

    def _import(self, name, package, attributes):
        """Read what a function's own import brings, if the module is the user's."""
        try:
            name = resolve_name(name, package)
        except ImportError:
            return []
        if name not in sys.modules and not _is_found_outside(name):
            self._note(name)
            return [name]
        try:
            module = importlib.import_module(name)
        except Exception:  # the study may catch it, or raise it itself
            return [name]
        top = sys.modules[name.partition(".")[0]]
        return [self.module(top if not attributes & vars(module).keys() else module, attributes)]

    def _class(self, kind):
        """Return the hash of a class: its bases, and its members with what their code reaches."""
        parts = [self.token(each) for each in (*kind.__mro__[1:], type(kind))]
        for name, member in sorted(vars(kind).items()):
            if name in DERIVED or isinstance(member, (GetSetDescriptorType, MemberDescriptorType)):
                continue
            parts.append(name)
            for function in _functions_in(member):
                if id(function) not in self._met and not _is_installed(*_place(function)):
                    self._met[id(function)] = function  # it is part of its class and has no entry of its own
                    parts.append(self._function(function))
            parts.append(self.token(member))
        return _hash(*parts)


def _functions_in(member):
    """Return the functions that a member of a class is made of, those below decorators too."""
    if isinstance(member, property):
        found = [member.fget, member.fset, member.fdel]
    else:
        found = [getattr(member, "__func__", None) or getattr(member, "func", None) or member]
    found = [each if isinstance(each, FunctionType) else _function_of(each) for each in found]
    for each in found:
        if isinstance(below := getattr(each, "__wrapped__", None), FunctionType):
            found.append(below)
    return [each for each in found if each is not None]


def _function_of(value):
    """Return the Python function below an object that numba or functools.cache made of it, or None."""
    for name in ("py_func", "__wrapped__"):
        if isinstance(below := getattr(value, name, None), FunctionType):
            return below
    return None


def _place(each):
    """Return a function's or a class's module and file. A function's file is that of its code, below decorators."""
    module = each.__module__ if isinstance(each.__module__, str) else None
    if isinstance(each, FunctionType):
        file = each.__code__.co_filename
        if not file.startswith("<"):
            return (module, file)
    return module, _file_of(sys.modules.get(module or ""))


def _file_of(module):
    """Return a module's file, its first folder, or None."""
    return getattr(module, "__file__", None) or next(iter(getattr(module, "__path__", ())), None)


@cache
def _installed():
    """Return the folders of Python, of the installed packages, and of this library."""
    paths = [sysconfig.get_path(name) for name in ("stdlib", "platstdlib", "purelib", "platlib")]
    paths += [*site.getsitepackages(), site.getusersitepackages(), os.path.dirname(os.path.dirname(__file__))]
    return tuple({os.path.join(each, "") for path in paths for each in (path, os.path.realpath(path))})


@cache
def _is_installed(module, file):
    """Return whether code belongs to Python, to an installed package or to this library, and not to the user."""
    if file is not None:
        frozen = file[1:].startswith("frozen ")  # compiled into Python
        inside = frozen or file.startswith(_installed()) or os.path.realpath(file).startswith(_installed())
        return inside or bool({"site-packages", "dist-packages"} & set(Path(file).parts))
    return module in sys.builtin_module_names or (module or "").partition(".")[0] in sys.stdlib_module_names - {
        "__main__"
    }


def _is_found_outside(name):
    """Return whether a module that is not imported is the user's."""
    try:
        found = importlib.util.find_spec(name.partition(".")[0])
    except (ImportError, ValueError):
        return False
    if found is None:
        return False
    return not _is_installed(name, found.origin or next(iter(found.submodule_search_locations or ()), None))


def _file_word(module, file):
    """Return a file's name, with those folders of its path that are packages."""
    if module == "__main__":  # a cell of a notebook has a file of its own in each process
        file = getattr(sys.modules["__main__"], "__file__", None)
    if file is None:
        return module or "__main__"
    path, parts = Path(file), (module or "").split(".")
    if path.stem == "__init__":
        parts.append("__init__")
    words = [path.name]
    for folder, part in zip(reversed(path.parts[:-1]), reversed(parts[:-1]), strict=False):
        if folder != part:
            break
        words.insert(0, folder)
    return "/".join(words)


@cache
def _code(code: CodeType) -> tuple[str, frozenset[str], tuple[tuple[int, str], ...]]:
    """Return a code object's hash without docstrings and lines, its global names, and (level, name) of its imports."""
    raw, wide, names, instructions, imports = code.co_code, 0, set(), bytearray(), False
    used = []
    for i in range(0, len(raw), 2):
        operation, argument = raw[i], raw[i + 1] | wide
        wide = argument << 8 if operation == WIDER else 0
        if operation in CONSTANTS:  # a docstring shifts the indices of constants
            used.append(code.co_consts[argument])
            instructions.append(operation)
            continue
        if operation in GLOBALS:
            names.add(code.co_names[argument >> GLOBALS[operation]])
        imports |= operation == IMPORT
        instructions += raw[i : i + 2]
    taken = _imports(code) if imports else ()
    parts = [bytes(instructions).hex(), repr((code.co_names, code.co_freevars, code.co_cellvars))]
    count = code.co_argcount + code.co_kwonlyargcount
    parts.append(repr((code.co_varnames[:count], code.co_argcount, code.co_posonlyargcount, code.co_flags & KINDS)))
    for constant in used:
        if isinstance(constant, CodeType):
            digest, inner, further = _code(constant)
            parts.append(digest)
            names |= inner
            taken += further
        else:
            parts.append(_constant(constant))
    return _hash(*parts), frozenset(names), taken


def _constant(value):
    """Return the text of a constant of compiled code; a set's does not depend on its order."""
    if isinstance(value, frozenset):
        return f"{{{', '.join(sorted(map(_constant, value)))}}}"
    if isinstance(value, tuple):
        return f"({', '.join(map(_constant, value))})"
    return repr(value)


def _imports(code):
    """Return (level, module) of the imports of a code object."""
    found, before = [], [None, None]
    for each in dis.get_instructions(code):
        if each.opcode == IMPORT:
            found.append((before[-2] or 0, each.argval))
        before.append(each.argval)
    return tuple(found)


@cache
def _attributes(code):
    """Return all names that a code object and those in it use: of globals, modules and attributes."""
    inner = (_attributes(each) for each in code.co_consts if isinstance(each, CodeType))
    return frozenset(code.co_names).union(*inner)


def _hash(*parts):
    digest = blake2b(digest_size=16)
    for part in parts:
        data = part.encode("utf-8", "surrogatepass")
        digest.update(len(data).to_bytes(8, "big") + data)
    return digest.hexdigest()


def _file_hash(path):
    """Return the hash of a file's bytes, or of the names and bytes of all files in a folder."""
    path = Path(path)
    if not path.exists():
        raise Refusal(f"depends names {echo(str(path))}, which does not exist; give the path of a file or a folder.")
    if path.is_dir():
        inside = sorted(each for each in path.rglob("*") if each.is_file() and "__pycache__" not in each.parts)
        return _hash(*(part for each in inside for part in (str(each.relative_to(path)), _file_hash(each))))
    with path.open("rb") as file:
        digest = sha256()
        while piece := file.read(1 << 20):
            digest.update(piece)
    return digest.hexdigest()[:32]


def _versions(packages: set[str]) -> dict[str, str]:
    """Return the versions of Python, of this library, of what it computes with, and of the packages of a study."""
    versions = {"Python": f"{sys.version_info[0]}.{sys.version_info[1]}{' -O' * sys.flags.optimize}"}
    versions[OURS] = f"={VERSION}"
    for name in [*BELOW, *sorted(packages - BELOW.keys())]:
        if (version := _version(name)) is not None:
            versions[BELOW.get(name, name)] = f"={version}"
    return versions


def _version(name: str) -> str | None:
    version: Any = getattr(sys.modules.get(name), "__version__", None)
    if isinstance(version, str):
        return version
    try:
        return importlib.metadata.version(BELOW.get(name, name))
    except importlib.metadata.PackageNotFoundError:  # a package whose name is not its module's
        return None


def _with_values(name, stored, current):
    """Return a source's name, with its values if both are recorded as text."""
    is_hashed = any(re.search("[0-9a-f]{32}", text) for text in (stored, current))
    return name if is_hashed else f"{name} ({stored}, now {current})"


def _listed(names):
    """Return names as a list for a sentence, shortened if it is long."""
    if len(names) > FEW:
        return f"{join_list(names[:FEW])} and {len(names) - FEW} more"
    return f"{join_list(names[:-1])} and {names[-1]}" if len(names) > 1 else names[0]
