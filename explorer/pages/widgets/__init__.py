"""Widgets of a page's controls: numbers, grids, menus, buttons, tabs."""
