"""The tables of densities by matching means, as entries of the catalogue."""

from __future__ import annotations

from . import density, density_claims
from .entry import CORRUPTED, STEIN, Entry, means
from .shrinkage_claims import T4

NLL = "mean negative log-likelihood of held-out points"
LINES = (*density.ALL, density.START)

DENSITIES = (
    Entry(
        "shrinkage-table-1",
        STEIN,
        "Table 1",
        "negative log-likelihood of fitted densities on 15 data sets",
        density.shrinkage_table_1,
        density.SHRINKAGE_TABLE_1,
        means,
        NLL,
        ("KME", "S-KMSE", "F-KMSE", T4, density.START),
        density_claims.SHRINKAGE_CLAIMS,
        ("24", "30", "33", "34", "35"),
        printed=density_claims.BESIDE_TABLE_1,
        data=density.DATA_1,
    ),
    Entry(
        "marginalized-table-1",
        CORRUPTED,
        "Table 1",
        "negative log-likelihood over d, Student's t",
        density.student_table,
        density.MARGINALIZED_TABLE_1,
        means,
        NLL,
        LINES,
        density_claims.STUDENT_CLAIMS,
        ("14", "15"),
        printed=density_claims.BESIDE_STUDENT,
    ),
    Entry(
        "marginalized-table-2",
        CORRUPTED,
        "Table 2",
        "negative log-likelihood over n, Student's t",
        density.student_table,
        density.MARGINALIZED_TABLE_2,
        means,
        NLL,
        LINES,
        density_claims.STUDENT_CLAIMS,
        ("14", "15"),
        printed=density_claims.BESIDE_STUDENT,
    ),
    Entry(
        "marginalized-table-3",
        CORRUPTED,
        "Table 3",
        "negative log-likelihood on 15 data sets",
        density.marginalized_table_3,
        density.MARGINALIZED_TABLE_3,
        means,
        NLL,
        LINES,
        density_claims.TABLE_3_CLAIMS,
        ("14", "16"),
        printed=density_claims.BESIDE_TABLE_3,
        data=density.DATA_3,
    ),
)
