"""Advice works: if a refusal names code or an option, this module does what it advises, and the result is accepted.

The refusals are found in the sources, so that a new one fails here until the table has it.
"""

import ast
import contextlib
import io
import re
import sqlite3
import tempfile
from functools import cache
from pathlib import Path
from string import Formatter
from unittest.mock import patch

import numpy as np
import pandas as pd
import polars as pl
import pytest
import xarray
from helpers.naming import naming

import explorer
from explorer import (
    DICA,
    FKMSE,
    KME,
    MKME,
    SKMSE,
    ARDGaussian,
    BeliefPropagation,
    ConditionalEmbedding,
    CovarianceOperator,
    CovariateShift,
    Delta,
    Embedding,
    Gaussian,
    GaussianMixture,
    InverseMultiquadric,
    KernelBayesRule,
    KernelCCA,
    KernelKMeans,
    KernelPCA,
    Laplacian,
    LevelTwo,
    Linear,
    LocationScaleShift,
    Matern,
    MaximumEntropy,
    MixtureDensity,
    Precomputed,
    Product,
    RationalQuadratic,
    RobustKME,
    Sketch,
    SpectralKMSE,
    Subsequence,
    bag_gram,
    bags_of,
    bayes_rule,
    compare,
    compress_test,
    dhsic,
    distributional_variance,
    hsic,
    hsic_test,
    hsicagg_test,
    james_stein,
    kci_test,
    ksd,
    ksd_test,
    ksdagg_test,
    low_rank,
    mmd2,
    mmd_test,
    mmdfuse_test,
    monk_mmd,
    plot,
    read_table,
    risk,
    thin,
)
from explorer.__main__ import main
from explorer.commands import serve
from explorer.comparison import compare_groups
from explorer.discrepancy import power, rank_columns
from explorer.kernels import KernelProduct, KernelSum
from explorer.operators.dependence_shape import widened_kernel
from explorer.sweeps import InProcess

PACKAGE = Path(explorer.__file__).parent
RAISED = {"Refusal", "WrongType", "TypeError", "ValueError"}
# a call, an option of a command, a keyword argument, a selection of columns
CODE = re.compile(r"\b[A-Za-z_]\w*\(|--[a-z]|\b[A-Za-z_]+=\S|\w\[[\[:{]")
DEVELOPERS = ("markup.py", "recipe.py")  # speak to who writes the package


def template_of(node, has_values=False):
    """Return the text of a sentence, and the pattern that matches it. A template of values has placeholders."""
    if isinstance(node, ast.Constant) and has_values:
        texts = [text for text, *_ in Formatter().parse(node.value)]
        return "X".join(texts), ".*".join(map(re.escape, texts))
    if isinstance(node, ast.Constant):
        return str(node.value), re.escape(str(node.value))
    if isinstance(node, ast.JoinedStr):
        texts = [each.value if isinstance(each, ast.Constant) else None for each in node.values]
        return (
            "".join("X" if text is None else text for text in texts),
            "".join(".*" if text is None else re.escape(text) for text in texts),
        )
    return "X", ".*"


def called_name(call):
    """Return the name of the called function, without the object that it is an attribute of."""
    return getattr(call.func, "attr", None) or getattr(call.func, "id", "")


@cache  # not while tests are collected: each worker would walk through the package
def sites():
    """Return {place: (text, pattern)} of the refusals in the package whose sentence has code in it."""
    found = {}
    for path in sorted(PACKAGE.rglob("*.py")):
        name = path.relative_to(PACKAGE).as_posix()
        if name in DEVELOPERS:
            continue
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Call) and called_name(node) in RAISED and node.args:
                text, pattern = template_of(node.args[0], bool(node.args[1:]))
                if CODE.search(text):
                    found[f"{name}: {text}"] = pattern
    return found


# data --------------------------------------------------------------------------------------------------------------

RNG = np.random.default_rng(0)
X, Y = RNG.normal(size=(20, 2)), RNG.normal(size=(20, 2)) + 0.5
K = Gaussian(1.0)
MEAN = KME(K).embed(X)
LAW = GaussianMixture([1.0], [[0.0]], [[1.0]])
LAW2 = GaussianMixture([1.0], [[0.0, 0.0]], np.eye(2))
WORDS = ["sun", "sun", "rain", "rain"]
BAGS = [X[:5], X[5:10], Y[:5], Y[5:10]]
LABELS = np.repeat([0, 1], 10)
NUMBERS = pd.DataFrame({"a": [1, 2, 4], "b": [2.0, 3.0, 7.0]})
MIXED = NUMBERS.assign(w=["x", "y", "z"])
GAPPED = pd.DataFrame({"a": [1, 2, 4, 5], "b": pd.array([1, None, 3, 8], dtype="Int64")})
OBJECTS = MIXED.astype(object)
STRUCTURED = np.array([(1.0, "x"), (2.0, "y")], dtype=[("a", float), ("w", "U1")])
MANY = np.linspace(0.0, 1.0, 2**20)  # the matrix of its pairs would take 4 TB
BIG = np.array([2**60 + 1, 2**60 + 2, 2**60 + 4])
ROWS_FIRST = xarray.DataArray(X, dims=["row", "column"])
INDEFINITE = np.array([[1.0, 2.0, 0.0], [2.0, 1.0, 0.0], [0.0, 0.0, 1.0]])
# distances of five points: two are near the other three, which are far from one another. No kernel induces them
DISTANCES = np.array([[0, 2, 1, 1, 1], [2, 0, 1, 1, 1], [1, 1, 0, 2, 2], [1, 1, 2, 0, 2], [1, 1, 2, 2, 0.0]])
ENDS = np.abs(np.subtract.outer(np.arange(4.0), np.arange(4.0)))  # distances of four points on a line


SHOP = sqlite3.connect(":memory:", check_same_thread=False)
SHOP.execute("create table june as select 1.5 as x union all select 2.5")


def spectrum_at_zero(G):
    """Follow the sentences: return the matrix with its negative eigenvalues set to 0."""
    g, U = np.linalg.eigh(G)
    return (U * g.clip(0)) @ U.T


def study(n, seed):
    return {"loss": float(n)}


def stored(scale, **options):
    """Sweep a function that holds a value, with the store of an earlier one that held 1."""
    with tempfile.TemporaryDirectory() as place:
        for each, further in ((1, {}), (scale, options)):
            call = {"executor": InProcess(), "store": Path(place, "s.nc"), "progress": False, **further}
            explorer.sweep(lambda n, seed, each=each: {"loss": float(each * n)}, {"n": [1, 2]}, **call)


