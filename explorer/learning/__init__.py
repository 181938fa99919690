"""What is learnt from kernel means: densities that match them, small sets of points that stand for them, clusters.

MixtureDensity fits a mixture of Gaussians whose kernel mean is nearest to an estimate's, MaximumEntropy the most even
density on a grid whose kernel mean is within ε of it.
"""

from .fit_path import FitPath as FitPath
from .maximum_entropy import MaximumEntropy as MaximumEntropy
from .mixture_density import MixtureDensity as MixtureDensity
