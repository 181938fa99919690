"""A film of a lab: a picture for each stop, GIF and MP4 files of them, and refusals."""

import io
import re
import subprocess
import sys
from functools import cache

import numpy as np
import pytest
from every_lab import ROWS, lab_of
from helpers.naming import naming
from PIL import Image, ImageSequence

from explorer.checks import Refusal
from explorer.execution.cancellation import Cancelled, cancelled_by
from explorer.exports.film import FASTEST, LONG, REST, WIDEST, Film
from explorer.exports.footage import COLOURS, KINDS, MISSING, gif, has_encoder, mp4
from explorer.exports.raster import image_of, images_of
from explorer.marks.roles import ROLES
from explorer.pages import page_class
from explorer.pages.layout.declarations import Conditional, MainSlider, parts_of
from explorer.workbench import registry
from explorer.workbench.content import content_of
from explorer.workbench.prose import finding

PLAYING = [name for name in ROWS if registry.entry(name).lab().played]
encoded = pytest.mark.skipif(not has_encoder(), reason="imageio-ffmpeg is not installed")


@cache
def film(name="shrinkage", **fields):
    return Film.of(lab_of(name, **fields), width=320)


@cache
def as_gif():
    return gif(film(), 6.0)


def test_it_has_a_scene_for_each_stop_with_its_value_and_its_headline():
    lab = lab_of("shrinkage")
    result, scenes = lab.result(wait=True), film().scenes
    assert len(scenes) == len(result.stops)
    assert len({scene.value for scene in scenes}) == len(scenes)
    words = registry.role("shrinkage", "words")
    for stop, scene in zip(result.stops, scenes, strict=True):
        state = result.at(stop)
        assert " ".join(scene.headline) == finding(words.headline(state, state.row))


def test_a_gif_plays_each_picture_for_its_time():
    image = Image.open(io.BytesIO(as_gif()))
    frames = [
        (frame.info["duration"], np.asarray(frame.convert("RGB"), dtype=int)) for frame in ImageSequence.Iterator(image)
    ]
    assert image.size == film().size
    assert image.info["loop"] == 0
    times = np.cumsum(film().times(6.0))
    ends = np.cumsum([duration for duration, _ in frames]) / 1000
    assert ends[-1] == pytest.approx(6.0)
    assert len(frames) <= len(times)  # equal frames are merged into one that is shown longer
    for picture, until in list(zip(film().pictures(), times, strict=True))[::10]:
        _, shown = frames[int(np.searchsorted(ends, until - 1e-6))]
        assert np.abs(np.asarray(picture, dtype=int) - shown).mean() < 1


def test_its_pictures_share_one_palette_and_hold_only_what_changed():
    raw = as_gif()
    assert raw.count(b"\x2c\x00\x00\x00\x00") <= 2  # full frames: the first, and perhaps one more
    assert len(raw) < len(film()) * len(_png(next(film().pictures())))


def _png(image):
    out = io.BytesIO()
    image.quantize(COLOURS).save(out, "png")
    return out.getvalue()


@encoded
def test_an_mp4_is_yuv420p_of_an_even_size_and_begins_with_its_index():
    import imageio_ffmpeg

    raw = mp4(film(), 3.0)
    assert raw.index(b"moov") < raw.index(b"mdat")
    done = subprocess.run(
        [imageio_ffmpeg.get_ffmpeg_exe(), "-hide_banner", "-i", "-", "-f", "null", "-"], input=raw, capture_output=True
    )
    told = done.stderr.decode()
    wide, high = film().size
    assert wide % 2 == high % 2 == 0
    assert re.search(rf"yuv420p(\(progressive\))?, {wide}x{high}", told)  # older encoders omit "progressive"
    assert "Duration: 00:00:03.00" in told
    assert "h264" in told


def test_without_the_encoder_the_refusal_names_its_package(monkeypatch):
    monkeypatch.setitem(sys.modules, "imageio_ffmpeg", None)
    with pytest.raises(Refusal, match="pip install"):
        mp4(film())
    assert 'pip install "kernel-mean-explorer[film]"' in MISSING


def test_dark_pictures_stand_on_dark_ground():
    lab = lab_of("shrinkage")
    for dark in (False, True):
        image = next(Film.of(lab, 320, dark).pictures())
        colour = "#{:02X}{:02X}{:02X}".format(*image.getpixel((2, 2)))
        assert colour == ROLES["ground"][dark].upper()


@pytest.mark.parametrize("seconds", [None, 4.0, 60.0])
def test_the_times_of_the_stops_add_up(seconds):
    times = film().times(seconds)
    assert times.sum() == pytest.approx(min(0.15 * len(times), LONG) + REST if seconds is None else seconds)
    assert times.min() >= FASTEST - 0.011
    assert times[-1] == times.max()


@pytest.mark.parametrize("seconds", [0, 0.5, 1.0, 61, float("nan"), float("inf"), -3])
def test_seconds_have_limits(seconds):
    with pytest.raises(Refusal, match=naming("1.83", "60 seconds")):
        film().times(seconds)


@pytest.mark.parametrize("width", [0, 319, WIDEST + 1, -720])
def test_a_width_has_limits(width):
    with pytest.raises(Refusal, match=naming("320", "1600 px")):
        Film(film().scenes, "", width)


def test_a_lab_that_does_not_play_is_refused_with_those_that_do():
    with pytest.raises(Refusal, match=naming("slider", "shrinkage")):
        Film.of(registry.entry("sweep").lab())


def test_a_film_that_nobody_wants_ends():
    asked = iter([False] * 3)
    with pytest.raises(Cancelled), cancelled_by(lambda: next(asked, True)):
        gif(film())


def test_what_pictures_share_is_drawn_once_and_they_are_the_same():
    drawings = [film()._drawing(stop) for stop in (0, 30, 30, 60, 0)]
    for drawing, image in zip(drawings, images_of(drawings, *film().size), strict=True):
        assert image.tobytes() == image_of(drawing, *film().size).tobytes()


@pytest.mark.thorough(default=["dna", "monk"])
@pytest.mark.parametrize("name", PLAYING)
def test_each_lab_has_a_film_whose_pictures_differ(name):
    made = Film.of(lab_of(name), width=320)
    first, *_, last = (image.tobytes() for image in made.pictures([0, len(made) - 1]))
    assert first != last
    assert all(scene.headline for scene in made.scenes)


def _movers(part, result):
    """Return the fields whose sliders have a Play button on a result's page."""
    if isinstance(part, MainSlider):
        yield part.slider
    elif not isinstance(part, Conditional) or part.when(result):
        for each in getattr(part, "inner", ()):
            yield from _movers(each, result)


@pytest.mark.thorough(default=["shrinkage", "few"])
@pytest.mark.parametrize("name", PLAYING)
def test_a_lab_knows_which_slider_its_page_plays(name):
    entry, page = registry.entry(name), page_class(name)
    assert any(isinstance(part, MainSlider) for part in parts_of(page.left))
    for preset in content_of(name).presets:
        lab = entry.lab(**preset.fields)
        assert next(_movers(page.left, lab.result())) == lab.played, preset.name


def test_every_kind_is_written():
    assert set(KINDS) == {"gif", "mp4"}
