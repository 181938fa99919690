"""Learning across domains: training data whose distribution differs from that of the data of interest.

`CovariateShift` and `TargetShift` give weights, of points and of labels, that make a source sample look like a target
sample; any learner with `sample_weight` takes them. `LocationScaleShift` stretches and moves each class.
`distributional_variance` is how far several domains differ, and `DICA` finds components along which they do not.
`counterfactual_mean` gives the outcome of the whole population under a treatment that only some had; `treatment_test`
tests whether it has any effect.

Building blocks: `BoxProgram` minimises quadratic forms over weights; `ClassMatch` is how far mapped classes are from a
target; `transfer_ratios` is the result of transfer component analysis, a limit of DICA.
"""

from .counterfactual import counterfactual_mean as counterfactual_mean
from .covariate import CovariateShift as CovariateShift
from .dica import DICA as DICA
from .location_scale import LocationScaleShift as LocationScaleShift
from .target import TargetShift as TargetShift
from .transfer import transfer_ratios as transfer_ratios
from .treatment import treatment_test as treatment_test
from .variance import distributional_variance as distributional_variance
