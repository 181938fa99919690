"""MONK, the MMD by the median of means: its estimates, iterations, test, and the choice of the number of blocks."""

from .errors import ErrorStudy as ErrorStudy
from .errors import errors_beside_outliers as errors_beside_outliers
from .errors import errors_of_means as errors_of_means
from .estimates import MONK_METHODS as MONK_METHODS
from .estimates import MonkResult as MonkResult
from .estimates import MonkStep as MonkStep
from .estimates import monk_mmd as monk_mmd
from .estimates import monk_of_differences as monk_of_differences
from .estimates import monk_steps as monk_steps
from .lepski import LepskiResult as LepskiResult
from .lepski import lepski as lepski
from .null import MONK_NULLS as MONK_NULLS
from .null import flip_test as flip_test
from .null import monk_test as monk_test
from .pairs import PairedSample as PairedSample
from .pairs import pair_differences as pair_differences
from .path import SLIDER as SLIDER
from .path import BlockPath as BlockPath
from .path import BlockTable as BlockTable
