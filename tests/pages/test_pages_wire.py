"""Messages to the browser: arrays are inlined in JSON, and reading them back gives the same numbers."""

from __future__ import annotations

import numpy as np
import pytest
from bokeh.core.serialization import Deserializer, Serializer
from bokeh.document import Document
from bokeh.models import ColumnDataSource
from bokeh.protocol import Protocol

from explorer.pages.patches.bokeh.messages import SMALL, Inline, send_in_one_frame

ARRAYS = {
    "float64": np.linspace(-1, 1, 200),
    "float32": np.arange(7, dtype=np.float32),
    "int32": np.arange(5, dtype=np.int32),
    "empty": np.empty(0),
    "nan": np.array([np.nan, np.inf, -0.0]),
    "image": np.arange(6.0).reshape(2, 3),
    "every other": np.arange(10.0)[::2],
    "at the limit": np.zeros(SMALL // 8),
}


@pytest.mark.parametrize("array", ARRAYS.values(), ids=ARRAYS)
def test_small_arrays_are_spelled_out_and_read_back(array):
    serializer = Inline()
    written = serializer.encode(array)
    assert serializer.buffers == []
    read = Deserializer().decode(written)
    assert read.dtype == array.dtype
    np.testing.assert_array_equal(read, array)


def test_large_arrays_keep_frames_of_their_own():
    large = np.arange(SMALL // 8 + 1.0)
    ours, bokehs = Inline(), Serializer()
    assert len(ours.serialize(large).buffers) == len(bokehs.serialize(large).buffers) == 1
    np.testing.assert_array_equal(Deserializer().deserialize(ours.serialize(large)), large)


def test_a_change_of_many_columns_is_one_frame():
    send_in_one_frame()
    source, doc, heard = ColumnDataSource({name: np.zeros(9) for name in "abc"}), Document(), []
    doc.add_root(source)
    doc.on_change(heard.append)
    source.data.update({name: np.ones(9) for name in "abc"})
    message = Protocol().create("PATCH-DOC", heard)
    assert message.header["num_buffers"] == 0
    there = Document.from_json(doc.to_json())
    there.roots[0].data = {name: np.zeros(9) for name in "abc"}
    Protocol().assemble(message.header_json, message.metadata_json, message.content_json).apply_to_document(there)
    assert all((there.roots[0].data[name] == 1).all() for name in "abc")
