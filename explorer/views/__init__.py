"""Bokeh pictures: one figure for each kind of result, the same in page, notebook and export."""
