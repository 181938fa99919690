"""Models that the menus of labs offer in addition to their own: further kernels, and the models in a user's folder.

Each parameter of such a model becomes a field of the lab, such as `Matern_nu` or `TrimmedKME_share`, with the
parameter's bounds, symbol and label. Links, sweeps, undo and sliders so treat it as any other field.
"""

from __future__ import annotations

import copy
import logging
import math
import pkgutil
import re
import traceback
from collections.abc import Callable, Iterator, Mapping
from functools import cache
from importlib import import_module
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, NamedTuple, TypeVar

import numpy as np

from explorer import model as models
from explorer.checks import Refusal
from explorer.estimators import Estimator
from explorer.estimators import labelled as labelled_estimators
from explorer.estimators.check import describe_failure, first_failure
from explorer.kernels import ARDGaussian, Gaussian, InverseMultiquadric, Kernel, Matern, RationalQuadratic
from explorer.languages import message
from explorer.model import Model
from explorer.parameters import Choice, Flag, LogNumber, Real, Stops, Whole
from explorer.printing import echo, truncate

from . import links

if TYPE_CHECKING:
    from .lab import Lab

    LabClass = TypeVar("LabClass", bound=type[Lab])

MODELS = "explorer.models"  # by name, because this module imports the workbench
VARIABLE = "EXPLORER_MODELS"
LOG = logging.getLogger("explorer")
LONGEST = 40  # longest label in characters that fits into a menu
CLAUSE = 24  # longest description of a parameter in characters that fits next to a slider
PROBE = np.random.default_rng(0).normal(size=(8, 2))
PROBES = (PROBE[:, :1], PROBE)  # points with one coordinate, and with two
CLOSE = 1e-9  # tolerated asymmetry of a Gram matrix, relative to its largest value, for rounding errors


class MenuModel(NamedTuple):
    """A model that menus offer.

    Attributes
    ----------
    word : str
        Its name in a link: a kernel's class, an estimator's label.
    called : str
        Its name in a menu.
    kind : type
        Its class.
    fields : mapping of str to str
        Field of a lab -> the parameter that it sets.
    """

    word: str
    called: str
    kind: type[Any]
    fields: Mapping[str, str]

    def of(self, lab: Any) -> Any:
        """Return the model with the parameters of a lab.

        Raises
        ------
        Refusal
            If the model does not accept these parameters.
        """
        try:
            return self.kind(**{name: getattr(lab, field) for field, name in self.fields.items()})
        except Refusal:
            raise
        except Exception as error:  # a user's model may raise anything
            raise Refusal("{} takes no such parameters: {}.", self.called, describe_error(error)) from error

    def equals(self, other: Model) -> bool:
        """Return whether a model is an instance of this class."""
        return type(other) is self.kind


def offer(kind: type[Any], called: str, word: str = "") -> MenuModel:
    """Return the MenuModel of a class, with a field for each parameter that a widget can change.

    `called` is its name in a menu, and `word` its name in a link, by default the class's. The kernel gets no field, and
    nor do parameters that follow the bandwidth.
    """
    given = _counted(kind) | {"kernel"}
    names = [name for name, field in kind.fields.items() if name not in given and _movable(field)]
    return MenuModel(
        word or kind.__name__, called, kind, MappingProxyType({f"{kind.__name__}_{name}": name for name in names})
    )


def _counted(kind):
    """Return the parameters of a kernel that `with_bandwidth` sets."""
    made = kind()
    if not getattr(made, "has_bandwidth", False):
        return set()
    one, other = made.with_bandwidth(1.0).values(), made.with_bandwidth(2.0).values()
    return {name for name in one if one[name] != other[name]}


def _movable(field):
    """Return whether a widget can change a parameter."""
    return isinstance(field, Real | Choice | Flag) and not getattr(field, "required", False)


# The fields of a lab.


def field_of(field: Any, called: str) -> Any:
    """Return a parameter as a field of a lab, with a label and the ends of its slider."""
    if isinstance(field, Choice) and _are_numbers(field.objects):
        numbers = {"stops": field.objects, "doc": field.doc, "label": called, "symbol": called.split()[0]}
        return Stops(field.default, **numbers)
    field = copy.copy(field)
    # the field belongs to the lab and gets its own name; param does not allow a plain assignment
    for slot in ("owner", "name"):
        object.__setattr__(field, slot, None)
    field.label, field.constant = called, False
    if isinstance(field, Real) and not isinstance(field, Stops):
        field.softbounds = _ends(field)
    return field


