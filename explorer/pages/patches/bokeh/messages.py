"""Patch of Bokeh that sends a change to the browser in one frame.

A move of a slider has about twenty arrays of 200 numbers. Bokeh sends each in two frames of its own since it has binary
transport, and no issue asks for another form of small arrays.
"""

from __future__ import annotations

import base64
import gzip
from importlib import import_module
from typing import Any

from bokeh.core.serialization import BytesRep, Serializer

from explorer.library_patch import patch

SMALL = 16_384  # bytes; a larger array costs more to encode in the change than two frames do


class Inline(Serializer):
    """Serializer that writes small arrays into the change itself."""

    def _encode_bytes(self, obj):
        if memoryview(obj).nbytes > SMALL:
            return super()._encode_bytes(obj)
        wrapped = gzip.compress(bytes(obj), compresslevel=0, mtime=1)  # the browser expects gzip's envelope
        return BytesRep(type="bytes", data=base64.b64encode(wrapped).decode())


@patch(
    "Bokeh",
    "Each array of a change has two frames of its own, and decoding forty frames costs more than drawing the arrays.",
    "https://github.com/bokeh/bokeh/pull/6906",
)
def send_in_one_frame() -> None:
    """Send the changes of all documents of this process in one frame each."""
    # import_module is needed, because the package's class hides the module of the same name
    module: Any = import_module("bokeh.protocol.messages.patch_doc")
    module.Serializer = Inline
