"""Sections of a page around its pictures: navigation bar, help, tour, story, downloads."""
