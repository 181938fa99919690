"""Patches of param, Bokeh and Panel that make pages open faster."""
