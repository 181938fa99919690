"""Learners: models that learn from samples whose columns meet by name, as scikit-learn's tools take them."""

from __future__ import annotations

import functools
import inspect
import sys
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Literal, Self, dataclass_transform

import numpy as np

from . import frames, synonyms
from .alignment import in_one_order
from .checks import Refusal
from .lazy_tables import in_memory
from .model import Model, ModelType
from .parameters import Array, Choice, Flag, LogNumber, Odd, Part, Real, RequiredPart, RequiredReal, Seed, Text, Whole
from .printing import echo

# what methods call the samples that they are given: the argument -> the sample of `fit` whose columns it has
SAMPLES = dict.fromkeys(("X", "x", "Z", "grid", "X_source", "X_target", "bags"), "X") | {
    each: each for each in ("Y", "states", "observations")
}
# arguments that have rows in common, which Series and DataFrames of pandas are paired by
ROWS = ("X", "X_source", "Y", "y", "states", "observations", "domains", "labels", "weights", "sample_weight")
APART = ("transform",)  # what answers for each sample by itself
AFRESH = ("fit", "learn", "fit_transform", "fit_predict", "loocv", "left_out")  # what learns from what it is given
KEPT = ("fit", "learn")  # what remembers it


@dataclass_transform(
    eq_default=False,
    field_specifiers=(Real, RequiredReal, LogNumber, Whole, Odd, Seed, Array, Choice, Flag, Part, RequiredPart, Text),
)
class LearnerType(ModelType):
    """Tells a type checker that a learner keeps what it has learnt; its fields change no more than another model's."""


class Learner(Model, metaclass=LearnerType):  # pyright: ignore[reportGeneralTypeIssues], it keeps what it learns
    """A model that `fit` lets learn from data; what it has learnt ends in "_", and pickles and copies keep it.

    A subclass writes `fit`, and what it can then be asked. Of all its methods those arguments that are samples
    (`SAMPLES`) are compared by the names of their columns where they have any: `fit` remembers these, later calls
    bring DataFrames in that order, and other columns are refused.

    _kind     "classifier", "regressor", "clusterer", "outlier_detector" or "density_estimator", in scikit-learn's words
    _before   what is said of one that has learnt nothing
    """

    if TYPE_CHECKING:  # each learner says what it takes

        def fit(self, *args: Any, **kwargs: Any) -> Any: ...

        def _learns(self) -> None:
            self.columns_: dict[Any, Any]
            self.n_features_in_: int

    _before = "has seen no data yet; take fit(X) first"
    _kind = ""

    def __init_subclass__(cls, **options: Any) -> None:
        super().__init_subclass__(**options)
        for name, method in list(vars(cls).items()):
            if inspect.isfunction(method) and (name == "__call__" or not name.startswith("_")):
                arguments = [each for each in inspect.signature(method).parameters if each in SAMPLES]
                if arguments:
                    setattr(cls, name, _by_name(method, arguments))

    def _fitted(self) -> Self:
        if not self._learnt():
            raise not_fitted(f"{echo(self)} {self._before}.")
        return self

    def _learnt(self):
        return {name: value for name, value in vars(self).items() if name.endswith("_") and not name.startswith("_")}

    def __reduce__(self) -> tuple[Any, ...]:
        return (*super().__reduce__(), self._learnt() | self._asked())

    def __setstate__(self, learnt: Mapping[str, Any]) -> None:
        vars(self).update(learnt)

    def _asked(self):
        """What `set_output` was asked for."""
        return {name: value for name, value in vars(self).items() if name == "_output"}

    def _names(self, sample: object = "X") -> Any:
        """The names of the columns of a sample that it has learnt from, or None."""
        return vars(self).get("columns_", {}).get(sample)

    @property
    def feature_names_in_(self) -> np.ndarray:
        """The names of the columns of the first sample that it has learnt from, (d,); only where that has names."""
        spaces = (SAMPLES[each] for each in inspect.signature(self.fit).parameters if each in SAMPLES)
        names = self._names(next(spaces, None))
        if names is None:
            raise AttributeError(f"{type(self).__name__} has learnt from no table with names of columns.")
        return np.array(names, dtype=object)

    # scikit-learn's conventions ---------------------------------------------------------------------------------------

    def __sklearn_clone__(self) -> Self:
        clone = super().__sklearn_clone__()
        vars(clone).update(self._asked())
        return clone

    def __sklearn_is_fitted__(self) -> bool:
        return bool(self._learnt())

    def __sklearn_tags__(self) -> Any:
        from sklearn.utils import ClassifierTags, InputTags, RegressorTags, Tags, TargetTags, TransformerTags

        kind, bags = self._kind, "bags" in inspect.signature(self.fit).parameters
        seeds = [name for name, field in type(self).fields.items() if isinstance(field, Seed)]
        return Tags(
            estimator_type=kind or None,
            target_tags=TargetTags(required=_needs_target(self), multi_output=kind == "regressor"),
            transformer_tags=TransformerTags() if isinstance(self, Transformer) else None,
            classifier_tags=ClassifierTags() if kind == "classifier" else None,
            regressor_tags=RegressorTags() if kind == "regressor" else None,
            input_tags=InputTags(two_d_array=not bags, three_d_array=bags),
            non_deterministic=any(getattr(self, name) is None for name in seeds),
        )