def _are_numbers(values):
    """Return whether all values are numbers."""
    return all(isinstance(value, int | float) and not isinstance(value, bool) for value in values)


def _ends(field):
    """Return the ends of a slider: the parameter's soft bounds or its bounds or, if open, values about its default."""
    low, high = field.bounds or (None, None)
    soft_low, soft_high = field.softbounds or (None, None)
    middle = 1.0 if field.default is None or not math.isfinite(field.default) else float(field.default)
    if isinstance(field, LogNumber):
        middle = abs(middle) or 1.0
        near = middle / 100, middle * 100
    else:
        reach = 10 * abs(middle) if isinstance(field, Whole) else abs(middle)
        near = middle - (reach or 1.0), middle + (reach or 1.0)
    far = isinstance(field, LogNumber)  # bounds may lie hundreds of decades apart
    ends = []
    for soft, bound, usual, inner in ((soft_low, low, near[0], max), (soft_high, high, near[1], min)):
        if soft is not None:
            ends.append(soft)
        elif bound is None or not math.isfinite(bound):
            ends.append(usual)
        else:
            ends.append(inner(bound, usual) if far else bound)
    first, last = map(int, ends) if isinstance(field, Whole) else ends
    return first, last


SAID = message(
    {  # labels of the parameters of kernels that come with the package
        "Matern_nu": "ν smoothness",
        "RationalQuadratic_alpha": "α power of the fall",
        "InverseMultiquadric_exponent": "β power of the fall",
    }
)


def label_of(name: str, field: Any) -> str:
    """Return the label of a parameter's control: its symbol and, if short, the first words of its documentation."""
    called = field.name.replace("_", " ")
    clause = re.split("[:;,]", field.doc or "")[0].strip()
    if len(clause) > CLAUSE:
        clause = ""
    symbol = getattr(field, "symbol", "")
    words = [symbol, clause or called] if symbol else [clause or called]
    return SAID.get(name, " ".join(words))


# The models that exist.


CALLED = message(
    {  # labels of the named kernels, by their names in links
        "LIN": "linear",
        "POLY2": "quadratic",
        "POLY3": "cubic",
        "RBF": "RBF (Gaussian)",
        "LAP": "Laplacian",
        "distance": "energy (distance)",
        "EXP": "exponential",
    }
)
BUILT_IN = MappingProxyType(
    {
        each.word: each
        for each in (
            offer(Matern, message("Matérn")),
            offer(ARDGaussian, message("ARD Gaussian (a length per axis)")),
            offer(RationalQuadratic, message("rational quadratic")),
            offer(InverseMultiquadric, message("inverse multiquadric")),
        )
    }
)


def kernels() -> dict[str, MenuModel]:
    """Return name in links -> MenuModel of each kernel other than the named ones: the package's, then the user's."""
    return {**BUILT_IN, **{each.word: each for each in user_models() if issubclass(each.kind, Kernel)}}


def estimators() -> dict[str, MenuModel]:
    """Return name in links -> MenuModel of each of the user's estimators."""
    return {each.word: each for each in user_models() if issubclass(each.kind, Estimator)}


@cache
def user_models() -> tuple[MenuModel, ...]:
    """Return the MenuModels of the modules of `explorer.models`, in their order; those that fail are logged.

    Returns
    -------
    tuple of MenuModel
        The models.
    """
    labels = [each.called for each in BUILT_IN.values()]
    found, taken = [], {*CALLED, *CALLED.values(), *BUILT_IN, *labels, *labelled_estimators()}
    for kind in _classes():
        try:
            each = offer(kind, label_checked(kind), "" if issubclass(kind, Kernel) else kind.label)
            for name in (each.word, each.called):
                if name in taken:
                    raise Refusal("there is already one that is called {}; give it another name.", echo(name))
            check_model(kind())
        except Exception as error:  # the server starts, whatever a user's model raises
            LOG.warning("%s is in no menu: %s", f"{kind.__module__}.{kind.__qualname__}", describe_error(error))
        else:
            taken |= {each.word, each.called}
            found.append(each)
            if issubclass(kind, Estimator) and (row := first_failure(kind())):
                LOG.warning("%s fails a check: %s", f"{kind.__module__}.{kind.__qualname__}", describe_failure(row))
    return tuple(found)


