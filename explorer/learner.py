"""Learners: models that learn from samples, whose columns are matched by name, in the conventions of scikit-learn."""

from __future__ import annotations

import functools
import inspect
import sys
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Literal, Self, dataclass_transform

import numpy as np

from . import frames
from .checks import Refusal
from .model import Model, ModelType
from .parameters import Array, Choice, Flag, LogNumber, Odd, Part, Real, RequiredPart, RequiredReal, Seed, Text, Whole
from .printing import echo
from .public_names import synonyms
from .public_names.missing_packages import naming_what_to_install
from .tables.alignment import in_one_order
from .tables.lazy_tables import in_memory

# Names of the arguments of methods that are samples, and the sample of `fit` whose columns each has.
SAMPLES = dict.fromkeys(("X", "x", "Z", "grid", "X_source", "X_target", "bags"), "X") | {
    each: each for each in ("Y", "states", "observations")
}
# Arguments that have rows in common: Series and DataFrames of pandas are aligned by their index.
ROWS = ("X", "X_source", "Y", "y", "states", "observations", "domains", "labels", "weights", "sample_weight")
APART = ("transform",)  # methods whose samples are independent of each other
AFRESH = (
    "fit",
    "learn",
    "fit_transform",
    "fit_predict",
    "loocv",
    "left_out",
)  # methods that learn from their arguments
KEPT = ("fit", "learn")  # methods after which the learner remembers the columns


@dataclass_transform(
    eq_default=False,
    field_specifiers=(Real, RequiredReal, LogNumber, Whole, Odd, Seed, Array, Choice, Flag, Part, RequiredPart, Text),
)
class LearnerType(ModelType):
    """Metaclass that tells a type checker that a learner stores what it has learnt.

    Its fields are as immutable as those of other models.
    """


