"""Arrays of other libraries at every door: converted as the guide says, or refused with the call that converts them.

torch, JAX and sparse are tested if they are installed; stand-ins with the same attributes always are.
"""

import re
import warnings

import numpy as np
import pandas as pd
import pytest
import xarray
from helpers.naming import naming

import explorer
from explorer import (
    FKMSE,
    KME,
    ConditionalEmbedding,
    CovariateShift,
    Gaussian,
    KernelPCA,
    Monitor,
    Sketch,
    SupportMeasureMachine,
    compare,
    hsic,
    hsic_test,
    ksd_test,
    mmd2,
    mmd_test,
    scan,
)
from explorer.checks import Refusal, WrongType, as_array
from explorer.tables.lazy_tables import in_memory

RNG = np.random.default_rng(0)
X, Y = RNG.normal(size=(40, 2)), RNG.normal(size=(40, 2)) + 0.3
K = Gaussian(1.0)
DOORS = {
    "mmd2": mmd2,
    "mmd_test": lambda X, Y: mmd_test(X, Y, n_resamples=19, rng=0).pvalue,
    "hsic": hsic,
    "hsic_test": lambda X, Y: hsic_test(X, Y, n_resamples=19, rng=0).pvalue,
    "kernel": lambda X, Y: K(X, Y).tolist(),
    "estimate": lambda X, Y: KME(K).embed(X)(Y).tolist(),
    "select": lambda X, Y: FKMSE(K).select(X).lam,
    "scan": lambda X, Y: scan(X, n_resamples=19, rng=0).statistic,
    "Monitor": lambda X, Y: Monitor(X, rng=0).update(Y).wealth,
    "Sketch": lambda X, Y: Sketch(K, features=20).update(X).embed().norm(),
    "Sketch.of": lambda X, Y: Sketch.of(X, K, features=20).embed().norm(),
    "KernelPCA": lambda X, Y: KernelPCA(K, 2).fit(X).eigenvalues_.tolist(),
    "ConditionalEmbedding": lambda X, Y: ConditionalEmbedding(lam=0.1).fit(X, Y).predict(X).tolist(),
    "ksd_test": lambda X, Y: ksd_test(X, lambda x: -x, n_resamples=19, rng=0).statistic,
    "bags": lambda X, Y: SupportMeasureMachine().fit([X, Y, X, Y], [0, 1, 0, 1]).predict([X]).tolist(),
    "CovariateShift": lambda X, Y: CovariateShift().fit(X, Y).weights_.tolist(),
    "compare": lambda X, Y: compare(X, Y, n_resamples=19, rng=0).pvalue,
}


class Stand:
    """An array of another library."""

    def __init__(self, values):
        self.values = np.asarray(values)
        self.dtype, self.shape, self.ndim = self.values.dtype, self.values.shape, self.values.ndim

    def __len__(self):
        return len(self.values)


class Converted(Stand):
    """One that its library converts."""

    def __array__(self, dtype=None, copy=None):
        return np.array(self.values, dtype=dtype)


class Exchanged(Stand):
    """One that only has the exchange protocol of the array API."""

    def __dlpack__(self, **options):
        return self.values.__dlpack__(**options)

    def __dlpack_device__(self):
        return self.values.__dlpack_device__()


class Refused(Stand):
    """One that its library does not convert."""

    def __array__(self, dtype=None, copy=None):
        raise TypeError("implicit conversion is not allowed\nfor reasons")


class OnGpu(Refused):
    """An array of CuPy."""

    __cuda_array_interface__ = {"version": 3}

    def get(self):
        """Copy it to the CPU."""
        return self.values


class OfNumba(Refused):
    """A device array of Numba."""

    def copy_to_host(self):
        """Copy it to the CPU."""
        return self.values


class Sparse(Refused):
    """An array of sparse."""

    def todense(self):
        """Return all its numbers."""
        return self.values


class Tensor(Refused):
    """A tensor of torch."""

    requires_grad, layout, is_quantized = False, "torch.strided", False

    def __init__(self, values, **attributes):
        super().__init__(values)
        vars(self).update(attributes)

    def _same(self):
        return self

    detach = cpu = to_dense = dequantize = double = resolve_conj = resolve_neg = _same

    def numpy(self):
        """Return its numbers."""
        return self.values


class Device:
    """A device of torch."""

    def __init__(self, kind):
        self.type = kind


class DynamicJaxprTracer(Refused):
    """An array that JAX traces."""


def memory_mapped(values, folder):
    mapped = np.memmap(folder / "values", dtype=float, mode="w+", shape=values.shape)
    mapped[:] = values
    return mapped


def dask_of(values):
    array = pytest.importorskip("dask.array")
    return array.from_array(values, chunks=(10, 1))


