"""Sketches: summaries of the kernel mean of rows that need not fit into memory, to save, add and compare."""

from .sketch import Sketch as Sketch
from .sketch_file import is_sketch as is_sketch