class Transformer(Learner):
    """A learner whose `transform` gives numbers for each row: an array, or a DataFrame where `set_output` asks for it.

    A subclass says `_n_outputs`, how many columns that has, or writes `get_feature_names_out`.
    """

    def set_output(self, *, transform: Literal["default", "pandas", "polars"] | None = None) -> Self:
        """Let `transform` and `fit_transform` give arrays ("default"), or DataFrames of pandas or polars; returns self.

        None leaves it as it is.
        """
        if transform not in (None, "default", "pandas", "polars"):
            raise Refusal(f"transform must be 'default', 'pandas' or 'polars', not {echo(transform)}.")
        if transform is not None:
            self._output = transform
        return self

    def get_feature_names_out(self, input_features: Any = None) -> np.ndarray:
        """The names of `transform`'s columns, (r,): the class's in small letters, and a number from 0 on."""
        fitted = self._fitted()
        fitted._refuse_other_features(input_features)
        return np.array([f"{type(self).__name__.lower()}{k}" for k in range(fitted._n_outputs)], dtype=object)

    @property
    def _n_outputs(self) -> int:
        raise NotImplementedError

    def _refuse_other_features(self, names):
        """A sentence for names of columns that are not those that were learnt from."""
        own = getattr(self, "feature_names_in_", None)
        if names is not None and own is not None and list(map(str, names)) != list(own):
            raise Refusal(
                f"input_features is {echo(list(names))}, and not equal to feature_names_in_, {echo(list(own))}."
            )

    def _framed(self, values, given=None, *others):
        """Values (n, r), or a pair of them, as the DataFrame that is asked for; rows named as those of what was given.

        sklearn.set_config(transform_output=...) counts where `set_output` has said nothing.
        """
        output = self._asked().get("_output")
        if output is None and "sklearn" in sys.modules:
            output = sys.modules["sklearn"].get_config()["transform_output"]
        if isinstance(values, tuple):
            of = (given, *others) if len(others) + 1 == len(values) else (given,) * len(values)
            return tuple(map(self._framed, values, of))
        if output in (None, "default") or not isinstance(values, np.ndarray) or values.ndim != 2:
            return values
        names = list(self.get_feature_names_out())
        if output == "polars":
            import polars

            return polars.DataFrame(values, schema=names, orient="row")
        import pandas

        index = given.index if isinstance(given, (pandas.DataFrame, pandas.Series)) else None
        return pandas.DataFrame(values, columns=names, index=index)


def not_fitted(sentence: str) -> Refusal:
    """The refusal of a learner that has learnt nothing: to scikit-learn, once that is loaded, its NotFittedError."""
    if "sklearn" not in sys.modules:
        return Refusal(sentence)
    from sklearn.exceptions import NotFittedError

    class NotFitted(Refusal, NotFittedError):
        def __reduce__(self):
            return not_fitted, (sentence,)

    return NotFitted(sentence)


def _by_name(method, arguments):
    """A method whose samples, the arguments of these names, come to it with their columns in one order."""
    name, signature = method.__name__, inspect.signature(method)
    rows = [] if name in APART and "y" not in signature.parameters else [r for r in signature.parameters if r in ROWS]

    @functools.wraps(method)
    def ordered(self, *args, **kwargs):
        try:
            given = signature.bind(self, *args, **kwargs)
        except TypeError as error:
            said = f"{type(self).__name__}.{name}"
            raise synonyms.wrong_call(said, error, kwargs, signature.parameters) from None
        given.arguments.update(in_one_order({each: given.arguments[each] for each in rows if each in given.arguments}))
        known = {} if name in AFRESH else vars(self).get("columns_", {})
        known = {space: (names, "what was learnt from") for space, names in known.items()}
        samples = {each: given.arguments[each] for each in arguments if given.arguments.get(each) is not None}
        given.arguments.update({each: _ordered(each, sample, known) for each, sample in samples.items()})
        answer = method(*given.args, **given.kwargs)
        if name in KEPT:
            self.columns_ = {space: names for space, (names, _) in known.items()}
            if samples and "bags" not in samples:
                self.n_features_in_ = _width(given.arguments[next(iter(samples))])
        if isinstance(self, Transformer) and name.endswith("transform"):
            return self._framed(answer, *samples.values())
        return answer

    return ordered


def _ordered(argument, sample, known):
    """A sample with its columns in the order that is `known` of its space, which it else says: (names, whose)."""
    if argument == "bags":
        if not isinstance(sample, (list, tuple)):
            return sample  # an array, or what is refused
        return [_ordered_table("bags", bag, f"bags[{i}]", known) for i, bag in enumerate(sample)]
    return _ordered_table(argument, sample, argument, known)


def _ordered_table(argument, table, called, known):
    space, table = SAMPLES[argument], in_memory(table)
    if space in known:
        names, whose = known[space]
        return frames.in_order(table, names, (called, whose))
    if names := frames.names_of(table):
        known[space] = names, called
    return table


def _width(sample):
    """How many columns a sample has that a learner has taken."""
    fields = getattr(getattr(sample, "dtype", None), "names", None)  # of a structured array
    shape = sample.shape if hasattr(sample, "shape") else np.asarray(sample).shape
    return len(fields) if fields else shape[1] if len(shape) > 1 else 1


def _needs_target(learner):
    """Whether `fit` takes something beside its first argument that has no default."""
    others = list(inspect.signature(learner.fit).parameters.values())[1:]
    return bool(others) and others[0].default is inspect.Parameter.empty
