"""Adjusted p-values, which the column tests of a comparison share with those of a scan."""

from explorer.discrepancy.column_stepdown import TIES as TIES
from explorer.discrepancy.column_stepdown import adjusted_pvalues as adjusted_pvalues
from explorer.discrepancy.column_stepdown import holm as holm
from explorer.discrepancy.column_stepdown import pvalues as pvalues
from explorer.discrepancy.column_stepdown import standardised as standardised
from explorer.discrepancy.column_stepdown import thresholds as thresholds
