"""Names that other libraries use for what this one has: functions, classes, keyword arguments and words for kernels.

A user who types one of them gets a message with this library's name. `explain_wrong_calls` does so for calls of
functions, `Model` for calls of classes, and the package for its own names.
"""

from __future__ import annotations

import difflib
import functools
import inspect
import re
import sys
import tomllib
from collections.abc import Callable, Iterable, Mapping
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from types import ModuleType
from typing import Any, TypeVar, cast

from explorer.checks import WrongType
from explorer.citations import record_source
from explorer.execution.processors import limit_threads
from explorer.printing import echo, join_list
from explorer.public_names.help_text import public
from explorer.public_names.missing_packages import naming_what_to_install
from explorer.rng import refuse_other_rng

PACKAGE = "explorer"
ALIKE = 0.75  # least similarity by difflib of a misspelt name and one of ours
Function = TypeVar("Function", bound=Callable[..., Any])

OF_A_KERNEL = frozenset(
    "gamma sigma sigmas length_scale lengthscale scale width bandwidth bandwidths bw ls nu degree coef0 theta"
    " kernel_params h median".split()
)
OF_A_LEVEL = frozenset("alpha level p_val significance significance_level threshold size".split())
GAMMA = "γ is 1 / (2 bandwidth²) of Gaussian and 1 / bandwidth of Laplacian"

# Class -> (an instance of it in a sentence, the table of words for its kinds, what to do with other things).
ROLES: dict[str, tuple[str, str, str]] = {
    "Kernel": ("a kernel such as Gaussian(1.0)", "kernels", ""),
    "Estimator": ("an estimator of a kernel mean such as SKMSE()", "estimators", ""),
    "Embedding": ("an Embedding", "", "a sample's is KME(kernel).embed(X)"),
    "Law": ("a distribution such as GaussianMixture(...)", "", "for samples take mmd2(X, Y) or KME(kernel).embed(X)"),
    "LevelTwo": ("a kernel of kernel means such as LevelTwo()", "of_means", ""),
}


@functools.cache
def ours_by_word(table: str) -> dict[str, str]:
    """Return a table of synonyms.toml, which is read when a name or a call is wrong.

    Parameters
    ----------
    table : {"names", "renamed", "results", "of_estimators", "kernels", "estimators", "of_means", ""}
        Its name; "" for no table.

    Returns
    -------
    dict of {str: str}
        Word of another library -> what this one has.
    """
    tables = tomllib.loads(Path(__file__).with_name("synonyms.toml").read_text("utf-8"))
    return {word: ours for ours, words in tables.get(table, {}).items() for word in words.split()}


def plain(name: str) -> str:
    """Return a name in the form of the tables: lower case, letters and digits only.

    Parameters
    ----------
    name : str
        The name.

    Returns
    -------
    str
        Its form.
    """
    return "".join(c for c in name.lower() if c.isalnum())


def attribute(name: str, namespace: Callable[[], Mapping[str, Any]]) -> ModuleType:
    """Import the package or module that an attribute of this package names.

    Parameters
    ----------
    name : str
        The name of the attribute.
    namespace : callable
        Returns all names of the package and their objects.

    Returns
    -------
    module
        The package or module.

    Raises
    ------
    AttributeError
        If there is none.
    ImportError
        If there is none and `from explorer import` asked for it: Python would replace the message of an AttributeError.
    """
    if not name.startswith("_"):
        if find_spec(f"{PACKAGE}.{name}"):
            with naming_what_to_install():
                return import_module(f"{PACKAGE}.{name}")
        if sys._getframe(2).f_code.co_name == "_handle_fromlist":
            raise ImportError(unknown_name_message(name, namespace()), name=PACKAGE)
    raise AttributeError(unknown_name_message(name, namespace()), name=name)


def unknown_name_message(name: str, namespace: Mapping[str, Any]) -> str:
    """Return the message for a name that the package lacks.

    It names the equivalent of another library's name, the package that has the name, or the most similar name.
    """
    begin, key = f"{PACKAGE} has no {name}", plain(name)
    for part in namespace.values():
        thing = getattr(part, name, None) if isinstance(part, ModuleType) else None
        if inspect.isclass(thing) or inspect.isfunction(thing):
            return f"{begin}; it is {part.__name__}.{name}."
    ours = {plain(each): each for each, _ in public(namespace)}
    theirs = ours_by_word("names")
    if key in theirs:
        return f"{begin}; {theirs[key]}."
    near = [key] if key in ours else difflib.get_close_matches(key, ours, 1, ALIKE)
    if not near:
        inside = [each for each in _parts_of(name) if each in theirs or each in ours]
        if inside and inside[0] in theirs:
            return f"{begin}; {theirs[inside[0]]}."
        near = inside
    return f"{begin}; did you mean {ours[near[0]]}?" if near else f"{begin}; help({PACKAGE}) lists what it has."


