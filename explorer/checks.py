"""The only validation of arrays that come from outside: each refusal names the argument, what was given and what to do."""

from __future__ import annotations

import numpy as np

from .printing import cut as cut
from .printing import listed as listed
from .printing import shown as shown


class ExplorerWarning(UserWarning):
    """Something the explorer did for you that you may want to know."""


def read_only(array):
    """A C-contiguous copy of an array that nobody can write to."""
    copy = np.array(array, order="C")
    copy.setflags(write=False)
    return copy


def numbers(values, name):
    """An array of finite float64, or a sentence."""
    if np.ma.isMaskedArray(values):
        values = values.astype(np.float64).filled(np.nan)
    try:
        array = np.asarray(values)
    except ValueError as error:  # numpy's word for rows of different lengths
        raise ValueError(f"{name} has rows of different lengths; give every row the same number of columns.") from error
    if array.dtype.kind not in "fiu":
        if array.dtype.kind != "O":
            raise TypeError(f"{name} holds {array.dtype.name} values; give numbers only, text columns left out.")
        try:
            if any(isinstance(v, (str, bytes, bool, np.bool_)) for v in array.flat):
                raise TypeError("text and truth values are no numbers")
            array = array.astype(np.float64)
        except OverflowError as error:
            raise ValueError(f"{name} holds a number too large for a float; rescale it first.") from error
        except (TypeError, ValueError) as error:
            raise TypeError(f"{name} holds values that are not numbers; give numbers only, text columns left out.") from error
    array = np.asarray(array, dtype=np.float64)
    bad = ~np.isfinite(array)
    if bad.any():
        where = tuple(int(i) for i in np.argwhere(bad)[0])
        raise ValueError(
            f"{name} has {int(bad.sum())} values that are NaN or infinite, the first at index {where}; "
            "drop or fill those rows first."
        )
    return array


def sample(values, name="X", at_least=1):
    """Points as an (n, d) array of finite float64; one dimension becomes one column."""
    array = numbers(values, name)
    if array.ndim == 1:
        array = array[:, None]
    if array.ndim != 2:
        raise ValueError(f"{name} has {array.ndim} dimensions; give points as rows of an (n, d) array.")
    if array.shape[1] == 0:
        raise ValueError(f"{name} has no columns; give at least one coordinate.")
    rows(array, name, at_least)
    return array


def rows(points, name, at_least):
    """Refuse fewer than `at_least` points."""
    if len(points) < at_least:
        given = "no rows" if len(points) == 0 else "1 row" if len(points) == 1 else f"{len(points)} rows"
        raise ValueError(f"{name} has {given}; at least {at_least} {'is' if at_least == 1 else 'are'} needed here.")


def same_dimension(X, Y, names=("X", "Y")):
    """Refuse two samples of different dimension."""
    if X.shape[1] != Y.shape[1]:
        raise ValueError(f"{names[0]} has {X.shape[1]} columns and {names[1]} has {Y.shape[1]}; both need the same coordinates.")


def weights(values, n, name="weights"):
    """One finite number for each of n points."""
    array = numbers(values, name)
    if array.shape != (n,):
        raise ValueError(f"{name} has shape {array.shape}; give one number for each of the {n} points.")
    return array


def covariance(values, d, name="covariance"):
    """A symmetric positive semi-definite (d, d) matrix from a variance, d variances or a matrix."""
    array = numbers(values, name)
    if array.ndim == 0:
        array = np.eye(d) * array
    elif array.shape == (d,):
        array = np.diag(array)
    elif array.shape != (d, d):
        raise ValueError(f"{name} has shape {array.shape}; give a variance, {d} variances or a ({d}, {d}) matrix.")
    scale = np.abs(array).max()
    if np.abs(array - array.T).max() > 1e-10 * scale:
        raise ValueError(f"{name} is not symmetric; give a covariance matrix.")
    # eigvalsh is exact to about d * eps * scale: a singular matrix may show eigenvalues that far below zero
    lowest = np.linalg.eigvalsh(array)[0]
    if lowest < -1e-10 * scale:
        raise ValueError(f"{name} has the eigenvalue {lowest:.3g}; a covariance has none below 0.")
    return (array + array.T) / 2


def whole(value, name, at_least=0):
    """A whole number no smaller than `at_least`."""
    if isinstance(value, (bool, np.bool_)) or not isinstance(value, (int, np.integer)):
        raise TypeError(f"{name} must be a whole number, not {shown(value)}.")
    if value < at_least:
        raise ValueError(f"{name} must be at least {at_least}, not {shown(value)}.")
    return int(value)
