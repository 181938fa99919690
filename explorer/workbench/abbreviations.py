"""Abbreviations in texts of the labs, and the names that they stand for."""

from __future__ import annotations

import re
from collections.abc import Iterable

from explorer.languages import message, translate

ABBREVIATIONS = message(
    {
        "S-KMSE": "simple kernel mean shrinkage estimator",
        "F-KMSE": "flexible kernel mean shrinkage estimator",
        "KME": "kernel mean estimator",
        "MKME": "marginalized kernel mean estimator",
        "MMKME": "marginalized kernel mean estimator, one σ per coordinate",
        "RKHS": "reproducing kernel Hilbert space",
        "MMD": "maximum mean discrepancy",
        "MMDAgg": "MMD test aggregated over bandwidths",
        "MMD-FUSE": "MMD test fused over kernels",
        "MONK": "median of means in the kernel's space",
        "BCD": "block coordinate descent",
        "HSIC": "Hilbert–Schmidt independence criterion",
        "HSICAgg": "HSIC test aggregated over bandwidths",
        "dHSIC": "HSIC of several variables at once",
        "KCI": "kernel conditional independence test",
        "GCM": "generalised covariance measure",
        "KSD": "kernel Stein discrepancy",
        "KSDAgg": "KSD test aggregated over bandwidths",
        "RV": "linear correlation of several columns with several others",
        "RBF": "radial basis function, the Gaussian kernel",
        "IMQ": "inverse multiquadric kernel",
        "PCA": "principal component analysis",
        "KPCA": "kernel principal component analysis",
        "SVD": "singular value decomposition",
        "ARD": "automatic relevance determination, one bandwidth per coordinate",
        "S-COSE": "simple covariance operator shrinkage estimator",
        "F-COSE": "flexible covariance operator shrinkage estimator",
        "DICA": "domain-invariant component analysis",
        "TCA": "transfer component analysis",
        "KMM": "kernel mean matching",
        "EI": "from exon to intron",
        "IE": "from intron to exon",
    }
)
# longest first; a hyphen before it makes it a part of another name, a hyphen after it begins a German compound
WHOLE = re.compile(
    rf"(?<![\w-])(?:{'|'.join(sorted(map(re.escape, ABBREVIATIONS), key=len, reverse=True))})(?![A-Za-z0-9])"
)


def abbreviations_in(texts: Iterable[str]) -> dict[str, str]:
    """Return the abbreviations in texts, in order of their first appearance, with their full names.

    Parameters
    ----------
    texts : iterable of str
        Plain texts.

    Returns
    -------
    dict of str to str
        Abbreviation -> full name, translated.

    Examples
    --------
    >>> abbreviations_in(["MMD² = 0.04 by MONK, and the MMD again"])
    {'MMD': 'maximum mean discrepancy', 'MONK': "median of means in the kernel's space"}
    """
    found = dict.fromkeys(name for text in texts for name in WHOLE.findall(text))
    return {name: translate(ABBREVIATIONS[name]) for name in found}
