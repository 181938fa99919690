"""The table of levels: an entry for every public function that answers with a p, an alarm, an interval or breaks."""

from __future__ import annotations

import numpy as np
import pandas as pd
from level_claims import (
    EXACT,
    FEW,
    LEVEL,
    MANY,
    NOTHING,
    Claim,
    arrays,
    chosen,
    entry,
    equal,
    few,
    in_groups,
    independent_given_z,
    moved,
    numbers,
    of_subjects,
    one_each,
    one_to_three,
    ordered,
    paired,
    pairs,
    several,
    treated,
    two,
    with_independent_z,
)
from null_kinds import DANGEROUS, DEPENDENT, KINDS, MISSING, NUMBERS, SIZES, WORDS, Size

import explorer as ex
from explorer import changes, comparison, discrepancy
from explorer.discrepancy import dependence

B = 99  # resamples of `compare`, and of slow functions that return the least of several p
CHEAP = ("continuous", "heavy", "2 values", "5 values", "rare")
SOME_NUMBERS = tuple(kind for kind in DANGEROUS if kind in NUMBERS)

# ---- two samples ----

NO_MISSING = dict(refuses=tuple(MISSING))
AS_NUMBERS = dict(kinds=tuple(NUMBERS))


def mmd(**options):
    return lambda a, b, s: ex.mmd_test(a, b, n_resamples=FEW, rng=s, **options).pvalue


entry("mmd_test", two(mmd()), options={"statistic": "unbiased"}, **NO_MISSING)
entry("mmd_test, biased", two(mmd(statistic="biased")), options={"statistic": "biased"}, **NO_MISSING)
for method, rank in (("auto", None), ("cholesky", 5), ("nystrom", 5), ("features", 20)):
    entry(
        f"mmd_test, {method}",
        two(mmd(approximation=method, rank=rank)) if rank else two(mmd(approximation=method)),
        options={"approximation": method},
        refuses=tuple(WORDS) if method == "features" else (),
        sizes=SIZES[:2],
        dear=method == "features",
    )
entry(
    "mmd_test, FKMSE",
    arrays(two, lambda a, b, s: mmd(statistic="biased", estimator=ex.FKMSE())(a, b, s)),
    kinds=CHEAP,
    sizes=SIZES[:1],
)
entry("mmd_test, SKMSE", arrays(two, mmd(estimator=ex.SKMSE())), kinds=CHEAP, sizes=SIZES[:1])
entry(
    "mmd_test, groups",
    in_groups(lambda a, b, g, s: ex.mmd_test(a, b, n_resamples=FEW, rng=s, groups=g).pvalue),
    **NO_MISSING,
)
entry(
    "mmd_test, paired",
    paired(lambda a, b, s: ex.mmd_test(a, b, n_resamples=FEW, rng=s, groups=np.tile(np.arange(len(a)), 2)).pvalue),
    **NO_MISSING,
)


def weighted(a, b, s):
    rng = np.random.default_rng([s, 1])
    v, w = rng.exponential(size=len(a)), rng.exponential(size=len(b))
    return ex.mmd_test(a, b, statistic="biased", n_resamples=FEW, rng=s, weights_x=v, weights_y=w).pvalue


entry("mmd_test, weights", two(weighted), **NO_MISSING)


def sketch(table, width=1.0):
    return ex.Sketch.of(table, ex.Gaussian(width), 50)


IN_SKETCHES = Claim("in the limit", LEVEL * 1.2, 100)
entry(
    "mmd_test, sketches",
    two(lambda a, b, s: ex.mmd_test(sketch(a), sketch(b), n_resamples=FEW, rng=s).pvalue),
    IN_SKETCHES,
    kinds=SOME_NUMBERS,
    usual=Size(200, 200),
    sizes=(Size(100, 500),),
)
entry("mmdagg_test", two(lambda a, b, s: ex.mmdagg_test(a, b, n_resamples=MANY, rng=s).pvalue), resamples=MANY,
      options={"statistic": "unbiased"}, **NO_MISSING)  # fmt: skip
