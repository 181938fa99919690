"""Errata E-1 to E-25: the encyclopedia's article (003) and the MONK paper (004)."""

from __future__ import annotations

from .erratum import Erratum

BOUND = "explorer.estimators.medianofmeans.bound"

TESTS = (
    Erratum(
        "E-1", "003", "conditional embeddings",
        "(C_XX + λI)⁻¹ of operators and (K + λI)⁻¹ of matrices, with one λ.",
        "λ of the matrix is n times λ of the operator. With the same λ the embeddings differ by a third or more.",
        ("explorer.ConditionalEmbedding", "reproduce article-conditional"),
    ),
    Erratum(
        "E-2", "003", "rates of conditional embeddings",
        "λ falls as n^(-1/2).",
        "That is λ of the operator. In (K + λI) it grows, as n^(1/2) (erratum E-1).",
        ("explorer.papers.rules.conditional", "reproduce article-conditional"),
    ),
    Erratum(
        "E-3", "003", "joint embeddings",
        "k(x, x') ⊗ k(y, y'), and Φ = (φ(y_i), ..., (y_n)).",
        "The two kernels are numbers, which are multiplied; Φ = (φ(y_1), ..., φ(y_n)).",
        ("explorer.hsic",),
    ),
    Erratum(
        "E-4", "003", "kernel Bayes' rule",
        "Weights Λ'((DK)² + λ̃I)⁻¹ K D K_x.",
        "Λ'((KD)² + λ̃I)⁻¹ K D K_x: D and K have the other order. As printed the posterior does not converge.",
        ("explorer.bayes_rule", "reproduce article-rules"),
    ),
    Erratum(
        "E-5", "003", "kernel Bayes' rule",
        "Λ and D with λ̃; (C_XX)² without the prior; Φ with a check.",
        "Λ and D have λ, as the text below states; the operator is the one under the prior, and Φ has a tilde, for the"
        " prior's points.",
        ("explorer.bayes_rule",),
    ),
    Erratum(
        "E-6", "003", "hidden Markov models",
        "μ̂ at t + 1 is Σ a_i^t φ(s^t), and k(s_i, s_(j+1)) has i, j up to T.",
        "Σ a_i^(t+1) φ(s_i), with the new weights and all states; the last one needs a state s_(T+1).",
        ("explorer.HMMFilter",),
    ),
    Erratum(
        "E-7", "003", "definition of MMD",
        "MMD is both |μ_P - μ_Q|² and the supremum over the unit ball.",
        "The supremum is the norm; its square is MMD².",
        ("explorer.mmd2",),
    ),
    Erratum(
        "E-8", "003", "two-sample test",
        "(1/nm) Σ_ij [k(x_i, x_j) + k(y_i, y_j) - 2k(x_i, y_j)].",
        "1/n², 1/m² and -2/(nm) on the three sums; as printed it means nothing for n ≠ m.",
        ("explorer.mmd2",),
    ),
    Erratum(
        "E-9", "003", "bound on |μ̂ - μ|",
        "f is in [0, 1] for all |f| <= 1, which gives the deviation sqrt(log(2/δ) / (2n)).",
        "Every unit ball contains -f with f. For 0 <= k <= 1 the bound 1/sqrt(n) + sqrt(log(1/δ) / n) is proved.",
        ("explorer.papers.article.rates", "reproduce article-rate"),
    ),
    Erratum(
        "E-10", "003", "universal kernels",
        "A kernel that is strictly positive definite on distinct points is universal.",
        "False: Σ_(j>=2) ρ^j cos j(s - t) on the circle is one, and embeds two different distributions alike.",
        ("lesson 01",),
    ),
    Erratum(
        "E-11", "003", "distribution regression",
        "G_ij = K(μ_i, μ_i) and (G + λl)⁻¹.",
        "G_ij = K(μ_i, μ_j), and the identity: (G + λlI)⁻¹.",
        ("explorer.DistributionRegression", "explorer.bag_gram", "reproduce article-regression"),
    ),
    Erratum(
        "E-12", "003", "the example with tables",
        "P(X = N), π(Y = N), and other names that stand for nothing.",
        "Q(X = K), π(Y = K), μ_X and μ_Y.",
        ("explorer.conditional.tables.TableRules", "lab /conditional?picture=table"),
    ),
    Erratum(
        "E-13", "003", "location-scale shift",
        "|μ_new - μ_te|² = |C_new μ_Ytr - μ_te|².",
        "This holds only as λ falls to 0, with the constant in the range of L; the two differ at λ = 1.",
        ("explorer.LocationScaleShift", "reproduce article-shift"),
    ),
    Erratum(
        "E-14", "003", "HSIC by low rank",
        "An unbiased estimate of HSIC in O(n (d_f² + d_g²)).",
        "It is unbiased for the low-rank kernels, not for the original ones. The biased one errs to one side, by a"
        " known bound.",
        ("explorer.discrepancy.dependence.rank_path.hsic_ranks",),
    ),
    Erratum(
        "E-15", "004", "Algorithms 1 and 2",
        "The norm |L[1; -1]|, and lost minus signs.",
        "|L'[1; -1]|, with the Cholesky factor transposed; otherwise c'Kc is not 1 but 1.108, say.",
        ("explorer.monk_mmd", "explorer.discrepancy.monk.coordinate_descent.printed_norm"),
    ),
    Erratum(
        "E-16", "004", "(7) and (8)",
        "(7) is a root, and (8), the same by U-statistics, has none.",
        "(8) is MMD² and may be negative, so its root needs a rule: sqrt|U| or sqrt(max(U, 0)). Figures 1c and 1f"
        " depend on it.",
        ("explorer.papers.monk.errors.u_mmd", "reproduce monk-figure-1"),
    ),
    Erratum(
        "E-17", "004", "Algorithm 2, BCD-Fast",
        "Each step updates the witness of the median block alone.",
        "It stalls once that block is solved: its value is nearly the least of (Q + 1)/2 blocks.",
        ("explorer.discrepancy.monk.coordinate_descent.bcd_fast", "reproduce monk-figure-1"),
    ),
    Erratum(
        "E-18", "004", "Algorithm 2, BCD-Fast",
        "The witnesses c_q are kept when the blocks are permuted.",
        "Their norm is not 1 on the new rows: an outlier that comes into a block multiplies its value.",
        ("explorer.discrepancy.monk.coordinate_descent.bcd_fast", "explorer.papers.monk.errors.figure_1"),
    ),
    Erratum(
        "E-19", "004", "Table 1",
        "BCD-Fast takes N³/Q² + T(N²/Q + Q log Q).",
        "The first term counts once for every permutation. Without Cholesky factors both algorithms take N² once and T"
        " N²/Q.",
        ("explorer.discrepancy.monk.coordinate_descent.bcd_fast", "reproduce monk-table-1"),
    ),
    Erratum(
        "E-20", "004", "the test, Algorithm 3",
        "It rejects where the estimate exceeds the 1 - α quantile of B null values.",
        "That has the level .0556 at B = 150, α = .05. p = (1 + #{null >= observed}) / (1 + B) keeps the level.",
        ("explorer.monk_test", "reproduce monk-figure-2"),
    ),
    Erratum(
        "E-21", "004", "footnote 5, Lepski's method",
        "A number of blocks chosen by Lepski's method has the same guarantee.",
        "In order of magnitude. It takes Q = 2Nc + 1, where the median is nearly the largest of the clean blocks:"
        " robust, and biased upwards. About twice as many blocks are better.",
        ("explorer.lepski", "reproduce monk-figure-1"),
    ),
    Erratum(
        "E-22", "004", "(3) and (4)",
        "Two equivalent definitions of the mean embedding.",
        "(3) needs a finite E k(x, x), (4) only a finite E sqrt k(x, x). For the quadratic kernel and Pareto(3) only"
        " the second is finite.",
        ("explorer.Pareto.embed",),
    ),
    Erratum(
        "E-23", "004", "Experiment 3",
        "Pareto(3) with the quadratic kernel illustrates Theorem 2.",
        "E x⁴ is infinite, so the covariance operator is not of trace class: the theorem's assumption fails.",
        ("explorer.papers.monk.errors.figure_1", "reproduce monk-figure-1"),
    ),
    Erratum(
        "E-24", "004", "Theorems 1 and 2",
        "Q = 72 ln(1/η)/δ² blocks, with Q between Nc/(1/2 - δ) and N/2.",
        "At δ = 1/2, η = .05 that is Q = 863 and N > 1726; Q = 11 means η = .96. The bound is void in the experiments.",
        (f"{BOUND}.blocks_needed", f"{BOUND}.deviation_bound"),
    ),
    Erratum(
        "E-25", "004", "symbols that were lost",
        "J(f, g) = f K g K; e^(γ x y); x N 4; N 1/2.",
        "|f - K|² - |g - K|²; exp(-γ|x - y|²); x_(N-4); N^(-1/2).",
        ("explorer.papers.monk.errors.draw",),
    ),
)  # fmt: skip
