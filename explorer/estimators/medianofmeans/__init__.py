"""The median of means: a kernel mean that a minority of outliers cannot move far.

`MedianOfMeans` is the estimator. It splits the sample into `blocks` and takes a median of their means: the geometric
one (`median`), or the one of equation (5) of [lerasle2019monk] (`minmax`), which needs the distance of a `majority` of
blocks along any direction. `bound` has the guarantees of the paper's Theorem 1.
"""

from .bound import blocks_needed as blocks_needed
from .bound import deviation_bound as deviation_bound
from .bound import largest_delta as largest_delta
from .bound import level_of as level_of
from .estimator import MedianOfMeans as MedianOfMeans
