"""A film as the bytes of a file: a GIF, which plays wherever a picture is shown, or an MP4, which is smaller."""

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

# colours of a GIF, how near two of them may be, and one more that lets what was there before shine through
COLOURS, NEAR, CLEAR = 127, 6.0, 127
SAMPLES = 6  # pictures from which a GIF's colours are chosen
RATE = 30  # pictures a second of an MP4
# every browser and every program for slides plays it, and begins before all of it is there
PLAYED = ["-crf", "20", "-tune", "animation", "-movflags", "+faststart", "-threads", "1"]
ENCODER = "imageio_ffmpeg"
MISSING = (
    "an MP4 is written by the encoder of imageio-ffmpeg, which is not installed; run"
    ' pip install "kernel-mean-explorer[film]", or write a .gif.'
)


def gif(film: Film, seconds: float | None = None) -> bytes:
    """A film of so many seconds as a GIF that begins again at its end.

    All pictures share one palette, and each has only what differs from the one before it.
    """
    times, palette = film.times(seconds), _palette(film)
    tables = (each.quantize(palette=palette, dither=Image.Dither.NONE) for each in film.pictures())
    out, first = io.BytesIO(), next(tables)
    first.save(
        out, "gif", save_all=True, append_images=_changed(first, tables), transparency=CLEAR, disposal=1, loop=0,
        duration=[round(1000 * each) for each in times], optimize=False,
    )  # fmt: skip
    return out.getvalue()


def _palette(film):
    """The colours of a GIF as an image that has them, from pictures of some stops.

    The most frequent colour is taken with all that are as near to it as makes no difference, then the most frequent of
    the others, and so on; no colour of those pictures is farther from one that is taken.
    """
    wide, high = film.size
    stops = sorted({round(each) for each in np.linspace(0, len(film) - 1, SAMPLES)})
    sheet = Image.new("RGB", (wide, high * len(stops)))
    for place, picture in enumerate(film.pictures(stops)):
        sheet.paste(picture, (0, place * high))
    counted: Any = sheet.getcolors(wide * high * len(stops))
    colours = np.array([colour for _, colour in sorted(counted, reverse=True)])
    near, taken = NEAR, _apart(colours, NEAR)
    while len(taken) > COLOURS:
        near *= 1.3
        taken = _apart(colours, near)
    palette = Image.new("P", (1, 1))
    palette.putpalette([part for colour in taken for part in colour])
    return palette


def _apart(colours, near):
    """Colours of a list, the first ones first, that are farther from one another than that."""
    taken = []
    while len(colours):
        taken.append(colours[0].tolist())
        colours = colours[np.abs(colours - colours[0]).max(axis=1) > near]
    return taken


def _changed(first, others):
    """Each picture without what is as in the one before it."""
    before = np.asarray(first)
    for each in others:
        now = np.asarray(each)
        part = Image.fromarray(np.where(now == before, CLEAR, now).astype(np.uint8), "P")
        part.putpalette(each.getpalette())
        before = now
        yield part


def mp4(film: Film, seconds: float | None = None) -> bytes:
    """A film of so many seconds as an MP4. Refusal where its encoder is not installed."""
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
    """Whether what writes an MP4 is installed; nothing is loaded for that."""
    return find_spec(ENCODER) is not None


def _encoder() -> Callable[..., Any]:
    try:
        from imageio_ffmpeg import get_ffmpeg_exe, write_frames  # only who wants an MP4 needs it

        get_ffmpeg_exe()  # where the package has come without its program, this says so
    except (ImportError, RuntimeError) as error:
        raise Refusal(MISSING) from error
    return write_frames
