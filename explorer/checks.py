"""The only validation of arrays that come from outside.

Each refusal names the argument, what was given and what to do.
"""

from __future__ import annotations

import sys
import warnings
from collections.abc import Iterator, Mapping, Set, ValuesView
from numbers import Number, Real
from typing import TYPE_CHECKING, Any

import numpy as np

from .lazy_tables import in_memory
from .printing import ECHO, WHOLE
from .printing import echo as echo
from .printing import join_list as join_list
from .printing import truncate as truncate

if TYPE_CHECKING:
    from explorer.types import Labels, Matrix, Points, Values, Vector, VectorLike, Weights

OURS = __name__.partition(".")[0]
EXACT = 2**53  # up to here a float holds every whole number
MANY = 1e140  # times that a row may count: sums of squares are floats
FEW_STEPS = 1000  # of a float that a column may vary by and still have three digits


class Refusal(ValueError):
    """What a person asked for and cannot have: a sentence that says what, the limit, and what to do.

    Pages show it and go on. Any other exception is a bug, and is logged as one. Of a sentence that names from a table
    make longer than WHOLE the beginning and the end are left, where the way out stands.
    """

    def __init__(self, sentence: str = "") -> None:
        super().__init__(sentence if len(sentence) <= WHOLE else f"{sentence[: WHOLE - 205]} ... {sentence[-200:]}")


class WrongType(Refusal, TypeError):
    """A refusal of what a value is, rather than of how large it is; a TypeError to those who call the library."""


class ExplorerWarning(UserWarning):
    """Something the explorer did for you that you may want to know."""


def warn(sentence: str) -> None:
    """Our warning, at the line of the caller's own that led to it."""
    level, frame = 2, sys._getframe(1)
    while frame.f_back and frame.f_globals.get("__name__", "").partition(".")[0] == OURS:
        level, frame = level + 1, frame.f_back
    warnings.warn(sentence, ExplorerWarning, stacklevel=level)


def read_only(array: Any) -> Points:
    """A C-contiguous copy of an array that nobody can write to."""
    copy = np.array(array, order="C")
    copy.setflags(write=False)
    return copy


def read_only_fields(record: Any) -> None:
    """Make every array that a frozen dataclass holds read-only; it stands there as `__post_init__`."""
    for name, value in vars(record).items():
        if isinstance(value, np.ndarray):
            object.__setattr__(record, name, read_only(value))


def as_array(values: VectorLike, name: str) -> Labels:
    """What a list, a table or an array holds, as an array.

    What is none of them, and missing values, are refused with a sentence.
    """
    values = in_memory(values)
    if isinstance(values, np.ndarray):
        if np.ma.is_masked(values):
            where = tuple(int(i) for i in np.argwhere(np.ma.getmaskarray(values))[0])
            raise Refusal(f"{name} has masked values, the first at index {where}; drop or fill those rows first.")
        return np.asarray(values)
    refuse_other_things(values, name)
    try:
        array = np.asarray(values)
    except ValueError as error:  # numpy's word for rows of different lengths
        raise Refusal(f"{name} has rows of different lengths; give every row the same number of columns.") from error
    if array.ndim == 0 and array.dtype.kind == "O" and not isinstance(values, Number):
        raise WrongType(
            f"{name} is of type {type(values).__name__}; give a list, an array or a table that holds the values."
        )
    return array


def refuse_other_things(values: VectorLike | None, name: str) -> None:
    """A sentence with the way out for what numpy would take as one object."""
    if values is None:
        raise WrongType(f"{name} is None; give a list, an array or a table.")
    if isinstance(values, (str, bytes)):
        raise WrongType(
            f"{name} holds one text, {values!r:.40}; give numbers, or a list of words where words are taken."
        )
    way_out = None
    if callable(getattr(values, "toarray", None)):  # one of its kinds is a Mapping, too
        way_out = f"a sparse matrix: give {name}.toarray()"
    elif isinstance(values, Mapping):
        way_out = "give it columns of one length, with one value for each row"
    elif isinstance(values, Set):
        way_out = f"it has no order: give sorted({name})"
    elif isinstance(values, (Iterator, ValuesView)):
        way_out = f"give list({name})"
    if way_out is not None:
        raise WrongType(f"{name} is of type {type(values).__name__}; {way_out}.")


