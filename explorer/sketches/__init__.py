"""Sketches: the kernel mean of rows that need not fit into memory, as a summary to keep, to add and to compare."""

from .keeping import is_sketch as is_sketch
from .sketch import Sketch as Sketch
