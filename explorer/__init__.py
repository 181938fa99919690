"""Kernel Mean Explorer: see how estimates of a kernel mean behave, and use them.

Everything is an embedding of a signed mixture: a sample's kernel mean, a shrunk one, that of a true distribution. The
packages, top down:

    kernels      the similarity of two points: Gaussian, ARDGaussian, Laplacian, Matern, RationalQuadratic, Energy,
                 Linear, Polynomial, Exponential, Delta, Subsequence, Precomputed, Product; sums and products of them;
                 Kernel, what a new one gives; low_rank, a kernel of finite rank for many points
    embeddings   Embedding and its geometry; distributions with exact embeddings; outliers; exact risk
    estimators   from a sample to an embedding: KME, SKMSE, FKMSE, SpectralKMSE, MKME, MMKME, MedianOfMeans, RobustKME;
                 james_stein
    discrepancy  how far apart the distributions of two samples are: mmd2, its tests, witness and power; monk_mmd, which
                 outliers do not ruin; hsic, how far pairs are from independence
    operators    KernelPCA, CovarianceOperator: how features vary about their mean, by any estimator; CrossCovariance,
                 KernelCCA: the pairs of functions that covary, or correlate, most
    conditional  ConditionalEmbedding, the distribution of y given x; sum_rule, chain_rule, bayes_rule, KernelBayesRule,
                 HMMFilter, BeliefPropagation: the rules of probability with embeddings
    learning     MixtureDensity and MaximumEntropy, densities by matching kernel means; herd and thin, few points that
                 stand for many; KernelKMeans; from bags of points, by bag_gram and LevelTwo: SupportMeasureMachine,
                 OneClassSMM, DistributionRegression
    adaptation   CovariateShift, TargetShift, LocationScaleShift: a source sample made to look like a target sample;
                 DICA, components that several domains share; distributional_variance
    datasets     the papers' data sets, and tables or strings of your own
    sweeps       a study over a grid of cells, on any executor, into one labelled data set and a store that survives
    workbench    what every lab is, without a page: its state, a result made of stages, its stories; a lab as a study
    views        what the pictures of labs share
    pages        the page that every lab is built on: `python -m explorer serve`
    labs         one folder a lab: state, result, words, stories, script, figures and page
    plotting     plot: results as HoloViews objects, styled as the labs are; save: a file of one that needs no network;
                 explore: a model's controls beside its picture
    papers       the papers' figures as studies: one cell and one seed in, losses out
"""

from explorer import starting as _starting  # noqa: F401  # isort: skip; what it says comes before all others load
from typing import TYPE_CHECKING

from explorer.contents import VERSION as _VERSION
from explorer.contents import contents as _contents
from explorer.contents import public as _public
from explorer.elsewhere import attribute as _attribute

from .adaptation import DICA as DICA
from .adaptation import CovariateShift as CovariateShift
from .adaptation import LocationScaleShift as LocationScaleShift
from .adaptation import TargetShift as TargetShift
from .adaptation import distributional_variance as distributional_variance
from .conditional import BeliefPropagation as BeliefPropagation
from .conditional import ConditionalEmbedding as ConditionalEmbedding
from .conditional import HMMFilter as HMMFilter
from .conditional import KernelBayesRule as KernelBayesRule
from .conditional import bayes_rule as bayes_rule
from .conditional import chain_rule as chain_rule
from .conditional import sum_rule as sum_rule
from .datasets import load as load
from .datasets import read_strings as read_strings
from .datasets import read_table as read_table
from .datasets import read_tables as read_tables
from .discrepancy import TestResult as TestResult
from .discrepancy import bandwidth_collection as bandwidth_collection
from .discrepancy import bandwidth_curve as bandwidth_curve
from .discrepancy import block_test as block_test
from .discrepancy import hsic as hsic
from .discrepancy import hsic_test as hsic_test
from .discrepancy import lepski as lepski
from .discrepancy import linear_time as linear_time
from .discrepancy import mmd2 as mmd2
from .discrepancy import mmd2_of_laws as mmd2_of_laws
from .discrepancy import mmd_test as mmd_test
from .discrepancy import mmdagg_test as mmdagg_test
from .discrepancy import mmdfuse_test as mmdfuse_test
from .discrepancy import monk_mmd as monk_mmd
from .discrepancy import monk_steps as monk_steps
from .discrepancy import monk_test as monk_test
from .discrepancy import witness as witness
from .embeddings import Embedding as Embedding
from .embeddings import GaussianMixture as GaussianMixture
from .embeddings import Pareto as Pareto
from .embeddings import StudentT as StudentT
from .embeddings import contaminate as contaminate
from .embeddings import oracle_alpha as oracle_alpha
from .embeddings import risk as risk
from .estimators import FKMSE as FKMSE
from .estimators import KME as KME
from .estimators import MKME as MKME
from .estimators import MMKME as MMKME
from .estimators import SKMSE as SKMSE
from .estimators import Estimator as Estimator
from .estimators import MedianOfMeans as MedianOfMeans
from .estimators import RobustKME as RobustKME
from .estimators import SpectralKMSE as SpectralKMSE
from .estimators import james_stein as james_stein
from .estimators import james_stein_risk as james_stein_risk
from .kernels import ARDGaussian as ARDGaussian
from .kernels import Delta as Delta
from .kernels import Energy as Energy
from .kernels import Exponential as Exponential
from .kernels import FourierFeatures as FourierFeatures
from .kernels import Gaussian as Gaussian
from .kernels import Kernel as Kernel
from .kernels import Landmarks as Landmarks
from .kernels import Laplacian as Laplacian
from .kernels import Linear as Linear
from .kernels import Matern as Matern
from .kernels import Polynomial as Polynomial
from .kernels import Precomputed as Precomputed
from .kernels import Product as Product
from .kernels import RationalQuadratic as RationalQuadratic
from .kernels import Subsequence as Subsequence
from .kernels import low_rank as low_rank
from .kernels import median_bandwidth as median_bandwidth
from .learning import DistributionRegression as DistributionRegression
from .learning import KernelKMeans as KernelKMeans
from .learning import LevelTwo as LevelTwo
from .learning import MaximumEntropy as MaximumEntropy
from .learning import MixtureDensity as MixtureDensity
from .learning import OneClassSMM as OneClassSMM
from .learning import SupportMeasureMachine as SupportMeasureMachine
from .learning import bag_gram as bag_gram
from .learning import bags_of as bags_of
from .learning import herd as herd
from .learning import thin as thin
from .operators import CovarianceOperator as CovarianceOperator
from .operators import CrossCovariance as CrossCovariance
from .operators import KernelCCA as KernelCCA
from .operators import KernelPCA as KernelPCA
from .plotting import explore as explore
from .plotting import plot as plot
from .plotting import save as save
from .sweeps import sweep as sweep

__version__ = _VERSION
__doc__ = f"{__doc__ or ''}\nThe front door:\n\n{_contents(globals())}\n"


def __dir__():
    """The public names, for tab completion, and what Python asks of a module; the packages are attributes too."""
    asked = [name for name, value in globals().items() if name.startswith("__") and not callable(value)]
    return [*(name for name, _ in _public(globals())), *asked]


if not TYPE_CHECKING:  # a type checker would take every name for one of ours

    def __getattr__(name):
        """A package that is not loaded yet; for another name the sentence that says what stands for it here."""
        return _attribute(name, globals())
