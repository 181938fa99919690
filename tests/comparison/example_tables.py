"""Tables with six kinds of columns, and changes of them."""

import numpy as np
import pandas as pd


def six_columns(n, rng, shift=0.0, spread=1.0):
    """Return a normal column, a log-normal one, whole numbers with ties, two categories, and one of mostly zeros."""
    rng = np.random.default_rng(rng)
    return pd.DataFrame(
        {
            "height": rng.normal(170 + shift, 10 * spread, n),
            "income": rng.lognormal(8, 1, n),
            "visits": rng.poisson(3, n),
            "city": rng.choice(["A", "B", "C"], n, p=[0.5, 0.3, 0.2]),
            "sex": rng.choice(["f", "m"], n),
            "debt": np.where(rng.random(n) < 0.8, 0.0, rng.exponential(100, n)),
        }
    )
