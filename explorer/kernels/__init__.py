"""Kernels: values that give Gram matrices.

Gaussian is the default of everything. It is bounded and characteristic, and its bandwidth sets the scale of the
differences that it detects; ARDGaussian has one bandwidth for each coordinate. Laplacian is rougher: it detects finer
detail, and shrinkage gains more on it. Matern lies between the two. RationalQuadratic mixes Gaussians of many
bandwidths, so that far points still share something. InverseMultiquadric is that kernel with its height and exponent
free, for tests of a model's fit. Energy has no bandwidth to choose: its distance is the energy distance. Linear detects
differences of means, Polynomial of moments, Exponential of all moments. All three are unbounded, so a single outlier
can move their kernel means arbitrarily far. Delta is for categories, Subsequence for strings, and Precomputed for the
user's Gram matrix. Product is for tables whose columns differ in kind: each group of columns has its own kernel.

Kernels of the same points add and multiply: k + l, 2.0 * k and k * l are a KernelSum and a KernelProduct, which derive
their properties from those of their parts. Kernel is the base class; its docstring lists what a new kernel has to
implement, and check_kernel checks it.

A kernel that has `expected` also embeds Gaussians, which gives exact losses. Only Laplacian under a covariance that is
not diagonal needs quadrature in several dimensions. FOUR and named_kernel have some of the kernels under the short
names of figures and links. `low_rank` replaces a kernel by one of finite rank, so that n points cost O(n r).
"""

from .algebra import KernelProduct as KernelProduct
from .algebra import KernelSum as KernelSum
from .ard import ARDGaussian as ARDGaussian
from .bandwidth import median_and_remark as median_and_remark
from .bandwidth import median_bandwidth as median_bandwidth
from .base import Kernel as Kernel
from .check import CheckReport as CheckReport
from .check import CheckRow as CheckRow
from .check import check_kernel as check_kernel
from .discrete import Delta as Delta
from .discrete import Equality as Equality
from .discrete import Precomputed as Precomputed
from .energy import Energy as Energy
from .exponential import Exponential as Exponential
from .gaussian import Gaussian as Gaussian
from .inverse_multiquadric import InverseMultiquadric as InverseMultiquadric
from .laplacian import Laplacian as Laplacian
from .low_rank import FourierFeatures as FourierFeatures
from .low_rank import Landmarks as Landmarks
from .low_rank import low_rank as low_rank
from .matern import Matern as Matern
from .named import FOUR as FOUR
from .named import named_kernel as named_kernel
from .polynomial import Linear as Linear
from .polynomial import Polynomial as Polynomial
from .product import Product as Product
from .prose import in_prose as in_prose
from .rational_quadratic import RationalQuadratic as RationalQuadratic
from .subsequence import Subsequence as Subsequence
from .subsequence import letter_shares as letter_shares
