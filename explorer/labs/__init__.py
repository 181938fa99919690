"""Labs: the state of a page as a model, its results, its words and its presets; no widget, no colour."""
