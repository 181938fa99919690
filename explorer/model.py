"""Model: a value that holds inputs only, each a parameter with its bounds."""

from __future__ import annotations

import copy
import difflib
import inspect
import json
from collections.abc import Mapping
from functools import cache
from typing import Any, ClassVar, Self, dataclass_transform

import numpy as np
import param
from param.parameterized import ParameterizedMetaclass

from . import checks, tables
from .elsewhere import unknown_attribute, wrong_call
from .parameters import (
    Array,
    Choice,
    Flag,
    LogNumber,
    Odd,
    Part,
    Real,
    RequiredPart,
    RequiredReal,
    Seed,
    Text,
    Whole,
    owner_of,
)
from .printing import WHOLE, Written, echo, join_list, short_repr, truncate
from .printing import code as code
from .processors import limit_threads_of_methods


@dataclass_transform(
    eq_default=False,
    frozen_default=True,
    field_specifiers=(Real, RequiredReal, LogNumber, Whole, Odd, Seed, Array, Choice, Flag, Part, RequiredPart, Text),
)
class ModelType(ParameterizedMetaclass):
    """Gives each model class its fields in declared order and a true signature.

    A type checker reads that signature from the fields' annotations, and so needs `default=` by its name.
    """

    editable: bool

    def __init__(cls, name: str, bases: tuple[type, ...], namespace: dict[str, Any], **options: Any) -> None:
        for field in namespace.values():
            if isinstance(field, param.Parameter):
                field.allow_refs = False  # said aloud, or param looks into every value for another's parameter
        super().__init__(name, bases, namespace, **options)
        # Panel and others that read fields show those of a model that does not change as constant
        for each, field in _fields_of(cls).items():
            if field.constant != (not cls.editable):
                if each not in vars(cls):  # of a base class of the other kind, whose field stays as it is
                    field = copy.copy(field)
                    cls.param.add_parameter(each, field)
                field.constant = not cls.editable

    @property
    def fields(cls) -> dict[str, param.Parameter[Any]]:
        """Parameters by name, the base classes' first, each class's in the order it declares them."""
        return _fields(cls)

    @property
    def __signature__(cls) -> inspect.Signature:
        return _signature(cls)


# once for each class: a slider's move makes a dozen models
@cache
def _fields(cls):
    return _fields_of(cls)


def forget_fields() -> None:
    """Look at the fields of classes again, where one has been given further ones."""
    _fields.cache_clear()
    _signature.cache_clear()


def _fields_of(cls):
    names = (n for c in reversed(cls.__mro__) for n, p in vars(c).items() if isinstance(p, param.Parameter))
    return {name: cls.param[name] for name in dict.fromkeys(names) if name != "name"}


@cache
def _signature(cls):
    kind, empty = inspect.Parameter.POSITIONAL_OR_KEYWORD, inspect.Parameter.empty
    return inspect.Signature(
        [
            inspect.Parameter(name, kind, default=empty if getattr(field, "required", False) else field.default)
            for name, field in cls.fields.items()
        ]
    )


LONGEST = 100_000  # characters of a field in a link: some 5,000 points


