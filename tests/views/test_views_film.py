"""The film of more samples: its curves, and its average, which is the headline's."""

import numpy as np
import pytest
from helpers.lab_pictures import columns

from explorer.labs.marginalized import MarginalizedLab
from explorer.labs.shrinkage import ShrinkageLab
from explorer.marks.losses import SHOWN

LABS = {ShrinkageLab: ("simple", "flexible"), MarginalizedLab: ("mkme", "mmkme")}


@pytest.fixture(params=LABS, ids=lambda lab: lab.__name__)
def lab(request):
    return request.param


def test_without_more_samples_there_is_no_film(lab):
    drawn = columns(lab(n=10).result())
    for name in LABS[lab]:
        for part in ("samples", "film", "average"):
            assert all(len(column) == 0 for column in drawn[f"{name}_{part}"].values())


def test_the_film_shows_the_samples_curves_and_ends_at_their_average(lab):
    result = lab(n=10, samples=60).result(wait=True)
    drawn, others = columns(result), result.replicates
    assert others.count == 60
    for name in LABS[lab]:
        film, average = drawn[f"{name}_samples"], drawn[f"{name}_average"]
        curves = film["y"].reshape(SHOWN, -1)
        assert np.isnan(curves[:, -1]).all()
        assert np.array_equal(curves[:, :-1], others.losses[name][:SHOWN, :-1])
        assert np.array_equal(film["weight"].reshape(SHOWN, -1)[:, 0], others.empirical[:SHOWN])
        assert np.array_equal(film["x"].reshape(SHOWN, -1)[7, :-1], average["x"])
        # the headline's averages, one sample after the other
        for row in (0, 20, 35, 59):
            said = 1 - others.gain(name, row)
            drawn_there = average["y"][row]
            assert np.isnan(drawn_there) if said > 1.6 else drawn_there == pytest.approx(said, abs=1e-12)
