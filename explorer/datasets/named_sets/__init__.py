"""Data sets by name: the sets of the papers, bundled, on disk or downloaded."""
