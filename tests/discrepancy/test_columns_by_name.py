"""Two samples that are DataFrames: columns are matched by name, and words are compared as `explorer test` does."""

import json
import pickle
import re
import subprocess
import sys

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from helpers.naming import names_all, naming
from two_samples import binomial

from explorer import (
    KME,
    SKMSE,
    Embedding,
    Gaussian,
    Laplacian,
    Linear,
    MedianOfMeans,
    bandwidth_collection,
    bandwidth_curve,
    block_test,
    compress_test,
    herd,
    hsic,
    hsic_test,
    lepski,
    linear_time,
    mmd2,
    mmd_test,
    mmdagg_test,
    mmdfuse_test,
    monk_mmd,
    monk_steps,
    monk_test,
    read_tables,
    witness,
)
from explorer.__main__ import main
from explorer.checks import ExplorerWarning
from explorer.discrepancy import (
    bandwidth_sweep,
    moment_differences,
    most_influential,
    power,
    power_curve,
    several_test,
    spectral_difference,
    variance,
    without_each,
)

LIBRARIES = {"pandas": lambda frame: frame, "polars": pl.from_pandas, "pyarrow": pa.Table.from_pandas}
RNG = np.random.default_rng(0)
SPREADS = np.array([1.0, 3.0, 10.0])  # columns that differ: in another order they are another sample
X, Y = (pd.DataFrame(RNG.normal(size=(24, 3)) * SPREADS + shift, columns=["a", "b", "c"]) for shift in (0.0, 0.4))
SWAPPED = Y[["c", "a", "b"]]
OF_TWO = {
    "mmd2": lambda X, Y: mmd2(X, Y),
    "mmd2, Laplacian": lambda X, Y: mmd2(X, Y, Laplacian()),
    "mmd2, features": lambda X, Y: mmd2(X, Y, approximation="features", rank=20),
    "mmd_test": lambda X, Y: mmd_test(X, Y, n_resamples=19, rng=0).null_distribution,
    "mmdagg_test": lambda X, Y: mmdagg_test(X, Y, n_resamples=19, rng=0).values,
    "mmdfuse_test": lambda X, Y: mmdfuse_test(X, Y, [Gaussian(), Laplacian()], n_resamples=19, rng=0).statistic,
    "block_test": lambda X, Y: block_test(X, Y, size=6, n_resamples=19, rng=0).statistic,
    "compress_test": lambda X, Y: compress_test(X, Y, n_resamples=19, rng=0).statistic,
    "linear_time": lambda X, Y: linear_time(X, Y).statistic,
    "bandwidth_collection": lambda X, Y: [kernel.bandwidth for kernel in bandwidth_collection(X, Y)],
    "bandwidth_curve": lambda X, Y: bandwidth_curve(X, Y, n_resamples=9, rng=0).statistic,
    "bandwidth_sweep": lambda X, Y: (
        bandwidth_sweep(X, Y, [Gaussian(1.0), Gaussian(5.0)], n_resamples=9, rng=0).observed
    ),
    "witness": lambda X, Y: witness(X, Y)(np.zeros((1, 3))),
    "variance": lambda X, Y: variance(X, Y),
    "power": lambda X, Y: power(X, Y, n_resamples=19, rng=0),
    "power_curve": lambda X, Y: power_curve(X, Y, sizes=[20, 40], n_resamples=19, rng=0).power,
    "spectral_difference": lambda X, Y: spectral_difference(X, Y, [0.1, 1.0]).difference,
    "moment_differences": lambda X, Y: moment_differences(X, Y, Linear()),
    "without_each": lambda X, Y: without_each(X, Y),
    "most_influential": lambda X, Y: [each.statistic for each in most_influential(X, Y, n_resamples=9, rng=0)],
    "monk_mmd": lambda X, Y: monk_mmd(X, Y, blocks=5, rng=0).value,
    "monk_test": lambda X, Y: monk_test(X, Y, blocks=5, n_resamples=9, rng=0).null_distribution,
    "monk_steps": lambda X, Y: [step.value for step in monk_steps(X, Y, blocks=5, iterations=3, rng=0)],
    "lepski": lambda X, Y: lepski(X, Y, candidates=[1, 3, 5], rng=0).estimates,
    "several_test": lambda X, Y: several_test([X, Y, X], n_resamples=19, rng=0).null_distribution,
    "a kernel": lambda X, Y: Laplacian(3.0)(X, Y),
}