def _classes() -> Iterator[type[Any]]:
    """Yield the kernels and estimators that the user's modules define."""
    for each in pkgutil.iter_modules(import_module(MODELS).__path__):
        name = f"{MODELS}.{each.name}"
        try:
            module = import_module(name)
        except (Exception, SystemExit) as error:  # a module may raise anything while it is imported
            LOG.warning(
                "The module %s could not be imported, so its models are in no menu: %s", name, describe_error(error)
            )
            continue
        for kind in vars(module).values():
            ours = isinstance(kind, type) and issubclass(kind, Kernel | Estimator) and kind.__module__ == name
            if ours and not kind.__name__.startswith("_"):
                yield kind


def label_checked(kind: type[Any]) -> str:
    """Return the label of a class.

    Parameters
    ----------
    kind : type
        The class of a model.

    Returns
    -------
    str
        The label.

    Raises
    ------
    Refusal
        If it has no label, or one that no menu can show.
    """
    label = kind.label
    if not isinstance(label, str) or not label.strip():
        raise Refusal("it has no label; give the class one, such as label = 'trimmed mean'.")
    if len(label) > LONGEST or not label.isprintable():
        raise Refusal("its label is {}; give at most {} letters that can be printed.", echo(label), LONGEST)
    return label


def check_model(made: Kernel | Estimator) -> None:
    """Raise a Refusal if a model does not return, on a few points, what every lab needs.

    Parameters
    ----------
    made : Kernel or Estimator
        The model.

    Raises
    ------
    Refusal
        If a kernel does not compare points of numbers, or its Gram matrix has the wrong shape, is not finite, is not
        symmetric, is not positive semi-definite, or has another diagonal than `diagonal` returns; if an estimator's
        weights are not finite.
    """
    if isinstance(made, Kernel):
        if made.space != "numbers":
            raise Refusal("it compares {}, and labs have points of numbers.", made.space)
        for X in PROBES:
            K = np.asarray(made.select(X)(X))
            if K.shape != (len(X), len(X)) or not np.isfinite(K).all():
                raise Refusal("its Gram matrix of {} points has shape {} or is not finite.", len(X), K.shape)
            if np.abs(K - K.T).max() > CLOSE * np.abs(K).max():
                raise Refusal("its Gram matrix is not symmetric.")
            least, *_, largest = np.linalg.eigvalsh(K)
            if least < -CLOSE * max(abs(least), abs(largest)):
                raise Refusal("its Gram matrix is not positive semi-definite; `check_kernel` shows more.")
            if np.abs(K.diagonal() - made.select(X).diagonal(X)).max() > CLOSE * np.abs(K).max():
                raise Refusal("its `diagonal` is another one than its Gram matrix's.")
        return
    for X in PROBES:
        embedding = made.replace(kernel=Gaussian(1.0)).embed(X)
        if not np.isfinite(embedding.weights).all():
            raise Refusal("its weights are not finite.")


def describe_error(error: BaseException) -> str:
    """Return what went wrong in a user's model, and where, in one line of text.

    Parameters
    ----------
    error : BaseException
        The exception. A Refusal keeps its own message.

    Returns
    -------
    str
        The type of the exception, its message, and the line and file that raised it.
    """
    words, frames = truncate(" ".join(str(error).split()), 200), traceback.extract_tb(error.__traceback__)
    if isinstance(error, Refusal):
        return words
    where = f" (line {frames[-1].lineno} of {frames[-1].filename})" if frames else ""
    return f"{type(error).__name__}: {words or 'no reason given'}{where}"


# Abilities of a kernel.


def embeds_gaussians(kernel: Kernel) -> bool:
    """Return whether a kernel knows its expectations under Gaussians, which exact losses need.

    Parameters
    ----------
    kernel : Kernel
        The kernel.

    Returns
    -------
    bool
        True if these are finite on a few points.
    """
    C = np.eye(2)
    try:
        values = kernel.expected(PROBE[:2], C, PROBE[2:4], C), kernel.expected_diagonal(PROBE[:2], C)
    except (Refusal, NotImplementedError):
        return False
    return all(np.isfinite(each).all() for each in values)