entry(
    "mmdagg_test, biased, auto",
    two(lambda a, b, s: ex.mmdagg_test(a, b, statistic="biased", approximation="auto", n_resamples=MANY, rng=s).pvalue),
    options={"statistic": "biased", "approximation": "auto"},
    resamples=MANY,
    kinds=(*DANGEROUS, "heavy"),
    sizes=SIZES[:1],
)
entry("mmdfuse_test", two(lambda a, b, s: ex.mmdfuse_test(a, b, n_resamples=FEW, rng=s).pvalue), **NO_MISSING)
EQUAL = (Size(8, 8), Size(200, 200))
for design, called in ((equal, ""), (paired, ", paired")):
    entry(
        f"block_test{called}",
        design(lambda a, b, s: ex.block_test(a, b, size=4, n_resamples=FEW, rng=s).pvalue),
        sizes=EQUAL,
        **NO_MISSING,
    )
    entry(
        f"linear_time{called}",
        design(lambda a, b, s: ex.linear_time(a, b).pvalue),
        sizes=EQUAL,
        resamples=0,
        **NO_MISSING,
    )
entry(
    "compress_test, size",
    two(lambda a, b, s: ex.compress_test(a, b, size=min(len(a), len(b)) // 2, n_resamples=FEW, rng=s).pvalue),
    sizes=SIZES[3:],
    **NO_MISSING,
    dear=True,
)
entry("compress_test", two(lambda a, b, s: ex.compress_test(a, b, n_resamples=FEW, rng=s).pvalue), **NO_MISSING)


def monk(null, method):
    return lambda a, b, s: (
        ex.monk_test(a, b, blocks=5, method=method, null=null, n_resamples=FEW, iterations=10, rng=s).pvalue
    )


for null, method, design in (
    ("flip", "bcd", equal),
    ("flip", "bcd-fast", paired),
    ("pool", "bcd", equal),
    ("flip", "direction", equal),
):
    entry(
        f"monk_test, {null}, {method}{', paired' if design is paired else ''}",
        design(monk(null, method)),
        options={"null": null, "method": method},
        sizes=EQUAL,
        **NO_MISSING,
    )


def flips(a, b, s):
    kernel = ex.Gaussian(1.0)
    D = discrepancy.pair_differences(kernel, a, b)
    return discrepancy.flip_test(D, kernel, 5, "bcd", FEW, iterations=10, rng=s).pvalue


entry("flip_test", arrays(equal, flips), sizes=EQUAL, kinds=SOME_NUMBERS)


def of_several(result):
    return {"p": result.pvalue, "any pair": min(pair.adjusted for pair in result.pairs)}


BOTH = {"p": EXACT, "any pair": EXACT}
entry(
    "several_test",
    several(lambda samples, s: of_several(discrepancy.several_test(samples, n_resamples=FEW, rng=s))),
    BOTH,
    **NO_MISSING,
)
entry(
    "several_test, auto",
    several(
        lambda samples, s: of_several(discrepancy.several_test(samples, n_resamples=FEW, rng=s, approximation="auto"))
    ),
    BOTH,
    options={"approximation": "auto"},
    kinds=DANGEROUS,
    sizes=SIZES[:1],
)
TWO_WIDTHS = [ex.Gaussian(0.1), ex.Gaussian(1.0)]


def of_curve(a, b, s, statistic):
    curve = ex.bandwidth_curve(a, b, [0.1, 1.0, 10.0], statistic, n_resamples=FEW, rng=s)
    return float(curve.pvalue[1])


def of_sweep(a, b, s, statistic):
    swept = discrepancy.bandwidth_sweep(a, b, TWO_WIDTHS, statistic, n_resamples=FEW, rng=s)
    return float(swept.pvalues[1])


for statistic in ("unbiased", "biased"):
    for name, of_one in (("bandwidth_curve", of_curve), ("bandwidth_sweep", of_sweep)):
        entry(
            f"{name}, {statistic}",
            arrays(two, lambda a, b, s, of_one=of_one, statistic=statistic: of_one(a, b, s, statistic)),
            options={"statistic": statistic},
            kinds=SOME_NUMBERS,
            sizes=SIZES[:2],
        )

# ---- dependence ----

ONE_SIDE = dict(sizes=(Size(8, 8), Size(200, 200)))


def hsic(**options):
    return lambda x, y, s: ex.hsic_test(x, y, n_resamples=FEW, rng=s, **options).pvalue


entry("hsic_test", pairs(hsic()), options={"statistic": "biased"}, **ONE_SIDE, **NO_MISSING)
entry("hsic_test, unbiased", pairs(hsic(statistic="unbiased")), options={"statistic": "unbiased"}, **ONE_SIDE,
      **NO_MISSING)  # fmt: skip
for method, rank in (("auto", None), ("cholesky", 3), ("nystrom", 10), ("features", 20)):
    entry(
        f"hsic_test, {method}",
        pairs(hsic(approximation=method, rank=rank) if rank else hsic(approximation=method)),
        options={"approximation": method},
        refuses=tuple(WORDS) if method == "features" else (),
        **ONE_SIDE,
    )
for method, rank, width in (("nystrom", 10, 0.05), ("cholesky", 2, 0.05)):
    narrow = ex.Gaussian(width)
    entry(
        f"hsic_test, {method}, narrow",
        pairs(hsic(kernel_x=narrow, kernel_y=narrow, approximation=method, rank=rank)),
        options={"approximation": method},
        kinds=("correlated", *SOME_NUMBERS),
        sizes=(Size(8, 8),),
    )
entry("hsic_test, groups", in_groups(lambda a, b, g, s: of_pairs_in_groups(a, b, g, s)), sizes=(Size(8, 8),),
      usual=Size(40, 40), **NO_MISSING)  # fmt: skip


def of_pairs_in_groups(x, y, groups, s):
    return ex.hsic_test(x, y, n_resamples=FEW, rng=s, groups=groups[: len(x)]).pvalue


def hsic_weighted(x, y, s):
    w = np.random.default_rng([s, 1]).exponential(size=len(x))
    return ex.hsic_test(x, y, n_resamples=FEW, rng=s, weights=w).pvalue


entry("hsic_test, weights", pairs(hsic_weighted), **ONE_SIDE, **NO_MISSING)
entry("hsic_test, FKMSE", arrays(pairs, hsic(estimator=ex.FKMSE(lam=0.1))), kinds=CHEAP, sizes=())
entry("hsic_test, SKMSE", arrays(pairs, hsic(estimator=ex.SKMSE())), kinds=CHEAP, sizes=())
entry(
    "hsicagg_test",
    pairs(lambda x, y, s: ex.hsicagg_test(x, y, n_resamples=MANY, rng=s).pvalue),
    options={"statistic": "biased"},
    resamples=MANY,
    kinds=("2 values", *DANGEROUS),
    sizes=(Size(8, 8),),
    dear=True,
)
entry(
    "hsicagg_test, unbiased",
    pairs(lambda x, y, s: ex.hsicagg_test(x, y, statistic="unbiased", n_resamples=MANY, rng=s).pvalue),
    options={"statistic": "unbiased"},
    resamples=MANY,
    kinds=("5 values", "rare", "heavy"),
    sizes=(),
    dear=True,
)
GAMMA = Claim("about", 0.08, 10)
entry("hsic_gamma", pairs(lambda x, y, s: dependence.hsic_gamma(x, y).pvalue), GAMMA, resamples=0, **ONE_SIDE,
      **NO_MISSING)  # fmt: skip


def of_dependence(result):
    return {"p": result.pvalue, "gamma": result.gamma.pvalue}


entry(
    "dependence_test",
    pairs(lambda x, y, s: of_dependence(dependence.dependence_test(x, y, n_resamples=FEW, rng=s))),
    {"p": EXACT, "gamma": GAMMA},
    **ONE_SIDE,
    **NO_MISSING,
)
entry(
    "dhsic_test",
    lambda draw, rng, size, s: ex.dhsic_test([draw(rng, size.m) for _ in range(3)], n_resamples=FEW, rng=s).pvalue,
    **ONE_SIDE,
    **NO_MISSING,
)
for test in (dependence.distance_test, dependence.pearson_test):
    entry(
        test.__name__,
        arrays(pairs, lambda x, y, s, test=test: test(x, y, n_resamples=FEW, rng=s).pvalue),
        **ONE_SIDE,
        **AS_NUMBERS,
    )
entry(
    "information_test",
    arrays(pairs, lambda x, y, s: dependence.information_test(x, y, n_resamples=FEW, rng=s).pvalue),
    kinds=("continuous", "heavy", "2 values", "5 values", "rare"),
    usual=Size(30, 30),
    sizes=(Size(8, 8),),
    dear=True,
)


def ranked(draw, rng, size, s):
    """Return four columns, each a draw of the kind, and a target that is independent of them."""
    table = pd.concat([draw(rng, size.m).add_suffix(f"_{j}") for j in range(4)], axis=1)
    target = draw(rng, size.m)
    result = dependence.rank_columns(table, target, n_resamples=FEW, rng=s)
    first = list(result.names).index(table.columns[0])
    return {"any column": float(result.pvalue.min()), "one column": float(result.alone[first])}


entry(
    "rank_columns",
    ranked,
    {"any column": EXACT, "one column": EXACT},
    kinds=tuple(kind for kind in KINDS if kind not in ("20 columns", "100 columns")),
    sizes=(Size(8, 8),),
    refuses=(*MISSING, *WORDS),  # words need the kernel Delta
)

# ---- dependence given others, and directions: no test has its level for all laws ----

SMOOTH = tuple(
    kind for kind in NUMBERS if kind not in ("20 columns", "100 columns")
)  # kinds of z that a regression can follow
for test in (ex.kci_test, ex.gcm_test):
    called = test.__name__

    def conditional(x, y, z, s, test=test):
        return test(x, y, z, n_resamples=FEW, rng=s).pvalue

    entry(f"{called}, given z", independent_given_z(conditional), Claim("about", 0.08, 40), kinds=SMOOTH, **ONE_SIDE)
    entry(f"{called}, given many columns", independent_given_z(conditional), NOTHING, kinds=("20 columns",), sizes=())
    entry(
        f"{called}, beside z",
        arrays(with_independent_z, conditional),
        Claim("about", 0.08, 40),
        kinds=SOME_NUMBERS,
        **ONE_SIDE,
    )


def caused(draw, rng, size, s):
    """y is a smooth function of x and noise: the direction from x to y."""
    x = draw(rng, size.m)
    base = numbers(x)[:, 0]
    base = (base - np.median(base)) / max(base.std(), 1e-12)
    y = np.tanh(2 * base) + 0.3 * rng.normal(size=size.m)
    return ex.additive_noise(base, y, n_resamples=FEW, rng=s).forward.pvalue


POORLY_FITTED = ("heavy", "rare", "zero-inflated")  # a curve through few rows far from the others
entry(
    "additive_noise",
    caused,
    Claim("about", 0.05, 40),
    kinds=tuple(kind for kind in SMOOTH[:15] if kind not in POORLY_FITTED),
    sizes=(Size(200, 200),),
)
entry("additive_noise, poor fit", caused, NOTHING, kinds=POORLY_FITTED, sizes=())

# ---- a sample and its model ----

ONE = ex.GaussianMixture([1.0], [[0.0]], [[1.0]])
MODELS = {
    "continuous": ONE,
    "two humps": ex.GaussianMixture([0.5, 0.5], [[0.0], [5.0]], [[[0.01]], [[0.01]]]),
    "correlated": ex.GaussianMixture([1.0], [[0.0, 0.0]], np.array([[1.0, 0.95], [0.95, 1.0]])),
    "20 columns": ex.GaussianMixture([1.0], [np.zeros(20)], np.eye(20)),
    "heavy": ex.StudentT(1.0, [0.0], [[1.0]]),
}


def model(test):
    """Return a sample of a law that is given: the kind's name is looked up by what it draws."""

    def call(draw, rng, size, s):
        [kind] = [kind for kind in MODELS if KINDS[kind] is draw]
        return test(numbers(draw(rng, size.m)), MODELS[kind], s)

    return call


FITS = dict(kinds=tuple(MODELS), sizes=(Size(8, 8), Size(20, 20), Size(200, 200)))
WILD = Claim("in the limit", 0.06, 20)
for null, claim in (("wild", WILD), ("parametric", EXACT)):
    some = dict(kinds=("continuous", "two humps", "20 columns", "correlated"))
    entry(
        f"ksd_test, {null}",
        model(lambda X, law, s, null=null: ex.ksd_test(X, law, null=null, n_resamples=FEW, rng=s).pvalue),
        claim,
        options={"null": null},
        **(FITS if null == "wild" else some | dict(sizes=(Size(8, 8),))),
    )
    entry(
        f"ksdagg_test, {null}",
        model(lambda X, law, s, null=null: ex.ksdagg_test(X, law, null=null, n_resamples=B, rng=s).pvalue),
        claim,
        options={"null": null},
        resamples=B,
        **(FITS if null == "wild" else dict(kinds=("continuous",), usual=Size(20, 20), sizes=(), dear=True)),
    )
entry("fssd_test", model(lambda X, law, s: ex.fssd_test(X, law, n_resamples=FEW, rng=s).pvalue), WILD, **FITS)

# ---- rows in order ----

IN_ORDER = Size(100, 100)


def of_scan(result):
    return {"p": result.pvalue, "any break": 0.0 if result.breaks else 1.0}


def scanned(**options):
    return lambda X, s: of_scan(ex.scan(X, n_resamples=FEW, rng=s, segments=True, **options))


OF_ROWS = {"p": EXACT, "any break": EXACT}
LONG = dict(usual=IN_ORDER, sizes=(Size(20, 20),))
# blocks are taken for one sample in ten, and for rows with a memory
AUTO = Claim("about", 0.07, 100)
entry("scan", ordered(scanned()), {"p": AUTO, "any break": AUTO}, options={"null": "auto", "approximation": "auto"},
      **LONG, **NO_MISSING)  # fmt: skip
for null in ("shuffle", "permutation"):
    entry(
        f"scan, {null}",
        ordered(scanned(null=null)),
        OF_ROWS,
        options={"null": null},
        kinds=DANGEROUS if null == "shuffle" else CHEAP[:2],
        **LONG,
    )
for method, rank in (("cholesky", 5), ("nystrom", 5), ("features", 20)):
    entry(
        f"scan, shuffle, {method}",
        ordered(scanned(null="shuffle", approximation=method, rank=rank)),
        OF_ROWS,
        options={"approximation": method},
        usual=IN_ORDER,
        sizes=(Size(20, 20),),
        refuses=tuple(WORDS) if method == "features" else (),
    )
SHIFTED = Claim("about", 0.10, 100)
ALONE = tuple(DEPENDENT)
for null in ("shift", "blocks", "auto"):
    entry(
        f"scan, {null}, long",
        ordered(scanned(null=null)),
        {"p": SHIFTED, "any break": SHIFTED},
        options={"null": null},
        kinds=ALONE if null == "auto" else ("5 values", "continuous", *ALONE),
        usual=Size(300, 300),
        sizes=(),
        dear=True,
    )
entry(
    "row_dependence",
    ordered(lambda X, s: ex.row_dependence(X, n_resamples=FEW, rng=s).pvalue),
    sizes=(Size(20, 20),),
    **NO_MISSING,
)


def monitor_alarm(reference, stream, s):
    monitor = ex.Monitor(reference, rng=s).update(stream)
    return 0.0 if monitor.alarm else 1.0


entry(
    "Monitor",
    two(monitor_alarm),
    resamples=0,
    sizes=(*SIZES, Size(60, 1000)),
    examples=("5 values", "heavy", "rare"),
    refuses=(*MISSING, *WORDS),  # words need the kernel Delta
)


def watched_on(draw, rng, size, s):
    """Return a stream that goes on where the reference ends."""
    rows = draw(rng, size.n + size.m)
    return monitor_alarm(rows.iloc[: size.n], rows.iloc[size.n :], s)


entry("Monitor, dependent rows", watched_on, Claim("about", 0.08, 200), resamples=0, kinds=ALONE, usual=Size(200, 500),
      sizes=())  # fmt: skip


def watched_in_sketches(reference, stream, s):
    monitor = ex.Monitor(sketch(reference), rng=s)
    for start in range(0, len(stream), 100):
        monitor.update(sketch(stream.iloc[start : start + 100]))
    return 0.0 if monitor.alarm else 1.0


entry(
    "Monitor, sketches",
    two(watched_in_sketches),
    Claim("in the limit", LEVEL, 100),
    resamples=0,
    usual=Size(500, 1000),
    sizes=(),
    kinds=SOME_NUMBERS,
    dear=True,
)
entry(
    "look_pvalues, one look",
    arrays(two, lambda a, b, s: float(changes.look_pvalues(a, b, len(b) // 2)[-1])),
    Claim("about", 0.07, 40),
    resamples=0,
    sizes=(Size(200, 200), Size(20, 300)),
    kinds=tuple(NUMBERS),
)

# ---- tables ----


def of_comparison(found, level=LEVEL):
    shifts = [column for column in found.columns if column.interval is not None]
    return {
        "p": found.pvalue,
        "any column": min((column.adjusted for column in found.columns), default=1.0),
        "any pair": min((pair.adjusted for pair in found.pairs), default=1.0),
        "far rows": 1.0 if found.far is None else found.far.pvalue,
        "interval": 0.0 if shifts and not shifts[0].interval[0] <= 0 <= shifts[0].interval[1] else 1.0,
    }


OF_TABLES = {"p": EXACT, "any column": EXACT, "any pair": Claim("about", 0.07), "far rows": EXACT, "interval": EXACT}
FAR = Size(200, 200)  # far rows are asked about from 160 rows on
entry(
    "compare",
    two(lambda a, b, s: of_comparison(ex.compare(a, b, n_resamples=B, rng=s))),
    OF_TABLES,
    kinds=tuple(kind for kind in KINDS if kind != "100 columns"),
    sizes=(Size(8, 8), Size(300, 20)),
    examples=("5 values", "mixed", "correlated", "two humps"),
    resamples=B,
    dear=True,
)
entry(
    "compare, many rows",
    two(lambda a, b, s: of_comparison(ex.compare(a, b, n_resamples=B, rng=s))),
    OF_TABLES,
    kinds=tuple(kind for kind in KINDS if kind not in ("100 columns", "20 columns", "60 words")),
    usual=FAR,
    sizes=(Size(20, 300),),
    examples=("5 values", "mixed", "correlated", "two humps"),
    resamples=B,
    dear=True,
)
entry(
    "compare, 100 columns",
    two(lambda a, b, s: {"p": ex.compare(a, b, n_resamples=FEW, rng=s).pvalue}),
    kinds=("100 columns",),
    sizes=(Size(20, 300),),
    dear=True,
)


def within_subjects(a, b, s):
    return of_comparison(ex.compare(a, b, within="subject", n_resamples=B, rng=s))


# pairs are right in the limit; the typical change of values that are skewed need not be 0 if sizes are unequal
WITHIN = dict(
    kinds=(*(kind for kind in DANGEROUS if kind != "20 columns"), "missing"), usual=Size(30, 30), resamples=B, dear=True
)
entry(
    "compare, within",
    of_subjects(one_each)(within_subjects),
    OF_TABLES,
    sizes=(Size(16, 16),),
    **WITHIN,
)
entry(
    "compare, within, unequal",
    of_subjects(one_to_three)(within_subjects),
    OF_TABLES | {"interval": NOTHING},
    sizes=(),
    **WITHIN | {"kinds": ("5 values", "rare", "mixed", "missing")},
)


def batches(draw, rng, size, s):
    found = ex.compare(draw(rng, size.n), [draw(rng, size.m) for _ in range(3)], n_resamples=B, rng=s)
    return {"p": found.pvalue, "any batch": min(batch.adjusted for batch in found.batches)}


def by_groups(draw, rng, size, s):
    table = draw(rng, size.n + 2 * size.m)
    table["arm"] = np.repeat(["a", "b", "c"], [size.n, size.m, size.m])
    return ex.compare(table, by="arm", n_resamples=B, rng=s).pvalue


SEVERAL = dict(kinds=("5 values", "rare", "mixed"), usual=FAR, sizes=(), resamples=B, dear=True)
entry("compare, batches", batches, {"p": EXACT, "any batch": EXACT}, **SEVERAL)
entry("compare, by", by_groups, **SEVERAL)


def each_two_groups(draw, rng, size, s):
    table = draw(rng, size.n + 2 * size.m)
    table["arm"] = np.repeat(["a", "b", "c"], [size.n, size.m, size.m])
    return comparison.compare_groups(table, by="arm", n_resamples=B, rng=s).pvalue


entry("compare_groups", each_two_groups, **SEVERAL | {"usual": Size(30, 30)})
entry(
    "compare, sketches",
    two(lambda a, b, s: ex.compare(sketch(a), sketch(b), n_resamples=FEW, rng=s).pvalue),
    IN_SKETCHES,
    kinds=CHEAP,
    usual=Size(200, 200),
    sizes=(),
    dear=True,
)


for answer, claim, method in (
    # the rows are chosen, so this p only describes
    ("without_influential_rows", NOTHING, lambda found: found.without_influential_rows(3)),
    ("rows_withstood", EXACT, lambda found: found.rows_withstood()),
    ("median_of_means_test", EXACT, lambda found: found.median_of_means_test(3)),
):
    entry(
        f"Comparison.{answer}",
        two(lambda a, b, s, method=method: method(ex.compare(a, b, n_resamples=FEW, rng=s)).pvalue),
        claim,
        kinds=DANGEROUS,
        sizes=(),
        dear=True,
    )

# ---- a treatment ----


def effect(X, y, takes, s):
    return ex.treatment_test(X, y, takes, n_resamples=FEW, rng=s).pvalue


TREATED = Claim("about", 0.08, 20)
entry("treatment_test, coin", arrays(treated, effect), TREATED, kinds=tuple(NUMBERS), sizes=(Size(20, 20), FAR),
      examples=("continuous", "2 values", "rare", "correlated"), refuses=("100 columns",))  # fmt: skip
entry("treatment_test, odds", arrays(chosen, effect), TREATED, kinds=tuple(NUMBERS), sizes=(Size(20, 20), FAR),
      examples=("continuous", "5 values", "correlated"), refuses=("100 columns",))  # fmt: skip


def of_coin(X, y, takes, s):
    return ex.treatment_test(X, y, takes, propensity=0.5, n_resamples=FEW, rng=s).pvalue


def of_group(X, y, takes, s):
    return ex.treatment_test(X, y, takes, groups=np.zeros(len(takes)), n_resamples=FEW, rng=s).pvalue


for known, test in (("propensity", of_coin), ("groups", of_group)):
    entry(f"treatment_test, {known}", treated(test), kinds=("100 columns", *SOME_NUMBERS), sizes=(Size(20, 20),))

# ---- y given x ----


def given_x(x, y, x2, y2, s, **known):
    return ex.conditional_test(x, y, x2, y2, n_resamples=FEW, rng=s, **known).pvalue


def given_odds(x, y, x2, y2, s):
    return given_x(x, y, x2, y2, s, odds=np.exp(np.concatenate([x, x2]) / 2))


def given_what_decides(X, y, takes, s):
    """The kind is that of x, and which sample a row is of follows its first column."""
    if min(takes.sum(), (~takes).sum()) < 2:  # no two samples
        return 1.0
    return given_x(X[~takes], y[~takes], X[takes], y[takes], s)


def tables_given_x(x, y, x2, y2, s):
    return ex.compare(y.assign(age=x), y2.assign(age=x2), given="age", n_resamples=B, rng=s).pvalue


CHANGED = Claim("about", 0.08, 20)
entry("conditional_test", moved(given_x), CHANGED, sizes=(Size(20, 20),), **NO_MISSING)
entry("conditional_test, x of the kind", chosen(given_what_decides), CHANGED, kinds=SMOOTH, sizes=(Size(40, 40), FAR),
      examples=("continuous", "5 values", "correlated"))  # fmt: skip
entry("conditional_test, many columns of x", chosen(given_what_decides), NOTHING, kinds=("20 columns", "100 columns"),
      sizes=(), refuses=("100 columns",))  # fmt: skip
entry("conditional_test, odds", moved(given_odds), sizes=(Size(8, 8),), **NO_MISSING)
entry("conditional_test, few x", few(given_x), sizes=(Size(8, 8),), **NO_MISSING)
GIVEN = dict(kinds=("5 values", "rare", "mixed", "missing"), sizes=(), resamples=B, dear=True)
entry("compare, given", moved(tables_given_x), CHANGED, **GIVEN)
entry("compare, given few x", few(tables_given_x), **GIVEN)
