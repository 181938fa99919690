"""The Marginalized lab's pictures, read from their columns."""

import numpy as np
import pytest
from helpers.lab_pictures import columns, tables, view_of

from explorer.estimators.marginalized.noise import density
from explorer.labs.marginalized import MarginalizedLab
from explorer.labs.marginalized import result as shown
from explorer.labs.marginalized.figures import (
    ACROSS,
    ALONG,
    COPIED,
    DISCS,
    EXTRA_RANGE,
    KEPT_RANGE,
    MISSED_RANGE,
    SIGMA_RANGE,
)
from explorer.marks.contours import middles
from explorer.marks.losses import LOSS
from explorer.workbench.replicates import Replicates

STATES = [
    {}, {"sigma": 0.0}, {"sigma": 0.123, "picture": "filter"}, {"sigma": 50.0}, {"n": 2, "d": 1, "ground": "MKME"},
    {"source": "axis", "d": 5, "picture": "approximation", "ground": "MMKME"}, {"picture": "dice", "n": 60},
    {"source": "wine", "n": 100, "picture": "filter"}, {"source": "wdbc", "n": 40, "picture": "dice", "ground": "MKME"},
    {"bandwidth": 1e-3}, {"bandwidth": 1e3, "picture": "approximation"}, {"first": 0.0, "second": 0.0},
]  # fmt: skip


def of(**fields):
    return MarginalizedLab(**fields).result()


@pytest.fixture(scope="module", params=STATES, ids=str)
def result(request):
    return of(**request.param)


def test_columns_have_one_length_and_lie_within_their_axes(result):
    drawn = columns(result)
    for source, data in drawn.items():
        assert len({np.shape(column) for column in data.values()}) == 1, source
        assert all(np.ndim(column) == 1 for column in data.values()), source
    for name in ("mkme", "mmkme"):
        assert np.nanmin(drawn[name]["x"]) >= SIGMA_RANGE[0]
        assert np.nanmax(drawn[name]["x"]) <= SIGMA_RANGE[1]
        assert np.nanmin(drawn[name]["y"]) >= LOSS.range[0]
        assert np.nanmax(drawn[name]["y"]) <= LOSS.range[1]
    ends = (("filter", "kept", KEPT_RANGE), ("here", "y", MISSED_RANGE), ("path", "thrown", EXTRA_RANGE))
    for source, column, (low, high) in ends:
        values = drawn[source][column][np.isfinite(drawn[source][column])]
        assert ((low <= values) & (values <= high)).all()
    assert np.isfinite(drawn["curves"]["mkme_score"]).all()
    assert np.isfinite(drawn["curves"]["mkme_risk"]).all() == (result.law is not None)


def test_the_curves_and_dots_are_the_results():
    result = of(sigma=0.5)
    drawn = columns(result)
    for name, path in (("mkme", result.mkme), ("mmkme", result.mmkme)):
        assert drawn["curves"][f"{name}_loss"].tolist() == path.loss[:-1].tolist()
        assert drawn["curves"][f"{name}_score"].tolist() == path.score[:-1].tolist()
        assert drawn[name]["x"].tolist() == [path.sigmas[path.loss.argmin()], path.chosen, 0.5]
        assert drawn[name]["y"].tolist() == [path.loss.min(), path.loss[-1], path.loss[result.row]]
        assert drawn[name]["fill"][0] == 0 < drawn[name]["fill"][1]  # hollow, because users cannot know it
    assert drawn["curves"]["mkme_risk"].tolist() == result.risk[:-1].tolist()
    assert (np.diff(drawn["curves"]["sigma"]) > 0).all()  # 0 is drawn left of 0.01


def test_discs_and_ellipses_are_the_noise():
    result = of(source="axis", d=3)
    drawn = columns(result)
    assert (drawn["discs"]["radius"] == result.mkme.deviations[-1, 0]).all()
    for side in ("width", "height"):
        assert (drawn["discs"][side] == 2 * drawn["discs"]["radius"]).all()
    assert not columns(of(d=1))["discs"]["height"].any()
    assert (drawn["ellipses"]["width"] == 2 * result.mmkme.deviations[-1, 0]).all()
    assert (drawn["ellipses"]["height"] == 2 * result.mmkme.deviations[-1, 1]).all()
    assert drawn["curves"]["radius"].tolist() == result.mkme.deviations[:-1, 0].tolist()
    assert len(columns(of(n=200))["discs"]["x"]) == DISCS
    assert len(drawn["ground"]["x"]) == len(drawn["density"]["w"]) == 0
    under = columns(of(ground="MKME"))
    assert len(under["discs"]["x"]) == len(under["ellipses"]["x"]) == 0


