"""Learning from distributions: bags of points, kernels between their kernel means, machines and regression on them.

bag_gram is the Gram matrix between bags, LevelTwo a kernel of its inner products and distances. SupportMeasureMachine
and OneClassSMM are support vector machines on bags, DistributionRegression is ridge regression from bags to numbers.
"""

from .inner_products import bag_gram as bag_gram
from .level_two import LevelTwo as LevelTwo
from .machine import SupportMeasureMachine as SupportMeasureMachine
from .one_class import OneClassSMM as OneClassSMM
from .regression import DistributionRegression as DistributionRegression
from .samples import bags_of as bags_of
