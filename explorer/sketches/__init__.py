"""Sketches: the kernel mean of rows that need not fit into memory, as a summary to keep, to add and to compare."""

from .sketch import Sketch as Sketch
from .sketch_file import is_sketch as is_sketch
