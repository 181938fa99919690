"""Kernels: values that give Gram matrices.

Gaussian is the default of everything: bounded and characteristic, its bandwidth decides what it sees. Linear sees means,
Polynomial moments, both without bound, so one outlier can move them anywhere. Delta is for categories, Precomputed for a
Gram matrix of your own. A kernel that has `expected` also embeds Gaussians exactly, which gives exact losses.
"""

from .bandwidth import median_bandwidth as median_bandwidth
from .base import Kernel as Kernel
from .discrete import Delta as Delta
from .discrete import Precomputed as Precomputed
from .gaussian import Gaussian as Gaussian
from .polynomial import Linear as Linear
from .polynomial import Polynomial as Polynomial
