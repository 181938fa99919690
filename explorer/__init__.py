"""Kernel Mean Explorer: see how estimates of a kernel mean behave, and use them.

Everything is an embedding of a signed mixture: the kernel mean of a sample, its shrunk estimate, or the embedding of a
true distribution. The packages, from the mathematics to the pages:

    kernels      similarity of two points: Gaussian, ARDGaussian, Laplacian, Matern, RationalQuadratic,
                 InverseMultiquadric, Energy, Linear, Polynomial, Exponential, Delta, Subsequence, Precomputed, Product;
                 their sums and products; Kernel, the base class of new ones, and check_kernel; low_rank, a kernel of
                 finite rank for many points
    embeddings   Embedding and its geometry; distributions with exact embeddings; outliers; exact risk
    estimators   from a sample to an embedding: KME, SKMSE, FKMSE, SpectralKMSE, MKME, MMKME, MedianOfMeans, RobustKME,
                 BayesianKME; james_stein; check_estimator, for new ones
    discrepancy  distance of the distributions of two samples: mmd2, its tests, witness and power; monk_mmd, which is
                 robust to outliers; hsic and dhsic, dependence of two and of more variables; ksd, the discrepancy of a
                 sample from a model
    changes      rows ordered by time: scan, which finds one or several changes; Monitor, an alarm that may be read
                 after every row of a stream
    operators    KernelPCA, CovarianceOperator: variation of features about their mean, by any estimator;
                 CrossCovariance, KernelCCA: the pairs of functions with the largest covariance or correlation;
                 KernelFDA, the functions that separate classes best
    conditional  ConditionalEmbedding, the distribution of y given x; sum_rule, chain_rule, bayes_rule, KernelBayesRule,
                 HMMFilter, BeliefPropagation: the rules of probability for embeddings; kci_test and gcm_test, tests of
                 conditional independence given z; conditional_test, whether y given x differs between two samples;
                 additive_noise, the causal direction of a pair
    learning     MixtureDensity and MaximumEntropy, densities by matching kernel means; herd and thin, which choose few
                 points to represent many, and criticisms of them; mmd_flow, points that flow to a target; KernelKMeans
                 and CLUHSIC, clusters; for bags of points, by bag_gram and LevelTwo: SupportMeasureMachine,
                 OneClassSMM, DistributionRegression
    adaptation   CovariateShift, TargetShift, LocationScaleShift: a source sample matched to a target sample; DICA,
                 components that several domains share; distributional_variance; counterfactual_mean, the outcome of the
                 whole population under a treatment that only some received, and treatment_test, whether it has an
                 effect
    datasets     the papers' data sets, and tables or strings of the user
    sketches     Sketch, the kernel mean of rows that need not fit into memory: stored, added, subtracted and compared
    comparison   compare: the differences between two tables, by column and batch, with their sizes
    sweeps       a study over a grid of cells, on any executor, with one labelled data set as result and a durable store
    thread_limits  threads: the number of threads that compute at the same time
    workbench    the parts of a lab that need no page: its state, its result in stages, its stories; a lab as a study
    browser      JavaScript modules, called from Python, and style sheets for the browser
    views        the parts that the pictures of all labs share
    pages        the page that every lab is built on: `python -m explorer serve`
    labs         one folder per lab: state, result, texts, stories, script, figures and page
    plotting     plot: results as HoloViews objects in the style of the labs; save: a picture as a file that needs no
                 network
    exploration  explore: a model's controls next to its picture
    papers       the papers' figures as studies: one cell and one seed in, losses out
    marks        pictures as data: marks, axes and colours, without anything that draws
    svg          the same pictures as stand-alone SVG
    exports      files that need no server and no network: a lab's state as HTML, films, PDF
    site         essays, gallery, reference, lessons and labs as files for any static host
    models       the user's kernels and estimators, from the folders in the variable EXPLORER_MODELS
    languages    translations of the pages
    citations    the papers behind each public name, as BibTeX
    commands     the command line: one module per command
"""

from types import ModuleType as _ModuleType

from explorer import startup as _starting  # noqa: F401  # isort: skip; it prints before the other imports, which take seconds

import sys as _sys

import lazy_loader as _lazy

from explorer.frames import DEFINED_ABOVE as _DEFINED_ABOVE
from explorer.public_names.help_text import VERSION as __version__  # noqa: F401
from explorer.public_names.help_text import contents as _contents
from explorer.public_names.synonyms import attribute as _attribute

_DEFINED_ABOVE["mixed"] = "explorer.datasets.mixed_frames:mixed"
_DEFINED_ABOVE["in_time"] = "explorer.datasets.ordering:in_time"
# The public names of __init__.pyi. Each is imported with its package on first use.
_load, _, _NAMES = _lazy.attach_stub(__name__, __file__)
_CHART = __doc__ or ""


def _namespace():
    """Return all public names with their objects, and the packages."""
    return {**{name: getattr(_sys.modules[__name__], name) for name in _NAMES}, **globals()}


def __dir__():
    """Return the public names and a module's special attributes, for tab completion. Packages are attributes, too."""
    asked = [name for name, value in globals().items() if name.startswith("__") and not callable(value)]
    return [*_NAMES, *asked]


def __getattr__(name):
    """Import a public name or a package on first use; for any other name raise an error with the alternative."""
    return _load(name) if name in _NAMES else _attribute(name, _namespace)


class _PublicModule(_ModuleType):
    """Class of the package itself: its docstring ends with a table of contents, made on access."""

    @property
    def __doc__(self):  # pyright: ignore[reportIncompatibleVariableOverride]
        """The chart of the packages and a table of all public names."""
        return f"{_CHART}\nThe public names:\n\n{_contents(_namespace(), _CHART)}\n"

    @property
    def __all__(self):
        """The names for `from explorer import *`; hidden from `help`, which would list each with all methods again."""
        if _sys._getframe(1).f_globals.get("__name__") == "pydoc":
            raise AttributeError("__all__")
        return _NAMES


_sys.modules[__name__].__class__ = _PublicModule