@pytest.mark.parametrize("library", LIBRARIES)
@pytest.mark.parametrize("name", OF_TWO)
def test_columns_meet_by_name(name, library):
    of, frame = OF_TWO[name], LIBRARIES[library]
    expected = of(X.to_numpy(), Y.to_numpy())
    np.testing.assert_array_equal(of(frame(X), frame(SWAPPED)), expected)
    np.testing.assert_array_equal(of(frame(X), Y.to_numpy()), expected)  # an array has no names: by position
    assert not np.array_equal(of(X.to_numpy(), SWAPPED.to_numpy()), expected)


@pytest.mark.parametrize("library", LIBRARIES)
@pytest.mark.parametrize("name", OF_TWO)
def test_columns_that_differ_are_a_sentence(name, library):
    of, frame = OF_TWO[name], LIBRARIES[library]
    with pytest.raises(ValueError, match=naming("'a'", "'b'", "'c'") + "(Y|sample 2) "):
        of(frame(X), frame(Y[["a", "c"]]))
    with pytest.raises(ValueError, match=naming("'d'") + "(Y|sample 2) "):
        of(frame(X), frame(Y.assign(d=1.0)))
    with pytest.raises(ValueError, match=naming("'a'", "'A'") + "(Y|sample 2) "):
        of(frame(X), frame(Y.rename(columns={"a": "A"})))


def test_libraries_may_meet_and_names_that_only_count_are_positions():
    expected = mmd2(X.to_numpy(), Y.to_numpy())
    assert mmd2(pl.from_pandas(X), SWAPPED) == mmd2(pa.Table.from_pandas(X), pl.from_pandas(SWAPPED)) == expected
    counted = pd.DataFrame(Y.to_numpy())
    assert mmd2(X, counted) == mmd2(pd.DataFrame(X.to_numpy()), counted) == expected
    twice = pd.DataFrame(X.to_numpy(), columns=["a", "a", "b"])
    with pytest.raises(ValueError, match=naming("'a'")):
        mmd2(twice, twice)


@pytest.mark.parametrize(
    "made", [lambda frame: frame, pl.from_pandas, pa.Table.from_pandas], ids=["pandas", "polars", "pyarrow"]
)
def test_a_number_that_is_none_is_found_by_its_column(made):
    gone = X.copy()
    gone.loc[3, "b"] = np.inf
    with pytest.raises(ValueError, match=naming("X", "1", "NaN", "3", "0", "'b'")):
        mmd2(made(gone), Y)


def test_a_table_that_is_not_read_yet():
    assert mmd2(pl.from_pandas(X).lazy(), Y) == mmd2(pl.from_pandas(X), Y)


def test_verdicts_name_the_columns():
    for result in (
        mmd_test(X, SWAPPED, Gaussian(2.0), n_resamples=9, rng=0),
        monk_test(X, SWAPPED, Gaussian(2.0), blocks=5, n_resamples=9, rng=0),
        monk_test(X, SWAPPED, Gaussian(2.0), blocks=5, n_resamples=9, rng=0, null="pool"),
        block_test(X, SWAPPED, Gaussian(2.0), size=6, n_resamples=9, rng=0),
        compress_test(X, SWAPPED, Gaussian(2.0), n_resamples=9, rng=0),
        monk_mmd(X, SWAPPED, Gaussian(2.0), blocks=5, rng=0),
        lepski(X, SWAPPED, Gaussian(2.0), candidates=[1, 3], rng=0),
        linear_time(X, SWAPPED, Gaussian(2.0)),
    ):
        assert re.search(naming("bandwidth 2 over a, b, c", "n = 24"), str(result))
        assert result.columns == ("a", "b", "c")
    assert "bandwidth 2 and a Gaussian kernel" in str(hsic_test(X, Y, Gaussian(2.0), n_resamples=9, rng=0)).replace(
        " over a, b, c", ""
    )
    sides = hsic_test(X[["a", "b"]], X[["c"]], kernel_y=Linear(), n_resamples=9, rng=0)
    assert names_all(str(sides), "over a, b", "linear kernel over c")
    agg = str(mmdagg_test(X, SWAPPED, n_resamples=9, rng=0))
    assert re.search(naming("10 kernels"), agg)
    assert " over a, b, c, for n" in agg


