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

from . import checks
from .execution.processors import limit_threads_of_methods
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
from .public_names.synonyms import unknown_attribute, wrong_call
from .tables import html_tables


@dataclass_transform(
    eq_default=False,
    frozen_default=True,
    field_specifiers=(Real, RequiredReal, LogNumber, Whole, Odd, Seed, Array, Choice, Flag, Part, RequiredPart, Text),
)
class ModelType(ParameterizedMetaclass):
    """Metaclass that gives each model class its fields in declared order and a true signature.

    A type checker reads that signature from the fields' annotations, and so needs `default=` by its name.
    """

    editable: bool

    def __init__(cls, name: str, bases: tuple[type, ...], namespace: dict[str, Any], **options: Any) -> None:
        for field in namespace.values():
            if isinstance(field, param.Parameter):
                field.allow_refs = False  # set explicitly, or param searches every value for references
        super().__init__(name, bases, namespace, **options)
        # in IPython param appends a table of the parameters, which calls those of a model that does not change writable
        described = namespace.get("__doc__")
        cls.__doc__ = inspect.cleandoc(described) if described else None
        # Panel and others that read fields show those of a model that does not change as constant
        for each, field in _fields_of(cls).items():
            if field.constant != (not cls.editable):
                if each not in vars(cls):  # the field belongs to a base class of the other kind and is not changed
                    field = copy.copy(field)
                    cls.param.add_parameter(each, field)
                field.constant = not cls.editable

    @property
    def fields(cls) -> dict[str, param.Parameter[Any]]:
        """Parameters by name: the base classes' first, and each class's in the order of their declaration."""
        return _fields(cls)

    @property
    def __signature__(cls) -> inspect.Signature:
        return _signature(cls)


# cached for each class, as each move of a slider makes a dozen models
@cache
def _fields(cls):
    return _fields_of(cls)


def forget_fields() -> None:
    """Drop the cached fields of all classes, after a class has received more of them."""
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


LONGEST = 100_000  # most characters of a field in a link: some 5,000 points


