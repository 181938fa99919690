"""What the menus of labs offer beyond their own words: further kernels, and the models of a reader's own folder.

Each parameter of such a model becomes a field of the lab, `Matern_nu` or `TrimmedKME_share`, with the bounds, the
symbol and the words that the parameter has: so links, sweeps, undo and sliders know it as any other field.
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
from explorer.kernels import ARDGaussian, Gaussian, InverseMultiquadric, Kernel, Matern, RationalQuadratic
from explorer.model import Model
from explorer.parameters import Choice, Flag, LogNumber, Real, Stops, Whole
from explorer.printing import echo, truncate

from . import links

if TYPE_CHECKING:
    from .lab import Lab

    LabClass = TypeVar("LabClass", bound=type[Lab])

MODELS = "explorer.models"  # by its name: it imports the workbench, and not the other way round
VARIABLE = "EXPLORER_MODELS"
LOG = logging.getLogger("explorer")
LONGEST = 40  # letters of a label, which a menu has room for
CLAUSE = 24  # letters of a parameter's words that a slider has room for
PROBE = np.random.default_rng(0).normal(size=(8, 2))
PROBES = (PROBE[:, :1], PROBE)  # points of one coordinate, and of two
CLOSE = 1e-9  # of the largest value: what rounding may take from a Gram matrix's symmetry


class MenuModel(NamedTuple):
    """A model that menus offer.

    word    its name in a link: a kernel's class, an estimator's label
    called  its name in a menu
    kind    its class
    fields  field of a lab -> the parameter that it sets
    """

    word: str
    called: str
    kind: type[Any]
    fields: Mapping[str, str]

    def of(self, lab: Any) -> Any:
        """The model with the parameters that a lab has; a Refusal where it takes no such ones."""
        try:
            return self.kind(**{name: getattr(lab, field) for field, name in self.fields.items()})
        except Refusal:
            raise
        except Exception as error:  # of a model of one's own, which may raise anything
            raise Refusal(f"{self.called} takes no such parameters: {describe_error(error)}.") from error

    def equals(self, other: Model) -> bool:
        """Whether a model is one of this class."""
        return type(other) is self.kind


def offer(kind: type[Any], called: str, word: str = "") -> MenuModel:
    """The Offer of a class: a field for each parameter that a hand can move, but for a bandwidth counted in medians."""
    given = _counted(kind) | {"kernel"}
    names = [name for name, field in kind.fields.items() if name not in given and _movable(field)]
    return MenuModel(
        word or kind.__name__, called, kind, MappingProxyType({f"{kind.__name__}_{name}": name for name in names})
    )


def _counted(kind):
    """The parameters of a kernel that `with_bandwidth` sets."""
    made = kind()
    if not getattr(made, "has_bandwidth", False):
        return set()
    one, other = made.with_bandwidth(1.0).values(), made.with_bandwidth(2.0).values()
    return {name for name in one if one[name] != other[name]}


def _movable(field):
    return isinstance(field, Real | Choice | Flag) and not getattr(field, "required", False)


# the fields of a lab


def field_of(field: Any, called: str) -> Any:
    """A parameter as a field of a lab: with a label and with ends for its slider."""
    if isinstance(field, Choice) and _are_numbers(field.objects):
        numbers = {"stops": field.objects, "doc": field.doc, "label": called, "symbol": called.split()[0]}
        return Stops(field.default, **numbers)
    field = copy.copy(field)
    for slot in ("owner", "name"):  # it is the lab's, under a name of its own; param lets nobody else take one back
        object.__setattr__(field, slot, None)
    field.label, field.constant = called, False
    if isinstance(field, Real) and not isinstance(field, Stops):
        field.softbounds = _ends(field)
    return field


def _are_numbers(values):
    return all(isinstance(value, int | float) and not isinstance(value, bool) for value in values)


def _ends(field):
    """Where a slider begins and ends: the parameter's soft bounds or its bounds or, of open ones, about its default."""
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


SAID = {  # labels of the parameters of kernels that come with the package
    "Matern_nu": "ν smoothness",
    "RationalQuadratic_alpha": "α power of the fall",
    "InverseMultiquadric_exponent": "β power of the fall",
}


def label_of(name: str, field: Any) -> str:
    """What a control of a model's parameter is called: its symbol and, where they are short, its first words."""
    called = field.name.replace("_", " ")
    clause = re.split("[:;,]", field.doc or "")[0].strip()
    if len(clause) > CLAUSE:
        clause = ""
    symbol = getattr(field, "symbol", "")
    words = [symbol, clause or called] if symbol else [clause or called]
    return SAID.get(name, " ".join(words))


# what there is


BUILT_IN = MappingProxyType(
    {
        each.word: each
        for each in (
            offer(Matern, "Matérn"),
            offer(ARDGaussian, "ARD Gaussian (a length per axis)"),
            offer(RationalQuadratic, "rational quadratic"),
            offer(InverseMultiquadric, "inverse multiquadric"),
        )
    }
)


def kernels() -> dict[str, MenuModel]:
    """word -> Offer of each kernel beyond the named ones: those of the package, then one's own."""
    return {**BUILT_IN, **{each.word: each for each in user_models() if issubclass(each.kind, Kernel)}}


def estimators() -> dict[str, MenuModel]:
    """word -> Offer of each estimator of one's own."""
    return {each.word: each for each in user_models() if issubclass(each.kind, Estimator)}