# columns of several kinds
# ----------------------------------------------------------------------------------------------------------------------


def people(n, shift, seed):
    rng = np.random.default_rng(seed)
    return pd.DataFrame(
        {
            "weight": 70 + 8 * rng.normal(size=n) + shift,
            "income": 1e4 * rng.lognormal(size=n),
            "city": rng.choice(["Bonn", "Kiel", "Ulm"], n),
            "smokes": rng.random(n) < 0.3,
            "name": [f"person {seed}.{i}" for i in range(n)],
        }
    )


P, Q = people(40, 0.0, 1), people(30, 3.0, 2)


@pytest.mark.parametrize("library", LIBRARIES)
def test_a_mixed_table_is_compared_as_the_command_compares_its_file(library, tmp_path, capsys):
    frame, files = LIBRARIES[library], [tmp_path / "p.csv", tmp_path / "q.csv"]
    for table, file in zip((P, Q), files, strict=True):
        table.to_csv(file, index=False)
    main(["test", *map(str, files), "--kernel", "gaussian", "--json"])
    told = json.loads(capsys.readouterr().out)
    with pytest.warns(ExplorerWarning, match=naming("X", "Y", "name")):
        result = mmd_test(frame(P), frame(Q[Q.columns[::-1]]), rng=0)
    assert result.pvalue == told["pvalue"]
    assert result.statistic == told["statistic"]
    over = "over weight, income, halved where city differs, halved where smokes differs, for n"
    assert over in str(result)
    tables = read_tables([frame(P), frame(Q)], names=["X", "Y"])
    same = read_tables(files)
    for a, b in zip(tables, same, strict=True):
        np.testing.assert_array_equal(a.X, b.X)
        assert a.names == b.names
        assert len(a.hash) == 64
    assert tables.columns == same.columns


def test_other_tests_of_mixed_tables():
    tables = read_tables([P, Q[: len(Q)]], scale="auto")
    kernel, (A, B) = tables.product(Laplacian()), (each.X for each in tables)
    with pytest.warns(ExplorerWarning, match=naming("name")):
        assert mmd2(P, Q, Laplacian()) == mmd2(A, B, kernel)
    half = P[:30]
    tables = read_tables([half, Q], scale="auto")
    A, B = (each.X for each in tables)
    with pytest.warns(ExplorerWarning, match=naming("name")):
        assert monk_mmd(half, Q, blocks=5, rng=0).value == monk_mmd(A, B, tables.kernel, blocks=5, rng=0).value
    with pytest.warns(ExplorerWarning, match=naming("name")):
        agg = mmdagg_test(half, Q, n_resamples=19, rng=0)
    again = mmdagg_test(A, B, agg.kernel, n_resamples=19, rng=0)
    assert len(agg.kernel) == 10
    assert agg.statistic == again.statistic
    words = P[["city", "smokes"]], Q[["city", "smokes"]]
    alone = mmd_test(*words, n_resamples=19, rng=0)
    assert re.search(naming("city", "smokes"), str(alone))
    three = several_test([*words, words[0]], n_resamples=19, rng=0)
    assert three.columns == ("city", "smokes")
    assert three.pairs[0].test.statistic == alone.statistic
    assert mmdagg_test(*words, n_resamples=19, rng=0).kernel == (alone.kernel,)


