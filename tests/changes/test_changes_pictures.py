"""Pictures of a scan and of a Monitor by `plot` and in notebooks: they show the objects' own numbers."""

import holoviews as hv
import numpy as np
import pytest
from bokeh.models import FixedTicker
from helpers.naming import naming

from explorer import Gaussian, Monitor, plot, scan
from explorer.marks.changes import OneScan, scan_profile, wealth_path

RNG = np.random.default_rng(0)
ROWS = RNG.normal(size=(120, 1))
ROWS[70:] += 2
SCAN = scan(ROWS, Gaussian(1.0), segments=True, rng=0)
MONITOR = Monitor(ROWS[:60], rng=0).update(ROWS[60:])


@pytest.mark.thorough
def test_a_scan_s_profile_its_threshold_and_its_best_split():
    picture = plot(SCAN)
    assert [type(element).__name__ for element in picture] == ["Curve", "Curve", "HLines", "VLines", "VLines"]
    figure = hv.render(picture, backend="bokeh")
    assert (figure.xaxis[0].axis_label, figure.yaxis[0].axis_label) == ("row", "standardised MMD²")
    numbers = scan_profile.sources(OneScan(SCAN, 0.05))
    np.testing.assert_array_equal(numbers["profile"]["x"], np.arange(10, 111))
    np.testing.assert_array_equal(numbers["profile"]["y"], SCAN.profile[10:111])
    assert numbers["index"]["x"].tolist() == [SCAN.index]
    assert numbers["threshold"]["y"].tolist() == [SCAN.threshold(0.05)]
    assert numbers["breaks"]["x"].tolist() == list(SCAN.breaks)


def test_a_long_profile_keeps_its_peak():
    rows = np.random.default_rng(1).normal(size=(2600, 1))
    result = scan(rows, Gaussian(1.0), n_resamples=9, rng=0, approximation="nystrom", rank=20)
    numbers = scan_profile.sources(OneScan(result, 0.05))
    assert len(numbers["profile"]["x"]) <= 1000
    assert numbers["profile"]["y"].max() == result.statistic
    assert len(numbers["threshold"]["y"]) == 0  # nine orders are too few for the level


def test_a_level_and_no_other_option():
    assert plot(SCAN, level=0.2)
    with pytest.raises(ValueError, match=naming("level", "0", "1", "2")):
        plot(SCAN, level=2)
    with pytest.raises(ValueError, match=naming("'bins'", "ScanResult", "level")):
        plot(SCAN, bins=3)


def test_the_wealth_over_time():
    picture = plot(MONITOR)
    assert [type(element).__name__ for element in picture] == ["Curve", "Curve", "HLines", "VLines"]
    figure = hv.render(picture, backend="bokeh")
    assert (figure.xaxis[0].axis_label, figure.yaxis[0].axis_label) == ("rows of the stream", "wealth")
    assert figure.title.text.startswith(f"alarm at row {MONITOR.alarm_at}, wealth ")
    numbers = wealth_path.sources(MONITOR)
    np.testing.assert_array_equal(numbers["wealth"]["y"], MONITOR.path)
    assert numbers["limit"]["y"].tolist() == [20.0]


def test_a_monitor_that_has_seen_nothing_is_drawn():
    assert plot(Monitor(ROWS, rng=0))
    assert "<svg" in Monitor(ROWS, rng=0)._repr_html_()


def test_a_wealth_beyond_a_browser_s_whole_numbers_has_ticks():
    """HoloViews makes whole numbers of ticks, and a browser rounds those beyond 2^53."""
    rng = np.random.default_rng(0)
    monitor = Monitor(rng.normal(size=(200, 1)), rng=0).update(rng.normal(size=(800, 1)) + 3)
    assert monitor.wealth > 2**60
    figure = hv.render(plot(monitor), backend="bokeh")
    (axis,) = figure.yaxis
    assert max(axis.ticker.ticks) > 2**53
    assert set(axis.major_label_overrides) == set(axis.ticker.ticks)
    tickers = [*figure.select({"type": FixedTicker}), *(grid.ticker for grid in figure.ygrid)]
    assert all(isinstance(tick, float) for ticker in tickers for tick in ticker.ticks)
    assert all(isinstance(tick, float) for tick in axis.major_label_overrides)


def test_notebooks_show_the_sentence_and_a_picture():
    for thing in (SCAN, MONITOR):
        html = thing._repr_html_()
        assert "<svg" in html
        assert str(thing).split(",")[0] in html
