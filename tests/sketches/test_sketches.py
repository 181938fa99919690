"""Sketches: sums of features that are the same to the bit in any chunks, and what they answer without the rows."""

import contextlib

import numpy as np
import pandas as pd
import pytest
from helpers.naming import naming
from scipy.stats import binom

from explorer import FourierFeatures, Gaussian, Laplacian, Linear, Sketch, TestResult, mmd2, mmd_test
from explorer.checks import Refusal
from explorer.sketches.chunks import ROWS

K = Gaussian(2.0)
rng = np.random.default_rng(0)
X, Y = rng.normal(size=(700, 3)), rng.normal(0.2, 1.3, size=(500, 3))


def sketch(rows, kernel=K, features=40, seed=0):
    return Sketch(kernel, features, seed).update(rows)


def in_pieces(rows, cuts):
    made = Sketch(K, 40)
    for piece in np.split(rows, cuts):
        if len(piece):
            made.update(piece)
    return made


def test_its_mean_is_that_of_the_features():
    low = FourierFeatures.draw(K, 3, 40, 0)
    F = low.features(X)
    made = sketch(X)
    assert made.n == 700
    # features are rounded to 2^-30 for the mean and to 2^-16 for the covariance, of J = 20 waves
    np.testing.assert_allclose(made.mean, F.mean(axis=0), rtol=0, atol=2**-31)
    np.testing.assert_allclose(made.covariance, np.cov(F.T, bias=True), rtol=0, atol=2**-15 / 20)


@pytest.mark.parametrize("kernel", [K, Laplacian(3.0)])
def test_its_mmd2_is_that_of_the_rows_under_its_features(kernel):
    first, second = sketch(X, kernel), sketch(Y, kernel)
    assert first.mmd2(second) == pytest.approx(mmd2(X, Y, first.low), abs=1e-9)  # rounded to 2^-30
    assert first.mmd2(second) == second.mmd2(first)


def test_it_nears_the_mmd2_of_the_kernel():
    errors = [abs(sketch(X, K, 400, seed).mmd2(sketch(Y, K, 400, seed)) - mmd2(X, Y, K)) for seed in range(5)]
    assert max(errors) < 0.4 * mmd2(X, Y, K)  # 200 waves, each off by about twice of it


@pytest.mark.parametrize("kernel", [Gaussian(1.0), Laplacian(3.0)])
def test_its_error_is_the_deviation_of_its_mmd2_over_seeds(kernel):
    """Root mean squares over 60 seeds: each deviation is known to 1 / √120 = 9 %, 3.5 times that is a third."""
    pairs = [(sketch(X[:80], kernel, 200, seed), sketch(Y[:80], kernel, 200, seed)) for seed in range(60)]
    errors = [first.mmd2_error(second) for first, second in pairs]
    apart = [first.mmd2(second) - mmd2(X[:80], Y[:80], kernel) for first, second in pairs]
    assert np.sqrt(np.mean(np.square(errors)) / np.mean(np.square(apart))) == pytest.approx(1, abs=0.35)


@pytest.mark.parametrize("kernel", [Gaussian(1.0), Laplacian(3.0)])
def test_the_error_of_one_sketch_is_the_deviation_of_its_squared_norm_over_seeds(kernel):
    """Root mean squares over 60 seeds, as for MMD²."""
    made = [sketch(X[:80], kernel, 200, seed) for seed in range(60)]
    apart = [each.mean @ each.mean - kernel(X[:80]).mean() for each in made]
    assert np.sqrt(np.mean([each.error**2 for each in made]) / np.mean(np.square(apart))) == pytest.approx(1, abs=0.35)


def test_one_wave_has_no_error():
    with pytest.raises(Refusal, match=naming("4 features")):
        sketch(X, K, 2).mmd2_error(sketch(Y, K, 2))
    with pytest.raises(Refusal, match=naming("4 features")):
        _ = sketch(X, K, 2).error
    assert mmd_test(sketch(X, K, 2), sketch(Y, K, 2), n_resamples=9, rng=0).error == np.inf


