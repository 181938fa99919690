"""Probability rules with embeddings in place of probabilities.

`ConditionalEmbedding` describes y given x. `sum_rule`, `chain_rule` and `bayes_rule` build on it. `KernelBayesRule`,
`HMMFilter` and `BeliefPropagation` do the costly part once and then answer for many observations.
`conditional_test` tests whether y given x has changed between two samples. `gcm_test` and `kci_test` test whether x and
y are independent given z, and `additive_noise` which of two variables acts on the other.
"""

from .additive_noise import AdditiveNoise as AdditiveNoise
from .additive_noise import additive_noise as additive_noise
from .bayes import KernelBayesRule as KernelBayesRule
from .bayes import bayes_rule as bayes_rule
from .change import ConditionalChange as ConditionalChange
from .change import conditional_test as conditional_test
from .conditioning import ConditionalResult as ConditionalResult
from .covariance_measure import gcm_test as gcm_test
from .embedding import ConditionalEmbedding as ConditionalEmbedding
from .filtering import HMMFilter as HMMFilter
from .kernel_independence import kci_test as kci_test
from .propagation import BeliefPropagation as BeliefPropagation
from .rules import chain_rule as chain_rule
from .rules import sum_rule as sum_rule