@pytest.mark.parametrize("ground", ["MKME", "MMKME"])
def test_the_cells_are_the_kernel_density_estimate(ground):
    """Return the distribution's density by a fine grid in each cell, with the third coordinate integrated out."""
    result = of(source="axis", d=3, ground=ground, sigma=0.5)
    path = result.mkme if ground == "MKME" else result.mmkme
    at = middles(columns(result)["ground"], (ACROSS, ALONG))
    w, h = (each[1] - each[0] for each in at)
    places = list(zip(*(each.ravel()[:200:7] for each in np.meshgrid(*at)), strict=True))
    peak = None
    for row in (-1, result.row):
        sigma = np.maximum(path.deviations[row, :2], 1e-3)
        law = density(result.X[:, :2], sigma)
        fine = (np.arange(40) + 0.5) / 40 - 0.5
        means = np.array(
            [
                np.exp(law.logpdf(np.column_stack([(x + np.repeat(fine, 40) * w), (y + np.tile(fine, 40) * h)]))).mean()
                for x, y in places
            ]
        )
        found = tables(result)["density", "w"][row][:200:7]
        if peak is None:
            peak = means[means.argmax()] / found[means.argmax()]
        # the midpoint rule in cells of a few σ, 40 points a side
        assert found == pytest.approx(means / peak, rel=2e-2, abs=1e-6)
    assert tables(result)["density", "w"][-1].max() == 1


@pytest.mark.thorough
def test_small_pictures_draw_their_numbers():
    kernel = of()
    drawn = columns(kernel)
    assert drawn["plain"]["k"].tolist() == kernel.slices.plain.tolist()
    assert drawn["slices"]["one"].tolist() == kernel.slices.one[-1].tolist()
    filtered = of(picture="filter", n=60)
    drawn = columns(filtered)
    assert drawn["sum"]["y"] == filtered.projected.sums[-1]
    assert drawn["filter"]["size"] ** 2 == pytest.approx(22**2 * filtered.projected.coefficients)  # areas are lengths
    near = np.abs(filtered.projected.kept[-1] - 1) < 0.7
    assert drawn["filter"]["kept"][near].tolist() == filtered.projected.kept[-1][near].tolist()
    missed = of(picture="approximation", bandwidth=1.0)
    drawn = columns(missed)["missed"]
    assert drawn["sigma"].tolist() == missed.mkme.sigmas[1:-1].tolist()
    seen = np.isfinite(drawn["printed"])
    assert drawn["printed"][seen].tolist() == missed.missed.printed[1:-1][seen].tolist()
    assert seen.sum() < len(seen)  # at large σ the density leaves the picture
    thrown = of(picture="dice")
    drawn = columns(thrown)
    assert drawn["path"]["thrown"].tolist() == thrown.thrown.path.tolist()
    assert len(drawn["copies"]["x"]) == 50 * 20 <= COPIED
    assert len(columns(of(picture="dice", n=300))["copies"]["x"]) <= COPIED


def test_bands_lie_where_further_samples_do(monkeypatch):
    lab = MarginalizedLab(samples=5)
    assert len(columns(lab.result())["bands"]["sigma"]) == 0
    losses = np.linspace(0.2, 4, 5)[:, None] * np.ones((1, 63))
    others = Replicates(np.ones(5), {"mkme": losses, "mmkme": losses / 2})
    monkeypatch.setattr(shown, "repeat", lambda *args, **options: others)
    drawn = columns(lab.result(wait=True))["bands"]
    assert drawn["mkme_1"] == pytest.approx(np.quantile(losses[:, 0], 0.25))
    assert (drawn["mkme_3"] == LOSS.range[1]).all()
    assert (drawn["mmkme_0"] < drawn["mkme_0"]).all()


def ends(view):
    """Return the ends of the sample picture's axes."""
    sample = view.figures["sample"]
    return [(each.start, each.end) for each in (sample.x_range, sample.y_range)]


@pytest.mark.thorough(default=["fields0", "fields1"])
@pytest.mark.parametrize(
    "fields", [{}, {"source": "axis", "d": 3}, {"source": "normal", "n": 8}, {"source": "wine", "n": 60}, {"n": 2}]
)
def test_the_sample_fills_its_frame_which_stays_while_sigma_moves(fields):
    view = view_of(of(**fields))
    before, drawn = ends(view), columns(of(**fields))
    for axis, (low, high) in zip("xy", before, strict=True):
        at = np.concatenate([drawn[source][axis] for source in ("points", "law")])
        assert np.nanmax(at) - np.nanmin(at) > 0.7 * (high - low)
    view.show(of(sigma=2.0, **fields))
    assert ends(view) == before
    view.show(of(seed=9, **fields))
    assert ends(view) != before


def test_titles_say_what_lies_under_the_sample():
    view = view_of(of())
    titles = set()
    for ground in ("discs", "MKME", "MMKME"):
        view.show(of(ground=ground))
        titles.add(view.figures["sample"].title.text)
    assert len(titles) == 3
    view.show(of(d=1))
    assert "one coordinate" in view.figures["sample"].yaxis.axis_label
