"""The figures and tables of the papers that are not here, and why."""

from __future__ import annotations

from .entry import ARTICLE, MONK, STEIN, Entry

MISSING = tuple(
    Entry(name, paper, figure, about, lacks=why)
    for name, paper, figure, about, why in (
        (
            "shrinkage-figure-3",
            STEIN,
            "Figure 3",
            "reconstruction error of kernel PCA",
            "kernel PCA is not in the library yet",
        ),
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
