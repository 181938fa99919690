"""Validation of arrays and numbers that come from outside; no other module validates them.

Each refusal names the argument, what was given and what to do.
"""

from __future__ import annotations

import sys
import warnings
from collections.abc import Collection, Iterator, Mapping, Set, ValuesView
from numbers import Number, Real
from typing import TYPE_CHECKING, Any

import numpy as np

from .languages import Sentence
from .printing import ECHO, WHOLE, plural
from .printing import echo as echo
from .printing import join_list as join_list
from .printing import truncate as truncate
from .tables.lazy_tables import in_memory
from .tables.other_arrays import NO_ARRAY, why_not

if TYPE_CHECKING:
    from explorer.types import Labels, Matrix, Points, Values, Vector, VectorLike, Weights

OURS = __name__.partition(".")[0]
EXACT = 2**53  # floats represent every whole number up to this one
MANY = 1e140  # largest weight of a row: sums of squared weights are still finite
FEW_STEPS = 1000  # steps of a float; a column that varies by at least this many keeps three digits


class Refusal(ValueError):
    """Error for something that the user asked for and cannot have: what was given, what is allowed, what to do.

    Pages show the message and go on. Any other exception is a bug and is logged. Names from a table can make a message
    longer than WHOLE; then its beginning and its end are kept, because the end says what to do.

    Parameters
    ----------
    sentence : str, default ""
        The message, in English. If there are values, {} in it are placeholders: a page then shows it in its language.
    *values : object
        The values of the placeholders.
    """

    def __init__(self, sentence: str = "", *values: object) -> None:
        text = Sentence(sentence, *values) if values else sentence
        super().__init__(text if len(text) <= WHOLE else f"{text[: WHOLE - 205]} ... {text[-200:]}")


class WrongType(Refusal, TypeError):
    """Refusal of a value's type rather than its size; also a TypeError.

    Parameters
    ----------
    sentence : str, default ""
        The message, or its template.
    *values : object
        The values of the template's placeholders.
    """


class ExplorerWarning(UserWarning):
    """Warning about something that the library did for the user."""


def warn(sentence: str) -> None:
    """Warn with an ExplorerWarning at the line of the caller's own code that led to it.

    Parameters
    ----------
    sentence : str
        The message.
    """
    level, frame = 2, sys._getframe(1)
    while frame.f_back and frame.f_globals.get("__name__", "").partition(".")[0] == OURS:
        level, frame = level + 1, frame.f_back
    warnings.warn(sentence, ExplorerWarning, stacklevel=level)


def is_users(kind: type[Any]) -> bool:
    """Return whether a class is the user's: of another package, or of a folder of the user's models.

    Parameters
    ----------
    kind : type
        The class.

    Returns
    -------
    bool
        True if it is.
    """
    top, _, rest = kind.__module__.partition(".")
    return top != OURS or rest.startswith("models.")


def read_only(array: Any) -> Points:
    """Return a C-contiguous, read-only copy of an array."""
    copy = np.array(array, order="C")
    copy.setflags(write=False)
    return copy


def read_only_fields(record: Any) -> None:
    """Make every array of a frozen dataclass read-only; used as its `__post_init__`.

    Parameters
    ----------
    record : object
        A frozen dataclass.
    """
    for name, value in vars(record).items():
        if isinstance(value, np.ndarray):
            object.__setattr__(record, name, read_only(value))


def as_array(values: VectorLike, name: str) -> Labels:
    """Convert a list, a table or an array to an array.

    Parameters
    ----------
    values : array_like
        The values.
    name : str
        The argument's name in messages.

    Returns
    -------
    ndarray
        The values as an array of any type.

    Raises
    ------
    Refusal
        If values are masked, or rows differ in length.
    WrongType
        If `values` is not a list, a table or an array, or its library makes no NumPy array of it.
    """
    values = in_memory(values)
    if isinstance(values, np.ndarray):
        if np.ma.is_masked(values):
            where = tuple(int(i) for i in np.argwhere(np.ma.getmaskarray(values))[0])
            raise Refusal(f"{name} has masked values, the first at index {where}; drop or fill those rows first.")
        return _plain(np.asarray(values))
    refuse_other_things(values, name)
    try:
        array = np.asarray(values)
    except NO_ARRAY as error:
        if isinstance(error, ValueError) and isinstance(values, (list, tuple)):
            advice = "give every row the same number of columns"
            raise Refusal(f"{name} has rows of different lengths; {advice}.") from error
        raise WrongType(why_not(values, name, error)) from error
    if array.ndim == 0 and array.dtype.kind == "O" and not isinstance(values, Number):
        raise WrongType(
            f"{name} is of type {type(values).__name__}; give a list, an array or a table that holds the values."
        )
    return _plain(array)


