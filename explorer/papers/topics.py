"""Topics that the five texts name in addition to their main results, and where this project treats each one.

`explorer list topics` prints the table. TOPICS["universal"] is a row. A place is written as in the list of errata: a
name to import, "lab /<name>" or the link of a state, "reproduce <name>" for a study, "lesson <number>".
"""

from __future__ import annotations

from typing import NamedTuple


class Topic(NamedTuple):
    """A row of the table.

    Attributes
    ----------
    name : str
        One word, as the command takes it.
    papers : str
        The texts that name the topic, by their numbers in `erratum.PAPERS`.
    about : str
        What the topic is.
    shown_in : tuple of str
        The places that show it.
    lacks : str
        What is missing here; empty if nothing is.
    """

    name: str
    papers: str
    about: str
    shown_in: tuple[str, ...]
    lacks: str = ""

    def __str__(self) -> str:
        lacks = f" Not here: {self.lacks}." if self.lacks else ""
        return f"{self.about}. Papers {self.papers}. Seen in: {', '.join(self.shown_in)}.{lacks}"


# fmt: off
PRESENT = (
    Topic("expectation", "003", "E f(X) is the inner product of f and μ",
          ("lab /shrinkage?picture=values", "lesson 01", "explorer.Embedding.inner")),
    Topic("universal", "003", "Universal kernels are characteristic; strictly positive definite ones need not be",
          ("lesson 01",)),
    Topic("exponential", "004", "Under the exponential kernel the kernel mean is the moment generating function",
          ("lab /shrinkage?source=gaussian&n=50&d=1&mean=0.5&kernel=EXP&bandwidth=1.6&picture=values&probe=2.0",
           "lesson 01", "explorer.Exponential")),
    Topic("energy", "004", "Energy distance (N-distance) is 2 MMD²",
          ("lab /twosample?kernel=distance", "lesson 06", "lesson 07", "explorer.Energy")),
    Topic("product", "003", "Product kernels on X x Y", ("lab /independence", "explorer.Product")),
    Topic("inadmissible", "002", "That KME is inadmissible is a statement on an oracle (erratum 19)",
          ("lab /shrinkage?picture=oracle", "reproduce atlas", "lesson 02")),
    Topic("leave-one-out", "002", "Leave-one-out in closed form, O(n²) after one eigendecomposition, naive O(n⁴)",
          ("reproduce shrinkage-seconds",)),
    Topic("cose", "002", "Covariance operators with shrinkage, and tensors of higher order",
          ("lab /kernel_pca", "lesson 10", "explorer.CovarianceOperator")),
    Topic("bayesian", "000", "The Bayesian kernel mean and its band",
          ("lab /shrinkage?d=1&picture=values&bayesian=true", "lesson 02", "explorer.BayesianKME")),
    Topic("conditional-mean", "002", "F-KMSE is the average of conditional kernel means (erratum 39)",
          ("lab /shrinkage?picture=fits", "lesson 03")),
    Topic("noise-per-axis", "000", "MMKME: one variance for each axis, full covariances, one for each point",
          ("lab /marginalized?third=full", "lab /marginalized?third=local", "explorer.MMKME", "explorer.Embedding")),
    Topic("other-noise", "000", "Noise of other distributions", ("lab /marginalized?third=laplace", "lesson 04")),
    Topic("bahsic", "003", "Feature selection by HSIC (BAHSIC)", ("lab /independence?picture=elimination",)),
    Topic("cluhsic", "003", "Clustering by HSIC (CLUHSIC), kernel k-means",
          ("lab /kernel_pca?picture=clusters", "lesson 11", "explorer.CLUHSIC", "explorer.KernelKMeans")),
    Topic("discriminant", "000, 002, 004", "Kernel canonical correlation and Fisher's discriminant",
          ("lab /kernel_pca?picture=discriminant", "lab /independence?picture=canonical", "lesson 10",
           "explorer.KernelCCA", "explorer.KernelFDA")),
    Topic("causes", "000, 004", "Joint and conditional independence, causal discovery",
          ("lab /causes", "lesson 07", "explorer.dhsic_test", "explorer.kci_test", "explorer.gcm_test")),
    Topic("changes", "004", "Detecting a change point", ("lab /drift", "lesson 15", "explorer.scan")),
    Topic("criticism", "004", "Prototypes and criticisms of data or a model",
          ("lab /few", "lab /twosample", "lesson 11")),
    Topic("fit", "004", "Goodness of fit by Stein's discrepancy",
          ("lab /fit", "lesson 11", "explorer.ksd_test", "explorer.fssd_test")),
    Topic("flow", "004", "Particles that move down the MMD, moment matching",
          ("lab /few?picture=flow", "explorer.mmd_flow", "lab /density")),
    Topic("functions", "004", "Functions of random variables, and approximate Bayesian computation (K2-ABC)",
          ("reproduce functions", "lesson 01", "lesson 08", "explorer.Embedding.map"),
          "spectral and reinforcement learning, adaptive Markov chains, Koopman operators"),
    Topic("entropy", "003", "Maximum entropy under moments matched to ε", ("lab /density", "explorer.MaximumEntropy"),
          "the links to Gaussian processes and random fields"),
    Topic("bags", "003, 004", "Distribution regression, vector outputs, multiple instances",
          ("lab /distributions?picture=outputs", "reproduce article-regression", "explorer.DistributionRegression")),
    Topic("domains", "003", "Domain adaptation: DICA, and transfer components, which are a limit of it",
          ("lab /adaptation?picture=domains", "lesson 13", "explorer.DICA")),
    Topic("data", "001, 002", "Kernel PCA and anomalous groups on data sets",
          ("reproduce shrinkage-figure-3", "reproduce shrinkage-table-2"),
          "scenes and particle physics (other data stand in for them)"),
    Topic("examples", "003", "Entropy from samples, aerosols, the example with tables",
          ("reproduce article-regression", "lab /conditional"), "aerosols (simulated data stand in for them)"),
    Topic("programs", "004", "The authors' program and the toolbox ITE on which it rests",
          ("lesson 05", "reproduce monk-table-1")),
    Topic("mmd-rate", "004", "The rate of the MMD, N1^(-1/2) + N2^(-1/2)",
          ("lab /twosample?picture=rate", "reproduce monk-rate")),
    Topic("measures", "003", "HSIC compared with mutual information, Pearson's correlation and distance correlation",
          ("lab /independence?picture=measures", "reproduce article-dependence")),
    Topic("robust", "004", "Covariance operators that outliers do not move",
          ("lab /independence?picture=canonical&robust=true", "reproduce monk-covariance")),
    Topic("prior-noise", "000", "Prior knowledge as the noise of a marginalized estimator",
          ("lab /marginalized?source=measured&third=known", "explorer.MKME")),
    Topic("consistency", "000", "√n-consistency of shrinkage and marginalized estimators",
          ("reproduce marginalized-consistency",)),
    Topic("subspace", "003", "The central subspace: y independent of x given C'x",
          ("reproduce article-domains", "explorer.DICA", "lab /causes", "explorer.kci_test")),
    Topic("kinds", "003", "HSIC between data of two kinds",
          ("lab /independence?source=strings", "reproduce article-kinds")),
)
# fmt: on

TOPICS: dict[str, Topic] = {topic.name: topic for topic in PRESENT}
