"""The median of means: a kernel mean that a minority of outliers cannot move far.

`MedianOfMeans` is the estimator. It splits the sample into `blocks` and takes a median of their means: the geometric
one (`median`), or the one of paper 004's equation (5) (`minmax`), which asks how far a `majority` of blocks lies along
any direction. `bound` has what the paper's Theorem 1 promises of it.
"""

from .bound import blocks_needed as blocks_needed
from .bound import deviation_bound as deviation_bound
from .bound import largest_delta as largest_delta
from .bound import level_of as level_of
from .estimator import MedianOfMeans as MedianOfMeans