class Model(Written, param.Parameterized, metaclass=ModelType):
    """Value of named and bounded inputs: equal if its key is equal, and changed only by `replace` unless it is a lab.

    `code(model)` is Python that rebuilds it. `repr` is that code too, except for arrays and texts that are too long to
    read.
    """

    name: ClassVar[param.String[Any]] = param.String(
        default=None, precedence=-1, doc="param's own; no part of the model"
    )
    editable: ClassVar[bool] = False
    was: ClassVar[Mapping[str, str]] = {}  # maps names of fields in older links to their names

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
        except RecursionError:  # a parser calls itself at every bracket
            raise checks.Refusal(f"{_deepest(self)} nests too deep; give a list of few levels.") from None
        object.__setattr__(self, "_built", True)

    def _check(self):
        """Check what no single parameter can check; a subclass raises ValueError here."""

    def __setattr__(self, attribute: str, value: Any) -> None:
        # an attribute that begins or ends in "_" is not an input: it is private, or what a learner has learnt
        if getattr(self, "_built", False) and attribute == attribute.strip("_") and not hasattr(type(self), attribute):
            raise unknown_attribute(type(self).__name__, attribute, type(self).fields)
        if not type(self).editable and attribute in type(self).fields:
            if getattr(self, "_built", False):
                way_out = f"make a new one with model.replace({attribute}={echo(value)})"
                raise TypeError(f"{type(self).__name__} does not change; {way_out}.")
            # param treats the model as unfinished here, as a check may write a field, which is constant later
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
        except ValueError as error:  # a message of param ends with the value, however long it is
            raise checks.Refusal(truncate(str(error), WHOLE)) from None
        except TypeError as error:
            raise checks.WrongType(truncate(str(error), WHOLE)) from None

    def values(self) -> dict[str, Any]:
        """Return the fields as a plain dict.

        Returns
        -------
        dict
            The fields by name.
        """
        return {name: getattr(self, name) for name in type(self).fields}

    def replace(self, **changes: Any) -> Self:
        """Return a copy with some fields changed.

        Parameters
        ----------
        **changes : Any
            New values by field.

        Returns
        -------
        Model
            The copy.
        """
        return type(self)(**{**self._given(), **changes})

    def _given(self):
        """Return the fields that have a value of this model; a copy has the defaults of all others anyway."""
        stored = self._param__private.values  # reading each field through param takes ten times as long
        return {name: stored[name] for name in type(self).fields if name in stored}

    def get_params(self, deep: bool = True) -> dict[str, Any]:
        """Return the fields by name, as scikit-learn does.

        Parameters
        ----------
        deep : bool, default True
            Whether to add the fields of parts and of their parts, as estimator__kernel__bandwidth.

        Returns
        -------
        dict
            The fields.
        """
        return _nested_values(self) if deep else self.values()

    def set_params(self, **params: Any) -> Self:
        """Change fields in place, those of parts as kernel__bandwidth; what was learnt stays.

        This is the only way to change a model, for scikit-learn's searches; `replace` returns a new one.

        Parameters
        ----------
        **params : Any
            New values by field.

        Returns
        -------
        Model
            The model itself.

        Raises
        ------
        ValueError
            If there is no such field.
        """
        changed = _with_fields(self, params)  # checks all values before anything changes
        object.__setattr__(self, "_built", False)
        try:
            for name in {each.partition("__")[0] for each in params}:
                setattr(self, name, getattr(changed, name))
        finally:
            object.__setattr__(self, "_built", True)
        return self

    def __sklearn_clone__(self) -> Self:
        parts = {name: part.__sklearn_clone__() for name, part in self.values().items() if isinstance(part, Model)}
        return self.replace(**parts)  # the parts are copied too, as a search may change those of a clone

    @property
    def key(self) -> tuple[Any, ...]:
        """An immutable nested tuple that determines the model: for caches, threads, links and stores."""
        cls = type(self)
        return (f"{cls.__module__}.{cls.__qualname__}", *((k, freeze(v)) for k, v in self.values().items()))

    def flat(self) -> dict[str, str]:
        """Return the fields as text for a link: `auto` for None, `inf` for infinity, or the field's own text.

        Returns
        -------
        dict of str
            The texts by field.
        """
        return {name: getattr(self.param[name], "word", link_text)(value) for name, value in self.values().items()}

    @classmethod
    def from_flat(cls, words: Mapping[str, str]) -> tuple[Self, list[str]]:
        """Create a model from the settings in a link; fields that are missing or refused keep their defaults.

        Parameters
        ----------
        words : dict of str
            The texts by field.

        Returns
        -------
        model : Model
            The model.
        refused : list of str
            One sentence for each setting that was refused.
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
            waiting = list(sentences)  # try these again: n = 2 is refused until the number of blocks is 1
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
        """Return the fields that code has to state to rebuild the model: those whose value is not the default."""
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
        return html_tables.table(("field", "value", "meaning"), rows)


def _nested_values(model):
    """Return the fields of a model by name, and those of the models among them, at any depth, as field__field."""
    values = model.values()
    parts = {name: part for name, part in values.items() if isinstance(part, Model)}
    nested = {f"{name}__{key}": each for name, part in parts.items() for key, each in _nested_values(part).items()}
    return values | nested


def _with_fields(model, params):
    """Return a model with other values of these fields, those of its parts as field__field; refuse unknown ones."""
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
        if part is None:  # a kernel's field stands for Gaussian() then
            part = getattr(getattr(type(model).fields[field], "class_", None), "_for_none", lambda: None)()
        if not isinstance(part, Model):
            raise checks.Refusal(f"{field} is {echo(part)}, which has no fields to set; give a whole {field} first.")
        model = model.replace(**{field: _with_fields(part, changes)})
    return model


def _rebuild(cls, values):
    return cls(**values)


def link_text(value: object) -> str:
    """Return a field's value as a link writes it.

    Parameters
    ----------
    value : object
        The value.

    Returns
    -------
    str
        Its text.
    """
    if value is None:
        return "auto"
    return str(value).lower() if isinstance(value, bool) else str(value)


def parse_field(field: Any, text: str) -> Any:
    """Parse a field's value in a link.

    Parameters
    ----------
    field : param.Parameter
        The field.
    text : str
        The text in the link.

    Returns
    -------
    object
        The value.

    Raises
    ------
    Refusal
        If the text is not a value of the field.
    """
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
    """Refuse a text that no link can pass on, and one that a parser of its content would fail at."""
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
    except ValueError:  # it is not JSON, and the field's own message explains what it should be
        pass


def _deepest(model):
    """Return the name of the text field of a model with the most brackets."""
    texts = {name: value for name, value in model.values().items() if isinstance(value, str)}
    return max(texts, key=lambda name: texts[name].count("[") + texts[name].count("{"), default=type(model).__name__)


def _echo(word):
    """Shorten a word of a link for a message, with unprintable characters escaped."""
    return "".join(c if c.isprintable() else repr(c)[1:-1] for c in truncate(word))


def freeze(value: Any) -> Any:
    """Return a hashable replacement of a field's value.

    Parameters
    ----------
    value : object
        The value.

    Returns
    -------
    object
        The hashable value.
    """
    if isinstance(value, np.ndarray):
        return (value.shape, value.dtype.str, value.tobytes())
    if hasattr(value, "key"):
        return value.key
    if isinstance(value, Mapping):
        return tuple((name, freeze(each)) for name, each in value.items())
    return tuple(freeze(v) for v in value) if isinstance(value, (list, tuple)) else value
