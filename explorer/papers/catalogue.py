"""Catalogue of what can be reproduced: the papers' figures and tables, and claims of their texts, by name."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial

from . import (
    article,
    atlas,
    bags,
    components,
    density,
    independence,
    independence_claims,
    marginalized,
    marginalized_claims,
    monk,
    remarks,
    rules,
    sequences,
    shifts,
    shrinkage,
    shrinkage_claims,
)
from .entry import ARTICLE, CORRUPTED, STEIN, Entry, means, medians, rates, relative
from .shrinkage_claims import T4

LEVELS = (
    "The printed axes cannot be compared: those of POLY2 and POLY3 are nearly flat in n, although the loss of KME is"
    " exactly Δ, which falls as 1/n, and those of the linear kernel are 2 to 10 times what the paper's own"
    " distributions give (erratum 37). So losses are compared relative to KME's on the same samples."
)
UNSAID = (
    "The paper has no numbers here except what can be read off its axes; its losses are compared relative to KME's."
)

PRESENT = (
    Entry(
        "shrinkage-figure-1",
        paper=STEIN,
        figure="Figure 1",
        about="losses over λ = c γ0 for four kernels",
        study=shrinkage.figure_1,
        sizes=shrinkage.FIGURE_1,
        summary=relative,
        unit="mean loss / mean loss of KME",
        lines=("S-KMSE", "F-KMSE"),
        claims=shrinkage_claims.FIGURE_1_CLAIMS,
        errata=("30", "31", "36"),
        remarks=(LEVELS,),
    ),
    Entry(
        "shrinkage-figure-2",
        paper=STEIN,
        figure="Figure 2",
        about="losses over n and d, λ by leave-one-out",
        study=shrinkage.figure_2,
        sizes=shrinkage.FIGURE_2,
        summary=relative,
        unit="mean loss / mean loss of KME",
        lines=("S-KMSE", "F-KMSE", T4),
        claims=shrinkage_claims.FIGURE_2_CLAIMS,
        errata=("20", "24", "30", "37"),
        remarks=(LEVELS,),
    ),
    Entry(
        "shrinkage-figure-3",
        paper=STEIN,
        figure="Figure 3",
        about="reconstruction error of kernel PCA on held-out points",
        study=components.figure_3,
        sizes=components.FIGURE_3,
        summary=relative,
        unit="mean error / mean error of KME",
        lines=("S-KMSE", "F-KMSE", "S-COSE", "F-COSE", components.T4),
        claims=components.FIGURE_3_CLAIMS,
        errata=("24", "32"),
        remarks=(
            "The printed bars have no numbers beside their axis. Of data sets of more than 2000 rows each split draws"
            " 2000.",
        ),
    ),
    Entry(
        "marginalized-figure-1",
        paper=CORRUPTED,
        figure="Figure 1",
        about="loss over the variance of the noise",
        study=marginalized.figure_1,
        sizes=marginalized.FIGURE_1,
        summary=relative,
        unit="mean loss / mean loss of KME",
        lines=("MKME",),
        claims=marginalized_claims.FIGURE_1_CLAIMS,
        errata=("11", "12", "18"),
        remarks=(UNSAID,),
    ),
    Entry(
        "marginalized-figure-2",
        paper=CORRUPTED,
        figure="Figure 2",
        about="losses over d and n",
        study=marginalized.figure_2,
        sizes=marginalized.FIGURE_2,
        summary=relative,
        unit="mean loss / mean loss of KME",
        lines=("S-KMSE", T4, "MKME", "MMKME"),
        claims=marginalized_claims.FIGURE_2_CLAIMS,
        errata=("11", "18", "24"),
        remarks=(UNSAID,),
    ),
    Entry(
        "marginalized-figure-3",
        paper=CORRUPTED,
        figure="Figure 3",
        about="power and level of two-sample tests",
        study=independence.figure_3,
        sizes=independence.FIGURE_3,
        summary=rates,
        unit="share of tests that reject at 5 %",
        lines=tuple(independence.ESTIMATORS),
        claims=independence_claims.FIGURE_3_CLAIMS,
        errata=("9", "13"),
        remarks=(
            UNSAID.replace("its losses are compared relative to KME's", "rates are compared on the same samples"),
        ),
    ),
    Entry(
        "marginalized-table-4",
        paper=CORRUPTED,
        figure="Table 4",
        about="power of independence tests on Eckerle4",
        study=independence.table_4,
        sizes=independence.TABLE_4,
        summary=rates,
        unit="share of tests that reject at 5 %",
        lines=tuple(independence.ESTIMATORS),
        claims=independence_claims.TABLE_4_CLAIMS,
        errata=("10", "13", "17"),
        remarks=(
            (
                "The printed powers are those of 200 repetitions of 2000 permutations. The picture shows ours at α ="
                " .05, the table all levels."
            ),
        ),
        printed=independence_claims.compare_with_printed,
    ),
    *density.DENSITIES,
    *bags.BAGS,
    *monk.MONKS,
    Entry(
        "article-rate",
        paper=ARTICLE,
        figure="Error of the kernel mean",
        about="rate, dimension and bounds",
        study=article.rates,
        sizes=article.RATES,
        summary=means,
        unit="|μ̂ - μ|",
        lines=("KME", "exact", "bound, printed", "bound, corrected"),
        claims=article.CLAIMS,
        errata=("E-9",),
        remarks=(
            (
                "The printed bound holds here, by a wide margin, but its proof assumes functions with values in [0,"
                " 1], and a unit ball has others."
            ),
        ),
    ),
    Entry(
        "article-conditional",
        paper=ARTICLE,
        figure="Conditional embedding",
        about="error over n, under λ = n^(-1/2) and by leave-one-out",
        study=rules.conditional,
        sizes=rules.CONDITIONAL,
        summary=means,
        unit="distance to the true conditional kernel mean",
        lines=(rules.OPERATOR, rules.LETTER, rules.CHOSEN),
        claims=rules.CONDITIONAL_CLAIMS,
        errata=("E-1", "E-2"),
        remarks=(
            "The article gives a rate and no figure; the distributions and kernels are ours. A rate of this kind is an"
            " upper bound for n → ∞ and claims nothing about a finite range of n: over this range it is seen or not"
            " seen.",
        ),
    ),
    Entry(
        "article-rules",
        paper=ARTICLE,
        figure="Kernel rules",
        about="sum rule, and Bayes' rule right and as printed",
        study=rules.rules,
        sizes=rules.RULES,
        summary=medians,
        unit="distance to the exact distribution / its norm, median and quartiles",
        lines=(rules.SUM, rules.BAYES, rules.AS_PRINTED),
        claims=rules.RULES_CLAIMS,
        errata=("E-4", "E-5"),
        remarks=("The article has no numbers here; the Gaussian model is ours.",),
    ),
    Entry(
        "article-filter",
        paper=ARTICLE,
        figure="Filtering in hidden Markov models",
        about="where a spot is in a noisy video",
        study=sequences.filtered,
        sizes=sequences.FILTER,
        summary=means,
        unit="root mean square error of the place",
        lines=(sequences.CARRIED, sequences.SUMMED, sequences.FRAME, sequences.KALMAN, sequences.KNOWING),
        claims=sequences.FILTER_CLAIMS,
        errata=("E-6",),
        remarks=("The article has no experiment; the video is ours, and so are the claims.",),
    ),
    Entry(
        "article-propagation",
        paper=ARTICLE,
        figure="Kernel belief propagation",
        about="beliefs in a tree of five variables",
        study=sequences.propagated,
        sizes=sequences.PROPAGATION,
        summary=means,
        unit="distance of the beliefs to the exact ones",
        lines=(sequences.TREE, sequences.COUNTED),
        claims=sequences.PROPAGATION_CLAIMS,
        errata=(),
        remarks=("The article has no experiment; the tree is ours, and so are the claims.",),
    ),
    Entry(
        "article-shift",
        paper=ARTICLE,
        figure="Domain adaptation",
        about="error on a target that differs, before and after a remedy",
        study=shifts.shifts,
        sizes=shifts.SHIFTS,
        summary=partial(relative, to=shifts.PLAIN),
        unit="mean squared error on the target / that of the unweighted source",
        lines=(shifts.REMEDY, shifts.RATIO),
        claims=shifts.SHIFT_CLAIMS,
        errata=("E-13",),
        remarks=("The article has no experiment; the distributions and the line that is learnt are ours.",),
    ),
    Entry(
        "article-domains",
        paper=ARTICLE,
        figure="Domain generalization",
        about="error on a domain that was not seen, over the number of domains",
        study=shifts.domains,
        sizes=shifts.DOMAINS,
        summary=means,
        unit="mean squared error on a domain that was not seen",
        lines=(shifts.PCA, shifts.INVARIANT, shifts.GUIDED),
        claims=shifts.DOMAIN_CLAIMS,
        errata=(),
        remarks=("The article has no experiment; the domains are ours, and so are the claims.",),
    ),
    *remarks.REMARKS,
    Entry(
        "atlas",
        paper="Of no paper",
        figure="Atlas of exact risk",
        about="what an oracle gains over θ, n and d, in closed form",
        study=atlas.gain,
        sizes=atlas.ATLAS,
        summary=means,
        unit="share of KME's risk that an oracle removes",
        lines=("S-KMSE", "MKME"),
        claims=atlas.CLAIMS,
        errata=("12", "19"),
    ),
)

ENTRIES: Mapping[str, Entry] = {entry.name: entry for entry in PRESENT}
