"""Marginalized kernel means: every point carries Gaussian noise, and the estimate averages over it.

`MKME` has one σ for all coordinates, `MMKME` one for each. `search` chooses them, `risk` has their exact risk and
losses, `noise` what they stand for (noisy copies, a kernel density estimate), and `weights` the weights that come
nearest to them. `along` has their losses and scores along σ, `shapes` those of noise with a full covariance or one for
each point, and `noises` those of Laplace, t and uniform noise.
"""

from .estimators import MKME as MKME
from .estimators import MMKME as MMKME
from .estimators import Marginalized as Marginalized
from .noise import corrupted as corrupted
from .noise import density as density
from .risk import marginalized_losses as marginalized_losses
from .risk import marginalized_risk as marginalized_risk
from .risk import marginalized_risks as marginalized_risks
from .weights import Projection as Projection
from .weights import approximations as approximations