def test_dependence_of_mixed_tables():
    table = read_tables([P[["weight", "city"]]], scale="auto")
    assert hsic(P[["weight", "city"]], P["income"]) == hsic(table[0].X, P["income"], table.kernel)
    result = hsic_test(P[["city"]], P[["weight", "smokes"]], n_resamples=19, rng=0)
    assert re.search(naming("city", "weight", "smokes", "n = 40 pairs"), str(result))


def test_mixed_tables_that_cannot_be_compared_say_what_to_do():
    gap = P.copy()
    gap.loc[3, "city"] = None
    for frame, way_out in (
        (gap, "X.dropna()"),
        (pl.from_pandas(gap), "X.drop_nulls()"),
        (pa.Table.from_pandas(gap), "X.drop_null()"),
    ):
        with pytest.raises(ValueError, match=naming("X", 1, "row 3", "'city'", way_out)):
            mmd_test(frame, Q)
    with pytest.warns(ExplorerWarning, match=naming("name")):
        mmd_test(gap.dropna(), Q, n_resamples=9)
    with pytest.raises(ValueError, match=naming("Y", "'city'")):
        mmd_test(P, Q.drop(columns="city"))
    with pytest.raises(ValueError, match=naming("'city'", "Y", "X")):
        mmd_test(P, Q.assign(city=1.5))
    with pytest.raises(TypeError, match=naming("X", "city", "smokes", "name", "X[['weight', 'income']]")):
        witness(P, Q)


@pytest.mark.thorough
def test_the_level_of_mixed_tables():
    """300 nulls: numbers of rejections as 99.9 % of binomial counts are."""
    p = []
    for seed in range(300):
        table = people(30, 0.0, seed).drop(columns="name")
        p.append(mmd_test(table[:15], table[15:], n_resamples=39, rng=seed).pvalue)
    for level in (0.05, 0.2):
        low, high = binomial(300, level, 5e-4)
        assert low <= np.count_nonzero(np.array(p) <= level) <= high


# embeddings
# ----------------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("library", LIBRARIES)
def test_an_embedding_knows_its_columns(library):
    frame, kernel = LIBRARIES[library], Laplacian(3.0)
    plain = KME(kernel).embed(X.to_numpy())
    for e in (
        KME(kernel).embed(frame(X)),
        KME(kernel).embed(frame(X)) * 1.0,
        Embedding(kernel, frame(X), plain.weights),
        pickle.loads(pickle.dumps(KME(kernel).embed(frame(X)))),
        KME(kernel).embed(frame(X)) - 0 * KME(kernel).embed(Y.to_numpy()),
    ):
        assert e.columns == ("a", "b", "c")
        np.testing.assert_array_equal(e(frame(SWAPPED)), e(Y.to_numpy()))
        np.testing.assert_array_equal(e.density(frame(SWAPPED)), e.density(Y.to_numpy()))
        with pytest.raises(ValueError, match=naming("Y", "'b'")):
            e(frame(X[["a", "c"]]))
    assert KME(kernel).embed(frame(X)) == plain
    assert plain.columns is None
    assert herd(KME(kernel).embed(frame(X)), 3, frame(SWAPPED)).rows == pytest.approx(herd(plain, 3, Y).rows)
    f = KME(kernel).embed(frame(SWAPPED))
    for act in (lambda: e.distance(f), lambda: e.inner(f), lambda: e + f):
        with pytest.raises(ValueError, match=naming("'a'", "'b'", "'c'", "df")):
            act()
    assert witness(frame(X), frame(SWAPPED), kernel)(frame(SWAPPED)) == pytest.approx(
        witness(X.to_numpy(), Y.to_numpy(), kernel)(Y.to_numpy())
    )
    assert SKMSE(kernel).embed(frame(X)).columns == MedianOfMeans(kernel).embed(frame(X)).columns == ("a", "b", "c")


@pytest.mark.thorough
def test_a_first_call_on_words_loads_what_reads_them():
    """In a process that has asked for no data set yet."""
    code = """import pandas, explorer
table = pandas.DataFrame({"x": range(9), "c": list("abcabcabc")})
print(explorer.mmd_test(table, table, n_resamples=9).pvalue)"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "1.0"