class Learner(Model, metaclass=LearnerType):  # pyright: ignore[reportGeneralTypeIssues], it keeps what it learns
    """Model that learns from data by `fit`; learnt attributes end in "_", and pickles and copies keep them.

    A subclass writes `fit` and the methods that use what was learnt. Arguments of all its methods that are samples
    (`SAMPLES`) are matched by the names of their columns if they have any: `fit` remembers these, later calls reorder
    DataFrames to that order, and other columns are refused.

    Attributes
    ----------
    _kind : str
        "classifier", "regressor", "clusterer", "outlier_detector" or "density_estimator", scikit-learn's type of
        estimator.
    _before : str
        The end of the message about a learner that has not been fitted.
    """

    if TYPE_CHECKING:  # each learner declares its own arguments

        def fit(self, *args: Any, **kwargs: Any) -> Any: ...

        def _learns(self) -> None:
            self.columns_: dict[Any, Any]
            self.n_features_in_: int

    _before = "has seen no data yet; take fit(X) first"
    _kind = ""

    def __init_subclass__(cls, **options: Any) -> None:
        """Wrap the methods that take samples, so that columns are matched by name."""
        super().__init_subclass__(**options)
        for name, method in list(vars(cls).items()):
            if inspect.isfunction(method) and (name == "__call__" or not name.startswith("_")):
                arguments = [each for each in inspect.signature(method).parameters if each in SAMPLES]
                if arguments:
                    setattr(cls, name, _by_name(method, arguments))

    def _fitted(self) -> Self:
        """Return self, or raise an error if nothing has been learnt."""
        if not self._learnt():
            raise not_fitted(f"{echo(self)} {self._before}.")
        return self

    def _learnt(self):
        """Return the learnt attributes by name."""
        return {name: value for name, value in vars(self).items() if name.endswith("_") and not name.startswith("_")}

    def __reduce__(self) -> tuple[Any, ...]:
        return (*super().__reduce__(), self._learnt() | self._asked())

    def __setstate__(self, learnt: Mapping[str, Any]) -> None:
        vars(self).update(learnt)

    def _asked(self):
        """Return the setting of `set_output`, if there is one."""
        return {name: value for name, value in vars(self).items() if name == "_output"}

    def _names(self, sample: object = "X") -> Any:
        """Return the names of the columns of a sample that was learnt from, or None."""
        return vars(self).get("columns_", {}).get(sample)

    @property
    def feature_names_in_(self) -> np.ndarray:
        """The names of the columns of the first sample that was learnt from, (d,); only if that has names."""
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
    """Learner whose `transform` returns numbers for each row: an array, or a DataFrame if `set_output` requests it.

    A subclass defines `_n_outputs`, the number of columns, or writes `get_feature_names_out`.
    """

    def set_output(self, *, transform: Literal["default", "pandas", "polars"] | None = None) -> Self:
        """Set whether `transform` and `fit_transform` return arrays or DataFrames.

        Parameters
        ----------
        transform : {"default", "pandas", "polars"} or None, default None
            "default" is arrays, the others are DataFrames of that library; None leaves the setting unchanged.

        Returns
        -------
        Transformer
            The transformer itself.

        Raises
        ------
        Refusal
            If `transform` is another value.
        """
        if transform not in (None, "default", "pandas", "polars"):
            raise Refusal(f"transform must be 'default', 'pandas' or 'polars', not {echo(transform)}.")
        if transform is not None:
            self._output = transform
        return self

    def get_feature_names_out(self, input_features: Any = None) -> np.ndarray:
        """Return the names of `transform`'s columns: the class's name in lower case, and a number from 0 on.

        Parameters
        ----------
        input_features : sequence of str, optional
            The names of the columns that were learnt from; other names are refused.

        Returns
        -------
        ndarray of shape (r,)
            The names.
        """
        fitted = self._fitted()
        fitted._refuse_other_features(input_features)
        return np.array([f"{type(self).__name__.lower()}{k}" for k in range(fitted._n_outputs)], dtype=object)

    @property
    def _n_outputs(self) -> int:
        """The number of columns that `transform` returns."""
        raise NotImplementedError

    def _refuse_other_features(self, names):
        """Refuse names of columns that are not those that were learnt from."""
        own = getattr(self, "feature_names_in_", None)
        if names is not None and own is not None and list(map(str, names)) != list(own):
            raise Refusal(
                f"input_features is {echo(list(names))}, and not equal to feature_names_in_, {echo(list(own))}."
            )

    def _framed(self, values, given=None, *others):
        """Return values (n, r), or a pair of them, as the requested DataFrame, with the row names of the input.

        sklearn.set_config(transform_output=...) is used if `set_output` has not been called.
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
    """Return the refusal of a learner that has not been fitted.

    Once scikit-learn is loaded it is also scikit-learn's NotFittedError.

    Parameters
    ----------
    sentence : str
        The message.

    Returns
    -------
    Refusal
        The error.
    """
    if "sklearn" not in sys.modules:
        return Refusal(sentence)
    from sklearn.exceptions import NotFittedError

    class NotFitted(Refusal, NotFittedError):
        def __reduce__(self):
            return not_fitted, (sentence,)

    return NotFitted(sentence)


def _by_name(method, arguments):
    """Return a method that receives its samples, the arguments of these names, with their columns in one order."""
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
        with naming_what_to_install():
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
    """Reorder the columns of a sample to the order in `known` of its space.

    `known` maps a space to (names, whose). If it has no names for the space, those of the sample are added.
    """
    if argument == "bags":
        if not isinstance(sample, (list, tuple)):
            return sample  # an array, or a value that the method refuses
        return [_ordered_table("bags", bag, f"bags[{i}]", known) for i, bag in enumerate(sample)]
    return _ordered_table(argument, sample, argument, known)


def _ordered_table(argument, table, called, known):
    """Reorder the columns of one table, or remember them in `known` if its space has none."""
    space, table = SAMPLES[argument], in_memory(table)
    if space in known:
        names, whose = known[space]
        return frames.in_order(table, names, (called, whose))
    if names := frames.names_of(table):
        known[space] = names, called
    return table


def _width(sample):
    """Return the number of columns of a sample that a learner has accepted."""
    fields = getattr(getattr(sample, "dtype", None), "names", None)  # the fields of a structured array
    shape = sample.shape if hasattr(sample, "shape") else np.asarray(sample).shape
    return len(fields) if fields else shape[1] if len(shape) > 1 else 1


def _needs_target(learner):
    """Return whether `fit` has a second argument without a default."""
    others = list(inspect.signature(learner.fit).parameters.values())[1:]
    return bool(others) and others[0].default is inspect.Parameter.empty
