"""What is learnt from kernel means: densities that match them, small sets of points that stand for them, clusters.

MixtureDensity fits a mixture of Gaussians whose kernel mean is nearest to an estimate's, and keeps its FitPath;
MaximumEntropy the most even density on a grid whose kernel mean is within ε of it. herd chooses points that stand for
an embedding, thin rows that stand for a sample, both as a Herd. KernelKMeans clusters points by the nearest of several
kernel means.
"""

from .fit_path import FitPath as FitPath
from .herding import Herd as Herd
from .herding import herd as herd
from .herding import thin as thin
from .kernel_k_means import KernelKMeans as KernelKMeans
from .maximum_entropy import MaximumEntropy as MaximumEntropy
from .mixture_density import MixtureDensity as MixtureDensity
