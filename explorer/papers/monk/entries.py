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
        paper=MONK,
        figure="Figure 1",
        about="errors over N: clean, with outliers, heavy tails",
        study=errors.figure_1,
        sizes=errors.FIGURE_1,
        summary=medians,
        unit="|estimate - MMD|, median and quartiles",
        lines=("U", "BCD 5", "BCD 11", "BCD 21", "Fast 5", "Fast 21"),
        claims=claims.FIGURE_1_CLAIMS,
        errata=("E-15", "E-16", "E-17", "E-18", "E-23"),
        remarks=(
            (
                "The paper's parameters were drawn at random and are not given, so its levels cannot be reproduced;"
                " orders of magnitude can."
            ),
        ),
    ),
    Entry(
        "monk-figure-2",
        paper=MONK,
        figure="Figure 2",
        about="splice junctions: MMD minus the test's quantile, over N",
        study=dna.figure_2,
        sizes=dna.FIGURE_2,
        summary=means,
        unit="MMD - 95 % quantile of the null",
        lines=("U", "BCD", "Fast"),
        claims=claims.FIGURE_2_CLAIMS,
        errata=("E-17", "E-20"),
        remarks=(
            (
                "The printed figure has no numbers beside its axes. Draws of one class share most of their strings at N"
                " = 700."
            ),
        ),
        data=("splice",),
    ),
    Entry(
        "monk-table-1",
        paper=MONK,
        figure="Table 1",
        about="time of the algorithms over N and Q: exponents",
        study=times.table_1,
        sizes=times.TABLE_1,
        summary=medians,
        unit="seconds, median and quartiles",
        lines=("U", "BCD, factors", "Fast, factors", "BCD", "Fast"),
        claims=orders.CLAIMS,
        errata=("E-19",),
        remarks=(TIMES,),
        printed=orders.compare_with_printed,
    ),
    Entry(
        "monk-seconds",
        paper=MONK,
        figure="section 5.2",
        about="seconds for all DNA strings, beside the printed 32 s and 88 s",
        study=seconds.dna_seconds,
        sizes=seconds.SECONDS,
        summary=medians,
        unit="seconds, median and quartiles",
        lines=("U", "BCD", "Fast"),
        claims=seconds.CLAIMS,
        errata=("E-19",),
        remarks=(TIMES,),
        printed=seconds.compare_with_printed,
        data=("splice",),
    ),
)
