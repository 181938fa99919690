"""Estimators of a kernel mean: maps from a sample to an embedding.

KME is the plain average. SKMSE shrinks it by one factor, FKMSE shrinks each eigendirection of the Gram matrix by a
factor of its own. Both choose their λ by leave-one-out scores in closed form. SpectralKMSE takes any filter of the
eigendirections. Every estimator has `embed`, `select` and `loocv`. james_stein is their ancestor, for the mean of one
Gaussian observation, and james_stein_risk is its expected loss. MedianOfMeans and RobustKME are for samples with
outliers: a median of the means of blocks, and an average in which far points weigh less. BayesianKME is a posterior
mean, with a band around its values. MKME and MMKME give every point Gaussian noise and average over it, which smooths
the estimate. The amount of noise is chosen by leave-one-out, too. check_estimator checks an
estimator of the user's.

The parts that estimators are made of: Summary holds everything that SKMSE needs of a sample, Spectrum is the
eigendecomposition that serves every λ of a filter. `filters` has the filters, `paths` and `filtering` have the losses
and scores of an estimator along λ. For the marginalized estimators, marginalized_risks and marginalized_losses are
exact along σ. corrupted and density show what these estimators average over, and Projection and approximations give the
weights that come nearest to them. NoisySample and marginalized_along are for noise of other shapes: `shaped` by a
covariance or by local_shapes (one covariance for each point), or other_noise.
"""

from explorer.linalg import smallest_eigenvalue as smallest_eigenvalue

from .base import Estimator as Estimator
from .bayesian import BayesianKME as BayesianKME
from .check import check_estimator as check_estimator
from .empirical import KME as KME
from .flexible import FKMSE as FKMSE
from .james_stein import james_stein as james_stein
from .james_stein import james_stein_risk as james_stein_risk
from .marginalized import MKME as MKME
from .marginalized import MMKME as MMKME
from .marginalized import NoisySample as NoisySample
from .marginalized import Projection as Projection
from .marginalized import approximations as approximations
from .marginalized import corrupted as corrupted
from .marginalized import density as density
from .marginalized import local_shapes as local_shapes
from .marginalized import marginalized_along as marginalized_along
from .marginalized import marginalized_losses as marginalized_losses
from .marginalized import marginalized_refits as marginalized_refits
from .marginalized import marginalized_risks as marginalized_risks
from .marginalized import other_noise as other_noise
from .marginalized import shaped as shaped
from .medianofmeans import MedianOfMeans as MedianOfMeans
from .robust import RobustKME as RobustKME
from .simple import SKMSE as SKMSE
from .simple import Summary as Summary
from .spectral import SpectralKMSE as SpectralKMSE
from .spectrum import Spectrum as Spectrum


def labelled() -> dict[str, type[Estimator]]:
    """Return the public estimators that have a label, for menus of estimators.

    Returns
    -------
    dict of str to type
        The class of each estimator, by its label.

    Examples
    --------
    >>> from explorer.estimators import labelled
    >>> estimators = labelled()
    >>> estimators["F-KMSE"].__name__, list(estimators)[:3]
    ('FKMSE', ['KME', 'F-KMSE', 'MKME'])
    """
    public = (each for each in globals().values() if isinstance(each, type) and issubclass(each, Estimator))
    return {each.label: each for each in public if each.label}