def filtered_dask_of(values):
    lazy = dask_of(values)
    return lazy[lazy[:, 0] > -99]  # dask does not know how many rows there are


EXACT = {  # the same numbers, and so the same bits of every result
    "another library": Converted,
    "DLPack": Exchanged,
    "a view of every second row": lambda a: np.repeat(a, 2, axis=0)[::2],
    "columns first": np.asfortranarray,
    "another byte order": lambda a: a.astype(">f8"),
    "more digits": lambda a: a.astype(np.longdouble),
    "objects": lambda a: a.astype(object),
    "a matrix": np.matrix,
    "a mask that hides nothing": np.ma.array,
    "fields": lambda a: np.rec.fromarrays(a.T, names="a,b"),
    "xarray": lambda a: xarray.DataArray(a, dims=["row", "column"]),
    "xarray with names": lambda a: xarray.DataArray(a, dims=["row", "column"], coords={"column": ["a", "b"]}),
    "xarray of dask": lambda a: xarray.DataArray(dask_of(a), dims=["row", "column"]),
    "dask": dask_of,
    "dask of unknown size": filtered_dask_of,
    "torch": lambda a: pytest.importorskip("torch").tensor(a),
}


@pytest.mark.thorough(default=["*-another library", "mmd_test-*", "Sketch.of-*", "compare-*"])
@pytest.mark.parametrize("kind", EXACT)
@pytest.mark.parametrize("door", DOORS)
@pytest.mark.filterwarnings("ignore:the matrix subclass:PendingDeprecationWarning")
def test_an_array_of_another_library_gives_the_same_result(door, kind):
    call, made = DOORS[door], EXACT[kind]
    assert call(made(X), made(Y)) == call(X, Y)


def test_a_file_in_memory_and_a_read_only_array_are_taken(tmp_path):
    fixed = X.copy()
    fixed.setflags(write=False)
    assert mmd2(memory_mapped(X, tmp_path), fixed, K) == mmd2(X, X, K)


@pytest.mark.parametrize("kind", ["float32", "float16"])
@pytest.mark.parametrize("door", ["mmd_test", "kernel", "select", "KernelPCA", "compare"])
def test_numbers_of_fewer_digits_are_computed_with_in_float64(door, kind):
    """No warning, and the result is that of the same numbers in float64."""
    short, same = X.astype(kind), X.astype(kind).astype(np.float64)
    assert DOORS[door](short, short[::-1]) == DOORS[door](same, same[::-1])
    assert K(short).dtype == KME(K).embed(short).weights.dtype == np.float64


REFUSED = {
    "CuPy": (OnGpu(X), "X OnGpu GPU X.get()"),
    "Numba": (OfNumba(X), "X OfNumba GPU X.copy_to_host()"),
    "sparse": (Sparse(X), "X Sparse sparse X.todense()"),
    "torch with gradients": (Tensor(X, requires_grad=True), "X Tensor gradients X.detach().cpu().numpy()"),
    "torch on a GPU": (Tensor(X, device=Device("cuda")), "X Tensor cuda X.cpu().numpy()"),
    "torch, sparse": (Tensor(X, layout="torch.sparse_coo"), "X Tensor sparse X.to_dense().numpy()"),
    "torch, quantized": (Tensor(X, is_quantized=True), "X Tensor quantized X.dequantize().numpy()"),
    "torch, two bytes": (Tensor(X, dtype="torch.bfloat16"), "X Tensor torch.bfloat16 X.double().numpy()"),
    "torch, conjugate": (Tensor(X), "X Tensor complex X.resolve_conj().resolve_neg().numpy()"),
    "a list of tensors": ([Tensor(X[0], requires_grad=True)], "X list Tensors [each.detach().cpu().numpy()"),
}


@pytest.mark.parametrize("kind", REFUSED)
def test_what_its_library_does_not_convert_is_refused_with_what_does(kind):
    given, said = REFUSED[kind]
    with pytest.raises(WrongType, match=naming(*said.split())) as caught:
        KME(K).embed(given)
    made = eval(re.search(r"give (.*)\.$", str(caught.value))[1], {"X": given})
    assert np.isfinite(KME(K).embed(made).points).all()


@pytest.mark.parametrize("door", DOORS)
def test_every_door_refuses_an_array_on_a_gpu(door):
    with pytest.raises(WrongType, match=r"is on a GPU; give .*\.get\(\)"):
        DOORS[door](OnGpu(X), OnGpu(Y))


