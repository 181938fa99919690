"""The laws that the MONK lab draws its pairs from."""

from __future__ import annotations

from explorer.embeddings import GaussianMixture, Pareto

LAWS = ("normals", "paper", "pareto")
LAW_FIELDS = ("laws", "d", "shift")
ONE_DIMENSIONAL = ("paper", "pareto")


def the_laws(lab):
    """P and Q: normal laws a shift apart in the first coordinate, the normal pair of paper 004, or Pareto's law
    twice.
    """
    if lab.laws == "pareto":
        return Pareto(3.0), Pareto(3.0)
    if lab.laws == "paper":
        return GaussianMixture([1.0], [[0.35]], [0.45**2]), GaussianMixture([1.0], [[0.75]], [0.85**2])
    rest = [0.0] * (lab.d - 1)
    return tuple(GaussianMixture([1.0], [[mean, *rest]], [1.0] * lab.d) for mean in (0.0, lab.shift))


def draw(P, Q, n, seed):
    """X and Y (n, d) of a seed; a larger n keeps the pairs that were there."""
    return P.sample(n, rng=2 * seed), Q.sample(n, rng=2 * seed + 1)