@cache
def user_models() -> tuple[MenuModel, ...]:
    """The Offers of the modules of `explorer.models`, in their order; what cannot be offered is told in the log."""
    found, taken = [], {*BUILT_IN, *labelled_estimators()}
    for kind in _classes():
        try:
            each = offer(kind, label_checked(kind), "" if issubclass(kind, Kernel) else kind.label)
            if each.word in taken:
                raise Refusal(f"there is already one that is called {echo(each.word)}; give it another name.")
            check_model(kind())
        except Exception as error:  # whatever a model of one's own raises, the server starts
            LOG.warning("%s is in no menu: %s", f"{kind.__module__}.{kind.__qualname__}", describe_error(error))
        else:
            taken.add(each.word)
            found.append(each)
    return tuple(found)


def _classes() -> Iterator[type[Any]]:
    """The kernels and estimators that the modules of one's own define."""
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
    """The label of a class; a Refusal where it has none, or one that no menu can show."""
    label = kind.label
    if not isinstance(label, str) or not label.strip():
        raise Refusal("it has no label; give the class one, such as label = 'trimmed mean'.")
    if len(label) > LONGEST or not label.isprintable():
        raise Refusal(f"its label is {echo(label)}; give at most {LONGEST} letters that can be printed.")
    return label


def check_model(made: Kernel | Estimator) -> None:
    """A Refusal where a model does not give what every lab asks of it, on a few points."""
    if isinstance(made, Kernel):
        if made.space != "numbers":
            raise Refusal(f"it compares {made.space}, and labs have points of numbers.")
        for X in PROBES:
            K = np.asarray(made.select(X)(X))
            if K.shape != (len(X), len(X)) or not np.isfinite(K).all():
                raise Refusal(f"its Gram matrix of {len(X)} points has shape {K.shape} or is not finite.")
            if np.abs(K - K.T).max() > CLOSE * np.abs(K).max():
                raise Refusal("its Gram matrix is not symmetric.")
            if np.abs(K.diagonal() - made.select(X).diagonal(X)).max() > CLOSE * np.abs(K).max():
                raise Refusal("its `diagonal` is another one than its Gram matrix's.")
        return
    for X in PROBES:
        embedding = made.replace(kernel=Gaussian(1.0)).embed(X)
        if not np.isfinite(embedding.weights).all():
            raise Refusal("its weights are not finite.")


def describe_error(error: BaseException) -> str:
    """What went wrong in a model of one's own, and where, in one line of text."""
    words, frames = truncate(" ".join(str(error).split()), 200), traceback.extract_tb(error.__traceback__)
    if isinstance(error, Refusal):
        return words
    where = f" (line {frames[-1].lineno} of {frames[-1].filename})" if frames else ""
    return f"{type(error).__name__}: {words or 'no reason given'}{where}"


# what a kernel can do


def embeds_gaussians(kernel: Kernel) -> bool:
    """Whether a kernel knows its expectations under Gaussians, of which exact losses are made."""
    C = np.eye(2)
    try:
        values = kernel.expected(PROBE[:2], C, PROBE[2:4], C), kernel.expected_diagonal(PROBE[:2], C)
    except (Refusal, NotImplementedError):
        return False
    return all(np.isfinite(each).all() for each in values)


def is_smooth(kernel: Kernel) -> bool:
    """Whether a kernel has a gradient where two points meet."""
    try:
        kernel.gradient(PROBE[:1], PROBE[:1])
    except (Refusal, NotImplementedError):
        return False
    return True


# labs that take them


class ModelSlot(NamedTuple):
    """How a lab class takes models: the Choice fields that offer kernels, and those that offer estimators.

    `words` has the choices that each field has anyway, word -> value; `named` gives the word of an estimator in a menu
    and in a link.
    """

    kind: type[Any]
    kernels: tuple[str, ...]
    estimators: Mapping[str, Callable[[MenuModel], tuple[str, str]]]
    words: Mapping[str, Mapping[str, Any]]


_taking: list[ModelSlot] = []


def as_it_is(each: MenuModel) -> tuple[str, str]:
    """The words of an estimator that a menu offers by its own name."""
    return each.called, each.word


def takes_models(
    kernels: tuple[str, ...] = (), estimators: Mapping[str, Callable[[MenuModel], tuple[str, str]]] | None = None
) -> Callable[[LabClass], LabClass]:
    """Decorate a lab class whose Choice fields of these names offer further kernels, and estimators of one's own."""

    def taken(kind):
        fields = (*kernels, *(estimators or {}))
        each = ModelSlot(kind, kernels, estimators or {}, {name: kind.fields[name].words for name in fields})
        _taking.append(each)
        _fill(each)
        return kind

    return taken


def by_choice(kind: type[Any], field: str) -> dict[str, MenuModel]:
    """The words of a lab's field in links -> the estimators of one's own that they choose."""
    each = next(each for each in _taking if each.kind is kind)
    return {each.estimators[field](one)[1]: one for one in estimators().values()}


def renew() -> None:
    """Look into the folders of one's own again, and let every lab class offer what is there now."""
    user_models.cache_clear()
    links.forget_defaults()
    for each in _taking:
        _fill(each)


def _fill(taking):
    """Let a lab class have the choices and the fields of what there is."""
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
        fields[name] = Choice(
            default=given.default, objects={**words, **more[name]}, doc=given.doc, label=given._label or ""
        )
    for name, field in fields.items():
        field.allow_refs = False
        taking.kind.param.add_parameter(name, field)
    models.forget_fields()


def _fields(each):
    return {
        field: field_of(each.kind.fields[name], label_of(field, each.kind.fields[name]))
        for field, name in each.fields.items()
    }
