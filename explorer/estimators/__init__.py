"""Estimators of a kernel mean: maps from a sample to an embedding.

KME is the plain average. SKMSE shrinks all of it by one factor, FKMSE each eigendirection of the Gram matrix by its
own; both choose their λ by leave-one-out scores in closed form. SpectralKMSE takes any filter of the eigendirections.
Every estimator has `embed`, `select` and `loocv`. james_stein is their ancestor, for the mean of one Gaussian
observation, and james_stein_risk what that one loses. MedianOfMeans and RobustKME are for samples with outliers: a
median of the means of blocks, and an average in which far points weigh less. MKME and MMKME give every point Gaussian
noise and average over it, which smooths the estimate; how much is chosen by leave-one-out too.
"""

from .base import Estimator as Estimator
from .empirical import KME as KME
from .flexible import FKMSE as FKMSE
from .james_stein import james_stein as james_stein
from .james_stein import james_stein_risk as james_stein_risk
from .marginalized import MKME as MKME
from .marginalized import MMKME as MMKME
from .medianofmeans import MedianOfMeans as MedianOfMeans
from .robust import RobustKME as RobustKME
from .simple import SKMSE as SKMSE
from .spectral import SpectralKMSE as SpectralKMSE
