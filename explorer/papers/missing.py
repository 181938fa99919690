"""The figures and tables of the papers that are not here, and why."""

from __future__ import annotations

from .entry import ARTICLE, STEIN, Entry

MISSING = tuple(
    Entry(name, paper, figure, about, lacks=why)
    for name, paper, figure, about, why in (
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
            "article-regression",
            ARTICLE,
            "Distribution regression",
            "regression from bags of points",
            "distribution regression is not in the library yet",
        ),
    )
)