class Model(Written, param.Parameterized, metaclass=ModelType):
    """Inputs, named and bounded; equal when its key is equal; changed only by `replace` unless it is a lab.

    `code(model)` is Python that rebuilds it; `repr` is that code too, but for arrays and texts that are too long to
    read.
    """

    name: ClassVar[param.String[Any]] = param.String(
        default=None, precedence=-1, doc="param's own; no part of the model"
    )
    editable: ClassVar[bool] = False
    was: ClassVar[Mapping[str, str]] = {}  # names that fields had in older links -> their names

    def __init_subclass__(cls, **options: Any) -> None:
        super().__init_subclass__(**options)
        if not cls.editable:
            limit_threads_of_methods(cls)

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        try:
            given = type(self).__signature__.bind(*args, **kwargs).arguments
        except TypeError as error:
            raise wrong_call(type(self).__name__, error, kwargs, type(self).fields) from error
        super().__init__(**given)
        try:
            self._check()
        except RecursionError:  # of a parser that calls itself at every bracket
            raise checks.Refusal(f"{_deepest(self)} nests too deep; give a list of few levels.") from None
        object.__setattr__(self, "_built", True)

    def _check(self):
        """What one parameter alone cannot know; a subclass raises ValueError here."""

    def __setattr__(self, attribute: str, value: Any) -> None:
        # what begins or ends in "_" is no input: the code's own, or what a learner has learnt
        if getattr(self, "_built", False) and attribute == attribute.strip("_") and not hasattr(type(self), attribute):
            raise unknown_attribute(type(self).__name__, attribute, type(self).fields)
        if not type(self).editable and attribute in type(self).fields:
            if getattr(self, "_built", False):
                way_out = f"make a new one with model.replace({attribute}={echo(value)})"
                raise TypeError(f"{type(self).__name__} does not change; {way_out}.")
            # to param it is still being made, as a check may write a field, which is constant later
            self._param__private.initialized, made = False, self._param__private.initialized
            try:
                self._write(attribute, value)
            finally:
                self._param__private.initialized = made
        else:
            self._write(attribute, value)

    def _write(self, attribute, value):
        try:
            super().__setattr__(attribute, value)
        except checks.Refusal as error:
            raise type(error)(truncate(str(error), WHOLE)) from None
        except ValueError as error:  # param's own sentences, which end with the value, however long
            raise checks.Refusal(truncate(str(error), WHOLE)) from None
        except TypeError as error:
            raise checks.WrongType(truncate(str(error), WHOLE)) from None

    def values(self) -> dict[str, Any]:
        """The fields as a plain dict."""
        return {name: getattr(self, name) for name in type(self).fields}

    def replace(self, **changes: Any) -> Self:
        """A copy with some fields changed."""
        return type(self)(**{**self._given(), **changes})

    def _given(self):
        """The fields that have a value of this model's own; all others of a copy have their defaults anyway."""
        own = self._param__private.values  # as param keeps them: to ask it for each field takes ten times as long
        return {name: own[name] for name in type(self).fields if name in own}

    def get_params(self, deep: bool = True) -> dict[str, Any]:
        """The fields by name; `deep` has those of parts and of their parts too, as estimator__kernel__bandwidth."""
        return _nested_values(self) if deep else self.values()

    def set_params(self, **params: Any) -> Self:
        """Change fields in place, those of parts as kernel__bandwidth, and return self; what was learnt stays.

        The one way to change a model, for scikit-learn's searches; `replace` gives a new one. ValueError for a field
        that is not there.
        """
        changed = _with_fields(self, params)  # checked as a whole before anything changes
        object.__setattr__(self, "_built", False)
        try:
            for name in {each.partition("__")[0] for each in params}:
                setattr(self, name, getattr(changed, name))
        finally:
            object.__setattr__(self, "_built", True)
        return self

    def __sklearn_clone__(self) -> Self:
        parts = {name: part.__sklearn_clone__() for name, part in self.values().items() if isinstance(part, Model)}
        return self.replace(**parts)  # new ones, as a search may change those of a clone

    @property
    def key(self) -> tuple[Any, ...]:
        """An immutable nested tuple that says everything about the model: for caches, threads, links and stores."""
        cls = type(self)
        return (f"{cls.__module__}.{cls.__qualname__}", *((k, freeze(v)) for k, v in self.values().items()))

    def flat(self) -> dict[str, str]:
        """The fields as text, for a link: `auto` for None, `inf` for infinity, or the field's own words."""
        return {name: getattr(self.param[name], "word", link_text)(value) for name, value in self.values().items()}

    @classmethod
    def from_flat(cls, words: Mapping[str, str]) -> tuple[Self, list[str]]:
        """A model from the settings in a link, and one sentence for each that was refused.

        It opens with what is good: fields that are missing or refused keep their defaults.
        """
        model, refused = cls(), []
        fields, words = cls.fields, {cls.was.get(name, name): word for name, word in words.items()}
        for name in words:
            if name not in fields:
                near = difflib.get_close_matches(name, fields, 1)
                hint = f"; did you mean {near[0]}?" if near else "."
                refused.append(f"Unknown setting '{_echo(name)}' in the link was ignored{hint}")
        waiting = [name for name in fields if name in words]
        try:  # some fields make sense only together
            return model.replace(**{name: parse_field(fields[name], words[name]) for name in waiting}), refused
        except checks.Refusal:
            pass
        while waiting:
            sentences = {}
            for name in waiting:
                try:
                    model = model.replace(**{name: parse_field(fields[name], words[name])})
                except checks.Refusal as error:
                    sentences[name] = f"{name}={_echo(words[name])} in the link was ignored: {error}"
            if len(sentences) in (0, len(waiting)):
                return model, refused + list(sentences.values())
            waiting = list(sentences)  # once more: n = 2 is refused until the number of blocks is 1
        return model, refused

    def __eq__(self, other: object) -> bool:
        return self.key == other.key if isinstance(other, Model) else NotImplemented

    def __hash__(self) -> int:
        if type(self).editable:
            raise TypeError(f"{type(self).__name__} changes, so it is no key; use its .key.")
        return hash(self.key)

    def __reduce__(self) -> tuple[Any, ...]:
        return _rebuild, (type(self), self.values())

    def __str__(self) -> str:
        return repr(self)

    def _parts(self):
        """The fields that differ from their defaults, or have none: what has to be written to rebuild the model."""
        fields = type(self).fields
        return [
            (k, v)
            for k, v in self.values().items()
            if getattr(fields[k], "required", False) or freeze(v) != freeze(fields[k].default)
        ]

    def _picture(self):
        rows = [
            (getattr(field, "symbol", "") or name, short_repr(getattr(self, name), 80), field.doc or "")
            for name, field in type(self).fields.items()
        ]
        return tables.table(("field", "value", "meaning"), rows)


