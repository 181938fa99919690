"""From a result to a picture: one Bokeh figure for each kind of result, the same one in page, notebook and export."""
