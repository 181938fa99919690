"""Models, samples that fit them and do not, and the Stein kernel by its definition, in sixty digits."""

from decimal import Decimal, localcontext

import numpy as np

from explorer import Gaussian, GaussianMixture, InverseMultiquadric, RationalQuadratic, StudentT

NORMAL = GaussianMixture([1.0], [[0.0]], [[1.0]])
MIXTURE = GaussianMixture([0.4, 0.6], [[-1.0, 0.0], [1.0, 1.0]], [np.eye(2), [[0.5, 0.2], [0.2, 0.8]]])
HEAVY = StudentT(4.0, [0.5, -1.0], [[1.0, 0.4], [0.4, 0.7]])
MODELS = {"normal": NORMAL, "mixture": MIXTURE, "t": HEAVY}
KERNELS = [Gaussian(1.3), InverseMultiquadric(0.9), InverseMultiquadric(1.5, -0.8), RationalQuadratic(1.1, 0.6)]
STEP = Decimal("1e-15")  # its square is what a central difference errs by


def squared(x, y):
    return sum((a - b) ** 2 for a, b in zip(x, y, strict=True))


LINES = {
    Gaussian: lambda k, x, y: (-squared(x, y) / (2 * Decimal(k.bandwidth) ** 2)).exp(),
    InverseMultiquadric: lambda k, x, y: (Decimal(k.exponent) * (Decimal(k.scale) ** 2 + squared(x, y)).ln()).exp(),
    RationalQuadratic: lambda k, x, y: (
        -Decimal(k.alpha) * (1 + squared(x, y) / (2 * Decimal(k.alpha) * Decimal(k.bandwidth) ** 2)).ln()
    ).exp(),
}


def moved(x, j, by):
    return [*x[:j], x[j] + by, *x[j + 1 :]]


def by_definition(kernel, x, y, score_x, score_y):
    """<s(x), s(y)> k + <s(x), ∇_y k> + <s(y), ∇_x k> + Σ_j ∂²k / ∂x_j ∂y_j by central differences."""
    with localcontext() as context:
        context.prec = 60
        x, y, s, t = ([Decimal(float(v)) for v in each] for each in (x, y, score_x, score_y))

        def k(x, y):
            return LINES[type(kernel)](kernel, x, y)

        total = k(x, y) * sum(a * b for a, b in zip(s, t, strict=True))
        for j in range(len(x)):
            by_y = (k(x, moved(y, j, STEP)) - k(x, moved(y, j, -STEP))) / (2 * STEP)
            by_x = (k(moved(x, j, STEP), y) - k(moved(x, j, -STEP), y)) / (2 * STEP)
            both = sum(a * b * k(moved(x, j, a * STEP), moved(y, j, b * STEP)) for a in (1, -1) for b in (1, -1)) / (
                4 * STEP**2
            )
            total += s[j] * by_y + t[j] * by_x + both
        return float(total)


def table(kernel, X, model):
    """Return h(x_i, x_j), (n, n), one pair at a time."""
    scores = model.score(X)
    pairs = [[by_definition(kernel, x, y, s, t) for y, t in zip(X, scores, strict=True)]
             for x, s in zip(X, scores, strict=True)]  # fmt: skip
    return np.array(pairs)
