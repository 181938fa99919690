"""Kernel Mean Explorer: see how estimates of a kernel mean behave, and use them.

Everything is an embedding of a signed mixture: a sample's kernel mean, a shrunk one, that of a true distribution. The
packages, top down:

    kernels      the similarity of two points: Gaussian, ARDGaussian, Laplacian, Matern, RationalQuadratic,
                 InverseMultiquadric, Energy, Linear, Polynomial, Exponential, Delta, Subsequence, Precomputed, Product;
                 sums and products of them; Kernel, what a new one gives; low_rank, a kernel of finite rank for many
                 points
    embeddings   Embedding and its geometry; distributions with exact embeddings; outliers; exact risk
    estimators   from a sample to an embedding: KME, SKMSE, FKMSE, SpectralKMSE, MKME, MMKME, MedianOfMeans, RobustKME,
                 BayesianKME; james_stein
    discrepancy  how far apart the distributions of two samples are: mmd2, its tests, witness and power; monk_mmd, which
                 outliers do not ruin; hsic, how far pairs are from independence, and dhsic, three variables and more;
                 ksd, how far a sample is from a model
    changes      rows ordered by time: scan, where they change, once or several times; Monitor, an alarm that may be
                 looked at after every row of a stream
    operators    KernelPCA, CovarianceOperator: how features vary about their mean, by any estimator; CrossCovariance,
                 KernelCCA: the pairs of functions that covary, or correlate, most; KernelFDA, those whose classes lie
                 farthest apart
    conditional  ConditionalEmbedding, the distribution of y given x; sum_rule, chain_rule, bayes_rule, KernelBayesRule,
                 HMMFilter, BeliefPropagation: the rules of probability with embeddings; kci_test and gcm_test, whether
                 x and y are independent given z; conditional_test, whether y given x has changed between two samples;
                 additive_noise, which of two acts on the other
    learning     MixtureDensity and MaximumEntropy, densities by matching kernel means; herd and thin, few points that
                 stand for many, and criticisms of them; mmd_flow, points that flow; KernelKMeans and CLUHSIC, clusters;
                 from bags of points, by bag_gram and LevelTwo: SupportMeasureMachine, OneClassSMM,
                 DistributionRegression
    adaptation   CovariateShift, TargetShift, LocationScaleShift: a source sample made to look like a target sample;
                 DICA, components that several domains share; distributional_variance; counterfactual_mean, the
                 outcome of everybody under a treatment that only some had, and treatment_test, whether it has an effect
    datasets     the papers' data sets, and tables or strings of your own
    sketches     Sketch, the kernel mean of rows that need not fit into memory: kept, added, taken off and compared
    comparison   compare: what differs between two tables, in which columns, how much, and in which batch
    sweeps       a study over a grid of cells, on any executor, into one labelled data set and a store that survives
    thread_limits  threads: how many compute at once
    workbench    what every lab is, without a page: its state, a result made of stages, its stories; a lab as a study
    browser      what a browser is sent: modules of JavaScript, called from Python, and style sheets
    views        what the pictures of labs share
    pages        the page that every lab is built on: `python -m explorer serve`
    labs         one folder a lab: state, result, words, stories, script, figures and page
    plotting     plot: results as HoloViews objects, styled as the labs are; save: a file of one that needs no network;
                 explore: a model's controls beside its picture
    papers       the papers' figures as studies: one cell and one seed in, losses out
"""

from types import ModuleType as _ModuleType

from explorer import startup as _starting  # noqa: F401  # isort: skip; what it says comes before all others load

import sys as _sys

import lazy_loader as _lazy

from explorer.help_text import VERSION as __version__  # noqa: F401
from explorer.help_text import contents as _contents
from explorer.synonyms import attribute as _attribute

# the names of __init__.pyi, each of which comes with its room when it is asked for
_load, _, _NAMES = _lazy.attach_stub(__name__, __file__)
_CHART = __doc__ or ""


def _namespace():
    """All public names with what they stand for, and the rooms."""
    return {**{name: getattr(_sys.modules[__name__], name) for name in _NAMES}, **globals()}


def __dir__():
    """The public names, for tab completion, and what Python asks of a module; the packages are attributes too."""
    asked = [name for name, value in globals().items() if name.startswith("__") and not callable(value)]
    return [*_NAMES, *asked]


def __getattr__(name):
    """A public name or a package that is not loaded yet; for another name the sentence that says what stands for it."""
    return _load(name) if name in _NAMES else _attribute(name, _namespace)


class _FrontDoor(_ModuleType):
    """The package itself, whose help ends with a table of contents, made when it is asked for."""

    @property
    def __doc__(self):  # pyright: ignore[reportIncompatibleVariableOverride]
        return f"{_CHART}\nThe front door:\n\n{_contents(_namespace(), _CHART)}\n"

    @property
    def __all__(self):
        """For `from explorer import *` alone: help would list every name a second time, with all methods."""
        if _sys._getframe(1).f_globals.get("__name__") == "pydoc":
            raise AttributeError("__all__")
        return _NAMES


_sys.modules[__name__].__class__ = _FrontDoor