def test_any_pieces_in_any_order_give_the_same_bits():
    whole = sketch(X)
    for seed in range(5):
        chance = np.random.default_rng(seed)
        cuts = np.sort(chance.integers(0, len(X), 30))
        assert in_pieces(chance.permutation(X), cuts) == whole
    assert in_pieces(X, np.arange(1, len(X))) == whole
    assert sketch(np.asfortranarray(X)) == whole


def test_windows_are_differences():
    a, b = sketch(X), sketch(Y)
    both = a + b
    assert both == sketch(np.vstack([Y, X])) == b + a
    assert (both - b, both - a, (a + b + b) - b) == (a, b, both)
    assert (a.n, b.n, both.n) == (700, 500, 1200)
    assert both - both == sketch(X) - sketch(X)
    assert a - Sketch(K, 40) == a + Sketch(K, 40) == a.copy() == a


def test_two_of_other_features_are_not_equal_and_one_row_more_is_another():
    a = sketch(X)
    assert a != sketch(X, K, 42)
    assert a != sketch(X, K, 40, 1)
    assert a != sketch(X, Gaussian(2.5))
    assert a != sketch(X[1:])
    assert a != sketch(np.vstack([X[1:], X[:1] + 1e-6]))
    assert a != "a sketch"


def test_its_embedding_has_its_values():
    made = sketch(X)
    e = made.embed()
    assert e.error < 1e-9
    np.testing.assert_allclose(e(Y), made.low.features(Y) @ made.mean, rtol=0, atol=1e-9)
    apart = e.distance(sketch(Y).embed()) ** 2
    assert apart == pytest.approx(mmd2(X, Y, made.low, "biased"), abs=1e-9)


def test_its_test_is_one_of_two_samples():
    one = mmd_test(sketch(X), sketch(Y), n_resamples=3999, rng=0)
    rows = mmd_test(X, Y, sketch(X).low, n_resamples=3999, rng=0)
    assert isinstance(one, TestResult)
    assert one.statistic == sketch(X).mmd2(sketch(Y))
    assert (one.n, one.m, one.pvalue) == (700, 500, rows.pvalue)
    # two ways to one null distribution: draws of its limit, and permutations of the rows
    for share in (0.5, 0.9):
        a, b = (np.quantile(each.null_distribution, share) for each in (one, rows))
        assert abs(a - b) < 0.15 * rows.null_distribution.std()
    # a standard deviation of this number of draws with long tails is off by some 3 %
    assert one.null_distribution.std() == pytest.approx(rows.null_distribution.std(), rel=0.12)
    again = mmd_test(sketch(X), sketch(Y), n_resamples=700, rng=0)
    assert np.array_equal(again.null_distribution, one.null_distribution[:700])
    assert "features of rank 40" in one.approximation
    assert one.error > 0


@pytest.mark.parametrize("n", [500, pytest.param(5000, marks=pytest.mark.thorough)])
def test_the_level_is_kept(n):
    tests, chance = 400, np.random.default_rng(n)
    rejected = 0
    for seed in range(tests):
        a, b = (sketch(chance.standard_t(4, size=(n, 2)), K, 20, seed) for _ in range(2))
        rejected += mmd_test(a, b, n_resamples=99, rng=seed).rejected(0.05)
    assert binom.ppf(0.001, tests, 0.05) <= rejected <= binom.ppf(0.999, tests, 0.05)


def test_what_differs_is_found():
    assert mmd_test(sketch(X), sketch(X + 0.5), n_resamples=199, rng=0).pvalue == 1 / 200


@pytest.mark.thorough
def test_the_stated_error_is_true():
    """The error is a 99 % limit over draws of the features."""
    exact = mmd2(X[:200], Y[:200], K)
    inside = 0
    for seed in range(200):
        found = mmd_test(sketch(X[:200], K, 200, seed), sketch(Y[:200], K, 200, seed), n_resamples=1, rng=0)
        inside += abs(found.statistic - exact) <= found.error
    assert inside >= binom.ppf(0.01, 200, 0.99)


# what is refused