def _plain(array):
    """Return an array of a number format that NumPy does not have, such as JAX's bfloat16, as float64."""
    added = array.dtype.kind == "V" and np.can_cast(array.dtype, np.float64)
    return array.astype(np.float64) if added else array


def refuse_other_things(values: VectorLike | None, name: str) -> None:
    """Refuse values that numpy would treat as a single object, and say what to give instead."""
    if values is None:
        raise WrongType(f"{name} is None; give a list, an array or a table.")
    if isinstance(values, (str, bytes)):
        raise WrongType(
            f"{name} holds one text, {values!r:.40}; give numbers, or a list of words where words are taken."
        )
    way_out = None
    if callable(getattr(values, "toarray", None)):  # one kind of sparse matrix is also a Mapping
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
    """Refuse a DataFrame with columns that are not numeric, or with missing values, and name them."""
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
    """Return whether a cell holds something other than a number or a gap."""
    return isinstance(value, (bool, np.bool_)) or not (is_gap(value) or isinstance(value, Number))


def is_gap(value: object) -> bool:
    """Return whether a table's cell is missing: None, NaN, or pandas' NA or NaT.

    Parameters
    ----------
    value : object
        The cell.

    Returns
    -------
    bool
        Whether it is missing.
    """
    if isinstance(value, float):
        return value != value
    return value is None or type(value).__name__ in ("NAType", "NaTType")


def _of_fields(array, name):
    """Return the fields of a structured array of shape (n,) as columns; fields that hold no numbers are refused."""
    wrong = [field for field in array.dtype.names if array.dtype[field].kind not in "fiu" or array.dtype[field].shape]
    if wrong:
        others = [field for field in array.dtype.names if field not in wrong]
        give = f"give the others, as in {name}[{others}]" if others else "give one that does"
        raise WrongType(f"{name} has fields that hold no numbers: {', '.join(wrong)}; {give}.")
    return np.stack([array[field] for field in array.dtype.names], axis=-1)


def _refuse_lost_integers(array, name):
    """Refuse whole numbers that floats cannot represent: different ones would become equal."""
    if array.dtype.kind in "iu" and array.dtype.itemsize == 8 and array.size:
        low, high = int(array.min()), int(array.max())
        if max(-low, high) > EXACT and (array.astype(np.float64).astype(array.dtype) != array).any():
            raise Refusal(
                f"{name} holds whole numbers beyond 2^53, such as {high if high > -low else low}, which lose their last"
                f" digits as floats; subtract the same constant from all samples first, or compare them as words,"
                f" numpy.array({name}).astype(str), by the kernel Delta()."
            )


def _no_numbers(array, values, name):
    """Return the message for an array of things other than numbers, with code that converts what can be converted."""
    # lists cannot be indexed by columns and have no astype
    given = name if isinstance(values, np.ndarray) else f"numpy.array({name})"
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
    """Return whether a value can be read as a finite number."""
    try:
        return bool(np.isfinite(float(value)))
    except (TypeError, ValueError, OverflowError):
        return False


def numbers(values: VectorLike, name: str) -> Values:
    """Convert values to an array of finite float64.

    Parameters
    ----------
    values : array_like
        The numbers, in any shape.
    name : str
        The argument's name in messages.

    Returns
    -------
    ndarray
        The numbers, in the same shape.

    Raises
    ------
    Refusal
        If values are missing or infinite, or cannot be represented as floats.
    WrongType
        If values are not numbers.
    """
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
    """Return the message for NaN or infinite numbers, with the index, or the row and column, of the first one."""
    first = tuple(int(i) for i in np.argwhere(bad)[0])
    # pyarrow's attribute; that of pandas and polars
    names = getattr(values, "column_names", getattr(values, "columns", None))
    where = f"at index {first}"
    if bad.ndim == 2 and names is not None:
        where = f"in row {first[0]} (counted from 0) of its column {echo(str(names[first[1]]))}"
    if bad.sum() == 1:
        return f"{name} has 1 value that is NaN or infinite, {where}; drop or fill that row first."
    count = int(bad.sum())
    return f"{name} has {count} values that are NaN or infinite, the first {where}; drop or fill those rows first."


