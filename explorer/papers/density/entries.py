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
        STEIN,
        "Table 1",
        "negative log-likelihood of fitted densities on 15 data sets",
        tables.shrinkage_table_1,
        tables.SHRINKAGE_TABLE_1,
        means,
        NLL,
        ("KME", "S-KMSE", "F-KMSE", T4, tables.START),
        claims.SHRINKAGE_CLAIMS,
        ("24", "30", "33", "34", "35"),
        printed=claims.BESIDE_TABLE_1,
        data=tables.DATA_1,
    ),
    Entry(
        "marginalized-table-1",
        CORRUPTED,
        "Table 1",
        "negative log-likelihood over d, Student's t",
        tables.student_table,
        tables.MARGINALIZED_TABLE_1,
        means,
        NLL,
        LINES,
        claims.DIMENSION_CLAIMS,
        ("14", "15"),
        printed=claims.BESIDE_STUDENT,
    ),
    Entry(
        "marginalized-table-2",
        CORRUPTED,
        "Table 2",
        "negative log-likelihood over n, Student's t",
        tables.student_table,
        tables.MARGINALIZED_TABLE_2,
        means,
        NLL,
        LINES,
        claims.SIZE_CLAIMS,
        ("14", "15"),
        printed=claims.BESIDE_STUDENT,
    ),
    Entry(
        "marginalized-table-3",
        CORRUPTED,
        "Table 3",
        "negative log-likelihood on 15 data sets",
        tables.marginalized_table_3,
        tables.MARGINALIZED_TABLE_3,
        means,
        NLL,
        LINES,
        claims.TABLE_3_CLAIMS,
        ("14", "16"),
        printed=claims.BESIDE_TABLE_3,
        data=tables.DATA_3,
    ),
)
