"""Embeddings of distributions and samples in a kernel's RKHS, and what can be computed exactly from them.

An Embedding is a signed mixture of Gaussians and point masses under a kernel. Distributions embed themselves. A
GaussianMixture does so directly, StudentT and Pareto by mixtures of Gaussians that match them to many digits, or
exactly by their moments. So the loss of an estimate is `estimate.distance(law.embed(kernel)) ** 2`, with no Monte
Carlo. A distribution knows which moments it has and refuses a kernel that needs more. `contaminate` plants outliers.
`risk` is an estimator's exact expected loss, `variance` that of the plain average, and `oracle_alpha` the share of it
that shrinkage could save.
"""

from .contamination import contaminate as contaminate
from .embedding import Embedding as Embedding
from .law import Law as Law
from .mixture import GaussianMixture as GaussianMixture
from .pareto import Pareto as Pareto
from .risk import oracle_alpha as oracle_alpha
from .risk import risk as risk
from .risk import variance as variance
from .student import StudentT as StudentT
