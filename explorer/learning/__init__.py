"""Learning from kernel means: densities that match them, small sets of points that represent them, clusters, bags.

MixtureDensity fits a mixture of Gaussians whose kernel mean is nearest to an estimate's, and keeps its FitPath.
MaximumEntropy is the most even density on a grid whose kernel mean is within ε of it. herd chooses points that
represent an embedding, thin chooses rows that represent a sample, both as a Herd; criticisms finds the rows that they
represent worst, as Criticisms. mmd_flow lets points flow into a sample, or into any embedding. KernelKMeans clusters
points by the nearest of several kernel means, CLUHSIC by the largest HSIC with their labels, whose clusters may lie in
a row or a ring. SupportMeasureMachine, OneClassSMM and DistributionRegression learn from bags: samples, each from its
own distribution. bag_gram and LevelTwo are the kernels between bags.
"""

from .bags import DistributionRegression as DistributionRegression
from .bags import LevelTwo as LevelTwo
from .bags import OneClassSMM as OneClassSMM
from .bags import SupportMeasureMachine as SupportMeasureMachine
from .bags import bag_gram as bag_gram
from .bags import bags_of as bags_of
from .cluhsic import CLUHSIC as CLUHSIC
from .criticisms import Criticisms as Criticisms
from .criticisms import criticisms as criticisms
from .fit_path import FitPath as FitPath
from .flow import mmd_flow as mmd_flow
from .herding import Herd as Herd
from .herding import herd as herd
from .herding import thin as thin
from .kernel_k_means import KernelKMeans as KernelKMeans
from .maximum_entropy import MaximumEntropy as MaximumEntropy
from .mixture_density import MixtureDensity as MixtureDensity