def command(*words):
    """Run a command in this process; a refused command raises ValueError."""
    said = io.StringIO()
    with contextlib.redirect_stderr(said), contextlib.redirect_stdout(io.StringIO()):
        try:
            main([str(word) for word in words])
        except SystemExit as end:
            if end.code:
                raise ValueError(said.getvalue().strip()) from None


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """Create a folder with files for the commands."""
    place = tmp_path_factory.mktemp("advice")
    table = pd.DataFrame({"a": X[:, 0].round(3), "b": X[:, 1].round(3), "arm": np.where(LABELS, "yes", "no")})
    table.to_csv(place / "arms.csv", index=False)
    table[["a", "b"]].to_csv(place / "x.csv", index=False)
    pd.DataFrame(Y.round(3), columns=["a", "b"]).to_csv(place / "y.csv", index=False)
    pd.DataFrame(Y[:9].round(3), columns=["a", "b"]).to_csv(place / "few.csv", index=False)
    many = pd.DataFrame({"a": np.arange(60.0) % 7, "g": [f"g{i:02d}" for i in np.arange(60) // 2]})
    many.to_csv(place / "many.csv", index=False)
    pd.DataFrame({"w": list("xyzxyzxy")}).to_csv(place / "words.csv", index=False)
    for name in ("first", "second"):
        pd.DataFrame({"a": RNG.normal(size=20).round(3), "id": [f"p{i}" for i in range(20)]}).to_csv(
            place / f"{name}.csv", index=False
        )
    (place / "units.csv").write_text("a;b\n1,5;2\n2,5;4\n3,5;7\n7,5;8\n")
    (place / "theirs.js").write_text("alert()\n")
    (place / "made").mkdir()
    (place / "one.csv").write_text("a,b\n1,2\n")
    Sketch(K, 10).update(X).save(place / "made.npz")
    (place / "beside.py").write_text("def study(n, seed):\n    return {'loss': float(n)}\n")
    (place / "sweep.toml").write_text('study = "beside:study"\n[axes]\nn = [1, 2]\n')
    return place


FEW = ("--permutations", 19)
REPORTED = ("report", "first.csv", "second.csv", *FEW)
PAIRS = "explorer.discrepancy.dependence.mean_estimators.LARGE"
NOTEBOOK = PACKAGE.parent / "notebooks" / "01_what_is_a_mean_embedding.ipynb"

# what fails, and what its sentence says to do, by a part of its text with X for what varies

MANY_GROUPS = pd.DataFrame({"g": np.repeat(range(21), 3), "x": np.arange(63) % 7})
CASES = {
    # arrays of xarray
    "and rows come first; give": (
        lambda: mmd2(ROWS_FIRST, ROWS_FIRST.transpose("column", "row")),
        lambda: mmd2(ROWS_FIRST, ROWS_FIRST.transpose("column", "row").transpose("row", "column")),
    ),
    # results
    "a X is neither true nor false": (
        lambda: bool(mmd_test(NUMBERS, NUMBERS, n_resamples=19)),
        lambda: (
            mmd_test(NUMBERS, NUMBERS, n_resamples=19).rejected(0.05),
            mmd_test(NUMBERS, NUMBERS, n_resamples=19).pvalue,
        ),
    ),
    # sweeps
    "has numbers of other code": (
        lambda: stored(2),
        lambda: (stored(1), stored(2, reuse=True), stored(2, store=None)),
    ),
    "depends must be a list of files, modules or values": (
        lambda: stored(1, depends="pyproject.toml", store=None),
        lambda: stored(1, depends=[PACKAGE.parent / "pyproject.toml", np, 3], store=None),
    ),
    # comparisons
    "or call compare, which compares all others with the group reference=": (
        lambda: compare_groups(MANY_GROUPS, by="g", n_resamples=19),
        lambda: (
            compare_groups(MANY_GROUPS[MANY_GROUPS.g < 3], by="g", n_resamples=19),
            compare(MANY_GROUPS, by="g", reference=7, n_resamples=19),
        ),
    ),
    "reference= names the group of one table": (
        lambda: compare(MANY_GROUPS, MANY_GROUPS, reference=7, n_resamples=19),
        lambda: (
            compare(MANY_GROUPS, by="g", reference=7, n_resamples=19),
            compare(MANY_GROUPS, MANY_GROUPS, n_resamples=19),
        ),
    ),
    # alignment
    "X and X are paired by their index": (
        lambda: hsic(NUMBERS, pd.Series([1.0, 2.0, 3.0], list("abc"))),
        lambda: (
            hsic(NUMBERS, pd.Series([1.0, 2.0, 3.0], list("abc")).to_numpy()),
            hsic(NUMBERS, pd.Series([1.0, 2.0, 3.0], [2, 1, 0])),
        ),
    ),
    "X have one index in two orders, and its labels occur more than once": (
        lambda: hsic(NUMBERS.set_axis(list("aab")), pd.Series([1.0, 2.0, 3.0], list("baa"))),
        lambda: (
            hsic(NUMBERS.set_axis(list("aab")), pd.Series([1.0, 2.0, 3.0], list("baa")).to_numpy()),
            hsic(NUMBERS.set_axis(list("aab")), pd.Series([2.0, 3.0, 1.0], list("aab"))),
        ),
    ),
    # tables
    "is read by a query": (
        lambda: read_table(SHOP),
        lambda: (read_table(SHOP, query="select * from june"), read_table(pd.DataFrame({"x": [1.0, 2.0]}))),
    ),
    "gives its rows once, piece by piece": (
        lambda: compare(iter([NUMBERS]), NUMBERS),
        lambda: (
            compare(pd.concat(iter([NUMBERS, NUMBERS])), NUMBERS, n_resamples=19),
            compare(list(iter([{"a": 1.0}, {"a": 2.0}, {"a": 4.0}])), NUMBERS, n_resamples=19),
            Sketch.of(iter([NUMBERS]), K, 10),
        ),
    ),
    # checks
    "X has missing values, the first in row X (counted": (
        lambda: KME().embed(GAPPED),
        lambda: KME().embed(GAPPED.dropna()),
    ),
    "holds whole numbers beyond 2^53": (
        lambda: mmd2(BIG, BIG, K),
        lambda: (
            mmd2(BIG - BIG[0], BIG - BIG[0], K),
            mmd2(np.array(BIG).astype(str), np.array(BIG).astype(str), Delta()),
        ),
    ),
    # memory
    "A bandwidth alone can be chosen on some of the points": (
        lambda: SKMSE().embed(MANY),
        lambda: (Gaussian().select(MANY[::210]), KME(K, approximation="auto").embed(MANY)),
    ),
    # kernels
    "ARDGaussian() has no bandwidths yet": (
        lambda: LAW2.embed(ARDGaussian()),
        lambda: (LAW2.embed(ARDGaussian([1.0, 2.0])), LAW2.embed(ARDGaussian().select(X))),
    ),
    "X has no X yet and there is no sample": (
        lambda: LAW2.embed(Gaussian()),
        lambda: (
            LAW2.embed(Gaussian(1.0)),
            LAW2.embed(Laplacian(1.0)),
            LAW2.embed(Matern(bandwidth=1.0)),
            LAW2.embed(InverseMultiquadric(scale=1.0)),
            *(LAW2.embed(kernel().select(X)) for kernel in (Gaussian, Laplacian, Matern, InverseMultiquadric)),
        ),
    ),
    "is for files that end in .pdf, .svg or .png; for a page": (
        lambda: save_in_folder(explorer.KME(K).embed(X), "picture.html", width=85),
        lambda: [
            save_in_folder(plot(explorer.KME(K).embed(X)).opts(title="mine"), "picture.html"),
            save_in_folder(explorer.KME(K).embed(X), "picture.pdf", width=85),
        ],
    ),
    "Kernel is what all kernels are": (lambda: explorer.Kernel(), lambda: Gaussian()),
    "looks like a matrix of distances, not of similarities": (
        lambda: Precomputed(ENDS),
        lambda: Precomputed.of_distances(ENDS),
    ),
    "holds words, such as X, and X compares numbers; give it Delta()": (
        lambda: Product({0: K, 1: K})([["1", "a"], ["2", "b"]]),
        lambda: Product({0: K, 1: Delta()})([["1", "a"], ["2", "b"]]),
    ),
    "factors must be kernels such as": (
        lambda: KernelProduct(3),
        lambda: KernelProduct((Gaussian(1.0), Linear())),
    ),
    "terms is empty": (lambda: KernelSum([]), lambda: KernelSum([(2.0, Gaussian(1.0))])),
    "terms must be pairs": (lambda: KernelSum(3), lambda: KernelSum([(2.0, Gaussian(1.0)), (1.0, Linear())])),
    "a sum or product of kernels is made of kernels": (
        lambda: KernelSum([(1.0, "rbf"), (2.0, K)]),
        lambda: KernelSum([(1.0, Gaussian(1.0)), (2.0, K)]),
    ),
    "Product({0: ..., 1: ...}) gives each a column": (
        lambda: Subsequence() + K,
        lambda: Product({0: Delta(), 1: K})([["ab", 1.0], ["ba", 2.0]]),
    ),
    "has no meaning without an approximation": (
        lambda: KME(K, rank=5),
        lambda: [KME(K, rank=5, approximation=each) for each in ("cholesky", "nystrom", "features")] + [KME(K)],
    ),
    "finds the rank by itself": (
        lambda: KME(K, "auto", 5),
        lambda: [KME(K, "auto").embed(X), *(KME(K, each, 5) for each in ("cholesky", "nystrom", "features"))],
    ),
    "is for what may do without a kernel of finite rank": (
        lambda: low_rank(K, X, "auto"),
        lambda: (mmd2(X, Y, K, approximation="auto"), low_rank(K, X, "cholesky"), low_rank(K, X, "nystrom")),
    ),
    "is for plain means, of pairs that count once": (
        lambda: hsic(X, Y, K, K, estimator=FKMSE(), approximation="nystrom"),
        lambda: (hsic(X, Y, K, K, approximation="nystrom"), hsic(X, Y, K, K, estimator=FKMSE())),
    ),
    "draws frequencies from the Fourier transform": (
        lambda: KME(Linear(), approximation="features").embed(X),
        lambda: KME(Linear(), approximation="cholesky").embed(X),
    ),
    "rank must be at least 2 for approximation": (
        lambda: low_rank(K, X, "features", 1),
        lambda: low_rank(K, X, "features", 2),
    ),
    "points are too large for random features": (
        lambda: KME(Gaussian(1e-10), "features", 10).embed(X + 1e300),
        lambda: (
            KME(Gaussian(1e-10), "features", 10).embed(X - X[0]),
            KME(Gaussian(1e-10), "cholesky", 10).embed(X + 1e300),
        ),
    ),
    "features each, which take more than": (
        lambda: Subsequence(30).features(["abc" * 20]),
        lambda: (Subsequence(3).features(["abc" * 20]), Subsequence(30)(["abc" * 20])),
    ),
    "holds bytes; a string kernel needs text": (
        lambda: Subsequence()(np.array([b"abc", b"abd"])),
        lambda: Subsequence()(np.array([b"abc", b"abd"]).astype(str)),
    ),
    # embeddings
    "an Embedding does not change": (
        lambda: setattr(MEAN, "kernel", K),
        lambda: (MEAN + MEAN, 2.0 * MEAN, Embedding(K, X, np.ones(20))),
    ),
    "has no integral that is finite and the same": (
        lambda: KME(Linear()).embed(X).density(X),
        lambda: (
            [KME(kernel).embed(X).density(X) for kernel in (Gaussian(), Laplacian())],
            KME(Delta()).embed(WORDS).density(WORDS),
        ),
    ),
    "choose one for both: k = k.select(np.concatenate": (
        lambda: KME(Gaussian()).embed(X[:, 0]) - KME(Gaussian()).embed(Y[:9, 0]),
        lambda: (
            KME(Gaussian().select(np.concatenate([X[:, 0], Y[:9, 0]]))).embed(X[:, 0])
            - KME(Gaussian().select(np.concatenate([X[:, 0], Y[:9, 0]]))).embed(Y[:9, 0])
        ),
    ),
    "sketches keep no rows, so there are no columns to draw": (
        lambda: plot(compare(SKETCH, SKETCH)),
        lambda: plot(compare(SKETCH, SKETCH).joint),
    ),
    "the sketch has no rows yet": (lambda: Sketch(K, 10).mean, lambda: Sketch(K, 10).update(X).mean),
    "the sketch has no rows left": (
        lambda: (SKETCH - SKETCH).mean,
        lambda: (SKETCH - SKETCH).update(X).mean,
    ),
    "columns must be a list of names": (
        lambda: Sketch.of(NUMBERS, K, 10, columns="a"),
        lambda: Sketch.of(NUMBERS, K, 10, columns=["a"]),
    ),
    "rows with a missing cell in": (
        lambda: Sketch.of(GAPPED, K, 10),
        lambda: Sketch.of(GAPPED, K, 10, missing="drop"),
    ),
    "an Embedding adds to an Embedding": (lambda: MEAN + X, lambda: MEAN + KME(K).embed(X)),
    "an Embedding times an Embedding is none": (lambda: MEAN * MEAN, lambda: MEAN.inner(MEAN)),
    # estimators
    "has no weights='simplex'": (
        lambda: SpectralKMSE(weights="simplex"),
        lambda: [SpectralKMSE(weights=each).embed(X) for each in ("free", "sum-to-one")],
    ),
    "KME with approximation=X has no": (lambda: KME(K, "nystrom", 5).loocv(X), lambda: KME(K).loocv(X)),
    "has an observation of length 0": (
        lambda: james_stein([0.0, 0.0, 0.0]),
        lambda: james_stein([0.0, 0.0, 0.0], positive=True),
    ),
    "chooses σ for a Gaussian, ARDGaussian": (
        lambda: MKME(Linear()).select(X),
        lambda: MKME(Linear(), 0.1).embed(X),
    ),
    "X(sigma=None) chooses σ": (lambda: risk(MKME(K), LAW, 5), lambda: risk(MKME(K, sigma=0.1), LAW, 5)),
    "SKMSE(lam=None) chooses λ": (lambda: risk(SKMSE(K), LAW, 5), lambda: risk(SKMSE(K, lam=0.1), LAW, 5)),
    "SKMSE(weights='simplex') has no exact risk": (
        lambda: risk(SKMSE(K, lam=0.1, weights="simplex"), LAW, 5),
        lambda: risk(SKMSE(K, lam=0.1, weights="free"), LAW, 5),
    ),
    "has yet to choose X on a sample; take select(X)": (
        lambda: SpectralKMSE().filter_at([1.0]),
        lambda: SpectralKMSE().select(X).filter_at([1.0]),
    ),
    "finds the weights of points in a sample": (
        lambda: KernelPCA(K, centering=RobustKME()).fit(X, weights=np.ones(20)),
        lambda: (KernelPCA(K, centering=KME()).fit(X, weights=np.ones(20)), KernelPCA(K, centering=RobustKME()).fit(X)),
    ),
    # discrepancy
    "has no Stein kernel: that takes two derivatives": (
        lambda: ksd(X, lambda X: -X, Laplacian(1.0)),
        lambda: [ksd(X, lambda X: -X, each()) for each in (Gaussian, InverseMultiquadric, RationalQuadratic)],
    ),
    "kernels must be a list such as": (
        lambda: ksdagg_test(X, lambda X: -X, 3, n_resamples=9),
        lambda: ksdagg_test(X, lambda X: -X, [Gaussian(1.0), Gaussian(2.0)], n_resamples=9),
    ),
    "model must have a score": (
        lambda: ksd(X, 3),
        lambda: (ksd(X, GaussianMixture([1.0], [[0.0, 0.0]], np.eye(2))), ksd(X, lambda X: -X)),
    ),
    "null='parametric' draws samples of the model": (
        lambda: ksd_test(X, lambda X: -X, null="parametric", n_resamples=9),
        lambda: ksd_test(X, lambda X: -X, null="wild", n_resamples=9),
    ),
    "too few to be compressed": (
        lambda: compress_test(X, Y, K, size=10),
        lambda: (compress_test(X, Y, K, size=None, n_resamples=9), mmd_test(X, Y, K, n_resamples=9)),
    ),
    "temperature must be a number above 0": (
        lambda: mmdfuse_test(X, Y, temperature=0, n_resamples=9),
        lambda: (mmdfuse_test(X, Y, temperature=1, n_resamples=9), mmdfuse_test(X, Y, n_resamples=9)),
    ),
    "names are given twice": (
        lambda: rank_columns(NUMBERS, [1.0, 2, 3], names=["c", "d"]),
        lambda: rank_columns(pd.concat([NUMBERS] * 2), [1.0, 2, 3, 4, 5, 6], n_resamples=9),
    ),
    "compares plain averages, and the estimator is": (
        lambda: mmd2(X, Y, K, "biased", SKMSE(), "nystrom"),
        lambda: (mmd2(X, Y, K, "biased", None, "nystrom"), mmd2(X, Y, K, "biased", SKMSE())),
    ),
    "has no p-value of at most level=": (
        lambda: power(X, Y, n_resamples=9),
        lambda: power(X, Y, n_resamples=19, rng=0),
    ),
    "printed='norm' belongs to": (
        lambda: monk_mmd(X, Y, method="direction", printed="norm"),
        lambda: (
            [monk_mmd(X, Y, method=each, printed="norm") for each in ("bcd", "bcd-fast")],
            monk_mmd(X, Y, method="direction", printed=None),
        ),
    ),
    "printed='kept' belongs to": (
        lambda: monk_mmd(X, Y, printed="kept"),
        lambda: (monk_mmd(X, Y, method="bcd-fast", printed="kept"), monk_mmd(X, Y, printed=None)),
    ),
    "is singular, so it has no Cholesky factor": (
        lambda: monk_mmd(X, Y, Linear(), printed="norm"),
        lambda: (monk_mmd(X, Y, Linear(), printed=None), monk_mmd(X, Y, Gaussian(0.5), printed="norm")),
    ),
    "leaves out the pairs i = j": (
        lambda: mmd2(X, Y, K, "unbiased", FKMSE()),
        lambda: mmd2(X, Y, K, statistic="biased", estimator=FKMSE()),
    ),
    "weights of rows need the kernel itself": (
        lambda: mmd_test(X, Y, K, n_resamples=9, approximation="nystrom", weights_x=np.full(20, 2)),
        lambda: (
            mmd_test(X, Y, K, n_resamples=9, weights_x=np.full(20, 2)),
            mmd_test(X.repeat(2, axis=0), Y, K, n_resamples=9, approximation="nystrom"),
        ),
    ),
    "counts weights as rows": (
        lambda: mmd_test(X, Y, K, n_resamples=9, weights_x=np.full(20, 0.01)),
        lambda: (
            mmd_test(X, Y, K, n_resamples=9, weights_x=np.ones(20)),
            mmd_test(X, Y, K, "biased", n_resamples=9, weights_x=np.full(20, 0.01)),
        ),
    ),
    "counts weights as pairs": (
        lambda: hsic_test(X, Y, K, K, "unbiased", n_resamples=9, weights=np.full(20, 0.01)),
        lambda: (
            hsic_test(X, Y, K, K, "unbiased", n_resamples=9, weights=np.ones(20)),
            hsic_test(X, Y, K, K, "biased", n_resamples=9, weights=np.full(20, 0.01)),
        ),
    ),
    "samples is an array of shape": (lambda: dhsic(X), lambda: dhsic(list(X.T))),
    "for X samples; give one for each": (lambda: dhsic([X, Y], [K]), lambda: dhsic([X, Y], [K, None])),
    "must be a pair (kernel_x, kernel_y), such as": (
        lambda: hsicagg_test(X, Y, [K], n_resamples=9),
        lambda: hsicagg_test(X, Y, [(Gaussian(1.0), Gaussian(2.0))], n_resamples=9),
    ),
    # conditional
    "all rows of Z are equal, so there is nothing": (
        lambda: kci_test(X, Y, np.ones(20)),
        lambda: hsic_test(X, Y, n_resamples=9),
    ),
    "printed=True gives the article's own weights": (
        lambda: bayes_rule(X, Y, MEAN, X[0], K, K, 0.1, 0.1, printed=True, approximation="nystrom"),
        lambda: bayes_rule(X, Y, MEAN, X[0], K, K, 0.1, 0.1, printed=True),
    ),
    "Y holds words, which have no mean": (
        lambda: ConditionalEmbedding(K, Delta(), 0.1).fit([1.0, 2, 3, 4], WORDS).predict([1.0]),
        lambda: ConditionalEmbedding(K, Delta(), 0.1).fit([1.0, 2, 3, 4], WORDS).embed([1.0])(WORDS),
    ),
    "prior must be an Embedding on the space of y": (
        lambda: KernelBayesRule(K, K, 0.1, 0.1).fit(X, Y, Y),
        lambda: KernelBayesRule(K, K, 0.1, 0.1).fit(X, Y, KME(K).embed(Y)),
    ),
    "the prior's kernel is X and that of Y": (
        lambda: KernelBayesRule(K, Gaussian(), 0.1, 0.1).fit(X, Y, KME(K).embed(Y)),
        lambda: KernelBayesRule(K, Gaussian().select(Y), 0.1, 0.1).fit(X, Y, KME(Gaussian().select(Y)).embed(Y)),
    ),
    "weighs the prior's points one by one": (
        lambda: KernelBayesRule(K, K, 0.1, 0.1).fit(X, Y, LAW2.embed(K)),
        lambda: KernelBayesRule(K, K, 0.1, 0.1).fit(X, Y, KME(K).embed(LAW2.sample(20, rng=1))),
    ),
    "weights go with whole kernels": (
        lambda: ConditionalEmbedding(K, K, 0.1, "nystrom", 5).fit(X, Y, weights=np.ones(20)),
        lambda: (
            ConditionalEmbedding(K, K, 0.1).fit(X, Y, weights=np.ones(20)),
            ConditionalEmbedding(K, K, 0.1, "nystrom", 5).fit(X, Y),
        ),
    ),
    "kernels has none for node": (
        lambda: BeliefPropagation([("a", "b")], {"a": None}, 0.1),
        lambda: (BeliefPropagation([("a", "b")], {"a": None, "b": kernel}, 0.1) for kernel in (K, None)),
    ),
    # learning
    "the linear kernel has no scale": (lambda: LevelTwo("linear", 2.0), lambda: LevelTwo("linear", None)),
    "the exponent of the generalized t kernel": (
        lambda: LevelTwo("generalized-t", 3.0),
        lambda: LevelTwo("generalized-t", 2.0),
    ),
    "one bag has no distances": (
        lambda: LevelTwo("gaussian").select([[0.0]]),
        lambda: LevelTwo("gaussian", 1.0).select([[0.0]]),
    ),
    "X is one table; give bags_of": (
        lambda: bag_gram(NUMBERS, K),
        lambda: bag_gram(bags_of(NUMBERS[["a"]], NUMBERS["b"]), K),
    ),
    "is one array of shape X, and a bag is a sample": (
        lambda: bag_gram(X, K),
        lambda: (bag_gram(list(BAGS), K), bag_gram(X[:, None], K), bag_gram(bags_of(X, LABELS), K)),
    ),
    "has a bandwidth to choose, and bags that are distr": (
        lambda: bag_gram([LAW, LAW], Gaussian()),
        lambda: bag_gram([LAW, LAW], Gaussian(1.0)),
    ),
    "grid has centres X to X apart": (
        lambda: MaximumEntropy(K, 0.1).fit(X[:, 0], [0.0, 1.0, 3.0]),
        lambda: MaximumEntropy(K, 0.1).fit(X[:, 0], np.linspace(-5, 5, 201)),
    ),
    "m = X is more than the": (lambda: thin(X, 30, K), lambda: (thin(X, 20, K), thin(X, 30, K, again=True))),
    "m = X is not what halving": (
        lambda: thin(X, 6, K, method="kernel-thinning"),
        lambda: ([thin(X, m, K, method="kernel-thinning") for m in (5, 10)], thin(X, 6, K, method="herding")),
    ),
    "kernel thinning keeps the plain average": (
        lambda: thin(X, 5, K, SKMSE(), method="kernel-thinning"),
        lambda: (thin(X, 5, K, None, method="kernel-thinning"), thin(X, 5, K, SKMSE(), method="herding")),
    ),
    "X does not weigh pairs": (
        lambda: KernelCCA(K, K, lam=1.0, estimator=MKME(sigma=0.1)).fit(X, Y),
        lambda: KernelCCA(K, K, lam=1.0, estimator=RobustKME()).fit(X, Y),
    ),
    "X gives pairs weights below 0": (
        lambda: KernelCCA(K, K, lam=1.0, estimator=SpectralKMSE(filter="tsvd", lam=0.5)).fit(X, Y),
        lambda: KernelCCA(K, K, lam=1.0, estimator=RobustKME()).fit(X, Y),
    ),
    "n_clusters=X is more than": (lambda: KernelKMeans(30, K).fit(X), lambda: KernelKMeans(20, K, rng=0).fit(X)),
    "kernel_k_means.py: X has X, whose": (
        lambda: small("explorer.learning.kernel_k_means.MOST", lambda: KernelKMeans(2, K).fit(X)),
        lambda: small("explorer.learning.kernel_k_means.MOST", lambda: KernelKMeans(2, K).fit(thin(X, 10).points)),
    ),
    "eps=X is out of reach": (
        lambda: MaximumEntropy(K, 1e-12).fit(X[:, 0], np.linspace(-5, 5, 21)),
        lambda: (
            MaximumEntropy(K, 0.1).fit(X[:, 0], np.linspace(-5, 5, 21)),
            MaximumEntropy(K, 1e-2).fit(X[:, 0], np.linspace(-5, 5, 401)),
        ),
    ),
    "n_components=X blobs": (
        lambda: MixtureDensity(K, n_components=30).fit(X),
        lambda: MixtureDensity(K, n_components=20, rng=0, starts=1, iterations=2).fit(X),
    ),
    # adaptation
    "bound=X is below 1 - tolerance": (
        lambda: CovariateShift(K, bound=0.5, tolerance=0.1).fit(X, Y),
        lambda: (CovariateShift(K, 2.0, 0.1).fit(X, Y), CovariateShift(K, 0.5, 0.6).fit(X, Y)),
    ),
    "dica.py: X has X, whose": (
        lambda: small("explorer.adaptation.dica.MOST", lambda: DICA(K).fit(X, LABELS)),
        lambda: small(
            "explorer.adaptation.dica.MOST", lambda: DICA(K).fit(thin(X, 10).points, LABELS[thin(X, 10).rows])
        ),
    ),
    "inputs.py: X has X, whose": (
        lambda: small("explorer.adaptation.inputs.MOST", lambda: CovariateShift(K).fit(X, Y)),
        lambda: small("explorer.adaptation.inputs.MOST", lambda: CovariateShift(K).fit(thin(X, 10).points, Y)),
    ),
    "LocationScaleShift moves points under": (
        lambda: LocationScaleShift(Laplacian()).fit(X, LABELS, Y),
        lambda: LocationScaleShift(Gaussian()).fit(X, LABELS, Y),
    ),
    "samples is one array": (
        lambda: distributional_variance(X),
        lambda: distributional_variance([X[LABELS == d] for d in set(LABELS)]),
    ),
    # operators
    "tensors of order X are no operators": (
        lambda: CovarianceOperator(K, order=3).fit(X).principal(2),
        lambda: CovarianceOperator(K, order=2).fit(X).principal(2),
    ),
    "embeds under X, which is another kernel": (
        lambda: CovarianceOperator(K, centering=KME(K, "features", 10)).fit(X),
        lambda: (
            CovarianceOperator(low_rank(K, X, "features", 10), centering=KME(low_rank(K, X, "features", 10))).fit(X),
            CovarianceOperator(K, centering=KME(K)).fit(X),
        ),
    ),
    "one operator is of order": (
        lambda: CovarianceOperator(Gaussian()).fit(X).distance(CovarianceOperator(Gaussian()).fit(Y[:9])),
        lambda: (
            CovarianceOperator(BOTH).fit(X).distance(CovarianceOperator(BOTH).fit(Y[:9])),
            CovarianceOperator(K, order=3).fit(X).distance(CovarianceOperator(K, order=3).fit(Y)),
        ),
    ),
    "pre_image takes points Z or scores=S": (
        lambda: FITTED.pre_image(X[:2], scores=[[0.1, 0.2]]),
        lambda: (FITTED.pre_image(X[:2]), FITTED.pre_image(scores=[[0.1, 0.2]])),
    ),
    "has no fixed point iteration": (
        lambda: KernelPCA(Laplacian(1.0), 2).fit(X).pre_image(X[:2]),
        lambda: KernelPCA(Laplacian(1.0), 2).fit(X).pre_image(X[:2], method="regression"),
    ),
    "has yet to choose lam": (lambda: SKMSE(K).scale(), lambda: SKMSE(K).select(X).scale()),
    "does not stay of its kind under noise": (
        lambda: widened_kernel(Laplacian(1.0), 0.5),
        lambda: (widened_kernel(Gaussian(1.0), 0.5), widened_kernel(Laplacian(1.0), 0.0)),
    ),
    # whole Gram matrices
    "whole Gram matrix of the pairs": (
        lambda: small(
            "explorer.discrepancy.dependence.centred_grams.LARGE", lambda: hsic_test(X, Y, K, K, "biased", FKMSE())
        ),
        lambda: small(
            "explorer.discrepancy.dependence.centred_grams.LARGE",
            lambda: (
                hsic_test(X, Y, K, K, "biased", estimator=None, n_resamples=9),
                hsic_test(X[:10], Y[:10], K, K, "biased", FKMSE(), 9),
            ),
        ),
    ),
    "whole Gram matrix of the pooled points": (
        lambda: small("explorer.discrepancy.mmd.mean_estimators.LARGE", lambda: mmd2(X, Y, K, "biased", FKMSE())),
        lambda: small(
            "explorer.discrepancy.mmd.mean_estimators.LARGE",
            lambda: (mmd2(X, Y, K, "biased", estimator=None), mmd2(X[:5], Y[:5], K, "biased", FKMSE())),
        ),
    ),
    # plotting
    "has no parameter to choose; plot": (lambda: plot(KME(K), X=X), lambda: plot(KME(K).embed(X))),
    "density.py: X has seen no data yet": (
        lambda: plot(MaximumEntropy(K, 0.3)),
        lambda: plot(MaximumEntropy(K, 0.3).fit(X[:, 0])),
    ),
    "plot needs a sample for": (lambda: plot(SKMSE(K)), lambda: (plot(SKMSE(K), X=X), plot(SKMSE(K).embed(X)))),
    "explore takes an estimator, a kernel or a lab": (
        lambda: explorer.explore("SKMSE"),
        lambda: explorer.explore(SKMSE()),
    ),
    "the array is square and not symmetric": (
        lambda: plot(np.arange(4.0).reshape(2, 2)),
        lambda: plot(np.arange(4.0).reshape(2, 2), x=[1.0, 2.0]),
    ),
    "plot needs points for": (lambda: plot(K), lambda: (plot(K, X=X), plot(K, at=[0.0, 0.0]))),
    "more axes than the picture has places": (
        lambda: plot(many_axes()),
        lambda: plot(eval(re.search(r"as in (.*)\.$", refusal(lambda: plot(many_axes())))[1], {"data": many_axes()})),
    ),
    "plot has no option": (lambda: plot(MEAN, color="red"), lambda: plot(MEAN).opts(title="red")),
    "rng must be a whole number, a numpy Generator": (
        lambda: mmd_test(X, Y, rng="0", n_resamples=9),
        lambda: [mmd_test(X, Y, rng=each, n_resamples=9) for each in (0, None, np.random.default_rng(0))],
    ),
    "factors must be a dict such as": (
        lambda: Product(3),
        lambda: Product({(0, 1): Gaussian(), 2: Delta()}).select(np.column_stack([X, LABELS])),
    ),
    "SpectralKMSE's filter": (
        lambda: SpectralKMSE(filter="landweber", lam=0.1),
        lambda: (SpectralKMSE(filter="landweber"), SpectralKMSE(filter="tikhonov", lam=0.1)),
    ),
    # commands: what serves is asked of what reads its options
    "the port must be a whole number": (lambda: serve.port_of("x"), lambda: serve.port_of("5007")),
    "--prefix must be a path": (lambda: serve.prefix_of("a b"), lambda: serve.prefix_of("/explorer")),
    "--workers must be from": (lambda: serve.workers_of(0), lambda: serve.workers_of(1)),
    "--sessions must be at least 1": (
        lambda: serve.sessions_of(0, 1),
        lambda: (serve.sessions_of(1, 1), serve.sessions_of(None, 1)),
    ),
    "--idle-minutes must be 0": (lambda: serve.idle_of(-1), lambda: (serve.idle_of(0), serve.idle_of(30))),
    "--embed-in must be an origin": (
        lambda: serve.embedding_of(["moodle"]),
        lambda: (serve.embedding_of(["https://moodle.example.org"]), serve.embedding_of(["*"])),
    ),
    "needs --allow-origin NAME": (
        lambda: serve.origins_of("0.0.0.0", 5006, []),
        lambda: serve.origins_of("0.0.0.0", 5006, ["lab.example.org:5006"]),
    ),
    "--allow-origin must be HOST": (
        lambda: serve.origins_of("0.0.0.0", 5006, ["a:b:c"]),
        lambda: (serve.origins_of("0.0.0.0", 5006, [each]) for each in ("lab.example.org", "lab.example.org:5006")),
    ),
    "is not an address of this machine": (
        lambda: serve.listen("203.0.113.1", 0),
        lambda: serve.listen("127.0.0.1", 0).close(),
    ),
}


def refusal(call):
    with pytest.raises((ValueError, TypeError)) as caught:
        call()
    return str(caught.value)


def save_in_folder(thing, name, **options):
    with tempfile.TemporaryDirectory() as place:
        explorer.save(thing, Path(place, name), **options)


def small(limit, call):
    """Return a call that runs with a limit of ten rows."""
    with patch(limit, 10):
        return call()


def many_axes():
    values = np.arange(64.0).reshape([2] * 6)
    return xarray.Dataset({"loss": (list("abcdef"), values)}, {name: [1.0, 2.0] for name in "abcdef"})


BOTH = Gaussian().select(np.concatenate([X, Y[:9]]))
FITTED = KernelPCA(K, 2).fit(X)
SKETCH = Sketch(K, 10).update(X)

# commands by their words: what fails, and each that is accepted
ALONE = ("--kernel", "gaussian")
TEST, TWO, ARMS = ("test",), ("test", "x.csv", "y.csv"), ("test", "arms.csv", "--by", "arm")
SWEEP = ("sweep", "sweep.toml", "--executor", "serial")
EXPORT, HANDOUT = ("export", "shrinkage", "-o", "a.html", "--step", 2), ("handout", NOTEBOOK, "-o", "class", "--labs")
STATE = ("export", "shrinkage", "-o", "out.html")
COMMANDS = {
    "--step is a step of a story": (EXPORT, [(*EXPORT, "--story", "harm")]),
    "--script and --source are options of a widget": (
        (*STATE, "--script", "km.js"),
        [(*STATE, "--widget", "--script", "km.js")],
    ),
    "--script takes the name of a script": (
        (*STATE, "--widget", "--script", "km"),
        [(*STATE, "--widget", "--script", "km.js"), (*STATE, "--widget", "--script", "inline")],
    ),
    "--source takes an address such as": (
        (*STATE, "--widget", "--source", "javascript:alert()"),
        [(*STATE, "--widget", "--source", "https://example.org/shrinkage")],
    ),
    "is a different script, and would be overwritten": (
        (*STATE, "--widget", "--script", "theirs.js"),
        [(*STATE, "--widget", "--script", "ours.js")],
    ),
    "--labs must be an address": ((*HANDOUT, "lab.example.org"), [(*HANDOUT, "http://lab.example.org:5006")]),
    "there is no figure": (("reproduce", "nope"), [("reproduce", "--list")]),
    "--csv and --plot both write to": (
        (*SWEEP, "--csv", "out.html", "--plot", "out.html"),
        [(*SWEEP, "--csv", "out.csv", "--plot", "out.html")],
    ),
    "--json and -o - both go to standard output": (
        (*REPORTED, "--json", "-o", "-"),
        [(*REPORTED, "--json", "-o", "page.html"), (*REPORTED, "--json"), (*REPORTED, "-o", "page.html")],
    ),
    "a widget on standard output": (
        (*STATE, "--widget", "-o", "-"),
        [(*STATE, "--widget", "-o", "-", "--script", "inline")],
    ),
    "--scheduler is for": ((*SWEEP, "--scheduler", "tcp://127.0.0.1:1"), [(*SWEEP, "--csv", "out.csv")]),
    "--width is for a --plot that ends in": (
        (*SWEEP, "--plot", "out.html", "--width", 85),
        [(*SWEEP, "--plot", "out.pdf", "--width", 85)],
    ),
    "is for the picture; name its file too": ((*SWEEP, "--x", "n"), [(*SWEEP, "--x", "n", "--plot", "out.html")]),
    "--kernel and --bandwidth are for columns": (
        (*TEST, "words.csv", "words.csv", "--bandwidth", 2),
        [(*TEST, "words.csv", "words.csv", *FEW)],
    ),
    "--groups names groups of one file": (
        (*TWO, "--groups", "yes", "no"),
        [(*ARMS, "--groups", "yes", "no", *FEW)],
    ),
    "--within names a column of several files": (
        (*ARMS, "--within", "a", *ALONE),
        [(*TEST, "first.csv", "second.csv", "--within", "id", *FEW)],
    ),
    "twice; give groups that differ": (
        (*ARMS, "--groups", "yes", "yes", *ALONE),
        [(*ARMS, "--groups", "yes", "no", *FEW)],
    ),
    "alone; give two groups or more": ((*ARMS, "--groups", "yes"), [(*ARMS, "--groups", "yes", "no", *FEW)]),
    "are too many to compare each with each": (
        (*TEST, "many.csv", "--by", "g", *ALONE),
        [(*TEST, "many.csv", "--by", "g", "--groups", "g00", "g01", *ALONE, *FEW)],
    ),
    "--monk exchanges the files' rows": (
        (*TEST, "first.csv", "second.csv", "--within", "id", "--monk", 5),
        [(*TWO, "--monk", 5, *FEW)],
    ),
    "--monk compares two samples": (
        (*TWO, "few.csv", "--monk", 5),
        [(*TWO, "--monk", 5, *FEW), (*TWO, "few.csv", *FEW)],
    ),
    "--monk compares pairs of rows": (
        (*TEST, "x.csv", "few.csv", "--monk", 5),
        [(*TEST, "few.csv", "few.csv", "--monk", 5, *FEW), (*TEST, "x.csv", "few.csv", *FEW)],
    ),
    "kernel has no bandwidth; leave --bandwidth": (
        (*TWO, "--kernel", "linear", "--bandwidth", 2),
        [(*TWO, "--kernel", "linear", *FEW)],
    ),
    "three samples and more are compared by": (
        (*TWO, "few.csv", "--approximation", "features"),
        [(*TWO, "few.csv", "--approximation", each, *FEW) for each in ("auto", "exact")],
    ),
    "there is one table, and nothing to compare it with; give a second file": (
        ("report", "first.csv"),
        [("report", "first.csv", "second.csv", *FEW), ("report", "arms.csv", "--by", "arm", *FEW)],
    ),
    "or of groups with one; leave --pairs out": (
        ("report", "arms.csv", "--by", "arm", "--pairs", "--given", "a"),
        [("report", "arms.csv", "--by", "arm", "--given", "a", *FEW)],
    ),
    "--pairs compares every pair of all groups": (
        ("report", "arms.csv", "--by", "arm", "--pairs", "--groups", "yes", "no"),
        [("report", "arms.csv", "--by", "arm", "--pairs", *FEW)],
    ),
    "--order takes COLUMN=WORD,WORD": (
        ("report", "arms.csv", "arms.csv", "--order", "arm"),
        [("report", "arms.csv", "arms.csv", "--order", "arm=yes,no", *FEW)],
    ),
    "--order names column X twice": (
        ("report", "arms.csv", "arms.csv", "--order", "arm=yes,no", "--order", "arm=no,yes"),
        [("report", "arms.csv", "arms.csv", "--order", "arm=yes,no", *FEW)],
    ),
    "--by names the groups of one file; give one": (
        ("report", "arms.csv", "arms.csv", "--by", "arm"),
        [("report", "arms.csv", "--by", "arm", *FEW), ("report", "arms.csv", "arms.csv", *FEW)],
    ),
    "of files the first is the reference; put it first": (
        ("report", "first.csv", "second.csv", "--reference", "second.csv"),
        [("report", "second.csv", "first.csv", *FEW)],
    ),
    "--pairs compares every pair of groups of one file": (
        ("report", "first.csv", "second.csv", "--pairs"),
        [("report", "arms.csv", "--by", "arm", "--pairs", *FEW)],
    ),
    "--reference one group with all others; leave one of them out": (
        ("report", "arms.csv", "--by", "arm", "--pairs", "--reference", "yes"),
        [("report", "arms.csv", "--by", "arm", *last, *FEW) for last in (("--pairs",), ("--reference", "yes"))],
    ),
    "the files have too few rows to choose": (
        ("sketch", "one.csv", "-o", "a.npz"),
        [("sketch", "one.csv", "-o", "a.npz", "--bandwidth", 2)],
    ),
    "--like takes the other sketch's": (
        ("sketch", "x.csv", "-o", "a.npz", "--like", "made.npz", "--seed", 1),
        [("sketch", "x.csv", "-o", "a.npz", *last) for last in (("--like", "made.npz"), ("--seed", 1))],
    ),
    "leave --strict out": (
        (*TEST, "units.csv", "units.csv", "--strict", *ALONE),
        [(*TEST, "units.csv", "units.csv", *ALONE, *FEW)],
    ),
    "without --strict it is read so": (
        (*TEST, "units.csv", "units.csv", "--strict"),
        [(*TEST, "units.csv", "units.csv", *FEW)],
    ),
    "--missing value compares empty cells as data": (
        (*TWO, *ALONE, "--missing", "value"),
        [(*TWO, *ALONE, "--missing", each, *FEW) for each in ("drop", "refuse")] + [(*TWO, *FEW)],
    ),
}

# what cannot be followed here, and why
IGNORED = {
    "and folders, are compared by --approximation auto": "of files larger than a test has",
    "--strict is for files of at most": "of files larger than a test has",
    "gives weights that sum to 0": "the second way, weights='free', is the default",
    "this system cannot share a port": "of a system without fork",
    "is taken; stop what listens": "of a port that another process holds",
    "is reserved for the system; choose": "of users who may not open it",
    "--executor dask needs --scheduler": "needs a cluster",
    "--executor dask needs dask": "needs another environment",
    "does not fit in memory; read": "needs a table that does not fit",
    "E k(x, x) is infinite for": "its parentheses are mathematics",
    "as E k(x, x) is infinite there": "its parentheses are mathematics",
    "domains=X is more than the": "the number is its only code",
    "beside names columns that accompany a Gram matrix": "test_datasets_gram.py reads such files",
    "second stop of its slider, and may have": "no preset is so large; test_exports_widget.py lowers the limit",
    "the last line of a card is to be": "of who writes a card of the gallery",
    "a Gram matrix is a square array": "plot sends no other array there",
    "must be a tuple of the functions below": "of authors of labs; every figures.py follows it",
}


def place_of(key):
    """Return the one sentence of the package that contains a key of a table."""
    found = [place for place in sites() if key in place]
    assert len(found) == 1, f"{key!r} is a part of {len(found)} sentences"
    return found[0]


def test_every_refusal_that_names_code_has_a_case():
    known = {place_of(key) for key in (*CASES, *COMMANDS, *IGNORED)}
    assert len(known) == len(CASES) + len(COMMANDS) + len(IGNORED)
    assert [place for place in sites() if place not in known] == []


@pytest.mark.parametrize("key", CASES)
@pytest.mark.filterwarnings("ignore::explorer.checks.ExplorerWarning")
def test_advice_works(key):
    fails, follows = CASES[key]
    said = refusal(fails)
    assert re.search(sites()[place_of(key)], said, re.DOTALL), said
    done = follows()
    if not isinstance(done, str | bytes) and hasattr(done, "__next__"):
        list(done)


SLOW = ("export", "handout")


@pytest.mark.parametrize(
    "key", [pytest.param(key, marks=pytest.mark.thorough) if COMMANDS[key][0][0] in SLOW else key for key in COMMANDS]
)
def test_advice_of_a_command_works(key, folder, monkeypatch):
    monkeypatch.chdir(folder)
    fails, follows = COMMANDS[key]
    said = refusal(lambda: command(*fails))
    assert re.search(sites()[place_of(key)], said, re.DOTALL), said
    for words in follows:
        command(*words)


FRAMES = {
    "words": (lambda: MIXED, "X[['a', 'b']]"),
    "objects": (lambda: OBJECTS, "X[['a', 'b']]"),
    "polars": (lambda: pl.DataFrame({"a": [1, 2, 4], "w": ["x", "y", "z"]}), "X[['a']]"),
    "nullable integers": (lambda: GAPPED.assign(w=list("xyzx")), "X[['a', 'b']]"),
    "numbered columns": (lambda: pd.DataFrame({0: [1.0, 2.0, 4.0], 1: ["x", "y", "z"]}), "X[[0]]"),
    "many columns": (
        lambda: pd.DataFrame({f"a column of numbers {i}": [1.0, 2.0, 4.0] for i in range(40)} | {"w": ["x", "y", "z"]}),
        "X[[each for each in X.columns if each not in ['w']]]",
    ),
}


@pytest.mark.parametrize("name", FRAMES)
def test_columns_that_hold_no_numbers_are_left_out_as_it_says(name):
    """Repeated until nothing is refused: rows with gaps may come next, with their own advice."""
    make, first = FRAMES[name]
    X, advised = make(), []
    while len(advised) < 3:
        try:
            KME().embed(X)
            break
        except (ValueError, TypeError) as error:
            advised.append(re.search(r"as (?:in|by) (.+)\.$", str(error))[1])
            X = eval(advised[-1], {"X": X})
    assert advised[0] == first
    assert len(advised) <= 2


ARRAYS = {
    "a list of texts": [["a", 1], ["b", 2], ["c", 5]],
    "an array of texts": np.array([["a", "1"], ["b", "2"], ["c", "5"]]),
    "objects": np.array([["a", 1], ["b", 2], ["c", 5]], dtype=object),
    "numbers as texts": ["1", "2", "5"],
    "truth values": [True, False, True],
    "truth values among numbers": np.array([True, 2.0, 5.0], dtype=object),
    "days": np.array(["2026-01-01", "2026-01-02", "2026-02-01"], dtype="M8[D]"),
    "spans": [np.timedelta64(1, "D"), np.timedelta64(2, "D"), np.timedelta64(5, "D")],
    "complex numbers": [1 + 2j, 2 + 1j, 0 + 0j],
    "a structured array": STRUCTURED,
    "a set": {1.0, 2.0, 4.0},
    "an iterator": iter([1.0, 2.0, 4.0]),
    "values of a dict": {"a": 1.0, "b": 3.0}.values(),
}
# the code of an advice: it begins with X, numpy or a call, and ends with the sentence or its next clause
EXPRESSION = re.compile(r" ((?:\(?numpy\.|\(?X\b|list\(|sorted\()(?! holds| is of| has).*?)(?:\.$|, or )")


@pytest.mark.parametrize("name", ARRAYS)
def test_arrays_that_hold_no_numbers_become_numbers_as_it_says(name):
    X = ARRAYS[name]
    said = refusal(lambda: KME(K).embed(X))
    made = eval(EXPRESSION.search(said)[1], {"X": X, "numpy": np})
    assert np.isfinite(KME(K).embed(made).points).all()


def test_words_and_gaps_have_an_advice_too():
    for words in (["a", "b"], np.array(["a", "b"], dtype=object), pd.DataFrame({"w": ["a", "b"]})):
        assert "the kernel Delta()" in refusal(lambda words=words: KME(K).embed(words))
        KME(Delta()).embed(words)
    assert re.search(naming("missing", "index (1,)"), refusal(lambda: KME(K).embed(["1", None])))


def test_eigenvalues_below_0_are_set_to_0_as_it_says():
    assert "(U * g.clip(0)) @ U.T of g, U = numpy.linalg.eigh(gram)" in refusal(lambda: Precomputed(INDEFINITE))
    Precomputed(spectrum_at_zero(INDEFINITE))
    D = DISTANCES
    said = refusal(lambda: Precomputed.of_distances(D))
    assert "(U * g.clip(0)) @ U.T of g, U = numpy.linalg.eigh(D[:, :1] + D[:1] - D)" in said
    Precomputed(spectrum_at_zero(D[:, :1] + D[:1] - D))
