"""Learning from distributions, as studies: Table 2 of paper 002, and the article's regression."""

from .machines import table_2 as table_2
from .regression import regression as regression
