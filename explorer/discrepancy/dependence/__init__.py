"""HSIC, the distance of a pair's distribution from independence: its tests, ranks, power and rankings of columns."""

from .aggregated import AggregatedPairsResult as AggregatedPairsResult
from .aggregated import hsicagg_test as hsicagg_test
from .coefficients import Coefficient as Coefficient
from .coefficients import DependenceTest as DependenceTest
from .coefficients import dependence_test as dependence_test
from .coefficients import distance_correlation as distance_correlation
from .coefficients import distance_covariance as distance_covariance
from .coefficients import distance_test as distance_test
from .coefficients import pearson_test as pearson_test
from .columns import ColumnRanking as ColumnRanking
from .columns import rank_columns as rank_columns
from .gamma import GammaResult as GammaResult
from .gamma import hsic_gamma as hsic_gamma
from .joint import JointResult as JointResult
from .joint import dhsic as dhsic
from .joint import dhsic_test as dhsic_test
from .pairing import Pairing as Pairing
from .pairing import hsic as hsic
from .pairing import hsic_test as hsic_test
from .power import PowerByFraction as PowerByFraction
from .power import hsic_level as hsic_level
from .power import power_by_fraction as power_by_fraction
from .ranks import RankPath as RankPath
from .ranks import hsic_ranks as hsic_ranks
