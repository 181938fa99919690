"""Arrays of other libraries, such as torch, JAX, CuPy, dask and xarray, as NumPy arrays.

An array is converted if its own library converts it for NumPy. If that library refuses, because numbers would be copied
from a GPU, gradients would be lost or a sparse array would fill memory, so does this one, and names the call that does.
"""

from __future__ import annotations

from typing import Any

import numpy as np

NO_ARRAY = (TypeError, ValueError, RuntimeError, BufferError)  # what libraries raise if they give no NumPy array


def is_array(values: Any) -> bool:
    """Return whether a value is an array of another library, and not a table or a column with a name.

    Parameters
    ----------
    values : object
        The value.

    Returns
    -------
    bool
        Whether it is an array.
    """
    if isinstance(values, (np.ndarray, np.generic)) or not hasattr(values, "dtype"):
        return False
    is_table = hasattr(values, "columns") or hasattr(values, "to_frame")
    return not is_table and (hasattr(values, "__array__") or hasattr(values, "__dlpack__"))


def is_lazy(values: Any) -> bool:
    """Return whether an array has yet to be computed, by dask.

    Parameters
    ----------
    values : object
        The array.

    Returns
    -------
    bool
        Whether dask computes it.
    """
    graph = getattr(values, "__dask_graph__", None)
    return callable(graph) and graph() is not None


def as_numpy(values: Any) -> Any:
    """Return an array of another library as a NumPy array, or unchanged if its library does not convert it.

    A DataArray of xarray with coordinates becomes a Series or DataFrame of pandas: its columns have names then, and its
    rows may have times.

    Parameters
    ----------
    values : object
        The array.

    Returns
    -------
    ndarray, DataFrame, Series or object
        The array in memory.

    Examples
    --------
    >>> import xarray
    >>> from explorer.tables.other_arrays import as_numpy
    >>> as_numpy(xarray.DataArray([[0.0, 1.0]], dims=["row", "column"])).tolist()
    [[0.0, 1.0]]
    """
    try:
        if getattr(values, "indexes", None) and hasattr(values, "to_pandas") and values.ndim in (1, 2):
            return values.to_pandas()
        return np.asarray(values) if hasattr(values, "__array__") else np.from_dlpack(values)
    except NO_ARRAY:
        return values


def why_not(values: Any, name: str, error: Exception) -> str:
    """Return why numpy gets no array of a value, and what to give instead, as a sentence.

    Parameters
    ----------
    values : object
        The array, or a list of arrays.
    name : str
        The argument's name in the sentence.
    error : Exception
        What numpy raised.

    Returns
    -------
    str
        The sentence.
    """
    if isinstance(values, (list, tuple)):
        odd = next((each for each in values if is_array(each) and isinstance(as_numpy(each), type(each))), None)
        reason, give = _way_out(odd, "each")
        if give:
            return f"{name} is a list of {type(odd).__name__}s, and each {reason}; give [{give} for each in {name}]."
    reason, give = _way_out(values, name)
    kind = type(values).__name__
    if give:
        return f"{name} is of type {kind} and {reason}; give {give}."
    if reason:
        return f"{name} is of type {kind} and {reason}."
    told = str(error).strip().partition("\n")[0][:120]
    return f"{name} is of type {kind}, of which its library makes no NumPy array ({told}); give a NumPy array."


def _way_out(values, name):
    """Return (why an array is not converted, the call that converts it); empty texts if neither is known."""
    if hasattr(values, "requires_grad") and hasattr(values, "detach"):
        return _of_torch(values, name)
    if "Tracer" in type(values).__name__:
        return "has no values while JAX traces a function: call this outside of jit, grad and vmap", ""
    if callable(getattr(values, "copy_to_host", None)):
        return "is on a GPU", f"{name}.copy_to_host()"
    if hasattr(values, "__cuda_array_interface__") and callable(getattr(values, "get", None)):
        return "is on a GPU", f"{name}.get()"
    if callable(getattr(values, "todense", None)):
        return "is sparse", f"{name}.todense()"
    return "", ""


def _of_torch(tensor, name):
    """Return (why a tensor of torch is not converted, the calls that convert it)."""
    device = str(getattr(getattr(tensor, "device", None), "type", "cpu"))
    if device == "meta":
        return "has no values, as it is on the device meta: give a tensor on the CPU", ""
    reasons, calls = [], []
    if tensor.requires_grad:
        reasons.append("has gradients, which would end here")
        calls.append(".detach()")
    if device != "cpu":
        reasons.append(f"is on the device {device}")
    if str(getattr(tensor, "layout", "torch.strided")) != "torch.strided":
        reasons.append("is sparse")
        calls.append(".to_dense()")
    if getattr(tensor, "is_quantized", False):
        reasons.append("is quantized")
        calls.append(".dequantize()")
    elif (kind := str(getattr(tensor, "dtype", ""))).startswith(("torch.bfloat16", "torch.float8")):
        reasons.append(f"holds {kind}, which NumPy lacks")
        calls.append(".double()")
    if device != "cpu" or tensor.requires_grad:
        calls.append(".cpu()")
    if not reasons:  # a conjugate or a negative that is not yet computed
        reasons, calls = ["is a view of complex numbers"], [".resolve_conj()", ".resolve_neg()"]
    return " and ".join(reasons), f"{name}{''.join(calls)}.numpy()"
