"""What a move costs on its way to the browser: one frame.

Bokeh sends each array of a change in two frames of its own; a move has about twenty arrays of 200 numbers, and taking
forty frames apart costs browser and server more than drawing them.
"""

from __future__ import annotations

import base64
import gzip
from importlib import import_module
from typing import Any

from bokeh.core.serialization import BytesRep, Serializer

SMALL = 16_384  # bytes: a larger array costs more to spell out than two frames do


class Inline(Serializer):
    """Spells small arrays out where the change names them."""

    def _encode_bytes(self, obj):
        if memoryview(obj).nbytes > SMALL:
            return super()._encode_bytes(obj)
        wrapped = gzip.compress(bytes(obj), compresslevel=0, mtime=1)  # the browser expects gzip's envelope
        return BytesRep(type="bytes", data=base64.b64encode(wrapped).decode())


def send_in_one_frame() -> None:
    """Let changes of all documents of this process travel so."""
    # not by an import: the package names the class like the module
    module: Any = import_module("bokeh.protocol.messages.patch_doc")
    module.Serializer = Inline
