"""Embeddings of laws and samples in a kernel's RKHS, and what can be computed of them exactly.

An Embedding is a signed mixture of Gaussians and point masses seen through a kernel; a GaussianMixture embeds itself exactly,
so the loss of an estimate is `estimate.distance(law.embed(kernel)) ** 2`, with no Monte Carlo. `contaminate` plants outliers.
"""

from .contamination import contaminate as contaminate
from .embedding import Embedding as Embedding
from .mixture import GaussianMixture as GaussianMixture
from .risk import oracle_alpha as oracle_alpha
from .risk import risk as risk
