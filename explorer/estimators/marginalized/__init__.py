"""Marginalized kernel means: every point carries Gaussian noise, and the estimate averages over it.

`MKME` has one σ for all coordinates, `MMKME` one for each. `search` chooses them, `risk` has their exact risk and
losses, `noise` what they stand for (noisy copies, a kernel density estimate), and `weights` the weights that come
nearest to them.
"""

from .estimators import MKME as MKME
from .estimators import MMKME as MMKME
from .estimators import Marginalized as Marginalized