def _parts_of(name):
    """Return the words of a name, such as context, mmd and drift of ContextMMDDrift, and their joined sequences."""
    words = [word.lower() for word in re.findall(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|\d+", name)]
    spans = [(i, j) for i in range(len(words)) for j in range(i + 1, len(words) + 1)]
    return sorted(("".join(words[i:j]) for i, j in spans), key=len, reverse=True)


def unknown_keyword_message(word: str, takes: Iterable[str]) -> str:
    """Return the advice for an unknown keyword argument: which argument of `takes` to give; "" without advice."""
    takes, renamed = list(takes), ours_by_word("renamed")
    names = renamed.get(word, "").split()
    ours = next((each for each in names if each in takes and each != word), None)
    ours = ours or next((each for each in takes if plain(each) == plain(word)), None)
    if ours is not None:
        return f"here it is {ours}"
    if word == "gamma" and "bandwidth" in takes:
        return f"give bandwidth: {GAMMA}"
    slot = next((each for each in takes if each.startswith("kernel")), None)
    if word in OF_A_KERNEL and slot:
        value = "[Gaussian(1.0), Gaussian(2.0)]" if slot == "kernels" else "Gaussian(bandwidth=1.0)"
        return f"a kernel has its own parameters, as in {slot}={value}{f': {GAMMA}' if word == 'gamma' else ''}"
    if word in OF_A_LEVEL and "n_resamples" in takes:
        return "a level is asked of the result, as in .rejected(level=0.05)"
    if "rng" in names:
        return "nothing here is drawn at random"
    if word in renamed or word in OF_A_KERNEL:  # a word of another library is not a misspelling
        return ""
    near = difflib.get_close_matches(word, takes, 1)
    return f"did you mean {near[0]}?" if near else ""


def wrong_call(name: str, error: TypeError, given: Iterable[str], takes: Iterable[str]) -> WrongType:
    """Return the refusal of a call that does not fit, with this library's word for another library's keyword."""
    takes = [each for each in takes if each != "self"]
    hints = [hint for word in given if word not in takes and (hint := unknown_keyword_message(word, takes))]
    said = f"{name}: {error}; {f'{hints[0]}; ' if hints else ''}it takes {join_list(takes) or 'no arguments'}."
    return WrongType(said.replace("?; it", "? It"))


def unknown_attribute(name: str, attribute: str, takes: Iterable[str]) -> WrongType:
    """Return the refusal of an attribute that is not a field; setting it would silently have no effect."""
    error = TypeError(f"got an unexpected attribute '{attribute}'")
    return wrong_call(name, error, [attribute], takes)


def refuse_other(value: Any, class_: type, name: str, optional: bool = False) -> None:
    """Refuse a value that is not an instance of a class of this library.

    Parameters
    ----------
    value : object
        The value.
    class_ : type
        The required class.
    name : str
        The argument's name in the message.
    optional : bool, default False
        Whether None is allowed.

    Raises
    ------
    WrongType
        If the value is not an instance.
    """
    if not (isinstance(value, class_) or (value is None and optional)):
        raise wrong_kind(value, class_.__name__, name, optional)


def wrong_kind(value: Any, kind: str, name: str, optional: bool = False) -> WrongType:
    """Return the refusal of a value that is not an instance of a class; it translates words of other libraries.

    Parameters
    ----------
    value : object
        The value.
    kind : str
        The name of the required class.
    name : str
        The argument's name in the message.
    optional : bool, default False
        Whether None is allowed.

    Returns
    -------
    WrongType
        The refusal.
    """
    role, table, way_out = ROLES.get(kind, (f"of the class {kind}", "", ""))
    given = echo(value)
    if isinstance(value, type):
        given = f"the class {value.__name__}"
        if kind in (each.__name__ for each in value.__mro__):
            way_out = f"give an instance, as {value.__name__}()"
    elif isinstance(value, str) and (ours := ours_by_word(table).get(plain(value))):
        way_out = f"give {ours}"
    end = f"; {way_out}." if way_out else "."
    return WrongType(f"{name} must be {role}{', or None' if optional else ''}, not {given}{end}")


def explain_wrong_calls(function: Function) -> Function:
    """Make a public function refuse wrong calls with a helpful message; a decorator.

    A wrong call has unknown keywords, or a value that is not a kernel, estimator, embedding, distribution or source of
    randomness although the annotation requires one. While the function computes, BLAS is limited to one thread.

    Parameters
    ----------
    function : callable
        The function.

    Returns
    -------
    callable
        A function with the same signature and result.
    """
    signature, compute = inspect.signature(function), limit_threads(function)
    name = function.__qualname__.removesuffix(".__init__")

    @functools.cache  # computed at the first call, because a method is made before its class
    def asked() -> list[tuple[str, type, bool, bool]]:
        known = vars(sys.modules[function.__module__])
        annotations = {each.name: str(each.annotation) for each in signature.parameters.values()}
        return [
            (each, known[word], "Sequence[" in annotation, "None" in annotation)
            for each, annotation in annotations.items()
            for word in re.findall(r"\w+", annotation)
            if word in ROLES
        ]

    @functools.wraps(function)
    def call(*args: Any, **kwargs: Any) -> Any:
        try:
            given = signature.bind(*args, **kwargs).arguments
        except TypeError as error:
            raise wrong_call(name, error, kwargs, signature.parameters) from None
        for each, class_, several, optional in asked():
            if each in given:
                _refuse_others(given[each], class_, each, several, optional)
        if "rng" in given:
            refuse_other_rng(given["rng"])
        with naming_what_to_install():
            answer = compute(*args, **kwargs)
        record_source(name, answer)
        return answer

    vars(call)["__held__"] = True
    return cast(Function, call)


def _refuse_others(value, class_, name, several, optional):
    """Refuse a value, or the members of a list of values, that are not instances of a class."""
    if not several:
        refuse_other(value, class_, name, optional)
    elif isinstance(value, (str, list, tuple)):
        for each in [value] if isinstance(value, str) else value:  # None may have a meaning in a list
            refuse_other(each, class_, name.removesuffix("s"), optional=True)
