"""The tables of densities by matching means, as entries of the catalogue."""

from __future__ import annotations

from explorer.papers.entry import CORRUPTED, STEIN, Entry, means
from explorer.papers.shrinkage_claims import T4

from . import claims, tables

NLL = "mean negative log-likelihood of held-out points"
LINES = (*tables.ALL, tables.START)

DENSITIES = (
    Entry(
        "shrinkage-table-1",
        paper=STEIN,
        figure="Table 1",
        about="negative log-likelihood of fitted densities on 15 data sets",
        study=tables.shrinkage_table_1,
        sizes=tables.SHRINKAGE_TABLE_1,
        summary=means,
        unit=NLL,
        lines=("KME", "S-KMSE", "F-KMSE", T4, tables.START),
        claims=claims.SHRINKAGE_CLAIMS,
        errata=("24", "30", "33", "34", "35"),
        printed=claims.BESIDE_TABLE_1,
        data=tables.DATA_1,
    ),
    Entry(
        "marginalized-table-1",
        paper=CORRUPTED,
        figure="Table 1",
        about="negative log-likelihood over d, Student's t",
        study=tables.student_table,
        sizes=tables.MARGINALIZED_TABLE_1,
        summary=means,
        unit=NLL,
        lines=LINES,
        claims=claims.DIMENSION_CLAIMS,
        errata=("14", "15"),
        printed=claims.BESIDE_STUDENT,
    ),
    Entry(
        "marginalized-table-2",
        paper=CORRUPTED,
        figure="Table 2",
        about="negative log-likelihood over n, Student's t",
        study=tables.student_table,
        sizes=tables.MARGINALIZED_TABLE_2,
        summary=means,
        unit=NLL,
        lines=LINES,
        claims=claims.SIZE_CLAIMS,
        errata=("14", "15"),
        printed=claims.BESIDE_STUDENT,
    ),
    Entry(
        "marginalized-table-3",
        paper=CORRUPTED,
        figure="Table 3",
        about="negative log-likelihood on 15 data sets",
        study=tables.marginalized_table_3,
        sizes=tables.MARGINALIZED_TABLE_3,
        summary=means,
        unit=NLL,
        lines=LINES,
        claims=claims.TABLE_3_CLAIMS,
        errata=("14", "16"),
        printed=claims.BESIDE_TABLE_3,
        data=tables.DATA_3,
    ),
)
