"""Goodness of fit: tests whether a sample is from a model whose density is known up to a constant.

`ksd` is the squared kernel Stein discrepancy of a sample and a model, `ksd_test` its test, `ksdagg_test` the test over
many kernels, and `fssd_test` one in linear time, at a few locations. `stein_witness` shows where the sample and the
model differ.
"""

from .aggregated import ksdagg_test as ksdagg_test
from .finite_set import fssd_test as fssd_test
from .stein_discrepancy import ksd as ksd
from .stein_discrepancy import ksd_test as ksd_test
from .witness import SteinWitness as SteinWitness
from .witness import stein_witness as stein_witness
