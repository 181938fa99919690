"""What a result of the Distributions lab costs; the coefficients are seconds, measured on one core."""

from __future__ import annotations

from explorer.workbench.cost import coordinates, timed

PAIR = 3.5e-9  # of the kernel's values between two points
CHOSEN = {  # seconds, seconds times n² and times n³ to choose an estimate of a bag, and seconds of a pair of bags
    "KME": (3e-5, 0.0, 0.0, 0.0),
    "S-KMSE": (2.5e-4, 1.5e-8, 0.0, 0.0),
    "F-KMSE": (1.2e-3, 1e-7, 2.5e-10, 0.0),
    "MKME": (1.6e-3, 5e-8, 0.0, 9e-5),
}
SIZES = (3, 5, 10, 20, 50, 100, 200)  # points in a bag, over which errors are drawn
BAGS, FEW, POINTS = 24, 6, 1200  # bags of each size at most, fewer of large ones, and at least so many
REPEATED = 2  # how often they are drawn anew
TABLE_BAGS = 40  # of a table whose number of bags the fields do not tell


def works(lab):
    """The Works of a state."""
    n, l, stops, new = lab.n, lab.bags, len(lab.stops), lab.new_bags if lab.toy else 0
    d = 2 if lab.toy else coordinates(lab)
    pairs = n**2 * (l**2 + 2 * l * stops + stops**2 / 2 + l * new + new)
    each, squared, cubed, pair = CHOSEN[lab.estimator]
    bags = 3 * l + 2 * stops + new
    seconds = 0.012 + PAIR * (1 + 0.05 * d) * pairs + bags * (each + squared * n**2 + cubed * n**3)
    seconds += pair * (l**2 + 3 * l * stops + l * new) + 2e-8 * l**3
    parts = [timed("the kernel means of the bags", seconds, 4e6 + 4 * n * d * bags, ("n", "bags"))]
    if not lab.toy:
        parts.append(timed("the refits without one bag", l * (1e-3 + 1e-6 * l**2), l**2, ("bags",)))
    if lab.picture == "size":
        each = sum(min(l, bags_of(size)) * _losses(size) for size in {*SIZES, n})
        parts.append(timed("the errors over the size of bags", REPEATED * each, 4e6, ("bags",), late=True))
    return parts


def bags_of(n):
    """How many bags of n points errors are averaged over, at most."""
    return max(FEW, min(BAGS, POINTS // n))


def _losses(n):
    """Seconds of one bag's estimates and their losses."""
    return sum(3e-4 + c + a * n**2 + b * n**3 for c, a, b, _ in CHOSEN.values()) + 2e-7 * n**2
