"""Data sets by name: those of the papers, bundled, on disk or downloaded."""