def _nested_values(model):
    """The fields of a model by name, and those of the models among them, however deep, as field__field."""
    own = model.values()
    parts = {name: part for name, part in own.items() if isinstance(part, Model)}
    return own | {f"{name}__{key}": each for name, part in parts.items() for key, each in _nested_values(part).items()}


def _with_fields(model, params):
    """A model with other values of these fields, those of its parts as field__field; ValueError for one it has not."""
    own, parts = {}, {}
    for name, value in params.items():
        field, _, key = name.partition("__")
        if key:
            parts.setdefault(field, {})[key] = value
        else:
            own[field] = value
    known = model.values()
    unknown = [field for field in (*own, *parts) if field not in known]
    if unknown:
        there = join_list(sorted(_nested_values(model)))
        raise checks.Refusal(f"{type(model).__name__} has no {', '.join(sorted(unknown))}; it has {there}.")
    model = model.replace(**own)
    for field, changes in parts.items():
        part = getattr(model, field)
        if not isinstance(part, Model):
            raise checks.Refusal(f"{field} is {echo(part)}, which has no fields to set; give a whole {field} first.")
        model = model.replace(**{field: _with_fields(part, changes)})
    return model


def _rebuild(cls, values):
    return cls(**values)


def link_text(value: object) -> str:
    """A field's value as a link has it."""
    if value is None:
        return "auto"
    return str(value).lower() if isinstance(value, bool) else str(value)


def parse_field(field: Any, text: str) -> Any:
    """A field's value from a word of a link; Refusal where it is none."""
    if hasattr(field, "parse"):
        return field.parse(text)
    if isinstance(field, param.Boolean):
        if text.lower() not in ("true", "false"):
            raise checks.Refusal(f"{owner_of(field)} must be true or false, not {echo(text)}.")
        return text.lower() == "true"
    if isinstance(field, param.Selector) and text not in field.objects:
        raise checks.Refusal(
            f"{owner_of(field)} must be one of {join_list(map(str, field.objects))}, not {echo(text)}."
        )
    _refuse_words(field, text)
    return text


def _refuse_words(field, text):
    """Refuse a text that no link can carry on, and that parsers of what it holds would fail at."""
    name = owner_of(field)
    if len(text) > LONGEST:
        raise checks.Refusal(f"{name} has {len(text):,} characters; give at most {LONGEST:,}.")
    try:
        text.encode()
        if text.lstrip()[:1] in ("[", "{", '"'):
            json.dumps(json.loads(text), ensure_ascii=False).encode()
    except UnicodeEncodeError:
        raise checks.Refusal(f"{name} holds half of a character, {echo(text)}; type it anew.") from None
    except RecursionError:
        raise checks.Refusal(f"{name} nests too deep, {echo(text)}; give a list of few levels.") from None
    except ValueError:  # no JSON: the field's own sentence says what it should be
        pass


def _deepest(model):
    """The text field of a model with the most brackets."""
    texts = {name: value for name, value in model.values().items() if isinstance(value, str)}
    return max(texts, key=lambda name: texts[name].count("[") + texts[name].count("{"), default=type(model).__name__)


def _echo(word):
    """A word of a link for a sentence: short, and what cannot be printed escaped."""
    return "".join(c if c.isprintable() else repr(c)[1:-1] for c in truncate(word))


def freeze(value: Any) -> Any:
    """A hashable stand-in for a field's value."""
    if isinstance(value, np.ndarray):
        return (value.shape, value.dtype.str, value.tobytes())
    if hasattr(value, "key"):
        return value.key
    if isinstance(value, Mapping):
        return tuple((name, freeze(each)) for name, each in value.items())
    return tuple(freeze(v) for v in value) if isinstance(value, (list, tuple)) else value
