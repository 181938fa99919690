"""Paper 004, MONK: its two figures, its table of times and its seconds, as studies, claims and entries."""

from .dna import figure_2 as figure_2
from .errors import figure_1 as figure_1
from .seconds import dna_seconds as dna_seconds
from .times import table_1 as table_1
