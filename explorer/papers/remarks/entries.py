"""The studies of sentences, as entries of the catalogue."""

from __future__ import annotations

from explorer.papers.entry import ARTICLE, CORRUPTED, MONK, STEIN, Entry, means, medians, rates
from explorer.papers.monk.entries import TIMES

from . import consistency, covariances, functions, kinds, leave_one_out, measures, two_samples

OURS = "The text has no experiment on it; the distributions are ours."

REMARKS = (
    Entry(
        "shrinkage-seconds",
        paper=STEIN,
        figure="section 3.1.1",
        about="time of leave-one-out scores",
        study=leave_one_out.leave_one_out,
        sizes=leave_one_out.SIZES,
        summary=medians,
        unit="seconds, median and quartiles",
        lines=(leave_one_out.REFITS, leave_one_out.EIGEN, leave_one_out.CLOSED, leave_one_out.PRINTED),
        claims=leave_one_out.CLAIMS,
        errata=("24", "27"),
        remarks=(TIMES,),
    ),
    Entry(
        "marginalized-consistency",
        paper=CORRUPTED,
        figure="sections 2.1 and 4.3",
        about="errors over n: slopes",
        study=consistency.consistency,
        sizes=consistency.SIZES,
        summary=means,
        unit="|μ̂ - μ|",
        lines=tuple(consistency.ESTIMATORS),
        claims=consistency.CLAIMS,
        remarks=(
            "A parameter chosen by leave-one-out goes to zero as n grows; one that is held leaves a bias. " + OURS,
        ),
    ),
    Entry(
        "monk-rate",
        paper=MONK,
        figure="sections 1 and 3",
        about="error of the MMD over n: slopes",
        study=two_samples.two_samples,
        sizes=two_samples.SIZES,
        summary=means,
        unit="|MMD(X, Y) - MMD(P, Q)|",
        lines=(two_samples.ERROR, two_samples.BOUND),
        claims=two_samples.CLAIMS,
        remarks=(
            "A minimax rate is of the best estimate under the worst distribution: what is seen here is that the plain"
            " estimate has it.",
        ),
    ),
    Entry(
        "monk-covariance",
        paper=MONK,
        figure="section 1",
        about="covariance operators with outliers",
        study=covariances.covariances,
        sizes=covariances.SIZES,
        summary=covariances.relative_to_average,
        unit="mean error / that of the average",
        lines=(covariances.HUBER, covariances.HAMPEL, covariances.HUBER + covariances.PCA),
        claims=covariances.CLAIMS,
        remarks=(
            "The paper cites robust covariance operators (Alam et al. 2018) and claims nothing of them; the"
            " distributions and the claims are ours.",
            "Without outliers the robust mean of the tensors is biased: their distribution is skewed.",
        ),
    ),
    Entry(
        "article-dependence",
        paper=ARTICLE,
        figure="Measuring dependence",
        about="power of HSIC and other measures",
        study=measures.measures,
        sizes=measures.SIZES,
        summary=rates,
        unit="share of tests that reject at 5 %",
        lines=measures.MEASURES,
        claims=measures.CLAIMS,
        remarks=(OURS,),
    ),
    Entry(
        "article-kinds",
        paper=ARTICLE,
        figure="Measuring dependence, data of two kinds",
        about="HSIC between strings and numbers: power",
        study=kinds.kinds,
        sizes=kinds.SIZES,
        summary=rates,
        unit="share of tests that reject at 5 %",
        lines=(kinds.STRINGS, kinds.COUNTS),
        claims=kinds.CLAIMS,
        remarks=(OURS,),
    ),
    Entry(
        "functions",
        paper="Of no paper",
        figure="Functions of random variables",
        about="error of embedding.map over n",
        study=functions.functions,
        sizes=functions.SIZES,
        summary=means,
        unit="distance to the true kernel mean of f(x)",
        lines=functions.ESTIMATES,
        claims=functions.CLAIMS,
    ),
)
