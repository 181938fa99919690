"""The algebra of kernels on one space: k + l, a * k for a > 0, and k * l, which are kernels too.

`KernelSum` is Σ_i a_i k_i, where a multiple is a sum of one term. `KernelProduct` is Π_i k_i, the product of the
factors' values at the same points; `Product` is the product over columns. `expressions` has the base class of both and
writes them, `tilted` the Gaussian integrals of products, and `increments` both relative to an origin.
"""

from .products import KernelProduct as KernelProduct
from .products import multiply as multiply
from .sums import KernelSum as KernelSum
from .sums import add as add
