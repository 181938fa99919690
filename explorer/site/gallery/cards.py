"""Cards of the gallery: each has a plot of the library, the question that it belongs to, and the lines that make it.

The value of the last line of a card's code is drawn: `plot(...)`, or a result as a notebook shows it.
"""

from __future__ import annotations

from typing import NamedTuple


class Card(NamedTuple):
    """A plot of the gallery.

    Attributes
    ----------
    question : str
        One of `registry.FAMILIES`.
    title, says : str
        Its title, and a sentence on it.
    names : tuple of str
        The public names whose pages of the reference it links.
    lab : str
        The lab that shows it interactively, or "" if there is none.
    code : str
        The lines that make it.
    """

    question: str
    title: str
    says: str
    names: tuple[str, ...]
    lab: str
    code: str


TWO = """\
rng = np.random.default_rng(0)
X, Y = rng.normal(0.0, 1.0, (60, 1)), rng.normal(0.7, 1.0, (60, 1))
"""
PAIRS = """\
rng = np.random.default_rng(0)
angle = rng.uniform(0.0, 2 * np.pi, 80)
X = np.cos(angle)[:, None] + 0.1 * rng.normal(size=(80, 1))
Y = np.sin(angle)[:, None] + 0.1 * rng.normal(size=(80, 1))
"""
SERIES = """\
rng = np.random.default_rng(0)
X = np.concatenate([rng.normal(0.0, 1.0, (60, 1)), rng.normal(1.5, 1.0, (40, 1))])
"""
LAW = """\
law = GaussianMixture([0.5, 0.5], [[-1.5], [1.5]], [[[1.0]], [[0.3]]])
X = law.sample(40, rng=0)
"""
BAD = """\
rng = np.random.default_rng(0)
X, Y = rng.normal(0.0, 1.0, (110, 1)), rng.normal(0.5, 1.0, (110, 1))
X[:2] = 50.0
"""
DENSITY = LAW.splitlines(keepends=True)[0]


def _lines(last, data, names="", more="", numpy=True):
    """Return the lines that import what they need, make the data, and draw."""
    imports = ["import numpy as np"] if numpy else []
    imports += [f"from explorer import {names}"] if names else []
    imports += [more] if more else []
    return "\n".join([*imports, "", data + last])


def _same(title, says, names, lab, code):
    return Card("same", title, says, names, lab, code)


def _better(title, says, names, lab, code):
    return Card("better", title, says, names, lab, code)


def _wrong(title, says, names, lab, code):
    return Card("wrong", title, says, names, lab, code)


def _mean(title, says, names, lab, code):
    return Card("mean", title, says, names, lab, code)


