"""MONK, the MMD by the median of means: its estimates, iterations, test, and the choice of the number of blocks."""

from .block_path import SLIDER as SLIDER
from .block_path import BlockPath as BlockPath
from .block_path import BlockTable as BlockTable
from .error_study import ErrorStudy as ErrorStudy
from .error_study import errors_beside_outliers as errors_beside_outliers
from .error_study import errors_of_means as errors_of_means
from .estimates import MONK_METHODS as MONK_METHODS
from .estimates import MonkResult as MonkResult
from .estimates import MonkStep as MonkStep
from .estimates import monk_mmd as monk_mmd
from .estimates import monk_of_differences as monk_of_differences
from .estimates import monk_steps as monk_steps
from .lepski import LepskiResult as LepskiResult
from .lepski import lepski as lepski
from .paired_sample import PairedSample as PairedSample
from .paired_sample import pair_differences as pair_differences
from .resampling_test import MONK_NULLS as MONK_NULLS
from .resampling_test import flip_test as flip_test
from .resampling_test import monk_test as monk_test
