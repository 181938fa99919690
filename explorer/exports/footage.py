"""A film as the bytes of a file: a GIF, which plays wherever pictures are shown, or an MP4, which is smaller."""

from __future__ import annotations

import io
import tempfile
from collections.abc import Callable
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from PIL import Image

from explorer.checks import Refusal

if TYPE_CHECKING:
    from .film import Film

# Number of colours of a GIF, their least distance, and the index of the transparent colour.
COLOURS, NEAR, CLEAR = 127, 6.0, 127
SAMPLES = 6  # number of pictures from which a GIF's colours are chosen
RATE = 30  # pictures a second of an MP4
# Every browser and every slide program plays this encoding, and starts before the whole file has arrived.
PLAYED = ["-crf", "20", "-tune", "animation", "-movflags", "+faststart", "-threads", "1"]
ENCODER = "imageio_ffmpeg"
MISSING = (
    "an MP4 is written by the encoder of imageio-ffmpeg, which is not installed; run"
    ' pip install "kernel-mean-explorer[film]", or write a .gif.'
)


def gif(film: Film, seconds: float | None = None) -> bytes:
    """Return a film as a GIF that repeats.

    All pictures share one palette, and each stores only its differences from the one before it.

    Parameters
    ----------
    film : Film
        The film.
    seconds : float or None, default None
        Its duration in seconds.

    Returns
    -------
    bytes
        The file.
    """
    times, palette = film.times(seconds), _palette(film)
    tables = (each.quantize(palette=palette, dither=Image.Dither.NONE) for each in film.pictures())
    out, first = io.BytesIO(), next(tables)
    first.save(
        out, "gif", save_all=True, append_images=_differences(first, tables), transparency=CLEAR, disposal=1, loop=0,
        duration=[round(1000 * each) for each in times], optimize=False,
    )  # fmt: skip
    return out.getvalue()


def _palette(film):
    """Return the colours of a GIF as an image that has them, from pictures of some stops.

    The most frequent colour is chosen and covers all colours that are too near to be distinguished, then the most
    frequent of the others, and so on. Every colour of those pictures is near a chosen one.
    """
    wide, high = film.size
    stops = sorted({round(each) for each in np.linspace(0, len(film) - 1, SAMPLES)})
    sheet = Image.new("RGB", (wide, high * len(stops)))
    for place, picture in enumerate(film.pictures(stops)):
        sheet.paste(picture, (0, place * high))
    counted: Any = sheet.getcolors(wide * high * len(stops))
    colours = np.array([colour for _, colour in sorted(counted, reverse=True)])
    near, chosen = NEAR, _distinct_colours(colours, NEAR)
    while len(chosen) > COLOURS:
        near *= 1.3
        chosen = _distinct_colours(colours, near)
    palette = Image.new("P", (1, 1))
    palette.putpalette([part for colour in chosen for part in colour])
    return palette


def _distinct_colours(colours, near):
    """Return colours of a list, the first ones first, that are farther apart than `near`."""
    chosen = []
    while len(colours):
        chosen.append(colours[0].tolist())
        colours = colours[np.abs(colours - colours[0]).max(axis=1) > near]
    return chosen


def _differences(first, others):
    """Yield each picture with the pixels that equal those of the one before it made transparent."""
    before = np.asarray(first)
    for each in others:
        now = np.asarray(each)
        part = Image.fromarray(np.where(now == before, CLEAR, now).astype(np.uint8), "P")
        part.putpalette(each.getpalette())
        before = now
        yield part


def mp4(film: Film, seconds: float | None = None) -> bytes:
    """Return a film as an MP4.

    Parameters
    ----------
    film : Film
        The film.
    seconds : float or None, default None
        Its duration in seconds.

    Returns
    -------
    bytes
        The file.

    Raises
    ------
    Refusal
        If the encoder is not installed.
    """
    ends, write_frames = np.round(np.cumsum(film.times(seconds)) * RATE), _encoder()
    with tempfile.TemporaryDirectory() as folder:
        place = Path(folder, "footage.mp4")
        encoding: dict[str, Any] = {"fps": RATE, "codec": "libx264", "pix_fmt_out": "yuv420p", "quality": None}
        writer = write_frames(str(place), film.size, macro_block_size=2, output_params=PLAYED, **encoding)
        writer.send(None)
        try:
            written = 0
            for picture, end in zip(film.pictures(), ends, strict=True):
                raw = picture.tobytes()
                for _ in range(written, int(end)):
                    writer.send(raw)
                written = int(end)
        finally:
            writer.close()
        return place.read_bytes()


KINDS: dict[str, Callable[[Film, float | None], bytes]] = {"gif": gif, "mp4": mp4}


def has_encoder() -> bool:
    """Return whether the encoder of MP4 files is installed, without loading it.

    Returns
    -------
    bool
        Whether it is installed.
    """
    return find_spec(ENCODER) is not None


def _encoder() -> Callable[..., Any]:
    try:
        from imageio_ffmpeg import get_ffmpeg_exe, write_frames  # an optional dependency, only for MP4 files

        get_ffmpeg_exe()  # raises RuntimeError if the package was installed without its program
    except (ImportError, RuntimeError) as error:
        raise Refusal(MISSING) from error
    return write_frames
