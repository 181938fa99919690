"""Scores of ranks and levels, which the column tests of a comparison share with those of a scan."""

from explorer.discrepancy.column_scores import level_scores as level_scores
from explorer.discrepancy.column_scores import number_scores as number_scores
