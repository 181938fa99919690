"""Ranks with ties, which the column tests of a comparison share with those of a scan."""

from explorer.discrepancy.column_ties import Ties as Ties