@pytest.mark.parametrize(
    ("deed", "facts"),
    [
        (lambda: Sketch(Gaussian()), ("bandwidth",)),
        (lambda: Sketch(Linear()), ("Gaussian", "Laplacian")),
        (lambda: Sketch(K, 7), ("features", "even", "7")),
        (lambda: Sketch(K, 0), ("features", "0")),
        (lambda: Sketch(K, 10, -1), ("rng", "-1")),
        (lambda: Sketch(K).mean, ("no rows",)),
        (lambda: (sketch(X) - sketch(X)).mean, ("no rows",)),
        (lambda: Sketch(K, 40).mmd2(sketch(X)), ("rows",)),
        (lambda: sketch(X[:1]).mmd2(sketch(X)), ("two rows",)),
        (lambda: sketch(X) + sketch(X, K, 42), ("features", "40", "42")),
        (lambda: sketch(X) - sketch(X, K, 40, 1), ("rng", "0", "1")),
        (lambda: sketch(X).mmd2(sketch(X, Gaussian(3.0))), ("kernel",)),
        (lambda: sketch(X[:5]) - sketch(X), ("700", "5")),
        (lambda: sketch(X) + sketch(X[:, :2]), ("3", "2")),
        (lambda: sketch(X).update(X[:, :2]), ("3", "2")),
        (lambda: sketch(np.full((3, 2), 1e308)), ("subtract",)),
        (lambda: sketch([[1e11], [1e11 + 1]]), ("digits",)),
        (lambda: sketch([[np.nan]]), ("NaN",)),
        (lambda: mmd_test(sketch(X), X), ("sketch",)),
        (lambda: mmd_test(sketch(X), sketch(Y), K), ("kernel",)),
        (lambda: mmd_test(sketch(X), sketch(Y), statistic="biased"), ("unbiased",)),
        (lambda: mmd_test(sketch(0 * X), sketch(0 * Y)), ("bandwidth",)),
    ],
)
def test_what_it_refuses_in_a_sentence(deed, facts):
    with pytest.raises(ValueError, match=naming(*facts)):
        deed()


def test_rows_that_are_refused_leave_it_as_it_was():
    made = sketch(X)
    with pytest.raises(ValueError, match="subtract"):
        made.update(np.vstack([Y, np.full((1, 3), 1e308)]))
    assert made == sketch(X)


def test_it_cannot_be_added_to_another_thing():
    with pytest.raises(TypeError, match=naming("sketch", "3")):
        sketch(X) + 3


# columns are matched by name


def test_columns_meet_by_name():
    frame = pd.DataFrame(X, columns=["a", "b", "c"])
    made = Sketch(K, 40).update(frame[:300]).update(frame[["c", "a", "b"]][300:])
    assert made == sketch(X)
    assert made.columns == ("a", "b", "c")
    with pytest.raises(ValueError, match="columns"):
        made.update(frame.rename(columns={"a": "z"}))
    other = Sketch(K, 40).update(frame[["c", "a", "b"]])
    with pytest.raises(ValueError, match=naming("columns", "order")):
        made.mmd2(other)
    assert made != other


# sources


@pytest.fixture
def tables(tmp_path):
    """Write three files of the same columns, the last in another order; return the folder and all rows."""
    frame = pd.DataFrame(np.vstack([X, Y]), columns=["a", "b", "c"]).assign(who="x")
    frame[:400].to_csv(tmp_path / "1.csv", index=False)
    frame[400:900].to_csv(tmp_path / "2.csv", index=False, sep=";")
    frame[["c", "who", "a", "b"]][900:].to_csv(tmp_path / "3.tsv", index=False, sep="\t")
    return tmp_path, np.vstack([X, Y])


def test_files_and_folders_are_read_in_pieces(tables):
    folder, rows = tables
    whole = sketch(rows)
    assert Sketch.of(folder, K, 40) == whole
    assert Sketch.of([folder / "3.tsv", folder / "1.csv", folder / "2.csv"], K, 40, columns=["a", "b", "c"]) == whole
    assert Sketch.of(str(folder / "1.csv"), K, 40).columns == ("a", "b", "c")
    assert Sketch.of(folder, K, 40, columns=["c", "a"]) == sketch(rows[:, [2, 0]])


