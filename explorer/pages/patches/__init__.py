"""Patches of param, Bokeh, Panel and its widget set. `EXPLORER_PATCHES=0` turns all off.

Each patch states the fault of the library, and the library's issue about it if there is one. For each fault,
`tests/pages/patches` has a test of the library without the patch. It fails once a release has no such fault; then the
patch is deleted.
"""
