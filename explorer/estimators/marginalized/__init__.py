"""Marginalized kernel means: every point carries Gaussian noise, and the estimate averages over it.

`MKME` has one σ for all coordinates, `MMKME` one for each. `search` chooses them, and `risk` has their exact risk and
losses. `noise` has the noisy copies and the kernel density estimate that these estimates correspond to, and `weights`
the weights that come nearest to them. `along` has their losses and scores along σ, `shapes` those of noise with a full
covariance or one for each point, and `noises` those of Laplace, t and uniform noise.
"""

from .along import NoisySample as NoisySample
from .estimators import MKME as MKME
from .estimators import MMKME as MMKME
from .estimators import Marginalized as Marginalized
from .noise import corrupted as corrupted
from .noise import density as density
from .noises import other_noise as other_noise
from .risk import marginalized_losses as marginalized_losses
from .risk import marginalized_risk as marginalized_risk
from .risk import marginalized_risks as marginalized_risks
from .shapes import local_shapes as local_shapes
from .shapes import marginalized_along as marginalized_along
from .shapes import marginalized_refits as marginalized_refits
from .shapes import shaped as shaped
from .weights import Projection as Projection
from .weights import approximations as approximations