def sample(values: VectorLike, name: str = "X", at_least: int = 1) -> Matrix:
    """Convert points to a float64 array of shape (n, d); one dimension becomes one column.

    Parameters
    ----------
    values : array_like of shape (n, d) or (n,)
        The points.
    name : str, default "X"
        The argument's name in messages.
    at_least : int, default 1
        The least number of points.

    Returns
    -------
    ndarray of shape (n, d)
        The points, C-contiguous.

    Raises
    ------
    Refusal
        If the numbers are not finite, or the shape does not fit.
    """
    array = numbers(values, name)
    if array.ndim == 0:
        raise Refusal(
            f"{name} is one number, {array:g}; give points as rows of an (n, d) array, even one point as a row."
        )
    if array.ndim == 1:
        array = array[:, None]
    if array.ndim != 2:
        raise Refusal(f"{name} has {plural(array.ndim, 'dimension')}; give points as rows of an (n, d) array.")
    if array.shape[1] == 0:
        raise Refusal(f"{name} has no columns; give at least one coordinate.")
    rows(array, name, at_least)
    return np.ascontiguousarray(array)  # makes sums independent of the memory layout of a table, to the last digit


def flat(values: Any) -> bool:
    """Return whether checked values were given as a vector, and not as rows."""
    values = in_memory(values)
    if isinstance(values, np.ndarray) and values.dtype.names:  # each element is a row
        return False
    return (values.ndim if hasattr(values, "ndim") else np.asarray(values).ndim) == 1


def labels(values: Any, name: str = "X", at_least: int = 1) -> Labels:
    """Convert categories to an array of shape (n, d): float64 if all are numbers or booleans, text otherwise.

    True and False become 1 and 0. If any category is a word, a number becomes the text of its float, '1.0' for 1, and a
    boolean 'True' or 'False'.

    Parameters
    ----------
    values : array_like of shape (n, d) or (n,)
        The categories.
    name : str, default "X"
        The argument's name in messages.
    at_least : int, default 1
        The least number of rows.

    Returns
    -------
    ndarray of shape (n, d)
        The categories.

    Raises
    ------
    Refusal
        If values are missing, or the shape does not fit.
    WrongType
        If a value is not a word, a number or a boolean.
    """
    array = as_array(values, name)
    if array.dtype.kind in "US" and not isinstance(values, np.ndarray):
        array = np.array(values, dtype=object)  # numpy would convert 1 to '1' and 1.0 to '1.0'
    if array.dtype.kind == "O" and any(isinstance(label, str) for label in array.flat):
        array = np.array([_word(label, name) for label in array.flat]).reshape(array.shape)
    elif array.dtype.kind in "Ob":
        array = numbers([_truth(label) for label in array.flat], name).reshape(array.shape)
    if array.dtype.kind not in "US":
        return sample(array, name, at_least)
    array = array[:, None] if array.ndim == 1 else array
    if array.ndim != 2:
        raise Refusal(f"{name} has {plural(array.ndim, 'dimension')}; give categories as a list or as rows.")
    rows(array, name, at_least)
    return array


def _truth(label):
    """Return a boolean as a float, and any other value unchanged."""
    return float(label) if isinstance(label, (bool, np.bool_)) else label


def _word(label, name):
    """Return the text of a category among words; refuse values that are not categories."""
    if isinstance(label, (str, bool, np.bool_)):
        return str(label)
    if isinstance(label, Real) and np.isfinite(float(label)):
        return repr(float(label))
    raise WrongType(
        f"{name} holds {truncate(echo(label), 40)}, which is no category; give words, numbers or truth values only."
    )


def rows(points: Points, name: str, at_least: int) -> None:
    """Refuse fewer than `at_least` points.

    Parameters
    ----------
    points : ndarray of shape (n, ...)
        The points.
    name : str
        The argument's name in messages.
    at_least : int
        The least number of points.

    Raises
    ------
    Refusal
        If there are fewer.
    """
    if len(points) < at_least:
        given = "no rows" if len(points) == 0 else "1 row" if len(points) == 1 else f"{len(points)} rows"
        raise Refusal(f"{name} has {given}; at least {at_least} {'is' if at_least == 1 else 'are'} needed here.")


def same_dimension(X: Points, Y: Points, names: tuple[str, str] = ("X", "Y")) -> None:
    """Refuse two samples of different dimensions."""
    if X.shape[1] != Y.shape[1]:
        raise Refusal(
            f"{names[0]} has {plural(X.shape[1], 'column')} and {names[1]} has {Y.shape[1]}; both need the same"
            " coordinates."
        )


