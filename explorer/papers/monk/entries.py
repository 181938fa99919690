"""The figures and the table of MONK, paper 004, as entries of the catalogue."""

from __future__ import annotations

from explorer.papers.entry import MONK, Entry, means, medians

from . import claims, dna, errors, orders, seconds, times

TIMES = (
    "Times are not reproduced to the digit: a seed fixes the samples, and not what the machine does beside. Here they"
    " are seconds of the processor, one thread for matrix products, and the median of three runs where runs are short."
    " Verdicts rest on slopes and ratios alone. Kept in a store, times are those of the run that wrote them."
)

MONKS = (
    Entry(
        "monk-figure-1",
        MONK,
        "Figure 1",
        "errors over N: clean, with outliers, heavy tails",
        errors.figure_1,
        errors.FIGURE_1,
        medians,
        "|estimate - MMD|, median and quartiles",
        ("U", "BCD 5", "BCD 11", "BCD 21", "Fast 5", "Fast 21"),
        claims.FIGURE_1_CLAIMS,
        ("E-15", "E-16", "E-17", "E-18", "E-23"),
        (
            (
                "The paper's parameters were drawn at random and are not given, so its levels cannot be met; orders of"
                " magnitude can."
            ),
        ),
    ),
    Entry(
        "monk-figure-2",
        MONK,
        "Figure 2",
        "splice junctions: MMD less the test's quantile, over N",
        dna.figure_2,
        dna.FIGURE_2,
        means,
        "MMD - 95 % quantile of the null",
        ("U", "BCD", "Fast"),
        claims.FIGURE_2_CLAIMS,
        ("E-17", "E-20"),
        (
            (
                "The printed figure has no numbers beside its axes. Draws of one class share most of their strings at N"
                " = 700."
            ),
        ),
        data=("splice",),
    ),
    Entry(
        "monk-table-1",
        MONK,
        "Table 1",
        "time of the algorithms over N and Q: exponents",
        times.table_1,
        times.TABLE_1,
        medians,
        "seconds, median and quartiles",
        ("U", "BCD, factors", "Fast, factors", "BCD", "Fast"),
        orders.CLAIMS,
        ("E-19",),
        (TIMES,),
        orders.beside_printed,
    ),
    Entry(
        "monk-seconds",
        MONK,
        "section 5.2",
        "seconds for all DNA strings, beside the printed 32 s and 88 s",
        seconds.dna_seconds,
        seconds.SECONDS,
        medians,
        "seconds, median and quartiles",
        ("U", "BCD", "Fast"),
        seconds.CLAIMS,
        ("E-19",),
        (TIMES,),
        seconds.beside_printed,
        data=("splice",),
    ),
)
