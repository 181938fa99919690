"""The printed tables of negative log-likelihoods, and a comparison of each with ours."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np

from explorer.papers.entry import TableComparison

KERNELS = ("LIN", "POLY2", "POLY3", "RBF")
SHRINKAGE = ("KME", "S-KMSE", "F-KMSE")
MARGINALIZED = (*SHRINKAGE, "MKME", "MMKME")

# paper 001, Table 1: data set, then KME, S-KMSE, F-KMSE under LIN, POLY2, POLY3, RBF
_TABLE_1 = """
ionosphere 33.2440 33.0325 33.1436 53.1266 53.7067 50.8695 51.6800 49.9149 47.4461 40.8961 40.5578 39.6804
sonar 72.6630 72.8770 72.5015 120.3454 108.8246 109.9980 102.4499 90.3920 91.1547 71.3048 70.5721 70.5830
australian 18.3703 18.3341 18.3719 18.5928 18.6028 18.4987 41.1563 34.4303 34.5460 17.5138 17.5637 17.4026
specft 56.6138 55.7374 55.8667 67.3901 65.9662 65.2056 63.9273 63.5571 62.1480 57.5569 56.1386 55.5808
wdbc 30.9778 30.9266 30.4400 93.0541 91.5803 87.5265 58.8235 54.1237 50.3911 30.8227 30.5968 30.2646
wine 15.9225 15.8850 16.0431 24.2841 24.1325 23.5163 35.2069 32.9465 32.4702 17.1523 16.9177 16.6312
satimage 19.6353 19.8721 19.7943 149.5986 143.2277 146.0648 52.7973 57.2482 45.8946 20.3306 20.5020 20.2226
segment 22.9131 22.8219 22.0696 61.2712 59.4387 54.8621 38.7226 38.6226 38.4217 17.6801 16.4149 15.6814
vehicle 16.4145 16.2888 16.3210 83.1597 79.7248 79.6679 70.4340 63.4322 48.0177 15.9256 15.8331 15.6516
svmguide2 27.1514 27.0644 27.1144 30.3065 30.2290 29.9875 37.0427 36.7854 35.8157 27.3930 27.2517 27.1815
vowel 12.4227 12.4219 12.4264 32.1389 28.0474 29.3492 25.8728 24.0684 23.9747 12.3976 12.3823 12.3677
housing 15.5249 15.1618 15.3176 39.9582 37.1360 32.1028 50.8481 49.0884 35.1366 14.5576 14.3810 13.9379
bodyfat 17.6426 17.0419 17.2152 44.3295 43.7959 42.3331 27.4339 25.6530 24.7955 16.2725 15.9170 15.8665
abalone 4.3348 4.3274 4.3187 14.9166 14.4041 11.4431 20.6071 23.2487 23.6291 4.6928 4.6056 4.6017
glass 10.4078 10.4451 10.4067 33.3480 31.6110 30.5075 45.0801 34.9608 25.5677 8.6167 8.4992 8.2469
"""
# paper 000, Tables 1 (d at n = 100) and 2 (n at d = 10): KME, S-KMSE, F-KMSE, MKME, MMKME
_STUDENT_D = """
5 7.9538 7.8613 8.2966 7.8204 7.6027    6 9.1763 9.2631 9.3052 9.0218 9.0133
7 11.3587 11.2612 11.3377 11.0209 11.1506    8 14.0386 13.2274 13.2631 13.2302 13.0608
9 14.1509 14.0739 14.3102 14.0137 14.0102    10 16.0481 15.8311 15.0027 15.0543 14.9256
"""
_STUDENT_N = """
15 36.1393 19.8977 16.2368 17.2840 17.5206    30 19.3506 17.2619 16.0031 15.4565 15.4375
60 16.8827 15.1718 14.8837 14.4377 14.3526    90 14.9235 14.9216 14.6258 14.4310 14.5587
120 14.4762 14.1780 14.2349 14.0212 14.0138    150 14.5205 14.0224 14.0583 13.8726 13.9737
"""
# paper 000, Table 3, which calls wdbc wbdc
_TABLE_3 = """
wine 15.8832 15.6951 15.2647 15.2105 15.0128    glass 9.3762 9.3493 9.8883 9.5733 9.3488
bodyfat 27.4102 27.2059 27.9233 26.9305 26.9582    svmguide2 27.3456 28.4625 27.2999 26.9327 26.8865
ionosphere 33.2007 32.5539 32.5544 32.5503 32.4799    housing 15.7106 17.4248 11.2465 10.6317 12.3365
sonar 77.6716 74.7398 76.0413 74.0239 73.8970    specft 52.6763 49.6952 49.6642 49.7394 49.8805
bupa 6.7521 6.7382 6.7520 6.4515 6.2730    lymphography 42.5804 46.8639 34.2432 27.1871 26.0653
primary 35.8407 33.1766 34.6557 26.9263 28.6515    flag 37.7335 37.3129 14.1088 13.5311 14.8627
hayes 6.7454 5.9180 6.1711 5.6200 5.8683    wdbc 32.3002 27.1686 27.1380 27.1122 26.6011
australian 5.5765 5.3334 5.2259 5.3703 5.2407
"""


def _rows(text, names):
    """Return {first word: {name: number}} of rows that follow each other."""
    words = text.split()
    width = 1 + len(names)
    return {
        words[i]: dict(zip(names, map(float, words[i + 1 : i + width]), strict=True))
        for i in range(0, len(words), width)
    }


TABLE_1: dict[tuple[str, str], Mapping[str, float]] = {
    (data, kernel): {name: row[kernel, name] for name in SHRINKAGE}
    for data, row in _rows(_TABLE_1, [(kernel, name) for kernel in KERNELS for name in SHRINKAGE]).items()
    for kernel in KERNELS
}
STUDENT: dict[tuple[int, int], Mapping[Any, float]] = {
    **{(100, int(d)): row for d, row in _rows(_STUDENT_D, MARGINALIZED).items()},
    **{(int(n), 10): row for n, row in _rows(_STUDENT_N, MARGINALIZED).items()},
}
TABLE_3: dict[tuple[str], Mapping[Any, float]] = {(data,): row for data, row in _rows(_TABLE_3, MARGINALIZED).items()}


def smaller(printed: Mapping[tuple[str, str], Mapping[str, float]], ours: str, *rivals: str) -> tuple[int, int]:
    """Return (rows in which `ours` has a smaller printed number than every rival, all rows) of a printed table."""
    rows = list(printed.values())
    return sum(row[ours] < min(row[rival] for rival in rivals) for row in rows), len(rows)


def compare_with_printed(
    printed: Mapping[Any, Mapping[Any, float]],
    axes: Sequence[str],
    more: Sequence[str],
    remarks: tuple[str, ...],
) -> Callable[..., Any]:
    """Return a function cells -> TableComparison of each computed row of a printed table with our means.

    `more` names further columns of ours, which have no printed counterpart.
    """
    names = tuple(next(iter(printed.values())))

    def compare(cells):
        rows = []
        for cell in cells:
            at = tuple(cell.values[axis] for axis in axes)
            theirs = printed.get(at, {})
            words = [", ".join(str(value) for value in at)]
            for name in names:
                words += [f"{theirs[name]:.2f}" if theirs else "none", _mean(cell, name)]
            rows.append((*words, *(_mean(cell, name) for name in more)))
        columns = [", ".join(axes), *(f"{name}, {which}" for name in names for which in ("printed", "ours"))]
        caption = "Mean negative log-likelihood of held-out points, as printed and ours."
        return TableComparison(caption, (*columns, *(f"{name}, ours" for name in more)), tuple(rows), remarks)

    return compare


def _mean(cell, name):
    return f"{np.mean(cell.table[name]):.2f}" if name in cell.table else "not computed"