def warn_of_lost_digits(points: Points, name: str, columns: Any = None) -> None:
    """Warn if a column's values are only a few float steps apart, as for time stamps in nanoseconds.

    Parameters
    ----------
    points : ndarray of shape (n, d)
        The points.
    name : str
        The argument's name in the message.
    columns : sequence of str or None, default None
        The names of the columns, if they have any.
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
    """Convert weights to one finite float64 for each of n points.

    Parameters
    ----------
    values : array_like of shape (n,)
        The weights.
    n : int
        The number of points.
    name : str, default "weights"
        The argument's name in messages.

    Returns
    -------
    ndarray of shape (n,)
        The weights.

    Raises
    ------
    Refusal
        If the shape is not (n,), or a weight is not a finite number.
    """
    array = numbers(values, name)
    if array.shape != (n,):
        raise Refusal(f"{name} has shape {array.shape}; give one number for each of the {n} points.")
    return array


def counts(values: VectorLike, n: int, name: str = "weights") -> Vector:
    """Convert weights of rows to float64: numbers of at least 0, some positive; a whole number repeats its row.

    Parameters
    ----------
    values : array_like of shape (n,)
        The weights.
    n : int
        The number of rows.
    name : str, default "weights"
        The argument's name in messages.

    Returns
    -------
    ndarray of shape (n,)
        The weights.

    Raises
    ------
    Refusal
        If a weight is negative or larger than MANY, or all are 0.
    """
    array = weights(values, n, name)
    if (array < 0).any():
        raise Refusal(f"{name} holds {array.min():.4g}, and a row counts 0 times or more; give weights of at least 0.")
    if not array.any():
        raise Refusal(f"all {name} are 0, so that no row counts; give some above 0.")
    if array.max() > MANY:
        raise Refusal(f"{name} reach {array.max():.3g}, whose squares add up to no float; divide all by one number.")
    return array


def covariance(values: VectorLike, d: int, name: str = "covariance") -> Values:
    """Convert a variance, d variances or a matrix to a symmetric positive semi-definite matrix of shape (d, d).

    Parameters
    ----------
    values : array_like of shape (), (d,) or (d, d)
        The variance, variances or covariance matrix.
    d : int
        The dimension.
    name : str, default "covariance"
        The argument's name in messages.

    Returns
    -------
    ndarray of shape (d, d)
        The covariance matrix.

    Raises
    ------
    Refusal
        If the shape does not fit, or the matrix is not symmetric positive semi-definite.
    """
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
    # eigvalsh is exact to about d * eps * scale, so a singular matrix may show eigenvalues this far below zero.
    lowest = np.linalg.eigvalsh(array)[0]
    if lowest < -1e-10 * scale:
        raise Refusal(f"{name} has the eigenvalue {lowest:.3g}; a covariance has none below 0.")
    variance = array.diagonal().min()
    # an entry, unlike an eigenvalue, has a rounding error of at most eps times the largest
    if variance < -1e-13 * scale:
        raise Refusal(f"{name} has the variance {variance:.3g}; a covariance has none below 0.")
    return (array + array.T) / 2


def scalar(value: Any) -> Any:
    """Return the number in an array without dimensions, as of numpy, xarray or torch; any other value unchanged.

    Examples
    --------
    >>> scalar(np.array(1.5)), scalar(2)
    (1.5, 2)
    """
    alone = getattr(value, "ndim", None) == 0 and not isinstance(value, np.generic)
    return value.item() if alone and callable(getattr(value, "item", None)) else value


def whole(value: int, name: str, at_least: int = 0) -> int:
    """Check and return a whole number of at least `at_least`.

    Parameters
    ----------
    value : int
        The number.
    name : str
        The argument's name in messages.
    at_least : int, default 0
        The least value.

    Returns
    -------
    int
        The number.

    Raises
    ------
    Refusal
        If it is smaller than `at_least`.
    WrongType
        If it is not a whole number.
    """
    value = scalar(value)
    if isinstance(value, (bool, np.bool_)) or not isinstance(value, (int, np.integer)):
        raise WrongType(f"{name} must be a whole number, not {echo(value)}.")
    if value < at_least:
        raise Refusal(f"{name} must be at least {at_least}, not {echo(value)}.")
    return int(value)


def one_of(value: object, name: str, known: Collection[str]) -> None:
    """Refuse a value that is none of the known names.

    Parameters
    ----------
    value : object
        The value.
    name : str
        The argument's name in messages.
    known : collection of str
        The names, in the order of the message.

    Raises
    ------
    Refusal
        If it is none of them.
    """
    if not isinstance(value, str) or value not in known:
        raise Refusal(f"{name} must be one of {', '.join(known)}, not {echo(value)}.")