def test_parquet_is_read_by_row_groups(tables):
    pytest.importorskip("pyarrow")
    folder, rows = tables
    pd.DataFrame(rows, columns=["a", "b", "c"]).to_parquet(folder / "all.parquet", row_group_size=100)
    assert Sketch.of(folder / "all.parquet", K, 40) == sketch(rows)


def test_arrays_frames_and_what_yields_them():
    rows = np.vstack([X, Y])
    frame = pd.DataFrame(rows, columns=["a", "b", "c"])
    whole = sketch(rows)
    for source in (rows, frame, iter([rows[:300], rows[300:]]), [frame[:9], frame[9:]], (part for part in [frame])):
        assert Sketch.of(source, K, 40) == whole
    many = np.zeros((ROWS + 5, 1))
    assert Sketch.of(many, K, 2) == sketch(many, K, 2)


def test_dask_gives_the_same_bits():
    dask = pytest.importorskip("dask.array")
    frames = pytest.importorskip("dask.dataframe")
    rows = np.vstack([X, Y])
    assert Sketch.of(dask.from_array(rows, chunks=(250, 3)), K, 40) == sketch(rows)
    frame = frames.from_pandas(pd.DataFrame(rows, columns=["a", "b", "c"]), npartitions=5)
    assert Sketch.of(frame, K, 40) == sketch(rows)


def test_an_executor_gives_the_same_bits(tables):
    from concurrent.futures import ThreadPoolExecutor

    folder, rows = tables
    with ThreadPoolExecutor(3) as executor:
        assert Sketch.of(folder, K, 40, executor=executor) == sketch(rows)


@pytest.mark.thorough
def test_a_cluster_gives_the_same_bits(tables):
    from dask.distributed import Client, LocalCluster

    folder, rows = tables
    with LocalCluster(n_workers=2, threads_per_worker=1, dashboard_address=None) as cluster, Client(cluster) as client:
        assert Sketch.of(folder, K, 40, executor=client.get_executor()) == sketch(rows)


def test_gaps_are_refused_or_dropped(tmp_path):
    holes = pd.DataFrame(X.copy(), columns=["a", "b", "c"])
    holes.loc[3, "a"] = np.nan
    holes.to_csv(tmp_path / "holes.csv", index=False)
    with pytest.raises(ValueError, match=naming("holes.csv", "1", "missing='drop'")):
        Sketch.of(tmp_path / "holes.csv", K, 40)
    assert Sketch.of(tmp_path / "holes.csv", K, 40, missing="drop") == sketch(np.delete(X, 3, axis=0))


@pytest.mark.parametrize(
    ("source", "options", "facts"),
    [
        ("", {}, ("nowhere.csv",)),
        ("1.csv", {"columns": ["z"]}, ("1.csv", "'z'", "'a'", "'b'", "'c'", "'who'")),
        ("1.csv", {"columns": ["who"]}, ("1.csv", "'who'")),
        ("1.csv", {"columns": "a"}, ("columns", "'a'")),
        ("1.csv", {"missing": "skip"}, ("missing", "'refuse'", "'drop'", "'skip'")),
        ("words.csv", {}, ("words.csv", "numbers")),
        ("empty.csv", {}, ("empty.csv", "empty")),
        ("header.csv", {}, ("header.csv",)),
        ("bad.parquet", {}, ("bad.parquet", "Parquet")),
        ("x.txt.zip", {}, ("x.txt.zip", "NPZ")),
        ("hollow", {}, ("hollow", "CSV", "TSV", "Parquet", "Arrow")),
        ("mixed", {}, ("2.csv", "'b'")),
    ],
)
def test_what_no_source_can_give_is_a_sentence(tables, source, options, facts):
    folder, _ = tables
    (folder / "words.csv").write_text("w\nx\ny\n")
    (folder / "empty.csv").write_text("")
    (folder / "header.csv").write_text("a,b\n")
    (folder / "bad.parquet").write_bytes(b"PAR1 and no more")
    (folder / "x.txt.zip").write_bytes(b"PK\x03\x04")
    (folder / "hollow").mkdir()
    (folder / "mixed").mkdir()
    (folder / "mixed" / "1.csv").write_text("a,b\n1,2\n3,4\n")
    (folder / "mixed" / "2.csv").write_text("a,z\n1,2\n3,4\n")
    with pytest.raises((ValueError, TypeError, FileNotFoundError), match=naming(*facts)):
        Sketch.of(folder / source if source else folder / "nowhere.csv", K, 40, **options)