@pytest.mark.parametrize(
    ("given", "said"),
    [
        (Tensor(X, device=Device("meta")), "X meta CPU"),
        (DynamicJaxprTracer(X), "X JAX jit"),
        (Refused(X), "X Refused implicit conversion NumPy"),
    ],
)
def test_what_has_no_call_that_converts_it_is_refused_too(given, said):
    with pytest.raises(WrongType, match=naming(*said.split())):
        mmd2(given, Y)


# ---- what arrays other than NumPy's have ----


def test_columns_of_xarray_are_matched_by_name():
    named = xarray.DataArray(X, dims=["row", "column"], coords={"column": ["a", "b"]})
    swapped = named.isel(column=[1, 0])
    assert mmd2(named, swapped, K) == mmd2(X, X, K)
    assert KME(K).embed(named)(swapped).tolist() == KME(K).embed(X)(X).tolist()
    with pytest.raises(Refusal, match=naming("lacks", "'b'")):
        mmd2(named, named.assign_coords(column=["a", "c"]), K)


def test_rows_of_xarray_have_their_times():
    days = pd.date_range("2026-01-01", periods=40)
    rows = xarray.DataArray(np.where(np.arange(40)[:, None] < 20, X, X + 5), dims=["time", "x"], coords={"time": days})
    found = scan(rows[::-1], n_resamples=99, rng=0)
    assert str(found.when).startswith("2026-01-21")


def test_dimensions_of_xarray_in_another_order_are_refused():
    rows = xarray.DataArray(X, dims=["row", "column"])
    with pytest.raises(Refusal, match=naming("Y", "column", "row", "Y.transpose('row', 'column')")):
        mmd2(rows, rows.transpose("column", "row"), K)


def test_what_dask_computes_is_computed_once():
    dask = pytest.importorskip("dask.callbacks")
    frame = pytest.importorskip("dask.dataframe")
    for made in (dask_of, lambda a: frame.from_pandas(pd.DataFrame(a), npartitions=2)):
        if not type(made(X)).__weakrefoffset__:  # earlier versions of dask; then numbers cannot be stored
            continue
        started = []
        with dask.Callback(start=started.append):
            hsic(made(X), made(Y))
            Monitor(made(X), rng=0)
        assert len(started) == 3


def test_masked_values_are_missing_ones():
    hidden = np.ma.array(np.where(X > 1, 1e9, X), mask=X > 1)
    missing = np.where(X > 1, np.nan, X)
    assert str(compare(hidden, Y, n_resamples=19, rng=0)) == str(compare(missing, Y, n_resamples=19, rng=0))
    with pytest.raises(Refusal, match=naming("masked")):
        Sketch.of([hidden], K, features=20)


def test_all_fields_of_a_structured_array_are_targets():
    fields = np.rec.fromarrays(Y.T, names="a,b")
    assert ConditionalEmbedding(lam=0.1).fit(X, fields).predict(X).shape == (40, 2)


# ---- the libraries themselves ----


def test_torch():
    torch = pytest.importorskip("torch")
    tensor = torch.tensor(X)
    assert mmd2(tensor, torch.tensor(Y), K) == mmd2(X, Y, K)
    assert in_memory(tensor).base is not None  # no copy
    odd = {
        "gradients": tensor.clone().requires_grad_(),
        "sparse": tensor.to_sparse(),
        "bfloat16": tensor.bfloat16(),
        "complex": torch.tensor(-1j * X).conj().imag,
    }
    for reason, given in odd.items():
        with pytest.raises(WrongType, match=reason) as caught:
            mmd2(given, Y, K)
        made = eval(re.search(r"give (.*)\.$", str(caught.value))[1], {"X": given})
        assert mmd2(made, Y, K) == pytest.approx(mmd2(X, Y, K), abs=0.01)
    with pytest.raises(WrongType, match="meta"):
        mmd2(torch.empty((3, 2), device="meta"), Y, K)


def test_jax():
    jax = pytest.importorskip("jax")
    numbers = jax.numpy.asarray(X.astype("float32"))
    assert mmd2(numbers, Y, K) == mmd2(X.astype("float32"), Y, K)
    short = numbers.astype("bfloat16")
    assert as_array(short, "X").dtype == np.float64
    assert mmd2(short, Y, K) == mmd2(np.asarray(short).astype(float), Y, K)
    with pytest.raises(WrongType, match="JAX traces"):
        jax.jit(lambda X: mmd2(X, Y, K))(numbers)


def test_sparse():
    sparse = pytest.importorskip("sparse")
    with pytest.raises(WrongType, match=re.escape("give X.todense()")):
        mmd2(sparse.COO.from_numpy(X), Y, K)


def test_conversion_warns_of_nothing():
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert explorer.mmd2(Converted(X.astype("float32")), Exchanged(Y), K) == mmd2(X.astype("float32"), Y, K)
