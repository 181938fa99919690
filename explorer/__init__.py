"""Kernel Mean Explorer: see how estimates of a kernel mean behave, and use them.

Everything is an embedding of a signed mixture: a sample's kernel mean, a shrunk one, a true law's. The rooms, top down:

    kernels      what makes two points alike: Gaussian, Laplacian, Energy, Linear, Polynomial, Exponential, Delta, Precomputed
    embeddings   Embedding and its geometry; laws with exact embeddings; outliers; exact risk
    estimators   from a sample to an embedding: KME, SKMSE, FKMSE, SpectralKMSE; james_stein
    datasets     the papers' data sets, and a table of your own
    labs         the state of a page as a model: inputs in, an immutable result out
    views        from a result to a picture
    papers       the papers' figures as studies: one cell and one seed in, losses out
    pages        the chassis of the dashboard, then one file a lab: `python -m explorer serve`
"""

from .datasets import load as load
from .datasets import read_table as read_table
from .embeddings import Embedding as Embedding
from .embeddings import GaussianMixture as GaussianMixture
from .embeddings import Pareto as Pareto
from .embeddings import StudentT as StudentT
from .embeddings import contaminate as contaminate
from .embeddings import oracle_alpha as oracle_alpha
from .embeddings import risk as risk
from .estimators import FKMSE as FKMSE
from .estimators import KME as KME
from .estimators import SKMSE as SKMSE
from .estimators import SpectralKMSE as SpectralKMSE
from .estimators import james_stein as james_stein
from .kernels import Delta as Delta
from .kernels import Energy as Energy
from .kernels import Exponential as Exponential
from .kernels import Gaussian as Gaussian
from .kernels import Laplacian as Laplacian
from .kernels import Linear as Linear
from .kernels import Polynomial as Polynomial
from .kernels import Precomputed as Precomputed
from .kernels import median_bandwidth as median_bandwidth

__version__ = "0.1.0"