def is_smooth(kernel: Kernel) -> bool:
    """Return whether a kernel has a gradient at two equal points.

    Parameters
    ----------
    kernel : Kernel
        The kernel.

    Returns
    -------
    bool
        False if `gradient` refuses.
    """
    try:
        kernel.gradient(PROBE[:1], PROBE[:1])
    except (Refusal, NotImplementedError):
        return False
    return True


# Labs with menus of models.


class ModelSlot(NamedTuple):
    """Fields of a lab class that offer models.

    Attributes
    ----------
    kind : type of Lab
        The lab class.
    kernels : tuple of str
        Its Choice fields that offer kernels.
    estimators : mapping
        Its Choice fields that offer estimators -> a function that returns the labels of an estimator in the menu and in
        a link.
    words : mapping
        Field -> its built-in choices, label -> value.
    """

    kind: type[Any]
    kernels: tuple[str, ...]
    estimators: Mapping[str, Callable[[MenuModel], tuple[str, str]]]
    words: Mapping[str, Mapping[str, Any]]


_taking: list[ModelSlot] = []


def as_it_is(each: MenuModel) -> tuple[str, str]:
    """Return the label and the name in links of an estimator that a menu offers under its own name.

    Parameters
    ----------
    each : MenuModel
        The estimator.

    Returns
    -------
    called, word : str
        The label and the name.
    """
    return each.called, each.word


def takes_models(
    kernels: tuple[str, ...] = (), estimators: Mapping[str, Callable[[MenuModel], tuple[str, str]]] | None = None
) -> Callable[[LabClass], LabClass]:
    """Return a class decorator that lets Choice fields of a lab offer more kernels and the user's estimators.

    Parameters
    ----------
    kernels : tuple of str
        The fields that offer kernels.
    estimators : mapping or None, default None
        Field that offers estimators -> a function that returns the labels of an estimator in the menu and in a link.

    Returns
    -------
    callable
        The decorator.
    """

    def taken(kind):
        fields = (*kernels, *(estimators or {}))
        each = ModelSlot(kind, kernels, estimators or {}, {name: kind.fields[name].words for name in fields})
        _taking.append(each)
        _fill(each)
        return kind

    return taken


def by_choice(kind: type[Any], field: str) -> dict[str, MenuModel]:
    """Return the user's estimators by the value of a lab's field in links.

    Parameters
    ----------
    kind : type of Lab
        The lab class.
    field : str
        The field.

    Returns
    -------
    dict of str to MenuModel
        The estimators.
    """
    each = next(each for each in _taking if each.kind is kind)
    return {each.estimators[field](one)[1]: one for one in estimators().values()}


def renew() -> None:
    """Read the user's folders again, and update the menus of every lab class."""
    user_models.cache_clear()
    links.forget_defaults()
    for each in _taking:
        _fill(each)


def _fill(taking):
    """Give a lab class the choices and the fields of the models that exist."""
    more: dict[str, dict[str, str]] = {name: {} for name in taking.words}
    fields: dict[str, Any] = {}
    for each in kernels().values() if taking.kernels else ():
        for name in taking.kernels:
            more[name][each.called] = each.word
        fields |= _fields(each)
    for each in estimators().values() if taking.estimators else ():
        for name, words in taking.estimators.items():
            called, word = words(each)
            more[name][called] = word
        fields |= _fields(each)
    for name, words in taking.words.items():
        given = taking.kind.fields[name]
        objects, label = {**words, **more[name]}, given._label or ""
        fields[name] = Choice(default=given.default, objects=objects, doc=given.doc, label=label, when=given.when)
    for name, field in fields.items():
        field.allow_refs = False
        taking.kind.param.add_parameter(name, field)
    models.forget_fields()


def _fields(each):
    """Return the fields of a lab for a model's parameters."""
    fields = {
        field: field_of(each.kind.fields[name], label_of(field, each.kind.fields[name]))
        for field, name in each.fields.items()
    }
    for field, name in each.fields.items():
        if name == getattr(each.kind, "free", None) and each.kind.select is Estimator.select:
            _settle(fields[field])
    return fields


def _settle(field):
    """Give a field a value in place of None: n refits for each value would take too long on a page."""
    if field.default is None:
        low, high = field.softbounds
        middle = math.sqrt(low * high) if isinstance(field, LogNumber) else (low + high) / 2
        field.default = field.python_type(middle)
    field.allow_None = False