CARDS = (
    _same(
        "The null distribution of a test",
        "The statistic of permuted samples, the threshold, and the statistic that was observed.",
        ("mmd_test", "TestResult", "plot"),
        "twosample",
        _lines("plot(mmd_test(X, Y, Gaussian(1.0), rng=0))", TWO, "Gaussian, mmd_test, plot"),
    ),
    _same(
        "A test's result in a notebook",
        "The last line of a cell is enough: a sentence, and a small picture of the null distribution.",
        ("mmd_test", "TestResult"),
        "twosample",
        _lines("mmd_test(X, Y, Gaussian(1.0), rng=0)", TWO, "Gaussian, mmd_test"),
    ),
    _same(
        "The witness of two samples",
        "The function whose means differ most: above 0 where X has more mass, below 0 where Y has.",
        ("witness", "plot"),
        "twosample",
        _lines("plot(witness(X, Y, Gaussian(0.6)))", TWO, "Gaussian, plot, witness"),
    ),
    _same(
        "MMD² over the bandwidth",
        "The statistic at every bandwidth with the threshold at each.",
        ("bandwidth_curve", "plot"),
        "twosample",
        _lines("plot(bandwidth_curve(X, Y, rng=0))", TWO, "bandwidth_curve, plot"),
    ),
    _same(
        "The p-value over the bandwidth",
        "The same tests by their p-values. A bandwidth chosen after this look has no level.",
        ("bandwidth_curve", "plot"),
        "twosample",
        _lines('plot(bandwidth_curve(X, Y, rng=0), quantity="p")', TWO, "bandwidth_curve, plot"),
    ),
    _same(
        "A bandwidth curve in a notebook",
        "A small picture of the statistic by bandwidth.",
        ("bandwidth_curve",),
        "twosample",
        _lines("bandwidth_curve(X, Y, rng=0)", TWO, "bandwidth_curve"),
    ),
    _same(
        "How many points would decide",
        "The power of the test against an MMD² of 0.09 over the size of both samples, by its normal approximation.",
        ("mmd_test",),
        "twosample",
        _lines(
            "power_curve(X[:30], Y[:30], Gaussian(1.0), rng=0, truth=0.09)",
            TWO,
            "Gaussian",
            more="from explorer.discrepancy import power_curve",
        ),
    ),
    _same(
        "Whether a test keeps its level",
        "The p-values of repeated tests of equal distributions. They are spread evenly.",
        ("mmd_test",),
        "twosample",
        "import numpy as np\nfrom explorer import Gaussian, mmd_test\nfrom explorer.discrepancy import level_check\n\n"
        "rng = np.random.default_rng(0)\n\n\ndef pvalue(i):\n    X, Y = rng.normal(size=(2, 20, 1))\n"
        "    return mmd_test(X, Y, Gaussian(1.0), n_resamples=99, rng=i).pvalue\n\n\nlevel_check(pvalue, 200)",
    ),
    _same(
        "How fast the MMD converges",
        "The error of the MMD over the size of the samples, with a bound that falls as n^(-1/2).",
        ("mmd2", "mmd2_of_laws"),
        "twosample",
        "from explorer import Gaussian, GaussianMixture\nfrom explorer.discrepancy import mmd_convergence\n\n"
        "P, Q = (GaussianMixture([1.0], [[mean]], [[1.0]]) for mean in (0.0, 1.0))\n"
        "mmd_convergence(P, Q, Gaussian(1.0), rng=0)",
    ),
    _same(
        "Whether a model fits",
        "The kernel Stein discrepancy of a sample to a model whose constant nobody knows, against random signs.",
        ("ksd_test", "plot"),
        "fit",
        "import numpy as np\nfrom explorer import GaussianMixture, ksd_test, plot\n\n"
        "X = np.random.default_rng(0).normal(0.4, 1.0, (80, 1))\n"
        "model = GaussianMixture([1.0], [[0.0]], [[1.0]])\nplot(ksd_test(X, model, rng=0))",
    ),
    _same(
        "A test of independence",
        "HSIC of points on a ring, which no correlation sees, against permuted pairs.",
        ("hsic_test", "plot"),
        "independence",
        _lines("plot(hsic_test(X, Y, Gaussian(0.4), Gaussian(0.4), rng=0))", PAIRS, "Gaussian, hsic_test, plot"),
    ),
    _same(
        "Distance correlation in a notebook",
        "A coefficient between 0 and 1 with the null distribution of its test.",
        ("hsic_test",),
        "independence",
        _lines("distance_test(X, Y, rng=0)", PAIRS, more="from explorer.discrepancy import distance_test"),
    ),
    _same(
        "The power of HSIC over the share of the pairs",
        "How often the test finds the dependence in a part of the pairs.",
        ("hsic_test",),
        "independence",
        _lines(
            "power_by_fraction(X, Y, Gaussian(0.4), Gaussian(0.4), rng=0)",
            PAIRS,
            "Gaussian",
            more="from explorer.discrepancy import power_by_fraction",
        ),
    ),
    _same(
        "HSIC by kernels of low rank",
        "The statistic by the rank, and the part of it that is left out.",
        ("hsic", "low_rank"),
        "independence",
        _lines("hsic_ranks(X, Y)", PAIRS, more="from explorer.discrepancy import hsic_ranks"),
    ),
    _same(
        "The functions that covary most",
        "The singular values of the cross-covariance operator: one for each pair of functions.",
        ("CrossCovariance",),
        "independence",
        _lines("CrossCovariance().fit(X, Y)", PAIRS, "CrossCovariance"),
    ),
    _same(
        "When a series changed",
        "The statistic of every split, the threshold that its maximum exceeds, and the best split.",
        ("scan", "ScanResult", "plot"),
        "drift",
        _lines("plot(scan(X, rng=0))", SERIES, "plot, scan"),
    ),
    _same(
        "A scan in a notebook",
        "A small picture of the profile of the splits.",
        ("scan", "ScanResult"),
        "drift",
        _lines("scan(X, rng=0)", SERIES, "scan"),
    ),
    _same(
        "An alarm that may be looked at after every row",
        "The wealth of a bettor against “nothing has changed”. Twentyfold wealth is the alarm.",
        ("Monitor", "plot"),
        "drift",
        _lines("plot(Monitor(X[:40], rng=0).update(X[40:]))", SERIES, "Monitor, plot"),
    ),
    _same(
        "A monitor in a notebook",
        "A small picture of the wealth, with the row of the alarm.",
        ("Monitor",),
        "drift",
        _lines("Monitor(X[:40], rng=0).update(X[40:])", SERIES, "Monitor"),
    ),
    _same(
        "What differs between two tables",
        "Both samples of a column, in its own units. The comparison has the columns that differ, and by how much.",
        ("compare", "plot"),
        "",
        "import numpy as np\nimport pandas as pd\nfrom explorer import compare, plot\n\n"
        "rng = np.random.default_rng(0)\nbefore, after = (\n"
        '    pd.DataFrame({"age": rng.normal(mean, 10.0, 150), "income": rng.lognormal(0.0, 1.0, 150)})\n'
        "    for mean in (40.0, 45.0)\n)\n"
        'plot(compare(before, after, rng=0), columns=["age"])',
    ),
    _better(
        "A sample and its kernel mean",
        "The average of the bumps at all points. Stems are the weights.",
        ("KME", "Embedding", "plot"),
        "shrinkage",
        _lines("plot(KME(Gaussian(0.6)).embed(X))", LAW, "Gaussian, GaussianMixture, KME, plot"),
    ),
    _better(
        "An embedding in a notebook",
        "The points as stems, whose heights are the weights.",
        ("FKMSE", "Embedding"),
        "shrinkage",
        _lines("FKMSE(Gaussian(0.6), lam=0.05).embed(X)", LAW, "FKMSE, Gaussian, GaussianMixture"),
    ),
    _better(
        "The error of an estimate as a function",
        "A difference of embeddings is an embedding: where the plain average lies too high, and where too low.",
        ("KME", "Embedding", "plot"),
        "shrinkage",
        _lines(
            "kernel = Gaussian(0.6)\nplot(KME(kernel).embed(X) - law.embed(kernel))",
            LAW,
            "Gaussian, GaussianMixture, KME, plot",
        ),
    ),
    _better(
        "S-KMSE by its leave-one-out score",
        "What S-KMSE minimises on this sample, and what it chooses.",
        ("SKMSE", "plot"),
        "shrinkage",
        _lines("plot(SKMSE(Gaussian(0.6)), X=X)", LAW, "Gaussian, GaussianMixture, SKMSE, plot"),
    ),
    _better(
        "The exact squared error over λ",
        "The distance to the true kernel mean, which is known here, and what leave-one-out chooses.",
        ("FKMSE", "plot"),
        "shrinkage",
        _lines("plot(FKMSE(Gaussian(0.6)), X=X, law=law)", LAW, "FKMSE, Gaussian, GaussianMixture, plot"),
    ),
    _better(
        "MKME by its leave-one-out score",
        "Noise on every point, integrated exactly: how much of it the sample chooses.",
        ("MKME", "plot"),
        "marginalized",
        _lines("plot(MKME(Gaussian(0.6)), X=X)", LAW, "Gaussian, GaussianMixture, MKME, plot"),
    ),
    _better(
        "Risks over the sample size",
        "Losses of repeated samples with intervals of 95 %.",
        ("KME", "SKMSE", "plot"),
        "shrinkage",
        _lines(
            "kernel, sizes = Gaussian(0.6), np.array([5, 10, 20, 40, 80])\nmu = law.embed(kernel)\n\n\n"
            "def losses(estimator):\n"
            "    samples = ([law.sample(n, rng=i) for i in range(30)] for n in sizes)\n"
            "    return np.array([[estimator.embed(X).distance(mu) ** 2 for X in each] for each in samples])\n\n\n"
            'plot({"KME": losses(KME(kernel)), "S-KMSE": losses(SKMSE(kernel))}, x=sizes, x_label="n",\n'
            '     y_label="squared error", log_x=True, log_y=True)',
            LAW,
            "Gaussian, GaussianMixture, KME, SKMSE, plot",
        ),
    ),
    _better(
        "A Gram matrix",
        "The kernel of all pairs of a sorted sample.",
        ("Gaussian", "plot"),
        "shrinkage",
        _lines("plot(Gaussian(0.6), X=np.sort(X, axis=0))", LAW, "Gaussian, GaussianMixture, plot"),
    ),
    _better(
        "A kernel as a function",
        "One point becomes the function k(x, ·).",
        ("Laplacian", "plot"),
        "shrinkage",
        "from explorer import Laplacian, plot\n\nplot(Laplacian(1.0), at=0.0)",
    ),
    _wrong(
        "The blocks of MONK",
        "The mean of every block of pairs, and the median block, which no few outliers move.",
        ("monk_mmd", "plot"),
        "monk",
        _lines(
            'plot(monk_mmd(X, Y, Polynomial(2), blocks=11, rng=0), quantity="blocks")',
            BAD,
            "Polynomial, monk_mmd, plot",
        ),
    ),
    _wrong(
        "MONK's estimate by iteration",
        "The value of the median block after each step.",
        ("monk_mmd", "plot"),
        "monk",
        _lines("plot(monk_mmd(X, Y, Polynomial(2), blocks=11, rng=0))", BAD, "Polynomial, monk_mmd, plot"),
    ),
    _wrong(
        "One step of MONK",
        "The block means before the next choice of a witness.",
        ("monk_steps", "plot"),
        "monk",
        _lines("plot(next(monk_steps(X, Y, Polynomial(2), rng=0)))", BAD, "Polynomial, monk_steps, plot"),
    ),
    _wrong(
        "A step in a notebook",
        "A small picture of the block means, with the median marked.",
        ("monk_steps",),
        "monk",
        _lines("next(monk_steps(X, Y, Polynomial(2), rng=0))", BAD, "Polynomial, monk_steps"),
    ),
    _wrong(
        "A robust MMD in a notebook",
        "A small picture of the block means, with the median marked.",
        ("monk_mmd",),
        "monk",
        _lines("monk_mmd(X, Y, Polynomial(2), blocks=11, rng=0)", BAD, "Polynomial, monk_mmd"),
    ),
    _wrong(
        "How many blocks Lepski's method takes",
        "The estimate with its interval by the number of blocks, and the number that was chosen.",
        ("lepski", "plot"),
        "monk",
        _lines("plot(lepski(X, Y, Polynomial(2), rng=0))", BAD, "Polynomial, lepski, plot"),
    ),
    _wrong(
        "Lepski's intervals in a notebook",
        "A small picture of the intervals, with the chosen one marked.",
        ("lepski",),
        "monk",
        _lines("lepski(X, Y, Polynomial(2), rng=0)", BAD, "Polynomial, lepski"),
    ),
    _wrong(
        "Weights that make one sample look like another",
        "The weights of covariate shift, the largest first.",
        ("CovariateShift",),
        "adaptation",
        "import numpy as np\nfrom explorer import CovariateShift\n\nrng = np.random.default_rng(0)\n"
        "source, target = rng.normal(0.0, 1.0, (80, 1)), rng.normal(1.0, 0.6, (80, 1))\n"
        "CovariateShift(bound=10.0).fit(source, target)",
    ),
    _wrong(
        "Weights of labels",
        "If the shares of two classes have changed, these weights correct them.",
        ("TargetShift",),
        "adaptation",
        "import numpy as np\nfrom explorer import TargetShift\n\nrng = np.random.default_rng(0)\n"
        "y, new = rng.integers(0, 2, 80), rng.random(80) < 0.2\n"
        "X, X_new = (rng.normal(2.0 * labels[:, None], 1.0) for labels in (y, new))\n"
        "TargetShift().fit(X, y, X_new)",
    ),
    _wrong(
        "The kernel mean of strings",
        "Weights over reads of DNA, and no axis needed.",
        ("Subsequence", "KME", "plot"),
        "dna",
        'from explorer import KME, Subsequence, plot\n\nreads = ["GATTACA", "GATTTACA", "CATTAGA", "TACATAGA"]\n'
        "plot(KME(Subsequence(length=2)).embed(reads))",
    ),
    _wrong(
        "The kernel mean of categories",
        "Under the kernel that is 1 for equal values the kernel mean is the table of their shares.",
        ("Delta", "KME", "plot"),
        "conditional",
        'from explorer import KME, Delta, plot\n\nplot(KME(Delta()).embed(["red", "red", "blue", "green", "red"]))',
    ),
    _mean(
        "A kernel mean over the plane",
        "The average of the bumps of points in two dimensions.",
        ("KME", "GaussianMixture", "plot"),
        "density",
        "from explorer import Gaussian, GaussianMixture, KME, plot\n\n"
        "law = GaussianMixture([0.6, 0.4], [[-1.0, 0.0], [1.5, 1.0]], [[[0.5, 0.0], [0.0, 0.8]],"
        " [[0.5, 0.0], [0.0, 0.3]]])\n"
        "plot(KME(Gaussian(0.7)).embed(law.sample(60, rng=0)))",
    ),
    _mean(
        "A kernel mean beyond two dimensions",
        "In more than two dimensions the weights are drawn in their order.",
        ("SKMSE", "plot"),
        "shrinkage",
        "import numpy as np\nfrom explorer import FKMSE, Gaussian, plot\n\n"
        "X = np.random.default_rng(0).normal(size=(40, 5))\nplot(FKMSE(Gaussian(2.0), lam=0.1).embed(X))",
    ),
    _mean(
        "A distribution",
        "The density of a mixture of Gaussians, whose kernel mean is known exactly.",
        ("GaussianMixture", "plot"),
        "density",
        _lines("plot(law)", DENSITY, "GaussianMixture, plot", numpy=False),
    ),
    _mean(
        "A distribution over the plane",
        "The density of a mixture in two dimensions.",
        ("GaussianMixture", "plot"),
        "density",
        "from explorer import GaussianMixture, plot\n\n"
        "plot(GaussianMixture([0.6, 0.4], [[-1.0, 0.0], [1.5, 1.0]], [[[0.5, 0.0], [0.0, 0.8]],"
        " [[0.5, 0.0], [0.0, 0.3]]]))",
    ),
    _mean(
        "A mixture in a notebook",
        "One standard deviation about each mean; a larger weight is more opaque.",
        ("GaussianMixture",),
        "density",
        "from explorer import GaussianMixture\n\n"
        "GaussianMixture([0.6, 0.4], [[-1.0, 0.0], [1.5, 1.0]], [[[0.5, 0.0], [0.0, 0.8]],"
        " [[0.5, 0.0], [0.0, 0.3]]])",
    ),
    _mean(
        "A density from a kernel mean",
        "The mixture whose kernel mean is nearest to that of the sample.",
        ("MixtureDensity", "plot"),
        "density",
        _lines(
            "plot(MixtureDensity(Gaussian(0.6), n_components=3, rng=0).fit(X))",
            LAW,
            "Gaussian, GaussianMixture, MixtureDensity, plot",
        ),
    ),
    _mean(
        "The fit of a density",
        "The squared distance of the two kernel means, step by step.",
        ("MixtureDensity", "plot"),
        "density",
        _lines(
            "plot(MixtureDensity(Gaussian(0.6), n_components=3, rng=0).fit(X), history=True)",
            LAW,
            "Gaussian, GaussianMixture, MixtureDensity, plot",
        ),
    ),
    _mean(
        "The most even density",
        "Of all densities whose kernel mean lies within ε of the sample's, the one of largest entropy.",
        ("MaximumEntropy", "plot"),
        "density",
        _lines(
            "plot(MaximumEntropy(Gaussian(0.6), eps=0.05).fit(X))",
            LAW,
            "Gaussian, GaussianMixture, MaximumEntropy, plot",
        ),
    ),
    _mean(
        "The most even density in a notebook",
        "A small picture of the density.",
        ("MaximumEntropy",),
        "density",
        _lines("MaximumEntropy(Gaussian(0.6), eps=0.05).fit(X)", LAW, "Gaussian, GaussianMixture, MaximumEntropy"),
    ),
    _mean(
        "y given x",
        "A conditional embedding at one x is an embedding of y.",
        ("ConditionalEmbedding", "plot"),
        "conditional",
        "import numpy as np\nfrom explorer import ConditionalEmbedding, Gaussian, plot\n\n"
        "rng = np.random.default_rng(0)\nx = rng.uniform(-2.0, 2.0, (80, 1))\n"
        "y = x**2 + 0.3 * rng.normal(size=(80, 1))\n"
        "plot(ConditionalEmbedding(Gaussian(0.4), Gaussian(0.5)).fit(x, y).embed([1.0]))",
    ),
    _mean(
        "The spectrum of kernel PCA",
        "How much of the features' variance each component explains.",
        ("KernelPCA",),
        "kernel_pca",
        "import numpy as np\nfrom explorer import Gaussian, KernelPCA\n\n"
        "angle = np.random.default_rng(0).uniform(0.0, 2 * np.pi, 80)\n"
        "KernelPCA(Gaussian(0.7), n_components=10).fit(np.column_stack([np.cos(angle), np.sin(angle)]))",
    ),
    _mean(
        "The components that part classes",
        "How far apart the classes lie along each discriminant.",
        ("KernelFDA",),
        "kernel_pca",
        "import numpy as np\nfrom explorer import Gaussian, KernelFDA\n\n"
        "rng = np.random.default_rng(0)\ny = rng.integers(0, 3, 90)\n"
        "KernelFDA(Gaussian(1.0)).fit(rng.normal(2.0 * y[:, None], 1.0, (90, 2)), y)",
    ),
    _mean(
        "Few points that stand for many",
        "The distance to the kernel mean by the number of points that herding has chosen.",
        ("herd", "thin", "plot"),
        "few",
        _lines(
            "plot(herd(KME(Gaussian(0.6)).embed(law.sample(200, rng=0)), 30, rng=0))",
            LAW,
            "Gaussian, GaussianMixture, KME, herd, plot",
        ),
    ),
    _mean(
        "A sweep along one setting",
        "A study over a grid with replicates: means with intervals of 95 %.",
        ("sweep", "plot"),
        "sweep",
        "from explorer import Gaussian, GaussianMixture, SKMSE, plot, sweep\nfrom explorer.sweeps import InProcess\n\n"
        "law = GaussianMixture([1.0], [[0.0]], [[1.0]])\n\n\ndef study(n, bandwidth, seed):\n"
        "    kernel = Gaussian(bandwidth)\n    estimate = SKMSE(kernel).embed(law.sample(n, rng=seed))\n"
        '    return {"squared error": estimate.distance(law.embed(kernel)) ** 2}\n\n\n'
        'axes = {"n": [5, 10, 20, 40], "bandwidth": [0.3, 1.0, 3.0]}\n'
        "data = sweep(study, axes, replicates=20, executor=InProcess(), progress=False)\n"
        'plot(data, value="squared error", x="n", by="bandwidth")',
    ),
    _mean(
        "A sweep over two settings",
        "The mean of every cell of a grid, from dark to light; the least and the largest are written out.",
        ("sweep", "plot"),
        "sweep",
        "import numpy as np\nfrom explorer import Gaussian, GaussianMixture, SKMSE, plot, sweep\n"
        "from explorer.sweeps import InProcess\n\n"
        "law = GaussianMixture([1.0], [[0.0]], [[1.0]])\n\n\ndef study(n, bandwidth, seed):\n"
        "    kernel = Gaussian(bandwidth)\n    estimate = SKMSE(kernel).embed(law.sample(n, rng=seed))\n"
        '    return {"squared error": estimate.distance(law.embed(kernel)) ** 2}\n\n\n'
        'axes = {"n": np.arange(4, 40, 4), "bandwidth": np.geomspace(0.1, 10.0, 9)}\n'
        "data = sweep(study, axes, replicates=8, executor=InProcess(), progress=False)\n"
        'plot(data, value="squared error", x="n")',
    ),
)