@pytest.mark.parametrize("source", [3, None])
def test_what_is_no_source_is_a_sentence(source):
    with pytest.raises(TypeError, match=naming("files", "arrays", "DataFrames")):
        Sketch.of(source, K, 40)


# files of sketches


def test_a_sketch_comes_back_from_its_file(tmp_path):
    for i, made in enumerate([sketch(X), Sketch(K, 40), sketch(X, Laplacian(0.3)), sketch(X) - sketch(X)]):
        made.save(tmp_path / f"{i}.npz")
        again = Sketch.load(tmp_path / f"{i}.npz")
        assert again == made
        assert again.columns == made.columns
        assert again.update(Y) == made.update(Y)
    assert {each.name for each in tmp_path.iterdir()} == {"0.npz", "1.npz", "2.npz", "3.npz"}
    named = Sketch(K, 40).update(pd.DataFrame(X, columns=["<b>&", "λ", "c"]))
    named.save(tmp_path / "named.npz")
    assert Sketch.load(tmp_path / "named.npz").columns == ("<b>&", "λ", "c")
    np.load(tmp_path / "named.npz", allow_pickle=False)["sums"]


def altered(path, **changes):
    with np.load(path) as archive:
        parts = {**{name: archive[name] for name in archive.files}, **changes}
    np.savez(path, **{name: part for name, part in parts.items() if part is not None})


@pytest.mark.parametrize(
    "changes",
    [
        {"n": -1},
        {"n": 0.5},
        {"n": 3},  # sums above what three cosines can reach
        {"features": 41},
        {"features": 38},
        {"features": 10**9},
        {"bandwidth": -1.0},
        {"bandwidth": np.nan},
        {"kernel": "Linear"},
        {"sums": None},
        {"products": np.zeros(5, np.int64)},
        {"sums": np.zeros(40)},
        {"frequencies": np.full((20, 3), np.nan)},
        {"columns": np.zeros(3)},
        {"rng": -1},
        {"features": np.array([40, 40])},
    ],
)
def test_a_damaged_file_is_a_sentence(tmp_path, changes):
    sketch(X).save(tmp_path / "a.npz")
    altered(tmp_path / "a.npz", **changes)
    with pytest.raises(ValueError, match="damaged"):
        Sketch.load(tmp_path / "a.npz")


def test_a_later_format_and_another_file_are_sentences(tmp_path):
    sketch(X).save(tmp_path / "a.npz")
    raw = (tmp_path / "a.npz").read_bytes()
    altered(tmp_path / "a.npz", format=2)
    with pytest.raises(ValueError, match=naming("a.npz", "2", "1")):
        Sketch.load(tmp_path / "a.npz")
    np.savez(tmp_path / "b.npz", x=X)
    with pytest.raises(ValueError, match=naming("b.npz", "Sketch.save")):
        Sketch.load(tmp_path / "b.npz")
    for name, broken in {"cut": raw[: len(raw) // 2], "nothing": b"", "text": b"a,b\n1,2\n"}.items():
        (tmp_path / name).write_bytes(broken)
        with pytest.raises(ValueError, match=naming(name)):
            Sketch.load(tmp_path / name)
    for at in range(0, len(raw), max(1, len(raw) // 60)):  # a flipped bit is detected, or changes nothing
        (tmp_path / "bit").write_bytes(raw[:at] + bytes([raw[at] ^ 4]) + raw[at + 1 :])
        with contextlib.suppress(ValueError):
            assert Sketch.load(tmp_path / "bit") == sketch(X)
    with pytest.raises(FileNotFoundError, match=naming("nowhere.npz")):
        Sketch.load(tmp_path / "nowhere.npz")
    with pytest.raises(ValueError, match=naming("no folder")):
        sketch(X).save(tmp_path / "no folder" / "a.npz")
