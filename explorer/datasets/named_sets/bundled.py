"""Sets that need no file: two that scikit-learn contains, and NIST's Eckerle4 of 35 pairs."""

from __future__ import annotations

from typing import Any

import numpy as np

# pairs of wavelength and transmittance, as NIST publishes them
_ECKERLE4 = """
400.0 0.0001575  405.0 0.0001699  410.0 0.0002350  415.0 0.0003102  420.0 0.0004917  425.0 0.0008710  430.0 0.0017418
435.0 0.0046400  436.5 0.0065895  438.0 0.0097302  439.5 0.0149002  441.0 0.0237310  442.5 0.0401683  444.0 0.0712559
445.5 0.1264458  447.0 0.2073413  448.5 0.2902366  450.0 0.3445623  451.5 0.3698049  453.0 0.3668534  454.5 0.3106727
456.0 0.2078154  457.5 0.1164354  459.0 0.0616764  460.5 0.0337200  462.0 0.0194023  463.5 0.0117831  465.0 0.0074357
470.0 0.0022732  475.0 0.0008800  480.0 0.0004579  485.0 0.0002345  490.0 0.0001586  495.0 0.0001143  500.0 0.0000710
"""


def _eckerle4():
    pairs = np.array(_ECKERLE4.split(), dtype=np.float64).reshape(-1, 2)
    return pairs[:, :1], pairs[:, 1], ("wavelength",)


def _wine():
    from sklearn.datasets import load_wine

    bunch: Any = load_wine()
    return bunch.data, bunch.target + 1.0, _names(bunch)  # UCI's classes are 1, 2, 3


def _wdbc():
    from sklearn.datasets import load_breast_cancer

    bunch: Any = load_breast_cancer()
    return bunch.data, np.array(["M", "B"])[bunch.target], _names(bunch)  # UCI's letters for malignant and benign


def _names(bunch):
    return tuple(str(name).replace(" ", "_").replace("/", "_") for name in bunch.feature_names)


# maps a name to a function that returns X, the target and the names of the columns
BUNDLED = {"eckerle4": _eckerle4, "wine": _wine, "wdbc": _wdbc}