def _refuse_columns(table, name):
    """A sentence that names the columns of a table from pandas that hold no numbers, or the first missing value."""
    if not hasattr(table, "columns") or not hasattr(table, "dtypes"):
        return
    wrong = [column for column in table.columns if any(map(_no_number, table[column]))]
    gaps = ((row, column) for column in table.columns for row, cell in enumerate(table[column]) if is_gap(cell))
    if not wrong and (first := next(gaps, None)):
        raise Refusal(
            f"{name} has missing values, the first in row {first[0]} (counted from 0) of its column '{first[1]}'; drop"
            f" or fill those rows first, as by {name}.{'dropna' if hasattr(table, 'dropna') else 'drop_nulls'}()."
        )
    if wrong:
        others = [column for column in table.columns if column not in wrong]
        leave = f"leave them out, as in {name}[{others}]" if others else "compare words by the kernel Delta()"
        if len(leave) > ECHO:
            leave = f"leave them out, as in {name}[[each for each in {name}.columns if each not in {wrong}]]"
        raise WrongType(f"{name} has columns that hold no numbers: {', '.join(map(str, wrong))}; {leave}.")


def _no_number(value):
    return isinstance(value, (bool, np.bool_)) or not (is_gap(value) or isinstance(value, Number))


def is_gap(value: object) -> bool:
    """Whether a cell of a table is missing: None, nan, or the one value of pandas that is nothing, not even itself."""
    if isinstance(value, float):
        return value != value
    return value is None or type(value).__name__ in ("NAType", "NaTType")


def _of_fields(array, name):
    """The fields of a structured array (n,) as columns; a sentence where one holds no numbers."""
    wrong = [field for field in array.dtype.names if array.dtype[field].kind not in "fiu" or array.dtype[field].shape]
    if wrong:
        others = [field for field in array.dtype.names if field not in wrong]
        give = f"give the others, as in {name}[{others}]" if others else "give one that does"
        raise WrongType(f"{name} has fields that hold no numbers: {', '.join(wrong)}; {give}.")
    return np.stack([array[field] for field in array.dtype.names], axis=-1)


def _refuse_lost_integers(array, name):
    """A sentence for whole numbers that no float holds: those that differ there would be one."""
    if array.dtype.kind in "iu" and array.dtype.itemsize == 8 and array.size:
        low, high = int(array.min()), int(array.max())
        if max(-low, high) > EXACT and (array.astype(np.float64).astype(array.dtype) != array).any():
            raise Refusal(
                f"{name} holds whole numbers beyond 2^53, such as {high if high > -low else low}, which lose their last"
                f" digits as floats; subtract the same constant from all samples first, or compare them as words,"
                f" numpy.array({name}).astype(str), by the kernel Delta()."
            )


def _no_numbers(array, values, name):
    """The sentence for an array that holds other things than numbers, with code that makes numbers of what it can."""
    given = name if isinstance(values, np.ndarray) else f"numpy.array({name})"  # a list has no columns and no astype
    kind = array.dtype.kind
    if kind == "b":
        return f"{name} holds bool values; give numbers, as {given}.astype(float), or take the kernel Delta()."
    if kind == "M":
        since = f"({given} - {given}.min()) / numpy.timedelta64(1, 's')"
        return f"{name} holds {array.dtype.name} values; give numbers, such as the seconds {since}."
    if kind == "m":
        return f"{name} holds {array.dtype.name} values; give numbers, as {given} / numpy.timedelta64(1, 's')."
    if kind == "c":
        parts = f"numpy.column_stack([{given}.real, {given}.imag])"
        return f"{name} holds {array.dtype.name} values; give numbers, such as both parts as columns, {parts}."
    what = f"{array.dtype.name} values" if kind in "US" else "values that are not numbers"
    gap = next((tuple(int(i) for i in at) for at, value in np.ndenumerate(array) if is_gap(value)), None)
    if gap is not None:
        return f"{name} has missing values, the first at index {gap}; drop or fill those rows first."
    columns = array.reshape(len(array), -1).T if array.ndim else array.reshape(1, 1)
    good = [j for j, column in enumerate(columns) if all(map(_reads_as_number, column))]
    if len(good) == len(columns):
        return f"{name} holds {what}, which read as numbers; give {given}.astype(float)."
    if good and array.ndim == 2:
        text = f"give numbers only, text columns left out, as in {given}[:, {good}].astype(float)"
        return f"{name} holds {what}; {text if len(text) < 2 * ECHO else 'give numbers only, text columns left out'}."
    return f"{name} holds {what}; give numbers only, or take the kernel Delta() of words."


def _reads_as_number(value):
    try:
        return bool(np.isfinite(float(value)))
    except (TypeError, ValueError, OverflowError):
        return False


