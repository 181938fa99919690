"""The algebra of kernels on one space: k + l, a * k for a > 0, and k * l, which are kernels too.

`KernelSum` is Σ_i a_i k_i, a multiple being a sum of one term, and `KernelProduct` is Π_i k_i, the value at one point
of each factor; `Product` is the other one, over columns. `writing` has what both are made of and how they are written,
`tilted` the Gaussian integrals that products are made of, and `increments` both seen from an origin.
"""

from .products import KernelProduct as KernelProduct
from .products import multiply as multiply
from .sums import KernelSum as KernelSum
from .sums import add as add
