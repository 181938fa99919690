"""Errata 1 to 39: the papers on shrinkage estimators (001, 002) and on marginalized ones (000)."""

from __future__ import annotations

from .erratum import Erratum

WEIGHTS = "explorer.estimators.marginalized.weights"
TABLE = "explorer.papers.independence"
SPECTRUM = "explorer.estimators.spectrum.Spectrum"
PRINTED, CORRECTED = f"{WEIGHTS}.as_printed", f"{WEIGHTS}.corrected"

ESTIMATORS = (
    Erratum(
        "1", "000", "(11) and (19)",
        "The first coefficient is (θ² + dσ²) / (2θ²).",
        "The paper's own (17) gives (2θ² + dσ²) / (2θ²). As printed, σ = 0 gives half of KME: β = 1/(2n).",
        (PRINTED, CORRECTED, "lab /marginalized"),
    ),
    Erratum(
        "2", "000", "(12), (13) and (16)",
        "The second-order term of the expansion enters with -1/2.",
        "It enters with +1/2. With the other misprints mended, the printed sign moves the estimate away from the true"
        " one.",
        (PRINTED, CORRECTED, "lab /marginalized"),
    ),
    Erratum(
        "3", "000", "(12) and (15)",
        "tr(Σ) times the Laplacian, which puts the dimension d on both terms.",
        "tr(Σ∇²): -dσ²/(2θ²) on 1/n, but σ²/(2θ⁴), without d, on K⁻¹K'. Together, to second order:"
        " β = (1 - dσ²/(2θ²)) 1/n + σ²/(2θ⁴) K⁻¹K' 1/n.",
        (PRINTED, CORRECTED, "lab /marginalized"),
    ),
    Erratum(
        "4", "000", "the kernel k'",
        "k'(x, y) = exp(-|x - y| / (2θ²)) |x - y|².",
        "The distance in the exponent is squared: exp(-|x - y|² / (2θ²)) |x - y|².",
        (PRINTED, CORRECTED, "lab /marginalized"),
    ),
    Erratum(
        "5", "000", "Theorem 2",
        "The sum of e_l², and the isotropic K' of Theorem 1.",
        "The sum of e_l, since D already holds variances, and K'_ij = k_ij Σ_l e_l (x_il - x_jl)², each coordinate by"
        " its own.",
        (PRINTED, CORRECTED, "lab /marginalized"),
    ),
    Erratum(
        "6", "000", "Theorems 1 and 2, representer theorem",
        "The estimate equals Σ_i β_i k(x_i, ·).",
        "It does not lie in the span of the k(x_i, ·): noise moves it out. Weights β can only approximate it.",
        (f"{WEIGHTS}.approximations", "explorer.MKME"),
    ),
    Erratum(
        "7", "000", "(25)",
        "The score has L_ji.",
        "It needs L_ij of (26): the noise is that of x_j. The two differ where the covariances Σ_i do.",
        ("explorer.kernels.noisy.pairs.NoisyPairs",),
    ),
    Erratum(
        "8", "000", "(24) and (25)",
        "The score is minimised over Σ_i, and i is also the index of the sum.",
        "It is minimised over one covariance that all points share, or over Σ_1, ..., Σ_n jointly.",
        ("explorer.MMKME",),
    ),
    Erratum(
        "9", "000", "(31)",
        "The marginalized kernel is E k(x_i, x_j).",
        "It is E k(x̃_i, x̃_j) of noisy points, with independent noise for i = j, too.",
        ("explorer.mmd2", "reproduce marginalized-figure-3"),
    ),
    Erratum(
        "10", "000", "(32) and (33)",
        "Two estimates of HSIC, both called unbiased.",
        "They equal each other, and are the V-statistic tr(KHLH)/n², which is biased: .0351 on average, against .0004"
        " of the unbiased statistic, for 6 independent pairs. A permutation test keeps its level with either.",
        ("explorer.hsic", "reproduce marginalized-table-4"),
    ),
    Erratum(
        "11", "000", "5.1.1",
        "One formula for the loss, of weights β, for all estimators.",
        "MKME has no weights (erratum 6): its loss is |μ̃|² - 2<μ̃, μ> + |μ|², with |μ̃|² the mean of the noisy Gram"
        " matrix.",
        ("explorer.estimators.marginalized.risk.marginalized_losses", "reproduce marginalized-figure-1"),
    ),
    Erratum(
        "12", "000", "5.1.1",
        "A suitable covariance must be found for a gain over KME.",
        "Some small σ² always gains: the slope of the risk at σ² = 0 is negative for every distribution but a point.",
        ("explorer.MKME", "lab /marginalized", "reproduce marginalized-figure-1"),
    ),
    Erratum(
        "13", "000", "5.2.1",
        "To build the null distribution, repeat steps i and ii. How the p-value is computed is not stated.",
        "Steps ii and iii are repeated. Here p = (1 + #{null >= observed}) / (1 + B).",
        ("explorer.discrepancy.results.test_result.pvalue", "reproduce marginalized-figure-3"),
    ),
    Erratum(
        "14", "000", "5.2.2",
        "The bandwidth is chosen by early stopping on the negative log-likelihood.",
        "On test data this leaks them into the fit. A part of the training data has to be set aside for it.",
        ("reproduce marginalized-table-3",),
    ),
    Erratum(
        "15", "000", "5.1.2, Tables 1 and 2",
        "Data from a t-distribution; its degrees of freedom, location and covariance, and m, are not stated.",
        "The levels of Tables 1 and 2 cannot be reproduced. The loss, called hard to derive, is exact by a scale"
        " mixture of normals.",
        ("explorer.StudentT", "reproduce marginalized-table-1", "reproduce marginalized-table-2"),
    ),
    Erratum(
        "16", "000", "text on Table 3",
        "The two exceptions of 15 data sets are glass and specft.",
        "By the table itself they are specft and australian; MMKME is best on glass. 13 of 15 is right.",
        ("reproduce marginalized-table-3",),
    ),
    Erratum(
        "17", "000", "Table 4",
        "Powers of .009 and .007, and one that falls from .170 to .070 as α rises from .05 to .10.",
        "200 repetitions give multiples of .005, and a test that rejects at a smaller α rejects at a larger one.",
        (f"{TABLE}.impossible_powers", f"{TABLE}.falling_powers", "reproduce marginalized-table-4"),
    ),
    Erratum(
        "18", "000", "5, the median heuristic",
        "The median runs over all i, j from 1 to n, zero distances of points to themselves included.",
        "It runs over i < j. With the zeros θ² is never larger. How much smaller it is depends on the distribution: at"
        " n = 10, d = 20 on average 4 % for normal points, 28 % for Cauchy ones, and 0 if all distances are equal.",
        ("explorer.median_bandwidth",),
    ),
    Erratum(
        "19", "002", "Theorem 1",
        "KME is inadmissible, since shrinkage by some α has a smaller risk.",
        "That α depends on the unknown distribution: the theorem is on what an oracle gains. 001 does not state"
        " inadmissible. The gain is strict only if the points vary.",
        ("explorer.oracle_alpha", "reproduce atlas", "lesson 02"),
    ),
    Erratum(
        "20", "001, 002", "Theorem 3",
        "λ* = n(ϱ - ρ) / ((n - 1)(nρ - ϱ)) minimises the leave-one-out score.",
        "Only if nρ > ϱ. Otherwise the formula is negative or infinite, and the minimum is at α = 1, λ = ∞.",
        ("explorer.SKMSE",),
    ),
    Erratum(
        "21", "002", "(10) and (11)",
        "λΩ beside an empirical loss of 1/(2n).",
        "λ/2: as printed the minimiser would be 1/(1 + 2λ) of KME, and not the 1/(1 + λ) of the paper.",
        ("explorer.SKMSE",),
    ),
    Erratum(
        "22", "001, 002", "Theorem 2",
        "γ_i are the eigenvalues of the empirical covariance operator.",
        "They are those of the Gram matrix K, n times those of the uncentred second-moment operator.",
        ("explorer.FKMSE",),
    ),
    Erratum(
        "23", "001, 002", "after Theorem 2",
        "All weights of the shrinkage estimators are smaller than 1/n.",
        "Not those of F-KMSE: nβ_i reaches 1.09 in an example.",
        ("explorer.FKMSE",),
    ),
    Erratum(
        "24", "001, 002", "Theorem 4 and Lemma 5",
        "A leave-one-out score of F-KMSE, said to refit without the point that is left out.",
        "The printed score keeps the direction of that point in the fit, so it shrinks too much. The genuine score"
        " refits on the n - 1 others, over their own span.",
        ("explorer.FKMSE", f"{SPECTRUM}.theorem_4", "lab /shrinkage", "reproduce shrinkage-figure-2"),
    ),
    Erratum(
        "25", "001, 002", "Lemma 5, the objective",
        "A sum over j beside (K + λI)⁻¹.",
        "The mean over j, (1/n)Σ_j; as printed the solution would have (nK + λI)⁻¹.",
        (f"{SPECTRUM}.theorem_4",),
    ),
    Erratum(
        "26", "001, 002", "Theorem 4",
        "β'K - K_i, and inverses of K.",
        "Kβ minus the i-th column of K. The inverses do not exist if K is singular; the eigenvalues' form needs"
        " none.",
        (f"{SPECTRUM}.theorem_4",),
    ),
    Erratum(
        "27", "002", "3.1.1",
        "S-KMSE takes O(n) time, cross-validation of F-KMSE O(n²).",
        "S-KMSE takes O(n²), as 001 states: it sums K. F-KMSE needs an eigendecomposition of O(n³) first.",
        ("explorer.SKMSE", "explorer.FKMSE", "reproduce shrinkage-seconds"),
    ),
    Erratum(
        "28", "002", "4.2.3",
        "The kernel on distributions is exp(+|μ_P - μ_Q|² / (2σ²)).",
        "The sign is minus; with plus it is not positive semi-definite.",
        ("explorer.LevelTwo", "reproduce shrinkage-table-2"),
    ),
    Erratum(
        "29", "002", "3",
        "The empirical loss has its minimum at φ(x), and by Jensen's inequality the two losses share a minimum.",
        "Its minimum is at μ̂. The two losses differ by a constant, so they share a minimum. Jensen is not needed.",
        ("explorer.KME",),
    ),
    Erratum(
        "30", "001, 002", "4.1",
        "The bandwidth is the square root of the median distance; then σ² is the median of |x_i - x_j|².",
        "The second is meant: σ² is the median squared distance.",
        ("explorer.median_bandwidth", "explorer.papers.shrinkage.figure_2"),
    ),
    Erratum(
        "31", "001, 002", "Figure 1",
        "One λ = c γ0 for both S-KMSE and F-KMSE.",
        "λ of F-KMSE has the units of the kernel, λ of S-KMSE has none. Where γ0 is far above 1, S-KMSE is almost 0.",
        ("explorer.papers.shrinkage.figure_1", "reproduce shrinkage-figure-1"),
    ),
    Erratum(
        "32", "001, 002", "Figure 3",
        "Kernel PCA by the S-COSE covariance operator has a smaller reconstruction error.",
        "It cannot: it is a multiple of the empirical operator, with the same eigenvectors and the same projection.",
        ("explorer.KernelPCA", "explorer.papers.components.figure_3", "reproduce shrinkage-figure-3"),
    ),
    Erratum(
        "33", "001, 002", "4.2, density estimation",
        "The mixture's weights sum to one.",
        "They must be non-negative, too. Under the linear kernel the variances, and most of the means, have no effect"
        " at all.",
        ("explorer.MixtureDensity", "reproduce shrinkage-table-1"),
    ),
    Erratum(
        "34", "001, 002", "4.2, density estimation",
        "A shrunk kernel mean is matched by a mixture whose weights sum to one.",
        "The missing mass α goes into a component of ever larger variance, whose embedding vanishes: without a bound"
        " on the variances the problem has no solution.",
        ("explorer.MixtureDensity",),
    ),
    Erratum(
        "35", "001, 002", "Table 1",
        "S- and F-KMSE have a consistently smaller negative log-likelihood than KME.",
        "By the table, of 14 data sets (S-KMSE, F-KMSE): 11 and 10 for LIN, 12 and 14 for POLY2, 12 and 13 for POLY3,"
        " 12 and 14 for RBF.",
        ("reproduce shrinkage-table-1",),
    ),
    Erratum(
        "36", "000, 001, 002", "the mixture of Gaussians, (35) of 000",
        "Covariances from the Wishart distribution W(2I, 7) in d > 7 dimensions.",
        "These are singular, of rank 7: GG' with G of d x 7 entries N(0, 2). The noise adds .2 I to every covariance.",
        ("explorer.GaussianMixture.random",),
    ),
    Erratum(
        "37", "001, 002", "Figure 2, the axes",
        "Losses that are nearly flat in n: from 2 to 6e5 for POLY2, from 3 to 5.5e8 for POLY3.",
        "KME's expected loss is exactly Δ, which falls as 1/n. The levels of these axes cannot be reproduced.",
        ("explorer.embeddings.risk.variance", "reproduce shrinkage-figure-2"),
    ),
    Erratum(
        "38", "001, 002", "weights that sum to one, sparsity",
        "Shrinkage estimates may be normalised, and held to the simplex they are sparse.",
        "S-KMSE divided by its sum is KME, and so is F-KMSE on the simplex. Only S-KMSE on the simplex is sparse.",
        ("explorer.SKMSE", "explorer.estimators.constraints.on_simplex"),
    ),
    Erratum(
        "39", "001", "section 3, related work",
        "F-KMSE is of a similar form as the conditional mean embedding.",
        "It is the average of conditional mean embeddings: with Y = X and the same λ, F-KMSE's weights are the mean"
        " over j of the weights β(x_j) = (K + λI)⁻¹ k(X, x_j), to rounding.",
        ("explorer.FKMSE", "explorer.ConditionalEmbedding.weights", "lesson 03"),
    ),
)  # fmt: skip