def numbers(values: VectorLike, name: str) -> Values:
    """An array of finite float64, or a sentence."""
    values = in_memory(values)
    array = as_array(values, name)
    if array.dtype.names:
        array = _of_fields(array, name)
    _refuse_lost_integers(array, name)
    if array.dtype.kind not in "fiu":
        _refuse_columns(values, name)
        if array.dtype.kind != "O" or any(isinstance(v, (str, bytes, bool, np.bool_)) for v in array.flat):
            raise WrongType(_no_numbers(array, values, name))
        try:
            array = array.astype(np.float64)
        except OverflowError as error:
            raise Refusal(f"{name} holds a number too large for a float; rescale it first.") from error
        except (TypeError, ValueError) as error:
            raise WrongType(_no_numbers(array, values, name)) from error
    array = np.asarray(array, dtype=np.float64)
    bad = ~np.isfinite(array)
    if bad.any():
        raise Refusal(_no_finite(bad, values, name))
    return array


def _no_finite(bad, values, name):
    """The sentence for numbers that are NaN or infinite; a DataFrame's by the row and the column of the first."""
    first = tuple(int(i) for i in np.argwhere(bad)[0])
    names = getattr(values, "column_names", getattr(values, "columns", None))  # of pyarrow; of pandas and polars
    where = f"at index {first}"
    if bad.ndim == 2 and names is not None:
        where = f"in row {first[0]} (counted from 0) of its column {echo(str(names[first[1]]))}"
    if bad.sum() == 1:
        return f"{name} has 1 value that is NaN or infinite, {where}; drop or fill that row first."
    count = int(bad.sum())
    return f"{name} has {count} values that are NaN or infinite, the first {where}; drop or fill those rows first."


def sample(values: VectorLike, name: str = "X", at_least: int = 1) -> Matrix:
    """Points as an (n, d) array of finite float64; one dimension becomes one column."""
    array = numbers(values, name)
    if array.ndim == 0:
        raise Refusal(
            f"{name} is one number, {array:g}; give points as rows of an (n, d) array, even one point as a row."
        )
    if array.ndim == 1:
        array = array[:, None]
    if array.ndim != 2:
        raise Refusal(f"{name} has {array.ndim} dimensions; give points as rows of an (n, d) array.")
    if array.shape[1] == 0:
        raise Refusal(f"{name} has no columns; give at least one coordinate.")
    rows(array, name, at_least)
    return np.ascontiguousarray(array)  # sums are the same to the last digit, however a table kept its columns


def flat(values: Any) -> bool:
    """Whether values that have been checked were given as (n,), and not as rows."""
    values = in_memory(values)
    return (values.ndim if hasattr(values, "ndim") else np.asarray(values).ndim) == 1


def labels(values: Any, name: str = "X", at_least: int = 1) -> Labels:
    """Categories as an (n, d) array: numbers as float64, truth values among them 1 and 0.

    Text where any category is a word.

    Beside words a number is the word of its float, '1.0' for 1, and a truth value 'True' or 'False'.
    """
    array = as_array(values, name)
    if array.dtype.kind in "US" and not isinstance(values, np.ndarray):
        array = np.array(values, dtype=object)  # numpy would make '1' of 1 and '1.0' of 1.0
    if array.dtype.kind == "O" and any(isinstance(label, str) for label in array.flat):
        array = np.array([_word(label, name) for label in array.flat]).reshape(array.shape)
    elif array.dtype.kind in "Ob":
        array = numbers([_truth(label) for label in array.flat], name).reshape(array.shape)
    if array.dtype.kind not in "US":
        return sample(array, name, at_least)
    array = array[:, None] if array.ndim == 1 else array
    if array.ndim != 2:
        raise Refusal(f"{name} has {array.ndim} dimensions; give categories as a list or as rows.")
    rows(array, name, at_least)
    return array


def _truth(label):
    return float(label) if isinstance(label, (bool, np.bool_)) else label


def _word(label, name):
    """The text of a category beside words; a sentence where there is none."""
    if isinstance(label, (str, bool, np.bool_)):
        return str(label)
    if isinstance(label, Real) and np.isfinite(float(label)):
        return repr(float(label))
    raise WrongType(
        f"{name} holds {truncate(echo(label), 40)}, which is no category; give words, numbers or truth values only."
    )


