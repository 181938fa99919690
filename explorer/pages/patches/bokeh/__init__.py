"""Patches of Bokeh, on the server and in the browser."""
