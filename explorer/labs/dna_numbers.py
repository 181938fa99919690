"""The DNA lab's pictures once more, as tables and as sentences."""

from __future__ import annotations

import numpy as np

from explorer.workbench.numbers import number

from .dna_pairs import pair_of


def numbers(result):
    """Table -> column -> (rows,): the Gram matrix as it is drawn, both tests' null values, the profile."""
    rows = result.drawn
    letters, profile = result.profile.letters, result.profile
    return {
        "gram": {
            "row": np.repeat(rows + 1, len(rows)),
            "column": np.tile(rows + 1, len(rows)),
            "k": result.K[np.ix_(rows, rows)].ravel(),
        },
        "shuffles": {"mmd2": result.plain.null_distribution},
        "flips": {"mmd_by_monk": result.monk.null_distribution},
        "profile": {
            "place": np.arange(1, profile.first.shape[1] + 1),
            **{
                f"{side}_{letter}": table[i]
                for side, table in (("X", profile.first), ("Y", profile.second))
                for i, letter in enumerate(letters)
            },
        },
    }


def measures(result):
    """What two states are compared by."""
    xx, yy, xy = result.means
    return {
        "MMD², unbiased": result.plain.statistic,
        "p of the plain test": result.plain.pvalue,
        "MMD by MONK": result.monk.statistic,
        "p of MONK's test": result.monk.pvalue,
        "mean k within the first": xx,
        "mean k within the second": yy,
        "mean k across": xy,
    }


def twin(result):
    """One paragraph for each picture, for readers who do not see it."""
    return [_gram(result), _nulls(result), _profile(result), _pair(result)]


def _gram(result):
    xx, yy, xy = result.means
    drawn = result.K[np.ix_(result.drawn, result.drawn)]
    spoilt = result.lab.spoiled
    strays = f" The last {spoilt} rows are spoiled reads." if spoilt else ""
    return (
        f"The Gram matrix, {len(drawn)} of {len(result.K)} rows drawn. On average k is {number(xx)} between two reads"
        f" of {result.titles[0]}, {number(yy)} between two of {result.titles[1]} and {number(xy)} between one of each;"
        f" the largest value drawn is {number(float(drawn.max()))}.{strays}"
    )


def _nulls(result):
    said = []
    for name, test in (("The plain statistic", result.plain), ("MONK's", result.monk)):
        below = int((test.null_distribution < test.statistic - test.tolerance).sum())
        said.append(
            f"{name} is {number(test.statistic)}, {number(result.reach(test))} times what it must exceed at the level "
            f"{result.lab.level}, and larger than {below} of {len(test.null_distribution)} null values."
        )
    return " ".join(said)


def _profile(result):
    profile = result.profile
    apart = np.abs(profile.first - profile.second)
    letter, place = np.unravel_index(int(apart.argmax()), apart.shape)
    return (
        f"Letters at each of {apart.shape[1]} places. The samples differ most at place {place + 1}, where"
        f" {profile.letters[letter]} has the frequency {number(float(profile.first[letter, place]))} in"
        f" {result.titles[0]} and {number(float(profile.second[letter, place]))} in {result.titles[1]}; the kernel"
        " knows no places."
    )


def _pair(result):
    i, j = result.pair
    names = " and ".join(
        f"read {place} of {result.titles['XY'.index(side)]}" for side, place in pair_of(result.lab.pair)
    )
    return f"The pair shown is {names}, with k = {number(float(result.K[i, j]))}."
