"""Kernels of finite rank, k̂(x, y) = <φ(x), φ(y)> of r features φ: they replace a kernel, and n points cost O(n r).

Landmarks are the projection on the span of some points, FourierFeatures an average over random waves; `low_rank`
chooses either on a sample.
"""

from .construction import RANK as RANK
from .construction import low_rank as low_rank
from .construction import order_of_values as order_of_values
from .construction import some_points as some_points
from .construction import some_rows as some_rows
from .fields import Approximation as Approximation
from .fields import approximation_field as approximation_field
from .fields import rank_field as rank_field
from .fields import refuse_rank_alone as refuse_rank_alone
from .fields import refuse_unknown as refuse_unknown
from .fields import rng_field as rng_field
from .finite import FiniteRank as FiniteRank
from .fourier import FourierFeatures as FourierFeatures
from .landmarks import Landmarks as Landmarks
