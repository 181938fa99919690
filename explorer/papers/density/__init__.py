"""The papers' tables of densities by matching means, as studies, claims and entries."""

from .tables import marginalized_table_3 as marginalized_table_3
from .tables import shrinkage_table_1 as shrinkage_table_1
from .tables import student_table as student_table