def rows(points: Points, name: str, at_least: int) -> None:
    """Refuse fewer than `at_least` points."""
    if len(points) < at_least:
        given = "no rows" if len(points) == 0 else "1 row" if len(points) == 1 else f"{len(points)} rows"
        raise Refusal(f"{name} has {given}; at least {at_least} {'is' if at_least == 1 else 'are'} needed here.")


def same_dimension(X: Points, Y: Points, names: tuple[str, str] = ("X", "Y")) -> None:
    """Refuse two samples of different dimension."""
    if X.shape[1] != Y.shape[1]:
        raise Refusal(
            f"{names[0]} has {X.shape[1]} columns and {names[1]} has {Y.shape[1]}; both need the same coordinates."
        )


def warn_of_lost_digits(points: Points, name: str, columns: Any = None) -> None:
    """Our warning where a column's values are few steps of a float apart, as time stamps in nanoseconds are.

    `columns` are their names, where they have any.
    """
    if points.dtype.kind != "f":
        return
    low, high = points.min(axis=0), points.max(axis=0)
    largest = np.maximum(-low, high)
    step = np.spacing(largest)
    with np.errstate(over="ignore"):
        span = high - low
    lost = np.flatnonzero((span > 0) & (span < FEW_STEPS * step))
    if len(lost):
        c = lost[0]
        column = f"the column {echo(columns[c])}" if columns else f"column {c + 1}"
        warn(
            f"{column} of {name} varies by {span[c]:.3g} around {largest[c]:.3g}, where floats are {step[c]:.3g}"
            " apart: the offset has taken most of its digits. Subtract a constant before the numbers become floats."
        )


def weights(values: VectorLike, n: int, name: str = "weights") -> Weights:
    """One finite number for each of n points."""
    array = numbers(values, name)
    if array.shape != (n,):
        raise Refusal(f"{name} has shape {array.shape}; give one number for each of the {n} points.")
    return array


def counts(values: VectorLike, n: int, name: str = "weights") -> Vector:
    """How much each of n rows counts: numbers of at least 0, some above, whole ones as rows that are repeated."""
    array = weights(values, n, name)
    if (array < 0).any():
        raise Refusal(f"{name} holds {array.min():.4g}, and a row counts 0 times or more; give weights of at least 0.")
    if not array.any():
        raise Refusal(f"all {name} are 0, so that no row counts; give some above 0.")
    if array.max() > MANY:
        raise Refusal(f"{name} reach {array.max():.3g}, whose squares add up to no float; divide all by one number.")
    return array


def covariance(values: VectorLike, d: int, name: str = "covariance") -> Values:
    """A symmetric positive semi-definite (d, d) matrix from a variance, d variances or a matrix."""
    array = numbers(values, name)
    if array.ndim == 0:
        array = np.eye(d) * array
    elif array.shape == (d,):
        array = np.diag(array)
    elif array.shape != (d, d):
        raise Refusal(f"{name} has shape {array.shape}; give a variance, {d} variances or a ({d}, {d}) matrix.")
    scale = np.abs(array).max()
    if np.abs(array - array.T).max() > 1e-10 * scale:
        raise Refusal(f"{name} is not symmetric; give a covariance matrix.")
    # eigvalsh is exact to about d * eps * scale: a singular matrix may show eigenvalues that far below zero
    lowest = np.linalg.eigvalsh(array)[0]
    if lowest < -1e-10 * scale:
        raise Refusal(f"{name} has the eigenvalue {lowest:.3g}; a covariance has none below 0.")
    variance = array.diagonal().min()
    if variance < -1e-13 * scale:  # an entry, unlike an eigenvalue, is rounded by eps of the largest and no more
        raise Refusal(f"{name} has the variance {variance:.3g}; a covariance has none below 0.")
    return (array + array.T) / 2


def scalar(value: Any) -> Any:
    """Return the number in an array without dimensions, as numpy, xarray and torch have one; other values as they are.

    >>> scalar(np.array(1.5)), scalar(2)
    (1.5, 2)
    """
    alone = getattr(value, "ndim", None) == 0 and not isinstance(value, np.generic)
    return value.item() if alone and callable(getattr(value, "item", None)) else value


def whole(value: int, name: str, at_least: int = 0) -> int:
    """A whole number no smaller than `at_least`."""
    value = scalar(value)
    if isinstance(value, (bool, np.bool_)) or not isinstance(value, (int, np.integer)):
        raise WrongType(f"{name} must be a whole number, not {echo(value)}.")
    if value < at_least:
        raise Refusal(f"{name} must be at least {at_least}, not {echo(value)}.")
    return int(value)
