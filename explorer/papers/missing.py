"""The figures and tables of the papers that are not here, and why."""

from __future__ import annotations

from .entry import ARTICLE, CORRUPTED, MONK, STEIN, Entry

DENSITY = "density matching by kernel means is not in the library yet"
MISSING = tuple(
    Entry(name, paper, figure, about, lacks=why)
    for name, paper, figure, about, why in (
        ("shrinkage-table-1", STEIN, "Table 1", "negative log-likelihood of fitted densities on 14 data sets", DENSITY),
        (
            "shrinkage-table-2",
            STEIN,
            "Table 2",
            "accuracy and AUC of support measure machines",
            (
                "support measure machines are not in the library yet; the data of high-energy physics and the scene"
                " images are not public any more, and digits as bags would stand in for them"
            ),
        ),
        ("marginalized-table-1", CORRUPTED, "Table 1", "negative log-likelihood over d, Student's t", DENSITY),
        ("marginalized-table-2", CORRUPTED, "Table 2", "negative log-likelihood over n, Student's t", DENSITY),
        ("marginalized-table-3", CORRUPTED, "Table 3", "negative log-likelihood on 15 data sets", DENSITY),
        (
            "monk-table-1",
            MONK,
            "Table 1",
            "computational complexity of the algorithms",
            "a table of orders, not of results; the benchmarks time the algorithms",
        ),
        (
            "article-regression",
            ARTICLE,
            "Distribution regression",
            "regression from bags of points",
            "distribution regression is not in the library yet",
        ),
    )
)
