"""Adjusted p-values, which the column tests of a comparison share with those of a scan."""

from explorer.discrepancy.columns.step_down import TIES as TIES
from explorer.discrepancy.columns.step_down import adjusted_pvalues as adjusted_pvalues
from explorer.discrepancy.columns.step_down import holm as holm
from explorer.discrepancy.columns.step_down import pvalues as pvalues
from explorer.discrepancy.columns.step_down import standardised as standardised
from explorer.discrepancy.columns.step_down import thresholds as thresholds
