"""Distances between distributions that are known from samples, and tests based on them.

- Two samples: `mmd2` is the squared distance of two samples' kernel means, signed if it is unbiased, and `mmd_test` its
  permutation test. `mmdagg_test` and `mmdfuse_test` test over many kernels at once and keep their level.
  `bandwidth_curve` shows every bandwidth, `bandwidth_sweep` tests at each with common permutations. `energy_distance`
  is twice `mmd2` under the kernel of distances. `witness` is the function that distinguishes the samples,
  `mmd2_of_laws` is MMD² between known distributions, `mmd_convergence` the rate at which samples approach it;
  `variance`, `power` and `power_curve` say what more data would bring. `linear_time` takes one pass, `block_test` is
  between that and the U-statistic, `compress_test` takes few rows that represent many. `several_test` compares more
  than two samples, each pair at one level over all. `spectral_difference` and `moment_differences` show which
  differences a kernel compares, `without_each` and `most_influential` on which rows the result depends. `mmd_level` and
  `hsic_level` check how often a test rejects if the null hypothesis is true. A `TestResult` prints as a sentence.
- Outliers: `monk_mmd` is the MMD by the median of means, which a minority of outliers cannot ruin even under an
  unbounded kernel, `monk_test` its test, and `monk_steps` its iterations. `lepski` chooses the number of blocks,
  `BlockPath` has the estimate for every number of them, and `errors_beside_outliers` its error in repeated samples.
- Dependence: `hsic` is the distance of a pair's distribution from independence, `hsic_test` its permutation test,
  `hsicagg_test` the test over many kernels at one level, `hsic_gamma` one without permutations, and `dependence_test`
  both. `hsic_ranks` says how much of it low-rank kernels see, `rank_columns` which columns of a table depend on a
  target, `bahsic` which of them to keep together, and `power_by_fraction` how much data the test needs.
  `distance_covariance` and `distance_correlation` are HSIC under the energy kernel; `distance_test` and `pearson_test`
  have the coefficients' p-values. `mutual_information` needs no kernel, and `information_test` has its p-value. `dhsic`
  is HSIC of three samples and more, and `dhsic_test` tests that they are jointly independent.
- Goodness of fit: `ksd` is the distance of a sample from a model whose score is known, `ksd_test` its test,
  `ksdagg_test` the test over many kernels, and `fssd_test` one in linear time.
"""

from .dependence import AggregatedPairsResult as AggregatedPairsResult
from .dependence import Coefficient as Coefficient
from .dependence import ColumnRanking as ColumnRanking
from .dependence import DependenceTest as DependenceTest
from .dependence import Elimination as Elimination
from .dependence import GammaResult as GammaResult
from .dependence import Information as Information
from .dependence import JointResult as JointResult
from .dependence import Pairing as Pairing
from .dependence import PowerByFraction as PowerByFraction
from .dependence import RankPath as RankPath
from .dependence import bahsic as bahsic
from .dependence import dependence_test as dependence_test
from .dependence import dhsic as dhsic
from .dependence import dhsic_test as dhsic_test
from .dependence import distance_correlation as distance_correlation
from .dependence import distance_covariance as distance_covariance
from .dependence import distance_test as distance_test
from .dependence import hsic as hsic
from .dependence import hsic_gamma as hsic_gamma
from .dependence import hsic_level as hsic_level
from .dependence import hsic_ranks as hsic_ranks
from .dependence import hsic_test as hsic_test
from .dependence import hsicagg_test as hsicagg_test
from .dependence import information_correlation as information_correlation
from .dependence import information_test as information_test
from .dependence import mutual_information as mutual_information
from .dependence import pearson_test as pearson_test
from .dependence import power_by_fraction as power_by_fraction
from .dependence import rank_columns as rank_columns
from .fit import fssd_test as fssd_test
from .fit import ksd as ksd
from .fit import ksd_test as ksd_test
from .fit import ksdagg_test as ksdagg_test
from .mmd.aggregated import mmdagg_test as mmdagg_test
from .mmd.aggregated import mmdfuse_test as mmdfuse_test
from .mmd.bandwidth_collection import bandwidth_collection as bandwidth_collection
from .mmd.bandwidth_curve import BandwidthCurve as BandwidthCurve
from .mmd.bandwidth_curve import bandwidth_curve as bandwidth_curve
from .mmd.bandwidth_sweep import BandwidthSweep as BandwidthSweep
from .mmd.bandwidth_sweep import bandwidth_sweep as bandwidth_sweep
from .mmd.block_test import block_test as block_test
from .mmd.compress_test import compress_test as compress_test
from .mmd.convergence import Convergence as Convergence
from .mmd.convergence import mmd_convergence as mmd_convergence
from .mmd.embedding_differences import mmd2_of_laws as mmd2_of_laws
from .mmd.embedding_differences import mmd_of_laws as mmd_of_laws
from .mmd.embedding_differences import signed_root as signed_root
from .mmd.embedding_differences import witness as witness
from .mmd.energy_distance import energy_distance as energy_distance
from .mmd.frequencies import Difference as Difference
from .mmd.frequencies import moment_differences as moment_differences
from .mmd.frequencies import spectral_difference as spectral_difference
from .mmd.frequencies import window as window
from .mmd.influential_rows import LeftOut as LeftOut
from .mmd.influential_rows import most_influential as most_influential
from .mmd.influential_rows import without_each as without_each
from .mmd.linear_time import LinearTime as LinearTime
from .mmd.linear_time import linear_time as linear_time
from .mmd.power import PowerCurve as PowerCurve
from .mmd.power import power as power
from .mmd.power import power_curve as power_curve
from .mmd.power import variance as variance
from .mmd.several_samples import PairDifference as PairDifference
from .mmd.several_samples import SeveralResult as SeveralResult
from .mmd.several_samples import adjusted_pvalues as adjusted_pvalues
from .mmd.several_samples import several_test as several_test
from .mmd.small_samples import detectable_shift as detectable_shift
from .mmd.small_samples import least_pvalue as least_pvalue
from .mmd.small_samples import relabellings as relabellings
from .mmd.two_samples import mmd2 as mmd2
from .mmd.two_samples import mmd_test as mmd_test
from .monk import MONK_METHODS as MONK_METHODS
from .monk import MONK_NULLS as MONK_NULLS
from .monk import BlockPath as BlockPath
from .monk import BlockTable as BlockTable
from .monk import ErrorStudy as ErrorStudy
from .monk import LepskiResult as LepskiResult
from .monk import MonkResult as MonkResult
from .monk import MonkStep as MonkStep
from .monk import PairedSample as PairedSample
from .monk import errors_beside_outliers as errors_beside_outliers
from .monk import errors_of_means as errors_of_means
from .monk import flip_test as flip_test
from .monk import lepski as lepski
from .monk import monk_mmd as monk_mmd
from .monk import monk_of_differences as monk_of_differences
from .monk import monk_steps as monk_steps
from .monk import monk_test as monk_test
from .monk import pair_differences as pair_differences
from .rejection_rate import LevelCheck as LevelCheck
from .rejection_rate import level_check as level_check
from .rejection_rate import mmd_level as mmd_level
from .rejection_rate import rate_interval as rate_interval
from .resampling.aggregation import AggregatedResult as AggregatedResult
from .resampling.permutation import permutations as permutations
from .resampling.permutation import splits as splits
from .resampling.tiled_gram import renewed_gram as renewed_gram
from .results.test_result import TestResult as TestResult
from .results.test_result import pvalue as pvalue
