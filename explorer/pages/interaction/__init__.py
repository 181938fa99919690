"""Interaction with the pictures: points that are added, dragged and selected, and the requests of sliders."""
