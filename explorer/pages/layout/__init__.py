"""Layout of a page: what a lab declares, and the Panel objects that are built from it."""
